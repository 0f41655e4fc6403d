"""Schemas from hints and docstrings; calls as models write them, checked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal

import pytest

from tools.schema import CallError, checked, describe_tool
from tools.workbench import MODEL_TOOLS, Workbench


def tool(panel: int, kind: Literal["line", "bar"], at: Sequence[float] = (), name: str = "", snap: bool = False) -> str:
    """Measure something.

    More about it.

    panel: number of the panel,
        from 1.
    kind: what it is.
    at: where.
    name: its name.
    snap: whether.
    """
    return ""


def test_schema_of_hints_and_docstring() -> None:
    found = describe_tool(tool)
    assert found["description"] == "Measure something. More about it."
    properties = found["schema"]["properties"]
    assert properties["panel"] == {"type": "integer", "description": "number of the panel, from 1."}
    assert properties["kind"]["enum"] == ["line", "bar"]
    assert properties["at"]["items"] == {"type": "number"}
    assert found["schema"]["required"] == ["panel", "kind"]


def undescribed(panel: int, other: int) -> None:
    """Does it.

    panel: described.
    """


def without_words(panel: int) -> None: ...


def strange(panel: dict[str, int]) -> None:
    """Does it.

    panel: a mapping.
    """


@pytest.mark.parametrize(("method", "says"), [(undescribed, "other"), (without_words, "docstring"), (strange, "dict")])
def test_a_tool_that_is_not_described_is_refused(method: Any, says: str) -> None:
    with pytest.raises(TypeError, match=says):
        describe_tool(method)


def test_every_tool_of_the_workbench_is_described() -> None:
    tools = Workbench.tools()
    assert [one["name"] for one in tools] == list(MODEL_TOOLS)
    assert all(p["description"] for one in tools for p in one["schema"]["properties"].values())
    assert len(json.dumps(tools)) < 12_000  # they are sent with every request


def test_arguments_are_fitted() -> None:
    assert checked(tool, {"panel": 2.0, "kind": "bar", "at": ["1.5", 2]}) == {"panel": 2, "kind": "bar", "at": [1.5, 2]}
    assert checked(tool, {"panel": "3", "kind": "line", "name": 2020}) == {"panel": 3, "kind": "line", "name": "2020"}


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"kind": "line"}, "'panel' is missing"),
    ({"panel": 1.5, "kind": "line"}, "whole number"),
    ({"panel": True, "kind": "line"}, "whole number"),
    ({"panel": 1, "kind": "pie"}, "one of line, bar"),
    ({"panel": 1, "kind": "line", "at": 3}, "a list"),
    ({"panel": 1, "kind": "line", "at": ["x"]}, "each is a number"),
    ({"panel": 1, "kind": "line", "at": [float("nan")]}, "each is a number"),
    ({"panel": 1, "kind": "line", "snap": "yes"}, "true or false"),
    ({"panel": 1, "kind": "line", "speed": 1}, "no argument 'speed'"),
]


@pytest.mark.parametrize(("arguments", "says"), WRONG)
def test_wrong_arguments_are_told_in_words(arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(CallError, match=says):
        checked(tool, arguments)


def test_all_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(CallError, match=r"no argument 'x'.*'panel' is missing.*Its arguments: panel, kind"):
        checked(tool, {"x": 1, "kind": "line"})
