"""Bars of one tone are told apart by their place in each group, or lose their name."""

from __future__ import annotations

from tools.alike_bars import TOLD, UNTOLD, parted
from tools.types import Axis, Box, Legend, LegendEntry, Mark, Panel, Series

BLACK = 0, 0, 0
HEIGHTS = [(50, 20), (30, 60), (40, 40)]  # two bars over each of three categories, 100 px apart


def panel() -> Panel:
    keys = tuple(LegendEntry(name, BLACK, "patch") for name in ("2012", "2022"))
    x = Axis("bottom", "category", 0.01, -0.5, categories=("a", "b", "c"))
    return Panel(Box(0, 0, 320, 120), Box(0, 0, 300, 100), axes=(x,), legend=Legend(keys))


def bar(left: float, right: float, height: float) -> Mark:
    return Mark("bar", (left + right) / 2, 100.0 - height, Box(left, 100.0 - height, right, 100.0))


def black(marks: list[Mark], name: str = "2012") -> Series:
    return Series(name, BLACK, "bar", tuple(marks))


def groups() -> list[Mark]:
    return [
        bar(left + 30 * k, left + 30 * (k + 1), height)
        for left, pair in zip((20, 120, 220), HEIGHTS, strict=True)
        for k, height in enumerate(pair)
    ]


def test_two_bars_over_every_category_are_two_series() -> None:
    first, second = parted(panel(), [black(groups())])
    assert (first.name, second.name) == ("2012", "2022")
    assert [100 - m.y for m in first.marks] == [50, 30, 40]
    assert [100 - m.y for m in second.marks] == [20, 60, 40]
    assert TOLD in first.warnings
    assert parted(panel(), [first, second]) == [first, second]  # once is enough


def test_pieces_are_joined_and_bars_of_double_width_cut() -> None:
    marks = groups()
    halves = [bar(20, 33, 50), bar(33, 50, 50.5)]
    double = [bar(220, 280, 40)]
    first, second = parted(panel(), [black([*halves, *marks[1:4], *double])])
    assert [round(100 - m.y) for m in first.marks] == [50, 30, 40]
    assert [round(100 - m.y) for m in second.marks] == [20, 60, 40]


def test_bars_that_nothing_tells_apart_have_no_name() -> None:
    (one,) = parted(panel(), [black([groups()[0], groups()[2], groups()[4]])])
    assert one.name == ""
    assert UNTOLD in one.warnings


def test_bars_of_their_own_colour_keep_their_name() -> None:
    grey = Series("2012", (150, 150, 150), "bar", tuple(groups()))
    assert parted(panel(), [grey]) == [grey]


def test_bars_that_their_fills_told_apart_keep_their_names() -> None:
    series = [black(groups()[:1], "2012"), black(groups()[1:2], "2022")]
    assert [one.name for one in parted(panel(), series)] == ["2012", "2022"]
