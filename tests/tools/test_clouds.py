"""Clouds of separate markers against curves and their dashes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.tools.shapes import Plane, cover, disc, ink_of, panel_of, polygon, stroke
from tools.clouds import is_cloud
from tools.kinds import layer_scores
from tools.types import Box, Legend, LegendEntry

RED = (200, 30, 30)


def scattered() -> list[tuple[float, float]]:
    """Places of 24 markers that do not touch."""
    rng = np.random.default_rng(3)
    found: list[tuple[float, float]] = []
    while len(found) < 24:
        x, y = rng.uniform(12, 188), rng.uniform(12, 108)
        if all(np.hypot(x - a, y - b) > 14 for a, b in found):
            found.append((float(x), float(y)))
    return found


def markers(open_: bool) -> Plane:
    def draw(canvas: np.ndarray) -> None:
        for x, y in scattered():
            if open_:
                stroke(canvas, [(x - 4, y - 4), (x + 4, y - 4), (x + 4, y + 4), (x - 4, y + 4), (x - 4, y - 4)], 1.2)
            else:
                disc(canvas, x, y, 4.0)

    return cover(120, 200, draw)


def dashed(height: float) -> Plane:
    x = np.arange(10.0, 190.0)
    y = 60 + height * np.sin(x / 15)

    def draw(canvas: np.ndarray) -> None:
        for k in range(0, len(x) - 5, 9):
            stroke(canvas, list(zip(x[k : k + 5].tolist(), y[k : k + 5].tolist(), strict=True)), 3.0)

    return cover(120, 200, draw)


@pytest.mark.parametrize("open_", [False, True])
def test_scattered_markers_are_a_cloud(open_: bool) -> None:
    layer = ink_of([(markers(open_), RED, "")]).layers[0]
    assert is_cloud(layer)


@pytest.mark.parametrize("height", [0.0, 20.0, 50.0])
def test_dashes_of_a_curve_are_no_cloud(height: float) -> None:
    assert not is_cloud(ink_of([(dashed(height), RED, "")]).layers[0])


def test_markers_in_a_row_are_no_cloud() -> None:
    def draw(canvas: np.ndarray) -> None:
        for k in range(12):
            polygon(canvas, [(15 * k + 8, 50 + k), (15 * k + 16, 50 + k), (15 * k + 16, 58 + k), (15 * k + 8, 58 + k)])

    assert not is_cloud(ink_of([(cover(120, 200, draw), RED, "")]).layers[0])


def test_a_wrong_line_sample_makes_no_line_of_a_cloud() -> None:
    entry = LegendEntry("wrong", RED, "line", Box(210, 10, 230, 12))
    ink = ink_of([(markers(False), RED, "wrong")])
    panel = replace(panel_of(120, 200), legend=Legend((entry,)))
    ink = replace(ink, layers=(replace(ink.layers[0], entry=entry),))
    scores = layer_scores(panel, ink, ink.layers[0])
    assert scores["points"] > 0.7 > max(scores["line"], scores["step"])
