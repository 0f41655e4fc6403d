"""Curves drawn here, supersampled and with known vertices, must come back at their vertices."""

from __future__ import annotations

import itertools
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tools.candidates import Knots, axis_grids, even_grid
from tools.ink import Layer, PlotInk
from tools.line_strokes import _only_tips, without_crowd
from tools.linemarks import Blobs
from tools.lines import read_lines
from tools.polyline import fit_knots
from tools.rendering import match
from tools.sampling import _coarser
from tools.shortlist import comb_of, fit_cost
from tools.steps import looks_stepped, read_steps
from tools.trace import Trace, follow, level_sums, run_sums, stroke_width
from tools.types import Anchor, Axis, Box, Floats, Panel, Unreadable

FINE = 8  # subpixels each way


def stroke(height: int, width: int, x: Floats, y: Floats, thickness: float = 2.0) -> NDArray[np.float32]:
    """Coverage of a polyline through pixel centres (x, y), drawn finely and averaged."""
    canvas = np.zeros((height * FINE, width * FINE), np.uint8)
    points = np.round(np.stack([x, y], axis=1) * FINE + (FINE - 1) / 2).astype(np.int32)
    cv2.polylines(canvas, [points], False, 255, round(thickness * FINE))
    blocks = canvas.reshape(height, FINE, width, FINE).mean(axis=(1, 3)) / 255
    return blocks.astype(np.float32)


def plot(*layers: NDArray[np.float32], axis: Axis | None = None) -> tuple[Panel, PlotInk]:
    h, w = layers[0].shape
    empty = np.zeros((h, w), bool)
    found = []
    for i, coverage in enumerate(layers):
        others = sum((layer for j, layer in enumerate(layers) if j != i), np.zeros((h, w), np.float32))
        found.append(Layer((10 * i, 0, 0), coverage, (others > 0.5) & (coverage < 0.5), f"s{i}"))
    ink = PlotInk((100, 50), np.full((h, w, 3), 255, np.uint8), (255, 255, 255), empty, tuple(found))
    axes = (axis or Axis("bottom", "linear", 0.1, -10.0), Axis("left", "linear", -1.0, 300.0))
    return Panel(Box(0, 0, 400, 300), Box(100, 50, 99 + w, 49 + h), axes=axes), ink


def wander(count: int, seed: int, middle: float = 70.0) -> Floats:
    return middle + np.clip(np.cumsum(np.random.default_rng(seed).normal(0, 8, count)), -50, 50)


def test_a_level_stroke_is_followed_at_its_centre() -> None:
    trace = follow(stroke(40, 60, np.array([10.0, 50.0]), np.array([20.25, 20.25])), np.zeros((40, 60), bool))
    assert isinstance(trace, Trace)
    assert np.nanmedian(trace.y) == pytest.approx(20.25, abs=0.1)
    assert (trace.start, trace.end) == (pytest.approx(9, abs=1.2), pytest.approx(51, abs=1.2))


def test_bare_paper_is_unreadable() -> None:
    assert isinstance(follow(np.zeros((20, 20)), np.zeros((20, 20), bool)), Unreadable)


def test_the_ink_of_runs_both_ways() -> None:
    ink = np.array([[0.0, 0.2, 0.0, 0.9], [1.0, 1.0, 1.0, 0.3], [0.0, 0.1, 0.0, 1.0]])
    assert run_sums(ink, 0.25)[1].tolist() == pytest.approx([1.0, 1.3, 1.0, 2.2])  # the faint ends of a run count
    assert level_sums(ink, 0.25)[1].tolist() == pytest.approx([3.3] * 4)
    assert level_sums(ink, 0.25).tolist() == run_sums(np.ascontiguousarray(ink.T), 0.25).T.tolist()


@pytest.mark.parametrize("rise", [0.0, 3.0, 30.0])
def test_stroke_width_does_not_depend_on_the_direction(rise: float) -> None:
    drawn = stroke(120, 60, np.array([15.0, 45.0]), np.array([60 - rise, 60 + rise]), 3.0)
    assert stroke_width(drawn.astype(np.float64), 0.25) == pytest.approx(3.0, abs=1.3)


def test_knots_closer_than_two_columns_are_solved_from_column_means() -> None:
    knots = np.arange(0.0, 30.1, 1.5)
    values = 10 + 3 * np.sin(knots)
    fine = np.linspace(-0.5, 30.5, 31 * 200 + 1)
    means = np.interp(fine, knots, values)[:-1].reshape(31, 200).mean(axis=1)
    weight = np.ones(31)
    weight[[0, -1]] = 0
    found, residuals = fit_knots(knots, means, weight, 1e-6)
    assert np.abs(found[2:-2] - values[2:-2]).max() < 0.2
    assert np.nanmax(np.abs(residuals)) < 0.05


def test_the_tip_of_a_spike_is_found_by_drawing_it() -> None:
    x, y = np.array([5.0, 20, 24, 28, 45]), np.array([80.0, 80, 20, 80, 80])
    ink = stroke(100, 50, x, y).astype(np.float64)
    valid = np.ones(ink.shape, bool)
    trace = follow(ink, ~valid)
    assert isinstance(trace, Trace)
    start, _ = fit_knots(x, trace.y, trace.weight)
    assert np.abs(match(ink, valid, trace, x, start).values - y).max() < 0.8


def test_vertices_with_gaps_show_their_spacing() -> None:
    turns = 3.0 + 7.0 * np.array([0, 1, 2, 4, 5, 8, 9, 12, 13, 17])
    assert comb_of(turns)[0][0] in (pytest.approx(7.0, abs=0.05), pytest.approx(3.5, abs=0.05))


def test_an_even_grid_has_a_point_beyond_either_end() -> None:
    assert even_grid(10, 20, 3).places == pytest.approx([5, 10, 15, 20, 25])


def test_a_line_comes_back_at_its_data_points() -> None:
    x, y = np.arange(20.0, 281.0, 10.0), wander(27, 1)
    series = read_lines(*_one(stroke(140, 300, x, y)))
    assert len(series) == 1
    assert [m.x - 100 for m in series[0].marks] == pytest.approx(list(x), abs=0.3)
    assert np.median(np.abs(np.array([m.y - 50 for m in series[0].marks]) - y)) < 0.15
    assert not series[0].sampled


def _one(coverage: NDArray[np.float32], axis: Axis | None = None) -> tuple[Panel, PlotInk, tuple[Layer, ...]]:
    panel, ink = plot(coverage, axis=axis)
    return panel, ink, ink.layers


def test_crossing_curves_share_a_grid_and_keep_their_values() -> None:
    x = np.arange(20.0, 281.0, 10.0)
    values = [wander(27, 2, 60), wander(27, 3, 85)]
    upper = stroke(150, 300, x, values[1])
    lower = stroke(150, 300, x, values[0]) * (1 - upper)  # the second curve is drawn over the first
    panel, ink = plot(lower, upper)
    for series, y in zip(read_lines(panel, ink, ink.layers), values, strict=True):
        assert len(series.marks) == 27
        assert np.median(np.abs(np.array([m.y - 50 for m in series.marks]) - y)) < 0.2


def test_weekly_points_on_a_date_axis() -> None:
    axis = Axis("bottom", "date", 1.0, 18000.0 - 120)  # a day per px: 18000 at column 20
    x = 20 + np.arange(0.0, 260.0, 7.0)
    panel, ink = plot(stroke(140, 300, x, wander(len(x), 4)), axis=axis)
    (series,) = read_lines(panel, ink, ink.layers)
    days = axis.to_value([m.x for m in series.marks])
    assert days == pytest.approx(18000 + 7 * np.arange(len(x)), abs=1e-6)


def test_a_depth_profile_is_read_along_y() -> None:
    depth = np.arange(10.0, 191.0, 12.0)
    across = 60 + 35 * np.sin(depth / 22)  # not a function of x
    panel, ink = plot(stroke(200, 140, across, depth))
    (series,) = read_lines(panel, ink, ink.layers)
    assert series.orientation == "horizontal"
    middle = [m.x - 100 for m in series.marks]
    at = [m.y - 50 for m in series.marks]
    assert np.median(np.abs(np.interp(at, depth, across) - middle)) < 0.5


def test_dates_along_x_are_never_values() -> None:
    depth = np.arange(10.0, 191.0, 12.0)
    drawn = stroke(200, 140, 60 + 35 * np.sin(depth / 22), depth)  # simpler to walk along y
    panel, ink = plot(drawn, axis=Axis("bottom", "date", 1.0, 18000.0 - 120))
    (series,) = read_lines(panel, ink, ink.layers)
    assert (series.orientation, series.axis) == ("vertical", "left")


def stairs(width: int, corners: Floats, levels: Floats) -> NDArray[np.float32]:
    x = np.repeat(corners, 2)[1:-1]
    return stroke(140, width, x, np.repeat(levels, 2))


def test_a_step_line_is_told_from_a_sloped_one() -> None:
    corners, levels = np.arange(20.0, 281.0, 20.0), wander(13, 5)
    panel, ink = plot(stairs(300, corners, levels))
    sloped, sloped_ink = plot(stroke(140, 300, corners[:-1], levels))
    assert looks_stepped(panel, ink, ink.layers[0]) > 0.5
    assert looks_stepped(sloped, sloped_ink, sloped_ink.layers[0]) < 0.5


def test_steps_come_back_at_their_corners_and_levels() -> None:
    corners, levels = np.arange(20.0, 281.0, 20.0), wander(13, 6)
    panel, ink = plot(stairs(300, corners, levels))
    (series,) = read_steps(panel, ink, ink.layers)
    at = np.array([m.x - 100 for m in series.marks])
    height = np.array([m.y - 50 for m in series.marks])
    middles = (corners[:-1] + corners[1:]) / 2
    assert height[np.searchsorted(at, middles, side="right") - 1] == pytest.approx(levels, abs=0.3)


def test_a_survival_curve_is_monotone_through_its_censor_ticks() -> None:
    corners, levels = np.array([10.0, 60, 110, 170, 230, 290]), np.array([20.0, 40, 65, 80, 110])
    coverage = stairs(300, corners, levels)
    for x, y in ((85, 40), (140, 65), (200, 80)):
        coverage[y - 4 : y + 5, x] = 1.0
    (series,) = read_steps(*_one(coverage))
    height = [m.y for m in series.marks]
    assert all(a <= b + 1e-9 for a, b in itertools.pairwise(height))
    assert sorted(set(np.round(np.array(height) - 50))) == [20, 40, 65, 80, 110]


def test_dashes_with_square_markers_are_no_steps() -> None:
    x, y = np.arange(20.0, 281.0, 20.0), np.linspace(30, 110, 14)
    coverage = np.zeros((140, 300), np.float32)
    for at, level in zip(x, y, strict=True):
        coverage[round(level) - 3 : round(level) + 4, round(at) - 3 : round(at) + 4] = 1.0
        coverage[round(level + 3), round(at) + 8 : round(at) + 11] = 1.0
    panel, ink = plot(coverage)
    assert looks_stepped(panel, ink, ink.layers[0]) < 0.5


def test_a_riser_at_the_end_shows_the_last_value() -> None:
    corners, levels = np.arange(20.0, 281.0, 20.0), wander(13, 6)
    x, y = np.repeat(corners, 2)[1:], np.append(np.repeat(levels, 2), levels[-1] - 30)
    (series,) = read_steps(*_one(stroke(140, 300, x, y)))
    assert series.marks[-1].y - 50 == pytest.approx(levels[-1] - 30, abs=1.0)


def test_a_survival_curve_begins_where_another_one_hides_it() -> None:
    seen = stairs(300, np.array([10.0, 90, 200, 290]), np.array([20.0, 50, 70]))
    late = stairs(300, np.array([10.0, 60, 150, 290]), np.array([20.0, 80, 110]))
    late[:24, :58] = 0.0  # the other one lies over the common start
    panel, ink = plot(seen, late)
    first, second = read_steps(panel, ink, ink.layers)
    assert (second.marks[0].x, second.marks[0].y) == (
        pytest.approx(first.marks[0].x, abs=1.0),
        pytest.approx(70, abs=0.5),
    )


def test_points_are_hourly_only_where_the_axis_prints_times_of_day() -> None:
    plain = Axis("bottom", "date", 1 / 46, 15000.0, (Anchor(0, 15000.0, "a"), Anchor(46, 15001.0, "b")))
    timed = replace(plain, anchors=(*plain.anchors, Anchor(23, 15000.5, "12:00")))
    price = [next(g.price for g in axis_grids(axis, 0.0, 0.0, 370.0) if g.step == "12 h") for axis in (plain, timed)]
    assert price[0] > 30 > price[1]


def test_a_dense_curve_is_sampled_on_a_round_step() -> None:
    x = np.arange(10.0, 290.5, 0.75)
    y = 70 + 30 * np.sin(x / 40) + np.random.default_rng(4).normal(0, 1.2, len(x))
    axis = Axis("bottom", "linear", 2 / 0.75, -100 * 2 / 0.75)
    panel, ink = plot(stroke(140, 300, x, y), axis=axis)
    (series,) = read_lines(panel, ink, ink.layers)
    assert len(series.marks) == pytest.approx(len(x), rel=0.05)
    at = np.array([mark.x - 100 for mark in series.marks])
    off = np.interp(at, x, y) - [mark.y - 50 for mark in series.marks]
    assert float(np.median(np.abs(off))) < 0.7


def test_points_on_quarters_of_a_unit_are_counted() -> None:
    x = 10.0 + 1.6 * np.arange(200)
    y = 60 + 30 * np.sin(np.arange(200) / 25) + np.random.default_rng(3).normal(0, 0.7, 200)
    panel, ink = plot(stroke(120, 340, x, y), axis=Axis("bottom", "linear", 0.25 / 1.6, 5.0 - 10 * 0.25 / 1.6))
    (series,) = read_lines(panel, ink, ink.layers)
    assert len(series.marks) == 200
    assert series.evidence.arguments["step"] in ("0.25", "1/4")


def test_weeks_are_found_on_an_axis_of_years() -> None:
    axis = Axis("bottom", "linear", 0.01, 2015.0, calendar="year")
    weeks = [grid for grid in axis_grids(axis, 0.0, 0.0, 400.0) if grid.step == "7 days"]
    assert len(weeks) == 7  # one for each weekday
    place = 100 * 32 / 365  # Monday, 2 February 2015 in a year of 365 days
    assert min(float(np.abs(grid.places - place).min()) for grid in weeks) < 0.01


def test_markers_side_by_side_keep_places_of_their_own() -> None:
    layers = []
    x = np.array([40.0, 110.0, 180.0, 250.0])
    for shift, middle in ((-5.0, 40.0), (5.0, 85.0)):
        y = middle + np.array([0.0, 12.0, -8.0, 5.0])
        canvas = (stroke(120, 300, x + shift, y) * 255).astype(np.uint8)
        for a, b in zip(x + shift, y, strict=True):
            cv2.circle(canvas, (round(a), round(b)), 5, 255, -1)
        layers.append(canvas.astype(np.float32) / 255)
    panel, ink = plot(*layers)
    for series, shift in zip(read_lines(panel, ink, ink.layers), (-5.0, 5.0), strict=True):
        at = np.array([mark.x for mark in series.marks]) - ink.origin[0]
        np.testing.assert_allclose(at, x + shift, atol=0.7)


@pytest.mark.parametrize("thickness", [2.0, 5.0, 9.0, 18.0])
def test_points_of_thick_strokes_have_the_places_that_the_axis_says(thickness: float) -> None:
    x, y = 60.0 + 12.0 * np.arange(61), 2 * wander(61, 5)  # thick strokes are read from blocks of pixels
    (line,) = read_lines(*_one(stroke(300, 840, x, y, thickness), Axis("bottom", "linear", 1 / 12, -160 / 12)))
    assert [mark.x for mark in line.marks] == pytest.approx(x + 100, abs=0.02)


def test_markers_on_a_straight_line_are_its_points() -> None:
    x, ends = 15 + 30.0 * np.arange(8), np.array([120.0, 30.0])
    y = np.interp(x, [x[0], x[-1]], ends)
    coverage = stroke(150, 240, x, y)
    rows, columns = np.indices(coverage.shape)
    for at, level in zip(x, y, strict=True):
        coverage[np.hypot(rows - level, columns - at) <= 5] = 1.0
    panel, ink, layers = _one(coverage)
    (found,) = read_lines(panel, ink, layers)
    assert [mark.x - panel.plot.x0 for mark in found.marks] == pytest.approx(x, abs=0.5)
    assert [mark.y - panel.plot.y0 for mark in found.marks] == pytest.approx(y, abs=0.5)


def test_points_that_were_rarer_at_first_have_none_between_them() -> None:
    every = np.append(np.arange(0.0, 20.0, 5.0), np.arange(20.0, 60.0))
    y = 30 + np.append([60.0, 50.0, 46.0, 30.0], wander(40, 3))
    axis = Axis("bottom", "linear", 1 / 8, -120 / 8)
    (line,) = read_lines(*_one(stroke(200, 520, 20 + 8.0 * every, y), axis))
    assert [mark.x for mark in line.marks] == pytest.approx(120 + 8.0 * every, abs=0.02)
    (line,) = read_lines(
        *_one(stroke(200, 520, 20 + 8.0 * np.arange(60), np.append(np.full(20, 60.0), 30 + wander(40, 3))), axis)
    )
    assert len(line.marks) == 60  # a level piece has no corners that would tell


def test_markers_that_touch_are_as_many_points_as_the_axis_suggests() -> None:
    x = 20 + 5.0 * np.arange(60)
    y = 60 + 30 * np.sin(np.arange(60) / 6) + np.random.default_rng(5).normal(0, 2, 60)
    coverage = stroke(130, 340, x, y, 1.0)
    for column, row in zip(x, y, strict=True):
        coverage[round(row) - 3 : round(row) + 4, round(column) - 3 : round(column) + 4] = 1.0
    (line,) = read_lines(*_one(coverage, Axis("bottom", "linear", 1 / 5, -24.0, anchors=(Anchor(120, 0.0, "0"),))))
    assert len(line.marks) == 60


def test_faint_strokes_behind_full_ones_are_not_followed() -> None:
    x = np.linspace(10.0, 290.0, 57)
    strong = stroke(140, 300, x, 70 + 30 * np.sin(x / 40), 2.5)
    faint = np.max([0.4 * stroke(140, 300, x, 30 + 8 * k + 10 * np.cos(x / 50), 1.0) for k in range(9)], axis=0)
    ink = plot(np.maximum(strong, faint).astype(np.float32))[1]
    kept = without_crowd(ink.layers[0]).coverage
    assert np.abs(np.where(faint > 0, 0, kept - strong)).max() < 0.01
    assert kept[(faint > 0) & (strong == 0)].sum() < 0.25 * faint.sum()
    hairlines = plot(faint.astype(np.float32))[1].layers[0]
    assert without_crowd(hairlines) is hairlines


def test_points_between_that_explain_nothing_are_left_out() -> None:
    fine, rough = (Knots(np.arange(-step, 200.0, step), "", price) for step, price in ((10.0, -20.0), (20.0, 4.0)))
    moved = Knots(np.arange(5.0, 200.0, 20.0), "", 0.0)
    assert _coarser(fine, 264.0, [(264.0, fine), (265.0, rough)]) is rough
    assert _coarser(fine, 264.0, [(264.0, fine), (265.0, moved)]) is fine
    assert _coarser(fine, 264.0, [(264.0, fine), (300.0, rough)]) is fine


def test_a_hidden_stretch_is_bridged_straight() -> None:
    x = np.arange(10.0, 291.0, 5.0)
    y = 100 - 0.8 * np.clip(np.minimum(x - 80, 220 - x), 0, 25) + np.random.default_rng(2).normal(0, 1.0, len(x))
    coverage = stroke(140, 300, x, y)
    coverage[:, 105:196] = 0.0
    over = np.zeros((140, 300), np.float32)
    over[70:90, 105:196] = 1.0
    panel, ink = plot(coverage, over, axis=Axis("bottom", "linear", 0.2, -20.0 - 2.0))
    line = read_lines(panel, ink, ink.layers[:1])[0]
    assert np.abs([mark.y - 130 for mark in line.marks if 207 < mark.x < 293]).max() < 3


def test_a_gap_across_grid_lines_stays_a_gap() -> None:
    before, after = np.arange(10.0, 131, 20), np.arange(210.0, 331, 20)
    coverage = stroke(140, 340, before, np.tile([30.0, 22.0], 4)[:7]) + stroke(140, 340, after, 115 + wander(7, 3, 0.0))
    rules = np.zeros((140, 340), np.float32)
    for row in (50, 80, 100):
        rules[row : row + 2] = 1.0
    panel, ink = plot(np.clip(coverage, 0, 1).astype(np.float32), rules, axis=Axis("bottom", "linear", 0.1, -11.0))
    line = read_lines(panel, ink, ink.layers[:1])[0]
    assert not [mark.x for mark in line.marks if 133 < mark.x - 100 < 207]


def test_a_grid_that_leaves_a_part_of_the_curve_bare_costs_too_much() -> None:
    x = np.linspace(20, 440, 41)
    panel, ink, layers = _one(stroke(200, 460, x, 100 - 80 * np.sin(x / 65)))
    trace = follow(ink.layers[0].coverage, np.zeros((200, 460), bool))
    assert isinstance(trace, Trace)
    assert (
        fit_cost(even_grid(20.0, 440.0, 41), trace, 0.05) < fit_cost(even_grid(20.0, 440.0, 11), trace, 0.05) < np.inf
    )
    assert fit_cost(even_grid(210.0, 310.0, 11), trace, 0.05) == np.inf
    (found,) = read_lines(panel, ink, layers)
    assert len(found.marks) == 41


def test_tips_of_a_thick_zigzag_are_no_markers() -> None:
    x = np.arange(20.0, 521.0, 20.0)
    y = 100 + np.array([60.0, -50.0] * 13) * np.random.default_rng(6).uniform(0.5, 1.0, 26)
    trace = follow(stroke(200, 540, x, y, 4.7), np.zeros((200, 540), bool))
    assert isinstance(trace, Trace)
    tips, every = (Blobs(x[part], y[part], 2.6) for part in (slice(2, -2), slice(None)))
    assert _only_tips(tips, trace)
    assert not _only_tips(every, trace)  # the ends of a line are no tips
    assert not _only_tips(Blobs(x[2:-2] + 9.0, np.interp(x[2:-2] + 9.0, x, y), 2.6), trace)
    close = follow(stroke(200, 270, x / 2, y, 2.4), np.zeros((200, 270), bool))  # turns within three radii of its tips
    assert isinstance(close, Trace)
    assert _only_tips(Blobs(x[2:-2] / 2, y[2:-2], 3.5), close)
