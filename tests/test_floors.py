"""The floors of the house: who may import whom, how big a file and a function may be, and no network under `tools/`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("tools", "prompts", "agent", "evaluation")
FILES = sorted(path for name in PACKAGES for path in (ROOT / name).rglob("*.py"))
FORBIDDEN = {
    "tools": {"agent", "evaluation", "prompts", "openai", "anthropic", "httpx", "requests", "urllib", "socket", "http"},
    "prompts": {"agent", "evaluation", "tools"},
    "agent": {"evaluation"},
    "evaluation": {"openai", "anthropic"},
}
MAX_LINES = 400
MAX_FUNCTION = 50
KNOW_ALL_READERS = {"kinds.py", "measuring.py", "workbench.py"}
READERS = {f"tools.{name}" for name in ("lines", "steps", "bars", "points", "areas", "whiskers", "boxes")}


def imports(path: Path) -> Iterator[tuple[str, int]]:
    """(module, line) of every import in a file, the lazy ones inside functions included."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "", node.lineno


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_imports_only_go_downwards(path: Path) -> None:
    package = path.relative_to(ROOT).parts[0]
    forbidden = FORBIDDEN[package] - ({"evaluation"} if name_of(path) == "agent/cli.py" else set())
    wrong = [f"{module} (line {line})" for module, line in imports(path) if module.split(".")[0] in forbidden]
    assert not wrong


def test_only_the_runner_of_the_evaluation_imports_the_agent() -> None:
    importers = {
        path.name
        for path in FILES
        if path.parent.name == "evaluation"
        for module, _ in imports(path)
        if module.split(".")[0] == "agent"
    }
    assert importers <= {"runner.py"}


def test_metrics_stand_on_types_and_align_alone() -> None:
    allowed = {"tools.types", "tools.align"}
    wrong = {
        f"{name_of(path)}: {module}"
        for path in FILES
        if path.parent.name == "evaluation" and path.name != "runner.py"
        for module, _ in imports(path)
        if module.split(".")[0] == "tools" and module not in allowed
    }
    assert not wrong


def test_readers_know_no_other_reader_and_nothing_above_them() -> None:
    above = {"tools.workbench", "tools.measuring", "tools.kinds"}
    wrong = {
        f"{name_of(path)}: {module}"
        for path in FILES
        if path.parent.name == "tools" and path.name not in KNOW_ALL_READERS
        for module, _ in imports(path)
        if module in above or (f"tools.{path.stem}" in READERS and module in READERS)
    }
    assert not wrong


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_files_and_functions_stay_small(path: Path) -> None:
    text = path.read_text("utf-8")
    assert text.count("\n") <= MAX_LINES, "one step of the work per file: is there a second one in here?"
    long = {
        node.name: (node.end_lineno or 0) - node.lineno + 1
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno + 1 > MAX_FUNCTION
    }
    assert not long


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_modules_say_what_they_are(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text("utf-8")))
