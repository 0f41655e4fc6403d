"""Bars of every make: rectangles with sub-pixel edges, grouped, stacked, negative, touching, on a calendar or not.

Vertical and horizontal bars share one way: horizontal plots are turned upright first (`rectangles.Frame`).

Not handled here: 3-D bars, broken bars, bars on a log axis that hang from its top, pictograms, words printed on bars.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.bar_likeness import bar_likeness, thick_ink
from tools.bar_sheets import (
    Sheet,
    bar_frame,
    base_of,
    behind_others,
    on_base,
    others_than,
    sheets_of,
    within_rectangles,
    without_axis_line,
    without_decoration,
    without_rims,
    without_strays,
)
from tools.bar_strokes import outline_half_width
from tools.colour import colourless
from tools.dense_bars import heights_on_cells
from tools.flying_curves import flies_over
from tools.framed import Framed
from tools.framed_series import framed_bars, sort_framed
from tools.hollow_sheets import filled_in, hollow_filled
from tools.ink import Layer, PlotInk
from tools.lattice import Cells, find_cells
from tools.low_bins import with_low_ends
from tools.outline_bins import find_outlines, read_outline
from tools.rectangles import (
    Columns,
    Floats32,
    Frame,
    Rectangle,
    column_runs,
    find_rectangles,
    full_level,
)
from tools.rim_bars import with_rims
from tools.rounded import with_corners
from tools.signed_bars import by_sign
from tools.slots import Bars, fill_gaps, merge_nameless, named_places
from tools.stacks import fill_missing, find_slots, segments_of_slot, stack_families
from tools.swatch_kinds import swatch_kind
from tools.touching import lent, touching
from tools.types import Axis, Evidence, Floats, Image, Mark, Panel, Series
from tools.year_axes import in_days

EDGE = 1.5  # px from the edge of the plot


def read_bars(panel: Panel, ink: PlotInk, layers: Sequence[Layer], pixels: Image | None = None) -> tuple[Series, ...]:
    """One series per ink with a mark per bar or segment, in drawing order; empty if none of the layers holds bars.

    Bars on a regular grid of a time or number axis: every step between the first and the last visible bar has a
    mark, without height where nothing is drawn. `Mark.x` (y for horizontal bars) is where the date that names the
    bar lies; `Mark.box` is the rectangle. `pixels` (H, W, 3): the whole figure, whose legend tells hatches apart.
    """
    framed = framed_bars(panel, ink) if len(layers) == len(ink.layers) else None
    if framed is not None:
        return _read_framed(panel, ink, framed, pixels)
    staircases = find_outlines(panel, ink, layers)
    outlined = tuple(read_outline(panel, ink, one, found) for one, found in staircases)
    layers = [one for one in layers if not any(one is other for other, _ in staircases)]
    if not layers:
        return outlined
    return outlined + _read_filled(panel, ink, layers)


def _read_framed(panel: Panel, ink: PlotInk, framed: Framed, pixels: Image | None) -> tuple[Series, ...]:
    """Bars known by their outlines, told apart by what fills them."""
    frame = framed.frame
    value, key = (panel.x, panel.y) if frame.horizontal else (panel.y, panel.x)
    bars = merge_nameless(sort_framed(panel, ink, framed, pixels, key), frame, key)
    placed = fill_gaps(bars, named_places(bars, frame, key), frame, key, framed.base)
    return tuple(_series(one, places, frame, (value, key), framed.base) for one, places in placed)


def _read_filled(panel: Panel, ink: PlotInk, layers: Sequence[Layer]) -> tuple[Series, ...]:
    frame = bar_frame(panel, ink, layers)
    value_axis, key_axis = (panel.x, panel.y) if frame.horizontal else (panel.y, panel.x)
    base = frame.base_row(value_axis)
    sheets = sheets_of(panel, ink, [with_corners(layer) for layer in layers], frame, base)
    if not sheets:
        return ()
    key_axis = in_days(key_axis, [one for sheet in sheets for one in sheet.found])
    base = base_of(sheets, base)
    sheets = without_rims(hollow_filled(sheets, ink, frame, base))
    sheets = without_decoration(
        [s for s in (without_strays(without_axis_line(sheet, base), base) for sheet in sheets) if s.found]
    )
    if not sheets:
        return ()
    sheets = behind_others(sheets, base)
    bars: list[Bars] = []
    for family in stack_families([within_rectangles(sheet) for sheet in sheets]):
        members = [sheets[i] for i in family]
        bars += _read_stack(members, frame, key_axis, base) if len(members) > 1 else [
            _read_single(members[0], frame, key_axis, base)
        ]  # fmt: skip
    bars = _outlined(ink, frame, bars, base)
    bars = merge_nameless(bars, frame, key_axis)
    bars = lent(bars, base) if key_axis is not None and key_axis.scale == "linear" else bars
    places = named_places(bars, frame, key_axis)
    zero = frame.base_row(value_axis)
    # Where the axis does not start at zero, nothing drawn may also be a bar that ends below it.
    from_zero = zero is None or -3 <= zero <= len(sheets[0].coverage) + 3
    placed = fill_gaps(bars, places, frame, key_axis, base) if from_zero else list(zip(bars, places, strict=True))
    bins = touching([one for one, _ in placed], ink, frame, base)
    return by_sign([
        _series(one, at, frame, (value_axis, key_axis), base, binned)
        for (one, at), binned in zip(placed, bins, strict=True)
    ])  # fmt: skip


def _read_single(sheet: Sheet, frame: Frame, key: Axis | None, base: float) -> Bars:
    """Bars of one ink from the base: on the cells of a grid where there is one, else the rectangles themselves."""
    standing = tuple(r for r in sheet.found if on_base(r, base))
    found = standing or sheet.found
    cells = _cells(sheet.coverage, sheet.columns, found, frame, key)
    if cells is None:
        return Bars(sheet, "bar", _split_wide(found, frame, key))
    solved = heights_on_cells(sheet.coverage, sheet.hidden, sheet.columns, (cells.lefts, cells.rights), base)
    seated = tuple(_seated(r, base) for r in solved)
    first, last = shown_span([r.height for r in seated])
    cells, seated = cells.part(first, last), seated[first:last]
    if key is not None and key.scale == "linear":
        cells, seated = with_low_ends(sheet, cells, seated, base)
    return Bars(sheet, "bar", seated, cells)


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
    standing = abs(one.bottom - base) <= abs(one.top - base)
    if standing and abs(one.bottom - base) <= 3 + one.below:
        return replace(one, bottom=max(base, one.top))
    if not standing and abs(one.top - base) <= 3:
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
        split += [replace(one, left=float(a), right=float(b)) for a, b in itertools.pairwise(sides)]
    return tuple(split)


def _read_stack(members: Sequence[Sheet], frame: Frame, key: Axis | None, base: float) -> list[Bars]:
    """Segments of inks that stand on each other, slot by slot."""
    coverages, hiddens = [s.coverage for s in members], [s.hidden for s in members]
    together = np.minimum(np.sum(coverages, axis=0), 1.0).astype(np.float32)
    veiled = np.all(hiddens, axis=0)
    columns = column_runs(together, veiled, base)
    cells = _cells(together, columns, find_rectangles(together, veiled, columns), frame, key)
    slots = find_slots([s.found for s in members])
    if cells is not None and _stand_apart(slots, cells.grid.period):
        cells = None
    if cells is not None:
        slots = [(float(a), float(b)) for a, b in zip(cells.lefts, cells.rights, strict=True)]
    levels = [full_level(coverage) for coverage in coverages]
    raw = [segments_of_slot(coverages, hiddens, levels, slot) for slot in slots]
    raw, members = _without_fringes(raw, members)
    keep = [i for i, slot in enumerate(raw) if cells is not None or any(r is not None for r in slot)]
    filled = fill_missing([raw[i] for i in keep], base)
    for i, slot in zip(keep, filled, strict=True):
        slot[:] = [_seated(replace(r, left=float(slots[i][0]), right=float(slots[i][1])), base) for r in slot]
    first, last = shown_span([max(r.height for r in slot) for slot in filled])
    part = cells.part(first, last) if cells is not None else None
    return [Bars(s, "stack", tuple(slot[n] for slot in filled[first:last]), part) for n, s in enumerate(members)]


def _stand_apart(slots: Sequence[tuple[float, float]], period: float) -> bool:
    """Whether stacks are seen one by one, each wider than a cell: words in their segments gave the cells."""
    if len(slots) < 2:
        return False
    widths = [right - left for left, right in slots]
    gaps = [after[0] - before[1] for before, after in itertools.pairwise(slots)]
    return min(widths) > max(0.9 * max(widths), 1.5 * period) and min(gaps) > 1


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
    return [with_rims(one, ink, frame, half, base) if len(moved) == 1 else one for one in moved]


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
    bars: Bars, places: Floats, frame: Frame, axes: tuple[Axis | None, Axis | None], base: float, touch: bool = False
) -> Series:
    value, key = axes
    cells = bars.cells
    binned = touch and key is not None and key.scale == "linear"
    kind = "histogram" if binned and bars.kind == "bar" and not _on_integers(key, places) else bars.kind
    closed = _closed_sides(bars) if kind == "histogram" else bars.rectangles
    marks = [_mark(r, float(at), frame, bars.kind, base) for r, at in zip(closed, places, strict=True)]
    if frame.horizontal:
        marks.sort(key=lambda mark: mark.y)
    else:
        marks.sort(key=lambda mark: mark.x)
    side = value.side if value else "bottom" if frame.horizontal else "left"
    layer = bars.sheet.layer
    unsure = sum(mark.bridged for mark in marks)
    warnings: tuple[str, ...] = (f"the ends of {unsure} bars lie under other ink",) if unsure else ()
    if narrow := cells is not None and cells.grid.period < 0.99:
        warnings += ("the bars are narrower than a pixel: each value is that of the highest bar in its column",)
    if cut := sum(_is_cut(r, base) for r in bars.rectangles) if bars.kind == "bar" else 0:
        warnings += (f"{cut} bars end at the edge of the plot and may go on beyond it",)
    return Series(
        layer.name, layer.colour, kind, tuple(marks), side, "horizontal" if frame.horizontal else "vertical",
        Evidence("read_bars"), narrow, warnings,
    )  # fmt: skip


def _is_cut(one: Rectangle, base: float) -> bool:
    """Whether a bar reaches the far edge of the plot: there it may be cut off."""
    return one.height > 3 and one.top < EDGE < base - 3


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


def _is_curve(ink: PlotInk, layer: Layer) -> bool:
    """Whether the legend shows a layer by a line, or it is a curve over bars all the same."""
    kind = swatch_kind(layer.entry) if layer.entry else ""
    return kind in ("line", "line+marker") or (kind == "patch" and flies_over(ink, layer))


def _is_fill(layer: Layer) -> bool:
    """Whether the legend shows a layer by a patch of a colour, as no whiskers or outlines have."""
    return layer.entry is not None and swatch_kind(layer.entry) == "patch" and not colourless(layer.colour)


def looks_like_bars(panel: Panel, ink: PlotInk, layer: Layer) -> float:
    """0 to 1: how far this layer is made of filled upright (or sideways) rectangles on a base line or on each other.

    Hollow bars count too. Lines, areas with slanted edges, markers, whiskers and box plots score near 0.
    """
    if float(layer.coverage.sum()) < 6:
        return 0.0
    frame = bar_frame(panel, ink, ink.layers)
    zero = frame.base_row(panel.x if frame.horizontal else panel.y)
    others = others_than(ink, layer, frame)
    curves = [one.coverage for one in ink.layers if one is not layer and _is_curve(ink, one)]
    across = np.asarray(frame.upright(np.max(curves, axis=0)), dtype=np.float32) if curves else others * 0
    solid = np.where(across > 0.1, np.float32(0), others)
    sheets = sheets_of(
        panel, ink, [with_corners(layer)], frame, zero, thick_ink(solid)
    )  # a thick line may hide the end of a bar
    if not sheets:
        return 0.0
    sheet = sheets[0]
    inside = zero is not None and -1 <= zero <= len(sheet.coverage)
    base = zero if inside and zero is not None else base_of(sheets, None)
    filled = bar_likeness(sheet.coverage, others, sheet.columns, list(sheet.found), base, _is_fill(layer))
    if filled > 0.8 or not inside:
        return filled  # a guessed base line may be the very curve that would close the outlines
    hollow = filled_in(sheet, ink, frame, base)
    if hollow is None:
        return filled
    return max(filled, bar_likeness(hollow.coverage, others * 0, hollow.columns, list(hollow.found), base))
