"""Scales through labels: linear, log, misread labels, broken axes; pixels and values checked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tools.readings import mixed_powers
from tools.scales import Fit, Reading, fit_scale
from tools.types import Unreadable


def printed(*values: float | None) -> list[tuple[Reading, ...]]:
    return [() if value is None else (Reading(value),) for value in values]


def fitted(pixels: list[float], readings: list[tuple[Reading, ...]], log_hint: bool | None = None) -> Fit:
    found = fit_scale(np.array(pixels), readings, 1.5, log_hint)
    assert isinstance(found, Fit), found
    return found


def value_at(fit: Fit, pixel: float) -> float:
    units = fit.slope * pixel + fit.intercept
    return float(10**units if fit.scale == "log" else units)


@pytest.mark.parametrize("sign", [1, -1])
def test_linear_in_both_directions(sign: int) -> None:
    fit = fitted([100, 200, 300], printed(*(sign * v for v in (0, 5, 10))))
    assert fit.scale == "linear"
    assert value_at(fit, 250) == pytest.approx(sign * 7.5)
    assert fit.residual == pytest.approx(0, abs=1e-9)


def test_thousand_and_ten_thousand_on_a_linear_axis_stay_linear() -> None:
    fit = fitted([400, 360, 320, 240, 160, 80, 0], printed(0, 1000, 2000, 4000, 6000, 8000, 10000))
    assert fit.scale == "linear"
    assert value_at(fit, 40) == pytest.approx(9000)


def test_even_decades_are_log_even_when_only_three() -> None:
    fit = fitted([300, 200, 100], printed(1, 10, 100))
    assert fit.scale == "log"
    assert value_at(fit, 150) == pytest.approx(10**1.5)


def test_log_of_another_base() -> None:
    assert fitted([0, 50, 100, 150], printed(2, 4, 8, 16)).scale == "log"


def test_narrow_even_ladder_is_linear_though_a_log_nearly_fits() -> None:
    assert fitted([300, 200, 100], printed(100, 101, 102)).scale == "linear"


def test_two_labels_are_linear_unless_powers_are_printed() -> None:
    assert fitted([100, 300], printed(1, 10)).scale == "linear"
    assert fitted([100, 300], printed(1, 10), log_hint=True).scale == "log"


def test_a_misread_label_is_dropped() -> None:
    fit = fitted([0, 100, 200, 300, 400], printed(0, 10, 70, 30, 40))
    assert fit.values == (0, 10, None, 30, 40)
    assert value_at(fit, 200) == pytest.approx(20)


def test_a_lost_minus_is_repaired_by_the_ladder() -> None:
    readings = [(Reading(v), Reading(-v, 1.0)) for v in (10.0, 5.0)] + printed(0, 5, 10)
    fit = fitted([0, 100, 200, 300, 400], readings)
    assert fit.values == (-10, -5, 0, 5, 10)
    assert fit.repaired == (0, 1)


def test_zero_is_no_anchor_of_a_log_axis() -> None:
    fit = fitted([0, 80, 180, 280, 380], printed(0, 10, 100, 1000, 10000))
    assert fit.scale == "log"
    assert fit.values[0] is None


@pytest.mark.parametrize(
    ("pixels", "values"),
    [
        ([0, 50, 100, 150, 200, 220, 240], [0, 1, 2, 3, 4, 8, 12]),  # spacing changes at the end
        ([0, 50, 100, 160, 210, 260], [0, 2, 4, 20, 22, 24]),  # broken in two
        ([0, 100, 200], [10, 1e10, 1e100]),  # log of a log
        ([0, 100, 200, 300], [3, 1, 4, 1]),  # no scale at all
    ],
)
def test_what_fits_no_scale_is_refused(pixels: list[float], values: list[float]) -> None:
    found = fit_scale(np.array(pixels, dtype=float), printed(*values), 1.5)
    assert isinstance(found, Unreadable)
    assert found.reason


def test_one_number_is_no_scale() -> None:
    assert not fit_scale(np.array([10.0, 20.0]), printed(3, None), 1.5)


def test_small_exponents_that_were_misread_are_proven_by_the_others() -> None:
    readings = mixed_powers(["101", "10^0", "161", "10", "103"])
    fit = fitted([20, 60, 100, 140, 180], list(readings), True)
    assert fit.scale == "log"
    assert [value and round(value, 6) for value in fit.values] == [0.1, 1, 10, 100, 1000]
    assert mixed_powers(["101", "10^0", "250"]) == ()
    assert mixed_powers(["100", "101", "102"]) == ()  # nothing here was printed as a power


def test_powers_whose_dash_was_not_seen_as_raised_and_one_misread_among_others_are_mended() -> None:
    readings = mixed_powers(["10º", "10-1", "10-2", "10-3"])
    assert [one[0].value for one in readings] == pytest.approx([1.0, 0.1, 0.01, 0.001])
    fit = fit_scale(np.array([46.0, 115.0, 254.0, 323.0]), mixed_powers(["10^-1", "10^0", "10^2", "10^2"]), 1.6, True)
    assert isinstance(fit, Fit)
    assert fit.values == pytest.approx((0.1, 1.0, 100.0, 1000.0))
    assert fit.repaired == (3,)
