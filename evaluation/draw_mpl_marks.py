"""The marks of one series drawn by matplotlib: lines, steps, bars, histograms, areas, points, boxes, error bars.

Each returns what stands for the series in a legend. Not handled here: axes and legends (`draw_mpl`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from evaluation.draw_plan import Floats, PanelPlan, SeriesPlan, Style

DASHES = {"solid": "-", "dashed": "--", "dotted": ":", "dashdot": "-."}
MANY_BARS = 150


def draw_series(axes: Any, one: SeriesPlan, plan: PanelPlan, style: Style) -> Any:
    """Draw a series; its legend handle."""
    match one.form:
        case "line" | "step":
            if one.printed:
                _print_values(axes, one, False, style)
            return _curve(axes, one)
        case "bar":
            return _bars(axes, one, plan.horizontal, style)
        case "hist":
            return _histogram(axes, one)
        case "area":
            return _area(axes, one)
        case "scatter":
            return _points(axes, one, False)
        case "dot":
            return _dots(axes, one, plan.horizontal)
    return _boxes(axes, one, plan.horizontal)


def _unit(colour: tuple[int, int, int] | None) -> Any:
    return "none" if colour is None else tuple(c / 255 for c in colour)


def _curve(axes: Any, one: SeriesPlan) -> Any:
    from matplotlib.lines import Line2D

    look, colour, at = one.look, _unit(one.look.colour), one.x + one.offset
    if one.banded:
        axes.fill_between(one.x, one.low, one.high, color=colour, alpha=look.alpha, linewidth=[0, 0])
    elif len(one.low):
        _error_bars(axes, one, at, one.y, False, colour)
    pen = {"color": colour, "linewidth": look.line_pt, "linestyle": DASHES[look.dash] if look.line_pt else "none"}
    axes.plot(at, one.y, drawstyle="steps-post" if one.form == "step" else "default", snap=False, **pen)
    if look.marker:
        _scatter(axes, one, at, one.y, look.marker, look.marker_pt)
    if len(one.censored):
        held = one.y[np.searchsorted(one.x, one.censored, side="right") - 1]
        _strokes(axes, one.censored, held, "|", 3.0, colour)
    return Line2D([], [], **pen, **_marker(one))


def _marker(one: SeriesPlan) -> dict[str, Any]:
    """The marker of a line in a legend."""
    look = one.look
    if not look.marker:
        return {}
    colour = _unit(look.colour)
    return {
        "marker": look.marker, "markersize": look.marker_pt, "markerfacecolor": colour if look.filled else "none",
        "markeredgecolor": _unit(look.edge or look.colour), "markeredgewidth": 1.0,
    }  # fmt: skip


def _scatter(axes: Any, one: SeriesPlan, x: Floats, y: Floats, marker: str, size: float) -> Any:
    """Markers at exact places. Two equal line widths keep the collection off the path that rounds to whole pixels."""
    look = one.look
    fill, edge = _unit(look.colour) if look.filled else "none", _unit(look.edge or look.colour)
    pen = max(look.line_pt, 1.0) if one.form in ("scatter", "dot") else 1.0
    paint = {"c": [edge]} if marker in ("x", "+") else {"facecolors": fill, "edgecolors": edge}
    return axes.scatter(x, y, s=size**2, marker=marker, linewidths=[pen, pen], zorder=2.2,
                        alpha=look.alpha if look.alpha < 1 and not one.banded else None, **paint)  # fmt: skip


def _strokes(axes: Any, x: Floats, y: Floats, marker: str, half: float, colour: Any) -> None:
    """Caps and ticks: strokes of `half` points to either side."""
    axes.scatter(x, y, s=(2 * half) ** 2, marker=marker, c=[colour], linewidths=[1.0, 1.0], zorder=2.2)


def _error_bars(axes: Any, one: SeriesPlan, x: Floats, ends: Floats, horizontal: bool, colour: Any) -> None:
    """Error bars from ends + (low - y) to ends + (high - y); where there is no low end, from the point up."""
    low, high = ends + np.nan_to_num(one.low - one.y), ends + (one.high - one.y)
    draw = axes.hlines if horizontal else axes.vlines
    draw(x, low, high, color=colour, linewidth=1.0, zorder=2.1).set_snap(False)
    if one.look.cap_pt:
        for values in (low, high) if np.isfinite(one.low).any() else (high,):
            place = (values, x) if horizontal else (x, values)
            _strokes(axes, *place, "|" if horizontal else "_", one.look.cap_pt, colour)


def _bars(axes: Any, one: SeriesPlan, horizontal: bool, style: Style) -> Any:
    look = one.look
    paint = {"facecolor": _unit(look.colour), "edgecolor": _unit(look.edge), "linewidth": look.line_pt,
             "hatch": look.hatch or None, "alpha": look.alpha if look.alpha < 1 else None}  # fmt: skip
    at = one.x + one.offset
    if len(at) > MANY_BARS:
        handle = _many_bars(axes, one, at, paint)
    elif horizontal:
        handle = _unsnapped(axes.barh(at, one.y, height=one.width, left=one.start, **paint), look.edge)
    else:
        handle = _unsnapped(axes.bar(at, one.y, width=one.width, bottom=one.start, **paint), look.edge)
    if len(one.low):
        _error_bars(axes, one, at, one.end, horizontal, _unit(style.ink))
    if one.printed:
        _print_values(axes, one, horizontal, style)
    return handle


def _print_values(axes: Any, one: SeriesPlan, horizontal: bool, style: Style) -> None:
    """The value of each point as text beyond it; of lines clear of their markers."""
    away = 2.0 if one.form == "bar" else 2.0 + 0.5 * one.look.marker_pt
    for place, value in zip(one.x + one.offset, one.end, strict=True):
        spot = (value, place) if horizontal else (place, value)
        axes.annotate(f"{value:g}", spot, xytext=(3, 0) if horizontal else (0, away), textcoords="offset points",
                      ha="left" if horizontal else "center", va="center" if horizontal else "bottom",
                      fontsize=0.9 * style.points["ticks"], color=_unit(style.ink))  # fmt: skip


def _unsnapped(bars: Any, edge: object) -> Any:
    """Bars with outlines stay where they are; matplotlib would move them by half a pixel."""
    if edge is not None:
        for bar in bars:
            bar.set_snap(False)
    return bars


def _many_bars(axes: Any, one: SeriesPlan, at: Floats, paint: dict[str, Any]) -> Any:
    """Hundreds of bars as one collection: the same pixels, much faster."""
    from matplotlib.collections import PolyCollection
    from matplotlib.patches import Patch

    left, right = at - one.width / 2, at + one.width / 2
    corners = np.stack(
        [np.column_stack(pair) for pair in ((left, one.start), (left, one.end), (right, one.end), (right, one.start))],
        axis=1,
    )
    hatch = paint.pop("hatch")
    axes.add_collection(PolyCollection(list(corners), **paint), autolim=False)
    return Patch(hatch=hatch, **paint)


def _histogram(axes: Any, one: SeriesPlan) -> Any:
    look = one.look
    if not look.filled:
        axes.stairs(one.y, one.edges, color=_unit(look.colour), linewidth=look.line_pt).set_snap(False)
        from matplotlib.patches import Patch

        return Patch(facecolor="none", edgecolor=_unit(look.colour), linewidth=look.line_pt)
    bars = axes.bar(
        one.edges[:-1], one.y, width=np.diff(one.edges), align="edge", facecolor=_unit(look.colour),
        edgecolor=_unit(look.edge), linewidth=look.line_pt, alpha=look.alpha if look.alpha < 1 else None,
    )  # fmt: skip
    return _unsnapped(bars, look.edge)


def _area(axes: Any, one: SeriesPlan) -> Any:
    look = one.look
    handle = axes.fill_between(
        one.x, one.start, one.end, color=_unit(look.colour), alpha=look.alpha if look.alpha < 1 else None,
        linewidth=[0, 0],
    )  # fmt: skip
    if look.line_pt:
        axes.plot(one.x, one.end, color=_unit(look.colour), linewidth=look.line_pt)
    return handle


def _points(axes: Any, one: SeriesPlan, horizontal: bool) -> Any:
    x, y = (one.y, one.x) if horizontal else (one.x, one.y)
    return _scatter(axes, one, x, y, one.look.marker, one.look.marker_pt)


def _dots(axes: Any, one: SeriesPlan, horizontal: bool) -> Any:
    if one.stem:
        draw = axes.hlines if horizontal else axes.vlines
        draw(one.x, 0, one.y, color=_unit(one.look.colour), linewidth=one.look.line_pt).set_snap(False)
    return _points(axes, one, horizontal)


def _boxes(axes: Any, one: SeriesPlan, horizontal: bool) -> Any:
    look, ink = one.look, _unit(one.look.edge)
    stats = [
        {"med": b.median, "q1": b.q1, "q3": b.q3, "whislo": b.whisker_low, "whishi": b.whisker_high,
         "fliers": []}
        for b in one.boxes
    ]  # fmt: skip
    pen = {"color": ink, "linewidth": look.line_pt}
    near = look.edge is not None and max(abs(a - b) for a, b in zip(look.colour, look.edge, strict=True)) < 40
    seen = look.filled and not near  # the median would be invisible
    drawn = axes.bxp(
        stats, positions=one.x + one.offset, widths=one.width, patch_artist=True, manage_ticks=False,
        orientation="horizontal" if horizontal else "vertical", medianprops={**pen, "linewidth": 1.5 * look.line_pt},
        boxprops={"facecolor": _unit(look.colour) if seen else "none", "edgecolor": ink,
                  "linewidth": look.line_pt}, whiskerprops=pen, capprops=pen, showfliers=False,
    )  # fmt: skip
    for artist in (part for parts in drawn.values() for part in parts):
        artist.set_snap(False)
    beyond = [(place, v) for place, b in zip(one.x + one.offset, one.boxes, strict=True) for v in b.outliers]
    if beyond:
        at, values = np.array(beyond).T
        x, y = (values, at) if horizontal else (at, values)
        plain = replace(one, look=replace(look, colour=look.edge or look.colour, edge=None, filled=False))
        _scatter(axes, plain, x, y, look.marker, look.marker_pt)
    return drawn["boxes"][0]
