"""Readings made by hand on pictures drawn here, so that the checker is tested without any recognising."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from agent.reading import PanelReading, Reading
from tools.tabulate import tabulate
from tools.types import Anchor, Axis, Box, Figure, Legend, LegendEntry, Mark, Panel, Rgb, Series

PLOT = Box(50.0, 20.0, 450.0, 270.0)
COLOURS: tuple[Rgb, ...] = ((31, 119, 180), (214, 39, 40), (44, 160, 44))


def value_axis(low: float, high: float, scale: str = "linear", label: str = "Response", side: str = "left") -> Axis:
    """From `low` at the bottom (or left) end of the plot area to `high`."""
    ends = (PLOT.y1, PLOT.y0) if side == "left" else (PLOT.x0, PLOT.x1)
    first, last = (np.log10(low), np.log10(high)) if scale == "log" else (low, high)
    slope = (last - first) / (ends[1] - ends[0])
    anchors = (Anchor(ends[0], low, f"{low:g}", "tick"), Anchor(ends[1], high, f"{high:g}", "tick"))
    return Axis(side, scale, slope, first - slope * ends[0], anchors, 0.1, label)  # type: ignore[arg-type]


def category_axis(names: Sequence[str], side: str = "bottom") -> Axis:
    start, length = (PLOT.x0, PLOT.width) if side == "bottom" else (PLOT.y0, PLOT.height)
    step = length / len(names)
    return Axis(side, "category", 1 / step, -(start / step) - 0.5, categories=tuple(names), label="Group")  # type: ignore[arg-type]


def _reading(pixels: np.ndarray, axes: tuple[Axis, ...], series: list[Series], title: str) -> Reading:
    named = [one for one in series if one.name]
    legend = Legend(tuple(LegendEntry(one.name, one.colour) for one in named))
    panel = Panel(Box(0, 0, 499, 319), PLOT, title, axes=axes, legend=legend)
    return Reading(Figure(pixels, "hand.png"), (PanelReading(panel, tuple(series), tabulate(panel, series)),))


def paper() -> np.ndarray:
    pixels = np.full((320, 500, 3), 255, np.uint8)
    cv2.rectangle(pixels, (50, 20), (450, 270), (0, 0, 0), 1)
    return pixels


def bar_reading(
    names: Sequence[str], values: Mapping[str, Sequence[float]], top: float = 100.0, horizontal: bool = False,
    label: str = "Response", title: str = "",
) -> Reading:  # fmt: skip
    """Grouped bars from 0 to at most `top`, drawn and read exactly. A series named "" is not named by the figure."""
    pixels = paper()
    key = category_axis(names, "left" if horizontal else "bottom")
    axis = value_axis(0.0, top, label=label, side="bottom" if horizontal else "left")
    width = 0.8 / len(values) / abs(key.slope)
    series = []
    for k, (name, heights) in enumerate(values.items()):
        marks = []
        for slot, height in enumerate(heights):
            middle = float(key.to_pixel(slot)) + (k - (len(values) - 1) / 2) * width
            base, end = (float(v) for v in axis.to_pixel([0.0, min(height, top)]))
            low, high = middle - width / 2 + 1, middle + width / 2 - 1
            box = Box(base, low, end, high) if horizontal else Box(low, end, high, base)
            cv2.rectangle(pixels, (round(box.x0), round(box.y0)), (round(box.x1), round(box.y1)), COLOURS[k], -1)
            marks.append(Mark("bar", end, middle, box) if horizontal else Mark("bar", middle, end, box))
        side = "bottom" if horizontal else "left"
        series.append(Series(name, COLOURS[k], "bar", tuple(marks), side, "horizontal" if horizontal else "vertical"))  # type: ignore[arg-type]
    return _reading(pixels, (key, axis), series, title)


def line_reading(
    x: Sequence[float], values: Mapping[str, Sequence[float]], low: float = 0.0, high: float = 100.0,
    scale: str = "linear", label: str = "Response", title: str = "",
) -> Reading:  # fmt: skip
    """Lines with a vertex per x; what lies beyond the value axis is cut off, as plots do."""
    pixels = paper()
    span = max(x) - min(x)
    slope = 1.1 * span / PLOT.width
    key = Axis("bottom", "linear", slope, min(x) - 0.05 * span - slope * PLOT.x0, label="Time")
    axis = value_axis(low, high, scale, label)
    series = []
    for k, (name, heights) in enumerate(values.items()):
        points = np.column_stack([key.to_pixel(x), axis.to_pixel(heights)])
        canvas = pixels.copy()
        cv2.polylines(canvas, [np.round(points * 8).astype(np.int32)], False, COLOURS[k], 2, cv2.LINE_AA, 3)
        inside = (slice(21, 270), slice(51, 450))
        pixels[inside] = canvas[inside]
        seen = (points[:, 1] >= PLOT.y0) & (points[:, 1] <= PLOT.y1)
        marks = tuple(Mark("vertex", float(px), float(py)) for (px, py), ok in zip(points, seen, strict=True) if ok)
        series.append(Series(name, COLOURS[k], "line", marks))
    return _reading(pixels, (key, axis), series, title)
