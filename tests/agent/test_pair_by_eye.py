"""What a model says of two charts, in the form of what is measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from agent import pair_by_eye
from agent.backend import Usage
from agent.methods import parse_method
from agent.pair_by_eye import difference, look_at_pair
from agent.replies import FormatFailure
from agent.single_shot import Asked
from agent.stopping import BackendFailed

WAS = {"initial value": "upper left", "modified value": "lower right"}


def test_changes_take_the_form_of_a_difference() -> None:
    cell = {"row name": "Elm", "column name": "Before", "value in chart 1": "1,200", "value in chart 2": 9}
    said = {"cell 1": cell, "cell 2": {**cell, "value in chart 2": "more"}, "note": "no object"}
    assert difference(said, "data") == {"cells": [{"row": "Elm", "column": "Before", "a": 1200.0, "b": 9.0}]}
    bold = {"initial value": "normal", "modified value": "bold"}
    assert difference({"axes labels": {"weight": bold}}, "text") == {
        "texts": [{"name": "axis_labels weight", "a": "normal", "b": "bold"}]
    }
    assert difference({"position": WAS, "other": WAS}, "legend")["legend"][0]["b"] == "lower right"


def asked(text: str) -> Asked:
    return Asked(text, [], [Usage(input_tokens=10, output_tokens=2, dollars=0.01, requests=1)], "m", [])


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "a.png"
    Image.fromarray(np.full((80, 90, 3), 255, np.uint8)).save(path)
    return path


def test_a_pair_is_told_with_what_each_chart_shows_and_what_it_cost(
    picture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replies = [asked('{"position": "upper left"}'), asked("I cannot see it."), asked("")]

    def compare(*_: Any) -> tuple[Any, list[Asked]]:
        return {"position": WAS}, replies

    monkeypatch.setattr(pair_by_eye, "compare_pair", compare)
    found = look_at_pair(picture, picture, "legend", parse_method("single-shot:anthropic:m"))
    assert (found["a"]["place"], found["b"]["place"]) == ("upper left", "lower right")
    assert found["cost"] == {"dollars": pytest.approx(0.03), "tokens": 36}
    assert (found["stages"], found["by_eye"]) == (2, "legend")


def test_a_reply_that_is_none_is_a_failure_and_no_fault(picture: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def compare(*_: Any) -> tuple[Any, list[Asked]]:
        raise FormatFailure("the reply holds no JSON")

    monkeypatch.setattr(pair_by_eye, "compare_pair", compare)
    found = look_at_pair(picture, picture, "data", parse_method("single-shot:anthropic:m"))
    assert (found["failed"], found["difference"]) == ("the reply holds no JSON", {})

    def unreached(*_: Any) -> tuple[Any, list[Asked]]:
        raise BackendFailed("no key")

    monkeypatch.setattr(pair_by_eye, "compare_pair", unreached)
    assert look_at_pair(picture, picture, "data", parse_method("single-shot:anthropic:m")) == {"failed": "no key"}
