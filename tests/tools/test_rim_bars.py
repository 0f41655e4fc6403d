"""Low bars at the ends of a row of outlined ones: nothing but their strokes is left to see."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from tests.tools.barplots import BLUE, dates, layer, plot, rectangles, values
from tools.bars import read_bars

SIZE = (130, 300)
HEIGHTS = [1.0, 1.0, 0.0, 1.0, 30.0, 62.0, 90.0, 45.0, 20.0, 8.0, 0.0, 1.0, 0.0, 0.0]
BASE, FIRST, STEP = 115.0, 20.0, 20.0


@pytest.mark.parametrize("outlined", [True, False])
def test_outlines_on_the_axis_are_bars_and_the_axis_alone_is_none(outlined: bool) -> None:
    left = [FIRST + STEP * i + 4 for i in range(len(HEIGHTS))]
    shown = [(at, h) for at, h in zip(left, HEIGHTS, strict=True) if h]
    fill = rectangles(SIZE, [(a + 0.5, BASE - h + 0.5, a + 11.5, BASE - 0.5) for a, h in shown if h > 1])
    outer = rectangles(SIZE, [(a - 0.5, BASE - h - 0.5, a + 12.5, BASE + 0.5) for a, h in shown])
    axis = rectangles(SIZE, [(0.0, BASE - 0.5, 299.0, BASE + 0.5)])
    stroke = np.maximum(outer - fill, axis) if outlined else axis
    layers = [layer(fill, BLUE), layer(stroke.astype(np.float32), (20, 30, 30))]
    panel, ink = plot(layers, [values("left", BASE, 1.0), dates(date(2020, 3, 1), FIRST, STEP)])
    (found,) = read_bars(panel, ink, layers)
    assert panel.y is not None
    read = panel.y.to_value([m.y for m in found.marks])
    assert read == pytest.approx(HEIGHTS[:12] if outlined else HEIGHTS[4:10], abs=0.6)
    if outlined:  # half of the stroke is no height
        assert read[[0, 1, 11]] == pytest.approx(1.0, abs=0.3)
