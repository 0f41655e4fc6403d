"""One figure's session of measuring: the steps that the offline policy takes, each typed and noted as evidence.

Every method takes and returns plain JSON-able values (panels and layers are counted from 1, pixels are figure pixels
unless a view's number is given). Not handled here: what a model or a person adds (`workbench`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

from tools import redraw
from tools.alike_bars import parted
from tools.areas import read_areas
from tools.axes import calibrate
from tools.bands import read_bands
from tools.bars import read_bars
from tools.boxes import read_boxes
from tools.bubbles import read_bubbles
from tools.case_cells import with_cells_joined
from tools.clutter import without_clutter
from tools.colour import colourless
from tools.counts import on_counts
from tools.describing import describe_axis, describe_box, describe_entry, describe_series, hex_of
from tools.drafts import parse_draft
from tools.ink import PlotInk, separate
from tools.insets import apart, with_insets, without_insets, words_without
from tools.key_order import in_key_order
from tools.kinds import layer_scores, layers_of, plan
from tools.legend import read_legend
from tools.lent_legends import with_shared_legends
from tools.lines import read_lines
from tools.lollipops import read_lollipops
from tools.looking import in_figure
from tools.lost_points import with_points
from tools.nested import with_nested
from tools.overlines import average_named, runs_over
from tools.picking import words_in
from tools.points import read_points
from tools.schema import ToolError
from tools.sheets import find_all_panels
from tools.signs import signs_of
from tools.snapping import Snapped, snap
from tools.stems import without_false_ends
from tools.steps import read_steps
from tools.table import Table
from tools.tabulate import tabulate
from tools.thin_rims import with_rims
from tools.types import Axis, Box, Evidence, Figure, Image, Panel, Series, Side, Unreadable, Word
from tools.unread import kind_in
from tools.vector_glyphs import all_words
from tools.vector_panels import with_bare_bars
from tools.view import View
from tools.whiskers import read_error_bars
from tools.words_beside import with_more

MANY = 80  # bars or points: epidemic curves of days have no error bars
ReaderName = Literal["bar", "area", "points", "step", "line", "box"]


class Measuring:
    """One figure on the bench. Steps build on each other: text, panels, axes and legends, colours, marks, tables."""

    def __init__(self, figure: Figure) -> None:
        self.figure = figure
        self.words: tuple[Word, ...] = ()
        self.panels: tuple[Panel, ...] = ()
        self.inks: dict[int, PlotInk] = {}
        self.series: dict[int, list[Series]] = {}
        self.tables: dict[int, Table | Unreadable] = {}
        self.drafts: dict[int, str] = {}
        self.snapped: dict[int, Snapped] = {}
        self.views: list[View] = []
        self.longest = 1568  # px: no view is larger
        self.submitted: str | None = None
        self.log: list[Evidence] = []

    def read_text(self, box: Sequence[float] = (), view: int = 0) -> list[dict[str, Any]]:
        """Text of the figure: each line with its box in figure pixels and the angle that it is turned by.

        With a box, that part is enlarged and read anew, which finds small print.

        box: x0, y0, x1, y1 of the part to read; left out, the whole figure.
        view: number of the view whose pixels the box is given in; 0: figure pixels.
        """
        if box:
            place = self._place(box, view)
            found = words_in(self.figure, place)
            if not found:
                raise ToolError("no text was recognised in this box: make it larger, or look at it")
            self._note("read_text", place)
        else:
            found = self.words = with_points(all_words(self.figure))
            self._note("read_text")
        return [{"text": word.text, "box": describe_box(word.box), "angle": word.angle} for word in found]

    def find_panels(self) -> list[dict[str, Any]]:
        """The subplots in reading order, each with its plot area and title. Needs `read_text`."""
        self.panels, self.words = find_all_panels(self.figure, self.words)
        self.panels = with_bare_bars(self.figure.drawing, self.panels, self.words)
        self.panels = with_insets(self.figure, self.panels, self.words, calibrate)
        self._note("find_panels")
        return [{"panel": n, "plot": describe_box(p.plot), "title": p.title} for n, p in enumerate(self.panels, 1)]

    def calibrate(self) -> list[dict[str, Any]]:
        """Calibrate the axes of all panels from their tick labels and strokes. Needs `find_panels`."""
        self.panels = apart(calibrate, self.figure, self.panels, self.words)
        self._note("calibrate")
        return [{"panel": n, "axes": [describe_axis(a) for a in p.axes]} for n, p in enumerate(self.panels, 1)]

    def read_legends(self) -> list[dict[str, Any]]:
        """The named swatches of every panel and the legend's box. Needs `find_panels`."""
        found = with_shared_legends(self.figure.pixels, apart(read_legend, self.figure, self.panels, self.words))
        self.figure, self.panels = in_key_order(self.figure, found, self.words)
        self._note("read_legends")
        return [
            {
                "panel": n,
                "entries": [describe_entry(e) for e in p.legend.entries],
            }
            for n, p in enumerate(self.panels, 1)
        ]

    def list_colours(self, panel: int) -> list[dict[str, Any]]:
        """The colours of the data ink in a panel, most ink first, with what each looks like.

        panel: number of the panel, from 1.
        """
        ink = self._ink(panel)
        return [
            {
                "layer": n,
                "colour": hex_of(layer.colour),
                "name": layer.name,
                "pixels": round(float(layer.coverage.sum())),
                "looks_like": {k: round(v, 3) for k, v in layer_scores(self._panel(panel), ink, layer).items()},
            }
            for n, layer in enumerate(ink.layers, 1)
        ]

    def list_inks(self, panel: int) -> list[dict[str, Any]]:
        """The layers of a panel's ink without judging what they draw.

        panel: number of the panel, from 1.
        """
        layers = self._ink(panel).layers
        return [
            {"layer": n, "colour": hex_of(one.colour), "colourless": colourless(one.colour), "name": one.name}
            for n, one in enumerate(layers, 1)
        ]

    def unread_kind(self, panel: int) -> str:
        """The kind of chart that a panel shows where no reader knows it, with its article; "" for all others.

        panel: number of the panel, from 1.
        """
        where = self._panel(panel)
        return kind_in(self.figure.pixels, where, self._ink(panel) if where.axes else None, len(self.panels) == 1)

    def propose_plan(self, panel: int) -> list[dict[str, Any]]:
        """Which reader suits which layers of a panel.

        panel: number of the panel, from 1.
        """
        steps = plan(self._panel(panel), self._ink(panel))
        return [{"reader": kind, "layers": [number + 1 for number in numbers]} for kind, numbers in steps]

    def measure(self, panel: int, reader: ReaderName, layers: Sequence[int]) -> list[dict[str, Any]]:
        """Measure the marks of some layers with one reader and add them to the panel's series.

        panel: number of the panel, from 1.
        reader: bar, area, points, step, line or box.
        layers: numbers of the layers, from 1, as `list_colours` gives them.
        """
        ink, where = self._ink(panel), self._panel(panel)
        try:
            chosen = layers_of(ink, [number - 1 for number in layers])
        except IndexError:
            raise ToolError(f"panel {panel} has {len(ink.layers)} layers, not {max(layers)}") from None
        readers = {"area": read_areas, "step": read_steps, "line": read_lines, "box": read_boxes}
        if reader == "points":  # the legend's samples may lie outside of the plot
            found = read_bubbles(where, ink, chosen)
            found = found or read_points(where, ink, chosen, self.figure.pixels) or read_lollipops(where, ink, chosen)
        elif reader == "bar":
            found = read_bars(where, ink, chosen, self.figure.pixels)
        else:
            found = tuple(one for one in readers[reader](where, ink, chosen) if isinstance(one, Series))
        self.series.setdefault(panel, []).extend(found)
        self._note("measure", where.plot, panel=panel, reader=reader, layers=list(layers))
        return [describe_series(one) for one in self.series[panel]]

    def take_back(self, panel: int, keep: int) -> list[Series]:
        """Take back all but the first series of a panel, and return what was taken.

        panel: number of the panel, from 1.
        keep: how many series stay.
        """
        taken = self.series.get(panel, [])[keep:]
        self.series[panel] = self.series.get(panel, [])[:keep]
        self._note("take_back", panel=panel, keep=keep)
        return taken

    def read_whiskers(self, panel: int) -> list[dict[str, Any]]:
        """Add the ends of error bars to the panel's bars, points and marked lines, and those of bands to its curves.

        panel: number of the panel, from 1.
        """
        ink, where = self._ink(panel), self._panel(panel)
        found = read_bands(where, ink, self.series.get(panel, []))
        self.series[panel] = without_false_ends(
            [read_error_bars(where, ink, one) if may_have_whiskers(one) else one for one in found]
        )
        self._note("read_whiskers", where.plot, panel=panel)
        return [describe_series(one) for one in self.series[panel]]

    def unexplained(self, panel: int) -> list[dict[str, Any]]:
        """The share of each layer's ink that the series measured so far, with outlines and whiskers, do not explain.

        panel: number of the panel, from 1.
        """
        ink = self._ink(panel)
        shares = redraw.unexplained(self._panel(panel), ink, self.series.get(panel, []))
        return [{"layer": n, "share": share} for n, share in enumerate(shares, 1)]

    def runs_over(self, panel: int, layer: int) -> bool:
        """Whether a layer is a curve that goes its own way over the bars measured so far.

        panel: number of the panel, from 1.
        layer: number of the layer, from 1.
        """
        return runs_over(self._ink(panel), self._ink(panel).layers[layer - 1], self.series.get(panel, []))

    def layer_name(self, panel: int, layer: int) -> str:
        """The name that the legend gives a layer; empty where it gives none.

        panel: number of the panel, from 1.
        layer: number of the layer, from 1.
        """
        return self._ink(panel).layers[layer - 1].name

    def drop_unnamed(self, panel: int) -> list[dict[str, Any]]:
        """Drop series that are no data: in the colour of the paper, stems of markers, or grey ones that the legend
        leaves out, unless they are a crowd of points.

        panel: number of the panel, from 1.
        """
        ink = self._ink(panel)
        data = without_clutter(self._panel(panel), ink, self.series.get(panel, []))
        self.series[panel] = parted(self._panel(panel), data)
        self._note("drop_unnamed", panel=panel)
        return [describe_series(one) for one in self.series[panel]]

    def bind_axis(self, panel: int, series: int, side: Side) -> dict[str, Any]:
        """Read a series of the panel on the axis of another side (twin axes).

        panel: number of the panel, from 1.
        series: number of the series, from 1.
        side: left, right, bottom or top.
        """
        if self._panel(panel).axis(side) is None:
            raise ToolError(f"panel {panel} has no calibrated {side} axis")
        found = self.series.get(panel, [])
        if not 0 < series <= len(found):
            raise ToolError(f"panel {panel} has {len(found)} series, not {series}")
        found[series - 1] = replace(found[series - 1], axis=side)
        self._note("bind_axis", panel=panel, series=series, side=side)
        return describe_series(found[series - 1])

    def propose_table(self, panel: int, tsv: str = "") -> dict[str, Any]:
        """The table of a panel as TSV, or the reason why there is none.

        Without `tsv`, of what was measured. With a table of your own, its rows and names stay and each value is moved
        onto the ink near it; values without ink are marked as said by you, and the answer lists them.

        panel: number of the panel, from 1.
        tsv: a header line and rows, tabs between cells: x, then a column per series; for scattered points x, y, series.
        """
        where = self._panel(panel)
        self.snapped.pop(panel, None)
        self.drafts[panel] = tsv
        if not tsv.strip():
            self.series[panel] = on_counts(where, average_named(self.series.get(panel, []), self.words))
            table = tabulate(where, self.series[panel])
            if isinstance(table, Table):
                table = with_more(table, where, self.series[panel], self.words)
            self.tables[panel] = table
            self._note("propose_table", panel=panel)
            return {"tsv": table.to_tsv()} if isinstance(table, Table) else {"refused": table.reason}
        draft = parse_draft(tsv, where.title)
        if isinstance(draft, Unreadable):
            raise ToolError(draft.reason)
        found = snap(where, self._ink(panel), self.series.get(panel, []), draft)
        self.panels = (*self.panels[: panel - 1], found.panel, *self.panels[panel:])
        self.snapped[panel], self.tables[panel] = found, found.table
        self._note("propose_table", panel=panel, tsv=tsv)
        said = [f"{one.series}, {one.row}: {one.text} ({one.reason})" for one in found.claims[:40]]
        return {"tsv": found.table.to_tsv(), "measured": found.measured, "only_said": found.said, "said": said,
                "warnings": list(found.warnings)}  # fmt: skip

    def series_of(self, panel: int) -> list[Series]:
        """The series that stand behind the table of a panel: of a proposed table, what its values were moved to.

        panel: number of the panel, from 1.
        """
        return list(self.snapped[panel].series) if panel in self.snapped else self.series.get(panel, [])

    def compare(self, panel: int) -> dict[str, float]:
        """Redraw the series of a panel and hold them against its ink: shares of ink explained and of marks supported.

        panel: number of the panel, from 1.
        """
        found = redraw.compare(self._panel(panel), self._ink(panel), self.series_of(panel))
        self._note("compare", panel=panel)
        return {"explained": found.explained, "supported": found.supported}

    def signs(self, panel: int) -> dict[str, float]:
        """Numbers by which the reading of a panel can be trusted or doubted (see `tools.signs`); {} without a table.

        panel: number of the panel, from 1.
        """
        table, series = self.tables.get(panel), self.series_of(panel)
        if not isinstance(table, Table) or not series:
            return {}
        named = {one.name for number in range(1, len(self.panels) + 1) for one in self.series_of(number)}
        return signs_of(self._panel(panel), self._ink(panel), series, table, len(self.panels), named)

    def pixel_to_value(self, panel: int, side: Side, pixel: float) -> float:
        """The value at a pixel along an axis (days since 1970-01-01 on a date axis, slot number on a category axis).

        panel: number of the panel, from 1.
        side: left, right, bottom or top.
        pixel: x for a horizontal axis, y for a vertical one, in figure pixels.
        """
        return float(self._axis(panel, side).to_value(pixel))

    def value_to_pixel(self, panel: int, side: Side, value: float) -> float:
        """The pixel along an axis at a value: the inverse of `pixel_to_value`.

        panel: number of the panel, from 1.
        side: left, right, bottom or top.
        value: the value, in the axis' own units.
        """
        return float(self._axis(panel, side).to_pixel(value))

    def overlay(self) -> Image:
        """The reading drawn over the figure, (H, W, 3) uint8."""
        return redraw.overlay(self.figure, self.panels, [self.series_of(n) for n in range(1, len(self.panels) + 1)])

    def _panel(self, number: int) -> Panel:
        if not 0 < number <= len(self.panels):
            raise ToolError(f"there are {len(self.panels)} panels, not {number}")
        return self.panels[number - 1]

    def _axis(self, panel: int, side: Side) -> Axis:
        axis = self._panel(panel).axis(side)
        if axis is None:
            raise ToolError(f"panel {panel} has no calibrated {side} axis")
        return axis

    def _replace_panel(self, number: int, panel: Panel) -> None:
        self.panels = (*self.panels[: number - 1], panel, *self.panels[number:])

    def _view(self, number: int) -> View | None:
        if not 0 <= number <= len(self.views):
            raise ToolError(f"there is no view {number} yet: the last one is {len(self.views)}, 0 means the figure")
        return self.views[number - 1] if number else None

    def _home(self, x: float, y: float, view: int) -> tuple[float, float]:
        seen = self._view(view)
        return seen.to_figure(x, y) if seen is not None else (x, y)

    def _place(self, box: Sequence[float], view: int) -> Box:
        """A box in figure pixels, cut to the figure."""
        found = in_figure(self._view(view), box)
        if isinstance(found, Unreadable):
            raise ToolError(found.reason)
        cut = Box(max(0.0, found.x0), max(0.0, found.y0), min(self.figure.width - 1.0, found.x1),
                  min(self.figure.height - 1.0, found.y1))  # fmt: skip
        if cut.width < 2 or cut.height < 2:
            raise ToolError(f"this box lies outside the figure, which is {self.figure.width} x {self.figure.height} px")
        return cut

    def _ink(self, panel: int) -> PlotInk:
        if panel not in self.inks:
            where = self._panel(panel)
            figure = without_insets(self.figure, [where], self.panels)
            plain = with_nested(where, separate(figure, where, words_without(where, self.panels, self.words)))
            self.inks[panel] = with_cells_joined(with_rims(where, plain))
        return self.inks[panel]

    def _note(self, tool: str, box: Box | None = None, **arguments: Any) -> None:
        self.log.append(Evidence(tool, box=box, arguments=arguments))


def may_have_whiskers(one: Series) -> bool:
    """Bars and marked points that have no error bars yet; the vertices of a bare line have none."""
    parts = {mark.part for mark in one.marks}
    marked = one.kind in ("bar", "points") or (one.kind == "line" and "marker" in parts)
    return marked and len(one.marks) <= MANY and not (parts & {"low", "high"} or one.evidence.arguments.get("bubbles"))
