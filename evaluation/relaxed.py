"""Relaxed accuracy: an answer is right within a tolerance (5 %, 2 %, any).

Mode "pix2struct" computes what the published code does (a true 0 is compared as text, years are numbers). "tinychart"
is a deployed copy of it (signed denominator, no percent, case sensitive), "structchart" another (plain decimals only;
words count as 10 on the predicted and 1 on the true side, so a word is right for a true "10"). "numeric" is the rule
for plotted values: finite numbers, and a true 0 needs exactly 0. Not handled here: thousands separators.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Literal

from evaluation.rms import as_float

RelaxedMode = Literal["pix2struct", "tinychart", "structchart", "numeric"]
PLAIN_DECIMAL = re.compile(r"[-+]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?")
PREDICTED_WORD, TRUE_WORD = 10.0, 1.0  # what words count as in mode "structchart"


def relaxed_correct(
    prediction: str, target: str, tolerance: float = 0.05, mode: RelaxedMode = "pix2struct"
) -> bool | None:
    """Whether one answer is right. None in mode "numeric" where the target is no finite number.

    >>> relaxed_correct("105", "100"), relaxed_correct("105", "100", 0.02)
    (True, False)
    """
    if mode in ("tinychart", "structchart"):
        return (_tinychart if mode == "tinychart" else _structchart)(prediction, target, tolerance)
    said, true = as_float(prediction), as_float(target)
    if mode == "numeric":
        if true is None or not math.isfinite(true):
            return None
        if said is None or not math.isfinite(said):
            return False
        return said == 0 if true == 0 else abs(said - true) / abs(true) <= tolerance
    if said is not None and true:
        return abs(said - true) / abs(true) <= tolerance
    return prediction.lower() == target.lower()


def relaxed_accuracy(
    predictions: Sequence[str],
    targets: Sequence[Sequence[str]],
    tolerance: float = 0.05,
    mode: RelaxedMode = "pix2struct",
) -> float | None:
    """Share of right answers, each against the best of its accepted targets. None where nothing can be judged."""
    verdicts = []
    for said, accepted in zip(predictions, targets, strict=True):
        known = [v for v in (relaxed_correct(said, one, tolerance, mode) for one in accepted) if v is not None]
        if known:
            verdicts.append(any(known))
    return sum(verdicts) / len(verdicts) if verdicts else None


def _tinychart(prediction: str, target: str, tolerance: float) -> bool:
    try:
        said, true = float(prediction), float(target)
    except ValueError:
        return prediction == target
    return said == 0 if true == 0 else abs(said - true) / true <= tolerance


def _structchart(prediction: str, target: str, tolerance: float) -> bool:
    """Right as a number or as a word. The published mean counts an answer that is right both ways twice: that takes
    a true "a" or a predicted "b" and is left out here."""
    said, true = (PLAIN_DECIMAL.fullmatch(text) is not None for text in (prediction, target))
    p, t = float(prediction) if said else PREDICTED_WORD, float(target) if true else TRUE_WORD
    near = t != 0 and abs((p - t) / t) <= tolerance
    return near or ("a" if said else prediction) == ("b" if true else target)
