"""Strokes led on: to their far ends, over what crosses them, and behind the fills that hide them.

Not handled here: finding strokes (`strokes`), which of them belong together (`stroke_groups`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tools.backgrounds import figure_paper, grounds
from tools.ridges import Gray, spans
from tools.strokes import Stroke


def stroke_luma(stroke: Stroke) -> float:
    """Luma, 0 to 255, of a stroke's colour."""
    red, green, blue = stroke.colour
    return 0.299 * red + 0.587 * green + 0.114 * blue


def join_pieces(strokes: Sequence[Stroke], gray: Gray) -> list[Stroke]:
    """Strokes led on to their far ends, and joined, where other ink, not paper, covers them (a grid behind bars)."""
    outside = figure_paper(gray)
    levels = grounds(gray, outside)
    joined: list[Stroke] = []
    for direction in ("horizontal", "vertical"):
        view = gray if direction == "horizontal" else np.ascontiguousarray(gray.T)
        lines = [s for s in strokes if s.direction == direction and _is_ink(s, view, outside, levels)]
        chains: list[Stroke] = []
        for stroke in sorted((_led_on(line, view, outside) for line in lines), key=lambda s: s.start):
            for i, chain in enumerate(chains):
                if _continues(chain, stroke):
                    chains[i] = replace(chain, end=max(chain.end, stroke.end))
                    break
            else:
                chains.append(stroke)
        joined += chains
    return joined


def _led_on(stroke: Stroke, view: Gray, outside: int) -> Stroke:
    """The stroke with its ends moved to where its colour is last seen before two pixels of paper."""
    row = round(stroke.position)
    start, end = int(stroke.start), int(stroke.end)
    side = round(stroke.thickness / 2 + 2)
    beside = view[[max(0, row - side), min(len(view) - 1, row + side)], start : end + 1]
    papers = [*np.median(beside, axis=1).tolist(), outside]
    line = view[row].astype(np.int16)
    free = np.min([np.abs(line - paper) for paper in papers], axis=0) <= 4
    same = np.abs(line - stroke_luma(stroke)) <= 6
    gap = 1 + round(stroke.thickness / 2)
    far = end + _reach(free[end + 1 :], same[end + 1 :], gap)
    near = start - _reach(free[:start][::-1], same[:start][::-1], gap)
    return replace(stroke, start=float(near), end=float(far))


def _reach(free: NDArray[np.bool_], same: NDArray[np.bool_], gap: int) -> int:
    """How many pixels on the line's colour is last seen before a run of `gap` + 1 free pixels.

    0 where it is hardly seen at all: a tick mark or a letter may be as pale as a grid line.
    """
    stops = [start for start, end in spans(free) if end - start >= gap]
    seen = np.flatnonzero(same[: stops[0] if stops else len(same)])
    return int(seen[-1]) + 1 if len(seen) >= 10 else 0


def _is_ink(stroke: Stroke, view: Gray, outside: int, levels: Sequence[int]) -> bool:
    """Is the stroke drawn, not ground left between two bars or two frames?

    A line of the other polarity, white on a pale ground, must be as white as the figure's paper and differ from the
    ground on both sides.
    """
    level = stroke_luma(stroke)
    if any(abs(level - ground) <= 2 for ground in levels):
        return False
    if stroke.light != (outside > 128):
        return True
    coloured = outside < 245 <= level - 3  # white lines on a coloured figure: no paper shows through there
    if not levels and not coloured:
        return False
    away = round(3 * max(1.5, stroke.thickness)) + 2
    row, step = round(stroke.position), max(1, int(stroke.length) // 100)
    far = view[[max(0, row - away), min(len(view) - 1, row + away)], int(stroke.start) : int(stroke.end) + 1 : step]
    sides = np.median(far, axis=1)
    if coloured:
        return bool(np.all(np.abs(sides - outside) <= 4))
    return abs(level - outside) <= 20 and bool(np.min(np.abs(sides - level)) >= 4)


def _continues(chain: Stroke, stroke: Stroke) -> bool:
    if abs(chain.position - stroke.position) > 1 or chain.light != stroke.light or stroke.start > chain.end + 3:
        return False
    return max(abs(a - b) for a, b in zip(chain.colour, stroke.colour, strict=True)) <= 30
