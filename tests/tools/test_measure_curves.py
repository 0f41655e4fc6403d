"""The measure of curves: points, their number, identity through crossings, on figures of a few numbers."""

from __future__ import annotations

import numpy as np

from evaluation.tables import panel_table, read_sheet
from tests.tools.measure_curves import crossings, judge_crossings, judge_values, matched

RISING = np.array([(0.0, 100.0), (100.0, 0.0)])
FALLING = np.array([(0.0, 0.0), (100.0, 100.0)])
AXES = {"x_axis": {"kind": "linear"}, "y_axis": {"kind": "linear", "min": 0.0, "max": 10.0}}


def panel(second: str = "#ff0000") -> dict[str, object]:
    series = [{"points_px": RISING.tolist(), "color_hex": "#0000ff", "axis": "y"},
              {"points_px": FALLING.tolist(), "color_hex": second, "axis": "y"}]  # fmt: skip
    return {**AXES, "kind": "line", "bbox_px": [0, 0, 100, 100], "series": series}


def said(*curves: np.ndarray) -> list[dict[str, object]]:
    return [{"points": [{"part": "vertex", "x": x, "y": y} for x, y in curve.tolist()]} for curve in curves]


def test_a_crossing_is_found_with_the_places_before_and_after_it() -> None:
    ((before, after),) = crossings(RISING, FALLING, 3.0)
    assert before[0] < 50 < after[0] < 53
    assert crossings(RISING, RISING + 10, 3.0) == []


def test_true_curves_keep_their_crossing_and_exchanged_tails_do_not() -> None:
    assert judge_crossings(panel(), said(RISING, FALLING)).crossings == {False: [True], True: []}
    vee = np.array([(0.0, 0.0), (50.0, 50.0), (100.0, 0.0)])
    assert judge_crossings(panel("#0000f0"), said(vee, 100 - vee * [-1, 1] - [100, 0])).crossings[True] == [False]
    assert judge_crossings(panel(), said(RISING)).crossings[False] == [False]


def test_each_point_has_a_partner_of_its_own() -> None:
    x, y = np.arange(4.0), np.array([0.1, 0.2, 0.3, 0.4])
    errors = matched(x, y, np.array([0.0, 1.1, 2.0]), np.array([0.1, 0.21, 0.9]))
    assert np.allclose(errors, [0.0, 0.01])


def test_half_of_the_points_is_not_their_number() -> None:
    rows = "".join(f"{x}\t{x % 3}\n" for x in range(10))
    true = list(panel_table(read_sheet("x\ta\n" + rows)).curves)
    half = list(panel_table(read_sheet("x\ta\n" + "".join(f"{x}\t{x % 3}\n" for x in range(0, 10, 2)))).curves)
    record = {**AXES, "kind": "line", "series": [{"axis": "y"}]}
    assert judge_values(record, true, true).counts == [True]
    tally = judge_values(record, true, half)
    assert tally.counts == [False]
    assert (len(tally.errors), tally.points) == (5, 10)
