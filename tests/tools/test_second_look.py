"""Labels that were overlooked at first, read where the scale says that they stand."""

from __future__ import annotations

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import pytest

from tools.axes import calibrate
from tools.ocr import read_words
from tools.panels import find_panels
from tools.second_look import MOST, overlooked, with_words
from tools.types import Anchor, Axis, Box, Figure, Image, Panel, Word


def figure() -> Image:
    fig, ax = plt.subplots(figsize=(5, 3.2), dpi=100)
    ax.plot([0, 10], [0, 40])
    ax.set_xlim(0, 10)
    ax.set_ylim(0, 40)
    fig.canvas.draw()
    pixels = np.asarray(fig.canvas.buffer_rgba())[..., :3].copy()  # type: ignore[attr-defined]
    plt.close(fig)
    return pixels


PIXELS = figure()
WORDS = read_words(PIXELS)


def read(words: tuple[Word, ...]) -> Panel:
    shown = Figure(PIXELS)
    return calibrate(shown, find_panels(shown, WORDS), words)[0]


def texts(axis: Axis | None) -> list[str]:
    return [anchor.text for anchor in axis.anchors] if axis else []


def test_all_labels_are_read() -> None:
    panel = read(WORDS)
    assert texts(panel.x) == ["0", "2", "4", "6", "8", "10"]
    assert texts(panel.y) == ["40", "35", "30", "25", "20", "15", "10", "5", "0"]


@pytest.mark.parametrize("lost", ["0", "10", "25"])
def test_a_label_that_was_not_read_is_looked_for_again(lost: str) -> None:
    panel = read(tuple(word for word in WORDS if word.text != lost))
    assert texts(panel.x) == ["0", "2", "4", "6", "8", "10"]
    assert texts(panel.y) == ["40", "35", "30", "25", "20", "15", "10", "5", "0"]


def test_zeros_in_the_corner_read_as_one_word() -> None:
    zeros = [word for word in WORDS if word.text == "0"]
    assert len(zeros) == 2
    corner = Word("00", zeros[0].box.union(zeros[1].box), -54.0, 0.9)
    panel = read((*(word for word in WORDS if word.text != "0"), corner))
    assert texts(panel.x)[0] == "0"
    assert texts(panel.y)[-1] == "0"


def test_where_nothing_is_printed_nothing_is_read() -> None:
    from tools.ladders import find_ladders

    panel = read(WORDS)
    assert panel.y is not None
    (ladder, *_) = find_ladders(panel.plot, WORDS, "left")
    blank = np.full_like(PIXELS, 255)
    fewer = Axis("left", "linear", panel.y.slope, panel.y.intercept, panel.y.anchors[:4])
    assert overlooked(blank, fewer, ladder, panel.plot.y0, panel.plot.y1) == []
    assert len(overlooked(PIXELS, fewer, ladder, panel.plot.y0, panel.plot.y1)) == 5 <= MOST


def test_a_label_that_says_something_else_is_not_taken() -> None:
    panel = read(WORDS)
    assert panel.x is not None
    doubled = tuple(Anchor(a.pixel, 3 * a.value, a.text, a.seat, a.box) for a in panel.x.anchors[1:4])
    axis = Axis("bottom", "linear", 3 * panel.x.slope, 3 * panel.x.intercept, doubled)
    from tools.ladders import find_ladders

    (ladder, *_) = find_ladders(panel.plot, WORDS, "bottom")
    found = overlooked(PIXELS, axis, ladder, panel.plot.x0, panel.plot.x1)
    assert [word.text for word in found] == ["0"]


def test_new_labels_take_the_place_of_what_was_read_there() -> None:
    from tools.ladders import find_ladders

    plot = Box(50, 10, 250, 110)
    words = [Word("1", Box(30, 20, 40, 30)), Word("8%4", Box(28, 58, 44, 75))]
    (ladder,) = find_ladders(plot, words, "left")
    whole = with_words(ladder, [Word("0", Box(30, 60, 40, 70))], plot)
    assert whole.texts == ("1", "0")
