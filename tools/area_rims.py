"""Strokes along the top borders of areas, in layers of their own: which they are, and the borders that they show.

Not handled here: strokes in the very colour of their area (`areas` tells their thickness), along both sides of a band.
"""

from __future__ import annotations

import numpy as np

from tools.ink import Layer, PlotInk
from tools.trace import INK, Trace, follow, stroke_width
from tools.types import Floats

TINT = 12.0  # RGB units between the colour of an area and a tint of that of its stroke
THICKEST = 16  # px of a stroke
FOOT = 2.5  # px above the base that tell nothing of a stroke
WIDE = 8  # columns of a stroke along an area
ALONG, ABOVE = 0.85, 0.25  # shares of its columns with the area right below it (at least), above it (at most)


def is_rim(ink: PlotInk, stroke: Layer, area: Layer) -> bool:
    """Whether a layer is the stroke along the top border of an area: of its colour or a stronger one, the area right
    below it and not above it, nearly all the way."""
    paper, strong, weak = (np.asarray(c, dtype=np.float64) for c in (ink.background, stroke.colour, area.colour))
    strong, weak = strong - paper, weak - paper
    share = float(weak @ strong / max(float(strong @ strong), 1.0))
    if not 0.1 < share <= 1.1 or float(np.abs(weak - share * strong).max()) > TINT:
        return False
    own, fill = stroke.coverage > 0.5, area.coverage > 0.5
    columns = np.flatnonzero(own.any(axis=0))
    if columns.size < WIDE or columns.size < 0.8 * fill.any(axis=0).sum():
        return False
    top = np.argmax(own, axis=0)[columns]  # and where its first run ends: what shows of grid lines lies deeper
    after = ~own[:, columns] & (np.arange(own.shape[0])[:, None] > top)
    bottom = np.where(after.any(axis=0), np.argmax(after, axis=0), own.shape[0]) - 1
    if stroke_width(stroke.coverage.astype(np.float64), INK) > THICKEST:
        return False  # the area itself, with its colour as seen before it was told by regions
    below = fill[np.minimum(bottom + 2, own.shape[0] - 1), columns]
    above = fill[np.maximum(top - 3, 0), columns] & (top > 3)
    return bool(below.mean() > ALONG and above.mean() < ABOVE)


def along_rim(rim: Layer, area: Layer, top: Floats, off: Floats, base: float) -> tuple[Floats, Floats]:
    """The border (rows, w) where the middle of its stroke is seen; elsewhere as it was, doubted by a thickness.

    The caps of the stroke, which jut out beyond the area, carry no border.
    """
    coverage = rim.coverage.copy()
    coverage[max(0, int(base - FOOT)) :] = 0.0  # where the axis runs along the area, its blend may look like the stroke
    trace = follow(coverage, rim.hidden)
    if not isinstance(trace, Trace):
        return top, off
    seen = np.isfinite(trace.y)
    border = np.where(seen, trace.y, top)
    tall = np.flatnonzero((area.coverage > 0.5).sum(axis=0) > 1.5 * trace.stroke)
    cap = int(np.ceil(trace.stroke)) + 1
    for first, last in ((tall[0] - cap, tall[0]), (tall[-1] + 1, tall[-1] + 1 + cap)) if tall.size else ():
        border[max(0, first) : max(0, last)] = base
    return border, np.where(seen, 0.0, off + trace.stroke)
