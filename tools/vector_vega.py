"""Axes of charts drawn by Vega, moved to where they belong: it draws them beside its marks, and rounds their strokes.

For crisp lines on screens, Vega moves whole axes by half a unit and every tick and grid line to a whole unit; its tick
labels stand where the values are. The strokes are moved back to these places.
Not handled here: other producers, axes without labels, grid lines of facets with different scales.
"""

from __future__ import annotations

import re
from typing import Any

_PLACE = re.compile(r"translate\((-?[\d.e-]+),(-?[\d.e-]+)\)")
_GROUP = "{http://www.w3.org/2000/svg}g"


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
    ends = (old.index(min(old)), old.index(max(old)))
    for shift in (near[end] - old[end] for end in ends):  # an axis begins or ends at a whole unit
        if all(abs(n - shift - o) <= 0.501 for n, o in zip(near, old, strict=True)):
            return [(level, o, n - shift) for n, o in zip(near, old, strict=True)]
    return []


def _members(axis: Any, role: str) -> list[Any]:
    return [one for group in axis.iter(_GROUP) if role in group.get("class", "").split() for one in group]


def _place(element: Any) -> tuple[float, float] | None:
    found = _PLACE.match(element.get("transform", ""))
    return (float(found[1]), float(found[2])) if found else None


def _put(element: Any, x: float, y: float) -> None:
    element.set("transform", _PLACE.sub(f"translate({x!r},{y!r})", element.get("transform"), count=1))
