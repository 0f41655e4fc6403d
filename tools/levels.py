"""Stretches of constant height in a traced curve: the best piecewise-constant fit, without what is part of a riser.

Not handled here: which curves are step lines, where their risers stand (`steps`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from tools.trace import Trace
from tools.types import Floats

LEVEL_NOISE = 0.12  # px: how well a column of a level stretch shows its height
CHANGE_COST = 9.0  # nats for one more step
FAINT = 0.02  # weight of a column of a level stretch beside other ink: a rule or another stroke may have moved it
SLIVER = 1.6  # columns: levels with less support may be the edge of a riser
RISEN = 0.6  # of the climb between its neighbours: columns so much taller than the stroke are part of a riser
MONOTONE = 0.9  # share of the total climb in one direction that makes a curve monotone


@dataclass(frozen=True, eq=False)
class Levels:
    """Stretches of constant height: first and last column (n,), height in rows (n,), how many columns tell it (n,)."""

    first: NDArray[np.int64]
    last: NDArray[np.int64]
    height: Floats
    support: Floats


@njit(cache=True)
def _partition(y: Floats, weight: Floats, noise: float, price: float) -> NDArray[np.int64]:
    """Starts of the stretches of the best piecewise-constant fit (squared error over noise, `price` a change)."""
    n = len(y)
    s0, s1, s2 = np.zeros(n + 1), np.zeros(n + 1), np.zeros(n + 1)
    for i in range(n):
        s0[i + 1] = s0[i] + weight[i]
        s1[i + 1] = s1[i] + weight[i] * y[i]
        s2[i + 1] = s2[i] + weight[i] * y[i] ** 2
    best, origin = np.full(n + 1, np.inf), np.zeros(n + 1, np.int64)
    best[0] = -price
    for j in range(1, n + 1):
        for i in range(j):
            w = s0[j] - s0[i]
            spread = s2[j] - s2[i] - (s1[j] - s1[i]) ** 2 / w if w > 1e-9 else 0.0
            found = best[i] + price + max(0.0, spread) / (2 * noise**2)
            if found < best[j]:
                best[j], origin[j] = found, i
    starts, j = [origin[n]], origin[n]
    while j > 0:
        j = origin[j]
        starts.append(j)
    return np.array(starts[::-1])


def find_levels(trace: Trace) -> Levels:
    """Level stretches of a traced curve, left to right; columns that tell nothing belong to no stretch's support."""
    low = trace.bottom - trace.top < 1.2 * trace.stroke + 0.7  # no riser
    shown = np.where(low & (trace.weight <= 0.3), FAINT, trace.weight)
    columns = np.flatnonzero(np.isfinite(trace.y) & ((trace.weight > 0.3) | low))
    if len(columns) < 2:
        return Levels(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0), np.zeros(0))
    y, weight = trace.y[columns], shown[columns]
    starts = _partition(y - float(y.mean()), weight, LEVEL_NOISE, CHANGE_COST)
    stops = np.append(starts[1:], len(columns))
    height = np.array([np.average(y[a:b], weights=weight[a:b]) for a, b in zip(starts, stops, strict=True)])
    support = np.array([weight[a:b].sum() for a, b in zip(starts, stops, strict=True)])
    return Levels(columns[starts], columns[stops - 1], height, support)


def without_slivers(levels: Levels, trace: Trace) -> Levels:
    """Drop columns part of the way up a riser, its edges or all of a low one: they are no level."""
    climbs = np.diff(levels.height)
    keep = np.ones(len(levels.height), dtype=bool)
    narrow = levels.last - levels.first < trace.stroke + 2
    tall = trace.bottom - trace.top - trace.stroke
    for k in np.flatnonzero(narrow & (levels.support >= SLIVER)).tolist():
        before, after = max(0, k - 1), min(k + 1, len(climbs))
        risen = abs(float(levels.height[after] - levels.height[before]))
        narrow[k] = float(np.nanmedian(tall[levels.first[k] : levels.last[k] + 1])) > max(1.0, RISEN * risen)
    if len(climbs) > 1:
        between = np.sign(climbs[:-1]) == np.sign(climbs[1:])
        keep[1:-1] = ~(between & narrow[1:-1])
        keep[0], keep[-1] = not narrow[0], not narrow[-1]
    return Levels(levels.first[keep], levels.last[keep], levels.height[keep], levels.support[keep])


def monotone_levels(levels: Levels) -> Levels:
    """Merge stretches so that a nearly monotone curve is monotone (pooled, weighted by their columns)."""
    climbs = np.diff(levels.height)
    total = np.abs(climbs).sum()
    if not total or max(climbs[climbs > 0].sum(), -climbs[climbs < 0].sum()) < MONOTONE * total:
        return levels
    sign = 1.0 if climbs.sum() > 0 else -1.0
    pools: list[list[float]] = []  # first, last, height, support
    for row in zip(levels.first, levels.last, levels.height, levels.support, strict=True):
        pools.append([float(value) for value in row])
        while len(pools) > 1 and sign * (pools[-1][2] - pools[-2][2]) <= 0:
            after, before = pools.pop(), pools.pop()
            weight = before[3] + after[3]
            height = (before[2] * before[3] + after[2] * after[3]) / weight
            pools.append([before[0], after[1], height, weight])
    table = np.array(pools)
    return Levels(table[:, 0].astype(np.int64), table[:, 1].astype(np.int64), table[:, 2], table[:, 3])
