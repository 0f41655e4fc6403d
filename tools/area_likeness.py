"""Whether a layer of ink is a filled area: one solid shape with a slanting top, and not bars, strokes, blobs or a band.

Not handled here: reading it (`areas`), hatched fills, areas that hang below their base.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from tools.ink import Layer, PlotInk
from tools.reduced import reduced, scale_of
from tools.types import Floats, Panel

TALL = 4  # rows: a filled region is taller than a stroke
WIDE = 8  # columns
_LINE = 4  # px: a grid line is thinner
_HAIR, _MOST = 2, 0.5  # px that remains of grid lines measure; share of a shape that is thicker


def looks_like_area(panel: Panel, ink: PlotInk, layer: Layer) -> float:
    """0 to 1: how much the layer is one solid shape with a slanting top, and not bars, strokes, blobs or a band."""
    scale = scale_of(ink)
    if scale > 1:
        small = reduced(ink, scale)
        own = [one for one, large in zip(small.layers, ink.layers, strict=True) if large is layer]
        return looks_like_area(panel, small, own[0]) if own else 0.0
    solid = _healed(ink, layer.coverage > 0.5)
    runs, first = longest_runs(solid)
    columns = np.flatnonzero(runs >= TALL)
    if columns.size < max(WIDE, 0.06 * solid.shape[1]):
        return 0.0
    filled = columns.size / (columns[-1] - columns[0] + 1)
    share = solid[:, columns].sum() / max(1, solid.sum())
    pieces = _pieces(columns)
    filled *= min(1.0, 4.0 / pieces)  # bars stand apart
    step = np.abs(np.diff(_top(np.maximum(layer.coverage, solid), columns, first[columns])))[np.diff(columns) == 1]
    return float(filled * share * (1.0 - _stairs(step)) * (1.0 - open_below(ink, solid, columns)))


def _pieces(columns: NDArray[np.int_]) -> int:
    """How many runs of neighbouring columns hold a fair share of them: bars do, the thin ends of an area do not."""
    lengths = np.diff(np.flatnonzero(np.concatenate(([True], np.diff(columns) > 1, [True]))))
    return max(1, int((lengths > 0.02 * columns.size).sum()))


def longest_runs(mask: NDArray[np.bool_]) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    """Length and first row of the longest vertical run of every column."""
    longest, run, last = (np.zeros(mask.shape[1], dtype=np.int_) for _ in range(3))
    for number, row in enumerate(mask):
        run = np.where(row, run + 1, 0)
        last = np.where(run > longest, number, last)
        np.maximum(longest, run, out=longest)
    return longest, last - longest + 1


def _healed(ink: PlotInk, solid: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """A fill (h, w) and the grid lines that show through it; the paper between two bars parts them."""
    solid = _without_hairs(solid)
    closed = ndimage.binary_closing(solid, np.ones((_LINE, _LINE))) & ~solid
    rows, columns = np.nonzero(closed)
    paper = np.abs(ink.pixels[rows, columns].astype(np.float64) - np.asarray(ink.background)).max(axis=1) < 30
    closed[rows[paper], columns[paper]] = False
    return np.asarray(solid | closed, dtype=np.bool_)


def _without_hairs(solid: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The shape (h, w) without strokes of one or two pixels beside it, remains of grid lines; a thin shape whole."""
    opened = ndimage.binary_opening(solid, np.ones((_HAIR + 1, _HAIR + 1)))
    return np.asarray(opened if opened.sum() > _MOST * solid.sum() else solid)


def _top(coverage: NDArray[np.float32], columns: NDArray[np.int_], first: NDArray[np.int_]) -> Floats:
    """Top edge (crop rows) of the runs that begin in these rows, from the coverage of their first two pixels."""
    part = coverage[:, columns]
    above = part[np.maximum(first - 1, 0), np.arange(columns.size)]
    at = part[first, np.arange(columns.size)]
    return np.asarray(first + 0.5 - at - np.where(first > 0, above, 0.0), dtype=np.float64)


def _stairs(step: Floats) -> float:
    """Share of a top border's ups and downs that happen in lone jumps between level columns (bars, histograms)."""
    total = float(step.sum())
    if step.size < 3 or total < 2.0:
        return 0.0
    level = np.concatenate(([True, True], step < 0.1, [True, True]))
    before = level[:-4] | level[1:-3]  # an anti-aliased bar side takes two columns
    after = level[3:-1] | level[4:]
    return float(step[before & after & (step > 1.0)].sum() / total)


def open_below(ink: PlotInk, solid: NDArray[np.bool_], columns: NDArray[np.int_]) -> float:
    """Share (0 to 1) of these columns of a mask (h, w) whose ink ends on bare paper above the lowest places where it
    ends: a band or a line."""
    height = solid.shape[0]
    bottom = height - 1 - np.argmax(solid[::-1, columns], axis=0)
    lowest = np.percentile(bottom, 90)
    below = np.minimum(bottom + 3, height - 1)
    paper = np.abs(ink.pixels[below, columns].astype(np.float64) - np.asarray(ink.background)).max(axis=1) < 30
    return float(np.mean(paper & (bottom < lowest - 3)))
