"""A page that lies on its side, turned: its figures were set sideways to fill the sheet.

Such a page has its numbers along both axes turned by a right angle, and next to none that stand upright; a chart whose
category names alone are turned is left as it is.
Not handled here: single figures on their side between upright text, pages upside down, pictures of text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.types import Box, Drawing, Figure, Floats, VectorPath, Word

LADDER = 3  # numbers in one row and in one column that make two axes
UPRIGHT = 2  # numbers that stand upright all the same: of the page, in its heading
NEAR = 12.0  # px between the ends of tick labels in one row


def turned_upright(page: Figure) -> Figure:
    """The page, turned by a quarter where its text lies on its side: its pixels, text, paths and places of pictures."""
    side = _side(page.text)
    if not side:
        return page
    turn = _Quarter(side > 0, page.height, page.width)
    drawing = page.drawing or Drawing()
    way = "clockwise" if side > 0 else "counter-clockwise"
    return replace(
        page,
        pixels=np.ascontiguousarray(np.rot90(page.pixels, -1 if side > 0 else 1)),
        text=tuple(_word(word, turn) for word in page.text),
        drawing=Drawing(tuple(_path(p, turn) for p in drawing.paths), tuple(map(turn.box, drawing.pictures))),
        warnings=(*page.warnings, f"the page lies on its side: its pixels are those of the page turned {way}"),
    )


class _Quarter:
    """A quarter turn of a page of these sizes in px: the centre of pixel i stays the centre of a pixel."""

    def __init__(self, clockwise: bool, height: int, width: int) -> None:
        self.clockwise, self.height, self.width = clockwise, height, width

    def points(self, points: Floats) -> Floats:
        """(n, 2) turned."""
        x, y = points.T
        new = (self.height - 1 - y, x) if self.clockwise else (y, self.width - 1 - x)
        return np.column_stack(new)

    def box(self, box: Box) -> Box:
        (x0, y0), (x1, y1) = self.points(np.array([(box.x0, box.y0), (box.x1, box.y1)]))
        return Box(float(min(x0, x1)), float(min(y0, y1)), float(max(x0, x1)), float(max(y0, y1)))


def _side(words: Sequence[Word]) -> int:
    """1 where the text of a page runs upwards, -1 where it runs downwards, 0 where neither axis says so."""
    numbers = [word for word in words if any(c.isdigit() for c in word.text)]
    level = [word for word in numbers if word.angle == 0]
    if len(level) > UPRIGHT:
        return 0
    for angle, side in ((90, 1), (-90, -1)):
        own = [word.box for word in numbers if word.angle == angle]
        rows = [box.y1 if side > 0 else box.y0 for box in own]
        columns = [box.centre[0] for box in own]
        if _most(rows) >= LADDER and _most(columns) >= LADDER:
            return side
    return 0


def _most(places: Sequence[float]) -> int:
    """How many lie at one place."""
    return max((sum(abs(a - b) < NEAR for b in places) for a in places), default=0)


def _word(word: Word, turn: _Quarter) -> Word:
    angle = word.angle - 90 if turn.clockwise else word.angle + 90
    return replace(word, box=turn.box(word.box), angle=90.0 if abs(angle) == 90 else (angle + 90) % 180 - 90)


def _path(path: VectorPath, turn: _Quarter) -> VectorPath:
    clip = turn.box(path.clip) if path.clip else None
    bounds = turn.box(path.bounds) if path.bounds else None
    return replace(path, points=turn.points(path.points), clip=clip, bounds=bounds)
