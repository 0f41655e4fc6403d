"""Thin bars with edges of another colour: the blends of fill and edge, each an ink of its own, joined again.

Where a bar is three pixels wide and its sides fall between pixels, one column holds the fill and the columns beside
it hold shares of fill and edge: inks of less and less colour, upright and pure in their columns, of one height with
their neighbours. Not handled here: blends with the paper (`thin_rims`), edges thick enough to hold a colour of their
own, bars that run sideways, inks that the legend names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from tools.ink import Layer, PlotInk
from tools.rectangles import Floats32
from tools.types import Floats

LEVEL = 2.5  # px that the heights of columns of one bar may differ
SAME = 0.7  # share of the ink of a rim in columns as high as one of another of the inks beside it
PURE = 0.8  # share of the ink that is of the first ink of its column: segments of a stack stand in one column
HUE = 0.96  # cosine between what the two colours have beyond grey
COLOURED = 25.0  # RGB units beyond grey that a fill has
UPRIGHT = 0.7  # share of an ink in upright runs of five rows


def with_edge_mixes(ink: PlotInk) -> PlotInk:
    """The ink with nameless blends of a fill and its edges given back to the layer of the fill."""
    thin = [layer for layer in ink.layers if not layer.name and _thin_upright(layer.coverage)]
    thin.sort(key=lambda layer: -float(np.linalg.norm(_beyond_grey(layer))))
    if len(thin) < 2 or np.linalg.norm(_beyond_grey(thin[0])) < COLOURED:
        return ink
    fill = thin[0]
    group = [fill, *(layer for layer in thin[1:] if _of_one_hue(fill, layer))]
    if len(group) < 2 or not _one_fill(group):
        return ink
    whole = np.minimum(np.sum([layer.coverage for layer in group], axis=0), 1.0).astype(np.float32)
    hidden = np.all([layer.hidden for layer in group], axis=0) & (whole < 0.3)
    joined = replace(fill, coverage=whole, hidden=hidden)
    rest = [layer for layer in ink.layers if not any(layer is one for one in group)]
    return replace(ink, layers=(joined, *rest))


def _beyond_grey(layer: Layer) -> Floats:
    colour = np.array(layer.colour, dtype=np.float64)
    return np.asarray(colour - colour.mean(), dtype=np.float64)


def _of_one_hue(fill: Layer, mix: Layer) -> bool:
    """Whether a colour is one with less beyond grey than that of the fill, in the same direction."""
    full, part = _beyond_grey(fill), _beyond_grey(mix)
    lengths = float(np.linalg.norm(full) * np.linalg.norm(part))
    return lengths > 0 and float(full @ part) / lengths > HUE


def _thin_upright(coverage: Floats32) -> bool:
    solid = (coverage > 0.4).astype(np.uint8)
    wide = cv2.morphologyEx(solid, cv2.MORPH_OPEN, np.ones((1, 5), np.uint8))
    upright = cv2.morphologyEx(solid, cv2.MORPH_OPEN, np.ones((5, 1), np.uint8))
    total = int(solid.sum())
    return total > 0 and wide.sum() < 0.25 * total and upright.sum() > UPRIGHT * total


def _one_fill(group: Sequence[Layer]) -> bool:
    """Whether the inks stand in columns of their own, each column about as high as one of another ink beside it."""
    heights = np.array([layer.coverage.sum(axis=0) for layer in group])
    first, whole = np.argmax(heights, axis=0), heights.sum(axis=0)
    if float(heights.max(axis=0).sum()) < PURE * float(whole.sum()):
        return False
    whole = (np.sum([layer.coverage for layer in group], axis=0) > 0.3).sum(axis=0).astype(np.float64)
    padded, owner = np.pad(whole, 2, constant_values=-9.0), np.pad(first, 2, constant_values=-1)
    alike = np.zeros(len(whole), dtype=bool)
    for off in (-2, -1, 1, 2):
        there = slice(2 + off, 2 + off + len(whole))
        alike |= (np.abs(padded[there] - whole) < LEVEL) & (owner[there] != first)
    high = whole > 3.0
    return all(
        float(whole[mine & alike].sum()) > SAME * float(whole[mine].sum())
        for n in range(len(group))
        if (mine := high & (first == n)).any()
    )
