"""Colourless samples of a line legend that differ by their dashes get one tone; true greys and colours keep theirs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.tools.shapes import panel_of
from tools.key_tones import in_one_tone
from tools.types import Axis, Box, Legend, LegendEntry, Panel, Rgb

X, Y = Axis("bottom", "linear", 0.1, 0.0), Axis("left", "linear", -0.1, 10.0)


def panel(*looks: tuple[Rgb, str, str], y: Axis = Y) -> Panel:
    entries = tuple(
        LegendEntry(f"{k}", colour, kind, Box(0, 20 * k, 30, 20 * k + 1), dash=dash)  # type: ignore[arg-type]
        for k, (colour, kind, dash) in enumerate(looks)
    )
    return replace(panel_of(100, 100, X, y), legend=Legend(entries))


def tones(one: Panel) -> list[Rgb]:
    (found,) = in_one_tone([one])
    return [entry.colour for entry in found.legend.entries]


def test_greys_of_differing_dashes_take_the_darkest_tone() -> None:
    copy = panel(((22, 20, 21), "line", "solid"), ((60, 60, 60), "line", "dashed"), ((48, 47, 48), "line", "dotted"))
    assert tones(copy) == [(22, 20, 21)] * 3


@pytest.mark.parametrize(
    "looks",
    [
        [((20, 20, 20), "line", "solid"), ((120, 120, 120), "line", "dashed")],  # two greys
        [((20, 20, 20), "line", "solid"), ((50, 50, 50), "line", "solid")],  # told by nothing else
        [((20, 20, 20), "line", "solid"), ((20, 20, 60), "line", "dashed")],  # a colour
        [((20, 20, 20), "line", "solid"), ((50, 50, 50), "line", "dashed"), ((45, 45, 45), "patch", "")],  # a fill
    ],
)
def test_samples_that_are_told_by_their_tones_keep_them(looks: list[tuple[Rgb, str, str]]) -> None:
    assert tones(panel(*looks)) == [colour for colour, _, _ in looks]


def test_curves_that_run_down_the_page_keep_their_tones() -> None:
    downwards = Axis("left", "linear", 0.1, 0.0)
    looks: list[tuple[Rgb, str, str]] = [((20, 20, 20), "line", "solid"), ((50, 50, 50), "line", "dashed")]
    assert tones(panel(*looks, y=downwards)) == [(20, 20, 20), (50, 50, 50)]
