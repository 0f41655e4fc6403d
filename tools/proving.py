"""A reading held against the figure as a picture and in words: what is drawn and not read, what is said and not drawn.

Not handled here: changing the reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tools import redraw
from tools.describing import hex_of
from tools.ink import PlotInk
from tools.snapping import Claim
from tools.types import Box, Figure, Image, Panel, Rgb, Series

LEFT_OVER: Rgb = (255, 0, 255)
CLAIMED: Rgb = (255, 120, 0)
ON_INK = 4.0  # px between a said value and ink
LEAST = 12  # px of left-over ink in one piece that are worth a word
PIECES = 6  # of them that are listed


@dataclass(frozen=True, eq=False)
class Proof:
    """The overlay (H, W, 3) of the figure with left-over ink and claims marked, and what can be said in words.

    `empty` are the claims at which no ink stands.
    """

    picture: Image
    explained: float
    supported: float
    left_over: tuple[str, ...]
    empty: tuple[Claim, ...]

    @property
    def text(self) -> str:
        lines = [f"{self.explained:.0%} of the data ink is explained by what was read; {self.supported:.0%} of the "
                 "measured marks stand on ink."]  # fmt: skip
        if self.left_over:
            lines.append("Not explained (magenta): " + "; ".join(self.left_over) + ".")
        if self.empty:
            named = ", ".join(f"{claim.series} at {claim.row} = {claim.text}" for claim in self.empty[:8])
            lines.append(f"Said, but no ink stands there (orange crosses), {len(self.empty)} values: {named}.")
        return "\n".join(lines)


def prove(figure: Figure, panel: Panel, ink: PlotInk, series: Sequence[Series], claims: Sequence[Claim]) -> Proof:
    """The series and claims of one panel against its ink."""
    picture = redraw.overlay(figure, [panel], [series])
    found = redraw.compare(panel, ink, series)
    left, words = _left_over(panel, ink, series)
    rows, columns = np.nonzero(left)
    picture[rows + ink.origin[1], columns + ink.origin[0]] = LEFT_OVER
    empty = []
    for claim in claims:
        if np.isfinite([claim.x, claim.y]).all():
            cv2.drawMarker(picture, (round(claim.x), round(claim.y)), CLAIMED, cv2.MARKER_TILTED_CROSS, 10, 2)
            if not _on_ink(ink, claim.x, claim.y):
                empty.append(claim)
    return Proof(picture, found.explained, found.supported, tuple(words), tuple(empty))


def _left_over(panel: Panel, ink: PlotInk, series: Sequence[Series]) -> tuple[NDArray[np.bool_], list[str]]:
    """(h, w) of the crop: strong ink that nothing read explains, and its largest pieces in words."""
    drawn = redraw.drawn_over(panel, ink, series)
    left = np.zeros(drawn.shape, dtype=np.bool_)
    pieces: list[tuple[int, str]] = []
    for layer in ink.layers:
        own = (layer.coverage > 0.5) & ~drawn
        left |= own
        _, _, stats, _ = cv2.connectedComponentsWithStats(
            cv2.dilate(own.astype(np.uint8), np.ones((3, 3), np.uint8)), connectivity=8
        )
        for x, y, w, h, area in stats[1:].tolist():
            size = int(own[y : y + h, x : x + w].sum())
            if area and size >= LEAST:
                box = Box(x + ink.origin[0], y + ink.origin[1], x + w + ink.origin[0], y + h + ink.origin[1])
                name = f" ({layer.name})" if layer.name else ""
                words = f"{size} px of {hex_of(layer.colour)}{name} in {box.x0:.0f}, {box.y0:.0f} to "
                pieces.append((size, f"{words}{box.x1:.0f}, {box.y1:.0f}"))
    return left, [text for _, text in sorted(pieces, reverse=True)[:PIECES]]


def _on_ink(ink: PlotInk, x: float, y: float) -> bool:
    column, row = round(x) - ink.origin[0], round(y) - ink.origin[1]
    reach = round(ON_INK)
    rows = slice(max(0, row - reach), max(0, row + reach + 1))
    columns = slice(max(0, column - reach), max(0, column + reach + 1))
    return any(bool((layer.coverage[rows, columns] > 0.3).any()) for layer in ink.layers)
