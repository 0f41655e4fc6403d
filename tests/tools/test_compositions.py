"""Areas that lie over each other: further shades within a combination, looked for among its own pixels only."""

from __future__ import annotations

import numpy as np
import pytest

from tools import compositions
from tools.compositions import compose
from tools.ink import Layer, PlotInk
from tools.types import Box, Floats, Image, Panel, Rgb

BLUE, RED, BOTH, TWICE = (150, 180, 255), (255, 160, 150), (170, 110, 150), (90, 120, 230)


def _layer(colour: Rgb, rows: slice, columns: slice) -> Layer:
    coverage = np.zeros((100, 200), dtype=np.float32)
    coverage[rows, columns] = 1.0
    return Layer(colour, coverage, np.zeros(coverage.shape, dtype=bool))


def _panel() -> tuple[Panel, PlotInk]:
    """A blue area left and a red one right of it that share 40 columns; a part of the blue one is darker."""
    pixels: Image = np.full((100, 200, 3), 255, dtype=np.uint8)
    pixels[20:100, 10:120], pixels[40:100, 80:190], pixels[40:100, 80:120] = BLUE, RED, BOTH
    pixels[60:100, 20:60] = TWICE
    layers = (_layer(BLUE, slice(20, 100), slice(10, 120)), _layer(RED, slice(40, 100), slice(80, 190)))
    return Panel(Box(0, 0, 200, 100), Box(0, 0, 200, 100)), PlotInk(
        (0, 0), pixels, (255, 255, 255), np.zeros((100, 200), dtype=bool), layers
    )


def test_a_darker_part_of_an_area_is_a_region_of_its_own() -> None:
    panel, ink = _panel()
    found = compose(panel, ink, ink.layers)
    assert set(found.colours) == {BLUE, RED, BOTH, TWICE}
    under = dict(zip(found.colours, found.under.T[1:].tolist(), strict=True))
    assert under == {BLUE: [1.0, 0.0], TWICE: [1.0, 0.0], RED: [0.0, 1.0], BOTH: [1.0, 1.0]}


def test_shades_are_looked_for_among_the_pixels_of_the_combination(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    away = compositions._away

    def counted(pixels: Image, colour: Rgb) -> Floats:
        sizes.append(pixels.size // 3)
        return away(pixels, colour)

    monkeypatch.setattr(compositions, "_away", counted)
    panel, ink = _panel()
    compose(panel, ink, ink.layers)
    assert max(sizes) <= 110 * 80
    assert sum(sizes) < 2 * 100 * 200  # less than two passes over the plot; one for each colour would be nine
