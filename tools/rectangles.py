"""Upright rectangles of one ink, with sub-pixel edges: column by column, then neighbouring columns together.

Everything here works in an *upright frame*: bars rise towards smaller rows, whatever way they were drawn (`Frame`
turns horizontal bars upright and puts the results back). Rows and columns are crop pixels, centre of pixel i = i.

Not handled here: which rectangle belongs to which series, step or category; bars thinner than a pixel (`dense_bars`).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numba import njit
from numpy.typing import NDArray

from tools.types import Axis, Box, Floats

Floats32 = NDArray[np.float32]
Bits = NDArray[np.bool_]

SAME_LEVEL = 0.8  # px: columns of one bar end within this of each other
UNEVEN, LEAST_UNEVEN = 1.6, 5.0  # px between the heads of parts of one bar; the width of bars that show such parts


@dataclass(frozen=True)
class Frame:
    """How the upright frame lies in the figure: `origin` of the crop, its width, and whether the bars run sideways."""

    horizontal: bool
    origin: tuple[int, int]
    width: int

    def upright(self, array: NDArray[np.generic]) -> NDArray[np.generic]:
        """The crop with bars standing: horizontal ones are turned so that rightwards becomes upwards."""
        return array.swapaxes(0, 1)[::-1] if self.horizontal else array

    def back(self, array: NDArray[np.generic]) -> NDArray[np.generic]:
        """What `upright` turned, as it lies in the figure."""
        return array[::-1].swapaxes(0, 1) if self.horizontal else array

    def box(self, left: float, top: float, right: float, bottom: float) -> Box:
        """A rectangle of the upright frame as a box in figure pixels."""
        across, down = self.origin
        if self.horizontal:
            last = across + self.width - 1
            return Box(last - bottom, down + left, last - top, down + right)
        return Box(across + left, down + top, across + right, down + bottom)

    def row(self, pixel: float) -> float:
        """The upright row of a figure pixel along the value axis."""
        return self.origin[0] + self.width - 1 - pixel if self.horizontal else pixel - self.origin[1]

    def column(self, pixel: float) -> float:
        """The upright column of a figure pixel along the axis that the bars stand on."""
        return pixel - self.origin[1] if self.horizontal else pixel - self.origin[0]

    def figure_column(self, column: float) -> float:
        return column + (self.origin[1] if self.horizontal else self.origin[0])

    def base_row(self, axis: Axis | None) -> float | None:
        """The upright row of value 0; None where the axis has none."""
        if axis is None or axis.scale != "linear":
            return None
        return self.row(float(axis.to_pixel(0.0)))


@dataclass(frozen=True, eq=False)
class Columns:
    """The longest run of ink in every pixel column: `top` and `bottom` edges in rows (nan where there is none).

    `above` and `below` say by how many rows hidden pixels let the run go on unseen; `ink` is the coverage summed
    over the run, hidden rows inside it counted as full.
    """

    top: Floats
    bottom: Floats
    above: Floats
    below: Floats

    @property
    def present(self) -> Bits:
        return np.isfinite(self.top)


@dataclass(frozen=True)
class Rectangle:
    """Edges in the upright frame (columns, rows), hidden slack at both ends, and the columns `first`..`last` used."""

    left: float
    right: float
    top: float
    bottom: float
    above: float = 0.0
    below: float = 0.0
    first: int = 0
    last: int = 0

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2

    @property
    def middle_row(self) -> float:
        return (self.top + self.bottom) / 2


def usual_width(found: Sequence[Rectangle]) -> float:
    """The width that bars of this ink have: the median weighted by height, slivers counting as little as they are."""
    widths = np.array([r.width for r in found])
    order = np.argsort(widths)
    weight = np.cumsum(np.array([max(r.height, 1.0) * min(max(r.width, 0.1), 12.0) for r in found])[order])
    return float(widths[order][int(np.searchsorted(weight, weight[-1] / 2))])


def full_level(coverage: Floats32) -> float:
    """The coverage that a fully inked pixel of this layer shows: a little under 1 where the colour is not exact."""
    inked = coverage[coverage > 0.3]
    return float(np.clip(np.percentile(inked, 75), 0.4, 1.0)) if inked.size else 1.0


def column_runs(coverage: Floats32, hidden: Bits, base: float | None = None) -> Columns:
    """The run of ink of every column that holds most ink (of those that touch row `base`, if any does).

    coverage, hidden: (h, w) of an upright frame. Hidden pixels between ink belong to the run; hidden pixels beyond
    its ends are only reported. Sub-pixel edges come from the coverage of the end pixels.
    """
    level = full_level(coverage)
    solid = coverage >= 0.5 * level
    reach = (base - 2.5, base + 2.5) if base is not None else (np.inf, -np.inf)
    runs = _longest_runs(solid, solid | hidden, reach[0], reach[1])
    return _seat_ends(coverage, runs, level)


@njit(cache=True)
def _longest_runs(solid: Bits, ink: Bits, low: float, high: float) -> NDArray[np.int32]:  # pragma: no cover
    """(4, w): first and last row of the best run of `ink`, and of what is `solid` in it; -1 where there is none.

    Row by row with the run open in every column: its first row, first and last solid row and count of solid rows.
    """
    height, width = ink.shape
    best = np.full((4, width), -1, np.int32)
    score = np.zeros(width, np.int32)
    run = np.full((4, width), -1, np.int32)
    for row in range(height + 1):
        for column in range(width):
            if row < height and ink[row, column]:
                if run[0, column] < 0:
                    run[0, column], run[3, column] = row, 0
                if solid[row, column]:
                    if run[3, column] == 0:
                        run[1, column] = row
                    run[2, column] = row
                    run[3, column] += 1
            elif run[0, column] >= 0:
                bonus = height if run[0, column] <= high and row - 1 >= low else 0
                _close_run(best, score, run, column, row - 1, bonus)
    return best


@njit(cache=True)
def _close_run(
    best: NDArray[np.int32], score: NDArray[np.int32], run: NDArray[np.int32], column: int, last: int, bonus: int
) -> None:  # pragma: no cover
    """Keeps the run that ends at row `last` if it beats the best of its column so far; no run is open then."""
    if run[3, column] > 0 and run[3, column] + bonus > score[column]:
        score[column] = run[3, column] + bonus
        best[0, column], best[1, column] = run[0, column], last
        best[2, column], best[3, column] = run[1, column], run[2, column]
    run[0, column] = -1


def _seat_ends(coverage: Floats32, runs: NDArray[np.int32], level: float) -> Columns:
    """The visible ends of each run, placed by the coverage of the pixels on both sides of the end."""
    height, width = coverage.shape
    column = np.flatnonzero(runs[0] >= 0)
    first, last, upper, lower = runs[:, column]

    def share(row: NDArray[np.int32]) -> Floats:  # of full ink; nothing outside the crop
        inside = coverage[np.clip(row, 0, height - 1), column] / level
        return np.where((row >= 0) & (row < height), np.minimum(inside, 1.0), 0.0).astype(np.float64)

    def beyond(row: NDArray[np.int32]) -> Floats:  # what the pixel just beyond the end holds; a faint tint is none
        tint = share(row)
        return np.where(tint < 0.08, 0.0, tint)

    found = [np.full(width, np.nan) for _ in range(4)]
    found[0][column] = upper + 0.5 - share(upper) - np.where(first < upper, 0.0, beyond(upper - 1))
    found[1][column] = lower - 0.5 + share(lower) + np.where(last > lower, 0.0, beyond(lower + 1))
    found[2][column], found[3][column] = upper - first, last - lower
    return Columns(found[0], found[1], found[2], found[3])


def find_rectangles(coverage: Floats32, hidden: Bits, columns: Columns) -> list[Rectangle]:
    """Neighbouring columns whose runs end alike, left to right, with sub-pixel sides."""
    found = [_measure_ends(columns, first, last) for first, last in _alike(columns)]
    whole = _with_even_heads(_joined(_without_slivers(found), coverage, hidden))
    return _measure_sides(coverage, hidden, whole)


def _without_slivers(found: list[Rectangle]) -> list[Rectangle]:
    """Leave out lone columns beside a wider rectangle that end almost as it does: its own half-covered sides."""
    kept = []
    for index, one in enumerate(found):
        beside = [found[i] for i in (index - 1, index + 1) if 0 <= i < len(found)]
        sliver = one.first == one.last and any(
            other.last - other.first >= 3
            and min(abs(other.last - one.first), abs(other.first - one.last)) == 1
            and max(abs(other.top - one.top), abs(other.bottom - one.bottom)) < 2 * SAME_LEVEL
            for other in beside
        )
        if not sliver:
            kept.append(one)
    return kept


def _joined(found: list[Rectangle], coverage: Floats32, hidden: Bits) -> list[Rectangle]:
    """Two halves of a bar that something thin is drawn across (a rule, text, a whisker) become one again."""
    joined: list[Rectangle] = []
    for one in found:
        before = next((r for r in reversed(joined[-4:]) if r.last - r.first >= 2 and _alike_ends(r, one)), None)
        if before is not None and one.last - one.first >= 2 and _crossed(before, one, coverage, hidden):
            while joined[-1] is not before:
                joined.pop()
            ends = before if before.last - before.first > one.last - one.first else one
            joined[-1] = replace(ends, left=before.left, right=one.right, first=before.first, last=one.last)
        else:
            joined.append(one)
    return joined


def _with_even_heads(found: list[Rectangle]) -> list[Rectangle]:
    """Narrow neighbours that touch and end within a pixel or so of each other, together one bar of the usual width.

    Noise and its cleaning leave steps in the heads of bars; two bars side by side are twice as wide as one.
    """
    if len(found) < 2:
        return found
    near = [b.first == a.last + 1 and _step(a, b) <= UNEVEN for a, b in itertools.pairwise(found)]
    if not any(near):
        return found
    lone = [one for one, a, b in zip(found, [False, *near], [*near, False], strict=True) if not (a or b)]
    usual = usual_width(lone) if len(lone) > 1 else 0.0
    if usual < LEAST_UNEVEN:
        return found
    whole: list[Rectangle] = found[:1]
    for one in found[1:]:
        before = whole[-1]
        width = one.last - before.first + 1
        if one.first == before.last + 1 and _step(before, one) <= UNEVEN and width <= usual + max(1.5, 0.15 * usual):
            ends = before if before.width > one.width else one
            whole[-1] = replace(ends, left=before.left, right=one.right, first=before.first, last=one.last)
        else:
            whole.append(one)
    return whole


def _step(left: Rectangle, right: Rectangle) -> float:
    return max(abs(left.top - right.top), abs(left.bottom - right.bottom))


def _alike_ends(left: Rectangle, right: Rectangle) -> bool:
    return _step(left, right) <= SAME_LEVEL


def _crossed(left: Rectangle, right: Rectangle, coverage: Floats32, hidden: Bits) -> bool:
    """Whether the few columns between two equal rectangles are covered by other ink, or inked, all the way.

    Few: at most three, or a quarter of the narrower side, so that a bar of its own never counts as a crossing.
    """
    between = slice(left.last + 1, right.first)
    if not 1 <= right.first - left.last - 1 <= max(3.0, 0.25 * min(left.width, right.width)):
        return False
    rows = slice(max(0, int(left.top + 1)), max(1, int(left.bottom)))
    veiled = hidden[rows, between] | (coverage[rows, between] > 0.3)
    return bool(veiled.size and veiled.mean() > 0.8)


def _alike(columns: Columns) -> list[tuple[int, int]]:
    """Spans of columns whose top and bottom could be one level; hidden slack widens what a column allows."""
    spans: list[tuple[int, int]] = []
    start = -1
    low = high = under = over = 0.0
    for column in range(len(columns.top)):
        top, bottom = columns.top[column], columns.bottom[column]
        if not np.isfinite(top):
            if start >= 0:
                spans.append((start, column - 1))
            start = -1
            continue
        ends = (top - columns.above[column], top, bottom, bottom + columns.below[column])
        if start >= 0 and ends[0] <= high + SAME_LEVEL and low <= ends[1] + SAME_LEVEL and (
            ends[2] <= over + SAME_LEVEL and under <= ends[3] + SAME_LEVEL
        ):  # fmt: skip
            low, high = max(low, ends[0]), min(high, ends[1])
            under, over = max(under, ends[2]), min(over, ends[3])
            continue
        if start >= 0:
            spans.append((start, column - 1))
        start = column
        low, high, under, over = ends
    if start >= 0:
        spans.append((start, len(columns.top) - 1))
    return spans


def _measure_ends(columns: Columns, first: int, last: int) -> Rectangle:
    part = slice(first, last + 1)
    top, above = settle(columns.top[part], columns.above[part], -1.0)
    bottom, below = settle(columns.bottom[part], columns.below[part], 1.0)
    return Rectangle(first - 0.5, last + 0.5, top, bottom, above, below, first, last)


def settle(ends: Floats, slack: Floats, outward: float) -> tuple[float, float]:
    """One end from its columns: the median of those seen clearly, else the middle of what all of them allow.

    Returns the edge and the slack (rows, 0 if seen). `outward` is -1 for tops and +1 for bottoms.
    """
    seen = slack < 0.5
    if seen.any():
        return float(np.median(ends[seen])), 0.0
    # All columns are covered: each says the end lies between `ends` and `ends + outward * slack`.
    nearest = float(np.max(ends * outward))
    farthest = max(nearest, float(np.min(ends * outward + slack)))
    return outward * (nearest + farthest) / 2, farthest - nearest


def _measure_sides(coverage: Floats32, hidden: Bits, found: list[Rectangle]) -> list[Rectangle]:
    """Sub-pixel sides: the coverage of the outermost columns, in the rows where no neighbour has ink."""
    level = full_level(coverage)
    placed = []
    for index, one in enumerate(found):
        left = found[index - 1] if index and found[index - 1].last == one.first - 1 else None
        right = found[index + 1] if index + 1 < len(found) and found[index + 1].first == one.last + 1 else None
        shares = [
            _side_share(coverage, hidden, one, neighbour, edge, level)
            for edge, neighbour in ((one.first - 1, left), (one.first, left), (one.last, right), (one.last + 1, right))
        ]
        x0 = one.first + 0.5 - shares[0] - (shares[1] if one.last > one.first else 1.0)
        x1 = one.last - 0.5 + shares[3] + (shares[2] if one.last > one.first else 1.0)
        if one.last == one.first:  # a single column: its own coverage is the width
            x0, x1 = one.first + 0.5 - shares[0] - shares[1], one.last + 0.5 + shares[3]
        placed.append(Rectangle(x0, x1, one.top, one.bottom, one.above, one.below, one.first, one.last))
    return placed


def _side_share(
    coverage: Floats32, hidden: Bits, one: Rectangle, neighbour: Rectangle | None, column: int, level: float
) -> float:
    """How much of this column the rectangle covers, judged on rows that its touching neighbour does not reach."""
    if not 0 <= column < coverage.shape[1]:
        return 0.0
    top, bottom = one.top + 1.0, one.bottom - 1.0
    if neighbour is not None:
        if neighbour.top - one.top > 3.0:  # this one rises above its neighbour
            bottom = min(bottom, neighbour.top - 1.0)
        elif one.bottom - neighbour.bottom > 3.0:
            top = max(top, neighbour.bottom + 1.0)
        else:
            return 1.0 if one.first <= column <= one.last else 0.0
    rows = slice(max(0, int(np.ceil(top))), int(np.floor(bottom)) + 1)
    visible = coverage[rows, column][~hidden[rows, column]]
    if visible.size == 0:
        return 1.0 if one.first <= column <= one.last else 0.0
    share = float(np.median(visible)) / level
    return 0.0 if share < 0.08 else min(1.0, share)
