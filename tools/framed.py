"""Bars known by the strokes around them: hollow, hatched, or filled with greys, read together as one silhouette.

Inks cannot be told apart there: outlines, hatches and dark fills share a colour. So the outlines are filled in whatever
lies inside, the silhouette is cut into bars, and only then it is asked what fills each one (`fills`).
Upright frame as in `rectangles`.

Not handled here: which series a bar belongs to, stacked segments, outlines with gaps, bars thinner than `NARROWEST`.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from tools.colour import contrast
from tools.ink import PlotInk
from tools.rectangles import Bits, Floats32, Frame, Rectangle, column_runs, find_rectangles, usual_width
from tools.types import Box, Floats, Image, Panel

NARROWEST = 6.0  # px
INKED = 20.0  # of 255: fainter than any fill or stroke
FAINT = 6.0  # of 255: the weakest grid line
WEAK = 0.5  # of the contrast of most ink: grid lines stay below
BINS = 20  # stretches along a grid line, which shows in an outermost one
FRAME = 3  # px along the border in which a frame may lie
STROKE = 40.0  # of 255 between a stroke and what it surrounds
EXPLAINED = 0.85  # share of the ink that the bars must hold
BESIDE = 4  # px from a grid line to what it lies on
ALIKE_FILL = 4  # of 255: within one fill
LEVEL = 1.6  # px by which the ends of two halves of one bar differ
NARROW = 0.8  # times the halves beside it: width of a stem
BEYOND = 5  # px by which the stem of an error bar passes the end of its bar at least
DEPTH = 12  # px below the upper edge within which its stroke ends


@dataclass(frozen=True, eq=False)
class Framed:
    """The bars of a plot and how they stand: (h, w, 3) upright pixels, the base row, the thickness of the strokes."""

    frame: Frame
    bars: tuple[Rectangle, ...]
    pixels: Floats
    base: float
    thick: float
    share: float


def find_framed(panel: Panel, ink: PlotInk) -> Framed | None:
    """The outlined bars of a plot, from left to right (from the top where they lie); None where it draws no such."""
    ways = [horizontal for horizontal in (False, True) if _may_run(panel, horizontal)]
    body = silhouette(panel, ink)
    found = [_standing(panel, ink, body, horizontal) for horizontal in ways]
    good = [one for one in found if one is not None]
    return max(good, key=lambda one: one.share, default=None)


def _may_run(panel: Panel, horizontal: bool) -> bool:
    value, key = (panel.x, panel.y) if horizontal else (panel.y, panel.x)
    return value is not None and value.scale == "linear" and (key is None or key.scale != "log")


def silhouette(panel: Panel, ink: PlotInk) -> Bits:
    """(h, w) of the crop: all ink but grid lines, the frame and the legend."""
    away = contrast(ink.pixels.astype(np.float32), np.asarray(ink.background, dtype=np.float64))
    if panel.legend.box is not None:
        box, (x, y) = panel.legend.box, ink.origin
        away[Box(box.x0 - x, box.y0 - y, box.x1 - x, box.y1 - y).slices(*away.shape)] = 0.0
    if (away > STROKE).any() and float(np.median(ink.pixels[away > STROKE])) < float(np.median(ink.background)):
        away[(ink.pixels >= np.array(ink.background) - 2).all(axis=2)] = 0.0  # white grid lines on grey
    strong = float(np.median(away[away > STROKE])) if (away > STROKE).any() else 255.0
    weak = (away > FAINT) & (away < WEAK * strong)
    free = away < WEAK * strong
    level, upright = weak & ~_halves(away, weak, strong), weak & ~_halves(away.T, weak.T, strong).T
    ticks = _tick_rows(panel, ink)
    grid = _thin_rows(level, free, -1, ticks[0]) | _thin_rows(np.ascontiguousarray(upright.T), free.T, 0, ticks[1]).T
    inked = np.asarray((away > INKED) & ~(grid & weak & ~_flat(ink.pixels)))
    for line, at in zip((inked, inked.T), ticks, strict=True):
        _without_rules(line, at)
        for edge in (*range(FRAME), *range(-FRAME, 0)):
            line[edge] &= line[edge].mean() < 0.6
    return inked


def _flat(pixels: Image) -> Bits:
    """The pixels (h, w) of fills: of one colour with those `BESIDE` px away along both diagonals, as no line is."""
    same = np.ones(pixels.shape[:2], dtype=bool)
    signed = pixels.astype(np.int16)
    for down, right in itertools.product((-BESIDE, BESIDE), repeat=2):
        same &= np.abs(signed - np.roll(signed, (down, right), axis=(0, 1))).max(axis=2) <= ALIKE_FILL
    return same


def _tick_rows(panel: Panel, ink: PlotInk) -> tuple[Bits, Bits]:
    """The rows (h,) and the columns (w,) of the crop at whose ends a tick is labelled with a number."""
    found = np.zeros(ink.neutral.shape[0], dtype=bool), np.zeros(ink.neutral.shape[1], dtype=bool)
    for axis in panel.axes:
        rows, start = (found[0], ink.origin[1]) if axis.side in ("left", "right") else (found[1], ink.origin[0])
        at = np.array([anchor.pixel for anchor in axis.anchors if axis.scale != "category"]) - start
        for pixel in at[(at > 1) & (at < len(rows) - 2)]:
            rows[round(pixel) - 1 : round(pixel) + 2] = True
    return found


def _halves(away: Floats32, weak: Bits, strong: float) -> Bits:
    """The weak pixels that make up a strong one with the one above or below: a stroke between two rows."""
    pairs = weak[1:] & weak[:-1] & (away[1:] + away[:-1] > 0.75 * strong)
    found = np.zeros_like(weak)
    found[1:] |= pairs
    found[:-1] |= pairs
    return found


def _without_rules(inked: Bits, ticks: Bits) -> None:
    """Takes rules as strong as bars out of these rows, in place: thin, all the way, but for where bars cross them;
    at `ticks` (h,) pale bars may lie over a part of them."""
    share = inked.mean(axis=1)
    for row in np.flatnonzero((share > 0.98) | (ticks & (share > 0.8))):
        if 3 <= row < len(inked) - 3 and max(share[row - 3], share[row + 3]) < (0.85 if share[row] > 0.98 else 0.7):
            thin = ~inked[row - 3] & ~inked[row + 3]
            inked[row - 1 : row + 2, thin] = False


def _thin_rows(weak: Bits, free: Bits, far: int, ticks: Bits) -> Bits:
    """The rows along which faint ink runs that the rows above and below do not have: grid lines, dashed ones too.

    far: 0 where only the first end is free of bars, which grid lines reach; -1 where both may be. ticks (h,): rows
    where a line is likely, though opaque bars leave little of it to be seen.
    """
    share = weak.sum(axis=1) / np.maximum(free.sum(axis=1), 1)
    padded = np.pad(share, 4)
    beside = np.minimum.reduce([np.maximum(padded[4 - k : 4 - k + len(share)], padded[4 + k : 4 + k + len(share)])
                                for k in (2, 3, 4)])  # fmt: skip
    starts = np.linspace(0, weak.shape[1], BINS, endpoint=False).astype(int)
    seen = (np.add.reduceat(weak, starts, axis=1) > 0) | (np.add.reduceat(free, starts, axis=1) == 0)
    end = seen[:, :2] if far == 0 else seen[:, [0, 1, -2, -1]]  # opaque fills interrupt the rest
    rule = (share - beside > 0.25) & end.any(axis=1) & (seen.mean(axis=1) > 0.4)
    rule |= ticks & end.any(axis=1) & (share - beside > 0.05)
    near = rule | np.roll(rule, 1) | np.roll(rule, -1)
    return np.broadcast_to(near[:, None], weak.shape).copy()


def filled_silhouette(panel: Panel, ink: PlotInk, body: Bits, frame: Frame) -> tuple[Bits, Bits, float]:
    """The ink (h, w) upright, the same with all that it encloses above the base line, and the base row."""
    inked = np.ascontiguousarray(frame.upright(body), dtype=bool)
    zero = frame.base_row(panel.x if frame.horizontal else panel.y)
    base = zero if zero is not None and -3 <= zero <= len(inked) + 3 else float(len(inked) - 1)
    return inked, _without_dents(_seated(_filled(inked, base), base)), base


def _standing(panel: Panel, ink: PlotInk, body: Bits, horizontal: bool) -> Framed | None:
    frame = Frame(horizontal, ink.origin, ink.pixels.shape[1])
    inked, filled, base = filled_silhouette(panel, ink, body, frame)
    opened = cv2.morphologyEx(filled.astype(np.uint8), cv2.MORPH_OPEN, np.ones((1, int(NARROWEST)), np.uint8))
    solid = opened.astype(np.float32)
    none = np.zeros(solid.shape, dtype=bool)
    found = [
        one for one in find_rectangles(solid, none, column_runs(solid, none, base))
        if one.width >= NARROWEST and one.height >= 2 and min(abs(one.bottom - base), abs(one.top - base)) < 4
    ]  # fmt: skip
    if len(found) < 2:
        return None
    pixels = np.asarray(frame.upright(ink.pixels), dtype=np.float64)
    paper = np.asarray(ink.background, dtype=np.float64)
    bars = _split(_rejoined(_without_slivers(found), filled))
    thick = thickness(pixels, paper, bars, base)
    if thick is None:
        return None
    seated = tuple(one for one in (placed(pixels, paper, one, base, thick) for one in bars) if one.height > 0.3)
    return Framed(
        frame, seated, pixels, base, thick, _share(inked, np.asarray(frame.upright(ink.neutral), dtype=bool), seated)
    )


def _filled(inked: Bits, base: float) -> Bits:
    """The ink with all that it encloses; bars may stand open on the base line."""
    walls = inked.copy()
    height = len(walls)
    row = int(np.clip(round(base), 0, height - 1))
    walls[max(0, row - FRAME + 1) : row + 2] = True  # touching bars may have passed for a frame there
    padded = np.pad((~walls).astype(np.uint8), 1, constant_values=1)
    if row >= height - 3:
        padded[-1] = 0  # beyond the base line nothing is let in
    _, labels = cv2.connectedComponents(padded, connectivity=4)
    sizes = np.bincount(labels.ravel())
    sizes[0] = 0
    outside = (labels == labels[0, 0]) | (labels == int(np.argmax(sizes)))  # a frame may close the plot off
    inside = ~outside[1:-1, 1:-1] & ~walls
    return np.asarray(inked | inside)


def _seated(filled: Bits, base: float) -> Bits:
    """The silhouette (h, w) with the feet of its bars on the base row, in place: the axis and its ticks cut them."""
    row = int(np.clip(round(base), 0, len(filled) - 1))
    for near in range(max(1, row - FRAME + 1), row + 1):
        filled[near] |= filled[near - 1]
    for near in range(min(len(filled) - 2, row + FRAME - 1), row, -1):
        filled[near] |= filled[near + 1]
    return filled


def _without_dents(filled: Bits) -> Bits:
    """The silhouette (h, w), dents a pixel deep in the ends of bars made good: a grid line's, taken away above them."""
    closed = cv2.morphologyEx(filled.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((1, int(NARROWEST) + 1), np.uint8)) > 0
    beside = np.pad(filled, ((1, 1), (0, 0)))
    return np.asarray(filled | (closed & (beside[2:] | beside[:-2])))


def _without_slivers(found: Sequence[Rectangle]) -> list[Rectangle]:
    """Without the feet of the strokes that two touching bars share."""
    usual = usual_width(found)
    return [one for one in found if one.width > 0.35 * usual]


def _rejoined(found: Sequence[Rectangle], solid: Bits) -> list[Rectangle]:
    """Halves of a bar that the thick stem of its error bar parts are one again: they end level, and in most columns
    between them the ink (h, w) goes on beyond that end. The stem may have been taken for a bar itself."""
    joined: list[Rectangle] = []
    for one in sorted(found, key=lambda r: r.left):
        back = next((k for k in (1, 2) if len(joined) >= k and _halves_of_one(joined[-k], one, solid)), 0)
        if back:
            left = joined[-back]
            one = replace(one, left=left.left, first=left.first, top=min(left.top, one.top))
            del joined[-back:]
        joined.append(one)
    return joined


def _halves_of_one(left: Rectangle, right: Rectangle, solid: Bits) -> bool:
    gap = right.left - left.right
    level = abs(left.top - right.top) < LEVEL and abs(left.bottom - right.bottom) < LEVEL
    if not level or not 0.5 < gap < NARROW * min(left.width, right.width) or left.width + right.width < 2 * NARROWEST:
        return False
    if abs(left.width - right.width) > 0.35 * max(left.width, right.width):
        return False
    between = slice(left.last + 1, max(left.last + 2, right.first))
    above, below = max(0, round(left.top) - BEYOND), min(len(solid) - 1, round(left.bottom) + BEYOND)
    return max(float(solid[row, between].mean()) for row in (above, below)) >= 0.6  # a soft edge on either side


def _split(found: Sequence[Rectangle]) -> list[Rectangle]:
    """Touching bars of one height are as many as the usual width fits in."""
    usual = float(np.median([one.width for one in found]))
    split: list[Rectangle] = []
    for one in found:
        count = round(one.width / usual)
        if count < 2 or abs(one.width / usual - count) > 0.42:
            split.append(one)
            continue
        edges = np.linspace(one.left, one.right, count + 1)
        for left, right in itertools.pairwise(edges):
            split.append(replace(one, left=float(left), right=float(right), first=int(np.ceil(left)), last=int(right)))
    return split


def _end_strip(pixels: Floats, one: Rectangle, base: float) -> tuple[Floats, float]:
    """Colours (n, 3) from four rows outside the value end inwards, medians over the bar's middle columns, and the row
    of the first. Hanging bars are looked at from below: rows count downwards from the end."""
    inset = max(2, int(0.2 * one.width))
    columns = slice(one.first + inset, max(one.first + inset + 1, one.last + 1 - inset))
    hangs = one.bottom - base > base - one.top
    start = round(one.bottom) + 4 if hangs else round(one.top) - 4
    rows = np.arange(start, start + (-1 if hangs else 1) * (DEPTH + 5), -1 if hangs else 1)
    rows = np.clip(rows, 0, len(pixels) - 1)
    # Letters and whiskers cover few of the columns, hatches up to a third of them.
    return np.median(pixels[rows, columns], axis=1), float(start)


def _edge_of(strip: Floats, paper: Floats) -> tuple[int, float, Floats]:
    """The first inked row of a strip, how much of it and of the row before is inked, and the colour of the stroke."""
    away = np.abs(strip - paper).max(axis=1)
    first = int(np.argmax(away > 0.5 * float(away[:9].max())))
    peak = first + int(np.argmax(away[first : first + 3]))
    share = float(np.clip(away[first - 1] / max(away[peak], 1.0), 0.0, 1.0)) if first else 0.0
    own = float(np.clip(away[first] / max(away[peak], 1.0), 0.0, 1.0))
    return first, share + own, strip[peak]


def thickness(pixels: Floats, paper: Floats, bars: Sequence[Rectangle], base: float) -> float | None:
    """Usual thickness of the strokes at the value ends; None where hardly any bar shows one around another fill."""
    found = []
    tall = [one for one in bars if one.height >= DEPTH + 3]
    for one in tall:
        strip, _ = _end_strip(pixels, one, base)
        first, lead, colour = _edge_of(strip, paper)
        fill = np.median(strip[-5:], axis=0)
        step = float(np.abs(colour - fill).max())
        if step < STROKE or float(np.abs(colour - paper).max()) < STROKE:
            continue
        inner = np.clip(np.abs(strip[first + 1 :] - fill).max(axis=1) / step, 0.0, 1.0)
        stop = int(np.argmax(inner < 0.2)) if (inner < 0.2).any() else len(inner)
        found.append(lead + float(inner[:stop].sum()))
    thin = [thick for thick in found if thick < DEPTH - 2]
    if len(thin) < max(1, 0.4 * len(tall)):
        return None
    return float(np.median(thin))


def placed(pixels: Floats, paper: Floats, one: Rectangle, base: float, thick: float) -> Rectangle:
    """The value end in the middle of its stroke, the other end on the base line."""
    strip, start = _end_strip(pixels, one, base)
    first, lead, _ = _edge_of(strip, paper)
    inwards = first + 0.5 - lead + thick / 2
    if one.bottom - base > base - one.top:
        return replace(one, top=base, bottom=max(base, start - inwards))
    return replace(one, top=min(base, start + inwards), bottom=base)


def _share(inked: Bits, told: Bits, bars: Sequence[Rectangle]) -> float:
    """The share of all ink in the bars and their strokes; what is `told` (words) counts only there."""
    held = np.zeros(inked.shape, dtype=bool)
    for one in bars:
        rows = slice(max(0, int(one.top) - 4), int(one.bottom) + 4)
        held[rows, max(0, one.first - 3) : one.last + 4] = True
    counted = inked & (held | ~told)
    counted[:3], counted[-3:], counted[:, :3], counted[:, -3:] = False, False, False, False
    return float((counted & held).sum()) / max(1, int(counted.sum()))
