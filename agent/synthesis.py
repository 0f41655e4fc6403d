"""Questions on grounded panels: which values are asked for, in the figure's words, and again in the paper's.

At most two a figure, from different panels, the clearest first. A value is not asked for where the reading of the
figure is far from it (that is told to a person), or where the text states it. Not handled here: grounding
(`panel_grounds`), answering (`answering`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agent.elements import Element
from agent.panel_grounds import Grounded
from agent.paper import Caption, Paper
from agent.questions import NUMBER, mention, tokens

MOST = 2
FAR = 0.15  # relative: three times the tolerance at which answers are judged
STATED = 0.005  # relative: a number of the text this near to a value is that value, if it is not merely rounded
TRIES = 12  # values of a panel that are looked at, from the clearest down
POINTING = re.compile(
    r"\(?\b(?:fig(?:ure)?s?\.?\s*\d+\w?|panels?|left|right|top|bottom|shown|plotted|here|axis|axes|table|source data)\b"
    r"[^,;.]*[,;]?\)?", re.I
)  # fmt: skip


@dataclass(frozen=True)
class Question:
    """One question. `text` names what the figure prints, `rewritten` says it in the paper's terms."""

    figure: str
    panel: str
    kind: str
    text: str
    rewritten: str
    answer: float
    series: str
    at: str
    statistic: str
    clear: float


@dataclass(frozen=True)
class Discarded:
    """A value that is not asked for, and why: "figure and table disagree", "stated in the text", "not read",
    "basic constraint"."""

    figure: str
    panel: str
    series: str
    at: str
    reason: str
    detail: str
    table: float
    read: float | None = None


def synthesise(
    paper: Paper, figure: str, panels: Sequence[Grounded]
) -> tuple[tuple[Question, ...], tuple[Discarded, ...]]:
    """The questions of one figure, and the values that were looked at and discarded."""
    found: list[Question] = []
    lost: list[Discarded] = []
    caption = paper.caption(figure)
    for one in panels:
        if one.recipe is None:
            continue
        if problem := constraint(one):
            lost.append(Discarded(figure, one.letter, "", "", "basic constraint", problem, float("nan")))
            continue
        lost += disagreements(figure, one)
        asked = _ask_one(paper, figure, one, caption, len(panels), lost)
        if asked is not None:
            found.append(asked)
    found.sort(key=lambda q: -q.clear)
    return tuple(found[:MOST]), tuple(lost)


def constraint(one: Grounded) -> str:
    """What is wrong with the recomputed values of a panel as such; empty where nothing is.

    Shares that survive never rise and lie between 0 and 1 (or 100), percentages of a whole between 0 and 100.
    """
    assert one.recipe is not None
    if not one.recipe.aggregation.startswith("Kaplan"):
        return ""
    for name in {e.series for e in one.elements}:
        values = [e.value for e in one.elements if e.series == name]
        if np.any(np.diff(values) > 1e-9) or min(values, default=0) < 0 or max(values, default=0) > 100:
            return "a survival curve that rises or leaves 0 to 100 %"
    return ""


def disagreements(figure: str, one: Grounded) -> list[Discarded]:
    """The values of a panel that the figure shows otherwise than the table says, for a person to look at."""
    found = []
    for e in one.elements:
        if e.read is not None and is_far(e.read, e.value):
            words = f"the table says {e.value:.6g}, the figure shows {e.read:.6g}"
            found.append(Discarded(figure, one.letter, e.series, e.at, "figure and table disagree", words, e.value,
                                   e.read))  # fmt: skip
    return found


def is_far(read: float, value: float) -> bool:
    """True where a reading is off by three times the tolerance or more."""
    return abs(read - value) >= FAR * abs(value)


def _ask_one(
    paper: Paper, figure: str, one: Grounded, caption: Caption, count: int, lost: list[Discarded]
) -> Question | None:
    """The clearest value of a panel that may be asked for; what is passed over is noted."""
    for e in sorted(one.elements, key=lambda element: -element.clear)[:TRIES]:
        if not e.value or not _is_unique(e, one.elements):
            continue
        if e.read is None:
            lost.append(Discarded(figure, one.letter, e.series, e.at, "not read", "nothing was read there", e.value))
            continue
        if is_far(e.read, e.value):
            continue
        if sentence := stated(paper, e, one):
            lost.append(Discarded(figure, one.letter, e.series, e.at, "stated in the text", sentence, e.value, e.read))
            continue
        text = in_figure_words(one, e, count)
        return Question(figure, one.letter, one.kind, text, in_paper_words(one, e, caption), e.value, e.series, e.at,
                        e.statistic, e.clear)  # fmt: skip
    return None


def _is_unique(e: Element, others: Sequence[Element]) -> bool:
    return sum((o.series, o.at, o.statistic) == (e.series, e.at, e.statistic) for o in others) == 1


def stated(paper: Paper, e: Element, one: Grounded) -> str:
    """The sentence of the text that states a value; empty where there is none.

    A sentence states it where it holds its number, to two digits at least, and the place or the series as well.
    """
    captions = [caption.text for caption in paper.captions.values()]
    for sentence in (*paper.sentences, *captions):
        named = mention(e.at, sentence) or (e.series and mention(e.series, sentence))
        if not named:
            continue
        for match in NUMBER.finditer(sentence):
            said = float(match[0].replace(",", "").replace("−", "-"))
            digits = len(re.sub(r"\D", "", match[0]).lstrip("0"))
            if digits >= 2 and abs(said - e.value) <= max(STATED * abs(e.value), _half_digit(match[0])):
                return sentence
    return ""


def _half_digit(text: str) -> float:
    return 0.5 * 10.0 ** -len(text.partition(".")[2])


def in_figure_words(one: Grounded, e: Element, count: int) -> str:
    """The question by what the figure prints alone: panel, axis label, series, tick or category."""
    where = f"In panel {one.letter}, what" if count > 1 else "What"
    return f"{where} is {_what(one, e)}{_of(e)}{_at(one, e)}?"


def in_paper_words(one: Grounded, e: Element, caption: Caption) -> str:
    """The question in the paper's terms: its caption instead of panels and figures, so that a table answers it too."""
    about = _context(caption, one.letter)
    start = f"{about}: what" if about else "What"
    return f"{start} is {_what(one, e)}{_of(e)}{_at(one, e)}?"


def _what(one: Grounded, e: Element) -> str:
    label = " ".join(one.label.split()) or "value"
    unit = f" ({one.unit})" if one.unit and one.unit.casefold() not in label.casefold() else ""
    statistic = {"median": "median ", "q1": "lower quartile of the ", "q3": "upper quartile of the "}.get(
        e.statistic, ""
    )
    aggregation = one.recipe.aggregation.split(" ")[0] if one.recipe else ""
    if aggregation in ("mean", "median") and aggregation not in tokens(label):
        statistic = f"{aggregation} "
    return f"the {statistic}{_lower(label)}{unit}"


def _lower(label: str) -> str:
    """A label within a sentence: its first letter small, unless it is an abbreviation or a symbol."""
    first = label.split(" ")[0]
    return label[0].lower() + label[1:] if first.istitle() and len(first) > 2 else label


def _of(e: Element) -> str:
    return f" of {e.series}" if e.series else ""


def _at(one: Grounded, e: Element) -> str:
    if e.dated:
        return f" on {e.at}"
    if e.numeric:
        return f" at {one.x_label} = {e.at}" if one.x_label else f" at {e.at}"
    return f" for {e.at}"


def _context(caption: Caption, letter: str) -> str:
    """What the caption says of the panel in its first sentences, without pointing at figures."""
    parts = [caption.head, caption.parts.get(letter, "")] if caption.parts else [caption.text]
    sentences = [part.split(". ")[0].strip(" .") for part in parts if part]
    kept = [re.sub(r"\s+", " ", POINTING.sub(" ", one)).strip(" ,;.") for one in sentences]
    return "; ".join(one for one in kept if len(one) > 3)
