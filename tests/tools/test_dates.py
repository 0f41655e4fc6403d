from datetime import datetime
from itertools import pairwise

import pytest

from tools.dates import DateLabel, date_readings, parse_date, parse_date_ladder
from tools.types import moment


def _moments(texts: list[str], extra: tuple[str, ...] = ()) -> list[str]:
    values = parse_date_ladder(texts, extra).values
    return [moment(value).isoformat()[:16].removesuffix("T00:00") for value in values if isinstance(value, float)]


@pytest.mark.parametrize(
    ("text", "expected", "resolution"),
    [
        ("2014-04-07", "2014-04-07", "day"),
        ("2020-01-01 06:00", "2020-01-01T06:00", "time"),
        ("Apr 2020", "2020-04-01", "month"),
        ("Jan-21", "2021-01-01", "month"),
        ("13 Sep 18", "2018-09-13", "day"),
        ("10 / Mar / 2020", "2020-03-10", "day"),
        ("Mar\n2020", "2020-03-01", "month"),
        ("28 Apr 2014", "2014-04-28", "day"),
        ("Aug 5, 2020", "2020-08-05", "day"),
        ("29/02/1952", "1952-02-29", "day"),
        ("2014-W15", "2014-04-07", "week"),
        ("Q3 2017", "2017-07-01", "quarter"),
        ("2004", "2004-01-01", "year"),
        ("März 2019", "2019-03-01", "month"),
        ("févr. 2020", "2020-02-01", "month"),
        ("enero 2021", "2021-01-01", "month"),
        ("0ct 2020", "2020-10-01", "month"),
    ],
)
def test_printed_forms(text: str, expected: str, resolution: str) -> None:
    found = parse_date(text)
    assert isinstance(found, DateLabel)
    assert moment(found.value) == datetime.fromisoformat(expected)
    assert (found.resolution, found.year_known) == (resolution, True)


@pytest.mark.parametrize(
    "text", ["", "5-9", "10.5", "Site A", "10 mg", "100", "Mon", "31/31/2020", "2014-W60", "25:70"]
)
def test_what_is_no_date(text: str) -> None:
    found = parse_date(text)
    assert not isinstance(found, DateLabel)
    assert found.reason


def test_day_or_month_first_is_decided_by_the_whole_axis() -> None:
    assert _moments(["13/01/2020", "20/01/2020", "27/01/2020"]) == ["2020-01-13", "2020-01-20", "2020-01-27"]
    assert _moments(["01/13/2020", "01/20/2020", "01/27/2020"]) == ["2020-01-13", "2020-01-20", "2020-01-27"]
    assert _moments(["01/06/2013", "06/06/2013", "11/06/2013"]) == ["2013-06-01", "2013-06-06", "2013-06-11"]
    assert _moments(["01/05/14", "01/08/14", "01/11/14"]) == ["2014-05-01", "2014-08-01", "2014-11-01"]


def test_month_and_number_mean_year_or_day() -> None:
    years = ["Jan-21", "Mar-21", "May-21", "Jul-21", "Sep-21", "Nov-21", "Jan-22"]
    assert _moments(years)[::6] == ["2021-01-01", "2022-01-01"]
    assert _moments(["Apr 21", "Aug 21", "Dec 21"]) == ["2021-04-01", "2021-08-01", "2021-12-01"]
    starts = parse_date_ladder(["Sep 01", "Oct 01", "Nov 01", "Dec 01", "Jan 01"])
    assert (starts.form, starts.resolution, starts.year_known) == ("md", "day", False)
    weeks = parse_date_ladder(["Oct 02", "Oct 09", "Oct 16", "Oct 23"])
    assert [b - a for a, b in pairwise(weeks.values)] == [7, 7, 7]  # type: ignore[operator]


def test_years_come_from_other_text_or_stay_unknown() -> None:
    assert _moments(["01 Jul", "08 Jul"], ("Cases in 2019",)) == ["2019-07-01", "2019-07-08"]
    assert _moments(["Nov", "Dec", "Jan"], ("2020", "2021")) == ["2020-11-01", "2020-12-01", "2021-01-01"]
    unknown = parse_date_ladder(["Nov", "Dec", "Jan", "Feb"])
    assert not unknown.year_known
    assert list(unknown.values) == sorted(unknown.values)  # type: ignore[type-var]


def test_labels_of_two_kinds_on_one_axis() -> None:
    assert _moments(["2005", "April", "July", "October", "2006", "April"])[3:] == [
        "2005-10-01",
        "2006-01-01",
        "2006-04-01",
    ]
    assert _moments(["Jun 2014", "Aug", "Oct", "Dec", "Feb 2015"])[1::2] == ["2014-08-01", "2014-12-01"]


def test_leap_days_weeks_and_times_keep_even_steps() -> None:
    for texts, step in (
        (["22 Feb", "29 Feb", "07 Mar", "14 Mar"], 7),
        (["22 Feb", "01 Mar", "08 Mar", "15 Mar"], 7),
        (["W48", "W52", "W04", "W08"], 28),
        (["06:00", "12:00", "18:00", "00:00", "06:00"], 0.25),
        (["2014-W45", "2015-W03", "2015-W13"], 70),
    ):
        values = parse_date_ladder(texts).values
        assert [b - a for a, b in pairwise(values)] == [step] * (len(texts) - 1)  # type: ignore[operator]


def test_reversed_axis_and_unreadable_label() -> None:
    assert _moments(["Mar 22", "Jan 22", "Nov 21", "Sep 21"]) == [
        "2022-03-01",
        "2022-01-01",
        "2021-11-01",
        "2021-09-01",
    ]
    ladder = parse_date_ladder(["Jan 2020", "???", "Mar 2020"])
    assert ladder.read == 2
    assert not ladder.values[1]


def test_calendars_and_other_readings() -> None:
    assert parse_date_ladder(["2014-W15", "2014-W25"]).calendar == "week"
    assert parse_date_ladder(["2001", "2002"]).calendar == "year"
    assert parse_date_ladder(["Jan 2020", "Feb 2020"]).calendar == "month"
    assert parse_date_ladder(["2020-01-01", "2020-02-01"]).calendar == ""
    assert {reading.form for reading in date_readings(["01/02/2020", "01/03/2020"])} == {"dmy", "mdy"}
    assert date_readings(["Control", "Treated"]) == []


def test_a_dot_within_a_date_is_a_zero_with_a_dot_in_it() -> None:
    dates = [parse_date(text) for text in ("2·22-11", "2022-·9", "2022-09")]
    found = [f"{moment(one.value):%Y-%m}" for one in dates if isinstance(one, DateLabel)]
    assert found == ["2022-11", "2022-09", "2022-09"]
    assert not isinstance(parse_date("2·22"), DateLabel)
