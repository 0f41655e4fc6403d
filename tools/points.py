"""Scatter markers, and the markers that sit on a line.

Not handled here: bubbles (marker size as data), two marker shapes in one colour, colour scales.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.ink import Layer, PlotInk
from tools.markers import Blob, Plane, Template, blobs, explain, register, singles, template_of
from tools.types import Evidence, Mark, Panel, Series

_LEAST = 3.0  # px of ink in the smallest marker
_DARKEST = 2.3  # times the first layer's depth that overlaps of translucent markers reach


def read_points(panel: Panel, ink: PlotInk, layers: Sequence[Layer]) -> tuple[Series, ...]:
    """One series per colour: kind "points", one mark "marker" per point, left to right, in figure pixels (sub-pixel).

    Layers that are shades of one colour (a translucent marker, where it overlaps itself, its rim) are read together.
    Overlapping markers are split with the series' own template. Points exactly over each other count once. Layers
    without any repeated blob give no series.
    """
    found = []
    for group in _shades(ink, layers):
        places = _places(ink, group)
        marks = [Mark("marker", x + ink.origin[0], y + ink.origin[1], sigma=0.3) for x, y in sorted(places)]
        if marks:
            first = group[0]
            found.append(Series(first.name, first.colour, "points", tuple(marks), evidence=Evidence("points")))
    return tuple(found)


def _shades(ink: PlotInk, layers: Sequence[Layer]) -> list[list[Layer]]:
    """Groups of layers whose colours lie on one ray from the paper, the layer with the most ink first."""
    paper = np.asarray(ink.background, dtype=np.float64)
    groups: list[list[Layer]] = []
    for layer in sorted(layers, key=lambda layer: (not layer.name, -float(layer.coverage.sum()))):
        ray = np.asarray(layer.colour, dtype=np.float64) - paper
        for group in groups:
            first = np.asarray(group[0].colour, dtype=np.float64) - paper
            ratio = float(ray @ first) / max(1.0, float(first @ first))
            off = float(np.linalg.norm(ray - ratio * first))
            if 0.1 < ratio < _DARKEST and off < 6 + 0.06 * float(np.linalg.norm(ray)) and layer.name in ("", group[0].name):
                group.append(layer)
                break
        else:
            groups.append([layer])
    return groups


def _amount(ink: PlotInk, group: Sequence[Layer]) -> tuple[Plane, NDArray[np.bool_]]:
    """Ink of the group's colour per pixel, 1 in a lone marker and more where translucent ones overlap; what is hidden.

    Layers of ink over paper multiply what shines through, so their number is a ratio of logarithms.
    """
    first = group[0]
    ray = np.asarray(first.colour, dtype=np.float32) - np.asarray(ink.background, dtype=np.float32)
    own = np.sum([layer.coverage for layer in group], axis=0) > 0.02
    depth = np.where(own, (ink.pixels.astype(np.float32) - np.asarray(ink.background, dtype=np.float32)) @ ray, 0.0)
    depth = np.clip(depth / max(1.0, float(ray @ ray)), 0.0, None)
    hidden = np.all([layer.hidden for layer in group], axis=0) & ~own
    lone = [blob for blob in singles(blobs(depth.astype(np.float32), 0.35 * float(np.percentile(depth[own], 75))))]
    if not lone:
        return depth.astype(np.float32), hidden
    level = float(np.median([_plateau(depth, blob) for blob in lone]))
    deepest = float(np.percentile(depth[depth > 0.8 * level], 99.5))
    if deepest < 1.15 * level:
        return np.minimum(depth / level, 1.0).astype(np.float32), hidden
    full = max(deepest * 1.02, 1.0 if not first.name else 0.0)
    layers = np.log1p(-np.minimum(depth / full, 0.99)) / np.log1p(-min(level / full, 0.95))
    return layers.astype(np.float32), hidden


def _plateau(depth: NDArray[np.floating], blob: Blob) -> float:
    part = depth[blob.top : blob.top + blob.height, blob.left : blob.left + blob.width]
    return float(np.percentile(part[part > 0.5 * part.max()], 60))


def _places(ink: PlotInk, group: Sequence[Layer]) -> list[tuple[float, float]]:
    """Data points (crop pixels) of the layers of one colour."""
    if not any(layer.coverage.any() for layer in group):
        return []
    amount, hidden = _amount(ink, group)
    found = blobs(amount)
    lone = singles(found, _LEAST)
    if not lone:
        return []
    template = template_of(amount, lone)
    care = (~hidden).astype(np.float32)
    alone = [blob for blob in found if _is_single(blob, template, hidden)]
    places = [register(amount, template, blob.x, blob.y, care) for blob in alone]
    more = explain(amount, hidden, template, places)
    return [(x + template.dx, y + template.dy) for x, y in places + more]


def _is_single(blob: Blob, template: Template, hidden: NDArray[np.bool_]) -> bool:
    """As much ink as one marker, in a box of its size, with nothing hidden around it."""
    if abs(blob.area / template.ink - 1.0) > 0.25 or max(blob.width, blob.height) > 2 * template.radius + 2:
        return False
    part = hidden[max(0, blob.top - 1) : blob.top + blob.height + 1, max(0, blob.left - 1) : blob.left + blob.width + 1]
    return not bool(part.any())


def looks_like_points(ink: PlotInk, layer: Layer) -> float:
    """0 to 1: many compact blobs of one size that no line joins. Dashes and dotted lines score low."""
    found = [blob for blob in blobs(layer.coverage) if blob.area >= _LEAST]
    group = singles(found, _LEAST)
    if len(group) < 2:
        return 0.0
    template = template_of(layer.coverage, group)
    if _is_dash(layer.coverage, group) or _is_dotted(group, template):
        return 0.1
    total = sum(blob.area for blob in found)
    alike = sum(blob.area for blob in group)
    merged = sum(blob.area for blob in found if blob.area > 1.3 * template.ink and _clump(layer.coverage, blob, template))
    return float(min(1.0, (alike + merged) / max(total, 1e-9)) * min(1.0, len(group) / 3))


def _is_dash(coverage: Plane, group: Sequence[Blob]) -> bool:
    """Dashes of a line: longer than wide along a slope of their own."""
    long = 0
    for blob in group[:60]:
        rows, columns = slice(blob.top, blob.top + blob.height), slice(blob.left, blob.left + blob.width)
        part = coverage[rows, columns]
        at = np.argwhere(part > 0.5).astype(np.float64)
        if len(at) < 3:
            continue
        spread = np.sqrt(np.maximum(np.linalg.eigvalsh(np.cov(at.T) + 1.0 / 12 * np.eye(2)), 1e-9))
        long += bool(spread[1] > 2.0 * spread[0])
    return long > 0.6 * min(60, len(group))


def _is_dotted(group: Sequence[Blob], template: Template) -> bool:
    """Dots of a line: small, and each as far from the next as every other, close by."""
    if len(group) < 8:
        return False
    at = np.asarray([(blob.x, blob.y) for blob in group])
    gaps = np.sort(np.linalg.norm(at[:, None] - at[None], axis=2), axis=1)[:, 1] if len(at) <= 1500 else np.zeros(1)
    near = float(np.median(gaps))
    return bool(near < 4.5 * template.radius + 2 and np.mean(np.abs(gaps - near) < 0.15 * near + 0.3) > 0.85)


def _clump(coverage: Plane, blob: Blob, template: Template) -> bool:
    """A blob that is made of overlapping markers and not of a thin line."""
    part = coverage[blob.top : blob.top + blob.height, blob.left : blob.left + blob.width]
    fit = cv2.filter2D(part, cv2.CV_32F, template.image, borderType=cv2.BORDER_CONSTANT) / template.ink
    return bool((fit > 0.85).sum() * template.ink > 0.15 * blob.area)


def find_markers(ink: PlotInk, layer: Layer) -> tuple[Mark, ...]:
    """Markers that sit on the line of this layer, left to right (figure pixels); empty where it has none."""
    return ()
