"""Measures of one predicted table by the true one that look at its curves: ERP, ChartDensity, ChartParse, CHART-Info,
FPC-NRMSE, downstream statistics.

x is what the truth's labels make it (numbers, days, places of categories); None where a measure is undefined. The
files say nothing of scales, so axes count as linear. Not handled here: cell by cell measures (`score`), box plots.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from evaluation.chartdensity_metrics import Row, chartdensity_chart
from evaluation.chartinfo import ChartKind, DataSeries, chart_info
from evaluation.chartparse_metrics import chartparse
from evaluation.downstream import downstream
from evaluation.elastic import erp
from evaluation.fpc_nrmse import fpc_nrmse
from evaluation.positions import Floats, XAxis, x_axis
from evaluation.tables import Curve, Sheet, panel_table
from tools.align import Pair, assign, similarities

Values = dict[str, float | None]
STATISTICS = ("total", "peak_time", "peak_size", "growth")
FARTHEST_PAIRS = 5_000_000  # cells of a table of distances between two series


def curves_of(said: Sheet, true: Sheet) -> tuple[list[Curve], list[Curve], XAxis]:
    """The curves of either side that hold anything, and the x axis that the true labels stand on."""
    mine, theirs = ([one for one in panel_table(side).curves if len(one.values)] for side in (said, true))
    return mine, theirs, x_axis([label for curve in theirs for label in curve.labels])


def named_pairs(mine: Sequence[Curve], theirs: Sequence[Curve]) -> list[Pair]:
    """(true, predicted) series by name; two lone ones pair up whatever they are called."""
    if len(mine) == len(theirs) == 1:
        return [(0, 0)]
    alike = similarities([one.name.lower() for one in theirs], [one.name.lower() for one in mine])
    return assign(alike, above=0.5)


def points(curve: Curve, axis: XAxis) -> Floats:
    """(n, 2): x on the axis and value."""
    return np.column_stack([placed(axis, curve.labels), curve.values])


@lru_cache(maxsize=32)
def placed(axis: XAxis, labels: tuple[str, ...]) -> Floats:
    """`axis.place(labels)`; the series of a table have their labels in common."""
    return axis.place(labels)


def erp_of(said: Sheet, true: Sheet) -> Values:
    """Edit distance with real penalty in units of the values, mean over the true series (a lost one: all of it)."""
    mine, theirs, _ = curves_of(said, true)
    if not theirs:
        return {"erp": None}
    partner = dict(named_pairs(mine, theirs))
    nothing = np.array([], dtype=np.float64)
    distances = [
        erp(_finite(mine[partner[i]].values) if i in partner else nothing, _finite(one.values))
        for i, one in enumerate(theirs)
    ]
    return {"erp": float(np.mean(distances))}


def _finite(values: Floats) -> Floats:
    return values[np.isfinite(values)]


def density_of(said: Sheet, true: Sheet) -> Values:
    """ChartDensity-Bench for one chart: completeness, point coverage, MAE and RMSE in percent of the true range."""
    found = chartdensity_chart(_long(said), _long(true))
    return {
        "density completeness": found.completeness if found else None,
        "density coverage": found.point_coverage if found else None,
        "density mae": found.mae if found else None, "density rmse": found.rmse if found else None,
    }  # fmt: skip


def _long(sheet: Sheet) -> list[Row]:
    return [
        (curve.name, label, repr(float(value)))
        for curve in panel_table(sheet).curves
        for label, value in zip(curve.labels, curve.values, strict=True)
    ]


def parse_of(said: Sheet, true: Sheet) -> Values:
    """ChartParse-Bench: series recall x coverage x accuracy, marks left out."""
    mine, theirs, axis = curves_of(said, true)
    found = chartparse([points(one, axis) for one in mine], [points(one, axis) for one in theirs])
    return {"chartparse": found.score if found else None}


def chart_info_of(said: Sheet, true: Sheet) -> Values:
    """CHART-Info task 6a and 6b; words on x: as bars, else as lines."""
    mine, theirs, axis = curves_of(said, true)
    if not theirs:
        return {"chart-info 6a": None, "chart-info 6b": None}
    kind: ChartKind = "bar" if axis.kind == "category" else "line"
    longest = max((len(one.values) for one in mine), default=0) * max(len(one.values) for one in theirs)
    if kind == "bar" and longest > FARTHEST_PAIRS:  # thousands of surplus rows: nothing of it can be right
        return {"chart-info 6a": 0.0, "chart-info 6b": 0.0}
    sides = [[_data_series(one, axis, kind) for one in side] for side in (mine, theirs)]
    return {
        f"chart-info {task}": chart_info(sides[0], sides[1], kind, names)
        for task, names in (("6a", False), ("6b", True))
    }


def _data_series(curve: Curve, axis: XAxis, kind: ChartKind) -> DataSeries:
    x: Sequence[float | str] = curve.labels if kind == "bar" else placed(axis, curve.labels).tolist()
    return DataSeries(curve.name, list(zip(x, curve.values.tolist(), strict=True)))


def fpc_of(said: Sheet, true: Sheet) -> Values:
    """FPC-NRMSE of the curves as lines; lower is better, 1 is a failure."""
    mine, theirs, axis = curves_of(said, true)
    found = fpc_nrmse([points(one, axis) for one in mine], [points(one, axis) for one in theirs])
    return {"fpc-nrmse": found.loss if found else None}


def downstream_of(said: Sheet, true: Sheet) -> Values:
    """Errors of total, peak time (steps) and peak size, and the fidelity of growth: means over series that have
    them; a series that is lost has none of its total."""
    mine, theirs, _ = curves_of(said, true)
    partner = dict(named_pairs(mine, theirs))
    nothing = np.array([], dtype=np.float64)
    found = [
        downstream(mine[partner[i]].values if i in partner else nothing, one.values, one.name)
        for i, one in enumerate(theirs)
    ]
    values: Values = {}
    for name in STATISTICS:
        known = [value for value in (getattr(one, name) for one in found) if value is not None]
        title = "growth fidelity" if name == "growth" else f"{name.replace('_', ' ')} error"
        values[title] = float(np.mean(known)) if known else None
    return values
