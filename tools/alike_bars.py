"""Bars of several series in one tone: where a copy lost their colours, their place in each group tells them apart.

Two keys of one tone beside words say that bars of this tone belong to two series; two bars of it beside each other over
every category, or two segments in every stack, are these series, in the order of the legend.

Not handled here: bars along dates or numbers, groups of which bars are missing (their names are taken back), curves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.colour import lab_distance
from tools.types import Axis, Box, Floats, LegendEntry, Mark, Panel, Series

ALIKE = 7.0  # Lab units within which two keys have one tone
OWN = 14.0  # Lab units within which bars have the tone of a key
TOUCH, LEVEL = 1.6, 2.5  # px between pieces of one bar, and by which their ends differ
ENOUGH = 0.75  # share of the groups that are whole
TOLD = "the bars of one tone were told apart by their place in each group"
UNTOLD = "keys of one tone: which of these bars belong to which name can't be told"


def parted(panel: Panel, series: Sequence[Series]) -> list[Series]:
    """The series, bars in the tone of several keys of the legend dealt out to these; without a name where their places
    do not tell them apart."""
    found: list[Series] = []
    names = {one.name for one in series}
    for one in series:
        keys = _keys(panel.legend.entries, one)
        known = names >= {key.name for key in keys}  # told apart by what fills their outlines
        if len(keys) < 2 or known or any(TOLD in other.warnings for other in series):
            found.append(one)
            continue
        pieces = _dealt(panel, one, keys)
        if pieces is None:
            named = one.name in {key.name for key in keys}
            found.append(replace(one, name="", warnings=(*one.warnings, UNTOLD)) if named else one)
        else:
            found += pieces
    return found


def _keys(entries: Sequence[LegendEntry], one: Series) -> list[LegendEntry]:
    """The filled keys of one tone that bars have; none where there is just one, or one looks more like them."""
    patches = [entry for entry in entries if entry.kind == "patch" and not entry.hatch]
    if one.kind != "bar" or not patches:
        return []
    far = lab_distance(np.array([entry.colour for entry in patches], np.float64), one.colour)
    nearest = patches[int(far.argmin())]
    own = lab_distance(np.array([entry.colour for entry in patches], np.float64), nearest.colour)
    return [e for e, away in zip(patches, own, strict=True) if away < ALIKE] if far.min() < OWN else []


def _dealt(panel: Panel, one: Series, keys: Sequence[LegendEntry]) -> list[Series] | None:
    """One series for each key, None where the groups do not hold as many bars."""
    upright = one.orientation == "vertical"
    axis = panel.x if upright else panel.y
    boxes = [mark.box for mark in one.marks if mark.box is not None]
    if axis is None or axis.scale != "category" or len(boxes) < 2 or len(boxes) != len(one.marks):
        return None
    bars = _whole(list(one.marks), upright)
    slots = np.array([round(float(axis.to_value(_middle(bar, upright)))) for bar in bars])
    groups = [[bar for bar, slot in zip(bars, slots, strict=True) if slot == at] for at in np.unique(slots)]
    whole = [group for group in groups if len(group) == len(keys)]
    if len(whole) < max(2, ENOUGH * len(axis.categories)) or any(len(group) > len(keys) for group in groups):
        return None
    offsets = np.array([[_offset(bar, axis, upright) for bar in group] for group in whole])
    typical: Floats = np.median(offsets, axis=0)
    dealt: list[list[Mark]] = [[] for _ in keys]
    for group in groups:
        for rank, bar in enumerate(group):
            own = rank if len(group) == len(keys) else int(np.abs(typical - _offset(bar, axis, upright)).argmin())
            dealt[own].append(bar)
    return [
        replace(one, name=key.name, marks=tuple(marks), warnings=(*one.warnings, TOLD))
        for key, marks in zip(keys, dealt, strict=True)
    ]


def _middle(bar: Mark, upright: bool) -> float:
    assert bar.box is not None
    return bar.box.centre[0 if upright else 1]


def _offset(bar: Mark, axis: Axis, upright: bool) -> float:
    """How far, in categories, a bar stands from the middle of its group."""
    value = float(axis.to_value(_middle(bar, upright)))
    return value - round(value)


def _whole(marks: list[Mark], upright: bool) -> list[Mark]:
    """Bars along the axis: pieces that touch and end at one height joined, bars of double width cut in two."""
    joined: list[Mark] = []
    for mark in sorted(marks, key=lambda m: _span(m, upright)[0]):
        before = joined[-1] if joined else None
        if before is not None and _touch(before, mark, upright):
            assert before.box is not None
            assert mark.box is not None
            box = before.box.union(mark.box)
            joined[-1] = replace(_larger(before, mark, upright), box=box)
        else:
            joined.append(mark)
    widths = np.array([np.ptp(_span(mark, upright)) for mark in joined])
    usual = float(np.median(widths))
    return [part for mark, width in zip(joined, widths, strict=True) for part in _cut(mark, width / usual, upright)]


def _span(mark: Mark, upright: bool) -> tuple[float, float]:
    assert mark.box is not None
    return (mark.box.x0, mark.box.x1) if upright else (mark.box.y0, mark.box.y1)


def _touch(one: Mark, other: Mark, upright: bool) -> bool:
    ends = (one.y, other.y) if upright else (one.x, other.x)
    return _span(other, upright)[0] - _span(one, upright)[1] <= TOUCH and abs(ends[0] - ends[1]) <= LEVEL


def _larger(one: Mark, other: Mark, upright: bool) -> Mark:
    return max(one, other, key=lambda mark: float(np.ptp(_span(mark, upright))))


def _cut(mark: Mark, times: float, upright: bool) -> list[Mark]:
    """A bar of about a whole number of usual widths as that many bars."""
    parts = round(times)
    if parts < 2 or abs(times - parts) > 0.25:
        return [mark]
    low, high = _span(mark, upright)
    edges = np.linspace(low, high, parts + 1)
    assert mark.box is not None
    boxes = [
        Box(a, mark.box.y0, b, mark.box.y1) if upright else Box(mark.box.x0, a, mark.box.x1, b)
        for a, b in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
    ]
    return [
        replace(mark, box=box, x=box.centre[0] if upright else mark.x, y=mark.y if upright else box.centre[1])
        for box in boxes
    ]
