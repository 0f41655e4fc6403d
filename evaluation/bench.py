"""The bench: figures judged by fixed rules, so that numbers stay comparable from day to day.

Pure scoring: true tables and predicted tables in, scores out; no model, no network, no pixels. A figure is the mean of
its panels, the bench the mean of its figures; a missing panel and an unread figure count as 0. A figure whose picture
or truth is missing, or whose run failed for reasons outside of the reading, is *unscored* and never a 0. Not handled
here: running a method (`runner`).
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from evaluation.panel_score import score_panel
from evaluation.row_score import PanelScore
from evaluation.tables import PanelTable, read_panel_table
from evaluation.truth import PanelFacts, PlotBox, Sample
from tools.align import assign

MEASURES = tuple(field.name for field in fields(PanelScore))


@dataclass(frozen=True)
class FigureScore:
    """One figure: means over its true panels. `reason`: why it is unread, or unscored (then all values are None)."""

    id: str
    kind: str
    values: Mapping[str, float | None]
    panels: tuple[PanelScore, ...] = ()
    panels_true: int = 0
    panels_read: int = 0
    panels_found: int = 0
    seconds: float | None = None
    reason: str = ""
    unscored: bool = False

    @property
    def read(self) -> bool:
        return self.panels_read > 0

    @property
    def panels_right(self) -> float | None:
        return None if self.unscored else float(self.panels_found == self.panels_true)

    def to_json(self) -> dict[str, Any]:
        return {
            "id": self.id, "kind": self.kind, "read": self.read, "unscored": self.unscored, "reason": self.reason,
            "seconds": self.seconds, "panels_true": self.panels_true, "panels_found": self.panels_found,
            **self.values, "panels": [asdict(panel) for panel in self.panels],
        }  # fmt: skip


def score_figure(sample: Sample, folder: Path, reason: str = "", seconds: float | None = None) -> FigureScore:
    """Judge the tables in a prediction folder (`panel_1.tsv`, ...; `reading.json` if there) of one figure."""
    try:
        truth = [read_panel_table(path) for path in sample.tables]
    except OSError as error:
        return unscored(sample, f"the truth cannot be read: {error}")
    if all(table.empty for table in truth):
        return unscored(sample, "the truth holds no values")
    said = read_predictions(folder)
    boxes = read_plot_boxes(folder)
    partner = pair_panels(sample.facts, max([*said, len(boxes)], default=0), boxes)
    panels = tuple(
        score_panel(table, said.get(partner.get(i, 0)), sample.kind, facts)
        for i, (table, facts) in enumerate(zip(truth, sample.facts, strict=True), 1)
    )
    found = len(boxes) or len(said)
    values = {name: mean(getattr(panel, name) for panel in panels) for name in MEASURES}
    why = "" if said else reason or ("no value in its tables" if any(folder.glob("*panel*")) else "no table")
    return FigureScore(sample.id, sample.kind, values, panels, len(truth), len(said), found, seconds, why)


def unscored(sample: Sample, reason: str) -> FigureScore:
    """A figure about which nothing can be said, for reasons outside of the reading."""
    return FigureScore(
        sample.id, sample.kind, dict.fromkeys(MEASURES), panels_true=len(sample.tables), reason=reason, unscored=True
    )


def read_predictions(folder: Path) -> dict[int, PanelTable]:
    """Predicted tables that hold anything, by panel number: `panel_N.tsv`, else `<folder name>_panelN.tsv`."""
    found: dict[int, PanelTable] = {}
    for path in sorted(folder.glob("*.[tc]sv")) if folder.is_dir() else ():
        digits = path.stem.rpartition("panel")[2].lstrip("_")
        table = read_panel_table(path)
        if digits.isdigit() and not table.empty:
            found[int(digits)] = table
    return found


def read_plot_boxes(folder: Path) -> list[PlotBox | None]:
    """The plot boxes of all panels that a reading found, refused ones too; empty where it does not say."""
    try:
        panels = json.loads((folder / "reading.json").read_text(encoding="utf-8"))["panels"]
        return [tuple(map(float, panel["plot"])) if panel.get("plot") else None for panel in panels]  # type: ignore[misc]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return []


def pair_panels(facts: Sequence[PanelFacts], count: int, boxes: Sequence[PlotBox | None]) -> dict[int, int]:
    """True panel number -> predicted panel number, both from 1: by overlap of plot boxes where both are known, else in
    reading order."""
    if boxes and all(boxes) and all(one.box for one in facts):
        overlap = np.array([[overlap_of(one.box, box) for box in boxes] for one in facts])  # type: ignore[arg-type]
        return {i + 1: j + 1 for i, j in assign(overlap, above=0.1)}
    return {i: i for i in range(1, min(len(facts), count) + 1)}


def overlap_of(a: PlotBox, b: PlotBox) -> float:
    """Intersection over union of two boxes (x0, y0, x1, y1)."""
    across, down = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    common = max(0.0, across) * max(0.0, down)
    both = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - common
    return common / both if both > 0 else 0.0


@dataclass(frozen=True)
class Summary:
    """A group of figures: how many, how many were read and how many could not be scored; means of the rest
    (of the error along x the median)."""

    kind: str
    n: int
    read: int
    unscored: int
    values: Mapping[str, float | None]


def summarise(scores: Sequence[FigureScore]) -> list[Summary]:
    """A line for each kind, in order of appearance, and one over all."""
    kinds = list(dict.fromkeys(score.kind for score in scores))
    groups = [(kind or "figure", [score for score in scores if score.kind == kind]) for kind in kinds]
    return [_summary(kind, group) for kind, group in [*groups, ("all", list(scores))]]


def _summary(kind: str, group: Sequence[FigureScore]) -> Summary:
    scored = [score for score in group if not score.unscored]
    values = {name: mean(score.values[name] for score in scored) for name in MEASURES}
    values["x_error"] = median(score.values["x_error"] for score in scored)  # one misread year is a thousand steps
    values["panels_right"] = mean(score.panels_right for score in scored)
    values["seconds"] = mean(score.seconds for score in scored)
    return Summary(kind, len(group), sum(score.read for score in scored), len(group) - len(scored), values)


def mean(values: Iterable[float | None]) -> float | None:
    """Of what is defined; None where nothing is."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def median(values: Iterable[float | None]) -> float | None:
    """Of what is defined; None where nothing is."""
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def loss(score: FigureScore) -> float:
    """How much a figure costs the bench, 0 to 1: by ECS where it has one, else by points within 2 %."""
    value = score.values["ecs"] if score.values["ecs"] is not None else score.values["in_2"]
    return 1.0 - value if value is not None else 0.0
