"""Strokes, ticks and grids on small drawings whose places are known."""

import numpy as np
import pytest

from tools.ridges import spans
from tools.strokes import find_grid, find_strokes, find_ticks
from tools.types import Box, Figure, Image, Side

PLOT = Box(40, 20, 160, 100)


def paper(height: int = 130, width: int = 200, level: int = 255) -> Image:
    return np.full((height, width, 3), level, dtype=np.uint8)


def framed(level: int = 255) -> Image:
    pixels = paper(level=level)
    pixels[20, 40:161] = pixels[100, 40:161] = 0
    pixels[20:101, 40] = pixels[20:101, 160] = 0
    return pixels


def turned(pixels: Image, box: Box, side: Side) -> tuple[Image, Box]:
    """The drawing mirrored and transposed so that what was at the bottom comes to lie at this side."""
    if side in ("left", "right"):
        pixels, box = pixels.transpose(1, 0, 2), Box(box.y0, box.x0, box.y1, box.x1)
    height, width = pixels.shape[:2]
    if side == "top":
        pixels, box = pixels[::-1], Box(box.x0, height - 1 - box.y1, box.x1, height - 1 - box.y0)
    if side == "left":
        pixels, box = pixels[:, ::-1], Box(width - 1 - box.x1, box.y0, width - 1 - box.x0, box.y1)
    return np.ascontiguousarray(pixels), box


def test_a_one_pixel_line_is_where_it_was_drawn() -> None:
    pixels = paper()
    pixels[50, 30:171] = (200, 0, 0)
    (stroke,) = find_strokes(pixels)
    assert (stroke.direction, stroke.position) == ("horizontal", 50.0)
    assert (stroke.start, stroke.end, stroke.length) == (30, 170, 141)
    assert stroke.colour == (200, 0, 0)
    assert not stroke.light


@pytest.mark.parametrize("share", [0.25, 0.5, 0.7])
def test_an_antialiased_line_has_a_sub_pixel_centre(share: float) -> None:
    """A line one pixel thick that covers `share` of row 51 and the rest of row 50 has its centre at 50 + share."""
    pixels = paper()
    pixels[50, 30:171] = round(255 * share)
    pixels[51, 30:171] = round(255 * (1 - share))
    (stroke,) = find_strokes(pixels)
    assert stroke.position == pytest.approx(50 + share, abs=0.02)
    assert stroke.thickness <= 2


def test_a_thick_line_with_soft_edges() -> None:
    pixels = paper()
    pixels[:, 50:53] = 0
    pixels[:, 53] = 204  # a fifth covered
    (stroke,) = find_strokes(pixels)
    assert stroke.direction == "vertical"
    assert stroke.position == pytest.approx((50 + 51 + 52 + 0.2 * 53) / 3.2, abs=1e-6)
    assert stroke.thickness == pytest.approx(3.2)


def test_white_lines_on_a_grey_ground_count_and_edges_of_the_ground_do_not() -> None:
    pixels = paper()
    pixels[20:101, 40:161] = 229
    pixels[60, 40:161] = 255
    (stroke,) = find_strokes(pixels)
    assert stroke.light
    assert stroke.position == 60


def test_a_spine_under_bars_of_many_heights_is_not_drawn_into_them() -> None:
    pixels = paper()
    for i, height in enumerate([1, 3, 9, 30, 2, 1, 17, 4, 1, 2, 50, 3]):
        pixels[100 - height : 100, 40 + 10 * i : 48 + 10 * i] = (100, 149, 237)
    pixels[100, 40:161] = 0
    spine = max((s for s in find_strokes(pixels) if s.direction == "horizontal"), key=lambda s: s.length)
    assert spine.position == 100


def test_a_grey_frame_beside_a_colour_of_the_same_luma_is_seen() -> None:
    pixels = paper()
    pixels[50:101, 40:161] = (255, 128, 128)  # luma 166
    pixels[20:101, 160] = 166
    frame = [s for s in find_strokes(pixels) if s.direction == "vertical"]
    assert [(s.position, s.start, s.end) for s in frame] == [(160, 20, 100)]


def test_bars_and_filled_areas_are_no_strokes() -> None:
    pixels = paper()
    pixels[40:100, 50:80] = 60
    pixels[60:100, 90:120] = (30, 120, 200)
    assert find_strokes(pixels) == ()


@pytest.mark.parametrize("side", ["bottom", "top", "left", "right"])
@pytest.mark.parametrize("inside", [False, True])
def test_ticks_on_every_side(side: Side, inside: bool) -> None:
    pixels = framed()
    for x in (55, 90, 125):
        pixels[slice(95, 100) if inside else slice(101, 106), x] = 0
    pixels[108:115, 52:58] = 80  # a label under a tick is not part of it
    drawn, plot = turned(pixels, PLOT, side)
    ticks = find_ticks(Figure(drawn), plot, side)
    assert [tick.pixel for tick in ticks] == [55, 90, 125]
    assert {tick.length for tick in ticks} == {5.0}
    assert {tick.inside for tick in ticks} == {inside}


def test_an_antialiased_tick_lies_between_its_columns() -> None:
    pixels = framed()
    for x in (55, 90, 125):
        pixels[101:106, x] = 64
        pixels[101:106, x + 1] = 191
    found = [tick.pixel for tick in find_ticks(Figure(pixels), PLOT, "bottom")]
    assert found == pytest.approx([55.25, 90.25, 125.25], abs=0.01)


def test_long_ticks_inside_among_many_short_ones_under_a_thick_frame() -> None:
    pixels = paper()
    pixels[100:102, 20:180] = 60
    for x in range(30, 170, 5):
        pixels[96:102, x] = 0
    for x in (50, 90, 130):
        pixels[88:102, x : x + 1] = 60
    ticks = find_ticks(Figure(pixels), Box(20, 20, 180, 100.5), "bottom")
    longest = [tick.pixel for tick in ticks if tick.length > 8]
    assert longest == [50, 90, 130]
    assert len(ticks) == 28


def test_a_minor_tick_beside_a_major_one_does_not_pull_it() -> None:
    pixels = framed()
    for x in (60, 100, 140):
        pixels[101:109, x] = 0
        pixels[101:104, x + 1] = 0
    ticks = find_ticks(Figure(pixels), Box(20, 20, 180, 100), "bottom")
    assert [tick.pixel for tick in ticks] == pytest.approx([60, 100, 140], abs=0.05)


def test_no_ticks_is_an_empty_answer() -> None:
    assert find_ticks(Figure(framed()), PLOT, "bottom") == ()


@pytest.mark.parametrize(("ground", "line"), [(255, 215), (229, 255), (20, 70), (255, 245)])
def test_grid_lines_dark_or_light(ground: int, line: int) -> None:
    pixels = framed()
    pixels[21:100, 41:160] = ground
    pixels[21:100, [60, 100, 140]] = line
    found = find_grid(Figure(pixels), PLOT, "vertical")
    assert [grid.pixel for grid in found] == [60, 100, 140]
    assert all(grid.major for grid in found)


def test_dotted_grid_lines_are_found_whole() -> None:
    pixels = framed()
    for y in (40, 60, 80):
        pixels[y, 41:160:4] = 0
    found = find_grid(Figure(pixels), PLOT, "horizontal")
    assert [grid.pixel for grid in found] == [40, 60, 80]
    assert all(0.2 < grid.coverage < 0.4 for grid in found)


def test_bars_and_whiskers_are_no_grid_lines() -> None:
    pixels = framed()
    pixels[21:100, [60, 100]] = 215
    pixels[70:100, 48] = 0  # thin bars
    pixels[40:100, 80] = 0
    pixels[50:100, 115:135] = (30, 120, 200)
    found = find_grid(Figure(pixels), PLOT, "vertical")
    assert [grid.pixel for grid in found] == [60, 100]


def test_weak_lines_between_strong_ones_are_minor() -> None:
    pixels = framed()
    pixels[21:100, [60, 100, 140]] = 215
    pixels[21:100, [80, 120]] = 240
    found = find_grid(Figure(pixels), PLOT, "vertical")
    assert {grid.pixel: grid.major for grid in found} == {60: True, 80: False, 100: True, 120: False, 140: True}


def test_a_coloured_threshold_is_no_grid_line() -> None:
    pixels = framed()
    pixels[[40, 60, 80], 41:160] = 215
    pixels[70, 41:160] = (200, 0, 0)
    assert [grid.pixel for grid in find_grid(Figure(pixels), PLOT, "horizontal")] == [40, 60, 80]


def test_spans_of_a_mask() -> None:
    assert spans(np.array([True, True, False, True])) == [(0, 1), (3, 3)]
    assert spans(np.zeros(4, dtype=np.bool_)) == []
