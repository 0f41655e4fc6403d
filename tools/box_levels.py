"""The level strokes of box plots, and which of them could be the two ends of one box.

Boxes that touch have their ends in one stroke where these lie about as high: it is cut at the sides of the boxes.

Not handled here: what the strokes make up (`boxes`). Arrays are (h, w) crops, upright or turned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.types import Box

Plane = NDArray[np.float32]

INK = 0.3
THICKEST = 9  # px
SIDE = 7  # px: sides of boxes and whiskers are longer
LONG = 3  # times the shortest stroke: no point on a stroke is as long
MOST = 12  # strokes that meet one level stroke: more are a hatch
BEYOND = 3  # px that a stroke leads out of a box which it only crosses


@dataclass(frozen=True)
class Level:
    """A level stroke: centre row `y` (sub-pixel), first and last column, thickness in rows."""

    y: float
    left: int
    right: int
    thick: float


def levels(plane: Plane, shortest: int) -> list[Level]:
    """Level strokes of at least `shortest` px: runs of ink in a row, joined with equal runs in the rows below.

    Those that upright strokes meet on the way come whole and also in part, from each of these strokes to each.
    """
    opened = cv2.morphologyEx((plane > INK).astype(np.uint8), cv2.MORPH_OPEN, np.ones((1, shortest), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(opened, connectivity=8)
    uprights = _uprights(plane)
    found: list[Level] = []
    for left, top, width, height in stats[1:count, :4].tolist():
        run = Box(left, top, left + width - 1, top + height - 1)
        if height <= THICKEST:
            found += _level(plane, run)
        elif width >= LONG * shortest:
            found += _under_points(opened[top : top + height, left : left + width] > 0, plane, run, shortest)
        if height <= 2 * THICKEST and width >= 2 * shortest:
            found += _parts(plane, run, uprights, shortest)
    return found


def _under_points(inked: NDArray[np.bool_], plane: Plane, run: Box, shortest: int) -> list[Level]:
    """Level strokes within a run that points of their own colour make thick: what goes on for longer than a point.

    inked: (height, width), the run's box in `plane`.
    """
    longer = max(LONG * shortest, inked.shape[1] // LONG)
    opened = cv2.morphologyEx(np.pad(inked, 1).astype(np.uint8), cv2.MORPH_OPEN, np.ones((1, longer), np.uint8))[
        1:-1, 1:-1
    ]
    count, _, stats, _ = cv2.connectedComponentsWithStats(np.ascontiguousarray(opened), connectivity=8)
    return [
        stroke
        for left, top, width, height in stats[1:count, :4].tolist()
        if height <= THICKEST
        for stroke in _level(
            plane, Box(run.x0 + left, run.y0 + top, run.x0 + left + width - 1, run.y0 + top + height - 1)
        )
    ]


def _level(plane: Plane, run: Box) -> list[Level]:
    rows = np.arange(max(0, int(run.y0) - 1), min(plane.shape[0], int(run.y1) + 2))
    inset = int(run.width + 1) // 8
    weight = np.median(plane[rows, int(run.x0) + inset : int(run.x1) + 1 - inset], axis=1).astype(np.float64)
    if weight.sum() <= 0 or int((weight > INK).sum()) > THICKEST:
        return []
    return [Level(float((weight * rows).sum() / weight.sum()), int(run.x0), int(run.x1), float(weight.sum()))]


def _uprights(plane: Plane) -> list[Box]:
    """Upright strokes: longer than `SIDE`, no thicker than `THICKEST`."""
    opened = cv2.morphologyEx((plane > INK).astype(np.uint8), cv2.MORPH_OPEN, np.ones((SIDE + 1, 1), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(opened, connectivity=8)
    return [
        Box(left, top, left + width - 1, top + height - 1)
        for left, top, width, height in stats[1:count, :4].tolist()
        if width <= THICKEST
    ]


def _parts(plane: Plane, run: Box, uprights: Sequence[Box], shortest: int) -> list[Level]:
    """The pieces of a run between the upright strokes that meet it, each with both of its strokes."""
    meeting = [
        one for one in uprights
        if one.y0 <= run.y1 + 2 and one.y1 >= run.y0 - 2 and one.x0 > run.x0 - 3 and one.x1 < run.x1 + 3
    ]  # fmt: skip
    if not 3 <= len(meeting) <= MOST:
        return []
    meeting.sort(key=lambda one: one.x0)
    found: list[Level] = []
    for first, last in combinations(meeting, 2):
        short = last.x1 - first.x0 + 1 < shortest
        whole = first.x0 - run.x0 < shortest / 2 and run.x1 - last.x1 < shortest / 2
        if not short and not whole:
            found += _level(plane, Box(first.x0, run.y0, last.x1, run.y1))
    return found


def same_extent(first: Level, second: Level) -> bool:
    """Whether two level strokes begin and end alike, as far as the side of a box beside it may lead one of them on."""
    slack = 2 + min(0.09 * (first.right - first.left), 2 + 0.04 * (first.right - first.left))
    return abs(first.left - second.left) <= slack and abs(first.right - second.right) <= slack


def joined(plane: Plane, first: Level, second: Level) -> bool:
    """Ink at both ends for most of the way from the one stroke to the other (a notch may leave the straight line), and
    no side of further boxes in between."""
    rows = slice(int(np.ceil(first.y + 1)), int(np.floor(second.y)))
    if rows.stop - rows.start < 1:
        return False
    inner = plane[rows, max(first.left, second.left) + 3 : min(first.right, second.right) - 2]
    if inner.size and float((inner > INK).mean()) > 0.6:
        return False  # solid: an area, a bar
    sides = []
    for near, far in ((first.left, second.left), (first.right, second.right)):
        low, high = max(0, min(near, far) - 2), max(near, far) + 3
        sides.append(float((plane[rows, low:high].max(axis=1) > INK).mean()))
    return min(sides) > 0.6 and not _parted(plane, first, second)


def _parted(plane: Plane, first: Level, second: Level) -> bool:
    """Whether an upright stroke leads from the one stroke to the other and no farther: the side of two boxes."""
    rows = slice(int(np.ceil(first.y + first.thick / 2 + 1)), int(np.floor(second.y - second.thick / 2)))
    inset = THICKEST
    columns = slice(max(first.left, second.left) + inset, min(first.right, second.right) + 1 - inset)
    if rows.stop - rows.start < 3 or columns.stop <= columns.start:
        return False
    through = np.flatnonzero((plane[rows, columns] > INK).mean(axis=0) > 0.97) + columns.start
    above = slice(max(0, int(first.y - first.thick / 2) - BEYOND - 1), max(0, int(first.y - first.thick / 2) - 1))
    below = slice(int(second.y + second.thick / 2) + 2, int(second.y + second.thick / 2) + BEYOND + 2)
    out = [(plane[rows][:, through] > INK).all(axis=0) if plane[rows].size else np.zeros(len(through), dtype=bool)
           for rows in (above, below)]  # fmt: skip
    return bool(len(through) and not (out[0] & out[1]).any())
