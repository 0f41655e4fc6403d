"""Lollipops: the value is the middle of the head, upright, hanging and lying; bare stems and bars are none."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tools.barplots import categories, layer, plot, values
from tools.lollipops import read_lollipops

HEIGHTS = [80.0, 33.0, -20.0, 55.0]
BASE = 90.0


def lollipops(radius: float) -> np.ndarray:  # type: ignore[type-arg]
    """(120, 200) coverage: stems 2 px wide on row 90 in columns 30, 70, 110 and 150, round heads at their ends."""
    rows, columns = np.indices((120, 200)).astype(float)
    picture = np.zeros((120, 200), dtype=np.float32)
    for number, height in enumerate(HEIGHTS):
        x, y = 30.5 + 40 * number, BASE - height
        stem = (abs(columns - x) < 1) & (rows >= min(y, BASE)) & (rows <= max(y, BASE))
        head = np.clip(radius + 0.5 - np.hypot(columns - x, rows - y), 0, 1)
        picture = np.maximum(picture, np.maximum(stem, head)).astype(np.float32)
    return picture


@pytest.mark.parametrize("lying", [False, True])
def test_heads_are_read_in_their_middle(lying: bool) -> None:
    picture = lollipops(4.0)
    axes = [values("left", BASE, 1.0), categories("bottom", 30.5, 40, "abcd")]
    if lying:  # turned so that values grow rightwards
        picture = np.ascontiguousarray(picture.T[:, ::-1])
        axes = [values("bottom", 119 - BASE, 1.0), categories("left", 30.5, 40, "abcd")]
    one = layer(picture)
    panel, ink = plot([one], axes)
    (found,) = read_lollipops(panel, ink, [one])
    axis = panel.axis(found.axis)
    assert axis is not None
    assert axis.to_value([m.x if lying else m.y for m in found.marks]) == pytest.approx(HEIGHTS, abs=0.4)


def test_stems_without_heads_and_bars_are_no_lollipops() -> None:
    bare = layer(lollipops(0.0))
    panel, ink = plot([bare], [values("left", BASE, 1.0), categories("bottom", 30.5, 40, "abcd")])
    assert read_lollipops(panel, ink, [bare]) == ()
    wide = np.zeros((120, 200), dtype=np.float32)
    wide[20:90, 20:40] = wide[40:90, 60:80] = wide[50:90, 100:120] = 1.0
    assert read_lollipops(panel, ink, [layer(wide)]) == ()
