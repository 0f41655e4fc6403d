"""Translucent fills over each other: which colours are overlaps, and of what."""

from __future__ import annotations

import numpy as np

from tools.blends import find_blends, is_fill, settle_flat

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


def test_an_overlap_larger_than_its_fills_is_one_all_the_same() -> None:
    teal, green, both = (150.0, 196.0, 205.0), (142.0, 186.0, 142.0), (111.0, 170.0, 127.0)
    found = np.zeros((3, 40, 90), dtype=np.float32)
    found[0, 10:, :20], found[2, 10:, 20:78], found[1, 10:, 78:] = 1, 1, 1
    paper = np.array([213.0, 228.0, 235.0])
    blends = find_blends(np.array([teal, green, both]), paper, found, [])
    assert {k: set(into) for k, into in blends.items()} == {2: {0, 1}}


def test_strokes_are_no_fills() -> None:
    masks = planes() > 0.5
    assert [is_fill(mask) for mask in masks] == [True, True, True, False]
    assert not is_fill(np.zeros((5, 5), dtype=bool))


def test_a_flat_grey_is_no_share_of_a_darker_one() -> None:
    pixels = np.full((30, 60, 3), 255, np.float32)
    pixels[5:25, 5:25], pixels[5:25, 35:55] = 86, 108  # 108 is 87 % of 86 on paper
    pixels[5:25, 25] = 170  # the soft side of the darker one
    ink = pixels[..., 0] < 250
    palette = np.array([[86.0, 86, 86], [108.0, 108, 108]])
    share = (255 - pixels[..., 0]) / (255 - 86)
    before = np.stack([share, np.zeros_like(share)]).astype(np.float32)
    after = settle_flat(pixels, ink, palette, before)
    inner = (slice(7, 23), slice(37, 53))
    assert (after[0][inner] == 0).all()
    assert (after[1][inner] == 1).all()
    np.testing.assert_array_equal(after[:, :, :30], before[:, :, :30])


def test_rows_of_a_shade_are_no_fills_of_an_overlap() -> None:
    red, weak, faint = (235.0, 83.0, 85.0), (177.0, 68.0, 70.0), (120.0, 53.0, 56.0)
    found = np.zeros((3, 40, 90), dtype=np.float32)
    found[0, 10:], found[1, 9, :50], found[2, 9, 50:] = 1, 1, 1  # soft ends of bars on a grid line, on dark paper
    assert find_blends(np.array([red, weak, faint]), np.array([30.0, 30.0, 34.0]), found, []) == {}
