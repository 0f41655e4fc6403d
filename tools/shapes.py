"""Markers of one colour told apart by their shape and fill, as in figures in black and white: the legend's own samples
are the templates, and the ink is explained by copies of all of them together.

Not handled here: shapes that no legend names; samples with a line through them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.ink import Layer
from tools.markers import Mask, Plane, Template, blobs, erase, filled, patch, seated
from tools.types import Image, LegendEntry, Panel, Rgb

SAME = 45  # channel difference between the colours of one ink
LEAST = 0.5  # share of a template's squared ink that a copy must explain anew
STROKED = frozenset(("marker", "line", "line+marker"))  # what square samples that are no patches are taken for
LEAST_SEEN, COVERED = 0.18, 0.98  # the same of a filled one of which this share lies on ink
RIM = 3.0  # how much more the rim of filled ink counts
SOLID, FEWEST = 0.55, 3  # share of the paper between strokes that is ink; px of it that tell
MOST = 60  # px: larger samples are patches
SIZES = (1.0, 0.92, 0.85, 0.78, 0.71, 0.64, 0.57, 1.1, 1.2)  # of a marker, of that of its sample
PHASES = tuple((dx / 3, dy / 3) for dy in (-1, 0, 1) for dx in (-1, 0, 1))
Floats32 = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Shape:
    """A legend's marker: its entry and what it looks like."""

    entry: LegendEntry
    template: Template


def told_by_shape(panel: Panel, layer: Layer) -> bool:
    """Whether the legend has several samples in this layer's colour that are as high as wide, markers among them.

    Squares look like patches there; all of them alone may be the keys of hatched bars.
    """
    own = [
        entry for entry in panel.legend.entries
        if entry.swatch is not None and entry.kind != "label" and _is_like(entry.colour, layer.colour)
    ]  # fmt: skip
    square = [entry for entry in own if _is_square(entry)]
    kinds = {entry.kind for entry in square}
    return len(square) >= 2 and len(square) == len(own) and bool(kinds & STROKED)


def is_marker_among(entry: LegendEntry, panel: Panel) -> bool:
    """Whether a legend's sample that looks like a patch (a large square) is as large as the markers beside it."""
    if entry.swatch is None or not _is_square(entry):
        return False
    size = max(entry.swatch.width, entry.swatch.height)
    others = [one.swatch for one in panel.legend.entries if one.kind in STROKED and _is_square(one)]
    return any(abs(max(box.width, box.height) - size) <= max(1.5, 0.15 * size) for box in others if box)


def _is_square(entry: LegendEntry) -> bool:
    """Whether a sample is about as high as it is wide, and no larger than markers are."""
    box = entry.swatch
    return box is not None and max(box.width, box.height) <= MOST and 0.6 < (box.width + 1) / (box.height + 1) < 1.7


def shapes_of(panel: Panel, layer: Layer, figure: Image, others: Sequence[Rgb] = ()) -> list[Shape]:
    """The markers in the legend that have this layer's colour, two or more of different looks; else none.

    Entries whose colour is nearer to that of one of the `others`, the figure's other layers, belong to those.
    """
    found = []
    for entry in panel.legend.entries:
        box = entry.swatch
        if box is None or not _is_like(entry.colour, layer.colour) or entry.kind == "label":
            continue
        if any(_far(entry.colour, other) < _far(entry.colour, layer.colour) for other in others):
            continue
        if not _is_square(entry):
            continue
        image = _sample(figure, entry, layer.colour)
        if image is not None:
            found.append(Shape(entry, Template(image)))
    if len(found) < 2 or _all_alike(found):
        return []
    samples = [shape.template for shape in found]
    return [replace(shape, template=seated(shape.template, samples)) for shape in found]


def _is_like(one: Rgb, other: Rgb) -> bool:
    return _far(one, other) <= SAME


def _far(one: Rgb, other: Rgb) -> int:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def _sample(figure: Image, entry: LegendEntry, colour: Rgb) -> Plane | None:
    """The coverage of the sample, its centroid in the middle of an odd square; None without ink."""
    box = entry.swatch
    assert box is not None
    rows, columns = box.grown(3).slices(figure.shape[0], figure.shape[1])
    part = figure[rows, columns].astype(np.float32)
    rim = np.concatenate([part[0], part[-1], part[:, 0], part[:, -1]])
    paper = np.median(rim, axis=0)
    ray = np.asarray(colour, dtype=np.float32) - paper
    if float(ray @ ray) < 900:
        return None
    cover = np.clip((part - paper) @ ray / float(ray @ ray), 0.0, 1.0).astype(np.float32)
    cover[cover < 0.08] = 0.0
    total = float(cover.sum())
    if total < 3:
        return None
    y, x = (float((cover * axis).sum()) / total for axis in np.mgrid[: cover.shape[0], : cover.shape[1]])
    reach = int(np.ceil(max(box.width, box.height) / 2)) + 2
    padded = np.pad(cover, reach + 2)
    centre = (x + reach + 2, y + reach + 2)
    return np.asarray(cv2.getRectSubPix(padded, (2 * reach + 1, 2 * reach + 1), centre), dtype=np.float32)


def _all_alike(found: Sequence[Shape]) -> bool:
    """Whether all samples look the same: then the colours of other layers tell the series apart."""
    first = found[0].template.image
    for other in found[1:]:
        one, two = _same_size(first, other.template.image)
        if float(((one - two) ** 2).sum()) > 0.12 * min(float((one**2).sum()), float((two**2).sum())):
            return False
    return True


def _same_size(one: Plane, other: Plane) -> tuple[Plane, Plane]:
    more = (one.shape[0] - other.shape[0]) // 2
    return (one, np.pad(other, more)) if more >= 0 else (np.pad(one, -more), other)


def at_plot_size(amount: Plane, shapes: Sequence[Shape]) -> list[Shape]:
    """The shapes as the plot draws them: at the size that its lone markers have, then as the mean of those.

    Legends may draw their samples larger or smaller than the plot its markers.
    """
    lone = [blob for blob in blobs(amount) if 6 < max(blob.width, blob.height) <= MOST][:300]
    if not lone:
        return list(shapes)
    reach = max(int(np.ceil(1.3 * shape.template.reach)) for shape in shapes)
    pictures = [patch(np.minimum(amount, 1.0), blob.x, blob.y, reach) for blob in lone]
    best = min(
        ([_resized(shape.template.image, size, reach) for shape in shapes] for size in SIZES),
        key=lambda images: sum(sorted(min(_misfit(picture, image) for image in images) for picture in pictures)[
            : max(3, len(pictures) // 2)]),
    )  # fmt: skip
    chosen: list[list[Plane]] = [[] for _ in shapes]
    for picture in pictures:
        misfits = [_misfit(picture, image) for image in best]
        if min(misfits) < 0.3:
            chosen[int(np.argmin(misfits))].append(picture)
    lone_ones = [_without_pairs(own) for own in chosen]
    images = [
        np.median(own, axis=0).astype(np.float32) if len(own) >= 3 else image
        for own, image in zip(lone_ones, best, strict=True)
    ]  # fmt: skip
    templates = [Template(np.where(image < 0.08, 0.0, image).astype(np.float32)) for image in images]
    return [replace(shape, template=seated(one, templates)) for shape, one in zip(shapes, templates, strict=True)]


def _without_pairs(pictures: Sequence[Plane]) -> list[Plane]:
    """The pictures of markers without those that have the ink of another one as well."""
    amounts = [float(picture.sum()) for picture in pictures]
    usual = float(np.percentile(amounts, 25)) if amounts else 0.0
    return [picture for picture, amount in zip(pictures, amounts, strict=True) if amount <= 1.15 * usual + 1.0]


def _resized(image: Plane, size: float, reach: int) -> Plane:
    """The picture of a marker at another size, in the middle of a square of 2 reach + 1 pixels."""
    side = 2 * reach + 1
    middle = (image.shape[0] - 1) / 2
    move = np.array([[size, 0, reach - size * middle], [0, size, reach - size * middle]], dtype=np.float64)
    way = cv2.INTER_LINEAR if size >= 1 else cv2.INTER_AREA
    return np.asarray(cv2.warpAffine(image, move, (side, side), flags=way), dtype=np.float32)


def _misfit(picture: Plane, image: Plane) -> float:
    return float(((picture - image) ** 2).sum()) / max(float((picture**2).sum()), 1e-6)


def places_by_shape(amount: Plane, hidden: Mask, shapes: Sequence[Shape]) -> list[list[tuple[float, float]]]:
    """The places (crop pixels) of copies of each shape, blob by blob: at every step the copy that takes most squared
    ink away. What is hidden, or explained already, counts for neither side."""
    found: list[list[tuple[float, float]]] = [[] for _ in shapes]
    reach = max(shape.template.reach for shape in shapes)
    images = [np.pad(shape.template.image, reach - shape.template.reach) for shape in shapes]
    stack = _Stack.of([_shifted(image, dx, dy) for image in images for dx, dy in PHASES])
    ink = np.minimum(amount, 1.0).astype(np.float32)
    mask = cv2.dilate((ink > 0.3).astype(np.uint8), np.ones((3, 3), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    least = 0.6 * min(float(image.sum()) for image in images)
    for k in range(1, count):
        left, top, width, height = (int(v) for v in stats[k][:4])
        own = labels[top : top + height, left : left + width] == k
        part = np.pad(np.where(own, ink[top : top + height, left : left + width], 0.0), reach).astype(np.float32)
        if float(part.sum()) < least:
            continue
        care = np.pad((~hidden[top : top + height, left : left + width]).astype(np.float32), reach, constant_values=1)
        for which, x, y in _explain(part, care, stack):
            dx, dy = PHASES[which % len(PHASES)]
            shape = which // len(PHASES)
            found[shape].append((x + dx + left - reach, y + dy + top - reach))
    return found


def _shifted(image: Plane, dx: float, dy: float) -> Plane:
    size = image.shape[0]
    centre = ((size - 1) / 2 + 2 - dx, (size - 1) / 2 + 2 - dy)
    return np.asarray(cv2.getRectSubPix(np.pad(image, 2), (size, size), centre), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class _Stack:
    """Pictures of markers (odd squares of one size), the sums of their squares, which are filled, and for those of
    strokes the paper between these: where all of that is ink, they are not drawn."""

    images: list[Plane]
    squares: list[float]
    filled: list[bool]
    gaps: list[Plane]

    @classmethod
    def of(cls, images: list[Plane]) -> _Stack:
        squares = [float((image**2).sum()) for image in images]
        return cls(images, squares, [not Template(image).open for image in images], [_gaps(image) for image in images])

    @property
    def reach(self) -> int:
        return int(self.images[0].shape[0] // 2)


def _gaps(image: Plane) -> Plane:
    """The paper between the arms of a marker; none for outlines: other markers may fill them."""
    ink = (image > 0.1).astype(np.uint8)
    if (filled(image) > 0.3).sum() > 1.15 * (image > 0.3).sum():
        return np.zeros_like(image)
    outer, _ = cv2.findContours(ink, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outer:
        return np.zeros_like(image)
    hull = cv2.fillConvexPoly(np.zeros_like(ink), cv2.convexHull(np.concatenate(outer)), 1)
    return np.asarray((hull > 0) & (ink == 0), dtype=np.float32)


def _explain(part: Plane, care: Plane, stack: _Stack) -> list[tuple[int, int, int]]:
    """(image, column, row) of the copies that explain a blob; at most as many as its ink could hold.

    Only the gains around the last copy change, so only they are computed anew.
    """
    left, open_ = part.copy(), care.copy()
    height, width = part.shape
    least, rim = _least(part, care, stack), _rim(part)
    gains = np.stack(_gains(left, open_, rim, least, stack))
    faintest = LEAST_SEEN * min(stack.squares)
    found: list[tuple[int, int, int]] = []
    for _ in range(3 + int(4 * part.sum() / max(min(float(image.sum()) for image in stack.images), 1.0))):
        which, row, column = (int(v) for v in np.unravel_index(int(np.argmax(gains)), gains.shape))
        if gains[which, row, column] <= 0:
            break
        found.append((which, column, row))
        erase(left, stack.images[which], column, row, True)
        taken = np.zeros_like(open_)
        erase(taken, -stack.images[which], column, row, False)
        open_[taken > 0.3] = 0.0
        near, far = 2 * stack.reach + 1, 3 * stack.reach + 1
        r0, r1, c0, c1 = max(0, row - near), row + near + 1, max(0, column - near), column + near + 1
        a, b = max(0, row - far), max(0, column - far)
        window = (slice(a, min(height, row + far + 1)), slice(b, min(width, column + far + 1)))
        if 2 * float((left[window] * open_[window]).sum()) <= faintest:  # too little ink for any copy
            gains[:, r0:r1, c0:c1] = 0.0
            continue
        fresh = _gains(left[window], open_[window], rim[window], [one[window] for one in least], stack)
        for own, new in zip(gains, fresh, strict=True):
            own[r0:r1, c0:c1] = new[r0 - a : r1 - a, c0 - b : c1 - b]
    return found


def _least(part: Plane, care: Plane, stack: _Stack) -> list[Plane]:
    """For each picture what a copy at every place must take away anew of its squared ink: less of a filled marker that
    lies wholly on ink, of which a part may show; no strokes where the paper between them is ink."""
    ink = np.where(care > 0, part, 1.0).astype(np.float32)
    found = []
    for image, square, full, gaps in zip(stack.images, stack.squares, stack.filled, stack.gaps, strict=True):
        if full:
            least = np.where(_correlate(ink, image) > COVERED * square, LEAST_SEEN, LEAST) * square
        else:
            solid = _correlate(part, gaps) > SOLID * float(gaps.sum())
            least = np.where(solid & (gaps.sum() >= FEWEST), np.inf, LEAST * square)
        found.append(least.astype(np.float32))
    return found


def _gains(left: Plane, open_: Plane, rim: Plane, least: Sequence[Plane], stack: _Stack) -> list[Plane]:
    """For each picture the squared ink that a copy at every place takes away anew, 0 where that is not enough."""
    found = []
    new = left * open_
    for image, square, full, enough in zip(stack.images, stack.squares, stack.filled, least, strict=True):
        gain = 2 * _correlate(new, image) - _correlate(open_, image**2)
        good = gain > enough
        if full and good.any():
            weighed = 2 * _correlate(new * rim, image) - _correlate(open_ * rim, image**2)
            gain = np.clip(weighed * (square / float((_rim(image) * image**2).sum())), 1e-3, np.maximum(gain, 1e-3))
        found.append(np.where(good, gain, 0.0).astype(np.float32))
    return found


def _rim(ink: Plane) -> Plane:
    """The weight of each pixel: the rim of filled ink tells where a marker lies, the inside of a heap does not."""
    inside = cv2.erode((ink > 0.5).astype(np.uint8), np.ones((3, 3), np.uint8))
    return np.asarray(1.0 + RIM * (inside == 0), dtype=np.float32)


def _correlate(plane: Plane, image: Plane) -> Plane:
    return np.asarray(cv2.filter2D(plane, cv2.CV_32F, image, borderType=cv2.BORDER_CONSTANT), dtype=np.float32)
