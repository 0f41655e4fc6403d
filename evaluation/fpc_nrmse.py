"""FPC-NRMSE: failure-penalised, capped error of line digitizers; 0 is best, 1 is a failure.

Per matched line the root mean square error over the shared range of x, as a share of the true range of y; an image
whose line count is wrong, or with a match that covers too little, costs the full 1. Computed in display space: decades
on log axes (the published definition knows linear axes only). Not handled here: anything but lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linear_sum_assignment

Floats = NDArray[np.float64]
LEAST_PAIRS = 20
LEAST_COVERAGE = 0.8


@dataclass(frozen=True)
class FpcNrmse:
    """One image: the loss (lower is better) and whether the output can be trusted (count, coverage, finite errors)."""

    loss: float
    trusted: bool


def fpc_nrmse(
    pred: Sequence[ArrayLike],
    gt: Sequence[ArrayLike],
    *,
    log_x: bool = False,
    log_y: bool = False,
    positions: int = 1000,
) -> FpcNrmse | None:
    """Score lines, (n, 2) points each. `positions`: where lines are compared, one per pixel of the plot's width.

    None where the truth has no line.
    """
    true = [line for one in gt if len(line := _line(one, log_x, log_y)) > 1]
    if not true:
        return None
    said = [_line(one, log_x, log_y) for one in pred]
    if len(said) != len(true):
        return FpcNrmse(1.0, False)
    cells = [[_compare(p, t, positions) for p in said] for t in true]
    cost = np.array([[min(error, 1.0) + 1 - coverage for error, coverage, _ in row] for row in cells])
    matched = [cells[i][j] for i, j in zip(*linear_sum_assignment(cost), strict=True)]
    trusted = all(np.isfinite(e) and c >= LEAST_COVERAGE and n >= LEAST_PAIRS for e, c, n in matched)
    loss = float(np.mean([error for error, _, _ in matched]))
    return FpcNrmse(loss if trusted and loss < 1 else 1.0, trusted)


def _line(points: ArrayLike, log_x: bool, log_y: bool) -> Floats:
    """Finite points in display space, one per x (the mean of several), in order of x."""
    line = np.array(points, dtype=np.float64).reshape(-1, 2)
    with np.errstate(all="ignore"):
        for column, is_log in enumerate((log_x, log_y)):
            if is_log:
                line[:, column] = np.log10(line[:, column])
    line = line[np.isfinite(line).all(axis=1)]
    x, where = np.unique(line[:, 0], return_inverse=True)
    sums = np.bincount(where, line[:, 1], len(x)) / np.maximum(1, np.bincount(where, minlength=len(x)))
    return np.column_stack([x, sums])


def _compare(said: Floats, true: Floats, positions: int) -> tuple[float, float, int]:
    """Error (share of the true range; inf where there is none), coverage of the true line, positions compared."""
    grid = np.linspace(true[0, 0], true[-1, 0], positions)
    shared = (grid >= said[0, 0]) & (grid <= said[-1, 0]) if len(said) else np.zeros(positions, dtype=bool)
    count = int(shared.sum())
    if not count:
        return np.inf, 0.0, 0
    at = grid[shared]
    off = np.interp(at, said[:, 0], said[:, 1]) - np.interp(at, true[:, 0], true[:, 1])
    rms, span = float(np.sqrt(np.mean(off**2))), float(np.ptp(true[:, 1]))
    error = rms / span if span > 0 else (0.0 if rms == 0 else np.inf)
    return error, count / positions, count
