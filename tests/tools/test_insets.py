"""Insets: small plots in the empty part of a larger one."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas

from tools.insets import corners, without_insets, words_without
from tools.measuring import Measuring
from tools.strokes import find_strokes
from tools.types import Box, Drawing, Figure, Image, Panel, VectorPath, Word

X = np.linspace(0, 100, 51)


def drawn(place: tuple[float, float, float, float] | None, mirrored: bool) -> tuple[Image, list[Axes]]:
    """A falling (mirrored: rising) curve in a plot, and its tail in an inset at `place`, in fractions of the plot."""
    drawing = Canvas(figsize=(6, 4), dpi=120)
    axes = [drawing.add_axes((0.12, 0.14, 0.84, 0.8))]
    y = 100 * np.exp(-(100 - X if mirrored else X) / 20)
    axes[0].plot(X, y, "b", label="Activity")
    axes[0].legend(loc="lower left" if mirrored else "upper center")
    if place:
        axes.append(axes[0].inset_axes(place))
        axes[1].plot(X[y < 20], y[y < 20], "b")
    canvas = FigureCanvasAgg(drawing)
    canvas.draw()
    return np.array(canvas.buffer_rgba())[..., :3].copy(), axes


@pytest.mark.parametrize(("place", "mirrored"), [((0.5, 0.35, 0.45, 0.4), False), ((0.1, 0.5, 0.4, 0.42), True)])
def test_an_inset_is_a_panel_of_its_own(place: tuple[float, float, float, float], mirrored: bool) -> None:
    pixels, axes = drawn(place, mirrored)
    bench = Measuring(Figure(pixels))
    bench.read_text()
    found = bench.find_panels()
    assert len(found) == 2
    for panel, one in zip(found, axes, strict=True):
        box = one.get_window_extent()
        true = (box.x0 - 0.5, 480 - box.y1 - 0.5, box.x1 - 0.5, 480 - box.y0 - 0.5)
        assert panel["plot"] == pytest.approx(true, abs=1.0)
    bench.calibrate()
    bench.read_legends()
    assert [sorted(axis.side for axis in panel.axes) for panel in bench.panels] == [["bottom", "left"]] * 2
    outer, inner = bench.panels
    assert inner.y is not None
    assert max(a.value for a in inner.y.anchors) < 25
    assert outer.y is not None
    assert max(a.value for a in outer.y.anchors) == 100
    assert [entry.name for entry in inner.legend.entries] == ["Activity"]  # lent: its colour means the same there
    assert inner.legend.box is None
    rows, columns = inner.box.grown(-1).slices(*pixels.shape[:2])
    ink = bench._ink(1)
    for layer in ink.layers:  # nothing of the inset is ink of the plot around it
        part = layer.coverage[rows.start - ink.origin[1] : rows.stop - ink.origin[1],
                              columns.start - ink.origin[0] : columns.stop - ink.origin[0]]  # fmt: skip
        assert not part.any()


def test_a_plot_without_an_inset_has_none() -> None:
    bench = Measuring(Figure(drawn(None, False)[0]))
    bench.read_text()
    assert len(bench.find_panels()) == 1


def test_corners_are_where_a_level_and_an_upright_stroke_end() -> None:
    image = np.full((200, 300, 3), 255, np.uint8)
    image[30:151, 60] = image[150, 60:241] = image[30, 60:241] = 0  # a frame without a right side
    image[100, 0:300] = 120  # a rule that runs through
    strokes = find_strokes(image, 20)
    boxes = [one.box for one in corners(strokes)]
    assert boxes == [Box(60, 30, 240, 150)]


def test_words_of_insets_are_theirs_alone() -> None:
    outer, inner = (
        Panel(Box(0, 0, 400, 300), Box(40, 10, 390, 260)),
        Panel(Box(200, 40, 350, 160), Box(220, 45, 345, 140)),
    )
    words = [Word("7", Box(205, 60, 212, 70)), Word("50", Box(20, 60, 34, 70))]
    assert [w.text for w in words_without(inner, [outer, inner], words)] == ["7"]
    assert [w.text for w in words_without(outer, [outer, inner], words)] == ["50"]


def test_the_plot_around_an_inset_has_none_of_its_paths() -> None:
    outer, inner = (
        Panel(Box(0, 0, 400, 300), Box(40, 10, 390, 260)),
        Panel(Box(200, 40, 350, 160), Box(220, 45, 345, 140)),
    )
    tail = VectorPath(np.array([[100.0, 90.0], [300.0, 100.0]]), clip=inner.plot)  # cut off at the inset's frame
    whole = VectorPath(np.array([[60.0, 20.0], [380.0, 240.0]]), clip=outer.plot)
    figure = Figure(np.full((300, 400, 3), 255, np.uint8), drawing=Drawing((whole, tail)))
    kept = without_insets(figure, [outer], [outer, inner]).drawing
    assert kept is not None
    assert kept.paths == (whole,)
    assert without_insets(figure, [inner], [outer, inner]) is figure
