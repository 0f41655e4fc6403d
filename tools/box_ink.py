"""The strokes that box plots are drawn with, also where the ink step took them for outlines of the fills.

A stroke is thin and stands out from what lies on both sides of it, be it paper or a fill; points drawn over it leave
gaps that are closed here. Arrays are (h, w) crops, upright or turned.

Not handled here: which strokes make a box (`boxes`); outlines thicker than `WIDEST`.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.colour import colourless
from tools.ink import Layer, PlotInk
from tools.types import Box, Floats, Image, Panel, Rgb

WIDEST = 9  # px: strokes are thinner
GAP = 15  # px: points that lie over a stroke are narrower
DARK = 110  # the brightest channel of a dark grey or black

Plane = NDArray[np.float32]
Bits = NDArray[np.bool_]


def stroke_layers(panel: Panel, ink: PlotInk, layers: Sequence[Layer]) -> list[Layer]:
    """The layers that may outline boxes: coloured ones as they are, black and dark grey ones as one, from the picture.

    In that one every dark stroke counts, outlines of fills too, but for the legend, long rules and the frame.
    """
    dark = _dark_colour(ink)
    if dark is None:
        return list(layers)
    plane = _dark_strokes(ink, dark)
    if panel.legend.box is not None:
        box, (x, y) = panel.legend.box, ink.origin
        plane[Box(box.x0 - x, box.y0 - y, box.x1 - x, box.y1 - y).slices(*plane.shape)] = 0.0
    own = [layer for layer in layers if _is_dark(layer.colour)]
    outline = Layer(own[0].colour if own else dark, plane, np.zeros(plane.shape, dtype=bool))
    return [*(layer for layer in layers if not _is_dark(layer.colour)), outline]


def _is_dark(colour: Rgb) -> bool:
    return colourless(colour) and max(colour) < DARK


def _dark_colour(ink: PlotInk) -> Rgb | None:
    """The usual colour of the darkest colourless pixels off the border; None on dark paper or without any."""
    if max(ink.background) < 2 * DARK:
        return None
    inner = ink.pixels[3:-3, 3:-3].reshape(-1, 3)
    dark = inner[(inner.max(axis=1) < DARK) & (np.ptp(inner, axis=1) < 24)]
    if len(dark) < 20:
        return None
    red, green, blue = (int(v) for v in np.percentile(dark, 30, axis=0))
    return red, green, blue


def _dark_strokes(ink: PlotInk, dark: Rgb) -> Plane:
    """How far each pixel is covered by a thin dark stroke: its darkness above that of the fill around it."""
    paper = np.asarray(ink.background, dtype=np.float32)
    away = np.abs(ink.pixels.astype(np.float32) - np.asarray(dark, dtype=np.float32)).max(axis=2)
    darkness = np.clip(1.0 - away / float(np.abs(paper - np.asarray(dark)).max()), 0.0, 1.0).astype(np.float32)
    ground = cv2.morphologyEx(darkness, cv2.MORPH_OPEN, np.ones((WIDEST, WIDEST), np.uint8))
    plane = np.asarray((darkness - ground) / np.maximum(1.0 - ground, 0.05), dtype=np.float32)
    plane[:2], plane[-2:], plane[:, :2], plane[:, -2:] = 0.0, 0.0, 0.0, 0.0
    height, width = plane.shape
    for kernel in (
        np.ones((1, max(60, int(0.6 * width))), np.uint8),
        np.ones((max(60, int(0.6 * height)), 1), np.uint8),
    ):
        rules = cv2.morphologyEx((plane > 0.3).astype(np.uint8), cv2.MORPH_OPEN, kernel)
        plane[rules > 0] = 0.0
    return plane


def healed(plane: Plane, over: Bits) -> Plane:
    """The strokes of this plane led on under `over`, the ink drawn across them."""
    if not over.any():
        return plane
    level = cv2.morphologyEx(plane, cv2.MORPH_CLOSE, np.ones((1, GAP), np.uint8))
    upright = cv2.morphologyEx(plane, cv2.MORPH_CLOSE, np.ones((GAP, 1), np.uint8))
    return np.where(over, np.maximum(level, upright), plane).astype(np.float32)


def inner_stroke(pixels: Image, left: float, right: float, top: float, bottom: float) -> tuple[float, float] | None:
    """Row and contrast of the level stroke inside a box that stands out most from its fill; None without any.

    pixels: (h, w, 3). Only the middle of the box is looked at, since notches leave no more; points and letters on it
    are narrower than half of that.
    """
    width = right - left
    columns = slice(int(np.ceil(left + 0.3 * width)), int(np.floor(right - 0.3 * width)) + 1)
    first, last = int(np.ceil(top + 2.5)), int(np.floor(bottom - 2.5))
    if last - first < 3 or columns.stop - columns.start < 2:
        return None
    rows = np.median(pixels[first : last + 1, columns].astype(np.float64), axis=1)
    fill = np.median(rows, axis=0)
    away = np.abs(rows - fill).max(axis=1)
    peak = int(np.argmax(away))
    if away[peak] < 30 or away[peak] < 3 * float(np.median(away)):
        return None
    return _centre(away, peak, first), float(away[peak])


def _centre(away: Floats, peak: int, first: int) -> float:
    """The middle of the run of rows around the peak, weighted by how much they stand out."""
    low = high = peak
    while low > 0 and away[low - 1] > 0.15 * away[peak] and peak - low < WIDEST:
        low -= 1
    while high < len(away) - 1 and away[high + 1] > 0.15 * away[peak] and high - peak < WIDEST:
        high += 1
    weight = away[low : high + 1]
    return first + float((weight * np.arange(low, high + 1)).sum() / weight.sum())
