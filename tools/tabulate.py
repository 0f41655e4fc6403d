"""Marks to tables: which rows and columns a panel has, and the value, interval and reason of every cell.

Uncertainty is computed here and only here: mark, stroke and pixel quantisation, and the axis residual.
Not handled here: finding marks (the readers), text of numbers and dates (`printing`), bins and boxes (`tabulate_bins`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tools.dodged import undodged
from tools.mirrored import as_printed, is_mirrored
from tools.naming import name_series, value_axis
from tools.printing import number_text, resolution, x_texts
from tools.table import MISSING, Cell, Status, Table
from tools.tabulate_bins import box_table, histogram_table
from tools.types import Axis, Mark, Panel, Series, Source, Unreadable
from tools.year_axes import years_are_rows

QUANTISATION = 1 / math.sqrt(12)  # standard deviation of a position known to one pixel
NINETY = 1.645  # a 90 % interval of a normal distribution is this many standard deviations on each side
TAILS = 1.9  # errors of pixels have heavier tails: measured on figures with known data, so that nine in ten are inside
EDGE = 1.5  # px from the edge of the plot within which a bar may be cut off
NO_AXIS = "the value axis could not be calibrated"


@dataclass(frozen=True)
class Point:
    """One data point of a series on its way into a row: `along` is its pixel on the key axis."""

    along: float
    value: Cell
    low: Cell | None = None
    high: Cell | None = None


def tabulate(panel: Panel, series: Sequence[Series]) -> Table | Unreadable:
    """The table of a panel, or why there is none. Series in drawing order; columns keep it."""
    if panel.refused is not None:
        return panel.refused
    if not any(one.marks for one in series):
        return Unreadable("no data were found in the plot area")
    if any(one.kind == "box" for one in series):
        return box_table(panel, [one for one in series if one.kind == "box"])
    if any(one.kind == "histogram" for one in series):
        return histogram_table(panel, [one for one in series if one.kind == "histogram"])
    named = name_series(panel, _one_per_strip(panel, [_upright(panel, one) for one in series if one.marks]))
    horizontal = any(one.orientation == "horizontal" for one in named)
    key = panel.y if horizontal else panel.x
    points = _beside(named, _on_ticks(named, [points_of(panel, one) for one in named], key), key)
    points = _as_printed(panel.x if horizontal else panel.y, named, points)
    if _wants_long(named, points, key):
        return _long_table(panel, named, points, key)
    return _wide_table(panel, named, points, key)


def _on_ticks(
    named: Sequence[Series], points: Sequence[Sequence[Point]], key: Axis | None
) -> Sequence[Sequence[Point]]:
    """Bars side by side around numbered ticks (years) belong to their tick: whole groups with the tick in their middle.

    Left as they are where a group is not whole, not even about its tick, or two bars of a series share one tick.
    """
    if key is None or key.scale != "linear" or len(named) < 2 or any(one.kind != "bar" for one in named):
        return points
    ticks = np.array(sorted(anchor.pixel for anchor in key.anchors))
    if len(ticks) < 2 or any(len(group) != len(ticks) for group in points):
        return points
    along = np.sort(np.array([[point.along for point in group] for group in points]), axis=1)  # (series, ticks)
    spacing = float(np.diff(ticks).min())
    if np.abs(along.mean(axis=0) - ticks).max() > 0.03 * spacing or np.abs(along - ticks).max() > 0.5 * spacing:
        return points
    return [
        [replace(point, along=float(ticks[np.argmin(np.abs(ticks - point.along))])) for point in group]
        for group in points
    ]


def _as_printed(
    axis: Axis | None, named: Sequence[Series], points: Sequence[Sequence[Point]]
) -> Sequence[Sequence[Point]]:
    """Points with the sizes that a mirrored axis prints on both sides of its 0."""
    values = [[p.value.value for p in group if isinstance(p.value.value, float)] for group in points]
    if axis is None or not is_mirrored(axis, named, values):
        return points
    return [[replace(point, value=as_printed(axis, point.value)) for point in group] for group in points]


def _beside(named: Sequence[Series], points: Sequence[Sequence[Point]], key: Axis | None) -> Sequence[Sequence[Point]]:
    """Points of several series beside shared places belong to these."""
    if any(one.kind not in ("line", "points") or one.sampled for one in named):
        return points
    places = undodged([np.array([point.along for point in group]) for group in points], key)
    if places is None:
        return points
    return [
        [replace(point, along=float(x)) for point, x in zip(group, at, strict=True)]
        for group, at in zip(points, places, strict=True)
    ]


def _upright(panel: Panel, one: Series) -> Series:
    """A profile, traced as x over y, is tabulated like every other curve: x first. Bars keep their direction, and
    points beside categories or years theirs."""
    beside = one.kind == "points" and panel.y is not None and (
        panel.y.scale == "category" or years_are_rows(panel.y, [mark.y for mark in one.marks])
    )  # fmt: skip
    if one.kind in ("line", "step", "points") and one.orientation == "horizontal" and not beside:
        return replace(one, orientation="vertical", axis="left")
    return one


def _one_per_strip(panel: Panel, series: Sequence[Series]) -> list[Series]:
    """Nameless points that have a category each to themselves are one series in several colours."""
    loose = [one for one in series if one.kind == "points" and not one.name]
    if len(loose) < 2:
        return list(series)
    key = panel.y if loose[0].orientation == "horizontal" else panel.x
    if key is None or key.scale != "category":
        return list(series)
    slots = [{round(float(key.to_value(m.y if key is panel.y else m.x))) for m in one.marks} for one in loose]
    if sum(map(len, slots)) > len(set().union(*slots)):
        return list(series)
    joined = replace(loose[0], marks=tuple(mark for one in loose for mark in one.marks))
    return [joined if one is loose[0] else one for one in series if one is loose[0] or one not in loose]


def points_of(panel: Panel, one: Series) -> list[Point]:
    """The series' data points along its key axis, the low and high marks joined to the mark before them."""
    axis = value_axis(panel, one)
    found: list[Point] = []
    for mark in one.marks:
        cell = _or_more(panel, mark, one, measure(axis, mark, one))
        if mark.part == "low" and found:
            found[-1] = replace(found[-1], low=cell)
        elif mark.part == "high" and found:
            found[-1] = replace(found[-1], high=cell)
        elif mark.part not in ("low", "high", "censor"):
            found.append(Point(mark.x if one.orientation == "vertical" else mark.y, cell))
    return sorted(found, key=lambda point: point.along) if one.kind != "step" else found


def _or_more(panel: Panel, mark: Mark, one: Series, cell: Cell) -> Cell:
    """The cell with a word where a bar ends at the edge of the plot, which may cut it off."""
    if mark.part != "bar" or mark.box is None or cell.reason:
        return cell
    plot, lying = panel.plot, one.orientation == "horizontal"
    along, edges = (mark.x, (plot.x0, plot.x1)) if lying else (mark.y, (plot.y0, plot.y1))
    long = mark.box.width if lying else mark.box.height
    cut = long > 3 and min(abs(along - edge) for edge in edges) < EDGE
    return replace(cell, reason="ends at the edge of the plot, which may cut it off") if cut else cell


def measure(axis: Axis | None, mark: Mark, one: Series) -> Cell:
    """The cell of one mark: its value on the axis with a 90 % interval, or nan with the reason."""
    place = (mark.x, mark.y)
    if axis is None:
        return Cell(None, "nan", "refused", NO_AXIS, place)
    along = mark.x if axis.horizontal else mark.y
    exact = one.evidence.source == "vector"
    sigma = (
        math.hypot(mark.sigma, axis.residual) if exact else TAILS * math.hypot(mark.sigma, axis.residual, QUANTISATION)
    )
    long = float(np.ptp([anchor.pixel for anchor in axis.anchors])) if axis.anchors else math.inf
    reach = min(NINETY * sigma, max(long, 1.0))  # a mark on the plot: no farther off than the axis is long
    value, one_end, other_end = (float(v) for v in axis.to_value([along, along - reach, along + reach]))
    if one.kind in ("stack", "stacked area") and mark.box is not None:
        ends = (mark.box.x0, mark.box.x1) if axis.horizontal else (mark.box.y0, mark.box.y1)
        first, last = (float(v) for v in axis.to_value(ends))
        # A segment has two measured ends: its size is their difference, its interval wider by the root of two.
        half = abs(one_end - other_end) / 2 * math.sqrt(2)
        # Segments below the zero line are negative.
        sign = -1.0 if axis.scale == "linear" and max(first, last) <= half and min(first, last) < -half else 1.0
        value = sign * abs(first - last)
        one_end, other_end = value - half, value + half
    if not math.isfinite(value):
        return Cell(None, "nan", "refused", "outside the range of the axis", place)
    status: Status = "bridged" if mark.bridged else "sampled" if one.sampled else "read"
    reason = "hidden by other ink; interpolated" if mark.bridged else ""
    text = number_text(value, resolution(axis, along, 0.01 if exact else 0.1))
    source: Source = "vector" if exact else "pixel"
    return Cell(value, text, status, reason, place, min(one_end, other_end), max(one_end, other_end), source)


def _wants_long(named: Sequence[Series], points: Sequence[Sequence[Point]], key: Axis | None) -> bool:
    """Long form where series share no x: scattered points, or several x of one series in one category."""
    if any(one.kind == "points" for one in named) and all(one.kind in ("points", "line") for one in named):
        if key is not None and key.scale == "category":
            slots = [[round(float(key.to_value(p.along))) for p in group] for group in points]
            return any(len(set(group)) < len(group) for group in slots)
        if len(named) == 1:
            return False
        return _shared_share(points) < 0.6
    if key is not None and key.scale == "category":
        return False
    return len(named) > 1 and not any(one.kind in ("bar", "stack") for one in named) and _shared_share(points) < 0.3


def _shared_share(points: Sequence[Sequence[Point]]) -> float:
    """The share of the smaller series' points that stand within a pixel and a half of a point of the largest one."""
    groups = sorted((np.array([p.along for p in group]) for group in points if group), key=len)
    if len(groups) < 2:
        return 1.0
    largest = np.sort(groups[-1])
    shares = []
    for group in groups[:-1]:
        at = np.clip(np.searchsorted(largest, group), 1, max(1, len(largest) - 1))
        near = np.minimum(np.abs(largest[at - 1] - group), np.abs(largest[np.minimum(at, len(largest) - 1)] - group))
        shares.append(float(np.mean(near < 1.5)))
    return float(np.mean(shares))


def _long_table(panel: Panel, named: Sequence[Series], points: Sequence[Sequence[Point]], key: Axis | None) -> Table:
    spread = any(p.low or p.high for group in points for p in group)
    y_axis = value_axis(panel, named[0])
    y_name = (y_axis.label if y_axis else "") or "y"
    header = [
        key.label if key and key.label else "x",
        y_name,
        *([f"{y_name} low", f"{y_name} high"] if spread else []),
        "series",
    ]
    rows = []
    for one, group in zip(named, points, strict=True):
        label = Cell(one.name, one.name, source="ocr")
        for point, x in zip(group, key_cells(key, [p.along for p in group]), strict=True):
            ends = [point.low or MISSING, point.high or MISSING] if spread else []
            rows.append((x, point.value, *ends, label))
    return Table(tuple(header), tuple(rows), "long", panel.title, panel_warnings(named))


def _wide_table(panel: Panel, named: Sequence[Series], points: Sequence[Sequence[Point]], key: Axis | None) -> Table:
    rows = group_rows(points, key)
    header = [key.label if key and key.label else "x"]
    spreads = []
    for one, group in zip(named, points, strict=True):
        spreads.append(any(p.low or p.high for p in group))
        header += [one.name, f"{one.name} low", f"{one.name} high"] if spreads[-1] else [one.name]
    keys = key_cells(key, [float(np.mean([p.along for p in row.values()])) for row in rows])
    body = []
    for x, row in zip(keys, rows, strict=True):
        cells = [x]
        for index, spread in enumerate(spreads):
            point = row.get(index)
            cells.append(point.value if point else MISSING)
            if spread:
                cells += [(point and point.low) or MISSING, (point and point.high) or MISSING]
        body.append(tuple(cells))
    return Table(tuple(header), tuple(body), "wide", panel.title, panel_warnings(named))


def group_rows(points: Sequence[Sequence[Point]], key: Axis | None) -> list[dict[int, Point]]:
    """Rows as {series number: point}, in order along the key axis.

    On a category axis a row is a slot. Elsewhere neighbours are joined while they are closer than half of the
    smallest usual step of a series and no series would stand twice in one row.
    """
    if key is not None and key.scale == "category":
        return _slot_rows(points, key)
    steps = [float(np.median(np.diff([p.along for p in group]))) for group in points if len(group) > 2]
    reach = 0.5 * min((step for step in steps if step > 0), default=math.inf)
    rows: list[dict[int, Point]] = []
    start = -math.inf
    ordered = sorted(
        ((point.along, index, point) for index, group in enumerate(points) for point in group), key=lambda t: t[:2]
    )
    for along, index, point in ordered:
        if not rows or along - start > reach or index in rows[-1]:
            rows.append({})
            start = along
        rows[-1][index] = point
    return rows


def _slot_rows(points: Sequence[Sequence[Point]], key: Axis) -> list[dict[int, Point]]:
    """A row per category; of several points of a series in one slot the one nearest to its middle stays."""
    rows: dict[int, dict[int, tuple[float, Point]]] = {}
    for index, group in enumerate(points):
        for point in group:
            at = float(key.to_value(point.along))
            slot = round(at)
            if key.categories and not 0 <= slot < len(key.categories):
                continue
            row = rows.setdefault(slot, {})
            if index not in row or abs(at - slot) < row[index][0]:
                row[index] = (abs(at - slot), point)
    return [{index: point for index, (_, point) in rows[slot].items()} for slot in sorted(rows)]


def key_cells(key: Axis | None, pixels: Sequence[float]) -> list[Cell]:
    """The first cells of the rows at these pixels: category, date or number; nan with a reason without an axis."""
    if key is None:
        return [Cell(None, "nan", "refused", "this axis could not be calibrated") for _ in pixels]
    if key.scale == "category":
        return [_category_cell(key, pixel) for pixel in pixels]
    printed = _anchor_texts(key, pixels)
    values, texts = x_texts(key, pixels)
    return [
        Cell(value if key.scale != "date" else text, printed or text, source="pixel")
        for value, text, printed in zip(values, texts, printed or [""] * len(texts), strict=True)
    ]


def _category_cell(key: Axis, pixel: float) -> Cell:
    slot = round(float(key.to_value(pixel)))
    if 0 <= slot < len(key.categories) and key.categories[slot]:
        return Cell(key.categories[slot], key.categories[slot], source="ocr")
    return Cell(None, "nan", "refused", "no label stands at this category")


def _anchor_texts(key: Axis, pixels: Sequence[float]) -> list[str] | None:
    """The tick labels themselves, where every row stands on one (years, numbered categories)."""
    if key.scale != "linear" or not key.anchors or not len(pixels):
        return None
    at = np.array([anchor.pixel for anchor in key.anchors])
    nearest = [int(np.argmin(np.abs(at - pixel))) for pixel in pixels]
    if len(set(nearest)) < len(nearest) or any(abs(at[i] - p) > 1.0 for i, p in zip(nearest, pixels, strict=True)):
        return None
    return [number_text(key.anchors[i].value, abs(key.slope) * 0.1) for i in nearest]


def panel_warnings(named: Sequence[Series]) -> tuple[str, ...]:
    sampled = [
        f"{one.name}: sampled evenly, its own data points could not be told apart" for one in named if one.sampled
    ]
    return (*sampled, *(f"{one.name}: {warning}" for one in named for warning in one.warnings))
