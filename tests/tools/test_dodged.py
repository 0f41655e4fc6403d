"""Points drawn beside shared places: error bars side by side go home, times of their own stay."""

from __future__ import annotations

import numpy as np

from tools.dodged import undodged
from tools.types import Axis

AXIS = Axis("bottom", "linear", 0.02, -2.0)  # 50 px a unit, 0 at 100 px
WEEKS = np.array([100.0, 150.0, 200.0, 250.0])


def test_two_series_beside_whole_numbers_share_them() -> None:
    found = undodged([WEEKS - 3.1, WEEKS + 3.0], AXIS)
    assert found is not None
    for one in found:
        assert np.allclose(AXIS.to_value(one), [0, 1, 2, 3], atol=1e-9)


def test_the_middle_one_of_three_stays_and_a_missing_point_is_no_matter() -> None:
    found = undodged([WEEKS - 6, WEEKS[[0, 1, 3]], WEEKS + 6], AXIS)
    assert found is not None
    assert [len(one) for one in found] == [4, 3, 4]
    assert np.allclose(found[1], WEEKS[[0, 1, 3]])


def test_series_on_the_same_places_or_with_times_of_their_own_stay() -> None:
    assert undodged([WEEKS, WEEKS + 0.4], AXIS) is None
    assert undodged([WEEKS, WEEKS + np.array([3.0, 9.0, 1.0, 12.0])], AXIS) is None
    assert undodged([WEEKS - 3.0, WEEKS + 17.0], AXIS) is None  # the middle is no round number, the distance too large
    assert undodged([WEEKS - 3.0, WEEKS + 3.0], None) is None
