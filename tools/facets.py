"""Facet strips: the captions, in frames of their own, that stand on top or at the right of the panels of a grid.

Not handled here: strips without a frame (their text is found as a title), strips at the left or at the bottom.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tools.plot_area import Outline
from tools.strokes import Stroke
from tools.types import Box, Word


@dataclass(frozen=True)
class Strip:
    """A caption and its frame; `beside` says that it stands at the right of its panel, not on top."""

    box: Box
    text: str
    beside: bool = False


def as_strip(outline: Outline, words: Sequence[Word]) -> Strip | None:
    """The outline as a strip of its own, with no panel in the same frame; None if it is not one line of text."""
    return _caption(outline.box, words, beside=False) or _caption(outline.box, words, beside=True)


def cut_strips(outline: Outline, words: Sequence[Word]) -> tuple[Box, tuple[Strip, ...]]:
    """The outline without the strips that share its frame, and these strips."""
    box, strips = outline.box, []
    for stroke in sorted(outline.horizontal, key=lambda stroke: stroke.position):
        part = Box(box.x0, box.y0, box.x1, stroke.position)
        if not _divides(stroke, box.x0, box.x1) or part.height < 6 or part.height > 0.5 * box.height:
            continue
        strip = _caption(part, words, beside=False)
        if strip and not any(_enters(line, box.x0, box.x1, line.start < part.y1 - 4) for line in outline.vertical):
            strips.append(strip)
            box = Box(box.x0, stroke.position, box.x1, box.y1)
            break
    for stroke in sorted(outline.vertical, key=lambda stroke: -stroke.position):
        part = Box(stroke.position, box.y0, box.x1, box.y1)
        if not _divides(stroke, box.y0, box.y1) or part.width < 6 or part.width > 0.5 * box.width:
            continue
        strip = _caption(part, words, beside=True)
        if strip and not any(_enters(line, box.y0, box.y1, line.end > part.x0 + 4) for line in outline.horizontal):
            strips.append(strip)
            box = Box(box.x0, box.y0, stroke.position, box.y1)
            break
    return box, tuple(strips)


def _divides(stroke: Stroke, low: float, high: float) -> bool:
    slack = 3 + 1.5 * stroke.thickness
    return stroke.start <= low + slack and stroke.end >= high - slack


def _enters(stroke: Stroke, low: float, high: float, beyond: bool) -> bool:
    """Is this a grid line, not the frame, that runs on into the strip?"""
    return beyond and low + 5 < stroke.position < high - 5 and stroke.length > 0.3 * (high - low)


def _caption(box: Box, words: Sequence[Word], beside: bool) -> Strip | None:
    """One centred line of text that fills the box across."""
    inside = [word for word in words if box.contains(*word.box.centre)]
    if not inside:
        return None
    if beside:
        thick, room = max(word.box.width for word in inside), box.width
        centre = (min(word.box.y0 for word in inside) + max(word.box.y1 for word in inside)) / 2
        off = abs(centre - box.centre[1]) / max(1.0, box.height)
        spread = max(word.box.centre[0] for word in inside) - min(word.box.centre[0] for word in inside)
        upright = all(word.box.height >= word.box.width for word in inside)
    else:
        thick, room = max(word.box.height for word in inside), box.height
        centre = (min(word.box.x0 for word in inside) + max(word.box.x1 for word in inside)) / 2
        off = abs(centre - box.centre[0]) / max(1.0, box.width)
        spread = max(word.box.centre[1] for word in inside) - min(word.box.centre[1] for word in inside)
        upright = box.width > box.height
    if not upright or room > 4 * thick or thick > room + 4 or spread > 0.5 * thick or off > 0.12:
        return None
    return Strip(box, " ".join(word.text for word in sorted(inside, key=lambda word: word.box.x0)), beside)
