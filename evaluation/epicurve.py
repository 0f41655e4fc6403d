"""EpiCurveBench in made figures: epidemic curves with the paper's mix of lengths, series and styles, and its analysis.

Table 1 of the paper: a median of 52 points a series (up to 2,148), 1 to 14 series (median 2), at most 8,592 points a
chart; lines 71.4 %, bars 15.7 %, both 12.9 %; cumulative 13.6 %. Not handled here: drawing (`draw`), the metrics.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from evaluation.downstream import Downstream, Rank, downstream, spearman_table
from evaluation.draw_bars import STEP_DAYS, count_axis
from evaluation.draw_charts import generator
from evaluation.draw_curves import days_from, time_axis
from evaluation.draw_frame import epidemic, looks, panel
from evaluation.draw_plan import FigurePlan, Floats, Look, PanelPlan, SeriesPlan, Style
from evaluation.draw_style import choose_style
from evaluation.draw_words import some_names
from evaluation.ecs import Components, ecs, match_series, mean_of_images
from evaluation.elastic import dtw_score
from evaluation.stats import Interval, mean_interval
from evaluation.sweeps import SweepPoint, sweep_ecs

LONGEST, MOST_POINTS, MOST_SERIES = 2148, 8592, 14
MEDIAN_POINTS, SPREAD = 52.0, 1.76  # of a log-normal length: mean 245 as in the paper
KINDS, SHARES = ("line", "bar", "both"), (0.714, 0.157, 0.129)
CHART_TYPE = {
    "line": "epicurve_cumulative",
    "bar": "epicurve_stacked",
    "both": "epicurve_line",
}  # as the drawer knows them
CUMULATIVE, TWIN, SMALL = 0.136, 0.3, 0.15  # shares: cumulative charts; second axis among "both"; low resolution
SHORT = 100  # points a series: the regime where sources are compared
Rng = np.random.Generator


def plan_epicurve(seed: int, sample: int) -> tuple[FigurePlan, dict[str, Any]]:
    """The plan of one chart and what the strata need: chart kind, cumulative, step, length of the longest series."""
    style_rng, rng = generator(seed, sample, 1), generator(seed, sample, 2)
    kind = str(rng.choice(KINDS, p=SHARES))
    cumulative = bool(rng.random() < CUMULATIVE) and kind == "line"
    length = int(np.clip(round(MEDIAN_POINTS * np.exp(rng.normal(0, SPREAD))), 5, LONGEST))
    count = int(np.clip(round(np.exp(rng.normal(0.55, 0.75))), 1, MOST_SERIES)) if kind != "both" else 1
    count = max(1, min(count, MOST_POINTS // length))
    step = "day" if length > 300 else str(rng.choice(["day", "week", "month"], p=[0.45, 0.45, 0.1]))
    style = _wide_enough(choose_style(style_rng), length, count if kind == "bar" else 1)
    x = days_from(rng, length, step)
    series = _series(rng, style, x, kind, count, cumulative, step)
    y2 = count_axis(rng, style, [one for one in series if one.twin]) if any(one.twin for one in series) else None
    room = STEP_DAYS[step] if kind != "line" else float(np.ptp(x)) * 0.03
    axis = next((a for _ in range(20) if len((a := time_axis(rng, style, x, room)).ticks) > 1), None)
    axis = axis or time_axis(rng, style, x, room)
    left = [one for one in series if not one.twin]
    plan = panel(rng, style, PanelPlan(CHART_TYPE[kind], tuple(series), axis, count_axis(rng, style, left), y2))
    facts = {"chart": kind, "cumulative": cumulative, "step": step, "points": length, "series": len(series),
             "small": bool(rng.random() < SMALL)}  # fmt: skip
    return FigurePlan((plan,), 1, 1, style), facts


def _wide_enough(style: Style, length: int, crowd: int) -> Style:
    """A figure in which a point has at least half a pixel, as far as papers go (1,600 px)."""
    wide, tall = style.size
    return replace(style, size=(int(min(1600, max(wide, 0.7 * length * crowd + 150))), tall))


def _series(rng: Rng, style: Style, x: Floats, kind: str, count: int, cumulative: bool, step: str) -> list[SeriesPlan]:
    peak = float(10 ** rng.uniform(1.0, 3.8))
    names = some_names(rng, count)
    marked = 0.25 if len(x) < 80 else 0.0
    found = []
    base = np.zeros(len(x))
    for k, look in enumerate(looks(rng, style, count, marked, 0.15) if kind == "line" else looks(rng, style, count)):
        y = epidemic(rng, len(x), peak * float(rng.uniform(0.3, 1.0)))
        name = names[k] if count > 1 else "New cases" if kind == "both" else ""
        if kind == "line":
            found.append(SeriesPlan(name, "line", x, np.cumsum(y) if cumulative else y, look))
        else:
            bar = replace(look, edge=None, line_pt=0.0, dash="solid", marker="")
            width = STEP_DAYS[step] * (1.0 if len(x) > 200 else float(rng.choice([1.0, 0.9, 0.8])))
            found.append(SeriesPlan(name, "bar", x, y, bar, base=base, width=width, stacked=count > 1))
            base = base + y
    return [*found, *(_line_over(rng, style, found[0]) if kind == "both" else ())]


def _line_over(rng: Rng, style: Style, bars: SeriesPlan) -> list[SeriesPlan]:
    """A moving mean, or the running total on a second axis, over bars."""
    twin = bool(rng.random() < TWIN)
    window = min(7, len(bars.y))
    kernel = np.ones(window) / window
    padded = np.pad(bars.y, (window // 2, window - 1 - window // 2), mode="edge")
    y = np.cumsum(bars.y) if twin else np.round(np.convolve(padded, kernel, "valid"), 1)
    look = Look(style.palette[1], line_pt=float(rng.uniform(1.2, 2.2)))
    return [SeriesPlan("Cumulative cases" if twin else "Moving average", "line", bars.x, y, look, twin=twin)]


def write_epicurves(out: Path, count: int, seed: int) -> int:
    """Draw a set of `count` charts in the layout of the bench; returns how many there are."""
    from PIL import Image

    from evaluation.draw import draw_figure

    for name in ("images", "truth"):
        (out / name).mkdir(parents=True, exist_ok=True)
    entries = []
    for sample in range(count):
        figure, facts = plan_epicurve(seed, sample)
        drawn = draw_figure(figure, seed, sample, CHART_TYPE[facts["chart"]])
        picture = Image.fromarray(drawn.pixels)
        if facts.pop("small"):
            picture = picture.resize((round(picture.width * 0.6), round(picture.height * 0.6)), Image.Resampling.BOX)
            facts["low_resolution"] = True
        name = f"e{sample:05d}"
        picture.save(out / "images" / f"{name}.png")
        (out / "truth" / f"{name}.tsv").write_text(drawn.tables[0], encoding="utf-8")
        entries.append({"id": name, "image": f"images/{name}.png", "truth": [f"truth/{name}.tsv"], "kind": "epicurve",
                        "chart_type": f"epicurve {facts['chart']}", "axis_kinds": {"x": "date", "y": "linear"},
                        **facts})  # fmt: skip
    (out / "index.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    return count


LabelledSeries = tuple[str, Floats]


@dataclass(frozen=True)
class Chart:
    """A chart as a method read it: predicted and true series, and the facts of its line in the index."""

    id: str
    said: tuple[LabelledSeries, ...]
    true: tuple[LabelledSeries, ...]
    facts: Mapping[str, Any]


@dataclass(frozen=True)
class Analysis:
    """All of the paper's numbers for one method."""

    score: Interval
    components: Components | None
    strata: Mapping[str, Mapping[str, Interval]]
    sweeps: tuple[SweepPoint, ...]
    statistics: Mapping[str, Interval]
    spearman: Mapping[str, Mapping[str, Rank]]


def analyse(charts: Sequence[Chart]) -> Analysis:
    """ECS with its interval and decomposition, by stratum, under other settings, and against downstream errors."""
    images = {chart.id: ecs(list(chart.said), list(chart.true)) for chart in charts}
    scores = {name: image.score if image else None for name, image in images.items()}
    whole = mean_of_images(images.values())
    pairs = [(list(chart.said), list(chart.true)) for chart in charts]
    metrics, statistics = _per_series(charts)
    means = {name: mean_interval([getattr(one, name) for one in statistics])
             for name in ("total", "peak_time", "peak_size", "growth")}  # fmt: skip
    return Analysis(
        mean_interval(list(scores.values())), whole.components if whole else None, strata(charts, scores),
        tuple(sweep_ecs(pairs)), means, spearman_table(metrics, statistics),
    )  # fmt: skip


def strata(charts: Sequence[Chart], scores: Mapping[str, float | None]) -> dict[str, dict[str, Interval]]:
    """Mean ECS by chart kind, cumulative, length, step, set and source; the last one among short series only."""
    found: dict[str, dict[str, Interval]] = {}
    rules: dict[str, Callable[[Mapping[str, Any]], Any]] = {
        "chart": lambda f: f.get("chart"),
        "cumulative": lambda f: None if "cumulative" not in f else "cumulative" if f["cumulative"] else "per period",
        "points a series": lambda f: None if "points" not in f else _length_class(int(f["points"])),
        "step": lambda f: f.get("step"),
        "set": lambda f: f.get("set"),
        f"source, series up to {SHORT} points": lambda f: f.get("source") if f.get("points", 0) <= SHORT else None,
    }
    for rule, of in rules.items():
        classes = [of(chart.facts) for chart in charts]
        for one in sorted({str(c) for c in classes if c is not None}):
            values = [scores[chart.id] for chart, c in zip(charts, classes, strict=True) if str(c) == one]
            found.setdefault(rule, {})[one] = mean_interval(values)
    return found


def _length_class(points: int) -> str:
    for limit in (25, 52, 100, 300):
        if points <= limit:
            return f"up to {limit:>3}"
    return "over 300"


def _per_series(charts: Sequence[Chart]) -> tuple[dict[str, list[float]], list[Downstream]]:
    """ECS and DTW of every matched series, and the downstream errors of the same series."""
    metrics: dict[str, list[float]] = {"ecs": [], "dtw": []}
    statistics = []
    for chart in charts:
        for i, j in match_series([name for name, _ in chart.said], [name for name, _ in chart.true]):
            said, true = chart.said[j][1], chart.true[i][1]
            image = ecs([("", said)], [("", true)])
            if image is not None:
                metrics["ecs"].append(image.score)
                metrics["dtw"].append(dtw_score(said, true))
                statistics.append(downstream(said, true, chart.true[i][0] or "cases"))
    return metrics, statistics
