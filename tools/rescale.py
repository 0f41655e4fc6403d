"""Measured in a smaller or larger copy of a figure: everything that has pixels, brought to the figure's own frame.

Not handled here: reading; copies that are turned, cut or stretched.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from tools.table import Cell, Table
from tools.types import Anchor, Axis, Box, Figure, Legend, LegendEntry, Mark, Panel, Series, Word

LARGE = 4000  # px of the longer side from which a figure is measured in a smaller copy
ENOUGH = 2000  # px of the longer side that such a copy has at least


def shrunken(figure: Figure) -> tuple[Figure, float]:
    """A very large picture as a copy of 1/2, 1/3, ... of its size, and that share; other figures as they are, and 1.

    Strokes and letters of such pictures are many pixels wide: their copy holds the same marks, averaged, in a
    fraction of the time. Figures with vector evidence have a frame of their own and stay.
    """
    longer = max(figure.width, figure.height)
    if longer < LARGE or figure.drawing is not None or figure.text:
        return figure, 1.0
    parts = longer // ENOUGH
    size = (max(1, round(figure.width / parts)), max(1, round(figure.height / parts)))
    pixels = np.asarray(cv2.resize(figure.pixels, size, interpolation=cv2.INTER_AREA), np.uint8)
    return replace(figure, pixels=pixels), 1 / parts


@dataclass(frozen=True)
class Home:
    """The way back from a copy of `scale` times the size. Pixel centres are whole numbers in both frames."""

    scale: float

    def at(self, pixel: float) -> float:
        """
        >>> Home(0.5).at(0.0)  # one pixel of the copy covers the pixels 0 and 1
        0.5
        """
        return (pixel + 0.5) / self.scale - 0.5

    def box(self, box: Box) -> Box:
        return Box(self.at(box.x0), self.at(box.y0), self.at(box.x1), self.at(box.y1))

    def _box(self, box: Box | None) -> Box | None:
        return None if box is None else self.box(box)

    def panel(self, panel: Panel) -> Panel:
        legend = panel.legend
        entries = tuple(self._entry(entry) for entry in legend.entries)
        return replace(
            panel, box=self.box(panel.box), plot=self.box(panel.plot),
            axes=tuple(self.axis(axis) for axis in panel.axes),
            legend=Legend(entries, self._box(legend.box), legend.title),
        )  # fmt: skip

    def _entry(self, entry: LegendEntry) -> LegendEntry:
        return replace(entry, swatch=self._box(entry.swatch), box=self._box(entry.box))

    def axis(self, axis: Axis) -> Axis:
        """The same map from places to values: `slope * pixel + intercept` with the pixels of the large frame."""
        shift = 0.5 * self.scale - 0.5
        return replace(
            axis, slope=axis.slope * self.scale, intercept=axis.intercept + axis.slope * shift,
            residual=axis.residual / self.scale, anchors=tuple(self._anchor(one) for one in axis.anchors),
        )  # fmt: skip

    def _anchor(self, anchor: Anchor) -> Anchor:
        return replace(anchor, pixel=self.at(anchor.pixel), box=self._box(anchor.box))

    def series(self, series: Series) -> Series:
        return replace(series, marks=tuple(self._mark(mark) for mark in series.marks))

    def _mark(self, mark: Mark) -> Mark:
        return replace(
            mark, x=self.at(mark.x), y=self.at(mark.y), box=self._box(mark.box), sigma=mark.sigma / self.scale
        )

    def words(self, words: Iterable[Word]) -> tuple[Word, ...]:
        return tuple(replace(word, box=self.box(word.box)) for word in words)

    def table(self, table: Table) -> Table:
        return replace(table, rows=tuple(tuple(map(self._cell, row)) for row in table.rows))

    def _cell(self, cell: Cell) -> Cell:
        return cell if cell.pixel is None else replace(cell, pixel=(self.at(cell.pixel[0]), self.at(cell.pixel[1])))
