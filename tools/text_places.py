"""Where text may be: small strokes that look like glyphs, the regions they form, and the lines a detector sees there.

Most of a chart is empty or filled, so the detector sees only the regions around glyph-sized ink, packed onto one
canvas and enlarged: several times faster than the whole figure, and small labels are seen at a size it was made for.

Not handled here: reading the lines, letters that touch a curve or a frame on a figure where nothing else is text.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.text_ends import with_ends
from tools.text_lines import lies
from tools.text_networks import text_heat
from tools.types import Box, Floats, Image

_WORK_SIDE = 1800  # larger figures are searched for glyphs at reduced size
_GLYPH = (5, 60)  # smallest and largest side of a glyph there
_CANVAS = 2.2e6  # pixels of the packed canvas, at most
_LETTER = 20.0  # wanted glyph height on the canvas
_GUTTER = 16  # canvas pixels between regions
_HEAT = 0.3  # detector output above this is text
_TEXT_SCORE = 0.5  # mean detector output of a blob that is text


class Places(NamedTuple):
    """lines: rectangles (4, 2) around lines of text; glyphs: boxes of glyph-sized ink. Both in figure pixels."""

    lines: list[Floats]
    glyphs: list[Box]


class _Region(NamedTuple):
    """A part of the figure, `place` (x, y, w, h) in figure pixels, put on the canvas at `at` (x, y)."""

    pixels: Image
    place: tuple[int, int, int, int]
    at: tuple[int, int]


def find_places(pixels: Image) -> Places:
    """Lines of text of a figure with light paper, pixels (H, W, 3) uint8, by detector; and its glyph-sized ink."""
    scale = min(1.0, _WORK_SIDE / max(pixels.shape[:2]))
    work = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else pixels
    contrast = _contrast(np.asarray(work, np.uint8))
    found, strokes = _glyph_boxes(contrast)
    if not len(found):
        return Places([], [])
    zoom = float(np.clip(_LETTER * scale / np.median(found[:, 2:].max(axis=1)), 0.4, 2.5))
    back = pixels.shape[1] / work.shape[1]
    regions, canvas = _packed(pixels, found * back, strokes * back, zoom)
    glyphs, thin = (
        [Box(x, y, x + w - back, y + h - back) for x, y, w, h in (boxes * back).tolist()] for boxes in (found, strokes)
    )
    joined = _joined(_distinct(_lines(regions, canvas)), glyphs, thin)
    plain = _glyph_boxes(np.minimum(contrast, _off_paper(np.asarray(work, np.uint8))))[0]  # close to a filled plot
    more = [Box(x, y, x + w - back, y + h - back) for x, y, w, h in (plain * back).tolist()]
    return Places(with_ends(joined, [*glyphs, *more], thin), glyphs)


def _contrast(pixels: Image) -> NDArray[np.uint8]:
    """(H, W): how much a pixel differs, in any channel, from the median around it, which is what lies behind text."""
    channels = [np.ascontiguousarray(pixels[:, :, c]) for c in range(3)]
    apart = [cv2.absdiff(channel, cv2.medianBlur(channel, 31)) for channel in channels]
    return np.asarray(np.maximum.reduce(apart), dtype=np.uint8)


def _off_paper(pixels: Image) -> NDArray[np.uint8]:
    """(H, W): how much a pixel differs, in any channel, from the median of the whole figure."""
    paper = np.median(pixels[::4, ::4].reshape(-1, 3), axis=0).astype(np.uint8)
    return np.asarray(cv2.absdiff(pixels, np.broadcast_to(paper, pixels.shape).copy()).max(axis=2), np.uint8)


def _glyph_boxes(contrast: NDArray[np.uint8]) -> tuple[Floats, Floats]:
    """(n, 4) x, y, w, h of connected ink of the size of a letter; and of strokes: an l among letters, or a tick.

    Two thresholds: letters on a grid line come free of it at the higher one, pale letters show at the lower one.
    """
    found, strokes = [], []
    for threshold in (50, 110):
        stats = cv2.connectedComponentsWithStats((contrast > threshold).astype(np.uint8), connectivity=8)[2][1:]
        w, h, area = stats[:, 2], stats[:, 3], stats[:, 4]
        solid = area >= 0.9 * w * h
        size = np.maximum(w, h)
        fits = (size >= _GLYPH[0]) & (size <= _GLYPH[1])
        found.append(stats[fits & ~solid, :4])
        strokes.append(stats[fits & solid & (np.minimum(w, h) < 0.3 * size), :4])
    glyphs, thin = (np.unique(np.concatenate(boxes), axis=0).astype(np.float64) for boxes in (found, strokes))
    usual = float(np.median(glyphs[:, 2:].max(axis=1))) if len(glyphs) else 0.0
    return glyphs, thin[thin[:, 2:].max(axis=1) < 1.6 * usual]


def _packed(pixels: Image, glyphs: Floats, strokes: Floats, zoom: float) -> tuple[list[_Region], Image]:
    """Regions of glyphs, grown until words hold together, side by side on one canvas. Strokes alone make no region."""
    mask = np.zeros(pixels.shape[:2], np.uint8)
    for boxes, growth in ((glyphs, 0.6), (strokes, 0.2)):
        for x, y, w, h in boxes:
            by = max(growth * 13.0 / max(zoom, 1.0), growth * max(w, h))
            mask[max(0, int(y - by)) : math.ceil(y + h + by), max(0, int(x - by)) : math.ceil(x + w + by)] = 1
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    middles = (glyphs[:, :2] + glyphs[:, 2:] / 2).astype(int)
    places = [tuple(map(int, stats[i, :4])) for i in np.unique(labels[middles[:, 1], middles[:, 0]])]
    area = sum(w * h for _, _, w, h in places)
    zoom = min(zoom, math.sqrt(_CANVAS / area))
    sizes = [(math.ceil(w * zoom) + _GUTTER, math.ceil(h * zoom) + _GUTTER) for _, _, w, h in places]
    spots, (rows, columns) = _shelved(sizes)
    canvas = np.full((rows, columns, 3), 255, np.uint8)
    regions = []
    for (x, y, w, h), (left, top) in zip(places, spots, strict=True):
        size = (max(1, round(w * zoom)), max(1, round(h * zoom)))
        sized = cv2.resize(
            pixels[y : y + h, x : x + w], size, interpolation=cv2.INTER_CUBIC if zoom > 1 else cv2.INTER_AREA
        )
        canvas[top : top + size[1], left : left + size[0]] = sized
        regions.append(_Region(np.asarray(sized, np.uint8), (x, y, w, h), (left, top)))
    return regions, canvas


def _shelved(sizes: list[tuple[int, int]]) -> tuple[list[tuple[int, int]], tuple[int, int]]:
    """Places (x, y) for rectangles (w, h), tallest first, each where the skyline is lowest; rows and columns used.

    Both sides of the canvas are multiples of 32, as the detector wants.
    """
    step = 16
    area = sum(w * h for w, h in sizes)
    columns = 32 * math.ceil(max(max(w for w, _ in sizes), 1.1 * math.sqrt(area)) / 32)
    skyline = np.zeros(columns // step, np.int64)
    spots = [(0, 0)] * len(sizes)
    for i in sorted(range(len(sizes)), key=lambda i: -sizes[i][1]):
        cells = math.ceil(sizes[i][0] / step)
        tops = np.lib.stride_tricks.sliding_window_view(skyline, cells).max(axis=1)
        cell = int(tops.argmin())
        spots[i] = (cell * step, int(tops[cell]))
        skyline[cell : cell + cells] = tops[cell] + sizes[i][1]
    return spots, (32 * math.ceil(int(skyline.max()) / 32), columns)


def _lines(regions: list[_Region], canvas: Image) -> list[Floats]:
    """Rectangles around the detector's blobs, in figure pixels."""
    heat = text_heat(canvas)
    found = []
    for region in regions:
        (left, top), (x, y, w, h) = region.at, region.place
        rows, columns = region.pixels.shape[:2]
        part = heat[top : top + rows, left : left + columns]
        contours, _ = cv2.findContours((part > _HEAT).astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        scale = np.array([w / columns, h / rows])
        for contour in contours:
            quad = _rectangle(np.asarray(contour), part)
            if quad is not None:  # pixel centres keep their place
                found.append((quad + 0.5) * scale - 0.5 + np.array([x, y]))
    return found


def _rectangle(contour: NDArray[Any], heat: NDArray[np.float32]) -> Floats | None:
    """The rectangle around a blob, grown, since the detector is trained on shrunken boxes; None where it is no text."""
    centre, (a, b), angle = cv2.minAreaRect(contour)
    x, y, w, h = cv2.boundingRect(contour)
    inside = np.zeros((h, w), np.uint8)
    cv2.drawContours(inside, [contour], -1, 1, -1, offset=(-x, -y))
    if min(a, b) < 2 or float(heat[y : y + h, x : x + w][inside > 0].mean()) < _TEXT_SCORE:
        return None
    by = 1.5 * a * b / (a + b)
    return np.asarray(cv2.boxPoints((centre, (a + by, b + by), angle)), dtype=np.float64)


def _distinct(quads: list[Floats]) -> list[Floats]:
    """Regions overlap, so a line may be seen twice, once perhaps cut: the larger rectangle stays."""
    kept: list[tuple[Floats, Box]] = []
    for quad in sorted(quads, key=lambda quad: -float(np.prod(np.ptp(quad, axis=0)))):
        x, y = quad.mean(axis=0)
        box = Box(*map(float, (*quad.min(axis=0), *quad.max(axis=0))))
        if not any(
            _inside(box, other) and cv2.pointPolygonTest(q.astype(np.float32), (x, y), False) > 0 for q, other in kept
        ):
            kept.append((quad, box))
    return [quad for quad, _ in kept]


def _inside(box: Box, other: Box) -> bool:
    width = min(box.x1, other.x1) - max(box.x0, other.x0)
    height = min(box.y1, other.y1) - max(box.y0, other.y0)
    return width > 0 and height > 0 and width * height > 0.6 * box.width * box.height


def _joined(quads: list[Floats], glyphs: Sequence[Box], strokes: Sequence[Box]) -> list[Floats]:
    """Upright rectangles that continue each other on one row or column become one: `Sep` and `18`, `V` and `(mV)`.

    They continue each other on a column where they are long or where their glyphs lie on their side, on a row else.
    """
    boxes = [Box(*map(float, (*quad.min(axis=0), *quad.max(axis=0)))) for quad in quads]
    upright = [_is_upright(quad) for quad in quads]
    kept = [quad for quad, level in zip(quads, upright, strict=True) if not level]
    loose = [box for box, level in zip(boxes, upright, strict=True) if level]
    joined: list[Box] = []
    while loose:
        box = loose.pop()
        partner = next(
            (other for other in loose if _on_a_row(box, other) or _on_a_column(box, other, glyphs, strokes)), None
        )
        if partner is None:
            joined.append(box)
        else:
            loose.remove(partner)
            loose.append(box.union(partner))
    corners = [np.array([(b.x0, b.y0), (b.x1, b.y0), (b.x1, b.y1), (b.x0, b.y1)]) for b in joined]
    return kept + corners


def _is_upright(quad: Floats) -> bool:
    side = quad[1] - quad[0]
    tilt = math.degrees(math.atan2(abs(side[1]), abs(side[0])))
    lengths = sorted(float(np.hypot(*(quad[i + 1] - quad[i]))) for i in (0, 1))
    return min(tilt, 90 - tilt) < 15 or lengths[1] < 1.5 * lengths[0]


def _on_a_row(a: Box, b: Box, gap: float = 0.35, ratio: float = 1.5) -> bool:
    """Whether two boxes are parts of one level line, at most `gap` line heights apart, of heights within `ratio`.

    The detector grows boxes, so words of a line nearly touch.
    """
    height = min(a.height, b.height)
    alike = max(a.height, b.height) < ratio * height and min(a.y1, b.y1) - max(a.y0, b.y0) > 0.75 * height
    return alike and max(a.x0, b.x0) - min(a.x1, b.x1) < gap * height and a.union(b).width > 1.5 * height


def _on_a_column(a: Box, b: Box, glyphs: Sequence[Box], strokes: Sequence[Box]) -> bool:
    """The same of a standing line, which the boxes show by their length, or by glyphs that lie on their side.

    The gap may be wide where an underscore fills it. Lines of a paragraph follow each other as the pieces of a short
    standing label do, so these have to touch.
    """
    x, y = (Box(box.y0, box.x0, box.y1, box.x1) for box in (a, b))
    across = min(a.width, b.width)
    if max(a.height, b.height) > 1.2 * across:
        between = Box(max(a.x0, b.x0), min(a.y1, b.y1), min(a.x1, b.x1), max(a.y0, b.y0))
        filled = any(between.contains(*stroke.centre) for stroke in strokes)
        return _on_a_row(x, y, 0.8 if filled else 0.5, 1.8 if min(a.height, b.height) > 2.5 * across else 1.5)
    return _on_a_row(x, y, 0.15) and lies([glyph for glyph in glyphs if a.union(b).contains(*glyph.centre)])
