"""Strips of points: several of one series over one category, jittered so that they can be seen.

Not handled here: reading the points (`points`), their rows in the table (`tabulate`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tools.types import Panel, Series

FEWEST = 3  # points over a category


def are_strips(panel: Panel, series: Sequence[Series]) -> bool:
    """Whether points of one series stand beside each other over a category: no curve runs through such."""
    key = panel.x
    if key is None or key.scale != "category":
        return False
    for one in series:
        slots = Counter(round(float(key.to_value(mark.x))) for mark in one.marks if mark.part == "marker")
        if one.kind == "points" and slots and max(slots.values()) >= FEWEST:
            return True
    return False
