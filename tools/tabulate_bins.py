"""Tables whose rows are not points: histogram bins and the five numbers of box plots.

Not handled here: everything with an x and a y (`tabulate`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from tools.printing import number_text, resolution, snap_numbers
from tools.table import MISSING, Cell, Table
from tools.types import Axis, Box, Floats, Mark, Panel, Series, Unreadable

EMPTY = Cell(0.0, "0", "read", "no ink in this bin")
FIVE = ("whisker_low", "q1", "median", "q3", "whisker_high")


def _cell(axis: Axis, pixel: float, mark: Mark) -> Cell:
    value, low, high = (
        float(v) for v in axis.to_value([pixel, pixel - 1.645 * mark.sigma, pixel + 1.645 * mark.sigma])
    )
    if not math.isfinite(value):
        return Cell(None, "nan", "refused", "outside the range of the axis", (mark.x, mark.y))
    text = number_text(value, resolution(axis, pixel))
    return Cell(value, text, "read", "", (mark.x, mark.y), min(low, high), max(low, high))


def histogram_table(panel: Panel, series: Sequence[Series]) -> Table | Unreadable:
    """`bin low`, `bin high` and one count column a series; bins from the first to the last drawn, from low to high.

    The bins of lying bars (beside a scatter plot) stand along the y axis, their counts along the x axis.
    """
    if panel.x is None or panel.y is None:
        return Unreadable("an axis of the histogram could not be calibrated")
    lying = all(one.orientation == "horizontal" for one in series)
    along, counts = (panel.y, panel.x) if lying else (panel.x, panel.y)
    names = [one.name or (counts.label if len(series) == 1 else f"series {i}") for i, one in enumerate(series, 1)]
    rows = _bins(counts, series, lying)
    edges = _edges(along, [edge for box, _ in rows for edge in (box.x0, box.x1)])
    body = [(low, high, *cells) for low, high, (_, cells) in zip(edges[::2], edges[1::2], rows, strict=True)]
    if lying and along.slope < 0:
        body = [(low, high, *cells) for high, low, *cells in body[::-1]]
    return Table(("bin low", "bin high", *(name or "count" for name in names)), tuple(body), "histogram", panel.title)


def _bins(axis: Axis, series: Sequence[Series], lying: bool) -> list[tuple[Box, list[Cell]]]:
    """The bins along their axis, each with a count per series; bins of several series that lie on each other are one.

    Boxes of `lying` bars are turned: x0 and x1 are the edges of the bins for all.
    """
    marks = [(_turned(mark.box) if lying else mark.box, mark, index)
             for index, one in enumerate(series) for mark in one.marks if mark.box is not None]  # fmt: skip
    rows: list[tuple[Box, list[Cell]]] = []
    for box, mark, index in sorted(marks, key=lambda each: each[0].x0 + each[0].x1):
        last = rows[-1][0] if rows else None
        if last is None or abs(box.centre[0] - last.centre[0]) > 0.4 * min(box.width, last.width):
            rows.append((box, [MISSING] * len(series)))
        rows[-1][1][index] = _cell(axis, mark.x if lying else mark.y, mark)
    for index in range(len(series)):
        own = [box for box, _, at in marks if at == index]
        for box, cells in rows:
            if cells[index] is MISSING and _continues(box, own):
                cells[index] = EMPTY
    return rows


def _turned(box: Box) -> Box:
    return Box(box.y0, box.x0, box.y1, box.x1)


def _continues(box: Box, own: Sequence[Box]) -> bool:
    """Whether a bin is one of the even bins of a series, beyond those that it has ink in."""
    if len(own) < 2:
        return False
    width = float(np.median([one.width for one in own]))
    nearest = min(own, key=lambda one: abs(one.centre[0] - box.centre[0]))
    steps = abs(nearest.centre[0] - box.centre[0]) / max(width, 1e-9)
    return abs(box.width / max(width, 1e-9) - 1) < 0.1 and steps > 0.7 and abs(steps - round(steps)) < 0.12


def _edges(axis: Axis, pixels: Sequence[float]) -> list[Cell]:
    """Edges of bins, on round numbers where all of them are within a pixel of such."""
    values = axis.to_value(np.asarray(pixels, dtype=np.float64))
    if axis.scale == "linear":
        values = _on_round(values, abs(axis.slope))
    texts = [number_text(float(v), resolution(axis, p)) for v, p in zip(values, pixels, strict=True)]
    return [Cell(float(v), text, source="pixel") for v, text in zip(values, texts, strict=True)]


def _on_round(values: Floats, per_pixel: float) -> Floats:
    """Values moved onto round numbers, also where strokes put all of them beside these by the same part of a pixel."""
    for shift in (0.0, 0.5, -0.5, 1.0, -1.0):
        moved = values - shift * per_pixel
        snapped = snap_numbers(moved, per_pixel)
        if snapped is not moved:
            return snapped
    return values


def box_table(panel: Panel, series: Sequence[Series]) -> Table | Unreadable:
    """A row per box: category, `series` where there are several, the five numbers, outliers."""
    horizontal = series[0].orientation == "horizontal"
    key, axis = (panel.y, panel.x) if horizontal else (panel.x, panel.y)
    if axis is None:
        return Unreadable("the value axis of the box plot could not be calibrated")
    several = len(series) > 1 and any(one.name for one in series)
    header = (key.label if key and key.label else "category", *(("series",) if several else ()), *FIVE, "outliers")
    rows = []
    for one in series:
        for group in _boxes(one.marks):
            at = group[0].y if horizontal else group[0].x
            name = (Cell(one.name, one.name, source="ocr"),) if several else ()
            rows.append((at, (_key_cell(key, at, several), *name, *_numbers(axis, group, horizontal))))
    return Table(header, tuple(row for _, row in sorted(rows, key=lambda r: r[0])), "box", panel.title)


def _boxes(marks: Sequence[Mark]) -> list[list[Mark]]:
    """Marks come box by box, a new one with each whisker_low."""
    groups: list[list[Mark]] = []
    for mark in marks:
        if mark.part == "whisker_low" or not groups:
            groups.append([])
        groups[-1].append(mark)
    return groups


def _numbers(axis: Axis, group: Sequence[Mark], horizontal: bool) -> list[Cell]:
    def read(mark: Mark) -> Cell:
        return _cell(axis, mark.x if horizontal else mark.y, mark)

    parts = {mark.part: mark for mark in group}
    cells = [read(parts[part]) if part in parts else MISSING for part in FIVE]
    outliers = sorted((read(mark) for mark in group if mark.part == "outlier"), key=lambda cell: float(cell.value or 0))
    return [*cells, Cell(";".join(cell.text for cell in outliers), ";".join(cell.text for cell in outliers))]


def _key_cell(key: Axis | None, pixel: float, grouped: bool) -> Cell:
    """The category of a box; boxes on a labelled number, or side by side around it, belong to that number."""
    if key is None:
        return Cell(None, "nan", "refused", "this axis could not be calibrated")
    if key.scale == "linear" and key.anchors:
        near = sorted(abs(one.pixel - pixel) for one in key.anchors)
        anchor = min(key.anchors, key=lambda one: abs(one.pixel - pixel))
        if grouped or near[0] < max(1.5, 0.05 * near[-1]):
            return Cell(anchor.value, number_text(anchor.value, abs(key.slope)))
    if key.scale == "date" and key.anchors:  # months and quarters are names here
        text = min(key.anchors, key=lambda one: abs(one.pixel - pixel)).text
        return Cell(text, text, source="ocr")
    if key.scale != "category":
        value = float(key.to_value(pixel))
        return Cell(value, number_text(value, resolution(key, pixel, 1.0)))
    slot = round(float(key.to_value(pixel)))
    if 0 <= slot < len(key.categories):
        return Cell(key.categories[slot], key.categories[slot], source="ocr")
    return Cell(None, "nan", "refused", "no label stands at this category")
