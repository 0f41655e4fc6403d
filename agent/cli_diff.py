"""The command `plotcaliper diff`: what differs between two figures. `cli` hangs it in.

Not handled here: finding the differences (`diffing`).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agent import method_options as opt

if TYPE_CHECKING:
    from agent.diffing import Difference


def diff(
    figure_a: Annotated[Path, typer.Argument(help="A picture, PDF page or SVG.")],
    figure_b: Annotated[Path, typer.Argument(help="The figure to hold against it.")],
    method: Annotated[str, typer.Option(help=f"How to read: {opt.METHOD_HELP}")] = "offline",
    as_json: Annotated[bool, typer.Option("--json", help="Print the differences as JSON.")] = False,
) -> None:
    """What differs between two figures: data, colours, place of the legend, style of text."""
    from agent.diffing import diff as compare

    try:
        found = compare(figure_a, figure_b, method)
    except (OSError, ValueError) as error:
        print(f"plotcaliper: {error}", file=sys.stderr)
        raise typer.Exit(2) from None
    print(json.dumps(found.to_json(), ensure_ascii=False, indent=1) if as_json else in_words(found))
    for doubt in found.doubts:
        print(f"plotcaliper: not compared: {doubt}", file=sys.stderr)
    unread = any(doubt.startswith("figure ") for doubt in found.doubts)
    raise typer.Exit(0 if found.same and not unread else 1)


def in_words(found: Difference) -> str:
    """The differences in lines for a person, the same panel and kind together."""
    if found.same:
        return "no difference was found"
    lines = [f"panel {c.panel}: {c.row}, {c.column}: {c.a:.6g} -> {c.b:.6g}" for c in found.cells]
    for title, group in (("colour of ", found.colours), ("legend ", found.legend), ("", found.texts)):
        lines += [f"panel {c.panel}: {title}{c.name.replace('_', ' ')}: {c.a} -> {c.b}" for c in group]
    lines += [f"only in A: {name}" for name in found.only_a]
    lines += [f"only in B: {name}" for name in found.only_b]
    return "\n".join(lines)
