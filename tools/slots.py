"""Which step of an axis, or which category, each bar belongs to; bars of no height where others show that one is due.

Upright frame as in `rectangles`. Not handled here: words of categories (`tabulate` asks the axis).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np

from tools.bar_sheets import Sheet
from tools.grid import MONTHS
from tools.lattice import Cells
from tools.rectangles import Frame, Rectangle
from tools.types import Axis, Floats, SeriesKind, days, moment

NAMING_BLUR = 0.3  # px: how well a grid of bars and an axis are placed against each other
WEEK_BEGINS = {0: 1.0, 6: 0.8, 5: 0.4}  # how often weeks begin on a Monday, a Sunday, a Saturday


@dataclass(frozen=True, eq=False)
class Bars:
    """The bars of one ink (`kind` "stack": its segments), and the cells they stand in, if any."""

    sheet: Sheet
    kind: SeriesKind
    rectangles: tuple[Rectangle, ...]
    cells: Cells | None = None


def named_places(bars: Sequence[Bars], frame: Frame, axis: Axis | None) -> list[Floats]:
    """Per ink, the figure pixel along the key axis that names each bar.

    The middle of the bar on category axes and where there is no grid; on a number axis the middle of its group; on
    a time axis the date that the bar stands for: the one at the middle of the step, or the one at its start for
    bins that run from date to date.
    """
    spans = _group_spans(bars, frame, axis)
    places = []
    for one, span in zip(bars, spans, strict=True):
        middles = np.array([frame.figure_column(r.middle) for r in one.rectangles])
        if one.cells is None or axis is None or axis.scale == "category" or len(middles) != len(one.cells.lefts):
            places.append(middles)
            continue
        lefts, rights = (np.array([frame.figure_column(v) for v in side]) for side in span)
        if axis.scale == "date":
            places.append(axis.to_pixel(_named_days(axis, lefts, rights, one.cells)))
        else:
            places.append((lefts + rights) / 2)
    return places


def _group_spans(bars: Sequence[Bars], frame: Frame, axis: Axis | None) -> list[tuple[Floats, Floats]]:
    """Left and right of the whole group that each step's bar stands in: inks side by side on one period."""
    spans = []
    for one in bars:
        cells = one.cells
        if cells is None:
            spans.append((np.zeros(0), np.zeros(0)))
            continue
        period = cells.grid.period
        peers = [
            other.cells for other in bars
            if one.kind == "bar" and other.kind == "bar" and other.cells is not None
            and abs(other.cells.grid.period / period - 1) < 0.02
        ]  # fmt: skip
        if len(peers) < 2:
            spans.append((cells.lefts, cells.rights))
            continue
        start, width = _group(peers, period, frame, axis)
        # The start of the group at or before each bar.
        lefts = start + period * np.floor((cells.lefts - start) / period + 0.15)
        spans.append((lefts, lefts + width))
    return spans


def _group(peers: Sequence[Cells], period: float, frame: Frame, axis: Axis | None) -> tuple[float, float]:
    """Where one group begins (column) and how wide it is: after the widest gap between the inks' bars.

    Bars that fill the whole step leave no gap to tell by: then groups begin where a day does.
    """
    origin = float(peers[0].lefts[0])
    phases = sorted(
        (float(np.median((p.lefts - origin + 0.2 * period) % period)) - 0.2 * period,
         float(np.median(p.rights - p.lefts))) for p in peers
    )  # fmt: skip
    if phases[-1][0] - phases[0][0] < 0.25 * phases[0][1]:  # in front of each other
        return origin + phases[0][0], max(w for _, w in phases)
    begins = np.array([p for p, _ in phases])
    ends = np.array([p + w for p, w in phases])
    gaps = np.roll(begins, -1) - ends
    gaps[-1] += period
    first = (int(np.argmax(gaps)) + 1) % len(phases)
    if np.ptp(gaps) < 1.0 and axis is not None and axis.scale == "date":
        days_off = [_off_day(axis, frame.figure_column(origin + p), period) for p in begins]
        first = int(np.argmin(days_off))
    start = begins[first]
    last = ends[first - 1] + (period if first else 0.0)
    return origin + float(start), float(min(last - start, period))


def _off_day(axis: Axis, pixel: float, period: float) -> float:
    """How unlikely a step begins at this pixel: the distance to a whole day, and to a Monday for weeks."""
    day = float(axis.to_value(pixel))
    whole = round(day)
    step = period * abs(axis.slope)
    weekly = abs(step / 7 - round(step / 7)) < 0.03
    return abs(day - whole) + (0.25 * (1 - WEEK_BEGINS.get(int(whole + 3) % 7, 0.0)) if weekly else 0.0)


def _named_days(axis: Axis, lefts: Floats, rights: Floats, cells: Cells) -> Floats:
    """The day (since 1970) that names every step, whole days for steps of days and longer."""
    grid = cells.grid
    middles = axis.to_value((lefts + rights) / 2)
    begins, ends = np.sort(axis.to_value(np.stack([lefts, rights])), axis=0)
    if grid.unit in MONTHS:
        centre = _month_starts(middles, MONTHS[grid.unit])
        start = _month_starts(begins, MONTHS[grid.unit])
        centred = np.mean(np.abs(centre - middles)) < np.mean(np.abs(start - begins))
        return centre if centred else start
    if grid.unit == "hour":
        return middles
    step = float(grid.every * (7 if grid.unit == "week" else 1))
    # Offsets from a ladder of whole steps: the same for all bars up to noise.
    order = np.arange(len(lefts)) * (step if axis.slope > 0 else -step)
    width = float(np.median(ends - begins))
    full = width > 0.92 * step or (width > 0.85 * step and (step - width) / abs(axis.slope) < 3)
    middle, left = float(np.median(middles - order)), float(np.median(begins - order))
    # A full bin of n days that starts at a date has its middle n / 2 days later.
    guesses = [(middle, 0.8 if full else 1.0), (middle - step / 2, 1.0 if full else 0.4), (left, 0.2)]
    if full and step % 2 == 0:
        guesses[0] = (middle, 0.3)
    blur = float(np.hypot(NAMING_BLUR, axis.residual)) * abs(axis.slope)
    named = order + _likeliest_day(guesses, blur, weekly=step % 7 == 0)
    return np.asarray(named, dtype=np.float64)


def _likeliest_day(guesses: Sequence[tuple[float, float]], blur: float, weekly: bool) -> float:
    """The whole day that explains one of the (day, trust) guesses best.

    blur: standard deviation of a guess in days. Where weeks are only a few pixels wide the pixels cannot tell the
    day of the week, and most weeks begin on a Monday or a Sunday.
    """
    best = (-1.0, 0.0)
    for day, trust in guesses:
        for whole in (np.floor(day), np.ceil(day)):
            likely = trust * float(np.exp(-0.5 * ((day - whole) / blur) ** 2))
            if weekly:
                likely *= WEEK_BEGINS.get(int(whole + 3) % 7, 0.12)  # 1970-01-01 was a Thursday; 0 is Monday
            best = max(best, (likely, float(whole)))
    return best[1]


def _month_starts(values: Floats, months: int) -> Floats:
    """The first day of the nearest month (of every `months`) to each day."""
    found = []
    for value in values:
        at = moment(float(value))
        number = (at.year * 12 + at.month - 1) // months
        near = [datetime(n * months // 12, n * months % 12 + 1, 1) for n in (number, number + 1)]
        found.append(min((days(n) for n in near), key=lambda day: abs(day - float(value))))
    return np.array(found)


def merge_nameless(bars: list[Bars], frame: Frame, axis: Axis | None) -> list[Bars]:
    """Inks without a name that never share a category are one series whose bars have their own colours."""
    loose = [one for one in bars if one.kind == "bar" and not one.sheet.layer.name and one.cells is None]
    if len(loose) < 2:
        return bars
    whole = [r for one in loose for r in _joined(one.rectangles)]
    taken = sorted(r.middle for r in whole)
    pitch = 1 / abs(axis.slope) if axis is not None and axis.scale == "category" else _pitch(taken)
    slots = [_slot(frame, axis, r, pitch) for r in whole]
    if len(set(slots)) < len(slots) or not _evenly_spaced(taken):
        return bars
    joined = tuple(sorted((r for one in loose for r in one.rectangles), key=lambda r: r.left))
    first = next(i for i, one in enumerate(bars) if one is loose[0])
    rest = [one for one in bars if not any(one is other for other in loose)]
    rest.insert(min(first, len(rest)), replace(loose[0], rectangles=joined))
    return rest


def _joined(found: Sequence[Rectangle]) -> list[Rectangle]:
    """Bars of one ink with the pieces together into which the stroke of an error bar cuts them."""
    joined: list[Rectangle] = []
    for one in sorted(found, key=lambda r: r.left):
        if joined and one.left - joined[-1].right < 0.5:
            joined[-1] = replace(joined[-1], right=one.right)
        else:
            joined.append(one)
    return joined


def _pitch(taken: Sequence[float]) -> float:
    return float(np.median(np.diff(taken))) if len(taken) > 1 else 1.0


def _evenly_spaced(taken: Sequence[float]) -> bool:
    """Whether steps are (about) whole multiples of one pitch; groups with gaps between them are not."""
    steps = np.diff(np.array(taken)) / _pitch(taken)
    return bool(np.all(np.abs(steps - np.round(steps)) < 0.12) and np.all(steps > 0.5))


def _slot(frame: Frame, axis: Axis | None, one: Rectangle, pitch: float) -> int:
    if axis is not None and axis.scale == "category":
        return round(float(axis.to_value(frame.figure_column(one.middle))))
    return round(one.middle / pitch)


def fill_gaps(
    bars: Sequence[Bars], places: Sequence[Floats], frame: Frame, axis: Axis | None, base: float
) -> list[tuple[Bars, Floats]]:
    """Bars of no height where the other inks show that one is due.

    On a time axis: every step from the first to the last bar of any ink. On a category axis: in the categories of
    groups, if most categories hold several inks; of a lone ink in every category that has a label. Returns each ink
    with the places of its bars.
    """
    filled = [(one, np.asarray(at)) for one, at in zip(bars, places, strict=True)]
    if axis is not None and axis.scale == "category" and len(bars) == 1:
        return [_fill_labelled(*filled[0], frame, axis, base)]
    if axis is None or len(bars) < 2:
        return filled
    if axis.scale == "category":
        return _fill_categories(filled, frame, axis, base)
    if axis.scale == "date":
        return _fill_steps(filled, base)
    return filled


def _fill_labelled(one: Bars, at: Floats, frame: Frame, axis: Axis, base: float) -> tuple[Bars, Floats]:
    """Bars of no height in the few labelled categories without one."""
    own = np.round(axis.to_value(at))
    due = [slot for slot, word in enumerate(axis.categories) if word and slot not in own]
    if one.kind != "bar" or not len(at) or not due or len(due) > len(at):
        return one, at
    shift = float(np.median(at - axis.to_pixel(own)))
    width = float(np.median([r.width for r in one.rectangles]))
    places = [float(axis.to_pixel(slot)) + shift for slot in due]
    empty = tuple(Rectangle(frame.column(p) - width / 2, frame.column(p) + width / 2, base, base) for p in places)
    return replace(one, rectangles=one.rectangles + empty), np.append(at, places)


def _fill_steps(filled: Sequence[tuple[Bars, Floats]], base: float) -> list[tuple[Bars, Floats]]:
    gridded = [(one, at) for one, at in filled if one.cells is not None and len(at) > 1]
    if len(gridded) < 2:
        return list(filled)
    first = min(float(at.min()) for _, at in gridded)
    last = max(float(at.max()) for _, at in gridded)
    longest = max((at for _, at in gridded), key=len)
    result = []
    for one, at in filled:
        if one.cells is None or len(at) < 2:
            result.append((one, at))
            continue
        step = float(np.median(np.diff(np.sort(at))))
        due = [p for p in _extended(np.sort(longest), step, first, last) if np.min(np.abs(at - p)) > 0.5 * step]
        shift = float(np.median([r.middle for r in one.rectangles] - at))
        width = float(np.median([r.width for r in one.rectangles]))
        empty = tuple(Rectangle(p + shift - width / 2, p + shift + width / 2, base, base) for p in due)
        result.append((replace(one, rectangles=one.rectangles + empty), np.append(at, due)))
    return result


def _extended(at: Floats, step: float, first: float, last: float) -> Floats:
    before = np.arange(at[0] - step, first - 0.5 * step, -step)[::-1]
    after = np.arange(at[-1] + step, last + 0.5 * step, step)
    return np.concatenate([before, at, after])


def _fill_categories(
    filled: Sequence[tuple[Bars, Floats]], frame: Frame, axis: Axis, base: float
) -> list[tuple[Bars, Floats]]:
    grouped = [(one, at) for one, at in filled if one.kind == "bar" and len(at)]
    slots = [{round(float(v)) for v in axis.to_value(at)} for _, at in grouped]
    every = sorted(set().union(*slots)) if slots else []
    shared = [slot for slot in every if sum(slot in own for own in slots) > 1]
    if len(grouped) < 2 or len(shared) < 0.5 * len(every):
        return list(filled)
    result = []
    for one, at in filled:
        if one.kind != "bar" or not len(at):
            result.append((one, at))
            continue
        own = np.round(axis.to_value(at))
        shift = float(np.median(at - axis.to_pixel(own)))
        width = float(np.median([r.width for r in one.rectangles]))
        due = [float(axis.to_pixel(slot)) + shift for slot in every if slot not in own]
        empty = tuple(Rectangle(frame.column(p) - width / 2, frame.column(p) + width / 2, base, base) for p in due)
        result.append((replace(one, rectangles=one.rectangles + empty), np.append(at, due)))
    return result
