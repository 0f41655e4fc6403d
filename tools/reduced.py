"""The ink of a very large plot area in a smaller picture, for readers of marks that are many pixels across.

Not handled here: going back (`home` maps one place); strokes that are thin in the large picture get faint.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.ink import Layer, PlotInk
from tools.types import Box, Panel

_ENOUGH = 700  # px: plot areas are shrunk so that their shorter side stays at least this long


def scale_of(ink: PlotInk) -> int:
    """By what whole number the plot area is to be shrunk; 1 for usual sizes."""
    height, width = (int(side) for side in ink.pixels.shape[:2])
    return max(1, min(height, width) // _ENOUGH)


def shrunk(plane: NDArray[np.generic], scale: int) -> NDArray[np.float32]:
    """Means of scale x scale pixels; what is left over at the right and the bottom is dropped."""
    height, width = plane.shape[0] // scale, plane.shape[1] // scale
    whole = plane[: height * scale, : width * scale].astype(np.float32)
    return np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), dtype=np.float32)


@lru_cache(maxsize=2)
def reduced(ink: PlotInk, scale: int) -> PlotInk:
    """The ink at 1/scale, its crop at the origin; layers in the same order."""
    pixels = shrunk(ink.pixels, scale).round().astype(np.uint8)
    layers = tuple(_layer(layer, scale) for layer in ink.layers)
    return PlotInk((0, 0), pixels, ink.background, np.asarray(shrunk(ink.neutral, scale) > 0.5), layers)


def _layer(layer: Layer, scale: int) -> Layer:
    entry = layer.entry
    if entry is not None and entry.swatch is not None:
        box = entry.swatch
        entry = replace(entry, swatch=Box(0.0, 0.0, (box.width + 1) / scale - 1, (box.height + 1) / scale - 1))
    hidden = np.asarray(shrunk(layer.hidden, scale) > 0.5)
    return replace(layer, coverage=shrunk(layer.coverage, scale), hidden=hidden, entry=entry)


def reduced_panel(panel: Panel, ink: PlotInk, scale: int) -> Panel:
    """The panel with its legend's box in the reduced crop."""
    box = panel.legend.box
    if box is None:
        return panel
    corners = [
        (value - ink.origin[axis] + 0.5) / scale - 0.5
        for value, axis in ((box.x0, 0), (box.y0, 1), (box.x1, 0), (box.y1, 1))
    ]
    return replace(panel, legend=replace(panel.legend, box=Box(*corners)))


def home(x: float, y: float, scale: int, origin: tuple[int, int]) -> tuple[float, float]:
    """From the middle of a pixel of the reduced crop to the figure."""
    return float((x + 0.5) * scale - 0.5 + origin[0]), float((y + 0.5) * scale - 0.5 + origin[1])
