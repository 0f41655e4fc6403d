"""What is true of a drawn figure: pixel positions from the axes, tables as TSV, and the record that goes beside it.

The tables have the layout that readings have: x first, a column per series, `<name> low` and `<name> high`, long form
for scatter plots, five numbers per box, bins with both edges. Not handled here: degradation (`draw_degrade`).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import numpy as np

from evaluation.draw_plan import (
    AxisPlan,
    Drawn,
    DrawnAxis,
    DrawnPanel,
    DrawnSeries,
    Floats,
    PanelPlan,
    Placed,
    Rectangle,
    SeriesPlan,
    Side,
    Style,
    TextStyle,
    Tick,
)
from evaluation.draw_style import blend, hexadecimal
from evaluation.draw_ticks import EPOCH


def drawn_panel(
    plan: PanelPlan, placed: Placed, style: Style, kind: str, seat: Callable[[float, Style], float]
) -> DrawnPanel:
    """A panel as it was drawn: axes from the plot box, and from these the pixels of every point. `seat`: where the
    engine draws a tick that belongs at some pixel."""
    x_side: Side = "left" if plan.horizontal else "bottom"
    y_side: Side = "bottom" if plan.horizontal else "left"
    sides: list[tuple[AxisPlan, Side, bool]] = [(plan.x, x_side, plan.hide_x), (plan.y, y_side, plan.hide_y)]
    if plan.y2:
        sides.append((plan.y2, "right", False))
    axes = [drawn_axis(one, side, placed.plot, hidden, lambda p: seat(p, style)) for one, side, hidden in sides]
    series = tuple(
        drawn_series(one, axes[0], axes[2] if one.twin and plan.y2 else axes[1], plan.horizontal, style)
        for one in plan.series
    )
    texts = {
        name: TextStyle(style.points[key] * style.px, style.weights[key], style.family)
        for name, key in (("title", "title"), ("legend", "legend"), ("axis_labels", "axis"), ("ticks", "ticks"))
    }
    return DrawnPanel(plan, kind, placed.box, placed.plot, tuple(axes), series, placed.legend, texts)


def drawn_axis(plan: AxisPlan, side: Side, plot: Rectangle, hidden: bool, seat: Callable[[float], float]) -> DrawnAxis:
    """The exact map of an axis between value and pixel, and its ticks (without words where these are hidden)."""
    first, last = (plot[0], plot[2]) if side in ("bottom", "top") else (plot[3], plot[1])
    if plan.reversed:
        first, last = last, first
    low, high = (np.log10(plan.low), np.log10(plan.high)) if plan.scale == "log" else (plan.low, plan.high)
    slope = float((last - first) / (high - low))
    intercept = float(first - slope * low)
    bare = DrawnAxis(side, plan.scale, plan.reversed, slope, intercept, plan.low, plan.high, ())
    pixels = bare.to_pixel(np.array(plan.ticks, dtype=np.float64))
    texts = [""] * len(plan.ticks) if hidden else plan.texts
    ticks = tuple(Tick(t, v, seat(float(p))) for t, v, p in zip(texts, plan.ticks, pixels, strict=True))
    return DrawnAxis(
        side, plan.scale, plan.reversed, slope, intercept, plan.low, plan.high, ticks, "" if hidden else plan.label,
        "" if hidden else plan.unit, plan.corner,
    )  # fmt: skip


def drawn_series(one: SeriesPlan, x: DrawnAxis, y: DrawnAxis, horizontal: bool, style: Style) -> DrawnSeries:
    """A series with the pixels of its points and of the ends of its error bars."""
    shifted = one.x + one.offset
    lift = one.start if one.form in ("bar", "area") else np.zeros(len(one.y))

    def at(values: Floats) -> Floats:
        across, up = x.to_pixel(shifted[: len(values)]), y.to_pixel(values)
        return np.column_stack([up, across] if horizontal else [across, up])

    seen = blend(one.look.colour, 1.0 if one.banded else one.look.alpha, style.plot)
    ends = [at(lift[: len(v)] + v) for v in (one.low, one.high)]
    return DrawnSeries(one, y.side, seen, one.look.line_pt * style.px, at(one.end), *ends)


def number_text(value: float) -> str:
    """A number as the tables write it: nothing for nan, no exponent for usual sizes."""
    if not np.isfinite(value):
        return ""
    return f"{value + 0.0:.10g}"


def day_text(day: float) -> str:
    """A date of the tables: ISO 8601.

    >>> day_text(59.0)
    '1970-03-01'
    """
    return (EPOCH + timedelta(days=round(float(day)))).isoformat()


def x_texts(axis: AxisPlan, values: Floats) -> list[str]:
    """Values of an x axis as the tables write them: names, dates, numbers."""
    if axis.scale == "category":
        return [axis.texts[round(float(v))] for v in values]
    return [day_text(v) if axis.scale == "date" else number_text(v) for v in values]


def table_of(plan: PanelPlan) -> str:
    """The true table of a panel as TSV text."""
    forms = {one.form for one in plan.series}
    if "box" in forms:
        return _lines(*_box_rows(plan))
    if "hist" in forms:
        return _lines(*_bin_rows(plan))
    if "scatter" in forms:
        return _lines(*_long_rows(plan))
    return _lines(*_wide_rows(plan))


def _lines(header: list[str], rows: list[list[str]]) -> str:
    return "".join("\t".join(cell.replace("\n", " ") for cell in row) + "\n" for row in (header, *rows))


def _name(one: SeriesPlan, plan: PanelPlan) -> str:
    """A series without a name is called as its value axis."""
    axis = plan.y2 if one.twin and plan.y2 else plan.y
    return one.name or axis.heading or "y"


def _wide_rows(plan: PanelPlan) -> tuple[list[str], list[list[str]]]:
    """A row per x (places of every series in order, dates and bars ascending), a column per series and error end."""
    places = list(dict.fromkeys(sorted(float(v) for one in plan.series for v in one.x)))
    header, columns = [plan.x.heading or "x"], []
    for one in plan.series:
        name = _name(one, plan)
        for title, values in ((name, one.y), (f"{name} low", one.low), (f"{name} high", one.high)):
            if len(values):
                header.append(title)
                known = dict(zip((float(v) for v in one.x), values, strict=True))
                columns.append([number_text(known.get(place, np.nan)) for place in places])
    texts = x_texts(plan.x, np.array(places))
    return header, [list(row) for row in zip(texts, *columns, strict=True)]


def _long_rows(plan: PanelPlan) -> tuple[list[str], list[list[str]]]:
    """x, y and, where there are several, the series of every point."""
    several = len(plan.series) > 1
    header = [plan.x.heading or "x", plan.y.heading or "y", *(["series"] if several else [])]
    rows = [
        [x, number_text(y), *([one.name] if several else [])]
        for one in plan.series
        for x, y in zip(x_texts(plan.x, one.x), one.y, strict=True)
    ]
    return header, rows


def _bin_rows(plan: PanelPlan) -> tuple[list[str], list[list[str]]]:
    """Both edges of every bin from the first to the last that holds anything, a column per series."""
    edges = plan.series[0].edges
    held = np.flatnonzero(sum((one.y for one in plan.series), start=np.zeros(len(edges) - 1)))
    kept = range(int(held[0]), int(held[-1]) + 1) if len(held) else range(0)
    header = ["bin low", "bin high", *(_name(one, plan) for one in plan.series)]
    return header, [
        [number_text(edges[k]), number_text(edges[k + 1]), *(number_text(one.y[k]) for one in plan.series)]
        for k in kept
    ]


def _box_rows(plan: PanelPlan) -> tuple[list[str], list[list[str]]]:
    several = len(plan.series) > 1
    header = ["x", *(["series"] if several else []), "whisker_low", "q1", "median", "q3", "whisker_high", "outliers"]
    rows = []
    for k, name in enumerate(plan.x.texts):
        for one in plan.series:
            box = one.boxes[k]
            five = (box.whisker_low, box.q1, box.median, box.q3, box.whisker_high)
            outliers = ";".join(map(number_text, box.outliers))
            rows.append([name, *([one.name] if several else []), *map(number_text, five), outliers])
    return header, rows


def record(drawn: Drawn) -> dict[str, Any]:
    """Everything known about a figure, ready for JSON: the layout of `truth_json` folders, with pixels added."""
    tall, wide = drawn.pixels.shape[:2]
    return {
        "id": "", "engine": drawn.engine, "kind": drawn.kind, "chart_type": drawn.chart_type, "seed": drawn.seed,
        "sample": drawn.sample, "degraded": drawn.degraded, "turned_by": drawn.turned_by, "image_size": [wide, tall],
        "panels": [_panel_record(panel, k) for k, panel in enumerate(drawn.panels, 1)], "notes": "",
    }  # fmt: skip


def _panel_record(panel: DrawnPanel, number: int) -> dict[str, Any]:
    plan = panel.plan
    across, up = panel.axes[:2]
    found = {
        "panel_id": number, "kind": panel.kind, "chart_type": plan.chart_type, "title": plan.title,
        "bbox_px": _rounded(panel.plot), "box_px": _rounded(panel.box),
        "x_axis": _axis_record(across, plan.x), "y_axis": _axis_record(up, plan.y),
        "series": [_series_record(one, plan) for one in panel.series],
        "legend": {
            "position": panel.legend.place, "outside": panel.legend.outside,
            "box_px": _rounded(panel.legend.box) if panel.legend.box else None,
            "entries": [
                {"name": e.name, "words_px": _rounded(e.words), "swatch_px": _rounded(e.swatch) if e.swatch else None}
                for e in panel.legend.entries
            ],
        },
        "text_styles": {
            name: {"size_px": round(one.size_px, 2), "weight": one.weight, "family": one.family}
            for name, one in panel.texts.items()
        },
        "printed_values": any(one.printed for one in plan.series),
        "orientation": "horizontal" if plan.horizontal else "vertical",
    }  # fmt: skip
    if plan.y2:
        found["y2_axis"] = _axis_record(panel.axes[2], plan.y2)
    return found


def _rounded(values: Any) -> list[float]:
    return [round(float(v), 3) for v in values]


def _axis_record(axis: DrawnAxis, plan: AxisPlan) -> dict[str, Any]:
    ends = [day_text(v) if axis.scale == "date" else v for v in (axis.low, axis.high)]
    return {
        "side": axis.side, "kind": {"category": "categorical"}.get(axis.scale, axis.scale), "label": axis.label,
        "unit": axis.unit, "heading": plan.heading if axis.label or axis.unit else "", "reversed": axis.reversed,
        "min": None if axis.scale == "category" else ends[0], "max": None if axis.scale == "category" else ends[1],
        "slope": axis.slope, "intercept": axis.intercept, "corner": axis.corner,
        "ticks_shown": [tick.text for tick in axis.ticks if tick.text],
        "ticks": [{"text": t.text, "value": t.value, "pixel": round(t.pixel, 3)} for t in axis.ticks],
    }  # fmt: skip


def _series_record(one: DrawnSeries, plan: PanelPlan) -> dict[str, Any]:
    series, look = one.plan, one.plan.look
    kinds = {"bar": "stacked_bar" if series.stacked else "bar", "area": "stacked_area" if series.stacked else "area"}
    found: dict[str, Any] = {
        "name": series.name, "kind": kinds.get(series.form, series.form), "axis": "y2" if series.twin else "y",
        "color_hex": hexadecimal(one.seen), "line_px": round(one.width_px, 3), "dash": look.dash,
        "marker": look.marker, "marker_filled": look.filled, "x": x_texts(plan.x, series.x),
        "y": [round(float(v), 10) for v in series.y],
        "points_px": [_rounded(point) for point in one.points],
    }  # fmt: skip
    if plan.x.scale in ("linear", "log"):
        found["x"] = [round(float(v), 10) for v in series.x]
    for name, values, pixels in (("low", series.low, one.lows), ("high", series.high, one.highs)):
        if len(values):
            found[name] = [None if np.isnan(v) else float(v) for v in values]
            found[f"{name}_px"] = [None if np.isnan(p).any() else _rounded(p) for p in pixels]
    if len(series.edges):
        found["bin_edges"] = [float(v) for v in series.edges]
    if len(series.censored):
        found["censor"] = {"x": [float(v) for v in series.censored]}
    if series.boxes:
        found["box"] = [
            {"whisker_low": b.whisker_low, "q1": b.q1, "median": b.median, "q3": b.q3, "whisker_high": b.whisker_high,
             "outliers": list(b.outliers)} for b in series.boxes
        ]  # fmt: skip
    return found
