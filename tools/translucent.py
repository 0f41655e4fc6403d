"""Several translucent fills over each other: which of them each colour is made of.

A fill that shows as F on paper P lies over a ground G as F + t (G - P), where t is what it lets through. Fills of one
figure mostly let through the same, so all overlaps of two, three or more of them are told together: t is what most
of them agree on.

Not handled here: fills that differ in opacity (`blends` takes their overlaps two by two), shades of one hue, for which
any t fits.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np

from tools.types import Floats

EXACT = 5.0  # RGB units between an overlap and what its fills give
AGREE = 0.04  # by which the shares that two overlaps let through may differ
THROUGH = (0.15, 0.92)  # share that a fill lets through
STRONG = 25.0  # RGB units between the paper and a fill that an overlap shows
ASIDE = 0.05  # share of the smaller step by which colours of several hues stand off one line
FEWEST = 2  # overlaps that agree

Relation = tuple[int, int, int, float]  # overlap, the fill on top, what it lies on, the share let through


def overlaps_of(
    fills: Sequence[int], palette: Floats, paper: Floats, beside: Callable[[int, int], bool], keep: Collection[int]
) -> dict[int, tuple[int, ...]]:
    """For every colour of `fills` that is an overlap, the fills that lie over each other there: one that lies over
    itself, or more.

    `palette` (k, 3) RGB, `paper` (3,); `beside(a, b)`: whether colour a lies next to b in the figure; those in `keep`
    are no overlaps. Empty where fewer than two overlaps agree on what the fills let through.
    """
    steps = palette - paper
    found = [one for one in _relations(fills, steps, keep) if beside(one[0], one[2])]
    if not found:
        return {}
    share = max((one[3] for one in found), key=lambda t: _votes(_agreeing(found, t)))
    agreeing = _agreeing(found, share)
    if len(agreeing) < FEWEST:
        return {}
    share = float(np.median([one[3] for one in agreeing.values()]))
    best: dict[int, tuple[float, int, int]] = {}
    for k, top, ground, _ in found:
        off = float(np.linalg.norm(steps[k] - steps[top] - share * steps[ground]))
        if off < EXACT and off < best.get(k, (EXACT, 0, 0))[0]:
            best[k] = (off, top, ground)
    for k in (k for k in fills if k not in best and k not in keep):  # two areas of one colour over each other
        for i in (i for i in fills if i != k and i not in best and beside(k, i)):
            if float(np.linalg.norm(steps[k] - (1.0 + share) * steps[i])) < EXACT:
                best[k] = (0.0, i, i)
                break
    return {k: members for k in best if (members := _members(k, best, ()))}


def _relations(fills: Sequence[int], steps: Floats, keep: Collection[int]) -> list[Relation]:
    """What may lie over what: each overlap as one fill on top of another colour, not all three of one hue."""
    found = []
    for k in (k for k in fills if k not in keep):
        for top in (i for i in fills if i != k):
            lack = steps[k] - steps[top]
            for ground in (j for j in fills if j not in (k, top)):
                step = steps[ground]
                size = float(step @ step)
                through = float(lack @ step) / max(1.0, size)
                off = float(np.linalg.norm(lack - through * step))
                fits = THROUGH[0] < through < THROUGH[1] and off < EXACT and size > STRONG**2
                if fits and not _one_hue(steps[top], step):
                    found.append((k, top, ground, through))
    return found


def _one_hue(one: Floats, other: Floats) -> bool:
    aside = np.linalg.norm(np.cross(one, other)) / max(1.0, float(np.linalg.norm(one) * np.linalg.norm(other)))
    return bool(aside < ASIDE)


def _agreeing(found: Sequence[Relation], share: float) -> dict[int, Relation]:
    """By overlap, one relation that lets through this share."""
    return {one[0]: one for one in found if abs(one[3] - share) < AGREE}


def _votes(agreeing: dict[int, Relation]) -> tuple[int, int]:
    """How many overlaps agree, and how many of these are of fills that are no overlaps themselves."""
    return len(agreeing), sum(top not in agreeing and ground not in agreeing for _, top, ground, _ in agreeing.values())


def _members(k: int, best: dict[int, tuple[float, int, int]], seen: tuple[int, ...]) -> tuple[int, ...]:
    """The fills that are no overlaps themselves of which colour `k` is made; nothing where it is made of itself."""
    if k in seen:
        return ()
    if k not in best:
        return (k,)
    _, top, ground = best[k]
    parts = [_members(one, best, (*seen, k)) for one in (top, ground)]
    return tuple(sorted({*parts[0], *parts[1]})) if all(parts) else ()
