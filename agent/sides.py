"""Which of two value axes, left and right, each series of a panel stands on.

Evidence, best first: a line that ends at the sum of the bars, the legend's words (`(right axis)`), tick labels in the
colour of the series, words that name and axis label share, bars on the left with lines over them. An axis that no
evidence gives a series has one all the same: without any, legends list the left axis first, and without a legend the
right one's curve lies on top, as it is drawn last. Not handled here: two
horizontal axes, axes outside of the right one.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

import numpy as np

from tools.colour import chroma, lab_distance
from tools.direct_labels import text_colour
from tools.types import Axis, Box, Floats, Image, Panel, Series, Side

COLOURED = 25.0  # chroma of tick labels that say to which series they belong
LIKE = 25.0  # Lab units between tick labels and their series
ALIKE = 0.5  # likeness of a name and the label of its axis
NEAR = 1  # px around a crossing that show which curve lies on top
VOTES = 2  # crossings that must tell
BY_ORDER = "which of the two axes a series stands on is not shown: the last one in the legend was read on the right"
ON_TOP = "which of the two axes a series stands on is not shown: the one drawn over the other was read on the right"


def bind_sides(panel: Panel, series: Sequence[Series], pixels: Image) -> tuple[list[Side], str]:
    """The side of each series, and a warning where only their order told it ("" elsewhere).

    `pixels` (H, W, 3) of the figure. Series keep their own side where there are no two different value axes.
    """
    left, right = panel.axis("left"), panel.axis("right")
    own: list[Side] = [one.axis for one in series]
    if left is None or right is None or same_scale(left, right, panel):
        return own, ""
    shades = {axis.side: label_colour(axis, pixels) for axis in (left, right)}
    sides: list[Side | None] = [
        one.axis if one.orientation == "horizontal" else evident_side(one, series, (left, right), shades)
        for one in series
    ]
    for k, side in by_total(series, (left, right)).items():
        sides[k] = side
    unknown = [k for k, side in enumerate(sides) if side is None]
    if not unknown:
        return [side or "left" for side in sides], ""
    names = [entry.name for entry in panel.legend.entries]
    unknown.sort(key=lambda k: names.index(series[k].name) if series[k].name in names else len(names))
    guessed = "right" not in sides and len(series) > 1
    upper = _upper(series, pixels) if guessed and not names and len(unknown) == len(series) == 2 else None
    if guessed:
        sides[unknown[-1] if upper is None else upper] = "right"
    return [side or "left" for side in sides], "" if not guessed else BY_ORDER if upper is None else ON_TOP


def _upper(series: Sequence[Series], pixels: Image) -> int | None:
    """Which of two curves lies on the other at most of their crossings: the axis on the right is drawn last.

    None where they hardly cross or take turns.
    """
    if any(one.kind != "line" for one in series):
        return None
    middle = [[(m.x, m.y) for m in one.marks if m.part not in ("low", "high")] for one in series]
    one, other = (np.array(sorted(points), dtype=np.float64).reshape(-1, 2) for points in middle)
    if min(len(one), len(other)) < 2:
        return None
    x = np.unique(np.concatenate([one[:, 0], other[:, 0]]))
    x = x[(x >= max(one[0, 0], other[0, 0])) & (x <= min(one[-1, 0], other[-1, 0]))]
    apart = np.interp(x, *one.T) - np.interp(x, *other.T)
    votes = [0, 0]
    for k in np.flatnonzero(apart[:-1] * apart[1:] < 0):
        at = float(x[k] + (x[k + 1] - x[k]) * apart[k] / (apart[k] - apart[k + 1]))
        place = Box(at, float(np.interp(at, *one.T)), at, float(np.interp(at, *one.T))).grown(NEAR)
        part = pixels[place.slices(*pixels.shape[:2])].reshape(-1, 3).astype(np.float64)
        away = np.array([lab_distance(part, np.array(s.colour, dtype=np.float64)) for s in series])
        near = np.bincount(away.argmin(axis=0)[away.min(axis=0) < LIKE], minlength=2)
        if near.max() >= 2 * max(1, near.min()):
            votes[int(near.argmax())] += 1
    best = int(np.argmax(votes))
    return best if votes[best] >= VOTES and votes[best] >= 4 * votes[1 - best] else None


def by_total(series: Sequence[Series], axes: tuple[Axis, Axis]) -> dict[int, Side]:
    """The sides of bars and of the one line that is their running total: its end is their sum on one pair of axes only.

    Series by their number. Empty where no line rises all the way, or several pairs of axes fit.
    """
    bars = [k for k, one in enumerate(series) if one.kind == "bar" and one.orientation == "vertical"]
    rising = [k for k, one in enumerate(series) if one.kind in ("line", "step") and _rises(one)]
    if len(bars) != 1 or len(rising) != 1 or len(series[bars[0]].marks) < 5:
        return {}
    off: list[tuple[float, Side, Side]] = []
    for under in axes:
        total = float(np.clip(under.to_value([m.y for m in series[bars[0]].marks if m.part == "bar"]), 0, None).sum())
        for over in axes:
            end = float(over.to_value(min(m.y for m in series[rising[0]].marks)))
            ratio = end / total if total > 0 else 0.0
            off.append((abs(float(np.log(ratio))) if ratio > 0 else np.inf, under.side, over.side))
    best, second = sorted(off, key=lambda found: found[0])[:2]
    return {bars[0]: best[1], rising[0]: best[2]} if best[0] < 0.1 and second[0] > 0.25 else {}


def _rises(one: Series) -> bool:
    """Whether a curve goes up all the way, within a pixel or a hundredth of its rise, and by more than a few."""
    rows = np.array([mark.y for mark in one.marks if mark.part not in ("low", "high")])
    if len(rows) < 5 or float(np.ptp(rows)) <= 20:
        return False
    return bool(np.all(np.diff(rows) < max(1.5, 0.01 * float(np.ptp(rows)))))


def evident_side(
    one: Series, everyone: Sequence[Series], axes: tuple[Axis, Axis], shades: dict[Side, Floats | None]
) -> Side | None:
    """The side that the figure shows for a series, None where it shows none."""
    name = one.name.lower()
    words: tuple[tuple[str, Side], ...] = (("right", "right"), ("left", "left"), ("rhs", "right"), ("lhs", "left"))
    for word, side in words:
        if f"({word}" in name or f"{word} axis" in name:
            return side
    mine = np.array([one.colour], dtype=np.float64)
    far = {side: float(lab_distance(mine, shade)[0]) for side, shade in shades.items() if shade is not None}
    near = min(far, key=lambda side: far[side], default=None)
    if near is not None and far[near] < LIKE:
        return near
    worded = _worded(one, axes)
    bars = [other for other in everyone if other.kind in ("bar", "stack")]
    over = bool(bars) and one.kind in ("line", "points")
    if worded is not None and not (over and worded in [_worded(bar, axes) for bar in bars]):
        return worded  # words that lines and bars share ("cases") tell them not apart
    if bars:
        return "right" if over else "left"
    return None


def _worded(one: Series, axes: tuple[Axis, Axis]) -> Side | None:
    """The side whose label is like the name of a series, and the other's is not."""
    likeness = {axis.side: SequenceMatcher(None, one.name.lower(), axis.label.lower()).ratio() for axis in axes}
    best = max(likeness, key=lambda side: likeness[side])
    return best if one.name and likeness[best] > ALIKE and likeness[best] - min(likeness.values()) > 0.2 else None


def label_colour(axis: Axis, pixels: Image) -> Floats | None:
    """The colour (3,) of an axis' tick labels; None where they are black, grey or not known."""
    found = [text_colour(pixels, anchor.box) for anchor in axis.anchors if anchor.box is not None]
    seen = [colour for colour in found if colour is not None]
    if len(seen) < 2:
        return None
    middle = np.median(np.array(seen), axis=0)
    return np.asarray(middle, dtype=np.float64) if float(chroma(middle)) > COLOURED else None


def same_scale(left: Axis, right: Axis, panel: Panel) -> bool:
    """True when both sides print the same scale, so that it does not matter which one is read."""
    ends = [panel.plot.y0, panel.plot.y1]
    one, other = left.to_value(ends), right.to_value(ends)
    span = abs(float(one[1] - one[0]))
    return left.scale == right.scale and bool(np.all(np.abs(one - other) < 0.01 * span))
