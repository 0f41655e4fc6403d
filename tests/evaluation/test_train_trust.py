"""Trust learned from signs: cuts, the fit, the threshold, and the module that is written."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from evaluation.train_trust import (
    Examples,
    as_module,
    cross_trust,
    find_cuts,
    fit,
    load_examples,
    load_trust,
    steps,
    threshold,
    trust,
)


def examples(n: int = 400) -> Examples:
    """Panels that are right where little ink is left over, nine times of ten; `noise` says nothing."""
    rng = np.random.default_rng(4)
    left, noise = rng.uniform(0, 1, n), rng.uniform(0, 1, n)
    right = (left < 0.5) ^ (rng.uniform(0, 1, n) < 0.1)
    return Examples(("left", "noise"), np.column_stack([left, noise]), right, np.arange(n))


def test_a_sign_that_never_changes_has_no_cut() -> None:
    still = Examples(("a",), np.full((20, 1), 3.0), np.ones(20, bool), np.arange(20))
    assert find_cuts(still) == ()
    two = Examples(("a",), np.array([[0.0], [1.0]] * 10), np.ones(20, bool), np.arange(20))
    assert find_cuts(two) == (("a", 0.5),)


def test_steps_are_what_exceeds_the_cuts() -> None:
    some = Examples(("a", "b"), np.array([[1.0, 5.0], [3.0, 4.0]]), np.ones(2, bool), np.arange(2))
    assert steps(some, [("a", 2.0), ("b", 4.5)]).tolist() == [[0, 1], [1, 0]]


def test_the_sign_that_matters_is_found() -> None:
    data = examples()
    cuts = find_cuts(data)
    model = fit(steps(data, cuts), data.right, cuts)
    assert cuts[int(np.argmin(model.weights))][0] == "left"
    said = trust(model, steps(data, cuts))
    assert said[data.signs[:, 0] < 0.2].mean() > 0.8
    assert said[data.signs[:, 0] > 0.8].mean() < 0.2
    unseen = cross_trust(data)
    assert np.mean((unseen > 0.5) == (data.signs[:, 0] < 0.5)) > 0.9


def test_the_threshold_is_the_least_trust_from_which_enough_is_right() -> None:
    said = np.array([0.9, 0.8, 0.7, 0.6, 0.5])
    right = np.array([True, True, False, True, False])
    assert threshold(said, right, 1.0) == 0.8
    assert threshold(said, right, 0.75) == 0.6
    assert threshold(said, np.zeros(5, bool), 0.5) == 1.0


def test_the_written_module_says_the_same_as_the_model() -> None:
    data = examples()
    cuts = find_cuts(data)
    model = fit(steps(data, cuts), data.right, cuts)
    written: dict[str, object] = {}
    exec(as_module(model, 0.9, "Of a test."), written)
    assert written["HIGH"] == 0.9
    signs = {"left": 0.1, "noise": 0.4}
    score = written["BIAS"] + sum(w for name, cut, w in written["STEPS"] if signs[name] > cut)  # type: ignore[attr-defined,operator]
    one = Examples(data.names, np.array([[0.1, 0.4]]), np.ones(1, bool), np.arange(1))
    assert 1 / (1 + np.exp(-score)) == pytest.approx(trust(model, steps(one, cuts))[0], abs=0.02)


def test_examples_are_panels_of_figures_whose_panels_were_counted_right(tmp_path: Path) -> None:
    scores = []
    for name, found, ecs in (("a", 1, 0.95), ("b", 1, None), ("c", 2, 0.99)):
        folder = tmp_path / "offline" / "predictions" / name
        folder.mkdir(parents=True)
        panels = [{"signs": {"left": 0.1}}] * found
        (folder / "reading.json").write_text(json.dumps({"panels": panels}))
        scores.append({"method": "offline", "id": name, "panels": [{"ecs": ecs, "in_5": 0.5}]})
    (tmp_path / "scores.jsonl").write_text("\n".join(map(json.dumps, scores)))
    data = load_examples([tmp_path])
    assert data.right.tolist() == [True, False]
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "scores.jsonl").write_text("")
    with pytest.raises(ValueError, match="no panel"):
        load_examples([empty])


def test_the_threshold_alone_is_chosen_by_the_trust_that_was_said(tmp_path: Path) -> None:
    lines = []
    for number, (said, score) in enumerate([(0.9, 1.0), (0.8, 0.95), (0.7, 0.2), (0.6, 1.0)]):
        folder = tmp_path / "offline" / "predictions" / f"f{number}"
        folder.mkdir(parents=True)
        panel = {"trust": said, "warnings": [], "signs": {"left": 0.0}}
        (folder / "reading.json").write_text(json.dumps({"panels": [panel]}), encoding="utf-8")
        lines.append(json.dumps({"id": f"f{number}", "method": "offline", "panels": [{"ecs": score, "in_5": 0.0}]}))
    (tmp_path / "scores.jsonl").write_text("\n".join(lines), encoding="utf-8")
    said, right = load_trust([tmp_path])
    assert right.tolist() == [True, True, False, True]
    assert threshold(said, right, 0.97) == 0.8
