"""The offline policy: reads a figure through the Workbench with no model, no key and no network.

Not handled here: measuring (the tools do), and questions that only meaning can settle; those become warnings.
"""

from __future__ import annotations

import numpy as np

from agent.multiples import Plan, agreed_plans
from agent.sides import bind_sides
from tools.end_names import named_at_ends
from tools.insets import without_insets
from tools.names import words_near
from tools.scans import lost_tones
from tools.strips import are_strips
from tools.types import Unreadable
from tools.unread import refusal
from tools.vector_series import is_pictured, read_vector
from tools.workbench import ReaderName, Workbench

FILLED = ("box", "bar", "area")
LONE = 3  # marks of a nameless path: fewer are an arrow or a call-out over a picture
INSTEAD: dict[ReaderName, tuple[ReaderName, ...]] = {
    "bar": ("step", "line"),
    "step": ("line",),
    "points": ("line",),
    "line": ("bar",),
}


def read(bench: Workbench) -> list[tuple[str, ...]]:
    """Measure every panel of the bench's figure. Returns the warnings of each panel, in its order."""
    bench.read_text()
    bench.find_panels()
    bench.calibrate()
    bench.read_legends()
    plans = agreed_plans(bench)
    return [read_guarded(bench, number, plans.get(number)) for number in range(1, len(bench.panels) + 1)]


def read_guarded(bench: Workbench, number: int, steps: Plan | None = None) -> tuple[str, ...]:
    """Read one panel; a fault of ours refuses this panel, with its reason, and spares the others."""
    try:
        return read_panel(bench, number, steps)
    except Exception as fault:
        reason = f"a fault in PlotCaliper stopped the reading of this panel ({type(fault).__name__}: {fault})"
        bench.series[number] = []
        bench.tables[number] = Unreadable(reason)
        return (reason,)


def read_panel(bench: Workbench, number: int, steps: Plan | None = None) -> tuple[str, ...]:
    """Measure one panel: choose readers by what the colours look like, bind twin axes, tabulate, redraw.

    `steps`: what small multiples agreed on; left out, what the panel itself looks like.
    """
    panel = bench.panels[number - 1]
    if not steps and (kind := bench.unread_kind(number)):  # multiples with a plan are known to be read
        bench.tables[number] = Unreadable(refusal(kind))
        return (*panel.warnings, refusal(kind))
    if panel.refused is not None or not panel.axes:
        bench.tables[number] = panel.refused or Unreadable("no axis of this panel could be calibrated")
        return (*panel.warnings, bench.tables[number].reason)  # type: ignore[union-attr]
    measure_panel(bench, number, steps)
    series = named_at_ends(panel, bench.series.get(number, []), words_near(bench.words, panel, bench.panels))
    bench.series[number] = series
    sides, unsure = bind_sides(panel, series, bench.figure.pixels)
    for index, (one, side) in enumerate(zip(series, sides, strict=True), 1):
        if side != one.axis and panel.axis(side) is not None:
            bench.bind_axis(number, index, side)
    bench.propose_table(number)
    return (*panel.warnings, *doubts(bench, number), *lost_tones(bench.figure), *((unsure,) if unsure else ()))


def measure_panel(bench: Workbench, number: int, steps: Plan | None = None) -> None:
    """The series of a panel: from vector paths where these show what the legend names, or explain its ink; else from
    the pixels, if these show more."""
    panel = bench.panels[number - 1]
    exact = read_vector(panel, without_insets(bench.figure, [panel], bench.panels).drawing)
    bench.series[number] = exact
    if is_pictured(bench.figure.drawing, panel):
        measure_picture(bench, number)
        return
    drawn = bench.compare(number) if exact else {"explained": 0.0, "supported": 0.0}
    named = {one.name for one in exact if one.name}
    bars = all(one.kind in ("bar", "stack", "histogram") for one in exact)  # what else is there may be words in them
    whole = bars or drawn["explained"] > 0.6 or bool(named and named >= {e.name for e in panel.legend.entries})
    if exact and whole and drawn["supported"] > 0.7:
        return
    bench.series[number] = []
    measure_layers(bench, number, steps)
    if not exact:
        return
    seen = bench.series[number]
    less = not seen or bench.compare(number)["explained"] < drawn["explained"] + 0.2
    if less or len(named) >= max(1, sum(bool(one.name) for one in seen)):
        bench.series[number] = exact


def measure_picture(bench: Workbench, number: int) -> None:
    """Measure a panel with layers that are pictures: what its paths show exactly, the ink left over from the pixels.

    Paths that show no series (an arrow, a note on a picture of a chart) are left aside.
    """
    exact = [one for one in bench.series[number] if one.name or len(one.marks) > LONE]
    bench.series[number] = exact
    if not exact or bench.compare(number)["supported"] < 0.7:
        bench.series[number] = []
        measure_layers(bench, number)
        return
    names = {one.name for one in exact if one.name}
    own = {
        k for k, left in unexplained(bench, number).items() if left > 0.35 and bench.layer_name(number, k) not in names
    }
    for step in bench.propose_plan(number):
        if layers := [layer for layer in step["layers"] if layer in own]:
            measure_best(bench, number, step["reader"], layers)
    bench.drop_unnamed(number)


def measure_layers(bench: Workbench, number: int, steps: Plan | None = None) -> None:
    """Measure what is filled first, then the rest; nothing in ink that outlines and whiskers of the first explain."""
    steps = bench.propose_plan(number) if steps is None else steps
    for step in steps:
        if step["reader"] in FILLED:
            measure_best(bench, number, step["reader"], step["layers"])
    bench.read_whiskers(number)
    bench.drop_unnamed(number)
    own = own_ink(bench, number)
    for step in steps:
        if step["reader"] not in FILLED:
            layers = [layer for layer in step["layers"] if layer in own]
            if layers:
                measure_best(bench, number, step["reader"], layers)
    bench.drop_unnamed(number)
    bench.read_whiskers(number)


def measure_best(bench: Workbench, number: int, reader: ReaderName, layers: list[int]) -> None:
    """Measure layers with a reader; where most of their ink stays unexplained, with another that explains more."""
    before = len(bench.series.get(number, []))
    bench.measure(number, reader, layers)
    if reader == "points":
        bench.read_whiskers(number)  # error bars may be most of the ink
    worst = share_left(bench, number, layers)
    upright = bench.panels[number - 1].y
    lying = upright is not None and upright.scale == "category"  # stems of lollipops: no curve runs over categories
    lying = lying or are_strips(bench.panels[number - 1], bench.series.get(number, [])[before:])
    for other in INSTEAD.get(reader, ()) if worst > 0.5 and not (reader == "points" and lying) else ():
        kept = bench.take_back(number, before)
        bench.measure(number, other, layers)
        left = share_left(bench, number, layers)
        if left < worst - 0.15 and len(bench.series[number]) > before:
            worst = left
        else:
            bench.take_back(number, before)
            bench.series[number].extend(kept)


def own_ink(bench: Workbench, number: int) -> set[int]:
    """The layers that are no mere outlines, whiskers or axis strokes of what was measured so far.

    The legend's word counts most; black and grey ink beside coloured bars has to show more of its own than a colour. A
    coloured curve that goes its own way over bars is read, though bars lie behind most of it.
    """
    grey = {row["layer"]: row["colourless"] for row in bench.list_inks(number)}
    filled = bool(bench.series.get(number))
    left = unexplained(bench, number)
    least = {layer: 0.6 if filled and grey[layer] else 0.35 for layer in left}
    own = {layer for layer in left if left[layer] > least[layer] or bench.layer_name(number, layer)}
    return own | {layer for layer in left if filled and not grey[layer] and bench.runs_over(number, layer)}


def unexplained(bench: Workbench, number: int) -> dict[int, float]:
    """The share of ink left in each layer of a panel."""
    return {row["layer"]: row["share"] for row in bench.unexplained(number)}


def share_left(bench: Workbench, number: int, layers: list[int]) -> float:
    """The mean share of ink left in these layers."""
    left = unexplained(bench, number)
    return float(np.mean([left[layer] for layer in layers]))


def doubts(bench: Workbench, number: int) -> tuple[str, ...]:
    """What the redrawn table leaves open."""
    if not bench.series.get(number):
        return ()
    found = bench.compare(number)
    warnings = []
    if found["explained"] < 0.6:
        warnings.append(f"only {found['explained']:.0%} of the ink in the plot area is explained by what was read")
    if found["supported"] < 0.7:
        warnings.append(f"only {found['supported']:.0%} of the values stand on ink")
    return tuple(warnings)
