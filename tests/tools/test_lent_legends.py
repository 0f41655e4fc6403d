"""Small multiples share the legend that one of them holds; other panels of a figure do not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tools.lent_legends import with_facet_legends, with_seen_legends
from tools.types import Axis, Box, Legend, LegendEntry, Panel

LEGEND = Legend(
    (LegendEntry("Staff", (200, 0, 0), "line"), LegendEntry("Guests", (0, 0, 200), "line")), Box(5, 5, 30, 20)
)


def multiple(column: int, width: float = 100.0, top: float = 10.0) -> Panel:
    """A plot 100 px high whose axes show 0 to 10 and 0 to `top`."""
    left = 150.0 * column
    plot = Box(left, 0, left + width, 100)
    axes = (Axis("bottom", "linear", 10 / width, -left * 10 / width), Axis("left", "linear", -top / 100, top))
    return Panel(plot.grown(20), plot, axes=axes)


def test_small_multiples_have_the_one_legend_without_its_box() -> None:
    first, *rest = with_facet_legends([replace(multiple(0), legend=LEGEND), multiple(1), multiple(2)])
    assert first.legend.box is not None
    assert [one.legend for one in rest] == [Legend(LEGEND.entries)] * 2


@pytest.mark.parametrize("odd", [multiple(2, width=120.0), multiple(2, top=12.0), replace(multiple(2), axes=())])
def test_a_panel_of_its_own_kind_keeps_all_without(odd: Panel) -> None:
    panels = [replace(multiple(0), legend=LEGEND), multiple(1), odd]
    assert with_facet_legends(panels) == tuple(panels)


def test_two_legends_are_not_lent() -> None:
    panels = [replace(multiple(0), legend=LEGEND), replace(multiple(1), legend=LEGEND), multiple(2)]
    assert with_facet_legends(panels) == tuple(panels)


def test_plots_without_a_frame_may_differ_at_one_end() -> None:
    low = replace(multiple(1), plot=Box(150, 5, 250, 100))
    panels = [replace(multiple(0), legend=LEGEND), low, multiple(2)]
    assert [len(one.legend.entries) for one in with_facet_legends(panels)] == [2, 2, 2]


def test_two_plots_need_a_shared_axis() -> None:
    first, second = replace(multiple(0), legend=LEGEND), multiple(1)
    assert with_facet_legends([first, second]) == (first, second)
    x, y = second.axes
    lent = replace(second, axes=(x, replace(y, warnings=("axis shared with panel 1",))))
    assert len(with_facet_legends([first, lent])[1].legend.entries) == 2


@pytest.mark.parametrize(
    ("colours", "lent"),
    [
        (((200, 0, 0), (0, 0, 200)), True),
        (((200, 0, 0),), False),  # one of the two is not drawn
        (((200, 0, 0), (0, 0, 200), (0, 160, 0)), False),  # mostly another colour
    ],
)
def test_free_scales_share_a_legend_whose_colours_they_show(
    colours: tuple[tuple[int, int, int], ...], lent: bool
) -> None:
    pixels = np.full((100, 300, 3), 255, np.uint8)
    for k, colour in enumerate(colours):
        pixels[10 + 20 * k : 12 + 30 * k, 170:230] = colour
    word = Legend((LegendEntry("North", (20, 20, 20), "line"),))  # a name in the plot, beside a tick
    panels = [replace(multiple(0), legend=LEGEND), replace(multiple(1, top=50.0), legend=word)]
    found = with_seen_legends(pixels, panels)[1].legend
    assert found == (Legend(LEGEND.entries) if lent else word)


@pytest.mark.parametrize(("y", "lent"), [(120.0, True), (40.0, False)])
def test_a_legend_beyond_all_plots_names_what_shows_its_colours_over_any_axes(y: float, lent: bool) -> None:
    pixels = np.full((140, 300, 3), 255, np.uint8)
    pixels[20:40, 170:230], pixels[50:80, 170:230] = (200, 0, 0), (0, 0, 200)
    legend = Legend(LEGEND.entries, Box(20, y, 80, y + 10))
    x, up = multiple(1).axes
    odd = replace(multiple(1), axes=(replace(x, slope=5.0), up))
    found = with_seen_legends(pixels, [replace(multiple(0), legend=legend), odd])
    assert found[1].legend.entries == (LEGEND.entries if lent else ())
