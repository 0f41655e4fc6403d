"""Half-covered sides of thin bars go back to their ink; stacked tints and named inks stay."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from tests.tools.barplots import dates, layer, plot, values
from tools.ink import Layer
from tools.thin_rims import with_rims
from tools.types import Rgb

RED, PALE = (200, 40, 40), (222, 126, 126)  # PALE: 60 % of RED on white


def thin_bars(name: str = "") -> list[Layer]:
    """Bars 1.6 px wide every third pixel: a full column and one that is covered to 60 %."""
    full, rim = np.zeros((60, 90), np.float32), np.zeros((60, 90), np.float32)
    for number, column in enumerate(range(3, 87, 3)):
        top = 10 + (number * 7) % 30
        full[top:50, column] = rim[top:50, column + 1] = 1.0
    return [layer(full, RED), layer(rim, PALE, name)]


def test_sides_of_thin_bars_are_shares_of_their_ink() -> None:
    layers = thin_bars()
    panel, ink = plot(layers, [values("left", 49.5, 1.0), dates(date(2020, 1, 1), 0, 3)])
    (one,) = with_rims(panel, ink).layers
    share = np.unique(one.coverage[layers[1].coverage > 0])
    assert one.colour == RED
    assert share == pytest.approx([0.6], abs=0.02)


@pytest.mark.parametrize("colour", [PALE, (90, 140, 200)])
def test_named_inks_and_wide_segments_stay(colour: Rgb) -> None:
    named = thin_bars("mild")
    panel, ink = plot(named, [values("left", 49.5, 1.0), dates(date(2020, 1, 1), 0, 3)])
    assert len(with_rims(panel, ink).layers) == 2
    low, high = np.zeros((60, 90), np.float32), np.zeros((60, 90), np.float32)
    for column in range(4, 84, 10):
        low[30:50, column : column + 8] = high[15:30, column : column + 8] = 1.0
    panel, ink = plot([layer(low, RED), layer(high, colour)], panel.axes)
    assert len(with_rims(panel, ink).layers) == 2
