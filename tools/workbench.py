"""The single door: one figure's session, for the offline policy, a model's loop, a server of tools and the tests alike.

What `measuring` measures step by step, and what a model or a person adds: looks, corrected places and axes, one series
at a time, the check of a reading against the ink. `MODEL_TOOLS` are the methods that a model is offered; `call` checks
its arguments. Places may be given in the pixels of any view that was shown.
Not handled here: deciding what to do next (that is a policy's work).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from tools.correcting import axis_through, panel_at, with_axis
from tools.describing import describe_axis, describe_panel, describe_series, hex_of, rgb_of, value_text
from tools.kinds import layer_scores
from tools.looking import Look, Show, look, shown, snap_box
from tools.measuring import Measuring
from tools.measuring import ReaderName as ReaderName
from tools.picking import as_before, layer_at, layer_like, nearest_series
from tools.proving import prove
from tools.schema import CallError as CallError
from tools.schema import ToolError as ToolError
from tools.schema import checked, describe_tool
from tools.types import Scale, Side, Unreadable
from tools.view import View

__all__ = ["MODEL_TOOLS", "ReaderName", "ToolError", "Workbench", "describe_axis", "describe_series", "hex_of"]
MODEL_TOOLS = (
    "look", "read_text", "show_panel", "set_plot", "set_axis", "list_colours", "trace", "read_whiskers", "edit_series",
    "value_at", "value_to_pixel", "propose_table", "redraw", "submit",
)  # fmt: skip
EMPTY = {
    "read_text": "no text was recognised in this figure; look at it, or give a box to enlarge",
    "list_colours": "there is no data ink in this plot area: look at the panel, and correct its place with set_plot",
    "read_whiskers": "nothing is measured in this panel yet: trace its series first",
}  # why an answer of these tools is empty
MAKES: dict[ReaderName, tuple[str, ...]] = {
    "line": ("line",), "step": ("step",), "points": ("points",), "box": ("box",), "area": ("area", "stacked area"),
    "bar": ("bar", "stack", "histogram"),
}  # fmt: skip


class Workbench(Measuring):
    """One figure on the bench, with all that can be asked of it."""

    @staticmethod
    def tools() -> list[dict[str, Any]]:
        """Name, description and JSON schema of every tool that a model is offered."""
        return [describe_tool(getattr(Workbench, name)) for name in MODEL_TOOLS]

    def call(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Call a tool by name, with arguments as a model wrote them. Raises CallError for a bad call, ToolError."""
        if name not in MODEL_TOOLS:
            raise CallError(f"there is no tool {name!r}; there are: {', '.join(MODEL_TOOLS)}")
        method = getattr(self, name)
        found = method(**checked(method, arguments))
        if found == [] and name in EMPTY:
            raise ToolError(EMPTY[name])
        return found

    def look(
        self, panel: int = 0, box: Sequence[float] = (), view: int = 0, zoom: float = 0.0, turn: float = 0.0,
        show: Show = "plain", colour: str = "", snap: bool = False,
    ) -> Look:  # fmt: skip
        """A picture of the figure or a part of it, with words that say where it is.

        The picture gets a number; other tools take places in its pixels when you give that number as `view`.

        panel: number of a panel to look at; 0 for the whole figure or the box.
        box: x0, y0, x1, y1 of the part to look at.
        view: number of the view whose pixels the box is given in; 0: figure pixels.
        zoom: how many times to enlarge; 0 for as large as is useful.
        turn: degrees to turn counter-clockwise.
        show: plain, enhanced (more contrast), or colour (one colour alone, everything else faded).
        colour: the colour to isolate, as #rrggbb.
        snap: whether the edges of the box move to long strokes within 8 pixels.
        """
        place = self._place(box, view) if box else self._panel(panel).box if panel else None
        if place is not None and snap:
            place = snap_box(self.figure, place)[0]
        wanted = rgb_of(colour) if colour else None
        if show == "colour" and wanted is None:
            raise ToolError("to isolate a colour, give it as #rrggbb; list_colours names those of a panel")
        found = look(self.figure, place, zoom, turn, self.longest)
        if isinstance(found, Unreadable):
            raise ToolError(found.reason)
        self._note("look", place)
        return self._shown(shown(found, show, wanted))

    def show_panel(self, panel: int) -> dict[str, Any]:
        """What is known of a panel: plot area, axes with anchors and residuals, legend, series measured so far.

        panel: number of the panel, from 1.
        """
        series = [{"number": n, **describe_series(one)} for n, one in enumerate(self.series.get(panel, []), 1)]
        return describe_panel(self._panel(panel)) | {"series": series}

    def set_plot(self, panel: int, box: Sequence[float], view: int = 0) -> dict[str, Any]:
        """Correct or add the plot area of a panel; its edges move to strokes, and axes and legend are read anew.

        What was measured in this panel is dropped.

        panel: number of the panel, from 1; one past the last adds a panel.
        box: x0, y0, x1, y1 of the data area, roughly: the rectangle between the axes.
        view: number of the view whose pixels the box is given in; 0: figure pixels.
        """
        if not 0 < panel <= len(self.panels) + 1:
            raise ToolError(f"there are {len(self.panels)} panels: give 1 to {len(self.panels) + 1}")
        place = self._place(box, view)
        found, seated = panel_at(self.figure, self.panels, self.words, panel - 1, place)
        self.panels = (*self.panels[: panel - 1], found, *self.panels[panel:])
        self._forget(panel)
        self._note("set_plot", place, panel=panel)
        return self.show_panel(panel) | {"edges_on_strokes": seated}

    def set_axis(
        self, panel: int, side: Side, scale: Scale, pixels: Sequence[float], values: Sequence[str], view: int = 0
    ) -> dict[str, Any]:  # fmt: skip
        """Calibrate an axis from two or more anchors. Each is seated on the stroke near it; the residual is told.

        panel: number of the panel, from 1.
        side: left, right, bottom or top.
        scale: linear, log, date or category.
        pixels: where the anchors stand along the axis: x of a horizontal axis, y of a vertical one.
        values: what is printed at each: numbers, dates (ISO), or category names, in the order of `pixels`.
        view: number of the view that the pixels are given in; 0: figure pixels.
        """
        across = side in ("bottom", "top")
        home = [self._home(p, 0.0, view)[0] if across else self._home(0.0, p, view)[1] for p in pixels]
        found = axis_through(self.figure, self._panel(panel), self.words, side, scale, home, values)
        if isinstance(found, Unreadable):
            raise ToolError(found.reason)
        self._replace_panel(panel, with_axis(self._panel(panel), found))
        self._note("set_axis", panel=panel, side=side, scale=scale, pixels=list(pixels), values=list(values))
        return describe_axis(found)

    def trace(
        self, panel: int, reader: ReaderName, colour: str = "", x: float = -1.0, y: float = -1.0, view: int = 0,
        name: str = "",
    ) -> list[dict[str, Any]]:  # fmt: skip
        """Measure one colour of a panel: a line, step curve, points, bars, area or boxes; replaces what it had.

        panel: number of the panel, from 1.
        reader: what the ink is: bar, area, points, step, line or box.
        colour: colour of the series as #rrggbb; left out, the colour at the seed point.
        x: x of a seed point on the series.
        y: y of a seed point on the series.
        view: number of the view that the seed is given in; 0: figure pixels.
        name: the name of the series, where the figure has one and the legend was not read right.
        """
        ink, seed = self._ink(panel), self._home(x, y, view) if x >= 0 and y >= 0 else None
        wanted = rgb_of(colour) if colour else None
        number = layer_like(ink, wanted) if wanted else layer_at(ink, *seed) if seed else Unreadable(
            "give a colour as #rrggbb (list_colours names them) or a seed point x, y on the series"
        )  # fmt: skip
        if isinstance(number, Unreadable):
            raise ToolError(number.reason)
        colour_there = ink.layers[number].colour
        old = self.series.get(panel, [])
        # curves (bars, ...) of one panel share their rows, so those of the same make are measured together once more
        alike = [one for one in old if one.kind in MAKES[reader]]
        numbers = {number, *(n for n, layer in enumerate(ink.layers) if any(layer.colour == s.colour for s in alike))}
        if reader == "box":  # a box, its median and its outliers may have colours of their own
            numbers = set(range(len(ink.layers)))
        self.series[panel] = []
        self.measure(panel, reader, sorted(n + 1 for n in numbers))
        if any(mark.part in ("low", "high") for one in alike for mark in one.marks):
            self.read_whiskers(panel)
        fresh = self.series[panel]
        found = [one for one in fresh if one.colour == colour_there or reader == "box"]
        if not found:
            self.series[panel] = old
            scores = layer_scores(self._panel(panel), ink, ink.layers[number])
            likely = max(scores, key=lambda kind: scores[kind])
            raise ToolError(f"the ink of {hex_of(colour_there)} holds no {reader}: it looks most like {likely}")
        if name and seed is not None:  # curves of one colour: the one at the seed has the name
            meant = nearest_series(found, *seed)
            found = [replace(one, name=name) if one is meant else one for one in found]
        elif name:
            found = [replace(one, name=name if i == 0 else f"{name} {i + 1}") for i, one in enumerate(found)]
        kept = [one for one in old if one.colour != colour_there and not (reader == "box" and one.kind == "box")]
        self.series[panel] = [*(as_before(one, fresh) for one in kept), *found]
        return [{"number": n, **describe_series(one)} for n, one in enumerate(self.series[panel], 1)]

    def edit_series(
        self, panel: int, series: int, name: str = "", side: Literal["", "left", "right", "bottom", "top"] = "",
        remove: bool = False,
    ) -> list[dict[str, Any]]:  # fmt: skip
        """Rename a measured series, read it on the axis of another side, or remove it.

        panel: number of the panel, from 1.
        series: number of the series, from 1, as `show_panel` gives it.
        name: its new name; left out, it keeps its own.
        side: the side of its value axis, where twin axes stand.
        remove: true to drop it (no data: a fit, a grid, an annotation).
        """
        found = self.series.get(panel, [])
        if not 0 < series <= len(found):
            raise ToolError(f"panel {panel} has {len(found)} series, not {series}")
        if remove:
            del found[series - 1]
        elif side:
            self.bind_axis(panel, series, side)
        if name and not remove:
            found[series - 1] = replace(found[series - 1], name=name)
        self._note("edit_series", panel=panel, series=series, name=name, side=side, remove=remove)
        return [{"number": n, **describe_series(one)} for n, one in enumerate(found, 1)]

    def value_at(self, panel: int, x: float, y: float, view: int = 0) -> dict[str, Any]:
        """The values of a place on every axis of a panel, and the data ink there.

        panel: number of the panel, from 1.
        x: x of the place.
        y: y of the place.
        view: number of the view that the place is given in; 0: figure pixels.
        """
        at = self._home(x, y, view)
        axes = {a.side: value_text(a, at[0] if a.horizontal else at[1]) for a in self._panel(panel).axes}
        number = layer_at(self._ink(panel), *at)
        ink = number.reason if isinstance(number, Unreadable) else hex_of(self._ink(panel).layers[number].colour)
        return {"figure_pixel": [round(v, 2) for v in at], "values": axes, "ink": ink}

    def redraw(self, panel: int) -> Look:
        """The reading of a panel drawn over the figure, and how well it agrees with the ink.

        Measured marks are coloured; magenta is ink that nothing explains; orange crosses are values only said.

        panel: number of the panel, from 1.
        """
        where = self._panel(panel)
        claims = self.snapped[panel].claims if panel in self.snapped else ()
        proof = prove(self.figure, where, self._ink(panel), self.series_of(panel), claims)
        found = look(replace(self.figure, pixels=proof.picture), where.box, 0.0, 0.0, self.longest)
        if isinstance(found, Unreadable):
            raise ToolError(found.reason)
        self._note("redraw", where.plot, panel=panel)
        return self._shown(found, proof.text)

    def show_overlay(self) -> Look:
        """The reading of all panels drawn over the whole figure, as a numbered view."""
        found = look(replace(self.figure, pixels=self.overlay()), None, 0.0, 0.0, self.longest)
        if isinstance(found, Unreadable):
            raise ToolError(found.reason)
        return self._shown(found)

    def submit(self, note: str = "") -> str:
        """Hand in the tables as they are now. Nothing can be changed afterwards.

        note: what a person should know about this reading, in a sentence; left out where there is nothing.
        """
        self.submitted = note
        self._note("submit", note=note)
        return "submitted"

    def finish(self) -> None:
        """Make the tables that are missing or older than what was measured, corrected or renamed since."""
        changing = {"set_plot", "set_axis", "measure", "edit_series", "bind_axis", "read_whiskers", "take_back"}
        last: dict[int, str] = {}
        for note in self.log:
            panel = note.arguments.get("panel")
            if panel is not None and note.tool in changing | {"propose_table"}:
                last[panel] = note.tool
        for panel in range(1, len(self.panels) + 1):
            if panel not in self.tables or last.get(panel) in changing:
                self.propose_table(panel, self.drafts.get(panel, ""))

    def _forget(self, panel: int) -> None:
        """Drop what was measured in a panel whose place has changed."""
        for kept in (self.inks, self.tables, self.snapped, self.drafts):
            kept.pop(panel, None)
        self.series[panel] = []

    def _shown(self, view: View, words: str = "") -> Look:
        """The view with its number and place in words."""
        self.views.append(view)
        return Look(view, f"view {len(self.views)}: {view.describe()}\n{words}".strip())
