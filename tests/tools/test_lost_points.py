"""Decimal points that a scan lost come back where the ladder proves them."""

from __future__ import annotations

import pytest

from tools.lost_points import with_points
from tools.types import Box, Word

TENTHS = ["4.0", "35", "3 0", "025", "20", "15", "10", "05", "0.0"]


def labels(texts: list[str], down: bool) -> list[Word]:
    """Right-aligned labels 50 px apart down a column, or centred along a row."""
    boxes = [
        Box(60.0 - 6 * len(t), 50.0 * i, 60.0, 50.0 * i + 10) if down else Box(60.0 * i, 5.0, 60.0 * i + 9, 15.0)
        for i, t in enumerate(texts)
    ]
    return [Word(text, box) for text, box in zip(texts, boxes, strict=True)]


@pytest.mark.parametrize("down", [True, False])
def test_points_come_back(down: bool) -> None:
    back = [word.text for word in with_points(labels(TENTHS, down))]
    assert back == ["4.0", "3.5", "3.0", "2.5", "2.0", "1.5", "1.0", "0.5", "0.0"]


@pytest.mark.parametrize(
    "texts",
    [
        ["40", "35", "30", "25", "20", "15", "10", "5", "0"],  # none lost
        ["4.0", "3.5", "3.0", "2.5", "2.0"],
        ["40", "30", "20", "10", "0.0"],  # the point tells nothing: zero is zero
        ["120", "98", "80", "61", "0.5"],  # no ladder
    ],
)
def test_numbers_without_proof_stay_as_they_are(texts: list[str]) -> None:
    assert [word.text for word in with_points(labels(texts, True))] == texts
