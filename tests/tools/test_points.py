"""Markers: their centres, overlaps, hidden parts, outlines, triangles, and markers on lines."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.tools.shapes import cover, disc, ink_of, nearest, paint, panel_of, polygon, stroke
from tools.point_likeness import find_markers, looks_like_points
from tools.points import read_points
from tools.shades import taken_for_text
from tools.types import Floats, Rgb, Series

RED: Rgb = (200, 30, 30)
BLUE: Rgb = (40, 70, 200)
PLACES = np.array([(30.3, 20.7), (61.8, 33.1), (90.0, 71.5), (120.4, 40.2), (150.9, 88.6), (40.6, 90.1), (101.2, 15.5)])


def middles(series: Series) -> Floats:
    """Places in the crop."""
    return np.array([(mark.x - 20, mark.y - 10) for mark in series.marks])


def discs(places: Floats, radius: float, thickness: int = -1) -> np.ndarray:
    def draw(canvas: np.ndarray) -> None:
        for x, y in places:
            disc(canvas, x, y, radius, thickness)

    return cover(110, 180, draw)


@pytest.mark.parametrize(("radius", "thickness"), [(2.0, -1), (4.5, -1), (7.0, -1), (5.0, 1), (6.0, 2)])
def test_lone_markers_are_found_to_a_tenth_of_a_pixel(radius: float, thickness: int) -> None:
    ink = ink_of([(discs(PLACES, radius, thickness), RED, "a")])
    (series,) = read_points(panel_of(110, 180), ink, ink.layers)
    assert series.name == "a"
    assert series.kind == "points"
    assert len(series.marks) == len(PLACES)
    assert nearest(middles(series), PLACES).max() < 0.1
    assert {mark.part for mark in series.marks} == {"marker"}
    assert [mark.x for mark in series.marks] == sorted(mark.x for mark in series.marks)


@pytest.mark.parametrize("gap", [3.5, 5.0, 7.0])
def test_markers_that_overlap_are_told_apart(gap: float) -> None:
    places = np.vstack([PLACES, [(130.4, 70.2), (130.4 + gap, 71.0)]])
    ink = ink_of([(discs(places, 4.5), RED, "")])
    (series,) = read_points(panel_of(110, 180), ink, ink.layers)
    assert len(series.marks) == len(places)
    assert nearest(middles(series), places).max() < 0.6


def test_rings_that_overlap_are_told_apart() -> None:
    places = np.vstack([PLACES, [(130.4, 70.2), (135.1, 72.0), (139.0, 68.3)]])
    ink = ink_of([(discs(places, 5.0, 1), BLUE, "")])
    (series,) = read_points(panel_of(110, 180), ink, ink.layers)
    assert len(series.marks) == len(places)
    assert nearest(middles(series), places).max() < 0.5


def test_a_translucent_overlap_counts_as_two() -> None:
    places = np.vstack([PLACES, [(130.0, 70.0), (134.0, 70.0)]])
    planes = [discs(place[None], 4.5) for place in places]
    pixels = paint([(plane, RED) for plane in planes], alpha=0.5)
    union = np.max(planes, axis=0)
    single: Rgb = (228, 142, 142)
    ink = ink_of([(union, single, "a")], pixels)
    (series,) = read_points(panel_of(110, 180), ink, ink.layers)
    assert len(series.marks) == len(places)
    assert nearest(middles(series), places).max() < 0.8


def test_a_marker_half_under_another_colour_is_found() -> None:
    upper = discs(PLACES + np.array([3.0, 2.0]), 4.5)
    lower = discs(PLACES, 4.5)
    alone = np.array([(20.0, 60.0), (70.0, 100.0), (165.0, 20.0)])
    lower = np.maximum(lower, discs(alone, 4.5))
    seen = np.where(upper > 0.02, 0.0, lower).astype(np.float32)
    ink = ink_of([(seen, RED, "under"), (upper, BLUE, "over")], hidden=[upper, 0 * upper])
    under, over = sorted(read_points(panel_of(110, 180), ink, ink.layers), key=lambda one: -len(one.marks))
    assert nearest(middles(over), PLACES + np.array([3.0, 2.0])).max() < 0.2
    assert nearest(middles(under), np.vstack([PLACES, alone])).max() < 1.0


@pytest.mark.parametrize(("width", "height", "lower"), [(10.0, 10.0, 0.0), (10.0, 8.66, 1.44)])
def test_the_point_of_a_triangle(width: float, height: float, lower: float) -> None:
    """As high as wide: the middle of its box. Equilateral: its centroid, a sixth of its height lower."""

    def draw(canvas: np.ndarray) -> None:
        for x, y in PLACES:
            polygon(canvas, [(x, y - height / 2), (x - width / 2, y + height / 2), (x + width / 2, y + height / 2)])

    ink = ink_of([(cover(110, 180, draw), RED, "")])
    (series,) = read_points(panel_of(110, 180), ink, ink.layers)
    assert len(series.marks) == len(PLACES)
    assert nearest(middles(series), PLACES + np.array([0.0, lower])).max() < 0.3


def test_no_ink_gives_no_series() -> None:
    ink = ink_of([(np.zeros((110, 180), dtype=np.float32), RED, "a")])
    assert read_points(panel_of(110, 180), ink, ink.layers) == ()


def zigzag(width: float) -> np.ndarray:
    return cover(110, 180, lambda canvas: stroke(canvas, [(10, 90), (50, 30), (90, 80), (130, 20), (170, 70)], width))


def test_what_looks_like_points() -> None:
    dots = [(x, 90.0 - 0.4 * x) for x in np.arange(8.0, 172.0, 5.0)]
    dashes = np.zeros((110, 180), dtype=np.float32)
    for k in range(8):
        dashes = np.maximum(dashes, cover(110, 180, lambda c, k=k: stroke(
            c, [(10 + 20 * k, 90 - 8 * k), (20 + 20 * k, 86 - 8 * k)], 2)))  # fmt: skip
    bars = np.zeros((110, 180), dtype=np.float32)  # with three alike letters above one of them
    for k in range(3):
        bars[30 + 10 * k :, 20 + 50 * k : 50 + 50 * k] = bars[20:24, 22 + 8 * k : 25 + 8 * k] = 1.0
    planes = [discs(PLACES, 4.5), zigzag(2.0), dashes, discs(np.array(dots), 1.2), bars]
    scores = []
    for plane in planes:
        ink = ink_of([(plane, RED, "")])
        scores.append(looks_like_points(ink, ink.layers[0]))
    assert scores[0] > 0.9
    assert max(scores[1:]) < 0.3


def test_the_dots_of_a_limit_are_no_points() -> None:
    """Four dots to a marker, and of its colour: the markers are the larger ones."""
    limit = np.array([(8.0 + 5 * k, 104.0 + 0.1 * (k % 2)) for k in range(33)])
    plane = np.maximum(discs(limit, 1.2), discs(PLACES, 5.0))
    ink = ink_of([(plane, RED, "")])
    assert looks_like_points(ink, ink.layers[0]) > 0.7
    (series,) = read_points(panel_of(110, 180), ink, ink.layers)
    assert len(series.marks) == len(PLACES)
    assert nearest(middles(series), PLACES).max() < 0.3


@pytest.mark.parametrize("radius", [5.0, 6.5])
def test_markers_on_their_line(radius: float) -> None:
    corners = np.array([(10.0, 90.0), (50.4, 30.2), (90.7, 80.0), (130.1, 20.6), (168.0, 70.3)])

    def draw(canvas: np.ndarray) -> None:
        stroke(canvas, corners.tolist(), 2)
        for x, y in corners:
            disc(canvas, x, y, radius)

    ink = ink_of([(cover(110, 180, draw), RED, "")])
    marks = find_markers(ink, ink.layers[0])
    assert len(marks) == len(corners)
    assert nearest(np.array([(m.x - 20, m.y - 10) for m in marks]), corners).max() < 0.35
    bare = ink_of([(zigzag(2.0), RED, "")])
    assert find_markers(bare, bare.layers[0]) == ()


def test_markers_beside_a_fitted_curve_are_points() -> None:
    x = np.arange(15.0, 170.0, 15.0)
    fit = 60 + 30 * np.tanh((x - 90) / 30)
    off = np.array([5.0, -6.0, 6.0, -5.0, 4.0, 0.0, -5.0, 6.0, -6.0, 5.0, -4.0])
    wide = np.arange(8.0, 173.0, 2.0)

    def draw(canvas: np.ndarray) -> None:
        stroke(canvas, [(float(a), float(60 + 30 * np.tanh((a - 90) / 30))) for a in wide], 2)
        for a, b in zip(x, fit + off, strict=True):
            disc(canvas, a, b, 4.5)

    ink = ink_of([(cover(110, 180, draw), RED, "a")])
    assert looks_like_points(ink, ink.layers[0]) > 0.7
    (series,) = read_points(panel_of(110, 180), ink, ink.layers)
    assert nearest(middles(series), np.column_stack([x, fit + off])).max() < 0.5
    assert len(series.marks) == len(x)


def test_markers_behind_others_of_the_same_x() -> None:
    """Two series with fitted curves at the same x: where the second one's squares cover the first one's discs, these
    lie there too, with as much doubt as a disc behind a square leaves."""
    x = np.arange(20.0, 180.0, 16.0)
    curve = [(a, 60 + 30 * np.tanh((a - 100) / 25)) for a in np.arange(8.0, 192.0)]
    rows = np.array([60 + 30 * np.tanh((a - 100) / 25) for a in x]) + 6 * np.cos(np.arange(len(x)))
    behind = rows.copy()
    behind[:5] -= 14  # in sight, the rest just behind the squares

    def first(canvas: np.ndarray) -> None:
        stroke(canvas, curve, 1.5)
        for a, b in zip(x, behind, strict=True):
            disc(canvas, a, b, 4.5)

    def second(canvas: np.ndarray) -> None:
        stroke(canvas, curve, 1.5)
        for a, b in zip(x, rows, strict=True):
            polygon(canvas, [(a - 5, b - 5), (a + 5, b - 5), (a + 5, b + 5), (a - 5, b + 5)])

    under, over = cover(120, 200, first), cover(120, 200, second)
    sample = cover(15, 15, lambda canvas: disc(canvas, 7, 7, 4.5))
    square = cover(15, 15, lambda canvas: polygon(canvas, [(2, 2), (12, 2), (12, 12), (2, 12)]))
    seen = np.asarray(under * (1 - over), dtype=np.float32)
    ink = ink_of([(over, BLUE, "b"), (seen, RED, "a")], paint([(under, RED), (over, BLUE)]), [seen * 0, over])
    layers = (replace(ink.layers[0], sample=square), replace(ink.layers[1], sample=sample))
    ink = replace(ink, layers=layers)
    found = {one.name: one for one in read_points(panel_of(120, 200), ink, layers)}
    assert len(found["b"].marks) == len(x)
    assert len(found["a"].marks) == len(x)
    places = np.array([(m.x - 20, m.y - 10) for m in found["a"].marks])
    away = np.abs(places - np.column_stack([x, behind]))
    assert away[:5].max() < 0.3
    assert away.max() < 2.0
    assert [m.bridged for m in found["a"].marks] == [False] * 5 + [True] * (len(x) - 5)


def test_error_bars_set_aside_as_text_are_looked_at_but_grid_lines_are_not() -> None:
    ring = cover(300, 100, lambda canvas: (disc(canvas, 50, 150, 7, 2), stroke(canvas, [(50, 125), (50, 175)], 2.0)))
    rule = cover(300, 100, lambda canvas: stroke(canvas, [(20, 0), (20, 299)], 2.0))
    both = np.maximum(ring, rule)
    ink = ink_of([(ring, (40, 60, 200), "")], pixels=paint([(both, (40, 60, 200))]))
    ink = replace(ink, neutral=both > 0.1)
    mask = taken_for_text(panel_of(300, 100), ink, ink.layers[0])
    assert mask[130:170, 50].all()
    assert not mask[:, 19:22].any()
