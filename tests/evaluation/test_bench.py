"""The rules of the bench on small tables: the truth scores 100 %, and each fault costs what it should."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from evaluation.bench import (
    FigureScore,
    loss,
    pair_panels,
    read_predictions,
    score_figure,
    summarise,
    unscored,
)
from evaluation.bench_table import bench_table
from evaluation.panel_score import form_of, score_panel
from evaluation.row_score import PanelScore
from evaluation.tables import PanelTable, panel_table, read_sheet
from evaluation.truth import PanelFacts, Sample, has_bars, load_samples, scale_of

WEEKS = "week | cases\n2014-W15 | 0\n2014-W16 | 2\n2014-W17 | 0\n2014-W18 | 9\n2014-W19 | 0"
BARS = "dose | A | A low | A high | B\nControl | 1 | 0.5 | 1.5 | 4\n10 mg | 3 | 2 | 4 | 9\n50 mg | 6 | 5 | 7 | 2"
LINE = "x | up | down\n0 | 0 | 100\n1 | 50 | 50\n2 | 100 | 0"
LOG = "x | y\n1 | 1\n10 | 100\n100 | 10000"
HISTOGRAM = "bin low | bin high | n\n0 | 5 | 0\n5 | 10 | 7\n10 | 15 | 3"
SURVIVAL = "t | treated | control\n0 | 1 | 1\n2 |  | 0.8\n3 | 0.9 | \n4 |  | 0.5\n6 | 0.7 | 0.3"
FALLING = "t | S\n0 | 100\n2 | 90\n3 | 70\n7 | 40\n9 | 20"
SCATTER = "x | a | b\n1 | 10 | \n2 | 20 | \n1.5 |  | 5\n3 |  | 8"
BOXES = (
    "site | whisker_low | q1 | median | q3 | whisker_high | outliers\n"
    "A | 1 | 2 | 3 | 4 | 5 | 9\nB | 2 | 4 | 6 | 8 | 10 | "
)
STRIP = "gene | y\n- | 1\n- | 2\nwt | 5\nwt | 6"


def table(text: str) -> PanelTable:
    return panel_table(read_sheet(text.replace(" | ", "\t")))


def score(truth: str, pred: str, kind: str = "line", **facts: bool) -> PanelScore:
    return score_panel(table(truth), table(pred), kind, PanelFacts(**facts))


@pytest.mark.parametrize(
    ("text", "kind", "facts"),
    [
        (WEEKS, "epicurve", {"from_zero": True}), (BARS, "bar", {"from_zero": True}), (LINE, "line", {"twin": True}),
        (LOG, "line", {"log_x": True, "log_y": True}), (HISTOGRAM, "histogram", {"from_zero": True}),
        (SURVIVAL, "survival", {}), (FALLING, "compound", {}), (SCATTER, "scatter", {}), (BOXES, "box", {}),
        (STRIP, "compound", {}), (LINE, "area", {"stacked": True}), (LINE, "", {}),
    ],
)  # fmt: skip
def test_the_truth_scores_everything(text: str, kind: str, facts: dict[str, bool]) -> None:
    found = score(text, text, kind, **facts)
    assert all(value in (None, 1.0) for name, value in vars(found).items() if name != "x_error")
    assert found.in_2 == found.in_5 == found.precision == 1.0
    assert found.x_error in (None, 0.0)
    assert (found.ecs is None) == (form_of(table(text), kind) != "rows")


def test_forms() -> None:
    forms = [form_of(table(t), "compound") for t in (LINE, FALLING, STRIP, BOXES, WEEKS, BARS)]
    assert forms == ["rows", "survival", "scatter", "box", "rows", "rows"]
    assert [form_of(table(LINE), kind) for kind in ("scatter", "survival", "line")] == ["scatter", "survival", "rows"]


def test_swapped_names_cost_the_score_by_name_only() -> None:
    found = score(LINE, LINE.replace("up | down", "down | up"))
    assert (found.ecs_shape, found.in_2, found.names) == (1.0, 1.0, 0.0)
    assert found.ecs == pytest.approx(1 / 3)


def test_categories_are_ordered_by_label_first() -> None:
    shuffled = "dose | A | B\n50 mg | 6 | 2\ncontrol | 1 | 4\n10 mg | 3 | 9"
    assert score(BARS, shuffled, "bar").ecs == 1.0
    assert score(BARS, shuffled, "bar").in_2 == 1.0


def test_bars_of_no_height_at_the_ends_count_for_neither_side() -> None:
    trimmed = "week | cases\n2014-W16 | 2\n2014-W17 | 0\n2014-W18 | 9"
    padded = WEEKS + "\n2014-W20 | 0\n2014-W21 | 0.001"
    for pred in (trimmed, padded):
        found = score(WEEKS, pred, "epicurve", from_zero=True)
        assert (found.ecs, found.in_2, found.precision) == (1.0, 1.0, 1.0)
    smudged = score(WEEKS, padded.replace("2014-W15 | 0", "2014-W15 | 0.04"), "epicurve", from_zero=True)
    assert (smudged.ecs, smudged.precision) == (1.0, 1.0)
    taller = score(WEEKS, padded.replace("2014-W15 | 0", "2014-W15 | 0.3"), "epicurve", from_zero=True)
    assert (taller.ecs, taller.precision) == (0.75, 0.75)
    facets = score(WEEKS, trimmed, "compound")
    assert (facets.ecs, facets.in_2) == (1.0, 1.0)
    assert score(LINE, LINE.replace("0 | 0 |", "0 |  |"), "compound").ecs == pytest.approx(5 / 6)
    ones = "day | n\n2020-01-01 | 1\n2020-01-02 | 10"
    assert score(ones, ones.replace("| 1\n", "| 1.05\n"), "epicurve", from_zero=True, log_y=True).precision == 1.0
    lost = score(WEEKS, "week | cases\n2014-W16 | 2\n2014-W18 | 9", "epicurve", from_zero=True)
    assert lost.ecs == pytest.approx(2 / 3)
    assert lost.in_2 == pytest.approx(2 / 3)


def test_low_bars_between_higher_ones_count_also_in_another_year() -> None:
    truth = "day | cases\n2014-03-01 | 4\n2014-03-02 | 0\n2014-03-03 | 0\n2014-03-04 | 9"
    found = score(truth, truth.replace("2014", "2001"), "epicurve", from_zero=True)
    assert (found.ecs, found.in_2) == (1.0, 0.0)


def test_errors_are_shares_of_everything_drawn_on_the_axis() -> None:
    truth = "x | small | tall\n0 | 0 | 0\n1 | 5 | 500\n2 | 10 | 1000"
    pred = truth.replace("5 | 500", "6 | 500")
    found = score(truth, pred)
    assert found.ecs == pytest.approx(1 - 0.001 / 6)
    assert found.ecs_own == pytest.approx(5 / 6)
    assert (found.in_2, found.in_5) == (pytest.approx(5 / 6), pytest.approx(5 / 6))


def test_bars_stand_on_zero_and_stacks_reach_their_total() -> None:
    truth, pred = "c | a | b\np | 50 | 50\nq | 60 | 45", "c | a | b\np | 51 | 50\nq | 60 | 45"
    assert score(truth, pred, "bar", from_zero=True, stacked=True).ecs == pytest.approx(1 - (1 / 105) / 4)
    assert score(truth, pred, "bar", from_zero=True).ecs == pytest.approx(3 / 4)


def test_log_axes_are_measured_in_decades() -> None:
    near = score(LOG, LOG.replace("10000", "10400"), log_x=True, log_y=True)
    assert near.in_2 == 1.0
    assert near.ecs == pytest.approx(1 - np.log10(1.04) / 4 / 3)
    assert score(LOG, LOG.replace("\n10 |", "\n25 |"), log_x=True, log_y=True).in_2 == 1.0
    assert score(LOG, LOG.replace("\n10 |", "\n40 |"), log_x=True, log_y=True).in_2 == pytest.approx(2 / 3)


def test_points_pair_within_half_a_step() -> None:
    shifted = score(LINE, LINE.replace("\n1 |", "\n1.4 |"))
    assert (shifted.in_2, shifted.x_error) == (1.0, 0.0)
    assert score(LINE, LINE.replace("\n1 |", "\n1.6 |")).in_2 == pytest.approx(2 / 3)
    dense = "x | up | down\n" + "\n".join(f"{i / 10} | {i * 5} | {100 - i * 5}" for i in range(21))
    found = score(LINE, dense)
    assert found.in_2 == 1.0
    assert found.precision == pytest.approx(6 / 42)
    assert found.ecs == pytest.approx(3 / 21)


def test_dates_and_weeks_meet() -> None:
    dates = "day | cases\n2014-04-14 | 2\n2014-04-21 | 0\n2014-04-28 | 9"
    assert score(WEEKS, dates, "epicurve", from_zero=True).in_2 == 1.0


def test_scatter_is_split_by_its_series_column() -> None:
    long = "x | y | series\n3 | 8 | b\n2 | 20 | a\n1 | 10 | a\n1.5 | 5 | b"
    found = score(SCATTER, long, "scatter")
    assert (found.in_2, found.precision, found.names, found.ecs) == (1.0, 1.0, 1.0, None)
    one = score(SCATTER, "x | y\n3 | 8\n2 | 20\n1 | 10\n1.5 | 5", "scatter")
    assert (one.in_2, one.precision) == (0.5, 0.5)


def test_survival_is_compared_as_a_step_function() -> None:
    corners = (
        "t | treated | control\n0 | 1 | 1\n2 |  | 1\n2 |  | 0.8\n3 | 1 | \n3 | 0.9 | \n"
        "4 |  | 0.8\n4 |  | 0.5\n6 | 0.9 | 0.5\n6 | 0.7 | 0.3"
    )
    found = score(SURVIVAL, corners, "survival")
    assert (found.in_2, found.precision, found.names) == (1.0, 1.0, 1.0)
    flat = score(SURVIVAL, "t | treated | control\n0 | 1 | 1", "survival")
    assert 0.3 < flat.in_2 < 0.6


def test_percents_and_shares_meet_where_the_axis_prints_percents() -> None:
    percents = "t | treated | control\n0 | 100 | 100\n2 |  | 80\n3 | 90 | \n4 |  | 50\n6 | 70 | 30"
    assert score(SURVIVAL, percents, "survival", percent=True).in_2 == 1.0
    assert score(SURVIVAL, SURVIVAL, "survival", percent=True).in_2 == 1.0
    assert score(SURVIVAL, percents, "survival").in_2 < 0.1


def test_boxes_are_five_numbers() -> None:
    found = score(BOXES, BOXES.replace("6 | 8 | 10", "6.6 | 8 | nan"), "box")
    assert (found.in_2, found.in_5, found.ecs) == (0.8, 0.8, None)
    assert found.precision == pytest.approx(8 / 9)
    assert score(BOXES, "site | y\nA | 3", "box").in_2 == 0.0


def test_strip_points_have_no_order_within_a_category() -> None:
    assert score(STRIP, "gene | y\n- | 2\nwt | 6\n- | 1\nwt | 5", "compound").in_2 == 1.0


@pytest.mark.parametrize("truth", [WEEKS, BARS, LINE, LOG, HISTOGRAM, SURVIVAL, FALLING, SCATTER, BOXES, STRIP])
@pytest.mark.parametrize(
    "pred",
    [
        "", "x", "x | y\n", "x | y\na | b\nc | d", "x | y\n1 | inf\n2 | -inf", "x | y\n1 | nan", "x\n1\n2",
        "x | y\n1 | 2 | 3 | 4\n5", " | \n | ", "x | y\n" + "1e300 | -1e300\n" * 50, "x | y\ninf | 1\n-inf | 2",
        "x | y\n" + "\n".join(f"{i} | 1e9" for i in range(10_000)),
        "x | median | q1\na | b | c", "x | y | series", "series | series\n1 | 2",
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("error")
def test_broken_predictions_score_low_and_never_raise(truth: str, pred: str) -> None:
    curves = ("line", "epicurve", "bar", "scatter", "compound")
    for kind in ("survival",) if truth in (SURVIVAL, FALLING) else curves:
        form = form_of(table(truth), kind)
        found = score(truth, pred, kind, log_y=truth == LOG)
        assert found.in_5 <= 0.5
        assert found.ecs is None or found.ecs <= 0.5
        assert form == "rows" or found.ecs is None


def sample(tmp_path: Path, *texts: str, kind: str = "line", **facts: bool) -> Sample:
    paths = []
    for number, text in enumerate(texts, 1):
        paths.append(tmp_path / f"f_panel{number}.tsv")
        paths[-1].write_text(text.replace(" | ", "\t"))
    return Sample("f", kind, tmp_path / "f.png", tuple(paths), (PanelFacts(**facts),) * len(texts))


def predict(tmp_path: Path, **panels: str) -> Path:
    folder = tmp_path / "pred" / "f"
    folder.mkdir(parents=True)
    for name, text in panels.items():
        (folder / f"{name}.tsv").write_text(text.replace(" | ", "\t"))
    return folder


def test_a_missing_panel_scores_nothing_and_a_figure_is_the_mean_of_its_panels(tmp_path: Path) -> None:
    one = sample(tmp_path, LINE, LINE)
    found = score_figure(one, predict(tmp_path, panel_1=LINE))
    assert (found.values["ecs"], found.values["in_2"], found.values["precision"]) == (0.5, 0.5, 1.0)
    assert (found.read, found.panels_right) == (True, 0.0)


def test_what_is_not_read_counts_as_zero_with_its_reason(tmp_path: Path) -> None:
    found = score_figure(sample(tmp_path, LINE), tmp_path / "nowhere", "no axis was found")
    assert (found.read, found.reason, found.values["ecs"], found.values["names"]) == (
        False,
        "no axis was found",
        0.0,
        0.0,
    )
    assert loss(found) == 1.0


def test_infrastructure_is_unscored_and_never_zero(tmp_path: Path) -> None:
    right = score_figure(sample(tmp_path, LINE), predict(tmp_path, panel_1=LINE))
    lost = unscored(sample(tmp_path, LINE), "no such picture")
    summary = summarise([right, lost])[-1]
    assert (summary.n, summary.unscored, summary.values["ecs"], summary.values["panels_right"]) == (2, 1, 1.0, 1.0)
    gone = Sample("g", "line", tmp_path / "g.png", (tmp_path / "gone.tsv",), (PanelFacts(),))
    assert score_figure(gone, tmp_path).unscored


def test_panels_keep_their_numbers(tmp_path: Path) -> None:
    folder = predict(tmp_path, panel_2=LINE, panel_10=LINE, f_panel3=LINE, panel_x=LINE, panel_4="x | y")
    assert sorted(read_predictions(folder)) == [2, 3, 10]
    found = score_figure(sample(tmp_path, BARS, LINE), folder)
    assert found.panels[0].in_2 == 0.0
    assert found.panels[1].in_2 == 1.0


def test_panels_pair_by_box_where_both_are_known(tmp_path: Path) -> None:
    left, right = (0.0, 0.0, 10.0, 10.0), (20.0, 0.0, 30.0, 10.0)
    facts = [PanelFacts(box=left), PanelFacts(box=right)]
    assert pair_panels(facts, 2, [right, left]) == {1: 2, 2: 1}
    assert pair_panels(facts, 1, [right]) == {2: 1}
    assert pair_panels(facts, 2, []) == {1: 1, 2: 2}
    assert pair_panels([PanelFacts()], 3, [left]) == {1: 1}


def test_summary_by_kind_and_over_all(tmp_path: Path) -> None:
    scores = [
        FigureScore(str(i), kind, dict.fromkeys(vars(PanelScore()), i / 2))
        for i, kind in enumerate(["bar", "line", "bar"])
    ]
    groups = summarise(scores)
    assert [(group.kind, group.n, group.values["ecs"]) for group in groups] == [
        ("bar", 2, 0.5),
        ("line", 1, 0.5),
        ("all", 3, 0.5),
    ]
    assert bench_table("offline", groups).row_count == 3
    assert json.loads(json.dumps(scores[0].to_json()))["id"] == "0"


def test_scales_and_bars_in_words() -> None:
    words = "log (panel 1), linear (others)"
    assert [scale_of(words, 1), scale_of(words, 2), scale_of("linear (year)", 3), scale_of("", 1)] == [
        "log",
        "linear",
        "linear",
        "",
    ]
    assert scale_of("linear (panel 1), percent (panel 2)", 2) == "percent"
    assert has_bars("31 tiny bar facets")
    assert not has_bars("markers and their error bars")


def test_samples_come_from_an_index_or_from_names(tmp_path: Path) -> None:
    images, truth = tmp_path / "images", tmp_path / "truth"
    for folder in (images, truth):
        folder.mkdir()
    for name in ("a.png", "b.png", "notes.txt"):
        (images / name).write_text("")
    for name in ("a.tsv", "b_panel10.tsv", "b_panel2.tsv", "bb.tsv"):
        (truth / name).write_text("x\ty\n1\t2")
    found = load_samples(images, truth)
    assert [(s.id, [p.name for p in s.tables]) for s in found] == [
        ("a", ["a.tsv"]),
        ("b", ["b_panel2.tsv", "b_panel10.tsv"]),
    ]
    row = {"id": "a", "image": "images/a.png", "truth": ["truth/a.tsv"], "kind": "bar", "chart_type": "bar-horizontal",
           "axis_kinds": {"x": "log", "y": "categorical"}, "notes": "not stacked"}  # fmt: skip
    (tmp_path / "index.jsonl").write_text(json.dumps(row) + "\n")
    (only,) = load_samples(images, truth)
    assert (only.kind, only.facts) == ("bar", (PanelFacts(log_y=True, from_zero=True),))
    (tmp_path / "index.jsonl").unlink()
    with pytest.raises(ValueError, match="no figure"):
        load_samples(images, images)
