"""Points with a fitted curve of their colour: the markers are the data, the curve and the error bars are not.

A line that joins points runs through them; a fitted curve passes beside some. Where one colour of a panel shows that,
markers of the others, hidden in part, are looked for with the samples of the legend.
Not handled here: curves in a colour of their own (`kinds`), bands around them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from tools.cores import OnStroke, centred, clear_markers, filled_ink, markers_on_stroke, off_the_stroke
from tools.ink import Layer, PlotInk
from tools.markers import Mask, Places, Plane, Template, explain, extent, patch, refine
from tools.reduced import reduced, scale_of

CLOUD = 0.5  # share of the markers in sight at an x of their own, up to which no curve runs through them
FEWEST = 5  # clear markers that show a fit
BESIDE = 1.0  # px (median) by which its curve misses them
WHOLE = 0.5  # share of the gaps between markers that the curve crosses in sight
AT_ONCE = 2.0  # px between markers of two series at one x
SHARED = 0.7  # of a series' x that others have too, where those that it lacks are looked for
CLEAR = 0.6  # of a marker must be in sight, else a curve between others looks like one
SLIVER = 0.5  # px of visible ink that tell one place from another
UNDER = 0.93  # share of a marker that must lie under other ink, or show
SIZE = 0.25  # by which a marker may be larger or smaller than its sample


@lru_cache(maxsize=4)
def fitted(ink: PlotInk) -> bool:
    """Whether the markers of some layer have a curve of their colour that does not join them."""
    scale = scale_of(ink)
    return fitted(reduced(ink, scale)) if scale > 1 else any(_is_fit(layer) for layer in ink.layers)


def _is_fit(layer: Layer) -> bool:
    clear = clear_markers(layer.coverage)
    if clear is None or not _one_each(clear[0], CLOUD):  # a cloud of points: more of them would not change that
        return False
    found = markers_on_stroke(layer.coverage, layer.hidden)
    return (
        found is not None
        and len(found.places) >= FEWEST
        and _one_each(found, 0.8)
        and _inked_between(layer, found) > WHOLE
        and off_the_stroke(layer.coverage, found.template, found.places) > BESIDE
    )


def _one_each(found: OnStroke, share: float) -> bool:
    """Whether more than this share of the markers stand at an x of their own."""
    if len(found.places) < 2:
        return True
    gaps = np.diff(np.sort([x for x, _ in found.places]))
    return float(np.mean(gaps > 0.5 * found.template.radius)) > share


def _inked_between(layer: Layer, found: OnStroke) -> float:
    """Share of the gaps between neighbouring markers that have ink of their colour half-way; 0 where markers touch."""
    places = np.sort([x for x, _ in found.places])
    wide = np.diff(places) > extent(found.template.image)[0] + 2
    middles = ((places[:-1] + places[1:]) / 2)[wide].astype(np.int64)
    return float((layer.coverage[:, middles] > 0.4).any(axis=0).mean()) if len(middles) >= FEWEST - 1 else 0.0


def markers_on_fit(layer: Layer, amount: Plane, hidden: Mask) -> OnStroke | None:
    """The markers on the fitted curve of a layer, found by their own mean picture or by the legend's sample.

    `amount` (h, w) the layer's ink, `hidden` (h, w) what other ink covers. None without either picture.
    """
    own = markers_on_stroke(amount, hidden)
    if layer.sample is None:
        return own
    sample = centred(layer.sample)
    if own is not None and abs(own.template.radius / sample.radius - 1) < SIZE:
        return own
    solid = filled_ink(amount)
    places = explain(solid, hidden, sample, [])
    places = refine(solid, hidden, sample, [], places)
    care = (~hidden).astype(np.float32)
    clear = [(x, y) for x, y in places if _share(care, sample, x, y) > CLEAR]
    return OnStroke(solid, sample, clear) if clear else None


def _share(plane: Plane, template: Template, x: float, y: float) -> float:
    """The share of a marker at this place that the plane (0 to 1) covers."""
    return float((patch(plane, x, y, template.reach) * template.image).sum()) / template.ink


def at_shared_x(found: Sequence[Places]) -> list[Places]:
    """The places of each series (crop pixels), one at each x: where most x are shared with other series, what looks
    like a marker close beside such an x is a cap or a bend of a curve."""
    kept = []
    for n, own in enumerate(found):
        others = [place for k, places in enumerate(found) if k != n for place in places]
        if _shares(own, others):
            theirs = np.array([x for x, _ in others])
            away = [float(np.abs(theirs - x).min()) for x, _ in own]
            shared = np.sort([x for (x, _), far in zip(own, away, strict=True) if far < AT_ONCE])
            gaps = np.diff(shared)
            room = 0.4 * float(np.median(gaps[gaps > 2 * AT_ONCE])) if (gaps > 2 * AT_ONCE).any() else 0.0
            own = [place for place, far in zip(own, away, strict=True) if far < AT_ONCE or far > room]
            own = [p for k, p in enumerate(own) if all(abs(p[0] - q[0]) > 2 * AT_ONCE for q in own[:k])]
        kept.append(own)
    return kept


def _shares(own: Places, others: Places) -> bool:
    if len(own) < 2 or not others:
        return False
    mine, theirs = np.array([x for x, _ in own]), np.array([x for x, _ in others])
    return float(np.mean(np.abs(mine[:, None] - theirs).min(axis=1) < AT_ONCE)) >= SHARED


def hidden_behind(
    ink: PlotInk, found: Sequence[tuple[Layer, Template, Places]]
) -> list[list[tuple[float, float, float]]]:
    """For each series the markers that lie behind those of others: (x, lowest and highest row of its middle).

    Only where series share their x, and a marker of this size fits wholly behind the ink of the others and what shows
    of its own. `found`: layer, template and places in sight (crop pixels) of each series.
    """
    return [
        [place for x in _lacking(own, [p for k, other in enumerate(found) if k != n for p in other[2]])
         if (place := _behind(ink, layer, template, x)) is not None]
        for n, (layer, template, own) in enumerate(found)
    ]  # fmt: skip


def _lacking(own: Places, others: Places) -> list[float]:
    """The x that others have and this series, which shares most of its own with them, has not."""
    if not _shares(own, others):
        return []
    mine, theirs = np.array([x for x, _ in own]), np.sort([x for x, _ in others])
    groups = np.split(theirs, np.flatnonzero(np.diff(theirs) > AT_ONCE) + 1)
    return [x for x in (float(group.mean()) for group in groups) if float(np.abs(mine - x).min()) > 2 * AT_ONCE]


def _behind(ink: PlotInk, layer: Layer, template: Template, x: float) -> tuple[float, float, float] | None:
    """Where along column x a marker may stand unseen: the rows at which most of its own visible ink is explained."""
    others = [one.coverage for one in ink.layers if one is not layer]
    cover = np.maximum(layer.coverage, np.max(others, axis=0) > 0.5).astype(np.float32)
    rows = np.arange(template.reach, cover.shape[0] - template.reach, 0.5)
    inside = np.array([_share(cover, template, x, y) for y in rows])
    if not len(rows) or inside.max() < UNDER:
        return None
    own = np.array([_share(layer.coverage, template, x, y) for y in rows])
    own[inside < UNDER] = -1.0
    best = rows[own > own.max() - SLIVER / template.ink]
    return (x, float(best.min()), float(best.max())) if np.ptp(best) < template.radius else None
