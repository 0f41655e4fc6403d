"""Histograms drawn as one outline: edges and counts, hidden ends, and what is none."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tools.barplots import BLUE, RED, layer, plot, values
from tests.tools.shapes import cover, stroke
from tools.bars import read_bars
from tools.outline_bins import find_outlines
from tools.tabulate import tabulate
from tools.types import Axis, Panel

COUNTS = (8.0, 30.0, 55.0, 55.0, 20.0, 0.0, 12.0)
BASE = 100.0


def staircase(counts: tuple[float, ...], left: float = 20.0, wide: float = 24.0) -> list[tuple[float, float]]:
    """The corners of an outline over bins `wide` px wide from `left`, one row per count above the base."""
    corners = [(left, BASE)]
    for i, count in enumerate(counts):
        corners += [(left + wide * i, BASE - count), (left + wide * (i + 1), BASE - count)]
    return [*corners, (left + wide * len(counts), BASE)]


def outline(counts: tuple[float, ...]) -> np.ndarray:
    return cover(106, 220, lambda canvas: stroke(canvas, staircase(counts), 2.0))


def axes() -> list[Axis]:
    return [values("left", BASE, 1.0), Axis("bottom", "linear", 1 / 12, -20 / 12)]


def test_bins_and_counts_of_an_outline() -> None:
    one = layer(outline(COUNTS), BLUE, "")
    panel, ink = plot([one], axes())
    (series,) = read_bars(panel, ink, [one])
    assert series.kind == "histogram"
    table = tabulate(panel, [series])
    rows = [[cell.value for cell in row] for row in table.rows]  # type: ignore[union-attr]
    assert [row[:2] for row in rows] == [[2.0 * i, 2.0 * i + 2] for i in range(7)]
    assert [row[2] for row in rows] == pytest.approx(COUNTS, abs=0.4)


def test_an_outline_behind_another_shares_its_bins() -> None:
    front, back = outline(COUNTS), outline((8.0, 12.0, 20.0, 60.0, 30.0, 6.0, 12.0))
    hidden = np.where(front > 0.3, 0, back).astype(np.float32)
    layers = [layer(front, BLUE, "a"), layer(hidden, RED, "b", front > 0.3)]
    panel, ink = plot(layers, axes())
    found = find_outlines(panel, ink, layers)
    assert [one.name for one, _ in found] == ["a", "b"]
    assert found[1][1].edges[0] == pytest.approx(44, abs=0.5)  # what lies under the first one's end cannot be seen
    assert BASE - found[1][1].levels[:5] == pytest.approx([12, 20, 60, 30, 6], abs=0.5)


def test_curves_and_step_lines_without_feet_are_none() -> None:
    curve = [(x, 60 - 40 * np.sin(x / 20)) for x in range(20, 200, 3)]
    steps = staircase(COUNTS)[1:-1]  # neither rises from the base line nor returns to it
    for path in (curve, [(x, y - 20) for x, y in steps]):
        one = layer(cover(106, 220, lambda canvas, path=path: stroke(canvas, path, 2.0)), BLUE)  # type: ignore[misc]
        panel, ink = plot([one], axes())
        assert find_outlines(panel, ink, [one]) == []


def test_axes_that_are_not_linear_have_no_outlines() -> None:
    one = layer(outline(COUNTS), BLUE)
    panel, ink = plot([one], axes())
    assert find_outlines(Panel(panel.box, panel.plot), ink, [one]) == []
