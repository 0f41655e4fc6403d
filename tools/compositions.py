"""How filled areas were put together: stacked, standing behind each other, or translucent over each other.

Not handled here: the borders (`regions`), which layers are fills (`areas`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.blends import is_fill
from tools.colour import as_rgb, modal_colour
from tools.ink import Layer, PlotInk
from tools.types import Floats, Image, Panel, Rgb

_COVERED = 0.8  # coverage of a pixel that an area fills
_FEWEST = 30  # pixels of a region
_SHADES, _PART, _UNLIKE = 3, 0.3, 24.0  # further colours of a combination; share of what is left; RGB units apart
_SHARED = 0.03  # of the smaller of two areas that must lie in both, for an overlap


@dataclass(frozen=True, eq=False)
class Composition:
    """`under` (series, 1 + regions): 1 where the region, paper first, lies under the top border of the series,
    0 where it does not, 0.5 where it hides the series. `colours` of the regions; `owner` is each series' layer."""

    colours: tuple[tuple[int, int, int], ...]
    owner: tuple[Layer, ...]
    under: Floats
    stacked: bool
    warning: str = ""


def compose(panel: Panel, ink: PlotInk, fills: Sequence[Layer]) -> Composition:
    if len(fills) > 1 and (overlapping := _overlaps(ink, fills)) is not None:
        return overlapping
    ordered = _bottom_up(fills)
    blends = _blends(ordered, np.asarray(ink.background, dtype=np.float64))
    colours = tuple(layer.colour for layer in ordered)
    count = len(ordered)
    if blends:
        single = [k for k in range(count) if k not in blends]
        members = [blends.get(r, frozenset([r])) for r in range(count)]
        under = np.asarray([[0.0, *(float(k in group) for group in members)] for k in single])
        return Composition(colours, tuple(ordered[k] for k in single), under, False)
    if _numbered_from_the_top(ordered):
        hides = [[0.0, *(1.0 if r == k else 0.5 * (r < k) for r in range(count))] for k in range(count)]
        order = list(range(count))[::-1]
        warning = "the areas may be stacked: they were read as standing behind each other"
        return Composition(colours, tuple(ordered[k] for k in order), np.asarray(hides)[order], False, warning)
    under = np.asarray([[0.0, *(float(r <= k) for r in range(count))] for k in range(count)])
    return Composition(colours, tuple(ordered), under, count > 1)


def _overlaps(ink: PlotInk, fills: Sequence[Layer]) -> Composition | None:
    """The areas as they lie over each other, where their layers share pixels: each combination is a region."""
    inside = np.stack([_without_hairs(layer.coverage > _COVERED) for layer in fills])
    sizes = inside.sum(axis=(1, 2))
    shared = [
        (inside[i] & inside[j]).sum() > _SHARED * min(sizes[i], sizes[j])
        for i in range(len(fills)) for j in range(i)
    ]  # fmt: skip
    if not any(shared):
        return None
    combination = (inside * (1 << np.arange(len(fills)))[:, None, None]).sum(axis=0)
    numbers = [n for n in np.unique(combination).tolist() if n and (combination == n).sum() > _FEWEST]
    colours = [as_rgb(modal_colour(ink.pixels[combination == n])) for n in numbers]
    for n in [*numbers]:
        more = _darker(ink, combination == n, colours)
        numbers += [n] * len(more)
        colours += more
    under = np.asarray([[0.0, *(float(n >> k & 1) for n in numbers)] for k in range(len(fills))])
    alone = [numbers.index(1 << k) if 1 << k in numbers else -1 for k in range(len(fills))]
    owners = [replace(layer, colour=colours[at]) if at >= 0 else layer for layer, at in zip(fills, alone, strict=True)]
    return Composition(tuple(colours), tuple(owners), under, False)


def _darker(ink: PlotInk, inside: NDArray[np.bool_], known: Sequence[Rgb]) -> list[Rgb]:
    """Further colours that fill some of a combination of areas (h, w): two of one colour that overlap are darker there.

    `known` are the most frequent ones of all combinations.
    """
    found: list[Rgb] = []
    places = np.flatnonzero(inside)
    pixels = ink.pixels.reshape(-1, 3)[places]  # only these: a figure has many combinations, most of them small
    for colour in known:
        kept = _away(pixels, colour) > _UNLIKE
        places, pixels = places[kept], pixels[kept]
    while len(found) < _SHADES and places.size > _FEWEST:
        colour = as_rgb(modal_colour(pixels))
        near = _away(pixels, colour) < _UNLIKE
        own = np.zeros(inside.shape, dtype=bool)
        own.flat[places[near]] = True
        if not is_fill(own) or near.sum() < _PART * places.size:
            break
        found.append(colour)
        places, pixels = places[~near], pixels[~near]
    return found


def _away(pixels: Image, colour: Rgb) -> Floats:
    """RGB distances (n,) of pixels (n, 3) from a colour."""
    return np.asarray(np.linalg.norm(pixels - np.asarray(colour, dtype=np.float64), axis=1))


def _without_hairs(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The mask (h, w) without strokes of one or two pixels: what is left of grid lines between the areas."""
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0)


def _bottom_up(layers: Sequence[Layer]) -> list[Layer]:
    """From the bottom to the top, by a vote of the columns where two layers both have ink."""
    rows = np.arange(layers[0].coverage.shape[0], dtype=np.float64)[:, None]
    weight = np.stack([layer.coverage.sum(axis=0) for layer in layers])
    mean = np.stack([(layer.coverage * rows).sum(axis=0) for layer in layers]) / np.maximum(weight, 1e-6)
    seen = weight > 1
    wins = []
    for k in range(len(layers)):
        votes = np.where(seen & seen[k], np.sign(mean[k] - mean), 0.0).sum(axis=1)
        wins.append(int((votes > 0).sum()))
    return [layers[k] for k in sorted(range(len(layers)), key=lambda k: -wins[k])]


def _blends(layers: Sequence[Layer], paper: Floats) -> dict[int, frozenset[int]]:
    """Layers that are translucent overlaps of others: layer number -> the numbers of the areas that overlap there.

    A colour c = a C + (1 - a) paper over an ink d shows as c - (1 - a) (paper - d): what it lacks of c is a fixed
    share of what d lacks of the paper. The share is the same for all overlaps of one figure.
    """
    colours = np.asarray([layer.colour for layer in layers], dtype=np.float64)
    found: dict[int, frozenset[int]] = {}
    by_depth = sorted(range(len(layers)), key=lambda k: float(np.abs(paper - colours[k]).sum()))
    for k in by_depth:
        options = []
        for top in range(len(layers)):
            for back in range(len(layers)):
                if k in (top, back) or top == back or top in found:
                    continue
                lack, missing = colours[top] - colours[k], paper - colours[back]
                share = float(lack @ missing / max(1.0, float(missing @ missing)))
                off = float(np.linalg.norm(lack - share * missing))
                group = found.get(back, frozenset([back])) | {top}
                if 0.1 < share < 0.9 and off < 8 and _between(layers, k, top, back):
                    options.append((off, group))
        if options and not layers[k].name:
            found[k] = min(options, key=lambda option: option[0])[1]
    return found


def _between(layers: Sequence[Layer], k: int, top: int, back: int) -> bool:
    """An overlap never lies above both of its areas."""
    solid = [layers[i].coverage > 0.5 for i in (k, top, back)]
    first = [np.where(mask.any(axis=0), np.argmax(mask, axis=0), mask.shape[0]) for mask in solid]
    columns = first[0] < solid[0].shape[0]
    return bool(np.mean(np.minimum(first[1], first[2])[columns] <= first[0][columns] + 2) > 0.7)


def _numbered_from_the_top(layers: Sequence[Layer]) -> bool:
    """Names that only differ in a number that grows from the top down: drawn one before the other, not stacked."""
    parts = [re.fullmatch(r"(.*?)(\d+)", layer.name) for layer in layers]
    if len(layers) < 2 or not all(parts) or len({part[1] for part in parts if part}) != 1:
        return False
    numbers = [int(part[2]) for part in parts if part]
    return all(low > high for low, high in pairwise(numbers))
