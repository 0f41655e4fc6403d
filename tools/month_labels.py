"""Labels of dates that say less than a date each: letters of months, bare days, and what stands beside them.

Each step takes the labels of one axis in their order along it and returns them with what the others prove about them.
Not handled here: what a date means (`dates`), years in a row of their own under the months (`ladders` joins them).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tools.dates import is_month

DAY_AND_MORE = re.compile(r"(?P<day>\d{1,2})(?:\s+(?P<month>[A-Za-z]{3,9})\.?)?(?:\s+(?P<year>\d{4}))?$")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
LETTERS = "JFMAMJJASOND"
OFFSET = re.compile(r"(\d{4})-([A-Z][a-z]{2})")  # at the end of an axis of days: the month that they end in
ALIKE = 0.85  # of the letters that must be those of the months in a row


def lettered_months(texts: Sequence[str]) -> list[str]:
    """Single letters that follow each other as months do ("J", "A", "J", "O"), a year under some of them, as months.
    Other ladders, and such as may be read in two ways, are returned as they are.

    >>> lettered_months(["J", "A 2015", "J", "O"])
    ['Jan', 'Apr 2015', 'Jul', 'Oct']
    """
    found = [re.fullmatch(r"([A-Z])(?:\s+(\d{4}))?", text.strip()) for text in texts]
    if len(texts) < 4 or sum(map(bool, found)) < ALIKE * len(texts):
        return list(texts)
    letters = [one[1] if one else "" for one in found]
    walks = [_walk(letters, start, step) for step in (1, 2, 3) for start in range(12)]
    faults = [cost for cost, _ in walks]
    best = min(faults)
    if best > (1 - ALIKE) * len(texts) or faults.count(best) > 1:
        return list(texts)
    row = walks[faults.index(best)][1]
    years = [f" {one[2]}" if one and one[2] else "" for one in found]
    return [MONTHS[month].capitalize() + year for month, year in zip(row, years, strict=True)]


def _walk(letters: Sequence[str], start: int, step: int) -> tuple[int, list[int]]:
    """Months (0 to 11) of letters, one every `step` from `start` on, and how many are not as they should be: misread,
    or after one that was not read at all (a lone O looks like a marker)."""
    months, month, faults = list[int](), start - step, 0
    for letter in letters:
        month += step
        if letter != LETTERS[month % 12]:
            faults += 1
            if months and letter == LETTERS[(month + step) % 12]:
                month += step
        months.append(month % 12)
    return faults, months


def first_days(texts: Sequence[str]) -> list[str]:
    """Months that stand among bare days in place of the first ("22", "Feb", "08"), as days of theirs.

    >>> first_days(["15", "22", "Feb", "08"])
    ['15', '22', '1 Feb', '08']
    """
    days = [re.fullmatch(r"[0-3]?\d", text.strip()) is not None for text in texts]
    months = [is_month(re.sub(r"\s+\d{4}$", "", text.strip())) for text in texts]
    if sum(days) < 2 or not any(months) or not all(a or b for a, b in zip(days, months, strict=True)):
        return list(texts)
    return [f"1 {text.strip()}" if month else text for text, month in zip(texts, months, strict=True)]


def weeks_over_years(texts: Sequence[str]) -> list[str]:
    """Numbers over a year each of which some are too high for a month, as weeks ("40 2018" is 2018-W40)."""
    found = [re.fullmatch(r"(\d{1,2}) ((?:19|20)\d\d)", text.strip()) for text in texts]
    weeks = [int(one[1]) for one in found if one]
    if len(weeks) < len(texts) or not weeks or not 12 < max(weeks) <= 53 or min(weeks) < 1:
        return list(texts)
    return [f"{one[2]}-W{int(one[1]):02d}" for one in found if one]


def with_offset(texts: Sequence[str], extra: Sequence[str]) -> list[str]:
    """The year that the offset of an axis of days names ("2022-Feb" in `extra`) given to the last day of its month."""
    done = list(texts)
    for year, month in (found.groups() for text in extra if (found := OFFSET.fullmatch(text.strip()))):
        at = [i for i, text in enumerate(done) if re.fullmatch(rf"\d{{1,2}} {month}[a-z]*", text)]
        if at:
            done[at[-1]] += f" {year}"
    return done


def carry_months(texts: Sequence[str]) -> list[str]:
    """Bare days of the month completed by the month and year that stand under one of them ("24", "25", "01 Mar 2020",
    "02"): days go up within a month and start again in the next. Other ladders are returned as they are.

    >>> carry_months(["29", "01 Mar 2020", "02"])
    ['29 Feb 2020', '01 Mar 2020', '2 Mar 2020']
    """
    parts = [DAY_AND_MORE.match(text.strip()) for text in texts]
    named = [i for i, part in enumerate(parts) if part and part["month"]]
    bare = [i for i, part in enumerate(parts) if part and not part["month"]]
    if not named or not bare or len(named) + len(bare) < 0.7 * len(texts):
        return list(texts)
    months = _named_months(parts)
    for path, step in ((range(len(texts)), 1), (range(len(texts) - 1, -1, -1), -1)):
        last: tuple[int, int] | None = None  # day and month number of the neighbour
        for i in path:
            part = parts[i]
            if part is None:
                continue
            day = int(part["day"])
            if months[i] is None and last is not None:
                months[i] = last[1] + (step if (day - last[0]) * step <= 0 else 0)
            if (month := months[i]) is not None:
                last = day, month
    whole = list(texts)
    for i, (part, month) in enumerate(zip(parts, months, strict=True)):
        if part is not None and month is not None and not part["month"]:
            whole[i] = f"{int(part['day'])} {_month_text(month, named, parts)}"
    return whole


def _named_months(parts: Sequence[re.Match[str] | None]) -> list[int | None]:
    """Months since year 0 of the labels that name a month; years go on from label to label (from 0 without any)."""
    named = {i: part for i, part in enumerate(parts) if part is not None and part["month"]}
    month = {
        i: number for i, part in named.items() for number, name in enumerate(MONTHS)
        if part["month"].lower().startswith(name)
    }  # fmt: skip
    years = {i: int(named[i]["year"]) for i in month if named[i]["year"]}
    start = min(years or month, default=0)
    found: dict[int, int] = {}
    for step in (1, -1):
        year, last = years.get(start, 0), month.get(start, 0)
        for i in sorted(month, reverse=step < 0):
            if (i - start) * step >= 0:
                turned = (month[i] - last) * step < 0
                year = years.get(i, year + (step if turned else 0))
                last, found[i] = month[i], 12 * year + month[i]
    return [found.get(i) for i in range(len(parts))]


def _month_text(month: int, named: Sequence[int], parts: Sequence[re.Match[str] | None]) -> str:
    year = f" {month // 12}" if any((part := parts[i]) is not None and part["year"] for i in named) else ""
    return MONTHS[month % 12].capitalize() + year
