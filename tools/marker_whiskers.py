"""Error bars in the colour of their markers: read from how wide the ink of one layer is above and below each marker.

A marker is wide and all markers are alike, so where the usual width falls to that of a stroke the marker ends. What
goes straight on from there is a whisker; a level stroke across its end is its cap, which may touch the marker.

Not handled here: whiskers in another colour than their markers, and those on bars (`whiskers`); ends under a marker.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tools.types import Floats

ON = 0.4  # coverage from which a pixel is ink
FAR = 70  # px: whiskers that are longer are followed, but tell nothing more about the marker
WIDEST = 60  # px to each side that is looked at
USUAL = 20  # percentile of the widths over all markers: what (nearly) all of them have
CLEAR = 3  # rows of a bare whisker that show it beyond doubt
SHARE, CAPS = 0.35, 0.15  # of the markers must have whiskers beyond doubt: bare ones, capped ones
ARMS = 0.5  # share of the sides of markers that have strokes, where these may be arms
SLANT, SIDEWAYS = 0.05, 0.9  # px sideways per row, and in all: a stroke that leans more is a steep line
CROWD = 24  # markers: of more some lie over each other, which looks like caps
STEEP = 4.0  # slope of a line that may be taken for a whisker
EVEN = 1.6  # px by which the two halves of caps differ
Plane = NDArray[np.float32]
Key = tuple[int, int]  # number of the marker, way


@dataclass(frozen=True)
class End:
    """The row where an error bar ends, and how far off it may be; not `seen`: it ends somewhere under its marker."""

    row: float
    sigma: float = 0.4
    seen: bool = True


@dataclass(frozen=True)
class Stroke:
    """What leaves one marker one way: rows from its middle to the end of the ink and to the cap (0: none), how many
    rows are as narrow as a stroke beyond the marker, and whether they lean."""

    last: float
    cap: float
    narrow: int
    leans: bool


@dataclass(frozen=True, eq=False)
class Profile:
    """Ink above or below one marker by rows d = 0, 1, ...: columns of ink left and right of its middle and the middle
    of the run; the coverage of its column. `on`: rows until the first gap."""

    left: Floats
    right: Floats
    middle: Floats
    track: Floats
    on: int

    @property
    def width(self) -> Floats:
        return np.where(self.track > ON, self.left + self.right + 1.0, 0.0)


def whiskers_of_markers(
    coverage: Plane, places: Sequence[tuple[float, float]], joined: bool = False
) -> dict[int, dict[int, End]]:
    """The end of each whisker, by number of the marker and way (-1 up, 1 down); {} where there are none.

    `coverage` (h, w): the ink of one series, its value axis upright, open markers filled; `places`: column and row of
    the middles of its markers, in the order in which a line joins them if they are `joined`. Error bars must leave a
    good part of the markers; then those of the other markers are so short that they end beside or under these.
    """
    if len(places) < 2:
        return {}
    profiles = {(k, way): _profile(coverage, x, y, way) for k, (x, y) in enumerate(places) for way in (-1, 1)}
    thick = _stroke(list(profiles.values()))
    strokes: dict[Key, Stroke] = {}
    start: dict[int, int] = {}
    for way in (-1, 1):
        own = [profiles[k, way] for k in range(len(places))]
        start[way] = _edge(own, thick)
        for k, one in enumerate(own):
            strokes[k, way] = _stroke_of(one, start[way], thick)
    for key in steep(places) if joined else ():
        strokes[key] = replace(strokes[key], narrow=0)
    capped, away = _chosen(strokes, len(places))
    half = float(np.percentile([min(one.left[0], one.right[0]) for one in profiles.values() if one.on] or [0.0], 25))
    ways = {way for _, way in away}
    some = capped and len(away) < ARMS * len(places) * len(ways)  # arms of a plus belong to every marker
    if not away or (not some and _are_arms(list(away.values()), half)):
        return {}
    if not capped and _are_tips(away, half):
        return {}
    ears = _ears(profiles, away, start) if capped else {}
    hidden = {} if capped else _hidden(profiles, away, start)
    found: dict[int, dict[int, End]] = {}
    for (k, way), rows in {**away, **ears, **hidden}.items():
        row = float(np.floor(places[k][1] + 0.5)) + way * rows
        seen = (k, way) not in hidden
        found.setdefault(k, {})[way] = End(row) if seen else End(row, start[way] / 4, False)
    return found


def steep(places: Sequence[tuple[float, float]]) -> set[Key]:
    """(marker, way) where a line to the next or last marker leaves nearly upright."""
    found = set()
    for k in range(len(places) - 1):
        dx, dy = places[k + 1][0] - places[k][0], places[k + 1][1] - places[k][1]
        if abs(dy) > STEEP * abs(dx):
            found |= {(k, 1 if dy > 0 else -1), (k + 1, -1 if dy > 0 else 1)}
    return found


def _are_arms(away: Sequence[float], half: float) -> bool:
    """Whether all strokes are alike and as long as the markers are wide: the arms of a plus, the points of a star."""
    return float(np.ptp(np.percentile(away, [10, 90]))) < 1.5 and float(np.median(away)) < 1.35 * half + 1.0


def _are_tips(away: dict[Key, float], half: float) -> bool:
    """Whether the strokes are the tips of triangles: nearly all on one side, all of one length, hardly longer than the
    markers are wide."""
    up = float(np.mean([way < 0 for _, way in away]))
    long = np.array(list(away.values()))
    alike = float(np.ptp(np.percentile(long, [10, 90]))) < 1.5
    return not 0.1 < up < 0.9 and alike and float(np.median(long)) < 2.2 * half + 2.0


def _ears(profiles: dict[Key, Profile], away: dict[Key, float], start: dict[int, int]) -> dict[Key, float]:
    """Rows to caps that stand out left and right of their marker: error bars shorter than the marker is high."""
    reach = [min(profiles[key].left[row], profiles[key].right[row]) for key, row in _rounded(away).items()]
    cap = float(np.median(reach))
    found = {}
    for (k, way), one in profiles.items():
        rows = np.arange(min(start[way] + 1, one.on))
        if (k, way) in away or not len(rows):
            continue
        like = (np.abs(one.left[rows] - cap) <= EVEN) & (np.abs(one.right[rows] - cap) <= EVEN)
        alike = [min(other.left[row], other.right[row]) if row < other.on else 0.0
                 for (_, own), other in profiles.items() if own == way for row in rows]  # fmt: skip
        usual = np.percentile(np.reshape(alike, (-1, len(rows))), USUAL, axis=0)
        out = rows[like & (usual < cap - EVEN)]
        if len(out):
            last = out[out >= out[-1] - 2]
            found[k, way] = float(np.mean(last))
    return found


def _rounded(away: dict[Key, float]) -> dict[Key, int]:
    return {key: int(np.floor(rows + 0.5)) for key, rows in away.items()}


def _hidden(profiles: dict[Key, Profile], away: dict[Key, float], start: dict[int, int]) -> dict[Key, float]:
    """Rows to ends that must lie under their marker: on a side on which a good part of the markers show theirs."""
    ways = [way for way in (-1, 1) if sum(own == way for _, own in away) >= max(2, SHARE * len(profiles) / 2)]
    return {
        (k, way): start[way] / 2 for (k, way), one in profiles.items()
        if way in ways and (k, way) not in away and one.on <= start[way] + 1
    }  # fmt: skip


def _profile(coverage: Plane, x: float, y: float, way: int) -> Profile:
    """Widths row by row from the row of the marker's middle outwards; empty outside of the plane."""
    height, width = coverage.shape
    row, column = int(np.floor(y + 0.5)), int(np.floor(x + 0.5))
    rows = np.arange(row, -1 if way < 0 else height, way)
    if not (0 <= row < height and 2 <= column < width - 2):
        empty = np.zeros(0)
        return Profile(empty, empty, empty, empty, 0)
    first, last = max(0, column - WIDEST), min(width, column + WIDEST + 1)
    part = np.zeros((len(rows), 2 * WIDEST + 1), dtype=bool)
    part[:, first - column + WIDEST : last - column + WIDEST] = coverage[rows, first:last] > ON
    best = np.argmax(coverage[rows, column - 1 : column + 2] + np.array([0.0, 1e-3, 0.0]), axis=1) - 1
    track = coverage[rows, column + best].astype(np.float64)
    at = np.arange(len(rows))
    left, right = np.zeros(len(rows)), np.zeros(len(rows))
    for side, reach in ((-1, left), (1, right)):
        going = np.ones(len(rows), dtype=bool)
        for step in range(1, WIDEST):
            going &= part[at, np.clip(WIDEST + best + side * step, 0, 2 * WIDEST)]
            reach += going
    dark = track > ON
    gap = np.flatnonzero(~dark & ~np.append(dark[1:], False))  # one faint row is no gap
    return Profile(left, right, best + (right - left) / 2, track, int(gap[0]) if len(gap) else len(rows))


def _stroke(profiles: Sequence[Profile]) -> float:
    """The thickness of the thinnest ink above and below the markers that keeps it for three rows.

    At most half as wide as markers.
    """
    widths = []
    for one in profiles:
        own = one.width[1 : one.on][:FAR]
        if len(own) >= CLEAR:
            widths.append(float(np.max([own[:-2], own[1:-1], own[2:]], axis=0).min()))
    across = float(np.median([one.width[1] for one in profiles if one.on > 1] or [0.0]))
    thin = [width for width in widths if width <= max(1.0, 0.5 * across)]
    return float(np.clip(np.percentile(thin, 15), 1.0, 8.0)) if thin else 1.0


def _edge(profiles: Sequence[Profile], thick: float) -> int:
    """The first row beyond the part of the markers that is wider than a stroke."""
    widths = np.zeros((len(profiles), FAR))
    for own, one in zip(widths, profiles, strict=True):
        seen = one.width[: min(one.on, FAR)]
        own[: len(seen)] = seen
    usual = np.percentile(widths, USUAL, axis=0, method="lower")
    thin = np.flatnonzero(usual <= thick + 1.0)
    return 1 + int(thin[0]) if len(thin) else FAR  # the very tip of a triangle is no wider than a stroke


def _stroke_of(one: Profile, start: int, thick: float) -> Stroke:
    """What is left of the ink of a profile beyond the marker, from row `start` on."""
    stop = one.on
    if stop <= start:
        return Stroke(0.0, 0.0, 0, False)
    rows = np.arange(start, stop)
    narrow = rows[(one.width[rows] <= thick + 2.5) & (np.abs(one.middle[rows]) <= 1.5)]
    if len(narrow) >= CLEAR and one.width[narrow[0]] - one.width[narrow[-2]] > 1.5:
        narrow = narrow[:0]  # the tip of a large triangle
    slant = abs(float(np.polyfit(narrow, one.middle[narrow], 1)[0])) if len(narrow) >= 2 else 0.0
    leans = slant > SLANT and slant * len(narrow) > SIDEWAYS
    further = float(one.track[stop]) if stop < len(one.track) else 0.0
    last = stop - 1 + min(float(one.track[stop - 1]), 1.0) + further - 0.5
    return Stroke(last, _cap(one, start, stop, thick), len(narrow), leans)


def _cap(one: Profile, start: int, stop: int, thick: float) -> float:
    """Rows from the middle to the centre of the level stroke at the end of the ink; 0 where there is none."""
    rows = np.arange(max(start, stop - 3 - int(np.ceil(1.5 * thick))), stop)
    beside = np.minimum(one.left[rows], one.right[rows])
    wide = beside >= thick / 2 + 1.5
    if not wide.any() or wide.sum() > thick + 2 or one.width[rows][wide].max() >= 2 * WIDEST - 1:
        return 0.0
    even = np.abs(one.left[rows] - one.right[rows])[wide].max() <= 2 + 0.35 * beside[wide].max()
    if not even or stop - 1 - rows[wide][-1] > 1 + thick:
        return 0.0
    weight = one.track[rows] * (beside >= 0.6 * beside.max())
    return float((weight * rows).sum() / weight.sum())


def _is_sure(strokes: dict[Key, Stroke], key: Key) -> bool:
    """Whether a cap is no edge of a marker from which steep lines leave: a bare stroke leads to it, or the other end of
    the error bar is as far off."""
    one, other = strokes[key], strokes[key[0], -key[1]]
    return one.narrow >= 2 or (other.cap > 0 and abs(one.cap - other.cap) <= EVEN)


def _chosen(strokes: dict[Key, Stroke], count: int) -> tuple[bool, dict[Key, float]]:
    """Rows to the ends of the strokes that are error bars, and whether they have caps: all have, or none."""
    capped = {key for key, one in strokes.items() if one.cap}
    bare = {key for key, one in strokes.items() if one.narrow >= CLEAR and not one.leans and not one.cap}
    sure = {key for key in capped if _is_sure(strokes, key)}
    counts = [len({k for k, _ in keys}) for keys in (sure, bare)]
    caps = max(2, (CAPS if count <= CROWD else SHARE) * count)
    if counts[0] < caps and counts[1] < max(2, SHARE * count):
        return False, {}
    if counts[0] >= caps and 2 * counts[0] >= counts[1]:
        return True, {key: strokes[key].cap for key in capped}
    short = {key for key, one in strokes.items() if one.narrow and not one.leans and not one.cap}
    return False, {key: strokes[key].last for key in bare | short}
