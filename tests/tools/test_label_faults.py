"""Labels that OCR spoils: tick marks read as glyphs, rows that run together, months of one name; strokes and edges."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tools.axis_fit import fit_numbers
from tools.categories import fit_categories
from tools.label_split import label_texts, split_rows
from tools.ladders import find_ladders
from tools.legend_places import assign_legends
from tools.names import is_glyph, split_at_samples
from tools.ocr import _rejoined
from tools.readings import mixed_powers, read_dates, read_numbers
from tools.rounding import settled
from tools.seating import Rails, edge_rails
from tools.sharing import borrow
from tools.strokes import find_grid
from tools.types import Anchor, Axis, Box, Figure, Legend, LegendEntry, Panel, Word, moment

PLOT = Box(60, 10, 260, 110)
AT = (("Lake", 30.0), ("Coast", 60.0))


def words_left(texts: dict[str, tuple[float, float]]) -> list[Word]:
    """Words of 7 px height: text -> (right end, middle)."""
    return [Word(t, Box(x - 6 * len(t), y - 3, x, y + 3)) for t, (x, y) in texts.items()]


def test_tick_marks_read_with_the_numbers_of_a_column_are_cut_off() -> None:
    words = words_left({"30": (50, 20), "25-": (58, 50), "20": (50, 80), "01": (57, 110)})
    (column,) = find_ladders(PLOT, words, "left")
    assert column.texts == ("30", "25", "20", "0")
    assert {label.box.x1 for label in column.labels} == {50}


def test_numbers_that_end_in_a_dash_or_a_one_by_themselves_stay() -> None:
    words = words_left({"11": (50, 20), "21": (50, 50), "31": (50, 80), "5-": (50, 110)})
    (column,) = find_ladders(PLOT, words, "left")
    assert column.texts == ("11", "21", "31", "5-")


def test_a_row_of_one_stroke_over_and_over_is_no_row_of_labels() -> None:
    ticks = [Word("1", Box(x, 112, x + 1, 117)) for x in (80, 120, 160, 200)]
    labels = [Word(t, Box(x - 3, 120, x + 4, 127)) for t, x in zip("2468", (80, 120, 160, 200), strict=True)]
    assert [row.texts for row in find_ladders(PLOT, [*ticks, *labels], "bottom")] == [("2", "4", "6", "8")]


def test_days_of_a_month_that_is_also_an_english_word_are_dates() -> None:
    (dates, *_) = read_dates(["5 set", "12 set", "19set", "26 set"])
    days = [one[0].value for one in dates.readings]
    assert [(moment(day).month, moment(day).day) for day in days] == [(9, 5), (9, 12), (9, 19), (9, 26)]
    assert not read_dates(["a set", "b set", "c set"])


def test_a_raised_zero_read_as_an_eight_is_offered_as_a_zero() -> None:
    assert {one.value for one in mixed_powers(["10^1", "10^8", "10^1", "10-2"])[1]} >= {1.0, 1e8}


def drawn_row(texts: list[str], starts: list[int], width: int) -> tuple[np.ndarray, Word]:
    pixels = np.full((30, starts[-1] + width + 20, 3), 255, np.uint8)
    for text, x in zip(texts, starts, strict=True):
        cv2.putText(pixels, text, (x, 20), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (0, 0, 0), 1, cv2.LINE_AA)
    columns = np.flatnonzero((pixels < 128).any(axis=(0, 2)))
    return pixels, Word("".join(texts), Box(float(columns[0]), 11.0, float(columns[-1]), 20.0))


def test_months_of_a_year_that_run_together_are_split_and_of_one_width() -> None:
    texts = ["2014-11", "2014-12", "2015-01", "2015-02"]
    starts = [10, 64, 112, 168]  # the second and the third touch
    pixels, word = drawn_row(texts, starts, 52)
    labels = split_rows(pixels, [word])
    assert [label.text for label in labels] == texts
    assert np.ptp([label.box.width for label in labels]) <= 6
    assert [label.box.x0 for label in labels] == pytest.approx([label + 1 for label in starts], abs=4)


def test_two_parts_of_a_row_that_overlap_are_one_though_one_holds_a_glyph_above() -> None:
    left = Word("2014-11 2014-12 20", Box(60, 281, 200, 303))
    right = Word("14-12 2015-01", Box(140, 292, 260, 303))
    (whole,) = _rejoined([right, left])
    assert whole.text.replace(" ", "") == "2014-112014-122015-01"
    assert (whole.box.y0, whole.box.y1) == (292, 303)


def test_the_edge_of_a_plot_gives_way_to_grid_lines_that_agree() -> None:
    """Grid at 20, 40, 60, 80 for 4 to 1; the background ends at 98.9, a pixel before the place of 0."""
    words = words_left({"4": (50, 20), "3": (50, 40), "2": (50, 60), "1": (50, 80), "0": (50, 100)})
    (column,) = find_ladders(Box(60, 10, 260, 98.9), words, "left")
    grid = Rails("grid", np.array([20.0, 40.0, 60.0, 80.0]), np.ones(4))
    axis = fit_numbers(column, read_numbers(column.texts), [grid, edge_rails(10.0, 98.9)], 89)
    assert isinstance(axis, Axis)
    assert axis.to_value(100.0) == pytest.approx(0.0, abs=1e-6)


def linear(pixels: list[float], seats: list[str], side: str = "left") -> Axis:
    values = np.arange(len(pixels), dtype=float)
    slope, intercept = np.polyfit(pixels, values, 1)
    residual = float(np.sqrt(np.mean(((values - intercept) / slope - np.array(pixels)) ** 2)))
    anchors = tuple(Anchor(p, float(v), f"{v:g}", s) for p, v, s in zip(pixels, values, seats, strict=True))  # type: ignore[arg-type]
    return Axis(side, "linear", float(slope), float(intercept), anchors, residual, confidence="high")  # type: ignore[arg-type]


def test_rounded_grid_lines_are_bounds_but_the_edge_of_a_plot_is_none() -> None:
    seats = ["grid"] * 4
    axis = linear([40.5, 89.5, 138.5, 188.5], seats)
    with_edge = linear([40.5, 89.5, 138.5, 188.5, 237.0], [*seats, "spine"])
    (plain,), (edged,) = (settled([Panel(PLOT, PLOT, axes=(one,))]) for one in (axis, with_edge))
    assert edged.axes[0].to_pixel(4) == pytest.approx(float(plain.axes[0].to_pixel(4)), abs=0.05)


@pytest.mark.parametrize("shift", [-5.0, 0.0, 1.4, 6.0])
def test_a_borrowed_axis_moves_with_the_strokes_of_the_panel(shift: float) -> None:
    home, lender = Box(100, 10, 180, 130), Box(10, 10, 90, 130)
    axis = linear([20.0, 45.0, 70.0, 95.0, 120.0], ["tick"] * 5)
    own = Rails("tick", np.array([20.0, 45.0, 70.0, 95.0, 120.0]) + shift, np.ones(5))
    lent = borrow([Panel(lender, lender), Panel(home, home)], 1, "left", [{"left": axis}, {}], [own], [])
    assert isinstance(lent, Axis)
    assert lent.to_pixel(0) == pytest.approx(20 + shift, abs=1e-6)
    assert lent.confidence == "high"


def test_a_borrowed_axis_may_come_from_a_plot_that_was_found_too_small_where_every_anchor_meets_a_stroke() -> None:
    home, lender = Box(100, 10, 180, 130), Box(10, 35, 90, 130)
    axis = linear([45.0, 70.0, 95.0, 130.0 - 10], ["grid"] * 4)
    own = Rails("grid", np.array([20.0, 45.0, 70.0, 95.0, 120.0]), np.ones(5))
    lent = borrow([Panel(lender, lender), Panel(home, home)], 1, "left", [{"left": axis}, {}], [own], [])
    assert isinstance(lent, Axis)
    assert lent.to_pixel(1) == pytest.approx(70)
    other = Rails("grid", np.array([28.0, 53.0, 85.0, 105.0]), np.ones(4))
    assert not borrow([Panel(lender, lender), Panel(home, home)], 1, "left", [{"left": axis}, {}], [other], [])


def test_grid_lines_are_seen_on_paper_that_is_less_than_half_of_the_plot() -> None:
    pixels = np.full((220, 320, 3), 255, np.uint8)
    pixels[[40, 80, 120, 160, 200]] = 226
    for x in range(20, 300):
        pixels[60 + abs(x - 100) // 3 : 215, x] = (68, 114, 196)
    lines = find_grid(Figure(pixels), Box(10, 10, 310, 215), "horizontal")
    assert [round(line.pixel) for line in lines][:2] == [40, 80]


def test_years_that_run_together_are_split() -> None:
    assert label_texts("20122013 2014") == ["2012", "2013", "2014"]
    assert label_texts("2012 2013") == ["2012 2013"]
    assert label_texts("2012 2013 2016") != ["20", "12", "20", "13", "20", "16"]


def test_names_that_count_on_get_their_letter_back() -> None:
    words = [
        Word(t, Box(x - 8, 115, x + 8, 123))
        for t, x in zip(["2", "Q3", "Q4", "05", "Q6"], range(70, 270, 40), strict=True)
    ]
    (row,) = find_ladders(PLOT, words, "bottom")
    axis = fit_categories(row, (), [])
    assert isinstance(axis, Axis)
    assert axis.categories == ("Q2", "Q3", "Q4", "Q5", "Q6")
    assert not read_numbers(row.texts).readings[1]


def test_words_beyond_a_plot_with_samples_in_it_are_names_of_line_ends_and_no_legend() -> None:
    panel = Panel(PLOT, PLOT)
    at_end = [LegendEntry(n, (200, 0, 0), "line", Box(240, y, 258, y + 8), Box(264, y, 300, y + 8)) for n, y in AT]
    inside = [LegendEntry(n, (200, 0, 0), "line", Box(190, y, 210, y + 8), Box(215, y, 250, y + 8)) for n, y in AT]
    pixels = np.full((150, 320, 3), 255, np.float32)
    (none,), (found,) = (
        assign_legends([Legend(tuple(e), Box(190, 30, 250, 70))], [panel], pixels) for e in (at_end, inside)
    )
    assert not none.entries
    assert len(found.entries) == 2


@pytest.mark.parametrize("text", ["Frauen", "PEDOT", "moss"])
def test_the_first_letter_of_a_name_is_no_sample(text: str) -> None:
    for size in (0.35, 0.4, 0.5):
        pixels = np.full((40, 120, 3), 255, np.uint8)
        cv2.putText(pixels, text, (10, 25), cv2.FONT_HERSHEY_SIMPLEX, size, (90, 90, 90), 1, cv2.LINE_AA)
        rows, columns = (np.flatnonzero((pixels < 200).any(axis=axis)) for axis in ((1, 2), (0, 2)))
        word = Word(text, Box(float(columns[0]), float(rows[0]), float(columns[-1]), float(rows[-1])))
        assert split_at_samples(pixels.astype(np.float32), word) == [word]


@pytest.mark.parametrize("closed", [True, False])
def test_an_open_square_before_a_name_is_a_sample(closed: bool) -> None:
    """A square in outline was read as part of the name; without one side it may be a letter."""
    pixels = np.full((40, 120, 3), 255, np.float32)
    pixels[10:24, 10:24] = 0
    pixels[11:23, 11:23] = 255
    if not closed:
        pixels[11:23, 23] = 255
    for n in range(9):
        pixels[12:24, 30 + 7 * n] = pixels[18, 30 + 7 * n : 34 + 7 * n] = 0
    (name,) = split_at_samples(pixels, Word("Hi ghlands", Box(10, 10, 89, 23)))
    assert name.text == "Hi ghlands"
    assert name.box.x0 == (30 if closed else 10)


def test_an_open_triangle_read_as_a_letter_with_an_exponent_is_a_marker() -> None:
    pixels = np.full((120, 300, 3), 255, np.float32)
    panel = [Panel(PLOT, PLOT)]
    assert is_glyph(pixels, Word("V^7", Box(100, 50, 108, 57)), panel)
    assert not is_glyph(pixels, Word("R^2", Box(100, 50, 114, 58)), panel)


def test_labels_without_strokes_are_sure_on_a_long_axis_only() -> None:
    for step, confidence in ((30, "low"), (80, "high")):
        words = words_left({str(value): (50, 20 + step * (4 - value)) for value in range(5)})
        plot = Box(60, 10, 260, 30 + 4 * step)
        (column,) = find_ladders(plot, words, "left")
        axis = fit_numbers(column, read_numbers(column.texts), [], plot.height)
        assert isinstance(axis, Axis)
        assert axis.confidence == confidence


def test_one_stroke_that_all_other_labels_lie_beside_does_not_draw_the_scale_towards_itself() -> None:
    """Grid at 20, 40, 60 for 6 to 4, labels at 80 to 120 as well; the tick of 0 is a glyph's, two pixels off."""
    words = words_left({str(6 - k): (50, 20 + 20 * k) for k in range(7)})
    (column,) = find_ladders(Box(60, 10, 260, 150), words, "left")
    strokes = [Rails("tick", np.array([138.0]), np.ones(1)), Rails("grid", np.array([20.0, 40.0, 60.0]), np.ones(3))]
    axis = fit_numbers(column, read_numbers(column.texts), [*strokes, edge_rails(10.0, 150.0)], 140)
    assert isinstance(axis, Axis)
    assert axis.to_value(140.0) == pytest.approx(0.0, abs=0.02)


def test_dates_in_a_row_are_told_by_months_of_any_language() -> None:
    assert label_texts("ene 2014 mar 2014") == ["ene 2014", "mar 2014"]
    assert label_texts("06 ago 13 ago 20 ago") == ["06 ago", "13 ago", "20 ago"]
    assert label_texts("May 2014 cohort 2") == ["May 2014 cohort 2"]


@pytest.mark.parametrize(
    ("texts", "even", "scale"),
    [
        (("0 h", "6 h", "12 h", "24 h"), True, ""),
        (("0", "6", "12", "24"), True, ""),
        (("0", "20", "40", "80"), True, "linear"),  # a 6 misread
        (("0 h", "6 h", "12 h", "24 h"), False, "linear"),  # where 24 h belongs
        (("0 h", "6 h", "12 h", "72 h"), True, "linear"),  # a 1 misread
        (("1 h", "10 h", "100 h", "1000 h"), True, "log"),
    ],
)
def test_numbers_whose_last_step_is_longer_at_even_places_are_names(
    texts: tuple[str, ...], even: bool, scale: str
) -> None:
    places = np.array((90.0, 130.0, 170.0, 210.0 if even else 250.0))
    words = [Word(t, Box(x - 3 * len(t), 120, x + 3 * len(t), 127)) for t, x in zip(texts, places, strict=True)]
    (row,) = find_ladders(PLOT, words, "bottom")
    axis = fit_numbers(row, read_numbers(row.texts), [Rails("tick", places, np.ones(4))], PLOT.width)
    assert (axis.scale if isinstance(axis, Axis) else "") == scale
