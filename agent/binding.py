"""Which source table a figure was drawn from, by the words of the paper: with the evidence, direct or indirect.

Direct: a sentence, a file name or a sheet name that names figure and data together. Indirect: the caption and the
table speak of the same things. Not handled here: values (`panel_grounds` lets `mapping` decide between what is left).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from agent.paper import Paper
from agent.questions import tokens
from agent.source_tables import SourceTable, is_number

Where = tuple[str, str]  # file, sheet ("" for a file without sheets)
REFERENCE = re.compile(
    r"\bfig(?:ure)?s?\.?\s*((?:\d+[a-h]?(?![a-z])(?:\s*[-–]\s*[a-h]\b)?|\(?[a-h]\b\)?(?:\s*[-–]\s*[a-h]\b)?|"
    r"\s*(?:,\s*and|,|and|&|to)\s*(?:fig(?:ure)?s?\.?\s*)?(?=\d|\(?[a-h]\b(?!\s+(?!and\b|to\b)[a-z]))|"
    r"\s*(?=\([a-h]\)))+)",
    re.I,
)  # fmt: skip
ONE = re.compile(r"(\d+)?\s*([a-h])?(?:\s*[-–]\s*([a-h]))?", re.I)
PARTED = re.compile(r"\s*(?:,\s*and\b|,|\band\b|&|\bto\b)\s*", re.I)
LABELLED = re.compile(r"\b(table|data|dataset|file|sheet)\s+(?:file\s+)?(?:no\.\s*)?S?(\d+)\b", re.I)
NAME = re.compile(r"fig(?:ure|s)?[\s_.\-]*0*(\d+)[\s_.\-]*([a-h](?:[\s_,\-–]*[a-h])*(?![a-z]))?", re.I)
BARE = re.compile(r"^\W*0*(\d+)[\s_.\-]*([a-h])\W*$", re.I)
LEADS = 0.75  # share of the best likeness of words from which another table stays in question
FILLERS = """
the a an of in and or for to per by with from at on is are was were as each all both its their we which shown show
data source values value figure fig panel panels table sheet mean bars bar line lines points error n sd sem"""
COMMON = frozenset(FILLERS.split())


@dataclass(frozen=True)
class Binding:
    """One figure, or one panel of it, bound to a sheet of a file. `weight`: how much speaks for it, 0 to 1."""

    figure: str
    panel: str
    file: str
    sheet: str
    how: Literal["direct", "indirect"]
    evidence: str
    weight: float = 1.0

    @property
    def where(self) -> Where:
        return self.file, self.sheet


def bind(paper: Paper, figure: str, panel: str) -> list[Binding]:
    """What speaks for each table being behind a panel ("" for a figure of one panel), the strongest first.

    Where there is direct evidence, that alone: of the panel before that of the whole figure.
    """
    tables = {(t.source, t.sheet): t for blocks in paper.tables.values() for t in blocks}
    direct = [*_by_names(tables, figure), *_by_sentences(paper, tables, figure)]
    own = [one for one in direct if panel and one.panel == panel]
    whole = [one for one in direct if not one.panel or not panel]
    chosen = own or whole
    if chosen:
        best = max(one.weight for one in chosen)
        return _once(one for one in chosen if one.weight > best - 0.15)
    return by_words(tables, paper.caption(figure).of(panel), figure, panel)


def _once(found: Iterable[Binding]) -> list[Binding]:
    kept: dict[Where, Binding] = {}
    for one in sorted(found, key=lambda b: -b.weight):
        kept.setdefault(one.where, one)
    return list(kept.values())


def references(text: str) -> list[tuple[str, str]]:
    """(figure, panel letter or "") of every figure that a text names, in order.

    >>> references("See Fig. 1a,b and Figure 3."), references("Figs 2a-c")
    ([('1', 'a'), ('1', 'b'), ('3', '')], [('2', 'a'), ('2', 'b'), ('2', 'c')])
    """
    found: list[tuple[str, str]] = []
    for match in REFERENCE.finditer(text):
        number = ""
        for part in PARTED.split(match[1]):
            one = ONE.search(re.sub(r"fig(?:ure)?s?\.?|[()]", "", part, flags=re.I).strip())
            if one is None or not (one[1] or one[2]):
                continue
            number = one[1].lstrip("0") if one[1] else number
            first, last = (one[2] or "").lower(), (one[3] or one[2] or "").lower()
            letters = [chr(k) for k in range(ord(first), ord(last) + 1)] if first else [""]
            found += [(number, letter) for letter in letters]
    return found


def _by_names(tables: Mapping[Where, SourceTable], figure: str) -> list[Binding]:
    """Sheets and files whose own names say which figure they belong to."""
    found = []
    for (file, sheet), _ in tables.items():
        said = NAME.search(sheet) or BARE.match(sheet)
        stem = NAME.search(file.rsplit(".", 1)[0])
        if said and said[1] == figure:
            letters = re.findall(r"[a-h]", (said[2] or "").lower()) or [""]
            found += [Binding(figure, x, file, sheet, "direct", f"the sheet is named {sheet!r}", 0.95) for x in letters]
        elif not said and stem and stem[1] == figure:
            letters = re.findall(r"[a-h]", (stem[2] or "").lower()) or [""]
            found += [Binding(figure, x, file, sheet, "direct", f"the file is named {file!r}", 0.9) for x in letters]
    return found


def _by_sentences(paper: Paper, tables: Mapping[Where, SourceTable], figure: str) -> list[Binding]:
    """Tables named in one sentence with the figure, or in its caption."""
    caption = paper.caption(figure)
    own = [("", caption.head or caption.text), *caption.parts.items()] if caption.parts else [("", caption.text)]
    found = []
    for letter, words in own:
        for where in named_in(words, tables):
            found.append(Binding(figure, letter, *where, "direct", f"caption: {words}", 1.0))
    for sentence in paper.sentences:
        named = references(sentence)
        places = named_in(sentence, tables) if named else []
        if "respectively" in sentence and len(named) == len(places) > 1:
            pairs = [(one, [where]) for one, where in zip(named, places, strict=True)]
        else:
            pairs = [(one, places) for one in named]
        for (number, letter), wheres in pairs:
            if number == figure:
                found += [Binding(figure, letter, *where, "direct", sentence, 1.0) for where in wheres]
    return found


def named_in(text: str, tables: Mapping[Where, SourceTable]) -> list[Where]:
    """The tables that a text names, in the order of their names in it: sheets where it names some, else files."""
    plain = text.casefold()
    quoted = {one.strip().casefold() for one in re.findall(r"[\"“‘'`]([^\"“”‘’'`]{1,60})[\"”’'`]", text)}
    labels = {(word.casefold(), number) for word, number in LABELLED.findall(text)}
    sheets, files = [], []
    for where in tables:
        file, sheet = where
        stem = file.rsplit(".", 1)[0]
        if sheet and (sheet.casefold() in quoted or _is_label(sheet, labels)):
            at = plain.find(sheet.casefold())
            sheets.append((at, where))
        if file.casefold() in plain or stem.casefold() in quoted or _is_label(stem, labels):
            files.append((plain.find(file.casefold()), where))
    inside = [pair for pair in sheets if any(pair[1][0] == where[0] for _, where in files)] or sheets
    return [where for _, where in sorted(inside or files, key=lambda pair: pair[0])]


def _is_label(name: str, labels: set[tuple[str, str]]) -> bool:
    """Whether a name such as `Table_S2` is one of the labels ("table", "2")."""
    said = re.search(r"(table|dataset|data|file|sheet)[\s_.\-]*s?0*(\d+)$", name, re.I)
    return bool(said) and (said[1].casefold(), said[2]) in labels  # type: ignore[index]


def by_words(tables: Mapping[Where, SourceTable], text: str, figure: str = "", panel: str = "") -> list[Binding]:
    """Tables that speak of what a text speaks of, the most alike first; those far behind the best are left out.

    Likeness: the rarity (over all tables) of the words that table and text share, over that of the table's own.
    """
    own = {where: words_of(table) for where, table in tables.items()}
    rarity = {w: math.log(1 + len(own) / sum(w in words for words in own.values()))
              for words in own.values() for w in words}  # fmt: skip
    said = {_stem(word) for word in tokens(text)} - COMMON
    scores, shared = {}, {}
    for where, words in own.items():
        common = words & said
        # Long lists of labels must not drown the names of sheet and columns: the root keeps big tables in the running.
        scores[where] = sum(rarity[w] for w in common) / math.sqrt(sum(rarity[w] for w in words) or 1.0)
        shared[where] = sorted(common, key=lambda w: -rarity[w])
    best = max(scores.values(), default=0.0)
    kept = [where for where in sorted(scores, key=lambda w: -scores[w]) if scores[where] >= LEADS * best]
    return [Binding(figure, panel, *where, "indirect", f"words in common: {', '.join(shared[where][:8]) or 'none'}",
                    round(scores[where] / best, 3) if best else 0.0) for where in kept]  # fmt: skip


def words_of(table: SourceTable) -> set[str]:
    """What a table speaks of: its sheet, its columns and the words in its cells."""
    texts = [table.sheet, *(column.name for column in table.columns)]
    for column in table.columns:
        if column.kind == "text":
            texts += list(dict.fromkeys(column.texts))[:40]
    return {_stem(word) for text in texts for word in tokens(text) if not is_number(word)} - COMMON


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def tables_at(paper: Paper, wheres: Sequence[Where]) -> list[SourceTable]:
    """The blocks of these sheets."""
    return [t for blocks in paper.tables.values() for t in blocks if (t.source, t.sheet) in set(wheres)]
