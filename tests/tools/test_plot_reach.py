"""How far plots without a frame reach over what is drawn beyond their grid lines."""

from __future__ import annotations

import numpy as np

from tools.plot_reach import reaching
from tools.ridges import Gray
from tools.types import Box

PLOT = Box(20, 100, 180, 200)


def sheet() -> Gray:
    """An open plot with an axis at its foot, under the axis of another one and its tick marks."""
    gray = np.full((220, 200), 255, np.uint8)
    gray[199:201, 20:180] = 30
    gray[50:52, 20:180] = 30
    gray[52:57, 30:180:40] = 30
    return gray


def test_a_letter_and_the_tick_marks_of_the_plot_above_are_not_reached_for() -> None:
    gray = sheet()
    gray[70:83, 99:103] = 30  # a title I that was not read
    assert reaching(PLOT, [], [Box(20, 5, 180, 51)], gray).y0 == PLOT.y0


def test_markers_beyond_the_outermost_grid_line_are_reached_for() -> None:
    gray = sheet()
    gray[85:91, 99:105] = 30
    assert reaching(PLOT, [], [Box(20, 5, 180, 51)], gray).y0 < 85


def test_bars_beyond_the_outermost_grid_line_are_reached_for() -> None:
    gray = sheet()
    gray[80:200, 99:103] = 30
    assert reaching(PLOT, [], [Box(20, 5, 180, 51)], gray).y0 < 80


def test_above_a_plot_at_the_edge_of_the_figure_there_is_nothing() -> None:
    assert reaching(Box(20, 0, 180, 100), [], [], sheet()[100:]).y0 == 0
