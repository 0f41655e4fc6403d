"""Markers crossed by straight strokes of their own ink: mean lines of groups, error bars in both directions.

Level and upright strokes are thin across and long along; they end freely, while a line or steps lead from marker to
marker. What they cover of a marker is filled in from both sides of the stroke.

Not handled here: slanted strokes, strokes as thick as the markers, open markers larger than `MOST`.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.markers import Plane

THICK = 8  # px: thicker strokes are none
LEAST = 6  # px: shorter ones are none
LONGER = 3  # times as long as thick
MOST = 60  # px: larger pieces are no markers
FEWEST = 3  # markers
MANY = 2000  # strokes: more are a texture
ALIKE = 0.7  # share of the markers that have one size
BENT = 0.25  # share of the thin ink that may be no straight stroke
LEADING = 0.5  # share of the strokes that may lead from one marker to another one
BEYOND, ALONE = 1.3, 2.5  # times the size of a marker that a stroke is long with one that it crosses, and without
OUT = 0.3  # times the size of a marker that a stroke sticks out of it
TAPER = 1.0  # px by which a stroke is thicker at one end
CUT = 0.8  # share of a stroke's length beside hidden places, from which it is but a cut marker
SINGLE = 30  # percentile of the ink inside of markers that no other one covers
CORES = 0.3  # share of the ink that is in markers
ENOUGH = 0.015  # share of the ink that is in strokes
Mask = NDArray[np.bool_]
Runs = NDArray[np.int32]


def without_strokes(amount: Plane, hidden: Mask | None = None) -> Plane | None:
    """The ink (h, w) of the markers alone, where level and upright strokes cross them; None where there are none.

    `hidden`: what other ink covers; what is left of a marker beside that is no stroke.
    """
    solid = _filled(amount > 0.5)
    if int(solid.sum()) < 40:
        return None
    level, bent = _straight(solid)
    upright, bent_too = (part.T for part in _straight(np.ascontiguousarray(solid.T)))
    if hidden is not None:
        near = cv2.dilate(hidden.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
        level, upright = _clear_of(near, level), _clear_of(near.T, upright.T).T
    thin = level | upright
    if thin.sum() < ENOUGH * solid.sum() or (bent & bent_too & ~thin).sum() > BENT * thin.sum():
        return None
    size = _marker_size(solid & ~thin, thin, int(solid.sum()))
    if size is None:
        return None
    level, upright = _long(level, solid, size), _long(upright.T, solid.T, size).T
    if (level | upright).sum() < ENOUGH * solid.sum():
        return None
    bare = _healed(amount, level | _touching(thin & ~upright, upright), solid)
    upright = upright | _touching(thin & ~level, level)
    bare = np.ascontiguousarray(_healed(np.ascontiguousarray(bare.T), upright.T, solid.T).T)
    inside = cv2.erode((bare > 0.35).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    single = float(np.percentile(bare[inside], SINGLE)) if inside.any() else 1.0  # strokes may have set the scale
    return bare / np.float32(min(single, 1.0))


def _filled(solid: Mask) -> Mask:
    """The ink with what small pieces enclose, so that open markers are as thick as filled ones."""
    outer, _ = cv2.findContours(solid.astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    small = [each for each in outer if max(cv2.boundingRect(each)[2:]) < MOST]
    return np.asarray(cv2.drawContours(solid.astype(np.uint8), small, -1, 1, -1) > 0)


def _runs(solid: Mask) -> Runs:
    """For every pixel the length of the run of ink in its row that it belongs to; 0 on paper."""
    width = solid.shape[1]
    columns = np.broadcast_to(np.arange(width, dtype=np.int32), solid.shape)
    before = np.maximum.accumulate(np.where(solid, -1, columns), axis=1)
    after = np.minimum.accumulate(np.where(solid, width, columns)[:, ::-1], axis=1)[:, ::-1]
    return np.where(solid, after - before - 1, 0).astype(np.int32)


def _straight(solid: Mask) -> tuple[Mask, Mask]:
    """The level strokes, and what is as thin but not level: slanted lines, bent ones."""
    along, across = _runs(solid), _runs(np.ascontiguousarray(solid.T)).T
    flat = (across > 0) & (across <= THICK) & (along >= np.maximum(LEAST, LONGER * across))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(flat.astype(np.uint8), connectivity=8)
    kept = np.zeros(count, dtype=bool)
    for k in range(1, count if count <= MANY else 1):
        own = across[_box(stats[k])][labels[_box(stats[k])] == k]
        thin, usual, thick = (float(v) for v in np.percentile(own, (0, 50, 75)))
        even = thick - thin <= TAPER  # the corner of a triangle gets thicker from column to column
        kept[k] = even and stats[k, cv2.CC_STAT_HEIGHT] <= usual + 1 and stats[k, cv2.CC_STAT_WIDTH] >= 2
    level = np.asarray(kept[labels])
    return level, np.asarray(solid & (across <= THICK) & ~level & (np.minimum(along, across) <= THICK / 2))


def _box(stats: NDArray[np.int32]) -> tuple[slice, slice]:
    x, y, width, height = (int(v) for v in stats[:4])
    return slice(y, y + height), slice(x, x + width)


def _marker_size(cores: Mask, thin: Mask, ink: int) -> float | None:
    """The size (px) of what the strokes leave; None but for markers of one size, from which most stick out freely."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(cores.astype(np.uint8), connectivity=8)
    large = np.flatnonzero(stats[:, cv2.CC_STAT_AREA] >= 9)[1:] if count > 1 else np.zeros(0, np.int64)
    if len(large) < FEWEST or stats[large, cv2.CC_STAT_AREA].sum() < CORES * ink:
        return None
    sides = stats[large][:, (cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT)].min(axis=1).astype(float)
    usual = float(np.median(sides))
    if not 4 <= usual <= MOST or float(np.mean(np.abs(sides - usual) <= 2 + 0.15 * usual)) < ALIKE:
        return None
    keep = np.zeros(count, np.int32)
    keep[large] = large
    near = cv2.dilate(keep[labels].astype(np.float32), np.ones((5, 5), np.uint8)).astype(np.int64)
    number, strokes = cv2.connectedComponents(thin.astype(np.uint8), connectivity=8)
    pairs = np.unique(np.stack([strokes[thin & (near > 0)], near[thin & (near > 0)]]), axis=1)
    touched = np.bincount(pairs[0].astype(np.int64), minlength=number)
    areas = np.bincount(strokes.ravel(), minlength=number)
    return usual if float(areas[1:][touched[1:] > 1].sum()) <= LEADING * float(areas[1:].sum()) else None


def _long(level: Mask, solid: Mask, size: float) -> Mask:
    """The level strokes that reach beyond a marker of this size, or are far longer: others are slivers of markers that
    something else cuts, or caps."""
    across = _runs(np.ascontiguousarray(solid.T)).T
    count, labels, stats, _ = cv2.connectedComponentsWithStats(level.astype(np.uint8), connectivity=8)
    kept = np.zeros(count, dtype=bool)
    for k in range(1, count):
        row, first, last = _reach(solid, stats[k])
        crossed = bool((across[row, first : last + 1] > THICK).any())
        sticks = stats[k, cv2.CC_STAT_WIDTH] >= max(4.0, OUT * size)
        kept[k] = sticks and last - first + 1 > (BEYOND if crossed else ALONE) * size
    return np.asarray(kept[labels])


def _reach(solid: Mask, stats: NDArray[np.int32]) -> tuple[int, int, int]:
    """The middle row of a level stroke, and its first and last column with the markers that it runs into."""
    x, y, wide, high = (int(v) for v in stats[:4])
    row, first, last = y + high // 2, x, x + wide - 1
    while first > 0 and x - first < MOST and solid[row, first - 1]:
        first -= 1
    while last < solid.shape[1] - 1 and last - x - wide < MOST and solid[row, last + 1]:
        last += 1
    return row, first, last


def _clear_of(near: Mask, level: Mask) -> Mask:
    """The level strokes that lie beside what is hidden in a part of their columns at most."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(level.astype(np.uint8), connectivity=8)
    kept = np.zeros(count, dtype=bool)
    for k in range(1, count):
        beside = (near[_box(stats[k])] & (labels[_box(stats[k])] == k)).any(axis=0)
        kept[k] = float(beside.mean()) < CUT
    return np.asarray(kept[labels])


def _touching(parts: Mask, strokes: Mask) -> Mask:
    """The pieces that touch a stroke: its caps."""
    count, labels = cv2.connectedComponents(parts.astype(np.uint8), connectivity=8)
    near = cv2.dilate(strokes.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    kept = np.zeros(count, dtype=bool)
    kept[np.unique(labels[near & parts])] = True
    kept[0] = False
    return np.asarray(kept[labels])


def _healed(amount: Plane, level: Mask, solid: Mask) -> Plane:
    """The ink without its level strokes: their rows, on through the markers, are drawn between the rows beside them."""
    bare = amount.copy()
    count, _, stats, _ = cv2.connectedComponentsWithStats(level.astype(np.uint8), connectivity=8)
    for k in range(1, count):
        _, first, last = _reach(solid, stats[k])
        y, high = int(stats[k][1]), int(stats[k][3])
        above, below = max(0, y - 2), min(len(bare) - 1, y + high + 1)
        span = slice(max(0, first - 1), last + 2)
        share = (np.arange(above, below + 1) - above)[:, None] / max(1, below - above)
        between = (1 - share) * bare[above, span][None] + share * bare[below, span][None]
        bare[above : below + 1, span] = np.minimum(bare[above : below + 1, span], between)
    return bare
