"""Markers that were rounded to whole pixels along with the tick marks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tools.types import Anchor, Axis, Box, Mark, Panel, Series
from tools.whole_pixels import unrounded


def axis(side: str, shift: float) -> Axis:
    """Value = pixel / 10, its tick marks `shift` px beyond their places."""
    anchors = tuple(Anchor(100.0 * k + shift, 10.0 * k, str(10 * k), "tick") for k in range(1, 5))
    return Axis(side, "linear", 0.1, 0.0, anchors)  # type: ignore[arg-type]


def markers(places: np.ndarray) -> Series:
    return Series("", (0, 0, 0), "points", tuple(Mark("marker", float(x), float(y)) for x, y in places))


@pytest.mark.parametrize(("shift", "noise", "moved"), [(0.5, 0.0, 0.5), (0.0, 0.0, 0.0), (0.5, 0.3, 0.0)])
def test_markers_on_whole_pixels_are_moved_like_the_ticks(shift: float, noise: float, moved: float) -> None:
    box = Box(50, 50, 450, 450)
    panel = Panel(box, box, axes=(axis("bottom", shift), axis("left", shift)))
    rng = np.random.default_rng(3)
    places = np.round(rng.uniform(60, 440, (20, 2))) + noise * rng.uniform(-1.6, 1.6, (20, 2))
    found = unrounded(panel, markers(places))
    at = np.array([(mark.x, mark.y) for mark in found.marks])
    assert np.allclose(at, places - moved)
    assert (
        unrounded(panel, replace(markers(places), marks=markers(places).marks[:3])).marks == markers(places[:3]).marks
    )
