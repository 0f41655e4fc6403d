"""Stated intervals against errors, on cells made by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaluation.calibration import Judged, classes, judged_cells, rank_correlation


def cell(value: float, half: float, spread: float | None = None) -> dict[str, object]:
    found: dict[str, object] = {"value": value, "text": str(value), "low": value - half, "high": value + half}
    return found if spread is None else found | {"spread": spread}


def test_cells_are_judged_where_name_and_label_agree(tmp_path: Path) -> None:
    rows = [[{"value": 1, "text": "1"}, cell(11.0, 2.0, 0.5), cell(5.0, 1.0)],
            [{"value": 2, "text": "2"}, cell(20.0, 0.5), cell(6.0, 1.0)],
            [{"value": 9, "text": "9"}, cell(30.0, 0.5), cell(6.0, 1.0)]]  # fmt: skip
    reading = {"panels": [{"table": {"form": "wide", "header": ["x", "a", "other"], "rows": rows}}]}
    (tmp_path / "reading.json").write_text(json.dumps(reading), encoding="utf-8")
    (tmp_path / "truth.tsv").write_text("x\ta\tb\n1\t10\t5\n2\t20\t6\n3\t30\t7\n", encoding="utf-8")
    first, second = judged_cells(tmp_path, [tmp_path / "truth.tsv"])
    assert (first.error, first.half, first.spread) == pytest.approx((0.05, 0.1, 0.025))
    assert (first.inside, second.error, second.spread) == (True, 0.0, None)
    assert judged_cells(tmp_path / "nowhere", []) == []


def test_classes_by_width_and_the_share_inside() -> None:
    cells = [Judged(0.001 * k, 0.0015 * k if k % 2 else 0.0005 * k, 0.001 * k) for k in range(1, 21)]
    found = classes(cells)
    assert [one.n for one in found] == [4, 4, 4, 4, 4, 20]
    assert found[-1].inside == 0.5
    assert found[0].half < found[4].half
    assert rank_correlation(cells) == pytest.approx(1.0)
    assert rank_correlation(cells[:5]) is None
    assert classes([]) == []


def test_classes_by_the_spread_leave_out_cells_without_one() -> None:
    cells = [Judged(0.01 * k, 0.5, 0.001 * (11 - k)) for k in range(1, 11)] + [Judged(0.9, 0.1, None)]
    found = classes(cells, "spread")
    assert [one.n for one in found] == [2, 2, 2, 2, 2, 10]
    assert [one.spread for one in found[:2]] == pytest.approx([0.15, 0.35])
    assert found[0].error > found[4].error
    assert rank_correlation(cells) == pytest.approx(-1.0)
    assert classes(cells[-1:], "spread") == []
    assert classes(cells[-1:])[0].spread is None
