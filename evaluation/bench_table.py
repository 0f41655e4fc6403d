"""The bench's summary as a table for people."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from evaluation.bench import Summary

PERCENT = (
    ("ECS", "ecs"), ("own range", "ecs_own"), ("by shape", "ecs_shape"), ("in 2 %", "in_2"), ("in 5 %", "in_5"),
    ("precision", "precision"),
)  # fmt: skip
LAST = (("panels", "panels_right"), ("names", "names"))


def bench_table(title: str, summaries: Sequence[Summary]) -> Table:
    """A line per kind and one over all; shares in percent, x error in steps, mean seconds a figure."""
    table = Table(title=title, title_justify="left")
    table.add_column("kind")
    heads = ["n", "read", *(head for head, _ in PERCENT), "x error", *(head for head, _ in LAST), "seconds"]
    if any(one.unscored for one in summaries):
        heads.insert(2, "unscored")
    for head in heads:
        table.add_column(head, justify="right")
    for one in summaries:
        cells = [one.kind, str(one.n), str(one.read)]
        if "unscored" in heads:
            cells.append(str(one.unscored))
        cells += [percent(one.values[key]) for _, key in PERCENT]
        cells.append(_fixed(one.values["x_error"], 2))
        cells += [percent(one.values[key]) for _, key in LAST]
        table.add_row(*cells, _fixed(one.values["seconds"], 1), end_section=one is summaries[-2:][0])
    return table


def percent(value: float | None) -> str:
    """A share of 1 in percent, one decimal; a dash where there is none."""
    return "-" if value is None else f"{100 * value:.1f}"


def _fixed(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
