"""The vector paths and characters of a PDF page, in figure pixels.

Frame: the page as it is rendered, W x H pixels for its visible box, so a point at the left edge of pixel i has x = i -
0.5. Forms (nested drawings, repeated glyphs) are unrolled with their transforms.
Not handled here: the colours of shadings and patterns (`vector_paints`), clipping by anything but the box of the clip
path, joining characters to words (`vector_text`).
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tools.types import Box, Drawing, Floats, Rgb, VectorPath
from tools.vector_paints import UNKNOWN

MAX_SEGMENTS = 1_000_000
MAX_CHARACTERS = 60_000
MAX_DEPTH = 12
OVERHANG = 0.12  # em by which the glyph of an f or of slanted print may reach beyond the width that its font states
BEARING = 0.45  # em from the end of a glyph to the next character, at most
# Codes of dashes and ligatures in the fonts of TeX (T1 and OT1), where a file does not say what they mean.
TEX = dict(zip((0x15, 0x16, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F), "–—ﬀﬁﬂﬃﬄ", strict=True))
TEX |= dict(zip((0x1B, 0x1C, 0x1D, 0x1E, 0x1F), "ﬀﬁﬂﬃﬄ", strict=True))
_HIDDEN = 0.02  # opacity below which nothing can be seen


@dataclass(frozen=True)
class Affine:
    """x' = a x + c y + e, y' = b x + d y + f."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def after(self, first: Affine) -> Affine:
        """The transform that does `first`, then this one."""
        return Affine(
            self.a * first.a + self.c * first.b, self.b * first.a + self.d * first.b,
            self.a * first.c + self.c * first.d, self.b * first.c + self.d * first.d,
            self.a * first.e + self.c * first.f + self.e, self.b * first.e + self.d * first.f + self.f,
        )  # fmt: skip

    def apply(self, points: Floats) -> Floats:
        """Points (n, 2) transformed."""
        turned = points @ np.array([[self.a, self.b], [self.c, self.d]]) + np.array([self.e, self.f])
        return np.asarray(turned, dtype=np.float64)

    @property
    def scale(self) -> float:
        """The mean factor on lengths."""
        return math.sqrt(abs(self.a * self.d - self.b * self.c))


@dataclass(frozen=True)
class Character:
    """One printed character: its tight box in figure pixels, origin on the base line, size of its font in pixels.

    `advance`: how far along the base line the next character begins, in pixels. `angle`: degrees counter-clockwise.
    `run`: which text object it belongs to.
    """

    text: str
    box: Box
    x: float
    y: float
    size: float
    advance: float
    angle: float
    run: int


def page_frame(page: Any, width: int, height: int) -> Affine:
    """Page units to pixels, for a page drawn `width` x `height` pixels large."""
    left, bottom, right, top = page.get_bbox()
    across, up = right - left, top - bottom
    turn = page.get_rotation()
    if turn == 90:
        sx, sy = width / up, height / across
        return Affine(0, sy, sx, 0, -bottom * sx - 0.5, -left * sy - 0.5)
    if turn == 180:
        sx, sy = width / across, height / up
        return Affine(-sx, 0, 0, sy, right * sx - 0.5, -bottom * sy - 0.5)
    if turn == 270:
        sx, sy = width / up, height / across
        return Affine(0, -sy, -sx, 0, top * sx - 0.5, right * sy - 0.5)
    sx, sy = width / across, height / up
    return Affine(sx, 0, 0, -sy, -left * sx - 0.5, top * sy - 0.5)


def read_drawing(page: Any, frame: Affine) -> Drawing:
    """The paths of a page (a pypdfium2 PdfPage) and the places of its pictures.

    A page of more than a million path segments keeps its first million.
    """
    import pypdfium2.raw as raw

    paths: list[VectorPath] = []
    pictures: list[Box] = []
    finer: list[float] = []
    left = MAX_SEGMENTS
    for order, (item, matrix, clip) in enumerate(_objects(raw, page, frame)):
        kind = raw.FPDFPageObj_GetType(item)
        if kind == raw.FPDF_PAGEOBJ_IMAGE:
            corners = _matrix(raw, item, matrix).apply(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))
            pictures.append(_around(corners))
            finer.append(_own_pixels(raw, item) / max(pictures[-1].width, 1.0))
        elif kind == raw.FPDF_PAGEOBJ_PATH:
            left -= raw.FPDFPath_CountSegments(item)
            if left < 0:
                break
            paths += _subpaths(raw, item, matrix, clip, order)
        elif kind == raw.FPDF_PAGEOBJ_SHADING:
            paths += _shaded(raw, item, matrix, clip, order)
    return Drawing(tuple(paths), tuple(pictures), tuple(finer))


def _own_pixels(raw: Any, item: Any) -> int:
    """How many pixels wide an embedded picture is, as it is stored."""
    width, height = ctypes.c_uint(), ctypes.c_uint()
    return int(width.value) if raw.FPDFImageObj_GetImagePixelSize(item, width, height) else 0


def page_items(page: Any, frame: Affine) -> Iterator[tuple[Any, Affine]]:
    """The paths and pictures of a page in drawing order, each with the transform of its own units to the frame."""
    import pypdfium2.raw as raw

    for item, matrix, _ in _objects(raw, page, frame):
        yield item, _matrix(raw, item, matrix)


def _around(points: Floats) -> Box:
    (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
    return Box(float(x0), float(y0), float(x1), float(y1))


def _objects(raw: Any, page: Any, frame: Affine) -> Iterator[tuple[Any, Affine, Box | None]]:
    """All paths and pictures in drawing order, with the transform of what holds them and its clip."""
    stack: list[tuple[Any, Affine, Box | None, int]] = []
    for index in reversed(range(raw.FPDFPage_CountObjects(page))):
        stack.append((raw.FPDFPage_GetObject(page, index), frame, None, 0))
    while stack:
        item, matrix, clip, depth = stack.pop()
        kind = raw.FPDFPageObj_GetType(item)
        if kind == raw.FPDF_PAGEOBJ_FORM:
            inner = _matrix(raw, item, matrix)
            around = _meet(clip, _clip(raw, item, matrix))
            count = raw.FPDFFormObj_CountObjects(item) if depth < MAX_DEPTH and len(stack) < MAX_SEGMENTS else 0
            for index in reversed(range(count)):
                stack.append((raw.FPDFFormObj_GetObject(item, index), inner, around, depth + 1))
        elif kind in (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_SHADING):
            yield item, matrix, clip


def _matrix(raw: Any, item: Any, outer: Affine) -> Affine:
    own = raw.FS_MATRIX()
    if not raw.FPDFPageObj_GetMatrix(item, own):
        return outer
    return outer.after(Affine(own.a, own.b, own.c, own.d, own.e, own.f))


@dataclass(frozen=True, eq=False)
class Subpath:
    """Vertices (n, 2) on the path; `bends` (m, 2): places along its curved pieces, which tell how far these reach."""

    points: Floats
    bends: Floats
    closed: bool


def _segments(raw: Any, count: int, get: Any) -> list[Subpath]:
    """Subpaths of more than one vertex, in their own units. Control points come in pairs before the end of a curve."""
    found: list[tuple[list[tuple[float, float]], list[tuple[float, float]], bool]] = []
    controls: list[tuple[float, float]] = []
    x, y = ctypes.c_float(), ctypes.c_float()
    for index in range(count):
        segment = get(index)
        kind = raw.FPDFPathSegment_GetType(segment)
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        at = (x.value, y.value)
        if kind == raw.FPDF_SEGMENT_MOVETO or not found:
            found.append(([at], [], False))
        elif kind == raw.FPDF_SEGMENT_LINETO:
            found[-1][0].append(at)
        else:
            controls.append(at)
            if len(controls) == 3:
                points, bends, _ = found[-1]
                bends += _bezier(points[-1], *controls)
                points.append(at)
                controls.clear()
        if raw.FPDFPathSegment_GetClose(segment):
            found[-1] = (*found[-1][:2], True)
    return [
        Subpath(_open(np.array(points, dtype=np.float64), closed), np.array(bends, dtype=np.float64), closed)
        for points, bends, closed in found
        if len(points) > 1
    ]


def _bezier(*corners: tuple[float, float]) -> list[tuple[float, float]]:
    """Places along a cubic curve, the middle of it among them."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    found = []
    for t in (0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875):
        u = 1 - t
        a, b, c, d = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
        found.append((a * ax + b * bx + c * cx + d * dx, a * ay + b * by + c * cy + d * dy))
    return found


def _open(points: Floats, closed: bool) -> Floats:
    """The vertices of a path; the first one of a closed path is named once."""
    return points[:-1] if closed and len(points) > 2 and np.allclose(points[0], points[-1], atol=1e-4) else points


def _subpaths(raw: Any, item: Any, outer: Affine, clip: Box | None, order: int) -> list[VectorPath]:
    filled, stroked = ctypes.c_int(), ctypes.c_int()
    if not raw.FPDFPath_GetDrawMode(item, filled, stroked):
        return []
    fill, fill_alpha = _colour(raw.FPDFPageObj_GetFillColor, item) if filled.value else (None, 0.0)
    stroke, stroke_alpha = _colour(raw.FPDFPageObj_GetStrokeColor, item) if stroked.value else (None, 0.0)
    if fill is None and stroke is None:
        return []
    matrix = _matrix(raw, item, outer)
    visible = _meet(clip, _clip(raw, item, outer))
    width = ctypes.c_float()
    raw.FPDFPageObj_GetStrokeWidth(item, width)
    style = VectorPath(
        np.zeros((0, 2)), fill=fill, stroke=stroke, width=width.value * matrix.scale,
        dash=_dash(raw, item, matrix.scale), alpha=fill_alpha if fill else stroke_alpha, clip=visible, order=order,
    )  # fmt: skip
    parts = _segments(raw, raw.FPDFPath_CountSegments(item), lambda i: raw.FPDFPath_GetPathSegment(item, i))
    placed = ((part, matrix.apply(part.points)) for part in parts)
    return [
        replace(style, points=points, closed=part.closed, curved=len(part.bends) > 0, bounds=_bounds(part, matrix))
        for part, points in placed
        if np.isfinite(points).all()
    ]


def _bounds(part: Subpath, matrix: Affine) -> Box | None:
    """The box around a curved path, its bends included."""
    return _around(matrix.apply(np.vstack([part.points, part.bends]))) if len(part.bends) else None


def _colour(get: Any, item: Any) -> tuple[Rgb | None, float]:
    """Colour and opacity; no colour where nothing can be seen."""
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not get(item, red, green, blue, alpha) or alpha.value < 255 * _HIDDEN:
        return None, 0.0
    return (int(red.value), int(green.value), int(blue.value)), alpha.value / 255


def _dash(raw: Any, item: Any, scale: float) -> tuple[float, ...]:
    count = raw.FPDFPageObj_GetDashCount(item)
    if not 0 < count <= 16:
        return ()
    lengths = (ctypes.c_float * count)()
    if not raw.FPDFPageObj_GetDashArray(item, lengths, count):
        return ()
    return tuple(float(length) * scale for length in lengths)


def _shaded(raw: Any, item: Any, outer: Affine, clip: Box | None, order: int) -> list[VectorPath]:
    """A gradient as the path that it is clipped to, its colour unknown; of several clip paths the smallest one."""
    parts = [(_around(outer.apply(np.concatenate([p.points for p in path]))), path) for path in _clips(raw, item)]
    if not parts:
        return []
    around, path = min(parts, key=lambda one: one[0].width * one[0].height)
    style = VectorPath(np.zeros((0, 2)), closed=True, fill=UNKNOWN, clip=_meet(clip, around), order=order)
    return [
        replace(style, points=outer.apply(p.points), curved=len(p.bends) > 0, bounds=_bounds(p, outer)) for p in path
    ]


def _clips(raw: Any, item: Any) -> list[list[Subpath]]:
    """The clip paths of an object, in the units of what holds it."""
    clip = raw.FPDFPageObj_GetClipPath(item)
    count = raw.FPDFClipPath_CountPaths(clip) if clip else 0
    found = []
    for index in range(max(0, min(count, 64))):
        segments = raw.FPDFClipPath_CountPathSegments(clip, index)
        if 0 < segments < 10_000:
            found.append(_segments(raw, segments, lambda i, n=index: raw.FPDFClipPath_GetPathSegment(clip, n, i)))
    return [parts for parts in found if parts]


def _clip(raw: Any, item: Any, outer: Affine) -> Box | None:
    """The box in which the clip paths of an object let anything be seen."""
    found: Box | None = None
    for parts in _clips(raw, item):
        found = _meet(found, _around(outer.apply(np.concatenate([part.points for part in parts]))))
    return found


def _meet(one: Box | None, other: Box | None) -> Box | None:
    if one is None or other is None:
        return one or other
    x0, y0 = max(one.x0, other.x0), max(one.y0, other.y0)
    return Box(x0, y0, max(x0, min(one.x1, other.x1)), max(y0, min(one.y1, other.y1)))


def read_characters(page: Any, frame: Affine) -> list[Character]:
    """The printed characters of a page in drawing order; spaces have a box of no height where the file has them."""
    import pypdfium2.raw as raw

    text = page.get_textpage()
    try:
        runs: dict[int, int] = {}
        count = min(raw.FPDFText_CountChars(text), MAX_CHARACTERS)
        found = (_character(raw, text, index, frame, runs) for index in range(count))
        return [one for one in found if one is not None]
    finally:
        text.close()


def _character(raw: Any, text: Any, index: int, frame: Affine, runs: dict[int, int]) -> Character | None:
    if raw.FPDFText_IsGenerated(text, index) == 1:
        return None
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    x, y = ctypes.c_double(), ctypes.c_double()
    raw.FPDFText_GetCharBox(text, index, left, right, bottom, top)
    raw.FPDFText_GetCharOrigin(text, index, x, y)
    box = _around(frame.apply(np.array([[left.value, bottom.value], [right.value, top.value]])))
    ((px, py),) = frame.apply(np.array([[x.value, y.value]]))
    matrix = raw.FS_MATRIX()
    raw.FPDFText_GetMatrix(text, index, matrix)
    whole = replace(frame, e=0.0, f=0.0).after(Affine(matrix.a, matrix.b, matrix.c, matrix.d))
    points = raw.FPDFText_GetFontSize(text, index)
    size = points * math.hypot(whole.c, whole.d)
    angle = -math.degrees(math.atan2(whole.b, whole.a))  # y grows downwards
    code = raw.FPDFText_GetUnicode(text, index)
    holder = raw.FPDFText_GetTextObject(text, index)
    key = ctypes.addressof(holder.contents) if holder else -1
    width = ctypes.c_float()
    font = raw.FPDFTextObj_GetFont(holder) if holder else None
    known = font and raw.FPDFFont_GetGlyphWidth(font, code, points, width) and width.value > 0
    advance = width.value * math.hypot(whole.a, whole.b) if known else 0.5 * size
    if round(angle) % 90 == 0:  # fonts made for one file often state no widths: the glyph's own end will do
        end = {0: box.x1 - px, 90: py - box.y0, 180: px - box.x0, 270: box.y1 - py}[round(angle) % 360]
        if known and end > 0 and advance > end + BEARING * size:
            known, advance = False, 0.5 * size  # the width of another glyph
        advance = max(advance, end - (OVERHANG * size if known else 0.0))
    return Character(
        TEX.get(code) or chr(code), box, float(px), float(py), size, advance, angle, runs.setdefault(key, len(runs))
    )
