"""From a place or a colour that somebody names to what is there: words, a layer of ink, a series.

Not handled here: finding these without being told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.colour import lab_distance
from tools.describing import hex_of
from tools.ink import PlotInk
from tools.ocr import read_words
from tools.types import Box, Figure, Rgb, Series, Unreadable, Word
from tools.view import View, whole

ALIKE = 25.0  # Lab units between a colour that is named and a layer's
REACH = 4  # px around a place
ENLARGED = 1600  # px: long edge to which small parts are enlarged before they are read


def words_in(figure: Figure, box: Box) -> tuple[Word, ...]:
    """The text in a box (figure pixels), read in an enlarged crop; vector text where the figure has it."""
    if figure.text:
        return tuple(word for word in figure.text if box.contains(*word.box.centre))
    view = whole(figure.pixels).crop(box)
    if isinstance(view, Unreadable):
        return ()
    factor = float(np.clip(ENLARGED / max(view.width, view.height), 1.0, 3.0))
    large = view.zoom(factor)
    if isinstance(large, Unreadable):
        return ()
    return tuple(replace(word, box=_home(large, word.box)) for word in read_words(large.pixels))


def _home(view: View, box: Box) -> Box:
    (x0, y0), (x1, y1) = view.to_figure(box.x0, box.y0), view.to_figure(box.x1, box.y1)
    return Box(x0, y0, x1, y1)


def layer_like(ink: PlotInk, colour: Rgb) -> int | Unreadable:
    """The number of the layer (from 0) nearest to a colour."""
    if not ink.layers:
        return Unreadable("there is no data ink in this plot area: is the plot area right?")
    far = lab_distance(np.array([layer.colour for layer in ink.layers], dtype=np.float64), colour)
    best = int(np.argmin(far))
    if far[best] > ALIKE:
        known = ", ".join(hex_of(layer.colour) for layer in ink.layers)
        return Unreadable(f"no data ink of this panel is like {hex_of(colour)}; its colours are {known}")
    return best


def layer_at(ink: PlotInk, x: float, y: float) -> int | Unreadable:
    """The number of the layer (from 0) with most ink within 4 px of a place in figure pixels."""
    column, row = round(x) - ink.origin[0], round(y) - ink.origin[1]
    height, width = ink.pixels.shape[:2]
    if not (0 <= column < width and 0 <= row < height):
        return Unreadable(f"({x:.0f}, {y:.0f}) lies outside the plot area")
    rows, columns = slice(max(0, row - REACH), row + REACH + 1), slice(max(0, column - REACH), column + REACH + 1)
    amounts = [float(layer.coverage[rows, columns].sum()) for layer in ink.layers]
    if amounts and max(amounts) > 0.5:
        return int(np.argmax(amounts))
    return Unreadable(f"no data ink within {REACH} px of ({x:.0f}, {y:.0f}){_nearest(ink, row, column)}")


def _nearest(ink: PlotInk, row: int, column: int) -> str:
    total = np.max([layer.coverage for layer in ink.layers], axis=0) if ink.layers else np.zeros((1, 1))
    rows, columns = np.nonzero(total > 0.5)
    if not len(rows):
        return ""
    k = int(np.argmin((rows - row) ** 2 + (columns - column) ** 2))
    return f"; the nearest is at ({columns[k] + ink.origin[0]}, {rows[k] + ink.origin[1]})"


def nearest_series(found: Sequence[Series], x: float, y: float) -> Series:
    """The series that passes nearest to a place."""

    def away(one: Series) -> float:
        at = np.array([(mark.x, mark.y) for mark in one.marks])
        order = np.argsort(at[:, 0])
        path = abs(float(np.interp(x, at[order, 0], at[order, 1])) - y)
        return min(path, float(np.hypot(at[:, 0] - x, at[:, 1] - y).min()))

    return min(found, key=away)


def as_before(one: Series, fresh: Sequence[Series]) -> Series:
    """A series measured anew, with the name and axis that it had; as it was where nothing new has its colour."""
    new = next((other for other in fresh if other.colour == one.colour and other.kind == one.kind), None)
    return one if new is None else replace(new, name=one.name, axis=one.axis)
