"""Low bars at the ends of a row of outlined ones, of which nothing but the outline is left to see.

Upright frame as in `rectangles`. Not handled here: bars that touch (`low_bins`), low bars between higher ones (they
stand on cells that are there), bars that hang.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tools.bar_sheets import far_from
from tools.ink import PlotInk
from tools.low_bins import led_on
from tools.rectangles import Floats32, Frame
from tools.slots import Bars
from tools.types import Floats

REACH = 8  # px above the base: what is higher was seen as a bar
FAR = 60  # cells beyond the last one that was seen
INSET = 1.5  # px from the sides of a bar, where its own outline runs up
GAP = 3.0  # px between bars, at least: what lies there is the axis
OVER = 0.5  # px that a bar reaches higher than the axis beside it
WIDE = 0.85  # of a bar's columns are inked


def with_rims(one: Bars, ink: PlotInk, frame: Frame, half: float, base: float) -> Bars:
    """The bars led on, at both ends, to the last place where the stroke around a bar is seen over the axis.

    half: of the stroke's thickness (px): so much higher than its bar it reaches.
    """
    cells, heights = one.cells, [r.height for r in one.rectangles]
    if cells is None or cells.touching or len(cells.lefts) != len(heights) or not heights:
        return one
    if max(r.bottom for r in one.rectangles) > base + 1 or cells.grid.period - _width(one) < GAP:
        return one
    contrast = np.asarray(frame.upright(far_from(ink.pixels, ink.background)), dtype=np.float32)
    darkness = float(np.percentile(contrast, 99.5))
    if darkness <= 0:
        return one
    inked = np.minimum(contrast / darkness, 1.0).astype(np.float32)
    ends = [_beyond(inked, one, half, base, way) for way in (-1, 1)]
    cells, rectangles = led_on(cells, one.rectangles, (ends[0], ends[1]), base)
    return replace(one, cells=cells, rectangles=rectangles)


def _width(one: Bars) -> float:
    return float(np.median([r.width for r in one.rectangles]))


def _beyond(inked: Floats32, one: Bars, half: float, base: float, way: int) -> list[float]:
    """Heights of the bars from the end outwards, up to the last that can be seen."""
    end, width, period = one.rectangles[0 if way < 0 else -1], _width(one), one.cells.grid.period if one.cells else 0.0
    heights: list[float] = []
    for k in range(1, FAR + 1):
        left = end.left + way * k * period
        if left < 0 or left + width > inked.shape[1] - 1:
            break
        over = _ink_above(inked, left + INSET, left + width - INSET, base)
        spare = (period - width) / 2  # beside a bar: half the gap to its neighbour
        axis = max(_ink_above(inked, left - spare - 1, left - 0.8, base),
                   _ink_above(inked, left + width + 0.8, left + width + spare + 1, base))  # fmt: skip
        heights.append(max(over - half, 0.0) if over > axis + OVER else 0.0)
    seen = np.flatnonzero(np.array(heights) > 0.2)
    return heights[: int(seen[-1]) + 1] if len(seen) else []


def _ink_above(inked: Floats32, left: float, right: float, base: float) -> float:
    """How far (px) ink reaches up from the base between two sides, 0 where there is none all the way."""
    below = int(np.floor(base + 0.5))  # the row that the base runs through: part of it lies above
    part = inked[max(0, below - REACH) : below, max(0, int(np.ceil(left))) : int(right) + 1]
    if not part.size:
        return 0.0
    profile: Floats = np.where((part > 0.1).mean(axis=1) >= WIDE, np.median(part, axis=1), 0.0).astype(np.float64)
    amount = 0.0
    for row in profile[::-1]:  # up from the base until the paper shows
        if row <= 0.1:
            break
        amount += min(row, 1.0)
    return amount + base + 0.5 - below if 0 < amount < len(profile) - 0.5 else 0.0
