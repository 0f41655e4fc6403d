"""The series of a panel read from the vector paths of its figure.

Panels, axes and legends come from the same steps as for pictures; only the marks are exact here.
Not handled here: box plots and what pictures within the figure show (both are read from the pixels), heat maps, pies.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tools.types import Box, Drawing, Panel, Series
from tools.vector_areas import area_series, find_areas, with_bands
from tools.vector_bars import bar_series, bars_of, squares
from tools.vector_bins import apart, patched
from tools.vector_elements import Element, elements_of
from tools.vector_marks import find_curves, find_markers, line_series
from tools.vector_names import samples_of, with_twins_told
from tools.vector_whiskers import with_whiskers, without_caps

RIM = 0.75  # px
TIP = 1.5  # px
CROWD = 12  # unnamed series: more are no series


def read_vector(panel: Panel, drawing: Drawing | None) -> list[Series]:
    """The series that the paths of a drawing show in a panel, in figure pixels; empty where they show none.

    Empty too where they draw box plots. What a picture in the plot shows (`is_pictured`) is not among them.
    """
    if drawing is None or (panel.x is None and panel.y is None):
        return []
    samples = samples_of(drawing, panel)
    elements = squares(apart(without_caps(patched(elements_of(drawing, panel)))))
    if are_boxes(elements):
        return []
    areas = find_areas(elements, samples, panel)
    bars = bar_series(panel, bars_of(elements, samples))
    curves = find_curves(elements, samples, panel)
    links = [one for one in elements if one.kind == "segment"]
    places = [mark.x for one in bars if one.orientation == "vertical" for mark in one.marks]
    lines = line_series(panel, curves, find_markers(elements, samples), links, places)
    filled = area_series(panel, areas)
    lines = [one for one in lines if not any(_is_rim(one, area) for area in filled)]
    lines = [one for one in lines if not any(_on_tips(one, bar) for bar in bars)]
    found = with_bands([*bars, *filled, *lines], areas)
    found = with_whiskers(found, elements)
    named = any(one.name for one in found)
    loose = [one for one in found if not one.name]
    if named and len(loose) > CROWD:
        found = [one for one in found if one.name]
    return with_twins_told([one for one in found if one.marks], samples)


def _is_rim(one: Series, area: Series) -> bool:
    """Whether a curve is only the upper border of an area, or goes around it, drawn once more."""
    if one.kind != "line" or any(mark.part == "marker" for mark in one.marks):
        return False
    x, y = (np.array([getattr(mark, name) for mark in one.marks]) for name in ("x", "y"))
    at = [mark.x for mark in area.marks]
    upper = np.interp(x, at, [mark.y for mark in area.marks])
    lower = np.interp(x, at, [mark.box.y1 if mark.box else mark.y for mark in area.marks])
    away = np.minimum(np.abs(upper - y), np.abs(lower - y)) if len(x) > len(at) else np.abs(upper - y)
    return bool(np.mean(away < RIM) > 0.95)


def _on_tips(one: Series, bars: Series) -> bool:
    """Whether markers only stand on the ends of the stems of lollipops, which were read as thin bars."""
    if one.kind != "points" or one.colour != bars.colour or not bars.marks:
        return False
    tips = np.array([(mark.x, mark.y) for mark in bars.marks])
    away = [float(np.abs(tips - (mark.x, mark.y)).max(axis=1).min()) for mark in one.marks]
    return float(np.mean(np.array(away) < TIP)) > 0.8


def is_pictured(drawing: Drawing | None, panel: Panel) -> bool:
    """Whether an embedded picture covers a good part of the plot: layers that a producer drew as pixels."""
    plot = panel.plot
    for place in drawing.pictures if drawing else ():
        width = min(place.x1, plot.x1) - max(place.x0, plot.x0)
        height = min(place.y1, plot.y1) - max(place.y0, plot.y0)
        if width > 0.1 * plot.width and height > 0.1 * plot.height:
            return True
    return False


def are_boxes(elements: Sequence[Element]) -> bool:
    """Whether most rectangles are boxes of box plots: crossed by a line from side to side, with a stem at an end."""
    boxes = [one.box for one in elements if one.kind == "bar"]
    segments = [one.box for one in elements if one.kind == "segment"]
    if not boxes or not segments:
        return False
    return sum(_is_boxed(box, segments) for box in boxes) > 0.5 * len(boxes)


def _is_boxed(box: Box, segments: Sequence[Box]) -> bool:
    upright = any(_crosses(box, s) for s in segments) and any(_stands_on(box, s) for s in segments)
    lying = _turned(box)
    return upright or (
        any(_crosses(lying, _turned(s)) for s in segments) and any(_stands_on(lying, _turned(s)) for s in segments)
    )


def _turned(box: Box) -> Box:
    return Box(box.y0, box.x0, box.y1, box.x1)


def _crosses(box: Box, line: Box) -> bool:
    """A level line across a box, from one side to the other."""
    level = line.height < 0.1 and box.y0 - 0.1 <= line.y0 <= box.y1 + 0.1
    return level and abs(line.x0 - box.x0) < 2 and abs(line.x1 - box.x1) < 2


def _stands_on(box: Box, line: Box) -> bool:
    """An upright line that begins at an end of a box, in its middle."""
    upright = line.width < 0.1 and abs(line.x0 - box.centre[0]) < 1
    return upright and (abs(line.y1 - box.y0) < 1 or abs(line.y0 - box.y1) < 1)
