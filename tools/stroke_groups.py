"""Which strokes belong to one frame or grid: those that touch or cross, and families of parallel rules.

Not handled here: the rectangle that a group makes (`plot_area`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from tools.backgrounds import figure_paper
from tools.ridges import Gray
from tools.strokes import Stroke
from tools.types import Box, Word

_GAP = 4  # px: less is no gap between two panels


def components(strokes: Sequence[Stroke], gray: Gray, words: Sequence[Word] = ()) -> list[list[Stroke]]:
    """Groups of strokes that touch or cross at right angles; of the rest, families of parallel rules of one extent.

    A group whose strokes all leave one gap free, from side to side, is two panels.
    """
    families = _families(strokes, gray, words)
    groups = _linked(strokes, _touching(strokes) + _bare_grids(strokes, families))
    alone = [group[0] for group in groups if len(group) == 1]
    groups = [group for group in groups if len(group) > 1] + _linked(alone, _families(alone, gray, words))
    return [part for group in groups for part in _parted(group)]


def _parted(group: Sequence[Stroke]) -> list[list[Stroke]]:
    """The group cut where two or more strokes of one direction end and two or more begin, and none runs through."""
    for direction in ("vertical", "horizontal"):
        along = [s for s in group if s.direction == direction]
        if len(along) < 4:
            continue
        low, high = min(s.start for s in along), max(s.end for s in along)
        along = sorted((s for s in along if s.length > 0.1 * (high - low)), key=lambda s: s.start)
        reached = low
        for i, stroke in enumerate(along):
            if stroke.start > reached + _GAP and i:
                ended = sum(abs(s.end - reached) <= _GAP for s in along[:i])
                begun = sum(abs(s.start - stroke.start) <= _GAP for s in along[i:])
                across = [s.position for s in group if s.direction != direction]
                free = not any(reached + _GAP < at < stroke.start - _GAP for at in across)
                if min(ended, begun) >= 2 and free:
                    middle = (reached + stroke.start) / 2
                    cut = [s for s in group if (s.start if s.direction == direction else s.position) < middle]
                    return [*_parted(cut), *_parted([s for s in group if not any(s is one for one in cut)])]
            reached = max(reached, stroke.end)
    return [list(group)]


def _bare_grids(strokes: Sequence[Stroke], families: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Neighbours in families of long rules that no long stroke across them holds together: a plot with no side lines,
    whose bars and boxes touch only some of its grid lines."""
    pairs = []
    for i, j in families:
        one, other = strokes[i], strokes[j]
        low, high = sorted((one.position, other.position))
        across = [s for s in strokes if s.direction != one.direction and one.start - 3 <= s.position <= one.end + 3]
        held = any(s.start <= low + 3 and s.end >= high - 3 and s.length > 2.5 * (high - low) for s in across)
        framed = any(
            s.length > 1.2 * (high - low) and min(abs(s.position - one.start), abs(s.position - one.end)) <= 6
            and s.start <= high + 3 and s.end >= low - 3 for s in across
        )  # fmt: skip
        if not held and not framed and one.length > 3 * (high - low):
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


def _families(strokes: Sequence[Stroke], gray: Gray, words: Sequence[Word]) -> list[tuple[int, int]]:
    """Neighbours in families of three or more parallel strokes with the same ends and about even spacing.

    An axis line may be longer by a tick mark; behind fills, lines may be missing.
    """
    pairs: list[tuple[int, int]] = []
    tick = max(14.0, min(gray.shape) / 50)
    for direction in ("horizontal", "vertical"):
        rest = [i for i, stroke in enumerate(strokes) if stroke.direction == direction]
        view = gray if direction == "horizontal" else gray.T
        boxes = [word.box for word in words if abs(word.angle) < 5]
        boxes = boxes if direction == "horizontal" else [Box(b.y0, b.x0, b.y1, b.x1) for b in boxes]
        while rest:
            lead = strokes[rest[0]]
            family = [i for i in rest if _same_ends(strokes[i], lead, tick)]
            rest = [i for i in rest if i not in family]
            if len(family) < 3:
                continue
            family.sort(key=lambda i: strokes[i].position)
            gaps = np.diff([strokes[i].position for i in family])
            usual = float(np.median(gaps))
            for k, gap in enumerate(gaps):
                one, other = strokes[family[k]], strokes[family[k + 1]]
                beside = max(gaps[max(0, k - 1) : k + 2][[0, -1]])  # the gap between two panels is odd
                odd = 0 < k < len(gaps) - 1 and gap > max(1.15 * beside, beside + 4)
                odd = odd or labels_between(one, other, view, boxes)
                if (gap <= 1.6 * usual and not odd) or _filled_between(one, other, view):
                    pairs.append((family[k], family[k + 1]))
    return pairs


def _same_ends(one: Stroke, other: Stroke, tick: float) -> bool:
    first, last = abs(one.start - other.start), abs(one.end - other.end)
    return first + last <= 4 or (one.length > 4 * tick and max(first, last) <= tick and min(first, last) <= 3)


def labels_between(one: Stroke, other: Stroke, view: Gray, boxes: Sequence[Box]) -> bool:
    """Does a row of tick labels, on blank paper, stand between two rules? Then these belong to two panels."""
    top, foot = round(one.position + one.thickness / 2) + 2, round(other.position - other.thickness / 2) - 1
    low, high = max(one.start, other.start), min(one.end, other.end)
    row = [b for b in boxes if low <= b.centre[0] <= high and top - 2 <= b.y0 and b.y1 <= foot + 2]
    ends = np.array([b.y0 for b in row])
    if len(row) < 3 or max(np.sum(np.abs(ends - end) <= 3) for end in ends) < 3:
        return False
    inked = np.abs(view[top:foot, round(low) : round(high) + 1].astype(np.int16) - figure_paper(view)) > 24
    for b in row:
        rows, columns = b.grown(2).slices(*view.shape)
        inked[max(0, rows.start - top) : max(0, rows.stop - top),
              max(0, columns.start - round(low)) : max(0, columns.stop - round(low))] = False  # fmt: skip
    return bool(inked.any(axis=1).mean() < 0.5)


def _filled_between(one: Stroke, other: Stroke, view: Gray) -> bool:
    """Is every row between two rules at least a fifth full of ink?"""
    rows = slice(round(one.position) + 3, round(other.position) - 2)
    part = view[rows, round(max(one.start, other.start)) : round(min(one.end, other.end)) + 1].astype(np.int16)
    return part.size > 0 and bool((np.abs(part - figure_paper(view)) > 24).mean(axis=1).min() > 0.2)
