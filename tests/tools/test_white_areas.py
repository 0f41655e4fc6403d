"""The white funnel in a grey plot is no area; a white bar in one is a bar."""

from __future__ import annotations

import numpy as np

from tests.tools.shapes import ink_of, panel_of
from tools.clutter import without_clutter
from tools.types import Mark, Series


def test_white_fills_in_a_tinted_plot_are_no_areas() -> None:
    ink = ink_of([(np.zeros((50, 80), np.float32), (0, 0, 0), "")], np.full((50, 80, 3), 230, np.uint8))
    ink = type(ink)(ink.origin, ink.pixels, (230, 230, 230), ink.neutral, ink.layers)
    marks = (Mark("vertex", 30, 20), Mark("vertex", 50, 40))
    funnel, bars = (Series("", (255, 255, 255), kind, marks) for kind in ("area", "bar"))
    points = Series("", (0, 0, 0), "points", (Mark("marker", 40, 30),))
    assert without_clutter(panel_of(50, 80), ink, [funnel, points]) == [points]
    assert bars in without_clutter(panel_of(50, 80), ink, [bars, points])
