"""The panels of a figure in reading order: plot area, title and share of the figure of each.

Strokes give rectangles (`plot_area`); words tell plots from legends, tables, strips and figure frames, because only a
plot has labels along its outside. Panels of a grid that lack lines of their own take them from their row and column.
Not handled here: insets, photos and heat maps (left out), polar and pie charts, axes in pieces.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tools.facets import Strip, as_strip, cut_strips
from tools.layout import detached_axes, ladder_area, label_sides, only_text, shares, title_above
from tools.plot_area import Outline, components, fills, join_pieces, min_stroke, outlines
from tools.ridges import Gray, luma
from tools.strokes import Stroke, find_strokes
from tools.types import Box, Figure, Panel, Word


@dataclass(frozen=True, eq=False)
class _Candidate:
    """A rectangle with the number of its sides that have tick labels (0 to 2: one per direction)."""

    box: Box
    sides: int
    outline: Outline
    strips: tuple[Strip, ...] = ()

    @property
    def area(self) -> float:
        return self.box.width * self.box.height


def find_panels(figure: Figure, words: Sequence[Word]) -> tuple[Panel, ...]:
    """The panels of the figure, row by row; empty if nothing in it looks like a plot.

    `words` are the printed words in figure pixels (without them only frames and grids count). The axes are left empty.
    """
    gray = luma(figure.pixels)
    strokes = join_pieces(find_strokes(figure.pixels, min_stroke(figure.pixels)), gray)
    found = outlines(components(strokes), figure.pixels, gray) + fills(figure.pixels, gray)
    found += [Outline(box) for box in detached_axes(strokes, found, words, gray.shape)]
    strips, candidates = _sorted_out(found, words, gray)
    chosen = _choose(candidates, gray, words)
    chosen = _completed(chosen, strips, strokes, words, gray)
    if not chosen:
        area = ladder_area(strokes, words, gray)
        chosen = [_Candidate(area, 1, Outline(area))] if area else []
    ordered = reading_order(chosen)
    boxes = shares([one.box for one in ordered], words, gray.shape)
    every = strips + [strip for one in candidates for strip in one.strips]
    return tuple(
        Panel(box, one.box, title_above(one.box, box, words, every, len(ordered)))
        for one, box in zip(ordered, boxes, strict=True)
    )


def _sorted_out(
    found: Sequence[Outline], words: Sequence[Word], gray: Gray
) -> tuple[list[Strip], list[_Candidate]]:
    """Outlines that are strips, and those that may be plots, the largest first."""
    strips, candidates = [], []
    for outline in found:
        strip = as_strip(outline, words)
        if strip:
            strips.append(strip)
            continue
        box, own = cut_strips(outline, words)
        if min(box.width, box.height) >= 24 and box.width * box.height >= 0.003 * gray.size:
            candidates.append(_Candidate(box, label_sides(box, words, gray.shape), outline, own))
    return strips, sorted(candidates, key=lambda one: -one.area)


def _choose(candidates: Sequence[_Candidate], gray: Gray, words: Sequence[Word]) -> list[_Candidate]:
    """The candidates that are plots: no figure frames, nothing inside another plot, no tables or legends."""
    plots = [one for one in candidates if not _frames_others(one, candidates)]
    kept: list[_Candidate] = []
    for one in plots:
        if any(_shared(one.box, other.box) > 0.2 for other in kept) or only_text(one.outline, one.box, words, gray):
            continue
        kept.append(one)
    labelled = [one for one in kept if one.sides > 0]
    if not labelled:
        return [one for one in kept if one.area > 0.04 * gray.size]
    largest = max(one.area for one in labelled)
    labelled = [one for one in labelled if one.sides == 2 or one.area > 0.15 * largest]
    return [one for one in kept if one in labelled or any(_same_grid(one.box, other.box) for other in labelled)]


def _frames_others(one: _Candidate, candidates: Sequence[_Candidate]) -> bool:
    """Does this rectangle hold a better labelled plot together with the plot's labels?"""
    inner = [other for other in candidates if other is not one and _inside(other.box, one.box)]
    return any(other.sides > one.sides and other.area > 0.003 * one.area for other in inner)


def _inside(inner: Box, outer: Box) -> bool:
    margin = 4
    across = outer.x0 + margin < inner.x0 and inner.x1 < outer.x1 - margin
    return across and outer.y0 + margin < inner.y0 and inner.y1 < outer.y1 - margin


def _shared(box: Box, other: Box) -> float:
    """Share of `box` that lies in the other one."""
    width = min(box.x1, other.x1) - max(box.x0, other.x0)
    height = min(box.y1, other.y1) - max(box.y0, other.y0)
    return max(0.0, width) * max(0.0, height) / max(1.0, box.width * box.height)


def _same_grid(box: Box, other: Box) -> bool:
    """Do the boxes share a row or a column, with the same extent along it and about the same size?"""
    row = abs(box.y0 - other.y0) <= 3 and abs(box.y1 - other.y1) <= 3 and 0.5 < box.width / other.width < 2
    return row or (abs(box.x0 - other.x0) <= 3 and abs(box.x1 - other.x1) <= 3 and 0.5 < box.height / other.height < 2)


def _completed(
    chosen: Sequence[_Candidate], strips: Sequence[Strip], strokes: Sequence[Stroke], words: Sequence[Word], gray: Gray
) -> list[_Candidate]:
    """With the panels whose rectangle follows from a strip or a bare axis and from the panels of their row or column."""
    panels = list(chosen)
    rows = [(one.box.y0, one.box.y1) for one in chosen]
    rows += [(s.start, s.end) for s in strokes if s.direction == "vertical" and _has_labels(s, words, gray)]
    for strip in strips:
        if strip.beside:
            continue
        row = next((row for row in rows if abs(row[0] - strip.box.y1) <= max(4, 0.3 * strip.box.height)), None)
        if row:
            _add(panels, Box(strip.box.x0, strip.box.y1, strip.box.x1, row[1]))
    for axis in strokes:
        if axis.direction == "horizontal" and axis.length > 0.06 * gray.shape[1]:
            row = next((row for row in rows if abs(row[1] - axis.position) <= 2), None)
            if row and any(0.8 < one.box.width / axis.length < 1.25 for one in panels):
                _add(panels, Box(axis.start, row[0], axis.end, row[1]))
    return panels


def _has_labels(axis: Stroke, words: Sequence[Word], gray: Gray) -> bool:
    box = Box(axis.position, axis.start, axis.position + axis.length, axis.end)
    return axis.length > 0.03 * gray.shape[0] and label_sides(box, words, gray.shape) > 0


def _add(panels: list[_Candidate], box: Box) -> None:
    if box.width > 0 and box.height > 0 and all(_shared(box, one.box) < 0.1 for one in panels):
        panels.append(_Candidate(box, 0, Outline(box)))


def reading_order(panels: Iterable[_Candidate]) -> list[_Candidate]:
    """Row by row: panels that overlap vertically by more than half of the lower one share a row."""
    rows: list[list[_Candidate]] = []
    for one in sorted(panels, key=lambda one: one.box.y0):
        row = next((row for row in rows if _same_row(one.box, [other.box for other in row])), None)
        if row is None:
            rows.append([one])
        else:
            row.append(one)
    return [one for row in rows for one in sorted(row, key=lambda one: one.box.x0)]


def _same_row(box: Box, others: Sequence[Box]) -> bool:
    """Overlaps with the row, and does not lie below one of its panels."""
    shared = [min(box.y1, other.y1) - max(box.y0, other.y0) for other in others]
    lower = [min(box.height, other.height) for other in others]
    return bool(np.median(np.array(shared) / np.array(lower)) > 0.5)
