"""The points that the author plotted: which places along x the vertices of the traced curves have.

Grids that the axis suggests and even divisions of the curves' extent are ranked by a fast least-squares fit, and the
best of each spacing are drawn and compared with the ink: a wrong grid cannot draw the curve, a needlessly fine one pays
for its points. Vertices anywhere compete on the same scale, in nats.
Not handled here: curves that are no function of x.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tools.candidates import Knots, axis_grids, even_between, even_grid
from tools.linemarks import Blobs
from tools.polyline import description_length, fit_knots, knot_cost, shift_cost
from tools.rendering import Drawing, match
from tools.trace import Trace
from tools.types import Axis, Floats
from tools.vertices import MISMATCH_COST, VERTEX_COST, find_vertices

FREE_END = 10.0  # nats for a curve that ends between two points of the grid
TURN_NOISE = 0.05  # px: how straight a drawn polyline is where the author's was
ROUNDING, ROUNDING_COST = 0.7, 2.0  # px that vertices may be rounded by, and nats for each to say it
SHIFT_COST = 0.5  # neighbouring columns are not independent
SEEN = 15.0  # nats per curve by which points half a step off must draw it worse
TRIED = 6  # grids whose points are tested so
MAIN = 3  # curves that choose the grid for all
BINS = (0.0, 1.0, 1.6, 2.4, 3.5, 5.0, 7.5, 11.0, 16.0, 26.0, 50.0, 1e9)  # px between points; the best grids of each are drawn


@dataclass(frozen=True, eq=False)
class Curve:
    """One traced curve with the ink that it was traced in, `valid` pixels of it, and its markers."""

    trace: Trace
    ink: Floats
    valid: NDArray[np.bool_]
    blobs: Blobs


@dataclass(frozen=True, eq=False)
class Sampled:
    """A curve at its data points: the matched drawing, where the axis says that its knots are, and the step's name.

    `sampled`: the places of the author's points could not be told.
    """

    drawing: Drawing
    named: Floats
    step: str
    sampled: bool = False


def reach_of(grid: Knots, trace: Trace) -> tuple[slice, int]:
    """The points of a grid that carry this curve, and how many of the curve's two ends lie on no point of it.

    An end that is within the reach of a line cap of a knot is that knot; else the next knot outwards is taken too, for
    the curve may be cut off by the frame.
    """
    knots, reach = grid.places, max(1.0, 0.75 * trace.stroke)
    first = int(np.searchsorted(knots, trace.start + reach)) - 1
    last = int(np.searchsorted(knots, trace.end - reach))
    first, last = max(0, first), min(len(knots) - 1, last)
    loose = int(abs(knots[first] - trace.start) > 1.5 * reach) + int(abs(knots[last] - trace.end) > 1.5 * reach)
    return slice(first, last + 1), loose


def fit_cost(grid: Knots, trace: Trace, noise: float) -> float:
    """Nats to describe a traced curve by this grid, by least squares (infinite where fewer than two points carry it)."""
    part, loose = reach_of(grid, trace)
    knots = grid.places[part]
    if len(knots) < 2:
        return float("inf")
    values, residuals = fit_knots(knots, trace.y, trace.weight)
    return description_length(values, residuals, trace.weight, noise) + loose * FREE_END


def draw(curve: Curve, grid: Knots) -> Drawing | None:
    """The curve drawn through those points of the grid that carry it; None where fewer than two do.

    Where that matches poorly the points get a little room: some programs round vertices to whole pixels.
    """
    places = grid.places[reach_of(grid, curve.trace)[0]]
    if len(places) < 2:
        return None
    values, _ = fit_knots(places, curve.trace.y, curve.trace.weight)
    rigid = match(curve.ink, curve.valid, curve.trace, places, values)
    width = curve.trace.end - curve.trace.start
    if not 0.06 * len(places) < rigid.mismatch < 0.5 * width or width < 2.5 * len(places):
        return rigid
    loose = match(curve.ink, curve.valid, curve.trace, places, rigid.values, room=ROUNDING)
    saved = MISMATCH_COST * (rigid.mismatch - loose.mismatch)
    return loose if saved > 2 * ROUNDING_COST * len(places) else rigid


def misfit(drawing: Drawing, noise: float) -> float:
    """Nats for what a drawing leaves unexplained: wrong pixels, and columns whose ink lies above or below it."""
    return MISMATCH_COST * drawing.mismatch + SHIFT_COST * shift_cost(drawing.shifts, noise)


def grid_cost(drawing: Drawing | None, grid: Knots, trace: Trace, noise: float) -> float:
    """Nats to describe a curve by its drawing on a given grid (infinite without one)."""
    if drawing is None:
        return float("inf")
    loose = reach_of(grid, trace)[1]
    rounded = ROUNDING_COST * len(drawing.knots) if drawing.room else 0.0
    return misfit(drawing, noise) + knot_cost(drawing.values, TURN_NOISE) + rounded + loose * FREE_END


def shift_noise(drawings: Sequence[Drawing | None]) -> float:
    """How well columns of the best drawing match, in px."""
    medians = [float(np.nanmedian(np.abs(d.shifts))) for d in drawings if d and np.isfinite(d.shifts).sum() > 9]
    return float(np.clip(2 * min(medians, default=0.05), 0.05, 0.15))


def find_samples(curves: Sequence[Curve], axis: Axis | None, origin: float) -> list[Sampled]:
    """The data points of each curve: on one grid for all of them where that explains them, else on their own vertices.

    `origin` is the figure column of crop column 0.
    """
    marked = marker_places([curve.blobs for curve in curves], axis, origin)
    main = _main(curves)
    grids = shortlist(main, axis, origin) + ([marked] if marked else [])
    best, sure = _choose(main, grids)
    best = _round(best, axis_grids(axis, origin, 0.0, float(len(curves[0].trace.y)))) if best else None
    if not sure and axis is not None and axis.scale == "date":
        best = next((grid for grid in grids if grid.step == "day"), best)  # nothing turns visibly: days are likeliest
    return [_sample(curve, marked if marked and len(curve.blobs.x) else best, sure) for curve in curves]


def _round(best: Knots, grids: Sequence[Knots]) -> Knots:
    """The axis's own grid that lies on the same places as an even division, if there is one: its numbers are round."""
    if best.nominal is not None:
        return best
    step = float(np.median(np.diff(best.places)))
    for grid in grids:
        at = np.clip(np.searchsorted(grid.places, best.places - step / 2), 0, len(grid.places) - 1)
        same = abs(float(np.median(np.diff(grid.places))) / step - 1) < 0.005
        if same and float(np.abs(grid.places[at] - best.places)[1:-1].max(initial=0.0)) < min(1.0, 0.25 * step):
            return replace(best, nominal=grid.places[at], step=grid.step)
    return best


def _main(curves: Sequence[Curve]) -> list[Curve]:
    """The few curves that show most: long ones first, none much shorter than the longest."""
    ranked = sorted(curves, key=lambda curve: -float(curve.trace.weight.sum()))
    longest = max((curve.trace.end - curve.trace.start for curve in curves), default=0.0)
    return [curve for curve in ranked if curve.trace.end - curve.trace.start > 0.4 * longest][:MAIN]


def _choose(curves: Sequence[Curve], grids: Sequence[Knots]) -> tuple[Knots | None, bool]:
    """The grid on which the curves together are drawn in the fewest nats, and whether its points can be seen.

    Hopeless grids are dropped on the way. Points are seen if the curves are drawn worse with all points half a step off.
    """
    left = [(grid.price, grid) for grid in grids]
    noises = []
    for curve in curves:
        drawings = [draw(curve, grid) for _, grid in left]
        noises.append(shift_noise(drawings))
        left = [(c + grid_cost(d, g, curve.trace, noises[-1]), g) for d, (c, g) in zip(drawings, left, strict=True)]
        lowest = min((c for c, _ in left), default=0.0)
        left = [(c, g) for c, g in left if c <= 2 * lowest + 300]
    ranked = sorted((pair for pair in left if np.isfinite(pair[0])), key=lambda pair: pair[0])
    for cost, grid in ranked[:TRIED]:
        between = Knots((grid.places[:-1] + grid.places[1:]) / 2, "", grid.price)
        moved = sum(grid_cost(draw(c, between), between, c.trace, n) for c, n in zip(curves, noises, strict=True))
        if moved > cost + SEEN * len(curves):
            return grid, True
    return (ranked[0][1] if ranked else None), False


def _sample(curve: Curve, grid: Knots | None, sure: bool) -> Sampled:
    """One curve on the shared grid, unless vertices anywhere tell it in far fewer nats."""
    drawing = draw(curve, grid) if grid else None
    if drawing is None or grid is None:
        free = find_vertices(curve.ink, curve.valid, curve.trace)
        return Sampled(free, free.knots, "vertices")
    found = Sampled(drawing, grid.named[reach_of(grid, curve.trace)[0]], grid.step, not sure and grid.step != "day")
    noise = shift_noise([drawing])
    limit = (0.5 if sure else 0.75) * grid_cost(drawing, grid, curve.trace, noise) - 20
    turning = np.abs(drawing.values[:-2] - 2 * drawing.values[1:-1] + drawing.values[2:]) > 0.5
    if len(curve.blobs.x) or VERTEX_COST * (turning.sum() + 2) >= limit:  # vertices are needed wherever it turns
        return found
    free = find_vertices(curve.ink, curve.valid, curve.trace)
    better = VERTEX_COST * len(free.knots) + misfit(free, noise) < limit
    return Sampled(free, free.knots, "vertices") if better else found


def shortlist(curves: Sequence[Curve], axis: Axis | None, origin: float) -> list[Knots]:
    """The two grids of each spacing that fit the traced curves best."""
    traces = [curve.trace for curve in curves]
    noises = [noise_of(trace) for trace in traces]
    first, last = min(trace.start for trace in traces), max(trace.end for trace in traces)
    grids = axis_grids(axis, origin, first, last)
    if axis is None or axis.scale not in ("date", "category") or not grids:
        grids += _even_grids(traces, noises)
    costs = [sum(fit_cost(g, t, n) for t, n in zip(traces, noises, strict=True)) + g.price for g in grids]
    spacing = np.digitize([float(np.median(np.diff(grid.places))) for grid in grids], BINS)
    chosen: list[Knots] = []
    for each in np.unique(spacing):
        ranked = sorted(np.flatnonzero(spacing == each), key=lambda i: costs[i])
        chosen += [_aligned(grids[i], traces, noises) for i in ranked[:2]]
    return chosen


def _aligned(grid: Knots, traces: Sequence[Trace], noises: Sequence[float]) -> Knots:
    """The grid moved and stretched by less than a pixel to where the curves turn: an axis is never seated perfectly."""
    if grid.step.endswith(" points") or float(np.median(np.diff(grid.places))) < 2:
        return grid
    inside = grid.places[(grid.places > traces[0].start - 2) & (grid.places < traces[0].end + 2)]
    if len(inside) < 2:
        return grid

    def moved(ends: tuple[float, float]) -> Knots:
        along = (grid.places - inside[0]) / (inside[-1] - inside[0])
        return replace(grid, places=grid.places + ends[0] + (ends[1] - ends[0]) * along, nominal=grid.named)

    ends = _descend((0.0, 0.0), 0.5, lambda e: sum(map(fit_cost, (moved(e),) * len(traces), traces, noises)))
    return moved((float(np.clip(ends[0], -0.8, 0.8)), float(np.clip(ends[1], -0.8, 0.8))))


def _descend(
    ends: tuple[float, float], step: float, cost: Callable[[tuple[float, float]], float]
) -> tuple[float, float]:
    """The pair of numbers to which steps of at least 0.03 lead downhill."""
    lowest = cost(ends)
    while step > 0.03:
        moves = [(ends[0] + a * step, ends[1] + b * step) for a, b in ((1, 1), (-1, -1), (1, -1), (-1, 1), (1, 0), (0, 1))]
        found = [cost(move) for move in moves]
        if min(found) < lowest:
            lowest, ends = min(found), moves[int(np.argmin(found))]
        else:
            step /= 2
    return ends


def noise_of(trace: Trace) -> float:
    """How well column centres are measured, in px: what a polyline with a knot every three columns leaves."""
    knots = np.arange(trace.start, trace.end + 3, 3.0)
    if len(knots) < 3:
        return 0.1
    _, residuals = fit_knots(knots, trace.y, trace.weight)
    seen = np.abs(residuals[np.isfinite(residuals)])
    return float(np.clip(2.0 * np.median(seen), 0.02, 0.15)) if len(seen) else 0.1


def _even_grids(traces: Sequence[Trace], noises: Sequence[float]) -> list[Knots]:
    """The best even divisions of the curves' common extent, one for each spacing, their ends tuned.

    Stroke ends reach half a thickness beyond the points under round caps, not under butt caps.
    """
    found: dict[int, tuple[float, Knots]] = {}
    for cap in (0.5, 0.0):
        first = float(np.median([trace.start + cap * trace.stroke for trace in traces]))
        last = float(np.median([trace.end - cap * trace.stroke for trace in traces]))
        for count in range(3, int(min(600, (last - first) / 2)) + 2):
            grid = even_grid(first, last, count)
            cost = sum(fit_cost(grid, t, n) for t, n in zip(traces, noises, strict=True))
            each = int(np.digitize((last - first) / (count - 1), BINS))
            if each not in found or cost < found[each][0]:
                found[each] = (cost, grid)
    periodic = [even_between(*pair, first, last) for pair in turning_periods(traces)]
    return [_tuned(grid, traces, noises) for grid in [*(grid for _, grid in found.values()), *periodic]]


def turning_periods(traces: Sequence[Trace]) -> list[tuple[float, float]]:
    """Spacings at which the curves turn, the strongest of each kind, and a column of a turn: (period, column), in px.

    How sharply the curves turn in each column is a comb whose teeth are the author's points: its spectrum has a line.
    """
    width = len(traces[0].y)
    comb = np.zeros(width)
    for trace in traces:
        turn = np.abs(np.diff(trace.y, 2, prepend=np.nan, append=np.nan))
        comb += np.minimum(np.nan_to_num(turn), 1.0)
    size = 16 * width
    spectrum = np.fft.rfft(comb - comb.mean(), size)
    periods = size / np.maximum(np.arange(len(spectrum)), 1)
    found = []
    for low, high in zip(BINS[2:-3], BINS[3:-2], strict=True):
        band = np.flatnonzero((periods >= low) & (periods < high))
        if len(band):
            i = band[int(np.argmax(np.abs(spectrum[band])))]
            found.append((float(periods[i]), float(-np.angle(spectrum[i]) / (2 * np.pi) * periods[i])))
    return found


def _tuned(grid: Knots, traces: Sequence[Trace], noises: Sequence[float]) -> Knots:
    """An even grid whose ends are moved to where the curves turn."""
    count = len(grid.places) - 2

    def length(ends: tuple[float, float]) -> float:
        moved = even_grid(*ends, count)
        return sum(fit_cost(moved, t, n) for t, n in zip(traces, noises, strict=True))

    return even_grid(*_descend((float(grid.places[1]), float(grid.places[-2])), 1.0, length), count)


def marker_places(blobs: Sequence[Blobs], axis: Axis | None, origin: float) -> Knots | None:
    """The places of all markers of a panel: the axis's grid that holds them all, else the distinct places themselves."""
    found = np.sort(np.concatenate([b.x for b in blobs])) if blobs else np.zeros(0)
    if not len(found):
        return None
    splits = np.flatnonzero(np.diff(found) > 1.5) + 1
    places = np.array([part.mean() for part in np.split(found, splits)])
    best, lowest = Knots(places, "markers"), 8.0 * len(places)
    for grid in axis_grids(axis, origin, float(places[0]), float(places[-1])):
        inside = grid.places[(grid.places > places[0] - 1) & (grid.places < places[-1] + 1)]
        away = np.abs(places[:, None] - inside[None]).min(axis=1) if len(inside) else np.full(len(places), 9.0)
        cost = float(np.minimum(40.0, (away / 0.35) ** 2 / 2).sum()) + 2.0 * len(inside) + grid.price
        if cost < lowest:
            best, lowest = grid, cost
    return best
