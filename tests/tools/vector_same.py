"""Whether one figure gives the same tables as PDF, as SVG and as a picture at 200 dpi, within the stated intervals.

The picture is the page of the PDF as it is drawn at 200 dpi, saved as PNG and read as any other.
Not handled here: whether the values are right (`measure_vector`), drawing (`vector_producers`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
from PIL import Image

from agent.reading import digitize_document
from tools.align import plain, similarity
from tools.load import count_pages, load
from tools.pages import figures_on
from tools.table import Cell, Table
from tools.types import Floats, days


@dataclass(frozen=True)
class Same:
    """How two forms of a figure agree. `agree`: of the `paired` values, how many within both intervals; `every`: the
    values of the first form, `other`: of the second one; `largest`: difference in percent of the column's range."""

    figure: str
    forms: str
    agree: int
    paired: int
    every: int
    other: int
    largest: float

    @property
    def share(self) -> float:
        """Of all values of both forms, how many stand in both and agree."""
        return 2 * self.agree / max(1, self.every + self.other)

    def __str__(self) -> str:
        return (
            f"{'  ' if self.share > 0.9 else '! '}{self.figure:28} {self.forms:8} {self.agree:4} of {self.paired:4} "
            f"pairs agree; values {self.every:4} and {self.other:4}; largest {self.largest:8.3f} %"
        )


def picture_of(pdf: Path) -> Path:
    """The first page of a PDF that holds a figure as a PNG of 200 dpi beside it."""
    path = pdf.with_name(f"{pdf.stem}-200.png")
    if not path.exists():
        page = next((page for page in range(1, count_pages(pdf) + 1) if list(figures_on(pdf, page))), 1)
        Image.fromarray(load(pdf, page).pixels).save(path, dpi=(200, 200))
    return path


def forms_of(pdf: Path) -> list[Same]:
    """A PDF (read from its paths) against the SVG beside it, if there is one, and against its own picture."""
    exact = tables_of(pdf)
    svg = pdf.with_suffix(".svg")
    found = [compared(pdf.stem, "pdf-svg", exact, tables_of(svg))] if svg.exists() else []
    return [*found, compared(pdf.stem, "pdf-png", exact, tables_of(picture_of(pdf)))]


def tables_of(path: Path) -> list[Table]:
    return [table for reading in digitize_document(path) for table in reading.tables]


def compared(figure: str, forms: str, one: Sequence[Table], other: Sequence[Table]) -> Same:
    """The tables of two forms of a figure, in reading order."""
    agree = paired = 0
    largest = 0.0
    for a, b in zip(one, other, strict=False):
        for first, second in _pairs(a, b):
            spread = float(np.ptp([_number(p) for p in first])) or 1.0
            away = np.array([abs(_number(p) - _number(q)) for p, q in zip(first, second, strict=True)])
            within = np.array([_half(p) + _half(q) for p, q in zip(first, second, strict=True)])
            agree += int((away <= within + 1e-9 * spread).sum())
            paired += len(first)
            largest = max(largest, 100 * float(away.max(initial=0) / spread))
    every, others = (sum(len(cells) for table in side for _, _, cells in columns_of(table)) for side in (one, other))
    return Same(figure, forms, agree, paired, every, others, largest)


Column = tuple[str, Floats, list[Cell]]  # name, places along x, cells with a value


def columns_of(table: Table) -> list[Column]:
    """The columns of numbers of a table; of one in long form, those of each series, with x as a column of its own."""
    long = table.form == "long" and table.header[-1] == "series"
    first = 0 if table.form == "long" else 2 if table.form == "histogram" else 1
    names = [row[-1].text if long else "" for row in table.rows]
    found = []
    for name in dict.fromkeys(names):
        rows = [row for row, own in zip(table.rows, names, strict=True) if own == name]
        places = _places([row[0] for row in rows])
        if first == 2:
            places = (places + _places([row[1] for row in rows])) / 2
        for k, head in enumerate(table.header):
            kept = [i for i, row in enumerate(rows) if isinstance(row[k].value, float | int)]
            if k >= first and head != "series" and kept:
                found.append((f"{head} {name}".strip(), places[kept], [rows[i][k] for i in kept]))
    return found


def _places(cells: Sequence[Cell]) -> Floats:
    """Numbers as they are, dates as days, names by their order."""
    found = []
    for k, cell in enumerate(cells):
        if isinstance(cell.value, float | int):
            found.append(float(cell.value))
            continue
        try:
            found.append(days(date.fromisoformat(cell.text)))
        except ValueError:
            found.append(float(k))
    return np.array(found, dtype=np.float64)


def _pairs(one: Table, other: Table) -> list[tuple[list[Cell], list[Cell]]]:
    """Columns of one name (whatever their names where each table has one) with their cells paired by x; of points, by x
    and y."""
    free = columns_of(other)
    alone = len(columns_of(one)) == len(free) == 1
    found = []
    for name, x, cells in columns_of(one):
        scores = [similarity(plain(name), plain(column[0])) for column in free]
        best = int(np.argmax(scores)) if scores else -1
        if best < 0 or (scores[best] < 0.6 and not alone):
            continue
        _, at, twins = free.pop(best)
        scatter = one.form == "long"
        ours, theirs = (np.array([_number(c) for c in column]) for column in (cells, twins))
        rows = _nearest(x, at, ours, theirs, scatter)
        if rows:
            found.append(([cells[i] for i, _ in rows], [twins[j] for _, j in rows]))
    return found


def _nearest(x: Floats, at: Floats, y: Floats, other: Floats, scatter: bool) -> list[tuple[int, int]]:
    """Rows paired one to one, the nearest first: within half a step along x, or near in both directions."""
    width, height = np.ptp(x) or 1.0, np.ptp(y) or 1.0
    away = np.abs(x[:, None] - at) / width
    most = 0.5 * float(np.median(np.diff(np.unique(x)))) / width if len(np.unique(x)) > 1 else 0.5
    if scatter:
        away, most = np.hypot(away, np.abs(y[:, None] - other) / height), 0.03
    order = np.argsort(away, axis=None, kind="stable")
    rows, taken = {}, set()
    for place in order:
        i, j = np.unravel_index(place, away.shape)
        if away[i, j] > most:
            break
        if i not in rows and j not in taken:
            rows[int(i)] = int(j)
            taken.add(j)
    return sorted(rows.items())


def _number(cell: Cell) -> float:
    return float(cell.value) if isinstance(cell.value, float | int) else float("nan")


def _half(cell: Cell) -> float:
    """Half the width of the interval of a value."""
    return (cell.high - cell.low) / 2 if cell.low is not None and cell.high is not None else 0.0
