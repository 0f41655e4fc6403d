"""The drawer: the same figure every time, tables that the bench reads, truth that lies on the ink."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evaluation.draw import BENCH_KINDS, CHART_TYPES, DEGRADATIONS, draw, main, write_set
from evaluation.draw_charts import plan_figure
from evaluation.draw_check import ink_errors, same_twice
from evaluation.draw_ticks import Heading, date_axis, log_axis, number_texts
from evaluation.tables import panel_table, read_sheet
from evaluation.truth import load_samples


@pytest.mark.parametrize(("kind", "engine"), [("bar_stacked", "matplotlib"), ("bar_error", "vega"), ("box", None)])
def test_a_sample_is_the_same_whatever_else_is_drawn(kind: str, engine: str | None) -> None:
    first, same = same_twice(3, 5, kind, engine)
    assert same
    assert draw(3, 6, kind=kind, engine=engine).tables != first.tables
    again = draw(3, 5, kind=kind, engine=engine)
    assert np.array_equal(first.pixels, again.pixels)
    assert first.tables != draw(4, 5, kind=kind, engine=engine).tables


def test_both_engines_draw_the_same_data() -> None:
    one, other = (draw(1, 4, kind="line_markers", engine=engine) for engine in ("matplotlib", "vega"))
    assert one.tables == other.tables
    assert one.pixels.shape != other.pixels.shape or not np.array_equal(one.pixels, other.pixels)


@pytest.mark.parametrize("engine", ["matplotlib", "vega"])
@pytest.mark.parametrize(
    ("kind", "what", "at_least"),
    [
        ("line_plain", "line", 10), ("bar_plain", "bar end", 2), ("area_stacked", "area border", 5),
        ("scatter_groups", "marker", 10), ("box_plain", "box", 4), ("epicurve_bars", "bar end", 10),
    ],
)  # fmt: skip
def test_truth_lies_on_the_ink(engine: str, kind: str, what: str, at_least: int) -> None:
    errors: dict[str, list[float]] = {}
    for sample in (4, 5):
        style = plan_figure(9, sample, kind)[1].style
        for name, found in ink_errors(draw(9, sample, kind=kind, engine=engine), style).items():
            errors.setdefault(name, []).extend(found)
    assert len(errors[what]) >= at_least
    assert {name: max(map(abs, found)) for name, found in errors.items() if max(map(abs, found)) > 0.501} == {}


@pytest.mark.parametrize("how", DEGRADATIONS)
def test_degraded_figures_keep_their_points_on_the_ink(how: str) -> None:
    clean = draw(7, 1, kind="scatter_groups", engine="matplotlib")
    worn = draw(7, 1, kind="scatter_groups", engine="matplotlib", degrade=how)
    assert worn.degraded == how
    assert worn.tables == clean.tables
    dark = 255 - worn.pixels.astype(float).mean(axis=2)
    paper = float(np.median(dark))
    for one in worn.panels[0].series:
        columns, rows = one.points.round().astype(int).T
        seen = np.stack([dark[rows + dy, columns + dx] for dy in (-1, 0, 1) for dx in (-1, 0, 1)]).max(axis=0)
        assert (seen > paper + 15).mean() > 0.97
    if how == "low":
        assert worn.pixels.shape[1] == 300
        axis, sharp = worn.panels[0].axes[0], clean.panels[0].axes[0]
        assert axis.to_pixel(np.array([sharp.low]))[0] < sharp.to_pixel(np.array([sharp.low]))[0]
    if how == "turned":
        matrix = np.array(worn.turned_by)
        points = clean.panels[0].series[0].points
        assert np.allclose(points @ matrix[:, :2].T + matrix[:, 2], worn.panels[0].series[0].points)


@pytest.mark.parametrize("form", ["svg", "pdf"])
@pytest.mark.parametrize("engine", ["matplotlib", "vega"])
def test_a_figure_comes_as_a_vector_file_too(form: str, engine: str) -> None:
    vector = draw(2, 0, kind="bar_plain", engine=engine, form=form).vector
    assert vector[:5] in (b"%PDF-", b"<?xml", b"<svg ")
    assert vector == draw(2, 0, kind="bar_plain", engine=engine, form=form).vector


def test_unknown_names_are_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="no kind 'pie': choose one of line"):
        draw(0, 0, kind="pie")
    with pytest.raises(ValueError, match="no engine 'gnuplot'"):
        draw(0, 0, engine="gnuplot")


def test_a_written_set_is_what_the_bench_reads(tmp_path: Path) -> None:
    write_set(tmp_path, 2, 3, kinds=["histogram_plain", "box_plain", "survival"])
    samples = load_samples(tmp_path / "images", tmp_path / "truth")
    assert [one.kind for one in samples] == ["histogram", "box", "survival"]
    for one, index in zip(samples, range(3), strict=True):
        drawn = draw(2, index, kind=one.id.rpartition("-")[0])
        assert one.tables[0].read_text("utf-8") == drawn.tables[0]
        assert one.facts[0].box == pytest.approx(drawn.panels[0].plot, abs=0.001)
        assert not panel_table(read_sheet(drawn.tables[0])).empty


def test_the_command_line_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "set"), "--count", "1", "--kinds", "pie"]) == 2
    assert "no kind 'pie'" in capsys.readouterr().err


def test_every_chart_type_belongs_to_a_kind_of_the_bench() -> None:
    assert set(CHART_TYPES.values()) == set(BENCH_KINDS)
    assert "compound" in BENCH_KINDS


def test_ticks_are_written_as_plotting_libraries_do() -> None:
    assert number_texts((0, 2500, 5000), 2500, "comma") == (("0", "2,500", "5,000"), "")
    assert number_texts((0, 2500, 5000), 2500, "decimal comma") == (("0", "2.500", "5.000"), "")
    assert number_texts((-0.5, 0, 0.5), 0.5, "decimal comma") == (("\u22120,5", "0,0", "0,5"), "")
    assert number_texts((0, 5e5, 1e6), 5e5, "corner") == (("0.0", "0.5", "1.0"), "1e6")
    assert number_texts((0, 2000, 4000), 2000, "k") == (("0", "2k", "4k"), "")
    assert number_texts((120000, 125000), 5000, "power") == (("1.20e+5", "1.25e+5"), "")
    assert log_axis(0.01, 1000, "", Heading()).texts == ("10⁻²", "10⁻¹", "10⁰", "10¹", "10²", "10³")
    assert log_axis(0.3, 2.5, "plain", Heading()).texts == ("0.5", "1", "2")
    march = date_axis(18322, 18352, 5, "words", "de")  # 1 to 31 March 2020, ticks on Mondays
    assert march.texts == ("2 Mär", "9 Mär", "16 Mär", "23 Mär", "30 Mär")
    assert march.ticks[0] == 18323


def test_every_axis_can_be_calibrated() -> None:
    for sample, kind in enumerate(CHART_TYPES):
        for plan in plan_figure(6, sample, kind)[1].panels:
            for axis in (plan.x, plan.y, *([plan.y2] if plan.y2 else [])):
                assert len(axis.texts) == len(axis.ticks) >= 2
