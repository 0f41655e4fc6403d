"""The reading drawn again: as an overlay for people, and against the ink as a check. It never edits a reading.

Not handled here: judging values against a truth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.box_strokes import draw_boxes, supported_strokes
from tools.colour import is_like
from tools.ink import Layer, PlotInk
from tools.spans import is_span
from tools.tints import TINTED, without_tints
from tools.trace import INK, stroke_width
from tools.types import Axis, Figure, Image, Mark, Panel, Rgb, Series

PALETTE: tuple[Rgb, ...] = ((220, 20, 60), (0, 90, 220), (0, 150, 60), (150, 0, 190), (230, 120, 0), (0, 150, 170))
EDGE = 3  # px of the plot's border
FRAME: Rgb = (120, 120, 120)
ANCHOR: Rgb = (255, 0, 255)


MARKERS = ("marker", "outlier")
WIDEST = 20  # px: wider ink is no stroke and no marker


@dataclass(frozen=True)
class Size:
    """Of strokes their width, of markers their radius, in px."""

    stroke: int
    radius: int


USUAL = Size(3, 8)


@dataclass(frozen=True)
class Comparison:
    """`explained`: share of the layers' ink that the redrawn series cover; `supported`: share of the marks on ink."""

    explained: float
    supported: float

    @property
    def agrees(self) -> bool:
        return self.explained > 0.6 and self.supported > 0.7


def overlay(figure: Figure, panels: Sequence[Panel], series: Sequence[Sequence[Series]]) -> Image:
    """(H, W, 3) uint8: the figure faded, with plot areas, the anchors of every axis and all marks drawn over it."""
    seen = without_tints(figure.pixels) if TINTED in figure.warnings else figure.pixels
    canvas = np.ascontiguousarray((seen.astype(np.float32) * 0.45 + 255 * 0.55).astype(np.uint8))
    for number, panel in enumerate(panels, 1):
        _frame(canvas, panel, number)
        for axis in panel.axes:
            _anchors(canvas, panel, axis)
    for panel, group in zip(panels, series, strict=True):
        for index, one in enumerate(group):
            draw_series(canvas, one, PALETTE[index % len(PALETTE)], panel)
    return canvas


def _frame(canvas: Image, panel: Panel, number: int) -> None:
    plot = panel.plot
    corner = (round(plot.x0), round(plot.y0))
    cv2.rectangle(canvas, corner, (round(plot.x1), round(plot.y1)), FRAME, 1)
    cv2.putText(canvas, str(number), (corner[0] + 3, corner[1] + 14), cv2.FONT_HERSHEY_SIMPLEX, 0.45, FRAME, 1)


def _anchors(canvas: Image, panel: Panel, axis: Axis) -> None:
    edge = {"left": panel.plot.x0, "right": panel.plot.x1, "bottom": panel.plot.y1, "top": panel.plot.y0}[axis.side]
    for anchor in axis.anchors:
        at = (round(anchor.pixel), round(edge)) if axis.horizontal else (round(edge), round(anchor.pixel))
        cv2.drawMarker(canvas, at, ANCHOR, cv2.MARKER_CROSS, 9, 1)


def draw_series(
    canvas: NDArray[np.uint8], one: Series, colour: Rgb | int, panel: Panel, check: bool = False, size: Size = USUAL
) -> None:
    """Draw one series' marks into `canvas` (H, W, 3) or (H, W), in place, in figure pixels.

    With `check` shapes are filled, and strokes and markers have their `size`, to be held against ink.
    """
    if one.kind in ("bar", "stack", "histogram"):
        for mark in one.marks:
            _rectangle(canvas, mark, colour, check)
    elif one.kind in ("line", "step", "area", "stacked area", "band"):
        _path(canvas, one, colour, panel, size.stroke if check else 0)
    elif one.kind == "box":
        draw_boxes(canvas, one, colour, check)
    if check and one.kind in ("points", "box"):
        for mark in one.marks:
            if mark.part in MARKERS:
                radius = round(mark.box.width / 2) if mark.box is not None else size.radius  # bubbles have their own
                cv2.circle(canvas, (round(mark.x), round(mark.y)), max(radius, USUAL.radius), colour, -1)
    if not check:
        for mark in one.marks:
            cv2.circle(canvas, (round(mark.x), round(mark.y)), 2 if mark.bridged else 1, colour, 1)


def _rectangle(canvas: NDArray[np.uint8], mark: Mark, colour: Rgb | int, check: bool) -> None:
    if mark.box is None:
        return
    corners = (round(mark.box.x0), round(mark.box.y0)), (round(mark.box.x1), round(mark.box.y1))
    cv2.rectangle(canvas, *corners, colour, -1 if check else 1)


def _path(canvas: NDArray[np.uint8], one: Series, colour: Rgb | int, panel: Panel, stroke: int) -> None:
    """`stroke`: 0 draws a hairline for people; else the strokes' width, and areas are filled."""
    marks = [mark for mark in one.marks if mark.part not in ("low", "high", "censor")]
    points = np.array([(mark.x, mark.y) for mark in marks], dtype=np.float64)
    if not len(points):
        return
    if one.kind == "step":
        points = np.vstack([points[:1], _stairs(points)])
    shift = 4  # cv2 draws with sub-pixel points given as integers of 1/16 px
    if stroke and one.kind in ("area", "stacked area"):
        lower = np.array([(m.x, m.box.y1 if m.box else panel.plot.y1) for m in marks])[::-1]
        points = np.vstack([points, lower])
        cv2.fillPoly(canvas, [np.round(points * 16).astype(np.int32)], colour, cv2.LINE_8, shift)
        return
    path = np.round(points * 2**shift).astype(np.int32)
    cv2.polylines(canvas, [path], False, colour, stroke or 1, cv2.LINE_8 if stroke else cv2.LINE_AA, shift)


def _stairs(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """The corners of a step function whose value at x holds to the right."""
    across = np.column_stack([points[1:, 0], points[:-1, 1]])
    return np.stack([across, points[1:]], axis=1).reshape(-1, 2)


def compare(panel: Panel, ink: PlotInk, series: Sequence[Series]) -> Comparison:
    """Hold the redrawn series against the ink of the plot area."""
    drawn = drawn_over(panel, ink, series)
    total = np.zeros(drawn.shape, dtype=np.float32)
    for layer in ink.layers:
        if not shades_axis(ink, layer, series):
            np.maximum(total, layer.coverage, out=total)
    explained = float(total[drawn].sum() / total.sum()) if total.sum() else 0.0
    return Comparison(explained, _supported(ink, total, series))


def unexplained(panel: Panel, ink: PlotInk, series: Sequence[Series]) -> list[float]:
    """The share of each layer's ink, 0 to 1, that lies outside the redrawn series, their outlines and whiskers.

    Ink along the border of the plot area is taken for what is left of the frame, the axis line and its ticks; shaded
    spans of an axis leave nothing.
    """
    drawn = drawn_over(panel, ink, series)
    drawn[:EDGE], drawn[-EDGE:], drawn[:, :EDGE], drawn[:, -EDGE:] = True, True, True, True
    left = [float(layer.coverage[~drawn].sum() / max(float(layer.coverage.sum()), 1e-6)) for layer in ink.layers]
    return [0.0 if shades_axis(ink, layer, series) else one for layer, one in zip(ink.layers, left, strict=True)]


def shades_axis(ink: PlotInk, layer: Layer, series: Sequence[Series]) -> bool:
    """Whether a layer that no series has the colour of is the shading of stretches of an axis."""
    return not any(is_like(layer.colour, one.colour) for one in series) and is_span(ink, layer)


def drawn_over(panel: Panel, ink: PlotInk, series: Sequence[Series]) -> NDArray[np.bool_]:
    """(h, w) of the plot's crop: where the series, two pixels around them, and their whiskers with caps stand.

    Points on a fitted curve explain that curve too: all strokes of their colour.
    """
    height, width = ink.pixels.shape[:2]
    canvas = np.zeros((height + ink.origin[1], width + ink.origin[0]), dtype=np.uint8)
    for one in series:
        draw_series(canvas, one, 255, panel, check=True, size=_size(ink, one))
        _whiskers(canvas, one)
        _band(canvas, one)
    drawn = np.asarray(cv2.dilate(canvas, np.ones((5, 5), np.uint8))[ink.origin[1] :, ink.origin[0] :] > 0)
    fits = {one.colour for one in series if one.evidence and one.evidence.arguments.get("fit")}
    for layer in ink.layers:
        if layer.colour in fits:
            drawn |= layer.coverage > 0.1
    return drawn


def _size(ink: PlotInk, one: Series) -> Size:
    """How large the strokes and markers of a series are in its layer, never less than usual."""
    if one.kind in ("points", "box"):
        return Size(USUAL.stroke, max(USUAL.radius, round(radius_of(ink, one)) + 1))
    layer = own_layer(ink, one)
    if layer is None or one.kind not in ("line", "step", "band"):
        return USUAL
    stroke = round(stroke_width(layer.coverage.astype(np.float64), INK)) + 1
    return Size(int(np.clip(stroke, USUAL.stroke, WIDEST)), USUAL.radius)


def radius_of(ink: PlotInk, one: Series) -> float:
    """How far, in px, the ink of a series reaches around the middles of its markers; 1 for rings and where none is."""
    layer = own_layer(ink, one)
    if layer is None:
        return 1.0
    depth = cv2.distanceTransform((layer.coverage > 0.5).astype(np.uint8), cv2.DIST_L2, 3)
    height, width = depth.shape
    at = [(round(mark.y) - ink.origin[1], round(mark.x) - ink.origin[0]) for mark in one.marks if mark.part in MARKERS]
    inside = [float(depth[row, column]) for row, column in at if 0 <= row < height and 0 <= column < width]
    return float(np.clip(np.median(inside), 1, WIDEST)) if inside else 1.0


def own_layer(ink: PlotInk, one: Series) -> Layer | None:
    """The layer, if any, that has the colour of a series."""
    return next((layer for layer in ink.layers if is_like(layer.colour, one.colour)), None)


def _whiskers(canvas: NDArray[np.uint8], one: Series) -> None:
    """Strokes from each mark to the low and high marks that follow it, with caps of up to nine pixels each way."""
    value: Mark | None = None
    for mark in one.marks:
        if mark.part not in ("low", "high"):
            value = mark
        elif value is not None:
            end = (round(mark.x), round(mark.y))
            cv2.line(canvas, (round(value.x), round(value.y)), end, 255, 3)
            across = (0, 9) if one.orientation == "horizontal" else (9, 0)
            cv2.line(canvas, (end[0] - across[0], end[1] - across[1]), (end[0] + across[0], end[1] + across[1]), 255, 3)


def _band(canvas: NDArray[np.uint8], one: Series) -> None:
    """What lies between the low and high ends of a curve without markers: its band."""
    if one.kind not in ("line", "step") or one.orientation != "vertical" or any(m.part == "marker" for m in one.marks):
        return
    ends = [np.array([(m.x, m.y) for m in one.marks if m.part == part], dtype=np.float64) for part in ("low", "high")]
    if min(len(end) for end in ends) < 2:
        return
    if one.kind == "step":
        ends = [np.vstack([end[:1], _stairs(end)]) for end in ends]
    outline = np.round(np.vstack([ends[0], ends[1][::-1]]) * 16).astype(np.int32)
    cv2.fillPoly(canvas, [outline], 255, cv2.LINE_8, 4)


def _supported(ink: PlotInk, total: NDArray[np.float32], series: Sequence[Series]) -> float:
    """The share of marks, and of the strokes of boxes, with ink within three pixels.

    Marks that cannot be seen (bridged, no height) do not count.
    """
    near = cv2.dilate(np.where(ink.neutral, 1.0, total).astype(np.float32), np.ones((7, 7), np.uint8)) > 0.3
    seen = []
    for mark in (m for one in series for m in one.marks):
        flat = mark.box is not None and min(mark.box.width, mark.box.height) < 1
        column, row = round(mark.x) - ink.origin[0], round(mark.y) - ink.origin[1]
        if mark.bridged or flat or not (0 <= row < near.shape[0] and 0 <= column < near.shape[1]):
            continue
        seen.append(bool(near[row, column]))
    seen += [on for one in series if one.kind == "box" for on in supported_strokes(ink, near, one)]
    return float(np.mean(seen)) if seen else 1.0
