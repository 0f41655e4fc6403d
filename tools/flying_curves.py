"""Curves that run over bars: told from thin segments by the bare paper under them, whatever the legend's swatch is.

Not handled here: tracing them (`lines`), means and limits across bars (`overlines`).
"""

from __future__ import annotations

import cv2
import numpy as np

from tools.area_likeness import open_below
from tools.ink import Layer, PlotInk
from tools.line_strokes import is_one_curve
from tools.trace import INK, stroke_width

LONG = 0.3  # of the plot's width that a curve takes at least
FREE = 0.12  # of a curve's columns with bare paper under it
THICK, THICKER = 6.0, 0.015  # px, or this share of the plot's smaller side: what is thicker is no stroke


def is_joined(layer: Layer) -> bool:
    """Whether nearly all ink of a layer hangs together from end to end: markers joined by a line, not beside one."""
    close = np.ones((5, 5), np.uint8)
    solid = cv2.dilate((np.maximum(layer.coverage, 0.6 * layer.hidden) > 0.5).astype(np.uint8), close)
    ink = layer.coverage > 0.5
    if not ink.any():
        return False
    _, labels = cv2.connectedComponents(solid, connectivity=8)
    sizes = np.bincount(labels[ink])
    largest = labels == int(np.argmax(sizes))
    reach = [np.ptp(np.flatnonzero(mask.any(axis=0))) for mask in (ink & largest, ink)]
    return bool(sizes.max() > 0.85 * ink.sum() and reach[0] > 0.85 * reach[1])


def flies_over(ink: PlotInk, layer: Layer) -> bool:
    """Whether a layer is one thin curve with bare paper under a fair share of it, which no segment of a bar has."""
    solid = layer.coverage > 0.5
    columns = np.flatnonzero(solid.any(axis=0))
    thick = max(THICK, THICKER * min(solid.shape))
    if columns.size < LONG * solid.shape[1] or stroke_width(layer.coverage.astype(np.float64), INK) > thick:
        return False
    if open_below(ink, solid, columns) < FREE:
        return False
    return is_joined(layer) and is_one_curve(ink, layer)
