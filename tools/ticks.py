"""Tick marks that point into the plot: short strokes of the frame's colour, of one length, at the places of the labels.

The marks that an axis is calibrated on, inside or outside, are found by `strokes`; this is the ink that they leave in
a plot, seen once the axes are known.
Not handled here: ticks in another colour than the frame, ticks outside (they are not in the plot area).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from tools.colour import Floats32, Mask
from tools.rules import Rule
from tools.types import Floats, Panel

DEEPEST = 28  # px that a tick may reach into the plot
SHORTEST = 2
THICKEST = 4  # px, or as thick as the frame where that is thicker


def inner_ticks(pixels: Floats32, paper: Floats, rules: Sequence[Rule], panel: Panel, origin: tuple[int, int]) -> Mask:
    """The tick marks inside a plot area, (h, w): on the sides whose frame is drawn, both ways from an axis' labels."""
    mask = np.zeros(pixels.shape[:2], dtype=bool)
    for horizontal in (True, False):
        image = pixels if horizontal else pixels.transpose(1, 0, 2)
        marks = mask if horizontal else mask.T
        for far in (False, True):
            at = _places(panel, horizontal, far) - origin[0 if horizontal else 1]
            frame = _frame(rules, horizontal, far, len(image))
            if frame is None or len(at) < 2:
                continue
            colour, depth = frame
            strip = image[::-1][depth : depth + DEEPEST] if far else image[depth : depth + DEEPEST]
            found = _strokes(strip, paper, colour, at, max(THICKEST, 2 * depth))  # the plot ends in mid-frame
            target = marks[::-1] if far else marks
            target[depth : depth + len(found)] |= found
            target[max(0, depth - 1) : depth] |= found[:1]  # the blurred edge of the frame, darker at a tick
    return mask


def _places(panel: Panel, horizontal: bool, far: bool) -> Floats:
    """Pixels (n,) of the labels along one side: those of its own axis, of the one opposite where it has none."""
    side = ("bottom" if far else "top") if horizontal else "right" if far else "left"
    along = [axis for axis in panel.axes if axis.horizontal == horizontal]
    own = [axis for axis in along if axis.side == side] or along
    return np.array([anchor.pixel for axis in own for anchor in axis.anchors], dtype=np.float64)


def _frame(rules: Sequence[Rule], horizontal: bool, far: bool, length: int) -> tuple[Floats, int] | None:
    """Colour of the frame stroke on one side, and how many rows it takes from the border of the crop."""
    for rule in rules:
        if rule.horizontal != horizontal or not rule.solid:
            continue
        gap = length - 1 - rule.last if far else rule.first
        if gap <= 1:
            strongest = np.abs(rule.colours - rule.colours.mean(axis=0)).sum(axis=1) if len(rule.colours) > 2 else None
            core = rule.colours[-1 if far else 0] if strongest is None else rule.colours[np.argmin(strongest)]
            return core, gap + len(rule.colours)
    return None


def _strokes(strip: Floats32, paper: Floats, colour: Floats, at: Floats, thickest: int) -> Mask:
    """Strokes in a strip (d, w, 3) whose first row lies on the frame: those of one length at the places `at`, some of
    them crossed by other ink, and shorter ones of one length anywhere; none is thicker than `thickest`."""
    step = (colour - paper).astype(np.float32)
    size = float(step @ step)
    found = np.zeros(strip.shape[:2], dtype=bool)
    if size < 900:
        return found
    away = strip - paper.astype(np.float32)
    share = away @ step / size
    aside = np.linalg.norm(away - share[..., None] * step, axis=2)
    inked = (share > 0.3) & (aside < 24)
    reach = np.where(inked.all(axis=0), len(inked), (~inked).argmax(axis=0))
    places = np.rint(at[(at >= 0) & (at < strip.shape[1])]).astype(np.intp)
    major = _common(np.array([_near(reach, place) for place in places]), 0.6)
    if major is None:
        return found
    close = _close_to(places, strip.shape[1], thickest // 2)
    ticks = _thin(np.abs(reach - major) <= 1, thickest) & close
    shorter = reach[_thin(reach > 0, thickest) & (reach >= SHORTEST) & (reach < major)]
    minor = _common(shorter, 0.6) if len(shorter) >= 4 else None
    if minor is not None:
        ticks |= _thin(np.abs(reach - minor) <= 1, thickest)
    depth = np.arange(len(strip))[:, None]
    end = aside[np.minimum(reach, len(aside) - 1), np.arange(len(reach))]
    crossed = _thin((reach > 0) & (reach < major) & (end >= 24), thickest) & close
    like = aside < 24  # not ink of a curve that begins where the tick ends
    found[:] = ((depth <= reach[None]) & ticks[None] & like) | ((depth <= major) & inked & crossed[None])
    beside = ndimage.binary_dilation(found, np.ones((1, 3)))
    return np.asarray(found | (beside & (share > 0) & (share < 0.3) & like))  # their blurred sides


def _near(reach: NDArray[np.intp], place: int) -> int:
    return int(reach[max(0, place - 1) : place + 2].max(initial=0))


def _common(lengths: NDArray[np.intp], share: float) -> int | None:
    """The length that at least this share of strokes has, within a pixel; None if there is none."""
    if len(lengths) < 2:
        return None
    middle = int(np.median(lengths))
    alike = (np.abs(lengths - middle) <= 1).mean()
    return middle if alike >= share and SHORTEST <= middle < DEEPEST - 2 else None


def _thin(found: Mask, thickest: int) -> Mask:
    """Only runs of at most so many columns."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], found.astype(np.int8), [0]))))
    thin = np.zeros_like(found)
    for start, stop in zip(edges[::2], edges[1::2], strict=True):
        thin[start:stop] = stop - start <= thickest
    return thin


def _close_to(places: NDArray[np.intp], width: int, away: int) -> Mask:
    close = np.zeros(width, dtype=bool)
    for place in places:
        close[max(0, place - away) : place + away + 1] = True
    return close
