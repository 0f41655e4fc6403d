"""Steps that other ink runs close to or hides, survival curves of small steps, staircases that are no histograms."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tools.shapes import Plane, cover, ink_of, panel_of, stroke
from tools.hollow import fill_outlines
from tools.ink import PlotInk
from tools.kinds import layer_scores, plan, stepped_as_others
from tools.outline_bins import find_outlines
from tools.steps import looks_stepped, read_steps
from tools.types import Anchor, Axis, Floats, Panel, Rgb

HEIGHT, WIDTH = 140, 300
BLUE: Rgb = (31, 119, 180)
RED: Rgb = (214, 39, 40)
CORNERS = np.arange(20.0, 281.0, 20.0)
LEVELS = np.array([70.0, 40, 90, 60, 110, 50, 80, 30, 100, 65, 45, 85, 55])


def stairs(corners: Floats, levels: Floats) -> Plane:
    """A step line of 2 px: the value at a corner holds to the right."""
    points = list(zip(np.repeat(corners, 2)[1:-1], np.repeat(levels, 2), strict=True))
    return cover(HEIGHT, WIDTH, lambda canvas: stroke(canvas, points, 2))


def plot(low: float = 0.0, high: float = 14.0) -> Panel:
    """x from 0 at column 20, 10 px a unit; y from `low` at row 140 to `high` at row 0."""
    slope = (low - high) / HEIGHT
    ends = (Anchor(10 + HEIGHT, low, str(low)), Anchor(10, high, str(high)))
    y = Axis("left", "linear", slope, high - slope * 10, anchors=ends)
    return panel_of(HEIGHT, WIDTH, Axis("bottom", "linear", 0.1, -4.0), y)


def values_at(ink: PlotInk, number: int = 0) -> Floats:
    """Rows of the level in the middle of each true stretch."""
    one = read_steps(plot(), ink, ink.layers)[number]
    at, rows = (np.array([v for v in axis]) for axis in zip(*[(m.x - 20, m.y - 10) for m in one.marks], strict=True))
    return np.asarray(rows[np.searchsorted(at, (CORNERS[:-1] + CORNERS[1:]) / 2, side="right") - 1])


def test_a_level_beside_a_rule_keeps_its_height() -> None:
    rule = np.zeros((HEIGHT, WIDTH), np.float32)
    rule[[58, 62]] = 1.0  # on both sides of the level at row 60
    ink = ink_of([(stairs(CORNERS, LEVELS), BLUE, "a")], hidden=[rule])
    assert values_at(ink) == pytest.approx(LEVELS, abs=0.3)


def test_the_riser_at_the_frame_shows_the_last_value_behind_another_one() -> None:
    coverage = stairs(CORNERS, LEVELS)
    other = np.zeros((HEIGHT, WIDTH), np.float32)
    coverage[20:55, 279:281] = 0.5  # cut lengthwise by the frame
    coverage[30:50, 279:281], other[30:50, 279:281] = 0.0, 1.0
    ink = ink_of([(coverage, BLUE, "a")], hidden=[other])
    (one,) = read_steps(plot(), ink, ink.layers)
    assert one.marks[-1].y - 10 == pytest.approx(20.5, abs=1.0)


def falling(count: int, start: float) -> Plane:
    """A curve that falls by little in each of many steps."""
    corners = np.linspace(20.0, 280.0, count + 1)
    return stairs(corners, start + np.cumsum(np.tile([0.9, 1.6, 0.7], count)[:count]) - 0.9)


@pytest.mark.parametrize(("high", "stepped"), [(1.0, True), (100.0, True), (30.0, False)])
def test_a_curve_that_falls_from_one_in_small_steps_is_one_of_survival(high: float, stepped: bool) -> None:
    coverage = falling(40, 1.0)
    for column in range(24, 276, 7):  # censor ticks
        row = int(np.argmax(coverage[:, column]))
        coverage[max(0, row - 3) : row + 5, column] = 1.0
    ink = ink_of([(coverage, BLUE, "")])
    panel = plot(0.0, high)
    assert (looks_stepped(panel, ink, ink.layers[0]) > 0.5) == stepped


def test_a_survival_curve_with_ticks_like_markers_is_a_step_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.kinds.looks_like_points", lambda ink, layer: 1.0)
    ink = ink_of([(falling(40, 1.0), BLUE, "")])
    scores = [layer_scores(plot(0.0, high), ink, ink.layers[0]) for high in (1.0, 30.0)]
    assert [max(one, key=lambda kind: one[kind]) for one in scores] == ["step", "points"]


def test_a_smooth_fall_from_one_is_no_survival_curve() -> None:
    x = np.linspace(20.0, 280.0, 131)
    points = list(zip(x, 130 - 129 * np.exp(-(x - 20) / 90), strict=True))
    ink = ink_of([(cover(HEIGHT, WIDTH, lambda canvas: stroke(canvas, points, 2)), BLUE, "")])
    assert looks_stepped(plot(0.0, 1.0), ink, ink.layers[0]) < 0.5


def test_survival_starts_together_where_one_riser_hides_the_other() -> None:
    above = stairs(np.array([20.0, 60, 200, 280]), np.array([20.0, 40, 70]))
    below = stairs(np.array([20.0, 60, 150, 280]), np.array([20.0, 60, 110]))
    below[:41, :63] = 0.0
    hidden = np.zeros_like(above)
    ink = ink_of([(above, RED, "a"), (below, BLUE, "b")], hidden=[hidden, above])
    first, second = read_steps(plot(0.0, 1.0), ink, ink.layers)
    assert first.marks[0].x == second.marks[0].x == pytest.approx(40.0)  # 0 lies within the cap
    assert second.marks[0].y - 10 == pytest.approx(20, abs=0.5)


def test_a_staircase_below_the_base_line_is_no_histogram() -> None:
    levels = np.concatenate([[70.0, 40, 30, 50], LEVELS[4:-1], [70.0]])
    ink = ink_of([(stairs(CORNERS, levels), BLUE, "")])
    assert find_outlines(plot(-7.0, 7.0), ink, ink.layers) == []


@pytest.mark.parametrize("drawn", [False, True])
def test_a_step_line_that_crosses_a_base_line_encloses_bars_only_where_that_is_drawn(drawn: bool) -> None:
    coverage = stairs(CORNERS, 66.5 + 1.5 * (LEVELS - 66.5))
    coverage[66:68, 20:280] = np.maximum(coverage[66:68, 20:280], float(drawn))
    filled = fill_outlines(coverage, np.zeros_like(coverage), 66.5)
    assert (filled is not None) == drawn


def test_steps_narrower_than_the_stroke_are_followed_as_a_slope() -> None:
    slope = np.arange(100.0, 141.0, 1.0)  # forty steps of 1 px by 2 px
    corners = np.concatenate([[20.0, 60.0], slope, [200.0, 280.0]])
    levels = np.concatenate([[15.0, 20.0], 20.0 + 2 * np.arange(1.0, 42.0), [110.0]])
    ink = ink_of([(stairs(corners, levels), BLUE, "a")])
    (one,) = read_steps(plot(), ink, ink.layers)
    at, rows = np.array([mark.x - 20 for mark in one.marks]), np.array([mark.y - 10 for mark in one.marks])
    middle = np.arange(104.5, 137.0, 1.0)
    found = rows[np.searchsorted(at, middle, side="right") - 1]
    assert np.abs(found - (20.0 + 2 * (middle - 98.5))).max() < 3.0
    assert (np.diff(rows) >= 0).all()


def test_ends_of_dashes_are_no_risers_of_a_step_line() -> None:
    coverage = stairs(CORNERS, LEVELS)
    coverage[:, np.arange(WIDTH) % 8 < 3] = 0.0
    ink = ink_of([(coverage, BLUE, "a")])
    (one,) = read_steps(plot(), ink, ink.layers)
    middles = (CORNERS[:-1] + CORNERS[1:]) / 2 + 20
    at, rows = np.array([mark.x for mark in one.marks]), np.array([mark.y - 10 for mark in one.marks])
    assert len(at) == pytest.approx(len(CORNERS), abs=1)
    assert rows[np.searchsorted(at, middles, side="right") - 1] == pytest.approx(LEVELS, abs=1.0)


@pytest.mark.parametrize("band", [False, True])
def test_steep_steps_of_a_thick_stroke_are_a_survival_curve_and_their_tint_is_its_band(band: bool) -> None:
    height, count = 400, 14
    corners, levels = 20.0 + 9 * np.arange(count + 1), 2 + 380 * (1 - 0.75 ** np.arange(1, count + 1))
    points = [(20.0, 2.0), *zip(np.repeat(corners, 2)[1:-1], np.repeat(levels, 2), strict=True)]
    curve = cover(height, WIDTH, lambda canvas: stroke(canvas, points, 4))
    pale = np.zeros_like(curve)
    for left, row in zip(corners[:-1].astype(int), levels.astype(int), strict=True):
        pale[max(0, row - 14) : row + 15, left + 3 : left + 7] = 1.0
    pale = np.where(curve > 0, 0.0, pale).astype(np.float32)
    layers = [(curve, BLUE, ""), (pale, (200, 221, 236), "")]
    ink = ink_of(layers[: 1 + band])  # type: ignore[arg-type]
    y = Axis("left", "linear", -1 / 380, 1 + 12 / 380, anchors=(Anchor(12, 1.0, "1.0"), Anchor(392, 0.0, "0.0")))
    panel = panel_of(height, WIDTH, Axis("bottom", "linear", 0.1, -3.0), y)
    assert layer_scores(panel, ink, ink.layers[0])["step"] > 0.5
    assert plan(panel, ink) == [("step", [0])]


def test_low_risers_of_a_thick_line_give_no_steps_of_their_own() -> None:
    levels = np.array([70.0, 73, 70, 66, 68, 71, 74, 72, 75, 72, 68, 65, 62])  # less than its 6 px
    points = list(zip(np.repeat(CORNERS, 2)[1:-1], np.repeat(levels, 2), strict=True))
    ink = ink_of([(cover(HEIGHT, WIDTH, lambda canvas: stroke(canvas, points, 6)), BLUE, "a")])
    (one,) = read_steps(plot(), ink, ink.layers)
    assert [m.x - 20 for m in one.marks[1:-1]] == pytest.approx(CORNERS[1:-1], abs=0.6)
    assert [m.y - 10 for m in one.marks[:-1]] == pytest.approx(levels, abs=0.4)


def test_a_line_that_may_be_stepped_is_so_beside_a_step_line_but_a_polyline_is_not() -> None:
    soft = stairs(CORNERS, LEVELS[::-1] + 12)
    for column in range(26, 276, 11):  # a quarter of its columns slope as in a soft copy
        soft[:, column : column + 3] = 0.0
        row = 12 + LEVELS[::-1][min(12, (column - 20) // 20)]
        stroke_part = [(column, row), (column + 3, row + 1.5)]
        soft[:, column : column + 3] += cover(HEIGHT, WIDTH, lambda c, at=stroke_part: stroke(c, at, 2))[
            :, column : column + 3
        ]
    slope = cover(HEIGHT, WIDTH, lambda canvas: stroke(canvas, [(20, 130), (150, 90), (280, 135)], 2))
    ink = ink_of([(stairs(CORNERS, LEVELS), BLUE, "a"), (soft, RED, "b"), (slope, (0, 128, 0), "c")])
    line, step = {"line": 1.0, "step": 0.0}, {"line": 0.0, "step": 1.0}
    assert 0.2 < looks_stepped(plot(), ink, ink.layers[1]) < 0.5
    scores = {0: step, 1: line, 2: line}
    assert stepped_as_others(plot(), ink, scores, [0, 1, 2]) == {1: step}
    assert stepped_as_others(plot(), ink, scores, [1, 2]) == {}


def test_a_dotted_step_line_is_read_at_the_steps_of_a_drawn_one() -> None:
    other = LEVELS[::-1] + 22
    dotted = stairs(CORNERS, other)
    dotted[:, np.arange(WIDTH) % 5 > 1] = 0.0  # what is left of its risers tells nothing
    ink = ink_of([(stairs(CORNERS, LEVELS), BLUE, "a"), (dotted, RED, "b")])
    assert dict(plan(plot(), ink)) == {"step": [0, 1]}
    solid, found = read_steps(plot(), ink, ink.layers)
    assert [m.x for m in found.marks] == pytest.approx([m.x for m in solid.marks])
    assert [m.y - 10 for m in found.marks][:-1] == pytest.approx(other, abs=0.3)
