"""The table of one panel: cells that remember where they were measured, written as TSV, CSV, JSON or a DataFrame.

Not handled here: deciding which rows and columns a panel has (`tabulate`).
"""

from __future__ import annotations

import csv
import io
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from tools.types import Source

if TYPE_CHECKING:
    import pandas as pd

Status = Literal["read", "bridged", "sampled", "missing", "refused", "said"]
Form = Literal["wide", "long", "box", "histogram"]


@dataclass(frozen=True)
class Cell:
    """One value of a table.

    `value` is a number, a text (category, ISO date, series name) or None when there is none; then `status` and
    `reason` say why. `text` is how it is printed. `pixel` is the place (x, y) in figure pixels that it was measured
    from; `low` and `high` bound a 90 % interval in the value's own units. Of a consensus, `spread` is the normalised
    median absolute deviation of its members and `agreement` the share of them within 1 % of the column's range.
    """

    value: float | str | None
    text: str
    status: Status = "read"
    reason: str = ""
    pixel: tuple[float, float] | None = None
    low: float | None = None
    high: float | None = None
    source: Source = "pixel"
    spread: float | None = None
    agreement: float | None = None

    def to_json(self) -> dict[str, Any]:
        value = None if isinstance(self.value, float) and not math.isfinite(self.value) else self.value
        found: dict[str, Any] = {"value": value, "text": self.text, "status": self.status}
        if self.reason:
            found["reason"] = self.reason
        if self.pixel is not None:
            found["pixel"] = [round(self.pixel[0], 2), round(self.pixel[1], 2)]
        if self.low is not None and self.high is not None:
            found["low"], found["high"] = self.low, self.high
        if self.source != "pixel":
            found["source"] = self.source
        if self.spread is not None:
            found["spread"], found["agreement"] = self.spread, self.agreement
        return found


MISSING = Cell(None, "nan", "missing", "nothing is drawn here")


@dataclass(frozen=True)
class Table:
    """A header and rows of cells; the first column is x (or the category)."""

    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    form: Form = "wide"
    title: str = ""
    warnings: tuple[str, ...] = ()

    def to_tsv(self) -> str:
        lines = [self.header, *(tuple(cell.text for cell in row) for row in self.rows)]
        return "".join("\t".join(_plain(text) for text in line) + "\n" for line in lines)

    def to_csv(self) -> str:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.header)
        writer.writerows([cell.text for cell in row] for row in self.rows)
        return out.getvalue()

    def to_json(self) -> dict[str, Any]:
        rows = [[cell.to_json() for cell in row] for row in self.rows]
        return {"title": self.title, "form": self.form, "header": list(self.header), "rows": rows,
                "warnings": list(self.warnings)}  # fmt: skip

    def to_frame(self) -> pd.DataFrame:
        """Numbers as floats (missing: nan), everything else as text."""
        import pandas as pd

        columns = [[row[i].value for row in self.rows] for i in range(len(self.header))]
        frame = pd.DataFrame(dict(enumerate(columns)))
        frame.columns = list(self.header)
        return frame


def _plain(text: str) -> str:
    """Tabs and line breaks would break the file; they are never part of a value."""
    return " ".join(text.split())
