"""ECS, the EpiCurve similarity: per series, per image and per data set, with the seven-part decomposition.

ECS = 1 - C / L: the cheapest alignment of the predicted with the true values, where a match costs its error as a share
of the y range (1 above theta) and a gap costs lambda; L is the length of the path. Where the paper is silent the
choices are those of a written specification: nan dropped first, y range = the truth's own unless given, cost ties by
the shortest path, error = theta not clipped, floor at 0. Not handled here: reading tables (see `tables`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.elastic import Clip, Tie, edit_path, finite, local_scale
from tools.align import Pair, assign, similarities

Floats = NDArray[np.float64]
Range = tuple[float, float]
LabelledSeries = tuple[str, ArrayLike]  # label, values in order of x


@dataclass(frozen=True)
class EcsOptions:
    """The switches of the metric, at the paper's values.

    `shortcut`: pair two lone series whatever their labels when "both" sides have one, "either" has one, or never
    ("off"). `unmatched`: true series without a partner count as "zero", or are left out ("ignore").
    """

    theta: float = 0.01
    gap: float = 1.0
    nls_threshold: float = 0.5
    clip: Clip = "gt"
    tie: Tie = "shortest"
    nan: Literal["drop", "keep"] = "drop"
    floor: bool = True
    shortcut: Literal["both", "either", "off"] = "both"
    unmatched: Literal["zero", "ignore"] = "zero"


PAPER = EcsOptions()


@dataclass(frozen=True)
class EcsSeries:
    """One aligned pair: path cost and length, what the path holds, and the score before and after the floor."""

    cost: float
    length: int
    matches: int
    surplus: int
    missed: int
    numerical: float
    raw: float
    score: float


@dataclass(frozen=True)
class Components:
    """Where the points of a score went; the seven sum to 1."""

    score: float = 0.0
    numerical_error: float = 0.0
    surplus_datapoints: float = 0.0
    missed_datapoints: float = 0.0
    label_mismatch: float = 0.0
    missed_series: float = 0.0
    no_data: float = 0.0


@dataclass(frozen=True)
class EcsImage:
    """The score of one image, its decomposition, and (true label, predicted label, score) of each matched pair."""

    score: float
    components: Components
    matches: tuple[tuple[str, str, float], ...]


def ecs_series(pred: ArrayLike, gt: ArrayLike, y_range: Range | None = None, options: EcsOptions = PAPER) -> EcsSeries:
    """Align two series of values (in order of x). `y_range`: what errors are shares of (default: the truth's range).

    >>> ecs_series([2, 5, 9], [0, 2, 5, 9]).score
    0.75
    """
    p, t = _values(pred, options), _values(gt, options)
    scale, limit = local_scale(*(y_range or _extent(t)), options.theta, options.clip)
    path = edit_path(p, t, scale=scale, limit=limit, gap=options.gap, tie=options.tie)
    matches = len(p) + len(t) - path.length
    surplus, missed = len(p) - matches, len(t) - matches
    raw = 1.0 - path.cost / path.length if path.length else 0.0
    numerical = max(0.0, path.cost - options.gap * (surplus + missed))
    score = max(0.0, raw) if options.floor else raw
    return EcsSeries(path.cost, path.length, matches, surplus, missed, numerical, raw, score)


def ecs(
    pred: Sequence[LabelledSeries],
    gt: Sequence[LabelledSeries],
    y_ranges: Mapping[str, Range] | Sequence[Range | None] | None = None,
    options: EcsOptions = PAPER,
) -> EcsImage | None:
    """ECS of one image: the mean over true series. None where the truth holds no number at all (undefined).

    `y_ranges`: by true label, or one per true series; missing ones are the series' own range.
    """
    kept = [i for i, (_, values) in enumerate(gt) if np.isfinite(np.asarray(values, dtype=np.float64)).any()]
    if not kept:
        return None
    truth = [gt[i] for i in kept]
    ranges = [_range_of(y_ranges, i, gt[i][0]) for i in kept]
    pairs = match_series([label for label, _ in pred], [label for label, _ in truth], options)
    aligned = [ecs_series(pred[j][1], truth[i][1], ranges[i], options) for i, j in pairs]
    matches = tuple((truth[i][0], pred[j][0], s.score) for (i, j), s in zip(pairs, aligned, strict=True))
    components = _decompose(aligned, len(truth), len(pred), options)
    return EcsImage(components.score, components, matches)


def ecs_dataset(
    images: Iterable[tuple[Sequence[LabelledSeries], Sequence[LabelledSeries]]], options: EcsOptions = PAPER
) -> EcsImage | None:
    """Mean over images, each (predicted series, true series); images without truth are left out. None if all are."""
    return mean_of_images([ecs(pred, gt, options=options) for pred, gt in images])


def mean_of_images(images: Iterable[EcsImage | None]) -> EcsImage | None:
    """Score and components averaged over the images that are defined; None if there are none."""
    parts = [asdict(image.components) for image in images if image is not None]
    if not parts:
        return None
    mean = Components(**{name: sum(part[name] for part in parts) / len(parts) for name in parts[0]})
    return EcsImage(mean.score, mean, ())


def match_series(pred: Sequence[str], gt: Sequence[str], options: EcsOptions = PAPER) -> list[Pair]:
    """Pairs (true index, predicted index): the greatest total NLS over pairs above the threshold, caseless, stripped.

    >>> match_series(["deaths ", "CASES"], ["Cases", "Deaths"])
    [(0, 1), (1, 0)]
    """
    lone = (len(pred) == 1, len(gt) == 1)
    if pred and gt and ((options.shortcut == "both" and all(lone)) or (options.shortcut == "either" and any(lone))):
        return [(0, 0)]
    names = [label.strip().lower() for label in gt], [label.strip().lower() for label in pred]
    return assign(similarities(*names), above=options.nls_threshold)


def _decompose(aligned: Sequence[EcsSeries], n_gt: int, n_pred: int, options: EcsOptions) -> Components:
    if n_pred == 0:
        return Components(no_data=1.0)
    unmatched = n_gt - len(aligned)
    mislabelled = min(unmatched, n_pred - len(aligned))
    count = n_gt
    if options.unmatched == "ignore" and aligned:
        count, unmatched, mislabelled = len(aligned), 0, 0
    score, numerical, surplus, missed = (
        sum(part) / count for part in zip((0.0,) * 4, *[_shares(one, options) for one in aligned], strict=True)
    )
    return Components(score, numerical, surplus, missed, mislabelled / count, (unmatched - mislabelled) / count)


def _shares(one: EcsSeries, options: EcsOptions) -> tuple[float, float, float, float]:
    """Score, numerical error, surplus and missed of one pair: they sum to 1 (shrunk where the floor acts)."""
    if not one.length:
        return 0.0, 0.0, 0.0, 1.0
    losses = np.array([one.numerical, options.gap * one.surplus, options.gap * one.missed]) / one.length
    if one.score > one.raw:
        losses /= losses.sum()
    return one.score, float(losses[0]), float(losses[1]), float(losses[2])


def _values(values: ArrayLike, options: EcsOptions) -> Floats:
    return finite(values) if options.nan == "drop" else np.asarray(values, dtype=np.float64).ravel()


def _extent(values: Floats) -> Range:
    known = values[np.isfinite(values)]
    return (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)


def _range_of(ranges: Mapping[str, Range] | Sequence[Range | None] | None, index: int, label: str) -> Range | None:
    if ranges is None:
        return None
    return ranges.get(label) if isinstance(ranges, Mapping) else ranges[index]
