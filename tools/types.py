"""The ground floor: what flows from one measuring step to the next.

Pixel frame: the centre of pixel i is i (OpenCV's convention), x grows to the right, y grows downwards, and every
coordinate is in *figure* pixels unless a name says otherwise. Marks stay in pixels, so recalibrating an axis never
retraces a curve. Dates are floats: days since 1970-01-01, without time zones.

Not handled here: broken axes in pieces, polar frames, anything that needs to look at pixels.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Rgb = tuple[int, int, int]
Image = NDArray[np.uint8]  # (H, W, 3), RGB
Floats = NDArray[np.float64]
Side = Literal["left", "right", "bottom", "top"]
Scale = Literal["linear", "log", "date", "category"]
Source = Literal["pixel", "ocr", "vector", "model"]
SeriesKind = Literal["line", "step", "bar", "stack", "histogram", "area", "stacked area", "points", "box", "band"]
Part = Literal[
    "vertex", "sample", "corner", "marker", "censor", "bar", "segment", "low", "high",
    "whisker_low", "q1", "median", "q3", "whisker_high", "outlier",
]  # fmt: skip
EPOCH = datetime(1970, 1, 1)


@dataclass(frozen=True)
class Unreadable:
    """A measurement that could not be made: false in a test, and it says why."""

    reason: str

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True)
class Box:
    """An upright rectangle; x0, y0, x1, y1 are the centres of its outermost pixels."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    @property
    def centre(self) -> tuple[float, float]:
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    def contains(self, x: float, y: float, margin: float = 0.0) -> bool:
        return self.x0 - margin <= x <= self.x1 + margin and self.y0 - margin <= y <= self.y1 + margin

    def overlaps(self, other: Box, margin: float = 0.0) -> bool:
        across = self.x0 - margin <= other.x1 and other.x0 - margin <= self.x1
        return across and self.y0 - margin <= other.y1 and other.y0 - margin <= self.y1

    def grown(self, by: float) -> Box:
        return Box(self.x0 - by, self.y0 - by, self.x1 + by, self.y1 + by)

    def union(self, other: Box) -> Box:
        return Box(min(self.x0, other.x0), min(self.y0, other.y0), max(self.x1, other.x1), max(self.y1, other.y1))

    def slices(self, height: int, width: int) -> tuple[slice, slice]:
        """Row and column slices of an image of this size that cover the box, its border pixels included."""
        rows = slice(max(0, math.floor(self.y0 + 0.5)), max(0, min(height, math.floor(self.y1 + 0.5) + 1)))
        return rows, slice(max(0, math.floor(self.x0 + 0.5)), max(0, min(width, math.floor(self.x1 + 0.5) + 1)))


@dataclass(frozen=True)
class Evidence:
    """Where a value comes from: the tool, what it was asked, where it looked, and how sure it is (0 to 1)."""

    tool: str
    source: Source = "pixel"
    box: Box | None = None
    confidence: float = 1.0
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Word:
    """One line of text as printed. `angle`: degrees that the text was turned counter-clockwise (0, 90, 45, ...)."""

    text: str
    box: Box
    angle: float = 0.0
    confidence: float = 1.0
    source: Source = "ocr"


@dataclass(frozen=True, eq=False)
class VectorPath:
    """One subpath of a vector drawing, in figure pixels.

    points: (n, 2) float64, the vertices on the path (x, y); of a curved path only these, not its control points.
    `fill` and `stroke` are None where it has none. `width`, `dash`: in pixels; a dash pattern is empty for solid lines.
    `alpha`: opacity of the fill, or of the stroke where there is no fill. `clip`: the box that hides parts of it.
    `order`: its number in drawing order, shared by the subpaths of one path. `bounds`: the box around a curved path.
    """

    points: Floats
    closed: bool = False
    curved: bool = False
    fill: Rgb | None = None
    stroke: Rgb | None = None
    width: float = 0.0
    dash: tuple[float, ...] = ()
    alpha: float = 1.0
    clip: Box | None = None
    order: int = 0
    bounds: Box | None = None

    @property
    def box(self) -> Box:
        if self.bounds is not None:
            return self.bounds
        (x0, y0), (x1, y1) = self.points.min(axis=0), self.points.max(axis=0)
        return Box(float(x0), float(y0), float(x1), float(y1))


@dataclass(frozen=True, eq=False)
class Drawing:
    """The vector paths of a figure in drawing order, and the places of embedded pictures.

    `finer`: of each picture, where known, how many of its own pixels lie along one of the figure's.
    """

    paths: tuple[VectorPath, ...] = ()
    pictures: tuple[Box, ...] = ()
    finer: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class Figure:
    """One upright picture on white: `pixels` (H, W, 3) uint8 RGB.

    `text` and `drawing` are the vector text runs and paths in the same frame, where the file has them. `region` is the
    part of the page, in pixels of the page, that the figure was cut from; `caption` the first line of its caption.
    """

    pixels: Image
    source: str = ""
    page: int = 1
    sha256: str = ""
    dark: bool = False
    text: tuple[Word, ...] = ()
    warnings: tuple[str, ...] = ()
    drawing: Drawing | None = None
    caption: str = ""
    region: Box | None = None

    @property
    def height(self) -> int:
        return int(self.pixels.shape[0])

    @property
    def width(self) -> int:
        return int(self.pixels.shape[1])


@dataclass(frozen=True)
class Anchor:
    """A tick label seated on the axis: the pixel along the axis, its value, its text and what it was seated on."""

    pixel: float
    value: float
    text: str
    seat: Literal["tick", "grid", "spine", "bar", "glyph"] = "glyph"
    box: Box | None = None


@dataclass(frozen=True)
class Axis:
    """One calibrated axis: pixel <-> value, exact inverses of each other.

    `slope` and `intercept` map the pixel along the axis to *scale units*: the value itself (linear), its log10 (log),
    days since 1970-01-01 (date), or the index 0, 1, 2, ... into `categories` (category).
    `residual` is the root mean square distance, in pixels, of the anchors from the fit. `calendar` says how a time
    axis prints its steps: "week" for `2014-W15`, "year", "month"; empty for ISO dates.
    """

    side: Side
    scale: Scale
    slope: float
    intercept: float
    anchors: tuple[Anchor, ...] = ()
    residual: float = 0.0
    label: str = ""
    unit: str = ""
    categories: tuple[str, ...] = ()
    calendar: Literal["", "week", "month", "year"] = ""
    confidence: Literal["high", "low"] = "high"
    warnings: tuple[str, ...] = ()

    @property
    def horizontal(self) -> bool:
        return self.side in ("bottom", "top")

    @property
    def reversed(self) -> bool:
        """True when values grow leftwards (horizontal axis) or downwards (vertical axis)."""
        return self.slope < 0 if self.horizontal else self.slope > 0

    def to_value(self, pixel: ArrayLike) -> Floats:
        """Values at these pixels along the axis (float64, same shape)."""
        units = np.asarray(pixel, dtype=np.float64) * self.slope + self.intercept
        return np.power(10.0, units) if self.scale == "log" else units

    def to_pixel(self, value: ArrayLike) -> Floats:
        """Pixels along the axis of these values (float64, same shape); nan where a log axis has no such value."""
        values = np.asarray(value, dtype=np.float64)
        if self.scale == "log":
            with np.errstate(divide="ignore", invalid="ignore"):
                values = np.where(values > 0, np.log10(values), np.nan)
        return (values - self.intercept) / self.slope


@dataclass(frozen=True)
class LegendEntry:
    """One named swatch. `colour` is the swatch's full-coverage colour; `dash` and `marker` are empty if it has none."""

    name: str
    colour: Rgb
    kind: Literal["line", "patch", "marker", "line+marker", "label"] = "patch"
    swatch: Box | None = None
    box: Box | None = None
    dash: Literal["", "solid", "dashed", "dotted", "dashdot"] = ""
    marker: str = ""
    hatch: bool = False


@dataclass(frozen=True)
class Legend:
    """The entries in reading order and the box (figure pixels) that no data may be read from."""

    entries: tuple[LegendEntry, ...] = ()
    box: Box | None = None
    title: str = ""


@dataclass(frozen=True)
class Panel:
    """One subplot. `plot` is the data area: the centres of its frame's strokes; `box` also holds labels and title."""

    box: Box
    plot: Box
    title: str = ""
    kind: str = ""
    axes: tuple[Axis, ...] = ()
    legend: Legend = Legend()
    refused: Unreadable | None = None
    warnings: tuple[str, ...] = ()

    def axis(self, side: Side) -> Axis | None:
        return next((axis for axis in self.axes if axis.side == side), None)

    @property
    def x(self) -> Axis | None:
        """The horizontal axis: bottom before top."""
        return self.axis("bottom") or self.axis("top")

    @property
    def y(self) -> Axis | None:
        """The vertical axis: left before right."""
        return self.axis("left") or self.axis("right")


@dataclass(frozen=True)
class Mark:
    """One measured place of a series, in figure pixels.

    x, y: the data point. Of a bar or stack segment, the middle of its *value end*, `box` being the whole rectangle
    (so the base is the opposite side). `sigma`: one standard deviation of the position along the value axis, in px.
    `bridged`: interpolated where other ink hides the series.
    """

    part: Part
    x: float
    y: float
    box: Box | None = None
    sigma: float = 0.5
    bridged: bool = False
    confidence: float = 1.0


@dataclass(frozen=True)
class Series:
    """The marks of one series in drawing order (left to right; horizontal bars from top to bottom).

    `name` is empty where the figure does not name it. `axis` is the side of its value axis. `sampled` says that no
    data points could be told apart and that the marks are even samples along x.
    """

    name: str
    colour: Rgb
    kind: SeriesKind
    marks: tuple[Mark, ...]
    axis: Side = "left"
    orientation: Literal["vertical", "horizontal"] = "vertical"
    evidence: Evidence = Evidence("")
    sampled: bool = False
    warnings: tuple[str, ...] = ()


def days(moment: datetime | date) -> float:
    """Days since 1970-01-01 of a naive date or time.

    >>> days(date(1970, 1, 3))
    2.0
    """
    at = moment if isinstance(moment, datetime) else datetime(moment.year, moment.month, moment.day)
    return (at - EPOCH) / timedelta(days=1)


def moment(day: float) -> datetime:
    """The date and time, to the nearest second, of days since 1970-01-01. Raises OverflowError outside years 1-9999.

    >>> moment(2.5)
    datetime.datetime(1970, 1, 3, 12, 0)
    """
    return EPOCH + timedelta(seconds=round(day * 86400))
