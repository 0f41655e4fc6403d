"""Which charts there are, and the plan of a whole figure: one panel, or a grid of them.

Not handled here: the data of one chart (`draw_curves`, `draw_bars`, `draw_clouds`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from evaluation import draw_bars as bars
from evaluation import draw_clouds as clouds
from evaluation import draw_curves as curves
from evaluation.draw_plan import FigurePlan, LegendPlan, PanelPlan, Style
from evaluation.draw_style import choose_style
from evaluation.draw_words import pick

CHART_TYPES = {
    "line_plain": "line", "line_markers": "line", "line_dashed": "line", "line_date": "line", "line_dense": "line",
    "line_log": "line", "line_reversed": "line", "line_twin": "line", "error_lines": "line", "band": "line",
    "step": "line", "survival": "survival", "area_plain": "area", "area_stacked": "area",
    "epicurve_bars": "epicurve", "epicurve_stacked": "epicurve", "epicurve_line": "epicurve",
    "epicurve_twin": "epicurve",
    "epicurve_cumulative": "epicurve", "epicurve_dense": "epicurve",
    "bar_plain": "bar", "bar_grouped": "bar", "bar_stacked": "bar", "bar_percent": "bar", "bar_horizontal": "bar",
    "bar_negative": "bar", "bar_hatched": "bar", "bar_outlined": "bar", "bar_printed": "bar", "bar_error": "bar",
    "dots": "bar", "lollipop": "bar",
    "histogram_plain": "histogram", "histogram_overlaid": "histogram", "histogram_stepped": "histogram",
    "scatter_groups": "scatter", "scatter_shapes": "scatter", "scatter_log": "scatter",
    "box_plain": "box", "box_grouped": "box", "box_horizontal": "box", "compound_mixed": "compound",
    "compound_facets": "compound",
}  # fmt: skip
BENCH_KINDS = tuple(dict.fromkeys(CHART_TYPES.values()))
ENGINES = ("matplotlib", "vega")
FUNCTIONS: dict[str, Callable[[np.random.Generator, Style], PanelPlan]] = {
    name: getattr(home, name)
    for home in (curves, bars, clouds)
    for name in CHART_TYPES
    if getattr(home, name, None) is not None and getattr(getattr(home, name), "__module__", "") == home.__name__
}
SMALL = tuple(name for name in FUNCTIONS if name not in ("line_dense", "epicurve_dense", "line_twin", "epicurve_twin"))


def generator(seed: int, sample: int, part: int) -> np.random.Generator:
    """The generator of one part of the work on a sample: 0 kind, 1 style, 2 data, 3 engine, 4 degradation."""
    return np.random.default_rng(np.random.SeedSequence([seed, sample, part]))


def plan_figure(seed: int, sample: int, kind: str | None) -> tuple[str, FigurePlan]:
    """The chart type and the plan of a figure. Raises ValueError for an unknown kind."""
    chart_type = choose_type(generator(seed, sample, 0), kind)
    style_rng, data_rng = generator(seed, sample, 1), generator(seed, sample, 2)
    if CHART_TYPES[chart_type] == "compound":
        return chart_type, _grid(style_rng, data_rng, chart_type == "compound_facets")
    style = choose_style(style_rng)
    plan = replace(FUNCTIONS[chart_type](data_rng, style), chart_type=chart_type)
    return chart_type, FigurePlan((plan,), 1, 1, style)


def choose_type(rng: np.random.Generator, kind: str | None) -> str:
    """A chart type: the one named, one of a kind of the bench, or any (each kind of the bench alike)."""
    if kind in BENCH_KINDS or kind is None:
        kind = kind or pick(rng, BENCH_KINDS)
        return pick(rng, tuple(name for name, bench in CHART_TYPES.items() if bench == kind))
    if kind not in CHART_TYPES:
        raise ValueError(f"no kind {kind!r}: choose one of {', '.join((*BENCH_KINDS, *CHART_TYPES))}")
    return kind


def _grid(style_rng: np.random.Generator, data_rng: np.random.Generator, facets: bool) -> FigurePlan:
    """Two to nine panels of mixed kinds, or facets of one kind that share their axes."""
    rows, columns = pick(style_rng, ((1, 2), (2, 1), (1, 3), (2, 2), (2, 2), (2, 3), (3, 2), (3, 3)))
    style = choose_style(style_rng, (rows, columns))
    small = replace(style, size=(style.size[0] // columns, style.size[1] // rows))
    if facets:
        panels = _facets(data_rng, small, rows, columns)
    else:
        names = [pick(data_rng, SMALL) for _ in range(rows * columns)]
        panels = [replace(FUNCTIONS[name](data_rng, small), chart_type=name) for name in names]
    return FigurePlan(tuple(_lettered(panels, style_rng)), rows, columns, style)


def _lettered(panels: list[PanelPlan], rng: np.random.Generator) -> list[PanelPlan]:
    """Panels with titles of their own: letters, names, or none."""
    manner = pick(rng, ("(a)", "A", "name", ""))
    if manner == "name":
        return panels
    letters = "abcdefghi" if manner == "(a)" else "ABCDEFGHI"
    return [
        replace(panel, title="" if not manner else f"({letters[k]})" if manner == "(a)" else letters[k])
        for k, panel in enumerate(panels)
    ]


def _facets(rng: np.random.Generator, style: Style, rows: int, columns: int) -> list[PanelPlan]:
    """Panels of one kind on the same axes; the inner ones borrow their words from the outer ones, and the names of
    their series from one legend: inside the first panel, or to the right of the first row."""
    name = pick(rng, ("line_plain", "line_markers", "epicurve_bars", "scatter_groups"))
    first = FUNCTIONS[name](rng, style)
    inside = " " in first.legend.place  # "upper left"; what stands above or below would move one panel alone
    legend = first.legend if inside or not first.legend.place else LegendPlan("right", first.legend.framed)
    named = 0 if inside else columns - 1
    panels = []
    for k in range(rows * columns):
        series = first.series if k == 0 else tuple(replace(one, y=_reordered(rng, one.y)) for one in first.series)
        plan = replace(first, chart_type=name, series=series, title=f"Site {k + 1}")
        panels.append(replace(plan, hide_x=k // columns < rows - 1, hide_y=k % columns > 0,
                              legend=legend if k == named else LegendPlan()))  # fmt: skip
    return panels


def _reordered(rng: np.random.Generator, y: np.ndarray) -> np.ndarray:
    """Other values within the same range: the same curve turned round, shrunk and moved."""
    share = float(rng.uniform(0.5, 1.0))
    low = float(y.min())
    scaled = low + share * (y[:: -1 if rng.random() < 0.5 else 1] - low)
    return np.round(scaled) if (y == np.round(y)).all() else np.round(scaled, 6)
