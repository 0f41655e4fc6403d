"""Labels that were found in two pieces, made one: a number whose middle was overlooked, a day and its month.

The recogniser reads the whole place once more; it must say what both pieces said. Two labels that only stand close to
each other stay two, as the reading of the whole shows them apart.
Not handled here: names broken at their spaces (`ladders` joins those of one line), turned text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from tools.dates import is_month
from tools.numbers import parse_number
from tools.text_lines import Line, turned
from tools.types import Image, Word

_WIDEST = 1.6  # of the text height: between the pieces of one number, of which one glyph may be missing
_SPACE = 1.4  # of the text height: between a day and its month
_TAIL = re.compile(r"\d?[eE][+-]?\d{1,2}|\+\d{1,2}|[.,]\d+|\d?%")  # what is no label of its own
_HEAD = re.compile(r"[-+]?[\d.,]+")
_DAY = re.compile(r"\d{1,2}")

Reader = Callable[[Sequence[Line]], list[list[Word]]]


def with_joins(pixels: Image, words: Sequence[Word], read: Reader) -> list[Word]:
    """The words of a figure, pieces of one label replaced by the whole. `read` recognises lines (`ocr.read_lines`)."""
    left = list(words)
    broken = list(_pairs(words, _WIDEST, _is_number))
    lines = [turned(pixels, np.array(a.box.union(b.box).centre), *_size(a, b), 0.0) for a, b in broken]
    for (a, b), found in zip(broken, read(lines) if lines else [], strict=True):
        if len(found) == 1 and _says_both(found[0].text, a.text, b.text) and a in left and b in left:
            left[left.index(a)] = replace(found[0], box=a.box.union(b.box))
            left.remove(b)
    whole = [word for word in left if _is_day_and_month(word.text)]
    for a, b in _pairs(left, _SPACE, lambda a, b: _is_day_and_month(f"{a} {b}")):
        if a in left and b in left and any(_level(a, word) for word in whole):
            left[left.index(a)] = replace(a, text=f"{a.text} {b.text}", box=a.box.union(b.box))
            left.remove(b)
    return left


def _pairs(words: Sequence[Word], widest: float, fits: Callable[[str, str], bool]) -> Iterator[tuple[Word, Word]]:
    """Upright words, the second right after the first, whose texts fit together."""
    for a in words:
        for b in words:
            follows = -1 < b.box.x0 - a.box.x1 < widest * (max(a.box.height, b.box.height) + 1)
            if follows and a.angle == b.angle == 0 and fits(a.text, b.text) and _level(a, b):
                yield a, b


def _level(a: Word, b: Word) -> bool:
    shared = min(a.box.y1, b.box.y1) - max(a.box.y0, b.box.y0) + 1
    return shared > 0.7 * (min(a.box.height, b.box.height) + 1) and a.box.height < 2 * b.box.height < 4 * a.box.height


def _size(a: Word, b: Word) -> tuple[float, float]:
    box = a.box.union(b.box)
    return box.width + 3, box.height + 3


def _is_number(head: str, tail: str) -> bool:
    return bool(_HEAD.fullmatch(head) and _TAIL.fullmatch(tail))


def _says_both(text: str, head: str, tail: str) -> bool:
    """Whether the reading of the whole is a number that begins and ends as its pieces do."""
    plain = text.replace(" ", "")
    return bool(parse_number(plain)) and plain.startswith(head.rstrip(".,")) and plain.endswith(tail[-2:])


def _is_day_and_month(text: str) -> bool:
    first, _, second = text.partition(" ")
    days = [bool(_DAY.fullmatch(part)) for part in (first, second)]
    return any(days) and any(is_month(part) for part in (first, second))
