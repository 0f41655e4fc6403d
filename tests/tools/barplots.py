"""Small bar plots drawn into coverage arrays with known data, for the tests of the bar readers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np
from numpy.typing import NDArray

from tools.ink import Layer, PlotInk
from tools.types import Axis, Box, Floats, Panel, Rgb, Side, days

BLUE, RED, GREEN = (70, 130, 180), (200, 60, 50), (60, 160, 80)
Floats32 = NDArray[np.float32]


def covered(low: float, high: float, size: int) -> Floats:
    """The share of each of `size` pixels between two edges; pixel i reaches from i - 0.5 to i + 0.5."""
    at = np.arange(size)
    return np.clip(np.minimum(at + 0.5, high) - np.maximum(at - 0.5, low), 0.0, 1.0)


def rectangles(size: tuple[int, int], boxes: Sequence[tuple[float, float, float, float]]) -> Floats32:
    """Coverage (h, w) of boxes (left, top, right, bottom), anti-aliased."""
    picture = np.zeros(size, dtype=np.float32)
    for left, top, right, bottom in boxes:
        picture += np.outer(covered(top, bottom, size[0]), covered(left, right, size[1])).astype(np.float32)
    return np.clip(picture, 0, 1)


def layer(coverage: Floats32, colour: Rgb = BLUE, name: str = "", hidden: NDArray[np.bool_] | None = None) -> Layer:
    return Layer(colour, coverage, np.zeros(coverage.shape, dtype=bool) if hidden is None else hidden, name)


def plot(
    layers: Sequence[Layer], axes: Sequence[Axis], neutral: NDArray[np.bool_] | None = None
) -> tuple[Panel, PlotInk]:
    """A panel at the origin whose picture is the layers painted over white in their order."""
    height, width = layers[0].coverage.shape
    pixels = np.full((height, width, 3), 255.0)
    for one in layers:
        share = one.coverage[..., None]
        pixels = pixels * (1 - share) + share * np.array(one.colour)
    nothing = np.zeros((height, width), dtype=bool) if neutral is None else neutral
    box = Box(0, 0, width - 1, height - 1)
    ink = PlotInk((0, 0), pixels.round().astype(np.uint8), (255, 255, 255), nothing, tuple(layers))
    return Panel(box, box, axes=tuple(axes)), ink


def values(side: Side, zero: float, px_per_unit: float) -> Axis:
    """A linear value axis: `zero` is the pixel of 0; values grow upwards on the left, rightwards at the bottom."""
    slope = 1 / px_per_unit if side in ("bottom", "top") else -1 / px_per_unit
    return Axis(side, "linear", slope, -zero * slope)


def categories(side: Side, first: float, pitch: float, names: Sequence[str]) -> Axis:
    return Axis(side, "category", 1 / pitch, -first / pitch, categories=tuple(names))


def dates(first: date, pixel: float, px_per_day: float) -> Axis:
    """A date axis with midnight at the start of `first` at `pixel`."""
    return Axis("bottom", "date", 1 / px_per_day, days(first) - pixel / px_per_day)
