"""Boxes that touch, and boxes at dates."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.tools.shapes import Plane, ink_of, panel_of
from tools.boxes import looks_like_boxes, read_boxes
from tools.table import Table
from tools.tabulate_bins import box_table
from tools.types import Anchor, Axis, Rgb

BLACK: Rgb = (0, 0, 0)
DOWN = Axis("left", "linear", -1.0, 200.0)
ACROSS = Axis("bottom", "linear", 1.0, 0.0)


def boxes(places: list[tuple[int, int, int, int, int]]) -> Plane:
    """Outlines, two pixels wide, of (left, top, median, bottom, reach of the whiskers); 31 px wide each."""
    plane = np.zeros((150, 200), dtype=np.float32)
    for left, top, median, bottom, reach in places:
        right, middle = left + 30, left + 15
        for row in (top, median, bottom):
            plane[row : row + 2, left : right + 2] = 1.0
        for column in (left, right):
            plane[top : bottom + 2, column : column + 2] = 1.0
        plane[top - reach : top, middle : middle + 2] = 1.0
        plane[bottom : bottom + reach, middle : middle + 2] = 1.0
        for row in (top - reach, bottom + reach):
            plane[row : row + 2, middle - 5 : middle + 7] = 1.0
    return plane


@pytest.mark.parametrize("tops", [(50, 50), (50, 51), (50, 53), (50, 70)])
def test_boxes_that_share_a_side_are_two_boxes(tops: tuple[int, int]) -> None:
    places = [(40, tops[0], 75, 100, 20), (70, tops[1], 85, 101, 25)]
    ink = ink_of([(boxes(places), BLACK, "")])
    (series,) = read_boxes(panel_of(150, 200, DOWN, ACROSS), ink, ink.layers)
    rows = [mark.y - 10 for mark in series.marks if mark.part != "outlier"]
    expected = [row + 0.5 for _, top, median, bottom, reach in places
                for row in (bottom + reach, bottom, median, top, top - reach)]  # fmt: skip
    assert rows == pytest.approx(expected, abs=0.6)


def test_boxes_at_months_are_named_as_printed() -> None:
    ink = ink_of([(boxes([(20, 50, 75, 100, 20), (120, 60, 85, 101, 25)]), BLACK, "")])
    anchors = (Anchor(56.0, 15522.0, "Jul"), Anchor(156.0, 15614.0, "Oct"))
    months = Axis("bottom", "date", 0.92, 15522.0 - 0.92 * 56.0, anchors=anchors)
    panel = panel_of(150, 200, DOWN, months)
    assert looks_like_boxes(panel, ink, ink.layers) > 0.9
    table = box_table(panel, read_boxes(panel, ink, ink.layers))
    assert isinstance(table, Table)
    assert [row[0].text for row in table.rows] == ["Jul", "Oct"]
    between = Axis("bottom", "date", 0.92, 15522.0, anchors=(Anchor(106.0, 15568.0, "A"), Anchor(206.0, 15660.0, "B")))
    assert looks_like_boxes(panel_of(150, 200, DOWN, between), ink, ink.layers) == 0.0


def test_points_of_the_boxes_own_colour_over_their_strokes() -> None:
    orange: Rgb = (217, 95, 2)
    plane = np.zeros((300, 400), dtype=np.float32)
    for left, top, median, bottom in ((40, 100, 150, 200), (180, 120, 170, 210)):
        for row in (top, bottom):
            plane[row : row + 2, left : left + 80] = 1.0
        plane[median : median + 4, left : left + 80] = 1.0
        for column in (left, left + 78):
            plane[top : bottom + 2, column : column + 2] = 1.0
        plane[top - 50 : top, left + 39 : left + 41] = 1.0
        plane[bottom : bottom + 40, left + 39 : left + 41] = 1.0
        for x, y in ((15, top + 2), (60, top - 3), (30, bottom + 4), (52, median - 4), (24, median + 20)):
            cv2.circle(plane, (left + x, y), 6, 1.0, -1)
    ink = ink_of([(plane, orange, "")])
    panel = panel_of(300, 400, DOWN, ACROSS)
    assert looks_like_boxes(panel, ink, ink.layers) > 0.9
    (series,) = read_boxes(panel, ink, ink.layers)
    quartiles = [mark.y - 10 for mark in series.marks if mark.part in ("q1", "median", "q3")]
    assert quartiles == pytest.approx([200.5, 151.5, 100.5, 210.5, 171.5, 120.5], abs=1.0)


def test_white_boxes_beside_filled_ones_keep_their_name() -> None:
    plane = boxes([(30, 50, 75, 100, 20), (110, 60, 85, 101, 25)])
    fill = np.zeros(plane.shape, dtype=np.float32)
    fill[62:101, 112:140] = 1.0
    fill[plane > 0] = 0.0
    ink = ink_of([(plane, BLACK, "Control"), (fill, (228, 26, 28), "Treated")])
    found = read_boxes(panel_of(150, 200, DOWN, ACROSS), ink, ink.layers)
    middles = {one.name: {round(mark.x - 20) for mark in one.marks} for one in found}
    assert middles == {"Control": {46}, "Treated": {126}}


def test_boxes_as_black_as_their_whiskers_have_all_numbers_but_the_median() -> None:
    places = [(20, 50, 75, 100, 20), (120, 60, 85, 90, 25)]
    plane = boxes(places)
    for left, top, _, bottom, _ in places:
        plane[top : bottom + 2, left : left + 32] = 1.0
    panel, ink = panel_of(150, 200, DOWN, ACROSS), ink_of([(plane, BLACK, "")])
    assert looks_like_boxes(panel, ink, ink.layers) > 0.9
    table = box_table(panel, read_boxes(panel, ink, ink.layers))
    assert isinstance(table, Table)
    for row, (_, top, _, bottom, reach) in zip(table.rows, places, strict=True):
        assert row[3].value is None
        values = [row[k].value for k in (1, 2, 4, 5)]
        assert values == pytest.approx([190 - r for r in (bottom + reach + 0.5, bottom + 1, top, top - reach + 0.5)])
    same = boxes([(20, 50, 75, 79, 20), (120, 60, 85, 89, 25)])
    for left, top in ((20, 50), (120, 60)):  # squares with error bars
        same[top : top + 31, left : left + 32] = 1.0
    ink = ink_of([(same, BLACK, "")])
    assert looks_like_boxes(panel, ink, ink.layers) == 0.0
