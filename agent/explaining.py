"""One cause for many differences: names swapped, a factor between units, a sign, a shift along x, another statistic.

Only what explains nearly all rows of a series is offered, and only where the rows vary enough for it to be no accident.
Not handled here: single cells (`findings`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from agent.arithmetic import RELATIVE, variants
from agent.comparing import best, compare
from agent.drawn import all_along
from agent.mapping import Link, PanelMap, convincing, fit, variation
from agent.placing import places
from agent.recipes import Curve

Kind = Literal["scale or unit factor", "sign", "shifted x", "different aggregation explains it"]
FACTORS = (
    1000.0,
    1e-3,
    100.0,
    0.01,
    1e6,
    1e-6,
    10.0,
    0.1,
    60.0,
    1 / 60,
    1e9,
    1e-9,
    24.0,
    1 / 24,
    7.0,
    1 / 7,
    12.0,
    1 / 12,
)
NAMED = 0.8
EXPLAINED = 0.85
STATISTIC_WORDS = (("mean", r"\b(mean|average|avg)\b"), ("median", r"\bmedian\b"), ("sum", r"\b(sum|total)\b"),
                   ("count", r"\b(count|number|n)\b"))  # fmt: skip


@dataclass(frozen=True, eq=False)
class Explanation:
    """What makes the table and a series agree: in words, and the comparison after it."""

    kind: Kind
    words: str
    link: Link
    factor: float = 1.0


def swapped(found: PanelMap) -> list[tuple[Link, Link]]:
    """Pairs of links whose series carry each other's names: each curve is drawn, under the other's name."""
    pairs = []
    by_curve = {id(link.curve): (j, link) for link in found.links for j in [_index(found.layout.curves, link.curve)]}
    for j, link in by_curve.values():
        i = _index(found.series, link.drawn)
        for k, other in by_curve.values():
            m = _index(found.series, other.drawn)
            if m <= i or not (link.drawn.named and other.drawn.named):
                continue
            crossed = min(found.names[i, k] - found.names[i, j], found.names[m, j] - found.names[m, k])
            as_named = (found.scores[i, k], found.scores[m, j])
            as_drawn = (link.cells.score, other.cells.score)
            likely = min(found.names[i, k], found.names[m, j]) >= NAMED and crossed > 0.01
            clear = max(as_named) <= 0.75 and max(as_drawn) >= EXPLAINED and sum(as_drawn) - sum(as_named) > 0.5
            if likely and clear and min(as_drawn) >= 0.5 and all(map(_rows_tell, (link, other))):
                pairs.append((link, other))
    return pairs


def half_swapped(found: PanelMap) -> list[Link]:
    """Links of a named series to another column, while the column of its name fits a series without one."""
    loose = [link for link in found.links if not link.drawn.named and link.cells.score >= EXPLAINED]
    links = []
    for link in found.links:
        i = _index(found.series, link.drawn)
        if link.drawn.named and link.named < 0.6 and link.cells.score >= EXPLAINED:
            own = [_index(found.layout.curves, other.curve) for other in loose]
            if any(found.names[i, k] >= NAMED and found.scores[i, k] <= 0.5 for k in own):
                links.append(link)
    return links


def _rows_tell(link: Link) -> bool:
    """True where three rows or more, or all that the curve has, were compared."""
    return link.cells.counted >= min(3, int(np.isfinite(link.curve.y).sum()))


def _index(items: Sequence[object], wanted: object) -> int:
    return next(k for k, one in enumerate(items) if one is wanted)


def by_names(found: PanelMap, tolerance: float) -> list[Link]:
    """Links by name for series that no curve fits; for one series left and one curve left, these two."""
    curves, links = found.layout.curves, []
    free = found.loose_curves
    for i in found.loose_series:
        named = [j for j in free if found.names[i, j] >= NAMED]
        chosen = named[:1] or (free if len(free) == 1 and len(found.loose_series) == 1 else [])
        for j in chosen:
            one = found.series[i]
            ways = places(curves[j], one.key, all_along(found.series), one.span)
            result = best(one, curves[j].y, ways, tolerance)
            if result is not None:
                links.append(Link(one, curves[j], *result, float(found.names[i, j])))
    return links


def explain(links: Sequence[Link], tolerance: float) -> dict[int, Explanation]:
    """What makes series agree that do not: a factor, a sign, logarithms, a shift; by the index of their links.

    Series of few rows are explained together or not at all.
    """
    asked = [i for i, link in enumerate(links) if link.cells.score < EXPLAINED]
    found = {}
    for i in asked:
        if int(np.isfinite(links[i].cells.table).sum()) >= 4 and (why := _explain(links[i], tolerance)) is not None:
            found[i] = why
    left = [i for i in asked if i not in found]
    together = sum(int(np.isfinite(links[i].cells.table).sum()) for i in left)
    if len(left) > 1 and together >= 4 and len(left) == len(links):
        found |= dict(zip(left, _explain_together([links[i] for i in left], tolerance), strict=False))
    return found


def _explain(link: Link, tolerance: float) -> Explanation | None:
    before = link.cells.score if link.cells.counted >= 0.5 * np.isfinite(link.curve.y).sum() else 0.0
    for kind, words, curve, factor in _attempts(link.curve, _log_ratio([link])):
        after = _after(link, curve, tolerance)
        if after is None or variation(after) <= 0.1:
            continue
        enough = after.cells.counted >= max(4, 0.6 * np.isfinite(curve.y).sum())
        if enough and after.cells.score >= EXPLAINED and after.cells.score > before + 0.15 and _is_it([after], factor):
            return Explanation(kind, words, after, factor)
    return _shift(link, tolerance) if link.cells.score < 0.5 else None


def _explain_together(links: Sequence[Link], tolerance: float) -> list[Explanation]:
    attempts = [list(_attempts(link.curve, _log_ratio(links))) for link in links]
    for same in zip(*attempts, strict=True):
        after = [_after(link, curve, tolerance) for link, (_, _, curve, _) in zip(links, same, strict=True)]
        whole = [one for one in after if one is not None]
        rows = sum(one.cells.counted for one in whole)
        good = sum(one.cells.counted * one.cells.score for one in whole)
        wanted = sum(int(np.isfinite(link.curve.y).sum()) for link in links)
        varied = any(variation(one) > 0.1 for one in whole)
        fits = rows >= max(4, 0.6 * wanted) and good >= EXPLAINED * rows and varied
        if len(whole) == len(links) and fits and _is_it(whole, same[0][3]):
            return [Explanation(kind, words, one, factor)
                    for (kind, words, _, factor), one in zip(same, whole, strict=True)]  # fmt: skip
    return []


def _after(link: Link, curve: Curve, tolerance: float) -> Link | None:
    result = best(link.drawn, curve.y, [link.places], tolerance)
    return Link(link.drawn, curve, *result, link.named) if result is not None else None


def _attempts(curve: Curve, log_ratio: float) -> Iterator[tuple[Kind, str, Curve, float]]:
    ordered = sorted(FACTORS, key=lambda f: abs(math.log(f) - log_ratio))
    for factor in ordered[:3]:
        yield (
            "scale or unit factor",
            f"the figure shows {factor:g} times the table's values",
            _times(curve, factor),
            factor,
        )
    yield "sign", "the figure shows the table's values with the other sign", _times(curve, -1.0), 1.0
    for word, of in (("log10", np.log10), ("log2", np.log2), ("the natural logarithm", np.log)):
        with np.errstate(divide="ignore", invalid="ignore"):
            y = np.where(curve.y > 0, of(np.where(curve.y > 0, curve.y, 1.0)), np.nan)
        yield "scale or unit factor", f"the figure shows {word} of the table's values", replace(curve, y=y), 1.0
    for word, base in (("10", 10.0), ("2", 2.0), ("e", math.e)):
        y = np.where(np.abs(curve.y) < 200, np.power(base, np.clip(curve.y, -200, 200)), np.nan)
        yield (
            "scale or unit factor",
            f"the table holds logarithms (base {word}) of the figure's values",
            replace(curve, y=y),
            1.0,
        )


def _log_ratio(links: Sequence[Link]) -> float:
    """The logarithm of how many times the table's values the figure shows: row by row, else of the medians."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.concatenate([link.cells.figure / link.cells.table for link in links])
    good = ratios[np.isfinite(ratios) & (ratios > 0)]
    if len(good) >= 3:
        return float(np.median(np.log(good)))
    drawn = np.median(np.abs(np.concatenate([link.drawn.value for link in links])))
    table = np.nanmedian(np.abs(np.concatenate([link.curve.y for link in links])))
    return float(np.log(drawn / table)) if drawn > 0 and table > 0 else 0.0


def _is_it(after: Sequence[Link], factor: float) -> bool:
    """True where nothing is left to explain: 25 times is not 24 times."""
    return factor == 1.0 or abs(_log_ratio(after)) < 0.03


def _times(curve: Curve, factor: float) -> Curve:
    return replace(curve, y=curve.y * factor, low=None, high=None)


def _shift(link: Link, tolerance: float) -> Explanation | None:
    """The same values some whole steps further along x."""
    step = link.places.step
    if not math.isfinite(step) or step < 4 or not link.places.sure:
        return None
    found = []
    for steps in (-3, -2, -1, 1, 2, 3):
        cells = compare(link.drawn, link.curve.y, link.places, tolerance, steps * step)
        rows = int(np.isfinite(link.curve.y).sum())
        after = Link(link.drawn, link.curve, cells, link.places, link.named)
        if cells.counted >= max(5, rows - 3) and cells.score >= 0.9 and variation(after) > 0.1:
            found.append((cells.score, steps, after))
    if not found:
        return None
    _, steps, after = max(found, key=lambda one: one[0])
    words = (
        f"the figure shows the values {abs(steps)} row{'s' * (abs(steps) > 1)} {'later' if steps > 0 else 'earlier'}"
    )
    return Explanation("shifted x", words, after)


def another_recipe(found: PanelMap, title: str, tolerance: float) -> PanelMap | None:
    """The same columns after arithmetic that nobody claimed, where it explains a panel that does not agree."""
    plain = [one for one in variants(found.layout) if not any(one.recipe.startswith(name) for name in RELATIVE)]
    others = [m for layout in plain if (m := fit(found.series, title, layout, tolerance)) is not None]
    good = [m for m in others if convincing(m) and m.agreement > found.agreement + 0.25]
    return max(good, key=lambda m: m.value) if good else None


def claimed_statistic(words: str) -> str:
    """mean, median, sum or count where the figure's own words name one, else an empty string.

    >>> claimed_statistic("Median survival (days)")
    'median'
    """
    named = [name for name, pattern in STATISTIC_WORDS[:2] if re.search(pattern, words, re.I)]
    return named[0] if len(named) == 1 else ""
