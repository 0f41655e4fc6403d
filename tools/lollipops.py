"""Lollipops: thin stems on a base line with a head at their end, whose middle is the value. Upright frame as in
`rectangles`.

Not handled here: heads without stems and stems whose heads have a colour of their own (`points`), hollow heads.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tools.bar_sheets import frame_bits
from tools.ink import Layer, PlotInk
from tools.rectangles import Floats32, Frame, column_runs
from tools.types import Evidence, Floats, Mark, Panel, Series

THICKEST = 6  # px of a stem
SMALLEST = 4  # px of a head
SOLID = 0.4
FEWEST = 3


def read_lollipops(panel: Panel, ink: PlotInk, layers: Sequence[Layer]) -> tuple[Series, ...]:
    """A series of kind "points" per layer that draws lollipops, a mark in the middle of each head; others give none."""
    found = [_best([_heads(panel, ink, layer, lying) for lying in (False, True)]) for layer in layers]
    return tuple(one for one in found if one is not None)


def _best(ways: Sequence[Series | None]) -> Series | None:
    return max((way for way in ways if way is not None), key=lambda one: len(one.marks), default=None)


def _heads(panel: Panel, ink: PlotInk, layer: Layer, lying: bool) -> Series | None:
    value, key = (panel.x, panel.y) if lying else (panel.y, panel.x)
    if value is None or value.scale == "category" or (key is not None and key.scale not in ("category", "date")):
        return None
    frame = Frame(lying, ink.origin, ink.pixels.shape[1])
    coverage = np.ascontiguousarray(frame.upright(layer.coverage), dtype=np.float32)
    base = frame.base_row(value)
    if base is None or not -2 <= base <= len(coverage) + 2:
        base = len(coverage) - 1.0
    runs = column_runs(coverage, frame_bits(frame, layer.hidden), base)
    stems = _stems(runs.top, runs.bottom, base)
    heads = [_head(coverage, column, runs.top[column], runs.bottom[column], base) for column in stems]
    good = [(column, row) for column, row in zip(stems, heads, strict=True) if row is not None]
    if len(good) < FEWEST or len(good) < 0.6 * len(stems):
        return None
    marks = []
    for column, row in good:
        box = frame.box(column, row, column, row)
        marks.append(Mark("marker", box.x0, box.y0, sigma=0.4))
    side, way = ("bottom", "horizontal") if lying else ("left", "vertical")
    return Series(layer.name, layer.colour, "points", tuple(marks), side, way, Evidence("read_points"))  # type: ignore[arg-type]


def _stems(tops: Floats, bottoms: Floats, base: float) -> list[int]:
    """The middle columns of the thin groups of columns whose runs stand on the base line or hang from it."""
    stands = (
        np.isfinite(tops) & ((np.abs(bottoms - base) < 4) | (np.abs(tops - base) < 4)) & (bottoms - tops > SMALLEST)
    )
    edges = np.flatnonzero(np.diff(np.concatenate([[False], stands, [False]]).astype(int)))
    return [int((a + b - 1) // 2) for a, b in zip(edges[::2], edges[1::2], strict=True) if b - a <= THICKEST]


def _head(coverage: Floats32, column: int, top: float, bottom: float, base: float) -> float | None:
    """The row of the middle of the head at the far end of this stem; None where the stem just ends."""
    hangs = bottom - base > base - top
    rows = np.arange(round(bottom) + 1, int(base), -1) if hangs else np.arange(max(0, round(top) - 1), int(base))
    if len(rows) < SMALLEST + 2:
        return None
    widths = np.array([_width(coverage[row], column) for row in rows])
    stem = float(np.median(widths[len(widths) // 2 :]))
    wide = widths > 1.5 * stem + 1
    if not wide.any():
        return None
    first = int(np.argmax(wide))
    last = first + int(np.argmin(wide[first:])) - 1 if not wide[first:].all() else len(wide) - 1
    across, along = float(widths[first : last + 1].max()), last - first + 1
    if first > 4 or across < SMALLEST or not 0.5 * across < along + 2 < 1.8 * across:
        return None
    half = int(across) // 2 + 2
    near = rows[max(0, first - 2) : last + 3]
    blob = coverage[near, max(0, column - half) : column + half + 1].astype(np.float64)
    weight = np.clip(blob.sum(axis=1) - stem, 0.0, None)  # the stem leaves on one side only
    return float((weight * near).sum() / weight.sum())


def _width(line: Floats32, column: int) -> int:
    """How many solid pixels in a row hold this column."""
    if line[column] <= SOLID:
        return 0
    off = np.flatnonzero(line <= SOLID)
    at = int(np.searchsorted(off, column))
    left = int(off[at - 1]) if at else -1
    right = int(off[at]) if at < len(off) else len(line)
    return right - left - 1
