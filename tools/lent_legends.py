"""The one legend of small multiples: drawn inside one of them, it names the series of all.

Panels are small multiples where all are equally large and their axes say the same: charts that merely share a figure
have axes of their own, and the colours of one mean nothing in another. Not handled here: legends beside the panels,
which belong to all of them anyway (`tools.legend`), and insets (`tools.insets`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.types import Axis, Legend, Panel

ALIKE = 2.0  # px by which the sizes of two plots may differ, and their axes over the whole plot
OPEN = 0.06  # of the size: by which one end may differ where no frame closes the plot, if the axes are one scale


def with_facet_legends(panels: Sequence[Panel]) -> tuple[Panel, ...]:
    """The panels, those of small multiples without a legend having the only one there is; its box is no part of it."""
    own = [one for one in panels if one.legend.entries]
    if len(own) != 1 or not all(are_multiples(own[0], one) for one in panels):
        return tuple(panels)
    if len(panels) < 3 and not any("axis shared" in note for one in panels for a in one.axes for note in a.warnings):
        return tuple(panels)  # two charts of one scale by chance
    return tuple(one if one is own[0] else replace(one, legend=Legend(own[0].legend.entries)) for one in panels)


def are_multiples(one: Panel, other: Panel) -> bool:
    """Whether two plots have one size, and x and y axes with the same values at the same places of the plot."""
    if None in (one.x, one.y, other.x, other.y):
        return False
    across = _reads_alike(one.x, other.x, (one.plot.x0, one.plot.x1), (other.plot.x0, other.plot.x1))
    return across and _reads_alike(one.y, other.y, (one.plot.y0, one.plot.y1), (other.plot.y0, other.plot.y1))


def _reads_alike(one: Axis | None, other: Axis | None, ends: tuple[float, float], others: tuple[float, float]) -> bool:
    if one is None or other is None or one.scale != other.scale or one.categories != other.categories:
        return False
    back = np.asarray(one.to_pixel(other.to_value(np.array(others))), dtype=np.float64)
    if not np.isfinite(back).all():
        return False
    size, off = abs(ends[1] - ends[0]), np.abs(back - np.array(ends))
    stretched = abs((back[1] - back[0]) - (others[1] - others[0]))
    return bool(
        max(off.max(), stretched) <= ALIKE or (off.min() <= ALIKE and off.max() <= OPEN * size and stretched <= ALIKE)
    )
