"""Curves of one colour that no legend tells apart, lines that join markers, colours that are a rim of another."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.tools.test_lines import plot, stroke
from tools.ink import _covered
from tools.kinds import _has_uprights, layer_scores
from tools.like_coloured import entries_for, marker_costs, numbered, sided, swatch_pictures
from tools.line_strokes import is_one_curve, joins_markers
from tools.lines import read_lines
from tools.palette import find_palette
from tools.stems import without_ghosts
from tools.types import Box, Floats, Legend, LegendEntry, Mark, Series

HEIGHT, WIDTH = 160, 320
X = np.arange(10.0, 311.0, 20.0)
WHITE, BLUE = (255, 255, 255), (0, 114, 178)


def curves(*rows: Floats) -> NDArray[np.float32]:
    return np.asarray(np.max([stroke(HEIGHT, WIDTH, X, y) for y in rows], axis=0), dtype=np.float32)


def markers(x: Floats, y: Floats, radius: float = 4.0) -> NDArray[np.float32]:
    fine = np.zeros((HEIGHT * 8, WIDTH * 8), np.uint8)
    for a, b in zip(x, y, strict=True):
        cv2.circle(fine, (round(a * 8 + 3.5), round(b * 8 + 3.5)), round(radius * 8), 255, -1)
    return np.asarray(fine.reshape(HEIGHT, 8, WIDTH, 8).mean(axis=(1, 3)) / 255, dtype=np.float32)


def test_three_curves_of_one_colour_without_a_legend_are_three_series() -> None:
    true = [30 + 10 * np.sin(X / 40), 80 + 0.1 * X, 140 - 12 * np.cos(X / 30)]
    panel, ink = plot(curves(*true))
    found = read_lines(panel, ink, [replace(ink.layers[0], name="")])
    assert [one.name for one in found] == ["", "", ""]
    for one, y in zip(found, true, strict=True):
        at = np.array([mark.x - 100 for mark in one.marks])
        assert float(np.median(np.abs([mark.y - 50 for mark in one.marks] - np.interp(at, X, y)))) < 0.5
        assert one.warnings == ()


def test_two_curves_under_one_name_are_numbered_and_a_crossing_is_said() -> None:
    panel, ink = plot(curves(np.linspace(20, 140, len(X)), np.linspace(130, 30, len(X))))
    found = read_lines(panel, ink, [replace(ink.layers[0], name="95 % CI")])
    assert [one.name for one in found] == ["95 % CI", "95 % CI (2)"]
    assert all("direction alone" in one.warnings[0] for one in found)
    slopes = sorted(float(np.polyfit([m.x for m in one.marks], [m.y for m in one.marks], 1)[0]) for one in found)
    assert slopes == [pytest.approx(-1 / 3, abs=0.02), pytest.approx(0.4, abs=0.02)]


def test_a_curve_with_many_spikes_is_one_series() -> None:
    x = np.arange(10.0, 311.0, 3.0)
    y = 80 + np.random.default_rng(3).normal(0, 25, len(x))
    panel, ink = plot(stroke(HEIGHT, WIDTH, x, np.clip(y, 10, 150)))
    assert len(read_lines(panel, ink, ink.layers)) == 1


def test_a_polyline_with_a_marker_on_each_point_joins_them() -> None:
    y = 80 + 40 * np.sin(X * 1.7)
    panel, ink = plot(np.maximum(stroke(HEIGHT, WIDTH, X, y), markers(X, y)))
    assert joins_markers(ink, ink.layers[0])
    assert layer_scores(panel, ink, ink.layers[0])["line"] > 0.8


def test_points_beside_a_fitted_curve_are_not_joined_by_it() -> None:
    y = 80 + 40 * np.sin(X / 50)
    beside = y + np.where(np.arange(len(X)) % 2, 9.0, -9.0)
    _, ink = plot(np.maximum(stroke(HEIGHT, WIDTH, X, y), markers(X, beside)))
    assert not joins_markers(ink, ink.layers[0])


def test_a_legend_colour_that_is_the_rim_of_another_is_no_ink_of_its_own() -> None:
    pixels = np.full((HEIGHT, WIDTH, 3), 255.0, np.float32)
    cover = curves(np.full(len(X), 40.25), np.full(len(X), 120.0))[..., None]
    pixels += cover * (np.array(BLUE, np.float32) - 255)
    rim = (33, 132, 188)  # 87 % of the blue
    found = find_palette(pixels, np.full_like(pixels, 255.0), cover[..., 0] > 0.05, [BLUE, rim])
    assert np.round(found).tolist() == [list(BLUE)]


def test_a_faint_curve_that_wanders_is_no_rest_of_a_grid() -> None:
    blue = Series("", (0, 0, 255), "line", (Mark("vertex", 1, 1), Mark("vertex", 50, 9)))
    rows = 100 + 60 * np.sin(np.arange(80) / 9)
    grey = Series("", (204, 204, 204), "line", tuple(Mark("vertex", 4 * k, y) for k, y in enumerate(rows.tolist())))
    assert without_ghosts([grey, blue], WHITE) == [grey, blue]


def test_names_at_the_ends_of_curves_cover_nothing_of_the_plot() -> None:
    assert not _covered((100, 200), (50, 50), Legend((), Box(230, 60, 300, 90))).any()
    assert _covered((100, 200), (50, 50), Legend((), Box(180, 60, 240, 90))).sum() > 1000


def test_a_thick_curve_that_fills_its_spikes_is_one_series() -> None:
    x = np.arange(10.0, 311.0, 4.0)
    y = 80 + np.random.default_rng(8).normal(0, 22, len(x))
    panel, ink = plot(stroke(HEIGHT, WIDTH, x, np.clip(y, 10, 150), 3.0))
    assert len(read_lines(panel, ink, [replace(ink.layers[0], name="")])) == 1


def test_curves_of_one_colour_are_named_by_their_markers() -> None:
    fine = np.full((60 * 8, 40 * 8), 0, np.uint8)
    cv2.circle(fine, (20 * 8, 15 * 8), 32, 255, -1)
    cv2.rectangle(fine, (20 * 8 - 28, 45 * 8 - 28), (20 * 8 + 28, 45 * 8 + 28), 255, -1)
    cover = fine.reshape(60, 8, 40, 8).mean(axis=(1, 3)) / 255
    legend = (255 * (1 - cover[..., None]) * np.ones(3)).astype(np.uint8)
    entries = [LegendEntry(name, (0, 0, 0), "line+marker", Box(5, y - 4, 34, y + 3), None)
               for name, y in (("discs", 15), ("squares", 45))]  # fmt: skip
    x = np.arange(20.0, 301.0, 40.0)
    rows = [30 + 0.1 * x, 120 - 0.1 * x]
    squares = np.zeros((HEIGHT, WIDTH), np.float32)
    for a, b in zip(x, rows[0], strict=True):
        squares[round(b) - 4 : round(b) + 4, round(a) - 4 : round(a) + 4] = 1
    ink = np.maximum(squares, markers(x, rows[1]))
    pictures = swatch_pictures(legend, entries)
    costs = marker_costs(ink, [np.stack([x, y], axis=1) for y in rows], pictures)
    assert costs.shape == (2, 2)
    assert entries_for(costs) == [1, 0]
    assert numbered(["a", "", "a", ""]) == ["a", "", "a (2)", ""]


def test_error_bars_are_upright_strokes_and_steep_pieces_of_a_line_are_not() -> None:
    y = 80 + 60 * np.cos(np.pi * np.arange(len(X)))
    line = np.maximum(stroke(HEIGHT, WIDTH, X, y, 3.0), markers(X, y, 5.0))
    flat = np.maximum(stroke(HEIGHT, WIDTH, X, 80 + 0 * X, 3.0), markers(X, 80 + 0 * X, 5.0))
    bars = [stroke(HEIGHT, WIDTH, np.array([a, a]), np.array([55.0, 105.0])) for a in X]
    layers = [plot(one)[1].layers[0] for one in (line, np.max([flat, *bars], axis=0))]
    assert [_has_uprights(layer) for layer in layers] == [False, True]


def test_a_line_whose_legend_shows_its_markers_only_is_a_line() -> None:
    y = 80 + 40 * np.sin(X * 1.7)
    panel, ink = plot(np.maximum(stroke(HEIGHT, WIDTH, X, y), markers(X, y, 3.0)))
    layer = replace(ink.layers[0], entry=LegendEntry("s0", (0, 0, 0), "marker", Box(0, 0, 8, 8)))
    assert is_one_curve(ink, layer)
    assert layer_scores(panel, replace(ink, layers=(layer,)), layer)["points"] < 0.5
    apart, loose = plot(markers(X, y, 3.0))
    layer = replace(loose.layers[0], entry=layer.entry)
    assert layer_scores(apart, replace(loose, layers=(layer,)), layer)["points"] > 0.5


def test_two_curves_of_one_name_with_a_third_between_them_are_its_upper_and_lower_border() -> None:
    def line(name: str, shift: float, last: int = 5) -> Series:
        return Series(name, (0, 0, 0), "line", tuple(Mark("sample", 10.0 * k, 50.0 + shift + k) for k in range(last)))

    borders = [line("limits", -9), line("mean", 0), line("limits (2)", 8)]
    assert [one.name for one in sided(borders)] == ["limits (upper)", "mean", "limits (lower)"]
    crossing = [line("limits", -9), line("mean", -12), line("limits (2)", 8)]
    assert [one.name for one in sided(crossing)] == ["limits", "mean", "limits (2)"]
    short = [line("limits", -9, 2), line("mean", 0), line("limits (2)", 8)]
    assert sided(short) == tuple(short)
