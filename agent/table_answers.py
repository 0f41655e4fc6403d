"""Answers from deposited tables: rows as they stand, and the values that their plain recipes give.

A question names the sheet by what it speaks of, and says which arithmetic is meant (mean, percent of, log, survival).
Not handled here: looking into a reading (`asking`), sheets whose words the question does not share.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from agent.arithmetic import TRANSFORMS, is_claimed, variants
from agent.asked_rows import Sheet
from agent.asking import BOX, WIDE, Answer, answer_from
from agent.binding import Where, by_words
from agent.box_check import table_boxes
from agent.questions import Question, mention, parse_question, tokens
from agent.recipes import Curve, Layout, filter_of, layouts
from agent.source_tables import SourceTable, without_unit
from tools.table import MISSING, Cell, Table
from tools.types import moment

STATISTICS = (("mean", r"\bmeans?\b|average"), ("median", r"\bmedians?\b"), ("sum", r"\bsum\b|\btotals?\b"),
              ("count", r"\bcounts?\b|\bnumber of\b"), ("rows", r"\bcounts?\b|\bnumber of\b"),
              ("Kaplan", r"surviv|kaplan|event-free"))  # fmt: skip
ALIKE = 0.97  # share of the best likeness of words from which a sheet is as good as the best one


def answer_tables(tables: Sequence[SourceTable], question: str) -> tuple[list[Answer], tuple[Where, ...]]:
    """What a paper's tables answer to a question in its own terms, and the sheets that were opened for it.

    Several answers where the words fit sheets of different values alike; one refused answer where nothing fits.
    """
    asked = replace(parse_question(question), panel=0)
    byplace: Mapping[Where, SourceTable] = {(t.source, t.sheet): t for t in tables}
    bindings = by_words(byplace, question)
    opened: list[Where] = []
    found: list[Answer] = []
    refused: Answer | None = None
    for one in bindings:
        if found and one.weight < ALIKE:
            break
        opened.append(one.where)
        sheets = [s for t in tables if (t.source, t.sheet) == one.where for s in sheets_of(t, asked)]
        answer = answer_from(sheets, asked, "table")
        if answer.value is None:
            refused = refused or answer
        elif answer.value not in [other.value for other in found]:
            found.append(replace(answer, evidence=f"table {' '.join(part for part in one.where if part)}"))
    return found or [refused or Answer(None, reason="no table could be opened")], tuple(opened)


def one_of(found: Sequence[Answer], figure: Answer | None = None) -> Answer:
    """The answer; of several the one that the figure shows; refused where nothing tells them apart."""
    if len(found) == 1:
        return found[0]
    if figure is not None and figure.value is not None:
        near = min(found, key=lambda one: abs((one.value or 0.0) - (figure.value or 0.0)))
        if near.value is not None and abs(near.value - figure.value) <= WIDE * abs(near.value):
            return near
    places = ", ".join(one.evidence.removeprefix("table ") for one in found)
    return Answer(None, reason=f"{len(found)} sheets fit the question with different values: {places}")


def sheets_of(table: SourceTable, asked: Question) -> Iterator[Sheet]:
    """What a table offers to a question: the layouts whose recipe its words speak of."""
    if _is_statistic(table, asked):
        yield from _box_sheets(table, asked)
        return
    every = [_narrowed(layout, asked) for layout in layouts(table)]
    said = [name for name, pattern in STATISTICS if re.search(pattern, asked.text, re.I)]
    wanted = [one for one in every if _statistic(one) in said] or [one for one in every if not _statistic(one)]
    chosen = _best_columns(wanted, asked.target)
    claimed = [v for layout in chosen for v in variants(layout) if _is_claimed(v, layout, asked.text)]
    for layout in claimed or chosen:
        yield Sheet(_table_of(layout, asked.target), 0, f"{table.sheet} {layout.recipe}", layout.form == "survival")


def _is_statistic(table: SourceTable, asked: Question) -> bool:
    """Whether a question asks for a quartile or its like, and its "Q3" is no label of the table."""
    labels = {text for c in table.columns if c.kind == "text" for text in c.texts if text}
    rest = asked.target
    for label in sorted(labels, key=len, reverse=True):
        rest = re.sub(rf"(?<!\w){re.escape(label)}(?!\w)", " ", rest, flags=re.I)
    return parse_question(rest).statistic in BOX


def _statistic(layout: Layout) -> str:
    return next((name for name, _ in STATISTICS if layout.recipe.startswith(name)), "")


def _narrowed(layout: Layout, asked: Question) -> Layout:
    """Of curves that several columns of words tell apart, those whose words the question all says.

    They are called by the word that stands in the part that asks.
    """
    if ", " not in layout.recipe:
        return layout
    said = set(tokens(asked.text))
    kept = []
    for curve in layout.curves:
        values = list(filter_of(layout.recipe, curve.name, layout.table).values())
        if len(values) > 1 and set(tokens(" ".join(values))) <= said:
            name = next((value for value in values if mention(value, asked.target)), curve.name)
            kept.append(replace(curve, name=name))
    return replace(layout, curves=tuple(kept)) if kept else layout


def _is_claimed(variant: Layout, base: Layout, text: str) -> bool:
    name = variant.recipe.removesuffix(base.recipe).removesuffix(" of ") if base.recipe != "as is" else variant.recipe
    transform = next((t for t, _, _ in TRANSFORMS if t == name), "")
    if "log" in name:
        return is_claimed(name, text) and name.startswith("-") == bool(re.search(r"[-−–]\s*log|negative log", text))
    if name.startswith("percent of ") and not transform and name != "percent of the total":
        return bool(re.search(rf"(?:percent|%) of {re.escape(name.removeprefix('percent of '))}", text, re.I))
    first = base.table.columns[0].texts[0] if base.table.rows else ""
    pattern = {"fold of the first row": r"\bfold\b|relative to", "percent of the first row": r"(?:percent|%) of"}
    wanted = pattern.get(transform, "")
    return bool(wanted and re.search(rf"(?:{wanted})\s+(?:the\s+)?{re.escape(first)}", text, re.I))


def _best_columns(found: Sequence[Layout], text: str) -> list[Layout]:
    """The layouts whose columns the question names best: by rows and series that it names, then by the column."""
    said = set(tokens(text))

    def worth(layout: Layout) -> float:
        named = len(layout.curves) > 1 and any(mention(c.name, text) for c in layout.curves)
        placed = any(mention(label, text) for c in layout.curves[:1] for label in c.labels)
        columns = [max((_share(name, said) for name in c.columns[:1]), default=0.0) for c in layout.curves]
        return named + placed + max(columns, default=0.0) - 0.2 * layout.cost

    best = max(map(worth, found), default=0.0)
    return [layout for layout in found if worth(layout) > best - 0.3]


def _share(name: str, said: set[str]) -> float:
    own = set(tokens(without_unit(name)))
    return len(own & said) / max(len(own), 1)


def _table_of(layout: Layout, text: str) -> Table:
    """The curves of a layout as a table: a row per label, a column per curve that is no mere help or that is named."""
    curves = [c for c in layout.curves if not c.optional or mention(c.name, text)] or list(layout.curves)
    labels = list(dict.fromkeys(label for c in curves for label in c.labels))
    at = {label: (c, i) for c in reversed(curves) for i, label in enumerate(c.labels)}
    rows = []
    for label in labels:
        rows.append((_key(*at[label], label), *(_cell(c, label) for c in curves)))
    if layout.form == "survival":
        rows.sort(key=lambda row: float(row[0].value or 0.0))
        rows = _filled(rows)
    return Table((layout.x_name, *(c.name for c in curves)), tuple(rows))


def _key(curve: Curve, row: int, label: str) -> Cell:
    if curve.dated and np.isfinite(curve.x[row]):
        iso = moment(float(curve.x[row])).isoformat().removesuffix("T00:00:00")
        return Cell(iso, iso)
    return Cell(float(curve.x[row]), label) if np.isfinite(curve.x[row]) else Cell(label, label)


def _cell(curve: Curve, label: str) -> Cell:
    where = [i for i, one in enumerate(curve.labels) if one == label and np.isfinite(curve.y[i])]
    return Cell(float(curve.y[where[0]]), f"{curve.y[where[0]]:.6g}") if where else MISSING


def _filled(rows: Sequence[tuple[Cell, ...]]) -> list[tuple[Cell, ...]]:
    """A stepped curve keeps its level where another one steps."""
    found: list[tuple[Cell, ...]] = []
    for row in rows:
        before = found[-1] if found else row
        found.append(tuple(b if c is MISSING and b is not MISSING else c for c, b in zip(row, before, strict=True)))
    return found


def _box_sheets(table: SourceTable, asked: Question) -> Iterator[Sheet]:
    """Five numbers of each box that the table gives, by the column that the question names best."""
    said = set(tokens(asked.text))
    options = [boxes for boxes in table_boxes(table) if any(mention(name, asked.target) for name in boxes[1])]
    worth = [_share(boxes[0].partition(" of ")[2].split(" per ")[0], said) for boxes in options]
    for boxes, value in zip(options, worth, strict=True):
        if value >= max(worth) - 1e-9:
            rows = tuple(
                (Cell(name, name), *(Cell(float(v), f"{v:.6g}") if np.isfinite(v) else MISSING for v in numbers))
                for name, numbers in zip(boxes[1], boxes[2], strict=True)
            )
            yield Sheet(Table(("x", *BOX), rows, "box"), 0, table.sheet)
