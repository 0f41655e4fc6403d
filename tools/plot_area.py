"""Rectangles that may be plot areas: from strokes that touch, from families of grid lines, from filled backgrounds.

Not handled here: telling a plot from a legend or a table, which needs words (`panels`); slanted or polar frames.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tools.backgrounds import figure_paper, grounds, grown
from tools.ridges import Gray, spans
from tools.strokes import Stroke, stroke_limit
from tools.types import Box, Image


@dataclass(frozen=True, eq=False)
class Outline:
    """A rectangle and the strokes that it was made from, or that it is a filled background (`filled`)."""

    box: Box
    horizontal: tuple[Stroke, ...] = ()
    vertical: tuple[Stroke, ...] = ()
    filled: bool = False


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
    same = np.abs(line - _luma(stroke)) <= 6
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
    level = _luma(stroke)
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


def components(strokes: Sequence[Stroke]) -> list[list[Stroke]]:
    """Groups of strokes that touch or cross at right angles; of the rest, families of parallel rules of one extent."""
    groups = _linked(strokes, _touching(strokes) + _bare_grids(strokes))
    alone = [group[0] for group in groups if len(group) == 1]
    return [group for group in groups if len(group) > 1] + _linked(alone, _families(alone))


def _bare_grids(strokes: Sequence[Stroke]) -> list[tuple[int, int]]:
    """Neighbours in families of long rules that no long stroke across them holds together: a plot with no side lines,
    whose bars and boxes touch only some of its grid lines."""
    pairs = []
    for i, j in _families(strokes):
        one, other = strokes[i], strokes[j]
        low, high = sorted((one.position, other.position))
        across = [s for s in strokes if s.direction != one.direction and one.start - 3 <= s.position <= one.end + 3]
        held = any(s.start <= low + 3 and s.end >= high - 3 and s.length > 2.5 * (high - low) for s in across)
        framed = any(
            s.length > 1.2 * (high - low) and min(abs(s.position - one.start), abs(s.position - one.end)) <= 6
            and s.start <= high + 3 and s.end >= low - 3 for s in across
        )  # fmt: skip
        if not held and not framed and one.length > 4 * (high - low):
            pairs.append((i, j))
    return pairs


def _linked(strokes: Sequence[Stroke], pairs: Sequence[tuple[int, int]]) -> list[list[Stroke]]:
    """Connected groups of the graph that these pairs of indices make."""
    parent = list(range(len(strokes)))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for i, j in pairs:
        parent[root(i)] = root(j)
    groups: dict[int, list[Stroke]] = defaultdict(list)
    for i, stroke in enumerate(strokes):
        groups[root(i)].append(stroke)
    return list(groups.values())


def _touching(strokes: Sequence[Stroke]) -> list[tuple[int, int]]:
    rows = [i for i, stroke in enumerate(strokes) if stroke.direction == "horizontal"]
    columns = [i for i, stroke in enumerate(strokes) if stroke.direction == "vertical"]
    if not rows or not columns:
        return []
    h = np.array([(s.position, s.start, s.end, s.thickness) for s in (strokes[i] for i in rows)])
    v = np.array([(s.position, s.start, s.end, s.thickness) for s in (strokes[i] for i in columns)])
    slack = 2.0 + np.maximum(h[:, None, 3], v[None, :, 3])
    across = (v[None, :, 0] >= h[:, None, 1] - slack) & (v[None, :, 0] <= h[:, None, 2] + slack)
    down = (h[:, None, 0] >= v[None, :, 1] - slack) & (h[:, None, 0] <= v[None, :, 2] + slack)
    return [(rows[i], columns[j]) for i, j in np.argwhere(across & down)]


def _families(strokes: Sequence[Stroke]) -> list[tuple[int, int]]:
    """Neighbours in families of three or more parallel strokes with the same ends and about even spacing."""
    pairs: list[tuple[int, int]] = []
    for direction in ("horizontal", "vertical"):
        rest = [i for i, stroke in enumerate(strokes) if stroke.direction == direction]
        while rest:
            lead = strokes[rest[0]]
            family = [i for i in rest if abs(strokes[i].start - lead.start) + abs(strokes[i].end - lead.end) <= 4]
            rest = [i for i in rest if i not in family]
            if len(family) < 3:
                continue
            family.sort(key=lambda i: strokes[i].position)
            gaps = np.diff([strokes[i].position for i in family])
            usual = float(np.median(gaps))
            pairs += [(family[i], family[i + 1]) for i in range(len(gaps)) if gaps[i] <= 1.6 * usual]
    return pairs


def outlines(groups: Sequence[Sequence[Stroke]], gray: Gray) -> list[Outline]:
    """The rectangle of every group that has one and is large enough for a plot or a strip."""
    found = []
    paper = figure_paper(gray)
    small = max(14.0, 0.02 * min(gray.shape))
    reach = max(14.0, min(gray.shape) / 50)
    for group in groups:
        rows = [stroke for stroke in group if stroke.direction == "horizontal"]
        columns = [stroke for stroke in group if stroke.direction == "vertical"]
        if len(group) < 3 and not (rows and columns):
            continue
        box = _rectangle(rows, columns, gray, reach)
        if box is not None and box.width >= small and box.height >= small:
            found.append(Outline(_on_background(box, gray, paper), tuple(rows), tuple(columns)))
    return found


def _on_background(box: Box, gray: Gray, paper: int) -> Box:
    """The box, or if it lies on a background of its own, all of this background."""
    part = gray[box.slices(*gray.shape)]
    level = int(np.argmax(np.bincount(part.ravel(), minlength=256)))
    if not 2 < abs(level - paper) < 60 or part.size < 0.005 * gray.size:
        return box
    whole = grown(box, gray, paper, level, over=stroke_limit(gray))
    if whole.width * whole.height > 3 * box.width * box.height:
        return box
    moved = (whole.x0 < box.x0 - 3, whole.y0 < box.y0 - 3, whole.x1 > box.x1 + 3, whole.y1 > box.y1 + 3)
    sides = zip(moved, (whole.x0, whole.y0, whole.x1, whole.y1), (box.x0, box.y0, box.x1, box.y1), strict=True)
    return Box(*(new if far else old for far, new, old in sides))


def _rectangle(rows: Sequence[Stroke], columns: Sequence[Stroke], gray: Gray, reach: float) -> Box | None:
    """Each side is where the outermost long stroke lies, or where the strokes across it end."""
    if not columns:
        return Box(_median_of(rows, "start"), rows_low(rows), _median_of(rows, "end"), rows_high(rows))
    if not rows:
        return Box(rows_low(columns), _median_of(columns, "start"), rows_high(columns), _median_of(columns, "end"))
    bare = _bare_rectangle(rows, columns)
    if bare is not None:
        return bare
    paper = figure_paper(gray)
    x0, x1 = _two_sides(_strong(columns, paper), rows, reach)
    y0, y1 = _two_sides(_strong(rows, paper), columns, reach)
    return Box(x0, y0, x1, y1) if x1 > x0 and y1 > y0 else None


def _bare_rectangle(rows: Sequence[Stroke], columns: Sequence[Stroke]) -> Box | None:
    """The plot of level rules of one extent that no side line holds together: as high as the rules, and the data that
    reach beyond them by less than their spacing. None where there are sides."""
    longest = max(row.length for row in rows)
    start, end = _median_of(rows, "start"), _median_of(rows, "end")
    ruled = [row for row in rows if abs(row.start - start) + abs(row.end - end) <= 4 and row.length > 0.97 * longest]
    if len(ruled) < 3 or len(ruled) < sum(row.length > 0.6 * longest for row in rows):
        return None
    low, high = rows_low(ruled), rows_high(ruled)
    if max(column.length for column in columns) >= 0.5 * (high - low):
        return None
    step = float(np.median(np.diff(sorted(row.position for row in ruled))))
    top, foot = min(column.start for column in columns), max(column.end for column in columns)
    return Box(start, top if 0 < low - top < step else low, end, foot if 0 < foot - high < step else high)


def _strong(strokes: Sequence[Stroke], paper: int) -> list[tuple[float, float]]:
    """Position and contrast, against the figure's paper, of the long ones of these strokes, in order."""
    longest = max(stroke.length for stroke in strokes)
    long = [stroke for stroke in strokes if stroke.length >= 0.6 * longest]
    return sorted((stroke.position, abs(_luma(stroke) - paper)) for stroke in long)


def rows_low(strokes: Sequence[Stroke]) -> float:
    return min(stroke.position for stroke in strokes)


def rows_high(strokes: Sequence[Stroke]) -> float:
    return max(stroke.position for stroke in strokes)


def _median_of(strokes: Sequence[Stroke], end: str) -> float:
    return float(np.median([getattr(stroke, end) for stroke in strokes]))


def _luma(stroke: Stroke) -> float:
    red, green, blue = stroke.colour
    return 0.299 * red + 0.587 * green + 0.114 * blue


def _two_sides(across: Sequence[tuple[float, float]], along: Sequence[Stroke], reach: float) -> tuple[float, float]:
    """The two sides parallel to the strokes `across` (position, contrast), which the strokes `along` meet."""
    longest = max(stroke.length for stroke in along)
    long = [stroke for stroke in along if stroke.length >= 0.6 * longest]
    low, low_agreeing = _agreed([-stroke.start for stroke in long], -across[0][0], reach)
    high, high_agreeing = _agreed([stroke.end for stroke in long], across[-1][0], reach)
    overshoots = (across[0][0] + low, high - across[-1][0])
    sides = []
    for i, agreeing in enumerate((low_agreeing, high_agreeing)):
        position, contrast = across[-i]
        others = [other for at, other in across if abs(at - position) > 3]
        spine = contrast >= 80 or not others or contrast >= max(20.0, 1.3 * float(np.median(others)))
        loose = agreeing < max(2, 0.5 * len(long))
        border = overshoots[i] <= 2.5 or (overshoots[i] <= reach and loose)
        border |= spine and overshoots[i] <= 2 * reach
        sides.append(position if border else (-low, high)[i])
    return sides[0], sides[1]


def _agreed(ends: Sequence[float], border: float, reach: float) -> tuple[float, int]:
    """The farthest place where at least 40 % of the ends (and two, if there are three) agree, and how many.

    One that runs farther than any tick mark beyond that and beyond the border is an axis that the others do not reach.
    """
    ends = sorted(ends)
    need = max(2 if len(ends) >= 3 else 1, 0.4 * len(ends))
    for at in reversed(ends):
        near = [other for other in ends if abs(other - at) <= 2.5]
        if len(near) >= need:
            end = float(np.median(near))
            return (ends[-1], 1) if ends[-1] > max(end, border) + reach else (end, len(near))
    return ends[-1], 1


def snapped(box: Box, strokes: Sequence[Stroke], paper: int) -> Box:
    """A filled background whose sides lie on the centres of its frame's strokes, where it has a frame.

    White grid lines near a side are not the frame.
    """

    def side(direction: str, at: float, low: float, high: float) -> float:
        near = [
            s for s in strokes
            if s.direction == direction and abs(s.position - at) <= 2 + s.thickness and abs(_luma(s) - paper) > 20
            and min(s.end, high) - max(s.start, low) > 0.8 * (high - low)
        ]  # fmt: skip
        return min((s.position for s in near), key=lambda position: abs(position - at), default=at)

    return Box(
        side("vertical", box.x0, box.y0, box.y1), side("horizontal", box.y0, box.x0, box.x1),
        side("vertical", box.x1, box.y0, box.y1), side("horizontal", box.y1, box.x0, box.x1),
    )  # fmt: skip


def min_stroke(pixels: Image) -> float:
    """The shortest stroke that helps to find a plot in a figure of this size."""
    height, width = pixels.shape[:2]
    return float(max(20.0, 0.025 * min(height, width), 2.0 * stroke_limit(pixels)))
