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
from agent.lettering import printed_letters
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
    wanted = list(caption.parts) or ([] if reading.panels else [""])
    reason = reading.refusals[0] if not reading.panels else ""
    if caption.parts and len(caption.parts) != len(reading.panels):
        reason = f"the caption tells {len(caption.parts)} panels apart, {len(reading.panels)} were found"
    panels = []
    for letter, panel in zip(letters, reading.panels, strict=True):
        if letter is None:
            continue
        bindings = bind(paper, number, letter if caption.parts else "")[:CANDIDATES]
        tables = tables_at(paper, [one.where for one in bindings])
        panels.append(ground_panel(panel, letter, reading.words, caption.of(letter), bindings, tables))
    found = {one.letter for one in panels}
    lost = [Grounded(x, "", _first(bind(paper, number, x)), reason=UNREAD, detail=reason)
            for x in wanted if x not in found]  # fmt: skip
    panels = sorted([*panels, *lost], key=lambda one: one.letter)
    questions, discarded = synthesise(paper, number, panels)
    return WorkedFigure(number, picture, tuple(panels), questions, discarded, reason, reading.figure.pixels)


def _first(found: list[Binding]) -> Binding | None:
    return found[0] if found else None


def letters_of(reading: Reading, caption: Caption) -> list[str | None]:
    """The letter of each panel: in reading order where caption and figure have the same number of panels, else the one
    that is printed over it; None for a panel that neither tells."""
    count = len(reading.panels)
    if not caption.parts or len(caption.parts) == count:
        return [LETTERS[k] if k < len(LETTERS) else None for k in range(count)]
    return [letter if letter in caption.parts else None for letter in printed_letters(reading)]
