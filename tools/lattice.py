"""The cells that bars stand in: left and right sides of every step, from the sides that are seen.

Columns of an upright frame in and out. Not handled here: bars at uneven places that belong to no calendar (they stay
the rectangles that were seen).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tools.dense_bars import daily_sides, drawn_softly, side_steps, snap_lattice
from tools.grid import Grid, Unit, calendar_grid, fit_grid
from tools.rectangles import Columns, Floats32, Frame, Rectangle, usual_width
from tools.types import Axis, Floats, Unreadable

FINEST = 2.6  # px: steps of fewer pixels are not found by folding sides, which lie on whole pixels
LEAST = 1.8  # px: the least for weeks, whose length the axis foretells
SHARP = 0.8  # how well the sides must sit on an even grid that the axis does not foretell
WIDE = 3.5  # px: the finest step of such a grid
MANY = 20  # bars that such a grid takes
OFF = 0.02  # of a step: the most that the axis may be off there
CALENDAR: tuple[tuple[Unit, float], ...] = (("week", 7.0), ("day", 1.0))
SOFT = 3.5  # px: the widest days whose sides, drawn softly, lie in two columns each
THIN = 4.0  # px: bars narrower than this are taken from steps of the outline, not from rectangles


@dataclass(frozen=True, eq=False)
class Cells:
    """Sides (columns) of the steps of one ink, ascending, and the grid in figure pixels that they come from."""

    lefts: Floats
    rights: Floats
    grid: Grid

    @property
    def touching(self) -> bool:
        gaps = self.lefts[1:] - self.rights[:-1]
        return bool(len(gaps)) and float(np.median(gaps)) < max(2.6, 0.05 * self.grid.period)

    def part(self, first: int, last: int) -> Cells:
        """The cells `first` to `last` (exclusive)."""
        grid = replace(self.grid, starts=self.grid.starts[first : last + 1])
        return Cells(self.lefts[first:last], self.rights[first:last], grid)


def find_cells(
    coverage: Floats32, columns: Columns, found: Sequence[Rectangle], frame: Frame, axis: Axis | None
) -> Cells | Unreadable:
    """The cells of one ink (or of a stack's inks taken together), from the first to the last column with ink.

    Date axes use the calendar, other axes any even grid. Unreadable where bars stand at no even or calendar steps.
    """
    if len(found) < 2:
        return Unreadable("too few bars for a grid")
    lefts, rights, weights = _sides(coverage, columns, found)
    if len(lefts[0]) < 2 or len(rights[0]) < 2:
        return Unreadable("too few sides for a grid")
    shown = (min(r.left for r in found), max(r.right for r in found))
    offset = frame.figure_column(0.0)
    periods = _bounds(found)
    thin = _median_width(found) < THIN
    if axis is not None and axis.scale == "date":
        if thin:  # finer steps cannot be told from sides that lie on whole pixels
            periods = (max(periods[0], FINEST), periods[1])
        grid = calendar_grid(axis, lefts[0] + offset, lefts[1], periods, (shown[0] + offset, shown[1] + offset))
        if not isinstance(grid, Grid):
            grid = _stretched(axis, fit_grid(lefts[0] + offset, lefts[1], periods,
                                             (shown[0] + offset, shown[1] + offset)), len(found))  # fmt: skip
        if thin and not isinstance(grid, Grid) and LEAST < CALENDAR[0][1] / abs(axis.slope) < FINEST:
            grid = calendar_grid(
                axis, lefts[0] + offset, lefts[1], (LEAST, FINEST), (shown[0] + offset, shown[1] + offset)
            )
    else:
        grid = fit_grid(lefts[0] + offset, lefts[1], periods, (shown[0] + offset, shown[1] + offset))
        grid = replace(grid, starts=grid.starts + grid.period / 2) if isinstance(grid, Grid) else grid
    if not isinstance(grid, Grid):
        daily = _daily(axis, found, (shown[0] + offset, shown[1] + offset))
        if daily is None:
            return grid
        starts, ends = daily_sides(coverage, columns, daily.starts - offset, daily.period)
        return _cut(starts, ends, shown, daily, offset)
    starts = grid.starts - offset
    ends = _right_sides(starts, rights, grid.period, usual_width(found))
    if thin and not drawn_softly(coverage):
        rises, falls = weights
        starts, ends = snap_lattice(starts, rises), snap_lattice(ends, falls)
    return _cut(starts, ends, shown, grid, offset)


def _stretched(axis: Axis, even: Grid | Unreadable, count: int) -> Grid | Unreadable:
    """An even grid as one of days or weeks, if its step is one but for what an axis on few labels may be off."""
    if not isinstance(even, Grid) or even.score < SHARP or even.period < WIDE or count < MANY:
        return Unreadable("no step of the calendar explains the bars")
    starts = even.starts + even.period / 2
    steps = even.period * abs(axis.slope)
    for unit, length in CALENDAR:
        if abs(steps / length - 1) < OFF:
            return replace(even, starts=starts, unit=unit)
    return Unreadable("the even step of the bars is none of the calendar")


def _median_width(found: Sequence[Rectangle]) -> float:
    return float(np.median([r.width for r in found]))


def _daily(axis: Axis | None, found: Sequence[Rectangle], span: tuple[float, float]) -> Grid | None:
    """The days of a date axis, bars centred on them, where days are about a pixel wide and bars fill the axis.

    Sides rounded to whole pixels tell nothing of a step that is itself a pixel: only the axis can.
    """
    if axis is None or axis.scale != "date" or not 0.4 < 1 / abs(axis.slope) < SOFT:
        return None
    if usual_width(found) > 3.5 or len(found) < 0.15 * (span[1] - span[0]):
        return None
    ends = np.sort(axis.to_value(np.array(span)))
    days = np.arange(np.floor(ends[0]) - 1, np.ceil(ends[1]) + 3) - 0.5
    return Grid(np.sort(axis.to_pixel(days)), 1 / abs(axis.slope), 0.0, "day")


def _sides(
    coverage: Floats32, columns: Columns, found: Sequence[Rectangle]
) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats], tuple[Floats, Floats]]:
    """(positions, weights) of left sides and of right sides, and the (w + 1,) steps they were taken from."""
    rises, falls = side_steps(coverage, columns)
    if _median_width(found) < THIN:
        up, down = np.flatnonzero(rises), np.flatnonzero(falls)
        at_up, at_down = up.astype(np.float64) - 0.5, down.astype(np.float64) - 0.5
        return (at_up, rises[up]), (at_down, falls[down]), (rises, falls)
    weight = np.array([min(max(r.height, 1.0), 30.0) for r in found])
    # Where two bars touch, only one of them shows the side: the higher one.
    touching = np.array([b.first == a.last + 1 for a, b in itertools.pairwise(found)])
    higher = np.array([a.height > b.height for a, b in itertools.pairwise(found)])
    keep_left = np.concatenate([[True], ~(touching & higher)])
    keep_right = np.concatenate([~(touching & ~higher), [True]])
    lefts = np.array([r.left for r in found]), weight * keep_left
    rights = np.array([r.right for r in found]), weight * keep_right
    return lefts, rights, (rises, falls)


def _bounds(found: Sequence[Rectangle]) -> tuple[float, float]:
    """The period is about as wide as most of the ink's bars at least, and as near neighbours stand apart at most.

    Bars of one height that touch look like one wide bar, so half of the usual width is still possible.
    """
    usual = usual_width(found)
    real = [r for r in found if r.width > 0.4 * usual]
    steps = np.diff(np.array([r.left for r in real]))
    steps = steps[steps > 0.8 * usual]  # nearer ones are halves of one bar that something is drawn across
    near = float(np.percentile(steps, 15)) if len(steps) else usual
    return max(0.55, 0.45 * usual), 1.08 * max(near, usual) + 1.0


def _right_sides(starts: Floats, rights: tuple[Floats, Floats], period: float, usual: float) -> Floats:
    """The right side of every step: a fixed width after its start or a fixed gap before the next, what varies less."""
    at, trust = rights
    number = np.clip(np.searchsorted(starts, at - 0.25 * period, side="right") - 1, 0, len(starts) - 2)
    best: tuple[float, Floats] | None = None
    following = np.append(starts[1:], 2 * starts[-1] - starts[-2])
    for reference in (starts, following):
        off = at - reference[number]
        turn = np.sum(trust * np.exp(2j * np.pi * off / period)) / np.sum(trust)
        shift = float(np.angle(turn)) / (2 * np.pi) * period
        if reference is starts:  # a width: the one of a share of a step, or a little over one, that bars have
            shift = shift % period
            if shift < 0.25 * period and (usual > 1.25 * period or usual - shift > shift + period - usual):
                shift += period
        else:  # a gap
            shift = shift - period if shift > 0.25 * period else shift
        if best is None or abs(turn) > best[0] + 0.01:
            best = (float(abs(turn)), reference + shift)
    assert best is not None
    return best[1]


def _cut(starts: Floats, ends: Floats, shown: tuple[float, float], grid: Grid, offset: float) -> Cells | Unreadable:
    """The cells from the first to the last that holds ink."""
    middles = (starts + ends) / 2
    margin = 0.35 * float(np.median(ends - starts)) + 0.3
    keep = np.flatnonzero((ends > shown[0] + margin) & (starts < shown[1] - margin))
    if not len(keep) or len(middles) < 2:
        return Unreadable("no step of the grid holds ink")
    part = slice(int(keep[0]), int(keep[-1]) + 1)
    bounds = np.append(starts[part], starts[part.stop] if part.stop < len(starts) else ends[part][-1])
    return Cells(starts[part], ends[part], replace(grid, starts=bounds + offset))
