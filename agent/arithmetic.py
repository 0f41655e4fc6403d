"""What is plotted after arithmetic: logarithms, sums, rolling means, percentages, ratios, bins, box statistics.

Not handled here: grouping and aggregating rows (`recipes`); smoothing other than a rolling mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from agent.recipes import Curve, Layout
from tools.types import Floats


def variants(layout: Layout) -> Iterator[Layout]:
    """The same curves after arithmetic: logarithms, cumulative sums, rolling means, percentages, ratios, totals."""
    for name, of, cost in TRANSFORMS:
        curves = tuple(replace(c, y=of(c.y), low=None, high=None) for c in layout.curves)
        if any(np.isfinite(c.y).any() for c in curves):
            yield replace(layout, curves=curves, recipe=_then(layout.recipe, name), cost=layout.cost + cost)
    same = [c for c in layout.curves if len(c.y) == len(layout.curves[0].y) and not c.optional]
    if 2 <= len(same) <= 12:
        yield from _across(layout, same)


def _across(layout: Layout, same: Sequence[Curve]) -> Iterator[Layout]:
    """Arithmetic between curves of the same rows."""
    whole = np.nansum([c.y for c in same], axis=0)
    total = replace(same[0], name="total", y=whole, low=None, high=None, columns=tuple(c.name for c in same))
    yield replace(layout, curves=(total,), recipe=_then(layout.recipe, "sum of the series"), cost=layout.cost + 0.08)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = tuple(replace(c, y=100 * c.y / whole, low=None, high=None) for c in same)
        yield replace(
            layout, curves=shares, recipe=_then(layout.recipe, "percent of the total"), cost=layout.cost + 0.1
        )
        fractions = tuple(replace(c, y=c.y / whole, low=None, high=None) for c in same)
        yield replace(
            layout, curves=fractions, recipe=_then(layout.recipe, "share of the total"), cost=layout.cost + 0.1
        )
        for base in [c for c in same if re.search(r"control|ctrl|mock|vehicle|baseline|wt|wild", c.name, re.I)][:1]:
            rest = tuple(replace(c, y=100 * c.y / base.y, low=None, high=None) for c in same)
            recipe = _then(layout.recipe, f"percent of {base.name}")
            yield replace(layout, curves=rest, recipe=recipe, cost=layout.cost + 0.12)
        if len(same) <= 4:
            pairs = [(a, b) for a in same for b in same if a is not b]
            ratios = tuple(replace(a, name=f"{a.name}/{b.name}", y=a.y / b.y, low=None, high=None, optional=True)
                           for a, b in pairs)  # fmt: skip
            yield replace(layout, curves=ratios, recipe=_then(layout.recipe, "ratio"), cost=layout.cost + 0.15)


def _then(recipe: str, name: str) -> str:
    return name if recipe == "as is" else f"{name} of {recipe}"


def _log(base: float, sign: float = 1.0) -> Callable[[Floats], Floats]:
    def of(y: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(y > 0, sign * np.log(y) / np.log(base), np.nan)

    return of


def _rolling(width: int, centred: bool) -> Callable[[Floats], Floats]:
    def of(y: Floats) -> Floats:
        out = np.full(len(y), np.nan)
        if len(y) > 2 * width:
            ends = np.cumsum(np.concatenate([[0.0], np.nan_to_num(y)]))
            means = (ends[width:] - ends[:-width]) / width
            start = width // 2 if centred else width - 1
            out[start : start + len(means)] = means
        return out

    return of


def _relative(y: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        first = y[np.isfinite(y)][:1]
        return 100 * y / first[0] if len(first) else y


def _powers(base: float) -> Callable[[Floats], Floats]:
    def of(y: Floats) -> Floats:
        return np.where(np.abs(y) < 200, np.power(base, np.clip(y, -200, 200)), np.nan)

    return of


TRANSFORMS: tuple[tuple[str, Callable[[Floats], Floats], float], ...] = (
    ("log10", _log(10.0), 0.1), ("log2", _log(2.0), 0.1), ("ln", _log(np.e), 0.12), ("-log10", _log(10.0, -1.0), 0.1),
    ("10 to the power", _powers(10.0), 0.14), ("2 to the power", _powers(2.0), 0.14),
    ("cumulative sum", lambda y: np.cumsum(np.nan_to_num(y)), 0.1),
    ("difference from row to row", lambda y: np.concatenate([y[:1], np.diff(y)]), 0.13),
    ("7-row rolling mean", _rolling(7, False), 0.11), ("centred 7-row rolling mean", _rolling(7, True), 0.11),
    ("3-row rolling mean", _rolling(3, False), 0.13), ("centred 3-row rolling mean", _rolling(3, True), 0.13),
    ("centred 5-row rolling mean", _rolling(5, True), 0.13), ("5-row rolling mean", _rolling(5, False), 0.13),
    ("percent of the first row", _relative, 0.14), ("fold of the first row", lambda y: _relative(y) / 100, 0.15),
    ("percent of its sum", lambda y: 100 * y / np.nansum(y) if np.nansum(y) else y * np.nan, 0.14),
)  # fmt: skip
RELATIVE = ("percent of the first row", "fold of the first row", "percent of its sum")
CLAIMS = {
    "log10": r"log\s*_?\s*\(?(10|₁₀)|\blog\b", "log2": r"log\s*_?\s*\(?(2|₂)",
    "ln": r"\bln\b|log", "-log10": r"[-−–]\s*log",
    "cumulative": r"cumul|total|running", "rolling": r"rolling|moving|average|smooth|\bma\b|mean",
    "percent": r"%|percent|relative|normali[sz]ed|proportion|share|fraction", 
    "fold": r"fold|relative|ratio|normali[sz]ed|index",
    "ratio": r"ratio|/|per\b|relative|fold|%", "difference": r"daily|new|change|difference|incident|weekly|increment",
    "to the power": r"\bexp\b|power",
    "share": r"%|percent|share|proportion|fraction|relative", "sum of the series": r"total|all|sum|overall|",
}  # fmt: skip


def is_claimed(recipe: str, words: str) -> bool:
    """True where the figure's own words (axis label, title, names) speak of the arithmetic of a recipe."""
    wanted = [pattern for key, pattern in CLAIMS.items() if key in recipe]
    return bool(wanted) and any(re.search(pattern, words, re.I) for pattern in wanted)


def histogram(values: Floats, edges: Floats, how: str = "count") -> Floats:
    """Heights (k,) of the bins between `edges` (k + 1,): count, percent or density."""
    counts = np.histogram(values[np.isfinite(values)], edges)[0].astype(np.float64)
    if how == "count" or not counts.sum():
        return counts
    shares = counts / counts.sum()
    return np.asarray(100 * shares if how == "percent" else shares / np.diff(edges))


def box_numbers(values: Floats, whiskers: Literal["tukey", "range"] = "tukey") -> Floats:
    """whisker low, q1, median, q3, whisker high of (n,) values; Tukey's whiskers end at the last value within 1.5 IQR.

    >>> box_numbers(np.array([1.0, 2.0, 3.0, 4.0, 20.0])).tolist()
    [1.0, 2.0, 3.0, 4.0, 4.0]
    """
    good = np.sort(values[np.isfinite(values)])
    if not len(good):
        return np.full(5, np.nan)
    q1, q2, q3 = np.percentile(good, [25, 50, 75])
    inside = good[(good >= q1 - 1.5 * (q3 - q1)) & (good <= q3 + 1.5 * (q3 - q1))] if whiskers == "tukey" else good
    return np.array([inside[0], q1, q2, q3, inside[-1]])
