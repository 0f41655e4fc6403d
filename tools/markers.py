"""Marker templates: what one marker of a series looks like, and where copies of it lie in the ink, sub-pixel.

A template is the mean of a series' isolated markers; markers that overlap are found by explaining the ink greedily
with copies of it. Ink under other ink (`hidden`) counts for neither side.

Not handled here: which layers have markers (`points`), markers of several sizes in one layer (bubbles).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.packing import choose
from tools.types import Floats

Plane = NDArray[np.float32]
Mask = NDArray[np.bool_]
_INK = 0.35  # coverage from which a pixel belongs to a blob
_FIT = 0.9  # share of a template that ink must cover; of one drawn in outline:
_FIT_OPEN = 0.85
_HEAP = 6.0  # times the ink of the most frequent blobs: no heap of these is found again as often as
_REPEATED = 5  # times


Numbers = NDArray[np.int64]
Places = list[tuple[float, float]]
_MOST = 400_000  # candidates: more is a filled area
_PHASES = tuple((dx, dy) for dy in (0.0, 0.5) for dx in (0.0, 0.5))  # of a pixel; thin outlines need more:
_FINE_PHASES = tuple((dx / 3, dy / 3) for dy in (-1, 0, 1) for dx in (-1, 0, 1))


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
    def open(self) -> bool:
        """Drawn in outline, or of strokes."""
        return self.ink < 0.7 * float(filled(self.image).sum()) or self.ink < 0.5 * float(np.prod(extent(self.image)))

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


def rows_of(blob: Blob, margin: int = 0) -> tuple[slice, slice]:
    """The rows and columns of its box."""
    rows = slice(max(0, blob.top - margin), blob.top + blob.height + margin)
    return rows, slice(max(0, blob.left - margin), blob.left + blob.width + margin)


def extent(image: Plane) -> tuple[float, float]:
    """Width and height of the ink, sub-pixel: from the fullest row and column profile."""
    across, down = image.max(axis=0).astype(np.float64), image.max(axis=1).astype(np.float64)
    return float(across[across > 0.08].sum()), float(down[down > 0.08].sum())


def singles(found: list[Blob], least: float = 3.0, size: tuple[float, float] | None = None) -> list[Blob]:
    """The blobs that look like one marker each: of the box size that most of the ink has, and without double ink.

    `size`: width and height of the marker in the legend; blobs of that size come first where there are any.
    """
    sound = [blob for blob in found if blob.area >= least and max(blob.width, blob.height) <= 60]
    if size is not None:
        alike = [b for b in sound if abs(b.width - size[0]) <= 2 and abs(b.height - size[1]) <= 2]
        sound = alike if len(alike) >= 0.2 * len(sound) else sound
    if not sound:
        return []
    width, height = (np.asarray([getattr(b, side) for b in sound], dtype=np.float64) for side in ("width", "height"))
    slack = 1.0 + 0.05 * np.maximum(width, height)
    same = (np.abs(width[:, None] - width) <= slack) & (np.abs(height[:, None] - height) <= slack)
    count = same.sum(axis=1)
    area = np.asarray([blob.area for blob in sound])
    common = max(0.25 * count.max(), min(2, count.max()))  # what stands there once may be a heap of markers
    larger = area >= _HEAP * area[int(np.argmax(count))]  # but not of the dots of a line
    fewest = np.where(larger, min(common, _REPEATED), common)
    usual_size = int(np.argmax(np.where(count >= fewest, count * area**0.75, 0.0)))
    group = [sound[k] for k in np.flatnonzero(same[usual_size])]
    usual = float(np.percentile([blob.area for blob in group], 30))  # rings drawn twice carry more ink
    return [blob for blob in group if 0.8 * usual <= blob.area <= 1.2 * usual]


def in_rows(found: list[Blob], least: float = 3.0) -> list[Blob]:
    """The markers that stand alone where most others touch a neighbour at their level: pieces of ink of one height, a
    few of them no wider than they are high; none where the heights differ."""
    sound = [blob for blob in found if blob.area >= least and 5 <= blob.height <= 60]
    if len(sound) < 3:
        return []
    height = float(np.median([blob.height for blob in sound]))
    alike = [blob for blob in sound if abs(blob.height - height) <= 1 + 0.05 * height]
    lone = [blob for blob in alike if abs(blob.width - height) <= 1 + 0.05 * height]
    wide = [blob for blob in alike if blob.width > height + 1 + 0.05 * height]
    return lone if lone and wide and 2 * len(alike) >= len(sound) else []


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
    image = np.where(image < 0.05, 0.0, np.minimum(image, 1.0)).astype(np.float32)  # a translucent rim may be darker
    return Template(image)


def seated(template: Template, others: list[Template]) -> Template:
    """The template with its data point: its centroid, but for triangles drawn around the middle of their box.

    Those are as high as wide (matplotlib, spreadsheets: the sides spread by one pixel a row), or equilateral and just
    as wide as the figure's other markers (Vega). R and D3 draw equilateral triangles, wider than their circles, around
    the centroid.
    """
    taper = _taper(template.image)
    if abs(taper) < 0.7:
        return template
    width = _widths(template.image)[1].max()
    equal = [_widths(other.image)[1].max() > 0.88 * width for other in others if _is_disc_or_square(other.image)]
    if abs(taper) > 1.08 and not any(equal):
        return template
    down = filled(template.image).max(axis=1).astype(np.float64)
    rows = np.flatnonzero(down > 0.08)
    first, last = rows[0] + 1.0 - down[rows[0]], rows[-1] + down[rows[-1]]
    return Template(template.image, 0.0, float(0.5 * (first + last) - 0.5 - template.reach))


def _is_disc_or_square(image: Plane) -> bool:
    return abs(_taper(image)) < 0.7 and float(filled(image).sum()) > 0.7 * float(np.prod(extent(image)))


def _taper(image: Plane) -> float:
    """By how much a marker gets wider from row to row where it is between a quarter and most of its width: about 1 for
    triangles that point up, -1 for those that point down, 0 for the rest."""
    rows, widths = _widths(image)
    if widths.size < 4:
        return 0.0
    use = (widths > 0.25 * widths.max()) & (widths < 0.85 * widths.max())
    steady = np.sign(np.diff(widths[use]))
    if use.sum() < 3 or abs(steady.sum()) < steady.size:
        return 0.0
    return float(np.polyfit(rows[use], widths[use], 1)[0])


def _widths(image: Plane) -> tuple[Floats, Floats]:
    """The inked rows and how wide the marker is in each."""
    rows = [r for r in range(image.shape[0]) if image[r].max() > 0.3]
    widths = [image.shape[1] - 1 - _rise(image[r]) - _rise(image[r][::-1]) for r in rows]
    return np.asarray(rows, dtype=np.float64), np.asarray(widths, dtype=np.float64)


def _rise(row: Plane) -> float:
    """Where the first ink of a row reaches half of its highest coverage, sub-pixel."""
    level = 0.5 * float(row.max())
    k = int(np.argmax(row >= level))
    return float(k - (row[k] - level) / (row[k] - row[k - 1])) if k > 0 else 0.0


def filled(image: Plane) -> Plane:
    """The same shape with its holes filled."""
    outside = np.zeros((image.shape[0] + 2, image.shape[1] + 2), dtype=np.uint8)
    wall = np.pad((image > 0.3).astype(np.uint8), 1)
    _, outside, _, _ = cv2.floodFill(wall, None, (0, 0), 2)
    return np.asarray(np.where(outside[1:-1, 1:-1] == 0, 1.0, image), dtype=np.float32)


def register(
    coverage: Plane, template: Template, x: float, y: float, care: Plane | None = None, attached: bool = False
) -> tuple[float, float]:
    """The place near (x, y) where the template fits best, by Gauss-Newton steps; never farther than 1.5 px.

    `care`: 0 where the ink tells nothing. `attached`: other ink (a line) may lead away from the marker.
    """
    reach = template.reach
    model = template.image.astype(np.float64)
    down, across = np.gradient(model)
    near = cv2.dilate((template.image > 0.2).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    at_x, at_y = x, y
    for _ in range(6):
        seen = patch(coverage, at_x, at_y, reach).astype(np.float64)
        weight = np.ones_like(model) if care is None else patch(care, at_x, at_y, reach).astype(np.float64)
        if attached:
            weight = weight * near * ~((seen - model > 0.4) & (model < 0.5))
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


def explain(amount: Plane, hidden: Mask, template: Template, start: Places) -> Places:
    """Places of copies of the template that explain the ink that `start` does not: greedily, most new ink first.

    `amount` counts layers of ink: above 1 where translucent copies overlap. A copy must lie on ink (or hidden places)
    and explain enough that is new; rims count more than insides. Places are good to half a pixel (`refine`).
    """
    care = (~hidden).astype(np.float32)
    opaque = bool(np.percentile(amount[amount > 0.5], 99.5) < 1.3) if (amount > 0.5).any() else True
    spread = np.ones((3, 3), np.uint8) if opaque and template.open else np.ones((1, 1), np.uint8)
    steps = _FINE_PHASES if template.open else _PHASES
    phases = np.stack([_shifted(template.image, dx, dy) for dx, dy in steps])
    stamps = np.stack([np.asarray(cv2.dilate(image, spread), dtype=np.float32) for image in phases])
    left = amount * care
    for x, y in start:
        erase(left, np.asarray(cv2.dilate(template.image, spread), dtype=np.float32), x, y, opaque)
    rim = (1.0 + 3.0 * (cv2.erode((amount > 0.5).astype(np.uint8), np.ones((3, 3), np.uint8)) == 0)).astype(np.float32)
    least = max(0.22, 0.5 / template.radius) * template.ink
    gain, phase = _candidates(np.minimum(amount, 1.0) * care, care, left, rim, phases, least, template.open)
    rows, columns = np.nonzero(gain > 0)
    if rows.size == 0 or rows.size > _MOST:
        return []
    reach = template.reach
    left, rim = np.pad(left, reach), np.pad(rim, reach)
    which, worth = phase[rows, columns], gain[rows, columns]
    chosen = choose(left, rim, phases, stamps, rows, columns, which, worth, least, opaque)
    return [(c + steps[k][0], r + steps[k][1]) for r, c, k in chosen.tolist()]


def _shifted(image: Plane, dx: float, dy: float) -> Plane:
    reach = image.shape[0] // 2
    return patch(np.pad(image, 2), reach + 2 - dx, reach + 2 - dy, reach)


def _candidates(
    ink: Plane, care: Plane, left: Plane, rim: Plane, images: Plane, least: float, outline: bool
) -> tuple[Plane, Numbers]:
    """New ink of a copy at every pixel where it lies on ink (else 0), and the best phase there."""
    fits = np.stack([
        _correlate(ink, image) / np.maximum(_correlate(care, image * image), 1e-6) for image in images
    ])  # fmt: skip
    phase = fits.argmax(axis=0)
    fit = np.take_along_axis(fits, phase[None], axis=0)[0]
    possible = _correlate(care, images[0])
    gain = _correlate(np.minimum(left, 1.0) * rim, images[0])
    good = (fit > (_FIT_OPEN if outline else _FIT)) & (possible > 0.35 * images[0].sum()) & (gain > 0.8 * least)
    return np.where(good, gain, 0.0).astype(np.float32), phase


def _correlate(plane: Plane, image: Plane) -> Plane:
    return np.asarray(cv2.filter2D(plane, cv2.CV_32F, image, borderType=cv2.BORDER_CONSTANT), dtype=np.float32)


def refine(amount: Plane, hidden: Mask, template: Template, fixed: Places, found: Places) -> Places:
    """The found places registered against the ink that no other copy (of `fixed` and `found`) covers."""
    total = np.zeros_like(amount)
    for x, y in [*fixed, *found]:
        erase(total, -template.image, x, y, False)
    better = []
    for x, y in found:
        window = _window(total, x, y, template.reach + 4)
        own = np.zeros_like(window)
        middle = template.reach + 4
        erase(own, -template.image, x - np.floor(x) + middle, y - np.floor(y) + middle, False)
        care = (window - own < 0.1) * (~_window(hidden.astype(np.float32), x, y, middle).astype(bool))
        seen = _window(np.minimum(amount, 1.0), x, y, middle)
        at = register(seen, template, x - np.floor(x) + middle, y - np.floor(y) + middle, care.astype(np.float32))
        enough = float((care * own).sum()) > 0.35 * template.ink
        better.append((at[0] - middle + np.floor(x), at[1] - middle + np.floor(y)) if enough else (x, y))
    return better


def erase(left: Plane, image: Plane, x: float, y: float, opaque: bool) -> None:
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
