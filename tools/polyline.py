"""A polyline through given knots: least squares against traced column centres, and its cost as a description.

A traced column shows the mean of the curve over the pixel's width, so the hat function of a knot is integrated over
each column: a kink inside a column is where it should be, and knots closer than a pixel can still be told apart.
Not handled here: finding the knots (`sampling`), strokes too steep for column means (`rendering`).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from tools.types import Floats


@njit(cache=True)
def _hats(knots: Floats, first: int, left: float, right: float, row: Floats) -> int:
    """Integrals of the hat functions over [left, right]; row[i] belongs to knot `first + i`. Returns how many."""
    k, used = first, 0
    row[:] = 0.0
    while k + 1 < len(knots) and knots[k] < right and used + 1 < len(row):
        a, b = max(left, knots[k]), min(right, knots[k + 1])
        if b > a:
            length = knots[k + 1] - knots[k]
            up = ((b - knots[k]) ** 2 - (a - knots[k]) ** 2) / (2 * length)
            row[k - first] += b - a - up
            row[k - first + 1] += up
            used = k - first + 2
        k += 1
    return used


@njit(cache=True)
def _solve(band: Floats, right: Floats) -> Floats:
    """Solve a symmetric positive banded system by Cholesky; band[i, j] holds the entry (i, i - j)."""
    n, width = band.shape
    for i in range(n):
        for j in range(min(i, width - 1), -1, -1):
            total = band[i, j]
            for m in range(j + 1, min(i, width - 1) + 1):
                if m - j < width:
                    total -= band[i, m] * band[i - j, m - j]
            band[i, j] = total / band[i - j, 0] if j > 0 else np.sqrt(max(total, 1e-12))
    x = right.copy()
    for i in range(n):
        for j in range(1, min(i, width - 1) + 1):
            x[i] -= band[i, j] * x[i - j]
        x[i] /= band[i, 0]
    for i in range(n - 1, -1, -1):
        for j in range(1, min(n - 1 - i, width - 1) + 1):
            x[i] -= band[i + j, j] * x[i + j]
        x[i] /= band[i, 0]
    return x


@njit(cache=True)
def _system(knots: Floats, y: Floats, weight: Floats, smooth: float, width: int) -> tuple[Floats, Floats]:
    """Normal equations of the integrated hats, with a small price on turning (it fills what is not seen)."""
    n = len(knots)
    band, right, row = np.zeros((n, width)), np.zeros(n), np.zeros(width)
    k = 0
    for c in range(len(y)):
        while k + 2 < n and knots[k + 1] <= c - 0.5:
            k += 1
        if weight[c] <= 0:
            continue
        used = _hats(knots, k, c - 0.5, c + 0.5, row)
        total = row.sum()
        if total < 0.5:
            continue
        for i in range(used):
            right[k + i] += weight[c] * row[i] * y[c] / total
            for j in range(i + 1):
                band[k + i, i - j] += weight[c] * row[i] * row[j] / total**2
    _price_turns(band, knots, smooth)
    band[:, 0] += 1e-9
    return band, right


@njit(cache=True)
def _price_turns(band: Floats, knots: Floats, smooth: float) -> None:
    """Adds `smooth` times the square of how far each knot stands off the chord of its neighbours."""
    for i in range(len(knots) - 2):
        before, after = knots[i + 1] - knots[i], knots[i + 2] - knots[i + 1]
        turn = (after / (before + after), -1.0, before / (before + after))
        for a in range(3):
            for b in range(a + 1):
                band[i + a, a - b] += smooth * turn[a] * turn[b]


@njit(cache=True)
def _residuals(knots: Floats, values: Floats, y: Floats, weight: Floats, width: int) -> Floats:
    """Seen minus fitted column means (nan where the column tells nothing)."""
    found, row = np.full(len(y), np.nan), np.zeros(width)
    k, n = 0, len(knots)
    for c in range(len(y)):
        while k + 2 < n and knots[k + 1] <= c - 0.5:
            k += 1
        if weight[c] <= 0:
            continue
        used = _hats(knots, k, c - 0.5, c + 0.5, row)
        total = row.sum()
        if total >= 0.5:
            mean = 0.0
            for i in range(used):
                mean += row[i] * values[k + i]
            found[c] = y[c] - mean / total
    return found


def fit_knots(knots: Floats, y: Floats, weight: Floats, smooth: float = 1e-3) -> tuple[Floats, Floats]:
    """Values of a polyline at `knots` (n,), increasing, in columns; `y` (w,) column means, `weight` (w,) their weights.

    Returns the values (n,), in rows, and the residuals (w,), nan where a column has no weight or no knots around it.
    """
    known = np.where(np.isfinite(y), weight, 0.0)
    filled = np.nan_to_num(y)
    width = 3 + int(np.ceil(1.0 / max(0.2, float(np.min(np.diff(knots))))))
    values = _solve(*_system(knots, filled, known, smooth, width))
    return values, _residuals(knots, values, filled, known, width)


def knot_cost(values: Floats, noise: float) -> float:
    """Nats to say the values of a polyline on a given grid: a knot costs 1, one that turns more than `noise` 7 more."""
    turns = values[:-2] - 2 * values[1:-1] + values[2:] if len(values) > 2 else np.zeros(0)
    return float(len(values) + 7 * (1 - np.exp(-(turns**2) / (8 * noise**2))).sum())


def shift_cost(shifts: Floats, noise: float, weight: Floats | float = 1.0) -> float:
    """Pseudo-Huber nats for columns this far (px, nan: unknown) from where they should be: odd ones don't decide."""
    known = np.isfinite(shifts)
    scaled = np.where(known, shifts, 0.0) / (2 * noise)
    return float((4 * (np.sqrt(1 + weight * scaled**2) - 1)).sum())


def description_length(values: Floats, residuals: Floats, weight: Floats, noise: float) -> float:
    """Nats to say this polyline and what it leaves unexplained: lower is better."""
    return shift_cost(residuals, noise, weight) + knot_cost(values, noise)
