"""Which rows of a table a question means: by their names, numbers and dates, or the place between two of them.

Not handled here: which series is meant, and the answer (`asking`); reading the words (`questions`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from agent.questions import Question, dates_in, mention, mentions, names_by_itself, numbers_in, week_in, years_in
from agent.rows import Key, day_of, number
from tools.table import Cell, Table
from tools.types import Floats, days, moment

YEARS = (1500.0, 2200.0)  # numbers along an axis that may be years
YEAR = 365.2425
AT_A_STEP = 0.003  # of the axis: how far a level's change may stand from where a question puts it
BEYOND = 0.01  # of the axis: how far before the first point, or after the last one, a place still is at it
Place = tuple[float, int | float, str]  # score, row number (or a number between rows), doubt


@dataclass(frozen=True)
class Sheet:
    """A table to look in: of a panel (`panel` from 1) or a file (`panel` 0). `steps`: values hold to the right.

    `bars`: nothing stands between two rows. `yearless`: the dates stand in a placeholder year, since the axis prints
    none. `label`: of the value axis.
    """

    table: Table
    panel: int = 0
    title: str = ""
    steps: bool = False
    bars: bool = False
    yearless: bool = False
    doubts: tuple[str, ...] = ()
    label: str = ""


def asked_rows(
    keys: Sequence[Key], rows: Sequence[Sequence[Cell]], asked: Question, labels: Sequence[str], sheet: Sheet
) -> Iterable[Place]:
    """(score, row number, doubt) where the question names a row; a number between two rows comes back as it is.

    `keys`: of the rows, as `rows.keys_of` gives them; `labels`: words whose numbers are none of a place.
    """
    texts = [row[0].text for row in rows]
    if any(isinstance(key, str) for key in keys):
        yield from _named(texts, asked, [*labels, sheet.label])
        return
    at = np.array(keys, dtype=float)
    if not len(at):
        return
    if sheet.table.form == "histogram":
        ends = np.array([number(row[1]) for row in rows])
        for rank, value in enumerate(_numbers(at, asked, labels)[:4]):
            yield from ((3.0 - rank, place, "") for place in _bin(at, ends, value))
        return
    if day_of(texts[0]) is None:
        for rank, value in enumerate(_numbers(at, asked, labels)[:4]):
            yield from ((score - rank, place, why) for score, place, why in _near(at, texts, value, asked, sheet))
        return
    said = dates_in(asked.target)
    for rank, value in enumerate(said[:4]):
        moved, doubt = _without_year(value, at, sheet)
        yield from (
            (score - rank, place, doubt or why) for score, place, why in _on_day(at, texts, moved, asked, sheet)
        )
    for rank, year in enumerate([] if said else years_in(asked.target, labels)[:4]):
        yield from ((score - rank, place, why) for score, place, why in _in_year(at, texts, year, asked, sheet))


def _named(texts: Sequence[str], asked: Question, others: Sequence[str]) -> Iterable[Place]:
    """Rows whose whole name the question holds, of nested names the longest; several where it names several.

    `others`: what else the question may mean by a word, so that it names no second row."""
    said = mentions(texts, asked.target)
    lengths = [size or 3 * week_in(text, asked.target) for size, text in zip(said, texts, strict=True)]
    longest = max(lengths, default=0)
    best = [i for i, length in enumerate(lengths) if length and length == longest]
    yield from ((longest, i, "") for i in best)
    elsewhere = " ".join([*others, *(texts[i] for i in best)])
    for i, size in enumerate(said):
        if 0 < size < longest and names_by_itself(texts[i]) and not mention(texts[i], elsewhere):
            yield longest, i, ""


def _numbers(at: Floats, asked: Question, labels: Sequence[str]) -> list[float]:
    """Places that a question names on an axis of numbers; on an axis of years its dates, as parts of years."""
    said = dates_in(asked.target)
    if said and YEARS[0] <= at.min() and at.max() <= YEARS[1]:
        return [_part_of_year(day) for day in said]
    return numbers_in(asked.target, labels)


def _part_of_year(day: float) -> float:
    """A day as a year and its part.

    >>> _part_of_year(0.0)
    1970.0
    """
    year = moment(day).year
    first, last = (days(datetime(y, 1, 1)) for y in (year, year + 1))
    return year + (day - first) / (last - first)


def _bin(low: Floats, high: Floats, value: float) -> Iterable[int]:
    """The bin that begins at a number, or else the one that holds it."""
    width = _reach(low)
    nearest = int(np.argmin(np.abs(low - value)))
    inside = np.flatnonzero((low <= value) & (value < high))
    if abs(low[nearest] - value) <= 0.25 * width:
        yield nearest
    elif len(inside):
        yield int(inside[0])


def _near(at: Floats, texts: Sequence[str], value: float, asked: Question, sheet: Sheet) -> Iterable[Place]:
    """The row at a number, or the number itself where it lies between two rows; of bars the nearest one."""
    reach, span = _reach(at), float(np.ptp(at))
    nearest = int(np.argmin(np.abs(at - value) - 1e-6 * reach * (at > value)))  # of two as near the one after it
    off = abs(at[nearest] - value)
    margin = max(0.5 * reach, BEYOND * span)
    if off <= max(0.02 * reach, AT_A_STEP * span if sheet.steps else 0.0) or _stated(texts[nearest], asked):
        yield 3.0, nearest, ""
    elif sheet.bars:
        if off <= 0.5 * reach:
            yield 2.0, nearest, f"the nearest bar stands at {texts[nearest]}"
    elif at.min() - margin <= value <= at.max() + margin:
        yield 2.0, float(value), ""


def _stated(text: str, asked: Question) -> bool:
    """Whether a question holds a number or date as it is printed, and not as a part of a longer one."""
    return re.search(rf"(?<![\w.,-]){re.escape(text)}(?!\w|[.,-]\d)", asked.target) is not None


def _on_day(at: Floats, texts: Sequence[str], day: float, asked: Question, sheet: Sheet) -> Iterable[Place]:
    """The row at a date, the nearest one in time, or the date itself where it lies between two rows."""
    nearest, reach = int(np.argmin(np.abs(at - day))), _reach(at)
    off = abs(at[nearest] - day)
    if off <= 0.02 * reach or _stated(texts[nearest], asked):
        yield 3.0, nearest, ""
    elif off <= 0.5 * reach:
        yield 2.0, nearest, f"the nearest date is {texts[nearest]}"
    elif not sheet.bars and at.min() - 0.5 * reach <= day <= at.max() + 0.5 * reach:
        yield 2.0, float(day), ""


def _in_year(at: Floats, texts: Sequence[str], year: int, asked: Question, sheet: Sheet) -> Iterable[Place]:
    """The row at the turn of a year, the only one in it, or else what stands at its first day."""
    first, last = (days(datetime(y, 1, 1)) for y in (year, year + 1))
    nearest = int(np.argmin(np.abs(at - first)))
    inside = np.flatnonzero((at >= first) & (at < last))
    if abs(at[nearest] - first) <= 0.06 * YEAR and _reach(at) > 0.5 * YEAR:
        yield 3.0, nearest, ""
    elif len(inside) == 1:
        yield 3.0, int(inside[0]), ""
    else:
        yield from _on_day(at, texts, first, asked, sheet)


def _without_year(day: float, at: Floats, sheet: Sheet) -> tuple[float, str]:
    """A date moved by whole years onto an axis that prints none; it stays where the axis prints its years."""
    if not sheet.yearless or at.min() - 1 <= day <= at.max() + 1:
        return day, ""
    asked = moment(day)
    for year in range(moment(float(at.min())).year, moment(float(at.max())).year + 1):
        try:
            moved = days(asked.replace(year=year))
        except ValueError:  # 29 February
            continue
        if at.min() - 1 <= moved <= at.max() + 1:
            return moved, "the axis prints no year"
    return day, ""


def _reach(keys: Floats) -> float:
    """The usual step between neighbouring keys."""
    gaps = np.diff(np.unique(keys))
    return float(np.median(gaps)) if len(gaps) else max(1e-9, 0.01 * abs(float(keys[0])))
