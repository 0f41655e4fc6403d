"""A paper as a folder: its text in sentences, its captions by figure and panel, its pictures and its source tables.

Text may be XML (JATS tags), Markdown or plain text. Not handled here: PDF texts, tables within the text, figures of
supplements, and what belongs to what (`binding`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from agent.source_tables import BOOKS, TEXTS, SourceTable, UnreadableTable, read_tables

PICTURES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".webp", ".pdf", ".svg")
WORDS = (".xml", ".nxml", ".md", ".markdown", ".txt")
NAMED = re.compile(r"(?:^|[^a-z])fig(?:ure|s|\.)?[\s_.\-]*(\d+)", re.I)
CAPTION = re.compile(r"^\W*fig(?:ure|\.)?\s*(\d+)\s*(?:[.:|]|\*\*|$)\W*(.*)$", re.I | re.S)
LINK = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)")
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z(])")
ABBREVIATED = re.compile(r"\b(?:fig|figs|tab|ext|suppl|ref|vs|e\.g|i\.e|approx|no)\.$", re.I)


@dataclass(frozen=True)
class Caption:
    """The words under a figure: all of them, before the first panel letter, and by panel letter."""

    text: str
    head: str
    parts: Mapping[str, str]

    def of(self, letter: str) -> str:
        """What is said of one panel: the head and its own part; everything where no panels are told apart."""
        return f"{self.head} {self.parts.get(letter, '')}".strip() if self.parts else self.text


@dataclass(frozen=True, eq=False)
class Paper:
    """`figures`: number -> picture; `tables`: file name -> its blocks; `problems`: files that could not be used."""

    folder: Path
    sentences: tuple[str, ...]
    captions: Mapping[str, Caption]
    figures: Mapping[str, Path]
    tables: Mapping[str, tuple[SourceTable, ...]]
    problems: tuple[str, ...] = ()

    def caption(self, number: str) -> Caption:
        """The caption of a figure; an empty one where the text has none."""
        return self.captions.get(number, Caption("", "", {}))


@dataclass
class _Text:
    paragraphs: list[str] = field(default_factory=list)
    captions: dict[str, str] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)


def read_paper(folder: Path) -> Paper:
    """Text, captions, figures and tables of a folder. Raises ValueError where it has no text, figure or table."""
    files = sorted(p for p in folder.rglob("*") if p.is_file() and not p.name.startswith("."))
    text, problems, tables = _Text(), [], {}
    data = [p for p in files if p.suffix.lower() in (*TEXTS, *BOOKS)]
    words = [p for p in files if p.suffix.lower() in WORDS and not (p.suffix.lower() == ".txt" and _is_table(p))]
    for path in data:
        if path not in words:
            try:
                tables[path.name] = tuple(read_tables(path))
            except UnreadableTable as error:
                problems.append(str(error))
    for path in words:
        _add_text(path, text, problems)
    pictures = [p for p in files if p.suffix.lower() in PICTURES]
    figures = _numbered(pictures, text)
    if not text.paragraphs and not text.captions:
        raise ValueError(f"{folder} holds no text of a paper ({', '.join(WORDS)})")
    if not figures or not tables:
        raise ValueError(f"{folder} holds {len(figures)} figures and {len(tables)} tables; both are needed")
    captions = {number: caption_of(words) for number, words in text.captions.items()}
    sentences = tuple(s for paragraph in text.paragraphs for s in sentences_of(paragraph))
    return Paper(folder, sentences, captions, figures, tables, tuple(problems))


def _is_table(path: Path) -> bool:
    """A text file is a table where most of its lines are cut into cells by tabs."""
    lines = [line for line in path.read_text("utf-8", errors="replace").splitlines()[:50] if line.strip()]
    return bool(lines) and sum("\t" in line for line in lines) > 0.6 * len(lines)


def _add_text(path: Path, text: _Text, problems: list[str]) -> None:
    raw = path.read_text("utf-8", errors="replace")
    if path.suffix.lower() in (".xml", ".nxml"):
        if "<!ENTITY" in raw:
            problems.append(f"{path.name} defines entities of its own and is not read.")
            return
        try:
            _add_xml(ElementTree.fromstring(raw), text)
        except ElementTree.ParseError as error:
            problems.append(f"{path.name} is no well-formed XML ({error}).")
        return
    for block in re.split(r"\n\s*\n", raw):
        _add_block(block, text)


def _add_block(block: str, text: _Text) -> None:
    link = LINK.search(block)
    plain = " ".join(re.sub(r"[*_`#>]+(?=\S)|(?<=\S)[*`]+", "", LINK.sub(" ", block)).split())
    found = CAPTION.match(plain)
    if found:
        text.captions.setdefault(found[1], found[2].strip())
    if link:
        number = found[1] if found else _number(link[1])
        if number:
            text.links.setdefault(number, Path(link[1]).name)
    if plain and not found:
        text.paragraphs.append(plain)


def _add_xml(root: ElementTree.Element, text: _Text) -> None:
    inside = set()
    for figure in root.iter():
        if _tag(figure) != "fig":
            continue
        inside |= {id(one) for one in figure.iter()}
        label = next((_flat(one) for one in figure.iter() if _tag(one) == "label"), "")
        number = _number(label) or _number(figure.get("id", ""))
        if not number:
            continue
        words = [_flat(one) for one in figure.iter() if _tag(one) == "caption"]
        text.captions.setdefault(number, " ".join(words))
        for one in figure.iter():
            target = next((v for k, v in one.attrib.items() if k.endswith("href")), "")
            if _tag(one) == "graphic" and target:
                text.links.setdefault(number, Path(target).name)
    for one in root.iter():
        if _tag(one) in ("p", "title", "article-title") and id(one) not in inside:
            text.paragraphs.append(_flat(one))


def _tag(one: ElementTree.Element) -> str:
    return str(one.tag).rpartition("}")[2]


def _flat(one: ElementTree.Element) -> str:
    """All words of an element; blocks within it are parted by a space."""
    return " ".join(" ".join(_runs(one)).split()).replace(" .", ".").replace(" ,", ",")


def _runs(one: ElementTree.Element) -> Iterator[str]:
    yield one.text or ""
    for child in one:
        yield from _runs(child)
        yield child.tail or ""


def _number(text: str) -> str:
    found = NAMED.search(text) or re.search(r"(?:^|\D)[Ff](\d+)", text)
    return found[1].lstrip("0") or "0" if found else ""


def _numbered(pictures: list[Path], text: _Text) -> dict[str, Path]:
    """Pictures by figure number: as the text links them, else as they are named, else in order."""
    linked = {name: number for number, name in text.links.items()}
    stems = {Path(name).stem: number for name, number in linked.items()}
    found: dict[str, Path] = {}
    rest = []
    for path in pictures:
        number = linked.get(path.name) or stems.get(path.stem) or _number(path.stem)
        if number and number not in found:
            found[number] = path
        else:
            rest.append(path)
    free = [n for n in text.captions if n not in found]
    return found | dict(zip(free, rest, strict=False))


def caption_of(words: str) -> Caption:
    """A caption taken apart at its panel letters, which have to come in order: (a), (b), ...

    >>> caption_of("Yields. (a) Oats by site. (b) Rye.").parts
    {'a': 'Oats by site.', 'b': 'Rye.'}
    """
    marks, wanted = [], "a"
    for found in re.finditer(r"(?:^|(?<=\s))\(?([A-Ha-h])(?:\)|,(?=\s)|\.(?=\s))\s*", words):
        if found[1].lower() == wanted and (
            found[0].startswith("(") or found.start() == 0 or words[found.start() - 2] in ".;"
        ):
            marks.append(found)
            wanted = chr(ord(wanted) + 1)
    if not marks or (len(marks) == 1 and not marks[0][0].startswith("(")):
        return Caption(words, words, {})
    ends = [one.start() for one in marks[1:]] + [len(words)]
    parts = {one[1].lower(): words[one.end() : end].strip() for one, end in zip(marks, ends, strict=True)}
    return Caption(words, words[: marks[0].start()].strip(), parts)


def sentences_of(paragraph: str) -> list[str]:
    """A paragraph cut into sentences; "Fig." and its like end none.

    >>> sentences_of("See Fig. 2a for yields. They rose.")
    ['See Fig. 2a for yields.', 'They rose.']
    """
    found: list[str] = []
    for part in SENTENCE.split(paragraph):
        if found and ABBREVIATED.search(found[-1]):
            found[-1] += f" {part}"
        else:
            found.append(part)
    return [one.strip() for one in found if one.strip()]
