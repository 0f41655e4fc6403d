"""Marker templates: what one marker of a series looks like, and where copies of it lie in the ink, sub-pixel.

A template is the mean of a series' isolated markers; markers that overlap are found by explaining the ink greedily
with copies of it. Ink under other ink (`hidden`) counts for neither side.

Not handled here: which layers have markers (`points`), markers of several sizes in one layer (bubbles).
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.types import Floats

Plane = NDArray[np.float32]
Mask = NDArray[np.bool_]
_INK = 0.35  # coverage from which a pixel belongs to a blob
_FIT = 0.9  # share of a template that ink must cover
_EQUILATERAL = 0.5 * np.sqrt(3.0)


@dataclass(frozen=True, eq=False)
class Blob:
    """A connected piece of ink: `area` is its coverage, `x`, `y` its centroid, then its bounding box in pixels."""

    area: float
    x: float
    y: float
    left: int
    top: int
    width: int
    height: int


@dataclass(frozen=True, eq=False)
class Template:
    """`image` (2 k + 1, 2 k + 1) is the coverage of one marker, its centroid in the middle.

    The data point lies `dx`, `dy` pixels from the middle: 0 but for triangles drawn around the centre of their box.
    """

    image: Plane
    dx: float = 0.0
    dy: float = 0.0

    @property
    def reach(self) -> int:
        return int(self.image.shape[0] // 2)

    @property
    def ink(self) -> float:
        return float(self.image.sum())

    @property
    def radius(self) -> float:
        """Half the larger side of the marker's box."""
        width, height = extent(self.image)
        return max(width, height) / 2


def blobs(coverage: Plane, least: float = _INK) -> list[Blob]:
    """Connected pieces of ink; each carries the faint pixels of its rim."""
    mask = (coverage > least).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    rim = cv2.dilate(labels.astype(np.float32), np.ones((3, 3), np.uint8)).astype(np.int64)
    owner = np.where(labels > 0, labels, rim)
    rows, columns = np.nonzero((owner > 0) & (coverage > 0))
    which, weight = owner[rows, columns], coverage[rows, columns].astype(np.float64)
    area = np.bincount(which, weight, count)
    x = np.bincount(which, weight * columns, count) / np.maximum(area, 1e-9)
    y = np.bincount(which, weight * rows, count) / np.maximum(area, 1e-9)
    return [Blob(float(area[k]), float(x[k]), float(y[k]), *(int(v) for v in stats[k][:4])) for k in range(1, count)]


def extent(image: Plane) -> tuple[float, float]:
    """Width and height of the ink, sub-pixel: from the fullest row and column profile."""
    across, down = image.max(axis=0).astype(np.float64), image.max(axis=1).astype(np.float64)
    return float(across[across > 0.08].sum()), float(down[down > 0.08].sum())


def singles(found: list[Blob], least: float = 3.0) -> list[Blob]:
    """The blobs that look like one marker each: the smallest size that is common."""
    sound = [blob for blob in found if blob.area >= least and max(blob.width, blob.height) <= 60]
    if not sound:
        return []
    size = np.log(np.asarray([blob.area for blob in sound]))
    like = [int((np.abs(size - s) < 0.15).sum()) for s in size]
    common = [k for k in range(len(sound)) if like[k] >= max(0.4 * max(like), min(3, max(like)))]
    smallest = min(common, key=lambda k: size[k])
    near = [k for k in range(len(sound)) if abs(size[k] - size[smallest]) < 0.3]
    middle = float(np.median(size[near]))
    group = [sound[k] for k in near if abs(size[k] - middle) < 0.18]
    width = float(np.median([blob.width for blob in group]))
    height = float(np.median([blob.height for blob in group]))
    return [blob for blob in group if abs(blob.width - width) <= 1.5 and abs(blob.height - height) <= 1.5]


def patch(coverage: Plane, x: float, y: float, reach: int) -> Plane:
    """The square around a sub-pixel place; nothing beyond the image's rim."""
    window = _window(coverage, x, y, reach + 2)
    side = 2 * reach + 1
    centre = (float(x - np.floor(x)) + reach + 2, float(y - np.floor(y)) + reach + 2)
    return np.asarray(cv2.getRectSubPix(window, (side, side), centre), dtype=np.float32)


def _window(coverage: Plane, x: float, y: float, reach: int) -> Plane:
    """Whole pixels around (floor x, floor y), zeros outside the image."""
    height, width = coverage.shape
    row, column = int(np.floor(y)), int(np.floor(x))
    out = np.zeros((2 * reach + 1, 2 * reach + 1), dtype=np.float32)
    r0, r1 = max(0, row - reach), min(height, row + reach + 1)
    c0, c1 = max(0, column - reach), min(width, column + reach + 1)
    if r0 < r1 and c0 < c1:
        out[r0 - row + reach : r1 - row + reach, c0 - column + reach : c1 - column + reach] = coverage[r0:r1, c0:c1]
    return out


def template_of(coverage: Plane, group: list[Blob]) -> Template:
    """Mean of isolated markers, aligned on their centroids."""
    reach = int(np.ceil(max(max(blob.width, blob.height) for blob in group) / 2)) + 2
    stack = np.stack([patch(coverage, blob.x, blob.y, reach) for blob in group[:200]])
    image = np.median(stack, axis=0).astype(np.float32) if len(stack) > 2 else stack.mean(axis=0)
    image = np.where(image < 0.05, 0.0, image).astype(np.float32)
    return _seated(Template(image))


def _seated(template: Template) -> Template:
    """A triangle as wide as high (matplotlib, spreadsheets) has its data point in the middle of its box.

    Equilateral triangles (R, D3) are drawn around their centroid, which is the template's middle.
    """
    solid = filled(template.image)
    width, height = extent(solid)
    upright = float(np.abs(solid - solid[::-1]).sum()) / max(1.0, float(solid.sum()))
    if upright < 0.25 or height < 4 or abs(height / width - _EQUILATERAL) < abs(height / width - 1.0):
        return template
    rows = np.flatnonzero(solid.max(axis=1) > 0.08)
    down = solid.max(axis=1).astype(np.float64)
    first, last = rows[0] + 1.0 - down[rows[0]], rows[-1] + down[rows[-1]]
    middle = 0.5 * (first + last) - 0.5
    return Template(template.image, 0.0, float(middle - template.reach))


def filled(image: Plane) -> Plane:
    """The same shape with its holes filled."""
    outside = np.zeros((image.shape[0] + 2, image.shape[1] + 2), dtype=np.uint8)
    wall = np.pad((image > 0.3).astype(np.uint8), 1)
    _, outside, _, _ = cv2.floodFill(wall, None, (0, 0), 2)  # type: ignore[call-overload]
    return np.asarray(np.where(outside[1:-1, 1:-1] == 0, 1.0, image), dtype=np.float32)


def register(coverage: Plane, template: Template, x: float, y: float, care: Plane | None = None) -> tuple[float, float]:
    """The place near (x, y) where the template fits best, by Gauss-Newton steps; never farther than 1.5 px."""
    reach = template.reach
    model = template.image.astype(np.float64)
    down, across = np.gradient(model)
    at_x, at_y = x, y
    for _ in range(6):
        seen = patch(coverage, at_x, at_y, reach).astype(np.float64)
        weight = np.ones_like(model) if care is None else patch(care, at_x, at_y, reach).astype(np.float64)
        off = (seen - model) * weight
        system = np.asarray(
            [[(weight * across * across).sum(), (weight * across * down).sum()],
             [(weight * across * down).sum(), (weight * down * down).sum()]]
        ) + 1e-6 * np.eye(2)  # fmt: skip
        step = -np.linalg.solve(system, np.asarray([(off * across).sum(), (off * down).sum()]))
        step = np.clip(step, -0.7, 0.7)
        at_x, at_y = at_x + float(step[0]), at_y + float(step[1])
        if abs(step).max() < 0.01:
            break
    if np.hypot(at_x - x, at_y - y) > 1.5:
        return x, y
    return at_x, at_y


def explain(amount: Plane, hidden: Mask, template: Template, start: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Places of copies of the template that explain the ink that `start` does not: greedily, most new ink first.

    `amount` counts layers of ink: above 1 where translucent copies overlap. A copy must lie on ink (or hidden places)
    and explain enough that is new; rims count more than insides.
    """
    care = (~hidden).astype(np.float32)
    image, reach = template.image, template.reach
    opaque = bool(np.percentile(amount[amount > 0.5], 99.5) < 1.3) if (amount > 0.5).any() else True
    left = amount * care
    for x, y in start:
        _erase(left, image, x, y, opaque)
    ink = np.minimum(amount, 1.0) * care
    square = image * image
    fit = _correlate(ink, image) / np.maximum(_correlate(care, square), 1e-6)
    possible = _correlate(care, image)
    rim = (1.0 + 3.0 * (cv2.erode((amount > 0.5).astype(np.uint8), np.ones((3, 3), np.uint8)) == 0)).astype(np.float32)
    gain = _correlate(np.minimum(left, 1.0) * rim, image)
    least = max(0.22, 0.5 / template.radius) * template.ink
    good = (fit > _FIT) & (possible > 0.35 * template.ink) & (gain > least)
    heap = [(-float(gain[r, c]), int(r), int(c)) for r, c in zip(*np.nonzero(good), strict=True)]
    heapq.heapify(heap)
    found: list[tuple[float, float]] = []
    while heap and len(found) < 20000:
        old, r, c = heapq.heappop(heap)
        new = np.minimum(_window(left, c, r, reach), 1.0) * image
        if float(new.sum()) <= least:
            continue
        weighted = -float((new * _window(rim, c, r, reach)).sum())
        if weighted > old + 1e-3:
            heapq.heappush(heap, (weighted, r, c))
            continue
        found.append((float(c), float(r)))
        _erase(left, image, c, r, opaque)
        if not opaque:
            heapq.heappush(heap, (weighted, r, c))
    return found


def _correlate(plane: Plane, image: Plane) -> Plane:
    return np.asarray(cv2.filter2D(plane, cv2.CV_32F, image, borderType=cv2.BORDER_CONSTANT), dtype=np.float32)


def _erase(left: Plane, image: Plane, x: float, y: float, opaque: bool) -> None:
    """Takes a copy of the template out of the ink that is left to explain: all of it, or one layer of it."""
    reach = image.shape[0] // 2
    height, width = left.shape
    row, column = int(np.floor(y)), int(np.floor(x))
    shifted = patch(np.pad(image, 2), reach + 2 - (x - column), reach + 2 - (y - row), reach)
    r0, r1 = max(0, row - reach), min(height, row + reach + 1)
    c0, c1 = max(0, column - reach), min(width, column + reach + 1)
    if r0 >= r1 or c0 >= c1:
        return
    part = shifted[r0 - row + reach : r1 - row + reach, c0 - column + reach : c1 - column + reach]
    rest = np.maximum(left[r0:r1, c0:c1] - part, 0.0)
    left[r0:r1, c0:c1] = np.where(part > 0.3, 0.0, rest) if opaque else rest
