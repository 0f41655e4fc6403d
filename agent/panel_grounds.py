"""One panel grounded in a source table: by which recipe its values come from which cells, or why it cannot be used.

The map itself is `mapping`'s: names count, the shape of the curves decides; `reliability` holds the words against it.
Not handled here: which tables come into question (`binding`), questions (`synthesis`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from agent.arithmetic import TRANSFORMS
from agent.binding import Binding
from agent.box_check import match_boxes
from agent.drawn import Drawn, drawn_series
from agent.elements import Element, axis_words, box_elements, elements_of, x_label
from agent.mapping import FITS, PanelMap
from agent.panel_check import map_reading
from agent.reading import PanelReading
from agent.recipes import filter_of
from agent.reliability import (
    AMBIGUOUS,
    ANALYSIS,
    DOMAIN,
    NOT_FOUND,
    PRINTED,
    RELATIVE,
    UNLABELLED,
    UNREAD,
    UNSCALED,
    box_rivals,
    is_explained,
    is_said,
    printed_values,
    unlabelled,
    unsupported,
)
from agent.source_tables import SourceTable
from tools.table import Table
from tools.types import Axis, Word

TOLERANCE = 0.05


@dataclass(frozen=True)
class Recipe:
    """How the values of a panel come from a table. `filters`: series -> column -> the value its rows have there."""

    file: str
    sheet: str
    header_row: int
    x: str
    columns: tuple[str, ...]
    filters: dict[str, dict[str, str]]
    aggregation: str = ""
    ratio: str = ""
    log: str = ""

    @property
    def words(self) -> str:
        """In words: the operations, the last one first."""
        parts = [self.log, self.ratio, self.aggregation, " and ".join(self.columns)]
        return " of ".join(part for part in parts if part)


@dataclass(frozen=True, eq=False)
class Grounded:
    """What became of a panel. `reason` is one of REASONS where it was rejected, `detail` says what was found."""

    letter: str
    kind: str
    binding: Binding | None
    recipe: Recipe | None = None
    reason: str = ""
    detail: str = ""
    label: str = ""
    unit: str = ""
    x_label: str = ""
    elements: tuple[Element, ...] = ()
    log: bool = False
    words: str = field(default="", repr=False)

    def to_json(self) -> dict[str, Any]:
        """The record of the panel, without its values."""
        found = {"panel": self.letter, "kind": self.kind, "reason": self.reason, "detail": self.detail}
        found["mapping"] = asdict(self.binding) if self.binding else None  # type: ignore[assignment]
        found["recipe"] = asdict(self.recipe) | {"words": self.recipe.words} if self.recipe else None  # type: ignore[assignment]
        return found


def ground_panel(
    reading: PanelReading, letter: str, words: Sequence[Word], caption: str, bindings: Sequence[Binding],
    tables: Sequence[SourceTable],
) -> Grounded:  # fmt: skip
    """Ground one panel. `tables`: the blocks that the bindings name; `words`: all text of the figure; `caption`: what
    the paper says under this panel."""
    first = bindings[0] if bindings else None
    kind = next((one.kind for one in reading.series), "")
    if not isinstance(reading.table, Table):
        return Grounded(letter, kind, first, reason=UNREAD, detail=reading.table.reason)
    if not tables:
        return Grounded(letter, kind, first, reason=NOT_FOUND, detail="no table of the paper could be bound to it")
    if reading.table.form == "box":
        return _boxes(reading, letter, caption, bindings, tables)
    series = drawn_series(reading)
    bare = unlabelled(reading, series)
    axis = series[0].axis if series else None
    found = map_reading(reading, tables, TOLERANCE)
    mapped = found if isinstance(found, PanelMap) else None
    own = _binding_of(mapped.layout.table, bindings) if mapped else first
    about = _words(axis, reading.panel.title, series, caption)
    said = axis_words(axis, mapped.layout.table if mapped else None, caption)
    base = Grounded(letter, kind, own or first, label=said[0], unit=said[1],
                    x_label=x_label(series), log=axis is not None and axis.scale == "log", words=about)  # fmt: skip
    if bare:
        return _with(base, UNLABELLED, bare)
    if printed := printed_values(reading, series, words):
        return _with(base, PRINTED, printed)
    if mapped is None or not is_explained(mapped):
        return _unexplained(base, mapped, about, str(found) if mapped is None else "")
    if problem := unsupported(mapped, about):
        return _with(base, *problem)
    found_elements = (e for one in mapped.links for e in elements_of(one))
    alone = len(series) == 1 and not (mapped.links[0].named >= 0.6 or is_said(series[0].name, caption))
    kept = tuple(replace(e, series="") if alone else e for e in found_elements)
    return _with(base, recipe=recipe_of(mapped), elements=kept)


def _with(base: Grounded, reason: str = "", detail: str = "", **more: Any) -> Grounded:
    return replace(base, reason=reason, detail=detail, **more)


def _binding_of(table: SourceTable, bindings: Sequence[Binding]) -> Binding | None:
    return next((one for one in bindings if one.where == (table.source, table.sheet)), None)


def _words(axis: Axis | None, title: str, series: Sequence[Drawn], caption: str) -> str:
    label = f"{axis.label} {axis.unit}" if axis is not None else ""
    return " ".join([label, title, *(one.name for one in series if one.named), caption])


def _unexplained(base: Grounded, found: PanelMap | None, words: str, why: str) -> Grounded:
    """Rejected: an analysis that the caption names, a reference that is not there, or simply other values."""
    if analysis := ANALYSIS.search(words):
        return _with(base, DOMAIN, f"the paper speaks of {analysis[0]!r}, and no plain recipe gives the drawn values")
    if relative := RELATIVE.search(words):
        return _with(base, UNSCALED, f"the figure says {relative[0]!r}; no column or row of the table is its reference")
    detail = why or f"at best {found.agreement:.0%} of the drawn values agree with a recipe" if found else why
    return _with(base, NOT_FOUND, detail)


def recipe_of(found: PanelMap) -> Recipe:
    """The recipe of a map: sheet, columns, filters, aggregation, ratio, log."""
    layout, table = found.layout, found.layout.table
    words = layout.recipe
    steps = {"log": "", "ratio": ""}
    for name, _, _ in TRANSFORMS:
        if words.startswith(f"{name} of ") or words == name:
            steps["log" if "log" in name or name == "ln" else "ratio"] = name
            words = words.removeprefix(name).removeprefix(" of ")
            break
    if words.startswith(("percent of", "share of", "ratio")):
        steps["ratio"], words = words, "as is"
    aggregation = words if re.match(r"mean|median|sum|count|rows|Kaplan", words) else ""
    columns = tuple(dict.fromkeys(name for link in found.links for name in link.curve.columns))
    filters = {link.curve.name: f for link in found.links if (f := filter_of(words, link.curve.name, table))}
    return Recipe(table.source, table.sheet, table.header_row, layout.x_name, columns, filters, aggregation, **steps)


def _boxes(
    reading: PanelReading, letter: str, caption: str, bindings: Sequence[Binding], tables: Sequence[SourceTable]
) -> Grounded:
    """A panel of box plots: median and quartiles of its boxes."""
    found = match_boxes(reading, tables)
    first = bindings[0] if bindings else None
    if isinstance(found, str):
        return Grounded(letter, "box", first, reason=NOT_FOUND, detail=found)
    label, unit = axis_words(found.axis, found.source, caption)
    about = f"{label} {unit} {reading.panel.title} {caption}"
    base = Grounded(letter, "box", _binding_of(found.source, bindings) or first, label=label, unit=unit, words=about,
                    log=found.axis.scale == "log")  # fmt: skip
    if found.worth < FITS:
        return _unexplained(base, None, about, f"{found.worth:.0%} of the boxes agree with {found.boxes[0]}")
    column = found.boxes[0].partition(" of ")[2].split(" per ")[0]
    aggregation = "" if found.boxes[0] == "as is" else found.boxes[0]
    recipe = Recipe(found.source.source, found.source.sheet, found.source.header_row, found.source.columns[0].name,
                    (column,) if column else (), {}, aggregation)  # fmt: skip
    if column and (rivals := box_rivals(column, found.source, label, about)):
        return _with(base, AMBIGUOUS, f"{column!r} or {', '.join(map(repr, rivals))}: nothing says which")
    return _with(base, recipe=recipe, elements=tuple(box_elements(found)))
