"""Stacks of which a grey scan left two keys of one tone."""

from __future__ import annotations

import numpy as np
import pytest

from tools.key_order import ORDERED, in_key_order
from tools.scans import GRAINED
from tools.types import Box, Figure, Image, Legend, LegendEntry, Panel, Word

PLOT = Box(40, 10, 239, 149)
HEIGHTS = ((30, 20, 40), (50, 10, 20), (25, 35, 30), (40, 15, 45))  # px of A, B and C from the base up
GREYS = (120, 180, 121)


def scan(greys: tuple[int, ...], lying: bool = False) -> tuple[Figure, list[Box]]:
    """Four stacks, each 30 px wide, on a grey picture, and the keys' boxes right of the plot."""
    pixels = np.full((160, 320, 3), 255, np.uint8)
    for number, heights in enumerate(HEIGHTS):
        row = 150
        for grey, height in zip(greys, heights, strict=True):
            pixels[row - height : row, 50 + 45 * number : 80 + 45 * number] = grey
            row -= height
    keys = [Box(260, 20 + 20 * n, 279, 31 + 20 * n) for n in range(3)]
    for grey, box in zip(greys, keys, strict=True):
        pixels[box.slices(160, 320)] = grey
    return Figure(pixels, "scan.png", warnings=(GRAINED,)), keys


def panel(greys: tuple[int, ...], keys: list[Box], order: int) -> Panel:
    entries = tuple(
        LegendEntry(name, (grey, grey, grey), "patch", box)
        for name, grey, box in zip("ABC", greys, keys, strict=True)
    )  # fmt: skip
    return Panel(Box(0, 0, 319, 159), PLOT, legend=Legend(entries[::order]))


def middle(pixels: Image, stack: int, part: int) -> tuple[int, ...]:
    row = 150 - sum(HEIGHTS[stack][:part]) - HEIGHTS[stack][part] // 2
    return tuple(int(v) for v in pixels[row, 65 + 45 * stack])


@pytest.mark.parametrize("order", [1, -1])
def test_two_keys_of_one_grey_are_told_by_their_order(order: int) -> None:
    figure, keys = scan(GREYS)
    found, (told,) = in_key_order(figure, [panel(GREYS, keys, order)], [])
    colours = {entry.name: entry.colour for entry in told.legend.entries}
    assert ORDERED in found.warnings
    assert len(set(colours.values())) == 3
    for stack in range(4):
        for part, name in enumerate("ABC"):
            assert np.abs(np.subtract(middle(found.pixels, stack, part), colours[name])).max() <= 2


def test_a_word_in_a_segment_is_filled_in() -> None:
    figure, keys = scan(GREYS)
    figure.pixels[130:138, 58:72] = 20
    word = Word("30", Box(58, 130, 71, 137))
    found, (told,) = in_key_order(figure, [panel(GREYS, keys, 1)], [word])
    assert np.abs(found.pixels[134, 65].astype(int) - told.legend.entries[0].colour).max() <= 2


def test_greys_that_level_tells_and_clean_figures_stay_as_they_are() -> None:
    far = (90, 150, 210)
    figure, keys = scan(far)
    assert ORDERED not in in_key_order(figure, [panel(far, keys, 1)], [])[0].warnings
    near, keys = scan(GREYS)
    clean, _ = in_key_order(Figure(near.pixels, "clean.png"), [panel(GREYS, keys, 1)], [])
    assert np.array_equal(clean.pixels, near.pixels)


def test_stacks_in_another_order_than_the_legend_stay_as_they_are() -> None:
    figure, keys = scan(GREYS)
    entries = panel(GREYS, keys, 1).legend.entries
    other = Panel(Box(0, 0, 319, 159), PLOT, legend=Legend((entries[0], entries[2], entries[1])))
    found, _ = in_key_order(figure, [other], [])
    assert ORDERED not in found.warnings
    assert np.array_equal(found.pixels, figure.pixels)
