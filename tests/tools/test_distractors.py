"""What stands beside charts and is none: the chart is read as if it stood alone, and nothing else is taken for one.

Photographs, tables, colour bars, heat maps and insets are drawn here beside or in a chart with known scales.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import numpy as np
import pytest

from tests.tools.test_field_axes import X, agrees, canvas, ends, pixels_of, read


def chart(ax: Any) -> None:
    ax.plot(X * 50, 30 * X**2 + 4, color="#1f77b4")
    ax.set(xlabel="Time (s)", ylabel="Signal (mV)")


def photograph(ax: Any) -> None:
    rng = np.random.default_rng(3)
    rough = np.kron(rng.random((12, 15)), np.ones((20, 20)))
    ax.imshow(rough + 0.3 * rng.random(rough.shape), cmap="bone")
    ax.axis("off")


def table(ax: Any) -> None:
    cells = [[f"{7 * i + j}" for j in range(3)] for i in range(4)]
    ax.table(cells, rowLabels=["Ghana", "Chile", "Peru", "Laos"], colLabels=["2019", "2020", "2021"], loc="center")
    ax.axis("off")


def heat_map(ax: Any) -> None:
    ax.imshow(np.random.default_rng(5).random((5, 6)), cmap="viridis", aspect="auto")
    ax.set(xticks=range(6), xticklabels=list("abcdef"), yticks=range(5), yticklabels=list("vwxyz"))


def heat_map_with_bar(ax: Any) -> None:
    image = ax.imshow(np.random.default_rng(6).random((40, 40)), cmap="viridis", aspect="auto")
    ax.figure.colorbar(image, ax=ax)


def schema(ax: Any) -> None:
    for k, word in enumerate(("Screened", "Enrolled", "Followed")):
        ax.text(0.5, 0.85 - 0.35 * k, word, ha="center", va="center", bbox={"boxstyle": "square,pad=0.6", "fc": "w"})
    ax.axis("off")


@pytest.mark.parametrize("beside", [photograph, table, heat_map, heat_map_with_bar, schema])
def test_a_chart_beside_something_else_is_the_only_chart(beside: Callable[[Any], None]) -> None:
    fig, (ax, other) = canvas(8.4, 3.0, ncols=2)
    chart(ax)
    beside(other)
    fig.canvas.draw()
    wanted = ends(fig, ax)
    width = other.figure.bbox.width
    split = (ax.bbox.x1 + other.bbox.x0) / 2
    assert 0 < split < width
    panels = [panel for panel in read(pixels_of(fig)) if panel.refused is None]
    charts = [panel for panel in panels if panel.plot.x1 < split]
    assert len(charts) == 1
    assert agrees(charts[0].x, charts[0], wanted[0])
    assert agrees(charts[0].y, charts[0], wanted[1])
    assert [panel for panel in panels if panel.plot.x0 > split] == []


def test_points_with_a_colour_bar_are_read_on_their_own_axes() -> None:
    fig, ax = canvas(5.0, 3.0)
    dots = ax.scatter(X * 50, 30 * X**2 + 4, c=X, cmap="plasma")
    fig.colorbar(dots, ax=ax, label="Share")
    wanted = ends(fig, ax)
    (panel,) = read(pixels_of(fig))
    assert agrees(panel.x, panel, wanted[0])
    assert agrees(panel.y, panel, wanted[1])
    assert panel.axis("right") is None


def test_an_inset_does_not_move_the_axes_of_its_chart() -> None:
    fig, ax = canvas(5.4, 3.6)
    chart(ax)
    inset = ax.inset_axes([0.12, 0.58, 0.36, 0.36])
    inset.plot(X * 5, X, color="#d62728")
    wanted = ends(fig, ax)
    panels = read(pixels_of(fig))
    largest = max(panels, key=lambda panel: panel.plot.width)
    assert agrees(largest.x, largest, wanted[0])
    assert agrees(largest.y, largest, wanted[1])


def test_letters_of_panels_are_neither_titles_of_axes_nor_names() -> None:
    fig, axs = canvas(8.4, 3.0, ncols=2)
    for ax, letter in zip(axs, "AB", strict=True):
        chart(ax)
        ax.text(-0.2, 1.05, letter, transform=ax.transAxes, fontsize=14, fontweight="bold")
    first, second = read(pixels_of(fig))
    for panel in (first, second):
        assert panel.x is not None
        assert panel.x.label == "Time (s)"
        assert panel.y is not None
        assert panel.y.label == "Signal (mV)"
        assert panel.legend.entries == ()
