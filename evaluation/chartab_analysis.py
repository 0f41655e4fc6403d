"""ChartAB's numbers for one method: grounding of single charts, alignment of pairs, robustness, questions.

A pair's prediction is a file of the run: what was seen in either chart, what differs, and answers. Whether a method got
there in two stages (ground each, compare) or in one look at both is its own affair; `stages` says which. Not handled
here: the metrics (`chartab_metrics`), making the pairs (`chartab`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from evaluation.chartab import CLASSES
from evaluation.chartab_metrics import (
    POSITIONS,
    Alignment,
    color_alignment,
    color_l2,
    data_alignment,
    data_grounding,
    legend_alignment,
    legend_confusion,
    robustness,
    text_alignment,
    text_grounding,
)
from evaluation.stats import Interval, mean_interval

QA_MARGIN = 0.05
NAMES = {"size_px": "size", "weight": "weight", "family": "fontfamily"}


@dataclass(frozen=True)
class ReadPair:
    """A pair as a method read it. `facts`: its line of `pairs.jsonl`; `said`: the run's file on it, {} where there is
    none; `tables`, `true_tables`: TSV of both charts; `known`: the true record of both charts' single panel."""

    facts: Mapping[str, Any]
    said: Mapping[str, Any]
    tables: tuple[str, str]
    true_tables: tuple[str, str]
    known: tuple[Mapping[str, Any], Mapping[str, Any]]


@dataclass(frozen=True)
class PairScore:
    """One pair: `alignment` of its task, its total (0 to 10), and grounding of both charts: SCRM precision, colour L2,
    (true place, said place), text styles right; `answers`: of each question whether it was right."""

    id: str
    type: str
    task: str
    group: str
    stages: int
    alignment: Alignment | None
    total: float
    grounding: tuple[float, float]
    colour_l2: tuple[float | None, ...]
    places: tuple[tuple[str, str], ...]
    texts: tuple[Mapping[str, float | None], ...]
    answers: tuple[bool, ...]


@dataclass(frozen=True)
class Analysis:
    """All pairs, and what is told of them together. `confusion`: legend places (9, 10) as counts."""

    pairs: tuple[PairScore, ...]
    confusion: tuple[tuple[int, ...], ...]
    robust: Mapping[str, Interval]
    answers: Mapping[str, Interval]
    correlations: Mapping[str, float | None]


def pair_facts(folder: Path, ids: Collection[str]) -> list[dict[str, Any]]:
    """The lines of a set's `pairs.jsonl` of which both figures are among the ids."""
    path = folder / "pairs.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return [row for row in map(json.loads, lines) if row["a"] in ids and row["b"] in ids]


def pairs_to_compare(folder: Path, ids: Collection[str]) -> list[tuple[str, str, str, list[str]]]:
    """What a method may know of the pairs: (id, figure A, figure B, questions in words)."""
    return [(r["id"], r["a"], r["b"], [words for words, _ in r["questions"]]) for r in pair_facts(folder, set(ids))]


def pairs_to_see(folder: Path, ids: Collection[str]) -> list[tuple[str, Path, Path, str]]:
    """What a method that looks at pairs is shown: (id, picture A, picture B, what may differ, in one word)."""
    images = folder / "images"
    return [(r["id"], images / f"{r['a']}.png", images / f"{r['b']}.png", _attribute(r["task"]))
            for r in pair_facts(folder, set(ids))]  # fmt: skip


def _attribute(task: str) -> str:
    return next(name for name in ("data", "color", "legend", "text") if name in task)


def read_pairs(folder: Path, home: Path, ids: Collection[str]) -> list[ReadPair]:
    """The pairs of a set as a method (its folder: `home`) read them."""
    return [
        ReadPair(
            row, _json(home / "pairs" / f"{row['id']}.json"),
            (_text(home / "predictions" / row["a"] / "panel_1.tsv"),
             _text(home / "predictions" / row["b"] / "panel_1.tsv")),
            (_text(folder / "truth" / f"{row['a']}.tsv"), _text(folder / "truth" / f"{row['b']}.tsv")),
            (_json(folder / "truth_json" / f"{row['a']}.json")["panels"][0],
             _json(folder / "truth_json" / f"{row['b']}.json")["panels"][0]),
        )
        for row in pair_facts(folder, set(ids))
    ]  # fmt: skip


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8").strip() if path.is_file() else ""


def _json(path: Path) -> dict[str, Any]:
    found = json.loads(_text(path) or "{}")
    return found if isinstance(found, dict) else {}


def analyse(pairs: Sequence[ReadPair]) -> Analysis:
    """Scores of every pair, and their summaries."""
    scores = tuple(score_pair(one) for one in pairs)
    places = [place for one in scores for place in one.places if place[0] in POSITIONS]
    counts = legend_confusion([said for _, said in places], [true for true, _ in places])
    robust: dict[str, list[float | None]] = {}
    for group in sorted({one.group for one in scores if one.group}):
        mine = [one for one in scores if one.group == group]
        robust.setdefault(mine[0].task, []).append(robustness([one.total for one in mine], ddof=0))
    kinds = {
        "questions on tables": [float(right) for one in scores for right in one.answers],
        "questions, charts well grounded": [float(r) for one in scores if one.grounding[0] >= 0.5 for r in one.answers],
        "questions, charts badly grounded": [float(r) for one in scores if one.grounding[0] < 0.5 for r in one.answers],
    }
    return Analysis(
        scores, tuple(tuple(int(v) for v in row) for row in counts),
        {name: mean_interval(values) for name, values in robust.items()},
        {name: mean_interval(values) for name, values in kinds.items()}, correlations(scores),
    )  # fmt: skip


def correlations(scores: Sequence[PairScore]) -> dict[str, float | None]:
    """Spearman's rho between the share of right answers on a chart and how well it was grounded and aligned."""
    asked = [one for one in scores if one.answers]
    right = [float(np.mean(one.answers)) for one in asked]
    data = [(r, one.total) for r, one in zip(right, asked, strict=True) if one.task.startswith("data")]
    return {
        "answers and data grounding": _rho(right, [one.grounding[0] for one in asked]),
        "answers and data alignment": _rho([r for r, _ in data], [total for _, total in data]),
    }


def _rho(a: Sequence[float], b: Sequence[float]) -> float | None:
    from scipy.stats import spearmanr

    if len(a) < 3 or len(set(a)) < 2 or len(set(b)) < 2:
        return None
    return float(spearmanr(a, b).statistic)


def score_pair(pair: ReadPair) -> PairScore:
    """One pair by all that is asked of it."""
    facts, said = pair.facts, pair.said
    alignment, total = _aligned(facts["change"], said)
    seen = [said.get(side) or {} for side in ("a", "b")]
    asked = said.get("by_eye") or "all"  # one that looks is asked for one attribute, and judged by no other
    both = list(zip(seen, pair.known, strict=True))
    l2 = [color_l2(one.get("colours") or {}, _true_colours(known)) for one, known in both if asked in ("all", "color")]
    return PairScore(
        facts["id"], facts["type"], facts["task"], facts.get("group", ""), int(said.get("stages", 2)), alignment, total,
        (data_grounding(pair.tables[0], pair.true_tables[0]), data_grounding(pair.tables[1], pair.true_tables[1])),
        tuple(None if one is None else one.matched for one in l2),
        tuple((known["legend"]["position"], one.get("place", "")) for one, known in both if asked in ("all", "legend")),
        tuple(text_grounding(_styles(one.get("texts") or {}), _true_styles(known))
              for one, known in both if asked in ("all", "text")),
        tuple(_right(answer, said.get("answers") or [], k) for k, (_, answer) in enumerate(facts.get("questions", ()))),
    )  # fmt: skip


def _aligned(change: Mapping[str, Any], said: Mapping[str, Any]) -> tuple[Alignment | None, float]:
    """The alignment score of the pair's task, and its total out of ten."""
    found = said.get("difference") or {}
    if "position" in change:
        places = [(said.get(side) or {}).get("place", "") for side in ("a", "b")]
        position = {"initial value": places[0], "modified value": places[1]}
        return None, legend_alignment({"position": position}, change)
    scores: dict[str, Callable[[], Alignment]] = {
        "cells": lambda: data_alignment(cells_said(found), change["cells"]),
        "colors": lambda: color_alignment(
            {one["name"]: _values(one) for one in found.get("colours", ())}, change["colors"]
        ),
        "texts": lambda: text_alignment(texts_said(found), change["texts"]),
    }
    one = scores[next(iter(change))]()
    return one, one.total


def _values(one: Mapping[str, Any]) -> dict[str, Any]:
    return {"initial value": one["a"], "modified value": one["b"]}


def cells_said(difference: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The cells that differ in the words of the paper's template."""
    return {
        f"cell {k}": {"row name": one["row"], "column name": one["column"], "value in chart 1": one["a"],
                      "value in chart 2": one["b"]}
        for k, one in enumerate(difference.get("cells", ()), 1)
    }  # fmt: skip


def texts_said(difference: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The styles that differ in the words of the paper's template."""
    found: dict[str, dict[str, Any]] = {}
    for one in difference.get("texts", ()):
        region, _, key = one["name"].rpartition(" ")
        found.setdefault(region, {})[NAMES.get(key, key)] = _values(one)
    return found


def _styles(texts: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What was measured of each region; what was refused is left out, as the metric skips it."""
    return {region: {NAMES[k]: v for k, v in style.items() if k in NAMES and v is not None}
            for region, style in texts.items()}  # fmt: skip


def _true_styles(known: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Sizes in px, weights, and the class of the family: what can be seen."""
    return {region: {NAMES[k]: CLASSES.get(v, v) if k == "family" else v for k, v in style.items()}
            for region, style in known["text_styles"].items()}  # fmt: skip


def _true_colours(known: Mapping[str, Any]) -> dict[str, str]:
    return {one["name"]: one["color_hex"] for one in known["series"]}


def _right(answer: float | str, said: Sequence[Mapping[str, Any]], k: int) -> bool:
    """Within 5 % of a number; the same text but for case."""
    if k >= len(said):
        return False
    if isinstance(answer, str):
        return str(said[k].get("at", "")).casefold() == answer.casefold()
    value = said[k].get("value")
    return value is not None and abs(value - answer) <= QA_MARGIN * abs(answer)


def key_scores(scores: Sequence[PairScore], task: str) -> list[float]:
    """Key F1 of the pairs whose task begins so."""
    return [one.alignment.f1 for one in scores if one.task.startswith(task) and one.alignment is not None]


def recall(scores: Sequence[PairScore], task: str) -> float | None:
    """The share of all changed things of a task that were found."""
    found = [one.alignment for one in scores if one.task.startswith(task) and one.alignment is not None]
    total = sum(one.tp + one.fn for one in found)
    return sum(one.tp for one in found) / total if total else None
