"""Where the rows of somebody's table stand along the axis that we calibrated: pixels of their first column.

Not handled here: values (`snapping`), bins (their middles are given).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

import numpy as np

from tools.align import assign, plain, similarities
from tools.dates import parse_date_ladder
from tools.drafts import numbers_of
from tools.types import Axis, Box, Floats, days, moment

YEARS = 60  # how far a placeholder year may be from the true one
ALIKE = 0.5  # similarity of two category names


class Keys(NamedTuple):
    """Pixels (n,) along the key axis, nan where a row cannot be placed; the axis, its placeholder year put right."""

    pixels: Floats
    axis: Axis | None


def place_keys(axis: Axis | None, texts: Sequence[str], plot: Box) -> Keys:
    """The rows with these first cells on the key axis of a plot."""
    nowhere = np.full(len(texts), np.nan)
    if axis is None or not texts:
        return Keys(nowhere, axis)
    if axis.scale == "category":
        return Keys(_on_slots(axis, texts), axis)
    values = _dates(texts) if axis.scale == "date" else numbers_of(texts)
    if axis.scale != "date" and np.isnan(values).mean() > 0.5 and axis.calendar == "year":
        values = np.array([_as_year(day) for day in _dates(texts)])
    if np.isnan(values).all():
        return Keys(nowhere, axis)
    ends = (plot.x0, plot.x1) if axis.horizontal else (plot.y0, plot.y1)
    if axis.scale == "date" and any("placeholder" in warning for warning in axis.warnings):
        axis = _right_year(axis, values, ends)
    pixels = axis.to_pixel(values)
    return Keys(np.where((pixels > ends[0] - 9) & (pixels < ends[1] + 9), pixels, np.nan), axis)


def _dates(texts: Sequence[str]) -> Floats:
    """Days since 1970-01-01 of the rows; ISO dates are taken as they are."""
    try:
        return np.array([days(datetime.fromisoformat(text).replace(tzinfo=None)) for text in texts])
    except ValueError:
        pass
    found = parse_date_ladder(list(texts)).values
    return np.array([value if isinstance(value, float) else np.nan for value in found], dtype=np.float64)


def _as_year(day: float) -> float:
    if not np.isfinite(day):
        return float("nan")
    year = moment(float(day)).year
    start = days(datetime(year, 1, 1))
    return year + (day - start) / (days(datetime(year + 1, 1, 1)) - start)


def _right_year(axis: Axis, values: Floats, ends: tuple[float, float]) -> Axis:
    """The date axis moved by whole years so that the most rows lie within the plot, their middle nearest its middle."""

    def merit(years: int) -> tuple[float, float]:
        pixels = axis.to_pixel(values - 365.25 * years)
        inside = float(np.mean((pixels > ends[0] - 3) & (pixels < ends[1] + 3)))
        return inside, -abs(float(np.nanmedian(pixels)) - (ends[0] + ends[1]) / 2)

    years = max(range(-YEARS, YEARS + 1), key=merit)
    if years == 0 or merit(years)[0] < 0.8:
        return axis
    anchors = tuple(replace(anchor, value=_same_day(anchor.value, years)) for anchor in axis.anchors)
    moved = [new.value - old.value for new, old in zip(anchors, axis.anchors, strict=True)]
    shift = float(np.mean(moved)) if moved else 365.25 * years
    warnings = tuple(w for w in axis.warnings if "placeholder" not in w)
    return replace(
        axis, intercept=axis.intercept + shift, anchors=anchors,
        warnings=(*warnings, "no year is printed; the table says which it is"),
    )  # fmt: skip


def _same_day(day: float, years: int) -> float:
    at = moment(day)
    try:
        return days(at.replace(year=at.year + years))
    except ValueError:  # 29 February
        return day + 365.25 * years


def _on_slots(axis: Axis, texts: Sequence[str]) -> Floats:
    """By name; where names are not alike but as many as there are slots, in order."""
    names = [plain(name) for name in axis.categories]
    found = np.full(len(texts), np.nan)
    rows = list(range(len(texts)))
    scores = similarities([plain(text) for text in texts], names)
    for row, slot in assign(scores + 1e-3 * _in_order(len(texts), len(names)), ALIKE):
        found[row] = float(axis.to_pixel(slot))
        rows.remove(row)
    repeated = [row for row in rows if len(names) and scores[row].max() > 0.8]  # several rows in one category
    for row in repeated:
        found[row] = float(axis.to_pixel(int(np.argmax(scores[row]))))
    if len(texts) == len(names) and np.isnan(found).any():
        in_order = axis.to_pixel(np.arange(len(names)))
        placed = np.isfinite(found)
        if not placed.any() or np.abs(found[placed] - in_order[placed]).max() < 1:
            found = np.asarray(in_order, dtype=np.float64)
    return found


def _in_order(n: int, m: int) -> Floats:
    """(n, m) small preferences for the same rank: they part equal names."""
    i, j = np.arange(n)[:, None], np.arange(m)[None, :]
    return np.asarray(1.0 - np.abs(i / max(n, 1) - j / max(m, 1)), dtype=np.float64)
