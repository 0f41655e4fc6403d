"""ChartParse-Bench scored: the product of its four factors for each chart, by family and by level.

The card leaves compounds open: their factors are averaged over the panels. Not handled here: the score of one panel
(`chartparse_metrics`), making charts (`chartparse`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.chartparse_metrics import ChartParse, Gap, chartparse
from evaluation.stats import Interval, mean_interval
from evaluation.tables import Sheet, number, read_sheet
from tools.align import assign

Floats = NDArray[np.float64]
EPOCH = date(1970, 1, 1)
FAMILIES = {"A": "line", "B": "scatter", "C": "area", "D": "compound", "M": "market"}
HIT = 0.02  # of either range: a mark that was found
FACTORS = ("score", "series_recall", "coverage", "accuracy", "mark_recall")


@dataclass(frozen=True)
class Panel:
    """One panel as it was read and as it is: sheets, and whether it is on log axes and made of marks."""

    said: Sheet
    true: Sheet
    log_x: bool = False
    log_y: bool = False
    marks: bool = False


@dataclass(frozen=True)
class Chart:
    """One chart: its panels and the facts of its line in the index."""

    id: str
    panels: tuple[Panel, ...]
    facts: Mapping[str, Any]


def score_chart(chart: Chart) -> ChartParse | None:
    """The factors averaged over the panels, so that their product stays one; None without true series."""
    found = [one for one in map(score_panel, chart.panels) if one is not None]
    if not found:
        return None
    names = ("series_recall", "coverage", "accuracy", "mark_recall")
    means = {name: float(np.mean([getattr(one, name) for one in found])) for name in names}
    return ChartParse(**means, pairs=())


def score_panel(one: Panel) -> ChartParse | None:
    """The score of one panel; x in days, numbers (decades on a log axis), or the order of the true labels."""
    order = {label: float(i) for i, label in enumerate(dict.fromkeys(row[0] for row in one.true.rows))}
    true, _ = points_of(one.true, order, one.log_x)
    said, gaps = points_of(one.said, order, one.log_x)
    if not any(len(series) for series in true):
        return None
    marks = None
    if one.marks:
        marks = found_marks(_stacked(said), _stacked(true), one.log_y), sum(map(len, true))
    return chartparse(said, true, gaps, one.log_y, marks)


def _stacked(series: Sequence[Floats]) -> Floats:
    return np.vstack([s for s in series if len(s)]) if any(map(len, series)) else np.zeros((0, 2))


def points_of(sheet: Sheet, order: Mapping[str, float], log_x: bool) -> tuple[list[Floats], list[list[Gap]]]:
    """Points (n, 2) of every series of a table, and the intervals of x that it declares to be gaps."""
    names = [name.casefold() for name in sheet.header]
    group = names.index("series") if "series" in names[1:] else None
    ends = {
        i for i, n in enumerate(names) if any(n.endswith(e) and n.removesuffix(e) in names for e in (" low", " high"))
    }
    columns = [i for i in range(1, len(names)) if i != group and i not in ends]
    points, gaps = [], []
    for column in columns:
        for name in dict.fromkeys(row[group] for row in sheet.rows) if group is not None else [""]:
            rows = [row for row in sheet.rows if group is None or row[group] == name]
            cells = np.array([(place(row[0], order, log_x), number(row[column])) for row in rows]).reshape(-1, 2)
            points.append(cells[np.isfinite(cells).all(axis=1)])
            gaps.append([] if group is not None else gaps_in(cells))
        if group is not None:
            break
    return points, gaps


def gaps_in(cells: Floats) -> list[Gap]:
    """Intervals of x between two known values with nothing but unknown ones in between."""
    known = np.flatnonzero(np.isfinite(cells).all(axis=1))
    return [(float(cells[a, 0]), float(cells[b, 0])) for a, b in pairwise(known) if b - a > 1]


def place(text: str, order: Mapping[str, float], log_x: bool) -> float:
    """Where a label stands: its number (log10 on a log axis), the day of its date, or its place among the labels."""
    value = number(text)
    if math.isfinite(value):
        return value if not log_x else math.log10(value) if value > 0 else math.nan
    try:
        return float((date.fromisoformat(text[:10]) - EPOCH).days)
    except ValueError:
        return order.get(text, math.nan)


def found_marks(said: Floats, true: Floats, log_y: bool) -> int:
    """How many true marks have a predicted one of their own within 2 % of both ranges."""
    if not len(said) or not len(true):
        return 0
    with np.errstate(all="ignore"):
        a, b = ((np.column_stack([p[:, 0], np.log10(p[:, 1])]) if log_y else p) for p in (said, true))
    scale = np.maximum(np.ptp(b, axis=0), 1e-12)
    apart = np.abs(b[:, None] - a[None]) / scale
    near = np.where((apart <= HIT).all(axis=2), 2 - apart.sum(axis=2), 0.0)
    return len(assign(np.nan_to_num(near)))


@dataclass(frozen=True)
class Analysis:
    """Means with intervals by group ("all", each family, each level): the product and its four factors."""

    groups: Mapping[str, Mapping[str, Interval]]


def analyse(charts: Sequence[Chart]) -> Analysis:
    """The scores of a set of charts over all, by family and by level."""
    scores = {chart.id: score_chart(chart) for chart in charts}
    groups: dict[str, list[Chart]] = {"all": list(charts)}
    for chart in charts:
        family = str(chart.facts.get("family", ""))
        groups.setdefault(f"{family} {FAMILIES.get(family, '')}".strip(), []).append(chart)
        groups.setdefault(f"level {chart.facts.get('level')}", []).append(chart)
    return Analysis({
        group: {name: mean_interval([getattr(s, name) if (s := scores[c.id]) else None for c in members])
                for name in FACTORS}
        for group, members in groups.items()
    })  # fmt: skip


def panel_from(said: str, true: str, truth: Mapping[str, Any], marks: bool) -> Panel:
    """A panel from the text of two tables and its part of the truth record."""
    scales = truth.get("axis_scales", {})
    return Panel(read_sheet(said), read_sheet(true), scales.get("x") == "log", scales.get("y") == "log", marks)
