"""Bins told from bars: bars on an even grid that leave no paper between them, though strokes may part their fills.

Upright frame as in `rectangles`. Not handled here: where on an axis they belong (`slots`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from tools.colour import contrast
from tools.ink import PlotInk
from tools.lattice import Cells
from tools.rectangles import Bits, Frame, Rectangle
from tools.slots import Bars

INKED = 25.0  # of 255
WIDEST = 0.3  # of a step that strokes between two fills take
LOW = 4.0  # px: lower bars tell nothing
MOST = 0.8  # of the neighbours that must touch
APART = 0.15  # of a step between bins that lie on each other


def lent(bars: Sequence[Bars], base: float) -> list[Bars]:
    """The bars; where too few of an ink show its grid, but they stand in the bins of another one, in these bins."""
    return [
        next((found for other in bars if (found := _in_bins(one, other, base)) is not None), one)
        if one.cells is None and one.kind == "bar" else one
        for one in bars
    ]  # fmt: skip


def _in_bins(one: Bars, other: Bars, base: float) -> Bars | None:
    cells = other.cells
    if cells is None or not one.rectangles or other.kind != "bar":
        return None
    period, width = cells.grid.period, float(np.median(cells.rights - cells.lefts))
    start = float(cells.lefts[0] + cells.rights[0]) / 2
    places = (np.array([r.middle for r in one.rectangles]) - start) / period
    numbers = np.round(places).astype(int)
    fits = float(np.abs(places - numbers).max()) < APART and len(set(numbers)) == len(numbers)
    if not fits or min(r.width for r in one.rectangles) < 0.8 * period:
        return None
    every = np.arange(numbers.min(), numbers.max() + 1)
    at = dict(zip(numbers.tolist(), one.rectangles, strict=True))
    lefts = start + every * period - width / 2
    filled = [at.get(int(n), Rectangle(float(left), float(left) + width, base, base))
              for n, left in zip(every, lefts, strict=True)]  # fmt: skip
    starts = cells.grid.starts[0] + period * np.arange(every[0], every[-1] + 2)
    grid = replace(cells.grid, starts=starts)
    return replace(one, rectangles=tuple(filled), cells=Cells(lefts, lefts + width, grid))


def touching(bars: Sequence[Bars], ink: PlotInk, frame: Frame, base: float) -> list[bool]:
    """For each ink whether its bars are bins: they touch, or stand on the places of such."""
    inked = np.asarray(frame.upright(contrast(ink.pixels.astype(np.float32), np.asarray(ink.background)) > INKED))
    sure = [
        one.cells is not None and (one.cells.touching or _meet(one.rectangles, one.cells.grid.period, inked, base))
        for one in bars
    ]
    every = [one.cells for one, told in zip(bars, sure, strict=True) if told and one.cells is not None]
    return [
        told or (one.cells is not None and any(_on_each_other(one.cells, other) for other in every))
        for one, told in zip(bars, sure, strict=True)
    ]


def _meet(bars: Sequence[Rectangle], period: float, inked: Bits, base: float) -> bool:
    """Whether the columns between most neighbours are inked as far up as the lower of them."""
    told = []
    for one, other in pairwise(bars):
        columns = slice(int(np.ceil(one.right)), int(np.floor(other.left)) + 1)
        rows = slice(int(np.ceil(max(one.top, other.top))) + 2, int(np.floor(base)) - 1)
        if rows.stop - rows.start < LOW or min(one.height, other.height) < LOW:
            continue
        near = other.left - one.right < WIDEST * period
        told.append(near and (columns.stop <= columns.start or float(inked[rows, columns].mean()) > 0.95))
    return len(told) > 2 and float(np.mean(told)) >= MOST


def _on_each_other(one: Cells, other: Cells) -> bool:
    """Whether two inks have their bars at the same places."""
    if abs(one.grid.period / other.grid.period - 1) > 0.02:
        return False
    off = (float(np.mean(one.lefts + one.rights)) - float(np.mean(other.lefts + other.rights))) / 2 / other.grid.period
    off += (len(one.lefts) - len(other.lefts)) / 2  # means lie on or between places
    return abs(off - round(off)) < APART
