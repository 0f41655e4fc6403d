"""Hatches and gradients: one plain colour for each, so that bars and the samples of a legend are matched by it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agent.reading import digitize
from tools.types import Box, Drawing, VectorPath
from tools.vector_paints import UNKNOWN, with_plain_paints
from tools.vector_svg import cleaned


def _place(x0: float, y0: float, x1: float, y1: float) -> VectorPath:
    corners = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], dtype=np.float64)
    return VectorPath(corners, closed=True, fill=UNKNOWN)


def test_places_painted_alike_share_a_plain_colour() -> None:
    rows, columns = np.mgrid[0:120, 0:300]
    grey = np.full((120, 300), 255, dtype=np.uint8)
    rising, falling = (rows + columns) % 12 < 3, (rows - columns) % 12 < 3
    for box, inked in ((Box(0, 0, 60, 119), rising), (Box(70, 30, 130, 119), falling), (Box(220, 5, 260, 25), rising)):
        place = box.slices(120, 300)
        grey[place][inked[place]] = 0
    grey[40:119, 140:200] = UNKNOWN[0]  # plainly grey
    grey[40:119, 210:299] = np.linspace(40, 120, 89).astype(np.uint8)  # a gradient
    paths = [_place(0, 0, 60, 119), _place(70, 30, 130, 119), _place(220, 5, 260, 25), _place(140, 40, 199, 118)]
    drawing = with_plain_paints(Drawing((*paths, _place(210, 40, 298, 118))), np.repeat(grey[..., None], 3, axis=2))
    first, other, sample, plain, gradient = (path.fill for path in drawing.paths)
    assert first == sample
    assert len({first, other, plain, gradient}) == 4
    assert plain == UNKNOWN
    assert gradient is not None
    assert abs(gradient[0] - 80) < 3


def test_paints_of_an_svg_are_plain_colours() -> None:
    dots = '<rect width="9" height="9" fill="white"/><circle cx="4" cy="4" r="2" fill="#ff0000"/>'
    svg = f"""<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" width="90" height="90">
      <defs>
      <linearGradient id="s"><stop stop-color="#000"/><stop offset="1" style="stop-color:#0000c8"/></linearGradient>
      <linearGradient id="g" x:href="#s"/><pattern id="p" width="9" height="9">{dots}</pattern>
      <pattern id="q" width="9" height="9">{dots}</pattern>
      <pattern id="r"><rect width="9" height="9" fill="white"/><path d="M0,0 9,9" stroke="rgb(100%,0%,0%)"/></pattern>
      </defs>
      <rect fill="url(#g)"/><rect style="stroke:none; fill:url(#p)"/><rect fill="url(#q)"/><rect fill="url(#r) none"/>
      </svg>"""  # fmt: skip
    from lxml import etree

    rects = [one for one in etree.fromstring(cleaned(svg.encode())) if one.tag.endswith("rect")]
    fills = [one.get("fill") or one.get("style").partition("fill:")[2] for one in rects]
    assert fills[0] == "#000064"
    assert fills[1] == fills[2] == "#ffa6a6"
    assert fills[3] == "#ff4d4d"


@pytest.mark.parametrize("form", ["pdf", "svg"])
def test_hatched_bars_have_their_names(tmp_path: Path, form: str) -> None:
    plt = pytest.importorskip("matplotlib.pyplot")
    values = {"before": [23.4, 17.2, 35.1, 9.8], "after": [20.1, 25.6, 28.7, 14.3]}
    figure, axes = plt.subplots(figsize=(5, 3.5))
    for k, (name, heights) in enumerate(values.items()):
        places = np.arange(4) + 0.4 * k - 0.2
        axes.bar(places, heights, 0.4, label=name, hatch=("//", "..")[k], color="white", edgecolor="black")
    axes.set_xticks(range(4), ["Oslo", "Bergen", "Turku", "Riga"])
    axes.legend()
    figure.savefig(tmp_path / f"bars.{form}")
    plt.close(figure)
    (table,) = digitize(tmp_path / f"bars.{form}").tables
    assert table.header[1:] == tuple(values)
    read = [[cell.value for cell in row[1:]] for row in table.rows]
    assert read == pytest.approx(np.array(list(values.values())).T, abs=0.01)
