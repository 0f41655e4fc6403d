"""Single characters that the text detector overlooked: glyphs that stand in line with words that it saw.

Not handled here: reading them (`ocr`), glyphs that touch other ink, words of several letters.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from tools.types import Box, Word

_MARKERS = frozenset("oOxX0AVvIlTH+_-")  # what markers, dashes and error bars are read as


class Lone(NamedTuple):
    """Overlooked glyphs: their box, the length and height to look at around it, the direction of the text, and whether
    two numbers of like size prove that text stands here (else one neighbour suggests it)."""

    box: Box
    size: tuple[float, float]
    angle: float
    proven: bool = True


def lone_glyphs(glyphs: Sequence[Box], words: Sequence[Word]) -> list[Lone]:
    """Glyphs outside every word that stand in a row or column with two numbers of like size, in even steps from one,
    or with one short word as the keys of a legend and the labels of an axis do."""
    level = [word for word in words if word.angle % 90 == 0]
    covered = [word.box.grown(1.0) for word in words]
    free = [glyph for glyph in glyphs if not any(box.contains(*glyph.centre) for box in covered)]
    lone = []
    clusters = _clusters(free)
    steps = {
        angle: _in_steps(clusters, [w.box for w in level if abs(w.angle) == angle and re.search(r"\d", w.text)], angle)
        for angle in (0.0, 90.0)
    }
    for k, box in enumerate(clusters):
        for angle in (0.0, 90.0):
            mates = [word for word in level if abs(word.angle) == angle]
            numbers = [word for word in mates if re.search(r"\d", word.text)]
            proven = k in steps[angle] or sum(_in_line(box, mate.box, angle) for mate in numbers) >= 2
            if proven or any(_beside(box, mate, angle) for mate in mates):
                along, across = (box.width, box.height) if angle == 0 else (box.height, box.width)
                room = 2.0 if proven else 0.5  # beside a number stand more digits, beside a letter its legend key
                lone.append(Lone(box, (along + 1 + room * (across + 1), across + 3), angle, proven))
                break
    return lone


def is_column(word: Word, glyphs: Sequence[Box]) -> bool:
    """Whether what was read as a number that runs upwards is a column of upright digits, each a label of its own (the
    keys `1` and `2` of a legend): every one is higher than wide, and they stand farther apart than signs of a word."""
    if abs(word.angle) != 90 or not word.text.isdigit() or len(word.text) < 2:
        return False
    column = sorted(_clusters([g for g in glyphs if word.box.grown(1.5).contains(*g.centre)]), key=lambda box: box.y0)
    gaps = [below.y0 - above.y1 for above, below in pairwise(column)]
    upright = all(box.height > 1.15 * box.width for box in column)
    return len(column) >= 2 and upright and min(gaps) >= 0.4 * max(box.height for box in column)


def stacked(word: Word, glyphs: Sequence[Box]) -> list[Box]:
    """The characters of what was read as a single one, or as a turned word, but are several under each other, from top
    to bottom (the keys `A`, `B` and `C` of a legend that the detector framed together); empty if there are none. The
    dot of an i lies nearer and is lower than its stem; so do the letters of a word that is turned."""
    if len(word.text) > 1 and abs(word.angle) != 90:
        return []
    inside = [g for g in glyphs if word.box.grown(1.5).contains(*g.centre)]
    column = sorted(_clusters(inside), key=lambda box: box.y0)
    highest = max((box.height for box in column), default=0.0)
    apart = all(highest * 0.4 <= below.y0 - above.y1 <= highest * 3.5 for above, below in pairwise(column))
    alike = all(box.height >= 0.6 * highest and box.width <= 1.4 * box.height for box in column)
    return column if len(column) >= max(2, len(word.text)) and apart and alike else []


def _in_steps(clusters: Sequence[Box], numbers: Sequence[Box], angle: float) -> set[int]:
    """Which boxes follow a number in a column in even steps, three and more of them, or two if one has
    several digits: the rest of an axis' labels."""
    if angle:
        clusters, numbers = [_turned(box) for box in clusters], [_turned(box) for box in numbers]
    found: set[int] = set()
    for number in numbers:
        slack = max(1.5, 0.2 * number.height)
        alike = [k for k, box in enumerate(clusters) if abs(box.height - number.height) <= slack]
        ends = (number.x1, number.x0, number.centre[0])
        for side, end in enumerate(ends):
            column = [
                k for k in alike if abs((clusters[k].x1, clusters[k].x0, clusters[k].centre[0])[side] - end) <= 1.5
            ]
            for way in (-1, 1):
                drops = {k: way * (clusters[k].centre[1] - number.centre[1]) for k in column}
                wide = any(clusters[k].width > clusters[k].height for k in column)  # two glyphs and more: no marker
                found |= _even(drops, 1.5 * (number.height + 1), 2 if wide else 3)
    return found


def _even(drops: dict[int, float], least: float, fewest: int) -> set[int]:
    """Those boxes that stand one, two, three ... steps away, each of `least` px or more; none if less than `fewest`."""
    order = sorted((k for k in drops if drops[k] > least), key=drops.__getitem__)
    if len(order) < fewest:
        return set()
    step = drops[order[0]]
    for count, k in enumerate(order, 1):
        if abs(drops[k] - count * step) > max(1.5, 0.04 * step):
            return set(order[: count - 1]) if count > fewest else set()
    return set(order)


def may_be_marker(text: str) -> bool:
    """Whether one character is what a marker or a stroke may be taken for."""
    return text in _MARKERS


def _clusters(glyphs: Sequence[Box]) -> list[Box]:
    """Glyphs that overlap or nearly touch, as one box."""
    clusters: list[Box] = []
    for glyph in sorted(glyphs, key=lambda g: g.x0):
        size = 0.4 * max(glyph.width, glyph.height)
        near = [c for c in clusters if c.overlaps(Box(glyph.x0 - size, glyph.y0, glyph.x1 + size, glyph.y1))]
        clusters = [c for c in clusters if c not in near]
        for cluster in near:
            glyph = glyph.union(cluster)
        clusters.append(glyph)
    return clusters


def _in_line(box: Box, mate: Box, angle: float) -> bool:
    """Whether a box is as high as a number and stands below, above or beside it, edge to edge or centred."""
    size, other = (box.height, mate.height) if angle == 0 else (box.width, mate.width)
    if abs(size - other) > max(1.5, 0.2 * other):
        return False
    slack = max(1.5, 0.3 * other)
    shifts = (box.x0 - mate.x0, box.x1 - mate.x1, box.centre[0] - mate.centre[0])
    drops = (box.y0 - mate.y0, box.y1 - mate.y1, box.centre[1] - mate.centre[1])
    level = abs(drops[2]) <= slack if angle == 0 else min(map(abs, drops)) <= slack
    column = min(map(abs, shifts)) <= slack if angle == 0 else abs(shifts[2]) <= slack
    return level or column


def _beside(box: Box, mate: Word, angle: float) -> bool:
    """Whether one character continues a column of words with a common left edge, or a row of single characters.

    Letters with and without stems differ in height, so only their feet (in a row) and their left edges must agree.
    Next to a word in its row stands a marker rather than a letter of its own.
    """
    if angle:
        box, other = _turned(box), _turned(mate.box)
    else:
        other = mate.box
    line = max(box.height, other.height) + 1
    if not 0.55 * line <= min(box.height, other.height) + 1 or box.width > 1.4 * line:
        return False
    slack = max(1.5, 0.15 * line)
    below = max(box.y0, other.y0) - min(box.y1, other.y1)
    if angle:  # labels of an axis that run upwards, side by side
        return len(mate.text) <= 2 and abs(box.x1 - other.x1) <= slack and line < below < 25 * line
    if abs(box.x0 - other.x0) <= slack and 0.3 * line < below < 3.5 * line:
        return True
    digit = mate.text.isdigit() and len(mate.text) == 1 and abs(box.height - other.height) <= 1.5
    if digit and abs(box.centre[0] - other.centre[0]) <= slack and 0.3 * line < below < 12 * line:
        return True  # another digit along an axis
    apart = max(box.x0, other.x0) - min(box.x1, other.x1)
    return len(mate.text) <= 2 and abs(box.y1 - other.y1) <= slack and 2.5 * line < apart < 15 * line


def _turned(box: Box) -> Box:
    """A box of text that runs upwards, as if it ran to the right."""
    return Box(-box.y1, box.x0, -box.y0, box.x1)
