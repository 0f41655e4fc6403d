"""Panels over the same axes are read with the reader that most of them have for a colour."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

from agent.multiples import agreed_plans
from tools.types import Axis, Box, Panel
from tools.workbench import Workbench

RED, BLUE = "#c81e1e", "#1e1ec8"
Steps = tuple[tuple[str, tuple[int, ...]], ...]


def panel(column: int, top: float = 10.0) -> Panel:
    left = 150.0 * column
    plot = Box(left, 0, left + 100, 100)
    return Panel(plot, plot, axes=(Axis("bottom", "linear", 0.1, -left / 10), Axis("left", "linear", -top / 100, top)))


@dataclass
class Bench:
    """A stand-in whose panels have two layers, red and blue, and given plans; a plan that is None raises."""

    plans: list[Steps | None]
    tops: list[float]
    figure: Any = field(default_factory=lambda: type("Figure", (), {"drawing": None}))

    @property
    def panels(self) -> list[Panel]:
        return [panel(k, top) for k, top in enumerate(self.tops)]

    def unread_kind(self, number: int) -> str:
        return ""

    def propose_plan(self, number: int) -> list[dict[str, Any]]:
        steps = self.plans[number - 1]
        if steps is None:
            raise ValueError("a fault")
        return [{"reader": reader, "layers": list(layers)} for reader, layers in steps]

    def list_inks(self, number: int) -> list[dict[str, Any]]:
        return [{"layer": 1, "colour": RED, "name": ""}, {"layer": 2, "colour": BLUE, "name": ""}]


def agreed(*plans: Steps | None, tops: list[float] | None = None) -> dict[int, Steps]:
    bench = Bench(list(plans), tops or [10.0] * len(plans))
    found = agreed_plans(cast(Workbench, bench))
    return {n: tuple((step["reader"], tuple(step["layers"])) for step in plan) for n, plan in found.items()}


POINTS: Steps = (("points", (1, 2)),)


def test_the_odd_layer_is_read_as_its_like() -> None:
    found = agreed(POINTS, POINTS, POINTS, (("points", (1,)), ("line", (2,))))
    assert found == dict.fromkeys(range(1, 5), POINTS)


def test_no_majority_changes_nothing() -> None:
    mixed: list[Steps] = [POINTS, POINTS, (("line", (1, 2)),), (("line", (1, 2)),)]
    assert agreed(*mixed) == dict(enumerate(mixed, 1))


def test_boxes_are_one_step_for_all_layers() -> None:
    box: Steps = (("box", (1, 2)),)
    assert agreed(box, box, box, (("bar", (1,)), ("points", (2,)))) == dict.fromkeys(range(1, 5), box)


def test_panels_with_axes_of_their_own_and_faults_are_left_out() -> None:
    odd: Steps = (("line", (1, 2)),)
    assert agreed(POINTS, POINTS, odd, tops=[10.0, 20.0, 30.0]) == {}
    assert agreed(POINTS, POINTS, None, POINTS) == {1: POINTS, 2: POINTS, 4: POINTS}
