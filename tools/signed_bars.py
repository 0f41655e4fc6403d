"""Bars coloured by their sign (anomalies, changes): two inks without a name, above and below the base, are one series.

Not handled here: more than two colours, signs that the legend names, categories (`slots.merge_nameless`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.types import Mark, Series

SHOWN = 0.7  # px: height from which a bar is seen
FEWEST = 2  # bars on either side
APART = 0.3  # of the step from bar to bar: places that are not one


def by_sign(series: Sequence[Series]) -> tuple[Series, ...]:
    """The series, two that share no place and lie on different sides of the base put together, in order."""
    loose = [one for one in series if one.kind == "bar" and not one.name]
    if len(series) != 2 or len(loose) != 2 or loose[0].orientation != loose[1].orientation:
        return tuple(series)
    lying = loose[0].orientation == "horizontal"
    shown = [[mark for mark in one.marks if _height(mark, lying) > SHOWN] for one in loose]
    signs = [{_rises(mark, lying) for mark in marks} for marks in shown]
    if min(map(len, shown)) < FEWEST or sorted(map(tuple, signs)) != [(False,), (True,)]:
        return tuple(series)
    places = np.sort([_place(mark, lying) for marks in shown for mark in marks])
    gaps = np.diff(places)
    step = float(gaps.min())
    few = gaps[gaps < 3 * step] / max(step, SHOWN)
    if step < SHOWN or float(np.abs(few - np.round(few)).max()) > APART:  # pairs of bars
        return tuple(series)
    marks = [mark for marks in shown for mark in marks]
    for mark in (mark for one in loose for mark in one.marks):
        if min(abs(_place(mark, lying) - _place(other, lying)) for other in marks) > APART * step:
            marks.append(mark)
    marks.sort(key=lambda mark: _place(mark, lying))
    larger = max(loose, key=lambda one: len(one.marks))
    return (replace(larger, marks=tuple(marks)),)


def _place(mark: Mark, lying: bool) -> float:
    return mark.y if lying else mark.x


def _height(mark: Mark, lying: bool) -> float:
    return 0.0 if mark.box is None else mark.box.width if lying else mark.box.height


def _rises(mark: Mark, lying: bool) -> bool:
    """Whether the value end is the upper (right) one."""
    assert mark.box is not None
    return mark.x == mark.box.x1 if lying else mark.y == mark.box.y0
