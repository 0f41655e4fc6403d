"""The offline reading as a draft that a model can check: what was found, panel by panel, with its doubts.

Not handled here: the words around it (`prompts`).
"""

from __future__ import annotations

from collections.abc import Sequence

from tools.describing import describe_box, hex_of
from tools.table import Table
from tools.types import Axis, Unreadable
from tools.workbench import Workbench

HEAD, TAIL = 12, 3  # rows of a table that are shown


def draft_of(bench: Workbench, warnings: Sequence[tuple[str, ...]]) -> str:
    """Panels with their axes, series, the first rows of their tables, and the doubts, as text."""
    if not bench.panels:
        return "No chart was found. If there is one, give its plot area with set_plot (panel 1)."
    return "\n\n".join(_panel(bench, n, warnings[n - 1]) for n in range(1, len(bench.panels) + 1))


def _panel(bench: Workbench, number: int, warnings: Sequence[str]) -> str:
    panel = bench.panels[number - 1]
    title = f" {panel.title!r}" if panel.title else ""
    lines = [f"Panel {number}{title}: plot area {describe_box(panel.plot)}"]
    lines += [f"- {_axis(axis)}" for axis in panel.axes]
    for n, one in enumerate(bench.series.get(number, []), 1):
        name = repr(one.name) if one.name else "no name"
        sampled = ", sampled evenly" if one.sampled else ""
        lines.append(f"- series {n}: {name}, {hex_of(one.colour)}, {one.kind}, {len(one.marks)} marks{sampled}")
    table = bench.tables.get(number)
    if isinstance(table, Table):
        lines += [f"- table of {len(table.rows)} rows:", shortened(table.to_tsv())]
    elif isinstance(table, Unreadable):
        lines.append(f"- no table: {table.reason}")
    lines += [f"- doubt: {warning}" for warning in warnings]
    return "\n".join(lines)


def _axis(axis: Axis) -> str:
    label = f" {axis.label!r}" if axis.label else ""
    ends = [axis.anchors[0], axis.anchors[-1]] if axis.anchors else []
    told = " to ".join(f"{a.text!r} at pixel {a.pixel:.1f}" for a in ends)
    sure = "" if axis.confidence == "high" else ", uncertain"
    notes = "".join(f"; {warning}" for warning in axis.warnings)
    fit = f"{len(axis.anchors)} anchors, residual {axis.residual:.2f} px"
    return f"{axis.side} axis{label}: {axis.scale}, {told}, {fit}{sure}{notes}"


def shortened(tsv: str, head: int = HEAD, tail: int = TAIL) -> str:
    """The first and last rows of a long table.

    >>> shortened("x\\ty\\n1\\t2\\n")
    'x\\ty\\n1\\t2'
    """
    lines = tsv.rstrip("\n").split("\n")
    if len(lines) <= head + tail + 2:
        return "\n".join(lines)
    return "\n".join([*lines[: head + 1], f"... {len(lines) - 1 - head - tail} more rows ...", *lines[-tail:]])
