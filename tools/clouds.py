"""Whether the ink of one colour is a cloud: compact pieces of one size that lie above and below each other.

A curve, a step line, or their dashes have one place per column; separate markers of a scatter plot do not. No stroke
joins them, whatever a path through them would look like.

Not handled here: rows of markers in their order (a line without its stroke), clouds so crowded that all markers touch.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.ink import Layer
from tools.markers import Blob, Plane, blobs, singles

FEWEST = 6  # markers
LEAST = 4.0  # px of ink in a marker: smaller ones are specks of a fringe
ALIKE = 0.35  # share of the ink that is in separate pieces of the usual size
LARGEST = 4.0  # times the size of a marker: pieces that reach farther are strokes
SHORT = 0.85  # share of the ink in pieces that are not strokes
APART = 1.5  # sizes of a marker between two pieces that stand above each other
SCATTERED = 0.25  # share of the pieces that have another one above or below
ROUND = 0.55  # width by height of the usual piece, or the other way round


def is_cloud(layer: Layer) -> bool:
    """Whether the ink of a layer consists of separate compact pieces of one size, scattered above each other.

    Pieces of a curve that other ink cuts are of all lengths; dashes follow each other, one per column.
    """
    found = [blob for blob in blobs(_filled(layer.coverage)) if blob.area >= LEAST]
    lone = singles(found, LEAST)
    if len(lone) < FEWEST:
        return False
    sides = np.array([(blob.width, blob.height) for blob in lone], dtype=np.float64)
    width, height = np.median(sides, axis=0)
    size = float(max(width, height))
    total = sum(blob.area for blob in found)
    if min(width, height) < ROUND * size or min(width, height) < 3 or sum(blob.area for blob in lone) < ALIKE * total:
        return False
    short = sum(blob.area for blob in found if max(blob.width, blob.height) <= LARGEST * size)
    return short >= SHORT * total and _scattered(lone, size) >= SCATTERED


def _scattered(lone: list[Blob], size: float) -> float:
    """The share of the pieces (of a side of `size` px) that have another one right above or below, not touching."""
    at: NDArray[np.float64] = np.array([(blob.x, blob.y) for blob in lone[:2000]])
    beside = np.abs(at[:, None, 0] - at[None, :, 0]) < 0.5 * size
    away = np.abs(at[:, None, 1] - at[None, :, 1]) > APART * size
    return float(np.mean((beside & away).any(axis=1)))


def _filled(coverage: Plane) -> Plane:
    """The ink with the holes of its rings filled, so that a ring is as compact as a disc."""
    solid = (coverage > 0.35).astype(np.uint8)
    outer, _ = cv2.findContours(solid, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    small = [each for each in outer if max(cv2.boundingRect(each)[2:]) < 40]
    inside = cv2.drawContours(np.zeros_like(solid), small, -1, 1, -1) > 0
    return np.asarray(np.where(inside, np.maximum(coverage, 1.0), coverage), dtype=np.float32)
