"""Areas: single, stacked, overlapping; their vertices on the author's grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.tools.shapes import Plane, cover, ink_of, paint, panel_of, polygon, stroke
from tools.area_grids import turns_on
from tools.area_likeness import looks_like_area
from tools.area_rims import is_rim
from tools.areas import read_areas
from tools.compositions import compose
from tools.ink import PlotInk
from tools.kinds import edges_of
from tools.trace import Trace
from tools.types import Axis, Box, Floats, Legend, Panel, Rgb, Series

HEIGHT, WIDTH, BASE = 160, 260, 150.0
BROWN: Rgb = (140, 81, 10)
GREY: Rgb = (77, 77, 77)
SAND: Rgb = (216, 179, 101)
YEARS = np.arange(2000.0, 2021.0)
X_AXIS = Axis("bottom", "linear", 0.1, 2000.0 - 0.1 * (20 + 30))  # 10 px a year, 2000 at column 30
Y_AXIS = Axis("left", "linear", -0.5, 0.5 * (10 + BASE))  # 2 px a unit, 0 at row BASE


def wave(start: float, *, phase: float) -> Floats:
    return start + 8 * np.sin(YEARS + phase) + 0.4 * (YEARS - 2000)


def area(top: Floats, bottom: Floats | None = None) -> Plane:
    """The polygon between these values and those below (or the base)."""
    x = 30 + 10 * (YEARS - 2000)
    low = np.zeros(YEARS.size) if bottom is None else bottom
    upper = list(zip(x, BASE - 2 * top, strict=True))
    lower = list(zip(x, BASE - 2 * low, strict=True))
    return cover(HEIGHT, WIDTH, lambda canvas: polygon(canvas, upper + lower[::-1]))


def panel() -> Panel:
    return panel_of(HEIGHT, WIDTH, X_AXIS, Y_AXIS)


def table(series: Series) -> tuple[Floats, Floats]:
    """x and the heights of the marks' boxes, in values."""
    x = X_AXIS.to_value([mark.x for mark in series.marks])
    boxes = [mark.box for mark in series.marks if mark.box is not None]
    return x, Y_AXIS.to_value([box.y0 for box in boxes]) - Y_AXIS.to_value([box.y1 for box in boxes])


def test_one_area_has_its_vertices_on_the_years() -> None:
    values = wave(30.0, phase=0.0)
    ink = ink_of([(area(values), BROWN, "oil")])
    (series,) = read_areas(panel(), ink, ink.layers)
    x, y = table(series)
    assert (series.kind, series.name, series.sampled) == ("area", "oil", False)
    np.testing.assert_allclose(x, YEARS, atol=1e-6)
    np.testing.assert_allclose(y, values, atol=0.15)
    assert {mark.part for mark in series.marks} == {"vertex"}


def stack(heights: Sequence[Floats], *, conflated: bool) -> tuple[PlotInk, list[str]]:
    """Layers drawn one after the other, each anti-aliased over what is there; the paper shines through their seams."""
    tops = np.cumsum(heights, axis=0)
    bottoms = [None, *tops[:-1]]
    colours = [BROWN, GREY, SAND][: len(heights)]
    names = ["oil", "coal", "gas"][: len(heights)]
    planes = [area(top, bottom) for top, bottom in zip(tops, bottoms, strict=True)]
    if not conflated:  # each one painted from its top down to the base, the highest first
        drawn = [(area(top), colour) for top, colour in zip(tops[::-1], colours[::-1], strict=True)]
        pixels = paint(drawn)
    else:
        pixels = paint(list(zip(planes, colours, strict=True)))
    order = np.argsort([-plane.sum() for plane in planes])
    layers = [(planes[k], colours[k], names[k]) for k in order]
    return ink_of(layers, pixels), names


@pytest.mark.parametrize("conflated", [True, False])
def test_a_stack_gives_the_thickness_of_every_layer(conflated: bool) -> None:
    heights = [wave(16.0, phase=0.0), wave(14.0, phase=2.0), np.full(YEARS.size, 3.0)]
    ink, names = stack(heights, conflated=conflated)
    found = read_areas(panel(), ink, ink.layers)
    assert [one.name for one in found] == names
    assert {one.kind for one in found} == {"stacked area"}
    for one, height in zip(found, heights, strict=True):
        x, y = table(one)
        np.testing.assert_allclose(x, YEARS, atol=1e-6)
        np.testing.assert_allclose(y, height, atol=0.3)


def test_a_stacked_layer_that_vanishes_has_no_thickness() -> None:
    heights = [wave(16.0, phase=0.0), np.where(YEARS < 2010, 10.0, 0.0)]
    ink, _ = stack(heights, conflated=True)
    _, second = read_areas(panel(), ink, ink.layers)
    _, y = table(second)
    np.testing.assert_allclose(y, heights[1], atol=0.4)


def test_translucent_areas_overlap() -> None:
    first, second = 42 - 1.6 * (YEARS - 2000), 10 + 1.6 * (YEARS - 2000)
    planes = [area(first), area(second)]
    blue, red = (0, 0, 255), (255, 0, 0)
    pixels = paint([(planes[0], blue), (planes[1], red)], alpha=0.5)
    both = np.minimum(*planes)
    layers = [
        (np.clip(planes[0] - both, 0, 1), (128, 128, 255), "falling"),
        (np.clip(planes[1] - both, 0, 1), (255, 128, 128), "rising"),
        (both, (191, 64, 128), ""),
    ]
    ink = ink_of(layers, pixels)
    found = {one.name: one for one in read_areas(panel(), ink, ink.layers)}
    assert set(found) == {"falling", "rising"}
    for name, values in (("falling", first), ("rising", second)):
        x, y = table(found[name])
        assert found[name].kind == "area"
        np.testing.assert_allclose(y, np.interp(x, YEARS, values), atol=0.5)


def test_layers_that_share_their_overlap_are_two_areas() -> None:
    first, second = 42 - 1.6 * (YEARS - 2000), 10 + 1.6 * (YEARS - 2000)
    planes = [area(first), area(second)]
    pixels = paint([(planes[0], (0, 0, 255)), (planes[1], (255, 0, 0))], alpha=0.5)
    ink = ink_of([(planes[0], (128, 128, 255), "falling"), (planes[1], (255, 128, 128), "rising")], pixels)
    found = {one.name: one for one in read_areas(panel(), ink, ink.layers)}
    assert set(found) == {"falling", "rising"}
    for name, values in (("falling", first), ("rising", second)):
        x, y = table(found[name])
        np.testing.assert_allclose(y, np.interp(x, YEARS, values), atol=0.5)


def test_a_stroke_along_the_top_is_taken_off() -> None:
    values = wave(30.0, phase=0.0)
    points = list(zip(30 + 10 * (YEARS - 2000), BASE - 2 * values, strict=True))
    outline = cover(HEIGHT, WIDTH, lambda canvas: stroke(canvas, points, 5.0))
    ink = ink_of([(np.maximum(area(values), outline), BROWN, "oil")])
    (series,) = read_areas(panel(), ink, ink.layers)
    x, y = table(series)
    assert float(np.median(np.abs(y - np.interp(x, YEARS, values)))) < 0.6  # 1.2 px; the stroke's edge is 2.5 px off


def test_what_looks_like_an_area() -> None:
    solid = area(wave(30.0, phase=0.0))
    bars = np.zeros((HEIGHT, WIDTH), dtype=np.float32)
    for k, value in enumerate(wave(30.0, phase=0.0)):
        bars[int(BASE - 2 * value) : int(BASE), 25 + 10 * k : 35 + 10 * k] = 1.0
    band = area(wave(40.0, phase=0.0), wave(30.0, phase=0.0))
    scores = []
    for plane in (solid, bars, band):
        ink = ink_of([(plane, BROWN, "")])
        scores.append(looks_like_area(panel(), ink, ink.layers[0]))
    assert scores[0] > 0.9
    assert max(scores[1:]) < 0.3


def test_two_areas_of_one_colour_have_a_joint_border() -> None:
    first, second = area(42 - 1.6 * (YEARS - 2000)), area(10 + 1.6 * (YEARS - 2000))
    red = area(np.full(21, 12.0))
    pixels = paint([(first, (0, 0, 255)), (second, (0, 0, 255)), (red, (255, 0, 0))], alpha=0.5)
    ink = ink_of([(np.maximum(first, second), (128, 128, 255), "twice"), (red, (255, 128, 128), "once")], pixels)
    assert (64, 64, 255) in compose(panel(), ink, ink.layers).colours  # where both lie over each other
    found = {one.name: one for one in read_areas(panel(), ink, ink.layers)}
    x, y = table(found["twice"])
    upper = np.maximum(42 - 1.6 * (x - 2000), 10 + 1.6 * (x - 2000))
    np.testing.assert_allclose(y, upper, atol=0.7)


def test_a_border_under_a_legend_goes_straight_on() -> None:
    values = wave(30.0, phase=0.0)
    plane = area(values)
    x = 30 + 10 * (YEARS - 2000)
    box = Box(84, 30, 106, 130)  # hides a year or two: in figure pixels, 20 and 10 more than in the crop's
    plane[20:121, 64:87] = 0.0
    ink = ink_of([(plane, BROWN, "oil")])
    neutral = ink.neutral.copy()
    neutral[20:121, 64:87] = True
    bare = panel()
    covered = replace(bare, legend=Legend(box=box))
    (series,) = read_areas(covered, replace(ink, neutral=neutral), ink.layers)
    places, y = table(series)
    seen = (x < 54) | (x > 97)
    np.testing.assert_allclose(np.interp(YEARS, places, y)[seen], values[seen], atol=0.3)
    assert y.max() < values.max() + 8  # nowhere up to the top of the plot or of the legend


def test_remains_of_grid_lines_beside_an_area_are_none_of_it() -> None:
    solid = area(wave(30.0, phase=0.0))
    solid[:, 160:] = 0.0
    hairy = solid.copy()
    hairy[20:120, 200], hairy[20:120, 240], hairy[60, 190:250] = 1.0, 1.0, 1.0
    scores = [
        looks_like_area(panel(), ink, ink.layers[0]) for ink in (ink_of([(one, BROWN, "")]) for one in (solid, hairy))
    ]
    assert scores[1] == pytest.approx(scores[0], abs=0.05)
    assert scores[0] > 0.8


def test_strokes_of_one_colour_along_two_areas_are_their_rims() -> None:
    x = 30 + 10 * (YEARS - 2000)
    values = [wave(40.0, phase=0.0), wave(20.0, phase=2.0)]
    areas = [area(one) for one in values]
    lines = [list(zip(x, BASE - 2 * one, strict=True)) for one in values]
    black = np.maximum(*(cover(HEIGHT, WIDTH, partial(stroke, points=line, width=2.0)) for line in lines))
    fills = [np.minimum(one, 1 - black) for one in areas]
    ink = ink_of([(fills[0] * (1 - areas[1]), BROWN, "a"), (fills[1], SAND, "b"), (black, (0, 0, 0), "")])
    scores = {0: {"area": 1.0}, 1: {"area": 1.0}, 2: {"area": 0.9}}
    assert edges_of(ink, scores) == {2}


def test_strokes_and_nothing_give_no_areas() -> None:
    line = area(wave(30.0, phase=0.0), wave(29.0, phase=0.0))
    ink = ink_of([(line, BROWN, ""), (np.zeros((HEIGHT, WIDTH), dtype=np.float32), GREY, "")])
    assert read_areas(panel(), ink, ink.layers) == ()


def test_a_stroke_along_the_top_is_taken_off_where_the_frame_cuts_the_sides() -> None:
    values = 30 + 14 * np.sin(1.7 * np.arange(21.0)) + np.arange(21.0)
    x = 12.95 * np.arange(21.0)  # from frame to frame

    def draw(canvas: NDArray[np.uint8]) -> None:
        top = list(zip(x, BASE - 2 * values, strict=True))
        polygon(canvas, [*top, (x[-1], BASE), (x[0], BASE)])
        stroke(canvas, top, 5.0)

    plane = cover(HEIGHT, WIDTH, draw)
    plane[int(BASE) + 1 :] = 0
    axis = Axis("bottom", "linear", 1 / 12.95, 2000.0 - 20 / 12.95)
    ink = ink_of([(plane, BROWN, "oil")])
    (series,) = read_areas(panel_of(HEIGHT, WIDTH, axis, Y_AXIS), ink, ink.layers)
    assert len(series.marks) == 21
    _, y = table(series)
    assert np.median(np.abs(y - values)) < 0.25  # half a pixel; the stroke's upper edge lies 1.25 or more above


def test_a_grid_that_turns_on_every_second_place_is_the_coarser_one() -> None:
    coarse, fine = np.arange(5.0, 205.0, 20.0), np.arange(5.0, 205.0, 10.0)
    columns = np.arange(200.0)
    sharp = np.interp(columns, coarse, [50, 30, 60, 20, 70, 40, 90, 30, 50, 80])
    wavy = np.interp(columns, fine, np.array([50, 30] * 10))

    def trace(y: Floats) -> Trace:
        none = np.zeros(200, dtype=bool)
        return Trace(y, y, y, np.ones(200), none, none, 0.0, 0.0, 199.0)

    assert turns_on(coarse, fine, [trace(sharp)])
    assert not turns_on(coarse, fine, [trace(wavy)])
    assert not turns_on(coarse + 4, fine, [trace(sharp)])


def test_the_steep_stroke_along_an_area_is_its_rim() -> None:
    colours: tuple[Rgb, Rgb] = ((224, 134, 64), (240, 195, 160))
    top = np.where(np.arange(21) % 2, 55.0, 10.0)
    x = 30 + 10 * (YEARS - 2000)
    border = list(zip(x, BASE - 2 * top, strict=True))
    fill, line = area(top), cover(HEIGHT, WIDTH, lambda canvas: stroke(canvas, border, 4))
    fill = fill * (1 - line)
    ink = ink_of([(fill, colours[1], ""), (line, colours[0], "oil")])
    assert is_rim(ink, ink.layers[1], ink.layers[0])
    assert not is_rim(ink, ink.layers[0], ink.layers[1])
    assert [one.name for one in read_areas(panel(), ink, ink.layers)] == ["oil"]
