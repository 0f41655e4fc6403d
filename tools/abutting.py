"""Plots whose frames share a rule: a column over one x axis or a row over one y axis, drawn without a gap.

Together they look like one plot with rules across it; labels that do not run on over a rule tell them apart from grid
lines, zero lines and limits. Not handled here: plots that print no labels on the side along which they stand (they
cannot be told from one plot), rules of another tone than the frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from tools.numbers import Quantity, parse_ladder
from tools.plot_area import Outline
from tools.stroke_joining import stroke_luma
from tools.strokes import Stroke
from tools.types import Box, Panel, Word

_ENDS = 4.0  # px by which a shared rule may miss the sides
_LIKE = 40.0  # luma steps between a shared rule and the frame
_LEAST = 24.0  # px: the smaller side of a plot
_OFF = 0.12  # of a step between labels: how far they stand off one scale

Label = tuple[float, float]  # pixel along the side, value


def abutting(box: Box, outline: Outline, words: Sequence[Word]) -> list[Box]:
    """The plots that a frame holds, row by row; the box alone where it is one plot. All boxes in figure pixels."""
    rows = _spans(box.y0, box.y1, _shared(outline.horizontal, box, upright=False), _labels(box, words, upright=True))
    cuts = _shared(outline.vertical, box, upright=True)
    labels = _labels(box, words, upright=False) if cuts else []
    every, columns = [box.x0, *cuts, box.x1], _spans(box.x0, box.x1, cuts, labels)
    titled = _titled(every, box, words)
    if titled or (len(columns) == 1 and _repeats(every, labels)):
        columns = list(pairwise(every))
    if len(columns) > 1 and not titled and _named_below(columns, box, words):
        columns = [(box.x0, box.x1)]
    return [Box(x0, y0, x1, y1) for y0, y1 in rows for x0, x1 in columns]


def outline_of(box: Box, strokes: Sequence[Stroke]) -> Outline:
    """A box with the strokes that run along or in it, cut to it."""
    found: dict[str, list[Stroke]] = {"horizontal": [], "vertical": []}
    for one in strokes:
        across, along = ((box.y0, box.y1), (box.x0, box.x1))[:: 1 if one.direction == "horizontal" else -1]
        if across[0] - _ENDS < one.position < across[1] + _ENDS and one.end > along[0] and one.start < along[1]:
            found[one.direction].append(replace(one, start=max(one.start, along[0]), end=min(one.end, along[1])))
    return Outline(box, tuple(found["horizontal"]), tuple(found["vertical"]))


def _repeats(ends: Sequence[float], labels: Sequence[Label]) -> bool:
    """Whether rules part a row evenly and every part has a label of the same value at the same place, none of it being
    that of the rules: labels at the ends of neighbours run into each other and can't be read."""
    sizes = np.diff(ends)
    parts = [[(at - start, value) for at, value in labels if start < at < end] for start, end in pairwise(ends)]
    if len(parts) < 2 or float(np.ptp(sizes)) > _ENDS or not all(parts):
        return False
    return any(
        0.1 < at / sizes[0] < 0.9 and all(any(value == v and abs(at - a) <= _ENDS for a, v in part) for part in parts)
        for at, value in parts[0]
    )


def _titled(ends: Sequence[float], box: Box, words: Sequence[Word]) -> bool:
    """Whether rules part a row evenly and one line of words right above it, with letters, titles every part: years and
    their months, which may stand over one axis, are told by digits or by narrow parts."""
    sizes = np.diff(ends)
    if len(sizes) < 2 or float(np.ptp(sizes)) > _ENDS or sizes[0] < 0.25 * box.height or sizes[0] < 2 * _LEAST:
        return False
    over = [w.box for w in words if abs(w.angle) < 5 and 0 <= box.y0 - w.box.y1 < 1.5 * w.box.height
            and any(letter.isalpha() for letter in w.text)]  # fmt: skip
    parts = [[at for at in over if a < at.centre[0] < b] for a, b in pairwise(ends)]
    middles = [(min(at.x0 for at in part) + max(at.x1 for at in part)) / 2 for part in parts if part]
    centred = [abs(at - (a + b) / 2) < 0.1 * (b - a) for at, (a, b) in zip(middles, pairwise(ends), strict=False)]
    return all(parts) and all(centred) and not any(at.x0 < cut < at.x1 for at in over for cut in ends[1:-1])


def _named_below(columns: Sequence[tuple[float, float]], box: Box, words: Sequence[Word]) -> bool:
    """Whether one line of words below the plot names every part: the years of one axis over its months."""
    lower = [word for word in words if word.box.y0 > box.y1 and abs(word.angle) < 5]
    for one in lower:
        line = [word.box for word in lower if abs(word.box.centre[1] - one.box.centre[1]) < 0.5 * one.box.height]
        middles = [sum(abs(at.centre[0] - (a + b) / 2) < 0.15 * (b - a) for at in line) for a, b in columns]
        if len(line) == len(columns) and all(middles) and not _labels_of(line, box):
            return True
    return False


def _labels_of(line: Sequence[Box], box: Box) -> bool:
    """Whether the line is the first below the plot: its tick labels."""
    return min(at.y0 for at in line) - box.y1 < 1.2 * float(np.median([at.height for at in line]))


def _shared(strokes: Sequence[Stroke], box: Box, upright: bool) -> list[float]:
    """Places of the rules inside the box that run from side to side in the tone of the frame."""
    across, along = ((box.y0, box.y1), (box.x0, box.x1)) if upright else ((box.x0, box.x1), (box.y0, box.y1))
    frame = [stroke_luma(s) for s in strokes if min(abs(s.position - end) for end in along) <= _ENDS]
    if not frame:
        return []
    tone = float(np.median(frame))
    return sorted(
        s.position for s in strokes
        if along[0] + _LEAST < s.position < along[1] - _LEAST and abs(stroke_luma(s) - tone) <= _LIKE
        and s.start <= across[0] + _ENDS and s.end >= across[1] - _ENDS
    )  # fmt: skip


def _labels(box: Box, words: Sequence[Word], upright: bool) -> list[Label]:
    """Pixel and value of the numbers right beside the left side of the box (`upright`), or below it, in order."""
    near = [word for word in words if _beside(word.box, box, upright) and abs(word.angle) < 5]
    if not near:
        return []
    edge = float(np.median([word.box.x1 if upright else word.box.y0 for word in near]))
    slack = float(np.median([word.box.height for word in near]))
    near = [word for word in near if abs((word.box.x1 if upright else word.box.y0) - edge) <= slack]
    near.sort(key=lambda word: word.box.centre[1 if upright else 0])  # a ladder is read in its order
    read = zip(near, parse_ladder([word.text for word in near]), strict=True)
    found = [(word.box.centre[1 if upright else 0], one.value) for word, one in read if isinstance(one, Quantity)]
    return sorted(found)


def _beside(label: Box, box: Box, upright: bool) -> bool:
    x, y = label.centre
    reach = 20 + 2 * label.height
    if upright:
        return -3 < box.x0 - label.x1 < reach and box.y0 - label.height <= y <= box.y1 + label.height
    return -3 < label.y0 - box.y1 < reach and box.x0 - label.width <= x <= box.x1 + label.width


def _spans(low: float, high: float, cuts: Sequence[float], labels: Sequence[Label]) -> list[tuple[float, float]]:
    """Start and end of every plot along one direction: cut at each rule over which the labels do not run on."""
    ends = [low, *cuts, high]
    parts = [[one for one in labels if a <= one[0] < b] for a, b in pairwise([-np.inf, *cuts, np.inf])]
    spans, run = [(ends[0], ends[1])], list(parts[0])
    for number, ((start, end), part) in enumerate(zip(pairwise(ends[1:]), parts[1:], strict=True), 1):
        if _begins_anew(run, _run_on(parts[number:])):
            spans.append((start, end))
            run = list(part)
        else:
            spans[-1] = (spans[-1][0], end)
            run += part
    return spans


def _run_on(parts: Sequence[Sequence[Label]]) -> list[Label]:
    """The labels of the first part, with those of the next ones over whose rules (at zero, say) one scale runs on."""
    run = list(parts[0])
    for part in parts[1:]:
        if len(run) + len(part) > 1 and not _on_one_scale([*run, *part]):
            break
        run += part
    return run


def _begins_anew(run: Sequence[Label], part: Sequence[Label]) -> bool:
    """Whether labels on both sides of a rule are scales of one direction that are no part of one scale: values go back
    at the rule, or three labels on each side say so (of two and two one may be misread)."""
    if not (_on_one_scale(run) and _on_one_scale(part)) or _on_one_scale([*run, *part]):
        return False
    way = np.sign(run[-1][1] - run[0][1])
    back = (part[0][1] - run[-1][1]) * way <= 0 and max(len(run), len(part)) > 2
    return bool((part[-1][1] - part[0][1]) * way > 0 and (back or min(len(run), len(part)) > 2))


def _on_one_scale(labels: Sequence[Label]) -> bool:
    """Whether two or more labels rise or fall evenly: in proportion to their places, or by one factor."""
    if len(labels) < 2:
        return False
    at, values = np.array(labels).T
    linear = [values] + ([np.log10(values)] if (values > 0).all() else [])
    return any(_straight(at, one) for one in linear)


def _straight(at: np.ndarray, values: np.ndarray) -> bool:
    """Whether values lie on a line over their places, up to a small share of the step between neighbours."""
    steps = np.abs(np.diff(values))
    if not steps.min() > 0:
        return False
    off = values - np.polyval(np.polyfit(at, values, 1), at)
    return bool(np.abs(off).max() <= _OFF * steps.min())


def lend_labels(panels: Sequence[Panel], words: Sequence[Word]) -> list[Word]:
    """The words, with those below plots that touch in a row completed: labels of neighbours that were printed over
    each other at the shared side are left out, and each plot gets those that another one shows at the same place.

    Only where the plots are equally wide and every two labels at one place agree.
    """
    done = list(words)
    for row in _rows(panels):
        lost = [word for word in done if any(_over(word, plot.x1, plot) for plot in row[:-1])]
        kept = [[word for word in done if word not in lost and _under(word, plot)] for plot in row]
        lent: dict[str, tuple[float, Word]] = {}
        agree = True
        for plot, own in zip(row, kept, strict=True):
            for word in own:
                at = word.box.centre[0] - plot.x0
                near = [text for text, (other, _) in lent.items() if abs(other - at) <= 0.5 * word.box.width]
                agree = agree and near in ([], [word.text]) and abs(lent.get(word.text, (at, word))[0] - at) <= _ENDS
                lent[word.text] = at, word
        if not lost or not agree or len(lent) < 2:
            continue
        done = [word for word in done if word not in lost]
        for plot, own in zip(row, kept, strict=True):
            texts = {word.text for word in own}
            done += [_placed(word, plot.x0 + at) for text, (at, word) in lent.items() if text not in texts]
    return done


def _rows(panels: Sequence[Panel]) -> list[list[Box]]:
    """The plots that touch side by side and are equally large, two or more."""
    rows: list[list[Box]] = []
    for plot in sorted((one.plot for one in panels), key=lambda plot: (plot.y0, plot.x0)):
        last = rows[-1][-1] if rows else None
        touch = last is not None and abs(last.x1 - plot.x0) <= 2 and abs(last.y1 - plot.y1) <= 2
        if last is not None and touch and abs(last.width - plot.width) <= _ENDS:
            rows[-1].append(plot)
        else:
            rows.append([plot])
    return [row for row in rows if len(row) > 1]


def _under(word: Word, plot: Box) -> bool:
    """Whether a number stands right below the plot, between its sides."""
    return _below(word, plot) and plot.x0 - 2 < word.box.centre[0] < plot.x1 + 2


def _over(word: Word, side: float, plot: Box) -> bool:
    """Whether a number below the plot lies over its right side."""
    return _below(word, plot) and word.box.x0 < side - 2 and word.box.x1 > side + 2


def _below(word: Word, plot: Box) -> bool:
    near = -3 < word.box.y0 - plot.y1 < 1.2 * word.box.height + 4 and abs(word.angle) < 5
    return near and any(sign.isdigit() for sign in word.text)


def _placed(word: Word, x: float) -> Word:
    box = word.box
    left = x - box.width / 2
    return replace(word, box=Box(left, box.y0, left + box.width, box.y1))
