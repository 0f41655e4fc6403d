"""Whether an ink draws bars: filled upright rectangles that stand on a common line or on each other.

Not handled here: which of several bar inks belong together (`stacks`), hollow bars.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import cv2
import numpy as np

from tools.rectangles import Bits, Columns, Floats32, Rectangle

TALL = 3.5  # px: what is lower than this on the base line may as well be a line that runs along it
WINDOW = 7  # columns that are looked at together for a slope
SEAM = 5  # px: wide bars may be parted by wider seams
FLANK = 2.5  # px: strokes thinner than this beside other ink are its outline


def bar_likeness(
    coverage: Floats32, others: Floats32, columns: Columns, found: list[Rectangle], base: float, fill: bool = False
) -> float:
    """0 to 1: the share of this ink in rectangles that stand on the base or on other solid ink, less slanted tops.

    coverage, others: (h, w) of this ink and of all other inks together, upright. fill: whether the legend shows a
    patch of this colour, so that thin upright rectangles are no whiskers or rims but narrow bars.
    """
    total = float(coverage.sum())
    if total < 6 or not found:
        return 0.0
    narrow = 0.4 * _width_of_bars(others)
    share = sum(_ink(r, coverage) for r in found if _is_bar(r, coverage, others, base, narrow, fill)) / total
    slanted = float(np.clip((slanted_share(columns, found) - 0.35) / 0.3, 0.0, 1.0))
    return min(1.0, share) * (1.0 - slanted)


def thick_ink(others: Floats32) -> Bits:
    """Ink thicker than a line in both directions: segments of a stack, not lines across bars."""
    solid = (others >= 0.5).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(solid, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)) > 0)


def _ink(one: Rectangle, coverage: Floats32) -> float:
    rows = slice(max(0, int(one.top)), max(0, int(np.ceil(one.bottom)) + 1))
    return float(coverage[rows, max(0, one.first - 1) : one.last + 2].sum())


def _width_of_bars(others: Floats32) -> float:
    """How wide the solid marks of the other inks are: median run along the rows; 0 where they fill the plot."""
    solid = np.pad(thick_ink(others), ((0, 0), (1, 1))).astype(np.int8)
    change = np.diff(solid, axis=1)
    lengths = np.nonzero(change < 0)[1] - np.nonzero(change > 0)[1]
    width = float(np.median(lengths)) if len(lengths) else 0.0
    return width if width < 0.3 * others.shape[1] else 0.0


def _is_bar(
    one: Rectangle, coverage: Floats32, others: Floats32, base: float, narrow: float, fill: bool = False
) -> bool:
    area = max(one.width, 0.3) * max(one.height, 0.3)
    if _ink(one, coverage) < 0.5 * area:
        return False  # an outline: most of the rectangle is other ink
    thin = fill and one.height > 1.5 * one.width
    if _stands(one, base):
        return thin or one.width >= FLANK or not _flanked(one, others)
    return (thin or one.width >= max(FLANK, narrow)) and _supported(one, others, thin)


def _stands(one: Rectangle, base: float) -> bool:
    on_line = abs(one.bottom - base) < 2.5 + min(one.below, 6.0) or abs(one.top - base) < 2.5
    return on_line and (one.height > TALL or (one.height > 1.2 and one.width >= 6))


def _flanked(one: Rectangle, others: Floats32) -> bool:
    """Other solid ink right beside most of the rectangle, on one side at least."""
    rows = slice(max(0, int(one.top) + 2), max(0, int(one.bottom) - 1))
    for columns in (slice(max(0, one.first - 2), max(0, one.first)), slice(one.last + 1, one.last + 3)):
        beside = others[rows, columns]
        if beside.size and float(np.mean(beside.max(axis=1) >= 0.3)) > 0.7:
            return True
    return False


def _supported(one: Rectangle, others: Floats32, thin: bool = False) -> bool:
    """Thick other ink right below the bottom, or right above the top, across most of the width.

    If that ink reaches beyond both sides, this one must be a substantial rectangle: caps of whiskers are not. thin:
    beyond its sides stand the bars beside it.
    """
    seam = float(np.clip(0.03 * one.width, 0, SEAM))
    ends = (one.bottom + 0.5, one.bottom + 7.5 + seam), (one.top - 6.5 - seam, one.top + 0.5)
    for first, last in ((int(start), int(stop)) for start, stop in ends):
        part = others[max(0, first) : max(0, last), one.first : one.last + 1]
        if not part.size or float(np.mean((part >= 0.5).sum(axis=0) >= 4)) < 0.7:
            continue
        around = others[max(0, first) : max(0, last), [max(0, one.first - 5), min(others.shape[1] - 1, one.last + 5)]]
        beyond = bool(((around >= 0.5).sum(axis=0) >= 4).all())
        if not beyond or thin or (one.height >= 4 and one.width >= 4):
            return True
    return False


def slanted_share(columns: Columns, found: Sequence[Rectangle]) -> float:
    """How much of this ink is bounded by slopes: steep ones climb column after column, gentle ones creep from
    rectangle to rectangle. Bars jump between levels and stay."""
    return max(_climbing(columns), _creeping(found), _sloping(columns))


def _sloping(columns: Columns) -> float:
    """Of all short stretches of the upper edge that are not level, the share that a slope explains, not a step."""
    tops = np.where(columns.above < 0.5, columns.top, np.nan)
    if len(tops) < WINDOW:
        return 0.0
    windows = np.lib.stride_tricks.sliding_window_view(tops, WINDOW)
    windows = windows[np.isfinite(windows).all(axis=1)]
    windows = windows[np.ptp(windows, axis=1) > 2.0]
    if len(windows) < 2 * WINDOW:
        return 0.0
    at = np.arange(WINDOW) - (WINDOW - 1) / 2
    centred = windows - windows.mean(axis=1, keepdims=True)
    slope = centred @ at / (at @ at)
    left = np.sqrt(np.mean((centred - slope[:, None] * at) ** 2, axis=1))
    return float(np.mean(left < 0.35 + 0.05 * np.abs(slope)))


def _climbing(columns: Columns) -> float:
    """Of all rise and fall of the upper edge, the part in three or more successive steps of one direction and size."""
    seen = columns.present & (columns.above < 0.5)
    steps = np.nan_to_num(np.where(seen[1:] & seen[:-1], np.diff(columns.top), 0.0))
    size = np.abs(steps)
    climbs = size > 0.5
    if climbs.sum() < 6:
        return 0.0
    ratio = np.minimum(size[1:], size[:-1]) / np.maximum(np.maximum(size[1:], size[:-1]), 1e-9)
    pairs = climbs[1:] & climbs[:-1] & (steps[1:] * steps[:-1] > 0) & (ratio > 0.4)
    triples = pairs[1:] & pairs[:-1]
    sloping = np.zeros(len(steps), dtype=bool)
    for shift in range(3):
        sloping[shift : len(triples) + shift] |= triples
    # A few high jumps (sides of gaps) must not outweigh many slopes.
    weight = np.minimum(size, 3 * float(np.median(size[climbs])))
    return float(weight[sloping].sum() / weight[climbs].sum())


def _creeping(found: Sequence[Rectangle]) -> float:
    """The share of the width in rectangles that go on from their left to their right neighbour by a pixel each."""
    if len(found) < 6:
        return 0.0
    near = np.array([b.first <= a.last + 2 for a, b in itertools.pairwise(found)])
    creeps = np.zeros(len(found) - 2, dtype=bool)
    for edge in (np.array([r.top for r in found]), np.array([r.bottom for r in found])):
        steps = np.diff(edge)
        small = near & (np.abs(steps) < 1.7)
        creeps |= small[1:] & small[:-1] & (steps[1:] * steps[:-1] > 0)
    width = np.array([r.width for r in found])
    return float(width[1:-1][creeps].sum() / width.sum())
