"""Shaded stretches of the x axis (recessions, lockdowns) are no bars, whatever runs over them."""

from __future__ import annotations

import numpy as np
import pytest

from tools.ink import Layer, PlotInk
from tools.kinds import lies_behind, plan
from tools.types import Axis, Box, Panel


def _layers(high: int, curve: bool) -> tuple[Panel, PlotInk]:
    """A plot of 120 x 200 px with a fill in columns 60 to 99 from its foot to row `high`, and a rising curve."""
    fill, line = np.zeros((120, 200), np.float32), np.zeros((120, 200), np.float32)
    fill[high:, 60:100] = 1
    for column in range(200) if curve else range(150, 160):
        line[100 - column // 2 : 103 - column // 2, column] = 1
    fill[line > 0] = 0
    none = np.zeros(fill.shape, dtype=bool)
    layers = Layer((170, 180, 190), fill, line > 0), Layer((0, 100, 160), line, none)
    pixels = np.full((120, 200, 3), 255, np.uint8)
    for layer in layers:
        pixels[layer.coverage > 0] = layer.colour
    x, y = Axis("bottom", "linear", 1.0, 0.0), Axis("left", "linear", -1.0, 119.0)
    box = Box(0, 0, 199, 119)
    return Panel(box, box, axes=(x, y)), PlotInk((0, 0), pixels, (255, 255, 255), none, layers)


@pytest.mark.parametrize(("high", "curve", "span"), [(0, True, True), (30, True, False), (0, False, False)])
def test_shading_runs_from_top_to_foot_behind_a_curve(high: int, curve: bool, span: bool) -> None:
    _, ink = _layers(high, curve)
    assert lies_behind(ink, ink.layers[0]) == span
    assert not lies_behind(ink, ink.layers[1])


def test_shading_is_not_measured() -> None:
    panel, ink = _layers(0, True)
    assert plan(panel, ink) == [("line", [1])]
