"""The plots of a benchmark report, as SVG text to be set into the page. matplotlib, without a screen.

Not handled here: numbers (`report_tables`).
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping, Sequence
from typing import Any

SIZE = (6.4, 3.6)
INK, BLUE, GREY = "#222222", "#2b6cb0", "#bbbbbb"
COLOURS = ("#2b6cb0", "#c05621", "#2f855a", "#6b46c1", "#b83280", "#4a5568")


def svg(draw: Callable[[Any], None], size: tuple[float, float] = SIZE) -> str:
    """An SVG of what `draw` puts on an Axes; the same numbers give the same text."""
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    with matplotlib.rc_context({"svg.hashsalt": "0", "font.size": 9, "axes.spines.top": False,
                                "axes.spines.right": False}):  # fmt: skip
        figure = Figure(figsize=size)
        FigureCanvasSVG(figure)
        draw(figure.add_subplot())
        figure.tight_layout()
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None})
    text = out.getvalue()
    return text[text.index("<svg") :]


def decomposition(parts: Mapping[str, Mapping[str, float]]) -> str:
    """Stacked bars: where the points of each method's ECS go. `parts`: method -> part -> share."""

    def draw(axes: Any) -> None:
        methods = list(parts)
        left = [0.0] * len(methods)
        for k, part in enumerate(next(iter(parts.values()))):
            values = [100 * parts[m][part] for m in methods]
            axes.barh(methods, values, left=left, label=part.replace("_", " "), color=(BLUE, *COLOURS[1:], GREY)[k % 7])
            left = [a + b for a, b in zip(left, values, strict=True)]
        axes.set_xlabel("% of the points")
        _legend(axes, ncol=4, loc="upper center", bbox_to_anchor=(0.5, -0.25))

    return svg(draw, (SIZE[0], 1.6 + 0.4 * len(parts)))


def _legend(axes: Any, **place: Any) -> None:
    """A legend where something was drawn: of methods that could not be reached there is nothing."""
    if axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize=7, frameon=False, **place)


def density_curves(curves: Mapping[str, Mapping[int, float | None]], label: str) -> str:
    """An error against the number of charts in a figure. `curves`: method -> k -> value."""

    def draw(axes: Any) -> None:
        for colour, (method, values) in zip(COLOURS * 3, curves.items(), strict=False):
            known = [(k, v) for k, v in values.items() if v is not None]
            axes.plot([k for k, _ in known], [v for _, v in known], "o-", color=colour, label=method)
        axes.set_xlabel("charts in one figure")
        axes.set_ylabel(label)
        axes.set_ylim(bottom=0)
        _legend(axes)

    return svg(draw)


def paired_scatter(pairs: Sequence[tuple[float, float]], x: str, y: str) -> str:
    """Each chart under two conditions; above the diagonal the second one is worse."""

    def draw(axes: Any) -> None:
        top = max((v for pair in pairs for v in pair), default=1.0) or 1.0
        axes.plot([0, top], [0, top], color=GREY, lw=1)
        axes.plot([a for a, _ in pairs], [b for _, b in pairs], "o", color=BLUE, ms=4, alpha=0.6)
        axes.set_xlabel(x)
        axes.set_ylabel(y)

    return svg(draw, (4.2, 4.0))


def pareto(points: Sequence[Mapping[str, Any]], label: str = "ECS %") -> str:
    """Accuracy ("ecs", a share) against cost; the line joins the methods that no other one beats in both."""

    def draw(axes: Any) -> None:
        known = [p for p in points if p["ecs"] is not None]
        for p in known:
            axes.plot(p["dollars"], 100 * p["ecs"], "o", color=BLUE)
            axes.annotate(p["method"], (p["dollars"], 100 * p["ecs"]), fontsize=7, xytext=(4, 3),
                          textcoords="offset points")  # fmt: skip
        front = pareto_front([(p["dollars"], p["ecs"]) for p in known])
        axes.plot([a for a, _ in front], [100 * b for _, b in front], "--", color=GREY, zorder=0)
        axes.set_xlabel("dollars")
        axes.set_ylabel(label)

    return svg(draw)


def pareto_front(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The (cost, accuracy) pairs that no other one beats in both, by cost.

    >>> pareto_front([(1.0, 0.5), (2.0, 0.4), (3.0, 0.9)])
    [(1.0, 0.5), (3.0, 0.9)]
    """
    front: list[tuple[float, float]] = []
    for cost, accuracy in sorted(points, key=lambda p: (p[0], -p[1])):
        if not front or accuracy > front[-1][1]:
            front.append((cost, accuracy))
    return front


def calibration(points: Mapping[str, Sequence[tuple[float, float]]], stated: str) -> str:
    """Median error against the median of what was stated (`stated`: its name), class by class of each method."""

    def draw(axes: Any) -> None:
        top = max((v for pairs in points.values() for pair in pairs for v in pair), default=1.0) or 1.0
        axes.plot([0, top], [0, top], color=GREY, lw=1)
        for colour, (method, pairs) in zip(COLOURS * 3, points.items(), strict=False):
            axes.plot([a for a, _ in pairs], [b for _, b in pairs], "o-", color=colour, label=method)
        axes.set_xlabel(f"{stated}, % of the range")
        axes.set_ylabel("median error, %")
        _legend(axes)

    return svg(draw, (4.6, 4.0))


def scores_by_figure(scores: Mapping[str, Sequence[float]]) -> str:
    """Sorted scores of each method: how many figures are read well, and how many badly."""

    def draw(axes: Any) -> None:
        for colour, (method, values) in zip(COLOURS * 3, scores.items(), strict=False):
            ordered = sorted(values, reverse=True)
            axes.plot([(i + 0.5) / len(ordered) * 100 for i in range(len(ordered))], [100 * v for v in ordered],
                      drawstyle="steps-mid", color=colour, label=method)  # fmt: skip
        axes.set_xlabel("% of the figures")
        axes.set_ylabel("ECS % at least")
        axes.set_ylim(0, 102)
        _legend(axes)

    return svg(draw)
