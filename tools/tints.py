"""Grey fills of a scan given colours: greys a few levels apart become as different as the colours that they were.

In grey everything lies on one line from paper to black: a pixel may be the one fill, a mixture of another one with
the paper, or the rim of a stroke. Fills are flat and large enough to tell their levels to a fraction of one; each
level gets a hue of its own and keeps its brightness, so the grey is what comes back when colour is taken away. Strokes
and text stay grey, and what mixes a fill with its neighbours mixes its colour.

Not handled here: strokes (too thin to tell their grey), fills of the same grey, pictures of many greys.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.types import Image

TINTED = "greys of the scan a few levels apart were told apart by the levels of large fills"
LARGE = 0.0008  # share of the picture that fills of one level cover, without their borders
FLAT, SAME = 2, 2.0  # levels of 255: within a flat place; by which two places of one fill may differ
FEW = 6  # flat pixels of the smallest place of a fill: a key of a legend
PAPER = 30  # levels by which a fill differs from the paper
INK = 20  # levels by which a fill differs from the darkest (on dark paper the brightest) ink: thick black strokes
KEY, ALIKE = 0.08, 10.0  # share of the pixels of another fill, and levels from it: a key that lies on other paper
WIDE = 0.02  # share of the picture that no strokes cover
SEAM, HALF = 7, 0.3  # px of the gaps between bars with their borders; share of a fill's places that are wider
MOST = 7  # fills; more would be a photograph or a map
REACH = 2  # px from a pixel to the two sides of the border that it lies on
NEAR, AROUND = 7, 21  # px of the window in which a fill is near; in which a thin part of it may stand
RIDGE, STROKE = 3, 0.1  # px to both sides of a stroke, and the least share of it that is flat
BEYOND = 1.3  # of the step from the paper to a fill: how dark the rims are that sharpening leaves
PALE, DARKER, RIM = 0.7, 1.5, 3  # of that step: narrow parts of a fill, other strokes; px that their rims reach
FAINT = 24  # levels by which such a part differs from the paper
CHROMA, WITHIN = 0.9, 90.0  # share of the colour that a brightness allows, and at most, of 255
GOLDEN = 137.508  # degrees from hue to hue


def tinted(pixels: Image) -> tuple[Image, bool]:
    """A grey image (H, W, 3) uint8 with its fills in colours of the same brightness, and whether there were any.

    The levels of fills are flat (as `artefacts.flattened` leaves them).
    """
    grey = pixels[..., 0]
    square = np.ones((3, 3), np.uint8)
    flat = cv2.dilate(grey, square) - cv2.erode(grey, square) <= FLAT
    paper = int(np.bincount(grey.ravel(), minlength=256).argmax())
    levels = _levels(grey, flat, paper)
    if not 1 <= len(levels) <= MOST:
        return pixels, False
    return coloured_by(grey, _places(grey, flat, levels), levels, paper), True


def coloured_by(grey: NDArray[np.uint8], label: NDArray[np.int32], levels: list[float], paper: int) -> Image:
    """A grey picture (H, W) in the colours (H, W, 3) of its fills and what mixes them with their neighbours.

    `label` (H, W): the number of the fill of each pixel of a flat place, -1 elsewhere; `levels`: the grey of each fill.
    """
    window = np.ones((2 * REACH + 1, 2 * REACH + 1), np.uint8)
    low, high = np.asarray(cv2.erode(grey, window), np.uint8), np.asarray(cv2.dilate(grey, window), np.uint8)
    ends = [_coloured(end, label, levels, paper) for end in (low, high)]
    share = (grey.astype(np.float32) - low) / np.maximum(high.astype(np.float32) - low, 1)
    mixed = ends[0] + share[..., None] * (ends[1] - ends[0])
    for number, level in enumerate(levels):
        mixed[label == number] = hue(level, number)
    return np.asarray(np.clip(mixed, 0, 255).round(), np.uint8)


def _levels(grey: NDArray[np.uint8], flat: NDArray[np.bool_], paper: int) -> list[float]:
    """The levels of large fills, darkest first."""
    counts = np.bincount(grey[flat], minlength=256).astype(np.float64)
    ink = float(np.percentile(grey, 0.2 if paper > 127 else 99.8))
    found: dict[int, float] = {}
    for level in np.argsort(-counts).tolist():
        near = float(counts[max(0, level - int(SAME)) : level + int(SAME) + 1].sum())
        if near < LARGE * grey.size or len(found) > MOST:
            break
        if abs(level - paper) < PAPER or (abs(level - ink) < INK and near < WIDE * grey.size):
            continue
        if all(abs(level - o) > (ALIKE if near < KEY * size else 2 * SAME) for o, size in found.items()):
            found[level] = near
    return sorted(map(float, (level for level in found if not _is_seam(grey, flat, level, paper, found))))


def _is_seam(grey: NDArray[np.uint8], flat: NDArray[np.bool_], level: int, paper: int, levels: Iterable[int]) -> bool:
    """Whether a level between the paper's and a fill's stands in narrow places only: gaps between bars of that fill."""
    if not any(min(one, paper) < level < max(one, paper) for one in levels):
        return False
    own = (flat & (np.abs(grey.astype(np.int16) - level) <= SAME)).astype(np.uint8)
    grown = cv2.dilate(own, np.ones((3, 3), np.uint8))  # with its borders, which are not flat
    return bool(cv2.morphologyEx(grown, cv2.MORPH_OPEN, np.ones((SEAM, SEAM), np.uint8))[own > 0].mean() < HALF)


def _places(grey: NDArray[np.uint8], flat: NDArray[np.bool_], levels: list[float]) -> NDArray[np.int32]:
    """Which fill each pixel (H, W) of a flat place has, the one of the nearest level; -1: none."""
    away = np.abs(np.arange(256, dtype=np.float32)[:, None] - np.array(levels, np.float32))  # of every grey there is
    nearest, close = away.argmin(axis=1).astype(np.uint8)[grey], away.min(axis=1)[grey]
    label = np.full(grey.shape, -1, np.int32)
    for number in range(len(levels)):
        own = (flat & (nearest == number) & (close < ALIKE)).astype(np.uint8)
        _, parts, stats, _ = cv2.connectedComponentsWithStats(own, connectivity=4)
        large = stats[:, cv2.CC_STAT_AREA] >= FEW
        large[0] = False
        label[large[parts]] = number
    if len(levels) == 1:
        return _with_thin_parts(grey, label, levels[0])
    return _with_strokes(grey, label, nearest, np.asarray(close < 2 * ALIKE))


def _with_thin_parts(grey: NDArray[np.uint8], label: NDArray[np.int32], level: float) -> NDArray[np.int32]:
    """The places of the only fill, grown over all of about its grey that is near: narrow bars.

    The rims of darker strokes have this grey too; they are left out.
    """
    paper = float(np.bincount(grey.ravel(), minlength=256).argmax())
    share = (grey.astype(np.float32) - paper) / (level - paper)
    rims = cv2.dilate((share > DARKER).astype(np.uint8), np.ones((RIM, RIM), np.uint8)) > 0
    own = (label == 0) | ((share > PALE) & (share < BEYOND) & ~rims)
    _, parts, stats, _ = cv2.connectedComponentsWithStats(own.astype(np.uint8), connectivity=4)
    fill = np.zeros(len(stats), bool)
    fill[parts[_beside(label, 0, AROUND)]] = True
    fill &= stats[:, cv2.CC_STAT_AREA] >= FEW
    fill[0] = False
    return np.where(fill[parts], 0, label).astype(np.int32)


def _with_strokes(
    grey: NDArray[np.uint8], label: NDArray[np.int32], nearest: NDArray[np.uint8], alike: NDArray[np.bool_]
) -> NDArray[np.int32]:
    """The places of fills, grown along thick strokes of their level: lines between markers that were flat enough."""
    ridge = np.zeros(grey.shape, bool)
    for axis in (0, 1):  # darker than both sides: the slopes of a darker fill's border are not
        one, other = (np.roll(grey, shift, axis).astype(np.int16) for shift in (RIDGE, -RIDGE))
        ridge |= np.minimum(one, other) - grey > PAPER // 2
    grown = label.copy()
    for number in range(int(label.max()) + 1):
        own = ((ridge & alike & (nearest == number)) | (label == number)).astype(np.uint8)
        count, parts, stats, _ = cv2.connectedComponentsWithStats(own, connectivity=8)
        sure = np.bincount(parts[label == number], minlength=count)
        kept = sure >= np.maximum(FEW, STROKE * stats[:, cv2.CC_STAT_AREA])
        kept[0] = False
        grown[kept[parts] & (label < 0)] = number
    return grown


def _coloured(
    level: NDArray[np.uint8], label: NDArray[np.int32], levels: list[float], paper: int
) -> NDArray[np.float32]:
    """Levels (H, W) as RGB (H, W, 3): the colour of a fill that is near, its mixture with the paper where a part of it
    is too thin to reach its level, else the grey."""
    seen = level.astype(np.float32)
    found = np.repeat(seen[..., None], 3, axis=2)
    faint = np.abs(seen - paper) >= FAINT
    for number, own in enumerate(levels):
        share = (seen - paper) / (own - paper)
        thin = _beside(label, number, AROUND) & faint & (share > 0) & (share < 1)
        found[thin] = paper + share[thin][:, None] * (hue(own, number) - paper)
    for number, own in enumerate(levels):
        share = (seen - paper) / (own - paper)
        found[_beside(label, number, NEAR) & (share >= 1) & (share < BEYOND)] = hue(own, number)
    for number, own in enumerate(levels):
        found[_beside(label, number, NEAR) & (np.abs(seen - own) <= 2 * SAME)] = hue(own, number)
    return found


def _beside(label: NDArray[np.int32], number: int, size: int) -> NDArray[np.bool_]:
    """Pixels (H, W) around which a window of this size in px holds some of a fill."""
    return np.asarray(cv2.dilate((label == number).astype(np.uint8), np.ones((size, size), np.uint8)) > 0)


def hue(level: float, number: int) -> NDArray[np.float32]:
    """The colour (3) float32 of the fill with this number: as bright as the grey `level`.

    >>> bool(abs(hue(120.0, 1) @ [0.299, 0.587, 0.114] - 120) < 0.5)
    True
    """
    turn = math.radians(GOLDEN * number)
    red, blue = 1.403 * math.cos(turn), 1.773 * math.sin(turn)
    step = np.array([red, -0.714 * math.cos(turn) - 0.344 * math.sin(turn), blue])
    room = np.where(step > 0, 255 - level, level) / np.maximum(np.abs(step), 1e-9)
    return np.asarray(level + min(WITHIN, CHROMA * float(room.min())) * step, np.float32)


def grey_again(colour: str) -> str:
    """The grey, as "#rrggbb", that a colour of `tinted` stands for.

    >>> grey_again("#f24982")
    '#828282'
    """
    level = round(sum(int(colour[i : i + 2], 16) * share for i, share in ((1, 0.299), (3, 0.587), (5, 0.114))))
    return f"#{level:02x}{level:02x}{level:02x}"


def without_tints(pixels: Image) -> Image:
    """An image (H, W, 3) uint8 of `tinted` in its greys."""
    return np.asarray(cv2.cvtColor(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), cv2.COLOR_GRAY2RGB), np.uint8)
