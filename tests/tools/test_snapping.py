"""Drafts put onto the ink: small plots drawn with known values, no text to recognise."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tools.drafts import Draft, parse_draft, series_of
from tools.snap_keys import place_keys
from tools.snapping import Snapped
from tools.table import Cell
from tools.types import Axis, Box, Figure, Legend, LegendEntry, Mark, Panel, Rgb, Series, Unreadable, days, moment
from tools.workbench import ToolError, Workbench

PLOT = Box(60, 20, 560, 320)
X = Axis("bottom", "linear", 0.02, -1.2)  # 0 at pixel 60, 10 at 560
Y = Axis("left", "linear", -1 / 3, 320 / 3)  # 0 at pixel 320, 100 at 20
RED: Rgb = (200, 30, 30)
BLUE: Rgb = (30, 60, 200)


def bench_of(pixels: np.ndarray, *series: Series, axes: tuple[Axis, ...] = (X, Y)) -> Workbench:
    """A session whose panel, axes and series are given: nothing is searched for."""
    pixels[20:321, 60] = pixels[320, 60:561] = 0
    bench = Workbench(Figure(pixels))
    entries = tuple(LegendEntry(one.name, one.colour, "line") for one in series if one.name)
    bench.panels = (Panel(Box(0, 0, 599, 359), PLOT, axes=axes, legend=Legend(entries)),)
    bench.series[1] = list(series)
    return bench


def paper() -> np.ndarray:
    return np.full((360, 600, 3), 255, dtype=np.uint8)


def polyline(pixels: np.ndarray, xs: np.ndarray, ys: np.ndarray, colour: Rgb, name: str = "") -> Series:
    """Draw values and give the series that a reader would have measured, with vertices of its own choice."""
    at = np.column_stack([X.to_pixel(xs), Y.to_pixel(ys)])
    cv2.polylines(pixels, [np.round(at * 16).astype(np.int32)], False, colour, 2, cv2.LINE_AA, 4)
    marks = tuple(Mark("vertex", float(x), float(y)) for x, y in at)
    return Series(name, colour, "line", marks)


def values(bench: Workbench, tsv: str) -> list[list[Cell]]:
    bench.propose_table(1, tsv)
    table = bench.tables[1]
    assert not isinstance(table, Unreadable)
    return [list(row) for row in table.rows]


XS = np.arange(1, 10, dtype=float)
RISE = np.array([10, 22, 31, 45, 38, 60, 71, 66, 88.0])
FALL = 95 - RISE


def wrong(true: np.ndarray, seed: int) -> np.ndarray:
    return true + np.random.default_rng(seed).uniform(-8, 8, len(true))


def tsv_of(header: str, *columns: np.ndarray) -> str:
    rows = ["\t".join(f"{v:.4g}" for v in row) for row in zip(*columns, strict=True)]
    return header + "\n" + "\n".join(rows)


def two_lines() -> Workbench:
    pixels = paper()
    return bench_of(pixels, polyline(pixels, XS, RISE, RED, "up"), polyline(pixels, XS, FALL, BLUE, "down"))


def test_crossing_lines_move_onto_their_ink() -> None:
    rows = values(two_lines(), tsv_of("x\tup\tdown", XS, wrong(RISE, 1), wrong(FALL, 2)))
    assert [row[1].value for row in rows] == pytest.approx(list(RISE), abs=0.5)
    assert [row[2].value for row in rows] == pytest.approx(list(FALL), abs=0.5)
    assert all(cell.source == "pixel" and cell.pixel for row in rows for cell in row[1:])
    assert all(row[0].source == "model" for row in rows)


def test_series_are_paired_by_closeness_where_names_say_nothing() -> None:
    rows = values(two_lines(), tsv_of("x\tfirst\tsecond", XS, wrong(FALL, 3), wrong(RISE, 4)))
    assert [row[1].value for row in rows] == pytest.approx(list(FALL), abs=0.5)


def test_a_lie_stays_as_it_was_said_and_is_seen() -> None:
    lie = RISE.copy()
    lie[4] = 90.0
    bench = two_lines()
    rows = values(bench, tsv_of("x\tup", XS, lie))
    cell = rows[4][1]
    assert (cell.value, cell.status, cell.source) == (90.0, "said", "model")
    assert "the ink at this place shows 38" in cell.reason
    assert sum(row[1].source == "model" for row in rows) == 1
    assert "no ink stands there" in bench.redraw(1).text
    assert "up at 5 = 90" in bench.redraw(1).text
    assert bench.snapped[1].said == 1


def test_a_series_that_is_not_there_stays_as_it_was_said() -> None:
    rows = values(two_lines(), tsv_of("x\tup\tghost", XS, RISE, np.full(9, 3.0)))
    assert all(row[2].source == "model" and row[2].value == 3.0 for row in rows)


def test_ink_that_no_reader_measured_is_followed_along_the_draft() -> None:
    pixels = paper()
    drawn = polyline(pixels, XS, RISE, RED)
    bench = bench_of(pixels, axes=(X, Y))
    assert drawn.marks
    rows = values(bench, tsv_of("x\tup", XS, wrong(RISE, 5)))
    assert [row[1].value for row in rows] == pytest.approx(list(RISE), abs=0.6)
    assert bench.series_of(1)[0].name == "up"


def test_every_other_row_is_enough() -> None:
    rows = values(two_lines(), tsv_of("x\tup", XS[::2], wrong(RISE, 6)[::2]))
    assert [row[1].value for row in rows] == pytest.approx(list(RISE[::2]), abs=0.5)


def test_rows_that_have_no_place_stay() -> None:
    rows = values(two_lines(), "x\tup\n1\t12\n2\t24\nlater\t50\n40\t60\n5\t\n")
    assert [row[1].source for row in rows[:4]] == ["pixel", "pixel", "model", "model"]
    assert "no place on the axis" in rows[2][1].reason
    assert rows[4][1].status == "missing"


SLOTS = Axis("bottom", "category", 0.01, -1.0, categories=("Oslo", "Rome", "Lima", "Bonn"))
HEIGHTS = {"Oslo": 80.0, "Rome": 35.0, "Lima": 60.0}


def bars(horizontal: bool = False) -> Workbench:
    """Three bars and a slot without one; lying bars are measured along an axis at the bottom."""
    pixels = paper()
    up = replace(X, slope=0.2, intercept=-12.0)
    slots = replace(SLOTS, side="left", slope=0.01, intercept=-0.7)
    marks = []
    for slot, height in enumerate(HEIGHTS.values()):
        along = 100 + 100 * slot if not horizontal else 70 + 100 * slot
        end = 320 - 3 * height if not horizontal else 60 + 5 * height
        box = Box(60, along - 20, end, along + 20) if horizontal else Box(along - 20, end, along + 20, 320)
        rows, columns = box.slices(360, 600)
        pixels[rows, columns] = RED
        marks.append(Mark("bar", end, along, box) if horizontal else Mark("bar", along, end, box))
    one = Series("n", RED, "bar", tuple(marks), "bottom" if horizontal else "left",
                 "horizontal" if horizontal else "vertical")  # fmt: skip
    return bench_of(pixels, one, axes=(up, slots) if horizontal else (SLOTS, Y))


@pytest.mark.parametrize("horizontal", [False, True])
def test_bars_by_name_in_any_order(horizontal: bool) -> None:
    rows = values(bars(horizontal), "city\tn\nLima\t53\nOslo\t86\nRome\t30\nBonn\t2\n")
    assert [row[1].value for row in rows] == pytest.approx([60, 80, 35, 0], abs=0.5)
    assert rows[3][1].reason == "no bar is drawn here"


def test_percent_axes_take_shares() -> None:
    bench = two_lines()
    bench.panels = (replace(bench.panels[0], axes=(X, replace(Y, unit="%"))),)
    rows = values(bench, tsv_of("x\tup", XS, wrong(RISE, 7) / 100))
    assert [row[1].value for row in rows] == pytest.approx(list(RISE / 100), abs=0.005)
    assert rows[0][1].text.startswith("0.1")


def test_points_at_one_x_are_told_apart_by_their_order() -> None:
    true = [(2.0, 20.0), (2.0, 30.0), (5.0, 50.0), (7.0, 81.0)]
    marks = tuple(Mark("marker", float(X.to_pixel(x)), float(Y.to_pixel(y))) for x, y in true)
    pixels = paper()
    for mark in marks:
        cv2.circle(pixels, (round(mark.x), round(mark.y)), 4, RED, -1)
    bench = bench_of(pixels, Series("a", RED, "points", marks))
    rows = values(bench, "x\ty\tseries\n2\t33\ta\n2\t25\ta\n5\t44\ta\n7\t86\ta\n")
    assert [row[1].value for row in rows] == pytest.approx([30, 20, 50, 81], abs=0.5)
    assert rows[2][0].value == pytest.approx(5.0, abs=0.05)  # the x of a point is measured too
    assert rows[0][2].text == "a"


def test_a_placeholder_year_is_put_right_by_the_rows() -> None:
    start = days(moment(0).replace(year=2001, month=1, day=1))
    axis = Axis("bottom", "date", 0.5, start - 30, warnings=("no year is printed; a placeholder stands in",))
    texts = [f"2019-{month:02d}-01" for month in range(1, 8)]
    keys = place_keys(axis, texts, PLOT)
    assert keys.axis is not None
    assert moment(float(keys.axis.to_value(60.0))).year == 2019
    assert np.isfinite(keys.pixels).all()


def test_repeated_tables_start_from_what_was_measured() -> None:
    bench = two_lines()
    values(bench, tsv_of("x\tup", XS[:2], RISE[:2]))
    rows = values(bench, tsv_of("x\tup", XS, wrong(RISE, 8)))
    assert [row[1].value for row in rows] == pytest.approx(list(RISE), abs=0.5)
    bench.propose_table(1)
    assert 1 not in bench.snapped


@pytest.mark.parametrize("text", ["", "nothing here", "x\ty\n"])
def test_a_table_that_is_none_is_refused(text: str) -> None:
    assert isinstance(parse_draft(text), Unreadable)
    if text.strip():
        with pytest.raises(ToolError):
            two_lines().propose_table(1, text)


DRAFTS = {
    "tabs": "x\ta\tb\n1\t2\t3\n4\t5\t6\n",
    "commas": "x,a,b\n1,2,3\n4,5,6\n",
    "semicolons and decimal commas": "x;a;b\n1;2,0;3,0\n4;5,0;6,0\n",
    "markdown": "| x | a | b |\n|---|:-:|---|\n| 1 | 2 | 3 |\n| 4 | 5 | **6** |\n",
    "short header": "a\tb\n1\t2\t3\n4\t5\t6\n",
    "ragged": "x\ta\tb\n1\t2\t3\textra\n4\t5\t6\n",
}


@pytest.mark.parametrize("name", DRAFTS)
def test_tables_from_anywhere(name: str) -> None:
    draft = parse_draft(DRAFTS[name])
    assert isinstance(draft, Draft)
    assert draft.header == ("x", "a", "b")
    assert [list(one.values) for one in series_of(draft)] == [[2, 5], [3, 6]]
    assert bool(draft.warnings) == (name in ("short header", "ragged"))


def test_error_ends_and_bins_are_no_series() -> None:
    draft = parse_draft("x\ta\ta low\ta high\n1\t2\t1\t3\n")
    assert isinstance(draft, Draft)
    (one,) = series_of(draft)
    assert (one.low, one.high) == (2, 3)
    bins = parse_draft("bin low\tbin high\tcount\n0\t1\t5\n")
    assert isinstance(bins, Draft)
    assert [one.name for one in series_of(bins)] == ["count"]


def test_snapped_knows_its_claims() -> None:
    bench = two_lines()
    bench.propose_table(1, tsv_of("x\tup", XS, RISE + 30))
    found = bench.snapped[1]
    assert isinstance(found, Snapped)
    assert len(found.claims) == found.said == 9
    assert found.claims[0].x == pytest.approx(float(X.to_pixel(1.0)))
    assert found.claims[0].y == pytest.approx(float(Y.to_pixel(40.0)))


def test_series_that_the_table_leaves_out_are_named() -> None:
    bench = two_lines()
    bench.propose_table(1, tsv_of("x\tup", XS, RISE))
    assert bench.snapped[1].warnings == ("measured in the figure, but not in the table: down",)


def test_levels_of_steps_are_read_between_the_rows() -> None:
    """A reader that was a pixel off in its corners; the stroke itself shows the levels."""
    pixels = paper()
    xs, levels = np.arange(0.0, 9.0), np.array([100, 92, 85, 70, 66, 50, 41, 30, 22.0])
    across, up = X.to_pixel(xs), Y.to_pixel(levels)
    for k in range(8):
        cv2.line(pixels, (round(across[k]), round(up[k])), (round(across[k + 1]), round(up[k])), RED, 2)
        cv2.line(pixels, (round(across[k + 1]), round(up[k])), (round(across[k + 1]), round(up[k + 1])), RED, 2)
    marks = tuple(Mark("corner", float(x) + 1, float(y) + 3) for x, y in zip(across, up, strict=True))
    rows = values(bench_of(pixels, Series("s", RED, "step", marks)), tsv_of("x\ts", xs[:8], wrong(levels[:8], 9)))
    assert [row[1].value for row in rows] == pytest.approx(list(levels[:8]), abs=0.5)


def test_error_bars_are_measured_where_the_table_has_columns_for_them() -> None:
    marks: list[Mark] = []
    for value in (20.0, 50.0, 80.0):
        x, y = float(X.to_pixel(value / 10)), float(Y.to_pixel(value))
        marks += [Mark("marker", x, y), Mark("low", x, y + 15), Mark("high", x, y - 9)]
    pixels = paper()
    rows = values(
        bench_of(pixels, Series("a", RED, "line", tuple(marks))), "x\ta\ta low\ta high\n2\t24\t9\t9\n5\t46\t\t\n"
    )
    assert [cell.value for cell in rows[0][1:]] == pytest.approx([20, 15, 23], abs=0.1)
    assert [cell.value for cell in rows[1][1:]] == pytest.approx([50, 45, 53], abs=0.1)
