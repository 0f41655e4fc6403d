"""Lollipops, dot plots, forest plots: what leads to a marker is no data, values lie along their axis."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.tools.barplots import categories, values
from tests.tools.shapes import cover, disc, ink_of, panel_of, polygon, stroke
from tools.ink import Layer, PlotInk
from tools.point_likeness import looks_like_points
from tools.points import read_points
from tools.stems import without_false_ends, without_ghosts, without_stems, without_unfilled
from tools.tabulate import tabulate
from tools.types import Axis, Box, Mark, Panel, Rgb, Series
from tools.whiskered import without_whiskers
from tools.whiskers import read_error_bars

BLUE: Rgb = (31, 119, 180)
GREY: Rgb = (128, 128, 128)
ENDS = (60.0, 110.0, 85.0)
ROWS = (30.0, 60.0, 90.0)
NAMES = ("Norway", "Chile", "Japan")
ACROSS = Axis("bottom", "linear", 1.0, -20.0)
BESIDE = Axis("left", "category", 1 / 30, -40 / 30, categories=NAMES)


def heads() -> Series:
    marks = tuple(Mark("marker", 20 + x, 10 + y) for x, y in zip(ENDS, ROWS, strict=True))
    return Series("", BLUE, "points", marks, "bottom", "horizontal")


def stems(name: str = "") -> Series:
    boxes = [Box(20.0, 9 + y, 16 + x, 11 + y) for x, y in zip(ENDS, ROWS, strict=True)]
    marks = tuple(Mark("bar", box.x1, (box.y0 + box.y1) / 2, box) for box in boxes)
    return Series(name, GREY, "bar", marks, "bottom", "horizontal")


def panel(*axes: Axis) -> Panel:
    return panel_of(120, 160, *axes)


def test_stems_go_named_bars_stay() -> None:
    where = panel(ACROSS, BESIDE)
    assert [one.kind for one in without_stems(where, [stems(), heads()])] == ["points"]
    assert len(without_stems(where, [stems("cases"), heads()])) == 2
    elsewhere = Series("", GREY, "bar", (Mark("bar", 150, 20, Box(20, 15, 150, 25)),), "bottom", "horizontal")
    assert len(without_stems(where, [elsewhere, heads()])) == 2


def test_error_bars_from_marker_to_marker_or_to_one_line_are_stems() -> None:
    one = heads()
    to_base = [mark for head in one.marks for mark in (head, Mark("low", 20.0, head.y))]
    kept = without_false_ends([Series("", BLUE, "points", tuple(to_base), "bottom", "horizontal")])[0]
    assert [mark.part for mark in kept.marks] == ["marker"] * 3
    apart = [m for k, head in enumerate(one.marks)
             for m in (head, Mark("low", head.x - 9 - k, head.y), Mark("high", head.x + 9, head.y))]  # fmt: skip
    both = Series("", BLUE, "points", tuple(apart), "bottom", "horizontal")
    assert without_false_ends([both])[0] is both


def test_faint_grey_strokes_beside_colours_are_what_is_left_of_a_grid() -> None:
    line = Series("", (225, 225, 225), "line", (Mark("vertex", 1, 1), Mark("vertex", 50, 1)))
    assert without_ghosts([line, heads()], (255, 255, 255)) == [heads()]
    assert without_ghosts([line], (255, 255, 255)) == [line]


def test_points_beside_categories_have_a_row_per_category() -> None:
    plane = cover(120, 160, lambda canvas: [disc(canvas, x, y, 5) for x, y in zip(ENDS, ROWS, strict=True)])
    ink = ink_of([(plane, BLUE, "")])
    where = panel(ACROSS, BESIDE)
    table = tabulate(where, read_points(where, ink, ink.layers))
    rows = [(row[0].value, round(float(row[1].value or 0))) for row in table.rows]  # type: ignore[union-attr, arg-type]
    assert rows == [("Norway", 60), ("Chile", 110), ("Japan", 85)]


def test_a_strip_of_points_in_its_own_colour_is_no_series_of_its_own() -> None:
    key = categories("bottom", 50, 40, NAMES)
    marks = [[Mark("marker", 50 + 40 * k + 3 * i, 30 + 10 * i) for i in range(3)] for k in range(2)]
    strips = [Series("", colour, "points", tuple(own)) for colour, own in zip((BLUE, GREY), marks, strict=True)]
    table = tabulate(Panel(Box(0, 0, 200, 120), Box(0, 0, 200, 120), axes=(key, values("left", 110, 1.0))), strips)
    assert [row[0].value for row in table.rows] == ["Norway"] * 3 + ["Chile"] * 3  # type: ignore[union-attr]
    assert len({row[-1].value for row in table.rows}) == 1  # type: ignore[union-attr]


def forest(canvas: np.ndarray) -> None:
    for x, y in zip(ENDS, ROWS, strict=True):
        polygon(canvas, [(x - 4.5, y - 4.5), (x + 4.5, y - 4.5), (x + 4.5, y + 4.5), (x - 4.5, y + 4.5)])
        stroke(canvas, [(x - 25, y), (x + 18, y)], 1.5)


def test_markers_with_error_bars_through_them_are_points_with_ends() -> None:
    plane = cover(120, 160, forest)
    ink = ink_of([(plane, (0, 0, 0), "")])
    where = panel(ACROSS, BESIDE)
    assert without_whiskers(plane) is not None
    assert looks_like_points(ink, ink.layers[0]) > 0.9
    (series,) = read_points(where, ink, ink.layers)
    read = read_error_bars(where, ink, series)
    for part, expected in (("marker", ENDS), ("low", [x - 25 for x in ENDS]), ("high", [x + 18 for x in ENDS])):
        found = [mark.x - 20 for mark in sorted(read.marks, key=lambda mark: mark.y) if mark.part == part]
        np.testing.assert_allclose(found, expected, atol=0.8)


def test_a_line_with_markers_keeps_its_line() -> None:
    def zigzag(canvas: np.ndarray) -> None:
        places = [(20.0 + 15 * i, 40.0 + 30 * (i % 2)) for i in range(9)]
        stroke(canvas, places, 1.5)
        for x, y in places:
            disc(canvas, x, y, 4)

    assert without_whiskers(cover(120, 160, zigzag)) is None


def test_nameless_bars_that_hold_none_of_their_colour_are_rims() -> None:
    brown, rim = np.zeros((60, 100), np.float32), np.zeros((60, 100), np.float32)
    brown[20:] = 1.0
    rim[20] = 1.0
    hidden = np.zeros((60, 100), np.bool_)
    layers = (Layer((120, 80, 20), brown, hidden), Layer((46, 0, 0), rim, hidden))
    ink = PlotInk((5, 5), np.zeros((60, 100, 3), np.uint8), (255, 255, 255), hidden, layers)
    box = Box(5, 25, 104, 64)
    filled = Series("", (120, 80, 20), "bar", (Mark("bar", 54, 25, box),))
    empty = Series("", (46, 0, 0), "bar", (Mark("bar", 54, 25, Box(5, 5, 104, 64)),))  # 100 of 6,000 px are its own
    named = replace(empty, name="rim")
    assert without_unfilled(ink, [filled, empty, named]) == [filled, named]


def test_a_pale_crowd_of_points_is_no_grid() -> None:
    dark = Series("", (0, 0, 0), "points", tuple(Mark("marker", 10.0 * k, 50.0) for k in range(9)))
    crowd = tuple(Mark("marker", 7.0 * k % 200, 11.0 * k % 300) for k in range(60))
    pale = Series("", (190, 190, 190), "points", crowd)
    corners = tuple(Mark("marker", 20.0 * (k % 5), 60.0 * (k // 5)) for k in range(25))
    grid = Series("", (190, 190, 190), "points", corners)
    assert without_ghosts([dark, pale, grid], (255, 255, 255)) == [dark, pale]


def test_short_bars_through_hollow_markers_are_taken_off() -> None:
    """Of four squares in outline two have a bar that hardly leaves them."""
    places = [(30.0, 40.0), (80.0, 70.0), (130.0, 50.0), (180.0, 90.0)]

    def draw(canvas: np.ndarray) -> None:
        for n, (x, y) in enumerate(places):
            corners = [(x - 12, y - 12), (x + 12, y - 12), (x + 12, y + 12), (x - 12, y + 12), (x - 12, y - 12)]
            stroke(canvas, corners, 3.0)
            stroke(canvas, [(x, y), (x, y - (20 if n % 2 else 9))], 3.0)

    bare = without_whiskers(cover(130, 210, draw))
    assert bare is not None
    for x, y in places:
        assert np.flatnonzero(bare[:, round(x)] > 0.5).min() > y - 16
        assert bare[round(y) - 12, round(x) - 6] > 0.5  # the outline stays
