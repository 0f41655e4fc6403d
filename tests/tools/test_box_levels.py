"""Boxes that touch, and boxes at dates."""

from __future__ import annotations

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
