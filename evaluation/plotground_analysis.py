"""PlotGround scored: answers at 5 and 2 percent by evidence and chart type, the pipeline's funnel, what a maker knows.

Not handled here: making and running sets (`plotground`), pages (`report`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.relaxed import relaxed_correct
from evaluation.stats import Interval, mean_interval

TOLERANCES = (0.05, 0.02)
EXACT = 0.005  # relative: a recomputed value this near to the drawn one comes from the right cells


@dataclass(frozen=True)
class Judged:
    """One answer held against the true value. `right`: by tolerance; `error`: relative, None where it was refused."""

    id: str
    kind: str
    evidence: str
    question: str
    answer: float
    value: float | None
    right: tuple[bool, ...]
    error: float | None
    dollars: float | None
    tokens: int
    output_tokens: int
    seconds: float
    opened: tuple[str, ...]
    reason: str
    figure_value: float | None = None


@dataclass(frozen=True)
class Funnel:
    """What became of the papers on their way to questions: counts, and panels and values lost, by reason."""

    papers: int
    figures: int
    panels: int
    mapped: int
    direct: int
    grounded: int
    questions: int
    rejected: Mapping[str, int]
    discarded: Mapping[str, int]


@dataclass(frozen=True)
class TrapFound:
    """A trap of the maker, how often it was laid out, and how often it was rejected or discarded for its reason."""

    claim: str
    reason: str
    laid: int
    found: int


@dataclass(frozen=True)
class MakerCheck:
    """The pipeline held against what the maker knows: shares of right maps, sound panels kept, right answers."""

    mapping: Interval
    kept: Interval
    recomputed: Interval
    traps: tuple[TrapFound, ...]

    @property
    def trapped(self) -> Interval:
        """The share of the traps that were found."""
        return mean_interval([float(k < one.found) for one in self.traps for k in range(one.laid)])


@dataclass(frozen=True)
class Analysis:
    """One method on a set. `disagreements`: values of figure and table that a person should look at; `unused`: panels
    without a question and why; `check` is None where no maker knows the truth of the papers."""

    judged: tuple[Judged, ...]
    funnel: Funnel
    check: MakerCheck | None
    disagreements: tuple[Mapping[str, Any], ...]
    unused: tuple[tuple[str, str, str, str], ...]

    def accuracy(self, evidence: str, tolerance: int, kind: str = "") -> Interval:
        """The share of right answers; `tolerance`: its number in TOLERANCES. What was refused is wrong."""
        return mean_interval([float(one.right[tolerance]) for one in self.judged
                              if one.evidence == evidence and (not kind or one.kind == kind)])  # fmt: skip

    @property
    def evidences(self) -> list[str]:
        return list(dict.fromkeys(one.evidence for one in self.judged))


def analyse(folder: Path, answers: Sequence[Mapping[str, Any]], ids: Sequence[str]) -> Analysis:
    """Judge a method's answers against a set's truth. Answers that failed for outside reasons are in none of it."""
    truth = {row["id"]: row for row in rows_of(folder / "truth" / "answers.jsonl") if row["figure"] in set(ids)}
    judged = [judge(truth[one["id"]], one) for one in answers if one["id"] in truth and not one.get("failed")]
    worked = rows_of(folder / "truth" / "grounding.jsonl")
    known = rows_of(folder / "truth" / "panels.jsonl")
    return Analysis(tuple(judged), funnel_of(worked), check_of(worked, known) if known else None,
                    tuple(disagreements_of(worked)), tuple(unused_of(worked)))  # fmt: skip


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The lines of a JSON-lines file; none where there is no file."""
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def judge(true: Mapping[str, Any], said: Mapping[str, Any]) -> Judged:
    """One answer."""
    gold, value = float(true["answer"]), said.get("value")
    text = "" if value is None else repr(float(value))
    right = tuple(bool(relaxed_correct(text, repr(gold), tolerance, "numeric")) for tolerance in TOLERANCES)
    error = abs(value - gold) / abs(gold) if value is not None and gold else None
    return Judged(
        true["id"], true["kind"], said["evidence"], true["text"], gold, value, right, error, said.get("dollars"),
        int(said.get("tokens") or 0), int(said.get("output_tokens") or 0), float(said.get("seconds") or 0.0),
        tuple(said.get("opened", ())), said.get("reason", ""), said.get("figure_value"),
    )  # fmt: skip


def funnel_of(worked: Sequence[Mapping[str, Any]]) -> Funnel:
    """Counts over the records of a set's figures."""
    panels = [panel for one in worked for panel in one["panels"]]
    mapped = [panel for panel in panels if panel["mapping"]]
    return Funnel(
        len({one["paper"] for one in worked}), len(worked), len(panels), len(mapped),
        sum(panel["mapping"]["how"] == "direct" for panel in mapped), sum(not panel["reason"] for panel in panels),
        sum(len(one["questions"]) for one in worked),
        Counter(panel["reason"] for panel in panels if panel["reason"]),
        Counter(value["reason"] for one in worked for value in one["discarded"]),
    )  # fmt: skip


def check_of(worked: Sequence[Mapping[str, Any]], known: Sequence[Mapping[str, Any]]) -> MakerCheck:
    """The pipeline's records against the maker's."""
    byplace = {(one["paper"], one["figure"]): one for one in worked}
    maps, kept, golds = [], [], []
    traps: dict[tuple[str, str], list[bool]] = {}
    for true in known:
        one = byplace.get((true["paper"], true["figure"]))
        panel = next((p for p in one["panels"] if (p["panel"] or "a") == true["panel"]), None) if one else None
        bound = panel["mapping"] if panel else None
        where = (bound["file"], bound["sheet"]) if bound else ("", "")
        maps.append(float(where == (true["file"], true["sheet"])))
        if not true["reason"]:
            kept.append(float(panel is not None and not panel["reason"]))
        if true["trap"]:
            key = (true["trap"]["claim"], true["trap"]["reason"])
            traps.setdefault(key, []).append(_is_found(true, one, panel))
        golds += [_is_drawn(true, asked) for asked in (one["questions"] if one else ())
                  if (asked["panel"] or "a") == true["panel"]]  # fmt: skip
    found = tuple(TrapFound(claim, reason, len(v), sum(v)) for (claim, reason), v in traps.items())
    return MakerCheck(mean_interval(maps), mean_interval(kept), mean_interval(golds), found)


def _is_found(true: Mapping[str, Any], one: Mapping[str, Any] | None, panel: Mapping[str, Any] | None) -> bool:
    """A panel's trap is found by its reason of rejection; a value's by its being discarded and never asked for."""
    if one is None or panel is None:
        return False
    if true["trap"]["where"] == "panel":
        return bool(panel["reason"] == true["trap"]["reason"])
    series, at = true["trapped"][:2]
    lost = [d for d in one["discarded"] if (d["panel"] or "a") == true["panel"] and _is_place(d, series, at)]
    asked = [q for q in one["questions"] if (q["panel"] or "a") == true["panel"] and _is_place(q, series, at)]
    return any(d["reason"] == true["trap"]["reason"] for d in lost) and not asked


def _is_place(value: Mapping[str, Any], series: str, at: str) -> bool:
    return bool(value["at"] == at and (value["series"] == series or not series or not value["series"]))


def _is_drawn(true: Mapping[str, Any], asked: Mapping[str, Any]) -> float:
    """1 where the answer of a question is the value that the maker drew at the place that it names."""
    drawn = [v for series, at, statistic, v in true["values"]
             if at == asked["at"] and statistic == asked["statistic"] and series == asked["series"]]  # fmt: skip
    return float(any(abs(v - asked["answer"]) <= EXACT * abs(v) for v in drawn))


def disagreements_of(worked: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The values that figure and table give differently, with their place."""
    return [{"paper": one["paper"], **value} for one in worked for value in one["discarded"]
            if value["reason"] == "figure and table disagree"]  # fmt: skip


def unused_of(worked: Sequence[Mapping[str, Any]]) -> list[tuple[str, str, str, str]]:
    """(paper, figure and panel, reason, what was found) of every panel that was rejected."""
    return [(one["paper"], f"{one['figure']}{panel['panel']}", panel["reason"], panel["detail"])
            for one in worked for panel in one["panels"] if panel["reason"]]  # fmt: skip
