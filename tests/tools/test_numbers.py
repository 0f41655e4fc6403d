import math

import pytest

from tools.numbers import Quantity, dotted_thousands, parse_ladder, parse_number, parse_offset
from tools.readings import DOTS, read_numbers


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("0", 0, ""),
        ("−5", -5, ""),
        ("–0.25", -0.25, ""),
        ("1,000", 1000, ""),
        ("1,000,000,000", 1e9, ""),
        ("1.000", 1, ""),
        ("1.000.000", 1e6, ""),
        ("1,234.5", 1234.5, ""),
        ("1.234,5", 1234.5, ""),
        ("1 000", 1000, ""),
        ("17\u2009500", 17500, ""),
        ("1'000", 1000, ""),
        ("0,7", 0.7, ""),
        ("75%", 75, "%"),
        ("75 %", 75, "%"),
        ("5k", 5000, ""),
        ("1,200 K", 1.2e6, ""),
        ("1.5M", 1.5e6, ""),
        ("2bn", 2e9, ""),
        ("$1,200", 1200, "$"),
        ("-€5", -5, "€"),
        ("10 mg", 10, "mg"),
        ("10^3", 1000, ""),
        ("10^-2", 0.01, ""),
        ("10⁻²", 0.01, ""),
        ("10^12", 1e12, ""),
        ("103", 103, ""),
        ("1e-02", 0.01, ""),
        ("1E+4", 1e4, ""),
        ("×10^4", 1e4, ""),
        ("2x10^5", 2e5, ""),
        ("1/4", 0.25, ""),
        ("½", 0.5, ""),
        ("100.", 100, ""),
    ],
)
def test_printed_forms(text: str, value: float, unit: str) -> None:
    found = parse_number(text)
    assert isinstance(found, Quantity)
    assert math.isclose(found.value, value, rel_tol=1e-12)
    assert (found.unit, found.text) == (unit, text)


@pytest.mark.parametrize(
    "text",
    ["", "-", "<5", "5-9", "50+", "W36", "06:00", "1st", "12 Mar", "1.2.3", "CO2", "2014-01", "O", "1/0", "Site 1"],
)
def test_what_is_no_number(text: str) -> None:
    found = parse_number(text)
    assert not isinstance(found, Quantity)
    assert found.reason


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (["0", "500", "1,000", "1,500"], [0, 500, 1000, 1500]),
        (["0", "500", "1.000", "1.500"], [0, 500, 1000, 1500]),
        (["1.000", "1.500", "2.000"], [1, 1.5, 2]),
        (["2.000", "0", "-2.000"], [2000, 0, -2000]),  # three decimals would write 0.000
        (["4.000", "6.000", "8.000"], [4000, 6000, 8000]),  # whole numbers need no three decimals
        (["0.0", "0,5", "1,0", "1,5", "2.0"], [0, 0.5, 1, 1.5, 2]),
        (["0,0", "0,1", "0,2", "0,7"], [0, 0.1, 0.2, 0.7]),
        (["−0,50", "−0,25", "0,00", "0,25"], [-0.5, -0.25, 0, 0.25]),
        (["0.000", "0.025", "0.050"], [0, 0.025, 0.05]),
        (["1,000", "1,000,000", "1,000,000,000"], [1e3, 1e6, 1e9]),
        (["0", "500", "1,000", "1.500", "2,000"], [0, 500, 1000, 1500, 2000]),  # one comma misread
        (["8.000", "8,250", "8.500", "8.750"], [8, 8.25, 8.5, 8.75]),  # one dot misread
        (["0", "2.500", "5.000", "7.500"], [0, 2500, 5000, 7500]),
        (["340.567", "340.568", "340.569"], [340.567, 340.568, 340.569]),
        (["O", "5", "1O", "15"], [0, 5, 10, 15]),
        (["l", "2", "3"], [1, 2, 3]),
        (["1500", "1000", "500", "0"], [1500, 1000, 500, 0]),
    ],
)
def test_one_decimal_mark_for_the_whole_axis(texts: list[str], values: list[float]) -> None:
    assert [quantity.value for quantity in parse_ladder(texts) if isinstance(quantity, Quantity)] == values


@pytest.mark.parametrize(
    ("texts", "sign"),
    [
        (["0", "2.500", "5.000", "7.500"], "likely"),  # a 0 may be printed without decimals
        (["O", "2.500", "5,000", "7.500"], "likely"),
        (["0", "500", "1.000", "1.500"], "sure"),
        (["0", "2.000", "4.000"], "sure"),
        (["8.000", "8,250", "8.500", "8.750"], "open"),
        (["0.000", "2.500", "5.000"], "no"),
        (["8.000", "8.125", "8.250"], "no"),
    ],
)
def test_dots_before_three_digits(texts: list[str], sign: str) -> None:
    assert dotted_thousands(texts) == sign
    assert read_numbers(texts).doubt.startswith(DOTS) == (sign in ("likely", "open"))


def test_letters_stay_letters_where_the_axis_is_not_numeric() -> None:
    found = parse_ladder(["S", "O", "10", "l"])
    assert [bool(isinstance(quantity, Quantity)) for quantity in found] == [False, False, True, False]


@pytest.mark.parametrize(
    ("text", "factor"), [("1e6", 1e6), ("×10^4", 1e4), ("×10⁴", 1e4), ("10^-3", 1e-3), ("×1e6", 1e6), ("(x10^3)", 1e3)]
)
def test_offsets(text: str, factor: float) -> None:
    found = parse_offset(text)
    assert isinstance(found, float)
    assert math.isclose(found, factor)


@pytest.mark.parametrize("text", ["100", "10", "1,000", "Cases", "e"])
def test_what_is_no_offset(text: str) -> None:
    assert not parse_offset(text)


def test_tick_marks_read_with_a_label_are_no_part_of_it() -> None:
    assert parse_number("100 :") == Quantity(100.0, "", "100 :")
    assert parse_number("10 |") == Quantity(10.0, "", "10 |")
    assert parse_offset("le6") == 1e6
    assert not isinstance(parse_number("_2"), Quantity)  # may as well be a minus
