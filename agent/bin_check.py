"""Histograms of records: the values of a column counted into the bins that a figure draws.

The bins come from the figure, so only their heights are compared. Not handled here: tables that hold the bins
themselves (`recipes`), kernel densities, stacked histograms.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from agent.arithmetic import histogram
from agent.reading import PanelReading
from agent.recipes import Curve, Layout
from agent.source_tables import Column, SourceTable, is_blank
from tools.table import Table
from tools.types import Floats

LEAST = 8  # records from which a histogram is worth drawing
HEIGHTS = (("count", 0.1), ("percent", 0.11), ("density", 0.12), ("share", 0.12))


@dataclass(frozen=True, eq=False)
class Bins:
    """The bins of a figure: `low`, `high` (n,) in units of its x, known to `error`."""

    low: Floats
    high: Floats
    error: float


def drawn_bins(reading: PanelReading) -> Bins | None:
    """The bins of a panel that is a histogram, else None."""
    table, axis = reading.table, reading.panel.x
    if not isinstance(table, Table) or table.form != "histogram" or axis is None or len(table.rows) < 3:
        return None
    low, high = (np.array([_number(row[k].value) for row in table.rows]) for k in (0, 1))
    if not (np.isfinite(low).all() and np.isfinite(high).all() and (high > low).all()):
        return None
    return Bins(low, high, 0.75 * abs(axis.slope) if axis.scale == "linear" else 0.0)


def _number(value: object) -> float:
    return float(value) if isinstance(value, float | int) else math.nan


def bin_layouts(bins: Bins, tables: Sequence[SourceTable]) -> list[Layout]:
    """A layout per column of records, way to count and side that the bins are closed on; several columns or the groups
    of a column of words are series beside each other."""
    found = []
    for table in tables:
        for what, members in _members(table):
            inside = sum(((v >= bins.low.min() - bins.error) & (v <= bins.high.max() + bins.error)).sum()
                         for v in members.values())  # fmt: skip
            if inside < 0.5 * sum(map(len, members.values())):
                continue
            for how, cost in HEIGHTS:
                for right in (False, True):
                    curves = tuple(_curve(bins, name, values, how, right) for name, values in members.items())
                    said = f"histogram ({how}) of {what}"
                    found.append(Layout(table, curves, said, cost + 0.005 * right, "histogram", what))
    return found


def _members(table: SourceTable) -> Iterator[tuple[str, dict[str, Floats]]]:
    """Series of records: a column, several columns together, a column by the groups of another."""
    records = [c for c in table.columns if c.kind == "number" and len(_finite(c)) >= LEAST]
    for column in records[:12]:
        yield column.name, {column.name: _finite(column)}
        for group in (c for c in table.columns if c.kind == "text"):
            names = list(dict.fromkeys(t for t in group.texts if not is_blank(t)))
            if 2 <= len(names) <= 8:
                inside = {name: column.numbers[[t == name for t in group.texts]] for name in names}
                yield f"{column.name} by {group.name}", {n: v[np.isfinite(v)] for n, v in inside.items()}
    if 2 <= len(records) <= 8:
        yield ", ".join(c.name for c in records), {c.name: _finite(c) for c in records}


def _finite(column: Column) -> Floats:
    return column.numbers[np.isfinite(column.numbers)]


def _curve(bins: Bins, name: str, values: Floats, how: str, right: bool) -> Curve:
    y = heights(bins.low, bins.high, values, how, right)
    moved = [heights(bins.low + step, bins.high + step, values, how, right) for step in (-bins.error, bins.error)]
    slack = np.max(np.abs(np.array(moved) - y), axis=0)
    labels = tuple(f"{a:g} to {b:g}" for a, b in zip(bins.low, bins.high, strict=True))
    return Curve(name, labels, (bins.low + bins.high) / 2, y, columns=(name,), slack=slack)


def heights(low: Floats, high: Floats, values: Floats, how: str = "count", right: bool = False) -> Floats:
    """Heights (n,) of bins from `low` to `high` (n,): count, percent, share or density of (m,) values. `right`: a bin
    holds its upper edge and not its lower one (the first holds both), as R's; else the other way round, as NumPy's.

    >>> heights(np.array([0.0, 1.0]), np.array([1.0, 2.0]), np.array([0.0, 1.0, 1.5, 2.0])).tolist()
    [1.0, 3.0]
    >>> heights(np.array([0.0, 1.0]), np.array([1.0, 2.0]), np.array([0.0, 1.0, 1.5, 2.0]), right=True).tolist()
    [2.0, 2.0]
    """
    if right:
        return heights(-high[::-1], -low[::-1], -values, how)[::-1]
    edges = np.append(low, high[-1])
    if np.allclose(low[1:], high[:-1], rtol=0, atol=1e-9 * float(np.ptp(edges))):
        return histogram(values, edges, how) if how != "share" else histogram(values, edges, "percent") / 100
    counts = np.array([((values >= a) & (values < b)).sum() for a, b in zip(low, high, strict=True)], dtype=np.float64)
    total = max(1, len(values))
    whole = {"count": counts, "percent": 100 * counts / total, "share": counts / total}
    return whole.get(how, counts / total / (high - low))
