"""Whether ink looks like points: many compact pieces of one size that no line joins; and the markers on lines.

Not handled here: reading the points (`points`), bubbles, clouds by their scatter (`clouds`).
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from tools.cores import markers_on_stroke
from tools.fits import fitted
from tools.ink import Layer, PlotInk
from tools.markers import Blob, Plane, Template, blobs, in_rows, seated, singles, template_of
from tools.reduced import home, reduced, scale_of, shrunk
from tools.shades import amount_of, on_one_ray, shades, without_letters
from tools.types import Mark
from tools.whiskered import markers_alone

_RIM = 4  # px from the edge of the plot area where ticks and the frame lie
LEAST = 3.0  # px of ink in the smallest marker
_SPECKS = 0.01  # of the ink: blobs of one size that have less are scraps of something else


def looks_like_points(ink: PlotInk, layer: Layer) -> float:
    """0 to 1: many compact blobs of one size that no line joins. Dashes and dotted lines score low.

    Shades of the layer's colour (where translucent markers overlap) are looked at together with it; where it has too
    few blobs to tell, all other shades of the colour are too.
    """
    scale = scale_of(ink)
    if scale > 1:
        small = reduced(ink, scale)
        return looks_like_points(small, small.layers[next(k for k, one in enumerate(ink.layers) if one is layer)])
    group = next(group for group in shades(ink, ink.layers) if any(each is layer for each in group))
    amount, hidden = amount_of(ink, group, np.zeros(layer.coverage.shape, dtype=bool))
    score = blobbiness(markers_alone(without_letters(amount), hidden), legend_size(group[0]))
    if score is None:
        family = [each.coverage for each in ink.layers if on_one_ray(ink, layer, each)]
        score = blobbiness(np.max(family, axis=0), None) if len(family) > 1 else None
    if (score or 0.0) < 0.9 and layer.coverage.sum() > 30 and fitted(ink) and _on_fit(ink, layer):
        return 1.0
    return 0.0 if score is None else score


def _on_fit(ink: PlotInk, layer: Layer) -> bool:
    """Whether this layer of a panel with fitted curves has markers too."""
    return layer.sample is not None or bool(find_markers(ink, layer))


def blobbiness(amount: Plane, size: tuple[float, float] | None) -> float | None:
    """The share of the ink that is in blobs of one size or in clumps of such; None where no size repeats."""
    everything = blobs(amount)
    found = [blob for blob in off_the_frame(everything, amount) if blob.area >= LEAST]
    lone = singles(found, LEAST, size)
    rows = in_rows(found, LEAST) if len(lone) < 2 else []
    if len(lone) < 2 and not rows:
        return None
    lone = rows or lone
    template = template_of(amount, lone)
    if _is_dash(amount, lone) or _is_dotted(lone, template):
        return 0.1
    total = sum(blob.area for blob in found)
    alike = sum(blob.area for blob in lone)
    if alike < _SPECKS * sum(blob.area for blob in everything):  # bars on the frame count too
        return 0.1
    merged = sum(b.area for b in found if b.area > 1.3 * template.ink and _clump(amount, b, template))
    return float(min(1.0, (alike + merged) / max(total, 1e-9)) * min(1.0, (len(found) if rows else len(lone)) / 3))


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
    scale = scale_of(ink)
    coverage, hidden = layer.coverage, layer.hidden
    if scale > 1:
        coverage, hidden = shrunk(coverage, scale), np.asarray(shrunk(hidden, scale) > 0.5)
    found = markers_on_stroke(coverage, hidden)
    if found is None:
        return ()
    dy = seated(found.template, []).dy
    places = [home(x, y + dy, scale, ink.origin) for x, y in sorted(found.places)]
    return tuple(Mark("marker", x, y, sigma=0.3) for x, y in places)


def off_the_frame(found: list[Blob], plane: Plane) -> list[Blob]:
    """Without what touches the rim of the plot area: ticks and the frame (a marker there is found by its shape)."""
    height, width = plane.shape
    return [
        blob for blob in found
        if min(blob.left, blob.top, width - blob.left - blob.width, height - blob.top - blob.height) > _RIM
    ]  # fmt: skip


def legend_size(layer: Layer) -> tuple[float, float] | None:
    """Width and height in px of the marker beside the series' name in the legend."""
    entry = layer.entry
    if entry is None or entry.swatch is None:
        return None
    width, height = entry.swatch.width + 1, entry.swatch.height + 1
    alone = entry.kind in ("line", "line+marker") and height > LEAST and width < 1.4 * height  # no line shows
    if entry.kind != "marker" and not alone:
        return None
    return width, height
