"""Bars with known data: values at sub-pixel ends, groups, signs, outlines, what hides them, and what is no bar."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from tests.tools.barplots import BLUE, GREEN, RED, categories, dates, layer, plot, rectangles, values
from tools.bars import looks_like_bars, read_bars
from tools.types import Axis, Floats, Panel, Series, days

SIZE = (120, 200)
ABC = ("a", "b", "c", "d")


def read_values(panel: Panel, one: Series) -> Floats:
    axis = panel.axis(one.axis)
    assert axis is not None
    return axis.to_value([m.x if one.orientation == "horizontal" else m.y for m in one.marks])


def upright(heights: list[float], base: float = 110.5, left: float = 20.0) -> list[tuple[float, float, float, float]]:
    """Bars 20 px wide every 40 px; negative heights hang."""
    return [
        (left + 40 * i, min(base, base - h), left + 40 * i + 20, max(base, base - h)) for i, h in enumerate(heights)
    ]


def test_heights_are_read_to_a_fraction_of_a_pixel() -> None:
    heights = [90.3, 45.75, 12.5, 60.0]
    picture = layer(rectangles(SIZE, upright(heights)))
    panel, ink = plot([picture], [values("left", 110.5, 1.0), categories("bottom", 30, 40, ABC)])
    (found,) = read_bars(panel, ink, [picture])
    assert found.kind == "bar"
    assert found.orientation == "vertical"
    assert found.axis == "left"
    assert read_values(panel, found) == pytest.approx(heights, abs=0.06)
    assert [m.x for m in found.marks] == pytest.approx([30, 70, 110, 150], abs=0.06)
    box = found.marks[0].box
    assert box is not None
    assert (box.x0, box.x1) == pytest.approx((20.0, 40.0), abs=0.06)


@pytest.mark.parametrize("direction", ["right", "left"])
def test_horizontal_bars_run_from_top_to_bottom(direction: str) -> None:
    lengths = [100.25, 40.5, 75.0]
    boxes = [(20.5, 10.0 + 30 * i, 20.5 + length, 30.0 + 30 * i) for i, length in enumerate(lengths)]
    picture = rectangles((120, 160), boxes)
    axis = values("bottom", 20.5, 1.0)
    if direction == "left":
        picture, axis = picture[:, ::-1].copy(), Axis("bottom", "linear", -1.0, 138.5)
    one = layer(picture)
    panel, ink = plot([one], [axis, categories("left", 20, 30, ABC[:3])])
    (found,) = read_bars(panel, ink, [one])
    assert found.orientation == "horizontal"
    assert found.axis == "bottom"
    assert read_values(panel, found) == pytest.approx(lengths, abs=0.06)
    assert [m.y for m in found.marks] == pytest.approx([20, 50, 80], abs=0.06)


def test_negative_bars_hang_from_the_zero_line() -> None:
    heights = [40.0, -25.5, 10.25, -50.0]
    one = layer(rectangles(SIZE, upright(heights, base=60.5)))
    panel, ink = plot([one], [values("left", 60.5, 1.0), categories("bottom", 30, 40, ABC)])
    (found,) = read_bars(panel, ink, [one])
    assert read_values(panel, found) == pytest.approx(heights, abs=0.06)


def test_bars_of_an_axis_without_zero_start_where_they_are_drawn() -> None:
    one = layer(rectangles(SIZE, upright([20.0, 60.0, 35.0, 90.0])))
    axis = Axis("left", "linear", -1.0, 1110.5)  # 1000 at the base
    panel, ink = plot([one], [axis, categories("bottom", 30, 40, ABC)])
    (found,) = read_bars(panel, ink, [one])
    assert read_values(panel, found) == pytest.approx([1020, 1060, 1035, 1090], abs=0.06)


def test_grouped_bars_are_one_series_per_colour_with_zeros_in_their_groups() -> None:
    first = [(20 + 40 * i, 110.5 - h, 30 + 40 * i, 110.5) for i, h in enumerate([50, 30, 70, 20])]
    second = [(30 + 40 * i, 110.5 - h, 40 + 40 * i, 110.5) for i, h in enumerate([80, 15, 45])]
    layers = [layer(rectangles(SIZE, first), BLUE, "f"), layer(rectangles(SIZE, second), RED, "m")]
    panel, ink = plot(layers, [values("left", 110.5, 1.0), categories("bottom", 30, 40, ABC)])
    found = {one.name: one for one in read_bars(panel, ink, layers)}
    assert read_values(panel, found["f"]) == pytest.approx([50, 30, 70, 20], abs=0.1)
    assert read_values(panel, found["m"]) == pytest.approx([80, 15, 45, 0], abs=0.1)
    assert all(one.kind == "bar" for one in found.values())


def test_pieces_of_an_axis_line_of_the_colour_of_bars_are_none() -> None:
    first = [(10 + 40 * i, 110.5 - h, 25 + 40 * i, 110.5) for i, h in enumerate([50, 30, 70, 20])]
    second = [(25 + 40 * i, 110.5 - h, 40 + 40 * i, 110.5) for i, h in enumerate([80, 15, 45, 30])]
    gaps = [(-0.5, 109.0, 10.0, 110.5), *((40.0 + 40 * i, 109.0, 50.0 + 40 * i, 110.5) for i in range(4))]
    layers = [layer(rectangles(SIZE, first), BLUE, "f"), layer(rectangles(SIZE, [*second, *gaps]), RED, "m")]
    panel, ink = plot(layers, [values("left", 110.5, 1.0), categories("bottom", 25, 40, ABC)])
    found = {one.name: one for one in read_bars(panel, ink, layers)}
    assert len(found["m"].marks) == 4
    assert read_values(panel, found["f"]) == pytest.approx([50, 30, 70, 20], abs=0.1)
    assert read_values(panel, found["m"]) == pytest.approx([80, 15, 45, 30], abs=0.1)


def test_colours_without_names_that_share_no_category_are_one_series() -> None:
    boxes = upright([50.0, 30.0, 70.0, 20.0])
    layers = [layer(rectangles(SIZE, boxes[::2]), GREEN), layer(rectangles(SIZE, boxes[1::2]), RED)]
    panel, ink = plot(layers, [values("left", 110.5, 1.0), categories("bottom", 30, 40, ABC)])
    (found,) = read_bars(panel, ink, layers)
    assert read_values(panel, found) == pytest.approx([50, 30, 70, 20], abs=0.1)


def test_a_labelled_category_without_a_bar_gets_one_of_no_height() -> None:
    boxes = upright([50.0, 30.0, 70.0, 20.0])
    one = layer(rectangles(SIZE, [boxes[0], boxes[2], boxes[3]]))
    panel, ink = plot([one], [values("left", 110.5, 1.0), categories("bottom", 30, 40, ABC)])
    (found,) = read_bars(panel, ink, [one])
    assert read_values(panel, found) == pytest.approx([50, 0, 70, 20], abs=0.1)
    nameless, ink = plot([one], [values("left", 110.5, 1.0), categories("bottom", 30, 40, ("a", "", "c", "d"))])
    (found,) = read_bars(nameless, ink, [one])
    assert len(found.marks) == 3


@pytest.mark.parametrize("front", [30.0, 90.0])
def test_a_narrow_bar_before_a_wide_one_is_no_segment_of_it(front: float) -> None:
    wide = rectangles(
        SIZE, [(20.0 + 60 * i, 110.5 - h, 60.0 + 60 * i, 110.5) for i, h in enumerate((80.0, 60.0, 70.0))]
    )
    narrow = rectangles(SIZE, [(30.0 + 60 * i, 110.5 - front, 50.0 + 60 * i, 110.5) for i in range(3)])
    layers = [layer(np.where(narrow > 0.5, 0, wide).astype(np.float32), BLUE, "all"), layer(narrow, RED, "some")]
    panel, ink = plot(layers, [values("left", 110.5, 1.0), categories("bottom", 40, 60, ABC[:3])])
    every, some = read_bars(panel, ink, layers)
    assert (every.kind, some.kind) == ("bar", "bar")
    assert read_values(panel, some) == pytest.approx([front] * 3, abs=0.1)
    assert sorted({round(float(v)) for v in read_values(panel, every)}) == [60, 70, 80]


def test_dense_monthly_bars_keep_their_signs() -> None:
    true = [float(v) for v in 30 * np.sin(np.arange(48) * 0.7) + np.where(np.arange(48) % 2, 8, -8)]
    boxes = [(10 + 6.0 * i, 60.5 - max(v, 0), 15 + 6.0 * i, 60.5 - min(v, 0)) for i, v in enumerate(true)]
    one = layer(rectangles((120, 310), boxes))
    panel, ink = plot([one], [values("left", 60.5, 1.0), Axis("bottom", "linear", 1 / 6.0, -12.5 / 6.0)])
    (found,) = read_bars(panel, ink, [one])
    assert read_values(panel, found) == pytest.approx(true, abs=0.15)


def test_whiskers_over_bars_neither_raise_nor_cut_them() -> None:
    heights = [50.0, 30.0, 70.0, 20.0]
    bars = rectangles(SIZE, upright(heights))
    whiskers = rectangles(SIZE, [(29 + 40 * i, 100.5 - h, 31 + 40 * i, 120.5 - h) for i, h in enumerate(heights)])
    shown = (bars * (1 - whiskers)).astype(np.float32)
    layers = [layer(shown, BLUE, "bars", hidden=whiskers > 0.4), layer(whiskers, (0, 0, 0))]
    panel, ink = plot(layers, [values("left", 110.5, 1.0), categories("bottom", 30, 40, ABC)])
    (found,) = read_bars(panel, ink, layers[:1])
    assert read_values(panel, found) == pytest.approx(heights, abs=0.1)
    assert looks_like_bars(panel, ink, layers[0]) > 0.8
    assert looks_like_bars(panel, ink, layers[1]) < 0.5


def test_a_grid_line_across_bars_is_looked_through() -> None:
    heights = [90.0, 45.0, 12.0, 60.0]
    bars = rectangles(SIZE, upright(heights))
    bars[70] = 0
    one = layer(bars)
    panel, ink = plot([one], [values("left", 110.5, 1.0), categories("bottom", 30, 40, ABC)])
    pixels = ink.pixels.copy()
    pixels[70] = (150, 150, 150)
    neutral = np.zeros(SIZE, dtype=bool)
    neutral[70, ~(rectangles(SIZE, upright(heights))[70] > 0)] = True
    (found,) = read_bars(panel, replace(ink, pixels=pixels, neutral=neutral), [one])
    assert read_values(panel, found) == pytest.approx(heights, abs=0.1)


def test_an_end_under_a_line_is_between_what_is_seen() -> None:
    heights = [50.0, 30.0, 70.0, 20.0]
    bars = rectangles(SIZE, upright(heights))
    hidden = np.zeros(SIZE, dtype=bool)
    hidden[58:64] = True  # a thick line across the end of the first bar at 60.5
    bars[hidden] = 0
    one = layer(bars, hidden=hidden)
    panel, ink = plot([one], [values("left", 110.5, 1.0), categories("bottom", 30, 40, ABC)])
    (found,) = read_bars(panel, ink, [one])
    first = found.marks[0]
    assert first.bridged
    assert first.sigma > 1
    assert read_values(panel, found)[0] == pytest.approx(50.0, abs=3.1)
    assert read_values(panel, found)[1:] == pytest.approx(heights[1:], abs=0.1)


def test_the_value_of_an_outlined_bar_is_at_the_middle_of_its_stroke() -> None:
    heights = [60.0, 30.0, 80.0, 20.0]
    outer = [(a - 1, b - 1, c + 1, d + 1) for a, b, c, d in upright(heights)]
    inner = [(a + 1, b + 1, c - 1, d - 1) for a, b, c, d in upright(heights)]
    fill = rectangles(SIZE, inner)
    stroke = rectangles(SIZE, outer) - fill
    layers = [layer(fill, BLUE), layer(stroke.astype(np.float32), (0, 0, 0))]
    panel, ink = plot(layers, [values("left", 110.5, 1.0), categories("bottom", 30, 40, ABC)])
    (found,) = read_bars(panel, ink, layers[:1])
    assert read_values(panel, found) == pytest.approx(heights, abs=0.3)


def test_hollow_bars_are_read_from_their_outline() -> None:
    heights = [60.0, 30.0, 80.0, 40.0]
    outer = [(a - 1, b - 1, c + 1, d + 1) for a, b, c, d in upright(heights)]
    inner = [(a + 1, b + 1, c - 1, d - 1) for a, b, c, d in upright(heights)]
    one = layer((rectangles(SIZE, outer) - rectangles(SIZE, inner)).astype(np.float32), (0, 0, 0))
    panel, ink = plot([one], [values("left", 110.5, 1.0), categories("bottom", 30, 40, ABC)])
    assert looks_like_bars(panel, ink, one) > 0.8
    (found,) = read_bars(panel, ink, [one])
    assert read_values(panel, found) == pytest.approx(heights, abs=0.3)


def test_touching_bins_are_a_histogram_with_edges() -> None:
    counts = [5.0, 20.0, 60.0, 60.0, 30.0, 0.0, 10.0]
    boxes = [(20 + 22.5 * i, 110.5 - c, 42.5 + 22.5 * i, 110.5) for i, c in enumerate(counts)]
    one = layer(rectangles(SIZE, boxes))
    panel, ink = plot([one], [values("left", 110.5, 1.0), values("bottom", 20.0, 10.0)])
    (found,) = read_bars(panel, ink, [one])
    assert found.kind == "histogram"
    assert read_values(panel, found) == pytest.approx(counts, abs=0.15)
    assert panel.x is not None
    edges = panel.x.to_value([m.box.x0 for m in found.marks if m.box])
    assert edges == pytest.approx(2.25 * np.arange(7), abs=0.03)


def test_daily_bars_have_a_row_for_every_day_between_the_first_and_the_last() -> None:
    first = date(2020, 3, 1)
    counts = np.array([4, 0, 9, 30, 12, 12, 0, 0, 25, 3, 50, 8])
    boxes = [(16.0 + 12 * i - 5, 110.5 - c, 16.0 + 12 * i + 5, 110.5) for i, c in enumerate(counts) if c]
    one = layer(rectangles(SIZE, boxes))
    panel, ink = plot([one], [values("left", 110.5, 1.0), dates(first, 16.0, 12.0)])
    (found,) = read_bars(panel, ink, [one])
    assert panel.x is not None
    assert panel.x.to_value([m.x for m in found.marks]) == pytest.approx(days(first) + np.arange(12))
    assert read_values(panel, found) == pytest.approx(counts, abs=0.1)


def test_daily_bars_stand_on_their_own_grid_where_the_axis_is_a_little_off() -> None:
    first = date(2020, 3, 1)
    counts = np.array([4, 0, 9, 30, 12, 12, 0, 7, 25, 3, 50, 8] * 3)
    boxes = [(8.0 + 5 * i - 1.8, 110.5 - c, 8.0 + 5 * i + 1.8, 110.5) for i, c in enumerate(counts) if c]
    one = layer(rectangles(SIZE, boxes))
    middle = date(2020, 3, 18)  # right there, 0.3 of a day off at both ends
    panel, ink = plot([one], [values("left", 110.5, 1.0), dates(middle, 8.0 + 5 * 17, 5.0 * 1.018)])
    (found,) = read_bars(panel, ink, [one])
    assert len(found.marks) == len(counts)
    assert read_values(panel, found) == pytest.approx(counts, abs=0.1)
    assert panel.x is not None
    assert np.diff(panel.x.to_value([m.x for m in found.marks])) == pytest.approx(1.0)
    assert float(panel.x.to_value(found.marks[0].x)) == pytest.approx(days(first))


def test_touching_weeks_are_named_by_their_first_day() -> None:
    monday = date(2021, 1, 4)
    counts = [10, 30, 22, 60, 41, 15]
    boxes = [(20 + 28.0 * i, 110.5 - c, 48 + 28.0 * i, 110.5) for i, c in enumerate(counts)]
    one = layer(rectangles(SIZE, boxes))
    panel, ink = plot([one], [values("left", 110.5, 1.0), dates(monday, 20.0, 4.0)])
    (found,) = read_bars(panel, ink, [one])
    assert panel.x is not None
    assert panel.x.to_value([m.x for m in found.marks]) == pytest.approx(days(monday) + 7 * np.arange(6))
    assert read_values(panel, found) == pytest.approx(counts, abs=0.1)


def test_bars_centred_on_their_week_are_named_by_its_date() -> None:
    monday = date(2021, 1, 4)
    counts = [10, 30, 22, 60, 41, 15]
    boxes = [(20 + 28.0 * i - 10, 110.5 - c, 20 + 28.0 * i + 10, 110.5) for i, c in enumerate(counts)]
    one = layer(rectangles(SIZE, boxes))
    panel, ink = plot([one], [values("left", 110.5, 1.0), dates(monday, 20.0, 4.0)])
    (found,) = read_bars(panel, ink, [one])
    assert panel.x is not None
    assert panel.x.to_value([m.x for m in found.marks]) == pytest.approx(days(monday) + 7 * np.arange(6))


def test_halves_of_a_week_share_its_date() -> None:
    monday = date(2021, 1, 4)
    women, men = [10, 30, 22, 60, 41, 15], [20, 25, 40, 35, 20, 5]
    layers = [
        layer(rectangles(SIZE, [(20 + 28.0 * i + 14 * k, 110.5 - c, 34 + 28.0 * i + 14 * k, 110.5)
                                for i, c in enumerate(counts)]), colour, name)
        for k, (counts, colour, name) in enumerate([(women, BLUE, "f"), (men, RED, "m")])
    ]  # fmt: skip
    panel, ink = plot(layers, [values("left", 110.5, 1.0), dates(monday, 20.0, 4.0)])
    for found, counts in zip(read_bars(panel, ink, layers), (women, men), strict=True):
        assert panel.x is not None
        assert panel.x.to_value([m.x for m in found.marks]) == pytest.approx(days(monday) + 7 * np.arange(6))
        assert read_values(panel, found) == pytest.approx(counts, abs=0.15)


def test_lines_areas_and_markers_are_no_bars() -> None:
    rows, columns = np.mgrid[: SIZE[0], : SIZE[1]]
    curve = 60 + 35 * np.sin(columns / 25)
    line = layer(np.clip(2 - np.abs(rows - curve), 0, 1).astype(np.float32))
    area = layer(np.clip(rows - curve, 0, 1).astype(np.float32) * (rows <= 110))
    dots = np.zeros(SIZE, dtype=np.float32)
    for x in range(20, 190, 24):
        dots += np.clip(4 - np.hypot(rows - 60 + x / 6, columns - x), 0, 1).astype(np.float32)
    axes = [values("left", 110.5, 1.0), values("bottom", 0.0, 1.0)]
    for one in (line, area, layer(dots)):
        panel, ink = plot([one], axes)
        assert looks_like_bars(panel, ink, one) < 0.4


def test_bars_look_like_bars_upright_and_sideways() -> None:
    one = layer(rectangles(SIZE, upright([50.0, 30.0, 70.0, 20.0])))
    panel, ink = plot([one], [values("left", 110.5, 1.0), categories("bottom", 30, 40, ABC)])
    assert looks_like_bars(panel, ink, one) > 0.9
    turned = layer(np.ascontiguousarray(one.coverage.T[:, ::-1]))
    panel, ink = plot([turned], [values("bottom", 9.0, 1.0), categories("left", 30, 40, ABC)])
    assert looks_like_bars(panel, ink, turned) > 0.9


def test_no_layers_give_no_series() -> None:
    empty = layer(np.zeros(SIZE, dtype=np.float32))
    panel, ink = plot([empty], [values("left", 110.5, 1.0)])
    assert read_bars(panel, ink, [empty]) == ()
    assert looks_like_bars(panel, ink, empty) == 0.0


def test_one_bar_of_each_colour_is_one_series_though_error_bars_cut_them() -> None:
    layers = []
    for place, (top, colour) in enumerate(zip((40.0, 25.0, 70.0), (BLUE, RED, GREEN), strict=True)):
        left = 20 + 50 * place
        bar = rectangles((120, 170), [(left, top, left + 30, 110.5)])
        bar[: int(top) + 15, left + 13 : left + 17] = 0  # a black stroke over its top
        layers.append(layer(bar, colour))
    panel, ink = plot(layers, [values("left", 110.5, 1.0), categories("bottom", 35, 50, ("a", "b", "c"))])
    (found,) = read_bars(panel, ink, layers)
    assert {round(mark.x / 50 - 0.7) for mark in found.marks} == {0, 1, 2}
