"""Plots whose grid is hidden by fills, grown along the ladder of numbers at their left."""

from __future__ import annotations

import pytest

from tools.plot_ladders import on_ladder
from tools.types import Box, Word


def _words(values: list[str], rows: list[float], right: float = 78.0) -> list[Word]:
    return [Word(text, Box(right - 8 * len(text), y - 6, right, y + 6)) for text, y in zip(values, rows, strict=True)]


def test_grows_to_the_last_number_of_the_ladder() -> None:
    words = _words(["100", "80", "60", "40", "20", "0"], [64, 136, 208, 280, 352, 424])
    words.append(Word("20", Box(76, 432, 92, 444)))  # a label of the other axis
    assert on_ladder(Box(84, 64, 827, 280), words) == Box(84, 64, 827, 424)
    assert on_ladder(Box(84, 136, 827, 424), words) == Box(84, 64, 827, 424)


def test_a_number_off_the_line_is_left_out() -> None:
    words = _words(["100", "80", "60", "40", "20", "0"], [64, 136, 208, 280, 300, 424])
    assert on_ladder(Box(84, 64, 827, 208), words) == Box(84, 64, 827, 424)


@pytest.mark.parametrize(
    ("values", "rows"),
    [
        (["40", "20", "0", "40", "20", "0"], [64, 136, 208, 280, 352, 424]),  # two panels above each other
        (["1000", "100", "10", "1"], [64, 136, 208, 280]),  # no linear scale
        (["0", "20", "40", "60"], [64, 136, 208, 280]),  # a reversed one, or something else
    ],
)
def test_stays_where_values_and_rows_make_no_common_line(values: list[str], rows: list[float]) -> None:
    box = Box(84, 64, 827, 208)
    assert on_ladder(box, _words(values, rows)) == box
