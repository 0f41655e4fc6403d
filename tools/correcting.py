"""What a model or a person knows better: a plot area, or the values at some pixels of an axis, seated on strokes.

Not handled here: finding plots and axes without being told (`panels`, `axes`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.axes import calibrate, without_words
from tools.categories import even_slots
from tools.dates import parse_date_ladder
from tools.drafts import numbers_of
from tools.legend import read_legend
from tools.looking import snap_box
from tools.seating import Rails, edge_rails, grid_rails, snap, tick_rails
from tools.strokes import find_grid, find_ticks
from tools.types import Anchor, Axis, Box, Figure, Floats, Panel, Scale, Side, Unreadable, Word

REACH = 5.0  # px that an anchor moves to a stroke
OFF = 3.0  # px of residual above which anchors contradict each other


def panel_at(
    figure: Figure, panels: Sequence[Panel], words: Sequence[Word], index: int, plot: Box
) -> tuple[Panel, list[str]]:
    """The panel whose plot area is `plot` with its edges put on strokes, calibrated anew; which edges found a stroke.

    `index`: its place among `panels` (one past the last adds it). Others keep what they have.
    """
    snapped, seated = snap_box(figure, plot)
    grown = Box(snapped.x0 - 60, snapped.y0 - 30, snapped.x1 + 20, snapped.y1 + 50)
    box = Box(max(0.0, grown.x0), max(0.0, grown.y0), min(figure.width - 1.0, grown.x1),
              min(figure.height - 1.0, grown.y1))  # fmt: skip
    fresh = Panel(box, snapped, panels[index].title if index < len(panels) else "")
    everyone = [*panels[:index], fresh, *panels[index + 1 :]]
    calibrated = calibrate(figure, everyone, words)
    return read_legend(figure, calibrated, words)[index], seated


def with_axis(panel: Panel, axis: Axis) -> Panel:
    """The panel with this axis in place of the one on its side; a panel with a value axis is refused no longer."""
    axes = (*(one for one in panel.axes if one.side != axis.side), axis)
    word = "horizontal" if axis.horizontal else "vertical"
    warnings = tuple(w for w in panel.warnings if not w.startswith(f"no {word} axis"))
    readable = any(one.scale in ("linear", "log") for one in axes)
    return replace(panel, axes=axes, warnings=warnings, refused=None if readable else panel.refused)


def axis_through(
    figure: Figure, panel: Panel, words: Sequence[Word], side: Side, scale: Scale, pixels: Sequence[float],
    values: Sequence[str],
) -> Axis | Unreadable:  # fmt: skip
    """The axis through anchors: `pixels` (n,) along it in figure pixels, `values` as printed, at least two of each.

    Each anchor is moved onto a tick mark, grid line or the frame within 5 px; the residual is in `Axis.residual`.
    """
    if len(pixels) != len(values) or len(pixels) < 2:
        return Unreadable("an axis needs at least two anchors, with as many values as pixels")
    if len({round(pixel, 1) for pixel in pixels}) < len(pixels):
        return Unreadable("two anchors stand at the same pixel")
    order = np.argsort(pixels)
    at = np.array(pixels, dtype=np.float64)[order]
    texts = [values[i] for i in order]
    rails = _rails(figure, panel, words, side)
    seated, hit = snap(at, rails, REACH)
    if len(set(np.round(seated, 2))) < len(seated):
        seated, hit = at, np.zeros(len(at), dtype=bool)
    kinds = [_kind(rails, pixel) if on else "glyph" for pixel, on in zip(seated, hit, strict=True)]
    units = _units(scale, texts, seated)
    if isinstance(units, Unreadable):
        return units
    slope, intercept = np.polyfit(seated, units, 1)
    if not np.isfinite(slope) or abs(slope) < 1e-15:
        return Unreadable("all anchors have the same value")
    away = (units - intercept) / slope - seated
    residual = float(np.sqrt(np.mean(away**2)))
    if residual > max(OFF, 0.01 * float(np.ptp(seated))):
        worst = int(np.argmax(np.abs(away)))
        return Unreadable(
            f"the anchors lie {residual:.1f} px off one {scale} scale; the worst is {texts[worst]!r} at pixel "
            f"{seated[worst]:.1f}, {abs(away[worst]):.1f} px off. Check it, or try another scale."
        )
    return _axis(panel, side, scale, seated, texts, kinds, units, (float(slope), float(intercept), residual))


def _axis(
    panel: Panel, side: Side, scale: Scale, pixels: Floats, texts: Sequence[str], kinds: Sequence[str], units: Floats,
    line: tuple[float, float, float],
) -> Axis:  # fmt: skip
    values = np.power(10.0, units) if scale == "log" else units
    anchors = tuple(
        Anchor(float(pixel), float(value), text, kind)  # type: ignore[arg-type]
        for pixel, value, text, kind in zip(pixels, values, texts, kinds, strict=True)
    )
    was = panel.axis(side)
    names = [""] * (round(float(units.max())) + 1) if scale == "category" else []
    for text, unit in zip(texts, units, strict=True):
        if scale == "category":
            names[round(float(unit))] = text
    return Axis(
        side, scale, *line[:2], anchors, line[2], was.label if was else "", was.unit if was else "", tuple(names),
        confidence="high" if "glyph" not in kinds and len(anchors) > 2 else "low",
    )  # fmt: skip


def _units(scale: Scale, texts: Sequence[str], pixels: Floats) -> Floats | Unreadable:
    """The anchors' values in scale units."""
    if scale == "category":
        slots = even_slots(pixels)
        if slots is None:
            return Unreadable("categories must stand at even distances")
        return np.array(slots.index, dtype=np.float64)
    if scale == "date":
        days = [value if isinstance(value, float) else np.nan for value in parse_date_ladder(list(texts)).values]
        values = np.array(days, dtype=np.float64)
    else:
        values = numbers_of(texts)
    if np.isnan(values).any():
        wrong = texts[int(np.flatnonzero(np.isnan(values))[0])]
        return Unreadable(f"{wrong!r} is no {'date' if scale == 'date' else 'number'}")
    if scale != "log":
        return values
    return np.log10(values) if (values > 0).all() else Unreadable("a log axis has no zero and no negative values")


def _rails(figure: Figure, panel: Panel, words: Sequence[Word], side: Side) -> list[Rails]:
    across = side in ("bottom", "top")
    low, high = (panel.plot.x0, panel.plot.x1) if across else (panel.plot.y0, panel.plot.y1)
    grid = find_grid(figure, panel.plot, "vertical" if across else "horizontal")
    quiet = without_words(figure, words)
    rails = [tick_rails(find_ticks(quiet, panel.plot, side)), grid_rails(grid), edge_rails(low, high)]
    return [rail for rail in rails if len(rail.pixels)]


def _kind(rails: Sequence[Rails], pixel: float) -> str:
    return next((rail.kind for rail in rails if np.abs(rail.pixels - pixel).min() < 1e-6), "glyph")
