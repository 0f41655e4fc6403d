"""Box plots of somebody's table put onto the boxes that were measured, by category and series.

Not handled here: outliers (a list of them has no places: it is taken as measured).
"""

from __future__ import annotations

from collections.abc import Sequence

from tools.align import assign, plain, similarities
from tools.drafts import FIVE, Draft, number_of
from tools.table import MISSING, Cell, Table
from tools.tabulate_bins import box_table
from tools.types import Panel, Series

FAR = 0.15  # of the plot's extent


def box_cells(
    panel: Panel, series: Sequence[Series], draft: Draft
) -> tuple[dict[tuple[int, int], Cell], tuple[int, int]]:
    """{(row, column): cell} of the five numbers, and how many were measured and how many only said."""
    names = [name.lower() for name in draft.header]
    columns = {part: names.index(part) for part in (*FIVE, "outliers") if part in names}
    boxes = [one for one in series if one.kind == "box"]
    table = box_table(panel, boxes) if boxes else None
    pairs: dict[int, int] = {}
    if isinstance(table, Table):
        heads = [_head(row, len(table.header) - len(FIVE) - 1) for row in table.rows]
        wanted = [
            plain(" ".join(text for j, text in enumerate(row) if j not in columns.values())) for row in draft.rows
        ]
        pairs = dict(assign(similarities(wanted, heads), 0.5))
        if len(pairs) < len(draft.rows) == len(table.rows):
            pairs = {row: row for row in range(len(draft.rows))}
    cells: dict[tuple[int, int], Cell] = {}
    for row, texts in enumerate(draft.rows):
        for part, column in columns.items():
            measured = None
            if isinstance(table, Table) and row in pairs:
                measured = table.rows[pairs[row]][table.header.index(part)]
            cells[row, column] = _cell(panel, texts[column], part, measured)
    counted = [
        cell for (_, column), cell in cells.items() if column != columns.get("outliers") and cell.value is not None
    ]
    spoken = sum(cell.source == "model" for cell in counted)
    return cells, (len(counted) - spoken, spoken)


def _head(row: Sequence[Cell], count: int) -> str:
    return plain(" ".join(cell.text for cell in row[:count]))


def _cell(panel: Panel, text: str, part: str, measured: Cell | None) -> Cell:
    if part == "outliers":
        return measured if measured is not None else Cell(text, text, "said", source="model")
    value = number_of(text)
    if value != value:
        return MISSING if measured is None else measured
    reason = "said, not measured: no box was measured here"
    if measured is not None and isinstance(measured.value, float):
        if abs(measured.value - value) <= FAR * _range(panel):
            return measured
        reason = f"said, not measured: the ink at this place shows {measured.text}"
    return Cell(value, text, "said", reason, source="model")


def _range(panel: Panel) -> float:
    """The largest range of a linear value axis of the panel."""
    spans = [
        abs(axis.slope) * (panel.plot.width if axis.horizontal else panel.plot.height)
        for axis in panel.axes
        if axis.scale == "linear"
    ]
    return max(spans, default=float("inf"))
