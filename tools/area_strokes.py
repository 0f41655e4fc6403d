"""Strokes around areas in their own colours, as some programs draw them unasked: how thick they are, and taken off.

A stroke lifts the upmost border by half its thickness. Inside of a stack it lowers the border, where each area is drawn
over the one below it. Not handled here: strokes in layers of their own (`area_rims`); areas on the frame of the plot,
where the stroke along their feet is hidden; stacks drawn from the top down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.ink import Layer
from tools.types import Axis, Floats, Series

FINE = 3.0  # px: half strokes that need steps finer than a pixel
SEATED = 0.1  # px: axes that are known worse don't tell how far feet reach below zero
THIN, THICK = 0.55, 4.0  # px that half a stroke may measure
EVEN = 0.25  # px: feet that differ by more are no stroke
DOUBT = 0.4  # of half a stroke: which of two areas was drawn last is a habit


def half_of_feet(fills: Sequence[Layer], axis: Axis | None, origin: float) -> float:
    """How far, in px, the feet of areas reach below the zero of their axis: half of a stroke around them; 0 for none.

    `origin`: the figure row of the crop's first one.
    """
    if axis is None or axis.scale != "linear" or axis.residual > SEATED:
        return 0.0
    whole = np.minimum(np.sum([layer.coverage for layer in fills], axis=0, dtype=np.float64), 1.0)
    solid = whole > 0.5
    columns = np.flatnonzero(solid.any(axis=0))[4:-4]  # sides have strokes of their own
    last = len(solid) - 1 - np.argmax(solid[::-1, columns], axis=0)
    if len(columns) < 20 or int(last.max()) + 4 >= len(solid):
        return 0.0
    part = np.sum([whole[last + step, columns] for step in range(-1, 3)], axis=0)
    below = last - 1.5 + part - (float(axis.to_pixel(0.0)) - origin)
    spread = float(np.subtract(*np.percentile(below, [90, 10])))
    half = float(np.median(below))
    return half if THIN <= half <= THICK and spread <= EVEN else 0.0


def under_stroke(top: Floats, radius: float) -> Floats:
    """The top border (rows, w) of an area below the stroke that is drawn on it: eroded by a disc of this radius, px."""
    if radius <= 0:
        return top
    steps = 4 if radius < FINE else 1  # to the pixel
    reach = np.arange(-int(radius * steps), int(radius * steps) + 1) / steps
    columns = np.arange(top.size, dtype=np.float64)
    lowered = [np.interp(columns + d, columns, top) + np.sqrt(radius**2 - d**2) for d in reach]
    return np.asarray(np.max(lowered, axis=0), dtype=np.float64)


def taken_off(top: Floats, radius: float, base: float, upmost: bool) -> Floats:
    """The border (rows, w) of an area of a stack without strokes whose half is `radius` px: below that of the upmost
    area, and above that of the next one elsewhere. Upright sides lose as much."""
    lowered = np.minimum(under_stroke(top, radius), base)
    return lowered if upmost else np.where(lowered < base - 0.25, -under_stroke(-top, radius), base)


def doubted(series: Sequence[Series], half: float) -> tuple[Series, ...]:
    """The series of a stack whose strokes were taken off, as sure as these are known."""
    if half <= 0:
        return tuple(series)
    return tuple(
        replace(one, marks=tuple(replace(m, sigma=math.hypot(m.sigma, DOUBT * half)) for m in one.marks))
        for one in series
    )
