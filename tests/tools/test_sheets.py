"""Figures put together from charts on papers of their own."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Drawing

from tools.ocr import read_words
from tools.sheets import find_all_panels, find_sheets
from tools.types import Figure, Image

PAPERS = {"white": ("white", "black"), "tinted": ("#d7e3ea", "black"), "dark": ("#202024", "white")}


def chart(paper: str, plot: str | None = None) -> tuple[Image, tuple[float, float, float, float]]:
    """A chart of 480 x 360 px and its plot area in pixels."""
    ground, ink = PAPERS[paper]
    drawing = Drawing(figsize=(4.8, 3.6), dpi=100, facecolor=ground)
    axes = drawing.add_axes((0.16, 0.16, 0.78, 0.74), facecolor=plot or ground)
    axes.plot([0, 1, 2, 3, 4], [3, 8, 5, 9, 2], color="#c0392b")
    axes.tick_params(colors=ink)
    for spine in axes.spines.values():
        spine.set_color(ink)
    canvas = FigureCanvasAgg(drawing)
    canvas.draw()
    return np.array(canvas.buffer_rgba())[..., :3].copy(), (76.8, 36.0, 451.2, 302.4)


def composed(papers: list[str]) -> Figure:
    """Charts side by side on white, 10 px apart."""
    gap = np.full((360, 10, 3), 255, np.uint8)
    parts: list[Image] = []
    for paper in papers:
        parts += [gap, chart(paper)[0]] if parts else [chart(paper)[0]]
    return Figure(np.hstack(parts))


@pytest.mark.parametrize("papers", [["white", "tinted", "dark"], ["dark", "dark", "white"], ["tinted", "tinted"]])
def test_each_chart_of_a_composed_figure_is_a_panel_in_its_place(papers: list[str]) -> None:
    figure = composed(papers)
    panels, words = find_all_panels(figure, read_words(figure.pixels))
    assert len(panels) == len(papers)
    _, (x0, y0, x1, y1) = chart("white")
    for k, panel in enumerate(panels):
        at = (panel.plot.x0 - 490 * k, panel.plot.y0, panel.plot.x1 - 490 * k, panel.plot.y1)
        assert at == pytest.approx((x0, y0, x1, y1), abs=1.5)
        texts = {word.text for word in words if 490 * k <= word.box.x0 < 490 * k + 480}
        assert {"2", "3", "4"} <= texts


def test_the_background_of_a_plot_is_no_sheet() -> None:
    pixels, _ = chart("white", plot="#e5e5e5")
    figure = Figure(pixels)
    assert find_sheets(figure, read_words(pixels)) == []


def test_a_frame_around_everything_is_no_sheet() -> None:
    pixels, _ = chart("white")
    pixels[[2, -3]] = 90
    pixels[:, [2, -3]] = 90
    assert find_sheets(Figure(pixels), read_words(pixels)) == []
