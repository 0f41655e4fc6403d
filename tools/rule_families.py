"""Plots without side lines, put together from level rules of one extent: their grid lines and their axis.

Boxes, whiskers, legends and curves that cross grid lines make pieces of such a plot look like plots of their own, or
tie two plots together that stand on top of each other. The rules tell: those of one plot have one extent and even
steps, and no row of tick labels stands between them.
Not handled here: plots with a frame or a line along a side, which says itself where the plot ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tools.colour import colourless
from tools.layout import label_sides
from tools.overlaps import shared
from tools.ridges import Gray
from tools.stroke_groups import labels_between
from tools.stroke_joining import stroke_luma
from tools.strokes import Stroke
from tools.types import Box, Floats, Word

_SLACK = 3.0  # px between the ends of rules of one plot
_CLOSE = 1.5  # px between ends that are one
_FEWEST = 3  # rules of a plot
_UNEVEN = 0.06  # of a step, or 2 px
_MISSING = 3  # steps that may lie between two rules: the lines between are hidden
_DARKER = 20  # luma steps between grid lines and an axis
_TICK = 14.0  # px: the longest tick mark that a rule is led on by
_FOREIGN = 0.05  # of another plot: what a plot may grow over
_HELD = 0.8  # of the height of a plot: a line along its side that is as long holds it together
_LEAST = 0.15  # of the figure: the shortest rules
_WHOLE = 0.85  # of the longest rule: fills hide the ends of others
_PIECE = 0.25  # of it: what is seen of a rule at one end


@dataclass(frozen=True)
class Family:
    """The rules of one plot: their common `start` and `end`, their places from the first to the last; whether they are
    right `below` a row of labels that parts them from other rules."""

    start: float
    end: float
    places: tuple[float, ...]
    below: bool


def families(strokes: Sequence[Stroke], gray: Gray, words: Sequence[Word]) -> list[Family]:
    """The families of level strokes of one extent, from the top down, none without an even step."""
    level = sorted((s for s in strokes if s.direction == "horizontal"), key=lambda s: -s.length)
    boxes = [box for word in words if abs(word.angle) < 5 for box in _each(word)]
    found = []
    for lead, alike in _alike([s for s in level if s.length > _LEAST * gray.shape[1]]):
        pieces = [s for s in level if _PIECE * lead.length <= s.length and _inside(s, lead)]
        for part, below in _segments(_single(alike), gray, boxes):
            step = _step(np.diff([s.position for s in part])) if len(part) >= _FEWEST else 0.0
            if step > 0:
                whole = _led_on(part, step, pieces, gray, boxes)
                start, end = -_outermost([-s.start for s in part]), _outermost([s.end for s in part])
                found.append(Family(start, end, tuple(s.position for s in whole), below))
    return sorted(found, key=lambda family: family.places[0])


def _each(word: Word) -> list[Box]:
    """The boxes of labels that were read as one line of text, about: of each word of it."""
    count, box = len(word.text.split()), word.box
    wide = box.width / max(1, count)
    return [Box(box.x0 + k * wide, box.y0, box.x0 + (k + 0.9) * wide, box.y1) for k in range(count)]


def _alike(level: Sequence[Stroke]) -> list[tuple[Stroke, list[Stroke]]]:
    """The strokes, longest first, by the one of their extent that leads them: the nearest, where fills hide an end."""
    groups: list[tuple[Stroke, list[Stroke]]] = []
    for one in level:
        fits = [own for lead, own in groups if _inside(one, lead) and one.length >= _WHOLE * lead.length]
        if fits:
            min(fits, key=lambda own: min(abs(s.position - one.position) for s in own)).append(one)
        else:
            groups.append((one, [one]))
    return groups


def _inside(one: Stroke, lead: Stroke) -> bool:
    return one.start >= lead.start - _SLACK and one.end <= lead.end + _SLACK


def _step(gaps: Floats) -> float:
    """The usual gap; of two gaps, that between grid lines, not the one to the axis below them."""
    return float(gaps[0] if len(gaps) == 2 else np.median(gaps))


def _single(rules: Sequence[Stroke]) -> list[Stroke]:
    """The rules from the top down, without shorter strokes (whiskers, edges of boxes) that lie along them."""
    done: list[Stroke] = []
    for one in sorted(rules, key=lambda s: -s.length):
        if all(abs(one.position - other.position) > _SLACK for other in done):
            done.append(one)
    return sorted(done, key=lambda s: s.position)


def _segments(rules: Sequence[Stroke], gray: Gray, boxes: Sequence[Box]) -> list[tuple[list[Stroke], bool]]:
    """The rules cut between two plots: where a row of labels stands, or where the even steps end.

    With each part, whether it is right below a row of labels.
    """
    if len(rules) < _FEWEST:
        return []
    gaps = np.diff([s.position for s in rules])
    step, usual = _step(gaps), float(np.median([stroke_luma(s) for s in rules]))
    parts = [([rules[0]], False)]
    for k, gap in enumerate(gaps):
        count = round(gap / step)
        even = 1 <= count <= _MISSING and abs(gap - count * step) <= max(2.0, _UNEVEN * step)
        axis = abs(stroke_luma(rules[k + 1]) - usual) > _DARKER  # it stands at no step of the lines, some may be hidden
        foot = len(parts[-1][0]) > 1 and (gap < 2 * step if axis else gap < step and k == len(gaps) - 1)
        labelled = labels_between(rules[k], rules[k + 1], gray, boxes)
        if (even or foot) and not labelled:
            parts[-1][0].append(rules[k + 1])
            if foot and not even:
                parts.append(([], False))
        elif parts[-1][0]:
            parts.append(([rules[k + 1]], labelled))
        else:
            parts[-1] = ([rules[k + 1]], labelled)
    return parts


def _outermost(ends: Sequence[float]) -> float:
    """The end that most rules share, the farthest of equals: letters and tick marks lengthen single ones."""
    shared = [sum(abs(at - other) <= _CLOSE for other in ends) for at in ends]
    return max(at for at, count in zip(ends, shared, strict=True) if count == max(shared))


def _led_on(
    rules: Sequence[Stroke], step: float, pieces: Sequence[Stroke], gray: Gray, boxes: Sequence[Box]
) -> list[Stroke]:
    """The rules with further ones, a step before the first or after the last, of which only an end is seen."""
    start, end = min(s.start for s in rules), max(s.end for s in rules)
    pieces = [s for s in pieces if s.start <= start + _SLACK or s.end >= end - _SLACK]
    done = list(rules)
    for last, way in ((-1, 1), (0, -1)):
        while True:
            at = done[last].position + way * step
            near = [s for s in pieces if abs(s.position - at) <= max(2.0, _UNEVEN * step)]
            pair = (done[last], near[0])[::way] if near else None
            if pair is None or labels_between(pair[0], pair[1], gray, boxes):
                break
            done.insert(len(done) if way > 0 else 0, near[0])
    return done


def ruled(boxes: Sequence[Box], strokes: Sequence[Stroke], gray: Gray, words: Sequence[Word]) -> list[list[Box]]:
    """For each box, the plots that it is or holds: an empty list where another one of them stands for it.

    A box that no line along a side holds together becomes as large as the family of rules that it stands on, with
    pieces of one plot made one; it is cut where it holds several families. `strokes` are those of the figure.
    """
    known = families(strokes, gray, words)
    sides = [s for s in strokes if s.direction == "vertical"]
    done: list[list[Box]] = [[box] for box in boxes]
    loose = [False] * len(boxes)
    owned = [[one for one in known if _stands_on(box, one) and not _held(box, one, sides)] for box in boxes]
    for i, (box, own) in enumerate(zip(boxes, owned, strict=True)):
        loose[i] = bool(own)
        if len(own) > 1 and all(_within(family, box) for family in own) and all(family.below for family in own[1:]):
            done[i] = _cut(box, own)
        elif len(own) == 1:
            whole = _over(box, own[0])
            strange = [other for other, theirs in zip(boxes, owned, strict=True) if own[0] not in theirs]
            done[i] = [box if any(shared(other, whole) > _FOREIGN for other in strange) else whole]
    return _without_pieces(done, boxes, loose)


def rule_area(strokes: Sequence[Stroke], gray: Gray, words: Sequence[Word]) -> Box | None:
    """The plot of a figure in which nothing but its level rules is seen: the only family with labels on both sides."""
    boxes = [Box(one.start, one.places[0], one.end, one.places[-1]) for one in families(strokes, gray, words)]
    labelled = [box for box in boxes if label_sides(box, words, gray.shape) == 2]
    return labelled[0] if len(labelled) == 1 else None


def _held(box: Box, family: Family, sides: Sequence[Stroke]) -> bool:
    """Whether a line stands along a side of the box where the rules end, or a tick mark before they do.

    The edge of a bar is none: the rules run past it, and not along all of it. A box with one rule, at its foot, is a
    plot of a column (its rule the x axis) where the line runs from that to its top.
    """
    own = [at for at in family.places if box.y0 - 2 <= at <= box.y1 + 2]
    foot = len(own) == 1 and abs(own[0] - box.y1) <= _SLACK
    top, base = (box.y0, own[0]) if foot else (family.places[0], family.places[-1])

    def holds(side: Stroke) -> bool:
        if min(abs(side.position - at) for at in (box.x0, box.x1)) > _SLACK + side.thickness:
            return False
        if min(side.end, box.y1) - max(side.start, box.y0) < _HELD * box.height:
            return False
        past = min(abs(side.position - at) for at in (family.start, family.end))
        whole = side.start <= top + _SLACK and side.end >= base - _SLACK
        return past <= _SLACK + side.thickness / 2 or (past <= _TICK and whole and colourless(side.colour))

    return any(holds(side) for side in sides)


def _stands_on(box: Box, family: Family) -> bool:
    """Whether the box is on these rules: nearly as wide, and two of them (or one, of a row of a plot) run in it."""
    wide = family.end - family.start
    across = min(box.x1, family.end) - max(box.x0, family.start)
    inside = [at for at in family.places if box.y0 - 2 <= at <= box.y1 + 2]
    return across > 0.7 * wide and across > 0.9 * box.width and len(inside) >= 1


def _within(family: Family, box: Box) -> bool:
    return box.y0 - 3 <= family.places[0] and family.places[-1] <= box.y1 + 3


def _over(box: Box, family: Family) -> Box:
    """The box grown to the whole of its family."""
    x0, x1 = min(box.x0, family.start), max(box.x1, family.end)
    return Box(x0, min(box.y0, family.places[0]), x1, max(box.y1, family.places[-1]))


def _cut(box: Box, own: Sequence[Family]) -> list[Box]:
    """The box as one plot for each of its families."""
    tops = [min(box.y0, own[0].places[0]), *(family.places[0] for family in own[1:])]
    feet = [*(family.places[-1] for family in own[:-1]), max(box.y1, own[-1].places[-1])]
    return [Box(box.x0, top, box.x1, foot) for top, foot in zip(tops, feet, strict=True)]


def _without_pieces(done: Sequence[list[Box]], boxes: Sequence[Box], loose: Sequence[bool]) -> list[list[Box]]:
    """The plots with each once: of several pieces that grew to one plot the first stays, at the extent of all."""
    kept: list[list[Box]] = [list(own) for own in done]
    for i, own in enumerate(kept):
        for j in range(i):
            if len(own) == 1 and len(kept[j]) == 1 and loose[i] and loose[j] and _one(own[0], kept[j][0]):
                kept[j] = [kept[j][0].union(own[0])]
                kept[i] = []
                break
    changed = any(len(own) != 1 or own[0] != box for own, box in zip(kept, boxes, strict=True))
    return kept if changed else [[box] for box in boxes]


def _one(box: Box, other: Box) -> bool:
    """Whether two boxes are of one plot: most of the smaller one lies in the other."""
    return max(shared(box, other), shared(other, box)) > 0.6
