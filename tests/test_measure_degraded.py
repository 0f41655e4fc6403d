"""Which panels of degraded copies count as confidently wrong."""

from __future__ import annotations

import json
from pathlib import Path

from evaluation.bench import MEASURES, FigureScore
from evaluation.row_score import PanelScore
from tests.measure_degraded import false_highs


def _score(name: str, *ecs: float) -> FigureScore:
    panels = tuple(PanelScore(ecs=one) for one in ecs)
    return FigureScore(name, "bar", dict.fromkeys(MEASURES) | {"ecs": sum(ecs) / len(ecs)}, panels, len(ecs))


def _said(folder: Path, name: str, *confidence: str) -> None:
    (folder / name).mkdir()
    text = json.dumps({"panels": [{"confidence": one} for one in confidence]})
    (folder / name / "reading.json").write_text(text, encoding="utf-8")


def test_a_panel_answers_for_itself(tmp_path: Path) -> None:
    _said(tmp_path, "a", "low", "high")  # the bad panel is the doubtful one
    _said(tmp_path, "b", "high", "low")
    _said(tmp_path, "c", "high")  # two panels were taken for one
    scores = [_score("a", 0.5, 1.0), _score("b", 0.5, 1.0), _score("c", 1.0, 0.6)]
    assert false_highs(scores, tmp_path) == ["b/1 0.50", "c/1 0.80"]
