"""Bars on whole numbers: half a pixel taken off all of them, other values left alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tools.counts import off_lattice, on_counts
from tools.types import Axis, Box, Mark, Panel, Series

COUNTS = np.array([1, 4, 2, 9, 14, 17, 11, 23, 8, 5, 3, 2, 6, 12, 1.0])
ZERO = 200.0  # the row of the value 0


def axis(step: float) -> Axis:
    """A left axis with `step` pixels per unit."""
    return Axis("left", "linear", -1 / step, ZERO / step, ())


def bars(values: np.ndarray, step: float, away: float, kind: str = "bar", feet: np.ndarray | None = None) -> Series:
    """Upright bars `away` px too high."""
    feet = np.zeros(len(values)) if feet is None else feet
    marks = []
    for k, (value, foot) in enumerate(zip(values, feet, strict=True)):
        top, base = (ZERO - v * step - away for v in (foot + value, foot))
        part = "segment" if kind == "stack" else "bar"
        marks.append(Mark(part, 10.0 * k + 5, top, Box(10.0 * k, top, 10.0 * k + 8, base)))  # type: ignore[arg-type]
    return Series("", (0, 0, 255), kind, tuple(marks))  # type: ignore[arg-type]


def panel(step: float) -> Panel:
    box = Box(0, 0, 300, ZERO)
    return Panel(box, box, axes=(axis(step),))


@pytest.mark.parametrize("step", [1.27, 2.4, 7.0])
@pytest.mark.parametrize("away", [-0.53, 0.0, 0.4])
def test_bars_of_counts_end_on_whole_numbers(step: float, away: float) -> None:
    (found,) = on_counts(panel(step), [bars(COUNTS, step, away)])
    got = [float(axis(step).to_value(mark.y)) for mark in found.marks]
    np.testing.assert_allclose(got, COUNTS, atol=1e-9)


def test_other_values_stay_where_they_are() -> None:
    values = np.array([1.3, 4.71, 2.05, 9.48, 14.9, 17.22, 11.6, 23.37, 8.8, 5.13, 3.94, 2.56, 6.29, 12.75, 1.02])
    before = bars(values, 7.0, 0.3)
    assert on_counts(panel(7.0), [before]) == [before]


def test_few_heights_prove_nothing() -> None:
    before = bars(np.array([3.0, 5.0, 3.0, 5.0, 8.0, 3.0]), 7.0, 0.5)
    assert on_counts(panel(7.0), [before]) == [before]


def test_edges_on_whole_pixels_tell_nothing_of_a_lattice_of_pixels() -> None:
    assert off_lattice(axis(1.0), np.arange(20.0, 60.0), np.full(40, ZERO)) is None


def test_segments_keep_their_sizes_and_their_feet() -> None:
    feet = COUNTS[::-1].copy()
    (found,) = on_counts(panel(5.0), [bars(COUNTS, 5.0, 0.4, "stack", feet)])
    sizes = [mark.box.height / 5.0 for mark in found.marks if mark.box]
    np.testing.assert_allclose(sizes, COUNTS, atol=1e-9)


def test_half_a_step_is_taken_the_way_the_feet_show() -> None:
    for away in (0.49, -0.49):  # of 1.15 px: nearly half of the step
        (found,) = on_counts(panel(1.16), [bars(COUNTS, 1.16, away)])
        got = [float(axis(1.16).to_value(mark.y)) for mark in found.marks]
        np.testing.assert_allclose(got, COUNTS, atol=1e-9)


def test_strokes_in_the_colour_of_the_paper_hide_half_their_width_of_every_bar() -> None:
    (found,) = on_counts(panel(8.0), [bars(COUNTS, 8.0, -1.45)])  # gaps of 2 px: strokes of 2 px
    np.testing.assert_allclose([float(axis(8.0).to_value(mark.y)) for mark in found.marks], COUNTS, atol=1e-9)
    wide = bars(COUNTS, 8.0, -1.45)
    apart = replace(wide, marks=tuple(replace(m, box=replace(m.box, x1=m.box.x0 + 3)) for m in wide.marks if m.box))
    assert on_counts(panel(8.0), [apart]) == [apart]
