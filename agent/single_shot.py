"""One look, no tools: the picture and a prompt go to a model, and its words come back as tables, JSON or a number.

The baseline that everything else is compared with: nothing is checked, and every value is marked as said by the model.
With `code` the provider's hosted code tool is on ("high + code" in the papers). Replies that are cut short are gone on
with. Not handled here: tools of our own (`loop`), putting values onto the ink (`refine`).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from agent.backend import Backend, BackendError, Message, Part, Picture, Text, Usage
from agent.methods import Method
from agent.pictures import whole_figure
from agent.reading import PanelReading, Reading, versions
from agent.replies import FormatFailure, json_in, tables_in
from agent.stopping import BackendFailed, Refused, Stop
from agent.trajectory import Trajectory
from prompts import fill, hash_of, load
from tools.drafts import Draft, is_box, key_columns, number_of
from tools.table import MISSING, Cell, Form, Table
from tools.types import Box, Figure, Panel, Unreadable

PROMPT = "single_shot_tables"
SHORT = {"epicurve": "single_shot_epicurve", "density": "single_shot_density", "plotground": "single_shot_plotground"}
PARTS = 4  # times a reply that is cut short is gone on with
Attribute = Literal["data", "color", "legend", "text"]
FORMS: dict[Attribute, str] = {
    "data": '{"cell 1": {"row name": "ROW", "column name": "COLUMN", "value in chart 1": 0, "value in chart 2": 0}}',
    "color": '{"NAME": {"initial value": "#rrggbb", "modified value": "#rrggbb"}}',
    "legend": '{"position": {"initial value": "PLACE", "modified value": "PLACE"}}',
    "text": '{"title": {"size": {"initial value": 0, "modified value": 0}}}',
}  # what chart 1 and chart 2 are called is the benchmark's


@dataclass
class Asked:
    """One request and its reply, whole: the words, the messages, what they took, warnings."""

    text: str
    messages: list[Message]
    spent: list[Usage]
    model: str
    warnings: list[str]

    @property
    def usage(self) -> Usage:
        """What all parts took together."""
        return sum(self.spent, Usage())


def ask(
    backend: Backend, prompt: str, pictures: Sequence[Picture], effort: str | None = None, code: bool = False
) -> Asked:
    """Send pictures and a prompt, and go on with a reply that was cut short. Raises Refused and BackendFailed."""
    content: tuple[Part, ...] = (*pictures, Text(prompt))
    asked = Asked("", [Message("user", content)], [], backend.model, [])
    for _ in range(PARTS):
        try:
            turn = backend.reply(asked.messages, (), effort=effort, code=code)
        except BackendError as error:
            raise BackendFailed(str(error)) from None
        asked.spent.append(turn.usage)
        asked.model = turn.model or asked.model
        asked.warnings += turn.warnings
        asked.messages.append(turn.message)
        if turn.stop == "refusal":
            raise Refused(f"the model declined: {turn.message.text.strip()[:300] or 'it gave no reason'}")
        asked.text += turn.message.text
        if turn.stop != "length":
            return asked
        asked.messages.append(Message("user", (Text(load("continue")),)))
    asked.warnings.append(f"the reply is still not whole after {PARTS} parts")
    return asked


def read_once(figure: Figure, method: Method) -> Reading:
    """The tables that a model reads at one look. Whatever goes wrong is in the reading: no panels, and the reason."""
    started = time.perf_counter()
    backend = method.open()
    name = method.options.prompt or PROMPT
    prompt = load(SHORT.get(name, name))
    path = Trajectory(method.name, figure.source, figure.sha256, hash_of(prompt), backend.model, versions=versions())
    panels: tuple[PanelReading, ...] = ()
    failed = ""
    try:
        _, picture = whole_figure(figure, backend.limit)
        asked = ask(backend, prompt, [picture], method.options.effort, method.options.code)
        path.messages, path.spent, path.model = asked.messages, asked.spent, asked.model
        found = tables_in(asked.text)
        path.warnings += [*asked.warnings, *found.warnings]
        if found.unreadable:
            path.warnings.append(f"{found.unreadable} values of the reply are no numbers")
        panels = tuple(panel_said(figure, draft) for draft in found.drafts)
        path.ended = "answered"
    except FormatFailure as failure:
        path.ended = f"format failure: {failure}"
    except Stop as stop:
        path.ended = f"{type(stop).__name__}: {stop}"
        failed = str(stop) if stop.outside else ""
    if path.ended != "answered":
        path.warnings.append(path.ended)
    return Reading(
        figure, panels, method.name, time.perf_counter() - started, tuple(path.warnings), path.usage, path.prompt,
        path.model, failed, path,
    )  # fmt: skip


def panel_said(figure: Figure, draft: Draft) -> PanelReading:
    """A table that was said, as a panel whose place is not known: every value has the source "model"."""
    everything = Box(0.0, 0.0, figure.width - 1.0, figure.height - 1.0)
    return PanelReading(Panel(everything, everything, draft.title), (), said_table(draft), draft.warnings)


def said_table(draft: Draft) -> Table | Unreadable:
    """The draft as a table of said values."""
    if not draft.rows:
        return Unreadable("the table that the model gave has no rows")
    keys = set(range(key_columns(draft))) | {i for i, n in enumerate(draft.header) if n.lower() == "series"}
    rows = tuple(tuple(_said(text, i in keys) for i, text in enumerate(row)) for row in draft.rows)
    names = [name.lower() for name in draft.header]
    form: Form = "box" if is_box(draft) else "long" if "series" in names else "wide"
    return Table(draft.header, rows, "histogram" if key_columns(draft) == 2 else form, draft.title)


def _said(text: str, key: bool) -> Cell:
    value = number_of(text)
    if value == value:
        return Cell(value, text, "said", source="model")
    return Cell(text, text, "said", source="model") if key and text else MISSING


def compare_pair(first: Figure, second: Figure, attribute: Attribute, method: Method) -> tuple[Any, list[Asked]]:
    """ChartAB's two stages: what each chart shows, then what differs, as JSON. Raises FormatFailure and Stop."""
    backend, effort = method.open(), method.options.effort
    pictures = [whole_figure(figure, backend.limit)[1] for figure in (first, second)]
    ground = load(f"chartab_ground_{attribute}")
    told = [ask(backend, ground, [picture], effort) for picture in pictures]
    prompt = fill(load("chartab_align"), first=told[0].text.strip(), second=told[1].text.strip(), form=FORMS[attribute])
    answer = ask(backend, prompt, pictures, effort)
    return json_in(answer.text), [*told, answer]
