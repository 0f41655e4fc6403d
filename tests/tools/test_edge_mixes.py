"""Thin bars whose edges and fill mix in columns of their own are one ink; shades that stand for themselves are not."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tools.barplots import layer, plot
from tools.edge_mixes import with_edge_mixes
from tools.ink import Layer
from tools.types import Rgb

FILL, MIX, EDGE = (71, 112, 186), (78, 104, 151), (92, 102, 118)


def columns(colours: tuple[Rgb, Rgb, Rgb] = (EDGE, FILL, MIX), name: str = "", low: float = 0.0) -> list[Layer]:
    """Bars of three columns, one of each colour; low: how much lower than the bar each further colour stands."""
    parts = [np.zeros((80, 96), np.float32) for _ in colours]
    for number, left in enumerate(range(3, 90, 3)):
        for k, part in enumerate(parts):
            part[10 + (number * 17) % 40 + int(k * low) : 70, left + k] = 1.0
    return [layer(part, colour, name) for part, colour in zip(parts, colours, strict=True)]


def test_fill_and_edge_mixed_in_columns_are_one_ink() -> None:
    layers = columns()
    _, ink = plot(layers, [])
    (one,) = with_edge_mixes(ink).layers
    assert one.colour == FILL
    assert one.coverage == pytest.approx(sum(part.coverage for part in layers))


@pytest.mark.parametrize(
    "layers",
    [
        columns(name="cases"),
        columns(low=6),  # bars of three shades beside each other
        columns(((200, 60, 50), FILL, (60, 160, 80))),
    ],
)
def test_named_inks_other_heights_and_other_hues_stay(layers: list[Layer]) -> None:
    _, ink = plot(layers, [])
    assert len(with_edge_mixes(ink).layers) == 3


def test_shades_stacked_in_one_column_stay() -> None:
    low, high = np.zeros((80, 96), np.float32), np.zeros((80, 96), np.float32)
    for number, left in enumerate(range(3, 90, 3)):
        middle = 30 + (number * 7) % 20
        low[middle:70, left : left + 3] = high[10 + (number * 5) % 15 : middle, left : left + 3] = 1.0
    _, ink = plot([layer(low, FILL), layer(high, MIX)], [])
    assert len(with_edge_mixes(ink).layers) == 2
