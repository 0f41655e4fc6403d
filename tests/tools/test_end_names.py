"""Names at the right ends of curves of one colour name them; a line of dashes in front of a name is no part of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.tools.shapes import panel_of
from tools.end_names import named_at_ends
from tools.names import split_at_samples
from tools.types import Axis, Box, Legend, LegendEntry, Mark, Panel, Series, Word

X, Y = Axis("bottom", "linear", 0.1, 0.0), Axis("left", "linear", -0.1, 10.0)


def panel() -> Panel:
    return panel_of(200, 300, X, Y)


def curve(end: float, name: str = "") -> Series:
    return Series(
        name, (0, 0, 0), "line", tuple(Mark("vertex", x, end + 300 - x) for x in (100.0, 200.0, 300.0)), "left"
    )


def word(text: str, x: float, y: float) -> Word:
    return Word(text, Box(x, y - 5, x + 7 * len(text), y + 5))


def test_the_words_beside_the_ends_name_the_curves_and_two_lines_of_one_name_are_joined() -> None:
    words = [word("Low", 305, 148), word("dose", 305, 160), word("High", 306, 62), word("note", 180, 60)]
    found = named_at_ends(panel(), [curve(60), curve(154)], words)
    assert [one.name for one in found] == ["High", "Low dose"]
    close = [word("Low", 305, 60), word("High", 305, 74)]  # nearer than lines of one name may be
    assert [one.name for one in named_at_ends(panel(), [curve(75), curve(60)], close)] == ["High", "Low"]


@pytest.mark.parametrize("other", [[], [word("Low", 306, 120)], [word("Low", 390, 154)]])
def test_curves_of_which_one_has_no_word_at_its_end_stay_nameless(other: list[Word]) -> None:
    words = [word("High", 306, 60), *other]
    assert [one.name for one in named_at_ends(panel(), [curve(60), curve(154)], words)] == ["", ""]


def test_a_legend_or_a_name_of_its_own_is_not_overruled() -> None:
    words = [word("High", 306, 60), word("Low", 306, 154)]
    named = [curve(60, "a"), curve(154)]
    assert named_at_ends(panel(), named, words) == named
    legend = Legend((LegendEntry("a", (0, 0, 0), "line", Box(0, 0, 9, 1)),))
    pair = [curve(60), curve(154)]
    assert named_at_ends(replace(panel(), legend=legend), pair, words) == pair


def test_a_dash_cut_to_a_square_belongs_to_the_sample() -> None:
    pixels = np.full((20, 60, 3), 255, dtype=np.float32)
    pixels[8:11, 2:10] = pixels[8:11, 12:15] = 0  # a dash, and what the end of the sample leaves of the next one
    for column in (22, 30, 38, 46):  # four letters
        pixels[4:14, column : column + 3] = pixels[8:10, column : column + 6] = 0
    (name,) = split_at_samples(pixels, Word("-- HHHH", Box(2, 4, 51, 13)))
    assert name.text == "HHHH"
    assert name.box.x0 == pytest.approx(22, abs=1)
