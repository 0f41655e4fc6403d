"""The marker that the legend shows beside a name, without the line that runs through it.

Not handled here: which ink it names (`ink`), samples without a line told apart by their shape (`shapes`).
"""

from __future__ import annotations

import cv2
import numpy as np

from tools.markers import Plane
from tools.types import Image, LegendEntry

KERNELS = (3, 5, 7)  # px: lines that are thinner are taken off
LEAST = 5  # px: the smallest marker's side


def marker_sample(figure: Image, entry: LegendEntry) -> Plane | None:
    """Coverage of the entry's marker, its middle in the middle of an odd square; None where its sample shows none.

    `figure` (H, W, 3) uint8.
    """
    box = entry.swatch
    if box is None or entry.kind not in ("line", "line+marker", "marker"):
        return None
    rows, columns = box.grown(3).slices(figure.shape[0], figure.shape[1])
    part = figure[rows, columns].astype(np.float32)
    if min(part.shape[:2]) < LEAST:
        return None
    paper = np.median(np.concatenate([part[0], part[-1]]), axis=0)
    ray = np.asarray(entry.colour, dtype=np.float32) - paper
    if float(ray @ ray) < 900:
        return None
    cover = np.clip((part - paper) @ ray / float(ray @ ray), 0.0, 1.0).astype(np.float32)
    for size in KERNELS:
        place = _thick_part(cover, size)
        if place is not None:
            return _around(cover, size, *place)
    return None


def _thick_part(cover: Plane, size: int) -> tuple[int, int, int, int] | None:
    """First and last column and row of what holds a square of `size` px, if it is about as wide as high."""
    thick = cv2.morphologyEx((cover > 0.5).astype(np.uint8), cv2.MORPH_OPEN, np.ones((size, size), np.uint8))
    if not thick.any():
        return None
    rows, columns = np.flatnonzero(thick.any(axis=1)), np.flatnonzero(thick.any(axis=0))
    x0, x1, y0, y1 = int(columns[0]), int(columns[-1]), int(rows[0]), int(rows[-1])
    width, height = x1 - x0 + 1, y1 - y0 + 1
    alike = 0.6 < width / height < 1.7 and min(width, height) >= LEAST
    return (x0, x1, y0, y1) if alike else None


def _around(cover: Plane, size: int, x0: int, x1: int, y0: int, y1: int) -> Plane:
    """The thick part with its rim, centred on the middle of its box."""
    thick = cv2.morphologyEx((cover > 0.5).astype(np.uint8), cv2.MORPH_OPEN, np.ones((size, size), np.uint8))
    bare = np.where(cv2.dilate(thick, np.ones((3, 3), np.uint8)) > 0, cover, 0.0).astype(np.float32)
    reach = (max(x1 - x0, y1 - y0) + 1) // 2 + 3
    middle = ((x0 + x1) / 2 + reach, (y0 + y1) / 2 + reach)
    return np.asarray(cv2.getRectSubPix(np.pad(bare, reach), (2 * reach + 1, 2 * reach + 1), middle), dtype=np.float32)
