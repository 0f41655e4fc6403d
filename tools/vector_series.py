"""The series of a panel read from the vector paths of its figure, and which of them replace what was seen in pixels.

Panels, axes and legends come from the same steps as for pictures; only the marks are exact here.
Not handled here: box plots (the pixels' reading stays), heat maps, pies.
"""

from __future__ import annotations

from collections.abc import Sequence

from tools.types import Drawing, Panel, Series
from tools.vector_areas import area_series, find_areas, with_bands
from tools.vector_bars import bar_series, bars_of, squares
from tools.vector_elements import elements_of
from tools.vector_marks import find_curves, find_markers, line_series
from tools.vector_names import samples_of
from tools.vector_whiskers import with_whiskers

CROWD = 12  # unnamed series: more are no series


def read_vector(panel: Panel, drawing: Drawing, seen: Sequence[Series] = ()) -> list[Series]:
    """The series that the paths of a drawing show in a panel, in figure pixels; empty where they show none.

    seen: the series read from the pixels, for what paths do not tell (where on its bin a bar is named).
    """
    samples = samples_of(drawing, panel)
    elements = squares(elements_of(drawing, panel))
    areas = find_areas(elements, samples, panel)
    bars = bar_series(panel, bars_of(elements, samples), seen)
    curves = find_curves(elements, samples, panel)
    links = [one for one in elements if one.kind == "segment"]
    lines = line_series(panel, curves, find_markers(elements, samples), links)
    found = with_bands([*bars, *area_series(panel, areas), *lines], areas)
    found = with_whiskers(found, elements)
    named = any(one.name for one in found)
    loose = [one for one in found if not one.name]
    if named and len(loose) > CROWD:
        found = [one for one in found if one.name]
    return [one for one in found if one.marks]


def with_vector(panel: Panel, drawing: Drawing | None, seen: Sequence[Series]) -> list[Series]:
    """The series of a panel, read from paths where these show any, else as `seen` in the pixels.

    A named series that lies in an embedded picture, or that no path shows, stays as it was seen. Box plots stay.
    """
    if drawing is None or any(one.kind == "box" for one in seen):
        return list(seen)
    exact = read_vector(panel, drawing, seen)
    if not exact:
        return list(seen)
    pictured = any(place.overlaps(panel.plot) for place in drawing.pictures)
    names = {one.name for one in exact}
    return exact + [one for one in seen if pictured and one.name and one.name not in names]
