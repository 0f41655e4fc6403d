"""Figures that were read offline once for a session; tests take a copy each, so that none spoils another's."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent import offline
from tools.load import load
from tools.workbench import Workbench

FIGURES = Path(__file__).parent.parent / "figures"
Read = tuple[Workbench, list[tuple[str, ...]]]


@pytest.fixture(scope="session")
def read_once() -> Callable[[str], Read]:
    """`read_once("lines")`: a bench with the offline reading of tests/figures/lines.png, and its warnings."""
    kept: dict[str, Read] = {}

    def read(name: str) -> Read:
        if name not in kept:
            bench = Workbench(load(FIGURES / f"{name}.png"))
            kept[name] = bench, offline.read(bench)
        return copy.deepcopy(kept[name])

    return read


def script(path: Path, *turns: str | tuple[str, dict[str, Any]]) -> Path:
    """A replay file: words, or a call of a tool with its arguments, for each turn."""
    lines = []
    for number, turn in enumerate(turns):
        content: dict[str, Any] = {"type": "text", "text": turn}
        if not isinstance(turn, str):
            content = {"type": "call", "id": f"c{number}", "name": turn[0], "arguments": turn[1]}
        lines.append(json.dumps({"message": {"role": "assistant", "content": [content]}}))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
