"""Strokes around bars: the value of an outlined bar is at the middle of its edge stroke, not where its fill ends.

Upright frame as in `rectangles`. Not handled here: outlines of several colours in one plot.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tools.ink import PlotInk
from tools.rectangles import Frame, Rectangle
from tools.types import Floats

THICKEST = 8  # px
SAMPLE = 80  # bars that are looked at


def outline_half_width(ink: PlotInk, frame: Frame, bars: Sequence[Rectangle], base: float) -> float:
    """Half the thickness (px) of the stroke around the value ends of these bars; 0.0 if most have none."""
    pixels = np.asarray(frame.upright(ink.pixels), dtype=np.float64)
    paper = np.array(ink.background, dtype=np.float64)
    wide = [one for one in bars if one.width >= 3 and one.height > 1.5]
    sampled = sorted(wide, key=lambda one: -one.height)[:SAMPLE]
    found = [_stroke(pixels, paper, one, base) for one in sampled]
    measured = [thick for thick in found if thick is not None]
    if len(measured) < 2 and len(bars) > 2:
        return 0.0
    strokes = [thick for thick in measured if thick > 0.4]
    if not measured or len(strokes) < 0.6 * len(measured):
        return 0.0
    return float(np.median(strokes)) / 2


def _stroke(pixels: Floats, paper: Floats, one: Rectangle, base: float) -> float | None:
    """Thickness of what lies between the value end of the fill and the paper; None if no paper follows."""
    inset = 1 if one.last - one.first >= 3 else 0
    columns = slice(one.first + inset, one.last + 1 - inset)
    hangs = one.bottom - base > base - one.top
    if hangs:
        strip, end = pixels[::-1], len(pixels) - 1 - (one.bottom - one.below / 2)
    else:
        strip, end = pixels, one.top + one.above / 2
    nearest = int(np.floor(end - 0.5 + 0.05))  # the first row wholly beyond the fill
    rows = np.arange(nearest, nearest - THICKEST - 1, -1)
    if rows[-1] < 0 or columns.start >= columns.stop:
        return None
    if _stroke_included(strip[:, columns], nearest, one.height):
        return 0.0
    colours = np.median(strip[rows, columns], axis=1)
    contrast = np.abs(colours - paper).max(axis=1)
    strongest = float(contrast[:4].max())
    if strongest < 20:
        return 0.0
    clear = np.flatnonzero(contrast < 0.12 * strongest + 3)
    if not len(clear):
        return None
    stroke = contrast[: clear[0]] / strongest
    if not len(stroke):
        return 0.0
    # The row that fill and stroke share: what the fill leaves of it is stroke.
    return float(stroke.sum()) + max(0.0, end - 0.5 - nearest)


def _stroke_included(strip: Floats, nearest: int, height: float) -> bool:
    """Whether the end already lies in the stroke: just inside it the colour is another than deeper in the bar."""
    inside = strip[nearest + 1 : nearest + 3]
    depth = min(12, int(height) - 1)
    if depth < 6 or not len(inside):
        return False
    deep = np.median(strip[nearest + 6 : nearest + 1 + depth].reshape(-1, 3), axis=0) if depth > 6 else None
    if deep is None or not np.isfinite(deep).all():
        return False
    return bool(np.abs(np.median(inside, axis=1) - deep).max() > 50)
