"""Annotation boxes are left out of the ink; values printed inside bars and segments are not."""

from __future__ import annotations

import numpy as np
import pytest

from tools.text_boxes import text_boxes
from tools.types import Box, Rgb, Word

WHITE = np.array([255.0, 255.0, 255.0], dtype=np.float32)
TEXT = Box(40, 40, 79, 49)
WORD = Word("n = 42", TEXT, 1.0)


def drawing(fill: Rgb, box: Box, frame: bool = False) -> np.ndarray:
    pixels = np.full((100, 140, 3), 255, np.float32)
    rows, columns = box.slices(100, 140)
    if frame:
        pixels[rows, columns] = 0
        rows, columns = box.grown(-1).slices(100, 140)
    pixels[rows, columns] = fill
    pixels[41:49, 42:78:3] = 0  # strokes of letters
    return pixels


@pytest.mark.parametrize(
    ("fill", "frame"), [((245, 222, 179), False), ((245, 222, 179), True), ((255, 255, 255), True)]
)
def test_a_box_around_words_is_masked_with_its_frame(fill: Rgb, frame: bool) -> None:
    box = TEXT.grown(6)
    mask = text_boxes(drawing(fill, box, frame), WHITE, [WORD], [])
    rows, columns = box.slices(100, 140)
    assert mask[rows, columns].all()
    assert mask.sum() < 1.7 * box.width * box.height


@pytest.mark.parametrize("box", [Box(30, 34, 79, 99), Box(0, 34, 120, 56)])
def test_words_inside_a_bar_leave_it_ink(box: Box) -> None:
    assert not text_boxes(drawing((70, 120, 200), box), WHITE, [WORD], []).any()


def test_a_segment_as_small_as_its_value_is_ink_by_its_legend_or_its_neighbours() -> None:
    box = TEXT.grown(4)
    fill: Rgb = (70, 120, 200)
    assert not text_boxes(drawing(fill, box), WHITE, [WORD], [fill]).any()
    stacked = drawing(fill, box)
    stacked[54:99, 36:84] = (200, 60, 60)
    stacked[5:36, 36:84] = (60, 160, 60)
    stacked[:, :36] = stacked[:, 84:] = (90, 90, 90)
    assert not text_boxes(stacked, WHITE, [WORD], []).any()


def test_words_on_paper_and_markers_read_as_letters_are_no_boxes() -> None:
    assert not text_boxes(drawing((255, 255, 255), TEXT.grown(4)), WHITE, [WORD], []).any()
    assert not text_boxes(drawing((245, 222, 179), TEXT.grown(4)), WHITE, [Word("o", TEXT, 1.0)], []).any()
