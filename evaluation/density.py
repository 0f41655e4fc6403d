"""ChartDensity-Bench on any set of charts: compounds of 1, 3, 6 and 9 of them, and what density does to the errors.

Charts are resized to 800 px width and set on a grid with 10 px between them, in an order drawn with seed 42 without
replacement; incomplete groups are dropped (section 2.2 of the paper). Not handled here: the metrics of one chart
(`chartdensity_metrics`), running methods.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.chartdensity_metrics import Row, chartdensity_bench, chartdensity_chart, degradation
from evaluation.stats import Paired, Slope, Term, mixed_effects, paired, slope
from evaluation.tables import panel_table, read_sheet
from evaluation.truth import Sample, load_samples

GRIDS = {1: (1, 1), 3: (1, 3), 6: (2, 3), 9: (3, 3)}
WIDTH, MARGIN, SEED = 800, 10, 42
Pixels = NDArray[np.uint8]


def compose(charts: Sequence[Pixels], rows: int, columns: int) -> tuple[Pixels, list[tuple[int, int, int, int]]]:
    """One picture of charts (h, w, 3) in reading order on white, and the box (x0, y0, x1, y1) of each, in px.

    Every chart is 800 px wide; a row is as high as its highest chart.
    """
    import cv2

    scaled = [np.asarray(cv2.resize(c, (WIDTH, max(1, round(c.shape[0] * WIDTH / c.shape[1]))),
                                    interpolation=cv2.INTER_AREA if c.shape[1] > WIDTH else cv2.INTER_CUBIC), np.uint8)
              for c in charts]  # fmt: skip
    heights = [max(c.shape[0] for c in scaled[r * columns : (r + 1) * columns]) for r in range(rows)]
    canvas = np.full((sum(heights) + MARGIN * (rows - 1), WIDTH * columns + MARGIN * (columns - 1), 3), 255, np.uint8)
    boxes = []
    for i, chart in enumerate(scaled):
        x, y = (i % columns) * (WIDTH + MARGIN), sum(heights[: i // columns]) + MARGIN * (i // columns)
        canvas[y : y + chart.shape[0], x : x + WIDTH] = chart
        boxes.append((x, y, x + WIDTH - 1, y + chart.shape[0] - 1))
    return canvas, boxes


def groups_of(names: Sequence[str], k: int, seed: int = SEED) -> list[list[str]]:
    """Groups of k names in an order drawn with `seed`; what is left over is dropped.

    >>> [len(group) for group in groups_of(list("abcdefgh"), 3)]
    [3, 3]
    """
    order = [names[i] for i in np.random.default_rng(seed).permutation(len(names))]
    return [order[i : i + k] for i in range(0, len(order) - k + 1, k)]


def write_compounds(charts: Path, truth: Path, out: Path, ks: Sequence[int], seed: int = SEED) -> int:
    """Compose a set from the pictures and tables of another one (single charts only). Returns how many compounds.

    Writes `images/`, `truth/`, `index.jsonl` and `manifest.json`. Raises ValueError for a k that has no grid, or where
    no chart has exactly one table.
    """
    wrong = [k for k in ks if k not in GRIDS]
    if wrong:
        raise ValueError(f"there is no grid for {wrong[0]} charts; choose from {', '.join(map(str, GRIDS))}")
    samples = {one.id: one for one in load_samples(charts, truth) if len(one.tables) == 1}
    if not samples:
        raise ValueError(f"{charts} has no picture with exactly one table")
    for name in ("images", "truth"):
        (out / name).mkdir(parents=True, exist_ok=True)
    entries = []
    for k in ks:
        for number, group in enumerate(groups_of(sorted(samples), k, seed), 1):
            entries.append(_write_compound(out, f"k{k}-{number:04d}", [samples[name] for name in group], k))
    (out / "index.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    manifest = {"benchmark": "density", "seed": seed, "width": WIDTH, "margin": MARGIN, "compounds": entries}
    (out / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    return len(entries)


def _write_compound(out: Path, name: str, group: Sequence[Sample], k: int) -> dict[str, Any]:
    from PIL import Image

    charts = [np.asarray(Image.open(one.image).convert("RGB"), np.uint8) for one in group]
    picture, boxes = compose(charts, *GRIDS[k]) if k > 1 else (charts[0], [(0, 0, charts[0].shape[1] - 1, 0)])
    Image.fromarray(picture).save(out / "images" / f"{name}.png")
    tables = [f"{name}_panel{i}.tsv" if k > 1 else f"{name}.tsv" for i in range(1, k + 1)]
    for one, table in zip(group, tables, strict=True):
        text = one.tables[0].read_text(encoding="utf-8")
        (out / "truth" / table).write_text(text, encoding="utf-8")
    return {"id": name, "image": f"images/{name}.png", "truth": [f"truth/{table}" for table in tables],
            "kind": "compound" if k > 1 else group[0].kind, "k": k, "charts": [one.id for one in group],
            "boxes": boxes}  # fmt: skip


def rows_of(path: Path) -> list[Row]:
    """The rows (series, x, y) of a table file; the series of a table without names is called by its column."""
    text = path.read_bytes().decode("utf-8", errors="replace")
    table = panel_table(read_sheet(text, "," if path.suffix.lower() == ".csv" else "\t"))
    return [(curve.name, label, f"{value:.12g}") for curve in table.curves
            for label, value in zip(curve.labels, curve.values, strict=True)]  # fmt: skip


@dataclass(frozen=True)
class Compound:
    """One compound as a method read it: predicted charts in reading order, true charts, names of the source charts."""

    k: int
    charts: tuple[str, ...]
    said: tuple[tuple[Row, ...], ...]
    true: tuple[tuple[Row, ...], ...]


@dataclass(frozen=True)
class Analysis:
    """All of the paper's numbers for one method. `per_k`: the metrics at each density; `change`: absolute and relative
    growth from the lowest to the highest density by measure; `pairs`: paired changes of the charts' errors."""

    per_k: Mapping[int, Mapping[str, float | int | None]]
    change: Mapping[str, tuple[float, float | None] | None]
    pairs: Mapping[str, Paired]
    slopes: Mapping[str, Slope]


MEASURES = ("mae", "rmse")


def analyse(compounds: Sequence[Compound]) -> Analysis:
    """Metrics per density, growth, paired changes and OLS slopes of one method."""
    ks = sorted({one.k for one in compounds})
    per_k: dict[int, dict[str, float | int | None]] = {}
    for k in ks:
        group = [one for one in compounds if one.k == k]
        scores = chartdensity_bench([(one.said, one.true) for one in group])
        per_k[k] = {"compounds": len(group), **(asdict(scores) if scores else {})}
    errors = {measure: chart_errors(compounds, measure) for measure in MEASURES}
    change = {m: _change(per_k, ks, m) for m in MEASURES}
    pairs, slopes = {}, {}
    for measure, found in errors.items():
        names = sorted({chart for chart, _ in found})
        first, last = ([found.get((name, k)) for name in names] for k in (ks[0], ks[-1]))
        pairs[measure] = paired(first, last)
        slopes[measure] = slope([float(k) for _, k in found], list(found.values()))
    return Analysis(per_k, change, pairs, slopes)


def _change(
    per_k: Mapping[int, Mapping[str, float | int | None]], ks: Sequence[int], measure: str
) -> tuple[float, float | None] | None:
    first, last = (per_k[k].get(measure) for k in (ks[0], ks[-1])) if ks else (None, None)
    return None if first is None or last is None else degradation(float(first), float(last))


def chart_errors(compounds: Sequence[Compound], measure: str) -> dict[tuple[str, int], float]:
    """The error of each source chart at each density where it could be computed: (chart, k) -> MAE or RMSE."""
    found = {}
    for one in compounds:
        if len(one.said) != len(one.true):
            continue
        for name, said, true in zip(one.charts, one.said, one.true, strict=True):
            chart = chartdensity_chart(said, true)
            value = None if chart is None else getattr(chart, measure)
            if value is not None:
                found[name, one.k] = float(value)
    return found


def mixed(by_method: Mapping[str, Sequence[Compound]], measure: str = "mae") -> tuple[Term, ...]:
    """The mixed-effects model over all methods: error ~ method * density + (1 | chart) (Table S2)."""
    rows = [(value, method, k, chart) for method, compounds in by_method.items()
            for (chart, k), value in chart_errors(compounds, measure).items()]  # fmt: skip
    return mixed_effects(*map(list, zip(*rows, strict=True))) if rows else ()


def changes(table: Sequence[Mapping[str, float]], low: int = 1, high: int = 9) -> dict[str, tuple[float, float | None]]:
    """Growth of every measure between two rows of a summary table with a column `k` (Table 1 from Table S1)."""
    at = {int(row["k"]): row for row in table}
    return {name: degradation(at[low][name], at[high][name]) for name in at[low] if name != "k"}


def summary_rows(analysis: Analysis) -> list[dict[str, Any]]:
    """Table S1 of one method: a row per density."""
    return [{"k": k, **{name: analysis.per_k[k].get(name) for name in
             ("compounds", "rfv", "car", "ec", "acr", "pr", "point_coverage", "mae", "rmse")}}
            for k in analysis.per_k]  # fmt: skip
