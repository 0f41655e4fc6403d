"""Which legend entry each of several curves of one colour belongs to: by their dashes and by the markers on them.

Not handled here: telling the curves apart (`dashes`), their dash patterns (`patterns`), curves without a legend.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from tools.types import Floats, Image, LegendEntry, Series

Picture = NDArray[np.float32]

SHAPE_WEIGHT = 4.0  # of the pictures' difference (0 to 1) against that of dash patterns
BESIDE = 2.5  # times a picture's reach: other curves this near spoil a marker
FEWEST = 2  # clear points that show a marker
SHIFT = 1  # px by which pictures may be off
BETWEEN = 0.95  # of the places at which the upper and the lower border of a third curve lie above and below it


def swatch_pictures(figure: Image, entries: Sequence[LegendEntry]) -> tuple[Picture, ...]:
    """Coverage of the middles of the entries' line samples, odd squares of one size; () where one has no sample.

    `figure` (H, W, 3) uint8.
    """
    boxes = [entry.swatch for entry in entries if entry.swatch is not None]
    if len(boxes) < len(entries):
        return ()
    reach = int(np.ceil(max(box.height + 1 for box in boxes) / 2)) + 2
    found = []
    for entry, box in zip(entries, boxes, strict=True):
        x, y = box.centre
        wide = cv2.getRectSubPix(figure.astype(np.float32), (2 * reach + 1, 2 * reach + 1), (float(x), float(y)))
        paper = np.median(np.concatenate([wide[0], wide[-1]]), axis=0)
        ray = np.asarray(entry.colour, dtype=np.float32) - paper
        found.append(np.clip((wide - paper) @ ray / max(1.0, float(ray @ ray)), 0, 1).astype(np.float32))
    return tuple(found)


def marker_costs(coverage: Picture, curves: Sequence[Floats], pictures: Sequence[Picture]) -> Floats:
    """How unlike the points of each curve are to each sample: (curves, samples), 0 to about `SHAPE_WEIGHT`.

    `coverage` (h, w) of the colour's ink; `curves` (n, 2) x and y of each curve's points in its pixels, left to right.
    0 everywhere where too few points stand clear of the other curves.
    """
    costs = np.zeros((len(curves), len(pictures)))
    reach = pictures[0].shape[0] // 2
    for k, points in enumerate(curves):
        others = [other for j, other in enumerate(curves) if j != k]
        clear = [(x, y) for x, y in points.tolist() if all(_away(other, x, y) > BESIDE * reach for other in others)]
        inside = [
            (x, y) for x, y in clear if reach < x < coverage.shape[1] - reach and reach < y < len(coverage) - reach
        ]
        if len(inside) < FEWEST:
            continue
        size = 2 * (reach + SHIFT) + 1
        seen = np.median([cv2.getRectSubPix(coverage, (size, size), place) for place in inside], axis=0)
        costs[k] = [SHAPE_WEIGHT * _difference(seen, picture) for picture in pictures]
    return costs


def _away(curve: Floats, x: float, y: float) -> float:
    """How far a place lies from a curve above or below it, or beside one that climbs there."""
    columns = np.linspace(x - 4, x + 4, 5)
    return float(np.abs(np.interp(columns, curve[:, 0], curve[:, 1], left=np.inf, right=np.inf) - y).min())


def _difference(seen: Floats, picture: Picture) -> float:
    """Share of the ink of two pictures that is not in both, at the best of nine shifts; `seen` has a wider rim."""
    size = picture.shape[0]
    shifts = [(r, c) for r in range(2 * SHIFT + 1) for c in range(2 * SHIFT + 1)]
    parts = [seen[r : r + size, c : c + size] for r, c in shifts]
    return min(float(np.abs(part - picture).sum() / max(1e-6, float(part.sum() + picture.sum()))) for part in parts)


def entries_for(costs: Floats) -> list[int]:
    """For each curve the number of its entry: one each at least total cost (curves, entries), further curves to the
    entry that they are most like."""
    rows, columns = linear_sum_assignment(costs)
    chosen = dict(zip(rows.tolist(), columns.tolist(), strict=True))
    return [chosen.get(k, int(np.argmin(row))) for k, row in enumerate(costs)]


def numbered(names: Sequence[str]) -> list[str]:
    """The names, repeated ones numbered from the second on; no name stays none.

    >>> numbered(["mean", "limit", "limit", ""])
    ['mean', 'limit', 'limit (2)', '']
    """
    found = []
    for k, name in enumerate(names):
        before = names[:k].count(name)
        found.append(f"{name} ({before + 1})" if name and before else name)
    return found


def sided(series: Sequence[Series]) -> tuple[Series, ...]:
    """The series, those of two curves of one name that a third one runs between told as (upper) and (lower)."""
    found = list(series)
    names = [one.name for one in series]
    for name in [name for name in names if name and f"{name} (2)" in names and f"{name} (3)" not in names]:
        pair = [names.index(name), names.index(f"{name} (2)")]
        if any(mark.part == "marker" for k in pair for mark in series[k].marks):
            continue  # one of them may have a name of its own that was not read
        for between in (one for k, one in enumerate(series) if k not in pair):
            above = [_share_above(series[k], between) for k in pair]
            if max(above) >= BETWEEN and min(above) <= 1 - BETWEEN:
                for k, share in zip(pair, above, strict=True):
                    found[k] = replace(series[k], name=f"{name} ({'upper' if share > 0.5 else 'lower'})")
    return tuple(found)


def _share_above(one: Series, other: Series) -> float:
    """At which share of the other's points a curve runs above it in the figure; a half where it reaches less far."""
    if one.orientation != "vertical" or not one.marks:
        return 0.5
    rows = np.interp(
        [m.x for m in other.marks], [m.x for m in one.marks], [m.y for m in one.marks], left=np.nan, right=np.nan
    )
    reaches = other.marks and np.isfinite(rows).mean() > BETWEEN
    return float(np.mean(rows < [m.y for m in other.marks])) if reaches else 0.5
