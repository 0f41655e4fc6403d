"""Questions about one plotted value: what they name, and what is refused."""

from __future__ import annotations

import pytest

from agent.asked_rows import Sheet
from agent.asking import Answer, answer_from, ask_tables, both
from agent.questions import dates_in, mention, mentions, numbers_in, parse_question, tokens, week_in
from tools.table import MISSING, Cell, Table


def cell(value: float | str | None) -> Cell:
    if value is None:
        return MISSING
    half = abs(value) * 0.01 if isinstance(value, float) else None
    return Cell(value, str(value), low=value - half if half else None, high=value + half if half else None)  # type: ignore[operator]


def table(header: tuple[str, ...], *rows: tuple[float | str | None, ...], form: str = "wide") -> Table:
    return Table(header, tuple(tuple(cell(v) for v in row) for row in rows), form)  # type: ignore[arg-type]


BARS = table(
    ("Dose", "Wild type", "Wild type low", "Wild type high", "Knock-out"),
    ("Control", 1.2, 1.1, 1.3, 0.8), ("10 mg", 1.6, 1.4, 1.8, 1.5), ("100 mg", 2.9, 2.6, 3.2, 2.0),
)  # fmt: skip
CURVE = table(
    ("Date", "Guinea", "Liberia"), ("2014-03-01", 10.0, None), ("2014-03-08", 20.0, 5.0), ("2014-03-15", 40.0, 6.0)
)


def ask(question: str, *tables: Table, **facts: bool) -> Answer:
    sheets = [Sheet(one, number, **facts) for number, one in enumerate(tables, 1)]  # type: ignore[arg-type]
    return answer_from(sheets, parse_question(question), "figure")


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the response of wild type at 10 mg?", 1.6),
        ("What is the response of the Knock-out at 100 mg?", 2.0),
        ("What is the lower end of the error bar of wild type in the control?", 1.1),
        ("What is the upper limit of Wild type at 100 mg?", 3.2),
        ("What is the highest value of Knock-out?", 2.0),
    ],
)
def test_bars(question: str, value: float) -> None:
    answer = ask(question, BARS)
    assert answer.value == value
    assert answer.evidence == "figure"


def test_the_answer_carries_its_interval_and_place() -> None:
    answer = ask("Wild type at 10 mg?", BARS)
    assert (answer.panel, answer.series, answer.at) == (1, "Wild type", "10 mg")
    assert (answer.low, answer.high) == pytest.approx((1.584, 1.616))
    assert answer.doubts == ()


@pytest.mark.parametrize("question", ["Wild type at 50 mg?", "What is the p value?", ""])
def test_what_is_not_named_is_refused_with_what_there_is(question: str) -> None:
    answer = ask(question, BARS)
    assert answer.value is None
    assert "Control, 10 mg, 100 mg" in answer.reason


def test_a_question_that_fits_two_values_is_refused() -> None:
    answer = ask("What is the response at 10 mg?", BARS)
    assert answer.value is None
    assert "fits 2 values" in answer.reason


def test_dates_by_the_nearest_step_and_missing_values_never() -> None:
    assert ask("How many cases in Guinea on 8 March 2014?", CURVE).value == 20.0
    near = ask("Guinea on 2014-03-09?", CURVE)
    assert near.value == 20.0
    assert near.doubts == ("the nearest date is 2014-03-08",)
    assert ask("Guinea on 2016-03-09?", CURVE).value is None
    assert ask("Liberia on 2014-02-28?", CURVE).value is None


def test_panels_by_letter_and_a_panel_that_is_not_there() -> None:
    other = table(("Dose", "Wild type", "Knock-out"), ("Control", 7.0, 8.0), ("10 mg", 9.0, 10.0))
    assert ask("Wild type at 10 mg?", BARS, other).value is None
    sheets = [Sheet(other, 2)]
    assert answer_from(sheets, parse_question("In panel b, wild type at 10 mg?"), "figure").value == 9.0


def test_between_two_points_the_line_is_read_and_a_step_holds() -> None:
    line = table(("t", "y"), (0.0, 1.0), (10.0, 2.0), (20.0, 4.0))
    answer = ask("What is y at t = 15?", line)
    assert answer.value == pytest.approx(3.0)
    assert "no point stands at 15" in answer.doubts[0]
    assert ask("What is y at t = 15?", line, steps=True).value == 2.0


def test_boxes_by_statistic() -> None:
    header = ("site", "whisker_low", "q1", "median", "q3", "whisker_high", "outliers")
    box = table(header, ("A", 1.0, 2.0, 3.0, 4.0, 5.0, "9"), ("B", 2.0, 3.0, 4.0, 5.0, 6.0, ""), form="box")
    assert ask("What is the median at site B?", box).value == 4.0
    assert ask("What is the third quartile of A?", box).value == 4.0
    assert ask("What is the lower whisker of B?", box).value == 2.0


def test_a_table_answers_and_the_figure_confirms_or_doubts_it() -> None:
    exact = ask_tables([("data.csv", BARS)], "Wild type at 10 mg?")
    assert (exact.value, exact.evidence) == (1.6, "table")
    read = ask("Wild type at 10 mg?", BARS)
    assert both(read, exact).evidence == "table, and the figure agrees"
    wrong = Answer(2.4, "2.4", 2.3, 2.5, "figure")
    assert both(wrong, exact).doubts == ("the figure shows 2.4 instead",)
    assert both(read, Answer(None, reason="no")).value == 1.6


def test_words_of_a_question() -> None:
    assert parse_question("In panel C, what is ...?").panel == 3
    assert parse_question("Fig. 2b shows").panel == 2
    assert parse_question("the third panel").panel == 3
    assert mention("B", "What is B at 3?") == 1
    assert mention("B", "What about bananas?") == 0
    assert mention("Yamagata", "the Yamagatta lineage") == 7
    assert numbers_in("at 1,000 mg with 3 mice") == [1000.0, 3.0]
    assert dates_in("in 2014-W15, May 2020") == [16167.0, 18383.0]
    assert week_in("W36", "cases in epidemiological week 36")


AGES = table(("Year", "0-4 years", "5-14 years"), ("1979", 5.0, 7.0), ("1980", 6.0, 8.0))


def test_a_dash_in_a_name_is_no_sign_and_no_number() -> None:
    assert ask("What is 0–4 years at 1980?", AGES).value == 6.0
    assert ask("What is 5-14 years at 1979?", AGES).value == 7.0
    assert tokens("15–44 years at −3") == ["15", "44", "years", "at", "-3"]


def test_letters_that_look_alike_name_a_label_only_where_no_label_is_the_same() -> None:
    assert mentions(["Qn", "TK", "0e"], "the median of Qη") == [2, 0, 0]
    assert mentions(["Qn", "TK", "0e"], "the median of Oε") == [0, 0, 2]
    assert mentions(["Qη", "Qn"], "the median of Qn") == [0, 2]
    assert mentions(["80+ yea rs", "6579 years"], "What is 80+ years at 36?") == [7, 0]


YEARLY = table(("Date", "a"), ("2012-07-01", 1.0), ("2013-07-01", 2.0), ("2014-07-01", 3.0))


@pytest.mark.parametrize(
    ("rows", "question", "value", "doubt"),
    [
        (YEARLY, "What is a in 2013?", 2.0, ""),
        (table(("Date", "a"), ("2012-01-01", 1.0), ("2012-12-31", 2.0)), "What is a in 2013?", 2.0, ""),
        (CURVE, "What is Guinea at 2014?", None, ""),
        (table(("Week", "a"), (2016.0, 1.0), (2016.5, 2.0), (2017.0, 3.0)), "a on 2016-07-02?", 2.0, ""),
        (table(("t", "a"), (2.0, 1.0), (2.1, 1.0), (2.2, 1.0), (99.0, 3.0)), "a at t = 1.5?", 1.0, "no point"),
        (table(("t", "a"), (5, 1.0), (100, 3.0)), "What is a at 15?", 1.21, "no point stands at 15"),
    ],
)
def test_places_in_years_and_at_the_ends(rows: Table, question: str, value: float | None, doubt: str) -> None:
    answer = ask(question, rows)
    assert answer.value == (None if value is None else pytest.approx(value, rel=0.01))
    assert doubt in " ".join(answer.doubts)


def test_bins_are_named_by_their_lower_end_or_hold_the_number() -> None:
    bins = table(("bin low", "bin high", "Count"), (0.0, 10.0, 4.0), (10.1, 20.0, 9.0), form="histogram")
    assert ask("What is the Count at bin low 10?", bins).value == 9.0
    assert ask("What is the Count at 5?", bins).value == 4.0
    assert ask("What is the Count at 30?", bins).value is None


def test_between_two_bars_nothing_stands() -> None:
    bars = table(("t", "y"), (0.0, 1.0), (10.0, 2.0), (20.0, 4.0))
    assert ask("What is y at t = 14?", bars, bars=True).value == 2.0
    assert ask("What is y at t = 14?", bars, bars=True).doubts == ("the nearest bar stands at 10.0",)
    assert ask("What is y at t = 40?", bars, bars=True).value is None


def test_at_a_large_step_the_level_after_it_with_a_doubt() -> None:
    curve = table(("t", "y"), (0.0, 1.0), (50.0, 0.8), (100.0, 0.79))
    answer = ask("What is y at t = 49.9?", curve, steps=True)
    assert (answer.value, answer.doubts) == (0.8, ("the level changes here, from 1.0 to 0.8",))
    assert ask("What is y at t = 99.9?", curve, steps=True).doubts == ()


def test_an_answer_by_a_series_that_the_question_does_not_name_is_doubted() -> None:
    islands = table(("x", "Islands"), (1.0, 5.0), (2.0, 6.0))
    assert ask("What is Coast at 2?", islands).doubts == ("the question names no series that was read: Islands",)
    assert ask("What is Islands at 2?", islands).doubts == ()
    label = [Sheet(islands, 1, label="Islands")]
    assert answer_from(label, parse_question("What is Coast at 2?"), "figure").doubts == ()


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is the difference between Wild type and Knock-out at 10 mg?", "asks for more than one plotted value"),
        ("How much higher is Wild type than Knock-out at 10 mg?", "asks for more than one plotted value"),
        ("How many bars of Wild type are above 2?", "asks for more than one plotted value"),
        ("What are Wild type and Knock-out at 10 mg?", "fits 2 values"),
        ("What is Wild type in the control and at 100 mg?", "fits 2 values"),
    ],
)
def test_more_than_one_value_is_refused(question: str, said: str) -> None:
    answer = ask(question, BARS)
    assert answer.value is None
    assert said in answer.reason


def test_words_of_the_axis_and_single_letters_name_no_second_value() -> None:
    rows = table(("Arm", "Deaths", "Cases"), ("A", 1.0, 10.0), ("Wait", 2.0, 20.0))
    sheet = [Sheet(rows, 1, label="Difference between Cases and Deaths")]
    asked = parse_question("In wait, what is the difference between cases and deaths of Deaths?")
    assert answer_from(sheet, asked, "figure").value == 2.0
    assert ask("What is a value of Deaths for Wait?", rows).value == 2.0
    twice = table(("t", "y"), (0.0, 1.0), (10.0, 2.0), (20.0, 4.0))
    assert "more than one" in ask("What is y at 10 and at 20?", twice).reason
