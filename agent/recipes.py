"""From a source table to what may be plotted of it: curves as they stand, selected, aggregated, or made of records.

Every layout says by which recipe its curves were made. Not handled here: arithmetic on curves (`arithmetic`), which of
them a figure shows (`mapping`), models fitted to the data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np

from agent.source_tables import Column, SourceTable, is_blank
from tools.types import Floats

Form = Literal["curve", "survival", "histogram", "box"]
AUXILIARY = re.compile(
    r"(^|[\s_.\-(])(sd|s\.d\.|sem|s\.e\.m\.|se|stdev|std|stderr|err|error|errors|ci|lcl|ucl|low|high|lower|upper|lo|hi|"
    r"p|pval|p-value|pvalue|n|id|index|rank|count_n|df)([\s_.)\d%]|$)",
    re.I,
)
ENDS = ((" low", " high"), (" lower", " upper"), ("_low", "_high"), ("_lower", "_upper"), (" min", " max"))
REPLICATE = re.compile(r"[\s_.\-]*(?:\(?\s*(?:rep(?:licate)?|r|n|#|exp|sample|animal|mouse)?[\s_.\-]*\d+\s*\)?)$", re.I)
MOST_GROUPS = 40


@dataclass(frozen=True, eq=False)
class Curve:
    """One series that the table could give. Arrays are (n,) float64, nan where there is no value.

    `labels`: the x of each row as written; `x`: as numbers, or days since 1970-01-01 where `dated`. `low`, `high`: the
    ends of its error bars where the table has them, `ends` what they are, `counts` the records behind each value, for
    `ends` of SD. `optional`: a column such as an SD or a count, which nobody misses. `slack`: how far a value made of
    records may be off because the figure's bins are known to a pixel.
    """

    name: str
    labels: tuple[str, ...]
    x: Floats
    y: Floats
    dated: bool = False
    low: Floats | None = None
    high: Floats | None = None
    optional: bool = False
    columns: tuple[str, ...] = ()
    ends: str = "low and high columns"
    counts: Floats | None = None
    slack: Floats | None = None


@dataclass(frozen=True, eq=False)
class Layout:
    """Curves of one table that share a recipe. `cost`: how far-fetched the recipe is; 0 for the table as it stands."""

    table: SourceTable
    curves: tuple[Curve, ...]
    recipe: str = "as is"
    cost: float = 0.0
    form: Form = "curve"
    x_name: str = ""


def layouts(table: SourceTable) -> list[Layout]:
    """What may be plotted of a table without any arithmetic but grouping, the plainest first."""
    if (bins := _bins(table)) is not None:
        return [bins]
    found: list[Layout] = []
    for rank, x in enumerate(x_columns(table)):
        values = [c for c in table.columns if c.kind == "number" and c is not x]
        groups = [c for c in table.columns if c is not x and _groups(c)]
        distinct = len({t for t in x.texts if t}) == sum(bool(t) for t in x.texts)
        if values and (distinct or not groups):
            found.append(_wide(table, x, values, 0.02 * rank))
        for group in groups:
            found += _long(table, x, group, values, 0.02 * rank)
        for one, two in list(combinations(groups, 2))[:6]:
            found += _long(table, x, _joined(one, two), values, 0.04 + 0.02 * rank)
        if not distinct:
            found += _aggregates(table, x, [None, *groups], values, 0.02 * rank)
    found += _counts(table)
    found += _replicates(table)
    found += _survival(table)
    return [one for one in found if one.curves][:120]


def _bins(table: SourceTable) -> Layout | None:
    """A table of bins, whose first two columns are the edges: x is the middle of each bin."""
    if len(table.columns) < 3 or any(c.kind != "number" for c in table.columns[:3]):
        return None
    low, high = table.columns[0].numbers, table.columns[1].numbers
    if len(low) < 3 or not np.all(high > low) or np.mean(np.isclose(low[1:], high[:-1])) < 0.8:
        return None
    texts = tuple(f"{a} to {b}" for a, b in zip(table.columns[0].texts, table.columns[1].texts, strict=True))
    middle = Column("bin", texts, (low + high) / 2, "number")
    return _wide(table, middle, [c for c in table.columns[2:] if c.kind == "number"], 0.0)


def x_columns(table: SourceTable) -> list[Column]:
    """The columns that may be x: the first, then dates, words, and other columns of rising numbers."""
    rising = [c for c in table.columns[1:4] if c.kind == "number" and _rises(c.numbers)]
    others = [c for c in table.columns[1:] if c.kind == "date" or (c.kind == "text" and c.filled)]
    ordered = [table.columns[0], *others[:3], *rising[:1]]
    return list(dict.fromkeys(ordered))


def _rises(numbers: Floats) -> bool:
    steps = np.diff(numbers[np.isfinite(numbers)])
    return len(steps) > 1 and bool(np.all(steps > 0) or np.all(steps < 0))


def _groups(column: Column) -> bool:
    """A column of words that puts the rows into a few groups of two or more."""
    names = [text for text in column.texts if not is_blank(text)]
    return column.kind == "text" and 1 <= len(set(names)) <= min(MOST_GROUPS, max(1, len(names) // 2))


def _joined(one: Column, two: Column) -> Column:
    texts = tuple(f"{a} {b}" if a and b else "" for a, b in zip(one.texts, two.texts, strict=True))
    return Column(f"{one.name}, {two.name}", texts, np.full(len(texts), np.nan), "text")


def _curve(x: Column, rows: Sequence[int], y: Floats, name: str, **more: object) -> Curve:
    labels = tuple(x.texts[i] for i in rows)
    return Curve(name, labels, x.numbers[list(rows)], y, x.kind == "date", **more)  # type: ignore[arg-type]


def _wide(table: SourceTable, x: Column, values: Sequence[Column], cost: float) -> Layout:
    """A curve per column; columns that are the ends of another's error bars go with it."""
    byname = {c.name.casefold(): c for c in values}
    ends: dict[str, tuple[Column, Column]] = {}
    for c in values:
        for low, high in ENDS:
            key = c.name.casefold()
            if key + low in byname and key + high in byname:
                ends[key] = byname[key + low], byname[key + high]
    used = {id(c) for pair in ends.values() for c in pair}
    rows = [i for i, text in enumerate(x.texts) if not is_blank(text)]
    curves = []
    for c in values:
        if id(c) not in used:
            pair = ends.get(c.name.casefold())
            aux = (AUXILIARY.search(c.name) is not None or not c.name.strip()) and len(values) > 1
            curves.append(_curve(x, rows, c.numbers[rows], c.name, optional=aux, columns=(c.name,)))
            if pair:
                ends_low, ends_high = (end.numbers[rows] for end in pair)
                curves[-1] = replace(curves[-1], low=ends_low, high=ends_high)
    return Layout(table, tuple(curves), "as is", cost, x_name=x.name)


def _long(table: SourceTable, x: Column, group: Column, values: Sequence[Column], cost: float) -> list[Layout]:
    """A curve per group, where no group has an x twice (or x are numbers: scattered points)."""
    names = list(dict.fromkeys(t for t in group.texts if not is_blank(t)))
    members = {n: [i for i, t in enumerate(group.texts) if t == n and not is_blank(x.texts[i])] for n in names}
    once = all(len({x.texts[i] for i in rows}) == len(rows) for rows in members.values())
    if not names or len(names) > MOST_GROUPS or (not once and x.kind != "number"):
        return []
    return [
        Layout(table, tuple(_curve(x, rows, c.numbers[rows], n, columns=(c.name,)) for n, rows in members.items()),
               f"{c.name} by {group.name}", cost + 0.01 + (0.0 if once else 0.02), x_name=x.name)
        for c in values[:6] if not (AUXILIARY.search(c.name) and len(values) > 1)
    ]  # fmt: skip


STATISTICS: tuple[tuple[str, Callable[[Floats], float]], ...] = (
    ("mean", lambda v: float(np.mean(v))),
    ("median", lambda v: float(np.median(v))),
    ("sum", lambda v: float(np.sum(v))),
    ("count", lambda v: float(len(v))),
)


def _aggregates(
    table: SourceTable, x: Column, groups: Sequence[Column | None], values: Sequence[Column], cost: float
) -> list[Layout]:
    """Mean, median, sum and count of a column per x (and group), means with their SD as ends."""
    found = []
    for group in groups:
        names = [None] if group is None else list(dict.fromkeys(t for t in group.texts if not is_blank(t)))
        for c in values[:6]:
            for k, (how, of) in enumerate(STATISTICS):
                curves = [_aggregate(x, c, group, name, of, how) for name in names]
                by = x.name + (f" and {group.name}" if group else "")
                found.append(Layout(table, tuple(curves), f"{how} of {c.name} per {by}", cost + 0.05 + 0.005 * k,
                                    x_name=x.name))  # fmt: skip
    return found


def _aggregate(
    x: Column, c: Column, group: Column | None, name: str | None, of: Callable[[Floats], float], how: str
) -> Curve:
    places: dict[str, list[int]] = {}
    for i, text in enumerate(x.texts):
        inside = group is None or group.texts[i] == name
        if inside and not is_blank(text) and np.isfinite(c.numbers[i]):
            places.setdefault(text, []).append(i)
    rows = [members[0] for members in places.values()]
    y = np.array([of(c.numbers[members]) for members in places.values()], dtype=np.float64)
    sd = np.array([_sd(c.numbers[members]) for members in places.values()], dtype=np.float64)
    ends = (y - sd, y + sd) if how == "mean" else (None, None)
    counts = np.array([len(members) for members in places.values()], dtype=np.float64) if how == "mean" else None
    low, high = ends
    return _curve(x, rows, y, name or c.name, low=low, high=high, columns=(c.name,), ends="SD", counts=counts)


def _sd(values: Floats) -> float:
    return float(np.std(values, ddof=1)) if len(values) > 1 else float("nan")


def _counts(table: SourceTable) -> list[Layout]:
    """A line list: rows counted per category, or per day, week and month of a date column."""
    found = []
    for column in table.columns:
        names = [t for t in column.texts if not is_blank(t)]
        if column.kind == "text" and _groups(column):
            kinds = list(dict.fromkeys(names))
            y = np.array([names.count(kind) for kind in kinds], dtype=np.float64)
            curve = Curve("count", tuple(kinds), np.full(len(kinds), np.nan), y, columns=(column.name,))
            found.append(Layout(table, (curve,), f"rows counted per {column.name}", 0.1, x_name=column.name))
        elif column.kind == "date" and len(names) > 20 and len(set(names)) < 0.9 * len(names):
            found += [_per_period(table, column, days, word) for days, word in ((1.0, "day"), (7.0, "week"))]
    return found


def _per_period(table: SourceTable, column: Column, period: float, word: str) -> Layout:
    at = column.numbers[np.isfinite(column.numbers)]
    phase = 4.0 if period == 7.0 else 0.0  # 1970-01-05 was a Monday
    start = np.floor((at - phase) / period)
    bins = np.arange(start.min(), start.max() + 1)
    y = np.array([(start == one).sum() for one in bins], dtype=np.float64)
    x = bins * period + phase
    labels = tuple(str(np.datetime64("1970-01-01") + int(day)) for day in x)
    curve = Curve("count", labels, x, y, True, columns=(column.name,))
    return Layout(table, (curve,), f"rows counted per {word} of {column.name}", 0.1, x_name=column.name)


def _replicates(table: SourceTable) -> list[Layout]:
    """Columns that differ in a trailing number only (`A 1`, `A 2`) are replicates: mean and median over them."""
    first = table.columns[0]
    stems: dict[str, list[Column]] = {}
    for c in table.columns[1:]:
        if c.kind == "number":
            stems.setdefault(REPLICATE.sub("", c.name) or c.name, []).append(c)
    if not any(len(columns) > 1 for columns in stems.values()):
        return []
    rows = [i for i, text in enumerate(first.texts) if not is_blank(text)]
    found = []
    for how, of in (("mean", np.nanmean), ("median", np.nanmedian)):
        curves = []
        for stem, columns in stems.items():
            block = np.array([c.numbers[rows] for c in columns])
            some = np.isfinite(block).any(axis=0)
            y = np.full(len(rows), np.nan)
            y[some] = of(block[:, some], axis=0)
            curves.append(_curve(first, rows, y, stem, columns=tuple(c.name for c in columns)))
            if how == "mean" and len(columns) > 1:
                counts = np.isfinite(block).sum(axis=0).astype(np.float64)
                sd = np.full(len(rows), np.nan)
                many = counts > 1
                sd[many] = np.nanstd(block[:, many], axis=0, ddof=1)
                curves[-1] = replace(curves[-1], low=y - sd, high=y + sd, ends="SD", counts=counts)
        found.append(Layout(table, tuple(curves), f"{how} over replicate columns", 0.06, x_name=first.name))
    return found


def _survival(table: SourceTable) -> list[Layout]:
    """Kaplan-Meier curves from a column of times and one of events (0/1, or 1/2 as R's survival package writes)."""
    found = []
    times = [
        c for c in table.columns if c.kind == "number" and re.search(r"time|day|month|year|week|follow", c.name, re.I)
    ]
    for event in (c for c in table.columns if _is_event(c)):
        for time in [c for c in times if c is not event][:2]:
            groups: list[Column | None] = [None, *(c for c in table.columns if c not in (event, time) and _few(c))]
            for group in groups[:5]:
                names = [None] if group is None else list(dict.fromkeys(t for t in group.texts if not is_blank(t)))
                curves = [_km_curve(time, event, group, name) for name in names]
                what = f"Kaplan-Meier of {time.name}" + (f" by {group.name}" if group else "")
                found.append(Layout(table, tuple(curves), what, 0.08, "survival", time.name))
    return found


def _is_event(c: Column) -> bool:
    values = set(c.numbers[np.isfinite(c.numbers)].tolist())
    return c.kind == "number" and len(c.texts) >= 8 and values in ({0.0, 1.0}, {1.0, 2.0})


def _few(c: Column) -> bool:
    return 2 <= len({t for t in c.texts if not is_blank(t)}) <= 8


def _km_curve(time: Column, event: Column, group: Column | None, name: str | None) -> Curve:
    inside = np.array([group is None or text == name for text in (group.texts if group else time.texts)])
    inside &= np.isfinite(time.numbers) & np.isfinite(event.numbers)
    happened = event.numbers[inside] == np.nanmax(event.numbers)
    x, y = kaplan_meier(time.numbers[inside], happened)
    return Curve(name or "survival", tuple(f"{v:g}" for v in x), x, y, columns=(time.name, event.name))


def kaplan_meier(times: Floats, events: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> tuple[Floats, Floats]:
    """Times (k,) from 0 on and the share still event-free just after each (Kaplan and Meier 1958).

    >>> [v.tolist() for v in kaplan_meier(np.array([1.0, 2.0, 2.0, 3.0]), np.array([True, True, False, True]))]
    [[0.0, 1.0, 2.0, 3.0], [1.0, 0.75, 0.5, 0.0]]
    """
    at = np.unique(times[events])
    risk = np.array([(times >= t).sum() for t in at], dtype=np.float64)
    died = np.array([(events & (times == t)).sum() for t in at], dtype=np.float64)
    return np.concatenate([[0.0], at]), np.concatenate([[1.0], np.cumprod(1.0 - died / risk)])


def filter_of(words: str, name: str, table: SourceTable) -> dict[str, str]:
    """Which rows a curve was made of: column -> value, from a recipe like "yield by site, arm"."""
    said = re.search(r"(?: by | and )([^()]+)$", words)
    if not said:
        return {}
    groups = [c for part in said[1].split(", ") for c in table.columns if c.name == part]
    found: dict[str, str] = {}
    rest = name
    for column in groups:
        value = next((t for t in sorted(set(column.texts), key=len, reverse=True) if t and rest.startswith(t)), "")
        if value:
            found[column.name] = value
            rest = rest.removeprefix(value).strip()
    return found
