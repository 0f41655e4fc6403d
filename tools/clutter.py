"""Series that are no data: what readers find in annotations, stems of markers and the colour of the paper.

Not handled here: false ends of error bars (`stems.without_false_ends`).
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from tools.colour import colourless, contrast, is_like
from tools.identity_lines import without_identity
from tools.ink import PlotInk
from tools.lettering import is_lettering
from tools.mirrored import names_rows
from tools.stems import without_ghosts, without_stems, without_unfilled
from tools.types import Panel, Series

BARS = ("bar", "stack", "histogram")
DARK = 60.0  # of 255 between letters and the paper
CROSSED = 80  # markers: among more any stroke runs beside some
RIM, ARM, THIN = 9, 60, 2  # px: around a marker, along and across its error bars
BESIDE = 0.25  # share of the ink of rims and error bars that is beside them: caps
WHITE = 250  # of 255
CROWD = 20  # grey points that are data even where the legend does not name them


def without_clutter(panel: Panel, ink: PlotInk, series: Sequence[Series]) -> list[Series]:
    """The series that are data.

    Left out are those in the colour of the paper, stems of markers, unfilled bars around others, and, beside named
    series, grey ones that the legend leaves out, unless they are a crowd of points; beside bars, words left
    unread; the line y = x; beside named rows, lines of reference.
    """
    found = without_ghosts(without_stems(panel, without_unfilled(ink, series)), ink.background)
    if any(one.kind in BARS for one in found):
        found = [one for one in found if one.kind in BARS or one.name or not _is_words(one, ink)]
    points = [one for one in found if one.kind == "points"]
    found = [one for one in found if not (points and _are_crosses(one, ink, points))]
    named = any(one.name for one in found)
    found = [one for one in found if one.name or one.kind == "box" or not _is_clutter(one, ink, named)]
    if names_rows(panel) and any(one.orientation == "horizontal" for one in found):  # no curve runs over names
        rest = [one for one in found if one.kind not in ("line", "step") and not _crowds_rows(panel, one, found)]
        found = [one for one in found if one.name or one in rest]
    return without_identity(panel, found)


def _are_crosses(one: Series, ink: PlotInk, points: Sequence[Series]) -> bool:
    """Whether a nameless curve in black or grey was read from the rims and error bars of markers in another colour."""
    if one.name or one.kind not in ("line", "step") or not colourless(one.colour):
        return False
    layer = next((layer for layer in ink.layers if layer.colour == one.colour), None)
    marks = [mark for other in points if other.colour != one.colour for mark in other.marks if mark.part == "marker"]
    if layer is None or not marks or len(marks) > CROSSED:
        return False
    near = np.zeros(layer.coverage.shape, np.uint8)
    for mark in marks:
        x, y = round(mark.x) - ink.origin[0], round(mark.y) - ink.origin[1]
        cv2.circle(near, (x, y), RIM, 1, -1)
        cv2.rectangle(near, (x - ARM, y - THIN), (x + ARM, y + THIN), 1, -1)
        cv2.rectangle(near, (x - THIN, y - ARM), (x + THIN, y + ARM), 1, -1)
    return float(layer.coverage[near == 0].sum()) < BESIDE * float(layer.coverage.sum())


def _crowds_rows(panel: Panel, one: Series, others: Sequence[Series]) -> bool:
    """Whether points are specks of lines and diamonds: several to a row, where another series has one in each."""
    rows = len(panel.y.categories) if panel.y is not None else 0
    counts = [sum(mark.part == "marker" for mark in each.marks) for each in others if each.kind == "points"]
    own = sum(mark.part == "marker" for mark in one.marks)
    return one.kind == "points" and own > 2 * rows and any(0.6 * rows <= count <= rows for count in counts)


def _is_words(one: Series, ink: PlotInk) -> bool:
    """Whether what was read in this colour is lettering, say of values printed over each other."""
    own = [layer for layer in ink.layers if layer.colour == one.colour] if colourless(one.colour) else []
    return any(is_lettering(layer.coverage, contrast(ink.pixels, ink.background) > DARK) for layer in own)


def _is_clutter(one: Series, ink: PlotInk, named: bool) -> bool:
    """Grey strokes and single specks beside named series are annotations; a crowd of grey points is a group."""
    white = one.kind in ("area", "stacked area") and min(one.colour) >= WHITE  # a funnel left free in a grey plot
    if white or is_like(one.colour, ink.background):
        return True
    return named and colourless(one.colour) and not (one.kind == "points" and len(one.marks) >= CROWD)
