"""Whether an ink draws bars: filled upright rectangles that stand on a common line or on each other.

Not handled here: which of several bar inks belong together (`stacks`), hollow bars.
"""

from __future__ import annotations

import numpy as np

from tools.rectangles import Bits, Columns, Floats32, Rectangle
from tools.types import Floats

TALL = 3.5  # px: what is lower than this on the base line may as well be a line that runs along it


def bar_likeness(
    coverage: Floats32, others: Floats32, columns: Columns, found: list[Rectangle], base: float
) -> float:
    """0 to 1: the share of this ink in rectangles that stand on the base or on other solid ink, less slanted tops.

    coverage, others: (h, w) of this ink and of all other inks together, upright.
    """
    total = float(coverage.sum())
    if total < 6 or not found:
        return 0.0
    stands = sum(_area(r) for r in found if _stands(r, base))
    stacked = [r for r in found if not _stands(r, base) and r.width >= 2.5 and _supported(r, others)]
    share = min(1.0, (stands + sum(_area(r) for r in stacked)) / total)
    slanted = float(np.clip((slanted_share(columns) - 0.35) / 0.3, 0.0, 1.0))
    return share * (1.0 - slanted)


def _area(one: Rectangle) -> float:
    return max(one.width, 0.0) * max(one.height, 0.0)


def _stands(one: Rectangle, base: float) -> bool:
    on_line = abs(one.bottom - base) < 2.5 + one.below or abs(one.top - base) < 2.5
    return on_line and (one.height > TALL or (one.height > 1.2 and one.width >= 6))


def _supported(one: Rectangle, others: Floats32) -> bool:
    """Other solid ink right below the bottom, or right above the top, across most of the width."""
    height = others.shape[0]
    columns = slice(one.first, one.last + 1)
    for rows in (
        (int(one.bottom + 1.5), int(one.bottom + 4.5)),
        (int(one.top - 3.5), int(one.top - 0.5)),
    ):
        part = others[max(0, rows[0]) : max(0, min(height, rows[1] + 1)), columns]
        if part.size and float(np.mean(part.max(axis=0) >= 0.5)) > 0.7:
            return True
    return False


def slanted_share(columns: Columns) -> float:
    """How much of the rise and fall of the top edge is in slopes: equal steps in successive columns.

    Bars step between levels and stay; areas and lines climb column after column. Both ends count, whichever slants
    more, since segments hang below curves too.
    """
    return max(_slanted(columns.top, columns.present), _slanted(columns.bottom, columns.present))


def _slanted(edge: Floats, present: Bits) -> float:
    steps = np.where(present[1:] & present[:-1], np.diff(edge), 0.0)
    steps = np.nan_to_num(steps)
    size = np.abs(steps)
    climbs = size > 0.15
    if climbs.sum() < 4:
        return 0.0
    alike = climbs[1:] & climbs[:-1] & (steps[1:] * steps[:-1] > 0)
    ratio = np.minimum(size[1:], size[:-1]) / np.maximum(np.maximum(size[1:], size[:-1]), 1e-9)
    sloping = np.zeros(len(steps), dtype=bool)
    pairs = alike & (ratio > 0.4)
    sloping[1:] |= pairs
    sloping[:-1] |= pairs
    # A bar's edge may take two columns; count large jumps no more than a usual climb.
    weight = np.minimum(size, 3 * float(np.median(size[climbs])))
    return float(weight[sloping & climbs].sum() / max(weight[climbs].sum(), 1e-9))
