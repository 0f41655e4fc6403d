"""Axis lines that are drawn apart from the plot, between it and its labels.

Not handled here: axes through the middle of the plot, lines shorter than two fifths of its side.
"""

from __future__ import annotations

from dataclasses import replace

from tools.ladders import HORIZONTAL
from tools.strokes import find_strokes
from tools.types import Box, Figure, Side


def axis_line(figure: Figure, plot: Box, side: Side, reach: float) -> Box:
    """The plot with this side moved out to an axis line drawn apart from it, between the plot and its labels.

    `reach`: distance of the nearest labels from the plot, in pixels. The plot itself if there is no such line.
    """
    if reach < 8:
        return plot
    strip = {
        "bottom": Box(plot.x0, plot.y1 + 3, plot.x1, plot.y1 + reach),
        "left": Box(plot.x0 - reach, plot.y0, plot.x0 - 3, plot.y1),
        "top": Box(plot.x0, plot.y0 - reach, plot.x1, plot.y0 - 3),
        "right": Box(plot.x1 + 3, plot.y0, plot.x1 + reach, plot.y1),
    }[side]  # fmt: skip
    rows, columns = strip.slices(figure.height, figure.width)
    crop = figure.pixels[rows, columns]
    if min(crop.shape[:2]) < 4:
        return plot
    wanted = "horizontal" if side in HORIZONTAL else "vertical"
    length = 0.4 * (plot.width if side in HORIZONTAL else plot.height)
    lines = [stroke for stroke in find_strokes(crop, length) if stroke.direction == wanted]
    if not lines:
        return plot
    at = max(lines, key=lambda stroke: stroke.length).position
    if side in HORIZONTAL:
        row = rows.start + at
        return replace(plot, y1=row) if side == "bottom" else replace(plot, y0=row)
    column = columns.start + at
    return replace(plot, x1=column) if side == "right" else replace(plot, x0=column)
