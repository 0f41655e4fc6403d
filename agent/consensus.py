"""Several tables of one panel become one: cells aligned, the median of each, and how far the members lie apart.

Columns are paired by name and shape, rows by x (or category), points of long tables by x and y. A column, row or
point that fewer than half of the members have is dropped (the self-ensemble of Berkane, Wang and Majumder, 2026).
Anchored at its first member, a consensus has exactly the columns, rows and x of that one: members that saw a coarser
picture then move and doubt its values, but cannot outvote marks that they could not see.

Not handled here: who the members are and when there are enough of them (`ensemble`), pairing of panels.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from scipy.optimize import linear_sum_assignment

from agent.methods import Aggregator
from agent.rows import (
    Column,
    Grid,
    Key,
    decimals_of,
    grid_of,
    log_spaced,
    number,
    points_of_series,
    scattered,
    table_of,
    wide_points,
)
from tools.align import assign, nearest_in_order, similarities
from tools.table import MISSING, Cell, Table
from tools.types import Floats

CLOSE = 0.01  # of the column's range: cells that agree
REACH = 0.45  # of the usual step: how far apart the x of one row may lie in two members
NORMAL = 1.4826  # a normal distribution's standard deviation in median absolute deviations
NINETY = 1.645
T = TypeVar("T")
LEAST = 3  # numbers before an anchored cell moves
MOST = 0.75  # share of the members that agree where it moves out of its own interval
LIKE = 0.35  # score of two columns, half name and half shape, that may be the same


@dataclass(frozen=True)
class Consensus:
    """The table that the members agree on. `agreement`: the mean share of members within 1 % of it, over its cells.

    `members` are the tables that took part, in their order; `left_out` says how many had another form.
    """

    table: Table
    agreement: float
    members: tuple[Table, ...]
    left_out: int = 0


def consensus(tables: Sequence[Table], how: Aggregator = "median", anchored: bool = False) -> Consensus:
    """The consensus of tables of one panel; the first one with the commonest form is the reference for order.

    `anchored`: the first table gives the form, the columns and the rows, the others only values for them. Every
    number gets `spread` (normalised median absolute deviation, in its own units), `agreement` (share of the members
    within 1 % of the column's range) and an interval that joins what lies between the members to what each of them
    knows of itself (Rubin, 1987: total variance W + (1 + 1/m) B). Raises ValueError for none.
    """
    if not tables:
        raise ValueError("a consensus needs at least one table")
    forms = [table.form for table in tables]
    form = forms[0] if anchored else max(forms, key=lambda f: (forms.count(f), -forms.index(f)))
    members = [table for table in tables if table.form == form]
    points = form == "long" or (scattered(members[0]) if anchored else 2 * sum(map(scattered, members)) > len(members))
    table = _points(members, how, anchored) if points else _wide(members, how, anchored)
    seen = [cell.agreement for row in table.rows for cell in row if cell.agreement is not None]
    return Consensus(table, float(np.mean(seen)) if seen else 0.0, tuple(members), len(tables) - len(members))


def _wide(members: Sequence[Table], how: Aggregator, anchored: bool) -> Table:
    grids = [grid_of(table) for table in members]
    rows = align_rows([grid.keys for grid in grids], anchored)
    columns = align_columns(grids, rows, anchored)
    need = len(members) / 2
    body, header = [], []
    for group in columns:
        header.append(agreed_name([grids[m].columns[c].name for m, c in group.items()]))
    scales = [_range([grids[m].columns[c] for m, c in group.items()]) for group in columns]
    for row in rows:
        keys = [grids[m].key_cells[r] for m, r in row.items()]
        cells = []
        for group, scale in zip(columns, scales, strict=True):
            found = [grids[m].columns[c].cells[row[m]] for m, c in group.items() if m in row]
            if anchored:
                cells.append(merge_around(found, how, scale))
            else:
                cells.append(merge(found, how, scale, min(need, len(group) / 2)))
        body.append((keys[0] if anchored else agreed_key(keys), cells))
    return table_of(members[0], header, body)


def _range(columns: Sequence[Column]) -> float:
    """The range that the numbers of a column cover: the median over its members, against one gross misreading."""
    spans = [np.ptp(values) for column in columns if (values := column.values[np.isfinite(column.values)]).size]
    return float(np.median(spans)) if spans else 0.0


def merge(cells: Sequence[Cell], how: Aggregator, scale: float, need: float) -> Cell:
    """One cell out of the members'; missing where fewer than `need` of them, or fewer than half, have a value."""
    numbers = [cell for cell in cells if isinstance(cell.value, int | float) and np.isfinite(cell.value)]
    texts = [cell for cell in cells if isinstance(cell.value, str)]
    if len(texts) > len(numbers):
        return replace(max(texts, key=lambda c: [t.text for t in texts].count(c.text)))
    if len(numbers) < need or 2 * len(numbers) < len(cells) or not numbers:
        return next((cell for cell in cells if cell.value is None), MISSING)
    values = np.array([float(cell.value) for cell in numbers])  # type: ignore[arg-type]
    value = aggregate(values, how)
    nearest = numbers[int(np.argmin(np.abs(values - value)))]
    spread = NORMAL * float(np.median(np.abs(values - value)))
    agreement = float(np.mean(np.abs(values - value) <= max(CLOSE * scale, 1e-12 + 1e-9 * abs(value))))
    text = nearest.text if value == nearest.value else f"{value:.{decimals_of(nearest.text)}f}"
    between = NINETY * spread * math.sqrt(1 + 1 / len(numbers))
    low, high = (math.hypot(between, float(np.median([_half(cell, below) for cell in numbers])))
                 for below in (True, False))  # fmt: skip
    return replace(nearest, value=value, text=text, low=value - low, high=value + high, spread=spread,
                   agreement=agreement)  # fmt: skip


def merge_around(cells: Sequence[Cell], how: Aggregator, scale: float) -> Cell:
    """The first of some cells, moved to the aggregate of all where there are three numbers or more.

    What stands in words or paths of the figure is exact: others may confirm or doubt it, and never move it. Out of its
    own interval a cell moves only where three members in four agree; else the interval takes both in.
    """
    own, numbers = cells[0], [cell for cell in cells if isinstance(cell.value, int | float) and np.isfinite(cell.value)]
    if own not in numbers or len(numbers) == 1:
        return own
    found = merge(numbers, how, scale, 0.0)
    if len(numbers) < LEAST or own.source != "pixel":
        return replace(own, spread=found.spread, agreement=found.agreement)
    if own.low is None or own.high is None or found.low is None or found.high is None:
        return found
    within = own.low <= number(found) <= own.high
    if within or (found.agreement or 0.0) >= MOST:
        return found
    return replace(found, value=own.value, text=own.text, pixel=own.pixel, low=min(own.low, found.low),
                   high=max(own.high, found.high))  # fmt: skip


def _half(cell: Cell, below: bool) -> float:
    """How far a cell's own interval reaches below or above its value."""
    end = cell.low if below else cell.high
    return abs(float(cell.value) - end) if end is not None and isinstance(cell.value, int | float) else 0.0


def aggregate(values: Floats, how: Aggregator = "median") -> float:
    """One number out of several, (n,) float: median, mean, medoid (a member's own value) or Huber's M-estimate."""
    middle = float(np.median(values))
    if how == "mean":
        return float(values.mean())
    if how == "medoid":
        return float(values[np.argmin(np.abs(values[:, None] - values[None, :]).sum(axis=1))])
    if how == "huber":
        scale = 1.345 * NORMAL * float(np.median(np.abs(values - middle)))
        for _ in range(20 if scale > 0 else 0):
            weights = np.minimum(1.0, scale / np.maximum(np.abs(values - middle), 1e-300))
            middle = float(np.sum(weights * values) / np.sum(weights))
    return middle


def align_rows(members: Sequence[Sequence[Key]], anchored: bool = False) -> list[dict[int, int]]:
    """Rows that at least half of the members have (or the first has), as {member: row}, in the reference's order."""
    return _majority(list(members), _pair_keys, lambda key: _sort_key(key, members[0]), anchored)


def _sort_key(key: Key, reference: Sequence[Key]) -> tuple[float, ...]:
    """Numbers sort by size, in the direction of the reference; categories stay where they were met."""
    if isinstance(key, str):
        return ()
    numbers = [k for k in reference if not isinstance(k, str)]
    return (key if len(numbers) < 2 or numbers[-1] >= numbers[0] else -key,)


def _pair_keys(keys: Sequence[Key], others: Sequence[Key]) -> list[tuple[int, int]]:
    """Pairs of rows: numbers within half a step in order, categories by likeness."""
    if any(isinstance(key, str) for key in (*keys, *others)):
        return assign(similarities([str(k) for k in keys], [str(k) for k in others]), above=0.45)
    a, b = np.array(keys, dtype=float), np.array(others, dtype=float)
    if log_spaced(b) and a.min(initial=1.0) > 0:
        a, b = np.log(a), np.log(b)
    gaps = np.diff(np.sort(b if len(b) > 1 else a))
    step = float(np.median(gaps[gaps > 0])) if (gaps > 0).any() else max(1e-9, 0.01 * float(np.abs(a).max(initial=1)))
    return nearest_in_order(a, b, REACH * step)


def _majority(
    members: list[Sequence[T]],
    pair: Callable[[Sequence[T], Sequence[T]], list[tuple[int, int]]],
    order: Callable[[T], tuple[float, ...]],
    anchored: bool,
) -> list[dict[int, int]]:
    """Groups of items, one of a member at most, that half of the members take part in; if `anchored`, the first's."""
    groups = [{0: i} for i in range(len(members[0]))]
    heads = list(members[0])
    for member, items in enumerate(members[1:], 1):
        paired = dict(pair(items, heads))
        for i, item in enumerate(items):
            if i in paired:
                groups[paired[i]][member] = i
            elif not anchored:
                groups.append({member: i})
                heads.append(item)
    if anchored:
        return groups
    kept = [i for i in range(len(groups)) if 2 * len(groups[i]) >= len(members)]
    kept = kept if len(members) > 1 else list(range(len(groups)))
    if all(order(heads[i]) for i in kept):
        kept.sort(key=lambda i: order(heads[i]))
    return [groups[i] for i in kept]


def align_columns(
    grids: Sequence[Grid], rows: Sequence[dict[int, int]], anchored: bool = False
) -> list[dict[int, int]]:
    """Columns that half of the members have (or the first has), as {member: column}, in the reference's order."""
    tagged = [[(m, c) for c in range(len(grid.columns))] for m, grid in enumerate(grids)]

    def pair(items: Sequence[tuple[int, int]], heads: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        scores = np.array([[_likeness(grids, rows, one, other) for other in heads] for one in items])
        return assign(scores, above=LIKE)

    return _majority(list(tagged), pair, lambda place: (place[1],), anchored)


def _likeness(
    grids: Sequence[Grid], rows: Sequence[dict[int, int]], one: tuple[int, int], other: tuple[int, int]
) -> float:
    """Half the likeness of the names, half that of the values in the rows that both have; 0 for different parts."""
    (m, c), (n, d) = one, other
    a, b = grids[m].columns[c], grids[n].columns[d]
    if a.part != b.part:
        return 0.0
    name = float(similarities([a.name], [b.name])[0, 0])
    both = [(row[m], row[n]) for row in rows if m in row and n in row]
    left = np.array([a.values[i] for i, _ in both])
    right = np.array([b.values[j] for _, j in both])
    shape = _shape_likeness(left, right)
    return name if shape is None else 0.5 * name + 0.5 * shape


def _shape_likeness(left: Floats, right: Floats) -> float | None:
    """1 for equal values, 0 where they usually differ by a fifth of their range or more; None with too few numbers."""
    good = np.isfinite(left) & np.isfinite(right)
    if good.sum() < 2:
        return None
    scale = max(float(np.ptp(left[good])), float(np.ptp(right[good])), 1e-12)
    return float(np.mean(np.clip(1 - np.abs(left[good] - right[good]) / (0.2 * scale), 0, 1)))


def agreed_name(names: Sequence[str]) -> str:
    """The spelling that is most like all the others.

    >>> agreed_name(["cases", "cases", "casos"])
    'cases'
    """
    return names[int(np.argmax(similarities(names, names).sum(axis=1)))]


def agreed_key(keys: Sequence[Cell]) -> Cell:
    """The x of a row: the usual text, or the median number in the digits of the member next to it."""
    numbers = [cell for cell in keys if isinstance(cell.value, int | float)]
    if 2 * len(numbers) < len(keys) or not numbers:
        name = agreed_name([cell.text for cell in keys])
        return next(cell for cell in keys if cell.text == name)
    return merge(numbers, "median", 0.0, 0.0) if len(numbers) > 1 else numbers[0]


def _points(members: Sequence[Table], how: Aggregator, anchored: bool) -> Table:
    """Points of each series, paired by their place in units of the series' ranges; long where there are several."""
    split = [points_of_series(table) for table in members]
    names = [list(series) for series in split]

    def pair(items: Sequence[str], heads: Sequence[str]) -> list[tuple[int, int]]:
        return assign(similarities(items, heads), above=0.45)

    rows: list[tuple[Cell, ...]] = []
    groups = _majority([*names], pair, lambda _: (), anchored)
    for group in groups:
        name = agreed_name([names[m][i] for m, i in group.items()])
        label = Cell(name, name, source="ocr")
        clouds = [split[m][names[m][i]] for m, i in group.items()]
        rows += [(*point, label) for point in _merge_points(clouds, how, anchored)]
    like = members[0] if anchored else max(members, key=lambda member: len(member.header))
    if like.form == "long":
        padded = [(*row[:-1], *[MISSING] * (len(like.header) - len(row)), row[-1]) for row in rows]
        named = "series" in like.header
        return replace(like, rows=tuple(row if named else row[: len(like.header)] for row in padded))
    return wide_points(like, [agreed_name([names[m][i] for m, i in group.items()]) for group in groups], rows)


def _merge_points(
    clouds: Sequence[Sequence[tuple[Cell, ...]]], how: Aggregator, anchored: bool
) -> list[tuple[Cell, ...]]:
    """Points that at least half of the members see, each coordinate the aggregate of theirs; anchored, the first's
    points at their own x."""
    places = [np.array([[number(cell) for cell in row[:2]] for row in cloud]).reshape(-1, 2) for cloud in clouds]
    every = np.vstack(places)
    good = every[np.isfinite(every).all(axis=1)]
    scale = np.maximum(np.ptp(good, axis=0), 1e-12) if len(good) else np.ones(2)
    indexed = [[(m, i) for i in range(len(cloud))] for m, cloud in enumerate(clouds)]

    def pair(items: Sequence[tuple[int, int]], heads: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        a = np.array([places[m][i] for m, i in items]).reshape(-1, 2) / scale
        b = np.array([places[m][i] for m, i in heads]).reshape(-1, 2) / scale
        return _nearest_points(a, b, 3 * CLOSE)

    rows = []
    for group in _majority(list(indexed), pair, lambda _: (), anchored):
        found = [clouds[m][i] for m, i in group.items()]
        wide = len(found[0]) if anchored else max(map(len, found))
        columns = [[row[k] for row in found if len(row) > k] for k in range(wide)]  # not all saw error bars
        if anchored:
            rows.append((found[0][0], *(merge_around(cells, how, float(scale[1])) for cells in columns[1:])))
            continue
        first = merge(columns[0], how, float(scale[0]), 0.0)
        rows.append((first, *(merge(cells, how, float(scale[1]), 0.0) for cells in columns[1:])))
    return rows


def _nearest_points(a: Floats, b: Floats, reach: float) -> list[tuple[int, int]]:
    """One-to-one pairs of places (n, 2), (m, 2) no farther apart than `reach`, with the least total distance."""
    if not len(a) or not len(b):
        return []
    apart = np.hypot(a[:, None, 0] - b[None, :, 0], a[:, None, 1] - b[None, :, 1])
    apart = np.where(np.isfinite(apart), apart, np.inf)
    rows, columns = linear_sum_assignment(np.minimum(apart, 10 * reach))
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if apart[i, j] <= reach]
