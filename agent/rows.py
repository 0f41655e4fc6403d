"""A table as columns over keys, so that cells of several tables can be laid side by side, and back again.

Deposited tables come into the same form. Not handled here: pairing (`consensus`), reading files (`source_tables`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np

from tools.align import similarities
from tools.table import MISSING, Cell, Table
from tools.types import Floats, days, moment

if TYPE_CHECKING:
    from agent.source_tables import SourceTable

Key = float | str
PARTS = (" low", " high")


@dataclass(frozen=True)
class Column:
    """One column: its header name, the part of a series that it holds ("", " low", " high"), and its cells."""

    name: str
    part: str
    cells: tuple[Cell, ...]
    values: Floats = field(repr=False, default_factory=lambda: np.zeros(0))


@dataclass(frozen=True)
class Grid:
    """A wide table taken apart: a key per row (number, days of a date, or text) and the columns beside it."""

    keys: tuple[Key, ...]
    key_cells: tuple[Cell, ...]
    columns: tuple[Column, ...]


def grid_of(table: Table) -> Grid:
    """The grid of a wide, histogram or box table; a box is known by its category and series together."""
    key_cells = tuple(row[0] for row in table.rows)
    names = list(table.header)
    series = names.index("series") if table.form == "box" and "series" in names else None
    texts = [cell.text if series is None else f"{cell.text}\t{row[series].text}"
             for cell, row in zip(key_cells, table.rows, strict=True)]  # fmt: skip
    keys = keys_of(key_cells) if series is None else tuple(texts)
    columns = []
    for i, name in enumerate(names[1:], 1):
        part = _part_of(name, names[max(0, i - 2) : i])
        cells = tuple(row[i] for row in table.rows)
        columns.append(Column(name, part, cells, np.array([number(cell) for cell in cells])))
    return Grid(keys, key_cells, tuple(columns))


def _part_of(name: str, before: Sequence[str]) -> str:
    """Which end of error bars a column holds, one misprinted letter allowed beside the column that it belongs to.

    >>> _part_of("Capital hbgh", ["Capital", "Capital low"]), _part_of("Brown cow", ["x"])
    (' high', '')
    """
    exact = next((part for part in PARTS if name.endswith(part)), "")
    own, _, last = name.rpartition(" ")
    if exact or not own or float(similarities([own], list(before)).max(initial=0.0)) < 0.75:
        return exact
    return next((part for part in PARTS if _one_letter_off(last, part.strip())), "")


def _one_letter_off(text: str, word: str) -> bool:
    return len(text) == len(word) and sum(a != b for a, b in zip(text, word, strict=True)) == 1


def keys_of(cells: Sequence[Cell]) -> tuple[Key, ...]:
    """Dates (as days) or numbers where every key is one, texts otherwise."""
    dates = [day_of(cell.text) for cell in cells]
    if None not in dates:
        return tuple(d for d in dates if d is not None)
    numbers = [number(cell) for cell in cells]
    return tuple(numbers) if all(np.isfinite(numbers)) else tuple(cell.text for cell in cells)


def number(cell: Cell) -> float:
    """The number in a cell, nan where there is none."""
    return float(cell.value) if isinstance(cell.value, int | float) else float("nan")


def day_of(text: str) -> float | None:
    """Days since 1970-01-01 of an ISO date or time; None for anything else.

    >>> day_of("1970-01-02T12:00")
    1.5
    """
    try:
        return days(datetime.fromisoformat(text)) if len(text) >= 10 else None
    except ValueError:
        return None


def decimals_of(text: str) -> int:
    """Digits after the point of a printed number.

    >>> decimals_of("1.250")
    3
    """
    digits = text.lower().split("e")[0]
    return len(digits.partition(".")[2])


def table_of(like: Table, names: Sequence[str], body: Sequence[tuple[Cell, Sequence[Cell]]]) -> Table:
    """A table in the form of `like`, with these columns after its key."""
    rows = tuple((key, *cells) for key, cells in body)
    return replace(like, header=(like.header[0], *names), rows=rows)


def scattered(table: Table) -> bool:
    """Whether the rows of a wide table are points, not steps: numbers that repeat or follow no step at all as x, be it
    a step of a logarithmic axis."""
    numbers = np.sort([number(row[0]) for row in table.rows])
    if table.form != "wide" or len(numbers) < 4 or not np.isfinite(numbers).all():
        return False
    return _stepless(numbers) and not log_spaced(numbers)


def log_spaced(numbers: Floats) -> bool:
    """Whether numbers (n,) follow a step in their logarithms and none as they are."""
    ordered = np.sort(numbers)
    return len(ordered) > 3 and ordered[0] > 0 and _stepless(ordered) and not _stepless(np.log(ordered))


def _stepless(ordered: Floats) -> bool:
    gaps = np.diff(ordered)
    return bool(np.mean(gaps < 0.1 * np.median(gaps)) > 0.03 or np.median(gaps) == 0)


def wide_points(like: Table, names: Sequence[str], points: Sequence[Sequence[Cell]]) -> Table:
    """A wide table, in the form of `like`, of points (x, y, name): by x, a row for all series that share its text."""
    rows: list[list[Cell]] = []
    for x, y, name in sorted(points, key=lambda point: number(point[0])):
        at = 1 + names.index(name.text)
        if not rows or rows[-1][0].text != x.text or rows[-1][at] is not MISSING:
            rows.append([x] + [MISSING] * len(names))
        rows[-1][at] = y
    return replace(like, header=(like.header[0], *names), rows=tuple(tuple(row) for row in rows))


def points_of_series(table: Table) -> dict[str, list[tuple[Cell, ...]]]:
    """The rows of a table of points by series, without the series column, in the table's order."""
    if table.form != "long":
        return {name: [(row[0], row[i]) for row in table.rows if np.isfinite(number(row[i]))]
                for i, name in enumerate(table.header[1:], 1)}  # fmt: skip
    at = table.header.index("series") if "series" in table.header else None
    found: dict[str, list[tuple[Cell, ...]]] = {}
    for row in table.rows:
        name = row[at].text if at is not None else ""
        found.setdefault(name, []).append(tuple(cell for i, cell in enumerate(row) if i != at))
    return found


def table_of_source(source: SourceTable) -> Table:
    """A deposited table in the form of a reading: the first column is x; a second column of words splits it (long)."""
    key, *others = source.columns
    split = next((c for c in others if c.kind == "text" and len(set(c.texts)) < len(c.texts)), None)
    values = [c for c in others if c.kind == "number"]
    header = [key.name, *(c.name for c in values), *(["series"] if split else [])]
    rows = []
    for i, name in enumerate(key.texts):
        cells = [_source_cell(c.texts[i], float(c.numbers[i])) for c in values]
        first = _key_cell(key.kind, name, float(key.numbers[i]))
        label = [Cell(split.texts[i], split.texts[i])] if split else []
        rows.append((first, *cells, *label))
    return Table(tuple(header), tuple(rows), "long" if split else "wide", source.title)


def _key_cell(kind: str, text: str, value: float) -> Cell:
    if kind == "text" or np.isnan(value):
        return Cell(text, text, source="ocr")
    if kind == "date":
        iso = moment(value).isoformat()
        return Cell(iso.removesuffix("T00:00:00"), iso.removesuffix("T00:00:00"))
    return Cell(value, text)


def _source_cell(text: str, value: float) -> Cell:
    return MISSING if np.isnan(value) else Cell(value, text.strip())
