"""Charts composed in one figure: parts with blank paper all around, each of which may be read as a figure of its own.

Not handled here: grids whose panels share labels across the blank between them (one figure), frames around all.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tools.backgrounds import figure_paper
from tools.ridges import Gray
from tools.types import Box, Word

_INK = 3  # luma steps from the paper
_BLANK = 0.012  # of the smaller side: the narrowest blank between two charts
_RIM = 6.0  # px of paper left around a part
_LEAST = 0.02  # of the figure: the area of a part that may be a chart


def parts(gray: Gray, words: Sequence[Word]) -> list[Box]:
    """The parts of a figure between blanks that run right across it, or across a part; one if there are none."""
    ink = np.abs(gray.astype(np.int16) - figure_paper(gray)) > _INK
    for word in words:
        ink[word.box.slices(*gray.shape)] = True
    least = max(10.0, _BLANK * min(gray.shape))
    whole = Box(0, 0, gray.shape[1] - 1, gray.shape[0] - 1)
    found = _cut(ink, whole, least)
    large = [box for box in found if (box.width + 1) * (box.height + 1) > _LEAST * gray.size]
    return [box if _is_card(ink, box) else box.grown(_RIM) for box in large]


def _is_card(ink: NDArray[np.bool_], box: Box) -> bool:
    """Whether the part has a ground of its own that fills it: no paper of the figure belongs to it."""
    part = ink[box.slices(*ink.shape)]
    return all(float(side.mean()) > 0.9 for side in (part[0], part[-1], part[:, 0], part[:, -1]))


def _cut(ink: NDArray[np.bool_], box: Box, least: float) -> list[Box]:
    """Cut at the widest blank, down or across, and so on with both sides."""
    part = ink[box.slices(*ink.shape)]
    rows, columns = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
    if not len(rows):
        return []
    box = Box(box.x0 + columns[0], box.y0 + rows[0], box.x0 + columns[-1], box.y0 + rows[-1])
    (down, at_row), (across, at_column) = _widest(rows - rows[0]), _widest(columns - columns[0])
    if max(down, across) < least:
        return [box]
    if across >= down:
        halves = [Box(box.x0, box.y0, box.x0 + at_column, box.y1), Box(box.x0 + at_column + 1, box.y0, box.x1, box.y1)]
    else:
        halves = [Box(box.x0, box.y0, box.x1, box.y0 + at_row), Box(box.x0, box.y0 + at_row + 1, box.x1, box.y1)]
    return [one for half in halves for one in _cut(ink, half, least)]


def _widest(filled: NDArray[np.int64]) -> tuple[int, int]:
    """Width of the widest run of blank rows between filled ones, and the row in its middle."""
    gaps = np.diff(filled) - 1
    if not len(gaps) or gaps.max() <= 0:
        return 0, 0
    at = int(gaps.argmax())
    return int(gaps[at]), int((filled[at] + filled[at + 1]) // 2)
