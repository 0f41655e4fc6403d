"""One power of ten and its minor ticks are a logarithmic axis; other ticks are none."""

from __future__ import annotations

import numpy as np
import pytest

from tools.decades import by_minor_ticks
from tools.ladders import Ladder, place
from tools.seating import Rails
from tools.types import Box, Floats, Word

PLOT = Box(100.0, 50.0, 700.0, 450.0)
DIGITS = np.log10(np.arange(1, 10))


def ladder(side: str, pixel: float, text: str) -> Ladder:
    box = Box(pixel - 12, 460, pixel + 12, 474) if side == "bottom" else Box(70, pixel - 7, 94, pixel + 7)
    return Ladder(side, (place(Word(text, box), PLOT, side),))  # type: ignore[arg-type]


def rails(pixels: Floats) -> tuple[Rails, ...]:
    return (Rails("tick", pixels, np.ones(len(pixels))),)


@pytest.mark.parametrize("text", ["10^1", "101", "10"])
@pytest.mark.parametrize("hidden", [None, 4, 11])
def test_the_length_of_a_decade(text: str, hidden: int | None) -> None:
    at = 100 + 360 * np.concatenate([DIGITS, 1 + DIGITS])  # 1 to 90; 10 stands at 460
    ticks = np.delete(at, hidden) if hidden is not None else at
    axis = by_minor_ticks(PLOT, ladder("bottom", 462.0, text), rails(np.round(ticks[ticks < 700])))
    assert axis is not None
    assert (axis.scale, axis.confidence) == ("log", "low")
    np.testing.assert_allclose(axis.to_value([100.0, 460.0, 640.0]), [1.0, 10.0, 10**1.5], rtol=0.01)


def test_values_grow_upwards_on_the_left() -> None:
    ticks = 450 - 250 * np.concatenate([DIGITS, 1 + DIGITS])
    axis = by_minor_ticks(PLOT, ladder("left", 200.0, "0.1"), rails(ticks[ticks > 50]))
    assert axis is not None
    np.testing.assert_allclose(axis.to_value([450.0, 200.0]), [0.01, 0.1], rtol=0.01)


@pytest.mark.parametrize("ticks", [np.arange(100.0, 701.0, 50.0), np.array([100.0, 460.0])])
def test_even_or_few_ticks_are_no_logarithm(ticks: Floats) -> None:
    assert by_minor_ticks(PLOT, ladder("bottom", 460.0, "10^1"), rails(ticks)) is None


def test_two_powers_are_for_the_other_readers() -> None:
    two = ladder("bottom", 460.0, "10^1").labels + ladder("bottom", 100.0, "10^0").labels
    ticks = 100 + 360 * np.concatenate([DIGITS, 1 + DIGITS])
    assert by_minor_ticks(PLOT, Ladder("bottom", two), rails(ticks[ticks < 700])) is None
