"""Lines over bars get points on the bars' dates; bars finer than a year on an axis of years; curves over bars."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from tests.tools.shapes import cover, ink_of, polygon, stroke
from tools.bar_dates import on_bar_dates
from tools.flying_curves import flies_over
from tools.rectangles import Rectangle
from tools.types import Anchor, Axis, Box, Mark, Panel, Series, days
from tools.year_axes import in_days

DATES = Axis("bottom", "date", 0.25, 18000.0)  # 4 px a day


def _panel() -> Panel:
    return Panel(Box(0, 0, 400, 200), Box(10, 10, 390, 190), axes=(DATES, Axis("left", "linear", -1.0, 190.0)))


def _series(kind: str, places: list[float], part: str) -> Series:
    marks = tuple(Mark(part, x, 100 - 0.1 * x, sigma=0.2) for x in places)  # type: ignore[arg-type]
    return Series("", (0, 0, 0), kind, marks, "left")  # type: ignore[arg-type]


@pytest.mark.parametrize(("every", "filled"), [(2, True), (7, False)])
def test_points_every_other_day_are_filled_and_weekly_ones_are_not(every: int, filled: bool) -> None:
    bars = _series("bar", [20 + 4.0 * n for n in range(85)], "bar")
    line = _series("line", [20 + 4.0 * n for n in range(0, 85, every)], "vertex")
    _, found = on_bar_dates(_panel(), [bars, line])
    assert [mark.x for mark in found.marks] == ([m.x for m in bars.marks] if filled else [m.x for m in line.marks])
    np.testing.assert_allclose([mark.y for mark in found.marks], [100 - 0.1 * mark.x for mark in found.marks])


def test_bars_finer_than_a_year_stand_on_days() -> None:
    anchors = tuple(Anchor(365.0 * n, 2017.0 + n, str(2017 + n)) for n in range(3))
    axis = Axis("bottom", "linear", 1 / 365, 2017.0, anchors, calendar="year")
    bars = [Rectangle(30.4 * n, 30.4 * n + 25, 0, 10) for n in range(24)]
    found = in_days(axis, bars)
    assert found is not None
    assert found.scale == "date"
    assert float(found.to_value(0.0)) == pytest.approx(days(date(2017, 1, 1)), abs=1e-6)
    assert in_days(axis, [Rectangle(365.0 * n, 365.0 * n + 300, 0, 10) for n in range(24)]) is axis


def test_a_curve_over_bars_flies_and_segments_do_not() -> None:
    points = [(5.0 + 3 * n, 100 - 1.1 * n + 4 * np.sin(n)) for n in range(80)]
    curve = cover(120, 260, lambda canvas: stroke(canvas, points, 4))

    def rows(canvas: np.ndarray) -> None:
        for n in range(20):
            x, y = 5 + 12 * n, 60 + 20 * (n % 3)
            polygon(canvas, [(x, y), (x + 9, y), (x + 9, y + 4), (x, y + 4)])

    ink = ink_of([(curve, (55, 126, 184), "sum"), (cover(120, 260, rows), (200, 90, 30), "part")])
    assert flies_over(ink, ink.layers[0])
    assert not flies_over(ink, ink.layers[1])
