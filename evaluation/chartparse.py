"""ChartParse-Bench in made figures: families A line, B scatter, C area, D compound, M market, each with its trap.

A chart's spec names the failure that it tests before it is drawn; truth, spec and metadata have the published layout
(`truth/<ID>.truth.json`, `spec/<ID>.spec.json`, `metadata.jsonl`) beside the tables that every set has. Not handled
here: scores (`chartparse_analysis`), the published files (`loaders`), frames that are not Cartesian.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from evaluation import draw_bars, draw_clouds, draw_curves
from evaluation.draw_charts import CHART_TYPES, generator, plan_figure
from evaluation.draw_curves import days_from, time_axis
from evaluation.draw_frame import looks, panel, rounded, value_axis
from evaluation.draw_plan import AxisPlan, FigurePlan, PanelPlan, SeriesPlan, Style
from evaluation.draw_style import choose_style
from evaluation.draw_truth import x_texts

Rng = np.random.Generator
Build = Callable[[Rng, Style], PanelPlan]
FAMILIES = {"A": "line", "B": "scatter", "C": "area", "D": "compound", "M": "market"}


@dataclass(frozen=True)
class Trap:
    """One named failure: what goes wrong, how hard it is (1 to 4), and the chart that provokes it."""

    claim: str
    level: int
    chart_type: str
    build: Build | None = None


def many_crossings(rng: Rng, style: Style) -> PanelPlan:
    """Four to seven lines of one length that cross again and again."""
    return draw_curves.lines_of(rng, style, int(rng.integers(4, 8)), int(rng.integers(30, 70)), rough=0.08)


def with_gap(rng: Rng, style: Style) -> PanelPlan:
    """One or two lines of which one is not drawn over a stretch in the middle."""
    plan = draw_curves.lines_of(rng, style, int(rng.integers(1, 3)), int(rng.integers(30, 70)), dated=0.0)
    first = plan.series[0]
    length = len(first.y)
    start = int(rng.integers(length // 4, length // 2))
    y = first.y.copy()
    y[start : start + max(3, length // 6)] = np.nan
    return replace(plan, series=(replace(first, y=y), *plan.series[1:]))


def market(rng: Rng, style: Style) -> PanelPlan:
    """Three to seven series that follow one factor and all turn in the same session."""
    count, length = int(rng.integers(3, 8)), int(rng.integers(60, 140))
    x = days_from(rng, length, "day")
    turn = int(rng.integers(length // 3, 2 * length // 3))
    factor = np.cumsum(rng.normal(0, 1, length) + np.where(np.arange(length) < turn, 0.6, -0.6))
    names = ("Alpha", "Borealis", "Cobalt", "Delta", "Ember", "Fjord", "Granite")
    series = []
    for name, look in zip(names, looks(rng, style, count, 0.0, 0.0), strict=False):
        own = float(rng.uniform(0.7, 1.3)) * factor + np.cumsum(rng.normal(0, 0.5, length))
        series.append(SeriesPlan(name, "line", x, rounded(100 + own - own.min() * 0.2, 5), replace(look, line_pt=1.1)))
    plan = PanelPlan("line", tuple(series), time_axis(rng, style, x, 1.0), value_axis(rng, style, series))
    return panel(rng, style, plan)


TRAPS: dict[str, tuple[Trap, ...]] = {
    "A": (
        Trap("tracing by colour that swaps identity at a crossing", 2, "line_plain", many_crossings),
        Trap("curves of one colour, told apart by their dashes alone", 3, "line_dashed", draw_curves.line_dashed),
        Trap("gap honesty: nothing is drawn over a stretch", 2, "line_plain", with_gap),
        Trap("a log axis read as linear", 2, "line_log", draw_curves.line_log),
        Trap("an axis that runs the other way", 1, "line_reversed", draw_curves.line_reversed),
        Trap("values between markers taken for data", 1, "line_markers", draw_curves.line_markers),
    ),
    "B": (
        Trap("overlapping marks counted once", 2, "scatter_groups", draw_clouds.scatter_groups),
        Trap("groups told apart by shape in black and white", 3, "scatter_shapes", draw_clouds.scatter_shapes),
        Trap("decades on both axes", 2, "scatter_log", draw_clouds.scatter_log),
    ),
    "C": (
        Trap("stacked borders read as values", 2, "area_stacked", draw_curves.area_stacked),
        Trap("translucent fills over each other", 2, "area_plain", draw_curves.area_plain),
    ),
    "D": (
        Trap("panels of different kinds in one figure", 3, "compound_mixed"),
        Trap("two value axes", 2, "line_twin", draw_curves.line_twin),
        Trap("bars under a line", 2, "epicurve_line", draw_bars.epicurve_line),
        Trap("panels that borrow their labels", 3, "compound_facets"),
    ),
    "M": (Trap("accumulated identity error over very many crossings", 4, "line_dense", market),),
}  # fmt: skip


def plan_chart(seed: int, sample: int) -> tuple[str, Trap, FigurePlan]:
    """ID, trap and plan of chart `sample`: the families in turn, the traps of a family in turn."""
    family = "ABCDM"[sample % 5]
    index = sample // 5
    trap = TRAPS[family][index % len(TRAPS[family])]
    name = f"{family}{index + 1:02d}"
    if trap.build is None:
        return name, trap, plan_figure(seed, sample, trap.chart_type)[1]
    style = choose_style(generator(seed, sample, 1))
    plan = replace(trap.build(generator(seed, sample, 2), style), chart_type=trap.chart_type)
    return name, trap, FigurePlan((plan,), 1, 1, style)


def write_charts(out: Path, count: int, seed: int) -> int:
    """Draw a set of `count` charts; returns how many there are."""
    from PIL import Image

    from evaluation.draw import draw_figure

    for folder in ("images", "truth", "spec"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    entries, about = [], []
    for sample in range(count):
        name, trap, figure = plan_chart(seed, sample)
        drawn = draw_figure(figure, seed, sample, trap.chart_type)
        Image.fromarray(drawn.pixels).save(out / "images" / f"{name}.png")
        tables = [f"{name}.tsv"] if len(drawn.tables) == 1 else [
            f"{name}_panel{k}.tsv" for k in range(1, len(drawn.tables) + 1)
        ]  # fmt: skip
        for table, text in zip(tables, drawn.tables, strict=True):
            (out / "truth" / table).write_text(text, encoding="utf-8")
        _dump(out / "truth" / f"{name}.truth.json", truth_of(name, figure))
        _dump(out / "spec" / f"{name}.spec.json", spec_of(name, trap, figure))
        facts = {"id": name, "family": name[0], "level": trap.level, "trap": trap.claim}
        about.append(facts)
        entries.append({**facts, "image": f"images/{name}.png", "truth": [f"truth/{t}" for t in tables],
                        "kind": CHART_TYPES[trap.chart_type]})  # fmt: skip
    for file, rows in (("index.jsonl", entries), ("metadata.jsonl", about)):
        (out / file).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    _dump(out / "index.json", about)
    return count


def _dump(path: Path, what: Any) -> None:
    path.write_text(json.dumps(what, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def truth_of(name: str, figure: FigurePlan) -> dict[str, Any]:
    """The exact values of a chart; a declared gap is null. One panel stands at the top level as well."""
    panels = []
    for plan in figure.panels:
        series = [{"name": one.name, "x": x_texts(plan.x, one.x), "y": [_plain(v) for v in one.y]}
                  for one in plan.series]  # fmt: skip
        labels = [{"text": text, "printed": True} for axis in (plan.x, plan.y) for text in axis.texts]
        scales = {"x": _scale(plan.x), "y": _scale(plan.y)}
        panels.append({"series": series, "axis_scales": scales, "labels": labels})
    top = panels[0] if len(panels) == 1 else {}
    return {"id": name, "family": FAMILIES[name[0]], **top, "panels": panels}


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _scale(axis: AxisPlan) -> str:
    return axis.scale


def spec_of(name: str, trap: Trap, figure: FigurePlan) -> dict[str, Any]:
    """What a chart tests; for the market family the schedule of its crossings, measured on the data."""
    found = {"id": name, "family": FAMILIES[name[0]], "level": trap.level, "tests": trap.claim}
    if name[0] != "M":
        return found
    return found | {"crossings": crossings(figure.panels[0].series)}


def crossings(series: Sequence[SeriesPlan]) -> list[dict[str, Any]]:
    """Where two curves on the same x change places: their names and the share of the way between two samples."""
    found = []
    for i, one in enumerate(series):
        for other in series[i + 1 :]:
            gap = one.y - other.y
            for k in np.flatnonzero(gap[:-1] * gap[1:] < 0):
                share = float(gap[k] / (gap[k] - gap[k + 1]))
                found.append({"series": [one.name, other.name], "after": int(k), "share": round(share, 4)})
    return sorted(found, key=lambda c: (c["after"], c["share"]))
