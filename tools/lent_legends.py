"""The one legend of small multiples: drawn inside one of them, it names the series of all.

Panels are small multiples where all are equally large and their axes say the same: charts that merely share a figure
have axes of their own, and the colours of one mean nothing in another. Where only the y axes differ (free scales), all
colours of the legend have to be seen in a panel, and hardly another one. Not handled here: legends beside the panels,
which belong to all of them anyway (`tools.legend`), and insets (`tools.insets`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.colour import colourless
from tools.insets import with_lent_legends
from tools.types import Axis, Image, Legend, LegendEntry, Panel

ALIKE = 2.0  # px by which the sizes of two plots may differ, and their axes over the whole plot
OPEN = 0.06  # of the size: by which one end may differ where no frame closes the plot, if the axes are one scale

STRONG = 40  # between the channels of a colour that is surely none of grey ink, paper or a pale mixture
NEAR = 12  # RGB steps from a legend's colour
LEAST = 12  # px of each colour


def with_shared_legends(pixels: Image, panels: Sequence[Panel]) -> tuple[Panel, ...]:
    """The panels with the legend that insets and small multiples share; `pixels`: (H, W, 3) uint8, the figure."""
    return with_seen_legends(pixels, with_facet_legends(with_lent_legends(panels)))


def with_facet_legends(panels: Sequence[Panel]) -> tuple[Panel, ...]:
    """The panels, those of small multiples without a legend having the only one there is; its box is no part of it."""
    own = [one for one in panels if one.legend.entries]
    if len(own) != 1 or not all(are_multiples(own[0], one) for one in panels):
        return tuple(panels)
    if len(panels) < 3 and not any("axis shared" in note for one in panels for a in one.axes for note in a.warnings):
        return tuple(panels)  # two charts of one scale by chance
    return tuple(one if one is own[0] else replace(one, legend=Legend(own[0].legend.entries)) for one in panels)


def with_seen_legends(pixels: Image, panels: Sequence[Panel]) -> tuple[Panel, ...]:
    """The panels, those that show the colours of the only legend of several colours having its entries: all panels
    where it stands beyond all plots, else those over one x axis with its own.

    A lone black or grey entry (a word beside a tick mark) is no legend of its own. `pixels`: (H, W, 3), the figure.
    """
    several = [one for one in panels if len(one.legend.entries) > 1]
    names = {tuple(entry.name for entry in one.legend.entries) for one in several}
    if len(names) != 1 or any(colourless(entry.colour) for entry in several[0].legend.entries):
        return tuple(panels)
    lender, done = several[0], []
    of_all = _beyond_all(lender.legend, panels)
    for one in panels if len(several) == 1 or of_all else ():
        bare = one not in several and all(colourless(entry.colour) for entry in one.legend.entries)
        lent = bare and (of_all or _over_one_axis(lender, one)) and _shows(pixels, one, lender.legend.entries)
        done.append(replace(one, legend=Legend(lender.legend.entries)) if lent else one)
    return tuple(done or panels)


def _beyond_all(legend: Legend, panels: Sequence[Panel]) -> bool:
    """Whether a legend stands below, above or beside all plots of a figure."""
    box, plots = legend.box, [one.plot for one in panels]
    if box is None:
        return False
    level = box.y0 > max(plot.y1 for plot in plots) or box.y1 < min(plot.y0 for plot in plots)
    return level or box.x0 > max(plot.x1 for plot in plots) or box.x1 < min(plot.x0 for plot in plots)


def _over_one_axis(one: Panel, other: Panel) -> bool:
    return _reads_alike(one.x, other.x, (one.plot.x0, one.plot.x1), (other.plot.x0, other.plot.x1))


def _shows(pixels: Image, panel: Panel, entries: Sequence[LegendEntry]) -> bool:
    """Whether a plot has ink of every entry's colour, and no more strong ink of other colours than of these."""
    part = pixels[panel.plot.grown(-2).slices(*pixels.shape[:2])].reshape(-1, 3).astype(np.int16)
    strong = part[np.ptp(part, axis=1) > STRONG]
    near = [np.abs(strong - np.array(entry.colour)).max(axis=1) <= NEAR for entry in entries]
    return bool(len(strong)) and min(int(one.sum()) for one in near) >= LEAST and np.any(near, axis=0).mean() > 0.5


def are_multiples(one: Panel, other: Panel) -> bool:
    """Whether two plots have one size, and x and y axes with the same values at the same places of the plot."""
    if None in (one.x, one.y, other.x, other.y):
        return False
    across = _reads_alike(one.x, other.x, (one.plot.x0, one.plot.x1), (other.plot.x0, other.plot.x1))
    return across and _reads_alike(one.y, other.y, (one.plot.y0, one.plot.y1), (other.plot.y0, other.plot.y1))


def _reads_alike(one: Axis | None, other: Axis | None, ends: tuple[float, float], others: tuple[float, float]) -> bool:
    if one is None or other is None or one.scale != other.scale or one.categories != other.categories:
        return False
    back = np.asarray(one.to_pixel(other.to_value(np.array(others))), dtype=np.float64)
    if not np.isfinite(back).all():
        return False
    size, off = abs(ends[1] - ends[0]), np.abs(back - np.array(ends))
    stretched = abs((back[1] - back[0]) - (others[1] - others[0]))
    return bool(
        max(off.max(), stretched) <= ALIKE or (off.min() <= ALIKE and off.max() <= OPEN * size and stretched <= ALIKE)
    )
