"""Names printed at the right ends of curves, in whatever colour: the word on the height of an end belongs to its curve.

Where a legend, or labels of different colours (`direct_labels`), name the curves, this is not asked.
Not handled here: names at the left ends or along a curve, names moved off their curve and joined to it by a leader.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from scipy.optimize import linear_sum_assignment

from tools.types import Box, Mark, Panel, Series, Word

REACH = 3.0  # times the height of a name: how far behind the end of its curve it may begin
OFF = 0.9  # times that height: how far its middle may stand above or below the end
BEFORE = 0.5  # times that height: how far it may begin before the last point


def named_at_ends(panel: Panel, series: Sequence[Series], words: Sequence[Word]) -> list[Series]:
    """The series, nameless curves (two at least, and only all of them) with the names that stand at their right ends.

    `words`: what may name a series of this panel, in figure pixels (`names.words_near`).
    """
    found = list(series)
    bare = [k for k, one in enumerate(found) if not one.name and _is_curve(one)]
    if panel.legend.entries or len(bare) < 2 or len(bare) != len(found):
        return found
    ends = [max(found[k].marks, key=lambda mark: mark.x) for k in bare]
    words = [word for word in words if sum(c.isalpha() for c in word.text) >= 2]
    for k, name in zip(bare, _assigned(ends, _lines(words)) or _assigned(ends, words), strict=False):
        found[k] = replace(found[k], name=name)
    return found


def _assigned(ends: Sequence[Mark], names: Sequence[Word]) -> list[str]:
    """For each end of a curve the text beside it, one each at the least distance; empty where not all have one."""
    costs = np.array([[_off(one.box, end.x, end.y) for one in names] for end in ends]).reshape(len(ends), -1)
    if costs.shape[1] < len(ends):
        return []
    rows, columns = linear_sum_assignment(np.minimum(costs, 1e6))
    return [names[k].text for k in columns.tolist()] if np.isfinite(costs[rows, columns]).all() else []


def _is_curve(one: Series) -> bool:
    return one.kind in ("line", "step") and one.orientation == "vertical" and bool(one.marks)


def _off(box: Box, x: float, y: float) -> float:
    """How far, in its heights, a name stands above or below the end of a curve; inf where it is not beside it."""
    line = box.height + 1
    away = abs(box.centre[1] - y) / line
    return away if -BEFORE * line <= box.x0 - x <= REACH * line and away <= OFF else float("inf")


def _lines(words: Sequence[Word]) -> list[Word]:
    """The words, those straight under each other at one left edge joined."""
    joined: list[Word] = []
    for word in sorted(words, key=lambda w: w.box.y0):
        line = word.box.height + 1
        for k, label in enumerate(joined):
            beneath = -0.3 * line <= word.box.y0 - label.box.y1 <= 0.4 * line
            if beneath and abs(label.box.x0 - word.box.x0) <= 0.3 * line:
                joined[k] = Word(f"{label.text} {word.text}", label.box.union(word.box))
                break
        else:
            joined.append(word)
    return joined
