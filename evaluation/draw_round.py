"""ChartAB's charts without straight axes, drawn with matplotlib: 3-D bars, radar and rose charts.

The picture is all that is made here; truth comes from the chart's own record. Not handled here: anything else.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from evaluation.draw_chartab import Chart
from evaluation.draw_mpl import unit
from evaluation.draw_plan import Pixels


def draw_round(chart: Chart) -> Pixels:
    """A 3-D bar, radar or rose chart as pixels (H, W, 3) uint8. Raises KeyError for another type."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    style = chart.style
    side = max(style.size)  # a square: such charts have no long side
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams["font.family"] = style.family
        fig = Figure(figsize=(side / style.dpi, side / style.dpi), dpi=style.dpi)
        canvas = FigureCanvasAgg(fig)
        handles = {"bar 3d": _bars, "radar": _radar, "rose": _rose}[chart.type](fig, chart)
        axes = fig.axes[0]
        axes.tick_params(labelsize=style.points["ticks"])
        axes.set_title(chart.title, fontsize=style.points["title"], fontweight=style.weights["title"], pad=24)
        fonts: Any = {"size": style.points["legend"], "weight": style.weights["legend"]}
        fig.legend(handles, chart.names, loc=chart.place, prop=fonts)  # type: ignore[call-overload]
        canvas.draw()  # type: ignore[no-untyped-call]
        return np.array(canvas.buffer_rgba(), dtype=np.uint8)[..., :3].copy()  # type: ignore[no-untyped-call]


def _angles(count: int) -> Any:
    return 2 * np.pi * np.arange(count) / count


def _radar(fig: Any, chart: Chart) -> list[Any]:
    """A closed curve for each series; categories stand around the circle."""
    axes = fig.add_subplot(projection="polar")
    at = _angles(len(chart.rows))
    handles = []
    for k, colour in enumerate(chart.colours):
        y = chart.values[:, k]
        handles += axes.plot([*at, at[0]], [*y, y[0]], color=unit(colour), linewidth=1.6, marker="o", markersize=4)
        axes.fill(at, y, color=unit(colour), alpha=0.1)
    axes.set_xticks(at, chart.rows)
    axes.set_ylim(0, float(chart.values.max()) * 1.1)
    return handles


def _rose(fig: Any, chart: Chart) -> list[Any]:
    """Sectors of a category side by side, one for each series; the radius is the value."""
    axes = fig.add_subplot(projection="polar")
    at = _angles(len(chart.rows))
    wide = 0.85 * 2 * np.pi / len(chart.rows) / len(chart.names)
    handles = []
    for k, colour in enumerate(chart.colours):
        shift = (k - (len(chart.names) - 1) / 2) * wide
        handles.append(axes.bar(at + shift, chart.values[:, k], width=wide, color=unit(colour)))
    axes.set_xticks(at, chart.rows)
    return handles


def _bars(fig: Any, chart: Chart) -> list[Any]:
    """Upright blocks on a floor of categories by series."""
    from matplotlib.patches import Patch

    axes = fig.add_subplot(projection="3d")
    x = np.arange(len(chart.rows), dtype=np.float64)
    for k, colour in enumerate(chart.colours):
        axes.bar3d(x - 0.25, np.full(len(x), k - 0.25), np.zeros(len(x)), 0.5, 0.5, chart.values[:, k],
                   color=unit(colour), shade=True)  # fmt: skip
    axes.set_xticks(x, chart.rows)
    axes.set_yticks(range(len(chart.names)), chart.names)
    axes.set_zlabel(chart.labels[1], fontsize=chart.style.points["axis"], fontweight=chart.style.weights["axis"])
    return [Patch(color=unit(colour)) for colour in chart.colours]
