"""Strokes on whole pixels: what an axis is when its tick marks were rounded before they were drawn.

Agg (matplotlib) moves strokes of odd widths to the pixel whose right (lower) edge lies just beyond the place that they
mean, so a mark at pixel T means some place in [T - 1, T); strokes of even widths lie between pixels and mean places
within half a pixel. Every mark is such a bound, and the axis is the mean of all lines that keep within all of them
(a least-squares line knows neither the shift nor how sharp the bounds are). Vega rounds its tick marks to units of the
drawing and moves them on by half a unit; in a picture of u pixels a unit such a mark means some place in [T - u, T).
Not handled here: renderers that round to the nearest pixel; they can't be told apart, and are half a pixel off then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tools.types import Anchor, Axis, Box, Floats, Panel, Side

WHOLE = 0.07  # px from a whole (half) pixel
REACH, STEP = 1.4, 0.02  # px: how far the ends of an axis are moved in search, and in which steps
APART, NEAR = 3.0, 1.3  # px between minor ticks that can be told, and that one may be off its place
FEWEST = 6  # minor ticks
UNITS = 1.25, 8.0  # px: least and largest unit of a drawing that its picture shows
UNEVEN = 0.12  # of a unit, by which gaps of whole units may differ from them
SLACK = 0.03  # px beyond the bounds that sub-pixel centres may stray


def settled(panels: Sequence[Panel], ticks: Sequence[Mapping[Side, Floats]] = ()) -> tuple[Panel, ...]:
    """The panels of a figure with their axes moved to where rounded strokes say they are.

    `ticks`: for each panel the tick marks on its sides, px; the minor ones of a logarithmic axis are bounds as well.

    Only where the figure shows that its strokes were rounded: all lie on whole pixels (or between two), and those of
    some axis are as uneven as rounding makes them, or even where nothing but rounding makes them so. Where panels
    disagree (charts of several programs in one figure) each is judged by its own strokes.
    """
    marks = ticks or [{} for _ in panels]
    whole = _moves(panels, marks)
    if whole is not None:
        return whole
    return tuple((_moves([one], [sides]) or (one,))[0] for one, sides in zip(panels, marks, strict=True))


def _moves(panels: Sequence[Panel], marks: Sequence[Mapping[Side, Floats]]) -> tuple[Panel, ...] | None:
    """The panels with their axes moved as one renderer rounds; None where not all their strokes show one."""
    axes = [
        (panel, axis)
        for panel in panels
        for axis in panel.axes
        if axis.scale != "category" and len(_strokes(axis)) >= 3
    ]
    unit = _unit([axis for _, axis in axes])
    if unit > 1:
        return tuple(
            replace(panel, axes=tuple(_moved_by_units(axis, unit, panel.plot) for axis in panel.axes))
            for panel in panels
        )
    shown = any(0.12 < axis.residual < 0.5 or _even_by_chance(panel, axis) for panel, axis in axes)
    if not shown or not all(_rounded(_strokes(axis)) for _, axis in axes):
        return None
    return tuple(
        replace(panel, axes=tuple(_moved(axis, sides.get(axis.side, np.zeros(0))) for axis in panel.axes))
        for panel, sides in zip(panels, marks, strict=True)
    )


def _unit(axes: Sequence[Axis]) -> float:
    """The pixels of a unit that all strokes of the figure are whole numbers of apart; 1 where none is seen.

    Steps of one size on a linear axis differ by one unit at most when they are rounded: where they differ by more than
    a pixel, and every gap of every axis is a whole number of that difference, it is the unit.
    """
    gaps = [np.abs(np.diff(np.sort(_strokes(axis)))) for axis in axes]
    linear = [axis for axis in axes if axis.scale != "log"]
    found = [jump_of(_strokes(axis), np.array([one.value for one in _firm(axis)])) for axis in linear]
    every = np.concatenate([np.zeros(0), *gaps])
    for unit in filter(None, found):
        count = np.round(every / unit)
        if (count < 1).any():
            continue
        exact = float((every * count).sum() / (count**2).sum())
        if np.abs(every - count * exact).max() < UNEVEN * exact:
            return exact
    return 1.0


def jump_of(strokes: Floats, values: Floats) -> float | None:
    """By how many pixels the gaps between strokes (n,) at even steps of their values (n,) differ, where they are of two
    sizes: what strokes rounded to units of that many pixels do."""
    order = np.argsort(strokes)
    gaps, steps = np.diff(strokes[order]), np.abs(np.diff(values[order]))
    if len(gaps) < 3 or float(np.ptp(steps)) > 0.01 * float(steps.max()):
        return None
    low, high = float(gaps.min()), float(gaps.max())
    two = np.minimum(gaps - low, high - gaps).max() < 1.5 * UNEVEN * (high - low)
    return high - low if two and UNITS[0] < high - low < UNITS[1] else None


def _moved_by_units(axis: Axis, unit: float, plot: Box) -> Axis:
    """The axis through the middle of all places that strokes rounded to units may mean."""
    pixels = _strokes(axis)
    if axis.scale == "category" or len(pixels) < 3 or axis.residual > 0.8 * unit:
        return axis
    values = np.array([anchor.value for anchor in _firm(axis)])
    units = np.log10(values) if axis.scale == "log" else values
    places = np.round((pixels - pixels[0]) / unit)
    first, last = int(np.argmin(pixels)), int(np.argmax(pixels))
    low, high = (plot.x0, plot.x1) if axis.horizontal else (plot.y0, plot.y1)
    if max(abs(pixels[first] - low), abs(pixels[last] - high)) < 0.3 * unit:  # a plot of whole units ends at labels
        slope = float((units[last] - units[first]) / (places[last] - places[first]))
        intercept = float(units[first] - slope * (places[first] - 0.5))
    else:
        slope, intercept = _through_bounds(places, units)
    return replace(axis, slope=slope / unit, intercept=intercept - slope * float(np.mean(pixels / unit - places)))


def _even_by_chance(panel: Panel, axis: Axis) -> bool:
    """True for strokes at a whole pitch that is not that of a plot of whole steps, from its first pixel to its last."""
    strokes = _strokes(axis)
    low, high = (panel.plot.x0, panel.plot.x1) if axis.horizontal else (panel.plot.y0, panel.plot.y1)
    pinned = strokes.min() - low < 1.5 and high - strokes.max() < 1.5
    return axis.residual < WHOLE and len(strokes) >= 4 and not pinned


def _firm(axis: Axis) -> list[Anchor]:
    """The anchors on strokes. The edge of a plot need not be one: it counts where it lies on whole pixels, or between
    two, as the others do, or where these are few."""
    seated = [anchor for anchor in axis.anchors if anchor.seat != "glyph"]
    marks = [anchor for anchor in seated if anchor.seat in ("tick", "grid")]
    if len(marks) < 3:
        return seated
    whole = bool(_whole(np.array([anchor.pixel for anchor in marks])).mean() > 0.5)
    return [one for one in seated if one.seat != "spine" or bool(_whole(np.array([one.pixel]))[0]) == whole]


def _strokes(axis: Axis) -> Floats:
    return np.array([anchor.pixel for anchor in _firm(axis)], dtype=np.float64)


def _whole(strokes: Floats) -> NDArray[np.bool_]:
    """True where a stroke lies on a whole pixel."""
    return np.asarray(np.abs(strokes - np.round(strokes)) < WHOLE, dtype=np.bool_)


def _rounded(strokes: Floats) -> bool:
    """True if nearly all strokes lie on whole pixels or in the middle between two."""
    return bool(np.mean(_whole(strokes) | _whole(strokes + 0.5)) >= 0.9)


def _moved(axis: Axis, ticks: Floats) -> Axis:
    """The axis through the middle of all places that its strokes may mean."""
    pixels = _strokes(axis)
    if axis.scale == "category" or len(pixels) < 3 or axis.residual > 0.8:
        return axis
    values = np.array([anchor.value for anchor in _firm(axis)])
    units = np.log10(values) if axis.scale == "log" else values
    if axis.scale == "log":
        at, logs = _minor(axis, ticks)
        pixels, units = np.concatenate([pixels, at]), np.concatenate([units, logs])
    slope, intercept = _through_bounds(pixels, units)
    return replace(axis, slope=slope, intercept=intercept)


def _through_bounds(pixels: Floats, units: Floats) -> tuple[float, float]:
    """Slope and intercept of the mean of all lines that keep within the bounds of these strokes."""
    slope, intercept, first, last, ends = _bounded(pixels, units)
    low, high = ends
    stretch = (last + high - first - low) / (last - first)
    moved = slope / stretch  # the place of a value goes from pixel to first + low + (pixel - first) * stretch
    return float(moved), float(slope * first + intercept - moved * (first + low))


def _minor(axis: Axis, ticks: Floats) -> tuple[Floats, Floats]:
    """Pixels and units of the ticks at 2, 3 ... of each decade, where those lie apart; none unless nearly all do."""
    none = np.zeros(0), np.zeros(0)
    ticks = ticks[_whole(ticks) | _whole(ticks + 0.5)]
    if not len(ticks):
        return none
    units = axis.slope * ticks + axis.intercept
    decade = np.floor(units + 1e-6)
    digit = np.clip(np.round(10 ** (units - decade)), 1, 9)
    apart = np.log10((digit + 1) / digit) / abs(axis.slope) >= APART
    ideal = decade + np.log10(digit)
    met = np.abs(ideal - units) / abs(axis.slope) <= NEAR
    new = np.abs(ticks[:, None] - _strokes(axis)[None, :]).min(axis=1) > 1.5
    if (apart & new).sum() < FEWEST or met[apart & new].mean() < 0.9:
        return none
    return ticks[apart & new & met], ideal[apart & new & met]


def _bounded(pixels: Floats, units: Floats) -> tuple[float, float, float, float, tuple[float, float]]:
    """The least-squares line through the strokes, its first and last pixel, and how far these are to be moved.

    One stroke that lies beyond its bounds (a minor tick, the frame, taken for the tick beside it) is left out.
    """
    kept = np.ones(len(pixels), dtype=bool)
    while True:
        slope, intercept = np.polyfit(pixels[kept], units[kept], 1)
        fitted = (units - intercept) / slope
        first, last = float(fitted.min()), float(fitted.max())
        along, least = (fitted - first) / (last - first), np.where(_whole(pixels), 0.0, -0.5)
        ends = _ends((pixels - fitted)[kept], along[kept], least[kept])
        if ends is not None:
            return float(slope), float(intercept), first, last, ends
        if kept.sum() < 4 or not kept.all():
            shift = -float(np.mean(least)) - 0.5
            return float(slope), float(intercept), first, last, (shift, shift)
        kept[_odd_one(pixels, units)] = False


def _odd_one(pixels: Floats, units: Floats) -> int:
    """The stroke without which the others lie closest to a line."""
    spreads = []
    for i in range(len(pixels)):
        x, y = np.delete(pixels, i), np.delete(units, i)
        slope, intercept = np.polyfit(x, y, 1)
        spreads.append(float(np.ptp((y - intercept) / slope - x)))
    return int(np.argmin(spreads))


def _ends(off: Floats, along: Floats, least: Floats) -> tuple[float, float] | None:
    """How far, in pixels, both ends of a least-squares line are moved so that strokes `off` it by so much, at the
    shares `along` of it, lie `least` to `least` + 1 px right of (below) the places that they mean; None if none does.
    """
    steps = np.arange(-REACH, REACH + STEP / 2, STEP)
    low, high = (one.ravel()[:, None] for one in np.meshgrid(steps, steps, indexing="ij"))
    apart = off - (low + (high - low) * along)
    inside = np.all((apart >= least - SLACK) & (apart <= least + 1 + SLACK), axis=1)
    if not inside.any():
        return None
    return float(low[inside].mean()), float(high[inside].mean())
