"""Vertices of a curve without any grid: where its traced path turns, in the plane, so that steep strokes count too.

Not handled here: smooth curves (they get as many vertices as straight pieces need).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tools.rendering import Drawing, Mask, match
from tools.trace import Trace
from tools.types import Floats

TOLERANCE = 0.6  # px that the path may leave a straight piece
STRAIGHT = 0.2  # px that a vertex must stand off the chord once the drawing has been matched
CUT_CORNER = 6.0  # px between two vertices that may be the two ends of one cut corner
VERTEX_COST = 14.0  # nats for a vertex anywhere
MISMATCH_COST = 25.0  # nats for one fully wrong pixel of the drawing


def path_of(trace: Trace) -> tuple[Floats, Floats]:
    """The traced curve as points (x, y) in order along the stroke: steep columns give where they are entered and left.

    In a tall run the stroke comes in beside its left neighbour and goes out beside its right one; an end of the run
    that neither reaches is the tip of a spike.
    """
    half = trace.stroke / 2
    columns = np.flatnonzero(np.isfinite(trace.y))
    xs: list[float] = []
    ys: list[float] = []
    for i, c in enumerate(columns):
        top, bottom = trace.top[c] + half, trace.bottom[c] - half
        if bottom - top < 1.5 * trace.stroke + 1:
            stops = [trace.y[c]]
        else:
            before = trace.y[columns[i - 1]] if i else trace.y[c]
            after = trace.y[columns[i + 1]] if i + 1 < len(columns) else trace.y[c]
            stops = _stops(float(np.clip(before, top, bottom)), float(np.clip(after, top, bottom)), top, bottom)
        xs += [float(c) + (j - (len(stops) - 1) / 2) * 0.25 for j in range(len(stops))]
        ys += stops
    return np.array(xs), np.array(ys)


def _stops(entry: float, leave: float, top: float, bottom: float) -> list[float]:
    up, down = min(entry, leave) - top > 2, bottom - max(entry, leave) > 2
    tips = [y for y, spiked in ((top, up), (bottom, down)) if spiked]
    tips.sort(key=lambda y: abs(y - entry))
    return [entry, *tips, leave]


def find_vertices(ink: Floats, valid: Mask, trace: Trace) -> Drawing:
    """The polyline of fewest vertices that draws this curve (of at least three inked columns), in crop pixels."""
    x, y = path_of(trace)
    kept = _split(x, y, TOLERANCE)
    knots, values = x[kept], y[kept]
    knots[0], knots[-1] = trace.start + 0.5 * trace.stroke, trace.end - 0.5 * trace.stroke
    drawing = match(ink, valid, trace, *_apart(knots, values), room=np.inf)
    for _ in range(4):
        kept = _split(drawing.knots, drawing.values, STRAIGHT)
        fewer = match(ink, valid, trace, *_merged(drawing.knots[kept], drawing.values[kept]), room=np.inf)
        if vertex_cost(fewer) >= vertex_cost(drawing):
            break
        drawing = fewer
    return drawing


def vertex_cost(drawing: Drawing) -> float:
    """Nats to say this drawing with vertices anywhere: two numbers for each, and what they leave unexplained."""
    return VERTEX_COST * len(drawing.knots) + MISMATCH_COST * drawing.mismatch


def _merged(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Two vertices a few pixels apart that cut one corner become the corner: where their outer pieces cross."""
    points = [(float(a), float(b)) for a, b in zip(x, y, strict=True)]
    i = 1
    while i + 2 < len(points):
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = points[i - 1 : i + 3]
        if np.hypot(x2 - x1, y2 - y1) < CUT_CORNER:
            corner = _crossing(x0, y0, x1, y1, x2, y2, x3, y3)
            far = np.hypot(corner[0] - (x1 + x2) / 2, corner[1] - (y1 + y2) / 2) if corner else np.inf
            if corner and far < CUT_CORNER and x0 + 0.2 < corner[0] < x3 - 0.2:
                points[i : i + 2] = [corner]
        i += 1
    merged = np.array(points)
    return _apart(merged[:, 0], merged[:, 1])


def _crossing(
    x0: float, y0: float, x1: float, y1: float, x2: float, y2: float, x3: float, y3: float
) -> tuple[float, float] | None:
    """Where the lines through (0, 1) and (2, 3) cross, None if they hardly do."""
    ax, ay, bx, by = x1 - x0, y1 - y0, x3 - x2, y3 - y2
    across = ax * by - ay * bx
    if abs(across) < 0.05 * np.hypot(ax, ay) * np.hypot(bx, by) + 1e-12:
        return None
    t = ((x2 - x0) * by - (y2 - y0) * bx) / across
    return x0 + t * ax, y0 + t * ay


def _apart(knots: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Drop vertices that do not follow their predecessor by at least a fifth of a pixel."""
    keep = [0]
    for i in range(1, len(knots)):
        if knots[i] - knots[keep[-1]] > 0.2:
            keep.append(i)
    return knots[keep], values[keep]


def _off_chord(x0: float, y0: float, x: Floats, y: Floats, x1: float, y1: float) -> Floats:
    """Distances of points from the straight line through two others."""
    across = (x - x0) * (y1 - y0) - (y - y0) * (x1 - x0)
    return np.asarray(np.abs(across) / max(float(np.hypot(x1 - x0, y1 - y0)), 1e-9))


def _split(x: Floats, y: Floats, tolerance: float) -> NDArray[np.int64]:
    """Indices kept by repeatedly splitting at the point farthest from the chord, both ends included."""
    keep, todo = {0, len(x) - 1}, [(0, len(x) - 1)]
    while todo:
        a, b = todo.pop()
        if b - a < 2:
            continue
        away = _off_chord(x[a], y[a], x[a : b + 1], y[a : b + 1], x[b], y[b])
        i = int(np.argmax(away))
        if away[i] > tolerance:
            keep.add(a + i)
            todo += [(a, a + i), (a + i, b)]
    return np.array(sorted(keep), dtype=np.int64)
