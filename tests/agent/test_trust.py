"""Trust by signs: a probability, a threshold, and what costs it in words."""

from __future__ import annotations

from pathlib import Path

from agent.reading import digitize
from agent.trust import WORDS, doubts_of_signs, is_high, trust_of
from agent.trust_weights import HIGH, STEPS

FIGURES = Path(__file__).parent.parent / "figures"


def best_and_worst() -> tuple[dict[str, float], dict[str, float]]:
    """Signs at the levels where the sum of their steps is largest and smallest."""
    best, worst = {}, {}
    for name in {step[0] for step in STEPS}:
        levels = {-1.0: 0.0}
        total = 0.0
        for cut, weight in sorted((cut, weight) for other, cut, weight in STEPS if other == name):
            total += weight
            levels[cut + 1e-6] = total
        best[name] = max(levels, key=levels.__getitem__)
        worst[name] = min(levels, key=levels.__getitem__)
    return best, worst


def test_trust_is_a_probability_and_high_is_above_the_threshold() -> None:
    best, worst = best_and_worst()
    assert 0 <= trust_of(worst) < HIGH < trust_of(best) <= 1
    assert is_high(best)
    assert not is_high(worst)


def test_what_costs_trust_is_said_in_words() -> None:
    best, worst = best_and_worst()
    assert doubts_of_signs(best) == []
    said = doubts_of_signs(worst)
    assert 0 < len(said) <= 3
    assert all("{" not in words for words in said)


def test_every_sign_with_words_is_measured() -> None:
    reading = digitize(FIGURES / "lines.png")
    assert set(WORDS) <= set(reading.panels[0].signs)
    assert {step[0] for step in STEPS} <= set(reading.panels[0].signs)
    assert reading.panels[0].confidence == "high"
