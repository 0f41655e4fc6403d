"""Violins are known by their curved sides; boxes with thick whiskers and outliers that touch them are none."""

from __future__ import annotations

import cv2
import numpy as np

from tests.tools.shapes import ink_of, panel_of
from tools.ink import PlotInk
from tools.types import Anchor, Axis
from tools.unread import shows_violins


def violins() -> PlotInk:
    """Three upright violins at x = 100, 300 and 500 of a plot of 600 x 400 px."""
    plane = np.zeros((400, 600), dtype=np.uint8)
    rows = np.arange(60, 340)
    for x in (100, 300, 500):
        half = 4 + 50 * np.exp(-(((rows - 200) / 60.0) ** 2))
        for row, reach in zip(rows, half, strict=True):
            plane[row, x - int(reach) : x + int(reach) + 1] = 1
    return ink_of([(plane.astype(np.float32), (0, 0, 0), "")])


def test_thick_boxes_with_outliers_are_no_violins() -> None:
    plane = np.zeros((400, 600), dtype=np.uint8)
    for x in (100, 300, 500):
        cv2.rectangle(plane, (x - 35, 150), (x + 35, 230), 1, -1)
        cv2.line(plane, (x, 60), (x, 330), 1, 6)
        for y in (345, 365):
            cv2.fillPoly(plane, [np.array([[x, y - 12], [x + 12, y], [x, y + 12], [x - 12, y]], np.int32)], 1)
    assert not shows_violins(ink_of([(plane.astype(np.float32), (0, 0, 0), "")]))


def test_violins_are_known() -> None:
    assert shows_violins(violins())


def test_arrows_are_no_violins() -> None:
    plane = np.zeros((400, 600), dtype=np.uint8)
    for x, y, way in ((100, 120, 1), (500, 280, -1)):
        cv2.line(plane, (x, y), (x + way * 90, y), 1, 7)
        tip = [(x + way * 80, y - 16), (x + way * 110, y), (x + way * 80, y + 16)]
        cv2.fillPoly(plane, [np.array(tip, np.int32)], 1)
    assert not shows_violins(ink_of([(plane.astype(np.float32), (0, 0, 0), "")]))


def test_ellipses_around_groups_are_no_violins() -> None:
    plane = np.zeros((400, 600), dtype=np.uint8)
    for x, y in ((100, 120), (300, 250), (500, 150)):
        cv2.ellipse(plane, (x, y), (70, 90), 0, 0, 360, 1, -1)
    assert not shows_violins(ink_of([(plane.astype(np.float32), (0, 0, 0), "")]))


def test_violins_stand_at_the_labels_of_their_axis() -> None:
    ink = violins()
    for start, found in ((20.0, True), (60.0, False)):
        ticks = tuple(Anchor(start + 100.0 * k, float(k), str(k)) for k in range(5))
        across = Axis("bottom", "linear", 0.01, -start / 100, ticks)
        assert shows_violins(ink, panel_of(400, 600, across)) is found
