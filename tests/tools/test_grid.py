"""Even and calendar grids: phase and period from positions."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from tools.grid import Grid, calendar_grid, fit_grid
from tools.types import Axis, Unreadable, days


def date_axis(px_per_day: float, first: date, pixel: float = 50.0) -> Axis:
    slope = 1 / px_per_day
    return Axis("bottom", "date", slope, days(first) - pixel * slope)


def test_even_positions_with_gaps_give_period_and_phase() -> None:
    positions = 12.3 + 7.5 * np.array([0, 1, 2, 5, 6, 9, 14])
    grid = fit_grid(positions)
    assert isinstance(grid, Grid)
    assert grid.period == pytest.approx(7.5, abs=1e-6)
    assert np.min(np.abs(grid.centres - 12.3)) < 1e-6


def test_the_coarsest_period_is_taken() -> None:
    grid = fit_grid(np.arange(10) * 20.0)
    assert isinstance(grid, Grid)
    assert grid.period == pytest.approx(20.0)


def test_rounded_positions_still_give_the_period() -> None:
    grid = fit_grid(np.round(3.7 + 11.23 * np.arange(40)))
    assert isinstance(grid, Grid)
    assert grid.period == pytest.approx(11.23, abs=0.02)


def test_a_span_is_covered() -> None:
    grid = fit_grid([40.0, 50.0, 60.0, 80.0], span=(0.0, 120.0))
    assert isinstance(grid, Grid)
    assert grid.starts[0] <= 0
    assert grid.starts[-1] >= 120


@pytest.mark.parametrize("positions", [[], [5.0], [5.0, 9.0]])
def test_too_few_positions_are_unreadable(positions: list[float]) -> None:
    assert isinstance(fit_grid(positions), Unreadable)


def test_uneven_positions_are_unreadable() -> None:
    rng = np.random.default_rng(0)
    assert isinstance(fit_grid(rng.uniform(0, 400, 60), periods=(10.0, 40.0)), Unreadable)


@pytest.mark.parametrize(("step", "unit", "every"), [(1, "day", 1), (7, "week", 1), (14, "week", 2), (10, "day", 10)])
def test_calendar_steps_of_days(step: int, unit: str, every: int) -> None:
    axis = date_axis(4.0, date(2020, 3, 2))
    positions = axis.to_pixel(days(date(2020, 3, 2)) + step * np.arange(30))
    grid = calendar_grid(axis, positions, periods=(0.9 * 4 * step, 1.1 * 4 * step))
    assert isinstance(grid, Grid)
    assert (grid.unit, grid.every) == (unit, every)
    assert np.min(np.abs(grid.starts - positions[3])) < 0.01


def test_weeks_are_told_from_days() -> None:
    axis = date_axis(3.0, date(2021, 1, 4))
    weekly = axis.to_pixel(days(date(2021, 1, 4)) + 7 * np.arange(25))
    grid = calendar_grid(axis, weekly)
    assert isinstance(grid, Grid)
    assert grid.unit == "week"
    rng = np.random.default_rng(1)
    daily = axis.to_pixel(days(date(2021, 1, 4)) + np.sort(rng.choice(170, 90, replace=False)))
    grid = calendar_grid(axis, daily)
    assert isinstance(grid, Grid)
    assert (grid.unit, grid.every) == ("day", 1)


def test_months_have_their_true_lengths() -> None:
    axis = date_axis(2.0, date(2014, 1, 1))
    firsts = [days(date(2014 + m // 12, m % 12 + 1, 1)) for m in range(16)]
    grid = calendar_grid(axis, axis.to_pixel(np.array(firsts)) + 3.0, periods=(40.0, 80.0))
    assert isinstance(grid, Grid)
    assert grid.unit == "month"
    assert grid.shift == pytest.approx(3.0, abs=0.05)


def test_reversed_time_axis() -> None:
    axis = Axis("bottom", "date", -0.25, 18000.0)
    positions = axis.to_pixel(17800.0 + 7 * np.arange(20))
    grid = calendar_grid(axis, positions)
    assert isinstance(grid, Grid)
    assert grid.unit == "week"
    assert np.all(np.diff(grid.starts) > 0)


def test_other_axes_have_no_calendar() -> None:
    assert isinstance(calendar_grid(Axis("bottom", "linear", 1.0, 0.0), [1.0, 2.0, 3.0]), Unreadable)
