"""Ink layers: coverage of drawn marks checked against the drawing, clean of grid, frame, text and fringes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.tools.legend_figures import blank, read
from tools.blends import find_blends, find_veils, merge_blends
from tools.colour import lab_distance
from tools.ink import Layer, PlotInk, separate
from tools.legend import read_legend
from tools.outlines import merge_outlines, merge_rings
from tools.types import Box, Figure, Panel, Rgb, Word

BLUE: Rgb = (31, 119, 180)
RED: Rgb = (214, 39, 40)


def _figure(pixels: np.ndarray) -> tuple[Figure, Panel]:
    height, width = pixels.shape[:2]
    box = Box(0, 0, width - 1, height - 1)
    return Figure(np.rint(pixels).astype(np.uint8)), Panel(box, box)


def _layer(ink: PlotInk, colour: Rgb) -> Layer:
    near = [layer for layer in ink.layers if float(lab_distance(layer.colour, colour)) < 6]
    assert len(near) == 1, [layer.colour for layer in ink.layers]
    return near[0]


def _separated(figure: Any, panel: int = 0) -> PlotInk:
    image, panels, words = read(figure)
    return separate(image, read_legend(image, panels, words)[panel], words)


def test_empty_plot_has_no_layers() -> None:
    ink = separate(*_figure(np.full((60, 80, 3), 255.0)), ())
    assert ink.layers == ()
    assert ink.background == (255, 255, 255)


@pytest.mark.parametrize("paper", [(255, 255, 255), (235, 235, 235), (10, 10, 10)])
def test_half_covered_edge_of_a_bar_has_half_coverage(paper: Rgb) -> None:
    pixels = np.full((100, 120, 3), 0.0) + paper
    pixels[40:, 30:60] = BLUE
    pixels[39, 30:60] = 0.5 * np.array(BLUE) + 0.5 * np.array(paper)
    layer = _layer(separate(*_figure(pixels), ()), BLUE)
    assert layer.coverage[39, 40] == pytest.approx(0.5, abs=0.02)
    assert layer.coverage[38:42, 40] == pytest.approx([0, 0.5, 1, 1], abs=0.02)
    assert layer.coverage.sum() == pytest.approx(30 * 60.5, rel=0.01)


def test_origin_is_the_corner_of_the_plot_area() -> None:
    pixels = np.full((100, 120, 3), 255.0)
    pixels[50:60, 70:90] = RED
    figure, panel = _figure(pixels)
    ink = separate(figure, replace(panel, plot=Box(20, 30, 109, 89)), ())
    assert ink.origin == (20, 30)
    rows, columns = np.nonzero(_layer(ink, RED).coverage > 0.5)
    assert (rows.min() + 30, columns.min() + 20) == (50, 70)


@pytest.mark.parametrize("style", ["-", "--", ":"])
@pytest.mark.parametrize("below", [True, False])
def test_curve_survives_crossing_a_grid(style: str, below: bool) -> None:
    figure, axes = blank()
    x = np.linspace(0, 10, 200)
    axes.plot(x, np.sin(x), color="#1f77b4", linewidth=2)
    axes.grid(True, color="0.8", linestyle=style, zorder=0 if below else 5)
    ink = _separated(figure)
    layer = _layer(ink, BLUE)
    columns = (layer.coverage > 0.3).any(axis=0)
    first, last = np.flatnonzero(columns)[[0, -1]]
    assert columns[first : last + 1].mean() > 0.98
    assert len(ink.layers) == 1


def test_flat_curve_on_a_grid_line_survives() -> None:
    pixels = np.full((120, 200, 3), 255.0)
    pixels[[30, 60, 90]] = 210
    pixels[59:61, 20:150] = BLUE
    layer = _layer(separate(*_figure(pixels), ()), BLUE)
    assert layer.coverage[60, 25:145].min() > 0.95
    assert layer.coverage[60, :15].max() < 0.05


def test_text_is_removed_and_bars_under_it_are_whole() -> None:
    figure, axes = blank()
    bars = axes.bar([1, 2, 3], [5, 9, 7], color="#1f77b4")
    axes.bar_label(bars, label_type="center")
    ink = _separated(figure)
    layer = _layer(ink, BLUE)
    assert len(ink.layers) == 1
    rows, columns = np.nonzero(layer.coverage > 0.5)
    tall = layer.coverage[rows.min() + 3 : -5, columns.min() + (columns.max() - columns.min()) // 2]
    assert tall.min() > 0.9


def test_every_line_of_a_legend_is_a_layer_of_its_name() -> None:
    figure, axes = blank()
    x = np.arange(30)
    for n, colour in enumerate(("#1f77b4", "#ff7f0e", "#2ca02c", "#d62728")):
        axes.plot(x, np.cos(x / 5 + n), color=colour, label=f"series {n}", linewidth=1.2)
    axes.legend(loc="upper right")
    ink = _separated(figure)
    assert sorted(layer.name for layer in ink.layers) == [f"series {n}" for n in range(4)]


def test_outline_is_shared_up_to_its_middle() -> None:
    pixels = np.full((100, 160, 3), 255.0)
    for left, top in ((20, 40), (60, 20), (100, 60)):
        pixels[top - 1 : 98, left - 1 : left + 32] = 0
        pixels[top + 2 : 96, left + 2 : left + 29] = BLUE
    ink = separate(*_figure(pixels), ())
    layer = _layer(ink, BLUE)
    assert len(ink.layers) == 1
    assert layer.coverage[36:44, 35] == pytest.approx([0, 0, 0, 0, 0.5, 1, 1, 1], abs=0.15)
    assert ink.neutral[40, 35]


def test_error_bars_stay_apart_from_bars() -> None:
    figure, axes = blank()
    axes.bar([1, 2, 3], [5, 9, 7], color="#1f77b4", yerr=[1, 1, 1], capsize=4, edgecolor="black")
    ink = _separated(figure)
    assert len(ink.layers) == 2
    assert _layer(ink, (0, 0, 0)).coverage.sum() < 0.05 * _layer(ink, BLUE).coverage.sum()


def test_touching_fills_leave_no_fringe_layer() -> None:
    figure, axes = blank()
    x = np.arange(40)
    axes.stackplot(x, 5 + np.sin(x / 4), 4 + np.cos(x / 6), 3 + np.sin(x / 3), colors=["#8c510a", "#4d4d4d", "#7fbc41"])
    assert len(_separated(figure).layers) == 3


def test_translucent_overlap_belongs_to_both() -> None:
    figure, axes = blank()
    x = np.arange(40)
    axes.fill_between(x, 0, 6 + np.sin(x / 5), color="#1f77b4", alpha=0.3, linewidth=0)
    axes.fill_between(x, 4, 9 + np.sin(x / 5), color="#d62728", alpha=0.3, linewidth=0)
    ink = _separated(figure)
    assert len(ink.layers) == 2
    assert ((ink.layers[0].coverage > 0.9) & (ink.layers[1].coverage > 0.9)).sum() > 1000


def test_hidden_is_where_another_layer_covers() -> None:
    pixels = np.full((100, 120, 3), 255.0)
    pixels[40:90, 20:100] = BLUE
    pixels[30:95, 50:54] = RED
    ink = separate(*_figure(pixels), ())
    assert _layer(ink, BLUE).hidden[60, 51]
    assert not _layer(ink, BLUE).hidden[60, 30]
    assert not _layer(ink, RED).hidden[60, 51]


def test_marker_read_as_a_letter_stays_ink() -> None:
    pixels = np.full((100, 120, 3), 255.0)
    y, x = np.mgrid[:100, :120]
    for cx, cy in ((30, 30), (60, 50), (90, 70)):
        pixels[(x - cx) ** 2 + (y - cy) ** 2 <= 20] = BLUE
    figure, panel = _figure(pixels)
    layer = _layer(separate(figure, panel, (Word("O", Box(55, 45, 65, 55)),)), BLUE)
    assert layer.coverage[50, 60] == 1


def test_dark_edges_of_markers_belong_to_them() -> None:
    pixels = np.full((120, 160, 3), 255.0)
    y, x = np.mgrid[:120, :160]
    for cx, cy in ((20, 30), (50, 80), (80, 50), (110, 90), (140, 40)):
        pixels[(x - cx) ** 2 + (y - cy) ** 2 <= 49] = 0
        pixels[(x - cx) ** 2 + (y - cy) ** 2 <= 25] = RED
    ink = separate(*_figure(pixels), ())
    assert len(ink.layers) == 1
    assert ink.layers[0].coverage[30, 20] == 1


def test_jpeg_noise_makes_no_layers() -> None:
    rng = np.random.default_rng(3)
    pixels = np.full((120, 160, 3), 250.0)
    pixels[50:120, 40:90] = BLUE
    noisy = np.clip(pixels + rng.normal(0, 2.5, pixels.shape), 0, 255)
    ink = separate(*_figure(noisy), ())
    assert len(ink.layers) == 1
    assert float(lab_distance(ink.layers[0].colour, BLUE)) < 5


def test_blend_of_two_and_outlines_of_nothing() -> None:
    white, green, pink = np.full(3, 255.0), np.array([209.0, 235, 227]), np.array([247.0, 223, 204])
    both = pink + 0.8 * (green - white)
    coverage = np.zeros((3, 20, 60), np.float32)
    coverage[0, 5:15, :20] = coverage[2, 5:15, 20:40] = coverage[1, 5:15, 40:] = 1
    blends = find_blends(np.array([green, pink, both]), white, coverage, ())
    assert set(blends[2]) == {0, 1}
    stays, merged = merge_blends(coverage, blends)
    assert stays.tolist() == [0, 1]
    assert merged[:, 10, 30].tolist() == [1, 1]
    same, outline = merge_outlines(coverage, np.zeros((20, 60), bool), [])
    assert same is coverage
    assert not outline.any()


def test_a_band_is_a_veil_and_hides_nothing() -> None:
    white, blue = np.full(3, 255.0), np.array([31.0, 119.0, 180.0])
    band, line = np.zeros((40, 60), np.float32), np.zeros((40, 60), np.float32)
    band[10:30], line[19:21], band[19:21] = 1.0, 1.0, 0.0
    palette = np.array([blue, 0.25 * blue + 0.75 * white])
    assert find_veils(palette, white, np.stack([line, band]), [0]) == [1]
    assert find_veils(palette, white, np.stack([line, band]), [0, 1]) == []


def test_scraps_of_marker_rims_join_the_marker() -> None:
    fill, rim = np.zeros((30, 90), np.float32), np.zeros((30, 90), np.float32)
    for at in (10, 30, 50, 70):
        rim[8:17, at : at + 9], fill[9:16, at + 1 : at + 8] = 1.0, 1.0
        rim[9:16, at + 1 : at + 8] = 0.0
    rim[8:17, 70:79], rim[8, 72:77] = 0.0, 1.0  # of the last marker only a side of the rim was told from its fill
    merged = merge_rings(np.stack([fill, rim]), [1])
    assert merged[1].sum() == 0
    assert merged[0][8, 74] == 1.0


def test_rims_that_hang_together_belong_to_small_markers_without_names() -> None:
    """Most markers overlap, so that their rims are one net; bars with borders of one colour are no markers."""
    rim, fill = np.zeros((120, 120), np.float32), np.zeros((120, 120), np.float32)
    for at in range(6, 100, 6):
        for row in (20, 60, 100):
            rim[row : row + 7, at : at + 7], fill[row + 1 : row + 6, at + 1 : at + 6] = 1.0, 1.0
            rim[row + 1 : row + 6, at + 1 : at + 6] = 0.0
    merged = merge_rings(np.stack([fill, rim]), [0, 1])
    assert merged[1].sum() == 0
    assert merged[0].sum() == fill.sum() + rim.sum()
    fill[60:90], rim[60:90] = 0.0, 0.0
    fill[60:90, 10:16] = rim[60:90, 9] = rim[60:90, 16] = 1.0
    assert merge_rings(np.stack([fill, rim]), [0, 1])[1].sum() == rim.sum()


@pytest.mark.parametrize("across", [False, True])
def test_pale_bars_over_most_of_a_plot_are_ink(across: bool) -> None:
    pixels = np.full((120, 120, 3), 255.0)
    for start in range(4, 114, 14):
        pixels[12:, start : start + 13] = (239, 218, 218)
    turned = pixels.transpose(1, 0, 2)[:, ::-1] if across else pixels
    ink = separate(*_figure(turned), ())
    assert ink.background == (255, 255, 255)
    assert [layer.colour for layer in ink.layers] == [(239, 218, 218)]
