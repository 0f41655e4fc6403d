"""What a legend's swatch shows: a line, a patch, a marker, checked by the shape of the swatch.

Not handled here: finding swatches (`swatch`).
"""

from __future__ import annotations

from tools.types import LegendEntry

SLAB = 5  # px: line samples are thinner


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
