"""Outlined bars as series: each bar's place in its group and its look, names by the looks of the legend's samples.

Not handled here: finding the bars (`framed`), what a look is (`fills`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from tools.bar_sheets import Sheet
from tools.fills import ALIKE, Look, look_at, name_looks, sort_looks, swatch_look, unlikeness
from tools.framed import EXPLAINED, Framed, find_framed
from tools.framed_points import bars_under_points, evenly_placed
from tools.ink import Layer, PlotInk
from tools.rectangles import Columns, Rectangle
from tools.slots import Bars
from tools.types import Axis, Floats, Image, LegendEntry, Panel

BARE = 0.3  # share of the bars with nothing, a hatch or a grey inside
MOST = 60  # bars at places on a number axis
MANY = 7  # strokes across a bar: more are a hatch
FAR = 1.6  # unlikeness from which a bar is not that of a sample


def framed_bars(panel: Panel, ink: PlotInk) -> Framed | None:
    """The outlined bars of a plot that shows hardly anything else, where colour alone cannot tell them apart; hollow
    ones at named places also under points."""
    found = find_framed(panel, ink)
    if found is None or found.share < EXPLAINED or len(found.bars) < 2 or not _in_groups(panel, found):
        return _under_points(panel, ink)
    key = panel.y if found.frame.horizontal else panel.x
    if key is not None and key.scale == "category" and not evenly_placed(found.bars, found.frame, key):
        under = _under_points(panel, ink)  # points over their ends may have cut bars into several
        if under is not None:
            return under
    looks = [look for look in _looks(found, ink) if look is not None]
    if not looks or np.mean([look.bare for look in looks]) < BARE or _stacked(found, ink):
        return None
    return found


def _under_points(panel: Panel, ink: PlotInk) -> Framed | None:
    """Hollow bars, every one of them, under points and brackets that take a good part of the ink."""
    found = bars_under_points(panel, ink)
    if found is None or not all(look is not None and look.bare for look in _looks(found, ink)):
        return None
    return None if _stacked(found, ink) else found


def _in_groups(panel: Panel, framed: Framed) -> bool:
    """Whether the bars stand at named places: bins and dense bars along a scale are better read on its grid."""
    key = panel.y if framed.frame.horizontal else panel.x
    if key is None or key.scale == "category":
        return True
    if key.scale != "linear" or not key.anchors or len(framed.bars) > MOST:
        return False
    at = [framed.frame.figure_column(one.middle) for one in framed.bars]
    counts = Counter(int(np.argmin([abs(anchor.pixel - here) for anchor in key.anchors])) for here in at)
    return len(counts) == len(key.anchors) and len(set(counts.values())) == 1


def _looks(framed: Framed, ink: PlotInk) -> list[Look | None]:
    paper = np.asarray(ink.background, dtype=np.float64)
    return [look_at(framed.pixels, paper, (r.left, r.top, r.right, r.bottom), framed.thick) for r in framed.bars]


def _stacked(framed: Framed, ink: PlotInk) -> bool:
    """Whether strokes across the bars part fills that look different."""
    paper = np.asarray(ink.background, dtype=np.float64)
    parted = 0
    for one in framed.bars:
        across = _strokes_across(framed, one)
        steps = np.diff([first for first, _ in across])
        if len(across) > MANY or (len(across) > 3 and float(np.ptp(steps)) <= 2):  # a hatch of level lines or dots
            continue
        for first, last in across:
            parts = [look_at(framed.pixels, paper, (one.left, top, one.right, bottom), framed.thick)
                     for top, bottom in ((one.top, first - 1), (last + 1, one.bottom))]  # fmt: skip
            if parts[0] is not None and parts[1] is not None and unlikeness(parts[0], parts[1]) > ALIKE:
                parted += 1
                break
    return parted >= max(2, 0.3 * len(framed.bars))


def _strokes_across(framed: Framed, one: Rectangle) -> list[tuple[int, int]]:
    """First and last row of the level strokes that run through a bar from side to side, its own ends left out."""
    inset = framed.thick / 2 + 2
    columns = slice(int(one.left + inset), max(int(one.left + inset) + 1, int(one.right - inset)))
    rows: list[tuple[int, int]] = []
    for row in range(int(one.top + inset + 4), int(one.bottom - inset - 4)):
        line = framed.pixels[row, columns]
        near = framed.pixels[[row - 4, row + 4]][:, columns]
        across = float((np.abs(line - np.median(near, axis=0)).max(axis=1) > 40).mean()) >= 0.9
        if across and rows and row - rows[-1][1] <= 2:
            rows[-1] = (rows[-1][0], row)
        elif across:
            rows.append((row, row))
    return rows


def sort_framed(panel: Panel, ink: PlotInk, framed: Framed, pixels: Image | None, key: Axis | None) -> list[Bars]:
    """One `Bars` per series. `pixels` (H, W, 3) of the whole figure, for the legend's samples; None: no names."""
    looks = _looks(framed, ink)
    numbers = sort_looks(looks, _places(framed, key))
    samples: list[tuple[LegendEntry, Look]] = []
    for entry in () if pixels is None else panel.legend.entries:
        assert pixels is not None
        look = swatch_look(pixels, entry, _paper_of(pixels, entry, ink), framed.thick)
        samples += [(entry, look)] if look is not None else []
    named = _named(looks, numbers, [look for _, look in samples])
    bars = []
    for number in dict.fromkeys(named):
        own = [k for k, n in enumerate(named) if n == number]
        seen = [look for k in own if (look := looks[k]) is not None]
        sample = samples[number][0] if 0 <= number < len(samples) else None
        colour = Counter(look.colour for look in seen).most_common(1)[0][0] if seen else (0, 0, 0)
        bars.append(_bars(sample, colour, tuple(framed.bars[k] for k in own)))
    return bars


def _paper_of(pixels: Image, entry: LegendEntry, ink: PlotInk) -> Floats:
    """The paper around a sample: the usual colour just outside of it."""
    if entry.swatch is None:
        return np.asarray(ink.background, dtype=np.float64)
    rows, columns = entry.swatch.grown(4).slices(*pixels.shape[:2])
    part = pixels[rows, columns].astype(np.float64)
    rim = np.concatenate([part[:2].reshape(-1, 3), part[-2:].reshape(-1, 3), part[:, :2].reshape(-1, 3)])
    return np.asarray(np.median(rim, axis=0))


def _named(looks: Sequence[Look | None], numbers: Sequence[int], samples: Sequence[Look]) -> list[int]:
    """The sample of each bar, or -1 - its group where the legend names none for it."""
    count = max(numbers) + 1
    groups = [
        [look for look, n in zip(looks, numbers, strict=True) if n == k and look is not None] for k in range(count)
    ]
    if samples and count > len(samples):
        found = []
        for look, number in zip(looks, numbers, strict=True):
            far = [unlikeness(look, sample) for sample in samples] if look is not None else [FAR]
            found.append(int(np.argmin(far)) if min(far) < FAR else -1 - number)
        return found
    chosen = name_looks(groups, samples)
    return [chosen[n] if chosen[n] >= 0 else -1 - n for n in numbers]


def _places(framed: Framed, key: Axis | None) -> list[int]:
    """Which bar of its group each is, counted from the left, where all groups have as many; -1 elsewhere."""
    if key is None:
        return [-1] * len(framed.bars)
    if key.scale == "category":
        centres = np.array([float(key.to_pixel(slot)) for slot in range(len(key.categories))])
    else:
        centres = np.array(sorted(anchor.pixel for anchor in key.anchors))
    if len(centres) < 2:
        return [-1] * len(framed.bars)
    at = np.array([framed.frame.figure_column(one.middle) for one in framed.bars])
    slots = np.abs(at[:, None] - centres[None, :]).argmin(axis=1)
    counts = Counter(slots.tolist())
    if len(set(counts.values())) > 1:
        return _by_offset(at - centres[slots], framed.bars)
    ranks = [int(np.sum((slots == slot) & (at < here))) for slot, here in zip(slots, at, strict=True)]
    return ranks


def _by_offset(offsets: Floats, bars: Sequence[Rectangle]) -> list[int]:
    """Places by the distance from the middle of the group, where a bar of no height is missing."""
    order = np.argsort(offsets)
    usual = float(np.median([one.width for one in bars]))
    steps = np.diff(offsets[order]) > 0.5 * usual
    numbers = np.concatenate([[0], np.cumsum(steps)])
    places = np.empty(len(offsets), dtype=int)
    places[order] = numbers
    return [int(place) for place in places]


def _bars(entry: LegendEntry | None, colour: tuple[int, int, int], rectangles: tuple[Rectangle, ...]) -> Bars:
    nothing = np.zeros((1, 1), dtype=np.float32)
    none = np.zeros((1, 1), dtype=bool)
    layer = Layer(colour, nothing, none, entry.name if entry else "", entry)
    ends = np.full(1, np.nan)
    return Bars(Sheet(layer, nothing, none, Columns(ends, ends, ends, ends), rectangles), "bar", rectangles)
