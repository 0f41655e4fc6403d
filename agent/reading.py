"""One figure read: its panels, axes, series, tables, warnings, and what it cost.

Not handled here: many files at once and what is written to disk (`batch`).
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent import offline
from agent.backend import Usage
from agent.grounding import legend_panel, legend_place, texts_of, whole_figure
from agent.methods import OFFLINE, Method, parse_method
from agent.trust import doubts_of_signs, is_high, trust_of
from tools import redraw
from tools.load import count_pages, load
from tools.pages import figures_on
from tools.rescale import Home, shrunken
from tools.signs import certain
from tools.table import Table
from tools.tints import TINTED, grey_again
from tools.types import Figure, Image, Panel, Series, Unreadable, Word
from tools.unread import kind_of, refusal
from tools.workbench import Workbench, describe_axis, describe_series, hex_of

if TYPE_CHECKING:
    from agent.trajectory import Trajectory


@dataclass(frozen=True, eq=False)
class PanelReading:
    """One subplot: `table` is an `Unreadable` with the reason where it was refused.

    `agreement`: of a consensus, the mean share of members within 1 % of its values. `signs`: what speaks for and
    against the reading (`tools.signs`).
    """

    panel: Panel
    series: tuple[Series, ...]
    table: Table | Unreadable
    warnings: tuple[str, ...] = ()
    agreement: float | None = None
    signs: Mapping[str, float] = field(default_factory=dict)

    @property
    def confidence(self) -> str:
        """high, low or refused: high is what nothing was said against and whose signs are those of right readings."""
        if not isinstance(self.table, Table):
            return "refused"
        if self.signs:
            return "high" if is_high(self.signs) and not self.warnings else "low"
        low = any(axis.confidence == "low" for axis in self.panel.axes) or not (self.panel.x and self.panel.y)
        return "low" if low or self.warnings else "high"


@dataclass(frozen=True, eq=False)
class Reading:
    """All that was read from one figure, in reading order of its panels.

    `words`: all text that was found. Of a model: `usage` is what its calls took, `prompt` the hash of its prompts,
    `trajectory` the conversation; `failed` says what outside of the reading went wrong (no key, no connection): then
    this is what was read without it. `members`: the readings that a consensus was made of.
    """

    figure: Figure
    panels: tuple[PanelReading, ...]
    method: str = "offline"
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    prompt: str = ""
    model: str = ""
    failed: str = ""
    trajectory: Trajectory | None = None
    words: tuple[Word, ...] = ()
    members: tuple[Reading, ...] = ()

    @property
    def tables(self) -> list[Table]:
        """The tables of the panels that could be read."""
        return [panel.table for panel in self.panels if isinstance(panel.table, Table)]

    @property
    def refusals(self) -> list[str]:
        """Why panels, or the whole figure, could not be read; empty when everything was."""
        if not self.panels and self.failed:
            return [f"not read: {self.failed}"]
        if not self.panels:
            kind = kind_of(self.figure.pixels)
            return [
                refusal(kind)
                if kind
                else "no chart was found in this picture: give one that shows the plot with its axes and labels"
            ]
        reasons = [(number, refusal_of(panel.table)) for number, panel in enumerate(self.panels, 1)]
        return [f"panel {number}: {reason}" for number, reason in reasons if reason]

    @property
    def low(self) -> list[str]:
        """What makes panels of low confidence doubtful, a line a panel."""
        return [
            f"panel {number}: low confidence: {'; '.join(doubts_of(panel))}"
            for number, panel in enumerate(self.panels, 1)
            if panel.confidence == "low"
        ]

    def overlay(self) -> Image:
        """The reading drawn over the figure: (H, W, 3) uint8 RGB."""
        return redraw.overlay(self.figure, [p.panel for p in self.panels], [p.series for p in self.panels])

    def to_json(self) -> dict[str, Any]:
        """Everything, as `reading.json` holds it."""
        figure = self.figure
        return {
            "figure": {"source": os.path.abspath(figure.source) if figure.source else "",
                       "page": figure.page, "sha256": figure.sha256,
                       "width": figure.width, "height": figure.height, "dark": figure.dark, "caption": figure.caption,
                       "region": _box(figure.region) if figure.region else None},
            "method": self.method,
            "model": self.model,
            "prompt": self.prompt,
            "cost": cost_json(self),
            "versions": versions(),
            "warnings": [*figure.warnings, *self.warnings],
            "failed": self.failed,
            **({} if self.panels or not self.words else {"legend": legend_json(whole_figure(figure, self.words))}),
            "refusals": self.refusals,
            "members": [{"method": one.method, "seconds": round(one.seconds, 3), "panels": len(one.panels)}
                        for one in self.members],
            "panels": [
                _in_print(figure, panel_json(panel)
                | {"legend": legend_json(legend_panel(figure, panel, self.words, len(self.panels) == 1)),
                   "text": texts_of(figure, panel, self.words)})
                for panel in self.panels
            ],
        }  # fmt: skip


def _in_print(figure: Figure, panel: dict[str, Any]) -> dict[str, Any]:
    """A panel of `reading.json` with the greys that are printed, where the scan's were given colours."""
    if TINTED not in figure.warnings:
        return panel
    legend = panel["legend"]
    series = [one | {"colour": grey_again(one["colour"])} for one in panel["series"]]
    entries = [one | {"colour": grey_again(one["colour"])} for one in legend["entries"]]
    return panel | {"series": series, "legend": legend | {"entries": entries}}


def refusal_of(table: Table | Unreadable) -> str:
    """Why a panel has no values at all; empty where it has one."""
    if isinstance(table, Unreadable):
        return table.reason
    cells = [cell for row in table.rows for cell in row[1:]]
    if any(cell.value is not None for cell in cells):
        return ""
    return next((cell.reason for cell in cells if cell.reason), "its table holds no value")


def doubts_of(panel: PanelReading) -> list[str]:
    """The warnings of a panel, of its axes, what is missing, and the signs that speak against it, shortest form."""
    missing = [
        f"no {name} axis" for name, axis in (("horizontal", panel.panel.x), ("vertical", panel.panel.y)) if not axis
    ]
    axes = [f"{axis.side} axis: {' '.join(axis.warnings) or 'uncertain'}" for axis in panel.panel.axes
            if axis.confidence == "low"]  # fmt: skip
    signs = doubts_of_signs(panel.signs) if panel.signs else []
    found = list(dict.fromkeys([*panel.warnings, *axes, *missing, *signs]))
    return found or [f"no single sign, but all together give a trust of {trust_of(panel.signs):.2f}"]


def cost_json(reading: Reading) -> dict[str, Any]:
    """Seconds in all and of the model, tokens, dollars (null: no price is known)."""
    usage = reading.usage
    found = {"seconds": round(reading.seconds, 3), "dollars": usage.dollars,
             "tokens": usage.input_tokens + usage.output_tokens}  # fmt: skip
    if not usage.requests:
        return found
    return found | {"input_tokens": usage.input_tokens, "cached_tokens": usage.cached_tokens,
                    "output_tokens": usage.output_tokens, "model_seconds": round(usage.seconds, 3),
                    "requests": usage.requests}  # fmt: skip


def panel_json(reading: PanelReading) -> dict[str, Any]:
    """One panel of `reading.json`: geometry, axes with anchors, legend, series with their marks, table."""
    panel = reading.panel
    table = reading.table
    return {
        "title": panel.title,
        "box": _box(panel.box),
        "plot": _box(panel.plot),
        "confidence": reading.confidence,
        "agreement": reading.agreement,
        "trust": round(trust_of(reading.signs), 3) if reading.signs else None,
        "signs": {name: round(value, 4) for name, value in reading.signs.items()},
        "against": certain(reading.signs),
        "axes": [describe_axis(axis) for axis in panel.axes],
        "legend": legend_json(panel),
        "series": [describe_series(one) | {"points": [_mark(mark) for mark in one.marks]} for one in reading.series],
        "table": table.to_json() if isinstance(table, Table) else None,
        "reason": "" if isinstance(table, Table) else table.reason,
        "warnings": list(reading.warnings),
    }  # fmt: skip


def legend_json(panel: Panel) -> dict[str, Any]:
    """The legend of a panel: box, place relative to the plot, entries."""
    entries = [{"name": e.name, "colour": hex_of(e.colour), "kind": e.kind, "dash": e.dash, "marker": e.marker}
               for e in panel.legend.entries]  # fmt: skip
    box = panel.legend.box
    return {"box": _box(box) if box else None, "place": legend_place(panel), "entries": entries}


def _box(box: Any) -> list[float]:
    return [round(float(v), 2) for v in (box.x0, box.y0, box.x1, box.y1)]


def _mark(mark: Any) -> dict[str, Any]:
    found = {"part": mark.part, "x": round(mark.x, 2), "y": round(mark.y, 2), "sigma": round(mark.sigma, 2)}
    if mark.box is not None:
        found["box"] = _box(mark.box)
    return found | ({"bridged": True} if mark.bridged else {})


def versions() -> dict[str, str]:
    """The versions of this package and of the libraries that a reading depends on."""
    found = {}
    for name in ("plotcaliper", "numpy", "opencv-python-headless", "scikit-image", "rapidocr", "onnxruntime"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "unknown"
    return found


def digitize(path: str | Path, page: int = 1, method: str | Method = "offline") -> Reading:
    """Read one figure. Raises `tools.load.UnreadableFile` (a ValueError) for a file that is no picture."""
    return read_figure(load(path, page), method)


def digitize_document(path: str | Path, method: str | Method = "offline") -> list[Reading]:
    """Read every figure of a PDF, page by page, or the one figure of any other file; empty for a PDF without any."""
    pages = range(1, count_pages(path) + 1)
    return [read_figure(figure, method) for page in pages for figure in figures_on(path, page)]


def read_figure(figure: Figure, method: str | Method = "offline", saved: Path | None = None) -> Reading:
    """Read a loaded figure by a method. Raises ValueError for a method that does not exist.

    `saved`: where the agent keeps its trajectory while it works; an unfinished one is taken up again.
    """
    chosen = parse_method(method) if isinstance(method, str) else method
    if chosen.kind == "single-shot":
        from agent.single_shot import read_once

        return read_once(figure, chosen)
    if chosen.kind == "refine":
        from agent.refine import refine

        return refine(figure, chosen)
    if chosen.kind == "agent":
        from agent.loop import read_with_model

        return read_with_model(figure, chosen, saved)
    if chosen.kind == "ensemble":
        from agent.ensemble import read_together

        return read_together(figure, chosen)
    started = time.perf_counter()
    copy, scale = shrunken(figure)
    bench = Workbench(copy)
    warnings = offline.read(bench)
    return at_home(reading_of(bench, warnings, seconds=time.perf_counter() - started), figure, scale)


def at_home(reading: Reading, figure: Figure, scale: float) -> Reading:
    """The reading of a copy of a figure, `scale` times as large, with all pixels in the figure's own frame."""
    if scale == 1.0:
        return replace(reading, figure=figure)
    home = Home(scale)
    panels = tuple(
        replace(one, panel=home.panel(one.panel), series=tuple(map(home.series, one.series)),
                table=home.table(one.table) if isinstance(one.table, Table) else one.table)
        for one in reading.panels
    )  # fmt: skip
    return replace(reading, figure=figure, panels=panels, words=home.words(reading.words))


def reading_of(bench: Workbench, told: Sequence[tuple[str, ...]], method: Method = OFFLINE, **rest: Any) -> Reading:
    """What stands on a bench as a reading; `told`: the warnings of each panel, `rest`: further fields of `Reading`."""
    panels = tuple(
        PanelReading(panel, tuple(bench.series_of(number)), bench.tables[number], told[number - 1],
                     signs=bench.signs(number))
        for number, panel in enumerate(bench.panels, 1)
    )  # fmt: skip
    return Reading(bench.figure, panels, method.name, words=bench.words, **rest)
