"""Confidence bands: the upper and lower border of the translucent band around a curve, as ends of its values.

A band is a veil (`ink`) in a tint of the curve's colour that the curve runs inside of. Its borders are polylines with
the curve's own points; what other ink hides of them counts for nothing.

Not handled here: bands with strokes along their borders only, bands of curves that are functions of y.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tools.bar_dates import on_bar_dates
from tools.ink import Layer, PlotInk
from tools.polyline import fit_knots
from tools.types import Floats, Mark, Panel, Series

ASIDE = 10.0  # RGB units off the line from the paper to the curve's colour
INSIDE = 0.6  # of the columns in which the band must reach beyond the curve on both sides
LOOSE = 1.2  # px that the borders may miss on average
SIGMA = 0.4  # px
VALUES = ("vertex", "marker", "sample", "corner")


def read_bands(panel: Panel, ink: PlotInk, series: Sequence[Series]) -> list[Series]:
    """The series, with marks "low" and "high" after each value of those curves that a band surrounds.

    Lines over bars get the points on straight stretches first, which dates of the bars show (`bar_dates`).
    """
    veils = [layer for layer in ink.layers if layer.veil]
    series = on_bar_dates(panel, series)
    return [_with_band(panel, ink, one, veils) if veils else one for one in series]


def _with_band(panel: Panel, ink: PlotInk, one: Series, veils: Sequence[Layer]) -> Series:
    values = [mark for mark in one.marks if mark.part in VALUES]
    has_ends = len(values) < len([mark for mark in one.marks if mark.part != "censor"])
    veil = _veil_of(ink, one, veils)
    if one.kind not in ("line", "step") or one.orientation != "vertical" or has_ends or len(values) < 2 or veil is None:
        return one
    x = np.array([mark.x for mark in values]) - ink.origin[0]
    y = np.array([mark.y for mark in values]) - ink.origin[1]
    if np.diff(x).min() < 0 or (one.kind != "step" and np.diff(x).min() == 0):  # a riser has two values at its place
        return one
    columns = np.arange(max(0, int(np.ceil(x[0]))), min(veil.coverage.shape[1] - 1, int(x[-1])) + 1)
    if one.kind == "step":
        middle = y[np.clip(np.searchsorted(x, columns, side="right") - 1, 0, len(y) - 1)]
    else:
        middle = np.interp(columns, x, y)
    borders = _borders(ink, one, veil, columns, middle)
    with np.errstate(invalid="ignore"):
        beyond = (borders[0] < middle - 1) & (borders[1] > middle + 1)
    if len(columns) < 8 or beyond.mean() < INSIDE:
        return one
    ends = [_at_points(x, columns, border, one.kind == "step") for border in borders]
    if ends[0] is None or ends[1] is None:
        return one
    return replace(one, marks=_joined(one.marks, ends[0], ends[1], ink.origin[1], panel))


def _veil_of(ink: PlotInk, one: Series, veils: Sequence[Layer]) -> Layer | None:
    """The veil whose colour is a tint of the curve's, the nearest one."""
    paper, strong = np.array(ink.background, dtype=np.float64), np.array(one.colour, dtype=np.float64)
    strong -= paper
    best, least = None, ASIDE
    for veil in veils:
        weak = np.array(veil.colour) - paper
        share = float(weak @ strong / max(float(strong @ strong), 1.0))
        aside = float(np.abs(weak - share * strong).max())
        if 0.05 < share < 0.7 and aside < least:
            best, least = veil, aside
    return best


def _borders(
    ink: PlotInk, one: Series, veil: Layer, columns: NDArray[np.int_], middle: Floats
) -> tuple[Floats, Floats]:
    """Top and bottom row of the band in each column; nan where other ink hides the border or there is none."""
    own = [layer.coverage for layer in ink.layers if layer.colour == one.colour]
    opaque = np.max([layer.coverage for layer in ink.layers if not layer.veil], axis=0) > 0.15
    unseen = opaque | ink.neutral
    seen = veil.coverage > 0.5
    curve = np.max(own, axis=0) > 0.15 if own else np.zeros_like(seen)
    tops, bottoms = np.full(len(columns), np.nan), np.full(len(columns), np.nan)
    for i, (c, at) in enumerate(zip(columns.tolist(), middle.tolist(), strict=True)):
        start = int(np.clip(round(at), 0, len(seen) - 1))
        amount, band, dark = veil.coverage[:, c], seen[:, c], unseen[:, c] | curve[:, c]
        tops[i] = start - _reach(amount[start::-1], band[start::-1], dark[start::-1])
        bottoms[i] = start + _reach(amount[start:], band[start:], dark[start:])
    return tops, bottoms


def _reach(amount: NDArray[np.float32], seen: NDArray[np.bool_], unseen: NDArray[np.bool_]) -> float:
    """How far from the first pixel (its centre) the band goes on; nan where it ends under other ink or never begins."""
    inside = seen | unseen
    stop = int(np.argmin(inside)) if not inside.all() else len(inside)
    band = np.flatnonzero(seen[:stop])
    if not len(band):
        return float("nan")
    last = int(band[-1])
    if last + 1 < len(seen) and unseen[last + 1]:
        return float("nan")
    rest = float(amount[last + 1]) if last + 1 < len(amount) else 0.0
    return last + 0.5 + min(rest, 1.0)


def _at_points(x: Floats, columns: NDArray[np.int_], border: Floats, stepped: bool) -> Floats | None:
    """The border's row at each point of the curve (n,); None where it is no such polyline or hardly seen."""
    known = np.isfinite(border)
    if known.mean() < INSIDE:
        return None
    if stepped:
        owner = np.clip(np.searchsorted(x, columns, side="right") - 1, 0, len(x) - 1)
        found = np.array([np.median(border[known & (owner == k)]) if (known & (owner == k)).any() else np.nan
                          for k in range(len(x))])  # fmt: skip
        return np.asarray(np.interp(x, x[np.isfinite(found)], found[np.isfinite(found)]))
    first, last = int(columns[0]), int(columns[-1])
    rows = np.full(last + 1, np.nan)
    rows[first:] = border
    weight = np.isfinite(rows).astype(np.float64)
    values, residuals = fit_knots(x, rows, weight)
    for _ in range(2):  # grid lines and crossings move single columns
        doubt = 1.0 / np.maximum(1.0, np.abs(np.nan_to_num(residuals)) / 0.5)
        values, residuals = fit_knots(x, rows, weight * doubt)
    return values if float(np.nanmedian(np.abs(residuals))) < LOOSE else None


def _joined(marks: Sequence[Mark], top: Floats, bottom: Floats, origin: float, panel: Panel) -> tuple[Mark, ...]:
    """The marks with the ends of each value behind it; `top`, `bottom` in crop rows."""
    turned = panel.y is not None and panel.y.reversed
    low, high = (top, bottom) if turned else (bottom, top)
    found, k = [], 0
    for mark in marks:
        found.append(mark)
        if mark.part in VALUES:
            found.append(Mark("low", mark.x, float(low[k]) + origin, sigma=SIGMA))
            found.append(Mark("high", mark.x, float(high[k]) + origin, sigma=SIGMA))
            k += 1
    return tuple(found)
