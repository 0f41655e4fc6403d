"""Box plots against a table: its five numbers per box as they stand, or made from the records.

Not handled here: violins, notches, single outliers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from agent.arithmetic import box_numbers
from agent.explaining import FACTORS
from agent.findings import Finding, Tally, severity_of
from agent.panel_check import PanelCheck
from agent.placing import alike
from agent.reading import PanelReading
from agent.recipes import layouts
from agent.source_tables import Column, SourceTable, is_blank
from agent.unit_words import unit_is_claimed
from tools.align import assign
from tools.table import Cell, Table
from tools.types import Axis, Floats

PARTS = ("whisker_low", "q1", "median", "q3", "whisker_high")
WORDS = (
    ("whisker_low", "whisker low", "lower whisker", "min", "minimum", "p5", "lower"),
    ("q1", "25%", "p25", "lower quartile", "first quartile", "25th percentile"),
    ("median", "50%", "p50", "med", "q2"),
    ("q3", "75%", "p75", "upper quartile", "third quartile", "75th percentile"),
    ("whisker_high", "whisker high", "upper whisker", "max", "maximum", "p95", "upper"),
)
Boxes = tuple[str, list[str], Floats]  # recipe, names of the boxes, their five numbers (n, 5)


@dataclass(frozen=True, eq=False)
class Match:
    """The boxes of a panel and those of a table that fit them best. `drawn`: the five numbers (n, 5), with the ends of
    their intervals in `low` and `high`; `pairs`: (drawn, table); `worth`: the share of numbers that agree, 0 to 1;
    `ends`: the least and the greatest value of the axis."""

    worth: float
    source: SourceTable
    boxes: Boxes
    pairs: list[tuple[int, int]]
    axis: Axis
    names: list[str]
    drawn: Floats
    low: Floats
    high: Floats
    span: float
    ends: tuple[float, float]


def match_boxes(reading: PanelReading, tables: Sequence[SourceTable]) -> Match | str:
    """The best match of a panel of box plots, or why there is none."""
    assert isinstance(reading.table, Table)
    names, drawn, low, high = _drawn_boxes(reading.table)
    horizontal = any(one.kind == "box" and one.orientation == "horizontal" for one in reading.series)
    axis = reading.panel.x if horizontal else reading.panel.y
    if axis is None:
        return "the value axis of the box plot could not be calibrated"
    plot = reading.panel.plot
    ends = axis.to_value([plot.x0, plot.x1] if horizontal else [plot.y0, plot.y1])
    span = float(abs(_units(axis, ends)[1] - _units(axis, ends)[0]))
    best: tuple[float, SourceTable, Boxes, list[tuple[int, int]]] | None = None
    for source in tables:
        for boxes in table_boxes(source):
            pairs = _pairs(names, boxes[1])
            share = [_shares(axis, drawn[i], boxes[2][j], span) for i, j in pairs]
            good = float(np.mean([np.nanmean(s <= 0.02) for s in share])) if share else 0.0
            worth = good * len(pairs) / max(len(names), 1)
            if pairs and (best is None or worth > best[0] + 0.01):
                best = worth, source, boxes, pairs
    if best is None:
        return "no five numbers per box can be made of the data"
    return Match(*best, axis, names, drawn, low, high, span, (float(min(ends)), float(max(ends))))


def check_boxes(
    number: int, reading: PanelReading, tables: Sequence[SourceTable], tolerance: float, said: str = ""
) -> PanelCheck | None:
    """The check of a panel of box plots; None for any other panel. `said`: what the figure prints around it."""
    if not isinstance(reading.table, Table) or reading.table.form != "box":
        return None
    check = PanelCheck(number, reading.panel.title)
    found = match_boxes(reading, tables)
    if isinstance(found, str):
        check.reason = found
        return check
    check.table, check.recipe = found.source, found.boxes[0]
    if found.worth < 0.5 and (times := _factor(found.axis, found.drawn, found.boxes[2], found.pairs, found.span)):
        check.findings.append(_other_unit(number, reading, found.source, said, times))
        boxes = (found.boxes[0], found.boxes[1], found.boxes[2] * times)
        found = replace(found, boxes=boxes, worth=1.0)
    drawn = (found.drawn, found.low, found.high)
    _judge(check, reading, found.axis, found.span, drawn, found.boxes, found.pairs, tolerance, found.worth >= 0.5)
    return check


def _factor(axis: Axis, drawn: Floats, table: Floats, pairs: Sequence[tuple[int, int]], span: float) -> float | None:
    """A factor between units after which nearly all numbers of the boxes agree, or None."""
    mine, theirs = (
        np.concatenate([block[k] for k in kept])
        for block, kept in zip((drawn, table), zip(*pairs, strict=True), strict=True)
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = mine / theirs
    ratios = ratios[np.isfinite(ratios) & (ratios > 0)]
    if len(ratios) < 4:
        return None
    factor = min(FACTORS, key=lambda f: abs(math.log(f) - float(np.median(np.log(ratios)))))
    good = np.isfinite(mine) & np.isfinite(theirs)
    share = _shares(axis, mine[good], factor * theirs[good], span)
    return factor if float(np.mean(share <= 0.02)) >= 0.85 else None


def _other_unit(number: int, reading: PanelReading, source: SourceTable, said: str, factor: float) -> Finding:
    axis = reading.panel.x if reading.panel.y is None or reading.panel.y.scale == "category" else reading.panel.y
    words = f"{axis.label if axis else ''} {reading.panel.title} {said}"
    claimed = unit_is_claimed(words, " ".join(c.name for c in source.columns), factor)
    text = f"the figure shows {factor:g} times the table's values" + (" (its labels say so)" if claimed else "")
    return Finding("scale or unit factor", "note" if claimed else "discrepancy", number, source.title, text,
                   severity="low" if claimed else "high")  # fmt: skip


def _units(axis: Axis, values: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log10(values) if axis.scale == "log" else np.asarray(values, dtype=np.float64)


def _shares(axis: Axis, one: Floats, other: Floats, span: float) -> Floats:
    return np.abs(_units(axis, one) - _units(axis, other)) / span


def _drawn_boxes(table: Table) -> tuple[list[str], Floats, Floats, Floats]:
    """Names of the boxes, their five numbers (n, 5), and the ends of the intervals (n, 5)."""
    where = [table.header.index(part) for part in PARTS]
    several = "series" in table.header
    names = [" ".join(row[k].text for k in ((0, 1) if several else (0,))) for row in table.rows]

    def numbers(of: str) -> Floats:
        return np.array([[_number(row[k], of) for k in where] for row in table.rows]).reshape(-1, 5)

    return names, numbers("value"), numbers("low"), numbers("high")


def _number(cell: Cell, of: str) -> float:
    value = getattr(cell, of)
    return float(value) if isinstance(value, float | int) else math.nan


def table_boxes(table: SourceTable) -> Iterator[Boxes]:
    """The boxes that a table may give: as columns of five numbers, a box per column, or a box per group of records."""
    values = [c for c in table.columns if c.kind == "number"]
    parts = [next((c for c in values if c.name.casefold().strip() in words), None) for words in WORDS]
    if parts[2] is not None and sum(part is not None for part in parts) >= 3:
        keys = [c for c in table.columns if c not in parts and c.name.casefold() != "outliers"][:2] or [
            table.columns[0]
        ]
        names = [" ".join(c.texts[i] for c in keys) for i in range(table.rows)]
        empty = np.full(table.rows, np.nan)
        yield "as is", names, np.column_stack([part.numbers if part is not None else empty for part in parts])
        return
    for whiskers in ("tukey", "range"):
        words = f"box statistics ({'1.5 IQR' if whiskers == 'tukey' else 'minimum to maximum'} whiskers)"
        if values:
            yield f"{words} per column", [c.name for c in values], _stack([c.numbers for c in values], whiskers)
        for layout in layouts(table):
            if layout.recipe.startswith("mean of ") and len(layout.curves) <= 20:
                column = next((c for c in values if c.name == layout.curves[0].columns[0]), None)
                groups = [c for c in table.columns if c.name in layout.recipe.split(" per ", 1)[1].split(" and ")]
                if column is not None and groups:
                    names, members = _grouped(groups, column)
                    yield f"{words} of {layout.recipe.removeprefix('mean of ')}", names, _stack(members, whiskers)


def _grouped(groups: Sequence[Column], column: Column) -> tuple[list[str], list[Floats]]:
    places: dict[str, list[int]] = {}
    for i in range(len(column.texts)):
        texts = [c.texts[i] for c in groups]
        if not any(map(is_blank, texts)):
            places.setdefault(" ".join(texts), []).append(i)
    return list(places), [column.numbers[rows] for rows in places.values()]


def _stack(members: Sequence[Floats], whiskers: str) -> Floats:
    return np.array([box_numbers(v, "tukey" if whiskers == "tukey" else "range") for v in members]).reshape(-1, 5)


def _pairs(names: Sequence[str], others: Sequence[str]) -> list[tuple[int, int]]:
    found = assign(alike(names, others), above=0.6)
    if not found and len(names) == len(others):
        return [(i, i) for i in range(len(names))]
    return found


def _judge(
    check: PanelCheck, reading: PanelReading, axis: Axis, span: float, drawn: tuple[Floats, Floats, Floats],
    boxes: Boxes, pairs: Sequence[tuple[int, int]], tolerance: float, trusted: bool,
) -> None:  # fmt: skip
    value, low, high = drawn
    assert isinstance(reading.table, Table)
    where = [reading.table.header.index(part) for part in PARTS]
    for i, j in pairs:
        share = _shares(axis, value[i], boxes[2][j], span)
        for k, part in enumerate(PARTS):
            table = float(boxes[2][j, k])
            if not (math.isfinite(table) and math.isfinite(value[i, k])):
                continue
            inside = low[i, k] <= table <= high[i, k]
            if share[k] <= tolerance or inside:
                check.tally.add(Tally(agree=int(share[k] <= tolerance), within_error=int(share[k] > tolerance)))
                continue
            check.tally.add(Tally(differ=1) if trusted else Tally(unsure=1))
            pixel = reading.table.rows[i][where[k]].pixel
            check.findings.append(
                Finding("value differs", "discrepancy" if trusted else "not verifiable", check.number, boxes[1][j],
                        "the figure shows another value", part.replace("_", " "), severity_of(float(share[k])),
                        float(value[i, k]), float(low[i, k]), float(high[i, k]), table, float(share[k]), pixel)
            )  # fmt: skip
