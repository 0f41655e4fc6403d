"""What a model wrote, taken apart: tables in fences, Markdown tables of series, x and y, JSON, a final answer.

A reply that holds no table at all is a failure of format, and said as such; numbers that cannot be read are counted
apart. Not handled here: the cells of a table (`tools.drafts`), asking the model again.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tools.drafts import NOTHING, Draft, number_of, parse_draft
from tools.types import Unreadable

Triplet = tuple[str, str, str]  # series, x, y as written
_FENCE = re.compile(r"```[ \t]*(\w*)[^\n]*\n(.*?)(?:```|\Z)", re.S)
_CHART = re.compile(r"^\W*(?:chart|panel|subplot|figure|table)\s*(?:no\.?\s*)?#?\(?(\d+|[a-z])\)?\b[^|]*$", re.I)
_RULE = re.compile(r"\|?[\s:|-]*-{2,}[\s:|-]*\|?")


class FormatFailure(ValueError):
    """A reply that is not in the form that was asked for; the text says in what way."""


@dataclass(frozen=True)
class Tables:
    """The tables of a reply in order. `warnings` say what was mended, `unreadable` how many values are no numbers."""

    drafts: tuple[Draft, ...]
    warnings: tuple[str, ...] = ()
    unreadable: int = 0


def tables_in(text: str) -> Tables:
    """All tables of a reply: in code fences, else Markdown tables, else the whole text. Raises FormatFailure.

    Tables of series, x and y (with or without lines `Chart N` between them) become long tables.
    """
    bodies = [body for kind, body in _FENCE.findall(text) if kind.lower() != "json" and body.strip()]
    closed = text.count("```") % 2 == 0
    bodies = bodies or _markdown(text) or [text]
    drafts: list[Draft] = []
    reasons: list[str] = []
    for body in bodies:
        triplets = triplet_charts(body)
        if triplets:
            drafts += [_long(rows) for rows in triplets]
            continue
        found = parse_draft(body)
        if not isinstance(found, Unreadable) and body is text and not _numeric(found):
            found = Unreadable("it is prose")
        if isinstance(found, Unreadable):
            reasons.append(found.reason)
        else:
            drafts.append(found)
    if not drafts:
        raise FormatFailure(f"the reply holds no table: {reasons[0] if reasons else 'it is empty'}")
    warnings = [f"table {n}: {w}" for n, draft in enumerate(drafts, 1) for w in draft.warnings]
    warnings += [f"a block of the reply is no table: {reason}" for reason in reasons]
    if not closed:
        warnings.append("the last table was cut short: its fence is not closed")
    return Tables(tuple(drafts), tuple(warnings), sum(unreadable_cells(draft) for draft in drafts))


def _numeric(draft: Draft) -> bool:
    """Whether most cells beside the first column are numbers: sentences have commas too."""
    cells = [cell for row in draft.rows for cell in row[1:]]
    return sum(cell.lower() in NOTHING or math.isfinite(number_of(cell)) for cell in cells) > 0.5 * len(cells)


def _markdown(text: str) -> list[str]:
    """Runs of lines with bars between cells, each a table; lines `Chart N` stay with the table after them."""
    if sum(line.count("|") >= 2 for line in text.splitlines()) < 2:
        return []
    if any(_CHART.match(line) for line in text.splitlines()):
        return [text]
    found: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.count("|") >= 2:
            found[-1].append(line)
        elif found[-1]:
            found.append([])
    return ["\n".join(lines) for lines in found if len(lines) > 1]


def triplet_charts(text: str) -> list[list[Triplet]]:
    """The rows (series, x, y) of each chart in a reply of three-column tables; empty where it is none.

    A new chart begins at a line `Chart N`, or at a header row after rows; without either, all rows are one chart.
    """
    charts: list[list[Triplet]] = [[]]
    heads = 0
    for line in text.splitlines():
        if "|" not in line and _CHART.match(line.strip()):
            charts.append([])
            continue
        cells = [cell.strip().strip("*") for cell in line.strip().strip("|").split("|")]
        if len(cells) != 3 or _RULE.fullmatch(line.strip()):
            continue
        if _is_head(cells):
            heads += 1
            if charts[-1]:
                charts.append([])
        else:
            charts[-1].append((cells[0], cells[1], cells[2]))
    return [rows for rows in charts if rows] if heads else []


def _is_head(cells: Sequence[str]) -> bool:
    words = [cell.lower() for cell in cells]
    return "series" in words[0] and words[1].startswith("x") and words[2].startswith("y")


def _long(rows: Sequence[Triplet]) -> Draft:
    """The rows of one chart as a wide table, or a long one where a series has an x twice."""
    names = list(dict.fromkeys(row[0] for row in rows))
    xs = list(dict.fromkeys(row[1] for row in rows))
    values = {(row[0], row[1]): row[2] for row in rows}
    if len(values) < len(rows):
        return Draft(("x", "y", "series"), tuple((x, y, name) for name, x, y in rows))
    body = tuple((x, *(values.get((name, x), "nan") for name in names)) for x in xs)
    return Draft(("x", *names), body)


def unreadable_cells(draft: Draft) -> int:
    """How many values of a table are neither numbers nor marked as missing."""
    words = [name.lower() for name in draft.header]
    text = {0} | {i for i, name in enumerate(words) if name in ("series", "outliers")}
    cells = (cell for row in draft.rows for i, cell in enumerate(row) if i not in text)
    return sum(cell.strip().lower() not in NOTHING and not math.isfinite(number_of(cell)) for cell in cells)


def json_in(text: str) -> Any:
    """The JSON value of a reply: in a fence or from the first brace; trailing commas and a cut end are mended.

    Raises FormatFailure.
    """
    fenced = [body for kind, body in _FENCE.findall(text) if kind.lower() in ("json", "")]
    body = next((one for one in fenced if "{" in one or "[" in one), text)
    start = min((i for i in (body.find("{"), body.find("[")) if i >= 0), default=-1)
    if start < 0:
        raise FormatFailure("the reply holds no JSON")
    body = re.sub(r",\s*([}\]])", r"\1", body[start:])
    try:
        return json.JSONDecoder().raw_decode(body)[0]
    except json.JSONDecodeError as error:
        mended = _closed(body)
        if mended is not None:
            return mended
        raise FormatFailure(f"the JSON of the reply is malformed: {error.msg} at character {error.pos}") from None


def _closed(body: str) -> Any:
    """A value whose end is missing, cut back to its last whole element and closed; None where that does not help."""
    for end in [m.start() for m in re.finditer(r"[,}\]]", body)][::-1][:40]:
        part = body[: end + 1].rstrip(",")
        stack = []
        inside = escaped = False
        for c in part:
            if inside:
                inside, escaped = not (c == '"' and not escaped), c == "\\" and not escaped
            elif c == '"':
                inside = True
            elif c in "{[":
                stack.append("}" if c == "{" else "]")
            elif c in "}]" and stack:
                stack.pop()
        try:
            return json.loads(part + "".join(reversed(stack)))
        except json.JSONDecodeError:
            continue
    return None


def answer_in(text: str) -> float:
    """The number of the last line `ANSWER: number`, else the last number of the reply. Raises FormatFailure."""
    said = re.findall(r"answer\W*[:=]\s*([^\n]+)", text, re.I)
    for line in reversed(said):
        value = number_of(line.strip().strip("*`. "))
        if math.isfinite(value):
            return value
        found = re.findall(r"[-+−]?\d[\d,]*\.?\d*(?:[eE][-+]?\d+)?", line)
        if found:
            return number_of(found[0])
    found = re.findall(r"[-+−]?\d[\d,]*\.?\d*(?:[eE][-+]?\d+)?", text)
    if not found:
        raise FormatFailure("the reply holds no number")
    return number_of(found[-1].rstrip(",."))
