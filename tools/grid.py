"""The sampling grid: phase and period of evenly spaced positions, and the calendar's own grids on a date axis.

A grid found first makes everything after it easier: hundreds of thin bars or vertices can be solved for once it is
known where each of them must be. Positions are pixels along one axis (floats).

Not handled here: grids that are even on a log axis, mixed steps, holidays left out of a working-day axis.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from tools.types import Axis, Floats, Unreadable, days, moment

Unit = Literal["", "hour", "day", "week", "month", "quarter", "year"]
MONTHS: dict[Unit, int] = {"month": 1, "quarter": 3, "year": 12}
STEPS_IN_DAYS = (28, 21, 14, 10, 7, 6, 5, 4, 3, 2, 1)


@dataclass(frozen=True, eq=False)
class Grid:
    """Steps along an axis: `starts` are the pixels at which the steps begin, ascending, one more than there are steps.

    period: mean step in px. unit: the calendar step ("" off a date axis), `every` of them make one step (14 days).
    score: 0 to 1, how well the positions sit on it. shift: from the calendar's own instants to `starts`, in px.
    """

    starts: Floats
    period: float
    score: float = 1.0
    unit: Unit = ""
    every: int = 1
    shift: float = 0.0

    @property
    def centres(self) -> Floats:
        return (self.starts[:-1] + self.starts[1:]) / 2

    def step_of(self, pixel: ArrayLike) -> np.ndarray:
        """The number of the step that holds each pixel (int; -1 and len(centres) outside)."""
        return np.searchsorted(self.starts, np.asarray(pixel, dtype=np.float64), side="right") - 1


def fit_grid(
    positions: ArrayLike,
    weights: ArrayLike | None = None,
    periods: tuple[float, float] | None = None,
    span: tuple[float, float] | None = None,
) -> Grid | Unreadable:
    """The coarsest even grid on which the positions sit, as a Grid whose steps are centred on them.

    positions: pixels, in any order, at least three apart from each other; weights: trust in each. periods: bounds of
    the period in px (default: half the smallest distance to the whole span). span: the pixels that the grid should
    cover (default: the positions). Unreadable when no even grid explains them.
    """
    at = np.asarray(positions, dtype=np.float64)
    trust = np.ones_like(at) if weights is None else np.asarray(weights, dtype=np.float64)
    order = np.argsort(at)
    at, trust = at[order], trust[order]
    gaps = np.diff(at)
    gaps = gaps[gaps > 0.25]
    if len(gaps) < 2 or trust.sum() <= 0:
        return Unreadable("fewer than three positions: no grid can be told")
    length = float(at[-1] - at[0])
    low, high = periods or (0.5 * float(gaps.min()), float(np.percentile(gaps, 75)) * 1.05)
    frequencies = np.arange(1 / high, 1 / low, 0.2 / length)
    if not len(frequencies):
        return Unreadable("no period in the range asked for")
    concentration = np.array([_concentration(at, trust, 1 / f)[0] for f in frequencies])
    best = float(concentration.max())
    if best < 0.6:
        return Unreadable("the positions are not evenly spaced")
    period = 1 / float(frequencies[int(np.argmax(concentration >= 0.9 * best))])
    period, phase, score = _refine(at, trust, period)
    first, last = span or (float(at[0]), float(at[-1]))
    numbers = np.arange(math.floor((first - phase) / period), math.ceil((last - phase) / period) + 2)
    return Grid(np.asarray(phase + (numbers - 0.5) * period, dtype=np.float64), period, score)


def _concentration(at: Floats, trust: Floats, period: float) -> tuple[float, float]:
    """How sharply positions fold onto one phase (0 to 1), and that phase in px."""
    mean = np.sum(trust * np.exp(2j * np.pi * at / period)) / np.sum(trust)
    return float(abs(mean)), float(np.angle(mean) / (2 * np.pi) * period)


def _refine(at: Floats, trust: Floats, period: float) -> tuple[float, float, float]:
    """Period and phase by weighted least squares on the step numbers, twice, since numbers follow from the period."""
    fine = period * (1 + np.linspace(-1, 1, 41) * 0.25 * period / max(float(at[-1] - at[0]), period))
    period = float(max(fine, key=lambda p: _concentration(at, trust, float(p))[0]))
    phase = _concentration(at, trust, period)[1]
    for _ in range(2):
        numbers = np.round((at - phase) / period)
        if np.ptp(numbers) == 0:
            break
        period, phase = (float(v) for v in np.polyfit(numbers, at, 1, w=np.sqrt(trust)))
    return period, phase, _concentration(at, trust, period)[0]


def calendar_grid(
    axis: Axis,
    positions: ArrayLike,
    weights: ArrayLike | None = None,
    periods: tuple[float, float] | None = None,
    span: tuple[float, float] | None = None,
) -> Grid | Unreadable:
    """The coarsest calendar step on a date axis whose starts, shifted together, explain the positions.

    positions: pixels of like events (all left edges, all centres, all vertices). periods: bounds of the step in px.
    Months, quarters and years have their true lengths. `shift` of the result is in (-half, half] of a step for days
    and weeks, where it tells the hour or weekday, and is the common offset from the first of the month otherwise.
    Unreadable off a date axis or when no step fits.
    """
    if axis.scale != "date":
        return Unreadable("not a date axis")
    at = np.sort(np.asarray(positions, dtype=np.float64))
    order = np.argsort(np.asarray(positions, dtype=np.float64))
    trust = np.ones_like(at) if weights is None else np.asarray(weights, dtype=np.float64)[order]
    if not len(at) or trust.sum() <= 0:
        return Unreadable("no positions to fit a grid to")
    per_day = 1 / abs(axis.slope)
    low, high = periods or (0.6, 400 * per_day)
    reach = span or (float(at[0]), float(at[-1]))
    for unit, every, length in _units():
        if not low <= length * per_day <= high:
            continue
        grid = _try_unit(axis, (unit, every, length), (at, trust), reach)
        # Ends rounded to whole pixels are blurred by one pixel: that alone lowers the concentration to sinc(1/period).
        if grid.score >= 0.72 * float(np.sinc(min(0.9, 1 / grid.period))):
            return grid
    return Unreadable("no step of the calendar explains the positions")


def _units() -> Iterable[tuple[Unit, int, float]]:
    """Candidate steps, coarsest first: unit, how many of them, mean length in days."""
    yield from (("year", 1, 365.2425), ("quarter", 1, 91.31), ("month", 1, 30.437))
    for count in STEPS_IN_DAYS:
        yield ("week", count // 7, float(count)) if count % 7 == 0 else ("day", count, float(count))
    yield from (("hour", hours, hours / 24) for hours in (12, 6, 4, 3, 2, 1))


def _try_unit(
    axis: Axis, unit: tuple[Unit, int, float], data: tuple[Floats, Floats], span: tuple[float, float]
) -> Grid:
    name, every, length = unit
    at, trust = data
    instants = _instants(axis, name, length, span)
    pixels = np.sort(axis.to_pixel(instants))
    number = np.clip(np.searchsorted(pixels, at, side="right") - 1, 0, len(pixels) - 2)
    share = (at - pixels[number]) / (pixels[number + 1] - pixels[number])
    mean = np.sum(trust * np.exp(2j * np.pi * share)) / np.sum(trust)
    period = float(np.mean(np.diff(pixels)))
    shift = float(np.angle(mean)) / (2 * np.pi) * period
    if name in MONTHS:
        # Whole bars are shifted by one distance in px, not by a share of each month: centre on the robust residual.
        nearest = np.clip(np.searchsorted(pixels, at - shift + period / 2) - 1, 0, len(pixels) - 1)
        shift = float(np.median(at - pixels[nearest]))
        spread = float(np.sqrt(np.average(np.minimum((at - pixels[nearest] - shift) ** 2, period**2), weights=trust)))
        # A month is told from 30 days only where the difference shows: demand a fit within a tenth of the step.
        score = max(0.0, 1.0 - spread / max(0.05 * period, 1.0) / 3)
    else:
        score = float(abs(mean))
    return Grid(pixels + shift, period, score, name, every, shift)


def _instants(axis: Axis, unit: Unit, length: float, span: tuple[float, float]) -> Floats:
    """Days since 1970 at which steps begin, two more than the span on both sides."""
    ends = np.sort(axis.to_value(np.array(span)))
    if unit in MONTHS:
        size = MONTHS[unit]
        first, last = moment(float(ends[0]) - 2 * length), moment(float(ends[1]) + 3 * length)
        start = (first.year * 12 + first.month - 1) // size
        stop = (last.year * 12 + last.month - 1) // size
        return np.array([days(date(m * size // 12, m * size % 12 + 1, 1)) for m in range(start, stop + 1)])
    return np.arange(math.floor(ends[0] / length) - 2, math.ceil(ends[1] / length) + 3) * length
