"""Half-covered columns of thin bars: sides of one ink that look like a paler ink of its own, given back to it.

Not handled here: bars that run sideways, inks that the legend names.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from tools.edge_mixes import with_edge_mixes
from tools.ink import PlotInk
from tools.types import Panel

NEAR = 14.0  # RGB units off the way from the paper to the full colour
SHARE = (0.3, 0.95)  # of the full colour
WIDER = 0.25  # share of the pixels of a rim that may lie in runs of six columns or more


def with_rims(panel: Panel, ink: PlotInk) -> PlotInk:
    """The ink without nameless tints of another layer that stand in single columns along its uprights."""
    if panel.x is None or panel.x.scale == "category" or len(ink.layers) < 2:
        return ink
    layers = list(ink.layers)
    paper = np.asarray(ink.background, dtype=np.float64)
    for rim in [layer for layer in layers if not layer.name]:
        solid = (rim.coverage > 0.4).astype(np.uint8)
        wide = cv2.morphologyEx(solid, cv2.MORPH_OPEN, np.ones((1, 6), np.uint8))
        upright = cv2.morphologyEx(solid, cv2.MORPH_OPEN, np.ones((5, 1), np.uint8))
        if wide.sum() > WIDER * solid.sum() or upright.sum() < 0.7 * solid.sum():
            continue
        for k, full in enumerate(layers):
            step, weak = np.array(full.colour) - paper, np.array(rim.colour) - paper
            share = float(weak @ step / max(float(step @ step), 1.0))
            beside = cv2.dilate((full.coverage > 0.5).astype(np.uint8), np.ones((1, 3), np.uint8)) > 0
            aside = float(np.abs(weak - share * step).max())
            touching = float(beside[solid > 0].mean()) if solid.any() else 0.0
            if full is rim or not SHARE[0] < share < SHARE[1] or aside > NEAR or touching < 0.5:
                continue
            whole = np.minimum(full.coverage + share * rim.coverage, 1.0).astype(np.float32)
            layers[k] = replace(full, coverage=whole, hidden=full.hidden & (rim.coverage < 0.3))
            layers = [layer for layer in layers if layer is not rim]
            break
    return with_edge_mixes(replace(ink, layers=tuple(layers)))
