"""Lines of text that the detector cut short ("Ält" of "Ältere"), grown over the glyphs that go on with them.

Not handled here: slanted lines, letters that touch a curve or a frame, lines of which the detector saw nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tools.types import Box, Floats

_GAP = 0.3  # of the letters' height: between letters of a word
_SPACE = 0.75  # the same between words: what comes after it must be a word of several letters
_ALIKE = (0.6, 1.45)  # heights of further letters, as shares of the usual one
_WORD = 2  # glyphs that a line, or a further word, must hold
_AROUND = 0.3  # of the letters' height: paper of a rectangle beyond them


def with_ends(quads: Sequence[Floats], glyphs: Sequence[Box], strokes: Sequence[Box]) -> list[Floats]:
    """The rectangles (4, 2) of lines, upright ones grown to the left and right (turned ones up and down) over glyphs
    that go on with their own, on the same line, and stand in no other rectangle; those that meet so become one.

    `strokes`: letters like i and l, which end a line as others do but prove none. All in figure pixels.
    """
    boxes = [Box(*map(float, (*quad.min(axis=0), *quad.max(axis=0)))) for quad in quads]
    free = [glyph for glyph in glyphs if not any(box.contains(*glyph.centre) for box in boxes)]
    grown: list[tuple[Box, bool]] = []
    left: list[tuple[Floats, Box, bool]] = []
    for quad, box in zip(quads, boxes, strict=True):
        standing = box.height > 2.5 * box.width
        turn = _turned if standing else _same
        flat = turn(box)
        whole = flat
        if free and len(np.unique(np.round(quad, 3))) <= 4 and flat.height < 1.2 * flat.width:
            own, thin = ([turn(one) for one in some if box.contains(*one.centre)] for some in (glyphs, strokes))
            whole = _grown(flat, own, thin, [turn(one) for one in free])
        if whole is flat:
            left.append((quad, flat, standing))
        else:
            grown.append((whole, standing))
    met = [one for one in left if any(way == one[2] and _on_one_line(one[1], other) for other, way in grown)]
    whole_lines = _united([*grown, *((box, standing) for _, box, standing in met)])
    kept = [quad for quad, box, standing in left if not any(box is one[1] for one in met)]
    return [*kept, *(_corners(_turned(box) if standing else box) for box, standing in whole_lines)]


def _grown(box: Box, own: Sequence[Box], thin: Sequence[Box], free: Sequence[Box]) -> Box:
    """A rectangle around a level line, grown over the `free` glyphs that follow its `own` ones and its `thin` strokes;
    itself where none do."""
    if _distinct(own) < _WORD:
        return box
    size = float(np.median([glyph.height + 1 for glyph in own]))
    foot, top = max(glyph.y1 for glyph in own), min(glyph.y0 for glyph in own)
    line = [
        one for one in free
        if _ALIKE[0] * size <= one.height + 1 <= _ALIKE[1] * size and one.width < 1.6 * size
        and top - 0.25 * size <= one.y0 and one.y1 <= foot + 0.25 * size
    ]  # fmt: skip
    left, right = min(one.x0 for one in (*own, *thin)), max(one.x1 for one in (*own, *thin))
    end = _followed(right, [(one.x0, one.x1) for one in line], size)
    start = -_followed(-left, [(-one.x1, -one.x0) for one in line], size)
    x0 = box.x0 if start == left else min(box.x0, start - _AROUND * size)
    x1 = box.x1 if end == right else max(box.x1, end + _AROUND * size)
    return box if (x0, x1) == (box.x0, box.x1) else Box(x0, box.y0, x1, box.y1)


def _distinct(glyphs: Sequence[Box]) -> int:
    """How many glyphs stand side by side; those seen twice, or over each other, are one."""
    count, end = 0, -np.inf
    for one in sorted(glyphs, key=lambda one: one.x0):
        count += one.x0 > end
        end = max(end, one.x1)
    return count


def _followed(end: float, spans: Sequence[tuple[float, float]], size: float) -> float:
    """Where a word that ends at `end` does end, given first and last column of further glyphs of `size` px; words of
    several glyphs after a space belong to it."""
    words: list[tuple[float, float, int]] = []
    for start, stop in sorted(spans):
        if words and start - words[-1][1] <= _GAP * size + 1:
            first, last, count = words[-1]
            words[-1] = first, max(last, stop), count + (stop > last + 2)  # seen twice, it is one glyph
        else:
            words.append((start, stop, 1))
    for start, stop, count in words:
        gap = start - end - 1
        if stop > end and gap <= (_SPACE if count >= _WORD else _GAP) * size and gap > -0.5 * size:
            end = stop
    return end


def _united(boxes: Sequence[tuple[Box, bool]]) -> list[tuple[Box, bool]]:
    """The boxes of level lines (True: of lines that ran upright), those made one that lie over each other."""
    done: list[tuple[Box, bool]] = []
    for box, standing in boxes:
        for i, (other, way) in enumerate(done):
            if way == standing and _on_one_line(box, other):
                done[i] = other.union(box), way
                break
        else:
            done.append((box, standing))
    return done


def _on_one_line(one: Box, other: Box) -> bool:
    rows = min(one.y1, other.y1) - max(one.y0, other.y0)
    lower, higher = sorted((one.height, other.height))
    return one.overlaps(other, 0.15 * lower) and rows > 0.6 * higher


def _corners(box: Box) -> Floats:
    return np.array([(box.x0, box.y0), (box.x1, box.y0), (box.x1, box.y1), (box.x0, box.y1)])


def _same(box: Box) -> Box:
    return box


def _turned(box: Box) -> Box:
    """Rows and columns exchanged."""
    return Box(box.y0, box.x0, box.y1, box.x1)
