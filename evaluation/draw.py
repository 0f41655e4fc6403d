"""The drawer: seeded figures with exact truth, for tests, makers of benchmarks and checks of the readers.

One generator per (seed, sample): a sample is the same whatever else is drawn, and the same data come in another
engine or another degradation when these are asked for. `python -m evaluation.draw OUT --count N` writes a set. Not
handled here: broken axes, pies, polar and 3-D charts, maps.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evaluation.draw_charts import BENCH_KINDS, CHART_TYPES, ENGINES, generator, plan_figure
from evaluation.draw_degrade import DEGRADATIONS, degraded
from evaluation.draw_plan import Drawn, FigurePlan
from evaluation.draw_truth import drawn_panel, record, table_of
from evaluation.draw_words import pick

__all__ = ["BENCH_KINDS", "CHART_TYPES", "DEGRADATIONS", "ENGINES", "Drawn", "draw", "draw_figure", "main", "write_set"]


def draw(
    seed: int,
    sample: int,
    *,
    kind: str | None = None,
    engine: str | None = None,
    degrade: str | None = None,
    form: str = "",
) -> Drawn:
    """Draw figure `sample` of the set `seed`.

    `kind`: one of CHART_TYPES ("bar_stacked", ...) or a kind of the bench ("bar"); None lets the sample choose.
    `engine`: one of ENGINES; None lets the sample choose. `degrade`: one of DEGRADATIONS. `form`: "svg" or "pdf" for
    `Drawn.vector` (never degraded). Raises ValueError for unknown names.
    """
    if engine not in (None, *ENGINES):
        raise ValueError(f"no engine {engine!r}: choose one of {', '.join(ENGINES)}")
    if degrade not in (None, *DEGRADATIONS):
        raise ValueError(f"no degradation {degrade!r}: choose one of {', '.join(DEGRADATIONS)}")
    chart_type, figure = plan_figure(seed, sample, kind)
    drawn = draw_figure(figure, seed, sample, chart_type, engine or pick(generator(seed, sample, 3), ENGINES), form)
    return degraded(drawn, degrade, generator(seed, sample, 4)) if degrade else drawn


def draw_figure(
    figure: FigurePlan, seed: int, sample: int, chart_type: str, engine: str = "matplotlib", form: str = ""
) -> Drawn:
    """Draw a plan; `chart_type`, one of CHART_TYPES, names it and its kind."""
    if engine == "vega":
        from evaluation import draw_vega

        figure = draw_vega.adapted(figure)
        pixels, placed, vector = draw_vega.render(figure, form)
        seat = draw_vega.tick_pixel
    else:
        from evaluation import draw_mpl

        pixels, placed, vector = draw_mpl.render(figure, form)
        seat = draw_mpl.tick_pixel
    panels = tuple(
        drawn_panel(plan, place, figure.style, CHART_TYPES[plan.chart_type], seat)
        for plan, place in zip(figure.panels, placed, strict=True)
    )
    tables = tuple(table_of(plan) for plan in figure.panels)
    return Drawn(seed, sample, CHART_TYPES[chart_type], chart_type, engine, "", pixels, panels, tables, vector)


def write_set(
    folder: Path,
    seed: int,
    count: int,
    *,
    kinds: Sequence[str] = (),
    engines: Sequence[str] = (),
    degrade: Sequence[str] = (),
) -> None:
    """Write figures 0 to count - 1 as `images/`, `truth/`, `truth_json/` and `index.jsonl`, as the bench reads them.

    `kinds`, `engines`, `degrade` are taken in turn, figure by figure (empty: the sample chooses; no degradation).
    """
    from PIL import Image

    for name in ("images", "truth", "truth_json"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    entries = []
    for k in range(count):
        one = draw(
            seed, k, kind=kinds[k % len(kinds)] if kinds else None,
            engine=engines[k % len(engines)] if engines else None,
            degrade=degrade[k % len(degrade)] if degrade else None,
        )  # fmt: skip
        name = f"{one.chart_type}-{k:05d}"
        Image.fromarray(one.pixels).save(folder / "images" / f"{name}.png")
        tables = (
            [f"{name}.tsv"] if len(one.tables) == 1 else [f"{name}_panel{p + 1}.tsv" for p in range(len(one.tables))]
        )
        for path, text in zip(tables, one.tables, strict=True):
            (folder / "truth" / path).write_text(text, encoding="utf-8")
        known = {**record(one), "id": name}
        (folder / "truth_json" / f"{name}.json").write_text(json.dumps(known, ensure_ascii=False), encoding="utf-8")
        entries.append(_entry(name, one, tables))
    lines = "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)
    (folder / "index.jsonl").write_text(lines, encoding="utf-8")


def _entry(name: str, one: Drawn, tables: Sequence[str]) -> dict[str, Any]:
    """A line of the index."""
    kinds = []
    for position in (0, 1):
        scales = ["categorical" if p.axes[position].scale == "category" else p.axes[position].scale for p in one.panels]
        kinds.append(scales[0] if len(set(scales)) == 1
                     else ", ".join(f"{scale} (panel {k})" for k, scale in enumerate(scales, 1)))  # fmt: skip
    return {
        "id": name, "image": f"images/{name}.png", "truth": [f"truth/{table}" for table in tables], "kind": one.kind,
        "chart_type": one.chart_type, "renderer": one.engine, "degraded": one.degraded, "n_panels": len(tables),
        "n_series": sum(len(p.series) for p in one.panels), "axis_kinds": {"x": kinds[0], "y": kinds[1]},
    }  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Write a set from the command line."""
    parser = argparse.ArgumentParser(prog="python -m evaluation.draw", description="Draw figures with exact truth.")
    parser.add_argument("out", type=Path, help="folder for images/, truth/, truth_json/ and index.jsonl")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    for name in ("kinds", "engines", "degrade"):
        parser.add_argument(f"--{name}", default="", help="comma-separated, taken in turn")
    found = parser.parse_args(arguments)
    lists = {name: tuple(filter(None, getattr(found, name).split(","))) for name in ("kinds", "engines", "degrade")}
    try:
        write_set(found.out, found.seed, found.count, **lists)
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
