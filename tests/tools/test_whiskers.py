"""Error bars and box plots, upright and lying."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.tools.shapes import Plane, ink_of, panel_of
from tools.boxes import looks_like_boxes, read_boxes
from tools.ink import PlotInk
from tools.types import Axis, Box, Mark, Rgb, Series
from tools.whiskers import read_error_bars

BLACK: Rgb = (0, 0, 0)
GREEN: Rgb = (85, 168, 104)
DOWN = Axis("left", "linear", -1.0, 200.0)
ACROSS = Axis("bottom", "linear", 1.0, 0.0)
CENTRES = (30, 80, 130)
TOPS = (60, 40, 80)


def turned(ink: PlotInk) -> PlotInk:
    """The same drawing with x and y exchanged."""
    planes = [(np.ascontiguousarray(layer.coverage.T), layer.colour, layer.name) for layer in ink.layers]
    return ink_of(planes, np.ascontiguousarray(ink.pixels.transpose(1, 0, 2)))


def whiskers(reach: dict[int, tuple[int, int]], cap: int) -> Plane:
    """One-pixel strokes at the centres, `up` rows above the top to `down` below it, caps `cap` px to each side."""
    plane = np.zeros((150, 170), dtype=np.float32)
    for centre, top in zip(CENTRES, TOPS, strict=True):
        up, down = reach.get(centre, (0, 0))
        if up or down:
            plane[top - up : top + down + 1, centre] = 1.0
            for end in {top - up, top + down} - {top}:
                plane[end, centre - cap : centre + cap + 1] = 1.0
    return plane


def bars() -> Plane:
    plane = np.zeros((150, 170), dtype=np.float32)
    for centre, top in zip(CENTRES, TOPS, strict=True):
        plane[top:140, centre - 15 : centre + 16] = 1.0
    return plane


def bar_series(horizontal: bool) -> Series:
    marks = []
    for centre, top in zip(CENTRES, TOPS, strict=True):
        x, y = (top - 0.5, centre) if horizontal else (centre, top - 0.5)
        marks.append(Mark("bar", 20.0 + x, 10.0 + y))
    way, side = ("horizontal", "bottom") if horizontal else ("vertical", "left")
    return Series("a", GREEN, "bar", tuple(marks), side, way)  # type: ignore[arg-type]


def ends(series: Series, horizontal: bool) -> list[tuple[int, str, float]]:
    """(number of the value mark, part, its row in the upright drawing)."""
    found, number = [], -1
    for mark in series.marks:
        if mark.part in ("low", "high"):
            found.append((number, mark.part, mark.x - 20 if horizontal else mark.y - 10))
        else:
            number += 1
    return found


@pytest.mark.parametrize("horizontal", [False, True])
def test_capped_error_bars_on_bars(horizontal: bool) -> None:
    lines = whiskers({30: (12, 12), 80: (9, 20), 130: (25, 25)}, 4)
    ink = ink_of([(bars(), GREEN, "a"), (lines, BLACK, "")])
    ink = turned(ink) if horizontal else ink
    read = read_error_bars(panel_of(150, 170, DOWN, ACROSS), ink, bar_series(horizontal))
    high, low = ("low", "high") if horizontal else ("high", "low")  # rows that grow are values that grow when turned
    expected = [(0, low, 72), (0, high, 48), (1, low, 60), (1, high, 31), (2, low, 105), (2, high, 55)]
    assert sorted(ends(read, horizontal)) == sorted((k, part, pytest.approx(row, abs=0.2)) for k, part, row in expected)
    assert [mark.part for mark in read.marks][:3] == ["bar", "low", "high"]


def test_whiskers_without_caps_end_where_they_stop() -> None:
    ink = ink_of([(bars(), GREEN, "a"), (whiskers({30: (12, 0), 80: (9, 0), 130: (25, 0)}, 0), BLACK, "")])
    read = read_error_bars(panel_of(150, 170, DOWN), ink, bar_series(False))
    assert [(k, part) for k, part, _ in ends(read, False)] == [(0, "high"), (1, "high"), (2, "high")]
    np.testing.assert_allclose([row for _, _, row in ends(read, False)], [47.5, 30.5, 54.5], atol=0.3)


def test_bars_without_whiskers_stay_as_they_are() -> None:
    ink = ink_of([(bars(), GREEN, "a")])
    series = bar_series(False)
    assert read_error_bars(panel_of(150, 170, DOWN), ink, series) is series


@pytest.mark.parametrize("horizontal", [False, True])
def test_lines_of_hatches_from_the_end_of_a_bar_inwards_are_no_whiskers(horizontal: bool) -> None:
    boxes = [Box(20.0 + c - 15, 10.0 + t, 20.0 + c + 15, 149.0) for c, t in zip(CENTRES, TOPS, strict=True)]
    if horizontal:
        boxes = [Box(10.0 + t, 20.0 + c - 15, 159.0, 20.0 + c + 15) for c, t in zip(CENTRES, TOPS, strict=True)]
    plain = bar_series(horizontal)
    series = replace(plain, marks=tuple(replace(m, box=b) for m, b in zip(plain.marks, boxes, strict=True)))
    for up, count in ((0, 0), (12, 6)):  # with strokes beyond the end these are error bars
        lines = whiskers({centre: (up, 20) for centre in CENTRES}, 0)
        ink = ink_of([(bars(), GREEN, "a"), (lines, BLACK, "")])
        read = read_error_bars(panel_of(150, 170, DOWN, ACROSS), turned(ink) if horizontal else ink, series)
        assert len(ends(read, horizontal)) == count


def test_stems_of_points_to_one_base_are_no_whiskers() -> None:
    for feet, count in (((140, 140, 140), 0), ((120, 140, 128), 3)):
        plane = np.zeros((150, 170), dtype=np.float32)
        rows, columns = np.mgrid[:150, :170]
        for centre, top, foot in zip(CENTRES, TOPS, feet, strict=True):
            plane[(rows - top) ** 2 + (columns - centre) ** 2 <= 30] = 1.0
            plane[top : foot + 1, centre - 1 : centre + 2] = 1.0
        ink = ink_of([(plane, GREEN, "a")])
        marks = tuple(Mark("marker", 20.0 + c, 10.0 + t) for c, t in zip(CENTRES, TOPS, strict=True))
        read = read_error_bars(panel_of(150, 170, DOWN, ACROSS), ink, Series("a", GREEN, "points", marks, "left"))
        assert len(ends(read, horizontal=False)) == count


def test_arms_of_markers_are_no_whiskers() -> None:
    plane = np.zeros((150, 170), dtype=np.float32)
    marks = []
    for x, y in ((30, 40), (60, 80), (90, 60), (120, 100), (150, 30)):
        plane[y - 6 : y + 7, x] = plane[y, x - 6 : x + 7] = 1.0
        marks.append(Mark("marker", 20.0 + x, 10.0 + y))
    ink = ink_of([(plane, GREEN, "a")])
    series = Series("a", GREEN, "points", tuple(marks))
    assert read_error_bars(panel_of(150, 170, DOWN), ink, series) is series


BOXES = ((40, (20, 40, 55, 70, 110)), (90, (35, 60, 66, 90, 130)), (140, (15, 30, 42, 60, 75)))  # rows, from the top


def box_plot(dashed: bool = False) -> Plane:
    """Outlined boxes 31 px wide with medians, whiskers with caps, and an outlier above the first one."""
    plane = np.zeros((150, 180), dtype=np.float32)
    for x, (high, upper, median, lower, low) in BOXES:
        for row in (upper, median, lower):
            plane[row, x - 15 : x + 16] = 1.0
        plane[upper : lower + 1, [x - 15, x + 15]] = 1.0
        rows = [*range(high, upper), *range(lower, low + 1)]
        plane[[row for row in rows if not dashed or row % 8 < 5], x] = 1.0
        plane[[high, low], x - 6 : x + 7] = 1.0
    plane[5:10, 38:43] = 1.0
    return plane


@pytest.mark.parametrize("dashed", [False, True])
@pytest.mark.parametrize("horizontal", [False, True])
def test_boxes(horizontal: bool, dashed: bool) -> None:
    ink = ink_of([(box_plot(dashed), BLACK, "a")])
    ink = turned(ink) if horizontal else ink
    panel = panel_of(150, 180, DOWN, ACROSS)
    assert looks_like_boxes(panel, ink, ink.layers) > 0.9
    (series,) = read_boxes(panel, ink, ink.layers)
    assert series.orientation == ("horizontal" if horizontal else "vertical")
    names = ["whisker_low", "q1", "median", "q3", "whisker_high"]
    found = [(m.part, m.x - 20, m.y - 10) if horizontal else (m.part, m.y - 10, m.x - 20) for m in series.marks]
    expected = []
    for x, rows in BOXES:
        order = rows if horizontal else rows[::-1]  # low values first
        expected += [(name, pytest.approx(row, abs=0.3), pytest.approx(x, abs=0.3)) for name, row in zip(
            names, order, strict=True)]  # fmt: skip
        expected += [("outlier", pytest.approx(7.0, abs=0.3), pytest.approx(x, abs=0.3))] if x == 40 else []
    assert found == expected


def test_bars_and_nothing_are_no_boxes() -> None:
    panel = panel_of(150, 170, DOWN)
    ink = ink_of([(bars(), GREEN, "a"), (np.zeros((150, 170), dtype=np.float32), BLACK, "")])
    assert looks_like_boxes(panel, ink, ink.layers) == 0.0
    assert read_boxes(panel, ink, ink.layers) == ()


def filled_boxes(fill: Rgb, line: Rgb, paper: Rgb) -> PlotInk:
    """Filled boxes whose outlines the ink step has set aside: only the fill is a layer."""
    lines = box_plot() > 0
    fills = np.zeros(lines.shape, dtype=np.float32)
    pixels = np.full((*lines.shape, 3), paper, dtype=np.uint8)
    for x, (_, upper, _, lower, _) in BOXES:
        fills[upper : lower + 1, x - 15 : x + 16] = 1.0
    fills[lines] = 0.0
    pixels[fills > 0] = fill
    pixels[lines] = line
    ink = ink_of([(fills, fill, "a")], pixels)
    return PlotInk(ink.origin, pixels, paper, lines, ink.layers)


@pytest.mark.parametrize(
    ("fill", "line", "paper"),
    [((31, 119, 180), (0, 0, 0), (255, 255, 255)), ((102, 102, 102), (0, 0, 0), (255, 255, 255)),
     ((64, 182, 150), (230, 230, 230), (30, 30, 34))],
)  # fmt: skip
def test_filled_boxes_are_read_from_their_outlines(fill: Rgb, line: Rgb, paper: Rgb) -> None:
    ink = filled_boxes(fill, line, paper)
    panel = panel_of(150, 180, DOWN, ACROSS)
    assert looks_like_boxes(panel, ink, ink.layers) > 0.9
    (series,) = read_boxes(panel, ink, ink.layers)
    assert series.name == "a"
    rows = [mark.y - 10 for mark in series.marks if mark.part != "outlier"]
    np.testing.assert_allclose(rows, [row for _, five in BOXES for row in five[::-1]], atol=0.3)


def test_points_over_boxes_do_not_break_them() -> None:
    rng = np.random.default_rng(3)
    points = np.zeros((150, 180), dtype=np.float32)
    for x, (high, _, _, _, low) in BOXES:
        for y in rng.uniform(high + 3, low - 3, 14):
            column, row = int(x + rng.uniform(-8, 8)), int(y)
            points[row - 1 : row + 2, column - 1 : column + 2] = 1.0
    lines = np.where(points > 0, 0, box_plot()).astype(np.float32)
    ink = ink_of([(lines, BLACK, ""), (points, GREEN, "")])
    (series,) = read_boxes(panel_of(150, 180, DOWN, ACROSS), ink, ink.layers)
    rows = [mark.y - 10 for mark in series.marks if mark.part != "outlier"]
    np.testing.assert_allclose(rows, [row for _, five in BOXES for row in five[::-1]], atol=1.0)


def test_square_markers_are_no_boxes() -> None:
    rng = np.random.default_rng(5)
    plane = np.zeros((150, 180), dtype=np.float32)
    for x, y in rng.integers(12, 138, (70, 2)):
        plane[y - 6 : y + 7, [x - 6, x + 6]] = 1.0
        plane[[y - 6, y + 6], x - 6 : x + 7] = 1.0
    ink = ink_of([(plane, BLACK, "")])
    assert looks_like_boxes(panel_of(150, 180, DOWN, ACROSS), ink, ink.layers) < 0.5
