"""A logarithmic axis of which one power of ten can be read: its minor tick marks say how long a decade is.

Narrow panels and panels whose corner label is lost have one label; the marks at 2, 3 ... 9 crowd as only logarithms do.
Not handled here: bases other than ten, axes whose minor ticks are not drawn (one label is no scale then).
"""

from __future__ import annotations

import math
import re

import numpy as np

from tools.ladders import HORIZONTAL, Label, Ladder
from tools.seating import Rails
from tools.types import Anchor, Axis, Box, Floats

NEAR = 1.3  # px between a tick and where a logarithm wants it
FEWEST = 7  # ticks that tell
SHARE = 0.8  # of the ticks that are where they should be, and of such places that have one
LONGEST = 8.0  # decades of the plot that one label is trusted with, at most: a plot of 1/8 of a decade tells nothing
_POWER = re.compile(r"1[0Oo]\^?([-−–]?\d{1,2})|(1|10{1,6}|0\.0*1)")


def by_minor_ticks(plot: Box, ladder: Ladder, rails: tuple[Rails, ...]) -> Axis | None:
    """The axis whose only power of ten stands among many ticks; None where the ticks are no logarithm's.

    It is never sure: one label may be misread.
    """
    powers = [(label, power) for label in ladder.labels if (power := _power(label.text)) is not None]
    ticks = next((np.sort(rail.pixels) for rail in rails if rail.kind == "tick" and len(rail.pixels) >= FEWEST), None)
    if len(powers) != 1 or ticks is None:
        return None
    label, power = powers[0]
    across = ladder.side in HORIZONTAL
    low, high = (plot.x0, plot.x1) if across else (plot.y0, plot.y1)
    reach = max(3.0, 0.4 * label.size)  # a raised exponent moves the middle, and the power's own tick may be hidden
    best = max(
        (_score(ticks, home, decade, (low, high)), home, decade)
        for home in np.arange(label.middle - reach, label.middle + reach, 0.5).tolist()
        for decade in [0.0, *_lengths(ticks[[0, 1, -2, -1]], home, across, high - low)]
    )
    return _axis(ladder, label, power, best[1], best[2], ticks) if best[0] >= SHARE else None


def _power(text: str) -> float | None:
    found = _POWER.fullmatch(re.sub(r"\s", "", text))
    if found is None:
        return None
    return float(re.sub("[−–]", "-", found[1])) if found[1] else math.log10(float(found[2]))


def _lengths(ticks: Floats, home: float, across: bool, extent: float) -> list[float]:
    """Lengths of a decade, px (negative where values grow against the pixels), that put some tick on a 2, 3 ... 9."""
    sign = 1.0 if across else -1.0
    found = []
    for tick in ticks[np.abs(ticks - home) > NEAR]:
        for k in range(2, 10):
            share = math.log10(k)
            for part in (share, share - 1.0):
                decade = (tick - home) / part
                if decade * sign > 0 and extent / LONGEST < abs(decade) < LONGEST * extent:
                    found.append(float(decade))
    return found


def _score(ticks: Floats, home: float, decade: float, ends: tuple[float, float]) -> float:
    """The smaller of two shares: of the ticks that such a logarithm explains, and of its places that have a tick."""
    if not decade:
        return 0.0
    first, last = sorted((end - home) / decade for end in ends)
    decades = np.arange(math.floor(first), math.ceil(last) + 1)
    places = home + decade * (decades[:, None] + np.log10(np.arange(1, 10))[None, :]).ravel()
    places = places[(places > ends[0] + NEAR) & (places < ends[1] - NEAR)]
    inner = ticks[(ticks > ends[0] + NEAR) & (ticks < ends[1] - NEAR)]
    if len(places) < FEWEST or len(inner) < FEWEST:
        return 0.0
    apart = np.abs(places[:, None] - inner[None, :])
    return float(min(np.mean(apart.min(axis=0) < NEAR), np.mean(apart.min(axis=1) < NEAR)))


def _axis(ladder: Ladder, label: Label, power: float, home: float, decade: float, ticks: Floats) -> Axis:
    """The axis through all ticks that the logarithm explains."""
    units = (ticks - home) / decade
    whole = np.floor(units + 1e-6)
    digit = np.clip(np.round(10 ** (units - whole)), 1, 10)
    ideal = whole + np.log10(digit)
    kept = np.abs(ideal - units) * abs(decade) < NEAR
    slope, intercept = np.polyfit(ticks[kept], ideal[kept] + power, 1)
    residual = float(np.sqrt(np.mean(((ideal[kept] + power - intercept) / slope - ticks[kept]) ** 2)))
    anchor = Anchor(float((power - intercept) / slope), float(10.0**power), label.text, "tick", label.box)
    note = "one label was read; the minor ticks say how long a decade is"
    return Axis(ladder.side, "log", float(slope), float(intercept), (anchor,), residual, confidence="low",
                warnings=(note,))  # fmt: skip
