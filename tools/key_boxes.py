"""Frames of legends that were not read: thin rectangles in the plot around samples and their names, which are no data.

Told by the ink alone, so that a legend whose names no one could read never becomes bars: the frame touches no other
ink, and in it samples of one size stand left of other marks. Not handled here: legends without a frame, and those
that curves run into; reading them (`tools.legend`); frames around words alone (`tools.text_boxes`).
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.colour import Mask
from tools.types import Box

STROKE = 5  # px: no frame is thicker
LEAST, MOST = 12, 0.35  # px of the shorter side; of the plot's area
DRAWN = 0.85  # of each side: corners may be round
LONG = 1.8  # times its height: a patch or a line sample, with or without a marker
WIDER = 1.2  # times the height of a name's letters: no minus sign
ALIGNED = 3.0  # px

Stats = NDArray[np.int32]


def key_boxes(ink: Mask) -> Mask:
    """(h, w) bool: the pixels of framed boxes of samples and names in a plot's ink (h, w), frames included."""
    found = np.zeros(ink.shape, dtype=bool)
    height, width = ink.shape
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8), connectivity=8)
    parts = np.asarray(stats[:, :4], dtype=np.int32)
    for number in range(1, len(parts)):
        x, y, w, h = (int(v) for v in parts[number])
        inside = x > 0 and y > 0 and x + w < width and y + h < height
        if not inside or min(w, h) < LEAST or w * h > MOST * ink.size:
            continue
        if _is_frame(labels[y : y + h, x : x + w] == number) and _holds_keys(_within(parts, number)):
            found[Box(x, y, x + w - 1, y + h - 1).grown(1).slices(height, width)] = True
    return found


def _is_frame(own: Mask) -> bool:
    """Whether a part (h, w) of the ink is the outline of its box and nothing more."""
    thick = STROKE if min(own.shape) > 4 * STROKE else 2
    if own[thick:-thick, thick:-thick].any():
        return False
    sides = (own[:thick].any(0), own[-thick:].any(0), own[:, :thick].any(1), own[:, -thick:].any(1))
    return all(float(side.mean()) >= DRAWN for side in sides)


def _within(parts: Stats, number: int) -> Stats:
    """The parts (n, 4) of x, y, width, height that lie inside the box of one of them."""
    x, y, w, h = parts[number]
    inner = (parts[:, 0] > x) & (parts[:, 1] > y)
    inner &= (parts[:, 0] + parts[:, 2] < x + w) & (parts[:, 1] + parts[:, 3] < y + h)
    return np.asarray(parts[inner & (parts[:, 2] * parts[:, 3] > 3)], dtype=np.int32)


def _holds_keys(parts: Stats) -> bool:
    """Whether wide marks of one size stand in the first column, each with further marks of its row right of it.

    A title may stand above them; pieces of dashed samples stand in their column.
    """
    x, y, w, h = (parts[:, k].astype(np.float64) for k in range(4))
    wide = w >= LONG * h
    if not wide.any():
        return False
    start = x[wide].min()
    widest = w[wide & (x - start <= ALIGNED)].max()
    samples = wide & (x - start <= ALIGNED) & (widest - w <= ALIGNED)
    beside = x >= start + widest
    if (x[y > y[samples].min()] < start - ALIGNED).any():
        return False
    for k in np.flatnonzero(samples):
        middle = y[k] + h[k] / 2
        names = beside & (y - 2 <= middle) & (y + h + 2 >= middle)
        if not names.any() or widest < WIDER * h[names].max():
            return False
    return True
