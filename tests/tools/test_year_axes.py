"""Years up the side as the names of rows, and years that are numbers of an axis."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tools.table import Table
from tools.tabulate import tabulate
from tools.types import Anchor, Axis, Box, Mark, Panel, Series
from tools.year_axes import years_are_rows

YEARS = Axis("left", "linear", 0.05, 2008.0, anchors=tuple(
    Anchor(100.0 + 20 * i, 2013.0 + i, str(2013 + i), "tick") for i in range(5)
), calendar="year")  # fmt: skip
VALUES = Axis("bottom", "linear", 0.1, -5.0)


def test_each_printed_year_has_one_point() -> None:
    rows = [100.4, 119.8, 140.0, 160.9, 180.0]
    assert years_are_rows(YEARS, rows[::-1])
    assert not years_are_rows(YEARS, rows[:-1])
    assert not years_are_rows(YEARS, [*rows[:-1], 172.0])
    assert not years_are_rows(replace(YEARS, calendar=""), rows)
    assert not years_are_rows(replace(YEARS, side="bottom"), rows)
    assert not years_are_rows(None, rows)


def test_the_table_has_a_row_for_each_year() -> None:
    box = Box(50, 50, 250, 200)
    marks = tuple(Mark("marker", 60.0 + 30 * i, 100.0 + 20 * i) for i in range(5))
    one = Series("Accuracy", (0, 0, 0), "points", marks, orientation="horizontal", axis="bottom")
    table = tabulate(Panel(box, box, axes=(YEARS, VALUES)), [one])
    assert isinstance(table, Table)
    assert [row[0].text for row in table.rows] == ["2013", "2014", "2015", "2016", "2017"]
    assert [row[1].value for row in table.rows] == pytest.approx([1.0, 4.0, 7.0, 10.0, 13.0])
