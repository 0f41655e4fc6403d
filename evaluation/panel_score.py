"""One panel judged: ECS by name and by shape, points in reach, precision, error along x, names.

Rows (lines, bars, areas, histograms) are compared in order of x and get ECS; scatter, survival curves and box plots get
points alone. y is measured in what is drawn: decades on a log axis. Not handled here: which predicted panel this is
(see `bench`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evaluation.ecs import ecs, ecs_series
from evaluation.points import SLACK, STEP_SAMPLES, Points, hits, points, step_hits, x_error
from evaluation.positions import XAxis, decades, key_of, step_of, x_axis
from evaluation.tables import Box, PanelTable
from evaluation.truth import PanelFacts
from tools.align import assign, plain, similarities

Floats = NDArray[np.float64]
Form = Literal["rows", "scatter", "survival", "box"]
Range = tuple[float, float]
INVISIBLE = 1e-3  # of the axis range: a bar of less height cannot be seen
CLOSE, NEAR = 0.02, 0.05
NAME_THRESHOLD = 0.5


@dataclass(frozen=True)
class PanelScore:
    """Shares of 1 (higher is better), `x_error` in steps (lower is better); None where a measure does not apply."""

    ecs: float | None = None
    ecs_own: float | None = None
    ecs_shape: float | None = None
    in_2: float = 0.0
    in_5: float = 0.0
    precision: float | None = None
    x_error: float | None = None
    names: float | None = None


@dataclass(frozen=True, eq=False)
class Drawn:
    """One series in drawn units. `labels` and `values` are those of the table."""

    name: str
    points: Points


def score_panel(truth: PanelTable, pred: PanelTable | None, kind: str, facts: PanelFacts) -> PanelScore:
    """Judge one predicted table (None: there is none) by the true one."""
    form = form_of(truth, kind)
    if form == "box":
        return _score_boxes(truth.boxes, pred.boxes if pred else ())
    axis = x_axis([label for curve in truth.curves for label in curve.labels], facts.log_x)
    true, said = (_drawn(table, axis, facts, form) for table in (truth, pred or PanelTable()))
    true = [one for one in true if len(one.points)]
    if not true:
        return PanelScore()
    span = drawn_range(true, _units(truth.extremes, facts), facts)
    bars = facts.from_zero or (kind == "compound" and are_counts(truth, axis))
    if form == "rows" and bars and kind != "area" and not facts.log_y:
        height = INVISIBLE * (span[1] - span[0])
        true, said = ([Drawn(one.name, visible(one.points, height)) for one in side] for side in (true, said))
        true = [one for one in true if len(one.points)] or true
    if form == "rows":
        return _score_rows(true, said, span, facts, axis)
    return _score_marks(true, said, span, form, axis)


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


def _drawn(table: PanelTable, axis: XAxis, facts: PanelFacts, form: Form) -> list[Drawn]:
    return [
        Drawn(curve.name, points(axis.place(curve.labels), _units(curve.values, facts), form == "survival"))
        for curve in table.curves
    ]


def drawn_range(true: Sequence[Drawn], extremes: Floats, facts: PanelFacts) -> Range:
    """The range of everything drawn on the value axis: all series, error bars, the base of bars, whole stacks."""
    values = np.concatenate([one.points.y for one in true] + [extremes[np.isfinite(extremes)]])
    if facts.stacked:
        heights: dict[float, float] = {}
        for one in true:
            for x, y in zip(one.points.x.tolist(), one.points.y.tolist(), strict=True):
                heights[x] = heights.get(x, 0.0) + y
        values = np.append(values, list(heights.values()))
    if facts.from_zero and not facts.log_y:
        values = np.append(values, 0.0)
    return float(values.min()), float(values.max())


def visible(curve: Points, height: float) -> Points:
    """Without the bars of no height before the first and after the last one that can be seen."""
    seen = np.flatnonzero(np.abs(curve.y) > height)
    return Points(curve.x[seen[0] : seen[-1] + 1], curve.y[seen[0] : seen[-1] + 1]) if len(seen) else Points(
        curve.x[:0], curve.y[:0]
    )  # fmt: skip


def _score_rows(true: list[Drawn], said: list[Drawn], span: Range, facts: PanelFacts, axis: XAxis) -> PanelScore:
    ranges = [_own_axis(one.points.y, facts) if facts.twin else span for one in true]
    pred, gt = ([(one.name, one.points.y) for one in side] for side in (said, true))
    by_name, by_own = ecs(pred, gt, y_ranges=ranges), ecs(pred, gt)
    shape = np.array(
        [[ecs_series(s.points.y, t.points.y, r).score for s in said] for t, r in zip(true, ranges, strict=True)]
    )
    shape = shape.reshape(len(true), len(said))
    reach_x = [_half_step(one, true, axis) for one in true]
    reach_y = [_own_span(one, span) for one in true]
    near = _hit_matrix(true, said, reach_x, reach_y, NEAR)
    sizes = np.array([len(one.points) for one in true], dtype=np.float64)
    every = float(sizes.sum())
    pairs = assign(shape + near / sizes[:, None])
    close = sum(hits(said[j].points, true[i].points, reach_x[i], CLOSE * reach_y[i]) for i, j in pairs)
    errors = [x_error(said[j].points, true[i].points, 2 * reach_x[i]) for i, j in pairs]
    known = [error for error in errors if error is not None]
    total = sum(len(one.points) for one in said)
    found = float(sum(near[i, j] for i, j in pairs))
    return PanelScore(
        ecs=by_name.score if by_name else None, ecs_own=by_own.score if by_own else None,
        ecs_shape=float(sum(shape[i, j] for i, j in assign(shape))) / len(true),
        in_2=close / every, in_5=found / every, precision=found / total if total else None,
        x_error=float(np.mean(known)) if known else None, names=_names_right(true, said, pairs),
    )  # fmt: skip


def _score_marks(true: list[Drawn], said: list[Drawn], span: Range, form: Form, axis: XAxis) -> PanelScore:
    """Scatter (a point must be near in x and in y) and survival curves (step functions)."""
    reach_y = [_own_span(one, span) for one in true]
    if form == "survival":
        said_of = [step_hits(one.points, true[0].points, 1.0)[1] for one in said]
        counts = [
            np.array(
                [
                    [step_hits(s.points, t.points, share * r)[0] for s in said]
                    for t, r in zip(true, reach_y, strict=True)
                ]
            )
            for share in (CLOSE, NEAR)
        ]
        sizes = STEP_SAMPLES * len(true)
        total = sum(said_of)
    else:
        spread = [float(np.ptp(np.concatenate([one.points.x for one in true])))] * len(true)
        spread = [float(np.ptp(one.points.x)) or wide for one, wide in zip(true, spread, strict=True)]
        counts = []
        for share in (CLOSE, NEAR):
            reach_x = [0.4 if axis.kind == "category" else share * wide for wide in spread]
            counts.append(_hit_matrix(true, said, reach_x, reach_y, share))
        sizes = sum(len(one.points) for one in true)
        total = sum(len(one.points) for one in said)
    close, near = (count.reshape(len(true), len(said)) for count in counts)
    pairs = assign(near)
    found = float(sum(near[i, j] for i, j in pairs))
    return PanelScore(
        in_2=float(sum(close[i, j] for i, j in pairs)) / sizes, in_5=found / sizes,
        precision=min(1.0, found / total) if total else None, names=_names_right(true, said, pairs),
    )  # fmt: skip


def _hit_matrix(
    true: Sequence[Drawn], said: Sequence[Drawn], reach_x: Sequence[float], reach_y: Sequence[float], share: float
) -> Floats:
    found = [
        [hits(s.points, t.points, across, share * up) for s in said]
        for t, across, up in zip(true, reach_x, reach_y, strict=True)
    ]
    return np.array(found, dtype=np.float64).reshape(len(true), len(said))


def _half_step(one: Drawn, true: Sequence[Drawn], axis: XAxis) -> float:
    """Half the step of the series along x; of a lone point, half the panel's; of a lone place, anywhere near it."""
    if axis.kind == "category":
        return 0.5
    step = step_of(one.points.x) or step_of(np.concatenate([other.points.x for other in true]))
    return step / 2 or 0.5 * (1.0 + abs(float(one.points.x[0])))


def _own_span(one: Drawn, span: Range) -> float:
    """The range of a series; of a flat one, that of the axis."""
    return float(np.ptp(one.points.y)) or span[1] - span[0] or abs(span[0])


def _own_axis(values: Floats, facts: PanelFacts) -> Range:
    """With two value axes nothing says which one a series stands on: its own range, from 0 where bars are."""
    low, high = float(values.min()), float(values.max())
    return (min(low, 0.0), max(high, 0.0)) if facts.from_zero and not facts.log_y else (low, high)


def _names_right(true: Sequence[Drawn], said: Sequence[Drawn], pairs: Sequence[tuple[int, int]]) -> float | None:
    """Share of true series whose partner by shape bears their name, and no other's; None for a lone series."""
    if len(true) < 2:
        return None
    alike = similarities([plain(one.name) for one in true], [plain(one.name) for one in said])
    right = [alike[i, j] > NAME_THRESHOLD and alike[i, j] >= alike[:, j].max() for i, j in pairs]
    return float(sum(right) / len(true))


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
