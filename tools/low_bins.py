"""Low bins at the ends of a histogram, of which the axis leaves little to see: a faint row of ink on the base.

Upright frame as in `rectangles`. Not handled here: bins wholly under the stroke of the axis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.bar_sheets import Sheet
from tools.lattice import Cells
from tools.rectangles import Rectangle, full_level
from tools.types import Floats

REACH = 6  # px above the base: what is higher was seen as a bar
FAR = 12  # bins beyond the last one that was seen
INSET = 1.5  # px from the sides of a bin, where strokes run
FAINTEST = 0.15  # px of ink
LEAST = 0.08  # coverage of a row that counts
WIDE = 0.85  # of a bin's columns are inked
UNDER = 2.6  # px between the ink and the base that the axis hides


def with_low_ends(
    sheet: Sheet, cells: Cells, bars: tuple[Rectangle, ...], base: float
) -> tuple[Cells, tuple[Rectangle, ...]]:
    """The cells and the bars on them led on, at both ends, to the last bin with ink on the base; else as they are.

    Only for bars that touch. Ink that goes on to the edge of the plot at one height is the axis.
    """
    if not cells.touching or len(bars) != len(cells.lefts) or not bars:
        return cells, bars
    before, after = (_beyond(sheet, cells, base, way) for way in (-1, 1))
    return led_on(cells, bars, (before, after), base)


def led_on(
    cells: Cells, bars: tuple[Rectangle, ...], heights: tuple[Sequence[float], Sequence[float]], base: float
) -> tuple[Cells, tuple[Rectangle, ...]]:
    """The cells and the bars on them with further ones of these heights (px) before and after, outwards from the
    ends."""
    before, after = heights
    if not before and not after:
        return cells, bars
    period, width = cells.grid.period, float(np.median(cells.rights - cells.lefts))
    lefts = (
        [float(cells.lefts[0]) - period * (k + 1) for k in range(len(before))][::-1],
        [float(cells.lefts[-1]) + period * (k + 1) for k in range(len(after))],
    )
    added = [
        [Rectangle(left, left + width, base - height, base) for left, height in zip(at, high, strict=True)]
        for at, high in zip(lefts, (before[::-1], after), strict=True)
    ]
    starts = np.concatenate([
        cells.grid.starts[0] - period * np.arange(len(before), 0, -1), cells.grid.starts,
        cells.grid.starts[-1] + period * np.arange(1, len(after) + 1),
    ])  # fmt: skip
    every = np.concatenate([lefts[0], cells.lefts, lefts[1]])
    rights = np.concatenate([np.array(lefts[0]) + width, cells.rights, np.array(lefts[1]) + width])
    return Cells(every, rights, replace(cells.grid, starts=starts)), (*added[0], *bars, *added[1])


def _beyond(sheet: Sheet, cells: Cells, base: float, way: int) -> list[float]:
    """Heights of the bins from the end outwards, as far as there is ink; () where it never ends."""
    edge = float(cells.lefts[0] if way < 0 else cells.rights[-1])
    heights: list[float] = []
    for k in range(FAR):
        sides = sorted((edge + way * k * cells.grid.period, edge + way * (k + 1) * cells.grid.period))
        if sides[0] < -INSET or sides[1] > sheet.coverage.shape[1] - 1 + INSET:
            break
        heights.append(_height(sheet, sides[0], sides[1], base))
    seen = np.flatnonzero(np.array(heights) > 0)
    if not len(seen) or (len(seen) == len(heights) and len(heights) > 1 and float(np.ptp(heights)) < 0.3):
        return []
    return heights[: int(seen[-1]) + 1]


def _height(sheet: Sheet, left: float, right: float, base: float) -> float:
    """The height of the ink on the base between two sides, 0 where there is none all the way."""
    columns = slice(max(0, int(np.ceil(left + INSET))), int(np.floor(right - INSET)) + 1)
    rows = np.arange(max(0, int(base) - REACH), min(len(sheet.coverage), int(np.ceil(base)) + 1))
    part = sheet.coverage[rows][:, columns] / full_level(sheet.coverage)
    if part.shape[1] < 3 or not part.size:
        return 0.0
    profile: Floats = np.where((part > LEAST).mean(axis=1) >= WIDE, np.minimum(np.median(part, axis=1), 1.0), 0.0)
    inked = np.flatnonzero(profile > LEAST)
    if not len(inked) or base - rows[inked[-1]] > UNDER or profile[0] > LEAST:
        return 0.0
    first = inked[-1]
    while first > 0 and profile[first - 1] > LEAST:
        first -= 1
    amount = float(profile[first : inked[-1] + 1].sum())
    return base - (float(rows[inked[-1]]) + 0.5 - amount) if amount > FAINTEST else 0.0
