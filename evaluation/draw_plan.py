"""The records that the steps of the drawer pass along: what is to be drawn, and what was drawn and where.

Pixels: x to the right, y down, the centre of pixel i is i. Values on a date axis are days since 1970-01-01, on a
category axis 0, 1, 2, ... in the order of its labels. Not handled here: any choosing (`draw_charts`, `draw_style`) or
drawing (`draw_mpl`, `draw_vega`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Pixels = NDArray[np.uint8]
Rgb = tuple[int, int, int]
Rectangle = tuple[float, float, float, float]
Scale = Literal["linear", "log", "date", "category"]
Form = Literal["line", "step", "bar", "hist", "area", "scatter", "box", "dot"]
Side = Literal["left", "right", "bottom", "top"]


def no_values() -> Floats:
    return np.array([], dtype=np.float64)


@dataclass(frozen=True)
class BoxStats:
    """The five numbers of one box, and what lies outside of its whiskers."""

    whisker_low: float
    q1: float
    median: float
    q3: float
    whisker_high: float
    outliers: tuple[float, ...] = ()


@dataclass(frozen=True)
class Look:
    """How a series is drawn. Widths and sizes in points (1/72 inch); `colour` before `alpha` is applied."""

    colour: Rgb
    edge: Rgb | None = None
    hatch: str = ""
    alpha: float = 1.0
    line_pt: float = 1.5
    dash: str = "solid"
    marker: str = ""
    marker_pt: float = 5.0
    filled: bool = True
    cap_pt: float = 3.0


@dataclass(frozen=True, eq=False)
class SeriesPlan:
    """One series: x and y (n,) float64 as the truth reports them, and the geometry that comes from them.

    `base` (n,): where a bar or an area starts; it ends at base + y. `low`, `high` (n,): ends of error bars or of a
    band (`banded`); nan where there is no end. `width`, `offset`: of bars and boxes, in units of the x axis. `edges`
    (n + 1,): of a histogram. `censored` (m,): x of the censor ticks of a survival curve.
    """

    name: str
    form: Form
    x: Floats
    y: Floats
    look: Look
    base: Floats = field(default_factory=no_values)
    low: Floats = field(default_factory=no_values)
    high: Floats = field(default_factory=no_values)
    edges: Floats = field(default_factory=no_values)
    censored: Floats = field(default_factory=no_values)
    boxes: tuple[BoxStats, ...] = ()
    width: float = 0.8
    offset: float = 0.0
    banded: bool = False
    twin: bool = False
    stacked: bool = False
    stem: bool = False
    printed: bool = False

    @property
    def start(self) -> Floats:
        """Where bars and areas start, (n,)."""
        return self.base if len(self.base) else np.zeros(len(self.y))

    @property
    def end(self) -> Floats:
        """Where what is drawn of each point ends, (n,): base + y of bars and areas, y of anything else."""
        return self.start + self.y


@dataclass(frozen=True)
class AxisPlan:
    """An axis from `low` to `high` (left to right, bottom to top; the other way round where `reversed`)."""

    scale: Scale
    low: float
    high: float
    ticks: tuple[float, ...]
    texts: tuple[str, ...]
    label: str = ""
    unit: str = ""
    reversed: bool = False
    minor: tuple[float, ...] = ()
    corner: str = ""
    turned: float = 0.0

    @property
    def heading(self) -> str:
        """The label as printed: with its unit."""
        return f"{self.label} ({self.unit})" if self.label and self.unit else self.label or self.unit

    def along(self, values: Floats) -> Floats:
        """Shares of the axis, 0 at the left or lower end. Decades count on a log axis."""
        with np.errstate(all="ignore"):
            u = np.log10(values) if self.scale == "log" else np.asarray(values, dtype=np.float64)
        first, last = (np.log10(self.low), np.log10(self.high)) if self.scale == "log" else (self.low, self.high)
        share = (u - first) / (last - first)
        return np.asarray(1 - share if self.reversed else share, dtype=np.float64)


@dataclass(frozen=True)
class LegendPlan:
    """Where the names stand: a place on the 3 x 3 grid ("upper left", ...), "right", "top" or "bottom" outside,
    "direct" beside the ends of lines, or "" for none."""

    place: str = ""
    framed: bool = True
    columns: int = 1
    title: str = ""

    @property
    def outside(self) -> bool:
        return self.place in ("right", "top", "bottom")


@dataclass(frozen=True)
class PanelPlan:
    """One chart. `y2` is the axis of the series marked `twin`. `horizontal`: x runs along the left side."""

    chart_type: str
    series: tuple[SeriesPlan, ...]
    x: AxisPlan
    y: AxisPlan
    y2: AxisPlan | None = None
    legend: LegendPlan = LegendPlan()
    title: str = ""
    horizontal: bool = False
    hide_x: bool = False
    hide_y: bool = False


@dataclass(frozen=True)
class Style:
    """What the panels of a figure share. Sizes in points, except `size` (width, height in pixels)."""

    theme: str
    size: tuple[int, int]
    dpi: int
    family: str
    points: Mapping[str, float]
    weights: Mapping[str, str]
    paper: Rgb
    plot: Rgb
    ink: Rgb
    grid: Rgb | None
    grid_axis: Literal["x", "y", "both"]
    grid_dash: str
    spines: tuple[Side, ...]
    spine_pt: float
    tick_direction: Literal["in", "out", "none"]
    palette: tuple[Rgb, ...]
    numbers: str
    language: str

    @property
    def px(self) -> float:
        """Pixels per point."""
        return self.dpi / 72


@dataclass(frozen=True)
class FigurePlan:
    """Panels in reading order on a grid of rows and columns."""

    panels: tuple[PanelPlan, ...]
    rows: int
    columns: int
    style: Style


@dataclass(frozen=True)
class Tick:
    """A tick of `value` with its words; `pixel` is where its stroke is drawn: plotting libraries put ticks on whole
    pixels, so it may lie up to a pixel from where the axis map puts the value."""

    text: str
    value: float
    pixel: float


@dataclass(frozen=True)
class DrawnAxis:
    """pixel = intercept + slope * u with u the value, or its log10 on a log axis."""

    side: Side
    scale: Scale
    reversed: bool
    slope: float
    intercept: float
    low: float
    high: float
    ticks: tuple[Tick, ...]
    label: str = ""
    unit: str = ""
    corner: str = ""

    def to_pixel(self, values: Floats) -> Floats:
        """Pixel positions of values, nan for what a log axis cannot show."""
        with np.errstate(all="ignore"):
            u = np.log10(values) if self.scale == "log" else np.asarray(values, dtype=np.float64)
            return np.asarray(self.intercept + self.slope * np.where(np.isfinite(u), u, np.nan), dtype=np.float64)

    def to_value(self, pixels: Floats) -> Floats:
        """The exact inverse of `to_pixel`."""
        u = (np.asarray(pixels, dtype=np.float64) - self.intercept) / self.slope
        return np.asarray(10.0**u if self.scale == "log" else u, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class DrawnSeries:
    """A series and its pixels: `points` (n, 2), where each data point is seen (middle of a bar's end, median of a
    box); `lows`, `highs` (n, 2) of error bars and bands; `seen`: the colour on the background; `width_px`: of its line.
    """

    plan: SeriesPlan
    side: Side
    seen: Rgb
    width_px: float
    points: Floats
    lows: Floats
    highs: Floats


@dataclass(frozen=True)
class LegendEntry:
    """A name, and the boxes of its words and of its sample (line piece, patch, marker), where it has one."""

    name: str
    words: Rectangle
    swatch: Rectangle | None = None


@dataclass(frozen=True)
class DrawnLegend:
    """`place`: on the 3 x 3 grid ("upper left", "center", ...), of the figure where `outside`; "direct"; "none"."""

    place: str
    outside: bool = False
    box: Rectangle | None = None
    entries: tuple[LegendEntry, ...] = ()


@dataclass(frozen=True)
class TextStyle:
    """Size in pixels (of the font, not of a letter), weight, family."""

    size_px: float
    weight: str
    family: str


@dataclass(frozen=True)
class Placed:
    """What an engine tells about a panel that it drew: the plot box (centres of the frame's strokes), the box around
    everything that belongs to the panel, its legend."""

    plot: Rectangle
    box: Rectangle
    legend: DrawnLegend


@dataclass(frozen=True, eq=False)
class DrawnPanel:
    plan: PanelPlan
    kind: str
    box: Rectangle
    plot: Rectangle
    axes: tuple[DrawnAxis, ...]
    series: tuple[DrawnSeries, ...]
    legend: DrawnLegend
    texts: Mapping[str, TextStyle]

    def axis(self, side: str) -> DrawnAxis:
        """The axis on a side. Raises KeyError where there is none."""
        for axis in self.axes:
            if axis.side == side:
                return axis
        raise KeyError(side)


@dataclass(frozen=True, eq=False)
class Drawn:
    """One figure with everything known about it: `pixels` (H, W, 3) uint8 RGB, a table per panel as TSV text,
    `vector` the same figure as SVG or PDF where that was asked for. `turned_by`: of a turned page, the (2, 3) matrix
    that leads from the upright figure's pixels (x, y, 1), in which its axes are given, to these."""

    seed: int
    sample: int
    kind: str
    chart_type: str
    engine: str
    degraded: str
    pixels: Pixels
    panels: tuple[DrawnPanel, ...]
    tables: tuple[str, ...]
    vector: bytes = b""
    turned_by: tuple[tuple[float, ...], ...] = ()
