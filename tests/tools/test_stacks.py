"""Stacked bars with known segments: order, seams, missing segments, full stacks, sideways."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tools.barplots import BLUE, GREEN, RED, categories, layer, plot, rectangles, values
from tools.bars import looks_like_bars, read_bars
from tools.rectangles import Rectangle
from tools.stacks import close_seams, find_slots
from tools.types import Axis, Floats, Series

SIZE = (120, 200)
NAMES = ("a", "b", "c", "d")
SEGMENTS = {"low": [20.0, 35.5, 10.0, 25.0], "middle": [30.25, 0.0, 40.0, 15.0], "high": [15.0, 40.0, 8.75, 50.0]}
COLOURS = {"low": BLUE, "middle": RED, "high": GREEN}


def stacked(gap: float = 0.0) -> list[tuple[str, list[tuple[float, float, float, float]]]]:
    """Boxes per ink of stacks 24 px wide every 40 px on row 110.5; `gap` px are left between segments."""
    base = np.full(4, 110.5)
    boxes = []
    for name, sizes in SEGMENTS.items():
        boxes.append((name, [
            (18 + 40.0 * i, base[i] - size + gap / 2, 42 + 40.0 * i, base[i] - gap / 2 * (name != "low"))
            for i, size in enumerate(sizes) if size
        ]))  # fmt: skip
        base = base - np.array(sizes)
    return boxes


def sizes(axis: Axis, one: Series) -> Floats:
    horizontal = one.orientation == "horizontal"
    ends = [axis.to_value([m.box.x0, m.box.x1] if horizontal else [m.box.y0, m.box.y1]) for m in one.marks if m.box]
    return np.array([abs(b - a) for a, b in ends])


@pytest.mark.parametrize("gap", [0.0, 1.0])
def test_every_segment_has_its_own_size(gap: float) -> None:
    layers = [layer(rectangles(SIZE, boxes), COLOURS[name], name) for name, boxes in stacked(gap)]
    axis = values("left", 110.5, 1.0)
    panel, ink = plot(layers, [axis, categories("bottom", 30, 40, NAMES)])
    found = {one.name: one for one in read_bars(panel, ink, layers)}
    for name, true in SEGMENTS.items():
        assert found[name].kind == "stack"
        assert all(m.part == "segment" for m in found[name].marks)
        assert sizes(axis, found[name]) == pytest.approx(true, abs=0.15 + gap / 2)
        assert looks_like_bars(panel, ink, next(one for one in layers if one.name == name)) > 0.8


def test_stacks_to_the_right() -> None:
    layers = [
        layer(np.ascontiguousarray(rectangles(SIZE, boxes).T[:, ::-1]), COLOURS[name], name)
        for name, boxes in stacked()
    ]
    axis = values("bottom", 8.5, 1.0)  # row 110.5 of 120 became column 8.5
    panel, ink = plot(layers, [axis, categories("left", 30, 40, NAMES)])
    found = {one.name: one for one in read_bars(panel, ink, layers)}
    for name, true in SEGMENTS.items():
        assert found[name].orientation == "horizontal"
        assert sizes(axis, found[name]) == pytest.approx(true, abs=0.15)


def test_words_in_segments_on_an_axis_of_years_give_no_narrower_bars() -> None:
    layers = []
    for name, boxes in stacked():
        coverage = rectangles(SIZE, boxes)
        for left, top, right, bottom in boxes:
            if bottom - top > 12:  # a word over the middle third of the bar
                middle = round((top + bottom) / 2)
                coverage[middle - 4 : middle + 5, round(left + 8) : round(right - 7)] = 0
        layers.append(layer(coverage, COLOURS[name], name))
    years = Axis("bottom", "linear", 5 / 40, 2010 - 30 * 5 / 40)
    panel, ink = plot(layers, [values("left", 110.5, 1.0), years])
    for one in read_bars(panel, ink, layers):
        assert years.to_value([mark.x for mark in one.marks]) == pytest.approx([2010, 2015, 2020, 2025], abs=0.05)


def test_a_missing_segment_has_no_height_at_its_place() -> None:
    layers = [layer(rectangles(SIZE, boxes), COLOURS[name], name) for name, boxes in stacked()]
    panel, ink = plot(layers, [values("left", 110.5, 1.0), categories("bottom", 30, 40, NAMES)])
    found = {one.name: one for one in read_bars(panel, ink, layers)}
    missing = found["middle"].marks[1]
    assert missing.box is not None
    assert missing.box.height == pytest.approx(0.0, abs=0.05)
    assert missing.y == pytest.approx(110.5 - 35.5, abs=0.1)


def test_stacks_to_a_hundred_percent_are_told_apart() -> None:
    shares = [30.0, 55.0, 80.0, 10.0]
    low = [(18 + 40.0 * i, 110.5 - s, 42 + 40.0 * i, 110.5) for i, s in enumerate(shares)]
    high = [(18 + 40.0 * i, 10.5, 42 + 40.0 * i, 110.5 - s) for i, s in enumerate(shares)]
    layers = [layer(rectangles(SIZE, low), BLUE, "yes"), layer(rectangles(SIZE, high), RED, "no")]
    axis = values("left", 110.5, 1.0)
    panel, ink = plot(layers, [axis, categories("bottom", 30, 40, NAMES)])
    found = {one.name: one for one in read_bars(panel, ink, layers)}
    assert sizes(axis, found["yes"]) == pytest.approx(shares, abs=0.1)
    assert sizes(axis, found["no"]) == pytest.approx([100 - s for s in shares], abs=0.1)


def test_slots_come_from_whole_segments() -> None:
    halves = [Rectangle(10, 16, 5, 20), Rectangle(22, 30, 5, 20)]
    whole = [Rectangle(10, 30, 20, 60), Rectangle(50, 70, 20, 60)]
    assert find_slots([halves, whole]) == [(10, 30), (50, 70)]


def test_seams_are_closed_to_their_middle() -> None:
    closed = close_seams([Rectangle(0, 10, 50, 90), Rectangle(0, 10, 20, 48), None])
    assert closed[0] is not None
    assert closed[1] is not None
    assert closed[0].top == closed[1].bottom == 49


def test_strokes_around_stacks_in_the_ink_of_a_segment_are_no_bars() -> None:
    drawn = dict(stacked())
    uprights = [(side - 1.5, 24.0, side + 1.5, 110.5) for i in range(4) for side in (18 + 40.0 * i, 42 + 40.0 * i)]
    layers = [layer(rectangles(SIZE, drawn[name]), COLOURS[name], name) for name in SEGMENTS]
    strokes = rectangles(SIZE, uprights) * (1 - np.max([one.coverage for one in layers], axis=0))
    layers[1] = layer(np.maximum(layers[1].coverage, strokes), RED, "middle")
    axis = values("left", 110.5, 1.0)
    panel, ink = plot(layers, [axis, categories("bottom", 30, 40, NAMES)])
    found = {one.name: one for one in read_bars(panel, ink, layers)}
    assert sizes(axis, found["low"]) == pytest.approx(SEGMENTS["low"], abs=0.2)
    assert sizes(axis, found["high"]) == pytest.approx(SEGMENTS["high"], abs=0.2)
