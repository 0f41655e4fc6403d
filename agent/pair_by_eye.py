"""What differs between two charts as a model sees it, in the form that readings of them are compared in.

ChartAB's two stages: what either chart shows, then what differs. Only the attribute that was asked for (data, color,
legend, text) is told; replies that do not fit are left out. Not handled here: asking (`single_shot`), measuring.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agent.methods import Method
from agent.replies import FormatFailure, json_in
from agent.single_shot import Attribute, compare_pair
from agent.stopping import Stop
from tools.drafts import number_of
from tools.load import load

REGIONS = {"title": "title", "legend": "legend", "axes labels": "axis_labels", "axes ticks": "ticks"}
STYLES = {"size": "size_px", "weight": "weight", "fontfamily": "family"}


def look_at_pair(first: Path, second: Path, attribute: Attribute, method: Method) -> dict[str, Any]:
    """{"stages": 2, "by_eye": attribute, "difference": ..., "a": ..., "b": ..., "cost": {...}}.

    A reply that is none finds nothing ("failed" says why); a model that was not reached leaves {"failed": reason}.
    Raises `tools.load.UnreadableFile` where a picture is none.
    """
    try:
        said, asked = compare_pair(load(first), load(second), attribute, method)
    except (FormatFailure, Stop) as failure:
        if isinstance(failure, Stop) and failure.outside:
            return {"failed": str(failure)}
        return {"stages": 2, "by_eye": attribute, "difference": {}, "a": {}, "b": {}, "failed": str(failure)}
    usage = sum((one.usage for one in asked[1:]), asked[0].usage)
    changes = said if isinstance(said, Mapping) else {}
    sides = {name: _grounded(one.text, attribute) for name, one in zip("ab", asked, strict=False)}
    if attribute == "legend" and isinstance(changes.get("position"), Mapping):
        for name, when in (("a", "initial value"), ("b", "modified value")):
            sides[name]["place"] = str(changes["position"].get(when, ""))
    cost = {"dollars": usage.dollars, "tokens": usage.input_tokens + usage.output_tokens}
    return {"stages": 2, "by_eye": attribute, "difference": difference(changes, attribute), **sides, "cost": cost}


def difference(said: Mapping[str, Any], attribute: Attribute) -> dict[str, list[dict[str, Any]]]:
    """The changes of a reply by the prompt's form as `diffing` tells them.

    >>> difference({"A": {"initial value": "#ff0000", "modified value": "#00ff00"}}, "color")
    {'colours': [{'name': 'A', 'a': '#ff0000', 'b': '#00ff00'}]}
    """
    known = {name: one for name, one in said.items() if isinstance(one, Mapping)}
    if attribute == "data":
        return {"cells": [cell for one in known.values() if (cell := _cell(one))]}
    if attribute == "color":
        return {"colours": [{"name": name, **_ends(one)} for name, one in known.items()]}
    if attribute == "legend":
        return {"legend": [{"name": "position", **_ends(one)} for name, one in known.items() if name == "position"]}
    return {"texts": [{"name": f"{REGIONS.get(region, region)} {STYLES.get(key, key)}", **_ends(change)}
                      for region, one in known.items() for key, change in one.items()
                      if isinstance(change, Mapping)]}  # fmt: skip


def _ends(one: Mapping[str, Any]) -> dict[str, Any]:
    return {"a": one.get("initial value"), "b": one.get("modified value")}


def _cell(one: Mapping[str, Any]) -> dict[str, Any]:
    """One changed cell; empty where a value is no number."""
    a, b = (number_of(str(one.get(f"value in chart {k}", ""))) for k in (1, 2))
    if a != a or b != b:
        return {}
    return {"row": str(one.get("row name", "")), "column": str(one.get("column name", "")), "a": a, "b": b}


def _grounded(reply: str, attribute: Attribute) -> dict[str, Any]:
    """What one chart shows, of the attribute that was asked for; tables are read elsewhere."""
    found: dict[str, Any] = {"colours": {}, "place": "none", "texts": {}}
    try:
        said = json_in(reply) if attribute != "data" else {}
    except FormatFailure:
        return found
    if not isinstance(said, Mapping):
        return found
    if attribute == "color":
        found["colours"] = {str(name): str(colour) for name, colour in said.items()}
    elif attribute == "legend":
        found["place"] = str(said.get("position", "none"))
    elif attribute == "text":
        found["texts"] = {REGIONS.get(region, region): {STYLES.get(key, key): value for key, value in style.items()}
                          for region, style in said.items() if isinstance(style, Mapping)}  # fmt: skip
    return found
