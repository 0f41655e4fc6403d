"""Fills of a grey scan get colours of their own, and their greys come back."""

from __future__ import annotations

import numpy as np

from tools.tints import grey_again, hue, tinted, without_tints
from tools.types import Image


def bars(*levels: int) -> Image:
    """Touching bars 40 px wide of these greys on white, a black axis under them, 120 px high."""
    grey = np.full((120, 40 * len(levels) + 80), 255, np.uint8)
    for k, level in enumerate(levels):
        grey[20 + 10 * k : 110, 40 + 40 * k : 80 + 40 * k] = level
    grey[110:112] = 0
    return np.repeat(grey[..., None], 3, axis=2)


def test_greys_a_few_levels_apart_become_different_colours_of_the_same_brightness() -> None:
    pixels, found = tinted(bars(155, 162))
    assert found
    one, other = pixels[80, 60].astype(int), pixels[80, 100].astype(int)
    assert np.abs(one - other).max() > 60  # seven levels before
    assert np.abs(without_tints(pixels).astype(int) - bars(155, 162)).max() <= 1
    assert (pixels[5] == 255).all()  # paper
    assert (pixels[110] == 0).all()  # and strokes stay as they are


def test_the_soft_rim_of_a_fill_is_a_mixture_of_its_colour_and_the_paper() -> None:
    seen = bars(150)
    seen[19, 40:80] = 220  # a third of the way
    pixels, _ = tinted(seen)
    share = (255.0 - 220.0) / (255.0 - 150.0)
    assert np.abs(pixels[19, 60] - (255 + share * (hue(150.0, 0) - 255))).max() <= 1.5


def test_a_key_on_other_paper_has_the_colour_of_its_bars() -> None:
    seen = bars(150, 150, 150)
    seen[4:14, 4:16] = 156
    pixels, _ = tinted(seen)
    assert (pixels[9, 10] == pixels[80, 60]).all()


def test_pictures_of_many_greys_and_of_none_stay_as_they_are() -> None:
    assert not tinted(bars(40, 60, 80, 100, 120, 140, 160, 180, 200))[1]
    assert not tinted(bars())[1]
    assert grey_again("#828282") == "#828282"
