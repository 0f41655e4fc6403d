"""Points of a colour scale are one series; those of a palette stay a series each."""

from __future__ import annotations

import pytest

from tools.mapped_points import one_scale
from tools.types import Mark, Rgb, Series

_PLASMA: list[Rgb] = [(27, 6, 141), (91, 1, 165), (126, 3, 168), (152, 20, 160), (192, 58, 131), (218, 90, 106),
                      (233, 113, 88), (252, 165, 55)]  # fmt: skip
_TAB10: list[Rgb] = [(31, 119, 180), (255, 127, 14), (44, 160, 44), (214, 39, 40), (148, 103, 189), (140, 86, 75)]


def _series(colours: list[Rgb], name: str = "", kind: str = "points") -> list[Series]:
    return [
        Series(name, colour, kind, tuple(Mark("marker", 50.0 - k + 10 * n, 5.0) for n in range(k + 1)))  # type: ignore[arg-type]
        for k, colour in enumerate(colours)
    ]


def test_scale_is_one_series_left_to_right() -> None:
    found = one_scale(_series(_PLASMA[::-1]))
    assert len(found) == 1
    assert found[0].colour == _PLASMA[0]  # the ink of most points
    across = [mark.x for mark in found[0].marks]
    assert len(across) == sum(range(1, 9))
    assert across == sorted(across)


@pytest.mark.parametrize(
    "series",
    [
        _series(_TAB10),  # a palette: far apart
        _series(_PLASMA[:4]),  # too few to tell
        _series(_PLASMA, name="a"),  # the legend names them
        _series(_PLASMA, kind="bar"),
        [*_series(_PLASMA), *_series([(0, 255, 0)])],  # one colour off the scale
    ],
)
def test_others_stay_apart(series: list[Series]) -> None:
    assert one_scale(series) == tuple(series)
