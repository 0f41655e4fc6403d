"""ChartAB in made figures: pairs of charts that differ in one to three cells, in colours, place of legend or text.

As the paper's algorithms 1 to 3: cells with values that occur once get a share of their column's mean; attributes are
replaced; a robustness set draws one pair of data in five looks. A pair is two figures of the set, read one by one; what
differs stands in `pairs.jsonl`, which no reader sees. Not handled here: drawing (`draw_chartab`), scores
(`chartab_analysis`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from evaluation.draw_chartab import DRAWER, KIND, REGIONS, TYPES, Chart, draw_chart, free_places, plan_chart
from evaluation.draw_plan import Floats, Rgb
from evaluation.draw_style import FAMILIES, PALETTES, hexadecimal, rgb
from evaluation.draw_words import pick

TASKS = ("data 1", "data 2", "data 3", "color", "legend", "text")
BLOCK, SET = 20, 5  # pairs: of 20 in a row the last five are one robustness set
ALPHA = (0.3, 1.7)  # new value over the column's mean
SEEN = 0.05  # share of the column's greatest value that a change must have to be seen
APART = 70.0  # distance in RGB of a new colour from the others and the background
SIZES = (0.72, 0.8, 1.25, 1.4)
CLASSES = {"DejaVu Sans": "sans", "DejaVu Serif": "serif", "STIXGeneral": "serif", "DejaVu Sans Mono": "mono"}
Rng = np.random.Generator


@dataclass(frozen=True, eq=False)
class Pair:
    """Two charts and what differs between them: `task`, one of TASKS or "robust color" and the like; `group`: the
    robustness set; `change`: in the words of the paper's templates; `questions`: on chart A."""

    id: str
    type: str
    task: str
    a: Chart
    b: Chart
    change: Mapping[str, Any]
    group: str = ""
    questions: tuple[tuple[str, float | str], ...] = field(default=())


def plan_pairs(count: int, seed: int) -> list[Pair]:
    """`count` pairs: every type meets every task; the last five of twenty are one robustness set."""
    found: list[Pair] = []
    plain = 0
    for number in range(count):
        block, place = divmod(number, BLOCK)
        if place < BLOCK - SET:
            chart_type, task = TYPES[plain % len(TYPES)], TASKS[(plain + 2 * (plain // len(TYPES))) % len(TASKS)]
            found.append(_plain_pair(np.random.default_rng([seed, number]), f"p{number:04d}", chart_type, task))
            plain += 1
        elif place == BLOCK - SET:
            found += _robust_set(np.random.default_rng([seed, number]), number, block)[: count - number]
    return found


def _plain_pair(rng: Rng, name: str, chart_type: str, task: str) -> Pair:
    chart = plan_chart(rng, chart_type)
    if task == "legend" and rng.random() < 0.5:
        chart = replace(chart, wide=0.6 + 0.3 * len(set(chart.rows)))
    other, change = changed(rng, chart, task)
    if task == "legend":
        chart = replace(chart, place=change["position"]["initial value"])
    return Pair(name, chart_type, task, chart, other, change, "", questions_on(rng, chart))


def _robust_set(rng: Rng, number: int, block: int) -> list[Pair]:
    """Five looks of one pair of data; one attribute varies."""
    chart_type = TYPES[block % len(DRAWER)]
    attribute, cells = ("color", "legend", "text")[block % 3], 1 + block // 3 % 3
    chart = plan_chart(rng, chart_type)
    other, change = changed(rng, chart, f"data {cells}")
    found = []
    for k in range(SET):
        look, _ = changed(rng, chart, attribute)
        a = replace(look, values=chart.values)
        b = replace(look, values=other.values)
        found.append(Pair(f"p{number + k:04d}", chart_type, f"robust {attribute}", a, b, change, f"r{block:03d}"))
    return found


def changed(rng: Rng, chart: Chart, task: str) -> tuple[Chart, dict[str, Any]]:
    """The chart with a change of one kind, and the change in the words of the paper's templates."""
    if task.startswith("data"):
        values, cells = change_cells(rng, chart, int(task.split()[1]))
        return replace(chart, values=values), {"cells": cells}
    if task == "color":
        colours = _other_colours(rng, chart)
        pairs = zip(chart.names, chart.colours, colours, strict=True)
        return replace(chart, colours=colours), {
            "colors": {n: _values(hexadecimal(a), hexadecimal(b)) for n, a, b in pairs if a != b}
        }
    if task == "legend":
        first, second = free_places(chart, rng, 2)[:2]
        return replace(chart, place=second), {"position": _values(first, second)}
    return _other_text(rng, chart)


def _values(a: Any, b: Any) -> dict[str, Any]:
    return {"initial value": a, "modified value": b}


def change_cells(rng: Rng, chart: Chart, count: int) -> tuple[Floats, dict[str, Any]]:
    """New values (rows, columns) with `count` changed cells: each alpha times the mean of its column, three digits.

    Only cells whose value occurs once are taken. A new value is drawn again until it differs visibly from the old one,
    occurs nowhere else and, in boxes, keeps the five numbers in order.
    """
    values = chart.values.copy()
    once = [(r, c) for r in range(values.shape[0]) for c in range(values.shape[1])
            if np.count_nonzero(values == values[r, c]) == 1]  # fmt: skip
    cells: dict[str, Any] = {}
    for k in rng.permutation(len(once)):
        r, c = once[int(k)]
        new = _new_value(rng, chart, values, r, c)
        if new is None:
            continue
        row = chart.rows[r].replace("\t", ", ")
        cells[f"cell {len(cells) + 1}"] = {
            "row name": row, "column name": chart.columns[c],
            "value in chart 1": float(values[r, c]), "value in chart 2": new,
        }  # fmt: skip
        values[r, c] = new
        if len(cells) == count:
            break
    return values, cells


def _new_value(rng: Rng, chart: Chart, values: Floats, r: int, c: int) -> float | None:
    for _ in range(40):
        new = float(f"{rng.uniform(*ALPHA) * chart.values[:, c].mean():.3g}")
        room = SEEN * float(chart.values[:, c].max())
        if abs(new - values[r, c]) < room or (values == new).any():
            continue
        row = values[r].copy()
        row[c] = new
        if chart.type != "box" or np.diff(row).min() > 0.02 * row.max():
            return new
    return None


def _other_colours(rng: Rng, chart: Chart) -> tuple[Rgb, ...]:
    """The colours with at least one replaced by a colour that is unlike all others."""
    pool = [rgb(one) for palette in PALETTES for one in palette]
    which = rng.permutation(len(chart.colours))[: int(rng.integers(1, len(chart.colours) + 1))]
    colours = list(chart.colours)
    for k in which:
        others = [*chart.colours, *colours, chart.style.plot, chart.style.ink]
        free = [one for one in pool if min(_distance(one, other) for other in others) > APART]
        if free:
            colours[int(k)] = pick(rng, free)
    return tuple(colours)


def _distance(a: Rgb, b: Rgb) -> float:
    return float(np.linalg.norm(np.subtract(a, b)))


def _other_text(rng: Rng, chart: Chart) -> tuple[Chart, dict[str, Any]]:
    """Another size or weight of one to three regions, or another family of all of them. Sizes are told in px."""
    style, change = chart.style, {region: dict[str, Any]() for region in REGIONS}
    if rng.random() < 0.25:
        family = pick(rng, [f for f in dict.fromkeys(FAMILIES) if CLASSES[f] != CLASSES[style.family]])
        for one in change.values():
            one["fontfamily"] = _values(CLASSES[style.family], CLASSES[family])
        return replace(chart, style=replace(style, family=family)), {"texts": change}
    points, weights = dict(style.points), dict(style.weights)
    regions = list(REGIONS.items())
    for k in rng.permutation(len(regions))[: int(rng.integers(1, 4))]:
        region, key = regions[int(k)]
        if rng.random() < 0.6:
            points[key] = style.points[key] * float(rng.choice(SIZES))
            change[region]["size"] = _values(round(style.points[key] * style.px, 2), round(points[key] * style.px, 2))
        else:
            weights[key] = "normal" if style.weights[key] == "bold" else "bold"
            change[region]["weight"] = _values(style.weights[key], weights[key])
    found = {region: one for region, one in change.items() if one}
    return replace(chart, style=replace(style, points=points, weights=weights)), {"texts": found}


def questions_on(rng: Rng, chart: Chart) -> tuple[tuple[str, float | str], ...]:
    """A value, the greatest value of a series, and where it stands: each has one answer in the table."""
    r, c = int(rng.integers(len(chart.rows))), int(rng.integers(len(chart.columns)))
    if chart.type == "box":
        category, series = chart.rows[r].split("\t")
        return ((f"What is the median of {series} for {category}?", float(chart.values[r, 2])),)
    column = chart.columns[c]
    top = int(np.argmax(chart.values[:, c]))
    return (
        (f"What is the value of {column} for {chart.rows[r]}?", float(chart.values[r, c])),
        (f"What is the highest value of {column}?", float(chart.values[top, c])),
        (f"Which {chart.labels[0].lower()} has the highest value of {column}?", chart.rows[top]),
    )


def write_chartab(out: Path, count: int, seed: int) -> int:
    """Draw `count` pairs in the layout of the bench, with `pairs.jsonl`; returns how many figures there are."""
    from PIL import Image

    for name in ("images", "truth", "truth_json"):
        (out / name).mkdir(parents=True, exist_ok=True)
    entries, lines = [], []
    for pair in plan_pairs(count, seed):
        for side, chart in (("a", pair.a), ("b", pair.b)):
            drawn, name = draw_chart(chart), f"{pair.id}{side}"
            Image.fromarray(drawn.pixels).save(out / "images" / f"{name}.png")
            (out / "truth" / f"{name}.tsv").write_text(chart.table(), encoding="utf-8")
            facts = json.dumps({**drawn.facts, "id": name}, ensure_ascii=False)
            (out / "truth_json" / f"{name}.json").write_text(facts, encoding="utf-8")
            entries.append({"id": name, "image": f"images/{name}.png", "truth": [f"truth/{name}.tsv"],
                            "kind": KIND.get(pair.type, pair.type), "chart_type": pair.type,
                            "axis_kinds": {"x": "categorical", "y": "linear"}})  # fmt: skip
        lines.append({"id": pair.id, "a": f"{pair.id}a", "b": f"{pair.id}b", "type": pair.type, "task": pair.task,
                      "group": pair.group, "change": pair.change, "questions": pair.questions})  # fmt: skip
    for path, rows in (("index.jsonl", entries), ("pairs.jsonl", lines)):
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (out / path).write_text(text, encoding="utf-8")
    return len(entries)
