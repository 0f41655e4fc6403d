"""Step lines and survival curves: level stretches joined by upright risers; the value at a corner holds to the right.

The traced centre line is cut into stretches of constant height (optimal partitioning), and each riser is placed by the
ink between its two levels. Censor ticks thicken single columns without moving the level and weigh little.
Not handled here: confidence bands (layers of their own), steps narrower than about two pixels, steps drawn to the left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tools.candidates import Knots, axis_grids
from tools.ink import Layer, PlotInk
from tools.levels import Levels, find_levels, monotone_levels, without_slivers
from tools.trace import Trace, follow
from tools.types import Axis, Evidence, Floats, Mark, Panel, Series

SOLID = 0.3  # coverage of a pixel in a riser, which the frame may cut lengthwise
RISER_NOISE = 0.4  # px: how well a riser shows where it stands
STRAY = 6.0  # nats that a riser on no step of the axis costs at most: crossings and ticks move some
FLAT = 0.12  # px between neighbouring columns of a level stretch
TILT = 0.06  # px between them in a long, hardly tilted piece of a polyline
REST, RESTS = 0.35, 8  # share of a survival curve's columns that are level, and in how many stretches
THICKEST = 0.04  # of the plot: bars are no stroke
AT_START = 0.06  # of the plot: how far from the corner a survival curve may be seen first
DASHED = 0.05  # share of columns that are gaps
WIDE, JUMPS, MOSTLY_LEVEL = 3, 4, 0.75  # px of a level stretch, climbs between two, share of columns that are level
SEEN = 0.15  # of the columns of a stretch that the dashes of its level cover at least
CLEAR = 1.5  # times the stroke: risers that are no ends of dashes


def looks_stepped(panel: Panel, ink: PlotInk, layer: Layer) -> float:
    """How much this layer looks like a step line, 0 to 1: level nearly everywhere, with at least two upright risers."""
    trace = follow(layer.coverage, layer.hidden)
    if not isinstance(trace, Trace):
        return 0.0
    levels = find_levels(trace)
    if len(levels.height) < 3:
        return 0.0
    if _survives(panel, ink, trace, levels):
        return 1.0
    wide = levels.last - levels.first >= 1
    upright = levels.first[1:] - levels.last[:-1] <= 2.5 * trace.stroke + 3
    risen = upright & wide[1:] & wide[:-1] & (np.abs(np.diff(levels.height)) > 1.2)
    if (risen & _drawn_risers(trace, levels)).sum() < max(2, 0.4 * risen.sum()):
        return 0.0
    clear = (trace.weight[1:] > 0.3) & (trace.weight[:-1] > 0.3)
    slopes = np.abs(np.diff(trace.y))[clear]
    flat, sloped = int((slopes < FLAT).sum()), int(((slopes >= FLAT) & (slopes < 3)).sum())
    return float(np.clip((flat / max(flat + sloped, 1) - 0.6) / 0.3, 0, 1))


def looks_dashed_steps(layer: Layer) -> bool:
    """Whether a dashed layer lies level in its dashes, at heights that differ by far more than dashes scatter."""
    trace = follow(layer.coverage, layer.hidden)
    if not isinstance(trace, Trace) or float(trace.gap.mean()) < DASHED:
        return False
    levels = find_levels(trace)
    rows = levels.height[levels.last - levels.first >= WIDE]
    slopes = np.abs(np.diff(trace.y))
    known = slopes[np.isfinite(slopes) & (slopes < 3)]
    jumps = int((np.abs(np.diff(rows)) > 2 * trace.stroke + 2).sum())
    return jumps >= JUMPS and float(np.mean(known < FLAT)) > MOSTLY_LEVEL


def survives(panel: Panel, ink: PlotInk, layer: Layer) -> bool:
    """Whether this layer is a survival curve beyond doubt, censor ticks or not: many stretches, from 1 at time 0."""
    trace = follow(layer.coverage, layer.hidden)
    if not isinstance(trace, Trace) or trace.stroke > THICKEST * panel.plot.height:
        return False
    levels = find_levels(trace)
    return len(levels.height) > 2 and _survives(panel, ink, trace, levels)


def _survives(panel: Panel, ink: PlotInk, trace: Trace, levels: Levels) -> bool:
    """Whether a curve is one of survival, however small its steps: it falls from 1 (or 100 %) at time 0 and never
    rises, or rises from 0 on an axis of shares, with many level stretches. Censor ticks count as noise."""
    fallen = monotone_levels(levels)
    slopes = np.abs(np.diff(trace.y))
    known = slopes[np.isfinite(slopes)]
    if fallen is levels or panel.x is None or panel.y is None or {panel.x.scale, panel.y.scale} != {"linear"}:
        return False
    if not len(known) or float(np.mean(known < FLAT)) < REST or float(np.median(known[known < FLAT])) > TILT:
        return False
    level = np.concatenate(([False], known < FLAT, [False]))
    begins, stops = np.flatnonzero(level[1:] & ~level[:-1]), np.flatnonzero(level[:-1] & ~level[1:])
    if int((stops - begins >= 2).sum()) < RESTS:
        return False
    falls = bool(fallen.height[-1] > fallen.height[0])
    start, height = trace.start + ink.origin[0], _first_height(trace, fallen, falls) + ink.origin[1]
    starts = [1.0, 100.0] if falls else [0.0]
    near = min(abs(float(panel.y.to_pixel(value)) - height) for value in starts) < AT_START * panel.plot.height
    shares = starts != [0.0] or max((anchor.value for anchor in panel.y.anchors), default=9.0) <= 1.0
    return near and shares and abs(float(panel.x.to_pixel(0.0)) - start) < AT_START * panel.plot.width


def _first_height(trace: Trace, levels: Levels, falls: bool) -> float:
    """The row at which a curve begins: of its first level, or of the riser before it where a frame hides that level."""
    before = slice(max(0, int(trace.start)), int(levels.first[0]) + 1)
    half = trace.stroke / 2
    ends = trace.top[before] + half if falls else trace.bottom[before] - half
    ends = np.append(ends[np.isfinite(ends)], levels.height[0])
    return float(ends.min() if falls else ends.max())


def _drawn_risers(trace: Trace, levels: Levels) -> NDArray[np.bool_]:
    """Which risers (n - 1,) are drawn, or hidden: the levels of dashes and markers have bare paper between them."""
    drawn = np.ones(max(0, len(levels.height) - 1), dtype=bool)
    for i in range(len(drawn)):
        between = slice(levels.last[i], levels.first[i + 1] + 1)
        tallest = float(np.nanmax(trace.bottom[between] - trace.top[between]))
        climb = abs(float(levels.height[i + 1] - levels.height[i]))
        drawn[i] = tallest > 0.7 * (climb + trace.stroke) or bool(trace.hidden[between].any())
    return drawn


def read_steps(panel: Panel, ink: PlotInk, layers: Sequence[Layer]) -> tuple[Series, ...]:
    """One Series (kind "step") for each layer that holds a step line; marks "corner" in figure pixels, left to right.

    A corner's value holds until the next corner; the last mark repeats the last level where the line ends. Where the
    risers of the panel lie on a step of the axis there is a mark for every step, level or not. Curves that go (nearly)
    all up or all down are read as monotone, without a grid: changes against the trend are censor ticks or noise.
    """
    stairs = [(layer, found) for layer in layers if not layer.veil and (found := _climb(ink, layer)) is not None]
    stairs = [(layer, _from_shared_start(own, [s for _, s in stairs])) for layer, own in stairs]
    stairs = [(layer, _from_zero(own, panel.x, ink.origin[0])) for layer, own in stairs]
    grid = _grid_of([_clear_corners(s) for _, s in stairs if not s.monotone], panel.x, ink)
    side = panel.y.side if panel.y else "left"
    stairs = [(layer, _on_grid(layer, own, grid)) for layer, own in stairs]
    return tuple(
        Series(
            layer.name, layer.colour, "step", _marks(found, None if found.monotone else grid, ink.origin), side,
            evidence=Evidence("read_steps"),
        )
        for layer, found in stairs
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Stairs:
    """A step line in crop pixels: `corners` (n + 1,) are where its n `levels` begin, and its end.

    `rows`: between which the curve may come from where it is seen first, there is ink all the way.
    """

    corners: Floats
    levels: Levels
    monotone: bool
    reach: float  # px that a point may lie beyond the corners: line caps
    rows: tuple[float, float]
    dashed: bool = False


def _climb(ink: PlotInk, layer: Layer) -> Stairs | None:
    hidden = layer.hidden | (ink.neutral & (layer.coverage < 0.5))
    trace = follow(layer.coverage, hidden)
    if not isinstance(trace, Trace):
        return None
    raw = find_levels(trace)
    if len(raw.height) < 2:
        return None
    levels = monotone_levels(raw)
    monotone = levels is not raw
    levels = monotone_levels(_with_slopes(trace, levels)) if monotone else without_slivers(raw, trace)
    levels = _with_end_risers(layer, hidden, trace, levels)
    corners = [_riser(layer.coverage, levels, i, trace.stroke) for i in range(len(levels.height) - 1)]
    ends = (trace.start + 0.5 * trace.stroke, trace.end - 0.5 * trace.stroke)
    inked = (layer.coverage > SOLID) | hidden
    bare = np.flatnonzero(~inked[:, min(round(ends[0]), inked.shape[1] - 1)])
    height = float(levels.height[0])
    rows = (float(bare[bare < height].max(initial=-1)), float(bare[bare > height].min(initial=len(inked))))
    at = np.maximum.accumulate([ends[0], *corners, ends[1]])
    dashed = float(trace.gap.mean()) > DASHED
    return Stairs(at, levels, monotone, 0.5 * trace.stroke + 1.5, rows, dashed)


def _on_grid(layer: Layer, stairs: Stairs, grid: Knots | None) -> Stairs:
    """A dashed step line with one level for every step of the axis: the row where most of its ink lies in that step."""
    inked = np.flatnonzero((layer.coverage > SOLID).any(axis=0))
    if grid is None or stairs.monotone or not stairs.dashed or not len(inked):
        return stairs
    near = (grid.places > inked[0] - stairs.reach) & (grid.places < inked[-1] + stairs.reach)
    at, half = grid.places[near], stairs.reach - 1.5
    found: list[tuple[float, float, float]] = []  # place, row and columns that show it
    for left, right in pairwise(at.tolist()):
        part = layer.coverage[:, round(left + half + 1) : round(right - half)].astype(np.float64)
        mass = np.convolve(part.sum(axis=1), np.ones(2 * round(half) + 3), "same")
        row = int(np.argmax(mass))
        if part.shape[1] and mass[row] > SEEN * part.shape[1]:
            own = np.arange(max(0, row - round(half) - 1), min(len(mass), row + round(half) + 2))
            found.append((left, float(np.average(own, weights=part[own].sum(axis=1))), float(part.shape[1])))
    if len(found) < len(at) // 2:
        return stairs
    begin, rows, support = (np.array(column) for column in zip(*found, strict=True))
    first = np.rint(begin).astype(np.int64)
    tip = _tip(
        layer.coverage[:, round(at[-1] - half) : round(at[-1] + half) + 1].max(axis=1, initial=0),
        layer.hidden[:, round(at[-1])],
        rows[-1],
        2 * half,
    )
    rows, first, support = np.append(rows, tip), np.append(first, round(at[-1])), np.append(support, 1.0)
    return replace(stairs, corners=np.append(begin, [at[-1], at[-1]]), levels=Levels(first, first, rows, support))


def _clear_corners(stairs: Stairs) -> Floats:
    """Both ends of a step line and its risers; of a dashed one those higher than the ends of its dashes may look."""
    risers = stairs.corners[1:-1]
    if stairs.dashed:
        risers = risers[np.abs(np.diff(stairs.levels.height)) > CLEAR * 2 * stairs.reach]
    return np.concatenate([stairs.corners[:1], risers, stairs.corners[-1:]])


def _with_slopes(trace: Trace, levels: Levels) -> Levels:
    """The levels with one for every column of slopes: many steps, each narrower than the stroke, in a row."""
    half = round(trace.stroke / 2)
    wide = np.flatnonzero(levels.first[1:] - levels.last[:-1] - 1 > trace.stroke + 2)
    gaps = [np.arange(levels.last[i] + 1 + half, levels.first[i + 1] - half) for i in wide]
    columns = np.concatenate([np.zeros(0), *(gap[np.isfinite(trace.y[gap]) & (trace.weight[gap] > 0)] for gap in gaps)])
    if not len(columns):
        return levels
    at = columns.astype(np.int64)
    order = np.argsort(np.concatenate([levels.first, at]), kind="stable")
    merged = (
        np.concatenate(pair)[order]
        for pair in ((levels.first, at), (levels.last, at), (levels.height, trace.y[at]),
                     (levels.support, np.full(len(at), 0.3)))
    )  # fmt: skip
    return Levels(*merged)


def _with_end_risers(layer: Layer, hidden: NDArray[np.bool_], trace: Trace, levels: Levels) -> Levels:
    """The levels with one more at either end where the curve ends in a riser: its tip is the last (or first) value."""
    half, first, last = 0.5 * trace.stroke, levels.first, levels.last
    height, support = levels.height, levels.support
    for column, end in ((round(trace.end - half), -1), (round(trace.start + half), 0)):
        at = len(height) if end else 0
        if not abs(column - (last[-1] if end else first[0])) < 3 * trace.stroke + 4:
            continue
        reach = round(trace.stroke) + 1  # the riser may lie beyond what was followed
        part = slice(max(0, column - (1 if end else reach)), column + 1 + (reach if end else 1))
        tip = _tip(
            layer.coverage[:, part].max(axis=1), np.any(hidden[:, part], axis=1), float(height[end]), trace.stroke
        )
        if abs(tip - height[end]) < 1.5 * trace.stroke + 1:
            continue
        first, last = np.insert(first, at, column), np.insert(last, at, column)
        height, support = np.insert(height, at, tip), np.insert(support, at, 1.0)
    return Levels(first, last, height, support)


def _tip(ink: NDArray[np.float32], hidden: NDArray[np.bool_], level: float, stroke: float) -> float:
    """The far end (row) of a riser that leaves `level`, by its ink (h,); other ink may hide part of it."""
    found, half = level, stroke / 2
    for way in (-1, 1):
        row, seen = round(level), level
        while 0 <= row < len(ink) and (ink[row] > SOLID or hidden[row]):
            if ink[row] > SOLID:
                beyond = float(ink[row + way]) if 0 <= row + way < len(ink) else 0.0
                seen = row + way * (0.5 + (beyond if beyond <= SOLID else 0.0) - half)
            row += way
        found = seen if abs(seen - level) > abs(found - level) else found
    return found


def _from_shared_start(own: Stairs, everyone: Sequence[Stairs]) -> Stairs:
    """The curve from where another one begins that hides its start: it leaves that one's first level by a riser."""
    begin, tip = float(own.corners[0]), float(own.levels.height[0])
    for other in everyone:
        level = float(other.levels.height[0])
        ahead = other.corners[0] < begin - 2 * own.reach
        risen = own.rows[0] - own.reach < level < own.rows[1] + own.reach  # its riser is hidden by the other's
        if not ahead or other.corners[1] < begin - own.reach or not (abs(tip - level) <= 2 * own.reach or risen):
            continue
        old = own.levels
        if old.support[0] <= 1:  # the tip of the riser, cut by the stroke above it
            rest, corners = slice(1, None), own.corners[1:]
        else:
            rest, corners = slice(None), own.corners
        levels = Levels(
            np.append(other.levels.first[0], old.first[rest]),
            np.append(max(other.levels.first[0], old.first[rest][0] - 1), old.last[rest]),
            np.append(level, old.height[rest]),
            np.append(1.0, old.support[rest]),
        )
        return replace(own, corners=np.append(other.corners[0], corners), levels=levels)
    return own


def _from_zero(own: Stairs, axis: Axis | None, origin: float) -> Stairs:
    """A monotone curve begins at 0 where that lies within its cap."""
    zero = float(axis.to_pixel(0.0)) - origin if axis is not None and axis.scale == "linear" else np.inf
    if not own.monotone or abs(zero - own.corners[0]) > own.reach or zero > own.corners[1]:
        return own
    return replace(own, corners=np.append(zero, own.corners[1:]))


def _grid_of(corners: Sequence[Floats], axis: Axis | None, ink: PlotInk) -> Knots | None:
    """The coarsest step of the axis on which all risers lie, None if there is none that they need."""
    risers = np.concatenate([c[1:-1] for c in corners]) if corners else np.zeros(0)
    if len(risers) < 2:
        return None
    first, last = min(c[0] for c in corners), max(c[-1] for c in corners)
    best, lowest = None, 0.6 * STRAY * len(risers)
    for grid in axis_grids(axis, float(ink.origin[0]), first, last):
        inside = grid.places[(grid.places > first - 2) & (grid.places < last + 2)]
        if float(np.median(np.diff(inside))) < 3:
            continue
        away = np.abs(risers[:, None] - inside[None]).min(axis=1)
        cost = float(np.minimum(STRAY, (away / RISER_NOISE) ** 2 / 2).sum()) + len(inside) + grid.price
        if cost < lowest:
            best, lowest = grid, cost
    return best


def _marks(stairs: Stairs, grid: Knots | None, origin: tuple[int, int]) -> tuple[Mark, ...]:
    corners, levels = stairs.corners, stairs.levels
    at = corners
    if grid is not None:
        at = grid.places[(grid.places > corners[0] - stairs.reach) & (grid.places < corners[-1] + stairs.reach)]
    step = float(np.median(np.diff(at))) if grid is not None and len(at) > 1 else 0.0
    number = np.clip(np.searchsorted(corners, at + 0.5 * step, side="right") - 1, 0, len(levels.height) - 1)
    left, top = origin
    return tuple(
        Mark(
            "corner", float(x) + left, float(levels.height[i]) + top,
            sigma=float(0.05 + 0.2 / np.sqrt(max(float(levels.support[i]), 0.1))),
        )
        for x, i in zip(at, number, strict=True)
    )  # fmt: skip


def _riser(coverage: NDArray[np.float32], levels: Levels, i: int, stroke: float) -> float:
    """Column of the riser between the stretches i and i + 1: centroid of the ink strictly between their heights."""
    low, high = sorted((levels.height[i], levels.height[i + 1]))
    a, b = int(levels.last[i]), int(levels.first[i + 1])
    middle = (a + b) / 2
    top, bottom = int(np.ceil(low + stroke / 2 + 0.5)), int(np.floor(high - stroke / 2 - 0.5))
    if bottom < top:
        return middle
    reach = int(stroke) + 1
    first, last = max(0, a - reach), min(coverage.shape[1] - 1, b + reach)
    part = coverage[top : bottom + 1, first : last + 1].astype(np.float64)
    weight = part.sum(axis=0)
    return float((weight * np.arange(first, last + 1)).sum() / weight.sum()) if weight.sum() > 0.3 else middle
