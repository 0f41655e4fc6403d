"""Several readings of one figure, one answer: members, rounds until they settle, and their consensus.

Members differ by method and model; those of the offline policy by what another copy of the figure would change: noise
of a camera, scale, compression, tone and sharpness, so that OCR, binarisation, strokes' edges and ties fall differently
(after Berkane, Wang and Majumder, 2026). The first member is the plain reading; it gives the frame, order and pixels.
One reader before several pictures agrees with itself too easily, so that its rounds may not end before the fifth.

Not handled here: aligning and merging cells (`consensus`), reading (`reading`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from agent.consensus import consensus
from agent.methods import Aggregator, Method
from agent.reading import PanelReading, Reading, at_home, read_figure
from agent.rows import number
from prompts import hash_of
from tools.align import assign
from tools.table import Table
from tools.types import Box, Figure, Unreadable

LEAST = 3  # members before the rounds may end
LEAST_ALIKE = 5  # the same where all members are one reader
SETTLED = 0.95  # share of the cells that no longer move
STILL = 0.01  # of a column's range: a cell that has not moved
SAME_PLACE = 0.3  # shared area over joint area of two plot boxes
MAX_SIDE = 2600  # px; larger pictures are not enlarged further


@dataclass(frozen=True)
class Variant:
    """How a member's picture differs from the figure: scale, blur (px, before scaling), gamma of its tones, standard
    deviation of noise (levels of 255, before scaling), and the quality of a JPEG in between (0: none)."""

    scale: float = 1.0
    blur: float = 0.0
    gamma: float = 1.0
    noise: float = 0.0
    jpeg: int = 0


VARIANTS = (
    Variant(),
    Variant(noise=3.0),
    Variant(scale=0.9),
    Variant(scale=1.25),
    Variant(jpeg=70),
    Variant(gamma=0.8),
    Variant(blur=0.4, scale=1.1),
    Variant(gamma=1.25, scale=1.35),
    Variant(scale=1.15, jpeg=85),
    Variant(blur=0.5, scale=1.25),
)


def vary(figure: Figure, variant: Variant) -> Figure:
    """The figure as this variant sees it, the same every time; without vector evidence, which knows no variants."""
    import cv2

    if variant == Variant():
        return figure
    pixels = figure.pixels
    if variant.blur:
        pixels = np.asarray(cv2.GaussianBlur(pixels, (0, 0), variant.blur), np.uint8)
    if variant.gamma != 1.0:
        pixels = (255 * (np.arange(256) / 255.0) ** variant.gamma).round().astype(np.uint8)[pixels]
    if variant.noise:
        strayed = pixels + np.random.default_rng(0).normal(0.0, variant.noise, pixels.shape)
        pixels = np.clip(np.rint(strayed), 0, 255).astype(np.uint8)
    if variant.scale != 1.0:
        sampling = cv2.INTER_AREA if variant.scale < 1 else cv2.INTER_CUBIC
        size = (round(figure.width * variant.scale), round(figure.height * variant.scale))
        pixels = np.asarray(cv2.resize(pixels, size, interpolation=sampling), np.uint8)
    if variant.jpeg:
        data = cv2.imencode(".jpg", pixels[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, variant.jpeg])[1]
        pixels = np.ascontiguousarray(np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)[..., ::-1])
    return Figure(pixels, figure.source, figure.page, figure.sha256, figure.dark, (), figure.warnings)


def read_together(figure: Figure, method: Method) -> Reading:
    """The consensus of a figure's readings by an ensemble's members in turn, kept in `Reading.members`."""
    makers, anchored = makers_of(figure, method.members), not method.asks
    found, members = read_ensemble(makers, method.count, method.aggregator, anchored)
    usage = sum((member.usage for member in members[1:]), members[0].usage)
    failures = list(dict.fromkeys(f"{member.method}: {member.failed}" for member in members if member.failed))
    asked = [member.prompt for member in members[: len(method.members)] if member.prompt]
    prompt = hash_of(*asked) if asked else ""
    told = (*found.warnings, *(one for one in failures if found.panels))
    return replace(found, method=method.name, members=members, usage=usage, failed="; ".join(failures), prompt=prompt,
                   warnings=told)  # fmt: skip


def makers_of(figure: Figure, methods: Sequence[Method]) -> Iterator[Callable[[], Reading]]:
    """Readings to be made, the methods in turn, each time of another variant of the picture; the plain ones first."""
    large = max(figure.width, figure.height)
    for variant in VARIANTS:
        if variant.scale <= 1 or large * variant.scale <= MAX_SIDE:
            for method in methods:
                yield partial(_read_variant, figure, variant, method)


def _read_variant(figure: Figure, variant: Variant, method: Method) -> Reading:
    return at_home(read_figure(vary(figure, variant), method), figure, variant.scale)


def read_ensemble(
    makers: Sequence[Callable[[], Reading]] | Iterator[Callable[[], Reading]],
    most: int,
    how: Aggregator = "median",
    anchored: bool = False,
) -> tuple[Reading, tuple[Reading, ...]]:
    """The consensus of at most `most` readings and its members; `anchored` as `agree` takes it.

    Readings are made one after another; from the third on (the fifth, where they are anchored) they stop when 95 % of
    the cells moved by less than 1 % of their column's range. Raises ValueError where there is no member.
    """
    least = LEAST_ALIKE if anchored else LEAST
    members: list[Reading] = []
    answer: Reading | None = None
    for make in makers:
        members.append(make())
        before, answer = answer, agree(members, how, anchored)
        enough = sum(bool(member.panels) for member in members) >= least
        if len(members) >= most or (enough and before is not None and settled(before, answer)):
            break
    if answer is None:
        raise ValueError("an ensemble needs at least one member")
    return answer, tuple(members)


def agree(members: Sequence[Reading], how: Aggregator = "median", anchored: bool = False) -> Reading:
    """The consensus of readings of one figure: per panel of the first one, the tables that stand at the same place.

    `anchored`: the first reading gives the columns and rows (offline members are the same reader before a changed
    picture, so that they are wrong together where the change hides a mark; other readers are worth a vote). Panels
    of the first reading that fewer than half of the others have stay as they were read, with a warning. The first one
    is the first that has panels.
    """
    members = sorted(members, key=lambda member: not member.panels)
    first = members[0]
    if len(members) == 1:
        return first
    paired = [dict(pair_panels(first, other)) for other in members[1:]]
    panels = []
    for number_, panel in enumerate(first.panels):
        others = [member.panels[pairs[number_]].table for member, pairs in zip(members[1:], paired, strict=True)
                  if number_ in pairs]  # fmt: skip
        panels.append(_panel_consensus(panel, [t for t in others if isinstance(t, Table)], len(members), how, anchored))
    seconds = sum(member.seconds for member in members)
    methods = list(dict.fromkeys(member.method for member in members))
    return replace(
        first, panels=tuple(panels), seconds=seconds, method=f"ensemble of {len(members)}: {', '.join(methods)}"
    )


def _panel_consensus(
    panel: PanelReading, others: Sequence[Table], members: int, how: Aggregator, anchored: bool
) -> PanelReading:
    own = panel.table
    tables = [own, *others] if isinstance(own, Table) else list(others)
    if 2 * len(tables) < members:
        if isinstance(own, Table):
            return replace(
                panel, warnings=(*panel.warnings, f"only {len(tables)} of {members} readings have this panel")
            )
        return panel
    found = consensus(tables, how, anchored and isinstance(own, Table))
    return replace(panel, table=found.table, agreement=found.agreement)


def pair_panels(reading: Reading, other: Reading) -> list[tuple[int, int]]:
    """Panels of two readings at the same place; by number where boxes cannot tell and there are equally many."""
    mine = [panel.panel.plot for panel in reading.panels]
    theirs = [panel.panel.plot for panel in other.panels]
    scores = np.array([[overlap(a, b) for b in theirs] for a in mine])
    pairs = assign(scores, above=SAME_PLACE)
    if not pairs and len(mine) == len(theirs):
        return [(i, i) for i in range(len(mine))]
    return pairs


def overlap(a: Box, b: Box) -> float:
    """Shared area over joint area of two boxes.

    >>> overlap(Box(0, 0, 10, 10), Box(0, 0, 10, 5))
    0.5
    """
    wide = min(a.x1, b.x1) - max(a.x0, b.x0)
    high = min(a.y1, b.y1) - max(a.y0, b.y0)
    shared = max(0.0, wide) * max(0.0, high)
    joint = a.width * a.height + b.width * b.height - shared
    return shared / joint if joint > 0 else 0.0


def settled(before: Reading, after: Reading) -> bool:
    """Whether 95 % of the numbers moved by less than 1 % of their column's range between two rounds."""
    if len(before.panels) != len(after.panels):
        return False
    moved = [share for old, new in zip(before.panels, after.panels, strict=True)
             for share in _moves(old.table, new.table)]  # fmt: skip
    return bool(moved) and float(np.mean([share < STILL for share in moved])) >= SETTLED


def _moves(old: Table | Unreadable, new: Table | Unreadable) -> list[float]:
    """How far each number moved, in ranges of its column; a row or column that came or went moved a whole range."""
    if not isinstance(old, Table) or not isinstance(new, Table):
        return [1.0] if type(old) is not type(new) else []
    if len(old.rows) != len(new.rows) or old.header != new.header:
        return [1.0] * max(len(old.rows), len(new.rows))
    moves: list[float] = []
    for column in range(1, len(new.header)):
        left = np.array([number(row[column]) for row in old.rows])
        right = np.array([number(row[column]) for row in new.rows])
        good = np.isfinite(left) & np.isfinite(right)
        scale = max(float(np.ptp(right[good])), 1e-12) if good.any() else 1.0
        moves += [float(v) for v in np.abs(left[good] - right[good]) / scale]
        moves += [1.0] * int(np.sum(np.isfinite(left) != np.isfinite(right)))
    return moves
