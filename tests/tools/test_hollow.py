"""Outlines filled in: bars by their strokes, and no ground that only the frame of a plot closes off."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tools.barplots import rectangles
from tools.hollow import fill_outlines

SIZE = (200, 280)
BASE = 160.5


def strokes(boxes: list[tuple[float, float, float, float]]) -> np.ndarray:
    return rectangles(SIZE, boxes) - rectangles(SIZE, [(a + 2, b + 2, c - 2, d - 2) for a, b, c, d in boxes])


@pytest.mark.parametrize("upwards", [True, False])
def test_outlined_bars_on_a_base_inside_the_plot_are_filled(upwards: bool) -> None:
    bars = strokes([(20 + 60 * i, BASE - h, 60 + 60 * i, BASE) for i, h in enumerate((70.0, 110.0, 40.0))])
    if not upwards:
        bars = bars[::-1]
    filled = fill_outlines(bars.astype(np.float32), np.zeros(SIZE, np.float32), BASE if upwards else SIZE[0] - 1 - BASE)
    assert filled is not None
    assert filled[140 if upwards else 60, [40, 100, 160]].min() == 1


def test_the_ground_between_a_base_and_the_frame_is_no_bar() -> None:
    framed = strokes([(0, 0, SIZE[1], SIZE[0])])
    for place in range(30, 270, 20):  # error bars with caps, joined by a level curve
        framed[60:100, place : place + 2] = 1
        framed[60:62, place - 4 : place + 6] = framed[98:100, place - 4 : place + 6] = 1
    framed[79:81, 30:250] = 1
    assert fill_outlines(framed.astype(np.float32), np.zeros(SIZE, np.float32), BASE) is None
