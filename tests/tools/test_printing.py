"""Printed values: digits, dates, and rows that are moved onto the step they stand on."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from tools.printing import date_texts, number_text, snap_dates, snap_numbers, x_texts
from tools.types import Axis, days


@pytest.mark.parametrize(
    ("value", "resolution", "text"),
    [
        (12.34567, 0.02, "12.35"),
        (1234567.0, 300.0, "1234600"),
        (-0.0001, 0.01, "0"),
        (3.0, 0.001, "3"),
        (float("nan"), 0.1, "nan"),
        (1e-7, 1e-9, "0.0000001"),
        (5305076.0, 20000.0, "5310000"),
    ],
)
def test_numbers_have_the_digits_that_pixels_support(value: float, resolution: float, text: str) -> None:
    assert number_text(value, resolution) == text


def test_months_go_to_their_first_day() -> None:
    true = [days(date(2014, month, 1)) for month in range(1, 13)]
    seen = np.array(true) + np.linspace(-0.8, 0.8, 12)
    assert snap_dates(seen, per_pixel=2.0).tolist() == true


def test_weeks_keep_one_weekday() -> None:
    true = [days(date(2023, 1, 2)) + 7 * k for k in range(20)]
    seen = np.array(true) + np.tile([0.4, -0.6, 0.3, -0.2], 5)
    assert snap_dates(seen, per_pixel=1.0).tolist() == true


def test_daily_bars_that_start_at_their_date_are_named_by_it() -> None:
    true = np.arange(16000.0, 16030.0)
    assert snap_dates(true + 0.5, per_pixel=0.1).tolist() == true.tolist()
    assert snap_dates(true + 0.1, per_pixel=0.1).tolist() == true.tolist()


def test_numbers_on_a_round_step_are_moved_onto_it_and_others_stay() -> None:
    assert snap_numbers(np.array([0.02, 3.98, 8.01, 12.0]), per_pixel=0.05).tolist() == [0, 4, 8, 12]
    odd = np.array([0.13, 0.61, 1.77, 2.9])
    assert snap_numbers(odd, per_pixel=0.01).tolist() == odd.tolist()


def test_dates_are_printed_as_the_axis_prints_them() -> None:
    at = [days(date(2014, 4, 7)), days(date(2014, 4, 14))]
    assert date_texts(at, "week") == ["2014-W15", "2014-W16"]
    assert date_texts(at, "") == ["2014-04-07", "2014-04-14"]
    assert date_texts([days(date(2014, 1, 1))], "year") == ["2014"]
    assert date_texts([0.25], "") == ["1970-01-01T06:00"]


def test_monthly_rows_on_a_year_axis_become_dates() -> None:
    axis = Axis("bottom", "linear", 0.01, 2000.0, calendar="year")
    starts = [days(date(2000, month, 1)) for month in range(1, 13)]
    pixels = [100 * (day - starts[0]) / 366 for day in starts]
    assert x_texts(axis, pixels)[1][:3] == ["2000-01-01", "2000-02-01", "2000-03-01"]
    yearly = x_texts(axis, [0.0, 100.0, 200.0, 300.0, 400.0, 500.0, 600.0])[1]
    assert yearly == ["2000", "2001", "2002", "2003", "2004", "2005", "2006"]
