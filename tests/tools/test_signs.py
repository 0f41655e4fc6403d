"""Signs of a reading: hand-made panels whose numbers can be counted."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tools.test_redraw import PANEL, blank, ink_of, series
from tools.signs import signs_of
from tools.table import Table
from tools.types import Legend, LegendEntry, Mark, Panel, Series

TABLE = Table((), ())


def signs(panel: Panel, ink: object, *found: Series, named: tuple[str, ...] = ()) -> dict[str, float]:
    return signs_of(panel, ink, found, TABLE, 1, {*named, *(one.name for one in found)})  # type: ignore[arg-type]


def test_a_curve_that_leaves_its_own_ink_for_that_of_another_is_adrift() -> None:
    drawn = blank()
    drawn[20, :40] = True
    other = blank()
    other[20, 40:] = True
    ink = ink_of(drawn, other)
    strange = ink.layers[1].__class__((200, 0, 0), ink.layers[1].coverage, ink.layers[1].hidden)
    ink = ink.__class__(ink.origin, ink.pixels, ink.background, ink.neutral, (ink.layers[0], strange))
    found = signs(PANEL, ink, series("line", Mark("vertex", 10, 30), Mark("vertex", 89, 30)))
    assert found["hollow"] == 0.0
    assert found["adrift"] == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize(("gap", "share"), [(30, 0.0), (7, 1.0)])
def test_markers_whose_discs_touch_are_crowded(gap: int, share: float) -> None:
    rows, columns = np.indices((80, 80))
    discs = (np.hypot(rows - 40, columns - 20) <= 5) | (np.hypot(rows - 40, columns - 20 - gap) <= 5)
    marks = (Mark("marker", 30, 50), Mark("marker", 30 + gap, 50))
    assert signs(PANEL, ink_of(discs), series("points", *marks))["crowded"] == share


def test_entries_that_a_neighbour_read_are_not_missing() -> None:
    entries = tuple(LegendEntry(name, (0, 0, 0), "line") for name in ("a", "b"))
    panel = Panel(PANEL.box, PANEL.plot, legend=Legend(entries))
    drawn = blank()
    drawn[20] = True
    one = Series("a", (0, 0, 0), "line", (Mark("vertex", 10, 30), Mark("vertex", 89, 30)))
    assert signs(panel, ink_of(drawn), one)["entries unread"] == 1.0
    assert signs(panel, ink_of(drawn), one, named=("b (lower)",))["entries unread"] == 0.0
