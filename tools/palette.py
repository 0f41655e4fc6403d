"""The colours of the data inks of a plot area: fills first, then thin strokes that never reach full coverage.

Fills show flat spots of one colour. A thin anti-aliased stroke only leaves mixtures on the straight line in RGB from
the background to its colour, so it is found as a direction and its colour is the far end of that line.

Not handled here: gradients and colour maps (each would give many colours), patterns.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.colour import PAPER_BIT, Floats32, Mask, chroma, codes, contrast, lab_distance, unmix
from tools.types import Floats, Rgb

MOST = 24  # colours; more would be a picture, not a chart
SAME = 7.0  # Lab units under which two colours are one
GREY = 10.0  # chroma under which a colour is black, white or grey
RIM = (0.75, 0.98)  # of the way from the paper to a colour: where its rim may lie
ASIDE = 10.0  # RGB units by which a rim may lie off that way
FAINT = 30.0  # of 255: weaker ink says nothing on its colour


def find_palette(
    pixels: Floats32, background: Floats32, ink: Mask, known: Sequence[Rgb] = (), noise: float = 0.0
) -> Floats:
    """Colours (k, 3) of the inks in `ink` (h, w): those of `known` that are drawn, then the others, fullest first."""
    tolerance = max(6.0, 3 * noise)
    fewest = max(12, int(0.0004 * ink.size))
    drawn = [c for c in _distinct(known) if _is_drawn(pixels, ink, c, tolerance)]
    palette = [
        np.array(c, dtype=np.float64) for c in drawn if not any(_is_rim(pixels, background, ink, c, o) for o in drawn)
    ]
    palette = _add_fills(palette, pixels, ink, fewest, tolerance)
    sure = len(palette)
    for _ in range(MOST):
        rest = _unexplained(pixels, background, ink, palette, tolerance)
        colour = _stroke_colour(pixels, background, rest, fewest)
        if colour is None or len(palette) >= MOST:
            break
        if any(float(lab_distance(c, colour)) <= SAME for c in palette[:sure]):
            break
        palette[sure:] = [c for c in palette[sure:] if float(lab_distance(c, colour)) > SAME]
        palette.append(colour)
    return np.array(palette, dtype=np.float64).reshape(-1, 3)


def _distinct(known: Sequence[Rgb]) -> list[Rgb]:
    """Known colours without those that are a shade of another one: thin dashes look paler than a solid line."""
    kept: list[Rgb] = []
    for colour in sorted(dict.fromkeys(known), key=lambda c: (known.count(c), -sum(c)), reverse=True):
        if all(float(lab_distance(colour, other)) > SAME or chroma(other) > GREY for other in kept):
            kept.append(colour)
    return [colour for colour in dict.fromkeys(known) if colour in kept]


def _is_drawn(pixels: Floats32, ink: Mask, colour: Rgb, tolerance: float) -> bool:
    near = contrast(pixels, colour) <= max(10.0, tolerance)
    return int((near & ink).sum()) >= 3


def _is_rim(pixels: Floats32, background: Floats32, ink: Mask, pale: Rgb, full: Rgb) -> bool:
    """Whether a legend's colour is what anti-aliasing made of another one there: on the way from the paper to it, near
    its end, and in the plot only beside it."""
    if pale == full:
        return False
    paper = np.median(background.reshape(-1, 3)[:: max(1, background.size // 30_000)], axis=0)
    weak, strong = np.array(pale, dtype=np.float64) - paper, np.array(full, dtype=np.float64) - paper
    share = float(weak @ strong / max(1.0, float(strong @ strong)))
    if not RIM[0] < share < RIM[1] or float(np.abs(weak - share * strong).max()) > ASIDE:
        return False
    own = (contrast(pixels, pale) <= 10) & ink
    beside = cv2.dilate(((contrast(pixels, full) <= 10) & ink).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    return bool((own & beside).sum() > 0.8 * own.sum())


def _flat(pixels: Floats32, ink: Mask, tolerance: float) -> Mask:
    """Pixels whose 3 x 3 neighbourhood is ink of one colour."""
    kernel = np.ones((3, 3), np.uint8)
    spread = (cv2.dilate(pixels, kernel) - cv2.erode(pixels, kernel)).max(axis=2)
    inside = cv2.erode(ink.astype(np.uint8), kernel, borderType=cv2.BORDER_REPLICATE) > 0
    return np.asarray((spread <= tolerance) & inside)


def _add_fills(palette: list[Floats], pixels: Floats32, ink: Mask, fewest: int, tolerance: float) -> list[Floats]:
    """Adds the colours that have flat spots."""
    found = list(palette)
    values = pixels[_flat(pixels, ink, tolerance)]
    while len(values) >= fewest and len(found) < MOST:
        packed = codes(values)
        fullest = np.bincount(packed).argmax()
        seed = np.median(values[packed == fullest], axis=0)
        near = contrast(values, seed) <= 1.5 * tolerance
        if near.sum() < fewest:
            break
        colour = np.median(values[near], axis=0).astype(np.float64)
        if not found or lab_distance(np.array(found), colour).min() > SAME:
            found.append(colour)
        values = values[~near]
    return found


def _unexplained(pixels: Floats32, background: Floats32, ink: Mask, palette: list[Floats], tolerance: float) -> Mask:
    everything = np.full(ink.shape, (1 << len(palette)) - 1 | 1 << PAPER_BIT, dtype=np.int64)
    _, rest = unmix(pixels, background, ink, np.array(palette).reshape(-1, 3), everything, tolerance)
    return np.asarray(ink & (rest > 2 * tolerance))


def _stroke_colour(pixels: Floats32, background: Floats32, rest: Mask, fewest: int) -> Floats | None:
    """The far end of the direction from the background that most of the unexplained ink lies on."""
    step = (pixels - background)[rest]
    size = np.linalg.norm(step, axis=1)
    strong = size >= FAINT
    if strong.sum() < fewest:
        return None
    step, size, ends = step[strong], size[strong], pixels[rest][strong]
    unit = step / size[:, None]
    cells = codes((unit + 1) * 127.5, 4)
    fullest = np.bincount(cells, weights=size).argmax()
    axis = np.median(unit[cells == fullest], axis=0)
    axis /= np.linalg.norm(axis)
    along = step @ axis
    aside = np.linalg.norm(step - along[:, None] * axis, axis=1)
    near = (aside <= np.maximum(10.0, 0.12 * size)) & (along > 0)
    if near.sum() < fewest:
        return None
    far = along >= np.percentile(along[near], 90)
    return np.asarray(np.median(ends[near & far], axis=0), dtype=np.float64)


def full_colour(inks: Floats32, paper: Floats, colour: Rgb, others: Sequence[Rgb] = ()) -> Floats:
    """The full-coverage colour of the ink whose thin, perhaps pale, sample has this `colour`.

    `inks` (n, 3) are inked pixels of the plot. Those on the straight line from the paper through `colour`, and beyond
    it, are coverages of one ink; its colour is where they end. `others` are colours of other inks, which do not count.
    """
    start = np.array(colour, dtype=np.float64)
    step = start - paper
    size = float(np.linalg.norm(step))
    if size < FAINT or not len(inks):
        return start
    along = (inks - paper) @ step / (size * size)
    aside = np.linalg.norm(inks - paper - along[:, None] * step, axis=1)
    own = (aside <= np.maximum(8.0, 0.07 * along * size)) & (along > 0.5)
    for other in others:
        own &= contrast(inks, other) > 10
    beyond = own & (along > 1.1)
    if beyond.sum() < max(12, 0.15 * own.sum()):
        return start
    far = along >= np.percentile(along[beyond], 80)
    return np.asarray(np.median(inks[beyond & far], axis=0), dtype=np.float64)


def drop_fringes(
    palette: Floats, paper: Floats, coverage: Floats32, keep: Sequence[int], tracks: Mask, fewest: int
) -> NDArray[np.intp]:
    """Indices of the palette colours that stand on their own.

    Dropped are speckles of fewer than `fewest` pixels, fringes (mixtures of stronger colours whose thin ink lies
    between them), and mixtures with a frame or grid line (thin ink on `tracks`). Indices in `keep` always stay.
    """
    count = len(palette)
    strong = coverage >= 0.5
    sizes = strong.sum(axis=(1, 2))
    kernel = np.ones((5, 5), np.uint8)
    wide = np.array([cv2.dilate(s.astype(np.uint8), kernel) for s in strong], dtype=np.uint8)
    stays = []
    for k in range(count):
        others = [j for j in range(count) if j != k and (sizes[j] > sizes[k] or j in keep)]
        free = strong[k] & ~tracks
        beside = free.sum() >= 0.4 * sizes[k] or cv2.erode(free.astype(np.uint8), np.ones((3, 3))).sum() >= fewest
        alone = sizes[k] >= fewest and beside  # lollipops may lie along grid lines with all but their heads
        if k in keep or (alone and not _is_fringe(k, others, palette, paper, strong[k], wide)):
            stays.append(k)
    return np.array(stays, dtype=np.intp)


def _is_fringe(
    k: int, others: list[int], palette: Floats, paper: Floats, strong: Mask, wide: NDArray[np.uint8]
) -> bool:
    """True if the ink of colour `k` is thin, lies nearly all within 2 px of two other colours, and could mix them."""
    size = int(strong.sum())
    thick = int(cv2.erode(strong.astype(np.uint8), np.ones((3, 3), np.uint8)).sum())
    if len(others) < 2 or thick > 0.1 * size:
        return False
    between = wide[others].sum(axis=0)[strong] >= 2
    touching = [j for j in others if wide[j][strong].mean() > 0.1]
    hull = np.vstack((palette[touching], paper[None]))
    inside = (palette[k] >= hull.min(axis=0) - 6).all() and (palette[k] <= hull.max(axis=0) + 6).all()
    return bool(between.mean() > 0.7 and inside)
