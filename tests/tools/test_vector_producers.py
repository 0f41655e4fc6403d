"""Figures in the structure of one producer or another, each with known data: read exactly, whatever drew them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agent.reading import digitize, digitize_document
from tests.tools import vector_d3, vector_python
from tests.tools.measure_vector import judge
from tests.tools.vector_cases import Case, cases
from tools.load import load
from tools.types import Axis, Box, Drawing, Legend, LegendEntry, Panel, VectorPath, Word
from tools.vector_areas import area_series, find_areas
from tools.vector_d3 import align_d3_axes
from tools.vector_elements import elements_of
from tools.vector_glyphs import all_words, glyphs_of, outlined_words, runs_of
from tools.vector_legend import find_legend
from tools.vector_panels import bare_plots, joined
from tools.vector_sampling import is_thinned
from tools.vector_series import read_vector
from tools.vector_vega import unrounded

BLACK = (0, 0, 0)
CASES = {case.name: case for case in cases()}
PLACE, MOVED = "translate(0,80)", "translate(0,80) translate(-0.5,-0.5)"
BARE = """<svg xmlns="http://www.w3.org/2000/svg" width="400" height="300"><rect width="400" height="300" fill="#fff"/>
{bars}<path d="M40 250V50" stroke="#000"/>{ticks}</svg>"""


def assert_exact(case: Case, path: Path) -> None:
    found = judge(case, path, digitize_document(path))
    assert found.found == found.series == found.named, found
    assert found.exact == 1.0, found
    assert found.median < 0.01, found


def test_d3_draws_its_axes_half_a_unit_aside(tmp_path: Path) -> None:
    vector_d3.draw(tmp_path, [CASES["crossing"]])
    assert_exact(CASES["crossing"], tmp_path / "d3-crossing.svg")


@pytest.mark.parametrize("form", ["svg", "pdf"])
def test_vega_rounds_its_strokes(tmp_path: Path, form: str) -> None:
    pytest.importorskip("vl_convert")
    vector_python.vega(tmp_path, [CASES["signs"]])
    assert_exact(CASES["signs"], tmp_path / f"vega-signs.{form}")


def test_outlined_text_of_matplotlib(tmp_path: Path) -> None:
    vector_python.matplotlib(tmp_path, [CASES["daily"]])
    path = tmp_path / "matplotlib-daily.svg"
    assert load(path).text == ()
    words = {word.text: word.angle for word in outlined_words(load(path))}
    assert words["2021-01-15"] == pytest.approx(30, abs=4)
    assert words["value"] == 90
    assert words["0"] == 0  # a lone digit, known from the other labels
    assert_exact(CASES["daily"], path)


def test_bars_without_a_frame(tmp_path: Path) -> None:
    heights = np.array([50.0, 120, 80, 190, 30])
    rects = [f'<rect x="{60 + 60 * k}" y="{250 - h:g}" width="50" height="{h:g}" fill="#777" stroke="#000"/>'
             f'<text x="{85 + 60 * k}" y="275" text-anchor="middle" font-size="12">{"ABCDE"[k]}x</text>'
             for k, h in enumerate(heights)]  # fmt: skip
    ticks = [f'<path d="M40 {250 - v * 40}H34" stroke="#000"/><text x="30" y="{254 - v * 40}" text-anchor="end" '
             f'font-size="12">{v * 20}</text>' for v in range(6)]  # fmt: skip
    path = tmp_path / "bare.svg"
    path.write_text(BARE.format(bars="".join(rects), ticks="".join(ticks)), encoding="utf-8")
    (table,) = digitize(path).tables
    assert [row[0].text for row in table.rows] == ["Ax", "Bx", "Cx", "Dx", "Ex"]
    assert [row[1].value for row in table.rows] == pytest.approx((heights / 2).tolist(), abs=0.02)


def test_bars_need_an_axis_with_ticks_beside_them() -> None:
    def box(x0: float, y0: float, x1: float, y1: float) -> VectorPath:
        corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], dtype=np.float64)
        return VectorPath(corners, closed=True, fill=(90, 90, 90))

    def line(x0: float, y0: float, x1: float, y1: float) -> VectorPath:
        return VectorPath(np.array([(x0, y0), (x1, y1)], dtype=np.float64), stroke=BLACK, width=1.0)

    bars = [box(100 + 50 * k, 300 - 40 * k - 20, 130 + 50 * k, 300) for k in range(4)]
    axis = [line(80, 300, 80, 100), *(line(70, y, 80, y) for y in (300, 200, 100))]
    (plot,) = bare_plots(Drawing((*bars, *axis)))
    assert plot == Box(80, 100, 289, 300)
    turned = [VectorPath(p.points[:, ::-1], p.closed, fill=p.fill, stroke=p.stroke, width=p.width)
              for p in (*bars, *axis)]  # fmt: skip
    assert bare_plots(Drawing(tuple(turned))) == [Box(100, 80, 300, 289)]
    assert bare_plots(Drawing(tuple(bars))) == []
    legend = [box(300, 50 + 20 * k, 310, 60 + 20 * k) for k in range(4)]  # swatches: one length
    assert bare_plots(Drawing((*legend, *axis))) == []


def test_glyphs_make_labels_along_any_line() -> None:
    def glyph(x: float, y: float, order: int) -> VectorPath:
        ring = np.array([(0, 0), (6, -1), (8, 4), (6, 10), (1, 9), (-1, 5)], dtype=np.float64)
        return VectorPath(ring + np.array([x, y]), closed=True, curved=True, fill=BLACK, order=order)

    level = [glyph(100 + 10 * k, 50, k) for k in range(3)]
    away = [glyph(200 + 10 * k, 50, 3 + k) for k in range(2)]
    up = [glyph(20, 200 - 11 * k, 5 + k) for k in range(4)]
    slanted = [glyph(300 + 8 * k, 200 - 8 * k, 9 + k) for k in range(6)]
    below = [glyph(500, 100, 15), glyph(500, 118, 16)]  # two names of a legend
    runs = runs_of(glyphs_of(Drawing((*level, *away, *up, *slanted, *below))))
    assert [(len(run.glyphs), round(run.angle)) for run in runs] == [(3, 0), (2, 0), (4, 90), (6, 45), (1, 0), (1, 0)]


def test_words_by_the_best_evidence(tmp_path: Path) -> None:
    vector_python.matplotlib(tmp_path, [CASES["crossing"], CASES["signs"]])  # text as outlines, text as text
    assert all(word.source == "ocr" for word in all_words(load(tmp_path / "matplotlib-crossing.svg")))
    assert all(word.source == "vector" for word in all_words(load(tmp_path / "matplotlib-signs.svg")))


def test_strokes_at_whole_units_find_their_places() -> None:
    exact = [0.0, 37.143, 74.286, 111.429]
    assert unrounded([0, 37, 74, 111], [3 + e for e in exact]) == pytest.approx(exact)
    assert unrounded([0, 37, 74, 111], [0, 30, 74, 111]) == []
    tilted = [5 * 0.7071 + e for e in exact]
    assert unrounded([0, 37, 74, 111], tilted, 0.7071) == pytest.approx(exact)


@pytest.mark.parametrize(
    ("path", "place"),
    [("M0.5,6V0.5H90.5V6", MOVED), ("M0.5,0.5H90.5", MOVED), ("M0,6V0H90V6", PLACE), ("nothing", PLACE)],
)  # fmt: skip
def test_axes_of_d3_are_moved_only_where_they_were_shifted(path: str, place: str) -> None:
    from lxml import etree

    svg = (f'<svg xmlns="http://www.w3.org/2000/svg"><g transform="translate(0,80)"><path class="domain" d="{path}"/>'
           '<g class="tick" transform="translate(0.5,0)"/></g></svg>')  # fmt: skip
    root = etree.fromstring(svg.encode())
    align_d3_axes(root)
    assert root[0].get("transform") == place


def test_thinned_curves_are_told_from_their_own_points() -> None:
    x = np.linspace(0, 400, 400)
    curve = np.column_stack([x, 100 + 60 * np.sin(x / 60)])
    bend = np.abs(np.sin(x / 60))
    kept = curve[np.flatnonzero(np.diff(np.floor(np.cumsum(0.03 + 0.3 * bend)), prepend=-1) > 0)]
    assert 40 < len(kept) < 200
    assert is_thinned(kept)
    assert not is_thinned(curve)
    months = np.cumsum(np.tile([31.0, 28, 31, 30, 31, 30], 10))
    assert not is_thinned(np.column_stack([months, np.sin(months / 200)]))


def test_areas_that_stand_on_a_line_of_two_points() -> None:
    """plotly closes an area through the two ends of its base line: between these, the base stays level."""
    axes = (Axis("bottom", "linear", 0.01, -1.0), Axis("left", "linear", -0.01, 3.5))
    panel = Panel(Box(50, 20, 550, 380), Box(100, 50, 500, 350), axes=axes)
    ring = np.array([(500.0, 350), (100, 350), (100, 200), (200, 120), (300, 260), (400, 90), (500, 160)])
    path = VectorPath(ring, closed=True, fill=(0, 0, 255), alpha=0.5)
    (one,) = area_series(panel, find_areas(elements_of(Drawing((path,)), panel), [], panel))
    assert [mark.y for mark in one.marks] == [200, 120, 260, 90, 160]
    assert {mark.box.y1 for mark in one.marks if mark.box} == {350.0}


def test_a_legend_shows_the_full_paint_of_a_see_through_mark() -> None:
    axes = (Axis("bottom", "linear", 0.01, -1.0), Axis("left", "linear", -0.01, 3.5))
    legend = Legend((LegendEntry("deep", (0, 63, 92)), LegendEntry("warm", (255, 166, 0))))
    panel = Panel(Box(50, 20, 550, 380), Box(100, 50, 500, 350), axes=axes, legend=legend)
    bars = []
    for k in range(5):
        for n, colour in enumerate(((0, 63, 92), (255, 166, 0))):
            x, top = 120.0 + 70 * k + 25 * n, 100.0 + 30 * k + 10 * n
            corners = np.array([(x, top), (x + 20, top), (x + 20, 350), (x, 350)])
            bars.append(VectorPath(corners, closed=True, fill=colour, alpha=0.5, order=len(bars)))
    assert sorted(one.name for one in read_vector(panel, Drawing(tuple(bars)))) == ["deep", "warm"]


def test_letters_drawn_as_outlines_are_no_legend_samples() -> None:
    def letter(x: float, y: float, order: int) -> VectorPath:
        corners = np.array([(x, y), (x + 6, y + 1), (x + 7, y + 9), (x, y + 10)], dtype=np.float64)
        return VectorPath(corners, closed=True, fill=BLACK, order=order)

    words = [Word("mW", Box(20, 100 + 40 * k, 40, 112 + 40 * k)) for k in range(2)]
    words += [Word(str(800 + k), Box(48, 100 + 40 * k, 70, 112 + 40 * k)) for k in range(2)]
    letters = [letter(22 + 9 * n, 101 + 40 * k, 2 * k + n) for k in range(2) for n in range(2)]
    assert find_legend(Drawing(tuple(letters)), words) is None


def test_pieces_that_grid_lines_run_through_are_one_plot() -> None:
    def line(x: float, low: float, high: float) -> VectorPath:
        return VectorPath(np.array([[x, low], [x, high]]), stroke=(200, 200, 200), width=1.0)

    pieces = [Panel(Box(0, y, 320, y + 60), Box(20, y, 300, y + 60)) for y in (10, 90, 170)]
    through = Drawing(tuple(line(x, 10, 230) for x in (20.0, 100.0, 200.0, 300.0)), ())
    (whole,) = joined(through, pieces)
    assert whole.plot == Box(20, 10, 300, 230)
    own = Drawing(tuple(line(x, y, y + 60) for x in (20.0, 100.0, 200.0, 300.0) for y in (10, 90, 170)), ())
    assert joined(own, pieces) == tuple(pieces)


def test_entries_of_one_look_are_told() -> None:
    panel, drawing = _bars_with_twins()
    found = {one.name: one.warnings for one in read_vector(panel, drawing)}
    assert found["a"] == ()
    assert "'b' and 'c' look the same" in found["b"][0]


def _bars_with_twins() -> tuple[Panel, Drawing]:
    """Three bars in two colours; the legend's second and third entry have the same one."""

    def box(x0: float, y0: float, x1: float, y1: float, colour: tuple[int, int, int]) -> VectorPath:
        corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], dtype=np.float64)
        return VectorPath(corners, closed=True, fill=colour)

    red, green = (200, 30, 30), (30, 160, 60)
    bars = [box(40 + 60 * k, 200 - 30 * (k + 1), 70 + 60 * k, 200, c) for k, c in enumerate((red, green, green))]
    swatches = [box(320, 20 + 20 * k, 340, 30 + 20 * k, c) for k, c in enumerate((red, green, green))]
    entries = tuple(
        LegendEntry(name, c, "patch", Box(320, 20 + 20 * k, 340, 30 + 20 * k))
        for k, (name, c) in enumerate(zip("abc", (red, green, green), strict=True))
    )
    axis = Axis("left", "linear", -0.1, 20.0)
    legend = Legend(entries, Box(315, 15, 380, 80))
    panel = Panel(Box(0, 0, 400, 240), Box(20, 10, 300, 200), axes=(axis,), legend=legend)
    return panel, Drawing((*bars, *swatches), ())
