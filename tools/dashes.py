"""Curves of one colour told apart: walks that keep their direction through crossings, named by their dash patterns.

A walk to the right gains ink, pays for bare paper (little between the dashes of a line), for turning, and may pass the
ink of walks found before it at a small price. Solid curves gain most and come first, dotted ones last. Which legend
entry a walk belongs to is told by its dashes and gaps, held against those of the swatches.
Not handled here: curves of one colour and one pattern that touch without crossing (direction decides), loops.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numba import njit
from numpy.typing import NDArray

from tools.dash_swaps import untangled
from tools.patterns import INKED, Pattern, pattern_of, unlikeness
from tools.trace import INK, Trace, trace_along
from tools.types import Floats
from tools.walks import across, meetings, middles, near_walk, places

SLOPES = np.array(
    [-14, -9, -6, -4, -2.7, -1.8, -1.2, -0.8, -0.5, -0.25, 0, 0.25, 0.5, 0.8, 1.2, 1.8, 2.7, 4, 6, 9, 14.0]
)
TURN, KINK = 0.25, 3.0  # for the next slope, and for any other one
PAPER, BETWEEN = 0.6, 0.12  # for a column of bare paper, of the gap in a dashed line
USED = (0.12, -0.03)  # for a column of another's ink: when that is first seen, and when all are known
STEADIER = 0.5  # less unlike than this: curves of one pattern
CROSSING = 12.0  # times the stroke: columns that a crossing takes at most
SHARED = 0.4  # of a curve that another one may end on
LEAST_INK = 0.06  # of the first walk's ink that a further walk must find
LEAST_REACH = 0.3  # of the first walk's columns
MORE_INK, MORE_REACH = 0.25, 0.6  # the same for walks that no legend leads to expect
FRESH = 0.6  # of the inked columns of such a walk must show ink of its own
FULL = 0.8  # of the first one's coverage in most of these columns: else it is a fainter ink


@njit(cache=True)
def _means(cost: Floats) -> Floats:
    """Cumulative sums (h + 1, w) of every column."""
    h, w = cost.shape
    sums = np.zeros((h + 1, w))
    for r in range(h):
        for c in range(w):
            sums[r + 1, c] = sums[r, c] + cost[r, c]
    return sums


@njit(cache=True)
def _enter(
    c: int, r: int, j: int, cost: Floats, sums: Floats, best: Floats, anyhow: Floats, which: NDArray[np.int64],
    slopes: Floats, turn: float, kink: float,
) -> tuple[float, int]:  # fmt: skip
    """Cheapest way to row `r` with slope `j` in column `c`: its cost, and 2 * slope before + rounded up (-1: start)."""
    value, origin = cost[r, c], -1
    down = int(np.floor(slopes[j]))
    for extra in range(1 if slopes[j] == down else 2):
        d = down + extra
        p = r - d
        if c == 0 or p < 0 or p >= len(cost):
            continue
        low, high = min(p, r), max(p, r)
        step = (sums[high + 1, c] - sums[low, c]) / (high - low + 1) + 0.05 * abs(d - slopes[j])
        if best[p, j] + step < value:
            value, origin = best[p, j] + step, j * 2 + extra
        for k in (j - 1, j + 1):
            if 0 <= k < len(slopes) and best[p, k] + turn + step < value:
                value, origin = best[p, k] + turn + step, k * 2 + extra
        if anyhow[p] + kink + step < value:
            value, origin = anyhow[p] + kink + step, which[p] * 2 + extra
    return value, origin


@njit(cache=True)
def _walk(cost: Floats, slopes: Floats, turn: float, kink: float) -> NDArray[np.int64]:
    """The cheapest walk to the right: rows (n, 3) of first row, last row and column, in the order walked.

    The state is the row and the slope. A step of several rows is charged the mean cost of the rows that it crosses.
    Bare paper (cost `PAPER`) can be crossed within a step but holds no state.
    """
    h, w = cost.shape
    sums = _means(cost)
    best, back = np.zeros((h, len(slopes))), np.full((w, h, len(slopes)), np.int16(-1))
    lowest, row, slope, column = 0.0, -1, 0, -1
    anyhow, which = np.zeros(h), np.zeros(h, np.int64)
    for c in range(w):
        for r in range(h):
            which[r] = np.argmin(best[r])
            anyhow[r] = best[r, which[r]]
        found = np.zeros((h, len(slopes)))  # 0: a walk may begin anywhere
        for r in range(h):
            if cost[r, c] > 0.9 * PAPER:
                continue
            for j in range(len(slopes)):
                found[r, j], back[c, r, j] = _enter(
                    c, r, j, cost, sums, best, anyhow, which, slopes, turn, kink
                )  # fmt: skip
                if found[r, j] < lowest:
                    lowest, row, slope, column = found[r, j], r, j, c
        best = found
    return _retrace(back, slopes, row, slope, column)


@njit(cache=True)
def _retrace(back: NDArray[np.int16], slopes: Floats, r: int, j: int, c: int) -> NDArray[np.int64]:
    """The rows of the walk that ends in this state."""
    rows = np.zeros((max(0, c + 1), 3), np.int64)
    while c >= 0:
        origin = back[c, r, j]
        rows[c, 2] = c
        if origin < 0:
            rows[c, 0] = rows[c, 1] = r
            return rows[c:]
        p = r - (int(np.floor(slopes[j])) + origin % 2)
        rows[c, 0], rows[c, 1] = min(r, p), max(r, p)
        if rows[c, 1] > rows[c, 0]:  # the row that it came from belongs to the column before
            if p < r:
                rows[c, 0] += 1
            else:
                rows[c, 1] -= 1
        r, j, c = p, origin // 2, c - 1
    return rows


def find_walks(
    ink: Floats, hidden: NDArray[np.bool_], stroke: float, count: int, gap: float, most: int = 0
) -> list[NDArray[np.int64]]:
    """Up to `count` curves in the ink of one colour: for each the rows (n, 3) that it crosses in every column.

    `ink` (h, w) coverage 0 to 1; `hidden` (h, w) where a curve may run on unseen; `stroke` and `gap`: thickness of
    the strokes and length of the gaps between dashes, in px. Up to `most` curves where the others are as plain as the
    first.
    """
    peak = max(0.3, float(np.quantile(ink[ink > 0.1], 0.8))) if (ink > 0.1).any() else 1.0
    solid = np.minimum(1.0, 1.25 * ink / peak)
    walks: list[NDArray[np.int64]] = []
    total = 0.0
    used = np.zeros(ink.shape, dtype=bool)
    for number in range(max(count, most)):
        walk = _walk(_cost(solid, hidden, used, gap, False), SLOPES, TURN, KINK)
        if len(walk) < 8:
            break
        own = near_walk(walk, ink.shape, stroke)
        gained = float(solid[own & ~used].sum())
        first = walks[0] if walks else walk
        if walks and (gained < LEAST_INK * total or len(walk) < LEAST_REACH * len(first)):
            break
        if number >= count and not (
            gained > MORE_INK * total and len(walk) > MORE_REACH * len(first) and _is_fresh(walk, first, ink, used)
        ):
            break
        total = gained if not walks else total
        walks.append(walk)
        used |= own
    return _again(walks, solid, hidden, stroke, gap)


def _is_fresh(walk: NDArray[np.int64], first: NDArray[np.int64], ink: Floats, used: NDArray[np.bool_]) -> bool:
    """Whether most of the ink that a walk meets is of no walk before it, and as full as the first one's: no shade."""
    met, left = _fullest(ink, walk), _fullest(np.where(used, 0.0, ink), walk)
    level = float(np.quantile(_fullest(ink, first), 0.75))
    fresh = left > INKED * level
    return bool(fresh.sum() > FRESH * (met > INKED * level).sum() and (left > FULL * level).sum() > FRESH * fresh.sum())


def _fullest(ink: Floats, walk: NDArray[np.int64]) -> Floats:
    """The fullest coverage (n,) in each column of a walk."""
    return np.array([ink[low : high + 1, column].max() for low, high, column in walk.tolist()], dtype=np.float64)


def _again(
    walks: list[NDArray[np.int64]], solid: Floats, hidden: NDArray[np.bool_], stroke: float, gap: float
) -> list[NDArray[np.int64]]:
    """Each walk once more, now that the ink of all others is known."""
    if len(walks) < 2:
        return walks
    owned = [near_walk(walk, solid.shape, stroke) for walk in walks]
    for k in range(len(walks)):
        others = np.any([own for i, own in enumerate(owned) if i != k], axis=0)
        walk = _walk(_cost(solid, hidden, others & ~owned[k], gap, True), SLOPES, TURN, KINK)
        if len(walk) >= 0.8 * len(walks[k]):
            walks[k] = walk
            owned[k] = near_walk(walk, solid.shape, stroke)
    return walks


def _cost(solid: Floats, hidden: NDArray[np.bool_], used: NDArray[np.bool_], gap: float, known: bool) -> Floats:
    """What a column costs a walk at each place (h, w); `known`: the ink of all others is."""
    left = np.where(used, 0.0, solid)
    reach = int(max(3.0, gap)) | 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach))
    near = solid if known else left  # a curve runs on unseen beside and under others only where all are known
    close = cv2.dilate((near > 0.5 * INKED).astype(np.uint8), kernel) > 0
    bare = np.where(close | hidden, BETWEEN, PAPER)
    bare = np.where(used & (solid > INKED), USED[known], bare)
    return np.asarray(-left + (1 - left) * bare, dtype=np.float64)


def walk_pattern(ink: Floats, walk: NDArray[np.int64], others: NDArray[np.bool_]) -> Pattern:
    """The dashes of a walk where it is clear of the ink of others (h, w)."""
    at, length = places(walk)
    along = across(ink, at, np.repeat(walk[:, 1] > walk[:, 0], walk[:, 1] - walk[:, 0] + 1))
    shared = others[at[:, 0], at[:, 1]]
    pieces = np.split(np.arange(len(at)), np.flatnonzero(np.diff(shared.astype(np.int8))) + 1)
    clear = [piece for piece in pieces if length[piece].sum() > 20 and not shared[piece[0]]]
    if not clear:
        return pattern_of(along, length)
    found = [pattern_of(along[piece], length[piece]) for piece in clear]
    weights = np.array([length[piece].sum() for piece in clear])
    table = np.array([(p.duty, p.shortest, p.longest, p.gap) for p in found])
    return Pattern(*(float(v) for v in np.average(table, axis=0, weights=weights)))


def _lengthened(walks: list[NDArray[np.int64]], stroke: float) -> list[NDArray[np.int64]]:
    """Walks that end on another one run on along it: curves that come to lie on each other."""
    if not walks:
        return walks
    width = int(max(walk[-1, 2] for walk in walks)) + 1
    rows = [middles(walk, width) for walk in walks]
    for k, walk in enumerate(walks):
        for end, side in ((-1, 1), (0, -1)):
            column, row = int(walk[end, 2]), float(walk[end, 0] + walk[end, 1]) / 2
            beside = [i for i in range(len(walks)) if i != k and abs(rows[i][column] - row) <= 1.5 * stroke + 2]
            if not beside:
                continue
            on = max(beside, key=lambda i: int(side * walks[i][end, 2]))
            rest = walks[on][side * (walks[on][:, 2] - column) > 0]
            if 0 < len(rest) <= SHARED * len(walks[on]):
                walk = np.concatenate([walk, rest] if side > 0 else [rest, walk])
        walks[k] = walk
    return walks


@dataclass(frozen=True, eq=False)
class Alike:
    """One of several curves of a colour: its trace, the ink (h, w) that it may claim, what is hidden, its pattern.

    `crossed` (h, w): where another one crosses it, so that the ink is not its own alone. `doubtful`: it crosses one of
    the same pattern, and only their directions tell which is which behind the crossing.
    """

    trace: Trace
    ink: Floats
    hidden: NDArray[np.bool_]
    pattern: Pattern
    crossed: NDArray[np.bool_]
    doubtful: bool = False


def curves_of(
    ink: Floats, hidden: NDArray[np.bool_], stroke: float, count: int, gap: float, most: int = 0
) -> list[Alike]:
    """Up to `count` curves in the ink (h, w) of one colour, or up to `most`; see `find_walks`."""
    walks = _lengthened(untangled(find_walks(ink, hidden, stroke, count, gap, most), ink, stroke), stroke)
    owned = [near_walk(walk, ink.shape, stroke) for walk in walks]
    beside = [np.any([own for i, own in enumerate(owned) if i != k] or [np.zeros_like(hidden)], axis=0)
              for k in range(len(walks))]  # fmt: skip
    patterns = [walk_pattern(ink, walk, others) for walk, others in zip(walks, beside, strict=True)]
    found = []
    for k, (walk, others, pattern) in enumerate(zip(walks, beside, patterns, strict=True)):
        own = np.where(owned[k], ink, 0.0)
        unseen = hidden | (others & ~owned[k] & (ink > INK))
        trace = trace_along(own, unseen, walk, stroke)
        crossed = _short_runs(owned[k] & others, CROSSING * stroke)
        alike = [j for j in range(len(walks)) if j != k and unlikeness(pattern, patterns[j]) < STEADIER]
        doubtful = any(_cross(walk, walks[j], stroke) for j in alike)
        found.append(Alike(trace, own, unseen, pattern, crossed, doubtful))
    return found


def _cross(one: NDArray[np.int64], other: NDArray[np.int64], stroke: float) -> bool:
    """Whether two walks meet and part again."""
    first, last = max(one[0, 2], other[0, 2]), min(one[-1, 2], other[-1, 2])
    return any(first < a and b < last for a, b in meetings(one, other, 1.5 * stroke + 1))


def _short_runs(mask: NDArray[np.bool_], longest: float) -> NDArray[np.bool_]:
    """The mask (h, w) without those stretches of columns that are longer: there curves run along together."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask.any(axis=0), [False])).astype(np.int8)))
    short = mask.copy()
    for a, b in zip(edges[::2], edges[1::2], strict=True):
        if b - a > longest:
            short[:, a:b] = False
    return short
