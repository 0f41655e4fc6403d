"""Error bars from straight vector segments: those that stand on the marks of a series, along its value axis.

Not handled here: error bars along the other axis, box plots.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.types import Floats, Mark, Rgb, Series
from tools.vector_elements import Element
from tools.vector_marks import SIGMA

CENTRED = 0.8  # px between a mark and its error bar
THIN, LONGEST = 5.0, 50.0  # px: sides of a cap that is drawn as a rectangle
FLAT = 0.5  # px across one that is drawn as a bent line
CAP = 2.5  # px between its middle and the end of its error bar
ENOUGH = 0.5  # of the marks of a series must have one
Stem = tuple[tuple[float, float, float], Rgb]


def without_caps(elements: Sequence[Element]) -> list[Element]:
    """The elements without what lies flat at the ends of straight segments: caps of error bars, drawn as thin
    rectangles or, by R's `arrows`, as lines of three points that look like markers."""
    ends = [point for one in elements if one.kind == "segment" for point in one.parts[0][[0, -1]]]
    if not ends:
        return list(elements)
    places = np.array(ends)

    def is_cap(one: Element) -> bool:
        box = one.box
        thin = THIN if one.kind == "bar" else FLAT if one.kind == "marker" else 0.0
        if not thin or min(box.width, box.height) > thin or max(box.width, box.height) > LONGEST:
            return False
        return bool((np.abs(places - box.centre).max(axis=1) < CAP).any())

    return [one for one in elements if not is_cap(one)]


def with_whiskers(series: Sequence[Series], elements: Sequence[Element]) -> list[Series]:
    """The series with low and high marks after each mark that an error bar stands on.

    Segments that all end on one line are the stems of lollipops, no error bars.
    """
    upright = _stems(elements, False)
    level = _stems(elements, True)
    return [_spread(one, _own(level if one.orientation == "horizontal" else upright, one)) for one in series]


def _own(stems: Sequence[Stem], series: Series) -> Floats:
    """The stems that may be a series' own: those in its colour where there are enough, else all."""
    same = [row for row, colour in stems if colour == series.colour]
    marks = sum(mark.part not in ("low", "high") for mark in series.marks)
    rows = same if len(same) >= ENOUGH * marks else [row for row, _ in stems]
    return np.array(rows, dtype=np.float64).reshape(-1, 3)


def _stems(elements: Sequence[Element], lying: bool) -> list[Stem]:
    """Segments along the value axis as rows (across, low pixel, high pixel), each with its colour."""
    rows: list[Stem] = []
    for one in elements:
        box = one.box
        if one.kind != "segment" or (box.height if lying else box.width) > 0.1:
            continue
        row = (box.y0, box.x0, box.x1) if lying else (box.x0, box.y0, box.y1)
        if row[2] - row[1] > 0.2:
            rows.append((row, one.colour))
    return rows


def _spread(one: Series, stems: Floats) -> Series:
    if one.kind not in ("bar", "points", "line") or not len(stems) or any(m.part in ("low", "high") for m in one.marks):
        return one
    lying = one.orientation == "horizontal"
    found: list[tuple[Mark, tuple[float, float] | None]] = []
    for mark in one.marks:
        across, along = (mark.y, mark.x) if lying else (mark.x, mark.y)
        if mark.box is not None:
            across = mark.box.centre[1 if lying else 0]
        own = stems[np.abs(stems[:, 0] - across) < CENTRED]
        own = own[(own[:, 1] <= along + 1) & (own[:, 2] >= along - 1)]
        found.append((mark, (float(own[:, 1].min()), float(own[:, 2].max())) if len(own) else None))
    ends = np.array([pair for _, pair in found if pair])
    if len(ends) < ENOUGH * len(found) or (len(ends) > 2 and np.ptp(ends, axis=0).min() < 0.2):
        return one
    marks: list[Mark] = []
    for mark, pair in found:
        marks.append(mark)
        if pair is not None:
            low, high = pair if lying else pair[::-1]
            places = [(end, mark.y) if lying else (mark.x, end) for end in (low, high)]
            marks += [Mark("low", *places[0], sigma=SIGMA), Mark("high", *places[1], sigma=SIGMA)]
    return replace(one, marks=tuple(marks))
