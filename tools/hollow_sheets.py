"""Sheets of mere outlines as sheets of filled bars.

Upright frame as in `rectangles`. Not handled here: what encloses what (`hollow`), outlines of several inks (`framed`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.bar_sheets import Sheet, far_from, on_base, others_than
from tools.hollow import fill_outlines, stroke_thickness
from tools.ink import PlotInk
from tools.rectangles import Floats32, Frame, Rectangle, column_runs, find_rectangles

STROKES = (3.0, 6.0)  # px: least and largest width of what is wider than a stroke


def hollow_filled(sheets: list[Sheet], ink: PlotInk, frame: Frame, base: float) -> list[Sheet]:
    """Sheets of mere outlines filled in; those of inks that only fill or hatch some of these bars are left out."""
    done: list[Sheet] = []
    hollow: list[Sheet] = []
    for sheet in sheets:
        thick = _stroke(sheet.coverage)
        chunks = [r for r in sheet.found if r.width >= thick and r.height > 3]
        solid = sum(float(sheet.coverage[max(0, int(r.top)) : int(r.bottom) + 1, r.first : r.last + 1].sum())
                    for r in chunks)  # fmt: skip
        filled = filled_in(sheet, ink, frame, base) if solid < 0.6 * float(sheet.coverage.sum()) else None
        (hollow if filled else done).append(filled or sheet)
    for outline in hollow:
        done = [sheet for sheet in done if not _within(sheet.found, outline.found)]
    return [*done, *hollow]


def _within(inner: Sequence[Rectangle], outer: Sequence[Rectangle]) -> bool:
    """Whether every rectangle lies inside one of the others."""
    return all(any(o.left - 2 < r.left and r.right < o.right + 2 and o.top - 2 < r.top for o in outer) for r in inner)


def filled_in(sheet: Sheet, ink: PlotInk, frame: Frame, base: float) -> Sheet | None:
    """A sheet of outlines as one of filled bars, its ends in the middle of the strokes; None if it is none."""
    strongest = float(max(abs(a - b) for a, b in zip(sheet.layer.colour, ink.background, strict=True)))
    # Strokes from the picture itself: their blurred parts may have gone to inks of their own.
    contrast = np.asarray(frame.upright(far_from(ink.pixels, ink.background)), dtype=np.float32)
    strokes = np.minimum(contrast / max(strongest, 1.0), 1.0).astype(np.float32)
    for other in ink.layers:  # a curve across bars closes nothing off
        if other.name and other is not sheet.layer:
            strokes[np.asarray(frame.upright(other.coverage), dtype=np.float32) > 0.5] = 0.0
    walls = strokes > 0.4
    own = float(sheet.coverage[walls].sum()) > 0.5 * float(strokes[walls].sum())
    darker = float(np.mean(contrast[walls] > 1.5 * strongest)) > 0.1 if walls.any() else True
    filled = fill_outlines(strokes, others_than(ink, sheet.layer, frame), base) if own and not darker else None
    if filled is None:
        return None
    hidden = sheet.hidden & (filled < 0.5)
    columns = column_runs(filled, hidden, base)
    found = [r for r in find_rectangles(filled, hidden, columns) if on_base(r, base) and r.width >= 3]
    found = _whole(found)
    half = stroke_thickness(strokes, found) / 2
    columns = replace(columns, top=columns.top + half)
    return replace(sheet, coverage=filled, hidden=hidden, columns=columns,
                   found=tuple(replace(r, top=r.top + half) for r in found))  # fmt: skip


def _whole(found: Sequence[Rectangle]) -> list[Rectangle]:
    """Halves of a hollow bar that an error bar of its own colour parts are one again."""
    whole: list[Rectangle] = []
    for one in found:
        last = whole[-1] if whole else None
        if last is not None and one.first - last.last <= 5 and abs(one.top - last.top) < 1.0:
            whole[-1] = replace(last, right=one.right, last=one.last)
        elif last is not None and one.first - last.last <= 1 and one.width < 0.2 * last.width and one.top < last.top:
            continue  # the foot of the error bar itself
        else:
            whole.append(one)
    return whole


def _stroke(coverage: Floats32) -> float:
    """Width (px) from which ink is no stroke of hollow bars, in most of whose columns only level strokes are seen;
    the least one where most columns hold more ink than these: solid bars, however thin."""
    down = coverage.sum(axis=0)
    level = 1.5 * float(np.median(down[down > 0.5])) if (down > 0.5).any() else 0.0
    return min(max(level, STROKES[0]), STROKES[1]) if level <= 2 * STROKES[1] else STROKES[0]
