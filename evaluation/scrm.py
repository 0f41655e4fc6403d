"""SCRM, the structuring chart-oriented representation metric: tables as sets of (row label, header, value) triples.

IoU of predicted and true triples at three tolerances of text (edits) and value (relative error), then AP over images.
Modes "chartvlm" and "structchart" compute what the published code does, its quirks included: a negative true value
matches any number, IoU may exceed 1, thresholds are those of a floating sweep. "fixed" divides by the size of the true
value, matches one to one, leaves missing values out and uses exact thresholds. Not handled here: parsing anything but
tab-separated rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching

ScrmMode = Literal["chartvlm", "structchart", "fixed"]
Level = Literal["strict", "slight", "high"]
Triple = tuple[str, str, float | str]
Bools = NDArray[np.bool_]
LEVELS: tuple[Level, ...] = ("strict", "slight", "high")
EDITS = {"strict": 0, "slight": 2, "high": 5}
ERRORS = {"strict": 0.0, "slight": 0.05, "high": 0.10}
HARD_ERRORS = {"strict": 0.1, "slight": 0.3, "high": 0.5}  # of the chart types that ChartVLM calls hard
HARD_TYPES = ("rose", "area", "3d-bar", "bubble", "multi-axes", "radar")
EPSILON = 1e-6


@dataclass(frozen=True)
class ScrmLevel:
    """One tolerance over a set of images: mean over the threshold sweep, AP at three thresholds, IoU of each image."""

    mean_precision: float
    ap_50: float
    ap_75: float
    ap_90: float
    iou: tuple[float, ...]


@dataclass(frozen=True)
class Scrm:
    """All three tolerances, and the share of images that are exactly right."""

    em: float
    strict: ScrmLevel
    slight: ScrmLevel
    high: ScrmLevel


def scrm(
    predictions: Sequence[str], references: Sequence[str], mode: ScrmMode = "fixed", hard: bool = False
) -> Scrm | None:
    """SCRM of a set of images (tab-separated tables); None without images. `hard`: the tolerances of hard charts."""
    if not references:
        return None
    ious = [scrm_iou(said, true, mode, hard) for said, true in zip(predictions, references, strict=True)]
    levels = {level: _over_images([one[level] for one in ious], mode) for level in LEVELS}
    em = _share(levels["strict"].iou, 1.0)
    return Scrm(em, levels["strict"], levels["slight"], levels["high"])


def scrm_iou(prediction: str, reference: str, mode: ScrmMode = "fixed", hard: bool = False) -> dict[Level, float]:
    """IoU of one image at each tolerance. Two tables without values: 1 in mode "fixed", else 0 (where
    published code raises)."""
    said, true = triples(prediction, mode), triples(reference, mode)
    if not said or not true:
        return dict.fromkeys(LEVELS, float(mode == "fixed" and not said and not true))
    pairs = _Pairs.of(said, true, mode)
    errors = HARD_ERRORS if hard else ERRORS
    return {level: _iou(said, true, pairs.match(EDITS[level], errors[level]), mode) for level in LEVELS}


def triples(table: str, mode: ScrmMode) -> list[Triple]:
    """The distinct triples of a table, lowercased, numbers as floats; cells beyond the header row are left out.

    Label and header are sorted (a transposed table is the same) and percent and dollar signs go, but not in the mode
    "structchart".
    """
    rows = [line.split("\t") for line in table.split("\n")]
    found: dict[Triple, None] = {}
    for row in rows[1:]:
        for header, cell in zip(rows[0][1:], row[1:], strict=False):
            label, name, value = row[0].lower(), header.lower(), cell.lower()
            if mode != "structchart":
                label, name = sorted((label.strip(), name.strip()))
                value = value.strip().replace("%", "").replace("$", "")
            number = _float(value)
            if mode == "fixed" and (value == "" or number != number):
                continue
            found[label, name, value if number is None else number] = None
    return list(found)


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


@dataclass(frozen=True)
class _Pairs:
    """What every pair (predicted, true) of triples is like: edits of keys and of whole triples, error of numbers."""

    key_edits: NDArray[np.uint8]
    text_edits: NDArray[np.uint8]
    error: NDArray[np.float64]  # nan where not both are numbers
    numeric: Bools

    @staticmethod
    def of(said: Sequence[Triple], true: Sequence[Triple], mode: ScrmMode) -> _Pairs:
        keys = [[label + name for label, name, _ in side] for side in (said, true)]
        texts = [["".join(map(str, one)) for one in side] for side in (said, true)]
        p, t = (np.array([v if isinstance(v, float) else np.nan for _, _, v in side]) for side in (said, true))
        is_number = [np.array([isinstance(v, float) for _, _, v in side]) for side in (said, true)]
        numeric = is_number[0][:, None] & is_number[1][None, :]
        size = np.abs(t) if mode == "fixed" else t + EPSILON
        error = p[:, None] - t[None, :]
        np.abs(error, out=error)
        with np.errstate(all="ignore"):
            np.divide(error, size[None, :], out=error)
        if mode == "fixed":  # a true 0 is met by 0
            error[np.ix_(p == 0, t == 0)] = 0.0
        text_edits = _edits(*texts) if not numeric.all() else np.zeros(numeric.shape, dtype=np.uint8)
        return _Pairs(_edits(*keys), text_edits, error, numeric)

    def match(self, edits: int, error: float) -> Bools:
        as_numbers = (self.key_edits <= edits) & (self.error <= error)
        if self.numeric.all():
            return np.asarray(as_numbers, dtype=np.bool_)
        return np.asarray(np.where(self.numeric, as_numbers, self.text_edits <= edits), dtype=np.bool_)


def _edits(said: Sequence[str], true: Sequence[str]) -> NDArray[np.uint8]:
    """Edit distances of all pairs; what is beyond the greatest tolerance is given as one more than that."""
    return cdist(said, true, scorer=Levenshtein.distance, score_cutoff=max(EDITS.values()), dtype=np.uint8)


def _iou(said: Sequence[Triple], true: Sequence[Triple], match: Bools, mode: ScrmMode) -> float:
    if mode == "fixed":
        common = int((maximum_bipartite_matching(csr_matrix(match), perm_type="column") >= 0).sum())
        return common / (len(said) + len(true) - common)
    matched = np.any(match, axis=1).tolist()
    exact = set(true)
    only_tolerantly = {one for one, is_matched in zip(said, matched, strict=True) if is_matched and one not in exact}
    return float(sum(matched)) / len((set(said) | exact) - only_tolerantly)


def _over_images(ious: Sequence[float], mode: ScrmMode) -> ScrmLevel:
    sweep = [t / 100 for t in range(50, 100, 5)] if mode == "fixed" else np.arange(0.5, 1, 0.05).tolist()
    mean = sum(_share(ious, threshold) for threshold in sweep) / len(sweep)
    return ScrmLevel(mean, _share(ious, 0.5), _share(ious, 0.75), _share(ious, 0.9), tuple(ious))


def _share(ious: Sequence[float], threshold: float) -> float:
    return sum(iou >= threshold for iou in ious) / len(ious)
