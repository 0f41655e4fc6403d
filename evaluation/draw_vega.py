"""A figure drawn by Vega-Lite (through vl-convert, which needs neither a browser nor a network), and its geometry.

Every panel is a chart of its own, set into the figure at whole pixels. Domains, ticks and words are given, rounding and
Vega's half-pixel shift of axes are off, so the plot box of the scene graph is exact. Not handled here: hatches and a
legend in the middle of the plot (`adapted` replaces them before the truth is written).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from evaluation.draw_plan import (
    AxisPlan,
    DrawnLegend,
    FigurePlan,
    LegendEntry,
    PanelPlan,
    Pixels,
    Placed,
    Rectangle,
    Style,
)
from evaluation.draw_style import hexadecimal
from evaluation.draw_vega_marks import DASHES, OPEN_SHAPES, SHAPES, Layer, layers_of

CORNERS = {"upper right": "top-right", "upper left": "top-left", "lower right": "bottom-right",
           "lower left": "bottom-left", "right": "right", "top": "top", "bottom": "bottom"}  # fmt: skip
CLIP = re.compile(r"\bclip\d+\b")
GREYS = ((60, 60, 60), (225, 225, 225), (150, 150, 150), (105, 105, 105))


def adapted(figure: FigurePlan) -> FigurePlan:
    """The figure as Vega-Lite can draw it: greys for hatches, legends in corners or outside."""
    return replace(figure, panels=tuple(_adapted(panel) for panel in figure.panels))


def _adapted(panel: PanelPlan) -> PanelPlan:
    series = panel.series
    if any(one.look.hatch for one in series):
        series = tuple(
            replace(one, look=replace(one.look, hatch="", colour=GREYS[k % 4])) for k, one in enumerate(series)
        )
    place = panel.legend.place
    if place not in CORNERS and place not in ("", "direct"):
        place = "right" if panel.y2 is None else "top"
    return replace(panel, series=series, legend=replace(panel.legend, place=place))


def render(figure: FigurePlan, form: str = "") -> tuple[Pixels, tuple[Placed, ...], bytes]:
    """Pixels (H, W, 3) uint8, where each panel stands, and the figure as `form` ("svg", "pdf"; "": no bytes).

    Raises ModuleNotFoundError where vl-convert-python is missing.
    """
    import vl_convert

    _register_fonts()
    style = figure.style
    pieces = []
    for plan in figure.panels:
        spec = json.dumps(specification(plan, style, figure))
        svg = vl_convert.vegalite_to_svg(spec)
        pieces.append(
            (_raster(vl_convert.svg_to_png(svg, scale=style.px)), vl_convert.vegalite_to_scenegraph(spec), svg)
        )
    corners, size = _grid([piece[0].shape[:2] for piece in pieces], figure.columns)
    pixels = np.empty((*size, 3), dtype=np.uint8)
    pixels[:] = style.paper
    placed = []
    for (image, scene, _), (top, left), plan in zip(pieces, corners, figure.panels, strict=True):
        pixels[top : top + image.shape[0], left : left + image.shape[1]] = image
        placed.append(_placed(scene, plan, style.px, left, top, image.shape[:2]))
    vector = b""
    if form:
        whole = _whole_svg([piece[2] for piece in pieces], corners, size, style)
        vector = whole.encode() if form == "svg" else vl_convert.svg_to_pdf(whole)
    return pixels, tuple(placed), vector


def tick_pixel(pixel: float, style: Style) -> float:
    """Where Vega draws a tick that belongs at `pixel`: there, for its rounding is off."""
    return pixel


_registered: list[str] = []


def _register_fonts() -> None:
    """matplotlib's fonts, so that both engines write alike and nothing depends on the machine's fonts."""
    import matplotlib
    import vl_convert

    folder = str(Path(matplotlib.get_data_path()) / "fonts" / "ttf")
    if folder not in _registered:
        vl_convert.register_font_directory(folder)
        _registered.append(folder)


def _raster(png: bytes) -> Pixels:
    from PIL import Image

    return np.array(Image.open(BytesIO(png)).convert("RGB"), dtype=np.uint8)


def _grid(shapes: list[Any], columns: int) -> tuple[list[tuple[int, int]], tuple[int, int]]:
    """Upper left corners (row, column) of pictures in rows, and the size (height, width) that holds them all."""
    rows = [shapes[k : k + columns] for k in range(0, len(shapes), columns)]
    heights = [max(shape[0] for shape in row) for row in rows]
    widths = [max(row[c][1] for row in rows if c < len(row)) for c in range(columns)]
    tops, lefts = np.cumsum([0, *heights]), np.cumsum([0, *widths])
    corners = [(int(tops[k // columns]), int(lefts[k % columns])) for k in range(len(shapes))]
    return corners, (int(tops[-1]), int(lefts[-1]))


def _whole_svg(pieces: list[str], corners: list[tuple[int, int]], size: tuple[int, int], style: Style) -> str:
    """The panels' SVG files in one, in points."""
    px = style.px
    nested = "".join(
        _own_clips(svg, k).replace("<svg ", f'<svg x="{left / px:g}" y="{top / px:g}" ', 1)
        for k, (svg, (top, left)) in enumerate(zip(pieces, corners, strict=True))
    )
    wide, tall = size[1] / px, size[0] / px
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}" height="{tall:g}" viewBox="0 0 {wide:g} {tall:g}">'
        f'<rect width="100%" height="100%" fill="{hexadecimal(style.paper)}"/>{nested}</svg>'
    )


def _own_clips(svg: str, panel: int) -> str:
    """Names of clipping paths from the panel and their order, not from how much was drawn before."""
    names: dict[str, str] = {}
    return CLIP.sub(lambda found: names.setdefault(found[0], f"panel{panel}clip{len(names)}"), svg)


def specification(plan: PanelPlan, style: Style, figure: FigurePlan) -> Layer:
    """The Vega-Lite chart of a panel. Lengths in points; one point is `style.px` pixels."""
    wide, tall = (0.76 * style.size[0] / figure.columns / style.px, 0.70 * style.size[1] / figure.rows / style.px)
    x, y = (plan.y, plan.x) if plan.horizontal else (plan.x, plan.y)
    hidden = (plan.hide_y, plan.hide_x) if plan.horizontal else (plan.hide_x, plan.hide_y)
    sides = [(x, "x", "bottom", hidden[0]), (y, "y", "left", hidden[1])]
    left = [one for series in plan.series if not (series.twin and plan.y2) for one in layers_of(series, plan, style)]
    groups = [{"layer": [*_frame(x, y, style), *_scaled(left, sides, style), *_words(plan, style), *_key(plan)]}]
    if plan.y2:
        right = [one for series in plan.series if series.twin for one in layers_of(series, plan, style)]
        groups.append({"layer": _scaled(right, [sides[0], (plan.y2, "y", "right", False)], style)})
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json", "width": round(wide), "height": round(tall),
        "padding": 8, "background": hexadecimal(style.paper), "layer": groups,
        "resolve": {"scale": {"y": "independent" if plan.y2 else "shared"}},
        **({"title": _title(plan, style)} if plan.title else {}), "config": _config(plan, style),
    }  # fmt: skip


def _title(plan: PanelPlan, style: Style) -> Layer:
    return {
        "text": plan.title, "anchor": "middle", "font": style.family, "fontSize": style.points["title"],
        "fontWeight": style.weights["title"], "color": hexadecimal(style.ink),
        "offset": style.points["ticks"] + 6 if plan.y.corner else 6,
    }  # fmt: skip


def _config(plan: PanelPlan, style: Style) -> Layer:
    ink = hexadecimal(style.ink)
    return {
        "view": {"fill": hexadecimal(style.plot), "stroke": None},
        "axis": {
            "translate": 0, "tickRound": False, "labelFont": style.family, "titleFont": style.family,
            "labelFontSize": style.points["ticks"], "titleFontSize": style.points["axis"], "labelColor": ink,
            "titleColor": ink, "titleFontWeight": style.weights["axis"], "tickColor": ink, "domainColor": ink,
            "domainWidth": style.spine_pt, "tickWidth": style.spine_pt, "tickSize": 4, "labelOverlap": False,
            "labelFlush": False, "labelLimit": 400, "titleLimit": 600,
            "gridColor": hexadecimal(style.grid or style.plot), "gridWidth": 0.8, "gridDash": DASHES[style.grid_dash],
        },
        "legend": {
            "labelFont": style.family, "labelFontSize": style.points["legend"], "labelColor": ink, "title": None,
            "labelLimit": 400, "padding": 4, "fillColor": hexadecimal(style.plot),
            "offset": 6 + (1.6 * style.points["ticks"] if plan.y.corner and plan.legend.place == "top" else 0),
            "columns": plan.legend.columns,
            "strokeColor": "#bbbbbb" if plan.legend.framed else None, "symbolOpacity": 1,
        },
    }  # fmt: skip


def _scaled(layers: list[Layer], sides: list[tuple[AxisPlan, str, str, bool]], style: Style) -> list[Layer]:
    """Layers with the scale and the axis of either side (Vega-Lite merges what is alike)."""
    for one in layers:
        for plan, name, side, hidden in sides:
            channel = one["encoding"].get(name)
            if channel is not None:
                channel["scale"] = _scale(plan)
                channel["axis"] = _axis(plan, name, side, style, hidden)
    return layers


def _scale(plan: AxisPlan) -> Layer:
    return {
        "type": "log" if plan.scale == "log" else "linear", "domain": [plan.low, plan.high], "nice": False,
        "zero": False, "reverse": plan.reversed, "clamp": False,
    }  # fmt: skip


def _axis(plan: AxisPlan, name: str, side: str, style: Style, hidden: bool) -> Layer:
    texts = json.dumps([text.split("\n") if "\n" in text else text for text in plan.texts])
    ticks = list(plan.ticks)
    return {
        "orient": side, "values": ticks, "labelExpr": f"{texts}[indexof({json.dumps(ticks)}, datum.value)]",
        "labels": not hidden, "title": None if hidden else plan.heading or None, "labelAngle": -plan.turned,
        **({"labelAlign": "right", "labelBaseline": "middle"} if plan.turned else {}),
        "grid": style.grid is not None and style.grid_axis in (name, "both") and side != "right",
        "ticks": style.tick_direction != "none", "domain": side in style.spines or side == "right", "zindex": 0,
    }  # fmt: skip


def _frame(x: AxisPlan, y: AxisPlan, style: Style) -> list[Layer]:
    """The right and the upper side of a full frame: lines from corner to corner."""
    rule = {"type": "rule", "color": hexadecimal(style.ink), "strokeWidth": style.spine_pt, "clip": False}
    found = []
    for side in ("right", "top"):
        if side in style.spines:
            ends = {"x": {"value": "width"}, "x2": {"value": "width" if side == "right" else 0},
                    "y": {"value": 0}, "y2": {"value": "height" if side == "right" else 0}}  # fmt: skip
            found.append({"data": {"values": [{}]}, "mark": rule, "encoding": ends})
    return found


def _words(plan: PanelPlan, style: Style) -> list[Layer]:
    """The power of ten in the corner of a value axis."""
    if not plan.y.corner:
        return []
    mark = {"type": "text", "font": style.family, "fontSize": style.points["ticks"], "color": hexadecimal(style.ink),
            "align": "right" if plan.horizontal else "left", "baseline": "bottom", "clip": False}  # fmt: skip
    at: Layer = {"x": {"value": 0}, "y": {"value": -3}}
    if plan.horizontal:
        at = {"x": {"value": "width"}, "y": {"value": "height"}}
        mark |= {"dy": 3 * style.points["ticks"]}
    return [{"data": {"values": [{}]}, "mark": mark, "encoding": {**at, "text": {"value": plan.y.corner}}}]


def _key(plan: PanelPlan) -> list[Layer]:
    """An invisible layer that carries the legend: a sample per named series."""
    named = [one for one in plan.series if one.name]
    if plan.legend.place not in CORNERS or not named:
        return []
    names = [one.name for one in named]
    lines = all(one.form in ("line", "step") for one in named)
    points = all(one.form in ("scatter", "dot") for one in named)
    legend: Layer = {"orient": CORNERS[plan.legend.place], "symbolType": "stroke" if lines else "square"}
    if points or (lines and all(one.look.marker for one in named)):
        del legend["symbolType"]
    fills = [hexadecimal(one.look.colour) for one in named]
    edges = [hexadecimal(one.look.colour if points else one.look.edge or one.look.colour) for one in named]
    encoding: Layer = {}

    def scaled(channel: str, values: list[Any]) -> None:
        scale = {"domain": names, "range": values}
        encoding[channel] = {"field": "name", "type": "nominal", "scale": scale, "legend": legend}

    hollow = [not one.look.filled or one.look.marker in OPEN_SHAPES for one in named]
    scaled("stroke", edges)
    if not lines or "symbolType" not in legend:
        scaled("fill", ["transparent" if empty and (points or lines) else colour
                        for colour, empty in zip(fills, hollow, strict=True)])  # fmt: skip
    if lines and "symbolType" in legend:
        scaled("strokeDash", [DASHES[one.look.dash] for one in named])
    if "symbolType" not in legend:
        scaled("shape", [SHAPES[one.look.marker] for one in named])
    mark = {"type": "point", "opacity": 0, "strokeWidth": named[0].look.line_pt or 1}
    rows = [{"name": name} for name in names]
    at: Layer = {"x": {"value": -1000}, "y": {"value": -1000}}
    return [{"data": {"values": rows}, "mark": {**mark, "clip": True}, "encoding": {**at, **encoding}}]


def _placed(scene: Any, plan: PanelPlan, px: float, left: int, top: int, shape: Any) -> Placed:
    """Geometry from the scene graph, in pixels of the figure."""
    origin = scene["origin"]
    frame = scene["scenegraph"]["items"][0]

    def pixels(x: float, y: float, wide: float, tall: float) -> Rectangle:
        x0, y0 = left + (origin[0] + x) * px - 0.5, top + (origin[1] + y) * px - 0.5
        return x0, y0, x0 + wide * px, y0 + tall * px

    plot = pixels(0, 0, frame["width"], frame["height"])
    box = left - 0.5, top - 0.5, left + shape[1] - 0.5, top + shape[0] - 0.5
    return Placed(plot, box, _drawn_legend(frame, plan, pixels))


def _drawn_legend(frame: Any, plan: PanelPlan, pixels: Any) -> DrawnLegend:
    if plan.legend.place == "direct":
        return DrawnLegend("direct", True)
    groups = [(item, x, y) for item, role, x, y in _walk(frame, 0.0, 0.0) if role == "legend"]
    if not groups:
        return DrawnLegend("none")
    group, x, y = groups[0]
    entries = []
    for item, role, at_x, at_y in _walk(group, x, y):
        if role == "legend-label":
            size = item["fontSize"]
            words = pixels(at_x, at_y - 0.55 * size, 0.6 * size * len(item["text"]), 1.1 * size)
            entries.append(LegendEntry(item["text"], words, None))
    place = {"right": "center right", "top": "upper center", "bottom": "lower center"}.get(
        plan.legend.place, plan.legend.place
    )
    return DrawnLegend(place, plan.legend.outside, pixels(x, y, group["width"], group["height"]), tuple(entries))


def _walk(item: Any, x: float, y: float) -> Iterator[tuple[Any, str, float, float]]:
    """Every item below a group with the role of its mark and its place."""
    for mark in item.get("items", ()):
        for one in mark.get("items", ()):
            at = x + one.get("x", 0.0), y + one.get("y", 0.0)
            yield one, mark.get("role", ""), *at
            if mark.get("marktype") == "group":
                yield from _walk(one, *at)
