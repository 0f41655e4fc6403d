"""Epidemic curves that draw every case as a square: the seams between the squares of a column are filled, so that
what is read are bars.

The squares are equal, lie on one lattice and stand on each other from the base line up. Not handled here: squares
apart from each other (unit charts), squares whose edges are darker than they are (their outlines are ink).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.ink import Layer, PlotInk

LEAST = 8  # cells
SMALL = 4  # px: smallest side of a cell
OWN = 0.85  # share of the ink that is in cells
ALIKE = 1.6  # px between sides of cells, and between places on the lattice: edges round to whole pixels
SEAM = 0.25  # of a cell
STANDING = 0.9  # share of the cells that stand on another one or on the base

Stats = NDArray[Any]


def with_cells_joined(ink: PlotInk) -> PlotInk:
    """The ink with the squares of cases joined to columns; as it is where it draws none."""
    if not ink.layers:
        return ink
    cells = np.concatenate([_cells(layer) for layer in ink.layers])
    whole = sum(float((layer.coverage > 0.5).sum()) for layer in ink.layers)
    if len(cells) < LEAST or float((cells[:, 2] * cells[:, 3]).sum()) < OWN * whole:
        return ink
    seams = _lattice(cells)
    return replace(ink, layers=tuple(_joined(one, ink.layers, seams) for one in ink.layers)) if seams else ink


def _cells(layer: Layer) -> Stats:
    """(n, 4) x, y, w, h of the solid rectangles of a layer's ink, all of the size of most."""
    stats = cv2.connectedComponentsWithStats((layer.coverage > 0.5).astype(np.uint8), connectivity=4)[2][1:]
    solid = (stats[:, 4] >= 0.95 * stats[:, 2] * stats[:, 3]) & (stats[:, 2:4].min(axis=1) >= SMALL)
    found = stats[solid, :4]
    if not len(found):
        return np.asarray(found)
    usual = np.median(found[:, 2:], axis=0)
    return np.asarray(found[(np.abs(found[:, 2:] - usual) <= ALIKE).all(axis=1)])


def _lattice(cells: Stats) -> list[tuple[int, int]]:
    """First and last row of the seams between cells; none where they do not stand on each other from one base up."""
    wide, high = np.median(cells[:, 2:], axis=0)
    if np.abs(cells[:, 2:] - (wide, high)).max() > 2 * ALIKE:
        return []
    x, y = cells[:, 0].astype(float), cells[:, 1].astype(float)
    same = np.abs(x[:, None] - x[None]) <= ALIKE
    steps = np.where(same & (y[None] > y[:, None]), y[None] - y[:, None], np.inf).min(axis=1)
    below = steps[np.isfinite(steps)]
    if len(below) < 0.4 * len(cells):
        return []
    floor = float(y.max())
    levels = np.round((floor - y) / float(np.median(below)))
    pitch = float((floor - y) @ levels / (levels @ levels))
    stands = np.isfinite(steps) | (levels < 1)
    even = float(np.abs(floor - y - levels * pitch).max()) <= ALIKE and float(np.abs(below - pitch).max()) <= ALIKE
    if not even or float(stands.mean()) < STANDING or not high + 0.5 < pitch <= (1 + SEAM) * high + 1:
        return []
    tops = [round(floor - k * pitch) for k in range(int(levels.max()) + 1)]
    return [(top + int(high) - 1, under) for top, under in zip(tops[1:], tops, strict=False)]


def _joined(layer: Layer, layers: Sequence[Layer], seams: Sequence[tuple[int, int]]) -> Layer:
    """The layer with the seams between cells filled: whole between its own, by half where only one side is its own."""
    coverage = layer.coverage.copy()
    anything = np.max([one.coverage for one in layers], axis=0) > 0.5
    for first, last in seams:
        above, under = first - 1, min(last + 1, len(coverage) - 1)
        within = anything[above] & anything[under]
        for row in range(first, last + 1):
            lower = float(np.clip(row + 0.5 - (first + last) / 2, 0, 1))
            share = (1 - lower) * (layer.coverage[above] > 0.5) + lower * (layer.coverage[under] > 0.5)
            coverage[row] = np.where(within, np.maximum(coverage[row], share), coverage[row])
    return replace(layer, coverage=coverage.astype(np.float32), hidden=layer.hidden & (coverage < 0.5))
