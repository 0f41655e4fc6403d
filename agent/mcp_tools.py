"""What a host of agents may ask for: find a figure, load it, read it offline, every measuring tool, and the tables.

One figure is on the desk at a time. Files are read only below the folders named at the start, links followed first, and
nothing is written. Not handled here: the protocol (`mcp_server`), several figures at once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from agent import offline
from agent.limits import CLAUDE
from agent.reading import PanelReading, panel_json
from tools.load import UnreadableFile, load
from tools.looking import Look
from tools.schema import ToolError, checked, describe_tool
from tools.table import Table
from tools.workbench import MODEL_TOOLS, Workbench

FIGURES = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".gif", ".webp", ".pdf", ".svg")
MOST_FILES = 500  # listed
LONGEST = CLAUDE.any_shape  # px: no model that we know shrinks a view of this size, whatever the host does not tell us
OWN = ("list_figures", "load", "digitize", "export")
CHANGE = ("set_plot", "set_axis", "trace", "read_whiskers", "edit_series")  # what a table is made of
BENCH = tuple(name for name in MODEL_TOOLS if name != "submit")  # a host has no one to hand in to


class Desk:
    """One session: the folders that may be read, and the figure that was loaded last.

    Raises
    ------
    ValueError
        Where a folder is none, or all of the machine.
    """

    def __init__(self, folders: Sequence[Path], longest: int = LONGEST) -> None:
        for folder in folders:
            if not folder.is_dir():
                raise ValueError(f"{folder} is no folder")
        self.folders = tuple(folder.resolve() for folder in folders)
        if any(folder == Path(folder.anchor) for folder in self.folders):
            raise ValueError("this would open every file of the machine: name the folders that figures are read from")
        self.longest = longest
        self.bench: Workbench | None = None
        self.doubts: list[tuple[str, ...]] = []
        self.stale: set[int] = set()  # panels that were changed since their table was made

    @staticmethod
    def tools() -> list[dict[str, Any]]:
        """Name, description and JSON schema of every tool, in the order of the work."""
        methods = [getattr(Desk, name) for name in OWN[:-1]]
        methods += [getattr(Workbench, name) for name in BENCH] + [Desk.export]
        return [describe_tool(method) for method in methods]

    def call(self, name: str, arguments: Mapping[str, Any]) -> Look | str:
        """What a tool answers: a picture with words, or words (JSON where there is structure).

        Raises
        ------
        ToolError
            Where the call can't be answered as asked; the text says why and what to do.
        """
        try:
            found = self._run(name, arguments)
        except UnreadableFile as error:
            raise ToolError(str(error)) from None
        return found if isinstance(found, Look | str) else json.dumps(found, ensure_ascii=False)

    def _run(self, name: str, arguments: Mapping[str, Any]) -> Any:
        if name in OWN:
            method = getattr(self, name)
            return method(**checked(method, arguments))
        if name not in BENCH:
            raise ToolError(f"there is no tool {name!r}; there are: {', '.join((*OWN, *BENCH))}")
        found = self._bench().call(name, arguments)
        if name in CHANGE:
            self.stale.add(int(float(arguments["panel"])))
        elif name == "propose_table":
            self.stale.discard(int(float(arguments["panel"])))
        return found

    def list_figures(self) -> list[str]:
        """The figures that may be loaded: pictures, PDF and SVG files below the folders of this server."""
        found = list(islice(self._files(), MOST_FILES + 1))
        return found if len(found) <= MOST_FILES else [*found[:MOST_FILES], "… and more"]

    def load(self, path: str, page: int = 1) -> Look:
        """Put a figure on the desk and look at it. Replaces the one before, with all that was measured in it.

        path: a file, as list_figures names it; a relative one is looked for in the server's folders.
        page: number of the page of a PDF, from 1.
        """
        figure = load(self._allowed(path), page)
        self.bench = Workbench(figure)
        self.bench.longest = self.longest
        self.doubts, self.stale = [], set()
        return self.bench.look()

    def digitize(self) -> dict[str, Any]:
        """Read the figure on the desk without a model: each panel's table as TSV, with what is doubtful in it."""
        bench = self._bench()
        self.doubts, self.stale = offline.read(bench), set()
        panels = []
        for number, doubts in enumerate(self.doubts, 1):
            table = bench.tables[number]
            found = {"tsv": table.to_tsv()} if isinstance(table, Table) else {"refused": table.reason}
            panels.append({"panel": number, "title": bench.panels[number - 1].title, **found, "doubts": list(doubts)})
        return {"panels": panels} if panels else {"panels": [], "reason": "no chart was found in this picture"}

    def export(self, panel: int = 0, format: Literal["tsv", "csv", "json"] = "tsv") -> str:
        """The tables as they are now. JSON holds axes, pixels, uncertainty and reasons too.

        panel: number of a panel; 0 for all.
        format: tsv, csv or json.
        """
        bench = self._bench()
        if not bench.panels:
            raise ToolError("no panel of this figure is known yet: digitize first, or add one by set_plot")
        if not 0 <= panel <= len(bench.panels):
            raise ToolError(f"there is no panel {panel}, only 1 to {len(bench.panels)}; 0 stands for all")
        numbers = [panel] if panel else list(range(1, len(bench.panels) + 1))
        readings = [self._reading(number) for number in numbers]
        if format == "json":
            return json.dumps({"panels": [panel_json(reading) for reading in readings]}, ensure_ascii=False)
        parts = []
        for number, one in zip(numbers, readings, strict=True):
            head = f"# panel {number}: {one.panel.title}".rstrip(": ")
            if isinstance(one.table, Table):
                parts.append(f"{head}\n{one.table.to_tsv() if format == 'tsv' else one.table.to_csv()}")
            else:
                parts.append(f"{head}\n# refused: {one.table.reason}\n")
        return "".join(parts)

    def _reading(self, number: int) -> PanelReading:
        """A panel as it stands; what was measured since its table was made is in the table too."""
        bench = self._bench()
        if number in self.stale or number not in bench.tables:
            bench.propose_table(number)
            self.stale.discard(number)
        doubts = self.doubts[number - 1] if number <= len(self.doubts) else ()
        return PanelReading(bench.panels[number - 1], tuple(bench.series.get(number, ())), bench.tables[number], doubts)

    def _files(self) -> Iterator[str]:
        """The figures below the folders; hidden folders, and links that lead outside, are left out."""
        for folder in self.folders:
            for place, inner, files in os.walk(folder):
                inner[:] = sorted(name for name in inner if not name.startswith("."))
                paths = (Path(place, name) for name in sorted(files) if name.lower().endswith(FIGURES))
                yield from (str(path) for path in paths if not path.is_symlink() or self._inside(_target(path)))

    def _inside(self, path: Path) -> bool:
        return any(path.is_relative_to(folder) for folder in self.folders)

    def _bench(self) -> Workbench:
        if self.bench is None:
            raise ToolError("no figure is on the desk: load one first")
        return self.bench

    def _allowed(self, path: str) -> Path:
        """The file, if it lies below a folder of this server once every link in its path is followed."""
        try:
            asked = Path(path).expanduser()
            places = [asked] if asked.is_absolute() else [folder / asked for folder in self.folders]
            inside = [found for place in places if self._inside(found := place.resolve())]
        except (OSError, RuntimeError, ValueError) as error:  # links in a circle, a home of nobody, null characters
            raise ToolError(f"{path!r} is no path: {error}") from None
        if not inside:
            allowed = ", ".join(map(str, self.folders))
            raise ToolError(f"{path} lies outside the folders that this server may read: {allowed}")
        return next((place for place in inside if place.is_file()), inside[0])


def _target(link: Path) -> Path:
    """Where a link leads in the end; the root, which no server may read, where it leads nowhere."""
    try:
        return link.resolve(strict=True)
    except (OSError, RuntimeError):
        return Path(link.anchor)
