"""Bubbles: filled discs of one colour whose sizes are data, each with its centre and its radius.

Discs that overlap are told apart by the arcs of their rims. Arrays are (h, w) crops.

Not handled here: hollow bubbles, discs of which less than a third of the rim is seen, what a size stands for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.ink import Layer, PlotInk
from tools.markers import Plane
from tools.shades import shades
from tools.types import Box, Evidence, Floats, Mark, Panel, Series

Bits = NDArray[np.bool_]

SMALLEST = 2.0  # px, of a radius
LARGEST = 7.0  # px: the largest bubble has at least this radius
FEWEST = 4  # bubbles
SPREAD = 1.5  # the largest radius to the smallest
LIKE = 0.05  # of a radius: sizes that markers of one size may have
SAME = 0.5  # of the discs have one size: these are markers
EXPLAINED = 0.92  # share of the ink in the discs, and of the discs in ink
MOST = 60  # peaks of a clump: more are a large area
SECTORS = 36  # of a rim
SEEN = 0.34  # of them


@dataclass(frozen=True)
class Disc:
    """Centre (crop pixels) and radius, px."""

    x: float
    y: float
    radius: float


def looks_like_bubbles(layer: Layer) -> bool:
    """Whether this layer draws discs of clearly different sizes and hardly anything else."""
    return bool(_bubbles(layer.coverage))


def read_bubbles(panel: Panel, ink: PlotInk, layers: Sequence[Layer]) -> tuple[Series, ...]:
    """One series of kind "points" per colour, if all of them are bubbles; else none.

    A mark "marker" per bubble, in figure pixels; `Mark.box` is the square around the disc, which tells its size.
    """
    found = []
    for group in shades(ink, layers):
        discs = _bubbles(_plane(group))
        if not discs:
            return ()
        marks = tuple(_mark(disc, ink.origin) for disc in sorted(discs, key=lambda disc: disc.x))
        side = panel.y.side if panel.y else "left"
        evidence = Evidence("points", arguments={"bubbles": True})
        found.append(Series(group[0].name, group[0].colour, "points", marks, side, evidence=evidence))
    return tuple(found)


def _mark(disc: Disc, origin: tuple[int, int]) -> Mark:
    x, y, half = disc.x + origin[0], disc.y + origin[1], disc.radius
    return Mark("marker", x, y, Box(x - half, y - half, x + half, y + half), sigma=0.4)


def _plane(group: Sequence[Layer]) -> Plane:
    return np.asarray(np.minimum(np.sum([layer.coverage for layer in group], axis=0), 1.0), dtype=np.float32)


def _bubbles(plane: Plane) -> list[Disc]:
    """The discs of a plane (h, w) of coverage; none where they are no bubbles."""
    solid = np.asarray(plane > 0.5)
    if solid.sum() < FEWEST * np.pi * SMALLEST**2:
        return []
    discs = find_discs(plane)
    radii = np.array([disc.radius for disc in discs])
    if len(discs) < FEWEST or radii.max() < LARGEST or radii.max() < SPREAD * radii.min():
        return []
    usual = max(float(np.mean(np.abs(radii / radius - 1) < LIKE)) for radius in radii)
    drawn = np.zeros(solid.shape, np.uint8)
    for disc in discs:
        _draw(drawn, disc)
    both = float((solid & (drawn > 0)).sum())
    good = both > EXPLAINED * float(solid.sum()) and both > EXPLAINED * float(drawn.sum())
    return discs if good and usual < SAME else []


def _draw(canvas: NDArray[np.uint8], disc: Disc) -> None:
    height, width = canvas.shape
    reach = disc.radius + 1
    rows, columns = Box(disc.x - reach, disc.y - reach, disc.x + reach, disc.y + reach).slices(height, width)
    y, x = np.ogrid[rows, columns]
    canvas[rows, columns][np.hypot(x - disc.x, y - disc.y) <= disc.radius] = 1


def find_discs(plane: Plane) -> list[Disc]:
    """Filled discs in a plane (h, w) of coverage, lone ones and those that overlap each other."""
    solid = (plane > 0.5).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(solid, connectivity=4)
    found: list[Disc] = []
    for k in range(1, count):
        left, top, width, height, area = stats[k].tolist()
        if area < np.pi * SMALLEST**2 or area < 0.3 * width * height:
            continue
        rows = slice(max(0, top - 2), top + height + 2)
        columns = slice(max(0, left - 2), left + width + 2)
        own = labels[rows, columns] == k
        near = cv2.dilate(own.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        part = np.where(near, plane[rows, columns], 0.0)
        round_one = abs(area / (np.pi / 4 * width * height) - 1) < 0.08 and abs(width / height - 1) < 0.12
        discs = [_lone(part)] if round_one else _overlapping(own)
        found += [Disc(d.x + columns.start, d.y + rows.start, d.radius) for d in discs]
    return found


def _lone(part: NDArray[np.floating]) -> Disc:
    amount = float(part.sum())
    y, x = (float((part.sum(axis=axis) * np.arange(part.shape[1 - axis])).sum()) / amount for axis in (1, 0))
    return Disc(x, y, float(np.sqrt(amount / np.pi)))


def _overlapping(own: Bits) -> list[Disc]:
    """Discs of a clump: places as far from its border as nothing near them, with an arc of the border around them."""
    padded = np.pad(own.astype(np.uint8), 1)
    depth = cv2.distanceTransform(padded, cv2.DIST_L2, 5)[1:-1, 1:-1]
    peaks = (depth >= cv2.dilate(depth, np.ones((5, 5), np.uint8)) - 1e-3) & (depth >= SMALLEST)
    border = np.argwhere(own & (cv2.erode(padded, np.ones((3, 3), np.uint8))[1:-1, 1:-1] == 0))[:, ::-1].astype(float)
    found: list[Disc] = []
    if peaks.sum() > MOST:
        return []
    for y, x in sorted(np.argwhere(peaks).tolist(), key=lambda at: -float(depth[at[0], at[1]])):
        disc = _fitted(border, Disc(float(x), float(y), float(depth[y, x])))
        if disc is not None and not any(_same(disc, other) for other in found):
            found.append(disc)
    return found


def _same(disc: Disc, other: Disc) -> bool:
    """Whether a disc is (nearly) within another one."""
    return float(np.hypot(disc.x - other.x, disc.y - other.y)) + disc.radius < 1.15 * other.radius + 1.0


def _fitted(border: Floats, guess: Disc) -> Disc | None:
    """The circle through the border (n, 2) near a guess; None where too little of it is seen."""
    disc = guess
    for _ in range(4):
        away = border - (disc.x, disc.y)
        on = np.abs(np.hypot(away[:, 0], away[:, 1]) - disc.radius) < 1.2
        if on.sum() < 6:
            return None
        x, y = border[on].T
        design = np.stack([2 * x, 2 * y, np.ones(len(x))], axis=1)
        (a, b, c), *_ = np.linalg.lstsq(design, x**2 + y**2, rcond=None)
        disc = Disc(float(a), float(b), float(np.sqrt(max(0.0, c + a**2 + b**2))))
    away = border - (disc.x, disc.y)
    on = np.abs(np.hypot(away[:, 0], away[:, 1]) - disc.radius) < 1.0
    sectors = np.unique((np.arctan2(away[on, 1], away[on, 0]) / (2 * np.pi) * SECTORS).astype(int))
    near = np.hypot(disc.x - guess.x, disc.y - guess.y) < 0.3 * guess.radius + 1
    if not near or len(sectors) < SEEN * SECTORS or not 0.7 < disc.radius / guess.radius < 1.5:
        return None
    return Disc(disc.x, disc.y, disc.radius + 0.5)  # the border's pixels have their middles half a pixel inside
