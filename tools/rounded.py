"""Bars with rounded corners, made square: their ends are where the middle of the end lies.

Not handled here: ends rounded as one arc where bars touch, corners under other ink.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from tools.ink import Layer
from tools.rectangles import Bits, Floats32

LEAST = 6  # px: sides of what may have rounded corners
MOST = 300  # islands
ARC = (0.08, 0.4)  # share of the square around a quarter of a circle that lies outside of it, 0.21 but for pixels
USUAL = 0.6  # share of the islands that have rounded corners


def with_corners(layer: Layer) -> Layer:
    """The layer with its rounded bars made square."""
    filled = squared(layer.coverage)
    return layer if filled is layer.coverage else replace(layer, coverage=filled)


def squared(coverage: Floats32) -> Floats32:
    """The coverage (h, w) with the corners of its rounded islands filled; as it was where few islands are rounded.

    Discs and ellipses are left alone: they are markers.
    """
    solid = coverage >= 0.5
    count, _, stats, _ = cv2.connectedComponentsWithStats(solid.astype(np.uint8), connectivity=4)
    boxes = [tuple(int(v) for v in row[:4]) for row in stats[1:] if min(row[2:4]) >= LEAST]
    if not 2 <= len(boxes) <= MOST or count > 2 * MOST:
        return coverage
    corners = [_corners(solid[top : top + high, left : left + wide]) for left, top, wide, high in boxes]
    if sum(any(one) for one in corners if one) < USUAL * len(boxes):
        return coverage
    filled = coverage.copy()
    for (left, top, wide, high), one in zip(boxes, corners, strict=True):
        if one is None:
            continue
        rows, columns = slice(max(0, top - 1), top + high + 1), slice(max(0, left - 1), left + wide + 1)
        across, down = coverage[top + high // 2, columns], coverage[rows, left + wide // 2]
        filled[rows, columns] = np.maximum(filled[rows, columns], np.minimum.outer(down, across))
    return filled


def _corners(island: Bits) -> tuple[bool, ...] | None:
    """Which of its four corners are rounded; None where ink is missing elsewhere, or all of it is one disc."""
    high, wide = island.shape
    if not island[high // 2].all() or not island[:, wide // 2].all():
        return None
    found, missing, radii = [], 0, []
    for corner in (island, island[:, ::-1], island[::-1], island[::-1, ::-1]):
        across, down = int(np.argmax(corner[0])), int(np.argmax(corner[:, 0]))
        absent = int((~corner[:down, :across]).sum())
        missing += absent
        radii.append((across, down))
        square = max(1, across * down)
        found.append(min(across, down) >= 2 and ARC[0] < absent / square < ARC[1] and across < 3 * down < 9 * across)
    if missing < (~island).sum():
        return None
    disc = all(found) and all(2.3 * across >= wide and 2.3 * down >= high for across, down in radii)
    return None if disc else tuple(found)
