"""Somebody's table put onto the ink: each value is replaced by what is drawn at its place, or stays as it was said.

The rows and names of the table are believed, its values only so far: a value is a hint of where to look. The series of
the table are paired with what was measured by name and by closeness; what stays too far from the ink keeps the value
that was said, with source "model" and the reason. Not handled here: parsing (`drafts`), measuring (the readers), whole
panels that the table has and the figure has not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tools.align import assign, plain, similarity
from tools.describing import hex_of
from tools.drafts import Draft, DraftSeries, is_box, key_columns, number_of, series_of
from tools.ink import PlotInk
from tools.naming import value_axis
from tools.printing import number_text, resolution
from tools.snap_boxes import box_cells
from tools.snap_curves import Spots, curve_spots, spots_of, unclaimed_curve
from tools.snap_keys import place_keys
from tools.table import MISSING, Cell, Form, Table
from tools.tabulate import measure
from tools.types import Axis, Floats, Mark, Panel, Series, Side

SHARES = 1.2  # the largest value of a series that may be shares of an axis in per cent
FAR = 0.12  # share of the plot's extent beyond which ink is not what the table means
SPREAD = 0.06  # usual distance of a fair draft, by the same measure
NEARER = 0.6  # times the distance of a measured series at which a curve followed along the draft is taken instead
LEAST = 0.2  # merit of a pair of a drafted and a measured series
CURVES = ("line", "area", "stacked area", "band", "step")
SAID = "said, not measured: "


@dataclass(frozen=True)
class Claim:
    """A value that was said and not measured, at the figure pixels where it would stand (nan: they are not known)."""

    series: str
    row: str
    text: str
    x: float
    y: float
    reason: str


@dataclass(frozen=True, eq=False)
class Snapped:
    """The table, what its values were measured from, the panel (a placeholder year put right), how many values were
    measured and how many only said, what a person should know, and the values that were only said."""

    table: Table
    series: tuple[Series, ...]
    panel: Panel
    measured: int
    said: int
    warnings: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, eq=False)
class Pair:
    """A drafted series, the measured one that it was paired with (None: none), and the spots at its rows."""

    draft: DraftSeries
    series: Series | None
    spots: Spots | None
    reason: str = ""


@dataclass(frozen=True, eq=False)
class Bench:
    """What snapping works on: the panel, its ink, the key axis and the pixels (rows,) of the draft's rows along it."""

    panel: Panel
    ink: PlotInk
    key: Axis | None
    pixels: Floats
    measured: Sequence[Series] = field(default=())


def snap(panel: Panel, ink: PlotInk, series: Sequence[Series], draft: Draft) -> Snapped:
    """The draft's rows and columns with the values that the ink shows; `series` is what was measured in the panel."""
    if is_box(draft):
        boxes, count = box_cells(panel, series, draft)
        return _result(panel, tuple(one for one in series if one.kind == "box"), draft, boxes, count, [])
    horizontal = any(one.orientation == "horizontal" and one.kind not in (*CURVES, "points") for one in series)
    keys = place_keys(panel.y if horizontal else panel.x, _key_texts(draft), panel.plot)
    if keys.axis is not None:
        panel = replace(panel, axes=tuple(keys.axis if a.side == keys.axis.side else a for a in panel.axes))
    bench = Bench(panel, ink, keys.axis, keys.pixels, [one for one in series if one.marks])
    drafted = [_in_percent(panel, one) for one in series_of(draft)]
    pairs = pair_up(bench, drafted)
    cells: dict[tuple[int, int], Cell] = {}
    snapped = []
    warnings = list(draft.warnings)
    for pair in pairs:
        cells |= pair_cells(bench, pair, draft)
        if pair.series is not None and pair.spots is not None:
            snapped.append(as_series(pair, cells))
        elif pair.reason:
            warnings.append(f"{pair.draft.name}: {pair.reason}")
    left = _left_out(bench.measured, pairs)
    if left:
        warnings.append(f"measured in the figure, but not in the table: {', '.join(left)}")
    if "series" in [name.lower() for name in draft.header]:
        cells |= _moved_x(bench, pairs)
    found = _result(panel, tuple(snapped), draft, cells, _count(cells), warnings)
    return replace(found, claims=tuple(claim for pair in pairs for claim in _claims(bench, pair, draft, cells)))


def _left_out(measured: Sequence[Series], pairs: Sequence[Pair]) -> list[str]:
    """Names (or colours) of the measured series that no series of the table was paired with."""
    taken = {pair.series.colour for pair in pairs if pair.series is not None}
    return [one.name or hex_of(one.colour) for one in measured if len(one.marks) > 2 and one.colour not in taken]


def _in_percent(panel: Panel, one: DraftSeries) -> DraftSeries:
    """Shares (0 to 1) of an axis that prints per cent are taken as per cent; their cells go back to shares."""
    axes = [axis for axis in panel.axes if axis.scale == "linear" and not axis.categories]
    percent = any(axis.unit == "%" for axis in axes)
    known = one.values[np.isfinite(one.values)]
    if not percent or not len(known) or np.abs(known).max() > SHARES:
        return one
    return replace(one, values=one.values * 100, factor=100.0)


def _key_texts(draft: Draft) -> list[str]:
    if key_columns(draft) == 2:
        return [f"{(number_of(row[0]) + number_of(row[1])) / 2:.12g}" for row in draft.rows]
    return [row[0] for row in draft.rows]


def _count(cells: Mapping[tuple[int, int], Cell]) -> tuple[int, int]:
    said = sum(cell.source == "model" for cell in cells.values())
    return sum(cell.value is not None for cell in cells.values()) - said, said


def pair_up(bench: Bench, drafts: Sequence[DraftSeries]) -> list[Pair]:
    """Each drafted series with the measured series (read on its likeliest axis) that it describes."""
    options = [option for one in bench.measured for option in _on_axes(bench.panel, one)]
    owner = [i for i, one in enumerate(bench.measured) for _ in _on_axes(bench.panel, one)]
    scores = np.zeros((len(drafts), len(bench.measured)))
    best: dict[tuple[int, int], tuple[Series, Spots]] = {}
    for j, draft in enumerate(drafts):
        for option, i in zip(options, owner, strict=True):
            spots = _spots(bench, option, draft)
            score = _merit(bench.panel, option, draft, spots)
            if score > scores[j, i]:
                scores[j, i], best[j, i] = score, (option, spots)
    chosen = dict(assign(scores, LEAST))
    taken = [bench.measured[i] for i in chosen.values()]
    pairs = []
    for j, draft in enumerate(drafts):
        found = best[j, chosen[j]] if j in chosen else None
        if found is None or _distance(bench.panel, found[0], draft, found[1]) > SPREAD:
            found = _better(bench, draft, found, taken)
        if found is not None and found[0].kind in ("line", "step") and not loops(found[0]):
            found = found[0], curve_spots(bench.panel, bench.ink, found[0], bench.pixels[_rows(draft)], True)
        pairs.append(Pair(draft, *found) if found else Pair(draft, None, None, "nothing that was measured is like it"))
    return pairs


def _better(
    bench: Bench, draft: DraftSeries, found: tuple[Series, Spots] | None, taken: Sequence[Series]
) -> tuple[Series, Spots] | None:
    """Ink that no reader gave as a series, followed along the draft, where that is nearer than what was found."""
    axis = value_axis(bench.panel, found[0]) if found else bench.panel.y
    if axis is None or axis.horizontal or (found and found[0].kind != "line"):
        return found
    pixels = bench.pixels[_rows(draft)]
    other = unclaimed_curve(bench.panel, bench.ink, axis, pixels, axis.to_pixel(draft.values), taken)
    if other is None or found is None:
        return other or found
    here, there = (_distance(bench.panel, one, draft, spots) for one, spots in (found, other))
    nearer = there < NEARER * here
    return other if nearer else found


def loops(one: Series) -> bool:
    """A curve that is no function of x (a profile, a loop): its vertices are looked up like points."""
    along = np.diff([mark.x for mark in one.marks])
    return one.kind == "line" and bool(np.any(along < -0.5))


def _rows(draft: DraftSeries) -> list[int]:
    return [row for row, _ in draft.cells]


def _on_axes(panel: Panel, one: Series) -> list[Series]:
    """The series read on every value axis that it may belong to, its own first."""
    sides: tuple[Side, ...] = ("bottom", "top") if one.orientation == "horizontal" else ("left", "right")
    if one.kind in (*CURVES, "points") and one.orientation == "horizontal":
        one, sides = replace(one, orientation="vertical", axis="left"), ("left", "right")  # a profile
    own = value_axis(panel, one)
    others = [replace(one, axis=side) for side in sides if (axis := panel.axis(side)) and axis is not own]
    return [one, *others] if own is not None else []


def _spots(bench: Bench, one: Series, draft: DraftSeries) -> Spots:
    pixels = bench.pixels[_rows(draft)]
    axis = value_axis(bench.panel, one)
    if one.kind in CURVES and not loops(one):
        return curve_spots(bench.panel, bench.ink, one, pixels, False)
    wanted = axis.to_pixel(draft.values) if axis is not None else np.full(len(pixels), np.nan)
    return spots_of(bench.panel, one, bench.key, pixels, wanted)


def _merit(panel: Panel, one: Series, draft: DraftSeries, spots: Spots) -> float:
    """0 to 1.5: closeness times the share of the values that have a spot, and likeness of the names."""
    distance = _distance(panel, one, draft, spots)
    wanted = np.isfinite(draft.values)
    covered = float(np.mean(spots.found[wanted])) if wanted.any() else 0.0
    close = float(np.exp(-distance / (2 * SPREAD))) if np.isfinite(distance) else 0.0
    named = similarity(plain(one.name), plain(draft.name)) if one.name else 0.0
    return covered * close * (1 + (0.5 * named if named > 0.5 else 0.0))


def _distance(panel: Panel, one: Series, draft: DraftSeries, spots: Spots) -> float:
    """The median distance of the draft from the spots, as a share of the plot's extent; infinite without any."""
    away = np.abs(_away(panel, one, draft.values, spots))
    away = away[np.isfinite(away)]
    return float(np.median(away)) if len(away) else float("inf")


def _away(panel: Panel, one: Series, values: Floats, spots: Spots) -> Floats:
    """How far each value lies from its spot, as a share of the plot's extent along the value axis (nan: no spot)."""
    axis = value_axis(panel, one)
    if axis is None:
        return np.full(len(values), np.nan)
    extent = panel.plot.width if axis.horizontal else panel.plot.height
    cells = [None if mark is None else measure(axis, mark, one) for mark in spots.marks]
    shown = np.array([c.value if c is not None and isinstance(c.value, float) else np.nan for c in cells])
    if axis.scale == "log":
        return np.asarray((axis.to_pixel(shown) - axis.to_pixel(values)) / extent, dtype=np.float64)
    return np.asarray((shown - values) / (abs(axis.slope) * extent), dtype=np.float64)


def pair_cells(bench: Bench, pair: Pair, draft: Draft) -> dict[tuple[int, int], Cell]:
    """The cells of one series: measured where the ink is near what was said, else said."""
    found: dict[tuple[int, int], Cell] = {}
    axis = value_axis(bench.panel, pair.series) if pair.series is not None else None
    if pair.series is None or pair.spots is None or axis is None:
        for place, value in zip(pair.draft.cells, pair.draft.values, strict=True):
            found[place] = said(draft, place, value, pair.reason or "its axis could not be calibrated")
            found |= _said_ends(pair, draft, place[0])
        return found
    away = _away(bench.panel, pair.series, pair.draft.values, pair.spots)
    for k, place in enumerate(pair.draft.cells):
        mark, value = pair.spots.marks[k], float(pair.draft.values[k])
        if not np.isfinite(value):
            found[place] = said(draft, place, value, "")
        elif mark is None:
            found[place] = _nothing_there(pair, axis, draft, place, value, bench)
        elif abs(away[k]) > FAR:
            shown = cell_of(axis, mark, pair).text
            found[place] = said(draft, place, value, f"the ink at this place shows {shown}")
        else:
            found[place] = cell_of(axis, mark, pair)
        found |= _ends(pair, axis, draft, k)
    return found


def cell_of(axis: Axis, mark: Mark, pair: Pair) -> Cell:
    """The measured cell in the units of the draft."""
    cell = measure(axis, mark, pair.series) if pair.series is not None else MISSING
    factor = pair.draft.factor
    if factor == 1.0 or not isinstance(cell.value, float) or cell.low is None or cell.high is None:
        return cell
    along = mark.x if axis.horizontal else mark.y
    text = number_text(cell.value / factor, resolution(axis, along) / factor)
    return replace(cell, value=cell.value / factor, text=text, low=cell.low / factor, high=cell.high / factor)


def _nothing_there(
    pair: Pair, axis: Axis, draft: Draft, place: tuple[int, int], value: float, bench: Bench
) -> Cell:  # fmt: skip
    """A bar of no height is not drawn, and that is a measurement; anywhere else nothing was measured."""
    bars = pair.series is not None and pair.series.kind in ("bar", "stack", "histogram")
    placed = np.isfinite(bench.pixels[place[0]])
    extent = bench.panel.plot.width if axis.horizontal else bench.panel.plot.height
    if bars and placed and axis.scale != "log" and abs(value) < FAR * abs(axis.slope) * extent:
        return Cell(0.0, "0", "read", "no bar is drawn here")
    reason = "nothing of its series is drawn at this place" if placed else "its row has no place on the axis"
    return said(draft, place, value, reason)


def said(draft: Draft, place: tuple[int, int], value: float, reason: str) -> Cell:
    """A value as the draft has it, marked as said; a blank stays missing."""
    if not np.isfinite(value):
        return MISSING
    text = draft.rows[place[0]][place[1]]
    return Cell(number_of(text), text, "said", SAID + reason, source="model")


def _ends(pair: Pair, axis: Axis, draft: Draft, k: int) -> dict[tuple[int, int], Cell]:
    """The ends of the error bar at point k, where the draft has columns for them."""
    found = _said_ends(pair, draft, pair.draft.cells[k][0])
    if pair.spots is None or pair.series is None:
        return found
    for column, mark in ((pair.draft.low, pair.spots.lows[k]), (pair.draft.high, pair.spots.highs[k])):
        if column >= 0 and mark is not None:
            found[pair.draft.cells[k][0], column] = cell_of(axis, mark, pair)
    return found


def _said_ends(pair: Pair, draft: Draft, row: int) -> dict[tuple[int, int], Cell]:
    columns = [column for column in (pair.draft.low, pair.draft.high) if column >= 0]
    reason = "no end of an error bar was found here"
    return {(row, c): said(draft, (row, c), number_of(draft.rows[row][c]), reason) for c in columns}


def _claims(bench: Bench, pair: Pair, draft: Draft, cells: Mapping[tuple[int, int], Cell]) -> list[Claim]:
    """The said values of one series, each where it would stand."""
    axis = value_axis(bench.panel, pair.series) if pair.series is not None else bench.panel.y
    found = []
    for place, value in zip(pair.draft.cells, pair.draft.values, strict=True):
        cell = cells.get(place)
        if cell is None or cell.source != "model":
            continue
        along = float(bench.pixels[place[0]])
        across = float(axis.to_pixel(value)) if axis is not None else float("nan")
        x, y = (across, along) if axis is not None and axis.horizontal else (along, across)
        found.append(Claim(pair.draft.name, draft.rows[place[0]][0], cell.text, x, y, cell.reason))
    return found


def as_series(pair: Pair, cells: Mapping[tuple[int, int], Cell]) -> Series:
    """What was measured, as a series of its own: only marks whose cells were taken."""
    assert pair.series is not None
    assert pair.spots is not None
    marks: list[Mark] = []
    for k, place in enumerate(pair.draft.cells):
        mark = pair.spots.marks[k]
        if mark is not None and cells[place].source != "model" and cells[place].value is not None:
            marks += [m for m in (mark, pair.spots.lows[k], pair.spots.highs[k]) if m is not None]
    return replace(pair.series, name=pair.draft.name, marks=tuple(marks), sampled=False)


def _moved_x(bench: Bench, pairs: Sequence[Pair]) -> dict[tuple[int, int], Cell]:
    """In long form the x of a point is a measurement too."""
    found: dict[tuple[int, int], Cell] = {}
    for pair in pairs:
        if bench.key is None or bench.key.scale == "category" or not pair.series or pair.series.kind != "points":
            continue
        for place, mark in zip(pair.draft.cells, pair.spots.marks if pair.spots else (), strict=True):
            if mark is not None and bench.key.scale != "date":
                across = replace(pair.series, axis=bench.key.side, kind="points")
                found[place[0], 0] = measure(bench.key, mark, across)
    return found


def _result(
    panel: Panel, series: tuple[Series, ...], draft: Draft, cells: Mapping[tuple[int, int], Cell],
    count: tuple[int, int], warnings: Sequence[str],
) -> Snapped:  # fmt: skip
    """The draft's layout with these cells; all other cells are its own words."""
    rows = tuple(
        tuple(cells.get((i, j)) or _word(text) for j, text in enumerate(row)) for i, row in enumerate(draft.rows)
    )
    names = [name.lower() for name in draft.header]
    form: Form = "box" if is_box(draft) else "long" if "series" in names else "wide"
    if key_columns(draft) == 2:
        form = "histogram"
    notes = list(warnings)
    if count[1]:
        notes.append(f"{count[1]} of {sum(count)} values could not be put onto the ink: they stay as they were said")
    return Snapped(Table(draft.header, rows, form, panel.title, tuple(notes)), series, panel, *count, tuple(notes))


def _word(text: str) -> Cell:
    """A cell that says where a row stands, or a name: as the draft has it."""
    try:
        value: float | str = float(text)
    except ValueError:
        value = text
    return Cell(value, text, "said", "", source="model") if text else MISSING
