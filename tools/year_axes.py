"""Axes of bare years (2019, 2020): as axes of days, for what is drawn at steps finer than a year; as names of rows.

Not handled here: whether the figure's rows are years or dates (`printing` decides by their step), fiscal years.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import numpy as np

from tools.rectangles import Rectangle
from tools.types import Axis, days

FEWEST = 12  # bars that stand at steps finer than a year
FINE = 0.3  # years that most of them are wide at most
AT_LABEL = 1.5  # px between a point and the label of its row
ROWS = 4  # years up the side, at least, whose points stand in rows


def in_days(axis: Axis | None, found: Sequence[Rectangle]) -> Axis | None:
    """A linear axis of years as a date axis through the first days of the years that it prints, if the bars (frame
    columns) are that narrow; every other axis as it is.

    Days since 1970-01-01 against pixels; leap years make the fit through more than two labels a compromise of a day.
    """
    if axis is None or axis.scale != "linear" or axis.calendar != "year" or len(found) < FEWEST:
        return axis
    years = [anchor.value for anchor in axis.anchors]
    if len(years) < 2 or any(year != round(year) or not 1 <= year < 9999 for year in years):
        return axis
    if float(np.median([one.width for one in found])) * abs(axis.slope) > FINE:
        return axis
    at = [days(date(round(year), 1, 1)) for year in years]
    slope, intercept = np.polyfit([anchor.pixel for anchor in axis.anchors], at, 1)
    return replace(axis, scale="date", slope=float(slope), intercept=float(intercept), calendar="")


def years_are_rows(axis: Axis | None, at: Sequence[float]) -> bool:
    """Whether years up the side name the rows of points: each printed year has one, and none stands elsewhere.

    at: the pixels of the points of a series along the axis.
    """
    if axis is None or axis.horizontal or axis.scale != "linear" or axis.calendar != "year":
        return False
    labels = np.sort([anchor.pixel for anchor in axis.anchors])
    points = np.sort(np.asarray(at, dtype=np.float64))
    return len(labels) == len(points) >= ROWS and bool(np.abs(labels - points).max() < AT_LABEL)
