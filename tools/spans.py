"""Shaded stretches of an axis (recessions, lockdowns, target ranges): fills from border to border of a plot.

Not handled here: what else tells them from bars and areas (`kinds`: ink that runs over them; `redraw`: no series).
"""

from __future__ import annotations

from typing import Literal

from tools.ink import Layer, PlotInk

EDGE = 4  # px from the border that shading need not reach: the frame, its axis line and its ticks
WHOLE = 0.97  # share of a column (row) that a span fills, with the ink over it
MOST = 0.9  # share of the layer's ink in such columns (rows)
OWN = 0.6  # share of these that is its own ink: a stroke over areas stands in full columns too


def is_span(ink: PlotInk, layer: Layer, along: Literal["x", "y", "either"] = "either") -> bool:
    """Whether nearly all ink of a layer stands in columns (stretches of the x axis), or in rows, that it fills from
    border to border but for what other ink covers."""
    filled = (layer.coverage > 0.3) | layer.hidden | ink.neutral
    for other in ink.layers:
        filled |= other.coverage > 0.1
    filled[:EDGE], filled[-EDGE:], filled[:, :EDGE], filled[:, -EDGE:] = True, True, True, True
    amount = max(float(layer.coverage.sum()), 1e-6)
    columns, rows = filled.mean(0) > WHOLE, filled.mean(1) > WHOLE
    parts = {"x": layer.coverage[:, columns], "y": layer.coverage[rows]}
    return any(
        part.size > 0 and float(part.sum()) / amount > MOST and float(part.mean()) > OWN
        for axis, part in parts.items()
        if along in (axis, "either")
    )
