"""Bars in less usual shapes: rounded, coloured by sign, in thin outlined stacks, with wide seams; unread words."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.tools.barplots import BLUE, RED, layer, plot, rectangles, values
from tools.bars import looks_like_bars, read_bars
from tools.clutter import without_clutter
from tools.ink import PlotInk
from tools.lettering import is_lettering
from tools.rounded import squared
from tools.signed_bars import by_sign
from tools.types import Axis, Box, Evidence, LegendEntry, Mark, Series

HEIGHTS = (60, 25, 80, 42)


def rounded(radius: int) -> np.ndarray:
    """Coverage (120, 200) of four bars of 24 px with round upper corners that stand on row 100."""
    picture = np.zeros((120, 200), dtype=np.float32)
    for k, height in enumerate(HEIGHTS):
        left, top = 20 + 45 * k, 100 - height
        picture[top + radius : 100, left : left + 24] = 1
        picture[top : top + radius, left + radius : left + 24 - radius] = 1
        for x in (left + radius, left + 23 - radius):
            cv2.circle(picture, (x, top + radius), radius, 1.0, -1)
    return picture


def test_rounded_bars_end_where_the_middle_of_their_end_lies() -> None:
    axes = (Axis("bottom", "category", 1 / 45, -32 / 45, categories=("a", "b", "c", "d")), values("left", 99.5, 1.0))
    panel, ink = plot([layer(rounded(7))], axes)
    assert looks_like_bars(panel, ink, ink.layers[0]) > 0.9
    (found,) = read_bars(panel, ink, ink.layers)
    assert [99.5 - mark.y for mark in found.marks] == pytest.approx(HEIGHTS, abs=0.3)


def test_discs_and_plain_bars_stay_as_they_are() -> None:
    discs = np.zeros((60, 120), dtype=np.float32)
    for x in (20, 60, 100):
        cv2.circle(discs, (x, 30), 9, 1.0, -1)
    assert squared(discs) is discs
    bars = rectangles((60, 120), [(10, 20, 30, 50), (50, 10, 70, 50)])
    assert squared(bars) is bars


def signed(rising: list[int], hanging: list[int], name: str = "") -> list[Series]:
    """Bars 8 px wide every 10 px around row 50: 20 px up at the `rising` places, 15 px down at the `hanging` ones."""
    up = [Mark("bar", 10.0 * k, 30.0, Box(10 * k - 4, 30, 10 * k + 4, 50)) for k in rising]
    down = [Mark("bar", 10.0 * k, 65.0, Box(10 * k - 4, 50, 10 * k + 4, 65)) for k in hanging]
    evidence = Evidence("read_bars")
    return [Series(name, RED, "bar", tuple(up), "left", "vertical", evidence),
            Series("", BLUE, "bar", tuple(down), "left", "vertical", evidence)]  # fmt: skip


def test_colours_of_signs_are_one_series() -> None:
    (one,) = by_sign(signed([1, 2, 5], [3, 4, 6]))
    assert [mark.y for mark in one.marks] == [30, 30, 65, 65, 30, 65]


def test_named_signs_and_mirrored_pairs_are_two_series() -> None:
    assert len(by_sign(signed([1, 2, 5], [3, 4, 6], "growth"))) == 2
    assert len(by_sign(signed([1, 2, 3], [1, 2, 3]))) == 2


def test_thin_segments_of_a_stack_are_bars_where_the_legend_shows_a_patch() -> None:
    lower = [(5 * k, 60, 5 * k + 2, 99.5) for k in range(1, 20)]
    upper = [(5 * k, 20 + k, 5 * k + 2, 58.5) for k in range(1, 20)]
    edges = [(5 * k - 1.5, 19 + k, 5 * k, 99.5) for k in range(1, 21)]
    sheets = [rectangles((110, 110), boxes) for boxes in (upper, lower, edges)]
    entry = LegendEntry("probable", RED, "patch", Box(90, 5, 100, 11), Box(102, 5, 109, 11))
    axes = (values("left", 99.5, 1.0), values("bottom", 0, 5.0))
    layers = [layer(sheets[0], RED, "probable"), layer(sheets[1], BLUE), layer(sheets[2], (0, 0, 0))]
    panel, ink = plot(layers, axes)
    bare = looks_like_bars(panel, ink, ink.layers[0])
    patch = type(layers[0])(RED, sheets[0], layers[0].hidden, "probable", entry)
    named = PlotInk(ink.origin, ink.pixels, ink.background, ink.neutral, (patch, *layers[1:]))
    assert looks_like_bars(panel, named, patch) > 0.9 > bare


def test_segments_of_wide_stacks_rest_on_each_other_across_wide_seams() -> None:
    columns = [(20, 200), (240, 420)]
    upper = rectangles((200, 440), [(left, 20, right, 90) for left, right in columns])
    lower = rectangles((200, 440), [(left, 94.5, right, 179.5) for left, right in columns])
    panel, ink = plot([layer(upper, RED), layer(lower)], (values("left", 179.5, 1.0), values("bottom", 0, 100.0)))
    assert looks_like_bars(panel, ink, ink.layers[0]) > 0.9


def test_thick_strokes_of_hollow_bars_are_no_bars() -> None:
    picture = np.zeros((140, 200), dtype=np.float32)
    for k, height in enumerate((50, 90, 70, 20)):
        picture[120 - height : 121, 20 + 40 * k : 23 + 40 * k] = 1
        picture[120 - height : 121, 60 + 40 * k : 63 + 40 * k] = 1
        picture[120 - height : 123 - height, 20 + 40 * k : 63 + 40 * k] = 1
    panel, ink = plot([layer(picture, (0, 0, 0))], (values("left", 120, 1.0), values("bottom", 21, 4.0)))
    (found,) = read_bars(panel, ink, ink.layers)
    assert [120 - mark.y for mark in found.marks] == pytest.approx([49, 89, 69, 19], abs=1)


def lettered(texts: list[tuple[str, int, int]], size: tuple[int, int] = (100, 260)) -> np.ndarray:
    picture = np.zeros(size, dtype=np.uint8)
    for text, x, y in texts:
        cv2.putText(picture, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, 255, 1)
    return picture.astype(np.float32) / 255


def test_words_are_lettering_and_dashes_and_markers_are_not() -> None:
    words = lettered([("3.1e6", 10, 20), ("27.4", 80, 40), ("905", 150, 30), ("12", 220, 60)])
    assert is_lettering(words, words > 1)
    dashes, markers = np.zeros_like(words), np.zeros_like(words)
    for k in range(20):
        dashes[40 + k : 42 + k, 12 * k : 12 * k + 7] = 1
        cv2.circle(markers, (12 * k + 6, 50 - k), 3, 1.0, 1)
    assert not is_lettering(dashes, dashes > 1)
    assert not is_lettering(markers, markers > 1)


def test_unread_words_over_bars_are_no_series() -> None:
    words = lettered([("3.1e6", 10, 20), ("27.4", 80, 40), ("905", 150, 30), ("12", 220, 60)])
    bars = rectangles((100, 260), [(10 + 70 * k, 45 + 5 * k, 50 + 70 * k, 95) for k in range(3)])
    panel, ink = plot([layer(bars), layer(words, (20, 20, 20))], (values("left", 95, 1.0),))
    evidence = Evidence("read_bars")
    marks = tuple(Mark("vertex", 10.0 * k, 30.0) for k in range(1, 20))
    series = [Series("", BLUE, "bar", (Mark("bar", 30, 45, Box(10, 45, 50, 95)),), "left", "vertical", evidence),
              Series("", (20, 20, 20), "line", marks, "left", "vertical", evidence)]  # fmt: skip
    assert [one.kind for one in without_clutter(panel, ink, series)] == ["bar"]
