"""Strokes that cross markers in their own ink, shapes behind points, markers of several sizes in rows."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import pytest

from tests.tools.shapes import cover, disc, ink_of, nearest, panel_of, polygon, stroke
from tools.clutter import without_clutter
from tools.cores import core_template, filled_ink, stroke_of
from tools.crossed import without_strokes
from tools.dot_rows import diamond_ends, one_each
from tools.halos import halos_of
from tools.markers import Plane
from tools.point_likeness import looks_like_points
from tools.points import read_points
from tools.shades import amount_of
from tools.strips import are_strips
from tools.types import Axis, Mark, Rgb, Series
from tools.whiskers import read_error_bars

BLUE: Rgb = (31, 119, 180)
STRIP = [(30.0, 40.0), (44.0, 52.0), (36.0, 66.0), (104.0, 31.0), (92.0, 45.0), (110.0, 58.0), (99.0, 72.0)]
CROSSES = [(30.0, 110.0), (62.0, 90.0), (70.0, 84.0), (110.0, 55.0), (150.0, 28.0)]


def strip(canvas: np.ndarray) -> None:
    for x, y in STRIP:
        disc(canvas, x, y, 5)
    stroke(canvas, [(15, 54), (55, 54)], 2)
    stroke(canvas, [(83, 52), (123, 52)], 2)


def crosses(canvas: np.ndarray) -> None:
    for k, (x, y) in enumerate(CROSSES):
        stroke(canvas, [(x - 11 - k, y), (x + 11 + k, y)], 1.5)
        stroke(canvas, [(x, y - 18 + k), (x, y + 18 - k)], 1.5)
        cv2.circle(canvas, (int(8 * x + 4), int(8 * y + 4)), 36, 0, -1)
        disc(canvas, x, y, 4.5, 1)


def steps(canvas: np.ndarray) -> None:
    places = [(20.0 + 22 * k, 90.0 - 11 * k) for k in range(7)]
    for x, y in places:
        disc(canvas, x, y, 5)
    corners = [p for (x, y), (after, _) in pairwise(places) for p in ((x, y), (after, y))]
    stroke(canvas, [*corners, places[-1]], 1.5)


@pytest.mark.parametrize("turned", [False, True])
def test_mean_lines_leave_the_markers_that_they_cross(turned: bool) -> None:
    plane = cover(100, 140, strip)
    alone = cover(100, 140, lambda canvas: [disc(canvas, x, y, 5) for x, y in STRIP])
    bare = without_strokes(np.ascontiguousarray(plane.T) if turned else plane)
    assert bare is not None
    rest = np.abs((bare.T if turned else bare) - alone)
    assert float(rest.sum()) < 0.08 * float(alone.sum())  # specks beside the strokes' ends in markers
    assert float((plane - alone).sum()) > 0.15 * float(alone.sum())


def test_rings_with_error_bars_both_ways_are_points() -> None:
    ink = ink_of([(cover(140, 180, crosses), (0, 0, 0), "")])
    assert looks_like_points(ink, ink.layers[0]) > 0.5
    (series,) = read_points(panel_of(140, 180), ink, ink.layers)
    found = np.array([(mark.x - 20, mark.y - 10) for mark in series.marks])
    assert len(found) == 5
    assert nearest(found, np.array(CROSSES)).max() < 0.6


def test_steps_from_marker_to_marker_stay() -> None:
    assert without_strokes(cover(110, 170, steps)) is None


def test_a_cut_marker_beside_other_ink_is_no_stroke() -> None:
    def cut(canvas: np.ndarray) -> None:
        for x, y in [(30.0, 40.0), (60.0, 60.0), (90.0, 30.0), (97.0, 30.0), (120.0, 62.0)]:
            disc(canvas, x, y, 7)
        canvas[8 * 25 : 8 * 35] = 0

    other = np.zeros((90, 150), dtype=bool)
    other[25:35] = True
    plane = cover(90, 150, cut)
    assert without_strokes(plane) is None or without_strokes(plane, other) is None
    assert without_strokes(plane, other) is None


def test_squares_of_weights_and_a_diamond_are_one_marker_each() -> None:
    sizes = [(60.0, 20.0, 4.0), (80.0, 45.0, 7.0), (75.0, 70.0, 5.0)]

    def forest(canvas: np.ndarray) -> None:
        for x, y, half in sizes:
            polygon(canvas, [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)])
        polygon(canvas, [(50, 95), (70, 88), (90, 95), (70, 102)])

    plane = cover(120, 140, forest)
    places = one_each(plane)
    assert places is not None
    true = [*((x, y) for x, y, _ in sizes), (70.0, 95.0)]
    np.testing.assert_allclose(sorted(places, key=lambda at: at[1]), true, atol=0.3)
    ends = diamond_ends(plane, 70, 95)
    assert ends is not None
    np.testing.assert_allclose(ends, (50, 90), atol=1.0)
    assert diamond_ends(plane, 80, 45) is None
    alike = cover(120, 140, lambda canvas: [disc(canvas, x, y, 5) for x, y, _ in sizes])
    assert one_each(alike) is None


def test_an_ellipse_in_a_tint_of_the_points_is_passed_over() -> None:
    places = [(40.0 + 9 * k, 40.0 + 13 * (k % 4)) for k in range(8)]
    points = cover(120, 160, lambda canvas: [disc(canvas, x, y, 4) for x, y in places])
    shape = cover(120, 160, lambda canvas: cv2.ellipse(canvas, (8 * 72, 8 * 58), (400, 280), 15, 0, 360, 255, -1))
    shape = np.where(points > 0, 0, shape).astype(np.float32)
    scores = {0: {"points": 0.2}, 1: {"points": 0.9}}
    tint: Rgb = (222, 235, 244)
    assert halos_of(ink_of([(shape, tint, ""), (points, BLUE, "")]), scores) == {0}
    assert halos_of(ink_of([(shape, (250, 220, 200), ""), (points, BLUE, "")]), scores) == set()
    many = cover(
        120, 160, lambda canvas: [disc(canvas, 12 + 25 * k, 30 + 40 * j, 10) for k in range(6) for j in (0, 1)]
    )
    assert halos_of(ink_of([(many, tint, ""), (points, BLUE, "")]), scores) == set()


def test_a_dark_rim_is_no_overlap_of_translucent_markers() -> None:
    places = [(20.0 + 23 * k, 30.0 + 17 * (k % 3)) for k in range(6)]
    rims = cover(90, 160, lambda canvas: [disc(canvas, x, y, 7, 1) for x, y in places])
    discs = cover(90, 160, lambda canvas: [disc(canvas, x, y, 7) for x, y in places])
    violet: Rgb = (160, 32, 240)
    ink = ink_of([(np.clip(discs - 0.5 * rims, 0, 1).astype(np.float32), violet, ""), (rims, (0, 0, 0), "")],
                 pixels=_painted(discs, rims, violet))  # fmt: skip
    amount, _ = amount_of(ink, ink.layers[:1], np.zeros((90, 160), dtype=bool))
    assert 0.9 < float(amount.max()) < 1.2


def _painted(discs: Plane, rims: Plane, colour: Rgb) -> np.ndarray:
    pixels = 255 + discs[..., None] * (np.array(colour, dtype=np.float64) - 255)
    return np.round(pixels * (1 - rims[..., None])).astype(np.uint8)


def test_markers_with_error_bars_thicker_than_the_fitted_curve_have_cores() -> None:
    places = [(20.0 + 30 * k, 80.0 - 10 * k + (3 if k % 2 else -3)) for k in range(6)]

    def fit(canvas: np.ndarray) -> None:
        stroke(canvas, [(5, 85), (185, 25)], 1.5)
        for x, y in places:
            stroke(canvas, [(x, y - 16), (x, y + 16)], 3)
            disc(canvas, x, y, 5)

    plane = cover(120, 190, fit)
    found = core_template(filled_ink(plane), stroke_of(plane))
    assert found is not None
    assert nearest(np.array(found[1]), np.array(places)).max() < 0.7


def test_points_beside_each_other_over_a_category_are_strips() -> None:
    key = Axis("bottom", "category", 1 / 40, -1.5, categories=("A", "B", "C"))  # slots at 60, 100, 140

    def points(*xs: float) -> Series:
        return Series("", BLUE, "points", tuple(Mark("marker", x, 50) for x in xs))

    where = panel_of(100, 140, key)
    assert are_strips(where, [points(55, 60, 66, 100)])
    assert not are_strips(where, [points(60, 100, 140), points(61, 101)])
    assert not are_strips(panel_of(100, 140), [points(55, 60, 66)])


def test_an_error_bar_through_a_marker_does_not_widen_it() -> None:
    def draw(canvas: np.ndarray) -> None:
        for k, (x, y) in enumerate(CROSSES[:1] + CROSSES[3:]):
            stroke(canvas, [(x - 14 - k, y), (x + 14 + k, y)], 2)
            stroke(canvas, [(x, y - 16 + k), (x, y + 16 - k)], 2)

    rods = cover(140, 180, draw)
    discs = cover(140, 180, lambda canvas: [disc(canvas, x, y, 5) for x, y in (CROSSES[:1] + CROSSES[3:])])
    pixels = np.round(255 * (1 - rods[..., None]) * np.ones(3))
    pixels = np.round(pixels + discs[..., None] * (np.array(BLUE) - pixels)).astype(np.uint8)
    ink = ink_of([(discs, BLUE, ""), (np.where(discs > 0, 0, rods).astype(np.float32), (0, 0, 0), "")], pixels)
    places = CROSSES[:1] + CROSSES[3:]
    series = Series("", BLUE, "points", tuple(Mark("marker", x + 20, y + 10) for x, y in places))
    values = Axis("left", "linear", -1.0, 150.0)
    where = panel_of(140, 180, values)
    read = read_error_bars(where, ink, series)
    lows = [mark.y - 10 for mark in read.marks if mark.part == "low"]
    np.testing.assert_allclose(lows, [y + 16 - k for k, (_, y) in enumerate(places)], atol=1.2)
    line = Series("", (0, 0, 0), "line", tuple(Mark("sample", x + 20, y + 10) for x, y in places))
    assert without_clutter(where, ink, [series, line]) == [series]


def test_crosses_with_pale_rims_are_one_layer_of_ink() -> None:
    plane = np.zeros((90, 160), dtype=np.float32)
    for x, y in ((20, 20), (60, 30), (100, 55), (130, 20), (40, 65)):
        for way in (1, -1):  # strokes a pixel wide and its neighbours in part
            for k in range(-4, 5):
                part = plane[y + way * k, x + k - 1 : x + k + 2]
                np.maximum(part, (0.6, 1.0, 0.6), out=part)
    ink = ink_of([(plane, (214, 39, 40), "")])
    amount, _ = amount_of(ink, ink.layers, np.zeros(plane.shape, dtype=bool))
    assert float(amount.max()) <= 1.0
    (series,) = read_points(panel_of(90, 160), ink, ink.layers)
    found = sorted((mark.x - 20, mark.y - 10) for mark in series.marks)
    assert np.allclose(found, [(20, 20), (40, 65), (60, 30), (100, 55), (130, 20)], atol=0.5)
