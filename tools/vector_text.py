"""The text layer of a page as words: characters joined to lines by where they stand, however the producer split them.

A raised small number becomes an exponent (`10^-3`), as in the words of the text recogniser. Minus signs that a producer
drew as paths are put back.
Not handled here: fractions, accents drawn apart from their letters, text drawn as outlines (there is none to read).
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.types import Box, Drawing, VectorPath, Word
from tools.vector_pdf import Character

DASHES = dict.fromkeys(map(ord, "−‐‑‒–—­"), "-")
GIBBERISH = 0.1  # share of characters without meaning above which the text layer is no text
SPACE = 0.18  # em between two characters that stand for a space
JOIN = 0.75  # em between two characters of one run of text
NEAR = 0.4  # em between two runs of one line
BACK = -0.1  # em by which an exponent may begin before its base ends
APART = 0.12  # em between two labels of some length
NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?|\d{4}(?:[-/.]\d\d?){1,2}")
SMALL = 0.82  # size of an exponent, as a share of the text that it stands on


def is_gibberish(characters: Sequence[Character]) -> bool:
    """True where the fonts give their characters no meaning: private, control and unassigned codes.

    A text layer whose letters are all the same is none either.
    """
    shown = [one.text for one in characters if not one.text.isspace()]
    if not shown:
        return True
    odd = sum(unicodedata.category(text) in ("Co", "Cc", "Cn", "Cs") or text == "�" for text in shown)
    return odd > GIBBERISH * len(shown) or (len(shown) > 12 and len(set(shown)) < 3)


def read_runs(characters: Sequence[Character], drawing: Drawing, page: Box) -> tuple[Word, ...]:
    """The words of a text layer: one per label or line, boxes in figure pixels, `source` "vector".

    page: the box of the whole picture; what lies outside of it cannot be seen and is left out.

    Empty where the text layer means nothing (`is_gibberish`).
    """
    if is_gibberish(characters):
        return ()
    return tuple(word for line in text_lines(characters, drawing) if (word := _word(line, page)) is not None)


def text_lines(characters: Sequence[Character], drawing: Drawing) -> list[list[Character]]:
    """The characters of each label or line, minus signs that are drawn as paths among them."""
    characters = _printed_once([one for one in characters if one.size > 0])  # others cannot be seen
    marked = [*characters, *_signs(characters, drawing)]
    lines: list[list[Character]] = []
    for one in marked:
        if lines and lines[-1][-1].run == one.run and _follows(lines[-1][-1], one):
            lines[-1].append(one)
        else:
            lines.append([one])
    return _joined([line for line in lines if any(not c.text.isspace() for c in line)])


def _printed_once(characters: Sequence[Character]) -> list[Character]:
    """The characters without those that are printed once more in the same place, as charts of two axes do."""
    runs: dict[tuple[str, int, int], int] = {}
    kept = []
    for one in characters:
        place = max(0.1 * one.size, 1e-6)
        first = runs.setdefault((one.text, round(one.x / place), round(one.y / place)), one.run)
        if first == one.run or one.text.isspace():  # within a run they are letters of a ligature
            kept.append(one)
    return kept


def is_enough(words: Sequence[Word]) -> bool:
    """Whether a text layer holds numbers; a chart without has them drawn as outlines, which only pixels show."""
    return sum(any(c.isdigit() for c in word.text) for word in words) > 1


def _along(a: Character, x: float, y: float) -> tuple[float, float]:
    """A place relative to the origin of a character: along its base line, and above it, in px."""
    turn = math.radians(a.angle)
    dx, dy = x - a.x, a.y - y  # up is positive
    return dx * math.cos(turn) + dy * math.sin(turn), dy * math.cos(turn) - dx * math.sin(turn)


def _follows(a: Character, b: Character) -> bool:
    """Whether `b` goes on with the line of `a`: same direction, next place, on the base line or raised from it."""
    if a.run == b.run and a.box == b.box and (a.x, a.y) == (b.x, b.y):
        return True  # the letters of a ligature share one glyph
    if abs((a.angle - b.angle + 180) % 360 - 180) > 2 or not 0.45 < b.size / max(a.size, 1e-6) < 2.2:
        return False
    size = max(a.size, b.size)
    along, above = _along(a, b.x, b.y)
    gap = along - a.advance
    most = JOIN if a.run == b.run or b.text.isspace() or a.text.isspace() else NEAR
    if a.run != b.run and not 0.9 < b.size / a.size < 1.1 and gap < BACK * size:
        return False  # another label, in smaller print, just above or below: no exponent
    if a.text == "0" and b.text in "0123456789-" and b.size < SMALL * a.size and 0.3 * size < above < 0.75 * size:
        most = JOIN  # the exponent of a ten, which converters of SVG set a little too far right
    raised = abs(above) < (0.12 if 0.9 < b.size / a.size < 1.1 else 0.75) * size
    return raised and -0.6 * size < gap < most * size and along > -0.1 * size


def _joined(lines: list[list[Character]]) -> list[list[Character]]:
    """Lines joined with those that go on where they end, although they were drawn at another time."""
    starts = np.array([(line[0].x, line[0].y) for line in lines], dtype=np.float64).reshape(-1, 2)
    left = np.ones(len(lines), dtype=bool)
    for i in np.lexsort((starts[:, 0], starts[:, 1])):
        while left[i]:
            last = lines[i][-1]
            turn = math.radians(last.angle)
            end = (last.x + last.advance * math.cos(turn), last.y - last.advance * math.sin(turn))
            near = np.flatnonzero(left & (np.abs(starts - end).max(axis=1) < 2 * last.size))
            nexts = (j for j in near if j != i and _follows(last, lines[j][0]) and not _apart(lines[i], lines[j]))
            j = next(nexts, None)
            if j is None:
                break
            lines[i] += lines[j]
            left[j] = False
    return [line for line, stays in zip(lines, left, strict=True) if stays]


def _apart(one: Sequence[Character], other: Sequence[Character]) -> bool:
    """Two whole labels that merely stand close: both of some length, with a gap between them that is no kerning; or two
    numbers that are none together (tick labels that touch)."""
    texts = ["".join(c.text for c in line).strip().translate(DASHES) for line in (one, other)]
    alike = 0.9 < one[-1].size / max(other[0].size, 1e-6) < 1.1 and texts[1][:1].isdigit()  # no exponent, no range
    if alike and all(NUMBER.fullmatch(text) for text in texts) and not NUMBER.fullmatch("".join(texts)):
        return True
    if len(one) < 3 or len(other) < 3 or one[-1].text.isspace() or other[0].text.isspace():
        return False
    last = one[-1]
    return abs(_along(last, other[0].x, other[0].y)[0] - last.advance) > APART * last.size


def _signs(characters: Sequence[Character], drawing: Drawing) -> list[Character]:
    """Minus signs drawn as flat filled paths just before a digit or raised in front of one."""
    flat = [path for path in drawing.paths if _is_flat(path)]
    if len(flat) > 2000:
        return []
    found = []
    for path in flat:
        for one in characters:
            if one.text.isdigit() and _is_sign(path.box, one):
                found.append(_sign(path.box, one))
                break
    return found


def _is_flat(path: VectorPath) -> bool:
    box = path.box
    long, short = max(box.width, box.height), min(box.width, box.height)
    return path.fill is not None and path.stroke is None and len(path.points) <= 5 and 3 * short < long < 60


def _is_sign(box: Box, digit: Character) -> bool:
    ends = [_along(digit, x, y) for x in (box.x0, box.x1) for y in (box.y0, box.y1)]
    first, last = min(a for a, _ in ends), max(a for a, _ in ends)
    low, high = min(u for _, u in ends), max(u for _, u in ends)
    size = digit.size
    lies = last - first > 2 * (high - low) and 0.25 * size < last - first < size
    return lies and -0.3 * size < last < 0.3 * size and low > 0.1 * size and high < 0.55 * size


def _sign(box: Box, digit: Character) -> Character:
    """A minus sign on the base line of its digit."""
    ends = [_along(digit, x, y)[0] for x in (box.x0, box.x1) for y in (box.y0, box.y1)]
    first, turn = min(ends), math.radians(digit.angle)
    x, y = digit.x + first * math.cos(turn), digit.y - first * math.sin(turn)
    return replace(digit, text="-", box=box, x=x, y=y, advance=max(ends) - first)


def _word(line: list[Character], page: Box) -> Word | None:
    line = sorted(line, key=lambda one: _along(line[0], one.x, one.y)[0])
    base = max(one.size for one in line)
    text, before = "", None
    level = next(one for one in line if one.size > SMALL * base)
    for one in line:
        if one.text.isspace():
            text, before = text + " ", one
            continue
        if before is not None and not before.text.isspace() and not text.endswith(" "):
            gap = _along(before, one.x, one.y)[0] - before.advance
            raised = one.size <= SMALL * base and _along(level, one.x, one.y)[1] > 0.2 * base
            was = before.size <= SMALL * base and _along(level, before.x, before.y)[1] > 0.2 * base
            if raised and not was and (one.text.isdigit() or one.text in "-−"):
                text += "^"
            elif gap > SPACE * base and not raised:
                text += " "
        text, before = text + one.text, one
    text = " ".join(unicodedata.normalize("NFKC", text.translate(DASHES)).split())
    boxes = [one.box for one in line if not one.text.isspace()]
    if not text or not boxes:
        return None
    whole = boxes[0]
    for box in boxes[1:]:
        whole = whole.union(box)
    if not whole.overlaps(page):
        return None
    whole = Box(max(whole.x0, page.x0), max(whole.y0, page.y0), min(whole.x1, page.x1), min(whole.y1, page.y1))
    angle = round(line[0].angle) if abs(line[0].angle - round(line[0].angle)) < 0.5 else line[0].angle
    return Word(text, whole, float((angle + 90) % 180 - 90 if angle % 180 != 90 else angle), 1.0, "vector")
