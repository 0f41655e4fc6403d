"""Which columns of a table a panel plots: names count, but the shape of the curves decides.

The plainest recipe that fits is taken; arithmetic is tried only where the table as it stands does not fit.
Not handled here: box plots (`box_check`), and what caption and text say: a reader of these may pass
`hints`, pairs of a series' name and a column's name, which count like equal names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from agent.arithmetic import RELATIVE, is_claimed, variants
from agent.comparing import Cells, best
from agent.drawn import Drawn, all_along, figure_words
from agent.placing import Places, alike, places
from agent.recipes import Curve, Layout, layouts
from agent.source_tables import SourceTable
from tools.align import assign
from tools.types import Floats

NAME_WEIGHT = 0.25
FITS = 0.75  # a score from which a layout explains a panel
MIN_ROWS = 3
SAMPLE = 64  # rows of a long curve that decide which series it may be
Hints = Mapping[str, str]


@dataclass(frozen=True, eq=False)
class Link:
    """A drawn series and the curve that it shows, compared; `named`: how alike their names are, 0 to 1."""

    drawn: Drawn
    curve: Curve
    cells: Cells
    places: Places
    named: float


@dataclass(frozen=True, eq=False)
class PanelMap:
    """What a panel shows of a layout. `scores`, `names` (series, curves): agreement and likeness of names."""

    layout: Layout
    links: tuple[Link, ...]
    series: tuple[Drawn, ...]
    scores: Floats
    names: Floats
    value: float

    @property
    def loose_series(self) -> list[int]:
        """Indices of the drawn series that no curve explains."""
        used = {id(link.drawn) for link in self.links}
        return [i for i, one in enumerate(self.series) if id(one) not in used]

    @property
    def loose_curves(self) -> list[int]:
        """Indices of the curves that no drawn series shows."""
        used = {(link.curve.name, link.curve.columns) for link in self.links}
        return [j for j, one in enumerate(self.layout.curves) if (one.name, one.columns) not in used]

    @property
    def agreement(self) -> float:
        """Mean agreement of the linked series, each weighed by its rows."""
        rows = [link.cells.counted for link in self.links]
        return float(np.average([link.cells.score for link in self.links], weights=rows)) if sum(rows) else 0.0


def map_panel(
    series: Sequence[Drawn], title: str, tables: Iterable[SourceTable], tolerance: float, hints: Hints | None = None,
    more: Sequence[Layout] = (),
) -> PanelMap | None:  # fmt: skip
    """The layout that explains a panel's series best, or None where nothing of the tables can be put on its axes.

    `more`: layouts that need to know the figure, such as records counted into its bins.
    """
    plain = [*(layout for table in tables for layout in layouts(table)), *more]
    if not series or not plain:
        return None
    maps = [found for layout in plain if (found := fit(series, title, layout, tolerance, hints)) is not None]
    ranked = sorted(maps, key=lambda one: -one.value)
    if ranked and ranked[0].agreement >= FITS and len(ranked[0].links) >= 0.5 * len(series):
        return ranked[0]
    # The plainest layout of a table may have nothing in common with the figure until its logarithms are taken.
    first = [next(one for one in plain if one.table is table) for table in dict.fromkeys(one.table for one in plain)]
    bases = list(dict.fromkeys([*(one.layout for one in ranked[:3]), *first[:3]]))
    words = figure_words(title, series)
    others = [
        found
        for base in bases
        for layout in variants(base)
        # Relative values are all of the same shape: only the figure's words can tell them from another unit.
        if is_claimed(layout.recipe, words) or not any(layout.recipe.startswith(name) for name in RELATIVE)
        if (found := fit(series, title, layout, tolerance, hints)) is not None and convincing(found)
    ]
    if others:
        other = max(others, key=lambda one: one.value)
        if not ranked or other.agreement > ranked[0].agreement + 0.25:
            return other
    return ranked[0] if ranked else None


def convincing(found: PanelMap) -> bool:
    """True where arithmetic explains so many and so varied values so well that it is no accident."""
    links = found.links
    rows = sum(link.cells.counted for link in links)
    if found.agreement < 0.9 or rows < 4 or len(links) < 0.6 * len(found.series):
        return False
    return any(variation(link) > 0.1 for link in links)


def variation(link: Link) -> float:
    """How much of the value axis the compared rows of a curve cover."""
    rows = np.isfinite(link.cells.share)
    units = link.drawn.units(link.cells.table[rows])
    return float(np.ptp(units)) / link.drawn.range if rows.any() else 0.0


def fit(
    series: Sequence[Drawn], title: str, layout: Layout, tolerance: float, hints: Hints | None = None
) -> PanelMap | None:
    """One layout on one panel: every pair compared, then series and curves assigned one to one."""
    curves = layout.curves
    if len(series) * len(curves) > 900:
        return None
    pairs = compare_all(series, curves, tolerance)
    if not pairs:
        return None
    scores, rows = np.zeros((len(series), len(curves))), np.zeros((len(series), len(curves)))
    for (i, j), (cells, _) in pairs.items():
        scores[i, j], rows[i, j] = cells.score, cells.counted
    names = likeness(series, curves, title, hints)
    covered = np.minimum(1.0, rows / MIN_ROWS)
    total = scores * covered + NAME_WEIGHT * names
    placed = np.zeros_like(total, dtype=bool)
    placed[tuple(np.array(list(pairs)).T)] = True
    linked = assign(np.where(placed & ((rows > 0) | (names >= 0.8)), total, 0.0), above=0.19)
    wanted = [j for j, c in enumerate(curves) if not c.optional]
    if not linked and len(series) == 1 and len(wanted) == 1 and (0, wanted[0]) in pairs:
        linked = [(0, wanted[0])]
    along = all_along(series)
    links = []
    for i, j in linked:
        whole = pairs[i, j] if len(curves[j].y) <= SAMPLE else best_of(series[i], curves[j], along, tolerance)
        if whole is not None:
            links.append(Link(series[i], curves[j], *whole, float(names[i, j])))
    if not links:
        return None
    missed = sum(not c.optional for c in curves) - len(links)
    value = sum(float(total[i, j]) for i, j in linked) / len(series) - layout.cost - 0.01 * max(0, min(missed, 5))
    return PanelMap(layout, tuple(links), tuple(series), scores, names, value)


def compare_all(
    series: Sequence[Drawn], curves: Sequence[Curve], tolerance: float
) -> dict[tuple[int, int], tuple[Cells, Places]]:
    """The best comparison of every series with every curve; the ways to place rows are shared between them."""
    found = {}
    along = all_along(series)
    known: dict[tuple[int, int, int], list[Places]] = {}
    for j, curve in enumerate(curves):
        for i, one in enumerate(series):
            key = (id(one.key), one.horizontal, id(curve.labels))
            if key not in known:
                known[key] = places(curve, one.key, along, one.span)
            ways = [w for w in known[key] if len(w.pixels) == len(curve.y)]
            rows = np.unique(np.linspace(0, len(curve.y) - 1, min(SAMPLE, len(curve.y))).round().astype(int))
            thin = ways if len(rows) == len(curve.y) else [w.thinned(rows) for w in ways]
            result = best(one, curve.y[rows], thin, tolerance)
            if result is not None:
                found[i, j] = result
    return found


def best_of(one: Drawn, curve: Curve, along: Sequence[Floats], tolerance: float) -> tuple[Cells, Places] | None:
    """All rows of a curve against a series, over all ways to place them."""
    return best(one, curve.y, places(curve, one.key, along, one.span), tolerance)


def likeness(series: Sequence[Drawn], curves: Sequence[Curve], title: str, hints: Hints | None) -> Floats:
    """How alike the names of series and curves are (series, curves); the panel's title may be a part of a name."""
    mine, theirs = [one.name for one in series], [c.name for c in curves]
    found = alike(mine, theirs)
    columns = alike(mine, [" ".join(c.columns[:1]) for c in curves])
    found = np.maximum(found, 0.5 * columns)
    if title:
        with_title = np.maximum(
            alike([f"{title} {n}" for n in mine], theirs), alike([f"{n} {title}" for n in mine], theirs)
        )
        titled = alike([title], theirs) if len(series) == 1 else np.zeros((1, len(curves)))
        found = np.maximum(found, np.maximum(with_title, titled))
    for name, column in (hints or {}).items():
        for i, one in enumerate(mine):
            for j, other in enumerate(theirs):
                if one == name and other == column:
                    found[i, j] = 1.0
    return found
