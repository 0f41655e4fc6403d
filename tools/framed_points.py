"""Hollow bars at named places with points, error bars and brackets drawn over them: their outlines read all the same.

What stands on the base line is bars, whatever is strewn over it: columns of ground in between tell them apart, and
most columns of a bar end at its upper edge, those under a marker or a whisker further out.
Upright frame as in `rectangles`.

Not handled here: the points themselves, bars that hang or touch each other, axes without named categories.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.framed import NARROWEST, Framed, filled_silhouette, placed, silhouette, thickness
from tools.ink import PlotInk
from tools.rectangles import Bits, Frame, Rectangle
from tools.types import Axis, Floats, Panel

FREE = 0.3  # share of a bar's columns in which its end lies free
WALLED = 0.9  # share of a bar's height along which both its sides are drawn
ALIKE = 0.15  # of the usual width: bars are as wide as each other
APART = 0.15  # of a category's step: width from which something on the base line may be a bar
LEVEL = 1.5  # px within which a column ends where its bar does
AXIS = 0.1  # quantile of the columns, of which the least high hold nothing but the axis


def bars_under_points(panel: Panel, ink: PlotInk) -> Framed | None:
    """As many drawn outlines on the base line in each category, from left to right; None where there are no such."""
    horizontal = panel.y is not None and panel.y.scale == "category"
    value, key = (panel.x, panel.y) if horizontal else (panel.y, panel.x)
    if value is None or value.scale != "linear" or key is None or key.scale != "category" or len(key.categories) < 2:
        return None
    frame = Frame(horizontal, ink.origin, ink.pixels.shape[1])
    inked, filled, base = filled_silhouette(panel, ink, silhouette(panel, ink), frame)
    standing = _standing(filled, base, 1 / abs(key.slope))
    if not standing or not evenly_placed([one for one, _ in standing], frame, key):
        return None
    usual = float(np.median([one.width for one, _ in standing]))
    alike = all(abs(one.width - usual) <= max(2.0, ALIKE * usual) for one, _ in standing)
    pixels, paper = np.asarray(frame.upright(ink.pixels), dtype=np.float64), np.asarray(ink.background, np.float64)
    free = [part for _, part in standing]
    thick = thickness(pixels, paper, free, base) if alike else None
    if thick is None or not all(_walled(inked, one, thick) for one, _ in standing):
        return None
    ends = [placed(pixels, paper, part, base, thick) for part in free]
    bars = tuple(replace(one, top=end.top, bottom=end.bottom) for (one, _), end in zip(standing, ends, strict=True))
    return Framed(frame, bars, pixels, base, thick, 1.0)


def evenly_placed(bars: Sequence[Rectangle], frame: Frame, key: Axis) -> bool:
    """Whether each category of this axis has as many of the bars."""
    at = key.to_value(np.array([frame.figure_column(one.middle) for one in bars]))
    slots = np.clip(np.round(at), 0, len(key.categories) - 1).astype(int)
    return len(set(np.bincount(slots, minlength=len(key.categories)).tolist())) == 1


def _standing(filled: Bits, base: float, step: float) -> list[tuple[Rectangle, Rectangle]]:
    """What stands on the base row of a silhouette (h, w), wide enough for a bar where categories are `step` px apart:
    the bar, and the widest part of it whose end lies free. Empty if the end of one cannot be told."""
    foot = int(np.clip(round(base), 0, len(filled) - 1))
    above = filled[:foot][::-1]
    heights = np.where(above.all(axis=0), len(above), np.argmin(above, axis=0))
    over = heights > float(np.quantile(heights, AXIS)) + 4
    found = []
    for first, last in _runs(over):
        if last + 1 - first < max(NARROWEST, APART * step):
            continue
        height = float(np.quantile(heights[first + 2 : last - 1], FREE / 2))
        free = np.abs(heights[first : last + 1] - height) <= LEVEL
        if float(free.mean()) < FREE:
            return []
        left, right = max(_runs(free), key=lambda run: run[1] - run[0])
        whole = Rectangle(first - 0.5, last + 0.5, foot - height - 0.5, base, first=first, last=last)
        part = replace(
            whole, left=first + left - 0.5, right=first + right + 0.5, first=first + left, last=first + right
        )
        found.append((whole, part))
    return found


def _runs(flags: Floats | Bits) -> Sequence[tuple[int, int]]:
    """First and last index of each run of true ones."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], np.asarray(flags, dtype=int), [0]])))
    return [(int(a), int(b) - 1) for a, b in edges.reshape(-1, 2)]


def _walled(inked: Bits, one: Rectangle, thick: float) -> bool:
    """Whether strokes run along both sides of a bar from its foot to its end, in the ink (h, w) itself, and none up its
    inside, as where bars touch."""
    rows = slice(max(0, int(one.top) + 2), max(int(one.top) + 3, int(one.bottom) - 2))
    width = max(1, round(thick))
    sides = (inked[rows, one.first : one.first + width + 1], inked[rows, max(0, one.last - width) : one.last + 1])
    lower = inked[(rows.start + rows.stop) // 2 : rows.stop, one.first + width + 2 : one.last - width - 1]
    within = lower.size > 0 and float(lower.mean(axis=0).max()) >= WALLED
    return not within and all(float(side.any(axis=1).mean()) >= WALLED for side in sides)
