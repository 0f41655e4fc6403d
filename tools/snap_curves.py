"""What is drawn at given places of one measured series: marks of bars and points, curves looked up or drawn again.

Not handled here: which series is meant and whether a spot is near enough (`snapping`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tools.align import assign, nearest_in_order
from tools.colour import is_like
from tools.ink import PlotInk
from tools.snap_lines import Guided, follow_guide, values_at
from tools.types import Axis, Evidence, Floats, Mark, Panel, Series

CORRIDOR = 6.0  # px around a measured curve in which its stroke is looked for
GUESS = 0.13  # of the plot's height: corridor around a curve that was only said
COVERED = 0.8  # share of a said curve's extent that must have ink near it
SNUG = 2.5  # px that a point's x may be off where x was read well
CORNER = 2.5  # px between a row and the corner of a step function that it names
FLAT = 1.0  # px within which a stroke between two rows is one level
OWN, OWN_MARKER = 0.3, 6.0  # px from a row within which a vertex or marker of the series is that row's


@dataclass(frozen=True, eq=False)
class Spots:
    """For each row of a draft the mark at its place (None: nothing there), and the ends of its error bar."""

    marks: tuple[Mark | None, ...]
    lows: tuple[Mark | None, ...]
    highs: tuple[Mark | None, ...]

    @property
    def found(self) -> NDArray[np.bool_]:
        return np.array([mark is not None for mark in self.marks], dtype=np.bool_)


def bare(marks: Sequence[Mark | None]) -> Spots:
    """Spots without error bars."""
    return Spots(tuple(marks), (None,) * len(marks), (None,) * len(marks))


def spots_of(panel: Panel, one: Series, key: Axis | None, pixels: Floats, wanted: Floats) -> Spots:
    """The bars or points of a series at the rows whose pixels along the key axis are `pixels` (n,), nan: unknown.

    `wanted` (n,) are the pixels of the said values along the value axis; of points they decide which is meant.
    """
    values = [mark for mark in one.marks if mark.part not in ("low", "high", "censor")]
    along = np.array([mark.x if one.orientation == "vertical" else mark.y for mark in values])
    if not len(values):
        return bare([None] * len(pixels))
    if np.isnan(pixels).mean() > 0.5 and len(values) == len(pixels):
        chosen: dict[int, int] = dict(enumerate(np.argsort(along).tolist()))
    elif one.kind in ("points", "line"):
        chosen = _points(values, pixels, wanted, panel)
    else:
        chosen = _bars(along, pixels, key)
    ends = _ends_of(one)
    picked = [values[chosen[row]] if row in chosen else None for row in range(len(pixels))]
    pairs = [ends.get(id(mark), (None, None)) for mark in picked]
    return Spots(tuple(picked), tuple(low for low, _ in pairs), tuple(high for _, high in pairs))


def _ends_of(one: Series) -> dict[int, tuple[Mark | None, Mark | None]]:
    """Low and high marks by the mark that they follow."""
    found: dict[int, tuple[Mark | None, Mark | None]] = {}
    current: Mark | None = None
    for mark in one.marks:
        if mark.part == "low" and current is not None:
            found[id(current)] = (mark, found.get(id(current), (None, None))[1])
        elif mark.part == "high" and current is not None:
            found[id(current)] = (found.get(id(current), (None, None))[0], mark)
        else:
            current = mark
    return found


def _bars(along: Floats, pixels: Floats, key: Axis | None) -> dict[int, int]:
    """{row: bar}: in the row's slot of a category axis, else the nearest bar within half a step."""
    chosen: dict[int, int] = {}
    slotted = key is not None and key.scale == "category"
    step = float(np.median(np.diff(np.sort(along)))) if len(along) > 2 else 40.0
    reach = 0.5 / abs(key.slope) if slotted and key is not None else max(1.0, 0.6 * step)
    for row, pixel in enumerate(pixels):
        if np.isfinite(pixel):
            nearest = int(np.argmin(np.abs(along - pixel)))
            if abs(along[nearest] - pixel) <= reach:
                chosen[row] = nearest
    return chosen


def _points(values: Sequence[Mark], pixels: Floats, wanted: Floats, panel: Panel) -> dict[int, int]:
    """{row: point}: one to one where x fits snugly, then leftover rows share the point nearest to them."""
    at = np.array([(mark.x, mark.y) for mark in values])
    said = np.column_stack([pixels, wanted])
    rows = np.flatnonzero(np.isfinite(said).all(axis=1))
    if not len(rows):
        return {}
    off = said[rows, None] - at[None]  # (rows, points, 2)
    tall = 0.12 * panel.plot.height
    level = np.abs(off[:, :, 1]) <= tall
    nearest = np.take_along_axis(off[:, :, 0], np.abs(np.where(level, off[:, :, 0], np.inf)).argmin(axis=1)[:, None], 1)
    sharp = float(np.mean(np.abs(nearest) < SNUG)) > 0.6
    shift = float(np.median(nearest)) if sharp else 0.0  # an axis may be off by a part of a pixel
    spread = 1.5 * float(np.median(np.abs(nearest - shift))) + 0.05
    wide, snug = (2 * SNUG, min(spread, 1.0)) if sharp else (0.06 * panel.plot.width, 0.02 * panel.plot.width)
    # squared: of points at one x the upper one is the one that was said to be higher
    away = np.square((off[:, :, 0] - shift) / snug) + np.square(off[:, :, 1] / (0.4 * tall))
    near = (np.abs(off[:, :, 0]) <= wide) & level
    chosen = {int(rows[r]): p for r, p in assign(np.where(near, 1e4 - np.minimum(away, 9e3), -1.0), 0.0)}
    for r, row in enumerate(rows):
        if int(row) not in chosen and near[r].any():
            chosen[int(row)] = int(np.argmin(np.where(near[r], away[r], np.inf)))
    return chosen


def curve_spots(panel: Panel, ink: PlotInk, one: Series, pixels: Floats, exact: bool) -> Spots:
    """A curve at the rows' pixels: interpolated between its marks; with `exact` a line is held against its ink anew."""
    marks = [mark for mark in one.marks if mark.part not in ("low", "high", "censor")]
    along = np.array([mark.x for mark in marks])
    if len(marks) < 2 or not np.isfinite(pixels).any():
        return bare([None] * len(pixels))
    if one.kind == "step":
        held = _held(marks, along, pixels)
        return bare(_levels(ink, one, marks, pixels, held) if exact else held)
    found = _interpolated(marks, along, pixels)
    off = np.array([float(np.abs(along - pixel).min()) for pixel in pixels if np.isfinite(pixel)])
    marked = any(mark.part == "marker" for mark in marks)
    own = min(OWN_MARKER, 0.2 * float(np.median(np.diff(along)))) if marked else OWN
    if exact and one.kind == "line" and (one.sampled or np.mean(off < own) < 0.7):
        guided = _own_ink(ink, one, marks)
        if guided is not None:
            found = _from_ink(ink, guided, pixels, found)
    return _with_ends(one, marks, along, pixels, found)


def _with_ends(
    one: Series, marks: Sequence[Mark], along: Floats, pixels: Floats, found: Sequence[Mark | None]
) -> Spots:  # fmt: skip
    """The error bars of the marks that stand at the rows."""
    ends = _ends_of(one)
    near = [int(np.argmin(np.abs(along - pixel))) if np.isfinite(pixel) else -1 for pixel in pixels]
    picked = [
        ends.get(id(marks[k]), (None, None)) if k >= 0 and abs(along[k] - pixel) < SNUG else (None, None)
        for k, pixel in zip(near, pixels, strict=True)
    ]
    return Spots(tuple(found), tuple(low for low, _ in picked), tuple(high for _, high in picked))


def _held(marks: Sequence[Mark], along: Floats, pixels: Floats) -> list[Mark | None]:
    """A step function has the value of the corner that a row stands at, and keeps it to the right."""
    corners = dict(nearest_in_order(pixels, along, CORNER))
    found: list[Mark | None] = []
    for row, pixel in enumerate(pixels):
        before = np.flatnonzero(along <= pixel + 0.75)
        inside = np.isfinite(pixel) and len(before) and pixel < along.max() + 4
        at = corners.get(row, int(before[-1]) if inside else -1)
        # of corners at one x (down, down again) the last one is the value
        while 0 <= at < len(along) - 1 and along[at + 1] - along[at] < 0.25:
            at += 1
        found.append(replace(marks[at], x=float(pixel)) if at >= 0 else None)
    return found


def _levels(
    ink: PlotInk, one: Series, marks: Sequence[Mark], pixels: Floats, held: Sequence[Mark | None]
) -> list[Mark | None]:  # fmt: skip
    """The level that a step function keeps between a row and the next one, from its stroke, where that can be seen."""
    found = list(held)
    path = [marks[0], *(step for a, b in pairwise(marks) for step in (replace(a, x=b.x), b))]
    guided = _own_ink(ink, one, path)
    if guided is None:
        return found
    left, top = ink.origin
    rows, clear = guided.trace.y, 0.5 * guided.trace.stroke + 0.6  # a riser's stroke is in the columns beside it
    ordered = np.unique(pixels[np.isfinite(pixels)])
    for k, pixel in enumerate(pixels):
        if not np.isfinite(pixel):
            continue
        later = ordered[ordered > pixel + 0.01]
        end = float(later[0]) if len(later) else pixel + 12
        first, last = int(np.ceil(pixel - left + clear)), int(np.floor(min(end, pixel + 40) - left - clear))
        seen = rows[max(0, first) : max(0, last + 1)]
        seen = seen[np.isfinite(seen)]
        if len(seen) and float(np.ptp(seen)) < FLAT:
            was = held[k]
            at = Mark("corner", float(pixel), float(np.median(seen)) + top, sigma=0.3)
            found[k] = at if was is None else replace(was, y=at.y, sigma=0.3, bridged=False)
    return found


def _interpolated(marks: Sequence[Mark], along: Floats, pixels: Floats) -> list[Mark | None]:
    ys = np.array([mark.y for mark in marks])
    tops = np.array([mark.box.y0 if mark.box else np.nan for mark in marks])
    feet = np.array([mark.box.y1 if mark.box else np.nan for mark in marks])
    found: list[Mark | None] = []
    for pixel in pixels:
        if not np.isfinite(pixel) or not along[0] - 3 <= pixel <= along[-1] + 3:
            found.append(None)
            continue
        nearest = marks[int(np.argmin(np.abs(along - pixel)))]
        y, top, foot = (float(np.interp(pixel, along, column)) for column in (ys, tops, feet))
        box = replace(nearest.box, y0=top, y1=foot) if nearest.box and np.isfinite([top, foot]).all() else None
        found.append(replace(nearest, x=float(pixel), y=y, box=box))
    return found


def _own_ink(ink: PlotInk, one: Series, marks: Sequence[Mark]) -> Guided | None:
    """The stroke of a measured line, looked for close to where it was measured."""
    left, top = ink.origin
    x, y = np.array([mark.x for mark in marks]) - left, np.array([mark.y for mark in marks]) - top
    for layer in ink.layers:
        if is_like(layer.colour, one.colour):
            return follow_guide(ink, layer, x, y, CORRIDOR)
    return None


def _from_ink(ink: PlotInk, guided: Guided, pixels: Floats, instead: Sequence[Mark | None]) -> list[Mark | None]:
    """Marks at the rows' pixels from the stroke itself; where it tells nothing, those given `instead`."""
    left, top = ink.origin
    known = np.flatnonzero(np.isfinite(pixels))
    found = list(instead)
    if not len(known):
        return found
    rows, sigmas, bridged = values_at(guided, pixels[known] - left)
    for k, row, sigma, hidden in zip(known, rows, sigmas, bridged, strict=True):
        if np.isfinite(row):
            at = Mark("vertex", float(pixels[k]), float(row) + top, sigma=float(sigma), bridged=bool(hidden))
            was = found[int(k)]
            # where other ink covers the stroke, what was measured before knows the whole curve
            found[int(k)] = was if hidden and was is not None else at
    return found


def unclaimed_curve(
    panel: Panel, ink: PlotInk, axis: Axis, pixels: Floats, wanted: Floats, taken: Sequence[Series]
) -> tuple[Series, Spots] | None:
    """A curve near what was said (rows at `pixels`, values at `wanted` px) in a layer that no paired series has.

    Layers of paired series are tried last: curves of one colour are told apart by their place only.
    """
    known = np.isfinite(pixels) & np.isfinite(wanted)
    if known.sum() < 4 or np.any(np.diff(np.unique(pixels[known])) <= 0):
        return None
    order = np.argsort(pixels[known])
    x, y = pixels[known][order] - ink.origin[0], _smooth(wanted[known][order]) - ink.origin[1]
    best: tuple[float, Series, Spots] | None = None
    for layer in ink.layers:
        guided = follow_guide(ink, layer, x, y, GUESS * panel.plot.height)
        if guided is None or guided.share < COVERED:
            continue
        used = any(is_like(one.colour, layer.colour) for one in taken)
        score = guided.share - (0.15 if used else 0.0)
        if best is None or score > best[0]:
            none: list[Mark | None] = [None] * len(pixels)
            spots = bare(_from_ink(ink, guided, pixels, none))
            marks = tuple(mark for mark in spots.marks if mark is not None)
            one = Series(layer.name, layer.colour, "line", marks, axis.side, evidence=Evidence("snap"))
            best = score, one, spots
    return (best[1], best[2]) if best else None


def _smooth(values: Floats) -> Floats:
    """A running median of five: single values may be far off."""
    padded = np.pad(values, 2, mode="edge")
    return np.asarray(np.median(np.stack([padded[i : i + len(values)] for i in range(5)]), axis=0), dtype=np.float64)
