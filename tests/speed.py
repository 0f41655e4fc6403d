"""The speed of the metrics, as ratios and totals: `python -m tests.speed [--charts 1000] [--no-sets]`.

Prints a line per target: what is asked, what was found. ECS is compared with aeon's `erp_distance` where aeon is
installed, RMS with a straightforward cell-by-cell implementation, and charts of the size distribution of EpiCurveBench
(Table 1 of the paper: series and points a chart) are scored by all metrics of tables. Times are CPU seconds of this
process, so that other work on the machine does not count; "on two cores" is half of them.
"""

from __future__ import annotations

import argparse
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator

import numpy as np
from scipy.optimize import linear_sum_assignment

from evaluation.metrics import ecs_series, rms
from evaluation.rms import as_float, entries
from evaluation.score import METRICS
from evaluation.tables import Sheet

LONGEST, MOST_POINTS = 2148, 8592
CELLS = ("rms", "scrm")
PLACES = (
    "Guinea", "Liberia", "Mali", "Niger", "Ghana", "Togo", "Benin", "Chad", "Gabon", "Kenya", "Sudan", "Egypt", "Libya",
    "Congo",
)  # fmt: skip


def seconds(call: Callable[[], object], repeats: int = 3) -> float:
    """CPU seconds of the best of some runs."""
    times = []
    for _ in range(repeats):
        started = time.process_time()
        call()
        times.append(time.process_time() - started)
    return min(times)


def report(what: str, asked: str, got: str, holds: bool) -> bool:
    print(f"{what}\n    asked {asked}, got {got}{'' if holds else '    <-- missed'}", flush=True)
    return holds


def ecs_against_aeon() -> bool:
    """ECS and ERP of two series as long as the longest of EpiCurveBench."""
    try:
        from aeon.distances import erp_distance
    except ModuleNotFoundError:
        print("ECS against aeon: aeon is not installed")
        return True
    rng = np.random.default_rng(1)
    true = rng.random(LONGEST).cumsum()
    ratios = []
    for said in (true + rng.normal(0, 0.05, LONGEST), rng.random(LONGEST) * true.max()):  # nearly right, and noise
        erp_distance(said, true)
        ecs_series(said, true)
        theirs = seconds(lambda said=said: erp_distance(said, true), 7)
        ratios.append(theirs / seconds(lambda said=said: ecs_series(said, true), 7))
    found = " and ".join(f"{ratio:.1f} x" for ratio in ratios)
    return report(f"ECS of {LONGEST} points, good and bad", ">= 2 x aeon's ERP", found, min(ratios) >= 2)


def ecs_memory() -> bool:
    """The most memory that ECS takes, by length."""
    peaks = []
    for length in (LONGEST, 4 * LONGEST):
        series = np.arange(float(length))
        ecs_series(series, series)
        tracemalloc.start()
        ecs_series(series, series)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    growth = peaks[1] / peaks[0]
    return report(
        "Memory of ECS, four times the length", "linear", f"{growth:.1f} x, {peaks[1] / 1024:.0f} KiB", growth < 6
    )


try:  # what the published code uses; a little slower than rapidfuzz
    from editdistance import distance
except ModuleNotFoundError:
    from rapidfuzz.distance.Levenshtein import distance


def key_likeness(first: str, second: str) -> float:
    """ANLS of two keys, as the published code works it out, pair by pair."""
    apart = distance(first, second) / max(len(first), len(second))
    return 1 - apart if apart <= 0.5 else 0.0


def plain_rms(said: dict[str, str], true: dict[str, str]) -> float:
    """RMS cell by cell: every pair of keys and then every matched value in a Python loop."""
    cost = np.ones((len(true), len(said)))
    for i, a in enumerate(true):
        for j, b in enumerate(said):
            cost[i, j] = 1 - key_likeness(a, b)
    total = 0.0
    values, others = list(true.values()), list(said.values())
    for i, j in zip(*linear_sum_assignment(cost), strict=True):
        t, p = as_float(values[i]), as_float(others[j])
        near = 1 - min(1.0, abs(t - p) / abs(t)) if t and p is not None else float(values[i] == others[j])
        total += (1 - cost[i, j]) * (near if near > 0.9 else 0.0)
    precision, recall = total / len(said), total / len(true)
    return 2 * precision * recall / (precision + recall) if total else 0.0


def rms_against_plain() -> bool:
    """RMS of a 500 x 6 table, some of its values wrong, as it stands and transposed."""
    rng = np.random.default_rng(2)
    header = ["Week", *(f"Region {name}" for name in "ABCDEF")]
    true = [header, *([f"2019-W{k:03d}", *map(str, rng.integers(1, 900, 6))] for k in range(500))]
    said = [[*row[:-1], "0"] if k % 5 == 1 else row for k, row in enumerate(true)]
    plain = [0.0]

    def both() -> None:
        plain[0] = max(plain_rms(entries(said, flipped), entries(true)) for flipped in (False, True))

    theirs, ours = seconds(both, 1), seconds(lambda: rms(said, true), 2)
    assert abs(rms(said, true).f1 - plain[0]) < 1e-9
    found = f"{theirs / ours:.0f} x ({ours:.2f} s against {theirs:.1f} s)"
    times = 30 if distance.__module__.startswith("editdistance") else 10
    asked = f">= {times} x cell by cell with {distance.__module__.partition('.')[0]}"
    return report("RMS of a 500 x 6 table", asked, found, theirs >= times * ours)


def charts(count: int, seed: int = 3) -> Iterator[tuple[Sheet, Sheet, int]]:
    """Predicted and true tables with the sizes of EpiCurveBench, and the number of true values."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        series = int(np.clip(np.round(rng.lognormal(0.82, 0.75)), 1, 14))
        middle, spread = (np.log(950), 0.6) if rng.random() < 0.2 else (np.log(42), 0.7)  # daily series, weekly ones
        length = int(np.clip(rng.lognormal(middle, spread), 5, LONGEST))
        length = max(5, min(length, MOST_POINTS // series))
        waves = rng.negative_binomial(8, 0.05, (length, series))
        days = np.datetime64("2019-01-01") + np.arange(length)
        header = ("Date", *(f"{name} cases" for name in PLACES[:series]))
        rows = tuple((str(day), *map(str, row)) for day, row in zip(days, waves, strict=True))
        off = np.where(rng.random(waves.shape) < 0.3, np.round(waves * rng.normal(1, 0.05, waves.shape)), waves)
        kept = rng.random(length) > 0.03
        said = tuple((str(day), *map(str, row)) for day, row, keep in zip(days, off, kept, strict=True) if keep)
        yield Sheet(header, said), Sheet(header, rows), length * series


def sets(count: int) -> bool:
    """Score charts by every metric: first those of curves, then those of cells, per chart and in all."""
    sizes, spent = [], dict.fromkeys((metric.name for metric in METRICS), 0.0)
    for said, true, size in charts(count):
        sizes.append(size)
        for metric in METRICS:
            started = time.process_time()
            metric.measure(said, true)
            spent[metric.name] += time.process_time() - started
    print(f"{count} charts: {np.mean(sizes):.0f} values a chart (paper: 699), median {np.median(sizes):.0f} (156), "
          f"standard deviation {np.std(sizes):.0f} (1842), most {max(sizes)} (8592)")  # fmt: skip
    print("    CPU seconds: " + ", ".join(f"{name} {value:.1f}" for name, value in spent.items()))
    share = count / 1000
    every, curves = sum(spent.values()) / 2, sum(v for name, v in spent.items() if name not in CELLS) / 2
    first = report(
        "1,000 charts on two cores, without RMS and SCRM", "< 60 s", f"{curves / share:.0f} s", curves < 60 * share
    )
    second = report("1,000 charts on two cores, all metrics", "< 300 s", f"{every / share:.0f} s", every < 300 * share)
    return first and second


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.speed", description="Measure the metrics against their targets."
    )
    parser.add_argument("--charts", type=int, default=1000)
    parser.add_argument("--no-sets", action="store_true", help="leave the sets of charts out")
    asked = parser.parse_args()
    held = [ecs_against_aeon(), ecs_memory(), rms_against_plain()]
    if not asked.no_sets:
        held.append(sets(asked.charts))
    return int(not all(held))


if __name__ == "__main__":
    sys.exit(main())
