"""Sides of the plots of a grid: where one plot alone is off its row or column, it has the side of the others.

Not handled here: grids of two, panels of sizes of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tools.types import Box

_ALIKE = 0.03  # of the width or height: sides that are meant to be one
_AGREED = 0.5  # px between the sides of the others and their middle: with two parties none is moved
_OFF = 0.9  # px from these


def on_grid(boxes: Sequence[Box]) -> list[Box]:
    """The boxes, each side that differs a little from the common one of two or more others moved there."""
    done = []
    for i, box in enumerate(boxes):
        others = [other for j, other in enumerate(boxes) if j != i]
        x0, x1 = _pair((box.x0, box.x1), [(other.x0, other.x1) for other in others])
        y0, y1 = _pair((box.y0, box.y1), [(other.y0, other.y1) for other in others])
        done.append(Box(x0, y0, x1, y1))
    return done


def _pair(own: tuple[float, float], others: Sequence[tuple[float, float]]) -> tuple[float, float]:
    slack = _ALIKE * (own[1] - own[0])
    mates = np.array([one for one in others if all(abs(a - b) <= slack for a, b in zip(one, own, strict=True))])
    if len(mates) < 2:
        return own
    common = np.median(mates, axis=0)
    agreed = np.abs(mates - common).max(axis=0) <= _AGREED
    moved = agreed & (np.abs(common - np.array(own)) > _OFF)
    low, high = (float(c) if m else o for c, m, o in zip(common, moved, own, strict=True))
    return low, high
