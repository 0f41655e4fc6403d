"""A curve that goes on dashed is cut in two where its dashes begin; lattices of grid lines are no fills."""

from __future__ import annotations

import numpy as np
import pytest

from tools.backgrounds import fills
from tools.continued import with_continuations
from tools.dashes import Alike, curves_of
from tools.patterns import SOLID, Pattern
from tools.types import Floats

DASHED = Pattern(0.7, 7.0, 7.0, 3.0)


def _curves(ink: Floats) -> list[Alike]:
    return curves_of(ink, np.zeros(ink.shape, dtype=bool), 2.0, 1, 10.0)


def _line(dashed_from: int, dashed_to: int) -> Floats:
    """A level stroke of 2 px in columns 10 to 199, with dashes of 7 px and gaps of 3 px between two columns."""
    ink = np.zeros((30, 210))
    ink[14:16, 10:200] = 1.0
    for column in range(dashed_from, dashed_to, 10):
        ink[14:16, column + 7 : column + 10] = 0.0
    return ink


@pytest.mark.parametrize("turned", [False, True])
def test_a_curve_is_cut_where_its_dashes_begin(turned: bool) -> None:
    ink = _line(120, 193)
    found = with_continuations(_curves(ink[:, ::-1] if turned else ink), [[SOLID], [DASHED]])
    assert len(found) == 2
    at = 209 - 120 if turned else 120
    assert found[0].trace.end == pytest.approx(at, abs=3)
    assert found[1].trace.start == pytest.approx(at, abs=3)
    assert (found[0].pattern == SOLID) != turned
    assert (found[1].pattern == SOLID) == turned
    assert np.isnan(found[0].trace.y[at + 8 : 190]).all()


@pytest.mark.parametrize("ends", [(10, 193), (200, 200), (90, 120)])
def test_curves_dashed_all_along_or_never_or_within_stay_whole(ends: tuple[int, int]) -> None:
    assert len(with_continuations(_curves(_line(*ends)), [[SOLID], [DASHED]])) == 1


def test_a_curve_is_cut_only_where_the_legend_misses_one() -> None:
    curves = _curves(_line(120, 193))
    assert len(with_continuations(curves, [[SOLID]])) == 1
    assert len(with_continuations(curves, [[DASHED], [DASHED]])) == 1


@pytest.mark.parametrize("filled", [False, True])
def test_lattices_of_grid_lines_are_no_fills(filled: bool) -> None:
    gray = np.full((200, 300), 240, np.uint8)
    if filled:
        gray[20:181, 30:271] = 203
    gray[20:181:20, 20:281] = 203
    gray[10:191, 30:271:20] = 203
    found = fills(np.repeat(gray[:, :, None], 3, axis=2), gray)
    assert len(found) == int(filled)
