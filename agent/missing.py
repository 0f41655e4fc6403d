"""Series that the table has and the figure does not draw, and the other way round.

A column counts as missing only when its places are seen to be empty, or when a complete legend leaves it out.
Categories without a row are told too. Not handled here: rows of the table (`findings`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

from agent.comparing import FILLED, baseline
from agent.drawn import Drawn, all_along
from agent.findings import Finding, Judge, Ruling, good_share
from agent.mapping import Link, PanelMap
from agent.placing import Places, alike, places
from agent.recipes import Curve
from tools.types import Panel

NAMED = 0.7
MODEL = re.compile(
    r"trend|smooth|loess|spline|\bfit|regress|model|predict|threshold|target|limit|reference|baseline|average|\bmean\b|y\s*=",
    re.I,
)


def missing_series(found: PanelMap, panel: Panel, judge: Judge, elsewhere: set[str], doubtful: bool) -> list[Finding]:
    """Findings on series without a partner. `elsewhere`: names of curves that other panels show; `doubtful`: the
    panel's reading leaves ink unexplained, so that nothing is called missing."""
    agreeing = [link for link in found.links if link.cells.score >= 0.7]
    doubtful = doubtful or not agreeing or len(agreeing) < 0.5 * len(found.links)
    findings = [] if found.layout.recipe == "ratio" else _in_figure(found, panel, judge, elsewhere, doubtful)
    return findings + _in_table(found, judge, doubtful)


def _in_figure(found: PanelMap, panel: Panel, judge: Judge, elsewhere: set[str], doubtful: bool) -> list[Finding]:
    findings = []
    taken = {link.drawn.name for link in found.links if link.drawn.named and link.named >= 0.95}
    for j in found.loose_curves:
        curve = found.layout.curves[j]
        model = max((link for link in found.links), key=lambda link: link.cells.counted).drawn
        if curve.optional or curve.name in elsewhere:
            continue
        if not _belongs(curve, model):
            words = f"the values of {curve.name!r} of the table lie outside the axis of this panel"
            findings.append(Finding("series missing in the figure", "note", judge.panel, curve.name, words, "", "low"))
            continue
        entries = [entry.name for entry in panel.legend.entries if entry.name not in taken]
        in_legend = bool(entries) and float(alike([curve.name], entries).max()) >= NAMED
        ruling: Ruling = "not verifiable"
        if not in_legend and not doubtful and not found.loose_series:
            complete = len(panel.legend.entries) >= 2 and all(link.drawn.named for link in found.links)
            empty = _empty_share(curve, found, model, judge)
            needed = (0.3 if complete else 0.7) if model.kind in FILLED else (0.35 if complete else 0.5)
            if (empty is None and complete) or (empty is not None and empty >= needed):
                ruling = "discrepancy"
        words = {
            "discrepancy": f"the table has {curve.name!r}, which the figure does not draw",
            "not verifiable": f"{curve.name!r} of the table was not found in the figure",
        }[ruling]
        findings.append(Finding("series missing in the figure", ruling, judge.panel, curve.name, words))
    return findings


def _belongs(curve: Curve, model: Drawn) -> bool:
    """True of a column whose values the panel's axis could show, or nearly so."""
    units = model.units(curve.y[np.isfinite(curve.y)])
    units = units[np.isfinite(units)]
    # The plot area of a figure without a frame may have been taken to end at the outermost ticks.
    low, high = model.units(np.array(model.limits)) + np.array([-0.35, 0.35]) * model.range
    return len(units) >= 2 and float(np.mean((units >= low) & (units <= high))) >= 0.8


def _empty_share(curve: Curve, found: PanelMap, model: Drawn, judge: Judge) -> float | None:
    """The share of a curve's places that are seen to be empty; None where that cannot be seen."""
    # Rows that a curve which agrees has in common with this one stand where those of that curve stand.
    ways = [link.places for link in found.links if link.curve.labels == curve.labels and link.cells.score >= 0.8]
    ways = ways[:1] or [w for w in places(curve, model.key, all_along(found.series), model.span) if w.sure]
    if not ways or model.stacked:
        return None
    if model.kind == "bar" and _whole_groups(found):
        return 1.0
    looks = _bar_places if model.kind in FILLED else _stroke_places
    seen = looks(curve, found, model, judge, ways[0])
    if len(seen) < 2:
        return None
    return float(np.mean(seen))


def _whole_groups(found: PanelMap) -> bool:
    """True where the bars read stand evenly about the places of their rows: no room is left for another beside them."""
    apart = [link.drawn.along[link.cells.marks] - link.places.pixels for link in found.links
             if link.drawn.kind == "bar" and link.places.how == "names" and (link.cells.marks >= 0).all()]  # fmt: skip
    if not apart or len(apart) < len(found.series) or len({len(one) for one in apart}) > 1 or len(apart[0]) < 3:
        return False
    step = found.links[0].places.step
    return bool(np.abs(np.median(np.mean(apart, axis=0))) < 0.06 * step)


def _stroke_places(curve: Curve, found: PanelMap, model: Drawn, judge: Judge, way: Places) -> list[bool]:
    """For each row on the plot: is its place blank paper? Of a line, the places on the way to the next row too, as a
    grid line may stand in that of the row."""
    probe, seen = judge.probe(model), []
    at, heights = way.pixels, model.axis.to_pixel(curve.y)
    for i in range(len(at)):
        spots = [(float(at[i]), float(heights[i]))]
        if model.kind == "line" and i + 1 < len(at):
            spots += [(float(at[i] + t * (at[i + 1] - at[i])), float(heights[i] + t * (heights[i + 1] - heights[i])))
                      for t in (0.25, 0.4, 0.6, 0.75)]  # fmt: skip
        on = [(y, x) if model.horizontal else (x, y) for x, y in spots if math.isfinite(x) and math.isfinite(y)]
        on = [spot for spot in on if _on_plot(model, *spot)]
        if on:
            blank = [probe.blank(x, y, 2.0) for x, y in on]
            seen.append(blank[0] or (len(blank) > 2 and all(blank[1:])))
    return seen


def _bar_places(curve: Curve, found: PanelMap, model: Drawn, judge: Judge, way: Places) -> list[bool]:
    """For each row where the curve stands out above all drawn bars: is its slot empty just below its value?"""
    probe, seen = judge.probe(model), []
    step = way.step if math.isfinite(way.step) else 10.0
    base = float(model.units(baseline(model)))
    for i, (at, value) in enumerate(zip(way.pixels, curve.y, strict=True)):
        unit = float(model.units(value))
        others = [float(link.drawn.units(link.cells.figure[i])) for link in found.links if i < len(link.cells.figure)]
        tops = [v for v in others if math.isfinite(v)]
        if not math.isfinite(at) or not math.isfinite(unit) or unit <= base:
            continue
        top = max([base, *tops])
        if unit - top < 0.06 * model.range:
            continue
        middle = top + 0.6 * (unit - top)
        height = 10.0**middle if model.axis.scale == "log" else middle
        spots = [model.point(float(at) + k * step, height) for k in np.linspace(-0.4, 0.4, 9)]
        seen.append(sum(probe.blank(x, y, 1.0) for x, y in spots) >= 8)
    return seen


def _on_plot(model: Drawn, x: float, y: float) -> bool:
    x0, y0, x1, y1 = model.plot
    return x0 + 2 < x < x1 - 2 and y0 + 2 < y < y1 - 2


def _in_table(found: PanelMap, judge: Judge, doubtful: bool) -> list[Finding]:
    findings = []
    for i in found.loose_series:
        drawn = found.series[i]
        loose = found.loose_curves
        known = float(found.names[i, loose].max()) if loose else 0.0
        fits = float(found.scores[i, loose].max()) if loose else 0.0
        sure = (
            drawn.named
            and not doubtful
            and known < NAMED
            and fits < 0.5
            and len(drawn.along) >= 3
            and not drawn.sampled
        )
        by_name = sum(link.drawn.named and link.named >= NAMED for link in found.links)
        sure = sure and by_name >= 0.5 * len(found.links) and all(link.drawn.named for link in found.links)
        words = (
            f"the figure draws {drawn.name!r}, which the table does not have" if sure
            else f"no column of the table was found for {drawn.name!r} of the figure"
        )  # fmt: skip
        drawn_only = not drawn.named or MODEL.search(drawn.name) is not None  # fits and limits are seldom deposited
        ruling: Ruling = "note" if drawn_only else "discrepancy" if sure else "not verifiable"
        findings.append(Finding("series missing in the table", ruling, judge.panel, drawn.name, words))
    return findings


def without_row(links: Sequence[Link], judge: Judge) -> list[Finding]:
    """Categories that the figure draws and no row of the table names: one finding each, over all series."""
    named = [link for link in links if link.places.how == "names" and link.drawn.key is not None]
    if not named or any(link.places.how != "names" for link in links):
        return []
    key = named[0].drawn.key
    assert key is not None
    known = alike(key.categories, named[0].curve.labels).max(axis=1, initial=0.0)
    at = np.concatenate([link.cells.pixels for link in named])
    taken = set(np.round(key.to_value(at[np.isfinite(at)])).astype(int).tolist())
    findings = []
    for slot, label in enumerate(key.categories):
        if not label or slot in taken or known[slot] >= NAMED:
            continue
        values = [(link, k) for link in named for k in np.flatnonzero(np.round(key.to_value(link.drawn.along)) == slot)]
        if not values:
            continue
        link, k = values[0]
        sure = all(bool(one.drawn.sure[i]) for one, i in values) and all(good_share(one.cells) >= 0.7 for one in named)
        x, y = (float(v) for v in link.drawn.places[k])
        findings.append(
            Finding("points missing", "discrepancy" if sure and known[slot] < 0.5 else "not verifiable", judge.panel,
                    "", f"the figure draws {label!r}, and the table has no such row", label, "high",
                    float(link.drawn.value[k]), float(link.drawn.low[k]), float(link.drawn.high[k]), pixel=(x, y))
        )  # fmt: skip
    return findings
