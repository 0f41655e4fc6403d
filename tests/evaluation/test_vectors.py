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


def rms(inputs: Record, params: Record) -> Record:
    options = [m.RmsOptions(params["text_theta"], params["number_theta"], boundary) for boundary in ("le", "lt")]
    return {
        f"anls_{one.boundary}": asdict(m.rms(inputs["prediction"], inputs["target"], one)) for one in options
    }  # fmt: skip


def rnss(inputs: Record, params: Record) -> Record:
    modes = {"reference": "deplot", "zero_rule_fixed": "zero", "zero_rule_fixed_padded": "padded"}
    return {name: m.rnss(inputs["prediction"], inputs["target"], mode) for name, mode in modes.items()}


def scrm(inputs: Record, params: Record) -> Record:
    hard = not params["easy"]  # StructChart has no hard charts
    structchart = None if hard else scrm_mode(inputs, "structchart", hard)
    return {"chartvlm": scrm_mode(inputs, "chartvlm", hard), "structchart": structchart}


def scrm_mode(inputs: Record, mode: Any, hard: bool) -> Record:
    found = m.scrm(inputs["predictions"], inputs["references"], mode, hard)
    assert found is not None
    levels = {name: getattr(found, name) for name in ("strict", "slight", "high")}
    result: Record = {"em": found.em, "sim": {name: list(level.iou) for name, level in levels.items()}}
    for name, level in levels.items():
        result[f"map_{name}"] = level.mean_precision
        result |= {f"ap_{at}_{name}": getattr(level, f"ap_{at}") for at in (50, 75, 90)}
    return result


def relaxed_accuracy(inputs: Record, params: Record) -> Record:
    return {
        f"{mode}_{tolerance}": m.relaxed_correct(inputs["prediction"], inputs["target"], tolerance, mode)
        for mode in ("pix2struct", "tinychart", "numeric")
        for tolerance in params["tolerances"]
    }


def chartdensity_chart(inputs: Record, params: Record) -> Record:
    chart = m.chartdensity_chart(inputs["pred"], inputs["gt"], params["x_tolerance"])
    assert chart is not None
    return asdict(chart) | {"parseable": chart.parseable}


def chartdensity_bench(inputs: Record, params: Record) -> Record:
    found = m.chartdensity_bench([(one["pred"], one["gt"]) for one in inputs["compounds"]], params["x_tolerance"])
    assert found is not None
    return {name.upper() if name != "point_coverage" else name: value for name, value in asdict(found).items()}


def chartdensity_degradation(inputs: Record, params: Record) -> Record:
    found: Record = {}
    for name in ("mae", "rmse"):
        growth, relative = m.degradation(inputs[f"{name}_1"], inputs[f"{name}_9"])
        found |= {f"delta_{name}": growth, f"relative_delta_{name}_percent": relative}
    return found


def chartparse(inputs: Record, params: Record) -> Record:
    marks = tuple(inputs["marks"]) if inputs["marks"] else None
    found = m.chartparse(inputs["pred"], inputs["gt"], inputs["gaps"] or (), inputs["log_y"], marks)  # type: ignore[arg-type]
    assert found is not None
    return asdict(found) | {"score": found.score, "pairs": [list(pair) for pair in found.pairs]}


def alignment(found: Any, value: str) -> Record:
    counts = {"TP": found.tp, "FP": found.fp, "FN": found.fn}
    reference = asdict(found) | counts | {f"num_{name.lower()}": count for name, count in counts.items()}
    reference |= {"total_score": found.total, "detection_f1": found.f1, value: found.value}
    return {"reference": reference, "paper_formula": found.paper}


def chartab_data_alignment(inputs: Record, params: Record) -> Record:
    return alignment(m.data_alignment(inputs["pred"], inputs["gt"], params["threshold"]), "precision_score")


def chartab_color_alignment(inputs: Record, params: Record) -> Record:
    return alignment(m.color_alignment(inputs["pred"], inputs["gt"], params["threshold"]), "color_accuracy")


def chartab_text_alignment(inputs: Record, params: Record) -> Record:
    return alignment(m.text_alignment(inputs["pred"], inputs["gt"]), "char_accuracy")


def chartab_legend_alignment(inputs: Record, params: Record) -> Record:
    score = m.legend_alignment(inputs["pred"], inputs["gt"])
    return {"reference": score, "paper_formula": score}


def chartab_robustness(inputs: Record, params: Record) -> Record:
    return {"reference": m.robustness(inputs["scores"]), "sample_std_variant": m.robustness(inputs["scores"], ddof=1)}


def chartab_color_l2(inputs: Record, params: Record) -> Record:
    found = m.color_l2(inputs["pred"], inputs["gt"], params["threshold"], params["penalty"])
    if found is None:
        return {"reference": None}
    return {
        "reference": {
            "avg_matched_l2": found.matched, "avg_with_penalty": found.with_penalty,
            "matched_pairs": found.pairs, "distances": found.distances,
        }
    }  # fmt: skip


def chartab_text_grounding(inputs: Record, params: Record) -> Record:
    return {"reference": m.text_grounding(inputs["pred"], inputs["gt"], params["size_margin"])}


def chartab_data_grounding(inputs: Record, params: Record) -> Record:
    return {"reference": m.data_grounding(inputs["pred"], inputs["gt"])}


ADAPTERS: dict[str, Callable[[Record, Record], Record]] = {
    one.__name__: one
    for one in (
        chartab_color_alignment, chartab_color_l2, chartab_data_alignment, chartab_data_grounding,
        chartab_legend_alignment, chartab_robustness, chartab_text_alignment, chartab_text_grounding,
        chartdensity_bench, chartdensity_chart, chartdensity_degradation, chartparse, dtw, ecs_image, ecs_series, erp,
        nls, relaxed_accuracy, rms, rnss, scrm,
    )
}  # fmt: skip
# What a record says about other people's code, not about ours.
ABOUT_OTHERS = {
    "aeon_erp", "aeon_agrees", "tslearn_path_length", "dev_code_cost", "dev_code_length", "reference_raises",
    "published_relative_delta_mae_percent",
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
        if undefined_there(value):
            assert key in found  # where published code fails, ours says something and does not raise
        else:
            assert_close(found[key], value, record["tolerance"], f"{key}: {record['why']}")


def undefined_there(value: Any) -> bool:
    """True where the reference raises, reports a format error for what is a matter of values, or was not run."""
    if not isinstance(value, dict):
        return False
    return "raises" in value or "Incorrect JSON formatting" in map(str, value.values())


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
