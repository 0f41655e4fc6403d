"""The points that the author plotted: which grid of x the vertices of the traced curves lie on.

Every candidate grid (calendar steps on a date axis, round steps on a number axis, slots of a category axis, even
divisions of the curve's extent) is judged by fitting polylines through it: `polyline.description_length` weighs what
a grid leaves unexplained against how many points it needs. Free vertices compete on the same scale.
Not handled here: markers (their places come first, see `lines`), curves that are no function of x.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
from numpy.typing import NDArray

from tools.linemarks import Blobs
from tools.polyline import description_length, fit_knots
from tools.trace import Trace
from tools.types import Axis, Floats, days, moment

CLOSEST = 0.45  # px: points closer than this cannot be told apart
VERTEX_COST = 12.0  # nats for a vertex anywhere, its x to be said as well
FREE_END = 10.0  # nats for a curve that ends between two points of the grid


@dataclass(frozen=True, eq=False)
class Knots:
    """Candidate places of data points: `places` are increasing crop columns that reach across the whole plot.

    `step` names it ("day", "7 days", "0.5", "142 points", "vertices"); `price` are the nats of choosing it.
    """

    places: Floats
    step: str
    price: float = 0.0
    free: bool = False
    sampled: bool = False


def calendar_grids(first: float, last: float) -> Iterable[tuple[str, float, Floats]]:
    """Calendar steps between two days since 1970: (name, price in nats, days)."""
    low, high = np.floor(first) - 40, np.ceil(last) + 40
    span = np.arange(low, high + 1)
    yield "day", 0.0, span
    yield "day at noon", 4.0, span + 0.5
    for weeks, price in ((1, 2.0), (2, 4.0), (4, 6.0)):
        for phase in range(7 * weeks):
            yield f"{7 * weeks} days", price, span[(span.astype(np.int64) - phase) % (7 * weeks) == 0]
    for count in (2, 3, 5, 10):
        for phase in range(count):
            yield f"{count} days", 6.0, span[(span.astype(np.int64) - phase) % count == 0]
    for hours in (12, 6, 4, 3, 2, 1):
        if (last - first) * 24 / hours < 4000:
            yield f"{hours} h", 4.0, np.arange(low * 24 / hours, high * 24 / hours) * hours / 24
    years = range(max(1, moment(low).year - 1), min(9998, moment(high).year + 1) + 1)
    months = [date(year, month, 1) for year in years for month in range(1, 13)]
    for count, name in ((1, "month"), (3, "quarter"), (12, "year")):
        for shift, price in ((0, 0.0), (14, 4.0), (-1, 4.0)):  # first, middle and last day
            yield name, price, np.array([days(month) + shift for month in months[::count]])


def number_grids(first: float, last: float) -> Iterable[tuple[str, float, Floats]]:
    """Round steps anchored at zero between two numbers: (name, price in nats, numbers)."""
    span = last - first
    for exponent in range(int(np.floor(np.log10(span))) - 4, int(np.floor(np.log10(span))) + 1):
        for digit, price in ((1.0, 0.0), (2.0, 2.0), (5.0, 2.0), (2.5, 4.0), (4.0, 5.0), (3.0, 5.0), (1.25, 6.0)):
            step = digit * 10.0**exponent
            if 2 < span / step < 4000:
                low, high = np.floor(first / step) - 2, np.ceil(last / step) + 2
                yield f"{step:g}", price, np.arange(low, high + 1) * step
                yield f"{step:g}", price + 4, (np.arange(low, high + 1) + 0.5) * step
    for part in (12, 4, 52):  # decimal years: months, quarters, weeks
        if 2 < span * part < 4000 and span > 1:
            yield f"1/{part}", 4.0, np.arange(np.floor(first * part) - 2, np.ceil(last * part) + 3) / part


def axis_grids(axis: Axis | None, origin: float, first: float, last: float) -> list[Knots]:
    """Grids that the axis suggests for curves between the columns `first` and `last`."""
    if axis is None or last - first < 2:
        return []
    ends = np.array([first, last]) + origin
    low, high = sorted((ends * axis.slope + axis.intercept).tolist())
    units: Iterable[tuple[str, float, Floats]]
    if axis.scale == "date":
        units = calendar_grids(low, high)
    elif axis.scale == "category":
        units = [("category", -20.0, np.arange(-1.0, max(len(axis.categories), int(high) + 1) + 1))]
    elif axis.scale == "log":
        units = [(f"1/{n} decade", 4.0, np.arange(np.floor(low * n) - 2, np.ceil(high * n) + 3) / n)
                 for n in (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 25, 50, 100) if (high - low) * n > 2]  # fmt: skip
    else:
        units = number_grids(low, high)
    grids = [Knots(np.sort((u - axis.intercept) / axis.slope - origin), name, price) for name, price, u in units]
    return [grid for grid in grids if _usable(grid.places, first, last)]


def _usable(knots: Floats, first: float, last: float) -> bool:
    inside = knots[(knots > first - 2) & (knots < last + 2)]
    return len(inside) >= 3 and float(np.min(np.diff(inside))) >= CLOSEST


def even_grid(first: float, last: float, count: int) -> Knots:
    """`count` points from `first` to `last`, one more at either side."""
    step = (last - first) / (count - 1)
    return Knots(first + step * np.arange(-1, count + 1), f"{count} points", 8.0)


def knots_of(grid: Knots, trace: Trace) -> tuple[Floats, int]:
    """The part of a grid that carries this curve, and how many of the curve's two ends lie on no point of it.

    An end that is within the reach of a line cap of a knot is that knot; else the next knot outwards is taken too, for
    the curve may be cut off by the frame.
    """
    knots, reach = grid.places, max(1.0, 0.75 * trace.stroke)
    first = int(np.searchsorted(knots, trace.start + reach)) - 1
    last = int(np.searchsorted(knots, trace.end - reach))
    first, last = max(0, first), min(len(knots) - 1, last)
    loose = int(abs(knots[first] - trace.start) > 1.5 * reach) + int(abs(knots[last] - trace.end) > 1.5 * reach)
    return knots[first : last + 1], loose


def cost(grid: Knots, trace: Trace, noise: float) -> float:
    """Nats to describe one traced curve by this grid (infinite where fewer than two of its points carry it)."""
    knots, loose = knots_of(grid, trace)
    if len(knots) < 2:
        return float("inf")
    values, residuals = fit_knots(knots, trace.y, trace.weight)
    length = description_length(values, residuals, trace.weight, noise)
    return length + loose * FREE_END + (VERTEX_COST - 6) * len(knots) * grid.free


def noise_of(trace: Trace) -> float:
    """How well column centres are measured, in px: what a polyline with a knot every three columns leaves."""
    knots = np.arange(trace.start, trace.end + 3, 3.0)
    if len(knots) < 3:
        return 0.1
    _, residuals = fit_knots(knots, trace.y, trace.weight)
    seen = np.abs(residuals[np.isfinite(residuals)])
    return float(np.clip(2.0 * np.median(seen), 0.02, 0.15)) if len(seen) else 0.1


@dataclass(frozen=True, eq=False)
class Curve:
    """One traced curve with the ink that it was traced in, `valid` pixels of it, and its markers."""

    trace: Trace
    ink: Floats
    valid: NDArray[np.bool_]
    blobs: Blobs


def find_knots(curves: Sequence[Curve], axis: Axis | None, origin: float) -> list[Knots]:
    """The data points of each curve: one grid for all of them where that explains them, else their own.

    `origin` is the figure column of crop column 0. The `places` returned are those that carry their own curve.
    """
    noises = [noise_of(curve.trace) for curve in curves]
    main = sorted(range(len(curves)), key=lambda i: -float(curves[i].trace.weight.sum()))[:4]
    traces, levels = [curves[i].trace for i in main], [noises[i] for i in main]
    first, last = min(trace.start for trace in traces), max(trace.end for trace in traces)
    grids = axis_grids(axis, origin, first, last)
    grids += _even_grids(traces, levels)
    shared = [sum(cost(grid, t, n) for t, n in zip(traces, levels, strict=True)) + grid.price for grid in grids]
    best = grids[int(np.argmin(shared))] if grids else None
    return [_own_grid(curve.trace, noise, best) for curve, noise in zip(curves, noises, strict=True)]


def _own_grid(trace: Trace, noise: float, shared: Knots | None) -> Knots:
    """The shared grid, unless free vertices tell this curve in far fewer nats."""
    free = free_vertices(trace)
    rival = Knots(free, "vertices", free=True)
    if shared is None:
        return rival
    if cost(rival, trace, noise) < 0.75 * cost(shared, trace, noise) - 20:
        return rival
    return replace(shared, places=knots_of(shared, trace)[0])


def _even_grids(traces: Sequence[Trace], noises: Sequence[float]) -> list[Knots]:
    """The best even divisions of the curves' common extent, their ends tuned."""
    first = float(np.median([trace.start + 0.5 * trace.stroke for trace in traces]))
    last = float(np.median([trace.end - 0.5 * trace.stroke for trace in traces]))
    counts = range(3, int(min(600, (last - first) / 2)) + 2)
    grids = [even_grid(first, last, count) for count in counts]
    lengths = [sum(cost(grid, t, n) for t, n in zip(traces, noises, strict=True)) for grid in grids]
    best = [counts[i] for i in np.argsort(lengths)[:3]]
    return [_tuned(count, first, last, traces, noises) for count in best]


def _tuned(count: int, first: float, last: float, traces: Sequence[Trace], noises: Sequence[float]) -> Knots:
    """The even grid of `count` points whose ends are moved, by up to two px, to where the curves turn."""

    def length(ends: tuple[float, float]) -> float:
        grid = even_grid(*ends, count)
        return sum(cost(grid, t, n) for t, n in zip(traces, noises, strict=True))

    ends, lowest, step = (first, last), length((first, last)), 1.0
    while step > 0.03:
        moves = [(ends[0] + a * step, ends[1] + b * step) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
        found = [length(move) for move in moves]
        if min(found) < lowest:
            lowest, ends = min(found), moves[int(np.argmin(found))]
        else:
            step /= 2
    return even_grid(*ends, count)


def free_vertices(trace: Trace, tolerance: float = 0.5) -> Floats:
    """Columns (n,) where the traced curve turns: split where it leaves a straight line, then cross the fitted lines."""
    columns = np.flatnonzero(np.isfinite(trace.y) & (trace.weight > 0.05))
    if len(columns) < 3:
        return np.array([trace.start, trace.end])
    y = trace.y[columns]
    corners = _split(columns.astype(np.float64), y, tolerance)
    knots = columns[corners].astype(np.float64)
    knots[0], knots[-1] = trace.start + 0.5 * trace.stroke, trace.end - 0.5 * trace.stroke
    for _ in range(3):
        knots = _crossings(knots, columns.astype(np.float64), y, trace.weight[columns])
    return knots


def _split(x: Floats, y: Floats, tolerance: float) -> NDArray[np.int64]:
    """Indices kept by repeatedly splitting at the point farthest from the chord, both ends included."""
    keep, todo = {0, len(x) - 1}, [(0, len(x) - 1)]
    while todo:
        a, b = todo.pop()
        if b - a < 2:
            continue
        chord = y[a] + (y[b] - y[a]) * (x[a : b + 1] - x[a]) / (x[b] - x[a])
        away = np.abs(y[a : b + 1] - chord) / np.hypot(1.0, (y[b] - y[a]) / (x[b] - x[a]))
        i = a + int(np.argmax(away))
        if away[i - a] > tolerance:
            keep.add(i)
            todo += [(a, i), (i, b)]
    return np.array(sorted(keep), dtype=np.int64)


def _crossings(knots: Floats, x: Floats, y: Floats, weight: Floats) -> Floats:
    """Move each inner knot to where the straight lines fitted on its two sides cross."""
    lines: list[tuple[float, float] | None] = []
    for a, b in zip(knots[:-1], knots[1:], strict=True):
        inside = (x > a + 0.5) & (x < b - 0.5)
        lines.append(tuple(np.polyfit(x[inside], y[inside], 1, w=np.sqrt(weight[inside]))) if inside.sum() >= 3 else None)
    moved = knots.copy()
    for i in range(1, len(knots) - 1):
        before, after = lines[i - 1], lines[i]
        if before is None or after is None or abs(before[0] - after[0]) < 1e-3:
            continue
        cross = (after[1] - before[1]) / (before[0] - after[0])
        if abs(cross - knots[i]) < 0.4 * min(knots[i] - knots[i - 1], knots[i + 1] - knots[i]):
            moved[i] = cross
    return moved
