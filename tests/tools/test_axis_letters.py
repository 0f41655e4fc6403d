"""A title of one letter in the middle of its side counts; letters elsewhere do not."""

import pytest

from tools.axis_titles import with_titles
from tools.types import Anchor, Axis, Box, Panel, Word

PLOT = Box(100, 10, 500, 310)
NUMBERS = [Word(text, Box(80, y - 5, 92, y + 5)) for text, y in (("0", 310), ("10", 160), ("20", 10))]


def _title(*words: Word) -> str:
    anchors = tuple(Anchor(w.box.centre[1], float(w.text), w.text, box=w.box) for w in NUMBERS)
    axis = Axis("left", "linear", -1 / 15, 310 / 15, anchors=anchors)
    (panel,) = with_titles([Panel(Box(0, 0, 520, 340), PLOT, axes=(axis,))], [*NUMBERS, *words])
    return panel.axes[0].label


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ([Word("n", Box(50, 156, 58, 164))], "n"),
        ([Word("n", Box(50, 156, 58, 164), 90.0)], "n"),
        ([Word("n", Box(50, 40, 58, 48))], ""),  # the tag of a panel
        ([Word("T", Box(70, 156, 76, 164))], ""),  # a tick mark
        ([Word("3", Box(50, 156, 58, 164))], ""),
        ([Word("n", Box(50, 156, 58, 164)), Word("m", Box(50, 96, 58, 104))], ""),  # names along the side
        ([Word("n", Box(50, 156, 58, 164)), Word("Count", Box(50, 140, 58, 180), 90.0)], "Count"),
    ],
)
def test_a_letter_alone_in_the_middle(words: list[Word], title: str) -> None:
    assert _title(*words) == title
