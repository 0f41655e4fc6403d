"""The loop, through the real SDKs against a server on this machine: nothing is lost, whatever goes wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from agent.backend import ToolResult
from agent.loop import MOST_BAD, Loop, deliver
from agent.methods import Options, parse_method
from agent.reading import Reading
from agent.stopping import Stop
from agent.trajectory import load_trajectory, page_of
from tests.agent.figures_read import Read, script
from tests.agent.wire import APIS, KEY, Body, Calls, Hangs, Resets, Says, Status, Step, Wire
from tools.table import Table
from tools.types import Figure

ALL = pytest.mark.parametrize("api", APIS)
SUBMIT = Calls("submit", {})
ReadOnce = Callable[[str], Read]


class Run:
    """One loop over `lines.png` (or another figure) with a server's plan; what came of it."""

    def __init__(
        self, wire: Wire, read_once: ReadOnce, api: str, *steps: Any, name: str = "lines", saved: Path | None = None,
        options: Options | None = None, **backend: Any,
    ) -> None:  # fmt: skip
        wire.plan(*steps)
        bench, warnings = read_once(name)
        self.before = {n: table for n, table in bench.tables.items()}
        method = parse_method("agent:openai:model", options)
        self.loop = Loop(bench.figure, method, wire.backend(api, retries=0, **backend), saved, bench, warnings)
        self.stop: Stop = self.loop.run()
        self.reading: Reading = deliver(self.loop, self.stop, 1.0)
        self.wire = wire

    @property
    def tsv(self) -> str:
        return self.reading.tables[0].to_tsv()

    @property
    def answers(self) -> list[ToolResult]:
        return [p for m in self.loop.path.messages for p in m.content if isinstance(p, ToolResult)]

    def keeps_the_draft(self) -> bool:
        table = self.before[1]
        return isinstance(table, Table) and self.tsv == table.to_tsv()


@ALL
def test_a_conversation_from_the_draft_to_the_submission(
    wire: Wire, read_once: ReadOnce, api: str, tmp_path: Path
) -> None:
    saved = tmp_path / "conversation.json"
    steps = (
        Calls("look", {"panel": 1}, text="I look."),
        Calls("redraw", {"panel": 1}),
        Calls("submit", {"note": "ok"}),
    )
    run = Run(wire, read_once, api, *steps, saved=saved)
    assert run.stop.done
    assert run.keeps_the_draft()
    assert "the model's note: ok" in run.reading.warnings
    assert [len(wire.pictures(n)) for n in range(3)] == [2, 3, 4]  # whole and draft, then a picture for each look
    assert run.reading.usage.requests == 3
    assert run.reading.usage.input_tokens == 300
    assert "Arden" in json.dumps(wire.asked[0])  # the draft's names
    again = load_trajectory(saved)
    assert again.messages == run.loop.path.messages
    page = page_of(again)
    assert page.count("<img") == 4
    assert "I look." in page
    assert "http" not in page.replace("http-equiv", "")
    assert KEY not in page + saved.read_text()


FAULTS: dict[str, tuple[Step, str]] = {
    "limit": (Status(429, "slow down", retry_after=0.01), "slow down"),
    "server": (Status(500, "oops"), "oops"),
    "reset": (Resets(), "connection"),
    "no JSON": (Body("<html>"), ""),
    "cut body": (Body('{"id": "x"', length=900), ""),
    "hangs": (Hangs(1.0), ""),
    "too large": (Status(413, "image exceeds the maximum size"), "image"),
}


@ALL
@pytest.mark.parametrize("fault", FAULTS)
def test_faults_of_the_connection_leave_the_reading(wire: Wire, read_once: ReadOnce, api: str, fault: str) -> None:
    step, says = FAULTS[fault]
    run = Run(wire, read_once, api, Calls("look", {"panel": 1}), step, timeout=0.3)
    assert run.stop.outside
    assert run.keeps_the_draft()
    assert run.reading.failed
    assert says in run.reading.failed.lower()
    assert any("did not hand in" in warning for warning in run.reading.warnings)
    assert run.reading.to_json()["failed"] == run.reading.failed
    assert KEY not in json.dumps(run.reading.to_json())


def test_a_limit_that_passes_is_waited_for(wire: Wire, read_once: ReadOnce) -> None:
    wire.plan(Status(429, retry_after=0.01), SUBMIT)
    bench, warnings = read_once("lines")
    loop = Loop(bench.figure, parse_method("agent:openai:m"), wire.backend("chat", retries=2), None, bench, warnings)
    assert loop.run().done
    assert loop.path.usage.requests == 2


@ALL
def test_a_refusal_is_told_as_one(wire: Wire, read_once: ReadOnce, api: str) -> None:
    run = Run(wire, read_once, api, Says("I would rather not.", stop="refusal"))
    assert type(run.stop).__name__ == "Refused"
    assert not run.reading.failed  # it says something about the model
    assert run.keeps_the_draft()
    assert any("declined" in warning for warning in run.reading.warnings)


@ALL
def test_replies_that_are_cut_short_are_gone_on_with(wire: Wire, read_once: ReadOnce, api: str) -> None:
    run = Run(wire, read_once, api, Says("Let me see, the axis", stop="length"), SUBMIT)
    assert run.stop.done
    assert "cut short" in json.dumps(wire.asked[1])


@pytest.mark.parametrize("api", ["responses", "chat"])
def test_a_call_that_is_cut_short_is_told_and_made_again(wire: Wire, read_once: ReadOnce, api: str) -> None:
    cut = Calls("propose_table", '{"panel": 1, "tsv": "Year\\tArd', stop="length")
    run = Run(wire, read_once, api, cut, SUBMIT)
    assert run.stop.done
    assert run.answers[0].error
    assert "cut short" in json.dumps(wire.asked[1])


WRONG_CALLS: dict[str, tuple[Calls, str]] = {
    "unknown tool": (Calls("zoom_in", {"panel": 1}), "there is no tool 'zoom_in'"),
    "wrong types": (Calls("look", {"panel": "one", "box": 3}), "whole number"),
    "missing": (Calls("set_axis", {"panel": 1}), "'side' is missing"),
    "no such panel": (Calls("list_colours", {"panel": 7}), "there are 1 panels"),
    "nothing there": (Calls("trace", {"panel": 1, "reader": "line", "x": 130, "y": 300}), "nearest is at"),
    "bad anchors": (
        Calls(
            "set_axis",
            {"panel": 1, "side": "left", "scale": "linear", "pixels": [50, 200, 300], "values": ["0", "5", "90"]},
        ),
        "px off one linear scale",
    ),
}  # fmt: skip


@ALL
@pytest.mark.parametrize("name", WRONG_CALLS)
def test_wrong_calls_are_answered_with_the_reason(wire: Wire, read_once: ReadOnce, api: str, name: str) -> None:
    call, says = WRONG_CALLS[name]
    run = Run(wire, read_once, api, call, SUBMIT)
    assert run.stop.done
    assert run.answers[0].error
    assert says in run.answers[0].content[0].text  # type: ignore[union-attr]
    assert run.keeps_the_draft()


def test_malformed_arguments_are_told(wire: Wire, read_once: ReadOnce) -> None:
    run = Run(wire, read_once, "chat", Calls("look", "{panel: 1"), SUBMIT)
    assert run.stop.done
    assert "no valid JSON" in run.answers[0].content[0].text  # type: ignore[union-attr]


@ALL
def test_three_hundred_identical_calls_are_stopped_early_and_told(wire: Wire, read_once: ReadOnce, api: str) -> None:
    run = Run(wire, read_once, api, *[Calls("look", {"box": [0, 0, 10, 10]})] * 300)
    assert type(run.stop).__name__ == "BadReplies"
    assert len(wire.asked) == MOST_BAD + 1
    assert not run.answers[0].error
    assert "nothing has changed since" in run.answers[1].content[0].text  # type: ignore[union-attr]
    assert run.keeps_the_draft()


def test_the_same_call_after_a_change_is_no_repetition(wire: Wire, read_once: ReadOnce) -> None:
    look, rename = Calls("redraw", {"panel": 1}), Calls("edit_series", {"panel": 1, "series": 1, "name": "A"})
    run = Run(wire, read_once, "chat", look, rename, look, SUBMIT)
    assert run.stop.done
    assert not any(answer.error for answer in run.answers)
    assert "A" in run.reading.tables[0].header  # the table is made anew after the last change


LIMITS = {
    "OutOfSteps": (Options(max_steps=2), {}),
    "OutOfMoney": (Options(max_cost=0.01), {"tokens": (1000, 200, 0), "usage": {"cost": 0.006}}),
    "OutOfTime": (Options(max_seconds=1e-6), {}),
}


@pytest.mark.parametrize("limit", LIMITS)
def test_limits(wire: Wire, read_once: ReadOnce, limit: str) -> None:
    options, extra = LIMITS[limit]
    steps = [Calls("look", {"box": [0, 0, 50 + n, 50]}, **extra) for n in range(9)]
    run = Run(wire, read_once, "chat", *steps, options=options)
    assert type(run.stop).__name__ == limit
    assert len(wire.asked) == {"OutOfSteps": 2, "OutOfMoney": 2, "OutOfTime": 0}[limit]
    assert run.keeps_the_draft()
    assert not run.reading.failed


def test_prose_is_nudged_and_then_ends_it(wire: Wire, read_once: ReadOnce) -> None:
    run = Run(wire, read_once, "chat", Says("I see three lines, and well, they cross."))
    assert type(run.stop).__name__ == "BadReplies"
    assert len(wire.asked) == MOST_BAD
    assert "without calling a tool" in json.dumps(wire.asked[1])


def test_a_table_in_words_is_taken(wire: Wire, read_once: ReadOnce) -> None:
    table = "```tsv\nYear\tArden\n1981\t11.5\n1982\t9\n```"
    run = Run(wire, read_once, "chat", Says(f"Here it is:\n{table}"))
    assert run.stop.done
    assert [row[1].source for row in run.reading.tables[0].rows] == ["pixel", "pixel"]
    assert run.reading.tables[0].rows[0][1].value == pytest.approx(11.12, abs=0.1)


def test_a_lie_is_caught_by_the_redraw_and_marked(wire: Wire, read_once: ReadOnce) -> None:
    tsv = "Year\tArden\n1981\t11\n1982\t9.5\n1983\t2.0\n"
    steps = Calls("propose_table", {"panel": 1, "tsv": tsv}), Calls("redraw", {"panel": 1}), SUBMIT
    run = Run(wire, read_once, "responses", *steps)
    cells = [row[1] for row in run.reading.tables[0].rows]
    assert [cell.source for cell in cells] == ["pixel", "pixel", "model"]
    assert cells[2].value == 2.0
    assert "Arden at 1983 = 2.0" in run.answers[1].content[0].text  # type: ignore[union-attr]
    kept = run.reading.to_json()["panels"][0]["table"]["rows"][2][1]
    assert (kept["source"], kept["status"]) == ("model", "said")
    assert any("1 of 3 values" in warning for warning in run.reading.panels[0].warnings)


def test_naming_the_regions_gives_the_numbers_of_the_offline_policy(wire: Wire, read_once: ReadOnce) -> None:
    """The script starts over: a rough plot area, then each colour by a name or a seed point."""
    bench, _ = read_once("lines")
    plot, series = bench.panels[0].plot, bench.series[1]
    seed = series[2].marks[20]
    hexes = [f"#{r:02x}{g:02x}{b:02x}" for r, g, b in (one.colour for one in series)]
    steps = [
        Calls("set_plot", {"panel": 1, "box": [plot.x0 + 4, plot.y0 - 3, plot.x1 - 5, plot.y1 + 3]}),
        Calls("trace", {"panel": 1, "reader": "line", "colour": hexes[1]}),
        Calls("trace", {"panel": 1, "reader": "line", "colour": hexes[0]}),
        Calls("trace", {"panel": 1, "reader": "line", "x": seed.x, "y": seed.y}),
        Calls("propose_table", {"panel": 1}),
        SUBMIT,
    ]
    run = Run(wire, read_once, "anthropic", *steps)
    assert not any(answer.error for answer in run.answers)
    assert run.keeps_the_draft()


@ALL
def test_a_run_that_was_broken_off_is_gone_on_with(wire: Wire, read_once: ReadOnce, api: str, tmp_path: Path) -> None:
    saved = tmp_path / "conversation.json"
    rename = Calls("edit_series", {"panel": 1, "series": 1, "name": "renamed"})
    first = Run(wire, read_once, api, Calls("look", {"panel": 1}), rename, Status(500), saved=saved)
    assert first.stop.outside
    asked = len(wire.asked)
    second = Run(wire, read_once, api, SUBMIT, saved=saved)
    assert second.stop.done
    assert len(wire.asked) == asked + 1
    assert second.loop.path.steps == 3
    assert "renamed" in second.reading.tables[0].header
    assert second.reading.usage.input_tokens == 300
    assert load_trajectory(saved).ended.startswith("Submitted")


def test_a_conversation_about_another_figure_is_not_gone_on_with(
    wire: Wire, read_once: ReadOnce, tmp_path: Path
) -> None:
    saved = tmp_path / "conversation.json"
    Run(wire, read_once, "chat", Calls("look", {"panel": 1}), Status(500), saved=saved)
    other = Run(wire, read_once, "chat", SUBMIT, saved=saved, name="horizontal")
    assert other.loop.path.steps == 1


def test_a_trajectory_of_another_kind_is_said(wire: Wire, read_once: ReadOnce, tmp_path: Path) -> None:
    saved = tmp_path / "conversation.json"
    saved.write_text('{"format": 99}')
    run = Run(wire, read_once, "chat", SUBMIT, saved=saved)
    assert run.stop.done
    assert any("another version" in warning for warning in run.reading.warnings)


def test_replayed_turns_run_the_same_loop(read_once: ReadOnce, tmp_path: Path) -> None:
    bench, warnings = read_once("lines")
    method = parse_method(f"agent:replay:{script(tmp_path / 'turns.jsonl', ('look', {'panel': 1}), ('submit', {}))}")
    loop = Loop(bench.figure, method, method.open(), None, bench, warnings)
    assert loop.run().done
    assert loop.path.steps == 2


def bare_plot() -> Figure:
    """A curve in a plot whose axes have ticks and no words: nothing can be read without being told."""
    pixels = np.full((400, 600, 3), 255, dtype=np.uint8)
    pixels[40:341, 80] = pixels[340, 80:561] = 0
    for k in range(6):
        pixels[340:346, 80 + 96 * k] = pixels[40 + 60 * k, 74:80] = 0
    heights = 340 - 3 * np.array([0, 10, 18, 30, 24, 40, 52, 50, 70, 86, 96])
    path = np.column_stack([np.linspace(80, 560, 11), heights])
    cv2.polylines(pixels, [np.round(path * 16).astype(np.int32)], False, (200, 30, 30), 2, cv2.LINE_AA, 4)
    return Figure(pixels, "bare.png", sha256="3" * 64)


def test_a_figure_without_words_is_read_by_what_the_model_says_of_it(wire: Wire) -> None:
    """The plot area roughly, two ticks an axis a pixel off, and a place on the curve: the tools do the rest."""
    steps = [
        Calls("set_plot", {"panel": 1, "box": [83, 38, 558, 342]}),
        Calls("set_axis", {"panel": 1, "side": "left", "scale": "linear", "pixels": [341, 42], "values": ["0", "100"]}),
        Calls(
            "set_axis",
            {
                "panel": 1,
                "side": "bottom",
                "scale": "date",
                "pixels": [81, 559],
                "values": ["2020-01-01", "2020-01-11"],
            },
        ),
        Calls("trace", {"panel": 1, "reader": "line", "x": 320, "y": 220, "name": "height"}),
        SUBMIT,
    ]
    wire.plan(*steps)
    method = parse_method("agent:openai:m")
    loop = Loop(bare_plot(), method, wire.backend("responses"))
    assert not any(isinstance(table, Table) for table in loop.bench.tables.values())
    reading = deliver(loop, loop.run(), 1.0)
    table = reading.tables[0]
    assert table.header == ("x", "height")
    assert [row[0].text for row in table.rows] == [f"2020-01-{day:02d}" for day in range(1, 12)]
    values = [row[1].value for row in table.rows]
    assert values[1:] == pytest.approx([10, 18, 30, 24, 40, 52, 50, 70, 86, 96], abs=0.7)
    assert all(anchor.seat == "tick" for axis in reading.panels[0].panel.axes for anchor in axis.anchors)


def test_a_blank_picture_is_refused_whatever_is_tried(wire: Wire) -> None:
    blank = Figure(np.full((300, 400, 3), 255, dtype=np.uint8), "blank.png", sha256="4" * 64)
    steps = [
        Calls("propose_table", {"panel": 1, "tsv": "x\ty\n1\t2\n"}),
        Calls("set_plot", {"panel": 1, "box": [50, 50, 350, 250]}),
        Calls("list_colours", {"panel": 1}),
        SUBMIT,
    ]
    wire.plan(*steps)
    loop = Loop(blank, parse_method("agent:openai:m"), wire.backend("responses"))
    reading = deliver(loop, loop.run(), 1.0)
    assert reading.tables == []
    assert "no value axis" in reading.refusals[0]
    told = [p for m in loop.path.messages for p in m.content if isinstance(p, ToolResult)]
    assert [one.error for one in told] == [True, False, True, False]
    assert "there is no data ink" in told[2].content[0].text  # type: ignore[union-attr]
