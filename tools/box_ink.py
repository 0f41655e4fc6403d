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
WEAKEST = 90.0  # channel difference between paper and strokes
SOLID = 0.85  # likeness to the strokes of what is filled with their colour
LIKE = 45  # channel difference within which a layer is the one of these strokes

Plane = NDArray[np.float32]
Bits = NDArray[np.bool_]


def stroke_layers(panel: Panel, ink: PlotInk, layers: Sequence[Layer]) -> list[Layer]:
    """The layers that may outline boxes: coloured ones as they are, the colourless one of strokes from the picture.

    In that one (black on white paper, white on black) every stroke counts, outlines of fills too, but for the legend,
    long rules and the frame.
    """
    colour = _stroke_colour(ink)
    if colour is None:
        return list(layers)
    plane = _strokes(ink, colour)
    if panel.legend.box is not None:
        box, (x, y) = panel.legend.box, ink.origin
        plane[Box(box.x0 - x, box.y0 - y, box.x1 - x, box.y1 - y).slices(*plane.shape)] = 0.0
    own = [layer for layer in layers if _is_like(layer.colour, colour)]
    first = own[0] if own else Layer(colour, plane, np.zeros(plane.shape, dtype=bool))
    outline = Layer(first.colour, plane, np.zeros(plane.shape, dtype=bool), first.name, first.entry)
    return [*(layer for layer in layers if not _is_like(layer.colour, colour)), outline]


def _is_like(colour: Rgb, stroke: Rgb) -> bool:
    return colourless(colour) and max(abs(a - b) for a, b in zip(colour, stroke, strict=True)) < LIKE


def _contrast(ink: PlotInk, colour: Rgb) -> Plane:
    return np.asarray(np.abs(ink.pixels.astype(np.float32) - np.asarray(colour, dtype=np.float32)).max(axis=2))


def _above_ground(plane: Plane) -> Plane:
    """What stands out from the ground around it, up to `WIDEST` thick."""
    return np.asarray(plane - cv2.morphologyEx(plane, cv2.MORPH_OPEN, np.ones((WIDEST, WIDEST), np.uint8)))


def _stroke_colour(ink: PlotInk) -> Rgb | None:
    """The usual colour of the strongest thin colourless strokes off the border; None without any."""
    grey = np.ptp(ink.pixels, axis=2) < 24
    away = np.where(grey, _contrast(ink, ink.background), 0.0).astype(np.float32)
    inner = (slice(3, -3), slice(3, -3))
    found = ((away > WEAKEST) & (_above_ground(away) > WEAKEST / 3))[inner]
    if found.sum() < 20:
        return None
    strength, pixels = away[inner][found], ink.pixels[inner][found]
    red, green, blue = (int(v) for v in np.median(pixels[strength >= np.percentile(strength, 70)], axis=0))
    return red, green, blue


def _strokes(ink: PlotInk, colour: Rgb) -> Plane:
    """How far each pixel is covered by a thin stroke of this colour: its likeness above that of the fill around it."""
    paper = max(abs(a - b) for a, b in zip(colour, ink.background, strict=True))
    likeness = np.clip(1.0 - _contrast(ink, colour) / float(max(paper, 1)), 0.0, 1.0).astype(np.float32)
    above = _above_ground(likeness)
    plane = np.asarray(above / np.maximum(1.0 - likeness + above, 0.05), dtype=np.float32)
    plane = np.asarray(np.maximum(plane, _rims(likeness)), dtype=np.float32)
    plane[:2], plane[-2:], plane[:, :2], plane[:, -2:] = 0.0, 0.0, 0.0, 0.0
    height, width = plane.shape
    for shape in ((1, max(60, int(0.6 * width))), (max(60, int(0.6 * height)), 1)):
        rules = cv2.morphologyEx((plane > 0.3).astype(np.uint8), cv2.MORPH_OPEN, np.ones(shape, np.uint8))
        plane[rules > 0] = 0.0
    return plane


def _rims(likeness: Plane) -> Plane:
    """The outermost pixels of what is filled with the very colour of the strokes: boxes of a copy in two tones."""
    solid = (likeness > SOLID).astype(np.uint8)
    fills = cv2.morphologyEx(solid, cv2.MORPH_OPEN, np.ones((WIDEST, WIDEST), np.uint8))
    return np.asarray(fills - cv2.erode(fills, np.ones((3, 3), np.uint8)), np.float32)


def healed(plane: Plane, over: Bits) -> Plane:
    """The strokes of this plane led on under `over`, the ink drawn across them: points, not fills."""
    for shape in ((WIDEST, WIDEST), (1, GAP + 3), (GAP + 3, 1)):
        fills = cv2.morphologyEx(over.astype(np.uint8), cv2.MORPH_OPEN, np.ones(shape, np.uint8))
        over = over & (fills == 0)
    if not over.any():
        return plane
    level = cv2.morphologyEx(plane, cv2.MORPH_CLOSE, np.ones((1, GAP), np.uint8))
    upright = cv2.morphologyEx(plane, cv2.MORPH_CLOSE, np.ones((WIDEST, 1), np.uint8))
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
