"""Markers that sit on a stroke of their own colour: what one looks like, and whether the stroke runs through them.

A marker holds a larger disc than the stroke does; the mean picture of those places, cut to a disc, is its template.

Not handled here: thin markers (x, +, *) on a line, which hold no disc.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from skimage.morphology import skeletonize

from tools.linemarks import fill_holes
from tools.markers import Mask, Places, Plane, Template, explain, extent, patch, refine, register
from tools.types import Floats

_THICKER = 0.6  # px by which a marker's disc must be larger than the stroke's
_ALIKE = 0.85  # share of the template that ink must cover
_LARGER = 1.3  # times the stroke: radius of the smallest marker that is told from its bends
_FEW = 4
_SEEN = 0.25  # of the markers must show their stroke on both sides
BROAD = 15.0  # px of depth inside of fills


@dataclass(frozen=True, eq=False)
class OnStroke:
    """Markers on a stroke: the ink with their insides filled, what one looks like, and the middles of all (pixels)."""

    solid: Plane
    template: Template
    places: Places


def markers_on_stroke(amount: Plane, hidden: Mask) -> OnStroke | None:
    """The markers that sit on the strokes of `amount`; None where no size repeats."""
    found = clear_markers(amount)
    if found is None:
        return None
    clear, stroke = found
    solid, template, places = clear.solid, clear.template, clear.places
    if template.radius > 2.0 * stroke:  # a bent or doubled stroke does not look like these
        more = explain(solid, hidden, template, places)
        places = apart([*places, *refine(solid, hidden, template, places, more)], 0.9 * template.radius)
    return OnStroke(solid, template, places)


def clear_markers(amount: Plane) -> tuple[OnStroke, float] | None:
    """Those of them that nothing hides, which takes little time, and the thickness of the stroke; None where no size
    repeats."""
    if not (amount > 0.5).any():
        return None
    stroke = stroke_of(amount)
    solid = filled_ink(amount, stroke)
    found = core_template(solid, stroke)
    if found is None or found[0].radius < _LARGER * stroke:
        return None
    return OnStroke(solid, *found), stroke


def filled_ink(amount: Plane, stroke: float | None = None) -> Plane:
    """The ink with the insides of open markers filled. `stroke`: its usual thickness, if known."""
    solid = fill_holes(amount > 0.5, int(6 * (stroke_of(amount) if stroke is None else stroke) + 14))
    return np.where(solid, np.maximum(amount, 1.0), amount).astype(np.float32)


def stroke_of(amount: Plane) -> float:
    """The usual thickness (px) of the ink, measured on its middle lines; of broad fills by their depths."""
    depth = _depth(amount)
    inside = depth[depth > 0]
    if inside.size and float(np.median(inside)) > BROAD:
        return 4.0 * float(np.median(inside))  # the depths of a slab spread evenly from nothing to half its thickness
    middle = np.asarray(skeletonize(amount > 0.5), dtype=np.bool_)  # type: ignore[no-untyped-call]
    if not middle.any():
        return 1.0
    across = cv2.filter2D(np.minimum(amount, 1.0), cv2.CV_32F, np.ones((7, 7), np.float32))[middle]
    along = cv2.filter2D(middle.astype(np.float32), cv2.CV_32F, np.ones((7, 7), np.float32))[middle]
    return max(1.0, float(np.median(across / along)) / 1.15)  # slanted middle lines have fewer pixels than their length


def _depth(amount: Plane) -> Floats:
    padded = np.pad((amount > 0.5).astype(np.uint8), 1)
    return np.asarray(cv2.distanceTransform(padded, cv2.DIST_L2, 5), dtype=np.float64)[1:-1, 1:-1]


def core_template(solid: Plane, stroke: float) -> tuple[Template, Places] | None:
    """The template of the markers on a stroke (`solid`: ink with filled markers) and the middles of the clear ones.

    None where no size repeats.
    """
    depth = _depth(solid)
    found = _alike_cores(depth, 0.5 * stroke + _THICKER)
    if found is not None and len(found[0]) < _FEW:  # error bars thicker than the stroke hang on them
        found = _alike_cores(depth, max(0.5 * stroke + _THICKER, 0.5 * found[1]))
    if found is None or len(found[0]) < _FEW:
        return None
    return _mean_picture(solid, found[0], found[1], stroke)


def _alike_cores(depth: Floats, least: float) -> tuple[Places, float] | None:
    """Middles of the pieces of ink deeper than `least` that are as deep as most, compact, and how deep; None where
    there are too few pieces, or too many."""
    thick = (depth > least).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(thick, connectivity=8)
    if not _FEW <= count - 1 <= 3000:
        return None
    boxes = [(slice(y, y + h), slice(x, x + w)) for x, y, w, h, _ in stats[1:].tolist()]
    weights = [np.where(labels[box] == k, depth[box], 0.0) for k, box in enumerate(boxes, 1)]
    deepest = np.asarray([weight.max() for weight in weights])
    many = (np.abs(np.log(deepest[:, None] / deepest)) < 0.15).sum(axis=1)
    usual = deepest[np.argmax(np.where(many >= _FEW, np.sqrt(many) * deepest**3, 0.0))]  # not the stroke's own bends
    near = np.abs(np.log(deepest / usual)) < 0.2
    alike = [k for k in np.flatnonzero(near) if max(weights[k].shape) < 3 * usual + 2]
    return [_middle(boxes[k], weights[k]) for k in alike], float(usual)


def _middle(box: tuple[slice, slice], weight: Floats) -> tuple[float, float]:
    rows, columns = np.mgrid[box]
    total = float(weight.sum())
    return float((weight * columns).sum()) / total, float((weight * rows).sum()) / total


def _mean_picture(solid: Plane, places: Places, radius: float, stroke: float) -> tuple[Template, Places] | None:
    reach = int(np.ceil(1.5 * radius)) + 2
    across, down = np.meshgrid(np.arange(-reach, reach + 1), np.arange(-reach, reach + 1))
    disc = np.clip(1.5 * radius + 1.5 - np.hypot(across, down), 0.0, 1.0).astype(np.float32)
    for _ in range(2):
        stack = np.stack([patch(solid, x, y, reach) for x, y in places[:300]])
        image = np.asarray(np.median(stack, axis=0) * disc, dtype=np.float32)
        image = _without_arms(np.where(image < 0.15, 0.0, image).astype(np.float32), stroke)
        like = [float((one * image).sum()) / max(1e-6, float((image * image).sum())) for one in stack]
        places = [place for place, likeness in zip(places, like, strict=False) if likeness > _ALIKE]
        if len(places) < _FEW:
            return None
        places = [register(solid, Template(image), x, y, attached=True) for x, y in places]
    template = centred(image)
    return template, apart([register(solid, template, x, y, attached=True) for x, y in places], template.radius)


def _without_arms(image: Plane, stroke: float) -> Plane:
    """The marker without the stroke that runs through it: markers are the same left and right, and thicker."""
    length = 2 * int((stroke + 1) / 2) + 1  # the next odd number of pixels, so that nothing is shifted
    bare = np.minimum(image, image[:, ::-1])
    for shape in ((length, 1), (1, length)):
        bare = cv2.morphologyEx(bare, cv2.MORPH_OPEN, np.ones(shape, np.uint8))
    return np.asarray(bare, dtype=np.float32)


def centred(image: Plane) -> Template:
    """The template with its centroid in the middle."""
    reach = image.shape[0] // 2
    rows, columns = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    total = float(image.sum())
    x, y = float((image * columns).sum()) / total, float((image * rows).sum()) / total
    return Template(patch(np.pad(image, 2), reach + 2 + x, reach + 2 + y, reach))


def apart(places: Places, least: float) -> Places:
    """The places, best first, without those that lie closer than `least` to a better one."""
    kept: Places = []
    for x, y in places:
        if all(np.hypot(x - a, y - b) >= least for a, b in kept):
            kept.append((x, y))
    return kept


def off_the_stroke(amount: Plane, template: Template, places: Places) -> float:
    """How far (px, median) the stroke passes beside the markers, led on from what is seen left and right of each.

    0 where it cannot be told. A line that joins the points runs through them; a fitted curve passes beside some.
    """
    gap = int(np.ceil(max(extent(template.image)) / 2)) + 2
    at, half = np.array([x for x, _ in places]), 0.7 * extent(template.image)[0] / 2
    away = []
    for x, y in places:
        others = at[np.abs(at - x) > 2]
        beside = x + np.array([-gap - 4, -gap, gap, gap + 4])
        if others.size and float(np.abs(others[:, None] - beside).min()) < half:
            continue  # the next marker hides the stroke
        ends = [_led_on(amount, x, y, way, gap) for way in (-1, 1)]
        known = [end for end in ends if end is not None]
        if len(known) == 2:
            away.append(abs(0.5 * (known[0] + known[1]) - y))
    return float(np.median(away)) if len(away) >= max(3, _SEEN * len(places)) else 0.0


def _led_on(amount: Plane, x: float, y: float, way: int, gap: int) -> float | None:
    """The row at column x of the straight line through the stroke `gap` and `gap + 4` columns away."""
    rows = []
    for step in (gap, gap + 4):
        column = int(np.floor(x + 0.5)) + way * step
        if not 0 <= column < amount.shape[1]:
            return None
        top = max(0, int(y) - 3 * gap)
        part = amount[top : int(y) + 3 * gap + 1, column].astype(np.float64)
        if part.sum() < 0.7 or part.sum() > 2 * gap:
            return None
        rows.append(top + float((part * np.arange(part.size)).sum() / part.sum()))
    return rows[0] - (rows[1] - rows[0]) * gap / 4
