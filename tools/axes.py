"""Axes: every panel's scales, calibrated from its tick labels and the strokes that these name.

For each side of a plot the rows (columns) of words beside it are tried, nearest first: numbers on a linear or log
scale, dates, then category names. Panels without labels of their own borrow their neighbours' axes.
Not handled here: axes drawn through the middle of the plot with labels inside it, broken axes in pieces (refused),
polar and ternary frames, colour bars.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from tools.axis_factors import doubted, scaled
from tools.axis_fit import fit_dates, fit_numbers
from tools.axis_lines import axis_line
from tools.axis_titles import with_titles
from tools.categories import category_at, fit_categories
from tools.colour_bars import beside_bar
from tools.decades import by_minor_ticks
from tools.inside_labels import inside_categories
from tools.label_split import split_rows
from tools.ladders import HORIZONTAL, Ladder, find_ladders, join_lines
from tools.layout import without_titles
from tools.numbers import parse_offset
from tools.readings import Dates, mixed_powers, read_dates, read_numbers
from tools.rounding import settled
from tools.seating import Rails, edge_rails, glyph_seats, grid_rails, tick_rails
from tools.second_look import overlooked, with_words
from tools.sharing import Found, borrow
from tools.strokes import Tick, find_grid, find_ticks
from tools.tick_strips import ladder_at_ticks
from tools.types import Axis, Box, Figure, Floats, Image, Panel, Side, Unreadable, Word
from tools.vector_strokes import Straight, sharpened, straights
from tools.vector_strokes import grid_rails as drawn_grid
from tools.vector_strokes import tick_rails as drawn_ticks

SIDES: tuple[Side, ...] = ("bottom", "left", "top", "right")
PAIRS: tuple[tuple[Side, Side], ...] = (("bottom", "top"), ("left", "right"))
NUMBER_LIKE = re.compile(
    r"[-+]?\d[\d.,' ]*(?:[a-zA-Z]?[-+]?\d+)?[%kKM]?|"
    r"1[0oO][\^\"'º°ª⁰¹²³⁴-⁹*~−-]{1,2}\d{0,2}|"  # powers of ten, also misread ones
    r"(?:19|20)\d\d([-/.])\d\d?(?:\1\d\d?)?|\d\d?([-/.])\d\d?\2(?:\d\d){1,2}"  # dates
)
RANGE = re.compile(r"(\d{1,3}) ?[-–] ?(\d{1,3})")  # of ages, doses, ...
YEAR = re.compile(r"\s*(?:1[89]|20)\d\d\s*")
NUMBERS = 0.6  # share of a ladder that must be numbers (dates) for it to be a scale


@dataclass(frozen=True)
class Beside:
    """What stands along one side of a plot: rows of labels, nearest first, and strokes to seat them on."""

    side: Side
    plot: Box
    ladders: tuple[Ladder, ...]
    rails: tuple[Rails, ...]
    words: tuple[Word, ...]
    title: str = ""
    opposite_bare: bool = False
    crowded: bool = False  # other panels stand in the figure
    pixels: Image | None = None  # where words are read from these

    @property
    def extent(self) -> float:
        return self.plot.width if self.side in HORIZONTAL else self.plot.height


def calibrate(figure: Figure, panels: Sequence[Panel], words: Sequence[Word]) -> tuple[Panel, ...]:
    """The panels with their axes. `words` in figure pixels, OCR or vector.

    A panel already refused is left alone. Where no value axis can be calibrated at all the panel is refused; where one
    side has labels that fit no scale, a warning says why, and that side has no axis: never a guessed scale.
    """
    words = split_rows(figure.pixels, without_titles(panels, words))
    quiet = without_words(figure, words)
    drawn = straights(figure.drawing) if figure.drawing is not None else []
    panels = [sharpened(panel, drawn) for panel in panels]
    views = [_views(figure, quiet, panel, panels, words, drawn) for panel in panels]
    found: list[Found] = [
        {} if panel.refused else {side: read_side(view) for side, view in sides.items()}
        for panel, sides in zip(panels, views, strict=True)
    ]
    _drop_twins(found)
    shared = [_with_shared(panels, i, found, views[i]) for i in range(len(panels))]
    for panel, axes in zip(panels, shared, strict=True):
        _name_inside(panel, axes, words)
    done = [panel if panel.refused else _filled(panel, axes) for panel, axes in zip(panels, shared, strict=True)]
    ticks = [{side: _tick_marks(view) for side, view in sides.items()} for sides in views]
    return with_titles(doubted(settled(done, ticks), words), words)


def _tick_marks(view: Beside) -> Floats:
    return next((rail.pixels for rail in view.rails if rail.kind == "tick"), np.zeros(0))


def _name_inside(panel: Panel, axes: Found, words: Sequence[Word]) -> None:
    """Give a panel that has a horizontal value axis and no vertical one the names that are printed inside its bars."""
    values = any(isinstance(axis := axes.get(side), Axis) and axis.scale in ("linear", "log") for side in PAIRS[0])
    if values and not any(isinstance(axes.get(side), Axis) for side in PAIRS[1]):
        names = inside_categories(panel.plot, words)
        if names is not None:
            axes["left"] = names


def without_words(figure: Figure, words: Sequence[Word]) -> Figure:
    """The figure with its words painted over with the paper around them: glyphs close to an axis look like ticks."""
    pixels = figure.pixels.copy()
    for word in words:
        rows, columns = word.box.slices(figure.height, figure.width)
        ring = figure.pixels[word.box.grown(1).slices(figure.height, figure.width)].reshape(-1, 3)
        if word.angle % 90 == 0 and len(ring):
            pixels[rows, columns] = np.median(ring, axis=0)
    return replace(figure, pixels=pixels)


def _views(
    figure: Figure,
    quiet: Figure,
    panel: Panel,
    panels: Sequence[Panel],
    words: Sequence[Word],
    drawn: Sequence[Straight],
) -> dict[Side, Beside]:
    """What stands along the four sides of one panel. Strokes as `drawn` in a vector file come before those seen."""
    others = [other.plot for other in panels if other is not panel]
    upright = drawn_grid(drawn, panel.plot, True) or grid_rails(find_grid(figure, panel.plot, "vertical"))
    level = drawn_grid(drawn, panel.plot, False) or grid_rails(find_grid(figure, panel.plot, "horizontal"))
    seen = None if figure.text else figure.pixels
    views: dict[Side, Beside] = {}
    for side in SIDES:
        across = side in HORIZONTAL
        low, high = (panel.plot.x0, panel.plot.x1) if across else (panel.plot.y0, panel.plot.y1)
        ladders = find_ladders(panel.plot, words, side, others)
        if side in ("top", "right") and ladders and beside_bar(figure.pixels, panel.plot, side, ladders[0].near):
            ladders = ()
        line = axis_line(figure, panel.plot, side, ladders[0].near if ladders else 0.0)
        exact = drawn_ticks(drawn, line, side)
        left = () if exact else find_ticks(quiet, line, side)
        rails = (
            exact or tick_rails(_no_glyphs(find_ticks(figure, line, side), ladders, left)),
            upright if across else level,
            edge_rails(low, high),
            exact or tick_rails(left),
        )
        usable = tuple(rail for rail in rails if len(rail.pixels))
        opposite: Side = "bottom" if side == "top" else "left"
        bare = side in ("top", "right") and not views[opposite].ladders
        views[side] = Beside(side, panel.plot, ladders, usable, tuple(words), panel.title, bare, len(panels) > 1, seen)
    return views


def _no_glyphs(ticks: Sequence[Tick], ladders: Sequence[Ladder], left: Sequence[Tick]) -> list[Tick]:
    """Without the strokes of glyphs: ink apart from the axis, where a label of the nearest row stands; all of many
    where none is `left` without the words."""
    labels = ladders[0].labels if ladders else ()
    if not left and len(ticks) > 2 * len(labels) > 0:
        return []
    return [
        tick for tick in ticks
        if tick.gap == 0 or not any(one.start - 1 <= tick.pixel <= one.end + 1 and one.near > 0 for one in labels)
    ]  # fmt: skip


def read_side(view: Beside) -> Axis | Unreadable:
    """The axis of one side from its own labels, or why it has none."""
    axis = _read_rows(view)
    if view.pixels is None or not view.ladders or view.side in ("top", "right"):
        return axis
    if isinstance(axis, Axis) and axis.confidence == "high":
        return axis
    anchors = len(axis.anchors) if isinstance(axis, Axis) else 0
    for ticks in dict.fromkeys(tuple(rail.pixels.tolist()) for rail in view.rails if rail.kind == "tick"):
        if anchors < 0.8 * len(ticks):
            ladder = ladder_at_ticks(view.pixels, view.plot, view.side, np.array(ticks))
            again = _read_ladder(view, ladder, ()) if ladder is not None else None
            if isinstance(again, Axis) and again.scale == "category" and _are_figures(view.ladders[0]):
                continue
            if isinstance(again, Axis) and (again.confidence == "high" or not isinstance(axis, Axis)):
                return again
    if isinstance(axis, Axis):
        return axis
    found = (by_minor_ticks(view.plot, ladder, view.rails) for ladder in view.ladders[:2])
    return next((one for one in found if one is not None), axis)


def _are_figures(ladder: Ladder) -> bool:
    """Whether a row of labels, though they fit no scale, are what numbers are written with: names they are not."""
    text = "".join(ladder.texts)
    return any(c.isdigit() for c in text) and sum(c in "0123456789.,+-e%" for c in text) > 0.8 * len(text)


def _read_rows(view: Beside) -> Axis | Unreadable:
    """The axis from the rows of labels as they were read."""
    reason: Unreadable | None = None
    names: Axis | None = None
    for start, ladder in enumerate(view.ladders[:4]):
        if _are_stubs(ladder) and any(len(row.labels) >= len(ladder.labels) for row in view.ladders[start + 1 : 2]):
            continue
        axis = _read_ladder(view, ladder, view.ladders[start + 1 :])
        if isinstance(axis, Unreadable):
            reason = axis if reason is None else reason
        elif not _stands_alone(view, axis, ladder):
            return Unreadable("the labels on this side belong to no axis")
        elif axis.scale == "category":
            if axis.confidence == "high":
                return axis if names is None else names
            names = axis if names is None else names  # doubtful: specks along an axis look like names
        elif names is None or axis.confidence == "high":
            return axis
    if names is not None:
        return names
    return Unreadable("no labels stand along this side") if reason is None else reason


def _are_stubs(ladder: Ladder) -> bool:
    """Whether a row holds nothing but tick marks, with a piece of their axis, that were read as single letters."""
    return set(ladder.texts) <= set("TIFLHl1i|") and all(len(text) == 1 for text in ladder.texts)


def _read_ladder(view: Beside, ladder: Ladder, outer: Sequence[Ladder]) -> Axis | Unreadable:
    """Numbers if most labels are, then dates, then categories (not on the sides that seldom carry them)."""
    joined = join_lines([ladder, *outer], view.plot)
    numbers = read_numbers(ladder.texts)
    reason = Unreadable("the labels are neither numbers nor dates")
    dated = _read_dates(view, ladder, joined, outer)
    if isinstance(dated, Axis) and joined.below:  # days of a month with the month under one of them
        return dated
    if (numbers.share >= NUMBERS or mixed_powers(ladder.texts)) and len(ladder.labels) > 1:
        axis = fit_numbers(ladder, numbers, view.rails, view.extent)
        if isinstance(axis, Axis):
            whole, labels = _completed(view, axis, ladder)
            return scaled(whole, view.plot, view.words, labels.far)
        reason = axis
    if isinstance(dated, Axis):
        return dated
    if view.side in ("top", "right") or (view.side == "left" and numbers.share >= NUMBERS):
        return reason
    rest = outer[len({label.near for label in joined.below}) :]
    axis = fit_categories(joined, rest, view.rails)
    if isinstance(axis, Unreadable) and len(joined.labels) == 1 and joined.labels[0].slant == 0:
        single = None if view.crowded else _single(view, joined)
        return axis if single is None else single
    if isinstance(axis, Axis) and np.mean([_like_number(text) for text in ladder.texts]) > 0.5:
        note = f"its labels look like numbers ({reason.reason})"
        return replace(axis, confidence="low", warnings=(*axis.warnings, note))
    return axis


def _like_number(text: str) -> bool:
    """Whether a label could be a number or a date; `5-9` is a name."""
    range_ = RANGE.fullmatch(text)
    return NUMBER_LIKE.fullmatch(text) is not None and not (range_ and int(range_[1]) < int(range_[2]))


def _completed(view: Beside, axis: Axis, ladder: Ladder) -> tuple[Axis, Ladder]:
    """The axis and its labels with those that were overlooked at first, where they agree with it."""
    if view.pixels is None:
        return axis, ladder
    across = view.side in HORIZONTAL
    low, high = (view.plot.x0, view.plot.x1) if across else (view.plot.y0, view.plot.y1)
    words = overlooked(view.pixels, axis, ladder, low, high)
    if not words:
        return axis, ladder
    whole = with_words(ladder, words, view.plot)
    again = fit_numbers(whole, read_numbers(whole.texts), view.rails, view.extent)
    better = isinstance(again, Axis) and again.scale == axis.scale and len(again.anchors) > len(axis.anchors)
    return (again, whole) if isinstance(again, Axis) and better else (axis, ladder)


def _read_dates(view: Beside, ladder: Ladder, joined: Ladder, outer: Sequence[Ladder]) -> Axis | Unreadable:
    """A date axis, unless the labels are the names of quarters or of the months of any year: these are categories."""
    if len(ladder.labels) < 2:
        return Unreadable("one label is no scale")
    title = "" if view.crowded and YEAR.fullmatch(view.title) else view.title  # each facet has a year of its own
    extra = [title, *(text for row in outer[:2] for text in row.texts)]
    readings = [one for one in read_dates(joined.texts, extra) if one.share >= NUMBERS]
    if not readings or all(one.resolution == "year" for one in readings):
        return Unreadable("the labels are no dates")
    quarters = readings[0].resolution == "quarter"
    if quarters and not readings[0].year_known and readings[0].share < 1:
        return Unreadable("the labels are names that go on beyond the quarters of a year")
    names = quarters or (readings[0].resolution == "month" and not readings[0].year_known)
    if names and every_step(readings[0]):
        slots = fit_categories(joined, (), view.rails)
        if isinstance(slots, Axis):
            dated = fit_dates(joined, readings, view.rails, view.extent)
            return dated if isinstance(dated, Axis) and _as_long_as_months(dated, slots) else slots
    return fit_dates(joined, readings, view.rails, view.extent)


def _as_long_as_months(dated: Axis, slots: Axis) -> bool:
    """Whether strokes show that months of 31 days are longer than those of 30: no names of months do that."""
    firm = min(sum(one.seat in ("tick", "grid") for one in axis.anchors) for axis in (dated, slots))
    return firm >= 4 and firm == len(slots.anchors) and dated.residual < min(0.35, 0.4 * slots.residual)


def every_step(dates: Dates) -> bool:
    """True if the labels follow each other month by month (quarter by quarter), none left out."""
    at = [one[0].value for one in dates.readings if one]
    longest = 32 if dates.resolution == "month" else 93
    return len(at) > 2 and all(0 < later - early < longest for early, later in pairwise(at))


def _single(view: Beside, ladder: Ladder) -> Axis | None:
    """A plot with one category: its name stands in the middle of the side, close to it."""
    label = ladder.labels[0]
    low, high = (view.plot.x0, view.plot.x1) if view.side in HORIZONTAL else (view.plot.y0, view.plot.y1)
    centred = abs(label.middle - (low + high) / 2) < 0.03 * (high - low)
    tick = any(abs(label.middle - px) < 2.5 for rail in view.rails if rail.kind == "tick" for px in rail.pixels)
    return category_at(view.side, low, high, label.text) if centred and tick else None


def _stands_alone(view: Beside, axis: Axis, ladder: Ladder) -> bool:
    """Labels at the top or right are an axis only if they sit on strokes, or run close along most of the plot.

    A legend, a colour bar or names at line ends do not. Where the side opposite has no labels at all, distance is
    no objection.
    """
    if view.side in ("bottom", "left"):
        return True
    if axis.scale == "category" or len(axis.anchors) < 3:
        return False
    if sum(anchor.seat in ("tick", "grid") for anchor in axis.anchors) >= 0.6 * len(axis.anchors):
        return True
    pixels = [anchor.pixel for anchor in axis.anchors]
    long = max(pixels) - min(pixels) > 0.6 * view.extent
    sound = not axis.warnings or (axis.confidence == "high" and len(axis.anchors) > 5)  # a label of many misread
    return long and (ladder.near < 2.5 * ladder.size or view.opposite_bare) and sound


def _drop_twins(found: Sequence[Found]) -> None:
    """Labels between two panels are those of the bottom or left axis of one, not the top or right axis of the other."""
    owned = {
        anchor.box for axes in found for side in ("bottom", "left")
        if isinstance(axis := axes.get(side), Axis) for anchor in axis.anchors
    }  # fmt: skip
    for axes in found:
        for side in ("top", "right"):
            axis = axes.get(side)
            if isinstance(axis, Axis) and any(anchor.box in owned for anchor in axis.anchors):
                axes[side] = Unreadable("the labels on this side belong to the next panel")


def _with_shared(panels: Sequence[Panel], index: int, found: Sequence[Found], views: dict[Side, Beside]) -> Found:
    """The axes of one panel, borrowed for directions in which it has none of its own."""
    axes = dict(found[index])
    for pair in PAIRS:
        if not axes or any(isinstance(axes.get(side), Axis) for side in pair):
            continue
        for side in pair:
            if _own_row(views[side]):
                continue  # labels of its own that could not be read: a neighbour's would be a guess
            lent = borrow(panels, index, side, found, views[side].rails, _own_numbers(views[side]))
            if isinstance(lent, Axis):
                axes[side] = lent
                break
            if not views[side].ladders:
                axes[side] = lent
    return axes


def _own_row(view: Beside) -> bool:
    """Whether a row of labels with many digits fills much of this side, close to the plot."""
    if not view.ladders:
        return False
    ladder = view.ladders[0]
    filled = sum(label.end - label.start for label in ladder.labels) > 0.4 * view.extent
    return filled and ladder.near < 3 * ladder.size and sum(c.isdigit() for text in ladder.texts for c in text) >= 6


def _own_numbers(view: Beside) -> list[tuple[float, float]]:
    """Pixel and value of the numbers in the nearest row of labels."""
    if not view.ladders:
        return []
    ladder = view.ladders[0]
    numbers = read_numbers(ladder.texts).readings
    pixels = glyph_seats(ladder)[0].pixels
    return [(float(px), one[0].value) for px, one in zip(pixels, numbers, strict=True) if one and one[0].cost == 0]


def _filled(panel: Panel, axes: Found) -> Panel:
    """The panel with its axes, or refused when no side carries a scale."""
    good = [axis for side in SIDES if isinstance(axis := axes.get(side), Axis)]
    notes = []
    for pair in PAIRS:
        if not any(axis.side in pair for axis in good):
            missing = axes.get(pair[0])
            why = missing.reason if isinstance(missing, Unreadable) else "no labels"
            notes.append(f"no {'vertical' if pair[0] == 'left' else 'horizontal'} axis: {why}")
    refused = None
    if not any(axis.scale in ("linear", "log") for axis in good):
        refused = Unreadable("no value axis could be calibrated: " + "; ".join(notes or ["only categories and dates"]))
    title = panel.title if isinstance(parse_offset(panel.title), Unreadable) else ""  # an axis' power of ten is none
    return replace(panel, title=title, axes=tuple(good), warnings=(*panel.warnings, *notes), refused=refused)
