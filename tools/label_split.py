"""Rows of tick labels that were read as one word ("Jun Aug Oct", "2014-W152014-W17"), split at the gaps in their ink.

Not handled here: turned text; labels that overlap so far that glyphs are lost.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tools.dates import is_month
from tools.month_labels import LETTERS
from tools.ridges import luma, spans
from tools.types import Box, Image, Word

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec)[a-z]*\.?"
_NUMBER = r"[-−–]?\d+(?:[.,]\d+)?%?"
_ISO = r"\d{4}-\d\d-\d\d|\d{4}-[01]\d|\d{4}-W\d\d"
_WHOLE = rf"{_ISO}|\d\d?[/.]\d\d?[/.]\d{{4}}|\d\d?[- ]{_MONTH}[- ]\d{{4}}|{_MONTH} ?\d{{4}}"
_DATES = re.compile(rf"(?:(?:{_WHOLE})\s*){{2,}}")
_MILLIONS = re.compile(r"[-−–]?[1-9]\d{0,2}(?: \d{3})+ 000")  # one number
_YEARS = re.compile(r"(?:(?:1[89]|20)\d\d\s*){2,}")
_MONTHS = re.compile(rf"{_MONTH}(?:\s*{_MONTH})+")
_NUMBERS = re.compile(rf"{_NUMBER}(?:\s+{_NUMBER}){{2,}}")
_DATED = re.compile(r"([^\W\d]{3,}\.?)[-–/]\d{2,4}|\d\d?[-–/]([^\W\d]{3,}\.?)")  # `Jul-05`, `5-Jul`
_FEWEST_LETTERS = 9  # of months in a row: no word holds so many


def split_rows(pixels: Image, words: Sequence[Word]) -> tuple[Word, ...]:
    """The words, rows of labels that run together replaced by their labels. Other words are returned as they are."""
    done: list[Word] = []
    for word in words:
        pieces = label_texts(word.text) if word.angle == 0 else [word.text]
        done += [word] if len(pieces) < 2 else _cut(pixels, word, pieces)
    return tuple(done)


def label_texts(text: str) -> list[str]:
    """The labels that one text holds: whole dates in a row, months in a row, or three numbers and more.

    >>> label_texts("28 290102 03")
    ['28', '29', '01', '02', '03']
    """
    text = text.strip()
    if _DATES.fullmatch(text):
        return [found.strip() for found in re.findall(_WHOLE, text)]
    if _MILLIONS.fullmatch(text):
        return [text]
    years = re.findall(r"\d{4}", text) if _YEARS.fullmatch(text) else []
    steps = {int(b) - int(a) for a, b in pairwise(years)}
    if len(years) > 2 and (len(steps) == 1 or steps == {0, 1}):  # each year once, or one under each of its months
        return years
    if len(steps) == 1 and " " not in text:
        return years
    if _MONTHS.fullmatch(text):
        return re.findall(_MONTH, text)
    if len(text) >= _FEWEST_LETTERS and text in LETTERS * (len(text) // 12 + 2):
        return list(text)
    if not _NUMBERS.fullmatch(text):
        return _dates_in_a_row(text) or _in_steps(text) or [text]
    tokens = text.split()
    usual = min(len(token) for token in tokens)
    if usual >= 2 and text.replace(" ", "").isdigit() and all(len(token) % usual == 0 for token in tokens):
        return [token[i : i + usual] for token in tokens for i in range(0, len(token), usual)]
    return tokens


def _dates_in_a_row(text: str) -> list[str]:
    """Two dates and more of one form with months in words ("ene 2014 mar 2014", "06 ago 13 ago", "Jul-05 Aug-05");
    empty for others."""
    tokens = text.split()
    kinds = [_kind(token) for token in tokens]
    if len(tokens) > 1 and set(kinds) == {"dated"}:
        return tokens
    for length in (2, 3):
        rows = [tokens[i : i + length] for i in range(0, len(tokens), length)]
        form = kinds[:length]
        if len(rows) > 1 and kinds == form * len(rows) and form.count("month") == 1 and "" not in form:
            return [" ".join(row) for row in rows]
    return []


def _kind(token: str) -> str:
    if is_month(token):
        return "month"
    if (parts := _DATED.fullmatch(token)) and is_month(parts[1] or parts[2]):
        return "dated"
    kinds = {"number": r"\d\d?", "year": r"(?:1[89]|20)\d\d"}
    return next((kind for kind, form in kinds.items() if re.fullmatch(form, token)), "")


def _in_steps(text: str) -> list[str]:
    """Three numbers and more, of three signs and more each, that run into each other and go up or down in even steps
    ("193019351940", "5.0e+47.5e+41.0e+5"); empty for other texts."""
    if len(text) < 9 or not re.fullmatch(r"[-−–\d.eE+%]+", text):
        return []
    found = []
    for first in range(3, min(9, len(text) - 5)):
        for second in (first + 1, *range(first + 3, min(first + 9, len(text) - 2))):
            tokens = _followed(text, [text[:first], text[first:second]])
            if len(tokens) > 2:
                found.append((max(map(len, tokens)) - min(map(len, tokens)), -len(tokens), tokens))
    return min(found)[2] if found else []


def _followed(text: str, tokens: list[str]) -> list[str]:
    """The two tokens and those that follow them in the same steps to the end of the text; empty if these do not."""
    first, last = _value(tokens[0]), _value(tokens[1])
    if first is None or last is None or first == last:
        return []
    step, at, usual = last - first, len(tokens[0]) + len(tokens[1]), len(tokens[1])
    while at < len(text):
        wanted, ends = last + step, (at + 1, *range(at + 3, min(len(text), at + 8) + 1))
        fits = (
            token for end in sorted(ends, key=lambda end: abs(end - at - usual))
            if (value := _value(token := text[at:end])) is not None and abs(value - wanted) < 1e-6 * abs(step)
        )  # fmt: skip
        token = next(fits, "")
        if not token:
            return []
        tokens, last, at = [*tokens, token], wanted, at + len(token)
    return tokens


def _value(token: str) -> float | None:
    plain = token.replace("−", "-").replace("–", "-").rstrip("%")
    return float(plain) if re.fullmatch(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,2})?", plain) else None


def _cut(pixels: Image, word: Word, pieces: Sequence[str]) -> list[Word]:
    """One word per piece, its box around the ink between two cuts."""
    rows, columns = word.box.slices(*pixels.shape[:2])
    crop = luma(pixels[rows, columns]).astype(np.int16)
    if crop.size == 0:
        return [word]
    paper = np.median(np.concatenate([crop[0], crop[-1]]))
    inked = (np.abs(crop - paper) > 40).any(axis=0)
    gaps = [(start, end) for start, end in spans(~inked) if start > 0 and end < len(inked) - 1]
    cuts = [0.0, *_cuts(gaps, pieces, len(inked)), float(len(inked))]
    tops, feet = _heights(np.abs(crop - paper) > 40, cuts)
    places = []
    for start, end in pairwise(cuts):
        at = np.flatnonzero(inked[round(start) : max(round(start) + 1, round(end))]) + round(start)
        places.append((float(at[0]), float(at[-1])) if len(at) else (start, end - 1))
    if len({len(piece) for piece in pieces}) == 1:
        places = _of_one_width(places)
    return [
        replace(word, text=text, box=Box(columns.start + a, rows.start + tops, columns.start + b, rows.start + feet))
        for text, (a, b) in zip(pieces, places, strict=True)
    ]


def _of_one_width(places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """First and last column of texts of one length, where two that touch were cut in the wrong place: as wide as the
    others, from the start of the first and to the end of the second."""
    usual = float(np.median([end - start for start, end in places]))
    slack = max(2.0, 0.04 * usual)
    done = list(places)
    for i, ((a, b), (c, d)) in enumerate(pairwise(places)):
        if (b - a - usual) * (d - c - usual) < 0 and min(abs(b - a - usual), abs(d - c - usual)) > slack:
            done[i], done[i + 1] = (a, a + usual), (d - usual, d)
    return done


def _heights(ink: NDArray[np.bool_], cuts: Sequence[float]) -> tuple[float, float]:
    """First and last row of the pieces of a row; those of most where one holds a glyph of another axis as well."""
    spans_of = [np.flatnonzero(ink[:, round(a) : max(round(a) + 1, round(b))].any(axis=1)) for a, b in pairwise(cuts)]
    held = np.array([(rows[0], rows[-1]) for rows in spans_of if len(rows)] or [(0, len(ink) - 1)], dtype=np.float64)
    top, foot = np.median(held, axis=0)
    return (float(top), float(foot)) if len(ink) > 1.5 * (foot - top + 1) else (0.0, float(len(ink) - 1))


def _cuts(gaps: Sequence[tuple[int, int]], pieces: Sequence[str], width: int) -> list[float]:
    """Where to cut: in the widest gaps if these stand out, else in the gap nearest to each piece's share of glyphs."""
    count = len(pieces) - 1
    ranked = sorted(gaps, key=lambda gap: gap[0] - gap[1])
    size = [gap[1] - gap[0] + 1 for gap in ranked]
    if len(ranked) == count or (len(ranked) > count and size[count - 1] > 1.25 * size[count]):
        return sorted((start + end) / 2 for start, end in ranked[:count])
    glyphs = np.cumsum([len(piece) + 0.3 for piece in pieces])
    wanted = (glyphs[:-1] / glyphs[-1]) * width
    middles = np.array([(start + end) / 2 for start, end in gaps])
    cuts = []
    for at in wanted:
        near = middles[np.abs(middles - at) <= 0.4 * width / (count + 1)] if len(middles) else middles
        cuts.append(float(near[np.argmin(np.abs(near - at))]) if len(near) else float(at))
    return sorted(cuts)
