"""The marks of one series as layers of a Vega-Lite chart, every number explicit: nothing is binned, stacked or sorted
by Vega.

Not handled here: axes, legend, rendering (`draw_vega`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evaluation.draw_plan import Floats, PanelPlan, SeriesPlan, Style
from evaluation.draw_style import hexadecimal

Layer = dict[str, Any]
Columns = Mapping[str, Sequence[float] | Floats]
DASHES = {"solid": [], "dashed": [5.5, 2.5], "dotted": [1.2, 2.2], "dashdot": [8.0, 2.2, 1.2, 2.2]}
SHAPES = {
    "o": "circle", "s": "square", "^": "triangle-up", "v": "triangle-down", "D": "diamond",
    "x": "M-0.7,-0.7L0.7,0.7M-0.7,0.7L0.7,-0.7", "+": "M-1,0L1,0M0,-1L0,1",
    "*": "M0,-1L0.25,-0.3L1,-0.3L0.4,0.15L0.6,0.85L0,0.4L-0.6,0.85L-0.4,0.15L-1,-0.3L-0.25,-0.3Z",
}  # fmt: skip
OPEN_SHAPES = ("x", "+")


def layers_of(one: SeriesPlan, plan: PanelPlan, style: Style) -> list[Layer]:
    """The layers of a series, the lowest first. Fields "x", "y" (and "x2", "y2") are values along the two axes."""
    match one.form:
        case "line" | "step":
            found = _curve(one)
        case "bar":
            found = _bars(one, style)
        case "hist":
            found = _histogram(one)
        case "area":
            found = _area(one)
        case "scatter":
            found = [_points(one)]
        case "dot":
            found = [*([_stems(one)] if one.stem else []), _points(one)]
        case _:
            found = _boxes(one)
    if plan.legend.place == "direct":
        ends = {"x": one.x[-1:], "y": one.end[-1:]}
        found.append(_text(ends, [one.name], style, hexadecimal(one.look.colour), style.points["legend"], (4, 0)))
    return [_turned(layer) for layer in found] if plan.horizontal else found


def layer(mark: Layer, columns: Columns, words: Sequence[str] = ()) -> Layer:
    """A layer of one mark per row."""
    names = list(columns)
    rows: list[dict[str, Any]] = [
        dict(zip(names, map(float, row), strict=True)) for row in zip(*columns.values(), strict=True)
    ]
    encoding: Layer = {
        name: {"field": name} if name.endswith("2") else {"field": name, "type": "quantitative"}
        for name in names
        if name != "order"
    }
    if "order" in names:
        encoding["order"] = {"field": "order", "type": "quantitative"}
    if words:
        rows = [{**row, "words": word} for row, word in zip(rows, words, strict=True)]
        encoding["text"] = {"field": "words", "type": "nominal"}
    return {"data": {"values": rows}, "mark": {"clip": mark["type"] != "text", **mark}, "encoding": encoding}


def _turned(one: Layer) -> Layer:
    """A layer with x and y exchanged."""
    other = {"x": "y", "x2": "y2", "y": "x", "y2": "x2"}
    encoding = {other.get(name, name): value for name, value in one["encoding"].items()}
    mark = dict(one["mark"])
    if mark["type"] == "tick":
        mark["orient"] = "vertical" if mark["orient"] == "horizontal" else "horizontal"
    if mark["type"] == "text" and mark.get("align") == "center":
        mark |= {"align": "left", "baseline": "middle", "dx": 3, "dy": 0}
    return {**one, "encoding": encoding, "mark": mark}


def _colour(one: SeriesPlan) -> str:
    return hexadecimal(one.look.colour)


def _curve(one: SeriesPlan) -> list[Layer]:
    look, at = one.look, one.x + one.offset
    found: list[Layer] = []
    if one.banded:
        area = {"type": "area", "color": _colour(one), "opacity": look.alpha}
        found.append(layer(area, {"x": at, "y": one.low, "y2": one.high}))
    elif len(one.low):
        found += _error_bars(one, at, np.zeros(len(at)), _colour(one))
    if look.line_pt:
        line = {
            "type": "line", "color": _colour(one), "strokeWidth": look.line_pt, "strokeDash": DASHES[look.dash],
            "interpolate": "step-after" if one.form == "step" else "linear", "opacity": 1,
            "strokeJoin": "round",
        }  # fmt: skip
        found.append(layer(line, {"x": at, "y": one.y}))
    if look.marker:
        found.append(_points(one))
    if len(one.censored):
        held = one.y[np.searchsorted(one.x, one.censored, side="right") - 1]
        tick = {"type": "tick", "orient": "vertical", "size": 7, "thickness": 1, "color": _colour(one), "opacity": 1}
        found.append(layer(tick, {"x": one.censored, "y": held}))
    return found


def _error_bars(one: SeriesPlan, at: Floats, lift: Floats, colour: str) -> list[Layer]:
    """Rules from the low to the high end with caps; where there is no low end, from the point up."""
    known = np.isfinite(one.high)
    low = np.where(np.isfinite(one.low), one.low, one.y)
    found = [layer({"type": "rule", "color": colour, "strokeWidth": 1},
                   {"x": at[known], "y": (lift + low)[known], "y2": (lift + one.high)[known]})]  # fmt: skip
    if one.look.cap_pt:
        cap = {"type": "tick", "orient": "horizontal", "size": 2 * one.look.cap_pt, "thickness": 1, "color": colour,
               "opacity": 1}  # fmt: skip
        ends = [one.low, one.high] if np.isfinite(one.low).any() else [one.high]
        found += [layer(cap, {"x": at[known], "y": (lift + end)[known]}) for end in ends]
    return found


def _paint(one: SeriesPlan) -> Layer:
    """Fill and outline of a patch."""
    look = one.look
    paint: Layer = {"fill": _colour(one), "fillOpacity": look.alpha, "strokeWidth": 0}
    if look.edge is not None and look.line_pt:
        paint |= {"stroke": hexadecimal(look.edge), "strokeWidth": look.line_pt, "strokeOpacity": 1}
    return paint


def _bars(one: SeriesPlan, style: Style) -> list[Layer]:
    at = one.x + one.offset
    sides = {"x": at - one.width / 2, "x2": at + one.width / 2, "y": one.start, "y2": one.end}
    found = [layer({"type": "rect", "opacity": 1, **_paint(one)}, sides)]
    if len(one.low):
        found += _error_bars(one, at, one.start, hexadecimal(style.ink))
    if one.printed:
        words = [f"{value:g}" for value in one.y]
        size = 0.9 * style.points["ticks"]
        found.append(_text({"x": at, "y": one.end}, words, style, hexadecimal(style.ink), size, (0, -3)))
    return found


def _text(
    columns: Columns, words: Sequence[str], style: Style, colour: str, size: float, shift: tuple[float, float]
) -> Layer:
    """Words beside points: above them, or to the right where the shift has no height."""
    mark = {
        "type": "text", "font": style.family, "fontSize": size, "color": colour, "dx": shift[0], "dy": shift[1],
        "align": "center" if shift[1] else "left", "baseline": "bottom" if shift[1] else "middle",
    }  # fmt: skip
    return layer(mark, columns, words)


def _histogram(one: SeriesPlan) -> list[Layer]:
    if one.look.filled:
        sides = {"x": one.edges[:-1], "x2": one.edges[1:], "y": np.zeros(len(one.y)), "y2": one.y}
        return [layer({"type": "rect", "opacity": 1, **_paint(one)}, sides)]
    x, y = np.repeat(one.edges, 2), np.concatenate([[0.0], np.repeat(one.y, 2), [0.0]])
    line = {"type": "line", "color": _colour(one), "strokeWidth": one.look.line_pt, "opacity": 1}
    return [layer(line, {"x": x, "y": y, "order": np.arange(len(x), dtype=np.float64)})]


def _area(one: SeriesPlan) -> list[Layer]:
    look = one.look
    found = [layer({"type": "area", "color": _colour(one), "opacity": look.alpha},
                   {"x": one.x, "y": one.end, "y2": one.start})]  # fmt: skip
    if look.line_pt:
        line = {"type": "line", "color": _colour(one), "strokeWidth": look.line_pt, "opacity": 1}
        found.append(layer(line, {"x": one.x, "y": one.end}))
    return found


def _points(one: SeriesPlan) -> Layer:
    look = one.look
    filled = look.filled and look.marker not in OPEN_SHAPES
    stroke = look.edge or look.colour
    mark: Layer = {
        "type": "point", "shape": SHAPES[look.marker], "size": look.marker_pt**2, "opacity": look.alpha,
        "stroke": hexadecimal(stroke), "strokeWidth": 1, "filled": False,
        "fill": _colour(one) if filled else "transparent",
    }  # fmt: skip
    return layer(mark, {"x": one.x + one.offset, "y": one.y})


def _stems(one: SeriesPlan) -> Layer:
    rule = {"type": "rule", "color": _colour(one), "strokeWidth": one.look.line_pt}
    return layer(rule, {"x": one.x, "y": np.zeros(len(one.y)), "y2": one.y})


def _boxes(one: SeriesPlan) -> list[Layer]:
    look, at = one.look, one.x + one.offset
    ink = hexadecimal(look.edge or look.colour)
    low, q1, median, q3, high = np.array(
        [(b.whisker_low, b.q1, b.median, b.q3, b.whisker_high) for b in one.boxes], dtype=np.float64
    ).T
    rule = {"type": "rule", "color": ink, "strokeWidth": look.line_pt}
    left, right = at - one.width / 2, at + one.width / 2
    fill = {"fill": _colour(one) if look.filled else "transparent", "stroke": ink, "strokeWidth": look.line_pt}
    found = [
        layer(rule, {"x": at, "y": low, "y2": q1}),
        layer(rule, {"x": at, "y": q3, "y2": high}),
        layer({"type": "rect", "opacity": 1, **fill}, {"x": left, "x2": right, "y": q1, "y2": q3}),
        layer({**rule, "strokeWidth": 1.5 * look.line_pt}, {"x": left, "x2": right, "y": median}),
    ]
    for end in (low, high):
        found.append(layer(rule, {"x": (at + left) / 2, "x2": (at + right) / 2, "y": end}))
    beyond = [(place, value) for place, b in zip(at, one.boxes, strict=True) for value in b.outliers]
    if beyond:
        shape = {"type": "point", "shape": SHAPES[look.marker], "size": look.marker_pt**2, "opacity": 1,
                 "stroke": ink, "strokeWidth": 1, "fill": "transparent"}  # fmt: skip
        found.append(layer(shape, {"x": [v for v, _ in beyond], "y": [v for _, v in beyond]}))
    return found
