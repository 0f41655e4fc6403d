"""Words that could name a series: what is left when tick labels, categories and misread markers are taken out.

Not handled here: which of them have a swatch (`legend`), names broken over more than three lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, islice, pairwise

import numpy as np

from tools.colour import Floats32, Mask, chroma, contrast, lab, modal_colour
from tools.direct_labels import text_colour
from tools.types import Box, Panel, Word

DESCENDING = "βγζηξρφχψ"  # before low signs, as in `ζ = 0.1`


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
    square = word.box.width <= 1.2 * word.box.height and re.fullmatch(r"\w\^\d", word.text)  # an open triangle as V^7
    if square:
        return any(p.plot.contains(*word.box.centre) for p in panels)
    if len(word.text) > 1 or not any(p.plot.contains(*word.box.centre) for p in panels):
        return False
    colour = text_colour(pixels, word.box)
    return word.text in "oO0xXlIT" or (colour is not None and float(chroma(colour)) > 20)


def split_at_samples(pixels: Floats32, word: Word) -> list[Word]:
    """The names in a line of text that was read across legend samples: `- Dubai` is Dubai, `0.5 o 1` is 0.5 and 1.

    A sample is ink unlike the letters; the letters' colour is that of most runs of ink.
    """
    if word.text[:1] in ("+", "\u00d7") and word.text[1:2].isalpha():  # read without the space behind the sample
        word = replace(word, text=f"{word.text[0]} {word.text[1:]}")
    rows, columns = word.box.grown(1).slices(pixels.shape[0], pixels.shape[1])
    part = pixels[rows, columns]
    if part.shape[0] < 4 or part.shape[1] < 4:
        return [word]
    ink = contrast(part, modal_colour(part.reshape(-1, 3))) > 40
    edges = np.flatnonzero(np.diff(np.concatenate(([0], ink.any(axis=0).astype(np.int8), [0]))))
    runs = list(zip(edges[::2], edges[1::2], strict=True))
    samples = _unlike_letters(part, ink, runs)
    samples = [one or full for one, full in zip(samples, _full_boxes(ink, runs), strict=True)]
    letters = word.text.replace(" ", "")
    if len(letters) == len(runs):  # strokes of thin signs within a name are paler than letters: `k = 0.12`
        samples = [one and not (n and letters[n] in "=<>~-") for n, one in enumerate(samples)]
    dashes = _leading_dashes(ink, runs, samples)
    samples = [n < dashes or one for n, one in enumerate(samples)]
    glyph = _begins_with_marker(ink, runs, word.text)
    sign = _is_sign(word.text) or glyph or _begins_with_sample(ink, runs, word)
    spans = _spans(runs[dashes:], samples[dashes:], word, sign and not dashes)
    if runs and not any(samples) and spans == [(runs[0][0], runs[-1][1])]:
        return [word]
    text = word.text.lstrip("+-_=|\u2014\u2022\u00b7 ") if any(samples[:1]) else word.text
    if glyph:
        text = text[1:].lstrip()
    elif _is_sign(text) and not any(samples):
        text = text.split(" ", 1)[1]
    tokens = [t for t in text.split() if any(c.isalnum() for c in t)]
    glue = " "
    if len(tokens) < len(spans):
        tokens, glue = [c for c in text if not c.isspace()], ""
    if not spans or len(tokens) < len(spans) or len(tokens) > 40:
        return [word]
    boxes = [word.box] if spans == [(runs[0][0], runs[-1][1])] else [_tight(ink, s, columns, rows) for s in spans]
    texts = _dealt(tokens, [x1 - x0 for x0, x1 in spans], glue)
    return [replace(word, text=text, box=box) for text, box in zip(texts, boxes, strict=True)]


def _leading_dashes(ink: Mask, runs: Sequence[tuple[int, int]], samples: Sequence[bool]) -> int:
    """How many runs of ink at the start are the dashes of one line, level and low (those after the first may be cut to
    squares), or its dots in another colour than the letters; 0 for a single one before a letter."""
    high = [np.flatnonzero(ink[:, start:stop].any(axis=1)) for start, stop in runs]
    if len(runs) < 3:
        return 0
    low = max(3.0, 0.25 * max(np.ptp(rows) + 1 for rows in high))
    level = [
        bool(np.ptp(rows) < low and (stop - start > np.ptp(rows) + (n == 0) or own) and abs(rows[0] - high[0][0]) <= 1)
        for n, (rows, (start, stop), own) in enumerate(zip(high, runs, samples, strict=True))
    ]
    count = level.index(False) if False in level else 0
    return count if count > 1 or (count and samples[count]) else 0


def _tight(ink: Mask, span: tuple[int, int], columns: slice, rows: slice) -> Box:
    """The box, in figure pixels, of the ink in these columns of a part of the figure."""
    inked = np.flatnonzero(ink[:, span[0] : span[1]].any(axis=1))
    x0, y0 = float(columns.start + span[0]), float(rows.start + inked[0])
    return Box(x0, y0, float(columns.start + span[1] - 1), float(rows.start + inked[-1]))


def _unlike_letters(part: Floats32, ink: Mask, runs: Sequence[tuple[int, int]]) -> list[bool]:
    """For every run of ink, whether its colour differs from that of most runs."""
    if not runs:
        return []
    paper = modal_colour(part.reshape(-1, 3))
    colours = []
    for start, stop in runs:
        inks = part[:, start:stop][ink[:, start:stop]]
        far = contrast(inks, paper)
        colours.append(inks[far >= np.percentile(far, 90)].mean(axis=0))
    shades = lab(colours)
    size = np.linalg.norm(shades - lab(paper), axis=1)
    same_hue = np.linalg.norm(shades[:, None, 1:] - shades[None, :, 1:], axis=2) < 20
    same_strength = np.minimum.outer(size, size) > 0.5 * np.maximum.outer(size, size)  # thin letters are paler
    alike = same_hue & same_strength
    light = np.abs(shades[:, 0] - lab(paper)[0])
    letters = int((alike.sum(axis=1) + light / 1000).argmax())  # of two, the darker (on dark paper: lighter) one
    return [not bool(a) for a in alike[letters]]


def _is_sign(text: str) -> bool:
    """Whether a text starts with a sign that is no letter: a marker in front of a name."""
    first, _, rest = text.partition(" ")
    return bool(rest.strip()) and len(first) <= 2 and not any(c.isalnum() and c not in "oOΔΛΟΘΩ∆∇" for c in first)


def _begins_with_marker(ink: Mask, runs: Sequence[tuple[int, int]], text: str) -> bool:
    """True if the first letter is a cross or a ring that stands farther off than a space, or than letters do where no
    space was read (`X Falun`, `OLand`)."""
    if len(runs) < 2 or len(text) < 3 or text[0] not in "xX×oO0Q":
        return False
    heights = [float(np.ptp(np.flatnonzero(ink[:, start:stop].any(axis=1)))) + 1 for start, stop in runs]
    gaps = [after[0] - before[1] for before, after in pairwise(runs)]
    line = max(heights[1:])
    apart = 0.6 * line if text[1] == " " else max(0.35 * line, 2.0 * min(gaps[1:], default=0) + 1)
    return gaps[0] >= apart and heights[0] >= 0.6 * line


def _spans(runs: Sequence[tuple[int, int]], samples: Sequence[bool], word: Word, sign: bool) -> list[tuple[int, int]]:
    """First and last column of each stretch of letters between samples; the first run is also left out where it is a
    `sign`."""
    spans: list[tuple[int, int]] = []
    fresh = True
    for n, ((start, stop), sample) in enumerate(zip(runs, samples, strict=True)):
        narrow = stop - start < 0.3 * word.box.height
        if (sample and not narrow) or (n == 0 and sign and not any(samples)):
            fresh = True
        elif fresh:
            spans.append((start, stop))
            fresh = False
        else:
            spans[-1] = (spans[-1][0], stop)
    return spans


def _begins_with_sample(ink: Mask, runs: Sequence[tuple[int, int]], word: Word) -> bool:
    """True if the first run of ink is no letter: the box is too wide for the text with it, or it is far too high."""
    if len(runs) < 2:
        return False
    heights = [float(np.ptp(np.flatnonzero(ink[:, start:stop].any(axis=1)))) + 1 for start, stop in runs]
    line = min(word.box.height + 1, max(heights[1:]))
    start, stop = runs[0]
    bare = np.flatnonzero(ink[:, start : start + 2].any(axis=1))  # a P or an E begins with an upright stroke
    if stop - start >= 1.3 * line and np.ptp(bare) + 1 < 0.6 * line and ink[:, start:stop].mean(axis=1).max() > 0.95:
        return runs[1][0] - stop >= 0.15 * line  # one straight stroke, longer than any letter
    if runs[1][0] - runs[0][1] < 0.3 * line:
        return False
    if _is_open_box(ink[:, start:stop]) or _is_full_box(ink[:, start:stop], line):
        return True
    widest = 1.25 * line * len(word.text)
    capital = heights[0] < 1.6 * max(heights[1:]) and runs[1][0] - runs[0][1] < 0.6 * line  # before low letters
    capital = capital or word.text[0] in DESCENDING
    higher = heights[0] >= 1.3 * max(heights[1:]) and len(runs) > 3 and not capital
    return higher or runs[-1][1] - runs[0][0] > widest >= runs[-1][1] - runs[1][0]


def _is_open_box(run: Mask) -> bool:
    """Whether a run of ink is a square in outline, which no letter is: straight on all four sides, nothing inside."""
    run = run[np.flatnonzero(run.any(axis=1))[0] : np.flatnonzero(run.any(axis=1))[-1] + 1]
    height, width = run.shape
    if min(height, width) < 7 or abs(height - width) > 2:
        return False
    sides = [max(part[k].mean() for k in (0, 1)) for part in (run, run[::-1], run.T, run.T[::-1])]
    third = slice(height // 3, height - height // 3), slice(width // 3, width - width // 3)
    return bool(min(sides) > 0.9 and not run[third].any())


def _full_boxes(ink: Mask, runs: Sequence[tuple[int, int]]) -> list[bool]:
    """For every run of ink, whether it is a filled box among letters, keys in the colour of the letters. Letters of
    four pixels may be as full."""
    line = len(ink) - 2  # the box of the text has a margin of 1 px
    tall = [int(np.ptp(np.flatnonzero(ink[:, start:stop].any(axis=1)))) + 1 for start, stop in runs]
    full = [min(up, b - a) > 4 and _is_full_box(ink[:, a:b], line) for up, (a, b) in zip(tall, runs, strict=True)]
    high = [up > 0.5 * line for up in tall]
    return full if any(tall and not one for tall, one in zip(high, full, strict=True)) else [False] * len(runs)


def _is_full_box(run: Mask, line: float) -> bool:
    """Whether a run of ink is a filled rectangle about as large as a letter, its corners rounded maybe; none is: too
    broad for an I."""
    filled = np.flatnonzero(run.any(axis=1))
    high, wide = int(np.ptp(filled)) + 1, run.shape[1]
    run = run[filled[0] : filled[-1] + 1]
    return min(high, wide) >= max(3, 0.5 * line) and max(float(run.mean()), float(run[1:-1, 1:-1].mean()) - 0.05) > 0.9


def _dealt(tokens: Sequence[str], widths: Sequence[int], glue: str = " ") -> list[str]:
    """The tokens dealt out in order to stretches of these widths, each at least one, as their lengths fit best."""
    total, letters = sum(widths), sum(len(t) for t in tokens)
    best: tuple[float, list[str]] = (np.inf, [glue.join(tokens)])
    for cuts in islice(combinations(range(1, len(tokens)), len(widths) - 1), 20_000):
        bounds = (0, *cuts, len(tokens))
        groups = [tokens[i:j] for i, j in pairwise(bounds)]
        shares = [sum(len(t) for t in group) / letters for group in groups]
        misfit = sum(abs(share - width / total) for share, width in zip(shares, widths, strict=True))
        if misfit < best[0]:
            best = misfit, [glue.join(group) for group in groups]
    return best[1]


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
