"""Three translucent fills over each other: every overlap is told by the fills that it is made of."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from tools.translucent import overlaps_of
from tools.types import Floats

PAPER = np.array([255.0, 255.0, 255.0])
INKS = np.array([(31.0, 119.0, 180.0), (255.0, 127.0, 14.0), (44.0, 160.0, 44.0), (214.0, 39.0, 40.0)])


def drawn(opacity: float, paper: Floats = PAPER) -> tuple[Floats, list[tuple[int, ...]]]:
    """The colours (k, 3) of all overlaps of up to three of the inks, drawn in their order, rounded to whole levels."""
    members = [group for size in (1, 2, 3) for group in combinations(range(len(INKS)), size)]
    palette = np.tile(paper, (len(members), 1))
    for row, group in zip(palette, members, strict=True):
        for k in group:
            row[:] = row * (1 - opacity) + INKS[k] * opacity
    return np.round(palette), members


@pytest.mark.parametrize("opacity", [0.3, 0.5])
@pytest.mark.parametrize("paper", [255.0, 235.0])
def test_overlaps_of_two_and_three_fills(opacity: float, paper: float) -> None:
    palette, members = drawn(opacity, np.full(3, paper))
    found = overlaps_of(range(len(palette)), palette, np.full(3, paper), lambda a, b: True, range(4))
    assert found == {k: group for k, group in enumerate(members) if len(group) > 1}


def test_two_areas_of_one_colour_over_each_other_are_of_that_fill() -> None:
    palette, members = drawn(0.5)
    twice = np.round(palette[1] * 0.5 + INKS[1] * 0.5)
    both = np.vstack([palette, twice])
    found = overlaps_of(range(len(both)), both, PAPER, lambda a, b: True, range(4))
    assert found == {k: group for k, group in enumerate(members) if len(group) > 1} | {len(palette): (1,)}


def test_one_overlap_tells_nothing_of_what_the_others_let_through() -> None:
    palette, _ = drawn(0.5)
    assert overlaps_of([0, 1, 4], palette, PAPER, lambda a, b: True, ()) == {}


def test_shades_of_one_hue_are_no_overlaps() -> None:
    blues = PAPER - np.outer(np.arange(1.0, 7.0), [36.0, 20.0, 4.0])
    assert overlaps_of(range(6), blues, PAPER, lambda a, b: True, ()) == {}


def test_colours_that_lie_apart_are_no_overlaps() -> None:
    palette, _ = drawn(0.5)
    assert overlaps_of(range(len(palette)), palette, PAPER, lambda a, b: False, range(4)) == {}


def test_an_opaque_rim_of_the_hue_of_a_fill_is_not_taken_for_that_fill() -> None:
    rim, both, orange, blue, under = (31, 119, 180), (199, 157, 115), (255, 191, 134), (143, 187, 217), (143, 123, 97)
    palette = np.array([rim, both, orange, blue, under], dtype=np.float64)
    assert overlaps_of(range(5), palette, PAPER, lambda a, b: True, {0}) == {1: (2, 3), 4: (0, 2)}
