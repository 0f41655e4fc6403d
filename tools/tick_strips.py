"""Labels that touch or overlap each other, read one by one: a strip of the figure per tick mark.

Turned names as high as their ticks are apart, and numbers in a column without a gap between them, are one blob of ink
to a detector of text. The ticks say where each label stands.
Not handled here: slanted labels, ticks that are not evenly spaced (logarithms), labels wider than their ticks are
apart, figures whose text is not read from pixels.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tools.ladders import HORIZONTAL, Ladder, place
from tools.ridges import luma, spans
from tools.text_networks import recognise
from tools.types import Box, Floats, Image, Side, Word

FEWEST, MOST = 4, 31  # ticks: three are too few to be sure, more have labels only now and then
WIDTHS = (0.5, 0.55, 0.6)  # of a step, to either side of the tick
ACCENT = 0.15  # what an accent costs: a piece of the next label looks like one
READ = 0.6  # mean character probability
INK = 60  # grey levels off the paper


def ladder_at_ticks(pixels: Image, plot: Box, side: Side, ticks: Floats) -> Ladder | None:
    """The labels of one side, one per tick mark; None where these are few or uneven, or hardly any of them has one.

    pixels: (H, W, 3) uint8 RGB; plot: of the panel; ticks: (n,) float64 pixels along the axis, in the same frame.
    """
    ticks = np.sort(ticks)
    if not FEWEST <= len(ticks) <= MOST:
        return None
    step = float(np.median(np.diff(ticks)))
    if step < 8 or np.abs(np.diff(ticks) - step).max() > max(1.5, 0.08 * step):
        return None
    band = _band(pixels, plot, side, ticks, step)
    if band is None:
        return None
    turns = (1, -1) if side in HORIZONTAL and band[1] - band[0] > 1.2 * step else (0,)
    read = [_read(pixels, side, ticks, step, band, turn) for turn in turns]
    texts, turn = max(zip(read, turns, strict=True), key=lambda one: sum(score for _, score in one[0]))
    words = [
        Word(text, _box(side, tick, step, band), 90.0 * turn, score)
        for tick, (text, score) in zip(ticks, texts, strict=True)
        if score >= READ and text
    ]
    if len(words) < max(FEWEST - 1, int(0.8 * len(ticks))) or len({word.text for word in words}) == 1:
        return None  # one text over and over: the tick marks themselves
    labels = tuple(place(word, plot, side) for word in words)
    return Ladder(side, labels, min(label.near for label in labels), max(label.far for label in labels))


def _band(pixels: Image, plot: Box, side: Side, ticks: Floats, step: float) -> tuple[int, int] | None:
    """Between which rows (columns, for labels to the left or right) the labels stand: the first ink beyond the ticks.

    It ends where the strips of all ticks are bare for a third of a step.
    """
    crop, start, way = _beyond(pixels, plot, side)
    if crop.shape[0] < 8:
        return None
    grey = luma(crop).astype(np.int16)
    inked = np.abs(grey - np.median(grey)) > INK
    first, last = max(0, round(ticks[0] - 0.45 * step)), round(ticks[-1] + 0.45 * step) + 1
    rows: NDArray[np.bool_] = np.any(inked[:, first:last], axis=1)
    stubs = inked[:, [min(inked.shape[1] - 1, max(0, round(t))) for t in ticks]].mean(axis=1) > 0.7
    clear = int(np.argmin(stubs & rows)) if stubs.any() else 0  # rows of the tick marks themselves
    runs = _joined([run for run in spans(rows) if run[0] >= clear], 0.3 * step)
    run = next(((a, b) for a, b in runs if b - a >= 5), None)
    if run is None:
        return None
    ends = sorted((start + way * run[0], start + way * run[1]))
    return ends[0], ends[1]


def _beyond(pixels: Image, plot: Box, side: Side) -> tuple[Image, int, int]:
    """What lies beyond this side of the plot, its first row next to the plot and the ticks across; where that row is
    in the figure, and whether rows count up (1) or down (-1) from there."""
    reach = round(0.5 * (plot.width if side in HORIZONTAL else plot.height) + 60)
    height, width = pixels.shape[:2]
    if side == "bottom":
        first = min(height, round(plot.y1) + 2)
        return pixels[first : first + reach], first, 1
    if side == "top":
        first = max(0, round(plot.y0) - 2)
        return pixels[max(0, first - reach + 1) : first + 1][::-1], first, -1
    if side == "right":
        first = min(width, round(plot.x1) + 2)
        return pixels[:, first : first + reach].swapaxes(0, 1), first, 1
    first = max(0, round(plot.x0) - 2)
    return pixels[:, max(0, first - reach + 1) : first + 1][:, ::-1].swapaxes(0, 1), first, -1


def _joined(runs: Sequence[tuple[int, int]], gap: float) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for start, end in runs:
        if found and start - found[-1][1] <= gap:
            found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def _read(
    pixels: Image, side: Side, ticks: Floats, step: float, band: tuple[int, int], turn: int
) -> list[tuple[str, float]]:
    """Text and mean character probability of each tick's strip, the best of some widths."""
    ways = [
        recognise([_strip(pixels, side, tick, width * step, band, turn) for tick in ticks]) for width in WIDTHS
    ]  # fmt: skip
    return [max(found, key=lambda one: one[1] - ACCENT * (not one[0].isascii())) for found in zip(*ways, strict=True)]


def _strip(pixels: Image, side: Side, tick: float, half: float, band: tuple[int, int], turn: int) -> Image:
    """The strip of one tick, so that its text runs to the right: text turned by 90 degrees runs up."""
    box = _box(side, tick, 2 * half, (band[0] - 3, band[1] + 3))
    rows, columns = box.slices(*pixels.shape[:2])
    crop: NDArray[np.uint8] = pixels[rows, columns]
    if not crop.size:
        return np.full((8, 8, 3), 255, np.uint8)
    return np.ascontiguousarray(np.rot90(crop, -turn))


def _box(side: Side, tick: float, step: float, band: tuple[int, int]) -> Box:
    if side in HORIZONTAL:
        return Box(tick - step / 2, band[0], tick + step / 2, band[1])
    return Box(band[0], tick - step / 2, band[1], tick + step / 2)
