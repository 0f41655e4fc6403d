"""The figures on a page: a page that is one figure, or the figures that stand between the text of a paper.

A figure is graphics that stand together (vector paths, embedded pictures) with the short words beside them; what shares
a caption is one figure. Body text and tables of rules are passed over.
An embedded picture that is finer than the page is drawn is read at its own resolution.
Not handled here: scanned pages of text (the page is one picture then), figures that run over two pages.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from tools.load import MAX_PIXELS, is_pdf, load
from tools.page_pictures import stored_picture, with_stored
from tools.types import Box, Drawing, Figure, VectorPath, Word
from tools.vector_turned import turned_upright

CELL = 8  # px of a page to one cell of the map in which graphics are gathered
JOIN = 40  # px (a fifth of an inch): graphics that are closer belong together
LONG = 40  # characters: longer lines outside of graphics are body text
WIDE = 0.34  # of the page: body text is wider, the names beside bars are not
BODY = 3  # lines of body text that make a page one of a paper
CLOSE = 150  # px from a figure down to its own caption, tick labels and axis title between them
FAR = 600  # px: what stands farther from a caption has none
SMALLEST = (180, 120)  # px: smaller graphics are icons and formulas
MOSTLY = 0.5  # of a figure: embedded pictures that fill more are the figure
FINER = 1.2  # by this much finer pixels are worth a second drawing of the page
FINEST = 3.0
LARGEST = 2400  # px of such a figure's longer side
CAPTION = re.compile(
    r"(?:suppl(?:\.|ement(?:ary|al)?)?\s|extended\sdata\s|online\s|appendix\s|e(?=fig))?\s*"
    r"(?:fig(?:ur[ae]?|uur|s?\.)?|chart|graph(?:ique|ic)?|gr[aá]fic[oa]|abb(?:ildung|\.)?)\s*"
    r"([A-Z]?\.?\d+(?:[.-]\d+)*)[a-z]?(?:\s*[.:|-]|\s|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Caption:
    """The number that a caption gives its figure, its first line, and where this stands."""

    number: str
    text: str
    box: Box


def figures_on(path: str | os.PathLike[str], page: int = 1) -> tuple[Figure, ...]:
    """The figures on one page of a file, from top to bottom; none for a page of text.

    Every figure has the pixels, text and paths of its own region (`Figure.region`, in pixels of the page) and the
    first line of its caption, if any. A file that is no PDF, or a page without body text, is one figure. A page that
    lies on its side is turned first.
    Raises UnreadableFile.
    """
    whole = load(path, page)
    if whole.drawing is None or not is_pdf(path):
        return (whole,)
    if not (whole.text or whole.drawing.paths or whole.drawing.pictures):
        return ()  # an empty sheet
    whole = turned_upright(whole)
    regions = [box for box, paths in gathered(whole) if paths]
    captions = captions_of(whole.text)
    lines = [word for word in whole.text if _is_body(word, whole)]
    body = [line for line in lines if not any(box.contains(*line.box.centre) for box in regions)]
    if len(body) < BODY and not captions:
        alone = (whole.drawing or Drawing()).pictures and not (whole.drawing or Drawing()).paths and not whole.text
        sheet = _own_resolution(path, page, whole, regions[0], None) if alone and regions else whole
        return (sheet,) if regions or not whole.text else ()
    shared = _by_caption([box for box in regions if box.width > 40 and box.height > 40], captions)
    apart = {line.box for line in lines}
    beside = [
        word for word in whole.text
        if word.box not in apart and not any(caption.box.contains(*word.box.centre) for caption in captions)
    ]  # fmt: skip
    grown = [(_with_words(box, beside), caption) for box, caption in shared]
    large = [one for one in grown if one[0].width >= SMALLEST[0] and one[0].height >= SMALLEST[1]]
    return tuple(_own_resolution(path, page, whole, box, caption) for box, caption in _in_rows(large))


def _own_resolution(
    path: str | os.PathLike[str], page: int, whole: Figure, box: Box, caption: Caption | None
) -> Figure:
    """A figure of a page; one that is mostly an embedded picture with finer pixels than the page's as fine as these."""
    drawing = whole.drawing or Drawing()
    sizes = [place.width * place.height * place.overlaps(box) for place in drawing.pictures]
    largest = int(np.argmax(sizes)) if len(sizes) == len(drawing.finer) > 0 else -1
    if largest < 0 or sizes[largest] < MOSTLY * box.width * box.height:
        return _cut(whole, box, caption)
    most = (MAX_PIXELS / (whole.width * whole.height)) ** 0.5 * 0.99
    factor = min(drawing.finer[largest], FINEST, LARGEST / max(box.width, box.height), most)
    if factor < FINER:
        return _cut(whole, box, caption)
    larger = load(path, page, factor)

    def moved(place: Box) -> Box:
        return Box(*((v + 0.5) * factor - 0.5 for v in (place.x0, place.y0, place.x1, place.y1)))

    stored = stored_picture(path, page, largest)
    if stored is not None:
        larger = replace(larger, pixels=with_stored(larger.pixels, moved(drawing.pictures[largest]), stored))
    found = _cut(larger, moved(box), replace(caption, box=moved(caption.box)) if caption else None)
    note = f"read at the resolution of its embedded picture: its pixels are {factor:.3g} times as fine as the page's"
    return replace(found, warnings=(*found.warnings, note), region=_cut(whole, box, caption).region)


def _in_rows(found: Sequence[tuple[Box, Caption | None]]) -> list[tuple[Box, Caption | None]]:
    """From top to bottom; what stands side by side from left to right."""
    rows: list[list[tuple[Box, Caption | None]]] = []
    for one in sorted(found, key=lambda one: one[0].y0):
        if rows and rows[-1][0][0].y0 <= one[0].centre[1] <= rows[-1][0][0].y1:
            rows[-1].append(one)
        else:
            rows.append([one])
    return [one for row in rows for one in sorted(row, key=lambda one: one[0].x0)]


def captions_of(words: Sequence[Word]) -> list[Caption]:
    """The captions of a page: lines that begin with `Figure 3`, `Supplementary Fig. S3`, `Abb. 3`, ... and no paragraph
    goes on with."""
    found = [(word, CAPTION.match(word.text)) for word in words if word.angle == 0]
    return [_whole_line(word, match[1], words) for word, match in found if match and not _goes_on(word, words)]


def _goes_on(word: Word, words: Sequence[Word]) -> bool:
    """Whether a line stands right below one of running text, in one column with it and in its size."""
    box, size = word.box, word.box.height
    above = [w.box for w in words if len(w.text) >= LONG and 0 < box.y0 - w.box.y0 < 2 * size and w.angle == 0]
    return any(abs(b.x0 - box.x0) < size and box.y0 - b.y1 < 0.7 * size for b in above)


def _whole_line(word: Word, number: str, words: Sequence[Word]) -> Caption:
    """A caption with what goes on to the right of its label, in other print."""
    text, box = word.text, word.box
    for other in sorted((w for w in words if w.angle == 0), key=lambda w: w.box.x0):
        level = abs(other.box.y1 - box.y1) < 0.5 * word.box.height
        if level and 0 <= other.box.x0 - box.x1 < word.box.height:
            text, box = f"{text} {other.text}", box.union(other.box)
    return Caption(number, text, box)


def gathered(figure: Figure) -> list[tuple[Box, bool]]:
    """The places where graphics stand together, and whether these draw more than upright and level rules."""
    drawing = figure.drawing or Drawing()
    paths = [path for path in drawing.paths if len(path.points) and not _is_paper(path, figure)]
    boxes = [_seen(path) for path in paths] + list(drawing.pictures)
    drawn = [not _is_straight(path) for path in paths] + [True] * len(drawing.pictures)
    cells = np.zeros((figure.height // CELL + 2, figure.width // CELL + 2), dtype=np.uint8)
    for box in boxes:
        rows, columns = _cells(box).slices(*cells.shape)
        cells[rows, columns] = 1
    reach = np.ones((2 * (JOIN // CELL // 2) + 1,) * 2, dtype=np.uint8)
    _, labels = cv2.connectedComponents(cv2.dilate(cells, reach))
    places: dict[int, tuple[Box, bool]] = {}
    for box, shows in zip(boxes, drawn, strict=True):
        x, y = _cells(box).centre
        label = int(labels[int(np.clip(y, 0, labels.shape[0] - 1)), int(np.clip(x, 0, labels.shape[1] - 1))])
        if label and label in places:
            before, showed = places[label]
            places[label] = (before.union(box), showed or shows)
        elif label:
            places[label] = (box, shows)
    return list(places.values())


def _cells(box: Box) -> Box:
    return Box(box.x0 / CELL, box.y0 / CELL, box.x1 / CELL, box.y1 / CELL)


def _seen(path: VectorPath) -> Box:
    box, clip = path.box, path.clip
    if clip is None or not clip.overlaps(box):
        return box
    return Box(max(box.x0, clip.x0), max(box.y0, clip.y0), min(box.x1, clip.x1), min(box.y1, clip.y1))


def _is_paper(path: VectorPath, figure: Figure) -> bool:
    """The background of a page, and all that lies off it or cannot be told from paper."""
    box = path.box
    white = path.stroke is None and path.fill is not None and min(path.fill) > 250
    off = not box.overlaps(Box(0, 0, figure.width, figure.height))
    if path.clip is not None and not path.clip.overlaps(box):
        return True
    return white or off or (box.width > 0.95 * figure.width and box.height > 0.95 * figure.height)


def _is_straight(path: VectorPath) -> bool:
    box = path.box
    return min(box.width, box.height) < (0.5 if len(path.points) == 2 else 3)


def _by_caption(boxes: Sequence[Box], captions: Sequence[Caption]) -> list[tuple[Box, Caption | None]]:
    """Regions with their captions: the nearest one below, else just above; regions of one caption are joined.

    A caption that has a figure right above it takes none from below.
    """
    joined: dict[str, tuple[Box, Caption]] = {}
    alone: list[tuple[Box, Caption | None]] = []
    under = [one for one in captions if any(0 < one.box.y0 - box.y1 < CLOSE and _aside(box, one) == 0 for box in boxes)]
    for box in boxes:
        over = [one for one in captions if one not in under or one.box.y0 > box.y0]
        caption = min(over, key=lambda one: _distance(box, one), default=None)
        if caption is None or _distance(box, caption) > FAR:
            alone.append((box, None))
        elif caption.text in joined:
            joined[caption.text] = (joined[caption.text][0].union(box), caption)
        else:
            joined[caption.text] = (box, caption)
    return [*joined.values(), *alone]


def _distance(box: Box, caption: Caption) -> float:
    """How far a caption stands from a region, in px; above it counts double."""
    below, above = caption.box.y0 - box.y1, box.y0 - caption.box.y1
    beside = below < -40 and above < -40
    return max(0.0, below) + 2 * max(0.0, above) + _aside(box, caption) + (1000 if beside else 0)


def _aside(box: Box, caption: Caption) -> float:
    """How far a caption stands to the left or the right of a region, in px."""
    return max(0.0, caption.box.x0 - box.x1, box.x0 - caption.box.x1)


def _is_body(word: Word, page: Figure) -> bool:
    """A line of running text: long, most of it letters, and a good part of the page wide."""
    letters = sum(c.isalpha() for c in word.text)
    wide = word.angle == 0 and word.box.width > WIDE * page.width
    return wide and len(word.text) >= LONG and letters > 0.5 * len(word.text)


def _with_words(box: Box, words: Sequence[Word]) -> Box:
    """A region with the words beside it: tick labels, then titles."""
    for _ in range(2):
        near = box.grown(JOIN)
        for word in words:
            if near.overlaps(word.box) and (near.contains(*word.box.centre) or box.y0 < word.box.centre[1] < box.y1):
                box = box.union(word.box)
    return box


def _cut(whole: Figure, box: Box, caption: Caption | None) -> Figure:
    """The part of a page as a figure of its own, with the text and the paths in it."""
    rows, columns = box.grown(6).slices(whole.height, whole.width)
    left, top = float(columns.start), float(rows.start)
    region = Box(left, top, float(columns.stop - 1), float(rows.stop - 1))
    words = tuple(
        replace(word, box=_moved(word.box, left, top))
        for word in whole.text
        if region.contains(*word.box.centre) and (caption is None or not caption.box.contains(*word.box.centre))
    )
    drawing = whole.drawing or Drawing()
    paths = tuple(_path_moved(path, left, top) for path in drawing.paths if path.box.overlaps(region))
    pictures = tuple(_moved(place, left, top) for place in drawing.pictures if place.overlaps(region))
    return replace(
        whole, pixels=np.ascontiguousarray(whole.pixels[rows, columns]), text=words, drawing=Drawing(paths, pictures),
        region=region, caption=caption.text if caption else "",
    )  # fmt: skip


def _moved(box: Box, left: float, top: float) -> Box:
    return Box(box.x0 - left, box.y0 - top, box.x1 - left, box.y1 - top)


def _path_moved(path: VectorPath, left: float, top: float) -> VectorPath:
    clip = _moved(path.clip, left, top) if path.clip else None
    bounds = _moved(path.bounds, left, top) if path.bounds else None
    return replace(path, points=path.points - np.array([left, top]), clip=clip, bounds=bounds)
