"""Pictures for a reader that can only look: the whole figure, crops, zooms, turns, more contrast, one colour alone.

Every picture is a `View`: it knows the way home to figure pixels and says where it is, so a place named in it is a
place in the figure. Not handled here: measuring in a view (measure in the figure), what a provider does to
pictures (views are made no larger than asked).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from tools.colour import lab, paper_colour
from tools.strokes import find_strokes
from tools.types import Box, Figure, Image, Rgb, Unreadable
from tools.view import View, whole

Show = Literal["plain", "enhanced", "colour"]
SMALL = 800  # px: crops are enlarged to this long an edge
MOST = 8.0  # times a crop is enlarged at most
SNAP = 8.0  # px that an edge moves to a stroke
NEAR = 22.0  # Lab units: what still belongs to an isolated colour


@dataclass(frozen=True, eq=False)
class Look:
    """A picture and the words that go with it."""

    view: View
    text: str


def look(figure: Figure, box: Box | None, zoom: float, turn: float, longest: int) -> View | Unreadable:
    """The figure, or the part in `box` (figure pixels), enlarged by `zoom` (0: as fits), turned, at most `longest` px.

    Small crops are enlarged to a long edge of 800 px, large ones reduced to `longest`.
    """
    view: View | Unreadable = whole(figure.pixels)
    if box is not None:
        if box.width < 1 or box.height < 1:
            return Unreadable("the box is empty: give x0 < x1 and y0 < y1")
        view = whole(figure.pixels).crop(box)
    if isinstance(view, Unreadable):
        return view
    if turn:
        view = view.rotate(turn)
        if isinstance(view, Unreadable):
            return view
    largest = max(view.width, view.height)
    factor = zoom or (min(MOST, SMALL / largest) if box is not None and largest < SMALL else 1.0)
    factor = min(factor, longest / largest)
    return view if factor == 1.0 else view.zoom(factor)


def shown(view: View, show: Show, colour: Rgb | None) -> View:
    """The same view with more contrast, or with everything but one colour faded away."""
    if show == "enhanced":
        return View(enhance(view.pixels), view.home)
    if show == "colour" and colour is not None:
        return View(isolate(view.pixels, colour), view.home)
    return view


def enhance(pixels: Image) -> Image:
    """Local contrast stretched in lightness and edges sharpened; (H, W, 3) uint8."""
    plane = cv2.cvtColor(pixels, cv2.COLOR_RGB2LAB)
    plane[..., 0] = cv2.createCLAHE(clipLimit=2.5, tileGridSize=(8, 8)).apply(plane[..., 0])
    flat = cv2.cvtColor(plane, cv2.COLOR_LAB2RGB)
    blurred = cv2.GaussianBlur(flat, (0, 0), 1.2)
    return np.asarray(cv2.addWeighted(flat, 1.6, blurred, -0.6, 0), dtype=np.uint8)


def isolate(pixels: Image, colour: Rgb) -> Image:
    """Only what is near this colour, or between it and the paper; the rest is pale grey on white."""
    paper = paper_colour(pixels)
    wanted = lab(np.array(colour, dtype=np.float64))
    far = np.linalg.norm(lab(pixels) - wanted, axis=-1)
    span = max(float(np.linalg.norm(lab(paper) - wanted)), 1.0)
    near = far < min(NEAR, 0.5 * span)
    pale = 255 - (255 - pixels.mean(axis=2, keepdims=True)) * 0.12
    out = np.repeat(pale, 3, axis=2)
    out[near] = pixels[near]
    return np.asarray(np.clip(out, 0, 255), dtype=np.uint8)


def in_figure(view: View | None, numbers: Sequence[float]) -> Box | Unreadable:
    """The upright box in figure pixels around x0, y0, x1, y1 given in the pixels of a view (None: of the figure)."""
    if len(numbers) != 4:
        return Unreadable("a box is four numbers: x0, y0, x1, y1")
    x0, y0, x1, y1 = numbers
    corners = [(x0, y0), (x1, y0), (x0, y1), (x1, y1)]
    if view is not None:
        corners = [view.to_figure(*corner) for corner in corners]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return Box(min(xs), min(ys), max(xs), max(ys))


def snap_box(figure: Figure, box: Box, reach: float = SNAP) -> tuple[Box, list[str]]:
    """The box with each edge on the nearest long stroke within `reach` px, and the edges that found one."""
    grown = box.grown(reach + 6)
    rows, columns = grown.slices(figure.height, figure.width)
    crop = figure.pixels[rows, columns]
    if min(crop.shape[:2]) < 8:
        return box, []
    strokes = find_strokes(crop, 0.4 * min(box.width, box.height))
    found = {"x0": box.x0, "y0": box.y0, "x1": box.x1, "y1": box.y1}
    seated = []
    for edge, at in found.items():
        upright = edge[0] == "x"
        wanted, origin = ("vertical", columns.start) if upright else ("horizontal", rows.start)
        length = 0.4 * (box.height if upright else box.width)
        near = [s.position + origin for s in strokes if s.direction == wanted and s.length >= length]
        near = [position for position in near if abs(position - at) <= reach]
        if near:
            found[edge] = float(min(near, key=lambda position: abs(position - at)))
            seated.append(edge)
    return Box(**found), seated
