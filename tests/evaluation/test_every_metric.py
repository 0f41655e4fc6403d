"""Every measure of a table in the same situations, with values worked out by hand; the properties that all must keep;
and the measures of ChartAB, which compare answers and not tables, in theirs."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation import metrics
from evaluation.score import LOWER_IS_BETTER, METRICS, NOT_SHARES
from evaluation.tables import Sheet, read_sheet

Rows = list[list[str]]
TRUTH: Rows = [["x", "alpha", "omega"], ["1", "10", "0"], ["2", "20", "5"], ["3", "40", "5"], ["4", "30", "10"]]
UNCAPPED = {"density completeness"}
SITUATIONS: dict[str, tuple[Rows, dict[str, float]]] = {
    # one row too many: 8 of 10 values are true, all 8 true ones are there
    "extra row, so that precision, recall and F1 differ": (
        [*TRUTH, ["5", "1", "1"]],
        {"ecs": 4 / 5, "ecs surplus datapoints": 1 / 5, "dtw": 4 / 5, "rms precision": 8 / 10, "rms recall": 1,
         "rms": 16 / 18, "rnss": 12 / 15, "scrm strict": 7 / 10, "relaxed 5%": 1, "erp": 1,
         "density completeness": 1.25, "density coverage": 1, "density mae": 0, "chartparse": 1, "fpc-nrmse": 0,
         "peak size error": 0},
    ),
    # 7 instead of 0 in one of 8 cells, 0.7 of the range of its series, 7/40 of the range of the chart
    "true value 0": (
        [TRUTH[0], ["1", "10", "7"], *TRUTH[2:]],
        {"ecs": 7 / 8, "ecs numerical error": 1 / 8, "dtw": 7 / 8, "rms": 7 / 8, "rnss": 11 / 12, "scrm strict": 6 / 10,
         "relaxed 5%": 7 / 8, "relaxed 2%": 7 / 8, "erp": 7 / 2, "density coverage": 1, "density mae": 17.5 / 8,
         "density rmse": 17.5 / math.sqrt(8), "chartparse": 1 - 0.35 / 2, "peak time error": 0},
    ),
    "empty": (
        [],
        {"ecs": 0, "ecs no data": 1, "dtw": 0, "rms recall": 0, "rms": 0, "rnss": 0, "scrm high": 0, "relaxed 5%": 0,
         "erp": (100 + 20) / 2, "density completeness": 0, "density coverage": 0, "chartparse": 0, "chart-info 6a": 0,
         "chart-info 6b": 0, "fpc-nrmse": 1},
    ),
    # the measures of sets of cells read both ways, those of curves do not
    "transposed": (
        [list(row) for row in zip(*TRUTH, strict=True)],
        {"ecs": 0, "ecs label mismatch": 1, "dtw": 0, "rms": 1, "rnss": 1, "scrm strict": 1, "relaxed 5%": 0,
         "erp": (100 + 20) / 2, "fpc-nrmse": 1},
    ),
    "extra series": (
        [[*row, cell] for row, cell in zip(TRUTH, ["zzzzz", "9", "9", "9", "9"], strict=True)],
        {"ecs": 1, "dtw": 1, "rms precision": 8 / 12, "rms recall": 1, "rms": 16 / 20, "rnss": 12 / 16,
         "scrm strict": 4 / 10, "relaxed 5%": 1, "erp": 0, "density completeness": 1.5, "density coverage": 1,
         "chartparse": 1, "chart-info 6a": 2 / 3, "chart-info 6b": 2 / 3, "fpc-nrmse": 1},
    ),
    # what pairs series by shape or knows no names does not see it; SCRM forgives five letters
    "swapped labels": (
        [["x", "omega", "alpha"], *TRUTH[1:]],
        {"ecs": 0, "ecs numerical error": 1, "dtw": 0, "rnss": 1, "scrm strict": 0, "scrm slight": 0, "scrm high": 1,
         "relaxed 5%": 0, "density mae": (10 + 15 + 35 + 20) / 40 / 4 * 100, "chartparse": 1, "chart-info 6a": 1,
         "chart-info 6b": 0.5, "fpc-nrmse": 0, "peak time error": 1},
    ),
    # the last of four steps is not there: its values are 30 and 10, after a peak that is
    "missing row": (
        TRUTH[:-1],
        {"ecs": 3 / 4, "ecs missed datapoints": 1 / 4, "dtw": 1 - 1 / 4, "rms precision": 1, "rms recall": 6 / 8,
         "rms": 12 / 14, "rnss": 9 / 12, "relaxed 5%": 6 / 8, "erp": (30 + 10) / 2, "density coverage": 6 / 8,
         "chartparse": 3 / 4, "peak time error": (0 + 2) / 2},
    ),
    "missing series": (
        [row[:2] for row in TRUTH],
        {"ecs": 1 / 2, "ecs missed series": 1 / 2, "dtw": 1 / 2, "rms precision": 1, "rms recall": 1 / 2, "rms": 2 / 3,
         "rnss": 8 / 12, "scrm strict": 1 / 10, "relaxed 5%": 1 / 2, "erp": 20 / 2, "density coverage": 1 / 2,
         "chartparse": 1 / 2, "chart-info 6a": 1 / 2, "fpc-nrmse": 1},
    ),
}  # fmt: skip


def sheet(rows: Rows) -> Sheet:
    return read_sheet("\n".join("\t".join(row) for row in rows))


def measured(said: Rows, true: Rows) -> dict[str, float | None]:
    return {name: value for one in METRICS for name, value in one.measure(sheet(said), sheet(true)).items()}


def assert_perfect(found: dict[str, float | None]) -> None:
    for name, value in found.items():
        if value is not None:
            assert value == pytest.approx(0.0 if name in LOWER_IS_BETTER else 1.0, abs=1e-9), name


@pytest.mark.parametrize("name", SITUATIONS)
def test_situations(name: str) -> None:
    said, expected = SITUATIONS[name]
    found = measured(said, TRUTH)
    assert {key: found[key] for key in expected} == pytest.approx(expected)


def test_every_measure_is_in_some_situation() -> None:
    looked_at = {key for _, expected in SITUATIONS.values() for key in expected}
    unseen = set(measured(TRUTH, TRUTH)) - looked_at
    assert unseen <= {"total error", "growth fidelity"}  # see the tests of the downstream statistics


@pytest.mark.parametrize("names", [["新規感染者", "décès évités"], ["Ω α", "µ-blocker "]])
def test_unicode(names: list[str]) -> None:
    rows = [["día", *names], *TRUTH[1:]]
    assert_perfect(measured(rows, rows))
    assert measured([["día", "?", "!!"], *TRUTH[1:]], rows)["ecs"] == 0.0


def test_a_thousand_rows() -> None:
    rows = [["x", "y"], *([str(i), str((i * 37) % 101)] for i in range(1000))]
    assert_perfect(measured(rows, rows))
    found = measured([rows[0], *rows[2:]], rows)
    assert found["ecs"] == pytest.approx(0.999)
    assert found["density coverage"] == found["relaxed 5%"] == pytest.approx(0.999)
    assert found["rms recall"] == pytest.approx(0.999, abs=0.001)


cells = st.one_of(st.integers(-40, 40).map(str), st.floats(-900, 900).map(lambda v: f"{v:.3g}"))


@st.composite
def tables(draw: st.DrawFn) -> Rows:
    headers = draw(st.lists(st.sampled_from(["alpha", "beta", "omega", "zeta"]), min_size=1, max_size=3, unique=True))
    length = draw(st.integers(2, 5))
    return [["x", *headers], *([str(k), *(draw(cells) for _ in headers)] for k in range(1, length + 1))]


@settings(deadline=None, max_examples=20)
@given(tables(), tables())
def test_identity_is_perfect_and_shares_stay_shares(true: Rows, said: Rows) -> None:
    assert_perfect(measured(true, true))
    for name, value in measured(said, true).items():
        if value is not None:
            assert value >= -1e-9 or name == "growth fidelity", name
            if name not in NOT_SHARES | UNCAPPED and name not in LOWER_IS_BETTER:
                assert value <= 1 + 1e-9, name


@settings(deadline=None, max_examples=20)
@given(tables(), tables(), st.sampled_from([0.25, 4.0, 1024.0]))
def test_order_of_series_and_unit_change_nothing(true: Rows, said: Rows, factor: float) -> None:
    def other_unit(rows: Rows) -> Rows:
        return [rows[0], *([row[0], *(repr(float(cell) * factor) for cell in row[1:])] for row in rows[1:])]

    def other_order(rows: Rows) -> Rows:
        return [[row[0], *row[:0:-1]] for row in rows]

    before = measured(said, true)
    ordered = {"chart-info 6a", "chart-info 6b", "chartparse", "fpc-nrmse"}  # equally good pairs may change places,
    ordered |= {name for name in before if name.startswith("density")}  # and without one name right, rows pair up
    for name, value in measured(other_order(said), true).items():
        if name not in ordered:
            assert value == pytest.approx(before[name], abs=1e-9), name
    in_unit = {"erp"} | {
        name for name in before if name.startswith(("growth", "total", "scrm", "rms", "rnss", "density"))
    }
    for name, value in measured(other_unit(said), other_unit(true)).items():
        if name not in in_unit:
            assert value == pytest.approx(before[name], abs=1e-9), name


def cell(row: str, column: str, first: float, second: float) -> dict[str, object]:
    return {"row name": row, "column name": column, "value in chart 1": first, "value in chart 2": second}


def test_chartab_data_in_the_same_situations() -> None:
    true = {"cell 1": cell("A", "v", 0, 5), "cell 2": cell("B", "v", 10, 20)}
    assert metrics.data_alignment(true, true).paper == pytest.approx(10.0)
    zero = metrics.data_alignment({**true, "cell 1": cell("A", "v", 1, 5)}, true)
    assert zero.value == pytest.approx(3 / 4)  # a true 0 is right for 0 alone
    extra = metrics.data_alignment({**true, "cell 3": cell("zzzzzz", "v", 1, 1)}, true)
    assert (extra.precision, extra.recall) == (pytest.approx(2 / 3), pytest.approx(1.0))
    assert extra.f1 == pytest.approx(0.8)
    assert metrics.data_alignment({}, true).total == 0.0
    swapped = metrics.data_alignment({"cell 1": cell("v", "A", 0, 5), "cell 2": cell("v", "B", 10, 20)}, true)
    assert swapped.total < 10.0
    accents = {"cell 1": cell("décès", "年", 1, 2)}
    assert metrics.data_alignment(accents, accents).paper == pytest.approx(10.0)
    many = {f"cell {k}": cell(f"row {k:03d}", "v", k, k + 1) for k in range(300)}
    assert metrics.data_alignment(many, many).f1 == pytest.approx(1.0)


def test_chartab_colours_text_and_legends_in_the_same_situations() -> None:
    change = {"initial value": "#102030", "modified value": "#405060"}
    assert metrics.color_alignment({}, {"A": change}).total == 0.0
    assert metrics.color_alignment({"décès": change}, {"décès": change}).tp == 1
    many = {f"series {k:04d}": change for k in range(300)}
    assert metrics.color_alignment(many, many).f1 == pytest.approx(1.0)
    size = {"title": {"size": {"initial value": 10, "modified value": 14}}}
    assert metrics.text_alignment({}, size).total == 0.0
    assert metrics.text_alignment(size, size).f1 == pytest.approx(1.0)
    moved = {"position": {"initial value": "upper left", "modified value": "lower right"}}
    assert metrics.legend_alignment(moved, moved) == pytest.approx(10.0)
    assert metrics.legend_alignment({}, moved) == 0.0
    assert metrics.color_l2({}, {"A": "#000000"}) is None
    assert metrics.color_l2({"A": "#000000", "zz": "#ffffff"}, {"A": "#000000"}).matched == 0.0  # type: ignore[union-attr]


def test_metrics_say_which_way_is_better() -> None:
    assert set(metrics.__all__) >= metrics.LOWER_IS_BETTER
    assert "ecs" not in metrics.LOWER_IS_BETTER
    assert set(measured(TRUTH, TRUTH)) >= LOWER_IS_BETTER | NOT_SHARES
