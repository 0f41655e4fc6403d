"""Curves and reference lines over bars, and the name that a heading gives the curve."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tools.shapes import cover, ink_of, paint, polygon, stroke
from tools.overlines import average_named, is_level, runs_over
from tools.types import Box, Mark, Rgb, Series, Word

GREY: Rgb = (150, 150, 150)
GREEN: Rgb = (20, 150, 60)
TOPS = 60 + 40 * np.cos(np.arange(40) / 3.0) * np.cos(np.arange(40))


def bars(canvas: np.ndarray) -> None:
    for k, top in enumerate(TOPS):
        polygon(canvas, [(10 + 7 * k, top), (15 + 7 * k, top), (15 + 7 * k, 118), (10 + 7 * k, 118)])


def series() -> Series:
    marks = tuple(
        Mark("bar", 32.5 + 7 * k, top + 10, Box(30 + 7 * k, top + 10, 35 + 7 * k, 128)) for k, top in enumerate(TOPS)
    )
    return Series("", GREY, "bar", marks)


def test_a_curve_over_bars_is_no_outline() -> None:
    mean = [(12.5 + 7 * k, 70 + 20 * np.cos(k / 6)) for k in range(40)]
    outline = [point for k, top in enumerate(TOPS) for point in ((10.0 + 7 * k, top), (17.0 + 7 * k, top))]
    curve = cover(120, 300, lambda canvas: stroke(canvas, mean, 3))
    rim = cover(120, 300, lambda canvas: stroke(canvas, outline, 2))
    for plane, expected in ((curve, True), (rim, False)):
        pixels = paint([(cover(120, 300, bars), GREY), (plane, GREEN)])
        ink = ink_of([(plane, GREEN, "")], pixels)
        assert runs_over(ink, ink.layers[0], [series()]) is expected


@pytest.mark.parametrize(("points", "level"), [([(5, 50), (295, 50)], True), ([(5, 50), (295, 58)], False)])
def test_a_level_line_is_a_reference(points: list[tuple[float, float]], level: bool) -> None:
    dashes = [[(a + 12 * k / 290 * (b - a), c + 12 * k / 290 * (d - c)) for k in (i, i + 0.6)]
              for i in range(24) for (a, c), (b, d) in [points]]  # fmt: skip
    plane = np.max([cover(120, 300, lambda canvas, dash=dash: stroke(canvas, dash, 2)) for dash in dashes], axis=0)
    ink = ink_of([(plane, GREEN, "")])
    assert is_level(ink.layers[0]) is level


def test_a_heading_names_the_average() -> None:
    line = Series("", GREEN, "line", (Mark("vertex", 1.0, 2.0),))
    words = [Word("Cases and their 7-day moving average, by onset", Box(0, 0, 9, 9))]
    assert [one.name for one in average_named([series(), line], words)] == ["", "7-day moving average"]
    assert [one.name for one in average_named([line], words)] == [""]
    assert [one.name for one in average_named([series(), line, line], words)] == ["", "", ""]
