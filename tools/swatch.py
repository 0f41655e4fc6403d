"""Legend swatches: the line sample, patch or marker beside a name; its colour, dash and marker shape.

Not handled here: which names form a legend (`legend`), gradients of colour bars.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.colour import Floats32, Mask, as_rgb, chroma, contrast, lab, lab_distance, modal_colour
from tools.types import Box, Floats, Rgb

Kind = Literal["line", "patch", "marker", "line+marker"]
Dash = Literal["", "solid", "dashed", "dotted", "dashdot"]
REACH = 8.0  # text heights that a swatch may reach away from its name
CONTRAST = 14.0  # of 255: weaker ink is background
STRONG = 70.0  # of 255: ink that does not only shine through


@dataclass(frozen=True)
class Swatch:
    """A swatch as drawn: `box` in figure pixels, `side` of the text that it stands on."""

    box: Box
    colour: Rgb
    kind: Kind
    side: Literal["left", "right"]
    dash: Dash = ""
    marker: str = ""
    hatch: bool = False


def find_swatch(
    pixels: Floats32, ruled: Mask, text: Box, line: float, side: Literal["left", "right"], weakest: float = CONTRAST
) -> Swatch | None:
    """The swatch beside a name; None if nothing there looks like one.

    `pixels` (H, W, 3) is the whole figure, `ruled` (H, W) its grid lines, `text` the box of the name and `line` the
    height of one line of it, in px. The swatch is centred on the text, isolated, and at most `REACH` lines away. Ink
    of less contrast than `weakest` (of 255) is background.
    """
    height, width = ruled.shape
    middle = text.centre[1]
    top, bottom = math.floor(middle - 1.9 * line), math.ceil(middle + 1.9 * line)
    if side == "left":
        left, right = math.floor(text.x0 - REACH * line), math.floor(text.x0) - 1
    else:
        left, right = math.ceil(text.x1) + 1, math.ceil(text.x1 + REACH * line)
    left, right, top, bottom = max(left, 0), min(right, width - 1), max(top, 0), min(bottom, height - 1)
    if right - left < 4 or bottom - top < 5:
        return None
    window = pixels[top : bottom + 1, left : right + 1]
    rules = ruled[top : bottom + 1, left : right + 1]
    if side == "right":
        window, rules = window[:, ::-1], rules[:, ::-1]
    rows, columns = text.grown(1).slices(height, width)
    paper = modal_colour(pixels[rows, columns].reshape(-1, 3))
    found = _swatch_left(window, rules, middle - top, line, weakest, paper)
    if found is None:
        return None
    inner, colour, kind, dash, marker, hatch = found
    x0, x1 = (left + inner.x0, left + inner.x1) if side == "left" else (right - inner.x1, right - inner.x0)
    box = Box(x0, top + inner.y0, x1, top + inner.y1)
    return Swatch(box, colour, kind, side, dash, marker, hatch)


def _swatch_left(
    window: Floats32, rules: Mask, middle: float, line: float, weakest: float, paper: Floats
) -> tuple[Box, Rgb, Kind, Dash, str, bool] | None:
    """The swatch nearest to the right edge of this window (box in window pixels); `paper` lies behind the text."""
    papers = _papers(window, paper)
    for backgrounds in (papers, papers[-1:]) if len(papers) > 1 else (papers,):
        ink = ~rules
        for paper in backgrounds:
            ink = ink & (contrast(window, paper) > weakest)
        block = _nearest_block(window, ink, np.asarray(rules.mean(axis=0) > 0.9), middle, line)
        if block is None:
            continue
        rows, columns, mask = block
        described = _describe(window[rows, columns], mask[rows, columns], backgrounds, line)
        if described is not None:
            box = Box(columns.start, rows.start, columns.stop - 1, rows.stop - 1)
            return box, *described
    return None


def _papers(window: Floats32, first: Floats) -> list[Floats]:
    """Backgrounds: that of the text, before it the pale key (a grey square) that a swatch may lie on."""
    flat = window.reshape(-1, 3)
    others = flat[contrast(flat, first) > 4]
    papers = [first]
    if len(others) > 0.12 * len(flat):
        second = modal_colour(others)
        share = (contrast(others, second) <= 3).sum() / len(flat)
        pale = float(chroma(second)) < 4 and float(lab_distance(first, second)) < 14
        if pale and share > 0.1:
            papers.insert(0, second)
    return papers


def _nearest_block(
    window: Floats32, ink: Mask, ruled: Mask, middle: float, line: float
) -> tuple[slice, slice, Mask] | None:
    """Rows, columns and ink of the isolated block nearest to the right edge and centred on `middle`.

    `ruled` (w,): columns of upright rules. A short piece beside one is a tick of the frame, not a dash of the sample.
    """
    height, width = ink.shape
    low, high = max(0, round(middle - 0.45 * line)), min(height, round(middle + 0.45 * line) + 1)
    runs = _runs(np.asarray(ink[low:high].any(axis=0)))
    if runs and runs[-1][1] >= width - 2 and runs[-1][0] >= width - 4:
        runs.pop()  # the soft edge of the first letter
    if not runs or width - 1 - runs[-1][1] > 3.0 * line:
        return None
    first, last = runs.pop()
    first = _ring_start(ink[:, : last + 1], first, round(middle), line)
    while runs and runs[-1][0] >= first:
        runs.pop()
    block = _rows_of(window[:, first : last + 1], ink[:, first : last + 1], round(middle), line)
    if block is None:
        return None
    rows, own = block
    mask = np.zeros_like(ink)
    mask[:, first : last + 1] = own
    while runs and first - runs[-1][1] - 1 <= (1.1 if rows.stop - rows.start <= 0.45 * line else 0.75) * line:
        start, stop = runs.pop()
        if last - start + 1 > 6.5 * line or ink[:, start : stop + 1].mean(axis=0).max() > 0.5:
            break  # too long, or a frame
        if stop - start < line and (ruled[stop:first].any() or ruled[max(0, start - 2) : start + 1].any()):
            break
        more = _rows_of(window[:, start : stop + 1], ink[:, start : stop + 1], round(middle), line)
        if more is None or not _same_sample(window, mask, more, start, stop):
            break
        first = start
        mask[:, start : stop + 1] = more[1]
        rows = slice(min(rows.start, more[0].start), max(rows.stop, more[0].stop))
    if first == 0 or not 0.3 * line <= last - first + 1 <= 6.5 * line:
        return None
    return rows, slice(first, last + 1), mask


def _ring_start(ink: Mask, first: int, middle: int, line: float) -> int:
    """Where the marker starts whose right arc begins at column `first`: an open one has no ink in its middle."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink.astype(np.uint8), connectivity=8)
    arc = labels[max(0, round(middle - 0.45 * line)) : round(middle + 0.45 * line) + 1, first:]  # no frame around it
    touched = [int(i) for i in np.unique(arc) if i and stats[i, 0] < first]
    for i in touched:
        x, y, width, height = (int(v) for v in stats[i, :4])
        if width <= 2.5 * line and height <= 2.5 * line and abs(y + height / 2 - middle) <= 0.5 * line:
            first = min(first, x)
    return first


def _runs(found: Mask) -> list[tuple[int, int]]:
    """First and last index of every run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], found.astype(np.int8), [0]))))
    runs: list[tuple[int, int]] = []
    for start, stop in zip(edges[::2], edges[1::2] - 1, strict=True):
        runs.append((int(start), int(stop)))
    return runs


def _same_sample(window: Floats32, mask: Mask, more: tuple[slice, Mask], start: int, stop: int) -> bool:
    """True if the next piece to the left is another dash (or the marker) of the same line sample: same hue."""
    paper = modal_colour(window.reshape(-1, 3))
    steps = []
    for inks in (window[mask], window[:, start : stop + 1][more[1]]):
        far = np.linalg.norm(inks - paper, axis=1)
        steps.append(np.median(inks[far >= np.percentile(far, 70)], axis=0) - paper)
    here, there = steps
    size = float(np.linalg.norm(here) * np.linalg.norm(there))
    return bool(size > 0 and float(here @ there) / size > 0.97)


def _rows_of(area: Floats32, ink: Mask, middle: int, line: float) -> tuple[slice, Mask] | None:
    """Rows and ink of the block around `middle`; None if it goes on over the whole window or is far off the middle.

    Swatches that touch each other are told apart by their colour.
    """
    rows = _rows_around(ink, middle, line)
    if rows is not None:
        return rows, _only(ink, rows)
    at = min(max(middle, 0), len(ink) - 1)
    if not ink[at].any():
        return None
    colour = np.median(area[at][ink[at]], axis=0)
    own = np.asarray(ink & (contrast(area, colour) < 40))
    rows = _rows_around(own, middle, line)
    return None if rows is None else (rows, _only(own, rows))


def _only(ink: Mask, rows: slice) -> Mask:
    kept = np.zeros_like(ink)
    kept[rows] = ink[rows]
    return kept


def _rows_around(ink: Mask, middle: int, line: float) -> slice | None:
    filled = np.asarray(ink.any(axis=1))
    rows = np.flatnonzero(filled)
    near = rows[np.abs(rows - middle) <= 0.6 * line]
    if not len(near):
        return None
    first = last = int(near[np.abs(near - middle).argmin()])
    while first > 0 and filled[first - 1]:
        first -= 1
    while last < len(ink) - 1 and filled[last + 1]:
        last += 1
    if first == 0 or last == len(ink) - 1 or abs((first + last) / 2 - middle) > 0.5 * line:
        return None
    return slice(first, last + 1)


def _describe(
    area: Floats32, ink: Mask, papers: Sequence[Floats], line: float
) -> tuple[Rgb, Kind, Dash, str, bool] | None:
    """Colour, kind, dash, marker and hatch of a swatch given by its ink."""
    if ink.sum() < 4:
        return None
    colour = swatch_colour(area, ink, papers[0])
    height, width = ink.shape
    thick = ink.sum(axis=0)
    stroke = float(np.median(thick[thick > 0]))
    share = float(ink.mean())
    edges = ink[0].mean() > 0.8 and ink[-1].mean() > 0.8 and ink[:, 0].mean() > 0.8 and ink[:, -1].mean() > 0.8
    if edges and height >= 0.5 * line and (share < 0.7 or _is_hatched(area, ink)):
        pale = _pale_fill(area, papers)
        return pale or colour, "patch", "", "", pale is None
    if width >= 1.0 * line and _is_stroke(stroke, width, line):
        bump = thick >= stroke + max(2, 0.5 * stroke)
        if height > 1.5 * stroke + 2 and bump.sum() >= 2:
            middle = np.flatnonzero(bump)
            marker = marker_shape(ink[:, middle[0] : middle[-1] + 1])
            return colour, "line+marker", _dash(ink, stroke), marker, False
        return colour, "line", _dash(ink, stroke), "", False
    disc = width <= 1.2 * height and marker_shape(ink) == "circle"  # a small one fills 0.86 of its box
    if share > 0.85 and (width > 1.3 * height or width > 0.55 * line) and not disc:
        return colour, "patch", "", "", False
    if width > 1.6 * height:
        return colour, "line+marker" if share < 0.75 else "patch", "solid" if share < 0.75 else "", "", False
    return colour, "marker", "", marker_shape(ink), False


def _pale_fill(area: Floats32, papers: Sequence[Floats]) -> Rgb | None:
    """The colour inside an outlined patch that is filled evenly with a pale one; None for patterns and for what lies
    behind patch and text."""
    edge = 3 if min(area.shape[:2]) >= 12 else 2  # px of outline, with its soft sides
    inner = area[edge:-edge, edge:-edge].reshape(-1, 3)
    if len(inner) < 9:
        return None
    fill = modal_colour(inner)
    even = float((contrast(inner, fill) <= 6).mean()) > 0.9
    behind = any(float(contrast(fill[None], paper)[0]) <= CONTRAST for paper in papers)
    return as_rgb(fill) if even and not behind else None


def _is_stroke(stroke: float, width: int, line: float) -> bool:
    """True if a sample of this thickness and width is a line; a thicker one is a patch."""
    if stroke <= max(4.0, 0.3 * line):
        return stroke < 0.6 * width
    return stroke <= 0.6 * line and stroke < 0.35 * width


def swatch_colour(area: Floats32, ink: Mask, paper: Floats) -> Rgb:
    """The full-coverage colour of a swatch: a coloured one before greys, the fullest coverage of its direction.

    A coloured patch inside a dark border is the patch; a line through a pale band of its own hue is the line.
    """
    inks = area[ink].astype(np.float64)
    coloured = chroma(inks)
    vivid = coloured >= max(12.0, 0.6 * float(coloured.max()))
    chosen = inks[vivid] if vivid.mean() > 0.04 and coloured.max() > 12 else inks
    far = np.linalg.norm(lab(chosen) - lab(paper), axis=1)
    most = modal_colour(chosen, 8.0)
    strong = chosen[far >= np.percentile(far, 80)]
    end = np.median(strong, axis=0)
    reach = float(lab_distance(most, paper))
    frequent = (contrast(chosen, most) <= 6).mean()
    if reach >= 0.85 * float(lab_distance(end, paper)) or (frequent > 0.55 and not _behind(most, end, paper)):
        return as_rgb(most)
    return as_rgb(end)


def _behind(most: Floats, end: Floats, paper: Floats) -> bool:
    """True if `most` is a paler mixture of `end` and the paper (a band under its line)."""
    step = end - paper
    share = float((most - paper) @ step / max(1.0, float(step @ step)))
    aside = float(np.linalg.norm(most - paper - share * step))
    return 0.05 < share < 0.8 and aside < 25 and float(chroma(end)) > 20


def _is_hatched(area: Floats32, ink: Mask) -> bool:
    light = lab(area)[..., 0]
    inner = light[2:-2, 2:-2]
    return bool(inner.size > 20 and (inner.max() - inner.min()) > 40 and 0.08 < (inner < inner.mean()).mean() < 0.92)


def _dash(ink: Mask, stroke: float) -> Dash:
    """The dash of a line sample from the runs of its middle rows."""
    rows = ink.sum(axis=1)
    core = ink[rows >= 0.6 * rows.max()].any(axis=0)
    inside = np.flatnonzero(core)
    run = core[inside[0] : inside[-1] + 1]
    if run.mean() > 0.96:
        return "solid"
    edges = np.flatnonzero(np.diff(np.concatenate(([0], run.astype(np.int8), [0]))))
    lengths = edges[1::2] - edges[::2]
    if len(lengths) < 2:
        return "solid"
    middle = lengths[1:-1] if len(lengths) >= 4 else lengths
    if lengths.max() <= 1.7 * stroke + 1.5:
        return "dotted"
    return "dashdot" if middle.max() >= 2.2 * middle.min() and middle.min() <= 2 * stroke + 2 else "dashed"


def marker_shape(ink: Mask) -> str:
    """Rough shape of a marker from its ink: circle, square, diamond, triangle, triangle down, plus or cross.

    "open" is appended where it is an outline only.
    """
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    cut = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1].astype(np.uint8)
    filled = _filled(cut)
    height, width = cut.shape
    if min(height, width) < 3:
        return "circle"
    name = _outline_name(filled)
    hollow = cut.sum() < 0.75 * filled.sum()
    return f"{name} open" if hollow and name not in ("plus", "cross") else name


def _filled(cut: NDArray[np.uint8]) -> Mask:
    """The ink with its enclosed holes filled."""
    padded = np.pad(cut, 1)
    mask = np.zeros((padded.shape[0] + 2, padded.shape[1] + 2), np.uint8)
    flooded = padded.copy()
    cv2.floodFill(flooded, mask, (0, 0), 2)
    return np.asarray((flooded != 2)[1:-1, 1:-1])


def _outline_name(filled: Mask) -> str:
    """The ideal shape whose raster, in the same box, overlaps best."""
    height, width = filled.shape
    y, x = np.mgrid[0:height, 0:width]
    u, v = (x + 0.5) / width * 2 - 1, (y + 0.5) / height * 2 - 1
    arm = max(0.22, 1.5 / max(height, width))
    shapes = {
        "circle": u * u + v * v <= 1.02,
        "square": np.ones_like(u, dtype=bool),
        "diamond": np.abs(u) + np.abs(v) <= 1.05,
        "triangle": np.abs(u) <= (v + 1) / 2 + 0.05,
        "triangle down": np.abs(u) <= (1 - v) / 2 + 0.05,
        "plus": (np.abs(u) <= arm) | (np.abs(v) <= arm),
        "cross": (np.abs(u - v) <= 1.5 * arm) | (np.abs(u + v) <= 1.5 * arm),
    }
    score = {name: (shape & filled).sum() / (shape | filled).sum() for name, shape in shapes.items()}
    return max(score, key=lambda name: float(score[name]))
