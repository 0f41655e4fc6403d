"""Tables as they are judged: text to cells, cells to curves and boxes. Tolerates anything; raises nothing.

Layouts: a column per series; long form (a column `series` splits the rows); `<name> low` and `<name> high` beside
`<name>`, and `bin high`, are parts of a series and never series; box plots (columns q1, median, q3, whiskers) are rows
of five numbers. Not handled here: what a row's label is worth on the x axis (see `positions`).
"""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
BOX_NUMBERS = ("whisker_low", "q1", "median", "q3", "whisker_high")


@dataclass(frozen=True)
class Sheet:
    """A header and rows of text, every row as long as the header."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def column(self, index: int) -> tuple[str, ...]:
        return tuple(row[index] for row in self.rows)


@dataclass(frozen=True, eq=False)
class Curve:
    """One series: the label of each row as written, and its value (n,) float64; rows without a value are left out."""

    name: str
    labels: tuple[str, ...]
    values: Floats


@dataclass(frozen=True, eq=False)
class Box:
    """One row of a box plot: its label (category and series) and the five numbers, nan where not given."""

    label: str
    numbers: Floats


@dataclass(frozen=True, eq=False)
class PanelTable:
    """What one table holds: curves, or boxes; `extremes` are the ends of error bars and bands (they are drawn too)."""

    curves: tuple[Curve, ...] = ()
    boxes: tuple[Box, ...] = ()
    extremes: Floats = field(default_factory=lambda: np.array([], dtype=np.float64))

    @property
    def empty(self) -> bool:
        return not self.boxes and not any(len(curve.values) for curve in self.curves)


def read_sheet(text: str, delimiter: str = "\t") -> Sheet:
    """Cells of a delimited text; short rows are padded with blanks, cells beyond the header left out."""
    lines = text.removeprefix("\ufeff").splitlines()
    try:
        cells = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=delimiter)] if lines else []
    except csv.Error:
        cells = [[cell.strip() for cell in line.split(delimiter)] for line in lines]
    cells = [row for row in cells if any(row)]
    if not cells:
        return Sheet((), ())
    width = len(cells[0])
    rows = tuple(tuple((row + [""] * width)[:width]) for row in cells[1:])
    return Sheet(tuple(cells[0]), rows)


def read_panel_table(path: Path) -> PanelTable:
    """The table of one file (`.csv`: commas, otherwise tabs). Raises OSError where it cannot be opened."""
    text = path.read_bytes().decode("utf-8", errors="replace")
    return panel_table(read_sheet(text, "," if path.suffix.lower() == ".csv" else "\t"))


def panel_table(sheet: Sheet) -> PanelTable:
    """Sort the columns of a sheet into curves, boxes and ends of error bars."""
    names = [name.casefold() for name in sheet.header]
    if "median" in names and "q1" in names:
        return PanelTable(boxes=_boxes(sheet, names))
    parts = {i for i, name in enumerate(names) if name == "bin high" or _is_end(name, names)}
    group = names.index("series") if "series" in names[1:] else None
    columns = [i for i in range(1, len(names)) if i not in parts and i != group]
    if group is not None:
        curves = _split(sheet, columns, group)
    else:
        curves = tuple(_curve(sheet.header[i], sheet.column(0), sheet.column(i)) for i in columns)
    ends = [number(cell) for i in parts if names[i] != "bin high" for cell in sheet.column(i)]
    return PanelTable(curves=curves, extremes=np.array([v for v in ends if math.isfinite(v)], dtype=np.float64))


def _is_end(name: str, names: Sequence[str]) -> bool:
    """True of `<name> low` and `<name> high` where `<name>` is a column too."""
    return any(name.endswith(end) and name.removesuffix(end) in names[1:] for end in (" low", " high"))


def _curve(name: str, labels: Sequence[str], cells: Sequence[str]) -> Curve:
    found = [(label, value) for label, value in zip(labels, map(number, cells), strict=True) if not math.isnan(value)]
    return Curve(name, tuple(label for label, _ in found), np.array([value for _, value in found], dtype=np.float64))


def _split(sheet: Sheet, columns: Sequence[int], group: int) -> tuple[Curve, ...]:
    """Long form: a curve per name in the `series` column, in order of appearance, from the first value column."""
    curves = []
    for name in dict.fromkeys(sheet.column(group)):
        rows = [row for row in sheet.rows if row[group] == name]
        for i in columns[:1]:
            curves.append(_curve(name, [row[0] for row in rows], [row[i] for row in rows]))
    return tuple(curves)


def _boxes(sheet: Sheet, names: Sequence[str]) -> tuple[Box, ...]:
    where = [names.index(name) if name in names else None for name in BOX_NUMBERS]
    groups = [i for i in range(1, len(names)) if names[i] not in (*BOX_NUMBERS, "outliers") and i not in where]
    boxes = []
    for row in sheet.rows:
        label = " ".join(part for part in (row[0], *(row[i] for i in groups)) if part)
        numbers = [number(row[i]) if i is not None else math.nan for i in where]
        boxes.append(Box(label, np.array(numbers, dtype=np.float64)))
    return tuple(boxes)


def number(cell: str) -> float:
    """The number in a cell, nan where there is none. Percent signs and thousands commas go, true minus signs stay.

    >>> number("1,200"), number("−3.5 %"), number("n/a")
    (1200.0, -3.5, nan)
    """
    text = cell.strip().replace("\u2212", "-").removesuffix("%").strip()
    try:
        return float(text.replace("_", "?"))
    except ValueError:
        pass
    try:
        return float(text.replace(",", "").replace("_", "?"))
    except ValueError:
        return math.nan
