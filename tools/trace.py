"""A curve followed through the ink of one colour: for every pixel column its centre, sub-pixel, and how sure that is.

The path is the cheapest walk to the right, beginning and ending where it likes: ink is a gain, white paper costs,
places hidden under other ink cost little, and climbing inside ink is cheap, so that steep strokes are walked and not
jumped.
Not handled here: loops, which data points were drawn (`sampling`), curves of one colour that run together (`dashes`).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numba import njit
from numpy.typing import NDArray

from tools.types import Floats, Unreadable

INK = 0.25  # coverage that counts as ink when a stroke's extent is measured
INK_COST, PAPER_COST, HIDDEN_COST = -1.0, 0.5, 0.15  # for a step to the right
CLIMB_INK, CLIMB_PAPER, CLIMB_HIDDEN = 0.04, 0.4, 0.25  # for a row up or down
LONG_RIDE = 40  # px along a hidden row that are more likely a rule than a curve behind one


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


@njit(cache=True)
def _sweep(cost: Floats, climb: Floats) -> tuple[NDArray[np.int8], int, int]:
    """Cheapest walks to every place: where each comes from, and the row and column where the cheapest one ends.

    Moves: 0 begins here, 1 down and -1 up a row within the column, 2, 3, 4 from the left, left above, left below.
    """
    h, w = cost.shape
    best, move = np.zeros(h), np.zeros((h, w), np.int8)
    lowest, row, column = 0.0, 0, 0
    for c in range(w):
        previous = best.copy()
        for r in range(h):
            value, move[r, c] = min(previous[r], 0.0), 2 if previous[r] < 0.0 else 0
            if r > 0 and previous[r - 1] + 0.02 < value:
                value, move[r, c] = previous[r - 1] + 0.02, 3
            if r < h - 1 and previous[r + 1] + 0.02 < value:
                value, move[r, c] = previous[r + 1] + 0.02, 4
            best[r] = value + cost[r, c]
        for r in range(1, h):
            if best[r - 1] + climb[r, c] < best[r]:
                best[r], move[r, c] = best[r - 1] + climb[r, c], 1
        for r in range(h - 2, -1, -1):
            if best[r + 1] + climb[r, c] < best[r]:
                best[r], move[r, c] = best[r + 1] + climb[r, c], -1
        r = int(np.argmin(best))
        if best[r] < lowest:
            lowest, row, column = best[r], r, c
    return move, row, column


@njit(cache=True)
def _back(move: NDArray[np.int8], row: int, column: int) -> NDArray[np.int64]:
    """First and last row of the walk that ends at this place in each of its columns: (n, 3) with the column."""
    rows = np.zeros((column + 1, 3), np.int64)
    r, c = row, column
    while True:
        low = high = r
        while move[r, c] == 1 or move[r, c] == -1:
            r -= move[r, c]
            low, high = min(low, r), max(high, r)
        rows[c, 0], rows[c, 1], rows[c, 2] = low, high, c
        step = move[r, c]
        if step == 0 or c == 0:
            return rows[c:]
        if step == 3:
            r -= 1
        elif step == 4:
            r += 1
        c -= 1


@njit(cache=True)
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


def follow(ink: Floats | NDArray[np.float32], hidden: NDArray[np.bool_]) -> Trace | Unreadable:
    """The curve that crosses this layer from left to right.

    `ink` (h, w) coverage 0 to 1; `hidden` (h, w) bool. Unreadable where fewer than three columns have ink.
    """
    full = np.asarray(ink, dtype=np.float64)
    tallest = full.max(axis=0)
    peak = float(np.quantile(tallest[tallest > 0.1], 0.75)) if (tallest > 0.1).sum() > 2 else 1.0
    if not (tallest > 2 * INK * peak).sum() > 2:  # hairlines never cover a pixel fully
        return Unreadable("no ink to follow")
    solid = np.minimum(1.0, 1.25 * full / peak)
    ride = np.where(_long_runs(hidden, LONG_RIDE), 0.8 * PAPER_COST, HIDDEN_COST)
    cost = INK_COST * solid + (1 - solid) * np.where(hidden, ride, PAPER_COST)
    climb = CLIMB_INK * solid + (1 - solid) * np.where(hidden, CLIMB_HIDDEN, CLIMB_PAPER)
    rows = _back(*_sweep(cost, climb))
    if len(rows) < 3:
        return Unreadable("no ink to follow")
    return trace_along(full, hidden, rows, stroke_width(full, INK * peak), INK * peak)


def trace_along(
    ink: Floats, hidden: NDArray[np.bool_], rows: NDArray[np.int64], stroke: float, threshold: float = INK
) -> Trace:
    """The curve along a known walk: `rows` (n, 3) first row, last row and column, column by column to the right.

    `ink`, `hidden` (h, w) as in `follow`; `stroke` in px; `threshold`: what counts as ink.
    """
    start, end = int(rows[0, 2]), int(rows[-1, 2])
    found = _measure(ink[:, start : end + 1], hidden[:, start : end + 1], rows, threshold)
    return _assemble(found, ink.shape[1], start, end, stroke)


def _long_runs(mask: NDArray[np.bool_], longest: int) -> NDArray[np.bool_]:
    """Places of a mask (h, w) that lie in a run along the row of more than `longest`: a frame or a grid line."""
    kernel = np.ones((1, longest + 1), np.uint8)
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, kernel)) > 0


def _assemble(found: Floats, width: int, start: int, end: int, stroke: float) -> Trace:
    """Spread the measured columns over the whole crop and weigh them."""
    y, top, bottom, amount, covered = (np.full(width, np.nan) for _ in range(5))
    for i, column in enumerate((y, top, bottom, amount, covered)):
        column[start : end + 1] = found[:, i]
    seen = np.isfinite(y)
    slope = _slope(y)
    start, end = (int(column) for column in np.flatnonzero(seen)[[0, -1]]) if seen.any() else (start, end)
    expected = stroke * np.sqrt(1 + slope**2)
    excess = np.nan_to_num(np.abs(amount - expected) / stroke)  # tips have too much ink, half-hidden strokes too little
    weight = np.where(seen & (np.nan_to_num(covered) == 0), 1.0, 0.0) / (1 + excess**2 + slope**2 / 4)
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


@njit(cache=True)
def run_sums(ink: Floats, threshold: float) -> Floats:
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


def level_sums(ink: Floats, threshold: float) -> Floats:
    """For every pixel the ink of its level run, as `run_sums` has it of its vertical one."""
    return np.asarray(run_sums(ink.T, threshold).T)


def stroke_width(ink: Floats, threshold: float) -> float:
    """Thickness of the strokes in a layer (h, w), in px, whatever way they run.

    A stroke at angle a cuts a column over t / cos a and a row over t / sin a: of the two the shorter is nearer to t,
    and its lower quartile belongs to stretches that run straight along one of them. `threshold`: what counts as ink.
    """
    found = np.minimum(run_sums(ink, threshold), level_sums(ink, threshold))[ink > 2 * threshold]
    return float(max(0.3, np.quantile(found, 0.25))) if len(found) else 1.0
