"""Where rows stand on the x axis: labels of a truth and of a prediction brought onto one line of numbers.

The truth's labels decide what the axis is: numbers, dates (days since 1970; weeks like `2014-W15` are their Monday,
months and years their first day) or categories (0, 1, 2, ... in the truth's order). Predicted categories find their
place by name; what finds none keeps its place among its neighbours. Not handled here: values.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evaluation.tables import number
from tools.align import assign, plain, similarities
from tools.types import days

Floats = NDArray[np.float64]
DATE = re.compile(r"(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?Z?")
WEEK = re.compile(r"(\d{4})-?W(\d{1,2})")
NAME_THRESHOLD = 0.5
DAYS_OF_YEAR = 365.2425


@dataclass(frozen=True)
class XAxis:
    """The x axis of one true table. `labels`: its distinct labels in order of appearance."""

    kind: Literal["number", "date", "category"]
    labels: tuple[str, ...]
    log: bool = False

    def place(self, labels: Sequence[str]) -> Floats:
        """Positions (n,) of rows with these labels: value (decades on a log axis), days, or category index."""
        if self.kind == "category":
            return self._by_name(labels)
        found = self._by_value(labels)
        if len(found) and np.isfinite(found).mean() < 0.5:  # not the same kind of label at all: compare as names
            known = self._by_value(self.labels)
            found = np.interp(self._by_name(labels), np.arange(len(known)), known)
        return found

    def _by_value(self, labels: Sequence[str]) -> Floats:
        if self.kind == "date":
            return np.array([day_of(label) for label in labels], dtype=np.float64)
        values = np.array([_number_or_year(label) for label in labels], dtype=np.float64)
        if self.log:
            values = decades(values)
        return values

    def _by_name(self, labels: Sequence[str]) -> Floats:
        """Each label at the true category most like it; the others stay half a step after their predecessor.

        Where as many labels as categories are left over, these are paired in order (a label may be unreadable, or
        the truth may name what the figure does not show). Blank labels (`nan` too) are told apart by their row.
        """
        labels = ["" if label.casefold() == "nan" else label for label in labels]
        keys = list(dict.fromkeys(label or (row,) for row, label in enumerate(labels)))
        texts = [key_of(key) if isinstance(key, str) else "" for key in keys]
        where = dict(assign(similarities(texts, [key_of(label) for label in self.labels]), NAME_THRESHOLD))
        lost = [i for i in range(len(keys)) if i not in where]
        free = [j for j in range(len(self.labels)) if j not in where.values()]
        if len(lost) == len(free):
            where.update(zip(lost, free, strict=True))
        places, last = {}, -1.0
        for i, key in enumerate(keys):
            last = float(where[i]) if i in where else math.floor(last) + 0.5
            places[key] = last
        return np.array([places[label or (row,)] for row, label in enumerate(labels)], dtype=np.float64)


def x_axis(labels: Sequence[str], log: bool = False) -> XAxis:
    """The axis that these (true) labels stand on, rows in order, repeated labels allowed."""
    distinct = tuple(dict.fromkeys(labels))
    if all(math.isfinite(number(label)) for label in distinct):
        return XAxis("number", distinct, log)
    if all(math.isfinite(day_of(label)) and not _is_plain_number(label) for label in distinct):
        return XAxis("date", distinct)
    return XAxis("category", distinct)


@lru_cache(maxsize=1 << 16)
def day_of(label: str) -> float:
    """Days since 1970-01-01 of a date, month, week (its Monday) or year; nan for anything else.

    >>> day_of("1970-01-03"), day_of("1970-W01"), day_of("1970-02"), day_of("soon")
    (2.0, -3.0, 31.0, nan)
    """
    text = label.strip()
    try:
        if week := WEEK.fullmatch(text):
            return days(date.fromisocalendar(int(week[1]), int(week[2]), 1))
        if found := DATE.fullmatch(text):
            year, month, day, hour, minute, second = (int(part) if part else 0 for part in found.groups())
            return days(datetime(year, month, day or 1, hour, minute, second))
    except ValueError:
        return math.nan
    year_value = number(text)
    return (year_value - 1970) * DAYS_OF_YEAR if 1000 <= year_value <= 3000 else math.nan


def _number_or_year(label: str) -> float:
    """A number; of a date, the year with its fraction (for axes that print years)."""
    value = number(label)
    return value if not math.isnan(value) else 1970 + day_of(label) / DAYS_OF_YEAR


def _is_plain_number(label: str) -> bool:
    return not math.isnan(number(label))


def key_of(label: str) -> str:
    """A label as it is compared: numbers by value ("1.0" is "1"), words caseless and without extra blanks."""
    value = number(label)
    return f"{value:g}" if math.isfinite(value) else plain(label)


def decades(values: Floats) -> Floats:
    """log10, nan for what a log axis cannot show."""
    with np.errstate(all="ignore"):
        return np.where(values > 0, np.log10(values), np.nan)


def step_of(positions: Floats) -> float:
    """The usual distance between neighbouring rows: the median of the gaps; 0 where there is only one place."""
    gaps = np.diff(np.unique(positions[np.isfinite(positions)]))
    return float(np.median(gaps)) if len(gaps) else 0.0
