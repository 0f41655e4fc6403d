"""Small drawings with known places, anti-aliased by drawing them eight times as large."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.ink import Layer, PlotInk
from tools.types import Axis, Box, Floats, Panel, Rgb

FINE = 8
Plane = NDArray[np.float32]


def cover(height: int, width: int, draw: Callable[[NDArray[np.uint8]], object]) -> Plane:
    """Coverage of what `draw` paints with 255 on a canvas FINE times as large."""
    canvas = np.zeros((height * FINE, width * FINE), dtype=np.uint8)
    draw(canvas)
    small = cv2.resize(canvas, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.float32) / np.float32(255.0)


def fine(*points: tuple[float, float]) -> NDArray[np.int32]:
    """Pixel places (the centre of pixel i is i) on the large canvas, with 4 more bits."""
    return np.round((np.asarray(points) + 0.5) * FINE * 16 - 8).astype(np.int32)


def polygon(canvas: NDArray[np.uint8], points: Sequence[tuple[float, float]]) -> None:
    cv2.fillPoly(canvas, [fine(*points)], 255, shift=4)


def disc(canvas: NDArray[np.uint8], x: float, y: float, radius: float, thickness: int = -1) -> None:
    """A disc, or a ring of this thickness in pixels."""
    line = -1 if thickness < 0 else thickness * FINE
    cv2.circle(canvas, fine((x, y))[0].tolist(), round(radius * FINE * 16), 255, line, shift=4)


def stroke(canvas: NDArray[np.uint8], points: Sequence[tuple[float, float]], width: float) -> None:
    cv2.polylines(canvas, [fine(*points)], False, 255, round(width * FINE), shift=4)


def paint(planes: Sequence[tuple[Plane, Rgb]], alpha: float = 1.0) -> NDArray[np.uint8]:
    """The planes painted over each other on white."""
    height, width = planes[0][0].shape
    pixels = np.full((height, width, 3), 255.0)
    for plane, colour in planes:
        share = alpha * plane[..., None]
        pixels = share * np.asarray(colour, dtype=np.float64) + (1 - share) * pixels
    return np.round(pixels).astype(np.uint8)


def ink_of(
    planes: Sequence[tuple[Plane, Rgb, str]], pixels: NDArray[np.uint8] | None = None, hidden: Sequence[Plane] = ()
) -> PlotInk:
    """Layers of these planes; the crop's corner lies at (20, 10) in the figure."""
    shape = planes[0][0].shape
    layers = []
    for k, (plane, colour, name) in enumerate(planes):
        over = np.asarray(hidden[k] > 0.5) if hidden else np.zeros(shape, dtype=bool)
        layers.append(Layer(colour, plane, over, name))
    image = paint([(plane, colour) for plane, colour, _ in planes]) if pixels is None else pixels
    return PlotInk((20, 10), image, (255, 255, 255), np.zeros(shape, dtype=bool), tuple(layers))


def panel_of(height: int, width: int, *axes: Axis) -> Panel:
    plot = Box(20.0, 10.0, 19.0 + width, 9.0 + height)
    return Panel(plot.grown(30), plot, axes=axes)


def nearest(found: Floats, true: Floats) -> Floats:
    """Distance of every true place to the nearest found one."""
    return np.asarray(np.linalg.norm(true[:, None] - found[None], axis=2).min(axis=1))
