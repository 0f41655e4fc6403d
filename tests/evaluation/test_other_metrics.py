"""ChartDensity, ChartAB, ChartParse, CHART-Info, FPC-NRMSE, downstream statistics and sweeps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import metrics
from evaluation.chartab_metrics import POSITIONS, parse_hex
from evaluation.chartinfo import DataSeries
from evaluation.downstream import Downstream, spearman
from evaluation.sweeps import SWEEPS

CURVE = [(0, 0.0), (1, 10.0), (2, 20.0), (3, 10.0)]
values = st.lists(st.floats(-50, 50).map(lambda v: round(v, 2)), min_size=2, max_size=8)


def rows(*points: tuple[str, str], series: str = "A") -> list[tuple[str, str, str]]:
    return [(series, x, y) for x, y in points]


def test_chartdensity_words_on_x_go_by_row_and_nothing_is_undefined_quietly() -> None:
    months = rows(("Jan", "1"), ("Feb", "3"))
    found = metrics.chartdensity_chart(months[:1], months)
    assert found is not None
    assert (found.completeness, found.point_coverage, found.mae) == (0.5, 0.5, 0.0)
    assert metrics.chartdensity_chart(months, []) is None
    assert metrics.chartdensity_bench([]) is None
    assert metrics.degradation(0.0, 1.0) == (1.0, None)


def test_chartdensity_falls_back_to_rows_where_no_series_maps() -> None:
    gt = [*rows(("1", "0"), ("2", "10"), series="North"), *rows(("1", "5"), series="South")]
    pred = [*rows(("1", "0"), ("2", "10"), series="xxxxx"), *rows(("1", "5"), series="yyyyy")]
    found = metrics.chartdensity_chart(pred, gt)
    assert found is not None
    assert (found.n_matched, found.mae) == (3, 0.0)


def test_chartdensity_x_tolerance() -> None:
    gt, pred = rows(("1", "1"), ("2", "3")), rows(("1.4", "1"), ("2", "3"))
    for tolerance, matched in ((None, 2), (0.5, 2), (0.1, 1)):
        found = metrics.chartdensity_chart(pred, gt, tolerance)
        assert found is not None
        assert found.n_matched == matched


def test_chartab_answers_that_are_no_answers() -> None:
    cell = {"cell 1": {"row name": "a", "column name": "b", "value in chart 1": 1, "value in chart 2": 2}}
    assert metrics.data_alignment({"cell 1": "nonsense"}, cell).total == 0.0
    assert metrics.data_alignment({"cell 1": {"row name": "a", "column name": "b"}}, cell).total == 5.0
    code = {"cell 1": {**cell["cell 1"], "value in chart 1": "__import__('os')"}}
    assert metrics.data_alignment(code, cell).total == 7.5
    change = {"A": {"initial value": "#000", "modified value": "#fff"}}
    assert metrics.color_alignment({"A": None, "zzz": 3}, change).tp == 1
    assert (
        metrics.legend_alignment(
            {"position": "left"}, {"position": dict.fromkeys(("initial value", "modified value"), "center")}
        )
        == 0
    )
    assert metrics.text_grounding({"title": {"size": "n/a"}}, {"title": {"size": 10}})["size"] == 0.0
    assert metrics.color_l2({"A": "red"}, {"A": "#ff0000"}) is None
    assert parse_hex("#0f0") == (0, 255, 0)
    assert parse_hex(7) is None


def test_chartab_precision_recall_and_f1_differ() -> None:
    change = {"initial value": "#000000", "modified value": "#ffffff"}
    found = metrics.color_alignment({"A": change, "B": change, "C": change}, {"A": change, "B": change})
    assert (found.precision, found.recall, found.f1) == (pytest.approx(2 / 3), 1.0, pytest.approx(0.8))
    penalised = metrics.color_l2({"A": "#000000"}, {"A": "#000000", "zz": "#ffffff"})
    assert penalised is not None
    assert (penalised.matched, penalised.with_penalty) == (0.0, 441.67 / 2)


def test_legend_confusion_and_robustness() -> None:
    assert POSITIONS[0] == "upper left"
    assert POSITIONS[4] == "center"
    counts = metrics.legend_confusion(["upper left", "best", "center"], ["upper left", "center", "center"])
    assert counts.shape == (9, 10)
    assert (counts[0, 0], counts[4, 9], counts[4, 4], counts.sum()) == (1, 1, 1, 3)
    assert metrics.robustness([]) is None
    assert metrics.robustness([5.0], ddof=1) is None


def test_chartparse_log_axis_and_pairs_that_are_none() -> None:
    decades = [(0, 1.0), (1, 100.0), (2, 10000.0)]
    off = metrics.chartparse([[(0, 1.0), (1, 200.0), (2, 10000.0)]], [decades], log_y=True)
    assert off is not None
    assert off.accuracy == pytest.approx(1 - np.log10(2) / 4 / np.sqrt(3))
    wild = metrics.chartparse([[(0, 1e3), (3, 1e3)]], [CURVE])
    assert wild is not None
    assert (wild.score, wild.pairs) == (0.0, ())
    assert metrics.chartparse([CURVE], []) is None
    bad = metrics.chartparse([[(np.nan, 1.0), (np.inf, 2.0)], []], [CURVE])
    assert bad is not None
    assert bad.score == 0.0


def test_chart_info_lines() -> None:
    line = DataSeries("a", CURVE)
    half = DataSeries("a", [(x, y * 1.5) for x, y in CURVE])
    assert metrics.chart_info([line], [line], "line") == 1.0
    assert metrics.chart_info([DataSeries("zz", CURVE)], [line], "line") == 0.5
    assert metrics.chart_info([DataSeries("zz", CURVE)], [line], "line", names=False) == 1.0
    assert metrics.chart_info([line, line], [line], "line") == 0.5
    assert metrics.chart_info([], [line], "line") == 0.0
    assert metrics.chart_info([], [], "line") is None
    found = metrics.chart_info([half], [line], "line")
    assert found is not None
    recall = (0.5 + (1 - 5 / 10.2) + (1 - 10 / 20.2) + 0.5 * (1 - 5 / 10.2)) / 3
    precision = (0.5 + (1 - 5 / 15.2) + (1 - 10 / 30.2) + 0.5 * (1 - 5 / 15.2)) / 3
    assert recall < precision
    assert found == pytest.approx(2 * precision * recall / (precision + recall))


def test_chart_info_bars_boxes_and_points() -> None:
    bars = DataSeries("n", [("Jan", 10.0), ("Feb", 30.0)])
    assert metrics.chart_info([bars], [bars], "bar") == 1.0
    assert metrics.chart_info([DataSeries("n", [("Jan", 10.0)])], [bars], "bar") == 0.5
    box = DataSeries(
        "A", [("min", 1.0), ("first_quartile", 2.0), ("median", 3.0), ("third_quartile", 4.0), ("max", 9.0)]
    )
    assert metrics.chart_info([box], [box], "box") == 1.0
    cloud = DataSeries("a", [(1.0, 2.0), (2.0, 5.0), (4.0, 3.0)])
    assert metrics.chart_info([cloud], [cloud], "scatter") == 1.0
    assert metrics.chart_info([DataSeries("a", [(1.0, 2.0)])], [cloud], "scatter") == pytest.approx(1 / 3)
    flat = DataSeries("a", [(1.0, 2.0), (2.0, 2.0)])
    assert metrics.chart_info([flat], [flat], "scatter") == 1.0
    assert metrics.chart_info([DataSeries("a", [(np.nan, np.inf)])], [cloud], "scatter") == 0.0


def test_fpc_nrmse() -> None:
    line = np.array([[0.0, 1.0], [10.0, 1000.0]])
    exact = metrics.fpc_nrmse([line], [line], log_y=True)
    tenth = metrics.fpc_nrmse([line * [1, 10**0.3]], [line], log_y=True)
    assert exact is not None
    assert tenth is not None
    assert (exact.loss, exact.trusted) == (0.0, True)
    assert tenth.loss == pytest.approx(0.1)
    for pred in ([], [line, line], [line[:1]], [line * [0.5, 1]], [np.full((3, 2), np.nan)]):
        failed = metrics.fpc_nrmse(pred, [line])
        assert failed is not None
        assert (failed.loss, failed.trusted) == (1.0, False)
    assert metrics.fpc_nrmse([line], []) is None


def test_downstream_statistics() -> None:
    true = [0, 1, 2, 4, 8, 16, 7]
    said = [0, 1, 2, 4, 8, 20, 5]
    found = metrics.downstream(said, true, "Confirmed cases")
    assert found.total == pytest.approx(2 / 38)
    assert (found.peak_time, found.peak_size) == (0.0, 0.25)
    assert found.growth is not None
    assert found.growth > 0.99
    assert metrics.downstream(said, true, "Case fatality rate").total is None
    assert metrics.downstream([], true, "deaths") == Downstream(1.0, None, None, None)
    assert metrics.downstream(said, [0, 0, 0]) == Downstream(None, None, None, None)
    assert metrics.downstream([3.0], [5.0, 5.0]).peak_time is None


def test_spearman() -> None:
    assert spearman([1, 2, 3, 4], [4.0, 3.0, 2.0, 1.0]).rho == pytest.approx(-1)
    assert spearman([1, 2, 3, 9], [1.0, None, 5.0, 7.0]).n == 3
    assert spearman([1, 1, 1], [1.0, 2.0, 3.0]).rho is None
    statistics = [Downstream(t, None, None, None) for t in (0.1, 0.2, 0.3)]
    table = metrics.spearman_table({"ecs": [0.9, 0.8, 0.7], "dtw": [1, 1, 0.5]}, statistics)
    assert table["total"]["ecs"].rho == pytest.approx(-1)
    assert table["peak_time"]["dtw"].n == 0


def test_sweeps_follow_the_paper() -> None:
    images = [([("cases", [1.0, 2, 3, 9])], [("Cases", [1.0, 2.1, 3, 9, 4])])]
    points = metrics.sweep_ecs(images)
    assert len(points) == sum(map(len, SWEEPS.values())) == 16
    scores = [point.result.score for point in points if point.switch == "theta" and point.result]
    assert scores == sorted(scores)
    gaps = [point.result.score for point in points if point.switch == "gap" and point.result]
    assert gaps == sorted(gaps, reverse=True)


@given(values, values)
def test_all_are_shares_and_identity_is_one(first: list[float], second: list[float]) -> None:
    a, b = ([(float(i), v) for i, v in enumerate(side)] for side in (first, second))
    for kind in ("line", "scatter", "bar"):
        assert metrics.chart_info([DataSeries("a", a)], [DataSeries("a", a)], kind) == pytest.approx(1.0)  # type: ignore[arg-type]
        share = metrics.chart_info([DataSeries("a", a)], [DataSeries("a", b)], kind)  # type: ignore[arg-type]
        assert share is not None
        assert -1e-9 <= share <= 1 + 1e-9
    same, other = metrics.chartparse([a], [a]), metrics.chartparse([a], [b])
    assert same is not None
    assert same.score == pytest.approx(1.0)
    assert other is not None
    assert 0 <= other.score <= 1
    loss = metrics.fpc_nrmse([a], [b])
    assert loss is not None
    assert 0 <= loss.loss <= 1
