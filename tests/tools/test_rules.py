"""Frame, grid lines and ticks: found where they are, and data that look like them left alone."""

from __future__ import annotations

import numpy as np
import pytest

from tools.rules import Ruling, find_rules
from tools.ticks import inner_ticks
from tools.types import Anchor, Axis, Box, Panel

WHITE = np.full(3, 255.0)


def _plot(height: int = 120, width: int = 200, paper: float = 255.0) -> np.ndarray:
    return np.full((height, width, 3), paper, np.float32)


def _rows(ruling: Ruling, horizontal: bool = True) -> list[tuple[int, int]]:
    return sorted((r.first, r.last) for r in ruling.rules if r.horizontal == horizontal)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("paper", "grid"), [(255.0, 200.0), (235.0, 255.0), (20.0, 60.0)])
def test_solid_grid_lines_are_found_both_ways(turned: bool, paper: float, grid: float) -> None:
    plot = _plot(paper=paper)
    plot[[30, 60, 90]] = grid
    image = np.ascontiguousarray(plot.transpose(1, 0, 2)) if turned else plot
    ruling = find_rules(image, np.full(3, paper))
    assert _rows(ruling, horizontal=not turned) == [(30, 30), (60, 60), (90, 90)]
    assert ruling.visible.sum() == 3 * 200


@pytest.mark.parametrize(("on", "off"), [(6, 4), (3, 3), (2, 4)])
def test_dashed_and_dotted_grid_lines_are_found(on: int, off: int) -> None:
    plot = _plot()
    plot[50, np.arange(200) % (on + off) < on] = 120
    ruling = find_rules(plot, WHITE)
    assert _rows(ruling) == [(50, 50)]
    assert not ruling.rules[0].solid


def test_soft_rows_of_a_grid_line_belong_to_it() -> None:
    plot = _plot()
    plot[40:43] = np.array([230, 180, 230])[:, None, None]
    assert _rows(find_rules(plot, WHITE)) == [(40, 42)]


def test_frame_under_bars_that_touch_it_is_found() -> None:
    plot = _plot()
    plot[40:119] = (31, 119, 180)
    plot[119] = 0
    assert (119, 119) in _rows(find_rules(plot, WHITE))


def test_a_curve_with_a_flat_tail_is_no_rule() -> None:
    plot = _plot()
    plot[80, 60:] = 0
    for x in range(60):
        plot[110 - x // 2, x] = 0
    assert _rows(find_rules(plot, WHITE)) == []


def test_bars_of_one_height_make_no_rule_of_their_soft_edge() -> None:
    plot = _plot()
    for x in range(10, 190, 20):
        plot[60:120, x : x + 12] = (31, 119, 180)
        plot[59, x : x + 12] = (143, 187, 217)
    assert _rows(find_rules(plot, WHITE)) == []


def test_a_flat_line_in_the_colour_of_a_named_series_is_data() -> None:
    plot = _plot()
    plot[60] = (214, 39, 40)
    assert _rows(find_rules(plot, WHITE)) == [(60, 60)]
    assert _rows(find_rules(plot, WHITE, inks=[(214, 39, 40)])) == []


def test_data_over_a_grid_line_are_not_part_of_it() -> None:
    plot = _plot()
    plot[60] = 200
    plot[20:100, 90:100] = (214, 39, 40)
    ruling = find_rules(plot, WHITE)
    assert not ruling.visible[60, 90:100].any()
    assert ruling.visible[60, :90].all()
    assert ruling.background[60, 95].tolist() == [200, 200, 200]


def test_grid_line_behind_a_legend_is_found() -> None:
    plot = _plot()
    plot[60] = 200
    plot[40:80, 0:80] = 255
    covered = np.zeros((120, 200), bool)
    covered[40:80, 0:80] = True
    assert _rows(find_rules(plot, WHITE, covered=covered)) == [(60, 60)]


def _axis(side: str, pixels: list[int]) -> Axis:
    anchors = tuple(Anchor(float(p), float(p), str(p)) for p in pixels)
    return Axis(side, "linear", 1.0, 0.0, anchors)  # type: ignore[arg-type]


def test_ticks_inside_are_found_and_thin_bars_are_not() -> None:
    plot = _plot()
    plot[119] = 0
    for x in (20, 60, 100, 140, 180):
        plot[113:119, x] = 0
    for x in (30, 71, 83):
        plot[80:119, x] = 0
    panel = Panel(Box(0, 0, 199, 119), Box(0, 0, 199, 119), axes=(_axis("bottom", [20, 60, 100, 140, 180]),))
    ticks = inner_ticks(plot, WHITE, find_rules(plot, WHITE).rules, panel, (0, 0))
    assert ticks[115, [20, 60, 100, 140, 180]].all()
    assert not ticks[:, [30, 71, 83]].any()
    assert not ticks[:112].any()


def test_ticks_crossed_by_a_curve_and_ticks_of_thick_frames_beside_a_second_axis_are_found() -> None:
    plot = _plot()
    plot[:, :3], plot[:, 197:] = 0, (0, 0, 255)
    for y in (20, 50, 80):
        plot[y - 2 : y + 3, 3:15] = 0
        plot[[y - 3, y + 3], 3:15] = 200  # blurred sides
    plot[60:100, 8:11] = (200, 0, 0)
    for y in (10, 35, 60, 85, 110):
        plot[y - 2 : y + 3, 185:197] = (0, 0, 255)
    axes = (_axis("left", [20, 50, 80]), _axis("right", [10, 35, 60, 85, 110]))
    panel = Panel(Box(0, 0, 199, 119), Box(0, 0, 199, 119), axes=axes)
    ticks = inner_ticks(plot, WHITE, find_rules(plot, WHITE).rules, panel, (0, 0))
    assert ticks[17:24, 3:15].all()
    assert ticks[78:83, 11:15].all()
    assert not ticks[:, 8:11][60:100].any()
    assert ticks[83:88, 185:197].all()


def test_low_bars_along_an_axis_are_no_rule() -> None:
    plot = np.full((60, 200, 3), 255, np.float32)
    plot[54:, :] = (202, 190, 64)
    plot[59] = 0
    assert _rows(find_rules(plot, WHITE)) == [(59, 59)]


def test_lines_that_all_lie_behind_bars_have_the_colour_of_the_other_rules() -> None:
    plot = np.full((100, 120, 3), 255, np.float32)
    plot[20::20], plot[:, 30::30] = 225, 225
    for left in (18, 48, 78):
        plot[40:, left : left + 24] = (200, 60, 60)
    columns = [rule.first for rule in find_rules(plot, WHITE).rules if not rule.horizontal]
    assert columns == [30, 60, 90]
