"""One ladder of labels to one calibrated axis: try every way to seat the labels, fit a scale to each, keep the best.

Not handled here: which words are labels (`ladders`), axes borrowed from neighbours (`sharing`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from tools.categories import even_slots
from tools.ladders import HORIZONTAL, Ladder
from tools.minor_labels import minor_readings
from tools.readings import NO_YEAR, Dates, Numbers, flattened_powers, mixed_powers
from tools.rounding import jump_of
from tools.scales import Curve, Fit, Reading, fit_scale
from tools.seating import Rails, Seating, glyph_seats, snap, spacing, stroke_seats
from tools.types import Anchor, Axis, Floats, Scale, Unreadable, days

Readings = Sequence[Sequence[Reading]]
STROKE_TOLERANCE = 1.6  # pixels between a label's stroke and the scale
HIGH_RESIDUAL = 0.8  # pixels, of labels on strokes
HIGH_ALONE = 0.4  # pixels, of four or more labels without strokes
EVEN = 0.04  # largest root mean square deviation of labels from even places, as a share of their step
LONGER = 4.0  # steps before it that the last step of names is shorter than: a first digit misread goes further
SHORTEST_ALONE = 200  # pixels of an axis on which the half pixel that labels may be off their places is little


def fit_numbers(ladder: Ladder, numbers: Numbers, rails: Sequence[Rails], extent: float) -> Axis | Unreadable:
    """A linear or log axis. `extent` is the length of the plot along the axis in pixels."""
    numbers, hint = _powers(ladder, numbers, rails)
    found = _best(ladder, numbers.readings, rails, hint, ("linear", "log"))
    if isinstance(found, Unreadable):
        return found
    fit, seating = found
    if _steps_on_alone(ladder, fit, numbers):
        return Unreadable("the labels stand in even places and their values do not")
    axis = _axis(ladder, fit, seating, rails, fit.scale, extent)
    if isinstance(axis, Unreadable):
        return axis
    if fit.scale == "log" and any(options and options[0].value == 0 for options in numbers.readings):
        note = "a zero is printed on a log axis: near it the scale is not logarithmic"
        axis = replace(axis, confidence="low", warnings=(*axis.warnings, note))
    if fit.scale == "log" and hint is None and _may_be_groups(axis.anchors):
        note = "three labels in even steps that multiply: a log scale, or the names of groups"
        axis = replace(axis, confidence="low", warnings=(*axis.warnings, note))
    if numbers.doubt:
        axis = replace(axis, confidence="low", warnings=(*axis.warnings, numbers.doubt))
    if numbers.years and fit.scale == "linear":
        return replace(_leap_years(axis), calendar="year")
    return replace(_right_way(axis), unit=numbers.unit)


def _powers(ladder: Ladder, numbers: Numbers, rails: Sequence[Rails]) -> tuple[Numbers, bool | None]:
    """The readings with powers of ten as they are printed, and whether the scale must be log (False: linear)."""
    flat = flattened_powers(ladder.texts)
    if flat and _minor_hint(ladder, flat, rails):
        numbers = replace(numbers, readings=flat, powers=True)
    elif mixed := mixed_powers(ladder.texts):
        numbers = replace(numbers, readings=mixed, powers=True)
    elif minor := minor_readings(ladder.texts, [one[0].value if one else None for one in numbers.readings]):
        numbers = replace(numbers, readings=minor, powers=True)
    return numbers, True if numbers.powers else _minor_hint(ladder, numbers.readings, rails)


def _steps_on_alone(ladder: Ladder, fit: Fit, numbers: Numbers) -> bool:
    """Whether the last of four or more labels along a plot at even places goes on by a longer step than the others
    (0 h, 6 h, 12 h, 24 h), so that they name groups. A number without unit must differ from the one that the scale
    wants by more than the one character that is soon misread or lost."""
    values = [options[0].value if options and options[0].cost == 0 else None for options in numbers.readings]
    last = values[-1]
    if ladder.side not in HORIZONTAL or fit.scale != "linear" or len(values) < 4 or numbers.years or last is None:
        return False
    if fit.values[-1] is not None or list(fit.values[:-1]) != values[:-1]:
        return False
    pixels = glyph_seats(ladder)[0].pixels
    slots = even_slots(pixels)
    if slots is None or slots.count != len(values) or slots.unevenness > EVEN:
        return False
    before = [value for value in fit.values if value is not None]
    step = (before[-1] - before[0]) / (len(before) - 1)
    if not step < last - before[-1] < LONGER * step or before[0] < 0:
        return False
    named = all(re.search(r"\d\s*[^\W\d_]", text) for text in ladder.texts[1:]) and len(numbers.unit) > 0
    return named or Levenshtein.distance(f"{last:g}", f"{before[-1] + step:g}") > 1


def _right_way(axis: Axis) -> Axis:
    """The axis with its positive half at the right (on top) where sizes are printed without sign to both sides of 0:
    the labels alone do not say which half is the negative one."""
    values = np.array([anchor.value for anchor in axis.anchors])
    signed = any(anchor.text.strip()[:1] in ("-", "−", "–", "(", "+") for anchor in axis.anchors)
    onward = axis.slope > 0 if axis.side in HORIZONTAL else axis.slope < 0
    if axis.scale != "linear" or onward or signed or values.min() >= 0 or values.max() <= 0:
        return axis
    turned = tuple(replace(anchor, value=-anchor.value if anchor.value else 0.0) for anchor in axis.anchors)
    note = "no sign is printed on either side of 0: the half at the left (below) is taken as negative"
    warnings = (*(one for one in axis.warnings if "was read as -" not in one), note)
    return replace(axis, slope=-axis.slope, intercept=-axis.intercept, anchors=turned, warnings=warnings)


def _may_be_groups(anchors: Sequence[Anchor]) -> bool:
    """Three values that are no powers of ten (0.5, 1, 2): doses, say, in slots of one width."""
    return len(anchors) == 3 and any(abs(log - round(log)) > 1e-6 for log in np.log10([one.value for one in anchors]))


def _leap_years(axis: Axis) -> Axis:
    """Years as dates, where the strokes show that leap years are longer; else the axis as it is.

    A year of 366 days is 0.3 % longer: it takes several labels on sharp strokes to tell.
    """
    firm = [anchor for anchor in axis.anchors if anchor.seat != "glyph"]
    if len(firm) < 4 or axis.residual < 0.12:
        return axis
    anchors = tuple(replace(anchor, value=days(date(round(anchor.value), 1, 1))) for anchor in axis.anchors)
    pixels = np.array([anchor.pixel for anchor in anchors if anchor.seat != "glyph"])
    at = np.array([anchor.value for anchor in anchors if anchor.seat != "glyph"])
    slope, intercept = np.polyfit(pixels, at, 1)
    residual = float(np.sqrt(np.mean(((at - intercept) / slope - pixels) ** 2)))
    if residual > 0.5 * axis.residual:
        return axis
    return replace(axis, scale="date", slope=float(slope), intercept=float(intercept), anchors=anchors,
                   residual=residual)  # fmt: skip


def fit_dates(ladder: Ladder, readings: Sequence[Dates], rails: Sequence[Rails], extent: float) -> Axis | Unreadable:
    """A date axis: days since 1970-01-01, linear in pixels; of several ways to read the labels the one that fits."""
    best: tuple[float, Fit, Seating, Dates] | None = None
    reason = Unreadable("the labels are no dates")
    for rank, dates in enumerate(readings[:4]):
        found = _best(ladder, dates.readings, rails, None, ("linear",))
        if isinstance(found, Unreadable):
            reason = found
            continue
        score = found[0].score - 0.3 * found[0].residual - 0.05 * rank
        if best is None or score > best[0]:
            best = score, *found, dates
    if best is None:
        return reason
    _, fit, seating, dates = best
    axis = _axis(ladder, fit, seating, rails, "date", extent)
    if isinstance(axis, Unreadable):
        return axis
    axis = replace(axis, calendar="" if dates.calendar == "month" else dates.calendar)
    if dates.year_known:
        return axis
    return replace(axis, confidence="low", warnings=(*axis.warnings, NO_YEAR))


def _best(
    ladder: Ladder, readings: Readings, rails: Sequence[Rails], hint: bool | None, curves: Sequence[Curve]
) -> tuple[Fit, Seating] | Unreadable:
    """The fit and seating that most labels agree with; strokes before glyphs, unless they fit clearly worse."""
    loose = max(2.0, 0.3 * ladder.size)
    alone = [*_zero_at_edge(ladder, readings, rails), *glyph_seats(ladder)]
    plain = [(fit_scale(one.pixels, readings, loose, hint, curves), one) for one in alone]
    glyphs = [(fit, seating) for fit, seating in plain if not isinstance(fit, Unreadable)]
    bare = max(glyphs, key=lambda one: one[0].score, default=None)
    orders = [list(rails[:3]), *([rail] for rail in rails if rail.kind != "spine")]
    seatings = [seating for order in orders for seating in stroke_seats(ladder, order, between=True)]
    least = 0.5 if ladder.side in ("bottom", "left") else 0.8  # the grid may belong to the axis opposite
    seated = []
    for candidate in seatings:
        first = fit_scale(candidate.pixels, readings, STROKE_TOLERANCE, hint, curves, strict=False)
        if isinstance(first, Unreadable) or candidate.stroke_share < least:
            continue
        seating = _readmit(ladder, first, candidate, readings, rails)
        fit = fit_scale(seating.pixels, readings, STROKE_TOLERANCE, hint, curves)
        if isinstance(fit, Unreadable):
            continue
        if bare and ((_worse(fit, bare[0]) and not _by_units(fit, seating)) or _beside(ladder, seating, bare[0])):
            continue
        seated.append((fit, seating))
    if seated:
        return max(seated, key=lambda one: _merit(one[0], one[1], ladder.size))
    if bare:
        return bare
    reason = plain[0][0]
    return reason if isinstance(reason, Unreadable) else Unreadable("no scale fits the labels")


def _zero_at_edge(ladder: Ladder, readings: Readings, rails: Sequence[Rails]) -> list[Seating]:
    """Labels without strokes beside a plot, moved together so that their zero stands on the edge that it is beside."""
    middle = glyph_seats(ladder)[0]
    edges = np.concatenate([rail.pixels for rail in rails if rail.kind == "spine"] or [np.zeros(0)])
    if ladder.side in HORIZONTAL or not len(edges):
        return []
    for at, options in zip(middle.pixels, readings, strict=True):
        if options and options[0].value == 0 and options[0].cost == 0:
            offset = float((edges - at)[np.argmin(np.abs(edges - at))])
            if abs(offset) <= max(2.0, 0.2 * ladder.size):
                return [Seating(middle.pixels + offset, middle.kinds, offset)]
    return []


def _merit(fit: Fit, seating: Seating, size: float) -> float:
    """Labels on the scale first, then labels on strokes, a small residual, and strokes close to their labels."""
    return fit.score + 0.5 * seating.stroke_share - 0.5 * fit.residual - 0.3 * abs(seating.offset) / size


def _worse(fit: Fit, bare: Fit) -> bool:
    """Whether strokes explain the labels worse than the labels' own centres: they are not the strokes that are meant.

    One label less is a fair price for a much smaller residual.
    """
    sharper = fit.kept >= 4 and fit.kept == bare.kept - 1 and fit.residual < 0.3 * bare.residual
    return (fit.kept < bare.kept and not sharper) or fit.residual > max(0.6, bare.residual + 0.2)


def _by_units(fit: Fit, seating: Seating) -> bool:
    """Whether strokes lie off the scale as rounding to units of a drawing, each of several pixels, has put them."""
    kept = [k for k, value in enumerate(fit.values) if value is not None and seating.kinds[k] != "glyph"]
    values = np.array([fit.values[k] for k in kept], dtype=np.float64)
    return fit.scale == "linear" and fit.kept == len(kept) >= 5 and jump_of(seating.pixels[kept], values) is not None


def _beside(ladder: Ladder, seating: Seating, bare: Fit) -> bool:
    """Whether one or two strokes far off the middle of their labels stand against labels that fit by themselves: the
    feet of bars look like tick marks."""
    firm = sum(kind != "glyph" for kind in seating.kinds)
    far = abs(seating.offset) > max(1.5, 0.25 * ladder.size) and not ladder.slanted
    return firm < 3 <= bare.kept and far and bare.residual <= 0.6


def _readmit(ladder: Ladder, fit: Fit, seating: Seating, readings: Readings, rails: Sequence[Rails]) -> Seating:
    """Labels moved from under their stroke to stay within the plot (the first and the last, often), seated on it.

    The scale says where their printed value belongs; a stroke there, within the extent of the text, proves it.
    """
    pixels, kinds = seating.pixels.copy(), list(seating.kinds)
    for i, (label, value, options) in enumerate(zip(ladder.labels, fit.values, readings, strict=True)):
        if value is not None or not options or options[0].cost > 0 or (fit.scale == "log" and options[0].value <= 0):
            continue
        units = np.log10(options[0].value) if fit.scale == "log" else options[0].value
        wanted = (units - fit.intercept) / fit.slope
        if not label.start - 0.5 * label.size <= wanted <= label.end + 0.5 * label.size:
            continue
        for rail in rails:
            snapped, hit = snap(np.array([wanted]), [rail], max(1.8, 0.05 * label.size))
            if hit[0]:
                pixels[i], kinds[i] = snapped[0], rail.kind
                break
    return Seating(pixels, tuple(kinds), seating.offset) if tuple(kinds) != seating.kinds else seating


def _axis(
    ladder: Ladder, fit: Fit, seating: Seating, rails: Sequence[Rails], scale: Scale, extent: float
) -> Axis | Unreadable:
    """The final least-squares fit: labels without a stroke are seated once more where the scale wants them, and
    only labels on strokes count where there are enough of those."""
    kept = [i for i, value in enumerate(fit.values) if value is not None]
    values = np.array([fit.values[i] for i in kept], dtype=np.float64)
    units = np.log10(values) if fit.scale == "log" else values
    pixels, kinds = seating.pixels[kept].copy(), [seating.kinds[i] for i in kept]
    for rail in rails if seating.stroke_share >= 0.4 else ():
        wanted = (units - fit.intercept) / fit.slope
        snapped, hit = snap(wanted, [rail], min(1.8, 0.2 * spacing(wanted)))
        for i in np.flatnonzero(hit):
            if kinds[i] == "glyph":
                pixels[i], kinds[i] = snapped[i], rail.kind
    firm = np.array([kind != "glyph" for kind in kinds])
    used = firm if firm.sum() >= max(2, 0.5 * len(kept)) and _spread(pixels, firm) else np.ones(len(kept), dtype=bool)
    inner = _without_lone(pixels, units, _without_edges(pixels, units, kinds, used))
    kinds = [kind if keep or not was else "glyph" for kind, keep, was in zip(kinds, inner, used, strict=True)]
    used = inner
    slope, intercept = np.polyfit(pixels[used], units[used], 1)
    residual = float(np.sqrt(np.mean(((units[used] - intercept) / slope - pixels[used]) ** 2)))
    if residual > max(3.0, 0.01 * extent):
        return Unreadable(f"the labels lie {residual:.1f} px off any {scale} scale")
    year = r"(?:19|20)\d\d" if scale == "linear" else r".*\b(?:19|20)\d\d\b.*|\D{3,5}\d\d"  # months with years
    years = scale in ("linear", "date") and all(re.fullmatch(year, ladder.labels[i].text) for i in kept)
    if len(kept) == 2 and not firm.any() and not years:
        return Unreadable("two labels that stand on no tick or grid line are no scale")
    anchors = tuple(
        Anchor(float(pixels[i]), float(values[i]), ladder.labels[j].text, kinds[i], ladder.labels[j].box)
        for i, j in enumerate(kept)
    )
    warnings = _doubts(ladder, fit)
    off = len(fit.values) - len(kept)
    seated = len(kept) > 2 and residual <= max(HIGH_RESIDUAL, 0.0012 * extent) and firm.sum() >= 0.5 * len(kept)
    drawn = sum(kind in ("tick", "grid") for kind in kinds)  # the frame itself proves no offset
    seated = seated and bool(drawn > 2 or abs(seating.offset) <= 1.5)
    repaired = len(fit.repaired)  # two labels prove no third
    sure = (
        (seated or (len(kept) > 3 and residual <= HIGH_ALONE and extent >= SHORTEST_ALONE))
        and repaired <= min(0.34 * len(kept), max(0, len(kept) - 3)) and off <= 0.34 * len(fit.values)
    )  # fmt: skip
    return Axis(
        ladder.side, scale, float(slope), float(intercept), anchors, residual,
        confidence="high" if sure else "low", warnings=warnings,
    )  # fmt: skip


def _without_edges(pixels: Floats, units: Floats, kinds: Sequence[str], used: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Without the labels on the edge of the plot, which is known less well, where the others agree far better."""
    inner = used & np.array([kind in ("tick", "grid") for kind in kinds])
    if inner.sum() < 3 or inner.sum() == used.sum():
        return used
    slope, intercept = np.polyfit(pixels[inner], units[inner], 1)
    away = np.abs((units - intercept) / slope - pixels)
    off = away[used].max()
    if not _spread(pixels, inner):  # what lies between tells little of the ends: only a gross edge is left out
        return inner if away[inner].max() <= 0.4 and off > 1.2 else used
    return inner if off > max(0.4, 2 * away[inner].max()) else used


def _without_lone(pixels: Floats, units: Floats, used: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Without a stroke that all other labels, on strokes or not, agree to lie beside: at an end of the axis it draws
    the scale towards itself, so that it seems to fit."""
    if used.sum() < 4 or len(pixels) < 6:
        return used
    off = np.zeros(len(pixels))
    for i in np.flatnonzero(used):
        others = np.arange(len(pixels)) != i
        slope, intercept = np.polyfit(pixels[others], units[others], 1)
        away = (units - intercept) / slope - pixels
        off[i] = abs(away[i]) if np.sqrt(np.mean(away[others] ** 2)) < 0.25 else 0.0
    lone = int(np.argmax(off))
    return used & (np.arange(len(pixels)) != lone) if off[lone] > 1.2 else used


def _spread(pixels: Floats, firm: Floats) -> bool:
    """True if the labels on strokes span most of the ladder."""
    return bool(np.ptp(pixels[firm]) >= 0.6 * np.ptp(pixels)) if np.any(firm) else False


def _doubts(ladder: Ladder, fit: Fit) -> tuple[str, ...]:
    """What was not taken as printed, in words."""
    found = []
    for i, (label, value) in enumerate(zip(ladder.labels, fit.values, strict=True)):
        if value is None:
            found.append(f"label {label.text!r} is off the {fit.scale} scale and was not used")
        elif i in fit.repaired:
            found.append(f"label {label.text!r} was read as {value:g}, as the other labels prove")
    return tuple(found)


def _minor_hint(ladder: Ladder, readings: Readings, rails: Sequence[Rails]) -> bool | None:
    """Whether strokes between the labels crowd like logarithms (True), are even (False), or tell nothing (None)."""
    places = glyph_seats(ladder)[0].pixels
    plain = [(px, options[0].value) for px, options in zip(places, readings, strict=True) if options]
    positive = [(px, value) for px, value in plain if value > 0]
    if len(positive) < 2 or positive[0][1] == positive[-1][1] or positive[0][0] == positive[-1][0]:
        return None
    (p0, v0), (p1, v1) = positive[0], positive[-1]
    low, high = sorted((p0, p1))
    for rail in rails:
        inner = rail.pixels[(rail.pixels > low + 2) & (rail.pixels < high - 2)]
        if rail.kind == "spine" or len(inner) < 3:
            continue
        share = (inner - p0) / (p1 - p0)
        values = v0 * (v1 / v0) ** share
        mantissa = values / 10 ** np.floor(np.log10(values) + 1e-3)
        nearest = np.clip(np.round(mantissa), 1, 10)
        pixel_error = np.abs(np.log(mantissa / nearest) / np.log(v1 / v0) * (p1 - p0))
        if np.mean(pixel_error <= 2.0) >= 0.8 and np.ptp(np.diff(inner)) > 0.3 * np.mean(np.diff(inner)):
            return True
        if np.ptp(np.diff(inner)) < 2.5:
            return False
    return None
