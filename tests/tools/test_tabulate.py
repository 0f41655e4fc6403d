"""Marks to tables, by hand-made panels: forms, names, signs, reasons and intervals."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tools.table import Table
from tools.tabulate import tabulate
from tools.types import Anchor, Axis, Box, Mark, Panel, Series, Unreadable

LEFT = Axis("left", "linear", -0.1, 10.0, label="Count")  # y pixel 100 is 0, pixel 0 is 10
BOTTOM = Axis("bottom", "linear", 0.1, 0.0, label="Time")
SLOTS = Axis("bottom", "category", 1 / 50, -0.5, categories=("a", "b"), label="Group")
PANEL = Panel(Box(-20, -20, 120, 120), Box(0, 0, 100, 100), axes=(LEFT, BOTTOM))


def line(name: str, *points: tuple[float, float]) -> Series:
    return Series(name, (0, 0, 0), "line", tuple(Mark("vertex", x, y, sigma=0.1) for x, y in points))


def bar(x: float, top: float, base: float = 100.0) -> Mark:
    return Mark("bar", x, top, Box(x - 5, min(top, base), x + 5, max(top, base)))


def read(panel: Panel, *series: Series) -> Table:
    table = tabulate(panel, series)
    assert isinstance(table, Table)
    return table


def test_lines_that_share_x_become_one_wide_table() -> None:
    table = read(PANEL, line("A", (10, 50), (20, 40), (30, 30)), line("B", (10.3, 90), (30, 80)))
    assert table.to_tsv() == "Time\tA\tB\n1\t5\t1\n2\t6\tnan\n3\t7\t2\n"
    assert table.rows[1][2].reason


def test_a_single_series_is_named_by_its_axis() -> None:
    assert read(PANEL, line("", (10, 50), (20, 40))).header == ("Time", "Count")
    assert read(PANEL, line("", (10, 50)), line("", (10, 20))).header == ("Time", "series 1", "series 2")


def test_grouped_bars_share_the_row_of_their_category() -> None:
    panel = replace(PANEL, axes=(LEFT, SLOTS))
    one = Series("one", (0, 0, 0), "bar", (bar(20, 50), bar(70, 60)))
    two = Series("two", (9, 9, 9), "bar", (bar(30, 10), bar(80, 100)))
    assert read(panel, one, two).to_tsv() == "Group\tone\ttwo\na\t5\t9\nb\t4\t0\n"


def test_stack_segments_are_differences_and_negative_below_zero() -> None:
    panel = replace(PANEL, axes=(replace(LEFT, intercept=5.0), SLOTS))  # zero at pixel 50
    up = Series("up", (0, 0, 0), "stack", (Mark("segment", 25, 20, Box(20, 20, 30, 50)),))
    on_top = Series("on top", (5, 5, 5), "stack", (Mark("segment", 25, 10, Box(20, 10, 30, 20)),))
    down = Series("down", (9, 9, 9), "stack", (Mark("segment", 25, 70, Box(20, 50, 30, 70)),))
    assert [cell.text for cell in read(panel, up, on_top, down).rows[0]] == ["a", "3", "1", "-2"]


def test_unlabelled_stack_segments_give_only_their_total() -> None:
    panel = replace(PANEL, axes=(LEFT, SLOTS))
    low = Series("", (0, 0, 0), "stack", (Mark("segment", 25, 60, Box(20, 60, 30, 100)),))
    top = Series("", (9, 9, 9), "stack", (Mark("segment", 25, 30, Box(20, 30, 30, 60)),))
    assert read(panel, low, top).to_tsv() == "Group\tCount\na\t7\n"


def test_scattered_points_that_share_no_x_are_long() -> None:
    cloud = [
        Series(name, (0, 0, 0), "points", tuple(Mark("marker", x, 50) for x in xs))
        for name, xs in (("A", (1, 33)), ("B", (57, 90)))
    ]
    table = read(PANEL, *cloud)
    assert table.header == ("Time", "Count", "series")
    assert [row[2].text for row in table.rows] == ["A", "A", "B", "B"]


def test_error_bars_are_columns_after_their_series() -> None:
    marks = (Mark("marker", 10, 50), Mark("low", 10, 60), Mark("high", 10, 30))
    table = read(PANEL, Series("A", (0, 0, 0), "points", marks))
    assert table.to_tsv() == "Time\tA\tA low\tA high\n1\t5\t4\t7\n"


def test_horizontal_bars_run_from_top_to_bottom() -> None:
    rows = Axis("left", "category", 1 / 50, -0.5, categories=("top", "below"))
    panel = replace(PANEL, axes=(rows, BOTTOM))
    marks = (Mark("bar", 40, 25, Box(0, 20, 40, 30)), Mark("bar", 80, 75, Box(0, 70, 80, 80)))
    table = read(panel, Series("", (0, 0, 0), "bar", marks, axis="bottom", orientation="horizontal"))
    assert table.to_tsv() == "x\tTime\ntop\t4\nbelow\t8\n"


def test_without_an_axis_values_are_refused_and_not_invented() -> None:
    table = read(replace(PANEL, axes=(BOTTOM,)), line("A", (10, 50)))
    assert table.rows[0][1].text == "nan"
    assert "calibrated" in table.rows[0][1].reason
    refused = tabulate(replace(PANEL, refused=Unreadable("a photo")), [])
    assert isinstance(refused, Unreadable)
    assert not tabulate(PANEL, [])


def test_the_interval_holds_the_value_and_grows_with_the_residual() -> None:
    sharp = read(PANEL, line("A", (10, 50))).rows[0][1]
    loose = read(replace(PANEL, axes=(replace(LEFT, residual=3.0), BOTTOM)), line("A", (10, 50))).rows[0][1]
    assert sharp.low is not None
    assert sharp.high is not None
    assert loose.low is not None
    assert sharp.low < 5 < sharp.high
    assert loose.low < sharp.low


def test_histograms_print_their_bins() -> None:
    marks = tuple(Mark("bar", x + 5, top, Box(x, top, x + 10, 100)) for x, top in ((10, 50), (20, 30)))
    table = read(PANEL, Series("", (0, 0, 0), "histogram", marks))
    assert table.to_tsv() == "bin low\tbin high\tCount\n1\t2\t5\n2\t3\t7\n"


def test_bins_of_lying_bars_stand_along_the_y_axis_and_rise() -> None:
    marks = tuple(Mark("bar", end, y + 5, Box(0, y, end, y + 10)) for y, end in ((10, 50), (20, 30)))
    table = read(PANEL, Series("", (0, 0, 0), "histogram", marks, orientation="horizontal"))
    assert table.to_tsv() == "bin low\tbin high\tTime\n7\t8\t3\n8\t9\t5\n"


@pytest.mark.parametrize("horizontal", [False, True])
def test_boxes_have_their_five_numbers_and_outliers(horizontal: bool) -> None:
    parts = ("whisker_low", "q1", "median", "q3", "whisker_high", "outlier")
    ends = (90.0, 70.0, 60.0, 50.0, 30.0, 10.0)
    if horizontal:
        panel = replace(PANEL, axes=(replace(SLOTS, side="left"), replace(BOTTOM, slope=-0.1, intercept=10.0)))
        marks = tuple(Mark(part, along, 25) for part, along in zip(parts, ends, strict=True))
    else:
        panel = replace(PANEL, axes=(LEFT, SLOTS))
        marks = tuple(Mark(part, 25, along) for part, along in zip(parts, ends, strict=True))
    table = read(panel, Series("", (0, 0, 0), "box", marks, orientation="horizontal" if horizontal else "vertical"))
    assert [cell.text for cell in table.rows[0]] == ["a", "1", "3", "4", "5", "7", "9"]


def test_bars_side_by_side_belong_to_the_numbered_tick_in_their_middle() -> None:
    ticks = tuple(Anchor(p, v, f"{v:g}") for p, v in ((20.0, 2018.0), (50.0, 2019.0), (80.0, 2020.0)))
    years = Axis("bottom", "linear", 1 / 30, 2018 - 20 / 30, ticks, label="Year")
    panel = replace(PANEL, axes=(LEFT, years))
    sides = [Series(n, (0, 0, 0), "bar", tuple(bar(x + off, y) for x, y in zip((20, 50, 80), ys, strict=True)))
             for n, off, ys in (("A", -6, (50, 40, 30)), ("B", 6, (90, 80, 70)))]  # fmt: skip
    assert read(panel, *sides).to_tsv() == "Year\tA\tB\n2018\t5\t1\n2019\t6\t2\n2020\t7\t3\n"
    beside = replace(sides[1], marks=tuple(bar(m.x + 14, m.y) for m in sides[1].marks))
    assert read(panel, sides[0], beside).to_tsv().splitlines()[1].split("\t")[0] != "2018"


def test_an_interval_is_no_wider_than_twice_the_axis() -> None:
    ticks = tuple(Anchor(100.0 - 40 * k, 10.0**k, str(10**k)) for k in range(3))
    axis = Axis("left", "log", -1 / 40, 2.5, anchors=ticks)  # y pixel 100 is 1, pixel 20 is 100
    steep = Series("", (0, 0, 0), "line", (Mark("vertex", 10, 60, sigma=9e5), Mark("vertex", 20, 20, sigma=0.1)))
    cell = read(replace(PANEL, axes=(axis, BOTTOM)), steep).rows[0][1]
    assert cell.value == pytest.approx(10)
    assert (cell.low, cell.high) == (pytest.approx(0.1), pytest.approx(1000))  # not 0 and infinity
