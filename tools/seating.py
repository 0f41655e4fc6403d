"""Seats: the tick mark, grid line or frame edge that each label of a ladder stands at, at its sub-pixel centre.

A label's own centre is known to a pixel or so; the stroke that it names is known to a few hundredths. All labels of a
ladder stand at one offset from their strokes (slanted ones by their end, others by their middle), so the offset is
found for the whole ladder first. Category labels between two tick marks are seated midway.
Not handled here: finding the strokes (`strokes`), deciding which seats fit the values best (`axes`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tools.ladders import Ladder, ends
from tools.strokes import GridLine, Tick
from tools.types import Floats

SeatKind = Literal["tick", "grid", "spine", "glyph"]


@dataclass(frozen=True)
class Rails:
    """The strokes that labels of one side can sit on: pixels along the axis, sorted, and their weights (0 to 1)."""

    kind: SeatKind
    pixels: Floats
    weights: Floats


@dataclass(frozen=True)
class Seating:
    """Pixels (n,) of the labels along the axis, what each sits on, and the offset stroke minus label."""

    pixels: Floats
    kinds: tuple[SeatKind, ...]
    offset: float = 0.0

    @property
    def stroke_share(self) -> float:
        return float(np.mean([kind != "glyph" for kind in self.kinds])) if self.kinds else 0.0


def tick_rails(ticks: Sequence[Tick]) -> Rails:
    """Tick marks; short ones (minor ticks) weigh less."""
    longest = max((tick.length for tick in ticks), default=1.0)
    weights = [1.0 if tick.length > 0.75 * longest else 0.6 for tick in ticks]
    return Rails("tick", np.array([tick.pixel for tick in ticks]), np.array(weights))


def grid_rails(lines: Sequence[GridLine]) -> Rails:
    """Grid lines; minor ones weigh less. A single strong line among weak ones is no grid line: a zero line, a bar."""
    strong = [line for line in lines if line.major]
    if len(strong) == 1 and len(lines) > 2:
        lines = [line for line in lines if not line.major]
        strong = list(lines)
    weights = [1.0 if line in strong else 0.6 for line in lines]
    return Rails("grid", np.array([line.pixel for line in lines]), np.array(weights))


def edge_rails(low: float, high: float) -> Rails:
    """The two ends of the plot area: a label may name the frame itself."""
    return Rails("spine", np.array([low, high]), np.array([0.8, 0.8]))


def glyph_seats(ladder: Ladder) -> list[Seating]:
    """Seats on the labels alone: by their middle; slanted labels by the end next to the axis."""
    middle, near, _ = _places(ladder)
    kinds: tuple[SeatKind, ...] = tuple("glyph" for _ in middle)
    return [Seating(near if ladder.slanted else middle, kinds)]


def _places(ladder: Ladder) -> tuple[Floats, Floats, Floats]:
    rows = np.array([ends(label, ladder.side) for label in ladder.labels], dtype=np.float64).reshape(-1, 3)
    return rows[:, 0], rows[:, 1], rows[:, 2]


def spacing(places: Floats) -> float:
    """The usual distance between neighbouring labels, in pixels (large if there is only one)."""
    gaps = np.diff(np.sort(places))
    gaps = gaps[gaps > 2]
    return float(np.median(gaps)) if len(gaps) else 1000.0


def stroke_seats(ladder: Ladder, rails: Sequence[Rails], between: bool = False) -> list[Seating]:
    """Candidate seatings of the ladder on strokes, best first; empty if no offset brings two labels to a stroke.

    `rails` in order of preference: the first that offers a stroke at the common offset takes the label. With
    `between`, labels midway between two strokes (categories, months) are seated there.
    """
    places = _places(ladder)
    hypotheses = [places[1], places[0], places[2]] if ladder.slanted else [places[0]]
    found: list[tuple[float, Seating]] = []
    for place in hypotheses:
        step = spacing(place)
        # Big text is placed less exactly; where slanted text ends hangs on its last letter.
        width = max(2.5, (0.25 if ladder.slanted else 0.15) * ladder.size)
        reach = min(0.45 * step, 3.0 + 0.8 * ladder.size if ladder.slanted else max(3.0, 0.35 * ladder.size))
        scored = _best_offset(place, rails, reach, min(width, 0.2 * step))
        if scored is not None:
            score, offset = scored
            seating = _sit(place, offset, rails, min(width, 0.3 * step))
            found.append((score - 0.5 * abs(offset) / (reach + 1), seating))
        if not ladder.slanted and (each := _each_nearest(place, rails, min(reach, 0.3 * step))) is not None:
            found.append((0.0, each))
    if between and (middles := _between(hypotheses[0], rails, 3.0 + 0.5 * ladder.size)) is not None:
        full = [one.offset for _, one in found if "glyph" not in one.kinds]
        if not (ladder.slanted and any(abs(offset) <= abs(middles.offset) for offset in full)):
            found.append((0.0, middles))  # the ends of slanted text that is centred on its ticks may lie midway too
    return [seating for _, seating in sorted(found, key=lambda one: -one[0])]


def _best_offset(place: Floats, rails: Sequence[Rails], reach: float, width: float) -> tuple[float, float] | None:
    """Score and value of the offset within `reach` at which most labels meet a stroke within `width` pixels."""
    pixels = np.concatenate([rail.pixels for rail in rails]) if rails else np.array([])
    weights = np.concatenate([rail.weights for rail in rails]) if rails else np.array([])
    if not len(pixels) or not len(place):
        return None
    away = pixels[None, :] - place[:, None]
    offsets = np.unique(np.round(away[np.abs(away) <= reach], 1))
    best: tuple[float, float] | None = None
    for offset in offsets:
        closeness = np.clip(1 - ((away - offset) / width) ** 2, 0, None) * weights[None, :]
        score = float(closeness.max(axis=1).sum()) - 0.3 * abs(float(offset)) / (reach + 1)
        if best is None or score > best[0]:
            best = score, float(offset)
    if best is None or best[0] < min(2, len(place)) * 0.5:
        return None
    matched = _nearest(pixels, place + best[1])
    close = np.abs(matched - place - best[1]) <= width
    return best[0], float(np.median((matched - place)[close])) if close.any() else best[1]


def _nearest(pixels: Floats, wanted: Floats) -> Floats:
    index = np.argmin(np.abs(pixels[None, :] - wanted[:, None]), axis=1)
    return np.asarray(pixels[index], dtype=np.float64)


def _sit(place: Floats, offset: float, rails: Sequence[Rails], width: float) -> Seating:
    """Every label on the first rail that has a stroke within `width` of label + offset; else on its own glyphs."""
    pixels = place + offset
    kinds: list[SeatKind] = ["glyph"] * len(place)
    for rail in rails:
        if not len(rail.pixels):
            continue
        for i, wanted in enumerate(place + offset):
            away = np.abs(rail.pixels - wanted)
            score = np.where(away <= width, rail.weights - 0.3 * away / width, -1.0)
            best = int(np.argmax(score))
            if kinds[i] == "glyph" and score[best] >= 0:
                pixels[i], kinds[i] = rail.pixels[best], rail.kind
    return Seating(pixels, tuple(kinds), offset)


def _each_nearest(place: Floats, rails: Sequence[Rails], reach: float) -> Seating | None:
    """Every label on the stroke nearest to it, if each has one of its own within `reach`.

    Where some labels carry a sign or a leading space, their middles do not stand at one offset.
    """
    for rail in rails:
        if rail.kind == "spine" or len(rail.pixels) < len(place) or len(place) < 3:
            continue
        nearest = _nearest(rail.pixels, place)
        if np.abs(nearest - place).max() <= reach and len(np.unique(nearest)) == len(place):
            return Seating(nearest, tuple(rail.kind for _ in place), float(np.median(nearest - place)))
    return None


def _between(place: Floats, rails: Sequence[Rails], farthest: float) -> Seating | None:
    """Labels midway between neighbouring strokes, if nearly all of them are; at most `farthest` px off."""
    for rail in rails:
        strokes = rail.pixels[rail.weights >= 0.8] if len(rail.pixels) else rail.pixels
        if len(strokes) < 3 or len(place) < 2:
            continue
        gaps = np.diff(strokes)
        middles = ((strokes[1:] + strokes[:-1]) / 2)[np.abs(gaps - spacing(place)) <= 0.35 * spacing(place)]
        if not len(middles):
            continue
        nearest = _nearest(middles, place)
        close = np.abs(nearest - place) <= max(2.5, min(0.08 * spacing(place), farthest))
        if np.mean(close) >= 0.8 and len(set(nearest[close].tolist())) == close.sum():
            kinds: list[SeatKind] = [rail.kind if near else "glyph" for near in close]
            offset = float(np.median((nearest - place)[close]))
            return Seating(np.where(close, nearest, place + offset), tuple(kinds), offset)
    return None


def snap(wanted: Floats, rails: Sequence[Rails], width: float) -> tuple[Floats, NDArray[np.bool_]]:
    """Strokes within `width` pixels of where a fit wants its labels, and which labels have one."""
    seating = _sit(np.asarray(wanted, dtype=np.float64), 0.0, rails, width)
    return seating.pixels, np.array([kind != "glyph" for kind in seating.kinds], dtype=np.bool_)
