"""One figure as PDF, as SVG and as a picture at 200 dpi: the same tables, within the stated intervals."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools import vector_python
from tests.tools.vector_cases import cases
from tests.tools.vector_same import compared, forms_of
from tools.table import Cell, Table

CASES = {case.name: case for case in cases()}


def _table(values: list[float], half: float, name: str = "a", x0: float = 0.0) -> Table:
    rows = tuple((Cell(x0 + k, str(k)), Cell(v, str(v), low=v - half, high=v + half)) for k, v in enumerate(values))
    return Table(("x", name), rows)


def test_values_agree_within_both_intervals() -> None:
    one = _table([1.0, 2.0, 3.0], 0.01)
    same = compared("f", "pdf-png", [one], [_table([1.1, 2.0, 3.2], 0.1, x0=0.2)])
    assert (same.agree, same.paired, same.every, same.other) == (2, 3, 3, 3)
    assert same.largest == pytest.approx(10.0)  # 0.2 of a range of 2
    assert same.share == pytest.approx(2 / 3)
    away = compared("f", "pdf-png", [one], [_table([1.0, 2.0, 3.0], 0.1, x0=7.0)])
    assert (away.agree, away.paired) == (0, 0)  # other rows


@pytest.mark.parametrize("name", ["signs", "crossing"])
def test_three_forms_of_a_figure(tmp_path: Path, name: str) -> None:
    vector_python.matplotlib(tmp_path, [CASES[name]])
    svg, png = forms_of(tmp_path / f"matplotlib-{name}.pdf")
    assert (svg.forms, png.forms) == ("pdf-svg", "pdf-png")
    assert svg.share == 1.0
    assert svg.largest < 0.01
    assert png.share > 0.95
