"""Words around a plot: tick labels on its sides, its title, and its share of the figure.

Not handled here: what the labels say (`axes`), legends.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tools.backgrounds import figure_paper
from tools.facets import Strip
from tools.numbers import parse_offset
from tools.plot_area import Outline
from tools.ridges import Gray
from tools.strokes import Stroke
from tools.text_lone import may_be_marker
from tools.types import Box, Image, Panel, Word

Shape = tuple[int, ...]


def label_sides(box: Box, words: Sequence[Word], shape: Shape) -> int:
    """In how many directions (0 to 2) does the box have tick labels: two or more words beside it, or below it?

    Words at the right or on top count only beside labels on another side: names stand right of legend keys as well.
    """
    left, right, top, bottom = (len(side_words(box, words, side, shape)) >= 2 for side in range(4))
    if not left and not bottom:
        return 0
    return int(left or right) + int(bottom or top)


def side_words(box: Box, words: Sequence[Word], side: int, shape: Shape) -> list[Word]:
    """Words just outside the left, right, top or bottom (side 0 to 3) of the box, within its extent."""
    reach = max(30.0, 0.05 * min(shape[0], shape[1]))
    slack = 0.04 * max(box.width, box.height) + 6

    def beside(word: Word) -> bool:
        at = word.box
        gap = (box.x0 - at.x1, at.x0 - box.x1, box.y0 - at.y1, at.y0 - box.y1)[side]
        x, y = at.centre
        if side < 2:
            return -4 <= gap <= reach and box.y0 - slack <= y <= box.y1 + slack and at.height < 0.5 * box.height
        near = box.x0 - slack <= x <= box.x1 + slack or box.x0 - slack <= at.x1 <= box.x1 + slack
        return -4 <= gap <= reach and near and at.width < 0.7 * box.width

    return [word for word in words if beside(word)]


def only_text(outline: Outline, box: Box, words: Sequence[Word], gray: Gray) -> bool:
    """Is there nothing in the box but words and straight rules: a table or a legend?"""
    inside = [word for word in words if box.contains(*word.box.centre) and not may_be_marker(word.text)]
    if len(inside) < 2:
        return False
    rows, columns = box.grown(-3).slices(*gray.shape)
    part = gray[rows, columns].astype(np.int16)
    if part.size == 0:
        return False
    paper = int(np.argmax(np.bincount(part.ravel(), minlength=256)))
    ink = np.abs(part - paper) > 24
    for stroke in outline.horizontal:
        at, half = stroke.position - rows.start, stroke.thickness / 2 + 1.5
        ink[max(0, round(at - half)) : max(0, round(at + half) + 1)] = False
    for stroke in outline.vertical:
        at, half = stroke.position - columns.start, stroke.thickness / 2 + 1.5
        ink[:, max(0, round(at - half)) : max(0, round(at + half) + 1)] = False
    total = int(ink.sum())
    for word in inside:
        r, c = word.box.grown(2).slices(*gray.shape)
        ink[max(0, r.start - rows.start) : max(0, r.stop - rows.start),
            max(0, c.start - columns.start) : max(0, c.stop - columns.start)] = False  # fmt: skip
    return int(ink.sum()) < 0.15 * total


def is_picture(box: Box, pixels: Image, labelled: bool = True) -> bool:
    """Is this a photograph or a heat map: do its eight commonest colours (of 4096) cover less than half of it?

    What has no tick labels (`labelled`) is one too if they cover less than 80 % and none is the paper of a plot.
    """
    part = pixels[box.grown(-3).slices(*pixels.shape[:2])].astype(np.int64) >> 4
    counts = np.bincount((part[..., 0] * 256 + part[..., 1] * 16 + part[..., 2]).ravel(), minlength=8)
    common = np.sort(counts)[-8:] / max(1, counts.sum())
    return bool(common.sum() < 0.5 or (not labelled and common.sum() < 0.8 and common[-1] < 0.3))


def is_solid(box: Box, gray: Gray) -> bool:
    """Is this a bar: one tone all over, far from the figure's paper?"""
    part = gray[box.grown(-3).slices(*gray.shape)].astype(np.int16)
    tone = int(np.median(part)) if part.size else 0
    return bool(part.size and abs(tone - int(figure_paper(gray))) > 60 and (np.abs(part - tone) < 12).mean() > 0.97)


def detached_axes(
    strokes: Sequence[Stroke], found: Sequence[Outline], words: Sequence[Word], shape: Shape
) -> list[Box]:
    """Plots whose two axis lines do not meet (base R): the rectangle that they span, grown to what is drawn in it."""
    boxes = []
    for v in (s for s in strokes if s.direction == "vertical" and s.length > 0.15 * shape[0]):
        for h in (s for s in strokes if s.direction == "horizontal" and s.length > 0.15 * shape[1]):
            below, beside = h.position - v.end, h.start - v.position
            if not (2 < below < 0.12 * shape[0] or 2 < beside < 0.2 * shape[1]):
                continue
            if not (-3 < below < 0.12 * shape[0] and -3 < beside < 0.2 * shape[1]):
                continue
            box = Box(v.position, v.start, h.end, h.position)
            if label_sides(box, words, shape) == 2:
                for other in found:
                    if box.grown(3).contains(*other.box.centre) and other.box.x0 > box.x0 and other.box.y1 < box.y1:
                        box = box.union(other.box)
                boxes.append(box)
    return boxes


def ladder_area(words: Sequence[Word], gray: Gray) -> Box | None:
    """The plot of a figure without frame, grid or axes: what is drawn beside an even column or row of number labels."""
    numbers = [word.box for word in words if any(letter.isdigit() for letter in word.text) and len(word.text) < 12]
    drawn = np.abs(gray.astype(np.int16) - figure_paper(gray)) > 24
    for word in words:
        drawn[word.box.grown(2).slices(*gray.shape)] = False
    column = _ladder(numbers)
    row = [_turned(box) for box in _ladder([_turned(box) for box in numbers])]
    if max(len(column), len(row)) < 3:
        return None
    if len(column) >= len(row):
        found = _beside(column, drawn)
        return _down_to_names(found, words, drawn) if found else None
    found = _beside([_turned(box) for box in row], drawn.T)
    return _turned(found) if found else None


def _down_to_names(area: Box, words: Sequence[Word], drawn: NDArray[np.bool_]) -> Box:
    """The plot grown below the last number, over what is drawn there in nearly every row above a row of names."""
    below = [w.box for w in words if w.box.y0 > area.y1 and area.x0 < w.box.centre[0] < area.x1]
    feet = [b.y0 for b in below if sum(abs(o.centre[1] - b.centre[1]) < 0.5 * b.height for o in below) >= 3]
    rows = slice(round(area.y1) + 1, round(min(feet, default=0)) - 1)
    inked = np.any(drawn[rows, round(area.x0) : round(area.x1)], axis=1)
    if len(inked) < 4 or inked.mean() < 0.8:  # the marks of ticks are no plot
        return area
    return Box(area.x0, area.y0, area.x1, float(rows.start + np.flatnonzero(inked)[-1]))


def _turned(box: Box) -> Box:
    return Box(box.y0, box.x0, box.y1, box.x1)


def _ladder(boxes: Sequence[Box]) -> list[Box]:
    """The longest column of boxes with a common left or right edge or middle, at even distances."""
    best: list[Box] = []
    for box in boxes:
        for share in (0.0, 0.5, 1.0):
            edge = box.x0 + share * box.width
            slack = 0.35 * min(box.height, box.width)
            column = [other for other in boxes if abs(other.x0 + share * other.width - edge) <= slack]
            if len(column) > len(best) and _even(column):
                best = column
    return best


def _even(column: Sequence[Box]) -> bool:
    gaps = np.diff(sorted(box.centre[1] for box in column))
    if len(column) < 3 or gaps.min() <= 0:
        return False
    steps = gaps / np.median(gaps)
    missing = steps > 1.7  # a label that ran together with its tick ends elsewhere
    return bool((steps[~missing] < 1.3).all() and missing.sum() <= len(steps) // 5 and steps.max() < 2.2)


def _beside(column: Sequence[Box], drawn: NDArray[np.bool_]) -> Box | None:
    """From the first to the last label of the column, and over all that is drawn on its fuller side."""
    y0, y1 = min(box.centre[1] for box in column), max(box.centre[1] for box in column)
    left, right = min(box.x0 for box in column), max(box.x1 for box in column)
    inked = np.flatnonzero(np.any(drawn[max(0, round(y0)) : round(y1) + 1], axis=0))
    before, after = inked[inked < left], inked[inked > right]
    fuller = before if len(before) > len(after) else after
    return Box(float(fuller[0]), y0, float(fuller[-1]), y1) if len(fuller) else None


def shares(plots: Sequence[Box], words: Sequence[Word], shape: Shape) -> list[Box]:
    """Each plot's share of the figure: up to the widest blank between its labels and those of its neighbours."""
    found = []
    for plot in plots:
        others = [other for other in plots if other is not plot]
        row = [other for other in others if min(other.y1, plot.y1) > max(other.y0, plot.y0)]
        column = [other for other in others if min(other.x1, plot.x1) > max(other.x0, plot.x0)]
        left = max((o.x1 for o in row if o.x1 <= plot.x0), default=None)
        right = min((o.x0 for o in row if o.x0 >= plot.x1), default=None)
        above = max((o.y1 for o in column if o.y1 <= plot.y0), default=None)
        below = min((o.y0 for o in column if o.y0 >= plot.y1), default=None)
        across = [(w.box.x0, w.box.x1) for w in words if plot.y0 <= w.box.centre[1] <= plot.y1]
        down = [(w.box.y0, w.box.y1) for w in words if plot.x0 <= w.box.centre[0] <= plot.x1]
        found.append(Box(
            0.0 if left is None else _blank(left, plot.x0, across),
            0.0 if above is None else _blank(above, plot.y0, down),
            shape[1] - 1.0 if right is None else _blank(plot.x1, right, across),
            shape[0] - 1.0 if below is None else _blank(plot.y1, below, down),
        ))  # fmt: skip
    return found


def _blank(low: float, high: float, taken: Sequence[tuple[float, float]]) -> float:
    """Middle of the widest blank of the interval, the first of equals."""
    inner = sorted((max(low, a), min(high, b)) for a, b in taken if b > low and a < high)
    edges, reached = [], low
    for start, end in [*inner, (high, high)]:
        if start > reached:
            edges.append((reached, start))
        reached = max(reached, end)
    if not edges:
        return (low + high) / 2
    start, end = max(edges, key=lambda edge: edge[1] - edge[0])
    return (start + end) / 2


def title_above(plot: Box, share: Box, words: Sequence[Word], strips: Sequence[Strip], panels: int) -> str:
    """The strip or title of a panel; empty if it has none. `row / column` where both kinds of strip exist."""
    above = [s for s in strips if not s.beside and s.box.y1 < plot.y0 + 5]
    if any(abs(s.box.y1 - plot.y0) < 5 for s in above):  # every row has its strips
        above = [s for s in above if plot.y0 - s.box.y1 < 0.5 * plot.height]
    on_top = [s for s in above if _over(s.box.x0, s.box.x1, plot.x0, plot.x1)]
    beside = [s for s in strips if s.beside and _over(s.box.y0, s.box.y1, plot.y0, plot.y1) and s.box.x0 > plot.x1 - 5]
    names = [min(beside, key=lambda s: s.box.x0).text] if beside else []
    names += [_text_over(max(on_top, key=lambda s: s.box.y1), plot, words)] if on_top else []
    if any(names):
        return " / ".join(name for name in names if name)
    words = [word for word in words if not parse_offset(word.text)]
    lines = [line for line in _alone(_lines(words), share) if _titles(line, plot, share, panels)]
    if not lines:
        return ""
    if panels == 1:
        tallest = max(line[0].box.height for line in lines)
        big = [line for line in lines if line[0].box.height > 0.8 * tallest]
        return _text(min(big, key=lambda line: line[0].box.y0))
    nearest = max(lines, key=lambda line: line[0].box.y1)
    near = plot.y0 - nearest[0].box.y1 < 2.5 * nearest[0].box.height
    return _text(nearest) if near else ""


def _text_over(strip: Strip, plot: Box, words: Sequence[Word]) -> str:
    """The text of a strip; of one that runs over several plots, what stands over this plot."""
    if strip.box.width < 1.5 * plot.width:
        return strip.text
    own = [w for w in words if strip.box.contains(*w.box.centre) and plot.x0 <= w.box.centre[0] <= plot.x1]
    return _text(sorted(own, key=lambda word: word.box.x0))


def _alone(lines: Sequence[list[Word]], share: Box) -> list[list[Word]]:
    """The lines of a panel's share that have no other text at their height, as the entries of a legend have."""

    def level(line: Sequence[Word], other: Sequence[Word]) -> bool:
        inside = share.contains(*other[0].box.centre) and share.contains(*line[0].box.centre)
        return inside and abs(line[0].box.centre[1] - other[0].box.centre[1]) < 0.5 * line[0].box.height

    return [line for line in lines if not any(level(line, other) for other in lines if other is not line)]


def _over(a0: float, a1: float, b0: float, b1: float) -> bool:
    return min(a1, b1) - max(a0, b0) > 0.8 * min(a1 - a0, b1 - b0)


def _lines(words: Sequence[Word]) -> list[list[Word]]:
    """Upright words that stand side by side, as lines."""
    lines: list[list[Word]] = []
    for word in sorted((w for w in words if abs(w.angle) < 10), key=lambda w: w.box.x0):
        for line in lines:
            last = line[-1].box
            level = abs(last.centre[1] - word.box.centre[1]) < 0.4 * last.height
            if level and -3 < word.box.x0 - last.x1 < 1.2 * last.height:
                line.append(word)
                break
        else:
            lines.append([word])
    return lines


def _titles(line: Sequence[Word], plot: Box, share: Box, panels: int) -> bool:
    """Above the plot, with letters, centred over the plot or flush left with it (or with the share of the only one)."""
    x0, x1 = line[0].box.x0, line[-1].box.x1
    first = line[0].box
    if first.centre[1] + 0.3 * first.height > plot.y0 or first.centre[1] < share.y0 or len(_text(line)) < 2:
        return False
    if not any(letter.isalpha() for letter in _text(line)) and plot.y0 - first.y1 < first.height:
        return False
    slack = 0.06 * plot.width + 4
    centred = abs((x0 + x1) / 2 - plot.centre[0]) < slack or abs(x0 - plot.x0) < slack
    if panels > 1:
        return centred and x0 > plot.x0 - plot.width / 2 and x1 < plot.x1 + plot.width / 2
    return centred or abs((x0 + x1) / 2 - share.centre[0]) < slack or x0 < share.x0 + slack


def _text(line: Sequence[Word]) -> str:
    return " ".join(word.text for word in line)


def without_titles(panels: Sequence[Panel], words: Sequence[Word]) -> list[Word]:
    """The words that may be tick labels: not the title of a panel that stands below another one, nearer to its own."""
    return [word for word in words if not any(_heads(word, one, panels) for one in panels)]


def _heads(word: Word, panel: Panel, panels: Sequence[Panel]) -> bool:
    """Whether a word is (part of) the title right above a panel, and stands between this and a panel above."""
    at, plot = word.box, panel.plot
    if len(word.text) < 3 or word.text not in panel.title or not any(letter.isalpha() for letter in word.text):
        return False
    gap = plot.y0 - at.y1
    if not (-3 < gap < 2.5 * at.height and plot.x0 - 3 <= at.x0 and at.x1 <= plot.x1 + 3):
        return False
    above = [
        o.plot for o in panels if o is not panel and o.plot.y1 < at.y1 and _over(o.plot.x0, o.plot.x1, plot.x0, plot.x1)
    ]
    return any(at.y0 - other.y1 > 1.5 * max(gap, 1.0) for other in above if other.y1 == max(o.y1 for o in above))
