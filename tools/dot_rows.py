"""Markers in rows of their own whose sizes differ: forest plots, with squares as large as their weights and a diamond.

Not handled here: markers of one size, several of one colour in a row that touch (`points`), what a size stands for.
"""

from __future__ import annotations

import cv2
import numpy as np

from tools.markers import Places, Plane, blobs, extent

SMALLEST, LARGEST = 3, 60  # px of a marker's height
WIDEST = 240  # px across a diamond
FEWEST = 3
COMPACT = 0.88  # of its hull that a marker fills
ALL = 0.9  # of the ink that is in such pieces
DIFFER = 1.2  # the largest to the smallest
WIDE = 1.4  # times as wide as high is the diamond of a pooled estimate
HALF = (0.4, 0.62)  # of its box that a diamond fills


def one_each(amount: Plane) -> Places | None:
    """The middles of the pieces of ink (h, w) where each is one marker, whatever its size; None where all have one size
    or some are more than one marker."""
    pieces = [blob for blob in blobs(amount) if min(blob.width, blob.height) >= SMALLEST]
    total = float(np.minimum(amount, 1.0).sum())
    if len(pieces) < FEWEST or any(blob.width > WIDEST or blob.height > LARGEST for blob in pieces):
        return None
    if sum(blob.area for blob in pieces) < ALL * total:
        return None
    heights = [blob.height for blob in pieces]
    if max(heights) + 1 < DIFFER * (min(heights) + 1) and max(blob.width for blob in pieces) < WIDE * max(heights):
        return None
    rows = np.sort([blob.y for blob in pieces])
    if float(np.diff(rows).min()) < 0.5 * max(heights):
        return None
    if any(_solidity(amount, blob.left, blob.top, blob.width, blob.height) < COMPACT for blob in pieces):
        return None
    return [(blob.x, blob.y) for blob in pieces]


def _solidity(amount: Plane, left: int, top: int, width: int, height: int) -> float:
    """The share of its convex hull that a piece of ink fills."""
    part = (amount[top : top + height, left : left + width] > 0.35).astype(np.uint8)
    outer, _ = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.fillConvexPoly(np.zeros_like(part), cv2.convexHull(np.concatenate(outer)), 1)
    return float(part.sum()) / max(1.0, float(hull.sum()))


def diamond_ends(amount: Plane, x: float, y: float) -> tuple[float, float] | None:
    """The first and last column of the wide diamond around (x, y), sub-pixel; None where there is none."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats((amount > 0.35).astype(np.uint8), connectivity=8)
    row, column = round(y), round(x)
    if not (0 <= row < amount.shape[0] and 0 <= column < amount.shape[1]) or not labels[row, column]:
        return None
    left, top, width, height, area = (int(v) for v in stats[labels[row, column]])
    if width < WIDE * height or height < SMALLEST + 1 or not HALF[0] < area / (width * height) < HALF[1]:
        return None
    own = np.where(labels[top : top + height, left : left + width] == labels[row, column], 1.0, 0.0)
    part = np.minimum(amount[top : top + height, left : left + width], 1.0) * own
    if abs(float((part * np.arange(width)).sum() / part.sum()) - (width - 1) / 2) > 0.1 * width:
        return None
    across = extent(part.astype(np.float32))[0]
    middle = left + (width - 1) / 2
    return middle - across / 2, middle + across / 2
