"""Walks through ink: what lies near one, where two of them run together, which of their places are inked.

A walk is an array (n, 3) of the first row, the last row and the column, column by column to the right.
Not handled here: finding walks (`dashes`), telling them apart (`dash_swaps`).
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.types import Floats

Walk = NDArray[np.int64]


def near_walk(walk: Walk, shape: tuple[int, ...], stroke: float) -> NDArray[np.bool_]:
    """Pixels (h, w) within the stroke of a walk."""
    mask = np.zeros(shape[:2], dtype=np.uint8)
    for low, high, column in walk.tolist():
        mask[low : high + 1, column] = 1
    reach = 2 * int(np.ceil(0.5 * stroke + 0.7)) + 1
    return np.asarray(cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))) > 0)


def middles(walk: Walk, width: int) -> Floats:
    """Middle row of a walk in every column (w,), nan where it does not run."""
    rows = np.full(width, np.nan)
    rows[walk[:, 2]] = (walk[:, 0] + walk[:, 1]) / 2
    return rows


def meetings(one: Walk, other: Walk, near: float) -> list[tuple[int, int]]:
    """First and last column of every stretch in which two walks are within `near` rows, left to right."""
    width = int(max(one[-1, 2], other[-1, 2])) + 1
    with np.errstate(invalid="ignore"):
        close = np.abs(middles(one, width) - middles(other, width)) <= near
    edges = np.flatnonzero(np.diff(np.concatenate(([False], close, [False])).astype(np.int8)))
    return [(int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def places(walk: Walk) -> tuple[NDArray[np.int64], Floats]:
    """The pixels (m, 2) row and column that a walk passes one after the other, and the length in px of each.

    A column that it climbs gives one place for each of its rows, in the order in which they are climbed.
    """
    middle = (walk[:, 0] + walk[:, 1]) / 2
    slope = np.gradient(middle) if len(walk) > 1 else np.zeros(len(walk))
    found: list[tuple[int, int]] = []
    length: list[float] = []
    for (low, high, column), climb in zip(walk.tolist(), slope.tolist(), strict=True):
        count = high - low + 1
        rows = range(low, high + 1) if climb >= 0 else range(high, low - 1, -1)
        found += [(row, column) for row in rows]
        length += [float(np.hypot(1.0, max(climb if count == 1 else 0.0, count - 1, key=abs))) / count] * count
    return np.array(found, dtype=np.int64).reshape(-1, 2), np.array(length, dtype=np.float64)


def across(ink: Floats, at: NDArray[np.int64], steep: NDArray[np.bool_]) -> Floats:
    """The fullest coverage (m,) at places (m, 2) and their neighbours across the walk: above and below, or beside
    where it is `steep` (m,)."""
    padded = np.pad(ink, 1)
    r, c = at[:, 0] + 1, at[:, 1] + 1
    level = np.max([padded[r - 1, c], padded[r, c], padded[r + 1, c]], axis=0)
    beside = np.max([padded[r, c - 1], padded[r, c], padded[r, c + 1]], axis=0)
    return np.asarray(np.where(steep, beside, level), dtype=np.float64)
