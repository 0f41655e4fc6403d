"""Colours of ink: distances in Lab, the paper, the noise, and the unmixing of anti-aliased pixels.

Every pixel of a drawing is paper, one ink, or the edge between two of them, so a pixel is explained by at most two
colours, and the share of each is its coverage (linear in the stored RGB values, as drawing libraries blend them).

Not handled here: which colour is a series (`palette`), textures, photographs, gamma-correct blending.
"""

from __future__ import annotations

import cv2
import numba
import numpy as np
from numpy.typing import ArrayLike, NDArray

from tools.types import Floats, Image, Rgb

Floats32 = NDArray[np.float32]
Bits = NDArray[np.int64]
Mask = NDArray[np.bool_]
PAPER_BIT = 62  # bit of the paper in a bit set of colours; the colours themselves are bits 0, 1, 2, ...
COLOURLESS = 24  # greatest difference between the channels of a grey


def lab(rgb: ArrayLike) -> Floats:
    """CIE L*a*b* (D65; L 0 to 100) of RGB values 0 to 255, shape (..., 3)."""
    values = np.asarray(rgb, dtype=np.float32)
    if not values.size:
        return np.zeros(values.shape)
    flat = np.ascontiguousarray(values.reshape(-1, 1, 3) / np.float32(255.0))
    return np.asarray(cv2.cvtColor(flat, cv2.COLOR_RGB2LAB), dtype=np.float64).reshape(values.shape)


def lab_distance(one: ArrayLike, other: ArrayLike) -> Floats:
    """Euclidean distance in Lab of RGB colours (..., 3), broadcast over the leading axes; about 2 is just visible."""
    return np.asarray(np.linalg.norm(lab(one) - lab(other), axis=-1))


def chroma(rgb: ArrayLike) -> Floats:
    """Distance from grey in Lab: 0 for greys, 100 and more for pure colours."""
    return np.asarray(np.linalg.norm(lab(rgb)[..., 1:], axis=-1))


def contrast(pixels: NDArray[np.generic], colour: ArrayLike) -> Floats32:
    """Largest difference of the three channels (...) between pixels and a colour, or pixels (..., 3)."""
    apart = np.abs(np.asarray(pixels, dtype=np.float32) - np.asarray(colour, dtype=np.float32))
    return np.asarray(np.maximum(np.maximum(apart[..., 0], apart[..., 1]), apart[..., 2]))


def as_rgb(colour: ArrayLike) -> Rgb:
    """A colour as three whole numbers 0 to 255."""
    red, green, blue = (int(v) for v in np.clip(np.rint(np.asarray(colour, dtype=np.float64)), 0, 255))
    return red, green, blue


def colourless(colour: Rgb) -> bool:
    """Black, white and greys.

    >>> colourless((120, 130, 125)), colourless((200, 90, 90))
    (True, False)
    """
    return max(colour) - min(colour) <= COLOURLESS


def is_like(colour: Rgb, other: Rgb) -> bool:
    """Whether two colours cannot be told apart in print."""
    return max(abs(a - b) for a, b in zip(colour, other, strict=True)) < 12


def codes(pixels: NDArray[np.generic], bits: int = 5) -> NDArray[np.int64]:
    """One whole number per pixel: its RGB value cut to this many bits a channel."""
    cut = np.asarray(pixels, dtype=np.int64) >> (8 - bits)
    return np.asarray((cut[..., 0] << (2 * bits)) | (cut[..., 1] << bits) | cut[..., 2])


def modal_colour(pixels: NDArray[np.generic], spread: float = 10.0) -> Floats:
    """The most frequent colour (3,) of pixels (n, 3): the median of those near the fullest cell of a histogram."""
    packed = codes(pixels)
    fullest = np.bincount(packed, minlength=1).argmax()
    values = np.asarray(pixels, dtype=np.float32)
    near = contrast(values, np.median(values[packed == fullest], axis=0)) <= spread
    return np.asarray(np.median(values[near], axis=0), dtype=np.float64)


def paper_colour(pixels: Image) -> Floats:
    """The paper of a plot area (h, w, 3): frequent, also along the top, and pale or dark rather than colourful.

    Areas and bars may cover more than half of a plot but seldom its upper border, hence the second vote.
    """
    height, width = pixels.shape[:2]
    inner = pixels[min(3, height // 8) : height - min(3, height // 8), min(3, width // 8) : width - min(3, width // 8)]
    step = max(1, round((inner.shape[0] * inner.shape[1] / 250_000) ** 0.5))
    inner = inner[::step, ::step]
    everywhere = codes(inner).ravel()
    top = codes(inner[: max(1, inner.shape[0] // 50)]).ravel()
    cells, counts = np.unique(everywhere, return_counts=True)
    tops = np.bincount(np.searchsorted(cells, top), minlength=len(cells))
    score = counts / everywhere.size + tops / max(1, top.size)
    flat = inner.reshape(-1, 3)
    seeds = {int(k): np.median(flat[everywhere == cells[k]], axis=0) for k in np.argsort(-score)[:6]}
    best = max(seeds, key=lambda k: float(score[k]) + float(_like_paper(seeds[k])))
    near = contrast(flat, seeds[best]) <= 6
    return np.asarray(np.median(flat[near], axis=0), dtype=np.float64)


def margin_colour(pixels: Image) -> Floats:
    """The commonest colour, (3,) float64, along the four borders of a figure (H, W, 3), four pixels wide."""
    sides = (pixels[:4], pixels[-4:], pixels[:, :4], pixels[:, -4:])
    return modal_colour(np.concatenate([side.reshape(-1, 3) for side in sides]))


def is_paper_of(paper: Floats, pixels: Image) -> bool:
    """Whether `paper` (3,), that of a figure's margin, is that of its plot area (h, w, 3) too.

    It is no rule or sliver there, and the marks leave it nearly all of the upper or the right border, which bars and
    areas seldom reach.
    """
    like = contrast(pixels[3:-3, 3:-3], paper) <= 6
    if not like.size or like.mean() < 0.15:
        return False
    height, width = like.shape
    return bool(max(like[: max(1, height // 50)].mean(), like[:, -max(1, width // 50) :].mean()) > 0.8)


def _like_paper(colour: Floats) -> bool:
    lightness = float(lab(colour)[0])
    return float(chroma(colour)) < 10 and (lightness > 85 or lightness < 25)


def noise_level(pixels: Image, paper: Floats) -> float:
    """How far (0 to 255, largest channel) paper pixels stray from the paper colour: 0 for PNG, 2 to 8 for JPEG."""
    stray = contrast(pixels, paper)
    near = stray[stray < 16]
    return float(np.percentile(near, 90)) if near.size else 0.0


@numba.njit(cache=True)
def _mixture(pixel: Floats32, one: Floats32, other: Floats32) -> tuple[float, float]:
    """Share of `other` in the mixture of two colours nearest to a pixel, and the squared distance from it."""
    dot = 0.0
    size = 0.0
    for c in range(3):
        step = other[c] - one[c]
        dot += (pixel[c] - one[c]) * step
        size += step * step
    if size < 1.0:
        return 0.0, np.inf
    share = min(1.0, max(0.0, dot / size))
    rest = 0.0
    for c in range(3):
        apart = pixel[c] - one[c] - share * (other[c] - one[c])
        rest += apart * apart
    return share, rest


@numba.njit(cache=True)
def _strangeness(share: float, one: int, other: int, bits: int, far: float) -> float:
    """What it costs to see colours (0 the background, then 1, 2, ...) that are not pure nearby."""
    cost = 0.0
    if share > 0.02 and not (bits >> (other - 1)) & 1:
        cost += far
    if share < 0.98:
        if one == 0:
            cost += 0.0 if (bits >> 62) & 1 else 0.5 * far
        else:
            cost += 0.5 if (bits >> (one - 1)) & 1 else far + 0.5
    return cost


@numba.njit(cache=True)
def _alike(pixels: Floats32, background: Floats32, near: Bits, y: int, x: int) -> bool:
    """True if a pixel and all that counts for it equals its left neighbour (in fills, nearly always)."""
    for c in range(3):
        if pixels[y, x, c] != pixels[y, x - 1, c] or background[y, x, c] != background[y, x - 1, c]:
            return False
    return bool(near[y, x] == near[y, x - 1])


@numba.njit(cache=True)
def _unmix(
    pixels: Floats32, background: Floats32, todo: Mask, palette: Floats32, near: Bits, tolerance: float, far: float
) -> tuple[NDArray[np.int16], NDArray[np.int16], Floats32, Floats32]:
    height, width = todo.shape
    count = palette.shape[0]
    first = np.full((height, width), -1, np.int16)
    second = np.full((height, width), -1, np.int16)
    share = np.zeros((height, width), np.float32)
    error = np.zeros((height, width), np.float32)
    inks = np.empty((count + 1, 3), np.float32)
    inks[1:] = palette
    for y in range(height):
        for x in range(width):
            if not todo[y, x]:
                continue
            if x > 0 and todo[y, x - 1] and _alike(pixels, background, near, y, x):
                first[y, x], second[y, x] = first[y, x - 1], second[y, x - 1]
                share[y, x], error[y, x] = share[y, x - 1], error[y, x - 1]
                continue
            inks[0] = background[y, x]
            best = np.inf
            for j in range(1, count + 1):
                for i in range(j):
                    a, rest = _mixture(pixels[y, x], inks[i], inks[j])
                    cost = rest / (tolerance * tolerance) + _strangeness(a, i, j, near[y, x], far)
                    if cost < best:
                        best = cost
                        first[y, x] = i - 1
                        second[y, x] = j - 1
                        share[y, x] = a
                        error[y, x] = rest
    return first, second, share, error


@numba.njit(cache=True)
def _fill(coverage: Floats32, first: NDArray[np.int16], second: NDArray[np.int16], share: Floats32) -> None:
    for y in range(share.shape[0]):
        for x in range(share.shape[1]):
            if second[y, x] >= 0:
                coverage[second[y, x], y, x] = share[y, x]
            if first[y, x] >= 0:
                coverage[first[y, x], y, x] = 1.0 - share[y, x]


def unmix(
    pixels: Floats32, background: Floats32, todo: Mask, palette: Floats, near: Bits, tolerance: float, far: float = 4.0
) -> tuple[Floats32, Floats32]:
    """Coverage of every palette colour and what stays unexplained.

    `pixels`, `background` (h, w, 3), 0 to 255; `todo` (h, w): pixels to explain; `palette` (k, 3); `near` (h, w): bit
    set of the colours (bit `PAPER_BIT`: the background) found pure close by, which are preferred: others cost `far`
    more, in units of squared distance over `tolerance` squared. Returns coverage (k, h, w), 0 to 1, the background
    having the rest, and the distance in RGB that is left (h, w).
    """
    count = len(palette)
    coverage = np.zeros((count, *todo.shape), dtype=np.float32)
    if not count:
        rest = np.where(todo, np.linalg.norm(pixels - background, axis=2), 0.0)
        return coverage, np.asarray(rest, dtype=np.float32)
    first, second, share, error = _unmix(
        pixels, background, todo, np.asarray(palette, dtype=np.float32), near, float(tolerance), float(far)
    )
    _fill(coverage, first, second, share)
    return coverage, np.sqrt(error)


def presence(coverage: Floats32, background: Mask, radius: int = 2, strong: float = 0.6) -> Bits:
    """Bit set (h, w) of the colours with a strongly covered pixel, and of the paper, within `radius` pixels."""
    kernel = np.ones((2 * radius + 1, 2 * radius + 1), np.uint8)
    near = np.zeros(background.shape, dtype=np.int64)
    for k, layer in enumerate(coverage):
        found = cv2.dilate((layer >= strong).astype(np.uint8), kernel)
        near |= found.astype(np.int64) << k
    near |= np.asarray(cv2.dilate(background.astype(np.uint8), kernel), dtype=np.int64) << PAPER_BIT
    return near
