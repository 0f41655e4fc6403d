"""Elastic distances of two series of numbers: ECS alignment, ERP and DTW, compiled, in two rolling rows.

Every function runs over the shorter series in its inner loop, so memory is O(min(M, N)). Not handled here: labels,
missing values (drop them first), which range errors are measured against by default (see `ecs`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Tie = Literal["shortest", "longest"]
Clip = Literal["gt", "ge"]
TIE_TOLERANCE = 1e-9  # two path costs this close are equal
CLIP_SLACK = 1e-9  # relative: an error of exactly theta must not fall over the edge by rounding
ZERO_RANGE_SCALE = 1e300  # a range of zero: any difference at all is a full error


@dataclass(frozen=True)
class Path:
    """The cost of the best alignment path and its length in steps."""

    cost: float
    length: int


def local_scale(low: float, high: float, theta: float, clip: Clip) -> tuple[float, float]:
    """What a difference is multiplied with to become a share of the range, and the greatest share not clipped to 1."""
    scale = 1.0 / (high - low) if high > low else ZERO_RANGE_SCALE
    limit = theta * (1 + CLIP_SLACK) if clip == "gt" else theta * (1 - CLIP_SLACK)
    return scale, limit


def edit_path(
    a: ArrayLike, b: ArrayLike, *, scale: float, limit: float, gap: float = 1.0, tie: Tie = "shortest"
) -> Path:
    """Cheapest path of matches (share of the range, 1 above `limit`) and gaps (`gap` each) that uses every point.

    Among paths of equal cost (within 1e-9) the shortest, or the longest, counts. Symmetric in a and b.
    """
    x, y = _ordered(a, b)
    cost, length = _edit(x, y, scale, limit, gap, 1 if tie == "shortest" else -1)
    return Path(float(cost), int(length))


def dtw_path(a: ArrayLike, b: ArrayLike, *, scale: float, limit: float, tie: Tie = "shortest") -> Path:
    """Dynamic time warping with the same clipped local cost and no gaps. Empty series: cost inf, length 0."""
    x, y = _ordered(a, b)
    if not len(x) or not len(y):
        return Path(float("inf"), 0)
    cost, length = _warp(x, y, scale, limit, 1, 1 if tie == "shortest" else -1)
    return Path(float(cost), int(length))


def erp(x: ArrayLike, y: ArrayLike, g: float = 0.0) -> float:
    """Edit distance with real penalty (Chen and Ng): match |x - y|, gap |x - g|, boundary = running gap sums.

    >>> erp([1], [1, 2])
    2.0
    """
    return float(_erp(*_ordered(x, y), g))


def dtw(x: ArrayLike, y: ArrayLike, power: Literal[1, 2] = 2) -> float:
    """Plain dynamic time warping: the least sum of |x - y| ** power along a path; inf where a series is empty.

    >>> dtw([3], [3, 4, 5])
    5.0
    """
    a, b = _ordered(x, y)
    if not len(a) or not len(b):
        return float("inf")
    return float(_warp(a, b, 1.0, np.inf, power, 1)[0])


def dtw_score(
    pred: ArrayLike,
    gt: ArrayLike,
    *,
    y_range: tuple[float, float] | None = None,
    theta: float = 0.01,
    clip: Clip = "gt",
    tie: Tie = "shortest",
) -> float:
    """1 - cost / path length of clipped DTW, errors as shares of `y_range` (default: of gt). nan dropped; empty: 0."""
    p, t = finite(pred), finite(gt)
    if not len(p) or not len(t):
        return 0.0
    low, high = y_range or (float(t.min()), float(t.max()))
    scale, limit = local_scale(low, high, theta, clip)
    path = dtw_path(p, t, scale=scale, limit=limit, tie=tie)
    return 1.0 - path.cost / path.length


def finite(values: ArrayLike) -> Floats:
    """The values as float64 (n,), nan left out. Infinite values stay: they are wrong, not missing."""
    found = np.asarray(values, dtype=np.float64).ravel()
    return found[~np.isnan(found)]


def _ordered(a: ArrayLike, b: ArrayLike) -> tuple[Floats, Floats]:
    """Both as contiguous float64, the longer first (the kernels' rows run over the second)."""
    x, y = (np.ascontiguousarray(v, dtype=np.float64).ravel() for v in (a, b))
    return (x, y) if len(x) >= len(y) else (y, x)


@njit(cache=True)
def _edit(x: Floats, y: Floats, scale: float, limit: float, gap: float, sign: int) -> tuple[float, int]:
    m = len(y)
    cost = np.empty(m + 1)
    steps = np.empty(m + 1, dtype=np.int64)
    for j in range(m + 1):
        cost[j] = gap * j
        steps[j] = j
    for i in range(len(x)):
        corner, corner_steps = cost[0], steps[0]  # the cell up and to the left
        left, left_steps = gap * (i + 1), i + 1
        cost[0], steps[0] = left, left_steps
        here = x[i]
        for j in range(m):
            share = abs(here - y[j]) * scale
            best = corner + (share if share <= limit else 1.0)
            best_steps = corner_steps + 1
            corner, corner_steps = cost[j + 1], steps[j + 1]
            other, other_steps = corner, corner_steps  # of the two gaps, the better
            if left < other - TIE_TOLERANCE or (
                left <= other + TIE_TOLERANCE and sign * left_steps < sign * other_steps
            ):
                other, other_steps = left, left_steps
            other += gap
            other_steps += 1
            if other < best - TIE_TOLERANCE or (
                other <= best + TIE_TOLERANCE and sign * other_steps < sign * best_steps
            ):
                best, best_steps = other, other_steps
            cost[j + 1], steps[j + 1] = best, best_steps
            left, left_steps = best, best_steps
    return cost[m], steps[m]


@njit(cache=True)
def _warp(x: Floats, y: Floats, scale: float, limit: float, power: int, sign: int) -> tuple[float, int]:
    m = len(y)
    cost = np.full(m + 1, np.inf)
    steps = np.zeros(m + 1, dtype=np.int64)
    cost[0] = 0.0
    for i in range(len(x)):
        corner, corner_steps = cost[0], steps[0]
        left, left_steps = np.inf, 0
        cost[0] = np.inf
        for j in range(m):
            share = abs(x[i] - y[j]) * scale
            if power == 2:
                share = share * share
            here = share if share <= limit else 1.0
            best, best_steps = corner, corner_steps
            up, up_steps = cost[j + 1], steps[j + 1]
            if up < best - TIE_TOLERANCE or (up <= best + TIE_TOLERANCE and sign * up_steps < sign * best_steps):
                best, best_steps = up, up_steps
            if left < best - TIE_TOLERANCE or (left <= best + TIE_TOLERANCE and sign * left_steps < sign * best_steps):
                best, best_steps = left, left_steps
            corner, corner_steps = up, up_steps
            left, left_steps = best + here, best_steps + 1
            cost[j + 1], steps[j + 1] = left, left_steps
    return cost[m], steps[m]


@njit(cache=True)
def _erp(x: Floats, y: Floats, g: float) -> float:
    m = len(y)
    cost = np.empty(m + 1)
    drop = np.abs(y - g)
    cost[0] = 0.0
    for j in range(m):
        cost[j + 1] = cost[j] + drop[j]
    for i in range(len(x)):
        gap = abs(x[i] - g)
        corner = cost[0]
        cost[0] = corner + gap
        left = cost[0]
        for j in range(m):
            up = cost[j + 1]
            left = min(corner + abs(x[i] - y[j]), up + gap, left + drop[j])
            corner = up
            cost[j + 1] = left
    return float(cost[m])
