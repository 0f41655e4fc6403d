"""A second look at the places where a calibrated axis must carry a label that was not read.

Once most labels of an axis agree on a scale, it is known where the others stand and what they say. The ink there is
read once more on its own: zeros in the corner that were seen as one word with their neighbour, lone digits, labels
that touch a curve. A label is only taken if it says what the scale says.
Not handled here: dates, categories, turned or slanted labels, figures whose text is not read from pixels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from tools.ladders import HORIZONTAL, Ladder, place
from tools.numbers import Quantity, parse_ladder
from tools.ocr import read_lines
from tools.text_lines import turned
from tools.types import Anchor, Axis, Box, Floats, Image, Word

OVALS = ("0", "O", "o", "D", "Q", "()", "U")  # what a lone zero is read as
MOST = 12  # places that are looked at on one axis
DOUBTFUL = 0.6  # mean character probability: the scale says the same


@dataclass(frozen=True)
class _Place:
    """Where a label must stand: its value, its box, and the word that would be expected there."""

    value: float
    box: Box


def overlooked(pixels: Image, axis: Axis, ladder: Ladder, low: float, high: float) -> list[Word]:
    """Labels between the pixels `low` and `high` of an axis that were not read at first; empty if there are none.

    pixels: (H, W, 3) uint8 RGB of the figure. The boxes of the words are the tight ink boxes in the same frame.
    """
    upright = all(label.slant == 0 for label in ladder.labels)
    firm = [anchor for anchor in axis.anchors if anchor.box is not None]
    if axis.scale not in ("linear", "log") or len(firm) < 3 or not upright:
        return []
    spots = list(islice(_places(axis, firm, low, high), MOST))
    lines = [turned(pixels, np.array(s.box.centre), s.box.width + 1, s.box.height + 1, 0.0) for s in spots]
    texts = [anchor.text for anchor in firm]
    found = []
    for spot, words in zip(spots, read_lines(lines), strict=True):
        word = next((one for one in words if _says(one, spot.value, texts)), None)
        if word is not None and word.box.overlaps(spot.box):
            zero = spot.value == 0 and word.text in OVALS
            found.append(replace(word, text="0" if zero else word.text, confidence=max(word.confidence, DOUBTFUL)))
    return found


def _places(axis: Axis, anchors: Sequence[Anchor], low: float, high: float) -> Iterator[_Place]:
    """The places of labels at the steps of those read, where none is."""
    units = np.array([np.log10(one.value) if axis.scale == "log" else one.value for one in anchors])
    order = np.argsort(units)
    step = _step(units[order])
    if step is None or step <= 0:
        return
    pixels = np.array([anchor.pixel for anchor in anchors])
    ends = sorted(axis.slope * px + axis.intercept for px in (low - 1.5, high + 1.5))
    first = units[order[0]]
    numbers = np.arange(np.ceil((ends[0] - first) / step), np.floor((ends[1] - first) / step) + 1)
    for number in numbers[:60]:
        unit = float(first + number * step)
        unit = 0.0 if abs(unit) < 1e-9 * abs(step) else unit
        pixel = (unit - axis.intercept) / axis.slope
        if np.min(np.abs(pixels - pixel)) > 0.3 * abs(step / axis.slope):
            yield _Place(10.0**unit if axis.scale == "log" else unit, _box(axis, anchors, pixel, step))


def _step(units: Floats) -> float | None:
    """The step of which all differences are multiples, None where there is none."""
    gaps = np.diff(units)
    step = float(gaps.min())
    multiples = gaps / step if step > 0 else gaps
    return step if step > 0 and np.all(np.abs(multiples - np.round(multiples)) < 0.02) else None


def _box(axis: Axis, anchors: Sequence[Anchor], pixel: float, step: float) -> Box:
    """Where the text of a label at this pixel stands, judged by the others."""
    boxes = [anchor.box for anchor in anchors if anchor.box is not None]
    width, height = max(box.width for box in boxes), float(np.median([box.height for box in boxes]))
    if axis.side in HORIZONTAL:
        off = float(np.median([box.centre[0] - one.pixel for box, one in zip(boxes, anchors, strict=True)]))
        half = min(width / 2 + 1, 0.5 * abs(step / axis.slope) - 2)
        top = float(np.median([box.y0 for box in boxes]))
        return Box(pixel + off - half, top, pixel + off + half, top + height)
    off = float(np.median([box.centre[1] - one.pixel for box, one in zip(boxes, anchors, strict=True)]))
    right, left = max(box.x1 for box in boxes), min(box.x0 for box in boxes)
    if axis.side == "left":  # a few labels may have been read with a piece of the frame
        right = float(np.quantile([box.x1 for box in boxes], 0.25))
    return Box(left, pixel + off - height / 2, right, pixel + off + height / 2)


def _says(word: Word, value: float, others: Sequence[str]) -> bool:
    """Whether a word, read among the other labels, names this value."""
    if word.text in OVALS and value == 0:
        return True
    if word.confidence < DOUBTFUL:
        return False
    read = parse_ladder([*others, word.text])[-1]
    return isinstance(read, Quantity) and abs(read.value - value) <= 1e-6 * max(abs(value), abs(read.value))


def with_words(ladder: Ladder, words: Sequence[Word], plot: Box) -> Ladder:
    """The ladder with these words as labels, in place of what was read where they stand."""
    added = [place(word, plot, ladder.side) for word in words]
    kept = [one for one in ladder.labels if not any(one.box.overlaps(label.box) for label in added)]
    labels = tuple(sorted([*kept, *added], key=lambda label: label.middle))
    return Ladder(ladder.side, labels, ladder.near, ladder.far, ladder.below)
