"""Labels gathered into ladders on all four sides, and seated on strokes; boxes and strokes placed by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tools.categories import fit_categories
from tools.ladders import Ladder, ends, find_ladders, join_lines, place
from tools.seating import Rails, glyph_seats, stroke_seats
from tools.types import Axis, Box, Side, Unreadable, Word

PLOT = Box(100, 50, 500, 350)


def word(text: str, x: float, y: float, width: float = 20, height: float = 10, angle: float = 0) -> Word:
    return Word(text, Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2), angle)


def rails(*pixels: float) -> Rails:
    return Rails("tick", np.array(pixels), np.ones(len(pixels)))


@pytest.mark.parametrize(
    ("side", "words", "order"),
    [
        ("bottom", [("b", 300, 362), ("a", 100, 362), ("c", 500, 362)], "abc"),
        ("top", [("b", 300, 38), ("a", 100, 38), ("c", 500, 38)], "abc"),
        ("left", [("b", 85, 200), ("a", 85, 50), ("c", 85, 350)], "abc"),
        ("right", [("b", 515, 200), ("a", 515, 50), ("c", 515, 350)], "abc"),
    ],
)
def test_a_ladder_on_each_side(side: Side, words: list[tuple[str, float, float]], order: str) -> None:
    everywhere = [word(*one) for one in words] + [word("inside", 300, 200), word("far out", 300, 900)]
    ladders = find_ladders(PLOT, everywhere, side)
    assert "".join(ladders[0].texts) == order
    assert 0 < ladders[0].near < ladders[0].far


def test_titles_and_tick_labels_are_two_rows() -> None:
    ladders = find_ladders(PLOT, [word("0", 100, 362), word("1", 500, 362), word("Time", 300, 385)], "bottom")
    assert [ladder.texts for ladder in ladders] == [("0", "1"), ("Time",)]


def test_a_column_of_long_and_short_names_is_one_ladder() -> None:
    words = [word("Stroke", 70, 100, 40), word("Ischaemic heart disease", 30, 200, 120), word("Cancer", 70, 300, 40)]
    words.append(word("Cause", -50, 200, 10, 60, 90))
    ladder = find_ladders(PLOT, words, "left")[0]
    assert ladder.texts == ("Stroke", "Ischaemic heart disease", "Cancer")


def test_words_of_the_next_panel_are_not_labels() -> None:
    other = Box(100, 450, 500, 750)
    words = [word("0", 100, 362), word("1", 500, 362), word("2", 300, 760), word("x", 300, 500)]
    assert [ladder.texts for ladder in find_ladders(PLOT, words, "bottom", [other])] == [("0", "1")]


def test_slanted_labels_belong_to_their_near_end() -> None:
    up = place(word("Apr 2020", 180, 380, 40, 40, 45), PLOT, "bottom")
    down = place(word("Apr 2020", 220, 380, 40, 40, -45), PLOT, "bottom")
    assert ends(up, "bottom")[1] == pytest.approx(200, abs=5)
    assert ends(down, "bottom")[1] == pytest.approx(200, abs=5)


def test_wrapped_names_are_joined_and_titles_are_not() -> None:
    words = [word("Traffic", 150, 362), word("Public", 260, 362), word("Weather", 450, 362)]
    words += [word("Transport", 260, 374, 30), word("Reason", 300, 386)]
    joined = join_lines(find_ladders(PLOT, words, "bottom"), PLOT)
    assert joined.texts == ("Traffic", "Public Transport", "Weather")


def test_labels_sit_on_ticks_at_one_offset_not_on_minor_neighbours() -> None:
    words = [word(str(i), 100 + 100 * i + 2, 362) for i in range(5)]
    ladder = find_ladders(PLOT, words, "bottom")[0]
    ticks = rails(*(100 + 100 * i + 0.25 for i in range(5)))
    best = stroke_seats(ladder, [ticks])[0]
    np.testing.assert_allclose(best.pixels, ticks.pixels)
    assert set(best.kinds) == {"tick"}
    assert best.offset == pytest.approx(-1.75)


def test_slanted_labels_between_ticks_are_seated_midway_by_their_near_end() -> None:
    words = [word(f"0{i}/01/2013", 130 + 100 * i, 385, 40, 40, 45) for i in range(4)]  # upper right ends at 150 + 100 i
    ladder = find_ladders(PLOT, words, "bottom")[0]
    best = min(stroke_seats(ladder, [rails(100, 200, 300, 400, 500)], between=True), key=lambda one: abs(one.offset))
    np.testing.assert_allclose(best.pixels, [150, 250, 350, 450])


def test_labels_are_not_seated_between_minor_ticks() -> None:
    ladder = find_ladders(PLOT, [word(str(k), 120 + 60 * k, 362) for k in range(3)], "bottom")[0]
    minor = np.array([p for k in range(3) for p in (102 + 60 * k, 130 + 60 * k, 140 + 60 * k)], dtype=float)
    for seating in stroke_seats(ladder, [Rails("tick", minor, np.ones(len(minor)))], between=True):
        assert all(kind == "glyph" or p in minor for p, kind in zip(seating.pixels, seating.kinds, strict=True))


def test_without_strokes_labels_sit_on_themselves() -> None:
    ladder = find_ladders(PLOT, [word("0", 100, 362), word("1", 500, 362)], "bottom")[0]
    assert stroke_seats(ladder, []) == []
    np.testing.assert_allclose(glyph_seats(ladder)[0].pixels, [100, 500])


def names(side: Side, labels: list[Word]) -> Axis | Unreadable:
    ladders = find_ladders(PLOT, labels, side)
    return fit_categories(join_lines(ladders, PLOT), ladders[1:], [])


def test_categories_are_slots_in_pixel_order() -> None:
    below = names("bottom", [word("Car", 350, 362), word("Bus", 150, 362), word("Tram", 250, 362)])
    assert isinstance(below, Axis)
    assert below.categories == ("Bus", "Tram", "Car")
    np.testing.assert_allclose(below.to_value([150, 250, 350]), [0, 1, 2], atol=1e-9)
    beside = names("left", [word("Last", 80, 300), word("First", 80, 100), word("Second", 80, 200)])
    assert isinstance(beside, Axis)
    assert beside.categories == ("First", "Second", "Last")
    assert float(beside.to_value(300)) == pytest.approx(2)


def test_categories_between_ticks_are_seated_midway() -> None:
    ladder = find_ladders(PLOT, [word(name, x, 362) for name, x in (("a", 151), ("b", 250), ("c", 349))], "bottom")[0]
    axis = fit_categories(ladder, [], [rails(100, 200, 300, 400)])
    assert isinstance(axis, Axis)
    np.testing.assert_allclose([anchor.pixel for anchor in axis.anchors], [150, 250, 350])


def test_wrapped_names_beside_bars_are_joined() -> None:
    lines = [("Public", 94), ("transport", 106), ("Car", 200), ("Bicycle", 294), ("or foot", 306)]
    axis = names("left", [word(text, 70, y) for text, y in lines])
    assert isinstance(axis, Axis)
    assert axis.categories == ("Public transport", "Car", "Bicycle or foot")


def test_two_levels_of_categories() -> None:
    words = [word(f"S{i}", 140 + 80 * i, 362) for i in range(5)]
    words += [word("Type 1", 220, 380, 30), word("Type 2", 420, 380, 30)]
    axis = names("bottom", words)
    assert isinstance(axis, Axis)
    assert axis.categories == ("Type 1/S0", "Type 1/S1", "Type 1/S2", "Type 2/S3", "Type 2/S4")


def test_a_missing_label_leaves_its_slot_empty_and_uneven_ones_are_refused() -> None:
    axis = names("bottom", [word(name, x, 362) for name, x in (("a", 150), ("b", 200), ("d", 300), ("e", 350))])
    assert isinstance(axis, Axis)
    assert axis.categories == ("a", "b", "", "d", "e")
    assert axis.confidence == "low"
    assert isinstance(names("bottom", [word(n, x, 362) for n, x in (("a", 150), ("b", 190), ("c", 260))]), Unreadable)


def test_tick_marks_without_a_readable_label_have_slots_too() -> None:
    ladder = find_ladders(PLOT, [word("b", 200, 362), word("d", 402, 362)], "bottom")[0]
    axis = fit_categories(ladder, [], [rails(100, 200, 300, 400, 500)])
    assert isinstance(axis, Unreadable)  # two of five
    axis = fit_categories(ladder, [], [rails(100, 200, 300, 400)])
    assert isinstance(axis, Axis)
    assert axis.categories == ("", "b", "", "d")
    np.testing.assert_allclose(axis.to_value([100, 200, 400]), [0, 1, 3], atol=1e-9)
    assert axis.warnings == ("2 category labels could not be read",)


def test_labels_far_apart_are_not_seated_between_the_sides_of_bars() -> None:
    ladder = find_ladders(PLOT, [word("Nov 2023", 150, 362, 60), word("Jan 2024", 450, 362, 60)], "bottom")[0]
    sides = rails(10, 310, 618)  # midway: 160 and 464
    assert all(set(one.kinds) == {"glyph"} for one in stroke_seats(ladder, [sides], between=True))


def test_an_empty_side_has_no_ladder() -> None:
    assert find_ladders(PLOT, [], "left") == ()
    assert Ladder("left", ()).texts == ()


def test_uneven_strokes_below_bars_are_their_edges_and_no_ticks_whose_labels_are_missing() -> None:
    ladder = find_ladders(PLOT, [word(f"Q{k}", 60 + 80 * k, 362) for k in range(1, 4)], "bottom")[0]
    edges = [x + 80 * k for k in range(1, 4) for x in (40, 55, 62, 77)]
    axis = fit_categories(ladder, [], [rails(*edges)])
    assert isinstance(axis, Axis)
    assert axis.categories == ("Q1", "Q2", "Q3")
    assert isinstance(fit_categories(ladder, [], [rails(*range(140, 301, 20))]), Unreadable)


def test_tick_marks_read_with_names_are_cut_off() -> None:
    labels = [("Rye-", 76), ("Wheat", 70), ("Maize", 70), ("Rice -", 76), ("Millet", 70), ("Co-op", 70)]
    row = [Word(text, Box(at - 30, 40 * k, at, 40 * k + 9)) for k, (text, at) in enumerate(labels, 1)]
    (column,) = find_ladders(Box(80, 20, 300, 280), row, "left")
    assert column.texts == ("Rye", "Wheat", "Maize", "Rice", "Millet", "Co-op")


def test_a_name_of_a_legend_in_the_line_of_one_label_is_none_of_its_words() -> None:
    column = [Word(f"K{k}", Box(60, 40 * k, 72, 40 * k + 9)) for k in range(1, 7)]
    (names,) = find_ladders(Box(80, 20, 300, 280), [*column, Word("Wild type", Box(0, 80, 40, 89))], "left")[:1]
    assert names.texts == tuple(word.text for word in column)
    spaced = [Word("No.", Box(30, 40 * k, 46, 40 * k + 9)) for k in range(1, 7)]
    (names,) = find_ladders(Box(80, 20, 300, 280), [*column, *spaced], "left")[:1]
    assert names.texts[0] == "No. K1"
