"""Lines of text that the detector cut short."""

from __future__ import annotations

import numpy as np
import pytest

from tools.text_ends import with_ends
from tools.types import Box, Floats


def letters(start: float, count: int, top: float = 30.0) -> list[Box]:
    """`count` letters of 6 x 10 px, two pixels apart."""
    return [Box(start + 8 * k, top, start + 8 * k + 5, top + 9) for k in range(count)]


def rectangle(x0: float, x1: float, y0: float = 27.0, y1: float = 42.0) -> Floats:
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def spans(quads: list[Floats]) -> list[tuple[float, float]]:
    return [(float(quad[:, 0].min()), float(quad[:, 0].max())) for quad in quads]


def turned(quads: list[Floats]) -> list[Floats]:
    return [quad[:, ::-1] for quad in quads]


@pytest.mark.parametrize("standing", [False, True])
def test_a_line_goes_on_over_the_letters_of_its_word_and_of_the_next_one(standing: bool) -> None:
    word = [*letters(100, 8), *letters(168, 4)]  # the detector saw five letters of eight; the next word saw none
    found, glyphs = [rectangle(97, 140)], word
    if standing:
        found, glyphs = turned(found), [Box(box.y0, box.x0, box.y1, box.x1) for box in word]
    (whole,) = with_ends(found, glyphs, [])
    (ends,) = spans(turned([whole]) if standing else [whole])
    assert ends == (97, 200)  # 197 and three tenths of a letter's height


def test_a_lone_glyph_after_a_space_is_a_marker_and_stays_outside() -> None:
    quads = [rectangle(97, 140)]
    same = with_ends(quads, [*letters(100, 5), *letters(144, 1)], [])
    assert same[0] is quads[0]
    twice = [one for one in (*letters(130, 1), *letters(130, 1), *letters(138, 3)) for _ in range(2)]
    digit = [rectangle(127, 138)]  # one digit, seen at two thresholds, and markers beside it
    assert with_ends(digit, twice, [])[0] is digit[0]
    far = with_ends(quads, [*letters(100, 5), *letters(160, 4)], [])  # two spaces away
    assert far[0] is quads[0]


def test_two_parts_of_a_word_that_meet_over_what_was_overlooked_are_one_line() -> None:
    quads = [rectangle(97, 116), rectangle(138, 158), rectangle(97, 158, 60, 75)]
    found = with_ends(quads, [*letters(100, 7), *letters(100, 7, 63)], [])
    assert sorted(spans(found)) == [(97, 158), (97, 158)]
    assert any(quad is quads[2] for quad in found)
