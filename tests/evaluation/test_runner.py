"""Running apart from scoring: limits, resuming, folders of predictions."""

from __future__ import annotations

import gc
import json
import os
import time
from pathlib import Path

import pytest

from evaluation.crew import CannotStart, Job, Stopped, run_tasks
from evaluation.runner import Run, Task, compare, digest, is_done

TABLE = "x\ty\n0\t0\n1\t50\n2\t100\n"


def test_every_task_has_an_outcome() -> None:
    found = dict(run_tasks([0.0, 60.0, 0.0], Job(gc.collect, time.sleep, 1.0), workers=2))  # type: ignore[arg-type]
    assert found[0] is None
    assert found[2] is None
    assert found[1] == Stopped("stopped after 1 s")


def test_a_process_that_dies_is_replaced() -> None:
    found = dict(run_tasks([1, 1], Job(gc.collect, os._exit, 30.0), workers=1))  # type: ignore[arg-type]
    assert set(found) == {0, 1}
    assert all(isinstance(outcome, Stopped) for outcome in found.values())


def test_workers_that_cannot_start_say_why() -> None:
    with pytest.raises(CannotStart, match="TypeError"):
        list(run_tasks([1], Job(len, len, 30.0), workers=1))  # type: ignore[arg-type]
    assert list(run_tasks([], Job(len, len, 1.0), workers=3)) == []  # type: ignore[arg-type]


@pytest.fixture
def figures(tmp_path: Path) -> Path:
    for folder in ("images", "truth", "pred/a", "pred/b"):
        (tmp_path / folder).mkdir(parents=True)
    for name in "abc":
        (tmp_path / "images" / f"{name}.png").write_bytes(name.encode())
        (tmp_path / "truth" / f"{name}.tsv").write_text(TABLE)
    (tmp_path / "pred" / "a" / "panel_1.tsv").write_text(TABLE)
    (tmp_path / "pred" / "b" / "panel_1.tsv").write_text("x\ty\n0\t0\n")
    (tmp_path / "pred" / "b" / "overlay.png").write_bytes(b"picture")
    return tmp_path


def test_a_folder_of_predictions_is_scored(figures: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = figures / "out"
    method = str(figures / "pred")
    scores = compare(figures / "images", figures / "truth", [method], out)
    assert [(s.id, s.read, s.values["ecs"]) for s in scores[method]] == [
        ("a", True, 1.0),
        ("b", True, pytest.approx(1 / 3)),
        ("c", False, 0.0),
    ]
    lines = [json.loads(line) for line in (out / "scores.jsonl").read_text().splitlines()]
    assert [line["id"] for line in lines] == ["a", "b", "c"]
    assert [path.name for path in (out / "worst").iterdir()] == ["02-b.png"]
    assert "not read: c: no prediction" in capsys.readouterr().out


def test_only_what_is_asked_for(figures: Path) -> None:
    method = str(figures / "pred")
    args = (figures / "images", figures / "truth", [method], figures / "out")
    assert [s.id for s in compare(*args, ids=["b"])[method]] == ["b"]
    assert [s.id for s in compare(*args, limit=1)[method]] == ["a"]
    with pytest.raises(ValueError, match="no figure"):
        compare(*args, kinds=["box"])


def test_a_run_is_done_while_the_picture_is_the_same(figures: Path) -> None:
    image, record = figures / "images" / "a.png", figures / "a.json"
    task = Task("offline", image, figures / "p", record)
    assert not is_done(task)
    for run, done in [
        (Run(digest(image), 1.0), True),
        (Run(digest(image), 1.0, "nothing was found"), True),
        (Run(digest(image), None, "no network", unscored=True), False),
        (Run("another", 1.0), False),
    ]:
        record.write_text(json.dumps(vars(run)))
        assert is_done(task) == done
    record.write_text("{")
    assert not is_done(task)
