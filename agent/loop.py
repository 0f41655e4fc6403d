"""The loop: a model looks, corrects and hands in, with the offline reading as its first draft.

The trajectory is the list of messages; it is saved after every step, so that a run can be taken up again: its calls are
made once more on a fresh bench. Whatever ends the loop, what stands on the bench is delivered, with the reason.
Not handled here: what the tools do (`tools.workbench`), what is sent (`prompts`), one backend or another (`backend`).
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent import offline
from agent.backend import Backend, BackendError, Message, Part, Picture, Text, ToolCall, ToolResult, ToolSpec, Turn
from agent.drafting import draft_of, shortened
from agent.methods import Method
from agent.pictures import picture_of
from agent.reading import Reading, reading_of, versions
from agent.replies import FormatFailure, tables_in
from agent.stopping import BackendFailed, BadReplies, OutOfMoney, OutOfSteps, OutOfTime, Refused, Stop, Submitted
from agent.trajectory import Trajectory, calls_that_worked, load_trajectory
from prompts import fill, hash_of, load
from tools.looking import Look
from tools.types import Figure
from tools.workbench import CallError, ToolError, Workbench

ROWS = 60, 10  # first and last rows of a table that a model is shown
MOST_BAD = 4  # replies in a row that are of no use
CHANGING = frozenset(("set_plot", "set_axis", "trace", "read_whiskers", "edit_series", "propose_table"))
PROMPTS = ("agent", "agent_start", "nudge", "continue")


def read_with_model(figure: Figure, method: Method, saved: Path | None = None) -> Reading:
    """Read a figure with a model in a loop. `saved`: where the trajectory is kept; an unfinished one is gone on with.

    Raises ValueError for a model that cannot be opened; everything later ends the loop and is in the reading.
    """
    started = time.perf_counter()
    loop = Loop(figure, method, method.open(), saved)
    stop = loop.run()
    return deliver(loop, stop, time.perf_counter() - started)


def prompts_of(method: Method) -> dict[str, str]:
    """The templates of the loop by name; a prompt of one's own stands in for the system message."""
    own = method.options.prompt
    return {name: load(name) for name in PROMPTS} | ({"agent": load(own)} if own else {})


def deliver(loop: Loop, stop: Stop, seconds: float) -> Reading:
    """What stands on the bench, with what a person should know."""
    bench, path = loop.bench, loop.path
    bench.finish()
    touched = {note.arguments.get("panel") for note in bench.log[loop.drafted :] if note.tool != "look"}
    warnings = [panel_warnings(bench, n, loop.warnings, n in touched) for n in range(1, len(bench.panels) + 1)]
    notes = [*path.warnings, *loop.notes]
    if not stop.done:
        notes.append(f"the model did not hand in its reading ({stop}): this is how far it came")
    elif str(stop):
        notes.append(f"the model's note: {stop}")
    return reading_of(
        bench, warnings, loop.method, seconds=seconds, warnings=tuple(notes), usage=path.usage, prompt=path.prompt,
        model=path.model, failed=str(stop) if stop.outside else "", trajectory=path,
    )  # fmt: skip


def panel_warnings(bench: Workbench, number: int, before: Sequence[tuple[str, ...]], touched: bool) -> tuple[str, ...]:
    """The draft's warnings of a panel that was left alone; else what can be said of it now."""
    panel, snapped = bench.panels[number - 1], bench.snapped.get(number)
    own = snapped.warnings if snapped is not None else ()
    if not touched and number <= len(before):
        return before[number - 1]
    if panel.refused is not None:
        return (*panel.warnings, panel.refused.reason)
    return (*panel.warnings, *offline.doubts(bench, number), *own)


@dataclass
class Loop:
    """One figure and one model. `run` steps until something stops it; `deliver` makes the reading.

    `bench`, `warnings`: an offline reading that stands already; without one it is made.
    """

    figure: Figure
    method: Method
    backend: Backend
    saved: Path | None = None
    bench: Workbench = field(default=None)  # type: ignore[assignment]
    warnings: list[tuple[str, ...]] = field(default_factory=list)
    bad: int = 0
    seen: dict[str, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.words = prompts_of(self.method)
        if self.bench is None:
            self.bench = Workbench(self.figure)
            self.warnings = offline.read(self.bench)
        self.bench.longest = self.backend.max_edge
        self.tools = [ToolSpec(one["name"], one["description"], one["schema"]) for one in self.bench.tools()]
        self.drafted = len(self.bench.log)
        prompt = hash_of(*self.words.values())
        self.path = Trajectory(
            self.method.name, self.figure.source, self.figure.sha256, prompt, self.backend.model, versions=versions()
        )
        self.started = time.perf_counter()

    def run(self) -> Stop:
        """Step until the reading is handed in or something else stops it; returns why."""
        try:
            self._begin()
            while True:
                try:
                    self.step()
                finally:
                    self._save()
        except Stop as stop:
            self.path.ended = f"{type(stop).__name__}: {stop}"
            self._save()
            return stop

    def step(self) -> None:
        """One turn of the model and the answers to its calls."""
        self._check_limits()
        turn = self.query()
        message = turn.message
        self.path.messages.append(message)
        if turn.stop == "refusal":
            raise Refused(f"the model declined: {message.text.strip()[:300] or 'it gave no reason'}")
        if message.calls:
            bad = self.bad
            results = tuple(self.act(call) for call in message.calls)
            self.path.messages.append(Message("tool", results))
            if self.bad == bad:
                self.bad = 0
            if self.bench.submitted is not None:
                raise Submitted(self.bench.submitted)
        elif turn.stop == "length":
            self._bad("replies are cut short again and again", self.words["continue"])
        else:
            self._in_words(message.text)
        if self.bad >= MOST_BAD:
            raise BadReplies(self.notes[-1] if self.notes else "its replies were of no use")

    def query(self) -> Turn:
        """The model's next turn. Raises BackendFailed."""
        options = self.method.options
        try:
            turn = self.backend.reply(self.path.messages, self.tools, effort=options.effort, code=options.code)
        except BackendError as error:
            raise BackendFailed(str(error)) from None
        self.path.spend(turn.usage)
        self.path.model = turn.model or self.path.model
        self.path.warnings += [w for w in turn.warnings if w not in self.path.warnings]
        return turn

    def act(self, call: ToolCall) -> ToolResult:
        """The answer to one call: what the tool gave, or why it could not, as the model can use it."""
        if call.arguments is None:
            return self._refuse(call, f"the arguments are no valid JSON, perhaps cut short: {call.raw[:200]!r}")
        key = f"{call.name} {json.dumps(call.arguments, sort_keys=True)}"
        if key in self.seen:
            self.seen[key] += 1
            return self._refuse(
                call,
                f"you made this very call before and nothing has changed since: its answer is the same (call "
                f"{self.seen[key]}). Do something else, or submit.",
            )
        try:
            found = self.bench.call(call.name, call.arguments)
        except CallError as error:
            return self._refuse(call, str(error))
        except ToolError as error:  # the tool was used as it should be, and says why it has no answer
            self.seen[key] = 1
            return ToolResult(call.id, (Text(str(error)),), error=True)
        except Exception as fault:  # a fault of ours: the model may go another way
            self.notes.append(f"a fault in {call.name}: {type(fault).__name__}: {fault}")
            return self._refuse(call, f"a fault in this tool ({type(fault).__name__}: {fault}); try another way")
        if call.name in CHANGING:
            self.seen.clear()
        self.seen[key] = 1
        return ToolResult(call.id, answer_of(found))

    def _begin(self) -> None:
        """The first messages, or those of a run that was broken off."""
        self._first_messages()
        if self.saved is None or not self.saved.is_file():
            return
        try:
            before = load_trajectory(self.saved)
        except (OSError, ValueError) as error:
            self.notes.append(f"the run before could not be taken up: {error}")
            return
        same = (before.sha256, before.prompt, before.method) == (self.path.sha256, self.path.prompt, self.path.method)
        if not same:
            return
        self.path.messages, self.path.spent = before.messages, before.spent
        for call in calls_that_worked(before.messages):
            self.act(call)
        self.bad, self.notes = 0, []
        last = before.messages[-1]
        if last.role == "assistant" and last.calls:
            self.path.messages.append(Message("tool", tuple(self.act(call) for call in last.calls)))
        elif last.role == "assistant":
            self._say(self.words["nudge"])
        if self.bench.submitted is not None:
            raise Submitted(self.bench.submitted)

    def _first_messages(self) -> None:
        whole = self.bench.call("look", {})
        self.bench.show_overlay()
        pictures = [picture_of(view.pixels) for view in self.bench.views]
        start = fill(
            self.words["agent_start"], width=self.figure.width, height=self.figure.height,
            draft=draft_of(self.bench, self.warnings),
        )  # fmt: skip
        content: tuple[Part, ...] = (Text(whole.text), pictures[0], pictures[1], Text(start))
        self.path.messages = [Message("system", (Text(self.words["agent"]),)), Message("user", content)]

    def _in_words(self, text: str) -> None:
        """A reply without a call: tables in it are taken, anything else is of no use."""
        try:
            found = tables_in(text)
        except FormatFailure:
            self._bad("the model answers in words instead of calling tools", self.words["nudge"])
            return
        for number, draft in enumerate(found.drafts[: len(self.bench.panels)], 1):
            lines = [draft.header, *draft.rows]
            self.bench.propose_table(number, "\n".join("\t".join(row) for row in lines))
        self.notes += found.warnings
        raise Submitted("it answered in words: the tables in its reply were taken")

    def _refuse(self, call: ToolCall, why: str) -> ToolResult:
        self.bad += 1
        self.notes.append(f"{call.name}: {why}") if self.bad >= MOST_BAD else None
        return ToolResult(call.id, (Text(why),), error=True)

    def _bad(self, what: str, answer: str) -> None:
        self.bad += 1
        if self.bad >= MOST_BAD:
            self.notes.append(what)
        self._say(answer)

    def _say(self, text: str) -> None:
        self.path.messages.append(Message("user", (Text(text),)))

    def _check_limits(self) -> None:
        options, usage = self.method.options, self.path.usage
        if options.max_steps and self.path.steps >= options.max_steps:
            raise OutOfSteps(f"{options.max_steps} turns")
        if options.max_cost and usage.dollars is not None and usage.dollars >= options.max_cost:
            raise OutOfMoney(f"${usage.dollars:.2f} of ${options.max_cost:.2f}")
        if options.max_seconds and time.perf_counter() - self.started > options.max_seconds:
            raise OutOfTime(f"{options.max_seconds:g} s")

    def _save(self) -> None:
        if self.saved is not None:
            self.path.save(self.saved)


def answer_of(found: Any) -> tuple[Text | Picture, ...]:
    """A tool's result as parts of a message: a picture with its words, text, or JSON."""
    if isinstance(found, Look):
        return Text(found.text), picture_of(found.view.pixels)
    if isinstance(found, dict) and "tsv" in found:
        found = found | {"tsv": shortened(found["tsv"], *ROWS)}
    return (Text(found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)),)
