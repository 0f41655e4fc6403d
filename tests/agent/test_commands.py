"""The smaller commands through the console script's own function: what they print, and their exit codes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from agent.cli import main

FIGURES = Path(__file__).resolve().parent.parent / "figures"
GROUPED = str(FIGURES / "grouped.png")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    def call(*arguments: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["plotcaliper", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            main()
        said = capsys.readouterr()
        return int(left.value.code or 0), said.out, said.err

    return call


def test_ask_answers_from_the_figure_with_an_interval(run) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = run("ask", GROUPED, "How high is Before at Dale?", "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["value"] == pytest.approx(12.7, abs=0.3)
    assert answer["low"] < answer["value"] < answer["high"]
    assert answer["evidence"] == "figure"


def test_ask_prefers_the_table_and_says_that_the_figure_agrees(run) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = run("ask", GROUPED, "How high is After at Bridge?", "--data", FIGURES / "grouped.tsv")
    assert (code, out.splitlines()[0]) == (0, "25.6")
    assert "the figure agrees" in out


def test_ask_refuses_what_it_cannot_find_and_wrong_use(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    code, out, err = run("ask", GROUPED, "What is the capital of France?")
    assert (code, out) == (1, "")
    assert "not answered" in err
    assert run("ask", GROUPED, "Before at Dale?", "--evidence", "table")[0] == 2
    code, _, err = run("ask", tmp_path / "nothing.png", "Before at Dale?")
    assert code == 2
    assert err.count("\n") == 1


def test_export_says_what_is_missing(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    code, _, err = run("export", tmp_path, "--to", "csv")
    assert code == 2
    assert "holds no reading" in err


def test_a_made_set_can_be_listed_and_refused(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    code, out, _ = run("benchmark", "list")
    assert code == 0
    assert {"epicurve", "density", "chartqa"} <= {line.split()[0] for line in out.splitlines()}
    code, _, err = run("benchmark", "make", "chartqa", "--out", tmp_path / "set")
    assert code == 2
    assert "nothing is downloaded" in err
    code, _, err = run("benchmark", "score", tmp_path)
    assert code == 2
    assert "holds no run" in err
