"""Goldens: every figure of `tests/figures` through the command line against the numbers that it was drawn from."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agent.cli import app
from tests.capabilities import CAPABILITIES, Capability, readme_table

ROOT = Path(__file__).parent.parent
FIGURES = ROOT / "tests" / "figures"


@pytest.fixture(scope="module")
def scores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, object]]:
    """The bench over all figures of the repository: scores by figure."""
    out = tmp_path_factory.mktemp("bench")
    result = CliRunner().invoke(app, ["compare", str(FIGURES), str(FIGURES), "--out", str(out), "--workers", "2"])
    assert result.exit_code == 0, result.output
    lines = [json.loads(line) for line in (out / "scores.jsonl").read_text().splitlines()]
    return {line["id"]: line for line in lines}


@pytest.mark.parametrize("capability", CAPABILITIES, ids=lambda capability: capability.figure)
def test_what_is_promised_is_read(scores: dict[str, dict[str, object]], capability: Capability) -> None:
    score = scores[capability.figure]
    reached = score["ecs"] if score["ecs"] is not None else score["in_2"]
    assert isinstance(reached, float)
    assert reached >= capability.floor, score


def test_every_figure_of_the_repository_is_promised() -> None:
    listed = {json.loads(line)["id"] for line in (FIGURES / "index.jsonl").read_text().splitlines()}
    assert listed == {capability.figure for capability in CAPABILITIES}


def test_the_readme_shows_the_capabilities() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    found = re.search(r"<!-- capabilities -->\n(.*?)\n<!-- /capabilities -->", text, re.DOTALL)
    assert found is not None
    assert found[1].strip() == readme_table()
