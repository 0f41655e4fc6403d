"""Learns which signs of a reading speak for its being right, from readings of drawn figures whose truth is known.

    python -m evaluation.draw SET --count 400 --seed 341
    plotcaliper compare SET/images SET/truth --out RUN
    python -m evaluation.train_trust RUN... --asked 0.93 > agent/trust_weights.py
    python -m evaluation.train_trust RUN... --asked 0.97 --only-threshold

A panel is right where its score is at least 90 % (ECS; points within 5 % where rows are not compared). Each sign is cut
at a few of its quantiles, and a logistic model with a penalty on the square of its weights says how much each cut
counts: few enough to read, and nothing that a sum of steps could not explain. What is known of a sign's direction is
not learned: ink left over never speaks for a reading, and signs of size or kind that speak neither way are free or left
out. The threshold of "high" is the least trust above which, over panels that took no part in the fit, the asked share
is right; as readers improve, it alone may be chosen anew, on readings of a set that was not drawn for the fit. Not
handled here: trust in single values, which have their intervals.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

Floats = NDArray[np.float64]
GOOD = 0.9
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9, 0.97)
PENALTY = 1.0
FOR = {"anchors", "explained", "plot", "reach", "room", "supported", "sure"}  # the more, the better
EITHER = {f"has {kind}" for kind in ("areas", "bars", "boxes", "lines", "points", "steps")}
# all others: the more, the worse
SAYS_NOTHING = {"most marks", "neutral", "rows", "series"}
FOLDS = 8


@dataclass(frozen=True, eq=False)
class Examples:
    """Panels as rows: signs (n, m), whether each is right (n,), the figure that each belongs to (n,) int."""

    names: tuple[str, ...]
    signs: Floats
    right: NDArray[np.bool_]
    figure: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Model:
    """trust = logistic(bias + the sum of the weights (k,) of those cuts that a panel's signs exceed)."""

    cuts: tuple[tuple[str, float], ...]
    weights: Floats
    bias: float


def load_examples(runs: Sequence[Path]) -> Examples:
    """Every panel with signs, of figures whose panels were counted right, that no sign alone makes doubtful.

    Raises ValueError where there are none.
    """
    found = [one for one in _judged(runs) if one[1].get("signs") and not one[1].get("against")]
    if not found:
        raise ValueError("no panel with signs was found: run `plotcaliper compare` anew")
    names = tuple(sorted(found[0][1]["signs"]))
    signs = np.array([[panel["signs"][name] for name in names] for _, panel, _ in found], dtype=np.float64)
    right, figure = np.array([right for *_, right in found]), np.array([number for number, *_ in found], dtype=np.int64)
    return Examples(names, signs, right, figure)


def load_trust(runs: Sequence[Path]) -> tuple[Floats, NDArray[np.bool_]]:
    """The trust said of every panel of figures whose panels were counted right, and whether it is right, (n,) each.

    It is 0 where a warning stands against the panel.
    """
    found = [(0.0 if panel["warnings"] else float(panel["trust"] or 0.0), right) for _, panel, right in _judged(runs)]
    return np.array([said for said, _ in found]), np.array([right for _, right in found])


def _judged(runs: Sequence[Path]) -> Iterator[tuple[int, dict[str, Any], bool]]:
    """The number of a figure, one of its panels as `reading.json` holds it, and whether that is right."""
    number = 0
    for run in runs:
        for line in (run / "scores.jsonl").read_text(encoding="utf-8").splitlines():
            score, number = json.loads(line), number + 1
            path = run / score["method"] / "predictions" / score["id"] / "reading.json"
            panels = json.loads(path.read_text(encoding="utf-8"))["panels"] if path.is_file() else []
            if len(panels) == len(score["panels"]):
                for panel, values in zip(panels, score["panels"], strict=True):
                    yield number, panel, _worth(values) >= GOOD


def _worth(values: dict[str, float | None]) -> float:
    found = values["ecs"] if values["ecs"] is not None else values["in_5"]
    return float(found or 0.0)


def find_cuts(examples: Examples) -> tuple[tuple[str, float], ...]:
    """Half way between neighbouring values at some quantiles of each sign that counts and changes."""
    cuts = []
    for column, name in enumerate(examples.names):
        if name in SAYS_NOTHING:
            continue
        values = np.unique(examples.signs[:, column])
        places = np.quantile(examples.signs[:, column], QUANTILES)
        at = np.searchsorted(values, places, side="right")  # the first larger value
        found = {float((values[i - 1] + values[i]) / 2) for i in at if 0 < i < len(values)}
        cuts += [(name, round(cut, 5)) for cut in sorted(found)]
    return tuple(cuts)


def steps(examples: Examples, cuts: Sequence[tuple[str, float]]) -> Floats:
    """(n, k) of 0 and 1: which cuts each panel exceeds."""
    return np.column_stack([examples.signs[:, examples.names.index(name)] > cut for name, cut in cuts]).astype(float)


def fit(features: Floats, right: NDArray[np.bool_], cuts: tuple[tuple[str, float], ...]) -> Model:
    """The penalised logistic fit of features (n, k) of 0 and 1, each weight in the direction known of its sign."""
    sign = np.where(right, 1.0, -1.0)

    def loss(at: Floats) -> tuple[float, Floats]:
        margin = sign * (features @ at[1:] + at[0])
        pull = -sign / (1 + np.exp(np.clip(margin, -500, 500)))
        slope = np.concatenate([[pull.sum()], features.T @ pull + PENALTY * at[1:]])
        return float(np.logaddexp(0, -margin).sum() + PENALTY / 2 * at[1:] @ at[1:]), slope

    bounds = [(None, None), *(_direction(name) for name, _ in cuts)]
    found = minimize(loss, np.zeros(features.shape[1] + 1), jac=True, method="L-BFGS-B", bounds=bounds).x
    return Model(cuts, found[1:], float(found[0]))


def _direction(name: str) -> tuple[float | None, float | None]:
    """Bounds of the weight of a sign's cuts."""
    if name in EITHER:
        return None, None
    return (0.0, None) if name in FOR else (None, 0.0)


def trust(model: Model, features: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-(features @ model.weights + model.bias))))


def cross_trust(examples: Examples) -> Floats:
    """The trust in each panel by a model that saw no panel of its figure, (n,)."""
    found = np.zeros(len(examples.right))
    fold = np.random.default_rng(0).permutation(int(examples.figure.max()) + 1)[examples.figure] % FOLDS
    cuts = find_cuts(examples)
    features = steps(examples, cuts)
    for k in range(FOLDS):
        model = fit(features[fold != k], examples.right[fold != k], cuts)
        found[fold == k] = trust(model, features[fold == k])
    return found


def threshold(said: Floats, right: NDArray[np.bool_], asked: float) -> float:
    """The least trust from which on at least the asked share is right; 1 where there is none."""
    order = np.argsort(-said)
    share = np.cumsum(right[order]) / np.arange(1, len(right) + 1)
    good = np.flatnonzero(share >= asked)
    return float(said[order[good[-1]]]) if len(good) else 1.0


def as_module(model: Model, limit: float, comment: str) -> str:
    """The model as a Python module of constants; cuts of next to no weight are left out."""
    kept = [(name, cut, round(float(w), 3)) for (name, cut), w in zip(model.cuts, model.weights, strict=True)
            if abs(w) >= 0.02]  # fmt: skip
    lines = [f'    ("{name}", {cut!r}, {weight!r}),' for name, cut, weight in kept]
    head = f'"""Written by `evaluation.train_trust`; not to be edited by hand. {comment}"""\n\n'
    body = "STEPS: tuple[tuple[str, float, float], ...] = (\n" + "\n".join(lines) + "\n)\n"
    return head + f"BIAS = {model.bias:.3f}\nHIGH = {limit:.3f}\n" + body


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--asked", type=float, default=0.9, help="share of the panels called high that is to be right")
    parser.add_argument(
        "--only-threshold", action="store_true", help="keep the weights that the readings were made with"
    )
    options = parser.parse_args()
    if options.only_threshold:
        said, right = load_trust(options.runs)
        limit = threshold(said, right, options.asked)
        high = said >= limit
        told = f"of {len(right)} panels {high.mean():.0%} are high, {right[high].mean():.1%} of these right"
        print(f"HIGH = {limit:.3f}  # {told}")
        return
    examples = load_examples(options.runs)
    said = cross_trust(examples)
    limit = threshold(said, examples.right, options.asked)
    high = said >= limit
    cuts = find_cuts(examples)
    model = fit(steps(examples, cuts), examples.right, cuts)
    kept = f"in cross-validation {high.mean():.0%} are high, {examples.right[high].mean():.1%} of these right.\n"
    comment = f"From {len(examples.right)} panels, {examples.right.mean():.0%} of them right;\n{kept}"
    print(as_module(model, limit, comment), end="")


if __name__ == "__main__":
    main()
