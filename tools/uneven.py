"""Points taken less often at first or at last: a grid without the places between them.

Surveys that became yearly after some rounds five years apart, say: on the grid of the dense part, curves turn at whole
multiples of a longer step only, over a stretch at one end, where they would have turned nearly everywhere.
Not handled here: rarer points in the middle of a curve.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tools.candidates import Knots
from tools.rendering import Drawing
from tools.types import Floats

Mask = NDArray[np.bool_]
TURN = 0.2  # px that a vertex stands off the chord of its neighbours where the curve turns
STEPS = (2, 3, 4, 5, 6, 10, 12)  # places of the grid from one of the rarer points to the next
PERIODS = 3  # of the rarer points at least
CORNERS = 2  # at which the curves must be seen to turn: a straight piece has no points to be told
SURE = 8.0  # nats by which the places between turn too rarely
SMOOTH = 0.8  # share of turning places that is taken for sure at most


def thinned(grid: Knots, drawings: Sequence[Drawing]) -> Knots:
    """The grid without the places between rarer points at one end of all `drawings`; the same grid if there are none.

    The drawings have their knots on places of the grid.
    """
    seen, turns = _turns(grid.places, drawings)
    reach = np.flatnonzero(seen)
    if len(reach) < PERIODS * STEPS[0]:
        return grid
    part = slice(int(reach[0]), int(reach[-1]) + 1)
    dropped = np.zeros(len(seen), dtype=bool)
    dropped[part] = _between(turns[part]) | _between(turns[part][::-1])[::-1]
    if not dropped.any():
        return grid
    nominal = None if grid.nominal is None else grid.nominal[~dropped]
    return replace(grid, places=grid.places[~dropped], nominal=nominal)


def _turns(places: Floats, drawings: Sequence[Drawing]) -> tuple[Mask, Mask]:
    """Which places (n,) carry a curve, and at which of them one turns."""
    seen, turns = np.zeros(len(places), dtype=bool), np.zeros(len(places), dtype=bool)
    for drawing in drawings:
        at = int(np.argmin(np.abs(places - drawing.knots[0])))
        values = drawing.values
        seen[at : at + len(values)] = True
        away = np.abs(values[1:-1] - (values[:-2] + values[2:]) / 2)
        turns[at + 1 : at + len(values) - 1] |= away > TURN
    return seen, turns


def _between(turns: Mask) -> Mask:
    """The places (n,) between rarer points from the first on, as many as surely are none; `turns`: where curves turn.

    The first place is a point. Of all longer steps the one whose places turn most too rarely is taken.
    """
    number = np.arange(len(turns))
    best, most = np.zeros(len(turns), dtype=bool), SURE
    for step in STEPS:
        apart = number % step != 0
        odd = np.flatnonzero(turns & apart)
        last = (int(odd[0]) if len(odd) else len(turns) - 1) // step * step
        stretch = (number <= last) & apart
        corners = int((turns & (number < last) & ~apart).sum()) if last else 0
        rest = turns[last + 1 : -1]
        if last < PERIODS * step or corners < CORNERS or len(rest) < stretch.sum():
            continue
        share = min(SMOOTH, float(rest.mean()))
        nats = -float(np.log1p(-share)) * int(stretch.sum())
        if nats > most:
            best, most = stretch, nats
    return best
