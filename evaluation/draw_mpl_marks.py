"""The marks of one series drawn by matplotlib: lines, steps, bars, histograms, areas, points, boxes, error bars.

Each returns what stands for the series in a legend. Not handled here: axes and legends (`draw_mpl`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from evaluation.draw_plan import Floats, PanelPlan, SeriesPlan, Style

DASHES = {"solid": "-", "dashed": "--", "dotted": ":", "dashdot": "-."}
MANY_BARS = 150


def draw_series(axes: Any, one: SeriesPlan, plan: PanelPlan, style: Style) -> Any:
    """Draw a series; its legend handle."""
    match one.form:
        case "line" | "step":
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
    look, colour, at = one.look, _unit(one.look.colour), one.x + one.offset
    if one.banded:
        axes.fill_between(one.x, one.low, one.high, color=colour, alpha=look.alpha, linewidth=0)
    elif len(one.low):
        _error_bars(axes, one, at, one.y, False, colour)
    handle = axes.plot(
        at, one.y, color=colour, linewidth=look.line_pt, linestyle=DASHES[look.dash] if look.line_pt else "none",
        drawstyle="steps-post" if one.form == "step" else "default", **_marker(one),
    )[0]  # fmt: skip
    if len(one.censored):
        held = one.y[np.searchsorted(one.x, one.censored, side="right") - 1]
        axes.plot(one.censored, held, linestyle="none", marker="|", color=colour, markersize=6, markeredgewidth=1.0)
    return handle


def _marker(one: SeriesPlan) -> dict[str, Any]:
    look = one.look
    if not look.marker:
        return {}
    colour, edge = _unit(look.colour), _unit(look.edge or look.colour)
    return {
        "marker": look.marker, "markersize": look.marker_pt, "markerfacecolor": colour if look.filled else "none",
        "markeredgecolor": edge, "markeredgewidth": 1.0,
    }  # fmt: skip


def _error_bars(axes: Any, one: SeriesPlan, x: Floats, ends: Floats, horizontal: bool, colour: Any) -> None:
    """Error bars from ends + (low - y) to ends + (high - y); nan ends are left out."""
    below, above = np.nan_to_num(one.y - one.low), np.nan_to_num(one.high - one.y)
    only_up = bool(np.isnan(one.low).all())
    where, value = (ends, x) if horizontal else (x, ends)
    spread = np.array([below, above])
    axes.errorbar(
        where, value, xerr=spread if horizontal else None, yerr=None if horizontal else spread, fmt="none",
        ecolor=colour, elinewidth=1.0, capsize=0 if only_up else one.look.cap_pt, capthick=1.0, zorder=2.5,
    )  # fmt: skip
    if only_up and one.look.cap_pt:  # a cap at the upper end alone
        axes.plot(*((ends + above, x) if horizontal else (x, ends + above)), linestyle="none", color=colour,
                  marker="|" if horizontal else "_", markersize=2 * one.look.cap_pt, markeredgewidth=1.0)  # fmt: skip


def _bars(axes: Any, one: SeriesPlan, horizontal: bool, style: Style) -> Any:
    look = one.look
    paint = {"facecolor": _unit(look.colour), "edgecolor": _unit(look.edge), "linewidth": look.line_pt,
             "hatch": look.hatch or None, "alpha": look.alpha if look.alpha < 1 else None}  # fmt: skip
    at = one.x + one.offset
    if len(at) > MANY_BARS:
        handle = _many_bars(axes, one, at, paint)
    elif horizontal:
        handle = axes.barh(at, one.y, height=one.width, left=one.start, **paint)
    else:
        handle = axes.bar(at, one.y, width=one.width, bottom=one.start, **paint)
    if len(one.low):
        _error_bars(axes, one, at, one.end, horizontal, _unit(style.ink))
    if one.printed:
        for place, value in zip(at, one.end, strict=True):
            spot = (value, place) if horizontal else (place, value)
            axes.annotate(f"{value:g}", spot, xytext=(3, 0) if horizontal else (0, 2), textcoords="offset points",
                          ha="left" if horizontal else "center", va="center" if horizontal else "bottom",
                          fontsize=0.9 * style.points["ticks"], color=_unit(style.ink))  # fmt: skip
    return handle


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
        axes.stairs(one.y, one.edges, color=_unit(look.colour), linewidth=look.line_pt)
        from matplotlib.patches import Patch

        return Patch(facecolor="none", edgecolor=_unit(look.colour), linewidth=look.line_pt)
    return axes.bar(
        one.edges[:-1], one.y, width=np.diff(one.edges), align="edge", facecolor=_unit(look.colour),
        edgecolor=_unit(look.edge), linewidth=look.line_pt, alpha=look.alpha if look.alpha < 1 else None,
    )  # fmt: skip


def _area(axes: Any, one: SeriesPlan) -> Any:
    look = one.look
    handle = axes.fill_between(
        one.x, one.start, one.end, color=_unit(look.colour), alpha=look.alpha if look.alpha < 1 else None, linewidth=0
    )
    if look.line_pt:
        axes.plot(one.x, one.end, color=_unit(look.colour), linewidth=look.line_pt)
    return handle


def _points(axes: Any, one: SeriesPlan, horizontal: bool) -> Any:
    look = one.look
    x, y = (one.y, one.x) if horizontal else (one.x, one.y)
    edge = look.edge or look.colour
    open_shape = look.marker in ("x", "+")
    paint = {"c": [_unit(look.colour)]} if open_shape else {
        "facecolors": _unit(look.colour) if look.filled else "none", "edgecolors": _unit(edge)}  # fmt: skip
    return axes.scatter(
        x, y, s=look.marker_pt**2, marker=look.marker, linewidths=look.line_pt, alpha=look.alpha
        if look.alpha < 1 else None, zorder=2.2, **paint,
    )  # fmt: skip


def _dots(axes: Any, one: SeriesPlan, horizontal: bool) -> Any:
    if one.stem:
        draw = axes.hlines if horizontal else axes.vlines
        draw(one.x, 0, one.y, color=_unit(one.look.colour), linewidth=one.look.line_pt)
    return _points(axes, one, horizontal)


def _boxes(axes: Any, one: SeriesPlan, horizontal: bool) -> Any:
    look, ink = one.look, _unit(one.look.edge)
    stats = [
        {"med": b.median, "q1": b.q1, "q3": b.q3, "whislo": b.whisker_low, "whishi": b.whisker_high,
         "fliers": list(b.outliers)}
        for b in one.boxes
    ]  # fmt: skip
    pen = {"color": ink, "linewidth": look.line_pt}
    drawn = axes.bxp(
        stats, positions=one.x + one.offset, widths=one.width, patch_artist=True, manage_ticks=False,
        orientation="horizontal" if horizontal else "vertical", medianprops={**pen, "linewidth": 1.5 * look.line_pt},
        boxprops={"facecolor": _unit(look.colour) if look.filled else "none", "edgecolor": ink,
                  "linewidth": look.line_pt}, whiskerprops=pen, capprops=pen,
        flierprops={"marker": look.marker, "markersize": look.marker_pt, "markeredgecolor": ink,
                    "markerfacecolor": "none"},
    )  # fmt: skip
    return drawn["boxes"][0]
