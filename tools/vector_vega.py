"""Axes of charts drawn by Vega, moved to where they belong: it draws them beside its marks, and rounds their strokes.

Both in its SVG (`align_axes`) and in the PDF that its converter makes of one (`align_drawing`).

For crisp lines on screens, Vega moves whole axes by half a unit and every tick and grid line to a whole unit; its tick
labels stand where the values are. The strokes are moved back to these places.
Not handled here: other producers, axes without labels, grid lines of facets with different scales.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tools.types import Drawing, VectorPath
from tools.vector_pdf import Character

_PLACE = re.compile(r"translate\((-?[\d.e-]+),(-?[\d.e-]+)\)")
_GROUP = "{http://www.w3.org/2000/svg}g"
HALF = 0.505  # units by which rounding moves a stroke, and a little
LONGEST = 12.0  # units: ticks are shorter
ON = 0.02  # units: strokes at one place


def align_axes(root: Any) -> None:
    """Move the axes of a Vega SVG (an lxml tree, changed in place) onto the values that they mark."""
    moved: dict[tuple[bool, float], set[float]] = {}
    axes = [group for group in root.iter(_GROUP) if "role-axis" in group.get("class", "").split()]
    for axis in axes:
        for inner in axis.iterchildren(_GROUP):
            if (place := _place(inner)) and place[0] % 1 == place[1] % 1 == 0.5:
                _put(inner, place[0] - 0.5, place[1] - 0.5)
        for level, old, new in _exact(axis):
            moved.setdefault((level, old), set()).add(new)
    for axis in axes:
        for role in ("role-axis-tick", "role-axis-grid"):
            for stroke in _members(axis, role):
                _move(stroke, moved)


def _move(stroke: Any, moved: dict[tuple[bool, float], set[float]]) -> None:
    """A tick or grid line moved along its axis, where all axes of this direction agree on its place."""
    place = _place(stroke)
    level = float(stroke.get("x2") or 0) == 0  # an upright stroke belongs to a level axis
    if place is None:
        return
    x, y = place
    new = moved.get((level, x if level else y), set())
    if len(new) == 1:
        at = next(iter(new))
        _put(stroke, *((at, y) if level else (x, at)))


def _exact(axis: Any) -> list[tuple[bool, float, float]]:
    """Level axis or not, rounded and exact place of each tick of an axis."""
    ticks = [place for one in _members(axis, "role-axis-tick") if (place := _place(one))]
    labels = [place for one in _members(axis, "role-axis-label") if (place := _place(one))]
    if len(ticks) < 2 or len(ticks) != len(labels):
        return []
    level = len({y for _, y in ticks}) == 1
    old = [x if level else y for x, y in ticks]
    near = [x if level else y for x, y in labels]
    places = unrounded(old, near)
    return [(level, o, n) for o, n in zip(old, places, strict=True)] if places else []


def unrounded(old: Sequence[float], near: Sequence[float], steps: float = 1.0) -> list[float]:
    """The exact places of strokes that stand at whole units (`old`), from their labels (`near`), which stand a whole
    number of `steps` away from the exact places; empty where no such distance explains all of them."""
    away = [n - o for n, o in zip(near, old, strict=True)]
    middle = round((min(away) + max(away)) / 2 / steps)
    shift = min((k * steps for k in range(middle - 2, middle + 3)), key=lambda s: max(abs(a - s) for a in away))
    return [n - shift for n in near] if max(abs(a - shift) for a in away) <= HALF else []


def _members(axis: Any, role: str) -> list[Any]:
    return [one for group in axis.iter(_GROUP) if role in group.get("class", "").split() for one in group]


def _place(element: Any) -> tuple[float, float] | None:
    found = _PLACE.match(element.get("transform", ""))
    return (float(found[1]), float(found[2])) if found else None


def _put(element: Any, x: float, y: float) -> None:
    element.set("transform", _PLACE.sub(f"translate({x!r},{y!r})", element.get("transform"), count=1))


@dataclass(frozen=True)
class _Ticks:
    """The ticks of one axis: `level` where it runs from left to right; places along and across it, in pixels."""

    level: bool
    places: tuple[float, ...]
    end: float
    unit: float


def align_drawing(drawing: Drawing, lines: Sequence[Sequence[Character]]) -> Drawing:
    """The drawing of a page that Vega's own converter wrote (`is_vega`), its axes moved as `align_axes` does.

    lines: the characters of every label (`vector_text.text_lines`). Labels of a level axis stand with their middle, or
    with an end, at the exact places, those of an upright one with their base line, whole units away.
    """
    moved: dict[tuple[bool, int], set[float]] = {}
    units = set()
    for ticks in _tick_groups(drawing):
        for old, new in _from_labels(ticks, lines):
            moved.setdefault((ticks.level, round(old / ticks.unit / ON)), set()).add(new)
            units.add(ticks.unit)
    if not moved:
        return drawing
    unit = min(units)
    return replace(drawing, paths=tuple(_aligned(path, moved, unit) for path in drawing.paths))


def is_vega(producer: str) -> bool:
    """Whether a PDF was made from an SVG by the converter that Vega's exporters use."""
    return "svg2pdf" in producer


def _tick_groups(drawing: Drawing) -> list[_Ticks]:
    """Short strokes of one length that end on one line, two or more."""
    groups: dict[tuple[bool, int, int, float], set[float]] = {}
    for path in drawing.paths:
        if len(path.points) != 2 or path.stroke is None or path.width <= 0:
            continue
        box, unit = path.box, path.width
        for level, across, along in ((True, box.width, box.height), (False, box.height, box.width)):
            if across < ON * unit and 1.5 * unit < along < LONGEST * unit:
                low, high = (box.y0, box.y1) if level else (box.x0, box.x1)
                key = (level, round(low / unit / ON), round(high / unit / ON), round(unit, 3))
                groups.setdefault(key, set()).add(box.x0 if level else box.y0)
    return [
        _Ticks(level, tuple(sorted(places)), (high if level else low) * unit * ON, unit)
        for (level, low, high, unit), places in groups.items()
        if len(places) > 1
    ]


def _from_labels(ticks: _Ticks, lines: Sequence[Sequence[Character]]) -> list[tuple[float, float]]:
    """Old and exact places of the ticks that have a label, in pixels; empty where the labels do not explain them."""
    unit = ticks.unit
    labels: dict[float, tuple[float, float, float]] = {}  # of each tick the nearest: how far, its place, its turn
    for line in lines:
        shown = [one for one in line if not one.text.isspace()]
        turn = math.radians(shown[0].angle)
        last = shown[-1]
        ends = (shown[0].x, last.x + last.advance * math.cos(turn))
        beyond = shown[0].y - ticks.end if ticks.level else ticks.end - ends[1]
        if not -2 * unit < beyond < (40 + 200 * abs(math.sin(turn))) * unit or (turn and not ticks.level):
            continue
        options = (ends[1],) if turn else (sum(ends) / 2, *ends) if ticks.level else (shown[0].y,)
        slack = 6.0 if turn or not ticks.level else HALF
        near = [(abs(o - t), t, o) for o in options for t in ticks.places if abs(o - t) < slack * unit]
        if near and beyond < labels.get(min(near)[1], (np.inf,))[0]:
            labels[min(near)[1]] = (beyond, min(near)[2], abs(round(math.sin(turn), 3)))
    if len(labels) < 2 or len({turned for _, _, turned in labels.values()}) > 1:
        return []
    steps = next(iter(labels.values()))[2] if ticks.level else 1.0
    old = list(labels)
    exact = unrounded([o / unit for o in old], [place / unit for _, place, _ in labels.values()], steps or 100.0)
    return [(o, e * unit) for o, e in zip(old, exact, strict=True)] if exact else []


def _aligned(path: VectorPath, moved: dict[tuple[bool, int], set[float]], unit: float) -> VectorPath:
    """A straight stroke of an axis moved by half a unit, and to the exact place of its tick."""
    box = path.box
    level = box.width < ON * unit
    if len(path.points) != 2 or path.stroke is None or abs(path.width - unit) > ON * unit:
        return path
    if not level and box.height >= ON * unit:
        return path
    key = round((box.x0 if level else box.y0) / unit / ON)
    new = set().union(*(moved.get((level, key + k), set()) for k in (-1, 0, 1)))
    points = path.points - 0.5 * unit
    if new and max(new) - min(new) < ON * unit:
        points[:, 0 if level else 1] = min(new) - 0.5 * unit
    return replace(path, points=np.asarray(points, dtype=np.float64))
