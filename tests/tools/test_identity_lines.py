"""The line y = x is no data beside what is compared with it."""

from __future__ import annotations

import numpy as np

from tests.tools.shapes import panel_of
from tools.identity_lines import without_identity
from tools.types import Axis, Mark, Series

ACROSS, UP = Axis("bottom", "linear", 1 / 200, -0.1), Axis("left", "linear", -1 / 100, 1.1)  # 0 to 1 from 20 px, 110 px
GREY, BLUE = (128, 128, 128), (0, 0, 200)


def _curve(colour: tuple[int, int, int], y: np.ndarray, part: str = "vertex", name: str = "") -> Series:
    x = np.linspace(0, 1, len(y))
    marks = tuple(Mark(part, float(ACROSS.to_pixel(a)), float(UP.to_pixel(b))) for a, b in zip(x, y, strict=True))
    return Series(name, colour, "line", marks)


def test_the_line_of_equal_values_is_left_out_beside_others() -> None:
    panel = panel_of(100, 200, ACROSS, UP)
    line, data = _curve(GREY, np.linspace(0, 1, 9)), _curve(BLUE, np.linspace(0, 1, 9) ** 2, "marker")
    assert without_identity(panel, [line, data]) == [data]
    assert without_identity(panel, [line]) == [line]
    assert without_identity(panel, [_curve(GREY, np.linspace(0, 1, 9), name="Chance"), data])[0].name == "Chance"
    steep = _curve(GREY, np.linspace(0, 0.9, 9))
    points = _curve(GREY, np.linspace(0, 1, 9), "marker")
    assert without_identity(panel, [steep, points, data]) == [steep, points, data]
