"""Bars of a panel from its vector rectangles: plain, grouped, stacked, negative, upright or sideways; histograms.

Not handled here: the category names (the axes), error bars (`vector_whiskers`), pictograms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise

import numpy as np

from tools.types import Axis, Box, Floats, LegendEntry, Mark, Panel, Part, Rgb, Series, SeriesKind, Side, days, moment
from tools.vector_bins import joined, without_samples
from tools.vector_elements import Element
from tools.vector_marks import BY, SIGMA
from tools.vector_names import Sample, entry_of

ALIKE = 0.12  # px between the sizes of one marker, wherever it stands
TOUCH = 0.12  # of a bar's width: bars with narrower gaps are bins
MEET = 0.6  # px between the ends of two segments of a stack
BELOW = 5.0  # px that a filled bar may reach on under its border


@dataclass(frozen=True, eq=False)
class Bar:
    """One rectangle, and the colour and entry of its series."""

    box: Box
    colour: Rgb
    entry: LegendEntry | None


def squares(elements: Sequence[Element]) -> list[Element]:
    """The elements with small rectangles of one size, at many heights, turned into markers."""
    small = [
        i for i, e in enumerate(elements) if e.kind == "bar" and 1 < max(e.style.box.width, e.style.box.height) < 40
    ]
    done = list(elements)
    for colour in {elements[i].colour for i in small}:
        members = [i for i in small if elements[i].colour == colour]
        sizes = np.array([(elements[i].style.box.width, elements[i].style.box.height) for i in members])
        alike = np.abs(sizes - np.median(sizes, axis=0)).max() < ALIKE
        square = float(abs(sizes[0, 0] - sizes[0, 1])) <= 0.35 * float(sizes[0].max())
        everyone = sum(e.kind == "bar" and e.colour == colour for e in elements)
        ends = np.array([(b.x0, b.y0, b.x1, b.y1) for b in (elements[i].style.box for i in members)])
        shared = min(len(np.unique(np.round(column, 1))) for column in ends.T)  # bars share their base line
        if alike and square and len(members) > 2 and everyone == len(members) and shared > 1:
            for i in members:
                done[i] = replace(
                    elements[i], kind="marker", parts=(elements[i].style.points,), bounds=elements[i].style.box
                )
    return done


def bars_of(elements: Sequence[Element], samples: Sequence[Sample]) -> list[Bar]:
    """The rectangles; thick straight strokes that share a base line are bars as well."""
    solid = [one for one in elements if one.kind == "bar" and one.style.fill is not None and min(one.style.fill) < 250]
    hollow = [one for one in elements if one.kind == "bar" and one not in solid and not _outlines(one.box, solid)]
    drawn = [*solid, *hollow] if len(hollow) > 1 else solid  # a lone hollow one is the frame of a legend or a note
    kept = without_samples([one.box for one in drawn])
    found = [Bar(e.box, e.colour, entry_of(e, samples)) for e, stays in zip(drawn, kept, strict=True) if stays]
    strokes = [one for one in elements if one.kind == "segment" and one.style.width > 1.0]
    return found if found else _impulses(strokes, samples)


def _outlines(box: Box, solid: Sequence[Element]) -> bool:
    """Whether a hollow rectangle is only the border of a filled one, drawn apart.

    At their base one of both may reach on under the axis: three sides meet, the fourth nearly.
    """
    for one in solid:
        own = one.box
        *_, third, last = sorted(abs(a - b) for a, b in ((box.x0, own.x0), (box.y0, own.y0), (box.x1, own.x1),
                                                         (box.y1, own.y1)))  # fmt: skip
        if third < MEET and last < max(MEET, min(BELOW, 0.5 * own.height, 0.5 * own.width)):
            return True
    return False


def _impulses(strokes: Sequence[Element], samples: Sequence[Sample]) -> list[Bar]:
    """Straight strokes of one colour that share a base line and stand across it, as bars of their stroke's width."""
    groups: dict[tuple[Rgb, bool], list[Element]] = {}
    for one in strokes:
        upright = one.box.width < 0.05
        if upright != (one.box.height < 0.05) and min(one.colour) < 250:
            groups.setdefault((one.colour, upright), []).append(one)
    found = []
    for (_, upright), group in groups.items():
        ends = np.array([(b.y0, b.y1) if upright else (b.x0, b.x1) for b in (one.box for one in group)])
        if len(group) < 4 or np.ptp(ends, axis=0).min() > 0.1:
            continue
        for one in group:
            half, box = one.style.width / 2, one.box
            wide = Box(box.x0 - half, box.y0, box.x1 + half, box.y1)
            level = Box(box.x0, box.y0 - half, box.x1, box.y1 + half)
            found.append(Bar(wide if upright else level, one.colour, entry_of(one, samples)))
    return found


def is_horizontal(panel: Panel, bars: Sequence[Bar]) -> bool:
    """Bars lie where they have one height and many lengths; few bars, where the vertical axis names categories."""
    widths = np.array([bar.box.width for bar in bars])
    heights = np.array([bar.box.height for bar in bars])
    if len(bars) > 2:
        spread_x, spread_y = _spread(widths), _spread(heights)
        if min(spread_x, spread_y) < 0.05 and max(spread_x, spread_y) > 0.1:
            return spread_y < spread_x
    return panel.axis("left") is not None and panel.axis("left").scale == "category"  # type: ignore[union-attr]


def _spread(sizes: Floats) -> float:
    """The share of sizes away from the usual one."""
    usual = float(np.median(sizes))
    return float(np.mean(np.abs(sizes - usual) > 0.02 * usual + 0.15))


def bar_series(panel: Panel, bars: Sequence[Bar]) -> list[Series]:
    """Series of bars, marks from left to right (from top to bottom where they lie)."""
    if not bars:
        return []
    lying = is_horizontal(panel, bars)
    turned = [replace(bar, box=_transposed(bar.box)) for bar in bars] if lying else list(bars)
    turned = _whole(turned)
    value, key = (panel.x, panel.y) if lying else (panel.y, panel.x)
    stacked = _are_stacked(turned)
    groups = _groups(turned)
    share = _naming_share(turned, key)
    floor = _base(value, panel, lying)
    found = []
    for group in groups:
        members = _filled(group, turned) if stacked else group
        binned = not stacked and _are_bins(members, key)
        kind: SeriesKind = "stack" if stacked else "histogram" if binned else "bar"
        part: Part = "segment" if stacked else "bar"
        marks = [_mark(bar.box, part, floor, 0.5 if binned else share) for bar in members]
        marks.sort(key=lambda mark: mark.x)
        marks = joined(marks, key) if binned else marks
        if lying:
            marks = [replace(m, x=m.y, y=m.x, box=_transposed(m.box) if m.box else None) for m in marks]
        side: Side = value.side if value else "bottom" if lying else "left"
        entry = group[0].entry
        name = entry.name if entry else ""
        found.append(Series(name, group[0].colour, kind, tuple(marks), side,
                            "horizontal" if lying else "vertical", BY))  # fmt: skip
    return found


def _transposed(box: Box) -> Box:
    return Box(box.y0, box.x0, box.y1, box.x1)


def _whole(bars: Sequence[Bar]) -> list[Bar]:
    """Rectangles of one colour that stand on each other are one bar (a box for each case)."""
    done: list[tuple[int, Bar]] = []  # with the place in drawing order
    order = sorted(range(len(bars)), key=lambda i: (bars[i].colour, round(bars[i].box.x0, 1), -bars[i].box.y1))
    for number in order:
        bar = bars[number]
        first, last = done[-1] if done else (0, None)
        if last is None or last.colour != bar.colour:
            done.append((number, bar))
        elif _stands_on(last.box, bar.box):
            done[-1] = (min(first, number), replace(last, box=last.box.union(bar.box)))
        elif last.box != bar.box:
            done.append((number, bar))
    return [bar for _, bar in sorted(done, key=lambda one: one[0])]


def _stands_on(lower: Box, upper: Box) -> bool:
    aside = max(abs(lower.x0 - upper.x0), abs(lower.x1 - upper.x1))
    return aside < MEET and abs(lower.y0 - upper.y1) < MEET


def _slots(bars: Sequence[Bar]) -> list[list[Bar]]:
    """Bars that stand in one place along the key axis, left to right."""
    found: list[list[Bar]] = []
    for bar in sorted(bars, key=lambda b: b.box.centre[0]):
        if found and abs(found[-1][0].box.centre[0] - bar.box.centre[0]) < 0.25 * max(bar.box.width, 1.0):
            found[-1].append(bar)
        else:
            found.append([bar])
    return found


def _are_stacked(bars: Sequence[Bar]) -> bool:
    """Whether bars of several colours stand on each other in most of the places that hold more than one."""
    shared = [slot for slot in _slots(bars) if len({bar.colour for bar in slot}) > 1]
    if not shared:
        return False
    met = 0
    for slot in shared:
        tall = [bar.box for bar in slot if bar.box.height > 0.02]
        ends = [(a.y0, b.y1) for a in tall for b in tall if a is not b]
        met += len(tall) < 2 or any(abs(top - bottom) < MEET for top, bottom in ends)
    return met > 0.6 * len(shared)


def _groups(bars: Sequence[Bar]) -> list[list[Bar]]:
    """Bars by series: by legend entry, else by colour; bars of many colours without names are one series."""
    groups: dict[object, list[Bar]] = {}
    for bar in bars:
        groups.setdefault(bar.entry.name if bar.entry else bar.colour, []).append(bar)
    nameless = all(bar.entry is None for bar in bars)
    if nameless and len(groups) > 1 and max(len(slot) for slot in _slots(bars)) == 1:
        return [list(bars)]
    return list(groups.values())


def _filled(group: Sequence[Bar], everyone: Sequence[Bar]) -> list[Bar]:
    """The segments of one colour, with segments of no height in the stacks that lack it."""
    done = []
    for slot in _slots(everyone):
        own = [bar for bar in slot if bar in group]
        if own:
            done += own
            continue
        level = max(bar.box.y1 for bar in slot)
        box = Box(slot[0].box.x0, level, slot[0].box.x1, level)
        done.append(replace(group[0], box=box))
    return done


def _are_bins(bars: Sequence[Bar], key: Axis | None) -> bool:
    """Touching bars on a linear axis that are no bars of whole numbers (years, counts)."""
    if key is None or key.scale != "linear" or len(bars) < 3:
        return False
    boxes = sorted((bar.box for bar in bars), key=lambda b: b.x0)
    width = float(np.median([b.width for b in boxes]))
    gaps = np.array([b.x0 - a.x1 for a, b in pairwise(boxes)])
    if abs(float(np.median(gaps))) > TOUCH * width:
        return False
    values = key.to_value(np.array([b.centre[0] for b in boxes]))
    step = abs(float(np.median(np.diff(values))))
    return not (abs(step - 1) < 0.03 and abs(float(np.median(values - np.round(values)))) < 0.3)


def _base(value: Axis | None, panel: Panel, lying: bool) -> float:
    """The pixel of the base line, in the frame where bars stand upright."""
    if value is not None and value.scale == "linear":
        return float(value.to_pixel(0.0))
    if value is not None and lying:
        return panel.plot.x0
    return panel.plot.y1


def _naming_share(bars: Sequence[Bar], key: Axis | None) -> float:
    """Where along its own width a bar is named: 0 at its first edge, where only that falls on dates, else 0.5."""
    if key is None or key.scale != "date" or not key.horizontal or len(bars) < 3:
        return 0.5
    edges, middles = np.array([(bar.box.x0, bar.box.centre[0]) for bar in bars]).T
    step = float(np.median(np.diff(np.unique(np.round(key.to_value(middles), 2)))))
    away = [float(np.mean(_from_calendar(key.to_value(places), step))) for places in (edges, middles)]
    return 0.0 if away[1] - away[0] > max(0.15, abs(key.slope)) else 0.5


def _from_calendar(at: Floats, step: float) -> Floats:
    """Distance in days from the next midnight, or of steps of months from the next first day of a month."""
    if step < 27:
        return np.asarray(np.abs(at - np.round(at)), dtype=np.float64)
    dates = [moment(float(day)) for day in at]
    firsts = [[days(datetime(d.year + (d.month + k) // 12, (d.month + k) % 12 + 1, 1)) for k in (-1, 0)] for d in dates]
    return np.asarray(np.abs(at[:, None] - np.array(firsts)).min(axis=1), dtype=np.float64)


def _mark(box: Box, part: Part, floor: float, share: float) -> Mark:
    """The mark of an upright bar: in the middle of its value end, which is the one farther from the base line."""
    hangs = abs(box.y1 - floor) > abs(box.y0 - floor)
    return Mark(part, box.x0 + share * box.width, box.y1 if hangs else box.y0, box, SIGMA)
