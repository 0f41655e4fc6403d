"""Markers of one colour told apart by the samples of a legend."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.tools.shapes import Plane, cover, disc, ink_of, panel_of, polygon, stroke
from tools.ink import Layer
from tools.points import read_points
from tools.shapes import told_by_shape
from tools.types import Box, Legend, LegendEntry, Panel, Rgb

BLACK: Rgb = (0, 0, 0)
PLACES = {
    "ring": [(30.0, 30.0), (60.3, 80.6), (90.0, 40.2), (150.0, 110.0)],
    "square": [(40.0, 100.0), (110.5, 60.0), (100.0, 120.0), (157.0, 113.0)],
    "cross": [(20.0, 70.0), (130.0, 30.0), (75.0, 125.0), (120.0, 90.0)],
}


def draw(canvas: np.ndarray, shape: str, x: float, y: float, size: float = 5.0) -> None:
    if shape == "ring":
        disc(canvas, x, y, size, 1)
    elif shape == "square":
        polygon(canvas, [(x - size, y - size), (x + size, y - size), (x + size, y + size), (x - size, y + size)])
    else:
        stroke(canvas, [(x - size, y), (x + size, y)], 1.5)
        stroke(canvas, [(x, y - size), (x, y + size)], 1.5)


def figure(sample: float) -> tuple[np.ndarray, Plane, Legend]:
    """The whole figure (its plot at (20, 10)), the plot's coverage, and a legend with samples this large."""
    plot = cover(150, 190, lambda canvas: [draw(canvas, s, *at) for s, places in PLACES.items() for at in places])
    rows = dict(zip(PLACES, (30, 60, 90), strict=True))
    side = cover(170, 60, lambda canvas: [draw(canvas, shape, 20, row, sample) for shape, row in rows.items()])
    whole = np.zeros((170, 280), dtype=np.float32)
    whole[10:160, 20:210] = plot
    whole[:, 220:] = side
    reach = sample + 0.5
    entries = tuple(
        LegendEntry(shape, BLACK, "marker", Box(240 - reach, row - reach, 240 + reach, row + reach))
        for shape, row in rows.items()
    )
    pixels = np.repeat((255 - 255 * whole).round().astype(np.uint8)[..., None], 3, axis=2)
    return pixels, plot, Legend(entries, Box(225, 20, 270, 100))


@pytest.mark.parametrize("sample", [5.0, 7.0])
def test_shapes_of_one_colour_are_a_series_each(sample: float) -> None:
    pixels, plot, legend = figure(sample)
    ink = ink_of([(plot, BLACK, "ring")])
    panel = replace(panel_of(150, 190), legend=legend)
    found = {series.name: series for series in read_points(panel, ink, ink.layers, pixels)}
    assert set(found) == set(PLACES)
    for shape, places in PLACES.items():
        at = np.array([(mark.x - 20, mark.y - 10) for mark in found[shape].marks])
        assert len(at) == len(places)
        true = np.array(sorted(places))
        np.testing.assert_allclose(at[np.argsort(at[:, 0])], true, atol=0.6)


def test_without_the_figure_there_is_one_series_per_colour() -> None:
    _, plot, legend = figure(5.0)
    ink = ink_of([(plot, BLACK, "ring")])
    found = read_points(replace(panel_of(150, 190), legend=legend), ink, ink.layers)
    assert len(found) <= 1


def test_samples_that_look_alike_tell_nothing() -> None:
    pixels, plot, legend = figure(5.0)
    alike = tuple(replace(entry, swatch=legend.entries[0].swatch) for entry in legend.entries)
    ink = ink_of([(plot, BLACK, "ring")])
    panel = replace(panel_of(150, 190), legend=replace(legend, entries=alike))
    assert len(read_points(panel, ink, ink.layers, pixels)) <= 1


def test_legends_that_tell_markers_by_their_shape() -> None:
    def entry(kind: str, width: float, colour: Rgb = (0, 0, 0)) -> LegendEntry:
        return LegendEntry("a", colour, kind, Box(200, 20, 200 + width, 32))  # type: ignore[arg-type]

    layer = Layer((0, 0, 0), np.zeros((50, 50), np.float32), np.zeros((50, 50), bool), "a")

    def panel(*entries: LegendEntry) -> Panel:
        return replace(panel_of(50, 50), legend=Legend(entries))

    assert told_by_shape(panel(entry("marker", 12), entry("patch", 12)), layer)
    assert not told_by_shape(panel(entry("patch", 12), entry("patch", 12)), layer)  # hatched bars
    assert not told_by_shape(panel(entry("marker", 12), entry("line", 40)), layer)
    assert not told_by_shape(panel(entry("marker", 12), entry("marker", 12, (200, 0, 0))), layer)


def test_filled_markers_over_each_other_are_no_strokes() -> None:
    """Squares of which two thirds are covered are squares, and no pluses fit into what is left of them."""
    squares = [(40.0, 40.0), (43.5, 43.0), (100.0, 40.0), (100.0, 45.0), (60.0, 110.0), (150.0, 110.0)]
    pluses = [(30.0, 90.0), (90.0, 90.0), (130.0, 70.0), (160.0, 30.0)]

    def paint(canvas: np.ndarray, places: list[tuple[float, float]], kind: str) -> None:
        for x, y in places:
            if kind == "plus":
                draw(canvas, "cross", x, y)
            else:
                polygon(canvas, [(x - 6, y - 6), (x + 6, y - 6), (x + 6, y + 6), (x - 6, y + 6)])

    plot = cover(150, 190, lambda canvas: [paint(canvas, squares, "square"), paint(canvas, pluses, "plus")])
    side = cover(170, 60, lambda canvas: [paint(canvas, [(20, 30)], "square"), paint(canvas, [(20, 60)], "plus")])
    whole = np.zeros((170, 280), dtype=np.float32)
    whole[10:160, 20:210], whole[:, 220:] = plot, side
    swatches = {"square": Box(233.5, 23.5, 246.5, 36.5), "plus": Box(234.5, 54.5, 245.5, 65.5)}
    entries = tuple(LegendEntry(name, BLACK, "marker", box) for name, box in swatches.items())
    pixels = np.repeat((255 - 255 * whole).round().astype(np.uint8)[..., None], 3, axis=2)
    ink = ink_of([(plot, BLACK, "square")])
    panel = replace(panel_of(150, 190), legend=Legend(entries, Box(225, 20, 270, 100)))
    found = {
        one.name: sorted((m.x - 20, m.y - 10) for m in one.marks) for one in read_points(panel, ink, ink.layers, pixels)
    }
    np.testing.assert_allclose(found["square"], sorted(squares), atol=0.7)
    np.testing.assert_allclose(found["plus"], sorted(pluses), atol=0.7)
