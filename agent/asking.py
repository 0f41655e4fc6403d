"""One plotted value with its interval, found by the words of a question in a reading of the figure or in tables.

The question has to name what the figure names: a panel by its letter or number, a series by its legend entry, a place
by its tick label, number or date (as PlotGround's questions do). What it names twice or not at all is refused.

Not handled here: questions that need counting, comparing or knowledge beyond labels; models (`single_shot`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np

from agent.asked_rows import Sheet, asked_rows
from agent.lettering import printed_letters
from agent.questions import Question, mention, mentions, names_by_itself, parse_question, tokens
from agent.reading import Reading
from agent.rows import Key, keys_of, number
from tools.table import Cell, Table

Evidence = Literal["figure", "table", "both"]
BOX = ("whisker_low", "q1", "median", "q3", "whisker_high")
WIDE = 0.05  # half an interval over the value: more is a doubt


@dataclass(frozen=True)
class Answer:
    """A value with its 90 % interval and where it stands, or the reason why there is none (`value` is None)."""

    value: float | None
    text: str = "nan"
    low: float | None = None
    high: float | None = None
    evidence: str = ""
    panel: int = 0
    series: str = ""
    at: str = ""
    pixel: tuple[float, float] | None = None
    doubts: tuple[str, ...] = ()
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """Everything, JSON-able."""
        return asdict(self)


def ask_reading(reading: Reading, question: str) -> Answer:
    """Answer from a reading of the figure; a panel that was refused answers with its reason."""
    asked = parse_question(question)
    wanted = len(reading.panels) if asked.panel == -1 else _panel_of(reading, asked)
    if wanted > len(reading.panels):
        return _refused(f"the question names panel {wanted}, the figure has {len(reading.panels)}")
    sheets = []
    for index, panel in enumerate(reading.panels, 1):
        if wanted and index != wanted:
            continue
        if not isinstance(panel.table, Table):
            if wanted:
                return _refused(f"panel {index} could not be read: {panel.table.reason}")
            continue
        steps = any(one.kind == "step" for one in panel.series)
        bars = bool(panel.series) and all(one.kind in ("bar", "stack") for one in panel.series)
        doubts = ("the reading of this panel has low confidence",) if panel.confidence == "low" else ()
        yearless = any("year" in warning for axis in panel.panel.axes for warning in axis.warnings)
        horizontal = any(one.orientation == "horizontal" for one in panel.series)
        axis = panel.panel.x if horizontal else panel.panel.y
        label = axis.label if axis is not None else ""
        sheets.append(Sheet(panel.table, index, panel.panel.title, steps, bars, yearless, doubts, label))
    return answer_from(sheets, asked, "figure")


def _panel_of(reading: Reading, asked: Question) -> int:
    """The number of the panel that is asked for: by the letter over it where all panels have one, else by order."""
    letters = printed_letters(reading) if asked.panel > 0 else []
    wanted = chr(ord("a") + asked.panel - 1)
    return letters.index(wanted) + 1 if all(letters) and wanted in letters else asked.panel


def ask_tables(tables: Sequence[tuple[str, Table]], question: str) -> Answer:
    """Answer from source tables, each with its title (file, sheet)."""
    asked = parse_question(question)
    return answer_from([Sheet(table, 0, title) for title, table in tables], asked, "table")


def both(figure: Answer, table: Answer) -> Answer:
    """The table's answer where there is one, held against the figure's; a disagreement is a doubt."""
    if table.value is None:
        return figure
    if figure.value is None:
        return table
    scale = max(abs(table.value), 1e-12)
    inside = figure.low is not None and figure.high is not None and figure.low <= table.value <= figure.high
    if inside or abs(figure.value - table.value) <= WIDE * scale:
        return replace(table, pixel=figure.pixel, panel=figure.panel, evidence="table, and the figure agrees")
    return replace(table, doubts=(*table.doubts, f"the figure shows {figure.text} instead"))


def answer_from(sheets: Sequence[Sheet], asked: Question, evidence: str) -> Answer:
    """The one value of these sheets that the question's words fit best; refused where there is none, or two."""
    if not sheets:
        return _refused("nothing that could be read fits the question")
    if asked.comparing and not any(mention(asked.comparing, f"{one.title} {one.label}") for one in sheets):
        return _refused(f'"{asked.comparing}" asks for more than one plotted value: ask for each by itself')
    found = [pair for sheet in sheets for pair in _candidates(sheet, asked)]
    if not found:
        return _refused(f"the question names no place of the figure; it has {_offer(sheets)}")
    found.sort(key=lambda pair: -pair[0])
    best = [answer for score, answer in found if score >= found[0][0] - 0.5]
    values = {answer.text for answer in best}
    if len(values) > 1:
        places = "; ".join(f"{_place(answer)}" for answer in best[:4])
        return _refused(f"the question fits {len(best)} values ({places}): name the panel or the series")
    return replace(best[0], evidence=evidence, doubts=(*best[0].doubts, *_width_doubt(best[0])))


def _place(answer: Answer) -> str:
    where = f"panel {answer.panel}, " if answer.panel else ""
    return f"{where}{answer.series} at {answer.at}"


def _refused(reason: str) -> Answer:
    return Answer(None, reason=reason)


def _width_doubt(answer: Answer) -> tuple[str, ...]:
    if answer.value is None or answer.low is None or answer.high is None:
        return ()
    half = (answer.high - answer.low) / 2
    return (f"the interval is wide: {answer.low:.4g} to {answer.high:.4g}",) if half > WIDE * abs(answer.value) else ()


def _offer(sheets: Sequence[Sheet]) -> str:
    """What can be asked for, in short."""
    sheet = sheets[0]
    keys = [row[0].text for row in sheet.table.rows]
    ends = ", ".join(keys) if len(keys) <= 6 else f"{keys[0]} to {keys[-1]}"
    names = ", ".join(series_names(sheet.table)[:8])
    return f"{sheet.table.header[0]}: {ends}; series: {names}"


def series_names(table: Table) -> list[str]:
    """What a question may call the series of a table."""
    if "series" in table.header:
        at = table.header.index("series")
        return list(dict.fromkeys(row[at].text for row in table.rows))
    return [name for name in table.header[1:] if not name.endswith((" low", " high")) and name != "bin high"]


def _candidates(sheet: Sheet, asked: Question) -> Iterable[tuple[float, Answer]]:
    """(score, answer) of every series that has the place which the question names; score: characters named."""
    table = sheet.table
    title = mention(sheet.title, asked.text) + 0.5 * mention(sheet.label, asked.target)
    labels = series_names(table)
    # "the growth (% of Control) of Drug": what stands in brackets is a unit before it is a name.
    sizes = mentions(labels, re.sub(r"\([^()]*\)", " ", asked.target))
    named = dict(zip(labels, sizes if any(sizes) else mentions(labels, asked.target), strict=True))
    top = max(named.values(), default=0)
    unnamed = "" if top else _unnamed(sheet, labels, asked)
    elsewhere = " ".join([sheet.title, sheet.label, table.header[0], *(row[0].text for row in table.rows)])
    for name in labels:
        # "A" is named by "A and B" as well: of nested names only the longest counts.
        if top and (not named[name] or any(name in other and name != other and named[other] for other in labels)):
            continue
        alone = names_by_itself(name) and not mention(name, elsewhere)  # as good as a longer name that is named too
        for at, answer in _rows(sheet, name, asked, labels):
            doubts = (*answer.doubts, unnamed) if unnamed else answer.doubts
            yield title + (top if alone else named[name]) + at, replace(answer, doubts=doubts)


def _unnamed(sheet: Sheet, labels: Sequence[str], asked: Question) -> str:
    """The doubt of an answer where the figure names its series and the question names none of them."""
    own = [name for name in labels if name != sheet.label and not re.fullmatch(r"series \d+", name)]
    if not own or sheet.table.form == "box" or not sheet.panel:
        return ""
    if len(labels) == 1 and set(tokens(labels[0])) & set(tokens(asked.text)):
        return ""
    return f"the question names no series that was read: {', '.join(own[:6])}"


def _rows(sheet: Sheet, name: str, asked: Question, labels: Sequence[str]) -> Iterable[tuple[float, Answer]]:
    """(score, answer) for the rows of one series that the question may mean."""
    table = sheet.table
    rows = [row for row in table.rows if "series" not in table.header or row[table.header.index("series")].text == name]
    column = _column(table, name, asked)
    if column is None or not rows:
        return
    usable = [row for row in rows if np.isfinite(number(row[column]))]
    keys = keys_of([row[0] for row in usable])
    for score, index, doubt in asked_rows(keys, usable, asked, [*labels, sheet.title], sheet):
        if isinstance(index, int):
            doubt = doubt or _step_doubt(sheet, usable, column, index)
            yield score, _answer(sheet, name, usable[index], column, doubt)
        else:
            yield score, _between(sheet, name, usable, column, keys, index)
    if not keys or asked.extreme == "" or table.form == "box":
        return
    values = [number(row[column]) for row in usable]
    row = usable[int(np.argmax(values) if asked.extreme == "max" else np.argmin(values))]
    yield 0.25, _answer(sheet, name, row, column, "")


def _step_doubt(sheet: Sheet, rows: Sequence[Sequence[Cell]], column: int, index: int) -> str:
    """At a large step either level may be meant: a pixel decides which side of it a place is on."""
    if not sheet.steps or index == 0:
        return ""
    before, after = number(rows[index - 1][column]), number(rows[index][column])
    if abs(before - after) <= WIDE * abs(after):
        return ""
    return f"the level changes here, from {rows[index - 1][column].text} to {rows[index][column].text}"


def _column(table: Table, name: str, asked: Question) -> int | None:
    """The column that holds what is asked for: a statistic of boxes, an end of error bars, else the value."""
    header = list(table.header)
    if table.form == "box":
        statistic = asked.statistic or "median"
        return header.index(statistic) if statistic in header else None
    if "series" in header:
        wanted = header[1] + asked.end
        return header.index(wanted) if wanted in header else None
    return header.index(name + asked.end) if name + asked.end in header else None


def _answer(sheet: Sheet, name: str, row: Sequence[Cell], column: int, doubt: str) -> Answer:
    cell = row[column]
    doubts = [*sheet.doubts, *([doubt] if doubt else [])]
    if cell.status in ("bridged", "sampled"):
        doubts.append(cell.reason or "the series was sampled, its own points could not be told apart")
    if cell.source == "model":
        doubts.append("a model said this value; it was not measured")
    return Answer(
        number(cell), cell.text, cell.low, cell.high, "", sheet.panel, name, row[0].text, cell.pixel, tuple(doubts)
    )


def _between(
    sheet: Sheet, name: str, rows: Sequence[Sequence[Cell]], column: int, keys: Sequence[Key], value: float
) -> Answer:
    """The value between two rows: the step's level, or on the straight line between them, with a doubt."""
    order = np.argsort(np.array(keys, dtype=float), kind="stable")
    at = np.array(keys, dtype=float)[order]
    right = int(np.clip(np.searchsorted(at, value, side="right"), 1, len(at) - 1))
    before, after = rows[order[right - 1]], rows[order[right]]
    if sheet.steps:
        return replace(_answer(sheet, name, before if value < at[-1] else after, column, ""), at=f"{value:g}")
    one, other = _answer(sheet, name, before, column, ""), _answer(sheet, name, after, column, "")
    share = float(np.clip((value - at[right - 1]) / max(at[right] - at[right - 1], 1e-12), 0, 1))

    def mix(a: float | None, b: float | None) -> float | None:
        return None if a is None or b is None else (1 - share) * a + share * b

    found = mix(one.value, other.value)
    doubt = f"no point stands at {value:g}: read on the line from {one.at} to {other.at}"
    return replace(
        one, value=found, text=f"{found:.6g}", low=mix(one.low, other.low), high=mix(one.high, other.high),
        at=f"{value:g}", doubts=(*one.doubts, doubt),
    )  # fmt: skip
