"""Curves of one colour, drawn here with known dashes, come apart with the names of their samples."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.tools.test_lines import plot, stroke
from tools.dashes import curves_of
from tools.ink import Layer
from tools.like_coloured import entries_for
from tools.lines import read_lines
from tools.patterns import Pattern, pattern_of, swatch_patterns, unlikeness
from tools.types import Box, Floats, LegendEntry

HEIGHT, WIDTH = 160, 320
SOLID, DASHED, DOTTED = Pattern(1.0, 30.0, 30.0, 0.0), Pattern(0.62, 8.0, 8.0, 5.0), Pattern(0.4, 2.0, 2.0, 3.0)
X = np.arange(10.0, 311.0, 10.0)


def dashed(x: Floats, y: Floats, dash: float, gap: float, thickness: float = 2.0) -> NDArray[np.float32]:
    """A polyline drawn in pieces of `dash` px with `gap` px between them, measured along it."""
    along = np.concatenate(([0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))))
    canvas = np.zeros((HEIGHT, WIDTH), np.float32)
    for start in np.arange(0.0, along[-1], dash + gap):
        at = np.unique(np.clip(np.append(np.linspace(start, start + dash, 5), []), 0, along[-1]))
        if len(at) > 1:
            piece = stroke(HEIGHT, WIDTH, np.interp(at, along, x), np.interp(at, along, y), thickness)
            canvas = np.maximum(canvas, piece)
    return canvas


def entry(name: str) -> LegendEntry:
    return LegendEntry(name, (0, 0, 0), "line", Box(0, 0, 30, 2))


def one_colour(*coverages: NDArray[np.float32]) -> Layer:
    coverage = np.max(coverages, axis=0)
    rivals = tuple((entry(name), (p,)) for name, p in (("solid", SOLID), ("dashed", DASHED), ("dotted", DOTTED)))
    return Layer((0, 0, 0), coverage, np.zeros(coverage.shape, bool), "solid", entry("solid"), rivals)


def test_solid_dashed_and_dotted_lines_of_one_colour_cross_and_keep_their_names() -> None:
    true = {
        "solid": 80 + 50 * np.sin(X / 60),
        "dashed": 80 - 50 * np.sin(X / 60 + 0.4),
        "dotted": 30 + 0.3 * X,
    }
    layer = one_colour(
        stroke(HEIGHT, WIDTH, X, true["solid"]),
        dashed(X, true["dashed"], 8, 5),
        dashed(X, true["dotted"], 2, 3),
    )
    panel, ink = plot(layer.coverage)
    found = {one.name: one for one in read_lines(panel, replace(ink, layers=(layer,)), [layer])}
    assert set(found) == set(true)
    for name, y in true.items():
        at = np.array([mark.x - 100 for mark in found[name].marks])
        values = np.interp(X, at, [mark.y - 50 for mark in found[name].marks])
        assert (at[0] < 14, at[-1] > 306) == (True, True), name
        assert float(np.median(np.abs(values - y))) < 0.6, name
        assert float(np.abs(values - y).max()) < 3.0, name


def test_a_crossing_of_two_solid_curves_is_passed_straight_on() -> None:
    rising, falling = np.array([20.0, 140.0]), np.array([140.0, 20.0])
    ends = np.array([10.0, 310.0])
    ink = np.maximum(stroke(HEIGHT, WIDTH, ends, rising), stroke(HEIGHT, WIDTH, ends, falling)).astype(np.float64)
    curves = curves_of(ink, np.zeros(ink.shape, bool), 2.0, 2, 8.0)
    assert len(curves) == 2
    slopes = sorted(float(np.polyfit(np.arange(20, 300), one.trace.y[20:300], 1)[0]) for one in curves)
    assert slopes == [pytest.approx(-0.4, abs=0.03), pytest.approx(0.4, abs=0.03)]


def test_a_curve_that_comes_to_lie_on_another_runs_on_along_it() -> None:
    x = np.array([10.0, 110.0, 210.0, 310.0])
    one, other = np.array([20.0, 20.0, 100.0, 100.0]), np.array([140.0, 140.0, 101.0, 100.0])
    ink = np.maximum(stroke(HEIGHT, WIDTH, x, one), dashed(x, other, 8, 5)).astype(np.float64)
    curves = curves_of(ink, np.zeros(ink.shape, bool), 2.0, 2, 8.0)
    assert [round(curve.trace.end, -1) for curve in curves] == [310, 310]


def test_dashes_and_gaps_are_measured() -> None:
    pattern = pattern_of(np.tile([1.0] * 6 + [0.0] * 4, 8), np.ones(80))
    assert (pattern.shortest, pattern.longest, pattern.gap) == (6.0, 6.0, 4.0)
    assert pattern.duty == pytest.approx(48 / 76)
    assert unlikeness(pattern, pattern) == 0.0
    assert unlikeness(pattern, SOLID) > unlikeness(pattern, DASHED)


def test_walks_take_the_samples_that_they_are_most_like() -> None:
    walks = [Pattern(1.0, 250.0, 250.0, 0.0), Pattern(0.45, 2.2, 2.5, 3.0), Pattern(0.6, 7.5, 8.5, 5.0)]
    costs = np.array([[unlikeness(walk, one) for one in (DASHED, SOLID, DOTTED)] for walk in walks])
    assert entries_for(costs) == [1, 2, 0]
    assert entries_for(np.array([[0.0, 2.0], [0.1, 2.0], [0.2, 1.0]])) == [0, 0, 1]


def test_a_sample_that_is_cut_may_be_dash_and_dot_or_two_dashes() -> None:
    pixels = np.full((20, 80, 3), 255, np.uint8)
    pixels[9:11, 10:22] = 0
    pixels[9:11, 27:31] = 0
    found = swatch_patterns(pixels, LegendEntry("a", (0, 0, 0), "line", Box(10, 9, 30, 10), Box(50, 5, 70, 14)))
    assert [(p.longest, p.gap) for p in found] == [(pytest.approx(10.8), 5.0), (12.0, 5.0)]
    solid = swatch_patterns(pixels, LegendEntry("b", (0, 0, 0), "line", Box(10, 9, 21, 10), Box(24, 5, 70, 14)))
    assert [(p.duty, p.longest) for p in solid] == [(1.0, 12.0)]
