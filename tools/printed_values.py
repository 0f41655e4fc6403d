"""Values printed beside bars and points: read, and preferred to the ink where the two agree.

Not handled here: values printed within the segments of stacks, percentages beside other units, values without a mark.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.optimize import linear_sum_assignment

from tools.numbers import Quantity, parse_number
from tools.table import Cell, Table
from tools.types import Box, Panel, Word

FEWEST = 3  # values
SHARE = 0.6  # of the values of a table, and of the numbers in its plot, that must agree
AWAY = 2.0  # heights of a word between it and the end of its bar
ASIDE = 0.7  # of the same across
AGREE = 2.0  # times the interval measured, and half of the last digit printed
RANGE = 0.015  # of the plot's extent, by which strokes and rounding may part the two in any case


def with_printed(table: Table, panel: Panel, words: Sequence[Word]) -> Table:
    """The table (wide, of one value axis) with the values as printed where numbers beside most of its marks agree with
    what was measured. words: all words of the figure."""
    cells = [
        (row, column, cell)
        for row, line in enumerate(table.rows) for column, cell in enumerate(line)
        if column and cell.pixel is not None and isinstance(cell.value, float) and cell.status == "read"
    ]  # fmt: skip
    spans = table.form == "wide" and not any(name.endswith((" low", " high")) for name in table.header)
    numbers = _numbers(panel, words) if spans and len(cells) >= FEWEST else []
    if len(numbers) < FEWEST:
        return table
    far = np.array([[_far(cell, box) for box, _, _ in numbers] for _, _, cell in cells])
    pairs = [
        (cells[int(k)], numbers[int(n)])
        for k, n in zip(*linear_sum_assignment(np.minimum(far, 10.0)), strict=True)
        if far[k, n] <= 1.0
    ]
    slack = RANGE * _extent(panel)
    good = [(place, number) for place, number in pairs if _agrees(place[2], number, slack)]
    if len(good) < max(FEWEST, SHARE * len(cells), SHARE * len(numbers)):
        return table
    rows = [list(row) for row in table.rows]
    for (row, column, cell), (_, value, half) in good:
        text = f"{value:.{max(0, round(-math.log10(2 * half)))}f}"
        rows[row][column] = replace(cell, value=value, text=text, low=value - half, high=value + half, source="ocr")
    return replace(table, rows=tuple(tuple(row) for row in rows))


def _numbers(panel: Panel, words: Sequence[Word]) -> list[tuple[Box, float, float]]:
    """Box, value and half of the last digit of every number printed in the plot, or a line above it."""
    legend, plot = panel.legend.box, panel.plot
    found = []
    for word in words:
        x, y = word.box.centre
        inside = plot.x0 < x < plot.x1 + word.box.width and plot.y0 - 2 * word.box.height < y < plot.y1
        told = parse_number(word.text) if inside and not (legend is not None and legend.contains(x, y)) else None
        digits = word.text.strip().lstrip("+-−")
        if isinstance(told, Quantity) and digits.replace(",", "").replace(".", "").isdigit():
            decimals = len(digits.rsplit(".", 1)[1]) if "." in digits else 0
            found.append((word.box, told.value, 0.5 * 10.0**-decimals))
    return found


def _far(cell: Cell, box: Box) -> float:
    """How far a number lies from the end of a bar or from a point: 1 is the farthest for a value of its own."""
    x, y = cell.pixel or (math.inf, math.inf)
    height = max(box.height, 1.0)
    above = max(box.y0 - y, y - box.y1, 0.0) / height
    aside = abs(box.centre[0] - x) / height
    beside = max(box.x0 - x, x - box.x1, 0.0) / height
    level = abs(box.centre[1] - y) / height
    return min(max(above / AWAY, aside / ASIDE), max(beside / AWAY, level / ASIDE))


def _agrees(cell: Cell, number: tuple[Box, float, float], slack: float) -> bool:
    _, value, half = number
    assert isinstance(cell.value, float)
    spread = (cell.high - cell.low) / 2 if cell.high is not None and cell.low is not None else 0.0
    return abs(cell.value - value) <= AGREE * spread + half + slack


def _extent(panel: Panel) -> float:
    """The largest range of a linear axis with a value on it; 0 without one."""
    spans = [abs(a.slope) * (panel.plot.width if a.horizontal else panel.plot.height)
             for a in panel.axes if a.scale == "linear"]  # fmt: skip
    return min(spans, default=0.0)
