"""Axes of figures drawn here: the scale at both ends of the plot must be that of the axes drawn.

Words are the texts that were drawn, with their extents, so that reading text is no part of these tests.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.dates as mdates
import matplotlib.pyplot as plt
import numpy as np
import pytest

from tools.axes import calibrate
from tools.axis_factors import axis_offset
from tools.label_split import label_texts, split_rows
from tools.types import Axis, Box, Figure, Panel, Side, Word, days


def seen(fig: Any) -> tuple[Figure, list[Panel], list[Word]]:
    """The figure as pixels, with its panels (plots: the centres of the spines) and the words that stand in it."""
    fig.canvas.draw()
    pixels = np.asarray(fig.canvas.buffer_rgba())[..., :3].copy()
    height = pixels.shape[0]
    renderer = fig.canvas.get_renderer()

    def box(extent: Any) -> Box:
        return Box(extent.x0 - 0.5, height - extent.y1 - 0.5, extent.x1 - 0.5, height - extent.y0 - 0.5)

    words: list[Word] = []
    panels: list[Panel] = []
    for ax in fig.axes:
        texts = [*ax.get_xticklabels(), *ax.get_yticklabels(), ax.xaxis.label, ax.yaxis.label, ax.title]
        texts += [ax.yaxis.get_offset_text(), ax.xaxis.get_offset_text()]
        texts = [text for text in texts if text.get_text() and shown(text)]
        words += [_word(text, box(text.get_window_extent(renderer))) for text in texts]
        plot = box(ax.bbox)
        if not any(plot == panel.plot for panel in panels):
            panels.append(Panel(plot.grown(60), plot))
    plt.close(fig)
    return Figure(pixels), panels, words


def shown(text: Any) -> bool:
    return bool(text.get_visible() and text.get_window_extent().width > 1)


def _word(text: Any, box: Box) -> Word:
    plain = re.sub(r"\$\\mathdefault\{10\^\{(.*?)\}\}\$", r"10^\1", text.get_text()).replace("\u2212", "-")
    return Word(plain, box, float(text.get_rotation()))


def axis_of(fig: Any, side: Side, panel: int = 0, words: Callable[[list[Word]], list[Word]] = lambda w: w) -> Axis:
    figure, panels, texts = seen(fig)
    done = calibrate(figure, panels, words(texts))
    axis = done[panel].axis(side)
    assert axis is not None, done[panel].warnings
    plot = done[panel].plot
    low, high = (plot.x0, plot.x1) if axis.horizontal else (plot.y1, plot.y0)
    return replace(axis, warnings=(*axis.warnings, f"{float(axis.to_value(low))!r} {float(axis.to_value(high))!r}"))


def ends(axis: Axis) -> tuple[float, float]:
    low, high = axis.warnings[-1].split()
    return float(low), float(high)


def assert_axis(axis: Axis, low: float, high: float, scale: str = "linear") -> None:
    assert axis.scale == scale
    got = np.array(ends(axis))
    want = np.array([low, high])
    np.testing.assert_allclose(axis.to_value(axis.to_pixel(want)), want, atol=1e-9)
    if scale == "log":
        got, want = np.log10(got), np.log10(want)
    assert np.abs(got - want).max() <= 0.004 * abs(want[1] - want[0]), (got, want)
    assert axis.confidence == "high"


def drawn(draw: Callable[[Any], object], size: tuple[float, float] = (6, 4)) -> Any:
    fig, ax = plt.subplots(figsize=size, dpi=100)
    draw(ax)
    return fig


def test_linear_axes_with_titles() -> None:
    def draw(ax: Any) -> None:
        ax.plot([1, 9], [-20, 35])
        ax.set(xlim=(0, 10), ylim=(-25, 40), xlabel="Time (s)", ylabel="Signal (mV)")

    bottom, left = axis_of(drawn(draw), "bottom"), axis_of(drawn(draw), "left")
    assert_axis(bottom, 0, 10)
    assert_axis(left, -25, 40)
    assert (bottom.label, left.label) == ("Time (s)", "Signal (mV)")
    assert {anchor.seat for anchor in bottom.anchors} == {"tick"}


@pytest.mark.parametrize("flip", ["x", "y"])
def test_reversed_axes(flip: str) -> None:
    def draw(ax: Any) -> None:
        ax.set(xlim=(0, 8), ylim=(0, 200))
        (ax.invert_xaxis if flip == "x" else ax.invert_yaxis)()

    axis = axis_of(drawn(draw), "bottom" if flip == "x" else "left")
    assert_axis(axis, *((8, 0) if flip == "x" else (200, 0)))
    assert axis.reversed


def test_log_axes_with_powers_and_with_plain_numbers() -> None:
    def draw(ax: Any) -> None:
        ax.set(xscale="log", yscale="log", xlim=(0.5, 2000), ylim=(1e-3, 1e2))
        ax.set_xticks([1, 10, 100, 1000], ["1", "10", "100", "1,000"])

    assert_axis(axis_of(drawn(draw), "left"), 1e-3, 1e2, "log")
    assert_axis(axis_of(drawn(draw), "bottom"), 0.5, 2000, "log")


def test_two_powers_of_ten_are_a_doubtful_log_axis() -> None:
    axis = axis_of(drawn(lambda ax: ax.set(yscale="log", ylim=(0.5, 15))), "left")
    assert (axis.scale, axis.confidence) == ("log", "low")


def test_flattened_exponents_are_told_from_plain_numbers_by_the_minor_ticks() -> None:
    def flat(words: list[Word]) -> list[Word]:
        return [replace(word, text=word.text.replace("^", "")) for word in words]

    assert_axis(axis_of(drawn(lambda ax: ax.set(yscale="log", ylim=(0.5, 2000))), "left", words=flat), 0.5, 2000, "log")
    plain = drawn(lambda ax: (ax.set(ylim=(99.5, 103.2), yticks=[100, 101, 102, 103]), ax.minorticks_on()))
    assert_axis(axis_of(plain, "left"), 99.5, 103.2)


def test_a_zero_on_a_log_axis_is_no_anchor_and_makes_it_doubtful() -> None:
    def draw(ax: Any) -> None:
        ax.set_yscale("symlog", linthresh=10)
        ax.set(ylim=(0, 1e4))
        ax.set_yticks([0, 10, 100, 1000, 10000], ["0", "10", "100", "1000", "10000"])

    axis = axis_of(drawn(draw), "left")
    assert (axis.scale, axis.confidence) == ("log", "low")
    assert float(axis.to_value(axis.to_pixel(500))) == pytest.approx(500)
    assert any("zero" in note for note in axis.warnings)


def test_thousand_and_ten_thousand_on_a_linear_axis() -> None:
    ticks = [0, 1000, 2000, 4000, 6000, 8000, 10000]
    assert_axis(axis_of(drawn(lambda ax: ax.set(ylim=(0, 10000), yticks=ticks)), "left"), 0, 10000)


def test_offset_at_the_end_of_the_axis_multiplies() -> None:
    axis = axis_of(drawn(lambda ax: ax.set(ylim=(0, 6e6))), "left")
    assert_axis(axis, 0, 6e6)
    assert axis.anchors[-1].value in (0, 6e6)


@pytest.mark.parametrize(("x", "y", "found"), [(62, 40, True), (62, 5, False), (200, 40, False)])
def test_offset_may_stand_as_far_above_what_is_drawn_as_the_next_tick_would(x: float, y: float, found: bool) -> None:
    plot, word = Box(60, 100, 400, 300), Word("1e6", Box(x, y, x + 30, y + 12))
    assert axis_offset("left", plot, [word], 25, [300, 220, 140]) == ((1e6, word) if found else None)


def test_percent_and_decimal_commas() -> None:
    ticks = [0, 25, 50, 75, 100]
    axis = axis_of(drawn(lambda ax: (ax.set(ylim=(0, 110)), ax.set_yticks(ticks, [f"{v}%" for v in ticks]))), "left")
    assert_axis(axis, 0, 110)
    assert axis.unit == "%"
    comma = drawn(lambda ax: (ax.set(ylim=(0, 0.35)), ax.set_yticks([0, 0.1, 0.2, 0.3], ["0,0", "0,1", "0,2", "0,3"])))
    assert_axis(axis_of(comma, "left"), 0, 0.35)


def test_years_are_numbers_on_a_year_calendar() -> None:
    axis = axis_of(drawn(lambda ax: ax.set(xlim=(1957, 2023))), "bottom")
    assert_axis(axis, 1957, 2023)
    assert axis.calendar == "year"


def test_dates_with_months_and_years_in_two_rows() -> None:
    def draw(ax: Any) -> None:
        ax.set_xlim(date(2020, 10, 20), date(2021, 8, 15))
        months = [date(2020, m, 1) for m in (11, 12)] + [date(2021, m, 1) for m in (1, 3, 5, 7)]
        ax.set_xticks(months, ["Nov\n2020", "Dec", "Jan\n2021", "Mar", "May", "Jul"])

    fig = drawn(draw)

    def two_rows(words: list[Word]) -> list[Word]:
        """A text of two lines is two words."""
        return [part for word in words for part in _lines(word)]

    axis = axis_of(fig, "bottom", words=two_rows)
    assert axis.scale == "date"
    low, high = ends(axis)
    assert low == pytest.approx(days(date(2020, 10, 20)), abs=0.8)
    assert high == pytest.approx(days(date(2021, 8, 15)), abs=0.8)


def _lines(word: Word) -> list[Word]:
    lines = word.text.split("\n")
    step = word.box.height / len(lines)
    tops = [word.box.y0 + i * step for i in range(len(lines))]
    boxes = [replace(word.box, y0=top + 1, y1=top + step - 1) for top in tops]
    return [replace(word, text=text, box=box) for text, box in zip(lines, boxes, strict=True)]


def test_slanted_dates_sit_on_their_ticks() -> None:
    def draw(ax: Any) -> None:
        ax.set_xlim(date(2019, 1, 1), date(2019, 12, 31))
        ax.xaxis.set_major_locator(mdates.MonthLocator(interval=2))  # type: ignore[no-untyped-call]
        ax.xaxis.set_major_formatter(mdates.DateFormatter("%d %b %y"))  # type: ignore[no-untyped-call]
        for label in ax.get_xticklabels():
            label.set(rotation=45, ha="right", rotation_mode="anchor")

    axis = axis_of(drawn(draw), "bottom")
    assert_axis(axis, days(date(2019, 1, 1)), days(date(2019, 12, 31)), "date")


def test_twin_axes_are_two_axes() -> None:
    fig, ax = plt.subplots(figsize=(6, 4), dpi=100)
    ax.set(ylim=(0, 50), ylabel="Cases")
    ax.twinx().set(ylim=(0, 1.2), ylabel="Deaths")
    assert_axis(axis_of(fig, "left"), 0, 50)
    fig, ax = plt.subplots(figsize=(6, 4), dpi=100)
    ax.set(ylim=(0, 50))
    ax.twinx().set(ylim=(0, 1.2))
    assert_axis(axis_of(fig, "right"), 0, 1.2)


def test_bars_have_categories_on_their_own_side() -> None:
    vertical = axis_of(drawn(lambda ax: ax.bar(["Bus", "Tram", "On foot"], [3, 9, 4])), "bottom")
    assert vertical.categories == ("Bus", "Tram", "On foot")
    np.testing.assert_allclose([anchor.value for anchor in vertical.anchors], [0, 1, 2])
    sideways = axis_of(drawn(lambda ax: ax.barh(["Low", "Middle", "High"], [3, 9, 4])), "left")
    assert sideways.categories == ("High", "Middle", "Low")  # from top to bottom


def test_facets_share_their_axes() -> None:
    def grid() -> Any:
        fig, axs = plt.subplots(2, 2, figsize=(7, 5), dpi=100, sharex=True, sharey=True)
        axs[0, 0].set(xlim=(0, 12), ylim=(0, 80))
        return fig

    for panel in calibrate(*seen(grid())):
        assert panel.x
        assert panel.y
        np.testing.assert_allclose(panel.x.to_value([panel.plot.x0, panel.plot.x1]), [0, 12], atol=0.08)
        np.testing.assert_allclose(panel.y.to_value([panel.plot.y1, panel.plot.y0]), [0, 80], atol=0.5)
    assert any("shared" in note for note in axis_of(grid(), "left", 1).warnings)


def test_panels_with_scales_of_their_own_do_not_borrow() -> None:
    fig, (one, two) = plt.subplots(1, 2, figsize=(8, 3.5), dpi=100)
    one.set(ylim=(0, 6))
    two.set(ylim=(0, 10))
    figure, panels, words = seen(fig)
    first, second = calibrate(figure, panels, words)
    assert [float(p.y.to_value(p.plot.y0)) for p in (first, second) if p.y] == pytest.approx([6, 10], rel=0.004)
    assert first.axis("right") is None


@pytest.mark.parametrize(("wrong", "text"), [("40", "49"), ("-20", "20"), ("60", "6O")])
def test_a_misread_label_does_not_move_the_scale(wrong: str, text: str) -> None:
    fig = drawn(lambda ax: ax.set(ylim=(-30, 90), yticks=[-20, 0, 20, 40, 60, 80]))
    axis = axis_of(fig, "left", words=lambda ws: [replace(w, text=text) if w.text == wrong else w for w in ws])
    got = ends(axis)
    assert got == pytest.approx((-30, 90), abs=0.4)


def test_a_broken_axis_is_refused() -> None:
    texts = ["0", "2", "4", "60", "62", "64"]
    fig = drawn(lambda ax: (ax.set(ylim=(0, 10)), ax.set_yticks([0, 2, 4, 6, 8, 10], texts)))
    figure, panels, words = seen(fig)
    panel = calibrate(figure, panels, words)[0]
    assert panel.axis("left") is None
    assert any("vertical axis" in note for note in panel.warnings)


def test_a_plot_without_words_is_refused_with_a_reason() -> None:
    figure, panels, _ = seen(drawn(lambda ax: ax.plot([1, 2])))
    panel = calibrate(figure, panels, [])[0]
    assert panel.refused is not None
    assert panel.refused.reason


def test_a_row_read_as_one_word_is_split_at_its_gaps() -> None:
    assert label_texts("2014-W152014-W17") == ["2014-W15", "2014-W17"]
    assert label_texts("10 000") == ["10 000"]
    assert label_texts("Apr 2020") == ["Apr 2020"]
    pixels = np.full((12, 100, 3), 255, dtype=np.uint8)
    for start in (5, 45, 85):
        pixels[2:10, start : start + 10] = 0
    words = split_rows(pixels, [Word("Jan Feb Mar", Box(3, 1, 97, 10))])
    assert [word.text for word in words] == ["Jan", "Feb", "Mar"]
    assert [(word.box.x0, word.box.x1) for word in words] == [(5, 14), (45, 54), (85, 94)]


@pytest.mark.parametrize(("count", "confidence"), [(7, "high"), (3, "low")])
def test_several_labels_that_fit_a_scale_need_no_ticks(count: int, confidence: str) -> None:
    def draw(ax: Any) -> None:
        ax.set(ylim=(-5, 65), yticks=np.linspace(0, 60, count))
        ax.tick_params(length=0)

    axis = axis_of(drawn(draw), "left")
    assert all(anchor.seat in ("glyph", "spine") for anchor in axis.anchors)
    assert axis.confidence == confidence
    assert ends(axis) == pytest.approx((-5, 65), abs=0.4)


@pytest.mark.parametrize(("ticks", "confidence"), [(7, "high"), (4, "low")])
def test_an_axis_of_a_panel_of_the_same_size_is_sure_where_many_ticks_meet(ticks: int, confidence: str) -> None:
    fig, axs = plt.subplots(2, 1, figsize=(5, 6), dpi=100)
    for ax in axs:
        ax.set(xlim=(0, 4), ylim=(0, 60), yticks=np.linspace(0, 60, ticks))
    axs[1].tick_params(labelleft=False)
    axis = axis_of(fig, "left", 1)
    assert any("of the same size" in note for note in axis.warnings)
    assert axis.confidence == confidence


@pytest.mark.parametrize(
    "read",
    [
        {"0.1": "10^1", "1": "10^0", "10": "101", "100": "10^2"},  # a dash is lost
        {"0.1": "10-1", "1": "10º", "10": "101", "100": "10^2"},  # hardly a number among them
    ],
)
def test_powers_whose_exponents_were_misread_are_proven_by_the_others(read: dict[str, str]) -> None:
    fig = drawn(lambda ax: ax.set(yscale="log", ylim=(0.05, 200), yticks=[0.1, 1, 10, 100], yticklabels=list(read)))
    axis = axis_of(fig, "left", words=lambda ws: [replace(w, text=read.get(w.text, w.text)) for w in ws])
    assert_axis(axis, 0.05, 200, "log")
