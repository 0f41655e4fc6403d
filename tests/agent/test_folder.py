"""Models on many figures with one command: folders, resuming, the cost line, the bench."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from agent.backend import Usage
from agent.cli import app
from agent.costs import CostLine
from tests.agent.figures_read import FIGURES, script
from tests.agent.wire import Says, Status, Wire


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two small figures and a file that is none."""
    place = tmp_path / "figures"
    place.mkdir()
    for name in ("horizontal", "grouped"):
        shutil.copy(FIGURES / f"{name}.png", place)
    (place / "notes.txt").write_text("no figure")
    return place


TOLD = "```tsv\nx\ta\n1\t2\n```"


def test_a_folder_in_one_command_resumed_with_a_cost_line(wire: Wire, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    wire.plan(Says(TOLD, usage={"cost": 0.01}), Status(401, "bad key"))
    command = ["digitize", folder, "--method", "single-shot:openai:m", "--base-url", f"{wire.url}/v1", "--out", out]
    first = run(*command)
    assert first.exit_code == 1
    assert "2/2 figures, $0.0100, 120 tokens" in first.stderr
    assert "1 failed" in first.stderr
    assert {path.name for path in out.iterdir()} == {"grouped", "horizontal"}
    assert (out / "grouped" / "trajectory.html").is_file()
    reading = json.loads((out / "grouped" / "reading.json").read_text())
    assert reading["cost"]["dollars"] == pytest.approx(0.01)
    assert reading["cost"]["tokens"] == 120
    assert len(reading["prompt"]) == 12
    assert reading["model"] == "m"
    assert reading["panels"][0]["table"]["rows"][0][1]["source"] == "model"
    asked = len(wire.asked)
    wire.plan(Says(TOLD))
    second = run(*command)
    assert second.exit_code == 0
    assert len(wire.asked) == asked + 1  # only the one that had failed
    assert "1 read before" in second.stderr
    assert len(second.stdout.splitlines()) == 2
    assert run(*command, "--again").exit_code == 0
    assert len(wire.asked) == asked + 3


def test_another_prompt_is_another_reading(wire: Wire, folder: Path, tmp_path: Path) -> None:
    wire.plan(Says(TOLD))
    (folder / "grouped.png").unlink()
    server = ["--base-url", f"{wire.url}/v1", "--out", tmp_path / "out"]
    command = ["digitize", folder, "--method", "single-shot:openai:m", *server]
    assert run(*command).exit_code == 0
    assert run(*command, "--prompt", "epicurve").exit_code == 0
    assert run(*command, "--effort", "high").exit_code == 0
    assert len(wire.asked) == 3


def test_an_agent_that_is_broken_off_goes_on(wire: Wire, tmp_path: Path) -> None:
    from tests.agent.wire import Calls

    out, figure = tmp_path / "out", FIGURES / "horizontal.png"
    command = ["digitize", figure, "--method", "agent:openai:m", "--base-url", f"{wire.url}/v1", "--out", out]
    wire.plan(Calls("edit_series", {"panel": 1, "series": 1, "name": "days in hospital"}), Status(400, "no"))
    assert run(*command).exit_code == 1
    assert (out / ".unfinished" / "horizontal.json").is_file()
    wire.plan(Calls("submit", {}))
    assert run(*command).exit_code == 0
    assert "days in hospital" in (out / "horizontal" / "panel_1.tsv").read_text()
    assert not (out / ".unfinished").exists()
    trajectory = json.loads((out / "horizontal" / "trajectory.json").read_text())
    assert [message["role"] for message in trajectory["messages"]].count("assistant") == 2


def test_several_workers_replay_a_file_each_from_its_start(folder: Path, tmp_path: Path) -> None:
    turns = script(tmp_path / "turns.jsonl", ("look", {"panel": 1}), ("submit", {"note": "seen"}))
    result = run("digitize", folder, "--method", f"agent:replay:{turns}", "--out", tmp_path / "out", "--workers", 2)
    assert result.exit_code == 0, result.stderr
    assert result.stderr.count("the model's note: seen") == 2
    assert [Path(line).name for line in result.stdout.splitlines()] == ["grouped", "horizontal"]


def test_the_shipped_replay_gives_the_offline_numbers(tmp_path: Path) -> None:
    figure, turns = FIGURES / "outbreak.png", FIGURES / "outbreak.replay.jsonl"
    assert run("digitize", figure, "--method", f"agent:replay:{turns}", "--out", tmp_path / "a").exit_code == 0
    assert run("digitize", figure, "--out", tmp_path / "b").exit_code == 0
    for panel in ("panel_1.tsv", "panel_2.tsv"):
        mine, offline = (tmp_path / one / "outbreak" / panel for one in ("a", "b"))
        assert mine.read_text() == offline.read_text()
    ended = json.loads((tmp_path / "a" / "outbreak" / "trajectory.json").read_text())["ended"]
    assert ended.startswith("Submitted")


def test_the_bench_runs_methods_with_models(folder: Path, tmp_path: Path) -> None:
    truth = tmp_path / "truth"
    truth.mkdir()
    for name in ("horizontal", "grouped"):
        shutil.copy(FIGURES / f"{name}.tsv", truth)
    turns = script(tmp_path / "turns.jsonl", ("submit", {}))
    methods = f"agent:replay:{turns},refine"
    result = run("compare", folder, truth, "--methods", methods, "--draft", truth, "--out", tmp_path / "bench")
    assert result.exit_code == 0, result.stderr
    scores = [json.loads(line) for line in (tmp_path / "bench" / "scores.jsonl").read_text().splitlines()]
    assert len(scores) == 4
    assert all(score["ecs"] > 0.98 for score in scores)


def test_the_bench_does_not_score_what_failed_outside(wire: Wire, folder: Path, tmp_path: Path) -> None:
    truth = tmp_path / "truth"
    truth.mkdir()
    shutil.copy(FIGURES / "horizontal.tsv", truth)
    wire.plan(Status(401, "bad key"))
    result = run("compare", folder, truth, "--methods", "single-shot:openai:m", "--base-url", f"{wire.url}/v1",
                 "--out", tmp_path / "bench")  # fmt: skip
    assert result.exit_code == 0, result.stderr
    (score,) = (json.loads(line) for line in (tmp_path / "bench" / "scores.jsonl").read_text().splitlines())
    assert score["unscored"]
    assert "key" in score["reason"]


@pytest.mark.parametrize(
    ("extra", "says"),
    [
        (["--method", "agent"], "needs a model"),
        (["--method", "agent:openai:m", "--effort", "huge"], "no effort"),
        (["--method", "refine", "--draft", "nowhere.tsv"], "no draft nowhere.tsv"),
        (["--method", "agent:replay:nowhere.jsonl"], "no replay file"),
    ],
)
def test_wrong_methods_are_one_sentence_and_exit_code_two(extra: list[str], says: str) -> None:
    result = run("digitize", FIGURES / "horizontal.png", *extra)
    assert result.exit_code == 2
    assert says in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_a_folder_without_figures(tmp_path: Path) -> None:
    result = run("digitize", tmp_path)
    assert result.exit_code == 2
    assert "no figure" in result.stderr


def test_a_figure_without_a_draft_is_told_and_the_others_go_on(folder: Path, tmp_path: Path) -> None:
    drafts = tmp_path / "drafts"
    drafts.mkdir()
    shutil.copy(FIGURES / "grouped.tsv", drafts)
    result = run("digitize", folder, "--method", "refine", "--draft", drafts, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "no draft for horizontal" in result.stderr
    assert (tmp_path / "out" / "grouped" / "panel_1.tsv").is_file()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_cost_line_is_rewritten_where_somebody_watches() -> None:
    out = Terminal()
    line = CostLine(3, out)
    line.add(Usage(1000, 200, 0.5, 2.0, 1), False)
    line.add(None, False)
    line.add(Usage(10, 2, None, 1.0, 1), True)
    line.close()
    shown = out.getvalue().split("\r")
    assert "1/3 figures, $0.5000, 1200 tokens" in shown[1]
    assert "3/3 figures, cost unknown, 1212 tokens, 3 s of the model, 1 read before, 1 failed" in shown[-1]
