"""How frames of drawn figures were misread: labels in pieces and run together, plots seen as one, legends elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pytest

from tests.tools.test_axes import axis_of, drawn, seen
from tests.tools.test_axes import ends as scale_ends
from tests.tools.test_field_axes import X, agrees, canvas, ends, pixels_of, read
from tools.axis_factors import axis_offset
from tools.axis_fit import fit_numbers
from tools.grid_edges import on_grid
from tools.label_split import label_texts
from tools.ladders import find_ladders
from tools.legend import read_legend
from tools.legend_places import assign_legends
from tools.ocr import read_words
from tools.panels import _larger as larger
from tools.readings import read_dates, read_numbers
from tools.repeated import parted
from tools.seating import Rails, edge_rails
from tools.text_joins import with_joins
from tools.text_labels import with_greek
from tools.text_lines import Line
from tools.types import Axis, Box, Figure, Image, Legend, LegendEntry, Panel, Word, days, moment

PAPER = np.full((60, 200, 3), 255, np.uint8)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("193019351940", ["1930", "1935", "1940"]),
        ("2.5e+45.0e+47.5e+41.0e+5", ["2.5e+4", "5.0e+4", "7.5e+4", "1.0e+5"]),
        ("-1.0e+501.0e+52.0e+5", ["-1.0e+5", "0", "1.0e+5", "2.0e+5"]),
        ("80010001200", ["800", "1000", "1200"]),
        ("0.500.600.70", ["0.50", "0.60", "0.70"]),
    ],
)
def test_numbers_that_run_into_each_other_are_parted_by_their_even_steps(text: str, labels: list[str]) -> None:
    assert label_texts(text) == labels


@pytest.mark.parametrize("text", ["1000000000", "102030", "2012", "340.56789", "1930193519", "3.14159265"])
def test_a_long_number_stays_one(text: str) -> None:
    assert label_texts(text) == [text]


def _says(*texts: str) -> Any:
    """A reader that finds these words in every line."""

    def reader(lines: Sequence[Line]) -> list[list[Word]]:
        return [[Word(text, Box(0, 0, 9, 9)) for text in texts] for _ in lines]

    return reader


def test_the_pieces_of_a_number_are_joined_where_the_whole_reads_as_both() -> None:
    words = [Word("7.5", Box(10, 20, 28, 29)), Word("e+4", Box(39, 20, 64, 29)), Word("0", Box(58, 40, 64, 49))]
    whole = with_joins(PAPER, words, _says("7.50e+4"))
    assert [(word.text, word.box) for word in whole] == [("7.50e+4", Box(10, 20, 64, 29)), ("0", Box(58, 40, 64, 49))]
    assert with_joins(PAPER, words, _says("7.5", "e+4")) == words
    assert with_joins(PAPER, words, _says("1.50e+4")) == words


def test_a_day_and_its_month_are_one_label_beside_others_like_it() -> None:
    apart = [Word("2", Box(50, 20, 55, 28)), Word("nov", Box(65, 22, 83, 28))]
    other = Word("16 nov", Box(110, 20, 150, 28))
    assert [word.text for word in with_joins(PAPER, [*apart, other], _says())] == ["2 nov", "16 nov"]
    assert with_joins(PAPER, apart, _says()) == apart


def test_set_is_september_among_months_only() -> None:
    dates = read_dates(["jul 2012", "ago 2012", "set 2012", "out 2012"])[0]
    assert [moment(one[0].value).month for one in dates.readings] == [7, 8, 9, 10]
    assert dates.readings[2][0].value == days(moment(dates.readings[2][0].value))
    assert read_dates(["Set 1", "Set 2", "Set 3"]) == []


def test_words_of_one_line_of_a_column_are_one_label() -> None:
    words = [
        Word("No.", Box(52, 40, 73, 51)), Word("457", Box(100, 40, 131, 51)), Word("Peatland", Box(50, 80, 131, 91)),
        Word("Wisconsin No.", Box(4, 120, 84, 131)), Word("38", Box(112, 120, 131, 131)),
    ]  # fmt: skip
    (ladder,) = find_ladders(Box(150, 20, 400, 150), words, "left")
    assert ladder.texts == ("No. 457", "Peatland", "Wisconsin No. 38")


def test_tick_marks_read_as_letters_do_not_hide_the_names_under_them() -> None:
    def stubs(words: list[Word]) -> list[Word]:
        names = [word for word in words if word.text in ("Oats", "Rye", "Maize")]
        return [*words, *(Word("T", Box(w.box.centre[0] - 6, w.box.y0 - 9, w.box.centre[0] + 6, w.box.y0 - 2))
                          for w in names[:2])]  # fmt: skip

    fig = drawn(lambda ax: ax.bar(["Oats", "Rye", "Maize"], [1, 2, 3]))
    assert axis_of(fig, "bottom", words=stubs).categories == ("Oats", "Rye", "Maize")


def test_three_values_that_double_may_be_the_names_of_groups() -> None:
    fig = drawn(lambda ax: ax.set(xlim=(-0.5, 2.5), xticks=[0, 1, 2], xticklabels=["0.5", "1", "2"]))
    axis = axis_of(fig, "bottom")
    assert axis.confidence == "low"
    assert any("names of groups" in note for note in axis.warnings)


def test_a_lost_minus_and_a_lost_point_are_given_back_by_the_ladder() -> None:
    ticks = np.arange(-10, 11, 5)
    fig = drawn(lambda ax: ax.set(ylim=(-12, 12), yticks=ticks))
    axis = axis_of(fig, "left", words=lambda ws: [replace(w, text=w.text.replace("-10", "10")) for w in ws])
    assert scale_ends(axis) == pytest.approx((-12, 12), abs=0.1)
    labels = ["340.567", "340.568", "340.569", "340.570"]
    fig = drawn(lambda ax: ax.set(ylim=(0, 3), yticks=range(4), yticklabels=labels))
    axis = axis_of(fig, "left", words=lambda ws: [replace(w, text=w.text.replace("340.568", "340568")) for w in ws])
    assert scale_ends(axis) == pytest.approx((340.567, 340.570), abs=1e-5)


def test_bars_without_an_axis_line_are_upright_however_their_labels_lie() -> None:
    fig, ax = canvas()
    ax.bar(range(5), [120, 800, 430, 640, 300], color="#4c72b0")
    ax.set(ylim=(0, 850), yticks=range(0, 801, 200))
    ax.spines[["left", "top", "right"]].set_visible(False)
    ax.tick_params(left=False)
    for k, label in enumerate(ax.get_yticklabels()):
        label.set_x(-0.004 * k)  # not quite flush
    wanted = ends(fig, ax)[1]
    (panel,) = read(pixels_of(fig))
    axis = panel.axis("left")
    assert axis is not None
    base, top = (float(axis.to_value(at)) for at in (panel.plot.y1, panel.plot.y0))
    assert base == pytest.approx(0, abs=5)
    assert top <= wanted[1] + 5


def test_plots_on_top_of_each_other_are_parted_where_their_labels_begin_anew() -> None:
    texts = ["60", "40", "20", "0"]
    words = [
        Word(text, Box(30, 40 + 40 * k + 200 * n, 42, 48 + 40 * k + 200 * n))
        for n in range(2) for k, text in enumerate(texts)
    ]  # fmt: skip
    left, right = Box(50, 45, 200, 365), Box(260, 45, 410, 365)
    assert parted([left, right], words) == [
        [Box(50, 45, 200, 165), Box(50, 245, 200, 365)], [Box(260, 45, 410, 165), Box(260, 245, 410, 365)],
    ]  # fmt: skip
    assert parted([left], words[:4]) == [[left]]
    assert parted([left], [replace(word, text=str(9 - i)) for i, word in enumerate(words)]) == [[left]]


def _coloured(plots: Sequence[Box], colours: Sequence[Sequence[tuple[int, int, int]]]) -> Image:
    """White pixels with a stroke of each of its colours in every plot."""
    pixels = np.full((400, 300, 3), 255, np.uint8)
    for plot, own in zip(plots, colours, strict=True):
        for k, colour in enumerate(own):
            pixels[int(plot.y0) + 10 + 8 * k, int(plot.x0) + 5 : int(plot.x1) - 5] = colour
    return pixels


def test_a_legend_between_two_panels_belongs_to_the_one_in_its_colours() -> None:
    upper, lower = Box(40, 20, 280, 140), Box(40, 220, 280, 340)
    red, green, blue = (200, 30, 30), (30, 150, 40), (40, 60, 200)
    entries = [LegendEntry(name, colour, "line") for name, colour in zip("abc", (red, green, blue), strict=True)]
    legend = Legend(tuple(entries), Box(60, 190, 200, 205))  # nearer to the lower one
    panels = [Panel(plot.grown(10), plot) for plot in (upper, lower)]
    pixels = _coloured((upper, lower), ((red, green, blue), (blue,))).astype(np.float32)
    assert [bool(one.entries) for one in assign_legends([legend, Legend((entries[0],), lower)], panels, pixels)] == [
        True, True,
    ]  # fmt: skip
    assert assign_legends([legend, Legend((entries[0],), lower)], panels, pixels)[0] is legend
    both = _coloured((upper, lower), ((red, green, blue), (red, green, blue))).astype(np.float32)
    assert (
        assign_legends([legend, Legend((entries[0],), lower)], panels, both)[0] is legend
    )  # the lower one has its own
    assert assign_legends([legend], [panels[1], panels[0]], both)[0] is legend


@pytest.mark.parametrize("marker", ["x", "o"])
def test_crosses_and_rings_before_names_are_no_letters(marker: str) -> None:
    fig, ax = plt.subplots(figsize=(4.4, 3.2), dpi=100)
    rng = np.random.default_rng(2)
    names = ["Falun", "Dunmore", "Lagos"]
    for k, name in enumerate(names):
        shape = {"marker": marker if k == 0 else "s^"[k - 1], "facecolors": None if marker == "x" else "none"}
        ax.scatter(rng.random(12), rng.random(12) + k, color="k" if marker == "x" else None,
                   edgecolors=None if marker == "x" else "k", label=name, **shape)  # fmt: skip
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncol=3, handletextpad=0.3)
    pixels = pixels_of(fig)
    words = read_words(pixels)
    (panel,) = read_legend(Figure(pixels), read(pixels), words)
    assert {entry.name for entry in panel.legend.entries} == set(names)


def test_two_plots_read_side_by_side_have_the_axes_that_they_have_alone() -> None:
    apart, wanted = [], []
    for top in (30.0, 7000.0):
        fig, ax = canvas()
        ax.plot(X * 50, top * X)
        wanted.append(ends(fig, ax))
        apart.append(pixels_of(fig))
    panels = read(np.hstack(apart))
    assert len(panels) == 2
    for panel, (x, y) in zip(panels, wanted, strict=True):
        assert agrees(panel.x, panel, x)
        assert agrees(panel.y, panel, y)


def test_a_plot_off_its_row_has_the_sides_of_the_others() -> None:
    row = [Box(20 + 110 * k, 30, 110 + 110 * k, 90) for k in range(3)]
    odd = replace(row[2], y0=31.4, x0=243)
    assert on_grid([*row[:2], odd])[2] == Box(243, 30, 330, 90)  # no column of three says where it begins
    assert on_grid([row[0], odd]) == [row[0], odd]


def test_labels_without_strokes_stand_on_the_edge_beside_their_zero() -> None:
    fig = drawn(lambda ax: (ax.set(ylim=(0, 60), yticks=range(0, 61, 20)), ax.tick_params(length=0)))
    low = [replace(w, box=replace(w.box, y0=w.box.y0 - 2, y1=w.box.y1 - 2)) for w in seen(fig)[2]]
    fig = drawn(lambda ax: (ax.set(ylim=(0, 60), yticks=range(0, 61, 20)), ax.tick_params(length=0)))
    axis = axis_of(fig, "left", words=lambda _: low)
    assert scale_ends(axis)[0] == pytest.approx(0, abs=0.15)


def test_the_edge_of_a_plot_does_not_bend_an_axis_whose_grid_lines_agree() -> None:
    ladder_words = [Word(str(25 * k), Box(10, 296 - 66 * k, 30, 304 - 66 * k)) for k in range(5)]
    (ladder,) = find_ladders(Box(40, 23, 360, 299), ladder_words, "left")
    grid = Rails("grid", np.array([36.0, 102.0, 168.0, 234.0]), np.ones(4))
    axis = fit_numbers(ladder, read_numbers(ladder.texts), [grid, edge_rails(23, 299)], 276)
    assert isinstance(axis, Axis)
    assert float(axis.to_value(300)) == pytest.approx(0, abs=0.02)


@pytest.mark.parametrize(("x", "factor"), [(370, True), (420, False), (470, False)])
def test_a_power_under_the_next_panel_is_no_factor_of_this_axis(x: float, factor: bool) -> None:
    word = Word("10^2", Box(x, 325, x + 28, 337))
    assert (axis_offset("bottom", Box(100, 40, 400, 300), [word], 20) is not None) is factor


def test_charts_on_cards_of_their_own_are_found_as_each_alone() -> None:
    pictures, alone = [], []
    for ground, top in (("#d5e4eb", 5.0), ("white", 300.0), ("#eaeaf2", 7000.0)):
        fig, ax = canvas(3.6, 2.6)
        fig.set_facecolor(ground)
        ax.set_facecolor(ground)
        ax.grid(color="white" if ground != "white" else "#dddddd")
        ax.spines[["top", "right", "left"]].set_visible(False)
        ax.plot(X * 50, top * X)
        pictures.append(pixels_of(fig))
        (panel,) = read(pictures[-1])
        alone.append(panel.plot)
    gap = np.full((pictures[0].shape[0], 24, 3), 255, np.uint8)
    panels = read(np.hstack([one for picture in pictures for one in (gap, picture)]))
    assert len(panels) == 3
    for k, (panel, plot) in enumerate(zip(panels, alone, strict=True)):
        shift = 24 * (k + 1) + k * pictures[0].shape[1]
        found = (panel.plot.x0 - shift, panel.plot.y0, panel.plot.x1 - shift, panel.plot.y1)
        assert found == pytest.approx((plot.x0, plot.y0, plot.x1, plot.y1), abs=1.1)
        assert (panel.x is not None and panel.x.confidence) == "high"


def test_a_chart_found_in_its_part_gives_way_to_a_larger_plot_but_not_to_its_card() -> None:
    part = Box(10, 10, 310, 210)
    chart = Panel(part, Box(50, 30, 300, 180))

    def stays(plot: Box) -> bool:
        return larger(chart, [chart], [Panel(plot, plot)], [], (400, 400)) is chart

    assert stays(part)
    assert stays(Box(36, 30, 300, 180))  # the same plot, found less well among others
    assert not stays(Box(50, 30, 300, 230))  # the blank that parts it from the rest is one between grid lines


def test_greek_letters_are_told_from_capitals_by_where_they_stand() -> None:
    def glyphs(*rows: tuple[int, int]) -> list[Box]:
        return [Box(10.0 * i, y0, 10.0 * i + 7, y1) for i, (y0, y1) in enumerate(rows)]

    tall, low, hanging = (0, 9), (3, 9), (3, 12)
    assert with_greek("IFN-Y", glyphs(tall, tall, tall, (6, 6), hanging)) == "IFN-γ"
    assert with_greek("IFN-Y", glyphs(tall, tall, tall, (6, 6), tall)) == "IFN-Y"
    assert with_greek("T K", glyphs(tall, low)) == "T κ"
    assert with_greek("TK", glyphs(tall, tall)) == "TK"
    assert with_greek("IFNY", glyphs(tall, tall, hanging)) == "IFNY"  # letters that touch are not compared
