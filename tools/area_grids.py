"""Where along x the points of the borders of areas lie: a grid that their vertices show, else even samples.

Borders are told by polylines on grids that the axis suggests and on even divisions, in nats. A smooth border is told
about as well by points that lie half a step off: its own points cannot be seen, and it is sampled evenly.

Not handled here: the borders (`regions`), points on no grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tools.candidates import Knots, axis_grids, even_grid
from tools.polyline import description_length, fit_knots, shift_cost
from tools.trace import Trace
from tools.types import Axis, Floats

SHIFTS = (-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0)  # px
ENOUGH = 1.2  # times the shortest description: borders are bent a little by strokes and corners
NESTED = 1.8  # times the shortest, where a finer grid's own points turn nowhere
FLAT = 0.25  # times the turns at the points of a grid: those between them
TELLING = 4  # points of either sort
SEEN, WORSE = 15.0, 3.0  # nats a border, and times the misfit, that points half a step off must leave
ROUND = 5.0  # nats of a step that somebody would choose for even samples
BENT = 0.1  # px a px: differences of slope of a border that bends
CLOSE = 2.0  # px between even samples


@dataclass(frozen=True, eq=False)
class BorderGrid:
    """Places of points along x, by how much (px) the borders are drawn beside them, and whether these are even samples
    (`sampled`) because no points can be seen."""

    knots: Knots
    shift: float = 0.0
    sampled: bool = False


def shared_grid(traces: Sequence[Trace], axis: Axis | None, origin: float) -> BorderGrid:
    """Columns of the vertices that all these borders share, and by how much they are drawn beside them.

    The coarsest candidate that tells the borders in hardly more nats than the best. An axis is seated on ticks that
    were rounded to whole pixels, so its grids may be shifted by up to a pixel; the vertices keep the axis' own places.
    """
    first, last = min(trace.start for trace in traces), max(trace.end for trace in traces)
    main = sorted(traces, key=lambda trace: -float(trace.weight.sum()))[:4]
    noise = [noise_of(trace) for trace in main]
    counts = range(3, int(min(300, (last - first) / 3)) + 2)
    even = [even_grid(first, last, count, 12.0) for count in counts]
    suggested = axis_grids(axis, origin, first, last)
    found: list[tuple[float, int, float, Knots]] = []
    for candidate, shifts in [(each, SHIFTS) for each in suggested] + [(each, (0.0,)) for each in even]:
        places = carrying(candidate, first, last)
        if places.size < 2:
            continue
        lengths = [candidate.price + 2.0 * abs(shift) + told_length(places + shift, main, noise) for shift in shifts]
        best = int(np.argmin(lengths))
        found.append((lengths[best], places.size, shifts[best], candidate))
    if not found:
        return BorderGrid(Knots(np.zeros(0), "none"))
    chosen = _coarsest(found, main, first, last)
    places = carrying(chosen.knots, first, last)
    if _seen(places + chosen.shift, main, noise):
        return chosen
    if places.size > 2 and float(np.median(np.diff(places))) <= 2 * CLOSE:  # as fine as even samples would be
        return replace(chosen, sampled=True)
    return BorderGrid(_even_samples(suggested, first, last), 0.0, True)


def _coarsest(
    found: Sequence[tuple[float, int, float, Knots]], main: Sequence[Trace], first: float, last: float
) -> BorderGrid:
    """The grid of fewest points that tells these borders; `found`: (nats, points, shift in px, grid)."""
    least = min(length for length, *_ in found)  # prices of grids may make it negative
    enough, limit = (least + (times - 1) * abs(least) for times in (ENOUGH, NESTED))
    _, size, shift, candidate = min((each for each in found if each[0] <= enough), key=lambda each: each[1])
    fine = carrying(candidate, first, last) + shift
    for length, fewer, moved, coarse in sorted(found, key=lambda each: each[1]):
        if fewer < size and length <= limit and turns_on(carrying(coarse, first, last) + moved, fine, main):
            return BorderGrid(coarse, moved)
    return BorderGrid(candidate, shift)


def turns_on(coarse: Floats, fine: Floats, traces: Sequence[Trace]) -> bool:
    """Whether the coarse places (n,) are some of the fine ones (m,) and polylines with vertices at these turn there
    and hardly anywhere else: strokes and corners bend a border a little between its points."""
    away = np.abs(fine[:, None] - coarse[None, :]).min(axis=1)
    shared = away < 0.2 * float(np.median(np.diff(fine)))
    if shared.sum() < 0.8 * len(coarse) or min(shared[1:-1].sum(), (~shared[1:-1]).sum()) < TELLING:
        return False
    turns = np.sum([np.abs(np.diff(fit_knots(fine, one.y, one.weight)[0], 2)) for one in traces], axis=0)
    return float(np.median(turns[~shared[1:-1]])) < FLAT * float(np.median(turns[shared[1:-1]]))


def _seen(places: Floats, traces: Sequence[Trace], noise: Sequence[float]) -> bool:
    """Whether points at these places (n,), increasing, show: half a step off they tell the borders worse.

    Borders that hardly bend have nothing to show, few points are as good as many."""
    bent = sum(float(np.ptp(np.gradient(fit_knots(places, t.y, t.weight)[0], places))) for t in traces)
    if places.size < 4 or bent < BENT * len(traces):
        return True
    between = np.concatenate([places[:1], (places[:-1] + places[1:]) / 2, places[-1:]])
    on, off = (_misfit(at, traces, noise) for at in (places, between))
    return off > WORSE * on and off > on + SEEN * len(traces)


def _misfit(places: Floats, traces: Sequence[Trace], noise: Sequence[float]) -> float:
    """Nats that polylines with vertices at these places leave unexplained."""
    pairs = zip(traces, noise, strict=True)
    return sum(shift_cost(fit_knots(places, t.y, t.weight)[1], blur, t.weight) for t, blur in pairs)


def _even_samples(suggested: Sequence[Knots], first: float, last: float) -> Knots:
    """Samples about `CLOSE` px apart, on a round step of the axis where it has one."""
    steps = [(float(np.median(np.diff(grid.places))), grid) for grid in suggested if grid.price <= ROUND]
    near = [(abs(float(np.log(step / CLOSE))), grid) for step, grid in steps if step > 0.5 * CLOSE]
    if near:
        return min(near, key=lambda one: one[0])[1]
    return even_grid(first, last, max(3, int((last - first) / CLOSE) + 1))


def told_length(places: Floats, traces: Sequence[Trace], noise: Sequence[float]) -> float:
    """Nats to tell all these borders by polylines with vertices at these places."""
    fits = [fit_knots(places, trace.y, trace.weight) for trace in traces]
    return sum(description_length(*fit, t.weight, blur) for fit, t, blur in zip(fits, traces, noise, strict=True))


def carrying(candidate: Knots, first: float, last: float) -> Floats:
    """The places that carry a border from `first` to `last`: one beyond either end where none lies near it."""
    places = candidate.places
    low = max(0, int(np.searchsorted(places, first + 1.0)) - 1)
    high = min(places.size - 1, int(np.searchsorted(places, last - 1.0)))
    return places[low : high + 1]


def noise_of(trace: Trace) -> float:
    """How well the border is measured, in px: what a polyline with a vertex every three columns leaves."""
    places = np.arange(trace.start, trace.end + 3, 3.0)
    _, residuals = fit_knots(places, trace.y, trace.weight)
    seen = np.abs(residuals[np.isfinite(residuals)])
    return float(np.clip(2.0 * np.median(seen), 0.2, 0.4)) if seen.size else 0.1
