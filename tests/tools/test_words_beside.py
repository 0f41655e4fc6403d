"""Labels of points, sizes of bubbles and printed values."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.tools.shapes import Plane, cover, disc, ink_of, panel_of
from tools.bubbles import looks_like_bubbles, read_bubbles
from tools.table import Cell, Table
from tools.tabulate import tabulate
from tools.types import Axis, Box, Rgb, Word
from tools.unread import kind_in
from tools.words_beside import with_more

BLUE: Rgb = (31, 119, 180)
DOWN = Axis("left", "linear", -1.0, 150.0)
ACROSS = Axis("bottom", "linear", 1.0, -20.0)
DISCS = ((30, 40, 4.0), (70, 90, 7.5), (120, 50, 11.0), (137, 60, 9.0), (180, 100, 14.0), (210, 30, 5.5))


def bubbles(discs: tuple[tuple[float, float, float], ...]) -> Plane:
    def paint(canvas: NDArray[np.uint8]) -> None:
        for x, y, radius in discs:
            disc(canvas, x, y, radius)

    return cover(140, 240, paint)


def word(text: str, x: float, y: float) -> Word:
    return Word(text, Box(x, y - 5, x + 6 * len(text), y + 5))


def test_bubbles_have_their_centres_and_sizes_even_where_two_overlap() -> None:
    ink = ink_of([(bubbles(DISCS), BLUE, "a")])
    panel = panel_of(140, 240, DOWN, ACROSS)
    assert looks_like_bubbles(ink.layers[0])
    series = read_bubbles(panel, ink, ink.layers)
    table = tabulate(panel, series)
    assert isinstance(table, Table)
    table = with_more(table, panel, series, ())
    assert table.header == ("x", "a", "size", "series")
    assert [row[0].value for row in table.rows] == pytest.approx([x for x, _, _ in DISCS], abs=0.4)
    assert [row[1].value for row in table.rows] == pytest.approx([140 - y for _, y, _ in DISCS], abs=0.4)
    assert [row[2].value for row in table.rows] == pytest.approx([np.pi * r**2 for _, _, r in DISCS], rel=0.08)


def test_markers_of_one_size_and_areas_are_no_bubbles() -> None:
    same = bubbles(tuple((x, y, 8.0) for x, y, _ in DISCS))
    area = np.zeros((140, 240), dtype=np.float32)
    for column in range(240):
        area[60 + int(40 * np.sin(column / 20)) :, column] = 1.0
    for plane in (same, area):
        assert not looks_like_bubbles(ink_of([(plane, BLUE, "a")]).layers[0])


def test_points_take_the_names_beside_them() -> None:
    ink = ink_of([(bubbles(DISCS), BLUE, "a")])
    panel = panel_of(140, 240, DOWN, ACROSS)
    series = read_bubbles(panel, ink, ink.layers)
    table = tabulate(panel, series)
    assert isinstance(table, Table)
    names = ["Kenya", "Laos", "Chad", "Peru", "Mali", "Iraq"]
    words = [word(name, x + 20 + r + 3, y + 6) for name, (x, y, r) in zip(names, DISCS, strict=True)]
    labelled = with_more(table, panel, series, [*words, word("far from every point", 25, 145)])
    assert labelled.header == ("x", "a", "size", "label", "series")
    assert [row[3].text for row in labelled.rows] == names
    few = with_more(table, panel, series, words[:3])
    assert "label" not in few.header


def bars(values: list[float]) -> Table:
    rows = tuple(
        (Cell(name, name), Cell(value, str(value), "read", "", (40.0 + 40 * k, 150 - value), value - 0.6, value + 0.6))
        for k, (name, value) in enumerate(zip("abcd", values, strict=True))
    )
    return Table(("x", "n"), rows)


def test_printed_values_are_preferred_where_the_ink_agrees() -> None:
    panel = panel_of(140, 240, DOWN, ACROSS)
    measured, printed = [23.2, 44.7, 80.4, 12.3], ["23.5", "44.6", "30.1", "12.0"]
    words = [
        word(text, 28 + 40 * k, 150 - value - 9) for k, (text, value) in enumerate(zip(printed, measured, strict=True))
    ]
    table = with_more(bars(measured), panel, (), words)
    assert [row[1].value for row in table.rows] == [23.5, 44.6, 80.4, 12.0]
    assert [row[1].source for row in table.rows] == ["ocr", "ocr", "pixel", "ocr"]
    assert table.rows[0][1].low == pytest.approx(23.45)
    assert with_more(bars(measured), panel, (), [word("77", 28 + 40 * k, 60) for k in range(4)]) == bars(measured)


def test_a_box_in_perspective_with_doubtful_axes_is_refused_by_name() -> None:
    pixels = np.full((400, 500, 3), 255, dtype=np.uint8)
    for k in range(7):  # the grids of two walls
        cv2.line(pixels, (40, 100 + 40 * k), (250, 30 + 40 * k), (150, 150, 150), 1)
        cv2.line(pixels, (250, 30 + 40 * k), (460, 100 + 40 * k), (150, 150, 150), 1)
    low = tuple(replace(axis, confidence="low") for axis in (DOWN, ACROSS))
    assert kind_in(pixels, panel_of(140, 240, *low), None, True) == "a chart in perspective (3-D)"
    assert kind_in(pixels, panel_of(140, 240, DOWN, ACROSS), None, True) == ""
