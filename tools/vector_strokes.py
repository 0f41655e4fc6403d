"""Straight strokes of a vector drawing: frames, tick marks and grid lines at the coordinates that the file gives.

Not handled here: which label names which stroke (`seating`), and drawings without strokes (themes without ticks).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from tools.seating import Rails
from tools.types import Box, Drawing, Panel, Rgb, Side, VectorPath

THIN = 4.0  # px: filled rectangles thinner than this are strokes
LONGEST_TICK = 0.06  # of the plot's smaller side, or `TICK` px
TICK = 34.0
TOUCH = 4.0  # px between a tick mark and its axis line
SHORT = 25.0  # px by which a plot without a frame may be seen too short
FRAME = 3.0  # px between a frame as seen and as drawn


@dataclass(frozen=True)
class Straight:
    """One upright (or level) stroke: `at` is where it stands across, `low` to `high` how far it reaches along.

    `side`: it is a side of a closed outline (a frame, a bar), so no tick mark.
    """

    upright: bool
    at: float
    low: float
    high: float
    width: float
    colour: Rgb
    side: bool = False

    @property
    def length(self) -> float:
        return self.high - self.low


def straights(drawing: Drawing) -> list[Straight]:
    """All upright and level strokes, thin filled rectangles and the sides of stroked rectangles included."""
    found: list[Straight] = []
    for path in drawing.paths:
        if path.curved or len(path.points) < 2 or len(path.points) > 8:
            continue
        box = path.box
        if path.stroke is None and path.fill is not None and min(box.width, box.height) < THIN and path.closed:
            upright = box.height > box.width
            x, y = box.centre
            ends = (box.y0, box.y1) if upright else (box.x0, box.x1)
            found.append(Straight(upright, x if upright else y, *ends, min(box.width, box.height), path.fill))
        elif path.stroke is not None:
            found += _sides(path, path.stroke)
    return found


def _sides(path: VectorPath, colour: Rgb) -> list[Straight]:
    """The upright and level pieces of a path, those on one line joined; cut at the clip box."""
    points = np.vstack([path.points, path.points[:1]]) if path.closed else path.points
    back = len(points) > 3 and float(np.abs(points[0] - points[-1]).max()) < 0.02
    found = []
    for (x0, y0), (x1, y1) in pairwise(points):
        if abs(x0 - x1) < 0.02 < abs(y0 - y1):
            found.append(Straight(True, float(x0 + x1) / 2, min(y0, y1), max(y0, y1), path.width, colour, back))
        elif abs(y0 - y1) < 0.02 < abs(x0 - x1):
            found.append(Straight(False, float(y0 + y1) / 2, min(x0, x1), max(x0, x1), path.width, colour, back))
    return [cut for one in found if (cut := _visible(one, path.clip)) is not None]


def _visible(one: Straight, clip: Box | None) -> Straight | None:
    if clip is None:
        return one
    across = (clip.x0, clip.x1) if one.upright else (clip.y0, clip.y1)
    along = (clip.y0, clip.y1) if one.upright else (clip.x0, clip.x1)
    low, high = max(one.low, along[0]), min(one.high, along[1])
    if high <= low or not across[0] - 1 <= one.at <= across[1] + 1:
        return None
    return replace(one, low=low, high=high)


def sharpened(panel: Panel, strokes: Sequence[Straight]) -> Panel:
    """The panel with the sides of its plot moved onto the strokes of the frame that was seen there."""
    plot = _to_grid(panel.plot, strokes)
    x0, x1 = (_frame(strokes, True, x, plot.y0, plot.y1) for x in (plot.x0, plot.x1))
    y0, y1 = (_frame(strokes, False, y, plot.x0, plot.x1) for y in (plot.y0, plot.y1))
    return replace(panel, plot=Box(x0, y0, x1, y1))


def _to_grid(plot: Box, strokes: Sequence[Straight]) -> Box:
    """The plot with its sides moved to where its grid lines all end: what has no frame is seen only roughly."""
    ends = []
    for upright, (low, high), (first, last) in (
        (False, (plot.x0, plot.x1), (plot.y0, plot.y1)),
        (True, (plot.y0, plot.y1), (plot.x0, plot.x1)),
    ):
        lines = [
            one
            for one in strokes
            if one.upright == upright
            and first - SHORT < one.at < last + SHORT
            and -0.5 < (low + SHORT - one.low) / (high - low) - 0.5 < 0.5
            and -0.5 < (one.high - high + SHORT) / (high - low) - 0.5 < 0.5
        ]
        agree = len(lines) > 2 and np.ptp([one.low for one in lines]) < 0.5 > np.ptp([one.high for one in lines])
        ends.append((float(lines[0].low), float(lines[0].high)) if agree else (low, high))
    (x0, x1), (y0, y1) = ends
    return Box(x0, y0, x1, y1)


def _frame(strokes: Sequence[Straight], upright: bool, at: float, low: float, high: float) -> float:
    """The nearest long stroke to a side, or the side itself."""
    near = [
        (abs(one.at - at), one.at)
        for one in strokes
        if one.upright == upright
        and abs(one.at - at) < FRAME
        and min(one.high, high) - max(one.low, low) > 0.5 * (high - low)
    ]
    return min(near)[1] if near else at


def tick_rails(strokes: Sequence[Straight], line: Box, side: Side) -> Rails | None:
    """The tick marks of one side as rails; None if fewer than two are drawn. `line`: plot whose side is the axis."""
    upright = side in ("bottom", "top")
    edge = {"bottom": line.y1, "top": line.y0, "left": line.x0, "right": line.x1}[side]
    low, high = (line.x0, line.x1) if upright else (line.y0, line.y1)
    longest = max(TICK, LONGEST_TICK * min(line.width, line.height))
    marks = [
        one
        for one in strokes
        if one.upright == upright
        and not one.side
        and 1.5 < one.length < longest
        and low - 2 <= one.at <= high + 2
        and min(abs(one.low - edge), abs(one.high - edge)) < TOUCH + 0.5 * one.width
    ]
    return _rails("tick", marks)


def grid_rails(strokes: Sequence[Straight], plot: Box, upright: bool) -> Rails | None:
    """The grid lines across a plot as rails; None if fewer than two are drawn. The frame is no grid line."""
    low, high = (plot.y0, plot.y1) if upright else (plot.x0, plot.x1)
    first, last = (plot.x0, plot.x1) if upright else (plot.y0, plot.y1)
    lines = [
        one
        for one in strokes
        if one.upright == upright
        and first + 1 < one.at < last - 1
        and min(one.high, high) - max(one.low, low) > 0.9 * (high - low)
    ]
    return _rails("grid", lines)


def _rails(kind: str, marks: Sequence[Straight]) -> Rails | None:
    """Strokes as rails: those at one place count once; shorter or thinner ones are minor."""
    best: dict[float, Straight] = {}
    for one in marks:
        near = next((at for at in best if abs(at - one.at) < 0.15), None)
        if near is None:
            best[one.at] = one
        elif one.length > best[near].length:
            best[near] = one
    if len(best) < 2:
        return None
    places = sorted(best)
    length = max(one.length for one in best.values())
    width = max(one.width for one in best.values())
    minor = [best[at].length < 0.75 * length or (kind == "grid" and best[at].width < 0.75 * width) for at in places]
    weights = np.where(minor, 0.6, 1.0)
    return Rails("tick" if kind == "tick" else "grid", np.array(places, dtype=np.float64), weights)
