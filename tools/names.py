"""Words that could name a series: what is left when tick labels, categories and misread markers are taken out.

Not handled here: which of them have a swatch (`legend`), names broken over more than three lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.colour import Floats32, chroma, contrast, lab_distance, modal_colour
from tools.direct_labels import text_colour
from tools.types import Box, Panel, Word


def possible_names(words: Sequence[Word], panels: Sequence[Panel]) -> list[Word]:
    """Upright words that could name a series: no tick labels or categories. (A title next to a swatch is a name.)"""
    seats = [anchor.box for p in panels for axis in p.axes for anchor in axis.anchors if anchor.box is not None]
    return [
        w
        for w in words
        if abs(w.angle) < 5
        and any(c.isalnum() for c in w.text)
        and not any(w.box.overlaps(seat, -1) for seat in seats)
        and not _is_category(w, panels)
    ]


def is_glyph(pixels: Floats32, word: Word, panels: Sequence[Panel]) -> bool:
    """A marker read as a letter: one sign inside a plot, in colour or shaped like a marker."""
    if len(word.text) > 1 or not any(p.plot.contains(*word.box.centre) for p in panels):
        return False
    colour = text_colour(pixels, word.box)
    return word.text in "oO0xXlIT" or (colour is not None and float(chroma(colour)) > 20)


def without_sample(pixels: Floats32, word: Word) -> Word:
    """The word without a line sample or marker that was read as its first sign: `- Dubai` becomes `Dubai`.

    Also where only the box holds the sample: coloured ink before text in black.
    """
    first, _, rest = word.text.partition(" ")
    sign = bool(rest) and len(first) <= 2 and not any(c.isalnum() and c not in "oO" for c in first)
    rows, columns = word.box.grown(1).slices(pixels.shape[0], pixels.shape[1])
    part = pixels[rows, columns]
    if not part.size:
        return word
    ink = contrast(part, modal_colour(part.reshape(-1, 3))) > 40
    edges = np.flatnonzero(np.diff(np.concatenate(([0], ink.any(axis=0).astype(np.int8), [0]))))
    for end, start in zip(edges[1::2], edges[2::2], strict=False):
        if start - end >= 0.25 * word.box.height:
            before, after = part[:, :end][ink[:, :end]], part[:, start:][ink[:, start:]]
            unlike = float(lab_distance(np.median(before, axis=0), np.median(after, axis=0))) > 30
            if sign or (unlike and end <= 2.5 * word.box.height and len(word.text) <= 12):
                box = Box(columns.start + float(start), word.box.y0, word.box.x1, word.box.y1)
                return replace(word, text=rest if sign else word.text, box=box)
    return word


def _is_category(word: Word, panels: Sequence[Panel]) -> bool:
    """A category label of a bar chart: one of the categories, outside the plot on the side of that axis."""
    for panel in panels:
        for axis in panel.axes:
            if word.text not in axis.categories:
                continue
            x, y = word.box.centre
            beside = {"left": x < panel.plot.x0, "right": x > panel.plot.x1, "top": y < panel.plot.y0}
            if beside.get(axis.side, y > panel.plot.y1) and len(axis.categories) > 1:
                return _aligned_with_axis(word, axis.side, panel)
    return False


def _aligned_with_axis(word: Word, side: str, panel: Panel) -> bool:
    x, y = word.box.centre
    if side in ("bottom", "top"):
        return panel.plot.x0 - 20 <= x <= panel.plot.x1 + 20
    return panel.plot.y0 - 20 <= y <= panel.plot.y1 + 20


def blocks(names: Sequence[Word]) -> list[tuple[str, Box, float]]:
    """Words alone, and runs of two or three words that stand directly under each other at one left edge."""
    blocks = [(w.text, w.box, w.box.height + 1) for w in names]
    below = {id(w): _next_line(w, names) for w in names}
    for word in names:
        run = [word]
        while (after := below[id(run[-1])]) is not None and len(run) < 3:
            run.append(after)
            box = run[0].box
            for w in run[1:]:
                box = box.union(w.box)
            blocks.append((" ".join(w.text for w in run), box, float(np.median([w.box.height + 1 for w in run]))))
    return blocks


def _next_line(word: Word, names: Sequence[Word]) -> Word | None:
    line = word.box.height + 1
    under = [
        w
        for w in names
        if w is not word
        and abs(w.box.x0 - word.box.x0) <= 0.5 * line
        and 0 <= w.box.centre[1] - word.box.centre[1] <= 1.75 * line
        and w.box.y0 > word.box.centre[1]
    ]
    return min(under, key=lambda w: w.box.y0, default=None)


def words_near(words: Sequence[Word], panel: Panel, panels: Sequence[Panel]) -> list[Word]:
    """Words in or beside the plot of this panel that could be direct labels."""
    names = possible_names(words, panels)
    reach = panel.plot.grown(0)
    right = Box(panel.plot.x1, panel.plot.y0, max(panel.box.x1, panel.plot.x1 + 0.35 * panel.plot.width), panel.plot.y1)
    others = [p.plot for p in panels if p is not panel]
    return [
        w
        for w in names
        if (reach.contains(*w.box.centre) or right.contains(*w.box.centre))
        and not any(o.contains(*w.box.centre) for o in others)
    ]
