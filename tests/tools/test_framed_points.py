"""Hollow bars under the points that they summarise."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.tools.barplots import categories, values
from tests.tools.test_framed import paint
from tools.bars import read_bars
from tools.framed_points import bars_under_points
from tools.framed_series import framed_bars
from tools.ink import Layer, PlotInk
from tools.kinds import plan
from tools.types import Box, Panel, Rgb

HEIGHTS = [90, 50, 110]
COLOURS: list[Rgb] = [(0, 0, 0), (190, 0, 0), (0, 50, 250)]
PAPER = (255, 255, 255)


def figure(lying: bool, sides: bool = True) -> tuple[Panel, PlotInk]:
    """A bar of its colour a category, five points over its end, an error bar, a bracket above; one pixel a unit."""
    pixels = np.full((180, 300, 3), 255, np.uint8)
    pixels[159:163] = 0
    pixels[12:15, 60:160] = 0
    for place, (height, colour) in enumerate(zip(HEIGHTS, COLOURS, strict=True)):
        left, end = 30 + 90 * place, 159 - height
        if sides:
            paint(pixels, (left, end, left + 60, 159), "hollow", colour)
        else:
            pixels[end : end + 2, left : left + 62] = colour
        pixels[end - 12 : end + 14, left + 30 : left + 32] = 0
        pixels[[end - 12, end + 13], left + 22 : left + 40] = 0
        for right, up in ((8, 20), (17, 3), (25, -4), (38, -25), (46, 1)):
            cv2.circle(pixels, (left + right, end - up), 4, colour, -1)
    x, y = categories("bottom", 61.0, 90.0, ("a", "b", "c")), values("left", 159.5, 1.0)
    if lying:  # a mirrored transpose: values grow rightwards, categories run down
        pixels = np.ascontiguousarray(pixels.transpose(1, 0, 2)[:, ::-1])
        x, y = values("bottom", 179 - 159.5, 1.0), categories("left", 61.0, 90.0, ("a", "b", "c"))
    own = [(pixels == np.array(colour)).all(axis=2) for colour in COLOURS]
    none = np.zeros(pixels.shape[:2], dtype=bool)
    layers = tuple(Layer(c, part.astype(np.float32), none) for c, part in zip(COLOURS, own, strict=True))
    whole = Box(0, 0, pixels.shape[1] - 1, pixels.shape[0] - 1)
    return Panel(whole, whole, axes=(x, y)), PlotInk((0, 0), pixels, PAPER, none, layers)


@pytest.mark.parametrize("lying", [False, True])
def test_hollow_bars_are_read_under_points_brackets_and_error_bars(lying: bool) -> None:
    panel, ink = figure(lying)
    assert plan(panel, ink) == [("bar", [0, 1, 2])]
    (found,) = read_bars(panel, ink, ink.layers)
    axis = panel.x if lying else panel.y
    assert axis is not None
    read = [float(axis.to_value(mark.x if lying else mark.y)) for mark in found.marks]
    assert read == pytest.approx(HEIGHTS, abs=0.6)


def test_means_drawn_as_level_strokes_are_no_bars() -> None:
    panel, ink = figure(False, sides=False)
    assert bars_under_points(panel, ink) is None
    assert framed_bars(panel, ink) is None


def test_bars_of_some_categories_only_are_left_to_other_readers() -> None:
    panel, ink = figure(False)
    more = categories("bottom", 61.0, 45.0, ("a", "b", "c", "d", "e"))
    assert panel.y is not None
    assert bars_under_points(Panel(panel.box, panel.plot, axes=(more, panel.y)), ink) is None


def test_a_wall_inside_parts_bars_that_touch() -> None:
    panel, ink = figure(False)
    ink.pixels[90:160, 210:260] = 255
    for left in (30, 120, 210):
        paint(ink.pixels, (left + 25, 115, left + 60, 159), "hollow")
    assert bars_under_points(panel, ink) is None
