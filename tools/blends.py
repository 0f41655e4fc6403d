"""Colours that are no ink of their own: overlaps of translucent fills, and shades of one ink at its edges.

Not handled here: overlaps of three or more fills of different opacity, which stay layers of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.colour import Floats32, Mask, lab_distance
from tools.translucent import overlaps_of
from tools.types import Floats

CLOSE = 16.0  # RGB units between an overlap and what two fills would give
EXACT = 5.0  # RGB units, where all three are fills without doubt
ACROSS = 15  # px: size of what finds the fills on both sides of an outline
TINT = (0.08, 0.6)  # opacity of a band
FLAT = 3.0  # RGB units within a flat place, and between it and its colour
SHADE = 12.0  # Lab units between shades of one ink


def find_blends(palette: Floats, paper: Floats, coverage: Floats32, keep: Sequence[int]) -> dict[int, tuple[int, ...]]:
    """For every colour that is no ink of its own, the colours (indices) that its ink belongs to.

    `palette` (k, 3), `coverage` (k, h, w); colours in `keep` are named by the legend and stay.
    """
    strong = coverage >= 0.5
    wide, wider = (
        np.array([cv2.dilate(s.astype(np.uint8), np.ones((size, size), np.uint8)) > 0 for s in strong], dtype=bool)
        for size in (5, ACROSS)
    )
    order = [k for k in np.argsort(strong.sum(axis=(1, 2))).tolist() if k not in keep and strong[k].any()]
    filled = [k for k in range(len(palette)) if is_fill(strong[k])]
    found = overlaps_of(filled, palette, paper, lambda a, b: bool((strong[a] & wider[b]).any()), keep)
    for k in (
        k for k in order if k in filled and k not in found
    ):  # fills over each other hide their strokes, and may be large
        fills = [j for j in filled if j != k and j not in found]
        if into := _overlap_of(k, fills, palette, paper, strong, wider, EXACT):
            found[k] = into
    for k in (k for k in order if k not in found):
        others = [j for j in range(len(palette)) if j != k and j not in found]
        into = _shade_of(k, others, palette, paper, strong, wide, keep) or _overlap_of(
            k, others, palette, paper, strong, wide, CLOSE
        )
        if into:
            found[k] = into
    return found


def merge_blends(coverage: Floats32, blends: dict[int, tuple[int, ...]]) -> tuple[NDArray[np.intp], Floats32]:
    """Coverage (k, h, w) of the colours that stay, the blends added to theirs, and the indices of these."""
    for k in blends:  # smallest first, so a blend of a blend is passed on
        for j in blends[k]:
            coverage[j] = np.minimum(coverage[j] + coverage[k], 1)
    stays = np.array([k for k in range(len(coverage)) if k not in blends], dtype=np.intp)
    return stays, coverage[stays]


def find_veils(palette: Floats, paper: Floats, coverage: Floats32, keep: Sequence[int]) -> list[int]:
    """Colours (indices) of translucent bands: pale tints of another ink that cover more ground than it does.

    `palette` (k, 3), `coverage` (k, h, w); colours in `keep` are named by the legend. What lies under or over a veil
    is seen all the same.
    """
    amount = coverage.sum(axis=(1, 2))
    found = []
    for pale in (k for k in range(len(palette)) if k not in keep):
        weak = palette[pale] - paper
        for full in (k for k in range(len(palette)) if k != pale):
            strong = palette[full] - paper
            share = float(weak @ strong / max(float(strong @ strong), 1.0))
            aside = float(np.abs(weak - share * strong).max())
            if TINT[0] < share < TINT[1] and aside < 10 and amount[pale] > 1.5 * amount[full]:
                found.append(pale)
                break
    return found


def _shade_of(
    k: int, others: Sequence[int], palette: Floats, paper: Floats, strong: Mask, wide: Mask, keep: Sequence[int]
) -> tuple[int, ...]:
    """The ink of which `k` is a shade (translucent markers over each other): like it, and bordering it everywhere."""
    for j in sorted(others, key=lambda j: j not in keep):
        named = j in keep
        if float(lab_distance(palette[k], palette[j])) > (1.6 if named else 1) * SHADE:
            continue
        if not named and strong[k].sum() > strong[j].sum():
            continue
        one, other = palette[k] - paper, palette[j] - paper
        size = float(np.linalg.norm(one) * np.linalg.norm(other))
        if size > 0 and float(one @ other) / size > 0.985 and _bordering(strong[k], wide[j]) > 0.5:
            return (j,)
    return ()


def _bordering(part: Mask, wide: Mask) -> float:
    """Share of the connected pieces of `part`, by size, that touch `wide`."""
    _, labels = cv2.connectedComponents(part.astype(np.uint8), connectivity=8)
    touching = np.unique(labels[wide & part])
    return float(np.isin(labels[part], touching).mean())


def is_fill(mask: Mask) -> bool:
    """Whether a fair share of these pixels (h, w) lies two pixels inside: no stroke, no rim."""
    inner = cv2.erode(mask.astype(np.uint8), np.ones((5, 5), np.uint8))
    return int(inner.sum()) >= 0.2 * int(mask.sum()) > 0


def _is_thick(mask: Mask, share: float) -> bool:
    """Whether at least this share of the pixels (h, w) has like ones on all sides."""
    inner = cv2.erode(mask.astype(np.uint8), np.ones((3, 3), np.uint8))
    return int(inner.sum()) >= share * int(mask.sum()) > 0


def _overlap_of(
    k: int, others: Sequence[int], palette: Floats, paper: Floats, strong: Mask, wide: Mask, close: float
) -> tuple[int, ...]:
    """The two fills whose translucent overlap has colour `k`, within `close` RGB units; the nearest in colour.

    A fill seen on paper as B that lies over one seen as A shows B + s (A - paper), where s is how much B lets through.
    """
    if not _is_thick(strong[k], 0.2):
        return ()
    fills = [j for j in others if _is_thick(strong[j], 0.05)]  # ends of bars on a grid line are one row of a shade
    best: tuple[int, ...] = ()
    for i in fills:
        for j in fills:
            if i == j or not (strong[k] & wide[i]).any() or not (strong[k] & wide[j]).any():
                continue
            step = palette[i] - paper
            through = float((palette[k] - palette[j]) @ step / max(1.0, float(step @ step)))
            aside = float(np.linalg.norm(palette[k] - palette[j] - through * step))
            if 0.25 < through < 0.97 and aside < close and np.linalg.norm(step) > 25:
                best, close = (i, j), aside
    return best


def settle_flat(pixels: Floats32, ink: Mask, palette: Floats, coverage: Floats32) -> Floats32:
    """The coverage (k, h, w), flat places wholly given to the colour that they have: a grey may else pass for so much
    of a darker one on paper.

    pixels: (h, w, 3) float32 RGB. Flat is what differs by less than `FLAT` from all its eight neighbours.
    """
    kernel = np.ones((3, 3), np.uint8)
    spread = (cv2.dilate(pixels, kernel) - cv2.erode(pixels, kernel)).max(axis=2)
    flat = ink & (spread <= FLAT)
    found = coverage
    for k, colour in enumerate(palette):
        own = flat & (np.abs(pixels - colour.astype(np.float32)).max(axis=2) <= FLAT)
        if own.any() and float(coverage[k][own].min()) < 1.0:
            found = found.copy() if found is coverage else found
            found[:, own] = 0.0
            found[k][own] = 1.0
    return found
