"""What one figure shows, each thing by its name: values of cells, colours of series, place of the legend, text style.

It is taken from what a reading wrote (`reading.json`), so that two readings made elsewhere and earlier can be compared
as well as fresh ones. Not handled here: comparing (`diffing`), measuring of letters (`tools.text_style`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from rapidfuzz import fuzz

from agent.rows import day_of
from tools.table import Cell, Table
from tools.text_style import TextStyle, measure_text
from tools.types import Box, Figure, Panel, Unreadable, Word

if TYPE_CHECKING:
    from agent.reading import PanelReading

Key = float | str
REGIONS = ("title", "legend", "axis_labels", "ticks")
ROWS, COLUMNS = ("upper", "center", "lower"), ("left", "center", "right")
THIRD = 0.25  # share of the room beside a legend: closer to a side than this, it stands there
SAME_TEXT = 85.0  # of 100: words that were joined or cut differently are still the same text


@dataclass(frozen=True)
class CellValue:
    """One value with its 90 % interval; `key` is the row's number, days of a date, or name."""

    row: str
    key: Key
    column: str
    value: float
    low: float
    high: float
    source: str = "pixel"


@dataclass(frozen=True)
class Grounding:
    """One panel. `cells` in the order of the table; `colours`: name of a series to "#rrggbb"; `place`: on the 3 x 3
    grid ("upper left", "center", ...), "outside right" and the like, or "none"; `texts`: region to {"size_px",
    "weight", "family"}, each a value or, where it was refused, None with its reason under "reasons"."""

    title: str
    cells: tuple[CellValue, ...]
    colours: Mapping[str, str]
    place: str
    texts: Mapping[str, Mapping[str, Any]]
    refused: str = ""

    def to_json(self) -> dict[str, Any]:
        """Everything, JSON-able."""
        return asdict(self)


def groundings(data: Mapping[str, Any]) -> list[Grounding]:
    """The panels of a reading as `reading.json` holds it."""
    found = [ground(panel) for panel in data.get("panels", ())]
    if not found and data.get("legend"):
        found = [ground({"legend": data["legend"], "reason": "no chart was found in this picture"})]
    return found


def ground(panel: Mapping[str, Any]) -> Grounding:
    """One panel of `reading.json`."""
    table = panel.get("table")
    legend = panel.get("legend") or {}
    return Grounding(
        panel.get("title", ""), tuple(cells_of(table)) if table else (), colours_of(panel), legend.get("place", "none"),
        panel.get("text") or {}, panel.get("reason", ""),
    )  # fmt: skip


def tables_of(data: Mapping[str, Any]) -> list[tuple[str, Table]]:
    """The tables of a reading as `reading.json` holds it, each with its panel's title."""
    return [(panel.get("title", ""), _table(panel["table"])) for panel in data.get("panels", ()) if panel.get("table")]


def _table(data: Mapping[str, Any]) -> Table:
    """The inverse of `Table.to_json`, as far as values, words, intervals and places go."""
    rows = tuple(
        tuple(
            Cell(
                cell["value"],
                cell["text"],
                cell["status"],
                cell.get("reason", ""),
                _pixel(cell),
                cell.get("low"),
                cell.get("high"),
                cell.get("source", "pixel"),
            )
            for cell in row
        )
        for row in data["rows"]
    )
    return Table(tuple(data["header"]), rows, data.get("form", "wide"), data.get("title", ""))


def _pixel(cell: Mapping[str, Any]) -> tuple[float, float] | None:
    return (cell["pixel"][0], cell["pixel"][1]) if "pixel" in cell else None


def cells_of(table: Mapping[str, Any]) -> Iterable[CellValue]:
    """Every number of a table (not the x of its rows) with the names of its row and column.

    Rows of boxes are named by category and series, bins by both edges; of tables in long form the column is the series.
    """
    header, form = list(table["header"]), table.get("form", "wide")
    series = header.index("series") if "series" in header else None
    own = [i for i, name in enumerate(header) if i and i != series and name != "outliers"]
    if form == "histogram":
        own = [i for i in own if header[i] != "bin high"]
    for row in table["rows"]:
        texts = [row[0]["text"]]
        if form == "box" and series is not None:
            texts.append(row[series]["text"])
        elif form == "histogram":
            texts.append(row[1]["text"])
        name = ", ".join(texts)
        for i in own:
            cell = row[i]
            if isinstance(cell["value"], int | float):
                column = row[series]["text"] if form == "long" and series is not None else header[i]
                value = float(cell["value"])
                low, high = cell.get("low"), cell.get("high")
                yield CellValue(name, _key(row[0], len(texts) == 1, name), column, value,
                                value if low is None else low, value if high is None else high,
                                cell.get("source", "pixel"))  # fmt: skip


def _key(cell: Mapping[str, Any], alone: bool, name: str) -> Key:
    if not alone:
        return name
    value = cell["value"]
    return float(value) if isinstance(value, int | float) else _day(cell["text"])


def _day(text: str) -> Key:
    day = day_of(text)
    return text if day is None else day


def colours_of(panel: Mapping[str, Any]) -> dict[str, str]:
    """Name to measured colour. A series without a name is called by the column of its values."""
    series = panel.get("series") or ()
    header = (panel.get("table") or {}).get("header", ["", "series 1"])
    swatches = {entry["name"]: entry["colour"] for entry in (panel.get("legend") or {}).get("entries", ())}
    found: dict[str, str] = {}
    for number, one in enumerate(series, 1):
        name = one["name"] or (header[1] if len(series) == 1 and len(header) > 1 else f"series {number}")
        found.setdefault(name, swatches.get(name, one["colour"]) if one["kind"] == "box" else one["colour"])
    return found or swatches


def legend_panel(figure: Figure, reading: PanelReading, words: Sequence[Word], alone: bool) -> Panel:
    """The panel that a legend belongs to: the panel read, or the whole figure where its only panel (`alone`) was
    refused. Round and three-dimensional charts have a legend and colours all the same."""
    panel = reading.panel
    if not alone or not words or not isinstance(reading.table, Unreadable):
        return panel
    found = whole_figure(figure, words)
    more = len(found.legend.entries) > len(panel.legend.entries)
    return found if more or (found.legend.entries and legend_place(panel).startswith("outside")) else panel


def whole_figure(figure: Figure, words: Sequence[Word]) -> Panel:
    """The whole figure as one panel without axes, with the legend that stands in it."""
    from tools.legend import read_legend

    whole = Box(0.0, 0.0, figure.width - 1.0, figure.height - 1.0)
    return read_legend(figure, [Panel(whole, whole)], words)[0]


def legend_place(panel: Panel) -> str:
    """Where the legend stands relative to the plot: by the room that it leaves on either side.

    A legend that leaves twice as much room on one side as needed to be nearer to it than a quarter stands at that side;
    one whose middle is not in the plot is outside, at the side where it leaves the plot farthest.
    """
    legend = panel.legend
    if legend.box is None or not legend.entries or all(entry.kind == "label" for entry in legend.entries):
        return "none"
    box = legend.box
    plot = _with_headroom(panel)
    x, y = box.centre
    if not plot.contains(x, y):
        beyond = {"left": plot.x0 - x, "right": x - plot.x1, "top": plot.y0 - y, "bottom": y - plot.y1}
        return f"outside {max(beyond, key=lambda side: beyond[side])}"
    row = ROWS[_third(box.y0 - plot.y0, plot.y1 - box.y1)]
    column = COLUMNS[_third(box.x0 - plot.x0, plot.x1 - box.x1)]
    return " ".join(dict.fromkeys((row, column)))


def place_on_figure(data: Mapping[str, Any]) -> str | None:
    """Where the legend of a figure of one panel stands on a 3 x 3 grid over the whole figure; None where there is none.
    This is the place of a legend outside of its plot for those who know nine places only."""
    panels = data.get("panels", ())
    box = (panels[0].get("legend") or {}).get("box") if len(panels) == 1 else None
    figure = data.get("figure")
    if box is None or not figure:
        return None
    row, column = ROWS[_third(box[1], figure["height"] - box[3])], COLUMNS[_third(box[0], figure["width"] - box[2])]
    return " ".join(dict.fromkeys((row, column)))


def _with_headroom(panel: Panel) -> Box:
    """The data area; where no frame closes it above its last tick or grid line, with the step that may follow there,
    as far as the legend needs it and no more than the panel has."""
    plot, legend = panel.plot, panel.legend.box
    pixels = sorted(a.pixel for axis in panel.axes if not axis.horizontal for a in axis.anchors)
    if legend is None or len(pixels) < 2 or abs(pixels[0] - plot.y0) > 2 or legend.y1 > plot.y1:
        return plot
    top = max(pixels[0] - (pixels[1] - pixels[0]), panel.box.y0)
    inside = plot.x0 <= legend.x0 and legend.x1 <= plot.x1 and legend.y0 >= top
    return Box(plot.x0, min(plot.y0, legend.y0), plot.x1, plot.y1) if inside else plot


def _third(before: float, after: float) -> Literal[0, 1, 2]:
    """0: near the first side, 2: near the second one, 1: between."""
    before, after = max(before, 0.0), max(after, 0.0)
    share = before / max(before + after, 1e-9)
    return 0 if share < THIRD else 2 if share > 1 - THIRD else 1


def texts_of(figure: Figure, reading: PanelReading, words: Sequence[Word]) -> dict[str, dict[str, Any]]:
    """Size in px, weight and family of the words of each region of a panel, with reasons for what was refused."""
    found = {}
    for region, mine in words_of(reading.panel, words).items():
        found[region] = _style_json(measure_text(figure.pixels, mine))
    return found


def words_of(panel: Panel, words: Sequence[Word]) -> dict[str, list[Word]]:
    """The words of title, legend, axis labels and ticks. Words of the legend and ticks keep the boxes they were read
    in; a title or label that was read in several lines has them all."""
    free = [word for word in words if not panel.plot.contains(*word.box.centre)]
    ticks = [Word(a.text, a.box, _angle(a.box, words)) for axis in panel.axes for a in axis.anchors if a.box]
    taken = {_corner(word.box) for word in ticks}
    beside = [word for word in free if _corner(word.box) not in taken]
    labels = [axis.label for axis in panel.axes if axis.label]
    return {
        "title": _named(beside, [panel.title] if panel.title else []),
        "legend": [Word(entry.name, entry.box) for entry in panel.legend.entries if entry.box is not None],
        "axis_labels": _named(beside, labels),
        "ticks": [word for word in ticks if any(c.isalnum() for c in word.text)],
    }


def _corner(box: Box) -> tuple[int, int]:
    return round(box.x0), round(box.y0)


def _angle(box: Box, words: Sequence[Word]) -> float:
    """The angle of the word that was read in a place; 0 where there is none."""
    return next((word.angle for word in words if _corner(word.box) == _corner(box)), 0.0)


def _named(words: Sequence[Word], texts: Sequence[str]) -> list[Word]:
    """The words that are one of the texts, or a line of it."""
    return [
        word
        for word in words
        if any(fuzz.partial_ratio(word.text, text) >= SAME_TEXT and len(word.text) <= len(text) + 2 for text in texts)
        and len(word.text) > 1
    ]


def _style_json(style: TextStyle) -> dict[str, Any]:
    found: dict[str, Any] = {}
    reasons = {}
    for name, value in (("size_px", style.size), ("weight", style.weight), ("family", style.family)):
        found[name] = None if isinstance(value, Unreadable) else value
        if isinstance(value, Unreadable):
            reasons[name] = value.reason
    return found | ({"reasons": reasons} if reasons else {})
