"""Fills that are no plain colours: hatches and gradients take a colour that stands for them.

What a PDF paints with a pattern is told apart by how it looks where it is drawn: ground, ink and the direction of its
strokes. All paths of one look get one plain colour, so that bars and the samples of a legend are matched by it.
Not handled here: hatches that a producer draws stroke by stroke, patterns narrower than a few pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tools.colour import lab_distance
from tools.types import Box, Drawing, Image, Rgb, VectorPath

UNKNOWN: Rgb = (191, 191, 191)  # the colour that PDFium states for a fill by a pattern
LEAST = 6.0  # px: narrower places show no pattern
FLAT = 3.0  # grey levels by which a plain fill may vary
SMOOTH = 20.0  # grey levels from pixel to pixel: gradients change less, hatches more
ALIKE = 30.0  # between the looks of two places painted alike
APART = 14.0  # Lab units between the colours that stand for two looks
PALEST = 225.0  # of these colours: paler ones are paper
MOST = 4000


@dataclass(frozen=True, eq=False)
class Look:
    """How a place looks: mean, ground and ink (R, G, B), and the direction in which its strokes run as a double angle,
    (0, 0) for none."""

    mean: Rgb
    ground: Rgb
    ink: Rgb
    along: tuple[float, float]

    def unlike(self, other: Look) -> float:
        """0 for the same look; in the order of Lab units."""
        turned = float(np.hypot(self.along[0] - other.along[0], self.along[1] - other.along[1]))
        away = [lab_distance(getattr(self, name), getattr(other, name)) for name in ("mean", "ground", "ink")]
        return float(0.5 * sum(away)) + 40 * turned


def with_plain_paints(drawing: Drawing, pixels: Image) -> Drawing:
    """The drawing with a plain colour for every fill whose own colour its file does not state.

    pixels: (H, W, 3) uint8 RGB, the figure as it is drawn.
    """
    unknown = [i for i, path in enumerate(drawing.paths) if path.fill == UNKNOWN]
    looks = {i: look for i in unknown[:MOST] if (look := _look(drawing.paths[i], pixels)) is not None}
    if not looks:
        return drawing
    known = {UNKNOWN, *(path.fill for path in drawing.paths if path.fill is not None)}
    groups: list[tuple[Look, list[int]]] = []
    for i in sorted(looks, key=lambda i: -drawing.paths[i].box.width * drawing.paths[i].box.height):
        near = min(groups, key=lambda group: looks[i].unlike(group[0]), default=None)
        if near is not None and looks[i].unlike(near[0]) < ALIKE:
            near[1].append(i)
        else:
            groups.append((looks[i], [i]))
    paths = list(drawing.paths)
    for look, members in groups:
        colour = _distinct(look.mean, sorted(known))
        known.add(colour)
        for i in members:
            paths[i] = replace(paths[i], fill=colour)
    return replace(drawing, paths=tuple(paths))


def _look(path: VectorPath, pixels: Image) -> Look | None:
    """How the inside of a path looks; None where it is small, hidden, or plainly filled."""
    box, inset = path.box, path.width / 2 + 1.5
    if path.clip is not None:
        clip = path.clip
        box = Box(max(box.x0, clip.x0), max(box.y0, clip.y0), min(box.x1, clip.x1), min(box.y1, clip.y1))
    if min(box.width, box.height) < LEAST + 2 * inset:
        return None
    rows, columns = box.grown(-inset).slices(*pixels.shape[:2])
    inside = pixels[rows, columns].astype(np.float64)
    if min(inside.shape[:2]) < 3 or inside.std(axis=(0, 1)).max() < FLAT:
        return None
    flat = inside.reshape(-1, 3)
    steps = [np.abs(np.diff(inside, axis=axis)).max(axis=2) for axis in (0, 1)]
    if max(np.quantile(step, 0.98) for step in steps) < SMOOTH:  # an axis line may run along its end
        mean = _rgb(flat.mean(axis=0))
        return Look(mean, mean, mean, (0.0, 0.0))
    codes, counts = np.unique((flat // 16).astype(np.int64) @ np.array([256, 16, 1]), return_counts=True)
    usual = codes[counts.argmax()] == (flat // 16).astype(np.int64) @ np.array([256, 16, 1])
    ground = np.median(flat[usual], axis=0)
    away = np.abs(flat - ground).max(axis=1)
    ink = np.median(flat[away >= np.quantile(away, 0.95)], axis=0)
    return Look(_rgb(flat.mean(axis=0)), _rgb(ground), _rgb(ink), _along(inside.mean(axis=2)))


def _along(grey: np.ndarray) -> tuple[float, float]:
    """The direction across which grey values (h, w) change most, as a double angle weighted by how much they agree."""
    right, down = np.diff(grey, axis=1)[:-1], np.diff(grey, axis=0)[:, :-1]
    across, up, mixed = float((right**2).sum()), float((down**2).sum()), float((right * down).sum())
    whole = max(across + up, 1e-9)
    return (across - up) / whole, 2 * mixed / whole


def _rgb(colour: np.ndarray) -> Rgb:
    red, green, blue = (int(v) for v in np.clip(np.round(colour), 0, 255))
    return red, green, blue


def _distinct(colour: Rgb, taken: Sequence[Rgb]) -> Rgb:
    """A colour near this one that is no paper, and that none of the others looks like: darker where need be."""
    shade = np.array(colour, dtype=np.float64)
    shade *= min(1.0, PALEST / shade.min()) if shade.min() > 0 else 1.0
    for _ in range(12):
        if all(lab_distance(_rgb(shade), other) > APART for other in taken):
            break
        shade *= 0.85
    return _rgb(shade)
