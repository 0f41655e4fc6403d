"""What an epidemic curve is read for: total, peak time, peak size, growth; and how a metric predicts their errors.

The filters are the paper's: totals for case and death counts only, the others for every series whose truth is not all
zero, each where it is defined. The paper's "ascending phase of sufficient length" is taken as four points, and its
log-incidence as log(1 + value). Not handled here: pairing series (see `ecs`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.elastic import finite

Floats = NDArray[np.float64]
COUNTS = re.compile(r"case|death|infection|hospitali[sz]ation|admission|fatalit|incidence|positive|count", re.I)
NOT_COUNTS = re.compile(r"rate|percent|%|ratio|per\b|proportion|share|positivity|average|mean", re.I)
LEAST_GROWTH = 4  # points of an ascending phase


@dataclass(frozen=True)
class Downstream:
    """Errors of one series, None where undefined: relative total, peak time in steps, relative peak, and the
    correlation of the growth phases (there, higher is better)."""

    total: float | None
    peak_time: float | None
    peak_size: float | None
    growth: float | None


def downstream(pred: ArrayLike, gt: ArrayLike, label: str = "cases") -> Downstream:
    """The four statistics of a predicted against a true series, values in order of time; nan dropped.

    >>> downstream([1, 3, 9, 4], [1, 2, 10, 4]).peak_size
    0.1
    """
    said, true = finite(pred), finite(gt)
    if not len(true) or true.sum() == 0:
        return Downstream(None, None, None, None)
    counts = bool(COUNTS.search(label)) and not NOT_COUNTS.search(label)
    total = float(abs(said.sum() - true.sum()) / abs(true.sum())) if counts else None
    top = int(np.argmax(true))
    if not len(said):
        return Downstream(total, None, None, None)
    peaked = float(np.ptp(true)) > 0
    sizes = float(said.max()), float(true.max())
    return Downstream(
        total,
        float(abs(int(np.argmax(said)) - top)) if peaked else None,
        abs(sizes[0] - sizes[1]) / abs(sizes[1]) if all(sizes) else None,
        growth_fidelity(said, true, top),
    )


def growth_fidelity(said: Floats, true: Floats, top: int) -> float | None:
    """Pearson correlation of log(1 + value) from the first true value that is not zero to the true peak."""
    start = int(np.flatnonzero(true)[0])
    stop = min(top + 1, len(said))
    if stop - start < LEAST_GROWTH:
        return None
    with np.errstate(all="ignore"):
        rising = np.log1p(np.stack([said[start:stop], true[start:stop]]))
    if not np.isfinite(rising).all() or (np.ptp(rising, axis=1) == 0).any():
        return None
    return float(np.corrcoef(rising)[0, 1])


@dataclass(frozen=True)
class Rank:
    """Spearman's rank correlation over n pairs; None below three pairs or where one side is constant."""

    rho: float | None
    n: int


def spearman_table(
    scores: Mapping[str, Sequence[float]], statistics: Sequence[Downstream]
) -> dict[str, dict[str, Rank]]:
    """For each statistic and each metric (a score per series, in the same order): how well the metric predicts it."""
    names = ("total", "peak_time", "peak_size", "growth")
    columns = {name: [getattr(one, name) for one in statistics] for name in names}
    return {
        name: {metric: spearman(values, column) for metric, values in scores.items()}
        for name, column in columns.items()
    }


def spearman(values: Sequence[float], others: Sequence[float | None]) -> Rank:
    """Over the pairs in which both are known."""
    from scipy.stats import rankdata

    known = [(a, b) for a, b in zip(values, others, strict=True) if b is not None and np.isfinite([a, b]).all()]
    if len(known) < 3:
        return Rank(None, len(known))
    ranks = np.stack([rankdata(side) for side in zip(*known, strict=True)])
    if (np.ptp(ranks, axis=1) == 0).any():
        return Rank(None, len(known))
    return Rank(float(np.corrcoef(ranks)[0, 1]), len(known))
