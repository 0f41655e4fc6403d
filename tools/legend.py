"""Legends: which words are names of series, by the swatches that stand beside them in one regular layout.

Names of a legend share the place of their swatch (same side, same distance) and stand in columns or rows. Where there
is no legend, a word in the colour of a line, or at its end, names it (a direct label).

Not handled here: colour bars, size legends, names on curved or oblique text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from tools.colour import Floats32, Mask, as_rgb, chroma, contrast, lab_distance, noise_level, paper_colour
from tools.direct_labels import direct_labels, text_colour
from tools.legend_places import assign_legends
from tools.legend_proof import Named, are_equal_keys, believable
from tools.names import blocks, is_glyph, possible_names, split_at_samples, words_near
from tools.palette import full_colour
from tools.rules import find_rules
from tools.scans import lost_tones
from tools.swatch import CONTRAST, STRONG, Swatch, find_swatch
from tools.swatch_kinds import among_lines, among_markers
from tools.types import Box, Figure, Legend, LegendEntry, Panel, Word
from tools.vector_legend import with_drawn_legends

SIDES: tuple[Literal["left", "right"], ...] = ("left", "right")


def read_legend(figure: Figure, panels: Sequence[Panel], words: Sequence[Word]) -> tuple[Panel, ...]:
    """The panels with `legend` filled (empty where there is none); coordinates are figure pixels.

    A legend inside a plot belongs to its panel; one outside belongs to the nearest panel, or to all panels if the
    figure has just one.
    """
    if not panels:
        return ()
    pixels = figure.pixels.astype(np.float32)
    ruled = _ruled(figure, pixels, panels)
    read = [w for w in possible_names(words, panels) if not is_glyph(pixels, w, panels)]
    names = [name for word in read for name in split_at_samples(pixels, word)]
    names += [word for word in read if word.text[:1] == "+" and word not in names]  # of a name, if no marker
    groups = _groups(_candidates(pixels, ruled, names), panels, bool(lost_tones(figure)))
    legends = [_framed(pixels, _legend(group, names, panels)) for group in groups]
    assigned = zip(panels, assign_legends(legends, panels, pixels), strict=True)
    busy = _with_words(ruled, words)
    found = [_full_colours(pixels, busy, panel, legend) for panel, legend in assigned]
    named = [
        _with_legend(p, found[i] if found[i].entries else direct_labels(figure, p, words_near(words, p, panels)))
        for i, p in enumerate(panels)
    ]
    return with_drawn_legends(figure.drawing, named, words)


def _with_legend(panel: Panel, legend: Legend) -> Panel:
    """The panel with its legend; a name taken for its title is none."""
    named = panel.title and any(panel.title in (e.name, legend.title) for e in legend.entries)
    return replace(panel, legend=legend, title="" if named else panel.title)


def _full_colours(pixels: Floats32, busy: Mask, panel: Panel, legend: Legend) -> Legend:
    """Thin samples are anti-aliased and too pale: their colours are taken from the ink of the plot.

    `busy` (H, W): rules and words, whose ink does not count.
    """
    rows, columns = panel.plot.slices(*busy.shape)
    part = pixels[rows, columns]
    if min(part.shape[:2]) < 16 or not legend.entries:
        return legend
    paper = paper_colour(part.astype(np.uint8))
    inks = part[(contrast(part, paper) > CONTRAST) & ~busy[rows, columns]]
    entries = []
    for entry in legend.entries:
        others = [e.colour for e in legend.entries if e is not entry]
        thin = entry.kind != "patch" and not _is_full(pixels, entry)
        entries.append(replace(entry, colour=as_rgb(full_colour(inks, paper, entry.colour, others))) if thin else entry)
    return replace(legend, entries=tuple(entries))


def _is_full(pixels: Floats32, entry: LegendEntry) -> bool:
    """True if the swatch shows its colour over 3 x 3 pixels: thick enough for full coverage."""
    if entry.swatch is None:
        return False
    rows, columns = entry.swatch.slices(pixels.shape[0], pixels.shape[1])
    own = contrast(pixels[rows, columns], entry.colour) <= 6
    rows_full = own[:-2] & own[1:-1] & own[2:]
    return bool((rows_full[:, :-2] & rows_full[:, 1:-1] & rows_full[:, 2:]).any())


def _ruled(figure: Figure, pixels: Floats32, panels: Sequence[Panel]) -> Mask:
    """Grid lines and frames of all panels, which are no swatches."""
    mask = np.zeros(figure.pixels.shape[:2], dtype=bool)
    for panel in panels:
        rows, columns = panel.plot.slices(figure.height, figure.width)
        part = figure.pixels[rows, columns]
        if min(part.shape[:2]) < 16:
            continue
        paper = paper_colour(part)
        mask[rows, columns] |= find_rules(pixels[rows, columns], paper, noise_level(part, paper)).visible
    return mask


def _with_words(ruled: Mask, words: Sequence[Word]) -> Mask:
    busy = ruled.copy()
    for word in words:
        if len(word.text) > 1:
            busy[word.box.grown(1).slices(*ruled.shape)] = True
    return busy


def _candidates(pixels: Floats32, ruled: Mask, names: Sequence[Word]) -> list[Named]:
    """Every name with a swatch on its left or right, blocks of two or three lines included.

    Strong ink is tried first: data shine faintly through many legends.
    """
    found: list[Named] = []
    texts = [w.box for w in names if _is_text(pixels, w) and w.text[:1] != "+"]  # the cross may be a marker
    for text, box, line in blocks(names):
        for side in SIDES:
            for weakest in (STRONG, CONTRAST):
                swatch = find_swatch(pixels, ruled, box, line, side, weakest)
                if swatch is not None and not any(t.overlaps(swatch.box, -2) for t in texts):
                    found.append(Named(text, box, line, swatch, _is_tinted(pixels, box, swatch)))
                    break
    return found


def _is_tinted(pixels: Floats32, box: Box, swatch: Swatch) -> bool:
    colour = text_colour(pixels, box)
    return colour is not None and float(chroma(colour)) > 20 and float(lab_distance(colour, swatch.colour)) < 20


def _is_text(pixels: Floats32, word: Word) -> bool:
    """Text for sure: a line sample with markers may read as `TT`, or in colour as `IY`."""
    if len(word.text) <= 3:
        colour = text_colour(pixels, word.box)
        if colour is not None and float(chroma(colour)) > 20:
            return False
    return sum(c.isalnum() for c in word.text) >= 2 and not set(word.text) <= set("TIHLJl1iFoO0xX+-_=. ")


def _groups(candidates: Sequence[Named], panels: Sequence[Panel], toneless: bool = False) -> list[list[Named]]:
    """Entries of each legend, best first, every text and every swatch used once.

    toneless: the figure is a copy without the colours that told its keys apart.
    """
    clusters: list[list[Named]] = []
    for one in candidates:
        friends = [c for c in clusters if any(_together(one, o) and not _in_two_plots(one, o, panels) for o in c)]
        merged = [one] + [n for c in friends for n in c]
        clusters = [c for c in clusters if not any(c is f for f in friends)] + [merged]
    clusters.sort(key=_score, reverse=True)
    kept: list[list[Named]] = []
    for cluster in clusters:
        used = [n for c in kept for n in c]
        left = [n for n in _unique(cluster) if not any(_clash(n, u) for u in used)]
        if left and (believable(left, panels) or (toneless and are_equal_keys(left, panels))):
            kept.append(left)
    return kept


def _together(one: Named, other: Named) -> bool:
    """Entries of one legend: swatches at the same place relative to the text, in one column or one row."""
    line = (one.line + other.line) / 2
    far = min(abs(one.offset - other.offset), abs(one.start - other.start))  # a dashed sample may end early
    if one.swatch.side != other.swatch.side or far > max(2.5, 0.3 * line):
        return False
    if max(one.line, other.line) > 1.75 * min(one.line, other.line):  # capitals beside a word with a y and an l
        return False
    down = abs(one.box.centre[1] - other.box.centre[1])
    aligned = one.box.x0 - other.box.x0 if one.swatch.side == "left" else one.box.x1 - other.box.x1
    if abs(aligned) <= max(2.5, 0.25 * line):
        return down <= 5 * line
    across = max(one.swatch.box.x0 - other.box.x1, other.swatch.box.x0 - one.box.x1)
    return down <= 0.45 * line and -1 <= across <= 12 * line


def _in_two_plots(one: Named, other: Named, panels: Sequence[Panel]) -> bool:
    """True of entries in the plots of two neighbours: their legends may stand on one line."""
    homes = [next((k for k, p in enumerate(panels) if p.plot.contains(*n.box.centre)), None) for n in (one, other)]
    return None not in homes and homes[0] != homes[1]


def _unique(cluster: Sequence[Named]) -> list[Named]:
    """One candidate per swatch and text: a single line before a block, unless only the block is centred."""
    order = sorted(cluster, key=lambda n: (abs(n.box.centre[1] - n.swatch.box.centre[1]) > 0.35 * n.line, len(n.text)))
    kept: list[Named] = []
    for named in order:
        if not any(_clash(named, other) for other in kept):
            kept.append(named)
    return kept


def _clash(one: Named, other: Named) -> bool:
    return one.box.overlaps(other.box, -1) or one.swatch.box.overlaps(other.swatch.box, -1)


def _score(cluster: Sequence[Named]) -> float:
    colours = {n.swatch.colour for n in cluster}
    looks = {(n.swatch.colour, n.swatch.dash, n.swatch.marker, n.swatch.hatch) for n in cluster}
    return len(looks) + 0.5 * len(colours) + 0.1 * sum(n.swatch.side == "left" for n in cluster)


def _legend(group: Sequence[Named], names: Sequence[Word], panels: Sequence[Panel]) -> Legend:
    """The legend of a group of entries in reading order: further lines joined, title and frame found."""
    line = float(np.median([n.line for n in group]))
    ordered = _reading_order(group, line)
    used = [n.box for n in ordered]
    entries = []
    for named in ordered:
        named = _with_rest(named, names, used, ordered)
        s = named.swatch
        entries.append(LegendEntry(named.text, s.colour, s.kind, s.box, named.box, s.dash, s.marker, s.hatch))
    box = entries[0].box or ordered[0].box
    for entry in entries:
        for part in (entry.box, entry.swatch):
            box = box.union(part) if part else box
    title = _title(box, line, names, entries, panels)
    if title is not None:
        box = box.union(title.box)
    return Legend(tuple(among_lines(among_markers(entries))), box.grown(0.3 * line), title.text if title else "")


def _framed(pixels: Floats32, legend: Legend) -> Legend:
    """The legend with its box grown to the frame around it, where three sides or more are drawn."""
    assert legend.box is not None
    box = legend.box
    reach = 1.6 * float(np.median([e.box.height + 1 for e in legend.entries if e.box is not None]))
    sides = [_stroke_beyond(pixels, box, reach, side) for side in range(4)]
    if sum(side is not None for side in sides) < 3:
        return legend
    x0, y0, x1, y1 = (
        v if side is None else side for side, v in zip(sides, (box.x0, box.y0, box.x1, box.y1), strict=True)
    )
    return replace(legend, box=Box(x0, y0, x1, y1).grown(1))


def _stroke_beyond(pixels: Floats32, box: Box, reach: float, side: int) -> float | None:
    """Where a straight stroke of one colour runs along this side of a box (0 left, 1 top, 2 right, 3 bottom)."""
    grid = pixels if side in (1, 3) else pixels.transpose(1, 0, 2)
    low, high = (box.x0, box.x1) if side in (1, 3) else (box.y0, box.y1)
    start = round((box.x0, box.y0, box.x1, box.y1)[side])
    outward = -1 if side < 2 else 1
    span = slice(max(0, round(low)), round(high) + 1)
    found = None
    for step in range(-3, round(reach)):
        at = start + outward * step
        if not 1 <= at < len(grid) - 1 or span.stop > grid.shape[1]:
            break
        line, inward = grid[at, span], grid[at - outward, span]
        flat = contrast(line, np.median(line, axis=0)) <= 16
        if flat.mean() > 0.93 and np.abs(np.median(line, axis=0) - np.median(inward, axis=0)).max() > 12:
            found = float(at)
            if np.abs(np.median(grid[at + outward, span], axis=0) - np.median(line, axis=0)).max() > 6:
                break
    return found


def _reading_order(group: Sequence[Named], line: float) -> list[Named]:
    """Row by row for one row; else column by column."""
    columns: list[list[Named]] = []
    for named in sorted(group, key=lambda n: n.swatch.box.centre[0]):
        if columns and abs(columns[-1][0].swatch.box.centre[0] - named.swatch.box.centre[0]) <= line:
            columns[-1].append(named)
        else:
            columns.append([named])
    return [n for column in columns for n in sorted(column, key=lambda n: n.box.centre[1])]


def _with_rest(named: Named, names: Sequence[Word], used: list[Box], ordered: Sequence[Named]) -> Named:
    """Adds words that carry the name on: to the right on the same line, or on a line below before the next entry."""
    line = named.line
    text, box = named.text, named.box
    for word in sorted(names, key=lambda w: (w.box.y0, w.box.x0)):
        if any(word.box.overlaps(b, -1) for b in used) or any(word.box.overlaps(n.swatch.box) for n in ordered):
            continue
        level = abs(word.box.centre[1] - box.centre[1]) <= 0.4 * line
        follows = level and -0.2 * line <= word.box.x0 - box.x1 <= 1.0 * line
        under = abs(word.box.x0 - box.x0) <= 0.4 * line and 0 < word.box.y0 - box.y1 <= _leading(named, ordered)
        if named.swatch.side == "left" and (follows or under):
            text, box = f"{text} {word.text}", box.union(word.box)
            used.append(word.box)
    return Named(text, box, line, named.swatch)


def _leading(named: Named, ordered: Sequence[Named]) -> float:
    """How far under a name its next line may start: less than the gap between two entries."""
    tops = sorted(n.box.y0 for n in ordered)
    bottoms = sorted(n.box.y1 for n in ordered)
    gaps = [b - a for a, b in zip(bottoms, tops[1:], strict=False) if b > a]
    return min(0.42 * named.line, 0.8 * min(gaps) if gaps else 0.42 * named.line)


def _title(
    box: Box, line: float, names: Sequence[Word], entries: Sequence[LegendEntry], panels: Sequence[Panel]
) -> Word | None:
    """A word straight above the first swatch, or to the left of the first one of a row."""
    for word in names:
        if any(e.box and word.box.overlaps(e.box) for e in entries) or any(p.title == word.text for p in panels):
            continue
        if not any(c.isalpha() for c in word.text):
            continue
        gap = box.y0 - word.box.y1
        within = word.box.x0 >= box.x0 - line and word.box.x1 <= box.x1 + line
        above = 0 <= gap <= 2.0 * line and (abs(word.box.x0 - box.x0) <= 1.2 * line or within)
        beside = 0 <= box.x0 - word.box.x1 <= 3 * line and abs(word.box.centre[1] - box.centre[1]) <= 0.6 * line
        wide = any(p.plot.width < 2 * word.box.width for p in panels)
        if (above or (beside and word.box.x0 < box.x0)) and not wide:
            return word
    return None
