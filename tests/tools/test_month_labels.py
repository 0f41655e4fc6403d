"""Labels of months, weeks and days that say less than a date each."""

from __future__ import annotations

from datetime import datetime

import numpy as np
import pytest

from tools.axis_fit import fit_dates
from tools.dates import date_readings
from tools.label_split import label_texts
from tools.ladders import find_ladders
from tools.month_labels import first_days, lettered_months, weeks_over_years
from tools.readings import read_dates
from tools.seating import Rails
from tools.types import Axis, Box, Word, days, moment

YEAR_OF_LETTERS = "JFMAMJJASOND"


def when(texts: list[str], extra: tuple[str, ...] = ()) -> tuple[list[str], bool]:
    """The dates of the labels in their best reading, and whether a year is known."""
    best = read_dates(texts, extra)[0]
    return [f"{moment(one[0].value):%Y-%m-%d}" for one in best.readings if one], best.year_known


def test_letters_that_follow_each_other_as_months_do_are_months() -> None:
    assert lettered_months(list("MAMJJASO"))[:3] == ["Mar", "Apr", "May"]
    assert lettered_months(["J", "A 2015", "J", "O"]) == ["Jan", "Apr 2015", "Jul", "Oct"]
    assert lettered_months(list("ABCDE")) == list("ABCDE")
    assert lettered_months(list("JJJJ")) == list("JJJJ")
    assert lettered_months(list("AMJJASNDJF"))[5:7] == ["Sep", "Nov"]  # the O was not read
    dates, known = when([*"JFMAMJ", "J 2015", *"ASOND", *"JF"])
    assert (dates[0], dates[-1], known) == ("2015-01-01", "2016-02-01", True)


def test_letters_read_as_one_word_are_split() -> None:
    assert label_texts(2 * YEAR_OF_LETTERS + "J") == [*(2 * YEAR_OF_LETTERS), "J"]
    assert label_texts("JASON") == ["JASON"]
    assert label_texts("Jan MarMay Jul") == ["Jan", "Mar", "May", "Jul"]
    assert label_texts("jul-05 Aug-05 Sep-05") == ["jul-05", "Aug-05", "Sep-05"]
    assert label_texts("5-Jul 12-Jul") == ["5-Jul", "12-Jul"]
    assert label_texts("Covid-19 Mar-05") == ["Covid-19 Mar-05"]
    assert label_texts("2018 201820192019") == ["2018", "2018", "2019", "2019"]


def test_a_month_among_bare_days_is_its_first_and_the_offset_names_its_year() -> None:
    assert first_days(["22", "Feb", "08"]) == ["22", "1 Feb", "08"]
    assert first_days(["Jan", "Feb", "Mar"]) == ["Jan", "Feb", "Mar"]
    dates, known = when(["22", "Jan", "08", "15", "22", "Feb"], ("2022-Feb",))
    assert dates == ["2021-12-22", "2022-01-01", "2022-01-08", "2022-01-15", "2022-01-22", "2022-02-01"]
    assert known


def test_numbers_over_years_that_no_month_has_are_weeks() -> None:
    dates, known = when(["44 2018", "48 2018", "52 2018", "4 2019", "8 2019"])
    assert dates[0] == "2018-10-29"
    assert np.ptp(np.diff([days(datetime.fromisoformat(one)) for one in dates])) == 0
    assert known
    assert weeks_over_years(["1 2018", "4 2018", "7 2018"]) == ["1 2018", "4 2018", "7 2018"]


def test_years_beside_months_are_known_to_the_turn_after_the_last_of_them() -> None:
    quarters = ["Jan", "Apr", "Jul", "Oct"]
    assert when([*quarters, *quarters, "Jan"], ("2012", "2013")) == (
        [f"{year}-{month:02d}-01" for year in (2012, 2013) for month in (1, 4, 7, 10)] + ["2014-01-01"], True,
    )  # fmt: skip
    assert not when(quarters, ("2012", "2013"))[1]


@pytest.mark.parametrize(("year", "february"), [(2019, 28), (2020, 29)])
def test_strokes_tell_a_leap_year_that_is_not_printed(year: int, february: int) -> None:
    names = ["1 Feb", "1 Mar", "1 Apr", "1 May"]
    at = [60 + 4 * (days(datetime(year, month, 1)) - days(datetime(year, 2, 1))) for month in (2, 3, 4, 5)]
    words = [Word(name, Box(x - 12, 206, x + 12, 215)) for name, x in zip(names, at, strict=True)]
    (row,) = find_ladders(Box(50, 20, 450, 200), words, "bottom")
    ticks = Rails("tick", np.array(at), np.ones(4))
    axis = fit_dates(row, read_dates(row.texts), [ticks], 400)
    assert isinstance(axis, Axis)
    first, second = (one.value for one in axis.anchors[:2])
    assert second - first == february
    assert axis.confidence == "low"  # whose year it is, nothing says
    assert sum(one.form == "dm" for one in date_readings(["1 Apr", "1 May"])) == 1
