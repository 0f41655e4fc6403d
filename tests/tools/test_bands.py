"""Confidence bands of figures drawn here: mean line, lower and upper border at its points."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tools.bands import read_bands
from tools.ink import separate
from tools.lines import read_lines
from tools.types import Axis, Box, Figure, Image, Legend, Panel, Rgb, Series

ORANGE: Rgb = (230, 120, 30)
BLUE: Rgb = (31, 119, 180)
X = np.linspace(20, 380, 13)
FINE = 4  # times the picture that is drawn and then shrunk


def drawn(curves: list[tuple[Rgb, np.ndarray, np.ndarray, np.ndarray]], alpha: float = 0.3) -> Image:
    """A plot of 400 x 240 px: for each curve its band (top, bottom), and over all of them the lines."""
    canvas = np.full((240 * FINE, 400 * FINE, 3), 255.0)
    for colour, _, top, bottom in curves:
        mask = np.zeros(canvas.shape[:2], np.uint8)
        outline = np.concatenate([np.column_stack([X, top]), np.column_stack([X, bottom])[::-1]])
        cv2.fillPoly(mask, [np.round((outline + 0.5) * FINE).astype(np.int32)], 1)
        canvas[mask > 0] = alpha * np.array(colour) + (1 - alpha) * canvas[mask > 0]
    for colour, y, _, _ in curves:
        points = np.round((np.column_stack([X, y]) + 0.5) * FINE).astype(np.int32)
        cv2.polylines(canvas, [points], False, [float(c) for c in colour], 2 * FINE)
    small = canvas.reshape(240, FINE, 400, FINE, 3).mean(axis=(1, 3))
    return np.asarray(np.round(small), dtype=np.uint8)


def read(pixels: Image, turned: bool = False) -> list[Series]:
    y_axis = Axis("left", "linear", 1.0, 0.0) if turned else Axis("left", "linear", -1.0, 240.0)
    axes = (Axis("bottom", "linear", 1.0, 0.0), y_axis)
    panel = Panel(Box(0, 0, 399, 239), Box(0, 0, 399, 239), axes=axes, legend=Legend(()))
    ink = separate(Figure(pixels, "test"), panel, ())
    lines = read_lines(panel, ink, [layer for layer in ink.layers if not layer.veil])
    return read_bands(panel, ink, lines)


def ends(one: Series, part: str) -> np.ndarray:
    return np.array([mark.y for mark in one.marks if mark.part == part])


WAVE = 120 + 40 * np.sin(X / 50)


@pytest.mark.parametrize("turned", [False, True])
def test_a_band_gives_low_and_high_at_the_points_of_its_line(turned: bool) -> None:
    (one,) = read(drawn([(ORANGE, WAVE, WAVE - 22, WAVE + 14)]), turned)
    assert len(ends(one, "low")) == len(ends(one, "high")) == 13
    upper, lower = ("low", "high") if turned else ("high", "low")
    assert np.abs(ends(one, upper) - (WAVE - 22)).max() < 0.6
    assert np.abs(ends(one, lower) - (WAVE + 14)).max() < 0.6


def test_bands_that_overlap_each_other_belong_to_their_own_lines() -> None:
    other = 140 - 30 * np.sin(X / 60)
    found = read(drawn([(ORANGE, WAVE, WAVE - 22, WAVE + 22), (BLUE, other, other - 18, other + 18)]))
    assert len(found) == 2
    for one in found:
        y = WAVE if one.colour[0] > 150 else other
        half = 22 if one.colour[0] > 150 else 18
        assert np.median(np.abs(ends(one, "high") - (y - half))) < 0.6
        assert np.median(np.abs(ends(one, "low") - (y + half))) < 0.6


def test_a_fill_down_to_the_base_line_is_no_band() -> None:
    (one,) = read(drawn([(ORANGE, WAVE, WAVE, np.full(13, 230.0))]))
    assert not ends(one, "low").size
