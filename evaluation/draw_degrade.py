"""A drawn figure as copies and scans leave it: JPEG, blur, grey paper, a turned page, few pixels, black and white.

The pixels change, and the true geometry moves along. A turned figure has no upright axes any more: its points and
boxes are turned, its axes keep the map of the upright figure, and `turned_by` leads from there to the turned one.
Not handled here: perspective, folds, ink that bleeds from the other side.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from evaluation.draw_plan import (
    Drawn,
    DrawnAxis,
    DrawnPanel,
    DrawnSeries,
    Floats,
    LegendEntry,
    Pixels,
    Rectangle,
    Rgb,
    Tick,
)

Rng = np.random.Generator
DEGRADATIONS = ("jpeg", "blur", "paper", "turned", "low", "copy")
LOW_WIDTH = 300


def degraded(drawn: Drawn, how: str, rng: Rng) -> Drawn:
    """The figure after one of DEGRADATIONS. Raises ValueError for another name."""
    if how in PIXELS_ONLY:
        pixels = PIXELS_ONLY[how](drawn.pixels, rng)
        panels = tuple(_recoloured(panel) for panel in drawn.panels) if how in ("paper", "copy") else drawn.panels
        return replace(drawn, pixels=pixels, panels=panels, degraded=how)
    if how == "low":
        return _smaller(drawn)
    if how == "turned":
        return _turned(drawn, float(rng.uniform(1, 3) * rng.choice([-1, 1])))
    raise ValueError(f"no degradation {how!r}: choose one of {', '.join(DEGRADATIONS)}")


def _jpeg(pixels: Pixels, rng: Rng) -> Pixels:
    """Saved as JPEG of quality 40, with colours at half resolution."""
    from io import BytesIO

    from PIL import Image

    out = BytesIO()
    Image.fromarray(pixels).save(out, "JPEG", quality=40, subsampling=2)
    return np.array(Image.open(out), dtype=np.uint8)


def _blur(pixels: Pixels, rng: Rng) -> Pixels:
    """Out of focus by a pixel or so."""
    import cv2

    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), float(rng.uniform(0.8, 1.6))), dtype=np.uint8)


def _paper(pixels: Pixels, rng: Rng) -> Pixels:
    """A grey scan: ink that spreads, uneven paper, noise."""
    import cv2

    grey = grey_of(pixels)
    spread = cv2.GaussianBlur(grey, (0, 0), 0.8)
    spread = np.minimum(spread, cv2.erode(spread, np.ones((2, 2), np.uint8)) * 0.25 + spread * 0.75)
    tall, wide = grey.shape
    coarse = rng.normal(0, 1, (5, 5)).astype(np.float32)
    paper = 226 + 7 * cv2.resize(coarse, (wide, tall), interpolation=cv2.INTER_CUBIC)
    noisy = 25 + (paper - 25) * spread / 255 + rng.normal(0, 4, grey.shape)
    return as_rgb(np.clip(noisy, 0, 255))


def _copy(pixels: Pixels, rng: Rng) -> Pixels:
    """A black-and-white copy: two tones, a few specks."""
    grey = grey_of(pixels)
    paper = float(np.median(grey))
    cut = (paper - 35 if paper > 127 else paper + 35) + rng.normal(0, 6, grey.shape)
    copied = np.where(grey < cut, 0.0, 255.0)
    specks = rng.random(grey.shape) < 2e-4
    return as_rgb(np.where(specks, 255 - copied, copied))


PIXELS_ONLY: dict[str, Callable[[Pixels, Rng], Pixels]] = {"jpeg": _jpeg, "blur": _blur, "paper": _paper, "copy": _copy}


def grey_of(pixels: Pixels) -> NDArray[np.float32]:
    """Luminance (H, W) of RGB pixels, 0 to 255."""
    return np.asarray(pixels @ np.array([0.299, 0.587, 0.114], dtype=np.float32), dtype=np.float32)


def as_rgb(grey: NDArray[np.floating]) -> Pixels:
    """Grey (H, W) as RGB pixels (H, W, 3) uint8."""
    return np.repeat(np.round(grey).astype(np.uint8)[..., None], 3, axis=2)


def _recoloured(panel: DrawnPanel) -> DrawnPanel:
    """Series in the greys that are left of their colours."""

    def grey(colour: Rgb) -> Rgb:
        level = round(0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2])
        return level, level, level

    return replace(panel, series=tuple(replace(one, seen=grey(one.seen)) for one in panel.series))


def _smaller(drawn: Drawn) -> Drawn:
    """300 pixels wide, or as it is where it is no wider."""
    import cv2

    tall, wide = drawn.pixels.shape[:2]
    if wide <= LOW_WIDTH:
        return replace(drawn, degraded="low")
    small = LOW_WIDTH, max(1, round(tall * LOW_WIDTH / wide))
    pixels = np.asarray(cv2.resize(drawn.pixels, small, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    factor = np.array([small[0] / wide, small[1] / tall])

    def moved(points: Floats) -> Floats:
        return np.asarray((points + 0.5) * factor - 0.5, dtype=np.float64)

    panels = tuple(_moved_panel(panel, moved, factor) for panel in drawn.panels)
    return replace(drawn, pixels=pixels, panels=panels, degraded="low")


def _turned(drawn: Drawn, degrees: float) -> Drawn:
    """Turned about its middle, anticlockwise, on paper as large as needed."""
    import cv2

    tall, wide = drawn.pixels.shape[:2]
    matrix = np.array(cv2.getRotationMatrix2D(((wide - 1) / 2, (tall - 1) / 2), degrees, 1.0), dtype=np.float64)
    cosine, sine = abs(math.cos(math.radians(degrees))), abs(math.sin(math.radians(degrees)))
    size = math.ceil(wide * cosine + tall * sine), math.ceil(wide * sine + tall * cosine)
    matrix[:, 2] += (size[0] - wide) / 2, (size[1] - tall) / 2
    paper = tuple(int(v) for v in drawn.pixels[0, 0])
    pixels = cv2.warpAffine(drawn.pixels, matrix, size, flags=cv2.INTER_CUBIC, borderValue=paper)

    def moved(points: Floats) -> Floats:
        return np.asarray(points @ matrix[:, :2].T + matrix[:, 2], dtype=np.float64)

    panels = tuple(_moved_panel(panel, moved, None) for panel in drawn.panels)
    rows = tuple(tuple(float(v) for v in row) for row in matrix)
    return replace(drawn, pixels=np.asarray(pixels, dtype=np.uint8), panels=panels, degraded="turned", turned_by=rows)


def _moved_panel(panel: DrawnPanel, moved: Callable[[Floats], Floats], factor: Floats | None) -> DrawnPanel:
    """A panel whose geometry went through `moved`; `factor` (x, y): the shrinking, None where the page was turned."""

    def box(rectangle: Rectangle) -> Rectangle:
        x0, y0, x1, y1 = rectangle
        corners = moved(np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]))
        low, high = corners.min(axis=0), corners.max(axis=0)
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])

    def series(one: DrawnSeries) -> DrawnSeries:
        width = one.width_px * (1.0 if factor is None else float(factor[0]))
        return replace(one, width_px=width, points=moved(one.points), lows=moved(one.lows), highs=moved(one.highs))

    legend = panel.legend
    entries = tuple(
        LegendEntry(one.name, box(one.words), box(one.swatch) if one.swatch else None) for one in legend.entries
    )
    legend = replace(legend, box=box(legend.box) if legend.box else None, entries=entries)
    size = 1.0 if factor is None else float(factor[1])
    texts = {name: replace(one, size_px=one.size_px * size) for name, one in panel.texts.items()}
    axes = panel.axes if factor is None else tuple(_moved_axis(axis, factor) for axis in panel.axes)
    return replace(
        panel, box=box(panel.box), plot=box(panel.plot), axes=axes, series=tuple(map(series, panel.series)),
        legend=legend, texts=texts,
    )  # fmt: skip


def _moved_axis(axis: DrawnAxis, factor: Floats) -> DrawnAxis:
    along = float(factor[0 if axis.side in ("bottom", "top") else 1])
    ticks = tuple(Tick(one.text, one.value, (one.pixel + 0.5) * along - 0.5) for one in axis.ticks)
    return replace(
        axis, slope=axis.slope * along, intercept=(axis.intercept + 0.5) * along - 0.5, ticks=ticks
    )  # fmt: skip
