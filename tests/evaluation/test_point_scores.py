"""One-to-one hits, errors along x, step functions."""

from __future__ import annotations

import numpy as np
import pytest

from evaluation.points import hits, points, step_hits, step_values, x_error


def curve(*rows: tuple[float, float], as_written: bool = False):  # type: ignore[no-untyped-def]
    x, y = (np.array(v, dtype=np.float64) for v in zip(*rows, strict=True))
    return points(x, y, as_written)


NOTHING = points(np.array([]), np.array([]))


def test_points_are_finite_and_in_order() -> None:
    found = curve((2, 1), (1, 5), (1, 4), (np.nan, 0), (3, np.inf))
    assert (found.x.tolist(), found.y.tolist()) == ([1, 1, 2], [4, 5, 1])


def test_hits_are_one_to_one() -> None:
    truth = curve((0, 0), (1, 1), (2, 2))
    assert hits(truth, truth, 0.5, 0.1) == 3
    assert hits(curve((0, 0), (0.1, 0), (0.2, 0)), truth, 0.5, 0.1) == 1
    assert hits(curve((0, 0.05), (1, 1.3), (2.6, 2)), truth, 0.5, 0.1) == 1
    assert hits(NOTHING, truth, 1, 1) == hits(truth, NOTHING, 1, 1) == 0


def test_the_matching_is_the_greatest_there_is() -> None:
    """The middle prediction could take either true point; only one choice leaves a partner for the other."""
    assert hits(curve((0.0, 0), (0.5, 0)), curve((0.4, 0), (0.9, 0)), 0.5, 1) == 2


def test_the_edge_of_the_tolerance_is_inside_and_zero_tolerance_works() -> None:
    assert hits(curve((0, 0.3)), curve((0, 0.1)), 0.0, 0.2) == 1
    assert hits(curve((5, 7)), curve((5, 7)), 0.0, 0.0) == 1
    assert hits(curve((5, 7.001)), curve((5, 7)), 0.0, 0.0) == 0


def test_x_error_in_steps() -> None:
    truth = curve((0, 0), (2, 1), (4, 2))
    assert x_error(curve((0.2, 0), (2.2, 1), (4.2, 2)), truth, 2.0) == pytest.approx(0.1)
    assert x_error(curve((2.0, 9)), truth, 2.0) == 1.0
    assert x_error(NOTHING, truth, 2.0) is None
    assert x_error(truth, truth, 0.0) is None


def test_a_step_holds_to_the_right_and_its_last_row_at_an_x_counts() -> None:
    fall = curve((0, 1), (5, 1), (5, 0.5), as_written=True)
    assert step_values(fall, np.array([0, 4.9, 5, 9]), 0.0).tolist() == [1, 1, 0.5, 0.5]
    assert np.isnan(step_values(fall, np.array([-1.0]), 0.5)).all()
    assert step_values(fall, np.array([-1.0]), 2.0).tolist() == [1.0]


def test_step_hits() -> None:
    truth = curve((0, 1), (10, 0.0), (20, 0.0))
    assert step_hits(truth, truth, 0.02) == (200, 200)
    assert step_hits(NOTHING, truth, 0.02) == (0, 0)
    right, said = step_hits(curve((0, 1), (15, 0.0)), truth, 0.02)
    assert (said, right) == (200, 150)
