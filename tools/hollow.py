"""Hollow and hatched bars: rectangles known by their outline only, filled in so that they read like any other bar.

Upright frame as in `rectangles`. Not handled here: outlines with gaps (dashed), bars whose outline shares the ink of
a curve drawn across them.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.rectangles import Floats32, Rectangle

RUN = 7  # px: a straight run; slopes and curves break into shorter ones
ONE_SIDED = 0.1  # of the columns with ground above the base: fewer with ground below it are chance
DRAWN = 0.1  # coverage along the base from which it is drawn
FRAME = 3  # px of the plot's border that its frame may take
SMALLEST = 5  # px: what is thinner than this inside an outline is a whisker or a letter


def fill_outlines(coverage: Floats32, others: Floats32, base: float) -> Floats32 | None:
    """This ink with everything that its strokes enclose filled; None unless it encloses more than it covers.

    Enclosed ground that other inks fill does not count: then the strokes are just the edges of those bars.
    """
    strokes = coverage >= 0.4
    if not _upright_and_level(strokes):
        return None
    walls = strokes.copy()
    row = int(np.clip(round(base), 0, len(walls) - 1))
    walls[max(0, row - 1) : row + 2] = True  # bars may stand open on the axis
    count, found = cv2.connectedComponents((~walls).astype(np.uint8), connectivity=4)
    labels: NDArray[np.int64] = np.asarray(found, dtype=np.int64)
    outside = np.zeros(count, dtype=bool)
    for edge in (labels[0], labels[-1], labels[:, 0], labels[:, -1], *_beyond(labels, row)):
        outside[edge] = True
    outside[0] = False
    # A frame may close the plot off: the ground itself is then the largest part of all.
    sizes = np.bincount(labels.ravel(), minlength=count)
    sizes[0] = 0
    outside[int(np.argmax(sizes))] = True
    inside = ~outside[labels] & ~walls
    if _crossed(coverage, inside, row):
        return None
    bare = inside & (others < 0.5)
    if bare.sum() < 1.5 * strokes.sum() or bare.sum() < 0.5 * inside.sum():
        return None
    body = (inside | strokes).astype(np.uint8)
    solid = cv2.morphologyEx(body, cv2.MORPH_OPEN, np.ones((SMALLEST, SMALLEST), np.uint8))
    near = cv2.dilate(solid, np.ones((3, 3), np.uint8)) > 0
    return np.where(solid > 0, np.float32(1), np.where(near, coverage, np.float32(0))).astype(np.float32)


def _beyond(labels: NDArray[np.int64], row: int) -> list[NDArray[np.int64]]:
    """What lies along the frame above and below the base (`row`): ground that a frame closes off, but no bar."""
    upper, lower = labels[:FRAME], labels[-FRAME:]
    return [part for part, apart in ((upper, row), (lower, len(labels) - 1 - row)) if apart > 2 * FRAME]


def _crossed(coverage: Floats32, inside: NDArray[np.bool_], row: int) -> bool:
    """Whether a step line crosses a base (`row`) that is not drawn: ground closed off on both sides."""
    rows = np.arange(len(inside))[:, None]
    sides = [np.flatnonzero((inside & part).any(axis=0)) for part in (rows < row, rows > row)]
    if min(len(side) for side in sides) <= ONE_SIDED * max(len(side) for side in sides):
        return False
    drawn = coverage[max(0, row - 2) : row + 3].max(axis=0) > DRAWN
    return float(drawn[np.unique(np.concatenate(sides))].mean()) < 0.5


def _upright_and_level(strokes: NDArray[np.bool_]) -> bool:
    """Sides of rectangles: nearly all of the ink in upright or level runs, and enough of it in upright ones."""
    ink = strokes.astype(np.uint8)
    upright = np.asarray(cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones((RUN, 1), np.uint8))) > 0
    level = np.asarray(cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones((1, RUN), np.uint8))) > 0
    total = max(int(ink.sum()), 1)
    return bool((upright | level).sum() > 0.8 * total and upright.sum() > 0.2 * total)


def stroke_thickness(coverage: Floats32, bars: list[Rectangle]) -> float:
    """Thickness (px) of the strokes at the value ends: ink in an unbroken run from the outer edge inwards."""
    found = []
    for one in bars:
        top = max(0, int(np.floor(one.top)))
        strip = coverage[top : top + 12, one.first + 2 : max(one.first + 3, one.last - 1)]
        if strip.size and len(strip) > 2:
            profile = np.median(strip, axis=1)
            start = int(np.argmax(profile > 0.1))
            broken = np.flatnonzero(profile[start:] < 0.2)
            stop = start + (int(broken[0]) if len(broken) else len(profile))
            found.append(float(profile[start:stop].sum()))
    return float(np.median(found)) if found else 0.0
