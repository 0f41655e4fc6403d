"""The tables of a benchmark report, as rows of text and numbers: leaderboards like the papers' and their analyses.

Not handled here: pages (`report`) and plots (`report_plots`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from evaluation import chartab_analysis, chartparse_analysis, density, epicurve
from evaluation.bench import mean, summarise
from evaluation.benchmark import MethodResult
from evaluation.calibration import Class, Stated, classes, rank_correlation
from evaluation.ecs import EcsImage
from evaluation.stats import Interval, Paired, Term, paired

Value = str | float | int | None


@dataclass(frozen=True)
class Sheet:
    """One table of a report: a title, a line of explanation, a header and rows."""

    title: str
    words: str
    header: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]


def sheets_of(results: Sequence[MethodResult], benchmark: str, terms: Sequence[Term] = ()) -> list[Sheet]:
    """Every table of a report, the leaderboard first."""
    if benchmark == "plotground":
        from evaluation.plotground_analysis import Analysis as Questions
        from evaluation.report_plotground import plotground_sheets

        asked = [(one.method, one.analysis) for one in results if isinstance(one.analysis, Questions)]
        return [*plotground_sheets(asked), *_unscored(results)]
    found = [leaderboard(results), by_kind(results)]
    if len(results) > 1:
        found.append(paired_scores(results))
    for one in results:
        if isinstance(one.analysis, epicurve.Analysis):
            found += epicurve_sheets(one.method, one.analysis)
        elif isinstance(one.analysis, density.Analysis):
            found += density_sheets(one.method, one.analysis)
        elif isinstance(one.analysis, chartparse_analysis.Analysis):
            found += chartparse_sheets(one.method, one.analysis)
        elif isinstance(one.analysis, chartab_analysis.Analysis):
            from evaluation.report_chartab import chartab_sheets

            found += chartab_sheets(one.method, one.analysis)
    if terms:
        found.append(mixed_sheet(terms))
    found += [sheet for one in results if one.cells for sheet in calibration_sheets(one)]
    return found + _unscored(results)


def _unscored(results: Sequence[MethodResult]) -> list[Sheet]:
    lost = tuple((one.method, name, why) for one in results for name, why in one.unscored)
    words = "failed for reasons outside of the reading; in no mean"
    return [Sheet("Not scored", words, ("method", "figure", "cause"), lost)] if lost else []


def percent(value: float | None) -> float | None:
    return None if value is None else round(100 * value, 1)


def leaderboard(results: Sequence[MethodResult]) -> Sheet:
    """The bench's figures, cost and time of each method, best ECS first."""
    rows = []
    for one in results:
        whole = summarise(one.bench)[-1]
        rows.append((one.method, whole.n, whole.unscored, percent(whole.values["ecs"]), percent(whole.values["in_2"]),
                     percent(whole.values["in_5"]), percent(whole.values["precision"]),
                     percent(mean(s.panels_right for s in one.bench)), one.seconds and round(one.seconds, 1),
                     None if one.dollars is None else round(one.dollars, 4), one.tokens))  # fmt: skip
    rows.sort(key=lambda row: -(row[3] or 0.0))
    header = ("method", "figures", "unscored", "ECS %", "in 2 %", "in 5 %", "precision %", "panels %", "seconds",
              "dollars", "tokens")  # fmt: skip
    return Sheet("Leaderboard", "by the rules of the bench; median seconds a figure", header, tuple(rows))


def by_kind(results: Sequence[MethodResult]) -> Sheet:
    rows = [(one.method, line.kind, line.n, percent(line.values["ecs"]), percent(line.values["in_2"]),
             percent(line.values["in_5"])) for one in results for line in summarise(one.bench)[:-1]]  # fmt: skip
    return Sheet("By kind of chart", "", ("method", "kind", "figures", "ECS %", "in 2 %", "in 5 %"), tuple(rows))


def paired_scores(results: Sequence[MethodResult]) -> Sheet:
    """Every method against the first one, on the same figures, with paired bootstrap intervals."""
    first = results[0]
    rows = []
    for other in results[1:]:
        mine = {one.id: one.values["ecs"] for one in first.bench}
        pairs = [(mine.get(one.id), one.values["ecs"]) for one in other.bench]
        gap = paired([a for a, _ in pairs], [b for _, b in pairs])
        rows.append((f"{other.method} against {first.method}", *_interval(gap.difference), percent(gap.grew)))
    return Sheet("Paired differences in ECS", "percentage points, 95 % bootstrap intervals over the same figures",
                 ("methods", "difference", "low", "high", "figures", "share better %"), tuple(rows))  # fmt: skip


def calibration_sheets(one: MethodResult) -> list[Sheet]:
    """Stated intervals against errors, by width; of an ensemble also the spread of its members against errors."""
    words = "cells by the width of their 90 % interval; halves and errors in percent of the series' range"
    rows = tuple((*_class_name(k, found), c.n, round(c.half, 3), round(c.error, 3), percent(c.inside))
                 for found in [classes(one.cells)] for k, c in enumerate(found))  # fmt: skip
    sheets = [
        Sheet(f"Stated intervals: {one.method}", words, ("cells", "n", "half interval", "error", "inside %"), rows)
    ]
    spreads = classes(one.cells, "spread")
    if spreads:
        kinds: tuple[Stated, ...] = ("spread", "half")
        ranks = {by: rank_correlation(one.cells, by) for by in kinds}
        told = (
            "cells by the median absolute deviation of the members, in percent of the series' range; Spearman's rho of "
            f"the spread with the error {_rho(ranks['spread'])}, of the interval, which joins the spread to each "
            f"reading's own uncertainty, {_rho(ranks['half'])}"
        )
        rows = tuple((*_class_name(k, spreads), c.n, round(c.spread or 0.0, 4), round(c.half, 3), round(c.error, 3))
                     for k, c in enumerate(spreads))  # fmt: skip
        header = ("cells", "n", "spread", "half interval", "error")
        sheets.append(Sheet(f"Spread of the members: {one.method}", told, header, rows))
    return sheets


def _class_name(number: int, found: Sequence[Class]) -> tuple[str]:
    return ("all" if number == len(found) - 1 else f"class {number + 1}",)


def _rho(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.2f}"


def _interval(one: Interval) -> tuple[Value, ...]:
    return percent(one.mean), percent(one.low), percent(one.high), one.n


def epicurve_sheets(method: str, analysis: epicurve.Analysis) -> list[Sheet]:
    """EpiCurveBench's tables for one method: score, decomposition, strata, sweeps, downstream statistics."""
    sheets = [Sheet(f"ECS of {method}", "as the paper computes it: each series on its own range, series by name",
                    ("", "ECS %", "low", "high", "charts"), (("all", *_interval(analysis.score)),))]  # fmt: skip
    if analysis.components is not None:
        parts = tuple((name.replace("_", " "), percent(v)) for name, v in asdict(analysis.components).items())
        sheets.append(Sheet(f"Where the points go: {method}", "the seven shares sum to 100 %", ("part", "%"), parts))
    strata = tuple((rule, one, *_interval(value)) for rule, group in analysis.strata.items()
                   for one, value in group.items())  # fmt: skip
    sheets.append(Sheet(f"Strata: {method}", "", ("by", "class", "ECS %", "low", "high", "charts"), strata))
    sweeps = tuple((p.switch, p.setting, percent(_score(p.result))) for p in analysis.sweeps)
    sheets.append(Sheet(f"Sweeps: {method}", "ECS under other settings", ("switch", "setting", "ECS %"), sweeps))
    names = {"total": "total, relative error", "peak_time": "peak time, steps",
             "peak_size": "peak size, relative error", "growth": "growth phase, correlation"}  # fmt: skip
    rows = []
    for name, words in names.items():
        one, ranks = analysis.statistics[name], analysis.spearman[name]
        rows.append((words, one.mean, one.n, *(ranks[m].rho for m in ("ecs", "dtw"))))
    sheets.append(Sheet(f"Downstream: {method}", "mean error of each statistic and Spearman's rho with the metrics",
                        ("statistic", "mean", "series", "rho ECS", "rho DTW"), tuple(rows)))  # fmt: skip
    return sheets


def _score(image: EcsImage | None) -> float | None:
    return None if image is None else image.score


def chartparse_sheets(method: str, analysis: chartparse_analysis.Analysis) -> list[Sheet]:
    """The product of ChartParse-Bench and its factors over all, by family and by level."""
    rows = tuple(
        (group, parts["score"].n, percent(parts["score"].mean), percent(parts["score"].low),
         percent(parts["score"].high), *(percent(parts[name].mean) for name in chartparse_analysis.FACTORS[1:]))
        for group, parts in analysis.groups.items()
    )  # fmt: skip
    header = ("group", "charts", "score %", "low", "high", "series recall %", "coverage %", "accuracy %",
              "mark recall %")  # fmt: skip
    return [Sheet(f"ChartParse: {method}", "series recall x coverage x accuracy x mark recall", header, rows)]


def density_sheets(method: str, analysis: density.Analysis) -> list[Sheet]:
    """ChartDensity-Bench's tables for one method: per density, growth, paired changes, slopes."""
    rows = tuple(tuple(_rounded(v) for v in row.values()) for row in density.summary_rows(analysis))
    header = ("charts", "compounds", "RFV", "CAR", "EC", "ACR", "PR", "point coverage", "MAE", "RMSE")
    sheets = [Sheet(f"Density: {method}", "as Table S1 of the paper", header, rows)]
    lines: list[tuple[Value, ...]] = []
    for name, change in analysis.change.items():
        gap, line = analysis.pairs[name], analysis.slopes[name]
        absolute, relative = change if change is not None else (None, None)
        lines.append((name.upper(), _rounded(absolute), _rounded(relative), *_change(gap), _rounded(line.slope),
                      _rounded(line.p)))  # fmt: skip
    header = ("error", "growth", "growth %", "paired change", "low", "high", "charts", "share worse %",
              "slope a chart", "p")  # fmt: skip
    sheets.append(Sheet(f"From the fewest to the most charts: {method}", "growth of the means, and paired over the same"
                        " charts; OLS slope of the error on the number of charts", header, tuple(lines)))  # fmt: skip
    return sheets


def _change(gap: Paired) -> tuple[Value, ...]:
    one = gap.difference
    return _rounded(one.mean), _rounded(one.low), _rounded(one.high), one.n, percent(gap.grew)


def _rounded(value: float | int | None) -> Value:
    return value if value is None or isinstance(value, int) else round(value, 4)


def mixed_sheet(terms: Sequence[Term]) -> Sheet:
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (t.name, *(round(v, 4) for v in (t.coefficient, t.error, t.z, t.p, t.low, t.high))) for t in terms
    )
    return Sheet("Mixed-effects model of the MAE", "method, density and their interaction; a random intercept a chart",
                 ("term", "coefficient", "standard error", "z", "p", "low", "high"), rows)  # fmt: skip


def overall(results: Sequence[MethodResult]) -> list[dict[str, Any]]:
    """(method, accuracy, cost, seconds) of each method, for the plot of accuracy against cost."""
    return [{"method": one.method, "ecs": mean(s.values["ecs"] for s in one.bench), "dollars": one.dollars or 0.0,
             "seconds": one.seconds or 0.0} for one in results]  # fmt: skip
