"""Lines over bars on a time axis: points on the straight stretches that the bars' dates show to be there.

A polyline is drawn alike with and without the points on its straight stretches; the bars under it tell the author's
step. Not handled here: lines with a step of their own (weekly means over days), gaps, lines without bars.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from tools.types import Floats, Mark, Panel, Series

FEWEST = 12  # bars in even steps
POINTS = 8  # of a line
ASIDE = 0.3  # steps that its points stand off the bars' places at most
USUAL = 2.2  # steps between most of its points at most
LONGEST = 4.2  # steps of a stretch that is filled


def on_bar_dates(panel: Panel, series: Sequence[Series]) -> list[Series]:
    """The series, lines whose points stand on the dates of the bars (figure pixels) with those between them."""
    bars = [one for one in series if one.kind in ("bar", "stack") and one.orientation == "vertical"]
    if panel.x is None or panel.x.scale != "date" or not bars:
        return list(series)
    places = np.unique([mark.x for one in bars for mark in one.marks])
    if len(places) < FEWEST:
        return list(series)
    step = float(np.median(np.diff(places)))
    places = places[np.concatenate(([True], np.diff(places) > 0.5 * step))]
    return [_filled(one, places, step) if one.kind == "line" else one for one in series]


def _filled(line: Series, places: Floats, step: float) -> Series:
    """The line with a vertex at each place between two neighbours that stand a few steps apart."""
    marks = sorted(line.marks, key=lambda mark: mark.x)
    if line.sampled or line.orientation != "vertical" or len(marks) < POINTS or {m.part for m in marks} != {"vertex"}:
        return line
    x = np.array([mark.x for mark in marks])
    inside = x[(x > places[0] - step) & (x < places[-1] + step)]
    away = np.abs(inside[:, None] - places[None, :]).min(axis=1) if len(inside) else np.full(1, np.inf)
    if float(np.quantile(away, 0.9)) > ASIDE * step or float(np.median(np.diff(x))) > USUAL * step:
        return line
    added: list[Mark] = []
    for first, last in pairwise(marks):
        if not 1.5 * step < last.x - first.x < LONGEST * step:
            continue
        between = places[(places > first.x + 0.5 * step) & (places < last.x - 0.5 * step)]
        heights = np.interp(between, [first.x, last.x], [first.y, last.y])
        sigma = max(first.sigma, last.sigma)
        added += [replace(first, x=float(a), y=float(b), sigma=sigma) for a, b in zip(between, heights, strict=True)]
    return replace(line, marks=tuple(sorted([*marks, *added], key=lambda mark: mark.x))) if added else line
