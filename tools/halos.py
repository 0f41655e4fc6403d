"""Filled shapes behind points: ellipses of confidence, hulls, clouds of density in a tint of the points' colour.

Not handled here: shapes whose points have another colour, the strokes around such shapes, bands of curves (`kinds`).
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.blends import is_fill
from tools.ink import Layer, PlotInk

SURE = 0.5  # score from which a layer is points
PALE = (0.04, 0.6)  # of the way from the paper to the points' colour
OFF = 10.0  # RGB units off that way
GROUND = 3.0  # times the points' ink that a shape covers at least
HELD = 0.5  # of the points' ink that lies in the shape
PIECES = 3  # shapes that hold nine tenths of the pale ink
SMALLEST = 25  # px across a shape


def halos_of(ink: PlotInk, scores: Mapping[int, Mapping[str, float]]) -> set[int]:
    """Numbers of the layers that are but a tint behind the points of another one: nothing is read from them.

    `scores`: what each layer looks like. A halo is one filled shape, or a few, that holds most of those points and is
    far larger than they are.
    """
    points = [n for n in scores if scores[n]["points"] > SURE]
    rest = [n for n in scores if scores[n]["points"] <= SURE and is_fill(ink.layers[n].coverage > 0.5)]
    return {n for n in rest if any(_is_halo(ink, ink.layers[n], ink.layers[own]) for own in points)}


def _is_halo(ink: PlotInk, pale: Layer, points: Layer) -> bool:
    paper = np.asarray(ink.background, dtype=np.float64)
    strong, weak = (np.asarray(one.colour, dtype=np.float64) - paper for one in (points, pale))
    share = float(weak @ strong / max(1.0, float(strong @ strong)))
    if not PALE[0] < share < PALE[1] or float(np.abs(weak - share * strong).max()) > OFF:
        return False
    solid = pale.coverage > 0.5
    if float(solid.sum()) < GROUND * float(points.coverage.sum()):
        return False
    shapes = _shapes(solid)
    inside = float(points.coverage[shapes].sum())
    return inside > HELD * float(points.coverage.sum())


def _shapes(solid: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The few large pieces of a fill with all that they enclose; nothing where it consists of many."""
    closed = cv2.morphologyEx(solid.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    outer, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    first = sorted(outer, key=cv2.contourArea, reverse=True)[:PIECES]
    large = [one for one in first if min(cv2.boundingRect(one)[2:]) >= SMALLEST]
    filled = cv2.drawContours(np.zeros_like(closed), large, -1, 1, -1) > 0
    return filled if float((solid & filled).sum()) > 0.9 * float(solid.sum()) else np.zeros_like(solid)
