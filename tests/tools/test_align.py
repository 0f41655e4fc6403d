"""Names and rows find their partners."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.align import assign, nearest_in_order, plain, similarities, similarity


def test_similarity() -> None:
    assert similarity("", "") == 1.0
    assert similarity("kitten", "sitting") == pytest.approx(4 / 7)
    assert plain("  New \n CASES ") == "new cases"
    assert similarities(["ab", "x"], ["ab"]).tolist() == [[1.0], [0.0]]
    assert similarities([], ["a"]).shape == (0, 1)


def test_assign_takes_the_greatest_total() -> None:
    assert assign([[0.9, 0.8], [0.8, 0.1]]) == [(0, 1), (1, 0)]
    assert assign([[0.9, 0.4]], above=0.95) == []
    assert assign(np.zeros((0, 3))) == []
    assert assign([[math.nan, 0.2]]) == [(0, 1)]


def test_ties_go_to_the_first_in_order() -> None:
    assert assign([[1.0], [1.0]]) == [(0, 0)]
    assert assign(np.ones((3, 3))) == [(0, 0), (1, 1), (2, 2)]
    assert assign(np.ones((2, 4))) == [(0, 0), (1, 1)]


def test_nearest_in_order() -> None:
    assert nearest_in_order([0.0, 1.1, 5.0], [1.0, 2.0, 0.1], 0.5) == [(0, 2), (1, 0)]
    assert nearest_in_order([math.nan, 1.0], [1.0], 0.1) == [(1, 0)]
    assert nearest_in_order([], [1.0], 0.1) == []
    assert nearest_in_order([1.0], [1.0], 0.0) == [(0, 0)]


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, 9), max_size=4), st.lists(st.integers(0, 9), max_size=4), st.integers(1, 4))
def test_nearest_in_order_finds_as_many_pairs_as_there_are(a: list[int], b: list[int], reach: int) -> None:
    small, large = sorted((a, b), key=len)
    most = max(sum(abs(x - y) <= reach for x, y in zip(small, order, strict=False)) for order in permutations(large))
    assert len(nearest_in_order([float(v) for v in a], [float(v) for v in b], float(reach))) == most
