"""Colour bars: a filled stripe between a plot and the labels beside it, which are the bar's and no axis of the plot.

Not handled here: reading values by the colours of a bar, bars inside a plot, bars of a few flat steps beside a gap.
"""

from __future__ import annotations

import numpy as np

from tools.colour import contrast, modal_colour
from tools.types import Box, Image, Side

_INK = 24.0  # RGB steps from the paper
_THINNEST = 4  # px, a frame line is thinner
_SHADES = 30.0  # RGB steps that a bar changes by from end to end, at least


def beside_bar(pixels: Image, plot: Box, side: Side, reach: float) -> bool:
    """Whether a stripe of changing colour runs along most of this side, nearer than `reach` pixels to the plot.

    pixels: (H, W, 3) uint8 RGB; `side`: right or top.
    """
    gap = Box(plot.x1 + 3, plot.y0, plot.x1 + reach, plot.y1) if side == "right" else Box(
        plot.x0, plot.y0 - reach, plot.x1, plot.y0 - 3
    )  # fmt: skip
    if reach < 3 + _THINNEST:
        return False
    rows, columns = gap.slices(*pixels.shape[:2])
    part = pixels[rows, columns].astype(np.float32)
    part = part if side == "right" else part.transpose(1, 0, 2)
    if min(part.shape[:2]) < _THINNEST:
        return False
    paper = modal_colour(pixels[rows if side == "right" else slice(None)].reshape(-1, 3)[::7].astype(np.float32))
    inked = (contrast(part, paper) > _INK).mean(axis=0) > 0.6
    edges = np.flatnonzero(np.diff(np.concatenate(([0], inked.astype(np.int8), [0]))))
    for start, stop in zip(edges[::2], edges[1::2], strict=True):
        stripe = np.median(part[:, start:stop], axis=1)
        ends = np.median(stripe[: len(stripe) // 4], axis=0), np.median(stripe[-(len(stripe) // 4) :], axis=0)
        if stop - start >= _THINNEST and float(contrast(ends[0], ends[1])) > _SHADES:
            return True
    return False
