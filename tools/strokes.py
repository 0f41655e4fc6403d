"""Straight strokes: long horizontal and vertical lines, tick marks and grid lines, at sub-pixel centres.

A line is seen by its contrast, dark on light or light on dark, in any of the three colour planes.
Not handled here: slanted lines, deciding what a stroke means.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.ridges import Gray, luma, merge_rows, profile_centre, ridges, runs, spans
from tools.types import Box, Figure, Floats, Image, Rgb, Side

Direction = Literal["horizontal", "vertical"]
CONTRAST = 5  # luma steps that part a faint grid line from its paper


@dataclass(frozen=True)
class Stroke:
    """One straight line. `position` is its centre across, `start` and `end` the centres of its end pixels along.

    `thickness` is in pixels (at least about 1: thinner lines are drawn paler, not thinner). `light` says that it is
    lighter than what it lies on.
    """

    direction: Direction
    position: float
    start: float
    end: float
    thickness: float
    colour: Rgb
    light: bool = False

    @property
    def length(self) -> float:
        return self.end - self.start + 1

    @property
    def middle(self) -> float:
        return (self.start + self.end) / 2


@dataclass(frozen=True)
class Tick:
    """A tick mark: `pixel` is its sub-pixel centre along the axis; it is `length` px long and starts `gap` px from the
    axis."""

    pixel: float
    length: float
    thickness: float
    inside: bool = False
    gap: int = 0


@dataclass(frozen=True)
class GridLine:
    """A grid line: sub-pixel `pixel` across it; `strength` is its luma contrast times its thickness.

    `coverage` is the share of the visible plot height or width that is inked: about 1 solid, less for dashes and dots.
    """

    pixel: float
    strength: float
    coverage: float
    colour: Rgb
    major: bool = True


def stroke_limit(pixels: Image | Gray) -> int:
    """The thickness, in pixels, above which a figure of this size has bars rather than lines."""
    return max(3, int(min(pixels.shape[0], pixels.shape[1]) / 150 + 0.5))


def find_strokes(
    pixels: Image, min_length: float = 24, max_thickness: int | None = None, contrast: int = CONTRAST
) -> tuple[Stroke, ...]:
    """Horizontal and vertical lines of at least `min_length` px in `pixels` (H, W, 3), horizontal ones first.

    A pixel belongs to a line if it is darker (or lighter) than both sides across the line by `contrast` luma steps:
    edges of bars and of backgrounds are no lines. Interruptions up to a few pixels, such as ticks and crossings, are
    bridged; dashed lines come in pieces (`find_grid` joins them). Empty if there are none.
    """
    limit: int = max_thickness or stroke_limit(pixels)
    planes: list[Gray] = [np.asarray(cv2.extractChannel(pixels, i), dtype=np.uint8) for i in range(3)]
    found: list[Stroke] = []
    directions: tuple[Direction, ...] = ("horizontal", "vertical")
    for direction in directions:
        turned = pixels
        if direction == "vertical":
            turned = np.asarray(cv2.transpose(pixels), dtype=np.uint8)
            planes = [np.asarray(cv2.transpose(plane), dtype=np.uint8) for plane in planes]
        gray = luma(turned)
        for light in (False, True):
            depth = ridges(planes, limit, light)
            for rows, start, end in merge_rows(runs(depth, gray, contrast, int(min_length), 2 + limit // 4)):
                found.append(_measure(turned, direction, rows, (start, end), limit, light))
    return _without_fringes([stroke for stroke in found if stroke.thickness <= limit + 1])


def _without_fringes(strokes: Sequence[Stroke]) -> tuple[Stroke, ...]:
    """Without the strokes that are only the pale edge of a longer one: same place, no farther along."""
    table = np.array([(s.direction == "vertical", s.light, s.position, s.start, s.end, s.thickness) for s in strokes])
    kept = []
    for i in range(len(strokes)):
        vertical, light, position, start, end, _ = table[i]
        twins = table[(table[:, 0] == vertical) & (table[:, 1] == light)]
        near = np.abs(twins[:, 2] - position) <= np.maximum(1.0, 0.6 * twins[:, 5])
        shared = np.minimum(twins[:, 4], end) - np.maximum(twins[:, 3], start)
        longer = twins[:, 4] - twins[:, 3] > end - start
        if not (near & longer & (shared >= 0.8 * (end - start))).any():
            kept.append(strokes[i])
    return tuple(kept)


def _measure(
    pixels: Image, direction: Direction, rows: tuple[int, int], along: tuple[int, int], limit: int, light: bool
) -> Stroke:
    """The stroke at these rows, its centre from the median profile across it in the colour plane of most contrast."""
    start, end = along
    step = max(1, (end - start + 1) // 400)
    reach = limit + 2
    first, last = max(0, rows[0] - reach), min(pixels.shape[0] - 1, rows[1] + reach)
    within = (rows[0] - first, rows[1] - first)
    profiles = np.median(_even_sides(pixels[first : last + 1, start : end + 1 : step], within), axis=1)
    best = max(range(3), key=lambda plane: _depth(profiles[:, plane], within, light))
    centre, thickness, core = profile_centre(profiles[:, best], light, within)
    colour = profiles[core]
    rgb = (int(colour[0]), int(colour[1]), int(colour[2]))
    return Stroke(direction, first + centre, float(start), float(end), thickness, rgb, light)


def _even_sides(block: Image, within: tuple[int, int]) -> Image:
    """The columns with the commonest ground on both sides of the line, unless they are few.

    Bars of all heights stand on an axis: a row half of white and half of bar would pull the median across the line.
    """
    upper, lower = max(0, within[0] - 2), min(len(block) - 1, within[1] + 2)
    signed = block.astype(np.int16)
    keep = np.ones(block.shape[1], dtype=np.bool_)
    for outer, inner in ((0, upper), (-1, lower)):
        usual = np.median(signed[outer], axis=0)
        usual = signed[outer][np.argmin(np.abs(signed[outer] - usual).sum(axis=1))]
        keep &= (np.abs(signed[outer] - usual).max(axis=1) <= 8) & (np.abs(signed[inner] - usual).max(axis=1) <= 8)
    return block[:, keep] if keep.sum() >= max(3, 0.15 * len(keep)) else block


def _depth(profile: Floats, within: tuple[int, int], light: bool) -> float:
    """Contrast of the line against the nearer of the levels beside it."""
    first, last = within
    line, before, after = profile[first : last + 1], profile[:first], profile[last + 1 :]
    if light:
        return float(line.max() - max(before.min(initial=255), after.min(initial=255)))
    return float(min(before.max(initial=0), after.max(initial=0)) - line.min())


def find_ticks(figure: Figure, plot: Box, side: Side) -> tuple[Tick, ...]:
    """Tick marks along one side of `plot` (centres of its border strokes), sorted along the axis; empty if none.

    Ticks that point outwards (or cross) are looked for first; only without two of them, ticks that point inwards, of
    which there must be three of one length, because data touches the axis from inside as well.
    """
    gray = _turned(luma(figure.pixels), side)
    border, first, last = _along(plot, side, figure)
    limit = stroke_limit(figure.pixels)
    depth = max(14, min(figure.height, figure.width) // 50)
    first, last = max(0, first - limit), min(gray.shape[1] - 1, last + limit)
    outside = _tick_marks(gray[border : border + depth + limit + 3, first : last + 1], limit, depth, first)
    if len(outside) >= 2:
        return outside
    inward = gray[max(0, border - depth - limit - 2) : border + 1, first : last + 1][::-1]
    inside = _of_one_length(_tick_marks(inward, limit, depth, first, inside=True))
    return inside if len(inside) >= 3 else outside


def _turned(gray: Gray, side: Side) -> Gray:
    """A view in which this side's axis runs along columns and rows grow outwards from the plot."""
    turned = gray if side in ("bottom", "top") else gray.T
    return turned if side in ("bottom", "right") else turned[::-1]


def _along(plot: Box, side: Side, figure: Figure) -> tuple[int, int, int]:
    """Border row, first and last column of the plot in the `_turned` view."""
    if side in ("bottom", "top"):
        border = plot.y1 if side == "bottom" else figure.height - 1 - plot.y0
        return round(border), round(plot.x0), round(plot.x1)
    border = plot.x1 if side == "right" else figure.width - 1 - plot.x0
    return round(border), round(plot.y0), round(plot.y1)


def _tick_marks(strip: Gray, limit: int, depth: int, origin: int, inside: bool = False) -> tuple[Tick, ...]:
    """Ticks in a strip whose row 0 is the border and whose rows lead away from it; columns start at `origin`."""
    if strip.shape[0] < 4 or strip.shape[1] < 3:
        return ()
    paper = np.median(strip, axis=1)
    steps = np.flatnonzero(np.abs(np.diff(paper[: min(limit + 2, len(paper) - 2) + 1])) >= 3)
    edge = int(steps[-1]) + 1 if len(steps) else 0  # beyond the last row of the frame, which may be several rows thick
    strip, paper = strip[edge:], paper[edge:]
    if inside:
        paper = np.full(len(paper), np.median(paper))
    contrast = np.abs(strip.astype(np.float64) - paper[:, None])
    lengths, gaps = _ink_lengths(contrast > 10)
    ticks = []
    for start, end in spans(lengths >= 2):
        if end - start + 1 > limit + 2 or start == 0 or end == strip.shape[1] - 1:
            continue
        length = int(lengths[start : end + 1].max())
        if not 2 <= length < min(depth, len(strip) - 1):
            continue
        weights = contrast[:length, start - 1 : end + 2].mean(axis=0)
        weights = np.maximum(weights - min(weights[0], weights[-1]), 0)
        weights[1:-1][lengths[start : end + 1] < 0.75 * length] = 0  # a minor tick that stands right beside it
        if weights.sum() > 0:
            centre = start - 1 + float(weights @ np.arange(len(weights)) / weights.sum())
            thick, gap = float(weights.sum() / weights.max()), int(gaps[start : end + 1].min())
            ticks.append(Tick(origin + centre, float(length), thick, inside, gap))
    if not ticks:
        return ()
    return _of_like_length(ticks)


def _of_like_length(ticks: Sequence[Tick]) -> tuple[Tick, ...]:
    """The ticks about as long as most, and longer ones where three have one length (major ticks among many minor)."""
    usual = float(np.median([tick.length for tick in ticks]))
    longer = [tick for tick in ticks if 2.3 * usual < tick.length <= 5 * usual]
    middle = float(np.median([tick.length for tick in longer])) if longer else 0.0
    alike = [tick for tick in longer if abs(tick.length - middle) <= 1]
    proven = alike if len(alike) >= 3 and len(alike) >= 0.8 * len(longer) else []
    return tuple(tick for tick in ticks if 0.35 * usual <= tick.length <= 2.3 * usual or tick in proven)


def _ink_lengths(ink: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Length of the ink in each column that starts within the first three rows, and the row in which it starts."""
    gap = np.minimum(np.argmax(ink, axis=0), 2)
    rows = np.arange(len(ink))[:, None]
    stop = ~ink & (rows >= gap)
    ends = np.where(stop.any(axis=0), np.argmax(stop, axis=0), len(ink))
    return np.asarray(ends - gap, dtype=np.int64), np.asarray(gap, dtype=np.int64)


def _of_one_length(ticks: Sequence[Tick]) -> tuple[Tick, ...]:
    """The ticks of the commonest length (within 1 px), and of the next common one (minor ticks)."""
    kept: list[Tick] = []
    rest = list(ticks)
    for _ in range(2):
        if rest:
            groups = [[tick for tick in rest if abs(tick.length - other.length) <= 1] for other in rest]
            group = max(groups, key=len)
            kept += group if len(group) >= 3 else []
            rest = [tick for tick in rest if tick not in group]
    return tuple(sorted(kept, key=lambda tick: tick.pixel))


def find_grid(figure: Figure, plot: Box, direction: Direction) -> tuple[GridLine, ...]:
    """Grid lines inside `plot` that run in `direction`, sorted by position; empty if there are none.

    A grid line is inked along the whole plot wherever the paper shows (solid or dashed), dark or light; bars, curves
    and whiskers are not. The frame itself is left out. Lines much stronger or more colourful than the others
    (thresholds, medians) are left out too. `major` parts strong lines from weak ones where there are both.
    """
    rows, columns = plot.slices(figure.height, figure.width)
    pixels = figure.pixels[rows, columns]
    if direction == "horizontal":
        pixels = pixels.transpose(1, 0, 2)
    pixels = np.ascontiguousarray(pixels)
    origin = columns.start if direction == "vertical" else rows.start
    limit = stroke_limit(figure.pixels)
    if pixels.shape[0] < 8 or pixels.shape[1] < 2 * limit + 8:
        return ()
    inner = pixels[limit:-limit]
    gray = luma(inner)
    counts = np.bincount(gray.ravel(), minlength=256)
    lines = _grid_on(gray, inner, limit, origin, int(np.argmax(counts)))
    if not lines:  # a filled area may be larger than the paper that it leaves; bars of its colour are no grid
        fill = int(np.argmax(counts))
        counts[max(0, fill - 12) : fill + 13] = 0
        paper = int(np.argmax(counts))
        if counts[paper] >= 0.15 * gray.size:
            found = _grid_on(gray, inner, limit, origin, paper)
            lines = [line for line in found if abs(_level(line.colour) - paper) < 0.5 * abs(fill - paper)]
    return _graded(sorted(lines, key=lambda line: line.pixel))


def _level(colour: Rgb) -> int:
    return int(luma(np.array([[colour]], np.uint8))[0, 0])


def _grid_on(gray: Gray, inner: Image, limit: int, origin: int, paper: int) -> list[GridLine]:
    """The upright grid lines on paper of one level: `gray` (h, w) and `inner` (h, w, 3) of a plot that starts at the
    column `origin` of the figure."""
    lines: list[GridLine] = []
    for light in (False, True):
        marked, free = _grid_evidence(gray, paper, limit, light)
        accepted = _spread_out(marked, free)
        for start, end in spans(accepted):
            line = _grid_line(gray, inner, marked, free, (start, end), limit, light)
            if 2 < line.pixel < gray.shape[1] - 3 and line.strength > 0:
                shifted = GridLine(origin + line.pixel, line.strength, line.coverage, line.colour)
                lines.append(shifted)
    return lines


def _grid_evidence(gray: Gray, paper: int, limit: int, light: bool) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Pixels that differ from paper on both sides of them along a row, and pixels that could have."""
    marked = np.zeros(gray.shape, dtype=np.bool_)
    free = np.zeros(gray.shape, dtype=np.bool_)
    signed = gray.astype(np.int16)
    paperlike = np.abs(signed - paper) <= 4
    ridge = (signed - paper >= CONTRAST) if light else (paper - signed >= CONTRAST)
    for step in sorted({2, limit + 1}):
        sides = np.zeros(gray.shape, dtype=np.bool_)
        sides[:, step:-step] = paperlike[:, : -2 * step] & paperlike[:, 2 * step :]
        marked |= sides & ridge
        free |= sides
    return marked, free


def _spread_out(marked: NDArray[np.bool_], free: NDArray[np.bool_], bands: int = 8) -> NDArray[np.bool_]:
    """Columns that are marked in nearly all of the bands of rows in which they are free."""
    starts = np.linspace(0, len(marked), min(bands, len(marked)), endpoint=False).astype(np.int64)
    inked = np.add.reduceat(marked, starts, axis=0, dtype=np.int64)
    seen = np.add.reduceat(free, starts, axis=0, dtype=np.int64)
    usable = seen >= max(2, len(marked) // bands // 6)
    agree = usable & (inked >= 0.15 * seen)
    enough = usable.sum(axis=0) >= 2
    total = seen.sum(axis=0)
    covered = inked.sum(axis=0) >= 0.25 * np.maximum(total, 1)
    return np.asarray(enough & covered & (agree.sum(axis=0) >= 0.85 * usable.sum(axis=0)), dtype=np.bool_)


def _grid_line(
    gray: Gray, pixels: Image, marked: NDArray[np.bool_], free: NDArray[np.bool_], span: tuple[int, int], limit: int,
    light: bool,
) -> GridLine:  # fmt: skip
    """The grid line at these columns, measured on the rows where it is marked."""
    start, end = span
    core = start + int(np.argmax(marked[:, start : end + 1].sum(axis=0)))
    rows = marked[:, core]
    first, last = max(0, start - limit - 2), min(gray.shape[1] - 1, end + limit + 2)
    profile = np.median(gray[rows, first : last + 1], axis=0)
    centre, thickness, peak = profile_centre(profile, light, (start - first, end - first))
    colour = np.median(pixels[rows, first + peak], axis=0)
    depth = abs(float(profile[peak]) - float(np.median(profile)))
    rgb = (int(colour[0]), int(colour[1]), int(colour[2]))
    return GridLine(first + centre, depth * thickness, float(rows.sum() / max(1, free[:, core].sum())), rgb)


def _graded(lines: Sequence[GridLine]) -> tuple[GridLine, ...]:
    """Without lines that stand out, and with the weak lines of two kinds marked as minor."""
    if len(lines) < 3:
        return tuple(lines)
    usual = float(np.median([line.strength for line in lines]))
    dull = float(np.median([_saturation(line.colour) for line in lines]))
    kept = [line for line in lines if line.strength <= 5 * usual and _saturation(line.colour) <= dull + 60]
    ordered = np.sort([line.strength for line in kept])
    if len(ordered) < 3:
        return tuple(kept)
    ratios = ordered[1:] / ordered[:-1]
    cut = int(np.argmax(ratios))
    floor = float(ordered[cut + 1]) if ratios[cut] >= 1.4 else 0.0
    return tuple(
        GridLine(line.pixel, line.strength, line.coverage, line.colour, line.strength >= floor) for line in kept
    )


def _saturation(colour: Rgb) -> int:
    return max(colour) - min(colour)
