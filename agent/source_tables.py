"""The deposited table as people really save it: CSV, TSV, text or XLSX to columns of numbers, dates and words.

Handles semicolons, BOMs, decimal commas, ragged rows, title lines above the header, a row of units under it, units in
the header, several sheets and several blocks in one sheet. Not handled here: old XLS files, merged header cells over
groups of columns, formulas that were never calculated, and which columns a figure plots (`mapping`).
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from agent.table_notes import lack, ragged
from tools.dates import parse_date_ladder
from tools.types import Floats, Unreadable

if TYPE_CHECKING:
    import pandas as pd

TEXTS = (".csv", ".tsv", ".txt", ".tab", ".dat")
BOOKS = (".xlsx", ".xlsm")
MISSING = {"", "na", "n/a", "nan", "n.a.", "nd", "n.d.", "null", "none", "-", "--", "–", ".", "#n/a", "missing"}
UNIT = re.compile(r"^(?P<name>.*\S)\s*[(\[](?P<unit>[^()\[\]]{1,24})[)\]]\s*$")
PLAIN = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
MAX_CELLS = 3_000_000


class UnreadableTable(ValueError):
    """A data file that is no table; the message says what is wrong with it in one sentence."""


@dataclass(frozen=True, eq=False)
class Column:
    """One column: its name and cells as written, and the cells as numbers (n,) float64, or days since
    1970-01-01 where `kind` is date.

    nan stands where a cell is empty or says something else.
    """

    name: str
    texts: tuple[str, ...]
    numbers: Floats
    kind: Literal["number", "date", "text"]
    unit: str = ""

    @property
    def filled(self) -> int:
        """How many cells hold something."""
        return sum(not is_missing(text) for text in self.texts)


@dataclass(frozen=True, eq=False)
class SourceTable:
    """One block of one sheet. `header_row`: the line of the file or sheet that the names stand on, from 1.

    `notes`: what is odd about it, such as rows of other lengths.
    """

    source: str
    sheet: str
    columns: tuple[Column, ...]
    header_row: int = 1
    notes: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        return len(self.columns[0].texts) if self.columns else 0

    @property
    def title(self) -> str:
        return f"{self.source} [{self.sheet}]" if self.sheet else self.source

    def only(self, names: Sequence[str]) -> SourceTable:
        """The table with these columns alone. Raises UnreadableTable for a name that it does not have."""
        wanted = {name.strip().casefold() for name in names}
        kept = tuple(c for c in self.columns if {c.name.casefold(), without_unit(c.name).casefold()} & wanted)
        if len(kept) < len(wanted):
            has = ", ".join(repr(column.name) for column in self.columns[:12])
            raise UnreadableTable(f"{self.title} does not have all of the columns {', '.join(names)}; it has {has}.")
        return SourceTable(self.source, self.sheet, kept, self.header_row, self.notes)


def read_tables(path: str | Path, sheet: str | None = None) -> list[SourceTable]:
    """Every block of numbers in a file, in the order of sheets and rows; `sheet` takes one sheet by name or number.

    Raises UnreadableTable when the file is no table, holds no numbers, or has no such sheet.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if not path.is_file():
        raise UnreadableTable(f"{path} is not a file.")
    if suffix in BOOKS:
        sheets = _book(path, sheet)
    elif suffix in TEXTS:
        sheets = [("", _delimited(path))]
    else:
        raise UnreadableTable(f"{path.name} is not a table that can be read; use {', '.join((*TEXTS, *BOOKS))}.")
    found = [table for name, cells in sheets for table in tables_of(cells, path.name, name)]
    if not found:
        raise UnreadableTable(f"{path.name}{f' [{sheet}]' if sheet else ''} {lack([c for _, c in sheets])}.")
    return found


def from_frame(frame: pd.DataFrame, source: str = "table") -> SourceTable:
    """A pandas DataFrame as a source table; an index with a name becomes the first column."""
    frame = frame.reset_index() if frame.index.name else frame
    columns = [column_of(str(name), [_text(v) for v in frame[name].tolist()]) for name in frame.columns]
    return SourceTable(source, "", tuple(columns))


def _book(path: Path, sheet: str | None) -> list[tuple[str, list[list[str]]]]:
    import zipfile

    from openpyxl import load_workbook

    try:
        book = load_workbook(path, read_only=True, data_only=True)
    except (OSError, zipfile.BadZipFile, KeyError, ValueError, TypeError) as error:
        raise UnreadableTable(f"{path.name} cannot be opened as a workbook ({error}).") from None
    try:
        names = list(book.sheetnames)
        if sheet is not None and sheet not in names:
            if not (sheet.isdigit() and 0 < int(sheet) <= len(names)):
                raise UnreadableTable(f"{path.name} has no sheet {sheet!r}; it has {', '.join(map(repr, names))}.")
            sheet = names[int(sheet) - 1]
        found = []
        for name in [sheet] if sheet is not None else names:
            rows = getattr(book[name], "iter_rows", None)  # chart sheets have none
            if rows is not None:
                found.append((name, [[_text(v) for v in row] for row in rows(values_only=True)]))
        return found
    finally:
        book.close()


def _text(value: object) -> str:
    """One cell of a sheet as text: dates in ISO form, whole floats without a point."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == datetime.min.time() else value.isoformat(sep=" ")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float | int | np.number) and not isinstance(value, bool):
        return repr(float(value)).removesuffix(".0")
    return " ".join(str(value).split())


def _delimited(path: Path) -> list[list[str]]:
    raw = path.read_bytes()
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = raw.decode("utf-16", errors="replace")
    else:
        if b"\x00" in raw[:4096]:
            raise UnreadableTable(f"{path.name} is not a text file.")
        try:
            text = raw.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = raw.decode("cp1252", errors="replace")
    lines = text.splitlines()
    if sum(map(len, lines)) > 20 * MAX_CELLS:
        raise UnreadableTable(f"{path.name} is too large to be the data of a figure.")
    delimiter = _delimiter(lines, path.suffix.lower())
    try:
        return [[c.strip() for c in row] for row in csv.reader(io.StringIO("\n".join(lines)), delimiter=delimiter)]
    except csv.Error:
        return [[c.strip() for c in line.split(delimiter)] for line in lines]


def _delimiter(lines: Sequence[str], suffix: str) -> str:
    """The separator that cuts most lines into the same number (2 or more) of cells; the suffix breaks ties."""
    sample = [line for line in lines[:200] if line.strip()]
    habit = {".tsv": "\t", ".tab": "\t"}.get(suffix, ",")

    def quality(mark: str) -> tuple[float, bool]:
        counts = [line.count(mark) for line in sample]
        usual = max(set(counts), key=counts.count) if counts else 0
        return (counts.count(usual) / len(counts) if usual else 0.0) + 0.3 * (
            mark in "\t;" and usual > 0
        ), mark == habit

    return max("\t;,|", key=quality)


def tables_of(cells: Sequence[Sequence[str]], source: str, sheet: str = "") -> list[SourceTable]:
    """The blocks of a sheet (parted by empty columns, or by empty rows before another header), as typed columns."""
    width = max((len(row) for row in cells), default=0)
    grid = [[*row, *[""] * (width - len(row))] for row in cells]
    found = []
    for numbers, block in _split_rows(grid):
        for part in _split_columns(block):
            table = _table(part, source, sheet, numbers)
            if table is not None:
                found.append(replace(table, notes=ragged(cells, numbers, table.header_row)))
    return found


def _split_rows(grid: list[list[str]]) -> list[tuple[list[int], list[list[str]]]]:
    """Runs of rows between empty rows, joined again where the next run does not start with a header of its own.

    Each with the numbers of its rows in the sheet, from 1.
    """
    runs: list[tuple[list[int], list[list[str]]]] = []
    open_run = False
    for number, row in enumerate(grid, 1):
        if not any(row):
            open_run = False
        elif open_run:
            runs[-1][0].append(number)
            runs[-1][1].append(row)
        else:
            headed = sum(map(bool, row)) > 1 and not any(is_number(cell) for cell in row)
            short = not runs or len(runs[-1][1]) < 3
            if runs and not (headed and not short):
                runs[-1][0].append(number)
                runs[-1][1].append(row)
            else:
                runs.append(([number], [row]))
            open_run = True
    return runs


def _split_columns(block: list[list[str]]) -> list[list[list[str]]]:
    used = [any(row[i] for row in block) for i in range(len(block[0]))]
    parts: list[list[int]] = []
    for i, is_used in enumerate(used):
        if is_used and i and used[i - 1] and parts:
            parts[-1].append(i)
        elif is_used:
            parts.append([i])
    alone = [part for part in parts if len(part) == 1]
    if len(alone) > 0.5 * len(parts):  # spaced out, not parted
        parts = [[i for i, is_used in enumerate(used) if is_used]]
    return [[[row[i] for i in part] for row in block] for part in parts]


def _table(block: list[list[str]], source: str, sheet: str, numbers: Sequence[int]) -> SourceTable | None:
    rows = [(number, row) for number, row in zip(numbers, block, strict=True) if any(row)]
    head = _header_index([row for _, row in rows])
    if head is None:
        return None
    line, header = rows[head]
    body = [row for _, row in rows[head + 1 :]]
    units = [""] * len(header)
    if _is_unit_row(body):
        units, body = body[0], body[1:]
    columns = []
    for i, name in enumerate(header):
        texts = [row[i] for row in body]
        if any(texts):
            columns.append(column_of(name, texts, units[i]))
    if not body or not any(column.kind == "number" for column in columns):
        return None
    return SourceTable(source, sheet, tuple(columns), line)


def _header_index(rows: Sequence[Sequence[str]]) -> int | None:
    """The last row of words, as wide as the table, before the numbers begin."""
    width = max((sum(map(bool, row)) for row in rows), default=0)
    best: int | None = None
    for i, row in enumerate(rows[:40]):
        words = [cell for cell in row if cell and not is_number(cell)]
        filled = sum(map(bool, row))
        if filled and len(words) >= 0.6 * filled and filled >= max(1, 0.5 * width):
            following = rows[i + 1 : i + 4]
            if any(is_number(cell) for after in following for cell in after):
                best = i
                break
    if best is None:  # years or numbers as names of columns
        best = next((i for i, row in enumerate(rows[:40]) if sum(map(bool, row)) >= max(2, 0.8 * width)), None)
    return best if best is not None and best + 1 < len(rows) else None


def _is_unit_row(body: Sequence[Sequence[str]]) -> bool:
    """A row of short words under the header while the rest of the same columns is numbers."""
    if len(body) < 3:
        return False
    columns = [i for i in range(len(body[0])) if is_number(body[1][i]) and is_number(body[2][i])]
    first = [body[0][i] for i in columns]
    words = [cell for cell in first if cell and not is_missing(cell) and not is_number(cell)]
    return bool(words) and len(words) >= 0.5 * len(columns) and all(len(cell) <= 14 for cell in words)


def column_of(name: str, texts: Sequence[str], unit: str = "") -> Column:
    """A column typed by what most of its filled cells are: numbers, dates, or words."""
    if found := UNIT.match(name):
        unit = unit or found["unit"].strip()
    filled = [text for text in texts if not is_missing(text)]
    comma = _decimal_comma(filled)
    numbers = np.array([number_of(text, comma) for text in texts], dtype=np.float64)
    if filled and np.isfinite(numbers).sum() >= 0.8 * len(filled):
        return Column(name, tuple(texts), numbers, "number", unit)
    days = _days(texts) if filled else None
    if days is not None:
        return Column(name, tuple(texts), days, "date", unit)
    return Column(name, tuple(texts), numbers, "text", unit)


def without_unit(name: str) -> str:
    """A name without the unit in brackets at its end.

    >>> without_unit("Dose (mg/l)"), without_unit("IL-6 (n = 5)")
    ('Dose', 'IL-6 (n = 5)')
    """
    found = UNIT.match(name)
    return found["name"] if found and "=" not in found["unit"] else name


def _days(texts: Sequence[str]) -> Floats | None:
    """Days since 1970-01-01 where at least nine tenths of the filled cells are dates in order or in any order."""
    filled = [i for i, text in enumerate(texts) if not is_missing(text)]
    if not filled or sum(any(ch.isdigit() for ch in texts[i]) for i in filled) < 0.9 * len(filled):
        return None
    if not any(re.search(r"\d{4}|\d[-/.]\d|\d\s*[A-Za-z]{3}", texts[i]) for i in filled[:5]):
        return None
    days = np.full(len(texts), np.nan)
    iso = [_iso(texts[i]) for i in filled]
    if sum(value is not None for value in iso) >= 0.9 * len(filled):
        days[filled] = [math.nan if value is None else value for value in iso]
        return days
    if len(filled) > 3000:
        return None
    ladder = parse_date_ladder([texts[i] for i in filled])
    good = [not isinstance(value, Unreadable) for value in ladder.values]
    if sum(good) < 0.9 * len(filled) or not ladder.year_known:
        return None
    days[filled] = [math.nan if isinstance(value, Unreadable) else value for value in ladder.values]
    return days


def _iso(text: str) -> float | None:
    from tools.types import days

    try:
        return days(datetime.fromisoformat(text.replace("Z", "").strip()).replace(tzinfo=None))
    except (ValueError, OverflowError):
        return None


def is_missing(text: str) -> bool:
    """Empty, or one of the usual words for it."""
    return text.strip().casefold() in MISSING


def is_blank(text: str) -> bool:
    """Empty, or `NA` and the like, where words are expected: `Missing` and `None` are names of groups there."""
    return is_missing(text) and text.strip().casefold() not in ("missing", "none")


def is_number(text: str) -> bool:
    """True of `3`, `-1,5`, `1,200`, `12 %`, `1.5e-3`."""
    return math.isfinite(number_of(text, False)) or math.isfinite(number_of(text, True))


def _decimal_comma(filled: Sequence[str]) -> bool:
    """Commas are decimal marks where some stand before other than three digits and no point does."""
    commas = [text for text in filled if re.fullmatch(r"[+\-−]?\d*,\d+\s*%?", text.strip())]
    thousands = sum(bool(re.fullmatch(r"[+\-−]?[1-9]\d{0,2},\d{3}", text.strip())) for text in commas)
    return bool(commas) and thousands < len(commas) and not any("." in text and "," not in text for text in filled)


def number_of(text: str, comma: bool = False) -> float:
    """The number in a cell (nan if none). `comma`: commas are decimal marks, points and blanks part thousands.

    >>> number_of("1,200"), number_of("1.200,5", comma=True), number_of("12 %")
    (1200.0, 1200.5, 12.0)
    """
    plain = text.strip().replace("−", "-").replace("–", "-").removesuffix("%").strip().replace("\u00a0", "")
    if PLAIN.fullmatch(plain) and not (comma and re.fullmatch(r"[+-]?\d{1,3}(\.\d{3})+", plain)):
        return float(plain)
    plain = re.sub(r"(?<=\d)[ '’](?=\d{3}(\D|$))", "", plain)
    if comma:
        plain = plain.replace(".", "").replace(",", ".") if plain.count(",") == 1 else plain
    elif re.fullmatch(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?", plain):
        plain = plain.replace(",", "")
    return float(plain) if PLAIN.fullmatch(plain) else math.nan
