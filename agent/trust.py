"""How far a reading can be trusted: the signs that it shows of itself, weighed as drawn figures have taught.

The weights come from `evaluation.train_trust`: nothing is learned from the figures that the product is judged by. Not
handled here: measuring the signs (`tools.signs`); trust in a single value, which has its interval.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from agent.trust_weights import BIAS, HIGH, STEPS
from tools.signs import certain

WORTH_A_WORD = 0.8  # log odds that a sign has to cost
WORDS = {
    "anchors": "an axis is held by {:.0f} labels only",
    "axes low": "an axis is uncertain",
    "areas sampled": "the places of the points of an area could not be told: several areas may be read as one",
    "at the frame": "{:.0%} of the values of a series end at the frame",
    "bridged": "{:.0%} of the values lie under other ink",
    "curves over names": "a curve runs over an axis of names: dates or numbers there may not have been read",
    "entries unread": "names of the legend have no series",
    "gaps": "{:.0%} of the table is empty",
    "hollow": "{:.0%} of the redrawn curves run where there is no ink",
    "labels outside": "{:.0f} labels lie beyond the plot area: a part of it may be missing",
    "layers more": "there are more colours than series",
    "left": "{:.0%} of the ink is left over",
    "left worst": "{:.0%} of one colour's ink is left over",
    "mixed": "marks of several kinds stand in one plot",
    "nameless": "several series have no names",
    "residual": "the labels of an axis are off by {:.1f} px",
    "room": "points stand {:.1f} px apart",
    "sampled": "the places of the author's points could not be told",
    "series unnamed": "some series are not named by the legend",
    "sure": "some marks are uncertain",
    "supported": "only {:.0%} of the values stand on ink",
    "uneven": "points stand at uneven distances",
    "unlike counts": "the series have different numbers of points",
    "width": "the intervals are wide",
}


def trust_of(signs: Mapping[str, float]) -> float:
    """The probability, 0 to 1, that a panel with these signs was read right (nine tenths of its score or more).

    No more than a half where one of them alone speaks against the reading.
    """
    score = BIAS + sum(weight for name, cut, weight in STEPS if signs.get(name, 0.0) > cut)
    trust = 1 / (1 + math.exp(-score))
    return min(trust, 0.5) if certain(signs) else trust


def is_high(signs: Mapping[str, float]) -> bool:
    return trust_of(signs) >= HIGH


def doubts_of_signs(signs: Mapping[str, float], most: int = 3) -> list[str]:
    """What costs the most trust, in words, dearest first: each sign against the best value that it could have."""
    alone = certain(signs)
    cost = {name: math.inf if name in alone else _best(name) - _sum(name, signs.get(name, 0.0)) for name in WORDS}
    dearest = sorted((name for name in cost if cost[name] > WORTH_A_WORD), key=lambda name: -cost[name])
    return [WORDS[name].format(signs.get(name, 0.0)) for name in dearest[:most]]


def _sum(name: str, value: float) -> float:
    return sum(weight for other, cut, weight in STEPS if other == name and value > cut)


def _best(name: str) -> float:
    """The most that a sign can add: its steps are taken from the lowest cut upwards."""
    total = best = 0.0
    for _, weight in sorted((cut, weight) for other, cut, weight in STEPS if other == name):
        total += weight
        best = max(best, total)
    return best
