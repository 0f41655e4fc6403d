"""PlotGround's sets: papers with traps, truth kept apart, answers judged, report."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evaluation import benchmark, plotground, runner
from evaluation.asked import Ask, Questioned, QuestionTask
from evaluation.draw_charts import generator
from evaluation.draw_papers import MANNERS, draw_papers, truth_of, write_paper
from evaluation.draw_sources import RECIPES, TRAPS
from evaluation.draw_style import choose_style
from evaluation.plotground_analysis import Analysis, analyse, check_of, disagreements_of, funnel_of, judge
from evaluation.report import write_report
from evaluation.report_plotground import plotground_sheets
from tests.evaluation.test_truth_stays_out import Truth


def test_every_trap_is_named_before_it_is_drawn_and_every_recipe_has_its_values() -> None:
    style = choose_style(generator(5, 0, 1))
    for k, build in enumerate(TRAPS):
        trap = build(np.random.default_rng(k), style).trap
        assert trap is not None
        assert trap.claim
        assert trap.reason
    for k, build in enumerate(RECIPES):
        made = build(np.random.default_rng(k), style)
        assert made.trap is None
        assert {v.at for v in made.values} <= set(made.plan.x.texts) | {f"{t:g}" for t in made.plan.x.ticks}
        assert len(made.rows) > 3


def test_the_recipes_give_what_is_drawn() -> None:
    style = choose_style(generator(6, 0, 1))
    made = RECIPES[1](np.random.default_rng(3), style)  # the mean of replicates
    first = made.values[0]
    cells = [float(row[3]) for row in made.rows[1:] if row[:2] == [first.at, first.series]]
    assert len(cells) > 3
    assert first.value == pytest.approx(np.mean(cells))
    percent = RECIPES[5](np.random.default_rng(3), style)
    row = percent.rows[1]
    assert percent.values[0].value == pytest.approx(100 * float(row[2]) / float(row[1]))


def test_papers_are_written_in_three_forms_and_four_manners(tmp_path: Path) -> None:
    papers = draw_papers(6, 8)
    assert [paper.manner for paper in papers] == list(MANNERS)
    assert sum(len(paper.figures) for paper in papers) == 6
    again = draw_papers(1, 8)
    assert (papers[0].figures[0].drawn.pixels == again[0].figures[0].drawn.pixels).all()
    for k, paper in enumerate(papers):
        write_paper(paper, tmp_path / paper.id, ("xml", "md", "txt")[k % 3])
    said = (tmp_path / "P002" / "paper.md").read_text("utf-8")
    assert "Source data for Fig. 1a are in the sheet 'S1' of source_data_1.xlsx." in said
    assert "Supplementary Table S1" in (tmp_path / "P003" / "paper.txt").read_text("utf-8")
    assert "All data are provided" in (tmp_path / "P004" / "paper.xml").read_text("utf-8")
    truth = [row for paper in papers for row in truth_of(paper)]
    assert Counter(bool(row["trap"]) for row in truth)[True] == len(truth) // 3


PANEL = {"panel": "a", "kind": "bar", "reason": "", "detail": "", "recipe": {},
         "mapping": {"file": "t.csv", "sheet": "", "how": "direct"}}  # fmt: skip
ASKED = {"panel": "a", "series": "", "at": "Elm", "statistic": "", "answer": 40.0, "text": "?", "rewritten": "?",
         "kind": "bar"}  # fmt: skip
LOST = {"figure": "1", "panel": "a", "series": "", "at": "Elm", "reason": "figure and table disagree", "detail": "",
        "table": 20.0, "read": 40.0}  # fmt: skip


def worked(
    reason: str = "", asked: tuple[dict[str, Any], ...] = (), lost: tuple[dict[str, Any], ...] = ()
) -> dict[str, Any]:
    panel = PANEL | {"reason": reason}
    return {
        "id": "P1-F1",
        "paper": "P1",
        "figure": "1",
        "panels": [panel],
        "questions": list(asked),
        "discarded": list(lost),
    }


def known(reason: str = "", where: str = "panel", **more: Any) -> dict[str, Any]:
    trap = {"claim": "a trap", "reason": reason, "where": where} if reason else None
    return {"paper": "P1", "figure": "1", "panel": "a", "file": "t.csv", "sheet": "", "trap": trap,
            "reason": reason if where == "panel" else "", "trapped": ["", "Elm", ""], "values": [["", "Elm", "", 40.0]],
            } | more  # fmt: skip


@pytest.mark.parametrize(
    ("one", "true", "found"),
    [
        (worked("printed value"), known("printed value"), 1),
        (worked("not read"), known("printed value"), 0),
        (worked(), known("printed value"), 0),
        (worked(lost=(LOST,)), known("figure and table disagree", "value"), 1),
        (worked(asked=(ASKED,), lost=(LOST,)), known("figure and table disagree", "value"), 0),
        (worked(), known("stated in the text", "value"), 0),
    ],
)
def test_a_trap_is_found_by_its_own_reason_alone(one: dict[str, Any], true: dict[str, Any], found: int) -> None:
    (trap,) = check_of([one], [true]).traps
    assert (trap.laid, trap.found) == (1, found)


def test_maps_and_recomputed_answers_are_held_against_the_maker() -> None:
    check = check_of([worked(asked=(ASKED,))], [known()])
    assert (check.mapping.mean, check.kept.mean, check.recomputed.mean) == (1.0, 1.0, 1.0)
    off = check_of([worked(asked=(ASKED | {"answer": 41.0},))], [known(file="other.csv")])
    assert (off.mapping.mean, off.recomputed.mean) == (0.0, 0.0)
    assert len(disagreements_of([worked(lost=(LOST,))])) == 1
    assert funnel_of([worked("not read"), worked()]).rejected == {"not read": 1}


def test_answers_within_5_and_2_percent() -> None:
    true = {"id": "q", "kind": "bar", "text": "?", "answer": 100.0}
    said = [judge(true, {"evidence": "figure", "value": v}).right for v in (102.0, 104.9, 106.0, None)]
    assert said == [(True, True), (True, False), (False, False), (False, False)]
    zero = {"id": "q", "kind": "bar", "text": "?", "answer": 0.0}
    assert judge(zero, {"evidence": "table", "value": 0.0}).right == (True, True)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A set of one figure, made through the whole pipeline."""
    folder = tmp_path_factory.mktemp("plotground") / "set"
    assert benchmark.make("plotground", folder, limit=1, seed=12) == 1
    return folder


def test_a_set_keeps_answers_and_records_apart(made: Path) -> None:
    answers = [json.loads(line) for line in (made / "truth" / "answers.jsonl").read_text("utf-8").splitlines()]
    assert answers
    questions = (made / "questions.jsonl").read_text("utf-8")
    assert all("answer" not in json.loads(line) for line in questions.splitlines())
    outside = [path for path in made.rglob("*") if path.is_file() and not {"truth", "papers"} & set(path.parts)]
    plain = " ".join(p.read_text("utf-8") for p in outside if p.suffix in (".jsonl", ".json"))
    assert "recipe" not in plain
    assert all(re.fullmatch(r"P\d{3}-F\d\.png", path.name) for path in (made / "images").iterdir())
    assert b"tEXt" not in b"".join(path.read_bytes() for path in (made / "images").iterdir())


def test_questions_are_answered_while_their_truth_cannot_be_touched(made: Path, tmp_path: Path) -> None:
    first = plotground.questioned(made)[0]
    picture = tmp_path / "x.png"  # neither the name of the picture nor its place says anything
    shutil.copyfile(first.image, picture)
    shutil.copytree(first.tables, tmp_path / "t")
    truth: Any = Truth()
    with pytest.raises(AssertionError):
        list(truth)
    asked = tuple(Ask("q", q.text, q.rewritten) for q in first.questions)
    figure = Questioned("x", picture, tmp_path / "t", asked)
    for one in (*asked, figure):
        object.__setattr__(one, "answer", truth)
    answers = runner.question_task(QuestionTask(figure, "offline", ("figure", "both"), tmp_path / "out.json"))
    assert [said["value"] is not None for said in answers] == [True, True]


def test_run_score_report(made: Path, tmp_path: Path) -> None:
    bare = tmp_path / "set"  # what a run may see of a set: no truth, no papers
    shutil.copytree(made, bare, ignore=shutil.ignore_patterns("truth", "papers"))
    benchmark.run(bare, ["offline"], tmp_path / "run")
    shutil.copytree(made / "truth", bare / "truth")
    found = benchmark.open_run(tmp_path / "run")
    assert found.evidence == plotground.EVIDENCE
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "run").rglob("answers/*.json")}
    benchmark.run(bare, ["offline"], tmp_path / "run")
    assert before == {path: path.stat().st_mtime_ns for path in before}
    results = benchmark.score(benchmark.open_run(tmp_path / "run"))
    analysis = results[0].analysis
    assert isinstance(analysis, Analysis)
    assert analysis.check is not None
    assert analysis.check.mapping.mean == 1.0
    assert analysis.accuracy("figure", 0).mean == 1.0
    titles = [sheet.title for sheet in plotground_sheets([("offline", analysis)])]
    assert titles[:3] == ["Answers", "Answers by chart type", "What was opened"]
    page = write_report(found, results).read_text("utf-8")
    assert "right within 5 %" in page
    assert "From papers to questions" in page


def test_evidence_and_folders_that_mean_nothing(made: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="there is no evidence 'eyes'"):
        benchmark.run(made, ["offline"], tmp_path, evidence=("eyes",))
    with pytest.raises(ValueError, match="no folder of papers"):
        benchmark.make("plotground", tmp_path / "a", charts=tmp_path / "nothing")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="no paper can be used"):
        benchmark.make("plotground", tmp_path / "b", charts=tmp_path / "empty")


def test_answers_that_failed_outside_are_in_no_mean(made: Path) -> None:
    ids = [one.id for one in plotground.questioned(made)]
    first = json.loads((made / "truth" / "answers.jsonl").read_text("utf-8").splitlines()[0])
    said = [{"id": first["id"], "evidence": "figure", "value": first["answer"]},
            {"id": first["id"], "evidence": "table", "value": None, "failed": "no key"}]  # fmt: skip
    analysis = analyse(made, said, ids)
    assert [one.evidence for one in analysis.judged] == ["figure"]
