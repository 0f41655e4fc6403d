"""What words say about the size of the numbers beside them: powers of ten, thousands, percent, prefixes of units.

Not handled here: units that no power of ten or measure of time connects (kcal and kJ, mmHg and kPa).
"""

from __future__ import annotations

import math
import re

POWER = re.compile(
    r"(?:\b|[(\[])[1lI|][eE]([+\-−–]?\d{1,2})\b|10\s*\^\s*\{?([+\-−–]?\d{1,2})|[x×*·]\s*10\s*([+\-−–]?\d{1,2})\b"
)
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
WORDS = (
    (r"\bthousands?\b|[‘’']000\b|,000s\b|[(\[]\s*k\s*[)\]]|\bin k\b", 3.0),
    (r"\bmillions?\b|\bmio\b|\bmn\b|,000,000s\b|[(\[]\s*M\s*[)\]]", 6.0),
    (r"\bbillions?\b|\bbn\b", 9.0),
    (r"%|\bper ?cent(age)?\b|\bper 100\b", -2.0),
    (r"‰|\bper (1[, ]?000|thousand)\b", -3.0), (r"\bper 10[, ]?000\b", -4.0), (r"\bper 100[, ]?000\b", -5.0),
    (r"\bper (1[, ]?000[, ]?000|million)\b", -6.0),
)  # fmt: skip
PREFIXES = {"p": -12, "n": -9, "u": -6, "m": -3, "c": -2, "d": -1, "k": 3, "K": 3, "M": 6, "G": 9, "T": 12}
BASES = "mol|cal|bp|Pa|Hz|eV|Da|cd|lx|ohm|Ω|g|l|L|m|s|V|A|W|J|N|M|B|F|C|U|T"
TIMES = {
    "ms": 1e-3, "s": 1.0, "sec": 1.0, "seconds": 1.0, "min": 60.0, "mins": 60.0, "minutes": 60.0, "h": 3600.0,
    "hr": 3600.0, "hrs": 3600.0, "hours": 3600.0, "d": 86400.0, "day": 86400.0, "days": 86400.0, "wk": 604800.0,
    "weeks": 604800.0, "months": 2629800.0, "mo": 2629800.0, "y": 31557600.0, "yr": 31557600.0, "years": 31557600.0,
}  # fmt: skip


def unit_is_claimed(words: str, column: str, factor: float) -> bool:
    """True where the words of the figure and the name of the column account for a figure that shows `factor` times the
    table's values: one prints thousands, a percent sign or x10^6, or the two print units that are so far apart.

    >>> unit_is_claimed("Cases (thousands)", "Cases", 0.001), unit_is_claimed("Cases", "Cases", 0.001)
    (True, False)
    >>> unit_is_claimed("Mass (mg)", "Mass (g)", 1000.0), unit_is_claimed("Mass (mg)", "Mass (g)", 0.001)
    (True, False)
    """
    size = math.log10(abs(factor))
    figure, table = _multiples(words), _multiples(column)
    if figure != table and any(abs(t - f - size) < 0.01 for f in figure | {0.0} for t in table | {0.0} if f or t):
        return True
    mine, theirs = _units(words), _units(column)
    return any(base == other and at != to and abs(to - at - size) < 0.01 for base, at in mine for other, to in theirs)


def _multiples(text: str) -> set[float]:
    """The powers of ten that the printed numbers are to be multiplied by."""
    plain = text.translate(RAISED)
    found = {float(next(filter(None, m.groups())).translate(str.maketrans("−–", "--"))) for m in POWER.finditer(plain)}
    for pattern, power in WORDS:
        if re.search(pattern, plain, 0 if "M" in pattern or "k" in pattern else re.I):
            found.add(power)
    return found - {0.0}


def _units(text: str) -> set[tuple[str, float]]:
    """Units in brackets or behind a comma, as (base, power of ten of the prefix)."""
    plain = text.replace("µ", "u").replace("μ", "u")
    found = set()
    for inside in re.findall(r"[(\[]([^()\[\]]{1,16})[)\]]|,\s*([^\s,()]{1,10})\s*(?:$|\s)", plain):
        unit = "".join(inside).strip()
        if unit.casefold() in TIMES:
            found.add(("time", math.log10(TIMES[unit.casefold()])))
        over, _, under = unit.partition("/")
        tops, bottoms = _split(over), _split(under)
        found.add((f"{tops[0]}/{bottoms[0]}", tops[1] - bottoms[1]))
    return found


def _split(unit: str) -> tuple[str, float]:
    """A unit without its prefix, and the power of ten of that.

    >>> _split("mg"), _split("m2"), _split("kPa")
    (('g', -3), ('m2', 0), ('Pa', 3))
    """
    plain = unit.strip()
    if found := re.fullmatch(rf"([pnumcdkKMGT])({BASES})", plain):
        return found[2].replace("L", "l"), PREFIXES[found[1]]
    return plain.replace("^", "").translate(RAISED).replace("L", "l"), 0
