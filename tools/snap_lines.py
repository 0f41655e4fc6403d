"""A curve read at given places: the vertices that somebody's table says there are, drawn and held against the ink.

Not handled here: which curve belongs to which series (`snapping`), finding the places (`sampling`).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.candidates import Knots
from tools.ink import Layer, PlotInk
from tools.linemarks import Blobs, find_blobs
from tools.sampling import Curve, draw
from tools.shortlist import reach_of
from tools.trace import Trace, follow
from tools.types import Floats

Mask = NDArray[np.bool_]
CLOSEST = 1.2  # px between vertices that are drawn
THICK = 6.0  # px: thicker strokes are looked up, not drawn
WELL = 0.35  # squared coverage per vertex that a good drawing may leave


@dataclass(frozen=True, eq=False)
class Guided:
    """A curve near a guide, in crop pixels: the trace, the ink that it was traced in, its markers, and how much of the
    guide's extent has ink near it (0 to 1)."""

    trace: Trace
    ink: Floats
    hidden: Mask
    blobs: Blobs
    share: float


def follow_guide(ink: PlotInk, layer: Layer, x: Floats, y: Floats, reach: float) -> Guided | None:
    """The curve of a layer that runs within `reach` px of the polyline through x, y (crop pixels, x increasing).

    None where there is none.
    """
    height, width = layer.coverage.shape
    columns = np.arange(width)
    if len(x) < 2:
        return None
    guide = np.interp(columns, x, y)
    corridor = np.abs(np.arange(height)[:, None] - guide[None]) <= _reach(guide, reach)[None]
    corridor &= ((columns >= x[0] - reach) & (columns <= x[-1] + reach))[None]
    coverage = np.where(corridor, layer.coverage, 0.0).astype(np.float64)
    hidden = np.asarray(corridor & (layer.hidden | ink.neutral) & (layer.coverage < 0.5))
    trace = follow(coverage, hidden)
    if not isinstance(trace, Trace):
        return None
    first, last = max(0, int(x[0])), min(width - 1, int(x[-1]) + 1)
    seen = np.isfinite(trace.y[first : last + 1]) | trace.hidden[first : last + 1]
    blobs = find_blobs(coverage, trace.stroke)
    return Guided(trace, coverage, hidden, blobs, float(seen.mean()) if last > first else 0.0)


def _reach(guide: Floats, reach: float) -> Floats:
    """Wider where the guide is steep: the corridor is measured up and down."""
    steep = np.abs(np.gradient(guide))
    wide = cv2.dilate(steep.reshape(1, -1), np.ones((1, 7))).ravel()
    return np.asarray(reach + 1.5 * wide, dtype=np.float64)


def values_at(guided: Guided, places: Floats) -> tuple[Floats, Floats, Mask]:
    """Rows of the curve at `places` (n,) crop columns, one sigma, and whether other ink hides it there.

    nan where the curve is not. A marker at the place is taken first, then the vertices where they draw the ink well,
    then the stroke's centre.
    """
    found, bridged = _look_up(guided.trace, places)
    sigma = np.full(len(places), 0.4)
    drawn = _drawn(guided, places)
    if drawn is not None:
        good = np.isfinite(drawn[0]) & np.isfinite(found)
        found, sigma = np.where(good, drawn[0], found), np.where(good, drawn[1], sigma)
    for x, y in zip(guided.blobs.x, guided.blobs.y, strict=True):
        found[np.abs(places - x) < max(1.5, 0.4 * guided.blobs.radius)] = y
    return found, sigma, bridged


def _look_up(trace: Trace, places: Floats) -> tuple[Floats, Mask]:
    """The centre of the stroke at fractional columns; hidden stretches and dash gaps are bridged."""
    seen = np.flatnonzero(np.isfinite(trace.y))
    if not len(seen):
        return np.full(len(places), np.nan), np.zeros(len(places), dtype=bool)
    cap = 1.5 + trace.stroke
    found = np.interp(places, seen, trace.y[seen])
    columns = np.clip(np.round(places).astype(int), 0, len(trace.y) - 1)
    after = np.clip(np.searchsorted(seen, columns), 0, len(seen) - 1)
    gap = seen[after] - seen[np.maximum(after - 1, 0)]
    bridged = ~np.isfinite(trace.y[columns])
    bare = bridged & ~trace.hidden[columns] & (gap > 12 + 6 * trace.stroke)
    outside = (places < trace.start - cap) | (places > trace.end + cap)
    return np.where(outside | bare, np.nan, found), bridged & trace.hidden[columns]


def _drawn(guided: Guided, places: Floats) -> tuple[Floats, Floats] | None:
    """Values and sigmas of the vertices matched to the ink; None where they cannot draw it."""
    trace, blobs = guided.trace, guided.blobs
    order = np.argsort(places)
    every = places[order]
    if len(every) < 4 or np.diff(every).min() <= 0 or trace.stroke > THICK:
        return None
    # vertices closer than a pixel or so cannot be told apart: every second, third, ... is drawn
    step = max(1, int(np.ceil(CLOSEST / float(np.median(np.diff(every))))))
    order = order[::step] if (len(every) - 1) % step == 0 else np.append(order[::step], order[-1])
    knots = places[order]
    valid = ~guided.hidden
    rows, columns = np.ogrid[: valid.shape[0], : valid.shape[1]]
    for x, y in zip(blobs.x, blobs.y, strict=True):
        valid &= np.maximum(abs(rows - y), abs(columns - x)) > blobs.radius * 1.5 + 1.5
    grid = Knots(knots, "said")
    found = draw(Curve(trace, guided.ink, valid, blobs), grid)
    if found is None or found.mismatch > WELL * len(found.knots) + 0.1 * (found.knots[-1] - found.knots[0]):
        return None
    carried = order[reach_of(grid, trace)[0]]
    values, sigmas = np.full(len(places), np.nan), np.full(len(places), 0.4)
    values[carried] = np.where(found.support > 0.3, found.values, np.nan)
    sigmas[carried] = found.sigma
    if step > 1:
        known = carried[np.isfinite(values[carried])]
        inside = (places >= places[known].min(initial=np.inf)) & (places <= places[known].max(initial=-np.inf))
        values = np.where(inside, np.interp(places, places[known], values[known]), np.nan)
    return values, sigmas
