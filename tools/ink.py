"""Ink of a plot area, sorted by colour: what every reader starts from.

Not handled here: deciding which kind of chart a layer is, or where its values are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.types import Image, LegendEntry, Rgb


@dataclass(frozen=True, eq=False)
class Layer:
    """The ink of one colour.

    `coverage` (h, w) float32, 0 to 1: the share of each pixel that this colour covers, anti-aliasing unmixed against
    the background. `hidden` (h, w) bool: places where the layer may run on unseen, because ink drawn over it (another
    layer, text, a removed rule) covers it. `name` and `entry` come from the legend; empty where it has none.
    """

    colour: Rgb
    coverage: NDArray[np.float32]
    hidden: NDArray[np.bool_]
    name: str = ""
    entry: LegendEntry | None = None


@dataclass(frozen=True, eq=False)
class PlotInk:
    """The plot area of one panel: crop row r, column c is figure pixel (c + origin[0], r + origin[1]).

    `pixels` (h, w, 3) uint8; `background` the paper colour of the plot; `neutral` (h, w) bool: pixels that tell
    nothing (frame, grid lines and ticks that were removed, text, legend box). `layers`, most ink first.
    """

    origin: tuple[int, int]
    pixels: Image
    background: Rgb
    neutral: NDArray[np.bool_]
    layers: tuple[Layer, ...]
