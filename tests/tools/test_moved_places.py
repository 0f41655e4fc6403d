"""A curve without found markers beside others (dodged) has its points where theirs are, moved by one distance."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.tools.test_lines import plot, stroke
from tools.lines import read_lines
from tools.moved_places import merged, shifted_places

PLACES = np.array([20.0, 70.0, 120.0, 170.0, 220.0])


def test_two_finds_of_one_marker_are_one() -> None:
    found = np.array([10.0, 50.0, 52.0, 90.0])
    assert merged(found, 2.4).tolist() == [10.0, 51.0, 90.0]
    assert merged(found, 1.5).tolist() == found.tolist()
    assert merged(np.zeros(0), 1.5).tolist() == []


def test_places_are_moved_to_where_the_curve_turns() -> None:
    turns = np.sort(np.concatenate([PLACES + 10 - 1, PLACES + 10 + 1]))
    moved = shifted_places(PLACES, turns, (28.0, 232.0))
    assert any(np.abs(places - PLACES - 10).max() < 0.5 for places in moved)
    assert all(np.abs(places - PLACES - 10).max() < 8 for places in moved)


def test_a_curve_that_turns_elsewhere_too_or_reaches_farther_is_not_their_neighbour() -> None:
    turns = PLACES + 10
    between = np.sort(np.concatenate([turns, turns[:-1] + 25]))
    assert shifted_places(PLACES, between, (28.0, 232.0)) == []
    assert shifted_places(PLACES, turns, (5.0, 300.0)) == []
    assert shifted_places(PLACES, turns[:-1], (28.0, 182.0)) == []
    assert shifted_places(PLACES[:3], turns[:3], (28.0, 132.0)) == []


def test_a_curve_with_error_bars_and_no_markers_has_the_places_of_its_neighbours() -> None:
    layers: list[NDArray[np.float32]] = []
    for shift, middle, radius in ((-8.0, 30.0, 5), (0.0, 130.0, 0), (8.0, 80.0, 5)):
        x, y = PLACES + 20 + shift, middle + np.array([0.0, 12.0, -8.0, 10.0, 4.0])
        canvas = (stroke(170, 280, x, y) * 255).astype(np.uint8)
        for a, b in zip(x.round().astype(int), y.round().astype(int), strict=True):
            if radius:
                cv2.circle(canvas, (int(a), int(b)), radius, 255, -1)
            else:
                cv2.line(canvas, (int(a), int(b) - 12), (int(a), int(b) + 12), 255, 2)
                for end in (int(b) - 12, int(b) + 12):
                    cv2.line(canvas, (int(a) - 4, end), (int(a) + 4, end), 255, 2)
        layers.append((canvas / 255).astype(np.float32))
    panel, ink = plot(*layers)
    found = read_lines(panel, ink, ink.layers)
    assert len(found) == 3
    for series, shift in zip(found, (-8.0, 0.0, 8.0), strict=True):
        at = np.array([mark.x for mark in series.marks if mark.part in ("vertex", "marker", "sample")]) - ink.origin[0]
        assert len(at) == len(PLACES)
        np.testing.assert_allclose(at, PLACES + 20 + shift, atol=1.5)
