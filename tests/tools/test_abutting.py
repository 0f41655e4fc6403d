"""Plots that share a rule are told from one plot with rules across it, by labels that do not run on."""

from __future__ import annotations

import pytest

from tools.abutting import abutting, lend_labels
from tools.plot_area import Outline
from tools.strokes import Stroke
from tools.types import Box, Panel, Word

BOX = Box(100, 10, 500, 310)
BLACK = (0, 0, 0)


def rule(at: float, upright: bool, colour: tuple[int, int, int] = BLACK) -> Stroke:
    ends = (BOX.y0, BOX.y1) if upright else (BOX.x0, BOX.x1)
    return Stroke("vertical" if upright else "horizontal", at, *ends, 1.0, colour)


def outline(
    rows: tuple[float, ...] = (), columns: tuple[float, ...] = (), colour: tuple[int, int, int] = BLACK
) -> Outline:
    level = [rule(at, False) for at in (BOX.y0, BOX.y1)] + [rule(at, False, colour) for at in rows]
    upright = [rule(at, True) for at in (BOX.x0, BOX.x1)] + [rule(at, True, colour) for at in columns]
    return Outline(BOX, tuple(level), tuple(upright))


def word(text: str, x: float, y: float) -> Word:
    half = 3.0 * len(text)
    return Word(text, Box(x - half, y - 5, x + half, y + 5))


def left(*labels: tuple[str, float]) -> list[Word]:
    return [Word(text, Box(92 - 6 * len(text), y - 5, 92, y + 5)) for text, y in labels]


def bottom(*labels: tuple[str, float]) -> list[Word]:
    return [word(text, x, 322) for text, x in labels]


ANEW = left(("20", 30), ("10", 90), ("0", 150), ("5", 170), ("4", 230), ("3", 290))
THOUSANDS = left(  # in any order: text comes as it is found
    ("1,500", 195), ("4,000", 20), ("0", 300), ("500", 265), ("1,000", 230), ("3,500", 55), ("3,000", 90),
    ("2,500", 125), ("2,000", 160),
)  # fmt: skip
ON = left(("50", 30), ("40", 90), ("30", 150), ("20", 210), ("10", 270))


def test_a_column_whose_labels_begin_anew_is_parted_at_its_rule() -> None:
    assert abutting(BOX, outline((160,)), ANEW) == [Box(100, 10, 500, 160), Box(100, 160, 500, 310)]


@pytest.mark.parametrize(
    ("drawn", "words"),
    [
        (outline((160,)), ON),  # a limit across one plot
        (outline((195,)), THOUSANDS),  # a rule at a label of one scale
        (outline((160,), colour=(200, 200, 200)), ANEW),  # a grid line, in a paler tone than the frame
        (outline(), ANEW),  # no rule at all
        (outline((160,)), left(("50", 30), ("4", 90), ("20", 210), ("10", 270))),  # a misread label
    ],
)
def test_one_plot_stays_one(drawn: Outline, words: list[Word]) -> None:
    assert abutting(BOX, drawn, words) == [BOX]


ROW = bottom(("2000", 110), ("2010", 200), ("2020000", 300), ("2010", 400), ("2020", 488))
HALVES = [Box(100, 10, 300, 310), Box(300, 10, 500, 310)]


def test_a_row_whose_labels_repeat_is_parted_and_colliding_labels_are_lent() -> None:
    assert abutting(BOX, outline(columns=(300,)), ROW) == HALVES
    found = lend_labels([Panel(one, one) for one in HALVES], ROW)
    places = sorted((word.text, round(word.box.centre[0])) for word in found)
    assert places == [("2000", 110), ("2000", 310), ("2010", 200), ("2010", 400), ("2020", 288), ("2020", 488)]


def test_months_over_their_years_are_one_axis() -> None:
    months = bottom(("3", 130), ("6", 190), ("9", 250), ("3", 330), ("6", 390), ("9", 450))
    years = [word("2019", 200, 345), word("2020", 400, 345)]
    assert abutting(BOX, outline(columns=(300,)), [*months, *years]) == [BOX]
    assert abutting(BOX, outline(columns=(300,)), months) == HALVES


def test_plots_with_titles_over_them_may_each_name_their_axis() -> None:
    names = [word("Year", 200, 345), word("Year", 400, 345)]
    titles = [word("North", 200, 2), word("South", 400, 2)]
    assert abutting(BOX, outline(columns=(300,)), [*ROW, *names]) == [BOX]
    assert abutting(BOX, outline(columns=(300,)), [*ROW, *names, *titles]) == HALVES


def test_labels_of_one_axis_are_lent_to_none() -> None:
    words = bottom(("10", 110), ("20", 200), ("30", 300), ("40", 400))
    assert lend_labels([Panel(one, one) for one in HALVES], words) == words


def test_a_zero_line_does_not_hide_that_labels_begin_anew() -> None:
    """Residuals below their curve, with a rule at their zero, right through its label."""
    words = left(("30", 30), ("20", 70), ("10", 110), ("5", 180), ("0", 230), ("-5", 280))
    assert abutting(BOX, outline((160, 230)), words) == [Box(100, 10, 500, 160), Box(100, 160, 500, 310)]
