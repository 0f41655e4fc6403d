"""Values as text: numbers with the digits that the pixels support, dates as ISO 8601, bins by their first date.

Not handled here: parsing (`numbers`, `dates`), and which rows a table has (`tabulate`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import timedelta

import numpy as np

from tools.types import Axis, Floats, days, moment

MINUTE = 1 / 1440
ROUND_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


def number_text(value: float, resolution: float) -> str:
    """`value` with no more digits than `resolution` (the size of a tenth of a pixel, in the value's units) supports.

    >>> number_text(12.34567, 0.02)
    '12.35'
    >>> number_text(1234567.0, 300.0)
    '1234600'
    """
    if not math.isfinite(value):
        return "nan"
    if not resolution > 0:
        return f"{value:.10g}"
    decimals = -math.floor(math.log10(resolution))
    rounded = round(value, decimals)
    text = f"{rounded:.{max(0, min(decimals, 15))}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def resolution(axis: Axis, pixel: float, step: float = 0.1) -> float:
    """How much the value changes over `step` pixels around this pixel of the axis."""
    low, high = axis.to_value([pixel - step / 2, pixel + step / 2])
    return abs(float(high - low))


def x_texts(axis: Axis, pixels: Sequence[float]) -> tuple[list[float], list[str]]:
    """The values and the printed form of the rows at these pixels (ascending along the axis) of a continuous axis."""
    values = axis.to_value(np.asarray(pixels, dtype=np.float64))
    if axis.scale == "date":
        snapped = snap_dates(values, abs(axis.slope))
        return [float(day) for day in snapped], date_texts(snapped, axis.calendar)
    if axis.calendar == "year" and _finer_than_years(values, abs(axis.slope)):
        snapped = snap_dates(np.array([_year_to_days(value) for value in values]), abs(axis.slope) * 365.25)
        return [float(day) for day in snapped], date_texts(snapped, "")
    if axis.scale == "linear":
        values = snap_numbers(values, abs(axis.slope))
    texts = [number_text(float(v), resolution(axis, p)) for v, p in zip(values, pixels, strict=True)]
    return [float(value) for value in values], texts


def _finer_than_years(years: Floats, per_pixel: float) -> bool:
    """True when the rows are regular and closer than a year, so that they must be dates and not years."""
    if len(years) < 6:
        return False
    gaps = np.abs(np.diff(years))
    step = float(np.median(gaps))
    regular = float(np.mean(np.abs(gaps - step) < max(0.1 * step, 1.5 * per_pixel))) > 0.7
    return regular and step < 0.6


def _year_to_days(year: float) -> float:
    whole = math.floor(year)
    start = days(moment(0).replace(year=whole))
    return start + (year - whole) * (days(moment(0).replace(year=whole + 1)) - start)


def snap_numbers(values: Floats, per_pixel: float) -> Floats:
    """Rows that stand on multiples of a round step (1, 2, 2.5, 5 x 10^k) within 0.75 px are moved onto them."""
    if len(values) < 3:
        return values
    gap = float(np.median(np.abs(np.diff(np.sort(values)))))
    if gap < 1.5 * per_pixel:
        return values
    power = 10.0 ** math.floor(math.log10(gap))
    for fraction in (1.0, 0.5, 0.25, 0.2, 0.1):
        for step in (round_step * power * fraction for round_step in ROUND_STEPS):
            if step < 3 * per_pixel or step > 1.02 * gap:
                continue
            snapped = np.round(values / step) * step
            if np.all(np.abs(snapped - values) < 0.75 * per_pixel):
                return np.asarray(snapped)
    return values


def snap_dates(at: Floats, per_pixel: float) -> Floats:
    """Days since 1970-01-01 moved onto the calendar step that they stand on, within what a pixel can tell.

    Months and years go to their first day, weeks to one weekday, days to midnight; anything finer stays, to the minute.
    """
    if len(at) < 2:
        return np.round(at) if per_pixel > MINUTE else at
    gap = float(np.median(np.abs(np.diff(np.sort(at)))))
    if gap < 0.9:
        return _snap_hours(at, per_pixel)
    if gap > 27:
        firsts = np.array([_nearest_month(day) for day in at])
        if float(np.median(np.abs(firsts - at))) < max(0.75 * per_pixel, 1.0):
            near = np.abs(firsts - at) < max(1.5 * per_pixel, 2.0)
            return np.where(near, firsts, np.round(at))
    slack = max(0.5, 1.5 * per_pixel)
    if abs(gap - 7) < slack or abs(gap - 14) < slack:
        weekday = _common_phase(at, 7.0, per_pixel)
        if weekday is not None:
            return np.asarray(np.round((at - weekday) / 7.0) * 7.0 + weekday)
    return _whole_days(at)


def _whole_days(at: Floats) -> Floats:
    """Nearest midnights; a fraction that all rows share is taken for an offset of the drawing, not of the data."""
    turn = np.exp(2j * np.pi * at)
    centre = np.mean(turn)
    if abs(centre) < 0.5:
        return np.round(at)
    shift = float(np.angle(centre)) / (2 * np.pi)
    # A shared fraction near one half is a bar that starts at its date: name it by that first date.
    return np.asarray(np.floor(at) if abs(shift) > 0.4 else np.round(at - shift))


def _snap_hours(at: Floats, per_pixel: float) -> Floats:
    for step in (1 / 24, 1 / 96, MINUTE):
        if step > 2 * per_pixel or step == MINUTE:
            return np.asarray(np.round(at / step) * step)
    return at


def _common_phase(at: Floats, period: float, per_pixel: float) -> float | None:
    """The whole-day phase that most rows share modulo the period, if they do within a pixel and a half."""
    phases = np.mod(np.round(at), period)
    votes = np.bincount(phases.astype(int), minlength=int(period))
    best = int(np.argmax(votes))
    off = np.abs((at - best + period / 2) % period - period / 2)
    return float(best) if float(np.median(off)) < max(1.5 * per_pixel, 1.0) else None


def _nearest_month(day: float) -> float:
    at = moment(day) + timedelta(days=15)
    first = at.replace(day=1, hour=0, minute=0, second=0)
    return days(first)


def date_texts(at: Sequence[float] | Floats, calendar: str) -> list[str]:
    """ISO dates; with minutes where one of them is not a midnight; `2014-W15` or `2014` where the axis prints so."""
    moments = [moment(float(day)) for day in at]
    if calendar == "week":
        return [f"{when.isocalendar().year}-W{when.isocalendar().week:02d}" for when in moments]
    if calendar == "year" and all((when.month, when.day) == (1, 1) for when in moments):
        return [f"{when.year:04d}" for when in moments]
    if any(when.hour or when.minute for when in moments):
        return [when.isoformat(timespec="minutes") for when in moments]
    return [when.date().isoformat() for when in moments]
