"""Tails of curves of one colour go with the heads whose dashes they share; short samples in a legend stay lines."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.tools.test_dashes import HEIGHT, WIDTH, dashed
from tools.dash_swaps import untangled
from tools.dashes import find_walks
from tools.patterns import rival_patterns
from tools.swatch_kinds import among_lines
from tools.types import Box, Floats, LegendEntry
from tools.walks import across, meetings, places

COLUMNS = np.arange(10, 311)
FALLING, RISING = 40 + 0.25 * COLUMNS, 120 - 0.25 * COLUMNS  # they cross at column 160


def walk(y: Floats) -> NDArray[np.int64]:
    rows = np.rint(y).astype(np.int64)
    return np.stack([rows, rows, COLUMNS], axis=1)


def drawn(falling: tuple[float, float], rising: tuple[float, float]) -> NDArray[np.float64]:
    x = COLUMNS.astype(np.float64)
    return np.maximum(dashed(x, FALLING, *falling), dashed(x, RISING, *rising)).astype(np.float64)


@pytest.mark.parametrize("pair", [((9.0, 4.0), (2.0, 3.0)), ((2.0, 3.0), (9.0, 4.0)), ((16.0, 5.0), (6.0, 4.0))])
def test_tails_are_exchanged_where_the_dashes_change_from_one_curve_to_the_other(
    pair: tuple[tuple[float, float], tuple[float, float]],
) -> None:
    bounced = [walk(np.minimum(FALLING, RISING) - 2), walk(np.maximum(FALLING, RISING) + 2)]  # 4 px apart at the tips
    found = untangled(bounced, drawn(*pair), 2.0)
    left, right = {int(one[5, 0]) for one in found}, [(one[5, 0] < 80, one[-5, 0] < 80) for one in found]
    assert len(left) == 2
    assert right == [(True, False), (False, True)], "each runs on across the other"


def test_tails_of_curves_that_cross_with_their_own_dashes_stay() -> None:
    crossed = [walk(FALLING), walk(RISING)]
    for pair in (((9.0, 4.0), (2.0, 3.0)), ((9.0, 4.0), (9.0, 4.0))):
        found = untangled(crossed, drawn(*pair), 2.0)
        assert all(np.array_equal(one, other) for one, other in zip(found, crossed, strict=True))


def test_a_dotted_curve_is_followed_where_it_runs_just_above_a_dashed_one() -> None:
    x = COLUMNS.astype(np.float64)
    low = 90 + 0 * x
    dots = np.interp(x, [10, 100, 110, 190, 200, 310], [20, 85, 86, 86, 85, 20])
    ink = np.maximum(dashed(x, low, 9, 4), dashed(x, dots, 1.2, 2.4, 1.6)).astype(np.float64)
    walks = find_walks(ink, np.zeros((HEIGHT, WIDTH), dtype=bool), 2.0, 2, 11.0)
    spans = sorted((int(one[0, 2]), int(one[-1, 2])) for one in walks)
    assert len(spans) == 2
    assert all(first < 16 and last > 303 for first, last in spans)
    assert sorted(round(float(one[-6, 0]), -1) for one in walks) == [20, 90]


def test_the_places_of_a_walk_are_measured_along_it() -> None:
    climbing = np.array([[5, 5, 0], [1, 4, 1], [0, 0, 2]], dtype=np.int64)
    at, length = places(climbing)
    assert at.tolist() == [[5, 0], [4, 1], [3, 1], [2, 1], [1, 1], [0, 2]]
    assert length[1:5].sum() == pytest.approx(np.hypot(1, 3))
    ink = np.zeros((6, 3))
    ink[3, 2] = 1.0
    assert across(ink, at, np.array([False, True, True, True, True, False])).tolist() == [0, 0, 1, 0, 0, 0]
    assert meetings(climbing, climbing, 1.0) == [(0, 2)]


def test_a_stub_as_flat_as_the_lines_beside_it_is_a_line_that_may_be_dashed() -> None:
    def entry(name: str, kind: str, y: float, width: float, height: float) -> LegendEntry:
        swatch = Box(10, y, 9 + width, y + height - 1)
        return LegendEntry(name, (0, 0, 0), kind, swatch, Box(40, y - 6, 90, y + 6))  # type: ignore[arg-type]

    entries = [entry("solid", "line", 20, 15, 2), entry("cut", "patch", 40, 12, 3), entry("area", "patch", 60, 15, 9)]
    found = among_lines(entries)
    assert [one.kind for one in found] == ["line", "line", "patch"]
    assert [one.kind for one in among_lines(entries[1:])] == ["patch", "patch"]
    pixels = np.full((80, 100, 3), 255, dtype=np.uint8)
    pixels[20:22, 10:25] = pixels[40:43, 10:22] = 0
    solid, cut = rival_patterns(pixels, found[:2])
    assert [one.duty for one in solid] == [1.0]
    assert [round(one.duty, 1) for one in cut] == [1.0, 0.7]
