"""Scans and blurred copies: grain and uneven paper taken out, soft edges made sharp again, in the figure's own pixels.

Paper of a scan is never the same twice: a picture in which hardly a pixel equals its neighbours has grain. Drawn edges
are as sharp as pixels allow: where even the thinnest strokes are wide Gaussians, the picture is out of focus.

Copies in black and white lose their specks and their stairs.

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
from tools.illumination import unevenness
from tools.tints import TINTED, tinted
from tools.types import Figure, Image

Floats32 = NDArray[np.float32]
GRAIN = 0.8, 14.0  # standard deviations, of 255, that are grain: drawings have none at all, textures more
GRAINED = "the picture has the grain of a scan: its paper was made even and white before it was measured"
TWO_TONED = "the picture is a copy in black and white: colours and greys that told its series apart are lost"
NEAR, ALL = 8, 0.999  # of 255: how near to black or white; the share of such pixels in a copy without greys
SPECK, LONELY, STAIRS = 2, 9, 0.6  # square px of a speck; px around it without ink; px of smoothing
RULE, DASH = 2, 6  # px: thickness of a grid line, and length of the crumbs that show its ends
CRUMBS, GAP = 0.3, 0.06  # share of ink that is left of it; longest gap, of the width
CHANCE = 100  # one over the chance of a longer gap anywhere in a rule
FLAT = 0.3  # share of a grainy picture in which neighbours are equal; over one half in drawings, JPEGs too
DARK = 110.0  # of 255: paper that is dark on purpose
SMOOTH = 2.5  # standard deviations of noise that are smoothed away
GHOST = 2.3  # standard deviations of noise by which smears on paper differ from it
DARKER, LETTER, AROUND = 60, 0.05, 10  # contrast of letters, their longest side in shorter sides of the picture, px
AXIS = 0.35  # of the picture's side: how long its axes are at least
LEVEL, HUE = 4.0, 8.0  # units of brightness and of colour that are left of grain and of ripples in a flat place
STEEP = 0.75  # share of an edge that its steepest pixel takes: above 0.85 in drawings, 0.47 after a blur of 0.8 px
FEW = 50  # edges and strokes that tell a blur
BLURRED = 0.55  # px: anti-aliasing is no blur
MOST_BLUR = 3.0  # px
STRONG = 40.0  # of 255: contrast of a stroke that tells the blur
LARGE = 8_000_000  # pixels of a picture that is left out of focus: its strokes are wider than that
FAITH, GRAINY = 30_000.0, 1_200.0  # weight of the picture against short borders, and of one that had grain
PULL, ROUNDS, FRAME = 5.0, 15, 8  # weight that ties borders and limits to the picture; rounds; px of margin


def restored(figure: Figure) -> Figure:
    """The figure on flat white paper where it has the grain of a scan, with sharp edges where it is out of focus.

    A note says what was done. Clean pictures come back as they are.
    """
    pixels, notes = figure.pixels, figure.warnings
    if is_two_toned(pixels):
        return replace(figure, pixels=softened(pixels), warnings=(*notes, TWO_TONED))
    noise = grain(pixels)
    if noise:
        pixels = even(pixels, noise)
        notes += (GRAINED,)
    width = blur(pixels)
    if width:
        pixels = sharp(pixels, width, GRAINY if noise else FAITH)
        notes += (f"the picture is out of focus by {width:.1f} pixels: it was sharpened before it was measured",)
    if noise or width:
        pixels = flattened(cv2.cvtColor(pixels, cv2.COLOR_RGB2YCrCb).astype(np.float32), LEVEL, HUE)
    if noise:
        pixels = _without_ghosts(pixels, noise)
    if noise and _is_grey(pixels):
        pixels, found = tinted(pixels)
        notes += (TINTED,) * found
    return replace(figure, pixels=pixels, warnings=notes) if noise or width else figure


def lost_tones(figure: Figure) -> tuple[str, ...]:
    """The notes of `restored` after which no reading is sure: tones that told series apart may be gone."""
    return tuple(note for note in figure.warnings if note in (GRAINED, TWO_TONED))


def is_two_toned(pixels: Image) -> bool:
    """Whether an image (H, W, 3) uint8 is a copy in black and white, without any grey of anti-aliasing."""
    light = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    dark, bright = (light < NEAR), (light > 255 - NEAR)
    return bool((dark | bright).mean() > ALL and dark.any() and bright.any())


def softened(pixels: Image) -> Image:
    """A black-and-white image (H, W, 3) uint8 without lone specks of either tone, its stairs smoothed."""
    ink = (cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY) < 128).astype(np.uint8)
    for tone in (1, 0):
        own = (ink == tone).astype(np.uint8)
        _, labels, stats, _ = cv2.connectedComponentsWithStats(own, connectivity=8)
        around = cv2.boxFilter(own, cv2.CV_32S, (LONELY, LONELY), normalize=False, borderType=cv2.BORDER_CONSTANT)
        area = stats[:, cv2.CC_STAT_AREA][labels]
        ink[(own > 0) & (area <= SPECK) & (around <= area)] = 1 - tone
    _mend_rules(ink)
    _mend_rules(ink.T)
    soft = cv2.GaussianBlur((1 - ink) * np.uint8(255), (0, 0), STAIRS)
    return np.asarray(cv2.cvtColor(soft, cv2.COLOR_GRAY2RGB), np.uint8)


def _mend_rules(ink: NDArray[np.uint8]) -> None:
    """Fills the gaps of pale grid lines of which a copy left crumbs along a row of `ink` (H, W), in place.

    A rule is thin, and has ink all along at least half of the width; its gaps are much shorter.
    """
    width = ink.shape[1]
    thick = np.asarray(cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones((RULE + 1, 1), np.uint8)), np.uint8)
    thin = ink & (1 - thick)
    long = cv2.morphologyEx(thin, cv2.MORPH_OPEN, np.ones((1, DASH), np.uint8))
    found = []
    for row in np.flatnonzero(long.sum(axis=1) > CRUMBS * width / 5):
        at = np.flatnonzero(ink[row])
        for part in np.split(at, np.flatnonzero(np.diff(at) > GAP * width) + 1):
            span = slice(int(part[0]), int(part[-1]) + 1)
            free, inked = span.stop - span.start - int(thick[row, span].sum()), int(thin[row, span].sum())
            if span.stop - span.start >= width / 2 and inked >= CRUMBS * free >= CRUMBS * width / 5:
                longest = _longest_gap(inked / free, free)
                for piece in np.split(part, np.flatnonzero(np.diff(part) > longest) + 1):
                    dashes = piece[long[row, piece] > 0]
                    if len(dashes):
                        found.append((row, int(piece[0]), int(piece[-1]) + 1, int(dashes[0]), int(dashes[-1]) + 1))
    first, last = min((one[3] for one in found), default=0), max((one[4] for one in found), default=0)
    for row, start, stop, _, _ in found:  # not through the labels beside the plot
        ink[row, max(first, start) : min(last, stop)] = 1


def _longest_gap(share: float, length: int) -> float:
    """The longest gap (px) that chance leaves in a rule of this length of which this share is inked, or nearly.

    Wider ones part the rules of two plots, or a rule from a label.
    """
    return float(np.log(CHANCE * length) / -np.log1p(-min(share, 0.999))) + 1


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
    """The image (H, W, 3) uint8 RGB of a scan with this noise, smooth and on even white paper.

    Paper is the colour of most of the margin; on dark paper only noise and unevenness go.
    """
    level = pixels / unevenness(pixels)[..., None]
    paper = _margin(level)
    gain = 255 / np.maximum(paper, 1) if paper.min() > DARK else np.ones(3, np.float32)
    level *= gain
    level = np.rint(np.clip(level, 0, 255, out=level), out=level).astype(np.uint8)  # in place: scans are large
    strength = float(SMOOTH * noise * gain.mean())
    if not _is_grey(pixels):
        return np.asarray(cv2.fastNlMeansDenoising(level, None, strength, 5, 15), np.uint8)
    calm = cv2.fastNlMeansDenoising(np.ascontiguousarray(level[..., 1]), None, strength, 5, 15)
    return np.asarray(cv2.cvtColor(calm, cv2.COLOR_GRAY2RGB), np.uint8)


def _without_ghosts(pixels: Image, noise: float) -> Image:
    """The image (H, W, 3) uint8 without smears of pale strokes, which differ from the paper no more than noise did.

    Where strong axes show the plot, they all become paper; else those around letters, as pale strokes that were
    smeared on into labels would lead there.
    """
    paper = np.rint(_margin(pixels.astype(np.float32)))
    away = np.abs(pixels - paper).max(axis=2)
    _, labels, stats, _ = cv2.connectedComponentsWithStats((away > DARKER).astype(np.uint8), connectivity=8)
    sides = stats[:, [cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT]]
    letter = (sides.max(axis=1) <= LETTER * min(pixels.shape[:2])) & (stats[:, cv2.CC_STAT_AREA] > SPECK)
    letter[0] = False
    near = cv2.dilate(letter[labels].astype(np.uint8), np.ones((2 * AROUND + 1, 2 * AROUND + 1), np.uint8)) > 0
    near |= _has_axes((away > DARKER).astype(np.uint8))
    ghost = near & np.asarray(away <= GHOST * noise)
    return np.where(ghost[..., None], paper, pixels).astype(np.uint8)


def _has_axes(ink: NDArray[np.uint8]) -> bool:
    """Whether straight strokes run level and upright over large parts of `ink` (H, W), with paper below and beside."""
    found = []
    for part in (ink, ink.T):
        below = np.zeros_like(part)
        below[:-4] = part[4:]
        level = np.ascontiguousarray(part & (1 - below))
        level = cv2.morphologyEx(level, cv2.MORPH_CLOSE, np.ones((1, 9), np.uint8))  # over ticks
        found.append(cv2.erode(level, np.ones((1, max(3, round(AXIS * part.shape[1]))), np.uint8)).any())
    return all(found)


def _is_grey(pixels: Image) -> bool:
    return bool((pixels.max(axis=2) - pixels.min(axis=2) <= 2).all())


def _margin(level: NDArray[np.floating]) -> Floats32:
    """The colour (3) of most of the outermost twentieth of a picture (H, W, 3)."""
    height, width = level.shape[:2]
    inside = np.zeros((height, width), bool)
    rows, columns = max(1, height // 20), max(1, width // 20)
    inside[rows:-rows, columns:-columns] = True
    return np.asarray(np.median(level[~inside], axis=0), np.float32)


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
    three channels together, by split Bregman (Goldstein and Osher 2009). Fills stay flat and nothing rings. No
    colour is brighter than the brightest in sight, the paper's: so thin strokes on it become as dark as they were.
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
    share = 1 / (faith * lens * lens + PULL * smooth + PULL)
    steps, rest = [np.zeros_like(found)] * 2, [np.zeros_like(found)] * 2  # along rows, down columns
    most, within, over = found.max(axis=(0, 1)), found, np.zeros_like(found)
    for _ in range(ROUNDS):
        flows = [step - left for step, left in zip(steps, rest, strict=True)]
        spread = sum(flow - np.roll(flow, 1, axis) for flow, axis in zip(flows, (1, 0), strict=True))
        pulled = within - over - spread
        found = fft.irfft2((told + PULL * fft.rfft2(pulled, axes=(0, 1))) * share, s=size, axes=(0, 1))
        seen = [np.roll(found, -1, axis) - found + left for axis, left in zip((1, 0), rest, strict=True)]
        length = np.sqrt((seen[0] ** 2 + seen[1] ** 2).sum(axis=2, keepdims=True))
        kept = np.maximum(1 - 1 / (PULL * np.maximum(length, 1e-9)), 0)
        steps = [kept * one for one in seen]
        rest = [one - step for one, step in zip(seen, steps, strict=True)]
        within = np.clip(found + over, 0, most)
        over = over + found - within
    inner = within[FRAME : FRAME + height, FRAME : FRAME + wide]
    return np.asarray(np.clip(255 * inner, 0, 255).round(), np.uint8)
