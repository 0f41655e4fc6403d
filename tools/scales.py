"""One monotone scale through seated labels: linear or log, robust to misread labels, by its residual in pixels.

A label may be read in several ways (`Reading`): as printed at no cost, or repaired (a lost minus, a lost decimal
point, a flattened exponent) at some cost, which only a ladder of other labels can justify.
Not handled here: where labels sit (`seating`), dates and categories (`dating`, `categories`), axes in pieces (refused).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tools.types import Floats, Unreadable

Curve = Literal["linear", "log"]
MAX_READINGS = 160  # pairs grow with the square of this


@dataclass(frozen=True)
class Reading:
    """One way to read a label: its value, and the cost of it (0 as printed, about 1 for one repaired glyph)."""

    value: float
    cost: float = 0.0


@dataclass(frozen=True)
class Fit:
    """A scale through labels. Units (value or log10) = slope * pixel + intercept.

    `values` holds the value of every label, None where it was dropped. `repaired` are the indices of labels that were
    not taken as printed. `residual` is the root mean square distance of the kept labels from the fit, in pixels.
    """

    scale: Curve
    slope: float
    intercept: float
    values: tuple[float | None, ...]
    repaired: tuple[int, ...]
    residual: float
    score: float

    @property
    def kept(self) -> int:
        return sum(value is not None for value in self.values)


@dataclass(frozen=True)
class _Choices:
    """All readings of all labels, flat: the label that each belongs to, its pixel, its units and its cost."""

    label: NDArray[np.int64]
    pixel: Floats
    units: Floats
    value: Floats
    cost: Floats
    count: int


def fit_scale(
    pixels: Floats, readings: Sequence[Sequence[Reading]], tolerance: float, log_hint: bool | None = None,
    curves: Sequence[Curve] = ("linear", "log"), strict: bool = True,
) -> Fit | Unreadable:  # fmt: skip
    """The linear or log scale that most labels agree on, or why there is none.

    `pixels` (n,) along the axis, `readings` per label (empty: not a number), `tolerance` in pixels. `log_hint` decides
    where the labels themselves can't (two labels): True if powers are printed or minor ticks crowd like logarithms.
    All `curves` are tried; more labels win, then the smaller residual, evenly spaced labels are linear.
    Without `strict` too many labels off the scale are no reason to refuse it.
    """
    readable = sum(bool(options) for options in readings)
    if readable < 2:
        return Unreadable("fewer than two numbers stand along the axis")
    fits = [fit for curve in curves if (fit := _fit_curve(pixels, readings, tolerance, curve)) is not None]
    if not fits:
        return Unreadable("no scale fits two of the labels")
    chosen = _choose(fits, log_hint)
    refusal = _refusal(chosen, readings, pixels) if strict else None
    return chosen if refusal is None else refusal


def _choose(fits: Sequence[Fit], log_hint: bool | None) -> Fit:
    if len(fits) == 1:
        return fits[0]
    linear, log = fits
    if linear.kept == log.kept == 2 or abs(linear.score - log.score) < 0.3:
        if linear.kept == 2 or log_hint is not None:
            return log if log_hint else linear
        return log if log.residual < 0.6 * linear.residual and linear.residual > 0.5 else linear
    return linear if linear.score > log.score else log


def _refusal(fit: Fit, readings: Sequence[Sequence[Reading]], pixels: Floats) -> Unreadable | None:
    """Why this fit must not be trusted: too many labels off it, or the others form a scale of their own."""
    readable = [i for i, options in enumerate(readings) if options]
    off = [i for i in readable if fit.values[i] is None]
    if fit.kept == 2 and len(readable) > 2:
        return Unreadable(f"only two of {len(readable)} labels agree on a scale")
    if fit.kept < 0.7 * len(readable):
        return Unreadable(f"only {fit.kept} of {len(readable)} labels fit one {fit.scale} scale")
    if fit.kept < 0.65 * len(readings):
        return Unreadable(f"most of the labels are no numbers of one {fit.scale} scale")
    printed = [i for i in off if readings[i][0].cost == 0]
    if fit.scale == "log" and fit.kept == 3 and printed:
        return Unreadable("only three labels agree on a log scale, others do not")
    if len(printed) >= 2 and _in_pieces(fit, printed, [readings[i][0].value for i in printed], pixels):
        return Unreadable("the labels change their spacing: a broken or piecewise axis")
    return None


def _in_pieces(fit: Fit, off: Sequence[int], values: Sequence[float], pixels: Floats) -> bool:
    """True if the labels off the fit are neighbours at one end and go on monotonously: no misreading does that."""
    kept = [i for i, value in enumerate(fit.values) if value is not None]
    order = np.argsort(pixels)
    rank = {int(label): place for place, label in enumerate(order)}
    ranks = sorted(rank[i] for i in off)
    together = ranks[-1] - ranks[0] == len(ranks) - 1
    at_end = ranks[0] > max(rank[i] for i in kept) or ranks[-1] < min(rank[i] for i in kept)
    steps = np.diff([value for _, value in sorted(zip([rank[i] for i in off], values, strict=True))])
    return together and at_end and bool(np.all(steps * fit.slope > 0))


def _fit_curve(pixels: Floats, readings: Sequence[Sequence[Reading]], tolerance: float, curve: Curve) -> Fit | None:
    choices = _flatten(pixels, readings, curve)
    start = _best_pair(choices, tolerance)
    if start is None:
        return None
    slope, intercept = start
    picked = _pick(choices, slope, intercept, tolerance)
    for _ in range(4):
        if len(picked) < 2 or np.ptp(choices.pixel[picked]) == 0:
            return None
        slope, intercept = np.polyfit(choices.pixel[picked], choices.units[picked], 1)
        again = _pick(choices, slope, intercept, tolerance)
        if np.array_equal(again, picked):
            break
        picked = again
    if len(picked) < 2 or slope == 0:
        return None
    away = (choices.units[picked] - intercept) / slope - choices.pixel[picked]
    residual = float(np.sqrt(np.mean(away**2)))
    values: list[float | None] = [None] * choices.count
    for i in picked:
        values[choices.label[i]] = float(choices.value[i])
    repaired = tuple(int(choices.label[i]) for i in picked if choices.cost[i] > 0)
    score = len(picked) - 0.4 * float(choices.cost[picked].sum()) - 0.25 * residual / tolerance
    return Fit(curve, float(slope), float(intercept), tuple(values), repaired, residual, score)


def _flatten(pixels: Floats, readings: Sequence[Sequence[Reading]], curve: Curve) -> _Choices:
    rows = [
        (label, pixels[label], np.log10(one.value) if curve == "log" else one.value, one.value, one.cost)
        for label, options in enumerate(readings)
        for one in options
        if curve == "linear" or one.value > 0
    ]
    table = np.array(rows, dtype=np.float64).reshape(-1, 5)
    label, pixel, units, value, cost = table.T
    return _Choices(label.astype(np.int64), pixel, units, value, cost, len(readings))


def _best_pair(choices: _Choices, tolerance: float) -> tuple[float, float] | None:
    """Slope and intercept through the pair of labels, both as printed, that most other labels agree with."""
    printed = np.flatnonzero(choices.cost == 0)
    if len(printed) > MAX_READINGS:
        printed = printed[np.linspace(0, len(printed) - 1, MAX_READINGS).astype(int)]
    first, second = (printed[side] for side in np.triu_indices(len(printed), 1))
    run = choices.pixel[second] - choices.pixel[first]
    rise = choices.units[second] - choices.units[first]
    fine = (np.abs(run) >= 3) & (np.abs(rise) > 0)
    first, run, rise = first[fine], run[fine], rise[fine]
    if not len(first):
        return None
    slopes = rise / run
    intercepts = choices.units[first] - slopes * choices.pixel[first]
    away = np.abs((choices.units[None, :] - intercepts[:, None]) / slopes[:, None] - choices.pixel[None, :])
    gain = np.where(away <= tolerance, 1 - 0.4 * choices.cost - 0.2 * (away / tolerance) ** 2, 0.0)
    best = np.zeros((len(first), choices.count))
    for i, label in enumerate(choices.label):  # the best reading of each label counts
        np.maximum(best[:, label], gain[:, i], out=best[:, label])
    winner = int(np.argmax(best.sum(axis=1)))
    return float(slopes[winner]), float(intercepts[winner])


def _pick(choices: _Choices, slope: float, intercept: float, tolerance: float) -> NDArray[np.int64]:
    """The readings, at most one per label and the cheapest first, that lie on this scale."""
    if slope == 0:
        return np.array([], dtype=np.int64)
    away = np.abs((choices.units - intercept) / slope - choices.pixel)
    found: dict[int, int] = {}
    for i in np.lexsort((away, choices.cost)):
        if away[i] <= tolerance:
            found.setdefault(int(choices.label[i]), int(i))
    return np.array(sorted(found.values()), dtype=np.int64)
