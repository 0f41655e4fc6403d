"""Do stated intervals, and the spread of an ensemble, predict errors? Cells of readings against true tables.

A cell is compared where series and row have the same name and label in both tables, so that naming and sampling are
not judged here. Not handled here: box plots, scattered points, values that were not read.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Literal

import numpy as np

from evaluation.downstream import spearman
from evaluation.tables import read_panel_table
from tools.align import plain

CLASSES = 5
Stated = Literal["half", "spread"]


@dataclass(frozen=True)
class Judged:
    """One cell in shares of the range of its true series: error, half of the stated interval, spread of members."""

    error: float
    half: float
    spread: float | None

    @property
    def inside(self) -> bool:
        return self.error <= self.half + 1e-9


@dataclass(frozen=True)
class Class:
    """Cells of similar stated uncertainty: how many, medians in percent of the range, and the share inside.

    `spread`: of the cells that have one; None where none has."""

    n: int
    half: float
    error: float
    inside: float
    spread: float | None = None


def judged_cells(folder: Path, truth: Sequence[Path]) -> list[Judged]:
    """The cells of one prediction folder (`reading.json`) against its true tables, panel by panel; [] without one."""
    try:
        panels = json.loads((folder / "reading.json").read_text(encoding="utf-8"))["panels"]
    except (OSError, ValueError, KeyError):
        return []
    found: list[Judged] = []
    for panel, path in zip(panels, truth, strict=False):
        table = panel.get("table")
        if table and table["form"] in ("wide", "histogram"):
            found += _judged(table["header"], table["rows"], path)
    return found


def _judged(header: Sequence[str], rows: Sequence[Sequence[dict[str, object]]], path: Path) -> list[Judged]:
    curves = read_panel_table(path).curves
    names = [plain(name) for name in header]
    found = []
    for curve in curves:
        alone = len(curves) == 1 and len(header) == 2
        if not len(curve.values) or (plain(curve.name) not in names[1:] and not alone):
            continue
        column = 1 if alone else names.index(plain(curve.name), 1)
        span = float(np.ptp(curve.values))
        true = dict(zip(curve.labels, curve.values, strict=True))
        for row in rows:
            label, cell = str(row[0]["text"]), row[column]
            value, low, high, spread = (_float(cell.get(key)) for key in ("value", "low", "high", "spread"))
            if label in true and span > 0 and not any(map(math.isnan, (value, low, high))):
                wide = None if math.isnan(spread) else spread / span
                found.append(Judged(abs(value - true[label]) / span, (high - low) / 2 / span, wide))
    return found


def _float(value: object) -> float:
    return float(value) if isinstance(value, int | float) else math.nan


def classes(cells: Sequence[Judged], by: Stated = "half") -> list[Class]:
    """Five classes of cells by their interval or their members' spread, narrow ones first, and one of all at the end.

    Cells without a spread belong to no class of spreads.
    """
    known = [cell for cell in cells if getattr(cell, by) is not None]
    if not known:
        return []
    ordered = sorted(known, key=lambda cell: float(getattr(cell, by)))
    cuts = np.linspace(0, len(ordered), min(CLASSES, len(ordered)) + 1).astype(int)
    groups = [ordered[a:b] for a, b in pairwise(cuts)]
    return [_class(group) for group in (*groups, ordered) if group]


def _class(group: Sequence[Judged]) -> Class:
    half, error = (float(np.median([getattr(cell, name) for cell in group])) for name in ("half", "error"))
    spreads = [cell.spread for cell in group if cell.spread is not None]
    spread = 100 * float(np.median(spreads)) if spreads else None
    return Class(len(group), 100 * half, 100 * error, float(np.mean([cell.inside for cell in group])), spread)


def rank_correlation(cells: Sequence[Judged], by: Stated = "spread") -> float | None:
    """Spearman's rho with the error of the members' spread, or of the half of the stated interval (which joins the
    spread to what a single reading knows of itself), over the cells that have a spread; None for fewer than ten."""
    judged = [cell for cell in cells if cell.spread is not None]
    if len(judged) < 10:
        return None
    return spearman([getattr(cell, by) for cell in judged], [cell.error for cell in judged]).rho
