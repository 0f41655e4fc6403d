"""What PlotCaliper reads, each line proven by a figure of `tests/figures` through the command line.

`floor` is what a golden test demands: ECS where the bench gives one, else the share of points within 2 %.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Capability:
    """One line of the README's table."""

    what: str
    figure: str
    floor: float
    table: str


CAPABILITIES: tuple[Capability, ...] = (
    Capability("Lines, several colours, crossing, negative values, grid", "lines", 0.97, "wide"),
    Capability("Solid and dashed lines; logarithmic and reversed axes", "profile", 0.95, "wide"),
    Capability("Stacked bars on a date axis; lines with markers and error bars; log x", "outbreak", 0.95, "wide"),
    Capability("Hundreds of daily bars under a line", "daily", 0.9, "wide"),
    Capability("Grouped bars on categories", "grouped", 0.97, "wide"),
    Capability("Horizontal bars", "horizontal", 0.97, "wide"),
    Capability("Histograms", "histogram", 0.97, "bins"),
    Capability("Stacked areas, in percent", "areas", 0.9, "wide"),
    Capability("Scatter plots, several groups", "scatter", 0.9, "long"),
    Capability("Survival curves", "survival", 0.9, "wide"),
    Capability("Box plots with outliers", "boxes", 0.95, "box"),
    Capability("Grids of panels with shared axes", "grid", 0.97, "wide"),
)


def readme_table() -> str:
    """The Markdown table that stands in the README between its two marks."""
    rows = [f"| {c.what} | [`{c.figure}.png`](tests/figures/{c.figure}.png) | {c.table} |" for c in CAPABILITIES]
    return "\n".join(["| what | held by | table |", "|---|---|---|", *rows])
