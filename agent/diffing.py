"""What differs between two figures: cells of their data, colours of series, place of the legend, style of text.

Two values differ where each lies outside of the other's 90 % interval. What could not be read in one of the figures is
told as such and is no difference. Not handled here: reading (`reading`), figures of different kinds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from agent.grounding import REGIONS, CellValue, Grounding, groundings, place_on_figure, tables_of
from tools.align import assign, nearest_in_order, plain, similarities

if TYPE_CHECKING:
    from agent.reading import Reading

NAMES_ALIKE = 0.6  # similarity above which two names are one name read twice
COLOUR_CHANGES = 20.0  # distance in RGB (0 to 441); the same colour drawn twice differs by less than 10
SIZE_CHANGES = 0.08  # share of a font's size
LEAST = {"vector": 0.001, "pixel": 0.02}  # share of a column's range: less is not told from crossing or hidden marks


@dataclass(frozen=True)
class CellChange:
    """One cell in both figures, in panel `panel` (from 1)."""

    panel: int
    row: str
    column: str
    a: float
    b: float


@dataclass(frozen=True)
class Change:
    """Something that is named and has a text or number in both figures: a series' colour, a place, a style."""

    panel: int
    name: str
    a: str | float
    b: str | float


@dataclass(frozen=True)
class Difference:
    """Everything that differs, and what could not be compared (`doubts`). `only_a`, `only_b`: panels, series and rows
    of one figure alone."""

    cells: tuple[CellChange, ...] = ()
    colours: tuple[Change, ...] = ()
    legend: tuple[Change, ...] = ()
    texts: tuple[Change, ...] = ()
    only_a: tuple[str, ...] = ()
    only_b: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """True where nothing that could be compared differs."""
        return not (self.cells or self.colours or self.legend or self.texts or self.only_a or self.only_b)

    def to_json(self) -> dict[str, Any]:
        """Everything, JSON-able."""
        return {"same": self.same, **asdict(self)}


def diff(a: str | Path | Reading, b: str | Path | Reading, method: str = "offline") -> Difference:
    """Compare two figures, or readings of them. Raises ValueError for a file that is no picture."""
    return diff_json(*(_data(one, method) for one in (a, b)))


def _data(one: str | Path | Reading, method: str) -> dict[str, Any]:
    if not isinstance(one, str | Path):
        return one.to_json()
    from agent.reading import digitize

    return digitize(one, method=method).to_json()


def diff_json(a: Mapping[str, Any], b: Mapping[str, Any]) -> Difference:
    """Compare two readings as `reading.json` holds them; panels pair in reading order."""
    mine, theirs = groundings(a), groundings(b)
    parts = [_panel(number, *pair) for number, pair in enumerate(zip(mine, theirs, strict=False), 1)]
    only = [tuple(f"panel {k}" for k in range(min(len(mine), len(theirs)) + 1, len(own) + 1)) for own in (mine, theirs)]
    doubts = tuple(f"figure {name}: {why}" for name, one in (("A", a), ("B", b)) for why in one.get("refusals", ()))
    return Difference(
        tuple(x for part in parts for x in part.cells), tuple(x for part in parts for x in part.colours),
        tuple(x for part in parts for x in part.legend), tuple(x for part in parts for x in part.texts),
        (*(x for part in parts for x in part.only_a), *only[0]),
        (*(x for part in parts for x in part.only_b), *only[1]),
        (*doubts, *(x for part in parts for x in part.doubts)),
    )  # fmt: skip


def pair_json(a: Mapping[str, Any], b: Mapping[str, Any], questions: Sequence[str] = ()) -> dict[str, Any]:
    """Two readings as a benchmark of pairs wants them: what the first panel of either shows, what differs, and answers
    to questions on the first figure, out of its tables. In two stages: each figure was read by itself."""
    from agent.asking import ask_tables

    seen = [_first(one) for one in (a, b)]
    tables = tables_of(a)
    return {
        "stages": 2, "difference": diff_json(a, b).to_json(),
        **{side: None if one is None else {"colours": dict(one.colours), "place": one.place, "texts": one.texts}
           for side, one in zip(("a", "b"), seen, strict=True)},
        "answers": [ask_tables(tables, question).to_json() for question in questions],
    }  # fmt: skip


def _first(data: Mapping[str, Any]) -> Grounding | None:
    """The first panel, its legend at one of nine places wherever it stands."""
    found = next(iter(groundings(data)), None)
    if found is None or not found.place.startswith("outside"):
        return found
    return replace(found, place=place_on_figure(data) or found.place)


def _panel(number: int, a: Grounding, b: Grounding) -> Difference:
    texts, doubts = _texts(number, a, b)
    alike = Difference((), _colours(number, a, b), _legend(number, a, b), texts, doubts=doubts)
    if a.refused or b.refused:  # a legend has colours and a place all the same
        return alike
    cells, only_a, only_b = _cells(number, a.cells, b.cells)
    return replace(alike, cells=cells, only_a=only_a, only_b=only_b)


def _cells(
    panel: int, a: Sequence[CellValue], b: Sequence[CellValue]
) -> tuple[tuple[CellChange, ...], tuple[str, ...], tuple[str, ...]]:
    """Cells that differ, and columns and rows of one side alone."""
    sides = [_by_column(cells) for cells in (a, b)]
    columns = [list(side) for side in sides]
    pairs = name_pairs(*columns)
    if len(columns[0]) == len(columns[1]) == 1:
        pairs = [(0, 0)]
    only: list[list[str]] = [
        [f"panel {panel}: series {name}" for k, name in enumerate(columns[s]) if k not in {p[s] for p in pairs}]
        for s in (0, 1)
    ]
    changes = []
    rows_only: list[dict[str, None]] = [{}, {}]
    for i, j in pairs:
        mine, theirs = sides[0][columns[0][i]], sides[1][columns[1][j]]
        rows = row_pairs([c.key for c in mine], [c.key for c in theirs])
        exact = all(c.source == "vector" for c in (*mine, *theirs))
        least = LEAST["vector" if exact else "pixel"] * float(np.ptp([c.value for c in (*mine, *theirs)]))
        changes += [CellChange(panel, _better(mine[r].row, theirs[s].row), _better(mine[r].column, theirs[s].column),
                               mine[r].value, theirs[s].value)
                    for r, s in rows if differ(mine[r], theirs[s], least)]  # fmt: skip
        for side, own in enumerate((mine, theirs)):
            lost = (c.row for k, c in enumerate(own) if k not in {pair[side] for pair in rows})
            rows_only[side].update(dict.fromkeys(f"panel {panel}: row {row}" for row in lost))
    return tuple(changes), (*only[0], *rows_only[0]), (*only[1], *rows_only[1])


def _by_column(cells: Sequence[CellValue]) -> dict[str, list[CellValue]]:
    found: dict[str, list[CellValue]] = {}
    for cell in cells:
        found.setdefault(cell.column, []).append(cell)
    return found


def differ(a: CellValue, b: CellValue, least: float = 0.0) -> bool:
    """True where each value lies outside of the other's interval, by at least `least`."""
    beyond = not a.low <= b.value <= a.high and not b.low <= a.value <= b.high
    return beyond and abs(a.value - b.value) > least


def _better(a: str, b: str) -> str:
    """The name that was read, where one of two was not."""
    return b if a == "nan" or a.startswith("series ") else a


def name_pairs(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """Names that are the same, or the same read differently, one to one. Where both sides have as many, those left over
    pair with what stands in their place: a name that was not read does not hide a change."""
    pairs = assign(similarities([plain(n) for n in a], [plain(n) for n in b]), NAMES_ALIKE)
    if len(a) != len(b) or 2 * len(pairs) < len(a):
        return pairs
    used, taken = {i for i, _ in pairs}, {j for _, j in pairs}
    return sorted([*pairs, *((k, k) for k in range(len(a)) if k not in used and k not in taken)])


def row_pairs(a: Sequence[float | str], b: Sequence[float | str]) -> list[tuple[int, int]]:
    """Rows of one key: the nearest number or date within half a step, or the same name."""
    numbers = [[k for k in keys if not isinstance(k, str)] for keys in (a, b)]
    if len(numbers[0]) == len(a) and len(numbers[1]) == len(b):
        steps = [float(np.median(np.diff(np.unique(keys)))) for keys in numbers if len(set(keys)) > 1]
        return nearest_in_order(numbers[0], numbers[1], 0.5 * min(steps) if steps else math.inf)
    return name_pairs([str(k) for k in a], [str(k) for k in b])


def _colours(panel: int, a: Grounding, b: Grounding) -> tuple[Change, ...]:
    names = list(a.colours), list(b.colours)
    pairs = name_pairs(*names) if max(map(len, names)) > 1 else [(0, 0)][: min(map(len, names))]
    found = []
    for i, j in pairs:
        mine, theirs = a.colours[names[0][i]], b.colours[names[1][j]]
        if math.dist(_rgb(mine), _rgb(theirs)) > COLOUR_CHANGES:
            found.append(Change(panel, names[0][i], mine, theirs))
    return tuple(found)


def _rgb(text: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(text.removeprefix("#")))


def _legend(panel: int, a: Grounding, b: Grounding) -> tuple[Change, ...]:
    return (Change(panel, "position", a.place, b.place),) if a.place != b.place else ()


def _texts(panel: int, a: Grounding, b: Grounding) -> tuple[tuple[Change, ...], tuple[str, ...]]:
    """Styles that differ, and why some could not be compared."""
    found, doubts = [], []
    for region in REGIONS:
        for name in ("size_px", "weight", "family"):
            mine, theirs = (one.texts.get(region, {}).get(name) for one in (a, b))
            if mine is None or theirs is None:
                side = a if mine is None else b
                reason = side.texts.get(region, {}).get("reasons", {}).get(name, "not measured")
                doubts.append(f"panel {panel}: {name.removesuffix('_px')} of {region.replace('_', ' ')}: {reason}")
            elif _style_differs(mine, theirs):
                found.append(Change(panel, f"{region} {name}", mine, theirs))
    return tuple(found), tuple(doubts)


def _style_differs(a: Any, b: Any) -> bool:
    return bool(a != b) if isinstance(a, str) else abs(a - b) > SIZE_CHANGES * max(a, b)
