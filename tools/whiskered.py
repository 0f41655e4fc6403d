"""Markers with error bars through them, no line: the markers alone.

A marker is thicker than the stroke of its error bar in both directions; each piece of ink holds one marker and is long
and thin around it.

Not handled here: markers as thin as their error bars, error bars that touch each other (a line, rather).
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.cores import stroke_of
from tools.crossed import without_strokes
from tools.markers import Plane

FEWEST = 3
STICKING = 0.4  # share of the pieces that are much longer than their marker
UNEVEN = 0.25  # share of the pieces that reach farther beyond their marker along one side than along the other
MOST = 200  # px: larger loops of ink are no markers


def markers_alone(amount: Plane, hidden: NDArray[np.bool_]) -> Plane:
    """The ink (h, w) of the markers without the error bars and mean lines that cross them; as it is without such.

    `hidden` (h, w): what other ink covers.
    """
    bare = without_whiskers(amount)
    bare = without_strokes(amount, hidden) if bare is None else bare
    return amount if bare is None else bare


def without_whiskers(amount: Plane) -> Plane | None:
    """The ink of the markers alone, where most pieces of ink are one marker with an error bar; else None."""
    solid = _filled((amount > 0.5).astype(np.uint8))
    if solid.sum() < 40:
        return None
    stroke = stroke_of(amount)
    size = int(np.ceil(stroke)) + 2
    kernel, last = np.ones((size, size), np.uint8), (size - 1, size - 1)
    thick = cv2.dilate(cv2.erode(solid, kernel, anchor=(0, 0)), kernel, anchor=last)  # even kernels shift by a pixel
    count, labels, stats, _ = cv2.connectedComponentsWithStats(solid, connectivity=8)
    cores, places, boxes, _ = cv2.connectedComponentsWithStats(thick, connectivity=8)
    if cores - 1 < FEWEST:
        return None
    owner = np.array([labels[places == k][0] for k in range(1, cores)])
    held = np.bincount(owner, minlength=count)
    with_core, areas = held[1:] > 0, stats[1:, 4]
    if float(np.mean(held[owner] == 1)) < 0.75 or areas[with_core].sum() < 0.5 * areas.sum():
        return None
    wide, high = boxes[1:, 2].astype(float), boxes[1:, 3].astype(float)
    alike = (np.abs(wide - np.median(wide)) <= 2 + 0.15 * wide) & (np.abs(high - np.median(high)) <= 2 + 0.15 * high)
    if float(alike.mean()) < 0.7:
        return None
    longer = _stick_out(stats[owner], boxes[1:])
    if float(np.mean(longer)) < STICKING and float(np.mean(_uneven(stats[owner], boxes[1:]))) < UNEVEN:
        return None
    near = cv2.dilate(thick, np.ones((3, 3), np.uint8)) > 0
    full = max(1.0, float(np.median(amount[thick > 0])))  # strokes of another shade may have set the scale
    return np.where(near, amount / full, 0.0).astype(np.float32)


def _filled(solid: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The ink with what it encloses, so that markers in outline are as thick as filled ones."""
    outer, _ = cv2.findContours(solid, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    small = [each for each in outer if max(cv2.boundingRect(each)[2:]) < MOST]
    return np.asarray(cv2.drawContours(solid.copy(), small, -1, 1, -1), dtype=np.uint8)


def _stick_out(pieces: NDArray[np.number], cores: NDArray[np.number]) -> NDArray[np.bool_]:
    """Which pieces are much longer than their marker in one direction (or both, with caps)."""
    wide, high = pieces[:, 2] - cores[:, 2], pieces[:, 3] - cores[:, 3]
    return np.asarray(np.maximum(wide, high) > np.maximum(4, 0.5 * np.maximum(cores[:, 2], cores[:, 3])))


def _uneven(pieces: NDArray[np.number], cores: NDArray[np.number]) -> NDArray[np.bool_]:
    """Which pieces are longer than their marker in one direction only: short error bars, which the opening takes off.

    It takes as much off the corners of a triangle in both directions.
    """
    wide, high = pieces[:, 2] - cores[:, 2], pieces[:, 3] - cores[:, 3]
    return np.asarray(np.abs(wide - high) > np.maximum(4, 0.15 * np.maximum(cores[:, 2], cores[:, 3])))
