"""Translucent fills that lie wholly inside others: their own colour is seen nowhere, only its mixture with the other.

Not handled here: fills that stick out of each other (`blends`), more than two on one place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from tools.blends import is_fill
from tools.ink import Layer, PlotInk
from tools.types import Floats, LegendEntry, Panel

NEAR = 12.0  # RGB units between a mixture and what it should be
SHARE = (0.2, 0.85)  # of the inner fill in the mixture


def with_nested(panel: Panel, ink: PlotInk) -> PlotInk:
    """The ink with a layer for each patch of the legend that shows only through another fill, which runs on there."""
    if panel.x is None or panel.x.scale == "category":
        return ink
    named = {layer.name for layer in ink.layers}
    layers = list(ink.layers)
    for entry in panel.legend.entries:
        if entry.kind == "line" or entry.name in named:
            continue
        pair = _pair(layers, entry, np.asarray(ink.background, dtype=np.float64))
        if pair is not None:
            inner, outer = pair
            whole = np.minimum(layers[outer].coverage + layers[inner].coverage, 1.0).astype(np.float32)
            layers[outer] = replace(layers[outer], coverage=whole, hidden=layers[outer].hidden & (whole < 0.5))
            layers[inner] = replace(layers[inner], name=entry.name, entry=entry)
    return replace(ink, layers=tuple(layers))


def _pair(layers: Sequence[Layer], entry: LegendEntry, paper: Floats) -> tuple[int, int] | None:
    """Numbers of the nameless layer that is this patch over (or under) a named one, and of that one."""
    own = np.asarray(entry.colour, dtype=np.float64)
    for k, layer in enumerate(layers):
        solid = layer.coverage > 0.5
        if layer.name or not is_fill(solid):
            continue
        around = cv2.dilate(solid.astype(np.uint8), np.ones((7, 7), np.uint8)) > 0
        for j, other in enumerate(layers):
            outer = other.coverage > 0.5
            if j == k or not other.name or not is_fill(outer) or not (around & outer).any():
                continue
            mixed, back = np.asarray(layer.colour, dtype=np.float64), np.asarray(other.colour, dtype=np.float64)
            ways = ((back, own - back), (own, back - paper), (back, own - paper))  # before it, tinted there, behind it
            if any(_mixes(mixed, start, step) for start, step in ways):
                return k, j
    return None


def _mixes(mixed: Floats, start: Floats, step: Floats) -> bool:
    """Whether a colour lies on the way from one colour along a step, well between its ends."""
    share = float((mixed - start) @ step / max(float(step @ step), 1.0))
    return SHARE[0] < share < SHARE[1] and float(np.abs(mixed - start - share * step).max()) < NEAR
