"""Which tail goes with which head where curves of one colour meet: so that the dashes of each are the same all along.

Between two meetings every walk shows a piece of a pattern: how long its dashes and gaps are. Tails are exchanged at
those meetings after which the dashes and the gaps of each curve scatter least (the description of all is shortest).
Not handled here: curves of one pattern, which keep the tails that their directions gave them (`dashes`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from tools.patterns import INKED
from tools.types import Floats
from tools.walks import Walk, across, meetings, near_walk, places

NEAR = 3.0  # times the stroke, and 4 px: rows between two curves that may have crossed in a gap
UNENDING = 15.0  # times the stroke: a dash this long is a solid line
SCATTER = 0.15  # of the logarithm of a dash or a gap that pixels alone make
GAIN = 2.5  # dashes and gaps, each described shorter by a factor e, that an exchange must gain
BEND = 2.0  # of these for every radian by which both curves then bend more, or less
LEAST = 1.0  # of these in any case
AROUND = 6.0  # times the stroke: columns before and behind a meeting that show its directions
MANY = 40  # meetings beyond which exchanges are tried one by one only


@dataclass(frozen=True)
class Meeting:
    """Walks `one` and `other` run together around this column; exchanging their tails must gain `price`."""

    column: int
    one: int
    other: int
    price: float


def untangled(walks: Sequence[Walk], ink: Floats, stroke: float) -> list[Walk]:
    """The walks, tails exchanged where their dashes go together better so; `ink` (h, w) coverage, `stroke` in px."""
    found = [
        Meeting((first + last) // 2, i, j, _price(walks[i], walks[j], first, last, AROUND * stroke))
        for i, j in combinations(range(len(walks)), 2)
        for first, last in meetings(walks[i], walks[j], NEAR * stroke + 4)
    ]
    found.sort(key=lambda one: one.column)
    if not found:
        return list(walks)
    pieces, usual = _pieces(walks, found, ink, stroke)
    if not usual:
        return list(walks)
    return _exchanged(walks, found, _best(pieces, found, len(walks), usual))


def _price(one: Walk, other: Walk, first: int, last: int, around: float) -> float:
    """What the exchange of two tails behind a meeting must gain: more where both curves then bend more."""
    before = [_heading(walk, first - around, first - 1) for walk in (one, other)]
    after = [_heading(walk, last + 1, last + around) for walk in (one, other)]
    kept = abs(before[0] - after[0]) + abs(before[1] - after[1])
    bend = abs(before[0] - after[1]) + abs(before[1] - after[0]) - kept
    return max(LEAST, GAIN + BEND * bend) if np.isfinite(bend) else GAIN


def _heading(walk: Walk, first: float, last: float) -> float:
    """The direction of a walk between two columns, radians; nan where it does not run there."""
    own = walk[(walk[:, 2] >= first) & (walk[:, 2] <= last)]
    if len(own) < 2:
        return float("nan")
    middle = (own[:, 0] + own[:, 1]) / 2
    return float(np.arctan2(middle[-1] - middle[0], own[-1, 2] - own[0, 2]))


def _pieces(
    walks: Sequence[Walk], found: Sequence[Meeting], ink: Floats, stroke: float
) -> tuple[list[list[Floats]], float]:
    """For every walk its pieces between its meetings, as sums (2, 3) of weight, value and square for dashes and gaps,
    and the usual length in px of a dash and its gap (0: none is broken)."""
    owned = [near_walk(walk, ink.shape, stroke) for walk in walks]
    all_pieces: list[list[Floats]] = []
    periods: list[float] = []
    for k, walk in enumerate(walks):
        others = np.any([own for n, own in enumerate(owned) if n != k], axis=0)
        at, length = places(walk)
        steep = np.repeat(walk[:, 1] > walk[:, 0], walk[:, 1] - walk[:, 0] + 1)
        on, clear = across(ink, at, steep) > INKED, ~others[at[:, 0], at[:, 1]]
        cuts = [one.column for one in found if k in (one.one, one.other)]
        part = np.searchsorted(cuts, at[:, 1], side="left")
        pieces = []
        for number in range(len(cuts) + 1):
            own = part == number
            sums, seen = _sums(on[own], length[own], clear[own], UNENDING * stroke)
            pieces.append(sums)
            periods += seen
        all_pieces.append(pieces)
    return all_pieces, float(np.median(periods)) if periods else 0.0


def _sums(
    on: NDArray[np.bool_], length: Floats, clear: NDArray[np.bool_], unending: float
) -> tuple[Floats, list[float]]:
    """The dashes and gaps of one piece: sums (2, 3) of weight (px), value and square, and its periods in px."""
    sums, periods = np.zeros((2, 3)), []
    edges = np.flatnonzero(np.diff(np.concatenate(([False], clear, [False])).astype(np.int8)))
    for a, b in zip(edges[::2], edges[1::2], strict=True):
        ends = np.concatenate(([0], np.flatnonzero(np.diff(on[a:b].astype(np.int8))) + 1, [b - a]))
        total = np.concatenate(([0.0], np.cumsum(length[a:b])))
        runs = np.diff(total[ends])
        inked = bool(on[a])
        for n, run in enumerate(runs.tolist()):
            whole = 0 < n < len(runs) - 1
            if inked and (whole or run >= unending):
                _add(sums[0], run + (runs[n + 1] if n + 1 < len(runs) else 0.0), np.log(min(run, unending) + 2))
            elif not inked and whole:
                _add(sums[1], runs[n - 1] + run, np.log(run + 2))
                periods.append(runs[n - 1] + run)
            inked = not inked
    return sums, periods


def _add(sums: Floats, weight: float, value: float) -> None:
    sums += (weight, weight * value, weight * value * value)


def _best(pieces: Sequence[Sequence[Floats]], found: Sequence[Meeting], count: int, usual: float) -> frozenset[int]:
    """The meetings at which tails are exchanged: one by one, or two of them at a time, as long as each step gains."""

    def cost(chosen: frozenset[int]) -> float:
        return _cost(pieces, found, count, chosen) / usual + sum(found[k].price for k in chosen)

    chosen: frozenset[int] = frozenset()
    least = cost(chosen)
    sizes = (1, 2) if len(found) <= MANY else (1,)
    steps = [frozenset(step) for size in sizes for step in combinations(range(len(found)), size)]
    while True:
        costs = [cost(chosen ^ step) for step in steps]
        best = int(np.argmin(costs))
        if costs[best] >= least - 1e-9:
            return chosen
        chosen, least = chosen ^ steps[best], costs[best]


def _cost(pieces: Sequence[Sequence[Floats]], found: Sequence[Meeting], count: int, chosen: frozenset[int]) -> float:
    """How much the dashes and gaps of every curve scatter, px times logarithm, if tails are exchanged at these."""
    owner, part = list(range(count)), [0] * count  # of every walk: whose tail it is now, and which of its pieces
    sums = [pieces[k][0].copy() for k in range(count)]
    for number, one in enumerate(found):
        if number in chosen:
            owner[one.one], owner[one.other] = owner[one.other], owner[one.one]
        for k in (one.one, one.other):
            part[k] += 1
            sums[owner[k]] += pieces[k][part[k]]
    table = np.array(sums).reshape(-1, 3)
    weight, value, square = table[table[:, 0] > 0].T
    spread = np.maximum(0.0, square / weight - (value / weight) ** 2)
    return float((weight * 0.5 * np.log(spread + SCATTER**2)).sum())


def _exchanged(walks: Sequence[Walk], found: Sequence[Meeting], chosen: frozenset[int]) -> list[Walk]:
    """The walks put together anew from what lies between the meetings at which tails are exchanged."""
    owner = list(range(len(walks)))
    parts: list[list[Walk]] = [[] for _ in walks]
    since = [-1] * len(walks)
    for number in sorted(chosen):
        one = found[number]
        for k in (one.one, one.other):
            columns = walks[k][:, 2]
            parts[owner[k]].append(walks[k][(columns > since[k]) & (columns <= one.column)])
            since[k] = one.column
        owner[one.one], owner[one.other] = owner[one.other], owner[one.one]
    for k, walk in enumerate(walks):
        parts[owner[k]].append(walk[walk[:, 2] > since[k]])
    return [np.concatenate(own) for own in parts]
