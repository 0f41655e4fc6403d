"""Markers that a program rounded to whole pixels before it drew them, as it did with the tick marks.

Agg (matplotlib) moves both to the pixel whose right (lower) edge lies just beyond the place that they mean: where the
axes were found to lie half a pixel before their tick marks, markers on whole pixels do so too.
Not handled here: finding that (`rounding`), curves, which are not rounded.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tools.types import Axis, Floats, Panel, Series

FEWEST = 5  # markers that tell
WHOLE = 0.25  # px from a whole pixel
SPREAD = 0.13  # px (of the middle half of the markers) around the common fraction of a pixel
MOVED = 0.3  # px that an axis must lie before its tick marks


def unrounded(panel: Panel, series: Series) -> Series:
    """The series with its markers (figure pixels) at the middle of the places that they may mean.

    Unchanged where axes or markers do not show that they were rounded.
    """
    at = [k for k, mark in enumerate(series.marks) if mark.part == "marker"]
    if len(at) < FEWEST or panel.x is None or panel.y is None:
        return series
    offsets = _offset(panel.x), _offset(panel.y)
    x, y = (np.array([getattr(series.marks[k], side) for k in at]) for side in ("x", "y"))
    if min(offsets) < MOVED or not (_alike(x) and _alike(y)) or abs(_fraction(x)) > WHOLE:
        return series
    marks = list(series.marks)
    for k in at:
        marks[k] = replace(marks[k], x=marks[k].x - offsets[0], y=marks[k].y - offsets[1])
    return replace(series, marks=tuple(marks))


def _offset(axis: Axis) -> float:
    """By how many pixels the tick marks lie beyond (right of, below) their places on the axis."""
    away = [a.pixel - float(axis.to_pixel(a.value)) for a in axis.anchors if a.seat != "glyph"]
    return float(np.mean(away)) if away and axis.scale != "category" else 0.0


def _fraction(places: Floats) -> float:
    """The common fraction of a pixel, -0.5 to 0.5."""
    turns = np.exp(2j * np.pi * places).mean()
    return float(np.angle(turns) / (2 * np.pi))


def _alike(places: Floats) -> bool:
    away = np.abs((places - _fraction(places) + 0.5) % 1.0 - 0.5)
    return float(np.quantile(away, 0.7)) < SPREAD
