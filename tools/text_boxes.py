"""Boxes with text in a plot area: annotations on a ground or in a frame of their own, which are no data.

Told by the words: the ground around them ends within about a line's height on all sides, its colour is neither a legend
entry's nor that of other ink in the plot, and paper stands around it. Not handled here: legend boxes (`tools.legend`);
arrows from a box to a mark; values printed inside bars and segments, whose fill is that of their series.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.colour import Floats32, Mask, as_rgb, contrast, is_like, modal_colour
from tools.types import Box, Rgb, Word

PADDING = 1.3  # of a line's height: how far a box may reach beyond its words
FRAME = 3  # px of a box's own border
LIKE = 14.0  # largest channel: what still belongs to a flat ground
ALONE = 0.5  # of the ring around a box is paper; of its area at most as much has its colour elsewhere


def text_boxes(pixels: Floats32, paper: Floats32, words: Sequence[Word], known: Sequence[Rgb]) -> Mask:
    """(h, w) bool: the pixels of text boxes in a plot area (h, w, 3), their frames included.

    `words` stand in the crop's own frame; `known` are the colours of the legend.
    """
    height, width = pixels.shape[:2]
    mask = np.zeros((height, width), dtype=bool)
    for lines in _paragraphs(words):
        box = _ground(pixels, paper, lines, known)
        if box is not None:
            mask[box.grown(FRAME).slices(height, width)] = True
    return mask


def _paragraphs(words: Sequence[Word]) -> list[list[Box]]:
    """Words that stand within a line's height of each other, as lists of boxes."""
    groups: list[list[Word]] = []
    for word in words:
        room = word.box.grown(0.9 * min(word.box.width, word.box.height))
        near = [group for group in groups if any(room.overlaps(other.box) for other in group)]
        groups = [group for group in groups if group not in near] + [[word, *(one for group in near for one in group)]]
    return [[word.box for word in group] for group in groups if sum(len(word.text.strip()) for word in group) > 2]


def _ground(pixels: Floats32, paper: Floats32, lines: Sequence[Box], known: Sequence[Rgb]) -> Box | None:
    """The ground that the lines of a paragraph stand on, where it is a box of its own."""
    height, width = pixels.shape[:2]
    text = Box(min(b.x0 for b in lines), min(b.y0 for b in lines), max(b.x1 for b in lines), max(b.y1 for b in lines))
    if text.x0 < 0 or text.y0 < 0 or text.x1 >= width or text.y1 >= height:
        return None
    reach = PADDING * float(np.median([min(b.width, b.height) for b in lines])) + FRAME
    rows, columns = text.grown(reach).slices(height, width)
    window = pixels[rows, columns]
    inner = Box(text.x0 - columns.start, text.y0 - rows.start, text.x1 - columns.start, text.y1 - rows.start)
    colour = modal_colour(window[inner.slices(*window.shape[:2])].reshape(-1, 3))
    found = _flood(contrast(window, colour) < LIKE, inner)
    if found is None:
        return None
    box = Box(found.x0 + columns.start, found.y0 + rows.start, found.x1 + columns.start, found.y1 + rows.start)
    return box if _stands_alone(pixels, paper, colour, box, known) else None


def _flood(like: Mask, inner: Box) -> Box | None:
    """Bounds of the ground that touches the text, None where it runs to the window's border or holds no such box."""
    _, labels = cv2.connectedComponents(like.astype(np.uint8), connectivity=4)
    touching = np.unique(labels[inner.slices(*like.shape)])
    ground = np.isin(labels, touching[touching > 0])
    if not ground.any() or ground[0].any() or ground[-1].any() or ground[:, 0].any() or ground[:, -1].any():
        return None
    rows, columns = np.flatnonzero(ground.any(1)), np.flatnonzero(ground.any(0))
    box = Box(float(columns[0]), float(rows[0]), float(columns[-1]), float(rows[-1]))
    covers = box.x0 <= inner.x0 + 2 and box.y0 <= inner.y0 + 2 and box.x1 >= inner.x1 - 2 and box.y1 >= inner.y1 - 2
    return box if covers else None


def _stands_alone(
    pixels: Floats32, paper: Floats32, colour: NDArray[np.float64], box: Box, known: Sequence[Rgb]
) -> bool:
    """Whether a ground of this colour is no mark of a series: no entry's, nowhere else, and with paper around."""
    shape = pixels.shape[:2]
    outer = np.zeros(shape, dtype=bool)
    outer[box.grown(2 * FRAME + 2).slices(*shape)] = True
    outer[box.grown(FRAME).slices(*shape)] = False
    around = contrast(pixels[outer], paper[outer] if paper.ndim == 3 else paper) < LIKE
    if around.mean() < ALONE:
        return False
    if contrast(colour[None], paper.reshape(-1, 3).mean(0))[0] < LIKE:
        return True  # a frame on paper
    ground = as_rgb(colour)
    if any(is_like(ground, one) for one in known):
        return False
    same = contrast(pixels, colour) < LIKE
    same[box.grown(FRAME).slices(*shape)] = False
    return float(same.sum()) < ALONE * box.width * box.height
