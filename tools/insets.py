"""Insets: small plots with frames and tick labels of their own inside the empty part of a larger plot.

An inset is a panel whose plot lies inside another panel's plot; its `box` is what the other one must not read: the
plot, its ticks and its labels. Not handled here: insets without tick labels, insets that reach out of their plot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from tools.colour import as_rgb, modal_colour
from tools.layout import is_picture, label_sides, only_text, side_words
from tools.overlaps import inside
from tools.plot_area import Outline, min_stroke
from tools.ridges import Gray, luma
from tools.stroke_joining import join_pieces
from tools.strokes import Stroke, find_strokes
from tools.types import Axis, Box, Drawing, Figure, Legend, Panel, Unreadable, VectorPath, Word

_LEAST, _MOST = 0.03, 0.5  # of the plot that an inset covers
_SMALLEST = 40  # px: shorter side of an inset; a plot that holds one has three times this
_TICK = 10  # px: how far a frame may go on over its corner
Step = Callable[[Figure, Sequence[Panel], Sequence[Word]], tuple[Panel, ...]]


def with_insets(figure: Figure, panels: Sequence[Panel], words: Sequence[Word], calibrate: Step) -> tuple[Panel, ...]:
    """The panels, each followed by the insets in its plot. `calibrate` reads the axes of panels: an inset needs both.

    `words` in figure pixels. The axes of the panels that are returned are left empty.
    """
    found: list[Panel] = []
    for panel in panels:
        found.append(panel)
        rest = [other.plot for other in panels if other is not panel]
        if min(panel.plot.width, panel.plot.height) < 3 * _SMALLEST or any(inside(o, panel.plot) for o in rest):
            continue
        own = [word for word in words if inside(word.box, panel.plot)]
        if sum(any(sign.isdigit() for sign in word.text) for word in own) < 2 or len(own) < 4:
            continue
        found += _in_plot(figure, panel.plot, own, calibrate)
    return tuple(found)


def _in_plot(figure: Figure, plot: Box, words: Sequence[Word], calibrate: Step) -> list[Panel]:
    """The insets of one plot, in reading order; `words` are those that stand inside of it."""
    rows, columns = plot.grown(-4).slices(figure.height, figure.width)
    pixels = np.ascontiguousarray(figure.pixels[rows, columns])
    gray = luma(pixels)
    local = [replace(word, box=_moved(word.box, -columns.start, -rows.start)) for word in words]
    kept: list[Panel] = []
    for outline in corners(join_pieces(find_strokes(pixels, min_stroke(pixels)), gray)):
        inner = _moved(outline.box, columns.start, rows.start)
        if any(inner.overlaps(one.box) for one in kept) or not _may_be(outline, local, gray):
            continue
        panel = Panel(_with_labels(inner, words, plot), inner)
        near = [word for word in words if panel.box.contains(*word.box.centre)]
        if not is_picture(outline.box, pixels) and _reads(calibrate(figure, [panel], near)):
            kept.append(panel)
    return sorted(kept, key=lambda one: (round(one.plot.y0 / max(1.0, plot.height / 4)), one.plot.x0))


def corners(strokes: Sequence[Stroke]) -> list[Outline]:
    """The rectangles over the lower left corners in which a level stroke and an upright one end, the largest first.

    Rules of the plot behind an inset end at its frame too, so that touching strokes alone do not tell the frame.
    """
    level = [stroke for stroke in strokes if stroke.direction == "horizontal"]
    upright = [stroke for stroke in strokes if stroke.direction == "vertical"]
    found = []
    for v in upright:
        for h in level:  # either may go on over the corner by an outer tick mark
            if -_TICK - 4 <= h.start - v.position <= 4 and -4 <= v.end - h.position <= _TICK:
                top = _border(level, v.start, v.position, h.end)
                box = Box(v.position, top, _border(upright, h.end, top, h.position), h.position)
                found.append(Outline(box, _crossing(level, box.y0, box.y1, box.x0, box.x1),
                                     _crossing(upright, box.x0, box.x1, box.y0, box.y1)))  # fmt: skip
    return sorted(found, key=lambda one: -one.box.width * one.box.height)


def _border(strokes: Sequence[Stroke], end: float, low: float, high: float) -> float:
    """The frame's stroke from `low` to `high` near the end of the side across it: labels may cut that short; or it."""
    near = [s.position for s in strokes if abs(s.position - end) <= _TICK and _spans(s, low, high)]
    return min(near, key=lambda at: abs(at - end), default=end)


def _spans(stroke: Stroke, low: float, high: float) -> bool:
    return abs(stroke.start - low) <= _TICK and abs(stroke.end - high) <= _TICK


def _crossing(strokes: Sequence[Stroke], low: float, high: float, start: float, end: float) -> tuple[Stroke, ...]:
    """The strokes of one direction that run through a rectangle."""
    return tuple(s for s in strokes if low - 4 < s.position < high + 4 and s.end > start and s.start < end)


def _may_be(outline: Outline, words: Sequence[Word], gray: Gray) -> bool:
    """Whether a rectangle is of an inset's size, labelled along two directions, and holds more than words."""
    box = outline.box
    if min(box.width, box.height) < _SMALLEST or not _LEAST < box.width * box.height / gray.size < _MOST:
        return False
    return label_sides(box, words, gray.shape) == 2 and not only_text(outline, box, words, gray)


def _with_labels(inner: Box, words: Sequence[Word], plot: Box) -> Box:
    """The plot of an inset with its tick labels, and with the titles that stand beside these, inside the large plot."""
    whole = inner.grown(6)
    shape = (plot.height, plot.width)
    own = [w for side in range(4) for w in side_words(inner, words, side, (round(shape[0]), round(shape[1])))]
    for word in own:
        whole = whole.union(word.box.grown(1))
    for word in words:  # the title of an axis: close to the labels, and centred on the axis
        x, y = word.box.centre
        near = whole.grown(1.2 * min(word.box.width, word.box.height) + 4).contains(x, y)
        if near and (inner.x0 <= x <= inner.x1 or inner.y0 <= y <= inner.y1):
            whole = whole.union(word.box.grown(1))
    return Box(max(whole.x0, plot.x0), max(whole.y0, plot.y0), min(whole.x1, plot.x1), min(whole.y1, plot.y1))


def _reads(panels: Sequence[Panel]) -> bool:
    """Whether both directions have scales: a linear or logarithmic one at least, and no refusal."""
    axes = [(panel.x, panel.y) for panel in panels if not isinstance(panel.refused, Unreadable)]
    return all(_seated(x) and _seated(y) for x, y in axes) and bool(axes)


def _seated(axis: Axis | None) -> bool:
    return axis is not None and len(axis.anchors) >= 2


def _moved(box: Box, dx: float, dy: float) -> Box:
    return Box(box.x0 + dx, box.y0 + dy, box.x1 + dx, box.y1 + dy)


def host_of(panel: Panel, panels: Sequence[Panel]) -> Panel | None:
    """The panel in whose plot this one stands as an inset; None of all others."""
    return next((one for one in panels if one is not panel and inside(panel.box, one.plot)), None)


def insets_of(panel: Panel, panels: Sequence[Panel]) -> list[Panel]:
    """The insets in a panel's plot."""
    return [one for one in panels if one is not panel and inside(one.box, panel.plot)]


def without_insets(figure: Figure, hosts: Sequence[Panel], panels: Sequence[Panel]) -> Figure:
    """The figure as it would be without the insets of `hosts`: paper in their places."""
    boxes = [one.box for host in hosts for one in insets_of(host, panels)]
    if not boxes:
        return figure
    pixels = figure.pixels.copy()
    for host in hosts:
        paper = as_rgb(modal_colour(figure.pixels[host.plot.slices(figure.height, figure.width)].reshape(-1, 3)))
        for one in insets_of(host, panels):
            pixels[one.box.slices(figure.height, figure.width)] = paper
    return replace(figure, pixels=pixels, drawing=_paths_outside(figure.drawing, boxes))


def _paths_outside(drawing: Drawing | None, boxes: Sequence[Box]) -> Drawing | None:
    """A drawing without the paths that show only inside of the boxes."""
    if drawing is None:
        return None
    return replace(drawing, paths=tuple(p for p in drawing.paths if not any(_shows_inside(p, box) for box in boxes)))


def _shows_inside(path: VectorPath, box: Box) -> bool:
    """Whether what the clip box leaves of a path lies in a box, up to half a wide stroke."""
    shown, clip, room = path.box, path.clip, box.grown(3)
    if clip is not None:
        shown = Box(max(shown.x0, clip.x0), max(shown.y0, clip.y0), min(shown.x1, clip.x1), min(shown.y1, clip.y1))
    return room.contains(shown.x0, shown.y0) and room.contains(shown.x1, shown.y1)


def words_without(panel: Panel, panels: Sequence[Panel], words: Sequence[Word]) -> list[Word]:
    """The words of the figure that a panel may use: an inset its own, all others none of an inset's."""
    if host_of(panel, panels) is not None:
        return [word for word in words if panel.box.contains(*word.box.centre)]
    boxes = [one.box for one in panels if host_of(one, panels) is not None]
    return [word for word in words if not any(box.contains(*word.box.centre) for box in boxes)]


def apart(step: Step, figure: Figure, panels: Sequence[Panel], words: Sequence[Word]) -> tuple[Panel, ...]:
    """A step taken on all panels without their insets, and on every inset as if it were a figure of its own."""
    outer = [one for one in panels if host_of(one, panels) is None]
    if len(outer) == len(panels):
        return step(figure, panels, words)
    done = dict(zip(map(id, outer), step(without_insets(figure, outer, panels), outer,
                                         words_without(outer[0], panels, words)), strict=True))  # fmt: skip
    for one in panels:
        if id(one) not in done:
            done[id(one)] = step(figure, [one], words_without(one, panels, words))[0]
    return tuple(done[id(one)] for one in panels)


def with_lent_legends(panels: Sequence[Panel]) -> tuple[Panel, ...]:
    """The panels, insets without a legend having that of the plot around them: colours mean the same there.

    Bars that stand over the very names of that legend need none.
    """
    done = []
    for one in panels:
        host = None if one.legend.entries else host_of(one, panels)
        entries = host.legend.entries if host is not None else ()
        texts = {anchor.text for axis in one.axes if axis.scale == "category" for anchor in axis.anchors}
        lent = entries and not any(entry.name in texts for entry in entries)
        done.append(replace(one, legend=Legend(entries)) if lent else one)
    return tuple(done)
