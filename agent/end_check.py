"""The ends of error bars and bands against the table: its own low and high columns, or SD, SEM and 95 % intervals.

What the bars stand for is decided by what fits; only where nearly all fit is a single end called different. Not handled
here: box plots (`box_check`), bands without a line in their middle.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from agent.drawn import Drawn
from agent.findings import FEW, Finding, Judge, Ruling, Tally, severity_of
from agent.mapping import Link
from agent.placing import alike
from agent.recipes import AUXILIARY
from agent.source_tables import SourceTable
from tools.types import Floats

LEAST = 3  # ends that have to be compared before anything is said
EXPLAINED = 0.75
Ends = tuple[str, Floats, Floats]  # what they are, then (n,) low and high ends


def check_ends(link: Link, table: SourceTable, judge: Judge) -> tuple[str, list[Finding], Tally]:
    """What the error bars of a series stand for (empty: nothing fits, or none are drawn), findings and the tally."""
    drawn, marks = link.drawn, link.cells.marks
    if drawn.lower is None or drawn.upper is None or not (marks >= 0).any():
        return "", [], Tally()
    best: tuple[float, float, Ends] | None = None
    for ends in _candidates(link, table):
        share = np.abs(_shares(link, ends))
        known = share[np.isfinite(share)]
        if len(known) < LEAST:
            continue
        good = float(np.mean(known <= judge.tolerance))
        worth = good - 2 * float(np.median(known))  # all may be within the tolerance: the nearest one is meant
        if best is None or worth > best[0]:
            best = worth, good, ends
    if best is None or best[1] < EXPLAINED:
        return "", [], Tally()
    return best[2][0], *_judged(link, best[2], judge)


def _candidates(link: Link, table: SourceTable) -> Iterator[Ends]:
    curve, y = link.curve, link.curve.y
    if curve.low is not None and curve.high is not None:
        yield curve.ends, curve.low, curve.high
        if curve.counts is not None:
            half = (curve.high - curve.low) / 2
            with np.errstate(divide="ignore", invalid="ignore"):
                sem = half / np.sqrt(curve.counts)
            yield "SEM", y - sem, y + sem
            yield "95 % interval", y - 1.96 * sem, y + 1.96 * sem
    if len(table.columns[0].texts) != len(y):
        return
    spreads = [c for c in table.columns if c.kind == "number" and AUXILIARY.search(c.name) and len(c.numbers) == len(y)]
    near = alike([curve.name], [AUXILIARY.sub(" ", c.name) for c in spreads])[0] if spreads else []
    for c, likeness in zip(spreads, near, strict=True):
        if (likeness >= 0.7 or len(spreads) == 1) and (np.nan_to_num(c.numbers) >= 0).all():
            yield c.name, y - c.numbers, y + c.numbers
            yield f"1.96 {c.name}", y - 1.96 * c.numbers, y + 1.96 * c.numbers


def _shares(link: Link, ends: Ends) -> Floats:
    """(2, n): figure minus table at the low and the high ends, as shares of the axis; nan where one has none."""
    drawn, marks = link.drawn, link.cells.marks
    return np.array([
        np.where(marks >= 0, (drawn.units(side[0][np.maximum(marks, 0)]) - drawn.units(table)) / drawn.range, np.nan)
        for side, table in zip(_sides(drawn), ends[1:], strict=True)
    ])  # fmt: skip


def _sides(drawn: Drawn) -> tuple[Floats, Floats]:
    assert drawn.lower is not None
    assert drawn.upper is not None
    return drawn.lower, drawn.upper


def _judged(link: Link, ends: Ends, judge: Judge) -> tuple[list[Finding], Tally]:
    drawn, cells, shares = link.drawn, link.cells, _shares(link, ends)
    findings, tally = [], Tally()
    far = int(np.nansum(np.abs(shares) > judge.tolerance))
    for k, side in enumerate(_sides(drawn)):
        for i in np.flatnonzero(np.isfinite(shares[k])).tolist():
            figure, low, high = (float(v) for v in side[:, cells.marks[i]])
            table, share = float(ends[1 + k][i]), float(shares[k, i])
            if abs(share) <= judge.tolerance or low <= table <= high:
                tally.add(Tally(agree=1) if abs(share) <= judge.tolerance else Tally(within_error=1))
                continue
            sure = (
                far <= FEW
                and cells.status[i] in ("agrees", "within tolerance")
                and _seen(judge, link, i, figure, table)
            )
            tally.add(Tally(differ=1) if sure else Tally(unsure=1))
            ruling: Ruling = "discrepancy" if sure else "not verifiable"
            words = f"the {('lower', 'upper')[k]} end of the error bar ({ends[0]}) differs"
            at = float(drawn.along[cells.marks[i]])
            findings.append(
                Finding("value differs", ruling, judge.panel, link.curve.name, words, link.curve.labels[i],
                        severity_of(share), figure, low, high, table, abs(share), drawn.point(at, figure),
                        drawn.point(at, table))
            )  # fmt: skip
    return findings, tally


def _seen(judge: Judge, link: Link, i: int, figure: float, table: float) -> bool:
    """True where there is ink at the figure's end and none beyond it that could lead to the table's."""
    drawn = link.drawn
    probe, middle = judge.probe(drawn), float(link.cells.figure[i])
    at = float(drawn.along[link.cells.marks[i]])
    here, there = drawn.point(at, figure), drawn.point(at, table)
    if not all(map(math.isfinite, (*here, *there))) or probe.blank(*here, reach=3.0):
        return False
    longer = abs(float(drawn.units(table)) - float(drawn.units(middle))) > abs(
        float(drawn.units(figure)) - float(drawn.units(middle))
    )
    return probe.blank(*there, reach=1.5) if longer else True
