"""How exactly vector figures are read: `python -m tests.tools.measure_vector [DIR] [--producers a,b --cases c,d]`.

Draws the cases of `vector_cases` with every producer that is installed (R, gnuplot, Octave, LaTeX, LibreOffice,
Inkscape, Ghostscript, a browser; those in Python always), as PDF and SVG, into DIR, reads them and compares every value
with the data. Columns: series found of those drawn; names right; rows that stand at the data's own x; median and
largest error in percent of the range of the values; `told` where the producer left points out and the table says so.
`--same` compares the tables of each PDF with those of its SVG and of its picture at 200 dpi instead (`vector_same`).
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

import numpy as np

from agent.reading import Reading, digitize_document
from tests.tools.vector_cases import Case, cases
from tools.align import plain, similarity
from tools.table import Cell, Table
from tools.types import Floats, days

ON = 1e-3  # of the range of x: a row that is closer stands at the data's own x
ASKED = 0.05  # percent of the range: what the median error must not exceed


@dataclass(frozen=True)
class Judged:
    """One file. `exact`: share of the points of all series at whose own x a value stands; errors in percent."""

    file: str
    case: str
    producer: str
    series: int
    found: int
    named: int
    exact: float
    median: float
    largest: float
    told: bool = False
    note: str = ""
    more: int = 0  # series in the tables that nobody drew

    @property
    def good(self) -> bool:
        return self.found == self.series and not self.more and self.median <= ASKED and (self.exact > 0.99 or self.told)


def judge(case: Case, path: Path, readings: Sequence[Reading]) -> Judged:
    """What was read of one file against the data of its case."""
    producer = path.stem.rpartition(f"-{case.name}")[0]
    tables = [table for reading in readings for table in reading.tables]
    curves = [curve for table in tables for curve in curves_of(table)]
    told = any("left out" in text or "simplif" in text or "samples" in text
               for reading in readings for panel in reading.panels
               for text in (*panel.warnings, *(w for one in panel.series for w in one.warnings)))  # fmt: skip
    refused = "; ".join(r for reading in readings for r in reading.refusals)
    errors: list[float] = []
    exact = points = found = named = 0
    free = list(curves)
    span = case.range_of()
    for name, values in case.series.items():
        x = positions(case.x)
        own = float(np.ptp(values)) if case.style == "twin" else float(np.ptp(np.log10(values))) if case.log else span
        options = [(*compared(x, values, curve, case), curve) for curve in free]
        points += len(x)
        if not options:
            continue
        best = min(options, key=lambda o: (plain(o[3][0]) != plain(name)) + middle(o[0]) / own)
        away, share, covered, curve = best
        if middle(away) > 0.02 * own or covered < 0.5:
            continue
        free = [one for one in free if one is not curve]
        found += 1
        named += len(case.series) == 1 or similarity(plain(curve[0]), plain(name)) > 0.8
        exact += round(share * len(x))
        errors += (100 * away[np.isfinite(away)] / own).tolist()
    return Judged(
        path.name, case.name, producer, len(case.series), found, named, exact / points,
        statistics.median(errors) if errors else float("nan"), max(errors, default=float("nan")), told, refused[:80],
        len(free),
    )  # fmt: skip


def middle(values: Floats) -> float:
    """The median of what is a number; infinite where nothing is."""
    known = values[np.isfinite(values)]
    return float(np.median(known)) if len(known) else float("inf")


Curve = tuple[str, Floats, Floats, tuple[str, ...]]  # name, x, y, x as written


def curves_of(table: Table) -> list[Curve]:
    """The series of a table: names, places and values (nan where there is none)."""
    head = list(table.header)
    if table.form == "long":
        names = [str(row[-1].value) for row in table.rows] if head[-1] == "series" else [""] * len(table.rows)
        found = []
        for name in dict.fromkeys(names):
            rows = [row for row, own in zip(table.rows, names, strict=True) if own == name]
            found.append(_curve(name, [row[0] for row in rows], [row[1] for row in rows]))
        return found
    first = 2 if table.form == "histogram" else 1
    keys = [row[0] for row in table.rows]
    found = []
    for k, name in enumerate(head[first:], first):
        if name.endswith((" low", " high")):
            continue
        name, x, y, texts = _curve(name, keys, [row[k] for row in table.rows])
        if first == 2:
            x = (x + _curve("", [row[1] for row in table.rows], keys)[1]) / 2
        found.append((name, x, y, texts))
    return found


def _curve(name: str, keys: Sequence[Cell], cells: Sequence[Cell]) -> Curve:
    y = np.array([cell.value if isinstance(cell.value, float | int) else np.nan for cell in cells], dtype=np.float64)
    return name, positions([k.value if k.value is not None else k.text for k in keys]), y, tuple(k.text for k in keys)


def positions(x: Sequence[float | str]) -> Floats:
    """Numbers as they are, dates as days, other texts by their order (their names are compared, too)."""
    found = []
    for k, value in enumerate(x):
        if isinstance(value, str):
            try:
                found.append(days(datetime.fromisoformat(value) if "T" in value else date.fromisoformat(value)))
            except ValueError:
                found.append(float(k))
        else:
            found.append(float(value))
    return np.array(found, dtype=np.float64)


def compared(x: Floats, values: Floats, curve: Curve, case: Case) -> tuple[Floats, float, float]:
    """Errors at the true points (nan where the curve does not reach), share of rows at their own x, share covered."""
    _, at, y, texts = curve
    keep = np.isfinite(at) & np.isfinite(y)
    if case.named:
        return _by_name(values, case, texts, y)
    at, y = at[keep], y[keep]
    if not len(at):
        return np.full(len(x), np.inf), 0.0, 0.0
    if case.log:
        values, y = np.log10(values), np.log10(np.where(y > 0, y, np.nan))
    scale = np.ptp(x) * ON
    if case.style == "points":
        near = np.hypot((x[:, None] - at) / np.ptp(x), (values[:, None] - y) / np.ptp(values))
        best = near.argmin(axis=1)
    else:
        best = np.abs(x[:, None] - at).argmin(axis=1)
    on = np.abs(at[best] - x) <= scale
    order = np.argsort(at, kind="stable")
    between = np.interp(x, at[order], y[order], left=np.nan, right=np.nan)
    if case.style == "step":
        between = y[order][np.clip(np.searchsorted(at[order], x + scale, side="right") - 1, 0, None)]
    away = np.abs(np.where(on, y[best], between) - values)
    return away, float(on.mean()), float(np.isfinite(away).mean())


def _by_name(values: Floats, case: Case, texts: Sequence[str], y: Floats) -> tuple[Floats, float, float]:
    by = {plain(text): float(value) for text, value in zip(texts, y, strict=True)}
    away = np.abs(np.array([by.get(plain(str(name)), np.nan) for name in case.x]) - values)
    share = float(np.isfinite(away).mean())
    return (away if share else np.full(len(values), np.inf)), share, share


def read(path: Path) -> list[Reading]:
    return digitize_document(path)


def draw_all(folder: Path, chosen: Sequence[Case], producers: Sequence[str]) -> list[Path]:
    """All files that the producers of this machine draw."""
    from tests.tools import vector_producers

    return vector_producers.draw(folder, chosen, producers)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.tools.measure_vector", description=__doc__.split("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, help="where the figures are drawn, or stand already")
    parser.add_argument("--producers", default="")
    parser.add_argument("--cases", default="")
    parser.add_argument("--keep", action="store_true", help="read what stands in the folder; draw nothing")
    parser.add_argument("--forms", default="pdf,svg")
    parser.add_argument("--same", action="store_true", help="compare the forms of each figure")
    o = parser.parse_args(arguments)
    names = [name for name in o.cases.split(",") if name]
    chosen = [case for case in cases() if not names or case.name in names]
    folder = o.folder or Path(tempfile.mkdtemp(prefix="vector-"))
    folder.mkdir(parents=True, exist_ok=True)
    producers = [name for name in o.producers.split(",") if name]
    if not o.keep:
        draw_all(folder, chosen, producers)
    if o.same:
        return _print_same(folder, chosen, producers)
    found: list[Judged] = []
    for case in chosen:
        for form in o.forms.split(","):
            for path in sorted(folder.glob(f"*-{case.name}.{form}")):
                if producers and path.stem.rpartition(f"-{case.name}")[0] not in producers:
                    continue
                started = time.perf_counter()
                readings = read(path)
                one = judge(case, path, readings)
                found.append(one)
                print(line_of(one), f"{time.perf_counter() - started:5.1f} s", one.note, flush=True)
    print(summary(found))
    return 0


def _print_same(folder: Path, chosen: Sequence[Case], producers: Sequence[str]) -> int:
    """A line per figure and pair of forms, then the sums."""
    from tests.tools.vector_same import forms_of

    found = []
    for path in [path for case in chosen for path in sorted(folder.glob(f"*-{case.name}.pdf"))]:
        if not producers or path.stem.partition("-")[0] in producers:
            for one in forms_of(path):
                found.append(one)
                print(one, flush=True)
    for forms in ("pdf-svg", "pdf-png"):
        own = [one for one in found if one.forms == forms]
        agree, paired, every = (sum(getattr(one, name) for one in own) for name in ("agree", "paired", "every"))
        print(f"{forms}: {len(own)} figures; of {every} values {paired} stand in both, {agree} within both intervals")
    return 0


def line_of(one: Judged) -> str:
    return (
        f"{'  ' if one.good else '! '}{one.file:32} series {one.found}/{one.series} names {one.named}/{one.series} "
        f"own x {one.exact:6.1%} median {one.median:8.4f} % largest {one.largest:8.3f} % "
        f"{'told' if one.told else '    '}{f' {one.more} more' if one.more else ''}"
    )


def summary(found: Sequence[Judged]) -> str:
    """A line per producer."""
    lines = [f"{'producer':14} files good series   own x   median of medians   worst median"]
    for name in [*dict.fromkeys(one.producer for one in found), ""]:
        own = [one for one in found if not name or one.producer == name]
        medians = [one.median for one in own if np.isfinite(one.median)]
        if own:
            lines.append(
                f"{name or 'all':14} {len(own):5} {sum(one.good for one in own):4} "
                f"{sum(one.found for one in own):3}/{sum(one.series for one in own):3} "
                f"{statistics.mean(one.exact for one in own):6.1%} "
                f"{statistics.median(medians or [np.nan]):18.4f}% {max(medians, default=np.nan):13.4f}%"
            )
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
