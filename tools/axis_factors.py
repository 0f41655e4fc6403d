"""Factors of an axis ("1e6", "x10^4"): the word at its end by which all its tick labels are multiplied.

A factor that no axis of its panel takes is a doubt about all of them: the axis it belongs to is wrong by powers of ten.
Not handled here: factors in the title of an axis ("Cost (1000 EUR)"), which belong to its name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tools.ladders import HORIZONTAL, Label, place
from tools.numbers import parse_number, parse_offset
from tools.types import Axis, Box, Panel, Side, Unreadable, Word

STUBS = "_|'`.,~"  # what the end of a spine or a grid line looks like, before a word
APART = 4.0  # text heights: a factor that far off a plot may still be its own


def scaled(axis: Axis, plot: Box, words: Sequence[Word], reach: float) -> Axis:
    """The axis times the factor printed at its end; `reach`: how far from the plot its labels extend, in pixels."""
    pixels, boxes = [anchor.pixel for anchor in axis.anchors], [anchor.box for anchor in axis.anchors]
    top = _topmost([box for box in boxes if box is not None], words) if axis.side == "left" else None
    offset = axis_offset(axis.side, plot, words, reach, pixels if top is None else [*pixels, top])
    if offset is None or axis.scale != "linear" or offset[1].box in boxes:
        return axis
    factor, word = offset
    anchors = tuple(replace(anchor, value=anchor.value * factor) for anchor in axis.anchors)
    return replace(
        axis, slope=axis.slope * factor, intercept=axis.intercept * factor, anchors=anchors,
        warnings=(*axis.warnings, _note(word)),
    )  # fmt: skip


def _topmost(boxes: Sequence[Box], words: Sequence[Word]) -> float | None:
    """The middle of the topmost number that goes on the column of labels in `boxes` upwards; None if none does.

    A plot without a frame may seem to end lower than its labels do.
    """
    column = sorted(boxes, key=lambda box: box.y0)
    if len(column) < 2:
        return None
    size, step = column[0].height + 1, column[1].centre[1] - column[0].centre[1]
    numbers = [word.box for word in words if not isinstance(parse_number(word.text), Unreadable)]
    last = column[0]
    while True:
        above = [
            box for box in numbers
            if abs(box.x1 - last.x1) < 0.5 * size and abs(last.centre[1] - step - box.centre[1]) < 0.3 * size
        ]  # fmt: skip
        if not above or step < size:
            return None if last is column[0] else last.centre[1]
        last = above[0]


def doubted(panels: Sequence[Panel], words: Sequence[Word]) -> tuple[Panel, ...]:
    """The panels, with doubts about the linear axes of each at whose corner a factor stands that none of them took."""
    done = list(panels)
    read = {anchor.box for panel in panels for axis in panel.axes for anchor in axis.anchors}
    for word in words:
        if word.box in read or _factor(word, words) is None:
            continue
        near = [i for i, panel in enumerate(done) if _at_corner(word, panel.plot)]
        if near and not any(_took(done[i], word) for i in near):
            nearest = min(near, key=lambda i: max(_away(word, done[i].plot)))
            done[nearest] = _doubted(done[nearest], word)
    return tuple(done)


def _took(panel: Panel, word: Word) -> bool:
    """Whether an axis of the panel is multiplied by such a factor."""
    return any(note == _note(word) for axis in panel.axes for note in axis.warnings)


def _note(word: Word) -> str:
    return f"values are multiplied by {word.text!r} printed at the end of the axis"


def _doubted(panel: Panel, word: Word) -> Panel:
    note = f"a factor {word.text!r} is printed near the plot and may belong to this axis"
    axes = tuple(
        replace(axis, confidence="low", warnings=(*axis.warnings, note)) if axis.scale == "linear" else axis
        for axis in panel.axes
    )
    return replace(panel, axes=axes)


def _away(word: Word, plot: Box) -> tuple[float, float]:
    """How far the middle of a word stands beside a plot and above or below it, in pixels; 0 within its extent."""
    x, y = word.box.centre
    return max(plot.x0 - x, x - plot.x1, 0.0), max(plot.y0 - y, y - plot.y1, 0.0)


def _at_corner(word: Word, plot: Box) -> bool:
    """Whether a word stands outside a plot, close to one of its four corners."""
    size = word.box.height + 1
    x, y = word.box.centre
    beside, level = min(abs(x - plot.x0), abs(x - plot.x1)), min(abs(y - plot.y0), abs(y - plot.y1))
    return beside < 6 * size and level < APART * size and max(_away(word, plot)) > 0


def _factor(word: Word, words: Sequence[Word]) -> float | None:
    """The factor that a word names, None if it is none; "E2" names a panel."""
    text = word.text.lstrip(STUBS)
    factor = Unreadable("a name") if re.fullmatch(r"E\d", text) else parse_offset(text)
    return None if isinstance(factor, Unreadable) or 0.05 < factor < 50 or _is_one_of_many(word, words) else factor


def axis_offset(
    side: Side, plot: Box, words: Sequence[Word], reach: float, ticks: Sequence[float] = ()
) -> tuple[float, Word] | None:
    """The factor printed at the end of an axis ("1e6", "x10^4") and its word; None if there is none.

    `reach`: how far from the plot the tick labels extend, in pixels. `ticks`: where on the axis they stand. A plot
    without a frame seems to end with what is drawn in it, but may reach as far up as the next tick would stand.
    """
    top, second = sorted(ticks)[:2] if len(ticks) > 1 else (plot.y0, plot.y0)
    beyond = max(0.0, plot.y0 - (2 * top - second)) if side == "left" else 0.0
    for word in words:
        factor = _factor(word, words)
        if factor is not None and _at_end(place(word, plot, side), side, plot, reach, beyond):
            return factor, word
    return None


def _is_one_of_many(word: Word, words: Sequence[Word]) -> bool:
    """Whether a bare power ("10^2", no "x10^2") stands among others: the labels of a log axis beside it, say."""
    bare = [other for other in words if other.text.startswith("10^")]
    return word.text.startswith("10^") and len(bare) > 1


def _at_end(label: Label, side: Side, plot: Box, reach: float, beyond: float) -> bool:
    """Above the top of a vertical axis, or at the right end of a horizontal one, beyond its labels.

    `beyond`: how much farther up one may stand whose edge is flush with the plot's side.
    """
    if side in HORIZONTAL:
        at_end = plot.x1 - 0.12 * plot.width < label.end and label.start < plot.x1 + label.size  # not the next panel's
        return at_end and label.near > 0 and label.far < reach + 3.5 * label.size
    above, flush = plot.y0 - label.end, abs(label.far) < label.size
    beside = label.far > -6 * label.size and label.near < reach + 10
    return beside and -0.3 * label.size < above < 2.5 * label.size + (beyond if flush else 0.0)
