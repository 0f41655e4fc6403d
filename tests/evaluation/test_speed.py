"""How much faster the metrics are than their plain forms: ratios within one run, never absolute times."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable

import numpy as np
from rapidfuzz.distance import Levenshtein
from scipy.optimize import linear_sum_assignment

from evaluation.metrics import ecs_series, rms
from evaluation.rms import entries


def seconds(call: Callable[[], object], repeats: int = 3) -> float:
    """The best of some runs, after one that warms up."""
    call()
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        call()
        times.append(time.perf_counter() - started)
    return min(times)


def plain_ecs(x: list[float], y: list[float], span: float) -> tuple[float, int]:
    """Two rolling rows in plain Python."""
    row = [(float(j), j) for j in range(len(y) + 1)]
    for i, a in enumerate(x):
        above, row = row, [(i + 1.0, i + 1)]
        for j, b in enumerate(y):
            share = abs(a - b) / span
            options = (
                (above[j][0] + (share if share <= 0.01 else 1.0), above[j][1] + 1),
                (above[j + 1][0] + 1, above[j + 1][1] + 1),
                (row[j][0] + 1, row[j][1] + 1),
            )
            row.append(min(options))
    return row[-1]


def test_ecs_is_much_faster_than_plain_python() -> None:
    rng = np.random.default_rng(1)
    gt = rng.random(300).cumsum()
    pred = gt + rng.normal(0, 0.01, 300)
    x, y, span = pred.tolist(), gt.tolist(), float(np.ptp(gt))
    assert abs(1 - plain_ecs(x, y, span)[0] / plain_ecs(x, y, span)[1] - ecs_series(pred, gt).score) < 1e-9
    assert seconds(lambda: plain_ecs(x, y, span), 1) > 20 * seconds(lambda: ecs_series(pred, gt))


def test_ecs_needs_memory_linear_in_the_length() -> None:
    series = np.arange(2148.0)
    ecs_series(series, series)
    tracemalloc.start()
    try:
        ecs_series(series, series)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 40 * 8 * len(series)  # a whole table would be 2148 x 8 x 2148


def plain_rms_f1(said: dict[str, str], true: dict[str, str]) -> float:
    """Cell by cell, as the published code does it (values equal here, so only keys are compared)."""
    cost = np.ones((len(true), len(said)))
    for i, a in enumerate(true):
        for j, b in enumerate(said):
            apart = Levenshtein.distance(a, b) / max(len(a), len(b))
            cost[i, j] = 1 - (1 - apart if apart <= 0.5 else 0.0)
    rows, columns = linear_sum_assignment(cost)
    total = float((1 - cost[rows, columns]).sum())
    return 2 * total / (len(said) + len(true))


def test_rms_is_much_faster_than_cell_by_cell() -> None:
    header = ["week", *(f"region {i}" for i in range(6))]
    table = [header, *([f"2020-W{i:03d}", *(str(i + j) for j in range(6))] for i in range(80))]
    keys, flipped = entries(table), entries(table, transposed=True)
    slow = seconds(lambda: [plain_rms_f1(one, keys) for one in (keys, flipped)], 1)
    shifted = [header, *table[2:], table[1]]  # another order, so that nothing is over early
    assert rms(shifted, table).f1 == plain_rms_f1(keys, keys) == 1.0
    said = [[*row[:-1], "0"] for row in table]
    assert rms(said, table).f1 < 1
    assert slow > 4 * seconds(lambda: rms(said, table))
