"""Category axes: one evenly spaced slot per label, in pixel order.

Wrapped names are joined, two levels of labels become "group/name", and slots whose label is missing stay empty.
Not handled here: categories without even spacing (scaled bubbles, mosaic charts), labels inside the plot.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tools.ladders import HORIZONTAL, Label, Ladder
from tools.seating import Rails, Seating, glyph_seats, stroke_seats
from tools.types import Anchor, Axis, Floats, Side, Unreadable

UNEVEN = 0.08  # root mean square deviation from even slots, as a share of a slot, above which they are no slots


@dataclass(frozen=True)
class Slots:
    """Evenly spaced slots: `index` (n,) of every label, slots per pixel, the deviation in px, how many there are."""

    index: tuple[int, ...]
    slope: float
    intercept: float
    residual: float
    count: int

    @property
    def unevenness(self) -> float:
        return self.residual * self.slope


def even_slots(pixels: Floats) -> Slots | None:
    """Whole slot numbers for sorted pixels (n,), the first is 0; None if two labels share a slot or there is one."""
    if len(pixels) < 2:
        return None
    gaps = np.diff(pixels)
    if gaps.min() <= 2:
        return None
    step = float(np.median(gaps[gaps < 1.6 * gaps.min()]))
    index = np.round((pixels - pixels[0]) / step)
    for _ in range(2):
        if np.any(np.diff(index) < 1):
            return None
        slope, intercept = np.polyfit(pixels, index, 1)
        index = np.round(slope * pixels + intercept - (slope * pixels[0] + intercept))
    slope, intercept = np.polyfit(pixels, index, 1)
    away = (index - intercept) / slope - pixels
    numbers = tuple(int(i) for i in index)
    return Slots(numbers, float(slope), float(intercept), float(np.sqrt(np.mean(away**2))), numbers[-1] + 1)


def _of_ticks(ladder: Ladder, ticks: Floats) -> Slots | None:
    """The slots of evenly spaced tick marks, where each label stands at one of them and some have no label that could
    be read; None elsewhere."""
    centres = _centres(ladder)
    if not len(centres) < len(ticks) <= 2 * len(centres):
        return None
    found = even_slots(np.sort(ticks))
    if found is None or found.unevenness > UNEVEN or found.count != len(ticks):
        return None
    at = found.slope * centres + found.intercept
    shift = found.slope * (ladder.size if ladder.slanted else 0.35 * ladder.size)
    index = np.round(at - np.median(at - np.round(at)))
    if np.abs(at - index).max() > min(shift, 0.3) or np.any(np.diff(index) < 1):
        return None
    return replace(found, index=tuple(int(i) for i in index))


def fit_categories(ladder: Ladder, outer: Sequence[Ladder], rails: Sequence[Rails]) -> Axis | Unreadable:
    """A category axis through the labels of `ladder`; `outer` are the rows behind it, `rails` the strokes beside it."""
    choices = [choice for choice in (_wrapped(ladder), ladder) if choice is not None]
    fits = [(slots, choice) for choice in choices if (slots := even_slots(_centres(choice))) is not None]
    if not fits:
        return Unreadable("no evenly spaced category labels stand along the axis")
    slots, best = min(fits, key=lambda fit: fit[0].unevenness)
    missing = slots.index[-1] + 1 - len(slots.index)
    ticks = next((rail.pixels for rail in rails if rail.kind == "tick"), np.array([]))
    marked = _of_ticks(best, ticks)
    if slots.unevenness > UNEVEN or (missing and len(slots.index) < 4 and marked is None):
        return Unreadable("the category labels are not evenly spaced")
    if len(ticks) > 2 * len(best.labels) and _are_even(ticks):  # not the edges of bars
        return Unreadable("most of the category labels could not be read")
    seating, slots = _seated(best, slots, rails)
    slots = slots if marked is None else replace(marked, residual=slots.residual)
    names = _counted(_with_groups(best, outer, slots), slots.index)
    categories = [""] * slots.count
    for index, name in zip(slots.index, names, strict=True):
        categories[index] = name
    seats = zip(best.labels, seating.pixels, seating.kinds, slots.index, names, strict=True)
    anchors = tuple(Anchor(float(px), float(i), name, kind, label.box) for label, px, kind, i, name in seats)
    missing = categories.count("")
    warnings = (f"{missing} category labels could not be read",) if missing else ()
    sure = slots.unevenness < 0.06 and not missing and len(anchors) > 2
    return Axis(
        ladder.side, "category", slots.slope, slots.intercept, anchors, slots.residual,
        categories=tuple(categories), confidence="high" if sure else "low", warnings=warnings,
    )  # fmt: skip


def _are_even(ticks: Floats) -> bool:
    found = even_slots(np.sort(ticks))
    return found is not None and found.unevenness <= UNEVEN


def _counted(names: Sequence[str], index: Sequence[int]) -> list[str]:
    """Names that count on (Q2, Q3, ...) with the letter given back to those that lost it or show a digit for it
    (2, 05), where two and more have it and all numbers go up by one from slot to slot."""
    found = [re.fullmatch(r"([A-Z])(\d{1,2})", name) for name in names]
    letters = {one[1] for one in found if one}
    starts = {int(one[2]) - i for one, i in zip(found, index, strict=True) if one}
    if sum(map(bool, found)) < 2 or len(letters) != 1 or len(starts) != 1 or all(found):
        return list(names)
    letter, start = letters.pop(), starts.pop()
    whole = [f"{letter}{start + i}" for i in index]
    same = all(
        one or re.fullmatch(rf"[0OD]?{start + i}", name) for one, name, i in zip(found, names, index, strict=True)
    )
    return whole if same else list(names)


def _centres(ladder: Ladder) -> Floats:
    return glyph_seats(ladder)[0].pixels


def _seated(ladder: Ladder, slots: Slots, rails: Sequence[Rails]) -> tuple[Seating, Slots]:
    """The labels on strokes, or midway between strokes, where these are at least as even as the labels themselves."""
    best = glyph_seats(ladder)[0], slots
    for seating in stroke_seats(ladder, rails, between=True):
        order = np.argsort(seating.pixels)
        found = even_slots(seating.pixels[order]) if np.array_equal(order, np.arange(len(order))) else None
        if found is None or found.index != slots.index or seating.stroke_share < 0.6:
            continue
        if found.residual <= best[1].residual:
            best = seating, found
    return best


def _wrapped(ladder: Ladder) -> Ladder | None:
    """The ladder of a vertical axis with lines of text that belong to one name joined; None if there are none."""
    if ladder.side in HORIZONTAL or len(ladder.labels) < 3:
        return None
    groups: list[list[Label]] = [[ladder.labels[0]]]
    for before, label in zip(ladder.labels[:-1], ladder.labels[1:], strict=True):
        if label.start - before.end < 0.6 * min(label.size, before.size):
            groups[-1].append(label)
        else:
            groups.append([label])
    if len(groups) in (1, len(ladder.labels)):
        return None
    return replace(ladder, labels=tuple(_stacked(group) for group in groups))


def _stacked(lines: Sequence[Label]) -> Label:
    first, last = lines[0], lines[-1]
    box = first.box
    for line in lines[1:]:
        box = box.union(line.box)
    return replace(first, text=" ".join(line.text for line in lines), box=box, start=first.start, end=last.end)


def _with_groups(ladder: Ladder, outer: Sequence[Ladder], slots: Slots) -> list[str]:
    """Names with the group that a second row of labels puts them into, as "group/name"."""
    names = [label.text for label in ladder.labels]
    if ladder.side not in HORIZONTAL or not outer or len(set(slots.index)) != slots.index[-1] + 1:
        return names
    row = outer[0]
    if not 2 <= len(row.labels) < len(names) or row.near - ladder.far > 2.5 * ladder.size:
        return names
    owner = _group_of_slots([slots.slope * label.middle + slots.intercept for label in row.labels], len(names))
    return [f"{row.labels[group].text}/{name}" for group, name in zip(owner, names, strict=True)] if owner else names


def _group_of_slots(middles: Sequence[float], count: int) -> list[int] | None:
    """The group of each slot, if every group's label stands in the middle of a run of slots and all are covered."""
    owner: list[int] = []
    for group, middle in enumerate(middles):
        first = len(owner)
        last = 2 * middle - first
        if abs(last - round(last)) > 0.4 or round(last) < first:
            return None
        owner += [group] * (round(last) - first + 1)
    return owner if len(owner) == count else None


def category_at(side: Side, start: float, end: float, name: str) -> Axis:
    """The axis of a plot with a single category, whose slot is the whole side."""
    middle = (start + end) / 2
    slope = 1 / (end - start)
    anchor = Anchor(middle, 0.0, name, "glyph")
    return Axis(side, "category", slope, -slope * middle, (anchor,), categories=(name,), confidence="low")
