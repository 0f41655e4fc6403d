"""A folder of figures and data files: which figure belongs to which table, if to any, then each pair checked.

Names help (`fig2.png` and `fig2_data.csv`), but the values decide. Not handled here: reading, comparing (`checking`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from agent.checking import Verdict, check
from agent.mapping import PanelMap
from agent.panel_check import map_reading
from agent.reading import Reading, digitize
from agent.source_tables import BOOKS, TEXTS, SourceTable, UnreadableTable, read_tables
from tools.align import assign
from tools.load import UnreadableFile

PICTURES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".gif", ".webp", ".pdf", ".svg")
BELONGS = 0.45  # agreement and likeness of names from which a table belongs to a figure


@dataclass(frozen=True, eq=False)
class FolderCheck:
    """What became of a folder: a verdict per figure that has a table, the figures and tables left over, and why."""

    verdicts: tuple[Verdict, ...]
    alone: tuple[tuple[str, str], ...]

    @property
    def exit_code(self) -> int:
        """0 all consistent, 1 some not or not verifiable, 2 no figure could be held against any table."""
        if not self.verdicts:
            return 2
        return int(any(verdict.exit_code for verdict in self.verdicts))


def check_folder(
    folder: Path,
    tolerance: float = 0.05,
    tell: Callable[[str], None] | None = None,
    read: Callable[[Path], Reading] = digitize,
) -> FolderCheck:
    """Check every figure below `folder` against the data file that it shows.

    `tell` is called with each figure before it is read. Raises ValueError for a folder without figures or tables.
    """
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    figures = [path for path in files if path.suffix.lower() in PICTURES]
    alone: list[tuple[str, str]] = []
    tables: dict[Path, list[SourceTable]] = {}
    for path in files:
        if path.suffix.lower() in (*TEXTS, *BOOKS):
            try:
                tables[path] = read_tables(path)
            except UnreadableTable as error:
                alone.append((path.name, str(error)))
    if not figures or not tables:
        raise ValueError(f"{folder} holds {len(figures)} figures and {len(tables)} tables; both are needed.")
    readings: dict[Path, Reading] = {}
    for path in figures:
        if tell is not None:
            tell(path.name)
        try:
            readings[path] = read(path)
        except UnreadableFile as error:
            alone.append((path.name, str(error)))
    return _checked(readings, tables, tolerance, alone)


def _checked(
    readings: dict[Path, Reading], tables: dict[Path, list[SourceTable]], tolerance: float, alone: list[tuple[str, str]]
) -> FolderCheck:
    figures, sources = list(readings), list(tables)
    scores = np.array([[belongs(f, readings[f], s, tables[s], tolerance) for s in sources] for f in figures])
    pairs = assign(scores.reshape(len(figures), len(sources)), above=BELONGS)
    # One table may serve several figures (sheets of one workbook), so a figure left over takes the best one that fits.
    taken = dict(pairs)
    for i in range(len(figures)):
        if i not in taken and scores[i].size and scores[i].max() > BELONGS + 0.25:
            taken[i] = int(scores[i].argmax())
    verdicts = [check(readings[figures[i]], tables[sources[j]], tolerance=tolerance) for i, j in sorted(taken.items())]
    for i, path in enumerate(figures):
        if i not in taken:
            reason = "; ".join(readings[path].refusals) or "no table of the folder holds its values"
            alone.append((path.name, reason))
    used = set(taken.values())
    alone += [(path.name, "no figure of the folder shows it") for j, path in enumerate(sources) if j not in used]
    return FolderCheck(tuple(verdicts), tuple(alone))


def belongs(figure: Path, reading: Reading, source: Path, tables: list[SourceTable], tolerance: float) -> float:
    """How much speaks for a figure showing a table: agreement of values over its panels, and likeness of file names."""
    found = [map_reading(panel, tables, tolerance) for panel in reading.panels]
    fits = [one.agreement if isinstance(one, PanelMap) else 0.0 for one in found]
    named = [float(np.mean([link.named for link in one.links])) if isinstance(one, PanelMap) else 0.0 for one in found]
    return (max(fits, default=0.0) * 0.7 + 0.1 * max(named, default=0.0)) + 0.2 * _named_alike(figure, source)


def _named_alike(figure: Path, source: Path) -> float:
    """1 where figure and data share a folder of their own or a number in their names, else likeness of the stems."""
    mine, theirs = (re.findall(r"\d+[a-z]?", path.stem.casefold()) for path in (figure, source))
    if figure.stem.casefold() == source.stem.casefold():
        return 1.0
    if mine and theirs:
        return 1.0 if mine[0] == theirs[0] else 0.0
    return 0.5 if figure.parent == source.parent else 0.0
