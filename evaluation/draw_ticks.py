"""Axes of drawn figures: their ends, their ticks, and the words at the ticks, as plotting libraries print them.

Not handled here: broken axes, scales with equal spacing of unequal values.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from evaluation.draw_plan import AxisPlan
from evaluation.draw_words import MONTHS

EPOCH = date(1970, 1, 1)
STEPS = (1.0, 2.0, 2.5, 5.0)
MINUS = "\u2212"
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
DATE_FORMS = ("words", "dashed", "iso", "slashed", "rows", "day")


@dataclass(frozen=True)
class Heading:
    """What an axis is called, and whether it ends on its outer ticks or runs the other way."""

    label: str = ""
    unit: str = ""
    reversed: bool = False
    aligned: bool = False


def number_axis(low: float, high: float, count: int, numbers: str, heading: Heading) -> AxisPlan:
    """A linear axis from low to high with about `count` ticks at round values."""
    step = round_step((high - low) / max(count, 1))
    if heading.aligned:
        low, high = math.floor(low / step + 1e-9) * step, math.ceil(high / step - 1e-9) * step
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    ticks = tuple(round(k * step, 10) + 0.0 for k in range(first, last + 1))
    texts, corner = number_texts(ticks, step, numbers)
    minor = tuple(
        round((k + 0.5) * step, 10) for k in range(first - 1, last + 1) if low <= round((k + 0.5) * step, 10) <= high
    )
    return AxisPlan(
        "linear", low, high, ticks, texts, heading.label, heading.unit, heading.reversed, minor, corner
    )  # fmt: skip


def round_step(rough: float) -> float:
    """The round number (1, 2, 2.5, 5 times a power of ten) next to a rough step.

    >>> round_step(0.34), round_step(37)
    (0.25, 50.0)
    """
    power = math.pow(10.0, math.floor(math.log10(rough)))
    options: list[float] = [power * step for step in (*STEPS, 10.0)]
    nearest: float = min(options, key=lambda step: abs(math.log(step / rough)))
    return round(nearest, 12)


def number_texts(ticks: Sequence[float], step: float, numbers: str) -> tuple[tuple[str, ...], str]:
    """Words at the ticks in one manner of writing, and what stands in the corner of the axis ("1e6")."""
    biggest = max((abs(tick) for tick in ticks), default=0.0)
    if numbers == "corner" and (biggest >= 1e5 or 0 < biggest < 1e-3):
        power = math.floor(math.log10(biggest))
        scale = 10.0**power
        return tuple(_decimal(tick / scale, step / scale) for tick in ticks), f"1e{power}"
    if numbers in ("k", "M"):
        scale = 1e3 if numbers == "k" else 1e6
        if biggest >= 2 * scale:
            return tuple("0" if tick == 0 else _decimal(tick / scale, step / scale) + numbers for tick in ticks), ""
    if numbers == "power" and biggest >= 1e4:
        exact = (n for n in range(1, 7) if all(abs(float(f"{tick:.{n}e}") - tick) < 1e-6 * step for tick in ticks))
        places = next(exact, 7)
        return tuple("0" if tick == 0 else f"{tick:.{places}e}".replace("e+0", "e+") for tick in ticks), ""
    return tuple(_separated(_decimal(tick, step), numbers) for tick in ticks), ""


def _decimal(value: float, step: float) -> str:
    """As many decimals as the step needs, a true minus sign."""
    places = next((n for n in range(8) if abs(round(step, n) - step) < 1e-9 * abs(step)), 8)
    return f"{value + 0.0:.{places}f}".replace("-", MINUS)


def _separated(text: str, numbers: str) -> str:
    whole, _, rest = text.partition(".")
    sign, digits = (whole[0], whole[1:]) if whole[:1] == MINUS else ("", whole)
    marks = {"comma": (",", "."), "space": ("\u202f", "."), "decimal comma": (".", ",")}
    if numbers == "percent":
        return f"{text}%"
    if numbers not in marks:
        return text
    thousands, point = marks[numbers]
    grouped = f"{int(digits):,}".replace(",", thousands) if len(digits) > 3 else digits
    return sign + grouped + (point + rest if rest else "")


def log_axis(low: float, high: float, numbers: str, heading: Heading) -> AxisPlan:
    """A log axis with a tick every so many decades, or at 1, 2 and 5 where it holds fewer than two; minor ticks at 2
    to 9."""
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    if last <= first:
        parts = [round(k * 10.0**p, 12) for p in range(first - 2, last + 3) for k in (1, 2, 5)]
        inside = tuple(value for value in parts if low <= value <= high)
        texts = tuple(_separated(_decimal(value, value), numbers) for value in inside)
        return AxisPlan("log", low, high, inside, texts, heading.label, heading.unit, heading.reversed)
    every = max(1, math.ceil((last - first + 1) / 7))
    powers = range(first, last + 1, every)
    if numbers in ("comma", "plain", "space") and first >= -4 and last <= 6:
        texts = tuple(_separated(f"{10.0**p:.{max(0, -p)}f}", numbers) for p in powers)
    elif numbers == "power":
        texts = tuple(f"1e{p}" for p in powers)
    else:
        texts = tuple("10" + str(p).translate(SUPERSCRIPTS) for p in powers)
    minor = tuple(
        k * 10.0**p for p in range(first - 1, last + 1) for k in range(2, 10) if low <= k * 10.0**p <= high
    )  # fmt: skip
    ticks = tuple(10.0**p for p in powers)
    return AxisPlan("log", low, high, ticks, texts, heading.label, heading.unit, heading.reversed, minor)


def category_axis(names: Sequence[str], label: str = "", room: float = 0.6, turned: float = 0.0) -> AxisPlan:
    """A place for each name, at 0, 1, 2, ..."""
    places = tuple(float(k) for k in range(len(names)))
    return AxisPlan("category", -room, len(names) - 1 + room, places, tuple(names), label, turned=turned)


def date_axis(low: float, high: float, count: int, form: str, language: str, label: str = "") -> AxisPlan:
    """A date axis with a tick every so many days, months or years."""
    span = high - low
    steps = (
        ("day", 1, 1), ("day", 7, 7), ("day", 14, 14), ("month", 1, 30.4), ("month", 2, 60.9), ("month", 3, 91.3),
        ("month", 6, 182.6), ("year", 1, 365.2), ("year", 2, 730.5), ("year", 5, 1826.2), ("year", 10, 3652.4),
    )  # fmt: skip
    fitting = next((k for k, step in enumerate(steps) if span / step[2] <= count), len(steps) - 1)
    for unit, size, _ in steps[fitting::-1]:  # a finer step where fewer than two ticks would fall on the axis
        days = [day for day in _starts(low, high, unit, size) if low - 1e-9 <= day <= high + 1e-9]
        if len(days) > 1:
            break
    texts = tuple(_date_text(day, unit, form, language) for day in days)
    return AxisPlan("date", low, high, tuple(days), texts, label)


def _starts(low: float, high: float, unit: str, size: int) -> list[float]:
    first, last = EPOCH + timedelta(days=math.floor(low)), EPOCH + timedelta(days=math.ceil(high))
    if unit == "day":
        monday = math.ceil((low + 3) / size) * size - 3 if size > 1 else math.ceil(low)
        return [float(day) for day in np.arange(monday, high + 1, size)]
    if unit == "month":
        months = range(first.year * 12, (last.year + 1) * 12, size)
        return [float((date(m // 12, m % 12 + 1, 1) - EPOCH).days) for m in months]
    years = range(first.year // size * size, last.year + 1, size)
    return [float((date(year, 1, 1) - EPOCH).days) for year in years]


def _date_text(day: float, unit: str, form: str, language: str) -> str:
    at = EPOCH + timedelta(days=int(day))
    month = MONTHS[language][at.month - 1]
    if unit == "year":
        return str(at.year)
    if form == "iso":
        return at.isoformat() if unit == "day" else f"{at.year}-{at.month:02d}"
    if form == "slashed":
        return at.strftime("%d.%m.%Y" if language == "de" else "%d/%m/%Y") if unit == "day" else f"{at:%m/%Y}"
    if unit == "day":
        return f"{at.day} {month}\n{at.year}" if form == "rows" else f"{at.day} {month}"
    if form == "rows":
        return f"{month}\n{at.year}"
    return f"{month}-{at:%y}" if form == "dashed" else f"{month} {at.year}"
