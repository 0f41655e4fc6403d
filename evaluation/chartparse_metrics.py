"""The score of ChartParse-Bench: series recall x coverage x accuracy x mark recall.

Only a model card was published: series pair by shape, errors are shares of each series' own range (in decades on a log
axis), nothing is compared in declared gaps, RMS. The rest is one reading of it: a true point is covered where the
prediction can be interpolated outside of its gaps, accuracy is the mean of 1 - RMS, pairs with an RMS above the range
are none, surplus series are free. Not handled here: finding marks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tools.align import Pair, assign

Floats = NDArray[np.float64]
Gap = tuple[float, float]


@dataclass(frozen=True)
class ChartParse:
    """Shares of 1; `pairs` are (true, predicted) series."""

    series_recall: float
    coverage: float
    accuracy: float
    mark_recall: float
    pairs: tuple[Pair, ...]

    @property
    def score(self) -> float:
        return self.series_recall * self.coverage * self.accuracy * self.mark_recall


def chartparse(
    pred: Sequence[ArrayLike],
    gt: Sequence[ArrayLike],
    gaps: Sequence[Sequence[Gap]] = (),
    log_y: bool = False,
    marks: tuple[int, int] | None = None,
) -> ChartParse | None:
    """Score one chart. Series: (n, 2) points x, y. `gaps`: per predicted series, the intervals of x that it declares
    unknown. `marks`: found and true. None without true series."""
    true = [_points(one, log_y) for one in gt]
    true = [one for one in true if len(one)]
    if not true:
        return None
    said = [_points(one, log_y) for one in pred]
    declared = [*gaps, *[()] * len(said)]
    cells = [[_compare(t, p, gap) for p, gap in zip(said, declared, strict=False)] for t in true]
    worth = np.array([[coverage * (1 - rms) if rms <= 1 else 0.0 for coverage, rms in row] for row in cells])
    pairs = assign(worth.reshape(len(true), len(said)))
    found = [cells[i][j] for i, j in pairs]
    count = max(1, len(found))
    return ChartParse(
        series_recall=len(found) / len(true),
        coverage=sum(coverage for coverage, _ in found) / count,
        accuracy=sum(max(0.0, 1 - rms) for _, rms in found) / count,
        mark_recall=marks[0] / marks[1] if marks and marks[1] else 1.0,
        pairs=tuple(pairs),
    )


def _points(series: ArrayLike, log_y: bool) -> Floats:
    """Finite points sorted by x; y in decades on a log axis (what it cannot show is left out)."""
    points = np.array(series, dtype=np.float64).reshape(-1, 2)
    if log_y:
        with np.errstate(all="ignore"):
            points[:, 1] = np.log10(points[:, 1])
    points = points[np.isfinite(points).all(axis=1)]
    return points[np.argsort(points[:, 0], kind="stable")]


def _compare(true: Floats, said: Floats, gaps: Sequence[Gap]) -> tuple[float, float]:
    """Share of true points that are covered, and the RMS of their errors in shares of the range (inf: none)."""
    if not len(said):
        return 0.0, np.inf
    x = true[:, 0]
    covered = (x >= said[0, 0]) & (x <= said[-1, 0])
    for low, high in gaps:
        covered &= (x < low) | (x > high)
    if not covered.any():
        return 0.0, np.inf
    off = np.interp(x[covered], said[:, 0], said[:, 1]) - true[covered, 1]
    span = float(np.ptp(true[:, 1]))
    if span == 0:
        return float(covered.mean()), 0.0 if not off.any() else np.inf
    return float(covered.mean()), float(np.sqrt(np.mean((off / span) ** 2)))
