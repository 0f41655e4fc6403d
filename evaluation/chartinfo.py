"""CHART-Info task 6a and 6b: series compared as curves, points, bars or boxes, then paired with their names.

Lines: relative error (capped at 1) of the interpolated other curve, weighted by the interval around each point, as
recall and as precision; F-score. Bars and boxes: category name times value; scatter: distance in units of the truth's
own spread. Task 6b pairs series by data and name, half of the data score remaining where the name is wrong; task 6a
(`names=False`) by data alone. Not handled here: reading annotation files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from tools.align import similarities

Floats = NDArray[np.float64]
ChartKind = Literal["line", "scatter", "bar", "box"]
WIDEST = 400.0  # a value counts as near within a twentieth of the mean: (1 / 0.05) ** 2


@dataclass(frozen=True)
class DataSeries:
    """A named series of (x, y); x are numbers, or words for bars ("min", "median", ... for a box)."""

    name: str
    points: Sequence[tuple[float | str, float]]


def chart_info(
    pred: Sequence[DataSeries], gt: Sequence[DataSeries], kind: ChartKind, names: bool = True
) -> float | None:
    """Task 6b (or 6a without `names`) of one chart, 0 to 1. None where neither side has a series."""
    if not pred and not gt:
        return None
    if not pred or not gt:
        return 0.0
    words = any(isinstance(x, str) for one in gt for x, _ in one.points)
    compare = compare_discrete if words or kind in ("bar", "box") else {"line": compare_lines}.get(kind, compare_points)
    data = np.array([[compare(p, t) for t in gt] for p in pred])
    if names:
        alike = similarities([p.name for p in pred], [t.name for t in gt])
        data = np.maximum(data / 2, alike * data)
    return _paired(data)


def compare_lines(pred: DataSeries, gt: DataSeries) -> float:
    """F-score of interval-weighted recall and precision; the least denominator is a hundredth of the true range."""
    said, true = (_numeric(one) for one in (pred, gt))
    if not len(said) or not len(true):
        return float(len(said) == len(true))
    epsilon = float(np.ptp(true[:, 1])) / 100
    recall, precision = line_recall(said, true, epsilon), line_recall(true, said, epsilon)
    return float(2 * precision * recall / (precision + recall)) if precision + recall else 0.0


def line_recall(said: Floats, true: Floats, epsilon: float) -> float:
    """1 - capped relative error of `said` interpolated at the points of `true`, weighted by the interval of each."""
    x, y = true[:, 0], true[:, 1]
    off = np.abs(y - np.interp(x, said[:, 0], said[:, 1]))
    with np.errstate(all="ignore"):
        error = np.where(off == 0, 0.0, np.minimum(1.0, off / (np.abs(y) + epsilon)))
    gaps = np.diff(x)
    weight = (np.concatenate([[0.0], gaps]) + np.concatenate([gaps, [0.0]])) / 2
    if not weight.any():
        weight = np.ones(len(x))
    return float(((1 - error) * weight).sum() / weight.sum())


def compare_points(pred: DataSeries, gt: DataSeries) -> float:
    """Scatter: 1 - Mahalanobis distance capped at 1, in the truth's own covariance, points paired one to one."""
    said, true = (_numeric(one) for one in (pred, gt))
    if not len(said) or not len(true):
        return float(len(said) == len(true))
    narrowest = WIDEST / np.maximum(true.mean(axis=0) ** 2, 1e-300)
    try:
        inverse = np.linalg.inv(np.cov(true.T))
        np.fill_diagonal(inverse, np.minimum(np.diag(inverse), narrowest))
    except np.linalg.LinAlgError:
        inverse = np.diag(narrowest)
    off = said[:, None, :] - true[None, :, :]
    square = np.einsum("ijk,kl,ijl->ij", off, inverse, off)
    return _paired(1 - np.minimum(1.0, np.sqrt(np.maximum(0.0, np.nan_to_num(square, nan=1.0)))))


def compare_discrete(pred: DataSeries, gt: DataSeries) -> float:
    """Bars and boxes: likeness of the category's name times nearness of the value, paired one to one."""
    said, true = ([(str(x), y) for x, y in one.points if np.isfinite(y)] for one in (pred, gt))
    if not said or not true:
        return float(len(said) == len(true))
    alike = similarities([x for x, _ in said], [x for x, _ in true])
    p, t = (np.array([y for _, y in side], dtype=np.float64) for side in (said, true))
    variance = float(np.var(t, ddof=1)) if len(t) > 1 else 0.0
    width = max(variance, float(t.mean()) ** 2 / WIDEST)
    off = np.abs(p[:, None] - t[None, :])
    with np.errstate(all="ignore"):
        near = 1 - np.where(off == 0, 0.0, np.minimum(1.0, off / np.sqrt(width)))
    return _paired(alike * near)


def _numeric(one: DataSeries) -> Floats:
    """The finite numeric points, (n, 2), in order of x."""
    rows = [(float(x), float(y)) for x, y in one.points if not isinstance(x, str)]
    points = np.array(rows, dtype=np.float64).reshape(-1, 2)
    points = points[np.isfinite(points).all(axis=1)]
    return points[np.argsort(points[:, 0], kind="stable")]


def _paired(benefit: Floats) -> float:
    """Greatest total of one-to-one pairs over the greater count: what is left over costs its full share."""
    rows, columns = linear_sum_assignment(benefit, maximize=True)
    return float(benefit[rows, columns].sum() / max(benefit.shape))
