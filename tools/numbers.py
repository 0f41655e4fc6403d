"""Numbers as axes print them: signs, separators, units, powers of ten, and what recognisers confuse.

A single `1,000` or `1.000` is ambiguous; `parse_ladder` decides the decimal mark once for all labels of an axis.

Not handled here: dates and times (`dates`), ranges (`5-9`), bounds (`<5`), repairing a label by its pixel position.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from tools.types import Unreadable

DecimalMark = Literal[".", ","]


@dataclass(frozen=True)
class Quantity:
    """A number, its unit ("%": 75 for 75 %; currencies; "" if none) and the text it was read from."""

    value: float
    unit: str = ""
    text: str = ""


_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-")
_DASHES = str.maketrans(dict.fromkeys("−–—‒‐﹣－", "-"))
_TIMES = r"[x×X*·⋅]"
_CURRENCY = r"US\$|[$€£¥₹]"
_TICK_AFTER = re.compile(r"(?<=\d)\s+[:;|]$")  # what a tick mark beside a label is read as
_SCALES = {"k": 1e3, "K": 1e3, "M": 1e6, "Mio": 1e6, "mn": 1e6, "B": 1e9, "G": 1e9, "bn": 1e9, "Mrd": 1e9, "T": 1e12}
_UNITS = (
    "%|‰|°C|°F|°|ppm|ppb|pp|dB|mg|kg|µg|μg|ng|pg|g|mL|ml|µL|μL|L|dl|nm|µm|μm|mm|cm|km|m|ns|µs|μs|ms|s|sec|min|h|hr|hrs|"
    "d|days?|weeks?|wk|months?|mo|years?|yrs?|yr|y|Hz|kHz|MHz|GHz|mV|kV|V|mA|A|mW|kW|MW|GW|W|kWh|MWh|GWh|TWh|J|kJ|eV|"
    "keV|MeV|GeV|nM|µM|μM|mM|Pa|kPa|MPa|GPa|bar|px|pt|KB|MB|GB|TB|fold"
)
_SUFFIX = re.compile(rf"(?P<scale>{'|'.join(_SCALES)})?\s*(?P<unit>{_UNITS}|{_CURRENCY})?")
_NUMBER = re.compile(
    rf"(?P<sign>[+-]?)\s*(?P<money>{_CURRENCY})?\s*(?P<sign2>[+-]?)\s*"
    rf"(?P<body>\d[\d.,'’   \s]*|[.,]\d+)(?:[eE](?P<e>[+-]?\d{{1,3}}))?"
    rf"(?:\s*{_TIMES}\s*10\s*\^?\s*\(?(?P<power>[+-]?\d{{1,3}})\)?)?\s*(?P<suffix>\D*)"
)
_POWER = re.compile(
    rf"(?P<sign>[+-]?)\s*(?:{_TIMES}\s*)?(?P<base>10|2|e)\s*\^\s*[({{]?(?P<power>[+-]?\d{{1,3}}(?:\.\d+)?)[)}}]?"
)
_FRACTION = re.compile(r"([+-]?)\s*(\d{1,3})\s*/\s*(\d{1,3})")
_CONFUSED = str.maketrans("OoQDlI|iSsZzBGT", "000011115522861")
_MISREAD_E = re.compile(r"(?<=\d)\s*[cC€eE]\s*(?=[+-]\s*\d{1,2}$)")  # 2.2c+4 is 2.2e+4


def parse_number(text: str, decimal: DecimalMark | None = None) -> Quantity | Unreadable:
    """The number that a label shows, or Unreadable.

    `decimal` fixes the decimal mark; without it a separator before exactly three digits is a thousands separator if
    it is a comma, and a decimal point if it is a single dot.

    >>> parse_number("−1 234,5 %")
    Quantity(value=-1234.5, unit='%', text='−1 234,5 %')
    >>> parse_number("10^-2").value
    0.01
    """
    plain = _normalised(text)
    value: float | None
    if power := _POWER.fullmatch(plain):
        base = math.e if power["base"] == "e" else float(power["base"])
        return _quantity(base ** float(power["power"]), power["sign"], "", text)
    if fraction := _FRACTION.fullmatch(plain):
        if not float(fraction[3]):
            return Unreadable(f"{text!r} divides by zero")
        return _quantity(float(fraction[2]) / float(fraction[3]), fraction[1], "", text)
    found = _NUMBER.fullmatch(plain)
    suffix = _SUFFIX.fullmatch(found["suffix"].strip()) if found else None
    if found is None or suffix is None or (found["sign"] and found["sign2"]):
        return Unreadable(f"{text!r} is not a number")
    value = _body(found["body"], decimal)
    if value is None:
        return Unreadable(f"{text!r} has separators in odd places")
    value *= 10.0 ** (int(found["e"] or 0) + int(found["power"] or 0)) * _SCALES.get(suffix["scale"] or "", 1.0)
    return _quantity(value, found["sign"] or found["sign2"], suffix["unit"] or found["money"] or "", text)


def parse_ladder(texts: Sequence[str]) -> list[Quantity | Unreadable]:
    """The labels of one axis in their order along it, read with one decimal mark for all.

    The mark that makes more labels readable wins, then the one that makes them rise (or fall) more evenly. Letters
    that recognisers confuse with digits (O, l, S) are read as digits only where most of the ladder is numeric.
    """
    texts = _one_mark(texts)
    readings = [_read_all(texts, mark) for mark in (".", ",")]
    if _lost_point(texts):
        return readings[0]
    best, other = sorted(readings, key=_disorder)
    if _disorder(best) == _disorder(other) and dotted_thousands(texts) in ("likely", "sure"):
        best, other = readings[1], readings[0]
    if any(_disorder(best)[:2]):  # a comma misread as a dot, or the other way round
        for i, spare in enumerate(other):
            swapped = [*best[:i], spare, *best[i + 1 :]]
            if isinstance(spare, Quantity) and _disorder(swapped) < _disorder(best):
                best = swapped
    return best


def _one_mark(texts: Sequence[str]) -> list[str]:
    """The labels with the one mark before three digits that most of them have."""
    commas, dots = (sum(re.search(rf"\d{mark}\d\d\d", text) is not None for text in texts) for mark in (",", r"\."))
    if not 0 < min(commas, dots) < max(commas, dots):
        return list(texts)
    common, rare = (".", ",") if dots > commas else (",", ".")
    return [
        text.replace(rare, common) if re.fullmatch(r"\D?[1-9]\d{0,2}[.,]\d{3}\D*", text) else text for text in texts
    ]


def _lost_point(texts: Sequence[str]) -> bool:
    """Whether a label of `340.567`, `340568`, `340.569` lost its decimal point: where dots part thousands each long
    number has one, and tick labels seldom go by single units there."""
    plain = [_normalised(text).replace(" ", "") for text in texts]
    dotted = [text for text in plain if re.fullmatch(r"[-+]?[1-9]\d{0,2}\.\d{3}", text)]
    bare = [text for text in plain if re.fullmatch(r"[-+]?\d{4,6}", text)]
    return 0 < len(bare) < len(dotted) == len(plain) - len(bare) and any(text[-1] not in "05" for text in dotted)


def dotted_thousands(texts: Sequence[str]) -> Literal["no", "open", "likely", "sure"]:
    """Whether the dots in labels like `8.000` part thousands rather than decimals.

    Sure where others have no dot (`500`): with three decimals these would have it. Likely where only a 0 has none,
    which some programs print without decimals, or where all are whole numbers if decimals, which need no three of them
    (sure where both hold); open where every label ends in a zero that it would not need. A dot may be read as a comma.

    >>> [dotted_thousands(one) for one in (["0", "500", "1.000", "1.500"], ["0", "2.500"], ["2.000", "4.000"])]
    ['sure', 'no', 'likely']
    >>> [dotted_thousands(one) for one in (["0", "2.500", "5.000"], ["0", "2.000", "4.000"], ["2.000", "2.500"])]
    ['likely', 'sure', 'open']
    """
    plain = ["0" if text in ("O", "o") else _normalised(text).replace(" ", "") for text in _one_mark(texts)]
    dotted = [text for text in plain if re.fullmatch(r"[-+]?[1-9]\d{0,2}(?:\.\d{3})+\D*", text)]
    rest = [text for text in plain if text not in dotted]
    if len(dotted) < 2 or not all(re.fullmatch(r"[-+]?\d{1,3}\D*", text) for text in rest):
        return "no"
    ends = [re.sub(r"\D+$", "", text).rpartition(".")[2] for text in dotted]
    whole = set(ends) == {"000"}
    if rest:
        return "sure" if whole or any(re.search("[1-9]", text) for text in rest) else "likely"
    return "likely" if whole else "open" if all(end.endswith("0") for end in ends) else "no"


def parse_offset(text: str) -> float | Unreadable:
    """The factor of a label in the corner of an axis: 1e6 for `1e6` or `×10^6`; Unreadable for anything else.

    >>> parse_offset("x10^4")
    10000.0
    """
    plain = _normalised(text).replace(" ", "").strip("()")
    found = re.fullmatch(rf"(?:{_TIMES}?[1lI])?[eE]([+-]?\d{{1,3}})|(?:1?{_TIMES})?10\^?([+-]?\d{{1,3}})", plain)
    power = (found[1] or found[2]) if found else None
    raised = "^" in plain or "e" in plain.lower() or re.match(_TIMES, plain)
    return 10.0 ** int(power) if power and raised else Unreadable(f"{text!r} is not a power of ten")


def _normalised(text: str) -> str:
    """ASCII digits and minus; superscript digits become `^` forms, vulgar fractions `a/b`; no mark of a tick after."""
    plain = _TICK_AFTER.sub("", text.strip())
    plain = re.sub("[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda found: "^" + found[0].translate(_SUPERSCRIPTS), plain)
    plain = unicodedata.normalize("NFKC", plain.translate(_DASHES).replace("³", "^3"))
    return _MISREAD_E.sub("e", plain.replace("⁄", "/").strip())


def _quantity(value: float, sign: str, unit: str, text: str) -> Quantity | Unreadable:
    if not math.isfinite(value):
        return Unreadable(f"{text!r} is too large")
    return Quantity(-value if sign == "-" and value else value, unit, text)


def _body(body: str, decimal: DecimalMark | None) -> float | None:
    """Digits with separators; None where they don't fit the decimal mark."""
    digits = re.sub(r"['’\s]", " ", body.strip())
    marks: tuple[DecimalMark, ...] = (decimal,) if decimal else (".", ",")
    for mark in marks:
        comma = re.escape("," if mark == "." else ".")
        whole = rf"(?:\d+|\d{{1,3}}(?:{comma}\d{{2,3}})*{comma}\d{{3}}|\d{{1,3}}(?: \d{{3}})+)"
        if re.fullmatch(rf"{whole}(?:{re.escape(mark)}\d*)?|{re.escape(mark)}\d+", digits) and not re.match(
            rf"0+{comma}", digits
        ):
            return float(re.sub(rf"[ {comma}]", "", digits).replace(",", ".").rstrip(".") or 0)
    return None


def _read_all(texts: Sequence[str], mark: DecimalMark) -> list[Quantity | Unreadable]:
    found = [parse_number(text, mark) for text in texts]
    named = [text[0] for text in texts if re.fullmatch(r"[A-Z]\d{1,2}", text)]
    if 2 * sum(map(bool, found)) < len(texts) or (len(named) > 1 and len(set(named)) == 1):  # Q3, Q4
        return found
    return [quantity or _less_confused(text, mark, quantity) for text, quantity in zip(texts, found, strict=True)]


def _less_confused(text: str, mark: DecimalMark, why: Quantity | Unreadable) -> Quantity | Unreadable:
    """A label with letters that look like digits, read as digits; it must hold a digit, or be one lone letter."""
    if not re.search(r"\d", text) and len(text) > 1:
        return why
    found = parse_number(re.sub(r"(?<=\d[.,])\s+(?=\d)", "", text.translate(_CONFUSED)), mark)  # 2. OM is 2.0M
    return Quantity(found.value, found.unit, text) if isinstance(found, Quantity) else why


def _disorder(found: Sequence[Quantity | Unreadable]) -> tuple[int, int, float]:
    """Smaller is better: labels not read, steps against the direction, unevenness of the steps (linear or log)."""
    values = [q.value for q in found if isinstance(q, Quantity)]
    steps = [b - a for a, b in pairwise(values)]
    backward = min(sum(step <= 0 for step in steps), sum(step >= 0 for step in steps))
    return len(found) - len(values), backward, min(_unevenness(values, float), _unevenness(values, math.log10))


def _unevenness(values: Sequence[float], scale: Callable[[float], float]) -> float:
    """Standard deviation over mean of the steps between scaled values; infinite where the scale does not apply."""
    if scale is not float and any(value <= 0 for value in values):
        return math.inf
    at = [scale(value) for value in values]
    steps = [abs(b - a) for a, b in pairwise(at)]
    mean = sum(steps) / len(steps) if steps else 0.0
    return round(math.sqrt(sum((step - mean) ** 2 for step in steps) / len(steps)) / mean, 6) if mean else 0.0
