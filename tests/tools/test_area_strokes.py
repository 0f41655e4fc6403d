"""Strokes around stacked areas in their own colours: half their thickness is told by the feet and taken off."""

from __future__ import annotations

import numpy as np
import pytest

from tools.area_strokes import doubted, half_of_feet, taken_off
from tools.ink import Layer
from tools.types import Axis, Mark, Series

BASE = 80.0  # the row of the value 0 in the crop
HALF = 1.4


def layer(foot: float) -> Layer:
    """An area from row 30 to a foot, between columns 20 and 180 of a crop (100, 200)."""
    covered = np.clip(foot + 0.5 - np.arange(100), 0, 1)[:, None] * np.ones(200)
    covered[:30] = 0
    covered[:, :20] = covered[:, 181:] = 0
    return Layer((200, 90, 0), covered.astype(np.float32), np.zeros((100, 200), dtype=bool))


def axis(residual: float = 0.02) -> Axis:
    """A left axis of one unit a pixel; the crop begins in figure row 10."""
    return Axis("left", "linear", -1.0, BASE + 10, (), residual=residual)


@pytest.mark.parametrize("half", [0.7, HALF, 2.3])
def test_feet_below_zero_tell_half_of_the_stroke(half: float) -> None:
    assert half_of_feet([layer(BASE + half)], axis(), 10) == pytest.approx(half, abs=0.02)


def test_feet_on_zero_far_below_it_or_beside_a_doubtful_axis_tell_none() -> None:
    assert half_of_feet([layer(BASE + 0.2)], axis(), 10) == 0
    assert half_of_feet([layer(BASE + 9)], axis(), 10) == 0
    assert half_of_feet([layer(BASE + HALF)], axis(0.4), 10) == 0
    assert half_of_feet([layer(99)], axis(), 10) == 0  # on the frame


def test_borders_get_their_places_back_and_sides_as_well() -> None:
    columns = np.arange(200.0)
    slope = 0.5
    border = np.where((columns >= 20) & (columns <= 180), 30 + slope * (columns - 20) * 0.5, BASE)
    lift = HALF * np.hypot(1, slope / 2)
    inner = slice(30, 170)
    above = taken_off(np.where(border < BASE, border - lift, BASE), HALF, BASE, upmost=True)
    below = taken_off(np.where(border < BASE, border + lift, BASE), HALF, BASE, upmost=False)
    for found in (above, below):
        np.testing.assert_allclose(found[inner], border[inner], atol=0.05)
        assert (found[:20] == BASE).all()
        assert found[20] == pytest.approx(BASE, abs=3)  # the stroke's own side


def test_values_beside_strokes_are_less_sure() -> None:
    one = Series("", (0, 0, 0), "stacked area", (Mark("vertex", 1.0, 2.0, sigma=0.2),))
    assert doubted([one], 0.0) == (one,)
    assert doubted([one], 2.0)[0].marks[0].sigma == pytest.approx(np.hypot(0.2, 0.8))
