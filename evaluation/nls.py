"""NLS and ANLS: how alike two labels are.

NLS(a, b) = 1 - Levenshtein / longer length: unit costs, code points, nothing stripped, case sensitive. ANLS cuts it to
0 where the normalised distance does not pass a threshold. Deployed code disagrees on the boundary: pix2struct keeps
distance <= theta, TinyChart and the ST-VQA equation keep distance < theta. Not handled here: Unicode normalisation.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from rapidfuzz.distance import Indel

from tools.align import similarity

Boundary = Literal["le", "lt"]


def nls(a: str, b: str) -> float:
    """1 - lev(a, b) / max(len(a), len(b)); 1 for two empty strings (a published reference divides by zero).

    >>> nls("2010", "2011")
    0.75
    """
    return similarity(a, b)


def anls(a: str, b: str, theta: float = 0.5, boundary: Boundary = "le") -> float:
    """NLS, or 0 where the normalised distance is not `<= theta` ("le") or not `< theta` ("lt").

    >>> anls("ab", "ac"), anls("ab", "ac", boundary="lt")
    (0.5, 0.0)
    """
    score = nls(a, b)
    distance = 1.0 - score
    kept = distance <= theta if boundary == "le" else distance < theta
    return score if kept else 0.0


def anls_score(
    predictions: Sequence[str], targets: Sequence[Sequence[str]], theta: float = 0.5, boundary: Boundary = "le"
) -> float | None:
    """Mean over items of the best ANLS among an item's accepted targets, both sides lowercased. None without items."""
    if not predictions:
        return None
    best = [
        max((anls(said.lower(), target.lower(), theta, boundary) for target in accepted), default=0.0)
        for said, accepted in zip(predictions, targets, strict=True)
    ]
    return sum(best) / len(best)


def indel_ratio(a: str, b: str) -> float:
    """`Levenshtein.ratio`: insertions and deletions only (a swap costs 2 of the summed lengths). ChartAB uses it."""
    return float(Indel.normalized_similarity(a, b))
