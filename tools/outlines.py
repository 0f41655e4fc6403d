"""Outlines of filled marks: strokes around bars, segments and areas belong to what they surround.

A drawing library centres an outline on the edge of its shape, so the shape ends in the middle of the stroke.

Not handled here: hatches, outlines of marks without a fill.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.colour import Floats32, Mask

THICKEST = 7  # px
LARGEST_MARKER = 28  # px
ALIKE = 12  # markers whose rings hang together
RIM = 0.7  # of the thickness of a small marker: the edge around it
Labels = NDArray[np.int32]
PAPER, STROKE = -1, -2


def merge_outlines(
    coverage: Floats32, blind: Mask, strokes: Sequence[int], pale: Sequence[int] = ()
) -> tuple[Floats32, Mask]:
    """Gives outline ink to the fills that it surrounds, each up to the middle of the stroke.

    `coverage` (k, h, w); `blind` (h, w): removed rules, which may hide an outline; `strokes`: colours that may be
    outlines (no named lines). `pale` fills are no marks of their own but box plots and open bars, which need their
    outline. Returns the new coverage and the outline pixels (h, w). Strokes inside a fill (error bars) stay.
    """
    outline = np.zeros(blind.shape, dtype=bool)
    strong = coverage >= 0.5
    thickness = [_thickness(layer) for layer in strong]
    widest = max(thickness, default=0.0)
    thin = [k for k in strokes if thickness[k] <= min(THICKEST, 0.5 * widest) or thickness[k] < 2.5]
    fills = [k for k in range(len(coverage)) if k not in thin and k not in pale and thickness[k] >= 2.5]
    if not fills or not thin:
        return coverage, outline
    labels = np.full(blind.shape, PAPER, dtype=np.int32)
    labels[coverage.sum(axis=0) >= 0.35] = STROKE  # the soft edge of a stroke may look like a thin fill
    for fill in fills:
        labels[_opened(strong[fill])] = fill
    labels[coverage[thin].sum(axis=0) >= 0.35] = STROKE
    edge, inner = _edges(labels)
    if not _surrounds(labels, edge, inner | blind):
        return coverage, outline
    merged = coverage.copy()
    _share(merged, labels, edge, fills)
    outline = edge | inner
    close = cv2.dilate(outline.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    for k in thin:
        merged[k][outline | (close & (merged[k] < 0.5))] = 0
        corners = _small_pieces(merged[k] > 0, close)
        merged[k][corners] = 0
        outline |= corners
    return merged, outline


def merge_rings(coverage: Floats32, strokes: Sequence[int]) -> Floats32:
    """Gives the edges of markers to the ink inside them, if the strokes are mostly such rings.

    `coverage` (k, h, w); `strokes`: colours that are no named series.
    """
    thickness = [_thickness(layer >= 0.5) for layer in coverage]
    thin = [k for k in strokes if thickness[k] < THICKEST]
    if len(thin) == len(coverage):  # small markers without names are as thin as strokes
        thin = [k for k in thin if thickness[k] <= RIM * max(thickness)]
    others = [k for k in range(len(coverage)) if k not in thin]
    if not thin or not others:
        return coverage
    edge = coverage[thin].sum(axis=0)
    owners = _ringed(coverage, edge, others)
    ringed = owners >= 0
    if edge[ringed].sum() < 0.6 * edge.sum():
        owners = _rims_of_alike(coverage, edge, others)  # most markers overlap: their rings hang together
        ringed = owners >= 0
        if edge[ringed].sum() < 0.9 * edge.sum():
            return coverage
    scraps = _beside(coverage, np.where(ringed, 0, edge), others)
    owners, ringed = np.where(ringed, owners, scraps), ringed | (scraps >= 0)
    merged = coverage.copy()
    for k in others:
        merged[k] = np.where(owners == k, np.minimum(merged[k] + edge, 1), merged[k])
    for k in thin:
        merged[k] = np.where(ringed, 0, merged[k])
    return merged


def _ringed(coverage: Floats32, edge: Floats32, others: Sequence[int]) -> Labels:
    """The ink inside the ring that each pixel of `edge` (h, w) belongs to, -1 elsewhere."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats((edge >= 0.3).astype(np.uint8), connectivity=8)
    owner = np.full(count, -1)
    for n in range(1, count):
        x, y, width, height, _ = stats[n]
        if min(width, height) >= 3 and max(width, height) <= LARGEST_MARKER:
            inside = (slice(y + height // 3, y + height - height // 3), slice(x + width // 3, x + width - width // 3))
            filling = coverage[(others, *inside)].mean(axis=(1, 2))
            if filling.max() > 0.6 and edge[inside].mean() < 0.4:
                owner[n] = others[int(filling.argmax())]
    return np.asarray(owner[labels], dtype=np.int32)


def _rims_of_alike(coverage: Floats32, edge: Floats32, others: Sequence[int]) -> Labels:
    """The ink to whose pieces each pixel of `edge` (h, w) is nearest, -1 elsewhere, where those pieces are the insides
    of markers: many, small, of one size, the whole rim of each under `edge`."""
    none = np.full(edge.shape, -1, dtype=np.int32)
    inside = (coverage[others].max(axis=0) >= 0.5).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(inside, connectivity=4)
    sizes = np.maximum(stats[1:, cv2.CC_STAT_WIDTH], stats[1:, cv2.CC_STAT_HEIGHT])
    if count <= ALIKE or sizes.max() > LARGEST_MARKER:
        return none
    usual = float(np.percentile(sizes, 75))  # a neighbour in front cuts some off
    kernel = np.ones((3, 3), np.uint8)
    rim = (cv2.dilate(inside, kernel) > 0) & (inside == 0)
    if (np.abs(sizes - usual) <= 1).mean() < 0.5 or sizes.max() > usual + 2 or (edge[rim] > 0.3).mean() < 0.9:
        return none
    owner = np.asarray(others)[coverage[others].argmax(axis=0)]
    away, nearest = cv2.distanceTransformWithLabels(
        1 - inside, cv2.DIST_L2, cv2.DIST_MASK_5, labelType=cv2.DIST_LABEL_PIXEL
    )
    by_label = np.full(int(nearest.max()) + 1, -1, dtype=np.int32)
    by_label[nearest[inside > 0]] = owner[inside > 0]
    near = (edge > 0.05) & (away <= THICKEST / 2)
    return np.asarray(np.where(near, by_label[nearest], -1), dtype=np.int32)


def _beside(coverage: Floats32, edge: Floats32, others: Sequence[int]) -> Labels:
    """Where rings are the habit, scraps of edge (one side of a marker) belong to the ink that most touches them."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats((edge > 0.05).astype(np.uint8), connectivity=8)
    owner = np.full(count, -1)
    for n in range(1, count):
        x, y, width, height, _ = stats[n]
        if max(width, height) <= LARGEST_MARKER:
            around = (slice(max(0, y - 1), y + height + 1), slice(max(0, x - 1), x + width + 1))
            touching = coverage[(others, *around)].sum(axis=(1, 2))
            if touching.max() > 1.0:
                owner[n] = others[int(touching.argmax())]
    return np.asarray(owner[labels], dtype=np.int32)


def _small_pieces(stroke: Mask, close: Mask) -> Mask:
    """What is left of a stroke at corners and crossings: pieces beside the outline no larger than it is thick."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(stroke.astype(np.uint8), connectivity=8)
    small = np.maximum(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT]) <= THICKEST
    beside = np.zeros(count, dtype=bool)
    beside[np.unique(labels[close & stroke])] = True
    beside[0] = False
    return np.asarray((small & beside)[labels])


def _opened(strong: Mask) -> Mask:
    """Without lines of one pixel. The anchors undo the half-pixel shift of an even kernel."""
    kernel = np.ones((2, 2), np.uint8)
    eroded = cv2.erode(strong.astype(np.uint8), kernel, anchor=(0, 0))
    return np.asarray(cv2.dilate(eroded, kernel, anchor=(1, 1)) > 0)


def _thickness(strong: Mask) -> float:
    """Usual thickness of a layer in px: twice the upper decile of the distance to its border."""
    if not strong.any():
        return 0.0
    inward = cv2.distanceTransform(np.pad(strong, 1).astype(np.uint8), cv2.DIST_L2, 3)[1:-1, 1:-1]
    return 2 * float(np.percentile(inward[strong], 90)) - 1


def _edges(labels: Labels) -> tuple[Mask, Mask]:
    """Stroke pixels with a fill on one side and something else on the other, across at most `THICKEST` px; and those
    between two marks of one fill: along them the stroke leaves the fill at both ends, as an error bar does not."""
    found = np.zeros(labels.shape, dtype=bool)
    between = np.zeros(labels.shape, dtype=bool)
    across = _neighbours(labels)
    down = tuple(part.T for part in _neighbours(labels.T))
    for (before, after, length), (start, stop, _) in ((across, down), (down, across)):
        thin = (labels == STROKE) & (length <= THICKEST)
        found |= thin & (before != after) & ((before >= 0) | (after >= 0))
        between |= thin & (before == after) & (before >= 0) & (start < 0) & (stop < 0)
    return found, between & ~found


def _neighbours(labels: Labels) -> tuple[Labels, Labels, Labels]:
    """Of every pixel: the label before and after its run of stroke in its row, and the length of that run."""
    width = labels.shape[1]
    columns = np.broadcast_to(np.arange(width, dtype=np.int32), labels.shape)
    last = np.maximum.accumulate(np.where(labels == STROKE, -1, columns), axis=1)
    following = np.where(labels == STROKE, width, columns)[:, ::-1]
    first = np.minimum.accumulate(following, axis=1)[:, ::-1]
    before = np.where(last >= 0, np.take_along_axis(labels, np.maximum(last, 0), axis=1), PAPER)
    after = np.where(first < width, np.take_along_axis(labels, np.minimum(first, width - 1), axis=1), PAPER)
    return before.astype(np.int32), after.astype(np.int32), (first - last - 1).astype(np.int32)


def _surrounds(labels: Labels, edge: Mask, blind: Mask) -> bool:
    """True if most of the rim of the fills, where it can be seen, touches these strokes."""
    fill = (labels >= 0).astype(np.uint8)
    kernel = np.ones((3, 3), np.uint8)
    rim = (cv2.dilate(fill, kernel) > 0) & (fill == 0) & (cv2.dilate(blind.astype(np.uint8), kernel) == 0)
    rim[[0, -1]] = False  # marks may end in the frame
    rim[:, [0, -1]] = False
    return bool(rim.any() and (edge & rim).sum() > 0.6 * rim.sum())


def _share(coverage: Floats32, labels: Labels, edge: Mask, fills: list[int]) -> None:
    """Extends every fill to the middle of the stroke: a stroke pixel is covered as far as it is nearer to the fill."""
    for fill in fills:
        own = labels == fill
        inward = cv2.distanceTransform((~own).astype(np.uint8), cv2.DIST_L2, 3)
        outward = cv2.distanceTransform((own | (labels == STROKE)).astype(np.uint8), cv2.DIST_L2, 3)
        others = (labels >= 0) & ~own
        if others.any():
            outward = np.minimum(outward, cv2.distanceTransform((~others).astype(np.uint8), cv2.DIST_L2, 3))
        share = np.clip(0.5 + (outward - inward) / 2, 0, 1).astype(np.float32)
        near = edge & (inward <= THICKEST)
        coverage[fill] = np.where(edge, np.where(near, share, 0), coverage[fill])
