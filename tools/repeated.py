"""Plots without frames on top of each other that were seen as one: their tick labels begin anew in each of them.

Not handled here: plots side by side whose labels run on, columns in which a label could not be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from tools.numbers import Quantity, parse_ladder
from tools.types import Box, Word


def parted(boxes: Sequence[Box], words: Sequence[Word]) -> list[list[Box]]:
    """The plots that each box holds: those of its row and column of labels, or itself alone.

    The labels left of one box part its neighbours too that begin and end at the same height: a grid that shares its
    axes prints them once.
    """
    cuts = [_cuts(box, words) for box in boxes]
    found = []
    for i, box in enumerate(boxes):
        level = [
            cuts[j] for j, other in enumerate(boxes)
            if cuts[j] and abs(other.y0 - box.y0) <= 4 and abs(other.y1 - box.y1) <= 4
        ]  # fmt: skip
        spans = cuts[i] or (level[0] if level else [])
        found.append([Box(box.x0, low, box.x1, high) for low, high in spans] or [box])
    return found


def _cuts(box: Box, words: Sequence[Word]) -> list[tuple[float, float]]:
    """Top and bottom of each plot, by labels that repeat: the first and the last as far off as those of the box."""
    labels = _column(box, words)
    found = parse_ladder([word.text for word in labels])
    if len(labels) < 4 or not all(isinstance(one, Quantity) for one in found):
        return []
    values = [one.value for one in found if isinstance(one, Quantity)]
    at = [word.box.centre[1] for word in labels]
    for count in range(2, len(labels) // 2 + 1):
        if len(labels) % count == 0 and _repeats(values, at, count):
            over, under = box.y0 - at[0], box.y1 - at[-1]
            return [(at[i] + over, at[i + count - 1] + under) for i in range(0, len(labels), count)]
    return []


def _column(box: Box, words: Sequence[Word]) -> list[Word]:
    """The level words right beside the left side of the box that end at one place, from top to bottom."""
    near = [
        word for word in words
        if word.angle == 0 and -3 < box.x0 - word.box.x1 < 40 + 2 * word.box.height
        and box.y0 - word.box.height <= word.box.centre[1] <= box.y1 + word.box.height
    ]  # fmt: skip
    if not near:
        return []
    end = float(np.median([word.box.x1 for word in near]))
    height = float(np.median([word.box.height for word in near]))
    return sorted((word for word in near if abs(word.box.x1 - end) < height), key=lambda word: word.box.centre[1])


def _repeats(values: Sequence[float], at: Sequence[float], count: int) -> bool:
    """Whether every `count` labels begin anew, fall (or rise) in even steps, and stand apart from the next ones."""
    groups = [values[i : i + count] for i in range(0, len(values), count)]
    places = [at[i : i + count] for i in range(0, len(at), count)]
    steps = [b - a for group in groups for a, b in pairwise(group)]
    gaps = [b - a for group in places for a, b in pairwise(group)]
    between = [after[0] - before[-1] for before, after in pairwise(places)]
    alike = all(group == groups[0] for group in groups)
    falling = all(step < 0 for step in steps) or all(step > 0 for step in steps)
    even = max(gaps) - min(gaps) <= max(3.0, 0.1 * float(np.median(gaps)))
    return alike and falling and even and max(between) - min(between) <= 4 and min(between) > 8
