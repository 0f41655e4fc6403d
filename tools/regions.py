"""Filled regions of flat colour: which share of every pixel belongs to which region, and the borders between them.

A border in one column is the row that best splits the pixels that belong from those that don't, refined to a fraction
of a pixel by the anti-aliased pixels around it. Rows and columns are crop pixels (centre of pixel i is i).

Not handled here: gradients, hatching, which series a region belongs to (`areas`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls

from tools.ink import PlotInk
from tools.types import Floats, Rgb

_FLAT = 20.0  # RGB distance up to which a pixel is the plain colour of a region
_FOREIGN = 40.0  # RGB distance that no mixture of two regions explains: a stroke, text or a rule
_SHARES = 41  # shares 0, 1/40, ..., 1 that are tried
_BLOCK = 512  # columns at a time, to bound memory

Numbers = NDArray[np.int_]


@dataclass(frozen=True, eq=False)
class Regions:
    """Per pixel (h, w): the region above (`upper`) and below (`lower`), and the share of the pixel that `upper` has.

    Region 0 is the paper. In a plain pixel both are the same. `thin` holds runs of mixed pixels that hide further,
    thinner regions: (column, first row, row after the last, share of every region in the run).
    """

    upper: Numbers
    lower: Numbers
    share: Floats
    thin: tuple[tuple[int, int, int, Floats], ...] = ()


def find_regions(ink: PlotInk, colours: Sequence[Rgb], stacked: bool) -> Regions:
    """Regions of these flat colours. `stacked`: they lie on each other in this order, the first one lowest."""
    palette = np.asarray([ink.background, *colours], dtype=np.float64)
    width = ink.pixels.shape[1]
    blocks = []
    for start in range(0, width, _BLOCK):
        part = slice(start, min(width, start + _BLOCK))
        blocks.append(_block(ink.pixels[:, part].astype(np.float64), ink.neutral[:, part], palette))
    upper, lower = (np.hstack([block[i] for block in blocks]).astype(np.int_) for i in range(2))
    share = np.hstack([block[2] for block in blocks]).astype(np.float64)
    thin = _thin_runs(ink.pixels, palette, upper, lower) if stacked else ()
    return Regions(upper, lower, share, tuple(thin))


def border(regions: Regions, belongs: Floats, base: float) -> tuple[Floats, Floats]:
    """Top border (rows) per column of the regions that belong, and how many pixels contradict it.

    `belongs`: 0 or 1 per region (paper first), 0.5 where it hides what is behind. `base`: row of the base line, which
    is the answer where nothing belongs.
    """
    member = regions.share * belongs[regions.upper] + (1.0 - regions.share) * belongs[regions.lower]
    for column, first, last, shares in regions.thin:
        member[first:last, column] = float(shares @ belongs)
    member = member[: max(1, min(member.shape[0], int(np.floor(base + 0.5))))]
    height, width = member.shape
    inside = np.vstack([np.zeros(width), np.cumsum(member, axis=0)])
    cost = inside + (height - np.arange(height + 1))[:, None] - (inside[-1] - inside)
    split = np.argmin(cost, axis=0)
    slope = np.abs(np.gradient(split.astype(np.float64))) if width > 1 else np.zeros(width)
    reach = np.minimum(3 + np.ceil(slope), 40).astype(np.int_)
    first, last = np.maximum(split - reach, 0), np.minimum(split + reach, height)
    columns = np.arange(width)
    top = last - (inside[last, columns] - inside[first, columns]) - 0.5
    off = cost[split, columns] - 0.5 * (np.abs(member - 0.5) < 0.01).sum(axis=0)  # what tells nothing costs anyway
    return np.where(split == height, base, np.minimum(top, base)), off


def _block(pixels: Floats, neutral: NDArray[np.bool_], palette: Floats) -> tuple[Numbers, Numbers, Floats]:
    distance = np.stack([np.linalg.norm(pixels - colour, axis=2) for colour in palette])
    label = np.argmin(distance, axis=0)
    plain = _in_pairs((distance.min(axis=0) < _FLAT) & ~neutral, label)
    upper, lower = _nearest_above(label, plain), _nearest_above(label[::-1], plain[::-1])[::-1]
    upper = np.where(upper < 0, 0, upper)
    lower = np.where(lower < 0, upper, lower)
    share, off = _unmix(pixels, palette, upper, lower)
    share[(off > _FOREIGN) | neutral] = 0.5
    return upper, lower, share


def _in_pairs(plain: NDArray[np.bool_], label: Numbers) -> NDArray[np.bool_]:
    """Plain pixels with a like one above or below: a lone one may be a mixture that has a region's colour by chance."""
    like = plain[1:] & plain[:-1] & (label[1:] == label[:-1])
    paired = np.zeros_like(plain)
    paired[1:] |= like
    paired[:-1] |= like
    return paired


def _nearest_above(label: Numbers, plain: NDArray[np.bool_]) -> Numbers:
    """The label of the nearest plain pixel at or above each pixel; -1 where there is none."""
    rows = np.where(plain, np.arange(label.shape[0])[:, None], -1)
    nearest = np.maximum.accumulate(rows, axis=0)
    found = np.take_along_axis(label, np.maximum(nearest, 0), axis=0)
    return np.asarray(np.where(nearest < 0, -1, found), dtype=np.int_)


def _unmix(pixels: Floats, palette: Floats, upper: Numbers, lower: Numbers) -> tuple[Floats, Floats]:
    """Share of the upper region in every pixel, and the RGB distance that the mixture leaves unexplained.

    Two shapes that meet are anti-aliased one after the other, so the paper shines through their seam (conflation):
    with a share f for the shape drawn last, the pixel is f last + (1 - f) ((1 - f) first + f paper). Whether the upper
    or the lower one was drawn last, or neither (one shape over another), is the figure's habit: the best for all.
    """
    share = np.zeros(upper.shape)
    off = np.linalg.norm(pixels - palette[lower], axis=2)
    rows, columns = np.nonzero((upper != lower) & (off > 1.0))
    if rows.size == 0:
        return share, off
    above, below, seen = palette[upper[rows, columns]], palette[lower[rows, columns]], pixels[rows, columns]
    paper = ((upper == 0) | (lower == 0))[rows, columns, None]
    left, best = np.empty((3, rows.size)), np.empty((3, rows.size), dtype=np.int_)
    f = np.linspace(0.0, 1.0, _SHARES)[:, None, None]
    for habit, first in enumerate((palette[0], below, above)):  # of neither: paper - paper, nothing shines through
        through = np.where(paper, 0.0, palette[0] - first)
        away = ((f * above + (1.0 - f) * below + f * (1.0 - f) * through - seen) ** 2).sum(axis=2)
        best[habit] = away.argmin(axis=0)
        left[habit] = np.sqrt(away.min(axis=0))
    habit = int(np.argmin(np.minimum(left, _FOREIGN).sum(axis=1)))
    share[rows, columns] = best[habit] / (_SHARES - 1.0)
    off[rows, columns] = left[habit]
    return share, off


def _thin_runs(
    pixels: NDArray[np.uint8], palette: Floats, upper: Numbers, lower: Numbers
) -> list[tuple[int, int, int, Floats]]:
    """Runs of mixed pixels between regions that are not neighbours in the stack: shares of all that fit in between.

    Anti-aliasing keeps the sum of the colours, so the run's mean colour is the mixture of its regions.
    """
    above = np.where(upper == 0, len(palette), upper)  # the paper is on top of the stack
    skips = (above - lower > 1) & (lower > 0)
    starts = skips & ~np.vstack([np.zeros((1, skips.shape[1]), dtype=bool), skips[:-1]])
    found = []
    for row, column in zip(*np.nonzero(starts), strict=True):
        end = int(row)
        while end < skips.shape[0] and skips[end, column] and end - row < 12:
            end += 1
        top, bottom = above[row, column], lower[end - 1, column]
        names = [*range(bottom, min(top, len(palette) - 1) + 1), 0]
        mean = pixels[row:end, column].mean(axis=0)
        system = np.vstack([palette[names].T / 255.0, np.full(len(names), 10.0)])
        weights, _ = nnls(system, np.append(mean / 255.0, 10.0))
        shares = np.zeros(len(palette))
        if top < len(palette):
            weights[-1] = 0.0  # paper that shines through the seams
        shares[names] = weights / max(float(weights.sum()), 1e-9)
        found.append((int(column), int(row), end, shares))
    return found
