"""Strokes led on: to their far ends, over what crosses them, and behind the fills that hide them.

Not handled here: finding strokes (`strokes`), which of them belong together (`stroke_groups`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tools.backgrounds import figure_paper, grounds, papers
from tools.ridges import Gray, spans
from tools.strokes import Stroke
from tools.types import Word

_STRONG = 75  # luma steps from the paper: no background of a panel or of a strip
_SLOPE = 30  # px: how far the edge of a fill may take to cross a grid line
_GAP = 2  # px: longest gap in a fill that hides a line


def stroke_luma(stroke: Stroke) -> float:
    """Luma, 0 to 255, of a stroke's colour."""
    red, green, blue = stroke.colour
    return 0.299 * red + 0.587 * green + 0.114 * blue


def join_pieces(strokes: Sequence[Stroke], gray: Gray) -> list[Stroke]:
    """Strokes led on to their far ends, and joined, where other ink, not paper, covers them (a grid behind bars)."""
    outside = figure_paper(gray)
    levels = grounds(gray, outside)
    plain = papers(gray)
    views = {"horizontal": gray, "vertical": np.ascontiguousarray(gray.T)}
    led = {
        direction: [
            _led_on(stroke, view, outside)
            for stroke in strokes
            if stroke.direction == direction and _is_ink(stroke, view, outside, levels)
        ]
        for direction, view in views.items()
    }
    joined: list[Stroke] = []
    for direction, view in views.items():
        across = led["vertical" if direction == "horizontal" else "horizontal"]
        shared, crossing = _shared_ends(led[direction]), _families_across(across)
        walls = [(s.start, s.end, s.position) for s in across if abs(stroke_luma(s) - outside) > 2 * _STRONG]
        lines = [_behind(line, view, plain, shared, crossing, walls) for line in led[direction]]
        joined += _chained(lines)
    return joined


def clear_of(strokes: Sequence[Stroke], words: Sequence[Word]) -> list[Stroke]:
    """The strokes, with an end that lies in a number cut back to where that begins: grey edges of small digits
    right beside a grid line look like the line itself."""
    labels = [w.box for w in words if abs(w.angle) < 5 and any(map(str.isdigit, w.text))]
    cleared = []
    for stroke in strokes:
        start, end = stroke.start, stroke.end
        for box in labels:
            level = stroke.direction == "horizontal"
            across, along = ((box.y0, box.y1), (box.x0, box.x1))[:: 1 if level else -1]
            if not across[0] < stroke.position < across[1] or along[1] - along[0] > 0.3 * stroke.length:
                continue
            start = max(start, along[1] + 1) if along[0] - 2 < stroke.start < along[1] else start
            end = min(end, along[0] - 1) if along[0] < stroke.end < along[1] + 2 else end
        cleared.append(replace(stroke, start=start, end=end) if end > start else stroke)
    return cleared


def _chained(lines: Sequence[Stroke]) -> list[Stroke]:
    """The pieces of each line as one stroke."""
    chains: list[Stroke] = []
    for stroke in sorted(lines, key=lambda s: s.start):
        for i, chain in enumerate(chains):
            if _continues(chain, stroke):
                chains[i] = replace(chain, end=max(chain.end, stroke.end))
                break
        else:
            chains.append(stroke)
    return chains


def _led_on(stroke: Stroke, view: Gray, outside: int) -> Stroke:
    """The stroke with its ends moved to where its colour is last seen before two pixels of paper."""
    if abs(stroke_luma(stroke) - outside) <= 4:
        return stroke  # a white line on a tinted panel is no different from the paper around the panel
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


def _shared_ends(strokes: Sequence[Stroke]) -> list[tuple[float, float]]:
    """Start and end of strokes that share an end with a parallel one: where the grid lines of a plot may end."""
    found: list[tuple[float, float]] = []
    for i, one in enumerate(strokes):
        if any(abs(one.start - a) <= 3 and abs(one.end - b) <= 3 for a, b in found):
            continue
        if any(min(abs(one.start - two.start), abs(one.end - two.end)) <= 3 for j, two in enumerate(strokes) if j != i):
            found.append((one.start, one.end))
    return found


def _families_across(strokes: Sequence[Stroke]) -> list[tuple[float, float, list[float]]]:
    """Start, end and positions of strokes that share both ends, for the lines that cross them."""
    families = [
        (a, b, [s.position for s in strokes if abs(s.start - a) <= 3 and abs(s.end - b) <= 3])
        for a, b in _shared_ends(strokes)
    ]
    return [family for family in families if len(family[2]) > 1]


def _behind(
    stroke: Stroke, view: Gray, plain: Sequence[int], shared: Sequence[tuple[float, float]],
    crossing: Sequence[tuple[float, float, Sequence[float]]], walls: Sequence[tuple[float, float, float]],
) -> Stroke:  # fmt: skip
    """A grid line led on behind the fill that hides it: to the ends that it shares with others (`shared`), or to the
    last line that crosses it there (`crossing`: start, end, positions), but past no dark line (`walls`: start, end,
    position).

    The rows beside a line are as full of ink as its own where a fill hides it, those beside a frame's are not.
    """
    row, away = round(stroke.position), round(stroke.thickness / 2 + 2)
    lines = view[[max(0, row - away), row, min(len(view) - 1, row + away)]].astype(np.int16)
    inked = np.min([np.abs(lines - level) for level in plain], axis=0) >= _STRONG
    full = inked.all(axis=0) | _sloping(inked)
    if min(abs(stroke_luma(stroke) - level) for level in plain) > 20:
        full |= np.abs(lines[1] - stroke_luma(stroke)) <= 6  # a short piece between two bars
    start, end = int(stroke.start), int(stroke.end)
    far: float = end + 3 + _run(full[end + 1 :])
    near: float = start - 3 - _run(full[: max(0, start)][::-1])
    lows, highs = [stroke.start], [stroke.end]
    beyond = [p for low, high, p in walls if low - 3 <= stroke.position <= high + 3]
    far = min([far, *(p + 3 for p in beyond if p > end - 3)])
    near = max([near, *(p - 3 for p in beyond if p < start + 3)])
    for low, high in shared:
        if near <= low <= start + 3 and end - 3 <= high <= far:
            lows.append(low)
            highs.append(high)
    for low, high, positions in crossing:
        if low - 3 <= stroke.position <= high + 3:
            lows += [p for p in positions if near <= p]
            highs += [p for p in positions if p <= far]
    low, high = min(lows), max(highs)  # a line that meets another in its corner is left as it is
    return replace(stroke, start=low if low < start - 6 else stroke.start, end=high if high > end + 6 else stroke.end)


def _sloping(inked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Where the line itself, the middle of three rows, is hidden beside where all three are: at a fill's edge."""
    slope = inked[1] & ~inked.all(axis=0)
    found = np.zeros(len(slope), dtype=bool)
    for first, last in spans(slope):
        beside = inked[:, [max(0, first - 1), min(len(slope) - 1, last + 1)]].all(axis=0)
        found[first : last + 1] = beside.any() and last - first < _SLOPE
    return found


def _run(full: NDArray[np.bool_]) -> int:
    """How far it stays True from the start, over gaps of up to `_GAP`: borders of fills, markers."""
    if not full[:3].any():
        return 0
    stops = [start for start, end in spans(~full) if end - start > _GAP - 1]
    return stops[0] if stops else len(full)


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
    coloured = outside < 250 and level > outside + 5  # white lines on a coloured figure: no paper shows through there
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
