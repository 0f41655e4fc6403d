"""Legends of vector figures: words with a sample drawn beside them, at one distance, each in a style of its own.

They are taken where the pixels show fewer entries: samples over curves, hollow markers, tight lines.
Not handled here: names of several lines, samples behind their words, names at line ends.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Literal

import numpy as np

from tools.colour import colourless
from tools.types import Box, Drawing, Legend, LegendEntry, Panel, Rgb, VectorPath, Word
from tools.vector_elements import is_rectangle, looks

WIDEST = 160.0  # px: samples are narrower
TALLEST = 60.0
OFFSET = 1.5  # px by which the distance from a sample's middle to its word may vary within a legend
CENTRED = 60.0  # px of the same, where the words are centred and the samples stand in one column
DISTINCT = 0.7  # of the samples of a legend differ from all others
MAX_PATHS = 20_000
_SIGN = re.compile(r"[-–—=_.·•~]+\s+(\S.*)")
Style = tuple[tuple[Rgb, tuple[int, ...], bool, int], ...]


@dataclass(frozen=True, eq=False)
class _Pair:
    word: Word
    paths: tuple[VectorPath, ...]
    box: Box

    @property
    def offset(self) -> float:
        return self.word.box.x0 - self.box.centre[0]

    @property
    def style(self) -> Style:
        keys = {(looks(p), tuple(round(d) for d in p.dash), p.fill is not None, len(p.points)) for p in self.paths}
        return tuple(sorted(keys))


def with_drawn_legends(drawing: Drawing | None, panels: Sequence[Panel], words: Sequence[Word]) -> tuple[Panel, ...]:
    """The panels with the legend that the paths show, where it has more entries than the one seen in the pixels.

    A legend inside a plot belongs to it; one outside of all plots to every panel without one of its own.
    """
    if drawing is None:
        return tuple(panels)
    inside = [[word for word in words if panel.plot.contains(*word.box.centre)] for panel in panels]
    outside = [word for word in words if not any(panel.plot.contains(*word.box.centre) for panel in panels)]
    shared = find_legend(drawing, words if len(panels) == 1 else outside)
    done = []
    for panel, own in zip(panels, inside, strict=True):
        legend = (find_legend(drawing, own) if len(panels) > 1 else None) or shared
        more = legend is not None and len(panel.legend.entries) < len(legend.entries)
        done.append(replace(panel, legend=legend) if legend is not None and more else panel)
    return tuple(done)


def find_legend(drawing: Drawing, words: Sequence[Word]) -> Legend | None:
    """The largest group of words with samples at one distance that differ from each other; None if there is none."""
    small = [path for path in drawing.paths if _may_be_sample(path)]
    if not small or len(small) > MAX_PATHS:
        return None
    level = [_without_dash(word, small) for word in words if word.angle == 0]
    small = _no_letters(small, level)
    best = _largest([pair for word in level if (pair := _pair(word, small)) is not None])
    if len(best) < 2:  # lattice writes the names before the samples
        named = [word for word in level if _is_name(word)]
        best = _largest([pair for word in named if (pair := _pair(word, small, behind=True)) is not None])
        best = best if len({(round(pair.box.x0), round(pair.box.x1)) for pair in best}) == 1 else []
    if len(best) < 2:
        return None
    columns = _in_columns(best)
    best.sort(key=lambda pair: (round(pair.box.x0 / 20), pair.box.y0) if columns else (0, pair.box.x0))
    entries = tuple(_entry(pair) for pair in best)
    inside = reduce(Box.union, [box for pair in best for box in (pair.box, pair.word.box)])
    return Legend(entries, _framed(inside, drawing))


def _largest(pairs: Sequence[_Pair]) -> list[_Pair]:
    """The largest group of pairs at one distance whose samples differ, of equal ones that with the more letters in its
    names; tick labels beside their ticks left out."""
    pairs = [pair for pair in pairs if not _is_tick(pair)]
    groups = [[pair for pair in pairs if _belongs(pair, first)] for first in pairs]
    groups = [group for group in groups if len({pair.style for pair in group}) >= DISTINCT * len(group)]
    return max(groups, key=lambda group: (len(group), sum(_is_name(pair.word) for pair in group)), default=[])


def _is_name(word: Word) -> bool:
    return any(letter.isalpha() for letter in word.text)


def _without_dash(word: Word, small: Sequence[VectorPath]) -> Word:
    """A word without the last dash of the sample before it, which the recogniser took for a sign."""
    found, box = _SIGN.match(word.text), word.box
    if not found:
        return word
    level = [path for path in small if abs(path.box.centre[1] - box.centre[1]) < 0.4 * box.height]
    ends = [path.box.x1 for path in level if path.dash and path.box.x0 < box.x0 < path.box.x1 < box.centre[0]]
    if not ends:
        return word
    letters = [path.box.x0 for path in level if path.box.x0 > max(ends) and path.box.x1 < box.x1 + 2]
    return Word(found[1], replace(box, x0=min(letters, default=max(ends))), word.angle, word.confidence)


def _belongs(pair: _Pair, first: _Pair) -> bool:
    """Whether two pairs stand in one legend: words at one distance, or centred beside samples in one column."""
    away = abs(pair.offset - first.offset)
    column = abs(pair.box.x0 - first.box.x0) < OFFSET and abs(pair.box.x1 - first.box.x1) < OFFSET
    return away < OFFSET or (column and away < CENTRED)


def _no_letters(paths: Sequence[VectorPath], words: Sequence[Word]) -> list[VectorPath]:
    """The paths that do not lie within a word: where text is drawn as outlines, its letters are paths."""
    boxes = np.array([(b.x0, b.y0, b.x1, b.y1) for b in (path.box for path in paths)])
    inside = np.zeros(len(paths), dtype=bool)
    for box in (word.box.grown(1) for word in words):
        inside |= (boxes[:, :2] >= (box.x0, box.y0)).all(axis=1) & (boxes[:, 2:] <= (box.x1, box.y1)).all(axis=1)
    return [path for path, out in zip(paths, ~inside, strict=True) if out]


def _is_tick(pair: _Pair) -> bool:
    """A number beside one short straight stroke without a colour: a tick label."""
    (path, *others) = pair.paths
    short = len(path.points) == 2 and max(path.box.width, path.box.height) < 1.2 * pair.word.box.height
    number = pair.word.text.replace(".", "").replace(",", "").lstrip("-").isdigit()
    return number and short and not others and colourless(looks(path))


def _in_columns(pairs: Sequence[_Pair]) -> bool:
    rows = [pair.box.centre[1] for pair in pairs]
    return max(rows) - min(rows) > 3


def _may_be_sample(path: VectorPath) -> bool:
    box = path.box
    seen = path.stroke is not None or (path.fill is not None and min(path.fill) < 250)
    return seen and box.width < WIDEST and box.height < TALLEST and max(box.width, box.height) > 3


def _pair(word: Word, small: Sequence[VectorPath], behind: bool = False) -> _Pair | None:
    """A word with what is drawn just before it, at its height, or `behind` it: there further away where the names of a
    column are shorter."""
    size = max(word.box.height, 12.0)
    level = word.box.centre[1]

    def gap(path: VectorPath) -> float:
        return path.box.x0 - word.box.x1 if behind else word.box.x0 - path.box.x1

    beside = [
        path
        for path in small
        if abs(path.box.centre[1] - level) < 0.45 * size and -0.2 * size < gap(path) < (6 if behind else 2.2) * size
    ]
    least = min(map(gap, beside), default=0.0)
    return _whole(word, [path for path in beside if gap(path) < least + 0.5], small) if beside else None


def _whole(word: Word, nearest: Sequence[VectorPath], small: Sequence[VectorPath]) -> _Pair | None:
    """A word with all that is drawn within the sample nearest to it."""
    size = max(word.box.height, 12.0)
    around = reduce(Box.union, [path.box for path in nearest]).grown(1)
    inside = tuple(path for path in small if around.contains(*path.box.centre) and around.overlaps(path.box))
    within = tuple(p for p in inside if p.box.x0 >= around.x0 and p.box.x1 <= around.x1 and p.box.height < 2 * size)
    return _Pair(word, within, reduce(Box.union, [path.box for path in within])) if within else None


def _entry(pair: _Pair) -> LegendEntry:
    lines = [p for p in pair.paths if p.stroke is not None and len(p.points) < 5 and not p.closed and p.box.width > 8]
    marks = [p for p in pair.paths if p not in lines]
    kind: Literal["line", "patch", "marker", "line+marker", "label"] = "marker"
    if lines:
        kind = "line+marker" if marks else "line"
    elif any(is_rectangle(path) and path.fill is not None for path in marks):
        kind = "patch"
    shown = lines[0] if lines else marks[-1]
    return LegendEntry(pair.word.text, looks(shown), kind, pair.box, pair.word.box, "dashed" if shown.dash else "")


def _framed(inside: Box, drawing: Drawing) -> Box:
    """The frame drawn around a legend, if there is one, else the box of its samples and words."""
    frames = [
        path.box
        for path in drawing.paths
        if path.closed and len(path.points) >= 4
        and path.box.contains(inside.x0, inside.y0) and path.box.contains(inside.x1, inside.y1)
        and path.box.width < inside.width + 120 and path.box.height < inside.height + 120
    ]  # fmt: skip
    return min(frames, key=lambda box: box.width * box.height, default=inside.grown(3))
