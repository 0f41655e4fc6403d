"""What a legend's swatch shows: a line, a patch, a marker, checked by the shape of the swatch.

Not handled here: finding swatches (`swatch`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tools.types import LegendEntry

SLAB = 5  # px: line samples are thinner
FLAT = 0.3  # of the height of its name: no patch is flatter than that


def swatch_kind(entry: LegendEntry) -> str:
    """The kind of a legend's swatch, checked by its shape: no line sample is a thick slab or as high as it is wide.

    "" where a slab could be a patch or a very thick line.
    """
    box = entry.swatch
    if box is None or entry.kind not in ("line", "line+marker"):
        return entry.kind
    width, height = box.width + 1, box.height + 1
    if entry.kind == "line+marker" or height > SLAB:
        alone = width < 1.4 * height  # no line shows beside the marker; the strokes of open ones look like lines
        if alone or entry.kind == "line+marker":
            return "marker" if alone else entry.kind
    return "" if height >= SLAB and height > 0.22 * width else entry.kind


def among_markers(entries: Sequence[LegendEntry]) -> list[LegendEntry]:
    """The entries of a legend, where a filled square no larger than the markers of the others is a marker as they are.

    A legend that mixes markers with line samples or wider patches keeps its patches.
    """
    sides = [max(e.swatch.width, e.swatch.height) + 1 for e in entries if e.kind == "marker" and e.swatch]
    if not sides or any(e.kind not in ("marker", "patch") or e.swatch is None for e in entries):
        return list(entries)

    def square(entry: LegendEntry) -> bool:
        box = entry.swatch
        return box is not None and abs(box.width - box.height) <= 1 and max(box.width, box.height) <= 1.2 * max(sides)

    if any(e.kind == "patch" and (e.hatch or not square(e)) for e in entries):
        return list(entries)
    return [replace(e, kind="marker", marker="square") if e.kind == "patch" else e for e in entries]


def among_lines(entries: Sequence[LegendEntry]) -> list[LegendEntry]:
    """The entries of a legend, where a stub as flat as the line samples beside it is a line: a short sample that ends
    within its first dash looks like a patch."""
    heights = [e.swatch.height for e in entries if e.kind in ("line", "line+marker") and e.swatch]

    def stub(entry: LegendEntry) -> bool:
        box, name = entry.swatch, entry.box
        if entry.kind != "patch" or entry.hatch or box is None or name is None or not heights:
            return False
        flat = box.height <= min(max(heights) + 1, FLAT * (name.height + 1), SLAB - 1)
        return bool(flat and box.width + 1 >= 2 * (box.height + 1))

    return [replace(e, kind="line", dash="solid") if stub(e) else e for e in entries]
