"""Heat maps: plots that are filled with cells in rows and columns; they are refused, not read.

Not handled here: their colour bars, smooth pictures (photographs, interpolated maps), cells that are no rectangles.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tools.types import Box, Image

_STEP = 3  # of 255 in a colour plane, between two cells
_SHARED = 0.45  # of the rows (columns) that change colour at the border of two cells
_ELSEWHERE = 0.15  # of them that change between two borders: numbers printed in the cells
_COMMONEST = 0.4  # of the plot in one colour: more is paper


def shows_cells(pixels: Image, plot: Box) -> bool:
    """Whether the plot of the figure (H, W, 3) is filled with cells: colours change at the same places in all rows
    and in all columns, three cells or more each way."""
    part = pixels[plot.grown(-4).slices(*pixels.shape[:2])].astype(np.int16)
    if min(part.shape[:2]) < 24:
        return False
    codes = (part[..., 0] << 16) + (part[..., 1] << 8) + part[..., 2]
    if np.unique(codes, return_counts=True)[1].max() > _COMMONEST * codes.size:
        return False
    return _even_borders(part) and _even_borders(part.transpose(1, 0, 2))


def _even_borders(part: NDArray[np.int16]) -> bool:
    """Are there two or more columns, evenly spaced, in which most rows change, and few changes elsewhere?

    Grid lines over a fill, and the gaps between squares of one colour, have the same colour on both sides.
    """
    changes = np.abs(np.diff(part, axis=1)).max(axis=2) > _STEP
    share = (changes[:, :-1] | changes[:, 1:]).mean(axis=0)  # an edge between two pixels takes both
    at = np.flatnonzero(share > _SHARED)
    groups = np.split(at, np.flatnonzero(np.diff(at) > 6) + 1)
    middles = np.array([float(group.mean()) for group in groups if len(group)])
    if len(middles) < 2 or np.any([np.ptp(group) > 12 for group in groups]):
        return False
    before, after = (np.clip(middles.astype(int) + off, 0, part.shape[1] - 1) for off in (-5, 6))
    differ = (np.abs(part[:, after] - part[:, before]).max(axis=2) > _STEP).mean(axis=0)
    if float(np.median(differ)) < _SHARED:
        return False
    calm = np.ones(len(share), dtype=bool)
    for middle in middles.astype(int):
        calm[max(0, middle - 6) : middle + 7] = False
    steps = np.diff(middles)
    whole = steps / steps.min()
    even = np.abs(whole - np.round(whole)).max() < 0.2
    return bool(even and (not calm.any() or share[calm].mean() < _ELSEWHERE))
