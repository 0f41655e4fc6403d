"""Histograms: low bins at the ends, bins parted by strokes, outlines that hide each other, empty bins."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from tests.tools.shapes import Plane, ink_of, panel_of
from tools.bars import read_bars
from tools.blends import find_blends
from tools.outline_bins import find_outlines
from tools.table import Table
from tools.tabulate import tabulate
from tools.types import Axis, Rgb, Series

BLUE: Rgb = (31, 119, 180)
RED: Rgb = (214, 39, 40)
DOWN = Axis("left", "linear", -1.0, 150.0)  # zero lies on row 140 of the crop
ACROSS = Axis("bottom", "linear", 0.1, -2.05)  # column -0.5 of the crop is 0


def filled(heights: list[float], gap: int = 0) -> Plane:
    """Bars 20 px wide side by side, a gap (px) between them, standing on the lower edge of row 139."""
    plane = np.zeros((150, 260), dtype=np.float32)
    for k, height in enumerate(heights):
        columns = slice(20 + 20 * k, 40 + 20 * k - gap)
        plane[140 - int(height) : 140, columns] = 1.0
        plane[139 - int(height), columns] = height % 1
    return plane


def counts(series: Series) -> list[float]:
    return [150.0 - mark.y for mark in series.marks]


def test_low_bins_at_both_ends_are_read() -> None:
    ink = ink_of([(filled([0.4, 30, 60, 45, 70, 20, 9, 1.4, 0, 0.5]), BLUE, "a")])
    (series,) = read_bars(panel_of(150, 260, DOWN, ACROSS), ink, ink.layers)
    assert series.kind == "histogram"
    assert counts(series) == pytest.approx([0.9, 30.5, 60.5, 45.5, 70.5, 20.5, 9.5, 1.9, 0.0, 1.0], abs=0.15)


def test_a_row_of_ink_up_to_the_edge_is_no_bin() -> None:
    plane = filled([0, 30, 60, 45, 70, 20, 9])
    plane[139] = 0.4
    ink = ink_of([(plane, BLUE, "a")])
    (series,) = read_bars(panel_of(150, 260, DOWN, ACROSS), ink, ink.layers)
    assert len(series.marks) == 6


def test_bins_parted_by_strokes_are_bins_and_bars_parted_by_paper_are_not() -> None:
    plane = filled([20, 30, 60, 45, 70, 30, 16], 5)
    ink = ink_of([(plane, BLUE, "a")])
    (bars,) = read_bars(panel_of(150, 260, DOWN, ACROSS), ink, ink.layers)
    stroked = ink.pixels.copy()
    stroked[filled([20, 30, 60, 45, 70, 30, 16]) > plane] = 0
    ink = ink_of([(plane, BLUE, "a")], stroked)
    (bins,) = read_bars(panel_of(150, 260, DOWN, ACROSS), ink, ink.layers)
    assert (bars.kind, bins.kind) == ("bar", "histogram")
    assert [mark.box.width for mark in bins.marks if mark.box] == pytest.approx([20.0] * 7, abs=0.5)


def staircase(levels: list[int]) -> Plane:
    """The outline of bins 20 px wide, two pixels thick, from the base and back to it."""
    plane = np.zeros((150, 260), dtype=np.float32)
    rows = [140, *(140 - level for level in levels), 140]
    for k, (before, after) in enumerate(pairwise(rows)):
        column = 20 + 20 * k
        plane[min(before, after) : max(before, after) + 2, column : column + 2] = 1.0
        if k < len(levels):
            plane[after : after + 2, column : column + 22] = 1.0
    return plane


def test_outlines_with_low_ends_and_levels_under_each_other() -> None:
    one, other = staircase([20, 50, 90, 60, 60, 30, 20, 4]), staircase([40, 30, 50, 70, 60, 40, 10, 30])
    under = (one > 0) & (other > 0)
    seen = np.where(under, np.float32(0), other)
    nothing = np.zeros_like(one)
    ink = ink_of([(one, BLUE, "a"), (seen, RED, "b")], hidden=[nothing, under.astype(np.float32)])
    panel = panel_of(150, 260, DOWN, ACROSS)
    found = [outline.base - outline.levels for _, outline in find_outlines(panel, ink, ink.layers)]
    assert found[0] == pytest.approx([20, 50, 90, 60, 60, 30, 20, 4], abs=1.0)
    assert found[1] == pytest.approx([40, 30, 50, 70, 60, 40, 10, 30], abs=1.0)


def test_bins_without_ink_of_a_series_are_empty() -> None:
    ink = ink_of([(filled([30, 60, 45, 70, 20, 9]), BLUE, "a"), (filled([0, 0, 0, 0, 0, 0, 30, 50, 40]), RED, "b")])
    panel = panel_of(150, 260, DOWN, ACROSS)
    table = tabulate(panel, read_bars(panel, ink, ink.layers))
    assert isinstance(table, Table)
    assert table.header == ("bin low", "bin high", "a", "b")
    assert [row[0].value for row in table.rows] == pytest.approx(range(2, 20, 2))
    assert [row[3].value for row in table.rows][:6] == [0.0] * 6
    assert [row[2].value for row in table.rows][6:] == [0.0] * 3


def test_translucent_fills_on_both_sides_of_a_thick_outline_overlap() -> None:
    coverage = np.zeros((3, 40, 40), dtype=np.float32)
    coverage[0, 2:12, 4:36] = coverage[1, 18:36, 4:18] = coverage[2, 18:36, 24:36] = 1.0
    palette = np.array([[255.0, 191, 134], [199, 157, 115], [143, 187, 217]])
    assert find_blends(palette, np.array([255.0, 255, 255]), coverage, keep=[0, 2]) == {1: (2, 0)}
