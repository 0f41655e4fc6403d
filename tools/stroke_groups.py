"""Which strokes belong to one frame or grid: those that touch or cross, and families of parallel rules.

Not handled here: the rectangle that a group makes (`plot_area`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from tools.strokes import Stroke


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
