"""Points coloured by a value: the inks of one colour scale are one series, not a series each.

Colours of a scale lie close one after the other, those of a palette far apart. Read after the points of each ink.

Not handled here: the values behind the colours, scales of fewer than `LEAST` inks, points with a legend of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.types import Series

LEAST = 5  # inks of a scale
STEP = 50.0  # RGB distance between neighbours along a scale, usually
LEAP = 130.0  # at most: where no point has the colours between


def one_scale(found: Sequence[Series]) -> tuple[Series, ...]:
    """The series (kind "points"), all in one where none has a name and their colours make up a scale, else as they are.

    The one series has the colour of the largest and its marks (figure pixels) from left to right.
    """
    if len(found) < LEAST or any(one.name or one.kind != "points" for one in found):
        return tuple(found)
    if len({(one.axis, one.orientation) for one in found}) > 1:
        return tuple(found)
    steps = _steps([one.colour for one in found])
    if float(np.median(steps)) > STEP or max(steps) > LEAP:
        return tuple(found)
    largest = max(found, key=lambda one: len(one.marks))
    marks = sorted((mark for one in found for mark in one.marks), key=lambda mark: mark.x)
    return (replace(largest, marks=tuple(marks)),)


def _steps(colours: Sequence[tuple[int, int, int]]) -> list[float]:
    """RGB distances along the shortest tree that joins all colours (grown from the first one, nearest next)."""
    at = np.asarray(colours, dtype=np.float64)
    away = np.linalg.norm(at - at[0], axis=1)
    left, steps = list(range(1, len(at))), []
    while left:
        nearest = min(left, key=lambda k: float(away[k]))
        steps.append(float(away[nearest]))
        left.remove(nearest)
        away = np.minimum(away, np.linalg.norm(at - at[nearest], axis=1))
    return steps
