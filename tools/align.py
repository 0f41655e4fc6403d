"""Which name belongs to which, and which row to which: name similarity and one-to-one assignment.

Shared by the metrics, the self-ensemble and the checker. Not handled here: what the names or rows stand for.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist
from scipy.optimize import linear_sum_assignment

Floats = NDArray[np.float64]
Pair = tuple[int, int]


def similarity(a: str, b: str) -> float:
    """1 - Levenshtein distance / longer length, on code points as they are; two empty names are equal.

    >>> similarity("cases", "case")
    0.8
    """
    return float(Levenshtein.normalized_similarity(a, b))


def plain(name: str) -> str:
    """A name as it is compared: outer blanks off, runs of blanks as one, lower case."""
    return " ".join(name.split()).lower()


def similarities(names: Sequence[str], others: Sequence[str]) -> Floats:
    """Matrix (len(names), len(others)) of `similarity`; nothing is stripped or lowercased."""
    if not names or not others:
        return np.zeros((len(names), len(others)))
    return cdist(names, others, scorer=Levenshtein.normalized_similarity, dtype=np.float64)


def assign(scores: ArrayLike, above: float = 0.0) -> list[Pair]:
    """One-to-one pairs (row, column) with the greatest total score, using only scores greater than `above`.

    `scores`: float (n, m); nan counts as never. Among equal totals, early rows and columns are used first and in
    order, so that the answer does not depend on the solver. Sorted by row.

    >>> assign([[0.9, 0.8], [0.8, 0.1]])
    [(0, 1), (1, 0)]
    """
    matrix = np.asarray(scores, dtype=np.float64)
    if matrix.ndim != 2 or matrix.size == 0:
        return []
    usable = matrix > above
    rows, columns = linear_sum_assignment(np.where(usable, matrix - _tie_break(*matrix.shape), 0.0), maximize=True)
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if usable[i, j]]


def _tie_break(n: int, m: int) -> Floats:
    """Small costs: first for late rows and columns, then (much smaller) for pairs that cross."""
    i, j = np.arange(n)[:, None] / n, np.arange(m)[None, :] / m
    return 1e-8 * (i + j) - 1e-9 * i * j


def nearest_in_order(values: ArrayLike, targets: ArrayLike, reach: float) -> list[Pair]:
    """One-to-one pairs (value index, target index) of sorted or unsorted numbers no farther apart than `reach`.

    As many pairs as possible, and among these the closest. nan pairs with nothing. Sorted by value index.

    >>> nearest_in_order([0.0, 1.1, 5.0], [1.0, 2.0, 0.1], 0.5)
    [(0, 2), (1, 0)]
    """
    a, b = np.asarray(values, dtype=np.float64).ravel(), np.asarray(targets, dtype=np.float64).ravel()
    order_a, order_b = np.argsort(a, kind="stable"), np.argsort(b, kind="stable")
    order_a, order_b = order_a[np.isfinite(a[order_a])], order_b[np.isfinite(b[order_b])]
    pairs = _monotone_pairs(a[order_a], b[order_b], reach)
    return sorted((int(order_a[i]), int(order_b[j])) for i, j in pairs)


def _monotone_pairs(a: Floats, b: Floats, reach: float) -> list[Pair]:
    """On sorted numbers the best one-to-one pairing never crosses: match, or skip one side, by dynamic programming."""
    n, m = len(a), len(b)
    best = np.zeros((n + 1, m + 1))
    slack = reach * (1 + 1e-9)
    for i in range(1, n + 1):
        gap = np.abs(a[i - 1] - b)
        gain = np.where(gap <= slack, 1.0 - 1e-6 * gap / reach if reach > 0 else 1.0, -np.inf)
        best[i, 1:] = np.maximum(best[i - 1, 1:], best[i - 1, :-1] + gain)
        best[i] = np.maximum.accumulate(best[i])
    pairs, i, j = [], n, m
    while i and j:
        if best[i, j] == best[i, j - 1]:
            j -= 1
        elif best[i, j] == best[i - 1, j]:
            i -= 1
        else:
            pairs.append((i - 1, j - 1))
            i, j = i - 1, j - 1
    return pairs
