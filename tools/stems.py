"""Strokes that are no data: those that lead to the markers of lollipops and dumbbells, rims of fills, what is left of a
grid.

Not handled here: stems that curve, heads that are pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.colour import colourless
from tools.ink import Layer, PlotInk
from tools.types import Axis, Box, Floats, Mark, Panel, Rgb, Series

THIN = 6.0  # px: stems are thinner
NEAR = 2.5  # px along the key axis between a stem and its marker
UNFILLED = 0.02  # of the boxes of bars: a bar that is nothing but a thin outline shows several hundredths
LEVEL = 3.0  # px: marks this close lie on one grid line
LEVELS = 25  # grid lines and more that no plot has
REACH = 14.0  # px that a stem may end before the middle of its marker


def without_stems(panel: Panel, series: Sequence[Series]) -> list[Series]:
    """The series without nameless thin strokes that end at the markers of others."""
    points = [one for one in series if one.kind == "points"]
    if not points or not _counted(panel, points[0]):
        return list(series)
    heads = np.array([_place(one, mark) for one in points for mark in one.marks if mark.part == "marker"])
    stems = [one for one in series if one.kind != "points" and not one.name and _leads_to(one, points[0], heads)]
    return [one for one in series if not any(one is stem for stem in stems)]


def without_ghosts(series: Sequence[Series], paper: Rgb) -> list[Series]:
    """The series without nameless colourless strokes that are far fainter than the others: what is left of a grid.

    A faint curve, or a crowd of points, that wanders over many rows is no grid.
    """
    strength = [max(abs(a - b) for a, b in zip(one.colour, paper, strict=True)) for one in series]
    strongest = max(strength, default=0)
    return [
        one for one, own in zip(series, strength, strict=True)
        if one.name or one.kind not in ("line", "step", "points") or not colourless(one.colour)
        or own > 0.35 * strongest or _wanders(one)
    ]  # fmt: skip


def _wanders(one: Series) -> bool:
    """Whether the marks of a line or of points lie in many more rows than a grid has."""
    rows = {round(mark.y / LEVEL) for mark in one.marks if mark.part not in ("low", "high")}
    return one.kind in ("line", "points") and len(rows) > LEVELS


def without_unfilled(ink: PlotInk, series: Sequence[Series]) -> list[Series]:
    """The series without nameless bars whose boxes hold next to none of their own colour: rims of something else.

    Bars behind others and bars of outlines show less of their colour than filled ones, but not as little as this.
    """
    layers = {layer.colour: layer for layer in ink.layers}
    return [
        one for one in series
        if one.name or one.kind != "bar" or one.colour not in layers or _filled(ink, layers[one.colour], one) > UNFILLED
    ]  # fmt: skip


def _filled(ink: PlotInk, layer: Layer, one: Series) -> float:
    """The share of the boxes of some bars that their layer's ink covers; 1 where they have no area."""
    shape = layer.coverage.shape
    own = area = 0.0
    for mark in one.marks:
        if mark.box is not None:
            box = mark.box
            place = Box(box.x0 - ink.origin[0], box.y0 - ink.origin[1], box.x1 - ink.origin[0], box.y1 - ink.origin[1])
            part = layer.coverage[place.slices(*shape)]
            own, area = own + float(part.sum()), area + part.size
    return own / area if area else 1.0


def _counted(panel: Panel, one: Series) -> bool:
    """Whether the markers stand one by one along an axis of categories, or of steps, as lollipops do."""
    key: Axis | None = panel.y if one.orientation == "horizontal" else panel.x
    return key is not None and (key.scale == "category" or len(one.marks) <= 60)


def _place(one: Series, mark: Mark) -> tuple[float, float]:
    """Key and value pixel of a mark."""
    return (mark.y, mark.x) if one.orientation == "horizontal" else (mark.x, mark.y)


def _leads_to(one: Series, like: Series, heads: Floats) -> bool:
    """Whether most of its bars, or all places of its line, lie on the way to a marker."""
    if one.kind == "bar":
        boxes = [mark.box for mark in one.marks if mark.box is not None]
        lying = one.orientation == "horizontal"
        if not boxes or lying != (like.orientation == "horizontal"):
            return False
        if float(np.median([min(box.width, box.height) for box in boxes])) > THIN:
            return False
        ends = [
            ((box.y0 + box.y1) / 2, box.x0, box.x1) if lying else ((box.x0 + box.x1) / 2, box.y0, box.y1)
            for box in boxes if (box.width if lying else box.height) > 2
        ]  # fmt: skip
        met = [
            bool(np.any((np.abs(heads[:, 0] - key) < NEAR)
                        & (np.minimum(np.abs(heads[:, 1] - low), np.abs(heads[:, 1] - high)) < REACH)))
            for key, low, high in ends
        ]  # fmt: skip
        return bool(met) and float(np.mean(met)) > 0.6
    if one.kind not in ("line", "step") or like.orientation != "horizontal":
        return False
    rows = np.array([mark.y for mark in one.marks if mark.part not in ("low", "high")])
    return len(rows) > 0 and float(np.mean(np.abs(rows[:, None] - heads[:, 0]).min(axis=1) < NEAR)) > 0.8


def without_false_ends(series: Sequence[Series]) -> list[Series]:
    """The series without error bars that are stems: strokes from marker to marker, or all of them to one base line."""
    points = [one for one in series if one.kind == "points"]
    heads = np.array([_place(one, mark) for one in points for mark in one.marks if mark.part == "marker"])
    return [_without_ends(one, heads) if one.kind == "points" else one for one in series]


def _without_ends(one: Series, heads: Floats) -> Series:
    ends: list[tuple[str, float, float]] = []
    met: list[bool] = []
    own = (0.0, 0.0)
    for mark in one.marks:
        key, value = _place(one, mark)
        if mark.part not in ("low", "high"):
            own = (key, value)
            continue
        others = heads[np.abs(heads - own).max(axis=1) > 0]  # short error bars end near their own marker
        ends.append((mark.part, key, value))
        met.append(bool(np.any((np.abs(others[:, 0] - key) < NEAR) & (np.abs(others[:, 1] - value) < REACH / 2))))
    if not ends:
        return one
    values = np.array([value for _, _, value in ends])
    one_sided = len({part for part, _, _ in ends}) == 1
    level = one_sided and len(ends) > 2 and float(np.mean(np.abs(values - np.median(values)) < 2)) > 0.7
    if not level and float(np.mean(met)) <= 0.5:
        return one
    return replace(one, marks=tuple(mark for mark in one.marks if mark.part not in ("low", "high")))
