"""Hundreds of daily bars about a pixel wide, drawn softly and snapped, with known heights."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from tests.tools.barplots import covered, dates, layer, plot, values
from tools.bars import looks_like_bars, read_bars
from tools.dense_bars import drawn_softly, snap_lattice
from tools.types import Floats, days

FIRST = date(2020, 3, 1)


def wave(count: int = 220) -> Floats:
    rng = np.random.default_rng(3)
    day = np.arange(count)
    heights = np.abs(60 * np.exp(-(((day - 110) / 45) ** 2)) * (1 + 0.4 * rng.standard_normal(count)))
    heights += rng.integers(2, 6, count)
    heights[rng.random(count) < 0.05] = 0
    return heights


def picture(heights: Floats, period: float, soft: bool, phase: float = 7.37) -> np.ndarray:
    """Touching bars on row 109.5; snapped ones take whole columns and rows."""
    size = (120, int(len(heights) * period + phase + 6))
    drawn = np.zeros(size)
    for i, height in enumerate(heights):
        left, right = phase + i * period, phase + (i + 1) * period
        columns, rows = covered(left, right, size[1]), covered(109.5 - height, 109.5, size[0])
        if not soft:
            at = np.arange(size[1])
            columns, rows = ((at >= left) & (at < right)).astype(float), (rows > 0.5).astype(float)
        drawn += np.outer(rows, columns)
    return np.clip(drawn, 0, 1).astype(np.float32)


@pytest.mark.parametrize("soft", [True, False])
@pytest.mark.parametrize("period", [1.3, 1.7, 2.4])
def test_daily_bars_of_a_pixel_are_read_one_by_one(period: float, soft: bool) -> None:
    heights = wave()
    one = layer(picture(heights, period, soft))
    assert drawn_softly(one.coverage) == soft
    panel, ink = plot([one], [values("left", 109.5, 1.0), dates(FIRST, 7.37 + period / 2, period)])
    assert looks_like_bars(panel, ink, one) > 0.8
    (found,) = read_bars(panel, ink, [one])
    assert panel.x is not None
    assert panel.y is not None
    read = {round(float(panel.x.to_value(m.x) - days(FIRST))): float(panel.y.to_value(m.y)) for m in found.marks}
    errors = np.array([abs(read.get(i, np.inf) - height) for i, height in enumerate(heights)])
    assert np.median(errors) < 0.35
    assert np.mean(errors < 1.0) > 0.97


def test_a_snapped_lattice_finds_its_shift() -> None:
    true = 5.21 + 1.37 * np.arange(150)
    steps = np.zeros(230)
    seen = np.random.default_rng(0).random(150) < 0.7
    steps[np.ceil(true[seen]).astype(int)] = 1.0
    found = snap_lattice(true + 0.45, steps)
    assert np.mean(np.ceil(found) == np.ceil(true)) > 0.95


def test_bars_under_a_line_keep_their_place() -> None:
    heights = wave(120)
    drawn = picture(heights, 3.0, soft=False)
    curve = 90 - 40 * np.exp(-(((np.arange(drawn.shape[1]) - 180) / 90) ** 2))
    line = np.abs(np.arange(120)[:, None] - curve[None, :]) < 1.5
    one = layer(np.where(line, 0, drawn).astype(np.float32), hidden=line)
    panel, ink = plot([one], [values("left", 109.5, 1.0), dates(FIRST, 7.37 + 1.5, 3.0)])
    (found,) = read_bars(panel, ink, [one])
    assert panel.x is not None
    assert panel.y is not None
    read = {round(float(panel.x.to_value(m.x) - days(FIRST))): float(panel.y.to_value(m.y)) for m in found.marks}
    errors = np.array([abs(read.get(i, np.inf) - height) for i, height in enumerate(heights)])
    assert np.mean(errors < 2.1) > 0.95


def test_weekly_bars_of_two_pixels_are_read_with_the_empty_weeks_between_them() -> None:
    period, heights = 2.37, np.random.default_rng(5).integers(1, 40, 150) * 1.0
    heights[np.random.default_rng(6).random(150) < 0.45] = 0
    heights[[0, -1]] = 9
    one = layer(picture(heights, period, soft=False))
    panel, ink = plot([one], [values("left", 109.5, 1.0), dates(date(2020, 3, 2), 7.37, period / 7)])
    (found,) = read_bars(panel, ink, [one])
    assert panel.y is not None
    assert [round(float(panel.y.to_value(m.y))) for m in found.marks] == heights.tolist()
    assert np.diff([m.x for m in found.marks]) == pytest.approx(period, abs=0.05)


def test_days_of_three_pixels_drawn_softly_keep_their_number() -> None:
    period, heights = 2.9, np.random.default_rng(7).integers(0, 60, 70) * 1.0
    heights[1::9], heights[[0, -1]] = 0, 9
    drawn = np.zeros((120, 230))
    for i, height in enumerate(heights):  # sides that reach a little over the neighbours
        drawn = np.maximum(drawn, np.outer(covered(109.5 - height, 109.5, 120) * (height > 0),
                                           covered(7.2 + i * period, 7.6 + (i + 1) * period, 230)))  # fmt: skip
    one = layer(drawn.astype(np.float32))
    panel, ink = plot([one], [values("left", 109.5, 1.0), dates(FIRST, 7.4 + period / 2, period)])
    (found,) = read_bars(panel, ink, [one])
    assert panel.y is not None
    read = np.array([float(panel.y.to_value(m.y)) for m in found.marks])
    assert len(read) == len(heights)
    assert np.mean(np.abs(read - heights) < 1.0) > 0.9
