"""Axes through the bounds that strokes on whole pixels give."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tools.rounding import jump_of, settled
from tools.types import Anchor, Axis, Box, Panel, Side

SLOPE, START = -1 / 46.37, 9.0  # value per px of the true axis, value at pixel 0
VALUES = (2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0)


def panel(places: list[float], side: Side = "left", scale: str = "linear") -> Panel:
    """A panel whose axis has these strokes at VALUES and the least-squares line through them."""
    values = VALUES[: len(places)]
    slope, intercept = np.polyfit(places, values, 1)
    residual = float(np.sqrt(np.mean(((np.array(values) - intercept) / slope - places) ** 2)))
    anchors = tuple(Anchor(p, v, f"{v:g}", "tick") for p, v in zip(places, values, strict=True))
    axis = Axis(side, scale, float(slope), float(intercept), anchors, residual)  # type: ignore[arg-type]
    return Panel(Box(0, 0, 500, 400), Box(40, 20, 480, 370), axes=(axis,))


def places(rounded: bool = True) -> list[float]:
    at = (np.array(VALUES) - START) / SLOPE
    return [float(p) for p in (np.floor(at + 1) if rounded else at)]


def off(axis: Axis) -> float:
    """The largest distance, in px, from the true axis over the plot."""
    ends = np.array([20.0, 370.0])
    return float(np.abs((axis.to_value(ends) - (SLOPE * ends + START)) / SLOPE).max())


def test_strokes_moved_to_the_right_and_down_by_rounding_are_moved_back() -> None:
    (before,) = panel(places()).axes
    (after,) = settled([panel(places())])[0].axes
    assert off(before) > 0.4
    assert off(after) < 0.2
    assert after.anchors == before.anchors


def test_every_mark_keeps_within_its_bounds() -> None:
    (axis,) = settled([panel(places())])[0].axes
    apart = np.array(places()) - axis.to_pixel(np.array(VALUES))
    assert apart.min() > -0.1
    assert apart.max() < 1.1


def test_strokes_between_pixels_are_right_on_average() -> None:
    at = (np.array(VALUES) - START) / SLOPE
    (axis,) = settled([panel([float(p) for p in np.floor(at + 1) - 0.5])])[0].axes
    assert off(axis) < 0.2


def test_one_stroke_that_is_not_the_label_s_is_left_out() -> None:
    wrong = places()
    wrong[-1] += 2
    (before,) = panel(wrong).axes
    (axis,) = settled([panel(places()), panel(wrong)])[1].axes
    assert off(before) > 0.6
    assert off(axis) < 0.35


@pytest.mark.parametrize("shift", [0.0, 0.3])
def test_strokes_that_were_not_rounded_stay(shift: float) -> None:
    whole = [50.0 + 40 * k + shift for k in range(7)] if shift else places(rounded=False)
    before = panel(whole)
    assert settled([before]) == (before,)


def test_a_plot_of_whole_steps_from_end_to_end_was_not_rounded() -> None:
    before = panel([20.0, 90.0, 160.0, 230.0, 300.0, 370.0])
    assert settled([before]) == (before,)


def test_one_soft_axis_speaks_for_its_panel() -> None:
    soft = panel([p + 0.3 for p in places(rounded=False)], "bottom")
    both = replace(panel(places()), axes=(*panel(places()).axes, *soft.axes))
    assert settled([both]) == (both,)


def test_charts_of_two_programs_in_one_figure_are_read_as_they_are_apart() -> None:
    charts = [panel(places()), panel([p + 0.3 for p in places(rounded=False)]), panel(by_units(2.0, 20.3, 22.37))]
    apart = [settled([chart])[0] for chart in charts]
    assert settled(charts) == tuple(apart)
    assert [one != chart for one, chart in zip(apart, charts, strict=True)] == [True, False, True]


def test_category_axes_stay() -> None:
    names = panel([100.0, 201.0, 300.0, 401.0], "bottom")
    names = replace(names, axes=(replace(names.axes[0], scale="category", categories=("a", "b", "c", "d")),))
    after = settled([panel(places()), names])
    assert after[1] == names
    assert after[0].axes[0].intercept != panel(places()).axes[0].intercept


def test_minor_ticks_are_bounds_of_a_logarithmic_axis() -> None:
    true = np.array([63.8, 106.89, 149.98])  # 10^4, 10^3, 10^2: 43.09 px to a decade
    majors = np.floor(true + 1)
    slope, intercept = np.polyfit(majors, [4.0, 3.0, 2.0], 1)
    anchors = tuple(Anchor(float(p), v, f"{v:g}", "tick") for p, v in zip(majors, (1e4, 1e3, 1e2), strict=True))
    axis = Axis("left", "log", float(slope), float(intercept), anchors, 0.2)
    minors = np.concatenate([true[1:] - 43.09 * np.log10(k) for k in range(2, 10)])
    (alone,) = settled([Panel(Box(0, 0, 300, 200), Box(40, 20, 280, 170), axes=(axis,)), panel(places())])[0].axes
    both = [Panel(Box(0, 0, 300, 200), Box(40, 20, 280, 170), axes=(axis,)), panel(places())]
    (bound,) = settled(both, [{"left": np.floor(minors + 1)}, {}])[0].axes
    off_by = [float(np.abs(one.to_pixel(np.array([1e2, 1e4])) - true[[2, 0]]).max()) for one in (alone, bound)]
    assert off_by[1] < 0.1 < 0.4 < off_by[0]


def by_units(unit: float, first: float, pitch: float, count: int = 7) -> list[float]:
    """Strokes of a drawing whose marks are rounded to units and moved on by half a unit, in a picture of it."""
    return [float(unit * (np.round(first + pitch * k) + 0.5) - 0.5) for k in range(count)]


@pytest.mark.parametrize("unit", [2.0, 25 / 9, 3.0])
def test_strokes_rounded_to_units_of_several_pixels_are_moved_back_by_half_a_unit(unit: float) -> None:
    given = panel(by_units(unit, 20.3, 22.37))
    (after,) = settled([given])[0].axes
    true = np.array([unit * (20.3 + 22.37 * k) - 0.5 for k in range(7)])
    assert np.abs(given.axes[0].to_pixel(np.array(VALUES)) - true).max() > 0.4 * unit
    assert np.abs(after.to_pixel(np.array(VALUES)) - true).max() < 0.25 * unit


def test_a_plot_of_whole_units_that_ends_at_labels_holds_its_axis() -> None:
    strokes = by_units(2.0, 10.0, 25.5)  # from unit 10 to unit 163
    plot = Box(40, strokes[0], 480, strokes[-1])
    (after,) = settled([replace(panel(strokes), plot=plot)])[0].axes
    assert np.allclose(after.to_pixel(np.array([VALUES[0], VALUES[6]])), [19.5, 325.5], atol=1e-6)


def test_one_stroke_off_its_place_makes_no_unit() -> None:
    strokes = [20.0, 70.0, 120.0, 171.6, 220.0, 270.0, 320.0]
    assert jump_of(np.array(strokes), np.array(VALUES)) is None
