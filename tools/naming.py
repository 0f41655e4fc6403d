"""Names and order of a table's columns: legend order, axis labels for series that stand alone, numbers for the rest.

Not handled here: reading names from the figure (`legend`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.types import Axis, Mark, Panel, Series


def value_axis(panel: Panel, one: Series) -> Axis | None:
    """The axis that the series' values are read on: its own side, else the panel's only one of that direction."""
    if one.orientation == "horizontal":
        return panel.axis(one.axis) if one.axis in ("bottom", "top") else panel.x
    return (panel.axis(one.axis) if one.axis in ("left", "right") else None) or panel.y


def name_series(panel: Panel, series: Sequence[Series]) -> list[Series]:
    """Every series with the name and in the place of its column; unlabelled stack segments become one total."""
    stacked = [one for one in series if one.kind == "stack"]
    if len(stacked) > 1 and not any(one.name for one in stacked):
        series = [total(stacked), *(one for one in series if one.kind != "stack")]
    named: list[Series] = []
    used: set[str] = set()
    for one in in_order(panel, series):
        name = one.name or _axis_name(panel, one, series) or f"series {len(named) + 1}"
        while name in used:
            name += "'"
        used.add(name)
        named.append(replace(one, name=name))
    return named


def _axis_name(panel: Panel, one: Series, everyone: Sequence[Series]) -> str:
    """The label of the value axis, for a series that has this axis to itself, or is the bars under an unnamed line.

    A line over bars of its own axis shows something of theirs (an average, a trend).
    """
    axis = value_axis(panel, one)
    others = [other for other in everyone if other is not one and value_axis(panel, other) is axis]
    alone = not others or (one.kind == "bar" and len(others) == 1 and others[0].kind == "line")
    return axis.label if axis is not None and alone else ""


def in_order(panel: Panel, series: Sequence[Series]) -> list[Series]:
    """Series in the legend's order, unnamed ones after them: bars from left to right, others from the top down."""
    entries = [entry.name for entry in panel.legend.entries]

    def place(one: Series) -> tuple[int, float]:
        if one.name:
            return entries.index(one.name) if one.name in entries else len(entries), 0.0
        upright = one.kind in ("bar", "histogram", "box") and one.orientation == "vertical"
        along = [(m.box.x0 if m.box else m.x) if upright else m.y for m in one.marks]
        return len(entries) + 1, float(np.median(along)) if along else 0.0

    return sorted(series, key=place)


def total(stacked: Sequence[Series]) -> Series:
    """Stacks as plain bars: from the innermost base to the outermost end of the segments in each place."""
    vertical = stacked[0].orientation == "vertical"
    slots: dict[int, list[Mark]] = {}
    for mark in sorted((m for one in stacked for m in one.marks), key=lambda m: m.x if vertical else m.y):
        slots.setdefault(round(mark.x if vertical else mark.y), []).append(mark)
    marks = []
    for members in slots.values():
        far = min(members, key=lambda m: m.y) if vertical else max(members, key=lambda m: m.x)
        box = far.box
        for member in members:
            box = member.box.union(box) if member.box and box else box or member.box
        marks.append(replace(far, part="bar", box=box))
    return replace(stacked[0], kind="bar", name="", marks=tuple(marks))
