"""Checks the drawer by machine: the same figures twice, and truth that lies on its ink.

`python -m evaluation.draw_check --count 500` draws every figure twice, compares pixels and truth, measures how far the
ink of frames, ticks, lines, bar ends, area borders, markers and boxes is from where the truth says, and prints a table.
The measures stay away from places where other ink is near. Not handled here: dashes, hatches, outlines of bars,
degraded figures.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from evaluation.draw import CHART_TYPES, draw
from evaluation.draw_charts import plan_figure
from evaluation.draw_plan import Drawn, DrawnPanel, DrawnSeries, Floats, Pixels, Rgb, Style
from evaluation.draw_truth import record

REACH = 4
SQUARE_ON = ("o", "s", "D")
TOLERANCE = 0.5


def coverage(pixels: Pixels, colour: Rgb, paper: Rgb) -> Floats:
    """Shares (H, W) of a colour on the paper, nan where a pixel is no mixture of the two."""
    base = np.array(paper, dtype=np.float64)
    direction = np.array(colour, dtype=np.float64) - base
    length = float(direction @ direction)
    if length < 900:  # hardly seen on this paper
        return np.full(pixels.shape[:2], np.nan)
    offset = pixels - base
    share = offset @ direction / length
    rest = np.linalg.norm(offset - share[..., None] * direction, axis=-1)
    return np.where((rest < 12) & (share > -0.1) & (share < 1.1), np.clip(share, 0, 1), np.nan)


def ink_errors(drawn: Drawn, style: Style) -> dict[str, list[float]]:
    """Distances in pixels between truth and ink, by what was measured. Empty lists are left out."""
    found: dict[str, list[float]] = defaultdict(list)
    for panel in drawn.panels:
        ink = coverage(drawn.pixels, style.ink, style.paper)
        for name, errors in (("frame", frame_errors(panel, ink, style)), ("tick", tick_errors(panel, ink, style))):
            found[name] += errors
        for one in panel.series:
            if sum(other.seen == one.seen for other in panel.series) > 1:
                continue
            shares = coverage(drawn.pixels, one.seen, style.plot)
            for name, error in _series_errors(one, panel, shares, ink):
                found[name].append(error)
    return {name: errors for name, errors in found.items() if errors}


def _series_errors(one: DrawnSeries, panel: DrawnPanel, shares: Floats, ink: Floats) -> Iterator[tuple[str, float]]:
    plan, look = one.plan, one.plan.look
    if plan.form == "line" and not look.marker and look.dash == "solid" and not plan.banded:
        yield from (("line", error) for error in line_errors(one, shares))
    elif plan.form == "bar" and look.edge is None and not look.hatch and not panel.plan.horizontal:
        yield from (("bar end", error) for error in end_errors(one, shares, _half_width(one, panel)))
    elif plan.form == "area" and not look.line_pt and look.alpha == 1:
        yield from (("area border", error) for error in border_errors(one, shares))
    elif plan.form == "scatter" and look.marker in SQUARE_ON and look.filled and look.edge is None:
        yield from (("marker", error) for error in marker_errors(one, panel, shares))
    elif plan.form == "box" and not panel.plan.horizontal and len(panel.series) == 1:
        yield from (("box", error) for error in box_errors(one, panel, ink))


def frame_errors(panel: DrawnPanel, ink: Floats, style: Style) -> list[float]:
    """How far the strokes of the left and the lower side are from the plot box: medians between the ticks."""
    x0, y0, x1, y1 = panel.plot
    half = style.spine_pt * style.px / 2
    found = []
    for side, low, high, place in (("left", y0, y1, x0), ("bottom", x0, x1, y1)):
        if side in style.spines:
            ticks = panel.axis(side).ticks
            lines = [round(at) for at in _between([tick.pixel for tick in ticks], low, high)]
            errors = [_stroke(ink[at] if side == "left" else ink[:, at], place, half) for at in lines]
            known = [error for error in errors if error is not None]
            found += [float(np.median(known))] if known else []
    return found


def _between(ticks: Sequence[float], low: float, high: float) -> list[float]:
    """Places a third of the way between neighbouring ticks within the plot."""
    inside = sorted(tick for tick in ticks if low < tick < high)
    return [a + (b - a) / 3 for a, b in pairwise(inside) if b - a > 9]


def _stroke(line: Floats, place: float, half: float) -> float | None:
    """Distance between a place and the middle of the stroke there, along one row or column of coverages; None where
    there is no stroke of that width with paper around it."""
    low, high = int(np.floor(place - half - REACH)), int(np.ceil(place + half + REACH)) + 1
    if low < 0 or high > len(line):
        return None
    window = line[low:high]
    if not np.isfinite(window).all() or window[0] > 0.05 or window[-1] > 0.05:
        return None
    total = float(window.sum())
    if not 0.7 * 2 * half - 0.1 < total < 1.3 * 2 * half + 0.3:
        return None
    return float((window * np.arange(low, high)).sum() / total - place)


def tick_errors(panel: DrawnPanel, ink: Floats, style: Style) -> list[float]:
    """How far tick marks that point outwards are from their pixels."""
    if style.tick_direction != "out":
        return []
    out = style.spine_pt * style.px / 2 + 1.8 * style.px
    half = style.spine_pt * style.px / 2
    found = []
    for axis in panel.axes:
        x0, _, x1, y1 = panel.plot
        across = ink[round(y1 + out)] if axis.side == "bottom" else None
        line = across if across is not None else ink[:, round(x1 + out if axis.side == "right" else x0 - out)]
        errors = [_stroke(line, tick.pixel, half) for tick in axis.ticks]
        found += [error for error in errors if error is not None]
    return found


def line_errors(one: DrawnSeries, shares: Floats) -> list[float]:
    """How far a plain line is from its segments, measured up and down in columns away from the vertices."""
    found = []
    for (ax, ay), (bx, by) in zip(one.points[:-1], one.points[1:], strict=True):
        room = 2 + one.width_px
        if bx - ax < 2 * room + 1:
            continue
        slope = (by - ay) / (bx - ax)
        if abs(slope) > 1:
            continue
        for x in np.linspace(ax + room, bx - room, 3).round().astype(int):
            half = one.width_px / 2 * float(np.hypot(1, slope))
            error = _stroke(shares[:, x], ay + slope * (x - ax), half + abs(slope) / 2)
            found += [] if error is None else [error]
    return found


def _half_width(one: DrawnSeries, panel: DrawnPanel) -> float:
    return abs(panel.axes[0].slope) * one.plan.width / 2


def end_errors(one: DrawnSeries, shares: Floats, half_width: float) -> list[float]:
    """How far the ends of standing bars are from the truth."""
    heights = np.abs(one.plan.y)
    found = []
    for (x, y), value, height in zip(one.points, one.plan.y, heights, strict=True):
        if half_width > 1.5 and height > 0 and not len(one.plan.low):
            error = _edge(shares[:, round(x)], y, 1 if value > 0 else -1)
            found += [] if error is None else [error]
    return found


def border_errors(one: DrawnSeries, shares: Floats) -> list[float]:
    """How far the upper border of an area is from its segments."""
    found = []
    for (ax, ay), (bx, by) in zip(one.points[:-1], one.points[1:], strict=True):
        if bx - ax >= 4 and abs(by - ay) < bx - ax:
            x = round((ax + bx) / 2)
            error = _edge(shares[:, x], ay + (by - ay) * (x - ax) / (bx - ax), 1)
            found += [] if error is None else [error]
    return found


def _edge(line: Floats, place: float, inwards: int) -> float | None:
    """Distance between a place and the edge of a patch that begins there, going down (1) or up (-1); None where the
    patch is thin or something else lies over the edge."""
    middle = round(place)
    if not REACH < middle < len(line) - REACH - 1:
        return None
    window = line[middle - REACH : middle + REACH + 1][::inwards]
    if not np.isfinite(window).all() or window[0] > 0.05 or window[-1] < 0.95 or window[-2] < 0.95:
        return None
    inside = float(window.sum())  # pixels of patch between the edge and the window's end, REACH + 0.5 from its middle
    return inwards * (REACH + 0.5 - inside) - (place - middle)


def marker_errors(one: DrawnSeries, panel: DrawnPanel, shares: Floats) -> list[float]:
    """How far markers that touch nothing are from their points, along x and along y."""
    every = np.concatenate([other.points for other in panel.series])
    half = one.plan.look.marker_pt * one.width_px / max(one.plan.look.line_pt, 1e-9) / 2 + one.width_px / 2 + 2
    found: list[float] = []
    for x, y in one.points:
        if (np.abs(every - [x, y]).max(axis=1) < 2 * half + 2).sum() > 1:
            continue
        rows, columns = (np.arange(int(v - half), int(v + half) + 2) for v in (y, x))
        if rows[0] < 0 or columns[0] < 0 or rows[-1] >= shares.shape[0] or columns[-1] >= shares.shape[1]:
            continue
        window = shares[np.ix_(rows, columns)]
        rim = np.concatenate([window[0], window[-1], window[:, 0], window[:, -1]])
        if not np.isfinite(window).all() or rim.max() > 0.05 or window.sum() < 3:
            continue
        total = float(window.sum())
        found.append(float((window.sum(axis=0) * columns).sum() / total - x))
        found.append(float((window.sum(axis=1) * rows).sum() / total - y))
    return found


def box_errors(one: DrawnSeries, panel: DrawnPanel, ink: Floats) -> list[float]:
    """How far the caps of standing boxes are from the ends of their whiskers."""
    found = []
    quarter = _half_width(one, panel) / 4
    for (x, _), box in zip(one.points, one.plan.boxes, strict=True):
        for value in (box.whisker_low, box.whisker_high):
            y = float(panel.axes[1].to_pixel(np.array([value]))[0])
            error = _stroke(ink[:, round(x + quarter)], y, one.width_px / 2)
            found += [] if error is None else [error]
    return found


def same_twice(seed: int, sample: int, kind: str | None, engine: str | None) -> tuple[Drawn, bool]:
    """A figure, and whether drawing it again gives the same pixels and the same truth."""
    first, again = (draw(seed, sample, kind=kind, engine=engine) for _ in range(2))
    same = np.array_equal(first.pixels, again.pixels) and first.tables == again.tables
    return first, same and json.dumps(record(first)) == json.dumps(record(again))


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw figures twice and measure their ink: 0 where all are the same and on their ink, else 1."""
    parser = argparse.ArgumentParser(prog="python -m evaluation.draw_check", description="Check the drawer.")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--start", type=int, default=0, help="the first sample, to check a set in parts")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--engine", default=None)
    asked = parser.parse_args(arguments)
    kinds, different = tuple(CHART_TYPES), []
    errors: dict[tuple[str, str], list[float]] = defaultdict(list)
    for k in range(asked.start, asked.start + asked.count):
        kind = kinds[k % len(kinds)]
        drawn, same = same_twice(asked.seed, k, kind, asked.engine)
        if not same:
            different.append(f"{kind} {k}")
        for name, found in ink_errors(drawn, plan_figure(asked.seed, k, kind)[1].style).items():
            errors[drawn.engine, name] += found
    print(
        f"{asked.count} figures drawn twice, {len(different)} differ{': ' if different else ''}{', '.join(different)}"
    )
    print("engine\tink of\tmeasured\tmedian px\t99 % px\tlargest px")
    for (engine, name), found in sorted(errors.items()):
        off = np.abs(found)
        print(f"{engine}\t{name}\t{len(off)}\t{np.median(off):.3f}\t{np.percentile(off, 99):.3f}\t{off.max():.3f}")
    worst = max((float(np.abs(found).max()) for found in errors.values()), default=0.0)
    return int(bool(different) or worst > TOLERANCE + 0.01)


if __name__ == "__main__":
    sys.exit(main())
