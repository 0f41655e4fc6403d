"""Signs of a reading: hand-made panels whose numbers can be counted."""

from __future__ import annotations

from tests.tools.test_redraw import PANEL, blank, ink_of
from tools.signs import signs_of
from tools.table import Table
from tools.types import Legend, LegendEntry, Mark, Panel, Series

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
