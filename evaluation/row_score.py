"""Rows judged: lines, bars, areas and histograms, in order of x, by ECS and by points.

Series arrive in drawn units (decades on log axes). Not handled here: reading tables, scatter, survival, boxes
(`panel_score`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evaluation.ecs import ecs, ecs_series, match_series
from evaluation.points import Points, hits, x_error
from evaluation.positions import XAxis, step_of
from evaluation.truth import PanelFacts
from tools.align import assign, plain, similarities

Floats = NDArray[np.float64]
Range = tuple[float, float]
INVISIBLE = 1e-3  # of the axis range: a bar of less height cannot be seen
LOW = 5e-3  # of the axis range: a bar of less height can be mistaken for none, and none for it
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


def score_rows(
    true: list[Drawn], said: list[Drawn], span: Range, facts: PanelFacts, axis: XAxis, bars: bool
) -> PanelScore:
    """Judge predicted by true series. `span`: the range of everything drawn on the axis; `bars`: ends of no height
    count for neither side."""
    height = span[1] - span[0]
    if bars:
        true = [one for one in _visible_ones(true, height) if len(one.points)] or true
        said = _visible_ones(said, height)
    reach_x = [half_step(one, true, axis) for one in true]
    fits = [[beside(s.points, t.points, reach, LOW * height) if bars else s.points for s in said]
            for t, reach in zip(true, reach_x, strict=True)]  # fmt: skip
    ranges = [_own_axis(one.points.y, facts) if facts.twin else span for one in true]
    shape = np.array([[ecs_series(fit.y, t.points.y, r).score for fit in row]
                      for row, t, r in zip(fits, true, ranges, strict=True)]).reshape(len(true), len(said))  # fmt: skip
    by_name, by_own = _by_name(true, said, fits, ranges)
    reach_y = [own_span(one, span) for one in true]
    near = hit_matrix(true, fits, reach_x, [NEAR * up for up in reach_y])
    sizes = np.array([len(one.points) for one in true], dtype=np.float64)
    pairs = assign(shape + near / sizes[:, None])
    close = sum(hits(fits[i][j], true[i].points, reach_x[i], CLOSE * reach_y[i]) for i, j in pairs)
    errors = [x_error(fits[i][j], true[i].points, 2 * reach_x[i]) for i, j in pairs]
    known = [error for error in errors if error is not None]
    partner = {j: i for i, j in pairs}
    total = sum(len(fits[partner[j]][j] if j in partner else one.points) for j, one in enumerate(said))
    found, every = float(sum(near[i, j] for i, j in pairs)), float(sizes.sum())
    return PanelScore(
        ecs=by_name, ecs_own=by_own, ecs_shape=float(sum(shape[i, j] for i, j in assign(shape))) / len(true),
        in_2=close / every, in_5=found / every, precision=found / total if total else None,
        x_error=float(np.mean(known)) if known else None, names=names_right(true, said, pairs),
    )  # fmt: skip


def _by_name(
    true: Sequence[Drawn], said: Sequence[Drawn], fits: Sequence[Sequence[Points]], ranges: Sequence[Range]
) -> tuple[float | None, float | None]:
    """ECS by name, errors as shares of the axis range, and of each series' own range."""
    pred = list(said)
    for i, j in match_series([one.name for one in said], [one.name for one in true]):
        pred[j] = replace(said[j], points=fits[i][j])
    labelled, gt = ([(one.name, one.points.y) for one in side] for side in (pred, true))
    by_axis, by_own = ecs(labelled, gt, y_ranges=ranges), ecs(labelled, gt)
    return (by_axis.score if by_axis else None), (by_own.score if by_own else None)


def _visible_ones(series: Sequence[Drawn], height: float) -> list[Drawn]:
    return [replace(one, points=visible(one.points, INVISIBLE * height)) for one in series]


def visible(curve: Points, height: float) -> Points:
    """Without the bars of no height before the first and after the last one that can be seen."""
    seen = np.flatnonzero(np.abs(curve.y) > height)
    kept = slice(seen[0], seen[-1] + 1) if len(seen) else slice(0, 0)
    return Points(curve.x[kept], curve.y[kept])


def beside(said: Points, true: Points, reach: float, height: float) -> Points:
    """Without the bars at either end that are too low to be told from none and stand before the first or after the
    last true one. Low bars between higher ones stay, also where the whole row stands elsewhere (in another year)."""
    outside = (said.x < true.x[0] - reach) | (said.x > true.x[-1] + reach)
    counted = np.flatnonzero(~(outside & (np.abs(said.y) <= height)))
    kept = slice(counted[0], counted[-1] + 1) if len(counted) else slice(0, 0)
    return Points(said.x[kept], said.y[kept])


def hit_matrix(
    true: Sequence[Drawn], said: Sequence[Sequence[Points]], reach_x: Sequence[float], reach_y: Sequence[float]
) -> Floats:
    """How many points of each true series (rows) each predicted one (columns) hits; `said`: a row per true series."""
    found = [
        [hits(points, one.points, across, up) for points in row]
        for row, one, across, up in zip(said, true, reach_x, reach_y, strict=True)
    ]
    return np.array(found, dtype=np.float64).reshape(len(true), len(said[0]))


def half_step(one: Drawn, true: Sequence[Drawn], axis: XAxis) -> float:
    """Half the step of the series along x; of a lone point, half the panel's; of a lone place, anywhere near it."""
    if axis.kind == "category":
        return 0.5
    step = step_of(one.points.x) or step_of(np.concatenate([other.points.x for other in true]))
    return step / 2 or 0.5 * (1.0 + abs(float(one.points.x[0])))


def own_span(one: Drawn, span: Range) -> float:
    """The range of a series; of a flat one, that of the axis."""
    return float(np.ptp(one.points.y)) or span[1] - span[0] or abs(span[0])


def _own_axis(values: Floats, facts: PanelFacts) -> Range:
    """With two value axes nothing says which one a series stands on: its own range, from 0 where bars are."""
    low, high = float(values.min()), float(values.max())
    return (min(low, 0.0), max(high, 0.0)) if facts.from_zero and not facts.log_y else (low, high)


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


def names_right(true: Sequence[Drawn], said: Sequence[Drawn], pairs: Sequence[tuple[int, int]]) -> float | None:
    """Share of true series whose partner by shape bears their name, and no other's; None for a lone series."""
    if len(true) < 2:
        return None
    alike = similarities([plain(one.name) for one in true], [plain(one.name) for one in said])
    right = [alike[i, j] > NAME_THRESHOLD and alike[i, j] >= alike[:, j].max() for i, j in pairs]
    return float(sum(right) / len(true))
