"""The families of ChartParse-Bench: their layout on disk, their traps, and the product that scores them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from evaluation import benchmark
from evaluation.chartparse import TRAPS, plan_chart, write_charts
from evaluation.chartparse_analysis import Analysis, Chart, Panel, analyse, found_marks, gaps_in, score_panel
from evaluation.loaders import load_public
from evaluation.tables import read_sheet

LINES = "x\ta\tb\n1\t1\t9\n2\t5\t7\n3\t2\t8\n4\t6\t1\n"


def panel(said: str, true: str = LINES, **facts: bool) -> Panel:
    return Panel(read_sheet(said), read_sheet(true), **facts)


def test_the_published_layout_on_disk_and_its_loader(tmp_path: Path) -> None:
    assert write_charts(tmp_path, 5, 7) == 5
    names = sorted(path.name for path in (tmp_path / "truth").glob("*.truth.json"))
    assert names == [f"{family}01.truth.json" for family in "ABCDM"]
    spec = json.loads((tmp_path / "spec" / "A01.spec.json").read_text("utf-8"))
    assert spec["tests"] == TRAPS["A"][0].claim
    crossings = json.loads((tmp_path / "spec" / "M01.spec.json").read_text("utf-8"))["crossings"]
    assert len(crossings) > 3
    assert {"series", "after", "share"} == set(crossings[0])
    loaded = {one.id: one for one in load_public("chartparse", tmp_path)}
    truth = (tmp_path / "truth" / "A01.tsv").read_text("utf-8").splitlines()
    assert len(loaded["A01"].tables[0]) == len(truth)


def test_a_declared_gap_is_null_in_the_truth_and_not_drawn() -> None:
    name, trap, figure = plan_chart(3, 10)  # the third chart of family A
    assert (name, "gap" in trap.claim) == ("A03", True)
    assert np.isnan(figure.panels[0].series[0].y).sum() >= 3


def test_the_truth_scores_1_and_half_of_the_series_a_half() -> None:
    whole = score_panel(panel(LINES))
    assert whole is not None
    assert whole.score == pytest.approx(1.0)
    half = score_panel(panel("x\tanother name\n1\t1\n2\t5\n3\t2\n4\t6\n"))
    assert half is not None
    assert (half.series_recall, half.score) == (0.5, pytest.approx(0.5))


def test_a_declared_gap_is_neither_credited_nor_charged() -> None:
    said = "x\ta\tb\n1\t1\t9\n2\tnan\t7\n3\tnan\t8\n4\t6\t1\n"
    found = score_panel(panel(said))
    assert found is not None
    assert found.accuracy == pytest.approx(1.0)
    assert found.coverage == pytest.approx(1.0)
    filled = score_panel(panel(said.replace("nan", "1")))
    assert filled is not None
    assert filled.accuracy < 0.9
    assert gaps_in(np.array([[1, 1], [2, np.nan], [3, np.nan], [4, 6.0]])) == [(1.0, 4.0)]


def test_dates_categories_and_log_axes_have_places() -> None:
    dated = "x\ta\n2020-01-01\t1\n2020-02-01\t3\n2020-03-01\t2\n"
    assert score_panel(panel(dated, dated)).score == pytest.approx(1.0)  # type: ignore[union-attr]
    named = "x\ta\nctrl\t1\ndrug\t3\nboth\t2\n"
    shuffled = "x\ta\nboth\t2\nctrl\t1\ndrug\t3\n"
    assert score_panel(panel(shuffled, named)).score == pytest.approx(1.0)  # type: ignore[union-attr]
    decades = "x\ta\n1\t1\n10\t10\n100\t100\n"
    off = "x\ta\n1\t1.2589\n10\t12.589\n100\t125.89\n"  # a tenth of a decade everywhere
    found = score_panel(panel(off, decades, log_x=True, log_y=True))
    assert found is not None
    assert found.accuracy == pytest.approx(1 - 0.05, abs=1e-3)


def test_marks_are_found_one_to_one() -> None:
    true = np.array([[0.0, 0.0], [10, 10], [10.01, 10.01]])
    assert found_marks(np.array([[10.0, 10.0]]), true, log_y=False) == 1
    assert found_marks(np.array([[0.1, 0.0], [10, 10], [10, 10]]), true, log_y=False) == 3
    assert found_marks(np.zeros((0, 2)), true, log_y=False) == 0


def test_analysis_by_family_and_level() -> None:
    charts = [Chart("A01", (panel(LINES),), {"family": "A", "level": 2}),
              Chart("D01", (panel(LINES), panel("x\n")), {"family": "D", "level": 3})]  # fmt: skip
    found = analyse(charts)
    assert found.groups["A line"]["score"].mean == pytest.approx(1.0)
    assert found.groups["D compound"]["series_recall"].mean == pytest.approx(0.5)
    assert found.groups["all"]["score"].n == 2


def test_a_run_of_the_truth_itself(tmp_path: Path) -> None:
    benchmark.make("chartparse", tmp_path / "set", limit=5, seed=2)
    home = tmp_path / "run" / "offline"
    ids = []
    for line in (tmp_path / "set" / "index.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        ids.append(row["id"])
        (home / "predictions" / row["id"]).mkdir(parents=True)
        (home / "runs").mkdir(exist_ok=True)
        (home / "runs" / f"{row['id']}.json").write_text('{"sha256": "", "seconds": 1.0}', encoding="utf-8")
        for number, table in enumerate(row["truth"], 1):
            shutil.copyfile(tmp_path / "set" / table, home / "predictions" / row["id"] / f"panel_{number}.tsv")
    about = {"set": str(tmp_path / "set"), "benchmark": "chartparse", "methods": ["offline"], "ids": ids}
    (tmp_path / "run" / "run.json").write_text(json.dumps(about), encoding="utf-8")
    (result,) = benchmark.score(benchmark.open_run(tmp_path / "run"))
    assert isinstance(result.analysis, Analysis)
    assert result.analysis.groups["all"]["score"].mean == pytest.approx(1.0, abs=2e-3)
