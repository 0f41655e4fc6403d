"""Straight rules of a plot area: frame, grid lines (solid, dashed, dotted; darker or lighter than the paper), ticks.

A rule runs from border to border, is thin, and wherever plain paper lies on both of its sides it shows its own colour,
all the way (solid) or in a steady rhythm (dashed). Data curves and bar edges fail one of these.

Not handled here: polar grids, oblique rules, rules in perspective, rules that end inside the plot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.colour import Floats32, Mask, chroma, contrast, lab_distance, modal_colour
from tools.types import Floats, Rgb

FAINTEST = 4.0  # of 255: the weakest contrast of a grid line
WHITE = np.full(3, 255.0)
ASIDE = 45.0  # of 255 from the way between paper and a rule's colour: other ink
BINS = 12  # stretches along a rule that must all show it


@dataclass(frozen=True, eq=False)
class Rule:
    """One straight rule: rows (or columns) `first` to `first + len(colours) - 1` of the plot area and their colours."""

    horizontal: bool
    first: int
    colours: Floats
    solid: bool = True

    @property
    def last(self) -> int:
        return self.first + len(self.colours) - 1


@dataclass(frozen=True, eq=False)
class Ruling:
    """What lies under the data: `background` (h, w, 3) float32 is paper and rules; `visible` (h, w): rule ink seen."""

    rules: tuple[Rule, ...]
    background: Floats32
    visible: Mask


def find_rules(
    pixels: Floats32, paper: Floats, noise: float = 0.0, inks: Sequence[Rgb] = (), covered: Mask | None = None
) -> Ruling:
    """Frame and grid lines of a plot area `pixels` (h, w, 3), 0 to 255.

    `inks`: colours of named series; a coloured rule in such a colour is data and stays. `covered` (h, w): the legend,
    which interrupts rules.
    """
    tolerance = max(FAINTEST, 2.5 * noise)
    plain = contrast(pixels, paper) <= tolerance
    painted = plain
    if covered is not None:
        plain = plain & ~covered
    across = _rules_of_rows(pixels, plain, paper, tolerance, inks, horizontal=True)
    turned, turned_plain = np.ascontiguousarray(pixels.transpose(1, 0, 2)), np.ascontiguousarray(plain.T)
    down = _rules_of_rows(turned, turned_plain, paper, tolerance, inks, horizontal=False)
    grid = (*across, *down)  # all lines of one direction may lie behind bars
    across += _covered_rules(pixels, plain, paper, tolerance, grid, horizontal=True)
    down += _covered_rules(turned, turned_plain, paper, tolerance, grid, horizontal=False)
    across += _lone_rules(pixels, plain, across, inks, horizontal=True)
    down += _lone_rules(turned, turned_plain, down, inks, horizontal=False)
    rules = (*across, *down)
    background, visible = _paint(pixels, painted, paper, rules, tolerance)
    return Ruling(rules, background, visible)


def _rules_of_rows(
    pixels: Floats32, plain: Mask, paper: Floats, tolerance: float, inks: Sequence[Rgb], horizontal: bool
) -> list[Rule]:
    """Rules along rows, each row tried with paper 2, 3, 5 px (and more in large figures) above and below it."""
    height = plain.shape[0]
    largest = max(5, max(plain.shape) // 200)
    taken = np.zeros(height, dtype=bool)
    found: list[Rule] = []
    for reach in (r for r in (2, 3, 5, 8, 12) if r <= largest):
        sides = _open_sides(plain, reach)
        enough = (sides & ~plain).sum(axis=1) >= 0.12 * np.maximum(sides.sum(axis=1), max(12, 0.04 * plain.shape[1]))
        for row in np.flatnonzero(enough):
            if taken[max(0, row - 1) : row + 2].any():
                continue
            seen = _see_rule(pixels[row], plain[row], np.flatnonzero(sides[row]), tolerance)
            if seen is None or _is_ink(seen[0], inks):
                continue
            rule = _widen(pixels, paper, int(row), seen[1], tolerance, horizontal, seen[2])
            if len(rule.colours) <= 2 * reach + 1 and _is_one_stroke(rule.colours, paper):
                found.append(rule)
                taken[rule.first : rule.last + 1] = True
    return found


def _is_one_stroke(colours: Floats, paper: Floats) -> bool:
    """Whether the rows of a rule are shades of one colour on paper: low bars along an axis have one of their own."""
    steps = colours - paper
    strongest = steps[np.abs(steps).sum(axis=1).argmax()]
    along = steps @ strongest / max(1.0, float(strongest @ strongest))
    return bool(np.abs(steps - along[:, None] * strongest).max() <= ASIDE)


def _open_sides(plain: Mask, reach: int) -> Mask:
    """Pixels with paper `reach` rows above and below (at the border on the inner side, the other being outside)."""
    sides = np.ones_like(plain)
    sides[reach:] &= plain[:-reach]
    sides[:-reach] &= plain[reach:]
    return sides


def _see_rule(
    pixels: Floats32, plain: Mask, open_columns: NDArray[np.intp], tolerance: float
) -> tuple[Floats, NDArray[np.intp], bool] | None:
    """Colour, columns and solidity of a rule on this row of pixels (w, 3); None if there is none.

    Only the columns with paper on both sides count.
    """
    width = len(plain)
    if len(open_columns) < max(12, 0.04 * width):
        return None
    line = pixels[open_columns]
    inked = ~plain[open_columns]
    paper = np.asarray(np.median(pixels[plain], axis=0), dtype=np.float64) if plain.any() else WHITE
    for colour, shown in _showings(line, inked, paper, tolerance):
        if not shown.any() or not _reaches_both_ends(open_columns, shown, width):
            continue
        duty = float(shown.mean())
        solid = duty >= 0.9 or (duty >= 0.75 and _even(shown, duty, 0.35))
        if solid or (duty >= 0.12 and _even(shown, duty, 0.5) and _rhythmic(shown)):
            return colour, open_columns[shown], solid
    return None


def _showings(line: Floats32, inked: Mask, paper: Floats, tolerance: float) -> Iterator[tuple[Floats, Mask]]:
    """The colour that a rule may have, and where it is seen: one even colour, else (dots with soft edges) all strong
    mixtures of the paper and the strongest colour."""
    colour = modal_colour(line[inked])
    yield colour, contrast(line, colour) <= max(8.0, 2 * tolerance)
    far = contrast(line[inked], paper)
    strongest = np.median(line[inked][far >= np.percentile(far, 85)], axis=0).astype(np.float64)
    step = (strongest - paper).astype(np.float32)
    size = float(step @ step)
    if size > 4 * tolerance * tolerance:
        share = (line - paper.astype(np.float32)) @ step / size
        yield strongest, (share > 0.35) & (contrast(line - share[:, None] * step, paper) <= max(8.0, 2 * tolerance))


def _covered_rules(
    pixels: Floats32, plain: Mask, paper: Floats, tolerance: float, known: Sequence[Rule], horizontal: bool
) -> list[Rule]:
    """Rules that data leave open for a short stretch only, told by the colour of the rules that are `known`."""
    height = plain.shape[0]
    taken = np.zeros(height + 1, dtype=bool)
    for rule in (one for one in known if one.horizontal == horizontal):
        taken[max(0, rule.first - 1) : rule.last + 2] = True
    usual = [rule.colours[np.abs(rule.colours - paper).sum(axis=1).argmax()] for rule in known]
    found: list[Rule] = []
    for row in range(2, height - 2):
        if taken[row] or not usual:
            continue
        columns = np.flatnonzero(plain[row - 2] & plain[row + 2])
        if len(columns) < 8 or plain[row, columns].mean() > 0.1:
            continue
        colour = np.median(pixels[row, columns], axis=0)
        if min(float(np.abs(colour - c).max()) for c in usual) <= 20:
            rule = _widen(pixels, paper, int(row), columns, tolerance, horizontal, True)
            if len(rule.colours) <= 3:
                found.append(rule)
                taken[rule.first : rule.last + 2] = True
    return found


def _lone_rules(
    pixels: Floats32, plain: Mask, known: Sequence[Rule], inks: Sequence[Rgb], horizontal: bool
) -> list[Rule]:
    """Rules without paper on both sides: unbroken ones (a zero line below bars), and frame strokes on the border."""
    height = plain.shape[0]
    taken = np.zeros(height + 1, dtype=bool)
    for rule in known:
        taken[max(0, rule.first - 1) : rule.last + 2] = True
    found: list[Rule] = []
    for row in (int(r) for r in np.flatnonzero(plain.mean(axis=1) < 0.1)):
        if 2 <= row < height - 2 and not taken[row] and _is_unbroken(pixels[row - 2 : row + 3]):
            colour = np.median(pixels[row], axis=0).astype(np.float64)
            if not _is_ink(colour, inks):
                found.append(Rule(horizontal, row, colour[None]))
                taken[row - 1 : row + 2] = True
    for row, inward in ((0, 3), (1, 4), (height - 1, height - 4), (height - 2, height - 5)):
        if not taken[row] and 0 <= inward < height:
            stroke = _border_stroke(pixels, plain, row, inward)
            if stroke is not None:
                found.append(Rule(horizontal, row, stroke[None]))
    return found


def _is_unbroken(five: Floats32) -> bool:
    """True if the middle one of five rows is of one colour all along that is no mixture of the rows around it."""
    above, here, below = np.median(five[0], axis=0), np.median(five[2], axis=0), np.median(five[4], axis=0)
    if (contrast(five[2], here) <= 8).mean() < 0.97 or (contrast(five[[1, 3]], here) <= 8).mean(axis=1).max() > 0.3:
        return False
    return bool((here > np.maximum(above, below) + 8).any() or (here < np.minimum(above, below) - 8).any())


def _border_stroke(pixels: Floats32, plain: Mask, row: int, inward: int) -> Floats | None:
    """Colour of a thin grey stroke along a border row, a quarter of it at least (an axis line may be cut short)."""
    inked = pixels[row][~plain[row]]
    if len(inked) < max(20, 0.25 * plain.shape[1]):
        return None
    colour = modal_colour(inked)
    same = contrast(pixels[[row, inward]], colour) <= 8
    edges = np.flatnonzero(np.diff(np.concatenate(([0], same[0].astype(np.int8), [0]))))
    longest = int((edges[1::2] - edges[::2]).max(initial=0))
    thin = same[1][same[0]].mean() < 0.3 if same[0].any() else False
    return colour if longest >= max(20, 0.2 * plain.shape[1]) and thin and float(chroma(colour)) < 15 else None


def _reaches_both_ends(columns: NDArray[np.intp], shown: Mask, width: int) -> bool:
    """A rule shows close to the first and the last open column; open columns must not be one short stretch."""
    margin = max(6, 0.04 * width)
    seen = columns[shown]
    wide = columns[-1] - columns[0] >= 0.25 * width or len(columns) >= 0.2 * width
    return bool(wide and seen[0] - columns[0] <= margin and columns[-1] - seen[-1] <= margin)


def _even(shown: Mask, duty: float, slack: float) -> bool:
    """True if the share shown is about the same in all stretches along the rule."""
    parts = np.array_split(shown, max(3, min(BINS, len(shown) // 12)))
    shares = np.array([part.mean() for part in parts])
    return bool((np.abs(shares - duty) <= slack * max(duty, 1 - duty)).mean() >= 0.8)


def _rhythmic(shown: Mask) -> bool:
    """True if the gaps between dashes are of about one length (or two, for dash-dot)."""
    edges = np.flatnonzero(np.diff(shown.astype(np.int8)) == 1)
    if len(edges) < 4:
        return False
    periods = np.diff(edges)
    middle = np.median(periods)
    steady = np.abs(periods - middle) <= max(1.5, 0.2 * middle)
    double = np.abs(periods + np.roll(periods, 1) - np.median(periods + np.roll(periods, 1))) <= max(2.0, 0.2 * middle)
    return bool(max(steady.mean(), double.mean()) >= 0.6)


def _is_ink(colour: Floats, inks: Sequence[Rgb]) -> bool:
    """A coloured rule in the colour of a named series is that series; greys are always rules."""
    if not inks or float(chroma(colour)) < 12:
        return False
    return bool(lab_distance(np.array(inks, dtype=np.float64), colour).min() < 12)


def _widen(
    pixels: Floats32,
    paper: Floats,
    row: int,
    columns: NDArray[np.intp],
    tolerance: float,
    horizontal: bool,
    solid: bool,
) -> Rule:
    """The rule with all its rows: outwards from `row` until there is paper."""
    rows = {row: np.median(pixels[row, columns], axis=0)}
    for step in (-1, 1):
        at = row + step
        while 0 <= at < len(pixels) and abs(at - row) <= 12:
            here = np.median(pixels[at, columns], axis=0)
            if np.abs(here - paper).max() <= tolerance:
                break
            rows[at] = here
            at += step
    order = sorted(rows)
    return Rule(horizontal, order[0], np.array([rows[r] for r in order], dtype=np.float64), solid)


def _paint(
    pixels: Floats32, plain: Mask, paper: Floats, rules: Sequence[Rule], tolerance: float
) -> tuple[Floats32, Mask]:
    """Background with the rules painted on it, and where they are seen.

    On the track of a rule a pixel is background if it is a mixture of the paper and the rule (dash ends, crossings).
    """
    background = np.empty(pixels.shape, dtype=np.float32)
    background[:] = paper.astype(np.float32)
    visible = np.zeros(plain.shape, dtype=bool)
    slack = max(8.0, 2 * tolerance)
    for rule in rules:
        for offset, colour in enumerate(rule.colours):
            at = (rule.first + offset, slice(None)) if rule.horizontal else (slice(None), rule.first + offset)
            line, under = pixels[at], background[at]
            step = colour.astype(np.float32) - paper.astype(np.float32)
            size = float(step @ step)
            if size < 1:
                continue
            share = np.clip((line - paper.astype(np.float32)) @ step / size, 0, 1)
            rest = contrast(line - share[:, None] * step, paper)
            seen = (rest <= slack) & ~plain[at]
            visible[at] |= seen
            if rule.solid:
                background[at] = colour
            background[at] = np.where(seen[:, None], line, background[at] if rule.solid else under)
    np.copyto(background, pixels, where=plain[..., None])
    return background, visible
