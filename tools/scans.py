"""Scans and blurred copies: grain and uneven paper taken out, soft edges made sharp again, in the figure's own pixels.

Paper of a scan is never the same twice: a picture in which hardly a pixel equals its neighbours has grain. Drawn edges
are as sharp as pixels allow: where even the thinnest strokes are wide Gaussians, the picture is out of focus.

Not handled here: ripples of JPEG (`artefacts`), tilt (`straighten`), moiré, ink from the other side, motion blur, blur
that differs from place to place.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy import fft

from tools.artefacts import flattened
from tools.types import Figure, Image

Floats32 = NDArray[np.float32]
GRAIN = 0.8, 14.0  # standard deviations, of 255, that are grain: drawings have none at all, textures more
FLAT = 0.3  # share of a grainy picture in which neighbours are equal; over one half in drawings, JPEGs too
SIDE = 200  # px of the longer side of the copy in which the paper's brightness is fitted
PAPER = (24.0, 16.0, 12.0, 12.0)  # of 255: how far paper may lie from each fit of its brightness
REACH, GROWTH = 0.05, 6  # of the copy's longer side: how far paper tells the brightness beside it; how often it does
SMOOTH = 2.5  # standard deviations of noise that are smoothed away
STEP = 5.0  # of 255: brightness of paper changes by less from place to place
_POWERS = ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3))
STEEP = 0.75  # share of an edge that its steepest pixel takes: above 0.85 in drawings, 0.47 after a blur of 0.8 px
FEW = 50  # edges and strokes that tell a blur
BLURRED = 0.55  # px: anti-aliasing is no blur
MOST_BLUR = 3.0  # px
STRONG = 40.0  # of 255: contrast of a stroke that tells the blur
LARGE = 8_000_000  # pixels of a picture that is left out of focus: its strokes are wider than that
FAITH, GRAINY = 15_000.0, 400.0  # weight of the picture against short borders, and of one that had grain
PULL, ROUNDS, FRAME = 5.0, 15, 8  # weight that ties borders to the picture; rounds; px of margin


def restored(figure: Figure) -> Figure:
    """The figure on flat white paper where it has the grain of a scan, with sharp edges where it is out of focus.

    A note says what was done. Clean pictures come back as they are.
    """
    pixels, notes = figure.pixels, figure.warnings
    noise = grain(pixels)
    if noise:
        pixels = even(pixels, noise)
        notes += ("the picture has the grain of a scan: its paper was made even and white before it was measured",)
    width = blur(pixels)
    if width:
        pixels = sharp(pixels, width, GRAINY if noise else FAITH)
        notes += (f"the picture is out of focus by {width:.1f} pixels: it was sharpened before it was measured",)
    if noise:
        pixels = flattened(cv2.cvtColor(pixels, cv2.COLOR_RGB2YCrCb).astype(np.float32))
    return replace(figure, pixels=pixels, warnings=notes) if noise or width else figure


def grain(pixels: Image) -> float:
    """The standard deviation of noise all over an image (H, W, 3) uint8, of 255; 0 where it has none.

    The median of a mask that answers to noise only (Immerkaer 1996), on a picture that has no flat places.
    """
    light = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    square = np.ones((3, 3), np.uint8)
    equal = cv2.dilate(light, square) - cv2.erode(light, square) <= 1
    if equal.mean() > FLAT:
        return 0.0
    mask = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    noise = float(np.median(np.abs(cv2.filter2D(light.astype(np.float32), -1, mask)))) / (6 * 0.6745)
    return noise if GRAIN[0] <= noise <= GRAIN[1] else 0.0


def even(pixels: Image, noise: float) -> Image:
    """The image (H, W, 3) uint8 RGB of a scan with this noise, smooth and on even white paper."""
    grey = bool((pixels.max(axis=2) - pixels.min(axis=2) <= 2).all())
    seen = np.ascontiguousarray(pixels[..., 0]) if grey else pixels
    calm = cv2.fastNlMeansDenoising(seen, None, float(SMOOTH * noise), 5, 15)
    calm = cv2.cvtColor(calm, cv2.COLOR_GRAY2RGB) if grey else calm
    return np.asarray(np.clip(255.0 * calm / np.maximum(paper(np.asarray(calm)), 1.0), 0, 255).round(), np.uint8)


def paper(pixels: Image) -> Floats32:
    """The colour (H, W, 3) of the paper of an image (H, W, 3) uint8 everywhere, under the ink too.

    Paper is what lies close to a smooth surface through the brightness of the margins. Its colour beside ink is the
    mean of the paper around (normalised convolution, Knutsson and Westin 1993).
    """
    height, width = pixels.shape[:2]
    shrink = min(1.0, SIDE / max(height, width))
    size = (max(8, round(width * shrink)), max(8, round(height * shrink)))
    small = cv2.resize(cv2.medianBlur(pixels, 7), size, interpolation=cv2.INTER_AREA).astype(np.float32)
    light = np.asarray(small @ np.array([0.299, 0.587, 0.114], np.float32), np.float32)
    square = np.ones((3, 3), np.uint8)
    smooth = cv2.dilate(light, square) - cv2.erode(light, square) < STEP  # not beside ink, which shades it
    rows, columns = np.mgrid[-1 : 1 : size[1] * 1j, -1 : 1 : size[0] * 1j]
    terms = np.stack([rows**i * columns**j for i, j in _POWERS], axis=-1).astype(np.float32)
    surface = np.full(light.shape, _margin(light), np.float32)
    for count, allowed in zip((1, 3, 6, 10), PAPER, strict=True):
        sure = smooth & (np.abs(light - surface) < allowed)
        if sure.sum() > 4 * count:
            weights = np.linalg.lstsq(terms[sure, :count], light[sure], rcond=None)[0]
            surface = np.asarray(terms[..., :count] @ weights, np.float32)
    for _ in range(GROWTH):  # from sure paper into its shades
        sure = smooth & (np.abs(light - surface) < PAPER[-1])
        surface = surface + _spread(light - surface, sure)
    sure = smooth & (np.abs(light - surface) < PAPER[-1])
    channels = [surface + _spread(small[..., number] - surface, sure) for number in range(3)]
    return np.asarray(cv2.resize(np.dstack(channels), (width, height), interpolation=cv2.INTER_LINEAR), np.float32)


def _margin(light: Floats32) -> float:
    """The brightness of most of the outermost twentieth of a picture (H, W)."""
    inside = np.zeros(light.shape, bool)
    rows, columns = (max(1, side // 20) for side in light.shape)
    inside[rows:-rows, columns:-columns] = True
    return float(np.median(light[~inside]))


def _spread(values: Floats32, sure: NDArray[np.bool_]) -> Floats32:
    """The mean of the sure values (H, W) around each place; 0 far from all."""
    weights = sure.astype(np.float32)
    reach = REACH * max(values.shape)
    total = cv2.GaussianBlur(values * weights, (0, 0), reach)
    return np.asarray(total / (cv2.GaussianBlur(weights, (0, 0), reach) + 0.01), np.float32)


def blur(pixels: Image) -> float:
    """The standard deviation in px of the Gaussian that an image (H, W, 3) uint8 was blurred with; 0 where sharp.

    Across a thin stroke brightness is a Gaussian, of which three neighbours tell the width: log(m * m / (l * r)) is
    one over its variance. The thinnest strokes count (one pixel wide, with a variance of 1/12 of their own), and the
    borders of fills, whose steps are such strokes.
    """
    light = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY).astype(np.float32)
    steep, strokes, borders = [], [], []
    row = np.ones((1, 9), np.uint8)
    for along in (light, np.ascontiguousarray(light.T)):
        highest, lowest = cv2.dilate(along, row), cv2.erode(along, row)
        steep.append(_steepness(along, highest - lowest))
        strokes += [_variances(ink, ink > STRONG) for ink in (highest - along, along - lowest)]
        step = np.diff(along, axis=1)
        borders += [_variances(up, _lonely(up)) for up in (step, -step)]
    edges, thin, wide = np.concatenate(steep), np.concatenate(strokes), np.concatenate(borders)
    if light.size > LARGE or min(len(edges), len(thin)) < FEW or np.percentile(edges, 97) > STEEP:
        return 0.0
    variance = float(np.percentile(thin, 5))
    if len(wide) >= FEW:
        variance = min(variance, float(np.median(wide)))
    width = max(variance - 1 / 12, 0) ** 0.5
    return min(width, MOST_BLUR) if width >= BLURRED else 0.0


def _lonely(step: Floats32) -> NDArray[np.bool_]:
    """Where the steps (H, W - 1) from pixel to pixel lead from one flat place straight up to another."""
    row = np.ones((1, 11), np.uint8)
    return np.asarray((step > STRONG / 4) & (cv2.erode(step, row) > -2))


def _steepness(light: Floats32, rise: Floats32) -> Floats32:
    """The share of the rise around that each edge (steepest place of its neighbourhood) takes from pixel to pixel."""
    step = np.abs(np.diff(light, axis=1))
    around = np.maximum(rise[:, 1:], rise[:, :-1])
    peak = (step >= cv2.dilate(step, np.ones((1, 5), np.uint8))) & (around > 1.5 * STRONG)
    return np.asarray(step[peak] / around[peak], np.float32)


def _variances(ink: Floats32, place: NDArray[np.bool_]) -> Floats32:
    """Variance in square px of each bump of the rows of `ink` (0: none) whose top is at a place."""
    left, middle, right = ink[:, :-2], ink[:, 1:-1], ink[:, 2:]
    top = (middle >= left) & (middle > right) & place[:, 1:-1]
    beside = np.maximum(left[top] * right[top], 1e-6)
    return np.asarray(1 / np.log(middle[top] ** 2 / beside), np.float32)


def sharp(pixels: Image, width: float, faith: float = FAITH) -> Image:
    """The image (H, W, 3) uint8 before a Gaussian of this standard deviation in px.

    Of all pictures that blur to this one, that whose colours change along the shortest borders: total variation of the
    three channels together, by split Bregman (Goldstein and Osher 2009). Fills stay flat and nothing rings.
    """
    height, wide = pixels.shape[:2]
    size = fft.next_fast_len(height + 2 * FRAME, True), fft.next_fast_len(wide + 2 * FRAME, True)
    below, right = size[0] - height - FRAME, size[1] - wide - FRAME
    framed = cv2.copyMakeBorder(pixels, FRAME, below, FRAME, right, cv2.BORDER_REPLICATE)
    found = framed.astype(np.float32) / 255
    down, along = np.fft.fftfreq(size[0])[:, None], np.fft.rfftfreq(size[1])[None]
    lens = np.exp(-2 * (np.pi * width) ** 2 * (down**2 + along**2)).astype(np.float32)[..., None]
    smooth = (4 - 2 * np.cos(2 * np.pi * down) - 2 * np.cos(2 * np.pi * along)).astype(np.float32)[..., None]
    told = faith * lens * fft.rfft2(found, axes=(0, 1))
    share = 1 / (faith * lens * lens + PULL * smooth)
    steps, rest = [np.zeros_like(found)] * 2, [np.zeros_like(found)] * 2  # along rows, down columns
    for _ in range(ROUNDS):
        flows = [step - left for step, left in zip(steps, rest, strict=True)]
        spread = sum(flow - np.roll(flow, 1, axis) for flow, axis in zip(flows, (1, 0), strict=True))
        found = fft.irfft2((told - PULL * fft.rfft2(spread, axes=(0, 1))) * share, s=size, axes=(0, 1))
        seen = [np.roll(found, -1, axis) - found + left for axis, left in zip((1, 0), rest, strict=True)]
        length = np.sqrt((seen[0] ** 2 + seen[1] ** 2).sum(axis=2, keepdims=True))
        kept = np.maximum(1 - 1 / (PULL * np.maximum(length, 1e-9)), 0)
        steps = [kept * one for one in seen]
        rest = [one - step for one, step in zip(seen, steps, strict=True)]
    inner = found[FRAME : FRAME + height, FRAME : FRAME + wide]
    return np.asarray(np.clip(255 * inner, 0, 255).round(), np.uint8)
