"""Copies of large figures, and the way back of everything that has pixels."""

from __future__ import annotations

import numpy as np
import pytest

from tools.rescale import Home, shrunken
from tools.table import Cell, Table
from tools.types import Anchor, Axis, Box, Drawing, Figure, Mark, Panel, Series, Word

AXIS = Axis("left", "linear", -0.5, 60.0, (Anchor(20.0, 50.0, "50"), Anchor(120.0, 0.0, "0")), residual=0.2)


def test_only_very_large_pictures_are_shrunk() -> None:
    small = Figure(np.zeros((30, 3999, 3), np.uint8))
    assert shrunken(small) == (small, 1.0)
    copy, scale = shrunken(Figure(np.zeros((3000, 4000, 3), np.uint8)))
    assert (copy.width, copy.height, scale) == (2000, 1500, 0.5)
    copy, scale = shrunken(Figure(np.zeros((6600, 300, 3), np.uint8)))
    assert (copy.width, copy.height, scale) == (100, 2200, 1 / 3)
    drawn = Figure(np.zeros((10, 5000, 3), np.uint8), drawing=Drawing())
    assert shrunken(drawn)[1] == 1.0


@pytest.mark.parametrize("scale", [0.5, 1 / 3, 1.25])
def test_an_axis_gives_the_same_values_at_the_same_places(scale: float) -> None:
    home = Home(scale)
    moved = home.axis(AXIS)
    for pixel in (0.0, 20.0, 77.5):
        assert moved.to_value(home.at(pixel)) == pytest.approx(AXIS.to_value(pixel))
    assert [anchor.pixel for anchor in moved.anchors] == pytest.approx([home.at(20.0), home.at(120.0)])
    assert moved.residual == pytest.approx(0.2 / scale)


def test_marks_boxes_words_and_cells_come_home() -> None:
    home = Home(0.5)  # the copy's pixel 0 covers the pixels 0 and 1, whose common centre is 0.5
    panel = home.panel(Panel(Box(0, 0, 9, 9), Box(1, 1, 8, 8), axes=(AXIS,)))
    assert (panel.box, panel.plot) == (Box(0.5, 0.5, 18.5, 18.5), Box(2.5, 2.5, 16.5, 16.5))
    series = home.series(Series("a", (0, 0, 0), "bar", (Mark("bar", 3, 4, Box(2, 4, 4, 9), sigma=0.25),)))
    assert series.marks == (Mark("bar", 6.5, 8.5, Box(4.5, 8.5, 8.5, 18.5), sigma=0.5),)
    table = home.table(Table(("x", "a"), ((Cell("u", "u"), Cell(1.0, "1", pixel=(3.0, 4.0))),)))
    assert [cell.pixel for cell in table.rows[0]] == [None, (6.5, 8.5)]
    assert home.words([Word("a", Box(0, 0, 1, 1))])[0].box == Box(0.5, 0.5, 2.5, 2.5)
