"""What the labels of a ladder may mean: numbers with their repairs, dates, or neither.

A repair (a lost minus, a lost decimal point, a flattened exponent, a glyph taken for another) is only offered here, at
a cost; whether the other labels prove it is decided by the fit (`scales`).
Not handled here: positions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tools.dates import parse_date_ladder
from tools.numbers import Quantity, parse_ladder, parse_number
from tools.scales import Reading
from tools.types import Unreadable

Calendar = Literal["", "week", "month", "year"]
POWER = re.compile(r"(?:\^|[0-9][eE][+-]?[0-9]|[x×*]\s*10)")
FLAT_POWER = re.compile(r"^10([-−–]?\d{1,2})$")


@dataclass(frozen=True)
class Numbers:
    """Readings per label (empty: no number), the unit that the labels carry, and how they look."""

    readings: tuple[tuple[Reading, ...], ...]
    unit: str = ""
    powers: bool = False
    years: bool = False

    @property
    def share(self) -> float:
        """Share of the labels that are numbers as printed."""
        plain = [bool(options) and options[0].cost == 0 for options in self.readings]
        return sum(plain) / len(plain) if plain else 0.0


@dataclass(frozen=True)
class Dates:
    """Days since 1970-01-01 per label (empty: no date) and the calendar that the axis prints."""

    readings: tuple[tuple[Reading, ...], ...]
    calendar: Calendar = ""

    @property
    def share(self) -> float:
        return sum(map(bool, self.readings)) / len(self.readings) if self.readings else 0.0


def read_numbers(texts: Sequence[str]) -> Numbers:
    """All ways to read the labels as numbers, the printed one first."""
    found = parse_ladder(texts)
    readings = tuple(_number_readings(text, one) for text, one in zip(texts, found, strict=True))
    plain = [one for one, options in zip(found, readings, strict=True) if isinstance(one, Quantity) and options]
    units = Counter(one.unit for one in plain if one.unit)
    unit, count = units.most_common(1)[0] if units else ("", 0)
    years = [re.fullmatch(r"(1[5-9]|2[01])\d\d", one.text.strip()) is not None for one in plain]
    powers = [POWER.search(one.text) is not None for one in plain]
    return Numbers(
        readings,
        unit if count >= 0.5 * len(plain) else "",
        bool(plain) and sum(powers) >= 0.6 * len(plain),
        len(plain) >= 2 and sum(years) >= 0.8 * len(plain),
    )


def _number_readings(text: str, found: Quantity | Unreadable) -> tuple[Reading, ...]:
    clean = re.sub(r"\s", "", text)
    cost = 0.0
    if not isinstance(found, Quantity):  # a stub of a tick, a speck: strip it and read again
        found, cost = parse_number(clean.strip("_.,'`:;|~")), 1.0
        if not isinstance(found, Quantity):
            return ()
    leading_zero = re.fullmatch(r"[-−–]?0\d+", clean) is not None
    options = [Reading(found.value, 0.8 if leading_zero else cost)]
    if found.value:
        options.append(Reading(-found.value, cost + 1.0))
    flat = FLAT_POWER.match(clean)
    if flat and abs(exponent := float(re.sub("[−–]", "-", flat[1]))) < 30:
        options.append(Reading(10.0**exponent, cost + 0.7))
    digits = clean.lstrip("-−–")
    if digits.isdigit() and len(digits) >= 2:
        for places in range(1, min(4, len(digits) + 1)):
            lost = digits[0] == "0" and places == len(digits) - 1
            options.append(Reading(found.value / 10**places, 0.1 if lost else cost + 1.0 + 0.1 * places))
    return tuple(sorted(options, key=lambda option: option.cost))


def read_dates(texts: Sequence[str]) -> Dates:
    """The labels as dates, or no readings where they are none."""
    raise NotImplementedError
