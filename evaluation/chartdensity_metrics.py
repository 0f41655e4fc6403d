"""The metrics of ChartDensity-Bench: compound figures of k charts, scored per chart and over a set.

Written from the paper's appendix (no code was published); where it is silent: completeness is not capped at 1, rows
are counted (not distinct x), each predicted point claims its nearest true x and losers are not moved elsewhere, series
map one to one in order of distance. Not handled here: splitting a prediction into charts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rapidfuzz.distance import Levenshtein

from evaluation.tables import number

Row = tuple[str, str, str]  # series, x, y
Points = list[tuple[float, float]]
RELATIVE_FLOOR = 1e-6


@dataclass(frozen=True)
class ChartDensityChart:
    """One chart. MAE and RMSE on values scaled to 0..100; None (and not parseable) where undefined or above 100."""

    completeness: float
    point_coverage: float
    n_matched: int
    mae: float | None
    rmse: float | None

    @property
    def parseable(self) -> bool:
        return self.mae is not None


@dataclass(frozen=True)
class ChartDensityBench:
    """A set of compounds: format validity, aligned charts, parse rate, completeness, effective completeness, errors."""

    rfv: float
    car: float
    pr: float | None
    acr: float | None
    ec: float | None
    point_coverage: float | None
    mae: float | None
    rmse: float | None


def chartdensity_chart(
    pred: Sequence[Row], gt: Sequence[Row], x_tolerance: float | None = None
) -> ChartDensityChart | None:
    """Score the rows (series, x, y) of one chart. None where the truth has no row."""
    if not gt:
        return None
    groups, said = _by_series(gt), _by_series(pred)
    numeric = {name: all(math.isfinite(number(x)) for x, _ in rows) for name, rows in groups.items()}
    mapping = map_series(list(said), list(groups))
    counted = 0
    for name, rows in said.items():
        if numeric.get(mapping.get(name, ""), False):
            rows[:] = [row for row in rows if math.isfinite(number(row[0]))]
        counted += len(rows)
    if mapping:
        pairs = [
            pair for mine, theirs in mapping.items()
            for pair in _pair(said[mine], groups[theirs], numeric[theirs], x_tolerance)
        ]  # fmt: skip
    else:
        pairs = [(number(p[2]), number(t[2])) for p, t in zip(pred, gt, strict=False)]
    matched = [(p, t) for p, t in pairs if math.isfinite(p) and math.isfinite(t)]
    mae, rmse = _errors(matched)
    return ChartDensityChart(counted / len(gt), len(matched) / len(gt), len(matched), mae, rmse)


def chartdensity_bench(
    compounds: Sequence[tuple[Sequence[Sequence[Row]], Sequence[Sequence[Row]]]], x_tolerance: float | None = None
) -> ChartDensityBench | None:
    """Score compounds, each (predicted charts, true charts); one with another number of charts counts as mismatched."""
    processed = [(said, true) for said, true in compounds if true]
    if not processed:
        return None
    aligned = [
        chart
        for said, true in processed
        if len(said) == len(true)
        for p, t in zip(said, true, strict=True)
        if (chart := chartdensity_chart(p, t, x_tolerance)) is not None
    ]
    matching = sum(len(said) == len(true) for said, true in processed)
    car = len(aligned) / sum(len(true) for _, true in processed)
    good = [chart for chart in aligned if chart.parseable]
    acr = _mean([chart.completeness for chart in aligned])
    return ChartDensityBench(
        rfv=matching / len(processed), car=car, pr=len(good) / len(aligned) if aligned else None,
        acr=acr, ec=None if acr is None else car * acr,
        point_coverage=_mean([chart.point_coverage for chart in aligned]),
        mae=_mean([chart.mae for chart in good]), rmse=_mean([chart.rmse for chart in good]),
    )  # fmt: skip


def degradation(at_1: float, at_9: float) -> tuple[float, float | None]:
    """Growth of an error from 1 to 9 charts a figure: absolute, and in percent of the first (None where that is 0)."""
    return at_9 - at_1, 100 * (at_9 - at_1) / at_1 if at_1 else None


def map_series(pred: Sequence[str], gt: Sequence[str]) -> dict[str, str]:
    """Predicted -> true series: nearest names first, at most half the longer name apart; lone series pair up."""
    if len(pred) == len(gt) == 1:
        return {pred[0]: gt[0]}
    candidates = []
    for i, mine in enumerate(pred):
        for j, theirs in enumerate(gt):
            a, b = mine.strip().casefold(), theirs.strip().casefold()
            distance = Levenshtein.distance(a, b)
            if distance <= max(len(a), len(b)) / 2:
                candidates.append((distance, j, i))
    found: dict[str, str] = {}
    for _, j, i in sorted(candidates):
        if pred[i] not in found and gt[j] not in found.values():
            found[pred[i]] = gt[j]
    return found


def _by_series(rows: Sequence[Row]) -> dict[str, list[tuple[str, str]]]:
    groups: dict[str, list[tuple[str, str]]] = {}
    for series, x, y in rows:
        groups.setdefault(series, []).append((x, y))
    return groups


def _pair(
    said: Sequence[tuple[str, str]], true: Sequence[tuple[str, str]], numeric: bool, x_tolerance: float | None
) -> Points:
    """(predicted y, true y) of the points of one series: by row where x are words, else by nearest x, closest first."""
    if not numeric:
        return [(number(p[1]), number(t[1])) for p, t in zip(said, true, strict=False)]
    places = np.array([number(x) for x, _ in true])
    claims: dict[int, tuple[float, int]] = {}
    for i, (x, _) in enumerate(said):
        apart = np.abs(places - number(x))
        nearest = int(np.argmin(apart))
        claim = (float(apart[nearest]), i)
        if (x_tolerance is None or claim[0] <= x_tolerance) and claim < claims.get(nearest, (math.inf, 0)):
            claims[nearest] = claim
    return [(number(said[i][1]), number(true[j][1])) for j, (_, i) in sorted(claims.items())]


def _errors(matched: Points) -> tuple[float | None, float | None]:
    if not matched:
        return None, None
    said, true = (np.array(side, dtype=np.float64) for side in zip(*matched, strict=True))
    span = float(np.ptp(true))
    off = np.abs(said - true)
    if span > 0:
        scaled = 100 * off / span
    else:  # no range to measure by: relative errors, or plain ones near zero
        relative = 100 * off / np.maximum(np.abs(true), RELATIVE_FLOOR)
        scaled = np.minimum(np.where(np.abs(true) > RELATIVE_FLOOR, relative, off), 100)
    with np.errstate(over="ignore"):  # off by 1e200 ranges: more than 100 anyway
        mae, rmse = float(scaled.mean()), float(np.sqrt((scaled**2).mean()))
    return (None, None) if max(mae, rmse) > 100 else (mae, rmse)


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
