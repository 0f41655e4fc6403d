"""Line charts: each curve followed through the ink of its colour, then read at the points that the author plotted.

A curve is a function of x, or of y where that is the simpler way to walk it (depth profiles): then the plot is
transposed first. Order of work: follow (`trace`), markers (`linemarks`), which x (`sampling`), values by drawing and
comparing (`rendering`).
Not handled here: loops; error bars (not followed: they are too thin and too short).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.dashes import Alike, curves_of
from tools.ink import Layer, PlotInk
from tools.like_coloured import entries_for, marker_costs, numbered
from tools.linemarks import NO_BLOBS, Blobs, find_blobs
from tools.patterns import unlikeness
from tools.rendering import Mask
from tools.sampling import Curve, Sampled, find_samples
from tools.trace import INK, Trace, follow, stroke_width
from tools.types import Axis, Evidence, Floats, Mark, Panel, Part, Series, Side

SHARE = 0.35  # of a layer's ink that must lie on the traced path, else it is no line
FINE_STROKE = 2.0  # px: thicker strokes are measured in a shrunk picture
SCRAP = 0.1  # of the longest curve: shorter ones without a name are scraps
BOW = 0.04  # of the distance between two markers: how far a (smoothed) line may stray from their chord
FEWEST = 4  # markers by which a line that joins them is known
EVEN = 0.7  # of the gaps between markers are alike on a grid
CLEAR = 0.8  # of the stroke: radius of discs that are no bends of it
MOSTLY = 0.9  # of the gaps between markers are straight in a polyline
BLOB_SIGMA = 0.4  # px: how well a marker's centroid shows its point
LONG_GAP = 4.0  # times the stroke: the gap between dashes that programs leave at most
X_SIGMA = 0.15  # px: how well the x of a vertex is known
WIDER = 1.5  # times the usual gap between markers: one of them is hidden there
DRAWN = 0.3  # of the columns between two markers that dots or dashes show at least
JOINED = 0.85  # of the gaps between markers must be crossed, and straight, by a line that joins them
HIDDEN_SUPPORT = 0.5  # partly covered pixels that must bear on a vertex, else other ink hides it
LEFT = 0.25  # of a layer's ink beside its curve: there may be a second one
ALL = 0.8  # of a layer's ink that several curves must explain
MOST = 8  # curves of one colour
NEAR = np.ones((5, 5), np.uint8)  # px around other ink where its rim may be
EVEN_SAMPLES = "the places of the author's points could not be told: even samples"
CROSSES = "it crosses a curve of its own colour: which is which behind the crossing was told by direction alone"


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


def read_lines(panel: Panel, ink: PlotInk, layers: Sequence[Layer]) -> tuple[Series, ...]:
    """One Series (kind "line") for each curve of the layers, marks from left to right in figure pixels.

    Marks are "marker" where markers are drawn, else "vertex"; "sample" (and `Series.sampled`) where the places of the
    author's points could not be told. A depth profile has orientation "horizontal" (marks from top to bottom). Layers
    whose ink does not lie along a curve give no Series.
    """
    upright, lying = _strokes(ink, layers, False), _strokes(ink, layers, True)
    transposed = _explained(lying) > _explained(upright) + 0.1 * len(layers)
    strokes = lying if transposed else upright
    if not strokes:
        return ()
    axis = panel.y if transposed else panel.x
    factor = strokes[0].factor
    start = ink.origin[1] if transposed else ink.origin[0]
    found = find_samples([s.curve for s in strokes], _shrunk_axis(axis, factor), (start + 0.5) / factor - 0.5)
    return tuple(
        _series(stroke, sampled, ink.origin, transposed, _value_side(panel, transposed))
        for stroke, sampled in zip(_with_names(strokes, found), found, strict=True)
    )


def _shrunk_axis(axis: Axis | None, factor: int) -> Axis | None:
    """The same axis for a picture whose every `factor` pixels were averaged into one: full = (small + 0.5) f - 0.5."""
    if axis is None or factor == 1:
        return axis
    return replace(axis, slope=axis.slope * factor, intercept=axis.intercept + axis.slope * (0.5 * factor - 0.5))


def _explained(strokes: Sequence[Stroke]) -> float:
    return sum(_share(stroke.curve.ink, stroke.curve.trace) for stroke in strokes)


def _value_side(panel: Panel, transposed: bool) -> Side:
    axis: Axis | None = panel.x if transposed else panel.y
    return axis.side if axis else ("bottom" if transposed else "left")


def _strokes(ink: PlotInk, layers: Sequence[Layer], transposed: bool) -> list[Stroke]:
    """The curves of those layers that hold one; scraps much shorter than the others and without a name are left out."""
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


def _stroke(layer: Layer, neutral: Mask, transposed: bool, factor: int) -> Stroke | None:
    """The curve of one layer, or None where its ink is no line."""
    coverage, hidden = layer.coverage.astype(np.float64), (layer.hidden | neutral) & (layer.coverage < 0.5)
    if transposed:
        coverage, hidden = coverage.T, hidden.T
    ink, unseen = _shrink(coverage, factor), _shrink(hidden.astype(np.float64), factor) > 0.2
    trace = follow(ink, unseen)
    if not isinstance(trace, Trace) or _share(ink, trace) < SHARE:
        return None
    full = find_blobs(np.ascontiguousarray(coverage), trace.stroke * factor)
    small = Blobs((full.x + 0.5) / factor - 0.5, (full.y + 0.5) / factor - 0.5, full.radius / factor)
    blobs = _on_curve(small, trace, factor)
    trace = _ended_at_markers(trace, blobs)
    return Stroke(layer, Curve(trace, ink, _valid(ink, unseen, trace, blobs), blobs), factor)


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
    seen = [one for one in away if np.isfinite(one).mean() > DRAWN and len(one)]
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
        len(stroke.curve.blobs.x) > 0 or _share(stroke.curve.ink, stroke.curve.trace) > 1 - LEFT
    )


def _several_strokes(layer: Layer, neutral: Mask, factor: int) -> list[Stroke]:
    """Two or more curves of one colour that no legend tells apart, from top to bottom; none where they do not explain
    most of the ink, or where one runs along the ink of others, whose rims may look like this colour."""
    ink, unseen = _shrunk_layer(layer, neutral, factor)
    width = stroke_width(ink, INK)
    curves = curves_of(ink, unseen, width, 1, LONG_GAP * width + 3, MOST)
    rims = cv2.dilate((_shrink((layer.hidden & ~neutral).astype(np.float64), factor) > 0.2).astype(np.uint8), NEAR) > 0
    if len(curves) < 2 or any(_along(one.trace, rims) > 0.5 for one in curves):
        return []
    if sum(float(one.ink.sum()) for one in curves) < ALL * float(ink.sum()):
        return []
    curves = sorted(curves, key=lambda one: float(np.nanmean(one.trace.y)))
    names = numbered([layer.name] * len(curves))
    return [_alike_stroke(replace(layer, name=name), one, factor) for name, one in zip(names, curves, strict=True)]


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
    costs = [tuple(min(unlikeness(one.pattern, p) for p in sample) for sample in samples) for one in curves]
    return [replace(_alike_stroke(layer, one, factor), costs=cost) for one, cost in zip(curves, costs, strict=True)]


def _with_names(strokes: Sequence[Stroke], found: Sequence[Sampled]) -> list[Stroke]:
    """The strokes, those of one colour with the names of the samples that their dashes and markers are like."""
    named = list(strokes)
    for layer in {id(s.layer.rivals): s.layer for s in strokes if s.costs}.values():
        own = [k for k, s in enumerate(strokes) if s.costs and s.layer.rivals is layer.rivals]
        costs = np.array([strokes[k].costs for k in own])
        if layer.pictures and not any(found[k].sampled for k in own):
            f = strokes[own[0]].factor
            points = [np.stack([found[k].drawing.knots, found[k].drawing.values], axis=1) for k in own]
            costs = costs + marker_costs(layer.coverage, [(one + 0.5) * f - 0.5 for one in points], layer.pictures)
        entries = [layer.rivals[number][0] for number in entries_for(costs)]
        names = numbered([entry.name for entry in entries])
        for k, name, entry in zip(own, names, entries, strict=True):
            named[k] = replace(strokes[k], layer=replace(layer, name=name, entry=entry))
    return named


def _shrunk_layer(layer: Layer, neutral: Mask, factor: int) -> tuple[Floats, Mask]:
    """Ink of a layer and where it may run on unseen, in the shrunk picture."""
    hidden = (layer.hidden | neutral) & (layer.coverage < 0.5)
    return _shrink(layer.coverage.astype(np.float64), factor), _shrink(hidden.astype(np.float64), factor) > 0.2


def _alike_stroke(layer: Layer, one: Alike, factor: int) -> Stroke:
    valid = _valid(one.ink, one.hidden | one.crossed, one.trace, NO_BLOBS)
    return Stroke(layer, Curve(one.trace, one.ink, valid, NO_BLOBS), factor, one.doubtful)


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
    straight = _straight(blobs, trace).mean() >= 0.6
    needed = 2 if len(blobs.x) <= 4 else 1  # an end marker may be hidden
    clear = blobs.radius > max(CLEAR * trace.stroke, 0.5 * trace.stroke + 2 / factor)  # a smoothed line may bow then
    return blobs if on_ends >= needed and (straight or clear) else NO_BLOBS


def _straight(blobs: Blobs, trace: Trace) -> NDArray[np.bool_]:
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


def _share(ink: Floats, trace: Trace) -> float:
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


def _series(stroke: Stroke, found: Sampled, origin: tuple[int, int], transposed: bool, side: Side) -> Series:
    """The data points of one curve as marks in figure pixels."""
    f, (left, top) = stroke.factor, origin
    marks = [_swap(mark) if transposed else mark for mark in _marks(stroke.curve, found)]
    moved = [
        replace(m, x=(m.x + 0.5) * f - 0.5 + left, y=(m.y + 0.5) * f - 0.5 + top, sigma=m.sigma * f) for m in marks
    ]
    warnings = [EVEN_SAMPLES] * found.sampled + [CROSSES] * stroke.doubtful
    return Series(
        stroke.layer.name, stroke.layer.colour, "line", tuple(moved), side, "horizontal" if transposed else "vertical",
        Evidence("read_lines", arguments={"step": found.step}), found.sampled, tuple(warnings),
    )  # fmt: skip


def _swap(mark: Mark) -> Mark:
    return replace(mark, x=mark.y, y=mark.x)


def _marks(curve: Curve, found: Sampled) -> list[Mark]:
    """A mark for every knot that lies on the curve: not beyond its ends and not where the paper is bare."""
    trace, blobs, drawing = curve.trace, curve.blobs, found.drawing
    missing, gap = _missing(trace)
    first, last = _ends(trace, gap)
    part: Part = "sample" if found.sampled else "marker" if len(blobs.x) or found.marked else "vertex"
    straight = np.concatenate([[True], _straight(blobs, trace), [True]])
    smooth = straight.mean() < MOSTLY  # a polyline does not draw a smoothed line, nowhere or where it bows
    marks, bowed = [], ~(straight[:-1] & straight[1:]) | smooth
    sigmas = np.hypot(drawing.sigma, X_SIGMA * _steepest(drawing.knots, drawing.values))
    for at, x, y, sigma, support in zip(
        drawing.knots, found.named, drawing.values, sigmas, drawing.support, strict=True
    ):
        column = min(max(round(at), 0), len(trace.y) - 1)
        if not first <= at <= last or missing[column]:
            continue
        near = int(np.argmin(abs(blobs.x - at))) if len(blobs.x) else -1
        if near >= 0 and abs(blobs.x[near] - at) < max(1.5, 0.5 * blobs.radius) and (bowed[near] or sigma > BLOB_SIGMA):
            marks.append(Mark(part, float(x), float(blobs.y[near]), sigma=BLOB_SIGMA))
        else:
            bridged = bool(support < HIDDEN_SUPPORT) and bool(trace.hidden[column])
            marks.append(Mark(part, float(x), float(y), sigma=float(sigma), bridged=bridged))
    return marks


def _steepest(x: Floats, y: Floats) -> Floats:
    """The larger slope (absolute) of the two pieces that meet at each vertex."""
    slopes = np.abs(np.diff(y) / np.diff(x))
    return np.asarray(np.maximum(np.append(slopes, 0.0), np.append(0.0, slopes)), dtype=np.float64)


def _ends(trace: Trace, gap: float) -> tuple[float, float]:
    """Between which columns a point may lie: a line cap or a dash's gap beyond the ink, more at the frame."""
    reach = max(1.0, 0.8 * trace.stroke, gap)
    cut = 2.5 + trace.stroke  # a frame's stroke hides this much of a curve that reaches it
    first = trace.start - max(reach, cut if trace.start < cut else 0.0)
    return first, trace.end + max(reach, cut if trace.end > len(trace.y) - 1 - cut else 0.0)


def _missing(trace: Trace) -> tuple[Mask, float]:
    """Columns without a curve (gaps longer than those between the dashes of this line), and the usual gap in px."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], trace.gap.astype(np.int8), [0]))))
    runs = [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    lengths = np.array([b - a for a, b in runs])
    dashed = len(runs) >= 4 and float(np.median(lengths)) <= 8 * trace.stroke + 8
    usual = float(np.quantile(lengths, 0.75)) if dashed else 0.0
    missing = np.zeros(len(trace.y), dtype=bool)
    for a, b in runs:
        if b - a > (2.0 * usual + 2 if dashed else 3.0):
            missing[a + 1 : b - 1] = True
    return missing, usual
