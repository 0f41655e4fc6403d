"""The redraw check: what is explained, what is left, and that an overlay shows the marks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tools.ink import Layer, PlotInk
from tools.redraw import compare, overlay, radius_of, unexplained
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


def box_marks(middle: float, rows: tuple[float, float, float, float, float], lying: bool) -> list[Mark]:
    """Marks of a box 20 px wide; `rows`: the five numbers along the value axis, low ones first."""
    sides = Box(middle - 10, min(rows[1], rows[3]), middle + 10, max(rows[1], rows[3]))
    if lying:
        sides = Box(sides.y0, sides.x0, sides.y1, sides.x1)
    parts = ("whisker_low", "q1", "median", "q3", "whisker_high")
    return [
        Mark(part, row, middle, sides) if lying else Mark(part, middle, row, sides)  # type: ignore[arg-type]
        for part, row in zip(parts, rows, strict=True)
    ]


def boxes_drawn(rows: tuple[int, int, int, int, int], lying: bool) -> NDArray[np.float32]:
    """A box around column 40 of the figure, with whiskers and narrow caps, in the crop."""
    plane = blank().astype(np.float32)
    low, q1, median, q3, high = (row - 10 for row in rows)
    plane[high : q3 + 1, 30] = plane[q1 : low + 1, 30] = 1.0
    plane[q3 : q1 + 1, [20, 40]] = 1.0
    for row, reach in ((q1, 10), (median, 10), (q3, 10), (low, 5), (high, 5)):
        plane[row, 30 - reach : 31 + reach] = 1.0
    return plane.T.copy() if lying else plane


@pytest.mark.parametrize("lying", [False, True])
def test_boxes_explain_their_strokes_and_caps(lying: bool) -> None:
    rows = (80, 65, 55, 40, 20)
    plane = boxes_drawn(rows, lying)
    marks = box_marks(40.0, tuple(float(row) for row in rows), lying)  # type: ignore[arg-type]
    one = replace(series("box", *marks), orientation="horizontal" if lying else "vertical")
    found = compare(PANEL, ink_of(plane), [one])
    assert found.explained == 1.0
    assert found.supported == 1.0
    assert unexplained(PANEL, ink_of(plane), [one]) == [0.0]


def test_a_box_read_elsewhere_leaves_ink_and_has_no_support() -> None:
    plane = boxes_drawn((80, 65, 55, 40, 20), False)
    wrong = series("box", *box_marks(75.0, (80.0, 65.0, 55.0, 40.0, 20.0), False))
    found = compare(PANEL, ink_of(plane), [wrong])
    assert found.explained == 0.0
    assert found.supported == 0.0


def test_quartiles_read_too_far_apart_have_no_sides() -> None:
    plane = boxes_drawn((80, 60, 55, 50, 20), False)
    wide = series("box", *box_marks(40.0, (80.0, 75.0, 55.0, 25.0, 20.0), False))
    assert compare(PANEL, ink_of(plane), [wide]).supported < 0.7


def test_outliers_explain_their_markers() -> None:
    plane = boxes_drawn((80, 65, 55, 40, 20), False)
    plane[2:5, 29:32] = 1.0
    box = box_marks(40.0, (80.0, 65.0, 55.0, 40.0, 20.0), False)
    assert unexplained(PANEL, ink_of(plane), [series("box", *box)])[0] > 0.03
    assert unexplained(PANEL, ink_of(plane), [series("box", *box, Mark("outlier", 40, 13))]) == [0.0]


@pytest.mark.parametrize("radius", [4, 12])
def test_large_markers_explain_all_of_their_ink(radius: int) -> None:
    rows, columns = np.indices((80, 80))
    disc = np.hypot(rows - 40, columns - 40) <= radius
    ink = ink_of(disc)
    one = series("points", Mark("marker", 50, 50))
    assert unexplained(PANEL, ink, [one]) == [0.0]
    assert radius_of(ink, one) == pytest.approx(radius, abs=1.5)


@pytest.mark.parametrize("width", [3, 11])
def test_thick_strokes_explain_all_of_their_ink(width: int) -> None:
    drawn = blank()
    drawn[40 - width // 2 : 41 + width // 2, 5:75] = True
    one = series("line", Mark("vertex", 15, 50), Mark("vertex", 84, 50))
    assert compare(PANEL, ink_of(drawn), [one]).explained > 0.97


@pytest.mark.parametrize("across", [False, True])
def test_a_shaded_span_is_not_left_over(across: bool) -> None:
    curve, shade = blank(), blank()
    curve[40, 5:75] = True
    shade[:, 20:35] = True
    shade[:60, 60:70] = True  # too short for a span
    spans = [shade.copy(), shade]
    spans[0][:, 60:70] = False
    for mask, left in zip(spans, (0.0, 1.0), strict=True):
        ink = ink_of(curve, mask.T if across else mask)
        grey = replace(ink.layers[1], colour=(229, 229, 229))
        ink = replace(ink, layers=(ink.layers[0], grey))
        one = series("line", Mark("vertex", 15, 50), Mark("vertex", 84, 50))
        assert unexplained(PANEL, ink, [one])[1] == pytest.approx(left, abs=0.2)
