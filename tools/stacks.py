"""Stack segments: several inks on top of each other within one slot, each with its own two ends.

Upright frame as in `rectangles`. Not handled here: the same ink twice within one stack; which value a hidden
segment has (it is put, with no height, between its neighbours).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.rectangles import Bits, Columns, Floats32, Rectangle, settle
from tools.types import Floats

SEAM = 4.5  # px: a gap or outline between two segments is at most this thick


def share_slots(one: Columns, other: Columns) -> float:
    """How far two inks stand on top of each other: of the columns that hold both, the share without overlap in rows.

    0 when fewer than half of the columns of the smaller ink are shared (grouped bars stand side by side).
    """
    both = one.present & other.present
    smaller = min(int(one.present.sum()), int(other.present.sum()))
    if smaller == 0 or both.sum() < max(2, 0.5 * smaller):
        return 0.0
    apart = (one.bottom[both] < other.top[both] + 1.5) | (other.bottom[both] < one.top[both] + 1.5)
    return float(np.mean(apart))


def stack_families(columns: Sequence[Columns]) -> list[list[int]]:
    """Numbers of the inks that are stacked together, each list in drawing order; loners stand alone."""
    owner = list(range(len(columns)))
    for i in range(len(columns)):
        for j in range(i):
            if share_slots(columns[i], columns[j]) > 0.6:
                old, new = owner[i], owner[j]
                owner = [new if o == old else o for o in owner]
    return [[i for i, o in enumerate(owner) if o == head] for head in sorted(set(owner))]


def find_slots(layers: Sequence[Sequence[Rectangle]]) -> list[tuple[float, float]]:
    """The spans of columns that hold the stacks, from the rectangles of all inks: left and right edges, ascending.

    Widest first: a segment that text or a line parts in halves lies in the slot of a whole one.
    """
    everything = [r for found in layers for r in found]
    widest = 1.4 * _wide(everything)
    slots: list[list[Rectangle]] = []
    for one in sorted(everything, key=lambda r: -r.width):
        if one.width > widest:
            continue
        home = next((slot for slot in slots if slot[0].left - 1 <= one.middle <= slot[0].right + 1), None)
        if home is None:
            slots.append([one])
        elif one.width > 0.8 * home[0].width:
            home.append(one)
    spans = [(_middle([r.left for r in slot], slot), _middle([r.right for r in slot], slot)) for slot in slots]
    return sorted(span for span in spans if span[1] - span[0] > 0.4 * widest / 1.4)


def _wide(found: Sequence[Rectangle]) -> float:
    """A width that most of the ink's height reaches at most: stacks are all equally wide."""
    order = sorted(found, key=lambda r: r.width)
    weight = np.cumsum([max(r.height, 0.5) for r in order])
    return order[int(np.searchsorted(weight, 0.75 * weight[-1]))].width


def _middle(edges: Sequence[float], slot: Sequence[Rectangle]) -> float:
    """The edge that most of the ink shows: median weighted by the height of the segments."""
    order = np.argsort(edges)
    weight = np.cumsum(np.array([max(r.height, 0.5) for r in slot])[order])
    return float(np.array(edges)[order][int(np.searchsorted(weight, weight[-1] / 2))])


def segments_of_slot(
    coverages: Sequence[Floats32], hiddens: Sequence[Bits], levels: Sequence[float], slot: tuple[float, float]
) -> list[Rectangle | None]:
    """One segment per ink in this slot (None where it has none): sub-pixel ends, seams closed to their middle.

    levels: the coverage that a fully inked pixel of each ink shows.
    """
    first, last = int(np.ceil(slot[0] + 0.3)), int(np.floor(slot[1] - 0.3))
    if last < first:
        first = last = round((slot[0] + slot[1]) / 2)
    first, last = max(first, 0), min(last, coverages[0].shape[1] - 1)
    found: list[Rectangle | None] = []
    for coverage, hidden, level in zip(coverages, hiddens, levels, strict=True):
        part = slice(first, last + 1)
        ends = _profile_run(coverage[:, part], hidden[:, part], level)
        found.append(None if ends is None else Rectangle(*slot, *ends, first, last))
    return close_seams(found)


def _profile_run(coverage: Floats32, hidden: Bits, level: float) -> tuple[float, float, float, float] | None:
    """Top, bottom and hidden slack of the largest run in the row profile (median of the columns seen)."""
    unseen = hidden.mean(axis=1) > 0.7
    profile = np.median(coverage, axis=1).astype(np.float64) / level
    for row in np.flatnonzero(hidden.any(axis=1) & ~unseen):
        profile[row] = float(np.median(coverage[row, ~hidden[row]])) / level
    profile[unseen] = np.nan
    solid = np.nan_to_num(profile) >= 0.5
    if not solid.any():
        return _thin_run(np.nan_to_num(profile))
    ink = solid | unseen
    edges = np.flatnonzero(np.diff(np.concatenate([[0], ink.astype(np.int8), [0]])))
    runs = [(a, b - 1) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    start, stop = max(runs, key=lambda run: int(solid[run[0] : run[1] + 1].sum()))
    inside = np.flatnonzero(solid[start : stop + 1]) + start
    upper, lower = int(inside[0]), int(inside[-1])
    share = np.clip(np.nan_to_num(profile), 0.0, 1.0)
    share[share < 0.08] = 0.0
    above, below = float(upper - start), float(stop - lower)
    top, _ = settle(
        np.array([upper + 0.5 - share[upper] - (share[upper - 1] if upper and not above else 0.0)]),
        np.array([above]), -1.0,
    )  # fmt: skip
    beyond = share[lower + 1] if lower + 1 < len(share) and not below else 0.0
    bottom, _ = settle(np.array([lower - 0.5 + share[lower] + beyond]), np.array([below]), 1.0)
    return top, bottom, above, below


def _thin_run(share: Floats) -> tuple[float, float, float, float] | None:
    """A segment thinner than half a pixel: its share of one or two rows is its height."""
    if share.max(initial=0.0) < 0.2:
        return None
    row = int(np.argmax(share))
    pair = slice(max(0, row - 1), row + 2)
    height = float(share[pair].sum())
    middle = float(np.sum(np.arange(len(share))[pair] * share[pair]) / height)
    return middle - height / 2, middle + height / 2, 0.0, 0.0


def close_seams(found: Sequence[Rectangle | None]) -> list[Rectangle | None]:
    """Segments that touch or are parted by a thin gap meet in its middle."""
    closed = list(found)
    order = sorted((i for i, r in enumerate(found) if r is not None), key=lambda i: -found[i].bottom)  # type: ignore[union-attr]
    for below, above in itertools.pairwise(order):
        lower, upper = closed[below], closed[above]
        if lower is None or upper is None or not -SEAM < lower.top - upper.bottom < SEAM:
            continue
        seam = (lower.top + upper.bottom) / 2
        closed[below] = replace(lower, top=seam, above=0.0)
        closed[above] = replace(upper, bottom=seam, below=0.0)
    return closed


def fill_missing(slots: Sequence[Sequence[Rectangle | None]], base: float) -> list[list[Rectangle]]:
    """Segments without ink get no height, at the boundary where their place in the stack is."""
    inks = range(len(slots[0]))
    lower = [[_usually_lower(slots, j, i) for j in inks] for i in inks]
    filled = []
    for slot in slots:
        sides = next(((r.left, r.right) for r in slot if r is not None), (0.0, 1.0))
        whole = []
        for i, one in enumerate(slot):
            level = min((r.top for j, r in enumerate(slot) if r is not None and lower[i][j]), default=base)
            whole.append(one or Rectangle(*sides, level, level))
        filled.append(whole)
    return filled


def _usually_lower(slots: Sequence[Sequence[Rectangle | None]], one: int, other: int) -> bool:
    """Whether ink `one` lies nearer to the base than `other` in most stacks that show both."""
    signs = [a.middle_row - b.middle_row for slot in slots if (a := slot[one]) and (b := slot[other])]
    return bool(signs) and float(np.mean(np.sign(signs))) > 0
