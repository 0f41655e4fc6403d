"""Strokes along the tops of areas: known from lines inside of bands, and their middles are the borders."""

from __future__ import annotations

import numpy as np

from tests.tools.shapes import Plane, cover, ink_of, panel_of, polygon, stroke
from tools.area_rims import is_rim
from tools.areas import read_areas
from tools.ink import PlotInk
from tools.kinds import edges_of, filling_up
from tools.types import Axis, Rgb

HEIGHT, WIDTH, BASE = 160, 260, 150.0
DARK: Rgb = (68, 114, 196)
PALE: Rgb = (161, 184, 225)
X = 30 + 20.0 * np.arange(11)
TOP = np.array([90.0, 60, 75, 40, 55, 30, 80, 65, 100, 70, 85])


def drawn(down: float | None = None) -> PlotInk:
    """An area (or, `down` px on either side, a band) with a stroke of 4 px along its top (through its middle)."""
    line: Plane = cover(HEIGHT, WIDTH, lambda canvas: stroke(canvas, list(zip(X, TOP, strict=True)), 4))
    upper = TOP if down is None else TOP - down
    lower = np.full(len(X), BASE) if down is None else TOP + down
    outline = [*zip(X, upper, strict=True), *zip(X[::-1], lower[::-1], strict=True)]
    fill: Plane = cover(HEIGHT, WIDTH, lambda canvas: polygon(canvas, outline))
    fill = np.where(line > 0.2, 0.0, fill).astype(np.float32)
    return ink_of([(fill, PALE, "lake"), (line, DARK, "")], hidden=[line, np.zeros_like(line)])


def test_the_stroke_along_the_top_is_no_series_of_its_own() -> None:
    area, line = drawn().layers
    assert is_rim(drawn(), line, area)
    assert not is_rim(drawn(), area, line)
    assert edges_of(drawn(), {0: {"area": 0.5}, 1: {"area": 0.1}}) == {1}


def test_an_area_is_no_rim_of_itself() -> None:
    outline = [*zip(X, TOP, strict=True), (X[-1], 160.0), (X[0], 160.0)]
    fill: Plane = cover(HEIGHT, WIDTH, lambda canvas: polygon(canvas, outline))
    ink = ink_of([(fill, DARK, "lake"), (fill.copy(), DARK, "")])
    assert not is_rim(ink, ink.layers[1], ink.layers[0])


def test_a_line_through_a_band_is_no_rim() -> None:
    ink = drawn(down=15.0)
    assert not is_rim(ink, ink.layers[1], ink.layers[0])


def test_the_middle_of_the_stroke_is_the_border() -> None:
    ink = drawn()
    panel = panel_of(
        HEIGHT, WIDTH, Axis("bottom", "linear", 0.05, -2.5), Axis("left", "linear", -0.5, 0.5 * (BASE + 10))
    )
    (one,) = read_areas(panel, ink, ink.layers)
    assert (one.kind, one.name, len(one.marks)) == ("area", "lake", 11)
    assert np.abs(np.array([mark.x for mark in one.marks]) - 20 - X).max() < 0.5
    assert np.abs(np.array([mark.y for mark in one.marks]) - 10 - TOP).max() < 1.0


def test_what_looks_half_like_bars_beside_a_sure_area_is_an_area_too() -> None:
    area, half, bars = {"area": 0.85, "bar": 0.0}, {"area": 0.55, "bar": 0.6}, {"area": 0.55, "bar": 0.9}
    assert filling_up({0: area, 1: half, 2: bars}, [0, 1, 2]) == {0: area, 1: half | {"bar": 0.0}}
    assert filling_up({1: half, 2: bars}, [1, 2]) == {}
