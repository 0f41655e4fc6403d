"""The curves in the layers of a plot: each followed through the ink of its colour, one or several to a colour.

Which of several curves of one colour belongs to which name is not decided here (`lines`, `like_coloured`), nor which
points were plotted (`sampling`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.continued import with_continuations
from tools.dashes import Alike, curves_of
from tools.ink import Layer, PlotInk
from tools.like_coloured import numbered
from tools.linemarks import NO_BLOBS, Blobs, find_blobs
from tools.patterns import unlikeness
from tools.rendering import Mask
from tools.sampling import Curve
from tools.trace import INK, Trace, follow, run_sums, stroke_width
from tools.types import Floats

SHARE = 0.35  # of a layer's ink that must lie on the traced path, else it is no line
FINE_STROKE = 2.0  # px: thicker strokes are measured in a shrunk picture
SCRAP = 0.1  # of the longest curve: shorter ones without a name are scraps
BOW = 0.04  # of the distance between two markers: how far a (smoothed) line may stray from their chord
FEWEST = 4  # markers by which a line that joins them is known
EVEN = 0.7  # of the gaps between markers are alike on a grid
CLEAR = 0.8  # of the stroke: radius of discs that are no bends of it
LONG_GAP = 4.0  # times the stroke: the gap between dashes that programs leave at most
WIDER = 1.5  # times the usual gap between markers: one of them is hidden there
DRAWN = 0.3  # of the columns between two markers that dots or dashes show at least
JOINED = 0.85  # of the gaps between markers must be crossed, and straight, by a line that joins them
LEFT = 0.25  # of a layer's ink beside its curve: there may be a second one
ALL = 0.8  # of a layer's ink that several curves must explain
MOST = 8  # curves of one colour
SPIKE = 3.0  # times the stroke: columns with more ink in one piece climb steeply
SPIKY = 0.3  # of a curve's columns may climb so
FULL, FAINT = 0.8, 0.1  # coverage of the pixels in a stroke, and of those in a fainter one at least
BROAD = 1.8  # px: strokes of which every piece covers some pixel fully
CROWD = 0.25  # of a layer's ink that faint strokes have, and of its columns that full ones reach
NEAR = np.ones((5, 5), np.uint8)  # px around other ink where its rim may be


@dataclass(frozen=True, eq=False)
class Stroke:
    """A layer and its curve, measured in a picture shrunk by `factor` (thick strokes need fewer pixels).

    The curve's arrays are transposed where x is read as a function of y. `doubtful`: it crosses another one of its
    colour and pattern. `costs`: how unlike its dashes are to those of each sample in the legend that has its colour.
    """

    layer: Layer
    curve: Curve
    factor: int = 1
    doubtful: bool = False
    costs: tuple[float, ...] = ()


def strokes_of(ink: PlotInk, layers: Sequence[Layer], transposed: bool) -> list[Stroke]:
    """The curves of those layers that hold one; scraps much shorter than the others and without a name are left out."""
    layers = [without_crowd(layer) for layer in layers]
    widths = [stroke_width(np.asarray(layer.coverage, dtype=np.float64), INK) for layer in layers]
    factor = max(1, int(np.median(widths) / FINE_STROKE)) if widths else 1
    found: list[Stroke] = []
    for layer in (layer for layer in layers if not layer.veil):
        if len(layer.rivals) > 1 and not transposed:
            found += _alike_strokes(layer, ink.neutral, factor)
        else:
            stroke = _stroke(layer, ink.neutral, transposed, factor)
            several = [] if transposed or _is_alone(stroke) else _several_strokes(layer, ink.neutral, factor)
            found += several or ([stroke] if stroke is not None else [])
    longest = max((s.curve.trace.end - s.curve.trace.start for s in found), default=0.0)
    return [s for s in found if s.layer.name or s.curve.trace.end - s.curve.trace.start > SCRAP * longest]


def without_crowd(layer: Layer) -> Layer:
    """The layer without a crowd of faint strokes in a tint of its colour: samples, single runs, faded neighbours.

    A stroke of two pixels or more covers some pixel fully wherever it runs; what is nowhere near such a pixel is faint.
    """
    full = layer.coverage > FULL
    if not full.any() or stroke_width(np.where(full, 1.0, 0.0), INK) < BROAD:
        return layer
    near = cv2.dilate(full.astype(np.uint8), NEAR) > 0
    faint = (layer.coverage > FAINT) & (layer.coverage < 1 - FAINT) & ~near
    crowd = float(layer.coverage[faint].sum())
    if crowd < CROWD * float(layer.coverage.sum()) or float(np.mean(full.any(axis=0))) < CROWD:
        return layer
    return replace(layer, coverage=np.where(near, layer.coverage, np.float32(0)))


def _stroke(layer: Layer, neutral: Mask, transposed: bool, factor: int) -> Stroke | None:
    """The curve of one layer, or None where its ink is no line."""
    coverage, hidden = layer.coverage.astype(np.float64), (layer.hidden | neutral) & (layer.coverage < 0.5)
    if transposed:
        coverage, hidden = coverage.T, hidden.T
    ink, unseen = _shrink(coverage, factor), _shrink(hidden.astype(np.float64), factor) > 0.2
    trace = follow(ink, unseen)
    if not isinstance(trace, Trace) or share_on(ink, trace) < SHARE:
        return None
    full = find_blobs(np.ascontiguousarray(coverage), trace.stroke * factor)
    small = Blobs((full.x + 0.5) / factor - 0.5, (full.y + 0.5) / factor - 0.5, full.radius / factor)
    blobs = _on_curve(small, trace, factor)
    trace = _ended_at_markers(trace, blobs)
    return Stroke(layer, Curve(trace, ink, _valid(ink, unseen, trace, blobs), blobs), factor)


def is_one_curve(ink: PlotInk, layer: Layer) -> bool:
    """Whether nearly all ink of a layer lies along one curve, markers on it included."""
    factor = max(1, int(stroke_width(np.asarray(layer.coverage, dtype=np.float64), INK) / FINE_STROKE))
    stroke = _stroke(layer, ink.neutral, False, factor)
    return stroke is not None and share_on(stroke.curve.ink, stroke.curve.trace) > ALL


def joins_markers(ink: PlotInk, layer: Layer) -> bool:
    """Whether this layer is a polyline with a marker on each of its points: straight from each marker to the next.

    Not so for points beside a fitted curve, nor for markers that touch, between which no line can be seen. A gap that
    is wider than usual has a hidden marker and tells nothing. The line may pass all markers at one distance, since the
    middle of a triangle's ink is not its point.
    """
    factor = max(1, int(stroke_width(np.asarray(layer.coverage, dtype=np.float64), INK) / FINE_STROKE))
    stroke = _stroke(layer, ink.neutral, False, factor)
    if stroke is None or len(stroke.curve.blobs.x) < FEWEST:
        return False
    trace, blobs = stroke.curve.trace, stroke.curve.blobs
    gaps, margin = np.diff(blobs.x), blobs.radius + 0.5
    single = gaps < WIDER * np.median(gaps)
    away = [_strays(trace, margin, *pair) for pair, is_single in zip(_pairs(blobs), single, strict=True) if is_single]
    seen = [one for one in away if len(one) and np.isfinite(one).mean() > DRAWN]
    if len(seen) < max(FEWEST - 1, 0.5 * len(gaps)):
        return False
    aside = float(np.median([np.nanmedian(one) for one in seen]))
    straight = [float(np.nanquantile(np.abs(one - aside), 0.8)) < max(1.0, 0.3 * trace.stroke) for one in seen]
    return abs(aside) < 0.5 * blobs.radius and len(seen) > JOINED * len(away) and sum(straight) > JOINED * len(seen)


def _ended_at_markers(trace: Trace, blobs: Blobs) -> Trace:
    """The trace ends where its outermost markers have their centres: their rims are not the line going on."""
    if not len(blobs.x):
        return trace
    reach = 1.5 * blobs.radius + 2
    first, last = float(blobs.x[0]), float(blobs.x[-1])
    start = first if 0 < first - trace.start <= reach else trace.start
    return replace(trace, start=start, end=last if 0 < trace.end - last <= reach else trace.end)


def _is_alone(stroke: Stroke | None) -> bool:
    """Whether a stroke explains most of its layer's ink, or has markers that do."""
    return stroke is not None and (
        len(stroke.curve.blobs.x) > 0 or share_on(stroke.curve.ink, stroke.curve.trace) > 1 - LEFT
    )


def _several_strokes(layer: Layer, neutral: Mask, factor: int) -> list[Stroke]:
    """Two or more curves of one colour that no legend tells apart, from top to bottom.

    None where they do not explain most of the ink, where one runs along the ink of others, whose rims may look like
    this colour, or where one runs up and down all the time: walks through the spikes of one curve.
    """
    ink, unseen = _shrunk_layer(layer, neutral, factor)
    width = stroke_width(ink, INK)
    curves = curves_of(ink, unseen, width, 1, LONG_GAP * width + 3, MOST)
    if len(curves) < 2 or not all(_is_plain(curves, layer, neutral, ink, factor)):
        return []
    if sum(float(one.ink.sum()) for one in curves) < ALL * float(ink.sum()):
        return []
    curves = sorted(curves, key=lambda one: float(np.nanmean(one.trace.y)))
    names = numbered([layer.name] * len(curves))
    named = [replace(layer, name=name) for name in names]
    return [_alike_stroke(own, one, factor, curves) for own, one in zip(named, curves, strict=True)]


def _is_plain(curves: Sequence[Alike], layer: Layer, neutral: Mask, ink: Floats, factor: int) -> list[bool]:
    """For each curve whether it runs neither along other ink nor up and down all the time."""
    rims = cv2.dilate((_shrink((layer.hidden & ~neutral).astype(np.float64), factor) > 0.2).astype(np.uint8), NEAR) > 0
    tall = run_sums(ink, INK) > SPIKE * stroke_width(ink, INK) + 1
    return [_along(one.trace, rims) <= 0.5 and _along(one.trace, tall) <= SPIKY for one in curves]


def _along(trace: Trace, mask: Mask) -> float:
    """Share of a curve's columns at which it lies on a mask (h, w)."""
    columns = np.flatnonzero(np.isfinite(trace.y))
    rows = np.clip(np.rint(trace.y[columns]).astype(np.int64), 0, len(mask) - 1)
    return float(mask[rows, columns].mean()) if len(columns) else 0.0


def _alike_strokes(layer: Layer, neutral: Mask, factor: int) -> list[Stroke]:
    """The curves of one colour that the legend names; which is which their dashes and markers tell later."""
    ink, unseen = _shrunk_layer(layer, neutral, factor)
    width = stroke_width(ink, INK)
    samples = [[pattern.shrunk(factor) for pattern in patterns] for _, patterns in layer.rivals]
    gap = max(1.3 * max(one.gap for sample in samples for one in sample) + 2, LONG_GAP * width + 3)
    curves = curves_of(ink, unseen, width, len(samples), gap, MOST)
    if len(curves) > len(samples) and not all(_is_plain(curves, layer, neutral, ink, factor)[len(samples) :]):
        curves = curves_of(ink, unseen, width, len(samples), gap)
    curves = with_continuations(curves, samples)
    costs = [tuple(min(unlikeness(one.pattern, p) for p in sample) for sample in samples) for one in curves]
    return [
        replace(_alike_stroke(layer, one, factor, curves), costs=cost) for one, cost in zip(curves, costs, strict=True)
    ]


def _shrunk_layer(layer: Layer, neutral: Mask, factor: int) -> tuple[Floats, Mask]:
    """Ink of a layer and where it may run on unseen, in the shrunk picture."""
    hidden = (layer.hidden | neutral) & (layer.coverage < 0.5)
    return _shrink(layer.coverage.astype(np.float64), factor), _shrink(hidden.astype(np.float64), factor) > 0.2


def _alike_stroke(layer: Layer, one: Alike, factor: int, curves: Sequence[Alike]) -> Stroke:
    """One of several curves of a colour, with the markers on it that no other of them comes near."""
    full = find_blobs(layer.coverage.astype(np.float64), one.trace.stroke * factor)
    small = Blobs((full.x + 0.5) / factor - 0.5, (full.y + 0.5) / factor - 0.5, full.radius / factor)
    others = [_rows_off(other.trace, small) for other in curves if other is not one]
    clear = np.min([*others, np.full(len(small.x), np.inf)], axis=0) > 2 * small.radius
    own = clear & (_rows_off(one.trace, small) < small.radius)
    blobs = _on_curve(Blobs(small.x[own], small.y[own], small.radius), one.trace, factor) if own.sum() > 1 else NO_BLOBS
    valid = _valid(one.ink, one.hidden | one.crossed, one.trace, blobs)
    return Stroke(layer, Curve(one.trace, one.ink, valid, blobs), factor, one.doubtful)


def _rows_off(trace: Trace, blobs: Blobs) -> Floats:
    """How many rows each blob lies off a curve; inf where that does not run."""
    rows = trace.y[np.clip(np.rint(blobs.x).astype(np.int64), 0, len(trace.y) - 1)]
    return np.where(np.isfinite(rows), np.abs(rows - blobs.y), np.inf)


def _shrink(picture: Floats, factor: int) -> Floats:
    """Means of blocks of `factor` by `factor` pixels; what is left over at the right and at the bottom is dropped."""
    if factor == 1:
        return np.ascontiguousarray(picture)
    h, w = picture.shape[0] // factor * factor, picture.shape[1] // factor * factor
    blocks = picture[:h, :w].reshape(h // factor, factor, w // factor, factor)
    return np.ascontiguousarray(blocks.mean(axis=(1, 3)))


def _on_curve(blobs: Blobs, trace: Trace, factor: int) -> Blobs:
    """The blobs if they are this curve's markers: they reach its ends, and it runs straight from one to the next."""
    if not len(blobs.x):
        return blobs
    gaps = np.diff(blobs.x)
    usual = float(np.median(gaps))
    even = np.mean(abs(gaps - usual) < 0.2 * usual) > EVEN
    if not even and (gaps < blobs.radius).sum() > 0.03 * len(gaps):  # thick places of a rough line, one over the other
        return NO_BLOBS
    ends = (blobs.x.min() - trace.start, trace.end - blobs.x.max())
    on_ends = sum(abs(end) <= max(2.0 * blobs.radius + 2, 1.5 * usual) for end in ends)
    straight = straight_between(blobs, trace).mean() >= 0.6
    needed = 2 if len(blobs.x) <= 4 else 1  # an end marker may be hidden
    clear = blobs.radius > max(CLEAR * trace.stroke, 0.5 * trace.stroke + 2 / factor)  # a smoothed line may bow then
    if on_ends < needed or not (straight or clear) or (not clear and _only_tips(blobs, trace)):
        return NO_BLOBS
    return blobs


def _only_tips(blobs: Blobs, trace: Trace) -> bool:
    """Whether all blobs lie where the curve turns back, none at its ends: a thick stroke is thicker in its tips."""
    if blobs.x.min() - trace.start < blobs.radius or trace.end - blobs.x.max() < blobs.radius:
        return False
    columns = np.flatnonzero(np.isfinite(trace.y))
    turns = np.zeros(len(blobs.x), dtype=np.bool_)
    for reach in (1.5 * blobs.radius, 3 * blobs.radius):  # farther away a close zigzag has turned again
        middle, left, right = (np.interp(blobs.x + d, columns, trace.y[columns]) for d in (0.0, -reach, reach))
        turns |= (left - middle) * (right - middle) > 0
    return bool(turns.all())


def straight_between(blobs: Blobs, trace: Trace) -> NDArray[np.bool_]:
    """For each gap between neighbouring markers whether the traced curve runs straight from one to the next."""
    found = [_runs_straight(trace, blobs.radius + 1, *pair) for pair in _pairs(blobs)]
    return np.array(found, dtype=np.bool_)


def _pairs(blobs: Blobs) -> list[tuple[float, float, float, float]]:
    points = list(zip(blobs.x.tolist(), blobs.y.tolist(), strict=True))
    return [(*a, *b) for a, b in pairwise(points)]


def _runs_straight(trace: Trace, margin: float, x0: float, y0: float, x1: float, y1: float) -> bool:
    """Whether the traced curve stays near the chord between two of its markers, `margin` px away from each."""
    away = _strays(trace, margin, x0, y0, x1, y1)
    seen = np.abs(away[np.isfinite(away)])
    allowed = max(0.8, 0.3 * trace.stroke, BOW * np.hypot(x1 - x0, y1 - y0))
    return len(away) < 3 or bool(len(seen) == 0 or np.quantile(seen, 0.8) < allowed)


def _strays(trace: Trace, margin: float, x0: float, y0: float, x1: float, y1: float) -> Floats:
    """How far (px, downwards, across the chord) the traced curve strays from the chord between two of its markers, in
    every column `margin` px away from them; nan where it is not seen."""
    columns = np.arange(int(np.ceil(x0 + margin)), int(x1 - margin) + 1)
    away = trace.y[columns] - np.interp(columns, [x0, x1], [y0, y1])
    return np.asarray(away / np.hypot(1.0, (y1 - y0) / (x1 - x0)), dtype=np.float64)


def share_on(ink: Floats, trace: Trace) -> float:
    """Share of the ink that lies within the traced runs."""
    rows = np.arange(ink.shape[0])[:, None]
    near = (rows > trace.top - 1.5) & (rows < trace.bottom + 1.5)
    return float(ink[near].sum() / max(ink.sum(), 1e-9))


def _valid(ink: Floats, hidden: Mask, trace: Trace, blobs: Blobs) -> Mask:
    """Pixels that may be compared with a drawn stroke: not hidden, not in a dash's gap, not in a marker."""
    valid = ~hidden
    if trace.gap.mean() > 0.05:
        above_and_below = np.ones((2 * int(trace.stroke) + 5, 1), np.uint8)
        valid &= np.asarray(cv2.dilate((ink > 0.5).astype(np.uint8), above_and_below)) > 0
    rows, columns = np.ogrid[: ink.shape[0], : ink.shape[1]]
    for x, y in zip(blobs.x, blobs.y, strict=True):
        valid &= np.maximum(abs(rows - y), abs(columns - x)) > blobs.radius * 1.5 + 1.5
    return valid
