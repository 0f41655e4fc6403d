"""Bars and areas that renderers cut, merged or drew apart, from hand-made paths: every place is known."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from tools.types import Axis, Box, Drawing, Panel, VectorPath, Word
from tools.vector_bins import joined, without_samples
from tools.vector_legend import find_legend
from tools.vector_series import read_vector
from tools.vector_strokes import straights, tick_rails

BLUE, BLACK = (0, 110, 190), (0, 0, 0)
PLOT = Box(100, 50, 500, 350)
UP = Axis("left", "linear", -0.1, 35.0)  # 0 at the bottom, 30 at the top
ALONG = Axis("bottom", "linear", 0.1, -10.0)  # 0 to 40
PANEL = Panel(PLOT.grown(60), PLOT, axes=(UP, ALONG))
Corners = list[tuple[float, float]]


def _fill(corners: Corners, order: int = 0) -> VectorPath:
    return VectorPath(np.array(corners, dtype=np.float64), closed=True, fill=BLUE, order=order)


def _box(x0: float, y0: float, x1: float, y1: float = 350.0) -> Corners:
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def _stroke(points: Corners, order: int = 0) -> VectorPath:
    return VectorPath(np.array(points, dtype=np.float64), stroke=BLACK, width=1.0, order=order)


def test_bars_of_one_height_drawn_as_one_outline_with_their_borders_apart() -> None:
    merged = [(200.0, 350.0), (200, 300), (250, 300), (300, 300), (300, 350), (250, 350)]
    fills = [_fill(_box(100, 250, 150)), _fill(_box(150, 150, 200), 1), _fill(merged, 2), _fill(_box(300, 320, 350), 3)]
    borders = [_stroke([*_box(100 + 50 * k, y, 150 + 50 * k), (100 + 50 * k, y)], 4 + k)
               for k, y in enumerate((250, 150, 300, 300, 320))]  # fmt: skip
    (one,) = read_vector(PANEL, Drawing((*fills, *borders)))
    assert one.kind == "histogram"
    assert [(mark.x, mark.y) for mark in one.marks] == [(125, 250), (175, 150), (225, 300), (275, 300), (325, 320)]


def test_an_area_cut_into_triangles() -> None:
    top = [(100.0, 200.0), (200, 120), (300, 260), (400, 90), (500, 160)]
    pieces: list[VectorPath] = []
    for (x0, y0), (x1, y1) in pairwise(top):
        pieces += [_fill([(x0, 350), (x0, y0), (x1, y1)], len(pieces)), _fill([(x0, 350), (x1, y1), (x1, 350)])]
    pieces = [VectorPath(p.points, True, fill=BLUE, order=k) for k, p in enumerate(pieces)]
    (one,) = read_vector(PANEL, Drawing(tuple(pieces)))
    assert one.kind == "area"
    assert [(mark.x, mark.y) for mark in one.marks] == top
    assert {mark.box.y1 for mark in one.marks if mark.box} == {350.0}


@pytest.mark.parametrize("side", ["left", "right", "both"])
def test_gaps_between_bins_are_closed_on_round_edges(side: str) -> None:
    cut = {"left": (1.0, 0.0), "right": (0.0, 1.0), "both": (0.5, 0.5)}[side]
    bars = [_fill(_box(100 + 25 * k + cut[0], 300 - 20 * k, 125 + 25 * k - cut[1]), k) for k in range(6)]
    (one,) = read_vector(PANEL, Drawing(tuple(bars)))
    assert one.kind == "histogram"
    edges = [(mark.box.x0, mark.box.x1) for mark in one.marks if mark.box]
    assert edges == [(100 + 25 * k, 125 + 25 * k) for k in range(6)]


def test_wide_gaps_stay() -> None:
    bars = [_fill(_box(100 + 50 * k, 300 - 20 * k, 130 + 50 * k), k) for k in range(6)]
    (one,) = read_vector(PANEL, Drawing(tuple(bars)))
    assert joined(one.marks, ALONG) == list(one.marks)


def test_a_sample_of_the_key_floats_above_the_base_line() -> None:
    bars = [Box(100 + 50 * k, 300 - 20 * k, 130 + 50 * k, 350) for k in range(5)]
    assert without_samples([*bars, Box(400, 80, 450, 95)]) == [True] * 5 + [False]
    assert without_samples([*bars, Box(400, 350, 430, 380)]) == [True] * 6  # a negative bar hangs from it
    lying = [Box(b.y0, b.x0, b.y1, b.x1) for b in bars]
    assert without_samples([*lying, Box(80, 400, 95, 450)]) == [True] * 5 + [False]


def test_sides_of_bars_are_no_ticks() -> None:
    ticks = [_stroke([(100 + 100 * k, 350), (100 + 100 * k, 342)], k) for k in range(5)]
    bars = [_stroke([*_box(130 + 30 * k, 330, 160 + 30 * k), (130 + 30 * k, 330)], 9 + k) for k in range(4)]
    rails = tick_rails(straights(Drawing((*ticks, *bars))), PLOT, "bottom")
    assert rails is not None
    assert rails.pixels.tolist() == [100, 200, 300, 400, 500]


def test_an_area_that_the_edge_of_the_plot_cuts_off_reaches_down_to_zero() -> None:
    high = Panel(PLOT.grown(60), PLOT, axes=(Axis("left", "linear", -0.1, 45.0), ALONG))  # 10 at the bottom
    ring = [(100.0, 350.0), (100, 200), (300, 120), (500, 160), (500, 350)]
    (one,) = read_vector(high, Drawing((_fill(ring),)))
    assert {mark.box.y1 for mark in one.marks if mark.box} == {450.0}


def test_words_centred_beside_samples_make_a_legend() -> None:
    paths = [VectorPath(np.array(_box(400, 80 + 20 * k, 430, 90 + 20 * k)), True, fill=(90 * k, 0, 0), order=k)
             for k in range(3)]  # fmt: skip
    starts = (440.0, 446.0, 436.0)
    words = [Word(name, Box(x, 78 + 20 * k, 480 - x + 440, 92 + 20 * k))
             for k, (name, x) in enumerate(zip(("coal", "gas", "lignite"), starts, strict=True))]  # fmt: skip
    legend = find_legend(Drawing(tuple(paths)), words)
    assert legend is not None
    assert [entry.name for entry in legend.entries] == ["coal", "gas", "lignite"]


def test_bars_cut_in_two_with_their_borders_apart() -> None:
    paths = []
    for k, top in enumerate((120.0, 260, 90, 200, 310)):
        a, b, c, d = _box(110 + 80 * k, top, 150 + 80 * k)
        paths += [_fill([a, b, c], 3 * k), _fill([a, c, d], 3 * k + 1), _stroke([a, b, c, d, a], 3 * k + 2)]
    (one,) = read_vector(PANEL, Drawing(tuple(paths)))
    assert (one.kind, one.colour) == ("bar", BLUE)
    assert [mark.y for mark in one.marks] == [120, 260, 90, 200, 310]


def test_names_before_their_samples_are_a_legend() -> None:
    def ring(x: float, y: float, colour: tuple[int, int, int], order: int) -> VectorPath:
        ends = np.array([(x - 6, y), (x, y - 6), (x + 6, y), (x, y + 6)], dtype=np.float64)
        return VectorPath(ends, closed=True, curved=True, stroke=colour, order=order)

    colours = ((0, 128, 255), (255, 0, 255), (0, 100, 0))
    names = ("low", "mid", "high")
    rings = [ring(520, 100 + 30 * k, colour, k) for k, colour in enumerate(colours)]
    words = [Word(name, Box(420, 90 + 30 * k, 440 + 12 * k, 110 + 30 * k)) for k, name in enumerate(names)]
    legend = find_legend(Drawing(tuple(rings)), words)
    assert legend is not None
    assert [(entry.name, entry.colour) for entry in legend.entries] == list(zip(names, colours, strict=True))
    numbers = [Word(str(10 * k), word.box) for k, word in enumerate(words)]
    assert find_legend(Drawing(tuple(rings)), numbers) is None  # labels of an axis before its marks


def test_the_last_dash_of_a_sample_is_no_sign_of_its_name() -> None:
    solid = VectorPath(np.array([(300.0, 100), (360, 100)]), stroke=(190, 30, 45), width=2.0, order=0)
    dashed = VectorPath(np.array([(300.0, 150), (360, 150)]), stroke=(39, 170, 225), width=2.0, dash=(18, 9), order=1)
    letters = [
        VectorPath(np.array([(376.0, y - 10), (450, y - 10), (450, y + 10), (376, y + 10)]), closed=True,
                   fill=(0, 0, 0), order=2 + k)
        for k, y in enumerate((100, 150))
    ]  # fmt: skip
    words = [Word("Site A", Box(376, 88, 451, 112)), Word("- Site B", Box(355, 138, 451, 162))]
    legend = find_legend(Drawing((solid, dashed, *letters)), words)
    assert legend is not None
    assert [entry.name for entry in legend.entries] == ["Site A", "Site B"]


def test_borders_that_end_above_the_base_of_their_bars_are_no_series() -> None:
    tops = (250.0, 150, 300, 200)
    fills = [_fill(_box(100 + 50 * k, y, 150 + 50 * k, 353.4), 2 * k) for k, y in enumerate(tops)]
    borders = [
        VectorPath(np.array(_box(100 + 50 * k, y, 150 + 50 * k)), closed=True, stroke=(230, 236, 246), order=2 * k + 1)
        for k, y in enumerate(tops)
    ]
    (only,) = read_vector(PANEL, Drawing((*fills, *borders)))
    assert [mark.y for mark in only.marks] == list(tops)
