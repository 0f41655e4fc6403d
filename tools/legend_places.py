"""Which panel a legend belongs to: the plot that holds it, the nearest one in which its colours are drawn, or a whole
grid of plots.

Not handled here: finding legends (`legend`).
"""

from __future__ import annotations

from collections.abc import Sequence

from tools.colour import Floats32, chroma, contrast
from tools.types import Box, Legend, LegendEntry, Panel

ALIGNED = 4.0  # px: sides of two plots in one row or column
VIVID = 15.0  # Lab chroma of an entry that its colour tells from text, frames and grid lines
CLOSE = 30.0  # RGB steps between an entry and the ink that it names
FEWEST = 12  # pixels of that ink


def assign_legends(legends: Sequence[Legend], panels: Sequence[Panel], pixels: Floats32) -> list[Legend]:
    """One legend per panel: its own, else the shared one outside all plots. `pixels` (H, W, 3) of the figure."""
    legends = [legend for legend in legends if not _at_line_ends(legend, panels)]
    found = [Legend() for _ in panels]
    shared: list[Legend] = []
    for legend in legends:
        owner = _owner(legend, panels)
        if owner is None:
            shared.append(legend)
        elif not found[owner].entries:
            found[owner] = legend
        elif _near(found[owner], legend):
            found[owner] = _joined(found[owner], legend)
    for legend in shared:
        drawn = [_drawn(legend.entries, panel, pixels) for panel in panels]
        nearest = _nearest(legend, panels, drawn, [bool(one.entries) for one in found])
        everyone = len(legends) == 1 or (len(shared) == 1 and not any(f.entries for f in found))
        for i in _grid_of(nearest, panels) if everyone else [nearest]:
            if not found[i].entries and (drawn[i] == drawn[nearest] or _alike(panels[i], panels[nearest])):
                found[i] = legend
    return found


def _at_line_ends(legend: Legend, panels: Sequence[Panel]) -> bool:
    """Whether the samples lie in a plot and their words beyond its right side: the ends of curves, and their names."""
    return any(
        all(
            entry.swatch is not None and entry.box is not None and panel.plot.contains(*entry.swatch.centre)
            and entry.swatch.x1 > panel.plot.x1 - 8 and entry.box.x0 >= panel.plot.x1
            for entry in legend.entries
        )
        for panel in panels
    )  # fmt: skip


def _drawn(entries: Sequence[LegendEntry], panel: Panel, pixels: Floats32) -> int:
    """How many of the entries that have a colour of their own are drawn with it in this plot."""
    rows, columns = panel.plot.slices(*pixels.shape[:2])
    part = pixels[rows, columns].reshape(-1, 3)
    vivid = [entry.colour for entry in entries if float(chroma(entry.colour)) > VIVID]
    return sum(int((contrast(part, colour) < CLOSE).sum()) >= FEWEST for colour in vivid)


def _alike(one: Panel, other: Panel) -> bool:
    """Whether two panels may show the same series: no side has another scale in one than in the other."""
    kinds = {axis.side: axis.scale for axis in one.axes}
    return all(kinds.get(axis.side, axis.scale) == axis.scale for axis in other.axes)


def _grid_of(panel: int, panels: Sequence[Panel]) -> list[int]:
    """The panels that stand in rows and columns with this one: only a grid drawn as one shares a legend."""
    grid = [panel]
    for one in grid:
        grid += [i for i in range(len(panels)) if i not in grid and _aligned(panels[one].plot, panels[i].plot)]
    return grid


def _aligned(a: Box, b: Box) -> bool:
    """Whether two plots have the same top and bottom, or the same left and right side."""
    row = abs(a.y0 - b.y0) <= ALIGNED and abs(a.y1 - b.y1) <= ALIGNED
    return row or (abs(a.x0 - b.x0) <= ALIGNED and abs(a.x1 - b.x1) <= ALIGNED)


def _owner(legend: Legend, panels: Sequence[Panel]) -> int | None:
    """The panel whose plot holds the legend; None for a legend outside all plots."""
    assert legend.box is not None
    x, y = legend.box.centre
    return next((i for i, p in enumerate(panels) if p.plot.contains(x, y)), None)


def _nearest(legend: Legend, panels: Sequence[Panel], drawn: Sequence[int], named: Sequence[bool]) -> int:
    """The nearest panel of those beside the legend that show the most of its colours (`drawn`, one a panel), first of
    those that no legend has `named` yet."""
    assert legend.box is not None
    box = legend.box

    def far(panel: Panel) -> float:
        across = max(panel.plot.x0 - box.x1, box.x0 - panel.plot.x1, 0.0)
        down = max(panel.plot.y0 - box.y1, box.y0 - panel.plot.y1, 0.0)
        return across + down

    distances = [far(panel) for panel in panels]
    reach = min(distances) + 0.35 * max(panel.plot.height for panel in panels)
    return min((i for i, d in enumerate(distances) if d <= reach), key=lambda i: (-drawn[i], named[i], distances[i]))


def _near(one: Legend, other: Legend) -> bool:
    return one.box is not None and other.box is not None and one.box.overlaps(other.box, 12)


def _joined(one: Legend, other: Legend) -> Legend:
    box = one.box.union(other.box) if one.box and other.box else one.box or other.box
    return Legend(one.entries + other.entries, box, one.title or other.title)
