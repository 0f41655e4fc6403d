"""What fills outlined bars: their shade, hatch and outline, by which they are sorted into series and named by a legend.

Not handled here: finding the bars (`framed`); more than one fill within a bar.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from tools.colour import as_rgb, chroma
from tools.types import Floats, Image, LegendEntry, Rgb

ALIKE = 0.6  # unlikeness of looks within one series
SHADE = 60.0  # of 255: shades this far apart are as unlike as no hatch and one that covers the half


@dataclass(frozen=True, eq=False)
class Look:
    """Mean colour of the inside (3,), share of its pixels off the usual colour, direction of its strokes (2,), and the
    direction from the paper to the outline's colour (3,) with that colour, and the usual colour inside."""

    shade: Floats
    hatched: float
    direction: Floats
    edge: Floats
    edge_colour: Rgb
    plain: Floats
    hollow: bool

    @property
    def bare(self) -> bool:
        """Nothing, a hatch or a grey inside: what colour alone does not tell."""
        return self.hollow or self.hatched > 0.06 or float(chroma(self.plain)) < 8

    @property
    def colour(self) -> Rgb:
        """The colour to name this look by: of the fill where there is one, else of the outline."""
        return self.edge_colour if self.hollow else as_rgb(self.plain)


def look_at(
    pixels: Floats, paper: Floats, sides: tuple[float, float, float, float], thick: float, margin: float = 1.5
) -> Look | None:
    """The look of a rectangle (left, top, right, bottom) in pixels (h, w, 3); None where it has no inside.

    thick: of its strokes, whose middle the sides are. margin: px of soft edge inside of the strokes.
    """
    left, top, right, bottom = sides
    inset = thick / 2 + margin
    rows = slice(max(0, int(np.ceil(top + inset))), int(np.floor(bottom - inset)) + 1)
    columns = slice(max(0, int(np.ceil(left + inset))), int(np.floor(right - inset)) + 1)
    inside = pixels[rows, columns]
    if min(inside.shape[:2]) < 2:
        return None
    flat = inside.reshape(-1, 3)
    plain = _mode(flat)
    off = np.abs(inside - plain).max(axis=2)
    outline = _outline(pixels, paper, sides)
    step = outline - paper
    return Look(flat.mean(axis=0), float((off > 40).mean()), _direction(off),
                step / max(float(np.linalg.norm(step)), 1.0), as_rgb(outline), plain,
                float(np.abs(plain - paper).max()) < 10)  # fmt: skip


def _mode(flat: Floats) -> Floats:
    """The usual colour: the median of the pixels in the fullest cell of coarse colours."""
    cells = (flat // 32).astype(np.int64) @ np.array([64, 8, 1])
    values, counts = np.unique(cells, return_counts=True)
    return np.asarray(np.median(flat[cells == values[np.argmax(counts)]], axis=0))


def _direction(off: Floats) -> Floats:
    """Twice the angle of the hatch, as a vector that is 0 for none or for crossed ones."""
    if min(off.shape) < 4 or float(off.max()) < 40:
        return np.zeros(2)
    down, across = np.gradient(off)
    power = float((down**2 + across**2).sum())
    return np.array([(across**2 - down**2).sum(), 2 * (across * down).sum()]) / max(power, 1e-9)


def _outline(pixels: Floats, paper: Floats, sides: tuple[float, float, float, float]) -> Floats:
    """The colour of the sides: per side, the median of the line of pixels that differs most from the paper."""
    left, top, right, bottom = sides
    rows = slice(max(0, int(top + 2)), max(int(top + 3), int(bottom - 1)))
    columns = slice(max(0, int(left + 3)), max(int(left + 4), int(right - 2)))
    found = []
    for at in (left, right):
        lines = [pixels[rows, k] for k in range(round(at) - 2, round(at) + 3) if 0 <= k < pixels.shape[1]]
        found += [np.median(line, axis=0) for line in lines if len(line)]
    lines = [pixels[k, columns] for k in range(round(top) - 2, round(top) + 3) if 0 <= k < len(pixels)]
    found += [np.median(line, axis=0) for line in lines if len(line)]
    # Bars that touch share a side: the upper edge is the bar's own.
    own = found[-len(lines) :] if lines else found
    return np.asarray(max(own, key=lambda colour: float(np.abs(colour - paper).max())))


def unlikeness(one: Look, other: Look) -> float:
    """0 for the same look; about 1 for looks that differ in one way."""
    shade = float(np.abs(one.shade - other.shade).max()) / SHADE
    plain = float(np.abs(one.plain - other.plain).max()) / SHADE
    hatch = 2 * abs(one.hatched - other.hatched)
    turned = float(np.linalg.norm(one.direction - other.direction)) * min(1.0, 6 * min(one.hatched, other.hatched))
    edge = float(np.linalg.norm(one.edge - other.edge))
    return min(shade, 2.0) / 2 + min(plain, 2.0) / 2 + hatch + turned + edge


def swatch_look(pixels: Image, entry: LegendEntry, paper: Floats, thick: float) -> Look | None:
    """The look of a legend's sample in the pixels (H, W, 3) of the whole figure; None for samples of lines."""
    box = entry.swatch
    if box is None or box.height < 4 or box.width < 4 or entry.kind == "line":
        return None
    half = thick / 2  # the box of a sample goes round its strokes
    sides = (box.x0 - 0.5 + half, box.y0 - 0.5 + half, box.x1 + 0.5 - half, box.y1 + 0.5 - half)
    return look_at(pixels.astype(np.float64), paper, sides, thick, 0.5)


def sort_looks(looks: Sequence[Look | None], offsets: Sequence[int]) -> list[int]:
    """The series number of each bar: of bars at one place in their groups where these look alike, else of equal looks.

    offsets: which place of its group each bar has; -1 for unknown. Bars too small to have an inside go by their place.
    """
    places = sorted(set(offsets))
    at_place = [[look for look, at in zip(looks, offsets, strict=True) if at == place] for place in places]
    if -1 not in places and len(places) > 1 and all(_agree(group) for group in at_place):
        return [places.index(at) for at in offsets]
    groups: list[list[int]] = []
    for k, look in enumerate(looks):
        if look is None:
            continue
        near = [(min(unlikeness(look, x) for j in group if (x := looks[j]) is not None), group) for group in groups]
        best = min(near, key=lambda pair: pair[0], default=(np.inf, []))
        if best[0] < ALIKE:
            best[1].append(k)
        else:
            groups.append([k])
    number = {k: n for n, group in enumerate(groups) for k in group}
    by_place = {offsets[k]: n for k, n in number.items()}
    return [number.get(k, by_place.get(at, 0)) for k, at in enumerate(offsets)]


def _agree(looks: Sequence[Look | None]) -> bool:
    """Whether most of the looks are like one of them; a few may be spoilt by what is drawn over their bars."""
    seen = [look for look in looks if look is not None]
    alike = [sum(unlikeness(one, other) < ALIKE for other in seen) for one in seen]
    return max(alike, default=1) > 0.6 * len(seen)


def name_looks(groups: Sequence[Sequence[Look]], swatches: Sequence[Look]) -> list[int]:
    """For each group of looks the number of the swatch that it is most like, one each; -1 where none is left."""
    if not swatches or not groups:
        return [-1] * len(groups)
    cost = np.array([[float(np.median([unlikeness(look, swatch) for look in group] or [9.0])) for swatch in swatches]
                     for group in groups])  # fmt: skip
    rows, columns = linear_sum_assignment(cost)
    chosen = dict(zip(rows.tolist(), columns.tolist(), strict=True))
    return [chosen.get(k, -1) for k in range(len(groups))]
