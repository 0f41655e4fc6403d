"""Inks turned into sheets that bars can be read from: upright, with what hides them.

Not handled here: what the rectangles stand for (`bars`, `stacks`), where on an axis they belong (`slots`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numba import njit
from numpy.typing import NDArray

from tools.ink import Layer, PlotInk
from tools.mirrored import names_rows
from tools.rectangles import (
    Bits,
    Columns,
    Floats32,
    Frame,
    Rectangle,
    column_runs,
    find_rectangles,
    full_level,
    usual_width,
)
from tools.types import Box, Floats, Image, Panel, Rgb

GLYPH = 60  # px: what is larger than this is no letter on a bar
RIM = 5.0  # px: no bar between wide ones is as thin as the strokes around them
SEAM = 4  # px: light seams thinner than this between segments of a stack do not part it


@dataclass(frozen=True, eq=False)
class Sheet:
    """One ink in the upright frame: its coverage, what hides it, and the rectangles seen."""

    layer: Layer
    coverage: Floats32
    hidden: Bits
    columns: Columns
    found: tuple[Rectangle, ...]


def bar_frame(panel: Panel, ink: PlotInk, layers: Sequence[Layer]) -> Frame:
    """Which way the bars run: what the ink shows, tipped by the kinds of the axes."""
    width = ink.pixels.shape[1]
    upright, sideways = Frame(False, ink.origin, width), Frame(True, ink.origin, width)
    if not layers or names_rows(panel):
        return sideways if layers else upright
    coverage = np.max([layer.coverage for layer in layers], axis=0)
    scores = []
    for frame, value, key in ((upright, panel.y, panel.x), (sideways, panel.x, panel.y)):
        turned = np.ascontiguousarray(frame.upright(coverage), dtype=np.float32)
        turned = np.asarray(cv2.morphologyEx(turned, cv2.MORPH_CLOSE, np.ones((SEAM, 1), np.uint8)), np.float32)
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
    """The share of the runs, by length, with an end on one common row (that of value 0 or any other)."""
    tops, bottoms = columns.top[columns.present], columns.bottom[columns.present]
    if not len(tops):
        return 0.0
    rows = [float(np.median(tops)), float(np.median(bottoms)), float(bottoms.max())]
    rows += [base] if base is not None else []
    long = bottoms - tops
    shares = [long[(np.abs(tops - row) < 2) | (np.abs(bottoms - row) < 2)].sum() for row in rows]
    return float(max(shares) / max(long.sum(), 1e-6))


def sheets_of(
    panel: Panel, ink: PlotInk, layers: Sequence[Layer], frame: Frame, base: float | None, thick: Bits | None = None
) -> list[Sheet]:
    """The layers turned upright, those with rectangles. Other bars hide no bar: they stand on it or beside it.

    thick: (h, w) upright, other ink that may be bars too though its layers are not among these.
    """
    bars = np.max([layer.coverage for layer in layers], axis=0)
    own = _own_colours(panel, ink, layers)
    neutral = ink.neutral & ~np.any(own, axis=0)
    inked = frame_bits(frame, far_from(ink.pixels, ink.background) > 10)
    seen = np.where(neutral, np.float32(0), bars)
    upright_bars = np.asarray(frame.upright(seen), dtype=np.float32)
    covering = frame_bits(frame, _in_front(neutral, seen))
    sheets = []
    for layer, lost in zip(layers, own, strict=True):
        # What was healed under rules and text is a guess: here such pixels count as hidden.
        shown = np.where(ink.neutral, lost, layer.coverage)
        shown[_frame_residue(ink, layer)] = 0.0
        coverage = np.ascontiguousarray(frame.upright(shown), dtype=np.float32)
        foreign = (upright_bars >= 0.5) & (coverage < upright_bars)
        foreign |= thick if thick is not None else False
        hidden = (frame_bits(frame, layer.hidden & ~ink.neutral) & ~foreign) | covering
        hidden |= _crossed(coverage, (hidden | inked) & ~foreign) | _holes(coverage)
        columns = column_runs(coverage, hidden, base)
        sheets.append(Sheet(layer, coverage, hidden, columns, tuple(find_rectangles(coverage, hidden, columns))))
    return [sheet for sheet in sheets if sheet.found]


def far_from(pixels: Image, colour: Rgb) -> NDArray[np.int16]:
    """The largest of the three channel differences (three passes are faster than a reduction over three)."""
    size = np.abs(pixels.astype(np.int16) - np.array(colour, dtype=np.int16))
    return np.asarray(np.maximum(np.maximum(size[..., 0], size[..., 1]), size[..., 2]))


def _frame_residue(ink: PlotInk, layer: Layer) -> Bits:
    """Pixels of the outermost rows and columns, where frames are drawn, that have not this ink's very colour."""
    rim = np.ones(ink.neutral.shape, dtype=bool)
    rim[1:-1, 1:-1] = False
    rim[rim] = far_from(ink.pixels[rim], layer.colour) > 12
    return rim


def _own_colours(panel: Panel, ink: PlotInk, layers: Sequence[Layer]) -> list[Bits]:
    """Per layer, the pixels that were taken for a rule but have its very colour: low bars along the axis.

    Not in the legend, whose patches have these colours too.
    """
    doubtful = ink.neutral.copy()
    box = panel.legend.box
    if box is not None:
        x, y = ink.origin
        rows, columns = Box(box.x0 - x, box.y0 - y, box.x1 - x, box.y1 - y).slices(*doubtful.shape)
        doubtful[rows, columns] = False
    pixels = ink.pixels[doubtful]
    found = []
    for layer in layers:
        own = np.zeros(doubtful.shape, dtype=bool)
        own[doubtful] = far_from(pixels, layer.colour) <= 6
        found.append(own)
    return found


def _in_front(neutral: Bits, shown: Floats32) -> Bits:
    """The neutral pixels that may hide bars: not those of rules that run behind them.

    A rule is a row or column that is neutral wherever no bar shows; if bars do show in it, they lie over it. Text on
    bars has bar on both sides of it, a rule behind bars is seen between them only.
    """
    front = neutral.copy()
    solid = shown >= 0.5
    for axis in (0, 1):
        bits, bars = (neutral, solid) if axis == 0 else (np.ascontiguousarray(neutral.T), np.ascontiguousarray(solid.T))
        count = bits.sum(axis=1)
        on_bars = _between_solid(bits, bars).sum(axis=1)
        rule = (count > 0.6 * np.maximum((~bars).sum(axis=1), 1)) & (on_bars < 0.5 * count)
        behind = rule & (bars.sum(axis=1) >= 2)
        (front if axis == 0 else front.T)[behind] = False
    return front


@njit(cache=True)
def _between_solid(bits: Bits, solid: Bits) -> Bits:  # pragma: no cover
    """The bits whose run down their column has solid pixels at both of its ends."""
    height, width = bits.shape
    found = np.zeros((height, width), np.bool_)
    above = np.zeros(width, np.bool_)
    for row in range(height):
        for column in range(width):
            if bits[row, column]:
                found[row, column] = above[column]
            else:
                above[column] = solid[row, column]
    above[:] = False
    for row in range(height - 1, -1, -1):
        for column in range(width):
            if bits[row, column]:
                found[row, column] &= above[column]
            else:
                above[column] = solid[row, column]
    return found


def _holes(coverage: Floats32) -> Bits:
    """Small islands of anything else well within one bar: text on it, in the colour of the paper too."""
    solid = coverage >= 0.5 * full_level(coverage)
    # Thin strokes are opened away first, or hollow bars would be islands themselves.
    thick = cv2.morphologyEx(solid.astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(1 - thick, connectivity=8)
    height, width = solid.shape
    left, top, wide, high = (stats[:, k] for k in range(4))
    inside = (left > 0) & (top > 0) & (left + wide < width) & (top + high < height)
    island = inside & (np.minimum(wide, high) < GLYPH)
    island[0] = False
    return np.asarray(island[labels] & ~solid, dtype=bool)


def _crossed(coverage: Floats32, inked: Bits) -> Bits:
    """What is drawn across a bar, see-through grid lines and rims of text too: other ink with ink of this bar at both
    ends of its run down the column."""
    solid = coverage >= 0.5 * full_level(coverage)
    return np.asarray(_between_solid(inked & ~solid, solid), dtype=bool)


def base_of(sheets: Sequence[Sheet], zero: float | None) -> float:
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


def without_strays(sheet: Sheet, base: float) -> Sheet:
    """Drop what is no bar: slivers far narrower than most of the ink's area, and specks free of any stack."""
    usual = usual_width(sheet.found)
    kept = [r for r in sheet.found if r.width > 0.25 * usual or (usual < 3 and on_base(r, base))]
    return replace(sheet, found=tuple(r for r in kept if r.width > 0.3 and r.height > 0.2))


def without_axis_line(sheet: Sheet, base: float) -> Sheet:
    """Drop the pieces of an axis line of the bars' own colour: level strokes along the base that fill what lies
    between the bars, so that their widths are not those of bars."""
    low = [r for r in sheet.found if r.height < 3 and on_base(r, base)]
    tall = [r.width for r in sheet.found if r.height >= 3]
    if len(low) < 3 or len(tall) < 2 or np.ptp([r.height for r in low]) > 0.3:
        return sheet
    wide = float(np.median(tall))
    if np.mean([abs(r.width - wide) < 0.15 * wide for r in low]) > 0.3:  # bars of low values
        return sheet
    return _erased(sheet, low)


def without_rims(sheets: list[Sheet]) -> list[Sheet]:
    """Leave out the uprights of outlines, thin along the side of a bar, that were taken for ink of the bars."""
    if len(sheets) < 2:
        return sheets
    everything = sorted((r for s in sheets for r in s.found), key=lambda r: r.width)
    area = np.cumsum([r.width * max(r.height, 0.1) for r in everything])
    wide = everything[int(np.searchsorted(area, area[-1] / 2))].width
    sides = np.array([x for r in everything if r.width > 0.6 * wide for x in (r.left, r.right)])
    kept = [_cleared(s, sides, min(RIM, 0.15 * wide)) for s in sheets]
    return [sheet for sheet in kept if sheet.found]


def _cleared(sheet: Sheet, sides: Floats, widest: float) -> Sheet:
    """The sheet without rectangles narrower than `widest` that end at one of the sides (n,)."""
    rims = [r for r in sheet.found if r.width < widest
            and min(np.abs(sides - r.left).min(), np.abs(sides - r.right).min()) < 1.5]  # fmt: skip
    return _erased(sheet, rims) if rims else sheet


def _erased(sheet: Sheet, strokes: Sequence[Rectangle]) -> Sheet:
    """The sheet without some of its rectangles, their columns without ink."""
    coverage, top = sheet.coverage.copy(), sheet.columns.top.copy()
    for one in strokes:
        coverage[:, one.first : one.last + 1] = 0.0
        top[one.first : one.last + 1] = np.nan
    found = tuple(r for r in sheet.found if not any(r is one for one in strokes))
    return replace(sheet, coverage=coverage, columns=replace(sheet.columns, top=top), found=found)


def without_decoration(sheets: list[Sheet]) -> list[Sheet]:
    """Leave out nameless inks that are far thinner than the bars: their outlines, shadows, lines across them."""
    if len(sheets) < 2:
        return sheets
    sheets = [replace(s, found=tuple(r for r in s.found if not _under(r, sheets, s))) for s in sheets]
    sheets = [s for s in sheets if s.found]
    main = max(sheets, key=lambda s: sum(r.width * r.height for r in s.found))
    wide, high = usual_width(main.found), float(np.median([r.height for r in main.found]))
    kept = []
    for sheet in sheets:
        thin = usual_width(sheet.found) < 0.6 * wide or (max(r.height for r in sheet.found) < 4 and high > 8)
        if sheet is main or sheet.layer.name or not thin:
            kept.append(sheet)
    return kept


def _under(one: Rectangle, sheets: Sequence[Sheet], own: Sheet) -> bool:
    """Whether this is a mere stroke along the foot or the head of a bar of another ink (this one has bars too)."""
    if one.height > 3 or max(r.height for r in own.found) < 12:
        return False
    return any(
        other.height > 4 * one.height
        and min(abs(other.bottom - one.bottom), abs(other.top - one.bottom)) < 4
        and min(one.right, other.right) - max(one.left, other.left) > 0.7 * one.width
        for sheet in sheets if sheet is not own for other in sheet.found
    )  # fmt: skip


def behind_others(sheets: Sequence[Sheet], base: float) -> list[Sheet]:
    """The sheets with narrower bars that stand in front of wider ones counted as hiding them: no stack.

    The wider bar shows on both sides of the narrow one, down to the base line.
    """
    done = []
    for sheet in sheets:
        front = [other for other in sheets if other is not sheet and _stands_in_front(other, sheet, base)]
        if not front:
            done.append(sheet)
            continue
        cover = np.max([other.coverage for other in front], axis=0) > 0.3
        hidden = sheet.hidden | (cover & (sheet.coverage < 0.5))
        columns = column_runs(sheet.coverage, hidden, base)
        standing = columns.bottom + columns.below >= base - 3  # it goes on down to the base line behind the others
        columns = replace(columns, bottom=np.where(standing, np.maximum(columns.bottom, base), columns.bottom),
                          below=np.where(standing, 0.0, columns.below))  # fmt: skip
        done.append(replace(sheet, hidden=hidden, columns=columns,
                            found=tuple(find_rectangles(sheet.coverage, hidden, columns))))  # fmt: skip
    return done


def _stands_in_front(front: Sheet, sheet: Sheet, base: float) -> bool:
    tall = [r for r in front.found if r.height > 3 and r.width > 2]
    standing = [r for r in tall if on_base(r, base)]
    width = len(sheet.columns.top)
    flanked = []
    for one in standing:
        beside = [c for c in (one.first - 3, one.last + 3) if 0 <= c < width and sheet.columns.present[c]]
        ends = [abs(sheet.columns.bottom[c] - base) < 3 or abs(sheet.columns.top[c] - base) < 3 for c in beside]
        tops = sheet.columns.top[beside]
        flanked.append(len(ends) == 2 and all(ends) and abs(float(tops[0] - tops[1])) < 1.0)  # one bar, not two bins
    return sum(flanked) > 0.6 * max(1, len(tall))  # of a stack, few upper segments stand on the base line


def within_rectangles(sheet: Sheet) -> Columns:
    """The runs of the columns that belong to a rectangle; all others count as empty."""
    inside = np.zeros(len(sheet.columns.top), dtype=bool)
    for one in sheet.found:
        inside[one.first : one.last + 1] = True
    return replace(sheet.columns, top=np.where(inside, sheet.columns.top, np.nan))


def on_base(one: Rectangle, base: float) -> bool:
    """Whether one end lies on the base; as much of the bar as is seen may be hidden down there, not more."""
    if abs(one.top - base) < 3 or abs(one.bottom - base) < 3:
        return True
    seen_end = one.bottom - one.below / 2
    return seen_end < base < seen_end + one.below + 3 and one.below < 6 + 0.5 * (seen_end - one.top)


def others_than(ink: PlotInk, layer: Layer, frame: Frame) -> Floats32:
    """The coverage by all other inks together, upright."""
    rest = [other.coverage for other in ink.layers if other is not layer]
    together = np.max(rest, axis=0) if rest else np.zeros_like(layer.coverage)
    return np.asarray(frame.upright(together), dtype=np.float32)
