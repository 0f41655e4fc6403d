"""Shared axes: in a grid of panels, a panel without labels of its own takes the axis of its row or column.

Not handled here: grids whose panels have different sizes in one row or column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from tools.ladders import HORIZONTAL
from tools.seating import Rails
from tools.types import Axis, Box, Floats, Panel, Side, Unreadable

Found = dict[Side, Axis | Unreadable]


def lenders(panels: Sequence[Panel], index: int, side: Side) -> list[int]:
    """Panels whose axis on this side may hold for panel `index`: same extent along the axis, nearest first.

    Below before above, left before right: that is where shared labels are printed.
    """
    mine = panels[index].plot
    found: list[tuple[float, int]] = []
    for other, panel in enumerate(panels):
        if other == index or not same_extent(mine, panel.plot, side):
            continue
        if side in HORIZONTAL:
            step = panel.plot.y0 - mine.y0
            found.append((step if step > 0 else 1e5 - step, other))
        else:
            step = mine.x0 - panel.plot.x0
            found.append((step if step > 0 else 1e5 - step, other))
    return [other for _, other in sorted(found)]


def same_extent(one: Box, other: Box, side: Side) -> bool:
    """True if the two plots start and end at the same pixels along this side's axis."""
    if side in HORIZONTAL:
        slack = max(3.0, 0.012 * one.width)
        return abs(one.x0 - other.x0) <= slack and abs(one.x1 - other.x1) <= slack
    slack = max(3.0, 0.012 * one.height)
    return abs(one.y0 - other.y0) <= slack and abs(one.y1 - other.y1) <= slack


FARTHEST = 12.0  # px that the strokes of a panel may be off those of its neighbour
STRETCHED = 0.003  # of an axis: more than that is a wrong axis, if the plots are of one size after all
SAME = 3.0  # px between the sizes of plots that are meant to be alike


def moved(axis: Axis, home: Box, target: Box) -> Axis:
    """The axis of plot `home` at the same plot-relative positions of plot `target`.

    Plots whose sizes differ by a few pixels have the same size, and one of their sides was found a little off: the
    one that lies farther off its like.
    """
    start, end = (home.x0, home.x1) if axis.horizontal else (home.y0, home.y1)
    new_start, new_end = (target.x0, target.x1) if axis.horizontal else (target.y0, target.y1)
    if abs((new_end - new_start) - (end - start)) < max(SAME, 0.01 * (end - start)):
        shift = min(new_start - start, new_end - end, key=abs)
        new_start, new_end = start + shift, end + shift
    stretch = (new_end - new_start) / (end - start)
    slope = axis.slope / stretch
    intercept = axis.intercept + axis.slope * start - slope * new_start
    anchors = tuple(
        replace(anchor, pixel=new_start + (anchor.pixel - start) * stretch, box=None) for anchor in axis.anchors
    )
    return replace(axis, slope=slope, intercept=intercept, anchors=anchors)


def borrow(
    panels: Sequence[Panel], index: int, side: Side, found: Sequence[Mapping[Side, Axis | Unreadable]],
    rails: Sequence[Rails], own: Sequence[tuple[float, float]],
) -> Axis | Unreadable:  # fmt: skip
    """The axis that panel `index` shares with a neighbour, or why it has none.

    `rails`: the panel's own strokes on this side; `own`: pixel and value of numbers that stand along it. Strokes
    that do not meet the borrowed anchors make the axis doubtful; numbers that contradict it forbid it.
    """
    for other in lenders(panels, index, side):
        axis = found[other].get(side)
        if not isinstance(axis, Axis):
            continue
        lent = moved(axis, panels[other].plot, panels[index].plot)
        if _contradicts(lent, own):
            return Unreadable("the labels of this panel differ from its neighbour's and could not be read as a scale")
        notes = (*lent.warnings, f"axis shared with panel {other + 1}")
        lent = _shifted(lent, rails)
        if (share := _met(lent, rails)) is not None and share < 0.5:
            return replace(lent, confidence="low", warnings=(*notes, "its grid lines differ from that panel's"))
        if share is None and lent.scale != "category" and abs(lent.slope / axis.slope - 1) > STRETCHED:
            note = "its plot has another size than that panel's, and no strokes that prove the axis"
            return replace(lent, confidence="low", warnings=(*notes, note))
        return replace(lent, warnings=notes)
    beside = _in_line(panels, index, side, found, rails, own)
    return _from_a_twin(panels, index, side, found, rails, own) if beside is None else beside


def _in_line(
    panels: Sequence[Panel], index: int, side: Side, found: Sequence[Mapping[Side, Axis | Unreadable]],
    rails: Sequence[Rails], own: Sequence[tuple[float, float]],
) -> Axis | None:  # fmt: skip
    """The axis of a neighbour in the same row (column) whose plot was not found as large as this one, where nearly all
    its anchors, just as they stand in the figure, meet strokes of this panel."""
    mine = panels[index].plot
    for other, panel in enumerate(panels):
        axis, plot = found[other].get(side), panel.plot
        if other == index or not isinstance(axis, Axis) or axis.scale == "category" or len(axis.anchors) < 4:
            continue
        ends = ("x0", "x1") if side in HORIZONTAL else ("y0", "y1")
        (a, b), (c, d) = ([getattr(box, end) for end in ends] for box in (mine, plot))
        beside = min(b, d) - max(a, c) > 0.6 * max(b - a, d - c) and not _contradicts(axis, own)
        edges = [rail.pixels for rail in rails if rail.kind == "spine"]
        if beside and any(
            len(rail.pixels) > 2 and _stand_on(axis, np.concatenate([rail.pixels, *edges])) >= 0.9
            for rail in rails
            if rail.kind != "spine"
        ):
            return replace(axis, warnings=(*axis.warnings, f"axis shared with panel {other + 1}"))
    return None


def _from_a_twin(
    panels: Sequence[Panel], index: int, side: Side, found: Sequence[Mapping[Side, Axis | Unreadable]],
    rails: Sequence[Rails], own: Sequence[tuple[float, float]],
) -> Axis | Unreadable:  # fmt: skip
    """The axis of a panel of the same size elsewhere in the grid whose anchors meet this panel's own strokes.

    Labels may still differ (free scales), so it is doubtful unless there are many and all of them meet strokes.
    """
    mine = panels[index].plot
    for other, panel in enumerate(panels):
        axis = found[other].get(side)
        if other == index or not isinstance(axis, Axis) or axis.scale == "category" or len(axis.anchors) < 3:
            continue
        if abs(panel.plot.width - mine.width) > 3 or abs(panel.plot.height - mine.height) > 3:
            continue
        lent = moved(axis, panel.plot, mine)
        share = _met(lent, rails) or 0.0
        if not _contradicts(lent, own) and share >= 0.5:
            note = f"axis taken from panel {other + 1}, of the same size, whose ticks fit"
            sure = len(lent.anchors) >= 5 and share >= 0.9 and lent.confidence == "high"
            return replace(lent, confidence="high" if sure else "low", warnings=(*lent.warnings, note))
    return Unreadable("no labels stand along this side and no neighbour shares its axis")


def _contradicts(axis: Axis, own: Sequence[tuple[float, float]]) -> bool:
    if axis.scale == "category":
        return len(own) > 2
    if len(own) < 2:
        return False
    pixels, values = np.array(own).T
    away = np.abs(axis.to_pixel(values) - pixels)
    return bool(np.mean(away < 6) < 0.5)


def _shifted(axis: Axis, rails: Sequence[Rails]) -> Axis:
    """A borrowed axis moved, as a whole, onto the panel's own tick marks or grid lines: the plots of a row may be
    drawn a few pixels higher or lower than their neighbour, and the edges found are less exact than strokes.

    Only where most anchors find a stroke after the move, and these lie closer together than a stroke is wide.
    """
    at = np.array([anchor.pixel for anchor in axis.anchors])
    reach = 0.3 * float(np.diff(np.sort(at)).min()) if len(at) > 1 else 0.0
    if axis.scale == "category":
        return axis
    for rail in rails:
        if rail.kind == "spine" or len(rail.pixels) < 3 or len(at) < 3:
            continue
        strokes = rail.pixels[rail.weights >= 0.8]
        away = (strokes[None, :] - at[:, None]) if len(strokes) else np.zeros((1, 0))
        shifts = away[np.abs(away) <= min(reach, FARTHEST)]
        near = [float(np.median(shifts[np.abs(shifts - one) <= 0.75])) for one in shifts]
        met = [int((np.abs(away - one) <= 0.75).any(axis=1).sum()) for one in near]
        if not met or max(met) < max(3, 0.7 * len(at)):
            continue
        shift = near[int(np.argmax(met))]
        anchors = tuple(replace(one, pixel=one.pixel + shift) for one in axis.anchors)
        return replace(axis, intercept=axis.intercept - axis.slope * shift, anchors=anchors)
    return axis


def _met(axis: Axis, rails: Sequence[Rails]) -> float | None:
    """The share of the borrowed anchors that stand on the panel's own strokes; None if it has no strokes."""
    for rail in rails:
        if rail.kind == "spine" or len(rail.pixels) < 2 or not axis.anchors:
            continue
        return _stand_on(axis, rail.pixels)
    return None


def _stand_on(axis: Axis, strokes: Floats) -> float:
    """The share of the anchors within 2.5 px of one of the strokes (n,)."""
    at = np.array([anchor.pixel for anchor in axis.anchors])
    return float(np.mean(np.abs(at[:, None] - strokes[None, :]).min(axis=1) <= 2.5))
