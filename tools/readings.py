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
from datetime import date
from typing import Literal

from tools.dates import date_readings, is_month
from tools.misread_months import mended_months
from tools.month_labels import carry_months, first_days, lettered_months, weeks_over_years, with_offset
from tools.numbers import Quantity, dotted_thousands, parse_ladder, parse_number
from tools.scales import Reading
from tools.types import Unreadable, days

Calendar = Literal["", "week", "month", "year"]
POWER = re.compile(r"(?:\^|[0-9][eE][+-]?[0-9]|[x×*]\s*10)")
DOTS = "its dots may part decimals or thousands"
NO_YEAR = "no year is printed; a placeholder stands in"
YEAR = re.compile(r"(1[5-9]|2[01])\d\d")
SEPTEMBER = re.compile(r"(?<![^\W\d_])set(?![^\W\d_])", re.IGNORECASE)  # in Italian and Portuguese
IN_SEPTEMBER = re.compile(r"(?:[1-9]|[12]\d|30) ?set\.?", re.IGNORECASE)
FLAT_POWER = re.compile(r"^10([-−–]?\d{1,2})$")


@dataclass(frozen=True)
class Numbers:
    """Readings per label (empty: no number), the unit that the labels carry, and how they look; `doubt` if they are
    ambiguous as a whole."""

    readings: tuple[tuple[Reading, ...], ...]
    unit: str = ""
    powers: bool = False
    years: bool = False
    doubt: str = ""

    @property
    def share(self) -> float:
        """Share of the labels that are numbers as printed."""
        plain = [bool(options) and options[0].cost == 0 for options in self.readings]
        return sum(plain) / len(plain) if plain else 0.0


@dataclass(frozen=True)
class Dates:
    """Days since 1970-01-01 per label (empty: no date), the calendar that the axis prints, and the finest step.

    `year_known` is False where no year is printed and a placeholder stands in.
    """

    readings: tuple[tuple[Reading, ...], ...]
    calendar: Calendar = ""
    resolution: str = "day"
    year_known: bool = True

    @property
    def share(self) -> float:
        return sum(map(bool, self.readings)) / len(self.readings) if self.readings else 0.0


def read_numbers(texts: Sequence[str]) -> Numbers:
    """All ways to read the labels as numbers, the printed one first."""
    found = parse_ladder(texts)
    readings = tuple(_number_readings(text, one) for text, one in zip(texts, found, strict=True))
    if sum(YEAR.fullmatch(text.strip()) is not None for text in texts) >= 0.6 * len(texts):  # no year is negative
        readings = tuple(tuple(one for one in options if one.value >= 0) for options in readings)
    plain = [one for one, options in zip(found, readings, strict=True) if isinstance(one, Quantity) and options]
    units = Counter(one.unit for one in plain if one.unit)
    unit, count = units.most_common(1)[0] if units else ("", 0)
    years = [YEAR.fullmatch(one.text.strip()) is not None for one in plain]
    powers = [POWER.search(one.text) is not None for one in plain]
    return Numbers(
        readings,
        unit if count >= 0.5 * len(plain) else "",
        bool(plain) and sum(powers) >= 0.6 * len(plain),
        len(plain) >= 2 and sum(years) >= 0.8 * len(plain),
        _doubt(texts),
    )


def _doubt(texts: Sequence[str]) -> str:
    """Why the labels as a whole may mean something else; "" where they can't."""
    if any(re.fullmatch(r"0\d\d", text) for text in texts):
        return "a label of three digits starts with a zero: the end of a longer number"
    taken = {"likely": "thousands", "open": "decimals"}.get(dotted_thousands(texts), "")
    return f"{DOTS}; {taken} are taken" if taken else ""


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
    if re.fullmatch(r"[-−–]?[1-9][\d.]*8[\d.]*", clean) and isinstance(
        zeros := parse_number(re.sub("(?<=.)8", "0", clean)), Quantity
    ):
        options.append(Reading(zeros.value, cost + 1.0))  # a slashed zero
    rounded = re.fullmatch(r"[-−–+]?\d+[.,]\d*([28])([cCeE][-+]?\d+)?", clean)
    if rounded and found.value:  # 1.75 and 2.25 are printed as 1.8 and 2.2 where the format has one digit
        mantissa = re.split("[cCeE]", clean)[0]
        unit = 10.0 ** -len(re.split("[.,]", mantissa)[1]) * abs(found.value / (_plain(mantissa) or 1.0))
        away = 0.5 if (rounded[1] == "2") == (found.value > 0) else -0.5
        options.append(Reading(found.value + away * unit, cost + 0.35))
    digits = clean.lstrip("-−–")
    if digits.isdigit() and len(digits) >= 2:
        for places in range(1, min(4, len(digits) + 1)):
            lost = digits[0] == "0" and places == len(digits) - 1
            options.append(Reading(found.value / 10**places, 0.1 if lost else cost + 1.0 + 0.1 * places))
    return tuple(sorted(options, key=lambda option: option.cost))


def _plain(text: str) -> float:
    found = parse_number(text)
    return abs(found.value) if isinstance(found, Quantity) else 0.0


def flattened_powers(texts: Sequence[str]) -> tuple[tuple[Reading, ...], ...]:
    """Labels like 100, 101, 102 read as powers of ten whose raised exponents were flattened; empty for others.

    Only strokes that crowd like logarithms can tell these from a true 100, 101, 102.
    """
    found = [FLAT_POWER.match(re.sub(r"\s", "", text)) for text in texts]
    if len(texts) < 2 or not all(found):
        return ()
    return tuple((Reading(10.0 ** float(re.sub("[−–]", "-", one[1]))),) for one in found if one)


def mixed_powers(texts: Sequence[str]) -> tuple[tuple[Reading, ...], ...]:
    """Labels of which some are powers of ten as printed and the others look like such whose exponent was misread or
    lost, its sign included (`10^0`, `101`, `161`, `10`); empty where others stand among them. Small exponents are
    read so."""
    plain = [re.sub(r"\s", "", text) for text in texts]
    sure = [re.fullmatch(r"10(?:\^([-−–]?\d{1,2})|([-−–]\d{1,2}))", text) for text in plain]  # no number is 10-2
    if len(texts) < 3 or not any(sure) or not all(re.match(r"[1lI][06OoQ]", text) for text in plain):
        return ()
    readings: list[tuple[Reading, ...]] = []
    for text, found in zip(plain, sure, strict=True):
        if found:
            power = float(re.sub("[−–]", "-", found[1] or found[2]))
            lost = (Reading(10.0**-power, 0.6),) if power > 0 else ()  # a short dash before the digit is easily lost
            ring = (Reading(1.0, 0.7),) if found[1] in ("6", "8", "9") else ()  # a raised 0 of four pixels
            others = (Reading(10.0**n, 1.2) for n in range(-12, 13) if n != power)
            readings.append((Reading(10.0**power), *lost, *ring, *others))
            continue
        tail = re.sub("[−–]", "-", re.sub(r"[^-−–\d]", "", re.sub("[ºo°O]", "0", text[2:])))
        likely = float(tail) if re.fullmatch(r"-?\d{1,2}", tail) else None
        ways = [Reading(10.0**n, 0.0 if n == likely else 0.5 if likely is not None and n == -likely else 0.9)
                for n in range(-12, 13)]  # fmt: skip
        readings.append(tuple(sorted(ways, key=lambda one: one.cost)))
    return tuple(readings)


def read_dates(texts: Sequence[str], extra: Sequence[str] = ()) -> list[Dates]:
    """The ways to read the labels as dates, best first; empty if they are none. `extra` may name the year."""
    found = []
    plain = mended_months([text.replace("^", "") for text in texts])  # no date has a raised digit
    months = sum(any(is_month(word) for word in re.findall(r"[^\W\d_]+", text)) for text in plain)
    if months >= 2 or (len(plain) > 2 and all(IN_SEPTEMBER.fullmatch(text) for text in plain)):
        plain = [SEPTEMBER.sub("sett", text) for text in plain]
    whole = carry_months(with_offset(first_days(lettered_months(weeks_over_years(plain))), extra))
    for ladder in date_readings(whole, extra):
        readings = tuple(() if isinstance(value, Unreadable) else (Reading(value),) for value in ladder.values)
        found.append(Dates(readings, ladder.calendar, ladder.resolution, ladder.year_known))
    if found and found[0].resolution == "week" and found[0].year_known:
        weeks = tuple(() if (at := mmwr_week(text)) is None else (Reading(at),) for text in plain)
        found.append(Dates(weeks, "", "week"))
    return found


def mmwr_week(text: str) -> float | None:
    """The Sunday (days since 1970-01-01) on which a week like `2014-W53` starts where weeks are counted as the MMWR
    does: from Sunday, the first week of a year has at least four of its days. None for other texts.

    >>> mmwr_week("2015-W01") == days(date(2015, 1, 4))
    True
    """
    found = re.search(r"(\d{4})\W?W(\d{1,2})", text)
    if found is None or not 1 <= int(found[2]) <= 53:
        return None
    fourth = date(int(found[1]), 1, 4)
    return days(fourth) - fourth.isoweekday() % 7 + 7 * (int(found[2]) - 1)
