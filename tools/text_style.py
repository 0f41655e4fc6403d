"""Size, weight and family of printed words, from their ink: heights over the baseline, strokes, feet and pitch.

The size of a font is no length in its letters: capitals are 0.66 em high in Times and 0.73 em in DejaVu, and hinting
rounds them to whole pixels, so sizes are right to some 10 %; between two prints of the same words in one font they
compare to a pixel. Not handled here: which words belong to what (`agent.grounding`), slanted words, italics, colours
of text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tools.types import Floats, Image, Unreadable, Word

Coverage = NDArray[np.float64]
ASCENDING, DESCENDING = set("bdfhkl"), set("gjpqy()[]{},;/|_Q$@ç")
SMALL = set("acemnorsuvwxz")
ROUND = set("aceosCGOQSJU03689")
STEMS = set("hiklmnrfHIFPNMTYK")  # letters that stand on straight stems: feet show here
CAP = (0.67, 0.725)  # height of capitals in em: book fonts with low small letters, and all others
SMALL_EM = (0.455, 0.53)  # height of small letters in em, likewise
LOW = 0.70  # small letters over capitals: below it a book font (Times 0.68, Computer Modern 0.63; Arial 0.72)
ASCENDER = 1.04  # over capitals
BOLD = {"serif": 0.148, "sans": 0.175, "mono": 0.158, "": 0.158}  # stroke over the height of capitals: regular 0.10
# to 0.14 in faces with serifs, to 0.15 in others; bold from 0.155, 0.19 and 0.165
FEW = 8.0, 0.022  # px, more: below this height a stroke is a whole pixel wide at least
FOOT, NO_FOOT = 1.45, 1.25  # ink of a stem's foot over that of the stem
WIDTHS = {
    **dict.fromkeys("ijl", 222), **dict.fromkeys("ft.,:;I /|!'", 278), **dict.fromkeys("r()-", 333),
    **dict.fromkeys("csvxyzkJ", 500), **dict.fromkeys("FTZ", 611), **dict.fromkeys("ABEKPSVXY", 667),
    **dict.fromkeys("CDHNRUw", 722), **dict.fromkeys("GOQ", 778), **dict.fromkeys("mM", 833), "%": 889, "W": 944,
}  # fmt: skip  # advance widths of a common proportional face, 1/1000 em; 556 for all others
MIN_HEIGHT = 5.0  # px: capitals below tell nothing


@dataclass(frozen=True)
class TextStyle:
    """Of some words: font size in px, weight ("normal", "bold"), family ("serif", "sans", "mono"); or why not."""

    size: float | Unreadable
    weight: str | Unreadable
    family: str | Unreadable


Letter = tuple[int, int, str]  # its columns [first, last) and the character


@dataclass(frozen=True)
class Print:
    """One text's ink: `ink` (h, w) coverage 0 to 1, upright; `cap`: height of capitals and digits in px; `base`: row of
    the baseline (an edge); `small`: height of small letters, nan where unknown; `words`: the letters of each word in
    which they stand apart."""

    ink: Coverage
    cap: float
    base: float
    small: float
    words: tuple[tuple[Letter, ...], ...]

    @property
    def letters(self) -> tuple[Letter, ...]:
        """All letters that stand apart."""
        return tuple(letter for word in self.words for letter in word)


def measure_text(pixels: Image, words: Sequence[Word]) -> TextStyle:
    """The common style of words in `pixels` (H, W, 3): medians over those that can be measured."""
    if not words:
        return _none("there are no such words")
    prints = [one for word in words if (one := print_of(pixels, word)) is not None]
    if not prints:
        return _none("its letters are too small, too faint or slanted")
    ratios = [one.small / one.cap for one in prints if np.isfinite(one.small)]
    book = bool(ratios) and float(np.median(ratios)) < LOW
    sizes = [value for one in prints for value in _sizes(one, book)]
    family = _family(prints)
    return TextStyle(round(float(np.mean(sizes)), 2), _weight(prints, family), family)


def _none(reason: str) -> TextStyle:
    return TextStyle(Unreadable(reason), Unreadable(reason), Unreadable(reason))


def _sizes(one: Print, book: bool) -> list[float]:
    """Sizes of the font by its capitals and by its small letters: hinting rounds each to whole pixels by itself."""
    found = [one.cap / CAP[0 if book else 1]]
    return [*found, one.small / SMALL_EM[0 if book else 1]] if np.isfinite(one.small) else found


def print_of(pixels: Image, word: Word) -> Print | None:
    """The ink of a text and its heights; None for slanted, faint or tiny ones."""
    text = "".join(word.text.split())
    ink = coverage_of(pixels, word)
    if ink is None or not any(c.isupper() or c.isdigit() or c in ASCENDING for c in text):
        return None
    top, bottom = _edges(ink.max(axis=1))
    runs = _runs(ink)
    if set(text) & DESCENDING:
        bottom = float(np.median([_edges(ink[:, a:b].max(axis=1))[1] for a, b in runs]))
    words = _words(runs, word.text.split())
    heights = [(c, bottom - _edges(ink[:, a:b].max(axis=1))[0]) for one in words for a, b, c in one]
    whole = (bottom - top) / (ASCENDER if any(c in ASCENDING for c in text) else 1.0)
    cap = _height([h for h in heights if h[0].isupper() or h[0].isdigit()], whole)
    small = _height([h for h in heights if h[0] in SMALL], np.nan)
    return Print(ink, cap, bottom, small, words) if cap >= MIN_HEIGHT else None


def _height(letters: Sequence[tuple[str, float]], other: float) -> float:
    """The median height of letters, of flat ones where there are any: round ones reach a little higher. `other` where
    there is none."""
    flat = [height for letter, height in letters if letter not in ROUND] or [height for _, height in letters]
    return float(np.median(flat)) if flat else other


def _words(runs: Sequence[tuple[int, int]], texts: Sequence[str]) -> tuple[tuple[Letter, ...], ...]:
    """The letters of each word that has as many runs of ink as letters; words part at the widest gaps."""
    gaps = np.array([b[0] - a[1] for a, b in pairwise(runs)], dtype=np.float64)
    if len(gaps) < len(texts) - 1:
        return ()
    cuts = sorted(np.argsort(-gaps, kind="stable")[: len(texts) - 1] + 1)
    parts = [runs[a:b] for a, b in pairwise([0, *map(int, cuts), len(runs)])]
    found = [
        tuple((a, b, c) for (a, b), c in zip(part, text, strict=True))
        for part, text in zip(parts, texts, strict=True)
        if len(part) == len(text)
    ]
    return tuple(found)


def coverage_of(pixels: Image, word: Word) -> Coverage | None:
    """(h, w) how much of each pixel is ink, the word turned upright; None where it is slanted or hardly seen."""
    quarter = round(word.angle / 90)
    if abs(word.angle - 90 * quarter) > 1:
        return None
    crop = pixels[word.box.grown(2).slices(*pixels.shape[:2])].astype(np.float64)
    if min(crop.shape[:2]) < 5:
        return None
    crop = np.rot90(crop, -quarter)
    border = np.concatenate([crop[0], crop[-1], crop[:, 0], crop[:, -1]])
    paper = np.median(border, axis=0)
    away = np.linalg.norm(crop - paper, axis=2)
    full = float(np.percentile(away[away > 0.5 * away.max()], 75)) if away.max() > 60 else 0.0
    if not full:
        return None
    direction = crop[away >= 0.9 * full].mean(axis=0) - paper
    ink = np.clip((crop - paper) @ direction / float(direction @ direction), 0, 1)
    return _without_strangers(np.where(ink < 0.08, 0.0, ink))


def _without_strangers(ink: Coverage) -> Coverage:
    """The ink without what runs in from outside (ticks, frames), unless that would be most of it."""
    from scipy import ndimage

    labels, _ = ndimage.label(ink > 0.2, np.ones((3, 3)))
    outer = set(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]).tolist()) - {0}
    cleaned = np.where(np.isin(labels, list(outer)), 0.0, ink)
    return cleaned if cleaned.sum() > 0.7 * ink.sum() else ink


def _edges(profile: Floats) -> tuple[float, float]:
    """First and last edge of ink in a profile of coverage (n,), in pixels from its start; a part-covered end counts
    as that part of a pixel."""
    there = np.flatnonzero(profile >= 0.6 * profile.max(initial=0.0))
    if not len(there) or profile.max() <= 0:
        return 0.0, 0.0
    first, last = int(there[0]), int(there[-1])
    before = float(profile[first - 1]) if first else 0.0
    after = float(profile[last + 1]) if last + 1 < len(profile) else 0.0
    return first - before, last + 1 + after


def _runs(ink: Coverage) -> list[tuple[int, int]]:
    """Columns [first, last) of ink between empty columns."""
    filled = np.concatenate([[False], ink.max(axis=0) > 0.25, [False]])
    starts, ends = np.flatnonzero(filled[1:] & ~filled[:-1]), np.flatnonzero(~filled[1:] & filled[:-1])
    return [(int(a), int(b)) for a, b in zip(starts, ends, strict=True)]


def _weight(prints: Sequence[Print], family: str | Unreadable) -> str | Unreadable:
    """By the strokes' width over the height of capitals."""
    share = float(np.median([stroke_width(one.ink) / one.cap for one in prints]))
    cap = float(np.median([one.cap for one in prints]))
    if cap < 6:
        return Unreadable("strokes of less than a pixel do not tell their weight")
    limit = BOLD[family if isinstance(family, str) else ""] + (FEW[1] if cap < FEW[0] else 0.0)
    return "bold" if share > limit else "normal"


def stroke_width(ink: Coverage, finer: int = 4) -> float:
    """Mean width of strokes in px: all ink over the length of its skeleton, found in an enlarged picture."""
    import cv2
    from skimage.morphology import skeletonize

    peak = float(np.percentile(ink[ink > 0.3], 80)) if (ink > 0.3).any() else 1.0
    large = cv2.resize(ink, None, fx=finer, fy=finer, interpolation=cv2.INTER_CUBIC)
    middle = skeletonize(large > 0.45 * peak)  # type: ignore[no-untyped-call]
    length = int(middle.sum()) / finer
    return float(ink.sum()) / max(length, 1.0)


def _family(prints: Sequence[Print]) -> str | Unreadable:
    """Mono by even pitch; serif or sans by the feet of stems."""
    words = [word for one in prints for word in one.words]
    even = [verdict for word in words if (verdict := even_pitch(word)) is not None]
    if even and np.mean(even) > 0.5:
        return "mono"
    feet = [value for one in prints for value in feet_of(one)]
    if len(feet) < 3:
        return Unreadable("too few letters on straight stems stand apart")
    foot = float(np.median(feet))
    if NO_FOOT < foot < FOOT:
        return Unreadable("the feet of its letters are neither plain nor clearly serifs")
    return "serif" if foot >= FOOT else "sans"


def even_pitch(word: Sequence[Letter]) -> bool | None:
    """True where letters stand at even distances whatever their width, None where their widths are too alike."""
    if len(word) < 4:
        return None
    widths = np.array([WIDTHS.get(c, 556) for _, _, c in word], dtype=np.float64)
    spread = np.cumsum(widths) - widths / 2
    at = np.array([(a + b) / 2 for a, b, _ in word])
    number = np.arange(len(at), dtype=np.float64)
    off_even, off_wide, differ = (_residual(x, y) for x, y in ((number, at), (spread, at), (number, spread)))
    if differ < 45:  # 1/1000 em: such words look the same either way
        return None
    return off_even < off_wide


def _residual(x: Floats, y: Floats) -> float:
    """Root mean square distance of y from the best line over x."""
    return float(np.sqrt(np.mean((y - np.polyval(np.polyfit(x, y, 1), x)) ** 2)))


def feet_of(one: Print) -> list[float]:
    """Of each letter on straight stems: its ink at the foot over its ink a little higher."""
    found = []
    base = round(one.base)
    low, high = round(one.base - 0.45 * one.cap), round(one.base - 0.2 * one.cap)
    for a, b, letter in one.letters:
        if letter in STEMS and 0 < low < high < base <= len(one.ink):
            rows = one.ink[:, max(0, a - 1) : b + 1].sum(axis=1)
            stem = float(np.median(rows[low:high]))
            foot = float(rows[base - max(1, round(0.08 * one.cap)) : base].max())
            if stem > 0.3:
                found.append(foot / stem)
    return found
