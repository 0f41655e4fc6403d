"""The ink of one colour in all its shades: a colour, its anti-aliased rim, and where it is translucent and overlaps.

Not handled here: what the ink draws (`points`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.ink import Layer, PlotInk
from tools.markers import Blob, Mask, Plane, blobs, rows_of, singles
from tools.types import Box, Panel

_FAINT = 0.15  # coverage that still belongs to a marker's rim
_RULED = 0.25  # of the width or height of the plot that a grid line shows at least
LETTERED = 80  # px of ink: smaller markers hold no letter
ASIDE = 0.15  # of a colour's way from the paper: pixels farther off that way hold other ink too
COLOURED, GREY = 40, 8  # spread of the channels of a colour at least, of a shadow at most
DEEPER, EVERY = 1.3, 0.8  # times the level of the rims of strokes; share of the markers with such ink
SMALL = 7  # px: smaller markers are all rim
THIN = 0.15  # share of the ink of strokes that is off their rims
_DARKEST = 2.3  # times the first layer's depth that overlaps of translucent markers reach


def shades(ink: PlotInk, layers: Sequence[Layer]) -> list[list[Layer]]:
    """Groups of layers whose colours lie on one ray from the paper and that touch: a colour, its rim, its overlaps."""
    groups: list[list[Layer]] = []
    for layer in sorted(layers, key=lambda layer: (not layer.name, -float(layer.coverage.sum()))):
        for group in groups:
            if layer.name in ("", group[0].name) and on_one_ray(ink, layer, group[0]) and _touches(layer, group[0]):
                group.append(layer)
                break
        else:
            groups.append([layer])
    return groups


def on_one_ray(ink: PlotInk, layer: Layer, first: Layer) -> bool:
    paper = np.asarray(ink.background, dtype=np.float64)
    ray, main = (np.asarray(each.colour, dtype=np.float64) - paper for each in (layer, first))
    ratio = float(ray @ main) / max(1.0, float(main @ main))
    off = float(np.linalg.norm(ray - ratio * main))
    return 0.1 < ratio < _DARKEST and off < 6 + 0.06 * float(np.linalg.norm(ray))


def _touches(layer: Layer, first: Layer) -> bool:
    """Most of the ink of the layer lies in pieces that touch the ink of the first one."""
    count, labels = cv2.connectedComponents((layer.coverage > _FAINT).astype(np.uint8), connectivity=8)
    weight = np.bincount(labels.ravel(), layer.coverage.ravel(), count)
    near = cv2.dilate((first.coverage > _FAINT).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    touching = np.unique(labels[near & (labels > 0)])
    return bool(weight[touching].sum() > 0.5 * weight[1:].sum())


def amount_of(ink: PlotInk, group: Sequence[Layer], also: Mask) -> tuple[Plane, Mask]:
    """Ink of the group's colour per pixel, 1 in a lone marker and more where translucent ones overlap; what is hidden.

    Layers of ink over paper multiply what shines through, so their number is a ratio of logarithms. `also`: pixels to
    look at besides the layers' own.
    """
    mine = np.sum([layer.coverage for layer in group], axis=0)
    others = [layer.coverage for layer in ink.layers if not any(layer is each for each in group)]
    own = ((mine > 0.02) & (mine >= np.max([*others, np.zeros_like(mine)], axis=0))) | also
    depth, off = _depth(ink, group[0])
    ray = float(np.linalg.norm(np.asarray(group[0].colour, dtype=np.float64) - np.asarray(ink.background)))
    depth = np.where(off > ASIDE * ray, np.minimum(depth, 1.0), depth)  # a dark rim is no overlap
    depth = np.where(own & ~_shadow(ink, group[0], depth, off > ASIDE * ray), depth, 0.0)
    hidden = np.all([layer.hidden for layer in group], axis=0).astype(np.uint8)
    hidden = (cv2.dilate(hidden, np.ones((3, 3), np.uint8)) > 0) & ~also & (mine < 0.3)  # its rim tells nothing either
    if not own.any():
        return np.zeros(own.shape, np.float32), hidden
    lone = singles(blobs(depth.astype(np.float32), 0.35 * float(np.percentile(depth[own], 75))))
    if not lone:
        return depth.astype(np.float32), hidden
    level = float(np.median([_plateau(depth, blob) for blob in lone]))
    inside = np.concatenate([part[part > 0.4 * level] for part in (depth[rows_of(blob)] for blob in lone)])
    flat = 0.0 if _is_fringe(depth, lone, level) else float(np.mean(np.abs(inside - level) < 0.08 * level))
    deepest = float(np.percentile(depth[depth > 0.8 * level], 99.5))
    if deepest < 1.15 * level or flat < 0.35:  # thin strokes have no plateau
        level = level if flat >= 0.35 else float(np.percentile(inside, 90))
        return np.minimum(depth / level, 1.0).astype(np.float32), hidden
    full = _opaque_depth(depth[depth > 1.1 * level] / level)
    layers = np.log1p(-np.minimum(depth / level / full, 0.99)) / np.log1p(-1.0 / full)
    return np.minimum(layers, 8.0).astype(np.float32), hidden


def _is_fringe(depth: Plane, lone: Sequence[Blob], level: float) -> bool:
    """Whether this level is that of the rims of thin strokes (x, +): nearly every lone marker is deeper within.

    Of translucent markers only those are that lie over others.
    """
    parts = [depth[rows_of(blob, 1)] for blob in lone if min(blob.width, blob.height) >= SMALL]
    if len(parts) < EVERY * len(lone) or float(np.mean([part.max() > DEEPER * level for part in parts])) < EVERY:
        return False
    inner = [cv2.erode((part > 0.4 * level).astype(np.uint8), np.ones((3, 3), np.uint8)).sum() for part in parts]
    return float(np.sum(inner)) < THIN * float(np.sum([(part > 0.4 * level).sum() for part in parts]))


def _shadow(ink: PlotInk, layer: Layer, depth: Plane, aside: Mask) -> Mask:
    """The grey pixels, paler than the layer, around its coloured markers: their shadows."""
    if max(layer.colour) - min(layer.colour) < COLOURED:
        return np.zeros(aside.shape, dtype=bool)
    grey = ink.pixels.max(axis=2).astype(np.int16) - ink.pixels.min(axis=2) <= GREY
    return np.asarray(grey & aside & (depth < 1.0))


def _opaque_depth(overlaps: NDArray[np.floating]) -> float:
    """The depth of infinitely many layers, that of one being 1.

    Two layers have the depth 2 - 1 / full, since the upper one hides a share of the lower one. The deepest place is
    taken for many layers where the shade of two that follows is seen often, else for two.
    """
    deepest = float(np.percentile(overlaps, 99)) if overlaps.size else 1.5
    many = 1.02 * deepest
    double = 2.0 - 1.0 / many
    near, beyond = (np.abs(overlaps - double) < 0.03).sum(), (overlaps > double + 0.03).sum()
    if near > 0.5 * beyond:
        return max(many, 1.02)
    return float(np.clip(1.0 / max(2.0 - deepest, 0.05), many, 20.0))


@lru_cache(maxsize=1)  # asked for several times in a row; the planes are large
def _depth(ink: PlotInk, layer: Layer) -> tuple[Plane, Plane]:
    """How far every pixel lies on the way from the paper to the layer's colour (1: there), and how far off that way."""
    paper = np.asarray(ink.background, dtype=np.float32)
    ray = np.asarray(layer.colour, dtype=np.float32) - paper
    away = ink.pixels.astype(np.float32) - paper
    depth = np.clip(away @ ray / max(1.0, float(ray @ ray)), 0.0, None).astype(np.float32)
    return depth, np.asarray(np.linalg.norm(away - depth[..., None] * ray, axis=2), dtype=np.float32)


def taken_for_text(panel: Panel, ink: PlotInk, layer: Layer) -> Mask:
    """Pixels of the layer's colour among those that were set aside, outside the legend and not in long rules: a row of
    rings reads as "OOO"."""
    depth, off = _depth(ink, layer)
    ray = float(np.linalg.norm(np.asarray(layer.colour, dtype=np.float64) - np.asarray(ink.background)))
    mask = ink.neutral & (depth > 0.15) & (depth < 1.2) & (off < 12 + 0.08 * ray)
    if panel.legend.box is not None:
        box = panel.legend.box
        crop = Box(box.x0 - ink.origin[0], box.y0 - ink.origin[1], box.x1 - ink.origin[0], box.y1 - ink.origin[1])
        mask[crop.slices(*mask.shape)] = False
    for kernel, along in ((np.ones((1, 30), np.uint8), 1), (np.ones((30, 1), np.uint8), 0)):
        rules = cv2.morphologyEx(ink.neutral.astype(np.uint8), cv2.MORPH_OPEN, kernel) > 0
        mask &= ~(rules & (rules.mean(axis=along, keepdims=True) > _RULED))  # error bars read as "I" are shorter
    return np.asarray(mask)


def _plateau(depth: NDArray[np.floating], blob: Blob) -> float:
    part = depth[blob.top : blob.top + blob.height, blob.left : blob.left + blob.width]
    return float(np.percentile(part[part > 0.5 * part.max()], 60))


def without_letters(amount: Plane) -> Plane:
    """The ink with letters on its markers filled in: small holes in blobs that are solid for the most part.

    Rings have one large hole each and stay as they are.
    """
    solid = amount > 0.5
    contours, tree = cv2.findContours(solid.astype(np.uint8), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    if tree is None:
        return amount
    areas = np.array([cv2.contourArea(each) for each in contours])
    parent = np.asarray(tree, dtype=np.int64)[0, :, 3]
    outer, holes = np.flatnonzero(parent < 0), np.flatnonzero(parent >= 0)
    large = outer[areas[outer] > LETTERED]
    lost = np.bincount(parent[holes], areas[holes], len(contours)) / np.maximum(areas, 1.0)
    if len(large) < 2 or float(np.median(lost[large])) > 0.4 or not np.any(lost[large] > 0.02):
        return amount
    small = [contours[int(k)] for k in holes if areas[k] < 0.25 * areas[parent[k]] and areas[parent[k]] > LETTERED]
    inside = np.zeros(solid.shape, np.uint8)
    cv2.drawContours(inside, small, -1, 1, -1)
    return np.where(inside > 0, np.maximum(amount, 1.0), amount).astype(np.float32)
