"""Error bars: the strokes that leave a mark along its value axis, with or without caps. Box plots: see `boxes`.

A whisker is a thin straight stroke that stands out from what is left and right of it (so black ones show on bars too).
It is followed from the mark outwards; it ends in the middle of its cap, or where it stops. Lone finds are not trusted:
a good part of the marks must have whiskers of one colour.

Not handled here: error bars along the other axis, whiskers hidden under other marks, bands (`areas`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tools.cores import filled_ink
from tools.cut_bars import with_whole_bars
from tools.dot_rows import diamond_ends
from tools.ink import Layer, PlotInk
from tools.marker_whiskers import CROWD, End, steep, whiskers_of_markers
from tools.shades import amount_of, taken_for_text
from tools.shapes import told_by_shape
from tools.types import Floats, Mark, Panel, Series

_SIDE = 4  # px from a whisker's middle to what it is compared with
_CONTRAST, _FAINT = 40.0, 15.0  # of 255, by which a whisker stands out; where one end is known, the other one
_LEAST = 3  # rows of a whisker that must show
_MARKER = 14  # rows that a marker may cover before its whisker shows
_BESIDE = 3  # rows from the middle of a marker where no level error bar runs
_ASIDE = 0.25  # of the strokes to one side, how many may be to the other where they are no error bars
_LEVEL = 2.5  # px that ends on one row are apart
_SHARE = 0.4  # of the marks must have whiskers
_SHIFT = 0.9  # px by which a whisker may stand beside the middle of its marker
_MANY = 400  # marks: dense curves have no error bars
_VALUE_PARTS = ("vertex", "marker", "bar", "segment", "sample")


@dataclass(frozen=True)
class Whisker:
    """Its end (row), middle (column), colour, how many rows of it show, whether it has a cap, its thickness, and the
    colour beside it."""

    end: float
    column: float
    colour: tuple[float, float, float]
    rows: int
    capped: bool
    thick: float
    paper: tuple[float, float, float] = (255.0, 255.0, 255.0)


@dataclass(frozen=True, eq=False)
class View:
    """The crop with the value axis upright: `pixels` (h, w, 3); `dull` (h, w) pixels that tell nothing; its `paper`."""

    pixels: Floats
    dull: NDArray[np.bool_]
    paper: Floats


def read_error_bars(panel: Panel, ink: PlotInk, series: Series) -> Series:
    """The series with marks "low" and "high" after each value mark that has whiskers; unchanged where hardly any has.

    They have the x of their mark (the y, for horizontal bars). A whisker that is not drawn, or is hidden, gives none.
    """
    lying = series.orientation == "horizontal"
    series = with_whole_bars(series)
    marks = [mark for mark in series.marks if mark.part in _VALUE_PARTS]
    if not marks or len(marks) > _MANY or any(mark.part in ("low", "high") for mark in series.marks):
        return series
    if series.kind == "points" and any(
        told_by_shape(panel, layer) for layer in ink.layers if _has_colour(layer, series)
    ):
        return series  # strokes between markers of other shapes
    bars = marks[0].part in ("bar", "segment")
    if not bars and (own := _in_its_colour(panel, ink, series, lying)):
        return replace(series, marks=_with_ends(panel, ink, series, own, lying))
    view = _view(ink, lying)
    found: dict[int, dict[int, Whisker]] = {}
    for k, mark in enumerate(series.marks):
        if mark.part in _VALUE_PARTS:
            x, y = _seen(mark, ink.origin, lying)
            ends = {way: _follow(view, x, y, way, 2 if bars else _MARKER) for way in (-1, 1)}
            found[k] = {way: whisker for way, whisker in ends.items() if whisker is not None}
    _drop_odd(found)
    if bars:
        _add_faint(found, view, series, ink.origin, lying)
    if not bars:
        _drop_marker_parts(found, view, series, ink.origin, lying)
        _drop_aside(found, series, ink.origin, lying)
    capped = sum(any(whisker.capped for whisker in ends.values()) for ends in found.values())
    weight = 1 if series.kind == "points" and len(marks) > CROWD else 3
    if max(sum(map(bool, found.values())), weight * capped) < max(2, _SHARE * len(marks)) or (not bars and capped == 1):
        return series  # short whiskers hide under their markers, so fewer will do where caps show
    rows = {k: {way: End(whisker.end) for way, whisker in one.items()} for k, one in found.items()}
    return replace(series, marks=_with_ends(panel, ink, series, rows, lying))


def _end_inside(found: dict[int, dict[int, End]], series: Series, origin: tuple[int, int], lying: bool) -> bool:
    """Whether strokes leave the values to one side only: within bars (hatches), or all to one row (stems)."""
    for way in (-1, 1):
        ends = np.array([one[way].row for one in found.values() if way in one])
        if len(ends) < 2 or sum(-way in one for one in found.values()) > _ASIDE * len(ends):
            continue
        inwards = {_inwards(series.marks[k], lying) for k, one in found.items() if way in one}
        if inwards == {way}:
            return True
        heights = [_seen(series.marks[k], origin, lying)[1] for k, one in found.items() if way in one]
        level = np.abs(ends - np.median(ends)) < _LEVEL
        if inwards == {0} and level.sum() >= max(3, 0.6 * len(ends)) and np.ptp(heights) > 5 * _LEVEL:
            return True
    return False


def _inwards(mark: Mark, lying: bool) -> int:
    """The way from the value end of a bar to its base in the view (1: rows grow); 0 where it has no box."""
    if mark.box is None or mark.part not in ("bar", "segment"):
        return 0
    low, high, at = (mark.box.x0, mark.box.x1, mark.x) if lying else (mark.box.y0, mark.box.y1, mark.y)
    return 1 if at - low < high - at else -1


def _has_colour(layer: Layer, series: Series) -> bool:
    """Whether a series was read from a layer: the legend may give it a slightly other shade."""
    return max(abs(a - b) for a, b in zip(layer.colour, series.colour, strict=True)) <= 6


def _in_its_colour(panel: Panel, ink: PlotInk, series: Series, lying: bool) -> dict[int, dict[int, End]]:
    """Rows (of the view) of the ends of error bars that have the colour of their markers, by number of the mark."""
    layer = next((layer for layer in ink.layers if _has_colour(layer, series)), None)
    if layer is None or not layer.coverage.any():
        return {}
    coverage = layer.coverage
    text = taken_for_text(panel, ink, layer) if series.kind == "points" else None
    if text is not None and text.any():  # a ring with a bar reads as "IOI"
        coverage = np.where(text, np.minimum(amount_of(ink, [layer], text)[0], 1.0), coverage).astype(np.float32)
    amount = filled_ink(coverage)
    numbers = [k for k, mark in enumerate(series.marks) if mark.part in _VALUE_PARTS]
    places = [_seen(series.marks[k], ink.origin, lying) for k in numbers]
    found = whiskers_of_markers(np.ascontiguousarray(amount.T) if lying else amount, places, series.kind == "line")
    for k, (row, column) in enumerate(places) if lying and found else ():
        tips = None if k in found else diamond_ends(amount, column, row)
        found |= {} if tips is None else {k: {-1: End(tips[0]), 1: End(tips[1])}}
    return {numbers[k]: ends for k, ends in found.items()}


def _add_faint(
    found: dict[int, dict[int, Whisker]], view: View, series: Series, origin: tuple[int, int], lying: bool
) -> None:
    """The other ends of error bars of which one is known, where they hardly stand out: black ones on dark bars."""
    for k, ends in found.items():
        known = next(iter(ends.values()), None)
        if known is None or len(ends) > 1:
            continue
        _, y = _seen(series.marks[k], origin, lying)
        way = -next(iter(ends))
        faint = _follow(view, known.column, y, way, 2, _FAINT)
        if faint is not None and abs(faint.column - known.column) <= 1.0 and abs(faint.thick - known.thick) <= 1.2:
            ends[way] = faint


def _view(ink: PlotInk, lying: bool) -> View:
    pixels = ink.pixels.astype(np.float64)
    paper = np.asarray(ink.background, dtype=np.float64)
    return View(pixels.transpose(1, 0, 2), ink.neutral.T, paper) if lying else View(pixels, ink.neutral, paper)


def _seen(mark: Mark, origin: tuple[int, int], lying: bool) -> tuple[float, float]:
    """Column and row of a mark in the view."""
    x, y = mark.x - origin[0], mark.y - origin[1]
    return (y, x) if lying else (x, y)


def _drop_marker_parts(
    found: dict[int, dict[int, Whisker]], view: View, series: Series, origin: tuple[int, int], lying: bool
) -> None:
    """Takes out what is part of the markers themselves (arms of a plus, tips of a triangle) or as thick as they are."""
    places = {k: _seen(series.marks[k], origin, lying) for k in found}
    halves = [_half_width(view, *places[k]) for k in found]
    half = float(np.percentile(halves, 25)) if halves else 0.0
    for k, ends in found.items():
        for way in list(ends):
            if abs(ends[way].end - places[k][1]) < 1.35 * half + 1.0 or (half > 2 and ends[way].thick > 0.9 * half):
                del ends[way]


def _drop_aside(found: dict[int, dict[int, Whisker]], series: Series, origin: tuple[int, int], lying: bool) -> None:
    """Takes out strokes beside the middle of their marker or, on lines, of their colour and towards a neighbour that
    lies nearly above or below: there a steep line leaves the marker."""
    value = [k for k, mark in enumerate(series.marks) if mark.part in ("vertex", "marker")]
    places = {k: _seen(series.marks[k], origin, lying) for k in value}
    shifts = [one.column - places[k][0] for k in value for one in found.get(k, {}).values()]
    usual = float(np.clip(np.median(shifts), -_SHIFT, _SHIFT)) if shifts else 0.0
    upright = steep(list(places.values())) if series.kind == "line" else set()
    for number, k in enumerate(value):
        ends = found.get(k, {})
        for way, one in list(ends.items()):
            own = float(np.abs(np.subtract(one.colour, series.colour)).max()) < 60
            if abs(one.column - places[k][0] - usual) > _SHIFT or (own and (number, way) in upright):
                del ends[way]


def _half_width(view: View, x: float, y: float) -> float:
    """How far the ink under a mark reaches to its nearer side (at most `_MARKER` px); where an error bar runs through
    it level, the ink above and below that bar."""
    row, column = int(np.floor(y + 0.5)), int(np.floor(x + 0.5))
    height, width = view.dull.shape
    if not (0 <= row < height and 0 <= column < width):
        return 0.0
    middle = _reach(view, slice(max(0, row - 1), row + 2), column)
    beside = max(
        _reach(view, slice(max(0, at), at + 1), column) for at in (row - _BESIDE, min(row + _BESIDE, height - 1))
    )
    return beside if beside >= _BESIDE and middle > 1.5 * beside else middle


def _reach(view: View, rows: slice, column: int) -> float:
    """How far the ink of some rows reaches from a column to its nearer side."""
    away = np.abs(view.pixels[rows] - view.paper).max(axis=2).max(axis=0)
    line = away > 0.3 * away[column]
    reach = []
    for way in (-1, 1):
        steps = 0
        while steps < _MARKER and 0 <= column + way * (steps + 1) < line.size and line[column + way * (steps + 1)]:
            steps += 1
        reach.append(steps)
    return float(min(reach)) + 0.5


def _with_ends(
    panel: Panel, ink: PlotInk, series: Series, found: dict[int, dict[int, End]], lying: bool
) -> tuple[Mark, ...]:
    """The marks, each followed by its ends; `found`: those, rows in the view, by number of the mark and way."""
    if _end_inside(found, series, ink.origin, lying):
        return series.marks
    axis = panel.axis(series.axis) or (panel.x if lying else panel.y)
    grows_down = (axis.slope > 0) if axis is not None else lying  # values grow with the row of the view
    marks: list[Mark] = []
    for k, mark in enumerate(series.marks):
        marks.append(mark)
        ends = found.get(k, {})
        for way in (-1, 1) if grows_down else (1, -1):  # low first
            if way in ends:
                end = ends[way]
                at = end.row + ink.origin[0 if lying else 1]
                part = "high" if (way > 0) == grows_down else "low"
                x, y = (at, mark.y) if lying else (mark.x, at)
                marks.append(Mark(part, x, y, sigma=end.sigma, bridged=not end.seen))  # type: ignore[arg-type]
    return tuple(marks)


def _follow(view: View, x: float, y: float, way: int, gap: int, contrast: float = _CONTRAST) -> Whisker | None:
    """The whisker that leaves (x, y) upwards (-1) or downwards (1), seen at the latest `gap` rows from it."""
    height, width = view.dull.shape
    rows = np.arange(int(np.floor(y + 0.5)) + way, -1 if way < 0 else height, way)
    rows = rows[(rows >= 0) & (rows < height)]  # marks may lie just outside of the plot area
    middle = int(np.floor(x + 0.5))
    if rows.size < _LEAST or not _SIDE + 2 <= middle < width - _SIDE - 2:
        return None
    best: Whisker | None = None
    for column in range(middle - 2, middle + 3):
        start = _first_stroke(view, rows, column, gap, contrast)
        if start is None:
            continue
        whisker = _measure(view, rows[start:], column, way)
        if whisker is not None and (best is None or (whisker.capped, whisker.rows) > (best.capped, best.rows)):
            best = whisker
    return best


def _first_stroke(view: View, rows: NDArray[np.int_], column: int, gap: int, contrast: float) -> int | None:
    """Index of the first of `_LEAST` rows in which this column stands out from both sides."""
    part = rows[: gap + 3 * _LEAST]
    centre = view.pixels[part, column]
    left, right = view.pixels[part, column - _SIDE], view.pixels[part, column + _SIDE]
    stands = np.minimum(np.abs(centre - left).max(axis=1), np.abs(centre - right).max(axis=1)) > contrast
    stands &= (np.abs(left - right).max(axis=1) < 0.6 * np.abs(centre - left).max(axis=1)) & ~view.dull[part, column]
    run = 0
    for i, row_stands in enumerate(stands):
        run = run + 1 if row_stands else 0
        if run == _LEAST:
            start = i - _LEAST + 1
            return start if start <= gap else None
    return None


def _measure(view: View, rows: NDArray[np.int_], column: int, way: int) -> Whisker | None:
    """Follows a whisker of which the first rows are known."""
    seed = rows[:_LEAST]
    colour = np.median(view.pixels[seed, column], axis=0)
    paper = np.median(np.concatenate([view.pixels[seed, column - _SIDE], view.pixels[seed, column + _SIDE]]), axis=0)
    full = float(np.abs(colour - paper).max())
    window = view.pixels[rows, column - 3 : column + 4]
    ink = np.clip(1.0 - np.abs(window - colour).max(axis=2) / full, 0.0, 1.0)  # 1 stroke, 0 as far as the paper
    on = ink[:, 3] > 0.5
    last = 0
    while last + 1 < on.size and (on[last + 1] or (last + 2 < on.size and on[last + 2])):
        last += 1 if on[last + 1] else 2
    body = ink[: max(_LEAST, last - 2)]
    weight = body[:, 1:6].sum(axis=1)
    middles = (body[:, 1:6] * np.arange(-2, 3)).sum(axis=1) / np.maximum(weight, 1e-9)
    thick = float(np.median(weight))
    if last + 1 < _LEAST + 1 or thick > 4.0 or np.percentile(np.abs(middles - np.median(middles)), 80) > 0.6:
        return None
    cap = _cap(view, rows, column, last, colour, full, thick)
    if cap is None and not 1 <= rows[last] < view.dull.shape[0] - 2:
        return None  # runs into the frame
    further = float(ink[last + 1, 3]) if last + 1 < on.size else 0.0
    end = float(rows[last]) + way * (float(ink[last, 3]) + further - 0.5) if cap is None else cap
    return Whisker(end, column + float(np.median(middles)), _rgb(colour), last + 1, cap is not None, thick, _rgb(paper))


def _rgb(colour: Floats) -> tuple[float, float, float]:
    red, green, blue = (float(v) for v in colour)
    return red, green, blue


def _cap(
    view: View, rows: NDArray[np.int_], column: int, last: int, colour: Floats, full: float, thick: float
) -> float | None:
    """Centre row of the level stroke across a whisker's end, None where there is none on both sides."""
    near = rows[max(0, last - 4) : last + 2]
    beside = int(np.ceil(thick / 2 + 0.5))
    sides = []
    for offset in (-beside - 1, -beside, beside, beside + 1):
        away = np.abs(view.pixels[near, column + offset] - colour).max(axis=1)
        sides.append(np.clip(1.0 - away / full, 0.0, 1.0))
    left, right = np.maximum(sides[0], sides[1]), np.maximum(sides[2], sides[3])
    both = np.where(np.minimum(left, right) > 0.15, np.minimum(left, right), 0.0)
    if both.max() < 0.5 or (both > 0.5).sum() > 4:
        return None
    peak = int(np.argmax(both))
    lo, hi = max(0, peak - 2), min(both.size, peak + 3)
    part = both[lo:hi]
    return float((part * near[lo:hi]).sum() / part.sum())


def _drop_odd(found: dict[int, dict[int, Whisker]]) -> None:
    """Keeps the whiskers of the commonest colour; of capped and bare ones, the commoner kind."""
    every = [whisker for ends in found.values() for whisker in ends.values()]
    if not every:
        return
    colours = np.asarray([whisker.colour for whisker in every])
    near = (np.abs(colours[:, None] - colours[None]).max(axis=2) < 60).sum(axis=1)
    usual = colours[int(np.argmax(near))]
    capped = np.mean([whisker.capped for whisker in every]) > 0.5
    for ends in found.values():
        for way in list(ends):
            if _is_odd(ends[way], usual) or (capped and not ends[way].capped):
                del ends[way]


def _is_odd(whisker: Whisker, usual: Floats) -> bool:
    """Whether a whisker has another colour than the usual one, also where it is so thin that what lies beside it mixes
    in."""
    colour, paper = np.asarray(whisker.colour), np.asarray(whisker.paper)
    if np.abs(colour - usual).max() <= 90:
        return False
    ray = usual - paper
    share = float((colour - paper) @ ray / max(float(ray @ ray), 1.0))
    return whisker.thick > 2.6 or not 0.3 < share < 1.2 or float(np.abs(paper + share * ray - colour).max()) > 45
