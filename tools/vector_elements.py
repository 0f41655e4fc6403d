"""What the vector paths of a plot area draw: curves, markers, rectangles, filled areas and straight segments.

Frame, grid lines, ticks, backgrounds and the legend's samples are left out; what the clip box hides is cut off.
Not handled here: which elements make up a series (`vector_marks`), and gradients, pictures and text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import groupby
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tools.types import Box, Drawing, Floats, Panel, Rgb, VectorPath

SMALL = 48.0  # px: markers are smaller
SMALL_SHARE = 0.12  # of the plot's sides
FULL = 0.93  # of the plot: lines that reach farther straight across are grid lines
EDGE = 1.5  # px around the plot within which a frame or a tick begins
MAX_ELEMENTS = 60_000
Kind = Literal["curve", "marker", "bar", "area", "segment"]


@dataclass(frozen=True, eq=False)
class Element:
    """One drawn thing. `parts`: its subpaths (n, 2), unbroken; `colour` as it looks on white paper."""

    kind: Kind
    parts: tuple[Floats, ...]
    colour: Rgb
    style: VectorPath
    bounds: Box | None = None

    @property
    def box(self) -> Box:
        if self.kind == "marker" and self.bounds is not None:
            return self.bounds
        whole = np.concatenate(self.parts)
        (x0, y0), (x1, y1) = whole.min(axis=0), whole.max(axis=0)
        return Box(float(x0), float(y0), float(x1), float(y1))

    @property
    def filled(self) -> bool:
        return self.style.fill is not None

    @property
    def shape(self) -> tuple[int, bool, bool]:
        """Vertices, curved, filled: alike for the same marker wherever it stands."""
        return sum(len(part) for part in self.parts), self.style.curved, self.filled


def elements_of(drawing: Drawing, panel: Panel) -> list[Element]:
    """The elements of a panel's plot area in drawing order; coordinates in figure pixels."""
    found: list[Element] = []
    for _, group in groupby(drawing.paths, key=lambda path: path.order):
        parts = [path for path in group if _seen(path, panel)]
        if parts:
            found += _classified(parts, panel)
        if len(found) > MAX_ELEMENTS:
            break
    return crossed(chained(found))


def looks(path: VectorPath) -> Rgb:
    """The colour of a path on white paper: its fill, unless that is white or it has none, else its stroke."""
    inked = path.fill is not None and min(path.fill) < 250
    colour = path.fill if inked and path.fill is not None else path.stroke or path.fill or (0, 0, 0)
    red, green, blue = (round(c * path.alpha + 255 * (1 - path.alpha)) for c in colour)
    return red, green, blue


def _seen(path: VectorPath, panel: Panel) -> bool:
    """Whether a path shows in the plot and is neither its frame nor a sample of its legend."""
    box = path.box
    window = panel.plot.grown(EDGE)
    if not len(path.points) or not box.overlaps(window) or (path.clip is not None and not path.clip.overlaps(window)):
        return False
    legend = panel.legend.box
    if legend is not None and _inside(box, legend.grown(2)) and not _clipped_to(path, panel.plot):
        return False
    return not any(e.swatch is not None and _inside(box, e.swatch.grown(4)) for e in panel.legend.entries)


def _inside(box: Box, other: Box) -> bool:
    return other.contains(box.x0, box.y0) and other.contains(box.x1, box.y1)


def _clipped_to(path: VectorPath, plot: Box) -> bool:
    clip = path.clip
    if clip is None:
        return False
    away = (clip.x0 - plot.x0, clip.y0 - plot.y0, clip.x1 - plot.x1, clip.y1 - plot.y1)
    return max(abs(v) for v in away) < 4


def _classified(parts: Sequence[VectorPath], panel: Panel) -> Iterator[Element]:
    """The elements of one path's subpaths."""
    plot = panel.plot
    around = reduce(Box.union, [path.box for path in parts])
    whole = Element("marker", tuple(path.points for path in parts), looks(parts[0]), parts[0], around)
    box = whole.box
    small = max(box.width, box.height) <= min(SMALL, SMALL_SHARE * max(plot.width, plot.height))
    rectangular = len(parts) == 1 and is_rectangle(parts[0])
    straight = len(parts) == 1 and len(parts[0].points) == 2 and not parts[0].curved
    if small and not rectangular and not straight:
        if plot.contains(*box.centre, 0.6) and not _on_edge(parts, plot):
            yield replace(whole, style=replace(parts[0], curved=any(path.curved for path in parts)))
        return
    curve: list[Floats] = []
    for path in parts:
        kind = _kind(path, plot)
        if kind == "curve":
            curve += _pieces(path, plot)
        elif kind is not None:
            points = path.points if kind == "area" else _cut(path.points, plot, path.clip)
            yield Element(kind, (points,), looks(path), path)
    if curve:
        yield Element("curve", tuple(curve), looks(parts[0]), parts[0])


def _kind(path: VectorPath, plot: Box) -> Kind | None:
    """What one subpath that is no marker draws; None for frames, grid lines, ticks and backgrounds."""
    if is_rectangle(path):
        return "bar" if _is_bar(path, plot) else None
    if len(path.points) == 2:
        return "segment" if path.stroke is not None and not _is_rule(path, plot) else None
    if path.fill is not None and (path.closed or path.stroke is None) and min(path.fill) < 250:
        return "area"
    return "curve" if path.stroke is not None else None


def is_rectangle(path: VectorPath) -> bool:
    """Four corners with upright and level sides (flat ones count)."""
    box, points = path.box, path.points
    back = len(points) == 5 and float(np.abs(points[0] - points[-1]).max()) < 0.03  # closed by its last line
    if path.curved or len(points) not in (3, 4, 5) or not (path.closed or path.fill is not None or back):
        return False
    if len(points) == 3:
        return box.height < 0.03 and path.closed
    on_x = np.minimum(np.abs(points[:, 0] - box.x0), np.abs(points[:, 0] - box.x1))
    on_y = np.minimum(np.abs(points[:, 1] - box.y0), np.abs(points[:, 1] - box.y1))
    sides = np.abs(np.diff(points[:4], axis=0)).min(axis=1)
    return bool(max(on_x.max(), on_y.max()) < 0.03 and sides.max() < 0.03)


def _is_bar(path: VectorPath, plot: Box) -> bool:
    """A rectangle that is no background, frame, paper-coloured patch, grid line or call-out."""
    box = path.box
    fill = path.fill
    if fill is None and path.stroke is None:
        return False
    if fill is not None and min(fill) > 250 and (path.stroke is None or min(path.stroke) > 250):
        return False
    wide, high = box.width / plot.width, box.height / plot.height
    if wide > 0.98 and high > 0.98:
        return False
    thin = min(box.width, box.height) < 4
    if thin and max(wide, high) > FULL and fill is not None and max(fill) - min(fill) < 25:
        return False
    seen = _cut_box(box, plot)
    hidden = (box.width > 1 and seen.width < 0.3) or (box.height > 1 and seen.height < 0.3)  # it stands beside the plot
    return not hidden and plot.grown(EDGE).contains(*seen.centre)


def _cut_box(box: Box, plot: Box) -> Box:
    x0, y0 = min(max(box.x0, plot.x0), plot.x1), min(max(box.y0, plot.y0), plot.y1)
    return Box(x0, y0, max(x0, min(box.x1, plot.x1)), max(y0, min(box.y1, plot.y1)))


def _is_rule(path: VectorPath, plot: Box) -> bool:
    """A straight line across the plot, along its frame, or a tick on it."""
    box = path.box
    level, upright = box.height < 0.05, box.width < 0.05
    if (level and box.width > FULL * plot.width) or (upright and box.height > FULL * plot.height):
        return True
    on_side = min(abs(box.x0 - plot.x0), abs(box.x1 - plot.x1)) < EDGE if upright else False
    on_end = min(abs(box.y0 - plot.y0), abs(box.y1 - plot.y1)) < EDGE if level else False
    return on_side or on_end or _on_edge([path], plot)


def _on_edge(parts: Sequence[VectorPath], plot: Box) -> bool:
    """Short strokes that begin on the frame and stand across it, or lie outside of it."""
    for path in parts:
        box = path.box
        if len(path.points) != 2 or max(box.width, box.height) > SMALL:
            return False
        upright, level = box.width < 0.05, box.height < 0.05
        starts = upright and min(abs(v - e) for v in (box.y0, box.y1) for e in (plot.y0, plot.y1)) < EDGE
        begins = level and min(abs(v - e) for v in (box.x0, box.x1) for e in (plot.x0, plot.x1)) < EDGE
        if not (starts or begins or not plot.contains(*box.centre, EDGE)):
            return False
    return True


def _cut(points: Floats, plot: Box, clip: Box | None) -> Floats:
    """Corners moved onto the clip box where they lie beyond it."""
    if clip is None:
        return points
    window = _cut_box(clip, plot) if clip.overlaps(plot) else plot
    return np.column_stack([np.clip(points[:, 0], window.x0, window.x1), np.clip(points[:, 1], window.y0, window.y1)])


def _pieces(path: VectorPath, plot: Box) -> list[Floats]:
    """The stretches of a curve whose vertices can be seen: within the clip box, or close to the plot without one."""
    points = path.points
    window = path.clip.grown(0.6) if path.clip is not None else plot.grown(4)
    inside: NDArray[np.bool_] = (
        (points[:, 0] >= window.x0) & (points[:, 0] <= window.x1)
        & (points[:, 1] >= window.y0) & (points[:, 1] <= window.y1)
    )  # fmt: skip
    edges = np.flatnonzero(np.diff(np.concatenate(([0], inside.astype(np.int8), [0]))))
    return [points[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)]


def crossed(found: Sequence[Element]) -> list[Element]:
    """Short strokes of one colour that cross in their middles are one marker: a plus, a cross, a star."""
    groups: dict[tuple[int, int, Rgb], list[int]] = {}
    for index, one in enumerate(found):
        box = one.box
        if one.kind == "segment" and 1 < max(box.width, box.height) < SMALL:
            x, y = box.centre
            groups.setdefault((round(x * 4), round(y * 4), one.colour), []).append(index)
    done: list[Element | None] = list(found)
    for members in groups.values():
        sizes = [max(found[i].box.width, found[i].box.height) for i in members]
        if len(members) < 2 or max(sizes) > 1.6 * min(sizes):
            continue
        parts = tuple(part for i in members for part in found[i].parts)
        around = reduce(Box.union, [found[i].box for i in members])
        done[members[0]] = replace(found[members[0]], kind="marker", parts=parts, bounds=around)
        for i in members[1:]:
            done[i] = None
    return [one for one in done if one is not None]


def chained(found: Sequence[Element]) -> list[Element]:
    """Segments that each begin where the last one ended are one curve (producers that draw lines piece by piece)."""
    done: list[Element] = []
    run: list[Element] = []

    def close() -> None:
        if len(run) > 2:
            points = np.vstack([run[0].parts[0], *(one.parts[0][1:] for one in run[1:])])
            done.append(Element("curve", (points,), run[0].colour, run[0].style))
        else:
            done.extend(run)
        run.clear()

    for one in found:
        linked = one.kind == "segment" and (not run or _links(run[-1], one))
        if not linked:
            close()
        if one.kind == "segment":
            run.append(one)
        else:
            done.append(one)
    close()
    return done


def _links(one: Element, other: Element) -> bool:
    same = one.colour == other.colour and one.style.dash == other.style.dash
    return same and bool(np.abs(one.parts[0][-1] - other.parts[0][0]).max() < 0.03)
