"""The tables of a ChartAB report. Not handled here: scores (`chartab_analysis`), pages (`report`)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evaluation.chartab_analysis import Analysis, PairScore, key_scores, recall
from evaluation.chartab_metrics import POSITIONS
from evaluation.report_tables import Sheet, Value
from evaluation.stats import Interval

ROBUST = "robust"


def chartab_sheets(method: str, analysis: Analysis) -> list[Sheet]:
    """Alignment and grounding by chart type, colours, places, text styles, robustness, questions."""
    types = list(dict.fromkeys(one.type for one in analysis.pairs))
    groups = [("all", list(analysis.pairs)), *((t, [o for o in analysis.pairs if o.type == t]) for t in types)]
    stages = "/".join(str(s) for s in sorted({one.stages for one in analysis.pairs}))
    return [
        Sheet(f"Alignment of pairs: {method}", f"scores out of ten, {stages} stages; key F1 and found in %",
              ("charts", "pairs", "data", "key F1", "color", "colors found", "legend", "text", "text key F1"),
              tuple(_alignment_row(name, group) for name, group in groups)),
        Sheet(f"Grounding of single charts: {method}", "data: SCRM mPrecision; colour L2 of 0 to 441.7; text: share of"
              " right sizes (10 %), weights, families of those that were not refused",
              ("charts", "data", "L2 median", "L2 90th", "place right %", "size %", "weight %", "family %",
               "refused %"), tuple(_grounding_row(name, group) for name, group in groups)),
        _confusion(method, analysis),
        Sheet(f"Robustness: {method}", "1 / (1 + standard deviation) of the data score over five looks",
              ("varied", "robustness", "low", "high", "sets"),
              tuple((n.removeprefix(f"{ROBUST} "), *_interval(v)) for n, v in analysis.robust.items())),
        Sheet(f"Questions: {method}", "right within 5 %, in two stages",
              ("", "right %", "low", "high", "questions"),
              tuple((n, *_percents(v)) for n, v in analysis.answers.items())),
        Sheet(f"Correlation: {method}", "Spearman's rho over charts", ("of", "rho"),
              tuple((n, _short(v)) for n, v in analysis.correlations.items())),
    ]  # fmt: skip


def _alignment_row(name: str, group: Sequence[PairScore]) -> tuple[Value, ...]:
    def total(task: str) -> Value:
        return _mean([one.total for one in group if one.task.startswith(task)])

    found = recall(group, "color")
    return (name, len(group), total("data"), _percent(key_scores(group, "data")), total("color"),
            None if found is None else round(100 * found, 1), total("legend"), total("text"),
            _percent(key_scores(group, "text")))  # fmt: skip


def _grounding_row(name: str, group: Sequence[PairScore]) -> tuple[Value, ...]:
    l2 = [v for one in group for v in one.colour_l2 if v is not None]
    places = [float(true == said) for one in group for true, said in one.places]
    texts = [text for one in group for text in one.texts]
    styles = [[v for text in texts if (v := text[key]) is not None] for key in ("size", "weight", "fontfamily")]
    refused = [float(text[key] is None) for text in texts for key in ("size", "weight", "fontfamily")]
    return (name, _mean([v for one in group for v in one.grounding]), *(_rank(l2, q) for q in (50, 90)),
            _percent(places), *(_percent(style) for style in styles), _percent(refused))  # fmt: skip


def _confusion(method: str, analysis: Analysis) -> Sheet:
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (place, *row) for place, row in zip(POSITIONS, analysis.confusion, strict=True)
    )
    return Sheet(f"Places of legends: {method}", "rows: true places; columns: as read", ("", *POSITIONS, "other"), rows)


def _mean(values: Sequence[float]) -> Value:
    return round(float(np.mean(values)), 2) if values else None


def _percent(values: Sequence[float]) -> Value:
    return round(100 * float(np.mean(values)), 1) if values else None


def _rank(values: Sequence[float], q: float) -> Value:
    return round(float(np.percentile(values, q)), 1) if values else None


def _short(value: float | None) -> Value:
    return None if value is None else round(value, 3)


def _interval(one: Interval) -> tuple[Value, ...]:
    return _short(one.mean), _short(one.low), _short(one.high), one.n


def _percents(one: Interval) -> tuple[Value, ...]:
    return (*(None if v is None else round(100 * v, 1) for v in (one.mean, one.low, one.high)), one.n)
