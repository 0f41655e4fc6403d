"""Cells to curves, labels to positions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from evaluation.positions import XAxis, day_of, key_of, step_of, x_axis
from evaluation.tables import PanelTable, number, panel_table, read_sheet


def table(*lines: str) -> PanelTable:
    return panel_table(read_sheet("\n".join(line.replace(" | ", "\t") for line in lines)))


@pytest.mark.parametrize(
    ("cell", "value"),
    [("1,200", 1200), ("−3.5 %", -3.5), ("1e3", 1000), (" 7 ", 7), ("1,234,567.5", 1234567.5), ("inf", math.inf)],
)
def test_numbers(cell: str, value: float) -> None:
    assert number(cell) == value


@pytest.mark.parametrize("cell", ["", "nan", "n/a", "1_000", "W36", "2014-01-01", "--3"])
def test_what_is_no_number(cell: str) -> None:
    assert math.isnan(number(cell))


def test_wide_table_leaves_missing_cells_out() -> None:
    found = table("x | a | b", "1 | 2 | ", "2 | nan | 5")
    assert [(curve.name, curve.labels, curve.values.tolist()) for curve in found.curves] == [
        ("a", ("1",), [2.0]),
        ("b", ("2",), [5.0]),
    ]


def test_error_bars_are_parts_and_never_series() -> None:
    found = table("x | a | a low | a high", "1 | 2 | 1.5 | 2.5")
    assert [curve.name for curve in found.curves] == ["a"]
    assert found.extremes.tolist() == [1.5, 2.5]


def test_series_may_be_called_low_and_high() -> None:
    assert [curve.name for curve in table("car | low | high", "A | -1 | ", "B |  | 2").curves] == ["low", "high"]


def test_histogram_edges_are_no_series() -> None:
    found = table("bin low | bin high | Frequency", "0 | 5 | 3", "5 | 10 | 4")
    assert [(curve.name, curve.labels) for curve in found.curves] == [("Frequency", ("0", "5"))]


def test_long_form_is_split_by_series() -> None:
    found = table("x | y | series", "1 | 2 | a", "1 | 3 | b", "2 | 4 | a")
    assert [(curve.name, curve.values.tolist()) for curve in found.curves] == [("a", [2.0, 4.0]), ("b", [3.0])]


def test_boxes() -> None:
    found = table(
        "x | series | whisker_low | q1 | median | q3 | whisker_high | outliers", "A | m | 1 | 2 | 3 | 4 | 5 | 9;8"
    )
    assert found.boxes[0].label == "A m"
    assert found.boxes[0].numbers.tolist() == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    "text", ["", "\n\n", "x", "x\ty", "\ufeffx\ty\n1", "x\ty\n1\t2\t3\t4", '"a\nb', "\0\tx\n1\t2", "series\n1"]
)
def test_broken_text_is_a_table_all_the_same(text: str) -> None:
    assert isinstance(panel_table(read_sheet(text)), PanelTable)


def test_days() -> None:
    assert [day_of(t) for t in ("1970-01-03", "1970/01/03", "1970-W02", "1970-02", "1970-01-01T12:00")] == [
        2,
        2,
        4,
        31,
        0.5,
    ]
    assert all(math.isnan(day_of(t)) for t in ("10-14", "2014-15", "2014-02-30", "Jan", "17"))
    assert day_of("1970") == 0.0


def test_the_truth_decides_what_the_axis_is() -> None:
    assert x_axis(["0.5", "1", "1"]).kind == "number"
    assert x_axis(["2014-W15", "2014-W16"]).kind == "date"
    assert x_axis(["2014-04-07", "2014-05"]).kind == "date"
    assert x_axis(["<5", "5-9", "10-14"]).kind == "category"
    assert x_axis(["W36", "W37"]).kind == "category"


def test_weeks_meet_dates_and_years_meet_dates() -> None:
    assert x_axis(["2014-W15"]).place(["2014-04-07", "2014-W16"]).tolist() == [16167.0, 16174.0]
    assert x_axis(["2012", "2013"]).place(["2012-01-01", "2013"]).tolist() == pytest.approx([2012, 2013], abs=0.01)


def test_categories_find_their_place_by_name() -> None:
    axis = XAxis("category", ("Vehicle", "LPS", "LPS + A"))
    assert axis.place(["lps + a", "VEHICLE", "LPS"]).tolist() == [2, 0, 1]
    assert axis.place(["Vehicel", "", "LPS + A"]).tolist() == [0, 1, 2]
    assert axis.place(["Vehicle", "zzzzz", "qqqqqq", "LPS"]).tolist() == [0, 0.5, 0.5, 1]
    assert axis.place(["", "", ""]).tolist() == [0, 1, 2]
    assert axis.place(["nan", "nan", "nan"]).tolist() == [0, 1, 2]
    assert axis.place([]).tolist() == []


def test_labels_that_are_nothing_like_the_axis_are_compared_as_names() -> None:
    assert x_axis(["2014-01-01", "2014-01-08"]).place(["a", "b"]).tolist() == [16071.0, 16078.0]
    assert key_of("1.0") == key_of("1")


def test_log_positions_and_steps() -> None:
    assert x_axis(["1", "10", "100"], log=True).place(["1", "1000", "0"]).tolist() == pytest.approx(
        [0, 3, np.nan], nan_ok=True
    )
    assert step_of(np.array([0.0, 1, 2, 10, np.nan])) == 1.0
    assert step_of(np.array([3.0, 3.0])) == 0.0
