"""Bars that count: where all of them end on whole numbers, give or take the same part of a pixel, they are these.

Renderers put the edges of bars and the marks of an axis on pixels in ways of their own, so that all bars of a figure
may seem half a pixel too high. On a lattice of whole numbers this shows: the parts after the decimal point are alike.
Not handled here: counts so many to a pixel that the lattice can't be seen; lines and points of counts; vector
figures, whose edges are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from tools.naming import value_axis
from tools.types import Axis, Box, Floats, Mark, Panel, Series

KINDS = ("bar", "stack", "histogram")
APART = 1.15  # px between whole numbers: edges on whole pixels tell nothing of a closer lattice
CLOSE = 0.8  # px between whole numbers for edges that are not on whole pixels
LIKE = 0.93  # length of the mean of the parts after the point as directions: a spread of 0.06
FEWEST = 9.0  # different heights, times LIKE squared: chance makes them alike in one of e^9 figures
FEWEST_BINS = 6.0  # of histograms, which mostly count
AWAY = 1.25  # px by which all bars may be too high or too low
EDGES = 6.0  # px: thicker strokes in the colour of the paper are gaps
CLEAR = 0.43
UNCLEAR = 0.36  # of a step: a part that may be meant from above or from below


def on_counts(panel: Panel, series: Sequence[Series]) -> list[Series]:
    """The series, bars that end on whole numbers moved onto these; other series as they are."""
    return [_settled(panel, one) if one.kind in KINDS and one.evidence.source != "vector" else one for one in series]


def _settled(panel: Panel, one: Series) -> Series:
    across = one.orientation == "horizontal"
    axis = value_axis(panel, one)
    marks = [mark for mark in one.marks if mark.part in ("bar", "segment")]
    if axis is None or axis.scale != "linear" or any(mark.box is None for mark in marks):
        return one
    ends = np.array([mark.x if across else mark.y for mark in marks])
    bases = np.array([_base(mark, across) for mark in marks])
    fewest = FEWEST_BINS if one.kind == "histogram" else FEWEST
    away = off_lattice(axis, ends, bases, fewest, AWAY + _half_edge(marks, across))
    under = off_lattice(axis, bases, bases) if one.kind == "stack" else 0.0
    if one.kind == "stack" and under is None and np.abs(axis.to_value(bases)).max() < 0.5:
        under = 0.0
    if away is None or under is None:
        return one
    moved = iter(zip(_whole(axis, ends, away), _whole(axis, bases, under), strict=True))
    return replace(
        one,
        marks=tuple(
            _onto(mark, across, *next(moved), one.kind == "stack") if mark.part in ("bar", "segment") else mark
            for mark in one.marks
        ),
    )


def _half_edge(marks: Sequence[Mark], across: bool) -> float:
    """Half the strokes in the paper's colour that may part these bars, px: they hide as much of every end.

    0 without gaps, and where these differ or are wider than strokes.
    """
    sides = sorted((m.box.y0, m.box.y1) if across else (m.box.x0, m.box.x1) for m in marks if m.box is not None)
    gaps = np.array([after[0] - before[1] for before, after in pairwise(sides)])
    if len(gaps) < 3 or not 0 < np.median(gaps) <= EDGES or np.mean(np.abs(gaps - np.median(gaps)) < 1) < 0.8:
        return 0.0
    return float(np.median(gaps)) / 2


def off_lattice(axis: Axis, pixels: Floats, bases: Floats, fewest: float = FEWEST, most: float = AWAY) -> float | None:
    """By how much (axis units, -0.5 to 0.5) edges at these pixels lie above whole numbers; None if they do not.

    pixels: (n,) float64, of the value ends; bases: (n,) float64, of the feet, which tell above from below;
    fewest: different heights that must agree, times the square of how well they do; most: px that they may be off.
    """
    step = 1 / abs(axis.slope)
    values = np.asarray(axis.to_value(pixels))
    told = np.unique(np.round(pixels[np.abs(values) * step > 1.5] * 4)) / 4 if len(pixels) else pixels
    if len(told) < fewest or step < (APART if _common(told)[0] > 0.6 else CLOSE):
        return None
    length, fraction = _common(np.asarray(axis.to_value(told)))
    if length < LIKE or len(told) * length**2 < fewest:
        return None
    part: float | None = fraction
    if abs(fraction) > UNCLEAR:
        part = _told_apart(fraction, values, np.asarray(axis.to_value(bases)), step)
    return part if part is not None and abs(part) * step <= most else None


def _told_apart(part: float, values: Floats, bases: Floats, step: float) -> float | None:
    """Whether edges lie above or below whole numbers: as the feet do, where these are off; no bar that is seen counts
    nothing. None where neither tells and both are about as likely."""
    feet = bases[np.abs(bases) * step < 2]
    ways = (part, part - float(np.sign(part)))
    if len(feet) and abs(float(np.median(feet))) * step >= 0.15:
        return min(ways, key=lambda way: abs(way - float(np.median(feet))))
    seen = np.abs(values[np.abs(values) * step > 0.3])
    if len(seen) and float(seen.min()) - max(ways) < 0.5:
        return min(ways)
    return part if abs(part) < CLEAR else None


def _common(values: Floats) -> tuple[float, float]:
    """Length of the mean of the parts after the point, seen as directions on a circle, and that mean, -0.5 to 0.5."""
    mean = np.exp(2j * np.pi * values).mean()
    return float(abs(mean)), float(np.angle(mean) / (2 * np.pi))


def _base(mark: Mark, across: bool) -> float:
    """The pixel of a bar's foot: the side of its box opposite to its value end."""
    box = mark.box or Box(mark.x, mark.y, mark.x, mark.y)
    sides = (box.x0, box.x1) if across else (box.y0, box.y1)
    end = mark.x if across else mark.y
    return sides[0] if abs(sides[1] - end) < abs(sides[0] - end) else sides[1]


def _whole(axis: Axis, pixels: Floats, away: float) -> Floats:
    return np.asarray(axis.to_pixel(np.round(np.asarray(axis.to_value(pixels)) - away)))


def _onto(mark: Mark, across: bool, end: float, base: float, both: bool) -> Mark:
    """The mark with its value end (and, of a segment, its foot) at these pixels."""
    box = mark.box
    if box is not None and both:
        low, high = sorted((float(end), float(base)))
        box = replace(box, x0=low, x1=high) if across else replace(box, y0=low, y1=high)
    return replace(mark, box=box, x=float(end)) if across else replace(mark, box=box, y=float(end))
