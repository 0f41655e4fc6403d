"""`plotcaliper check` as people meet it, on real readings of the figures of the tests; and a few made pairs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from typer import Typer
from typer.testing import CliRunner, Result

from agent.cli_check import check
from evaluation.pairs import kind_of, make_pairs
from tests.agent.measure_pairs import measure

FIGURES = Path(__file__).parent.parent / "figures"


def run(*arguments: object) -> Result:
    app = Typer(pretty_exceptions_enable=False)
    app.command()(check)
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_a_changed_cell_is_told_and_written(tmp_path: Path) -> None:
    data = tmp_path / "data.tsv"
    data.write_text((FIGURES / "grouped.tsv").read_text().replace("48.2", "31.7"))
    result = run(FIGURES / "grouped.png", data, "--json", "--out", tmp_path / "out")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert found["verdict"] == "mismatch"
    assert [(f["x"], f["series"], f["table"]) for f in found["findings"]] == [("Castle", "Before", 31.7)]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["check.html", "check.json", "overlay.png"]


def test_a_folder_finds_which_table_belongs_to_which_figure(tmp_path: Path) -> None:
    for stem, name in (("grouped", "waiting"), ("horizontal", "stays")):
        shutil.copy(FIGURES / f"{stem}.png", tmp_path / f"{stem}.png")
        shutil.copy(FIGURES / f"{stem}.tsv", tmp_path / f"{name}.tsv")
    (tmp_path / "other.csv").write_text("Tree,Height\nOak,21000\nElm,17500\nAsh,16200\n")
    result = run(tmp_path)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert [line.split()[:2] for line in lines[:2]] == [["grouped.png", "waiting.tsv"], ["horizontal.png", "stays.tsv"]]
    assert "consistent" in lines[0]
    assert lines[2].startswith("other.csv")


def test_wrong_use_is_one_sentence(tmp_path: Path) -> None:
    for arguments in ((FIGURES / "grouped.png",), (FIGURES / "grouped.png", tmp_path / "none.csv"), (tmp_path,),
                      (FIGURES / "grouped.png", FIGURES / "grouped.tsv", "--tolerance", 5)):  # fmt: skip
        result = run(*arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert len(result.stderr.strip().splitlines()) == 1


def test_made_pairs_know_their_faults() -> None:
    pairs = list(make_pairs(3, 2, ("bar_grouped", "line_markers")))
    assert {pair.verdict for pair in pairs} >= {"match", "mismatch"}
    changed = next(pair for pair in pairs if pair.kind == "cells")
    assert all(str(f"{cell.table:g}") in changed.table for cell in changed.cells)
    assert {kind_of(pair) for pair in pairs} == {"bar", "line"}


def test_a_small_set_of_pairs_comes_out_right() -> None:
    counts = measure(make_pairs(3, 1, ("bar_grouped",)))
    assert counts["match"] == {"right": 1}
    faults = sum((found for kind, found in counts.items() if kind != "match"), start=type(counts["match"])())
    assert faults["hit"] >= 2
    assert not faults["wrong place"] + faults["missed"] + faults["false alarm"]
