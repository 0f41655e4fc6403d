"""A drawn polyline against its ink: the coverage that a stroke through given vertices would leave, pixel by pixel.

The stroke is everything within half its thickness of the polyline (round joins and caps), seen through a pixel-wide
ramp. Vertices are moved until the drawing matches the ink; pixels hidden by other ink count for neither side.
Not handled here: mitred tips, dash patterns (mask their gaps), the choice of the vertices' x (`sampling`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from tools.trace import Trace
from tools.types import Floats

Mask = NDArray[np.bool_]
NEAR = 10.0  # px to either side of a vertex in which its tries are compared
WELL_DRAWN = 0.02  # squared difference per column of a vertex that needs no tries
COVERAGE_NOISE = 0.08  # one standard deviation of a pixel's coverage that is not explained by a perfect drawing


@njit(cache=True, inline="always")
def _nearest(x: float, y: float, first: int, reach: float, knots: Floats, values: Floats) -> tuple[float, int, float]:
    """Distance to the polyline, the nearest segment and the place on it (0 to 1), among segments within reach in x."""
    best, segment, place = 1e18, first, 0.0
    k = first
    while k + 1 < len(knots) and knots[k] <= x + reach:
        dx, dy = knots[k + 1] - knots[k], values[k + 1] - values[k]
        t = ((x - knots[k]) * dx + (y - values[k]) * dy) / (dx * dx + dy * dy)
        t = min(1.0, max(0.0, t))
        ex, ey = x - knots[k] - t * dx, y - values[k] - t * dy
        d = ex * ex + ey * ey
        if d < best:
            best, segment, place = d, k, t
        k += 1
    return np.sqrt(best), segment, place


@njit(cache=True)
def _firsts(width: int, knots: Floats, reach: float) -> NDArray[np.int64]:
    """For each column the first segment that ends no more than `reach` before it."""
    first, k = np.zeros(width, np.int64), 0
    for c in range(width):
        while k + 2 < len(knots) and knots[k + 1] < c - reach:
            k += 1
        first[c] = k
    return first


@njit(cache=True)
def _rows(
    c: int, first: int, reach: float, knots: Floats, values: Floats, span: Floats, height: int
) -> tuple[int, int]:
    """Rows worth comparing in column c: the traced run and whatever the polyline reaches there."""
    low, high = span[c, 0], span[c, 1]
    k = first
    while k + 1 < len(knots) and knots[k] <= c + reach:
        dx = knots[k + 1] - knots[k]
        for x in (c - reach, c + reach):
            t = min(1.0, max(0.0, (x - knots[k]) / dx))
            y = values[k] + t * (values[k + 1] - values[k])
            low, high = min(low, y), max(high, y)
        k += 1
    return max(0, int(low - reach - 1)), min(height - 1, int(high + reach + 2))


@njit(cache=True)
def _mismatch(
    a: int, b: int, ink: Floats, valid: Mask, span: Floats, first: NDArray[np.int64],
    knots: Floats, values: Floats, half: float, enough: float,
) -> float:  # fmt: skip
    """Sum of squared differences between ink and drawing in the columns a to b (inclusive), each capped at 0.5.

    Stops after the column in which the sum passes `enough`.
    """
    total, reach, peak = 0.0, half + 0.5, min(1.0, 2 * half)
    for c in range(a, b + 1):
        low, high = _rows(c, first[c], reach, knots, values, span, ink.shape[0])
        for r in range(low, high + 1):
            if valid[r, c]:
                d, _, _ = _nearest(c, r, first[c], reach, knots, values)
                total += min(0.5, (ink[r, c] - min(peak, max(0.0, half + 0.5 - d))) ** 2)
        if total > enough:
            break
    return total


@njit(cache=True)
def _mismatches(
    ink: Floats, valid: Mask, span: Floats, first: NDArray[np.int64], knots: Floats, values: Floats, half: float
) -> Floats:
    """Mismatch of every column that the polyline reaches, 0 elsewhere."""
    found = np.zeros(ink.shape[1])
    for c in range(max(0, int(knots[0]) - 1), min(ink.shape[1] - 1, int(knots[-1]) + 2) + 1):
        found[c] = _mismatch(c, c, ink, valid, span, first, knots, values, half, 1e9)
    return found


@njit(cache=True)
def _choose(
    ink: Floats, valid: Mask, span: Floats, first: NDArray[np.int64],
    knots: Floats, values: Floats, half: float, tries: Floats,
) -> int:  # fmt: skip
    """Let each vertex that is not drawn well take whichever of its tries (n, m), nan = none, matches best.

    Only columns near the vertex are compared. Returns how many vertices moved.
    """
    moved, reach = 0, half + 1.5
    for k in range(len(knots)):
        a = max(0, int(max(knots[max(0, k - 1)] - reach, knots[k] - reach - NEAR)))
        b = min(ink.shape[1] - 1, int(min(knots[min(len(knots) - 1, k + 1)] + reach, knots[k] + reach + NEAR)) + 1)
        if b < a:
            continue
        kept = values[k]
        best, lowest = kept, _mismatch(a, b, ink, valid, span, first, knots, values, half, 1e9) - 1e-6
        if lowest < WELL_DRAWN * (b - a + 1):
            continue
        for i in range(tries.shape[1]):
            if np.isfinite(tries[k, i]) and tries[k, i] != kept:
                values[k] = tries[k, i]
                found = _mismatch(a, b, ink, valid, span, first, knots, values, half, lowest)
                if found < lowest:
                    best, lowest = tries[k, i], found
        values[k] = best
        moved += best != kept
    return moved


@njit(cache=True)
def _gradient(
    ink: Floats, valid: Mask, span: Floats, first: NDArray[np.int64], knots: Floats, values: Floats, half: float,
    sideways: bool,
) -> tuple[Floats, Floats, Floats, float, float]:  # fmt: skip
    """Gauss-Newton terms of the vertices' y (or x: `sideways`): diagonal, off-diagonal, right side; then of `half`."""
    n = len(knots)
    diagonal, beside, right = np.zeros(n), np.zeros(n), np.zeros(n)
    thick, count, reach, peak = 0.0, 0.0, half + 0.5, min(1.0, 2 * half)
    for c in range(ink.shape[1]):
        if knots[0] > c + reach or knots[-1] < c - reach:
            continue
        low, high = _rows(c, first[c], reach, knots, values, span, ink.shape[0])
        for r in range(low, high + 1):
            if not valid[r, c]:
                continue
            d, k, t = _nearest(c, r, first[c], reach, knots, values)
            drawn = half + 0.5 - d
            if drawn <= 0.0 or drawn >= peak or d < 1e-9:
                continue
            error = ink[r, c] - drawn
            sure = 1.0 / (1.0 + (error / 0.35) ** 2)
            if sideways:
                away = (c - knots[k] - t * (knots[k + 1] - knots[k])) / d
            else:
                away = (r - values[k] - t * (values[k + 1] - values[k])) / d
            ga, gb = away * (1 - t), away * t
            diagonal[k] += sure * ga * ga
            diagonal[k + 1] += sure * gb * gb
            beside[k] += sure * ga * gb
            right[k] += sure * ga * error
            right[k + 1] += sure * gb * error
            thick += sure * error
            count += sure
    return diagonal, beside, right, thick, count


@njit(cache=True)
def _shifts(
    ink: Floats, valid: Mask, span: Floats, first: NDArray[np.int64], knots: Floats, values: Floats, half: float
) -> Floats:
    """Per column how far the ink lies below the drawing, in px: first moment of the difference over the amount drawn.

    nan where a pixel of the column is hidden, nothing is drawn, or the two differ by much more than a shift.
    """
    shifts, reach, peak = np.full(ink.shape[1], np.nan), half + 0.5, min(1.0, 2 * half)
    for c in range(ink.shape[1]):
        if knots[0] > c - reach or knots[-1] < c + reach:
            continue
        low, high = _rows(c, first[c], reach, knots, values, span, ink.shape[0])
        if high - low > 6 * half + 12:
            continue
        amount = moment = total = 0.0
        for r in range(low, high + 1):
            if not valid[r, c]:
                amount = -1e9
            d, _, _ = _nearest(c, r, first[c], reach, knots, values)
            drawn = min(peak, max(0.0, half + 0.5 - d))
            amount += drawn
            moment += (ink[r, c] - drawn) * (r - low)
            total += ink[r, c] - drawn
        if amount > 0.5 and abs(total) < 0.5:
            middle = 0.0
            for r in range(low, high + 1):
                middle += (r - low) * ink[r, c]
            middle /= max(amount + total, 1e-9)
            shifts[c] = (moment - total * middle) / amount
    return shifts


@njit(cache=True)
def _tridiagonal(diagonal: Floats, beside: Floats, right: Floats) -> Floats:
    """Solve a symmetric tridiagonal system (beside[k] couples k and k + 1)."""
    n = len(diagonal)
    d, x = diagonal.copy(), right.copy()
    for i in range(1, n):
        f = beside[i - 1] / d[i - 1]
        d[i] -= f * beside[i - 1]
        x[i] -= f * x[i - 1]
    x[n - 1] /= d[n - 1]
    for i in range(n - 2, -1, -1):
        x[i] = (x[i] - beside[i] * x[i + 1]) / d[i]
    return x


@njit(cache=True)
def _spread(diagonal: Floats, beside: Floats) -> Floats:
    """Diagonal of the inverse of a symmetric positive tridiagonal matrix: variances of the unknowns."""
    n = len(diagonal)
    left, right = diagonal.copy(), diagonal.copy()
    for i in range(1, n):
        left[i] -= beside[i - 1] ** 2 / left[i - 1]
    for i in range(n - 2, -1, -1):
        right[i] -= beside[i] ** 2 / right[i + 1]
    return 1.0 / np.maximum(left + right - diagonal, 1e-6)


@dataclass(frozen=True, eq=False)
class Drawing:
    """A polyline matched to its ink, in crop pixels: vertices, one sigma in rows for each, and the mismatch.

    `support` (n,) is how many partly covered pixels bear on each vertex (near 0: hidden). `mismatches` (w,) are the
    sums of squared coverage differences over the compared pixels of each column; `shifts` (w,) how far the ink of each
    column lies below the drawing, in px (nan where that can't be told). `room`: how far knots could move from where
    they were given.
    """

    knots: Floats
    values: Floats
    sigma: Floats
    support: Floats
    half: float
    mismatches: Floats
    shifts: Floats
    room: float = 0.0

    @property
    def mismatch(self) -> float:
        return float(self.mismatches.sum())


def _tries(knots: Floats, values: Floats, trace: Trace, half: float) -> Floats:
    """Places that a vertex may belong: the tip of the run in its column, above or below, and small steps."""
    columns = np.clip(np.round(knots).astype(np.int64), 0, len(trace.y) - 1)
    offsets = [np.full(len(knots), np.nan)]
    for near in (-1, 0, 1):
        at = np.clip(columns + near, 0, len(trace.y) - 1)
        offsets += [trace.top[at] + half, trace.bottom[at] - half]
    return np.stack([*offsets, values - 1.0, values + 1.0, values - 0.3, values + 0.3], axis=1)


def match(
    ink: Floats, valid: Mask, trace: Trace, knots: Floats, values: Floats, rounds: int = 6, room: float = 0.0
) -> Drawing:
    """Move the vertices up and down, and sideways by up to `room` px, until the drawn stroke matches the ink.

    `ink` (h, w) float64 coverage; `valid` (h, w) pixels that may be compared; `knots`, `values` (n,) vertices in crop
    pixels, knots increasing. Vertices that nothing bears on stay where they were given.
    """
    given, values, half = knots, values.astype(np.float64).copy(), 0.5 * trace.stroke
    span = np.stack([np.nan_to_num(trace.top, nan=1e9), np.nan_to_num(trace.bottom, nan=-1e9)], axis=1)
    first = _firsts(ink.shape[1], knots, half + 1.0)
    for _ in range(2):
        if not _choose(ink, valid, span, first, knots, values, half, _tries(knots, values, trace, half)):
            break
    diagonal, beside = np.zeros(len(knots)), np.zeros(len(knots))
    for _ in range(2 * rounds if room else rounds):
        diagonal, beside, right, thick, count = _gradient(ink, valid, span, first, knots, values, half, False)
        values += np.clip(_tridiagonal(diagonal + 0.02 * diagonal.mean() + 1e-3, beside, right), -0.7, 0.7)
        half = float(np.clip(half + 0.7 * thick / max(count, 1.0), 0.4 * trace.stroke, 0.65 * trace.stroke))
        if room:
            moved = _sideways(ink, valid, span, first, knots, values, half)
            knots = np.clip(moved, given - room, given + room)
            first = _firsts(ink.shape[1], knots, half + 1.0)
    mismatches = _mismatches(ink, valid, span, first, knots, values, half)
    sigma = COVERAGE_NOISE * np.sqrt(_spread(diagonal + 1e-4, beside)) + 0.02
    shifts = _shifts(ink, valid, span, first, knots, values, half)
    return Drawing(knots, values, np.minimum(sigma, 5.0), diagonal, half, mismatches, shifts, room)


def _sideways(
    ink: Floats, valid: Mask, span: Floats, first: NDArray[np.int64], knots: Floats, values: Floats, half: float
) -> Floats:
    """The knots after one step along x that keeps their order."""
    diagonal, beside, right, _, _ = _gradient(ink, valid, span, first, knots, values, half, True)
    step = np.clip(_tridiagonal(diagonal + 0.05 * diagonal.mean() + 0.05, beside, right), -0.7, 0.7)
    step[[0, -1]] = 0.0  # the ends are told by the caps
    room = 0.3 * np.diff(knots)
    step[:-1] = np.minimum(step[:-1], room)
    step[1:] = np.maximum(step[1:], -room)
    return knots + step
