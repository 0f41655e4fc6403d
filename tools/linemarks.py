"""Markers drawn on a line: blobs much thicker than the stroke, filled or open, all of one size.

Not handled here: thin markers (x, +, stars), which look like the line itself; scatter without lines (`points`).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.types import Floats


@dataclass(frozen=True, eq=False)
class Blobs:
    """Marker centres (n,), left to right, in crop pixels; `radius` of the largest disc that fits into one, in px."""

    x: Floats
    y: Floats
    radius: float


NO_BLOBS = Blobs(np.zeros(0), np.zeros(0), 0.0)


def fill_holes(ink: NDArray[np.bool_], largest: int) -> NDArray[np.bool_]:
    """Ink (h, w) with the roundish holes of up to `largest` pixels across filled: the insides of open markers."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats((~ink).astype(np.uint8), connectivity=4)
    filled = ink.copy()
    for i in range(1, count):
        left, top, width, height, area = (int(v) for v in stats[i])
        if max(width, height) > largest or min(width, height) < 2 or area < 0.4 * width * height:
            continue
        if max(width, height) > 1.8 * min(width, height):
            continue
        filled[top : top + height, left : left + width] |= labels[top : top + height, left : left + width] == i
    return filled


def find_blobs(ink: Floats, stroke: float) -> Blobs:
    """Markers on the line of this layer: `ink` (h, w) coverage, `stroke` its thickness in px. Empty if it has none."""
    solid = fill_holes(ink > 0.5, int(6 * stroke + 14))
    padded = np.pad(solid, 1).astype(np.uint8)
    depth = np.asarray(cv2.distanceTransform(padded, cv2.DIST_L2, 5), dtype=np.float64)[1:-1, 1:-1]
    thick = depth > 0.5 * stroke + 1.1
    count, labels, stats, _ = cv2.connectedComponentsWithStats(thick.astype(np.uint8), connectivity=8)
    if count < 3:
        return NO_BLOBS
    deepest = np.array([depth[labels == i].max() if count < 400 else 0.0 for i in range(1, count)])
    radius = float(np.median(deepest))
    alike = [i + 1 for i, value in enumerate(deepest) if 0.7 * radius < value < 1.4 * radius]
    small = [i for i in alike if max(stats[i][2], stats[i][3]) < 2.5 * radius + 2]
    uneven = float(np.subtract(*np.quantile(deepest, [0.9, 0.1]))) > 0.35 * radius
    if len(small) < 3 or len(small) < 0.6 * (count - 1) or uneven:
        return NO_BLOBS
    centres = np.array([_centre(ink, solid, labels == i, radius) for i in small])
    order = np.argsort(centres[:, 0])
    return Blobs(centres[order, 0], centres[order, 1], radius)


def _centre(
    ink: Floats, solid: NDArray[np.bool_], core: NDArray[np.bool_], radius: float
) -> tuple[float, float]:
    """Centroid of the marker's coverage: within a disc around its core, so that the line's two arms hardly count."""
    rows, columns = np.nonzero(core)
    x, y = float(columns.mean()), float(rows.mean())
    reach = radius + 1.5
    for _ in range(2):
        top, left = max(0, int(y - reach)), max(0, int(x - reach))
        bottom, right = int(y + reach) + 2, int(x + reach) + 2
        window = np.where(solid, np.maximum(ink, solid), ink)[top:bottom, left:right].astype(np.float64)
        r, c = np.mgrid[top : top + window.shape[0], left : left + window.shape[1]]
        window = window * np.clip(reach + 0.5 - np.hypot(c - x, r - y), 0, 1)
        total = window.sum()
        x, y = float((window * c).sum() / total), float((window * r).sum() / total)
    return x, y
