"""Words of a figure: where text is printed, which way it runs, and what it says.

A text detector proposes places, the ink inside gives each line its tight upright crop, and a recogniser reads the
crops. Geometry decides what the recogniser cannot see: neighbouring labels are split at wide gaps, and a raised
exponent becomes `10^3`.

Not handled here: joining the lines of a wrapped label, correcting a text by its neighbours, handwriting, curved text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from tools.text_joins import with_joins
from tools.text_labels import labels, with_case, with_greek, with_spaces
from tools.text_lines import Line, exponent, pieces, turned, upright_lines
from tools.text_lone import Lone, is_column, lone_glyphs, may_be_marker, stacked
from tools.text_networks import recognise
from tools.text_places import find_places
from tools.types import Box, Image, Word

_STROKES = ("1", "l", "I", "i", "T", "L", "F", "r", "t")
_SMALL_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻°ºoOlI|'SZ~_", "0123456789-0000111152--")  # what a tiny digit looks like
_NARROW = frozenset("0123456789BEFHIJKLPRSTXYZbdfhijklrt")  # characters that are higher than wide in any font
_FRAME = re.compile(r"(?<=[0-9A-Za-z%])\|$|^\|(?=[0-9])(?!.*\|)")  # a piece of a frame beside a label
_ONE = re.compile(r"^[lI|](?=[eE][+-]?\d{1,3}$|0\^|0[⁰¹²³⁴⁵⁶⁷⁸⁹⁻])")  # of a power of ten
_TAIL = re.compile(r"Q\d+$")  # digits stand higher than the tail of a Q, and are no exponent
_SUPERSCRIPT = re.compile("[⁻-]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_READ_SCORE = 0.65  # mean character probability of a text worth keeping: labels reach 0.9, markers and dashes seldom
_ODD_SCORE = 0.78  # of a single character, or of slanted text
_DIGIT_SCORE = 0.6  # of a lone digit
_RING_SCORE = 0.4  # of a lone 0, O or o among numbers
_OVAL_SCORE = 0.15  # of one that is as narrow as a digit
_LETTER_SCORE = 0.9  # of a lone letter that a single neighbour suggests
_DOUBT = 0.85  # below this a line is looked at once more, with less paper around it
_SURE = 0.85  # of a reading that no other direction will beat


class _Part(NamedTuple):
    """A text of a line: its glyphs, and the boxes of base and exponent where it ends in an exponent."""

    line: Line
    glyphs: list[Box]
    power: tuple[Box, Box] | None


def read_words(pixels: Image) -> tuple[Word, ...]:
    """Every word or line of text of a figure.

    pixels: (H, W, 3) uint8 RGB. The boxes are the tight ink boxes in the same frame; of a slanted text, the upright
    box around it. Angles lie in [-90, 90], counter-clockwise. Text that is not recognised is left out. Dashes of all
    kinds are written '-', a raised exponent '^'.
    """
    light = np.ascontiguousarray(255 - pixels) if np.median(pixels) < 100 else pixels
    places = find_places(light)
    words = _without_stubs(_read([upright_lines(light, quad) for quad in places.lines]))
    words = [word for word in words if not is_column(word, places.glyphs)]
    words = [part for word in words for part in _unstacked(light, word, stacked(word, places.glyphs))]
    for _ in range(2):  # a character found may be the neighbour that proves the next one
        missed = _without_stubs(_read_missed(light, lone_glyphs(places.glyphs, words)), words)
        words = _without_parts([*words, *missed])
        if not missed:
            break
    return tuple(with_joins(light, _rejoined(words), read_lines))


def _unstacked(pixels: Image, word: Word, boxes: Sequence[Box]) -> list[Word]:
    """The characters under each other in `boxes` as words of their own, where each reads as one and not all as markers
    or strokes; else the word alone."""
    lines = [turned(pixels, np.array(b.centre), b.width + 1.5 * (b.height + 1), b.height + 3, 0.0) for b in boxes]
    found = [max(words, key=lambda w: w.confidence, default=None) for words in read_lines(lines)]
    read = [w for w in found if w and len(w.text) == 1 and w.text.isalnum() and w.confidence >= _ODD_SCORE]
    whole = len(read) == len(boxes) > 0 and not all(may_be_marker(w.text) for w in read)
    return read if whole else [word]


def _without_stubs(words: Sequence[Word], others: Sequence[Word] = ()) -> list[Word]:
    """Words without the tick marks that were read as a `1` or `l`: strokes much lower than the text around them."""
    level = [word for word in (*words, *others) if word.angle % 90 == 0 and len(word.text) > 1]
    sizes = [min(word.box.width, word.box.height) for word in level]
    usual = float(np.median(sizes)) if sizes else 0.0

    def stub(word: Word) -> bool:
        return word.text in _STROKES and max(word.box.width, word.box.height) < max(4.5, 0.65 * usual)

    return [word for word in words if not stub(word)]


def _read(places: Sequence[Iterator[Line]]) -> list[Word]:
    """The best reading of every place: one line, turned upright in one direction after another until it reads well."""
    best: list[list[Word]] = [[] for _ in places]
    left = list(range(len(places)))
    while left:
        lines = {i: line for i in left if (line := next(places[i], None)) is not None}
        for i, words in zip(lines, read_lines(list(lines.values())), strict=True):
            best[i] = max(best[i], words, key=_plausible)
        left = [i for i in lines if not _settled(best[i])]
    return _without_parts([word for words in best for word in words if _is_text(word)])


def _without_parts(words: Sequence[Word]) -> list[Word]:
    """Words that are no part of a longer one, such as an exponent that was also seen alone."""
    areas = [(word.box.width + 1) * (word.box.height + 1) for word in words]
    order = sorted(range(len(words)), key=lambda i: -areas[i])
    kept: list[int] = []
    for i in order:
        box = words[i].box
        inside = (
            other for other in kept if words[other].angle % 90 == 0 and words[other].box.contains(*box.centre, 1.0)
        )
        if not any(
            len(words[other].text) >= len(words[i].text) and _share(box, words[other].box) > 0.7 for other in inside
        ):
            kept.append(i)
    return [words[i] for i in sorted(kept)]


def _rejoined(words: Sequence[Word]) -> list[Word]:
    """Words with those made one that were seen as two overlapping parts: "15" and "50", one 5 in both, of "150"."""
    left = list(words)
    pairs = ((a, b, count) for a in words for b in words if (count := _common(a, b)))
    for a, b, count in pairs:
        if a in left and b in left:
            whole = replace(a, text=a.text + b.text[count:], box=_level_box(a.box, b.box))
            left[left.index(a)] = replace(whole, confidence=min(a.confidence, b.confidence))
            left.remove(b)
    return left


def _level_box(left: Box, right: Box) -> Box:
    """The box around two pieces of a line, as high as the lower one where the other holds more than the line."""
    flat, high = sorted((left, right), key=lambda box: box.height)
    both = left.union(right)
    return both if high.height <= 1.4 * flat.height else replace(both, y0=flat.y0, y1=flat.y1)


def _common(left: Word, right: Word) -> int:
    """How many characters at the end of one level word begin the other one and lie in the same place; 0 for others."""
    a, b = left.box, right.box
    rows = min(a.y1, b.y1) - max(a.y0, b.y0) + 1
    if left.angle or right.angle or rows < 0.8 * (min(a.height, b.height) + 1) or not a.x0 < b.x0 <= a.x1 < b.x1:
        return 0
    count = round((a.x1 - b.x0 + 1) / (b.width + 1) * len(right.text))
    alike = rows >= 0.8 * (max(a.height, b.height) + 1) and 0 < count < len(right.text)
    if alike and left.text[-count:] == right.text[:count]:
        return count
    return next((n for n in range(count + 3, 4, -1) if _ends_as(left.text, right.text, n)), 0)


def _ends_as(left: str, right: str, count: int) -> bool:
    """Whether one text ends as another begins, spaces apart: `count` characters of that one, but not all."""
    common = right[:count].replace(" ", "")
    return count < len(right) and len(common) > 4 and left.replace(" ", "").endswith(common)


def _share(box: Box, other: Box) -> float:
    """How much of a box lies in another one."""
    width = min(box.x1, other.x1) - max(box.x0, other.x0) + 1
    height = min(box.y1, other.y1) - max(box.y0, other.y0) + 1
    return max(0.0, width) * max(0.0, height) / ((box.width + 1) * (box.height + 1))


def read_lines(lines: Sequence[Line]) -> list[list[Word]]:
    """The texts of each line, however doubtful, in figure pixels."""
    parts = [[_Part(line, p, exponent(line, p)) for p in pieces(line)] for line in lines]
    texts: list[tuple[Line, list[Box]]] = []
    for part in (part for line in parts for part in line):
        texts += [(part.line, part.glyphs)]
        if part.power:
            texts += [(part.line, [part.power[0]]), (part.line, [part.power[1]])]
    found = recognise([line.cut(glyphs) for line, glyphs in texts])
    doubtful = [i for i, (_, score) in enumerate(found) if score < _DOUBT]
    for i, again in zip(doubtful, recognise([texts[i][0].cut(texts[i][1], 1) for i in doubtful]), strict=True):
        found[i] = max(found[i], again, key=lambda reading: reading[1])
    readings = iter(found)
    return [[word for part in line for word in _words(part, readings)] for line in parts]


def _read_missed(pixels: Image, lone: Sequence[Lone]) -> list[Word]:
    """Short numbers that the detector overlooked, where they stand in line with other numbers; and single letters."""
    lines = [turned(pixels, np.array(one.box.centre), *one.size, one.angle) for one in lone]
    found = zip(lone, read_lines(lines), strict=True)
    return [w for place, words in found for w in (_as_zero(w, place) for w in words) if _is_missed(w, place)]


def _as_zero(word: Word, place: Lone) -> Word:
    """A ring among numbers is a zero: the recogniser divides its confidence between 0, O and o. Rings as wide as high
    may be markers."""
    narrow = word.box.width + 1 < 0.85 * (word.box.height + 1)
    ring = place.proven and word.text in ("0", "O", "o") and word.confidence >= (_OVAL_SCORE if narrow else _RING_SCORE)
    return replace(word, text="0", confidence=max(word.confidence, _DIGIT_SCORE)) if ring else word


def _is_missed(word: Word, place: Lone) -> bool:
    if not word.box.overlaps(place.box):
        return False
    if place.proven and _is_number(word):
        return True
    if not place.box.contains(*word.box.centre) or word.box.width > place.box.width + 2:
        return False
    alone = len(word.text) == 1 and word.text.isalnum() and not may_be_marker(word.text)
    return alone and word.confidence >= _LETTER_SCORE


def _is_number(word: Word) -> bool:
    return word.confidence >= _DIGIT_SCORE and bool(re.fullmatch(r"[-+]?[\d.,]+[%kMG]?|10\^-?\d+", word.text))


def _is_text(word: Word) -> bool:
    odd = len(word.text) == 1 or word.angle % 90 != 0
    return word.confidence >= (_ODD_SCORE if odd else _READ_SCORE) and any(
        c.isalnum() or c in "%$€£" for c in word.text
    )


def _settled(words: Sequence[Word]) -> bool:
    """Whether no other direction needs to be tried: a sure reading of several letters."""
    return sum(len(word.text) for word in words) > 1 and _plausible(words) > _SURE


def _words(part: _Part, found: Iterator[tuple[str, float]]) -> list[Word]:
    """The labels of a part, from its reading and, where it has an exponent, those of base and exponent."""
    text, score = next(found)
    if part.power:
        (base, sure), (power, surer) = next(found), next(found)
        arm = text[-1:].isalpha() and not base.endswith("10") and score > max(_SURE, min(sure, surer))  # of an F or P
    if part.power and not arm and not _TAIL.match(text):
        readings = [(_raised(base, power), min(sure, surer))]
        if part.power[1].x0 - part.power[0].x1 > 1 or base.endswith("10"):  # else the arm of a 7, say
            readings.append((_raised(text[:2], text[2:]), score))
        text, score = max([r for r in readings if r[0]], key=lambda r: r[1], default=(text, score))
    text = _ONE.sub("1", _FRAME.sub("", text))
    text = _SUPERSCRIPT.sub(lambda power: "^" + power[0].translate(_SMALL_DIGITS), text)
    line = part.line
    return [
        Word(with_spaces(with_greek(with_case(t, g), g), g), line.box(g), line.angle, score)
        for t, g in labels(text, part.glyphs)
    ]


def _raised(base: str, power: str) -> str:
    """`10^3` of base and exponent; empty where one of them is misread. Tiny digits of a 10 may look like letters."""
    if base.endswith("10"):
        power = power.translate(_SMALL_DIGITS)
    fits = re.fullmatch(r"(.*\D)?10|\D+", base) and re.fullmatch(r"-?\d{1,3}", power)
    return f"{base}^{power}" if fits else ""


def _plausible(words: Sequence[Word]) -> float:
    """Mean character score of a reading, less where the direction is rare: text that runs down, a lone digit turned."""
    letters = sum(len(word.text) for word in words)
    if not letters:
        return 0.0
    rare = 0.08 * (words[0].angle == -90) + (_against_shape(words[0]) if letters == 1 else 0.0)
    return sum(len(word.text) * word.confidence for word in words) / letters - rare


def _against_shape(word: Word) -> float:
    """What speaks against a direction of a single character: digits and most letters are higher than wide, and most
    stand upright."""
    lies = word.box.width > 1.1 * word.box.height and word.text in _NARROW
    return 0.2 if lies and word.angle == 0 else 0.12 * (word.angle != 0)
