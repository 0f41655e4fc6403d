"""Line charts: each curve followed through the ink of its colour, then read at the points that the author plotted.

A curve is a function of x, or of y where that is the simpler way to walk it (depth profiles): then the plot is
transposed first. Order of work: follow (`line_strokes`), which x (`sampling`), values by drawing and
comparing (`rendering`).
Not handled here: loops; error bars (not followed: they are too thin and too short).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.ink import Layer, PlotInk
from tools.like_coloured import entries_for, marker_costs, numbered, sided
from tools.line_strokes import Stroke, share_on, straight_between, strokes_of
from tools.rendering import Mask
from tools.sampling import Curve, Sampled, find_samples
from tools.trace import Trace
from tools.types import Axis, Evidence, Floats, Mark, Panel, Part, Series, Side

MOSTLY = 0.9  # of the gaps between markers are straight in a polyline
BLOB_SIGMA = 0.4  # px: how well a marker's centroid shows its point
X_SIGMA = 0.15  # px: how well the x of a vertex is known
HIDDEN_SUPPORT = 0.5  # partly covered pixels that must bear on a vertex, else other ink hides it
EVEN_SAMPLES = "the places of the author's points could not be told: even samples"
CROSSES = "it crosses a curve of its own colour: which is which behind the crossing was told by direction alone"


def read_lines(panel: Panel, ink: PlotInk, layers: Sequence[Layer]) -> tuple[Series, ...]:
    """One Series (kind "line") for each curve of the layers, marks from left to right in figure pixels.

    Marks are "marker" where markers are drawn, else "vertex"; "sample" (and `Series.sampled`) where the places of the
    author's points could not be told. A depth profile has orientation "horizontal" (marks from top to bottom). Layers
    whose ink does not lie along a curve give no Series.
    """
    upright = strokes_of(ink, layers, False)
    lying = [] if _over_time(panel) else strokes_of(ink, layers, True)
    transposed = _explained(lying) > _explained(upright) + 0.1 * len(layers)
    strokes = lying if transposed else upright
    if not strokes:
        return ()
    axis = panel.y if transposed else panel.x
    factor = strokes[0].factor
    start = ink.origin[1] if transposed else ink.origin[0]
    found = find_samples([s.curve for s in strokes], _shrunk_axis(axis, factor), start / factor)  # of blocks of pixels
    return sided([
        _series(stroke, sampled, ink.origin, transposed, _value_side(panel, transposed))
        for stroke, sampled in zip(_with_names(strokes, found), found, strict=True)
    ])  # fmt: skip


def _shrunk_axis(axis: Axis | None, factor: int) -> Axis | None:
    """The same axis for a picture whose every `factor` pixels were averaged into one: full = (small + 0.5) f - 0.5."""
    if axis is None or factor == 1:
        return axis
    return replace(axis, slope=axis.slope * factor, intercept=axis.intercept + axis.slope * (0.5 * factor - 0.5))


def _over_time(panel: Panel) -> bool:
    """Dates along x alone: a curve over them is a function of x, whatever bars hide of it."""
    return panel.x is not None and panel.x.scale == "date" and (panel.y is None or panel.y.scale != "date")


def _explained(strokes: Sequence[Stroke]) -> float:
    return sum(share_on(stroke.curve.ink, stroke.curve.trace) for stroke in strokes)


def _value_side(panel: Panel, transposed: bool) -> Side:
    axis: Axis | None = panel.x if transposed else panel.y
    return axis.side if axis else ("bottom" if transposed else "left")


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
    straight = np.concatenate([[True], straight_between(blobs, trace), [True]])
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


def _bare_runs(trace: Trace) -> list[tuple[int, int]]:
    """Half-open runs of columns of bare paper; what little a grid line hides between two of them does not part them."""
    runs: list[tuple[int, int]] = []
    edges = np.flatnonzero(np.diff(np.concatenate(([0], trace.gap.astype(np.int8), [0]))))
    for a, b in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        last = runs[-1] if runs else None
        if last and a - last[1] <= 2 * trace.stroke + 2 and trace.hidden[last[1] : a].all():
            runs[-1] = (last[0], b)
        else:
            runs.append((a, b))
    return runs


def _missing(trace: Trace) -> tuple[Mask, float]:
    """Columns without a curve (gaps longer than those between the dashes of this line), and the usual gap in px."""
    runs = _bare_runs(trace)
    lengths = np.array([b - a for a, b in runs])
    dashed = len(runs) >= 4 and float(np.median(lengths)) <= 8 * trace.stroke + 8
    usual = float(np.quantile(lengths, 0.75)) if dashed else 0.0
    missing = np.zeros(len(trace.y), dtype=bool)
    for a, b in runs:
        if b - a > (2.0 * usual + 2 if dashed else 3.0):
            missing[a + 1 : b - 1] = True
    return missing, usual
