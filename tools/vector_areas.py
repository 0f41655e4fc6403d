"""Filled areas of a panel from their vector outlines: areas over a base line, stacked areas, bands around curves.

An outline is split where it turns back into an upper and a lower border, both read at every vertex.
Not handled here: areas between curves that cross, outlines that are no function of x, step areas.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tools.colour import lab_distance
from tools.types import Box, Floats, LegendEntry, Mark, Panel, Series, SeriesKind
from tools.vector_elements import Element
from tools.vector_marks import BY, SIGMA, side_of
from tools.vector_names import Sample, entry_of

WIDE = 0.15  # of the plot: narrower fills are arrows and call-outs
FLAT = 0.3  # px that a base line may bend
CUT = 1.5  # px between a base line and the edge of the plot that cuts it off
SEEN = 3.0  # px by which a plot without a frame may be seen too small
MEET = 0.6  # px between one area's lower border and another's upper one


@dataclass(frozen=True, eq=False)
class Area:
    """A filled outline: its columns (n,) and the upper and lower border there, in figure pixels."""

    x: Floats
    top: Floats
    bottom: Floats
    element: Element
    entry: LegendEntry | None

    @property
    def flat(self) -> bool:
        return float(np.ptp(self.bottom)) < FLAT


def find_areas(elements: Sequence[Element], samples: Sequence[Sample], panel: Panel) -> list[Area]:
    """The areas of a panel; what is narrow, or curved and without a name, is none."""
    found = []
    for one in elements:
        if one.kind != "area":
            continue
        entry = entry_of(one, samples)
        wide = one.box.width > WIDE * panel.plot.width
        if not wide or (one.style.curved and entry is None):
            continue
        borders = _borders(one.parts[0], panel.plot)
        if borders is not None:
            found.append(Area(*borders, one, entry))
    return found


def _borders(points: Floats, plot: Box) -> tuple[Floats, Floats, Floats] | None:
    """Columns of all vertices within the plot, and the outline's two borders there; None if it turns back twice."""
    first = int(np.lexsort((points[:, 1], points[:, 0]))[0])
    ring = np.roll(points, -first, axis=0)
    last = int(np.argmax(ring[:, 0]))
    one, other = ring[: last + 1], np.vstack([ring[last:], ring[:1]])[::-1]
    if min(len(one), len(other)) < 2 or any(np.diff(half[:, 0]).min() < -0.05 for half in (one, other)):
        return None
    x = np.unique(np.round(points[:, 0], 3))
    x = x[(x >= plot.x0 - SEEN) & (x <= plot.x1 + SEEN)]
    if len(x) < 2:
        return None
    x = _thinned(x)
    a, b = (_at(half, x) for half in (one, other))
    return x, np.minimum(a, b), np.maximum(a, b)


def _thinned(x: Floats) -> Floats:
    """Columns without the doubles that some producers set closely beside each vertex: the middle one of each stays."""
    gaps = np.diff(x)
    usual = float(np.median(gaps[gaps > 0.5 * gaps.max()]))
    if np.mean(gaps < 0.1 * usual) < 0.3:
        return x
    groups = np.split(x, np.flatnonzero(gaps > 0.3 * usual) + 1)
    return np.array([float(np.median(group)) for group in groups])


def _at(half: Floats, x: Floats) -> Floats:
    """A border at these columns; where it runs upright, the end that lies farther from the outline's start."""
    order = np.concatenate(([True], np.diff(half[:, 0]) > 1e-3))
    final = np.concatenate((np.diff(half[:, 0]) > 1e-3, [True]))
    firsts = np.interp(x, half[order, 0], half[order, 1])
    lasts = np.interp(x, half[final, 0], half[final, 1])
    begin = x <= x[0] + 1e-3  # the left end of an area is the side where it begins: its border starts at the side's end
    ends = np.where(begin, lasts, firsts)
    own = np.abs(half[:, 0][None] - x[:, None]).min(axis=1) < 2e-3
    between = np.interp(x, np.maximum.accumulate(half[:, 0]), half[:, 1])  # from the end of one side to the next one
    return np.asarray(np.where(own, ends, between), dtype=np.float64)


def area_series(panel: Panel, areas: Sequence[Area]) -> list[Series]:
    """Series of the areas that stand on a base line or on each other; marks carry both borders in their boxes."""
    standing = [area for area in areas if area.flat or _on_another(area, areas)]
    stacked = any(not area.flat for area in standing)
    kind: SeriesKind = "stacked area" if stacked else "area"
    if stacked and not any(area.flat for area in standing):
        return []
    found = []
    for area in standing:
        area = _on_zero(area, panel)
        rows = zip(area.x.tolist(), area.top.tolist(), area.bottom.tolist(), strict=True)
        marks = tuple(Mark("vertex", x, top, Box(x, top, x, bottom), SIGMA) for x, top, bottom in rows)
        name = area.entry.name if area.entry else ""
        found.append(Series(name, area.element.colour, kind, marks, side_of(panel), evidence=BY))
    return found


def _on_zero(area: Area, panel: Panel) -> Area:
    """An area that the lower edge of the plot cuts off, where the axis does not reach down to zero, down to zero."""
    if panel.y is None or panel.y.scale != "linear" or not area.flat:
        return area
    zero = float(panel.y.to_pixel(0.0))
    cut = zero > panel.plot.y1 + FLAT and float(np.abs(area.bottom - panel.plot.y1).max()) < CUT
    return replace(area, bottom=np.full(len(area.bottom), zero)) if cut else area


def _on_another(area: Area, areas: Sequence[Area]) -> bool:
    """Whether the lower border of an area is the upper one of another."""
    return any(
        float(np.median(np.abs(np.interp(area.x, other.x, other.top) - area.bottom))) < MEET
        for other in areas
        if other is not area
    )


def with_bands(series: Sequence[Series], areas: Sequence[Area]) -> list[Series]:
    """Curves with the low and high ends of the bands around them."""
    bands = [area for area in areas if not area.flat and not _on_another(area, areas)]
    done = list(series)
    for band in bands:
        inside = [
            (float(lab_distance(one.colour, band.element.colour)), index)
            for index, one in enumerate(done)
            if one.kind == "line" and not any(mark.part in ("low", "high") for mark in one.marks) and _within(one, band)
        ]
        if inside:
            _, index = min(inside)
            done[index] = _banded(done[index], band)
    return done


def _within(one: Series, band: Area) -> bool:
    x, y = (np.array([getattr(mark, axis) for mark in one.marks]) for axis in ("x", "y"))
    covered = (x >= band.x[0] - 0.6) & (x <= band.x[-1] + 0.6)
    if covered.sum() < 2:
        return False
    between = (y > np.interp(x, band.x, band.top) - 0.6) & (y < np.interp(x, band.x, band.bottom) + 0.6)
    return bool(np.mean(between[covered]) > 0.95 and covered.mean() > 0.5)


def _banded(one: Series, band: Area) -> Series:
    marks: list[Mark] = []
    for mark in one.marks:
        marks.append(mark)
        if band.x[0] - 0.6 <= mark.x <= band.x[-1] + 0.6:
            marks.append(Mark("low", mark.x, float(np.interp(mark.x, band.x, band.bottom)), sigma=SIGMA))
            marks.append(Mark("high", mark.x, float(np.interp(mark.x, band.x, band.top)), sigma=SIGMA))
    return replace(one, marks=tuple(marks))
