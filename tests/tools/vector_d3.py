"""The cases as D3's usual code draws them: axes of `d3.axisBottom` and `d3.axisLeft`, paths, rectangles, circles.

D3 puts its axes half a unit beside the marks, for crisp lines; its SVG has no background and sets its text by CSS.
Not handled here: other layouts of D3 than those of its own examples.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from tests.tools.vector_cases import Case, positions_of

WIDTH, HEIGHT, LEFT, TOP = 560.0, 320.0, 50.0, 30.0
COLOURS = ("#1f77b4", "#ff7f0e", "#2ca02c")
Scale = Callable[[float], float]


def draw(folder: Path, chosen: Sequence[Case]) -> None:
    """`d3-<case>.svg`."""
    for case in chosen:
        if case.style in ("lines", "markers", "bars", "points", "area") and not case.dated and not case.log:
            (folder / f"d3-{case.name}.svg").write_text(svg_of(case), encoding="utf-8")


def svg_of(case: Case) -> str:
    """The chart as a page of D3 holds it."""
    at = positions_of(case)
    values = np.array(list(case.series.values()))
    tops = values.sum(axis=0) if case.style == "area" else values
    low = min(0.0, float(tops.min())) if case.style in ("bars", "area") or tops.min() < 0 else float(tops.min())
    y_ticks = _ticks(low, float(tops.max()))
    low, high = min(low, y_ticks[0]), max(float(tops.max()), y_ticks[-1])
    if case.named:
        step = WIDTH / (len(at) + 0.2)
        x: Scale = lambda v: (v + 0.6) * step  # noqa: E731 (a band scale)
        names = [(x(k), str(name)) for k, name in enumerate(case.x)]
    else:
        x = lambda v: (v - float(at.min())) / float(np.ptp(at)) * WIDTH  # noqa: E731
        names = [(x(v), f"{v:g}") for v in _ticks(float(at.min()), float(at.max()))]
        step = WIDTH
    y: Scale = lambda v: HEIGHT - (v - low) / (high - low) * HEIGHT  # noqa: E731
    body = _marks(case, at, x, y, 0.8 * step)
    axes = _axis(names, True) + _axis([(y(v), f"{v:g}".replace("-", "−")) for v in y_ticks], False)
    legend = "".join(
        f'<g transform="translate(440,{10 + 18 * k})"><rect width="12" height="12" fill="{COLOURS[k]}"></rect>'
        f'<text x="18" y="10" font-size="12" font-family="sans-serif">{name}</text></g>'
        for k, name in enumerate(case.series)
    )
    legend = legend if len(case.series) > 1 else ""
    wide, tall = WIDTH + LEFT + 30, HEIGHT + TOP + 40
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}" height="{tall:g}" viewBox="0 0 {wide:g} {tall:g}">'
        f'<g transform="translate({LEFT:g},{TOP:g})">{body}{axes}{legend}</g></svg>'
    )


def _ticks(low: float, high: float) -> list[float]:
    """Round values within a range, about six."""
    step = 10.0 ** np.floor(np.log10((high - low) / 6))
    step *= next(k for k in (1, 2, 5, 10) if (high - low) / (step * k) <= 8)
    return [round(k * step, 9) for k in range(int(np.ceil(low / step)), int(np.floor(high / step)) + 1)]


def _axis(ticks: Sequence[tuple[float, str]], level: bool) -> str:
    """What `d3.axisBottom` or `d3.axisLeft` makes, on a screen of one pixel a unit: everything half a unit aside."""
    end = WIDTH if level else HEIGHT
    path = f"M0.5,6V0.5H{end + 0.5:g}V6" if level else f"M-6,{end + 0.5:g}H0.5V0.5H-6"
    place = f' transform="translate(0,{HEIGHT:g})"' if level else ""
    anchor = "middle" if level else "end"
    parts = [f'<g{place} fill="none" font-size="10" font-family="sans-serif" text-anchor="{anchor}">',
             f'<path class="domain" stroke="currentColor" d="{path}"></path>']  # fmt: skip
    for at, text in ticks:
        moved = f"{float(at) + 0.5!r},0" if level else f"0,{float(at) + 0.5!r}"
        line = '<line stroke="currentColor" y2="6"></line>' if level else '<line stroke="currentColor" x2="-6"></line>'
        word = 'y="9" dy="0.71em"' if level else 'x="-9" dy="0.32em"'
        parts.append(f'<g class="tick" opacity="1" transform="translate({moved})">{line}'
                     f'<text fill="currentColor" {word}>{text}</text></g>')  # fmt: skip
    return "".join([*parts, "</g>"])


def _marks(case: Case, at: np.ndarray, x: Scale, y: Scale, band: float) -> str:  # type: ignore[type-arg]
    found = []
    below = np.zeros(len(at))
    for k, values in enumerate(case.series.values()):
        colour = COLOURS[k]
        points = [(x(a), y(b)) for a, b in zip(at, values, strict=True)]
        if case.style in ("lines", "markers"):
            path = "M" + "L".join(f"{a:.3f},{b:.3f}" for a, b in points)
            found.append(f'<path fill="none" stroke="{colour}" stroke-width="1.5" d="{path}"></path>')
        if case.style in ("points", "markers"):
            found += [f'<circle cx="{float(a)!r}" cy="{float(b)!r}" r="3" fill="{colour}"></circle>' for a, b in points]
        if case.style == "bars":
            wide = band / len(case.series)
            for (a, b), value in zip(points, values, strict=True):
                tall, top = abs(y(0.0) - b), b if value >= 0 else y(0.0)
                left = a - band / 2 + k * wide
                sides = f'x="{left:.12g}" y="{top:.12g}" height="{tall:.12g}" width="{wide:.12g}"'
                found.append(f'<rect {sides} fill="{colour}"></rect>')  # fmt: skip
        if case.style == "area":
            upper = [f"{x(a):.3f},{y(b):.3f}" for a, b in zip(at, below + values, strict=True)]
            lower = [f"{x(a):.3f},{y(b):.3f}" for a, b in zip(at, below, strict=True)][::-1]
            found.append(f'<path fill="{colour}" d="M{"L".join(upper)}L{"L".join(lower)}Z"></path>')
            below = below + values
    return "".join(found)
