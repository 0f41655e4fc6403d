"""Filled areas: one area, areas that overlap (opaque or translucent) and stacked areas.

Which regions lie under the top border of which series says how the areas were put together (`Composition`); the
borders then follow from the regions, and the author's points from the vertices of the borders.

Not handled here: streams (areas without a flat base), areas that hang below their base, hatched or gradient fills.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from tools.area_grids import carrying, noise_of, shared_grid, told_length
from tools.area_likeness import TALL, WIDE, longest_runs
from tools.area_rims import along_rim, is_rim
from tools.area_strokes import doubted, half_of_feet, taken_off, under_stroke
from tools.candidates import axis_grids, even_grid
from tools.colour import as_rgb, modal_colour
from tools.compositions import Composition, compose
from tools.ink import Layer, PlotInk
from tools.polyline import fit_knots
from tools.reduced import home, reduced, reduced_panel, scale_of
from tools.regions import border, find_regions
from tools.trace import Trace
from tools.types import Axis, Box, Evidence, Floats, Mark, Panel, Part, Series, SeriesKind, Side

_THICKEST = 8  # px that half a stroke along the top may measure
_HIDDEN = 2.5  # px that a frame hides
_ALONG = 0.9  # of the columns
_EDGE = 3  # px from the edge of the plot at which the frame cuts an area off
_HALVES = (0.6, 0.9, 1.2, 1.6, 2.1, 2.7, 3.5, 4.6, 6.0)  # px that half a stroke may measure
_BENT = 100.0  # nats of a border that hides something
_ALONGSIDE = 3  # px around a legend
_LOOSE = 1.5  # px: a grid that leaves more than this unexplained is none


def read_areas(panel: Panel, ink: PlotInk, layers: Sequence[Layer]) -> tuple[Series, ...]:
    """The areas that these layers fill, from the bottom of the stack to its top (or from the back to the front).

    "stacked area": `Mark.box` spans from the top (y0) to the bottom (y1) of the series' own band. "area": y is the
    top border and `box` spans from it to the base line. Marks are vertices where the borders show a sampling step,
    else even samples (`sampled`). Layers that fill nothing give no series.
    """
    scale = scale_of(ink)
    if scale > 1:
        return _in_reduced(panel, ink, layers, scale)
    fills = _without_rims(ink, [_own_colour(ink, layer) for layer in _without_rims(ink, layers) if _is_fill(layer)])
    if not fills:
        return ()
    composed = compose(panel, ink, fills)
    base = _base(panel, ink, fills)
    regions = find_regions(ink, composed.colours, composed.stacked)
    around = half_of_feet(fills, panel.y, ink.origin[1]) if composed.stacked else 0.0
    traces = []
    for layer, under in zip(composed.owner, composed.under, strict=True):
        top, off = border(regions, under, base)
        rim = next((one for one in ink.layers if one not in composed.owner and is_rim(ink, one, layer)), None)
        if rim is not None:
            top, off = along_rim(rim, layer, top, off, base)
        elif around:
            top = taken_off(top, around, base, layer is composed.owner[-1])
        elif not composed.stacked and len(composed.owner) == 1:  # over each other, strokes have colours of their own
            half = _half_stroke(top, off, base, _overhang(layer, base), panel.x, ink.origin[0])
            top = under_stroke(top, half)
        trace = _trace(_at_frame(top, panel.plot.y0 - ink.origin[1]), off, base)
        traces.append(replace(trace, weight=np.where(_under_legend(panel, ink.origin, top), 0.0, trace.weight)))
    return doubted(_series(panel, ink, composed, traces, base), around)


def _without_rims(ink: PlotInk, fills: Sequence[Layer]) -> list[Layer]:
    """The fills without the strokes along their tops, whose names (of opaque swatches) are those of the areas."""
    found = []
    for area in fills:
        if any(is_rim(ink, area, other) for other in fills if other is not area):
            continue
        rims = [one for one in fills if one is not area and one.name and is_rim(ink, one, area)]
        found.append(replace(area, name=rims[0].name, entry=rims[0].entry) if rims and not area.name else area)
    return found


def _in_reduced(panel: Panel, ink: PlotInk, layers: Sequence[Layer], scale: int) -> tuple[Series, ...]:
    """A very large plot is read in a smaller picture: borders are found to a fraction of its pixels."""
    small = reduced(ink, scale)
    chosen = [one for one, layer in zip(small.layers, ink.layers, strict=True) if any(layer is own for own in layers)]
    axes = []
    for axis in panel.axes:
        start = 0.5 * scale - 0.5 + ink.origin[0 if axis.horizontal else 1]
        axes.append(replace(axis, slope=axis.slope * scale, intercept=axis.intercept + axis.slope * start))
    found = read_areas(replace(reduced_panel(panel, ink, scale), axes=tuple(axes)), small, chosen)
    return tuple(replace(one, marks=tuple(_home(m, scale, ink.origin) for m in one.marks)) for one in found)


def _home(mark: Mark, scale: int, origin: tuple[int, int]) -> Mark:
    x, y = home(mark.x, mark.y, scale, origin)
    box = mark.box and Box(
        *home(mark.box.x0, mark.box.y0, scale, origin), *home(mark.box.x1, mark.box.y1, scale, origin)
    )
    return replace(mark, x=x, y=y, box=box, sigma=mark.sigma * scale)


# --- filled layers --------------------------------------------------------------------------------------------------


def _is_fill(layer: Layer) -> bool:
    solid = layer.coverage > 0.5
    tall = longest_runs(solid)[0] >= TALL
    return bool(tall.sum() >= WIDE and solid[:, tall].sum() > 0.5 * solid.sum())


def _own_colour(ink: PlotInk, layer: Layer) -> Layer:
    """The layer with the colour that it shows inside: a legend swatch may be opaque where the area is not."""
    colour = as_rgb(modal_colour(ink.pixels[layer.coverage > 0.8]))
    return replace(layer, colour=colour)


def _base(panel: Panel, ink: PlotInk, fills: Sequence[Layer]) -> float:
    """Row (crop frame) of the base line: the axis' zero where the fills end there, else where they do end."""
    solid = np.max([layer.coverage for layer in fills], axis=0) > 0.5
    columns = np.flatnonzero(solid.any(axis=0))
    bottom = float(np.median(solid.shape[0] - 1 - np.argmax(solid[::-1, columns], axis=0))) + 0.5
    axis = panel.y
    zero = float(axis.to_pixel(0.0)) - ink.origin[1] if axis is not None and axis.scale == "linear" else np.nan
    return zero if abs(zero - bottom) < 4 else bottom


# --- borders to marks -----------------------------------------------------------------------------------------------


def _at_frame(top: Floats, edge: float) -> Floats:
    """A top border (rows, w), on the edge of the plot where it runs along under the frame: a stack of shares."""
    return np.full(top.shape, edge) if float(np.mean(np.abs(top - edge) < _HIDDEN)) > _ALONG else top


def _trace(top: Floats, off: Floats, base: float) -> Trace:
    """A border as a curve: columns where nothing is filled are gaps, contradicted columns weigh little."""
    filled = np.flatnonzero(top < base - 0.25)
    nothing = np.zeros(top.size, dtype=bool)
    weight = 1.0 / (1.0 + np.maximum(off - 1.0, 0.0) ** 2)
    if filled.size == 0:
        return Trace(top, top, top, np.zeros(top.size), nothing, ~nothing, 0.0, 0.0, 0.0)
    inside = nothing.copy()
    inside[filled[0] : filled[-1] + 1] = True
    y = np.where(inside, top, np.nan)
    weight[[*filled[:2], *filled[-2:]]] = 0.0  # cut by the frame, or by the area's own upright side
    weight[_spikes(top)] = 0.0
    return Trace(y, y, y, np.where(inside, weight, 0.0), nothing, ~inside, 0.0, filled[0] - 0.5, filled[-1] + 0.5)


def _under_legend(panel: Panel, origin: tuple[int, int], top: Floats) -> NDArray[np.bool_]:
    """Columns in which the border (rows, w) seems to lie along or in the legend, which hides where it does."""
    box = panel.legend.box
    if box is None:
        return np.zeros(top.size, dtype=bool)
    columns, rows = np.arange(top.size) + origin[0], top + origin[1]
    beside = (columns < box.x0 - _ALONGSIDE) | (columns > box.x1 + _ALONGSIDE)
    return np.asarray(~beside & (rows > box.y0 - _ALONGSIDE) & (rows < box.y1 + _ALONGSIDE))


def _spikes(top: Floats) -> NDArray[np.bool_]:
    """Columns that stand out from their neighbours on both sides: a rule, a letter, a tick."""
    if top.size < 9:
        return np.zeros(top.size, dtype=bool)
    around = ndimage.median_filter(top, 9, mode="nearest")
    spread = ndimage.median_filter(np.abs(top - around), 9, mode="nearest")
    return np.asarray(np.abs(top - around) > 3.0 + 4.0 * spread)


def _overhang(layer: Layer, base: float) -> float:
    """How far, in px, ink in the colour of an area juts out beyond its upright sides: half a stroke along its top.

    0 where the sides can't tell: they lie on the edges of the plot.
    """
    solid = layer.coverage > 0.5
    columns = np.flatnonzero(solid.any(axis=0))
    if not columns.size:
        return 0.0
    bottom = solid.shape[0] - 1 - np.argmax(solid[::-1, columns], axis=0)
    standing = np.flatnonzero(bottom > base - 4)
    if not standing.size or standing.size < 0.8 * columns.size:
        return 0.0
    jutting = [
        float(gap)
        for gap, edge in (
            (standing[0], columns[0]),
            (columns.size - 1 - standing[-1], solid.shape[1] - 1 - columns[-1]),
        )
        if edge > _EDGE
    ]
    return max(jutting) if jutting and max(jutting) <= _THICKEST else 0.0


def _half_stroke(top: Floats, off: Floats, base: float, overhang: float, axis: Axis | None, origin: float) -> float:
    """Half the thickness of the stroke along a top border (rows, w) in the area's own colour, px; 0 without one.

    A stroke lifts steep stretches more than level ones, so that pieces do not meet in the vertices: the border is told
    shortest once it is taken off. `overhang`: where the sides show it.
    """
    if overhang >= 1:  # a cap that goes on along a slope juts out by up to root two of half the thickness
        return overhang / 1.15 + 0.3

    def told(half: float) -> float:
        return _plainest(_trace(under_stroke(top, half), off, base), axis, origin)

    bare = told(0.0)
    tries = {half: told(half) for half in _HALVES} if bare > _BENT else {}
    best = min(tries, key=lambda half: tries[half], default=0.0)
    if not best or tries[best] > 0.6 * bare:
        return 0.0
    finer = {half: told(half) for half in (0.85 * best, 0.93 * best, 1.08 * best, 1.17 * best)} | {best: tries[best]}
    return min(finer, key=lambda half: finer[half])


def _plainest(trace: Trace, axis: Axis | None, origin: float) -> float:
    """Nats to tell a border by the best of the coarser grids, unshifted."""
    if trace.end - trace.start < 20:
        return 0.0
    counts = range(5, int(min(120, (trace.end - trace.start) / 6)) + 2)
    grids = [*axis_grids(axis, origin, trace.start, trace.end), *(even_grid(trace.start, trace.end, n) for n in counts)]
    noise = [noise_of(trace)]
    places = (carrying(grid, trace.start, trace.end) for grid in grids)
    return min((told_length(at, [trace], noise) for at in places if at.size > 2 and np.diff(at).min() > 5), default=0.0)


def _series(
    panel: Panel, ink: PlotInk, composed: Composition, traces: Sequence[Trace], base: float
) -> tuple[Series, ...]:
    known = [k for k, trace in enumerate(traces) if trace.end - trace.start >= 3]
    if not known:
        return ()
    first, last = min(traces[k].start for k in known), max(traces[k].end for k in known)
    grid = shared_grid([traces[k] for k in known], panel.x, ink.origin[0])
    side: Side = panel.y.side if panel.y else "left"
    floor, found = None, []
    for k in known:
        ends = (first, last) if composed.stacked else (traces[k].start, traces[k].end)
        places = carrying(grid.knots, *ends)
        where, top, sampled = _vertices(places, grid.shift, traces[k])
        sampled = sampled or grid.sampled
        below = np.full(where.size, base) if floor is None else np.interp(where, *floor)
        top = np.minimum(top, below)
        layer = composed.owner[k]
        marks = _marks(where + ink.origin[0], top + ink.origin[1], below + ink.origin[1], sampled)
        kind: SeriesKind = "stacked area" if composed.stacked else "area"
        warnings = (composed.warning,) * bool(composed.warning)
        by = Evidence("areas")
        found.append(
            Series(
                layer.name, layer.colour, kind, marks, side, evidence=by, sampled=sampled, warnings=warnings
            )
        )  # fmt: skip
        if composed.stacked:
            floor = (where, top)
    return tuple(found)


def _vertices(places: Floats, shift: float, trace: Trace) -> tuple[Floats, Floats, bool]:
    """Columns and rows of the border's vertices; every column of the border where they do not explain it."""
    if places.size >= 2:
        values, residuals = fit_knots(places + shift, trace.y, trace.weight)
        for _ in range(2):  # text, rules and thin slices: weigh down what does not fit
            doubt = 1.0 / np.maximum(1.0, np.abs(np.nan_to_num(residuals)) / 0.5)
            values, residuals = fit_knots(places + shift, trace.y, trace.weight * doubt)
        off = np.abs(residuals[np.isfinite(residuals)])
        if off.size and np.median(off) < _LOOSE:
            return places, values, False
    columns = np.flatnonzero(np.isfinite(trace.y))
    return columns.astype(np.float64), trace.y[columns], True


def _marks(x: Floats, top: Floats, below: Floats, sampled: bool) -> tuple[Mark, ...]:
    part: Part = "sample" if sampled else "vertex"
    rows = zip(x.tolist(), top.tolist(), below.tolist(), strict=True)
    return tuple(Mark(part, at, y0, Box(at, y0, at, y1), sigma=0.2) for at, y0, y1 in rows)
