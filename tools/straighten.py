"""Scans that lie a little askew: the tilt of a figure, seen in its frames and axes, and the figure turned upright.

Not handled here: quarter turns (text tells those), sheared or photographed pages, figures without two long straight
lines at right angles.
"""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.artefacts import without_overshoot
from tools.types import Figure, Floats, Image

_SIDE = 1400  # pixels of the copy that the tilt is measured on
_LEAST, _MOST = 0.15, 12.0  # degrees
_STRIPS = 40  # of the figure, whose profiles are shifted against each other
_GAIN = 1.25  # the least that the edges of a tilted figure pile up more at its tilt than level
_AGREED = 0.85  # of the most that they pile up anywhere, both the level and the upright ones


def straightened(figure: Figure) -> Figure:
    """The figure turned upright where its frame shows a tilt, with a warning that says so; else the figure itself.

    The result is a little larger, so that nothing is cut off; its corners show the paper.
    """
    tilt = tilt_of(figure.pixels)
    if tilt == 0.0:
        return figure
    note = f"the figure lay askew by {abs(tilt):.2f} degrees and was turned upright"
    pixels = without_overshoot(_turned(figure.pixels, tilt))
    return replace(figure, pixels=pixels, warnings=(*figure.warnings, note))


def _turned(image: Image, tilt: float) -> Image:
    """The image turned clockwise by `tilt` degrees about its centre, on a canvas that holds all of it."""
    height, width = image.shape[:2]
    turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -tilt, 1.0)
    cos, sin = abs(turn[0, 0]), abs(turn[0, 1])
    wide, high = math.ceil(width * cos + height * sin), math.ceil(width * sin + height * cos)
    turn[:, 2] += ((wide - width) / 2, (high - height) / 2)
    paper = tuple(float(v) for v in np.median(np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]]), axis=0))
    return np.asarray(cv2.warpAffine(image, turn, (wide, high), flags=cv2.INTER_LINEAR, borderValue=paper), np.uint8)


def tilt_of(pixels: Image) -> float:
    """Degrees that a figure is turned counter-clockwise; 0 where it stands upright or nothing shows its tilt.

    pixels: (H, W, 3) uint8 RGB. Edges summed along lines of one tilt pile up where that is the tilt of frames, grids
    and lines of text (projection profiles, after Postl 1986); level and upright edges have to agree.
    """
    shrink = min(1.0, _SIDE / max(pixels.shape[:2]))
    gray = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), np.uint8)
    if shrink < 1:
        gray = np.asarray(cv2.resize(gray, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
    if _stands(np.asarray(cv2.Canny(gray, 25, 75), np.uint8)):
        return 0.0
    level, upright = _steps(gray)
    tilts = np.arange(-_MOST - 1, _MOST + 1.01, 0.2)
    coarse = _gains(level, tilts), _gains(upright, -tilts)
    best = _best(coarse, tilts)
    tilts = np.arange(best - 0.4, best + 0.41, 0.02)
    fine = _gains(level, tilts), _gains(upright, -tilts)
    best = _best(fine, tilts)
    at = int(np.argmin(np.abs(tilts - best)))
    if min(gain[at] for gain in fine) < _GAIN or not _LEAST <= abs(best) <= _MOST:
        return 0.0
    if min(gain[at] / max(rough.max(), gain.max()) for gain, rough in zip(fine, coarse, strict=True)) < _AGREED:
        return 0.0
    level, upright = _steps(np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), np.uint8))
    tilts = np.arange(best - 0.06, best + 0.061, 0.01)
    return _best((_gains(level, tilts, 3), _gains(upright, -tilts, 3)), tilts)


def _steps(gray: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Steps of brightness down the columns, (h - 1, w), and along the rows, turned by a quarter, (w - 1, h)."""
    signed = gray.astype(np.float32)
    down, along = np.abs(np.diff(signed, axis=0)), np.abs(np.diff(signed, axis=1)).T
    return np.minimum(down, 80.0), np.minimum(along, 80.0)


def _best(gains: tuple[Floats, Floats], tilts: Floats) -> float:
    """The tilt that suits level and upright lines together best."""
    return float(tilts[int(np.argmax(sum(gain / max(float(gain.max()), 1e-9) for gain in gains)))])


def _gains(steps: NDArray[np.float32], tilts: Floats, power: int = 2) -> Floats:
    """How much more the steps (H, W) pile up along lines of each tilt (degrees, rising to the right) than level.

    power: 3 lets the longest lines decide.
    """
    strips = [strip.sum(axis=1) for strip in np.array_split(steps, _STRIPS, axis=1)]
    middles = (np.arange(_STRIPS) + 0.5) * steps.shape[1] / _STRIPS
    middles -= middles.mean()
    at = np.arange(steps.shape[0], dtype=np.float64)

    def pile(tilt: float) -> float:
        shifts = middles * math.tan(math.radians(tilt))
        total = np.sum([np.interp(at - shift, at, strip) for shift, strip in zip(shifts, strips, strict=True)], axis=0)
        return float((np.abs(total - total.mean()) ** power).sum())

    return np.array([pile(float(tilt)) for tilt in tilts]) / max(1e-9, pile(0.0))


def _stands(edges: NDArray[np.uint8]) -> bool:
    """Whether an edge runs exactly level or upright for long: at a tilt of half a degree it steps every 115 pixels."""
    height, width = edges.shape
    kernels = np.ones((1, max(160, width // 4)), np.uint8), np.ones((max(160, height // 4), 1), np.uint8)
    return any(bool(cv2.erode(edges, kernel).any()) for kernel in kernels)
