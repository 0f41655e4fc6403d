import numpy as np

from tools.ladders import Ladder, place
from tools.seating import Rails, glyph_seats, stroke_seats
from tools.types import Box, Word

PLOT = Box(0, 0, 600, 300)


def _ladder(places: list[float], widths: list[float], angle: float = 0.0) -> Ladder:
    tall = 16.0 if angle == 0 else 80.0  # 130 px of text, 18 px high, at 30 degrees
    words = [Word("7", Box(x - w / 2, 310, x + w / 2, 310 + tall)) for x, w in zip(places, widths, strict=True)]
    if angle:
        words = [Word("2021-01", word.box, angle) for word in words]
    return Ladder("bottom", tuple(place(word, PLOT, "bottom") for word in words))


def test_labels_with_signs_and_leading_spaces_are_each_at_its_own_stroke() -> None:
    ticks = Rails("tick", np.arange(7, dtype=np.float64) * 90 + 20, np.ones(7))
    shifts = [-0.4, -0.5, -0.4, 3.4, 3.5, 3.4, 3.5]  # gnuplot prints numbers without a minus behind a space
    found = stroke_seats(_ladder([*(ticks.pixels + shifts)], [20.0] * 7), [ticks])
    assert any(seat.pixels.tolist() == ticks.pixels.tolist() and seat.stroke_share == 1 for seat in found)


def test_slanted_labels_end_at_their_strokes_whatever_their_last_letter() -> None:
    ticks = Rails("tick", np.arange(6, dtype=np.float64) * 110 + 40, np.ones(6))
    ends = ticks.pixels - 10 - np.array([0.0, 2.8, 0.0, 2.8, 0.0, 2.8])
    ladder = _ladder([*(ends - 61)], [122.0] * 6, 30.0)
    assert stroke_seats(ladder, [ticks])[0].stroke_share == 1
    (alone,) = glyph_seats(ladder)
    assert np.abs(alone.pixels - ends).max() < 8  # by their ends, not by their middles


def test_slanted_labels_centred_below_their_ticks_are_not_put_midway() -> None:
    ticks = Rails("tick", np.arange(7, dtype=np.float64) * 54 + 40, np.ones(7))
    ladder = _ladder([*ticks.pixels], [74.0] * 7, 30.0)  # their ends stand midway between the ticks
    found = stroke_seats(ladder, [ticks], between=True)
    assert found
    assert all(seat.pixels.tolist() == ticks.pixels.tolist() for seat in found)
