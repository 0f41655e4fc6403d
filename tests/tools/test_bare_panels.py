"""Plots without a frame: grid lines behind fills, columns of grids without spines, heat maps; words are given."""

import numpy as np
import pytest

from tests.tools.test_panels import GREY, close, curve, sheet, sides, tick_labels, word
from tools.backgrounds import fills
from tools.facets import cut_fills
from tools.heat_maps import shows_cells
from tools.panels import find_panels
from tools.plot_ladders import ladders_around
from tools.plot_reach import laddered, reaching
from tools.ridges import luma
from tools.rule_families import families, ruled
from tools.sharing import moved
from tools.strokes import Stroke
from tools.types import Anchor, Axis, Box, Figure, Image, Rgb, Word

PALE, BLUE, AXIS = (228, 228, 228), (31, 119, 180), (89, 89, 89)


def rules(pixels: Image, box: Box, rows: int, columns: int, colour: Rgb = PALE) -> None:
    """Grid lines at even distances, the outermost ones at the edges of the box."""
    for y in np.linspace(box.y0, box.y1, rows).round().astype(int) if rows else ():
        pixels[y, int(box.x0) : int(box.x1) + 1] = colour
    for x in np.linspace(box.x0, box.x1, columns).round().astype(int) if columns else ():
        pixels[int(box.y0) : int(box.y1) + 1, x] = colour


@pytest.mark.parametrize("turned", [False, True])
def test_grid_lines_behind_a_fill_are_led_on(turned: bool) -> None:
    pixels, box = sheet(640, 640) if turned else sheet(), Box(60, 40, 600, 360)
    rules(pixels, box, 9, 0)
    for x in range(60, 601):  # an area that hides the left half of the upper lines and all of the lower ones
        top = 95 if x < 300 else 95 + (x - 300)
        pixels[min(top, 300) : 361, x] = BLUE
    pixels[360, 60:601] = AXIS
    words = tick_labels(box)
    if turned:
        pixels = np.ascontiguousarray(pixels.transpose(1, 0, 2))
        box = Box(box.y0, box.x0, box.y1, box.x1)
        words = tick_labels(box)
    panels = find_panels(Figure(pixels), words)
    assert len(panels) == 1
    assert sides(panels[0]) == pytest.approx((box.x0, box.y0, box.x1, box.y1), abs=3)


def test_panels_of_a_column_without_frames_are_parted() -> None:
    pixels, boxes, words = sheet(640, 620), [], []
    for column in range(2):
        for row in range(2):  # 40 px between the panels, as much as between their grid lines
            box = Box(60 + 300 * column, 40 + 290 * row, 320 + 300 * column, 280 + 290 * row)
            rules(pixels, box, 7, 5)
            curve(pixels, box)
            words += tick_labels(box, left=column == 0, bottom=row == 1)
            words.append(word("ab"[row], box.centre[0], box.y0 - 14))
            boxes.append(box)
    boxes.sort(key=lambda b: (b.y0, b.x0))
    assert close(find_panels(Figure(pixels), words), boxes)


def test_a_row_of_tick_labels_parts_two_panels() -> None:
    pixels, words = sheet(640, 620), []
    upper, lower = Box(60, 40, 600, 240), Box(60, 290, 600, 590)
    for box, count in ((upper, 5), (lower, 7)):  # 50 px apart everywhere
        rules(pixels, box, count, 0)
        curve(pixels, box)
        words += [*tick_labels(box), word("1", 200, box.y1 + 16), word("2", 300, box.y1 + 16)]
    assert close(find_panels(Figure(pixels), words), [upper, lower])


def test_an_axis_line_longer_by_a_tick_belongs_to_its_grid() -> None:
    pixels, box = sheet(), Box(60, 40, 600, 360)
    rules(pixels, Box(60, 40, 600, 320), 8, 0)
    pixels[360, 52:601] = AXIS
    curve(pixels, box)
    panels = find_panels(Figure(pixels), tick_labels(box))
    assert len(panels) == 1
    assert sides(panels[0])[1:] == pytest.approx((40, 600, 360), abs=1.5)


def test_a_plot_reaches_over_markers_above_its_top_line_but_not_over_its_title() -> None:
    pixels, box = sheet(), Box(60, 100, 600, 360)
    rules(pixels, box, 6, 0)
    pixels[360, 60:601] = AXIS
    curve(pixels, box)
    pixels[70:77, 300:307] = BLUE  # an outlier
    words = [*tick_labels(box), word("Depth of the wells", 330, 40, 12)]
    pixels[34:46, 280:380] = (0, 0, 0)  # its title, as letters would look to a blind eye
    top = sides(find_panels(Figure(pixels), words)[0])[1]
    assert 60 <= top <= 68  # a little paper above the outlier, none of the title


def test_a_fill_parted_by_a_white_grid_line_is_one_panel() -> None:
    pixels, box = sheet(), Box(60, 40, 600, 360)
    pixels[40:361, 60:601] = GREY
    rules(pixels, Box(60, 80, 600, 320), 4, 0, (250, 250, 250))
    for x in (150, 240, 420, 510):
        pixels[40:361, x] = (250, 250, 250)
    pixels[40:361, 330:332] = (255, 255, 255)
    pixels[200:204, 322:340] = BLUE
    assert close(find_panels(Figure(pixels), tick_labels(box)), [box], within=2)


@pytest.mark.parametrize("torn", [0, 70])
def test_a_top_line_that_steps_or_is_torn_ends_the_plot(torn: int) -> None:
    gray = np.full((300, 400), 255, dtype=np.uint8)
    gray[60, 50:200] = gray[59, 200 : 351 - torn] = 0
    gray[60:251, 50] = gray[250, 50:351] = 0
    box = Box(50, 60, 350, 250)
    assert reaching(box, [], [], gray) == box
    gray[40:59, 120:130] = 0  # unless something stands on a torn one
    assert reaching(box, [], [], gray).y0 == (pytest.approx(39 - 0.022 * 190) if torn else 60)


def test_an_empty_cell_of_a_grid_with_ink_and_labels_is_a_panel() -> None:
    pixels, boxes, words = sheet(640, 460), [], []
    for row in range(2):
        for column in range(2):
            box = Box(60 + 300 * column, 30 + 220 * row, 300 + 300 * column, 190 + 220 * row)
            boxes.append(box)
            words += tick_labels(box)
            if (row, column) == (1, 1):
                for k in range(4):
                    pixels[260 + 40 * k : 280 + 40 * k, 361 : 420 + 30 * k] = BLUE
            else:
                rules(pixels, box, 5, 5)
                curve(pixels, box)
    assert close(find_panels(Figure(pixels), words), boxes, within=3)


def cells(rows: int, columns: int, size: int, gap: int = 0, colours: int = 200) -> Image:
    levels = np.random.default_rng(3).integers(0, colours, (rows, columns))
    values = np.kron(levels, np.ones((size, size), dtype=np.int64)) * (200 // colours) + 20
    pixels = np.stack([values, 255 - values, 0 * values + 90], axis=2).astype(np.uint8)
    for k in range(1, gap and max(rows, columns)):
        pixels[k * size : k * size + gap] = 255
        pixels[:, k * size : k * size + gap] = 255
    return pixels


@pytest.mark.parametrize(("rows", "columns", "gap"), [(6, 8, 0), (5, 5, 2), (12, 20, 0)])
def test_cells_in_rows_and_columns_are_a_heat_map(rows: int, columns: int, gap: int) -> None:
    pixels = cells(rows, columns, 30, gap)
    assert shows_cells(pixels, Box(0, 0, 30 * columns - 1, 30 * rows - 1))


def test_squares_of_one_colour_and_a_grid_over_a_fill_are_no_heat_map() -> None:
    assert not shows_cells(cells(6, 8, 30, 2, colours=1), Box(0, 0, 239, 179))
    pixels = sheet(300, 200, BLUE)
    pixels[:90] = (214, 39, 40)
    rules(pixels, Box(0, 0, 299, 199), 6, 7, (255, 255, 255))
    assert not shows_cells(pixels, Box(0, 0, 299, 199))


def test_stacked_bars_side_by_side_are_no_heat_map() -> None:
    pixels, rng = sheet(300, 200), np.random.default_rng(5)
    for k in range(10):
        low, high = sorted(rng.integers(20, 180, 2))
        pixels[:low, 30 * k : 30 * k + 30], pixels[low:high, 30 * k : 30 * k + 30] = BLUE, (44, 160, 44)
        pixels[high:, 30 * k : 30 * k + 30] = (214, 39, 40)
    assert not shows_cells(pixels, Box(0, 0, 299, 199))


def test_grid_lines_that_no_bar_ties_to_the_plot_are_its_own() -> None:
    level = [Stroke("horizontal", float(y), 60.0, 500.0, 1.0, (40, 40, 40)) for y in (100, 150, 200, 250, 300)]
    level += [
        Stroke("horizontal", 50.0, 120.0, 500.0, 1.0, (40, 40, 40)),
        Stroke("horizontal", 20.0, 60.0, 500.0, 1.0, (40, 40, 40)),
    ]
    box = Box(60, 120, 498, 300)  # bars end below the line at 100; a legend lies over the start of that at 50
    assert laddered(box, level, []) == Box(60, 50, 500, 300)
    assert laddered(box, level, [Box(60, 0, 500, 70)]).y0 == 100  # another plot begins there
    assert laddered(box, level[2:4], []) == box


def test_a_plot_reaches_over_bars_to_the_left_of_its_first_grid_line() -> None:
    pixels, box = sheet(), Box(120, 40, 600, 360)
    rules(pixels, box, 0, 5)
    for y in (60, 140, 220, 300):
        pixels[y : y + 40, 90:400] = BLUE  # the line at zero, 90, is not drawn
    words = [word(str(k), x, 375, 10) for k, x in enumerate(np.linspace(120, 600, 5))]
    words += [word("abcd"[k], 60, y + 20, 10) for k, y in enumerate((60, 140, 220, 300))]
    assert sides(find_panels(Figure(pixels), words)[0])[0] == pytest.approx(90, abs=1.5)


@pytest.mark.parametrize("end", [300.0, 301.5])
def test_a_lent_axis_is_not_stretched_by_a_side_found_a_little_off(end: float) -> None:
    axis = Axis("left", "linear", -0.1, 30.0, (Anchor(300.0, 0.0, "0", "tick"), Anchor(200.0, 10.0, "10", "tick")))
    lent = moved(axis, Box(50, 100, 200, 300), Box(250, 100, 400, end))
    assert [anchor.pixel for anchor in lent.anchors] == [300.0, 200.0]
    assert float(lent.to_value(150.0)) == pytest.approx(15.0)


def test_a_hill_that_parts_the_grid_lines_parts_no_plot() -> None:
    pixels, box = sheet(), Box(60, 40, 600, 360)
    pixels[40:361, 60:601] = (232, 232, 232)
    rules(pixels, box, 6, 10, (255, 255, 255))
    for x in range(60, 601):
        height = 90 + 225 * np.exp(-(((x - 330) / 45) ** 2))
        pixels[round(361 - height) : 361, x] = BLUE
    panels = find_panels(Figure(pixels), tick_labels(box))
    assert close(panels, [box], 3)


def test_a_ground_with_a_grid_line_along_its_upper_side_is_found() -> None:
    pixels, box = sheet(), Box(60, 40, 600, 360)
    pixels[40:361, 60:601] = (232, 232, 232)
    pixels[41, 60:601] = pixels[200:202, 60:601] = (255, 255, 255)
    pixels[100:361, 200:320] = BLUE
    assert close(find_panels(Figure(pixels), tick_labels(box)), [box], 3)


def test_paper_beside_what_is_drawn_is_no_strip() -> None:
    box = Box(100, 50, 600, 350)
    assert cut_fills(box, [Box(420, 50, 600, 350)]) == box
    assert cut_fills(box, [Box(580, 50, 600, 350)]) == Box(100, 50, 580, 350)
    assert cut_fills(box, [Box(100, 50, 600, 80)]) == Box(100, 80, 600, 350)


def whiskered_row(pixels: Image, y: int) -> None:
    """A box with whiskers along a grid line, as a horizontal box plot has in each row."""
    pixels[y - 30 : y + 31, 250:300] = BLUE
    pixels[y - 30 : y + 31, (250, 299)] = pixels[(y - 30, y + 30), 250:300] = AXIS
    pixels[y - 1 : y + 1, 150:250] = pixels[y - 1 : y + 1, 300:400] = AXIS
    pixels[y - 15 : y + 16, (150, 399)] = AXIS


@pytest.mark.parametrize("rows", [2, 4])
def test_rows_of_boxes_on_rules_are_one_plot(rows: int) -> None:
    pixels = sheet(640, 100 * rows + 120)
    places = [60 + 100 * k for k in range(rows)]
    foot = places[-1] + 60
    for y in places:
        pixels[y, 60:601] = PALE
        whiskered_row(pixels, y)
    pixels[foot, 60:601] = AXIS
    words = [word(name, 35, y) for name, y in zip("ABCD", places, strict=False)]
    words += [word(str(10 * k), 60 + 108 * k, foot + 16) for k in range(6)]
    (panel,) = find_panels(Figure(pixels), words)
    x0, y0, x1, y1 = sides(panel)
    assert (x0, x1, y1) == pytest.approx((60, 600, foot), abs=1.5)
    assert y0 <= places[0] - 30  # over the topmost box


def test_bars_over_a_row_of_labels_tie_no_two_plots_together() -> None:
    pixels, words = sheet(640, 620), []
    upper, lower = Box(60, 40, 600, 240), Box(60, 290, 600, 590)
    for box, count in ((upper, 5), (lower, 7)):
        rules(pixels, box, count, 0)
        for k in range(9):
            pixels[int(box.y1) - 25 * (k + 1) % 190 : int(box.y1), 80 + 58 * k : 110 + 58 * k] = BLUE
        words += tick_labels(box, bottom=False)
        words.append(Word("Q1 Q2 Q3 Q4 Q5 Q6 Q7 Q8 Q9", Box(80, box.y1 + 10, 580, box.y1 + 20), 0, 1))
    assert close(find_panels(Figure(pixels), words), [upper, lower], within=5)


def test_families_part_at_labels_and_take_hidden_ends_and_an_axis_nearer_than_a_step() -> None:
    level = [(50.0, 60, 600), (90.0, 60, 600), (130.0, 75, 600), (170.0, 60, 300), (185.0, 60, 601)]
    strokes = [Stroke("horizontal", at, start, end, 1, PALE) for at, start, end in level]
    strokes[-1] = Stroke("horizontal", 185, 60, 601, 1, AXIS)
    gray = np.full((400, 640), 255, dtype=np.uint8)
    (family,) = families(strokes, gray, [])
    assert (family.start, family.end, family.below) == (60, 601, False)
    assert family.places == (50, 90, 130, 185)
    below = [Stroke("horizontal", at, 60, 600, 1, PALE) for at in (225.0, 265.0, 305.0)]
    labels = [word(str(k), 100 + 100 * k, 200, 8) for k in range(4)]
    assert [one.below for one in families([*strokes, *below], gray, labels)] == [False, True]


def test_a_line_along_the_side_holds_a_plot_and_a_bar_does_not() -> None:
    gray = np.full((400, 640), 255, dtype=np.uint8)
    level = [Stroke("horizontal", at, 60, 600, 1, PALE) for at in (50.0, 90.0, 130.0, 170.0, 210.0)]
    piece = Box(60, 130, 600, 210)
    bar, spine = (Stroke("vertical", at, 130, 210, 1, AXIS) for at in (75, 60))
    assert ruled([piece], [*level, bar], gray, []) == [[Box(60, 50, 600, 210)]]
    assert ruled([piece], [*level, spine], gray, []) == [[piece]]
    assert ruled([piece, Box(60, 50, 600, 90)], level, gray, []) == [[Box(60, 50, 600, 210)], []]


def test_an_area_that_hides_the_lower_grid_lines_reaches_as_far_as_it_runs() -> None:
    pixels, box = sheet(), Box(60, 40, 600, 130)
    rules(pixels, box, 3, 0)
    pixels[120:361, 60:601] = BLUE
    found = reaching(box, [], [], pixels[..., 0])
    assert found.y1 == pytest.approx(360, abs=1)
    pixels[200:361, 60:301] = 255  # less than that of a row filled: bars reach down by a quarter of the height at most
    assert reaching(box, [], [], pixels[..., 0]).y1 < 230


def test_the_factor_of_an_axis_is_no_title() -> None:
    pixels, box = sheet(), Box(60, 100, 600, 360)
    pixels[70:300, 200:204] = BLUE
    above = {text: reaching(box, [word(text, 75, 85)], [], pixels[..., 0]).y0 for text in ("1e5", "Rates")}
    assert above["1e5"] < 70
    assert above["Rates"] > 85


def test_rectangles_without_labels_are_pieces_of_the_plot_beside_the_ladders() -> None:
    pixels, box = sheet(), Box(60, 40, 600, 360)
    pixels[120:361, 60:601] = BLUE
    words, pieces = tick_labels(box), [Box(61, 78, 320, 118), Box(330, 76, 590, 117)]
    found = ladders_around(pieces, words, pixels[..., 0])
    assert found is not None
    assert (found.x0, found.x1, found.y1) == pytest.approx((60, 600, 360), abs=1)
    assert ladders_around([*pieces, Box(620, 60, 639, 100)], words, pixels[..., 0]) is None
    assert ladders_around(pieces, tick_labels(box, bottom=False), pixels[..., 0]) is None


def test_a_broad_white_grid_line_does_not_cut_a_ground() -> None:
    pixels = np.full((900, 1200, 3), 255, np.uint8)
    pixels[100:801, 100:1001] = (234, 234, 242)
    pixels[296:301, 100:1001] = (243, 243, 247)  # anti-aliased on both sides
    pixels[297:300, 100:1001] = 255
    pixels[240:801, 150:960] = BLUE
    assert {round(found.y0) for found in fills(pixels, luma(pixels))} == {100}


@pytest.mark.parametrize("lying", [False, True])
def test_negative_bars_past_the_line_at_zero_are_in_the_plot_and_ticks_are_not(lying: bool) -> None:
    gray = np.full((400, 300), 255, dtype=np.uint8)
    gray[200:203, 20:281] = 0
    for left in range(40, 280, 60):
        gray[203:209, left : left + 2] = 0  # ticks
        gray[120:200, left - 15 : left + 15] = 90
    box = Box(20, 60, 280, 201)
    turned = Box(400 - 1 - 201, 20, 400 - 1 - 60, 280)  # a mirrored transpose: values grow rightwards

    def end() -> float:
        return 399 - reaching(turned, [], [], gray.T[:, ::-1]).x0 if lying else reaching(box, [], [], gray).y1

    assert end() == 201
    gray[120:200, 205:235] = 255
    gray[203:260, 205:235] = 90
    assert end() == pytest.approx(259, abs=4)
    gray[203:260, 205:235] = 160  # of another shade: no bar of the same series
    assert end() == 201


def test_a_column_of_open_plots_whose_tick_marks_lead_their_axes_on_stays_apart() -> None:
    """Left and bottom axes alone, a tick mark at zero in line with each bottom axis: even rules, but three plots."""
    plots = [Box(96, y, 367, y + 124) for y in (73, 247, 421)]
    feet = [Stroke("horizontal", box.y1, 90.0, box.x1, 1.0, (0, 0, 0)) for box in plots]
    sides = [Stroke("vertical", box.x0, box.y0, box.y1, 1.0, (0, 0, 0)) for box in plots]
    assert ruled(plots, [*feet, *sides], luma(sheet(700, 600)), []) == [[box] for box in plots]
