"""Line samples of a legend that differ by their dashes only, though a copy left them greys a few levels apart.

Of strokes a pixel or two wide a scan, a JPEG or a turned page makes greys: how dark they are depends on where they lie
between the pixels, on their slope and on their dashes. Samples that are all colourless, of nearly one grey, and of
which no two look alike were drawn in one tone: they get it back, and the curves are told by their dashes.

Not handled here: samples without dashes, of which the grey is all that is left; fills (`key_order`); coloured samples;
depth profiles (values that grow downwards), whose curves run down the page, where `dashes` does not follow them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tools.colour import colourless
from tools.types import Legend, LegendEntry, Panel

NEAR = 48  # levels of 255 by which strokes of one tone differ in a copy


def in_one_tone(panels: Sequence[Panel]) -> tuple[Panel, ...]:
    """The panels with line samples of nearly one grey, told apart by dash or marker, in the darkest of their tones."""
    return tuple(one if one.y and one.y.reversed else replace(one, legend=_toned(one.legend)) for one in panels)


def _toned(legend: Legend) -> Legend:
    keys = [one for one in legend.entries if one.kind in ("line", "line+marker")]
    if len(keys) < 2 or len(keys) < len(legend.entries) or not _one_tone(keys):
        return legend
    darkest = min((one.colour for one in keys), key=sum)
    return replace(legend, entries=tuple(replace(one, colour=darkest) for one in legend.entries))


def _one_tone(keys: Sequence[LegendEntry]) -> bool:
    tones = [sum(one.colour) / 3 for one in keys]
    looks = {(one.dash, one.marker) for one in keys}
    return all(colourless(one.colour) for one in keys) and max(tones) - min(tones) <= NEAR and len(looks) == len(keys)
