"""Marks of which each named row of a plot has one, of whatever size: the squares of a forest plot, its weights.

Not handled here: whiskers (`whiskers`), the diamond of a summary (its middle is its value).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.ink import Layer, PlotInk
from tools.mirrored import names_rows
from tools.types import Mark, Panel

SHARE = 0.6  # of the rows have a mark
ON_ROW = 0.15  # of a row that the middle of a mark may lie off it
SIDE = (4, 0.8)  # px, and of a row: sides of a mark
HEALED = 5  # px: whiskers are thinner
OWN = 0.8  # share of the layer's ink in marks


def with_whole_marks(panel: Panel, ink: PlotInk, layers: Sequence[Layer]) -> tuple[PlotInk, list[Layer]]:
    """The ink and these of its layers with the marks of rows healed where whiskers are drawn over them."""
    healed = {id(one): replace(one, coverage=_healed(one.coverage)) for one in layers if one_a_row(panel, ink, one)}
    whole = replace(ink, layers=tuple(healed.get(id(one), one) for one in ink.layers)) if healed else ink
    return whole, [healed.get(id(one), one) for one in layers]


def marks_of_rows(panel: Panel, ink: PlotInk, layer: Layer) -> tuple[Mark, ...]:
    """The middles of the marks of a layer that has one in each row, in figure pixels; none of other layers."""
    if not one_a_row(panel, ink, layer):
        return ()
    whole = _healed(layer.coverage)
    labels, stats = cv2.connectedComponentsWithStats((whole > 0.2).astype(np.uint8), connectivity=8)[1:3]
    found = []
    for k, (x, y, wide, tall, _) in enumerate(stats[1:].tolist(), 1):
        part = np.where(labels[y : y + tall, x : x + wide] == k, whole[y : y + tall, x : x + wide], 0.0)
        if min(wide, tall) < SIDE[0]:
            continue
        rows, columns = np.mgrid[y : y + tall, x : x + wide]
        middle = (part * columns).sum() / part.sum(), (part * rows).sum() / part.sum()
        found.append(Mark("marker", float(middle[0]) + ink.origin[0], float(middle[1]) + ink.origin[1], sigma=0.3))
    return tuple(sorted(found, key=lambda mark: mark.y))


def _healed(coverage: NDArray[np.float32]) -> NDArray[np.float32]:
    shape = np.ones((HEALED, 1), np.uint8)
    return np.asarray(cv2.morphologyEx(coverage, cv2.MORPH_CLOSE, shape), dtype=np.float32)


def one_a_row(panel: Panel, ink: PlotInk, layer: Layer) -> bool:
    """Whether a layer's ink is compact marks in the middle of named rows, hardly ever two in one."""
    names = panel.y
    if not names_rows(panel) or names is None or len(names.categories) < 3:
        return False
    solid = (_healed(layer.coverage) > 0.5).astype(np.uint8)
    stats, middles = cv2.connectedComponentsWithStats(solid, connectivity=8)[2:]
    high = 1.0 / abs(names.slope)
    wide, tall, area = (stats[1:, k] for k in (2, 3, 4))
    compact = (np.minimum(wide, tall) >= SIDE[0]) & (np.maximum(wide, tall) <= SIDE[1] * high)
    compact &= (np.maximum(wide, tall) <= 1.6 * np.minimum(wide, tall)) & (area >= 0.6 * wide * tall)
    rows = names.to_value(middles[1:, 1] + ink.origin[1])
    on = compact & (np.abs(rows - np.round(rows)) <= ON_ROW)
    seated = np.round(rows[on])
    enough = len(set(seated)) >= max(3, SHARE * len(names.categories)) and len(seated) <= 1.1 * len(set(seated))
    return bool(enough and area[on].sum() > OWN * area.sum())
