"""Dates and times as axes print them, in their order along the axis, as days since 1970-01-01.

One label is often ambiguous (`01/06/2013`, `Jan-21`, `Oct 02`), and many carry no year: `parse_date_ladder` reads all
labels of an axis in one form, the one that makes them advance in the most even steps.

Not handled here: dates BC, time zones, seasons, months as single letters, epidemiological weeks other than ISO ones.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Literal

from tools.types import Unreadable, days, moment

Resolution = Literal["year", "quarter", "month", "week", "day", "time"]

_MONTHS = """january february march april may june july august september october november december
januar februar marz april mai juni juli august september oktober november dezember
janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro
gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
januari februari maart april mei juni juli augustus september oktober november december"""
_EXTRA_MONTHS = {
    "mrz": 3,
    "mrt": 3,
    "maerz": 3,
    "mae": 3,
    "sept": 9,
    "0ct": 10,
    "ju1": 7,
    "apri1": 4,
    "0kt": 10,
    "n0v": 11,
}
_WEEKDAYS = {"mon", "tue", "wed", "thu", "fri", "sat", "sun", "tues", "wednes", "thur", "thurs", "satur"}
_TOKEN = re.compile(r"0ct|0kt|N0v|Ju1|\d+|[^\W\d_]+")
_DOTTED_ZERO = re.compile(r"(?<=^[12])[·•](?=\d\d[-/])|(?<=[-/])[·•](?=[1-9](?:\D|$))")  # `2·22-11`
_CLOCK = re.compile(
    r"(?<!\d)(\d{1,2})[:h](\d{2})(?::(\d{2}))?\s*([ap])?\.?m?\.?(?!\w)|(?<![\d/-])(\d{1,2})\s*([ap])\.?m\b\.?", re.I
)
_CALENDARS: dict[Resolution, Literal["", "week", "month", "year"]] = {  # finest first
    "time": "", "day": "", "week": "week", "month": "month", "quarter": "month", "year": "year",
}  # fmt: skip
_COMMON_YEAR, _LEAP_YEAR = 2001, 2004  # stand in for a year that is not given; both follow a common year
_STAND_INS = (_COMMON_YEAR, _LEAP_YEAR - 1, _LEAP_YEAR)


@dataclass(frozen=True)
class _Fields:
    """What one label says; None where it does not say it. `form` names the order that its numbers were read in."""

    form: str
    resolution: Resolution
    year: int | None = None
    month: int | None = None
    day: int | None = None
    week: int | None = None
    clock: timedelta = timedelta()

    def within_year(self) -> float:
        """Days since the start of the year, roughly: enough to see when the year turns."""
        if self.week is not None:
            return 7.0 * self.week
        return 31.0 * (self.month or 1) + (self.day or 1) + self.clock / timedelta(days=1)

    def moment(self, year: int) -> datetime:
        """The first moment of what the label names; where it names a time only, `year` counts days, not years."""
        if self.form == "clock":
            return datetime(_COMMON_YEAR, 1, 1) + timedelta(days=year - _COMMON_YEAR) + self.clock
        if self.week is not None:
            return datetime.fromisocalendar(year, self.week, 1)
        return datetime(year, self.month or 1, self.day or 1) + self.clock


@dataclass(frozen=True)
class DateLabel:
    """`value`: days since 1970-01-01 of the first moment of what the label names (a month, a week, ...)."""

    value: float
    resolution: Resolution
    text: str = ""
    year_known: bool = True


@dataclass(frozen=True)
class DateLadder:
    """All labels of an axis read in one form.

    values: days since 1970-01-01, or Unreadable, in the order of the labels. `calendar`: how the axis prints its
    steps, as in `Axis.calendar`. `year_known`: False where no label and no other text gave a year, and a placeholder
    stands in. `ambiguous`: another form fits as well (see `date_readings`).
    """

    values: tuple[float | Unreadable, ...]
    resolution: Resolution
    calendar: Literal["", "week", "month", "year"] = ""
    year_known: bool = True
    form: str = ""
    ambiguous: bool = False

    @property
    def read(self) -> int:
        return sum(not isinstance(value, Unreadable) for value in self.values)


def parse_date(text: str) -> DateLabel | Unreadable:
    """One label alone; day before month where both are possible. A missing year is a placeholder (`year_known`).

    >>> moment(parse_date("2014-W15").value)
    datetime.datetime(2014, 4, 7, 0, 0)
    """
    ladder = parse_date_ladder([text])
    value = ladder.values[0]
    if isinstance(value, Unreadable):
        return value
    return DateLabel(value, ladder.resolution, text, ladder.year_known)


def parse_date_ladder(texts: Sequence[str], extra: Sequence[str] = ()) -> DateLadder:
    """The labels of one axis, in their order along it, in the form that fits best.

    `extra`: other texts that may name the year (title, axis label, a second row of labels); years found there are
    used only where the labels have none. `.values` holds Unreadable for labels that are no dates.
    """
    readings = date_readings(texts, extra)
    if not readings:
        return DateLadder(tuple(Unreadable(f"{text!r} is not a date") for text in texts), "day")
    first, *others = readings
    rivals = [r for r in others if _disorder(r.values) <= _disorder(first.values)]
    return replace(first, ambiguous=any(_unlikely(rival) - _unlikely(first) < 1.1 for rival in rivals))


def date_readings(texts: Sequence[str], extra: Sequence[str] = ()) -> list[DateLadder]:
    """Every form that the labels may be read in, best first; empty where fewer than half of them are dates."""
    options = [_readings(text) for text in texts]
    forms = dict.fromkeys(fields.form for label in options for fields in label)
    years = sorted({int(y) for text in extra for y in re.findall(r"(?<!\d)(1[89]\d\d|20\d\d)(?!\d)", text)})
    ladders: list[DateLadder] = []
    for form in forms:
        # labels of a mixed axis (`2005`, `April`, `July`) have a single reading each, in a form of their own
        lone = [label[0] if len(label) == 1 else None for label in options]
        chosen = [next((f for f in label if f.form == form), other) for label, other in zip(options, lone, strict=True)]
        for stand_ins in (_STAND_INS, (_LEAP_YEAR - 1,), (_LEAP_YEAR,)):
            ladder = _ladder(texts, chosen, years, stand_ins)
            if 2 * ladder.read >= len(texts) and all(_steps(ladder) != _steps(other) for other in ladders):
                ladders.append(replace(ladder, form=form))
            if ladder.year_known or years:
                break
    return sorted(ladders, key=lambda ladder: (*_disorder(ladder.values), _unlikely(ladder)))


def _readings(text: str) -> list[_Fields]:
    """All ways to read one label."""
    text = _DOTTED_ZERO.sub("0", text)
    plain = unicodedata.normalize("NFKD", text.replace("O", "0") if re.fullmatch(r"[\dO:/.W-]+", text) else text)
    plain = "".join(c for c in plain if not unicodedata.combining(c)).strip()
    clock, plain = _without_clock(plain)
    shape, numbers, words = "", [], []
    for token in _TOKEN.findall(plain):
        mark, number = _mark(token)
        if mark:
            shape += mark
            numbers.append(number)
        elif mark is None:
            words.append(token)
    if words or len(shape) > 4:
        return []
    if not shape:
        return [_Fields("clock", "time", clock=clock)] if clock is not None else []
    found = [f for form in _FORMS.get(shape, ()) if (f := _fields(form, numbers, plain))]
    if clock is None:
        return found
    return [replace(f, resolution="time", clock=clock, form=f.form + "T") for f in found if f.resolution == "day"]


def _mark(token: str) -> tuple[str | None, int]:
    """The kind of a token: Y(ear), N(umber), B (month name), W, Q; "" for what may be dropped, None for a stranger."""
    if token.isdigit():
        number = int(token)
        if len(token) == 4 and 1500 <= number < 2300:
            return "Y", number
        return ("N", number) if len(token) <= 2 else (None, 0)
    word = token.lower()
    if word in MONTH_NAMES:
        return "B", MONTH_NAMES[word]
    if word in ("w", "wk", "kw", "week", "woche", "sem", "semaine", "semana"):
        return "W", 0
    if word == "q":
        return "Q", 0
    dropped = word.removesuffix("day") in _WEEKDAYS or word in ("de", "of", "st", "nd", "rd", "th", "t", "y")
    return ("", 0) if dropped else (None, 0)


def is_month(word: str) -> bool:
    """Whether a word is the name of a month, or its abbreviation, in one of four languages."""
    return word.lower().rstrip(".") in MONTH_NAMES


def _month_names() -> dict[str, int]:
    """Names in seven languages and their abbreviations of three letters or more that mean one month only."""
    found: dict[str, int] = {}
    clashes = {"set"}  # September in Portuguese and Italian, but a set of anything on most figures
    for i, name in enumerate(_MONTHS.split()):
        for length in range(3, len(name) + 1):
            if found.setdefault(name[:length], i % 12 + 1) != i % 12 + 1:
                clashes.add(name[:length])
    return {name: month for name, month in found.items() if name not in clashes} | _EXTRA_MONTHS


MONTH_NAMES = _month_names()

# Tokens of a label -> the orders they may stand in: y, m, d, w(eek), q(uarter); "-" skips the letter W or Q.
_FORMS: dict[str, tuple[str, ...]] = {
    "Y": ("y",), "B": ("m",), "YNN": ("ymd",), "NNY": ("dmy", "mdy"), "NNN": ("dmy", "mdy", "ymd"),
    "BY": ("my",), "YB": ("ym",), "BN": ("my", "md"), "NB": ("dm", "ym"), "NBY": ("dmy",), "NBN": ("dmy", "ymd"),
    "BNY": ("mdy",), "BNN": ("mdy",), "YBN": ("ymd",), "YN": ("ym",), "NY": ("my",), "NN": ("dm", "md", "my"),
    "YWN": ("y-w",), "WN": ("-w",), "WNY": ("-wy",), "NWN": ("y-w",), "YQN": ("y-q",), "QNY": ("-qy",), "NQY": ("q-y",),
    "QN": ("-q",), "QNN": ("-qy",), "NBYN": (), "YNNN": (),
}  # fmt: skip


def _fields(form: str, numbers: Sequence[int], text: str) -> _Fields | None:
    """Numbers put in the places of a form, or None where they can't stand there."""
    if len(numbers) == len(form) == 2 and "-" not in form and not _separated(form, text):
        return None
    at = dict(zip(form, numbers, strict=True))
    year = at.get("y")
    if year is not None and year < 100:
        year += 2000 if year < 70 else 1900
    quarter = at.get("q")
    month = 3 * quarter - 2 if quarter and quarter <= 4 else at.get("m")
    order = form.replace("-", "")
    resolution: Resolution = (
        "day" if "d" in at else "week" if "w" in at else "quarter" if quarter else "month" if "m" in at else "year"
    )
    fields = _Fields(order, resolution, year, month, at.get("d"), at.get("w"))
    if quarter is not None and not 1 <= quarter <= 4:
        return None
    try:
        fields.moment(year if year is not None else 2020 if fields.week is not None else 2000)
    except ValueError:
        return None
    return fields


def _separated(form: str, text: str) -> bool:
    """Two bare numbers are a date if they look like `1/6`, `01-06` or `1.06.`; `5-9` and `10.5` are none."""
    if re.search(r"[^\W\d_]", text):
        return True
    if re.fullmatch(r"\d{4}\D\d{1,2}|\d{1,2}\D\d{4}", text):
        return "." not in text
    return bool(re.fullmatch(r"\d{1,2}/\d{1,2}|\d\d-\d\d|\d{1,2}\.\d{1,2}\.", text))


def _without_clock(text: str) -> tuple[timedelta | None, str]:
    found = _CLOCK.search(text)
    if not found:
        return None, text
    hour, minute, second = int(found[1] or found[5]), int(found[2] or 0), int(found[3] or 0)
    half = (found[4] or found[6] or "").lower()
    if half:
        hour = hour % 12 + 12 * (half == "p")
    if hour > 24 or minute > 59 or second > 59:
        return None, text
    return timedelta(hours=hour, minutes=minute, seconds=second), (text[: found.start()] + text[found.end() :]).strip()


def _steps(ladder: DateLadder) -> tuple[float | Unreadable, ...]:
    """The values, from the first one on where the year stands in for one that is not known."""
    first = 0.0 if ladder.year_known else next((value for value in ladder.values if isinstance(value, float)), 0.0)
    return tuple(value - first if isinstance(value, float) else value for value in ladder.values)


def _ladder(
    texts: Sequence[str], chosen: Sequence[_Fields | None], years: Sequence[int], stand_ins: Sequence[int]
) -> DateLadder:
    """Dates of labels read in one form, with missing years filled in so that the dates advance.

    Without a year on any label, the years named elsewhere are tried, else placeholders: the year before or at a leap
    year decides whether there is a 29 February.
    """
    known = any(f.year is not None for f in chosen if f)
    starts = [0] if known else years or stand_ins
    tries = [_dated(chosen, start, step) for start in starts for step in (1, -1)]
    dated = min(tries, key=lambda values: (*_disorder(values)[:2], round(_span(values) / 365), _disorder(values)))
    values = tuple(
        Unreadable(f"{text!r} is not a date here") if value is None else value
        for text, value in zip(texts, dated, strict=True)
    )
    named = {f.resolution for f in chosen if f}
    finest: Resolution = next((resolution for resolution in _CALENDARS if resolution in named), "day")
    return DateLadder(values, finest, _CALENDARS[finest], known or _covers(dated, years))


def _covers(dated: Sequence[float | None], years: Sequence[int]) -> bool:
    """Whether the dates begin in the first and end in the last of these years, or where the next one begins."""
    read = sorted(value for value in dated if value is not None)
    if not read or not years:
        return False
    first, last = moment(read[0]), moment(read[-1])
    turn = (last.month, last.day) == (1, 1) and last.year == years[-1] + 1 and last.year > first.year
    return first.year == years[0] and (last.year == years[-1] or turn)


def _span(values: Sequence[float | None]) -> float:
    read = [value for value in values if value is not None]
    return max(read) - min(read) if read else 0.0


def _dated(chosen: Sequence[_Fields | None], start: int, step: int) -> list[float | None]:
    """Days of each label; a label without a year takes that of its neighbour, plus `step` where the year turns."""
    filled: list[int | None] = [f.year if f else None for f in chosen]
    given = [i for i, year in enumerate(filled) if year is not None]
    first = given[0] if given else next((i for i, f in enumerate(chosen) if f), 0)
    if not given:
        filled[first] = start
    _fill(chosen, filled, range(first, len(chosen)), step)
    _fill(chosen, filled, range(first, -1, -1), -step)
    dated: list[float | None] = []
    for fields, year in zip(chosen, filled, strict=True):
        try:
            dated.append(days(fields.moment(year)) if fields and year is not None else None)
        except ValueError:  # 29 February of a common year, week 53 of a short one
            dated.append(None)
    return dated


def _fill(chosen: Sequence[_Fields | None], filled: list[int | None], path: Sequence[int], step: int) -> None:
    """Walk along the labels and give each that lacks a year the year that keeps it moving in direction `step`."""
    last: tuple[int, float] | None = None
    for i in path:
        fields = chosen[i]
        if fields is None:
            continue
        year = filled[i]
        if year is None and last is not None:
            turned = (fields.within_year() - last[1]) * step <= 0
            year = last[0] + (step if turned else 0)
            filled[i] = year
        if year is not None:
            last = year, fields.within_year()


def _disorder(values: Sequence[float | Unreadable | None]) -> tuple[int, int, float]:
    """Smaller is better: labels not read, steps against the direction, unevenness in days or months (rounded)."""
    read = [float(v) for v in values if isinstance(v, float)]
    steps = [b - a for a, b in pairwise(read)]
    backward = min(sum(step <= 0 for step in steps), sum(step >= 0 for step in steps))
    return len(values) - len(read), backward, min(_unevenness(read), _unevenness([_months(v) for v in read]))


def _months(day: float) -> float:
    at = moment(day)
    return 12.0 * at.year + at.month + (at.day - 1) / 31


def _unevenness(values: Sequence[float]) -> float:
    """0 where all steps are the same, little where some are whole multiples (a label is missing), else up to 1."""
    steps = sorted(abs(b - a) for a, b in pairwise(values))
    if not steps or not steps[len(steps) // 4]:
        return float(bool(steps))
    multiples = [step / steps[len(steps) // 4] for step in steps]
    off = sum(abs(m - round(m)) if m > 0.5 else 0.5 for m in multiples) / len(steps)
    return round(off + 0.05 * (sum(multiples) / len(steps) - 1), 3)


def _unlikely(ladder: DateLadder) -> float:
    """Ties: a day that stays the same without being the 1st is a year in truth; steps of many years are days."""
    read = [v for v in ladder.values if isinstance(v, float)]
    steps = [abs(b - a) for a, b in pairwise(read)]
    same_day = {moment(v).day for v in read}
    cost = 0.0
    if ladder.resolution == "day":
        cost = 0.0 if same_day == {1} else 1.0 if len(same_day) > 1 else 3.0
    elif ladder.resolution == "month":
        cost = 2.0 + (2.0 if steps and max(steps) > 1500 else 0.0)
    return cost + 0.5 * (ladder.form == "mdy") + 0.7 * (ladder.form == "ymd")
