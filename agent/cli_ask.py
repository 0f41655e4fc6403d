"""The command `plotcaliper ask`: one plotted value with its interval. `cli` hangs it in.

Not handled here: finding the answer (`asking`).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agent import method_options as opt

if TYPE_CHECKING:
    from agent.asking import Answer
    from tools.table import Table


class Evidence(StrEnum):
    """Where an answer may come from."""

    figure = "figure"
    table = "table"
    both = "both"


def ask(
    figure: Annotated[Path, typer.Argument(help="A picture, PDF page or SVG.")],
    question: Annotated[str, typer.Argument(help='As in: "In panel b, what is the response of wild type at 10 mg?"')],
    data: Annotated[Path | None, typer.Option(help="A table, or a folder of tables, behind the figure.")] = None,
    evidence: Annotated[Evidence | None, typer.Option(help="What may answer; both, where --data is given.")] = None,
    page: Annotated[int, typer.Option(min=1, help="Page of a PDF.")] = 1,
    method: Annotated[str, typer.Option(help=f"How to read: {opt.METHOD_HELP}")] = "offline",
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer with its evidence as JSON.")] = False,
) -> None:
    """One plotted value with its interval, from the figure, its source tables, or both."""
    wanted = evidence or (Evidence.both if data is not None else Evidence.figure)
    try:
        if not question.strip():
            raise ValueError("the question is empty: name a series and a place, as the figure labels them")
        if wanted != Evidence.figure and data is None:
            raise ValueError(f"--evidence {wanted.value} needs --data: name the table or the folder of tables")
        answer = _answer(figure, question, data, wanted, page, method)
    except (OSError, ValueError) as error:
        print(f"plotcaliper: {error}", file=sys.stderr)
        raise typer.Exit(2) from None
    if as_json:
        print(json.dumps(answer.to_json(), ensure_ascii=False))
    elif answer.value is not None:
        print(in_words(answer))
    else:
        print(f"plotcaliper: not answered: {answer.reason}", file=sys.stderr)
    raise typer.Exit(0 if answer.value is not None else 1)


def _answer(figure: Path, question: str, data: Path | None, wanted: Evidence, page: int, method: str) -> Answer:
    from agent.asking import ask_reading, ask_tables, both
    from agent.reading import digitize

    said = ask_tables(source_tables(data), question) if data is not None and wanted != Evidence.figure else None
    if said is not None and wanted == Evidence.table:
        return said
    seen = ask_reading(digitize(figure, page, method), question)
    return seen if said is None else both(seen, said)


def source_tables(place: Path) -> list[tuple[str, Table]]:
    """Every table of a file, or of the files of a folder, with its title. Raises ValueError where there is none."""
    from agent.rows import table_of_source
    from agent.source_tables import BOOKS, TEXTS, UnreadableTable, read_tables

    if not place.exists():
        raise ValueError(f"there is no file or folder {place}: check the path of --data")
    files = [place] if place.is_file() else sorted(p for p in place.rglob("*") if p.suffix.lower() in (*TEXTS, *BOOKS))
    found: list[tuple[str, Table]] = []
    for path in files:
        try:
            found += [(one.title, table_of_source(one)) for one in read_tables(path)]
        except UnreadableTable:
            if place.is_file():
                raise
    if not found:
        raise ValueError(f"there is no table in {place}")
    return found


def in_words(answer: Answer) -> str:
    """The answer in lines for a person: value, interval, place, evidence, doubts."""
    interval = "" if answer.low is None or answer.high is None else f"   (90 %: {answer.low:.6g} to {answer.high:.6g})"
    where = [f"panel {answer.panel}"] if answer.panel else []
    lines = [f"{answer.text}{interval}", f"from the {answer.evidence}: {', '.join([*where, answer.series, answer.at])}"]
    return "\n".join([*lines, *doubt_lines(answer.doubts)])


def doubt_lines(doubts: Sequence[str]) -> list[str]:
    return [f"doubt: {doubt}" for doubt in doubts]
