"""Box plots: quartile boxes, medians, whiskers and outliers, upright or lying, one series per colour of outline.

A box is two level strokes of one extent that upright strokes join at both ends; its median is a level stroke between
them, its whiskers leave from the middle of its ends. Lying boxes are read in the turned picture.

Not handled here: boxes without outline, violins, letter-value plots, widths that mean something.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.box_ink import healed, inner_stroke, stroke_layers
from tools.box_levels import INK as _INK
from tools.box_levels import Level, joined, levels, same_extent
from tools.ink import Layer, PlotInk
from tools.markers import blobs, explain, register, singles, template_of
from tools.reduced import home, reduced, reduced_panel, scale_of
from tools.shapes import told_by_shape
from tools.types import Axis, Box, Evidence, Image, Mark, Panel, Part, Series

_NARROWEST = 9  # px: a box is at least this wide
_DASH = 9  # px: longest gap of a dashed whisker
_NAMES: tuple[Part, ...] = ("whisker_low", "q1", "median", "q3", "whisker_high")


@dataclass(frozen=True)
class Found:
    """One box in rows of the (turned) crop: `top` above `bottom`; whisker ends and outliers beyond them."""

    left: float
    right: float
    top: float
    bottom: float
    median: float
    above: float
    below: float
    whiskers: int
    inner: bool
    outliers: tuple[float, ...] = field(default=())

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2


def looks_like_boxes(panel: Panel, ink: PlotInk, layers: Sequence[Layer]) -> float:
    """0 to 1: how sure it is that these layers draw box plots: boxes with a median inside and whiskers at both ends."""
    scale = scale_of(ink)
    where, seen, chosen = panel, ink, list(layers)
    if scale > 1:
        where, seen = reduced_panel(panel, ink, scale), reduced(ink, scale)
        chosen = [seen.layers[k] for k, layer in enumerate(ink.layers) if any(layer is each for each in layers)]
    score, boxes, lying = _likeness(where, seen, chosen)
    at = [home(box.middle, box.middle, scale, ink.origin)[lying] for box in boxes]
    return score if score and _at_dates(panel.y if lying else panel.x, at) else 0.0


def _likeness(panel: Panel, ink: PlotInk, layers: Sequence[Layer]) -> tuple[float, list[Found], bool]:
    """The same for boxes anywhere along their axis, with these boxes and whether they lie."""
    found, lying = _best_way(panel, ink, layers, outliers=False)
    least = _largest_marker(panel, layers)
    found = [(layer, [box for box in boxes if box.right - box.left > least]) for layer, boxes in found]
    every = [box for _, boxes in found for box in boxes]
    full = sum(box.inner and box.whiskers == 2 for box in every)
    partly = sum(box.inner and box.whiskers >= 1 for box in every)
    if _beside_each_other(every) >= 0.7 and _are_solid_boxes(every):
        full = partly = len(every)
    if _beside_each_other(every) < 0.7 or full == 0 or partly < 0.5 * len(every):
        return 0.0, every, lying
    return min(1.0, 0.4 + 0.3 * full) if _share_in_boxes(found, layers, lying) >= 0.3 else 0.0, every, lying


def _are_solid_boxes(boxes: Sequence[Found]) -> bool:
    """Whether all boxes are as black as their whiskers, which hides the medians: as wide as each other, of different
    heights, unlike square markers with error bars."""
    if len(boxes) < 2 or not all(np.isnan(box.median) and box.whiskers == 2 for box in boxes):
        return False
    alike = float(np.ptp([box.right - box.left for box in boxes])) <= 3
    return alike and float(np.ptp([box.bottom - box.top for box in boxes])) > 3


def _at_dates(key: Axis | None, at: Sequence[float]) -> bool:
    """Whether boxes (figure pixels) on a time axis stand at its labels, as at names of months; true on other axes."""
    if key is None or key.scale != "date":
        return True
    labels = np.array([anchor.pixel for anchor in key.anchors])
    if len(labels) < 2 or len(at) < 2:
        return False
    step = float(np.diff(np.sort(labels)).min())
    return float(np.abs(np.array(at)[:, None] - labels[None]).min(axis=1).max()) < 0.45 * step


def _largest_marker(panel: Panel, layers: Sequence[Layer]) -> float:
    """Width in px up to which rectangles may be markers: of squares in a legend that tells markers by their shape."""
    if not any(told_by_shape(panel, layer) for layer in layers):
        return 0.0
    return max(1.6 * (entry.swatch.width + 1) for entry in panel.legend.entries if entry.swatch is not None)


def _beside_each_other(boxes: Sequence[Found]) -> float:
    """The share of the boxes that have their columns to themselves: square markers lie anywhere."""
    alone = [
        not any(one is not box and min(one.right, box.right) - max(one.left, box.left) > 0.3 * (box.right - box.left)
                for one in boxes)
        for box in boxes
    ]  # fmt: skip
    return float(np.mean(alone)) if alone else 0.0


def _share_in_boxes(found: Sequence[tuple[Layer, list[Found]]], layers: Sequence[Layer], lying: bool) -> float:
    """Share of all ink that lies in the columns of the boxes."""
    ink = np.max([layer.coverage for layer in layers], axis=0)
    plane = ink.T if lying else ink
    columns = np.zeros(plane.shape[1], dtype=bool)
    for _, boxes in found:
        for box in boxes:
            columns[max(0, int(box.left) - 2) : int(box.right) + 3] = True
    return float(plane[:, columns].sum()) / max(float(plane.sum()), 1e-9)


def read_boxes(panel: Panel, ink: PlotInk, layers: Sequence[Layer]) -> tuple[Series, ...]:
    """One series of kind "box" per colour: whisker_low, q1, median, q3, whisker_high of each box, then its outliers.

    x of a mark is the middle of its box, y the stroke's centre (exchanged for lying boxes, orientation "horizontal").
    A missing whisker ends at its quartile. No boxes: no series.
    """
    found, lying = _best_way(panel, ink, layers)
    series = []
    for layer, boxes in found:
        marks = [mark for box in sorted(boxes, key=lambda box: box.middle) for mark in _marks(box, panel, lying)]
        placed = tuple(_placed(mark, ink.origin, lying) for mark in marks)
        way, side = ("horizontal", "bottom") if lying else ("vertical", "left")
        series.append(
            Series(layer.name, layer.colour, "box", placed, side, way, Evidence("whiskers"))  # type: ignore[arg-type]
        )
    return tuple(series)


def _marks(box: Found, panel: Panel, lying: bool) -> list[Mark]:
    """Marks of one box in the (turned) crop's frame; "low" is where the values are low."""
    axis = panel.x if lying else panel.y
    down = (axis.slope > 0) if axis is not None else lying  # values grow with the row
    rows = [box.below, box.bottom, box.median, box.top, box.above]
    rows = rows[::-1] if down else rows
    rectangle = Box(box.left, box.top, box.right, box.bottom)
    told = [(part, row) for part, row in zip(_NAMES, rows, strict=True) if not np.isnan(row)]
    marks = [Mark(part, box.middle, row, rectangle, sigma=0.3) for part, row in told]
    return marks + [Mark("outlier", box.middle, row, sigma=0.3) for row in sorted(box.outliers)]


def _placed(mark: Mark, origin: tuple[int, int], lying: bool) -> Mark:
    """From the (turned) crop to the figure."""
    x, y = (mark.y, mark.x) if lying else (mark.x, mark.y)
    box = mark.box
    if box is not None:
        box = Box(box.y0, box.x0, box.y1, box.x1) if lying else box
        box = Box(box.x0 + origin[0], box.y0 + origin[1], box.x1 + origin[0], box.y1 + origin[1])
    return replace(mark, x=x + origin[0], y=y + origin[1], box=box)


def _best_way(
    panel: Panel, ink: PlotInk, layers: Sequence[Layer], outliers: bool = True
) -> tuple[list[tuple[Layer, list[Found]]], bool]:
    """Boxes per layer, read upright or lying, whichever shows more complete boxes."""
    if not layers:
        return [], False
    strokes = stroke_layers(panel, ink, layers)
    total = np.sum([layer.coverage for layer in layers], axis=0)
    planes = [(one, healed(one.coverage, (total - one.coverage > 0.3) & (one.coverage < 0.5))) for one in strokes]
    upright = _find(planes, ink.pixels)
    turned = [(layer, np.ascontiguousarray(plane.T)) for layer, plane in planes]
    lying = _find(turned, np.ascontiguousarray(ink.pixels.transpose(1, 0, 2)))
    score = [sum(1 + box.whiskers for _, boxes in found for box in boxes if box.inner) for found in (upright, lying)]
    best, way = (lying, True) if score[1] > score[0] else (upright, False)
    if outliers and best:
        aside = _set_aside(panel, ink)
        best = _with_outliers(best, turned if way else planes, np.ascontiguousarray(aside.T) if way else aside)
    return _by_fill(best, layers, way), way


def _by_fill(
    found: Sequence[tuple[Layer, list[Found]]], layers: Sequence[Layer], lying: bool
) -> list[tuple[Layer, list[Found]]]:
    """The boxes sorted by the layer that fills them; those that none fills stay with the layer of their outlines."""
    sorted_by: dict[int, tuple[Layer, list[Found]]] = {}
    for outline, boxes in found:
        for box in boxes:
            layer = _fill_of(box, layers, lying) or outline
            sorted_by.setdefault(id(layer), (layer, []))[1].append(box)
    return list(sorted_by.values())


def _fill_of(box: Found, layers: Sequence[Layer], lying: bool) -> Layer | None:
    rows = slice(int(np.ceil(box.top + 2)), max(int(box.bottom - 1), int(np.ceil(box.top + 2)) + 1))
    columns = slice(int(np.ceil(box.left + 3)), max(int(box.right - 2), int(np.ceil(box.left + 3)) + 1))
    share = [float((one.coverage.T if lying else one.coverage)[rows, columns].mean()) for one in layers]
    best = int(np.argmax(share))
    return layers[best] if share[best] > 0.5 else None


def _find(planes: Sequence[tuple[Layer, NDArray[np.float32]]], pixels: Image) -> list[tuple[Layer, list[Found]]]:
    every_level = [level for _, plane in planes for level in levels(plane, _NARROWEST)]
    found = []
    for layer, plane in planes:
        boxes = [_complete(plane, pixels, box, every_level) for box in _rectangles(plane)]
        boxes = [box for box in boxes if box.inner or box.whiskers == 2]
        if boxes:
            found.append((layer, boxes))
    return _alike(found)


def _with_outliers(
    found: Sequence[tuple[Layer, list[Found]]],
    planes: Sequence[tuple[Layer, NDArray[np.float32]]],
    aside: NDArray[np.float32],
) -> list[tuple[Layer, list[Found]]]:
    everything = np.max([plane for _, plane in planes], axis=0)
    taken = [box for _, boxes in found for box in boxes]
    rows = _outliers(everything, aside, taken)
    return [(layer, [replace(box, outliers=tuple(rows[taken.index(box)])) for box in boxes]) for layer, boxes in found]


def _alike(found: list[tuple[Layer, list[Found]]]) -> list[tuple[Layer, list[Found]]]:
    """Without the chance boxes: much narrower than the widest complete one (rings that overlap, letters)."""
    complete = [box.right - box.left for _, boxes in found for box in boxes if box.whiskers == 2 and box.inner]
    least = 0.4 * max(complete, default=0.0)
    kept = [(layer, [box for box in boxes if box.right - box.left >= least]) for layer, boxes in found]
    return [(layer, boxes) for layer, boxes in kept if boxes]


# --- strokes --------------------------------------------------------------------------------------------------------


def _rectangles(plane: NDArray[np.float32]) -> list[Found]:
    """Pairs of level strokes of one extent whose ends are joined by ink, nearest pairs first, each stroke used once."""
    strokes = sorted(levels(plane, _NARROWEST), key=lambda level: level.y)
    found: list[Found] = []
    for i, first in enumerate(strokes):
        partners = [
            second for second in strokes[i + 1 :]
            if second.y > first.y + 3 and same_extent(first, second) and joined(plane, first, second)
        ]  # fmt: skip
        if partners:
            last = partners[-1]
            inner = [level.y for level in partners[:-1]]
            left, right = (first.left + last.left) / 2, (first.right + last.right) / 2
            median = inner[0] if inner else (first.y if first.thick > 1.4 * last.thick else last.y)
            box = Found(left, right, first.y, last.y, median, first.y, last.y, 0, bool(inner))
            if not any(_inside(box, other) for other in found):
                found.append(box)
    return found


def _inside(box: Found, other: Found) -> bool:
    return other.left - 3 <= box.left and box.right <= other.right + 3 and other.top - 3 <= box.top <= other.bottom


def _complete(plane: NDArray[np.float32], pixels: Image, box: Found, strokes: list[Level]) -> Found:
    """The box with its median, from a stroke of any colour, and its whiskers."""
    width = box.right - box.left
    stroke = inner_stroke(pixels, box.left, box.right, box.top, box.bottom)
    inside = [
        level for level in strokes
        if box.top + 1.5 < level.y < box.bottom - 1.5 and level.left < box.left + 0.3 * width
        and level.right > box.right - 0.3 * width and level.left > box.left - 4 and level.right < box.right + 4
    ]  # fmt: skip
    median = stroke[0] if stroke else max(inside, key=lambda level: level.thick).y if inside else box.median
    above, up = _whisker(plane, strokes, box, -1)
    below, down = _whisker(plane, strokes, box, 1)
    inner = bool(inside) or box.inner or stroke is not None
    median = median if inner or not _is_solid(pixels, box) else np.nan
    return replace(box, median=median, above=above, below=below, whiskers=up + down, inner=inner)


def _is_solid(pixels: Image, box: Found) -> bool:
    """Whether a box is filled with the colour of its outline, so that a median of this colour can't be seen."""
    rows = slice(int(np.ceil(box.top + 2)), max(int(box.bottom - 1), int(np.ceil(box.top + 2)) + 1))
    columns = slice(int(np.ceil(box.left + 3)), max(int(box.right - 2), int(np.ceil(box.left + 3)) + 1))
    fill = np.median(pixels[rows, columns].reshape(-1, 3), axis=0)
    edges = np.median(pixels[[round(box.top), round(box.bottom)], columns].reshape(-1, 3), axis=0)
    return bool(np.abs(fill - edges).max() < 40)


def _whisker(plane: NDArray[np.float32], strokes: list[Level], box: Found, way: int) -> tuple[float, bool]:
    """Where the whisker that leaves the box upwards (-1) or downwards (1) ends, and whether there is one.

    Its end is the centre of the last cap that it reaches, else its last inked row. Only a dashed whisker that ends in
    a cap may have gaps.
    """
    column, width = int(np.floor(box.middle + 0.5)), box.right - box.left
    track = plane[:, max(0, column - 1) : column + 2].max(axis=1)
    start = box.top if way < 0 else box.bottom
    rows = np.arange(int(np.floor(start + 0.5)) + 2 * way, -1 if way < 0 else track.size, way)
    if rows.size == 0:
        return start, False
    caps = [level.y for level in strokes if _is_cap(level, box) and way * (level.y - start) > 3]
    solid = _run(track, rows, 1)
    dashed = _run(track, rows, _DASH)
    reached = [y for y in caps if way * (y - dashed) <= 2]
    if reached and way * (dashed - start) > 2:
        end = min(reached, key=lambda y: abs(y - start))
        # An outlier that touches the cap, or lies under it, leads the ink on.
        ends_here = abs(end - solid) <= 3 or way * (end - solid) > 0 or _is_wide(strokes, box, end)
        if ends_here and _is_thin(plane, column, (start + end) / 2, width):
            return end, True
    if way * (solid - start) > 2.5 and _is_thin(plane, column, (start + solid) / 2, width):
        beyond = int(solid) + way
        further = float(track[beyond]) if 0 <= beyond < track.size else 0.0
        return solid + way * (float(track[int(solid)]) + further - 0.5), True
    return start, False


def _is_thin(plane: NDArray[np.float32], column: int, row: float, width: float) -> bool:
    """The ink across a whisker is a stroke, and not the flank of something solid."""
    line = plane[int(row)] > _INK
    left, right = column, column
    while left > 0 and line[left - 1]:
        left -= 1
    while right < line.size - 1 and line[right + 1]:
        right += 1
    return right - left + 1 <= max(6.0, 0.2 * width)


def _is_wide(strokes: Sequence[Level], box: Found, row: float) -> bool:
    """Whether the cap on this row is too wide for a part of a marker."""
    least = 0.25 * (box.right - box.left)
    return any(level.y == row and level.right - level.left >= least and _is_cap(level, box) for level in strokes)


def _is_cap(level: Level, box: Found) -> bool:
    width = box.right - box.left
    centred = abs((level.left + level.right) / 2 - box.middle) <= 2.5
    return centred and level.right - level.left <= width + 4


def _run(track: NDArray[np.float32], rows: NDArray[np.int_], gap: int) -> float:
    """The last inked row of a walk along these rows that breaks off after `gap` rows without ink."""
    last, missed = float(rows[0]) - (rows[1] - rows[0] if rows.size > 1 else 0), 0
    for row in rows:
        if track[row] > _INK:
            last, missed = float(row), 0
        else:
            missed += 1
            if missed > gap:
                break
    return last


# --- outliers -------------------------------------------------------------------------------------------------------


def _set_aside(panel: Panel, ink: PlotInk) -> NDArray[np.float32]:
    """Ink that was taken for text (a column of rings reads as "8"), but for long rules and the legend: 1 where dark."""
    away = np.abs(ink.pixels.astype(np.float32) - np.asarray(ink.background, dtype=np.float32)).max(axis=2)
    dark = np.where(ink.neutral, np.clip(away / max(1.0, float(away.max())), 0.0, 1.0), 0.0).astype(np.float32)
    for kernel in (np.ones((1, 40), np.uint8), np.ones((40, 1), np.uint8)):
        dark[cv2.morphologyEx((dark > 0.02).astype(np.uint8), cv2.MORPH_OPEN, kernel) > 0] = 0.0
    if panel.legend.box is not None:
        box, (x, y) = panel.legend.box, ink.origin
        dark[Box(box.x0 - x, box.y0 - y, box.x1 - x, box.y1 - y).grown(1).slices(*dark.shape)] = 0.0
    return dark


def _outliers(everything: NDArray[np.float32], aside: NDArray[np.float32], boxes: list[Found]) -> list[list[float]]:
    """Rows of the markers beyond the whiskers of each box."""
    rest = np.maximum(everything, aside)
    reach = float(np.median([box.right - box.left for box in boxes]))
    for box in boxes:
        rows = slice(max(0, int(box.above) - 2), int(box.below) + 4)
        rest[rows, max(0, int(box.left) - 2) : int(box.right) + 4] = 0.0
    lone = singles([
        blob for blob in blobs(rest)
        if max(blob.width, blob.height) < 0.6 * reach + 6 and 0.6 < blob.width / blob.height < 1.7
    ])  # fmt: skip
    found: list[list[float]] = [[] for _ in boxes]
    if not lone:
        return found
    template = template_of(rest, lone)
    places = [register(rest, template, blob.x, blob.y) for blob in lone]
    places += explain(rest, np.zeros(rest.shape, dtype=bool), template, places)
    for x, y in places:
        k = min(range(len(boxes)), key=lambda k: abs(boxes[k].middle - x))
        box = boxes[k]
        if abs(x - box.middle) <= 0.5 * (box.right - box.left) and not box.above - 1 <= y <= box.below + 1:
            found[k].append(y)
    return found
