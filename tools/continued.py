"""A curve that goes on dashed in its own colour: observed values, then a forecast, told apart where the dashes begin.

Only where the legend names more curves of this colour than were found, one by a solid and one by a broken sample.

Not handled here: curves that change their dashes more than once, forecasts that no legend names (one series).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tools.dashes import Alike
from tools.patterns import INKED, SOLID, Pattern
from tools.trace import Trace
from tools.types import Floats

WHOLE = 0.97  # share of a solid sample that is inked
FEWEST = 3  # gaps by which a dashed stretch is known
EVEN = 3.0  # times the usual dash: no dash of a broken stretch is longer
LONG = 5.0  # times the usual dash: a solid stretch is longer
LEAST = 0.1  # of the curve's length that each stretch takes


def with_continuations(curves: Sequence[Alike], samples: Sequence[Sequence[Pattern]]) -> list[Alike]:
    """The curves, those cut in two that are solid up to some place and dashed from there on (or the other way round).

    samples: the dash patterns that each entry of the legend in this colour may have.
    """
    solid = [all(one.duty > WHOLE for one in sample) for sample in samples]
    missing = len(samples) - len(curves)
    if missing < 1 or all(solid) or not any(solid):
        return list(curves)
    found: list[Alike] = []
    for curve in curves:
        cut = _turn(curve) if missing else None
        if cut is None:
            found.append(curve)
            continue
        at, dashed, dashes_first = cut
        before = replace(curve, trace=_part(curve.trace, curve.trace.start, at))
        after = replace(curve, trace=_part(curve.trace, at, curve.trace.end))
        patterns = (dashed, SOLID) if dashes_first else (SOLID, dashed)
        found += [replace(one, pattern=p) for one, p in zip((before, after), patterns, strict=True)]
        missing -= 1
    return found


def _turn(curve: Alike) -> tuple[float, Pattern, bool] | None:
    """The column where the dashes begin or end, their pattern, and whether they come first; None where they go all
    along or there are none."""
    trace = curve.trace
    columns = np.arange(int(np.ceil(trace.start)), int(trace.end) + 1)
    bare = _bare(curve, columns)
    for side in (-1, 1):  # dashed at the right end, at the left end
        found = _broken_end(bare[::side])
        if found is None:
            continue
        length, dash, gap = found
        at = float(columns[-1] + 1 - length if side < 0 else columns[0] + length - 1)
        stretch = _stretch(trace, *((at, trace.end) if side < 0 else (trace.start, at)))
        dashes = Pattern(dash / (dash + gap), dash * stretch, dash * stretch, gap * stretch)
        return at, dashes, side > 0
    return None


def _bare(curve: Alike, columns: NDArray[np.int_]) -> NDArray[np.bool_]:
    """The columns (n,) in which none of the curve's ink is where it runs: gaps, and what other ink hides."""
    rows = np.interp(columns, np.arange(len(curve.trace.y)), _filled(curve.trace.y))
    near = np.clip(np.rint(rows).astype(np.int64)[None, :] + np.array([[-1], [0], [1]]), 0, len(curve.ink) - 1)
    return np.asarray(curve.ink[near, columns].max(axis=0) < INKED)


def _broken_end(bare: NDArray[np.bool_]) -> tuple[float, float, float] | None:
    """Columns that a dashed stretch takes at the beginning of `bare` (n,), with its usual dash and gap; None where
    there is no such stretch, or what follows is no unbroken one."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], bare, [False])).astype(np.int8)))
    begin, end = edges[::2], edges[1::2]
    if len(begin) < FEWEST:
        return None
    dashes = begin[1:] - end[:-1]
    usual = float(np.median(dashes[: FEWEST - 1]))
    far = np.flatnonzero(dashes > EVEN * usual)
    count = int(far[0]) if len(far) else len(dashes)  # dashes between the gaps of the stretch
    usual, gap = float(np.median(dashes[: max(1, count)])), float(np.median((end - begin)[: count + 1]))
    length = float(end[count]) + usual
    rest = bare[int(length) :]
    least = max(LONG * usual, LEAST * len(bare))
    if count < FEWEST - 1 or begin[0] > 1.5 * usual + 1 or length < LEAST * len(bare) or len(rest) < least:
        return None
    return (length, usual, gap) if rest.mean() < 1 - WHOLE + 0.02 else None


def _filled(y: Floats) -> Floats:
    known = np.flatnonzero(np.isfinite(y))
    return np.asarray(np.interp(np.arange(len(y)), known, y[known])) if len(known) else np.zeros_like(y)


def _stretch(trace: Trace, first: float, last: float) -> float:
    """How long the curve is between two columns, in columns: dashes are measured along it."""
    y: Floats = trace.y[int(first) : int(last) + 1]
    y = y[np.isfinite(y)]
    return float(np.hypot(1.0, np.diff(y)).mean()) if len(y) > 1 else 1.0


def _part(trace: Trace, start: float, end: float) -> Trace:
    """The trace between two columns; what lies outside is no part of it."""
    columns = np.arange(len(trace.y))
    outside = (columns < start - 0.5) | (columns > end + 0.5)
    blank = [np.where(outside, np.nan, one) for one in (trace.y, trace.top, trace.bottom)]
    return replace(
        trace, y=blank[0], top=blank[1], bottom=blank[2], weight=np.where(outside, 0.0, trace.weight),
        hidden=trace.hidden & ~outside, gap=trace.gap & ~outside, start=start, end=end,
    )  # fmt: skip
