"""A paper from its folder to questions: map, ground, synthesise, rewrite; each figure is read once.

Without a model the rules do what they can, and say of each panel what they could not. Not handled here: the steps
themselves (`binding`, `panel_grounds`, `synthesis`), many papers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agent.binding import Binding, bind, tables_at
from agent.panel_grounds import Grounded, ground_panel
from agent.paper import Caption, Paper, read_paper
from agent.reading import Reading, digitize
from agent.reliability import UNREAD
from agent.synthesis import Discarded, Question, synthesise
from tools.load import UnreadableFile
from tools.types import Image

LETTERS = "abcdefgh"
CANDIDATES = 4  # tables that values may decide between, where words do not


@dataclass(frozen=True, eq=False)
class WorkedFigure:
    """What became of one figure of a paper."""

    number: str
    picture: Path
    panels: tuple[Grounded, ...]
    questions: tuple[Question, ...]
    discarded: tuple[Discarded, ...]
    reason: str = ""
    pixels: Image | None = None

    def to_json(self) -> dict[str, Any]:
        """The figure's record: its mapping, panels, questions and what was discarded."""
        return {
            "figure": self.number, "picture": self.picture.name, "reason": self.reason,
            "panels": [one.to_json() for one in self.panels], "questions": [asdict(one) for one in self.questions],
            "discarded": [asdict(one) for one in self.discarded],
        }  # fmt: skip


def work_paper(folder: Path, read: Callable[[Path], Reading] = digitize) -> tuple[Paper, list[WorkedFigure]]:
    """Every figure of a paper. Raises ValueError where the folder holds no text, figure or table."""
    paper = read_paper(folder)
    return paper, [work_figure(paper, number, picture, read) for number, picture in sorted(paper.figures.items())]


def work_figure(paper: Paper, number: str, picture: Path, read: Callable[[Path], Reading]) -> WorkedFigure:
    """One figure: read, each panel mapped and grounded, questions made."""
    caption = paper.caption(number)
    try:
        reading = read(picture)
    except UnreadableFile as error:
        return WorkedFigure(number, picture, (), (), (), str(error))
    letters = letters_of(reading, caption)
    if not reading.panels or letters is None:
        said = f"the caption tells {len(caption.parts)} panels apart, {len(reading.panels)} were found"
        reason = said if reading.panels else reading.refusals[0]
        lost = [Grounded(x, "", _first(bind(paper, number, x)), reason=UNREAD, detail=reason)
                for x in caption.parts or [""]]  # fmt: skip
        return WorkedFigure(number, picture, tuple(lost), (), (), reason, reading.figure.pixels)
    panels = []
    for letter, panel in zip(letters, reading.panels, strict=True):
        named = letter if caption.parts else ""
        bindings = bind(paper, number, named)[:CANDIDATES]
        tables = tables_at(paper, [one.where for one in bindings])
        panels.append(ground_panel(panel, letter, reading.words, caption.of(letter), bindings, tables))
    questions, discarded = synthesise(paper, number, panels)
    return WorkedFigure(number, picture, tuple(panels), questions, discarded, "", reading.figure.pixels)


def _first(found: list[Binding]) -> Binding | None:
    return found[0] if found else None


def letters_of(reading: Reading, caption: Caption) -> list[str] | None:
    """The letter of each panel in reading order; None where caption and figure do not have the same panels."""
    count = len(reading.panels)
    if caption.parts and len(caption.parts) != count:
        return None
    return list(LETTERS[:count]) if count <= len(LETTERS) else None
