"""How ECS of a data set depends on its switches: theta, lambda, the NLS threshold, one at a time.

Not handled here: which data sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from evaluation.ecs import PAPER, EcsImage, EcsOptions, LabelledSeries, ecs_dataset

THETAS = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1)  # the grids of the paper
GAPS = (0.25, 0.5, 1.0, 2.0, 4.0)
NLS_THRESHOLDS = (0.0, 0.3, 0.5, 0.7, 0.9)
SWEEPS: dict[str, tuple[float, ...]] = {"theta": THETAS, "gap": GAPS, "nls_threshold": NLS_THRESHOLDS}


@dataclass(frozen=True)
class SweepPoint:
    """One setting and the score of the whole set under it (None where nothing is defined)."""

    switch: str
    setting: float
    result: EcsImage | None


def sweep_ecs(
    images: Sequence[tuple[Sequence[LabelledSeries], Sequence[LabelledSeries]]], options: EcsOptions = PAPER
) -> list[SweepPoint]:
    """ECS of the images, each (predicted series, true series), for each setting of SWEEPS, the rest as in `options`."""
    points = []
    for switch, settings in SWEEPS.items():
        for setting in settings:
            changed: dict[str, Any] = {switch: setting}
            points.append(SweepPoint(switch, setting, ecs_dataset(images, replace(options, **changed))))
    return points
