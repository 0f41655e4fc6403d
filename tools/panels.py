"""The panels of a figure in reading order: plot area, title and share of the figure of each.

Strokes give rectangles (`plot_area`); words tell plots from legends, tables, strips and figure frames, because only a
plot has labels along its outside. Panels of a grid that lack lines of their own take them from their row and column.
Not handled here: insets (`insets`), photos and heat maps (left out), polar and pie charts, axes in pieces.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

import cv2
import numpy as np

from tools.abutting import abutting, outline_of
from tools.backgrounds import figure_paper, fills, papers
from tools.blocks import parts
from tools.facets import Strip, as_strip, cut_fills, cut_like, cut_strips, facet_plots
from tools.grid_edges import on_grid
from tools.layout import detached_axes, is_picture, is_solid, label_sides, ladder_area, only_text, shares, title_above
from tools.overlaps import inside, overlap_in_row, same_grid, same_row, shared
from tools.plot_area import Outline, min_stroke, outlines, snapped
from tools.plot_ladders import ladders_around, on_ladder
from tools.plot_reach import laddered, reaching
from tools.repeated import parted
from tools.ridges import Gray, luma
from tools.rule_families import rule_area, ruled
from tools.stroke_groups import components
from tools.stroke_joining import clear_of, join_pieces
from tools.strokes import Stroke, find_strokes
from tools.types import Box, Figure, Panel, Word


class Boxed(Protocol):
    """Anything that stands in a box."""

    @property
    def box(self) -> Box: ...


B = TypeVar("B", bound=Boxed)
_NARROWEST = 24  # px: the smaller side of a plot
_PIECE = 0.9  # of a plot that lies in another one: it is a piece of that
_LARGE = 5e6  # pixels of a figure above which panels are found on a smaller copy


@dataclass(frozen=True, eq=False)
class _Candidate:
    """A rectangle: in how many directions (0 to 2) it has tick labels, and whether a strip names it."""

    box: Box
    sides: int
    outline: Outline
    captioned: bool = False

    @property
    def area(self) -> float:
        return self.box.width * self.box.height


def find_panels(figure: Figure, words: Sequence[Word]) -> tuple[Panel, ...]:
    """The panels of the figure, row by row; empty if nothing in it looks like a plot.

    `words` are the printed words in figure pixels (without them only frames and grids count). The axes are left empty.
    """
    whole = _found(figure, words)
    gray = luma(figure.pixels)
    blocks = parts(gray, words)
    if len(blocks) < 3:
        return whole
    charts = [panel for block in blocks for panel in _one_or_all(_found_in(figure, words, block), block, whole)]
    if _as_good(whole, charts, words, gray.shape):
        return whole
    return _in_order([_larger(one, charts, whole, words, gray.shape) for one in charts], words, gray.shape)


def _one_or_all(found: Sequence[Panel], block: Box, whole: Sequence[Panel]) -> list[Panel]:
    """The charts of a part, or the one panel that the whole figure shows there, of which they all are pieces."""
    own = [one for one in whole if shared(one.plot, block) > _PIECE]
    pieces = len(own) == 1 and len(found) > 1 and all(shared(one.plot, own[0].plot) > _PIECE for one in found)
    return own if pieces else list(found)


def _found_in(figure: Figure, words: Sequence[Word], block: Box) -> list[Panel]:
    """The panels of a part of the figure, found as if it stood alone, in the pixels of the figure."""
    rows, columns = block.slices(figure.height, figure.width)

    def moved(box: Box, way: int) -> Box:
        x, y = way * columns.start, way * rows.start
        return Box(box.x0 + x, box.y0 + y, box.x1 + x, box.y1 + y)

    own = [replace(word, box=moved(word.box, -1)) for word in words if block.contains(*word.box.centre)]
    found = _found(replace(figure, pixels=np.ascontiguousarray(figure.pixels[rows, columns])), own)
    return [replace(panel, box=block, plot=moved(panel.plot, 1)) for panel in found]


def _as_good(whole: Sequence[Panel], charts: Sequence[Panel], words: Sequence[Word], shape: tuple[int, ...]) -> bool:
    """Whether the panels of the whole figure stand against those of its parts: there are as many, in the same places,
    or several parts are no charts of their own, with labels along two sides."""
    sides = [label_sides(one.plot, words, shape) for one in charts]
    if any(min(one.plot.width, one.plot.height) < _NARROWEST for one in charts):
        return True
    if len(charts) < max(1, len(whole)) or sum(side < 2 for side in sides) > 0.25 * len(charts) or min(sides) == 0:
        return True
    alike = [any(min(shared(a.plot, b.plot), shared(b.plot, a.plot)) > 0.95 for b in whole) for a in charts]
    return len(charts) == len(whole) and all(alike) and (min(sides) < 2 or len(whole) == 1)


def _larger(
    chart: Panel, charts: Sequence[Panel], whole: Sequence[Panel], words: Sequence[Word], shape: tuple[int, ...]
) -> Panel:
    """The panel of the whole figure that a chart of its parts is a piece of (a blank between grid lines parts no
    plots): as well labelled, with this chart alone in it, and no card that the chart stands on."""
    sides = label_sides(chart.plot, words, shape)
    for one in whole:
        held = [other for other in charts if shared(other.plot, one.plot) > 0.05]
        same = any(min(shared(one.plot, b), shared(b, one.plot)) > _PIECE for b in (chart.box, chart.plot))
        if len(held) == 1 and held[0] is chart and shared(chart.plot, one.plot) > 0.95 and not same:
            return one if label_sides(one.plot, words, shape) >= sides else chart
    return chart


def _in_order(panels: Sequence[Panel], words: Sequence[Word], shape: tuple[int, ...]) -> tuple[Panel, ...]:
    """The panels row by row, each with its share of the whole figure."""
    rows = reading_order([replace(panel, box=panel.plot) for panel in panels])
    boxes = shares([one.plot for one in rows], words, shape)
    return tuple(replace(one, box=box) for one, box in zip(rows, boxes, strict=True))


def _found(figure: Figure, words: Sequence[Word]) -> tuple[Panel, ...]:
    """The panels of the figure taken as one."""
    shrink = math.ceil(math.sqrt(figure.pixels.shape[0] * figure.pixels.shape[1] / _LARGE))
    if shrink > 1:
        return _found_small(figure, words, shrink)
    gray = luma(figure.pixels)
    strokes = clear_of(join_pieces(find_strokes(figure.pixels, min_stroke(figure.pixels)), gray), words)
    paper = figure_paper(gray)
    found = [Outline(snapped(box, strokes, paper), filled=True) for box in fills(figure.pixels, gray)]
    groups = components(strokes, gray, words)
    found += outlines(groups, gray)
    lone = [group[0] for group in groups if len(group) == 1]
    found += [Outline(box) for box in detached_axes(lone, found, words, gray.shape)]
    bare, framed, candidates = _sorted_out(found, words, gray)
    chosen, rejected = _choose(_facets(bare, framed, candidates, strokes), candidates, gray, words)
    chosen = _levelled(_completed(_ruled(chosen, strokes, gray, words), rejected, strokes, words, gray))
    chosen = _parted(_grown(_cells(chosen, rejected, words, gray), words, gray, strokes), words)
    if sum(one.area for one in chosen) < 0.05 * gray.size:
        area = rule_area(strokes, gray, words) or ladder_area(words, gray)
        chosen = [_Candidate(area := reaching(area, words, [], gray), 1, Outline(area))] if area else chosen
    elif not any(one.sides or one.captioned for one in chosen):
        area = ladders_around([one.box for one in chosen], words, gray)
        chosen = [_Candidate(area, 2, Outline(area))] if area else chosen
    ordered = reading_order(
        one for one in chosen if not is_picture(one.box, figure.pixels, one.sides > 0 or one.captioned)
    )
    boxes = shares([one.box for one in ordered], words, gray.shape)
    return tuple(
        Panel(box, one.box, title_above(one.box, box, words, [*bare, *framed], len(ordered)))
        for one, box in zip(ordered, boxes, strict=True)
    )


def _found_small(figure: Figure, words: Sequence[Word], shrink: int) -> tuple[Panel, ...]:
    """The panels of a very large figure, found on a smaller copy: lines are thick there, so little is lost."""
    height, width = figure.height // shrink * shrink, figure.width // shrink * shrink
    size = (width // shrink, height // shrink)
    small = np.asarray(cv2.resize(figure.pixels[:height, :width], size, interpolation=cv2.INTER_AREA), dtype=np.uint8)

    def scaled(box: Box, by: float) -> Box:  # pixel edges, not centres, scale about 0
        x0, y0, x1, y1 = ((edge + 0.5) * by - 0.5 for edge in (box.x0, box.y0, box.x1, box.y1))
        return Box(x0, y0, x1, y1)

    smaller = [replace(word, box=scaled(word.box, 1 / shrink)) for word in words]
    panels = _found(replace(figure, pixels=small), smaller)
    return tuple(replace(p, box=scaled(p.box, shrink), plot=scaled(p.plot, shrink)) for p in panels)


def _sorted_out(
    found: Sequence[Outline], words: Sequence[Word], gray: Gray
) -> tuple[list[Strip], list[Strip], list[_Candidate]]:
    """Outlines that are bare strips, strips cut from plots, and outlines that may be plots, the largest first."""
    bare: list[Strip] = []
    framed: list[Strip] = []
    rest = []
    filled = [outline.box for outline in found if outline.filled]
    for outline in found:
        strip = as_strip(outline, words)
        if strip:
            bare.append(strip)
            continue
        box, own = cut_strips(outline, words)
        framed += own
        rest.append((outline, box, own))
    candidates = []
    for outline, box, own in rest:
        box = box if any(not strip.beside for strip in own) else cut_like(outline, box, framed)
        box = box if outline.filled else cut_fills(box, filled)
        if min(box.width, box.height) >= _NARROWEST and box.width * box.height >= 0.003 * gray.size:
            candidates.append(_Candidate(box, label_sides(box, words, gray.shape), outline, bool(own)))
    plots = [one for one in candidates if one.sides == 2 or not is_solid(one.box, gray)]
    return bare, framed, sorted(plots, key=lambda one: -one.area)


def _facets(
    bare: Sequence[Strip], framed: Sequence[Strip], candidates: Sequence[_Candidate], strokes: Sequence[Stroke]
) -> list[_Candidate]:
    """The plots under bare strips, unless the strips lie in a plot themselves (outlined bars with their values)."""
    plots = [one.box for one in candidates if one.sides == 2 and not one.captioned]
    outer = [strip for strip in bare if not any(inside(strip.box, plot) for plot in plots)]
    return [_Candidate(box, 0, outline_of(box, strokes), True) for box in facet_plots(outer, framed, strokes)]


def _choose(
    facets: Sequence[_Candidate], candidates: Sequence[_Candidate], gray: Gray, words: Sequence[Word]
) -> tuple[list[_Candidate], list[_Candidate]]:
    """The candidates that are plots: no figure frames, nothing inside another plot; and the tables and legends."""
    plots = [one for one in candidates if not _frames_others(one, [*candidates, *facets])]
    kept, tables = list(facets), []
    for one in plots:
        if any(max(shared(one.box, other.box), shared(other.box, one.box)) > 0.2 for other in kept):
            continue
        if only_text(one.outline, one.box, words, gray) or (
            one.sides < 2 and not one.captioned and _few_lines(one, words)
        ):
            tables.append(one)
        else:
            kept.append(one)
    labelled = [one for one in kept if one.sides > 0 or one.captioned]
    if not labelled:
        return [one for one in kept if one.area > 0.04 * gray.size], tables
    largest = max(one.area for one in labelled)
    sure = [one for one in labelled if one.sides == 2 or one.captioned or one.area > 0.15 * largest]
    return [one for one in kept if one in sure or any(_alike(one, other) for other in sure)], tables


def _alike(one: _Candidate, other: _Candidate) -> bool:
    """Whether a plot belongs to the grid of another one, or stands on a ground of the very same size."""
    grounds = one.outline.filled and other.outline.filled
    sizes = (one.box.width, other.box.width), (one.box.height, other.box.height)
    return same_grid(one.box, other.box) or (grounds and all(abs(a - b) <= 2 for a, b in sizes))


def _ruled(
    chosen: Sequence[_Candidate], strokes: Sequence[Stroke], gray: Gray, words: Sequence[Word]
) -> list[_Candidate]:
    """Plots without a frame as large as their level rules say: pieces of one made one, and two seen as one cut."""
    bare = [one for one in chosen if not one.outline.filled and not one.captioned]
    plots = ruled([one.box for one in bare], strokes, gray, words)
    known = {id(one): own for one, own in zip(bare, plots, strict=True)}
    return [
        one if box is one.box else replace(one, box=box, sides=max(one.sides, label_sides(box, words, gray.shape)))
        for one in chosen for box in known.get(id(one), [one.box])
    ]  # fmt: skip


def _few_lines(one: _Candidate, words: Sequence[Word]) -> bool:
    """Is this a frame of less than five lines' height around several words: a legend?"""
    heights = [word.box.height + 1 for word in words if one.box.contains(*word.box.centre) and abs(word.angle) < 5]
    return len(heights) >= 2 and not one.outline.filled and one.box.height < 5 * float(np.median(heights))


def _frames_others(one: _Candidate, candidates: Sequence[_Candidate]) -> bool:
    """Does this rectangle hold a better labelled plot together with the plot's labels?"""
    for other in candidates:
        filled = other.outline.filled and not one.outline.filled and other.sides == one.sides > 0 and not one.captioned
        captioned = other.captioned and not one.outline.filled
        better = other is not one and (other.sides > one.sides or filled or captioned)
        if better and inside(other.box, one.box) and other.area > 0.003 * one.area:
            return True
        if better and other.area < one.area and min(shared(other.box, one.box), 2 * other.area / one.area) > 0.95:
            return True
    return False


def _completed(
    chosen: Sequence[_Candidate], rejected: Sequence[_Candidate], strokes: Sequence[Stroke], words: Sequence[Word],
    gray: Gray,
) -> list[_Candidate]:  # fmt: skip
    """With the panels that have only an axis line along the bottom and take their height from their row."""
    panels, taken = list(chosen), [one.box for one in rejected]
    rows = [(one.box.y0, one.box.y1) for one in chosen]
    rows += [(s.start, s.end) for s in strokes if s.direction == "vertical" and _has_labels(s, words, gray)]
    for axis in strokes:
        if axis.direction == "vertical" or axis.length < 0.06 * gray.shape[1]:
            continue
        if any(abs(one.box.y0 - axis.position) <= 2 and one.box.x0 - 2 <= axis.start <= one.box.x1 for one in chosen):
            continue  # the upper edge of a plot, beside a legend's frame
        row = next((row for row in rows if abs(row[1] - axis.position) <= 2), None)
        if row and any(0.8 < one.box.width / axis.length < 1.25 for one in chosen):
            box = Box(axis.start, row[0], axis.end, row[1])
            if all(shared(box, other) < 0.1 for other in [*taken, *(one.box for one in panels)]):
                panels.append(_Candidate(box, 0, Outline(box)))
    return panels


def _levelled(panels: Sequence[_Candidate]) -> list[_Candidate]:
    """Captioned panels of one width made equally high: an axis line may seem to end where a tick of its foot begins."""
    done = []
    for one in panels:
        alike = [
            other.box.height for other in panels
            if one.captioned and other.captioned and abs(other.box.width - one.box.width) <= 3
            and abs(other.box.height - one.box.height) <= 0.04 * one.box.height
        ]  # fmt: skip
        taller = max(alike, default=0.0)
        done.append(
            replace(one, box=replace(one.box, y1=one.box.y0 + taller)) if taller > one.box.height + 2.5 else one
        )
    return done


def _cells(
    chosen: Sequence[_Candidate], rejected: Sequence[_Candidate], words: Sequence[Word], gray: Gray
) -> list[_Candidate]:
    """With the empty cells of a regular grid that hold ink beside labels: plots without a line of their own."""
    panels = list(chosen)
    ink = np.min([np.abs(gray.astype(np.int16) - paper) for paper in papers(gray)], axis=0) > 40
    for word in words:
        ink[word.box.grown(1).slices(*gray.shape)] = False
    for one in chosen:
        for other in chosen:
            if abs(one.box.width / other.box.width - 1) > 0.05 or abs(one.box.height / other.box.height - 1) > 0.05:
                continue
            box = Box(one.box.x0, other.box.y0, one.box.x1, other.box.y1)
            taken = any(shared(box, p.box) > 0.05 or shared(p.box, box) > 0.05 for p in [*panels, *rejected])
            if not taken and label_sides(box, words, gray.shape) and ink[box.slices(*gray.shape)].mean() > 0.02:
                panels.append(_Candidate(box, label_sides(box, words, gray.shape), Outline(box)))
    return panels


def _parted(panels: Sequence[_Candidate], words: Sequence[Word]) -> list[_Candidate]:
    """With the plots apart that stand on top of each other in one candidate, and those of a grid in line."""
    panels = [replace(one, box=box) for one in panels for box in abutting(one.box, one.outline, words)]
    pairs = zip(panels, parted([one.box for one in panels], words), strict=True)
    every = [one if len(own) == 1 else replace(one, box=box) for one, own in pairs for box in own]
    return [replace(one, box=box) for one, box in zip(every, on_grid([one.box for one in every]), strict=True)]


def _grown(
    panels: Sequence[_Candidate], words: Sequence[Word], gray: Gray, strokes: Sequence[Stroke]
) -> list[_Candidate]:
    """Plots without a frame, grown over grid lines of their own and what is drawn beyond the outermost of them."""
    boxes = [one.box for one in panels]
    grown = []
    for one in panels:
        if not one.outline.filled and not one.captioned:
            others = [box for box in boxes if box is not one.box]
            tall = on_ladder(laddered(one.box, strokes, others), words)
            others = [box for box in others if shared(box, tall) < 0.9]  # a legend's frame between two grid lines
            one = replace(one, box=reaching(tall, words, others, gray))
        grown.append(one)
    return _merged([one for one in grown if not _lies_in(one, grown)])


def _lies_in(one: _Candidate, grown: Sequence[_Candidate]) -> bool:
    """Whether a plot without a frame that grew over it holds this one."""
    free = [other for other in grown if other is not one and not other.outline.filled and not other.captioned]
    return not one.captioned and any(shared(one.box, o.box) > 0.9 and o.area > 1.5 * one.area for o in free)


def _merged(panels: Sequence[_Candidate]) -> list[_Candidate]:
    """Pieces of one plot made one: what is drawn parted the grid lines, and both pieces grew over each other."""
    done: list[_Candidate] = []
    for one in sorted(panels, key=lambda one: (one.box.y0, one.box.x0)):
        if any(_covers(other, one) for other in panels):
            continue
        piece = next((other for other in done if overlap_in_row(one.box, other.box)), None)
        if piece is None:
            done.append(one)
            continue
        box = replace(piece.box, x0=min(piece.box.x0, one.box.x0), x1=max(piece.box.x1, one.box.x1))
        done[done.index(piece)] = replace(piece, box=box, sides=max(piece.sides, one.sides))
    return done


def _covers(whole: _Candidate, one: _Candidate) -> bool:
    """Whether a bare plot lies in a larger one: a piece between grid lines and curves."""
    bare = not any(panel.outline.filled or panel.captioned for panel in (whole, one))
    return bare and whole.area > 1.05 * one.area and shared(one.box, whole.box) > _PIECE


def _has_labels(axis: Stroke, words: Sequence[Word], gray: Gray) -> bool:
    box = Box(axis.position, axis.start, axis.position + axis.length, axis.end)
    return axis.length > 0.03 * gray.shape[0] and label_sides(box, words, gray.shape) > 0


def reading_order(panels: Iterable[B]) -> list[B]:
    """Row by row: panels that overlap vertically by more than half of the lower one share a row."""
    rows: list[list[B]] = []
    for one in sorted(panels, key=lambda one: one.box.y0):
        row = next((row for row in rows if same_row(one.box, [other.box for other in row])), None)
        if row is None:
            rows.append([one])
        else:
            row.append(one)
    return [one for row in rows for one in sorted(row, key=lambda one: one.box.x0)]
