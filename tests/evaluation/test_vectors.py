"""Conformance: one test per vector, over the copies in `vectors/` or any folder given with `--vectors`.

A vector file holds records {name, inputs, params, expected, tolerance, why}. Each adapter below turns a record into
what our metric says under the same names; a null in `expected` means undefined.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from evaluation import metrics as m
from evaluation.elastic import dtw_path, finite, local_scale

Record = dict[str, Any]
HERE = Path(__file__).parent / "vectors"


def values(series: list[float | None]) -> list[float]:
    return [math.nan if v is None else float(v) for v in series]


def options(params: Record) -> m.EcsOptions:
    return m.EcsOptions(
        theta=params.get("theta", 0.01), gap=params.get("lambda", 1.0), clip=params.get("clip", "gt"),
        tie=params.get("tie", "shortest"), nan=params.get("nan", "drop"), floor=params.get("floor_at_zero", True),
        nls_threshold=params.get("nls_threshold", 0.5), shortcut=params.get("single_series_shortcut", "both"),
        unmatched=params.get("unmatched", "zero"),
    )  # fmt: skip


def ecs_series(inputs: Record, params: Record) -> Record:
    y_range = tuple(inputs["y_range"]) if inputs["y_range"] else None
    one = m.ecs_series(values(inputs["pred"]), values(inputs["gt"]), y_range, options(params))
    return {**asdict(one), "ecs": one.score, "ecs_raw": one.raw}


def labelled(series: list[Record]) -> list[tuple[str, list[float]]]:
    return [(one["label"], values(one["values"])) for one in series]


def ecs_image(inputs: Record, params: Record) -> Record:
    if "images" in inputs:
        image = m.ecs_dataset([(labelled(i["pred"]), labelled(i["gt"])) for i in inputs["images"]], options(params))
    else:
        image = m.ecs(labelled(inputs["pred"]), labelled(inputs["gt"]), inputs["y_ranges"], options(params))
    if image is None:
        return {"ecs": None, "components": None, "matches": []}
    return {"ecs": image.score, "components": asdict(image.components), "matches": [list(p) for p in image.matches]}


def nls(inputs: Record, params: Record) -> Record:
    a, b, theta = inputs["a"], inputs["b"], params["theta"]
    score = m.nls(a, b)
    return {
        "nls": score, "distance": round((1 - score) * max(len(a), len(b))), "exceeds_half": score > 0.5,
        "anls_le": m.anls(a, b, theta), "anls_lt": m.anls(a, b, theta, "lt"), "indel_ratio": m.indel_ratio(a, b),
    }  # fmt: skip


def erp(inputs: Record, params: Record) -> Record:
    return {"erp": m.erp(inputs["x"], inputs["y"], params["g"])}


def dtw(inputs: Record, params: Record) -> Record:
    x, y = finite(values(inputs["x"])), finite(values(inputs["y"]))
    y_range = tuple(inputs["y_range"]) if inputs["y_range"] else None
    squared = m.dtw(x, y)
    found: Record = {"dtw_squared": squared, "dtw_sqrt_of_squared": math.sqrt(squared), "dtw_abs": m.dtw(x, y, 1)}
    scale, limit = local_scale(*(y_range or (y.min(), y.max())), params["theta"], params["clip"])
    for tie, suffix in (("shortest", ""), ("longest", "_longest")):
        path = dtw_path(x, y, scale=scale, limit=limit, tie=tie)
        found["clipped_length" + suffix] = path.length
        found["clipped_score" + suffix] = m.dtw_score(x, y, y_range=y_range, theta=params["theta"], tie=tie)
    return {**found, "clipped_cost": dtw_path(x, y, scale=scale, limit=limit).cost}


ADAPTERS: dict[str, Callable[[Record, Record], Record]] = {
    "dtw": dtw, "ecs_image": ecs_image, "ecs_series": ecs_series, "erp": erp, "nls": nls,
}  # fmt: skip
# What a record says about other people's code, not about ours.
ABOUT_OTHERS = {
    "aeon_erp", "aeon_agrees", "tslearn_path_length", "dev_code_cost", "dev_code_length", "reference_raises",
}  # fmt: skip


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    folder = Path(metafunc.config.getoption("--vectors") or HERE)
    cases = [
        pytest.param(path.stem, record, id=f"{path.stem}-{record['name']}")
        for path in sorted(folder.glob("*.json"))
        for record in json.loads(path.read_text(encoding="utf-8"))
    ]
    if "record" in metafunc.fixturenames:
        metafunc.parametrize(("family", "record"), cases)


def test_vector(family: str, record: Record) -> None:
    found = ADAPTERS[family](record["inputs"], record["params"])
    expected = {key: value for key, value in record["expected"].items() if key not in ABOUT_OTHERS}
    assert expected, "a vector without expectations proves nothing"
    for key, value in expected.items():
        assert_close(found[key], value, record["tolerance"], f"{key}: {record['why']}")


def assert_close(found: Any, expected: Any, tolerance: float, where: str) -> None:
    if isinstance(expected, dict):
        assert set(found) >= set(expected), where
        for key, value in expected.items():
            assert_close(found[key], value, tolerance, f"{where} / {key}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), where
        for one, value in zip(found, expected, strict=True):
            assert_close(one, value, tolerance, where)
    elif isinstance(expected, float) or (isinstance(expected, int) and not isinstance(expected, bool)):
        assert found is not None, where
        assert math.isclose(found, expected, rel_tol=0, abs_tol=tolerance), f"{found} {where}"
    else:
        assert found == expected, where
