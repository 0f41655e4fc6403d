"""Kinds of charts known by sight but not read: pies, polar charts, charts in perspective, violins, heat maps.

Only a refusal is worded by them: nothing is measured here. Not handled here: polygonal radar webs without a ring, maps,
tree maps.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.colour import contrast, paper_colour
from tools.heat_maps import shows_cells
from tools.ink import PlotInk
from tools.types import Axis, Image, Panel

INKED = 14.0  # of 255
DISC = np.pi / 4  # of its bounding box
PERSPECTIVE = "a chart in perspective (3-D)"
VIOLINS = 2  # at least as many

Bits = NDArray[np.bool_]
Contour = Any  # (n, 1, 2) int32, as OpenCV gives them


def kind_in(pixels: Image, panel: Panel, ink: PlotInk | None, alone: bool) -> str:
    """The kind that a panel of the figure (H, W, 3) shows; `ink` where it has axes, `alone` where it is the only one.

    What has both axes is at most a violin plot or a heat map, or a chart in perspective where both are doubtful: pies
    and their like have none.
    """
    patches = sum(entry.kind == "patch" for entry in panel.legend.entries)
    stacks = patches > 1 and any(axis.scale == "linear" for axis in panel.axes)  # wide ones close together
    if not stacks and shows_cells(pixels, panel.plot):
        return "a heat map"
    if ink is not None and shows_violins(ink, panel):
        return "a violin plot"
    if panel.x is not None and panel.y is not None:
        doubtful = alone and all(axis.confidence == "low" for axis in panel.axes)  # labels along the edges of a box
        return PERSPECTIVE if doubtful and _in_perspective(pixels) else ""
    rows, columns = panel.box.slices(*pixels.shape[:2])
    flat = any(axis.scale != "category" and len(axis.anchors) > 2 for axis in panel.axes)
    return kind_of(pixels if alone else pixels[rows, columns], flat)


def kind_of(pixels: Image, flat: bool = False) -> str:
    """What a picture (H, W, 3) shows, with its article ("a pie chart"); "" for no kind known here.

    `flat`: one of its axes was calibrated. Its slanting strokes are curves then, no walls in perspective.
    """
    inked = np.asarray(contrast(pixels.astype(np.float32), paper_colour(pixels)) > INKED)
    for centre, axes in _discs(inked):
        shares = [_ring(inked, centre, axes, at) for at in (0.93, 0.86, 0.8)]
        return "a pie chart" if min(shares) > 0.9 else "a polar chart (radar or rose)"
    return PERSPECTIVE if not flat and _in_perspective(pixels) else ""


def refusal(kind: str) -> str:
    """Why a figure of this kind is refused, and what to do."""
    return f"this looks like {kind}, which is not read: give the numbers by hand, or a figure with straight axes"


def _discs(inked: Bits) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Centres and half axes of the large round outlines, the largest first."""
    contours: list[Contour] = []
    for reach in (1, 5):  # labels may touch the ring, white gaps part the sectors
        closed = cv2.morphologyEx(inked.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
        contours += cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    found = []
    for contour in sorted(contours, key=cv2.contourArea, reverse=True):
        _, _, width, height = cv2.boundingRect(contour)
        if min(width, height) < 0.25 * min(inked.shape) or max(width, height) > 3 * min(width, height):
            continue
        hull = cv2.convexHull(contour)
        if abs(cv2.contourArea(hull) / (width * height) - DISC) > 0.035 or len(hull) < 12:
            continue
        (x, y), (one, other), angle = cv2.fitEllipse(hull)
        if abs(one * other * DISC / cv2.contourArea(hull) - 1) < 0.05:
            half = (width / 2, height / 2) if abs(one - other) > 1 or angle else (one / 2, other / 2)
            found.append(((float(x), float(y)), half))
    return found


def _ring(inked: Bits, centre: tuple[float, float], axes: tuple[float, float], at: float) -> float:
    """The share of ink on an ellipse of this part of the size."""
    turn = np.linspace(0, 2 * np.pi, 360, endpoint=False)
    columns = np.clip(np.round(centre[0] + at * axes[0] * np.cos(turn)), 0, inked.shape[1] - 1).astype(int)
    rows = np.clip(np.round(centre[1] + at * axes[1] * np.sin(turn)), 0, inked.shape[0] - 1).astype(int)
    return float(inked[rows, columns].mean())


def _in_perspective(pixels: Image) -> bool:
    """Whether two families of four long oblique straight strokes or more run across: grids on the walls of a box."""
    gray = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    size = min(gray.shape)
    lines = cv2.HoughLinesP(cv2.Canny(gray, 8, 24), 1, np.pi / 360, 60, minLineLength=0.14 * size, maxLineGap=4)
    if lines is None:
        return False
    x0, y0, x1, y1 = lines.reshape(-1, 4).T.astype(float)
    angle = np.degrees(np.arctan2(y1 - y0, x1 - x0)) % 180
    oblique = np.abs((angle + 45) % 90 - 45) > 7
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    families = []
    for start in range(0, 180, 6):
        near = oblique & (np.abs((angle - start + 90) % 180 - 90) < 6)
        turned = np.radians(start)
        offsets = np.unique(np.round((middle[1] * np.cos(turned) - middle[0] * np.sin(turned))[near] / 8))
        if len(offsets) >= 4:
            families.append(start)
    return bool(families) and max(min(abs(a - b), 180 - abs(a - b)) for a in families for b in families) > 20


def shows_violins(ink: PlotInk, panel: Panel | None = None) -> bool:
    """Whether the plot holds violins: shapes mirrored about their middle, widest between their ends, each standing
    over a label of the `panel`'s axis, where it has one."""
    if not ink.layers:
        return False
    union = np.max([layer.coverage for layer in ink.layers], axis=0) > 0.25
    across, up = (panel.x, panel.y) if panel is not None else (None, None)
    standing = [middle + ink.origin[0] for middle in _violins(union)]
    lying = [middle + ink.origin[1] for middle in _violins(np.ascontiguousarray(union.T))]
    return any(len(_labelled(found, axis)) >= VIOLINS for found, axis in ((standing, across), (lying, up)))


def _labelled(middles: list[float], axis: Axis | None) -> list[float]:
    """The middles (figure px along an axis) that lie at its labels; all of them where there is no axis."""
    ticks = np.sort([anchor.pixel for anchor in axis.anchors]) if axis is not None else np.array([])
    if axis is None or axis.scale == "category" or len(ticks) < 2:
        return middles
    reach = 0.12 * float(np.diff(ticks).min())
    return [middle for middle in middles if float(np.abs(ticks - middle).min()) <= reach]


def _violins(union: Bits) -> list[float]:
    """The middles, in columns, of the violins that stand upright in a plot's ink (H, W)."""
    closed = cv2.morphologyEx(union.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    opened = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((1, 5), np.uint8))
    contours, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = [cv2.boundingRect(one) for one in contours if _is_violin(one, union.shape[0], union.shape[1])]
    return [x + (wide - 1) / 2 for x, _, wide, _ in found]


def _is_violin(contour: Contour, height: int, width: int) -> bool:
    x, y, wide, high = cv2.boundingRect(contour)
    if high < max(30, 0.12 * height) or wide < 12 or wide > 0.5 * width or wide > 1.5 * high:
        return False
    filled = np.zeros((high, wide), np.uint8)
    cv2.drawContours(filled, [contour], -1, 1, -1, offset=(-x, -y))
    rows = filled.any(axis=1)
    left = np.argmax(filled, axis=1)[rows].astype(float)
    right = (wide - 1 - np.argmax(filled[:, ::-1], axis=1))[rows].astype(float)
    middle, breadth = (left + right) / 2, right - left + 1
    usual = float(np.median(middle))
    mirrored = float(np.mean(np.abs(middle - usual) < 1.2 + 0.02 * wide))
    tenth = max(2, len(breadth) // 12)
    ends = max(float(breadth[:tenth].mean()), float(breadth[-tenth:].mean())) / float(breadth.max())
    # Curved sides: no box, no diamond; steps of at most a few pixels from row to row.
    bent = len(np.unique(np.round(breadth))) > 8 and float(np.mean(np.abs(np.diff(breadth)) <= 0.12 * wide + 2)) > 0.95
    share = breadth / breadth.max()
    between = float(np.mean((share > 0.15) & (share < 0.95)))  # a box is either as wide as it is or a whisker
    # An arrow is of one width up to its head.
    shaft = float(np.mean(np.abs(breadth - np.median(breadth)) <= 0.02 * wide)) > 0.5
    hull = cv2.contourArea(cv2.convexHull(contour)) / ((wide - 1) * (high - 1))
    ring = abs(hull - DISC) < 0.03 and cv2.contourArea(contour) > 0.97 * hull * (wide - 1) * (high - 1)  # no tails
    flat = shaft or ring or float(filled.mean()) >= 0.8
    return mirrored > 0.92 and ends < 0.7 and bent and between > 0.4 and not flat
