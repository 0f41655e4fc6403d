"""What kind of chart each colour of a plot area draws: scores, from the readers' own tests and the legend's swatches.

Not handled here: measuring anything. Kinds that no reader knows (pies, radar, heat maps) get low scores everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.area_likeness import looks_like_area
from tools.area_rims import is_rim
from tools.bars import looks_like_bars
from tools.blends import is_fill
from tools.boxes import looks_like_boxes
from tools.bubbles import looks_like_bubbles
from tools.clouds import is_cloud
from tools.colour import colourless
from tools.fits import fitted
from tools.flying_curves import flies_over, is_joined
from tools.framed_series import framed_bars
from tools.halos import halos_of
from tools.ink import Layer, PlotInk
from tools.line_strokes import is_one_curve, joins_markers
from tools.outline_bins import find_outlines
from tools.overlines import is_level
from tools.point_likeness import looks_like_points
from tools.row_marks import one_a_row
from tools.shapes import is_marker_among, told_by_shape
from tools.spans import is_span
from tools.steps import looks_dashed_steps, looks_stepped, survives
from tools.swatch_kinds import swatch_kind
from tools.trace import INK, stroke_width
from tools.types import Panel

ORDER = ("bar", "area", "points", "step", "line")  # of the readers in a plan
SURE = 0.5
BARS = 0.7  # score from which a panel has bars
AREA = 0.8  # score of a layer that may be an area as well
EDGED = 0.4  # score from which an area may have a stroke along it
UPRIGHT = 8  # px: strokes of error bars are longer
FEW_DATES = 13  # labels of a time axis: boxes stand at months or quarters
MAYBE_STEPPED = 0.2  # of a line among step lines
RISERS = 6  # pieces at least that the risers of a step curve cut its band into
RIM = 3  # px from the border of an area that the stroke along it reaches at least


def layer_scores(panel: Panel, ink: PlotInk, layer: Layer) -> dict[str, float]:
    """How much this layer looks like bars, an area, points, a step line or a line; each 0 to 1.

    The swatch of a legend entry weighs in: a line sample is no bar, a lone marker no area.
    """
    if any(one is layer for one, _ in find_outlines(panel, ink, ink.layers)):  # a histogram's outline
        return {"bar": 1.0, "area": 0.0, "points": 0.0, "step": 0.0, "line": 0.0}
    scores = {
        "bar": float(looks_like_bars(panel, ink, layer)),
        "area": float(looks_like_area(panel, ink, layer)),
        "points": 1.0 if looks_like_bubbles(layer) else float(looks_like_points(ink, layer)),
    }
    swatch = swatch_kind(layer.entry) if layer.entry else ""
    swatch = "line+marker" if swatch == "line" and layer.sample is not None else swatch
    swatch = "marker" if swatch == "patch" and layer.entry and is_marker_among(layer.entry, panel) else swatch
    if swatch in ("line", "line+marker"):
        # Points with a fitted curve often have both in their sample.
        loose = swatch == "line+marker" and scores["points"] >= 0.9 and (fitted(ink) or not is_joined(layer))
        points = scores["points"] * (0.8 if loose else 0.4)
        sure = swatch == "line+marker" and scores["bar"] > 0.9  # an outlined patch may look like that
        filled = scores["area"] > 0.9  # no curve is: the sample was taken for another
        scores = {"bar": scores["bar"] * (0.8 if sure else 0.3), "area": scores["area"] * (0.8 if filled else 0.5),
                  "points": points}  # fmt: skip
    elif swatch == "patch":
        scores["points"] *= 0.9  # a large filled marker looks like a patch
    elif swatch == "marker" and max(scores["area"], scores["bar"]) < 0.8:
        scores["area"] *= 0.3
        scores["bar"] *= 0.6
        if not (is_joined(layer) and is_one_curve(ink, layer)):  # some legends show the markers of lines only
            scores["points"] = max(scores["points"], 0.6)
    if told_by_shape(panel, layer) and max(scores["area"], scores["bar"]) < SURE:
        scores["points"] = max(scores["points"], 0.8)
    cloud = max(scores["area"], scores["bar"]) < SURE and (is_cloud(layer) or one_a_row(panel, ink, layer))
    if cloud:
        scores["points"] = max(scores["points"], 0.8)  # whatever the legend says
    joined = scores["points"] > SURE and not cloud and joins_markers(ink, layer)
    survival = max(scores.values()) > SURE and swatch != "patch" and survives(panel, ink, layer)
    if joined or survival:
        scores["points"] = 0.1
    if survival:
        scores["bar"] = scores["area"] = 0.1  # steep steps of a thick stroke look like bars
    rest = 1.0 - max(scores.values())
    stepped = rest >= 1 - SURE and looks_stepped(panel, ink, layer) > SURE
    scores["step"], scores["line"] = (rest, 0.0) if stepped else (0.0, rest)
    return scores


def plan(panel: Panel, ink: PlotInk) -> list[tuple[str, list[int]]]:
    """Which reader should read which layers (by number): layers of one kind together, bands of curves left out.

    Boxes are decided for all layers at once, since their parts come in several colours; not along a long time axis.
    """
    numbers = list(range(len(ink.layers)))
    if numbers and framed_bars(panel, ink) is not None:
        return [("bar", numbers)]
    numbers = [n for n in numbers if not lies_behind(ink, ink.layers[n])]
    scores = {n: layer_scores(panel, ink, ink.layers[n]) for n in numbers}
    passed = edges_of(ink, scores) | halos_of(ink, scores)
    numbers = [n for n in numbers if n not in passed]
    scores |= filling_up(scores, numbers)
    if any(scores[n]["bar"] > BARS for n in numbers):  # a mean or a limit across the bars
        numbers = [n for n in numbers if ink.layers[n].name or not is_level(ink.layers[n])]
    timed = any(axis.scale == "date" and len(axis.anchors) > FEW_DATES for axis in panel.axes)
    barred = any(scores[n]["bar"] > BARS for n in numbers)
    certain = 0.9 if barred else SURE  # fills of boxes look like bars: then several whole boxes must be there
    entries = [entry for n in numbers if (entry := ink.layers[n].entry) is not None]
    lines = bool(entries) and all(swatch_kind(entry) in ("line", "line+marker") for entry in entries)
    if numbers and not timed and not lines and float(looks_like_boxes(panel, ink, ink.layers)) > certain:
        return [("box", numbers)]
    bands = bands_of(ink, {n: scores[n] for n in numbers})
    for n in {*bands.values()}:
        scores[n] = _curve_only(panel, ink, n)
    for n in joined_as_others(ink, {n: scores[n] for n in numbers}):
        scores[n] = _curve_only(panel, ink, n)
    scores |= stepped_as_others(panel, ink, scores, numbers)
    if fitted(ink) and any(ink.layers[n].name for n in numbers):  # where its curves overlap there are further shades
        numbers = [n for n in numbers if ink.layers[n].name or scores[n]["line"] + scores[n]["step"] < SURE]
    for n in numbers if barred else ():
        scores[n]["area"] *= 0.5  # what runs over bars is hardly ever an area
        scores[n]["line"] = max(scores[n]["line"], 1.0 - max(scores[n].values()))
        if _is_patch(ink.layers[n]) and not (scores[n]["line"] > SURE and flies_over(ink, ink.layers[n])):
            scores[n]["line"] = scores[n]["step"] = 0.0  # thin segments, cut up by the outlines of their neighbours
            scores[n]["points"] *= 0.5 if scores[n]["bar"] > 0.6 else 1.0  # small segments
    best = {n: _best(scores[n]) for n in numbers if n not in bands}
    if "area" in best.values():  # what translucent areas leave of one that they cover in part
        thin = [n for n in best if best[n] == "line" and _is_patch(ink.layers[n])]
        best |= {n: "area" for n in thin if is_fill(ink.layers[n].coverage > 0.5)}
    return [(kind, group) for kind in ORDER if (group := [n for n in best if best[n] == kind])]


def stepped_as_others(
    panel: Panel, ink: PlotInk, scores: Mapping[int, dict[str, float]], numbers: Sequence[int]
) -> dict[int, dict[str, float]]:
    """The scores of lines that may be stepped, beside one that surely is: dashes and crossings leave little of their
    risers."""
    if not any(scores[n]["step"] > SURE for n in numbers):
        return {}
    return {
        n: scores[n] | {"step": scores[n]["line"], "line": 0.0}
        for n in numbers
        if scores[n]["line"] > SURE
        and (looks_stepped(panel, ink, ink.layers[n]) > MAYBE_STEPPED or looks_dashed_steps(ink.layers[n]))
    }


def filling_up(scores: Mapping[int, dict[str, float]], numbers: Sequence[int]) -> dict[int, dict[str, float]]:
    """The scores of layers that look like areas, beside one that surely is: what fills a stack up to a level top, or
    two translucent areas share, looks like a bar as well."""
    areas = [n for n in numbers if scores[n]["area"] > (AREA if scores[n]["bar"] > BARS else SURE)]
    sure = any(scores[n]["bar"] < SURE and scores[n]["area"] > AREA for n in areas)
    return {n: scores[n] | {"bar": 0.0} for n in areas if sure}


def lies_behind(ink: PlotInk, layer: Layer) -> bool:
    """Whether a layer shades stretches of the x axis behind other ink, which runs over most of their columns and goes
    on beside them."""
    solid = layer.coverage > 0.5
    columns = np.flatnonzero(solid.any(axis=0))
    if not is_fill(solid) or columns.size > 0.6 * solid.shape[1] or len(ink.layers) < 2:
        return False
    over = np.max([one.coverage for one in ink.layers if one is not layer], axis=0) > 0.1
    beside = np.delete(over, columns, axis=1)
    if float(over[:, columns].any(axis=0).mean()) < 0.5 or float(beside.any(axis=0).mean()) < 0.5:
        return False
    return is_span(ink, layer, "x")


def _is_patch(layer: Layer) -> bool:
    """Whether the legend shows a layer by a patch."""
    return layer.entry is not None and swatch_kind(layer.entry) == "patch"


def _is_stroke(layer: Layer) -> bool:
    """Whether the legend shows a layer by a line."""
    return layer.entry is not None and swatch_kind(layer.entry) in ("line", "line+marker")


def joined_as_others(ink: PlotInk, scores: Mapping[int, Mapping[str, float]]) -> list[int]:
    """Layers that look like points, of which some are hidden, but whose ink hangs together and whose line sample with a
    marker is like that of a layer which surely is a line; none with error bars."""
    sampled = [n for n in scores if (one := ink.layers[n].entry) is not None and swatch_kind(one) == "line+marker"]
    if not any(scores[n]["line"] > SURE for n in sampled):
        return []
    loose = [n for n in sampled if scores[n]["points"] > SURE]
    return [n for n in loose if is_joined(ink.layers[n]) and not _has_uprights(ink.layers[n])]


def _has_uprights(layer: Layer) -> bool:
    """Whether a fair share of a layer's thin ink stands in upright strokes, which steep pieces of a line are not."""
    ink = (layer.coverage > 0.5).astype(np.uint8)
    thickness = stroke_width(layer.coverage.astype(np.float64), INK)
    size = int(np.ceil(thickness)) + 2
    thick = cv2.dilate(
        cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones((size, size), np.uint8)), np.ones((3, 3), np.uint8)
    )
    thin = np.where(thick > 0, 0, ink).astype(np.uint8)
    upright = cv2.morphologyEx(thin, cv2.MORPH_OPEN, np.ones((UPRIGHT, 1), np.uint8))
    stats = cv2.connectedComponentsWithStats(upright, connectivity=8)[2][1:]
    narrow = stats[:, cv2.CC_STAT_WIDTH] <= 2 * thickness + 1
    return int(stats[narrow, cv2.CC_STAT_AREA].sum()) > 0.1 * int(thin.sum())


def edges_of(ink: PlotInk, scores: Mapping[int, Mapping[str, float]]) -> set[int]:
    """Unnamed layers that are the strokes along the tops of areas: nearly all of their ink lies on their borders."""
    areas = {n: ink.layers[n].coverage > 0.5 for n in scores if scores[n]["area"] > EDGED}
    areas = {n: area for n, area in areas.items() if is_fill(area)}
    if not areas:
        return set()
    sure = [area for n, area in areas.items() if scores[n]["area"] > 0.8]
    tops = [np.where(area.any(axis=0), np.argmax(area, axis=0), -RIM) for area in sure]
    found = set()
    for n in scores:
        own = ink.layers[n].coverage > 0.5
        if ink.layers[n].name or is_fill(own) or not own.any():
            continue
        rows, columns = np.nonzero(own)
        thick = max(RIM, 1.5 * float(np.median(own.sum(axis=0)[own.any(axis=0)])))
        on = [np.abs(rows - _near(top, columns, rows)) <= thick for top in tops]
        rim = any(is_rim(ink, ink.layers[n], ink.layers[m]) for m in areas)
        if rim or (on and float(np.any(on, axis=0).mean()) > 0.85):  # several areas may have strokes of one colour
            found.add(n)
    return found


def _near(top: NDArray[np.int_], columns: NDArray[np.int_], rows: NDArray[np.int_]) -> NDArray[np.int_]:
    """For each pixel the row of a border nearest to its own among those of its column and the next ones: steep ones."""
    around = np.stack([top[np.clip(columns + d, 0, len(top) - 1)] for d in (-2, -1, 0, 1, 2)])
    return np.clip(rows, around.min(axis=0), around.max(axis=0))


def bands_of(ink: PlotInk, scores: Mapping[int, Mapping[str, float]]) -> dict[int, int]:
    """Layers that are a pale, translucent tint of another one: {layer of the band: layer of its curve}.

    They have no name of their own, or one that the legend shows by a patch ("95% CI") and no bars or area to show. The
    band's colour lies between the paper and the curve's, within what blending rounds, and covers more ground.
    Grey fills in black outlines are no bands: a black curve's band must not look like bars.
    """
    numbers = [n for n in scores if scores[n]["points"] < SURE]
    paper = np.array(ink.background, dtype=np.float64)
    found: dict[int, int] = {}
    for pale in numbers:
        named = bool(ink.layers[pale].name)
        if named and not (_is_patch(ink.layers[pale]) and max(scores[pale]["bar"], scores[pale]["area"]) < SURE):
            continue
        for full in numbers:
            if named and not _is_stroke(ink.layers[full]):
                continue  # what the legend shows by a patch is the band of what it shows by a line
            black = colourless(ink.layers[full].colour) and not ink.layers[full].name
            barred = scores[full]["bar"] > SURE or (black and scores[pale]["bar"] > 0.8)
            if barred and not _within(ink.layers[full].coverage, ink.layers[pale].coverage):
                continue
            if full != pale and is_rim(ink, ink.layers[full], ink.layers[pale]):
                continue  # the stroke along the top of an area
            strong = np.array(ink.layers[full].colour) - paper
            weak = np.array(ink.layers[pale].colour) - paper
            share = float(weak @ strong / max(float(strong @ strong), 1.0))
            more = ink.layers[pale].coverage.sum() > 1.5 * ink.layers[full].coverage.sum()
            more |= scores[full]["step"] > SURE and not named and _along(ink.layers[pale], ink.layers[full])
            if full != pale and more and 0.08 < share < 0.6 and float(np.abs(weak - share * strong).max()) < 10:
                found[pale] = full
    return found


def _along(pale: Layer, full: Layer) -> bool:
    """Whether nearly all ink of one layer hangs together with that of another, in pieces along it."""
    pieces, seen = cv2.connectedComponents((pale.coverage > 0.5).astype(np.uint8), connectivity=8)
    beside = cv2.dilate((full.coverage > 0.5).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    sizes = np.bincount(seen.ravel(), minlength=pieces)
    touching = np.setdiff1d(np.unique(seen[beside]), [0])
    return pieces > RISERS and int(sizes[touching].sum()) > 0.9 * int(sizes[1:].sum())


def _within(stroke: NDArray[np.float32], fill: NDArray[np.float32]) -> bool:
    """Whether a fill (h, w) lies above and below a stroke in most of the columns that the stroke runs through."""
    solid, around = stroke > 0.5, fill > 0.5
    columns = np.flatnonzero(solid.any(axis=0))
    if is_fill(solid) or not columns.size:
        return False
    top, bottom = np.argmax(solid, axis=0), len(solid) - 1 - np.argmax(solid[::-1], axis=0)
    above = around[np.maximum(top - 3, 0), np.arange(solid.shape[1])]
    below = around[np.minimum(bottom + 3, len(solid) - 1), np.arange(solid.shape[1])]
    return float(np.mean((above & below)[columns])) > 0.6


def _curve_only(panel: Panel, ink: PlotInk, number: int) -> dict[str, float]:
    """The scores of a layer that has a band around it: a step line or a line, nothing filled."""
    stepped = looks_stepped(panel, ink, ink.layers[number]) > SURE
    return {"bar": 0.0, "area": 0.0, "points": 0.0, "step": float(stepped), "line": float(not stepped)}


def _best(scores: dict[str, float]) -> str:
    return max(scores, key=lambda kind: scores[kind])


def layers_of(ink: PlotInk, numbers: Sequence[int]) -> list[Layer]:
    """The layers with these numbers. Raises IndexError for one that is not there."""
    return [ink.layers[number] for number in numbers]
