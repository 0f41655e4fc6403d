"""Frames around samples and names are hidden from the plot, whether or not anyone can read the names."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tools.colour import Mask
from tools.key_boxes import key_boxes


def frame(ink: Mask, x: int, y: int, w: int, h: int) -> None:
    """An outline, 2 px thick, with its corners left open as round ones are."""
    ink[y : y + 2, x + 2 : x + w - 2] = ink[y + h - 2 : y + h, x + 2 : x + w - 2] = True
    ink[y + 2 : y + h - 2, x : x + 2] = ink[y + 2 : y + h - 2, x + w - 2 : x + w] = True
    for cx, cy in ((x + 1, y + 1), (x + w - 2, y + 1), (x + 1, y + h - 2), (x + w - 2, y + h - 2)):
        ink[cy, cx] = True


def letters(ink: Mask, x: int, y: int, count: int) -> None:
    for k in range(count):
        cv2.circle(ink.view(np.uint8), (x + 14 * k, y), 5, 1, 2)


@pytest.mark.parametrize("height", [2, 8])
def test_the_frame_of_a_legend_with_line_samples_or_patches_is_found(height: int) -> None:
    ink = np.zeros((200, 300), dtype=bool)
    frame(ink, 180, 20, 100, 60)
    for y in (38, 62):
        ink[y : y + height, 190:220] = True
        letters(ink, 236, y + height // 2, 2)
    ink[150:153, 10:290] = True  # a curve
    found = key_boxes(ink)
    assert found[20:80, 180:280].all()
    assert found.sum() == 62 * 102


def test_bars_boxes_and_words_in_frames_stay() -> None:
    ink = np.zeros((200, 300), dtype=bool)
    frame(ink, 20, 40, 40, 150)  # a hollow bar with its value in it
    letters(ink, 32, 60, 2)
    frame(ink, 100, 40, 40, 100)  # a box with its median and a point
    ink[80:82, 100:140] = True
    letters(ink, 118, 60, 1)
    frame(ink, 180, 40, 100, 40)  # a negative number in a frame
    ink[60:62, 200:209] = True
    letters(ink, 222, 61, 3)
    assert not key_boxes(ink).any()


def test_a_frame_that_other_ink_runs_into_is_left_to_other_rules() -> None:
    ink = np.zeros((200, 300), dtype=bool)
    frame(ink, 180, 20, 100, 60)
    ink[38:40, 190:220] = True
    letters(ink, 236, 39, 2)
    ink[50:53, 10:260] = True
    assert not key_boxes(ink).any()
