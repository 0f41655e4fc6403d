"""Axes of charts drawn by D3, moved to where they belong: it draws them half a unit beside its marks, for crisp lines.

Not handled here: other producers; axes whose line was taken away, which say nothing about such a shift.
"""

from __future__ import annotations

import re
from typing import Any

_LINE = re.compile(r"^M\s*(-?[\d.e-]+)[, ](-?[\d.e-]+)([HV])(-?[\d.e-]+)([HV])?")


def align_d3_axes(root: Any) -> None:
    """Move the axes of an SVG of D3 (an lxml tree, changed in place) by what their lines stand beside the origin."""
    for group in list(root.iter("{*}g")):
        lines = [one for one in group.iterchildren("{*}path") if "domain" in one.get("class", "").split()]
        ticks = [one for one in group.iterchildren("{*}g") if "tick" in one.get("class", "").split()]
        shift = _offset(lines[0].get("d", "")) if len(lines) == 1 and ticks else 0.0
        if abs(shift) == 0.5:
            place = f"{group.get('transform', '')} translate({-shift:g},{-shift:g})"
            group.set("transform", place.strip())


def _offset(path: str) -> float:
    """Where an axis line runs across: with ticks at its ends (`M0,6V0.5H560V6`) or without (`M0,0.5H560`)."""
    found = _LINE.match(path.replace(" ", ""))
    if found is None:
        return 0.0
    x, y, first, second, then = found.groups()
    if then is not None:
        return float(second)
    return float(y if first == "H" else x)
