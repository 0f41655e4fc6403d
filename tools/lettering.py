"""Whether an ink is lettering that text recognition left unread: small glyphs side by side in rows.

Not handled here: handwriting, letters that touch each other, upright text, which words these are (`ocr`).
"""

from __future__ import annotations

import cv2
import numpy as np

from tools.colour import Floats32, Mask
from tools.types import Floats

LOW, HIGH = 4, 24  # px: heights of glyphs
BROAD, WORD = 1.8, 8.0  # times its height: glyphs, or two that touch, are hardly wider; nor are words in one piece
APART = 0.9  # times its height from a glyph to the next one of its word
SHARED = 0.6  # of the lower of two heights that neighbours in a row have in common
FULL = 0.7  # of its box: a dot or a dash, no glyph
SLIM = 0.85  # times its height: most glyphs are less wide, markers are not
MOST = 0.7  # share of the ink in such glyphs
FEWEST = 6


def is_lettering(coverage: Floats32, everything: Mask) -> bool:
    """Whether most of this ink (h, w) is in glyphs that have neighbours in a row, as markers and dashes have not.

    everything (h, w): all ink of the plot, other glyphs of these words in it.
    """
    inked = coverage > 0.35
    boxes = _boxes(inked)
    own = _glyphs(boxes)
    area = boxes[:, 4]
    if own.sum() < FEWEST or float(area[own].sum()) < MOST * float(area.sum()):
        return False
    if float(np.median(boxes[own, 2] / boxes[own, 3])) > SLIM:
        return False
    words = _boxes(everything & ~inked)
    known = np.vstack([boxes[own], words[_glyphs(words, WORD)]])
    left, top, width, height, _ = known.T
    gap = np.maximum.outer(left, left) - np.minimum.outer(left + width, left + width)
    common = np.minimum.outer(top + height, top + height) - np.maximum.outer(top, top)
    lower = np.minimum.outer(height, height)
    beside = (gap > -2) & (gap < APART * np.maximum.outer(height, height)) & (common > SHARED * lower)
    np.fill_diagonal(beside, False)
    in_row = beside.any(axis=0)[: int(own.sum())]
    return float(area[own][in_row].sum()) >= MOST * float(area.sum())


def _boxes(inked: Mask) -> Floats:
    """(n, 5): left, top, width, height and area of the connected pieces."""
    stats = cv2.connectedComponentsWithStats(inked.astype(np.uint8), connectivity=8)[2]
    return np.asarray(stats[1:], dtype=np.float64)


def _glyphs(boxes: Floats, broad: float = BROAD) -> Mask:
    width, height, area = boxes[:, 2], boxes[:, 3], boxes[:, 4]
    size = (height >= LOW) & (height <= HIGH) & (width <= broad * height)
    return np.asarray(size & (area < FULL * width * height))
