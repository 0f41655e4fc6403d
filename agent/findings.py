"""What a check finds: each difference with its place, both values, the reading's interval, its kind and its weight.

A difference is a discrepancy only when it is beyond the tolerance, outside the interval, at a sure place, and when the
pixels do not speak for the table. Not handled here: series that are missing (`missing`), box plots (`box_check`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from agent.comparing import FILLED, Cells, baseline, figure_value
from agent.drawn import Drawn
from agent.mapping import Link
from agent.probing import Probe, is_clear, stroke_value, supports
from tools.types import Image, Panel

Kind = Literal[
    "value differs", "series swapped", "series missing in the figure", "series missing in the table", "points missing",
    "axis clipped", "scale or unit factor", "sign", "shifted x", "different aggregation explains it", "not comparable",
]  # fmt: skip
Ruling = Literal["discrepancy", "not verifiable", "note"]
Severity = Literal["high", "medium", "low"]
Place = tuple[float, float]
FEW = 4  # rows that may differ in a series of which less than 70 % agrees
DENSE = 2.6  # px between rows from which on a value may be taken for its neighbour's


@dataclass(frozen=True)
class Finding:
    """One thing that a check found. `panel` counts from 1; `series` and `x` are empty where they do not apply.

    `figure` is the value read, `low` to `high` its 90 % interval, `table` the deposited value, `share` the
    difference as a share of the axis range; `pixel` and `table_pixel` are where the two stand in the figure (x, y).
    """

    kind: Kind
    ruling: Ruling
    panel: int
    series: str
    message: str
    x: str = ""
    severity: Severity = "high"
    figure: float | None = None
    low: float | None = None
    high: float | None = None
    table: float | None = None
    share: float | None = None
    pixel: Place | None = None
    table_pixel: Place | None = None

    @property
    def intervals(self) -> float | None:
        """The difference counted in half-widths of the reading's interval."""
        if self.figure is None or self.table is None or self.low is None or self.high is None or self.high <= self.low:
            return None
        return abs(self.figure - self.table) / ((self.high - self.low) / 2)

    @property
    def percent(self) -> float | None:
        """The figure's value against the table's, in percent of the table's (None where that is 0)."""
        if self.figure is None or not self.table:
            return None
        return 100 * (self.figure - self.table) / abs(self.table)

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "kind": self.kind, "ruling": self.ruling, "severity": self.severity, "panel": self.panel,
            "series": self.series, "x": self.x, "message": self.message,
        }  # fmt: skip
        if self.figure is not None or self.table is not None:
            found |= {
                "figure": _plain(self.figure), "interval": [_plain(self.low), _plain(self.high)],
                "table": _plain(self.table), "difference_in_intervals": _plain(self.intervals),
                "difference_percent": _plain(self.percent), "share_of_axis": _plain(self.share),
            }  # fmt: skip
        for name, place in (("pixel", self.pixel), ("table_pixel", self.table_pixel)):
            if place is not None and all(map(math.isfinite, place)):
                found[name] = [round(place[0], 1), round(place[1], 1)]
        return found


def _plain(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(f"{value:.6g}")


@dataclass
class Tally:
    """How many rows of the table were compared, by what came out."""

    agree: int = 0
    within_error: int = 0
    differ: int = 0
    unsure: int = 0
    unseen: int = 0

    @property
    def compared(self) -> int:
        return self.agree + self.within_error + self.differ

    def add(self, other: Tally) -> None:
        for name in ("agree", "within_error", "differ", "unsure", "unseen"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


def good_share(cells: Cells) -> float:
    """The share of the compared rows that agree within the tolerance."""
    good = len(cells.rows("agrees", "within tolerance", "within reading error"))
    return good / cells.counted if cells.counted else 0.0


def trusted(link: Link, links: Sequence[Link]) -> bool:
    """True where so much agrees that the rest is no misreading of axes, x or names: single rows may then be accused."""
    mine = good_share(link.cells)
    differ = link.cells.counted * (1 - mine)
    good = sum(len(one.cells.rows("agrees", "within tolerance")) for one in links)
    counted = sum(one.cells.counted for one in links)
    if not link.places.sure:
        return mine >= 0.75 and good >= 4
    foreign = link.drawn.named and link.named < 0.6 and len(links) > 1 and mine < 0.9
    if good >= 3 and mine >= 0.5 and differ <= max(FEW, 0.15 * link.cells.counted):
        return not foreign
    some = mine > 0.2 or link.cells.counted <= 2
    mixed_up = any(one.drawn.named and one.named < 0.6 for one in links)
    return some and not mixed_up and link.named >= 0.8 and good >= max(3, 0.6 * counted)


def next_door(link: Link, i: int, figure: float) -> bool:
    """True where the row may be another one: rows share its place, or stand so close that the figure's value may be
    that of a neighbour."""
    cells, drawn, step = link.cells, link.drawn, link.places.step
    here = np.abs(cells.pixels - cells.pixels[i]) < 0.5
    if here.sum() > 1:
        return True
    near = np.flatnonzero(np.abs(cells.pixels - cells.pixels[i]) <= 1.6 * step) if step < DENSE else np.array([i])
    if len(near) < 2:
        return False
    units = drawn.units(cells.table[near])
    slack = 0.02 * drawn.range
    return bool(np.nanmin(units) - slack <= float(drawn.units(figure)) <= np.nanmax(units) + slack)


class Judge:
    """Rules on the rows of one panel's series, with a look at the pixels for each that seems to differ."""

    def __init__(
        self, number: int, pixels: Image, tolerance: float, series: Sequence[Drawn], panel: Panel | None = None
    ) -> None:
        self.panel, self.figure, self.tolerance, self.series = number, pixels, tolerance, series
        self.legend = panel.legend.box if panel is not None else None
        self.region = panel.box if panel is not None else None
        self.axes = panel.axes if panel is not None else ()
        self.links: Sequence[Link] = ()
        self._probes: dict[int, Probe] = {}

    def probe(self, drawn: Drawn) -> Probe:
        """The ink of a series, found once."""
        if id(drawn) not in self._probes:
            others = [one.colour for one in self.series if one is not drawn and one.colour != drawn.colour]
            self._probes[id(drawn)] = Probe(self.figure, drawn.colour, drawn.plot, others, self.legend, self.region)
        return self._probes[id(drawn)]

    def rows(self, link: Link) -> tuple[list[Finding], Tally]:
        """Findings of the rows of a series, and the tally of all of its rows."""
        cells, tally, found = link.cells, Tally(), []
        tally.agree = len(cells.rows("agrees", "within tolerance"))
        tally.within_error = len(cells.rows("within reading error"))
        tally.unseen = len(cells.rows("beyond"))
        for i in cells.rows("differs", "nothing there", "unsure", "clipped"):
            finding = self._row(link, i)
            found += [finding] if finding is not None else []
            if finding is None:
                tally.agree += 1
            elif finding.ruling == "discrepancy":
                tally.differ += 1
            elif finding.kind == "axis clipped":
                tally.unseen += 1
            else:
                tally.unsure += 1
        return self._without_shifted(link, found), tally

    def _row(self, link: Link, i: int) -> Finding | None:
        cells, drawn = link.cells, link.drawn
        status, table, at = cells.status[i], float(cells.table[i]), float(cells.pixels[i])
        figure, low, high = float(cells.figure[i]), float(cells.low[i]), float(cells.high[i])
        probe = self.probe(drawn)
        if status == "clipped" and cells.marks[i] < 0:
            figure = low = high = math.nan
        if not math.isfinite(figure) and drawn.kind not in FILLED:
            stroke = stroke_value(probe, drawn, at)
            if stroke is not None:
                figure, low, high = stroke
        backed = supports(probe, drawn, at, table)
        if status == "clipped" and not (self._inside(drawn, figure) and self._stops_short(link, at, table)):
            if backed and drawn.kind not in FILLED:  # drawn beyond what was taken for the end of the plot area
                return None
            return self._finding(link, i, "axis clipped", "not verifiable", figure, low, high,
                                 "the axis of the figure ends before the table's value")  # fmt: skip
        if not math.isfinite(figure):
            return self._nothing(link, i, backed)
        share = float((drawn.units(figure) - drawn.units(table)) / drawn.range)
        slack = 0.0 if link.curve.slack is None else float(link.curve.slack[i])
        if abs(share) <= self.tolerance or low - slack <= table <= high + slack:
            return None
        doubted = status == "unsure" or self._hidden(drawn, at, table) or next_door(link, i, figure)
        doubted = doubted or self._of_another(link, at, figure) or self._loose_stands(link, at, table)
        doubted = doubted or self._on_other_axis(drawn, figure, table)
        # The level of a step line before its first riser or behind its last one may have no length at all.
        doubted = doubted or (drawn.kind == "step" and not drawn.along.min() + 3 < at < drawn.along.max() - 3)
        beside = (cells.status[k] for k in (i - 1, i + 1) if 0 <= k < len(cells.status))
        doubted = doubted or "clipped" in beside  # strokes beside a value that is cut off lead out of the axis
        if backed or doubted or not self._stands(probe, link, i, at, figure):
            return self._finding(link, i, "value differs", "not verifiable", figure, low, high,
                                 "the reading differs from the table, but is not sure here")  # fmt: skip
        return self._finding(
            link, i, "value differs", "discrepancy", figure, low, high, "the figure shows another value"
        )

    def _of_another(self, link: Link, at: float, figure: float) -> bool:
        """True of a line whose value is that of another of like colour in the table: the two may be mixed up."""
        for other in self.links:
            if other.drawn is link.drawn or not link.drawn.line or is_clear(link.drawn.colour, [other.drawn.colour]):
                continue
            good = np.isfinite(other.places.pixels) & np.isfinite(other.curve.y)
            if good.sum() > 1:
                order = np.argsort(other.places.pixels[good])
                units = link.drawn.units(other.curve.y[good])[order]
                there = float(np.interp(at, other.places.pixels[good][order], units))
                if abs(there - float(link.drawn.units(figure))) <= 0.03 * link.drawn.range:
                    return True
        return False

    def _on_other_axis(self, drawn: Drawn, figure: float, table: float) -> bool:
        """True where the place means the table's value on another axis of the panel: the series may belong to that."""
        pixel = drawn.axis.to_pixel(figure)
        for axis in self.axes:
            if axis is not drawn.axis and axis.horizontal == drawn.axis.horizontal and axis.scale == drawn.axis.scale:
                slack = 0.03 * abs(axis.slope * (drawn.ends[1] - drawn.ends[0]))
                if axis.scale == "linear" and abs(float(axis.to_value(pixel)) - table) <= slack:
                    return True
        return False

    def _loose_stands(self, link: Link, at: float, table: float) -> bool:
        """True where a series that no column explains stands at the table's value: it may be a piece of this one."""
        linked = {id(one.drawn) for one in self.links}
        wanted = float(link.drawn.units(table))
        for other in self.series:
            if id(other) not in linked and other.axis is link.drawn.axis and other.kind not in FILLED:
                near = other.value[np.abs(other.along - at) <= (3.0 if not other.line else 6.0)]
                there = other.units(np.append(near, figure_value(other, at, -1)))
                if (np.abs(there - wanted) <= 0.03 * link.drawn.range).any():
                    return True
        return False

    def _hidden(self, drawn: Drawn, at: float, table: float) -> bool:
        """True where other ink may hide a stroke or marker at the table's value."""
        x, y = drawn.point(at, table)
        if drawn.kind in FILLED or not math.isfinite(y) or not self.probe(drawn).covered(x, y):
            return False
        # Lines and markers are drawn over bars and areas.
        return not any(one.kind in FILLED and self.probe(one).near(x, y, 1.0) for one in self.series)

    def _inside(self, drawn: Drawn, figure: float) -> bool:
        """True of a value that stands well inside the axis, so that nothing can be cut off."""
        if not math.isfinite(figure):
            return False
        low, high = (float(v) for v in drawn.units(np.array(drawn.limits)))
        return low + 0.01 * drawn.range < float(drawn.units(figure)) < high - 0.01 * drawn.range

    def _stops_short(self, link: Link, at: float, table: float) -> bool:
        """True where the series does not run into the end of the axis that the table's value lies beyond."""
        drawn, (low, high) = link.drawn, link.drawn.limits
        end = high if table > high else low
        reach = max(4.0, 0.75 * link.places.step) if math.isfinite(link.places.step) else 8.0
        spots = [drawn.point(at + k * reach, end) for k in np.linspace(-1, 1, 9)]
        return not any(self.probe(drawn).near(x, y, 2.0) for x, y in spots)

    def _stands(self, probe: Probe, link: Link, i: int, at: float, figure: float) -> bool:
        """True where the figure's own value stands on ink of the series."""
        drawn, mark = link.drawn, int(link.cells.marks[i])
        x, y = drawn.point(at, figure)
        if mark >= 0 and np.isfinite(drawn.places[mark]).all():
            x, y = (float(v) for v in drawn.places[mark])
        if drawn.kind in FILLED:
            return drawn.stacked or probe.end_near(x, y, drawn.horizontal) or probe.near(x, y, 3.0)
        return probe.near(x, y, 3.0)

    def _nothing(self, link: Link, i: int, backed: bool) -> Finding | None:
        """A row of which the figure shows nothing: missing only where its place is empty paper."""
        drawn, at, table = link.drawn, float(link.cells.pixels[i]), float(link.cells.table[i])
        if backed and drawn.kind not in FILLED:
            return None
        empty = self._bar_is_absent(link, at, table) if drawn.kind in FILLED else self._is_blank(drawn, at, table)
        sure = empty and link.places.sure and not backed and drawn.kind not in ("area", "stacked area", "step")
        ruling: Ruling = "discrepancy" if sure else "not verifiable"
        words = (
            "nothing is drawn for this row of the table"
            if sure
            else "this row of the table was not found in the figure"
        )
        base = baseline(drawn) if sure and drawn.kind in FILLED else math.nan
        return self._finding(link, i, "points missing", ruling, base, base, base, words)

    def _is_blank(self, drawn: Drawn, at: float, table: float) -> bool:
        return self.probe(drawn).blank(*drawn.point(at, table), reach=2.5)

    def _bar_is_absent(self, link: Link, at: float, table: float) -> bool:
        """No ink of the series anywhere in the slot between the base line and the table's value."""
        drawn, probe = link.drawn, self.probe(link.drawn)
        half = 0.45 * link.places.step if math.isfinite(link.places.step) else 6.0
        middle = (float(drawn.units(table)) + float(drawn.units(baseline(drawn)))) / 2
        x, y = drawn.point(at, 10.0**middle if drawn.axis.scale == "log" else middle)
        window = probe.window(x, y, half, across=1.0) if drawn.horizontal else probe.window(x, y, 1.0, across=half)
        return not drawn.stacked and bool(window.size) and float(window.max()) < 0.3

    def _without_shifted(self, link: Link, found: list[Finding]) -> list[Finding]:
        """Rows that show the values of their neighbours: one finding; whose fault the step is cannot be told."""
        rows = link.cells.rows("differs")
        if len(rows) < 2 or link.places.how == "names":
            return found
        drawn, cells = link.drawn, link.cells
        for step in (-1, 1):
            pairs = [(i, i + step) for i in rows if 0 <= i + step < len(cells.table)]
            apart = drawn.units(cells.figure[[i for i, _ in pairs]]) - drawn.units(cells.table[[k for _, k in pairs]])
            together = rows[-1] - rows[0] < 2 * len(rows)
            close = float(np.mean(np.abs(apart) < 0.02 * drawn.range)) if pairs else 0.0
            if together and close > (0.7 if len(rows) > 3 else 0.99):
                words = "rows stand a step off; whether the figure or its reading is shifted cannot be told"
                shifted = Finding("shifted x", "not verifiable", self.panel, link.curve.name, words, severity="medium")
                return [shifted, *(f for f in found if f.kind != "value differs")]
        return found

    def _finding(
        self, link: Link, i: int, kind: Kind, ruling: Ruling, figure: float, low: float, high: float, words: str
    ) -> Finding:
        drawn, table, at = link.drawn, float(link.cells.table[i]), float(link.cells.pixels[i])
        share = float((drawn.units(figure) - drawn.units(table)) / drawn.range) if math.isfinite(figure) else math.nan
        mark = int(link.cells.marks[i])
        place = (float(drawn.places[mark, 0]), float(drawn.places[mark, 1])) if mark >= 0 else None
        if place is None and math.isfinite(figure):
            place = drawn.point(at, figure)
        shown, least, most, size = (None if not math.isfinite(v) else v for v in (figure, low, high, abs(share)))
        return Finding(
            kind, ruling, self.panel, link.curve.name, words, link.curve.labels[i], severity_of(share), shown, least,
            most, table, size, place, drawn.point(at, table),
        )  # fmt: skip


def severity_of(share: float) -> Severity:
    """high from a fifth of the axis range on, medium from a tenth, else low; high where the share is unknown."""
    size = abs(share)
    return "high" if not size < 0.2 else "medium" if size >= 0.1 else "low"
