"""Columns that points have besides x and y: the size of bubbles, and the words that stand beside them.

Not handled here: labels led to their points by lines, what a size stands for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.optimize import linear_sum_assignment

from tools.table import MISSING, Cell, Table
from tools.types import Floats, Mark, Panel, Series, Word

FEWEST = 4  # labels
REACH = 1.6  # heights of a word between it and its point
SHARE = 0.6  # of the points, or of the words inside the plot, that belong to each other
DISTINCT = 0.8  # of the labels: names differ
MARKERS = set("OoXx0Q+*ADVvCc8@·.-")  # what markers are misread as
SIZE = "size: area of the marker in square pixels"


def with_point_columns(table: Table, panel: Panel, series: Sequence[Series], words: Sequence[Word]) -> Table:
    """The table of a plot that shows nothing but points, in long form with the columns `size` of bubbles and `label` of
    the words beside points where there are such; else as it is.

    words: all words of the figure.
    """
    if table.form not in ("wide", "long") or any(one.kind != "points" for one in series):
        return table
    points = _points(table)
    places = np.array([cell.pixel for row in points for cell in row[1:2] if cell.pixel is not None])
    if len(places) != len(points) or not len(points):
        return table
    sizes = _sizes(places, [mark for one in series for mark in one.marks if mark.part == "marker"])
    rims = [math.sqrt(float(cell.value or 0.0) / math.pi) for cell in sizes or ()]
    labels = labels_beside(panel, places, words, rims)
    if sizes is None and labels is None:
        return table
    more = [cells for cells in (sizes, labels) if cells is not None]
    names = [name for name, cells in (("size", sizes), ("label", labels)) if cells is not None]
    body = tuple((*row[:-1], *(cells[k] for cells in more), row[-1]) for k, row in enumerate(points))
    head = (*table.header[:2], *_ends(table), *names, "series")
    warnings = (*table.warnings, SIZE) if sizes is not None else table.warnings
    return replace(table, header=head, rows=body, form="long", warnings=warnings)


def _ends(table: Table) -> tuple[str, ...]:
    return table.header[2:-1] if table.form == "long" else table.header[2:]


def _points(table: Table) -> list[tuple[Cell, ...]]:
    """A row (x, y, ends, series) per point; none of tables whose series share rows."""
    if table.form == "long":
        return list(table.rows) if table.header[-1] == "series" else []
    y = table.header[1]
    if table.header[2:] not in ((), (f"{y} low", f"{y} high")):
        return []
    name = Cell(y, y, source="ocr")
    return [(*row, name) for row in table.rows]


def _sizes(places: Floats, marks: Sequence[Mark]) -> list[Cell] | None:
    """The area of the marker at each place (n, 2); None where markers have no sizes."""
    if not marks or any(mark.box is None for mark in marks):
        return None
    at = np.array([(mark.x, mark.y) for mark in marks])
    found = []
    for x, y in places:
        mark = marks[int(np.argmin(np.hypot(at[:, 0] - x, at[:, 1] - y)))]
        across = mark.box.width if mark.box is not None else 0.0
        area = math.pi / 4 * across**2
        low, high = (math.pi / 4 * max(0.0, across + end) ** 2 for end in (-1.0, 1.0))
        found.append(Cell(area, f"{area:.1f}", "read", "", (float(x), float(y)), low, high))
    return found


def labels_beside(
    panel: Panel, places: Floats, words: Sequence[Word], reach: Sequence[float] = ()
) -> list[Cell] | None:
    """The word beside each of these points (n, 2; figure pixels), each at one point; None where they are no labels.

    reach: (n,) px from the middle of each marker to its rim, if known. Labels they are where most of the points have
    one, or most of the words in the plot stand at one.
    """
    legend = panel.legend.box
    inside = [
        word for word in words
        if panel.plot.contains(*word.box.centre) and abs(word.angle) < 5 and len(word.text.strip()) > 1
        and not (legend is not None and legend.contains(*word.box.centre))
    ]  # fmt: skip
    inside = [word for word in inside if len(reach) or not _spells_markers(word, places)]  # bubbles hold names
    if len(inside) < FEWEST:
        return None
    rims = list(reach) or [0.0] * len(places)
    far = np.array([[_far(word, x, y, rim) for word in inside] for (x, y), rim in zip(places, rims, strict=True)])
    point, word = linear_sum_assignment(np.minimum(far, 10 * REACH))
    pairs = {int(p): inside[int(w)] for p, w in zip(point, word, strict=True) if far[p, w] <= REACH}
    if len(pairs) < FEWEST or len(pairs) < SHARE * min(len(places), len(inside)):
        return None
    if len({one.text for one in pairs.values()}) < DISTINCT * len(pairs):
        return None
    return [Cell(pairs[k].text, pairs[k].text, source="ocr") if k in pairs else MISSING for k in range(len(places))]


def _spells_markers(word: Word, places: Floats) -> bool:
    """Whether a word is but markers in a row, which read as letters: it lies over a point for every other letter."""
    box, text = word.box, word.text.replace(" ", "")
    over = (places[:, 0] >= box.x0) & (places[:, 0] <= box.x1) & (places[:, 1] >= box.y0) & (places[:, 1] <= box.y1)
    return 2 * int(over.sum()) >= len(text) or (len(text) < 4 and set(text) <= MARKERS)


def _far(word: Word, x: float, y: float, rim: float) -> float:
    """From the rim of a marker to the box of a word, in heights of the word."""
    aside = max(word.box.x0 - x, x - word.box.x1, 0.0)
    above = max(word.box.y0 - y, y - word.box.y1, 0.0)
    return max(0.0, math.hypot(aside, above) - rim) / max(word.box.height, 1.0)
