"""A curve followed through the ink of one colour: for every pixel column its centre, sub-pixel, and how sure that is.

The path is the cheapest walk from the first to the last inked column: ink is free, white paper costs, places hidden
under other ink cost little, and climbing inside ink is cheap, so that steep strokes are walked and not jumped.
Not handled here: loops, which data points were drawn (`sampling`), curves of one colour that run together (`dashes`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from tools.types import Floats, Unreadable

INK = 0.25  # coverage that counts as ink when a stroke's extent is measured
PAPER_COST, HIDDEN_COST, CLIMB_INK, CLIMB_PAPER, CLIMB_HIDDEN = 1.0, 0.12, 0.04, 1.2, 0.4


@dataclass(frozen=True, eq=False)
class Trace:
    """One curve, column by column, in crop pixels; every array has one entry for each column of the crop.

    `y` is the centre of the stroke (nan where there is none), `top` and `bottom` its sub-pixel edges. `weight` is how
    well the column shows the curve (0: not at all, 1: a clean, gently sloping stroke). `hidden` columns lie under
    other ink; `gap` columns are bare paper between the ends. `stroke` is the thickness across the line, in px.
    """

    y: Floats
    top: Floats
    bottom: Floats
    weight: Floats
    hidden: NDArray[np.bool_]
    gap: NDArray[np.bool_]
    stroke: float
    start: float
    end: float


@njit(cache=True)  # type: ignore[untyped-decorator]
def _walk(cost: Floats, climb: Floats) -> NDArray[np.int64]:
    """First and last row of the cheapest left-to-right path in each column: (w, 2)."""
    h, w = cost.shape
    best = cost[:, 0].copy()
    origin = np.zeros((h, w), np.int8)  # 0 from the left, 2/3 from the left one row up/down, 1 above, -1 below
    for c in range(w):
        if c > 0:
            previous = best.copy()
            for r in range(h):
                value, move = previous[r], 0
                if r > 0 and previous[r - 1] + 0.02 < value:
                    value, move = previous[r - 1] + 0.02, 2
                if r < h - 1 and previous[r + 1] + 0.02 < value:
                    value, move = previous[r + 1] + 0.02, 3
                best[r], origin[r, c] = value + cost[r, c], move
        for r in range(1, h):
            if best[r - 1] + climb[r, c] < best[r]:
                best[r], origin[r, c] = best[r - 1] + climb[r, c], 1
        for r in range(h - 2, -1, -1):
            if best[r + 1] + climb[r, c] < best[r]:
                best[r], origin[r, c] = best[r + 1] + climb[r, c], -1
    rows = np.zeros((w, 2), np.int64)
    r = int(np.argmin(best))
    for c in range(w - 1, -1, -1):
        low = high = r
        while origin[r, c] == 1 or origin[r, c] == -1:
            r -= origin[r, c]
            low, high = min(low, r), max(high, r)
        rows[c, 0], rows[c, 1] = low, high
        if origin[r, c] == 2:
            r -= 1
        elif origin[r, c] == 3:
            r += 1
    return rows


@njit(cache=True)  # type: ignore[untyped-decorator]
def _measure(ink: Floats, hidden: NDArray[np.bool_], rows: NDArray[np.int64], threshold: float) -> Floats:
    """Per column: centre, top edge, bottom edge, amount of ink, share of the walked rows and edges that is hidden."""
    h, w = ink.shape
    found = np.full((w, 5), np.nan)
    for c in range(w):
        top, bottom = rows[c, 0], rows[c, 1]
        unseen = 0.0
        for r in range(top, bottom + 1):
            if hidden[r, c] and ink[r, c] < threshold:
                unseen += 1.0
        while top > 0 and ink[top - 1, c] > threshold:
            top -= 1
        while bottom < h - 1 and ink[bottom + 1, c] > threshold:
            bottom += 1
        first, last = max(0, top - 1), min(h - 1, bottom + 1)  # the faint pixel at either edge belongs to the stroke
        amount = moment = 0.0
        for r in range(first, last + 1):
            amount += ink[r, c]
            moment += ink[r, c] * r
        edge = (1.0 if hidden[first, c] else 0.0) + (1.0 if hidden[last, c] else 0.0)
        found[c, 4] = unseen / (rows[c, 1] - rows[c, 0] + 1) + edge
        found[c, 3] = amount
        if amount > threshold:
            found[c, 0] = moment / amount
            found[c, 1] = top - 0.5 + (1.0 - ink[top, c]) - (ink[top - 1, c] if top > 0 else 0.0)
            found[c, 2] = bottom + 0.5 - (1.0 - ink[bottom, c]) + (ink[bottom + 1, c] if bottom < h - 1 else 0.0)
    return found


def follow(ink: NDArray[np.float32], hidden: NDArray[np.bool_]) -> Trace | Unreadable:
    """The curve that crosses this layer from left to right.

    `ink` (h, w) float32 coverage 0 to 1; `hidden` (h, w) bool. Unreadable where fewer than three columns have ink.
    """
    full = np.asarray(ink, dtype=np.float64)
    inked = np.flatnonzero((full > 2 * INK).any(axis=0))
    if len(inked) < 3:
        return Unreadable("no ink to follow")
    start, end = int(inked[0]), int(inked[-1])
    part, unseen = full[:, start : end + 1], hidden[:, start : end + 1]
    solid = np.minimum(1.0, 1.25 * part)
    bare = np.where(unseen, HIDDEN_COST, PAPER_COST)
    rows = _walk((1 - solid) * bare, CLIMB_INK * solid + (1 - solid) * np.where(unseen, CLIMB_HIDDEN, CLIMB_PAPER))
    found = _measure(part, unseen, rows, INK)
    return _assemble(found, full.shape[1], start, end, stroke_width(full))


def _assemble(found: Floats, width: int, start: int, end: int, stroke: float) -> Trace:
    """Spread the measured columns over the whole crop and weigh them."""
    y, top, bottom, amount, covered = (np.full(width, np.nan) for _ in range(5))
    for i, column in enumerate((y, top, bottom, amount, covered)):
        column[start : end + 1] = found[:, i]
    seen = np.isfinite(y)
    slope = _slope(y)
    expected = stroke * np.sqrt(1 + slope**2)
    excess = np.abs(amount - expected) / stroke  # blobs, crossings and tips show too much ink, half-hidden strokes too little
    weight = np.where(seen & (np.nan_to_num(covered) == 0), 1.0, 0.0) / (1 + np.nan_to_num(excess) ** 2 + slope**2 / 4)
    hidden = ~seen & (np.nan_to_num(covered) > 0)
    inside = np.zeros(width, bool)
    inside[start : end + 1] = True
    return Trace(y, top, bottom, weight, hidden, inside & ~seen & ~hidden, stroke, *_ends(amount, stroke, start, end))


def _ends(amount: Floats, stroke: float, start: int, end: int) -> tuple[float, float]:
    """Where the stroke begins and ends along x: edges of the outermost columns, which it covers only in part."""
    left = min(1.0, float(np.nan_to_num(amount[start])) / stroke)
    right = min(1.0, float(np.nan_to_num(amount[end])) / stroke)
    return start + 0.5 - left, end - 0.5 + right


def _slope(y: Floats) -> Floats:
    """Slope of the centre line by central differences over seen columns (0 where unknown)."""
    seen = np.flatnonzero(np.isfinite(y))
    if len(seen) < 2:
        return np.zeros_like(y)
    filled = np.interp(np.arange(len(y)), seen, y[seen])
    return np.asarray(np.gradient(filled), dtype=np.float64)


@njit(cache=True)  # type: ignore[untyped-decorator]
def _run_sums(ink: Floats, threshold: float) -> Floats:
    """For every pixel the ink of its vertical run (the faint pixels at either end included), 0 off the ink."""
    h, w = ink.shape
    sums = np.zeros((h, w))
    for c in range(w):
        r = 0
        while r < h:
            if ink[r, c] <= threshold:
                r += 1
                continue
            first, total = r, ink[r - 1, c] if r > 0 else 0.0
            while r < h and ink[r, c] > threshold:
                total += ink[r, c]
                r += 1
            sums[first:r, c] = total + (ink[r, c] if r < h else 0.0)
    return sums


def stroke_width(ink: Floats) -> float:
    """Thickness of the strokes in a layer (h, w), in px, whatever way they run.

    A stroke at angle a cuts a column over t / cos a and a row over t / sin a: of the two the shorter is nearer to t, and
    its lower quartile belongs to stretches that run straight along one of them.
    """
    shorter = np.minimum(_run_sums(ink, INK), _run_sums(np.ascontiguousarray(ink.T), INK).T)
    found = shorter[ink > 2 * INK]
    return float(max(0.3, np.quantile(found, 0.25))) if len(found) else 1.0
