"""Series of a panel from its vector elements: curves with their markers, steps, scattered markers.

The vertices of a path are taken as the author's points; a curve keeps its identity through every crossing because it is
one path. Bars and areas are put together in `vector_bars` and `vector_areas`.
Not handled here: markers printed as characters of a symbol font, bubbles (size as data).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from tools.colour import colourless
from tools.types import Evidence, Floats, LegendEntry, Mark, Panel, Part, Rgb, Series, SeriesKind, Side
from tools.vector_elements import Element
from tools.vector_names import Sample, entry_of, same_dash
from tools.vector_sampling import Mask, filled, is_thinned

SIGMA = 0.03  # px: how exactly producers print coordinates
MEET = 0.75  # px between a marker and the vertex that it stands on
STRAIGHT = 0.03  # px
OFF = 3.0  # px by which the middle of a marker's box may miss its point
MERGED = 0.1  # px: how far producers let a point lie from the stretch that stands for it
BY = Evidence("vector", "vector")
THINNED = "its vertices stand at uneven places on a smooth curve: its producer may have simplified it"


@dataclass(frozen=True, eq=False)
class Curve:
    """A curve: its unbroken parts, its colour and dash, and the legend entry that names it."""

    parts: tuple[Floats, ...]
    element: Element
    entry: LegendEntry | None

    @property
    def points(self) -> Floats:
        return np.concatenate(self.parts)


def side_of(panel: Panel) -> Side:
    return panel.y.side if panel.y else "left"


def find_curves(elements: Sequence[Element], samples: Sequence[Sample], panel: Panel) -> list[Curve]:
    """The curves; pieces of one style that follow each other along x are one. Slanted segments that are long count.

    Colourless curves that the legend leaves out are dropped where it names others.
    """
    found: list[Curve] = []
    for one in elements:
        if one.kind != "curve" and not _is_trend(one, panel):
            continue
        curve = Curve(one.parts, one, entry_of(one, samples))
        if max(np.ptp(curve.points, axis=0)) < 8 or _encloses(curve, panel):
            continue
        last = next((c for c in reversed(found) if _continues(c, curve)), None)
        if last is not None:
            found[found.index(last)] = replace(last, parts=(*last.parts, *curve.parts))
        else:
            found.append(curve)
    named = any(curve.entry for curve in found)
    return [c for c in found if c.entry or not named or not colourless(c.element.colour)]


def _is_trend(one: Element, panel: Panel) -> bool:
    """A slanted straight segment across much of the plot."""
    box = one.box
    return one.kind == "segment" and box.height > 3 and box.width > 0.3 * panel.plot.width


def _encloses(curve: Curve, panel: Panel) -> bool:
    """The frame itself drawn as a path, or some box."""
    box = curve.element.box
    whole = box.width > 0.98 * panel.plot.width and box.height > 0.98 * panel.plot.height
    return curve.element.style.closed and (whole or len(curve.points) < 6)


def _continues(one: Curve, other: Curve) -> bool:
    """Whether another path goes on, farther right, with the curve."""
    a, b = one.element.style, other.element.style
    same = one.element.colour == other.element.colour and same_dash(a.dash, b.dash) and abs(a.width - b.width) < 0.1
    return same and bool(other.points[:, 0].min() >= one.points[:, 0].max() - STRAIGHT)


def is_step(parts: Sequence[Floats]) -> bool:
    """Whether a curve runs level and upright only, in several steps."""
    moves = np.abs(np.concatenate([np.diff(part, axis=0) for part in parts]))
    level, upright = moves[:, 1] < STRAIGHT, moves[:, 0] < STRAIGHT
    return bool((level | upright).all() and (upright & ~level).sum() >= 2 and (level & ~upright).sum() >= 2)


def corners(part: Floats) -> list[tuple[float, float]]:
    """Where the levels of a step line begin, left to right, and its end: its value holds until the next corner."""
    points = part if part[-1, 0] >= part[0, 0] else part[::-1]
    found: list[tuple[float, float]] = []
    for (x0, y0), (x1, y1) in pairwise(points):
        if abs(y1 - y0) < STRAIGHT < x1 - x0:
            found.append((float(x0), float(y0)))
    return [*found, (float(points[-1, 0]), float(points[-1, 1]))] if found else []


def find_markers(
    elements: Sequence[Element], samples: Sequence[Sample]
) -> list[tuple[list[Element], LegendEntry | None]]:
    """Markers by colour and shape, with their names; a lone one that nothing names is no marker."""
    groups: dict[tuple[Rgb, tuple[int, bool, bool]], list[Element]] = {}
    for one in elements:
        if one.kind == "marker":
            groups.setdefault((one.colour, one.shape), []).append(one)
    named = [(group, entry_of(group[0], samples)) for group in _single(list(groups.values()))]
    return [(group, entry) for group, entry in named if entry or (len(group) > 1 and min(group[0].colour) < 250)]


def _single(groups: list[list[Element]]) -> list[list[Element]]:
    """Groups without those that only outline the markers of another one in the same colour."""
    kept: list[list[Element]] = []
    for group in groups:
        places = np.array([one.box.centre for one in group])
        twins = [np.array([one.box.centre for one in other]) for other in kept if other[0].colour == group[0].colour]
        same = (np.abs(places[:, None] - twin[None]).max(axis=2).min(axis=1).max() < STRAIGHT * 5 for twin in twins)
        if not any(same):
            kept.append(group)
    return kept


def centre_of(marker: Element) -> tuple[float, float]:
    """The data point of a marker: the middle of its box; of an equilateral triangle, its centre of mass."""
    points, box = np.concatenate(marker.parts), marker.box
    ratio = box.width / max(box.height, 1e-6)
    if len(points) == 3 and marker.style.closed and (abs(ratio - 1.1547) < 0.03 or abs(ratio - 0.866) < 0.02):
        x, y = points.mean(axis=0)
        return float(x), float(y)
    return box.centre


def line_series(
    panel: Panel,
    curves: Sequence[Curve],
    markers: Sequence[tuple[list[Element], LegendEntry | None]],
    links: Sequence[Element] = (),
    places: Sequence[float] = (),
) -> list[Series]:
    """Curves (with the markers that stand on their vertices), steps, and the markers that stand alone.

    links: the straight segments of the panel; slanted ones that run from marker to marker join these to a line.
    places: where other series of the panel have their points along x.
    """
    taken: set[int] = set()
    found: list[Series] = []
    columns = np.unique(np.concatenate([np.asarray(places), *(curve.points[:, 0] for curve in curves)]))
    for curve in curves:
        on, kept = _markers_on(curve, markers, taken)
        found.append(_curve_series(panel, curve, on, columns))
        taken |= kept
    for index, (group, entry) in enumerate(markers):
        if index not in taken:
            marks = sorted((Mark("marker", *centre_of(one), sigma=SIGMA) for one in group), key=lambda m: (m.x, m.y))
            name = entry.name if entry else ""
            slanted = [s for s in links if s.colour == group[0].colour and min(s.box.width, s.box.height) > 0.1]
            kind: SeriesKind = "line" if len(slanted) > 0.5 * (len(group) - 1) > 1 else "points"
            found.append(Series(name, group[0].colour, kind, tuple(marks), side_of(panel), evidence=BY))
    return _told_apart(found)


def _markers_on(
    curve: Curve, markers: Sequence[tuple[list[Element], LegendEntry | None]], taken: set[int]
) -> tuple[Floats, set[int]]:
    """Centres (n, 2) of the markers that stand on the vertices of a curve, and the numbers of their groups."""
    centres: list[tuple[float, float]] = []
    kept: set[int] = set()
    for index, (group, entry) in enumerate(markers):
        alike = group[0].colour == curve.element.colour or (entry is not None and entry == curve.entry)
        if index in taken or not alike:
            continue
        places = np.array([centre_of(one) for one in group])
        places = places - _shift(places, curve.points)
        away = np.abs(places[:, None, :] - curve.points[None, :, :]).max(axis=2).min(axis=1)
        if np.mean(away < MEET) > 0.8 or is_step(curve.parts):
            kept.add(index)
            centres += [tuple(place) for place in places.tolist()]
    return np.array(centres, dtype=np.float64).reshape(-1, 2), kept


def _shift(places: Floats, points: Floats) -> Floats:
    """How far all markers stand off the vertices next to them: some shapes are not drawn around their middle."""
    away = places[:, None, :] - points[None, :, :]
    nearest = np.abs(away).max(axis=2).argmin(axis=1)
    offset = np.median(away[np.arange(len(places)), nearest], axis=0)
    return np.asarray(offset if np.abs(offset).max() < OFF else np.zeros(2), dtype=np.float64)


def _curve_series(panel: Panel, curve: Curve, on: Floats, columns: Floats) -> Series:
    """The series of a curve, `on` the markers on it; `columns`: the x of the vertices of all curves of the panel."""
    name = curve.entry.name if curve.entry else ""
    colour = curve.element.colour
    if is_step(curve.parts):
        marks = [Mark("corner", x, y, sigma=SIGMA) for part in curve.parts for x, y in corners(part)]
        marks += [Mark("censor", float(x), float(y), sigma=SIGMA) for x, y in on]
        return Series(name, colour, "step", tuple(marks), side_of(panel), evidence=BY)
    points = _once(curve.points)
    if len(on) > len(points):  # several markers on one place: each is a point
        points = on
    if not len(on) and len(curve.parts) == 1 and (whole := filled(points, columns)) is not None:
        return _filled_series(panel, name, colour, *whole)
    thinned = not len(on) and is_thinned(points)
    sigma = MERGED if thinned else SIGMA
    marks = []
    for x, y in points.tolist():
        near = len(on) > 0 and float(np.abs(on - [x, y]).max(axis=1).min()) < MEET
        part: Part = "marker" if near else "vertex"
        marks.append(Mark(part, x, y, sigma=sigma))
    notes = (THINNED,) if thinned else ()
    return Series(name, colour, "line", tuple(marks), side_of(panel), evidence=BY, warnings=notes)


def _filled_series(panel: Panel, name: str, colour: Rgb, points: Floats, drawn: Mask) -> Series:
    """A curve with the points that its producer left out."""
    marks = tuple(
        Mark("vertex", x, y, sigma=SIGMA) if real else Mark("sample", x, y, sigma=MERGED)
        for (x, y), real in zip(points.tolist(), drawn, strict=True)
    )
    note = f"{int(drawn.sum())} of {len(drawn)} points are drawn; its producer left out those on straight stretches"
    return Series(name, colour, "line", marks, side_of(panel), evidence=BY, warnings=(note,))


def _once(points: Floats) -> Floats:
    """Vertices without immediate repetitions."""
    if len(points) < 2:
        return points
    moved = np.abs(np.diff(points, axis=0)).max(axis=1) > 1e-3
    return points[np.concatenate(([True], moved))]


def _told_apart(found: list[Series]) -> list[Series]:
    """Two curves of one name that do not cross are its lower and its upper one."""
    done = list(found)
    for name in {one.name for one in found if one.name and one.kind == "line"}:
        pair = [i for i, one in enumerate(found) if one.name == name and one.kind == "line"]
        if len(pair) == 2:
            upper, lower = sorted(pair, key=lambda i: float(np.median([mark.y for mark in found[i].marks])))
            done[upper] = replace(found[upper], name=f"{name} (upper)")
            done[lower] = replace(found[lower], name=f"{name} (lower)")
    return done
