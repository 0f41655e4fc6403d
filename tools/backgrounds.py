"""Backgrounds: the figure's paper, and the pale fills that plots lie on, whatever is drawn over them.

Not handled here: gradients, photographs, strong colours (those are bars and areas).
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.ridges import Gray
from tools.strokes import stroke_limit
from tools.types import Box, Image

BROAD = 0.2  # of a fill is broader than lines, whatever is drawn on it
_LINE = 2.5  # px: a thin grid line, thinner than any gap between two facets


def figure_paper(gray: Gray) -> int:
    """The commonest luma along the four edges of the figure."""
    edges = np.concatenate([gray[0], gray[-1], gray[:, 0], gray[:, -1]])
    return int(np.argmax(np.bincount(edges, minlength=256)))


def papers(gray: Gray) -> list[int]:
    """The figure's paper, and what lies inside where a grey frame runs along the edges of a light or dark figure."""
    outside = figure_paper(gray)
    counts = np.bincount(gray.ravel(), minlength=256)
    return [outside, 200 + int(np.argmax(counts[200:])) if outside > 100 else int(np.argmax(counts[:60]))]


def grounds(gray: Gray, paper: int) -> list[int]:
    """Common pale levels (dark ones on dark paper) other than the figure's paper: backgrounds of plots."""
    counts = np.bincount(gray.ravel(), minlength=256)
    common = np.flatnonzero(counts > 0.05 * gray.size).tolist()
    return [level for level in common if 2 < abs(level - paper) < 60]


def fills(pixels: Image, gray: Gray) -> list[Box]:
    """Rectangles filled with a pale flat colour that is not the figure's paper, whatever is drawn on them."""
    height, width = gray.shape
    counts = np.bincount(gray.ravel(), minlength=256)
    paper = figure_paper(gray)
    ink = (gray > paper + 2) | (gray < paper - 2)
    # over white grid lines, but not between facets
    bridge = np.ones((round(0.75 * stroke_limit(gray)) + 1,) * 2, dtype=np.uint8)
    found = []
    for level in np.flatnonzero(counts > 0.02 * gray.size).tolist():
        if abs(level - paper) < 3 or counts[max(0, level - 2) : level + 3].max() > counts[level]:
            continue
        flat = np.asarray(cv2.inRange(gray, max(0, level - 2), min(255, level + 2)), dtype=np.uint8)
        colour = np.array(cv2.mean(pixels, flat)[:3])
        if np.ptp(colour) > 50 or (colour.max() > 60 and colour.min() < 200):
            continue
        flat = np.asarray(cv2.morphologyEx(flat, cv2.MORPH_CLOSE, bridge), dtype=np.uint8)
        broad = cv2.morphologyEx(flat, cv2.MORPH_OPEN, np.ones((2 * len(bridge) + 1,) * 2, dtype=np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(flat, connectivity=4)
        for number, (left, top, across, down, area) in enumerate(stats[1:count].tolist(), 1):
            if area < 0.02 * gray.size or (across == width and down == height):
                continue
            here = np.s_[top : top + down, left : left + across]
            if np.count_nonzero(broad[here][labels[here] == number]) < BROAD * area:
                continue  # a lattice of grid lines
            box = _trimmed(Box(left, top, left + across - 1, top + down - 1), ink)
            if _outlined(ink, flat, box, len(bridge)):
                found.append(_edges(grown(box, gray, paper, level, len(bridge)), gray, paper, level))
    return _joined(found)


def _joined(found: Sequence[Box]) -> list[Box]:
    """Fills of one extent that a grid line parts: with hardly more than the width of a thin line between them."""
    boxes: list[Box] = []
    for box in sorted(found, key=lambda box: (box.x0, box.y0)):
        for i, other in enumerate(boxes):
            level = abs(box.y0 - other.y0) <= 1 and abs(box.y1 - other.y1) <= 1 and 0 <= box.x0 - other.x1 <= _LINE
            under = abs(box.x0 - other.x0) <= 1 and abs(box.x1 - other.x1) <= 1 and 0 <= box.y0 - other.y1 <= _LINE
            if level or under:
                boxes[i] = other.union(box)
                break
        else:
            boxes.append(box)
    return boxes if len(boxes) == len(found) else _joined(boxes)


def _trimmed(box: Box, ink: NDArray[np.bool_]) -> Box:
    """The box without the rows and columns along its sides that hold only tick marks or letters that touch the fill."""
    for _ in range(2):
        rows, columns = box.slices(*ink.shape)
        part = ink[rows, columns]
        down, across = (np.flatnonzero(part.mean(axis=axis) > 0.7) for axis in (1, 0))
        if not len(down) or not len(across):
            return box
        box = Box(box.x0 + across[0], box.y0 + down[0], box.x0 + across[-1], box.y0 + down[-1])
    return box


def grown(box: Box, gray: Gray, paper: int, level: int, over: int) -> Box:
    """The box grown over rows and columns that are all ink: background of this level, or bars that hide it.

    Up to `over` white ones, grid lines, are passed if there is more ink behind them. Another background, of a strip,
    stops the growth.
    """
    signed = gray.astype(np.int16)
    ink = np.abs(signed - paper) > 2
    other = ink & (np.abs(signed - paper) < 60) & (np.abs(signed - level) > 2)
    x0, y0, x1, y1 = (round(side) for side in (box.x0, box.y0, box.x1, box.y1))

    def full(axis: int, part: tuple[slice, slice]) -> NDArray[np.bool_]:
        return np.asarray((ink[part].mean(axis=axis) > 0.9) & (other[part].mean(axis=axis) < 0.5), dtype=np.bool_)

    rows, columns = full(1, np.s_[:, x0 : x1 + 1]), full(0, np.s_[y0 : y1 + 1, :])
    y0, y1 = len(rows) - 1 - _last(rows[::-1], len(rows) - 1 - y0, over), _last(rows, y1, over)
    x0, x1 = len(columns) - 1 - _last(columns[::-1], len(columns) - 1 - x0, over), _last(columns, x1, over)
    return Box(x0, y0, x1, y1)


def _edges(box: Box, gray: Gray, paper: int, level: int) -> Box:
    """The outer edges of a fill, not its outermost pixels: half a pixel farther, and the share of the next one."""
    x0, y0, x1, y1 = int(box.x0), int(box.y0), int(box.x1), int(box.y1)

    def share(line: Gray) -> float:
        return float(np.clip((np.median(line) - paper) / (level - paper), 0, 1)) if line.size else 0.0

    return Box(
        x0 - 0.5 - share(gray[y0 : y1 + 1, max(0, x0 - 1)]), y0 - 0.5 - share(gray[max(0, y0 - 1), x0 : x1 + 1]),
        x1 + 0.5 + share(gray[y0 : y1 + 1, x1 + 1 : x1 + 2]), y1 + 0.5 + share(gray[y1 + 1 : y1 + 2, x0 : x1 + 1]),
    )  # fmt: skip


def _last(full: NDArray[np.bool_], at: int, over: int) -> int:
    while full[at + 1 : at + 2 + over].any():
        at += 1 + int(np.argmax(full[at + 1 : at + 2 + over]))
    return at


def _outlined(ink: NDArray[np.bool_], flat: NDArray[np.uint8], box: Box, line: int) -> bool:
    """Is the outline of this box unbroken, and mostly of the flat colour? A grid line up to `line` px thick may run
    right along a side: there what lies behind it counts."""
    rows, columns = box.slices(*ink.shape)
    parts = (ink[rows, columns], flat[rows, columns] > 0)
    if min(parts[0].shape) <= 8:
        return False
    sides = [[part, part[::-1], part.T, part.T[::-1]] for part in parts]
    behind = min(1 + line, min(parts[0].shape) // 2)
    at = [behind if side[1].mean() < 0.1 else 1 for side in sides[0]]
    around = [np.concatenate([side[row] for side, row in zip(own, at, strict=True)]) for own in sides]
    return bool(around[0].mean() > 0.85 and around[1].mean() > 0.4)
