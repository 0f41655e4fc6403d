"""Fills of one tone told apart by their order: in a stack they lie on each other as their keys stand in the legend.

A scan without colours leaves keys of one grey, or of greys so near that no level tells them. What lies between two
segments that are known can only be one of the keys between theirs. Each fill of a stack then gets a colour of its own
(`tints`), its key too, and all that reads colours reads the scan.

Not handled here: bars of one tone beside each other (`alike_bars`), stacks whose order is not the legend's, strokes,
keys that are missing from a stack beside another one of their tone and its neighbour (the fill gets one of the names).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.colour import as_rgb
from tools.key_tones import in_one_tone
from tools.scans import GRAINED
from tools.tints import TINTED, coloured_by, hue, without_tints
from tools.types import Box, Figure, Floats, Legend, LegendEntry, Panel, Word

ORDERED = "fills of nearly one grey were told apart by the order of the legend's keys"
ONE_TONE = 12.0  # levels of 255 by which keys differ that level alone tells no more
SURE = 3.0  # levels: how far the grey of a fill lies from its key's, as a standard deviation
FARTHEST = 5.0  # standard deviations at which a grey is no key's
FLAT = 2  # levels within a flat place
LEAST, SMALL = 2, 12  # px of a segment, square px of a flat place
UNFIT = 12.0  # cost of a stack that fits no order
STACKED = 0.3  # of the columns with fills that hold two at least
WORSE = 1.15  # times the cost of one order that the other has at least
HALO, SURROUNDED = 3, 0.7  # px beside a word that its rim darkens; share of what stands beside it that is one fill
WINDOW = 21  # px around a fill in which thin parts of it may stand

Runs = list[tuple[int, int]]


def in_key_order(figure: Figure, panels: Sequence[Panel], words: Sequence[Word]) -> tuple[Figure, tuple[Panel, ...]]:
    """A grey scan with the stacked fills of its panels in colours of their own, and the panels with such keys.

    Words (in figure pixels) that stand in a fill were read, and are filled in. Figures and panels that need none of it,
    or whose stacks fit neither order, come back as they are.
    """
    panels = in_one_tone(panels)
    if GRAINED not in figure.warnings or not panels:
        return figure, panels
    grey = without_tints(figure.pixels)[..., 0]
    if (
        int(np.abs(without_tints(figure.pixels).astype(np.int16) - figure.pixels).max())
        and TINTED not in figure.warnings
    ):
        return figure, panels  # a scan in colours
    pixels, found = figure.pixels.copy(), []
    for panel in panels:
        told = _told(grey, panel)
        if told is None:
            found.append(panel)
            continue
        label, keys, levels = told
        plain = _without_words(grey, label, levels, words)
        paper = int(np.bincount(grey.ravel(), minlength=256).argmax())
        near = cv2.dilate((label >= 0).astype(np.uint8), np.ones((WINDOW, WINDOW), np.uint8)) > 0
        pixels[near] = coloured_by(plain, label, levels, paper)[near]
        found.append(replace(panel, legend=_hued(panel.legend, keys, levels)))
    changed = any(a is not b for a, b in zip(panels, found, strict=True))
    notes = tuple(note for note in (TINTED, ORDERED) if note not in figure.warnings) if changed else ()
    return replace(figure, pixels=pixels, warnings=(*figure.warnings, *notes)), tuple(found)


def _without_words(
    grey: NDArray[np.uint8], label: NDArray[np.int32], levels: Sequence[float], words: Sequence[Word]
) -> NDArray[np.uint8]:
    """The greys (H, W) with the words that stand between parts of one fill filled in, in `label` too (in place)."""
    plain = grey.copy()
    for word in words:
        rows, columns = word.box.grown(HALO).slices(*grey.shape)
        rows = slice(rows.start + HALO - 1, max(rows.start + HALO, rows.stop - HALO + 1))
        sides = np.concatenate(
            [label[rows, max(0, columns.start - 2) : columns.start], label[rows, columns.stop :][:, :2]], 1
        )
        counts = np.bincount(sides.ravel() + 1, minlength=len(levels) + 1)
        own = int(counts.argmax()) - 1
        if own >= 0 and counts[own + 1] > SURROUNDED * counts.sum():
            label[rows, columns], plain[rows, columns] = own, round(levels[own])
    return plain


def _hued(legend: Legend, keys: Sequence[LegendEntry], levels: Sequence[float]) -> Legend:
    """The legend with its keys in the colours of their numbers."""
    colours = {id(key): as_rgb(hue(level, n)) for n, (key, level) in enumerate(zip(keys, levels, strict=True))}
    entries = tuple(replace(one, colour=colours.get(id(one), one.colour)) for one in legend.entries)
    return replace(legend, entries=entries)


def _told(grey: NDArray[np.uint8], panel: Panel) -> tuple[NDArray[np.int32], list[LegendEntry], list[float]] | None:
    """The key of every pixel (H, W) of flat fills, -1: none; the keys and their greys. None where it is not needed or
    the order of the stacks is not the legend's."""
    keys = [one for one in panel.legend.entries if one.kind in ("patch", "marker") and one.swatch and not one.hatch]
    if len(keys) < 2:
        return None
    levels = [float(np.median(grey[_inner(one.swatch, grey.shape)])) for one in keys if one.swatch]
    if np.diff(np.sort(levels)).min() > ONE_TONE:
        return None
    places = _places(grey, panel, levels)
    lying = panel.y is not None and panel.y.scale == "category" and (panel.x is None or panel.x.scale != "category")
    part = panel.plot.slices(*grey.shape)
    upright = places[part].T if lying else places[part][::-1]
    label = _dealt(upright, np.ascontiguousarray(grey[part].T if lying else grey[part][::-1]), np.array(levels))
    if label is None:
        return None
    whole = np.full(grey.shape, -1, np.int32)
    whole[part] = label.T if lying else label[::-1]
    for number, key in enumerate(keys):
        if key.swatch is not None:
            whole[_inner(key.swatch, grey.shape)] = number
    return whole, keys, levels


def _inner(swatch: Box, shape: tuple[int, ...]) -> tuple[slice, slice]:
    """The middle of a swatch."""
    rim = min(2.0, 0.25 * min(swatch.width, swatch.height))
    return swatch.grown(-rim).slices(*shape[:2])


def _places(grey: NDArray[np.uint8], panel: Panel, levels: Sequence[float]) -> NDArray[np.int32]:
    """The number from 1 of the flat place of a key's grey that each pixel (H, W) belongs to, 0: none."""
    square = np.ones((3, 3), np.uint8)
    flat = cv2.dilate(grey, square) - cv2.erode(grey, square) <= FLAT
    away = np.abs(np.arange(256)[:, None] - np.array(levels)).min(axis=1)[grey]
    own = (flat & (away < FARTHEST * SURE)).astype(np.uint8)
    if panel.legend.box is not None:
        own[panel.legend.box.slices(*grey.shape)] = 0
    _, parts, stats, _ = cv2.connectedComponentsWithStats(own, connectivity=4)
    large = stats[:, cv2.CC_STAT_AREA] >= SMALL
    large[0] = False
    return np.asarray(np.where(large, np.cumsum(large), 0)[parts], np.int32)


def _dealt(places: NDArray[np.int32], grey: NDArray[np.uint8], levels: Floats) -> NDArray[np.int32] | None:
    """The key (H, W) of each pixel of the flat places; columns are stacks, from their base in row 0."""
    count = int(places.max()) + 1
    area = np.bincount(places.ravel(), minlength=count)
    greys = np.bincount(places.ravel(), grey.ravel(), minlength=count) / np.maximum(area, 1)
    stacks = [_runs(column) for column in places.T]
    filled = [k for k, runs in enumerate(stacks) if runs]
    if not filled or np.mean([len(stacks[k]) > 1 for k in filled]) < STACKED:
        return None
    price = np.minimum(np.abs(greys[:, None] - levels) / SURE, FARTHEST) ** 2 / 2
    ways = []
    for order in (1, -1):
        costs = {k: _marginals(price[[place for place, _ in stacks[k]]][:, ::order])[:, ::order] for k in filled}
        ways.append((float(np.mean([min(cost.min(), UNFIT) for cost in costs.values()])), costs))
    best, other = sorted(ways, key=lambda way: way[0])
    if best[0] > 0.5 * UNFIT or other[0] < WORSE * best[0] + 0.1:
        return None
    return _labelled(places, stacks, best[1], price)


def _runs(column: NDArray[np.int32]) -> Runs:
    """The flat places of a column from its base on, and in how many rows: parts of one, parted by a word, are one."""
    ends = np.flatnonzero(np.concatenate(([True], np.diff(column) != 0, [True])))
    found: Runs = []
    for start, stop in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        place = int(column[start])
        if not place or stop - start < LEAST:
            continue
        if found and found[-1][0] == place:
            found[-1] = place, found[-1][1] + stop - start
        else:
            found.append((place, stop - start))
    return found


def _marginals(price: Floats) -> Floats:
    """The least cost (n, k) of a stack in which segment n has key k: keys rise from the base on.

    `price` (n, k): of each segment for each key; what fits no order costs infinitely much.
    """
    count, keys = price.shape
    if count > keys:
        return np.full(price.shape, np.inf)
    forth, back = np.full(price.shape, np.inf), np.full(price.shape, np.inf)
    forth[0], back[-1] = price[0], price[-1]
    for n in range(1, count):
        forth[n, 1:] = price[n, 1:] + np.minimum.accumulate(forth[n - 1])[:-1]
        m = count - 1 - n
        back[m, :-1] = price[m, :-1] + np.minimum.accumulate(back[m + 1][::-1])[::-1][1:]
    return np.asarray(forth + back - price)


def _labelled(
    places: NDArray[np.int32], stacks: Sequence[Runs], costs: dict[int, Floats], price: Floats
) -> NDArray[np.int32]:
    """The key of each pixel: the cheapest in its column; of equal ones the one that its place has elsewhere."""
    usual, often = np.zeros_like(price), np.zeros(len(price))
    for k, cost in costs.items():
        if not np.isfinite(cost.min()):
            continue
        for (place, _), row in zip(stacks[k], cost - cost.min(), strict=True):
            usual[place] += np.minimum(row, FARTHEST**2)
            often[place] += 1
    usual /= np.maximum(often, 1)[:, None]
    label = np.full(places.shape, -1, np.int32)
    for k, cost in costs.items():
        for (place, _), row in zip(stacks[k], cost, strict=True):
            known = row if np.isfinite(cost.min()) else 0.0
            label[places[:, k] == place, k] = int(np.argmin(known + usual[place] / FARTHEST))
    return label
