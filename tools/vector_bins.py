"""Bars and areas that producers drew as something else: outlines around several bars, areas cut into triangles, gaps
between bins, samples of a key.

Not handled here: series and their marks (`vector_bars`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from tools.types import Axis, Box, Floats, Mark
from tools.vector_elements import Element

LEVEL = 0.05  # px that the sides of an outline may lean
BASE = 0.3  # px between the ends of bars on one base line
PIECES = 6  # triangles that make an area
GAPS = 0.12  # of a bin's width: wider gaps are no rounding of a producer
ROUND = 0.02  # of a bin's width between its edge and a whole number of bins


def apart(elements: Sequence[Element]) -> list[Element]:
    """The elements with outlines around bars of equal height, which some renderers merge, cut into these bars.

    Only beside bars of the same colour: what stands alone is a step area.
    """
    colours = {one.colour for one in elements if one.kind == "bar"}
    done: list[Element] = []
    for one in elements:
        bars = _columns(one.parts[0]) if one.kind == "area" and one.colour in colours else []
        for x0, y0, x1, y1 in bars:
            corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
            style = replace(one.style, points=corners, closed=True, bounds=None)
            done.append(Element("bar", (corners,), one.colour, style))
        if not bars:
            done.append(one)
    return done


def _columns(points: Floats) -> list[tuple[float, float, float, float]]:
    """The bars under an outline of level and upright sides on a level base line; none where it is another shape."""
    ring = np.vstack([points, points[:1]])
    if np.abs(np.diff(ring, axis=0)).min(axis=1).max() > LEVEL:
        return []
    base = float(points[:, 1].max())
    found = []
    xs = np.unique(np.round(points[:, 0], 2))
    for x0, x1 in pairwise(xs.tolist()):
        middle = (x0 + x1) / 2
        levels = [
            float(a[1]) for a, b in pairwise(ring) if min(a[0], b[0]) < middle < max(a[0], b[0]) and a[1] < base - LEVEL
        ]
        if len(levels) != 1:
            return []
        found.append((x0, levels[0], x1, base))
    return found


def patched(elements: Sequence[Element]) -> list[Element]:
    """The elements with areas and bars put together again that a renderer cut into triangles, each sharing a side with
    one before it (Octave's PDF)."""
    done: list[Element] = []
    run: list[Element] = []
    sides: set[tuple[Corner, Corner]] = set()
    for one in [*elements, None]:
        own = _sides(one) if one is not None and _is_piece(one) else set()
        if own and run and one is not None and one.colour == run[0].colour and own & sides:
            run.append(one)
            sides |= own
            continue
        done += _put_together(run)
        run, sides = ([one], own) if own and one is not None else ([], set())
        if one is not None and not own:
            done.append(one)
    return done


Corner = tuple[float, float]


def _put_together(run: Sequence[Element]) -> list[Element]:
    """Triangles that hang together as one area, two halves of a rectangle as a bar."""
    if len(run) >= PIECES:
        return [_area_of(run)]
    if len(run) != 2:
        return list(run)
    box, other = run[0].box, run[1].box
    sides = ((box.x0, other.x0), (box.y0, other.y0), (box.x1, other.x1), (box.y1, other.y1))
    points = np.vstack([one.parts[0] for one in run])
    across = np.minimum(np.abs(points[:, 0] - box.x0), np.abs(points[:, 0] - box.x1)).max()
    along = np.minimum(np.abs(points[:, 1] - box.y0), np.abs(points[:, 1] - box.y1)).max()
    if max(across, along, *(abs(a - b) for a, b in sides)) > LEVEL:
        return list(run)
    corners = np.array([(box.x0, box.y0), (box.x1, box.y0), (box.x1, box.y1), (box.x0, box.y1)])
    return [Element("bar", (corners,), run[0].colour, replace(run[0].style, points=corners, closed=True, bounds=None))]


def _is_piece(one: Element) -> bool:
    style = one.style
    plain = style.fill is not None and style.stroke is None and not style.curved
    return plain and len(one.parts) == 1 and len(one.parts[0]) == 3


def _sides(one: Element) -> set[tuple[Corner, Corner]]:
    """The sides of a piece, by their ends."""
    corners = [(round(x, 1), round(y, 1)) for x, y in one.parts[0].tolist()]
    return {(min(a, b), max(a, b)) for a, b in zip(corners, [*corners[1:], corners[0]], strict=True) if a != b}


def _area_of(run: Sequence[Element]) -> Element:
    """Pieces as one area: its upper border from left to right, then its lower one back."""
    rings = [np.vstack([one.parts[0], one.parts[0][:1]]) for one in run]
    xs = np.unique(np.round(np.concatenate([one.parts[0][:, 0] for one in run]), 2))
    top, bottom = np.full(len(xs), np.inf), np.full(len(xs), -np.inf)
    for ring in rings:
        for (x0, y0), (x1, y1) in pairwise(ring.tolist()):
            low, high = min(x0, x1) - 0.02, max(x0, x1) + 0.02
            at = (xs >= low) & (xs <= high)
            share = np.clip((xs[at] - x0) / (x1 - x0), 0, 1) if abs(x1 - x0) > 0.02 else np.zeros(int(at.sum()))
            y = y0 + share * (y1 - y0)
            upright = abs(x1 - x0) <= 0.02  # both of its ends stand at one place
            top[at] = np.minimum(top[at], np.minimum(y, y1) if upright else y)
            bottom[at] = np.maximum(bottom[at], np.maximum(y, y1) if upright else y)
    ring = np.vstack([np.column_stack([xs, top]), np.column_stack([xs, bottom])[::-1]])
    style = replace(run[0].style, points=ring, closed=True, bounds=None)
    return Element("area", (ring,), run[0].colour, style)


def without_samples(boxes: Sequence[Box]) -> list[bool]:
    """Which rectangles stay: all but the one that floats where all others, four or more, stand on one base line."""
    keep = [True] * len(boxes)
    if len(boxes) < 5:
        return keep
    for first, last in (("y0", "y1"), ("x0", "x1")):
        ends = np.array([(getattr(box, first), getattr(box, last)) for box in boxes])
        places = ends.ravel()
        near = (np.abs(places[:, None] - places) < BASE).sum(axis=1)
        base = float(places[int(near.argmax())])
        stands = [bool(abs(low - base) < BASE or abs(high - base) < BASE) for low, high in ends.tolist()]
        if sum(stands) == len(boxes) - 1:
            return stands
    return keep


def joined(marks: Sequence[Mark], key: Axis | None) -> list[Mark]:
    """Bins with small gaps between them made to touch: at the edges on whole numbers of bins, else in the gaps' middle.

    Vega leaves a pixel between two bins, others draw them a little narrower than they are.
    """
    boxes = [mark.box for mark in marks if mark.box is not None]
    if key is None or key.scale != "linear" or len(boxes) != len(marks) or len(boxes) < 3:
        return list(marks)
    gaps = np.array([b.x0 - a.x1 for a, b in pairwise(boxes)])
    width = float(np.median([box.width for box in boxes]))
    if not 0.2 < float(np.median(gaps)) < GAPS * width or float(np.ptp(gaps)) > 0.2:
        return list(marks)
    gap = float(np.median(gaps))
    shares = sorted((_off_grid(boxes, key, share * gap, gap), abs(share - 0.5), share) for share in (0.0, 0.5, 1.0))
    share = shares[0][2] if shares[0][0] < ROUND else 0.5
    grown = [replace(box, x0=box.x0 - (1 - share) * gap, x1=box.x1 + share * gap) for box in boxes]
    return [replace(mark, x=box.centre[0], box=box) for mark, box in zip(marks, grown, strict=True)]


def _off_grid(boxes: Sequence[Box], key: Axis, right: float, gap: float) -> float:
    """How far the edges lie, in bins, from whole numbers of them, where `right` of each gap belongs to the left bin."""
    edges = key.to_value(np.array([boxes[0].x0 - gap + right, *(box.x1 + right for box in boxes)]))
    step = float(np.median(np.diff(edges)))
    number = edges / step
    return float(np.median(np.abs(number - np.round(number))))
