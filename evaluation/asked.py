"""Questions on figures as a method gets them: words, a picture, a folder of tables. What is true of them is elsewhere.

Not handled here: making them (`plotground`), answering (the runner has it done).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Ask:
    """A question by what the figure prints (`text`), and in the paper's terms (`rewritten`)."""

    id: str
    text: str
    rewritten: str


@dataclass(frozen=True)
class Questioned:
    """A figure with its questions and the folder of its paper's tables."""

    id: str
    image: Path
    tables: Path
    questions: tuple[Ask, ...]


@dataclass(frozen=True)
class QuestionTask:
    """The questions of a figure for one method and some kinds of evidence; `out` gets the answers."""

    figure: Questioned
    method: str
    evidence: tuple[str, ...]
    out: Path
