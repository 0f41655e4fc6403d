"""A figure drawn by matplotlib: its canvas, panels, axes and legends, and where they came to stand.

No pyplot, no rc file, no fonts but matplotlib's own: the same plan gives the same pixels. The marks themselves are
drawn by `draw_mpl_marks`. Not handled here: truth (`draw_truth`).
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import numpy as np

from evaluation.draw_mpl_marks import draw_series
from evaluation.draw_plan import (
    AxisPlan,
    DrawnLegend,
    FigurePlan,
    LegendEntry,
    PanelPlan,
    Pixels,
    Placed,
    Rectangle,
    Rgb,
    Style,
)

PLAIN_DIGITS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
DASHES = {"solid": "-", "dashed": "--", "dotted": ":", "dashdot": "-."}


def unit(colour: Rgb) -> tuple[float, float, float]:
    """A colour as matplotlib takes it."""
    return colour[0] / 255, colour[1] / 255, colour[2] / 255


def render(plan: FigurePlan, form: str = "") -> tuple[Pixels, tuple[Placed, ...], bytes]:
    """Pixels (H, W, 3) uint8, where each panel stands, and the figure as `form` ("svg", "pdf"; "": no bytes).

    Raises ModuleNotFoundError where matplotlib is missing.
    """
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({"font.family": plan.style.family, "axes.unicode_minus": True, "svg.hashsalt": "0"})
        wide, tall = plan.style.size
        fig = Figure(figsize=(wide / plan.style.dpi, tall / plan.style.dpi), dpi=plan.style.dpi)
        fig.patch.set_facecolor(unit(plan.style.paper))
        canvas = FigureCanvasAgg(fig)
        grid = fig.add_gridspec(plan.rows, plan.columns)
        drawn = [_panel(fig.add_subplot(grid[k // plan.columns, k % plan.columns]), one, plan.style)
                 for k, one in enumerate(plan.panels)]  # fmt: skip
        fig.tight_layout(pad=0.8)
        for axes, twin, _ in drawn:
            _onto_pixels(axes, twin, plan.style)
        canvas.draw()  # type: ignore[no-untyped-call]
        pixels = np.array(canvas.buffer_rgba(), dtype=np.uint8)[..., :3].copy()  # type: ignore[no-untyped-call]
        placed = tuple(
            _placed(axes, twin, legend, one, pixels.shape[0])
            for (axes, twin, legend), one in zip(drawn, plan.panels, strict=True)
        )
        return pixels, placed, _vector(fig, form) if form else b""


def _vector(fig: Any, form: str) -> bytes:
    """The figure as SVG or PDF, without the date of today."""
    out = io.BytesIO()
    fig.savefig(out, format=form, metadata={"Date": None} if form == "svg" else {"CreationDate": None})
    return out.getvalue()


def _panel(axes: Any, plan: PanelPlan, style: Style) -> tuple[Any, Any, Any]:
    """Draw one panel: (its axes, the second ones or None, its legend or None)."""
    twin = axes.twinx() if plan.y2 else None
    _background(axes, style)
    x_side, y_side = (plan.y, plan.x) if plan.horizontal else (plan.x, plan.y)
    _axis(axes, "x", x_side, style, plan.hide_x)
    _axis(axes, "y", y_side, style, plan.hide_y)
    if twin is not None and plan.y2:
        _axis(twin, "y", plan.y2, style, False)
    handles = [draw_series(twin if one.twin and twin else axes, one, plan, style) for one in plan.series]
    _frame(axes, style, twin)
    if plan.title:
        axes.set_title(
            plan.title, fontsize=style.points["title"], fontweight=style.weights["title"], color=unit(style.ink)
        )
    return axes, twin, _legend(axes, handles, plan, style)


def _background(axes: Any, style: Style) -> None:
    axes.set_facecolor(unit(style.plot))
    axes.set_axisbelow(True)
    if style.grid:
        axes.grid(True, axis=style.grid_axis, color=unit(style.grid), linestyle=DASHES[style.grid_dash], linewidth=0.8)


def _axis(axes: Any, name: str, plan: AxisPlan, style: Style, hidden: bool) -> None:
    """Scale, ends, ticks, words and label of one axis."""
    ink = unit(style.ink)
    ends = (plan.high, plan.low) if plan.reversed else (plan.low, plan.high)
    if plan.scale == "log":
        getattr(axes, f"set_{name}scale")("log")
    getattr(axes, f"set_{name}lim")(*ends)
    axis = getattr(axes, f"{name}axis")
    words = [] if hidden else [_raised(text) for text in plan.texts]
    axis.set_ticks(list(plan.ticks), labels=words or [""] * len(plan.ticks))
    axis.set_ticks(list(plan.minor) if plan.scale == "log" else [], minor=True, labels=[""] * len(plan.minor)
                   if plan.scale == "log" else [])  # fmt: skip
    length = 0.0 if style.tick_direction == "none" else 3.5
    direction = "out" if style.tick_direction == "none" else style.tick_direction
    axes.tick_params(axis=name, labelsize=style.points["ticks"], colors=ink, direction=direction, length=length,
                     width=style.spine_pt)  # fmt: skip
    axes.tick_params(axis=name, which="minor", colors=ink, direction=direction, length=length / 2, width=0.6)
    for label in axis.get_ticklabels():
        label.set_fontweight(style.weights["ticks"])
    if plan.turned:
        for label in axis.get_ticklabels():
            label.set(rotation=plan.turned, ha="right" if plan.turned < 90 else "center", rotation_mode="anchor"
                      if plan.turned < 90 else "default")  # fmt: skip
    if plan.heading and not hidden:
        axis.set_label_text(plan.heading, fontsize=style.points["axis"], fontweight=style.weights["axis"], color=ink)
    if plan.corner and name == "x":  # where matplotlib itself writes it: at the far end, below the numbers
        axes.annotate(plan.corner, (1.0, 0.0), xytext=(0, -2.2 * style.points["ticks"]), xycoords="axes fraction",
                      textcoords="offset points", fontsize=style.points["ticks"], color=ink, va="top",
                      ha="right")  # fmt: skip
    elif plan.corner:
        right = axis.get_ticks_position() == "right"
        axes.text(1.0 if right else 0.0, 1.005, plan.corner, transform=axes.transAxes, fontsize=style.points["ticks"],
                  color=ink, va="bottom", ha="right" if right else "left")  # fmt: skip


def _raised(text: str) -> str:
    """Powers of ten with a true raised exponent: not every font has raised digits."""
    power = text.removeprefix("10").translate(PLAIN_DIGITS)
    return f"$\\mathdefault{{10^{{{power}}}}}$" if text.startswith("10") and power != text.removeprefix("10") else text


def _frame(axes: Any, style: Style, twin: Any) -> None:
    shown = (*style.spines, "right") if twin is not None else style.spines
    for one in (axes, twin):
        if one is not None:
            for side, spine in one.spines.items():
                spine.set_visible(side in shown and (one is axes or side == "right"))
                spine.set(linewidth=style.spine_pt, edgecolor=unit(style.ink))


def _legend(axes: Any, handles: Sequence[Any], plan: PanelPlan, style: Style) -> Any:
    """The legend of a panel; None where there is none or the names stand beside the curves."""
    named = [(handle, one.name) for handle, one in zip(handles, plan.series, strict=True) if one.name]
    if plan.legend.place == "direct":
        for one in plan.series:
            axes.annotate(one.name, (one.x[-1], one.end[-1]), xytext=(4, 0), textcoords="offset points", va="center",
                          color=unit(one.look.colour), fontsize=style.points["legend"], annotation_clip=False,
                          gid="direct")  # fmt: skip
        return None
    if not plan.legend.place or not named:
        return None
    place, anchor = _anchor(plan, style, 0.8 * axes.bbox.height)  # the words will take their part of it
    return axes.figure.axes[-1].legend(
        [handle for handle, _ in named], [name for _, name in named], loc=place, bbox_to_anchor=anchor,
        bbox_transform=axes.transAxes, ncols=plan.legend.columns, frameon=plan.legend.framed, borderaxespad=0.5,
        prop={"size": style.points["legend"], "weight": style.weights["legend"]}, labelcolor=unit(style.ink),
        facecolor=unit(style.plot), edgecolor=unit(style.ink) if style.theme == "classic" else "0.8",
    )  # fmt: skip


def _anchor(plan: PanelPlan, style: Style, tall: float) -> tuple[str, tuple[float, ...]]:
    """matplotlib's place and anchor of a legend, shares of the axes, which are `tall` pixels high."""
    lines = style.points["ticks"] * (3.4 if any("\n" in text for text in plan.x.texts) else 2.2)
    below = (lines + style.points["axis"] * 2.0) * style.px / tall
    match plan.legend.place:
        case "right":
            return "upper left", (1.02 if plan.y2 is None else 1.2, 1.0)
        case "top":
            corner = 2.2 * style.points["ticks"] if plan.y.corner else 0.0  # what stands between plot and legend
            title = 1.9 * style.points["title"] if plan.title else 0.0
            return "lower center", (0.5, 1.01 + max(corner, title) * style.px / tall)
        case "bottom":
            return "upper center", (0.5, -below)
    return plan.legend.place, (0.0, 0.0, 1.0, 1.0)


def _onto_pixels(axes: Any, twin: Any, style: Style) -> None:
    """Move a panel by less than a pixel, so that snapping does not move its frame: strokes of odd widths lie on pixel
    centres (n + 0.5 in matplotlib's frame, a little less, for it rounds halves up), even ones between pixels."""
    figure = axes.figure
    wide, tall = figure.bbox.width, figure.bbox.height
    odd = odd_stroke(style)
    box = axes.get_position()
    left, right = (np.floor(v * wide) + (0.499 if odd else 0.001) for v in (box.x0, box.x1))
    low, high = (np.floor(v * tall) + (0.501 if odd else -0.001) for v in (box.y0, box.y1))
    for one in (axes, twin):
        if one is not None:
            one.set_position((left / wide, low / tall, (right - left) / wide, (high - low) / tall))


def odd_stroke(style: Style) -> bool:
    """True where matplotlib rounds the width of frame and ticks to an odd number of pixels."""
    return bool(max(round(style.spine_pt * style.px), 1) % 2)


def tick_pixel(pixel: float, style: Style) -> float:
    """Where matplotlib draws a tick that belongs at `pixel`: on whole pixels for odd widths, between them for even
    ones. It rounds to the right and down, half a pixel on average for odd widths."""
    return float(np.floor(pixel + 1.0)) if odd_stroke(style) else float(np.floor(pixel + 1.0) - 0.5)


def _placed(axes: Any, twin: Any, legend: Any, plan: PanelPlan, tall: int) -> Placed:
    box = _rectangle(axes.get_tightbbox(), tall)
    if twin is not None:
        box = _union(box, _rectangle(twin.get_tightbbox(), tall))
    return Placed(_rectangle(axes.bbox, tall), box, _drawn_legend(axes, legend, plan, tall))


def _drawn_legend(axes: Any, legend: Any, plan: PanelPlan, tall: int) -> DrawnLegend:
    if plan.legend.place == "direct":
        texts = [text for text in axes.texts if text.get_gid() == "direct"]
        entries = tuple(LegendEntry(text.get_text(), _rectangle(text.get_window_extent(), tall)) for text in texts)
        return DrawnLegend("direct", True, None, entries)
    if legend is None:
        return DrawnLegend("none")
    entries = tuple(LegendEntry(text.get_text(), *_words_and_sample(text, tall)) for text in legend.get_texts())
    place = {"right": "center right", "top": "upper center", "bottom": "lower center"}.get(
        plan.legend.place, plan.legend.place
    )
    return DrawnLegend(place, plan.legend.outside, _rectangle(legend.get_window_extent(), tall), entries)


def _words_and_sample(text: Any, tall: int) -> tuple[Rectangle, Rectangle]:
    """The boxes of a legend's words and of the sample to their left: 2 by 0.7 font sizes, 0.8 away."""
    words = _rectangle(text.get_window_extent(), tall)
    em = text.get_fontsize() * text.figure.dpi / 72
    right, middle = words[0] - 0.8 * em, (words[1] + words[3]) / 2
    return words, (right - 2 * em, middle - 0.35 * em, right, middle + 0.35 * em)


def _rectangle(box: Any, tall: int) -> Rectangle:
    """A box in matplotlib's frame (origin at the lower left corner of the lower left pixel) in pixels."""
    return float(box.x0) - 0.5, tall - float(box.y1) - 0.5, float(box.x1) - 0.5, tall - float(box.y0) - 0.5


def _union(one: Rectangle, other: Rectangle) -> Rectangle:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])
