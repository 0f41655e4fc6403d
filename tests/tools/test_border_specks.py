"""The lowest of bars on the border of a plot stay, residues of grid lines on the frame go."""

from __future__ import annotations

import numpy as np
import pytest

from tools.border_specks import without_border_specks
from tools.rules import Rule


@pytest.mark.parametrize("level", [True, False])
def test_bars_of_a_pixel_stay_where_higher_ones_stand_and_no_rule_meets_the_frame(level: bool) -> None:
    plane = np.zeros((1, 40, 80), np.float32)
    for column in (10, 14, 30):
        plane[0, 20:39, column : column + 3] = 1.0
    low, at_rule, beyond = (38, slice(50, 53)), (38, slice(60, 63)), (1, slice(70, 73))
    for row, columns in (low, at_rule, beyond):
        plane[0, row, columns] = 0.6
    rule = Rule(not level, 61, np.zeros((1, 3)))
    turned = plane if level else np.ascontiguousarray(plane.transpose(0, 2, 1)[:, :, ::-1])
    read = without_border_specks(turned, [rule])
    read = read if level else read[:, :, ::-1].transpose(0, 2, 1)
    assert [float(read[0, row, columns].sum()) for row, columns in (low, at_rule, beyond)] == pytest.approx([1.8, 0, 0])


def test_specks_of_an_ink_that_stands_on_no_border_go() -> None:
    plane = np.zeros((1, 40, 80), np.float32)
    plane[0, 10:30, 10:60] = 1.0
    plane[0, 38, 50:53] = 1.0
    read = without_border_specks(plane, [])
    assert read[0, 38].sum() == 0
    assert read[0, 20, 20] == 1
