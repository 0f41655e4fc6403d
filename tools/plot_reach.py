"""How far a plot without a frame reaches: over what is drawn beyond its outermost grid lines.

Not handled here: frames and filled backgrounds, which say themselves where the plot ends.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.backgrounds import papers
from tools.numbers import parse_offset
from tools.ridges import Gray
from tools.strokes import Stroke
from tools.types import Box, Word

_INK = 40  # luma steps from the paper: darker than grid lines and the backgrounds of strips
_SPINE = 80  # luma steps of a line that ends a plot
_STROKE = 3  # rows above the edge of a plot that may still be ink of the line along it
_MARGIN = 0.022  # of the plot's height that is left free above the topmost ink: no bar's side is a rule right across
_FARTHEST = 0.25  # of the plot's height
_FILLED = 0.6  # of a row: areas that hide the grid lines below, however far they run on
_STEP = 0.6  # of its width, to the left: bars begin at a line that is not drawn, a step before the first of a few
_RULE = 0.9  # of a row: the line at zero
_THICKEST = 8  # px of that line
_BAR = 6  # px: bars are at least as broad
_UPRIGHT = 2.2  # times as high as wide: a letter I, no marker
_ALIKE = 8  # luma steps between bars on both sides of zero


def reaching(box: Box, words: Sequence[Word], others: Sequence[Box], gray: Gray) -> Box:
    """The plot grown, where no spine ends it, over what is drawn beyond its outermost grid lines.

    Upwards over markers, bars and curves as far as the next words (a title); downwards and to both sides over the
    fills that run on without a break. `others`: plots that it must not reach.
    """
    away = np.min([np.abs(gray.astype(np.int16) - paper) for paper in papers(gray)], axis=0)
    ink = away > _INK
    for word in words:
        ink[word.box.grown(1).slices(*gray.shape)] = False
    columns = slice(round(box.x0) + 2, max(round(box.x0) + 3, round(box.x1) - 1))
    y0, y1, x1 = box.y0, box.y1, box.x1
    if not _spine(away, round(box.y0), columns, -1):
        low = max([box.y0 - _FARTHEST * box.height, 0, _foot(words, box), *(_floor(o, box) for o in others)])
        line = _STROKE if _dark(away, round(box.y0), columns) > 0.5 else 0
        above = _own_ink(ink[round(low) : max(0, round(box.y0) - line), columns])
        top = _topmost(above, round(low), box.y0)
        y0 = min(y0, max(low, top - _MARGIN * box.height)) if top < box.y0 else y0
    if not _spine(away, round(box.y1), columns, 1):
        below = ink[round(box.y1) + 1 :, columns]
        y1 += max(_unbroken(below[: round(_FARTHEST * box.height)], 0.1), _unbroken(below, _FILLED))
    else:
        y1 += past_zero(gray[::-1], ink[::-1], len(gray) - 1 - round(box.y1), columns)
    rows = slice(round(box.y0) + 2, max(round(box.y0) + 3, round(box.y1) - 1))
    if not _spine(away.T, round(box.x1), rows, 1):
        x1 += _unbroken(ink.T[round(box.x1) + 1 : round(box.x1 + _FARTHEST * box.width), rows], 0.02)
    x0 = box.x0
    if not _spine(away.T, round(box.x0), rows, -1):
        x0 -= _unbroken(ink.T[max(0, round(box.x0 - _STEP * box.width)) : round(box.x0), rows][::-1], 0.1)
    else:
        x0 -= past_zero(gray.T, ink.T, round(box.x0), rows)
    return Box(x0, y0, x1, y1)


def _own_ink(ink: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The ink above a plot (h, w) without pieces that stand free of it and are none of its markers: upright and thin,
    a letter I that is not always read; hanging from the upper edge, the tick marks of the plot above."""
    if not ink.any():  # of a plot at the upper edge of the figure there are no rows
        return ink
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8), connectivity=8)
    foot = stats[:, cv2.CC_STAT_TOP] + stats[:, cv2.CC_STAT_HEIGHT]
    letters = stats[:, cv2.CC_STAT_HEIGHT] >= _UPRIGHT * stats[:, cv2.CC_STAT_WIDTH]
    free = (foot < len(ink) - _STROKE) & (letters | (stats[:, cv2.CC_STAT_TOP] <= _STROKE))
    free[0] = False
    return np.asarray(ink & ~free[labels])


def laddered(box: Box, strokes: Sequence[Stroke], others: Sequence[Box]) -> Box:
    """The plot grown upwards over further grid lines in the step of its own, which no bar or spine ties to the rest.

    Each such line ends at the right side of the plot, and begins at the left one or where something lies over it.
    `others`: plots that it must not reach.
    """
    level = [s for s in strokes if s.direction == "horizontal" and box.x0 - 3 < s.start and s.end < 1.03 * box.x1]
    right = max([s.end for s in level if s.start < box.x0 + 3], default=box.x1)
    ends = [s.position for s in level if s.start < box.x0 + 3 or s.end > right - 3]
    rows = np.unique(np.round([at for at in ends if box.y0 - 2 < at < box.y1 + 2]))
    steps = np.diff(rows[np.concatenate(([True], np.diff(rows) > 3))]) if len(rows) else rows
    step = float(np.median(steps)) if len(steps) > 1 else 0.0
    even = np.abs(steps - step) <= 2
    if step < 8 or not even[:2].all() or float(even.mean()) < 0.6:
        return box
    top = float(rows[0])
    long = [s.position for s in level if s.length > 0.5 * box.width and s.end > right - 3]
    while near := [at for at in long if abs(top - step - at) <= 2]:
        if any(o.x0 < box.x1 and o.x1 > box.x0 and o.y0 - 3 < near[0] < o.y1 + 3 for o in others):
            break
        top = float(near[0])
    reaching_it = sum(right - s.end < 2 for s in level)
    return Box(box.x0, min(box.y0, top), max(box.x1, right) if reaching_it > 1 else box.x1, box.y1)


def past_zero(gray: Gray, ink: NDArray[np.bool_], at: int, along: slice) -> int:
    """How many rows above a line along row `at` the negative bars need that start from it: of the luma of those below
    it and in other columns than these, as no ticks, strips or plots beside it are. 0 where there are none."""
    dark = ink[:, along].mean(axis=1) > _RULE
    first = last = at
    while first > 0 and dark[first - 1]:
        first -= 1
    while last < len(dark) - 1 and dark[last + 1]:
        last += 1
    if first < 2 * _STROKE or last + 2 * _STROKE >= len(dark) or last - first > _THICKEST:
        return 0
    outer, inner = first - 2 * _STROKE, last + 2 * _STROKE
    hanging = _broad(np.asarray(ink[outer:first, along].all(axis=0)))
    standing = _broad(np.asarray(ink[last + 1 : inner + 1, along].all(axis=0)))
    if not hanging.any() or not standing.any() or (hanging & standing).sum() > 0.1 * hanging.sum():
        return 0
    lumas = [float(np.median(gray[row, along][bars])) for row, bars in ((outer + 2, hanging), (inner - 2, standing))]
    if abs(lumas[0] - lumas[1]) > _ALIKE:
        return 0
    above = ink[:first, along][::-1, hanging]
    return _unbroken(above, 1 / above.shape[1]) + at - first + _STROKE


def _broad(flags: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The runs of true ones that are as broad as bars, not ticks or letters."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(int), [0]]))).reshape(-1, 2)
    broad = np.zeros_like(flags)
    for start, stop in edges:
        broad[start:stop] = stop - start >= _BAR
    return broad


def _spine(away: NDArray[np.int16], at: int, along: slice, outward: int) -> bool:
    """Is there a dark line along this row or one beside it, and no fill that runs on outwards (-1 up, 1 down)?"""
    beyond = at + 8 * outward
    runs_on = 0 <= beyond < len(away) and float((away[beyond, along] > _SPINE).mean()) > 0.9
    return _dark(away, at, along) > 0.9 and not runs_on


def _dark(away: NDArray[np.int16], at: int, along: slice) -> float:
    """The share of a dark line along this row, column by column: one not quite level steps from row to row."""
    return float((away[max(0, at - 2) : at + 3, along] > _SPINE).any(axis=0).mean())


def _foot(words: Sequence[Word], box: Box) -> float:
    """How far down words above the plot forbid it to grow: with letters (a title, a legend), or a row of labels.

    The factor of an axis stands beside what is drawn.
    """
    above = [w for w in words if w.box.x1 > box.x0 and w.box.x0 < box.x1 and w.box.centre[1] < box.y0]
    feet = [0.0]
    for word in above:
        level = sum(abs(other.box.centre[1] - word.box.centre[1]) < 0.3 * word.box.height for other in above)
        if level >= 3 or (any(c.isalpha() for c in word.text) and not parse_offset(word.text)):
            feet.append(word.box.y1 + 0.5 * word.box.height)
    return max(feet)


def _floor(other: Box, box: Box) -> float:
    over = other.x1 > box.x0 and other.x0 < box.x1 and other.y1 <= box.y0 + 3
    return other.y1 + 3 if over else 0.0


def _topmost(ink: NDArray[np.bool_], first: int, top: float) -> float:
    """The row of the topmost ink under the last rule that runs right across (an underline)."""
    share = ink.mean(axis=1) if ink.size else np.zeros(0)
    rules = np.flatnonzero(share > 0.8)
    start = int(rules[-1]) + 1 if len(rules) else 0
    inked = np.flatnonzero(share[start:] > 0)
    return float(first + start + inked[0] - 1) if len(inked) else top


def _unbroken(ink: NDArray[np.bool_], least: float) -> int:
    """In how many rows from the first on is at least this share inked?"""
    full = ink.mean(axis=1) >= least if ink.size else np.zeros(0, dtype=bool)
    return len(full) if full.all() else int(np.argmin(full))
