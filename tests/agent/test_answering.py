"""Answers from figure, tables, or both: which sheet, which recipe, and what was opened."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from agent import answering
from agent.answering import EVIDENCE, Asked, answer_all, capped
from agent.limits import PictureLimit
from agent.methods import OFFLINE, parse_method
from agent.source_tables import SourceTable, column_of
from agent.table_answers import answer_tables, one_of
from tests.agent.hand_readings import bar_reading

SITES = ["Elm", "Forge", "Grange", "Harbour"]
ARMS = {"Placebo": [20.0, 35.0, 50.0, 64.0], "Switch": [18.0, 22.0, 30.0, 41.0]}


def source(name: str, header: Sequence[str], *rows: Sequence[str | float], sheet: str = "") -> SourceTable:
    texts = [[f"{v:g}" if isinstance(v, float) else v for v in column] for column in zip(*rows, strict=True)]
    return SourceTable(name, sheet, tuple(column_of(h, t) for h, t in zip(header, texts, strict=True)))


ROWS = [[site, *(v[i] for v in ARMS.values()), 30.0] for i, site in enumerate(SITES)]
WIDE = source("wide.csv", ["Site", *ARMS, "n"], *ROWS, sheet="Germination")
REPLICATES = [[s, a, v[i] + d] for i, s in enumerate(SITES) for a, v in ARMS.items() for d in (-3.0, -1.0, 4.0)]
LONG = source("long.csv", ["Site", "Arm", "Depth (m)"], *REPLICATES)
SEASONS = source("seasons.csv", ["Place", "Arm", "Season", "Yield"],
                 *([s, a, t, v[i] * k] for t, k in (("dry", 1.0), ("wet", 0.5)) for i, s in enumerate(SITES)
                   for a, v in ARMS.items()))  # fmt: skip
TERMS = source("terms.csv", ["Term", "Genes", "p value"], ["Q1", 9.0, 1e-4], ["Q2", 5.0, 1e-2], ["Q3", 4.0, 1e-7])
CELLS = source(
    "cells.csv", ["Cell line", "Control", "Drug"], ["A4", 40.0, 20.0], ["B7", 50.0, 45.0], ["C9", 10.0, 30.0]
)
QUARTILES = source("wards.csv", ["Ward", "Stay"], *(["East", float(v)] for v in range(1, 10)), ["West", 5.0])
LIVES = source("lives.csv", ["Arm", "Time (months)", "Event"],
               *([a, float(t), float(e)] for a, ts in {"Old": (1, 2, 3, 4, 5), "New": (2, 4, 6, 8, 10)}.items()
                 for t, e in zip(ts, (1, 1, 0, 1, 0), strict=True)))  # fmt: skip
ALL = [WIDE, LONG, SEASONS, TERMS, CELLS, QUARTILES, LIVES]
QUESTIONS = [
    ("Germination by site: what is the germination of Placebo for Grange?", 50.0, "wide.csv"),
    ("Mean depth by site and arm: what is the mean depth (m) of Switch for Harbour?", 41.0, "long.csv"),
    ("Yield by place and arm in the wet season: what is the yield of Placebo for Forge?", 17.5, "seasons.csv"),
    ("Terms; negative log10 of the p value: what is the −log10 p value for Q3?", 7.0, "terms.csv"),
    (
        "Growth by cell line, as percent of Control: what is the growth (% of Control) of Drug for B7?",
        90.0,
        "cells.csv",
    ),
    ("Stay by ward: what is the lower quartile of the stay for East?", 3.0, "wards.csv"),
    ("Survival by arm: what is the survival probability of Old at Time (months) = 2?", 0.6, "lives.csv"),
]


@pytest.mark.parametrize(("question", "value", "file"), QUESTIONS)
def test_the_sheet_and_the_recipe_that_a_question_speaks_of(question: str, value: float, file: str) -> None:
    found, opened = answer_tables(ALL, question)
    answer = one_of(found)
    assert answer.value == pytest.approx(value)
    assert opened[0][0] == file


def test_two_sheets_of_the_same_words_are_told_apart_by_the_figure_alone() -> None:
    pilot = source("pilot.csv", ["Site", *ARMS, "n"], *([s, 5.0, 6.0, 7.0] for s in SITES), sheet="Germination")
    question = "Response by site: what is the response of Placebo for Grange?"
    found, opened = answer_tables([pilot, WIDE], question)
    assert len(opened) == 2
    refused = one_of(found)
    assert refused.value is None
    assert "2 sheets fit" in refused.reason
    figure = answering.ask_reading(bar_reading(SITES, ARMS), "Placebo for Grange?")
    assert one_of(found, figure).value == 50.0


def paper(tmp_path: Path) -> tuple[Path, Path]:
    picture, data = tmp_path / "figure.png", tmp_path / "data"
    cv2.imwrite(str(picture), np.full((40, 60, 3), 255, np.uint8))
    data.mkdir()
    rows = [["Site", *ARMS], *([s, *(str(v[i]) for v in ARMS.values())] for i, s in enumerate(SITES))]
    (data / "t.csv").write_text("\n".join(",".join(row) for row in rows), encoding="utf-8")
    return picture, data


def test_every_kind_of_evidence_leaves_its_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = ARMS | {"Switch": [18.0, 22.0, 30.0, 55.0]}
    monkeypatch.setattr(answering, "read_figure", lambda figure, method: bar_reading(SITES, drawn))
    asked = [
        Asked("q1", "What is the response of Switch for Harbour?", "Response by site: what is Switch for Harbour?")
    ]
    found = {one.evidence: one for one in answer_all(*paper(tmp_path), asked, EVIDENCE, OFFLINE)}
    assert found["figure"].value == pytest.approx(55, abs=0.5)
    assert found["table"].value == 41.0
    assert found["both"].value == 41.0
    assert found["both"].figure_value == pytest.approx(55, abs=0.5)
    assert any("figure shows" in doubt for doubt in found["both"].doubts)
    assert [found[kind].opened for kind in EVIDENCE] == [
        ("figure, panel 1",), ("figure, panel 1",), ("table t.csv",), ("table t.csv", "figure")]  # fmt: skip


def test_tables_alone_need_no_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(figure: object, method: object) -> None:
        raise AssertionError("the figure was read")

    monkeypatch.setattr(answering, "read_figure", never)
    asked = [Asked("q1", "What is Placebo for Elm?", "What is Placebo for Elm?")]
    (given,) = answer_all(*paper(tmp_path), asked, ("table",), OFFLINE)
    assert given.value == 20.0


def test_a_model_at_one_look_gets_tables_as_text_and_no_picture(tmp_path: Path) -> None:
    tape = tmp_path / "tape.jsonl"
    words = [{"type": "text", "text": "It is so.\nANSWER: 41.5"}]
    turn = {"message": {"role": "assistant", "content": words}, "stop": "end",
            "usage": {"input_tokens": 100, "output_tokens": 7, "dollars": 0.01}, "model": "m"}  # fmt: skip
    tape.write_text(json.dumps(turn) + "\n" + json.dumps(turn) + "\n", encoding="utf-8")
    asked = [Asked("q1", "In panel a?", "Response: what is Switch for Harbour?")]
    method = parse_method(f"single-shot:replay:{tape}")
    given = answer_all(*paper(tmp_path), asked, ("table",), method)[0]
    assert (given.value, given.opened, given.usage.output_tokens) == (41.5, ("tables as text",), 7)


def test_pictures_at_one_look_are_capped() -> None:
    assert capped(PictureLimit(8000, 28, 10_000)).fit(4000, 2000)[0] <= 1600
