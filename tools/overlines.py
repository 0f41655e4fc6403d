"""Curves and reference lines that are drawn over bars, and what the figure's heading calls the curve.

Not handled here: reading them (`lines`), lines over horizontal bars.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.ink import Layer, PlotInk
from tools.trace import INK, Trace, follow
from tools.types import Floats, Series, Word

SPAN = 0.3  # of the plot's width that a curve over bars runs at least
WHOLE = 0.9  # of its columns show it
ALONG = 0.7  # of the layer's ink lies on the curve
APART = 0.15  # of its columns in which it is not the top of a bar
BESIDE = 2  # px between an outline's upright and its bar
LEVEL_SPAN = 0.6  # of the plot's width that a reference line runs at least
AVERAGE = re.compile(
    r"((\d+|one|two|three|four|seven|ten|twelve)[- ]?(day|week|month|year|d|wk)s?[- ])?"
    r"(centred |centered )?(moving|rolling|running|sliding) (average|mean|median)", re.IGNORECASE,
)  # fmt: skip
SLACK = 1.5  # px between a line's rows and those of its stroke


def runs_over(ink: PlotInk, layer: Layer, series: Sequence[Series]) -> bool:
    """Whether the layer is one curve that goes its own way over the bars of `series` (figure pixels), no outline."""
    trace = follow(layer.coverage, layer.hidden)
    if not isinstance(trace, Trace) or trace.end - trace.start < SPAN * layer.coverage.shape[1]:
        return False
    columns = np.arange(round(trace.start), min(round(trace.end) + 1, len(trace.gap)))
    if trace.gap[columns].mean() > 1 - WHOLE or _on(layer, trace) < ALONG:
        return False
    tops, slack = _tops(ink, series), max(2.0, 0.5 * trace.stroke)
    met = [
        bool(np.any((tops[max(0, c - BESIDE) : c + BESIDE + 1] > trace.top[c] - slack)
                    & (tops[max(0, c - BESIDE) : c + BESIDE + 1] < trace.bottom[c] + slack)))
        for c in columns[np.isfinite(trace.y[columns])]
    ]  # fmt: skip
    return 1 - float(np.mean(met)) > APART


def _on(layer: Layer, trace: Trace) -> float:
    """Share of the layer's ink within the traced stroke."""
    rows = np.arange(layer.coverage.shape[0])[:, None]
    near = (rows > trace.top - SLACK) & (rows < trace.bottom + SLACK)
    return float(layer.coverage[near].sum() / max(float(layer.coverage.sum()), 1e-9))


def _tops(ink: PlotInk, series: Sequence[Series]) -> Floats:
    """The row of the topmost bar's top in every column of the crop; nan where no bar stands."""
    height, width = ink.pixels.shape[:2]
    tops = np.full(width, np.inf)
    for mark in (m for one in series if one.orientation == "vertical" for m in one.marks):
        if mark.box is not None:
            _, columns = mark.box.slices(height + ink.origin[1], width + ink.origin[0])
            at = slice(max(0, columns.start - ink.origin[0]), max(0, columns.stop - ink.origin[0]))
            tops[at] = np.minimum(tops[at], mark.box.y0 - ink.origin[1])
    return np.where(np.isfinite(tops), tops, np.nan)


def is_level(layer: Layer) -> bool:
    """Whether the layer is one level line through the plot, solid or dashed: a mean or a limit over bars."""
    solid = layer.coverage > 2 * INK
    columns, rows = np.flatnonzero(solid.any(axis=0)), np.flatnonzero(solid.any(axis=1))
    if not len(columns) or np.ptp(columns) < LEVEL_SPAN * solid.shape[1]:
        return False
    thick = float(np.median(solid.sum(axis=0)[columns]))
    return bool(np.ptp(rows) + 1 <= thick + 2 * SLACK and np.ptp(rows) + 1 < 0.05 * solid.shape[0])


def average_named(series: Sequence[Series], words: Sequence[Word]) -> list[Series]:
    """The series with the only unnamed line over bars named as the figure's words name an average of them.

    "7-day rolling average of daily cases" over bars with one line gives "7-day rolling average".
    """
    lines = [one for one in series if one.kind == "line" and not one.name]
    barred = any(one.kind in ("bar", "stack", "histogram") for one in series)
    found = {match[0] for word in words if (match := AVERAGE.search(word.text))}
    if len(lines) != 1 or not barred or len(found) != 1:
        return list(series)
    return [replace(one, name=found.copy().pop()) if one is lines[0] else one for one in series]
