"""RMS, the relative mapping similarity of tables: keys are matched by likeness, values by relative error.

A table is a mapping "row label + column header" -> cell. Mode "deplot" computes what the published code does, its
quirks included: values play no part in the matching, a true value of 0 is compared as text, nan equals nothing. The
opt-in zero rule compares 0 as a number. The prediction is read as it stands and transposed, the better F1 counts. Not
handled here: thousands separators ("1,234" is text there, and so here).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist
from scipy.optimize import linear_sum_assignment

from evaluation.nls import Boundary, anls

Floats = NDArray[np.float64]
Rows = Sequence[Sequence[str]]


@dataclass(frozen=True)
class PrecisionRecall:
    """Shares of 1."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class RmsOptions:
    """Thresholds and conventions, at the values of the published code."""

    text_theta: float = 0.5
    number_theta: float = 0.1
    boundary: Boundary = "le"
    zero_rule: bool = False


def rms(
    prediction: str | Rows, targets: str | Rows | Sequence[str], options: RmsOptions = RmsOptions()
) -> PrecisionRecall:
    """RMS of a predicted table against one true table, or the best over several (a list of texts).

    Tables are texts (rows of cells separated by " | ", a first line "title | ..." allowed) or rows of cells.
    """
    several = not isinstance(targets, str) and bool(targets) and all(isinstance(one, str) for one in targets)
    accepted = list(targets) if several else [targets]
    best = PrecisionRecall(0.0, 0.0, -1.0)
    for target in map(entries, accepted):
        for transposed in (False, True):
            if best.f1 < 1:
                found = compare_entries(entries(prediction, transposed), target, options)
                best = max(best, found, key=lambda score: score.f1)
    return best


def entries(table: str | Rows, transposed: bool = False) -> dict[str, str]:
    """The mapping of a table, lowercased: repeated keys keep the last value, short rows give fewer entries.

    >>> entries("k | v\\na | 1")
    {'a v': '1'}
    """
    found: dict[str, str] = {}
    if isinstance(table, str):
        lines = table.lower().split("\n")
        if lines[0].startswith("title |"):
            found["title"] = lines.pop(0).removeprefix("title |").strip()
        rows = [tuple(cell.strip() for cell in line.split(" | ")) for line in lines]
    else:
        rows = [tuple(cell.strip().lower() for cell in row) for row in table]
    if transposed:
        rows = list(zip_longest(*rows, fillvalue=""))
    for row in rows[1:]:
        for header, cell in zip(rows[0][1:], row[1:], strict=False):
            found[f"{row[0]} {header}"] = cell
    return found


def compare_entries(said: dict[str, str], true: dict[str, str], options: RmsOptions) -> PrecisionRecall:
    """Precision, recall and F1 of two mappings. Both empty: 1, 1, 1."""
    if not said or not true:
        both = float(not said and not true)
        return PrecisionRecall(float(not said), float(not true), both)
    flipped = len(true) > len(said)  # the assignment is faster with fewer rows than columns
    alike = (
        _key_likeness(list(said), list(true), options) if flipped else _key_likeness(list(true), list(said), options)
    )
    pairs = np.column_stack(linear_sum_assignment(1 - alike))
    true_cells, said_cells = list(true.values()), list(said.values())
    total = sum(
        float(alike[i, j]) * value_score(true_cells[j if flipped else i], said_cells[i if flipped else j], options)
        for i, j in pairs.tolist()
        if alike[i, j] > 0
    )
    if total == 0:
        return PrecisionRecall(0.0, 0.0, 0.0)
    precision, recall = total / len(said), total / len(true)
    return PrecisionRecall(precision, recall, 2 * precision * recall / (precision + recall))


def _key_likeness(rows: Sequence[str], columns: Sequence[str], options: RmsOptions) -> Floats:
    """ANLS of all pairs of keys."""
    theta = options.text_theta  # beyond it the distance is given as 1, without being worked out
    apart = cdist(rows, columns, scorer=Levenshtein.normalized_distance, score_cutoff=theta, dtype=np.float64)
    if options.boundary == "lt":
        apart[apart == theta] = 1.0
    np.subtract(1.0, apart, out=apart)  # in place: millions of pairs
    return apart


def value_score(true: str, said: str, options: RmsOptions) -> float:
    """1 - relative error of numbers (0 beyond the threshold), ANLS of anything else."""
    target, prediction = as_float(true), as_float(said)
    if options.zero_rule and target == 0 and prediction is not None:
        return float(prediction == 0)
    if prediction is not None and target:
        return 1 - relative_distance(target, prediction, options.number_theta)
    return 1.0 if true == said else anls(true, said, options.text_theta, options.boundary)


def relative_distance(target: float, prediction: float, theta: float = 1.0) -> float:
    """min(1, |t - p| / |t|), 1 unless below theta; `target` is not 0. nan is 1.

    >>> relative_distance(10, 11), relative_distance(10, 12, 0.1)
    (0.1, 1.0)
    """
    with np.errstate(all="ignore"):
        distance = float(abs((np.float64(target) - prediction) / target))
    return distance if distance < min(theta, 1.0) else 1.0


def as_float(cell: str) -> float | None:
    """What Python reads as a number, "5%" as 0.05; None otherwise."""
    try:
        return float(cell.removesuffix("%")) / 100 if cell.endswith("%") else float(cell)
    except ValueError:
        return None
