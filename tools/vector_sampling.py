"""Points that a producer left out of a smooth curve because it drew (nearly) straight between its neighbours.

Some producers merge vertices that lie on a line, to less than a pixel: 400 points become 106 vertices. Where those that
are left stand on an even grid, and no gap hides a bend, the points between them are put back on the straight stretches.
Not handled here: curves whose points have no even spacing (the vertices stay as they are).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tools.types import Floats

Mask = NDArray[np.bool_]

LEAST = 100  # points: shorter curves are drawn whole
FILLED = 0.95  # share of the places of a grid
KEPT = 0.05  # share of the points of the grid that must be drawn
MOST = 0.5  # share of the points above which a grid that others fill is this curve's own, however it bends
HIDDEN = 0.4  # px: how far a curve may bend away from a stretch that was merged
ON_GRID = 0.02  # of a step, beside the rounding of coordinates
ROUNDING = 0.02  # px
MANY = 40  # vertices
UNEVEN = 1.8  # between wide and narrow gaps: months differ less
TURN = 0.15  # radians at a vertex of a smooth curve


def filled(points: Floats, columns: Floats) -> tuple[Floats, Mask] | None:
    """All points (n, 2) of the grid that a curve's vertices stand on, and which were drawn (n,) bool; None without one.

    points: vertices (m, 2) from left to right, in figure pixels. columns: the x of the vertices of all curves of the
    panel, sorted: together they show a finer step than one curve that is nearly straight.
    """
    x, y = points.T
    if len(points) < 8 or np.diff(x).min() <= ROUNDING:
        return None
    gaps = np.diff(columns)
    least = float(gaps[gaps > 0.3].min(initial=np.inf))
    for part in (1, 2, 3):
        step = _refined(columns, least / part)
        number = (x - x[0]) / step
        whole = np.round(number)
        count = int(whole[-1]) + 1
        if np.abs(number - whole).max() * step > ON_GRID * step + ROUNDING:
            continue
        if count < LEAST or len(x) < KEPT * count or count == len(x):
            return None
        shared = len(x) >= MOST * count and _is_even(columns, step)
        bends = _bends(x, y, np.flatnonzero(np.diff(x) > 1.5 * step))
        if not shared and len(bends) and float(np.quantile(bends, 0.95)) > HIDDEN:
            return None
        at = x[0] + step * np.arange(count)
        drawn = np.zeros(count, dtype=bool)
        drawn[whole.astype(np.intp)] = True
        return np.column_stack([at, np.interp(at, x, y)]), drawn
    return None


def _is_even(columns: Floats, step: float) -> bool:
    """Whether the vertices of all curves together leave hardly a place of the grid free."""
    numbers = np.unique(np.round((columns - columns[0]) / step))
    return bool(len(numbers) > FILLED * (numbers[-1] + 1))


def _refined(x: Floats, step: float) -> float:
    """The step of the grid through all vertices, from a first guess that may be off by its rounding."""
    for reach in (8, 64, 512, len(x)):
        number = np.round((x[:reach] - x[0]) / step)
        if number[-1] > 0:
            step = float(((x[:reach] - x[0]) @ number) / (number @ number))
    return step


def _bends(x: Floats, y: Floats, where: NDArray[np.intp]) -> Floats:
    """How far a curve would leave its chord in these gaps, by the slopes on both sides of each, in px."""
    slopes = np.diff(y) / np.diff(x)
    inner = where[(where > 0) & (where < len(slopes) - 1)]
    middles = (x[1:] + x[:-1]) / 2
    curvature = (slopes[inner + 1] - slopes[inner - 1]) / (middles[inner + 1] - middles[inner - 1])
    return np.asarray(np.abs(curvature) * (x[inner + 1] - x[inner]) ** 2 / 8, dtype=np.float64)


def is_thinned(points: Floats) -> bool:
    """Whether vertices (n, 2) look like what a producer left of a smooth curve: many, uneven, and hardly turning."""
    x, y = points.T
    gaps = np.diff(x)
    if len(points) < MANY or gaps.min() <= 0 or np.quantile(gaps, 0.9) < UNEVEN * np.quantile(gaps, 0.1):
        return False
    turns = np.abs(np.diff(np.unwrap(np.arctan2(np.diff(y), gaps))))
    return bool(np.median(turns) < TURN)
