"""Panels that come from a source sheet: what is drawn, the sheet it was computed from, the caption, the values.

Each recipe of PlotGround once (as it stands, mean of replicates, filter, percent of a control, logarithm, quartiles,
survival), and each trap, named before it is drawn. Not handled here: papers around them (`draw_papers`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from evaluation.draw_clouds import box_stats, upright
from evaluation.draw_frame import FILLED, looks, number_span, panel, rounded, value_axis
from evaluation.draw_plan import AxisPlan, Floats, LegendPlan, Look, PanelPlan, SeriesPlan, Style
from evaluation.draw_ticks import Heading, category_axis
from evaluation.draw_words import CATEGORIES, GROUPS, pick, some_names

Rng = np.random.Generator
Rows = list[list[str | float]]
MEASURES = (
    ("Yield", "t/ha"), ("Concentration", "mg/l"), ("Waiting time", "min"), ("Pressure", "kPa"), ("Biomass", "g"),
    ("Velocity", "m/s"), ("Viscosity", "mPa s"), ("Attendance", ""), ("Depth", "m"), ("Absorbance", ""),
)  # fmt: skip
LATIN = tuple(pool for pool in CATEGORIES if all(name.isascii() and not name[0].isdigit() for name in pool))
ARMS = tuple(pool for pool in GROUPS if all(name.isascii() for name in pool) and "Unknown" not in pool)


@dataclass(frozen=True)
class Trap:
    """What a maker lays out to be found: the claim, and the reason that it has to be rejected or discarded for."""

    claim: str
    reason: str
    where: Literal["panel", "value"] = "panel"


@dataclass(frozen=True)
class Value:
    """A drawn value: the names that the figure prints, and the number."""

    series: str
    at: str
    statistic: str
    value: float


@dataclass(frozen=True, eq=False)
class Sourced:
    """A panel with its source. `rows`: the sheet, header first; `topic`: what it is about; `stated`: what the text
    says of one value; `trapped`: the value that a trap is laid on."""

    plan: PanelPlan
    rows: Rows
    topic: str
    caption: str
    values: tuple[Value, ...]
    trap: Trap | None = None
    stated: str = ""
    trapped: Value | None = None


Build = Callable[[Rng, Style], Sourced]


def heading(measure: tuple[str, str]) -> str:
    return f"{measure[0]} ({measure[1]})" if measure[1] else measure[0]


def bars(rng: Rng, style: Style, names: Sequence[str], places: Sequence[str], values: Floats, measure: tuple[str, str],
         horizontal: bool = False, ends: Floats | None = None, printed: bool = False) -> PanelPlan:  # fmt: skip
    """Bars of values (series, places) side by side; `ends`: half lengths of error bars, alike."""
    count = len(values)
    width = float(rng.uniform(0.6, 0.8)) / count
    series = []
    for k, look in enumerate(looks(rng, style, count, 0.0, 0.0)):
        one = SeriesPlan(names[k], "bar", np.arange(len(places), dtype=np.float64), values[k],
                         replace(look, line_pt=0.0), width=width * 0.92, offset=(k - (count - 1) / 2) * width,
                         printed=printed)  # fmt: skip
        series.append(one if ends is None else replace(one, low=values[k] - ends[k], high=values[k] + ends[k]))
    kind = (
        "bar_printed" if printed else "bar_error" if ends is not None else "bar_grouped" if count > 1 else "bar_plain"
    )
    y = value_axis(rng, style, series, zero=True, measure=measure, head=0.08 if printed else 0.0)
    plan = upright(PanelPlan(kind, tuple(series), category_axis(places), y, horizontal=horizontal), style)
    return panel(rng, style, plan)


def values_of(names: Sequence[str], places: Sequence[str], values: Floats, statistic: str = "") -> tuple[Value, ...]:
    """Every drawn value (series, places)."""
    return tuple(Value(names[k], place, statistic, float(values[k, i]))
                 for k in range(len(names)) for i, place in enumerate(places))  # fmt: skip


def as_it_stands(rng: Rng, style: Style) -> Sourced:
    """Bars of one to three arms; a column each, with a count that is not drawn."""
    count, measure = int(rng.integers(1, 4)), pick(rng, MEASURES)
    places, names = some_names(rng, int(rng.integers(4, 7)), LATIN), some_names(rng, count, ARMS)
    names = names if count > 1 else ("",)
    size = 10.0 ** rng.uniform(0.3, 3)
    values = rounded(size * rng.uniform(0.2, 1.0, (count, len(places))), 4)
    columns = list(names) if count > 1 else [heading(measure)]
    rows: Rows = [["Place", *columns, "n"]]
    rows += [[place, *map(float, values[:, i]), float(rng.integers(20, 90))] for i, place in enumerate(places)]
    plan = bars(rng, style, names, places, values, measure, horizontal=count == 1 and rng.random() < 0.4)
    said = f"{measure[0]} at {places[0]}, {places[1]} and other places" + (
        f" by arm ({', '.join(names)})" if count > 1 else ""
    )
    return Sourced(plan, rows, f"{measure[0]} by place", f"{said}.", values_of(names, places, values))


def mean_of_replicates(rng: Rng, style: Style) -> Sourced:
    """Bars of means with their standard deviations; the sheet holds every replicate."""
    measure, count = pick(rng, MEASURES), int(rng.integers(2, 4))
    places, names = some_names(rng, int(rng.integers(3, 5)), LATIN), some_names(rng, count, ARMS)
    size, n = 10.0 ** rng.uniform(0.3, 3), int(rng.integers(4, 7))
    centre = size * rng.uniform(0.25, 1.0, (count, len(places)))
    draws = rounded(centre[..., None] * (1 + rng.normal(0, 0.09, (count, len(places), n))), 4)
    means, spread = draws.mean(axis=2), draws.std(axis=2, ddof=1)
    rows: Rows = [["Site", "Treatment", "Replicate", heading(measure)]]
    rows += [[place, name, float(r + 1), float(draws[k, i, r])]
             for i, place in enumerate(places) for k, name in enumerate(names) for r in range(n)]  # fmt: skip
    plan = bars(rng, style, names, places, means, measure, ends=spread)
    said = f"Mean {measure[0].lower()} by site and treatment; bars show the mean of {n} replicates, whiskers one SD."
    return Sourced(plan, rows, f"{measure[0]} replicates", said, values_of(names, places, means))


def filtered(rng: Rng, style: Style) -> Sourced:
    """Bars of one season; the sheet holds both."""
    measure, count = pick(rng, MEASURES), int(rng.integers(2, 4))
    places, names = some_names(rng, int(rng.integers(3, 6)), LATIN), some_names(rng, count, ARMS)
    values = rounded(10.0 ** rng.uniform(0.3, 3) * rng.uniform(0.2, 1.0, (2, count, len(places))), 4)
    rows: Rows = [["Place", "Arm", "Season", heading(measure)]]
    rows += [[place, name, season, float(values[s, k, i])] for s, season in enumerate(("dry", "wet"))
             for i, place in enumerate(places) for k, name in enumerate(names)]  # fmt: skip
    shown = int(rng.integers(2))
    plan = bars(rng, style, names, places, values[shown], measure)
    said = f"{measure[0]} by place and arm in the {('dry', 'wet')[shown]} season."
    return Sourced(plan, rows, f"{measure[0]} seasons", said, values_of(names, places, values[shown]))


def curves(rng: Rng, style: Style) -> Sourced:
    """Two or three lines with markers at round places; a column each."""
    measure, count = pick(rng, MEASURES), int(rng.integers(2, 4))
    names, length = some_names(rng, count, ARMS), int(rng.integers(6, 10))
    step = float(rng.choice([1.0, 2.0, 5.0, 10.0]))
    x = np.asarray(step * np.arange(1, length + 1), dtype=np.float64)
    size = 10.0 ** rng.uniform(0.3, 3)
    lift = np.arange(count, dtype=np.float64)[:, None] * 0.22
    values = rounded(size * (0.25 + lift + 0.4 * np.cumsum(rng.uniform(0.02, 0.2, (count, length)), axis=1)), 4)
    series = [SeriesPlan(names[k], "line", x, values[k], replace(look, marker=FILLED[k], marker_pt=5.5))
              for k, look in enumerate(looks(rng, style, count, 0.0, 0.0))]  # fmt: skip
    across = AxisPlan("linear", float(x[0] - 0.5 * step), float(x[-1] + 0.5 * step), tuple(map(float, x)),
                      tuple(f"{v:g}" for v in x), "Time", "h")  # fmt: skip
    plan = panel(rng, style, PanelPlan("line_markers", tuple(series), across,
                                       value_axis(rng, style, series, measure=measure)))  # fmt: skip
    rows: Rows = [["Time (h)", *names]]
    rows += [[float(x[i]), *map(float, values[:, i])] for i in range(length)]
    said = f"{measure[0]} over time for {', '.join(names)}."
    return Sourced(plan, rows, f"{measure[0]} time course", said, values_of(names, [f"{v:g}" for v in x], values))


def percent_of_control(rng: Rng, style: Style) -> Sourced:
    """Bars of two arms in percent of a third; the sheet holds the counts of all three."""
    places, names = some_names(rng, int(rng.integers(4, 6)), LATIN), ("Compound A", "Compound B")
    raw = rounded(10.0 ** rng.uniform(1, 3) * rng.uniform(0.3, 1.0, (3, len(places))), 4)
    values = 100 * raw[1:] / raw[0]
    rows: Rows = [["Cell line", "Control", *names]]
    rows += [[place, *map(float, raw[:, i])] for i, place in enumerate(places)]
    plan = bars(rng, style, names, places, values, ("Viability", "% of Control"))
    said = "Viability by cell line after 48 h, given as percent of Control."
    return Sourced(plan, rows, "Viability by cell line", said, values_of(names, places, values))


def logarithm(rng: Rng, style: Style) -> Sourced:
    """Lying bars of −log10 p; the sheet holds p."""
    places = some_names(rng, int(rng.integers(5, 9)), LATIN)
    p = np.array([float(f"{v:.3g}") for v in 10.0 ** -np.sort(rng.uniform(1.2, 9.0, len(places)))[::-1]])
    rows: Rows = [["Term", "Genes", "p value"]]
    rows += [[place, float(rng.integers(4, 60)), float(v)] for place, v in zip(places, p, strict=True)]
    values = -np.log10(p)[None]
    plan = bars(rng, style, ("",), places, values, ("\u2212log10 p value", ""), horizontal=True)
    said = "Overrepresented terms; bars show the negative log10 of the p value."
    return Sourced(plan, rows, "Terms", said, values_of(("",), places, values))


def quartiles(rng: Rng, style: Style) -> Sourced:
    """Boxes of records; the sheet holds the records."""
    measure = pick(rng, MEASURES)
    places = some_names(rng, int(rng.integers(3, 6)), LATIN)
    size = 10.0 ** rng.uniform(0.5, 3)
    records = [rounded(size * (rng.uniform(0.4, 0.9) + rng.normal(0, 0.12, int(rng.integers(18, 30))))) for _ in places]
    stats = tuple(map(box_stats, records))
    look = Look(style.palette[0], edge=style.ink, filled=True, line_pt=1.0, marker="o", marker_pt=4.0)
    x = np.arange(len(places), dtype=np.float64)
    one = SeriesPlan("", "box", x, np.array([s.median for s in stats]), look, boxes=stats, width=0.55)
    plan = PanelPlan("box_plain", (one,), category_axis(places), value_axis(rng, style, [one], measure=measure))
    plan = panel(rng, style, upright(plan, style))
    rows: Rows = [["Ward", heading(measure)]]
    rows += [[place, float(v)] for place, values in zip(places, records, strict=True) for v in values]
    found = [Value("", place, part, float(getattr(s, part)))
             for place, s in zip(places, stats, strict=True) for part in ("median", "q1", "q3")]  # fmt: skip
    said = f"{measure[0]} by ward; boxes show median and quartiles, whiskers 1.5 times the box."
    return Sourced(plan, rows, f"{measure[0]} records", said, tuple(found))


def survival(rng: Rng, style: Style) -> Sourced:
    """Kaplan-Meier curves of two arms; the sheet holds a time and an event a person."""
    names = some_names(rng, 2, ARMS)
    end, series, found = 24.0, [], []
    rows: Rows = [["Patient", "Arm", "Time (months)", "Event"]]
    ticks = np.arange(0.0, end + 1, 4)
    for name, look, scale in zip(names, looks(rng, style, 2, 0.0, 0.0), (14.0, 40.0), strict=True):
        size = int(rng.integers(30, 50))
        times = np.round(rng.exponential(scale, size) + 0.5, 1)
        leaves = np.round(rng.uniform(0.6 * end, 1.2 * end, size), 1)
        seen, died = np.minimum(np.minimum(times, leaves), end), times <= np.minimum(leaves, end)
        rows += [
            [f"P{len(rows) + j}", name, float(t), float(e)] for j, (t, e) in enumerate(zip(seen, died, strict=True))
        ]
        x, y = stairs(seen, died)
        last = float(seen.max())
        x, y = (x, y) if x[-1] >= last else (np.append(x, last), np.append(y, y[-1]))
        series.append(SeriesPlan(name, "step", x, y, look))
        found += [
            Value(name, f"{t:g}", "", float(y[np.searchsorted(x, t, side="right") - 1])) for t in ticks if t <= last
        ]
    across = AxisPlan(
        "linear", 0.0, end * 1.02, tuple(map(float, ticks)), tuple(f"{t:g}" for t in ticks), "Time", "months"
    )
    up = AxisPlan("linear", 0.0, 1.05, (0.0, 0.2, 0.4, 0.6, 0.8, 1.0), ("0.0", "0.2", "0.4", "0.6", "0.8", "1.0"),
                  "Survival probability")  # fmt: skip
    plan = panel(rng, style, PanelPlan("survival", tuple(series), across, up))
    said = f"Kaplan-Meier survival by arm ({' and '.join(names)})."
    return Sourced(plan, rows, "Follow-up", said, tuple(found))


def stairs(seen: Floats, died: np.ndarray) -> tuple[Floats, Floats]:
    """Times, 0 first, and the share that survives just after each (Kaplan and Meier 1958)."""
    at = np.unique(seen[died])
    factors = [1 - float((died & (seen == t)).sum()) / float((seen >= t).sum()) for t in at]
    return np.concatenate([[0.0], at]), np.concatenate([[1.0], np.cumprod(factors)])


RECIPES: tuple[Build, ...] = (
    as_it_stands, mean_of_replicates, curves, filtered, quartiles, percent_of_control, logarithm, survival,
)  # fmt: skip


def ambiguous_p(rng: Rng, style: Style) -> Sourced:
    """−log10 P, and the sheet has a raw and an adjusted one."""
    made = logarithm(rng, style)
    rows: Rows = [["Term", "p raw", "p adjusted"]]
    p = np.array([float(row[2]) for row in made.rows[1:]])
    rows += [[row[0], float(v), float(f"{min(1.0, v * len(p)):.3g}")] for row, v in zip(made.rows[1:], p, strict=True)]
    plan = replace(made.plan, y=replace(made.plan.y, label="\u2212log10 P"))
    return replace(made, plan=plan, rows=rows, caption="Overrepresented terms; bars show the negative log10 of P.",
                   trap=Trap("raw and adjusted p values, and the axis says P", "ambiguous column"))  # fmt: skip


def ambiguous_batch(rng: Rng, style: Style) -> Sourced:
    """One bar a place, and the sheet has two columns of the same quantity."""
    measure, places = pick(rng, MEASURES), some_names(rng, int(rng.integers(5, 8)), LATIN)
    values = rounded(10.0 ** rng.uniform(0.3, 3) * rng.uniform(0.2, 1.0, len(places)), 4)
    rows: Rows = [["Place", f"{measure[0]} batch 1", f"{measure[0]} batch 2"]]
    rows += [[place, float(v), float(rounded(np.array([v * rng.uniform(0.8, 1.2)]))[0])]
             for place, v in zip(places, values, strict=True)]  # fmt: skip
    plan = bars(rng, style, ("",), places, values[None], measure)
    trap = Trap("two batches of one quantity, and the figure shows one of them", "ambiguous column")
    found = values_of(("",), places, values[None])
    return Sourced(plan, rows, f"{measure[0]} batches", f"{measure[0]} by place.", found, trap)


def printed(rng: Rng, style: Style) -> Sourced:
    """The values are printed on the bars."""
    measure, places = pick(rng, MEASURES), some_names(rng, int(rng.integers(3, 6)), LATIN)
    values = rounded(10.0 ** rng.uniform(0.5, 2.5) * rng.uniform(0.25, 1.0, (1, len(places))), 3)
    rows: Rows = [["Place", heading(measure)]]
    rows += [[place, float(v)] for place, v in zip(places, values[0], strict=True)]
    plan = bars(rng, style, ("",), places, values, measure, printed=True)
    return Sourced(plan, rows, f"{measure[0]} by place", f"{measure[0]} by place.", values_of(("",), places, values),
                   Trap("the values stand beside the bars", "printed value"))  # fmt: skip


def missing_reference(rng: Rng, style: Style) -> Sourced:
    """Relative values, and the sheet holds the raw ones without what they were divided by."""
    places, names = some_names(rng, int(rng.integers(4, 6)), LATIN), some_names(rng, 2, ARMS)
    raw = rounded(10.0 ** rng.uniform(2, 4) * rng.uniform(0.3, 1.0, (2, len(places))), 4)
    values = raw / float(raw.mean() * rng.uniform(0.5, 0.8))
    rows: Rows = [["Gene", *names]]
    rows += [[place, *map(float, raw[:, i])] for i, place in enumerate(places)]
    plan = bars(rng, style, names, places, values, ("Relative expression", "fold"))
    said = f"Relative expression ({' and '.join(names)}), normalised to the housekeeping gene."
    return Sourced(plan, rows, "Expression", said, values_of(names, places, values),
                   Trap("normalised to a reference that was not deposited", "missing normalisation"))  # fmt: skip


def domain(rng: Rng, style: Style) -> Sourced:
    """Half-maximal doses from a fit; the sheet holds the responses."""
    places = some_names(rng, int(rng.integers(4, 6)), LATIN)
    half = np.array([float(f"{v:.3g}") for v in 10.0 ** rng.uniform(0.2, 1.6, len(places))])
    doses = np.array([0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0])
    rows: Rows = [["Dose (uM)", *places]]
    for dose in doses:
        response = 100 / (1 + (dose / half) ** 1.2) + rng.normal(0, 2, len(places))
        rows.append([float(dose), *(float(round(v, 1)) for v in response)])
    plan = bars(rng, style, ("",), places, half[None], ("EC50", "uM"))
    said = "Half-maximal concentrations from four-parameter logistic fits to the dose series."
    trap = Trap("fitted parameters, and the sheet holds what they were fitted to", "domain analysis")
    return Sourced(plan, rows, "Dose series", said, values_of(("",), places, half[None]), trap)


def unlabelled_points(rng: Rng, style: Style) -> Sourced:
    """A cloud whose points carry no names."""
    measure, n = pick(rng, MEASURES), int(rng.integers(15, 30))
    x, y = rounded(rng.uniform(10, 90, n)), rounded(10.0 ** rng.uniform(0.5, 2.5) * rng.uniform(0.2, 1.0, n))
    look = Look(style.palette[0], marker="o", marker_pt=6.0, line_pt=1.0)
    one = SeriesPlan("", "scatter", x, y, look)
    across = number_span(rng, 4.0, 96.0, Heading("Age", "years"))
    plan = panel(
        rng, style, PanelPlan("scatter_groups", (one,), across, value_axis(rng, style, [one], measure=measure))
    )
    rows: Rows = [["Age (years)", heading(measure)]]
    rows += [[float(a), float(b)] for a, b in zip(x, y, strict=True)]
    return Sourced(plan, rows, f"{measure[0]} and age", f"{measure[0]} and age of {n} persons.", (),
                   Trap("points without labels", "no visible label"))  # fmt: skip


def unlabelled_lines(rng: Rng, style: Style) -> Sourced:
    """Lines without a legend."""
    made = curves(rng, style)
    return replace(made, plan=replace(made.plan, legend=LegendPlan()), caption=f"{made.topic} of all arms.",
                   trap=Trap("lines that nothing in the figure names", "no visible label"))  # fmt: skip


def _tallest(made: Sourced) -> Value:
    return max(made.values, key=lambda v: v.value)


def stated(rng: Rng, style: Style) -> Sourced:
    """The text states the value that stands out."""
    made = as_it_stands(rng, style)
    top = _tallest(made)
    measure = made.topic.removesuffix(" by place")
    of = f" for {top.series}" if top.series else ""
    return replace(made, stated=f"{measure} was highest at {top.at}{of}, reaching {top.value:g}.", trapped=top,
                   trap=Trap("the text states the value that stands out", "stated in the text", "value"))  # fmt: skip


def changed(rng: Rng, style: Style) -> Sourced:
    """One cell of the sheet is not what the figure shows."""
    made = curves(rng, style)
    top = _tallest(made)
    column, row = made.rows[0].index(top.series), next(i for i, r in enumerate(made.rows) if r[0] == float(top.at))
    rows = [list(one) for one in made.rows]
    rows[row][column] = float(f"{0.6 * top.value:.4g}")
    trap = Trap("one value of the sheet differs from the figure", "figure and table disagree", "value")
    return replace(made, rows=rows, trapped=top, trap=trap)


TRAPS: tuple[Build, ...] = (
    ambiguous_p, printed, missing_reference, domain, unlabelled_points, stated, changed, ambiguous_batch,
    unlabelled_lines,
)  # fmt: skip
