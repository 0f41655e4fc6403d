"""One panel against the tables: mapped, explained, judged row by row.

Not handled here: reading figures and tables, and the verdict over all panels (`checking`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from agent.arithmetic import TRANSFORMS, is_claimed
from agent.bin_check import bin_layouts, drawn_bins
from agent.drawn import drawn_series, figure_words, printed_in
from agent.end_check import check_ends
from agent.explaining import (
    Explanation,
    another_recipe,
    by_names,
    claimed_statistic,
    explain,
    half_swapped,
    swapped,
)
from agent.findings import Finding, Judge, Ruling, Tally, good_share, trusted
from agent.mapping import Hints, Link, PanelMap, fit, map_panel
from agent.missing import missing_series, without_row
from agent.probing import is_clear
from agent.reading import PanelReading, Reading
from agent.recipes import layouts
from agent.source_tables import SourceTable, number_of
from agent.unit_words import unit_is_claimed
from tools.table import Table
from tools.types import Axis, Panel

DOUBTS = ("of the ink in the plot area", "of the values stand on ink")
FOREIGN = 0.3  # below this agreement a panel and a table have nothing to do with each other, unless names say so


@dataclass(eq=False)
class PanelCheck:
    """What was found out about one panel. `links`: which series shows which column, by which recipe; `ends`: what the
    error bars of a column are."""

    number: int
    title: str = ""
    table: SourceTable | None = None
    recipe: str = ""
    links: tuple[Link, ...] = ()
    findings: list[Finding] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)
    reason: str = ""
    ends: dict[str, str] = field(default_factory=dict)

    @property
    def comparable(self) -> bool:
        """True where at least one series was linked to a column and compared."""
        return bool(self.tally.compared + self.tally.unseen) or bool(self.findings)


def map_reading(
    reading: PanelReading, tables: Sequence[SourceTable], tolerance: float, hints: Hints | None = None
) -> PanelMap | str:
    """The map of a panel, or why there is none."""
    if not isinstance(reading.table, Table):
        return f"the panel could not be read: {reading.table.reason}"
    series = drawn_series(reading)
    if not series:
        return "no series with values was read in this panel"
    bins = drawn_bins(reading)
    more = bin_layouts(bins, tables) if bins is not None else []
    found = map_panel(series, reading.panel.title, tables, tolerance, hints, more)
    return found if found is not None else "no column of the data can be put on the axes of this panel"


def judge_panel(
    number: int, reading: PanelReading, found: PanelMap, whole: Reading, tolerance: float, elsewhere: set[str]
) -> PanelCheck:
    """Findings and tally of a mapped panel of a figure, `whole`."""
    check = PanelCheck(number, reading.panel.title, found.layout.table, found.layout.recipe)
    judge = Judge(number, whole.figure.pixels, tolerance, found.series, reading.panel)
    words = figure_words(reading.panel.title, found.series)
    said = " ".join([words, *printed_in(reading.panel.box, whole.words)])
    swaps = swapped(found)
    for one, other in swaps:
        check.findings.append(_swap(number, found, one, other))
    for link in half_swapped(found):
        text = f"{link.drawn.name!r} of the figure shows the column {link.curve.name!r}; another name was not read"
        check.findings.append(Finding("series swapped", "not verifiable", number, link.curve.name, text))
    links = [*found.links, *by_names(found, tolerance)]
    if not any(good_share(link.cells) >= FOREIGN or link.named >= 0.8 for link in links):
        check.reason = "the values of the data and of this panel have nothing in common"
        return _explained_otherwise(check, found, words, tolerance) or check
    explained = explain(links, tolerance)
    if not explained and found.agreement < 0.5 and (again := _explained_otherwise(check, found, words, tolerance)):
        return again
    check.links = tuple(explained[i].link if i in explained else link for i, link in enumerate(links))
    check.findings += [_explanation(number, why, said, reading.panel) for why in explained.values()]
    judge.links = check.links
    for link in check.links:
        _judge_link(check, link, judge)
    doubtful = any(doubt in warning for warning in reading.warnings for doubt in DOUBTS)
    check.findings += [*_arithmetic(check, found, words), *_statistic(check, found, words, judge)]
    kept = _rescaled(replace(found, links=check.links), list(explained.values()))
    lost = missing_series(kept, reading.panel, judge, elsewhere, doubtful)
    check.findings += [*lost, *without_row(check.links, judge)]
    rows = {curve.name: int(np.isfinite(curve.y).sum()) for curve in found.layout.curves}
    unfound = [f for f in lost if f.kind == "series missing in the figure" and f.ruling == "not verifiable"]
    check.tally.add(Tally(unsure=sum(rows.get(finding.series, 0) for finding in unfound)))
    return check


def _rescaled(found: PanelMap, explained: Sequence[Explanation]) -> PanelMap:
    """The map with the columns that no series shows in the figure's unit, where one factor explains all others."""
    factors = {why.factor for why in explained}
    if len(factors) != 1 or len(explained) < len(found.links):
        return found
    times = factors.pop()
    linked = {link.curve.name: link.curve for link in found.links}
    curves = [linked.get(curve.name) or replace(curve, y=curve.y * times) for curve in found.layout.curves]
    return replace(found, layout=replace(found.layout, curves=tuple(curves)))


def _judge_link(check: PanelCheck, link: Link, judge: Judge) -> None:
    """Rows of one series: single findings where enough agrees, else one that says that nothing can be said."""
    rows, tally = judge.rows(link)
    if trusted(link, check.links):
        check.findings += rows
        check.tally.add(tally)
        if check.table is not None:
            what, ends, compared = check_ends(link, check.table, judge)
            check.ends |= {link.curve.name: what} if what else {}
            check.findings += ends
            check.tally.add(compared)
        return
    counted = link.cells.counted
    check.tally.add(Tally(unsure=counted))
    differ = counted - round(good_share(link.cells) * counted)
    words = (
        f"{differ} of {counted} rows do not agree with {link.drawn.name!r} as read; so many differences at once "
        "may be a misreading, or another column or another treatment of the data"
    )
    check.findings.append(
        Finding("not comparable", "not verifiable", judge.panel, link.curve.name, words, severity="medium")
    )


def _swap(number: int, found: PanelMap, one: Link, other: Link) -> Finding:
    clear = is_clear(one.drawn.colour, [other.drawn.colour])
    first = f"{one.drawn.name!r} of the figure shows the column {one.curve.name!r}"
    words = f"{first}, and {other.drawn.name!r} shows {other.curve.name!r}"
    ruling: Ruling = "discrepancy" if clear else "not verifiable"
    return Finding("series swapped", ruling, number, f"{one.curve.name}, {other.curve.name}", words)


def _explanation(number: int, why: Explanation, words: str, panel: Panel) -> Finding:
    column = " ".join(dict.fromkeys((why.link.curve.name, *why.link.curve.columns)))
    if "log" in why.words:
        claimed = "log" in f"{words} {column}".lower()
    else:
        claimed = why.kind == "scale or unit factor" and unit_is_claimed(words, column, why.factor)
    axis = why.link.drawn.axis
    doubted = not is_sure(axis) or (why.factor != 1.0 and may_be_another(axis, panel))
    if not claimed and why.kind != "shifted x" and doubted:
        text = why.words + ", or the tick labels of its axis were misread"
        return Finding(why.kind, "not verifiable", number, why.link.curve.name, text, severity="medium")
    ruling: Ruling = "note" if claimed else "discrepancy"
    text = why.words + (" (its labels say so)" if claimed else "")
    return Finding(why.kind, ruling, number, why.link.curve.name, text, severity="low" if claimed else "high")


def is_sure(axis: Axis) -> bool:
    """True of an axis all of whose tick labels were taken at the value that they print (but for its rounding)."""
    printed = [(number_of(anchor.text), anchor.value) for anchor in axis.anchors]
    return all(not np.isfinite(text) or abs(text - value) <= 0.2 * abs(value) for text, value in printed)


def may_be_another(axis: Axis, panel: Panel) -> bool:
    """True where the scale may be another: `7.500` may be thousands, and a second value axis may be the right one."""
    across = [one for one in panel.axes if one.horizontal == axis.horizontal and one.scale == axis.scale]
    texts = [anchor.text.lstrip("+-−–") for anchor in axis.anchors if anchor.value]
    return len(across) > 1 or (bool(texts) and all(re.fullmatch(r"[1-9]\d{0,2}[.,]\d{3}", text) for text in texts))


def _explained_otherwise(check: PanelCheck, found: PanelMap, words: str, tolerance: float) -> PanelCheck | None:
    """The panel explained by arithmetic on the same columns, with a finding that says so."""
    other = another_recipe(found, check.title, tolerance)
    if other is None:
        return None
    ruling: Ruling = "note" if is_claimed(other.layout.recipe, words) else "not verifiable"
    text = f"the figure shows the {other.layout.recipe} of the columns, not the columns themselves"
    check.findings.append(
        Finding(
            "different aggregation explains it",
            ruling,
            check.number,
            other.links[0].curve.name,
            text,
            severity="medium",
        )
    )
    check.links, check.recipe, check.reason = other.links, other.layout.recipe, ""
    for link in other.links:
        check.tally.agree += len(link.cells.rows("agrees", "within tolerance"))
        check.tally.within_error += len(link.cells.rows("within reading error"))
    return check


def _arithmetic(check: PanelCheck, found: PanelMap, words: str) -> list[Finding]:
    """Arithmetic that the figure's words do not speak of: logarithms are another scale, the rest is worth a note."""
    recipe, columns = found.layout.recipe, " ".join(curve.name for curve in found.layout.curves)
    name = next((name for name, _, _ in TRANSFORMS if recipe.startswith(name)), "")
    if not name or is_claimed(recipe, words) or "log" in columns.lower():
        return []
    if "log" in name or name == "ln" or name.endswith("to the power"):
        text = f"the figure shows {name} of the table's values, and its labels do not say so"
        return [Finding("scale or unit factor", "discrepancy", check.number, found.links[0].curve.name, text)]
    text = f"the figure shows the {recipe} of the columns, not the columns themselves"
    curve = found.links[0].curve.name
    return [Finding("different aggregation explains it", "note", check.number, curve, text, severity="low")]


def _statistic(check: PanelCheck, found: PanelMap, words: str, judge: Judge) -> list[Finding]:
    """The figure says mean and shows medians, or the other way round: seen where the claimed statistic does not fit."""
    claimed, recipe = claimed_statistic(words), found.layout.recipe
    shown = next((name for name in ("mean", "median", "sum", "count") if recipe.startswith(f"{name} o")), "")
    if not claimed or not shown or shown == claimed or check.tally.differ:
        return []
    wanted = claimed + recipe.removeprefix(shown)
    layout = next((one for one in layouts(found.layout.table) if one.recipe == wanted), None)
    other = fit(found.series, "", layout, judge.tolerance) if layout is not None else None
    if other is None:
        return []
    rows = [row for link in other.links for row in judge.rows(link)[0] if row.ruling == "discrepancy"]
    if not rows:
        return []
    worst = max(rows, key=lambda row: row.share or 0.0)
    text = f"the figure speaks of the {claimed}, but shows the {shown}"
    return [replace(worst, kind="different aggregation explains it", message=text)]
