"""Ink of a plot area, sorted by colour: what every reader starts from.

Not handled here: deciding which kind of chart a layer is, or where its values are.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.blends import find_blends, find_veils, is_fill, merge_blends, settle_flat
from tools.border_specks import without_border_specks
from tools.colour import (
    Bits,
    Floats32,
    Mask,
    as_rgb,
    chroma,
    contrast,
    is_like,
    is_paper_of,
    lab_distance,
    margin_colour,
    noise_level,
    paper_colour,
    presence,
    unmix,
)
from tools.direct_labels import text_colour
from tools.key_boxes import key_boxes
from tools.like_coloured import swatch_pictures
from tools.outlines import merge_outlines, merge_rings
from tools.palette import drop_fringes, find_palette
from tools.patterns import Pattern, rival_patterns
from tools.rules import Ruling, find_rules
from tools.samples import marker_sample
from tools.text_boxes import text_boxes
from tools.ticks import inner_ticks
from tools.types import Box, Figure, Floats, Image, Legend, LegendEntry, Panel, Rgb, Word

MARKER_GLYPHS = frozenset("oO0xX+*.,-·•°○●□■△▲▽▼◇◆×~=_'`|:;^vV<>")
LARGE = 1_500_000  # pixels of a plot above which its colours are looked for in a thinned copy
TINTED = 8.0  # RGB units off the line from the paper to a patch's colour, for an area that is its tint
ACROSS = 4  # px on either side of the border of a plot that a box stands across
COPIES = 4  # pieces as large as a sample of the legend, by which this is a marker
NAMED = 14.0  # Lab units within which a layer takes the name of a legend entry


@dataclass(frozen=True, eq=False)
class Layer:
    """The ink of one colour.

    `coverage` (h, w) float32, 0 to 1: the share of each pixel that this colour covers, anti-aliasing unmixed against
    the background. `hidden` (h, w) bool: places where the layer may run on unseen, because ink drawn over it (another
    layer, text, a removed rule) covers it. `name` and `entry` come from the legend; empty where it has none.
    `rivals`: the line samples of the legend in this very colour with what their dashes may be, where there are
    several; `pictures`: coverage of the middles of these samples where they show markers, odd squares of one size.
    `veil`: a translucent band around the curve of another layer. `sample`: coverage of the entry's marker in the
    legend, an odd square around its middle.
    """

    colour: Rgb
    coverage: NDArray[np.float32]
    hidden: NDArray[np.bool_]
    name: str = ""
    entry: LegendEntry | None = None
    rivals: tuple[tuple[LegendEntry, tuple[Pattern, ...]], ...] = ()
    pictures: tuple[NDArray[np.float32], ...] = ()
    veil: bool = False
    sample: NDArray[np.float32] | None = None


@dataclass(frozen=True, eq=False)
class PlotInk:
    """The plot area of one panel: crop row r, column c is figure pixel (c + origin[0], r + origin[1]).

    `pixels` (h, w, 3) uint8; `background` the paper colour of the plot; `neutral` (h, w) bool: pixels that tell
    nothing (frame, grid lines and ticks that were removed, text, legend box). `layers`, most ink first.
    """

    origin: tuple[int, int]
    pixels: Image
    background: Rgb
    neutral: NDArray[np.bool_]
    layers: tuple[Layer, ...]


def separate(figure: Figure, panel: Panel, words: Sequence[Word]) -> PlotInk:
    """The ink of the plot area of `panel`, one layer per colour; `words` are the texts of the figure.

    The border rows and columns of `panel.plot` (frame strokes) are part of the crop. A plot area without any ink
    gives no layers.
    """
    rows, columns = panel.plot.slices(figure.height, figure.width)
    image = figure.pixels[rows, columns]
    origin = (columns.start, rows.start)
    pixels = image.astype(np.float32)
    entries = panel.legend.entries
    paper = paper_colour(image)
    margin = margin_colour(figure.pixels)
    if not is_like(as_rgb(margin), as_rgb(paper)) and is_paper_of(margin, image):
        paper = margin  # pale fills cover most of the plot
    elif any(entry.kind == "patch" and is_like(entry.colour, as_rgb(paper)) for entry in entries):
        paper = paper_colour(figure.pixels)  # fills that cover the whole plot leave none of its paper
    noise = noise_level(image, paper)
    covered = _covered(image.shape[:2], origin, panel.legend)
    inside = [replace(word, box=_crop(word.box, origin)) for word in words]
    covered |= text_boxes(pixels, paper.astype(np.float32), inside, [entry.colour for entry in entries])
    covered |= key_boxes((contrast(pixels, paper) > max(8.0, 3 * noise)) & ~covered)
    ruling = find_rules(pixels, paper, noise, [e.colour for e in entries], covered)
    ink = _ink(pixels, ruling, noise) & ~covered
    text = _text(pixels, ink, ruling.background, origin, words)
    ticks = inner_ticks(pixels, paper, ruling.rules, panel, origin)
    neutral = np.asarray(ruling.visible | covered | text | ticks)
    ink &= ~neutral
    palette, coverage = _layers(pixels, ruling, paper, ink, entries, noise)
    coverage = _heal(without_border_specks(coverage, ruling.rules), ruling, text)
    named = _drawn_thin(palette, entries)
    strokes = [k for k in range(len(palette)) if k not in named]
    pale = [k for k in strokes if palette[k].min() > 244]
    coverage, outline = merge_outlines(merge_rings(coverage, strokes), ruling.visible, strokes, pale)
    neutral |= outline
    palette, coverage = _without_specks(palette, coverage, _known(palette, entries))
    layers = _with_rivals(_bind(palette, coverage, neutral, entries, paper), figure.pixels, entries)
    layers = tuple(
        replace(one, sample=marker_sample(figure.pixels, one.entry)) if one.entry is not None else one for one in layers
    )
    return PlotInk(origin, image, as_rgb(paper), neutral, layers)


def _covered(shape: tuple[int, ...], origin: tuple[int, int], legend: Legend) -> Mask:
    """The legend box, in crop pixels; nothing where it stands across the plot's right border: names at the ends of
    curves, whose ends would be taken for samples."""
    mask = np.zeros(shape[:2], dtype=bool)
    if legend.box is not None:
        box = _crop(legend.box, origin)
        if not box.x0 + ACROSS < shape[1] < box.x1 - ACROSS:
            mask[box.slices(shape[0], shape[1])] = True
    return mask


def _crop(box: Box, origin: tuple[int, int]) -> Box:
    return Box(box.x0 - origin[0], box.y0 - origin[1], box.x1 - origin[0], box.y1 - origin[1])


def _ink(pixels: Floats32, ruling: Ruling, noise: float) -> Mask:
    """Pixels that neither paper nor rules explain."""
    return np.asarray(contrast(pixels, ruling.background) > max(8.0, 3 * noise)) & ~ruling.visible


def _text(pixels: Floats32, ink: Mask, background: Floats32, origin: tuple[int, int], words: Sequence[Word]) -> Mask:
    """Ink of words inside the plot: connected strokes of one colour that lie wholly inside a word's box."""
    mask = np.zeros(ink.shape, dtype=bool)
    height, width = ink.shape
    single = Counter(word.text for word in words if len(word.text) == 1)
    for word in words:
        box = _crop(word.box, origin)
        if not box.overlaps(Box(0, 0, width - 1, height - 1)) or _may_be_marker(word, pixels, box, single):
            continue
        rows, columns = box.grown(2).slices(height, width)
        part = ink[rows, columns]
        if part.size and part.any():
            mask[rows, columns] |= _glyphs(pixels[rows, columns], part, background[rows, columns])
    return mask


def _may_be_marker(word: Word, pixels: Floats32, box: Box, single: Counter[str]) -> bool:
    """Markers are read as letters: signs of their shapes, one letter again and again, or one or two in colour."""
    letters = word.text.replace(" ", "")
    if not letters or word.confidence < 0.3 or (set(letters) <= MARKER_GLYPHS and not letters.isdigit()):
        return True
    if len(letters) == 1 and not letters.isdigit() and (letters in "TIHl" or single[letters] >= 3):
        return True  # caps of error bars, triangles read as A
    coloured = len(letters) == 1 or (len(letters) == 2 and not letters.isdigit())
    colour = text_colour(pixels, box) if coloured else None
    return colour is not None and float(chroma(colour)) > 20


def _glyphs(pixels: Floats32, ink: Mask, background: Floats32) -> Mask:
    """Connected ink that does not touch the rim of the box: glyphs, on paper or on a fill that goes on outside."""
    rim = np.ones(ink.shape, dtype=bool)
    rim[1:-1, 1:-1] = False
    glyphs = _inside(ink, rim)
    fill = ink & ~glyphs
    if fill.mean() > 0.5:  # a filled mark under the text: glyphs are what differs from its colour
        colour = np.median(pixels[rim & ink], axis=0) if (rim & ink).any() else np.median(pixels[fill], axis=0)
        glyphs |= _inside(np.asarray(contrast(pixels, colour) > 24) & ink, rim)
    return glyphs


def _inside(mask: Mask, rim: Mask) -> Mask:
    count, labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=8)
    touching = np.unique(labels[rim & mask])
    keep = np.ones(count, dtype=bool)
    keep[0] = False
    keep[touching] = False
    return np.asarray(keep[labels])


def _layers(
    pixels: Floats32, ruling: Ruling, paper: Floats, ink: Mask, entries: Sequence[LegendEntry], noise: float
) -> tuple[Floats, Floats32]:
    """Colours and their coverage. Which colours there are is decided on every n-th pixel of a large plot."""
    background, tracks = ruling.background, _tracks(ruling)
    tolerance = max(6.0, 3 * noise)
    n = max(1, math.ceil(math.sqrt(ink.size / LARGE)))
    some = (slice(None, None, n), slice(None, None, n))
    scene = np.ascontiguousarray(pixels[some]), np.ascontiguousarray(background[some]), np.ascontiguousarray(ink[some])
    palette, near = _decide(*scene, tracks[some], paper, entries, noise)
    kept = _known(palette, entries)
    if n > 1:
        near = near.repeat(n, axis=0).repeat(n, axis=1)[: ink.shape[0], : ink.shape[1]]
    coverage, _ = unmix(pixels, background, ink, palette, np.ascontiguousarray(near), tolerance)
    blends = find_blends(palette, paper, np.ascontiguousarray(coverage[:, ::n, ::n]), kept)
    stays, coverage = merge_blends(coverage, blends)
    return palette[stays], settle_flat(pixels, ink, palette[stays], coverage)


def _decide(
    pixels: Floats32,
    background: Floats32,
    ink: Mask,
    tracks: Mask,
    paper: Floats,
    entries: Sequence[LegendEntry],
    noise: float,
) -> tuple[Floats, Bits]:
    """The palette, fringes dropped, and which of its colours are present near each pixel (bit set)."""
    tolerance = max(6.0, 3 * noise)
    palette = find_palette(pixels, background, ink, [e.colour for e in entries], noise)
    bare = ~ink
    near = presence(np.zeros((0, *ink.shape), np.float32), np.ones_like(bare)) | ((1 << len(palette)) - 1)
    coverage, _ = unmix(pixels, background, ink, palette, near, tolerance)
    for _ in range(2):
        coverage, _ = unmix(pixels, background, ink, palette, presence(coverage, bare), tolerance)
        keep = drop_fringes(palette, paper, coverage, _known(palette, entries), tracks, _fewest(ink))
        palette, coverage = palette[keep], coverage[keep]
    return palette, presence(coverage, bare)


def _fewest(ink: Mask) -> int:
    """Pixels that a colour needs to be more than specks."""
    return max(8, int(0.0004 * ink.size))


def _tracks(ruling: Ruling) -> Mask:
    """All rows and columns that a rule runs along."""
    mask = np.zeros(ruling.visible.shape, dtype=bool)
    for rule in ruling.rules:
        length = len(mask) if rule.horizontal else len(mask[0])
        border = rule.first <= 1 or rule.last >= length - 2
        track = slice(max(0, rule.first - border), rule.last + 1 + border)  # a frame shades its neighbours
        if rule.horizontal:
            mask[track] = True
        else:
            mask[:, track] = True
    return mask


def _drawn_thin(palette: Floats, entries: Sequence[LegendEntry]) -> set[int]:
    """Colours of named lines and markers, which outline nothing."""
    return set(_known(palette, [e for e in entries if e.kind != "patch"]))


def _without_specks(palette: Floats, coverage: Floats32, keep: Sequence[int]) -> tuple[Floats, Floats32]:
    stays = [k for k, layer in enumerate(coverage) if k in keep or (layer >= 0.5).sum() >= _fewest(layer > 0)]
    return palette[stays], coverage[stays]


def _known(palette: Floats, entries: Sequence[LegendEntry]) -> list[int]:
    if not entries or not len(palette):
        return []
    named = np.array([e.colour for e in entries], dtype=np.float64)
    return [k for k, colour in enumerate(palette) if lab_distance(named, colour).min() < 2]


def _heal(coverage: Floats32, ruling: Ruling, text: Mask) -> Floats32:
    """Fills the visible part of a rule, and of text, with what lies on both sides of it."""
    healed = coverage.copy()
    for rule in ruling.rules:
        line = healed if rule.horizontal else healed.transpose(0, 2, 1)
        seen = ruling.visible if rule.horizontal else ruling.visible.T
        if rule.first < 1 or rule.last >= line.shape[1] - 1:
            continue
        before, after = line[:, rule.first - 1], line[:, rule.last + 1]
        both = np.minimum(_spread(before), _spread(after))
        for row in range(rule.first, rule.last + 1):
            line[:, row] = np.where(seen[row] & (both > 0.3), both, line[:, row])
    if not text.any():
        return healed
    for k, layer in enumerate(healed):
        kernel = np.ones((9, 9), np.uint8)
        closed = cv2.morphologyEx(layer, cv2.MORPH_CLOSE, kernel)
        healed[k] = np.where(text, np.where(closed > 0.9, closed, layer), layer)
    return healed


def _spread(line: Floats32) -> Floats32:
    """Each value replaced by the largest of itself and its two neighbours: a curve may cross a rule obliquely."""
    padded = np.pad(line, ((0, 0), (1, 1)))
    return np.maximum(np.maximum(padded[:, :-2], padded[:, 2:]), line)


def _bind(
    palette: Floats, coverage: Floats32, neutral: Mask, entries: Sequence[LegendEntry], paper: Floats
) -> tuple[Layer, ...]:
    """Layers with names, most ink first; a colour takes the nearest entry within `NAMED`. Veils hide nothing."""
    veils = find_veils(palette, paper, coverage, _known(palette, entries))
    total = coverage.sum(axis=0) - coverage[veils].sum(axis=0)
    named = _fills_first({k: _entry(colour, entries) for k, colour in enumerate(palette)}, palette, coverage, paper)
    taken = {entry.name for entry in named.values() if entry}
    free = [entry for entry in entries if entry.kind == "patch" and entry.name not in taken]
    layers = []
    for k in (int(k) for k in np.argsort(-coverage.sum(axis=(1, 2)))):
        own = coverage[k]
        others = total if k in veils else total - own
        hidden = ((others > 0.5) | neutral) & (own < 0.5)
        entry = named[k] or _tinted(palette[k], free, paper)
        layers.append(Layer(as_rgb(palette[k]), own, hidden, entry.name if entry else "", entry, veil=k in veils))
    return tuple(layers)


def _fills_first(
    named: dict[int, LegendEntry | None], palette: Floats, coverage: Floats32, paper: Floats
) -> dict[int, LegendEntry | None]:
    """Names of patches go to the translucent fill rather than to the stroke around it in the patch's full colour."""
    found = dict(named)
    for k, entry in named.items():
        if entry is None or entry.kind != "patch" or is_fill(coverage[k] >= 0.5) or _are_copies(coverage[k], entry):
            continue
        fills = [j for j, other in named.items() if other is None and is_fill(coverage[j] >= 0.5)]
        tint = next((j for j in fills if _tinted(palette[j], [entry], paper) is not None), None)
        if tint is not None and coverage[tint].sum() > coverage[k].sum():
            found[k], found[tint] = None, entry
    return found


def _are_copies(coverage: Floats32, entry: LegendEntry) -> bool:
    """Whether ink consists of pieces as large as a legend's square sample: that is a marker, not a patch."""
    box = entry.swatch
    if box is None or not 0.7 < (box.width + 1) / (box.height + 1) < 1.4:
        return False
    stats = cv2.connectedComponentsWithStats((coverage >= 0.5).astype(np.uint8), connectivity=8)[2][1:]
    sizes = stats[:, (cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT)]
    alike = np.abs(sizes - (box.width + 1, box.height + 1)).max(axis=1) <= 2
    return int(alike.sum()) >= COPIES and stats[alike, cv2.CC_STAT_AREA].sum() > 0.2 * stats[:, 4].sum()


def _with_rivals(layers: Sequence[Layer], pixels: Image, entries: Sequence[LegendEntry]) -> tuple[Layer, ...]:
    """The layers, each with all line samples of the legend that are nearest to its colour, if there are several."""
    lines = [e for e in entries if e.kind in ("line", "line+marker") and e.swatch is not None]
    if len(lines) < 2 or not layers:
        return tuple(layers)
    colours = np.array([layer.colour for layer in layers], dtype=np.float64)
    far = np.array([lab_distance(colours, e.colour) for e in lines])
    found = []
    for k, layer in enumerate(layers):
        own = [e for e, row in zip(lines, far, strict=True) if int(row.argmin()) == k and row[k] < NAMED]
        rivals = tuple(zip(own, rival_patterns(pixels, own), strict=True)) if len(own) > 1 else ()
        pictures = swatch_pictures(pixels, own) if rivals and any(e.kind == "line+marker" for e in own) else ()
        found.append(replace(layer, rivals=rivals, pictures=pictures))
    return tuple(found)


def _entry(colour: Floats, entries: Sequence[LegendEntry]) -> LegendEntry | None:
    if not entries:
        return None
    far = lab_distance(np.array([e.colour for e in entries], dtype=np.float64), colour)
    return entries[int(far.argmin())] if far.min() < NAMED else None


def _tinted(colour: Floats, patches: Sequence[LegendEntry], paper: Floats) -> LegendEntry | None:
    """The patch of which a colour is a translucent tint."""
    best, least = None, TINTED
    for entry in patches:
        strong, weak = np.array(entry.colour, dtype=np.float64) - paper, colour - paper
        share = float(weak @ strong / max(1.0, float(strong @ strong)))
        aside = float(np.abs(weak - share * strong).max())
        if 0.15 < share < 0.95 and aside < least:
            best, least = entry, aside
    return best
