"""Which legend entry names a vector element: by the very style of the path that the legend shows as its sample.

Not handled here: reading the legend's words and finding its samples (`legend`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tools.colour import lab_distance
from tools.types import Box, Drawing, LegendEntry, Panel, Rgb, Series, VectorPath
from tools.vector_elements import Element, looks

NAMED = 14.0  # Lab units within which a colour takes the name of a legend entry
OTHER_DASH = 20.0  # what a different dash costs, in Lab units
OTHER_SHAPE = 6.0  # and a different marker
PALER = 3.0  # and a sample that is not as see-through


@dataclass(frozen=True, eq=False)
class Sample:
    """A legend entry and the paths that its swatch is drawn with."""

    entry: LegendEntry
    paths: tuple[VectorPath, ...]


def samples_of(drawing: Drawing, panel: Panel) -> list[Sample]:
    """The legend's entries with the paths of their swatches; none where a swatch was not located."""
    return [Sample(entry, _drawn_in(entry.swatch, drawing)) for entry in panel.legend.entries]


def _drawn_in(swatch: Box | None, drawing: Drawing) -> tuple[VectorPath, ...]:
    """The paths of a swatch. One of dashes may reach beyond what the pixels show of it, by a gap between them."""
    if swatch is None:
        return ()
    box = swatch.grown(4)
    paths = [path for path in drawing.paths if len(path.points)]
    inside = tuple(p for p in paths if box.contains(p.box.x0, p.box.y0) and box.contains(p.box.x1, p.box.y1))
    if inside:
        return inside
    return tuple(
        path for path in paths
        if path.dash and len(path.points) == 2 and box.contains(*path.box.centre)
        and path.box.x0 > box.x0 - max(path.dash) and path.box.x1 < box.x1 + max(path.dash)
        and path.box.y0 > box.y0 and path.box.y1 < box.y1
    )  # fmt: skip


def with_twins_told(found: Sequence[Series], samples: Sequence[Sample]) -> list[Series]:
    """The series; those whose legend entry looks like another one say so, for nothing tells which is meant."""
    done = []
    for one in found:
        looks_of = {sample.entry.name: _styles(sample) for sample in samples if sample.paths}
        own = looks_of.get(one.name)
        twins = [name for name, other in looks_of.items() if own and other == own]
        note = " and ".join(repr(name) for name in twins) + " look the same in the legend: which is meant can't be told"
        done.append(replace(one, warnings=(*one.warnings, note)) if len(twins) > 1 else one)
    return done


def _styles(sample: Sample) -> set[tuple[object, ...]]:
    """All that tells the paths of a sample from those of another one."""
    return {(looks(p), p.fill, p.stroke, p.dash, round(p.width, 1), p.curved, len(p.points)) for p in sample.paths}


def entry_of(element: Element, samples: Sequence[Sample]) -> LegendEntry | None:
    """The entry whose sample looks most like an element; None if none does."""
    costs = [_cost(element, sample) for sample in samples]
    best = int(np.argmin(costs)) if costs else -1
    return samples[best].entry if costs and costs[best] < NAMED else None


def _cost(element: Element, sample: Sample) -> float:
    """How unlike a sample an element looks, in Lab units: colour, dash, marker.

    Legends often show the paint of a see-through mark at its full strength.
    """
    if not sample.paths:
        return min(_away(sample.entry.colour, element.colour), _away(sample.entry.colour, paint(element)) + PALER)
    costs = []
    for path in sample.paths:
        cost = min(_away(looks(path), element.colour), _away(looks(path), paint(element)) + PALER)
        if element.kind == "curve" and path.stroke is not None and len(path.points) < 5 and not path.closed:
            cost += OTHER_DASH * (not same_dash(path.dash, element.style.dash)) - 0.5
        if element.kind == "marker":
            alike = (len(path.points), path.curved, path.fill is not None) == element.shape
            cost += OTHER_SHAPE * (not alike)
        costs.append(cost)
    return min(costs)


def paint(element: Element) -> Rgb:
    """The colour that an element is painted with, however much of the paper it lets through."""
    return looks(replace(element.style, alpha=1.0))


def _away(one: Rgb, other: Rgb) -> float:
    return float(lab_distance(one, other))


def same_dash(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether two dash patterns are the same, within a tenth and a half pixel."""
    if len(one) != len(other):
        return False
    return all(abs(a - b) < 0.1 * max(a, b) + 0.5 for a, b in zip(one, other, strict=True))
