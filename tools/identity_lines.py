"""The line y = x beside what is compared with it: calibration curves, ROC curves, observed against predicted.

Not handled here: other lines of reference (levels: `overlines`; fits), identity lines that the legend names.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tools.naming import value_axis
from tools.types import Panel, Series

REACH = 0.7  # of the plot, at least, along x
OFF = 0.012  # of the range along y: a line read as a staircase of dots is as far off


def without_identity(panel: Panel, series: Sequence[Series]) -> list[Series]:
    """The series without a nameless line on which y is x, as far as others are there."""
    rest = [one for one in series if one.name or not is_identity(panel, one)]
    return rest if rest else list(series)


def is_identity(panel: Panel, one: Series) -> bool:
    """Whether a curve runs along y = x over most of the plot."""
    across, up = panel.x, value_axis(panel, one)
    if one.kind not in ("line", "step") or across is None or up is None or len(one.marks) < 2:
        return False
    if any(mark.part == "marker" for mark in one.marks):  # points that lie on it
        return False
    if across.scale != up.scale or across.scale not in ("linear", "log"):
        return False
    x, y = (np.array([getattr(mark, which) for mark in one.marks]) for which in ("x", "y"))
    if np.ptp(x) < REACH * panel.plot.width:
        return False
    there = up.to_pixel(across.to_value(x))  # where the line would be
    return bool(np.percentile(np.abs(y - there), 90) < max(1.5, OFF * panel.plot.height))
