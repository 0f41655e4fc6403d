"""Which grids of data points are worth drawing: candidates ranked by a fast fit to the traced centre lines.

Candidates come from the axis, from even divisions of the curves' extent, and from the comb that vertices found without
a grid form (author's points are evenly spaced, so turns are whole multiples of one spacing apart).
Not handled here: the choice itself (`sampling`), for a fit to column centres is too kind to fine grids.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from tools.candidates import Knots, axis_grids, even_between, even_grid
from tools.polyline import description_length, fit_knots
from tools.trace import Trace
from tools.types import Axis, Floats

FREE_END = 10.0  # nats for a curve that ends between two points of the grid
BINS = (0.0, 1.0, 1.6, 2.4, 3.5, 5.0, 7.5, 11.0, 16.0, 26.0, 50.0, 1e9)  # px between points: the best of each are drawn
BEST = 2  # grids of each spacing
COMBS = 4  # spacings taken from the vertices
WAYS = ((1, 1), (-1, -1), (1, -1), (-1, 1), (1, 0), (0, 1))
ROUND, DENSE = 4.0, 3.0  # nats of a round step; px between points
HOPELESS = 8.0  # times the lowest cost


def reach_of(grid: Knots, trace: Trace) -> tuple[slice, int]:
    """The points of a grid that carry this curve, and how many of the curve's two ends lie on no point of it.

    An end that is within the reach of a line cap of a knot is that knot; else the next knot outwards is taken too, for
    the curve may be cut off by the frame.
    """
    knots, reach = grid.places, max(1.0, 0.75 * trace.stroke)
    inward = min(reach, 0.75 * float(np.median(np.diff(knots))))
    first = int(np.searchsorted(knots, trace.start + inward)) - 1
    last = int(np.searchsorted(knots, trace.end - inward))
    first, last = max(0, first), min(len(knots) - 1, last)
    loose = int(abs(knots[first] - trace.start) > 1.5 * reach) + int(abs(knots[last] - trace.end) > 1.5 * reach)
    return slice(first, last + 1), loose


def fit_cost(grid: Knots, trace: Trace, noise: float) -> float:
    """Nats to describe a traced curve by this grid, by least squares.

    Infinite if fewer than two points carry it, or if the curve goes on for more than a step beyond the last of them.
    """
    part, loose = reach_of(grid, trace)
    knots = grid.places[part]
    if len(knots) < 2:
        return float("inf")
    beyond = max(float(knots[0]) - trace.start, trace.end - float(knots[-1]))
    if beyond > 1.5 * float(np.max(np.diff(knots))) + 2 * trace.stroke:
        return float("inf")
    values, residuals = fit_knots(knots, trace.y, trace.weight)
    return description_length(values, residuals, trace.weight, noise) + loose * FREE_END


def shortlist(traces: Sequence[Trace], turns: Sequence[Floats], axis: Axis | None, origin: float) -> list[Knots]:
    """The two grids of each spacing that fit best; `turns`: columns of vertices that were found without a grid."""
    noises = [noise_of(trace) for trace in traces]

    def cost(grid: Knots) -> float:
        return sum(map(fit_cost, (grid,) * len(traces), traces, noises)) + grid.price

    first, last = min(trace.start for trace in traces), max(trace.end for trace in traces)
    grids = axis_grids(axis, origin, first, last)
    if axis is None or axis.scale not in ("date", "category") or not grids:
        combs = [even_between(*pair, first, last) for pair in comb_of(np.concatenate(turns)) if pair[0] < last - first]
        grids += [_tuned(grid, cost) for grid in _divisions(traces, cost) + combs]
    costs = np.array([cost(grid) for grid in grids])
    spacing = np.digitize([float(np.median(np.diff(grid.places))) for grid in grids], BINS)
    chosen: list[Knots] = []
    for each in np.unique(spacing):
        ranked = sorted(np.flatnonzero(spacing == each), key=lambda i: costs[i])[:BEST]
        chosen += [grids[i] for i in ranked if costs[i] < HOPELESS * costs.min() + 500]
    drawn = {id(grid) for grid in chosen}
    chosen += [g for g in grids if (g.comb or dense_and_round(g)) and id(g) not in drawn]
    return [_aligned(grid, traces[0], cost) for grid in chosen]


def dense_and_round(grid: Knots) -> bool:
    """Steps of 1, 2, 2.5 or 5 that are too close for a fit to tell them apart."""
    return grid.price <= ROUND and float(np.median(np.diff(grid.places))) < DENSE and not grid.comb


def noise_of(trace: Trace) -> float:
    """How well column centres are measured, in px: what a polyline with a knot every three columns leaves."""
    knots = np.arange(trace.start, trace.end + 3, 3.0)
    if len(knots) < 3:
        return 0.1
    _, residuals = fit_knots(knots, trace.y, trace.weight)
    seen = np.abs(residuals[np.isfinite(residuals)])
    return float(np.clip(2.0 * np.median(seen), 0.02, 0.15)) if len(seen) else 0.1


def _divisions(traces: Sequence[Trace], cost: Callable[[Knots], float]) -> list[Knots]:
    """The best even division of the curves' common extent for each spacing.

    Stroke ends reach half a thickness beyond the points under round caps, not under butt caps.
    """
    found: dict[int, tuple[float, Knots]] = {}
    for cap in (0.5, 0.0):
        first = float(np.median([trace.start + cap * trace.stroke for trace in traces]))
        last = float(np.median([trace.end - cap * trace.stroke for trace in traces]))
        for count in range(3, int(min(400, (last - first) / 2.5)) + 2):
            grid = even_grid(first, last, count)
            price, each = cost(grid), int(np.digitize((last - first) / (count - 1), BINS))
            if each not in found or price < found[each][0]:
                found[each] = (price, grid)
    return [grid for _, grid in found.values()]


def comb_of(turns: Floats) -> list[tuple[float, float]]:
    """Spacings of which the distances between `turns` (columns) are whole multiples: (period, a column), best first."""
    if len(turns) < 6:
        return []
    width = float(np.ptp(turns)) + 1
    frequency = np.arange(1 / 60, 1 / 2.4, 1 / (8 * width))
    teeth = np.exp(2j * np.pi * turns[:, None] * frequency[None]).mean(axis=0)
    strength = np.abs(teeth)
    peaks = 1 + np.flatnonzero((strength[1:-1] > strength[:-2]) & (strength[1:-1] >= strength[2:]))
    best = peaks[np.argsort(-strength[peaks])][:COMBS]
    return [(1 / float(frequency[i]), float(np.angle(teeth[i]) / (2 * np.pi * frequency[i]))) for i in best]


def _tuned(grid: Knots, cost: Callable[[Knots], float]) -> Knots:
    """An even grid whose ends are moved to where the curves turn."""
    count = len(grid.places) - 2
    ends = _descend((float(grid.places[1]), float(grid.places[-2])), 1.0, lambda e: cost(even_grid(*e, count)))
    return replace(even_grid(*ends, count), comb=grid.comb, price=grid.price)


def _aligned(grid: Knots, trace: Trace, cost: Callable[[Knots], float]) -> Knots:
    """The grid moved and stretched by less than a pixel to where the curves turn: an axis is never seated perfectly."""
    if grid.step.endswith(" points") or float(np.median(np.diff(grid.places))) < 2:
        return grid
    inside = grid.places[(grid.places > trace.start - 2) & (grid.places < trace.end + 2)]
    if len(inside) < 2:
        return grid
    along = (grid.places - inside[0]) / (inside[-1] - inside[0])

    def moved(ends: tuple[float, float]) -> Knots:
        return replace(grid, places=grid.places + ends[0] + (ends[1] - ends[0]) * along, nominal=grid.named)

    ends = _descend((0.0, 0.0), 0.5, lambda e: cost(moved(e)))
    return moved((float(np.clip(ends[0], -0.8, 0.8)), float(np.clip(ends[1], -0.8, 0.8))))


def _descend(
    ends: tuple[float, float], step: float, cost: Callable[[tuple[float, float]], float]
) -> tuple[float, float]:
    """The pair of numbers to which steps of at least 0.03 lead downhill."""
    lowest = cost(ends)
    while step > 0.03:
        moves = [(ends[0] + a * step, ends[1] + b * step) for a, b in WAYS]
        found = [cost(move) for move in moves]
        if min(found) < lowest:
            lowest, ends = min(found), moves[int(np.argmin(found))]
        else:
            step /= 2
    return ends
