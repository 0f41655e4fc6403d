"""Whether names with swatches beside them are a legend: the looks of the swatches, and what the names are.

Not handled here: finding the swatches (`swatch`), which names go together (`legend`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from tools.colour import chroma, lab_distance
from tools.numbers import parse_number
from tools.swatch import Swatch
from tools.types import Box, Panel


@dataclass(frozen=True)
class Named:
    """A possible entry: a text (its lines joined), the height of one line, and the swatch beside it."""

    text: str
    box: Box
    line: float
    swatch: Swatch
    tinted: bool = False  # the text has the colour of the swatch

    @property
    def offset(self) -> float:
        """Distance from the near edge of the text to the middle of the swatch."""
        middle = self.swatch.box.centre[0]
        return self.box.x0 - middle if self.swatch.side == "left" else middle - self.box.x1

    @property
    def start(self) -> float:
        """Distance from the near edge of the text to the far edge of the swatch."""
        return self.box.x0 - self.swatch.box.x0 if self.swatch.side == "left" else self.swatch.box.x1 - self.box.x1


def believable(cluster: Sequence[Named], panels: Sequence[Panel]) -> bool:
    """Two swatches that look different make a legend; a single one must be a proper line sample or patch."""
    looks = {(n.swatch.colour, n.swatch.dash, n.swatch.marker, n.swatch.hatch) for n in cluster}
    if len(cluster) >= 2:
        different = len({n.text for n in cluster}) == len(cluster)
        numbers = all(n.text.lstrip("-\u2212").replace(".", "").isdigit() for n in cluster)
        coloured = max(float(chroma(n.swatch.colour)) for n in cluster) > 12
        words = (
            sum(len(n.text) > 2 and any(c.isalpha() for c in n.text) and not parse_number(n.text) for n in cluster) >= 2
        )
        units = sum(any(c.isalpha() for c in n.text) for n in cluster) >= 2  # "24 h", "10 mg"
        years = numbers and _are_years(cluster)
        loose = numbers and _inside(cluster, panels) and not ((coloured and _are_keys(cluster)) or years)
        plausible = (coloured or words or years or (units and _are_keys(cluster))) and not loose
        return different and (len(looks) >= 2 or _are_outlined(cluster)) and plausible
    swatch, line = cluster[0].swatch, cluster[0].line
    if float(chroma(swatch.colour)) < 12 and max(swatch.colour) > 150:  # a pale grey patch is a strip or a key
        return False
    if cluster[0].text in {p.title for p in panels} | {axis.label for p in panels for axis in p.axes}:
        return False
    letters = sum(c.isalpha() for c in cluster[0].text)
    if swatch.side == "right" or letters < 3 or cluster[0].tinted:  # a coloured text at a line's end is a label
        return False
    if swatch.kind == "line":
        return swatch.box.width >= 1.3 * line
    if swatch.kind == "line+marker" and swatch.box.width < 1.2 * swatch.box.height:  # a point, the leader to its name
        return False
    return swatch.kind in ("patch", "line+marker") and swatch.box.width >= 0.6 * line


def are_equal_keys(cluster: Sequence[Named], panels: Sequence[Panel]) -> bool:
    """Whether these are filled boxes of one size beside different words: keys of a copy in black and white."""
    sizes = np.array([(n.swatch.box.width, n.swatch.box.height) for n in cluster])
    patches = len(cluster) >= 2 and all(n.swatch.kind == "patch" for n in cluster)
    different = len({n.text for n in cluster}) == len(cluster)
    numbers = any(parse_number(n.text) for n in cluster)
    small = bool((sizes[:, 0] < 4 * np.array([n.line for n in cluster])).all())
    alike = float(np.ptp(sizes, axis=0).max()) <= 3
    return patches and different and small and alike and not (numbers and _inside(cluster, panels))


def _are_keys(cluster: Sequence[Named]) -> bool:
    """Whether all swatches are patches or line samples of one size, larger than markers: keys, even beside numbers."""
    sizes = np.array([(n.swatch.box.width, n.swatch.box.height) for n in cluster])
    kinds = {n.swatch.kind for n in cluster}
    long = all(n.swatch.box.width >= 1.3 * n.line for n in cluster)
    return kinds in ({"patch"}, {"line"}) and long and float(np.ptp(sizes, axis=0).max()) <= 2


def _are_years(cluster: Sequence[Named]) -> bool:
    """Whether bare years stand in one close column beside markers of one size, each different (a dot chart's legend):
    years at the points of a curve have the same marker."""
    if not all(re.fullmatch(r"1[5-9]\d\d|20\d\d", n.text) and n.swatch.marker for n in cluster):
        return False
    line = float(np.median([n.line for n in cluster]))
    sides = np.array([(n.box.x0, n.swatch.box.x0, n.swatch.box.x1) for n in cluster])
    steps = np.diff(sorted(n.box.centre[1] for n in cluster))
    different = all(
        one.swatch.marker != other.swatch.marker or float(lab_distance(one.swatch.colour, other.swatch.colour)) > 20
        for one, other in combinations(cluster, 2)
    )
    return different and float(np.ptp(sides, axis=0).max()) <= 2 and float(steps.max()) <= 2.5 * line


def _are_outlined(cluster: Sequence[Named]) -> bool:
    """Whether the swatches are outlined boxes of one size, which only what is inside of them tells apart."""
    sizes = np.array([(n.swatch.box.width, n.swatch.box.height) for n in cluster])
    return all(n.swatch.hatch for n in cluster) and float(np.ptp(sizes, axis=0).max()) <= 2


def _inside(cluster: Sequence[Named], panels: Sequence[Panel]) -> bool:
    return any(p.plot.contains(*n.swatch.box.centre) for n in cluster for p in panels)
