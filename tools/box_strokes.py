"""The strokes of box plots as read: rectangles, medians, whiskers and caps, for overlays and for the redraw check.

Not handled here: outliers (`redraw` draws them like points), notches (they lie inside their rectangle).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.ink import PlotInk
from tools.types import Mark, Rgb, Series

FIVE = ("whisker_low", "q1", "median", "q3", "whisker_high")
ON = 0.6  # of a stroke's pixels that must stand on ink
Place = tuple[float, float]
Stroke = tuple[Place, Place]


def boxes_of(one: Series) -> list[dict[str, Mark]]:
    """The five marks of each box by part, in the order of the series, four where its median is hidden; no outliers."""
    found: list[dict[str, Mark]] = []
    for mark in one.marks:
        if mark.part == FIVE[0] or not found:
            found.append({})
        if mark.part in FIVE:
            found[-1][mark.part] = mark
    return [box for box in found if set(FIVE) - box.keys() <= {"median"}]


def strokes_of(one: Series) -> list[Stroke]:
    """Every stroke of every box in figure pixels: four sides (the quartiles are two of them), median, both whiskers."""
    lying = one.orientation == "horizontal"
    return [stroke for box in boxes_of(one) for stroke in _strokes(box, lying)]


def _strokes(box: dict[str, Mark], lying: bool) -> list[Stroke]:
    first, last = _width(box["q1"], lying)
    middle = box["q1"].y if lying else box["q1"].x
    at = {part: mark.x if lying else mark.y for part, mark in box.items()}
    low, q1, q3, high = (at[part] for part in FIVE if part != "median")
    across = [((first, at[part]), (last, at[part])) for part in FIVE[1:4] if part in at]
    along = [((side, q1), (side, q3)) for side in (first, last)]
    whiskers = [((middle, start), (middle, end)) for start, end in ((q1, low), (q3, high)) if abs(start - end) > 1]
    every = [*across, *along, *whiskers]
    return [((a[1], a[0]), (b[1], b[0])) for a, b in every] if lying else every


def _width(mark: Mark, lying: bool) -> Place:
    """Where a box begins and ends along the axis of the categories."""
    if mark.box is None:
        at = mark.y if lying else mark.x
        return at, at
    return (mark.box.y0, mark.box.y1) if lying else (mark.box.x0, mark.box.x1)


def draw_boxes(canvas: NDArray[np.uint8], one: Series, colour: Rgb | int, check: bool) -> None:
    """Draw the boxes of a series into `canvas` (H, W, 3) or (H, W), in place, in figure pixels.

    With `check` the rectangles are filled, strokes are three pixels wide, and caps as wide as the box are drawn.
    """
    lying = one.orientation == "horizontal"
    for box in boxes_of(one) if check else ():
        first, last = _width(box["q1"], lying)
        levels = {part: mark.x if lying else mark.y for part, mark in box.items()}
        corner, opposite = _pixel((first, levels["q1"]), lying), _pixel((last, levels["q3"]), lying)
        caps = [((first, levels[part]), (last, levels[part])) for part in (FIVE[0], FIVE[4])]
        cv2.rectangle(canvas, corner, opposite, colour, -1)
        for start, end in caps:
            cv2.line(canvas, _pixel(start, lying), _pixel(end, lying), colour, 3)
    for start, end in strokes_of(one):
        cv2.line(canvas, _pixel(start), _pixel(end), colour, 3 if check else 1)


def _pixel(place: Place, lying: bool = False) -> tuple[int, int]:
    x, y = place[::-1] if lying else place
    return round(x), round(y)


def supported_strokes(ink: PlotInk, near: NDArray[np.bool_], one: Series) -> list[bool]:
    """For each stroke of the boxes whether most of it stands on ink; `near` (h, w): the crop's ink, made wider."""
    return [share >= ON for start, end in strokes_of(one) if (share := _share(ink, near, (start, end))) is not None]


def _share(ink: PlotInk, near: NDArray[np.bool_], places: Sequence[Place]) -> float | None:
    """Of the pixels of a stroke in the crop, how many stand on ink; None for a stroke outside of it."""
    canvas = np.zeros(near.shape, dtype=np.uint8)
    for start, end in pairwise(places):
        a, b = ((round(x) - ink.origin[0], round(y) - ink.origin[1]) for x, y in (start, end))
        cv2.line(canvas, a, b, 1, 1)
    drawn = canvas > 0
    return float(near[drawn].mean()) if drawn.any() else None
