"""Cases drawn as squares on each other are read as bars; other squares stay as they are."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tools.shapes import ink_of
from tools.case_cells import with_cells_joined

HEIGHTS = (1, 3, 5, 4, 2, 1)


def _squares(lift: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Squares of 18 px every 20 px up from row 119, the lowest of columns 1 and 2 in a layer of its own."""
    survived, died = np.zeros((120, 160), np.float32), np.zeros((120, 160), np.float32)
    for k, height in enumerate(HEIGHTS):
        for level in range(height):
            plane = died if level == 0 and k in (1, 2) else survived
            top = 120 - 20 * (level + 1) + 1 - (lift if k % 2 else 0) * level
            plane[top : top + 18, 10 + 20 * k : 28 + 20 * k] = 1
    return survived, died


def test_squares_on_each_other_become_columns() -> None:
    survived, died = (one.coverage for one in with_cells_joined(
        ink_of([(plane, colour, "") for plane, colour in zip(_squares(), ((0, 0, 200), (200, 0, 0)), strict=True)])
    ).layers)  # fmt: skip
    for k, height in enumerate(HEIGHTS):
        column = 18 + 20 * k
        whole = survived[:, column] + died[:, column]
        assert whole.sum() == pytest.approx(20 * height - 2, abs=0.1)  # the edges at both ends stay
        if k in (1, 2):
            assert died[:, column].sum() == pytest.approx(19, abs=0.1)  # to the middle of the seam
    assert survived[:, 29].sum() == 0


def test_squares_off_one_lattice_are_left_alone() -> None:
    ink = ink_of([(plane, colour, "") for plane, colour in zip(_squares(5), ((0, 0, 200), (200, 0, 0)), strict=True)])
    assert with_cells_joined(ink) is ink
