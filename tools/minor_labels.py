"""Log axes that print the digits between their powers of ten: 10, 2, 5, 100, 2, 5 are 10, 20, 50, 100, 200, 500.

Not handled here: digits without any power of ten beside them (`scales` reads them as they are).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from tools.scales import Reading

DIGIT = re.compile(r"[2-9]")
LEAST = 4  # labels


def minor_readings(texts: Sequence[str], values: Sequence[float | None]) -> tuple[tuple[Reading, ...], ...]:
    """What the labels of such an axis mean, in the order of its labels; empty where they are none.

    texts: the labels along the axis, either way. values: each as a number, as it is printed. Every label must be a
    power of ten or a single digit, the powers must follow each other, and the digits must rise from each to the next.
    """
    powers = [
        _power(value) if not DIGIT.fullmatch(text.strip()) else None for text, value in zip(texts, values, strict=True)
    ]
    places = [i for i, power in enumerate(powers) if power is not None]
    minor = all(power is not None or DIGIT.fullmatch(text.strip()) for text, power in zip(texts, powers, strict=True))
    if len(texts) < LEAST or not places or not minor or len(places) == len(texts):
        return ()
    rising = _rises(texts, powers)
    if not rising:
        return minor_readings(texts[::-1], values[::-1])[::-1] if _rises(texts[::-1], powers[::-1]) else ()
    found, power = [], int(powers[places[0]] or 0) - 1
    for text, own in zip(texts, powers, strict=True):
        power = own if own is not None else power
        found.append((Reading(10.0**power * (1 if own is not None else int(text))),))
    plain = [reading[0].value == value for reading, value in zip(found, values, strict=True)]
    return () if all(plain) else tuple(found)


def _power(value: float | None) -> int | None:
    """The exponent of a power of ten; None for other numbers."""
    if value is None or value <= 0:
        return None
    power = round(math.log10(value))
    return power if abs(value / 10.0**power - 1) < 1e-9 else None


def _rises(texts: Sequence[str], powers: Sequence[int | None]) -> bool:
    """Whether these labels rise: each digit above the one before it, each power by one above the last."""
    digit, last = 1, None
    for text, power in zip(texts, powers, strict=True):
        if power is not None:
            if last is not None and power != last + 1:
                return False
            digit, last = 1, power
        elif int(text) <= digit:
            return False
        else:
            digit = int(text)
    return True
