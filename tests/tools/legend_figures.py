"""Figures drawn with matplotlib whose words and plot areas are known exactly, for the tests of legend and ink."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.text import Text

from tools.types import Box, Figure, Panel, Word


def blank(**options: Any) -> tuple[Any, Any]:
    """A figure of 600 x 400 pixels with one pair of axes."""
    figure = plt.figure(figsize=(6, 4), dpi=100)
    return figure, figure.add_axes((0.12, 0.14, 0.6, 0.74), **options)


def read(figure: Any) -> tuple[Figure, tuple[Panel, ...], tuple[Word, ...]]:
    """Pixels, panels with exact plot areas, and all upright words of a drawn figure, which is closed."""
    figure.canvas.draw()
    pixels = np.asarray(figure.canvas.buffer_rgba())[..., :3].copy()
    height = pixels.shape[0]
    words = tuple(_words(figure, height))
    panels = tuple(_panel(axes, height) for axes in figure.axes)
    plt.close(figure)
    return Figure(pixels, "drawn"), panels, words


def _panel(axes: Any, height: int) -> Panel:
    box = axes.get_window_extent()
    plot = Box(box.x0 - 0.5, height - box.y1 - 0.5, box.x1 - 0.5, height - box.y0 - 0.5)
    return Panel(plot.grown(50), plot, axes.get_title())


def _words(figure: Any, height: int) -> Iterator[Word]:
    renderer = figure.canvas.get_renderer()
    for text in figure.findobj(Text):
        for n, line in enumerate(lines := text.get_text().split("\n")):
            box = text.get_window_extent(renderer)
            if not line.strip() or not text.get_visible() or text.get_rotation():
                continue
            step = box.height / len(lines)
            top = height - box.y1 + n * step
            yield Word(line, Box(box.x0, top + 0.2 * step, box.x1 - 1, top + 0.85 * step))
