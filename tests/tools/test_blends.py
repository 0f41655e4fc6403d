"""Translucent fills over each other: which colours are overlaps, and of what."""

from __future__ import annotations

import numpy as np

from tools.blends import find_blends, is_fill

PAPER = np.full(3, 255.0)
GREY, GREEN, STROKE = (146.0, 162.0, 168.0), (148.0, 205.0, 198.0), (38.0, 70.0, 83.0)
OVERLAP = (93.0, 159.0, 155.0)  # green over grey: like a shade of grey, and exactly their overlap


def planes(stroke: bool = True) -> np.ndarray:
    """Coverage of grey, green, overlap and a stroke: two fills side by side that overlap in the middle."""
    found = np.zeros((4, 40, 90), dtype=np.float32)
    found[0, 10:, :30] = 1
    found[1, 10:, 60:] = 1
    found[2, 10:, 30:60] = 1
    if stroke:
        found[3, 8:10, :60] = 1
    return found


def test_an_overlap_of_two_fills_is_no_shade_of_one_of_them() -> None:
    palette = np.array([GREY, GREEN, OVERLAP, STROKE])
    assert {k: set(into) for k, into in find_blends(palette, PAPER, planes(), [0, 1]).items()} == {2: {0, 1}}


def test_fills_overlap_and_not_the_stroke_in_the_full_colour_of_one() -> None:
    orange, blue, full = (246.0, 190.0, 152.0), (161.0, 184.0, 225.0), (68.0, 114.0, 196.0)
    palette = np.array([orange, blue, (199.0, 155.0, 137.0), full])
    assert {k: set(into) for k, into in find_blends(palette, PAPER, planes(), [3]).items()} == {2: {0, 1}}


def test_strokes_are_no_fills() -> None:
    masks = planes() > 0.5
    assert [is_fill(mask) for mask in masks] == [True, True, True, False]
    assert not is_fill(np.zeros((5, 5), dtype=bool))
