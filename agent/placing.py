"""Where the rows of a table stand along a figure's x axis: by names, numbers, dates, tick labels, or by their order.

Pixels are figure pixels along the key axis (x; y for horizontal bars). Not handled here: values (`comparing`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from agent.recipes import Curve
from agent.source_tables import number_of, without_unit
from tools.align import assign, similarities
from tools.types import Axis, Floats, days, moment

How = Literal["names", "numbers", "dates", "tick labels", "order"]
PLACEHOLDER = "no year is printed"
MOST_LABELS = 2000  # rows from which names are compared only where they repeat
ALIKE = 0.7  # names of categories at least this similar are the same, misread letters included


@dataclass(frozen=True, eq=False)
class Places:
    """The pixel of each row of a curve (n,), nan where it has none. `sure`: the figure's own labels say so.

    `free`: a constant shift is part of the drawing (bars beside each other, weeks drawn at their middle).
    """

    pixels: Floats
    how: How
    sure: bool
    spacing: float = 0.0

    def thinned(self, rows: NDArray[np.intp]) -> Places:
        """Some of the rows, which keep the step of all."""
        return replace(self, pixels=self.pixels[rows], spacing=self.step)

    @property
    def step(self) -> float:
        """The usual distance between neighbouring rows, in px (nan for fewer than two)."""
        if self.spacing:
            return self.spacing
        at = np.unique(np.round(self.pixels[np.isfinite(self.pixels)], 2))
        return float(np.median(np.diff(at))) if len(at) > 1 else math.nan


def squeeze(name: str) -> str:
    """A name as misreadings leave it: letters and digits only, lower case, easily confused glyphs made one.

    >>> squeeze("I-10 µg") == squeeze("l—1O μg")
    True
    """
    plain = re.sub(r"[\W_]+", "", name.casefold().replace("µ", "μ"))
    return plain.translate(str.maketrans("oil|", "0111"))


def alike(names: Sequence[str], others: Sequence[str]) -> Floats:
    """Similarity (n, m) of names, the better of as written and as squeezed; a name of no letters is like nothing."""
    one, two = [squeeze(n) for n in names], [squeeze(n) for n in others]
    bare, plain = [squeeze(without_unit(n)) for n in names], [squeeze(without_unit(n)) for n in others]
    written = similarities([n.casefold().strip() for n in names], [n.casefold().strip() for n in others])
    found = np.maximum(np.maximum(similarities(one, two), written), 0.99 * similarities(bare, plain))
    found[[i for i, n in enumerate(one) if not n], :] = 0.0
    found[:, [j for j, n in enumerate(two) if not n]] = 0.0
    return found


def places(curve: Curve, key: Axis | None, marks: Sequence[Floats], span: tuple[float, float]) -> list[Places]:
    """The ways to put the rows of a curve on an axis, the surest first.

    `marks`: along-axis pixels of each drawn series; `span`: the ends of the plot area along the axis, in px.
    """
    found = []
    if key is not None:
        if key.scale == "category":
            named = _by_names(curve, key)
            if named is not None and np.isfinite(named.pixels).all():
                return [named]  # every label is printed: the order of the rows says nothing against it
            found += [named]
        else:
            found += [_by_tick_labels(curve, key), *_by_value(curve, key, span)]
    found += [_by_order(curve, group) for group in marks]
    if key is not None and key.scale == "category" and len(curve.labels) == len(key.categories):
        found.append(Places(key.to_pixel(np.arange(len(curve.labels))), "order", False))
        found.append(Places(key.to_pixel(np.arange(len(curve.labels))[::-1]), "order", False))
    return [one for one in found if one is not None]


def _by_names(curve: Curve, key: Axis) -> Places | None:
    """Rows on the slots whose labels they are; a label that was misread is filled in by the order of its neighbours."""
    labels, categories = list(curve.labels), list(key.categories)
    if len(labels) > MOST_LABELS and len(set(labels)) > 10 * len(categories):  # no table of these categories
        return None
    scores = _alike_values(curve, categories, alike(labels, categories))
    if len(set(labels)) < len(labels):  # records: every row by itself
        best = np.where(scores.max(axis=1, initial=0.0) >= ALIKE, scores.argmax(axis=1), -1)
        pairs = [(i, int(j)) for i, j in enumerate(best) if j >= 0]
    else:
        pairs = assign(scores, above=ALIKE)
    if len(pairs) < 0.6 * min(len(labels), len([c for c in categories if c])) or not pairs:
        return None
    slots = np.full(len(labels), np.nan)
    for i, j in pairs:
        slots[i] = j
    for direction in (1, -1):
        offsets = [j - direction * i for i, j in pairs]
        usual = max(set(offsets), key=offsets.count)
        if offsets.count(usual) >= max(2, 0.8 * len(pairs)):
            order = usual + direction * np.arange(len(labels), dtype=np.float64)
            free = np.isnan(slots) & (order >= 0) & (order < len(categories)) & ~np.isin(order, slots)
            slots = np.where(free, order, slots)
    return Places(key.to_pixel(slots), "names", True)


def _alike_values(curve: Curve, categories: Sequence[str], scores: Floats) -> Floats:
    """Numbers, years and months are the same or not: `2019` is not nearly `2018`, nor `Group 1` `Group 2`."""
    digits = [re.findall(r"\d+", text) for text in curve.labels]
    other = [re.findall(r"\d+", text) for text in categories]
    numbers = np.array([number_of(text) for text in categories])
    out = scores.copy()
    for i, mine in enumerate(digits):
        for j, theirs in enumerate(other):
            if np.isfinite(curve.x[i]) and not curve.dated and np.isfinite(numbers[j]):
                out[i, j] = 1.0 if math.isclose(curve.x[i], numbers[j], rel_tol=1e-6, abs_tol=1e-9) else 0.0
            elif mine and theirs and mine != theirs:
                out[i, j] *= 0.6
    if curve.dated:
        out = np.maximum(out, _same_dates(curve, categories))
    return out


def _same_dates(curve: Curve, categories: Sequence[str]) -> Floats:
    """1 where a category prints the date of a row in another form."""
    from tools.dates import parse_date_ladder

    values = [float(v) if isinstance(v, float) else math.nan for v in parse_date_ladder(list(categories)).values]
    apart = np.abs(curve.x[:, None] - np.array(values)[None, :])
    return np.asarray(apart < 0.5, dtype=np.float64)


def _by_tick_labels(curve: Curve, key: Axis) -> Places | None:
    """Evenly spaced rows whose labels are printed at some of the ticks (W1, W5, W9; Jan, Mar, May)."""
    wanted = {squeeze(label): i for i, label in enumerate(curve.labels)}
    if len(wanted) < len(curve.labels):
        return None
    pairs = [(wanted[squeeze(a.text)], a.pixel) for a in key.anchors if squeeze(a.text) in wanted]
    if len(pairs) < 2 or len(pairs) < 0.6 * len(key.anchors):
        return None
    rows, at = np.array(pairs, dtype=np.float64).T
    slope, intercept = np.polyfit(rows, at, 1)
    if np.ptp(rows) < 1 or np.abs(slope * rows + intercept - at).max() > max(2.5, 0.15 * abs(slope)):
        return None
    return Places(slope * np.arange(len(curve.labels)) + intercept, "tick labels", True)


def _by_value(curve: Curve, key: Axis, span: tuple[float, float]) -> list[Places | None]:
    if not np.isfinite(curve.x).any():
        return []
    if key.scale == "date" and not curve.dated:
        return [_years_on_dates(curve, key)]
    if key.scale != "date" and curve.dated:
        return [_dates_on_years(curve, key, span)]
    if key.scale == "date" and any(PLACEHOLDER in warning for warning in key.warnings):
        return [_in_span(curve, key, span)]
    return [Places(key.to_pixel(curve.x), "dates" if curve.dated else "numbers", True)]


def _years_on_dates(curve: Curve, key: Axis) -> Places | None:
    good = curve.x[np.isfinite(curve.x)]
    if good.min() < 1000 or good.max() > 2300:
        return None
    at = [days(moment(0).replace(year=int(v))) + (v % 1) * 365.25 if math.isfinite(v) else math.nan for v in curve.x]
    return Places(key.to_pixel(at), "dates", True)


def _dates_on_years(curve: Curve, key: Axis, span: tuple[float, float]) -> Places | None:
    """Dates on an axis of plain years."""
    years = 1970 + curve.x / 365.2425
    at = key.to_pixel(years)
    inside = (at > min(span) - 5) & (at < max(span) + 5)
    return Places(at, "dates", False) if inside.mean() > 0.5 else None


def _in_span(curve: Curve, key: Axis, span: tuple[float, float]) -> Places | None:
    """A date axis that prints no year: the whole number of years is free, and the rows decide it."""
    best: tuple[float, Floats] | None = None
    first = float(np.nanmin(curve.x))
    ends = sorted(float(v) for v in key.to_value(span))
    for years in range(-2, 3):
        base = round((ends[0] - first) / 365.2425) + years
        shifted = [days(_years_on(moment(v), base)) if math.isfinite(v) else math.nan for v in curve.x]
        at = key.to_pixel(shifted)
        inside = float(np.mean((at > min(span) - 3) & (at < max(span) + 3)))
        if best is None or inside > best[0]:
            best = inside, at
    return Places(best[1], "dates", False) if best is not None and best[0] > 0.5 else None


def _years_on(at, years: int):  # type: ignore[no-untyped-def]
    try:
        return at.replace(year=at.year + years)
    except ValueError:  # 29 February, or beyond the calendar
        return at.replace(year=min(9998, max(1, at.year + years)), day=28)


def _by_order(curve: Curve, marks: Floats) -> Places | None:
    if len(marks) != len(curve.labels) or len(marks) < 2:
        return None
    return Places(np.sort(marks), "order", False)
