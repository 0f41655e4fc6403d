"""Rectangles that may be plot areas: from strokes that touch, from families of grid lines, from filled backgrounds.

Not handled here: telling a plot from a legend or a table, which needs words (`panels`); slanted or polar frames.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tools.backgrounds import figure_paper, grown
from tools.ridges import Gray
from tools.stroke_joining import stroke_luma
from tools.strokes import Stroke, stroke_limit
from tools.types import Box, Image


@dataclass(frozen=True, eq=False)
class Outline:
    """A rectangle and the strokes that it was made from, or that it is a filled background (`filled`)."""

    box: Box
    horizontal: tuple[Stroke, ...] = ()
    vertical: tuple[Stroke, ...] = ()
    filled: bool = False


def outlines(groups: Sequence[Sequence[Stroke]], gray: Gray) -> list[Outline]:
    """The rectangle of every group that has one and is large enough for a plot or a strip."""
    found = []
    paper = figure_paper(gray)
    small = max(14.0, 0.02 * min(gray.shape))
    reach = max(14.0, min(gray.shape) / 50)
    for group in groups:
        rows = [stroke for stroke in group if stroke.direction == "horizontal"]
        columns = [stroke for stroke in group if stroke.direction == "vertical"]
        if len(group) < 3 and not (rows and columns):
            continue
        box = _rectangle(rows, columns, gray, reach)
        if box is not None and box.width >= small and box.height >= small:
            found.append(Outline(_on_background(box, gray, paper), tuple(rows), tuple(columns)))
    return found


def _on_background(box: Box, gray: Gray, paper: int) -> Box:
    """The box, or if it lies on a background of its own, all of this background."""
    part = gray[box.slices(*gray.shape)]
    level = int(np.argmax(np.bincount(part.ravel(), minlength=256)))
    if not 2 < abs(level - paper) < 60 or part.size < 0.005 * gray.size:
        return box
    whole = grown(box, gray, paper, level, over=stroke_limit(gray))
    if whole.width * whole.height > 3 * box.width * box.height:
        return box
    moved = (whole.x0 < box.x0 - 3, whole.y0 < box.y0 - 3, whole.x1 > box.x1 + 3, whole.y1 > box.y1 + 3)
    sides = zip(moved, (whole.x0, whole.y0, whole.x1, whole.y1), (box.x0, box.y0, box.x1, box.y1), strict=True)
    return Box(*(new if far else old for far, new, old in sides))


def _rectangle(rows: Sequence[Stroke], columns: Sequence[Stroke], gray: Gray, reach: float) -> Box | None:
    """Each side is where the outermost long stroke lies, or where the strokes across it end."""
    if not columns:
        return Box(_median_of(rows, "start"), rows_low(rows), _median_of(rows, "end"), rows_high(rows))
    if not rows:
        return Box(rows_low(columns), _median_of(columns, "start"), rows_high(columns), _median_of(columns, "end"))
    bare = _bare_rectangle(rows, columns, reach)
    if bare is not None:
        return bare
    paper = figure_paper(gray)
    x0, x1 = _two_sides(_strong(columns, paper), rows, reach)
    y0, y1 = _two_sides(_strong(rows, paper), columns, reach)
    return Box(x0, y0, x1, y1) if x1 > x0 and y1 > y0 else None


def _bare_rectangle(rows: Sequence[Stroke], columns: Sequence[Stroke], reach: float) -> Box | None:
    """The plot of level rules of one extent that no side line holds together: as high as the rules, and the data that
    reach beyond them by less than their spacing. None where there are sides. (`reach`: the length of a tick mark, by
    which an axis line may be longer.)"""
    longest = max(row.length for row in rows)
    long = [row for row in rows if row.length > 0.6 * longest]
    start, end = _median_of(long, "start"), _median_of(long, "end")
    ruled = [
        row for row in rows
        if abs(row.start - start) + abs(row.end - end) <= 4 + (reach if row.length > longest - 3 else 0)
        and row.length > min(0.97 * longest, longest - 2 * reach)
    ]  # fmt: skip
    if len(ruled) < 3 or len(ruled) < len(long):
        return None
    low, high = rows_low(ruled), rows_high(ruled)
    if max(column.length for column in columns) >= 0.5 * (high - low):
        return None
    step = float(np.median(np.diff(sorted(row.position for row in ruled))))
    top, foot = min(column.start for column in columns), max(column.end for column in columns)
    return Box(start, top if 0 < low - top < step else low, end, foot if 0 < foot - high < step else high)


def _strong(strokes: Sequence[Stroke], paper: int) -> list[tuple[float, float]]:
    """Position and contrast, against the figure's paper, of the long ones of these strokes, in order."""
    longest = max(stroke.length for stroke in strokes)
    long = [stroke for stroke in strokes if stroke.length >= 0.6 * longest]
    return sorted((stroke.position, abs(stroke_luma(stroke) - paper)) for stroke in long)


def rows_low(strokes: Sequence[Stroke]) -> float:
    return min(stroke.position for stroke in strokes)


def rows_high(strokes: Sequence[Stroke]) -> float:
    return max(stroke.position for stroke in strokes)


def _median_of(strokes: Sequence[Stroke], end: str) -> float:
    return float(np.median([getattr(stroke, end) for stroke in strokes]))


def _two_sides(across: Sequence[tuple[float, float]], along: Sequence[Stroke], reach: float) -> tuple[float, float]:
    """The two sides parallel to the strokes `across` (position, contrast), which the strokes `along` meet."""
    longest = max(stroke.length for stroke in along)
    long = [stroke for stroke in along if stroke.length >= 0.6 * longest]
    low, low_agreeing = _agreed([-stroke.start for stroke in long], -across[0][0], reach)
    high, high_agreeing = _agreed([stroke.end for stroke in long], across[-1][0], reach)
    overshoots = (across[0][0] + low, high - across[-1][0])
    sides = []
    for i, agreeing in enumerate((low_agreeing, high_agreeing)):
        position, contrast = across[-i]
        others = [other for at, other in across if abs(at - position) > 3]
        spine = contrast >= 80 or not others or contrast >= max(20.0, 1.3 * float(np.median(others)))
        loose = agreeing < max(2, 0.5 * len(long))
        border = overshoots[i] <= 2.5 or (overshoots[i] <= reach and loose)
        border |= spine and overshoots[i] <= 2 * reach
        ends = [(stroke.start, stroke.end)[i] for stroke in long]  # most end there; labels lengthen the others
        border |= len(long) > 2 and 2 * sum(abs(end - position) <= 3.5 for end in ends) >= len(long)
        sides.append(position if border else (-low, high)[i])
    return sides[0], sides[1]


def _agreed(ends: Sequence[float], border: float, reach: float) -> tuple[float, int]:
    """The farthest place where at least 40 % of the ends (and two, if there are three) agree, and how many.

    One that runs farther than any tick mark beyond that and beyond the border is an axis that the others do not reach.
    """
    ends = sorted(ends)
    need = max(2 if len(ends) >= 3 else 1, 0.4 * len(ends))
    for at in reversed(ends):
        near = [other for other in ends if abs(other - at) <= 2.5]
        if len(near) >= need:
            end = float(np.median(near))
            return (ends[-1], 1) if ends[-1] > max(end, border) + reach else (end, len(near))
    return ends[-1], 1


def snapped(box: Box, strokes: Sequence[Stroke], paper: int) -> Box:
    """A filled background whose sides lie on the centres of its frame's strokes, where it has a frame.

    White grid lines near a side are not the frame.
    """

    def side(direction: str, at: float, low: float, high: float) -> float:
        near = [
            s for s in strokes
            if s.direction == direction and abs(s.position - at) <= 2 + s.thickness and abs(stroke_luma(s) - paper) > 20
            and min(s.end, high) - max(s.start, low) > 0.8 * (high - low)
        ]  # fmt: skip
        return min((s.position for s in near), key=lambda position: abs(position - at), default=at)

    return Box(
        side("vertical", box.x0, box.y0, box.y1), side("horizontal", box.y0, box.x0, box.x1),
        side("vertical", box.x1, box.y0, box.y1), side("horizontal", box.y1, box.x0, box.x1),
    )  # fmt: skip


def min_stroke(pixels: Image) -> float:
    """The shortest stroke that helps to find a plot in a figure of this size."""
    height, width = pixels.shape[:2]
    return float(max(20.0, 0.025 * min(height, width), 2.0 * stroke_limit(pixels)))
