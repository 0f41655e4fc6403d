"""One drawn series against one curve of the table, row by row: what agrees, what differs, and what cannot be said.

Differences are counted as shares of the value axis' range, in decades on log axes. Not handled here: what differences
mean (`explaining`), and a look at the pixels before anybody is accused (`probing`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from agent.drawn import Drawn, least_interval
from agent.placing import Places
from tools.align import nearest_in_order
from tools.types import Floats

Status = Literal[
    "agrees", "within tolerance", "within reading error", "differs", "nothing there", "unsure", "clipped", "beyond",
    "no value",
]  # fmt: skip
CLOSE = 0.012  # share of the axis range that a good reading stays within
FILLED = ("bar", "stack", "histogram", "area", "stacked area")
EDGE = 3.0  # px: a mark this near to the end of the plot area may be cut off there
LINE_REACH = 1.5  # px along x within which a stroke's value may be meant
WEIGHT: dict[Status, float] = {"agrees": 1.0, "within tolerance": 0.6, "within reading error": 0.4}
COUNTED = ("agrees", "within tolerance", "within reading error", "differs", "nothing there", "unsure")


@dataclass(frozen=True, eq=False)
class Cells:
    """The rows of a curve held against a drawn series. Arrays (n,): `figure` with its interval `low` to `high`,
    `table`, `share` = (figure - table) / axis range, signed; `pixels` along the key axis; `marks` the index of the
    drawn point or -1.
    """

    figure: Floats
    low: Floats
    high: Floats
    table: Floats
    share: Floats
    status: tuple[Status, ...]
    pixels: Floats
    marks: np.ndarray

    @property
    def counted(self) -> int:
        """Rows that could be compared."""
        return sum(one in COUNTED for one in self.status)

    @property
    def score(self) -> float:
        """How well the two agree, 0 to 1: agreement within a hundredth of the axis counts whole, else in part."""
        weights = [
            0.0 if one not in WEIGHT else 1.0 if abs(share) <= CLOSE else WEIGHT[one]
            for one, share in zip(self.status, self.share, strict=True)
        ]
        return float(sum(weights)) / self.counted if self.counted else 0.0

    def rows(self, *wanted: Status) -> list[int]:
        """The rows of these statuses."""
        return [i for i, one in enumerate(self.status) if one in wanted]


def compare(drawn: Drawn, y: Floats, places: Places, tolerance: float, shift: float = 0.0) -> Cells:
    """Hold the values (n,) of a curve, at their places along the axis moved by `shift` px, against a drawn series."""
    pixels = places.pixels + shift
    marks = match(drawn, pixels, y, places)
    n = len(y)
    figure, low, high = (np.full(n, np.nan) for _ in range(3))
    for i in range(n):
        if math.isfinite(pixels[i]) and math.isfinite(y[i]):
            figure[i], low[i], high[i] = figure_value(drawn, pixels[i], int(marks[i]))
    share = (drawn.units(figure) - drawn.units(y)) / drawn.range
    status = tuple(
        _status(
            drawn, figure[i], low[i], high[i], float(y[i]), float(pixels[i]), float(share[i]), int(marks[i]), tolerance
        )
        for i in range(n)
    )
    return Cells(figure, low, high, y, share, status, _own_places(drawn, pixels, marks), marks)


def _own_places(drawn: Drawn, pixels: Floats, marks: np.ndarray) -> Floats:
    """Where the series itself stands in each row: at its drawn point; else as far beside the row as its others do."""
    known = marks >= 0
    if not known.any():
        return pixels
    if drawn.kind not in FILLED:
        return np.where(known, drawn.along[np.maximum(marks, 0)], pixels)
    beside = float(np.median(drawn.along[marks[known]] - pixels[known]))
    return np.where(known, drawn.along[np.maximum(marks, 0)], pixels + beside)


def match(drawn: Drawn, pixels: Floats, y: Floats, places: Places) -> np.ndarray:
    """The drawn point of each row (n,), -1 where none stands within half a step (a few px for points of a plain x)."""
    marks = np.full(len(pixels), -1)
    usable = np.isfinite(pixels) & np.isfinite(y)
    if drawn.sampled and drawn.line:
        return marks
    step = places.step
    reach = 0.5 * step if math.isfinite(step) else 12.0
    if drawn.kind == "points" and _crowded(drawn):
        return _match_cloud(drawn, pixels, y, usable, max(3.0, min(reach, 4.0)))
    if drawn.line:
        reach = min(reach, 4.0)
    elif drawn.kind == "points" and places.how in ("numbers", "dates"):
        reach = min(reach, 8.0)
    rows = np.flatnonzero(usable)
    if len(rows) > len(np.unique(np.round(pixels[rows], 1))):
        return _match_strips(drawn, pixels, y, rows, reach)
    for a, b in nearest_in_order(pixels[rows], drawn.along, reach):
        marks[rows[a]] = b
    return marks


def _match_strips(drawn: Drawn, pixels: Floats, y: Floats, rows: np.ndarray, reach: float) -> np.ndarray:
    """Several rows at one place (strips of jittered points): within it the nearest values belong together."""
    marks = np.full(len(pixels), -1)
    heights, wanted = drawn.axis.to_pixel(drawn.value), drawn.axis.to_pixel(y)
    for at in np.unique(np.round(pixels[rows], 1)):
        mine = rows[np.abs(pixels[rows] - at) < 0.5]
        inside = np.flatnonzero(np.abs(drawn.along - at) <= reach)
        for a, b in nearest_in_order(wanted[mine], heights[inside], 0.15 * abs(drawn.ends[1] - drawn.ends[0])):
            marks[mine[a]] = inside[b]
    return marks


def _crowded(drawn: Drawn) -> bool:
    """Points of which several share an x: a cloud, to be paired in the plane."""
    return len(drawn.along) > 3 and float(np.median(np.diff(np.sort(drawn.along)))) < 3.0


def _match_cloud(drawn: Drawn, pixels: Floats, y: Floats, usable: np.ndarray, reach: float) -> np.ndarray:
    """Pairs in the plane first; what is left is paired along x within a pixel and a half."""
    from scipy.spatial import cKDTree

    marks = np.full(len(pixels), -1)
    heights = drawn.axis.to_pixel(drawn.value)
    wanted = drawn.axis.to_pixel(y)
    rows = np.flatnonzero(usable & np.isfinite(wanted))
    if not len(rows):
        return marks
    tree = cKDTree(np.column_stack([drawn.along, heights]))
    far, nearest = tree.query(np.column_stack([pixels[rows], wanted[rows]]))
    taken: set[int] = set()
    for k in np.argsort(far, kind="stable"):
        if far[k] <= reach and int(nearest[k]) not in taken:  # a marker may hide others under it: they agree as well
            marks[rows[k]] = nearest[k]
            taken.add(int(nearest[k]))
        elif far[k] <= reach:
            marks[rows[k]] = nearest[k]
    left = [r for r in rows if marks[r] < 0]
    free = np.array([k for k in range(len(drawn.along)) if k not in taken], dtype=int)
    if left and len(free):
        for a, b in nearest_in_order(pixels[left], drawn.along[free], 1.5):
            marks[left[a]] = free[b]
    return marks


def figure_value(drawn: Drawn, at: float, mark: int) -> tuple[float, float, float]:
    """Value and interval in the figure at a place along x: of the drawn point, or of the stroke between points."""
    if mark >= 0:
        return float(drawn.value[mark]), float(drawn.low[mark]), float(drawn.high[mark])
    if not drawn.line or len(drawn.along) < 2:
        return math.nan, math.nan, math.nan
    xs, ys = drawn.along, drawn.units(drawn.value)
    if drawn.kind == "step":
        near = _step_values(xs, ys, at)
    elif xs[0] - 2.0 <= at <= xs[-1] + 2.0:
        near = np.interp([at, at - LINE_REACH, at + LINE_REACH], xs, ys)
    else:
        return math.nan, math.nan, math.nan
    if not len(near) or not np.isfinite(near).all():
        return math.nan, math.nan, math.nan
    half = least_interval(drawn)
    ends = (float(near[0]), float(near.min()) - half, float(near.max()) + half)
    one, two, three = (10.0**v if drawn.axis.scale == "log" else v for v in ends)
    return one, two, three


def _step_values(xs: Floats, ys: Floats, at: float) -> Floats:
    """The level of a step line just after `at`, then all its levels within the reach of a pixel or two."""
    if at < xs.min() - 2.0 or at > xs.max() + 2.0:
        return np.array([])
    before = np.flatnonzero(xs <= at + 0.75)
    level = ys[before[-1]] if len(before) else ys[0]
    near = ys[np.abs(xs - at) <= 2 * LINE_REACH]
    return np.concatenate([[level], near])


def _status(
    drawn: Drawn,
    figure: float,
    low: float,
    high: float,
    table: float,
    at: float,
    share: float,
    mark: int,
    tolerance: float,
) -> Status:
    if not math.isfinite(table) or not math.isfinite(at) or not math.isfinite(float(drawn.units(table))):
        return "no value"
    start, end = sorted(drawn.span)
    if not start - 2.5 <= at <= end + 2.5:
        return "beyond"
    if not math.isfinite(figure) and _absent(drawn, table, tolerance) == "agrees":
        return "agrees"
    outside = _outside(drawn, table)
    far = not abs(share) <= tolerance  # nan too
    between = drawn.line and mark < 0  # interpolated: what leads out of the axis and back may lie there
    if outside and far and (between or not math.isfinite(figure) or _at_edge(drawn, figure, outside)):
        return "clipped"
    if not math.isfinite(figure):
        return _absent(drawn, table, tolerance)
    if abs(share) <= tolerance:
        return "agrees" if low <= table <= high or abs(share) <= CLOSE else "within tolerance"
    if low <= table <= high:
        return "within reading error"
    return "differs" if mark < 0 or bool(drawn.sure[mark]) else "unsure"


def _outside(drawn: Drawn, value: float) -> int:
    """-1 or 1 where a value lies below or above what the axis shows (by more than 2 px), else 0."""
    low, high = drawn.units(np.array(drawn.limits))
    unit, slack = float(drawn.units(value)), 2.0 * abs(drawn.axis.slope)
    return -1 if unit < low - slack else 1 if unit > high + slack else 0


def _at_edge(drawn: Drawn, figure: float, side: int) -> bool:
    """True where the figure's value stands at that end of its axis: what is drawn there is cut off."""
    low, high = (float(v) for v in drawn.units(np.array(drawn.limits)))
    unit, slack = float(drawn.units(figure)), EDGE * abs(drawn.axis.slope)
    return unit <= low + slack if side < 0 else unit >= high - slack


def baseline(drawn: Drawn) -> float:
    """Where bars stand: at zero, or at the end of an axis that does not show it."""
    low, high = drawn.limits
    return min(max(0.0, low), high) if drawn.axis.scale != "log" else low


def _absent(drawn: Drawn, table: float, tolerance: float) -> Status:
    """A bar or segment that is not drawn says that the value is (nearly) none; elsewhere nothing is nothing."""
    if drawn.kind in FILLED:
        height = abs(float(drawn.units(table) - drawn.units(baseline(drawn))))
        if drawn.stacked or abs(table) <= abs(baseline(drawn)):
            height = abs(table) if drawn.stacked else 0.0
        if height <= max(2.5 * abs(drawn.axis.slope), 0.2 * tolerance * drawn.range):
            return "agrees"
        if height <= tolerance * drawn.range:
            return "within tolerance"
    return "nothing there"


def shifts(drawn: Drawn, y: Floats, places: Places) -> list[float]:
    """Constant moves along the axis, in px, that drawing habits explain: none, the one that the drawn points suggest,
    half a step to either side (bars at the start of their week, bars beside each other)."""
    step = places.step
    found = [0.0]
    if not math.isfinite(step) or places.how == "order":
        return found
    rows = np.flatnonzero(np.isfinite(places.pixels) & np.isfinite(y))
    nearest = [_nearest(drawn.along, float(places.pixels[i])) for i in rows]
    if nearest and not drawn.sampled:
        middle = float(np.median(nearest))
        spread = float(np.median(np.abs(np.array(nearest) - middle)))
        if 0.75 < abs(middle) <= 0.6 * step and spread <= max(1.5, 0.05 * step):
            found.append(middle)
    if drawn.kind == "histogram" or (places.how == "dates" and drawn.key is not None and drawn.key.scale == "date"):
        found += [0.5 * step, -0.5 * step]
    return found


def _nearest(values: Floats, target: float) -> float:
    return float(values[np.argmin(np.abs(values - target))] - target)


def best(drawn: Drawn, y: Floats, ways: Sequence[Places], tolerance: float) -> tuple[Cells, Places] | None:
    """The best comparison over the ways to place the rows; a surer way wins unless another is clearly better."""
    found: tuple[float, Cells, Places] | None = None
    for rank, places in enumerate(ways):
        if not np.isfinite(places.pixels).any():
            continue
        for k, shift in enumerate(shifts(drawn, y, places)):
            cells = compare(drawn, y, places, tolerance, shift)
            covered = cells.counted / max(1, int(np.isfinite(y).sum()))
            worth = (
                cells.score * (0.5 + 0.5 * covered) - 0.02 * min(rank, 4) - 0.01 * min(k, 1) - 0.05 * (not places.sure)
            )
            seen = cells.counted or "clipped" in cells.status
            if seen and (found is None or worth > found[0]):
                found = worth, cells, places
    return (found[1], found[2]) if found else None
