"""Panels of drawings whose plot areas are known to the pixel; words are given, not read."""

from collections.abc import Sequence

import numpy as np
import pytest

from tools.panels import find_panels
from tools.types import Box, Figure, Image, Panel, Word

BLACK, GREY, WHITE = (0, 0, 0), (235, 235, 235), (255, 255, 255)


def sheet(width: int = 640, height: int = 420, colour: tuple[int, int, int] = WHITE) -> Image:
    pixels = np.empty((height, width, 3), dtype=np.uint8)
    pixels[:] = colour
    return pixels


def frame(pixels: Image, box: Box, sides: str = "lrtb", colour: tuple[int, int, int] = BLACK) -> None:
    x0, y0, x1, y1 = (int(side) for side in (box.x0, box.y0, box.x1, box.y1))
    for side, x in (("l", x0), ("r", x1)):
        if side in sides:
            pixels[y0 : y1 + 1, x] = colour
    for side, y in (("t", y0), ("b", y1)):
        if side in sides:
            pixels[y, x0 : x1 + 1] = colour


def curve(pixels: Image, box: Box, colour: tuple[int, int, int] = (31, 119, 180)) -> None:
    xs = np.arange(int(box.x0) + 6, int(box.x1) - 5)
    ys = box.centre[1] + 0.35 * box.height * np.sin(xs / 17)
    for thick in range(-1, 2):
        pixels[np.rint(ys).astype(int) + thick, xs] = colour


def word(text: str, x: float, y: float, size: float = 10) -> Word:
    """A word centred on (x, y)."""
    half = 0.3 * size * len(text)
    return Word(text, Box(x - half, y - size / 2, x + half, y + size / 2))


def tick_labels(box: Box, left: bool = True, bottom: bool = True) -> list[Word]:
    shares = (0.1, 0.5, 0.9)
    found = [word(f"{i}0", box.x0 - 18, box.y1 - share * box.height) for i, share in enumerate(shares) if left]
    return found + [word(f"{i}", box.x0 + share * box.width, box.y1 + 16) for i, share in enumerate(shares) if bottom]


def sides(panel: Panel) -> tuple[float, float, float, float]:
    return panel.plot.x0, panel.plot.y0, panel.plot.x1, panel.plot.y1


def close(panels: Sequence[Panel], boxes: Sequence[Box], within: float = 1.5) -> bool:
    assert len(panels) == len(boxes)
    pairs = zip(panels, boxes, strict=True)
    return all(sides(panel) == pytest.approx((b.x0, b.y0, b.x1, b.y1), abs=within) for panel, b in pairs)


@pytest.mark.parametrize("spines", ["lrtb", "lb"])
def test_a_frame_with_and_without_top_and_right_spine(spines: str) -> None:
    pixels, box = sheet(), Box(60, 40, 600, 360)
    frame(pixels, box, spines)
    curve(pixels, box)
    assert close(find_panels(Figure(pixels), tick_labels(box)), [box], within=0.6)


def test_a_dark_figure() -> None:
    pixels, box = sheet(colour=BLACK), Box(60, 40, 600, 360)
    frame(pixels, box, colour=WHITE)
    curve(pixels, box, (255, 200, 0))
    assert close(find_panels(Figure(pixels), tick_labels(box)), [box], within=0.6)


def test_a_grid_of_panels_is_in_reading_order_with_titles() -> None:
    pixels, boxes, words = sheet(), [], []
    for row in range(2):
        for column in range(3):
            box = Box(50 + 200 * column, 40 + 190 * row, 210 + 200 * column, 160 + 190 * row)
            frame(pixels, box)
            curve(pixels, box)
            boxes.append(box)
            words.append(word(f"cell {len(boxes)}", box.centre[0], box.y0 - 9))
            words += tick_labels(box, left=column == 0, bottom=row == 1)
    panels = find_panels(Figure(pixels), words[::-1])
    assert close(panels, boxes, within=0.6)
    assert [panel.title for panel in panels] == [f"cell {i}" for i in range(1, 7)]
    for i, panel in enumerate(panels):
        assert all(panel.box.contains(*boxes[j].centre) == (i == j) for j in range(6))


def test_a_grey_ground_with_white_grid_and_no_spines() -> None:
    pixels, box = sheet(), Box(60, 40, 600, 360)
    pixels[40:361, 60:601] = GREY
    pixels[[100, 200, 300], 60:601] = WHITE
    pixels[40:361, [150, 330, 510]] = WHITE
    curve(pixels, box)
    assert close(find_panels(Figure(pixels), tick_labels(box)), [box])


def test_horizontal_rules_only() -> None:
    """Excel: no frame, rules from side to side, the lowest one is the axis; bars hide parts of them."""
    pixels, box = sheet(), Box(60, 60, 600, 360)
    pixels[60:361:60, 60:601] = (200, 200, 200)
    for i, height in enumerate((50, 130, 220, 280)):
        pixels[360 - height : 360, 110 + 130 * i : 150 + 130 * i] = (68, 114, 196)
    assert close(find_panels(Figure(pixels), tick_labels(box)), [box])


def test_a_frame_around_the_chart_is_not_the_plot() -> None:
    pixels, box = sheet(), Box(100, 70, 560, 330)
    frame(pixels, Box(10, 10, 620, 400), colour=(130, 130, 130))
    frame(pixels, box, "lb")
    curve(pixels, box)
    panels = find_panels(Figure(pixels), [*tick_labels(box), word("The title", 330, 40, 16)])
    assert close(panels, [box], within=0.6)
    assert panels[0].title == "The title"


def test_a_legend_frame_and_touching_bars_are_not_panels() -> None:
    pixels, box = sheet(), Box(60, 40, 460, 360)
    frame(pixels, box)
    for i, height in enumerate((60, 120, 200, 260, 150, 90)):
        x0, x1 = 100 + 50 * i, 150 + 50 * i
        pixels[360 - height : 360, x0:x1] = (120, 170, 220)
        frame(pixels, Box(x0, 360 - height, x1, 360))
    frame(pixels, Box(500, 60, 620, 130), colour=(100, 100, 100))
    legend = [word("first", 570, 80), word("second", 573, 110)]
    for y in (80, 110):
        pixels[y - 2 : y + 3, 510:535] = (120, 170, 220)
    for entry in legend:
        pixels[int(entry.box.y0) : int(entry.box.y1), int(entry.box.x0) : int(entry.box.x1) : 2] = 0
    assert close(find_panels(Figure(pixels), [*tick_labels(box), *legend]), [box], within=0.6)


def test_a_table_of_numbers_at_risk_is_not_a_panel() -> None:
    pixels, box, table = sheet(), Box(80, 30, 600, 270), Box(80, 320, 600, 390)
    frame(pixels, box)
    curve(pixels, box)
    frame(pixels, table)
    words = tick_labels(box)
    for row, y in enumerate((340, 370)):
        words.append(word("men" if row else "women", 55, y))
        words += [word(str(138 - 20 * i - row), 120 + 110 * i, y) for i in range(5)]
    words += [word(str(250 * i), 120 + 110 * i, 405) for i in range(5)]
    for one in words:
        pixels[int(one.box.y0) : int(one.box.y1), int(one.box.x0) : int(one.box.x1) : 2] = 60
    assert close(find_panels(Figure(pixels), words), [box], within=0.6)


def test_strips_share_the_frame_of_their_panels() -> None:
    pixels, boxes, words = sheet(), [], []
    for column, name in enumerate(("women", "men")):
        strip = Box(60 + 280 * column, 40, 320 + 280 * column, 64)
        box = Box(strip.x0, strip.y1, strip.x1, 360)
        pixels[40:65, int(strip.x0) : int(strip.x1) + 1] = (217, 217, 217)
        frame(pixels, strip, colour=(60, 60, 60))
        frame(pixels, box, colour=(60, 60, 60))
        curve(pixels, box)
        boxes.append(box)
        words += [*tick_labels(box, left=column == 0), word(name, *strip.centre)]
    panels = find_panels(Figure(pixels), words)
    assert close(panels, boxes, within=0.6)
    assert [panel.title for panel in panels] == ["women", "men"]


def test_inner_facets_without_lines_of_their_own() -> None:
    """A classic theme: framed strips, axis lines only along the outer panels."""
    pixels, boxes, words = sheet(), [], []
    for row in range(2):
        for column in range(3):
            strip = Box(60 + 190 * column, 30 + 190 * row, 230 + 190 * column, 52 + 190 * row)
            box = Box(strip.x0, strip.y1, strip.x1, strip.y1 + 130)
            frame(pixels, strip)
            frame(pixels, box, ("l" if column == 0 else "") + ("b" if row == 1 else ""))
            curve(pixels, box)
            boxes.append(box)
            words += [*tick_labels(box, left=column == 0, bottom=row == 1), word(f"{2012 + len(boxes)}", *strip.centre)]
    panels = find_panels(Figure(pixels), words)
    assert close(panels, boxes)
    assert [panel.title for panel in panels] == [str(2013 + i) for i in range(6)]


def test_axes_that_do_not_meet() -> None:
    """Base R: the axis lines stand apart from each other; the bars reach past the last tick."""
    pixels = sheet()
    pixels[60:341, 80] = 0
    pixels[360, 110:561] = 0
    for i, height in enumerate((60, 120, 200, 260, 150, 90)):
        frame(pixels, Box(120 + 70 * i, 340 - height, 190 + 70 * i, 340))
    (panel,) = find_panels(Figure(pixels), tick_labels(Box(80, 60, 560, 360)))
    assert (panel.plot.x0, panel.plot.y1) == pytest.approx((80, 360), abs=0.6)
    assert panel.plot.y0 <= 81
    assert panel.plot.x1 >= 540


def test_a_ladder_of_labels_without_any_line() -> None:
    pixels = sheet()
    for i, height in enumerate((60, 120, 200, 260)):
        pixels[340 - height : 340, 60 + 120 * i : 120 + 120 * i] = (20, 190, 90)
    words = [word(str(20 * i), 600, 340 - 60 * i) for i in range(5)]
    (panel,) = find_panels(Figure(pixels), words)
    assert sides(panel)[0] == pytest.approx(60, abs=1.5)
    assert sides(panel)[2:] == pytest.approx((479, 340), abs=1.5)
    assert 70 < panel.plot.y0 <= 80  # over the bar that rises above the last label, at row 80


def test_a_very_large_figure_is_measured_on_a_smaller_copy() -> None:
    pixels, box = sheet(3200, 2400), Box(300, 200, 3000, 2000)
    for shift in range(6):
        frame(pixels, Box(box.x0 - 2.5 + shift, box.y0 - 2.5 + shift, box.x1 + 2.5 - shift, box.y1 + 2.5 - shift))
    words = [Word(w.text, Box(w.box.x0 - 20, w.box.y0 - 10, w.box.x1 + 5, w.box.y1 + 10)) for w in tick_labels(box)]
    assert close(find_panels(Figure(pixels), words), [box], within=1.0)


def test_a_photograph_in_a_frame_is_no_chart() -> None:
    pixels, photo, box = sheet(), Box(30, 40, 290, 360), Box(370, 40, 620, 360)
    ys, xs = np.mgrid[40:361, 30:291]
    for channel, period in enumerate((37, 61, 23)):
        pixels[40:361, 30:291, channel] = 128 + 60 * np.sin(xs / period) + 60 * np.cos(ys / (period + 9))
    frame(pixels, photo)
    frame(pixels, box)
    curve(pixels, box)
    assert close(find_panels(Figure(pixels), tick_labels(photo) + tick_labels(box)), [box], within=0.6)


def test_nothing_to_find() -> None:
    assert find_panels(Figure(sheet()), ()) == ()
    noise = np.random.default_rng(1).integers(0, 255, (300, 400, 3), dtype=np.uint8)
    assert find_panels(Figure(noise), ()) == ()


def test_blocks_of_ink_that_are_no_charts_give_no_panels() -> None:
    pixels = sheet()
    pixels[60:90, 40:70] = BLACK
    pixels[300:330, 400:430] = BLACK
    assert find_panels(Figure(pixels), []) == ()
    strip = np.ascontiguousarray(pixels[50:100])
    assert find_panels(Figure(strip), []) == ()


def test_the_frame_of_a_legend_at_the_corner_opens_no_panel_above_the_plot() -> None:
    pixels, plot = sheet(), Box(83, 93, 594, 380)
    frame(pixels, plot)
    curve(pixels, plot)
    frame(pixels, Box(10, 40, 103, 92), colour=(204, 204, 204))
    names = [word("Rain", 75, 54), word("Temp", 75, 76)]
    assert close(find_panels(Figure(pixels), [*tick_labels(plot), *names]), [plot])


def test_black_bars_are_no_panels() -> None:
    """A copy in black and white: lying bars are rectangles with edges as strong as frames, names beside each."""
    pixels = sheet()
    words = [word(str(n), 120 + 90 * n, 430) for n in range(6)]
    for n, length in enumerate((450, 400, 310, 240, 160)):
        pixels[60 + 70 * n : 110 + 70 * n, 120 : 120 + length] = 0
        words.append(word(f"cause {n}", 60, 85 + 70 * n))
    (panel,) = find_panels(Figure(pixels), words)
    assert panel.plot.x0 <= 121
    assert panel.plot.x1 >= 569
    assert panel.plot.y0 <= 66


def test_a_ladder_of_labels_reaches_down_to_names_over_what_is_drawn() -> None:
    pixels = sheet()
    words = [word(str(20 * i), 40, 300 - 100 * i) for i in range(1, 3)] + [word("0", 40, 300)]
    for i in range(4):  # boxes with whiskers that end below the last number
        pixels[150:360, 130 + 120 * i : 132 + 120 * i] = 0
        frame(pixels, Box(110 + 120 * i, 220, 152 + 120 * i, 320))
        words.append(word(f"day {i}", 131 + 120 * i, 390))
    (panel,) = find_panels(Figure(pixels), words)
    assert 355 < panel.plot.y1 < 375
