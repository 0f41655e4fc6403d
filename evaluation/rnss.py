"""RNSS: how near the numbers of two tables are, whatever they belong to.

All cells that are numbers count, headers and row labels included. Mode "deplot" computes what the published code does:
missing and surplus numbers are free, and a true 0 is *nearest* to what is not 0. "zero" repairs the zero, "padded" also
charges 1 for every number too few or too many. Not handled here: percent signs ("5%" is no number there).
"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from evaluation.rms import Rows

Floats = NDArray[np.float64]
RnssMode = Literal["deplot", "zero", "padded"]


def rnss(prediction: str | Rows, target: str | Rows, mode: RnssMode = "padded") -> float:
    """1 - summed distance / the greater count of numbers. Both without numbers: 1; one: 0.

    >>> rnss("a | 11 | 20", "a | 10 | 20")
    0.95
    """
    said, true = numbers(prediction), numbers(target)
    if not len(said) or not len(true):
        return float(len(said) == len(true))
    apart = _distances(true, said, mode)
    rows, columns = linear_sum_assignment(apart)
    unmatched = abs(len(true) - len(said)) if mode == "padded" else 0
    return 1.0 - (float(apart[rows, columns].sum()) + unmatched) / max(len(true), len(said))


def numbers(table: str | Rows) -> Floats:
    """All cells (separated by " | " in a text) that Python reads as a number, in order."""
    rows = [line.split(" | ") for line in table.splitlines()] if isinstance(table, str) else table
    found = []
    for row in rows:
        for cell in row:
            try:
                found.append(float(cell))
            except ValueError:
                continue
    return np.array(found, dtype=np.float64)


def _distances(true: Floats, said: Floats, mode: RnssMode) -> Floats:
    """min(1, |t - p| / |t|) of all pairs, nan is 1; (true, said), or (said, true) where fewer numbers were said: the
    assignment is faster with fewer rows than columns. Equal true numbers are worked out once."""
    distinct, where = np.unique(true, return_inverse=True)
    with np.errstate(all="ignore"):
        apart = (distinct[:, None] - said[None, :]) / distinct[:, None]
    np.fmin(np.abs(apart, out=apart), 1.0, out=apart)
    apart[distinct == 0] = (said == 0) if mode == "deplot" else (said != 0)  # the published code has it the wrong way
    return np.take(apart.T, where, axis=1) if len(true) > len(said) else apart[where]
