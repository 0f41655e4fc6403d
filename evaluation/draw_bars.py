"""Charts made of bars: epidemic curves, bars of categories, histograms.

Not handled here: curves (`draw_curves`), clouds and boxes (`draw_clouds`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from evaluation.draw_clouds import upright
from evaluation.draw_curves import days_from, error_ends, time_axis
from evaluation.draw_frame import epidemic, looks, magnitude, number_span, panel, rounded, value_axis
from evaluation.draw_plan import AxisPlan, Floats, Look, PanelPlan, SeriesPlan, Style
from evaluation.draw_ticks import Heading, category_axis
from evaluation.draw_words import ACROSS, CATEGORIES, COUNTS, MEASURES, pick, some_names

Rng = np.random.Generator
HATCHES = ("//", "\\\\", "xx", "..", "--", "||", "++", "oo")
STEP_DAYS = {"day": 1.0, "week": 7.0, "month": 28.0}
NARROWEST = 1.25  # px of a daily bar


def epicurve_bars(rng: Rng, style: Style) -> PanelPlan:
    """Cases by day, week or month as bars."""
    step = pick(rng, ("day", "day", "week", "month"))
    length = int(rng.integers(25, 160)) if step != "month" else int(rng.integers(12, 48))
    return _epidemic_bars(rng, style, step, length, 1)


def epicurve_dense(rng: Rng, style: Style) -> PanelPlan:
    """Seven hundred to 1,100 daily bars, or as many as are a good pixel wide: a narrower one shows nowhere."""
    room = int(0.7 * style.size[0] / NARROWEST)
    return _epidemic_bars(rng, style, "day", min(int(rng.integers(700, 1100)), room), 1)


def epicurve_stacked(rng: Rng, style: Style) -> PanelPlan:
    """Cases by group, stacked."""
    step = pick(rng, ("day", "week", "month"))
    return _epidemic_bars(rng, style, step, int(rng.integers(15, 60)), int(rng.integers(2, 6)))


def _epidemic_bars(rng: Rng, style: Style, step: str, length: int, count: int) -> PanelPlan:
    x = days_from(rng, length, step)
    peak = float(10 ** rng.uniform(1.0, 3.6)) / count
    width = STEP_DAYS[step] * float(rng.choice([1.0, 0.9, 0.8])) * (1.0 if length < 300 else 1 / 0.9)
    edge = style.ink if length < 80 and rng.random() < 0.3 else None
    base, series = np.zeros(length), []
    for name, look in zip(some_names(rng, count), looks(rng, style, count, 0.0, 0.0), strict=True):
        y = epidemic(rng, length, peak)
        look = replace(look, edge=edge, line_pt=0.6 if edge else 0.0)
        width = min(width, STEP_DAYS[step])
        series.append(
            SeriesPlan(name if count > 1 else "", "bar", x, y, look, base=base, width=width, stacked=count > 1)
        )
        base = base + y
    plan = PanelPlan(
        "epicurve_stacked" if count > 1 else "epicurve", tuple(series), time_axis(rng, style, x, STEP_DAYS[step]),
        count_axis(rng, style, series),
    )  # fmt: skip
    return panel(rng, style, plan)


def count_axis(rng: Rng, style: Style, series: Sequence[SeriesPlan]) -> AxisPlan:
    """A value axis of counts, from 0, in plain or separated numbers."""
    plain = style if style.numbers in ("comma", "space", "decimal comma") else replace(style, numbers="plain")
    return value_axis(rng, plain, series, zero=True, measure=(pick(rng, COUNTS), ""))


def epicurve_line(rng: Rng, style: Style) -> PanelPlan:
    """Daily bars under their seven-day mean."""
    return _with_line(rng, style, False)


def epicurve_twin(rng: Rng, style: Style) -> PanelPlan:
    """Daily bars, and the sum so far on a second axis."""
    return _with_line(rng, style, True)


def _with_line(rng: Rng, style: Style, twin: bool) -> PanelPlan:
    length = int(rng.integers(40, 200))
    plan = _epidemic_bars(rng, style, "day", length, 1)
    bars = replace(plan.series[0], name="Daily cases")
    bars = replace(bars, look=replace(bars.look, edge=None, line_pt=0.0))
    kernel = np.ones(7) / 7
    y = np.cumsum(bars.y) if twin else np.round(np.convolve(np.pad(bars.y, 3, mode="edge"), kernel, "valid"), 1)
    look = Look(style.palette[1], line_pt=float(rng.uniform(1.2, 2.2)))
    line = SeriesPlan("Cumulative cases" if twin else "7-day mean", "line", bars.x, y, look, twin=twin)
    kind = "epicurve_twin" if twin else "epicurve_line"
    y2 = count_axis(rng, style, [line]) if twin else None
    return panel(rng, style, replace(plan, chart_type=kind, series=(bars, line), y2=y2))


def epicurve_cumulative(rng: Rng, style: Style) -> PanelPlan:
    """Sums so far of one to three places, as lines."""
    count, length = int(rng.integers(1, 4)), int(rng.integers(25, 120))
    x = days_from(rng, length, pick(rng, ("day", "week")))
    series = tuple(
        SeriesPlan(name if count > 1 else "", "line", x, np.cumsum(epidemic(rng, length, 200.0)), look)
        for name, look in zip(some_names(rng, count), looks(rng, style, count, 0.1), strict=True)
    )
    plan = PanelPlan(
        "epicurve_cumulative", series, time_axis(rng, style, x, float(np.ptp(x)) * 0.03),
        count_axis(rng, style, series),
    )  # fmt: skip
    return panel(rng, style, plan)


def bar_plain(rng: Rng, style: Style) -> PanelPlan:
    """A bar per category."""
    return bars_of(rng, style, 1, "bar")


def bar_grouped(rng: Rng, style: Style) -> PanelPlan:
    """Two to four bars per category, side by side."""
    return bars_of(rng, style, int(rng.integers(2, 5)), "bar_grouped")


def bar_horizontal(rng: Rng, style: Style) -> PanelPlan:
    """Lying bars, one or two per category."""
    return bars_of(rng, style, int(rng.integers(1, 3)), "bar_horizontal", horizontal=True)


def bar_negative(rng: Rng, style: Style) -> PanelPlan:
    """Bars above and below 0."""
    return bars_of(rng, style, int(rng.integers(1, 3)), "bar_negative", low=-0.8)


def bar_error(rng: Rng, style: Style) -> PanelPlan:
    """Bars with error bars."""
    plan = bars_of(rng, style, int(rng.integers(1, 4)), "bar_error", fresh=False)
    cap = float(rng.choice([0, 2.5, 4]))
    series = []
    for one in plan.series:
        low, high = error_ends(rng, one.y)
        series.append(replace(one, low=low, high=high, look=replace(one.look, cap_pt=cap)))
    plan = replace(plan, series=tuple(series), y=value_axis(rng, style, series, zero=True))
    return panel(rng, style, plan)


def bar_printed(rng: Rng, style: Style) -> PanelPlan:
    """Bars with their values printed at their ends."""
    plan = bars_of(rng, style, 1, "bar_printed", horizontal=bool(rng.random() < 0.3), fresh=False)
    series = tuple(replace(one, printed=True, y=rounded(one.y, 3)) for one in plan.series)
    y = value_axis(rng, style, series, zero=True, head=0.08)
    return panel(rng, style, replace(plan, series=series, y=y))


def bar_hatched(rng: Rng, style: Style) -> PanelPlan:
    """Bars in black and white: hatched, empty, grey or black."""
    plan = bars_of(rng, style, int(rng.integers(2, 4)), "bar_hatched")
    order = rng.permutation(len(HATCHES))
    fills = [(style.plot, HATCHES[order[0]]), (style.plot, ""), ((128, 128, 128), ""), (style.plot, HATCHES[order[1]])]
    series = tuple(
        replace(one, look=replace(one.look, colour=fills[k][0], hatch=fills[k][1], edge=style.ink, line_pt=1.0))
        for k, one in enumerate(plan.series)
    )
    return replace(plan, series=series)


def bar_outlined(rng: Rng, style: Style) -> PanelPlan:
    """Empty bars in coloured outlines."""
    plan = bars_of(rng, style, int(rng.integers(1, 4)), "bar_outlined")
    series = tuple(
        replace(one, look=replace(one.look, colour=style.plot, edge=one.look.colour, line_pt=1.4))
        for one in plan.series
    )
    return replace(plan, series=series)


def bars_of(
    rng: Rng,
    style: Style,
    count: int,
    chart_type: str,
    *,
    horizontal: bool = False,
    low: float = 0.05,
    fresh: bool = True,
) -> PanelPlan:
    """Bars of `count` series side by side; `fresh`: with legend and title."""
    length = int(rng.integers(3, 13 if count == 1 else 7))
    names = some_names(rng, length, CATEGORIES)
    size = magnitude(rng, style)
    gap = 1.0 if rng.random() < 0.25 else float(rng.uniform(0.8, 0.95))
    width = (0.98 if rng.random() < 0.1 else float(rng.uniform(0.55, 0.85))) / count
    edge = style.ink if rng.random() < 0.25 else None
    series = []
    for k, (name, look) in enumerate(zip(some_names(rng, count), looks(rng, style, count, 0.0, 0.0), strict=True)):
        y = rounded(size * rng.uniform(low, 1.0, length), 3)
        look = replace(look, edge=edge, line_pt=0.8 if edge else 0.0)
        offset = (k - (count - 1) / 2) * width
        series.append(
            SeriesPlan(
                name if count > 1 else "", "bar", np.arange(length, dtype=np.float64), y, look, width=width * gap,
                offset=offset,
            )
        )  # fmt: skip
    y_axis = value_axis(rng, style, series, zero=True)
    plan = upright(PanelPlan(chart_type, tuple(series), category_axis(names), y_axis, horizontal=horizontal), style)
    return panel(rng, style, plan) if fresh else plan


def bar_stacked(rng: Rng, style: Style) -> PanelPlan:
    """Two to five parts on top of each other, standing or lying."""
    return _stack(rng, style, False)


def bar_percent(rng: Rng, style: Style) -> PanelPlan:
    """Stacks of 100 %."""
    return _stack(rng, style, True)


def _stack(rng: Rng, style: Style, whole: bool) -> PanelPlan:
    count, length = int(rng.integers(2, 6)), int(rng.integers(3, 9))
    parts = rng.uniform(0.2, 1.0, (count, length))
    if whole:
        parts = np.round(100 * parts / parts.sum(axis=0), 1)
        parts[-1] = np.round(100 - parts[:-1].sum(axis=0), 1)
    else:
        parts = rounded(magnitude(rng, style) / count * parts, 3)
    base, series = np.zeros(length), []
    edge = pick(rng, (None, None, style.plot, style.ink))
    width = float(rng.uniform(0.55, 0.9))
    for name, y, look in zip(some_names(rng, count), parts, looks(rng, style, count, 0.0, 0.0), strict=True):
        look = replace(look, edge=edge, line_pt=0.8 if edge else 0.0)
        x = np.arange(length, dtype=np.float64)
        series.append(SeriesPlan(name, "bar", x, y, look, base=base, width=width, stacked=True))
        base = np.round(base + y, 10)
    measure = ("Share", "" if style.numbers == "percent" else "%") if whole else pick(rng, MEASURES)
    shown = replace(style, numbers="percent" if style.numbers == "percent" else "plain") if whole else style
    y_axis = value_axis(rng, shown, series, zero=True, measure=measure)
    if whole:
        kept = [k for k, tick in enumerate(y_axis.ticks) if tick <= 100]
        texts = tuple(y_axis.texts[k] for k in kept)
        y_axis = replace(y_axis, high=100.0, ticks=tuple(y_axis.ticks[k] for k in kept), texts=texts, minor=())
    plan = PanelPlan(
        "bar_percent" if whole else "bar_stacked", tuple(series), category_axis(some_names(rng, length, CATEGORIES)),
        y_axis, horizontal=bool(rng.random() < 0.3),
    )  # fmt: skip
    return panel(rng, style, upright(plan, style))


def histogram_plain(rng: Rng, style: Style) -> PanelPlan:
    """Touching bars over bins."""
    return _histogram(rng, style, 1, False)


def histogram_overlaid(rng: Rng, style: Style) -> PanelPlan:
    """Two translucent histograms over the same bins."""
    return _histogram(rng, style, 2, False)


def histogram_stepped(rng: Rng, style: Style) -> PanelPlan:
    """One or two histograms drawn as outlines."""
    return _histogram(rng, style, int(rng.integers(1, 3)), True)


def _histogram(rng: Rng, style: Style, count: int, stepped: bool) -> PanelPlan:
    bins = int(rng.integers(8, 32))
    width = float(rng.choice([0.25, 0.5, 1, 2, 2.5, 5, 10]))
    edges = np.round(float(rng.integers(-2, 6)) * width + width * np.arange(bins + 1), 6)
    edge = style.ink if rng.random() < 0.5 else style.plot if rng.random() < 0.6 else None
    series = []
    for name, look in zip(some_names(rng, count), looks(rng, style, count, 0.0, 0.0), strict=True):
        y = _counts(rng, edges)
        if stepped:
            look = replace(look, edge=look.colour, filled=False, line_pt=1.5)
        else:
            filled = look.filled or edge is None  # neither fill nor edge would show nothing
            look = replace(
                look, edge=edge, filled=filled, alpha=1.0 if count == 1 else 0.5, line_pt=0.7 if edge else 0.0
            )
        centres = (edges[:-1] + edges[1:]) / 2
        series.append(SeriesPlan(name if count > 1 else "", "hist", centres, y, look, edges=edges, width=width))
    x_axis = number_span(rng, float(edges[0]) - width / 2, float(edges[-1]) + width / 2, Heading(*pick(rng, ACROSS)))
    plain = replace(style, numbers="plain")
    y_axis = value_axis(rng, plain, series, zero=True, measure=(pick(rng, ("Frequency", "Count", "Patients")), ""))
    name = "histogram_stepped" if stepped else "histogram" if count == 1 else "histogram_overlaid"
    return panel(rng, style, PanelPlan(name, tuple(series), x_axis, y_axis))


def _counts(rng: Rng, edges: Floats) -> Floats:
    span = float(edges[-1] - edges[0])
    values = edges[0] + span * rng.beta(
        float(rng.uniform(1.5, 4)), float(rng.uniform(1.5, 6)), int(rng.integers(80, 900))
    )
    return np.histogram(values, edges)[0].astype(np.float64)
