"""The consensus of several tables: rows, columns and cells that most members agree on."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from agent.consensus import aggregate, consensus
from agent.rows import grid_of, number, scattered
from tools.table import MISSING, Cell, Table


def cell(value: float | str | None) -> Cell:
    return MISSING if value is None else Cell(value, str(value), low=None, high=None)


def table(header: str, *rows: tuple[float | str | None, ...], form: str = "wide") -> Table:
    return Table(tuple(header.split()), tuple(tuple(cell(v) for v in row) for row in rows), form)  # type: ignore[arg-type]


def values(found: Table) -> list[list[float | str | None]]:
    return [[c.value for c in row] for row in found.rows]


def test_the_interval_joins_what_lies_between_the_members_to_what_each_knows_of_itself() -> None:
    def member(value: float) -> Table:
        return Table(("x", "a"), ((Cell(1.0, "1"), Cell(value, str(value), low=value - 4.0, high=value + 1.0)),))

    cell = consensus([member(v) for v in (9.0, 10.0, 11.0)]).table.rows[0][1]
    between = 1.645 * 1.4826 * (4 / 3) ** 0.5
    assert (cell.value, cell.spread) == (10.0, pytest.approx(1.4826))
    assert (cell.low, cell.high) == pytest.approx((10 - (between**2 + 16) ** 0.5, 10 + (between**2 + 1) ** 0.5))


def test_median_of_each_cell_and_its_spread() -> None:
    members = [table("x a b", (1, 10.0, 5.0), (2, 20.0, v)) for v in (6.0, 7.0, 60.0)]
    found = consensus(members)
    assert values(found.table) == [[1, 10.0, 5.0], [2, 20.0, 7.0]]
    odd = found.table.rows[1][2]
    assert odd.spread == pytest.approx(1.4826)  # deviations 1, 0, 53: their median is 1
    assert odd.agreement == pytest.approx(1 / 3)
    assert odd.low == pytest.approx(7 - 1.645 * 1.4826 * (1 + 1 / 3) ** 0.5)


def test_a_row_that_most_members_lack_is_dropped_and_one_that_most_have_is_kept() -> None:
    full = table("x a", (1, 1.0), (2, 2.0), (3, 3.0), (4, 4.0))
    short = table("x a", (1, 1.0), (2, 2.0), (4, 4.0))
    surplus = table("x a", (1, 1.0), (2, 2.0), (2.9, 3.0), (4, 4.0), (9, 7.0))
    assert [row[0] for row in values(consensus([short, full, surplus]).table)] == pytest.approx([1, 2, 2.95, 4])


def test_a_doubled_row_counts_once() -> None:
    once = table("x a", (1, 1.0), (2, 2.0), (3, 3.0))
    twice = table("x a", (1, 1.0), (2, 2.0), (2, 2.0), (3, 3.0))
    assert values(consensus([twice, once, once]).table) == values(once)


def test_columns_are_paired_by_name_and_shape() -> None:
    members = [
        table("x cases deaths", (1, 10.0, 1.0), (2, 20.0, 2.0), (3, 15.0, 9.0)),
        table("x deaths cases", (1, 1.0, 10.0), (2, 2.0, 20.0), (3, 9.0, 15.0)),
        table("x caces deoths", (1, 10.0, 1.0), (2, 20.0, 2.0), (3, 15.0, 9.0)),
    ]
    found = consensus(members).table
    assert found.header == ("x", "cases", "deaths")
    assert values(found) == [[1, 10.0, 1.0], [2, 20.0, 2.0], [3, 15.0, 9.0]]


def test_error_bars_stay_beside_their_series() -> None:
    rows = table("x a low high b", (1, 2.0, 1.0, 3.0, 9.0), (2, 4.0, 3.0, 5.0, 8.0)).rows
    member = Table(("x", "a", "a low", "a high", "b"), rows)
    found = consensus([member, member, member]).table
    assert found.header == member.header
    assert values(found) == values(member)


def test_categories_are_paired_by_likeness_in_the_order_of_the_first_member() -> None:
    members = [
        table("x a", ("Lyon", 1.0), ("Paris", 2.0), ("Nice", 3.0)),
        table("x a", ("Lyon", 1.0), ("Nlce", 3.0), ("Paris", 2.0)),
        table("x a", ("Lyom", 1.0), ("Paris", 2.0), ("Nice", 3.0)),
    ]
    assert values(consensus(members).table) == [["Lyon", 1.0], ["Paris", 2.0], ["Nice", 3.0]]


def test_dates_are_numbers_to_the_alignment_and_texts_to_the_reader() -> None:
    dated = table("x a", ("2020-01-01", 1.0), ("2020-01-08", 2.0), ("2020-01-15", 3.0))
    assert grid_of(dated).keys == (18262.0, 18269.0, 18276.0)
    assert values(consensus([dated, dated, dated]).table) == values(dated)


def test_scattered_points_are_paired_by_place() -> None:
    rng = np.random.default_rng(3)
    xs, ys = rng.uniform(0, 100, 40).round(1), rng.uniform(0, 10, 40).round(2)
    clean = table("x y", *zip(xs.tolist() + [xs[0]] * 6, ys.tolist() + list(range(6)), strict=True))
    assert scattered(clean)
    lost = Table(clean.header, clean.rows[1:])
    found = consensus([lost, clean, clean]).table
    key = {(number(row[0]), number(row[1])) for row in clean.rows}
    assert {(number(row[0]), number(row[1])) for row in found.rows} == key


def test_long_tables_keep_their_form_and_their_series() -> None:
    rows = [(float(i), float(i * i), name) for name in "ab" for i in range(5)]
    member = table("x y series", *rows, form="long")
    found = consensus([member, Table(member.header, member.rows[:-1], "long"), member]).table
    assert found.form == "long"
    assert values(found) == values(member)


def test_anchored_at_the_first_table_its_columns_rows_and_gaps_stay() -> None:
    first = table("x a b", (1, 1.0, 5.0), (2, None, 6.0), (3, 3.0, 7.0))
    other = table("x a", (1, 1.2), (2, 2.0), (3, 3.2), (4, 4.0))
    found = consensus([first, other, other, other], anchored=True).table
    assert found.header == first.header
    assert values(found) == [[1, 1.2, 5.0], [2, None, 6.0], [3, 3.2, 7.0]]


def test_anchored_points_neither_come_nor_go() -> None:
    rows = [(1.0, 2.0, "a"), (5.0, 6.0, "a"), (9.0, 1.0, "b")]
    first = table("x y series", *rows, form="long")
    other = table("x y series", (1.1, 2.1, "a"), (7.0, 3.0, "a"), (8.0, 3.0, "a"), form="long")
    assert values(consensus([first, other, other], anchored=True).table) == [[1.0, 2.1, "a"], *map(list, rows[1:])]


@pytest.mark.parametrize(
    ("others", "value"),
    [
        ((10.4, 10.4, 10.5, 10.6), 10.4),  # within its own interval
        ((13.0, 13.0, 13.1, 10.0), 10.0),  # three in five agree on something else
        ((13.0, 13.0, 13.1, 13.1), 13.0),  # all others do
    ],
)
def test_an_anchored_cell_leaves_its_own_interval_only_where_most_agree(
    others: tuple[float, ...], value: float
) -> None:
    def member(y: float) -> Table:
        rows = tuple((Cell(float(k), str(k)), Cell(v, str(v), low=v - 0.5, high=v + 0.5)) for k, v in
                     enumerate((y, 0.0, 50.0)))  # fmt: skip
        return Table(("x", "a"), rows)

    cell = consensus([member(10.0), *map(member, others)], anchored=True).table.rows[0][1]
    assert cell.value == value
    assert cell.low <= 9.5 or value != 10.0
    assert cell.high >= value


def test_rows_of_a_logarithmic_axis_are_steps_and_pair_by_their_logarithms() -> None:
    places = [10.0 ** (k / 2) for k in range(-8, 4)]
    whole = Table(("x", "a", "b"), tuple((cell(x), cell(float(k)), cell(2.0 * k)) for k, x in enumerate(places)))
    assert not scattered(whole)
    short = replace(whole, rows=whole.rows[1:])
    found = consensus([whole, short, short], anchored=True).table
    assert values(found) == values(whole)
    assert [row[1].agreement for row in found.rows] == [None] + [1.0] * 11


@pytest.mark.parametrize(
    ("how", "expected"), [("median", 2.0), ("mean", 3.25), ("medoid", 2.0), ("huber", pytest.approx(2.0, abs=0.4))]
)
def test_aggregators(how: str, expected: float) -> None:
    assert aggregate(np.array([1.0, 2.0, 2.0, 8.0]), how) == expected  # type: ignore[arg-type]


def test_seven_members_with_independent_errors_have_at_most_a_quarter_of_one_members_error() -> None:
    rng = random.Random(11)
    truth = [(float(i), 50 + 40 * np.sin(i / 9), 10.0 + i) for i in range(100)]

    def member() -> Table:
        rows = []
        for row in truth:
            if rng.random() < 0.015:
                continue
            noisy = (row[0], *(v * (1 + rng.uniform(0.03, 0.3)) if rng.random() < 0.05 else v for v in row[1:]))
            rows += [noisy] * (2 if rng.random() < 0.015 else 1)
        return table(rng.choice(("x upper lower", "x uper lower", "x upper lawer")), *rows)

    members = [member() for _ in range(7)]
    found = consensus(members).table

    def error(t: Table) -> float:
        got = {number(row[0]): row for row in t.rows}
        return float(np.mean([abs(number(got[x][c]) - v[c]) for v in truth if (x := v[0]) in got for c in (1, 2)]))

    assert len(found.rows) == len(truth)
    assert found.header == ("x", "upper", "lower")
    assert error(found) <= np.mean([error(m) for m in members]) / 4


def test_no_table_is_an_error_and_one_table_is_its_own_consensus() -> None:
    with pytest.raises(ValueError, match="at least one"):
        consensus([])
    alone = table("x a", (1, 1.0), (2, None))
    assert values(consensus([alone]).table) == values(alone)


@pytest.mark.parametrize("anchored", [False, True])
@pytest.mark.parametrize("first", [False, True])
def test_points_of_which_not_every_member_saw_error_bars(anchored: bool, first: bool) -> None:
    plain = table("x y series", *((x, 2 * x, "a") for x in (1.0, 2.0, 4.0, 7.0, 7.5)), form="long")
    barred = [(x, 2 * x, 2 * x - 1, 2 * x + 1, "a") for x in (1.0, 2.0, 4.0, 7.0, 7.5)]
    ends = table("x y y_low y_high series", *barred, form="long")
    members = [ends, plain, plain] if first else [plain, ends, plain]
    found = consensus(members, "median", anchored)
    merged = found.table
    assert all(len(row) == len(merged.header) for row in merged.rows)
    assert [[row[0].value, row[1].value, row[-1].text] for row in merged.rows] == [
        [x, 2 * x, "a"] for x in (1.0, 2.0, 4.0, 7.0, 7.5)
    ]
