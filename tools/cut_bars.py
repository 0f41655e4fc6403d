"""Bars that thick error bars cut into pieces, put together again.

An error bar through the end of a bar leaves a piece left of it, a piece right of it, and a narrow one under its cap.

Not handled here: bars that an error bar cuts down to their base, pieces of several layers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tools.types import Box, Mark, Series

GAP = 12.0  # px between two pieces of one bar
ALIKE = 1.6  # px by which the ends of the outer pieces differ
NARROW = 0.6  # times the outer pieces: width of the middle one


def with_whole_bars(series: Series) -> Series:
    """The series with one mark for each bar that was read in three pieces; unchanged where there are none."""
    if any(mark.part != "bar" or mark.box is None for mark in series.marks):
        return series
    lying = series.orientation == "horizontal"
    marks = sorted(series.marks, key=lambda mark: _sides(mark, lying)[0])
    found: list[Mark] = []
    while marks:
        whole = _whole(marks[:3], lying)
        found.append(whole or marks[0])
        marks = marks[3 if whole else 1 :]
    return replace(series, marks=tuple(found)) if len(found) < len(series.marks) else series


def _sides(mark: Mark, lying: bool) -> tuple[float, float, float, float]:
    """First and last pixel along the key axis, then along the value axis."""
    box = mark.box
    assert box is not None
    return (box.y0, box.y1, box.x0, box.x1) if lying else (box.x0, box.x1, box.y0, box.y1)


def _whole(pieces: Sequence[Mark], lying: bool) -> Mark | None:
    """The bar that three pieces are parts of; None where they are bars of their own."""
    if len(pieces) < 3:
        return None
    first, middle, last = (_sides(mark, lying) for mark in pieces)
    gaps = middle[0] - first[1], last[0] - middle[1]
    outer = min(first[1] - first[0], last[1] - last[0])
    level = abs(first[2] - last[2]) <= ALIKE and abs(first[3] - last[3]) <= ALIKE
    inside = middle[2] >= first[2] - ALIKE and middle[3] <= first[3] + ALIKE
    shorter = (middle[3] - middle[2]) < (first[3] - first[2]) - ALIKE
    near = all(-1.0 <= gap <= GAP for gap in gaps) and middle[1] - middle[0] < NARROW * outer
    if not (level and inside and shorter and near and abs((first[1] - first[0]) - (last[1] - last[0])) < 0.3 * outer):
        return None
    box = Box(*(min(getattr(pieces[0].box, side), getattr(pieces[2].box, side)) for side in ("x0", "y0")),
              *(max(getattr(pieces[0].box, side), getattr(pieces[2].box, side)) for side in ("x1", "y1")))  # fmt: skip
    x = (pieces[0].x + pieces[2].x) / 2
    y = (pieces[0].y + pieces[2].y) / 2
    return replace(pieces[0], x=x, y=y, box=box)
