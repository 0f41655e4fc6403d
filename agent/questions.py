"""What a question names: a panel, labels of the figure, numbers and dates, a statistic, an extreme.

Not handled here: finding the value (`asking`). Questions are English; labels may be in any language.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz import fuzz

from tools.dates import parse_date
from tools.types import Unreadable

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
TOKEN = re.compile(r"(?:(?<![^\W_])[-+−])?\d+(?:[.,]\d+)*(?:e[-+]?\d+)?|[^\W_]+", re.I)
NUMBER = re.compile(r"(?<![\w.])[-+−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:e[-+]?\d+)?(?![\w]*\d)", re.I)
PANEL = re.compile(r"\b(?:panel|subplot|sub-plot|facet)\s*\(?([a-z]|\d{1,2})\b\)?", re.I)
FIGURE = re.compile(r"\bfig(?:ure)?\.?\s*\d*\s*\(?([a-z])\)?(?=[\s,.:;?)])", re.I)
WORDED = re.compile(rf"\b({'|'.join(ORDINALS)}|last)\s+(?:panel|subplot|plot)\b", re.I)
MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]*\.?"
DATES = re.compile(
    rf"\b\d{{4}}-\d{{2}}-\d{{2}}\b|\b\d{{4}}-?W\d{{1,2}}\b|\b\d{{1,2}}(?:st|nd|rd|th)?\s+{MONTH}\s+\d{{4}}\b"
    rf"|\b{MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}\b|\b{MONTH}\s+\d{{4}}\b|\b\d{{1,2}}/\d{{1,2}}/\d{{2,4}}\b"
    r"|\b\d{4}-\d{2}\b",
    re.I,
)
STATISTICS: tuple[tuple[str, str], ...] = (
    (r"\bmedians?\b|\bcent(?:re|er) line\b", "median"),
    (r"\b(?:first|lower|bottom) quartile\b|\bq1\b|\b25(?:th)? percentile\b", "q1"),
    (r"\b(?:third|upper|top) quartile\b|\bq3\b|\b75(?:th)? percentile\b", "q3"),
    (r"\b(?:lower|bottom) whisker\b|\bminimum\b", "whisker_low"),
    (r"\b(?:upper|top) whisker\b|\bmaximum\b", "whisker_high"),
)
ENDS: tuple[tuple[str, str], ...] = (
    (r"\b(?:lower|bottom|low)\s+(?:end|limit|bound|edge|error bar|confidence)", " low"),
    (r"\b(?:upper|top|high)\s+(?:end|limit|bound|edge|error bar|confidence)", " high"),
)
EXTREMES: tuple[tuple[str, Literal["max", "min"]], ...] = (
    (r"\b(?:peak|maximum|highest|largest|greatest|max)\b", "max"),
    (r"\b(?:minimum|lowest|smallest|least|min|trough)\b", "min"),
)
LOOK_ALIKE = str.maketrans("αβγεηικνορτυχаеорсухoil|", "abyen1kv0ptuxae0pcyx0111")
MORE = r"(?:more|less|fewer|higher|lower|larger|smaller|greater|longer|shorter)"
COMPARING = re.compile(
    rf"\b(?:difference|ratio|gap)\b[^?]*\b(?:between|of)\b[^?]*\b(?:and|to)\b"
    rf"|\bhow (?:much|many)(?: \w+)? {MORE}\b|\bhow many times\b|\bby how much\b"
    rf"|\bhow many\b[^?]*\b(?:above|below|exceed\w*|{MORE} than)\b"
    r"|\bat\s+[-+−]?\d[\d.,]*\s+and\s+(?:at\s+)?[-+−]?\d",
    re.I,
)
LIKE = 86.0  # rapidfuzz ratio of a label that a misprint separates from the question's words
SQUEEZED = 92.0  # the same without spaces
CONTEXT = re.compile(r"^(.*?\S):\s+((?:what|how|which)\b.*)$", re.I | re.S)


@dataclass(frozen=True)
class Question:
    """A question taken apart. `panel` counts from 1, 0 where none is named and -1 for the last one.

    `comparing`: its words that ask for more than one plotted value."""

    text: str
    panel: int = 0
    statistic: str = ""
    end: str = ""
    extreme: Literal["", "max", "min"] = ""
    comparing: str = ""

    @property
    def target(self) -> str:
        """The part that asks: in "CONTEXT: what is ...?" what follows the colon, else all of it."""
        found = CONTEXT.match(self.text)
        return found[2] if found else self.text


def parse_question(text: str) -> Question:
    """Panel, statistic, end of an error bar and extreme that a question names in words."""
    comparing = COMPARING.search(text)
    return Question(text, _panel(text), _first(STATISTICS, text), _first(ENDS, text), _first(EXTREMES, text),
                    comparing[0] if comparing else "")  # fmt: skip


def _first(patterns: Sequence[tuple[str, str]], text: str):  # type: ignore[no-untyped-def]
    return next((name for pattern, name in patterns if re.search(pattern, text, re.I)), "")


def _panel(text: str) -> int:
    found = PANEL.search(text) or FIGURE.search(text)
    if found:
        sign = found[1].lower()
        return int(sign) if sign.isdigit() else ord(sign) - ord("a") + 1
    worded = WORDED.search(text)
    if worded:
        word = worded[1].lower()
        return -1 if word == "last" else ORDINALS.index(word) + 1
    return 0


def tokens(text: str) -> list[str]:
    """Words and numbers in lower case; signs and thousands separators are normalised, a hyphen between is no sign.

    >>> tokens("At 1,000 mg/kg?"), tokens("15-44 years at -5")
    (['at', '1000', 'mg', 'kg'], ['15', '44', 'years', 'at', '-5'])
    """
    return [re.sub(r",(?=\d{3}\b)", "", found.lower().replace("−", "-")) for found in TOKEN.findall(text)]


def mention(label: str, question: str) -> int:
    """How many characters of a label the question names: all of them, in order, or 0.

    A long label may differ by a misprint. Lone letters count only as words of their own.

    >>> mention("Wild type", "What is the response of wild type at 10 mg?"), mention("10 mg", "at 100 mg")
    (8, 0)
    """
    wanted, said = tokens(label), tokens(question)
    size = sum(map(len, wanted))
    if _holds(wanted, said):
        return size
    digits = any(c.isdigit() for c in "".join(wanted))
    return size - 1 if size >= 6 and not digits and _misprinted(wanted, said) else 0


def mentions(labels: Sequence[str], question: str) -> list[int]:
    """How many characters of each label a question names. Lost and stray spaces, letters that look alike and misprints
    count only where no label is named as it is.

    >>> mentions(["Very dissatisfied", "Very satisfied"], "What is the score for very satisfied?")
    [0, 13]
    >>> mentions(["Qn", "TK"], "the median of Qη")
    [2, 0]
    """
    for write in (str, look_alike):
        wanted, said = [tokens(write(label)) for label in labels], tokens(write(question))
        for holds in (_holds, _holds_squeezed):
            found = [sum(map(len, one)) if holds(one, said) else 0 for one in wanted]
            if any(found):
                return found
    return [mention(label, question) for label in labels]


def names_by_itself(label: str) -> bool:
    """Whether a label is long enough not to be a word of any question by chance.

    >>> names_by_itself("A"), names_by_itself("10 mg"), names_by_itself("Dale")
    (False, True, True)
    """
    wanted = "".join(tokens(label))
    return len(wanted) >= 4 or (len(wanted) >= 2 and any(c.isdigit() for c in wanted))


def look_alike(text: str) -> str:
    """A text in which letters and digits that a reader of pictures takes for each other are the same.

    >>> look_alike("Oκ") == look_alike("0k")
    True
    """
    return text.lower().translate(LOOK_ALIKE)


def _holds(wanted: Sequence[str], said: Sequence[str]) -> bool:
    """Whether words stand in a row among others."""
    return bool(wanted) and any(list(said[i : i + len(wanted)]) == wanted for i in range(len(said) - len(wanted) + 1))


def _holds_squeezed(wanted: Sequence[str], said: Sequence[str]) -> bool:
    """The same where a space was lost or put between: "80+ yea rs" for "80+ years"."""
    whole, count = "".join(wanted), len(wanted)
    parts = ("".join(said[i : i + width]) for width in range(max(1, count - 2), count + 3) for i in range(len(said)))
    return len(whole) >= 4 and any(part == whole for part in parts)


def _misprinted(wanted: Sequence[str], said: Sequence[str]) -> bool:
    """Whether words in a row are a label but for a misprint: each word alike, or as a whole where a space was lost."""
    count = len(wanted)
    for width in (count - 1, count, count + 1):
        for i in range(len(said) - width + 1):
            part = said[i : i + width]
            if fuzz.ratio("".join(wanted), "".join(part)) >= SQUEEZED:
                return True
            same = width == count and fuzz.ratio(" ".join(wanted), " ".join(part)) >= LIKE
            if same and all(fuzz.ratio(a, b) >= 60 for a, b in zip(wanted, part, strict=True)):
                return True
    return False


def numbers_in(question: str, without: Sequence[str] = ()) -> list[float]:
    """Numbers that a question states, those after words like `at` first; labels are left out."""
    text = _hyphens(DATES.sub(" ", PANEL.sub(" ", question)))
    for label in sorted(map(_hyphens, without), key=len, reverse=True):
        if label:
            text = re.sub(rf"(?<!\w){re.escape(label)}(?!\w)", " ", text, flags=re.I)
    found = []
    for match in NUMBER.finditer(text):
        before = text[: match.start()].rstrip()
        near = re.search(r"(?:=|≈|\bat|\bwhen|\bfor|\bin|\bis|\bday|\bweek|\byear|\btime)\W*$", before, re.I)
        found.append((0 if near else 1, float(match[0].replace(",", "").replace("−", "-"))))
    return [value for _, value in sorted(found, key=lambda pair: pair[0])]


def _hyphens(text: str) -> str:
    """Dashes between words or numbers as hyphens."""
    return re.sub(r"(?<=\w)[‐-—](?=\w)", "-", text)


def dates_in(question: str) -> list[float]:
    """Dates that a question states, as days since 1970-01-01.

    >>> dates_in("cases on 2 January 1970")
    [1.0]
    """
    found = []
    for match in DATES.finditer(question):
        label = parse_date(re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "", match[0]))
        if not isinstance(label, Unreadable) and label.year_known:
            found.append(label.value)
    return found


def years_in(question: str, without: Sequence[str] = ()) -> list[int]:
    """Years that a question states as bare numbers; labels are left out.

    >>> years_in("What is Ridge at 2014?")
    [2014]
    """
    return [int(value) for value in numbers_in(question, without) if value in range(1500, 2201)]


def week_in(label: str, question: str) -> bool:
    """Whether a question names the week of a label such as `2014-W05` or `W05`.

    >>> week_in("2014-W05", "cases in week 5"), week_in("2014-W05", "cases in W15")
    (True, False)
    """
    own = re.fullmatch(r"(?:(\d{4})-?)?W0?(\d{1,2})", label.strip(), re.I)
    said = re.search(r"\b(?:(\d{4})-?)?(?:W|(?:epi(?:demiological)? )?week )0?(\d{1,2})\b", question, re.I)
    if not own or not said or int(own[2]) != int(said[2]):
        return False
    return not (own[1] and said[1] and own[1] != said[1])
