"""Strokes end at the labels beside them."""

import pytest

from tools.stroke_joining import clear_of
from tools.strokes import Direction, Stroke
from tools.types import Box, Word

LEFT = Word("2500", Box(22, 70, 42, 76))
RIGHT = Word("150000", Box(415, 70, 445, 76))


def _turned(box: Box) -> Box:
    return Box(box.y0, box.x0, box.y1, box.x1)


def _cut(direction: Direction, start: float, end: float, words: list[Word]) -> tuple[float, float]:
    if direction == "vertical":
        words = [Word(w.text, _turned(w.box)) for w in words]
    (one,) = clear_of([Stroke(direction, 72.8, start, end, 1.0, (230, 230, 230))], words)
    return one.start, one.end


@pytest.mark.parametrize("direction", ["horizontal", "vertical"])
def test_an_end_inside_a_label_is_cut_back_to_its_border(direction: Direction) -> None:
    assert _cut(direction, 32, 445, [LEFT, RIGHT]) == (43, 414)
    assert _cut(direction, 45, 411, [LEFT, RIGHT]) == (45, 411)


@pytest.mark.parametrize("direction", ["horizontal", "vertical"])
def test_lines_through_words_and_signs_that_are_no_words_keep_their_ends(direction: Direction) -> None:
    assert _cut(direction, 2, 460, [LEFT, RIGHT]) == (2, 460)  # runs through both
    assert _cut(direction, 32, 411, [Word("-", LEFT.box)]) == (32, 411)
    assert _cut(direction, 32, 411, [Word("2500", Box(22, 80, 42, 86))]) == (32, 411)  # another row
    assert _cut(direction, 32, 62, [LEFT]) == (32, 62)  # no longer than the word: its own underline
