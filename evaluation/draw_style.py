"""How a drawn figure looks: theme, size, resolution, fonts, colours, ways of writing numbers.

Not handled here: the look of one series (`draw_charts` and its neighbours choose from the palette).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from evaluation.draw_plan import Rgb, Side, Style
from evaluation.draw_words import MONTHS, pick

THEMES = (
    "classic", "classic", "open", "open", "grid", "grey", "dark", "ggplot", "minimal", "excel", "economist", "ticks in",
)  # fmt: skip
NUMBERS = ("plain", "plain", "comma", "space", "decimal comma", "percent", "k", "M", "corner", "power")
DPI = (72, 90, 100, 100, 110, 120, 144, 150, 200, 300)
FAMILIES = ("DejaVu Sans", "DejaVu Sans", "DejaVu Sans", "DejaVu Serif", "STIXGeneral", "DejaVu Sans Mono")
PALETTES = (
    ("#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#17becf"),
    ("#4c72b0", "#dd8452", "#55a868", "#c44e52", "#8172b3", "#937860", "#da8bc3", "#64b5cd"),
    ("#e41a1c", "#377eb8", "#4daf4a", "#984ea3", "#ff7f00", "#a65628", "#f781bf", "#666666"),
    ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#b8a800"),
    ("#1b9e77", "#d95f02", "#7570b3", "#e7298a", "#66a61e", "#e6ab02", "#a6761d", "#666666"),
    ("#264653", "#2a9d8f", "#e9c46a", "#f4a261", "#e76f51", "#8ab17d", "#6d597a", "#b56576"),
    ("#003f5c", "#ffa600", "#bc5090", "#58a4b0", "#ff6361", "#488f31", "#7a5195", "#a05d56"),
    ("#4472c4", "#ed7d31", "#a5a5a5", "#ffc000", "#5b9bd5", "#70ad47", "#264478", "#9e480e"),
)
ALL_SIDES: tuple[Side, ...] = ("left", "bottom", "right", "top")
OPEN_SIDES: tuple[Side, ...] = ("left", "bottom")


def rgb(hexadecimal: str) -> Rgb:
    """A colour as three numbers from 0 to 255.

    >>> rgb("#ff8000")
    (255, 128, 0)
    """
    digits = hexadecimal.lstrip("#")
    return int(digits[0:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


def hexadecimal(colour: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


def blend(colour: Rgb, alpha: float, paper: Rgb) -> Rgb:
    """A translucent colour as it is seen on the paper."""
    red, green, blue = (round(alpha * c + (1 - alpha) * p) for c, p in zip(colour, paper, strict=True))
    return red, green, blue


def choose_style(rng: np.random.Generator, panels: tuple[int, int] = (1, 1)) -> Style:
    """A style for a figure of (rows, columns) panels; the pixels grow with them and stay under 2,400 a side."""
    rows, columns = panels
    dpi = pick(rng, DPI)
    inches = float(rng.uniform(4.2, 8.6)), float(rng.uniform(3.0, 5.2))
    if rows * columns > 1:
        inches = float(rng.uniform(3.0, 4.0)) * columns, float(rng.uniform(2.4, 3.2)) * rows
    dpi = int(min(dpi, 2400 / max(inches)))
    tick = float(rng.uniform(7.5, 10.5)) * (0.85 if rows * columns > 1 else 1.0)
    points = {
        "ticks": tick, "axis": tick * float(rng.uniform(1.0, 1.25)), "legend": tick * float(rng.uniform(0.95, 1.1)),
        "title": tick * float(rng.uniform(1.1, 1.5)),
    }  # fmt: skip
    weights = {
        "ticks": "normal", "axis": "bold" if rng.random() < 0.15 else "normal", "legend": "normal",
        "title": "bold" if rng.random() < 0.4 else "normal",
    }  # fmt: skip
    spine = float(rng.uniform(0.6, 1.3))
    style = Style(
        theme=pick(rng, THEMES), size=(round(inches[0] * dpi), round(inches[1] * dpi)), dpi=dpi,
        family=pick(rng, FAMILIES), points=points, weights=weights,
        paper=(255, 255, 255), plot=(255, 255, 255), ink=(0, 0, 0), grid=None, grid_axis="both", grid_dash="solid",
        spines=ALL_SIDES, spine_pt=spine, tick_direction="out", palette=shuffled(rng),
        numbers=pick(rng, NUMBERS), language="en" if rng.random() < 0.6 else pick(rng, tuple(MONTHS)),
    )  # fmt: skip
    return themed(style, rng)


def shuffled(rng: np.random.Generator) -> tuple[Rgb, ...]:
    """A palette, now and then in another order."""
    palette = [rgb(colour) for colour in pick(rng, PALETTES)]
    if rng.random() < 0.4:
        palette = [palette[k] for k in rng.permutation(len(palette))]
    return tuple(palette)


def themed(style: Style, rng: np.random.Generator) -> Style:
    """The colours, rules and frames of the style's theme."""
    grey = (217, 217, 217)
    match style.theme:
        case "open":
            return replace(style, spines=OPEN_SIDES)
        case "grid":
            dash = pick(rng, ("solid", "dashed", "dotted"))
            return replace(style, grid=(205, 205, 205), grid_dash=dash, grid_axis="both")
        case "grey":
            return replace(style, plot=(234, 234, 242), grid=(255, 255, 255), spines=(), tick_direction="none")
        case "dark":
            return replace(
                style, paper=(30, 30, 34), plot=(30, 30, 34), ink=(230, 230, 230), grid=(70, 70, 74),
                palette=tuple(brightened(colour) for colour in style.palette),
            )  # fmt: skip
        case "ggplot":
            return replace(style, plot=(235, 235, 235), grid=(255, 255, 255), spines=(), ink=(60, 60, 60))
        case "minimal":
            return replace(style, grid=(228, 228, 228), spines=(), tick_direction="none")
        case "excel":
            excel = tuple(rgb(colour) for colour in PALETTES[-1])
            return replace(
                style, grid=grey, grid_axis="y", spines=("bottom",), tick_direction="none", ink=(89, 89, 89),
                palette=excel,
            )  # fmt: skip
        case "economist":
            return replace(
                style, paper=(213, 228, 235), plot=(213, 228, 235), grid=(255, 255, 255), grid_axis="y",
                spines=("bottom",),
            )  # fmt: skip
        case "ticks in":
            return replace(style, tick_direction="in")
    return style


def brightened(colour: Rgb) -> Rgb:
    """A colour that is seen on a dark background."""
    lift = max(0.0, (150 - max(colour)) / 255)
    red, green, blue = (min(255, round(c + (255 - c) * (0.25 + lift))) for c in colour)
    return red, green, blue
