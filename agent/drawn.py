"""What a figure's reading offers for comparison: each series as numbers and pixels, with its intervals.

Not handled here: box plots (`box_check`), reading figures.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from agent.reading import PanelReading
from tools.naming import name_series, value_axis
from tools.table import Cell
from tools.tabulate import NINETY, QUANTISATION, points_of
from tools.types import Axis, Box, Floats, Panel, Rgb, Series, SeriesKind, Word

LINES = ("line", "step", "area", "stacked area")


@dataclass(frozen=True, eq=False)
class Drawn:
    """One series. Arrays are (n,) float64 in the order of `along`, the pixel on the key axis.

    `low`, `high`: the 90 % interval of each value in the value axis' units; `sure`: measured, neither bridged nor
    sampled; `places`: (n, 2) figure pixels. `named`: the figure itself names the series. `width`: of its bars, in px.
    `lower`, `upper`: (3, n), the ends of its error bars or band with the ends of their intervals; None without any.
    """

    name: str
    named: bool
    kind: SeriesKind
    colour: Rgb
    horizontal: bool
    axis: Axis
    key: Axis | None
    along: Floats
    value: Floats
    low: Floats
    high: Floats
    sure: np.ndarray
    places: Floats
    sampled: bool
    stacked: bool
    plot: tuple[float, float, float, float]
    width: float = 0.0
    lower: Floats | None = None
    upper: Floats | None = None

    @property
    def line(self) -> bool:
        """Drawn as a stroke or an edge that goes on between the points."""
        return self.kind in LINES

    @property
    def span(self) -> tuple[float, float]:
        """The ends of the plot area along the key axis, in px."""
        x0, y0, x1, y1 = self.plot
        return (y0, y1) if self.horizontal else (x0, x1)

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of the plot area along the value axis, in px."""
        x0, y0, x1, y1 = self.plot
        return (x0, x1) if self.horizontal else (y0, y1)

    @cached_property
    def limits(self) -> tuple[float, float]:
        """The least and the greatest value that the plot area can show."""
        one, two = (float(v) for v in self.axis.to_value(self.ends))
        return min(one, two), max(one, two)

    def units(self, values: Floats | float) -> Floats:
        """Values in the units of the scale: themselves, or their log10 on a log axis (nan where there is none)."""
        plain = np.asarray(values, dtype=np.float64)
        if self.axis.scale != "log":
            return plain
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(plain > 0, np.log10(plain), np.nan)

    @cached_property
    def range(self) -> float:
        """The length of the value axis in the units of its scale."""
        low, high = self.units(np.array(self.limits))
        return float(high - low)

    def point(self, along: float, value: float) -> tuple[float, float]:
        """The figure pixel (x, y) of a value at a place along the key axis."""
        at = float(self.axis.to_pixel(value))
        return (at, along) if self.horizontal else (along, at)


def drawn_series(reading: PanelReading) -> list[Drawn]:
    """The series of a panel that have values; box plots give none."""
    panel = reading.panel
    plain = [one for one in reading.series if one.marks and one.kind != "box"]
    named = name_series(panel, [_upright(one) for one in plain])
    legend = {one.name for one in plain if one.name}
    return [d for one in named if (d := _drawn(panel, one, one.name in legend)) is not None]


def _upright(one: Series) -> Series:
    """A profile, traced as x over y, is compared like every other curve: x first."""
    from dataclasses import replace

    turned = one.kind in ("line", "step", "points") and one.orientation == "horizontal"
    return replace(one, orientation="vertical", axis="left") if turned else one


def _drawn(panel: Panel, one: Series, named: bool) -> Drawn | None:
    axis = value_axis(panel, one)
    horizontal = one.orientation == "horizontal"
    points = [p for p in points_of(panel, one) if isinstance(p.value.value, float)]
    if axis is None or not points or axis.scale == "category":
        return None
    along = np.array([p.along for p in points])
    order = np.argsort(along, kind="stable") if one.kind != "step" else np.arange(len(points))
    cells = [points[i].value for i in order]
    value = np.array([float(c.value) for c in cells])
    low = np.array([c.low if c.low is not None else c.value for c in cells], dtype=np.float64)
    high = np.array([c.high if c.high is not None else c.value for c in cells], dtype=np.float64)
    places = np.array([c.pixel if c.pixel is not None else (np.nan, np.nan) for c in cells])
    box = panel.plot
    boxes = [mark.box for mark in one.marks if mark.box is not None]
    widths = [b.height if horizontal else b.width for b in boxes]
    return Drawn(
        one.name, named, one.kind, one.colour, horizontal, axis, panel.y if horizontal else panel.x, along[order],
        value, low, high, np.array([c.status == "read" for c in cells]), places, one.sampled,
        one.kind in ("stack", "stacked area"), (box.x0, box.y0, box.x1, box.y1),
        float(np.median(widths)) if widths else 0.0,
        _ends([points[i].low for i in order]), _ends([points[i].high for i in order]),
    )  # fmt: skip


def _ends(cells: Sequence[Cell | None]) -> Floats | None:
    """(3, n): the values of these cells and the ends of their intervals, nan where there is none; None without any."""
    values = [
        (c.value, c.value if c.low is None else c.low, c.value if c.high is None else c.high)
        if c is not None and isinstance(c.value, float) else (np.nan, np.nan, np.nan) for c in cells
    ]  # fmt: skip
    found = np.array(values, dtype=np.float64).reshape(-1, 3).T
    return found if np.isfinite(found).any() else None


def least_interval(drawn: Drawn) -> float:
    """Half the 90 % interval of a place known to a pixel, in units of the value axis' scale."""
    sigma = float(np.hypot(drawn.axis.residual, QUANTISATION))
    return NINETY * max(sigma, 0.5) * abs(drawn.axis.slope)


def all_along(series: Sequence[Drawn]) -> list[Floats]:
    """Where the points of each series stand along the key axis."""
    return [one.along for one in series]


def figure_words(panel_title: str, series: Sequence[Drawn]) -> str:
    """Title, value axis labels and names of a panel as one text."""
    units = [f"({one.axis.unit})" if one.axis.unit and one.axis.unit not in one.axis.label else "" for one in series]
    labels = [
        f"{one.axis.label} {unit} {one.name if one.named else ''}" for one, unit in zip(series, units, strict=True)
    ]
    return " ".join([panel_title, *dict.fromkeys(labels)])


def printed_in(box: Box, words: Sequence[Word]) -> list[str]:
    """The texts that stand in a box and are no numbers: `1e6` over an axis, `in thousands` under a title."""
    inside = [word.text for word in words if box.contains(*word.box.centre, margin=2.0)]
    return [text for text in inside if re.search(r"[A-Za-z%^]", text) and not text.endswith("%")]
