"""Lines of text as ink: turned upright, cleaned of ticks and frames, split at wide gaps, raised exponents set apart.

Not handled here: finding lines in a figure, reading them (`ocr`), curved text.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.types import Box, Floats, Image

_WIDE_GAP = 1.0  # of the glyph height, beyond the usual gap: wider than any space (0.5 to 0.8)
_PADS = ((0.2, 0.6), (0.15, 0.3))  # paper above and beside the ink, in line heights, at first and at a second look


@dataclass(frozen=True, eq=False)
class Line:
    """One line, upright: `pixels` (h, w, 3), `ink` (h, w) bool of its glyphs, `paper` its background colour.

    `home` (2, 3) maps crop (x, y, 1) to figure pixels; `angle`: how far the text was turned counter-clockwise.
    """

    pixels: Image
    ink: NDArray[np.bool_]
    paper: tuple[float, float, float]
    home: Floats
    angle: float

    def box(self, glyphs: list[Box]) -> Box:
        """The upright box in figure pixels around glyphs of this line."""
        corners = [(x, y, 1.0) for g in glyphs for x in (g.x0, g.x1) for y in (g.y0, g.y1)]
        at = np.array(corners) @ self.home.T
        return Box(*map(float, (*at.min(axis=0), *at.max(axis=0))))

    def cut(self, glyphs: Sequence[Box], look: int = 0) -> Image:
        """The pixels of some of its glyphs, their soft edges included, with clean paper around them."""
        around = Box(glyphs[0].x0, min(g.y0 for g in glyphs), glyphs[-1].x1, max(g.y1 for g in glyphs))
        rows, columns = around.grown(1.0).slices(*self.ink.shape)
        y, x = (max(0, round(pad * (around.height + 1)) - 1) for pad in _PADS[look])
        padded = cv2.copyMakeBorder(self.pixels[rows, columns], y, y, x, x, cv2.BORDER_CONSTANT, value=self.paper)
        return np.asarray(padded, np.uint8)


def upright_lines(pixels: Image, quad: Floats) -> Iterator[Line]:
    """The line in a rectangle (4, 2), turned upright: one Line per direction that it may run in, likely ones first."""
    sides = quad[1] - quad[0], quad[2] - quad[1]
    lengths = [float(np.hypot(*side)) for side in sides]
    along = sides[int(lengths[1] > lengths[0])]
    long, short = max(lengths), min(lengths)
    angle = (math.degrees(math.atan2(-along[1], along[0])) + 90) % 180 - 90
    centre = quad.mean(axis=0)
    width, height = np.ptp(quad, axis=0)
    if 15 < abs(angle) < 75 and long > 1.5 * short:
        yield turned(pixels, centre, long, short, angle)
        return
    if height > 2.5 * width:
        yield turned(pixels, centre, height, width, 90.0)
        yield turned(pixels, centre, height, width, -90.0)
        return
    level = turned(pixels, centre, width, height, 0.0)
    found = glyphs(level)
    if height < 1.2 * width and not (len(found) == 1 and width < 2 * height and lies(found)):
        yield level
        return
    standing = turned(pixels, centre, height, width, 90.0)
    stacked = height >= 1.2 * width and len(glyphs(standing)) > 1
    yield from (standing, level) if stacked else (level, standing)
    yield turned(pixels, centre, height, width, -90.0)


def turned(pixels: Image, centre: Floats, length: float, height: float, angle: float) -> Line:
    """The rectangle of this size around `centre`, sampled so that text which runs at `angle` runs to the right."""
    margin = 0.4 * height
    w, h = math.ceil(length + 2 * margin), math.ceil(height + 2 * margin)
    turn = math.radians(angle)
    right, down = np.array([math.cos(turn), -math.sin(turn)]), np.array([math.sin(turn), math.cos(turn)])
    square = angle % 90 == 0
    origin = centre - right * (w - 1) / 2 - down * (h - 1) / 2
    if square:  # whole pixels: nothing is resampled
        right, down, origin = np.round(right), np.round(down), np.round(origin)
    home = np.column_stack([right, down, origin])
    flags = (cv2.INTER_NEAREST if square else cv2.INTER_CUBIC) | cv2.WARP_INVERSE_MAP
    beyond = tuple(map(float, np.median(pixels[:2].reshape(-1, 3), axis=0)))  # paper past the edge of the figure
    crop = cv2.warpAffine(pixels, home, (w, h), flags=flags, borderMode=cv2.BORDER_CONSTANT, borderValue=beyond)
    return _cleaned(np.asarray(crop, np.uint8), margin, home, angle)


def _cleaned(crop: Image, margin: float, home: Floats, angle: float) -> Line:
    """Keep the ink that is centred in the line; what reaches the border of the crop is a frame or a neighbour."""
    paper = _paper(crop)
    red, green, blue = (cv2.absdiff(crop[:, :, c], np.full(crop.shape[:2], paper[c], np.uint8)) for c in range(3))
    contrast = cv2.max(cv2.max(red, green), blue)
    inner = contrast[
        int(margin) : -int(margin) or None, int(margin) : -int(margin) or None
    ]  # without bolder neighbours
    dark = contrast > max(20.0, 0.35 * float(inner.max() if inner.size else contrast.max()))
    _, labels, stats, centres = cv2.connectedComponentsWithStats(dark.astype(np.uint8), connectivity=8)
    h, w = dark.shape
    right, bottom = stats[:, 0] + stats[:, 2], stats[:, 1] + stats[:, 3]
    edge = (stats[:, 0] == 0) | (stats[:, 1] == 0) | (right == w) | (bottom == h)
    x, y = centres[:, 0], centres[:, 1]
    side, top = 0.4 * margin, 0.85 * margin  # the detector rather cuts first and last letters short than tall ones
    flat = stats[:, 2] > 3 * stats[:, 3]  # an underscore hangs lower than the letters
    inside = (y > top) & (y < h - 1 - np.where(flat, side, top)) & (x > side) & (x < w - 1 - side)
    keep = inside & ~edge
    keep[0] = False
    keep &= ~_ticks(np.asarray(stats, np.int32), keep)
    ink = np.asarray(keep[labels], dtype=np.bool_)
    whole = _is_whole(np.asarray(stats[keep], np.int32), w - 2 * margin)
    if ink.sum() < 0.2 * dark.sum() and not whole:  # letters that touch a frame or a grid line
        core = slice(int(margin), h - int(margin)), slice(int(margin), w - int(margin))
        ink = np.zeros_like(dark)
        ink[core] = dark[core]
    else:  # ink of others, soft edges included, would be read with the line
        others = cv2.dilate((dark & ~ink).astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)
        crop[others & ~cv2.dilate(ink.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(bool)] = paper
    return Line(crop, ink, (float(paper[0]), float(paper[1]), float(paper[2])), home, angle)


def _is_whole(kept: NDArray[np.int32], width: float) -> bool:
    """Whether the ink that was kept is a text of its own beside a frame or a swatch: three glyphs and more, alike in
    height, along most of the line."""
    tall = kept[kept[:, 3] >= 0.7 * kept[:, 3].max()] if len(kept) else kept
    span = (tall[:, 0] + tall[:, 2]).max() - tall[:, 0].min() if len(tall) else 0
    return len(tall) >= 3 and bool(span > 0.6 * width) and bool(tall[:, 3].max() >= 5)


def _paper(crop: Image) -> NDArray[np.uint8]:
    """The most frequent colour, found among 4,096 coarse ones of some thousand pixels."""
    step = max(1, math.isqrt(crop.shape[0] * crop.shape[1] // 2000))
    some = crop[::step, ::step].reshape(-1, 3)
    high = (some >> 4).astype(np.uint16)
    codes = (high[:, 0] << 8) | (high[:, 1] << 4) | high[:, 2]
    return np.asarray(np.median(some[codes == np.bincount(codes).argmax()], axis=0), np.uint8)


def _ticks(stats: NDArray[np.int32], keep: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tick marks: upright solid strokes above or below all letters, level ones to the right of them.

    A level stroke on the left may be a minus; several on top of each other are ticks.
    """
    x, y, w, h, area = (stats[:, i] for i in range(5))
    solid = area >= 0.9 * w * h
    upright, level = solid & (h > 1.5 * w), keep & solid & (w > 1.5 * h)
    letters = keep & ~upright & ~level
    if not letters.any():
        return np.zeros_like(keep)
    ticks = upright & ((y + h <= y[letters].min()) | (y >= (y + h)[letters].max()))
    before = level & (x + w <= x[letters].min())
    ticks |= level & (x >= (x + w)[letters].max()) | (before if before.sum() > 1 else False)
    return np.asarray(ticks, dtype=np.bool_)


def glyphs(line: Line) -> list[Box]:
    """Boxes (crop pixels) of the runs of inked columns, from left to right: letters, or letters that touch."""
    columns = line.ink.any(axis=0).astype(np.int8)
    steps = np.diff(np.r_[0, columns, 0])
    found = []
    for start, end in zip(np.flatnonzero(steps == 1), np.flatnonzero(steps == -1), strict=True):
        rows = np.flatnonzero(line.ink[:, start:end].any(axis=1))
        if len(rows) > 1 or end - start > 1:  # a single pixel is dirt
            found.append(Box(float(start), float(rows[0]), float(end - 1), float(rows[-1])))
    return found


def pieces(line: Line) -> list[list[Box]]:
    """The glyphs of each text of the line: split where the gap is clearly wider than a space, tick stubs dropped.

    Turned labels stand side by side, not one after the other, so a gap has to be wider still to part them.
    """
    found = glyphs(line)
    while found and _is_ladder(line.ink, found[-1]):
        found = found[:-1]
    while found and _is_ladder(line.ink, found[0]):
        found = found[1:]
    if not found:
        return []
    size = glyph_height(found)
    gaps = [after.x0 - before.x1 - 1 for before, after in pairwise(found)]
    wide = _WIDE_GAP * size * (1.0 if line.angle == 0 else 1.4) + (float(np.median(gaps)) if gaps else 0.0)
    steps = np.diff([(g.x0 + g.x1) / 2 for g in found])
    pitch = even_pitch(steps[np.array(gaps) <= wide])
    parts = [[found[0]]]
    for gap, step, after in zip(gaps, steps, found[1:], strict=True):
        if gap > wide and abs(step - 2 * pitch) > 0.3 * pitch:
            parts.append([])
        parts[-1].append(after)
    parts = [_without_strokes(part, size) for part in parts]
    return [part for part in parts if len(part) > 1 or not _is_dash(part[0], size)]


def even_pitch(steps: NDArray[np.float64]) -> float:
    """The distance of letters of a typewriter face from each other, given (n,) distances of their centres; 0.0 for
    other faces, where it varies by a quarter. There a space is a letter's place left empty, wider than other spaces.
    """
    if len(steps) < 4:
        return 0.0
    pitch = float(np.median(steps))
    return pitch if float(np.std(steps)) < 0.12 * pitch else 0.0


def lies(found: Sequence[Box]) -> bool:
    """Whether glyphs lie on their side: letters and digits are higher than wide, but for m and w."""
    shapes = [(g.width + 1) / (g.height + 1) for g in found if g.height >= 4]
    return bool(shapes) and float(np.median(shapes)) > 1.15


def glyph_height(found: list[Box]) -> float:
    """Height in pixels of the letters and digits: dots, dashes and raised exponents do not count."""
    heights = np.array([g.height + 1 for g in found])
    return float(np.median(heights[heights > 0.7 * heights.max()]))


def _is_ladder(ink: NDArray[np.bool_], glyph: Box) -> bool:
    """Three or more strokes on top of each other are the minor ticks beside a label: letters have two at most."""
    rows = ink[:, int(glyph.x0) : int(glyph.x1) + 1].any(axis=1).astype(np.int8)
    return int((np.diff(np.r_[0, rows]) == 1).sum()) > 2


def _is_dash(glyph: Box, size: float) -> bool:
    return glyph.height + 1 <= max(2.0, 0.3 * size) and glyph.width + 1 >= 1.4 * (glyph.height + 1)


def _without_strokes(part: list[Box], size: float) -> list[Box]:
    """Drop a tick mark after a label, which looks like a trailing dash, and a line sample before one, a long dash."""
    if len(part) > 1 and _is_dash(part[-1], size):
        part = part[:-1]
    if len(part) > 1 and _is_dash(part[0], size) and part[0].width + 1 > 1.2 * size:
        part = part[1:]
    return part


def exponent(line: Line, part: Sequence[Box]) -> tuple[Box, Box] | None:
    """Base and exponent of a text that ends in smaller, raised glyphs; None where it does not.

    Judged by the lowest ink of each column, since small glyphs touch: that of an exponent stands a quarter of the
    digit height above the foot of the base, that of a true `103` on it.
    """
    x0, x1 = int(part[0].x0), int(part[-1].x1)
    ink = line.ink[:, x0 : x1 + 1]
    rows = np.arange(len(ink))[:, None]
    low, high = np.where(ink, rows, -1).max(axis=0), np.where(ink, rows, len(ink)).min(axis=0)
    front = slice(0, max(1, round(0.4 * ink.shape[1])))
    top = int(high[front].min())
    tall = high[front] <= top + 0.15 * (low[front].max() - top)  # a p or g hangs below the foot of the line
    foot = int(low[front][tall].max())
    size = foot - top + 1
    on_foot = np.flatnonzero(low >= foot - max(1.0, 0.22 * size))
    start = int(on_foot[-1]) + 1 if len(on_foot) else 0
    while start < ink.shape[1] and high[start] > top + 0.15 * size:  # the round side of a 0 rises too, but is lower
        start += 1
    if start < 0.6 * size or not 0.3 * size <= ink.shape[1] - start <= 2.5 * size:
        return None
    raised = np.flatnonzero(ink[:, start:].any(axis=1))
    highest = 0.9 if size < 12 else 0.8  # whole pixels; a digit after the long tail of a Q is no exponent
    if not len(raised) or raised[0] > top + 0.2 * size or not 0.3 * size <= np.ptp(raised) + 1 < highest * size:
        return None
    return _around(line.ink, x0, x0 + start - 1), _around(line.ink, x0 + start, x1)


def _around(ink: NDArray[np.bool_], x0: int, x1: int) -> Box:
    """The box of the ink between two columns, included."""
    rows, columns = (np.flatnonzero(ink[:, x0 : x1 + 1].any(axis=axis)) for axis in (1, 0))
    return Box(float(x0 + columns[0]), float(rows[0]), float(x0 + columns[-1]), float(rows[-1]))
