"""One panel judged: ECS by name and by shape, points in reach, precision, error along x, names.

Rows (lines, bars, areas, histograms) are compared in order of x and get ECS; scatter, survival curves and box plots get
points alone. y is measured in what is drawn: decades on a log axis. Not handled here: which predicted panel this is
(see `bench`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evaluation.points import SLACK, STEP_SAMPLES, points, step_hits
from evaluation.positions import XAxis, decades, key_of, x_axis
from evaluation.row_score import (
    CLOSE,
    NEAR,
    Drawn,
    PanelScore,
    Range,
    drawn_range,
    hit_matrix,
    names_right,
    own_span,
    score_rows,
)
from evaluation.tables import Box, PanelTable
from evaluation.truth import PanelFacts
from tools.align import assign

Floats = NDArray[np.float64]
Form = Literal["rows", "scatter", "survival", "box"]


def score_panel(truth: PanelTable, pred: PanelTable | None, kind: str, facts: PanelFacts) -> PanelScore:
    """Judge one predicted table (None: there is none) by the true one."""
    form = form_of(truth, kind)
    if form == "box":
        return _score_boxes(truth.boxes, pred.boxes if pred else ())
    if facts.percent and pred:
        pred = _as_shares(pred, truth)
    axis = x_axis([label for curve in truth.curves for label in curve.labels], facts.log_x)
    true, said = (_drawn(table, axis, facts, form) for table in (truth, pred or PanelTable()))
    true = [one for one in true if len(one.points)]
    if not true:
        return PanelScore()
    span = drawn_range(true, _units(truth.extremes, facts), facts)
    if form == "rows":
        bars = facts.from_zero or (kind == "compound" and are_counts(truth, axis))
        return score_rows(true, said, span, facts, axis, bars and kind != "area" and not facts.log_y)
    if form == "survival":
        return _score_survival(true, said, span)
    return _score_scatter(true, said, span, axis)


def form_of(truth: PanelTable, kind: str) -> Form:
    """How a panel is compared. Panels of compound figures, and figures of unknown kind, are known by their table."""
    if truth.boxes:
        return "box"
    if kind in ("scatter", "survival"):
        return "scatter" if kind == "scatter" else "survival"
    if kind in ("compound", ""):
        if any(is_survival(curve.labels, curve.values) for curve in truth.curves):
            return "survival"
        labels = [curve.labels for curve in truth.curves]
        if (
            any(len(set(one)) < len(one) for one in labels)
            and x_axis([v for one in labels for v in one]).kind == "category"
        ):
            return "scatter"
    return "rows"


def is_survival(labels: Sequence[str], values: Floats) -> bool:
    """True of a curve that only falls, from 1 or 100 at x = 0."""
    starts = len(values) >= 5 and values[0] in (1.0, 100.0) and key_of(labels[0]) == "0"
    return starts and bool((np.diff(values) <= 0).all()) and values[-1] < values[0]


def are_counts(truth: PanelTable, axis: XAxis) -> bool:
    """True of whole numbers over time: bars, where nothing says how the panels of a compound figure are drawn."""
    values = np.concatenate([curve.values for curve in truth.curves])
    return axis.kind == "date" and bool(((values >= 0) & (values == np.round(values))).all())


def _units(values: Floats, facts: PanelFacts) -> Floats:
    return decades(values) if facts.log_y else values


def _as_shares(pred: PanelTable, truth: PanelTable) -> PanelTable:
    """Percents as shares of 1, where the axis prints percents and the truth holds shares."""
    largest = [
        max((float(np.abs(c.values).max()) for c in side.curves if len(c.values)), default=0.0)
        for side in (truth, pred)
    ]
    if not largest[0] <= 1.5 < largest[1]:
        return pred
    return replace(pred, curves=tuple(replace(curve, values=curve.values / 100) for curve in pred.curves))


def _drawn(table: PanelTable, axis: XAxis, facts: PanelFacts, form: Form) -> list[Drawn]:
    return [
        Drawn(curve.name, points(axis.place(curve.labels), _units(curve.values, facts), form == "survival"))
        for curve in table.curves
    ]


def _score_scatter(true: list[Drawn], said: list[Drawn], span: Range, axis: XAxis) -> PanelScore:
    """A point must be near in x and in y, each as a share of its series' range; words on x must be the same."""
    wide = float(np.ptp(np.concatenate([one.points.x for one in true])))
    spread = [float(np.ptp(one.points.x)) or wide for one in true]
    fits = [[one.points for one in said]] * len(true)
    counts = []
    for share in (CLOSE, NEAR):
        reach_x = [0.4 if axis.kind == "category" else share * one for one in spread]
        counts.append(hit_matrix(true, fits, reach_x, [share * own_span(one, span) for one in true]))
    every, total = (sum(len(one.points) for one in side) for side in (true, said))
    return _from_counts(true, said, counts[0], counts[1], every, total)


def _score_survival(true: list[Drawn], said: list[Drawn], span: Range) -> PanelScore:
    """Step functions, compared at 200 even x."""
    cells = np.array([
        [[step_hits(s.points, t.points, share * own_span(t, span))[0] for share in (CLOSE, NEAR)] for s in said]
        for t in true
    ]).reshape(len(true), len(said), 2)  # fmt: skip
    total = sum(step_hits(one.points, true[0].points, 1.0)[1] for one in said)
    return _from_counts(true, said, cells[..., 0], cells[..., 1], STEP_SAMPLES * len(true), total)


def _from_counts(
    true: list[Drawn], said: list[Drawn], close: Floats, near: Floats, every: int, total: int
) -> PanelScore:
    """Series paired by how many points are near."""
    pairs = assign(near)
    found = float(sum(near[i, j] for i, j in pairs))
    return PanelScore(
        in_2=float(sum(close[i, j] for i, j in pairs)) / every, in_5=found / every,
        precision=min(1.0, found / total) if total else None, names=names_right(true, said, pairs),
    )  # fmt: skip


def _score_boxes(true: Sequence[Box], said: Sequence[Box]) -> PanelScore:
    """The five numbers of each box, boxes matched by label (what no label tells apart: in order)."""
    by_label = {box.label: box for box in reversed(true)}
    axis = XAxis("category", tuple(dict.fromkeys(box.label for box in true)))
    places = dict(zip(axis.place([box.label for box in said]).tolist(), said, strict=True))
    span = float(np.ptp(_known(true)))
    close = near = 0
    for place, label in enumerate(axis.labels):
        if place in places:
            off = np.abs(places[place].numbers - by_label[label].numbers) / (span or 1.0)
            close += int((off <= CLOSE * (1 + SLACK)).sum())
            near += int((off <= NEAR * (1 + SLACK)).sum())
    total, every = len(_known(said)), len(_known(true))
    return PanelScore(in_2=close / every, in_5=near / every, precision=near / total if total else None)


def _known(boxes: Sequence[Box]) -> Floats:
    numbers = np.array([box.numbers for box in boxes], dtype=np.float64).ravel()
    return numbers[np.isfinite(numbers)]
