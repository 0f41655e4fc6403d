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


def with_facet_legends(panels: Sequence[Panel]) -> tuple[Panel, ...]:
    """The panels, those of small multiples without a legend having the only one there is; its box is no part of it."""
    own = [one for one in panels if one.legend.entries]
    if len(own) != 1 or len(panels) < 3 or not all(are_multiples(own[0], one) for one in panels):
        return tuple(panels)
    return tuple(one if one is own[0] else replace(one, legend=Legend(own[0].legend.entries)) for one in panels)


def are_multiples(one: Panel, other: Panel) -> bool:
    """Whether two plots have one size, and x and y axes with the same values at the same places of the plot."""
    sizes = abs(one.plot.width - other.plot.width), abs(one.plot.height - other.plot.height)
    if max(sizes) > ALIKE or None in (one.x, one.y, other.x, other.y):
        return False
    across = _reads_alike(one.x, other.x, (one.plot.x0, one.plot.x1), (other.plot.x0, other.plot.x1))
    return across and _reads_alike(one.y, other.y, (one.plot.y0, one.plot.y1), (other.plot.y0, other.plot.y1))


def _reads_alike(one: Axis | None, other: Axis | None, ends: tuple[float, float], others: tuple[float, float]) -> bool:
    if one is None or other is None or one.scale != other.scale or one.categories != other.categories:
        return False
    back = np.asarray(one.to_pixel(other.to_value(np.array(others))), dtype=np.float64)
    return bool(np.isfinite(back).all() and np.abs(back - np.array(ends)).max() <= ALIKE)
