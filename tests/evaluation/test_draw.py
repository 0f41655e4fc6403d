"""The drawer: the same figure every time, tables that the bench reads, truth that lies on the ink."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from evaluation.draw import BENCH_KINDS, CHART_TYPES, draw, main, write_set
from evaluation.draw_truth import record
from evaluation.tables import panel_table, read_sheet
from evaluation.truth import load_samples


@pytest.mark.parametrize("kind", ["bar_stacked", "line_twin", "scatter_groups"])
def test_a_sample_is_the_same_whatever_else_is_drawn(kind: str) -> None:
    first = draw(3, 5, kind=kind)
    draw(3, 6, kind="box")
    again = draw(3, 5, kind=kind)
    assert np.array_equal(first.pixels, again.pixels)
    assert first.tables == again.tables
    assert json.dumps(record(first)) == json.dumps(record(again))
    assert first.tables != draw(4, 5, kind=kind).tables


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
