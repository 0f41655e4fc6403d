"""Does this figure show that table? Reads the figure, finds the plotted columns, compares, and gives a verdict.

Not handled here: judging one panel (`panel_check`), a folder of figures and tables (`check_folder`), what caption and
text say about the columns: who knows passes `hints`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from agent.box_check import check_boxes
from agent.drawn import printed_in
from agent.findings import Finding, Tally
from agent.mapping import Hints, PanelMap
from agent.panel_check import PanelCheck, judge_panel, map_reading
from agent.reading import Reading, digitize
from agent.source_tables import SourceTable, UnreadableTable, from_frame, read_tables

if TYPE_CHECKING:
    import pandas as pd

    Data: TypeAlias = str | Path | SourceTable | list[SourceTable] | pd.DataFrame

VerdictName = Literal["match", "mismatch", "not_verifiable", "not_comparable"]
EXIT_CODES: dict[VerdictName, int] = {"match": 0, "mismatch": 1, "not_verifiable": 1, "not_comparable": 2}
WHOLE = ("scale or unit factor", "sign", "series swapped", "series missing in the table")
ENOUGH = 0.75  # share of the mapped rows that has to be compared for a match


@dataclass(frozen=True, eq=False)
class Verdict:
    """The answer. `verdict`: match (consistent), mismatch (discrepancies), not_verifiable (something that matters
    cannot be seen or was not read surely), not_comparable (no column could be put beside the figure)."""

    verdict: VerdictName
    reason: str
    panels: tuple[PanelCheck, ...]
    figure: Reading
    data: str
    tolerance: float

    @property
    def findings(self) -> list[Finding]:
        """All findings, discrepancies first, the largest first."""
        order = {"discrepancy": 0, "not verifiable": 1, "note": 2}
        found = [finding for panel in self.panels for finding in panel.findings]
        return sorted(found, key=lambda f: (order[f.ruling], -(f.share or 1.0)))

    @property
    def discrepancies(self) -> list[Finding]:
        """The findings that count."""
        return [finding for finding in self.findings if finding.ruling == "discrepancy"]

    @property
    def exit_code(self) -> int:
        """0 consistent, 1 discrepancies or not verifiable, 2 nothing that could be compared."""
        return EXIT_CODES[self.verdict]

    def to_json(self) -> dict[str, Any]:
        """Verdict, findings and the map of columns, as `check.json` holds them."""
        from agent.check_report import verdict_json

        return verdict_json(self)


def check(
    figure: str | Path | Reading, data: Data, *, panel: int | None = None, sheet: str | None = None,
    columns: Sequence[str] | None = None, tolerance: float = 0.05, hints: Hints | None = None,
) -> Verdict:  # fmt: skip
    """Hold a figure against the data that it is said to show.

    `figure`: a file or a Reading; `data`: a CSV, TSV or XLSX file, a DataFrame or source tables; `panel` (from 1),
    `sheet` (name or number) and `columns` narrow the search; `tolerance` is a share of the axis range; `hints` maps
    names of series to names of columns.

    Raises `tools.load.UnreadableFile`, `agent.source_tables.UnreadableTable` or ValueError.
    """
    if not 0 < tolerance < 1:
        raise ValueError(f"the tolerance is a share of the axis range between 0 and 1, not {tolerance:g}.")
    name, tables = _tables(data, sheet, columns)
    reading = figure if isinstance(figure, Reading) else digitize(figure)
    count = len(reading.panels)
    if panel is not None and not 1 <= panel <= count:
        raise ValueError(f"the figure has {count} panel{'s' * (count != 1)}; there is no panel {panel}.")
    if not count:
        return Verdict("not_comparable", reading.refusals[0], (), reading, name, tolerance)
    numbers = [panel] if panel is not None else list(range(1, count + 1))
    panels = check_panels(reading, numbers, tables, tolerance, hints)
    verdict, reason = rule(panels)
    return Verdict(verdict, reason, tuple(panels), reading, name, tolerance)


def _tables(data: Data, sheet: str | None, columns: Sequence[str] | None) -> tuple[str, list[SourceTable]]:
    if isinstance(data, str | Path):
        name, tables = Path(data).name, read_tables(data, sheet)
    elif isinstance(data, SourceTable):
        name, tables = data.title, [data]
    elif isinstance(data, list | tuple):
        tables = list(data)
        name = ", ".join(dict.fromkeys(table.source for table in tables))
    else:
        tables = [from_frame(data)]
        name = tables[0].source
    if columns:
        narrowed, problem = [], None
        for table in tables:
            try:
                narrowed.append(table.only(columns))
            except UnreadableTable as error:
                problem = error
        if not narrowed:
            raise problem or UnreadableTable(f"{name} holds no table.")
        tables = narrowed
    return name, tables


def check_panels(
    reading: Reading,
    numbers: Sequence[int],
    tables: Sequence[SourceTable],
    tolerance: float,
    hints: Hints | None = None,
) -> list[PanelCheck]:
    """Each of these panels (from 1) against the tables; a column that one panel shows is missed in no other."""
    maps: dict[int, PanelMap] = {}
    checks: dict[int, PanelCheck] = {}
    for number in numbers:
        one = reading.panels[number - 1]
        said = " ".join(printed_in(one.panel.box, reading.words))
        boxes = check_boxes(number, one, tables, tolerance, said)
        found = boxes if boxes is not None else map_reading(one, tables, tolerance, hints)
        if isinstance(found, PanelMap):
            maps[number] = found
        else:
            checks[number] = (
                found if isinstance(found, PanelCheck) else PanelCheck(number, one.panel.title, reason=found)
            )
    shown = {n: {link.curve.name for link in found.links if link.cells.score > 0.5} for n, found in maps.items()}
    for number, found in maps.items():
        elsewhere = set().union(*(names for n, names in shown.items() if n != number))
        checks[number] = judge_panel(number, reading.panels[number - 1], found, reading, tolerance, elsewhere)
    return [checks[number] for number in numbers]


def rule(panels: Sequence[PanelCheck]) -> tuple[VerdictName, str]:
    """The verdict over all panels and the reason for it."""
    used = [one for one in panels if one.comparable]
    if not used:
        reasons = dict.fromkeys(f"panel {one.number}: {one.reason}" for one in panels if one.reason)
        return "not_comparable", "; ".join(reasons) or "nothing in the data can be compared with the figure"
    total = Tally()
    for one in used:
        total.add(one.tally)
    findings = [finding for one in used for finding in one.findings]
    counting = [finding for finding in findings if finding.ruling == "discrepancy"]
    if counting:
        kinds = list(dict.fromkeys(finding.kind for finding in counting))
        return "mismatch", f"{len(counting)} discrepanc{'y' if len(counting) == 1 else 'ies'}: {', '.join(kinds)}"
    clipped = [f for f in findings if f.kind == "axis clipped"]
    if clipped:
        return (
            "not_verifiable",
            f"{len(clipped)} values of the table lie beyond the axis of the figure; what is visible agrees",
        )
    rows = total.compared + total.unsure + total.unseen
    structural = [f for f in findings if f.ruling == "not verifiable" and not f.x]
    whole = [f for f in structural if f.kind in WHOLE]
    if whole:
        return "not_verifiable", whole[0].message
    if total.compared < ENOUGH * rows or not total.compared:
        return "not_verifiable", f"only {total.compared} of {rows} rows could be compared with any certainty"
    if structural and total.unsure > 0.2 * rows:
        return "not_verifiable", structural[0].message
    left = f"; {rows - total.compared} could not be judged" if total.compared < rows else ""
    return (
        "match",
        f"{total.compared} of {rows} rows compared, none differs beyond the tolerance and the reading's interval{left}",
    )
