"""ECS against a plain reference, and the properties that it must keep."""

from __future__ import annotations

import math
from dataclasses import astuple, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.ecs import EcsOptions, ecs, ecs_series, mean_of_images
from evaluation.elastic import TIE_TOLERANCE, dtw_path, edit_path, erp

numbers = st.lists(st.integers(-8, 8).map(float), max_size=9)
decimals = st.lists(st.floats(-100, 100, allow_nan=False), min_size=1, max_size=12)


def better(first: tuple[float, int], second: tuple[float, int], sign: int) -> bool:
    if abs(first[0] - second[0]) <= TIE_TOLERANCE:
        return sign * first[1] < sign * second[1]
    return first[0] < second[0]


def plain_edit(x: list[float], y: list[float], scale: float, limit: float, gap: float, sign: int) -> tuple[float, int]:
    """The whole table, cell by cell, with no cleverness."""
    table = {(0, 0): (0.0, 0)}
    for i in range(len(x) + 1):
        for j in range(len(y) + 1):
            options = []
            if i and j:
                share = abs(x[i - 1] - y[j - 1]) * scale
                cost, steps = table[i - 1, j - 1]
                options.append((cost + (share if share <= limit else 1.0), steps + 1))
            for back in ((i - 1, j), (i, j - 1)):
                if min(back) >= 0:
                    options.append((table[back][0] + gap, table[back][1] + 1))
            for option in options:
                if (i, j) not in table or better(option, table[i, j], sign):
                    table[i, j] = option
    return table[len(x), len(y)]


@settings(deadline=None, max_examples=150)
@given(numbers, numbers, st.sampled_from([0.25, 0.5, 1.0, 2.0]), st.sampled_from([0.0, 0.1, 0.3]), st.booleans())
def test_compiled_equals_plain(x: list[float], y: list[float], gap: float, theta: float, shortest: bool) -> None:
    found = edit_path(x, y, scale=1 / 16, limit=theta, gap=gap, tie="shortest" if shortest else "longest")
    cost, length = plain_edit(x, y, 1 / 16, theta, gap, 1 if shortest else -1)
    assert found.cost == pytest.approx(cost, abs=1e-8)
    assert found.length == length


def plain_erp(x: list[float], y: list[float], g: float) -> float:
    if not x or not y:
        return math.fsum(abs(v - g) for v in [*x, *y])
    return min(
        plain_erp(x[:-1], y[:-1], g) + abs(x[-1] - y[-1]),
        plain_erp(x[:-1], y, g) + abs(x[-1] - g),
        plain_erp(x, y[:-1], g) + abs(y[-1] - g),
    )


@settings(deadline=None, max_examples=40)
@given(numbers.map(lambda v: v[:5]), numbers.map(lambda v: v[:5]), st.integers(-3, 3).map(float))
def test_erp_equals_plain(x: list[float], y: list[float], g: float) -> None:
    assert erp(x, y, g) == pytest.approx(plain_erp(x, y, g))


def test_paths_are_symmetric_and_empty_series_are_allowed() -> None:
    assert edit_path([], [1, 2], scale=1, limit=0.1) == edit_path([1, 2], [], scale=1, limit=0.1)
    assert edit_path([], [1, 2], scale=1, limit=0.1).cost == 2.0
    assert dtw_path([], [1.0], scale=1, limit=0.1).length == 0


@given(decimals)
def test_identity_scores_one(series: list[float]) -> None:
    assert ecs_series(series, series).score == 1.0


@given(decimals, decimals)
def test_in_range_and_decomposition_sums_to_one(pred: list[float], gt: list[float]) -> None:
    image = ecs([("a", pred), ("b", gt)], [("a", gt), ("zzz", gt)])
    assert image is not None
    assert 0.0 <= image.score <= 1.0
    assert sum(astuple(image.components)) == pytest.approx(1.0, abs=1e-9)


@given(decimals, st.floats(0.01, 100), st.floats(-50, 50), st.integers(0, 5))
def test_unit_change_leaves_the_score(gt: list[float], factor: float, offset: float, drop: int) -> None:
    gt = [round(v, 2) for v in gt]
    pred = gt[:drop] + gt[drop + 1 :]
    scaled = [[v * factor + offset for v in series] for series in (pred, gt)]
    assert ecs_series(*scaled).score == pytest.approx(ecs_series(pred, gt).score, abs=1e-6)


@given(decimals, st.data())
def test_removing_points_of_a_perfect_prediction_never_helps(gt: list[float], data: st.DataObject) -> None:
    pred, last = list(gt), 1.0
    while pred:
        pred.pop(data.draw(st.integers(0, len(pred) - 1)))
        score = ecs_series(pred, gt).score
        assert score <= last + 1e-12
        last = score


@given(st.permutations([("a1", [1.0, 2]), ("bb2", [3.0, 9]), ("ccc3", [4.0, 7])]))
def test_series_order_does_not_matter(pred: list[tuple[str, list[float]]]) -> None:
    image = ecs(pred, [("a1", [1.0, 2]), ("bb2", [3.0, 9]), ("ccc3", [4.0, 7])])
    assert image is not None
    assert image.score == 1.0


def test_swapped_labels_and_extra_series() -> None:
    gt = [("Guinea", [1.0, 2, 3]), ("Liberia", [9.0, 8, 7])]
    swapped = ecs([("Liberia", [1.0, 2, 3]), ("Guinea", [9.0, 8, 7])], gt)
    extra = ecs([*gt, ("Mali", [5.0])], gt)
    assert swapped is not None
    assert swapped.score == 0.0
    assert extra is not None
    assert extra.score == 1.0


def test_bad_predictions_score_low_and_never_raise() -> None:
    gt = [("Cases", [0.0, 2, 5, 9])]
    for values in ([], [math.nan] * 4, [math.inf] * 4, [-math.inf, math.nan], [0.0] * 10_000):
        image = ecs([("Cases", values)], gt)
        assert image is not None
        assert image.score < 0.3
        assert sum(astuple(image.components)) == pytest.approx(1.0, abs=1e-9)
    assert ecs([], [("Cases", [math.nan])]) is None
    assert mean_of_images([None]) is None


def test_switches() -> None:
    gt = [("Cases", [1.0, 4, 9]), ("Deaths", [0.0, 1, 2])]
    pred = [("Cases", [1.0, 4, 9])]
    ignore = ecs(pred, gt, options=EcsOptions(unmatched="ignore"))
    either = ecs([("x", [1.0, 4, 9])], gt, options=EcsOptions(shortcut="either"))
    assert ignore is not None
    assert ignore.score == 1.0
    assert either is not None
    assert either.score == 0.5
    kept = ecs_series([1.0, math.nan, 9], [1.0, math.nan, 9], options=EcsOptions(nan="keep"))
    assert (kept.numerical, kept.length) == (1.0, 3)
    unfloored = replace(EcsOptions(), gap=2.0, floor=False)
    assert ecs_series([7], [7, 1, 2, 3, 4], options=unfloored).score == pytest.approx(-0.6)


def test_a_thousand_rows_and_unicode() -> None:
    curve = np.sin(np.linspace(0, 20, 1000))
    image = ecs([("新規感染者", curve), ("décès", -curve)], [("décès", -curve), ("新規感染者", curve)])
    assert image is not None
    assert image.score == 1.0
