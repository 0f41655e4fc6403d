"""Histograms drawn as one outline: a staircase that rises from the base line, has its risers on an even grid and
comes back to the base line.

Not handled here: outlines that lie (horizontal histograms), bins of different widths, filled outlines (`bars`).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.grid import Grid, fit_grid
from tools.ink import Layer, PlotInk
from tools.types import Box, Evidence, Floats, Mark, Panel, Series

FEWEST = 4  # bins
CLEAR = 3.0  # px that a riser is longer than the stroke is thick
EXPLAINED = 0.85  # share of the ink that the staircase must explain
HANGING = 0.05  # share of the ink below the base line, at most: its own stroke, ticks
SINGLE = 0.9  # score of the grid

Bits = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Riser:
    """An upright stroke: its column, sub-pixel, and its first and last row."""

    x: float
    top: float
    bottom: float


@dataclass(frozen=True, eq=False)
class Outline:
    """Edges of the bins (n + 1 columns of the crop) and the level of each (n rows); `base` is the row of no height."""

    edges: Floats
    levels: Floats
    base: float


def find_outlines(panel: Panel, ink: PlotInk, layers: Sequence[Layer]) -> list[tuple[Layer, Outline]]:
    """The staircases among these layers. Others may hide their ends under a clear one: they share its bins."""
    if panel.x is None or panel.y is None or panel.x.scale != "linear" or panel.y.scale != "linear":
        return []
    base = float(panel.y.to_pixel(0.0)) - ink.origin[1]
    if not -3 <= base <= len(ink.neutral) + 3:
        return []
    found = [_outline(layer, base, None) for layer in layers]
    clear = next((one for one in found if one is not None), None)
    if clear is None:
        return []
    found = [one or _outline(layer, base, clear.edges) for layer, one in zip(layers, found, strict=True)]
    return [(layer, one) for layer, one in zip(layers, found, strict=True) if one is not None]


def _outline(layer: Layer, base: float, edges: Floats | None) -> Outline | None:
    """The staircase that this layer draws on its own grid, or on that of known `edges`; None where it draws none."""
    solid = layer.coverage > 0.5
    stroke = _stroke(layer)
    if solid.sum() < 30 or stroke > 8 or solid.mean() > 0.2:
        return None
    below = layer.coverage[max(0, int(np.ceil(base + stroke + CLEAR))) :]
    if below.sum() > HANGING * layer.coverage.sum():  # a step line: no bin hangs below the base
        return None
    risers = [one for one in _risers(layer, stroke) if one.top < base - 1.0]  # ticks of its colour hang below
    if len(risers) < (FEWEST if edges is None else 2):
        return None
    grid = _grid(risers) if edges is None else _extended(edges, layer.coverage.shape[1])
    if grid is None:
        return None
    first, last = _extent(layer, base, stroke)
    slack = 2.0 if edges is None else stroke + 2.0  # other ink may hide its ends
    inside = grid[(grid > first - slack) & (grid < last + slack)]
    if edges is None and len(inside) > FEWEST:  # the risers of low bins at the ends are too short to be seen
        low, high = _extent(layer, base + 1.0, stroke)
        further = _extended(inside, layer.coverage.shape[1])
        slack = min(stroke + 2.0, 0.4 * (further[1] - further[0]))
        inside = further[(further > min(low - slack, inside[0] - 1)) & (further < max(high + slack, inside[-1] + 1))]
    if not FEWEST < len(inside) <= 400:
        return None
    outline = Outline(inside, _levels(layer, inside, risers, stroke, base), base)
    first_bin, last_bin = (int(np.argmin(np.abs(inside - one.x))) for one in (risers[0], risers[-1]))
    for riser, number in ((risers[0], first_bin), (risers[-1], last_bin - 1)):
        level = outline.levels[min(max(number, 0), len(outline.levels) - 1)]
        if edges is None and base - level > stroke + CLEAR + 1 and not _grounded(layer, riser, base, stroke):
            return None
    beyond = np.append(outline.levels[:first_bin], outline.levels[last_bin:])
    if edges is None and len(beyond) and base - float(beyond.min()) > stroke + 2 * CLEAR:  # no low bins
        return None
    return outline if _explains(layer, outline, stroke) else None


def _extended(edges: Floats, width: int) -> Floats:
    """The edges led on over the whole width."""
    period = float(edges[-1] - edges[0]) / (len(edges) - 1)
    before, after = int(edges[0] / period) + 1, int((width - edges[-1]) / period) + 1
    return np.asarray(edges[0] + period * np.arange(-before, len(edges) + after))


def _extent(layer: Layer, base: float, stroke: float) -> tuple[float, float]:
    """The first and the last column with ink clear of the base line, moved in to the middle of the stroke."""
    above = layer.coverage[: max(1, int(np.floor(base - stroke / 2 - 0.5)))]
    columns = np.flatnonzero((above > 0.5).any(axis=0))
    return (columns[0] + stroke / 2 - 0.5, columns[-1] - stroke / 2 + 0.5) if len(columns) else (0.0, 0.0)


def _grounded(layer: Layer, riser: Riser, base: float, stroke: float) -> bool:
    """Whether this riser starts on the base line; other ink may hide its foot."""
    if abs(base - riser.bottom) <= stroke + 3:
        return True
    column = int(np.clip(round(riser.x), 1, layer.coverage.shape[1] - 2))
    foot = slice(int(riser.bottom), max(int(riser.bottom) + 1, int(base) - 1))
    seen = (layer.hidden[foot, column - 1 : column + 2] | (layer.coverage[foot, column - 1 : column + 2] > 0.3)).any(
        axis=1
    )
    return bool(seen.size and seen.mean() > 0.8)


def read_outline(panel: Panel, ink: PlotInk, layer: Layer, outline: Outline) -> Series:
    """A series of kind "histogram": one bar per bin, from the first to the last that has a height."""
    across, down = ink.origin
    marks = []
    for left, right, level in zip(outline.edges[:-1], outline.edges[1:], outline.levels, strict=True):
        box = Box(float(left) + across, float(level) + down, float(right) + across, outline.base + down)
        marks.append(Mark("bar", (box.x0 + box.x1) / 2, box.y0, box, 0.3))
    side = panel.y.side if panel.y else "left"
    return Series(layer.name, layer.colour, "histogram", tuple(marks), side, "vertical", Evidence("read_bars"))


def _stroke(layer: Layer) -> float:
    """Thickness of the level strokes: the usual ink in a column."""
    ink = layer.coverage.sum(axis=0)
    return float(np.median(ink[ink > 0.5])) if (ink > 0.5).any() else 99.0


def _risers(layer: Layer, stroke: float) -> list[Riser]:
    """Upright strokes, left to right: runs down a column that are longer than the stroke is thick."""
    solid = (layer.coverage > 0.4).astype(np.uint8)
    length = int(np.ceil(stroke + CLEAR))
    upright = cv2.morphologyEx(solid, cv2.MORPH_OPEN, np.ones((length, 1), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(upright, connectivity=8)
    found = []
    for k in range(1, count):
        left, top, width, height = (int(v) for v in stats[k][:4])
        if width > 2.5 * stroke + 3 or height < width:
            continue
        rows, columns = slice(top, top + height), slice(max(0, left - 1), left + width + 1)
        middle = slice(top + height // 3, top + height - height // 3) if height > 8 else rows
        weight = np.median(layer.coverage[middle, columns], axis=0).astype(np.float64)
        if weight.sum() <= 0:
            continue
        x = float((weight * np.arange(columns.start, columns.start + len(weight))).sum() / weight.sum())
        found.append(Riser(x, float(top) - 0.5, float(top + height) - 0.5))
    return _merged(sorted(found, key=lambda one: one.x), stroke)


def _merged(found: list[Riser], stroke: float) -> list[Riser]:
    """Pieces of one riser that other ink parts are one."""
    merged: list[Riser] = []
    for one in found:
        if merged and one.x - merged[-1].x < stroke + 1:
            last = merged[-1]
            merged[-1] = Riser((one.x + last.x) / 2, min(one.top, last.top), max(one.bottom, last.bottom))
        else:
            merged.append(one)
    return merged


def _grid(risers: list[Riser]) -> Floats | None:
    """The edges of all bins that the risers stand on."""
    at = np.array([one.x for one in risers])
    gaps = np.diff(at)
    found = fit_grid(at, np.ones(len(at)), (max(3.0, 0.45 * float(gaps.min())), 1.05 * float(np.percentile(gaps, 60))))
    if not isinstance(found, Grid) or found.score < SINGLE:
        return None
    return _coarsest(np.asarray(found.centres), at)


def _coarsest(edges: Floats, at: Floats) -> Floats:
    """Every second, third or fourth edge where nearly all risers stand on these: bins come not in equal pairs."""
    number = np.array([int(np.argmin(np.abs(edges - one))) for one in at])
    for step in (4, 3, 2):
        shares = np.bincount(number % step, minlength=step) / len(number)
        if len(at) > 2 * FEWEST and shares.max() > 0.9:
            return edges[int(np.argmax(shares)) :: step]
    return edges


def _levels(layer: Layer, edges: Floats, risers: list[Riser], stroke: float, base: float) -> Floats:
    """The row of the level stroke of each bin; where it is hidden, the end that the risers beside it share."""
    levels = []
    inset = stroke / 2 + 1.0
    for left, right in itertools.pairwise(edges):
        first, last = int(np.ceil(left + inset)), int(np.floor(right - inset))
        columns = slice(first, last + 1) if last >= first else slice(round((left + right) / 2), None)
        part = layer.coverage[:, columns][:, : max(1, last - first + 1)]
        profile = np.median(part, axis=1).astype(np.float64) if part.size else np.zeros(len(layer.coverage))
        if profile.max(initial=0.0) < 0.25:
            profile = part.mean(axis=1).astype(np.float64) if part.size else profile
        if profile.max(initial=0.0) < 0.25:
            level = _shared_end(risers, float(left), float(right), base, stroke)
            under = _hidden_level(layer, (float(left), float(right)), stroke, base) if level > base - 1.0 else None
            levels.append(level if under is None else under)
            continue
        peak = int(np.argmax(profile))
        rows = np.arange(max(0, peak - int(stroke) - 1), min(len(profile), peak + int(stroke) + 2))
        weight = np.where(profile[rows] > 0.08, profile[rows], 0.0)
        levels.append(float((weight * rows).sum() / weight.sum()))
    found = np.array(levels)
    return np.where(found > base - 1.0, base, found)


def _hidden_level(layer: Layer, sides: tuple[float, float], stroke: float, base: float) -> float | None:
    """The row of the level stroke of other ink that hides this one's; None where there is none, or where risers at the
    sides of the bin go on down to the base line."""
    inset = stroke / 2 + 1.0
    columns = slice(int(np.ceil(sides[0] + inset)), int(np.floor(sides[1] - inset)) + 1)
    part = layer.hidden[: max(0, int(base - stroke - 2)), columns]
    rows = np.flatnonzero(part.mean(axis=1) > 0.9) if part.size else np.zeros(0, dtype=int)
    groups = np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1) if len(rows) else []
    thin = [group for group in groups if 0.7 * stroke < len(group) <= stroke + 3]  # grid lines are thinner
    if len(thin) != 1:
        return None
    below = slice(int(thin[0][-1] + stroke), int(base - stroke))
    for side in sides:
        near = slice(max(0, int(side - stroke)), int(side + stroke) + 2)
        ink = np.atleast_1d((layer.coverage[below, near] > 0.4).any(axis=1))
        if len(ink) > CLEAR and ink.mean() > 0.6:
            return None
    return float(thin[0].mean())


def _shared_end(risers: list[Riser], left: float, right: float, base: float, stroke: float) -> float:
    near = [min(risers, key=lambda one: abs(one.x - edge)) for edge in (left, right)]
    ends = [
        [row for one in [riser] if abs(riser.x - edge) < 2 for row in (one.top + stroke / 2, one.bottom - stroke / 2)]
        for riser, edge in zip(near, (left, right), strict=True)
    ]
    pairs = [(abs(a - b), (a + b) / 2) for a in ends[0] for b in ends[1]]
    best = min(pairs, default=(99.0, base))
    return best[1] if best[0] < stroke + 2 else base


def _explains(layer: Layer, outline: Outline, stroke: float) -> bool:
    """Whether the redrawn staircase covers nearly all of the ink, and most of the staircase is there."""
    drawn = np.zeros(layer.coverage.shape, dtype=np.uint8)
    rows = np.concatenate([[outline.base], outline.levels, [outline.base]])
    for k, edge in enumerate(outline.edges):
        corners = [(edge, rows[k]), (edge, rows[k + 1])]
        if k < len(outline.levels):
            corners.append((outline.edges[k + 1], rows[k + 1]))
        path = np.round(np.array(corners)).astype(np.int32)
        cv2.polylines(drawn, [path], False, 1, max(3, int(np.ceil(stroke)) + 2))
    total = layer.coverage.copy()
    floor = max(0, int(outline.base - stroke - 2))
    total[floor:] = 0.0  # along the base line the axis may share the stroke
    covered = float(total[drawn > 0].sum()) / max(float(total.sum()), 1e-6)
    risen = (outline.levels < outline.base - 1.5).mean()
    return covered > EXPLAINED and bool(risen > 0.4)
