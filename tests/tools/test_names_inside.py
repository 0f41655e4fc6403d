"""Names printed inside the plot, letters on their own, and spaces that the recogniser left out."""

from __future__ import annotations

import io

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pytest
from PIL import Image

from tools.inside_labels import inside_categories
from tools.ocr import read_words
from tools.readings import read_numbers
from tools.text_labels import with_spaces
from tools.text_lone import is_column, lone_glyphs, stacked
from tools.types import Box, Word

PLOT = Box(100, 50, 500, 250)


def rows(texts: list[str], step: float = 50.0) -> list[Word]:
    return [Word(text, Box(106, 70 + step * i, 300, 80 + step * i)) for i, text in enumerate(texts)]


def test_names_at_the_foot_of_bars_are_categories_without_their_notes() -> None:
    words = rows(["Chile — 12 items", "Peru — 9 items", "Cuba — 7 items", "Haiti — 1 item"])
    axis = inside_categories(PLOT, words)
    assert axis is not None
    assert axis.categories == ("Chile", "Peru", "Cuba", "Haiti")
    assert axis.warnings == ("the names are printed inside the plot",)
    assert abs(float(axis.to_value(75.0))) < 1e-9


def test_notes_that_do_not_fill_the_plot_are_no_categories() -> None:
    assert inside_categories(PLOT, rows(["a note", "its second line"], 14.0)) is None


def test_a_gap_in_the_ink_is_a_space_but_not_within_a_number() -> None:
    ink = [Box(0, 0, 4, 9), Box(7, 0, 13, 9), Box(19, 0, 24, 9)]
    assert with_spaces("pH4", ink) == "pH 4"
    assert with_spaces("104", ink) == "104"


def test_a_letter_below_its_like_is_looked_at_once_more() -> None:
    mate, letter = Word("m", Box(40, 30, 46, 35)), Box(40, 48, 43, 55)
    (found,) = lone_glyphs([letter, Box(200, 200, 206, 206)], [mate])
    assert found.box == letter
    assert not found.proven


def test_numbers_that_their_format_rounded_have_a_second_reading() -> None:
    readings = read_numbers(["1.0e+5", "1.2c+5", "1.5e+5", "1.8e+5"]).readings
    assert [one[0].value for one in readings] == [1.0e5, 1.2e5, 1.5e5, 1.8e5]
    assert 1.25e5 in [round(option.value) for option in readings[1]]
    assert 1.75e5 in [round(option.value) for option in readings[3]]


@pytest.mark.parametrize("step", [40, -40])
def test_glyphs_in_even_steps_from_a_number_are_the_rest_of_its_column(step: int) -> None:
    number = Word("100", Box(48, 200, 71, 211))
    column = [Box(55, 200 + k * step, 71, 211 + k * step) for k in (1, 2, 3)]
    found = lone_glyphs([*column, Box(300, 90, 316, 101)], [number])
    assert sorted((one.box.y0, one.proven) for one in found) == sorted((box.y0, True) for box in column)
    uneven = [column[0], Box(55, 200 + 1.6 * step, 71, 211 + 1.6 * step), column[2]]
    assert not any(one.proven for one in lone_glyphs(uneven, [number]))


def test_two_places_in_even_steps_are_labels_where_one_has_several_digits() -> None:
    number = Word("1000000", Box(30, 50, 70, 56))
    two = [Box(36, 133, 70, 139), Box(66, 216, 70, 222)]
    assert sorted(one.box.y0 for one in lone_glyphs(two, [number]) if one.proven) == [133, 216]
    rings = [Box(64, 133, 70, 139), Box(64, 216, 70, 222)]
    assert not any(one.proven for one in lone_glyphs(rings, [number]))


def test_digits_above_each_other_are_no_number_that_runs_upwards() -> None:
    upright = [Box(463, 169, 465, 176), Box(462, 187, 467, 194)]
    assert is_column(Word("21", Box(462, 169, 467, 194), 90.0), upright)
    turned = [Box(20, 60, 27, 64), Box(20, 54, 27, 58)]
    assert not is_column(Word("25", Box(20, 54, 27, 64), 90.0), turned)


def test_two_letters_under_each_other_are_no_single_one() -> None:
    keys = [Box(9, 34, 26, 54), Box(11, 76, 25, 95)]
    assert stacked(Word("B", Box(9, 34, 26, 95)), keys[::-1]) == keys
    assert stacked(Word("AB", Box(9, 34, 26, 95), -90.0), keys) == keys
    assert stacked(Word("AB", Box(9, 34, 26, 95)), keys) == []
    assert stacked(Word("AB", Box(9, 34, 29, 73), 90.0), [Box(9, 34, 29, 52), Box(9, 56, 29, 73)]) == []
    assert stacked(Word("i", Box(10, 40, 13, 60)), [Box(10, 40, 13, 42), Box(10, 46, 13, 60)]) == []
    assert stacked(Word("B", keys[1]), keys[1:]) == []


@pytest.mark.parametrize("names", ["AB", "PQR"])
def test_legend_of_single_letters_is_read_where_the_detector_frames_them_together(names: str) -> None:
    figure = plt.figure(figsize=(6.4, 4.4), dpi=200)
    axes = figure.add_axes((0.08, 0.1, 0.9, 0.88))
    for k, name in enumerate(names):
        axes.step([0, 8, 16, 24], [1.0, 0.8 - 0.1 * k, 0.6 - 0.15 * k, 0.5 - 0.2 * k], label=name)
    axes.legend()
    drawn = io.BytesIO()
    figure.savefig(drawn, dpi=200)
    words = read_words(np.asarray(Image.open(drawn).convert("RGB")))
    plt.close(figure)
    assert set(names) <= {word.text for word in words}
