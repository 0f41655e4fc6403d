"""Questions answered with a figure, its tables, or both as evidence, and what was opened for each.

Offline: the figure is read once and its values are found by the words of the question; tables are looked into by
`table_answers`. A model at one look gets the picture, 1,600 px at most, the tables as text, or both. Not handled here:
making questions (`synthesis`), judging answers.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, get_args

from agent.asking import Answer, ask_reading, both
from agent.backend import Usage
from agent.limits import PictureLimit
from agent.methods import Method
from agent.reading import Reading, read_figure
from agent.replies import FormatFailure, answer_in
from agent.source_tables import BOOKS, TEXTS, SourceTable, UnreadableTable, read_tables
from agent.stopping import Stop
from agent.table_answers import answer_tables, one_of
from prompts import fill, load
from tools.load import load as load_picture
from tools.types import Figure

Evidence = Literal["figure", "figure in the paper's terms", "table", "both"]
EVIDENCE: tuple[Evidence, ...] = get_args(Evidence)
EDGE = 1600  # px: the longest edge of a picture that is sent at one look, as in the paper
MOST_TEXT = 60_000  # characters of tables that are sent


@dataclass(frozen=True)
class Asked:
    """A question without its answer: `text` by what the figure prints, `rewritten` in the paper's terms."""

    id: str
    text: str
    rewritten: str


@dataclass(frozen=True)
class Given:
    """One answer: the value (None where it was refused, with the reason), its interval, what it took and opened."""

    id: str
    evidence: str
    value: float | None
    reason: str = ""
    low: float | None = None
    high: float | None = None
    seconds: float = 0.0
    usage: Usage = field(default_factory=Usage)
    opened: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    figure_value: float | None = None
    failed: str = ""

    def to_json(self) -> dict[str, Any]:
        """Everything, JSON-able."""
        plain = {k: v for k, v in vars(self).items() if k != "usage"}
        return plain | {"dollars": self.usage.dollars, "tokens": self.usage.input_tokens + self.usage.output_tokens,
                        "output_tokens": self.usage.output_tokens}  # fmt: skip


def answer_all(
    picture: Path, data: Path, questions: Sequence[Asked], evidence: Sequence[Evidence], method: Method
) -> list[Given]:
    """Every question by every kind of evidence. Raises `tools.load.UnreadableFile` where the picture is none."""
    figure = load_picture(picture)
    needs_figure = any(one != "table" for one in evidence)
    tables = tables_of(data) if any(one in ("table", "both") for one in evidence) else []
    if method.kind == "single-shot":
        return [_by_eye(figure, tables, q, kind, method) for q in questions for kind in evidence]
    started = time.perf_counter()
    reading = read_figure(figure, method) if needs_figure else None
    took = (time.perf_counter() - started) / max(len(questions), 1)
    found = []
    for question in questions:
        for kind in evidence:
            began = time.perf_counter()
            given = _measured(reading, tables, question, kind)
            used = reading is not None and kind != "table"
            seconds = time.perf_counter() - began + (took if used else 0.0)
            share = _shared(reading.usage, len(questions)) if reading is not None and used else Usage()
            failed = reading.failed if reading is not None and used else ""
            found.append(replace(given, seconds=round(seconds, 3), usage=share, failed=failed))
    return found


def _shared(usage: Usage, parts: int) -> Usage:
    """An even part of what a reading took."""
    dollars = usage.dollars / parts if usage.dollars is not None else None
    return replace(usage, input_tokens=usage.input_tokens // parts, output_tokens=usage.output_tokens // parts,
                   dollars=dollars)  # fmt: skip


def tables_of(data: Path) -> list[SourceTable]:
    """Every table of a folder; files that are none are passed over."""
    found: list[SourceTable] = []
    for path in sorted(p for p in data.rglob("*") if p.suffix.lower() in (*TEXTS, *BOOKS)):
        try:
            found += read_tables(path)
        except UnreadableTable:
            continue
    return found


def _measured(reading: Reading | None, tables: Sequence[SourceTable], question: Asked, kind: Evidence) -> Given:
    """An answer from a reading and tables; of both, the table's, held against the figure's."""
    if kind in ("figure", "figure in the paper's terms"):
        assert reading is not None
        words = question.text if kind == "figure" else question.rewritten
        seen = ask_reading(reading, words)
        return _given(question, kind, seen, (f"figure, panel {seen.panel}" if seen.panel else "figure",))
    found, wheres = answer_tables(tables, question.rewritten)
    opened = tuple(f"table {' '.join(part for part in where if part)}" for where in wheres)
    if kind == "table":
        return _given(question, kind, one_of(found), opened)
    assert reading is not None
    seen = ask_reading(reading, question.text)
    given = _given(question, kind, both(seen, one_of(found, seen)), (*opened, "figure"))
    return replace(given, figure_value=seen.value)


def _given(question: Asked, kind: str, answer: Answer, opened: tuple[str, ...]) -> Given:
    return Given(question.id, kind, answer.value, answer.reason, answer.low, answer.high, opened=opened,
                 doubts=answer.doubts)  # fmt: skip


def _by_eye(figure: Figure, tables: Sequence[SourceTable], question: Asked, kind: Evidence, method: Method) -> Given:
    """One question to a model at one look: the picture, the tables as text, or both."""
    from agent.pictures import whole_figure
    from agent.single_shot import SHORT, ask

    backend = method.open()
    words = question.text if kind == "figure" else question.rewritten
    name = "single_shot_plotground" if kind.startswith("figure") else "single_shot_plotground_tables"
    prompt = load(method.options.prompt if method.options.prompt and kind == "figure" else SHORT.get(name, name))
    values = {"question": words} | ({} if kind.startswith("figure") else {"tables": as_text(tables)})
    pictures = [] if kind == "table" else [whole_figure(figure, capped(backend.limit))[1]]
    opened = (*(("tables as text",) if "tables" in values else ()), *(("figure",) if pictures else ()))
    started = time.perf_counter()
    try:
        asked = ask(backend, fill(prompt, **values), pictures, method.options.effort, method.options.code)
    except Stop as stop:
        return Given(question.id, kind, None, str(stop), seconds=round(time.perf_counter() - started, 3), opened=opened,
                     failed=str(stop) if stop.outside else "")  # fmt: skip
    took = round(time.perf_counter() - started, 3)
    try:
        value, reason = answer_in(asked.text), ""
    except FormatFailure as failure:
        value, reason = None, str(failure)
    return Given(question.id, kind, value, reason, seconds=took, usage=asked.usage, opened=opened)


def capped(limit: PictureLimit) -> PictureLimit:
    """A provider's limit, and no edge longer than the benchmark allows."""
    return replace(limit, edge=min(limit.edge, EDGE))


def as_text(tables: Sequence[SourceTable]) -> str:
    """Tables as tab-separated text under their names, as much as is sent."""
    parts = []
    for table in tables:
        rows = ["\t".join(column.name for column in table.columns)]
        rows += ["\t".join(column.texts[i] for column in table.columns) for i in range(table.rows)]
        parts.append("\n".join([f"# {table.title}", *rows]))
    text = "\n\n".join(parts)
    return text if len(text) <= MOST_TEXT else f"{text[:MOST_TEXT]}\n(cut)"
