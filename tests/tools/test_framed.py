"""Bars known by their outlines: hollow, hatched and grey ones in black strokes, coloured outlines, dark paper."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.tools.barplots import categories, values
from tools.bars import read_bars
from tools.framed import find_framed, silhouette
from tools.framed_series import framed_bars
from tools.ink import Layer, PlotInk
from tools.kinds import plan
from tools.types import Box, Legend, LegendEntry, Panel, Rgb, Series

TRUTH = {"hatched": [90, 40, 66], "hollow": [30, 100, 64], "grey": [55, 21, 80]}
BLACK: Rgb = (0, 0, 0)
Pixels = NDArray[np.uint8]


def paint(pixels: Pixels, box: tuple[int, int, int, int], fill: str, stroke: Rgb = BLACK) -> None:
    """A rectangle (left, top, right, bottom: middles of its strokes of 2 px, between two pixels) in these pixels."""
    left, top, right, bottom = box
    inside = pixels[top + 1 : bottom, left + 1 : right]
    if fill == "grey":
        inside[:] = 150
    if fill == "hatched":
        rows, columns = np.indices(inside.shape[:2])
        inside[(rows + columns) % 8 < 2] = stroke
    if fill == "level":
        inside[5::8] = stroke
    pixels[top : top + 2, left : right + 2] = stroke
    pixels[top : bottom + 1, left : left + 2] = stroke
    pixels[top : bottom + 1, right : right + 2] = stroke


def figure(lying: bool, paper: int = 255, stroke: Rgb = BLACK, colours: dict[str, Rgb] | None = None,
           grid: int = 0, level: bool = False) -> tuple[Panel, PlotInk, Pixels]:  # fmt: skip
    """Three groups of three touching bars on row 119.5, one pixel a unit, and a legend below the plot."""
    pixels = np.full((160, 260, 3), paper, np.uint8)
    for row in range(19, 120, 25) if grid else ():
        pixels[row, :240] = grid
    looks = {"hatched": "level"} if level else dict.fromkeys(TRUTH, "hollow") if colours else {}
    for place, (fill, heights) in enumerate(TRUTH.items()):
        for group, height in enumerate(heights):
            left = 20 + 75 * group + 20 * place
            paint(pixels, (left, 119 - height, left + 20, 119), looks.get(fill, fill),
                  colours[fill] if colours else stroke)  # fmt: skip
    entries = []
    for place, fill in enumerate(TRUTH):
        left = 20 + 80 * place
        edge = colours[fill] if colours else stroke
        paint(pixels, (left, 135, left + 24, 147), looks.get(fill, fill), edge)
        pixels[147:149, left : left + 26] = edge
        entries.append(
            LegendEntry(fill, edge, "patch", Box(left, 135, left + 25, 148), Box(left + 30, 136, left + 60, 146))
        )
    x, y = categories("bottom", 50.5, 75.0, ("a", "b", "c")), values("left", 119.5, 1.0)
    whole, plot = Box(0, 0, 259, 159), Box(0, 0, 239, 124)
    if lying:  # a mirrored transpose: values grow rightwards, groups run down
        turned = np.ascontiguousarray(pixels.transpose(1, 0, 2)[:, ::-1])
        swap = {one.name: one.swatch for one in entries}
        entries = [
            LegendEntry(n, BLACK, "patch", Box(159 - b.y1, b.x0, 159 - b.y0, b.x1)) for n, b in swap.items() if b
        ]
        x, y = values("bottom", 159 - 119.5, 1.0), categories("left", 50.5, 75.0, ("a", "b", "c"))
        pixels, whole, plot = turned, Box(0, 0, 159, 259), Box(159 - 124, 0, 159, 239)
    rows, columns = plot.slices(*pixels.shape[:2])
    crop = pixels[rows, columns]
    away = np.abs(crop.astype(int) - paper).max(axis=2)
    layer = Layer(stroke, (away > 100).astype(np.float32), np.zeros(away.shape, bool))
    ink = PlotInk((columns.start, rows.start), crop, (paper,) * 3, np.zeros(away.shape, bool), (layer,))
    panel = Panel(whole, plot, legend=Legend(tuple(entries)), axes=(x, y))
    return panel, ink, pixels


def by_name(panel: Panel, found: tuple[Series, ...]) -> dict[str, list[float]]:
    read = {}
    for one in found:
        axis = panel.x if one.orientation == "horizontal" else panel.y
        assert axis is not None
        read[one.name] = [float(axis.to_value(m.x if one.orientation == "horizontal" else m.y)) for m in one.marks]
    return read


@pytest.mark.parametrize("lying", [False, True])
@pytest.mark.parametrize("grid", [0, 220])
def test_hatched_hollow_and_grey_bars_are_told_apart_by_their_fills(lying: bool, grid: int) -> None:
    panel, ink, pixels = figure(lying, grid=grid)
    assert plan(panel, ink) == [("bar", [0])]
    read = by_name(panel, read_bars(panel, ink, ink.layers, pixels))
    assert set(read) == set(TRUTH)
    for name, heights in TRUTH.items():
        assert read[name] == pytest.approx(heights, abs=0.3), name


@pytest.mark.parametrize("stem", [2, 5, 8])
def test_thick_stems_of_error_bars_do_not_part_their_bars(stem: int) -> None:
    heights = [90, 40, 66, 120]
    pixels = np.full((160, 300, 3), 255, np.uint8)
    for k, height in enumerate(heights):
        left = 20 + 50 * k + 40 * (k // 2)
        paint(pixels, (left, 139 - height, left + 50, 139), "grey" if k % 2 else "hollow")
        middle = left + 26 - stem // 2
        pixels[139 - height - 12 : 139 - height + 13, middle : middle + stem] = 0
        pixels[[139 - height - 12, 139 - height + 12], middle - 6 : middle + stem + 6] = 0
    away = 255 - pixels.astype(int).max(axis=2)
    layer = Layer(BLACK, (away > 150).astype(np.float32), np.zeros(away.shape, bool))
    ink = PlotInk((0, 0), pixels, (255, 255, 255), np.zeros(away.shape, bool), (layer,))
    axes = (categories("bottom", 70.5, 140.0, ("a", "b")), values("left", 139.5, 1.0))
    found = find_framed(Panel(Box(0, 0, 299, 159), Box(0, 0, 299, 159), axes=axes), ink)
    assert found is not None
    assert [one.height for one in found.bars] == pytest.approx(heights, abs=1.5)


def test_white_strokes_on_dark_paper() -> None:
    panel, ink, pixels = figure(False, paper=30, stroke=(230, 230, 230), grid=60)
    read = by_name(panel, read_bars(panel, ink, ink.layers, pixels))
    assert read == {name: pytest.approx(heights, abs=0.3) for name, heights in TRUTH.items()}


def test_hollow_bars_take_the_name_of_their_outline() -> None:
    colours: dict[str, Rgb] = {"hatched": (31, 119, 180), "hollow": (255, 127, 14), "grey": (44, 160, 44)}
    panel, ink, pixels = figure(False, colours=colours)
    found = read_bars(panel, ink, ink.layers, pixels)
    assert by_name(panel, found) == {name: pytest.approx(heights, abs=0.3) for name, heights in TRUTH.items()}
    assert {one.name: one.colour for one in found} == colours


def test_without_a_legend_the_fills_are_series_of_their_own() -> None:
    panel, ink, pixels = figure(False)
    bare = Panel(panel.box, panel.plot, axes=panel.axes)
    found = read_bars(bare, ink, ink.layers, pixels)
    assert sorted([m.y for m in one.marks] for one in found) == sorted(
        [pytest.approx([119.5 - h for h in heights], abs=0.3) for heights in TRUTH.values()],
        key=lambda a: a.expected[0],
    )


def test_bars_in_plain_colours_are_left_to_their_inks() -> None:
    panel, ink, _ = figure(False)
    pixels = ink.pixels.copy()
    for left in (20, 95, 170):
        pixels[:120, left : left + 62] = 255
        pixels[28:120, left : left + 62] = (70, 130, 180)
        paint(pixels, (left, 28, left + 60, 119), "")
    assert framed_bars(panel, PlotInk(ink.origin, pixels, ink.background, ink.neutral, ink.layers)) is None


def test_a_hatch_of_level_lines_parts_no_stack() -> None:
    panel, ink, pixels = figure(False, level=True)
    read = by_name(panel, read_bars(panel, ink, ink.layers, pixels))
    assert read == {name: pytest.approx(heights, abs=0.3) for name, heights in TRUTH.items()}


def test_white_grid_lines_on_grey_are_no_ink() -> None:
    panel, ink, pixels = figure(False, paper=230, grid=255)
    crop = ink.pixels.copy()
    light = np.zeros(crop.shape[:2], dtype=bool)
    light[:, [5, 117, 225]] = True
    crop[light & (crop == 230).all(axis=2)] = 255
    read = by_name(panel, read_bars(panel, replace(ink, pixels=crop), ink.layers, pixels))
    assert read == {name: pytest.approx(heights, abs=0.3) for name, heights in TRUTH.items()}


def test_grid_lines_as_black_as_the_bars_over_them_are_no_walls() -> None:
    """A copy in black and white: wide bars leave less than a third of a row to its grid line."""
    pixels = np.full((121, 240, 3), 255, np.uint8)
    for number, height in enumerate((60, 45, 80, 50, 70, 52)):
        pixels[119 - height : 120, 40 * number + 2 : 40 * number + 33] = 0
    bars = pixels[:100, :, 0] == 0
    pixels[20:120:25] = 0
    panel, ink, _ = figure(lying=False)
    body = silhouette(replace(panel, legend=Legend()), replace(ink, pixels=pixels, neutral=np.zeros((121, 240), bool)))
    assert (body[:100] == bars).all()
