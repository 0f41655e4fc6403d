"""A table as text from anywhere (a model, a person, another program), taken apart into series that can be measured.

Layouts: a column per series; long form (a column `series`); `<name> low`, `<name> high`; `bin low`, `bin high`; box
plots (columns q1, median, q3). What is malformed is mended where the meaning is plain, and said.
Not handled here: finding tables in a model's reply (the agent does), what the values are worth (`snapping`).
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tools.numbers import parse_ladder, parse_number
from tools.types import Floats, Unreadable

DELIMITERS = ("\t", "|", ";", ",")
NOTHING = frozenset(("", "nan", "na", "n/a", "-", "–", "—", "none", "null", "missing", "?"))
FIVE = ("whisker_low", "q1", "median", "q3", "whisker_high")


@dataclass(frozen=True)
class Draft:
    """A header and rows of text, every row as long as the header; `warnings` say what was mended."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class DraftSeries:
    """One series: the cells (row, column) of its values, the values (n,) float64 (nan where there is none), and the
    columns of its low and high ends (-1: none). `factor`: how many times larger than the cells the values are."""

    name: str
    cells: tuple[tuple[int, int], ...]
    values: Floats = field(repr=False)
    low: int = -1
    high: int = -1
    factor: float = 1.0


def parse_draft(text: str, title: str = "") -> Draft | Unreadable:
    """The table that a text holds: tabs, bars, semicolons or commas between cells, the first row the header."""
    lines = [line for line in text.removeprefix("\ufeff").splitlines() if line.strip() and not _is_rule(line)]
    if not lines:
        return Unreadable("the table is empty")
    delimiter = delimiter_of(lines)
    if not delimiter:
        return Unreadable("no delimiter splits these lines into the same number of cells: tabs are wanted between them")
    cells = [row for line in lines if any(row := _split(line, delimiter))]
    header, body = cells[0], cells[1:]
    warnings = []
    if not body and len(cells) == 1:
        return Unreadable("the table has a header and no rows")
    usual = Counter(len(row) for row in body).most_common(1)[0][0]
    if usual == len(header) + 1 and all(len(row) == usual for row in body):
        header = ["x", *header]
        warnings.append("the header is one cell short: its first column is taken to be x")
    ragged = sum(len(row) != len(header) for row in body)
    if ragged:
        warnings.append(f"{ragged} of {len(body)} rows have not as many cells as the header has: padded or cut")
    if delimiter == "," and ragged and usual > len(header):
        warnings.append("commas separate cells and may also stand inside numbers: check the values")
    rows = tuple(tuple((row + [""] * len(header))[: len(header)]) for row in body)
    return Draft(tuple(_distinct(header)), rows, title, tuple(warnings))


def delimiter_of(lines: Sequence[str]) -> str:
    """The delimiter that splits most lines into one number of cells greater than one; empty where none does."""
    best, share = "", 0.0
    for delimiter in DELIMITERS:
        count, times = Counter(len(_split(line, delimiter)) for line in lines).most_common(1)[0]
        if count > 1 and times / len(lines) > share + 0.1:
            best, share = delimiter, times / len(lines)
    return best if share > 0.4 else ""


def _split(line: str, delimiter: str) -> list[str]:
    if delimiter == "|":
        line = line.strip().removeprefix("|").removesuffix("|")
    if delimiter in (",", ";"):
        try:
            return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter))]
        except (csv.Error, StopIteration):
            pass
    return [cell.strip().strip("*").strip() for cell in line.split(delimiter)]


def _is_rule(line: str) -> bool:
    """The line under the header of a Markdown table, or a fence."""
    return bool(re.fullmatch(r"[\s|:+=-]*-{2,}[\s|:+=-]*|\s*```.*", line))


def _distinct(names: Sequence[str]) -> list[str]:
    found: list[str] = []
    for name in names:
        plain = name
        while name in found:
            name += "'" if plain else " "
        found.append(name)
    return found


def number_of(text: str) -> float:
    """The number in a cell; nan where there is none."""
    if text.strip().lower() in NOTHING:
        return float("nan")
    try:
        return float(text)
    except ValueError:
        found = parse_number(text)
        return found.value if not isinstance(found, Unreadable) else float("nan")


def numbers_of(texts: Sequence[str]) -> Floats:
    """The numbers of a column (n,), read with one decimal mark; nan where there are none."""
    direct = np.array([number_of(text) for text in texts], dtype=np.float64)
    if not any("," in text for text in texts):
        return direct
    found = parse_ladder(list(texts))
    return np.array([q.value if not isinstance(q, Unreadable) else np.nan for q in found], dtype=np.float64)


def is_box(draft: Draft) -> bool:
    """Whether its rows are boxes."""
    names = [name.lower() for name in draft.header]
    return "median" in names and "q1" in names


def key_columns(draft: Draft) -> int:
    """How many first columns say where a row stands: two where these are the ends of a bin."""
    return 2 if [name.lower() for name in draft.header[:2]] == ["bin low", "bin high"] else 1


def series_of(draft: Draft) -> list[DraftSeries]:
    """The series of a wide or long draft in the order of its columns; none for a box plot."""
    if is_box(draft):
        return []
    names = [name.lower() for name in draft.header]
    if "series" in names and len(names) > 2:
        return _long(draft, names.index("series"))
    found = []
    for column in range(key_columns(draft), len(names)):
        end = re.fullmatch(r"(.+) (?:low|high)", names[column])
        if end and end[1] in names:
            continue
        cells = tuple((row, column) for row in range(len(draft.rows)))
        values = numbers_of([row[column] for row in draft.rows])
        low, high = (_column(names, f"{names[column]} {which}") for which in ("low", "high"))
        found.append(DraftSeries(draft.header[column], cells, values, low, high))
    return found


def _long(draft: Draft, by: int) -> list[DraftSeries]:
    names = [name.lower() for name in draft.header]
    column = next(
        i for i in range(len(names)) if i not in (0, by) or i == len(names) - 1
    )  # the first column that is neither x nor the name
    low, high = (_column(names, f"{names[column]} {which}") for which in ("low", "high"))
    values = numbers_of([row[column] for row in draft.rows])
    found = []
    for name in dict.fromkeys(row[by] for row in draft.rows):
        rows = [i for i, row in enumerate(draft.rows) if row[by] == name]
        found.append(DraftSeries(name, tuple((i, column) for i in rows), values[rows], low, high))
    return found


def _column(names: Sequence[str], wanted: str) -> int:
    return names.index(wanted) if wanted in names else -1
