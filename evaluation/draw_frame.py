"""What the charts of the drawer share: magnitudes, value axes around the data, and a place for the legend.

Not handled here: the data themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from evaluation.draw_plan import AxisPlan, Floats, LegendPlan, Look, PanelPlan, SeriesPlan, Style
from evaluation.draw_ticks import Heading, log_axis, number_axis
from evaluation.draw_words import MEASURES, TITLES, pick

PLACES = (
    "upper right", "upper left", "lower right", "lower left", "upper center", "lower center", "center right",
    "center left", "center",
)  # fmt: skip
DASHES = ("solid", "dashed", "dotted", "dashdot")
MARKERS = ("o", "s", "^", "D", "v", "x", "+", "*")
FILLED = ("o", "s", "^", "D", "v")


def magnitude(rng: np.random.Generator, style: Style) -> float:
    """The size of the largest values, such that the style's way of writing numbers shows."""
    if style.numbers == "percent":
        return float(rng.uniform(30, 95))
    low, high = {"M": (6.4, 7.8), "corner": (5.4, 7.0), "k": (3.6, 5.2), "power": (4.5, 6.0)}.get(
        style.numbers, (0.0, 4.0)
    )
    return float(10.0 ** rng.uniform(low, high))


def rounded(values: Floats, digits: int = 4) -> Floats:
    """Values with so many significant digits of the largest one, as a deposited table has them."""
    largest = float(np.abs(values[np.isfinite(values)]).max(initial=0.0)) or 1.0
    return np.round(values, int(digits - 1 - np.floor(np.log10(largest)))) + 0.0


def wave(rng: np.random.Generator, count: int, rough: float = 0.25) -> Floats:
    """`count` values between 0 and 1: slow waves, a trend and noise."""
    t = np.linspace(0, 1, count)
    total = rng.normal(0, 0.8) * t
    for turns in (1, 2, 3, 5):
        total = total + rng.normal(0, 1 / turns) * np.sin(
            2 * np.pi * (turns * t * rng.uniform(0.6, 1.2) + rng.random())
        )
    total = total + rng.normal(0, rough, count)
    return np.asarray((total - total.min()) / (np.ptp(total) or 1.0), dtype=np.float64)


def epidemic(rng: np.random.Generator, count: int, peak: float) -> Floats:
    """Counts of one to three outbreak waves, (count,) whole numbers, not 0 at either end."""
    t = np.arange(count)
    mean = np.full(count, 0.01 * peak)
    for _ in range(int(rng.integers(1, 4))):
        centre, width = rng.uniform(0.1, 0.9) * count, rng.uniform(0.04, 0.14) * count
        rise = np.where(t < centre, width * 0.7, width * 1.3)
        mean = mean + peak * rng.uniform(0.3, 1.0) * np.exp(-(((t - centre) / rise) ** 2) / 2)
    counts = rng.negative_binomial(12, 12 / (12 + mean)).astype(np.float64)
    counts[[0, -1]] = np.maximum(counts[[0, -1]], 1)
    return counts


def looks(
    rng: np.random.Generator, style: Style, count: int, marked: float = 0.0, dashed: float = 0.2
) -> tuple[Look, ...]:
    """Looks of `count` lines of different colours; with markers or dashes in a share of the figures."""
    line = float(rng.uniform(0.9, 2.4))
    markers = rng.random() < marked
    dashes = rng.random() < dashed
    size, filled = float(rng.uniform(3.5, 7)), bool(rng.random() < 0.75)
    return tuple(
        Look(
            style.palette[k % len(style.palette)], line_pt=line, dash=DASHES[k % 4] if dashes else "solid",
            marker=FILLED[k % 5] if markers else "", marker_pt=size, filled=filled,
        )
        for k in range(count)
    )  # fmt: skip


def value_axis(
    rng: np.random.Generator,
    style: Style,
    series: Sequence[SeriesPlan],
    *,
    zero: bool = False,
    log: bool = False,
    measure: tuple[str, str] | None = None,
    head: float = 0.0,
) -> AxisPlan:
    """A value axis around everything drawn, error bars too; from 0 for bars; `head` more room, as a share."""
    drawn = np.concatenate([_extent(one) for one in series])
    drawn = drawn[np.isfinite(drawn)]
    low, high = float(drawn.min()), float(drawn.max())
    label, unit = measure or pick(rng, MEASURES)
    if style.numbers == "percent" and measure is None:
        unit = ""
    if log:
        low, high = low / 10 ** rng.uniform(0.05, 0.4), high * 10 ** (rng.uniform(0.05, 0.4) + head)
        return log_axis(low, high, style.numbers, Heading(label, unit))
    room = (high - min(low, 0.0 if zero else low)) or abs(high) or 1.0
    top = high + room * (float(rng.uniform(0.04, 0.15)) + head) if high > 0 or not zero else 0.0
    bottom = (min(0.0, low * 1.1) if zero else low - room * float(rng.uniform(0.03, 0.1))) + 0.0
    count = int(rng.integers(4, 8))
    return number_axis(bottom, top, count, style.numbers, Heading(label, unit, aligned=rng.random() < 0.4))


def _extent(one: SeriesPlan) -> Floats:
    boxes = [v for box in one.boxes for v in (box.whisker_low, box.whisker_high, *box.outliers)]
    starts = one.start if one.form in ("bar", "area", "hist") else one.y[:0]
    ends = one.end if len(one.y) and not boxes else one.y[:0]
    return np.concatenate([ends, starts, one.low, one.high, np.array(boxes, dtype=np.float64)])


def number_span(rng: np.random.Generator, low: float, high: float, heading: Heading) -> AxisPlan:
    """An x axis of numbers around the data."""
    room = (high - low) * float(rng.choice([0.0, 0.02, 0.05]))
    return number_axis(low - room, high + room, int(rng.integers(4, 9)), "plain", heading)


def panel(rng: np.random.Generator, style: Style, plan: PanelPlan, direct: bool = False) -> PanelPlan:
    """The plan with a title and a legend where it covers no data."""
    title = pick(rng, TITLES)
    return replace(plan, title=title, legend=_legend(rng, style, plan, direct))


def _legend(rng: np.random.Generator, style: Style, plan: PanelPlan, direct: bool) -> LegendPlan:
    names = [one.name for one in plan.series if one.name]
    if len(names) < 2 and not (names and rng.random() < 0.3):
        return LegendPlan()
    if direct and plan.y2 is None and rng.random() < 0.15 and _ends_apart(style, plan):
        return LegendPlan("direct")
    framed = bool(rng.random() < 0.5)
    columns = len(names) if len(names) <= 4 and rng.random() < 0.15 else 1
    free = [place for place in PLACES if not covers(style, plan, place, names, columns)]
    if free and rng.random() < 0.85:
        return LegendPlan(free[min(int(rng.exponential(1.2)), len(free) - 1)], framed, columns)
    outside = pick(rng, ("right", "right", "top", "bottom"))
    if outside == "bottom" and plan.x.turned:  # turned labels need the room
        outside = "top"
    return LegendPlan(outside, framed, 1 if outside == "right" else min(len(names), 3))


def _ends_apart(style: Style, plan: PanelPlan) -> bool:
    """True where words at the right ends of the curves do not run into each other."""
    ends = np.sort([float(plan.y.along(one.end[-1:])[0]) for one in plan.series if len(one.y)])
    line = 1.4 * style.points["legend"] * style.px / (0.7 * style.size[1])
    return len(ends) < 2 or bool(np.diff(ends).min() > line)


def covers(style: Style, plan: PanelPlan, place: str, names: Sequence[str], columns: int) -> bool:
    """True where a legend at a place of the 3 x 3 grid would hide something drawn. Sizes are estimates."""
    em = style.points["legend"] * style.px
    wide = min(0.98, columns * (0.62 * max(map(len, names)) + 4.5) * em / (0.78 * style.size[0]) + 0.03)
    tall = min(0.98, (1.6 * -(-len(names) // columns) + 1.8) * em / (0.72 * style.size[1]) + 0.03)
    across = 0.0 if "left" in place else 1 - wide if "right" in place else 0.5 - wide / 2
    up = 0.0 if "lower" in place else 1 - tall if "upper" in place else 0.5 - tall / 2
    points = np.concatenate([ink_shares(plan, one) for one in plan.series])
    inside = (points[:, 0] > across) & (points[:, 0] < across + wide)
    return bool((inside & (points[:, 1] > up) & (points[:, 1] < up + tall)).any())


def ink_shares(plan: PanelPlan, one: SeriesPlan) -> Floats:
    """Where a series has ink, (n, 2) shares of the plot from its lower left corner: a sample, dense enough."""
    axis = plan.y2 if one.twin and plan.y2 else plan.y
    along = plan.x.along(one.x + one.offset)
    if one.form == "box":
        ends = np.array([[min(b.whisker_low, *b.outliers, b.whisker_low), max(b.whisker_high, *b.outliers, b.q3)]
                         for b in one.boxes])  # fmt: skip
        low, high = axis.along(ends[:, 0]), axis.along(ends[:, 1])
    else:
        high = axis.along(one.end)
        low = axis.along(one.start) if one.form in ("bar", "area", "hist") or one.stem else high
    if len(one.low):
        low, high = np.fmin(low, axis.along(one.low)), np.fmax(high, axis.along(one.high))
    if one.form == "bar":
        half = one.width / 2
        edges = [plan.x.along(one.x + one.offset + shift) for shift in (-half, 0.0, half)]
        along, low, high = np.concatenate(edges), np.tile(low, 3), np.tile(high, 3)
    if one.form in ("line", "step", "area", "hist") and len(along) > 1:
        fine = np.linspace(0, len(along) - 1, max(200, len(along)))
        along, low, high = (np.interp(fine, np.arange(len(along)), v) for v in (along, low, high))
    share = np.linspace(0, 1, 24)[:, None]
    up = low + (high - low) * share
    shares = np.column_stack([np.broadcast_to(along, up.shape).ravel(), up.ravel()])
    shares = shares[np.isfinite(shares).all(axis=1)]
    return shares[:, ::-1] if plan.horizontal else shares
