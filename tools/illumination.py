"""Uneven paper: the brightness that light and paper add to a scan, told apart from what is printed on it.

A flat fill has one reflectance, so brightness that drifts inside it is the paper's. All flat places of a picture, paper
or fill, tell the slope of one smooth surface; each keeps a level of its own (the idea of Retinex, Land and McCann 1971,
as a least-squares problem). So a grey plot area stays grey, and two fills a few levels apart stay two.

Not handled here: shadows with edges, folds, fills with a gradient of their own (they count little, as outliers).
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.types import Floats, Image

Floats32 = NDArray[np.float32]
SIDE = 180  # cells of the longer side of the copy that is looked at
KNOTS = 12, 8  # spans of the smooth surface along the longer side, and at least along the other
STIFF = 2e-6  # weight of its bending, for places that tell nothing
STEPS = (6.0, 4.0)  # of 255: an edge between two flat places, first and once the paper is level
LEAST = 12  # cells of a flat place
SAME = 0.012  # share of brightness in which two places are both bare paper
OUTLIER = 4.7  # standard deviations at which a cell counts for nothing (Tukey's biweight)
WIDER = (4.0, 2.0, 1.0, 1.0)  # by how much more is allowed round by round


def unevenness(pixels: Image) -> Floats32:
    """The relative brightness (H, W) float32 of the paper under an image (H, W, 3) uint8; its median is 1."""
    height, width = pixels.shape[:2]
    light = cv2.medianBlur(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), 5)
    shrink = min(1.0, SIDE / max(height, width))
    size = max(8, round(width * shrink)), max(8, round(height * shrink))
    seen = np.maximum(cv2.resize(light, size, interpolation=cv2.INTER_AREA).astype(np.float64), 1.0)
    terms = _splines(*seen.shape)
    surface = np.zeros(seen.shape)
    for step in STEPS:
        places = _flat_places(seen / np.exp(surface), step)
        if places.max() > 0:
            surface = _fitted(np.log(seen), places, (seen / 255) ** 2, terms)
    surface -= np.median(surface)
    return np.asarray(np.exp(cv2.resize(surface, (width, height), interpolation=cv2.INTER_LINEAR)), np.float32)


def _flat_places(light: Floats, step: float) -> NDArray[np.int32]:
    """Which flat place, from 1, each cell (h, w) belongs to; 0: none, beside an edge."""
    square = np.ones((3, 3), np.uint8)
    flat = (cv2.dilate(light, square) - cv2.erode(light, square) < step).astype(np.uint8)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(flat, connectivity=4)
    large = stats[:, cv2.CC_STAT_AREA] >= LEAST
    large[0] = False
    return np.asarray(np.where(large, np.cumsum(large), 0)[labels], np.int32)


def _splines(height: int, width: int) -> tuple[Floats, Floats]:
    """Values of cubic B-splines, (h, m) down and (w, n) across, with knots about equally far apart both ways."""
    spans = [max(KNOTS[1], round(KNOTS[0] * side / max(height, width))) for side in (height, width)]
    return _basis(height, spans[0]), _basis(width, spans[1])


def _basis(count: int, spans: int) -> Floats:
    """Uniform cubic B-splines (count, spans + 3) at `count` even places."""
    from scipy.interpolate import BSpline

    knots = np.arange(-3, spans + 4, dtype=np.float64)
    at = np.linspace(0, spans * (1 - 1e-9), count)
    return np.asarray(BSpline.design_matrix(at, knots, 3).toarray(), np.float64)


def _fitted(log: Floats, places: NDArray[np.int32], weight: Floats, terms: tuple[Floats, Floats]) -> Floats:
    """The surface (h, w) whose slopes explain the log brightness in every flat place.

    The level of each place drops out, as the mean over the place is taken from both sides.
    """
    down, across = terms
    rows, columns = np.nonzero(places)
    group, value = places[rows, columns] - 1, log[rows, columns]
    design = (down[rows][:, :, None] * across[columns][:, None, :]).reshape(len(rows), -1)
    bend = _bending(down.shape[1], across.shape[1]) * STIFF * len(rows)
    sure = weight[rows, columns]
    trust = sure
    for wider in WIDER:
        centred, level = _centred(design, group, trust), _centred(value[:, None], group, trust)[:, 0]
        normal = (centred * trust[:, None]).T @ centred + bend
        weights = np.linalg.solve(normal + 1e-9 * len(rows) * np.eye(len(normal)), centred.T @ (trust * level))
        left = level - centred @ weights
        spread = max(1.4826 * float(np.median(np.abs(left))), 1e-3)
        trust = sure * np.square(np.maximum(1 - np.square(left / (wider * OUTLIER * spread)), 0)) + 1e-9
        group = _with_paper_joined(value - design @ weights, group, trust)
    return np.asarray(down @ weights.reshape(down.shape[1], -1) @ across.T, np.float64)


def _centred(values: Floats, group: NDArray[np.int32], trust: Floats) -> Floats:
    """Values (n, k) less the weighted mean of their group."""
    from scipy.sparse import csr_array

    ones = csr_array((trust, (group, np.arange(len(group)))))
    total = np.maximum(ones.sum(axis=1), 1e-12)
    return np.asarray(values - ((ones @ values) / total[:, None])[group], np.float64)


def _with_paper_joined(value: Floats, group: NDArray[np.int32], trust: Floats) -> NDArray[np.int32]:
    """The groups with all those of one level made one that have the level of the largest one."""
    total = np.bincount(group, trust)
    level = np.bincount(group, trust * value) / np.maximum(total, 1e-12)
    largest = int(np.argmax(total))
    alike = np.abs(level - level[largest]) < SAME
    return np.asarray(np.where(alike[group], largest, group), np.int32)


def _bending(rows: int, columns: int) -> Floats:
    """Squared second differences of the coefficients (rows * columns) down and across."""
    down, across = np.diff(np.eye(rows), 2, axis=0), np.diff(np.eye(columns), 2, axis=0)
    return np.asarray(np.kron(down.T @ down, np.eye(columns)) + np.kron(np.eye(rows), across.T @ across), np.float64)
