"""Legends: names, colours and dashes of drawn legends, wherever they stand; nothing where there is none."""

from __future__ import annotations

from typing import Any

import cv2
import matplotlib.pyplot as plt
import numpy as np
import pytest

from tests.tools.legend_figures import blank, read
from tools.colour import lab_distance
from tools.legend import read_legend
from tools.names import split_at_samples
from tools.swatch import find_swatch, marker_shape
from tools.types import Box, Legend, Word

X = np.arange(20)
COLOURS = {"Ghana": "#1f77b4", "Chile": "#d62728", "Estonia": "#2ca02c"}


def _lines(axes: Any, **options: Any) -> None:
    for n, (name, colour) in enumerate(COLOURS.items()):
        axes.plot(X, (n + 1) * np.sqrt(X), color=colour, label=name, **options)


def _names(legend: Legend) -> list[str]:
    return [entry.name for entry in legend.entries]


def _assert_colours(legend: Legend) -> None:
    for entry in legend.entries:
        value = COLOURS[entry.name]
        true = [int(value[i : i + 2], 16) for i in (1, 3, 5)]
        assert float(lab_distance(entry.colour, true)) < 5, entry.name


@pytest.mark.parametrize(
    "place",
    [
        {"loc": "upper left"},
        {"loc": "lower right", "frameon": False},
        {"loc": "center left", "bbox_to_anchor": (1.02, 0.5)},
        {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0), "ncol": 3},
        {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0), "ncol": 2},
    ],
)
@pytest.mark.parametrize("width", [1.0, 3.0])
def test_line_legend_is_read_wherever_it_stands(place: dict[str, Any], width: float) -> None:
    figure, axes = blank()
    _lines(axes, linewidth=width)
    axes.legend(**place)
    (panel,) = read_legend(*read(figure))
    assert sorted(_names(panel.legend)) == sorted(COLOURS)
    assert {entry.kind for entry in panel.legend.entries} == {"line"}
    _assert_colours(panel.legend)


def test_text_left_of_its_sample_is_read() -> None:
    figure, axes = blank()
    _lines(axes, linewidth=2)
    axes.legend(markerfirst=False, loc="upper left")
    (panel,) = read_legend(*read(figure))
    assert _names(panel.legend) == list(COLOURS)
    _assert_colours(panel.legend)


def test_patches_with_dark_outline_have_the_colour_of_the_fill() -> None:
    figure, axes = blank()
    for n, (name, colour) in enumerate(COLOURS.items()):
        axes.bar(X + n * 0.3, X + 1, 0.3, color=colour, edgecolor="black", label=name)
    axes.legend(loc="upper left")
    (panel,) = read_legend(*read(figure))
    assert _names(panel.legend) == list(COLOURS)
    assert {entry.kind for entry in panel.legend.entries} == {"patch"}
    _assert_colours(panel.legend)


@pytest.mark.parametrize("names", [("Ghana", "Chile"), ("24 h", "48 h")])
def test_outlined_patches_are_named_though_only_their_inside_tells_them_apart(names: tuple[str, str]) -> None:
    figure, axes = blank()
    for n, (name, hatch) in enumerate(zip(names, ("...", ""), strict=True)):
        axes.bar(X + n * 0.3, X + 1, 0.3, color="white", edgecolor="black", hatch=hatch, label=name)
    axes.legend(loc="upper left")
    (panel,) = read_legend(*read(figure))
    assert _names(panel.legend) == list(names)
    assert {entry.kind for entry in panel.legend.entries} == {"patch"}


def test_dashes_tell_black_lines_apart() -> None:
    figure, axes = blank()
    for style, name in (("-", "pH 4"), ("--", "pH 5"), (":", "pH 6"), ("-.", "pH 7")):
        axes.plot(X, X ** (1 + len(style)), style, color="black", label=name, linewidth=1.5)
    axes.legend(loc="upper left", handlelength=4)
    (panel,) = read_legend(*read(figure))
    assert [(e.name, e.dash) for e in panel.legend.entries] == [
        ("pH 4", "solid"), ("pH 5", "dashed"), ("pH 6", "dotted"), ("pH 7", "dashdot")
    ]  # fmt: skip


def test_name_of_two_lines_is_joined_and_the_title_is_found() -> None:
    figure, axes = blank()
    axes.plot(X, X, color="#1f77b4", label="Single-thread\nperformance")
    axes.plot(X, 2 * X, color="#d62728", label="Power")
    axes.legend(title="Trend", loc="center left", bbox_to_anchor=(1.02, 0.5), labelspacing=1.0)
    (panel,) = read_legend(*read(figure))
    assert _names(panel.legend) == ["Single-thread performance", "Power"]
    assert panel.legend.title == "Trend"


def test_legend_box_covers_its_frame() -> None:
    figure, axes = blank()
    _lines(axes)
    drawn = axes.legend(loc="upper left", fancybox=False, edgecolor="black")
    figure.canvas.draw()
    frame = drawn.get_frame().get_window_extent()
    image, panels, words = read(figure)
    (panel,) = read_legend(image, panels, words)
    assert panel.legend.box is not None
    true = (frame.x0, image.height - frame.y1, frame.x1, image.height - frame.y0)
    box = panel.legend.box
    assert (box.x0, box.y0, box.x1, box.y1) == pytest.approx(true, abs=3)


def test_legend_shared_by_two_panels_is_given_to_both() -> None:
    figure, pair = plt.subplots(1, 2, figsize=(7, 3), dpi=100)
    for axes in pair:
        _lines(axes)
    figure.legend(*pair[0].get_legend_handles_labels(), loc="upper center", ncol=3)
    panels = read_legend(*read(figure))
    assert [_names(p.legend) for p in panels] == [list(COLOURS)] * 2


def test_direct_labels_in_the_colour_of_their_lines() -> None:
    figure, axes = blank()
    _lines(axes, linewidth=2)
    for n, (name, colour) in enumerate(COLOURS.items()):
        axes.text(19.6, (n + 1) * np.sqrt(19), name, color=colour, va="center", weight="bold")
    (panel,) = read_legend(*read(figure))
    assert sorted(_names(panel.legend)) == sorted(COLOURS)
    assert {entry.kind for entry in panel.legend.entries} == {"label"}
    _assert_colours(panel.legend)


def test_bars_with_printed_values_have_no_legend() -> None:
    figure, axes = blank()
    bars = axes.bar(["Malaria", "Anaemia", "Trauma"], [195, 438, 226], color="#5b9bd5")
    axes.bar_label(bars)
    axes.set_title("Paediatric admissions")
    (panel,) = read_legend(*read(figure))
    assert panel.legend.entries == ()
    assert panel.legend.box is None
    assert panel.title == "Paediatric admissions"


def test_no_panels_give_nothing() -> None:
    figure, _ = blank()
    image, _, words = read(figure)
    assert read_legend(image, (), words) == ()


def _strip(*blocks: tuple[int, int, tuple[int, int, int]]) -> np.ndarray:
    strip = np.full((40, 160, 3), 255, np.float32)
    for start, stop, colour in blocks:
        strip[15:25, start:stop] = colour
    return strip


def test_text_read_across_samples_is_split_at_them() -> None:
    red, black = (220, 40, 30), (0, 0, 0)
    strip = _strip((10, 30, black), (40, 52, red), (60, 72, black))
    first, second = split_at_samples(strip, Word("0.5 1", Box(10, 10, 72, 29)))
    assert (first.text, second.text) == ("0.5", "1")
    assert (second.box.x0, second.box.x1) == (60, 71)


def test_keys_of_the_letters_colour_part_a_text_read_across_them() -> None:
    black = (0, 0, 0)
    strip = _strip((10, 22, black), (28, 38, black), (52, 64, black), (70, 80, black))
    for start in (10, 52):  # keys of a copy, 10 px high, with rounded corners
        for row, column in ((15, start), (15, start + 11), (24, start), (24, start + 11)):
            strip[row, column] = 255
    strip[18:22, 30:36] = strip[18:22, 72:78] = 255  # letters: rings
    found = split_at_samples(strip, Word("OO", Box(10, 14, 80, 25)))
    assert [(one.text, one.box.x0) for one in found] == [("O", 28), ("O", 70)]


def test_sample_read_as_a_sign_is_cut_off() -> None:
    strip = _strip((10, 30, (0, 0, 0)), (40, 52, (0, 0, 0)), (54, 66, (0, 0, 0)))
    (word,) = split_at_samples(strip, Word("- Dubai", Box(10, 10, 66, 29)))
    assert (word.text, word.box.x0) == ("Dubai", 40)


@pytest.mark.parametrize("side", ["left", "right"])
def test_swatch_beside_a_text_is_found_on_either_side(side: Any) -> None:
    strip = _strip((40, 64, (31, 119, 180)))
    text = Box(72, 14, 120, 25) if side == "left" else Box(2, 14, 30, 25)
    swatch = find_swatch(strip, np.zeros(strip.shape[:2], bool), text, 11, side)
    assert swatch is not None
    assert (swatch.box.x0, swatch.box.x1, swatch.colour) == (40, 63, (31, 119, 180))


def test_marker_shapes() -> None:
    y, x = np.mgrid[-6:7, -6:7]
    assert marker_shape(x * x + y * y <= 38) == "circle"
    assert marker_shape(np.ones((13, 13), bool)) == "square"
    assert marker_shape(np.abs(x) + np.abs(y) <= 6) == "diamond"
    assert marker_shape(2 * np.abs(x) <= y + 6) == "triangle"
    assert marker_shape(2 * np.abs(x) <= 6 - y) == "triangle down"
    assert marker_shape((np.abs(x) <= 1) | (np.abs(y) <= 1)) == "plus"
    assert marker_shape((x * x + y * y <= 38) & (x * x + y * y >= 20)) == "circle open"


@pytest.mark.parametrize("lines", [False, True])
def test_years_inside_the_plot_are_names_beside_keys_of_one_size(lines: bool) -> None:
    figure, axes = plt.subplots(figsize=(5, 4), dpi=100)
    for number, year in enumerate(("2019", "2020")):
        if lines:
            axes.plot([0, 1, 2], [1 + number, 3, 2 - number], label=year)
        else:
            axes.barh(np.arange(3) + 0.4 * number, [1, 3, 2 + number], 0.4, label=year)
    axes.set_xlim(0, 6)
    axes.legend(title="Year", loc="upper right")
    image, panels, words = read(figure)
    (panel,) = read_legend(image, panels, words)
    assert [entry.name for entry in panel.legend.entries] == ["2019", "2020"]


def test_pale_patches_with_edges_and_names_that_begin_with_a_plus() -> None:
    figure, axes = blank()
    fills = {"Base": "#cfd8dc", "+SFT": "#90a4ae", "+RLHF": "#546e7a"}
    for n, (name, colour) in enumerate(fills.items()):
        axes.bar(np.arange(3) + 0.25 * n, [3, 2, 4], 0.25, color=colour, edgecolor="black", label=name)
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=3, frameon=False)
    (panel,) = read_legend(*read(figure))
    assert _names(panel.legend) == list(fills)
    assert panel.legend.entries[0].colour == (207, 216, 220)
    assert not panel.legend.entries[0].hatch


def test_names_read_across_square_keys_and_with_thin_signs_within() -> None:
    pixels = np.full((20, 100, 3), 255, np.float32)
    pixels[3:15, 2:14] = (153, 51, 102)  # a key with a dark edge
    pixels[[3, 14], 2:14] = pixels[3:15, [2, 13]] = 0
    for x in (28, 38, 48):  # letters
        pixels[4:14, x : x + 2] = pixels[8:10, x : x + 7] = 30
    (name,) = split_at_samples(pixels, Word("Net", Box(2, 3, 55, 14)))
    assert name.box.x0 == 28
    pixels[:, :26] = 255
    pixels[8:10, 38:45] = 170  # the sign between two letters is paler than they are
    pixels[4:14, 38:40] = 255
    assert [one.text for one in split_at_samples(pixels, Word("k = 1", Box(28, 4, 55, 13)))] == ["k = 1"]


def test_letters_of_four_pixels_are_no_keys() -> None:
    rows = (
        ".###..####.......##...##............................", ".##..##.........###...##....#...#.###..###..#######.",
        ".##..####......#.#..#.#....##.##.#.##...##.##.#.....", ".##.....#.#####..#.##.#.....#.#.#####.####.#..###...",
        ".##.....#.....##########....###.##...##.##.#....##..", "####.####........#....#......#...####.####.#..####..",
        ".............................#......................", "...........................###......................",
    )  # fmt: skip
    ink = np.array([[mark == "#" for mark in row] for row in rows])
    pixels = np.full((12, 56, 3), 255, np.float32)
    pixels[2:10, 2:54][ink] = 40
    assert split_at_samples(pixels, Word("15-44 years", Box(2, 2, 52, 9))) == [Word("15-44 years", Box(2, 2, 52, 9))]


def test_dashes_of_a_sample_read_with_its_name_are_no_letters() -> None:
    pixels = np.full((20, 80, 3), 255, np.float32)
    for x in (4, 14):
        pixels[9:11, x : x + 6] = 40
    for x in (28, 38, 48):
        pixels[4:15, x : x + 6] = 40
    (name,) = split_at_samples(pixels, Word("-- Abc", Box(4, 4, 53, 14)))
    assert (name.text, name.box) == ("Abc", Box(28, 4, 53, 14))


def test_the_ground_of_a_plot_is_no_fill_of_outlined_patches() -> None:
    figure, axes = blank()
    axes.set_facecolor("#ebebeb")
    axes.grid(color="white", lw=1.5)
    for n, (name, colour) in enumerate({"Land": "#4c72b0", "Coast": "#dd8452"}.items()):
        axes.bar(np.arange(3) + 0.25 * n, [3, 2, 4], 0.25, facecolor="none", edgecolor=colour, lw=2, label=name)
    axes.set_ylim(0, 7)
    axes.legend(loc="upper left", frameon=False)
    (panel,) = read_legend(*read(figure))
    assert _names(panel.legend) == ["Land", "Coast"]
    assert all(entry.hatch for entry in panel.legend.entries)
    assert panel.legend.entries[1].colour == pytest.approx((221, 132, 82), abs=20)  # a thin stroke is paler


def test_a_frame_close_around_open_markers_is_none_of_them() -> None:
    image = np.full((60, 200, 3), 255, np.uint8)
    cv2.rectangle(image, (10, 16), (190, 38), (40, 40, 40), 1)
    cv2.circle(image, (27, 28), 5, (228, 26, 28), 1)
    swatch = find_swatch(image.astype(np.float32), np.zeros((60, 200), bool), Box(50, 22, 76, 32), 11, "left", 60)
    assert swatch is not None
    assert (swatch.box.x0, swatch.box.x1) == (22, 32)


@pytest.mark.parametrize("size", [5.0, 6.0, 9.0])
def test_a_legend_of_discs_squares_and_triangles_names_markers(size: float) -> None:
    figure, axes = blank()
    for n, (name, marker) in enumerate((("Forest", "o"), ("Grassland", "s"), ("Wetland", "^"))):
        axes.plot(X, X + 5 * n, marker, markersize=size, label=name, color=list(COLOURS.values())[n])
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    (panel,) = read_legend(*read(figure))
    assert [entry.kind for entry in panel.legend.entries] == ["marker"] * 3
    assert [entry.marker for entry in panel.legend.entries] == ["circle", "square", "triangle"]


def test_years_beside_an_open_and_a_full_ring_are_a_legend_but_not_beside_equal_points() -> None:
    figure, axes = blank()
    for name, fill in (("1931", "white"), ("1932", "black")):
        axes.plot([], [], "o", markerfacecolor=fill, markeredgecolor="black", markersize=7, label=name)
    axes.plot([1, 9], [1, 9], alpha=0)
    axes.legend(loc="lower right")
    (panel,) = read_legend(*read(figure))
    assert _names(panel.legend) == ["1931", "1932"]
    figure, axes = blank(xlim=(0, 10), ylim=(0, 10))
    for n, year in enumerate(("1931", "1932", "1933")):
        axes.plot(5, 5 - n, "ko", markersize=7)
        axes.text(5.3, 5 - n, year, va="center")
    (panel,) = read_legend(*read(figure))
    assert not panel.legend.entries
