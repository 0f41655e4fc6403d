"""Charts made of points and boxes: scatter plots, dot and lollipop plots, box plots.

Not handled here: curves (`draw_curves`), bars (`draw_bars`).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from evaluation.draw_frame import FILLED, MARKERS, magnitude, number_span, panel, rounded, value_axis
from evaluation.draw_plan import BoxStats, Floats, Look, PanelPlan, SeriesPlan, Style
from evaluation.draw_ticks import Heading, category_axis, log_axis
from evaluation.draw_words import ACROSS, CATEGORIES, pick, some_names

Rng = np.random.Generator


def scatter_groups(rng: Rng, style: Style) -> PanelPlan:
    """One to three groups of points in different colours, of one shape or of several."""
    count = int(rng.integers(1, 4))
    shapes = bool(rng.random() < 0.5)
    size, filled = float(rng.uniform(3.2, 8)), bool(rng.random() < 0.75)
    alpha = 1.0 if rng.random() < 0.7 else float(rng.uniform(0.5, 0.8))
    styles = [
        Look(
            style.palette[k], marker=FILLED[k] if shapes else "o", marker_pt=size, filled=filled, alpha=alpha,
            edge=style.ink if filled and alpha == 1.0 and rng.random() < 0.25 else None, line_pt=1.0,
        )
        for k in range(count)
    ]  # fmt: skip
    return _scattered(rng, style, styles, "scatter")


def scatter_shapes(rng: Rng, style: Style) -> PanelPlan:
    """Two to four groups in black and white, told apart by shape and fill."""
    count = int(rng.integers(2, 5))
    size = float(rng.uniform(5, 8))
    order = rng.permutation(len(MARKERS))
    styles = [
        Look(style.ink, marker=MARKERS[k], marker_pt=size, filled=bool(rng.random() < 0.5), line_pt=1.0)
        for k in order[:count]
    ]
    return _scattered(rng, style, styles, "scatter_shapes")


def scatter_log(rng: Rng, style: Style) -> PanelPlan:
    """Points over several decades of x and y."""
    x = 10 ** rng.uniform(-1, 3, int(rng.integers(15, 70)))
    y = 10 ** (0.7 * np.log10(x) + rng.normal(0, 0.35, len(x)) + rng.uniform(-2, 3))
    x, y = (np.array([float(f"{v:.4g}") for v in values]) for values in (x, y))
    look = Look(style.palette[0], marker=pick(rng, FILLED), marker_pt=float(rng.uniform(3.5, 7)), line_pt=1.0)
    one = SeriesPlan("", "scatter", x, y, look)
    x_axis = log_axis(float(x.min()) / 1.6, float(x.max()) * 1.6, style.numbers, Heading(*pick(rng, ACROSS)))
    y_axis = value_axis(rng, style, [one], log=True)
    return panel(rng, style, PanelPlan("scatter_log", (one,), x_axis, y_axis))


def _scattered(rng: Rng, style: Style, styles: list[Look], chart_type: str) -> PanelPlan:
    tall, wide = magnitude(rng, style), float(rng.choice([1, 10, 50, 200]))
    series = []
    for name, look in zip(some_names(rng, len(styles)), styles, strict=True):
        amount = int(rng.integers(8, 60 if len(styles) > 1 else 120))
        centre = rng.uniform(0.3, 0.7, 2)
        t = rng.normal(0, 0.12, amount)
        x = rounded(wide * (centre[0] + t))
        y = rounded(tall * (centre[1] + rng.uniform(-1, 1) * t + rng.normal(0, 0.07, amount)))
        series.append(SeriesPlan(name if len(styles) > 1 else "", "scatter", x, y, look))
    every = np.concatenate([one.x for one in series])
    room = 0.06 * float(np.ptp(every))
    x_axis = number_span(rng, float(every.min()) - room, float(every.max()) + room, Heading(*pick(rng, ACROSS)))
    return panel(rng, style, PanelPlan(chart_type, tuple(series), x_axis, value_axis(rng, style, series)))


def dots(rng: Rng, style: Style) -> PanelPlan:
    """One or two values per category as dots, from the top down or from left to right."""
    return _dotted(rng, style, int(rng.integers(1, 3)), False)


def lollipop(rng: Rng, style: Style) -> PanelPlan:
    """A dot on a stem per category."""
    return _dotted(rng, style, 1, True)


def _dotted(rng: Rng, style: Style, count: int, stem: bool) -> PanelPlan:
    length = int(rng.integers(4, 11))
    names = some_names(rng, length, CATEGORIES)
    size = magnitude(rng, style)
    series = tuple(
        SeriesPlan(
            name if count > 1 else "", "dot", np.arange(length, dtype=np.float64),
            rounded(size * rng.uniform(0.15, 1.0, length)),
            Look(style.palette[k], marker="o", marker_pt=float(rng.uniform(5, 8)), line_pt=1.4), stem=stem,
        )
        for k, name in enumerate(some_names(rng, count))
    )  # fmt: skip
    plan = PanelPlan(
        "lollipop" if stem else "dots", series, category_axis(names, room=0.6),
        value_axis(rng, style, series, zero=stem), horizontal=bool(rng.random() < 0.6),
    )  # fmt: skip
    return panel(rng, style, upright(plan, style))


def upright(plan: PanelPlan, style: Style) -> PanelPlan:
    """The plan with category labels that fit: turned where the words are longer than their place, and the first
    category of horizontal charts at the top."""
    if plan.horizontal:
        return replace(plan, x=replace(plan.x, reversed=True))
    place = 0.78 * style.size[0] / len(plan.x.texts)
    words = max(map(len, plan.x.texts)) * 0.62 * style.points["ticks"] * style.px
    return replace(plan, x=replace(plan.x, turned=0.0 if words < place else 45.0 if words < 3 * place else 90.0))


def box_plain(rng: Rng, style: Style) -> PanelPlan:
    """A box per category."""
    return _boxes(rng, style, 1, False)


def box_grouped(rng: Rng, style: Style) -> PanelPlan:
    """Two or three boxes per category."""
    return _boxes(rng, style, int(rng.integers(2, 4)), False)


def box_horizontal(rng: Rng, style: Style) -> PanelPlan:
    """Lying boxes."""
    return _boxes(rng, style, 1, True)


def _boxes(rng: Rng, style: Style, count: int, horizontal: bool) -> PanelPlan:
    length = int(rng.integers(2, 8 if count == 1 else 5))
    names = some_names(rng, length, CATEGORIES)
    size, filled = magnitude(rng, style), bool(count > 1 or rng.random() < 0.7)
    width = float(rng.uniform(0.5, 0.8)) / count
    series = []
    for k, name in enumerate(some_names(rng, count)):
        stats = tuple(
            box_stats(rounded(size * (0.5 + rng.normal(0, 0.15) + 0.12 * rng.standard_t(5, int(rng.integers(25, 90))))))
            for _ in names
        )
        look = Look(
            style.palette[k], edge=style.ink, filled=filled, line_pt=float(rng.uniform(0.8, 1.4)),
            marker=pick(rng, ("o", "+", "D")), marker_pt=float(rng.uniform(3, 5)),
        )  # fmt: skip
        x = np.arange(length, dtype=np.float64)
        medians = np.array([one.median for one in stats])
        offset = (k - (count - 1) / 2) * width * 1.1
        series.append(
            SeriesPlan(name if count > 1 else "", "box", x, medians, look, boxes=stats, width=width, offset=offset)
        )
    plan = PanelPlan(
        "box_horizontal" if horizontal else "box", tuple(series), category_axis(names),
        value_axis(rng, style, series), horizontal=horizontal,
    )  # fmt: skip
    return panel(rng, style, upright(plan, style))


def box_stats(values: Floats) -> BoxStats:
    """Tukey's box: quartiles, whiskers to the last value within 1.5 times the box, the rest apart."""
    q1, median, q3 = (float(v) for v in np.percentile(values, [25, 50, 75]))
    reach = 1.5 * (q3 - q1)
    inside = values[(values >= q1 - reach) & (values <= q3 + reach)]
    outside = np.sort(values[(values < q1 - reach) | (values > q3 + reach)])
    return BoxStats(float(inside.min()), q1, median, q3, float(inside.max()), tuple(float(v) for v in outside))
