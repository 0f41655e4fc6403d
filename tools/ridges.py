"""Line-like pixels and their runs: the pixel work under `strokes`, on luma.

Not handled here: slanted lines, joining the dashes of a dashed line.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numba import njit
from numpy.typing import NDArray

from tools.types import Floats, Image

Gray = NDArray[np.uint8]


def luma(pixels: Image) -> Gray:
    """(H, W, 3) RGB to (H, W) luma, both uint8."""
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), dtype=np.uint8)


def ridges(planes: Sequence[Gray], limit: int, light: bool) -> Gray:
    """By how much each pixel is darker (lighter) than both rows above and below it, in the plane that shows it best.

    The rows compared are two away, for thin lines, and `limit` + 1 away. Colour planes show a grey frame beside a
    red area of the same luma.
    """
    depth = np.zeros(planes[0].shape, dtype=np.uint8)
    for step in sorted({2, limit + 1}):
        inner = depth[step:-step]
        for plane in planes if inner.size else ():
            above, at, below = plane[: -2 * step], plane[step:-step], plane[2 * step :]
            found = cv2.subtract(at, cv2.max(above, below)) if light else cv2.subtract(cv2.min(above, below), at)
            cv2.max(inner, found, dst=inner)
    return depth


@njit(cache=True)
def runs(  # pragma: no cover (compiled)
    depth: Gray, gray: Gray, contrast: int, min_length: int, max_gap: int
) -> NDArray[np.int64]:
    """(n, 3) rows of (row, first column, last column) of runs of pixels deeper than `contrast`.

    Along a run either the depth or the luma stays about the same, so a grid line ends where a tick mark goes on. A gap
    needs a run four times its length before it.
    """
    found = []
    height, width = gray.shape
    for row in range(height):
        start, last, count = -1, -1, 0
        level, mean = 0.0, 0.0
        for column in range(width + 1):
            inked = column < width and depth[row, column] >= contrast
            if inked and start >= 0:
                value, deep = float(gray[row, column]), float(depth[row, column])
                inked = abs(value - level) <= max(12.0, 0.25 * mean) or 0.4 * mean <= deep <= 2.5 * mean
                if inked:
                    last = column
                    count += 1
                    level += (value - level) / min(count, 20)
                    mean += (deep - mean) / min(count, 20)
            elif inked:
                start, last, count = column, column, 1
                level, mean = float(gray[row, column]), float(depth[row, column])
            if start >= 0 and (column == width or column - last > min(max_gap, count // 4)):
                if last - start + 1 >= min_length and 5 * count >= 4 * (last - start + 1):
                    found.append((row, start, last))
                start = -1
                if column < width and depth[row, column] >= contrast:
                    start, last, count = column, column, 1
                    level, mean = float(gray[row, column]), float(depth[row, column])
    out = np.empty((len(found), 3), dtype=np.int64)
    for i in range(len(found)):
        out[i, 0], out[i, 1], out[i, 2] = found[i]
    return out


def merge_rows(found: NDArray[np.int64]) -> list[tuple[tuple[int, int], int, int]]:
    """Runs of neighbouring rows that cover the same columns, joined: ((first row, last row), start, end)."""
    done: list[tuple[tuple[int, int], int, int]] = []
    open_: list[tuple[tuple[int, int], int, int]] = []
    for row, start, end in found.tolist():
        done += [one for one in open_ if one[0][1] < row - 1]
        open_ = [one for one in open_ if one[0][1] >= row - 1]
        for i, (rows, left, right) in enumerate(open_):
            shared = min(end, right) - max(start, left) + 1
            if shared > 0.5 * max(end - start + 1, right - left + 1):
                open_[i] = ((rows[0], row), min(start, left), max(end, right))
                break
        else:
            open_.append(((row, row), start, end))
    return done + open_


def profile_centre(profile: Floats, light: bool, within: tuple[int, int]) -> tuple[float, float, int]:
    """Centre and thickness (pixels of the profile) of the line across it, and its core pixel.

    `within` bounds the core. Paper is taken on each side where the profile settles, so a line between two different
    grounds (a spine under a bar) is not drawn to either; each pixel counts by the share of it that the line covers.
    """
    sign = 1.0 if light else -1.0
    core = within[0] + int(np.argmax(sign * profile[within[0] : within[1] + 1]))
    weights = np.zeros(len(profile))
    weights[core] = 1.0
    for step in (-1, 1):
        at = core
        while 0 <= at + step < len(profile) and sign * (profile[at] - profile[at + step]) >= 1.5:
            at += step
        if at == core:  # a plateau: the line goes on at full strength
            while 0 <= at + step < len(profile) and sign * (profile[core] - profile[at + step]) < 1.5:
                at += step
            while 0 <= at + step < len(profile) and sign * (profile[at] - profile[at + step]) >= 1.5:
                at += step
        depth = profile[core] - profile[at]
        if depth == 0:
            continue
        for i in range(core + step, at + step, step):
            weights[i] = min(1.0, max(0.0, (profile[i] - profile[at]) / depth))
    total = float(weights.sum())
    return float(weights @ np.arange(len(profile))) / total, total, core


def spans(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """First and last index of every run of True in a one-dimensional mask.

    >>> spans(np.array([True, True, False, True]))
    [(0, 1), (3, 3)]
    """
    padded = np.concatenate([[False], mask, [False]]).astype(np.int8)
    change = np.diff(padded)
    starts, ends = np.flatnonzero(change == 1), np.flatnonzero(change == -1) - 1
    return [(int(start), int(end)) for start, end in zip(starts, ends, strict=True)]
