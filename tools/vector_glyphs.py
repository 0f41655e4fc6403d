"""Text that a producer drew as outlines: the glyphs are paths, so where each stands is known; only their names are not.

Glyphs that follow each other in drawing order are one label, its direction is that of their places, and each label is
read by the text recogniser as one clean line. The same outline is the same character everywhere: labels vote on what
each outline means, which reads lone digits and corrects labels that were misread.
Not handled here: outlines merged into one path per label, text whose glyphs are stroked, mixed fonts in one label.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import groupby, pairwise

import numpy as np

from tools.ocr import read_lines, read_words
from tools.text_lines import turned
from tools.types import Box, Drawing, Figure, Floats, Rgb, VectorPath, Word
from tools.vector_text import is_enough

LARGEST = 90.0  # px: glyphs are smaller
MOST = 30_000  # glyphs and lines: more are no text
MOST_LINES = 500
GAP = 0.95  # of the height of a line: wider gaps part labels, narrower ones words
DOWN = 0.2  # the same between the first two glyphs of a label that runs down
SPACE = 0.3  # and a gap that is a space, where the recogniser does not tell
ALIKE = 0.05  # of a glyph's size, between two outlines of one character
SURE = 0.6  # share of the votes for what an outline means
READ = 0.65  # mean probability of a label worth keeping


@dataclass(frozen=True, eq=False)
class Glyph:
    """One filled outline: its vertices (n, 2), how many subpaths, and its place in drawing order."""

    points: Floats
    parts: int
    box: Box
    colour: Rgb
    order: int

    @property
    def size(self) -> float:
        return max(self.box.width, self.box.height)

    @property
    def square(self) -> bool:
        """Four corners: a bar, or a dash."""
        return self.parts == 1 and len(self.points) < 6

    @property
    def round(self) -> bool:
        """As wide as high and without a hole: it may be a marker."""
        return self.parts == 1 and abs(self.box.width - self.box.height) < 0.12 * self.size


@dataclass(eq=False)
class Run:
    """The glyphs of one label, the way that it runs (degrees counter-clockwise), and what it was read as."""

    glyphs: list[Glyph]
    angle: float = 0.0
    text: str = ""
    score: float = 0.0
    kinds: list[int] = field(default_factory=list)

    @property
    def box(self) -> Box:
        return reduce(Box.union, [glyph.box for glyph in self.glyphs])

    @property
    def height(self) -> float:
        """The size of its glyphs across the way that it runs."""
        along = abs(math.cos(math.radians(self.angle))) > 0.7
        return max(max(g.box.height if along else g.box.width for g in self.glyphs), 0.4 * self.glyphs[0].size)


def outlined_words(figure: Figure) -> tuple[Word, ...]:
    """The labels whose glyphs are filled paths of a figure, in figure pixels; empty where there are none."""
    glyphs = glyphs_of(figure.drawing) if figure.drawing is not None else []
    if not 3 <= len(glyphs) <= MOST:
        return ()
    runs = runs_of(glyphs)
    runs = [run for run in runs if not all(glyph.square for glyph in run.glyphs)]  # bars are no letters
    usual = [run.height for run in runs if len(run.glyphs) > 1]
    if not usual or len(usual) > MOST_LINES:
        return ()
    low, high = 0.5 * float(np.median(usual)), 2.0 * float(np.median(usual))
    lone = [run for run in runs if len(run.glyphs) == 1 and low < run.height < high and not run.glyphs[0].round]
    runs = [run for run in runs if len(run.glyphs) > 1] + (lone if len(lone) < MOST_LINES else [])
    _turn_lone(runs)
    _read(figure, runs)
    _name_outlines(runs)
    return tuple(Word(run.text, run.box, run.angle, min(1.0, run.score)) for run in runs if _is_label(run))


def glyphs_of(drawing: Drawing) -> list[Glyph]:
    """The small filled paths of a drawing, each with all its subpaths."""
    found = []
    for order, group in groupby(drawing.paths, key=lambda path: path.order):
        parts = [path for path in group if len(path.points) > 2 or path.fill is None]
        if parts and all(_may_be_glyph(path) for path in parts):
            points = np.concatenate([path.points for path in parts])
            box = reduce(Box.union, [path.box for path in parts])
            if 1.0 < max(box.width, box.height) < LARGEST:
                found.append(Glyph(points, len(parts), box, parts[0].fill or (0, 0, 0), order))
    return found


def _may_be_glyph(path: VectorPath) -> bool:
    inked = path.fill is not None and min(path.fill) < 230 and path.alpha > 0.3
    return inked and path.stroke in (None, path.fill) and len(path.points) >= 3


def runs_of(glyphs: Sequence[Glyph]) -> list[Run]:
    """Glyphs that follow each other on one line, with the angle of that line."""
    runs: list[Run] = []
    for glyph in glyphs:
        last = runs[-1] if runs else None
        if last is not None and glyph.order == last.glyphs[-1].order + 1 and _goes_on(last, glyph):
            last.glyphs.append(glyph)
            last.angle = _angle(last.glyphs)
        else:
            runs.append(Run([glyph]))
    return runs


def _goes_on(run: Run, glyph: Glyph) -> bool:
    """Whether a glyph is the next one of a label: of its colour, beside the last one, in its direction."""
    last = run.glyphs[-1]
    size = max(run.height if len(run.glyphs) > 1 else last.size, glyph.size if len(run.glyphs) < 3 else 0.0)
    if glyph.colour != last.colour or glyph.size > 3 * size:
        return False
    if len(run.glyphs) == 1:
        apart_x = max(glyph.box.x0 - last.box.x1, last.box.x0 - glyph.box.x1)
        apart_y = max(glyph.box.y0 - last.box.y1, last.box.y0 - glyph.box.y1)
        below = glyph.box.y0 > last.box.centre[1] and apart_x < 0  # names below each other are no label that runs down
        return max(apart_x, apart_y) < (DOWN if below else GAP) * size and glyph.box.x1 > last.box.x0
    turn = math.radians(run.angle)
    right, down = np.array([math.cos(turn), -math.sin(turn)]), np.array([math.sin(turn), math.cos(turn)])
    step = np.array(glyph.box.centre) - np.array(last.box.centre)
    reach = (_extent(last, right) + _extent(glyph, right)) / 2
    along = float(step @ right)
    return 0 < along < reach + GAP * run.height and abs(float(step @ down)) < 0.8 * run.height


def _extent(glyph: Glyph, way: Floats) -> float:
    """How long a glyph is in some direction."""
    return float(np.ptp(glyph.points @ way))


def _angle(glyphs: Sequence[Glyph]) -> float:
    """The direction from the first to the last glyph, in degrees; level and upright where it is nearly that."""
    (x0, y0), (x1, y1) = glyphs[0].box.centre, glyphs[-1].box.centre
    angle = math.degrees(math.atan2(y0 - y1, x1 - x0))
    near = 40.0 if len(glyphs) == 2 else 15.0 if len(glyphs) < 9 else 6.0  # "yield" begins low and ends high
    square = round(angle / 90) * 90.0
    return square if abs(angle - square) < near else angle


def _turn_lone(runs: Sequence[Run]) -> None:
    """Lone glyphs run as the labels do that stand in one column with them: the ticks of an axis with turned labels."""
    upright = [run for run in runs if len(run.glyphs) > 1 and abs(run.angle) == 90]
    level = [run for run in runs if len(run.glyphs) > 1 and run.angle == 0]
    for run in runs:
        if len(run.glyphs) == 1:
            x, y = run.box.centre
            same = [o for o in upright if abs(o.box.centre[0] - x) < 0.4 * o.height]
            row = [o for o in level if abs(o.box.centre[1] - y) < 0.4 * o.height]
            run.angle = same[0].angle if same and not row else 0.0


def _read(figure: Figure, runs: Sequence[Run]) -> None:
    """What the recogniser says of every label."""
    lines = []
    for run in runs:
        turn = math.radians(run.angle)
        right, down = np.array([math.cos(turn), -math.sin(turn)]), np.array([math.sin(turn), math.cos(turn)])
        points = np.concatenate([glyph.points for glyph in run.glyphs])
        along, across = points @ right, points @ down
        centre = right * (along.min() + along.max()) / 2 + down * (across.min() + across.max()) / 2
        lines.append(turned(figure.pixels, centre, float(np.ptp(along)) + 1, float(np.ptp(across)) + 1, run.angle))
    for run, words in zip(runs, read_lines(lines), strict=True):
        run.text = " ".join(word.text for word in words)
        letters = sum(len(word.text) for word in words)
        run.score = sum(len(word.text) * word.confidence for word in words) / letters if letters else 0.0


def _name_outlines(runs: Sequence[Run]) -> None:
    """Labels vote on the meaning of each outline; labels whose outlines are all known are spelled by them."""
    shapes: dict[tuple[int, int], list[tuple[int, Floats]]] = {}
    count = 0
    for run in runs:
        for glyph in run.glyphs:
            kind, new = _kind_of(glyph, run.angle, shapes, count)
            run.kinds.append(kind)
            count += new
    votes: dict[int, Counter[str]] = {}
    for run in runs:
        letters = run.text.replace(" ", "")
        if len(letters) == len(run.glyphs) and "^" not in letters and run.score > READ:
            for kind, letter in zip(run.kinds, letters, strict=True):
                votes.setdefault(kind, Counter())[letter] += run.score  # type: ignore[assignment]
    known = {}
    for kind, counts in votes.items():
        (letter, most), *_ = counts.most_common(1)
        if most >= SURE * sum(counts.values()):
            known[kind] = letter
    for run in runs:
        if "^" not in run.text and all(kind in known for kind in run.kinds):
            run.text, run.score = _spelled(run, [known[kind] for kind in run.kinds]), max(run.score, 0.9)


def _kind_of(
    glyph: Glyph, angle: float, shapes: dict[tuple[int, int], list[tuple[int, Floats]]], count: int
) -> tuple[int, bool]:
    """The number of an outline, turned level; and whether it is a new one."""
    turn = math.radians(angle)
    level = glyph.points @ np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    level = level - level.min(axis=0)
    same = shapes.setdefault((glyph.parts, len(level)), [])
    for kind, other in same:
        if np.abs(level - other).max() < ALIKE * max(glyph.size, 6.0):
            return kind, False
    same.append((count, level))
    return count, True


def _spelled(run: Run, letters: Sequence[str]) -> str:
    """The label in known letters, with the spaces that it was read with, or else those that its gaps show."""
    shown = run.text.replace(" ", "")
    if len(shown) == len(letters):
        left = iter(letters)
        return "".join(" " if c == " " else next(left) for c in run.text)
    turn = math.radians(run.angle)
    right = np.array([math.cos(turn), -math.sin(turn)])
    text = letters[0]
    for (one, other), letter in zip(pairwise(run.glyphs), letters[1:], strict=True):
        gap = float((other.points @ right).min() - (one.points @ right).max())
        text += (" " if gap > SPACE * run.height else "") + letter
    return text


def _is_label(run: Run) -> bool:
    if not run.text or run.score < READ or not any(c.isalnum() or c in "%$" for c in run.text):
        return False
    lone = len(run.glyphs) == 1
    return not lone or (len(run.text) == 1 and (run.text.isdigit() or run.score > 0.89))


def all_words(figure: Figure) -> tuple[Word, ...]:
    """The text of a figure by the best evidence: its text layer, its outlined labels, what its pixels show."""
    if is_enough(figure.text):
        return figure.text
    outlined = outlined_words(figure)
    return outlined if is_enough(outlined) else read_words(figure.pixels)
