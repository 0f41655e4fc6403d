"""Charts made of curves: lines, steps, survival curves, areas, bands, error bars on lines.

Each function takes a generator and a style and returns a panel with exact data. Not handled here: bars
(`draw_bars`), clouds and boxes (`draw_clouds`).
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np

from evaluation.draw_frame import (
    DASHES,
    FILLED,
    looks,
    magnitude,
    number_span,
    panel,
    rounded,
    value_axis,
    wave,
)
from evaluation.draw_plan import AxisPlan, Floats, Look, PanelPlan, SeriesPlan, Style
from evaluation.draw_ticks import DATE_FORMS, EPOCH, Heading, date_axis
from evaluation.draw_words import ACROSS, MEASURES, WHEN, pick, some_names

Rng = np.random.Generator


def days_from(rng: Rng, count: int, step: str) -> Floats:
    """`count` days, Mondays or first days of months, as days since 1970."""
    first = date(int(rng.integers(2003, 2024)), int(rng.integers(1, 13)), 1)
    start = (first - EPOCH).days
    if step == "day":
        return start + np.arange(count, dtype=np.float64)
    if step == "week":
        return start - (start + 3) % 7 + 7 * np.arange(count, dtype=np.float64)
    months = first.year * 12 + first.month - 1 + np.arange(count)
    return np.array([(date(int(m) // 12, int(m) % 12 + 1, 1) - EPOCH).days for m in months], dtype=np.float64)


def time_axis(rng: Rng, style: Style, x: Floats, room: float) -> AxisPlan:
    """A date axis around the data; `room` in days on either side."""
    count = int(rng.integers(4, 8)) if style.size[0] / style.px > 320 else 4
    form = pick(rng, DATE_FORMS)
    return date_axis(float(x.min()) - room, float(x.max()) + room, count, form, style.language, pick(rng, WHEN))


def across(rng: Rng, count: int, style: Style, dated: float = 0.25) -> tuple[Floats, AxisPlan]:
    """x of `count` points and its axis: numbers from a round step, years, or days on a date axis."""
    chance = rng.random()
    if chance < dated:
        x = days_from(rng, count, pick(rng, ("day", "week", "month")))
        return x, time_axis(rng, style, x, float(np.ptp(x)) * float(rng.choice([0.0, 0.02, 0.045])))
    if chance < dated + 0.15 and count <= 120:
        x = int(rng.integers(1900, 2021 - min(count, 100))) + np.arange(count, dtype=np.float64)
        return x, number_span(rng, float(x[0]), float(x[-1]), Heading(pick(rng, ("Year", "", "Jahr"))))
    step = float(rng.choice([0.1, 0.25, 0.5, 1, 2, 5, 10]))
    x = np.round(float(rng.integers(0, 3)) * step * 5 + step * np.arange(count), 6)
    return x, number_span(rng, float(x[0]), float(x[-1]), Heading(*pick(rng, ACROSS)))


def curves(rng: Rng, style: Style, count: int, length: int, rough: float = 0.12) -> list[Floats]:
    """`count` curves that cross each other, in one magnitude."""
    size, low = magnitude(rng, style), float(rng.choice([0.0, 0.0, -0.5, 0.4]))
    spread = float(rng.uniform(0.2, 0.8))
    out = []
    for k in range(count):
        shape = wave(rng, length, rough)
        out.append(rounded(size * (low + (1 - spread) * shape + spread * (k + rng.random()) / count)))
    return out


def line_plain(rng: Rng, style: Style) -> PanelPlan:
    """One to five plain lines."""
    return lines_of(rng, style, int(rng.integers(1, 6)), int(rng.integers(12, 80)), marked=0.0)


def line_markers(rng: Rng, style: Style) -> PanelPlan:
    """One to four lines with a marker at every point."""
    return lines_of(rng, style, int(rng.integers(1, 5)), int(rng.integers(5, 26)), marked=1.0)


def line_date(rng: Rng, style: Style) -> PanelPlan:
    """Lines over days, weeks or months."""
    return lines_of(rng, style, int(rng.integers(1, 4)), int(rng.integers(30, 200)), dated=1.0)


def line_dense(rng: Rng, style: Style) -> PanelPlan:
    """Up to eight lines of 500 points that cross often."""
    return lines_of(rng, style, int(rng.integers(3, 9)), 500, rough=0.02)


def lines_of(
    rng: Rng,
    style: Style,
    count: int,
    length: int,
    marked: float = 0.0,
    dated: float = 0.25,
    rough: float = 0.12,
) -> PanelPlan:
    x, x_axis = across(rng, length, style, dated)
    names = some_names(rng, count)
    series = tuple(
        SeriesPlan(name if count > 1 else "", "line", x, y, look)
        for name, y, look in zip(
            names, curves(rng, style, count, length, rough), looks(rng, style, count, marked), strict=True
        )
    )
    return panel(rng, style, PanelPlan("line", series, x_axis, value_axis(rng, style, series)), direct=True)


def line_dashed(rng: Rng, style: Style) -> PanelPlan:
    """Two to four lines of one colour, told apart by their dashes."""
    plan = lines_of(rng, style, int(rng.integers(2, 5)), int(rng.integers(20, 60)), rough=0.04)
    colour = style.ink if rng.random() < 0.7 else style.palette[0]
    width = float(rng.uniform(1.0, 1.8))
    series = tuple(replace(one, look=Look(colour, line_pt=width, dash=DASHES[k])) for k, one in enumerate(plan.series))
    return replace(plan, series=series)


def line_log(rng: Rng, style: Style) -> PanelPlan:
    """Lines over several decades."""
    count, length = int(rng.integers(1, 4)), int(rng.integers(10, 60))
    x, x_axis = across(rng, length, style, 0.15)
    span = float(rng.uniform(1.5, 5))
    series = []
    for name, look in zip(some_names(rng, count), looks(rng, style, count, 0.3), strict=True):
        y = 10 ** (span * wave(rng, length, 0.04) + float(rng.uniform(-2, 1)))
        series.append(SeriesPlan(name if count > 1 else "", "line", x, np.array([float(f"{v:.4g}") for v in y]), look))
    return panel(rng, style, PanelPlan("line_log", tuple(series), x_axis, value_axis(rng, style, series, log=True)))


def line_reversed(rng: Rng, style: Style) -> PanelPlan:
    """Lines over an axis that runs the other way."""
    plan = lines_of(rng, style, int(rng.integers(1, 4)), int(rng.integers(12, 60)), dated=0.0)
    plan = replace(plan, x=replace(plan.x, reversed=True))
    return panel(rng, style, plan)


def line_twin(rng: Rng, style: Style) -> PanelPlan:
    """Two lines, each on its own value axis, the right one of another size."""
    length = int(rng.integers(15, 80))
    x, x_axis = across(rng, length, style, 0.4)
    names, styles = some_names(rng, 2), looks(rng, style, 2, 0.2, 0.4)
    left = SeriesPlan(names[0], "line", x, curves(rng, style, 1, length)[0], styles[0])
    plain = replace(style, numbers="plain")
    right = SeriesPlan(names[1], "line", x, curves(rng, plain, 1, length)[0], styles[1], twin=True)
    plan = PanelPlan(
        "line_twin", (left, right), x_axis, value_axis(rng, style, [left]), value_axis(rng, plain, [right])
    )  # fmt: skip
    return panel(rng, style, plan)


def error_lines(rng: Rng, style: Style) -> PanelPlan:
    """One to three lines with markers and error bars; both ends, uneven ends, or the upper end only."""
    count, length = int(rng.integers(1, 4)), int(rng.integers(4, 13))
    x, x_axis = across(rng, length, style, 0.0)
    names = some_names(rng, count)
    joined = bool(rng.random() < 0.65)
    series = []
    values = curves(rng, style, count, length)
    for k, (name, y, look) in enumerate(zip(names, values, looks(rng, style, count, 1.0), strict=True)):
        beside = (k - (count - 1) / 2) * 0.12 * float(x[1] - x[0])
        low, high = error_ends(rng, y)
        look = replace(
            look, line_pt=look.line_pt if joined else 0.0, marker=FILLED[k], cap_pt=float(rng.choice([0, 3]))
        )
        series.append(SeriesPlan(name if count > 1 else "", "line", x, y, look, low=low, high=high, offset=beside))
    room = float(x[1] - x[0]) * 0.4
    x_axis = replace(x_axis, low=min(x_axis.low, float(x[0]) - room), high=max(x_axis.high, float(x[-1]) + room))
    return panel(rng, style, PanelPlan("error_lines", tuple(series), x_axis, value_axis(rng, style, series)))


def error_ends(rng: Rng, y: Floats) -> tuple[Floats, Floats]:
    """Lower and upper ends of error bars around y: even, uneven, or nan below (upper end only)."""
    spread = (float(np.ptp(y)) or float(np.abs(y).max()) or 1.0) * rng.uniform(0.04, 0.14, len(y))
    uneven = rng.uniform(0.5, 1.5, len(y)) if rng.random() < 0.35 else np.ones(len(y))
    low, high = rounded(y - spread, 5), rounded(y + spread * uneven, 5)
    return (np.full(len(y), np.nan), high) if rng.random() < 0.15 else (low, high)


def band(rng: Rng, style: Style) -> PanelPlan:
    """One to three lines, each in a translucent band."""
    count, length = int(rng.integers(1, 4)), int(rng.integers(20, 80))
    x, x_axis = across(rng, length, style)
    series = []
    for name, y, look in zip(
        some_names(rng, count), curves(rng, style, count, length, 0.05), looks(rng, style, count), strict=True
    ):
        half = (float(np.ptp(y)) or 1.0) * (0.05 + 0.12 * wave(rng, length, 0.03))
        look = replace(look, alpha=float(rng.uniform(0.18, 0.35)))
        low, high = rounded(y - half, 5), rounded(y + half * float(rng.uniform(0.8, 1.2)), 5)
        series.append(SeriesPlan(name if count > 1 else "", "line", x, y, look, low=low, high=high, banded=True))
    return panel(rng, style, PanelPlan("band", tuple(series), x_axis, value_axis(rng, style, series)))


def step(rng: Rng, style: Style) -> PanelPlan:
    """One to three step functions; a value holds to the right."""
    count, length = int(rng.integers(1, 4)), int(rng.integers(8, 40))
    x, x_axis = across(rng, length, style)
    series = tuple(
        SeriesPlan(name if count > 1 else "", "step", x, y, look)
        for name, y, look in zip(
            some_names(rng, count), curves(rng, style, count, length), looks(rng, style, count), strict=True
        )
    )
    return panel(rng, style, PanelPlan("step", series, x_axis, value_axis(rng, style, series)))


def survival(rng: Rng, style: Style) -> PanelPlan:
    """One to three Kaplan-Meier curves with or without censor ticks, as shares or in percent."""
    count = int(rng.integers(1, 4))
    whole = 100.0 if rng.random() < 0.35 or style.numbers == "percent" else 1.0
    end = float(rng.choice([12, 24, 36, 60, 120]))
    ticked = bool(rng.random() < 0.6)
    series = []
    for name, look in zip(some_names(rng, count), looks(rng, style, count), strict=True):
        x, y, gone = kaplan_meier(rng, end)
        censored = gone if ticked else gone[:0]
        series.append(SeriesPlan(name if count > 1 else "", "step", x, np.round(whole * y, 4), look, censored=censored))
    measure = (
        "Survival" if whole == 1 else "Overall survival",
        "" if whole == 1 or style.numbers == "percent" else "%",
    )
    flat = replace(style, numbers="percent" if style.numbers == "percent" else "plain")
    y_axis = value_axis(rng, flat, series, zero=True, measure=measure)
    top = whole * 1.04
    inside = [k for k, tick in enumerate(y_axis.ticks) if tick <= whole + 1e-9]
    y_axis = replace(
        y_axis, low=0.0, high=top, ticks=tuple(y_axis.ticks[k] for k in inside),
        texts=tuple(y_axis.texts[k] for k in inside), minor=(),
    )  # fmt: skip
    heading = Heading(pick(rng, ("Months", "Months since randomisation", "Time", "Monate")), "")
    x_axis = number_span(rng, 0.0, end, heading)
    return panel(rng, style, PanelPlan("survival", tuple(series), x_axis, y_axis))


def kaplan_meier(rng: Rng, end: float) -> tuple[Floats, Floats, Floats]:
    """A survival curve: times (0 and the last time included), shares alive from then on, times of censoring."""
    size = int(rng.integers(25, 120))
    times = np.round(rng.exponential(end * float(rng.uniform(0.4, 2.0)), size), 1)
    leaves = np.round(rng.uniform(0.3 * end, 1.4 * end, size), 1)
    died, seen = times <= np.minimum(leaves, end), np.minimum(np.minimum(times, leaves), end)
    x, y, alive = [0.0], [1.0], 1.0
    for t in np.unique(seen[died & (seen > 0)]):
        alive *= 1 - float((died & (seen == t)).sum()) / float((seen >= t).sum())
        x.append(float(t))
        y.append(alive)
    last = float(seen.max())
    if last > x[-1]:
        x, y = [*x, last], [*y, alive]
    gone = np.unique(seen[~died & (seen < last)])
    return np.array(x), np.array(y), gone


def area_plain(rng: Rng, style: Style) -> PanelPlan:
    """One area down to 0, or two translucent ones."""
    count, length = int(rng.integers(1, 3)), int(rng.integers(15, 90))
    x, x_axis = across(rng, length, style, 0.4)
    size = magnitude(rng, style)
    series = []
    for name, look in zip(some_names(rng, count), looks(rng, style, count, 0.0, 0.0), strict=True):
        y = rounded(size * (0.15 + 0.85 * wave(rng, length, 0.06)))
        look = replace(look, alpha=1.0 if count == 1 else 0.5, line_pt=look.line_pt if rng.random() < 0.4 else 0.0)
        series.append(SeriesPlan(name if count > 1 else "", "area", x, y, look))
    return panel(rng, style, PanelPlan("area", tuple(series), x_axis, value_axis(rng, style, series, zero=True)))


def area_stacked(rng: Rng, style: Style) -> PanelPlan:
    """Two to six areas on top of each other."""
    count, length = int(rng.integers(2, 7)), int(rng.integers(15, 70))
    x, x_axis = across(rng, length, style, 0.3)
    size = magnitude(rng, style) / count
    base = np.zeros(length)
    series = []
    for name, look in zip(some_names(rng, count), looks(rng, style, count, 0.0, 0.0), strict=True):
        y = rounded(size * (0.15 + 0.85 * wave(rng, length, 0.06)))
        series.append(SeriesPlan(name, "area", x, y, replace(look, line_pt=0.0), base=base, stacked=True))
        base = np.round(base + y, 10)
    measure = ("Share", "") if style.numbers == "percent" else pick(rng, MEASURES)
    y_axis = value_axis(rng, style, series, zero=True, measure=measure)
    return panel(rng, style, PanelPlan("area_stacked", tuple(series), x_axis, y_axis))
