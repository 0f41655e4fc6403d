"""Markers on every second place of a grid: the places between them are none of the author's points."""

from __future__ import annotations

import numpy as np
import pytest

from tools.candidates import Knots
from tools.sampling import _every_nth


@pytest.mark.parametrize(("at", "kept"), [([2, 4, 6, 10, 12], 2), ([1, 4, 7, 10, 13], 3), ([2, 4, 5, 8, 10], 1)])
def test_the_grid_keeps_only_the_places_in_step_with_its_markers(at: list[int], kept: int) -> None:
    grid = Knots(np.arange(0.0, 160.0, 10.0), "4", nominal=np.arange(0.0, 160.0, 10.0) + 0.2)
    found = _every_nth(grid, 10.0 * np.array(at) + 0.1)
    assert found.places.tolist() == (10.0 * np.arange(at[0] % kept, 16, kept)).tolist()
    assert found.nominal is not None
    assert len(found.nominal) == len(found.places)


def test_few_markers_tell_no_step() -> None:
    grid = Knots(np.arange(0.0, 160.0, 10.0), "4")
    assert _every_nth(grid, np.array([20.0, 40.0, 80.0])) is grid
