"""One look: single-shot and refine, against a server on this machine, and drafts from anywhere."""

from __future__ import annotations

import base64
import io
import json
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from agent.methods import Method, Options, parse_method
from agent.reading import Reading, read_figure
from agent.refine import NoDraft, drafts_for, refine
from agent.replies import FormatFailure
from agent.single_shot import ask, compare_pair, read_once
from tests.agent.figures_read import FIGURES
from tests.agent.wire import APIS, Calls, Says, Status, Wire
from tools.align import assign
from tools.drafts import Draft, parse_draft, series_of
from tools.load import load
from tools.table import Table
from tools.types import Figure, Panel, Unreadable

ALL = pytest.mark.parametrize("api", APIS)
AMOUNT = 0.08  # of the axis range: how far a draft's values are off
TOLD = "```tsv\nYear\tArden\tBelmont\n1981\t11\t5\n1982\t9.5\t6\n```"


def small() -> Figure:
    return Figure(np.full((90, 120, 3), 255, dtype=np.uint8), "small.png", sha256="0" * 64)


def method(wire: Wire, kind: str, api: str = "chat", options: Options | None = None) -> Method:
    """A method whose model is the server here."""
    provider = "anthropic" if api == "anthropic" else "openai"
    url = wire.url if api == "anthropic" else f"{wire.url}/v1"
    return parse_method(f"{kind}:{provider}:model", replace(options or Options(), base_url=url))


@ALL
def test_one_look_gives_said_values(wire: Wire, api: str) -> None:
    wire.plan(Says(TOLD))
    reading = read_once(small(), method(wire, "single-shot", api))
    table = reading.tables[0]
    assert table.to_tsv() == "Year\tArden\tBelmont\n1981\t11\t5\n1982\t9.5\t6\n"
    assert {cell.source for row in table.rows for cell in row} == {"model"}
    assert {cell.status for row in table.rows for cell in row} == {"said"}
    assert len(wire.asked) == 1
    assert "tools" not in wire.asked[0]
    assert reading.usage.input_tokens == 100
    assert len(reading.prompt) == 12
    assert reading.overlay().shape == small().pixels.shape


def test_a_reply_that_is_cut_short_is_put_together(wire: Wire) -> None:
    wire.plan(Says("```tsv\nx\ta\n1\t2\n2\t3", stop="length"), Says("\n3\t4\n```"))
    reading = read_once(small(), method(wire, "single-shot"))
    assert [row[1].value for row in reading.tables[0].rows] == [2, 3, 4]
    assert not any("cut short" in warning for warning in reading.warnings)


@pytest.mark.parametrize(
    ("step", "ended", "failed"),
    [
        (Says("No.", stop="refusal"), "Refused", False),
        (Says("I see a chart."), "format failure", False),
        (Status(401, "bad key"), "BackendFailed", True),
    ],
)
def test_what_went_wrong_is_told_apart(wire: Wire, step: Says | Status, ended: str, failed: bool) -> None:
    wire.plan(step)
    reading = read_once(small(), method(wire, "single-shot"))
    assert reading.panels == ()
    assert reading.trajectory is not None
    assert reading.trajectory.ended.startswith(ended)
    assert bool(reading.failed) == failed
    assert reading.refusals


def test_prompts_by_name_or_file(wire: Wire, tmp_path: Path) -> None:
    wire.plan(Says(TOLD))
    read_once(small(), method(wire, "single-shot", options=Options(prompt="epicurve")))
    assert "epidemic curve" in json.dumps(wire.asked[0])
    own = tmp_path / "own.md"
    own.write_text("Read it, please.")
    first = read_once(small(), method(wire, "single-shot", options=Options(prompt=str(own))))
    assert "Read it, please." in json.dumps(wire.asked[1])
    own.write_text("Read it!")
    assert read_once(small(), method(wire, "single-shot", options=Options(prompt=str(own)))).prompt != first.prompt


def test_effort_and_the_code_tool_are_passed_on(wire: Wire) -> None:
    wire.plan(Says(TOLD))
    ask(wire.backend("responses", "gpt-5"), "Read.", [], effort="high", code=True)
    assert wire.asked[0]["reasoning"]["effort"] == "high"
    assert any(tool["type"] == "code_interpreter" for tool in wire.asked[0]["tools"])


def test_large_figures_are_sent_at_the_limit(wire: Wire) -> None:
    wire.plan(Says(TOLD))
    large = Figure(np.full((1200, 5000, 3), 255, dtype=np.uint8), "large.png", sha256="1" * 64)
    read_once(large, method(wire, "single-shot", "anthropic"))
    (sent,) = wire.pictures()
    with Image.open(io.BytesIO(base64.b64decode(sent))) as picture:
        assert picture.width <= 1568


def test_a_pair_is_read_and_then_compared(wire: Wire) -> None:
    found = {"A": {"initial value": "#ff0000", "modified value": "#00ff00"}}
    wire.plan(Says('{"A": "#ff0000"}'), Says('{"A": "#00ff00"}'), Says(f"```json\n{json.dumps(found)}\n```"))
    answer, asked = compare_pair(small(), small(), "color", method(wire, "single-shot"))
    assert answer == found
    assert len(asked) == 3
    assert len(wire.pictures(2)) == 2
    assert "#ff0000" in json.dumps(wire.asked[2])
    wire.plan(Says("They differ."))
    with pytest.raises(FormatFailure):
        compare_pair(small(), small(), "legend", method(wire, "single-shot"))


def noisy(draft: Draft, seed: str) -> Draft:
    """The draft with every value off by up to 8 % of what its panel shows."""
    rng = np.random.default_rng(zlib.crc32(seed.encode()))
    series = series_of(draft)
    everything = np.concatenate([one.values[np.isfinite(one.values)] for one in series])
    span = float(np.ptp(everything))
    rows = [list(row) for row in draft.rows]
    for one in series:
        for (row, column), value in zip(one.cells, one.values, strict=True):
            if np.isfinite(value):
                rows[row][column] = f"{value + rng.uniform(-AMOUNT, AMOUNT) * span:.6g}"
    return Draft(draft.header, tuple(tuple(row) for row in rows))


def refined(name: str, tables: int, tmp_path: Path) -> tuple[Reading, list[Draft]]:
    """A figure of this repository, refined from its noisy truth, and the truth."""
    truths = []
    for number in range(1, tables + 1):
        stem = name if tables == 1 else f"{name}_panel{number}"
        truth = parse_draft((FIGURES / f"{stem}.tsv").read_text())
        assert isinstance(truth, Draft)
        truths.append(truth)
        rough = noisy(truth, stem)
        text = "\n".join("\t".join(row) for row in (rough.header, *rough.rows))
        (tmp_path / f"{stem}.tsv").write_text(text)
    return read_figure(load(FIGURES / f"{name}.png"), parse_method("refine", Options(draft=str(tmp_path)))), truths


def shares_off(panel: Panel, table: Table, truth: Draft) -> list[float]:
    """How far each value of the truth is off, as a share of the value axis."""
    axis = panel.y
    assert axis is not None
    ends = axis.to_value([panel.plot.y0, panel.plot.y1])
    span = abs(float(ends[1] - ends[0]))
    found = []
    for one in series_of(truth):
        for (row, column), value in zip(one.cells, one.values, strict=True):
            cell = table.rows[row][column]
            if np.isfinite(value):
                assert isinstance(cell.value, float)
                found.append(abs(cell.value - value) / span)
    return found


@pytest.mark.parametrize(("name", "tables"), [("lines", 1), ("grouped", 1), ("outbreak", 2)])
def test_noisy_drafts_end_on_the_ink(name: str, tables: int, tmp_path: Path) -> None:
    """95 of 100 values within 0.5 % of the range of the axis."""
    reading, truths = refined(name, tables, tmp_path)
    off: list[float] = []
    for panel, truth in zip(reading.panels, truths, strict=True):
        assert isinstance(panel.table, Table)
        off += shares_off(panel.panel, panel.table, truth)
    assert np.mean(np.array(off) <= 0.005) >= 0.95


def test_noisy_points_end_on_the_markers(tmp_path: Path) -> None:
    """Points as a set: two at nearly one x may change places, for nothing tells them apart then."""
    reading, (truth,) = refined("scatter", 1, tmp_path)
    table, panel = reading.tables[0], reading.panels[0].panel
    assert panel.x is not None
    assert panel.y is not None
    hits = total = 0
    for one in series_of(truth):
        rows = [row for row, _ in one.cells]
        xs = panel.x.to_pixel([float(truth.rows[row][0]) for row in rows])
        true = np.column_stack([xs, panel.y.to_pixel(one.values)])
        found = np.array([table.rows[row][1].pixel or (np.nan, np.nan) for row in rows])
        off = np.abs(true[:, None] - found[None]) / (panel.plot.width, panel.plot.height)
        hits += len(assign(np.where((off <= 0.005).all(axis=2), 1.0, 0.0)))
        total += len(rows)
    assert hits >= 0.95 * total


@ALL
def test_refine_asks_once_and_measures(wire: Wire, api: str) -> None:
    wire.plan(Says(TOLD))
    figure = load(FIGURES / "horizontal.png")
    told = "```tsv\nx\tLength of stay (days)\nIschaemic stroke\t11.9\nHip fracture\t9.1\n```"
    wire.plan(Says(told))
    reading = refine(figure, method(wire, "refine", api))
    cells = [row[1] for row in reading.tables[0].rows]
    assert [cell.value for cell in cells] == pytest.approx([11.2, 9.6], abs=0.1)
    assert [cell.source for cell in cells] == ["pixel", "pixel"]
    assert len(wire.asked) == 1
    assert reading.usage.requests == 1
    assert reading.trajectory is not None


@pytest.mark.parametrize("step", [Says("No.", stop="refusal"), Status(500), Says("Hm."), Calls("look", {})])
def test_without_a_draft_the_offline_reading_is_delivered(wire: Wire, step: Says) -> None:
    wire.plan(step)
    reading = refine(load(FIGURES / "horizontal.png"), method(wire, "refine"))
    assert len(reading.tables[0].rows) > 4
    assert any("there is no draft" in warning for warning in reading.warnings)
    assert bool(reading.failed) == isinstance(step, Status)


def test_tables_without_a_panel_stay_as_they_were_said(tmp_path: Path) -> None:
    (tmp_path / "horizontal_panel1.tsv").write_text("x\tdays\nIschaemic stroke\t11\nHip fracture\t9\nSepsis\t8\n")
    (tmp_path / "horizontal_panel2.tsv").write_text("time\tother\n2001\t500\n2002\t600\n2003\t700\n")
    reading = read_figure(load(FIGURES / "horizontal.png"), parse_method("refine", Options(draft=str(tmp_path))))
    assert [table.rows[0][1].source for table in reading.tables] == ["pixel", "model"]
    assert any("belong to no panel" in warning for warning in reading.warnings)
    assert json.dumps(reading.to_json())


def test_drafts_are_found_by_the_figures_name(tmp_path: Path) -> None:
    (tmp_path / "a_panel2.tsv").write_text("x\ty\n1\t2\n")
    (tmp_path / "a_panel10.tsv").write_text("x\tz\n1\t2\n")
    (tmp_path / "ab.tsv").write_text("x\tw\n1\t2\n")
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "panel_1.csv").write_text("x,v\n1,2\n")
    (tmp_path / "d.md").write_text("Chart 1\n| Series Name | X Value | Y Value |\n|--|--|--|\n| s | 1 | 2 |\n")
    assert [draft.header[1] for draft in drafts_for(tmp_path, "a")] == ["y", "z"]
    assert [draft.header[1] for draft in drafts_for(tmp_path, "c")] == ["v"]
    assert [draft.header[1] for draft in drafts_for(tmp_path, "d")] == ["s"]
    with pytest.raises(NoDraft, match=r"e\.tsv or e_panel1\.tsv is wanted"):
        drafts_for(tmp_path, "e")
    assert isinstance(parse_draft("x\ty\n"), Unreadable)
