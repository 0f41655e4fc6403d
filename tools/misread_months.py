"""Names of months that a recogniser took a letter or two of for others ("jùt", "0ct", "Juiy"), as the other labels of
their axis prove them.

Not handled here: misread digits, labels most of which are no dates, months as single letters (`month_labels`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise

from tools.dates import MONTH_NAMES, date_readings, is_month
from tools.types import Unreadable, moment

_WORD = re.compile(r"[^\W\d_][^\W_]*|\d[^\W\d_][^\W_]*")
_LOOKS = str.maketrans("ti1|f0q95vy", "llllloggsuu")  # what looks alike stands as one letter
_WITNESSES = 3  # labels beside it that a month with a letter of no like look needs


def mended_months(texts: Sequence[str]) -> list[str]:
    """The labels of an axis in their order along it, each one whose only word is nearly a month replaced by that month
    if all labels then are dates in equal steps, and no other month would do. Others are returned as they are.

    >>> mended_months(["jùt 2004", "set 2004", "nov 2004"])
    ['jul 2004', 'set 2004', 'nov 2004']
    """
    words = [_WORD.findall(text) for text in texts]
    shapes = [re.sub(r"\d+", "9", _WORD.sub("a", text)) for text in texts]
    odd = [
        i for i, found in enumerate(words) if len(found) == 1 and not (is_month(found[0]) or found[0].lower() == "set")
    ]
    if len(texts) < 3 or len(odd) != 1 or len(set(shapes)) > 1 or any(len(found) != 1 for found in words):
        return list(texts)
    at, word = odd[0], words[odd[0]][0]
    done = {
        month: mended for month, name in _near(word, len(texts) > _WITNESSES).items()
        if _even(mended := [*texts[:at], texts[at].replace(word, name), *texts[at + 1 :]])
    }  # fmt: skip
    return next(iter(done.values())) if len(done) == 1 else list(texts)


def _near(word: str, proved: bool) -> dict[int, str]:
    """Months by number with the name of theirs that the word looks like, or (`proved`) has but one other letter."""
    look = _look(word)
    found: dict[int, str] = {}
    for name, month in MONTH_NAMES.items():
        other = _look(name)
        if other == look or (proved and len(other) == len(look) and sum(map(str.__ne__, look, other)) == 1):
            found.setdefault(month, name)
    return found


def _look(word: str) -> str:
    """The word in small letters without accents, letters that look alike as one."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", word.lower()) if not unicodedata.combining(c))
    return plain.replace("rn", "m").translate(_LOOKS)


def _even(texts: Sequence[str]) -> bool:
    """Whether the labels are dates in equal steps, of months or of days."""
    for ladder in date_readings([re.sub(r"\bset\b", "sett", text, flags=re.IGNORECASE) for text in texts])[:1]:
        values = [value for value in ladder.values if not isinstance(value, Unreadable)]
        if len(values) < len(texts):
            return False
        dates = [moment(value) for value in values]
        months = [12 * one.year + one.month + (one.day - 1) / 31 for one in dates]
        steps = ([b - a for a, b in pairwise(months)], [b - a for a, b in pairwise(values)])
        return any(abs(one[0]) > 0 and max(one) - min(one) < 0.01 for one in steps)
    return False
