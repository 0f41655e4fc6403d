"""Dash patterns: what the samples of a legend show, what a stroke shows, and which belong together.

Not handled here: following the strokes (`dashes`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.types import Box, Floats, LegendEntry

INKED = 0.5  # coverage of the ink of a dash
SHORTER = 2.0  # px by which a sample that ends in a gap is shorter than the others
UNBROKEN = 12.0  # times the thickness: a piece this long is no dash of a sample but all of it


@dataclass(frozen=True)
class Pattern:
    """Dashes of a stroke: share of its length that is inked, shortest and longest dash, and usual gap, in px."""

    duty: float
    shortest: float
    longest: float
    gap: float

    def shrunk(self, factor: int) -> Pattern:
        """The same in a picture shrunk by `factor`."""
        return Pattern(self.duty, self.shortest / factor, self.longest / factor, self.gap / factor)


SOLID = Pattern(1.0, 0.0, 0.0, 0.0)


def pattern_of(along: Floats, length: Floats) -> Pattern:
    """Dashes of a stroke from its coverage at successive places (n,) and the length in px that each stands for."""
    on = along > INKED
    edges = np.flatnonzero(np.diff(np.concatenate(([False], on, [False])).astype(np.int8)))
    total = np.concatenate(([0.0], np.cumsum(length)))
    dashes = total[edges[1::2]] - total[edges[::2]]
    gaps = total[edges[2::2]] - total[edges[1:-1:2]]
    if not len(dashes):
        return Pattern(0.0, 0.0, 0.0, 0.0)
    duty = float(dashes.sum() / max(1e-9, total[edges[-1]] - total[edges[0]]))
    gap = float(np.median(gaps)) if len(gaps) else 0.0
    return Pattern(duty, float(np.quantile(dashes, 0.15)), float(np.quantile(dashes, 0.85)), gap)


def unlikeness(one: Pattern, other: Pattern) -> float:
    """How different two dash patterns are: 0 for the same."""
    apart = 4 * abs(one.duty - other.duty)
    for a, b in ((one.shortest, other.shortest), (one.longest, other.longest), (one.gap, other.gap)):
        apart += min(1.0, abs(float(np.log((a + 2) / (b + 2)))))
    return apart


def swatch_patterns(pixels: NDArray[np.uint8], entry: LegendEntry) -> tuple[Pattern, ...]:
    """What the dashes of a legend entry's sample may be; `pixels` (H, W, 3) of the whole figure.

    Samples are looked at beyond the box that was found for them, as far as the text, for it may end at a gap. Two
    dashes, the second one shorter, are dash and dot, or two dashes of which the end of the sample cuts the second.
    """
    if entry.swatch is None:
        return (SOLID,)
    height, width = pixels.shape[:2]
    box = entry.swatch
    reach = min(0.6 * box.width + 4, 40.0)
    first, last = box.x0 - reach, box.x1 + reach
    if entry.box is not None:
        first = max(first, entry.box.x1 + 2) if entry.box.x1 < box.x0 else first
        last = min(last, entry.box.x0 - 2) if entry.box.x0 > box.x1 else last
    rows, columns = Box(first, box.y0, last, box.y1).slices(height, width)
    part = pixels[rows, columns].astype(np.float64)
    if not part.size:
        return (SOLID,)
    paper = np.median(pixels[max(0, rows.start - 3) : rows.stop + 3, columns].reshape(-1, 3), axis=0)
    step = np.array(entry.colour, dtype=np.float64) - paper
    share = np.clip((part - paper) @ step / max(1.0, float(step @ step)), 0, 1)
    along = share.max(axis=0)
    along = along / max(0.3, float(along.max()))
    inside = slice(max(0, int(box.x0 - first) - 1), int(box.x1 - first) + 2)
    unbroken = len(along[inside]) > UNBROKEN * (box.height + 1) and float((along[inside] > INKED)[1:-2].mean()) > 0.95
    along = along[inside if unbroken else _without_far(along, inside)]
    edges = np.flatnonzero(np.diff(np.concatenate(([False], along > INKED, [False])).astype(np.int8)))
    whole = pattern_of(along, np.ones(len(along)))
    if len(edges) != 4 or edges[3] - edges[2] >= edges[1] - edges[0]:
        return (whole,)
    dash, gap = float(edges[1] - edges[0]), float(edges[2] - edges[1])
    return whole, Pattern(dash / (dash + gap), dash, dash, gap)


def rival_patterns(pixels: NDArray[np.uint8], entries: Sequence[LegendEntry]) -> list[tuple[Pattern, ...]]:
    """What the dashes of several samples of one colour may be; see `swatch_patterns`.

    One dash that is shorter than the other samples may be all that a short sample has room for: a dash, a dot and
    their gaps as programs draw them (6.4, 1 and 1.6 times the thickness).
    """
    found = [swatch_patterns(pixels, entry) for entry in entries]
    widths = [entry.swatch.width if entry.swatch else 0.0 for entry in entries]
    for k, patterns in enumerate(found):
        if len(patterns) == 1 and patterns[0].duty == 1.0 and widths[k] <= max(widths) - SHORTER:
            dash = patterns[0].longest
            found[k] = (*patterns, Pattern(7.4 / 10.6, dash / 6.4, dash, dash / 4))
    return found


def _without_far(along: Floats, inside: slice) -> slice:
    """The sample and the ink beyond it that is no farther than a long gap: what comes next is another entry."""
    on = along > INKED
    first, last = inside.start, min(inside.stop, len(on))
    far = 12
    while first > 0 and on[max(0, first - far) : first].any():
        first -= 1
    while last < len(on) and on[last : last + far].any():
        last += 1
    return slice(first, last)
