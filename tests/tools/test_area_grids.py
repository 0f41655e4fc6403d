"""The points of borders of areas: on the grid that their vertices show, even samples where nothing shows them."""

from __future__ import annotations

import numpy as np
import pytest

from tools.area_grids import carrying, shared_grid
from tools.trace import Trace
from tools.types import Axis, Floats

AXIS = Axis("bottom", "linear", 0.1, 0.0)  # 10 px a unit


def trace(y: Floats) -> Trace:
    none = np.zeros(y.size, dtype=bool)
    return Trace(y, y, y, np.ones(y.size), none, none, 0.0, 0.0, y.size - 1.0)


def hill(x: Floats, middle: float, width: float) -> Floats:
    return 150 - 130 * np.exp(-0.5 * ((x - middle) / width) ** 2)


@pytest.mark.parametrize("middle", [120.0, 171.3])
def test_a_smooth_border_is_sampled_evenly(middle: float) -> None:
    found = shared_grid([trace(hill(np.arange(300.0), middle, 35.0))], AXIS, 0.0)
    assert found.sampled
    assert np.median(np.diff(carrying(found.knots, 0.0, 299.0))) < 4


@pytest.mark.parametrize("step", [10.0, 20.0])
def test_a_hill_of_straight_pieces_has_its_vertices(step: float) -> None:
    knots = np.arange(0.0, 301.0, step)
    columns = np.arange(300.0)
    found = shared_grid([trace(np.interp(columns, knots, hill(knots, 120.0, 35.0)))], AXIS, 0.0)
    assert not found.sampled
    np.testing.assert_allclose(np.diff(carrying(found.knots, 0.0, 299.0)), step, atol=1e-6)


def test_a_straight_border_needs_no_samples() -> None:
    assert not shared_grid([trace(np.linspace(100.0, 20.0, 300))], AXIS, 0.0).sampled


def test_points_too_close_to_be_told_stay_on_the_grid_that_tells_best(monkeypatch: pytest.MonkeyPatch) -> None:
    knots = np.arange(0.0, 301.0, 3.0)  # five units of the axis
    rough = hill(knots, 120.0, 35.0) + np.random.default_rng(0).normal(0.0, 4.0, knots.size)
    border = trace(np.interp(np.arange(300.0), knots, rough))
    monkeypatch.setattr("tools.area_grids._seen", lambda *_: False)
    found = shared_grid([border], Axis("bottom", "linear", 1 / 0.6, 0.0), 0.0)
    assert found.sampled
    np.testing.assert_allclose(np.diff(carrying(found.knots, 0.0, 299.0)), 3.0, atol=1e-6)
