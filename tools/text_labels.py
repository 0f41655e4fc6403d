"""What the shape of a line says about its text: several labels read as one, and capitals read as small letters.

Not handled here: labels of words side by side with no wide gap between them, letters that look alike (I and l).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy as np

from tools.dates import is_month
from tools.types import Box

_WHOLE = (r"\d{4}-W\d\d", r"\d{4}-\d\d-\d\d", r"\d{4}-\d\d", r"\d\d/\d\d/\d{4}", r"\d\d/\d\d/\d\d",
          r"-?\d\.\d", r"-?\d\.\d\d", r"-?\d\.\d{3}", r"-?\d\.\d{4}")  # forms that say where they end  # fmt: skip
_NUMBER = re.compile(r"[-+]?[$€£]?\d[\d.,]*(?:[eE][-+]?\d+)?[%kKM]?")
_THOUSANDS = re.compile(r"\d{1,3}(?: \d{3})+")
_LOW, _CAPITAL = "acemnorsuvwxz", "cosuvwxz"  # small letters without stems; those that look like their capitals

_ON_FOOT = "ABCDEFGHILMNOPRSTUVWXZabcdefhiklmnorstuvwxz0123456789"  # characters that stand on the foot of a line
_TALL = "ABCDEFGHILMNOPRSTUVWXZbdfhkl0123456789"  # those of them that are as high as a capital


def labels(text: str, glyphs: Sequence[Box]) -> list[tuple[str, list[Box]]]:
    """The labels in a text with the glyphs of each; most often the text itself.

    `Jun Aug Oct` or `0 20 40` are labels of their own that stand close; `2014-W142014-W20` even touch.
    """
    for form in _WHOLE:
        if re.fullmatch(f"(?:{form} ?){{2,}}", text):
            stuck = re.findall(form, text)
            return _cut(stuck, glyphs, _even_cuts(stuck, glyphs))
    tokens = text.split()
    if len(tokens) > 1 and _is_list(tokens):
        cuts = _gap_cuts(len(tokens), glyphs)
        if cuts:
            return _cut(tokens, glyphs, cuts)
    return [(text, list(glyphs))]


def _is_list(tokens: Sequence[str]) -> bool:
    """Whether the words of a text can't belong together: months, or numbers that no thousands separator makes one."""
    if all(is_month(token) for token in tokens):
        return True
    return all(_NUMBER.fullmatch(token) for token in tokens) and not _THOUSANDS.fullmatch(" ".join(tokens))


def _gap_cuts(count: int, glyphs: Sequence[Box]) -> list[int]:
    """Where to cut glyphs into `count` parts: at their widest gaps, if clearly wider than all others; else nothing."""
    gaps = np.array([after.x0 - before.x1 - 1 for before, after in pairwise(glyphs)])
    if len(gaps) < count - 1:
        return []
    widest = np.sort(np.argsort(-gaps, kind="stable")[: count - 1])
    others = np.delete(gaps, widest)
    clear = not len(others) or gaps[widest].min() > 1.5 * max(1.0, float(others.max()))
    return [int(i) + 1 for i in widest] if clear else []


def _even_cuts(parts: Sequence[str], glyphs: Sequence[Box]) -> list[int]:
    """The same for parts that touch: by their share of the characters, at the glyph that begins nearest."""
    ends = np.cumsum([len(part) for part in parts])[:-1] / len("".join(parts))
    starts = np.array([glyph.x0 for glyph in glyphs])
    return [int(np.abs(starts - (glyphs[0].x0 + end * (glyphs[-1].x1 - glyphs[0].x0))).argmin()) for end in ends]


def _cut(texts: Sequence[str], glyphs: Sequence[Box], cuts: Sequence[int]) -> list[tuple[str, list[Box]]]:
    bounds = [0, *cuts, len(glyphs)]
    return [(text, list(glyphs[a:b])) for text, (a, b) in zip(texts, pairwise(bounds), strict=True) if b > a]


def with_case(text: str, glyphs: Sequence[Box]) -> str:
    """A first letter as high as a capital is one: `sun` becomes `Sun` where the s is higher than the u and the n.

    Only where every letter is a glyph of its own, so that heights can be compared.
    """
    letters = text.replace(" ", "")
    if len(letters) != len(glyphs) or letters[:1] not in _CAPITAL:
        return text
    low = [glyph.height + 1 for letter, glyph in zip(letters[1:], glyphs[1:], strict=True) if letter in _LOW]
    return text[0].upper() + text[1:] if low and glyphs[0].height + 1 > 1.2 * float(np.median(low)) else text


def with_greek(text: str, glyphs: Sequence[Box]) -> str:
    """Greek letters that were read as the Latin capitals they resemble: a Y that hangs below the line is a gamma, a K
    no higher than an x a kappa.

    Only where every letter is a glyph of its own, so that each can be compared with the others.
    """
    letters = text.replace(" ", "")
    if len(letters) != len(glyphs) or not set(letters) & {"Y", "K"}:
        return text
    firm = {c: [g for letter, g in zip(letters, glyphs, strict=True) if letter in c] for c in (_ON_FOOT, _TALL)}
    if not firm[_ON_FOOT]:
        return text
    foot = float(np.median([glyph.y1 for glyph in firm[_ON_FOOT]]))
    tall = max((glyph.height + 1 for glyph in firm[_TALL]), default=0.0)
    places = iter(glyphs)
    return "".join(c if c == " " else _greek(c, next(places), foot, tall) for c in text)


def _greek(letter: str, glyph: Box, foot: float, tall: float) -> str:
    """The letter, or the Greek one that stands as this glyph does on a line with this foot and height of capitals."""
    if letter == "Y" and glyph.y1 - foot > max(1.0, 0.18 * (glyph.height + 1)):
        return "γ"
    return "κ" if letter == "K" and glyph.height + 1 < 0.85 * tall else letter


def with_spaces(text: str, glyphs: Sequence[Box]) -> str:
    """Spaces that the recogniser left out put in where the ink has a gap as wide as one: `pH4` becomes `pH 4`.

    Letters may touch, so characters are dealt out to the words of ink by their usual widths. Never within a number.
    """
    spans = _ink_words(glyphs)
    tokens = text.split()
    more = len(spans) - len(tokens)
    if not 0 < more <= 2 or len("".join(tokens)) < 3:
        return text
    letters = "".join(tokens)
    fixed = set(np.cumsum([len(token) for token in tokens])[:-1].tolist())
    free = [i for i in range(1, len(letters)) if i not in fixed and _may_part(letters[:i], letters[i:])]
    places = np.cumsum([0.0, *(_width(letter) for letter in letters)])
    places *= (spans[-1][1] - spans[0][0] + 1) / places[-1]
    gaps = [(before[1] + after[0]) / 2 - spans[0][0] + 0.5 for before, after in pairwise(spans)]
    best: tuple[float, list[int]] = (0.5 * places[-1] / len(letters), [])
    for extra in combinations(free, more) if len(free) <= 60 else ():
        cuts = sorted(fixed | set(extra))
        misfit = max(abs(float(places[cut]) - gap) for cut, gap in zip(cuts, gaps, strict=True))
        if misfit < best[0]:
            best = misfit, cuts
    return " ".join(letters[i:j] for i, j in pairwise([0, *best[1], len(letters)])) if best[1] else text


def _ink_words(glyphs: Sequence[Box]) -> list[tuple[float, float]]:
    """First and last column of each word: runs of glyphs with gaps clearly wider than those between letters."""
    gaps = np.array([after.x0 - before.x1 - 1 for before, after in pairwise(glyphs)])
    if not len(gaps):
        return []
    heights = np.array([glyph.height + 1 for glyph in glyphs])
    size = float(np.median(heights))
    if any(glyph.height + 1 > 1.9 * size or glyph.width + 1 > 1.8 * size for glyph in (glyphs[0], glyphs[-1])):
        return []  # a legend's sample beside the text
    least = max(0.4 * size, 2.2 * float(np.median(gaps)) + 1 if len(gaps) > 2 else float(gaps.min()) + 2)
    spans = [(glyphs[0].x0, glyphs[0].x1)]
    for gap, glyph in zip(gaps, glyphs[1:], strict=True):
        if gap >= least:
            spans.append((glyph.x0, glyph.x1))
        else:
            spans[-1] = spans[-1][0], glyph.x1
    return spans


def _may_part(before: str, after: str) -> bool:
    """Whether a space may stand here: not within a number, not inside brackets, no single capital cut off."""
    left, right = before[-1], after[0]
    number = all(c.isdigit() or c in ".,:/-+%^" for c in (left, right))
    initial = len(before) == 1 and before.isalpha() and before not in "aAI"
    return not number and not initial and left not in "([{" and right not in ")]}.,;:%"


def _width(letter: str) -> float:
    """The usual width of a character, of that of a small n."""
    return (
        0.5 if letter in "iljtfrI1.,:;'|!()[]-/" else 1.5 if letter in "mwMW@%" else 1.25 if letter.isupper() else 1.0
    )
