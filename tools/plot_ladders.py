"""How far a plot reaches along the ladder of numbers at its left: fills hide the grid lines that would show it.

A candidate made from what is left of the grid ends where an area or bars begin; the numbers beside it go on, in the
same steps of value and of pixels.
Not handled here: log scales, ladders at the right or along the foot, labels that were misread (the ladder ends there).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tools.layout import label_sides, ladder_area
from tools.numbers import Quantity, parse_number
from tools.overlaps import shared
from tools.plot_reach import reaching
from tools.ridges import Gray
from tools.types import Box, Floats, Word

NEAR = 3.5  # heights of a label between its right edge and the plot
ALIGNED = 0.35  # heights of a label: right edges that stand in one column
FEWEST = 4  # numbers of a ladder
OWN = 2  # of them beside the candidate itself
OFF = 1.5  # px that a number may stand off the line through the others
BEYOND = 0.5  # steps that a ladder goes on at least
PIECE = 0.9  # of a rectangle of lines that lies in a plot: it is a piece of that


def on_ladder(box: Box, words: Sequence[Word]) -> Box:
    """The box grown upwards and downwards to the last numbers of the linear ladder at its left; else as it is.

    `words` in figure pixels. Only numbers on one line of value against pixel count, `OWN` of them beside the box.
    """
    column = _column(box, words)
    if len(column) < FEWEST:
        return box
    rows, values = (np.array(part) for part in zip(*column, strict=True))
    whole = _on_one_line(rows, values)
    beside = rows[whole & (rows > box.y0 - 3) & (rows < box.y1 + 3)]
    if whole.sum() < FEWEST or len(beside) < OWN:
        return box
    rows = np.sort(rows[whole])
    step = float(np.median(np.diff(rows)))
    if np.diff(rows).min() < 0.7 * step:
        return box
    y0 = rows[0] if rows[0] < box.y0 - BEYOND * step else box.y0
    y1 = rows[-1] if rows[-1] > box.y1 + BEYOND * step else box.y1
    return Box(box.x0, float(y0), box.x1, float(y1))


def ladders_around(boxes: Sequence[Box], words: Sequence[Word], gray: Gray) -> Box | None:
    """The plot along ladders of labels on two sides that all these boxes, of lines without labels, are pieces of.

    None where there is none.
    """
    area = ladder_area(words, gray)
    if area is None:
        return None
    area = reaching(area, words, [], gray)
    labelled = label_sides(area, words, gray.shape) == 2
    return area if labelled and all(shared(box, area) > PIECE for box in boxes) else None


def _column(box: Box, words: Sequence[Word]) -> list[tuple[float, float]]:
    """(row, value) of the numbers that end right of one another at the left of the box, those nearest to it."""
    found: list[tuple[Box, float]] = []
    for word in words:
        value = parse_number(word.text) if abs(word.angle) < 5 else None
        away = box.x0 - word.box.x1
        if isinstance(value, Quantity) and 0 <= away < NEAR * (word.box.height + 1):
            found.append((word.box, value.value))
    best: list[tuple[float, float]] = []
    for edge, _ in found:
        own = [(b.centre[1], v) for b, v in found if abs(b.x1 - edge.x1) <= max(2.0, ALIGNED * (edge.height + 1))]
        best = own if len(own) > len(best) else best
    return best


def _on_one_line(rows: Floats, values: Floats) -> NDArray[np.bool_]:
    """Which of these numbers (n,) lie on the line through two of them that most lie on, falling with the row."""
    best = np.zeros(len(rows), dtype=bool)
    for i in range(len(rows)):
        for j in range(i):
            if values[i] == values[j] or (values[i] - values[j]) * (rows[i] - rows[j]) >= 0:
                continue
            slope = (rows[i] - rows[j]) / (values[i] - values[j])
            on = np.abs(rows[i] + slope * (values - values[i]) - rows) < OFF
            best = on if on.sum() > best.sum() else best
    return best
