"""What small multiples draw, decided together: panels over the same axes show the same kind of mark in each colour.

Where a crowded panel looks otherwise than its fellows (points that touch look like a curve or like bins) it is read as
most of them are. Not handled here: panels with axes of their own, what a lone panel draws (`tools.kinds`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from tools.kinds import ORDER
from tools.lent_legends import are_multiples
from tools.types import Panel
from tools.workbench import Workbench

Plan = list[dict[str, Any]]
LEAST = 3  # panels that have to agree
NEAR = 40  # RGB steps between the colours of one series in two panels


def agreed_plans(bench: Workbench) -> dict[int, Plan]:
    """The plan of every panel of small multiples (numbers from 1), in which no layer is read unlike most of its like.

    Panels that have no fellows, or figures of paths, are left out: their own plans hold.
    """
    if bench.figure.drawing is not None or len(bench.panels) < LEAST:
        return {}
    plans: dict[int, Plan] = {}
    for group in _groups(bench.panels):
        own = {number: plan for number in group if (plan := _own(bench, number))}
        looks = {number: {row["layer"]: row for row in bench.list_inks(number)} for number in own}
        plans |= {number: _agreed(number, own, looks) for number in own}
    return plans


def _own(bench: Workbench, number: int) -> Plan:
    """The plan of one panel; empty of a chart that no reader knows, and after a fault, which its reading tells."""
    try:
        return [] if bench.unread_kind(number) else bench.propose_plan(number)
    except Exception:
        return []


def _groups(panels: Sequence[Panel]) -> list[list[int]]:
    """Numbers of the panels that are multiples of each other, where there are enough of them."""
    groups: list[list[int]] = []
    for number, panel in enumerate(panels, 1):
        home = next((group for group in groups if are_multiples(panels[group[0] - 1], panel)), None)
        if home is None:
            groups.append([number])
        else:
            home.append(number)
    return [group for group in groups if len(group) >= LEAST]


def _agreed(number: int, plans: Mapping[int, Plan], looks: Mapping[int, Mapping[int, Any]]) -> Plan:
    """The plan of a panel with every layer under the reader that most panels have for it."""
    plan = plans[number]
    boxes = sum(any(step["reader"] == "box" for step in other) for other in plans.values())
    if any(step["reader"] == "box" for step in plan):
        return plan
    if boxes >= LEAST and 2 * boxes > len(plans):
        return [{"reader": "box", "layers": sorted(looks[number])}]
    steps: defaultdict[str, list[int]] = defaultdict(list)
    for step in plan:
        for layer in step["layers"]:
            votes = Counter(
                reader for other in plans if (reader := _reader(looks[number][layer], plans[other], looks[other]))
            )
            best, count = votes.most_common(1)[0]
            sure = count >= LEAST and 2 * count >= votes.total() and 2 * votes[step["reader"]] <= count
            steps[best if sure and best != "box" else step["reader"]].append(layer)
    return [{"reader": reader, "layers": sorted(steps[reader])} for reader in ORDER if reader in steps]


def _reader(row: Mapping[str, Any], plan: Plan, looks: Mapping[int, Any]) -> str:
    """What a panel reads the layer with that has the name of this one, or nearly its colour; "" if it has none."""
    off = {layer: _apart(row, looks[layer]) for step in plan for layer in step["layers"]}
    like = min(off, key=lambda layer: off[layer], default=0)
    if not like or off[like] > NEAR:
        return ""
    return next(str(step["reader"]) for step in plan if like in step["layers"])


def _apart(one: Mapping[str, Any], other: Mapping[str, Any]) -> int:
    """The largest difference of two colours' channels; 0 for layers of one name."""
    if one["name"] and one["name"] == other["name"]:
        return 0
    pairs = zip(bytes.fromhex(one["colour"][1:]), bytes.fromhex(other["colour"][1:]), strict=True)
    return max(abs(a - b) for a, b in pairs)
