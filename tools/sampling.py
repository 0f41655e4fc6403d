"""The points that the author plotted: which places along x the vertices of the traced curves have.

Grids that the axis suggests and even divisions of the curves' extent are ranked by a fast least-squares fit, and the
best of each spacing are drawn and compared with the ink: a wrong grid cannot draw the curve, a needlessly fine one pays
for its points. Vertices anywhere compete on the same scale, in nats.
Not handled here: curves that are no function of x.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tools.candidates import Knots, axis_grids
from tools.linemarks import Blobs
from tools.moved_places import completed, merged, shifted_places
from tools.polyline import fit_knots, knot_cost, shift_cost
from tools.rendering import Drawing, match
from tools.shortlist import FREE_END, dense_and_round, reach_of, shortlist
from tools.trace import Trace
from tools.types import Axis, Floats
from tools.uneven import thinned
from tools.vertices import MISMATCH_COST, VERTEX_COST, find_vertices

TURN_NOISE = 0.05  # px: how straight a drawn polyline is where the author's was
ROUNDING, ROUNDING_COST = 0.7, 2.0  # px that vertices may be rounded by, and nats for each to say it
HALF_HIDDEN = 0.01  # weight of a traced column that other ink hides in part
MARKER_COST = 0.5  # wrong pixels that a vertex pays at most
SHIFT_COST = 0.5  # neighbouring columns are not independent
SEEN = 15.0  # nats per curve by which points half a step off must draw it worse
WORSE = 1.8  # times the misfit that they must leave: any fine polyline draws a smooth curve about as well
POINT = 0.7  # nats a point where none can be seen: half a nat is what a needless one explains by chance
ODD = 5.0  # nats of a step that nobody chooses for even samples (3, 1.25)
SPARSER = (2, 3, 4)  # points of a grid to one of a coarser one within it
TRIED = 6  # grids whose points are tested so
DASHED = 0.1  # share of columns that are gaps
ASIDE = 1.5  # times the markers of one curve that several have places, where each has its own
FEW_MARKERS = 5  # fewer may stand on every second place of a grid by chance
SHOWN = 12.0  # nats that a marker on a straight stretch is worth: nothing but a point draws one there
MAIN = 3  # curves that choose the grid for all


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

    `sampled`: the places of the author's points could not be told; `marked`: there are markers at the points.
    """

    drawing: Drawing
    named: Floats
    step: str
    sampled: bool = False
    marked: bool = False


def draw(curve: Curve, grid: Knots) -> Drawing | None:
    """The curve drawn through those points of the grid that carry it; None where fewer than two do.

    Where that matches poorly the points get a little room: some programs round vertices to whole pixels.
    """
    places = grid.places[reach_of(grid, curve.trace)[0]]
    if len(places) < 2:
        return None
    values, _ = fit_knots(places, *_with_hidden(curve.trace))
    rigid = match(curve.ink, curve.valid, curve.trace, places, values)
    width = curve.trace.end - curve.trace.start
    if not 0.06 * len(places) < rigid.mismatch < width or width < 2.5 * len(places):
        return rigid
    loose = match(curve.ink, curve.valid, curve.trace, places, rigid.values, room=ROUNDING)
    saved = MISMATCH_COST * (rigid.mismatch - loose.mismatch)
    return loose if saved > 2 * ROUNDING_COST * len(places) else rigid


def _with_hidden(trace: Trace) -> tuple[Floats, Floats]:
    """Rows and weights (w,) of a curve, straight on where it is hidden: a smooth fit may leave the other ink there."""
    seen = np.isfinite(trace.y)
    unsure = (seen & (trace.weight == 0)) | (trace.hidden & ~seen)
    columns = np.arange(len(seen))
    rows = np.where(trace.hidden & ~seen, np.interp(columns, columns[seen], trace.y[seen]), trace.y)
    return rows, trace.weight + HALF_HIDDEN * unsure


def misfit(drawing: Drawing, noise: float) -> float:
    """Nats for what a drawing leaves unexplained: wrong pixels, and columns whose ink lies above or below it.

    What is wrong close to a well-spaced vertex is capped: a marker may be there, or the line may stop short of it.
    """
    wrong = drawing.mismatches
    near = near_vertices(drawing)
    if near.any():
        owner = np.searchsorted((drawing.knots[:-1] + drawing.knots[1:]) / 2, np.flatnonzero(near))
        blobs = np.bincount(owner, wrong[near], minlength=len(drawing.knots))
        total = wrong[~near].sum() + np.minimum(blobs, MARKER_COST).sum()
    else:
        total = wrong.sum()
    return MISMATCH_COST * float(total) + SHIFT_COST * shift_cost(drawing.shifts, noise)


def near_vertices(drawing: Drawing) -> NDArray[np.bool_]:
    """Columns (w,) so close to a vertex that a marker would cover them; none where vertices are too close for that."""
    reach = min(0.2 * float(np.median(np.diff(drawing.knots))), 24.0)
    columns = np.arange(len(drawing.mismatches))
    if reach < 2.5:
        return np.zeros(len(columns), dtype=bool)
    right = np.clip(np.searchsorted(drawing.knots, columns), 1, len(drawing.knots) - 1)
    away = np.minimum(np.abs(columns - drawing.knots[right - 1]), np.abs(drawing.knots[right] - columns))
    return np.asarray(away < reach)


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
    free = {id(curve): find_vertices(curve.ink, curve.valid, curve.trace) for curve in main}
    grids = shortlist([c.trace for c in main], [free[id(c)].knots[1:-1] for c in main], axis, origin)
    best, sure = _choose(main, grids, marked)
    if not sure and axis is not None and axis.scale == "date":
        best = next((grid for grid in grids if grid.step == "day"), best)  # nothing turns visibly: days are likeliest
    best = _round(best, axis_grids(axis, origin, 0.0, float(len(curves[0].trace.y)))) if best else None
    if best and sure and best is not marked:
        best = thinned(best, [drawing for drawing in (draw(curve, best) for curve in main) if drawing])
    apart = _beside_each_other([curve.blobs for curve in curves])
    own = [_own_places(c, curves, free.get(id(c))) if apart else marked for c in curves]
    other = None if apart and best is marked else best
    moved = [apart and places is not None and not len(c.blobs.x) for c, places in zip(curves, own, strict=True)]
    chosen = [
        places if at else _of_markers(c, places, other) or best
        for c, places, at in zip(curves, own, moved, strict=True)
    ]
    found = [_sample(c, grid, sure, free.get(id(c))) for c, grid in zip(curves, chosen, strict=True)]
    if not sure and any(one.sampled for one in found):  # one smooth curve among dense ones has their points
        found = [
            _on_grid(c, grid, sure) or one if grid is best and one.step == "vertices" else one
            for c, grid, one in zip(curves, chosen, found, strict=True)
        ]
    return found


def _own_places(curve: Curve, curves: Sequence[Curve], free: Drawing | None) -> Knots | None:
    """The places of this curve among curves that have each their own: its markers', else a neighbour's moved to it."""
    if len(curve.blobs.x):
        return Knots(completed(_markers_of(curve)), "markers")
    turns = (free or find_vertices(curve.ink, curve.valid, curve.trace)).knots
    ends = (curve.trace.start, curve.trace.end)
    others = [completed(_markers_of(one)) for one in curves if len(one.blobs.x)]
    moved = [Knots(places, "markers") for other in others for places in shifted_places(other, turns, ends)]
    costs = [grid_cost(draw(curve, grid), grid, curve.trace, 0.1) for grid in moved]
    return moved[int(np.argmin(costs))] if moved and np.isfinite(min(costs)) else None


def _markers_of(curve: Curve) -> Floats:
    """Where the markers of a curve are, (n,) columns; two within one marker's reach are one that was found twice."""
    return merged(curve.blobs.x, max(1.5, 1.2 * curve.blobs.radius))


def _of_markers(curve: Curve, marked: Knots | None, best: Knots | None) -> Knots | None:
    """The places of the markers for a curve that has some, unless the others' grid draws it far better."""
    if marked is None or marked is best or not len(curve.blobs.x):
        return best
    own, other = draw(curve, marked), draw(curve, best) if best else None
    noise = shift_noise([own, other])
    allowed = _patience(marked) * grid_cost(other, best, curve.trace, noise) + _shown(curve) if best else np.inf
    cheaper = allowed < grid_cost(own, marked, curve.trace, noise)
    return best if cheaper else marked


def _shown(curve: Curve) -> float:
    """What the markers of a curve are worth, in nats, that stand where it runs straight.

    Only there: strokes that turn or cross look thick too.
    """
    if not len(curve.blobs.x):
        return 0.0
    arm = max(3.0, 2 * curve.blobs.radius)
    columns = np.arange(len(curve.trace.y))
    before, at, after = (np.interp(curve.blobs.x + d, columns, curve.trace.y) for d in (-arm, 0.0, arm))
    inside = (curve.blobs.x > arm) & (curve.blobs.x < columns[-1] - arm)
    return SHOWN * float((inside & (np.abs(before - 2 * at + after) < 0.2 * arm)).sum())


def _beside_each_other(blobs: Sequence[Blobs]) -> bool:
    """Whether the markers of several curves have places of their own: drawn side by side, or taken at other times."""
    marked = [one.x for one in blobs if len(one.x) > 2]
    if len(marked) < 2:
        return False
    return len(_distinct(np.sort(np.concatenate(marked)))) > ASIDE * max(len(x) for x in marked)


def _distinct(found: Floats) -> Floats:
    """Increasing places, those within a pixel and a half of their neighbour as one."""
    splits = np.flatnonzero(np.diff(found) > 1.5) + 1
    return np.array([part.mean() for part in np.split(found, splits)])


def _patience(marked: Knots) -> float:
    """Times the nats of another grid that markers' places may cost: few, if they lie on no grid (false markers)."""
    return 1.2 if marked.step == "markers" else 4.0


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
    """The few curves that show most: long ones first, none much shorter than the longest, solid before dashed."""
    whole = [curve for curve in curves if float(curve.trace.gap.mean()) < DASHED]
    telling = whole if any(not _straight(curve.trace) for curve in whole) else curves
    ranked = sorted(telling, key=lambda curve: -float(curve.trace.weight.sum()))
    longest = max((curve.trace.end - curve.trace.start for curve in ranked), default=0.0)
    return [curve for curve in ranked if curve.trace.end - curve.trace.start > 0.4 * longest][:MAIN]


def _straight(trace: Trace) -> bool:
    """Whether a curve is one straight stroke, which shows no point but its ends."""
    seen = np.isfinite(trace.y) & (trace.weight > 0.3)
    columns = np.flatnonzero(seen)
    if len(columns) < 3:
        return True
    away = trace.y[columns] - np.polyval(np.polyfit(columns, trace.y[columns], 1), columns)
    return bool(np.quantile(np.abs(away), 0.95) < 1.0)


def _choose(curves: Sequence[Curve], grids: Sequence[Knots], marked: Knots | None) -> tuple[Knots | None, bool]:
    """The grid on which the curves together are drawn in the fewest nats, and whether its points can be seen.

    Hopeless grids are dropped on the way. Points are seen if curves are drawn worse with all points half a step off.
    The places of markers are taken unless another grid is far better.
    """
    left = [(grid.price, grid) for grid in grids] + ([(0.0, marked)] if marked else [])
    noises = []
    for curve in curves:
        drawings = [draw(curve, grid) for _, grid in left]
        noises.append(shift_noise(drawings))
        left = [(c + grid_cost(d, g, curve.trace, noises[-1]), g) for d, (c, g) in zip(drawings, left, strict=True)]
        lowest = min((c for c, _ in left), default=0.0)
        left = [(c, g) for c, g in left if c <= 3 * lowest + 300 or g is marked or dense_and_round(g)]
    ranked = sorted((pair for pair in left if np.isfinite(pair[0])), key=lambda pair: pair[0])
    shown = sum(map(_shown, curves))
    if marked and any(grid is marked and cost < _patience(marked) * ranked[0][0] + shown for cost, grid in ranked):
        return marked, True
    for cost, grid in ranked[:TRIED]:
        between = Knots((grid.places[:-1] + grid.places[1:]) / 2, "", grid.price)
        moved = sum(grid_cost(draw(c, between), between, c.trace, n) for c, n in zip(curves, noises, strict=True))
        if moved > cost + SEEN * len(curves) and _all_misfit(curves, between, noises) > WORSE * _all_misfit(
            curves, grid, noises
        ):
            return _coarser(grid, cost, ranked), True
    return _evenly([grid for _, grid in ranked], curves, noises), False


def _coarser(best: Knots, cost: float, ranked: Sequence[tuple[float, Knots]]) -> Knots:
    """The grid of every second (third, fourth) point where those between explain nothing: only its price was higher."""
    step = float(np.median(np.diff(best.places)))
    for other_cost, other in ranked:
        times = float(np.median(np.diff(other.places))) / step
        if (
            round(times) not in SPARSER
            or abs(times - round(times)) > 0.02
            or other_cost - other.price > cost - best.price
        ):
            continue
        within = other.places[(other.places > best.places[0] - 0.5) & (other.places < best.places[-1] + 0.5)]
        away = np.abs(within[:, None] - best.places[None]).min(axis=1)
        if float(away.max(initial=0.0)) < min(1.0, 0.1 * step):
            return other
    return best


def _evenly(grids: Sequence[Knots], curves: Sequence[Curve], noises: Sequence[float]) -> Knots | None:
    """Where no points can be seen: what leaves least unexplained at `POINT` nats a point, fine for a dense curve.

    Misfit of all grids (touching markers, say) is no reason for a finer one: beyond a nat a column it counts less.
    """
    if not grids:
        return None
    grids = [grid for grid in grids if grid.price < ODD and not grid.comb] or grids
    columns = max(1.0, sum(float((curve.trace.weight > 0).sum()) for curve in curves))
    misfits = [_all_misfit(curves, grid, noises) for grid in grids]
    unlike = [2 * columns * (np.sqrt(1 + misfit / columns) - 1) for misfit in misfits]
    costs = [
        grid.price + one + POINT * sum(np.ptp(_carried(grid, c)) for c in curves)
        for grid, one in zip(grids, unlike, strict=True)
    ]
    return grids[int(np.argmin(costs))]


def _carried(grid: Knots, curve: Curve) -> tuple[int, int]:
    """First and last (past the end) point of the grid that carries the curve."""
    part = reach_of(grid, curve.trace)[0]
    return part.start, part.stop


def _all_misfit(curves: Sequence[Curve], grid: Knots, noises: Sequence[float]) -> float:
    """Nats that these points leave unexplained in all curves together."""
    drawings = [draw(curve, grid) for curve in curves]
    return sum(misfit(d, noise) for d, noise in zip(drawings, noises, strict=True) if d is not None)


def _on_grid(curve: Curve, grid: Knots | None, sure: bool) -> Sampled | None:
    """One curve drawn on a grid, None where that cannot be done."""
    drawing = draw(curve, grid) if grid else None
    if drawing is None or grid is None:
        return None
    return Sampled(drawing, grid.named[reach_of(grid, curve.trace)[0]], grid.step, not sure and grid.step != "day")


def _sample(curve: Curve, grid: Knots | None, sure: bool, free: Drawing | None) -> Sampled:
    """One curve on the shared grid, unless vertices anywhere (`free`, if found already) tell it in far fewer nats."""
    found = _on_grid(curve, grid, sure)
    if found is None or grid is None:
        free = free or find_vertices(curve.ink, curve.valid, curve.trace)
        return Sampled(free, free.knots, "vertices")
    drawing = found.drawing
    noise = shift_noise([drawing])
    limit = (0.5 if sure else 0.75) * grid_cost(drawing, grid, curve.trace, noise) - 20
    turning = np.abs(drawing.values[:-2] - 2 * drawing.values[1:-1] + drawing.values[2:]) > 0.5
    near = near_vertices(drawing)
    if len(curve.blobs.x) == 0 and drawing.mismatches[near].sum() > 2 * MARKER_COST * len(drawing.knots):
        bare = draw(replace(curve, valid=curve.valid & ~near[None, :]), grid)  # markers must not pull at vertices
        found = replace(found, drawing=bare or drawing, marked=True)
    presumed = not sure and grid.step == "day"
    if presumed or len(curve.blobs.x) or VERTEX_COST * (turning.sum() + 2) >= limit:  # it has to turn somewhere
        return found
    free = free or find_vertices(curve.ink, curve.valid, curve.trace)
    better = VERTEX_COST * len(free.knots) + misfit(free, noise) < limit
    return Sampled(free, free.knots, "vertices") if better else found


def marker_places(blobs: Sequence[Blobs], axis: Axis | None, origin: float) -> Knots | None:
    """The places of all markers of a panel: the axis's grid that holds them all, else the distinct places."""
    found = np.sort(np.concatenate([b.x for b in blobs])) if blobs else np.zeros(0)
    if not len(found):
        return None
    places = _distinct(found)
    best, lowest = Knots(places, "markers"), 8.0 * len(places)
    for grid in axis_grids(axis, origin, float(places[0]), float(places[-1])):
        inside = grid.places[(grid.places > places[0] - 1) & (grid.places < places[-1] + 1)]
        away = np.abs(places[:, None] - inside[None]).min(axis=1) if len(inside) else np.full(len(places), 9.0)
        cost = float(np.minimum(40.0, (away / 0.35) ** 2 / 2).sum()) + 2.0 * len(inside) + grid.price
        if cost < lowest:
            best, lowest = grid, cost
    return _every_nth(best, places)


def _every_nth(grid: Knots, places: Floats) -> Knots:
    """The grid without the places between those of the markers, where these stand on every second, third, ... one."""
    numbers = np.unique(np.abs(grid.places[:, None] - places[None]).argmin(axis=0))
    step = int(np.gcd.reduce(np.diff(numbers))) if len(numbers) >= FEW_MARKERS else 1
    if step < 2:
        return grid
    kept = slice(int(numbers[0]) % step, None, step)
    return replace(grid, places=grid.places[kept], nominal=None if grid.nominal is None else grid.nominal[kept])
