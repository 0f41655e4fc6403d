"""Population pyramids: bars back to back from one line, and an axis that prints sizes without sign to both sides.

What is left of the line (or below it) is counted from there as the axis prints it, not as a negative number. Not
handled here: pyramids drawn as two plots, each with an axis of its own (these are plain bars).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tools.printing import number_text, resolution
from tools.table import Cell
from tools.types import Axis, Panel, Series


def names_rows(panel: Panel) -> bool:
    """Whether names stand beside the rows and numbers below: bars lie there, though back to back they may look like
    one upright hill."""
    names, values = panel.y, panel.x
    named = names is not None and names.scale == "category" and names.confidence == "high"
    return named and values is not None and values.scale in ("linear", "log")


def is_mirrored(axis: Axis | None, series: Sequence[Series], values: Sequence[Sequence[float]]) -> bool:
    """Whether bars go to both sides of the 0 of a linear axis, each series to one, and no label there has a sign.

    values: of each series, in the units of the axis.
    """
    barred = all(one.kind in ("bar", "stack") for one in series)
    if axis is None or axis.scale != "linear" or len(series) < 2 or not barred:
        return False
    below = [anchor for anchor in axis.anchors if anchor.value < 0]
    printed = {anchor.value for anchor in axis.anchors if anchor.value > 0}
    if sum(-anchor.value in printed for anchor in below) < 2 or any(a.text[:1] in "-\u2212\u2013(" for a in below):
        return False
    least = 0.02 * max((abs(value) for group in values for value in group), default=0.0)
    ways = [{value > 0 for value in group if abs(value) > least} for group in values]
    return all(len(way) == 1 for way in ways) and set().union(*ways) == {True, False}


def as_printed(axis: Axis, cell: Cell) -> Cell:
    """The cell with the size that a mirrored axis prints at its place, its interval turned round with it."""
    if not isinstance(cell.value, float) or cell.value >= 0 or cell.pixel is None:
        return cell
    along = cell.pixel[0] if axis.horizontal else cell.pixel[1]
    low, high = (None if end is None else -end for end in (cell.high, cell.low))
    return replace(cell, value=-cell.value, text=number_text(-cell.value, resolution(axis, along)), low=low, high=high)
