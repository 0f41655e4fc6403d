"""How axes go wrong in the field: each figure is drawn here with known scales and read from its pixels alone.

A figure is right when the value of both ends of every plot is; where no scale can be told it must say so.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import cv2
import matplotlib as mpl

mpl.use("Agg")
import matplotlib.dates as mdates
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure as Drawing

from tools.axes import calibrate
from tools.ocr import read_words
from tools.panels import find_panels
from tools.straighten import straightened, tilt_of
from tools.types import Axis, Figure, Image, Panel

X = np.linspace(0, 1, 40)


def canvas(width: float = 4.2, height: float = 3.0, **grid: Any) -> tuple[Drawing, Any]:
    return plt.subplots(figsize=(width, height), dpi=100, layout="constrained", **grid)


def pixels_of(fig: Drawing) -> Image:
    fig.canvas.draw()
    pixels = np.asarray(fig.canvas.buffer_rgba())[..., :3].copy()  # type: ignore[attr-defined]
    plt.close(fig)
    return pixels


def read(pixels: Image) -> tuple[Panel, ...]:
    words = read_words(pixels)
    figure = Figure(pixels)
    return calibrate(figure, find_panels(figure, words), words)


def ends(fig: Drawing, ax: Any) -> tuple[list[float], list[float]]:
    """The values at the left and right, bottom and top of a plot."""
    return list(ax.get_xlim()), list(ax.get_ylim())


def spread(axis: Axis, panel: Panel) -> list[float]:
    plot = panel.plot
    return [float(axis.to_value(at)) for at in ((plot.x0, plot.x1) if axis.horizontal else (plot.y1, plot.y0))]


def agrees(axis: Axis | None, panel: Panel, wanted: list[float], scale: str = "linear") -> bool:
    """Whether the axis has this scale and these values at the ends of the plot, within 0.6 % of their range."""
    if axis is None or axis.scale != scale:
        return False
    found, true = np.array(spread(axis, panel)), np.array(wanted)
    if scale == "log":
        found, true = np.log10(found), np.log10(true)
    return bool(np.abs(found - true).max() <= 0.006 * abs(true[1] - true[0]))


def vertical(draw: Callable[[Any], None]) -> tuple[Panel, list[float]]:
    """The only panel of a figure whose vertical axis `draw` sets up, and the values of this axis."""
    fig, ax = canvas()
    draw(ax)
    wanted = ends(fig, ax)[1]
    (panel,) = read(pixels_of(fig))
    return panel, wanted


def log_axis(ax: Any, low: float, high: float, labels: dict[float, str]) -> None:
    ax.plot(X, np.geomspace(low, high, len(X)))
    ax.set_yscale("log")
    ax.set_yticks(list(labels), list(labels.values()))


def test_thousands_separators_on_a_log_axis() -> None:
    labels = {10.0**n: f"{10**n:,}" for n in range(3, 10)}
    panel, wanted = vertical(lambda ax: log_axis(ax, 1e3, 1e9, labels))
    assert agrees(panel.y, panel, wanted, "log")


def test_decimal_commas_are_decided_for_a_whole_axis() -> None:
    def draw(ax: Any) -> None:
        ax.plot(X, 0.7 * X)
        ticks = np.arange(0, 0.75, 0.1)
        ax.set_yticks(ticks, [f"{tick:.1f}".replace(".", ",") for tick in ticks])

    panel, wanted = vertical(draw)
    assert agrees(panel.y, panel, wanted)


def test_raised_exponents_are_powers_and_a_plain_102_is_not() -> None:
    panel, wanted = vertical(lambda ax: log_axis(ax, 1, 1e4, {10.0**n: f"$10^{n}$" for n in range(5)}))
    assert agrees(panel.y, panel, wanted, "log")

    def plain(ax: Any) -> None:
        ax.plot(X, 100 + 4 * X)
        ax.set_yticks([100, 101, 102, 103, 104], ["100", "101", "102", "103", "104"])

    panel, wanted = vertical(plain)
    assert agrees(panel.y, panel, wanted)


def test_decades_with_two_digit_exponents() -> None:
    panel, wanted = vertical(lambda ax: log_axis(ax, 1e12, 1e16, {10.0**n: f"$10^{{{n}}}$" for n in range(12, 17)}))
    assert agrees(panel.y, panel, wanted, "log")


def test_1000_and_10000_on_a_linear_axis() -> None:
    def draw(ax: Any) -> None:
        ax.plot(X, 1e4 * X**2)
        ax.set_yticks([0, 1000, 2000, 4000, 6000, 8000, 10000])

    panel, wanted = vertical(draw)
    assert agrees(panel.y, panel, wanted)


def unsure(axis: Axis | None) -> bool:
    return axis is None or axis.confidence == "low"


def test_a_zero_under_a_log_axis_is_no_anchor() -> None:
    labels = {1.0: "0", 10.0: "10", 100.0: "100", 1000.0: "1000", 10000.0: "10000"}
    panel, wanted = vertical(lambda ax: log_axis(ax, 1, 1e4, labels))
    assert unsure(panel.y)
    assert panel.y is None or agrees(panel.y, panel, wanted, "log")


def test_symlog_is_not_taken_for_a_plain_scale() -> None:
    def draw(ax: Any) -> None:
        ax.plot(X, 1e4 * X)
        ax.set_yscale("symlog", linthresh=10, linscale=0.3)
        ax.set_yticks([0, 10, 100, 1000, 10000], ["0", "10", "100", "1000", "10000"])

    panel, _ = vertical(draw)
    assert unsure(panel.y)


def test_ticks_that_change_their_spacing_are_refused() -> None:
    def draw(ax: Any) -> None:
        ax.plot([0, 9], [0, 1])
        ax.set_yticks([0, 0.5, 1])
        ax.set_xticks([0, 1, 2, 3, 4.5, 6, 7.5, 9], ["0", "10", "20", "30", "40", "50", "60", "70"])

    panel, _ = vertical(draw)
    assert unsure(panel.x)


def test_a_scale_of_the_logarithms_of_logarithms_is_refused() -> None:
    def draw(ax: Any) -> None:
        ax.plot(X, 3 * X)
        ax.set_yticks([1, 2, 3], ["$10^{1}$", "$10^{10}$", "$10^{100}$"])

    panel, _ = vertical(draw)
    assert unsure(panel.y)


def horizontal(draw: Callable[[Any], None], width: float = 5.0) -> tuple[Panel, list[float]]:
    fig, ax = canvas(width)
    draw(ax)
    wanted = ends(fig, ax)[0]
    (panel,) = read(pixels_of(fig))
    return panel, wanted


def dated(start: datetime, stop: datetime, locator: Any, form: str) -> Callable[[Any], None]:
    def draw(ax: Any) -> None:
        ax.plot([start, stop], [1, 2])
        ax.xaxis.set_major_locator(locator)
        ax.xaxis.set_major_formatter(mdates.DateFormatter(form))

    return draw


def test_the_29th_of_february_is_a_day_of_its_own() -> None:
    draw = dated(datetime(1952, 2, 27), datetime(1952, 3, 3), mdates.DayLocator(), "%Y/%m/%d")
    panel, wanted = horizontal(draw, 6.5)
    assert agrees(panel.x, panel, wanted, "date")


def test_months_of_a_year_with_30_days_each_are_exact() -> None:
    draw = dated(datetime(2012, 4, 20), datetime(2012, 9, 5), mdates.MonthLocator(), "%b %Y")
    panel, wanted = horizontal(draw)
    assert agrees(panel.x, panel, wanted, "date")


def test_times_of_day() -> None:
    draw = dated(datetime(2021, 5, 4), datetime(2021, 5, 5), mdates.HourLocator(range(0, 24, 6)), "%H:%M")
    panel, wanted = horizontal(draw)
    assert panel.x is not None
    assert panel.x.scale == "date"
    found = spread(panel.x, panel)
    assert abs((found[1] - found[0]) - (wanted[1] - wanted[0])) < 0.01
    assert abs((found[0] - wanted[0] + 0.5) % 1 - 0.5) < 0.01  # the day is not printed, the hour is


def test_serial_numbers_of_days_stay_numbers() -> None:
    def draw(ax: Any) -> None:
        ax.plot([28156, 44227], [0, 18])
        ax.set_xticks([28156, 32174, 36192, 40210, 44227])

    panel, wanted = horizontal(draw)
    assert agrees(panel.x, panel, wanted)


def test_large_numbers_keep_their_precision() -> None:
    axis = Axis("bottom", "linear", 3600.0, 1.6e9)
    assert float(axis.to_value(axis.to_pixel(1600003601.0))) == pytest.approx(1600003601.0, abs=1e-6)


def test_labels_of_both_axes_near_one_corner() -> None:
    fig, ax = canvas()
    ax.plot([300, 700], [-30, 50])
    ax.margins(0)
    ax.set_xticks(range(300, 701, 100))
    ax.set_yticks(range(-30, 51, 20))
    x, y = ends(fig, ax)
    (panel,) = read(pixels_of(fig))
    assert agrees(panel.x, panel, x)
    assert agrees(panel.y, panel, y)


@pytest.mark.parametrize(
    "labels",
    [["0 K", "400 K", "800 K", "1,200 K"], ["0", "4e+2", "8e+2", "1.2e+3"], ["$0", "$400", "$800", "$1,200"]],
)
def test_units_exponents_and_currencies(labels: list[str]) -> None:
    def draw(ax: Any) -> None:
        ax.plot(X, 1200 * X)
        ax.set_yticks([0, 400, 800, 1200], [label.replace("$", r"\$") for label in labels])

    panel, wanted = vertical(draw)
    assert panel.y is not None
    scale = 1000.0 if "K" in labels[0] else 1.0  # a bare K is a thousand as well as kelvin
    assert agrees(panel.y, panel, wanted) or agrees(panel.y, panel, [scale * value for value in wanted])


def test_percent_is_a_unit() -> None:
    def draw(ax: Any) -> None:
        ax.plot(X, 80 * X)
        ax.set_yticks([0, 20, 40, 60, 80], ["0%", "20%", "40%", "60%", "80%"])

    panel, wanted = vertical(draw)
    assert agrees(panel.y, panel, wanted)
    assert panel.y is not None
    assert panel.y.unit == "%"


@pytest.mark.parametrize("last", [40, 60])
def test_sizes_printed_without_sign_to_both_sides_of_zero_are_positive_on_the_right(last: int) -> None:
    def draw(ax: Any) -> None:
        ticks = list(range(-60, last + 1, 20))
        ax.barh(range(4), [10, 25, 38, 30], color="C0")
        ax.barh(range(4), [-12, -31, -50, -25], color="C1")
        ax.set_yticks(range(4), ["Never", "Seldom", "Often", "Always"])
        ax.set_xticks(ticks, [str(abs(tick)) for tick in ticks])

    panel, wanted = horizontal(draw)
    assert agrees(panel.x, panel, wanted)


def test_the_label_of_one_axis_near_the_other() -> None:
    fig, ax = canvas()
    ax.plot(X * 8, 5 * X)
    ax.set_ylabel("Voltage", loc="bottom")
    ax.set_xlabel("Time", loc="left")
    x, y = ends(fig, ax)
    (panel,) = read(pixels_of(fig))
    assert agrees(panel.x, panel, x)
    assert agrees(panel.y, panel, y)


def test_data_beyond_the_outer_labels_have_the_same_scale() -> None:
    fig, ax = canvas()
    ax.plot(12 * X - 1, 7 * X - 1)
    ax.set_xticks([2, 4, 6, 8])
    ax.set_yticks([1, 2, 3, 4])
    x, y = ends(fig, ax)
    (panel,) = read(pixels_of(fig))
    assert agrees(panel.x, panel, x)
    assert agrees(panel.y, panel, y)


def test_two_panels_have_their_own_scales() -> None:
    fig, axes = canvas(7.0, ncols=2)
    axes[0].plot(X, 6 * X)
    axes[1].plot(X, 10 * X)
    wanted = [ends(fig, ax)[1] for ax in axes]
    panels = read(pixels_of(fig))
    assert [agrees(panel.y, panel, y) for panel, y in zip(panels, wanted, strict=True)] == [True, True]


def test_four_panels_that_share_their_labels() -> None:
    fig, axes = canvas(6.0, 4.6, nrows=2, ncols=2, sharex=True, sharey="row")
    for n, ax in enumerate(axes.flat):
        ax.plot(30 * X, (1 + 9 * (n > 1)) * X**2)
    wanted = [ends(fig, ax) for ax in axes.flat]
    panels = read(pixels_of(fig))
    assert len(panels) == 4
    for panel, (x, y) in zip(panels, wanted, strict=True):
        assert agrees(panel.x, panel, x)
        assert agrees(panel.y, panel, y)


def test_a_log_axis_on_the_left_and_a_linear_one_on_the_right() -> None:
    fig, ax = canvas()
    ax.plot(X * 50, np.geomspace(10, 1e-3, len(X)), color="tab:red")
    ax.set_yscale("log")
    twin = ax.twinx()
    twin.plot(X * 50, 100 * np.sqrt(X), color="tab:blue")
    left, right = ends(fig, ax)[1], ends(fig, twin)[1]
    (panel,) = read(pixels_of(fig))
    assert agrees(panel.axis("left"), panel, left, "log")
    assert agrees(panel.axis("right"), panel, right)


def test_a_broken_axis_is_read_in_pieces_or_refused() -> None:
    fig, (upper, lower) = plt.subplots(2, 1, sharex=True, figsize=(4.2, 3.4), dpi=100)
    for ax in (upper, lower):
        ax.plot(X, np.where(X > 0.5, 22, 3))
    upper.set_ylim(20, 25)
    lower.set_ylim(0, 5)
    upper.spines.bottom.set_visible(False)
    lower.spines.top.set_visible(False)
    upper.tick_params(bottom=False)
    panels = read(pixels_of(fig))
    for panel in panels:
        if panel.y is not None and panel.y.confidence == "high":
            low, high = spread(panel.y, panel)
            assert (low > 19 and high < 26) or (low > -1 and high < 6)


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_figure_upside_down_or_on_its_side_is_read_as_it_lies_or_not_at_all(turns: int) -> None:
    fig, ax = canvas()
    ax.plot(X * 50, 7 * X)
    x, y = ends(fig, ax)
    across, up = {1: (y[::-1], x), 2: (x[::-1], y[::-1]), 3: (y, x[::-1])}[turns]
    for panel in read(np.ascontiguousarray(np.rot90(pixels_of(fig), turns))):
        for axis in panel.axes:
            assert axis.confidence == "low" or agrees(axis, panel, across if axis.horizontal else up)


@pytest.mark.parametrize("tilt", [-1.2, 2.0])
def test_a_scan_that_lies_askew_is_turned_upright(tilt: float) -> None:
    fig, ax = canvas()
    ax.plot(X * 50, 7 * X)
    x, y = ends(fig, ax)
    pixels = pixels_of(fig)
    assert tilt_of(pixels) == 0.0
    height, width = pixels.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), tilt, 1.0)
    scan = np.asarray(cv2.warpAffine(pixels, turn, (width, height), borderValue=(255, 255, 255)), np.uint8)
    assert tilt_of(scan) == pytest.approx(tilt, abs=0.12)
    upright = straightened(Figure(scan))
    assert "askew" in upright.warnings[0]
    (panel,) = read(upright.pixels)
    for axis in panel.axes:
        assert axis.confidence == "low" or agrees(axis, panel, x if axis.horizontal else y)


def test_oblique_axes_are_refused() -> None:
    fig, ax = canvas()
    ax.plot(X * 50, 7 * X)
    pixels = pixels_of(fig)
    shear = np.array([[1, 0.6, 0], [0, 1, 0]])
    sheared = cv2.warpAffine(pixels, shear, (620, 300), borderValue=(255, 255, 255))
    for panel in read(np.asarray(sheared, np.uint8)):
        assert all(axis.confidence == "low" or axis.horizontal for axis in panel.axes)


def test_a_figure_without_axes_but_a_scale_bar_is_refused() -> None:
    fig, ax = canvas()
    ax.plot(X, np.sin(20 * X))
    ax.axis("off")
    ax.plot([0.8, 0.95], [-1.2, -1.2], color="k")
    ax.text(0.82, -1.45, "50 ms")
    for panel in read(pixels_of(fig)):
        assert panel.refused or all(axis.confidence == "low" for axis in panel.axes)
