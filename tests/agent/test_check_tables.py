"""Tables as people save them, and what is made of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agent.arithmetic import box_numbers, variants
from agent.recipes import kaplan_meier, layouts
from agent.source_tables import UnreadableTable, read_tables, tables_of


def test_semicolons_a_bom_decimal_commas_a_title_and_ragged_rows(tmp_path: Path) -> None:
    path = tmp_path / "daten.csv"
    rows = ["Tag;Wert (mg/l);Gruppe", "01.02.2020;1,5;A", "02.02.2020;2,25;B", "03.02.2020;1.003,5"]
    path.write_bytes(("\ufeffSource data for Fig. 1\n\n" + "\n".join(rows) + "\n").encode())
    (table,) = read_tables(path)
    assert table.header_row == 3
    day, value, group = table.columns
    assert [day.kind, value.kind, group.kind] == ["date", "number", "text"]
    assert np.diff(day.numbers).tolist() == [1.0, 1.0]
    assert value.numbers.tolist() == [1.5, 2.25, 1003.5]
    assert (value.unit, group.texts) == ("mg/l", ("A", "B", ""))


def test_a_row_of_units_and_thousands() -> None:
    (table,) = tables_of([["time", "flow"], ["s", "ml/min"], ["0", "1,200"], ["1", "1,350"], ["2", "n/a"]], "t.csv")
    assert [c.unit for c in table.columns] == ["s", "ml/min"]
    assert table.columns[1].numbers[:2].tolist() == [1200.0, 1350.0]
    assert np.isnan(table.columns[1].numbers[2])


def test_sheets_and_blocks_of_a_workbook(tmp_path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    first = book.active
    first.title = "Fig 1a"
    for row in (["Dose", "A", None, "Time", "B"], [1, 2.5, None, 0, 7], [2, 3.5, None, 1, 8], [3, 4.0, None, 2, 9]):
        first.append(row)
    second = book.create_sheet("Fig 1b")
    for row in (["Group", "Mean"], ["x", 1], ["y", 2]):
        second.append(row)
    path = tmp_path / "source.xlsx"
    book.save(path)
    found = [(t.sheet, tuple(c.name for c in t.columns)) for t in read_tables(path)]
    assert found == [("Fig 1a", ("Dose", "A")), ("Fig 1a", ("Time", "B")), ("Fig 1b", ("Group", "Mean"))]
    assert [t.sheet for t in read_tables(path, "2")] == ["Fig 1b"]
    with pytest.raises(UnreadableTable, match="Fig 1b"):
        read_tables(path, "Fig 2")


@pytest.mark.parametrize(("name", "content"), [("x.csv", b"only words\nhere\n"), ("x.csv", b""), ("x.xlsx", b"PK no"),
                                               ("x.docx", b"..")])  # fmt: skip
def test_what_is_no_table_is_said_in_one_sentence(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(UnreadableTable, match=name) as caught:
        read_tables(path)
    assert "\n" not in str(caught.value)


def test_records_are_aggregated_and_selected() -> None:
    rows = [["Group", "Value"], ["a", "1"], ["b", "10"], ["a", "3"], ["b", "30"], ["a", "8"]]
    found = {one.recipe: one.curves[0] for one in layouts(tables_of(rows, "t.csv")[0])}
    assert found["mean of Value per Group"].y.tolist() == [4.0, 20.0]
    assert found["median of Value per Group"].y.tolist() == [3.0, 20.0]
    assert found["sum of Value per Group"].y.tolist() == [12.0, 40.0]
    assert found["count of Value per Group"].y.tolist() == [3.0, 2.0]


def test_bins_and_error_columns_are_no_series_of_their_own() -> None:
    bins = tables_of([["from", "to", "n"], ["0", "1", "4"], ["1", "2", "6"], ["2", "3", "1"]], "t.csv")[0]
    (curve,) = layouts(bins)[0].curves
    assert curve.x.tolist() == [0.5, 1.5, 2.5]
    ends = tables_of([["x", "A", "A low", "A high"], ["1", "5", "4", "6"], ["2", "7", "6", "9"]], "t.csv")[0]
    (curve,) = layouts(ends)[0].curves
    assert curve.low is not None
    assert curve.low.tolist() == [4.0, 6.0]


def test_arithmetic_on_curves() -> None:
    table = tables_of([["x", "A", "B"], ["1", "1", "3"], ["2", "10", "30"], ["3", "100", "300"]], "t.csv")[0]
    found = {one.recipe: one.curves for one in variants(layouts(table)[0])}
    assert found["log10"][0].y.tolist() == pytest.approx([0.0, 1.0, 2.0])
    assert found["cumulative sum"][0].y.tolist() == [1.0, 11.0, 111.0]
    assert found["sum of the series"][0].y.tolist() == [4.0, 40.0, 400.0]
    assert found["percent of the total"][0].y.tolist() == pytest.approx([25.0, 25.0, 25.0])
    assert {c.name: c.y[0] for c in found["ratio"]} == pytest.approx({"A/B": 1 / 3, "B/A": 3.0})


def test_survival_and_boxes_by_hand() -> None:
    times, alive = kaplan_meier(np.array([2.0, 3.0, 3.0, 5.0]), np.array([True, True, False, False]))
    assert times.tolist() == [0.0, 2.0, 3.0]
    assert alive.tolist() == pytest.approx([1.0, 0.75, 0.5])
    assert box_numbers(np.array([1.0, 2.0, 3.0, 4.0, 20.0]), "range").tolist() == [1.0, 2.0, 3.0, 4.0, 20.0]
