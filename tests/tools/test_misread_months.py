"""Months with a letter misread count where the ladder proves them, and only there."""

import pytest

from tools.misread_months import mended_months
from tools.readings import read_dates


@pytest.mark.parametrize(
    ("texts", "mended"),
    [
        (["jùt 2004", "set 2004", "nov 2004"], "jul 2004"),
        (["Jan", "Feb", "Rar", "Apr"], "mar"),  # one letter of no like look, three others
        (["1 May 2010", "1 Juty 2010", "31 Aug 2010"], "1 july 2010"),  # 61 days each
        (["Ju1y", "Aug", "Sep"], "july"),
        (["0ct 15", "N0v 15", "Oec 15", "Jan 16"], "dec 15"),
    ],
)
def test_the_month_that_makes_the_steps_equal(texts: list[str], mended: str) -> None:
    found = mended_months(texts)
    assert [one for one, text in zip(found, texts, strict=True) if one != text] == [mended]


@pytest.mark.parametrize(
    "texts",
    [
        ["jùt 2004", "sep 2004", "dec 2004"],  # July would be no even step
        ["Mat", "Mar", "May"],
        ["Rar", "Feb", "Apr"],
        ["Mar", "Man", "Mer", "Jan"],  # two strangers
        ["jut", "set"],
        ["jut 2004", "2005", "nov 2005"],
    ],
)
def test_what_the_ladder_does_not_prove_stays(texts: list[str]) -> None:
    assert mended_months(texts) == texts


def test_an_axis_with_one_is_an_axis_of_dates() -> None:
    dates = read_dates(["jùt 2004", "set 2004", "nov 2004"])[0]
    assert dates.calendar == "month"
    assert dates.year_known
    assert dates.share == 1
