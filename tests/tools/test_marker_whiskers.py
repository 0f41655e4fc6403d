"""Error bars in the colour of their markers, drawn pixel by pixel."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from evaluation.tables import read_sheet
from tests.tools.measure_ends import judge_ends, spreads
from tests.tools.shapes import Plane, cover, disc, ink_of, panel_of, polygon, stroke
from tools.marker_whiskers import whiskers_of_markers
from tools.points import read_points
from tools.types import Axis, Mark, Series
from tools.whiskered import without_whiskers
from tools.whiskers import read_error_bars

PLACES = [(20.0, 80.0), (60.0, 60.0), (100.0, 95.0), (140.0, 70.0), (180.0, 85.0)]
REACH = [(14, 11), (9, 18), (22, 12), (7, 7), (0, 0)]  # rows above and below: the last one has none that shows


def drawn(cap: int = 0, hollow: bool = False, radius: int = 5) -> Plane:
    plane = np.zeros((150, 200), dtype=np.uint8)
    for (x, y), (up, down) in zip(PLACES, REACH, strict=True):
        at = (int(x), int(y))
        if up:
            plane[at[1] - up : at[1] + down + 1, at[0]] = 1
        for end in (at[1] - up, at[1] + down) if up and cap else ():
            plane[end, at[0] - cap : at[0] + cap + 1] = 1
        cv2.circle(plane, at, radius, 1, 1 if hollow else -1)
    return plane.astype(np.float32)


@pytest.mark.parametrize("cap", [0, 4])
def test_ends_above_and_below_discs(cap: int) -> None:
    found = whiskers_of_markers(drawn(cap), PLACES)
    assert sorted(k for k, own in found.items() if own[-1].seen) == [0, 1, 2, 3]
    for k in range(4):
        ends, (up, down) = {way: end.row for way, end in found[k].items()}, REACH[k]
        assert ends[-1] == pytest.approx(PLACES[k][1] - up, abs=0.6)
        assert ends[1] == pytest.approx(PLACES[k][1] + down, abs=0.6)


def test_caps_that_touch_their_marker() -> None:
    plane = drawn()
    plane[60 - 7, 60 - 5 : 60 + 6] = 1.0
    plane[60 - 9 : 60 - 7, 60] = 0.0
    for x, y in (PLACES[0], PLACES[2]):
        top = int(y) - (14 if x == 20 else 22)
        plane[top, int(x) - 5 : int(x) + 6] = 1.0
    found = whiskers_of_markers(plane, PLACES)
    assert found[1][-1].row == pytest.approx(53.0, abs=0.6)
    assert 1 not in found[1]  # capped and bare ones do not mix


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("down", [False, True])
def test_triangles_have_no_error_bars(down: bool, size: int) -> None:
    plane = np.zeros((150, 200), dtype=np.uint8)
    for x, y in PLACES:
        corners = np.array([[x - 6 * size, y + 4 * size], [x + 6 * size, y + 4 * size], [x, y - 7 * size]], np.int32)
        cv2.fillPoly(plane, [corners], 1)
    places = [(x, 149 - y) for x, y in PLACES] if down else PLACES
    assert whiskers_of_markers((plane[::-1] if down else plane).astype(np.float32), places) == {}


def test_a_steep_line_is_no_error_bar() -> None:
    plane = np.zeros((150, 200), dtype=np.uint8)
    places = [(20.0, 20.0), (40.0, 130.0), (60.0, 20.0), (80.0, 130.0), (100.0, 20.0)]
    path = np.array(places, dtype=np.int32)
    cv2.polylines(plane, [path], False, 1, 2)
    for x, y in places:
        cv2.circle(plane, (int(x), int(y)), 4, 1, -1)
    assert whiskers_of_markers(plane.astype(np.float32), places, joined=True) == {}


ZIGZAG = (30, 105, 55, 120, 40, 75, 20, 130, 60, 100, 35, 115)  # rows of markers 18 px apart


@pytest.mark.parametrize("way", [-1, 1])
@pytest.mark.parametrize("triangles", [False, True])
def test_steep_lines_that_leave_markers_are_no_error_bars(triangles: bool, way: int) -> None:
    """Legs of a zigzag stand beside the middle of their marker; what sticks out of a triangle in a V is no cap."""
    places = [(25.0 + 18 * k, 75.0 + way * (row - 75.0)) for k, row in enumerate(ZIGZAG)]

    def draw(canvas: NDArray[np.uint8]) -> None:
        stroke(canvas, places, 2.2)
        for x, y in places:
            if triangles:
                polygon(canvas, [(x - 4.5, y + 4.5), (x + 4.5, y + 4.5), (x, y - 4.5)])
            else:
                disc(canvas, x, y, 4.2)

    ink = ink_of([(cover(150, 250, draw), (31, 119, 180), "a")])
    marks = tuple(Mark("vertex", 20.0 + x, 10.0 + y) for x, y in places)
    series = Series("a", (31, 119, 180), "line", marks)
    assert read_error_bars(panel_of(150, 250, Axis("left", "linear", -1.0, 200.0)), ink, series) is series


def test_edges_of_markers_between_steep_lines_are_no_caps() -> None:
    """A cap that no bare stroke leads to counts where the other end is as far off, not on one side alone."""
    plane = np.zeros((150, 200), dtype=np.uint8)
    for k, (x, y) in enumerate(PLACES):
        at = (int(x), int(y))
        cv2.circle(plane, at, 3, 1, -1)
        for way in (-1, 1) if k in (0, 2) else ():
            plane[at[1] + way * 4 : at[1] + way * 4 + 1, at[0] - 5 : at[0] + 6] = 1
    assert {0, 2} <= set(whiskers_of_markers(plane.astype(np.float32), PLACES))
    for k in (0, 2):
        plane[int(PLACES[k][1]) + 4, int(PLACES[k][0]) - 5 : int(PLACES[k][0]) + 6] = 0
    assert whiskers_of_markers(plane.astype(np.float32), PLACES) == {}


@pytest.mark.parametrize("hollow", [False, True])
def test_markers_without_a_line_are_told_from_their_error_bars(hollow: bool) -> None:
    bare = without_whiskers(drawn(hollow=hollow))
    assert bare is not None
    assert bare[80 - 12, 20] == 0.0
    assert bare[80 + 5, 20] == 1.0


def test_points_with_error_bars_in_two_directions() -> None:
    ink = ink_of([(drawn(cap=4, hollow=True), (255, 127, 0), "")])
    axes = (Axis("bottom", "linear", 1.0, 0.0), Axis("left", "linear", -1.0, 200.0))
    (series,) = read_points(panel_of(150, 200, *axes), ink, ink.layers)
    read = read_error_bars(panel_of(150, 200, *axes), ink, series)
    parts = [mark.part for mark in read.marks]
    assert parts == ["marker", "low", "high"] * 4 + ["marker"]
    assert read.marks[2].y - read.marks[0].y == pytest.approx(-14, abs=0.7)
    assert read.marks[1].y - read.marks[0].y == pytest.approx(11, abs=0.7)


def test_the_measure_counts_ends_row_by_row() -> None:
    true = spreads(read_sheet("x\ta\ta low\ta high\n1\t10\t8\t12\n2\t20\t\t24\n"))
    said = spreads(read_sheet("x\tb\tb low\tb high\n1\t10\t8.1\t13\n2\t20\t19\t24\n"))
    ends = judge_ends(true, said)
    assert (ends.true, ends.said) == (3, 4)
    assert ends.within(0.02) == 2  # 8.1 and 24 of a range of 16; 13 is 6 % away, 19 belongs to no end
    assert ends.within(0.05) == 2


def test_caps_beside_their_marker_and_ends_under_it() -> None:
    plane = drawn(cap=8)
    plane[85 - 3, 180 - 8 : 180 + 9] = plane[85 + 2, 180 - 8 : 180 + 9] = 1.0
    ends = whiskers_of_markers(plane, PLACES)[4]
    assert (ends[-1].row, ends[1].row) == (82.0, 87.0)
    assert ends[-1].seen
    bare = whiskers_of_markers(drawn(), PLACES)[4]
    assert not bare[-1].seen
    assert 80.0 < bare[-1].row < 85.0 < bare[1].row < 90.0


def test_caps_on_a_few_markers_as_short_as_arms_are_error_bars() -> None:
    """Of nine discs two have capped bars one row longer than the discs: no arms of a plus, which all would have."""
    plane = np.zeros((120, 240), dtype=np.uint8)
    places = [(20.0 + 25 * k, 60.0 + 20.0 * ((k * 2) % 3)) for k in range(9)]
    for k, (x, y) in enumerate(places):
        at = (int(x), int(y))
        cv2.circle(plane, at, 3, 1, -1)
        for way in (-1, 1) if k in (2, 6) else ():
            plane[min(at[1], at[1] + way * 5) : max(at[1], at[1] + way * 5) + 1, at[0]] = 1
            plane[at[1] + way * 5, at[0] - 3 : at[0] + 4] = 1
    found = whiskers_of_markers(plane.astype(np.float32), places)
    assert {k for k, own in found.items() if all(end.seen for end in own.values())} == {2, 6}
    assert found[2][-1].row == pytest.approx(places[2][1] - 5, abs=0.5)


def test_the_tips_of_a_part_of_the_triangles_are_no_error_bars() -> None:
    """Overlaps hide what all triangles share, so that the tips of some look like bare strokes of one length."""
    plane = np.zeros((150, 240), dtype=np.uint8)
    places = [(20.0 + 25 * k, 60.0 + 20.0 * ((k * 2) % 3)) for k in range(9)]
    for k, (x, y) in enumerate(places):
        at = (int(x), int(y))
        cv2.circle(plane, at, 3, 1, -1)
        if k % 2 == 0:
            plane[at[1] - 7 : at[1], at[0]] = 1
    assert whiskers_of_markers(plane.astype(np.float32), places) == {}
    for k in (0, 4, 8):
        x, y = (int(v) for v in places[k])
        plane[y - 20 : y, x] = 1  # error bars differ in length
    assert len(whiskers_of_markers(plane.astype(np.float32), places)) >= 3
