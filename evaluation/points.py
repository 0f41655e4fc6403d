"""How many points are where they should be: matched one to one inside a tolerance, and step functions and boxes.

Positions and values come in the units in which they are drawn (decades on log axes). Not handled here: which series
belongs to which.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching
from scipy.spatial import cKDTree

Floats = NDArray[np.float64]
STEP_SAMPLES = 200
SLACK = 1e-9  # relative: a point exactly on the edge of the tolerance is inside


@dataclass(frozen=True, eq=False)
class Points:
    """Positions `x` and values `y` of one series, (n,) each, finite, in order of x (ties: of y)."""

    x: Floats
    y: Floats

    def __len__(self) -> int:
        return len(self.x)


def points(x: Floats, y: Floats, as_written: bool = False) -> Points:
    """The finite points in order of x; rows at one x in order of y, or `as_written` (the last row of a step counts)."""
    known = np.isfinite(x) & np.isfinite(y)
    order = np.argsort(x[known], kind="stable") if as_written else np.lexsort((y[known], x[known]))
    return Points(x[known][order], y[known][order])


def hits(pred: Points, truth: Points, reach_x: float, reach_y: float) -> int:
    """The greatest number of one-to-one pairs with |dx| <= reach_x and |dy| <= reach_y."""
    if not len(pred) or not len(truth):
        return 0
    smallest = [1e-12 * (1 + float(np.abs(v).max())) for v in (truth.x, truth.y)]  # equal numbers are always near
    scale = np.maximum([reach_x, reach_y], smallest) * (1 + SLACK)
    ours, theirs = (np.column_stack([one.x, one.y]) / scale for one in (pred, truth))
    near = cKDTree(ours).query_ball_tree(cKDTree(theirs), r=1.0, p=np.inf)
    rows = np.repeat(np.arange(len(near)), [len(found) for found in near])
    columns = np.fromiter((j for found in near for j in found), dtype=np.int64, count=len(rows))
    graph = coo_matrix((np.ones(len(rows), dtype=np.int8), (rows, columns)), shape=(len(near), len(truth))).tocsr()
    return int((maximum_bipartite_matching(graph, perm_type="column") >= 0).sum())


def x_error(pred: Points, truth: Points, step: float) -> float | None:
    """Median distance along x from a true point to the nearest predicted one, in steps; None where undefined."""
    if not len(pred) or not len(truth) or step <= 0:
        return None
    after = np.clip(np.searchsorted(pred.x, truth.x), 1, max(1, len(pred) - 1))
    last = np.minimum(after, len(pred) - 1)
    nearest = np.minimum(np.abs(pred.x[after - 1] - truth.x), np.abs(pred.x[last] - truth.x))
    return float(np.median(nearest) / step)


def step_hits(pred: Points, truth: Points, reach_y: float) -> tuple[int, int]:
    """Of 200 even x over the true curve: how many the predicted step function gets right, and how many it says."""
    grid = np.linspace(truth.x[0], truth.x[-1], STEP_SAMPLES)
    lead = 0.02 * (truth.x[-1] - truth.x[0])  # a reading may start a little late
    said, true = step_values(pred, grid, lead), step_values(truth, grid, lead)
    right = np.abs(said - true) <= reach_y * (1 + SLACK)
    return int(right.sum()), int(np.isfinite(said).sum())


def step_values(curve: Points, grid: Floats, lead: float) -> Floats:
    """The step function at these x: the last value at or before each; nan before the first (but `lead`)."""
    if not len(curve):
        return np.full(len(grid), np.nan)
    at = np.searchsorted(curve.x, grid + 1e-9 * np.ptp(grid), side="right") - 1
    values = curve.y[np.maximum(at, 0)]
    return np.where(grid < curve.x[0] - lead, np.nan, values)
