"""Curves drawn side by side (dodged): one whose markers are not found has its points where its neighbours have theirs.

All of them are moved by the same distance, and the curve turns there and hardly anywhere else.

Not handled here: figures where no curve shows its markers; curves that lack points of their neighbours in the middle.
"""

from __future__ import annotations

import numpy as np

from tools.types import Floats

FEWEST = 4  # places: fewer fit a curve by chance
NEAR = 0.13  # of a step that a vertex may be from its place: caps, markers and error bars bend the trace there
OUTSIDE = 0.2  # of a step that the stroke may reach beyond the outermost places: caps of their error bars
TURNING = 0.85  # share of the vertices that must be near a place
MOVED = 0.5  # of a step that curves are moved at most
FINE = 0.25  # px between the shifts that are tried


def merged(places: Floats, apart: float) -> Floats:
    """Increasing places (n,), those not `apart` (px) from the one before as one: two finds of one marker."""
    if not len(places):
        return places
    parts = np.split(places, np.flatnonzero(np.diff(places) > apart) + 1)
    return np.array([float(part.mean()) for part in parts])


def shifted_places(places: Floats, vertices: Floats, ends: tuple[float, float]) -> list[Floats]:
    """The places (n,) of a neighbour's markers moved to where a curve turns, a few close shifts; [] where it does not.

    vertices (m,): where the curve turns, ends: where its stroke starts and stops; all in columns of the crop.
    """
    if len(places) < FEWEST or len(vertices) < len(places):
        return []
    step = float(np.median(np.diff(places)))
    shifts = np.arange(-MOVED * step, MOVED * step + FINE, FINE)
    away = np.abs(vertices[None, :, None] - places[None, None, :] - shifts[:, None, None])  # shifts, vertices, places
    near = away < NEAR * step
    every = np.all(np.any(near, axis=1), axis=1)
    reached = (places[0] + shifts > ends[0] - 1) & (places[-1] + shifts < ends[1] + 1)
    outside = (places[0] + shifts - ends[0] > OUTSIDE * step) | (ends[1] - places[-1] - shifts > OUTSIDE * step)
    good = every & reached & ~outside & (np.mean(np.any(near, axis=2), axis=1) >= TURNING)
    return [places + shift for shift in shifts[good]]


def completed(places: Floats) -> Floats:
    """Markers of one curve (increasing columns) with those that are hidden, where all stand on even steps."""
    usual = float(np.median(np.diff(places)))
    steps = np.diff(places) / max(usual, 1e-9)
    if np.abs(steps - np.round(steps)).max() > 0.12 or steps.min() < 0.5:
        return places
    number = np.concatenate(([0.0], np.cumsum(np.round(steps))))
    return np.asarray(np.interp(np.arange(number[-1] + 1), number, places))
