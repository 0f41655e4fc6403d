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


SHADOW = 0.6  # coverage that a drop shadow of a marker may seem to have
EMPTY = 1e-6  # px of ink: none
MOST = 2000  # blobs: more are no markers
NO_BLOBS = Blobs(np.zeros(0), np.zeros(0), 0.0)


def fill_holes(ink: NDArray[np.bool_], largest: int) -> NDArray[np.bool_]:
    """Ink (h, w) with the roundish holes of up to `largest` pixels across filled: the insides of open markers."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats((~ink).astype(np.uint8), connectivity=4)
    filled = ink.copy()
    for i, (left, top, width, height, area) in enumerate(stats[1:].tolist(), 1):
        longer, shorter = max(width, height), min(width, height)
        if shorter >= 2 and longer <= min(largest, 1.8 * shorter) and area >= 0.4 * width * height:
            box = (slice(top, top + height), slice(left, left + width))
            filled[box] |= labels[box] == i
    return filled


def find_blobs(ink: Floats, stroke: float) -> Blobs:
    """Markers on the line of this layer: `ink` (h, w) coverage, `stroke` its thickness in px. Empty if it has none."""
    solid = fill_holes(ink > 0.5, int(6 * stroke + 14))
    padded = np.pad(solid, 1).astype(np.uint8)
    depth = np.asarray(cv2.distanceTransform(padded, cv2.DIST_L2, 5), dtype=np.float64)[1:-1, 1:-1]
    thick = depth > 0.5 * stroke + 1.1
    count, labels, stats, _ = cv2.connectedComponentsWithStats(thick.astype(np.uint8), connectivity=8)
    if count < 4 or count > MOST:
        return NO_BLOBS
    boxes = [(slice(y, y + h), slice(x, x + w)) for x, y, w, h, _ in stats[1:].tolist()]
    deepest = np.array([depth[box][labels[box] == i].max() for i, box in enumerate(boxes, 1)])
    large = deepest > 0.6 * np.quantile(deepest, 0.9)  # smaller ones are where the stroke bends or crosses itself
    radius = float(np.median(deepest[large]))
    sizes = np.maximum(stats[1:, 2], stats[1:, 3])
    alike = np.flatnonzero((deepest > 0.7 * radius) & (deepest < 1.4 * radius) & (sizes < 2.5 * radius + 2))
    uneven = float(np.subtract(*np.quantile(deepest[large], [0.9, 0.1]))) > 0.35 * radius
    if len(alike) < 3 or len(alike) < 0.6 * large.sum() or uneven:
        return NO_BLOBS
    bare = np.clip((ink - SHADOW) / (1 - SHADOW), 0.0, 1.0)
    filled = np.where(solid & (ink < 0.5), 1.0, bare)  # the insides of open markers
    middles = [((box[1].start + box[1].stop - 1) / 2, (box[0].start + box[0].stop - 1) / 2) for box in boxes]
    centres = np.array([_centre(filled, *middles[i], radius) for i in alike])
    order = np.argsort(centres[:, 0])
    return Blobs(centres[order, 0], centres[order, 1], radius)


def _centre(filled: Floats, x: float, y: float, radius: float) -> tuple[float, float]:
    """Centroid of the marker's coverage: within a disc around its core, so that the line's two arms hardly count."""
    reach = radius + 1.5
    for _ in range(2):
        top, left = max(0, int(y - reach)), max(0, int(x - reach))
        window = filled[top : int(y + reach) + 2, left : int(x + reach) + 2]
        r, c = np.mgrid[top : top + window.shape[0], left : left + window.shape[1]]
        window = window * np.clip(reach + 0.5 - np.hypot(c - x, r - y), 0, 1)
        total = window.sum()
        if total < EMPTY:  # nothing but shadow
            return x, y
        x, y = float((window * c).sum() / total), float((window * r).sum() / total)
    return x, y
