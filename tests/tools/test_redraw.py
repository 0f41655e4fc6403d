"""The redraw check: what is explained, what is left, and that an overlay shows the marks."""

from __future__ import annotations

import numpy as np
import pytest

from tools.ink import Layer, PlotInk
from tools.redraw import compare, overlay, unexplained
from tools.types import Box, Figure, Mark, Panel, Series, SeriesKind

PANEL = Panel(Box(0, 0, 99, 99), Box(10, 10, 89, 89))


def ink_of(*masks: np.ndarray) -> PlotInk:
    layers = tuple(Layer((0, 0, 0), mask.astype(np.float32), np.zeros_like(mask, dtype=bool)) for mask in masks)
    shape = masks[0].shape
    return PlotInk((10, 10), np.full((*shape, 3), 255, np.uint8), (255, 255, 255), np.zeros(shape, bool), layers)


def blank() -> np.ndarray:
    return np.zeros((80, 80), dtype=bool)


def series(kind: SeriesKind, *marks: Mark) -> Series:
    return Series("", (0, 0, 0), kind, marks)


@pytest.mark.parametrize("slope", [0.0, 0.5, -0.5])
def test_a_line_explains_its_own_ink(slope: float) -> None:
    drawn = blank()
    columns = np.arange(5, 75)
    drawn[np.round(40 + slope * (columns - 40)).astype(int), columns] = True
    marks = tuple(Mark("vertex", x + 10.0, 50 + slope * (x - 40)) for x in (5, 74))
    found = compare(PANEL, ink_of(drawn), [series("line", *marks)])
    assert found.explained == 1.0
    assert found.supported == 1.0
    assert found.agrees


def test_a_line_drawn_elsewhere_is_not_supported() -> None:
    drawn = blank()
    drawn[20, 5:75] = True
    found = compare(PANEL, ink_of(drawn), [series("line", Mark("vertex", 15, 70), Mark("vertex", 84, 70))])
    assert found.explained == 0.0
    assert found.supported == 0.0
    assert not found.agrees


def test_outlines_and_whiskers_belong_to_their_bar() -> None:
    fill, whisker, far = blank(), blank(), blank()
    fill[40:75, 20:40] = True
    whisker[25:40, 30] = True
    whisker[25, 26:35] = True
    far[10, 50:70] = True
    bar = Mark("bar", 40, 50, Box(30, 50, 49, 84))
    left = unexplained(PANEL, ink_of(fill, whisker, far), [series("bar", bar, Mark("high", 40, 35))])
    assert left == [0.0, 0.0, 1.0]


def test_ink_along_the_frame_is_the_frame() -> None:
    frame = blank()
    frame[-1, :] = True
    assert unexplained(PANEL, ink_of(frame), []) == [0.0]


def test_the_overlay_shows_the_marks_and_keeps_the_size() -> None:
    figure = Figure(np.full((100, 120, 3), 255, np.uint8))
    drawn = overlay(figure, [PANEL], [[series("line", Mark("vertex", 20, 50), Mark("vertex", 80, 50))]])
    assert drawn.shape == (100, 120, 3)
    red = drawn[50, 50]
    assert red[0] > red[2]
    assert (drawn[30, 50] == 255).all()
