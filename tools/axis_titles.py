"""Axis titles: words beside the tick labels that are not tick labels.

Not handled here: factors ("1e6", `axis_factors`), panel titles, legends, titles printed inside the plot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tools.ladders import HORIZONTAL, Label, place
from tools.sharing import same_extent
from tools.types import Axis, Box, Panel, Side, Word

FAR = 5.0  # a title stands within this many text heights of the tick labels
_STROKES = frozenset("TIFLHli")


def with_titles(panels: Sequence[Panel], words: Sequence[Word]) -> tuple[Panel, ...]:
    """The panels with the titles of their axes ("" where there is none).

    A title is centred on its plot; or on several plots that share it; a borrowed axis has the title of its lender.
    """
    taken = {anchor.box for panel in panels for axis in panel.axes for anchor in axis.anchors}
    plots = [panel.plot for panel in panels]
    free = [
        word for word in words if word.box not in taken and not any(plot.contains(*word.box.centre) for plot in plots)
    ]
    own = [tuple(replace(axis, label=axis.label or _own(axis, panel, free)) for axis in panel.axes) for panel in panels]
    done = []
    for panel, axes in zip(panels, own, strict=True):
        titled = tuple(
            replace(axis, label=axis.label or _lent(axis, panel, panels, own) or _shared(axis, panel, panels, free))
            for axis in axes
        )
        done.append(replace(panel, axes=titled))
    return tuple(done)


def _own(axis: Axis, panel: Panel, words: Sequence[Word]) -> str:
    boxes = [anchor.box for anchor in axis.anchors if anchor.box is not None]
    if not boxes:
        return ""
    edge = max(place(Word("", box), panel.plot, axis.side).far for box in boxes)
    return _title(panel.plot, axis.side, edge, words)


def _lent(axis: Axis, panel: Panel, panels: Sequence[Panel], axes: Sequence[Sequence[Axis]]) -> str:
    """The title of the same side's axis of a panel in the same row or column."""
    for other, theirs in zip(panels, axes, strict=True):
        alike = (
            one for one in theirs if one.side == axis.side and (one.scale == "category") == (axis.scale == "category")
        )
        label = next((one.label for one in alike if one.label), "")
        if label and same_extent(panel.plot, other.plot, axis.side):
            return label
    return ""


def _shared(axis: Axis, panel: Panel, panels: Sequence[Panel], words: Sequence[Word]) -> str:
    """A title centred on a row, a column or the whole grid of plots of one size."""
    alike = [other.plot for other in panels if same_size(panel.plot, other.plot)]
    if len(alike) < 2:
        return ""
    if axis.horizontal:
        line = [plot for plot in alike if same_extent(panel.plot, plot, "left")]
    else:
        line = [plot for plot in alike if same_extent(panel.plot, plot, "bottom")]
    for group in (line, alike):
        span = group[0]
        for plot in group[1:]:
            span = span.union(plot)
        anchors = [a.box for p in panels for one in p.axes if one.side == axis.side for a in one.anchors if a.box]
        edge = max((place(Word("", box), span, axis.side).far for box in anchors), default=0.0)
        title = _title(span, axis.side, max(edge, 0.0), words)
        if title:
            return title
    return ""


def same_size(one: Box, other: Box) -> bool:
    return abs(one.width - other.width) < 0.05 * one.width and abs(one.height - other.height) < 0.05 * one.height


def _title(span: Box, side: Side, edge: float, words: Sequence[Word]) -> str:
    """The nearest line of words beyond `edge` that is centred on the side, and the lines that follow it closely."""
    middle, extent = (span.centre[0], span.width) if side in HORIZONTAL else (span.centre[1], span.height)
    labels = [place(word, span, side) for word in words]
    labels = [one for one in labels if one.near > edge - 0.3 * one.size]
    off = max((0.06 if side in HORIZONTAL else 0.15) * extent, 6.0)
    every = [line for line in _lines(labels, side) if abs(line.middle - middle) < 0.75 * extent]
    lines = [line for line in every if abs(line.middle - middle) <= off and _alone(line, every, extent)]
    if not every and side != "top":
        return _letter(labels, middle, extent, edge)
    if not lines or lines[0].near - edge > FAR * lines[0].size + 6 or lines[0].near > every[0].far:
        return ""  # other words come first: what is centred behind them is a note
    found = [lines[0]]
    for line in lines[1:]:
        if line.near - found[-1].far < 0.5 * line.size and abs(line.size - found[0].size) < 0.35 * found[0].size:
            found.append(line)
        else:
            break
    return " ".join(line.text for line in (found[::-1] if side in ("left", "top") else found))


def _letter(labels: Sequence[Label], middle: float, extent: float, edge: float) -> str:
    """A title of one letter (n, t): right at the middle of the side, alone in its row. Tick marks look like T or I."""
    near = [one for one in labels if abs(one.middle - middle) < 0.75 * extent and one.near - edge <= FAR * one.size + 6]
    found = [one for one in near if one.text.isalpha() and abs(one.middle - middle) <= max(2.5, 0.015 * extent)]
    lone = len(found) == 1 and len(found[0].text) == 1 and found[0].text not in _STROKES
    return found[0].text if lone and _alone(found[0], near, extent) else ""


def _alone(line: Label, lines: Sequence[Label], extent: float) -> bool:
    """True if no other words stand in the same row near the plot: those of a legend do."""
    return not any(
        other is not line and min(line.far, other.far) - max(line.near, other.near) > 0.5 * line.size
        and abs(other.middle - line.middle) < 0.5 * extent
        for other in lines
    )  # fmt: skip


def _lines(labels: Sequence[Label], side: Side) -> list[Label]:
    """Words that run along the side, joined to lines where they follow each other closely; nearest first."""
    slant = 0.0 if side in HORIZONTAL else 90.0
    rest = sorted((one for one in labels if one.slant == slant or len(one.text) <= 2), key=lambda one: one.start)
    lines: list[list[Label]] = []
    for label in rest:
        for line in lines:
            last = line[-1]
            overlap = min(last.far, label.far) - max(last.near, label.near)
            thin = min(last.far - last.near, label.far - label.near)
            if overlap > 0.5 * thin and -label.size <= label.start - last.end < 0.9 * max(one.size for one in line):
                line.append(label)
                break
        else:
            lines.append([label])
    joined = [_line(line, side) for line in lines if any(one.slant == slant and len(one.text) > 1 for one in line)]
    return sorted(joined, key=lambda one: one.near)


def _line(words: Sequence[Label], side: Side) -> Label:
    """One line; a title on the left or right side reads upwards, as the common turn is."""
    order = words if side in HORIZONTAL else list(reversed(words))
    size = max(one.size for one in words if len(one.text) > 1)
    return replace(
        words[0], text=" ".join(one.text for one in order), end=words[-1].end, size=size,
        near=min(one.near for one in words), far=max(one.far for one in words),
    )  # fmt: skip
