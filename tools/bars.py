"""Bars of every make: rectangles with sub-pixel edges, grouped, stacked, negative, touching, on a calendar or not.

Vertical and horizontal bars share one way: horizontal plots are turned upright first (`rectangles.Frame`).

Not handled here: 3-D bars, broken bars, bars on a log axis that hang from its top, pictograms, words printed on bars.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.dense_bars import heights_on_cells
from tools.hollow import fill_outlines, stroke_thickness
from tools.ink import Layer, PlotInk
from tools.lattice import Cells, find_cells
from tools.bar_likeness import bar_likeness, thick_ink
from tools.bar_strokes import outline_half_width
from tools.rectangles import Bits, Columns, Floats32, Frame, Rectangle, column_runs, find_rectangles, full_level, usual_width
from tools.slots import Bars, Sheet, fill_gaps, merge_nameless, named_places
from tools.stacks import fill_missing, find_slots, seam_width, segments_of_slot, stack_families
from tools.types import Axis, Box, Evidence, Floats, Mark, Panel, Series

CROSSING = 2  # px: half the thickness of a line across a bar that is looked through

BESIDE = 7  # px: how far beside a neutral line is looked for the bar that it may lie on


def read_bars(panel: Panel, ink: PlotInk, layers: Sequence[Layer]) -> tuple[Series, ...]:
    """One series per ink with a mark per bar or segment, in drawing order; empty if none of the layers holds bars.

    Bars on a regular grid of a time or number axis: every step between the first and the last visible bar has a
    mark, without height where nothing is drawn. `Mark.x` (y for horizontal bars) is where the date that names the
    bar lies; `Mark.box` is the rectangle.
    """
    frame = bar_frame(panel, ink, layers)
    value_axis, key_axis = (panel.x, panel.y) if frame.horizontal else (panel.y, panel.x)
    base = frame.base_row(value_axis)
    sheets = _sheets(panel, ink, layers, frame, base)
    if not sheets:
        return ()
    base = _base(sheets, base)
    sheets = _hollow_filled(sheets, ink, frame, base)
    sheets = _without_decoration([s for s in (_without_strays(sheet, base) for sheet in sheets) if s.found])
    if not sheets:
        return ()
    bars: list[Bars] = []
    for family in stack_families([sheet.columns for sheet in sheets]):
        members = [sheets[i] for i in family]
        bars += _read_stack(members, frame, key_axis, base) if len(members) > 1 else [
            _read_single(members[0], frame, key_axis, base)
        ]  # fmt: skip
    bars = _outlined(ink, frame, bars, base)
    bars = merge_nameless(bars, frame, key_axis)
    placed = fill_gaps(bars, named_places(bars, frame, key_axis), frame, key_axis, base)
    return tuple(_series(one, places, frame, (value_axis, key_axis), base) for one, places in placed)


def _hollow_filled(
    sheets: list[Sheet], ink: PlotInk, frame: Frame, base: float
) -> list[Sheet]:
    """Sheets of mere outlines filled in; those of inks that only fill or hatch some of these bars are left out."""
    done, hollow = [], []
    for sheet in sheets:
        chunks = [r for r in sheet.found if r.width >= 3 and r.height > 3]
        solid = sum(float(sheet.coverage[max(0, int(r.top)) : int(r.bottom) + 1, r.first : r.last + 1].sum())
                    for r in chunks)  # fmt: skip
        filled = _filled_in(sheet, ink, frame, base) if solid < 0.6 * float(sheet.coverage.sum()) else None
        (hollow if filled else done).append(filled or sheet)
    for outline in hollow:
        done = [sheet for sheet in done if not _within(sheet.found, outline.found)]
    return [*done, *hollow]


def _within(inner: Sequence[Rectangle], outer: Sequence[Rectangle]) -> bool:
    """Whether every rectangle lies inside one of the others."""
    return all(
        any(o.left - 2 < r.left and r.right < o.right + 2 and o.top - 2 < r.top for o in outer) for r in inner
    )


def bar_frame(panel: Panel, ink: PlotInk, layers: Sequence[Layer]) -> Frame:
    """Which way the bars run: what the ink shows, tipped by the kinds of the axes."""
    width = ink.pixels.shape[1]
    upright, sideways = Frame(False, ink.origin, width), Frame(True, ink.origin, width)
    if not layers:
        return upright
    coverage = np.max([layer.coverage for layer in layers], axis=0)
    scores = []
    for frame, value, key in ((upright, panel.y, panel.x), (sideways, panel.x, panel.y)):
        turned = np.ascontiguousarray(frame.upright(coverage), dtype=np.float32)
        runs = column_runs(turned, frame_bits(frame, ink.neutral), frame.base_row(value))
        # Bars hold all of their ink in one run from the base; read crosswise they are many short runs.
        held = float(np.nansum(runs.bottom - runs.top)) / max(float((coverage >= 0.5).sum()), 1.0)
        score = _shared_end(runs, frame.base_row(value)) * min(1.0, held)
        score += 0.15 * (value is not None and value.scale in ("linear", "log"))
        score += 0.4 * (key is not None and key.scale == "date") + 0.25 * (key is not None and key.scale == "category")
        scores.append(score)
    return sideways if scores[1] > scores[0] + 0.05 else upright


def frame_bits(frame: Frame, bits: Bits) -> Bits:
    return np.asarray(frame.upright(bits), dtype=bool)


def _shared_end(columns: Columns, base: float | None) -> float:
    """The share of inked columns with an end on one common row (that of value 0 if the axis has it)."""
    tops, bottoms = columns.top[columns.present], columns.bottom[columns.present]
    if not len(tops):
        return 0.0
    rows = [float(np.median(tops)), float(np.median(bottoms)), float(bottoms.max()), *([base] if base is not None else [])]
    return max(float(np.mean((np.abs(tops - row) < 2) | (np.abs(bottoms - row) < 2))) for row in rows)


def _sheets(panel: Panel, ink: PlotInk, layers: Sequence[Layer], frame: Frame, base: float | None) -> list[Sheet]:
    """The layers turned upright. Other bars do not hide a bar: they stand on it or beside it."""
    neutral = ink.neutral & ~_own_colour(panel, ink, layers)
    bars = np.max([layer.coverage for layer in layers], axis=0)
    paper = np.array(ink.background, dtype=np.int16)
    inked = frame_bits(frame, _largest(ink.pixels.astype(np.int16) - paper) > 10)
    covering = frame_bits(frame, _in_front(neutral, np.where(neutral, 0.0, bars)))
    sheets = []
    for layer in layers:
        # What was healed under rules and text is a guess: here such pixels count as hidden.
        shown = np.where(neutral, 0.0, layer.coverage)
        shown[ink.neutral & ~neutral & _of_colour(ink, layer)] = 1.0
        coverage = np.ascontiguousarray(frame.upright(shown), dtype=np.float32)
        hidden = frame_bits(frame, layer.hidden & ~ink.neutral & ~((bars >= 0.5) & (layer.coverage < bars)))
        hidden |= covering
        hidden |= _crossed(coverage, inked)
        columns = column_runs(coverage, hidden, base)
        sheets.append(Sheet(layer, coverage, hidden, columns, tuple(find_rectangles(coverage, hidden, columns))))
    return [sheet for sheet in sheets if sheet.found]


def _of_colour(ink: PlotInk, layer: Layer) -> Bits:
    difference = ink.pixels.astype(np.int16) - np.array(layer.colour, dtype=np.int16)
    return np.asarray(_largest(difference) <= 6, dtype=bool)


def _largest(difference: NDArray[np.int16]) -> NDArray[np.int16]:
    """The largest of the three absolute channels (faster than a reduction over three)."""
    size = np.abs(difference)
    return np.asarray(np.maximum(np.maximum(size[..., 0], size[..., 1]), size[..., 2]))


def _own_colour(panel: Panel, ink: PlotInk, layers: Sequence[Layer]) -> Bits:
    """Pixels that were taken for a rule but have a bar's very colour: low bars along the axis. Not in the legend."""
    own = np.any([_of_colour(ink, layer) for layer in layers], axis=0)
    box = panel.legend.box
    if box is not None:
        x, y = ink.origin
        rows, columns = Box(box.x0 - x, box.y0 - y, box.x1 - x, box.y1 - y).slices(*own.shape)
        own[rows, columns] = False
    return np.asarray(own, dtype=bool)


def _in_front(neutral: Bits, shown: Floats32) -> Bits:
    """The neutral pixels that may hide bars: not those of rules that run behind them.

    A rule is a row or column that is neutral wherever no bar shows; if bars do show in it, they lie over it. Text on
    bars has bar on both sides of it, a rule behind bars is seen between them only.
    """
    front = neutral.copy()
    solid = shown >= 0.5
    for axis in (0, 1):
        bits, bars = (neutral, solid) if axis == 0 else (neutral.T, solid.T)
        padded = np.pad(bars, ((BESIDE, BESIDE), (0, 0)))
        enclosed = bits & padded[: -2 * BESIDE] & padded[2 * BESIDE :]
        count = bits.sum(axis=1)
        rule = (count > 0.6 * np.maximum((~bars).sum(axis=1), 1)) & (enclosed.sum(axis=1) < 0.5 * count)
        behind = rule & (bars.sum(axis=1) >= 2)
        (front if axis == 0 else front.T)[behind] = False
    return front


def _crossed(coverage: Floats32, inked: Bits) -> Bits:
    """Pixels of thin lines drawn across a bar (see-through grid lines): ink of any colour between ink of the bar."""
    solid = coverage >= 0.5 * full_level(coverage)
    closed = cv2.morphologyEx(solid.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((2 * CROSSING + 1, 1), np.uint8))
    return np.asarray((closed > 0) & ~solid & inked, dtype=bool)


def _base(sheets: Sequence[Sheet], zero: float | None) -> float:
    """The row that bars start from: that of value 0 if bars end there, else the row where most ends lie."""
    ends = np.array([end for s in sheets for r in s.found for end in (r.top, r.bottom)])
    weight = np.array([r.width for s in sheets for r in s.found for _ in range(2)])
    if zero is not None and weight[np.abs(ends - zero) < 3].sum() > 0.1 * weight.sum():
        return zero
    if zero is not None and 0 <= zero < sheets[0].coverage.shape[0] and any(
        r.top <= zero <= r.bottom for s in sheets for r in s.found
    ):  # fmt: skip
        return zero
    votes = [float(weight[np.abs(ends - end) < 1.2].sum()) for end in ends]
    top = max(votes)
    # Of equally frequent rows the lowest: bars rise from it.
    return float(max(end for end, vote in zip(ends, votes, strict=True) if vote > 0.97 * top))


def _without_strays(sheet: Sheet, base: float) -> Sheet:
    """Drop what is no bar: slivers far narrower than most of the ink's area, and specks free of any stack."""
    usual = usual_width(sheet.found)
    kept = [r for r in sheet.found if r.width > 0.25 * usual or (usual < 3 and _on_base(r, base))]
    return replace(sheet, found=tuple(r for r in kept if r.width > 0.3 and r.height > 0.2))


def _without_decoration(sheets: list[Sheet]) -> list[Sheet]:
    """Leave out nameless inks that are far thinner than the bars: their outlines, shadows, lines across them."""
    if len(sheets) < 2:
        return sheets
    main = max(sheets, key=lambda s: (bool(s.layer.name), sum(r.width * r.height for r in s.found)))
    wide, high = usual_width(main.found), float(np.median([r.height for r in main.found]))
    kept = []
    for sheet in sheets:
        thin = usual_width(sheet.found) < 0.6 * wide or (max(r.height for r in sheet.found) < 4 and high > 8)
        if sheet is main or sheet.layer.name or not thin:
            kept.append(sheet)
    return kept


def _on_base(one: Rectangle, base: float) -> bool:
    """Whether one end lies on the base; as much of the bar as is seen may be hidden down there, not more."""
    if abs(one.top - base) < 3 or abs(one.bottom - base) < 3:
        return True
    seen_end = one.bottom - one.below / 2
    return seen_end < base < seen_end + one.below + 3 and one.below < 6 + 0.5 * (seen_end - one.top)


def _read_single(sheet: Sheet, frame: Frame, key: Axis | None, base: float) -> Bars:
    """Bars of one ink from the base: on the cells of a grid where there is one, else the rectangles themselves."""
    standing = tuple(r for r in sheet.found if _on_base(r, base))
    found = standing or sheet.found
    cells = _cells(sheet.coverage, sheet.columns, found, frame, key)
    if cells is None:
        return Bars(sheet, "bar", _split_wide(found, frame, key))
    solved = heights_on_cells(sheet.coverage, sheet.hidden, sheet.columns, (cells.lefts, cells.rights), base)
    seated = tuple(_seated(r, base) for r in solved)
    first, last = shown_span([r.height for r in seated])
    return Bars(sheet, "bar", seated[first:last], cells.part(first, last))


def _cells(
    coverage: Floats32, columns: Columns, found: Sequence[Rectangle], frame: Frame, key: Axis | None
) -> Cells | None:
    """The cells, if the axis is one of time or numbers and the grid is worth having."""
    if key is None or key.scale not in ("date", "linear") or len(found) < (2 if key.scale == "date" else 5):
        return None
    cells = find_cells(coverage, columns, found, frame, key)
    if not isinstance(cells, Cells) or len(cells.lefts) > 6 * len(found) + 400:
        return None
    return cells if key.scale == "date" or cells.grid.score > 0.9 else None


def _seated(one: Rectangle, base: float) -> Rectangle:
    """The base end put on the base line: what is seen there is the axis stroke, not the bar."""
    if abs(one.bottom - base) <= 3 + one.below:
        return replace(one, bottom=max(base, one.top))
    if abs(one.top - base) <= 3:
        return replace(one, top=base)
    return one


def _split_wide(found: Sequence[Rectangle], frame: Frame, key: Axis | None) -> tuple[Rectangle, ...]:
    """On a category axis: a rectangle over several slots is as many touching bars of one height."""
    if key is None or key.scale != "category" or not found:
        return tuple(found)
    pitch = 1 / abs(key.slope)
    if max(r.width for r in found) < 1.5 * pitch:
        return tuple(found)
    split = []
    for one in found:
        count = max(1, round(one.width / pitch))
        sides = np.linspace(one.left, one.right, count + 1)
        split += [replace(one, left=float(a), right=float(b)) for a, b in zip(sides, sides[1:], strict=False)]
    return tuple(split)


def _read_stack(members: Sequence[Sheet], frame: Frame, key: Axis | None, base: float) -> list[Bars]:
    """Segments of inks that stand on each other, slot by slot."""
    coverages, hiddens = [s.coverage for s in members], [s.hidden for s in members]
    together = np.minimum(np.sum(coverages, axis=0), 1.0).astype(np.float32)
    veiled = np.all(hiddens, axis=0)
    columns = column_runs(together, veiled, base)
    cells = _cells(together, columns, find_rectangles(together, veiled, columns), frame, key)
    slots = find_slots([s.found for s in members]) if cells is None else list(zip(cells.lefts, cells.rights, strict=True))
    raw = [segments_of_slot(coverages, hiddens, (float(a), float(b))) for a, b in slots]
    raw, members = _without_fringes(raw, members)
    keep = [i for i, slot in enumerate(raw) if cells is not None or any(r is not None for r in slot)]
    filled = fill_missing([raw[i] for i in keep], base)
    for i, slot in zip(keep, filled, strict=True):
        slot[:] = [_seated(replace(r, left=float(slots[i][0]), right=float(slots[i][1])), base) for r in slot]
    first, last = shown_span([max(r.height for r in slot) for slot in filled])
    part = cells.part(first, last) if cells is not None else None
    return [Bars(s, "stack", tuple(slot[n] for slot in filled[first:last]), part) for n, s in enumerate(members)]


def _without_fringes(
    raw: list[list[Rectangle | None]], members: Sequence[Sheet]
) -> tuple[list[list[Rectangle | None]], Sequence[Sheet]]:
    """Leave out nameless inks that are nowhere thicker than a blurred edge."""
    thick = [max((r.height for slot in raw if (r := slot[n])), default=0.0) for n in range(len(members))]
    kept = [n for n, sheet in enumerate(members) if thick[n] > 1.5 or sheet.layer.name]
    return [[slot[n] for n in kept] for slot in raw], [members[n] for n in kept]


def shown_span(heights: Sequence[float]) -> tuple[int, int]:
    """From the first to behind the last bar that can be seen; what is lower than half a pixel may be the axis."""
    shown = np.flatnonzero(np.array(heights) > 0.5)
    return (int(shown[0]), int(shown[-1]) + 1) if len(shown) else (0, len(heights))


def _outlined(ink: PlotInk, frame: Frame, bars: list[Bars], base: float) -> list[Bars]:
    """Value ends moved out to the middle of the stroke around the bars, if they have one."""
    outer = _outer_ends(bars, base)
    half = outline_half_width(ink, frame, outer, base)
    if half <= 0.05:
        return bars
    moved = []
    for one in bars:
        ends = {id(r) for r in outer}
        moved.append(replace(one, rectangles=tuple(
            _pushed(r, half, base) if id(r) in ends else r for r in one.rectangles)))  # fmt: skip
    return moved


def _outer_ends(bars: Sequence[Bars], base: float) -> list[Rectangle]:
    """The rectangles whose value end is free: single bars, and the outermost segment of every stack."""
    outer: list[Rectangle] = []
    stacks: dict[int, list[Rectangle]] = {}
    for one in bars:
        if one.kind != "stack":
            outer += [r for r in one.rectangles if r.height > 0]
            continue
        for r in one.rectangles:
            if r.height > 0:
                stacks.setdefault(round(r.middle), []).append(r)
    return outer + [min(slot, key=lambda r: r.top) for slot in stacks.values()]


def _pushed(one: Rectangle, half: float, base: float) -> Rectangle:
    if one.bottom - base > base - one.top:
        return replace(one, bottom=one.bottom - one.below / 2 + half, below=0.0)
    return replace(one, top=one.top + one.above / 2 - half, above=0.0)


def _series(
    bars: Bars, places: Floats, frame: Frame, axes: tuple[Axis | None, Axis | None], base: float
) -> Series:
    value, key = axes
    cells = bars.cells
    binned = cells is not None and cells.touching and key is not None and key.scale == "linear"
    kind = "histogram" if binned and bars.kind == "bar" and not _on_integers(key, places) else bars.kind
    closed = _closed_sides(bars) if kind == "histogram" else bars.rectangles
    marks = [_mark(r, float(at), frame, bars.kind, base) for r, at in zip(closed, places, strict=True)]
    if frame.horizontal:
        marks.sort(key=lambda mark: mark.y)
    else:
        marks.sort(key=lambda mark: mark.x)
    side = value.side if value else "bottom" if frame.horizontal else "left"
    layer = bars.sheet.layer
    warnings = tuple(f"no data could be told from {n} hidden bars" for n in [sum(m.confidence < 0.3 for m in marks)] if n)
    return Series(
        layer.name, layer.colour, kind, tuple(marks), side, "horizontal" if frame.horizontal else "vertical",
        Evidence("read_bars"), False, warnings,
    )  # fmt: skip


def _on_integers(key: Axis | None, places: Floats) -> bool:
    """Bars of unit width around whole numbers (years, counts) are bars, not bins."""
    if key is None or len(places) < 2:
        return False
    values = key.to_value(np.asarray(places))
    step = abs(float(np.median(np.diff(values))))
    return abs(step - 1) < 0.03 and abs(float(np.median(values - np.round(values)))) < 0.3


def _closed_sides(bars: Bars) -> tuple[Rectangle, ...]:
    """Bins meet: each side in the middle between the two bars' strokes."""
    rights = [r.right for r in bars.rectangles]
    lefts = [r.left for r in bars.rectangles]
    gap = float(np.median(np.array(lefts[1:]) - np.array(rights[:-1]))) if len(lefts) > 1 else 0.0
    return tuple(replace(r, left=r.left - gap / 2, right=r.right + gap / 2) for r in bars.rectangles)


def _mark(one: Rectangle, at: float, frame: Frame, kind: str, base: float) -> Mark:
    """The mark of one bar: `at` is the figure pixel along the key axis that names it."""
    hangs = one.bottom - base > base - one.top
    end, slack = (one.bottom, one.below) if hangs else (one.top, one.above)
    box = frame.box(one.left, one.top, one.right, one.bottom)
    if frame.horizontal:
        x, y = (box.x0 if hangs else box.x1), at
    else:
        x, y = at, (box.y1 if hangs else box.y0)
    del end
    sigma = float(np.hypot(0.3, slack / np.sqrt(12)))
    sure = 1.0 if slack < 2 else 0.7 if slack < 6 else 0.4
    part = "segment" if kind == "stack" else "bar"
    return Mark(part, x, y, box, sigma, slack > 3.0, sure)  # type: ignore[arg-type]


def looks_like_bars(panel: Panel, ink: PlotInk, layer: Layer) -> float:
    """0 to 1: how far this layer is made of filled upright (or sideways) rectangles on a base line or on each other.

    Hollow bars count too. Lines, areas with slanted edges, markers, whiskers and box plots score near 0.
    """
    if float(layer.coverage.sum()) < 6:
        return 0.0
    frame = bar_frame(panel, ink, ink.layers)
    zero = frame.base_row(panel.x if frame.horizontal else panel.y)
    others = _others(ink, layer, frame)
    thick = frame.back(thick_ink(others))
    sheets = _sheets(panel, ink, [replace(layer, hidden=layer.hidden & ~thick)], frame, zero)
    if not sheets:
        return 0.0
    sheet = sheets[0]
    inside = zero is not None and -1 <= zero <= len(sheet.coverage)
    base = zero if inside and zero is not None else _base(sheets, None)
    filled = bar_likeness(sheet.coverage, others, sheet.columns, list(sheet.found), base)
    if filled > 0.8:
        return filled
    hollow = _filled_in(sheet, ink, frame, base)
    if hollow is None:
        return filled
    return max(filled, bar_likeness(hollow.coverage, others * 0, hollow.columns, list(hollow.found), base))


def _others(ink: PlotInk, layer: Layer, frame: Frame) -> Floats32:
    """The coverage by all other inks together, upright."""
    rest = [other.coverage for other in ink.layers if other is not layer]
    together = np.max(rest, axis=0) if rest else np.zeros_like(layer.coverage)
    return np.asarray(frame.upright(together), dtype=np.float32)


def _filled_in(sheet: Sheet, ink: PlotInk, frame: Frame, base: float) -> Sheet | None:
    """A sheet of outlines as one of filled bars, its ends in the middle of the strokes; None if it is none."""
    paper = np.array(ink.background, dtype=np.float32)
    strongest = float(np.abs(np.array(sheet.layer.colour) - paper).max())
    # Strokes from the picture itself: their blurred parts may have gone to inks of their own.
    contrast = np.abs(np.asarray(frame.upright(ink.pixels), dtype=np.float32) - paper).max(axis=2)
    strokes = np.minimum(contrast / max(strongest, 1.0), 1.0).astype(np.float32)
    walls = strokes > 0.4
    own = float(sheet.coverage[walls].sum()) > 0.5 * float(strokes[walls].sum())
    darker = float(np.mean(contrast[walls] > 1.5 * strongest)) > 0.1 if walls.any() else True
    filled = fill_outlines(strokes, _others(ink, sheet.layer, frame), base) if own and not darker else None
    if filled is None:
        return None
    hidden = sheet.hidden & (filled < 0.5)
    columns = column_runs(filled, hidden, base)
    found = [r for r in find_rectangles(filled, hidden, columns) if _on_base(r, base) and r.width >= 3]
    half = stroke_thickness(strokes, found) / 2
    columns = replace(columns, top=columns.top + half)
    return replace(sheet, coverage=filled, hidden=hidden, columns=columns,
                   found=tuple(replace(r, top=r.top + half) for r in found))  # fmt: skip
