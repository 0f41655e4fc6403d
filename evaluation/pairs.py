"""Figures with tables that match them, or not: what a checker of figures against data is measured on.

Each drawn figure comes with its own table and with altered ones; what was altered, and where, is known exactly. A pair
whose greatest difference is less than `LEAST` of the axis range counts for neither side. Not handled here: checking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from evaluation.draw_charts import CHART_TYPES, ENGINES, generator, plan_figure
from evaluation.draw_plan import AxisPlan, Drawn, FigurePlan, Floats, PanelPlan
from evaluation.tables import Sheet, number, read_sheet

Kind = Literal[
    "match", "cells", "swap", "missing in figure", "missing in table", "clipped", "factor", "log", "statistic"
]
Verdict = Literal["match", "mismatch", "not_verifiable"]
LEAST = 0.05
FIRST_MATCH = 1000  # the sample that the figures of matching pairs alone begin with
TYPES = (
    "line_plain", "line_markers", "line_dashed", "line_date", "error_lines", "bar_plain", "bar_grouped", "bar_stacked",
    "bar_horizontal", "bar_negative", "bar_error", "epicurve_bars", "epicurve_line", "dots", "histogram_plain",
    "scatter_groups", "area_plain", "line_log", "step", "box_plain",
)  # fmt: skip
ALL_TYPES = tuple(CHART_TYPES)
EXTRA_NAMES = ("Reserve", "Upland", "Cohort Z", "Mixed", "Delta-9", "Pilot")


@dataclass(frozen=True)
class Cell:
    """A cell that differs: its row as written, its column, both values, the difference as a share of the axis range."""

    x: str
    column: str
    figure: float
    table: float
    share: float


@dataclass(frozen=True, eq=False)
class Pair:
    """A figure and a table (CSV text) with the right verdict. `series`: the columns that a whole-series fault is in."""

    id: str
    kind: Kind
    verdict: Verdict
    figure: Drawn
    table: str
    cells: tuple[Cell, ...] = ()
    series: tuple[str, ...] = ()

    @property
    def counts(self) -> bool:
        """True of pairs whose difference is large enough to be asked for."""
        return self.kind not in ("cells", "statistic") or any(cell.share >= LEAST for cell in self.cells)


def make_pairs(seed: int, figures: int, types: Sequence[str] = TYPES) -> Iterator[Pair]:
    """Pairs of the first so many drawn figures: each as it is, with changed cells, and with two more faults in turn."""
    for sample in range(figures):
        chart_type = types[sample % len(types)]
        rng = generator(seed, sample, 7)
        _, plan = plan_figure(seed, sample, chart_type)
        drawn = _drawn(plan, seed, sample, chart_type)
        sheet = read_sheet(drawn.tables[0])
        name = f"{seed}-{sample:03d}"
        yield Pair(f"{name}-match", "match", "match", drawn, _csv(sheet))
        makers = (swap, missing_in_figure, missing_in_table, factor, log)
        turned = makers[sample % len(makers) :] + makers[: sample % len(makers)]
        found = [p for make in (cells, *turned) if (p := make(name, drawn, sheet, rng)) is not None]
        yield from found[:3]
        if (pair := clipped(name, plan, seed, sample, chart_type)) is not None and sample % 2:
            yield pair
        yield from statistics(name, plan, seed, sample, chart_type, rng)


def make_matches(seed: int, figures: int, types: Sequence[str] = ALL_TYPES) -> Iterator[Pair]:
    """Matching pairs alone, of every chart type in turn; a figure of several panels has a block of rows for each.

    The figures are others than those of `make_pairs` with the same seed.
    """
    for sample in range(figures):
        chart_type = types[sample % len(types)]
        drawn = _drawn(plan_figure(seed, FIRST_MATCH + sample, chart_type)[1], seed, FIRST_MATCH + sample, chart_type)
        table = "\n".join(_csv(read_sheet(one)) for one in drawn.tables)
        yield Pair(f"{seed}-{FIRST_MATCH + sample}-match", "match", "match", drawn, table)


def _drawn(plan: FigurePlan, seed: int, sample: int, chart_type: str) -> Drawn:
    from evaluation.draw import draw_figure

    return draw_figure(plan, seed, sample, chart_type, ENGINES[sample // 3 % len(ENGINES)])


def _csv(sheet: Sheet) -> str:
    def quoted(cell: str) -> str:
        return '"' + cell.replace('"', '""') + '"' if any(c in cell for c in ',"\n') else cell

    lines = (sheet.header, *sheet.rows)
    return "".join(",".join(quoted("" if cell == "nan" else cell) for cell in line) + "\n" for line in lines)


def _value_columns(sheet: Sheet) -> list[int]:
    """Columns of values that are drawn as such: no names, no ends of error bars, no second edge of bins."""
    names = list(sheet.header)
    parts = {"bin high", "series", "outliers", "whisker_low", "whisker_high", "q1", "q3"}
    ends = {f"{name}{end}" for name in names for end in (" low", " high")}
    return [i for i in range(1, len(names)) if names[i] not in parts and names[i] not in ends]


def _share(plan: PanelPlan, one: float, other: float) -> float:
    """The distance of two values as a share of the value axis."""
    ends = plan.y.along(np.array([one, other]))
    return float(abs(ends[0] - ends[1]))


def _with_cells(sheet: Sheet, values: dict[tuple[int, int], str]) -> Sheet:
    rows = [list(row) for row in sheet.rows]
    for (i, j), text in values.items():
        rows[i][j] = text
    return Sheet(sheet.header, tuple(map(tuple, rows)))


def _series_of(sheet: Sheet, row: int, column: int) -> str:
    """The series that a cell belongs to: its column, or its group in long form."""
    return sheet.rows[row][sheet.header.index("series")] if "series" in sheet.header else sheet.header[column]


def cells(name: str, drawn: Drawn, sheet: Sheet, rng: np.random.Generator) -> Pair | None:
    """One to three cells changed by 5 to 60 %."""
    plan, columns = drawn.panels[0].plan, _value_columns(sheet)
    places = [(i, j) for i in range(len(sheet.rows)) for j in columns if abs(number(sheet.rows[i][j])) > 0]
    if len(places) < 4:
        return None
    changed: dict[tuple[int, int], str] = {}
    found: list[Cell] = []
    wanted = min(int(rng.integers(1, 4)), len(places) // 4)
    for k in rng.permutation(len(places)):
        i, j = places[k]
        value = number(sheet.rows[i][j])
        other = float(f"{value * (1 + rng.choice([-1, 1]) * rng.uniform(0.05, 0.6)):.5g}")
        share = _share(plan, value, other)
        if not plan.y.low <= other <= plan.y.high or (not found and share < LEAST):
            continue
        changed[i, j] = f"{other:g}"
        found.append(Cell(sheet.rows[i][0], _series_of(sheet, i, j), value, other, share))
        if len(found) == wanted:
            break
    if not found:
        return None
    return Pair(f"{name}-cells", "cells", "mismatch", drawn, _csv(_with_cells(sheet, changed)), tuple(found))


def _named(drawn: Drawn) -> list[str]:
    """The series that the figure itself names."""
    panel = drawn.panels[0]
    entries = {entry.name for entry in panel.legend.entries}
    return [one.name for one in panel.plan.series if one.name in entries]


def _renamed(sheet: Sheet, names: dict[str, str]) -> Sheet:
    if "series" in sheet.header:
        at = sheet.header.index("series")
        rows = tuple(tuple(names.get(c, c) if k == at else c for k, c in enumerate(row)) for row in sheet.rows)
        return Sheet(sheet.header, rows)

    def other(title: str) -> str:
        for end in ("", " low", " high"):
            if title.removesuffix(end) in names and title.endswith(end):
                return names[title.removesuffix(end)] + end
        return title

    return Sheet(tuple(map(other, sheet.header)), sheet.rows)


def swap(name: str, drawn: Drawn, sheet: Sheet, rng: np.random.Generator) -> Pair | None:
    """The names of two series exchanged in the table."""
    series = [one for one in drawn.panels[0].plan.series if one.name in _named(drawn) and one.form != "box"]
    if len(series) < 2:
        return None
    one, other = (series[k] for k in rng.choice(len(series), 2, replace=False))
    if len(one.y) == len(other.y) and one.form != "scatter":
        plan = drawn.panels[0].plan
        apart = np.abs(plan.y.along(one.y) - plan.y.along(other.y))
        if np.nanmax(apart) < 2 * LEAST:
            return None
    names = {one.name: other.name, other.name: one.name}
    return Pair(f"{name}-swap", "swap", "mismatch", drawn, _csv(_renamed(sheet, names)), series=tuple(names))


def missing_in_figure(name: str, drawn: Drawn, sheet: Sheet, rng: np.random.Generator) -> Pair | None:
    """A column more in the table, with values that the axis could show and that no other series has."""
    columns, plan = _value_columns(sheet), drawn.panels[0].plan
    if (
        "series" in sheet.header
        or "median" in sheet.header
        or "bin high" in sheet.header
        or any(one.stacked for one in plan.series)
    ):
        return None
    extra = next(n for n in rng.permutation(EXTRA_NAMES) if n not in sheet.header)
    first = [number(row[columns[0]]) for row in sheet.rows]
    good = [v for v in first if np.isfinite(v)]
    low, high = min(good), max(good)
    values = [low + high - v + 0.1 * (high - low) * rng.normal() for v in first]
    least = plan.y.low if plan.y.scale == "linear" else max(plan.y.low, 1e-9)
    shown = [float(np.clip(v, least, plan.y.high)) for v in values]
    rows = tuple((*row, f"{v:.5g}") for row, v in zip(sheet.rows, shown, strict=True))
    longer = Sheet((*sheet.header, str(extra)), rows)
    return Pair(f"{name}-extra", "missing in figure", "mismatch", drawn, _csv(longer), series=(str(extra),))


def missing_in_table(name: str, drawn: Drawn, sheet: Sheet, rng: np.random.Generator) -> Pair | None:
    """A named series of the figure left out of the table."""
    named = _named(drawn)
    if len(named) < 2 or len(named) < len(drawn.panels[0].plan.series):
        return None
    gone = str(rng.choice(named))
    if "mean" in gone.casefold():  # made from the other series, and so not missed
        return None
    if "series" in sheet.header:
        at = sheet.header.index("series")
        shorter = Sheet(sheet.header, tuple(row for row in sheet.rows if row[at] != gone))
    else:
        kept = [k for k, title in enumerate(sheet.header) if title not in (gone, f"{gone} low", f"{gone} high")]
        shorter = Sheet(tuple(sheet.header[k] for k in kept), tuple(tuple(row[k] for k in kept) for row in sheet.rows))
    return Pair(f"{name}-gone", "missing in table", "mismatch", drawn, _csv(shorter), series=(gone,))


def _all_values(sheet: Sheet, of: Callable[[float], float]) -> Sheet:
    keys = {"bin high", "series", "outliers"}
    columns = [i for i in range(1, len(sheet.header)) if sheet.header[i] not in keys]
    changed = {
        (i, j): f"{of(number(row[j])):.6g}"
        for i, row in enumerate(sheet.rows) for j in columns if np.isfinite(number(row[j]))
    }  # fmt: skip
    return _with_cells(sheet, changed)


def factor(name: str, drawn: Drawn, sheet: Sheet, rng: np.random.Generator) -> Pair | None:
    """All values a thousand times too large or too small."""
    times = float(rng.choice([1000.0, 0.001]))
    columns = tuple(sheet.header[j] for j in _value_columns(sheet))
    table = _csv(_all_values(sheet, lambda v: v * times))
    return Pair(f"{name}-factor", "factor", "mismatch", drawn, table, series=columns)


def log(name: str, drawn: Drawn, sheet: Sheet, rng: np.random.Generator) -> Pair | None:
    """The table holds common logarithms of what the figure shows on a linear axis."""
    values = np.array([number(row[j]) for row in sheet.rows for j in _value_columns(sheet)])
    values = values[np.isfinite(values)]
    plan = drawn.panels[0].plan
    too_flat = len(values) and np.log10(values.max() / values.min() if values.min() > 0 else 1) < 0.2
    if plan.y.scale == "log" or not len(values) or values.min() <= 0 or too_flat or "median" in sheet.header:
        return None
    columns = tuple(sheet.header[j] for j in _value_columns(sheet))
    table = _csv(_all_values(sheet, lambda v: float(np.log10(v)) if v > 0 else np.nan))
    return Pair(f"{name}-log", "log", "mismatch", drawn, table, series=columns)


def clipped(name: str, plan: FigurePlan, seed: int, sample: int, chart_type: str) -> Pair | None:
    """A value axis that ends before the greatest values: what is seen agrees, the rest cannot be verified."""
    panel = plan.panels[0]
    plain = panel.y.scale == "linear" and panel.y.low >= 0 and not panel.y.reversed and panel.y2 is None
    forms = {one.form for one in panel.series}
    if not plain or not forms <= {"bar", "line"} or any(one.stacked or one.twin for one in panel.series):
        return None
    values = np.concatenate([one.y for one in panel.series])
    step = panel.y.ticks[1] - panel.y.ticks[0] if len(panel.y.ticks) > 1 else 0.0
    tops = [t for t in panel.y.ticks if 0.45 * np.nanmax(values) < t < 0.85 * np.nanmax(values)]
    if not tops or not step or len(panel.y.ticks) < 4:
        return None
    axis = replace(
        panel.y, high=tops[-1], ticks=_upto(panel.y, tops[-1])[0], texts=_upto(panel.y, tops[-1])[1], minor=()
    )
    cut = replace(plan, panels=(replace(panel, y=axis), *plan.panels[1:]))
    drawn = _drawn(cut, seed, sample, chart_type)
    table = _csv(read_sheet(drawn.tables[0]))
    return Pair(
        f"{name}-clipped", "clipped", "not_verifiable", drawn, table, series=tuple(o.name for o in panel.series)
    )


def _upto(axis: AxisPlan, top: float) -> tuple[tuple[float, ...], tuple[str, ...]]:
    kept = [k for k, tick in enumerate(axis.ticks) if tick <= top]
    return tuple(axis.ticks[k] for k in kept), tuple(axis.texts[k] for k in kept)


def statistics(
    name: str, plan: FigurePlan, seed: int, sample: int, chart_type: str, rng: np.random.Generator
) -> Iterator[Pair]:
    """Bars of medians whose axis says mean, and bars of medians whose axis says so, each with the records."""
    panel = plan.panels[0]
    if chart_type not in ("bar_plain", "bar_error", "bar_horizontal") or len(panel.series) != 1 or panel.y.low < 0:
        return
    one = panel.series[0]
    names = [panel.x.texts[round(float(v))] for v in one.x]
    records = {label: _records(float(y), panel.y, rng) for label, y in zip(names, one.y, strict=True)}
    lines = [f"{label},{value:.6g}" for label, values in records.items() for value in values]
    label = panel.y.label or "Response"
    table = f"Group,{label}\n" + "\n".join(rng.permutation(lines)) + "\n"
    shown = replace(one, low=np.array([]), high=np.array([]), name="")
    for word, verdict in (("Mean", "mismatch"), ("Median", "match")):
        axis = replace(panel.y, label=f"{word} {label[:1].lower()}{label[1:]}")
        figure = replace(plan, panels=(replace(panel, series=(shown,), y=axis, title=""), *plan.panels[1:]))
        drawn = _drawn(figure, seed, sample, chart_type)
        cells = tuple(
            Cell(
                label, "", float(np.median(v)), float(np.mean(v)), _share(panel, float(np.median(v)), float(np.mean(v)))
            )
            for label, v in records.items()
        )
        kind: Kind = "statistic" if verdict == "mismatch" else "match"
        yield Pair(f"{name}-{word.lower()}", kind, verdict, drawn, table, cells if verdict == "mismatch" else ())  # type: ignore[arg-type]


def _records(median: float, axis: AxisPlan, rng: np.random.Generator) -> Floats:
    """Nine records around a median, with a mean some way above it."""
    spread = 0.04 * (axis.high - axis.low)
    below = median - np.sort(rng.uniform(0.2, 1.0, 4)) * min(spread, 0.9 * abs(median))
    above = median + rng.uniform(1.0, 2.5) * np.sort(rng.uniform(1.0, 8.0, 4)) * spread
    return np.concatenate([below, [median], above])


def kind_of(pair: Pair) -> str:
    """The kind of the bench that a pair's figure belongs to."""
    return CHART_TYPES[pair.figure.chart_type]
