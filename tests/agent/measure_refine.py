"""Measures refine: `python tests/agent/measure_refine.py FOLDER [--amount 0.08] [--ids a,b] [--seeds 1]`.

FOLDER holds an `index.jsonl` and the pictures and true tables that it names. Every true value is moved by seeded noise
of up to `amount` of the range of its axis; names and rows stay right. Prints, per panel and over all, the share of
values that come back within 0.5 % of that range. Points of a scatter plot count as a set: two at one x may change
places.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agent import offline
from tools.align import assign
from tools.drafts import Draft, DraftSeries, number_of, parse_draft, series_of
from tools.load import load
from tools.snapping import Snapped, snap
from tools.types import Axis, Floats, Panel
from tools.workbench import Workbench

CLOSE = 0.005


@dataclass(frozen=True)
class Scale:
    """The range of the axis that a series is drawn on, in its own units (decades where it is logarithmic)."""

    log: bool
    span: float

    def off(self, found: float, true: float) -> float:
        """The distance of two values as a share of the range."""
        if self.log:
            return abs(np.log10(found / true)) / self.span if found > 0 and true > 0 else float(found != true)
        return abs(found - true) / self.span

    def moved(self, value: float, by: float) -> float:
        return float(value * 10 ** (by * self.span)) if self.log and value > 0 else value + by * self.span


def scale_of(panel: Panel, one: DraftSeries, horizontal: bool) -> Scale:
    """The axis on which most of the series lies within the plot, and of two such the one that it fills more."""

    def fits(axis: Axis) -> float:
        ends = _ends(panel, axis)
        pixels = axis.to_pixel(one.values * (100 if _shares(axis, one) else 1))
        pixels = pixels[np.isfinite(pixels)]
        if not len(pixels):
            return 0.0
        inside = float(np.mean((pixels > ends[0] - 5) & (pixels < ends[1] + 5)))
        return inside + 0.1 * min(1.0, float(np.ptp(pixels)) / (ends[1] - ends[0]))

    axes = [axis for axis in panel.axes if axis.horizontal == horizontal and axis.scale in ("linear", "log")]
    if not axes:
        return Scale(False, float(np.nanmax(one.values) - np.nanmin(one.values)) or 1.0)
    axis = max(axes, key=fits)
    low, high = (float(v) for v in axis.to_value(_ends(panel, axis)))
    if axis.scale == "log":
        return Scale(True, abs(float(np.log10(high / low))))
    return Scale(False, abs(high - low) / (100 if _shares(axis, one) else 1))


def _shares(axis: Axis, one: DraftSeries) -> bool:
    return axis.unit == "%" and float(np.nanmax(np.abs(one.values))) <= 1.2


def _ends(panel: Panel, axis: Axis) -> tuple[float, float]:
    return (panel.plot.x0, panel.plot.x1) if axis.horizontal else (panel.plot.y0, panel.plot.y1)


def noisy(truth: Draft, scales: dict[str, Scale], amount: float, seed: str) -> Draft:
    """The truth with every value moved."""
    rng = np.random.default_rng(zlib.crc32(seed.encode()))
    rows = [list(row) for row in truth.rows]
    for one in series_of(truth):
        for (row, column), value in zip(one.cells, one.values, strict=True):
            if np.isfinite(value):
                rows[row][column] = f"{scales[one.name].moved(float(value), rng.uniform(-amount, amount)):.6g}"
    return Draft(truth.header, tuple(tuple(row) for row in rows))


def distances(found: Snapped, one: DraftSeries, scale: Scale) -> Floats:
    """How far every value of a series is off."""
    off = []
    for (row, column), value in zip(one.cells, one.values, strict=True):
        if np.isfinite(value):
            cell = found.table.rows[row][column]
            off.append(scale.off(cell.value, float(value)) if isinstance(cell.value, float) else np.inf)
    return np.array(off)


def as_a_set(found: Snapped, truth: Draft, one: DraftSeries, panel: Panel) -> Floats:
    """0 for every true point with a found point of its own within `CLOSE` of both axes, 1 for the others."""
    x, y = panel.x, panel.y
    places = [place for place, value in zip(one.cells, one.values, strict=True) if np.isfinite(value)]
    if x is None or y is None:
        return np.ones(len(places))
    true = np.column_stack([x.to_pixel([number_of(truth.rows[row][0]) for row, _ in places]),
                            y.to_pixel(one.values[np.isfinite(one.values)])])  # fmt: skip
    got = np.array([found.table.rows[row][column].pixel or (np.nan, np.nan) for row, column in places])
    near = (np.abs(true[:, None] - got[None]) / (panel.plot.width, panel.plot.height) <= CLOSE).all(axis=2)
    paired = {row for row, _ in assign(near.astype(float), 0.5)}
    return np.array([float(row not in paired) for row in range(len(places))])


def measure(folder: Path, row: dict[str, Any], amount: float, seeds: int) -> Iterator[tuple[str, Floats, Snapped]]:
    """(label, distances, result) of every panel of one figure, for each seed."""
    bench = Workbench(load(folder / row["image"]))
    offline.read(bench)
    for number, name in enumerate(row["truth"], 1):
        truth = parse_draft((folder / name).read_text(encoding="utf-8"))
        if not isinstance(truth, Draft) or number > len(bench.panels):
            continue
        panel, series = bench.panels[number - 1], bench.series.get(number, [])
        bars = any(one.orientation == "horizontal" and one.kind in ("bar", "stack") for one in series)
        scales = {one.name: scale_of(panel, one, bars) for one in series_of(truth)}
        for seed in range(seeds):
            draft = noisy(truth, scales, amount, f"{row['id']}{number}" + (f"-{seed}" if seed else ""))
            found = snap(panel, bench._ink(number), series, draft)
            off = [as_a_set(found, truth, one, panel) if row["kind"] == "scatter"
                   else distances(found, one, scales[one.name]) for one in series_of(truth)]  # fmt: skip
            yield f"{row['id']} panel {number}", np.concatenate(off or [np.zeros(0)]), found


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--amount", type=float, default=0.08)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--ids", default="")
    options = parser.parse_args()
    kinds: dict[str, list[Floats]] = defaultdict(list)
    for line in (options.folder / "index.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["kind"] == "box" or (options.ids and row["id"] not in options.ids.split(",")):
            continue
        for label, off, found in measure(options.folder, row, options.amount, options.seeds):
            kinds[row["kind"]].append(off)
            close = 100 * float(np.mean(off <= CLOSE)) if len(off) else float("nan")
            print(f"{label:24}{row['kind']:10}{len(off):6} values {found.said:5} said {close:7.1f} % close", flush=True)
    everything = [part for parts in kinds.values() for part in parts]
    for kind, group in [*kinds.items(), ("all", everything)]:
        off = np.concatenate(group)
        panels = 100 * float(np.mean([np.mean(part <= CLOSE) for part in group if len(part)]))
        print(f"{kind:12}{len(off):7} values {100 * np.mean(off <= CLOSE):6.1f} % close, mean of panels {panels:.1f} %")


if __name__ == "__main__":
    main()
