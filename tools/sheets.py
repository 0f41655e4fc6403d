"""Figures put together from pictures of different paper: each tinted or dark sheet is a figure of its own.

A sheet is a rectangle of one flat colour, other than the paper around it, that holds a plot together with the plot's
tick labels; the background of a plot area has its labels outside. Not handled here: sheets with a gradient or a
photograph as their paper, sheets inside sheets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from tools.abutting import lend_labels
from tools.backgrounds import figure_paper
from tools.layout import label_sides
from tools.ocr import read_words
from tools.panels import find_panels, reading_order
from tools.ridges import Gray, luma
from tools.types import Box, Figure, Floats, Panel, Word

_LEAST = 120  # px: a sheet's shorter side
_LEAST_WORDS = 4
_DARK = 128  # mean luma below which paper is dark


@dataclass(frozen=True)
class _Placed:
    """A panel that is put in order by its plot area."""

    box: Box
    panel: Panel


def find_sheets(figure: Figure, words: Sequence[Word]) -> list[Box]:
    """The sheets of a figure, as boxes of its pixels; empty for a figure on one paper."""
    gray = luma(figure.pixels)
    found = []
    for box in flat_rectangles(gray):
        inside = [word for word in words if box.contains(*word.box.centre)]
        outside = [word for word in words if not box.contains(*word.box.centre)]
        if len(inside) < _LEAST_WORDS or label_sides(box, outside, gray.shape) == 2:
            continue
        if any(_labelled(panel, inside, box) for panel in panels_on(figure, box, inside)):
            found.append(box)
    whole = figure.width * figure.height
    alone = len(found) == 1 and found[0].width * found[0].height > 0.5 * whole  # a frame around all, as Excel draws
    return [] if alone else found


def _labelled(panel: Panel, words: Sequence[Word], sheet: Box) -> bool:
    """A plot with tick labels on both sides that leaves room for them on the sheet."""
    smaller = panel.plot.width < 0.97 * sheet.width or panel.plot.height < 0.93 * sheet.height
    inset = panel.plot.width * panel.plot.height < 0.25 * sheet.width * sheet.height
    return smaller and not inset and label_sides(panel.plot, words, (round(sheet.height), round(sheet.width))) == 2


def flat_rectangles(gray: Gray) -> list[Box]:
    """Rectangles smaller than the figure whose outline is of one flat level, largest first, none in another."""
    height, width = gray.shape
    counts = np.bincount(gray.ravel(), minlength=256)
    found: list[Box] = []
    for level in np.flatnonzero(counts > 0.01 * gray.size).tolist():
        if counts[max(0, level - 2) : level + 3].max() > counts[level]:
            continue
        flat = np.asarray(cv2.inRange(gray, max(0, level - 2), min(255, level + 2)), dtype=np.uint8)
        count, _, stats, _ = cv2.connectedComponentsWithStats(flat, connectivity=4)
        for left, top, across, down, area in stats[1:count].tolist():
            if min(across, down) < _LEAST or area < 0.08 * across * down or (across == width and down == height):
                continue
            part = flat[top : top + down, left : left + across] > 0
            ring = [part[1], part[-2], part[:, 1], part[:, -2]]
            if min(float(side.mean()) for side in ring) > 0.9:
                found.append(Box(left, top, left + across - 1, top + down - 1))
    found.sort(key=lambda box: -box.width * box.height)
    return [box for i, box in enumerate(found) if not any(other.contains(*box.centre) for other in found[:i])]


def panels_on(figure: Figure, sheet: Box, words: Sequence[Word]) -> tuple[Panel, ...]:
    """The panels of one sheet in figure pixels; `words` are those on it."""
    rows, columns = sheet.slices(figure.height, figure.width)
    part = replace(figure, pixels=np.ascontiguousarray(figure.pixels[rows, columns]))
    moved = [replace(word, box=shifted(word.box, -columns.start, -rows.start)) for word in words]
    return tuple(
        replace(p, box=shifted(p.box, columns.start, rows.start), plot=shifted(p.plot, columns.start, rows.start))
        for p in find_panels(part, moved)
    )


def shifted(box: Box, dx: float, dy: float) -> Box:
    """The box moved by (dx, dy)."""
    return Box(box.x0 + dx, box.y0 + dy, box.x1 + dx, box.y1 + dy)


def words_on(figure: Figure, sheet: Box) -> tuple[Word, ...]:
    """The words of one sheet, read as a figure of its own, in figure pixels."""
    rows, columns = sheet.slices(figure.height, figure.width)
    found = read_words(np.ascontiguousarray(figure.pixels[rows, columns]))
    return tuple(replace(word, box=shifted(word.box, columns.start, rows.start)) for word in found)


def reread(figure: Figure, sheets: Sequence[Box], words: Sequence[Word]) -> tuple[Word, ...]:
    """The figure's words with those on sheets of the other polarity (dark on a light figure) read again."""
    gray = luma(figure.pixels)
    kept = list(words)
    for sheet in sheets:
        rows, columns = sheet.slices(figure.height, figure.width)
        if (figure_paper(gray[rows, columns]) < _DARK) != (figure_paper(gray) < _DARK):
            kept = [word for word in kept if not sheet.contains(*word.box.centre)]
            kept += words_on(figure, sheet)
    return tuple(kept)


def find_all_panels(figure: Figure, words: Sequence[Word]) -> tuple[tuple[Panel, ...], tuple[Word, ...]]:
    """The panels of all sheets and of what lies between them, in reading order, and the words that label them."""
    sheets = find_sheets(figure, words)
    if not sheets:
        found = find_panels(figure, words)
        return found, tuple(lend_labels(found, words))
    words = reread(figure, sheets, words)
    panels = [p for s in sheets for p in panels_on(figure, s, [w for w in words if s.contains(*w.box.centre)])]
    rest = [word for word in words if not any(sheet.contains(*word.box.centre) for sheet in sheets)]
    if len(rest) >= _LEAST_WORDS:
        pixels = figure.pixels.copy()
        paper = np.median(pixels[[0, 0, -1, -1], [0, -1, 0, -1]], axis=0)
        for sheet in sheets:
            pixels[sheet.slices(figure.height, figure.width)] = _paper_around(figure, sheets, paper)
        panels += find_panels(replace(figure, pixels=pixels), rest)
    return tuple(one.panel for one in reading_order(_Placed(panel.plot, panel) for panel in panels)), tuple(words)


def _paper_around(figure: Figure, sheets: Sequence[Box], fallback: Floats) -> Floats:
    """The commonest colour outside of the sheets."""
    outside = np.ones(figure.pixels.shape[:2], dtype=bool)
    for sheet in sheets:
        outside[sheet.slices(figure.height, figure.width)] = False
    pixels = figure.pixels[outside]
    if not len(pixels):
        return fallback
    colours, counts = np.unique(pixels[:: max(1, len(pixels) // 20000)], axis=0, return_counts=True)
    return np.asarray(colours[np.argmax(counts)])
