"""Decimal points that a scan lost: `0.0, 05, 10, 1 5, ... 4.0` down an axis is a ladder in steps of 0.5.

A point is the smallest sign on a page and the first that grain and blur swallow. Where some labels of a column (or a
row) kept theirs, and all the others fall into their line once they have one too, they had one.

Not handled here: ladders of which no label kept its point, decimal commas, logarithmic axes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.types import Floats, Word

POINTED = re.compile(r"^[-\u2212]?\d+\.(\d+)$")
BARE = re.compile(r"^[-\u2212]?\d[\d ]*$")
ALIGNED = 0.8  # heights of a label by which those of one column may be off each other
FEWEST = 4  # labels of a ladder
ON = 0.12  # of the step between two labels by which one may be off its place
AGREED = 0.75  # share of the labels that stand on the ladder


def with_points(words: Sequence[Word]) -> tuple[Word, ...]:
    """The words, numbers of a column or a row whose points were lost with their points."""
    found = list(words)
    for group in _ladders(words):
        for index, text in _restored([words[i] for i in group]).items():
            found[group[index]] = replace(words[group[index]], text=text)
    return tuple(found)


def _ladders(words: Sequence[Word]) -> list[list[int]]:
    """Indices of numbers that stand in one column or one row, some of them with a point and some without."""
    numbers = [i for i, word in enumerate(words) if POINTED.match(word.text) or BARE.match(word.text)]
    groups: list[list[int]] = []
    for edges in ([word.box.x1 for word in words], [word.box.centre[1] for word in words]):
        left = sorted(numbers, key=edges.__getitem__)
        while left:
            start = edges[left[0]]
            height = words[left[0]].box.height + 1
            group = [i for i in left if edges[i] - start <= ALIGNED * height]
            left = left[len(group) :]
            pointed = sum(bool(POINTED.match(words[i].text)) for i in group)
            if len(group) >= FEWEST and 0 < pointed < len(group):
                groups.append(group)
    return groups


def _restored(group: Sequence[Word]) -> dict[int, str]:
    """The texts with a point of the labels that lost it, by their index; none where that makes no even ladder."""
    column = np.ptp([w.box.centre[0] for w in group]) < np.ptp([w.box.centre[1] for w in group])
    at = np.array([w.box.centre[1 if column else 0] for w in group])
    places = [len(found[1]) for w in group if (found := POINTED.match(w.text))]
    digits = max(set(places), key=places.count)
    texts = [_pointed(word.text, digits) for word in group]
    kept = np.array([bool(POINTED.match(word.text)) for word in group])
    if any(text is None for text in texts):
        return {}
    after = np.array([float(str(text).replace("\u2212", "-")) for text in texts])
    on = _on_ladder(at, after)
    as_read = np.array([float(w.text.replace("\u2212", "-").replace(" ", "")) for w in group])
    if on.mean() < AGREED or not on[kept].all() or _on_ladder(at, as_read).mean() >= on.mean():
        return {}
    return {i: str(text) for i, text in enumerate(texts) if not kept[i] and on[i]}


def _pointed(text: str, digits: int) -> str | None:
    """A number with so many digits behind its point; None where it has too few."""
    if POINTED.match(text):
        return text
    sign, bare = text[: text[0] in "-\u2212"], text.lstrip("-\u2212").replace(" ", "")
    return f"{sign}{int(bare[:-digits])}.{bare[-digits:]}" if len(bare) > digits else None


def _on_ladder(at: Floats, values: Floats) -> np.ndarray:
    """Which labels (n,) bool stand on the line through most of them: the best one through any two."""
    best = np.zeros(len(at), bool)
    for i in range(len(at)):
        for j in range(i + 1, len(at)):
            if abs(at[j] - at[i]) < 4 or values[i] == values[j]:
                continue
            slope = (values[j] - values[i]) / (at[j] - at[i])
            step = abs(slope) * float(np.median(np.diff(np.sort(at))))
            on = np.abs(values - values[i] - slope * (at - at[i])) <= ON * step
            best = on if on.sum() > best.sum() else best
    return best
