"""Translucent fills wholly inside others: both are whole layers, the inner one named by its patch of the legend."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.tools.barplots import layer, plot, rectangles, values
from tools.ink import Layer, PlotInk
from tools.nested import with_nested
from tools.types import Axis, Legend, LegendEntry, Panel, Rgb

BLUE, ORANGE = (76, 114, 176), (221, 132, 82)
SIZE = (100, 120)


def half(colour: Rgb, under: Rgb) -> Rgb:
    return tuple(round((a + b) / 2) for a, b in zip(colour, under, strict=True))  # type: ignore[return-value]


def figure(inner: Rgb) -> tuple[Panel, PlotInk]:
    """A pale blue histogram of three bins and lower bins of a mixed colour inside it."""
    wide = rectangles(SIZE, [(19.5, 30.5, 49.5, 90.5), (49.5, 10.5, 79.5, 90.5), (79.5, 50.5, 109.5, 90.5)])
    low = rectangles(SIZE, [(19.5, 70.5, 49.5, 90.5), (49.5, 60.5, 79.5, 90.5), (79.5, 80.5, 109.5, 90.5)])
    pale = half(BLUE, (255, 255, 255))
    layers = [layer((wide - low).astype(np.float32), pale, "first"), Layer(inner, low, low < 0)]
    panel, ink = plot(layers, [values("left", 90.5, 1.0), Axis("bottom", "linear", 0.1, 0.0)])
    entries = (LegendEntry("first", BLUE), LegendEntry("second", ORANGE))
    return replace(panel, legend=Legend(entries)), ink


@pytest.mark.parametrize("front", [True, False])
def test_a_fill_seen_only_through_another_is_a_layer(front: bool) -> None:
    pale = half(BLUE, (255, 255, 255))
    mixed = half(ORANGE, pale) if front else half(BLUE, half(ORANGE, (255, 255, 255)))
    panel, ink = figure(mixed)
    outer, inner = with_nested(panel, ink).layers
    assert (outer.name, inner.name) == ("first", "second")
    assert float(outer.coverage.sum()) == pytest.approx(60 * 30 + 80 * 30 + 40 * 30)
    assert inner.coverage is ink.layers[1].coverage


def test_a_colour_that_is_no_mixture_stays_what_it_is() -> None:
    panel, ink = figure((40, 160, 60))
    found = with_nested(panel, ink).layers
    assert [one.name for one in found] == ["first", ""]
    assert found[0].coverage is ink.layers[0].coverage
