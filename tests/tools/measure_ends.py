"""How well the ends of error bars are read: which are found within 2 and 5 %, and which are said though none is drawn.

    python -m tests.tools.measure_ends SET PREDICTIONS [--every]

SET holds `truth/` and `index.jsonl` (`evaluation.draw` writes such sets); PREDICTIONS a folder per figure with
`panel_1.tsv` and so on, as the bench keeps them. A true end is found where the read series that fits its series best
has an end on the same side in the same row (x within half a step), within 2 % of the range that the true series spans
with its ends (decades where the value axis is logarithmic). Precision: the share of the ends said that are within 5 %.

Not handled here: error bars along x, bands (the bench judges the curves).
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from evaluation.positions import XAxis, step_of, x_axis
from evaluation.tables import Sheet, number, read_sheet
from tools.align import assign
from tools.types import Floats

WITHIN, LOOSELY = 0.02, 0.05  # of the range of the series


@dataclass(frozen=True, eq=False)
class Spread:
    """One series: labels of its rows, and (n, 3) its low end, value and high end, nan where not given."""

    labels: tuple[str, ...]
    numbers: Floats


@dataclass
class Ends:
    """Misses of the true ends that were found, as shares of the range; how many true ones there are, how many said."""

    misses: list[float] = field(default_factory=list)
    true: int = 0
    said: int = 0

    def add(self, other: Ends) -> None:
        self.misses += other.misses
        self.true += other.true
        self.said += other.said

    def within(self, share: float) -> int:
        return sum(miss <= share for miss in self.misses)

    def line(self) -> str:
        """The numbers in words."""
        if not self.true:
            return f"no error bars; {self.said} ends said"
        precision = f"{self.within(LOOSELY) / self.said:.1%}" if self.said else "-"
        two, five = (f"{self.within(share) / self.true:.1%}" for share in (WITHIN, LOOSELY))
        return f"{self.true} ends, within 2 % {two}, within 5 % {five}; {self.said} said, precision {precision}"


def spreads(sheet: Sheet) -> list[Spread]:
    """The series of a table, whether or not they have ends: a column each, or long form with a column `series`."""
    header = [name.casefold() for name in sheet.header]
    ends = {name + end for name in header[1:] for end in (" low", " high")}
    values = [i for i, name in enumerate(header) if i and name not in ends and name != "series"]
    group = header.index("series") if "series" in header[1:] else None
    found = []
    for i in values[:1] if group is not None else values:
        columns = [header.index(name) if name in header else None
                   for name in (f"{header[i]} low", header[i], f"{header[i]} high")]  # fmt: skip
        names = dict.fromkeys(sheet.column(group)) if group is not None else [None]
        for name in names:
            rows = [row for row in sheet.rows if name is None or group is None or row[group] == name]
            numbers = [[number(row[c]) if c is not None else math.nan for c in columns] for row in rows]
            table = np.array(numbers, dtype=np.float64).reshape(-1, 3)
            known = np.isfinite(table[:, 1])
            labels = tuple(row[0] for row, there in zip(rows, known, strict=True) if there)
            found.append(Spread(labels, table[known]))
    return found


def judge_ends(true: Sequence[Spread], said: Sequence[Spread], log_x: bool = False, log_y: bool = False) -> Ends:
    """The ends of the series of a panel; each is held against the read series whose values fit its own best."""
    every = [label for one in true for label in one.labels]
    if not every:
        return Ends(said=sum(int(np.isfinite(one.numbers[:, [0, 2]]).sum()) for one in said))
    axis = x_axis(every, log_x)
    fits = [[_likeness(axis, a, b, log_y) for b in said] for a in true]
    partner = dict(assign(np.array(fits, dtype=np.float64).reshape(len(true), len(said))))
    found = Ends(said=sum(int(np.isfinite(one.numbers[:, [0, 2]]).sum()) for one in said))
    for i, one in enumerate(true):
        found.true += int(np.isfinite(one.numbers[:, [0, 2]]).sum())
        if i in partner:
            found.misses += _misses(axis, one, said[partner[i]], log_y)
    return found


def _scaled(one: Spread, log: bool) -> Floats:
    if not log:
        return one.numbers
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log10(one.numbers)


def _pairs(axis: XAxis, true: Spread, said: Spread, log: bool) -> list[tuple[int, int]]:
    """Rows of the two that belong together: within half a step in x, nearest in value first where several are."""
    x, other = axis.place(true.labels), axis.place(said.labels)
    step = step_of(x)
    away = np.abs(x[:, None] - other[None])
    value = np.abs(_scaled(true, log)[:, 1:2] - _scaled(said, log)[:, 1][None]) / _range(true, log)
    near = away <= (0.5 * step if step else 0.5) + 1e-9
    return assign(np.where(near, 1.0 / (1.0 + np.where(np.isfinite(value), value, 9.0)), 0.0))


def _range(true: Spread, log: bool) -> float:
    table = _scaled(true, log)
    known = table[np.isfinite(table)]
    return max(float(np.ptp(known)), 1e-12) if known.size else 1.0


def _likeness(axis: XAxis, true: Spread, said: Spread, log: bool) -> float:
    """How many rows have a partner; nearer ones count more."""
    a, b = _scaled(true, log), _scaled(said, log)
    pairs = _pairs(axis, true, said, log)
    return float(sum(1 / (1 + 20 * abs(float(a[i, 1] - b[j, 1])) / _range(true, log)) for i, j in pairs))


def _misses(axis: XAxis, true: Spread, said: Spread, log: bool) -> list[float]:
    a, b = _scaled(true, log), _scaled(said, log)
    found = []
    for i, j in _pairs(axis, true, said, log):
        miss = np.abs(a[i] - b[j])[[0, 2]] / _range(true, log)
        found += [float(each) for each in miss if np.isfinite(each)]
    return found


def judge_figure(folder: Path, read: Path, row: dict[str, object]) -> Ends:
    """All panels of one figure: `folder` of the set, `read` the folder of its prediction, `row` of the index."""
    truth = json.loads((folder / "truth_json" / f"{row['id']}.json").read_text(encoding="utf-8"))
    total = Ends()
    tables: list[str] = row["truth"]  # type: ignore[assignment]
    for count, (record, table) in enumerate(zip(truth["panels"], tables, strict=True), 1):
        mine = read / f"panel_{count}.tsv"
        said = spreads(read_sheet(mine.read_text(encoding="utf-8"))) if mine.is_file() else []
        true = spreads(read_sheet((folder / table).read_text(encoding="utf-8")))
        log = [bool(record.get(f"{side}_axis") and record[f"{side}_axis"]["kind"] == "log") for side in "xy"]
        total.add(judge_ends(true, said, log[0], log[1]))
    return total


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge, print."""
    parser = argparse.ArgumentParser(prog="python -m tests.tools.measure_ends", description="Measure error bars.")
    parser.add_argument("set", type=Path, help="folder with truth/, truth_json/ and index.jsonl")
    parser.add_argument("predictions", type=Path, help="a folder per figure with panel_1.tsv and so on")
    parser.add_argument("--every", action="store_true", help="a line per figure")
    asked = parser.parse_args(arguments)
    rows = [json.loads(line) for line in (asked.set / "index.jsonl").read_text(encoding="utf-8").splitlines()]
    total = Ends()
    for row in rows:
        ends = judge_figure(asked.set, asked.predictions / row["id"], row)
        total.add(ends)
        if asked.every and (ends.true or ends.said):
            print(f"{row['id']:28} {ends.line()}")
    print(f"{len(rows)} figures: {total.line()}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
