"""Scatter markers, and the markers that sit on a line.

Not handled here: bubbles (marker size as data), two marker shapes in one colour, values shown by colours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from tools.cores import apart, centred, markers_on_stroke
from tools.dot_rows import one_each
from tools.fits import at_shared_x, fitted, hidden_behind, markers_on_fit
from tools.ink import Layer, PlotInk
from tools.mapped_points import one_scale
from tools.markers import (
    Blob,
    Mask,
    Places,
    Plane,
    Template,
    blobs,
    erase,
    explain,
    extent,
    in_rows,
    refine,
    register,
    rows_of,
    seated,
    singles,
    template_of,
)
from tools.point_likeness import LEAST, blobbiness, legend_size, off_the_frame
from tools.reduced import home, reduced, reduced_panel, scale_of, shrunk
from tools.row_marks import marks_of_rows, with_whole_marks
from tools.shades import amount_of, on_one_ray, shades, taken_for_text, without_letters
from tools.shapes import at_plot_size, places_by_shape, shapes_of
from tools.types import Evidence, Image, Mark, Panel, Series
from tools.whiskered import markers_alone
from tools.whole_pixels import unrounded
from tools.year_axes import years_are_rows

_MANY = 400  # points: more are not registered one by one (they lie within a quarter of a pixel as they are)
_LARGE = 5.0  # px: radius to which large markers are shrunk; times this those of thin strokes, which get faint:
_OUTLINED = 3.0
_JOINED = 0.7  # share of the ink in blobs of one size, below which the markers may sit on a line
_LONG = 0.15  # of the plot area: ink that reaches farther is a line
_TWICE = 1.5  # px between two places of one outline: a cap or a letter in it looks like a second one


@dataclass(frozen=True, eq=False)
class _Sheet:
    """The ink of one colour: how many layers of it lie on each pixel, what hides it, and what one marker looks like.

    Large markers are read in a picture shrunk by `scale`: there they are still far larger than a pixel.
    `cores`: places of markers on a stroke of their colour; `fit`: that stroke is a fitted curve.
    """

    layer: Layer
    amount: Plane
    hidden: Mask
    template: Template
    scale: int
    cores: Places | None = None
    fit: bool = False


def read_points(panel: Panel, ink: PlotInk, layers: Sequence[Layer], figure: Image | None = None) -> tuple[Series, ...]:
    """One series per colour: kind "points", one mark "marker" per point, left to right, in figure pixels (sub-pixel).

    Layers that are shades of one colour (a translucent marker, where it overlaps itself, its rim) are read together.
    Overlapping markers are split with the series' own template. Points exactly over each other count once. Layers
    without any repeated blob give no series. `figure`: (H, W, 3), from which the legend's samples are taken, so that
    shapes of one colour become a series each.
    """
    scale = scale_of(ink)
    if scale > 1:
        return _in_reduced(panel, ink, layers, scale)
    ink, layers = with_whole_marks(panel, ink, layers)
    groups = shades(ink, layers)
    found: list[tuple[Layer, Series]] = []
    if figure is not None:
        shaped = {id(group[0]): _by_shape(panel, ink, group, figure) for group in groups}
        found = [(group[0], series) for group in groups for series in shaped[id(group[0])]]
        groups = [group for group in groups if not shaped[id(group[0])]]
    sheets = _sheets(panel, ink, groups)
    places = [_places(sheet) for sheet in sheets]
    fits = [k for k, sheet in enumerate(sheets) if sheet.fit]
    for k, shared in zip(fits, at_shared_x([places[k] for k in fits]), strict=True):
        places[k] = shared
    behind = [[(x, y, y) for x, y in own] for own in places]
    hidden = hidden_behind(ink, [(sheets[k].layer, sheets[k].template, places[k]) for k in fits])
    for k, more in zip(fits, hidden, strict=True):
        behind[k] += more
    for sheet, own in zip(sheets, behind, strict=True):
        dy = seated(_look(sheet), [_look(other) for other in sheets]).dy
        marks = tuple(_mark(sheet, ink.origin, x, low + dy, high + dy) for x, low, high in sorted(own))
        if marks:
            name, colour = sheet.layer.name, sheet.layer.colour
            evidence = Evidence("points", arguments={"fit": True} if sheet.fit else {})
            found.append((sheet.layer, Series(name, colour, "points", marks, evidence=evidence)))
    for layer in layers:
        if all(layer is not one for one, _ in found) and (marks := marks_of_rows(panel, ink, layer)):
            found.append((layer, Series(layer.name, layer.colour, "points", marks, evidence=Evidence("points"))))
    return one_scale([_along_its_axis(panel, unrounded(panel, series)) for series in _joined(ink, found)])


def _look(sheet: _Sheet) -> Template:
    """What a marker of the sheet looks like: on a fitted curve as in the legend's sample, which no cap touches."""
    return centred(sheet.layer.sample) if sheet.fit and sheet.layer.sample is not None else sheet.template


def _mark(sheet: _Sheet, origin: tuple[int, int], x: float, low: float, high: float) -> Mark:
    """The mark (figure pixels) of a marker that lies between two rows of its sheet; one row for those in sight."""
    at, y = home(float(x), float(low + high) / 2, sheet.scale, origin)
    return Mark("marker", at, y, sigma=0.3 + float(high - low) / 2, bridged=bool(high > low))


def _by_shape(panel: Panel, ink: PlotInk, group: Sequence[Layer], figure: Image) -> list[Series]:
    """A series per marker of the legend, where several have the colour of this ink; none elsewhere."""
    others = [layer.colour for layer in ink.layers if layer.name and not any(layer is each for each in group)]
    shapes = shapes_of(panel, group[0], figure, others)
    if not shapes:
        return []
    amount, hidden = amount_of(ink, group, taken_for_text(panel, ink, group[0]))
    shapes = at_plot_size(amount, shapes)
    found = []
    for shape, places in zip(shapes, places_by_shape(amount, hidden, shapes), strict=True):
        dy = shape.template.dy
        marks = tuple(
            Mark("marker", x, y, sigma=0.3) for x, y in sorted(home(a, b + dy, 1, ink.origin) for a, b in places)
        )
        if marks:
            colour = shape.entry.colour
            found.append(Series(shape.entry.name, colour, "points", marks, evidence=Evidence("points")))
    return found


def _along_its_axis(panel: Panel, series: Series) -> Series:
    """Points beside categories or years (dot plots, lollipops, forest plots): their values lie along the horizontal
    axis."""
    rows = _beside_categories(panel) or years_are_rows(panel.y, [mark.y for mark in series.marks])
    if panel.x is None or not rows:
        return series
    return replace(series, orientation="horizontal", axis=panel.x.side)


def _beside_categories(panel: Panel) -> bool:
    """Whether the vertical axis has categories and the horizontal one has values."""
    return panel.x is not None and panel.y is not None and panel.y.scale == "category" != panel.x.scale


def _in_reduced(panel: Panel, ink: PlotInk, layers: Sequence[Layer], scale: int) -> tuple[Series, ...]:
    """The same, read in a smaller picture of a very large plot area."""
    small = reduced(ink, scale)
    chosen = [small.layers[k] for k, layer in enumerate(ink.layers) if any(layer is each for each in layers)]
    found = []
    for series in read_points(reduced_panel(panel, ink, scale), small, chosen):
        places = [home(mark.x, mark.y, scale, ink.origin) for mark in series.marks]
        marks = (replace(mark, x=x, y=y) for mark, (x, y) in zip(series.marks, places, strict=True))
        found.append(replace(series, marks=tuple(marks)))
    return tuple(found)


def _joined(ink: PlotInk, found: list[tuple[Layer, Series]]) -> tuple[Series, ...]:
    """Series of a point or two in another shade of a larger series' colour belong to that (a colour scale)."""
    kept: list[tuple[Layer, Series]] = []
    for layer, series in sorted(found, key=lambda one: -len(one[1].marks)):
        home = next((k for k, (first, _) in enumerate(kept) if on_one_ray(ink, layer, first)), None)
        if home is None or len(series.marks) > 2 or series.name not in ("", kept[home][1].name):
            kept.append((layer, series))
            continue
        marks = tuple(sorted((*kept[home][1].marks, *series.marks), key=lambda mark: mark.x))
        kept[home] = (kept[home][0], replace(kept[home][1], marks=marks))
    return tuple(series for _, series in kept)


def _sheets(panel: Panel, ink: PlotInk, groups: Sequence[Sequence[Layer]]) -> list[_Sheet]:
    """What the points of each colour are read from. Where no marker stands alone, another series' marker of the same
    size in the legend shows what one looks like."""
    own = [_oflegend_size(_sheet(panel, ink, group)) for group in groups]
    sheets: list[_Sheet] = []
    for group, sheet in zip(groups, own, strict=True):
        like = next(
            (other for other in own if other and other.cores is None and _same_sample(group[0], other.layer)), None
        )
        if sheet is None and like is not None:
            amount, hidden = amount_of(ink, group, np.zeros(ink.neutral.shape, dtype=bool))
            small = shrunk(without_letters(amount), like.scale)
            sheet = _Sheet(group[0], small, np.asarray(shrunk(hidden, like.scale) > 0.5), like.template, like.scale)
        sheets += [sheet] if sheet is not None else []
    return sheets


def _oflegend_size(sheet: _Sheet | None) -> _Sheet | None:
    """None for what is far larger than the legend's sample: markers that touch, taken for one."""
    size = legend_size(sheet.layer) if sheet is not None else None
    if sheet is None or size is None or 2 * sheet.template.radius * sheet.scale < 1.5 * max(size):
        return sheet
    return None


def _same_sample(one: Layer, other: Layer) -> bool:
    """Whether the legend shows both with a marker of one size."""
    sizes = legend_size(one), legend_size(other)
    if sizes[0] is None or sizes[1] is None:
        return False
    return max(abs(sizes[0][k] - sizes[1][k]) for k in (0, 1)) <= 1.0


def _sheet(panel: Panel, ink: PlotInk, group: Sequence[Layer]) -> _Sheet | None:
    """What the points of one colour are read from; None where no marker can be told."""
    if not any(layer.coverage.any() for layer in group):
        return None
    doubtful = taken_for_text(panel, ink, group[0])
    amount, hidden = amount_of(ink, group, doubtful)
    amount = without_letters(markers_alone(amount, hidden))
    found = off_the_frame(blobs(amount), amount)
    sure = [blob for blob in found if not doubtful[rows_of(blob)].any()]
    size = legend_size(group[0])
    lone = singles([blob for blob in sure if not hidden[rows_of(blob, 1)].any()], LEAST, size)
    lone = lone if len(lone) >= 2 else singles(sure, LEAST, size)
    lone = lone if len(lone) >= 3 else singles(found, LEAST, size)
    lone = lone if len(lone) >= 2 else in_rows(found, LEAST) or lone
    fit = fitted(ink)  # then some places stand alone beside the curve
    known = fit and group[0].sample is not None  # its size is, whatever stands alone
    if known or (blobbiness(amount, size) or 0.0) < _JOINED:
        joined = markers_on_fit(group[0], amount, hidden) if fit else markers_on_stroke(amount, hidden)
        longest = max((max(blob.width / amount.shape[1], blob.height / amount.shape[0]) for blob in found), default=0.0)
        more = joined is not None and len(joined.places) > (1 if fit else 2) * len(lone) and (fit or longest > _LONG)
        if joined is not None and (known or more):
            return _Sheet(group[0], joined.solid, hidden, joined.template, 1, joined.places, fit)
    if not lone:
        return None
    template = template_of(amount, lone)
    rows = one_each(amount) if _beside_categories(panel) else None
    if rows is not None:
        return _Sheet(group[0], amount, hidden, template, 1, rows)
    scale = max(1, int(template.radius / (_OUTLINED * _LARGE if template.open else _LARGE)))
    small = shrunk(amount, scale) if scale > 1 else amount
    same = [each for each in blobs(small) if any(_same_blob(each, other, scale) for other in lone)] if scale > 1 else []
    if same:
        amount, lone, template = small, same, template_of(small, same)
        hidden, doubtful = (np.asarray(shrunk(mask, scale) > 0.5) for mask in (hidden, doubtful))
    elif scale > 1:
        scale = 1  # those that stand alone would touch their neighbours
    amount = np.where(_not_markers(amount, doubtful, template), 0.0, amount).astype(np.float32)
    return _Sheet(group[0], amount, hidden, template, scale)


def _places(sheet: _Sheet) -> list[tuple[float, float]]:
    """Middles of the markers (crop pixels)."""
    if sheet.cores is not None:
        return sheet.cores
    care = (~sheet.hidden).astype(np.float32)
    alone = [blob for blob in blobs(sheet.amount) if _is_single(blob, sheet.template, sheet.hidden)]
    places = [(blob.x, blob.y) for blob in alone]
    if len(places) <= _MANY:
        places = [register(sheet.amount, sheet.template, x, y, care) for x, y in places]
    more = explain(sheet.amount, sheet.hidden, sheet.template, places)
    if len(more) > _MANY:
        return places + more
    found = places + refine(sheet.amount, sheet.hidden, sheet.template, places, more)
    return apart(found, _TWICE) if sheet.template.open else found


def _same_blob(small: Blob, large: Blob, scale: int) -> bool:
    return abs((small.x + 0.5) * scale - 0.5 - large.x) < scale and abs((small.y + 0.5) * scale - 0.5 - large.y) < scale


def _not_markers(amount: Plane, doubtful: Mask, template: Template) -> Mask:
    """The doubtful ink that copies of the template cannot draw: that is text."""
    text = np.zeros(amount.shape, dtype=bool)
    smallest = min(extent(template.image)) - 1.5
    count, labels, stats, _ = cv2.connectedComponentsWithStats((amount > 0.1).astype(np.uint8), connectivity=8)
    for k in range(1, count):
        left, top, width, height = (int(v) for v in stats[k][:4])
        rows, columns = slice(top, top + height), slice(left, left + width)
        own = labels[rows, columns] == k
        if not doubtful[rows, columns][own].any():
            continue
        if min(width, height) < smallest:
            text[rows, columns] |= own
            continue
        part = np.pad(np.where(own, amount[rows, columns], 0.0), template.reach).astype(np.float32)
        rest = part.copy()
        for x, y in explain(part, np.zeros(part.shape, dtype=bool), template, []):
            erase(rest, template.image, x, y, True)
        if rest.sum() > 0.25 * part.sum():
            text[rows, columns] |= own
    return text & doubtful


def _is_single(blob: Blob, template: Template, hidden: Mask) -> bool:
    """A box of the size of one marker, as much ink (rings drawn twice: more), and nothing hidden around it."""
    width, height = extent(template.image)
    if abs(blob.width - width) > 1.8 or abs(blob.height - height) > 1.8:
        return False
    if not 0.75 < blob.area / template.ink < (2.5 if template.open else 1.25):
        return False
    return not bool(hidden[rows_of(blob, 1)].any())
