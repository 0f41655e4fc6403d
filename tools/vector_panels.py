"""Plots that the paths of a figure show better than its pixels do.

Bars on a common base line beside an axis line with its ticks have no frame, so the outlines of the bars are seen as
frames; the paths tell bars from frames. Pieces of a plot that its own grid lines run through are one plot.
Not handled here: plots with a frame or a grid (`panels`), bars without a value axis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise

import numpy as np

from tools.panels import reading_order
from tools.types import Box, Drawing, Panel, Word
from tools.vector_elements import is_rectangle
from tools.vector_strokes import Straight, straights

LEAST = 3  # bars of a chart, and ticks of its axis
LEVEL = 0.15  # px between the ends of what stands on one line
BESIDE = 0.3  # of the bars' extent: how far the axis may stand from the first bar
SAME = 6.0  # px between the edges of pieces of one plot
MOST = 20_000


@dataclass(frozen=True)
class _Axis:
    """A row of ticks: the line that they begin on, and the first and the last of their places along it."""

    upright: bool
    at: float
    low: float
    high: float


def with_bare_bars(drawing: Drawing | None, panels: Sequence[Panel], words: Sequence[Word]) -> tuple[Panel, ...]:
    """The panels, those that are single bars of one frameless chart replaced by the chart itself, and pieces of one
    plot joined (`joined`)."""
    panels = joined(drawing, panels) if drawing is not None and len(drawing.paths) < MOST else panels
    plots = bare_plots(drawing) if drawing is not None and len(drawing.paths) < MOST else []
    for plot in plots:
        inside = [p for p in panels if plot.grown(6).contains(*p.plot.centre)]
        around = [p for p in panels if p not in inside and p.plot.overlaps(plot)]
        if around or any(_share(p.plot, plot) > 0.7 for p in inside):
            continue
        near = plot.grown(0.25 * max(plot.width, plot.height))
        box = reduce(Box.union, [word.box for word in words if near.contains(*word.box.centre)], plot)
        panels = [*(p for p in panels if p not in inside), Panel(box, plot)]
    return tuple(reading_order(panels)) if plots else tuple(panels)


def joined(drawing: Drawing, panels: Sequence[Panel]) -> tuple[Panel, ...]:
    """The panels, those above each other that the same upright strokes run through, unbroken, taken for one plot.

    Panels that share an axis are each drawn with grid lines of their own.
    """
    upright = [one for one in straights(drawing) if one.upright] if len(panels) > 1 else []
    for one, other in pairwise(sorted(panels, key=lambda panel: (round(panel.plot.x0 / 8), panel.plot.y0))):
        a, b = one.plot, other.plot
        if max(abs(a.x0 - b.x0), abs(a.x1 - b.x1)) > SAME or a.y1 > b.y0 or one.refused or other.refused:
            continue
        through = {
            round(line.at)
            for line in upright
            if a.x0 - 2 < line.at < a.x1 + 2 and line.low < a.y0 + SAME and line.high > b.y1 - SAME
        }
        if len(through) >= LEAST:
            whole = replace(one, box=one.box.union(other.box), plot=a.union(b))
            rest = [panel for panel in panels if panel is not one and panel is not other]
            return joined(drawing, reading_order([*rest, whole]))
    return tuple(panels)


def bare_plots(drawing: Drawing) -> list[Box]:
    """The plot areas of frameless bar charts: from their axis line to beyond their last bar."""
    bars = [
        path.box
        for path in drawing.paths
        if path.fill is not None and min(path.fill) < 250 and is_rectangle(path)
        and min(path.box.width, path.box.height) > 1
    ]  # fmt: skip
    axes = _axes(straights(drawing))
    found = []
    for lying in (False, True):
        for group in _on_one_base([_turned(bar) for bar in bars] if lying else bars):
            across = [axis for axis in axes if axis.upright != lying]
            plot = _plot(group, across)
            if plot is not None:
                found.append(_turned(plot) if lying else plot)
    found.sort(key=lambda box: -box.width * box.height)
    return [box for k, box in enumerate(found) if not any(box.overlaps(other) for other in found[:k])]


def _turned(box: Box) -> Box:
    """The box with x and y exchanged."""
    return Box(box.y0, box.x0, box.y1, box.x1)


def _axes(strokes: Sequence[Straight]) -> list[_Axis]:
    """Rows of short strokes that all begin on one line, outside of any frame."""
    rows: dict[tuple[bool, int, int], list[Straight]] = {}
    for one in strokes:
        if 3 < one.length < 34:
            rows.setdefault((one.upright, round(one.low / LEVEL), round(one.high / LEVEL)), []).append(one)
    lines = [
        (upright, end, min(one.at for one in row), max(one.at for one in row))
        for (upright, _, _), row in rows.items()
        for end in (row[0].low, row[0].high)
        if len({one.at for one in row}) >= LEAST
    ]
    return [_Axis(not row[0], *row[1:]) for row in lines if _has_line(strokes, *row)]


def _has_line(strokes: Sequence[Straight], upright: bool, at: float, low: float, high: float) -> bool:
    """Whether a stroke joins the feet of these ticks."""
    near = [one for one in strokes if one.upright != upright and abs(one.at - at) < 2 * LEVEL]
    return any(one.low < low + 2 and one.high > high - 2 for one in near)


def _on_one_base(bars: Sequence[Box]) -> list[list[Box]]:
    """Rectangles of several heights of which one end lies on a common line, the most on one line first."""
    groups: dict[int, list[Box]] = {}
    for bar in bars:
        for end in {round(bar.y0 / LEVEL), round(bar.y1 / LEVEL)}:
            groups.setdefault(end, []).append(bar)
    large = [g for g in groups.values() if len(g) >= LEAST and np.ptp([bar.height for bar in g]) > 3 and _apart(g)]
    return sorted(large, key=len, reverse=True)[:8]


def _apart(bars: Sequence[Box]) -> bool:
    """Whether they stand side by side."""
    order = sorted(bars, key=lambda bar: bar.x0)
    return all(b.x0 > a.x0 + 0.3 * a.width for a, b in pairwise(order))


def _plot(bars: Sequence[Box], axes: Sequence[_Axis]) -> Box | None:
    """The plot of upright bars and the axis beside them; None where there is none."""
    whole = reduce(Box.union, bars)
    reach = BESIDE * whole.width
    for axis in axes:
        beside = -reach < axis.at - whole.x0 < 2 or -2 < axis.at - whole.x1 < reach
        covers = min(axis.high, whole.y1) - max(axis.low, whole.y0) > 0.5 * whole.height
        if beside and covers:
            gap = float(np.median([bar.width for bar in bars])) * 0.3
            return Box(
                min(axis.at, whole.x0 - gap), min(axis.low, whole.y0), max(axis.at, whole.x1 + gap),
                max(axis.high, whole.y1),
            )  # fmt: skip
    return None


def _share(box: Box, other: Box) -> float:
    """Intersection over union."""
    wide, tall = min(box.x1, other.x1) - max(box.x0, other.x0), min(box.y1, other.y1) - max(box.y0, other.y0)
    both = max(0.0, wide) * max(0.0, tall)
    return both / max(box.width * box.height + other.width * other.height - both, 1e-9)
