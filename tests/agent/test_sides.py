"""Which axis a series stands on where there are two: drawn figures' evidence, best first."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from agent.sides import BY_ORDER, ON_TOP, bind_sides
from tools.types import Anchor, Axis, Box, Image, Legend, LegendEntry, Mark, Panel, Rgb, Series, SeriesKind

BLUE: Rgb = (31, 119, 180)
RED: Rgb = (214, 39, 40)


def twin_panel(names: tuple[str, ...], labels: tuple[str, str] = ("Cases", "Mass")) -> Panel:
    """A plot from (40, 0) to (160, 100) between the scales 0 to 10 (left) and 0 to 700 (right)."""
    left = Axis("left", "linear", -0.1, 10.0, tuple(_anchors(4)), label=labels[0])
    right = Axis("right", "linear", -7.0, 700.0, tuple(_anchors(166)), label=labels[1])
    legend = Legend(tuple(LegendEntry(name, (0, 0, 0), "line") for name in names))
    return Panel(Box(0, 0, 199, 119), Box(40, 0, 160, 100), axes=(left, right), legend=legend)


def _anchors(x: float) -> list[Anchor]:
    return [Anchor(y, 0.0, str(y), "tick", Box(x, y - 8, x + 28, y + 8)) for y in (20.0, 50.0, 80.0)]


def paper(left: Rgb = (0, 0, 0), right: Rgb = (0, 0, 0)) -> Image:
    """Tick labels on white, in these colours."""
    pixels = np.full((120, 200, 3), 255, dtype=np.uint8)
    for x, colour in ((6, left), (168, right)):
        for y in (20, 50, 80):
            cv2.putText(pixels, "88", (x, y + 5), cv2.FONT_HERSHEY_SIMPLEX, 0.5, colour, 2)
    return pixels


def series(name: str, colour: Rgb = BLUE, kind: SeriesKind = "line") -> Series:
    return Series(name, colour, kind, ())


def test_labels_in_the_colour_of_a_series_bind_it_whatever_the_order() -> None:
    sides, unsure = bind_sides(twin_panel(("a", "b")), [series("a", RED), series("b", BLUE)], paper(BLUE, RED))
    assert (sides, unsure) == (["right", "left"], "")


def test_without_evidence_the_last_of_the_legend_stands_on_the_right() -> None:
    found = [series("Helmond", RED), series("Gorska", BLUE)]  # in the order of their ink
    sides, unsure = bind_sides(twin_panel(("Gorska", "Helmond")), found, paper())
    assert (sides, unsure) == (["right", "left"], BY_ORDER)


@pytest.mark.parametrize(("name", "side"), [("total (right axis)", "right"), ("total (left axis)", "left")])
def test_words_of_the_legend_say_it(name: str, side: str) -> None:
    sides, _ = bind_sides(twin_panel(("x", name)), [series("x"), series(name, RED)], paper(RED, BLUE))
    assert sides[1] == side


def test_a_line_over_bars_stands_on_the_right_and_one_that_names_its_axis_there() -> None:
    sides, _ = bind_sides(twin_panel(("n", "m")), [series("n", kind="bar"), series("m", RED)], paper())
    assert sides == ["left", "right"]
    named = twin_panel(("Mass of all", "Cases of all"), ("Cases", "Mass"))
    assert bind_sides(named, [series("Mass"), series("Cases", RED)], paper())[0] == ["right", "left"]


def test_one_axis_keeps_what_was_read() -> None:
    panel = twin_panel(("a", "b"))
    alone = Panel(panel.box, panel.plot, axes=panel.axes[:1], legend=panel.legend)
    assert bind_sides(alone, [series("a"), series("b", RED)], paper()) == (["left", "left"], "")


def test_a_running_total_stands_where_it_ends_at_the_sum_of_the_bars() -> None:
    panel = twin_panel(("Cases", "Total"), ("Total", "Cases"))  # axes labelled the other way round
    panel = replace(panel, axes=(panel.axes[0], replace(panel.axes[1], slope=-1.0, intercept=100.0)))
    heights = np.array([40, 80, 20, 90, 60, 50, 30, 70, 40, 20])  # px: 50 in all on the left axis
    at = 45.0 + 10 * np.arange(10)
    bars = Series("Cases", BLUE, "bar", tuple(Mark("bar", x, 100.0 - h) for x, h in zip(at, heights, strict=True)))
    rows = 100 - np.cumsum(heights) / 10
    line = Series("Total", RED, "line", tuple(Mark("vertex", x, y) for x, y in zip(at, rows, strict=True)))
    assert bind_sides(panel, [bars, line], paper()) == (["left", "right"], "")
    falling = replace(line, marks=tuple(replace(mark, y=150 - mark.y) for mark in line.marks))
    assert bind_sides(panel, [bars, falling], paper()) == (["right", "left"], "")  # by the labels alone


@pytest.mark.parametrize("upper", [0, 1])
def test_without_a_legend_the_curve_on_top_stands_on_the_right(upper: int) -> None:
    pixels = paper()
    rows = ([20, 80, 20, 80], [80, 20, 80, 20])
    curves = [[(50 + 30 * k, row) for k, row in enumerate(own)] for own in rows]
    for k in (1 - upper, upper):
        cv2.polylines(pixels, [np.array(curves[k], dtype=np.int32)], False, (BLUE, RED)[k], 3)
    found = [
        replace(series("", colour), marks=tuple(Mark("vertex", float(x), float(y)) for x, y in own))
        for colour, own in zip((BLUE, RED), curves, strict=True)
    ]
    sides, unsure = bind_sides(twin_panel(()), found, pixels)
    assert (sides[upper], sides[1 - upper], unsure) == ("right", "left", ON_TOP)
