"""Benchmarks from the making of a set to the page of its report, without reading a figure."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from evaluation import benchmark, epicurve
from evaluation.commands import app
from evaluation.ecs import Components
from evaluation.loaders import LOADERS, load_public, write_loaded
from evaluation.report import write_report
from evaluation.truth import load_samples


def finished_run(folder: Path, name: str = "offline") -> benchmark.RunFolder:
    """A run over a small set in which the truth itself is the prediction, but for one figure."""
    benchmark.make("epicurve", folder / "set", limit=4, seed=3)
    samples = load_samples(folder / "set" / "images", folder / "set" / "truth")
    home = folder / "run" / name
    for one in samples:
        (home / "predictions" / one.id).mkdir(parents=True)
        shutil.copyfile(one.tables[0], home / "predictions" / one.id / "panel_1.tsv")
        record = {"sha256": "", "seconds": 2.0, "reason": "", "unscored": one is samples[-1]}
        (home / "runs").mkdir(exist_ok=True)
        (home / "runs" / f"{one.id}.json").write_text(json.dumps(record), encoding="utf-8")
    about = {"set": str(folder / "set"), "benchmark": "epicurve", "methods": [name], "ids": [s.id for s in samples]}
    (folder / "run" / "run.json").write_text(json.dumps(about), encoding="utf-8")
    return benchmark.open_run(folder / "run")


def test_the_truth_as_a_prediction_scores_1_and_a_failed_machine_counts_nowhere(tmp_path: Path) -> None:
    found = finished_run(tmp_path)
    (result,) = benchmark.score(found)
    assert len(result.unscored) == 1
    assert isinstance(result.analysis, epicurve.Analysis)
    assert result.analysis.score.n == 3
    assert result.analysis.score.mean == pytest.approx(1.0)
    assert result.seconds == 2.0


def test_scoring_again_gives_the_same(tmp_path: Path) -> None:
    found = finished_run(tmp_path)
    benchmark.score(found)
    first = (tmp_path / "run" / "scores.jsonl").read_bytes()
    benchmark.score(found)
    assert (tmp_path / "run" / "scores.jsonl").read_bytes() == first


def test_the_report_is_one_page_that_fetches_nothing(tmp_path: Path) -> None:
    found = finished_run(tmp_path)
    page = write_report(found, benchmark.score(found)).read_text(encoding="utf-8")
    assert "<svg" in page
    assert "Leaderboard" in page
    assert 'src="http' not in page
    assert "<script" not in page
    tables = sorted(path.name for path in (tmp_path / "run" / "tables").glob("*.csv"))
    assert tables[0] == "01-leaderboard.csv"
    assert (tmp_path / "run" / "tables" / tables[0]).read_text("utf-8").splitlines()[1].startswith("offline,4,1,100")


def test_epicurves_have_the_papers_mix() -> None:
    facts = [epicurve.plan_epicurve(1, sample)[1] for sample in range(100)]
    kinds = Counter(one["chart"] for one in facts)
    assert kinds["line"] / 100 == pytest.approx(0.714, abs=0.12)
    assert sum(one["cumulative"] for one in facts) / 100 == pytest.approx(0.136 * 0.714, abs=0.08)
    lengths = np.array([one["points"] for one in facts])
    assert np.median(lengths) == pytest.approx(52, rel=0.5)
    assert lengths.max() <= epicurve.LONGEST
    assert max(one["series"] for one in facts) <= epicurve.MOST_SERIES
    assert all(one["points"] * one["series"] <= 2 * epicurve.MOST_POINTS for one in facts)


def test_the_same_seed_makes_the_same_set(tmp_path: Path) -> None:
    for name in ("a", "b"):
        benchmark.make("epicurve", tmp_path / name, limit=2, seed=9)
    for path in (tmp_path / "a").rglob("*"):
        if path.is_file():
            assert path.read_bytes() == (tmp_path / "b" / path.relative_to(tmp_path / "a")).read_bytes()


def test_decomposition_sums_to_one_and_sweeps_rise_with_theta() -> None:
    truth = (("cases", np.arange(20.0)), ("deaths", np.arange(20.0) ** 2))
    said = (("cases", np.arange(20.0) + 0.3), ("other", np.arange(15.0)))
    found = epicurve.analyse([epicurve.Chart("one", said, truth, {"chart": "line", "points": 20})])
    assert isinstance(found.components, Components)
    assert sum(vars(found.components).values()) == pytest.approx(1.0, abs=1e-9)
    by_theta = [p.result.score for p in found.sweeps if p.switch == "theta" and p.result]
    assert by_theta == sorted(by_theta)
    assert found.strata["chart"]["line"].n == 1


def picture(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(np.full((50, 60, 3), 255, np.uint8)).save(path)


def test_loader_of_pictures_and_tables(tmp_path: Path) -> None:
    picture(tmp_path / "png" / "10099.png")
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "10099.csv").write_text("Entity,Disapprove\nJul 2015,45\nSep 2015,nan\n", encoding="utf-8")
    (one,) = load_public("chartqa", tmp_path)
    assert one.tables == ([["Entity", "Disapprove"], ["Jul 2015", "45"], ["Sep 2015", "nan"]],)
    assert write_loaded([one], tmp_path / "set", "plain") == 1
    (sample,) = load_samples(tmp_path / "set" / "images", tmp_path / "set" / "truth")
    assert sample.id == "c00000"  # the picture's own name stays in the index and never reaches a reader


def test_loader_of_world_bank_charts_takes_kinds_from_the_metadata(tmp_path: Path) -> None:
    picture(tmp_path / "png" / "1.png")
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "1.csv").write_text("Year,Chad\n2000,1\n", encoding="utf-8")
    (tmp_path / "metadata.json").write_text(json.dumps([{"id": 1, "chart_type": "stacked_bar"}]), encoding="utf-8")
    assert load_public("wb-chartextract", tmp_path)[0].kind == "bar"


def test_loader_of_chartparse_keeps_declared_gaps_empty(tmp_path: Path) -> None:
    picture(tmp_path / "images" / "A14.png")
    (tmp_path / "truth").mkdir()
    truth = {"series": [{"name": "a", "x": [1, 2], "y": [3, float("nan")]}], "axis_scales": {"x": "linear", "y": "log"}}
    (tmp_path / "truth" / "A14.truth.json").write_text(json.dumps(truth), encoding="utf-8")
    (one,) = load_public("chartparse", tmp_path)
    assert one.tables == ([["x", "a"], ["1", "3"], ["2", ""]],)
    assert (one.kind, one.facts["axis_kinds"]["y"]) == ("line", "log")


def test_loader_of_chart_info_reads_task_6(tmp_path: Path) -> None:
    picture(tmp_path / "images" / "line" / "PMC1___g001.jpg")
    folder = tmp_path / "annotations_JSON" / "line"
    folder.mkdir(parents=True)
    series = [{"name": "s", "data": [{"x": "1998", "y": 2.5}, {"x": "1999", "y2": 3}]}]
    truth = {"task1": {"output": {"chart_type": "line"}}, "task6": {"output": {"data series": series}}}
    (folder / "PMC1___g001.json").write_text(json.dumps(truth), encoding="utf-8")
    assert load_public("chart-info", tmp_path)[0].tables == ([["x", "s"], ["1998", "2.5"], ["1999", "3"]],)


def test_loader_of_chartx_splits_its_escaped_csv(tmp_path: Path) -> None:
    picture(tmp_path / "bar_chart" / "png" / "bar_87.png")
    item = {"chart_type": "bar_chart", "imgname": "bar_87", "img": "./bar_chart/png/bar_87.png",
            "csv": "Employee \\t Salary \\n John \\t 5000"}  # fmt: skip
    (tmp_path / "chartx.json").write_text(json.dumps([item]), encoding="utf-8")
    assert load_public("chartx", tmp_path)[0].tables == ([["Employee", "Salary"], ["John", "5000"]],)


@pytest.mark.parametrize("name", LOADERS)
def test_a_data_set_that_is_not_there_says_what_it_should_hold(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no folder|no chart|has no|no figure|holds no"):
        load_public(name, tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match=r"no folder|no chart|has no|no figure|holds no"):
        load_public(name, tmp_path / "empty")


def test_wrong_names_and_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="choose one of"):
        benchmark.make("epicurves", tmp_path / "set")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    with pytest.raises(ValueError, match="not empty"):
        benchmark.make("epicurve", tmp_path / "full")
    with pytest.raises(ValueError, match=r"no run\.json"):
        benchmark.open_run(tmp_path)


@pytest.mark.parametrize(("name", "words"), [("chartab", "layout of their files"), ("epicurve", "takes no --from")])
def test_a_folder_that_cannot_be_loaded_is_told_and_not_passed_over(tmp_path: Path, name: str, words: str) -> None:
    asked = ["make", name, "--from", str(tmp_path), "--out", str(tmp_path / "set")]
    found = CliRunner().invoke(app, asked)
    assert found.exit_code == 2
    assert words in " ".join(found.output.split())
    assert not (tmp_path / "set").exists()
