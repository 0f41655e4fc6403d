"""How much better than its members a consensus is: true tables with seeded errors, seven times, and back.

    python -m tests.agent.measure_consensus SET [--members 7] [--seed 7]

SET holds `truth/*.tsv`. A member has 5 % of its cells wrong by 3 to 30 %, 3 % of its rows missing or doubled, and
three names in ten misspelt. Prints the mean error of the cells in ranges of their columns (a cell without a value
counts as a whole range), the share of the rows found, and surplus rows. Not handled here: errors that members share.
"""

from __future__ import annotations

import argparse
import csv
import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist

from agent.consensus import consensus
from agent.rows import scattered
from tools.table import MISSING, Cell, Form, Table
from tools.types import Floats

WRONG, LOST, MISSPELT = 0.05, 0.03, 0.3


@dataclass(frozen=True)
class Quality:
    """Of a table against the true one: mean error in ranges, share of the true rows, rows too many."""

    error: float
    rows: float
    surplus: int


def read_table(path: Path) -> Table:
    """A table of the truth; its form is told by its header."""
    with path.open(encoding="utf-8", newline="") as file:
        header, *rows = [row for row in csv.reader(file, delimiter="\t") if row]
    forms: dict[str, Form] = {"q1": "box", "bin low": "histogram", "series": "long"}
    form = next((form for column, form in forms.items() if column in header), "wide")
    return Table(tuple(header), tuple(tuple(map(_cell, row)) for row in rows), form)


def _cell(text: str) -> Cell:
    try:
        value = float(text)
    except ValueError:
        return Cell(text, text, source="ocr")
    return MISSING if np.isnan(value) else Cell(value, text)


def with_errors(truth: Table, rng: random.Random) -> Table:
    """The table as a careless reader would have it."""
    names: dict[str, str] = {}
    series = truth.header.index("series") if truth.form == "long" else None
    rows: list[tuple[Cell, ...]] = []
    for row in truth.rows:
        luck = rng.random()
        if luck < LOST / 2:
            continue
        new = tuple(cell if i in (0, series) else _wrong(cell, rng) for i, cell in enumerate(row))
        if series is not None:
            name = names.setdefault(row[series].text, _misspelt(row[series].text, rng))
            new = (*new[:series], Cell(name, name), *new[series + 1 :])
        rows += [new] * (2 if luck > 1 - LOST / 2 else 1)
    header = truth.header
    if truth.form == "wide":
        header = (header[0], *(_misspelt(name, rng) for name in header[1:]))
    return Table(header, tuple(rows), truth.form)


def _wrong(cell: Cell, rng: random.Random) -> Cell:
    if not isinstance(cell.value, float) or rng.random() >= WRONG:
        return cell
    value = cell.value + rng.choice((-1, 1)) * rng.uniform(0.03, 0.3) * (abs(cell.value) or 1.0)
    return Cell(value, f"{value:.6g}")


def _misspelt(name: str, rng: random.Random) -> str:
    if not name or rng.random() >= MISSPELT:
        return name
    at = rng.randrange(len(name))
    return name[:at] + rng.choice("abcxyz") + name[at + 1 :]


def quality(truth: Table, found: Table) -> Quality:
    """Rows are found by their first cell; points of tables without one, by their place."""
    if truth.form == "long" or scattered(truth):
        return _point_quality(_points(truth), _points(found))
    width = 2 if truth.form == "box" and "series" in truth.header else 1  # cells that name a row
    first = {_key(row, width): row for row in reversed(found.rows)}
    spans = [_span(truth, column) for column in range(len(truth.header))]
    errors: list[float] = []
    for row in truth.rows:
        if (other := first.get(_key(row, width))) is not None:
            errors += [_error(cell, other, column, spans[column]) for column, cell in enumerate(row)
                       if column and isinstance(cell.value, float)]  # fmt: skip
    share = float(np.mean([_key(row, width) in first for row in truth.rows]))
    return Quality(float(np.mean(errors)) if errors else 0.0, share, len(found.rows) - len(truth.rows))


def _key(row: tuple[Cell, ...], width: int) -> tuple[str, ...]:
    return tuple(cell.text for cell in row[:width])


def _error(cell: Cell, row: tuple[Cell, ...], column: int, span: float) -> float:
    value = row[column].value if column < len(row) else None
    return min(1.0, abs(value - float(cell.value)) / span) if isinstance(value, float) else 1.0  # type: ignore[arg-type]


def _span(table: Table, column: int) -> float:
    numbers = [row[column].value for row in table.rows if isinstance(row[column].value, float)]
    return float(np.ptp(numbers)) or 1.0 if numbers else 1.0


def _points(table: Table) -> Floats:
    columns = [1] if table.form == "long" else range(1, len(table.header))
    return np.array([(row[0].value, row[c].value) for row in table.rows for c in columns
                     if isinstance(row[c].value, float)], float).reshape(-1, 2)  # fmt: skip


def _point_quality(truth: Floats, found: Floats) -> Quality:
    scale = np.ptp(truth, axis=0) + 1e-12
    apart = np.minimum(cdist(truth / scale, found / scale), 1.0)
    paired = apart[linear_sum_assignment(apart)]
    lost = len(truth) - len(paired)
    near = float(np.sum(paired < 0.5))
    return Quality(float((paired.sum() + lost) / len(truth)), near / len(truth), len(found) - len(truth))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path)
    parser.add_argument("--members", type=int, default=7)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    rows = []
    for path in sorted((options.set / "truth").glob("*.tsv")):
        truth, rng = read_table(path), random.Random(f"{options.seed} {path.stem}")
        members = [with_errors(truth, rng) for _ in range(options.members)]
        agreed = quality(truth, consensus(members).table)
        rows.append((float(np.mean([quality(truth, member).error for member in members])), agreed))
    alone, both = np.mean([row[0] for row in rows]), np.mean([row[1].error for row in rows])
    print(f"{len(rows)} tables: a member's error {alone:.5f}, the consensus' {both:.5f} ({both / alone:.1%} of it)")
    print(f"rows found {np.mean([row[1].rows for row in rows]):.1%}, surplus {sum(row[1].surplus for row in rows)}")


if __name__ == "__main__":
    main()
