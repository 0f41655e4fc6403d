"""The values of a panel that can be asked for, each named by what the figure prints: series, category, tick.

Names are spelled as the table spells them where only reading errors part the two. Not handled here: which table
(`panel_grounds`), which values are asked for (`synthesis`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agent.box_check import PARTS, Match
from agent.drawn import Drawn
from agent.mapping import Link
from agent.questions import tokens
from agent.source_tables import SourceTable, number_of, without_unit
from tools.types import Axis

GLUE = frozenset(["of", "the", "a", "an", "and", "in", "per", "by", "to", "for", "%", "no", "at"])


@dataclass(frozen=True)
class Element:
    """One value that is drawn: named as the figure prints it, recomputed from the table, read off the figure.

    `clear`: how well it can be told: its share of the axis, less where its neighbours are near or its interval wide.
    """

    series: str
    at: str
    statistic: str
    value: float
    read: float | None
    clear: float
    dated: bool = False
    numeric: bool = False


def axis_words(axis: Axis | None, table: SourceTable | None, caption: str) -> tuple[str, str]:
    """Label and unit of a value axis, spelled as a column of the table where only reading errors part them.

    Empty where neither table nor caption know its words: then it may be the label of another panel.
    """
    if axis is None or not axis.label:
        return "", ""
    columns = table.columns if table is not None else ()
    whole = f"{axis.label} ({axis.unit})" if axis.unit else axis.label
    for column in columns:
        if spelled(whole, column.name) or spelled(axis.label, column.name):
            name = without_unit(column.name)
            return name, column.unit if name != column.name else ""
    known = set(tokens(" ".join([caption, *(column.name.replace("_", " ") for column in columns)])))
    return (axis.label, axis.unit) if set(tokens(axis.label)) & known - GLUE else ("", "")


def x_label(series: Sequence[Drawn]) -> str:
    key = series[0].key if series else None
    return f"{key.label} ({key.unit})" if key is not None and key.label and key.unit else key.label if key else ""


def elements_of(link: Link) -> list[Element]:
    """The values of one series that can be asked for: those whose place the figure prints."""
    drawn, cells, curve = link.drawn, link.cells, link.curve
    if drawn.kind == "step":
        return _steps_at_ticks(link)
    found = []
    low, high = drawn.units(np.array(drawn.limits))
    for i in range(len(curve.y)):
        if not (np.isfinite(curve.y[i]) and np.isfinite(cells.pixels[i])):
            continue
        place = _place(drawn, float(cells.pixels[i]), curve.labels[i], float(curve.x[i]), curve.dated)
        if not place:
            continue
        read = float(cells.figure[i]) if np.isfinite(cells.figure[i]) else None
        height = float((drawn.units(float(curve.y[i])) - low) / max(high - low, 1e-12))
        wide = float(cells.high[i] - cells.low[i]) / max(abs(curve.y[i]), 1e-12) if read is not None else 1.0
        clear = height - 2.0 * min(wide, 0.5) if np.isfinite(wide) else height - 1.0
        numeric = drawn.key is not None and drawn.key.scale in ("linear", "log")
        found.append(Element(drawn.name if drawn.named else "", place, "", float(curve.y[i]), read, clear,
                             curve.dated, numeric))  # fmt: skip
    return found


def _steps_at_ticks(link: Link) -> list[Element]:
    """The level of a stepped curve at each tick that the figure prints."""
    drawn, curve = link.drawn, link.curve
    key = drawn.key
    if key is None or key.scale not in ("linear", "log"):
        return []
    rows = np.flatnonzero(np.isfinite(curve.x) & np.isfinite(curve.y))
    rows = rows[np.argsort(curve.x[rows], kind="stable")]
    found = []
    for tick in key.anchors:
        before = rows[curve.x[rows] <= tick.value]
        pixel = float(key.to_pixel(tick.value))
        drawn_before = np.flatnonzero(drawn.along <= pixel + 0.5)
        if not len(before) or not len(drawn_before) or tick.value > curve.x[rows[-1]]:
            continue
        value = float(curve.y[before[-1]])
        # A step just beside a tick may be read on either side of it: such a tick is not clear.
        gap = float(np.min(np.abs(curve.x[rows] - tick.value))) * abs(1.0 / key.slope)
        clear = value / max(float(np.nanmax(curve.y)), 1e-12) - (1.0 if gap < 2.0 or tick.value == 0 else 0.0)
        found.append(Element(drawn.name if drawn.named else "", tick.text, "", value,
                             float(drawn.value[drawn_before[-1]]), clear, numeric=True))  # fmt: skip
    return found


def _place(drawn: Drawn, pixel: float, label: str, x: float, dated: bool) -> str:
    """How the figure names the place of a row: its category, or the tick that stands there; empty where it does not."""
    key = drawn.key
    if key is None:
        return ""
    if key.scale == "category":
        index = round(float(key.to_value(pixel)))
        inside = 0 <= index < len(key.categories)
        return spelled(key.categories[index], label) if inside else ""
    if not np.isfinite(x):
        return ""
    ends = key.to_value(np.array(drawn.span))
    near = 0.004 * abs(float(ends[1] - ends[0]))
    tick = next((a for a in key.anchors if abs(a.value - x) <= near), None)
    if tick is None:
        return ""
    return tick.text if not dated and abs(number_of(tick.text) - x) <= near else label


def spelled(printed: str, label: str) -> str:
    """A name as the figure prints it, spelled as the table does where only reading errors part them; else empty."""
    from rapidfuzz.distance import Levenshtein

    one, two = ("".join(c for c in text.casefold() if c.isalnum()) for text in (printed, label))
    if one == two:  # the reading loses spaces between words
        return label if label.count(" ") > printed.count(" ") else printed
    return label if one and two and Levenshtein.distance(one, two) <= max(1, len(two) // 5) else ""


def box_elements(found: Match) -> list[Element]:
    elements = []
    low, high = found.ends
    for i, j in found.pairs:
        name = spelled(found.names[i], found.boxes[1][j]) or found.names[i]
        for statistic in ("median", "q1", "q3"):
            k = PARTS.index(statistic)
            value, read = float(found.boxes[2][j, k]), float(found.drawn[i, k])
            if np.isfinite(value):
                clear = (value - low) / max(high - low, 1e-12) - (0.0 if statistic == "median" else 0.2)
                elements.append(Element("", name, statistic, value, read if np.isfinite(read) else None, clear))
    return elements
