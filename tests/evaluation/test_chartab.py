"""ChartAB: pairs differ in what they say they differ in, and a run's files are scored by the paper's metrics."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evaluation.benchmark import RunFolder, make, open_run, score
from evaluation.chartab import SEEN, SET, TASKS, change_cells, changed, plan_pairs, questions_on, write_chartab
from evaluation.chartab_analysis import (
    ReadPair,
    analyse,
    pair_facts,
    pairs_to_compare,
    pairs_to_see,
    read_pairs,
    score_pair,
)
from evaluation.draw_chartab import DRAWER, TYPES, draw_chart, figure_of, plan_chart
from evaluation.report import write_report
from evaluation.runner import compare_pairs, look_at_pairs


def test_every_type_meets_every_task_and_five_of_twenty_are_one_robustness_set() -> None:
    pairs = plan_pairs(72, 1)
    plain = [pair for pair in pairs if not pair.group]
    assert {(pair.type, pair.task) for pair in plain} == {(t, task) for t in TYPES for task in TASKS}
    groups = [pair for pair in pairs if pair.group == "r000"]
    assert len(groups) == SET
    assert len({json.dumps(pair.change) for pair in groups}) == 1
    assert len({pair.a.colours for pair in groups}) > 1
    assert [pair.id for pair in plan_pairs(20, 1)] == [pair.id for pair in pairs[:20]]


@pytest.mark.parametrize("chart_type", TYPES)
def test_changed_cells_are_seen_occur_once_and_keep_boxes_in_order(chart_type: str) -> None:
    for seed in range(6):
        rng = np.random.default_rng(seed)
        chart = plan_chart(rng, chart_type)
        values, cells = change_cells(rng, chart, 3)
        assert len(cells) == 3
        assert np.count_nonzero(values != chart.values) == 3
        gap = np.abs(values - chart.values)
        assert (gap[gap > 0] >= SEEN * chart.values.max(axis=0).min()).all()
        if chart_type == "box":
            assert (np.diff(values, axis=1) > 0).all()
        for cell in cells.values():
            row, column = [r.replace("\t", ", ") for r in chart.rows].index(cell["row name"]), cell["column name"]
            at = row, chart.columns.index(column)
            assert (chart.values[at], values[at]) == (cell["value in chart 1"], cell["value in chart 2"])


def test_only_what_is_told_changes() -> None:
    rng = np.random.default_rng(5)
    chart = plan_chart(rng, "bar")
    colours, told = changed(rng, chart, "color")
    assert {n for n, a, b in zip(chart.names, chart.colours, colours.colours, strict=True) if a != b} == set(
        told["colors"]
    )
    assert (colours.values == chart.values).all()
    moved, told = changed(rng, chart, "legend")
    assert moved.place == told["position"]["modified value"] != told["position"]["initial value"]
    text, told = changed(rng, chart, "text")
    assert told["texts"]
    assert text.style != chart.style
    assert text.colours == chart.colours


@pytest.mark.parametrize("chart_type", TYPES)
def test_a_chart_of_every_type_is_drawn_with_what_is_known_of_it(chart_type: str) -> None:
    chart = plan_chart(np.random.default_rng(2), chart_type)
    drawn = draw_chart(chart)
    (panel,) = drawn.facts["panels"]
    assert drawn.pixels.std() > 5
    assert [one["name"] for one in panel["series"]] == list(chart.names)
    assert panel["legend"]["position"] == chart.place
    assert set(panel["text_styles"]) == {"title", "legend", "axis_labels", "ticks"}
    assert (draw_chart(chart).pixels == drawn.pixels).all()
    other = draw_chart(replace(chart, values=chart.values * 0.9))
    assert (other.pixels != drawn.pixels).any()
    if chart_type in DRAWER:
        assert figure_of(chart).panels[0].legend.place == chart.place


def test_questions_have_their_answers_in_the_table() -> None:
    chart = plan_chart(np.random.default_rng(4), "line")
    (value, highest, where) = questions_on(np.random.default_rng(4), chart)
    column = next(k for k, name in enumerate(chart.columns) if f"of {name}?" in highest[0])
    assert highest[1] == chart.values[:, column].max()
    assert where[1] == chart.rows[int(chart.values[:, column].argmax())]
    assert value[1] in chart.values


KNOWN: dict[str, Any] = {
    "series": [{"name": "North", "color_hex": "#1f77b4"}, {"name": "Coast", "color_hex": "#ff7f0e"}],
    "legend": {"position": "upper left"},
    "text_styles": {"title": {"size_px": 16.0, "weight": "bold", "family": "DejaVu Serif"}},
}
SEEN_RIGHT: dict[str, Any] = {
    "colours": {"North": "#1f77b4", "Coast": "#ff7f0e"}, "place": "upper left",
    "texts": {"title": {"size_px": 16.8, "weight": "bold", "family": None}},
}  # fmt: skip
CELLS = {"cell 1": {"row name": "Rye", "column name": "North", "value in chart 1": 3.0, "value in chart 2": 4.0}}


def pair(change: dict[str, Any], task: str, **said: Any) -> ReadPair:
    facts = {
        "id": "p",
        "type": "bar",
        "task": task,
        "change": change,
        "questions": [["How high?", 3.0], ["Which?", "Rye"]],
    }
    table = "x\tNorth\tCoast\nOats\t1\t2\nRye\t3\t4"
    answers = [{"value": 3.1, "at": "Rye"}, {"value": 3.0, "at": "rye"}]
    whole = {"stages": 2, "a": SEEN_RIGHT, "b": SEEN_RIGHT, "answers": answers, **said}
    return ReadPair(facts, whole, (table, table), (table, table), (KNOWN, KNOWN))


def test_a_pair_is_scored_by_its_task() -> None:
    cell = {"row": "Rye", "column": "North", "a": 3.0, "b": 4.0}
    right = score_pair(pair({"cells": CELLS}, "data 1", difference={"cells": [cell]}))
    assert right.total == 10.0
    assert right.grounding == (1.0, 1.0)
    assert right.colour_l2 == (0.0, 0.0)
    assert right.answers == (True, True)
    assert right.texts[0]["fontfamily"] is None
    assert right.texts[0]["size"] == right.texts[0]["weight"] == 1.0
    assert score_pair(pair({"cells": CELLS}, "data 1", difference={"cells": []})).total == 0.0
    colours = {"colors": {"Coast": {"initial value": "#ff7f0e", "modified value": "#2ca02c"}}}
    told = {"colours": [{"name": "Coast", "a": "#ff7f0e", "b": "#2ca02c"}]}
    assert score_pair(pair(colours, "color", difference=told)).total == 10.0
    place = {"position": {"initial value": "upper left", "modified value": "upper center"}}
    assert score_pair(pair(place, "legend")).total == 9.0
    text = {"texts": {"title": {"weight": {"initial value": "bold", "modified value": "normal"}}}}
    told_text = {"texts": [{"name": "title weight", "a": "bold", "b": "normal"}]}
    assert score_pair(pair(text, "text", difference=told_text)).total == 10.0


def test_places_answers_and_robustness_are_counted() -> None:
    one = pair({"cells": CELLS}, "data 1", difference={"cells": []})
    found = analyse([one, one])
    assert np.sum(found.confusion) == 4
    assert found.confusion[0][0] == 4
    assert found.answers["questions on tables"].mean == 1.0
    robust = [replace(one, facts={**one.facts, "task": "robust color", "group": "r000"})] * 5
    assert analyse(robust).robust["robust color"].mean == 1.0


def test_a_pair_that_was_not_read_counts_nothing() -> None:
    empty = replace(pair({"cells": CELLS}, "data 1"), said={}, tables=("", ""))
    found = score_pair(empty)
    assert found.total == 0.0
    assert found.grounding == (0.0, 0.0)
    assert found.answers == (False, False)
    assert found.colour_l2 == (None, None)


def test_no_answer_or_change_is_handed_to_a_method(tmp_path: Path) -> None:
    write_chartab(tmp_path, 2, 3)
    given = json.dumps(pairs_to_compare(tmp_path, ["p0000a", "p0000b", "p0001a"]))
    facts = json.loads((tmp_path / "pairs.jsonl").read_text().splitlines()[0])
    assert "p0001" not in given
    assert "value in chart" not in given
    assert all(str(answer) not in given for _, answer in facts["questions"] if not isinstance(answer, str))


@pytest.fixture
def found(tmp_path: Path) -> RunFolder:
    """A set of three pairs with the true tables in the place of predictions."""
    make("chartab", tmp_path / "set", limit=3, seed=3)
    home = tmp_path / "run" / "offline"
    ids = sorted(path.stem for path in (tmp_path / "set" / "images").glob("*.png"))
    for name in ids:
        folder = home / "predictions" / name
        folder.mkdir(parents=True)
        lines = [line.split("\t") for line in (tmp_path / "set" / "truth" / f"{name}.tsv").read_text().splitlines()]
        (folder / "panel_1.tsv").write_text("".join("\t".join(line) + "\n" for line in lines))
        rows = [[{"value": float(c) if k else c, "text": c, "status": "read"} for k, c in enumerate(line)]
                for line in lines[1:]]  # fmt: skip
        known = json.loads((tmp_path / "set" / "truth_json" / f"{name}.json").read_text())["panels"][0]
        series = [{"name": s["name"], "colour": s["color_hex"], "kind": "bar"} for s in known["series"]]
        table = {"header": lines[0], "rows": rows, "form": "wide", "title": ""}
        panel = {"table": table, "series": series, "legend": {"place": known["legend"]["position"], "entries": []}}
        (folder / "reading.json").write_text(json.dumps({"panels": [panel], "refusals": []}))
        (home / "runs").mkdir(exist_ok=True)
        record = {"sha256": "", "seconds": 1.0}
        (home / "runs" / f"{name}.json").write_text(json.dumps(record))
    record = {"set": str(tmp_path / "set"), "benchmark": "chartab", "methods": ["offline"], "ids": ids}
    (tmp_path / "run" / "run.json").write_text(json.dumps(record))
    return open_run(tmp_path / "run")


def test_true_tables_score_full_marks_and_are_reported(found: RunFolder) -> None:
    compare_pairs(pairs_to_compare(found.set, found.ids), found.path / "offline")
    results = score(found)
    analysis: Any = results[0].analysis
    assert [one.total for one in analysis.pairs] == [10.0] * 3
    assert all(all(one.answers) for one in analysis.pairs)
    page = write_report(found, results).read_text(encoding="utf-8")
    for title in ("Alignment of pairs", "Grounding of single charts", "Places of legends", "Questions"):
        assert title in page


def test_the_file_of_a_method_that_looked_once_at_both_is_kept(found: RunFolder) -> None:
    path = found.path / "offline" / "pairs" / "p0000.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"stages": 1, "difference": {}}))
    compare_pairs(pairs_to_compare(found.set, found.ids), found.path / "offline")
    assert json.loads(path.read_text())["stages"] == 1
    assert json.loads((path.parent / "p0001.json").read_text())["stages"] == 2


def test_a_method_that_looks_is_judged_by_what_it_was_asked(found: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    home = found.path / "single-shot-anthropic-m"
    (found.path / "offline").rename(home)
    pairs = pairs_to_see(found.set, found.ids)
    asked: list[str] = []

    def look(first: Path, second: Path, attribute: str, method: Any) -> dict[str, Any]:
        asked.append(attribute)
        assert first.is_file()
        assert second.is_file()
        return {"stages": 2, "by_eye": attribute, "difference": {}, "a": {}, "b": {}}

    monkeypatch.setattr("agent.pair_by_eye.look_at_pair", look)
    compare_pairs(pairs_to_compare(found.set, found.ids), home)
    for _ in range(2):  # the second time all were answered before
        look_at_pairs(pairs, "single-shot:anthropic:m", home)
    look_at_pairs(pairs, "offline", home)
    assert asked == [attribute for *_, attribute in pairs]
    compare_pairs(pairs_to_compare(found.set, found.ids), home)  # does not measure over what was seen
    analysis = analyse(read_pairs(found.set, home, found.ids))
    assert [one.total for one in analysis.pairs if one.task != "legend"] == [0.0] * (len(asked) - asked.count("legend"))
    assert all(len(one.places) == (2 if "legend" in one.task else 0) for one in analysis.pairs)
    assert all(len(one.answers) == len(facts["questions"]) for one, facts in
               zip(analysis.pairs, pair_facts(found.set, found.ids), strict=True))  # fmt: skip
