"""Signs of a reading: hand-made panels whose numbers can be counted."""

from __future__ import annotations

from tests.tools.test_redraw import PANEL, blank, ink_of
from tools.signs import certain, signs_of
from tools.table import Table
from tools.types import Anchor, Axis, Box, Legend, LegendEntry, Mark, Panel, Series

TABLE = Table((), ())


def signs(panel: Panel, ink: object, *found: Series, named: tuple[str, ...] = ()) -> dict[str, float]:
    return signs_of(panel, ink, found, TABLE, 1, {*named, *(one.name for one in found)})  # type: ignore[arg-type]


def test_entries_that_a_neighbour_read_are_not_missing() -> None:
    entries = tuple(LegendEntry(name, (0, 0, 0), "line") for name in ("a", "b"))
    panel = Panel(PANEL.box, PANEL.plot, legend=Legend(entries))
    drawn = blank()
    drawn[20] = True
    one = Series("a", (0, 0, 0), "line", (Mark("vertex", 10, 30), Mark("vertex", 89, 30)))
    assert signs(panel, ink_of(drawn), one)["entries unread"] == 1.0
    assert signs(panel, ink_of(drawn), one, named=("b (lower)",))["entries unread"] == 0.0


def names_axis(*names: str) -> Axis:
    anchors = tuple(Anchor(20.0 + 30 * k, float(k), name) for k, name in enumerate(names))
    return Axis("bottom", "category", 1 / 30, -20 / 30, anchors, categories=names)


def test_a_curve_between_names_speaks_alone_against_a_reading() -> None:
    panel = Panel(PANEL.box, PANEL.plot, axes=(names_axis("May", "June", "July"),))
    drawn = blank()
    drawn[20] = True
    at_names = Series("a", (0, 0, 0), "line", tuple(Mark("vertex", x, 30.0) for x in (20.0, 50.0, 80.0)))
    between = Series("a", (0, 0, 0), "line", tuple(Mark("vertex", x, 30.0) for x in (20.0, 35.0, 50.0, 80.0)))
    assert "curves over names" not in certain(signs(panel, ink_of(drawn), at_names))
    assert "curves over names" in certain(signs(panel, ink_of(drawn), between))


def test_labels_beyond_the_plot_are_counted() -> None:
    low, high = PANEL.plot.y0, PANEL.plot.y1
    anchors = tuple(Anchor(pixel, value, "") for pixel, value in ((high, 0.0), (low, 1.0), (low - 20, 2.0)))
    axis = Axis("left", "linear", -0.05, 1.0, anchors)
    panel = Panel(Box(0, 0, 200, 200), PANEL.plot, axes=(names_axis("a", "b"), axis))
    found = signs(panel, ink_of(blank()))
    assert found["labels outside"] == 1.0
    assert certain(found) == ["labels outside"]


def test_bars_cut_by_the_frame_are_told() -> None:
    top, base = PANEL.plot.y0, PANEL.plot.y1
    bars = tuple(
        Mark("bar", x, y, Box(x - 4, y, x + 4, base)) for x, y in ((20.0, top + 1), (40.0, top), (60.0, top + 9))
    )
    found = signs(PANEL, ink_of(blank()), Series("a", (0, 0, 0), "bar", bars))
    assert abs(found["at the frame"] - 2 / 3) < 1e-9


def test_areas_whose_points_could_not_be_told_are_never_sure() -> None:
    rim = tuple(Mark("vertex", x, 30.0) for x in (20.0, 22.0, 24.0))
    for sampled in (False, True):
        found = signs(PANEL, ink_of(blank()), Series("a", (0, 0, 0), "stacked area", rim, sampled=sampled))
        assert ("areas sampled" in certain(found)) == sampled
    assert signs(PANEL, ink_of(blank()), Series("a", (0, 0, 0), "line", rim, sampled=True))["areas sampled"] == 0.0
