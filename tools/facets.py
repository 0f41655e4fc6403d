"""Facet strips: the captions, in frames of their own, that stand on top or at the right of the panels of a grid.

Not handled here: strips without a frame (their text is found as a title), strips at the left or at the bottom.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tools.plot_area import Outline
from tools.strokes import Stroke
from tools.types import Box, Word

_HIGHEST = 6.0  # times the usual height of a line of text: strips with one line of text


@dataclass(frozen=True)
class Strip:
    """A caption and its frame; `beside` says that it stands at the right of its panel, not on top."""

    box: Box
    text: str
    beside: bool = False


def as_strip(outline: Outline, words: Sequence[Word]) -> Strip | None:
    """The outline as a strip of its own, with no panel in the same frame; None if it is not one line of text."""
    return _caption(outline.box, words, beside=False) or _caption(outline.box, words, beside=True)


def cut_strips(outline: Outline, words: Sequence[Word]) -> tuple[Box, tuple[Strip, ...]]:
    """The outline without the strips that share its frame, and these strips."""
    box, strips = outline.box, []
    # where strips stand both on top and at the right, the corner above one and beside the other is empty
    top_end = max((s.end for s in outline.horizontal if abs(s.position - box.y0) <= 3), default=box.x1)
    right_start = min((s.start for s in outline.vertical if abs(s.position - box.x1) <= 3), default=box.y0)
    for stroke in sorted(outline.horizontal, key=lambda stroke: stroke.position):
        part = Box(box.x0, box.y0, min(box.x1, stroke.end, top_end), stroke.position)
        if not _divides(stroke, box.x0, box.x1, at_end=False) or not 6 < part.height < 0.5 * box.height:
            continue
        strip = None if _entered(part, outline) else _caption(part, words, beside=False)
        if strip:
            strips.append(strip)
            box = Box(box.x0, stroke.position, box.x1, box.y1)
            break
    for stroke in sorted(outline.vertical, key=lambda stroke: -stroke.position):
        part = Box(stroke.position, max(box.y0, stroke.start, right_start), box.x1, box.y1)
        if not _divides(stroke, box.y0, box.y1, at_end=True) or not 6 < part.width < 0.5 * box.width:
            continue
        strip = None if _entered(part, outline) else _caption(part, words, beside=True)
        if strip:
            strips.append(strip)
            unread = Box(box.x0, box.y0, stroke.position, part.y0)
            if unread.height > 6 and any(_divides(s, box.x0, box.x1, at_end=False) and abs(s.position - part.y0) <= 3
                                         for s in outline.horizontal):  # fmt: skip
                strips.append(Strip(unread, ""))  # the caption on top could not be read: the corner shows its height
            box = Box(box.x0, part.y0 if len(strips) > 1 and not strips[-1].text else box.y0, stroke.position, box.y1)
            break
    return box, tuple(strips)


def _entered(part: Box, outline: Outline) -> bool:
    """Does a rule other than the frame run in this part of the outline?"""
    inner = part.grown(-4)
    across = [s for s in outline.horizontal if inner.y0 < s.position < inner.y1]
    down = [s for s in outline.vertical if inner.x0 < s.position < inner.x1]
    return any(min(s.end, inner.x1) - max(s.start, inner.x0) > 0.6 * part.width for s in across) or any(
        min(s.end, inner.y1) - max(s.start, inner.y0) > 0.6 * inner.height for s in down
    )


def cut_like(outline: Outline, box: Box, strips: Sequence[Strip]) -> Box:
    """`box`, the outline without its own strips, cut where its neighbours have a strip whose text could be read."""
    for strip in strips:
        if strip.beside or abs(strip.box.y0 - box.y0) > 3 or strip.box.y1 > box.y0 + 0.5 * box.height:
            continue
        rules = [s for s in outline.horizontal if abs(s.position - strip.box.y1) <= 2 and _divides(s, box.x0, box.x1)]
        if rules:
            return Box(box.x0, rules[0].position, box.x1, box.y1)
    return box


def facet_plots(bare: Sequence[Strip], framed: Sequence[Strip], strokes: Sequence[Stroke]) -> list[Box]:
    """The plots under bare strips, which share no frame with them: as wide as the strip, down to the axis of the row.

    Only the outer panels of such a grid have axis lines; panels of a row end together, and rows are equally high.
    `framed` are strips whose plots are known.
    """
    strips = [one for one in [*bare, *framed] if not one.beside]
    strips = [one for one in strips if any(_alike(one.box, other.box) for other in strips)]
    heights: dict[int, float] = {}
    for i, strip in enumerate(strips):
        below = [other.box.y0 for other in strips if other.box.y0 > strip.box.y1]
        height = _height_under(strip.box, min(below, default=float("inf")), strokes)
        if height is not None:
            heights[i] = height
    if not heights:
        return []
    usual = max(heights.values())
    plots = []
    for strip in [one for one in strips if one in bare]:
        row = [heights[j] for j, other in enumerate(strips) if abs(other.box.y1 - strip.box.y1) <= 3 and j in heights]
        height = max(row, default=usual)
        plots.append(Box(strip.box.x0, strip.box.y1, strip.box.x1, strip.box.y1 + height))
    return plots


def _alike(box: Box, other: Box) -> bool:
    same = abs(box.width - other.width) <= 3 and abs(box.height - other.height) <= 3
    return same and not box.overlaps(other)


def _height_under(strip: Box, limit: float, strokes: Sequence[Stroke]) -> float | None:
    """From the strip down to an axis line along the bottom, or else to the end of one along a side."""
    least = strip.y1 + strip.height
    slack = 6 + 0.02 * strip.width
    bottoms = [
        s.position for s in strokes
        if s.direction == "horizontal" and least < s.position < limit
        and abs(s.start - strip.x0) <= slack and abs(s.end - strip.x1) <= slack
    ]  # fmt: skip
    if bottoms:
        return max(bottoms) - strip.y1
    ends = [
        s.end for s in strokes
        if s.direction == "vertical" and s.start <= strip.y1 + 6 and least < s.end < limit
        and min(abs(s.position - strip.x0), abs(s.position - strip.x1)) <= 6
    ]  # fmt: skip
    return max(ends) - strip.y1 if ends else None


def cut_fills(box: Box, fills: Sequence[Box]) -> Box:
    """The box without fills of their own along its whole top or right: strips whose text could not be read.

    What is broader than a line of text is the plot's own paper, seen beside what is drawn on it.
    """
    for fill in fills:
        wide = abs(fill.x0 - box.x0) <= 6 and abs(fill.x1 - box.x1) <= 6 and _thin(fill.height, box.height)
        tall = abs(fill.y0 - box.y0) <= 6 and abs(fill.y1 - box.y1) <= 6 and _thin(fill.width, box.width)
        if wide and abs(fill.y0 - box.y0) <= 6:
            box = Box(box.x0, fill.y1, box.x1, box.y1)
        elif tall and abs(fill.x1 - box.x1) <= 6:
            box = Box(box.x0, box.y0, fill.x0, box.y1)
    return box


def _thin(size: float, whole: float) -> bool:
    return size < 0.35 * whole and size < max(0.15 * whole, 48)


def _divides(stroke: Stroke, low: float, high: float, at_end: bool | None = None) -> bool:
    """Does the stroke run from side to side, or at least from one side, as far as a strip at the other one lets it?"""
    slack = 3 + 1.5 * stroke.thickness
    short = slack + 0.25 * (high - low)
    start_slack = short if at_end is True else slack
    end_slack = short if at_end is False else slack
    return stroke.start <= low + start_slack and stroke.end >= high - end_slack


def _caption(box: Box, words: Sequence[Word], beside: bool) -> Strip | None:
    """One centred line of text that fills the box across."""
    inside = [word for word in words if box.contains(*word.box.centre)]
    if not any(letter.isalnum() for word in inside for letter in word.text):
        return None
    usual = float(np.median([min(word.box.width, word.box.height) for word in words])) + 1
    if min(box.width, box.height) > _HIGHEST * usual:
        return None
    if beside:
        thick, room = max(word.box.width for word in inside), box.width
        centre = (min(word.box.y0 for word in inside) + max(word.box.y1 for word in inside)) / 2
        off = abs(centre - box.centre[1]) / max(1.0, box.height)
        spread = max(word.box.centre[0] for word in inside) - min(word.box.centre[0] for word in inside)
        upright = all(word.box.height >= word.box.width for word in inside)
    else:
        thick, room = max(word.box.height for word in inside), box.height
        centre = (min(word.box.x0 for word in inside) + max(word.box.x1 for word in inside)) / 2
        off = abs(centre - box.centre[0]) / max(1.0, box.width)
        spread = max(word.box.centre[1] for word in inside) - min(word.box.centre[1] for word in inside)
        upright = box.width > box.height and all(abs(word.angle) < 45 for word in inside)
    if not upright or room > 4 * thick or thick > room + 4 or spread > 0.5 * thick or off > 0.12:
        return None
    return Strip(box, " ".join(word.text for word in sorted(inside, key=lambda word: word.box.x0)), beside)
