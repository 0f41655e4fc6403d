"""How the boxes of plots lie to each other: inside, over each other, in one row or grid (figure pixels).

Not handled here: which of two plots is the right one (`panels`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tools.types import Box


def inside(inner: Box, outer: Box) -> bool:
    """Whether a box lies in another one, clear of its sides."""
    margin = 4
    across = outer.x0 + margin < inner.x0 and inner.x1 < outer.x1 - margin
    return across and outer.y0 + margin < inner.y0 and inner.y1 < outer.y1 - margin


def shared(box: Box, other: Box) -> float:
    """Share of `box` that lies in the other one."""
    width = min(box.x1, other.x1) - max(box.x0, other.x0)
    height = min(box.y1, other.y1) - max(box.y0, other.y0)
    return max(0.0, width) * max(0.0, height) / max(1.0, box.width * box.height)


def same_grid(box: Box, other: Box) -> bool:
    """Do the boxes share a row or a column, with the same extent along it and about the same size?"""
    row = abs(box.y0 - other.y0) <= 3 and abs(box.y1 - other.y1) <= 3 and 0.5 < box.width / other.width < 2
    return row or (abs(box.x0 - other.x0) <= 3 and abs(box.x1 - other.x1) <= 3 and 0.5 < box.height / other.height < 2)


def overlap_in_row(box: Box, other: Box) -> bool:
    """Whether two boxes of one height overlap side by side."""
    level = abs(box.y0 - other.y0) <= 3 and abs(box.y1 - other.y1) <= 3
    return level and min(box.x1, other.x1) - max(box.x0, other.x0) > 0.05 * min(box.width, other.width)


def same_row(box: Box, others: Sequence[Box]) -> bool:
    """Overlaps with the row, and does not lie below one of its panels."""
    shared = [min(box.y1, other.y1) - max(box.y0, other.y0) for other in others]
    lower = [min(box.height, other.height) for other in others]
    return bool(np.median(np.array(shared) / np.array(lower)) > 0.5)
