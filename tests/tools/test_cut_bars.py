"""Bars that an error bar cuts into pieces."""

from __future__ import annotations

import pytest

from tools.cut_bars import with_whole_bars
from tools.types import Box, Mark, Series


def bars(boxes: list[tuple[float, float, float, float]], lying: bool) -> Series:
    marks = []
    for x0, y0, x1, y1 in boxes:
        box = Box(x0, y0, x1, y1)
        mark = Mark("bar", (x0 + x1) / 2, y0, box)
        if lying:
            mark = Mark("bar", y0, (x0 + x1) / 2, Box(y0, x0, y1, x1))
        marks.append(mark)
    return Series("a", (0, 0, 200), "bar", tuple(marks), "left", "horizontal" if lying else "vertical")


@pytest.mark.parametrize("lying", [False, True])
def test_three_pieces_make_one_bar(lying: bool) -> None:
    pieces = [(10.0, 50.0, 30.0, 140.0), (33.0, 62.0, 38.0, 140.0), (41.0, 50.0, 61.0, 140.0)]
    whole = with_whole_bars(bars([*pieces, (100.0, 80.0, 151.0, 140.0)], lying))
    assert len(whole.marks) == 2
    first = whole.marks[0]
    assert first.box == (Box(50.0, 10.0, 140.0, 61.0) if lying else Box(10.0, 50.0, 61.0, 140.0))
    assert (first.y if lying else first.x) == 35.5
    assert (first.x if lying else first.y) == 50.0


def test_bars_of_their_own_stay() -> None:
    alike = bars([(10.0, 50.0, 30.0, 140.0), (33.0, 62.0, 53.0, 140.0), (56.0, 50.0, 76.0, 140.0)], False)
    assert with_whole_bars(alike) is alike
    higher = bars([(10.0, 50.0, 30.0, 140.0), (33.0, 40.0, 38.0, 140.0), (41.0, 50.0, 61.0, 140.0)], False)
    assert with_whole_bars(higher) is higher
