"""Ladders: rows and columns of labels along one side of a plot, in a frame that is the same for all four sides.

`along` runs with the pixels of the axis, `out` is the distance away from the plot. A label may be made of several
printed lines: a wrapped category name, or a year under the first of its months.
Not handled here: what labels mean (`readings`), where exactly they sit (`seating`), labels printed inside the plot.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tools.types import Box, Side, Word

DESCENDING = re.compile(r"[,;()gjpqyQ]")
THOUSANDS = re.compile(r"[-−–+]?[1-9]\d{0,2}(?: \d{3})*")  # digits parted in threes
TICK_READ = re.compile(r"([-−–+]?\d[\d.,]*[kMG%]?)[-−–_|lI1]")  # a number, and a tick mark right after it
NAME_AND_TICK = re.compile(r"(.*[^\W\d_])\s?[-−–_]")  # the same of a name
HORIZONTAL: tuple[Side, ...] = ("bottom", "top")


@dataclass(frozen=True)
class Label:
    """One printed label. `start`, `end`: its extent along the axis; `near`, `far`: its distances from the plot.

    `size` is its text height in pixels, `slant` its turn against the reading direction in degrees (-90 to 90).
    """

    text: str
    box: Box
    start: float
    end: float
    near: float
    far: float
    size: float
    slant: float
    confidence: float = 1.0

    @property
    def middle(self) -> float:
        return (self.start + self.end) / 2


@dataclass(frozen=True)
class Ladder:
    """Labels of one row or column, sorted along the axis, and the extent that they take away from the plot."""

    side: Side
    labels: tuple[Label, ...]
    near: float = 0.0
    far: float = 0.0
    below: tuple[Label, ...] = field(default=())

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(label.text for label in self.labels)

    @property
    def size(self) -> float:
        return float(np.median([label.size for label in self.labels]))

    @property
    def slanted(self) -> bool:
        return abs(float(np.median([label.slant for label in self.labels]))) not in (0.0, 90.0)


def place(word: Word, plot: Box, side: Side) -> Label:
    """The word in the frame of this side of the plot."""
    box = word.box
    start, end = (box.x0, box.x1) if side in HORIZONTAL else (box.y0, box.y1)
    near, far = {
        "bottom": (box.y0 - plot.y1, box.y1 - plot.y1),
        "top": (plot.y0 - box.y1, plot.y0 - box.y0),
        "left": (plot.x0 - box.x1, plot.x0 - box.x0),
        "right": (box.x0 - plot.x1, box.x1 - plot.x1),
    }[side]
    slant = (word.angle + 90) % 180 - 90  # a text turned by 180 degrees has the same line
    slant = 0.0 if len(word.text.strip()) == 1 else slant  # the turn of one glyph can't be told
    slant = 90.0 if abs(abs(slant) - 90) < 12 else 0.0 if abs(slant) < 12 else slant
    return Label(word.text.strip(), box, start, end, near, far, _text_height(box, slant), slant, word.confidence)


def _text_height(box: Box, slant: float) -> float:
    """Height of the line of text. The box of a slanted text of length L and height h is L cos + h sin wide and
    L sin + h cos high; near 45 degrees the two can't be told apart, so h is then taken as a small share."""
    width, height = box.width + 1, box.height + 1
    if slant == 0.0:
        return height
    if slant == 90.0:
        return width
    cos, sin = abs(math.cos(math.radians(slant))), abs(math.sin(math.radians(slant)))
    if abs(cos - sin) < 0.3:
        return max(6.0, 0.25 * min(width, height))
    return max(6.0, min((height * cos - width * sin) / (cos**2 - sin**2), 0.6 * min(width, height)))


def find_ladders(plot: Box, words: Sequence[Word], side: Side, others: Sequence[Box] = ()) -> tuple[Ladder, ...]:
    """Rows (bottom, top) or columns (left, right) of words beside `plot`, nearest first; empty if there are none.

    Words inside the plot, beyond its ends or inside `others` (the plot areas of other panels) are left out, as are
    words behind such a panel.
    """
    extent = plot.width if side in HORIZONTAL else plot.height
    low = plot.x0 if side in HORIZONTAL else plot.y0
    slack = max(6.0, 0.02 * extent)
    wall = min((gap for other in others if (gap := _gap(plot, other, side)) is not None), default=math.inf)
    labels = []
    for word in words:
        label = place(word, plot, side)
        inside = any(other.contains(*word.box.centre) for other in others)
        straddles = label.near < -0.25 * label.size or label.near + label.far < 0.5 * label.size
        if inside or not label.text or straddles or label.near > min(wall, 0.6 * extent + 60):
            continue
        if low - slack <= _along_tick(label, side) <= low + extent + slack:
            labels.append(label)
    return _rows(labels, side)


def _along_tick(label: Label, side: Side) -> float:
    return ends(label, side)[1] if label.slant not in (0.0, 90.0) else label.middle


def _gap(plot: Box, other: Box, side: Side) -> float | None:
    """Distance to another panel that stands right beside this side, None if it does not."""
    if side in HORIZONTAL:
        facing = min(plot.x1, other.x1) - max(plot.x0, other.x0) > 0.2 * min(plot.width, other.width)
        gap = other.y0 - plot.y1 if side == "bottom" else plot.y0 - other.y1
    else:
        facing = min(plot.y1, other.y1) - max(plot.y0, other.y0) > 0.2 * min(plot.height, other.height)
        gap = other.x0 - plot.x1 if side == "right" else plot.x0 - other.x1
    return gap if facing and gap > 0 else None


def _rows(labels: list[Label], side: Side) -> tuple[Ladder, ...]:
    """Labels gathered into rows: each starts at the nearest label left and takes those that it overlaps outwards."""
    rest = sorted(labels, key=lambda label: label.near)
    rows: list[Ladder] = []
    while rest:
        seed = rest[0]
        near, far = seed.near, seed.far
        row = [label for label in rest if _same_row(label, seed, near, far)]
        if side not in HORIZONTAL and seed.slant == 0.0:  # a column of words of many lengths
            near, far = min(label.near for label in row), max(label.far for label in row)
            row = [label for label in rest if _same_row(label, seed, near, far)]
            row += [label for label in rest if label not in row and any(_in_line(label, one) for one in row)]
        rest = [label for label in rest if label not in row]
        row = _levelled(_without_ticks(_whole(row, side), side), side)
        row.sort(key=lambda label: label.middle)
        if _are_ticks(row):
            continue
        rows.append(Ladder(side, tuple(row), min(one.near for one in row), max(one.far for one in row)))
    return tuple(rows)


def _are_ticks(row: Sequence[Label]) -> bool:
    """Whether a row holds one and the same upright stroke over and over: tick marks read as letters or digits."""
    return len(row) > 1 and len({label.text for label in row}) == 1 and row[0].text in "1Il|iTLFr"


def _without_ticks(row: list[Label], side: Side) -> list[Label]:
    """A column left of a plot without the tick marks that were read with some of its labels, as a dash or a 1.

    Labels there end at one distance from the plot; one that stands out towards it, and ends so, has such a mark.
    """
    ends_at = np.array([label.box.x1 for label in row if label.slant == 0.0])
    if side != "left" or len(ends_at) < 3:
        return row
    size = float(np.median([label.size for label in row]))
    usual = [float(at) for at in ends_at if (np.abs(ends_at - at) <= 1.5).sum() >= 2]

    def cut(label: Label) -> Label:
        number = TICK_READ.fullmatch(label.text)
        ends, least = (number, 0.5 * min(size, 12.0)) if number else (NAME_AND_TICK.fullmatch(label.text), 2.0)
        out = min((label.box.x1 - at for at in usual if label.box.x1 - at > least), default=0.0)
        if ends is None or label.slant != 0.0 or not out or len(usual) < 2:
            return label
        return replace(label, text=ends[1], box=replace(label.box, x1=label.box.x1 - out), near=label.near + out)

    return [cut(label) for label in row]


def _whole(row: list[Label], side: Side) -> list[Label]:
    """Pieces of one upright text ("Sep" over "25" turned by 90 degrees), joined in reading order.

    Texts are turned counter-clockwise as a rule: they read from far to near below a plot, from near to far above it.
    """
    if side not in HORIZONTAL and row and row[0].slant == 0.0:
        return _in_lines(row)
    if side not in HORIZONTAL or not row or row[0].slant != 90.0:
        return row
    row = sorted(row, key=lambda label: -label.far if side == "bottom" else label.near)

    def follows(label: Label, other: Label) -> bool:
        apart = max(label.near, other.near) - min(label.far, other.far)
        return abs(label.middle - other.middle) < 0.5 * label.size and -1 < apart < 1.2 * label.size

    return _merged(row, lambda other, label: _one(other, label) if follows(label, other) else None)


def _in_lines(row: list[Label]) -> list[Label]:
    """Words of a column with those made one that stand in one line ("No." before "457"): fixed fonts have wide spaces.
    Two numbers in one line are no name, unless the second is the rest of the first ("-1" before "000"). What stands
    in the line of a single one, far before it, is a name of a legend beside the plot."""
    wide = [
        (left, right) for left in row for right in row
        if _in_line(left, right) and right.box.x0 - left.box.x1 > 1.2 * min(left.size, right.size)
    ]  # fmt: skip
    if len(wide) == 1 and len(row) > 5:
        row = [one for one in row if one is not wide[0][0]]

    def join(other: Label, label: Label) -> Label | None:
        if not _in_line(other, label):
            return None
        return replace(_one(other, label), start=min(other.start, label.start), end=max(other.end, label.end))

    return _merged(sorted(row, key=lambda one: one.box.x0), join)


def _merged(row: Sequence[Label], join: Callable[[Label, Label], Label | None]) -> list[Label]:
    """The labels, each made one with the first label before it that `join` takes it to."""
    done: list[Label] = []
    for label in row:
        for i, other in enumerate(done):
            if (whole := join(other, label)) is not None:
                done[i] = whole
                break
        else:
            done.append(label)
    return done


def _one(first: Label, second: Label) -> Label:
    """Two pieces of a text as one, where along the axis the first one stands."""
    return replace(
        first, text=f"{first.text} {second.text}", box=first.box.union(second.box),
        near=min(first.near, second.near), far=max(first.far, second.far),
    )  # fmt: skip


def _in_line(left: Label, right: Label) -> bool:
    """Whether two upright words of a column follow each other in one line, the second right after the first."""
    size = min(left.size, right.size)
    level = min(left.end, right.end) - max(left.start, right.start) > 0.6 * size
    named = any(c.isalpha() for c in left.text + right.text)
    thousands = THOUSANDS.fullmatch(f"{left.text} {right.text}") is not None
    widest = 2.8 * size if named else 1.4 * size if thousands else 0.0
    return level and right.slant == left.slant == 0.0 and -1 < right.box.x0 - left.box.x1 < widest


def _levelled(row: list[Label], side: Side) -> list[Label]:
    """Labels with a comma or a descender end lower than plain ones: their extent is cut to the height of those, so
    that middles compare. Only where the axis runs along the height of the text."""
    if not row or row[0].slant != (90.0 if side in HORIZONTAL else 0.0):
        return row
    plain = [label.size for label in row if not DESCENDING.search(label.text)]
    if not plain or len(plain) == len(row):
        return row
    height = float(np.median(plain)) - 1
    return [replace(one, end=min(one.end, one.start + height)) if DESCENDING.search(one.text) else one for one in row]


def _same_row(label: Label, seed: Label, near: float, far: float) -> bool:
    if abs(label.slant - seed.slant) > 20 and not _tiny(label):
        return False
    if seed.slant not in (0.0, 90.0):  # slanted: texts of many lengths that start at one distance
        return abs(label.near - seed.near) < max(8.0, 1.2 * seed.size)
    shared = min(label.far, far) - max(label.near, near)
    return shared >= 0.5 * min(label.far - label.near, far - near) or abs(label.near - near) < 0.5 * seed.size


def _tiny(label: Label) -> bool:
    """One or two glyphs: their turn can't be told."""
    return len(label.text) <= 2 and label.box.width < 3 * label.size


def ends(label: Label, side: Side) -> tuple[float, float, float]:
    """Where along the axis the label's tick may be: at its middle, at the end of the text nearest the plot, and at
    the other end. For a slanted text the middle of the end's edge is meant, half a text height inside the box."""
    if label.slant in (0.0, 90.0):
        return label.middle, label.middle, label.middle
    inset = label.size / 2 * abs(math.sin(math.radians(label.slant)))
    first, last = label.start + inset, label.end - inset
    # turned counter-clockwise, a text rises to the right: its right end is the upper one
    last_is_near = (label.slant > 0) == (side == "bottom") if side in HORIZONTAL else label.slant > 0
    return (label.middle, last, first) if last_is_near else (label.middle, first, last)


def join_lines(ladders: Sequence[Ladder], plot: Box) -> Ladder:
    """The first ladder, with the labels of the next rows that stand right under one of its labels joined to it.

    That is how wrapped category names ("Public" over "Transport") and years under months are printed. A row further
    than a line spacing away, or a lone text in the middle of the axis, is not part of the labels but a title.
    """
    first = ladders[0]
    if first.side not in HORIZONTAL or first.slanted or first.labels[0].slant == 90.0:
        return first
    columns = [[label] for label in first.labels]
    far, used = first.far, list[Label]()
    for row in ladders[1:3]:
        if row.near - far > 0.75 * first.size or row.slanted or _is_title(row, first, plot):
            break
        owners = [_owner(label, first) for label in row.labels]
        if any(owner is None for owner in owners):
            break
        for owner, label in zip(owners, row.labels, strict=True):
            if owner is not None:
                columns[owner].append(label)
                used.append(label)
        far = row.far
    labels = tuple(_joined(column) for column in columns)
    return Ladder(first.side, labels, first.near, far, tuple(used))


def _is_title(row: Ladder, first: Ladder, plot: Box) -> bool:
    """True for one text that stands in the middle of the plot or is too wide for the slot of one label.

    A month or a year under dense days may be wider than a slot.
    """
    if len(row.labels) > 1 or len(first.labels) < 2:
        return False
    text = row.labels[0]
    slot = float(np.median(np.diff([label.middle for label in first.labels])))
    wide = text.end - text.start > 0.95 * slot and not re.fullmatch(r"[A-Za-z]{3,4}\.?|\d{4}", text.text)
    return wide or abs(text.middle - plot.centre[0]) < 0.02 * plot.width


def _owner(label: Label, first: Ladder) -> int | None:
    """The label of the first row that this one continues: they share their middle or their start."""
    distances = [abs(label.middle - one.middle) for one in first.labels]
    best = int(np.argmin(distances))
    one = first.labels[best]
    aligned = distances[best] <= max(0.6 * label.size, 0.12 * (one.end - one.start))
    return best if aligned or abs(label.start - one.start) <= 0.3 * label.size else None


def _joined(column: Sequence[Label]) -> Label:
    head = column[0]
    if len(column) == 1:
        return head
    box = head.box
    for label in column[1:]:
        box = box.union(label.box)
    text = " ".join(label.text for label in column)
    return Label(text, box, head.start, head.end, head.near, column[-1].far, head.size, head.slant, head.confidence)
