"""Factors at the end of an axis, and other ways in which a confident axis may be wrong by powers of ten."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tests.tools.test_axes import axis_of, drawn
from tools.axes import NUMBER_LIKE
from tools.axis_factors import axis_offset, doubted, scaled
from tools.axis_fit import fit_numbers
from tools.label_split import label_texts
from tools.ladders import find_ladders
from tools.readings import read_numbers
from tools.seating import Rails, edge_rails
from tools.sharing import borrow
from tools.types import Anchor, Axis, Box, Panel, Word

PLOT = Box(60, 100, 400, 300)


def word(text: str, right: float, middle: float, wide: float = 24) -> Word:
    return Word(text, Box(right - wide, middle - 5, right, middle + 5))


def left_axis(words: Sequence[Word], values: Sequence[float]) -> Axis:
    """A left axis of labels that are exact at their middles."""
    anchors = tuple(Anchor(w.box.centre[1], v, w.text, "tick", w.box) for w, v in zip(words, values, strict=True))
    slope, intercept = np.polyfit([one.pixel for one in anchors], values, 1)
    return Axis("left", "linear", float(slope), float(intercept), anchors, 0.0)


@pytest.mark.parametrize(
    ("text", "factor"), [("1e6", 1e6), ("_1e6", 1e6), ("'1e-3", 1e-3), ("E2", None), ("1e1", None), ("total", None)]
)
def test_a_factor_is_read_behind_the_stub_of_a_spine(text: str, factor: float | None) -> None:
    one = Word(text, Box(62, 82, 90, 94))
    assert axis_offset("left", PLOT, [one], 25) == (None if factor is None else (factor, one))


@pytest.mark.parametrize(("middle", "found"), [(-40, True), (-150, False)])
def test_a_factor_stands_above_the_topmost_label_where_the_plot_seems_lower(middle: float, found: bool) -> None:
    read = [word("1.0", 50, 100), word("0.5", 50, 200), word("0.0", 50, 300)]
    missed = [word("1.5", 50, 0)]
    factor = word("1e6", 90, middle)
    axis = scaled(left_axis(read, [1.0, 0.5, 0.0]), PLOT, [*read, *missed, factor], 40)
    assert axis.anchors[0].value == (1e6 if found else 1.0)


def test_a_factor_that_no_axis_takes_is_a_doubt_about_the_axes_of_the_nearest_panel_alone() -> None:
    labels = [word("1.0", 50, 100), word("0.0", 50, 300)]
    panels = [
        Panel(plot.grown(40), plot, axes=(left_axis(labels, [1.0, 0.0]),))
        for plot in (PLOT, Box(560, 100, 900, 300))
    ]  # fmt: skip
    factor = Word("1e5", Box(555, 84, 580, 94))
    first, second = doubted(panels, [*labels, factor])
    assert first == panels[0]
    assert second.axes[0].confidence == "low"
    assert "'1e5'" in second.axes[0].warnings[-1]
    far = Word("1e5", Box(700, 20, 725, 30))
    assert doubted(panels, [*labels, far]) == tuple(panels)


def test_thousands_parted_by_a_wide_space_are_one_label() -> None:
    words = [word("1 000", 50, 100, 40), word("0", 50, 200, 6)]
    words += [word("-1", 24, 300, 14), word("000", 50, 300, 22)]
    (ladder,) = find_ladders(Box(60, 90, 400, 310), words, "left")
    assert ladder.texts == ("1 000", "0", "-1 000")


@pytest.mark.parametrize(
    ("text", "labels"),
    [("1 000 000", ["1 000 000"]), ("-1 250 000", ["-1 250 000"]), ("100 200 300", ["100", "200", "300"])],
)
def test_a_number_of_millions_is_no_row_of_labels(text: str, labels: list[str]) -> None:
    assert label_texts(text) == labels


def test_years_are_not_negative_and_an_end_of_a_number_is_a_doubt() -> None:
    numbers = read_numbers(["2017", "2018", "2019"])
    assert all(reading.value > 0 for options in numbers.readings for reading in options)
    assert not numbers.doubt
    assert "starts with a zero" in read_numbers(["000", "500", "900"]).doubt


@pytest.mark.parametrize(("texts", "confidence"), [(["20", "40", "60"], "high"), (["20", "20", "60"], "low")])
def test_two_labels_prove_no_third(texts: list[str], confidence: str) -> None:
    words = [Word(text, Box(x - 6, 310, x + 6, 320)) for text, x in zip(texts, (100, 200, 300), strict=True)]
    (ladder,) = find_ladders(PLOT, words, "bottom")
    ticks = Rails("tick", np.array([100.0, 200.0, 300.0]), np.ones(3))
    axis = fit_numbers(ladder, read_numbers(ladder.texts), [ticks, edge_rails(60, 400)], 340)
    assert isinstance(axis, Axis)
    assert axis.confidence == confidence


def test_names_that_go_on_beyond_four_quarters_are_categories() -> None:
    axis = axis_of(drawn(lambda ax: ax.bar(["Q3", "Q4", "Q5"], [1, 2, 3])), "bottom")
    assert (axis.scale, axis.categories) == ("category", ("Q3", "Q4", "Q5"))


@pytest.mark.parametrize(
    ("text", "like"),
    [("10^2", True), ("10º", True), ("10-1", True), ("2016-11", True), ("03.11.2020", True), ("10 mg", False)],
)
def test_powers_and_dates_look_like_no_names(text: str, like: bool) -> None:
    assert (NUMBER_LIKE.fullmatch(text) is not None) is like


@pytest.mark.parametrize(("left", "confidence"), [(60, "high"), (56, "low")])
def test_an_axis_lent_to_a_plot_of_another_size_is_doubtful_without_strokes(left: float, confidence: str) -> None:
    below = Axis("bottom", "linear", 0.1, 0.0, (Anchor(100, 10, "10", "tick"), Anchor(300, 30, "30", "tick")), 0.0)
    panels = [Panel(PLOT.grown(20), PLOT), Panel(Box(30, 380, 420, 650), Box(left, 400, 400, 600))]
    lent = borrow(panels, 0, "bottom", [{}, {"bottom": below}], [edge_rails(60, 400)], [])
    assert isinstance(lent, Axis)
    assert lent.confidence == confidence
