"""How bars go wrong in the field: each figure is drawn here with known data and read offline, as a user would.

Signs from the zero line, lying bars with long names, dates of daily bars, names in every row, figures that do not
disturb each other; bars that the axis cuts off, axes in two parts, and kinds of charts that are refused by name.
"""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from statistics import NormalDist
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.dates as mdates
import matplotlib.pyplot as plt
import numpy as np
import pytest

from agent import digitize
from agent.reading import Reading
from tools.table import Table
from tools.types import Image
from tools.unread import kind_of


def canvas(width: float = 4.2, height: float = 2.8, **options: Any) -> tuple[Any, Any]:
    return plt.subplots(figsize=(width, height), dpi=100, layout="constrained", **options)


def read(fig: Any, folder: Path, name: str = "figure") -> Reading:
    fig.savefig(folder / f"{name}.png")
    plt.close(fig)
    return digitize(folder / f"{name}.png")


def column(table: Table, name: str) -> list[Any]:
    return [row[list(table.header).index(name)].value for row in table.rows]


def pixels_of(fig: Any) -> Image:
    fig.canvas.draw()
    pixels = np.asarray(fig.canvas.buffer_rgba())[..., :3].copy()
    plt.close(fig)
    return pixels


def test_dense_bars_have_the_sign_of_their_side_of_zero(tmp_path: Path) -> None:
    heights = np.round(80 * np.sin(np.arange(48) / 4.0)) + np.where(np.arange(48) % 2, 9, 6)
    fig, ax = canvas()
    ax.bar(np.arange(1, 49), heights, width=0.9)
    ax.axhline(0, color="black", lw=0.8)
    ax.set_ylabel("Anomaly")
    (table,) = read(fig, tmp_path).tables
    found = column(table, table.header[-1])
    assert len(found) == 48
    assert found == pytest.approx(heights.tolist(), abs=1.0)


def test_lying_bars_keep_their_long_names(tmp_path: Path) -> None:
    names = ["Heart failure, preserved", "Chronic kidney disease", "No known condition"]
    fig, ax = canvas(5.0)
    ax.barh(names, [12, 30, 21])
    ax.invert_yaxis()
    ax.set_xlabel("Patients")
    (table,) = read(fig, tmp_path).tables
    assert [str(name).replace(" ", "") for name in column(table, table.header[0])] == [
        n.replace(" ", "") for n in names
    ]
    assert column(table, table.header[1]) == pytest.approx([12, 30, 21], abs=0.2)


def test_lying_lollipops_are_read_at_their_heads(tmp_path: Path) -> None:
    fig, ax = canvas()
    names, sizes = ["Spelt", "Teff", "Quinoa", "Fonio"], [67.5, 81.0, 36.5, 72.0]
    ax.hlines(range(4), 0, sizes, color="#7570b3", linewidth=1.5)
    ax.plot(sizes, range(4), "o", color="#7570b3")
    ax.set(yticks=range(4), yticklabels=names, xlim=(0, 100), xlabel="Yield")
    table = read(fig, tmp_path).panels[0].table
    assert isinstance(table, Table)
    found = {str(row[0].value): float(row[1].value) for row in table.rows}
    assert found == {name: pytest.approx(size, abs=0.6) for name, size in zip(names, sizes, strict=True)}


def test_wide_stacks_close_together_are_no_heat_map(tmp_path: Path) -> None:
    fig, ax = canvas()
    below = np.zeros(3)
    parts = {"Delta": [10, 11, 10.5], "Gamma": [20, 19, 20], "Kappa": [30, 25, 12]}
    for name, sizes in parts.items():
        ax.bar(range(3), sizes, 0.9, bottom=below, label=name, edgecolor="black", linewidth=0.8)
        below = below + sizes
    ax.set(xticks=range(3), xticklabels=["Abbey", "Bridge", "Castle"], ylim=(0, 62), xlim=(-0.5, 2.5))
    ax.legend(loc="center left", bbox_to_anchor=(1.02, 0.5))
    table = read(fig, tmp_path).panels[0].table
    assert isinstance(table, Table)
    for name, sizes in parts.items():
        assert column(table, name) == pytest.approx(sizes, abs=0.9)


def test_daily_bars_have_a_date_each(tmp_path: Path) -> None:
    days = [date(2021, 1, 3) + timedelta(n) for n in range(70)]
    counts = 5 + (np.arange(70) * 7) % 23
    fig, ax = canvas(5.6)
    ax.bar(days, counts, width=0.8)
    ax.xaxis.set_major_locator(mdates.MonthLocator())
    ax.xaxis.set_major_formatter(mdates.DateFormatter("%b %Y"))
    ax.set_ylabel("Cases")
    (table,) = read(fig, tmp_path).tables
    assert [str(cell)[:10] for cell in column(table, table.header[0])] == [day.isoformat() for day in days]
    assert column(table, table.header[1]) == pytest.approx(counts.tolist(), abs=0.3)


def test_every_row_of_grouped_bars_has_its_label(tmp_path: Path) -> None:
    names, first, second = ["North", "South", "East", "West"], [3, 8, 5, 9], [7, 2, 6, 4]
    fig, ax = canvas()
    ax.bar(np.arange(4) - 0.2, first, 0.4, label="Control")
    ax.bar(np.arange(4) + 0.2, second, 0.4, label="Treated")
    ax.set_xticks(range(4), names)
    ax.set_ylim(0, 12)
    ax.legend()
    (table,) = read(fig, tmp_path).tables
    assert column(table, table.header[0]) == names
    assert column(table, "Control") == pytest.approx(first, abs=0.1)
    assert column(table, "Treated") == pytest.approx(second, abs=0.1)


def test_a_histogram_after_a_scatter_is_read_on_its_own(tmp_path: Path) -> None:
    fig, ax = canvas()
    ax.scatter([1, 2, 3, 4, 5, 6], [2, 5, 3, 8, 6, 9])
    assert read(fig, tmp_path, "scatter").tables
    fig, ax = canvas()
    ax.hist([0.5] * 4 + [1.5] * 9 + [2.5] * 6 + [3.5] * 2 + [4.5] * 5, bins=[0, 1, 2, 3, 4, 5], edgecolor="white")
    (table,) = read(fig, tmp_path, "histogram").tables
    assert list(table.header[:2]) == ["bin low", "bin high"]
    assert column(table, "bin low") == pytest.approx([0, 1, 2, 3, 4], abs=0.05)
    assert column(table, table.header[2]) == pytest.approx([4, 9, 6, 2, 5], abs=0.1)


def test_bars_that_the_axis_cuts_off_are_marked(tmp_path: Path) -> None:
    fig, ax = canvas()
    ax.bar(["A", "B", "C", "D"], [3, 8, 15, 6])
    ax.set_ylim(0, 10)
    reading = read(fig, tmp_path)
    (table,) = reading.tables
    reasons = [row[1].reason for row in table.rows]
    assert [bool(reason) for reason in reasons] == [False, False, True, False]
    assert "edge of the plot" in reasons[2]
    assert any("edge of the plot" in warning for warning in table.warnings)


def test_a_broken_axis_is_read_as_two_parts(tmp_path: Path) -> None:
    fig, (upper, lower) = canvas(height=3.6, nrows=2, sharex=True)
    for ax in (upper, lower):
        ax.bar(["A", "B", "C", "D"], [3, 90, 4, 95])
    upper.set_ylim(80, 100)
    lower.set_ylim(0, 10)
    upper.spines.bottom.set_visible(False)
    lower.spines.top.set_visible(False)
    upper.tick_params(bottom=False)
    high, low = read(fig, tmp_path).tables
    assert dict(zip(column(high, "x"), column(high, high.header[1]), strict=True)) == {
        "B": pytest.approx(90, abs=0.3), "D": pytest.approx(95, abs=0.3),
    }  # fmt: skip
    assert column(low, low.header[1])[::2] == pytest.approx([3, 4], abs=0.1)
    assert [bool(row[1].reason) for row in low.rows] == [False, True, False, True]


@pytest.mark.parametrize("hole", [0.0, 0.5])
def test_pies_and_rings_are_known_by_sight(hole: float) -> None:
    fig, ax = canvas()
    ax.pie([30, 20, 35, 15], labels=["Rice", "Maize", "Wheat", "Rye"], wedgeprops={"width": 1 - hole})
    assert kind_of(pixels_of(fig)) == "a pie chart"


@pytest.mark.parametrize("bars", [False, True])
def test_polar_charts_are_known_by_sight(bars: bool) -> None:
    fig, ax = canvas(4.0, 4.0, subplot_kw={"polar": True})
    turn = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    (ax.bar if bars else ax.plot)(turn, [3, 6, 4, 8, 5, 7, 2, 6])
    assert kind_of(pixels_of(fig)).startswith("a polar chart")


def test_bars_in_perspective_are_known_by_sight() -> None:
    fig = plt.figure(figsize=(5, 4), dpi=100)
    ax: Any = fig.add_subplot(projection="3d")
    ax.bar3d(np.repeat(range(4), 3), np.tile(range(3), 4), 0, 0.5, 0.5, np.linspace(1, 9, 12))
    assert kind_of(pixels_of(fig)) == "a chart in perspective (3-D)"


def test_plain_charts_are_none_of_these() -> None:
    fig, ax = canvas()
    ax.plot(np.linspace(0, 5, 50), np.sin(np.linspace(0, 5, 50)))
    ax.grid()
    assert kind_of(pixels_of(fig)) == ""


def test_violins_are_refused_by_name(tmp_path: Path) -> None:
    fig, ax = canvas()
    normal = np.array([NormalDist().inv_cdf(share) for share in np.linspace(0.01, 0.99, 80)])
    ax.violinplot([normal, 1 + 2 * normal, normal / 2 - 1], showmedians=True)
    ax.set_xticks([1, 2, 3], ["A", "B", "C"])
    ax.set_ylabel("Value")
    reading = read(fig, tmp_path)
    assert not reading.tables
    assert "violin" in reading.refusals[0]


def test_a_pie_is_refused_by_name(tmp_path: Path) -> None:
    fig, ax = canvas()
    ax.pie([30, 20, 35, 15], labels=["Rice", "Maize", "Wheat", "Rye"])
    reading = read(fig, tmp_path)
    assert not reading.tables
    assert "pie chart" in reading.refusals[0]


def test_slanting_strokes_beside_a_read_axis_are_no_walls_in_perspective() -> None:
    fig, ax = canvas(4.0, 4.0)
    for k in range(6):
        ax.plot([0, 10], [2 * k, 2 * k + 6], color="green")
        ax.plot([0, 10], [2 * k + 6, 2 * k], color="purple")
    ax.set_axis_off()
    fig.canvas.draw()
    pixels = np.asarray(fig.canvas.buffer_rgba())[..., :3].copy()
    plt.close(fig)
    assert kind_of(pixels) == "a chart in perspective (3-D)"  # by its strokes alone
    assert kind_of(pixels, flat=True) == ""
