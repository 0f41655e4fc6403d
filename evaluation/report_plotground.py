"""The tables of a PlotGround report. Not handled here: scores (`plotground_analysis`), pages (`report`)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evaluation.plotground_analysis import Analysis, Judged
from evaluation.report_tables import Sheet, Value, percent
from evaluation.stats import Interval


def plotground_sheets(results: Sequence[tuple[str, Analysis]]) -> list[Sheet]:
    """Accuracy, cost and time by method and evidence; chart types; what was opened; the pipeline; lists for people."""
    first = results[0][1]
    found = [accuracy_sheet(results), _by_kind(results), _opened(results), _funnel(first)]
    if first.check is not None:
        found += [_maker(first), _traps(first)]
    found += [_disagreements(results), _wrong(results), _unused(first)]
    return [sheet for sheet in found if sheet.rows]


def accuracy_sheet(results: Sequence[tuple[str, Analysis]]) -> Sheet:
    """The paper's main tables: accuracy at both tolerances, cost, output tokens and seconds a question."""
    rows: list[tuple[Value, ...]] = []
    for method, analysis in results:
        for evidence in analysis.evidences:
            group = [one for one in analysis.judged if one.evidence == evidence]
            five, two = (analysis.accuracy(evidence, k) for k in (0, 1))
            errors = [one.error for one in group if one.right[0] and one.error is not None]
            refused = sum(one.value is None for one in group)
            rows.append((method, evidence, len(group), *_percents(five), percent(two.mean), refused,
                         round(100 * float(np.median(errors)), 3) if errors else None, *_means(group)))  # fmt: skip
    rows.sort(key=lambda row: -float(row[3] or 0.0))
    header = ("method", "evidence", "questions", "±5 %", "low", "high", "±2 %", "refused", "median error %", "cents",
              "output tokens", "seconds")  # fmt: skip
    words = "what was refused counts as wrong; error of the right answers; cents, tokens and seconds a question"
    return Sheet("Answers", words, header, tuple(rows))


def _means(group: Sequence[Judged]) -> tuple[Value, ...]:
    cents = [100 * one.dollars for one in group if one.dollars is not None]
    return (round(float(np.mean(cents)), 4) if cents else None, round(float(np.mean([g.output_tokens for g in group]))),
            round(float(np.mean([g.seconds for g in group])), 2))  # fmt: skip


def _percents(one: Interval) -> tuple[Value, ...]:
    return percent(one.mean), percent(one.low), percent(one.high)


def _by_kind(results: Sequence[tuple[str, Analysis]]) -> Sheet:
    rows: list[tuple[Value, ...]] = []
    for method, analysis in results:
        for kind in sorted({one.kind for one in analysis.judged}):
            for evidence in analysis.evidences:
                five, two = (analysis.accuracy(evidence, k, kind) for k in (0, 1))
                rows.append((kind, method, evidence, five.n, percent(five.mean), percent(two.mean)))
    header = ("chart type", "method", "evidence", "questions", "±5 %", "±2 %")
    return Sheet("Answers by chart type", "", header, tuple(rows))


def _opened(results: Sequence[tuple[str, Analysis]]) -> Sheet:
    """How often figure and table were opened under each condition, and how many sheets."""
    rows: list[tuple[Value, ...]] = []
    for method, analysis in results:
        for evidence in analysis.evidences:
            traces = [one.opened for one in analysis.judged if one.evidence == evidence]
            figure = [float(any(o.startswith("figure") for o in trace)) for trace in traces]
            tables = [sum(o.startswith("table") for o in trace) for trace in traces]
            opened = percent(float(np.mean([t > 0 for t in tables])))
            rows.append((method, evidence, percent(float(np.mean(figure))), opened, round(float(np.mean(tables)), 2)))
    header = ("method", "evidence", "figure opened %", "table opened %", "sheets a question")
    return Sheet("What was opened", "from the trace of each answer", header, tuple(rows))


def _funnel(analysis: Analysis) -> Sheet:
    one = analysis.funnel
    rows: list[tuple[Value, ...]] = [
        ("papers", one.papers), ("figures", one.figures), ("panels", one.panels),
        ("panels mapped to a table", one.mapped), ("  of these by direct evidence", one.direct),
        ("panels grounded", one.grounded), ("questions", one.questions),
    ]  # fmt: skip
    rows += [(f"rejected panels: {reason}", count) for reason, count in sorted(one.rejected.items())]
    rows += [(f"discarded values: {reason}", count) for reason, count in sorted(one.discarded.items())]
    return Sheet("From papers to questions", "by rules, without a model", ("", "number"), tuple(rows))


def _maker(analysis: Analysis) -> Sheet:
    check = analysis.check
    assert check is not None
    rows = tuple((name, *_percents(one), one.n) for name, one in (
        ("panels mapped to the right sheet", check.mapping), ("traps found for their reason", check.trapped),
        ("sound panels grounded", check.kept), ("answers recomputed from the right cells", check.recomputed),
    ))  # fmt: skip
    return Sheet("The pipeline against what the maker knows", "", ("", "%", "low", "high", "of"), rows)


def _traps(analysis: Analysis) -> Sheet:
    assert analysis.check is not None
    rows = tuple((one.claim, one.reason, one.laid, one.found) for one in analysis.check.traps)
    return Sheet("Traps", "each named before it was drawn", ("trap", "to be rejected as", "laid", "found"), rows)


def _disagreements(results: Sequence[tuple[str, Analysis]]) -> Sheet:
    """Where figure and table differ, of the pipeline and of the answers from both: for a person to look at."""
    rows: list[tuple[Value, ...]] = [
        (one["paper"], f"{one['figure']}{one['panel']}", one["series"], one["at"], one["table"], one["read"])
        for one in results[0][1].disagreements
    ]
    for method, analysis in results:
        rows += [(method, one.id, one.question, "", one.value, one.figure_value) for one in analysis.judged
                 if one.evidence == "both" and one.value and one.figure_value is not None
                 and abs(one.value - one.figure_value) > 0.05 * abs(one.value)]  # fmt: skip
    header = ("paper or method", "figure", "series", "at", "table", "figure shows")
    return Sheet("Figure and table disagree", "for a person to look at", header, tuple(rows))


def _wrong(results: Sequence[tuple[str, Analysis]]) -> Sheet:
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (method, one.evidence, one.id, one.question, one.answer, one.value, one.reason)
        for method, analysis in results for one in analysis.judged if not one.right[0]
    )  # fmt: skip
    header = ("method", "evidence", "id", "question", "true", "given", "reason")
    return Sheet("Answers that are wrong or were refused", "", header, rows)


def _unused(analysis: Analysis) -> Sheet:
    return Sheet("Panels that were not used", "", ("paper", "figure", "reason", "what was found"), analysis.unused)


def points(results: Sequence[tuple[str, Analysis]]) -> list[dict[str, str | float | None]]:
    """Accuracy at 5 % and dollars a question of each method and evidence, for the plot of one against the other."""
    found: list[dict[str, str | float | None]] = []
    for method, analysis in results:
        for evidence in analysis.evidences:
            dollars = [one.dollars for one in analysis.judged if one.evidence == evidence and one.dollars is not None]
            found.append({"method": f"{method}, {evidence}", "ecs": analysis.accuracy(evidence, 0).mean,
                          "dollars": float(np.mean(dollars)) if dollars else 0.0})  # fmt: skip
    return found
