"""What the shape of a line says about its text: several labels read as one, and capitals read as small letters.

Not handled here: labels of words side by side with no wide gap between them, letters that look alike (I and l).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from tools.dates import is_month
from tools.types import Box

_WHOLE = (r"\d{4}-W\d\d", r"\d{4}-\d\d-\d\d", r"\d{4}-\d\d", r"\d\d/\d\d/\d{4}", r"\d\d/\d\d/\d\d",
          r"-?\d\.\d", r"-?\d\.\d\d", r"-?\d\.\d{3}", r"-?\d\.\d{4}")  # forms that say where they end  # fmt: skip
_NUMBER = re.compile(r"[-+]?[$€£]?\d[\d.,]*(?:[eE][-+]?\d+)?[%kKM]?")
_THOUSANDS = re.compile(r"\d{1,3}(?: \d{3})+")
_LOW, _CAPITAL = "acemnorsuvwxz", "cosuvwxz"  # small letters without stems; those that look like their capitals


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
