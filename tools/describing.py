"""What was measured, as plain JSON for a model, a file or a page. Not handled here: measuring, marks and cells."""

from __future__ import annotations

from typing import Any

import numpy as np

from tools.printing import number_text, resolution
from tools.types import Axis, Box, LegendEntry, Panel, Rgb, Series, moment


def hex_of(colour: Rgb) -> str:
    """`#rrggbb` of a colour.

    >>> hex_of((255, 0, 16))
    '#ff0010'
    """
    return "#{:02x}{:02x}{:02x}".format(*colour)


def rgb_of(text: str) -> Rgb | None:
    """The colour of `#rrggbb`, `rrggbb` or `#rgb`; None for anything else.

    >>> rgb_of("#ff0010")
    (255, 0, 16)
    """
    digits = text.strip().lstrip("#")
    digits = "".join(2 * c for c in digits) if len(digits) == 3 else digits
    try:
        red, green, blue = bytes.fromhex(digits)
    except ValueError:
        return None
    return red, green, blue


def describe_box(box: Box) -> list[float]:
    """x0, y0, x1, y1 to a hundredth of a pixel."""
    return [round(float(v), 2) for v in (box.x0, box.y0, box.x1, box.y1)]


def describe_axis(axis: Axis) -> dict[str, Any]:
    """An axis as JSON: scale, label, anchors with their seats, residual in px."""
    anchors = [{"pixel": round(a.pixel, 2), "value": a.value, "text": a.text, "seat": a.seat} for a in axis.anchors]
    found = {
        "side": axis.side, "scale": axis.scale, "label": axis.label, "unit": axis.unit, "reversed": axis.reversed,
        "slope": axis.slope, "intercept": axis.intercept, "residual_px": round(axis.residual, 3),
        "confidence": axis.confidence, "anchors": anchors, "warnings": list(axis.warnings),
    }  # fmt: skip
    return found | ({"categories": list(axis.categories)} if axis.scale == "category" else {})


def describe_entry(entry: LegendEntry) -> dict[str, Any]:
    """A legend entry as JSON."""
    return {"name": entry.name, "colour": hex_of(entry.colour), "kind": entry.kind}


def describe_panel(panel: Panel) -> dict[str, Any]:
    """Title, places, axes, legend and warnings of a panel as JSON."""
    return {
        "title": panel.title, "plot": describe_box(panel.plot), "box": describe_box(panel.box),
        "refused": panel.refused.reason if panel.refused is not None else "",
        "axes": [describe_axis(axis) for axis in panel.axes],
        "legend": [describe_entry(entry) for entry in panel.legend.entries], "warnings": list(panel.warnings),
    }  # fmt: skip


def describe_series(one: Series) -> dict[str, Any]:
    """A series as JSON, without its marks."""
    xs = np.array([mark.x for mark in one.marks]) if one.marks else np.zeros(1)
    return {
        "name": one.name, "colour": hex_of(one.colour), "kind": one.kind, "axis": one.axis, "marks": len(one.marks),
        "orientation": one.orientation, "sampled": one.sampled,
        "from_x": round(float(xs.min()), 2), "to_x": round(float(xs.max()), 2),
        "bridged": sum(mark.bridged for mark in one.marks),
        "error_ends": sum(mark.part in ("low", "high") for mark in one.marks), "warnings": list(one.warnings),
    }  # fmt: skip


def value_text(axis: Axis, pixel: float) -> str:
    """The value at a pixel along an axis as people write it: a number, a date, the name of the slot."""
    value = float(axis.to_value(pixel))
    if axis.scale == "date":
        return moment(value).isoformat(timespec="minutes")
    if axis.scale == "category":
        slot = round(value)
        return axis.categories[slot] if 0 <= slot < len(axis.categories) else "beside all categories"
    return number_text(value, resolution(axis, pixel))
