"""Pictures that went through JPEG: the colours of thin strokes sharpened, fills made flat again, ringing removed.

JPEG keeps brightness at full resolution and colour at half of it, each with an error that shows as ripples beside every
edge. The brightness of a chart is therefore nearly right, and its colours are functions of it: beside a stroke on paper
or a border between two fills, colour is linear in brightness (guided filtering, He, Sun and Tang 2010, fitted against
brightness at colour's resolution).

Not handled here: photographs; the grain of scans and blur (`scans`).
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.types import Figure, Image

Floats32 = NDArray[np.float32]
RIPPLES = 0.08  # share of bumps beside edges: 0.10 to 0.18 after JPEG of any quality, mostly below 0.01 without
STRONG = 40  # of 255: the step of an edge
SMALL = 12  # of 255: the step of a ripple
RADIUS = 3  # px of the window in which colour is a function of brightness
FAINT = 30.0  # variance of brightness below which it tells nothing on colour
EDGE = 14.0  # units of brightness that are smoothed away
MOST, LEAST = 16, 0.002  # flat colours, and the share of the picture that one has
LIGHT, TINT = 10.0, 20.0  # units of brightness and of colour by which a flat colour may be off
BORDER = 2  # px on both sides of a border between two fills
STEEPER = 3.0  # how much such a border is sharpened
OVERSHOOT = 0.3  # of the step between two flat colours, by which resampling goes beyond them beside an edge
ASIDE = 14.0  # RGB units that a pixel of such a border may lie off the line between their colours


def without_artefacts(figure: Figure) -> Figure:
    """The figure with clean colours where ripples show that it was a JPEG, with a note; else the figure itself."""
    if ripples(figure.pixels) < RIPPLES:
        return figure
    note = "the picture has the ripples of a JPEG: its colours were cleaned before they were measured"
    return replace(figure, pixels=cleaned(figure.pixels), warnings=(*figure.warnings, note))


def ripples(pixels: Image) -> float:
    """The share of places close to the strong edges of an image (H, W, 3) uint8 that are small bumps or dents."""
    light = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY).astype(np.int16)
    edges = np.zeros(light.shape, np.uint8)
    edges[:, 1:] |= np.abs(np.diff(light, axis=1)) > STRONG
    edges[1:] |= np.abs(np.diff(light, axis=0)) > STRONG
    near = cv2.dilate(edges, np.ones((13, 13), np.uint8)) > 0  # JPEG spreads its errors over blocks of 8 x 8
    return float(np.mean([_bumps(light, near), _bumps(light.T, near.T)]))


def _bumps(light: NDArray[np.int16], near: NDArray[np.bool_]) -> float:
    """The share of places in `near` where brightness rises and falls again along the rows, by little."""
    steps = np.diff(light, axis=1).astype(np.int32)
    before, after, place = steps[:, :-1], steps[:, 1:], near[:, 1:-1]
    bump = (before * after < 0) & (np.abs(before) <= SMALL) & (np.abs(after) <= SMALL)
    return float(bump[place].mean()) if place.any() else 0.0


def cleaned(pixels: Image) -> Image:
    """The image (H, W, 3) uint8 RGB without the artefacts of JPEG."""
    return flattened(_sharp_colour(cv2.cvtColor(pixels, cv2.COLOR_RGB2YCrCb).astype(np.float32)))


def flattened(ycc: Floats32, light: float = LIGHT, tint: float = TINT) -> Image:
    """The image (H, W, 3) uint8 RGB of brightness and colour (YCrCb, 0 to 255): what is nearly flat has one colour.

    light, tint: units of brightness and of colour by which pixels of one flat colour may be off.
    """
    rounded = np.clip(ycc, 0, 255).round().astype(np.uint8)
    flats, label = _flatten(ycc, rounded, light, tint)
    rgb = cv2.cvtColor(rounded, cv2.COLOR_YCrCb2RGB).astype(np.float32)
    if not len(flats):
        return np.asarray(rgb, np.uint8)
    palette = np.clip(flats, 0, 255).round().astype(np.uint8)[None]
    colours = cv2.cvtColor(palette, cv2.COLOR_YCrCb2RGB)[0].astype(np.float32)
    rgb[label >= 0] = colours[label[label >= 0]]
    _sharpen_borders(rgb, colours, label)
    return np.asarray(np.clip(rgb, 0, 255).round(), np.uint8)


def _sharp_colour(ycc: Floats32) -> Floats32:
    """Colour (two of three channels) as the linear function of sharp brightness that it is of blurred brightness."""
    light = ycc[..., 0]
    height, width = light.shape
    half = cv2.resize(light, ((width + 1) // 2, (height + 1) // 2), interpolation=cv2.INTER_AREA)
    soft = np.asarray(cv2.resize(half, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
    mean = _mean(soft)
    variance = np.maximum(_mean(soft * soft) - mean * mean, 0)
    sharp = cv2.bilateralFilter(light, 5, EDGE, 2)
    channels = [sharp]
    for number in (1, 2):
        colour = ycc[..., number]
        middle = _mean(colour)
        shared = _mean(soft * colour) - mean * middle
        spread = np.maximum(_mean(colour * colour) - middle * middle, 1e-3)
        slope = shared / (variance + FAINT)
        told = np.clip(shared * slope / spread, 0, 1)  # the share of colour's variance that brightness explains
        channels.append(told * (middle + slope * (sharp - mean)) + (1 - told) * colour)
    return np.asarray(np.dstack(channels), np.float32)


def _mean(channel: Floats32) -> Floats32:
    return np.asarray(cv2.blur(channel, (2 * RADIUS + 1, 2 * RADIUS + 1)), np.float32)


def _flatten(ycc: Floats32, rounded: Image, light: float, tint: float) -> tuple[Floats32, NDArray[np.int64]]:
    """The flat colours (k, 3) of the picture, commonest first, and which of them each pixel (H, W) has; -1: none."""
    cells = (rounded >> (3 if light > 5 else 2)).astype(np.int64) @ np.array([4096, 64, 1])
    counts = np.bincount(cells.ravel(), minlength=1 << 18)
    flats: list[Floats32] = []
    cost, label = np.ones(cells.shape, np.float32), np.full(cells.shape, -1, np.int64)
    for cell in np.argsort(-counts)[: 3 * MOST]:
        if counts[cell] < LEAST * cells.size or len(flats) == MOST:
            break
        colour = np.median(ycc[cells == cell], axis=0).astype(np.float32)
        if any(_apart(colour, other, light, tint) <= 1 for other in flats):
            continue
        away = _apart(ycc, colour, light, tint)
        near = away < cost
        cost[near], label[near] = away[near], len(flats)
        flats.append(colour)
    return np.array(flats, np.float32).reshape(-1, 3), label


def _apart(ycc: Floats32, colour: Floats32, light: float, tint: float) -> Floats32:
    """How far colours (..., 3) lie from one; 1 is as far as artefacts carry a flat colour."""
    off = np.abs(ycc - colour)
    return np.asarray(np.maximum(off[..., 0] / light, np.hypot(off[..., 1], off[..., 2]) / tint), np.float32)


def _sharpen_borders(rgb: Floats32, colours: Floats32, label: NDArray[np.int64]) -> None:
    """Between two fills, mixtures of their colours become steeper, in place: no third colour may lie between them.

    Borders with the paper (the commonest colour) stay: thin gaps and strokes would be lost.
    """
    kernel = np.ones((2 * BORDER + 1, 2 * BORDER + 1), np.uint8)
    near = [cv2.dilate((label == number).astype(np.uint8), kernel) > 0 for number in range(len(colours))]
    seen, least = rgb.copy(), np.full(label.shape, ASIDE, np.float32)
    for one in range(2, len(colours)):
        for other in range(1, one):
            place = near[one] & near[other] & (label < 0)
            step = colours[one] - colours[other]
            length = float(step @ step)
            if length < 400 or not place.any():
                continue
            mixed = seen[place]
            share = np.clip((mixed - colours[other]) @ step / length, 0, 1)
            off = np.abs(mixed - (colours[other] + share[:, None] * step)).max(axis=1)
            better = off < least[place]
            rows, columns = (index[better] for index in np.nonzero(place))
            steep = np.clip((share[better] - 0.5) * STEEPER + 0.5, 0, 1)
            rgb[rows, columns] = colours[other] + steep[:, None] * step
            least[rows, columns] = off[better]


def without_overshoot(pixels: Image) -> Image:
    """The image (H, W, 3) uint8 RGB without the rims that cubic resampling leaves beside the edges of flat fills.

    A rim lies on the line between two flat colours, a little beyond one of them, and takes that one's colour.
    """
    ycc = cv2.cvtColor(pixels, cv2.COLOR_RGB2YCrCb).astype(np.float32)
    flats, label = _flatten(ycc, ycc.astype(np.uint8), LIGHT, TINT)
    palette = np.clip(flats, 0, 255).round().astype(np.uint8)[None]
    colours = cv2.cvtColor(palette, cv2.COLOR_YCrCb2RGB)[0].astype(np.float32) if len(flats) else flats
    kernel = np.ones((2 * BORDER + 3, 2 * BORDER + 3), np.uint8)
    near = [cv2.dilate((label == number).astype(np.uint8), kernel) > 0 for number in range(len(colours))]
    found, rough = pixels.copy(), label < 0
    for one in range(1, len(colours)):
        for other in range(one):
            rows, columns = np.nonzero(near[one] & near[other] & rough)
            step = colours[one] - colours[other]
            length = float(step @ step)
            if length < 400 or not len(rows):
                continue
            away = pixels[rows, columns] - colours[other]
            share = away @ step / length
            on_line = np.abs(away - share[:, None] * step).max(axis=1) < ASIDE
            for end, beyond in ((other, -share), (one, share - 1)):
                rim = on_line & (beyond > 0) & (beyond < OVERSHOOT)
                found[rows[rim], columns[rim]] = colours[end].round()
    return found
