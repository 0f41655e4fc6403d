"""What a reading shows of itself: numbers by which its being right can be judged without a truth.

They are measured on the axes, the legend, the redraw and the table of one panel; a missing table has none. Not handled
here: what the numbers are worth together (the agent's `trust`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from tools import redraw
from tools.ink import PlotInk
from tools.readings import DOTS, NO_YEAR
from tools.table import Table
from tools.types import Floats, Panel, Series

CERTAIN = {"areas sampled": 0.5, "axes missing": 0.5, "curves over names": 0.5, "guessed": 0.5, "hollow": 0.15,
           "labels outside": 0.5, "width": 0.1}  # fmt: skip
"""Signs known to speak against a reading, whatever the others say, and the value above which they do."""
MANY = 99.0
BEYOND = 3.0  # pixels that a label's place may lie outside the plot area
EDGE = 1.5  # pixels from the frame within which a value counts as cut
COUNTED = ("line", "step", "area", "stacked area", "bar", "stack", "histogram")  # kinds whose marks stand in rows
FAMILIES = {"bar": "bars", "stack": "bars", "histogram": "bars", "line": "lines", "step": "steps", "points": "points",
            "area": "areas", "stacked area": "areas", "band": "lines", "box": "boxes"}  # fmt: skip


def signs_of(
    panel: Panel, ink: PlotInk, series: Sequence[Series], table: Table, panels: int, named: Collection[str]
) -> dict[str, float]:
    """The signs of one panel by name. Shares are 0 to 1, lengths in pixels.

    `panels`: how many the figure has; `named`: the names of the series of all of them, which may share a legend.
    """
    return {
        "panels": float(panels),
        "plot": min(panel.plot.width, panel.plot.height),
        **_axes(panel),
        **_extents(panel),
        **_names(panel, series, named),
        **_ink(panel, ink, series),
        **_marks(panel, series),
        **_places_told(panel, series),
        **_table(table),
    }


def certain(signs: Mapping[str, float]) -> list[str]:
    """The names of those signs of a panel that alone speak against its reading."""
    return [name for name, most in CERTAIN.items() if signs.get(name, 0.0) > most]


def _axes(panel: Panel) -> dict[str, float]:
    axes = [axis for axis in (panel.x, panel.y) if axis is not None]
    measured = [axis for axis in axes if axis.scale != "category"]
    return {
        "axes missing": 2.0 - len(axes),
        "axes low": float(sum(axis.confidence == "low" for axis in axes)),
        "axes more": float(len(panel.axes) - len(axes)),
        "anchors": float(min((len(axis.anchors) for axis in measured), default=MANY)),
        "residual": float(max((axis.residual for axis in measured), default=0.0)),
        "guessed": float(sum(any(note.startswith((NO_YEAR, DOTS)) for note in axis.warnings) for axis in axes)),
        "axis notes": float(sum(bool(axis.warnings) for axis in axes)),
    }


def _extents(panel: Panel) -> dict[str, float]:
    """How the labels of the axes lie along the plot area: how many beyond it, and the share that they span."""
    outside, spans = 0, []
    for axis in panel.axes:
        low, high = (panel.plot.x0, panel.plot.x1) if axis.horizontal else (panel.plot.y0, panel.plot.y1)
        at = [anchor.pixel for anchor in axis.anchors]
        outside += sum(not low - BEYOND <= pixel <= high + BEYOND for pixel in at)
        if axis.scale != "category" and at:
            spans.append((max(at) - min(at)) / max(high - low, 1.0))
    return {"labels outside": float(outside), "reach": min(spans, default=1.0)}


def _names(panel: Panel, series: Sequence[Series], named: Collection[str]) -> dict[str, float]:
    entries = {entry.name for entry in panel.legend.entries}
    unread = [entry for entry in entries if not any(f"{name} (".startswith(f"{entry} (") for name in named)]
    names = [one.name for one in series]
    return {
        "series": float(len(series)),
        "entries unread": float(len(unread)),
        "series unnamed": float(sum(not name for name in names)) if entries else 0.0,
        "nameless": float(not entries and len(series) > 1 and not all(names)),
        "names doubled": float(len(names) - len(set(names))) if any(names) else 0.0,
    }


def _ink(panel: Panel, ink: PlotInk, series: Sequence[Series]) -> dict[str, float]:
    found = redraw.compare(panel, ink, series)
    left = redraw.unexplained(panel, ink, series)
    data = [not redraw.shades_axis(ink, layer, series) for layer in ink.layers]
    amounts = [float(layer.coverage.sum()) * is_data for layer, is_data in zip(ink.layers, data, strict=True)]
    whole = max(sum(amounts), 1e-6)
    large = [share for share, amount in zip(left, amounts, strict=True) if amount > 0.03 * whole]
    return {
        "explained": found.explained,
        "supported": found.supported,
        "left worst": max(large, default=0.0),
        "left": sum(share * amount for share, amount in zip(left, amounts, strict=True)) / whole,
        "hollow": _hollow(panel, ink, series),
        "layers more": float(len(large) - len(series)),
        "neutral": float(ink.neutral.mean()) if ink.neutral.size else 0.0,
    }


def _hollow(panel: Panel, ink: PlotInk, series: Sequence[Series]) -> float:
    """The share of the redrawn curves, one pixel wide, beside which no ink stands within two pixels."""
    height, width = ink.pixels.shape[:2]
    total = np.where(ink.neutral, 1.0, 0.0).astype(np.float32)
    for layer in ink.layers:
        np.maximum(total, layer.coverage, out=total)
        np.maximum(total, layer.hidden.astype(np.float32), out=total)
    near = cv2.dilate(total, np.ones((5, 5), np.uint8)) > 0.2
    drawn = empty = 0
    for one in series:
        if FAMILIES.get(one.kind) in ("lines", "steps"):
            canvas = np.zeros((height + ink.origin[1], width + ink.origin[0]), dtype=np.uint8)
            redraw.draw_series(canvas, one, 255, panel)
            path = canvas[ink.origin[1] :, ink.origin[0] :] > 127
            drawn += int(path.sum())
            empty += int((path & ~near).sum())
    return empty / drawn if drawn else 0.0


def _marks(panel: Panel, series: Sequence[Series]) -> dict[str, float]:
    marks = [mark for one in series for mark in one.marks]
    rows = [one for one in series if one.kind in COUNTED]
    counts = [len(_places(one)) for one in rows if one.marks]
    most = max((len(one.marks) for one in series), default=0)
    uneven = [_uneven(_places(one)) for one in rows]
    families = {FAMILIES.get(one.kind, "other") for one in series}
    return {
        **{f"has {name}": float(name in families) for name in ("bars", "lines", "steps", "points", "areas", "boxes")},
        "mixed": float(len(families) > 1),
        "sampled": float(np.mean([one.sampled for one in series])) if series else 0.0,
        "areas sampled": float(any(one.sampled for one in series if FAMILIES.get(one.kind) == "areas")),
        "bridged": float(np.mean([mark.bridged for mark in marks])) if marks else 0.0,
        "sure": float(np.mean([mark.confidence for mark in marks])) if marks else 0.0,
        "most marks": float(most),
        "room": max(panel.plot.width, panel.plot.height) / max(most, 1),
        "unlike counts": max(counts) / max(min(counts), 1) if counts else 1.0,
        "uneven": max(uneven, default=0.0),
        "series notes": float(sum(bool(one.warnings) for one in series)),
    }


def _places_told(panel: Panel, series: Sequence[Series]) -> dict[str, float]:
    """Marks where none are to be expected: cut by the frame, or of curves between names."""
    return {
        "at the frame": max((_at_frame(panel, one) for one in series), default=0.0),
        "curves over names": float(any(_between_names(panel, one) for one in series)),
    }


def _at_frame(panel: Panel, one: Series) -> float:
    """The share of the values that end at the frame across from the base: the plot area may be cut there."""
    marks = [mark for mark in one.marks if mark.part not in ("low", "high", "censor")]
    if one.kind == "band" or not marks:
        return 0.0
    ends = [panel.plot.x1 - mark.x if one.orientation == "horizontal" else mark.y - panel.plot.y0 for mark in marks]
    return float(np.mean([end < EDGE for end in ends]))


def _between_names(panel: Panel, one: Series) -> bool:
    """A curve over an axis of names that has other points than there are names."""
    axis = panel.y if one.orientation == "horizontal" else panel.x
    if FAMILIES.get(one.kind) not in ("lines", "steps", "areas") or axis is None or axis.scale != "category":
        return False
    return len(_places(one)) > len(axis.categories)


def _places(one: Series) -> Floats:
    """Where the marks of a series stand along the axis of its rows, (n,) float64 pixels."""
    across = one.orientation == "horizontal"
    return np.array([mark.y if across else mark.x for mark in one.marks if mark.part not in ("low", "high", "censor")])


def _uneven(places: Floats) -> float:
    """The share of the gaps between marks that are no whole number of usual gaps, by a fifth of one or two pixels."""
    gaps: NDArray[np.float64] = np.abs(np.diff(np.sort(places)))
    gaps = gaps[gaps > 0.5]
    if len(gaps) < 3:
        return 0.0
    usual = float(np.median(gaps))
    off = np.abs(gaps - usual * np.maximum(np.round(gaps / usual), 1))
    return float(np.mean(off > max(2.0, 0.2 * usual)))


def _table(table: Table) -> dict[str, float]:
    cells = [cell for row in table.rows for cell in row[1:]]
    widths = [cell.high - cell.low for cell in cells if cell.low is not None and cell.high is not None]
    values = [float(cell.value) for cell in cells if isinstance(cell.value, int | float)]
    span = float(np.ptp(values)) if values else 0.0
    return {
        "rows": float(len(table.rows)),
        "gaps": float(np.mean([cell.value is None for cell in cells])) if cells else 1.0,
        "width": float(np.median(widths)) / span if widths and span > 0 else 0.0,
        "table notes": float(bool(table.warnings)),
    }
