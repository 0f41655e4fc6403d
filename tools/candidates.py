"""Where an axis suggests that data points were taken: calendar steps, round steps, decades, category slots.

Not handled here: choosing among them (`sampling`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from tools.types import Axis, Floats, days, moment

CLOSEST = 0.45  # px: points closer than this cannot be told apart
UNLIKELY = 10.0  # nats of a part of a year that is no month and no week
LONGEST = 60.0  # years over which weeks and days are looked for
WORKING = 1.2  # px between days under which weekends cannot be told from other days


@dataclass(frozen=True, eq=False)
class Knots:
    """Candidate places of data points: `places` are increasing crop columns that reach across the whole plot.

    `step` names them ("day", "7 days", "0.5", "142 points"); `price` are the nats of choosing them. `nominal`: where
    the axis says that they are, if that is not `places` (which may be moved a little to where the curves turn).
    `comb`: found from vertices.
    """

    places: Floats
    step: str
    price: float = 0.0
    nominal: Floats | None = None
    comb: bool = False

    @property
    def named(self) -> Floats:
        return self.places if self.nominal is None else self.nominal


def calendar_grids(first: float, last: float, timed: bool = True) -> Iterable[tuple[str, float, Floats]]:
    """Calendar steps between two days since 1970: (name, price in nats, days).

    `timed`: the axis prints times of day.
    """
    low, high = np.floor(first) - 40, np.ceil(last) + 40
    span = np.arange(low, high + 1)
    yield "day", 0.0, span
    for weeks, price in ((1, 2.0), (2, 4.0), (4, 6.0)):
        for phase in range(7 * weeks):
            yield f"{7 * weeks} days", price, span[(span.astype(np.int64) - phase) % (7 * weeks) == 0]
    for count in (2, 3, 5, 10):
        for phase in range(count):
            yield f"{count} days", 30.0, span[(span.astype(np.int64) - phase) % count == 0]
    for hours in (12, 6, 4, 3, 2, 1):
        if last - first < 4 * hours:  # hourly data are not drawn over months
            yield f"{hours} h", 4.0 if timed else 60.0, np.arange(low * 24 / hours, high * 24 / hours) * hours / 24
    years = range(max(1, moment(low).year - 1), min(9998, moment(high).year + 1) + 1)
    months = [date(year, month, 1) for year in years for month in range(1, 13)]
    yield "working day", 6.0, span[(span.astype(np.int64) + 3) % 7 < 5]  # day 0 was a Thursday
    for count, name in ((1, "month"), (3, "quarter"), (12, "year")):
        for shift, price in ((0, 0.0), (14, 4.0), (-1, 4.0)):  # first, middle and last day
            yield name, price, np.array([days(month) + shift for month in months[::count]])


def number_grids(first: float, last: float) -> Iterable[tuple[str, float, Floats]]:
    """Round steps anchored at zero between two numbers: (name, price in nats, numbers)."""
    span = last - first
    for exponent in range(int(np.floor(np.log10(span))) - 4, int(np.floor(np.log10(span))) + 1):
        for digit, price in ((1.0, 0.0), (2.0, 2.0), (5.0, 2.0), (2.5, 4.0), (4.0, 5.0), (3.0, 5.0), (1.25, 6.0)):
            step = digit * 10.0**exponent
            if 2 < span / step < 4000:
                low, high = np.floor(first / step) - 2, np.ceil(last / step) + 2
                yield f"{step:g}", price, np.arange(low, high + 1) * step
                yield f"{step:g}", price + 12, (np.arange(low, high + 1) + 0.5) * step
    for part in (12, 4, 52):  # decimal years: months, quarters, weeks
        if 2 < span * part < 4000 and span > 1:
            yield f"1/{part}", 4.0, np.arange(np.floor(first * part) - 2, np.ceil(last * part) + 3) / part


def year_grids(first: float, last: float) -> Iterable[tuple[str, float, Floats]]:
    """Steps between two decimal years: whole years, months, weeks, days; other parts of a year are unlikely."""
    for name, price, units in number_grids(first, last):
        yield name, price + (UNLIKELY if units[1] - units[0] < 0.99 else 0.0), units
    if last - first > LONGEST:
        return
    start, end = (days(date(max(1, int(year)), 1, 1)) for year in (first, last + 1))
    for name, price, units in calendar_grids(start, end, timed=False):
        if name in ("month", "7 days", "day"):
            yield name, price + 2.0, _in_years(units)


def _in_years(found: Floats) -> Floats:
    """Days since 1970 as decimal years."""
    moments = found.astype("datetime64[D]")
    starts = moments.astype("datetime64[Y]")
    first, after = starts.astype("datetime64[D]"), (starts + 1).astype("datetime64[D]")
    share = (moments - first).astype(np.float64) / (after - first).astype(np.float64)
    return np.asarray(starts.astype(np.float64) + 1970 + share)


def axis_grids(axis: Axis | None, origin: float, first: float, last: float) -> list[Knots]:
    """Grids that the axis suggests for curves between the columns `first` and `last`."""
    if axis is None or last - first < 2:
        return []
    ends = np.array([first, last]) + origin
    low, high = sorted((ends * axis.slope + axis.intercept).tolist())
    units: Iterable[tuple[str, float, Floats]]
    if axis.scale == "date":
        units = calendar_grids(low, high, any(anchor.value % 1 > 0.01 for anchor in axis.anchors))
    elif axis.scale == "category":
        units = [("category", -20.0, np.arange(-1.0, max(len(axis.categories), int(high) + 1) + 1))]
    elif axis.scale == "log":
        units = [(f"1/{n} decade", 4.0, np.arange(np.floor(low * n) - 2, np.ceil(high * n) + 3) / n)
                 for n in (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 25, 50, 100) if (high - low) * n > 2]  # fmt: skip
    elif axis.calendar == "year" and 1 < low < high < 9000:
        units = year_grids(low, high)
    else:
        units = number_grids(low, high)
    grids = [
        Knots(np.sort(np.asarray((u - axis.intercept) / axis.slope - origin, dtype=np.float64)), name, price)
        for name, price, u in units
    ]
    return [grid for grid in grids if _usable(grid, first, last)]


def _usable(grid: Knots, first: float, last: float) -> bool:
    knots = grid.places
    inside = knots[(knots > first - 2) & (knots < last + 2)]
    closest = WORKING if grid.step == "working day" else CLOSEST
    return len(inside) >= 3 and float(np.min(np.diff(inside))) >= closest


def even_grid(first: float, last: float, count: int, price: float = 20.0) -> Knots:
    """`count` points from `first` to `last`, one more at either side."""
    step = (last - first) / (count - 1)
    return Knots(first + step * np.arange(-1.0, count + 1.0), f"{count} points", price)


def even_between(period: float, through: float, first: float, last: float) -> Knots:
    """Points every `period` px, one of them at `through`, from about `first` to `last`, one more at either side."""
    start = through + round((first - through) / period) * period
    steps = max(1, round((last - start) / period))
    return replace(even_grid(start, start + steps * period, steps + 1, price=-20.0), comb=True)
