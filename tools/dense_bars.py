"""Hundreds of thin bars: the lattice of their sides, then each height from the pixel columns that the bar owns.

A bar 1.3 px wide shares its columns with its neighbours, so heights are not read off one by one. Renderers that snap
to whole pixels give every column to one bar; those that anti-alias mix two or three bars in a column, and then the
heights are solved for by comparing the drawing of all bars with the picture. Hidden pixels count for neither side.

Upright frame as in `rectangles`. Not handled here: bars on both sides of the base line within one column mix.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, eye_array
from scipy.sparse.linalg import spsolve

from tools.rectangles import Bits, Columns, Floats32, Rectangle, full_level, settle
from tools.types import Floats

SWEEPS = 12


def drawn_softly(coverage: Floats32) -> bool:
    """Whether vertical sides are anti-aliased: a fair share of them pass through a half-covered pixel."""
    share = np.minimum(coverage / full_level(coverage), 1.0)
    middle = (share[:, 1:-1] > 0.15) & (share[:, 1:-1] < 0.85)
    soft = int(np.sum(middle & ((share[:, :-2] > 0.9) ^ (share[:, 2:] > 0.9))))
    solid = share > 0.85
    hard = int(np.sum((solid[:, :-1] & (share[:, 1:] < 0.15)) | (solid[:, 1:] & (share[:, :-1] < 0.15))))
    return soft > 0.35 * (soft + hard)


def side_steps(coverage: Floats32, columns: Columns) -> tuple[Floats, Floats]:
    """How many rows of ink appear and vanish at the boundary before each column: (w + 1,) rises and falls.

    Boundary j lies at column j - 0.5. Steps beside columns whose ends are hidden tell nothing and are 0.
    """
    share = np.minimum(coverage / full_level(coverage), 1.0)
    share[share < 0.08] = 0.0
    ink = share.sum(axis=0, dtype=np.float64)
    unsure = (np.nan_to_num(columns.above) > 0.5).astype(np.float64)
    step = np.diff(np.concatenate([[0.0], ink, [0.0]]))
    doubt = np.concatenate([[0.0], unsure]) + np.concatenate([unsure, [0.0]])
    step[doubt > 0] = 0.0
    cap = float(np.percentile(np.abs(step[step != 0]), 80)) if np.any(step != 0) else 1.0
    step = np.clip(step, -cap, cap)
    step[np.abs(step) < 0.4] = 0.0
    return np.maximum(step, 0.0), np.maximum(-step, 0.0)


def snap_lattice(starts: Floats, rises: Floats) -> Floats:
    """Shift and stretch a lattice of sides so that, rounded to whole pixels, it meets the steps that are there.

    starts: side positions; rises: (w + 1,) weight of the step at boundary j (column j - 0.5). The shift is at most
    half a period, the stretch at most a pixel over the whole width; the middle of the best plateau is taken.
    """
    period = float(np.median(np.diff(starts)))
    centre = float(np.mean(starts))
    reach = max(float(np.ptp(starts)) / 2, 1.0)
    shifts = np.arange(-0.5, 0.5, 0.04) * period
    stretches = np.linspace(-0.8, 0.8, 17)
    scores = np.zeros((len(stretches), len(shifts)))
    for i, stretch in enumerate(stretches):
        bent = starts + (starts - centre) / reach * stretch
        boundary = np.ceil(bent[None, :] + shifts[:, None]).astype(int)
        inside = (boundary >= 0) & (boundary < len(rises))
        scores[i] = np.sum(np.where(inside, rises[np.clip(boundary, 0, len(rises) - 1)], 0.0), axis=1)
    near = -0.02 * scores.max() * (np.abs(shifts)[None, :] / period + np.abs(stretches)[:, None])
    good = np.argwhere(scores + near >= (scores + near).max() - 0.004 * scores.max())
    stretch, shift = float(np.mean(stretches[good[:, 0]])), float(np.mean(shifts[good[:, 1]]))
    return starts + (starts - centre) / reach * stretch + shift


def daily_sides(coverage: Floats32, columns: Columns, starts: Floats, period: float) -> tuple[Floats, Floats]:
    """Left and right sides of bars that are one to three pixels wide, from starts that are right but for a shift.

    Snapped drawing: the shift that meets most steps. Soft drawing: the shift and width whose best heights explain
    the ink of all columns best. Below 1.15 px neither can be told, and the starts are kept.
    """
    if period < 1.15:
        return starts[:-1], starts[1:]
    if not drawn_softly(coverage):
        rises, falls = side_steps(coverage, columns)
        return snap_lattice(starts[:-1], rises), snap_lattice(starts[1:], falls)
    share = np.minimum(coverage / full_level(coverage), 1.0)
    share[share < 0.08] = 0.0
    ink = share.sum(axis=0, dtype=np.float64)
    best = (np.inf, 0.0, 1.0)
    for wide in (1.0, 0.9, 0.8):
        for shift in np.arange(-0.5, 0.5, 0.05):
            lefts = starts[:-1] + (shift + (1 - wide) / 2) * period
            misfit = _misfit(ink, lefts, lefts + wide * period)
            if misfit < 0.98 * best[0]:
                best = (misfit, float(shift), wide)
    _, shift, wide = best
    lefts = starts[:-1] + (shift + (1 - wide) / 2) * period
    return lefts, lefts + wide * period


def _misfit(ink: Floats, lefts: Floats, rights: Floats) -> float:
    """What no heights of these bars explain of the ink per column (root of the summed squares)."""
    width = len(ink)
    first = np.floor(lefts + 0.5).astype(int)
    reach = int(np.max(np.floor(rights + 0.5).astype(int) - first)) + 1
    column = first[:, None] + np.arange(reach)
    overlap = np.minimum(column + 0.5, rights[:, None]) - np.maximum(column - 0.5, lefts[:, None])
    overlap = np.where((column >= 0) & (column < width), np.clip(overlap, 0.0, 1.0), 0.0)
    bar = np.broadcast_to(np.arange(len(lefts))[:, None], column.shape)
    design = coo_array(
        (overlap.ravel(), (np.clip(column, 0, width - 1).ravel(), bar.ravel())), shape=(width, len(lefts))
    ).tocsc()
    normal = (design.T @ design + 1e-3 * eye_array(len(lefts))).tocsc()
    heights = spsolve(normal, design.T @ ink)
    return float(np.linalg.norm(design @ heights - ink))


def heights_on_cells(
    coverage: Floats32, hidden: Bits, columns: Columns, sides: tuple[Floats, Floats], base: float
) -> list[Rectangle]:
    """One rectangle per cell: left and right sides given, ends measured. Empty cells have no height, at the base.

    sides: (n,) left and right edges of the cells, ascending. `above` is the slack left by hidden pixels.
    """
    lefts, rights = sides
    soft = drawn_softly(coverage)
    found: list[Rectangle] = []
    unsolved: list[int] = []
    width = coverage.shape[1]
    for number, (left, right) in enumerate(zip(lefts, rights, strict=True)):
        own = _own_columns(float(left), float(right), width, soft)
        if own is None:
            unsolved.append(number)
            own = (max(0, min(width - 1, round((left + right) / 2))),) * 2
        found.append(_from_columns(columns, (float(left), float(right)), own, base, hidden))
    if unsolved and soft:
        found = _solve(coverage, hidden, found, base)
    return found


def _own_columns(left: float, right: float, width: int, soft: bool) -> tuple[int, int] | None:
    """The columns that show this cell alone: centres inside it (snapped drawing) or wholly inside (soft drawing)."""
    if soft:
        first, last = int(np.ceil(left + 0.4)), int(np.floor(right - 0.4))
    else:
        first, last = int(np.ceil(left)), int(np.ceil(right)) - 1
    first, last = max(first, 0), min(last, width - 1)
    return (first, last) if first <= last else None


def _from_columns(
    columns: Columns, sides: tuple[float, float], own: tuple[int, int], base: float, hidden: Bits
) -> Rectangle:
    """The cell's ends: from its inner columns if it has many (sides may be soft), else from all of them."""
    first, last = own
    trim = 1 if last - first >= 4 else 0
    part = slice(first + trim, last + 1 - trim)
    present = columns.present[part]
    if np.mean(present) < 0.5:
        veiled = _veil(hidden[:, part], base)
        return Rectangle(*sides, base - veiled / 2, base, veiled, 0.0, first, last)
    tops, bottoms = columns.top[part][present], columns.bottom[part][present]
    top, above = settle(tops, columns.above[part][present], -1.0)
    bottom, below = settle(bottoms, columns.below[part][present], 1.0)
    return Rectangle(*sides, top, bottom, above, below, first, last)


def _veil(hidden: Bits, base: float) -> float:
    """Rows above the base that hidden pixels cover in all these columns: a small bar could stand there unseen."""
    row = int(np.floor(base - 0.5))  # the lowest row that lies above the base
    covered = np.asarray(hidden.all(axis=1))
    count = 0
    while 0 <= row - count < len(covered) and covered[row - count]:
        count += 1
    # A rule or the axis itself lies there in every chart: only a veil thicker than that can hide a bar.
    return float(count) if count > 3 else 0.0


class _Drawing:
    """All bars of one ink as drawn so far, against the picture: the sum of (share of column) x (share of row)."""

    def __init__(self, share: Floats, seen: Floats, sides: tuple[Floats, Floats], tops: Floats) -> None:
        """share, seen: (rows, w) of the picture down to the base; sides: (n,) left and right; tops: (n,) first ends."""
        lefts, rights = sides
        width = share.shape[1]
        self.share, self.seen, self.tops = share, seen, tops
        first = np.floor(lefts + 0.5).astype(int)
        self.reach = int(np.max(np.floor(rights + 0.5).astype(int) - first)) + 1
        column = first[:, None] + np.arange(self.reach)
        overlap = np.minimum(column + 0.5, rights[:, None]) - np.maximum(column - 0.5, lefts[:, None])
        self.overlap = np.where((column >= 0) & (column < width), np.clip(overlap, 0.0, 1.0), 0.0)
        self.column = np.clip(column, 0, width - 1)
        self.picture = np.zeros_like(share)
        for k, filled in enumerate(self._filled(tops)):
            for r in range(self.reach):
                self.picture[:, self.column[k, r]] += filled * self.overlap[k, r]

    def _filled(self, ends: Floats) -> Floats:
        """(n, rows): how much of each row bars with these ends fill."""
        return np.clip(np.arange(len(self.share))[None, :] + 0.5 - ends[:, None], 0.0, 1.0)

    def move(self, group: NDArray[np.intp]) -> None:
        """Set the ends of bars that share no column to their best, all others fixed. Each such step is exact:
        filling a row gains overlap * (2 rest - overlap), so the best end is where the running gain is greatest."""
        column, overlap = self.column[group], self.overlap[group]
        old = self._filled(self.tops[group])
        rest = self.share[:, column] - (self.picture[:, column] - old.T[:, :, None] * overlap)
        gain = np.sum(self.seen[:, column] * overlap * (2 * rest - overlap), axis=2)
        total = np.vstack([np.cumsum(gain[::-1], axis=0)[::-1], np.zeros((1, len(group)))])
        best = np.argmax(total, axis=0)
        # The row above the best end may be filled in part: its least-squares share.
        above = np.clip(best - 1, 0, None)
        wanted = np.sum(self.seen[above[:, None], column] * overlap * rest[above, np.arange(len(group))], axis=1)
        part = np.clip(wanted / np.maximum(np.sum(overlap**2, axis=1), 1e-6), 0.0, 1.0)
        self.tops[group] = best - 0.5 - np.where((best > 0) & (part > 0.05), part, 0.0)
        change = self._filled(self.tops[group]) - old
        for r in range(self.reach):
            self.picture[:, column[:, r]] += (change * overlap[:, r : r + 1]).T


def _solve(coverage: Floats32, hidden: Bits, found: list[Rectangle], base: float) -> list[Rectangle]:
    """Heights of all bars above the base by drawing and comparing, bar by bar, until none moves."""
    floor = int(np.clip(np.floor(base + 0.5), 1, coverage.shape[0]))  # rows that lie above the base
    drawing = _Drawing(
        np.minimum(coverage[:floor] / full_level(coverage), 1.0).astype(np.float64),
        (~hidden[:floor]).astype(np.float64),
        (np.array([one.left for one in found]), np.array([one.right for one in found])),
        np.array([one.top if one.height > 0 else base for one in found]),
    )
    for _ in range(SWEEPS):
        before = drawing.tops.copy()
        for phase in range(drawing.reach + 1):  # bars this far apart share no column: they move together
            drawing.move(np.arange(phase, len(found), drawing.reach + 1))
        if np.max(np.abs(before - drawing.tops)) < 0.02:
            break
    return [replace(one, top=float(top), bottom=base) for one, top in zip(found, drawing.tops, strict=True)]
