"""Direct labels: words in the colour of a line, which name it where there is no legend.

Not handled here: black labels joined to their line by a leader, labels on curved text.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tools.colour import as_rgb, chroma, contrast, lab, lab_distance, modal_colour, paper_colour
from tools.types import Box, Figure, Floats, Legend, LegendEntry, Panel, Word

VIVID = 22.0  # Lab chroma from which a text counts as coloured
MATCH = 14.0  # Lab units between a label and its line
FEWEST = 30  # pixels of that colour in the plot, outside the words


def direct_labels(figure: Figure, panel: Panel, words: Sequence[Word]) -> Legend:
    """A legend of the coloured words in or right of the plot whose colour is also drawn in it; empty if none."""
    rows, columns = panel.plot.slices(figure.height, figure.width)
    plot = figure.pixels[rows, columns]
    if min(plot.shape[:2]) < 16:
        return Legend()
    paper = paper_colour(plot)
    free = np.ones(plot.shape[:2], dtype=bool)
    for word in words:
        box = word.box.grown(2)
        local = Box(box.x0 - columns.start, box.y0 - rows.start, box.x1 - columns.start, box.y1 - rows.start)
        free[local.slices(plot.shape[0], plot.shape[1])] = False
    inks = plot[free & (contrast(plot, paper) > 24)]
    inks = inks[:: max(1, len(inks) // 50_000)]
    shades = lab(inks)
    entries = []
    for word, colour in _joined_lines(figure, words):
        if colour is None or sum(c.isalpha() for c in word.text) < 2:
            continue
        if float(chroma(colour)) < VIVID and not _in_column(word, words, figure):
            continue
        close = np.linalg.norm(shades - lab(colour), axis=1) < MATCH
        if close.sum() >= FEWEST:
            drawn = modal_colour(inks[close])
            entries.append(LegendEntry(word.text, as_rgb(drawn), "label", None, word.box))
    return Legend(tuple(entries)) if _distinct(entries) else Legend()


def _distinct(entries: Sequence[LegendEntry]) -> bool:
    """Two labels of one colour name nothing (they are annotations), nor does a lone one."""
    colours = np.array([e.colour for e in entries], dtype=np.float64).reshape(-1, 3)
    return len(entries) >= 2 and all(
        lab_distance(colours[i], colours[j]) > 8 for i in range(len(entries)) for j in range(i)
    )


def _in_column(word: Word, words: Sequence[Word], figure: Figure) -> bool:
    """A black label counts where it stands in one column with coloured ones."""
    line = word.box.height + 1
    column = [w for w in words if abs(w.box.x0 - word.box.x0) < 0.3 * line and w.box.centre != word.box.centre]
    colours = [text_colour(figure.pixels, w.box) for w in column]
    return sum(c is not None and float(chroma(c)) >= VIVID for c in colours) >= 2


def text_colour(pixels: NDArray[np.generic], box: Box) -> Floats | None:
    """The full colour (3,) of the glyphs in a text box: the strokes farthest from the paper; None without ink.

    The paper is seen on the rim of the box: thick letters, or a line sample read as such, may fill most of it.
    """
    rows, columns = box.slices(pixels.shape[0], pixels.shape[1])
    flat = pixels[rows, columns].reshape(-1, 3)
    if len(flat) < 12:
        return None
    rows, columns = box.grown(2).slices(pixels.shape[0], pixels.shape[1])
    around = pixels[rows, columns]
    rim = np.concatenate([around[0], around[-1], around[:, 0], around[:, -1]])
    far = np.linalg.norm(lab(flat) - lab(modal_colour(rim)), axis=1)
    if far.max() < 15:
        return None
    return np.asarray(np.median(flat[far >= 0.85 * np.percentile(far, 98)], axis=0), dtype=np.float64)


def _joined_lines(figure: Figure, words: Sequence[Word]) -> list[tuple[Word, Floats | None]]:
    """Labels and their colours: words of one colour that stand directly under each other at one left edge are one."""
    joined: list[tuple[Word, Floats | None]] = []
    for word in sorted(words, key=lambda w: w.box.y0):
        colour = text_colour(figure.pixels, word.box)
        last = next((n for n, (label, shade) in enumerate(joined) if _continues(label, shade, word, colour)), None)
        if last is None:
            joined.append((word, colour))
        else:
            label, shade = joined[last]
            joined[last] = Word(f"{label.text} {word.text}", label.box.union(word.box)), shade
    return joined


def _continues(label: Word, shade: Floats | None, word: Word, colour: Floats | None) -> bool:
    line = word.box.height + 1
    beneath = abs(label.box.x0 - word.box.x0) <= 0.4 * line and -0.3 * line <= word.box.y0 - label.box.y1 <= 0.65 * line
    return beneath and shade is not None and colour is not None and float(lab_distance(shade, colour)) < 12
