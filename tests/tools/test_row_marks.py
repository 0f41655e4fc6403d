"""Squares of a forest plot, each as large as its weight, with a whisker drawn over every one of them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tools.shapes import ink_of, panel_of
from tools.clutter import without_clutter
from tools.points import read_points
from tools.row_marks import one_a_row
from tools.types import Axis, Mark, Series

ROWS = ("Anders", "Baker", "Costa", "Dietz", "Evans")
NAMES = Axis("left", "category", 1 / 40, -30 / 40, categories=ROWS)  # the middle of row k is 30 + 40 k in the figure
RATIO = Axis("bottom", "log", 0.01, -1.2)


def test_one_mark_in_each_row_whatever_its_size() -> None:
    squares, whiskers = np.zeros((200, 300), np.float32), np.zeros((200, 300), np.float32)
    sizes, middles = (7, 13, 9, 15, 11), (60, 140, 100, 180, 120)
    for k, (size, x) in enumerate(zip(sizes, middles, strict=True)):
        y, half = 20 + 40 * k, size // 2
        squares[y - half : y + half + 1, x - half : x + half + 1] = 1
        whiskers[y, x - 40 : x + 41] = 1
    squares[whiskers > 0] = 0
    ink = ink_of([(squares, (0, 50, 160), ""), (whiskers, (0, 0, 0), "")])
    panel = panel_of(200, 300, NAMES, RATIO)
    assert one_a_row(panel, ink, ink.layers[0])
    assert not one_a_row(panel, ink, ink.layers[1])
    assert not one_a_row(panel_of(200, 300, RATIO), ink, ink.layers[0])
    (series,) = read_points(panel, ink, [ink.layers[0]])
    found = sorted((mark.y, mark.x) for mark in series.marks)
    assert [y for y, _ in found] == pytest.approx([30 + 40 * k for k in range(5)], abs=0.3)
    assert [x for _, x in found] == pytest.approx([20 + x for x in middles], abs=0.3)


def test_dashes_of_an_upright_line_over_named_rows_are_no_points() -> None:
    panel = panel_of(200, 300, NAMES, RATIO)
    ink = ink_of([(np.zeros((200, 300), np.float32), (0, 0, 0), "")])
    dashes = tuple(Mark("marker", 150.0, 12.0 + 6 * k) for k in range(30))
    squares = tuple(Mark("marker", 80.0 + 20 * k, 30.0 + 40 * k) for k in range(5))
    line, data = (
        Series("", colour, "points", marks, "bottom", "horizontal")
        for colour, marks in (((192, 0, 0), dashes), ((0, 51, 160), squares))
    )
    assert without_clutter(panel, ink, [line, data]) == [data]
