"""The metrics of ChartAB: what a model sees in one chart (grounding) and between two charts (alignment).

Values are those of the published code where it computes one (`total`, rounded to a decimal, on a scale of 10) and of
the paper's formula beside it (`paper`). Where the code raises or reports a format error, ours counts 0 or returns None.
Text from a model is never evaluated as code. Not handled here: getting JSON out of a reply.
"""

from __future__ import annotations

import math
import re
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from evaluation.nls import indel_ratio, nls
from evaluation.scrm import scrm_iou
from tools.align import assign

EPSILON = 1e-8
MAX_L2 = math.dist((0, 0, 0), (255, 255, 255))  # 441.673
POSITIONS = tuple(
    " ".join(dict.fromkeys((row, column)))
    for row in ("upper", "center", "lower")
    for column in ("left", "center", "right")
)
WEIGHTS = ("light", "normal", "bold")


@dataclass(frozen=True)
class Alignment:
    """Found keys (precision, recall, F1), how right their values are, and the score out of ten."""

    precision: float
    recall: float
    f1: float
    value: float
    tp: int
    fp: int
    fn: int
    alpha: float = 0.5

    @property
    def paper(self) -> float:
        """The score by the paper's formula."""
        return 10 * (self.alpha * self._exact_f1 + (1 - self.alpha) * self.value)

    @property
    def total(self) -> float:
        """The score as the code prints it."""
        return round(10 * (self.alpha * self.f1 + (1 - self.alpha) * self.value), 1)

    @property
    def _exact_f1(self) -> float:
        return 2 * self.tp / (2 * self.tp + self.fp + self.fn) if self.tp else 0.0


NOTHING = Alignment(0.0, 0.0, 0.0, 0.0, 0, 0, 0)


def data_alignment(pred: Mapping[str, Any], gt: Mapping[str, Any], threshold: float = 0.5) -> Alignment:
    """Cells that differ between two charts: {"cell 1": {"row name", "column name", "value in chart 1", "... 2"}}."""
    said, true = ([cell for cell in side.values() if isinstance(cell, Mapping)] for side in (pred, gt))
    if not said or not true:
        return NOTHING
    rows, columns = (_name_ratios(true, said, key) for key in ("row name", "column name"))
    pairs = [
        (i, j)
        for i, j in zip(*linear_sum_assignment(-(rows * columns)), strict=True)
        if rows[i, j] >= threshold and columns[i, j] >= threshold
    ]
    tp = len(pairs)
    precision, recall = tp / (len(said) + EPSILON), tp / (len(true) + EPSILON)
    f1 = 2 * precision * recall / (precision + recall + EPSILON)
    values = [
        value_precision(true[i].get(key), said[j].get(key))
        for i, j in pairs
        for key in ("value in chart 1", "value in chart 2")
    ]
    return Alignment(precision, recall, f1, _mean(values), tp, len(said) - tp, len(true) - tp)


def value_precision(true: Any, said: Any) -> float:
    """1 - min(1, |v - v'| / |v|); a true 0 needs 0; what is no number counts 0."""
    target, guess = _as_number(true), _as_number(said)
    if not math.isfinite(target) or not math.isfinite(guess):
        return 0.0
    if target == 0:
        return float(guess == 0)
    return 1 - min(1.0, abs(target - guess) / abs(target))


def color_alignment(pred: Mapping[str, Any], gt: Mapping[str, Any], threshold: float = 0.5) -> Alignment:
    """Series that change colour: {name: {"initial value": "#ff0000", "modified value": "#00ff00"}}. True entries
    without change are left out; predicted ones find their name greedily, in their order."""
    true = {name: change for name, change in gt.items() if change["initial value"] != change["modified value"]}
    if not pred or not true:
        return Alignment(0.0, 0.0, 0.0, 0.0, 0, len(pred), len(true))
    free, pairs = list(true), []
    for name in pred:
        best = max(free, key=lambda other: indel_ratio(name, other), default=None)
        if best is not None and indel_ratio(name, best) >= threshold:
            free.remove(best)
            pairs.append((best, name))
    near = [_colours_near(true[theirs], pred[mine]) for theirs, mine in pairs]
    return _scored(len(pairs), len(pred), len(true), [one for one in near if one is not None])


def text_alignment(pred: Mapping[str, Any], gt: Mapping[str, Any]) -> Alignment:
    """Text styles that change: {region: {"size" | "weight" | "fontfamily": {"initial value", "modified value"}}}."""
    said, true = _changes(pred), _changes(gt)
    common = [key for key in true if key in said]
    values = [
        statistics.mean(
            _style_near(key[1], true[key][when], said[key].get(when)) for when in ("initial value", "modified value")
        )
        for key in common
    ]
    return _scored(len(common), len(said), len(true), values)


def legend_alignment(pred: Mapping[str, Any], gt: Mapping[str, Any]) -> float:
    """Legend places of two charts, 0 to 10: 5 minus the Manhattan distance on the 3 x 3 grid each; unknown words 0."""
    true, said = gt["position"], pred.get("position")
    if not isinstance(said, Mapping):
        return 0.0
    return sum(_place_score(true[when], said.get(when)) for when in ("initial value", "modified value"))


def legend_confusion(pred: Sequence[str], gt: Sequence[str]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Counts (9, 10): true place (rows, as in POSITIONS) by predicted place, the last column for unknown words."""
    counts = np.zeros((len(POSITIONS), len(POSITIONS) + 1), dtype=np.int64)
    for said, true in zip(pred, gt, strict=True):
        column = POSITIONS.index(said) if said in POSITIONS else len(POSITIONS)
        counts[POSITIONS.index(true), column] += 1
    return counts


def robustness(scores: Sequence[float], ddof: int = 0) -> float | None:
    """1 / (1 + standard deviation) of the scores (0 to 10) over the variants of a chart; None without enough scores."""
    return 1 / (1 + float(np.std(scores, ddof=ddof))) if len(scores) > ddof else None


@dataclass(frozen=True)
class ColorL2:
    """Mean distance in RGB (0 to 441.673) of matched series; with a penalty for each true series without a partner."""

    matched: float
    with_penalty: float
    pairs: Mapping[str, str]
    distances: Mapping[str, float]


def color_l2(
    pred: Mapping[str, Any], gt: Mapping[str, Any], threshold: float = 0.5, penalty: float = 441.67
) -> ColorL2 | None:
    """Colours of series, {name: "#rrggbb"}, names matched by NLS (case sensitive). None where nothing matches."""
    said = {name: rgb for name, text in pred.items() if (rgb := parse_hex(text))}
    true = {name: rgb for name, text in gt.items() if (rgb := parse_hex(text))}
    alike = np.array([[nls(theirs, mine) for mine in said] for theirs in true]).reshape(len(true), len(said))
    names = list(true), list(said)
    pairs = {names[0][i]: names[1][j] for i, j in assign(np.where(alike >= threshold, alike, 0.0))}
    if not pairs:
        return None
    distances = {theirs: math.dist(true[theirs], said[mine]) for theirs, mine in pairs.items()}
    total = sum(distances.values())
    charged = (total + penalty * (len(true) - len(pairs))) / len(true)
    return ColorL2(total / len(pairs), charged, pairs, distances)


def text_grounding(pred: Mapping[str, Any], gt: Mapping[str, Any], size_margin: float = 0.1) -> dict[str, float | None]:
    """Share of right sizes (within the margin), weights and families, and their mean as "overall". As in the code,
    what the prediction leaves out is skipped, not wrong; None where nothing is left."""
    found: dict[str, float | None] = {}
    for key in ("size", "weight", "fontfamily"):
        verdicts = [
            _style_right(key, style[key], pred[region][key], size_margin)
            for region, style in gt.items()
            if key in style and isinstance(pred.get(region), Mapping) and key in pred[region]
        ]
        found[key] = sum(verdicts) / len(verdicts) if verdicts else None
    known = [value for value in found.values() if value is not None]
    return {**found, "overall": sum(known) / len(known) if known else None}


def data_grounding(pred: str, gt: str) -> float:
    """One chart's table: mPrecision of SCRM at high tolerance for hard charts, prediction and truth swapped as in the
    code (so that errors are shares of the predicted value), units in brackets removed."""
    said, true = (re.sub(r"\([^()]*\)", "", table) for table in (pred, gt))
    iou = scrm_iou("\n".join(_strip(true)), "\n".join(_strip(said)), "chartvlm", hard=True)["high"]
    return sum(iou >= threshold for threshold in np.arange(0.5, 1, 0.05)) / 10


def parse_hex(text: Any) -> tuple[int, int, int] | None:
    """#rgb or #rrggbb as three numbers; None for anything else."""
    found = re.fullmatch(r"#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})", text.strip()) if isinstance(text, str) else None
    if not found:
        return None
    digits = found[1] if len(found[1]) == 6 else "".join(2 * digit for digit in found[1])
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


def _strip(table: str) -> list[str]:
    return ["\t".join(cell.strip() for cell in line.split("\t")) for line in table.split("\n")]


def _name_ratios(true: Sequence[Mapping[str, Any]], said: Sequence[Mapping[str, Any]], key: str) -> Any:
    names = [[_plain_name(cell.get(key, "")) for cell in side] for side in (true, said)]
    return np.array([[indel_ratio(a, b) for b in names[1]] for a in names[0]])


def _plain_name(name: Any) -> str:
    return re.sub(r"\([^()]*\)", "", str(name)).strip().lower()


def _as_number(value: Any) -> float:
    try:
        return float(value.replace("%", "").replace("$", "")) if isinstance(value, str) else float(value)
    except (TypeError, ValueError):
        return math.inf


def _colours_near(true: Mapping[str, Any], said: Any) -> float | None:
    """1 - mean distance of both colours in shares of the greatest; None where a colour cannot be read."""
    if not isinstance(said, Mapping):
        return None
    total = 0.0
    for when in ("initial value", "modified value"):
        a, b = parse_hex(true[when]), parse_hex(said.get(when))
        if a is None or b is None:
            return None
        total += math.dist(a, b)
    return 1 - total / (2 * MAX_L2)


def _changes(styles: Mapping[str, Any]) -> dict[tuple[str, str], Mapping[str, Any]]:
    """(region, characteristic) -> change, unchanged ones left out."""
    return {
        (region, key): change
        for region, style in styles.items()
        if isinstance(style, Mapping)
        for key, change in style.items()
        if isinstance(change, Mapping) and change.get("initial value") != change.get("modified value")
    }


def _style_near(key: str, true: Any, said: Any) -> float:
    if key == "size":
        return value_precision(true, said)
    if key == "weight":
        weights = [str(weight).lower() for weight in (true, said)]
        return float(len({weight if weight in WEIGHTS else "normal" for weight in weights}) == 1)
    return float(str(true).casefold() == str(said).casefold())


def _style_right(key: str, true: Any, said: Any, margin: float) -> bool:
    if key != "size":
        return bool(true == said)
    target, guess = _as_number(true), _as_number(said)
    return abs(guess - target) <= margin * abs(target) * (1 + 1e-9)


def _place_score(true: Any, said: Any) -> float:
    if true not in POSITIONS or said not in POSITIONS:
        return 0.0
    a, b = divmod(POSITIONS.index(true), 3), divmod(POSITIONS.index(said), 3)
    return 5.0 - abs(a[0] - b[0]) - abs(a[1] - b[1])


def _scored(tp: int, n_said: int, n_true: int, values: Sequence[float]) -> Alignment:
    precision, recall = (tp / n_said if n_said else 0.0), (tp / n_true if n_true else 0.0)
    f1 = 2 * precision * recall / (precision + recall) if tp else 0.0
    return Alignment(precision, recall, f1, _mean(values), tp, n_said - tp, n_true - tp)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
