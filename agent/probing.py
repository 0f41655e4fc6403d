"""A second look at the pixels before a difference counts: is the series' ink at the place that the table asks for?

Places are figure pixels (x, y). Not handled here: tracing anything.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from agent.drawn import Drawn
from tools.colour import lab_distance, paper_colour
from tools.types import Box, Image, Rgb

Floats32 = NDArray[np.float32]

STRONG = 0.45  # coverage from which a pixel belongs to a stroke
OFF_COLOUR = 45  # levels of a channel that a pixel may stray from the mixture of paper and ink


class Probe:
    """The ink of one colour in and around one plot area: coverage (h, w) of its pixels, 0 to 1, in a crop.

    `region`: how far to look beyond the plot area, whose ends may have been read too narrow.
    """

    def __init__(
        self,
        pixels: Image,
        colour: Rgb,
        plot: tuple[float, float, float, float],
        others: Sequence[Rgb] = (),
        legend: Box | None = None,
        region: Box | None = None,
    ) -> None:
        self.plot = plot
        around = Box(*plot).grown(2.0)
        around = around.union(region) if region is not None else around
        rows, columns = around.slices(pixels.shape[0], pixels.shape[1])
        self.x0, self.y0 = columns.start, rows.start
        crop = pixels[rows, columns]
        self.coverage = np.zeros((0, 0), np.float32)
        self.any_ink = self.strong_ink = np.zeros((0, 0), dtype=bool)
        if not crop.size:
            return
        inner = pixels[Box(*plot).slices(pixels.shape[0], pixels.shape[1])]
        paper = paper_colour(inner if inner.size else crop).astype(np.float32)
        away = crop.astype(np.float32) - paper
        share, off = _mixture(away, np.array(colour, dtype=np.float32) - paper)
        mine = off < OFF_COLOUR
        for other in others:
            mine[mine] = ~(_mixture(away[mine], np.array(other, dtype=np.float32) - paper)[1] < off[mine] - 4)
        self.coverage = np.where(mine, share, np.float32(0))
        contrast = _largest(away)
        self.any_ink, self.strong_ink = contrast > 30, contrast > 70
        if legend is not None:  # no data may be read from there; what it hides is covered
            rows, columns = legend.slices(10**6, 10**6)
            masked = (slice(max(0, rows.start - self.y0), max(0, rows.stop - self.y0)),
                      slice(max(0, columns.start - self.x0), max(0, columns.stop - self.x0)))  # fmt: skip
            self.coverage[masked] = 0.0
            self.any_ink[masked] = self.strong_ink[masked] = True

    def window(self, x: float, y: float, reach: float, across: float | None = None) -> Floats32:
        """The coverage within `reach` px (`across` in x) of a place; empty outside the plot."""
        wide = reach if across is None else across
        rows = slice(max(0, round(y - reach) - self.y0), max(0, round(y + reach) + 1 - self.y0))
        columns = slice(max(0, round(x - wide) - self.x0), max(0, round(x + wide) + 1 - self.x0))
        return self.coverage[rows, columns]

    def near(self, x: float, y: float, reach: float = 2.0) -> bool:
        """True where the colour is found within `reach` px of a place."""
        found = self.window(x, y, reach)
        return bool(found.size) and float(found.max()) >= STRONG

    def blank(self, x: float, y: float, reach: float = 1.5) -> bool:
        """True where a place and all around it is paper: nothing is drawn there, in whatever colour."""
        rows = slice(max(0, round(y - reach) - self.y0), max(0, round(y + reach) + 1 - self.y0))
        columns = slice(max(0, round(x - reach) - self.x0), max(0, round(x + reach) + 1 - self.x0))
        found = self.any_ink[rows, columns]
        return bool(found.size) and not bool(found.any())

    def covered(self, x: float, y: float, reach: float = 2.0) -> bool:
        """True where other ink than a thin grid line stands at a place: a stroke may be hidden under it."""
        rows = slice(max(0, round(y - reach) - self.y0), max(0, round(y + reach) + 1 - self.y0))
        columns = slice(max(0, round(x - reach) - self.x0), max(0, round(x + reach) + 1 - self.x0))
        found = self.strong_ink[rows, columns]
        return bool(found.size) and float(found.mean()) > 0.28

    def end_near(self, x: float, y: float, horizontal: bool, reach: float = 4.0) -> bool:
        """True where a filled shape ends within `reach` px of a place: the colour on one side alone."""
        if horizontal:
            strip = self.window(x, y, 0.0, across=reach + 3)
            line = strip.max(axis=0) if strip.size else np.zeros(0)
        else:
            strip = self.window(x, y, reach + 3, across=0.0)
            line = strip.max(axis=1) if strip.size else np.zeros(0)
        if len(line) < 5:
            return False
        return bool(np.abs(np.diff(line)).max() > 0.35) or bool(line.max() - line.min() > 0.5)

    def runs(self, at: float, horizontal: bool) -> list[tuple[float, float]]:
        """The runs of the colour along the value axis at a place of the key axis, as (start, end) in figure pixels."""
        if horizontal:
            index, offset, block = round(at) - self.y0, self.x0, self.coverage
        else:
            index, offset, block = round(at) - self.x0, self.y0, self.coverage.T
        band = block[max(0, index - 1) : index + 2]
        if not band.size:
            return []
        strong = np.concatenate([[False], band.max(axis=0) >= STRONG, [False]])
        edges = np.flatnonzero(np.diff(strong.astype(np.int8)))
        runs = [(float(a + offset), float(b - 1 + offset)) for a, b in zip(edges[::2], edges[1::2], strict=True)]
        first, last = (self.plot[0], self.plot[2]) if horizontal else (self.plot[1], self.plot[3])
        return [run for run in runs if run[1] >= first - 2 and run[0] <= last + 2]


def _mixture(away: Floats32, way: Floats32) -> tuple[Floats32, Floats32]:
    """Of pixels (..., 3) given as their difference from paper: the share of an ink whose difference is `way`, and how
    far they stray from that mixture (largest channel)."""
    length = float(way @ way)
    share = np.clip(away @ way / np.float32(length), 0, 1) if length > 400 else np.zeros(away.shape[:-1], np.float32)
    return share, _largest(away - share[..., None] * way)


def _largest(away: Floats32) -> Floats32:
    """The largest of the three channels in size; much faster than a reduction over so short an axis."""
    size = np.abs(away)
    return np.asarray(np.maximum(np.maximum(size[..., 0], size[..., 1]), size[..., 2]))


def supports(probe: Probe, drawn: Drawn, along: float, value: float) -> bool:
    """True where the pixels speak for a value at a place: a stroke or marker there, or the end of a bar."""
    x, y = drawn.point(along, value)
    if not (math.isfinite(x) and math.isfinite(y)):
        return False
    if drawn.kind in ("bar", "stack", "histogram", "area", "stacked area"):
        # Beside the middle, where an error bar may stand, and on both sides of it: one end of a cap is no end of a bar.
        steps = [0.0] if drawn.width < 8 else [k * drawn.width for k in (-0.4, -0.3, 0.3, 0.4)]
        spots = [(x, y + step) if drawn.horizontal else (x + step, y) for step in steps]
        return sum(probe.end_near(*spot, drawn.horizontal) for spot in spots) > 0.6 * len(spots)
    return probe.near(x, y, 3.0)


def stroke_value(probe: Probe, drawn: Drawn, along: float) -> tuple[float, float, float] | None:
    """Value, low and high of the one thin run of the series' colour at a place; None where there is none or several."""
    runs = [run for run in probe.runs(along, drawn.horizontal) if run[1] - run[0] < 25]
    if len(runs) != 1:
        return None
    start, end = runs[0]
    values = drawn.axis.to_value([(start + end) / 2, start - 0.5, end + 0.5])
    return float(values[0]), float(values.min()), float(values.max())


def is_clear(colour: Rgb, others: list[Rgb]) -> bool:
    """True where a colour can be told from all others, so that a legend's swatch could not be taken for another."""
    return all(float(lab_distance(colour, other)) > 20 for other in others)
