"""The reliability gate of a panel: whether its values can be asked for, and whether words bear out the map that fits.

Every column has to be named, or to be the only one that could be meant; habits, order and likelihood do not count. Not
handled here: mapping (`mapping`), reading off recipes and values (`panel_grounds`, `elements`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from agent.arithmetic import TRANSFORMS, is_claimed
from agent.drawn import Drawn
from agent.mapping import FITS, Link, PanelMap, convincing
from agent.questions import tokens
from agent.reading import PanelReading
from agent.recipes import AUXILIARY, filter_of
from agent.source_tables import SourceTable, number_of
from tools.table import Table
from tools.types import Word

AMBIGUOUS, PRINTED, UNSCALED = "ambiguous column", "printed value", "missing normalisation"
DOMAIN, UNLABELLED, NOT_FOUND, UNREAD = "domain analysis", "no visible label", "not in the table", "not read"
REASONS = (AMBIGUOUS, PRINTED, UNSCALED, DOMAIN, UNLABELLED, NOT_FOUND, UNREAD)
KINDS_OF_ONE = """raw adj adjusted unadjusted corrected uncorrected fdr bh bonferroni q nominal normalised normalized
unnormalised mean median average smoothed filtered log log2 log10 background subtracted"""
QUALIFIERS = frozenset(KINDS_OF_ONE.split())
ANALYSIS = re.compile(
    r"principal[\s-]component|\bPCA\b|\bU-?MAP\b|t-?SNE|\bfits?\b|\bfitted\b|logistic|\bhill\b|half[- ]maximal|"
    r"\b[IE]C50\b|regression|posterior|bayes|\bmodel(?:led|ed|s)?\b|predicted|deconvol|phylogen|enrichment score|"
    r"\bGSEA\b|factor analysis|spline|simulat|machine learning|imput|integrat", re.I
)  # fmt: skip
RELATIVE = re.compile(r"\bfold\b|relative to|\brelative\b|normali[sz]ed|% of|percent of|\bindex\b|of control", re.I)
NEAR = 2.5  # heights of its letters between a printed value and the mark that it belongs to


def unlabelled(reading: PanelReading, series: Sequence[Drawn]) -> str:
    """Why no value of a panel could be named by what the figure prints; empty where one can."""
    assert isinstance(reading.table, Table)
    if not series:
        return "no series with values was read"
    nameless = [one for one in series if not one.named]
    if len(series) > 1 and len(nameless) > 0.5 * len(series):
        return f"{len(nameless)} of {len(series)} series have no name in the figure"
    key = series[0].key
    if key is None or not (key.anchors or key.categories):
        return "the places along the axis are not labelled"
    cloud = all(one.kind == "points" for one in series) and key.scale != "category"
    if cloud and (reading.table.form == "long" or nameless):
        return "its points carry no labels"
    return ""


def printed_values(reading: PanelReading, series: Sequence[Drawn], words: Sequence[Word]) -> str:
    """What is printed beside the marks, where that is half of their values or more; else empty."""
    plot, legend = reading.panel.plot, reading.panel.legend.box
    said = []
    for word in words:
        value = number_of(word.text.replace("%", ""))
        inside = plot.contains(*word.box.centre, margin=2.0) and not (legend and legend.contains(*word.box.centre))
        if np.isfinite(value) and inside:
            said.append((value, word))
    found = []
    for one in series:
        for place, value in zip(one.places, one.value, strict=True):
            near = [text for v, text in said if abs(v - value) <= max(0.03 * abs(value), _unit_of(text.text))
                    and _is_near(text, place)]  # fmt: skip
            found += [f"{near[0].text}"] if near else []
    total = sum(len(one.value) for one in series)
    return f"printed beside its marks: {', '.join(found[:5])}" if found and len(found) >= 0.5 * total else ""


def _is_near(word: Word, place: np.ndarray) -> bool:
    tall = min(word.box.height, word.box.width)
    return bool(np.isfinite(place).all()) and word.box.contains(float(place[0]), float(place[1]), NEAR * tall + 3)


def _unit_of(text: str) -> float:
    """Half of the last digit that a number prints."""
    return 0.5 * 10.0 ** -len(text.partition(".")[2].rstrip("%"))


def is_explained(found: PanelMap) -> bool:
    """True where the table gives the drawn values: nearly all of them as they stand, or surely after arithmetic."""
    plain = not any(found.layout.recipe.startswith(name) for name, _, _ in TRANSFORMS)
    most = len(found.links) >= 0.6 * len(found.series)
    return most and (found.agreement >= FITS if plain else convincing(found) or found.agreement >= 0.9)


def unsupported(found: PanelMap, words: str) -> tuple[str, str] | None:
    """Why a recipe that fits the values is not taken: its words say too little."""
    if strange := next((link for link in found.links if not is_named(link, found)), None):
        return UNLABELLED, f"{strange.drawn.name!r}, as the figure seems to say, is named nowhere in the table"
    for link in found.links:
        if rivals := rivals_of(link, found, words):
            named = " or ".join(repr(name) for name in (*link.curve.columns[-1:], *rivals))
            return AMBIGUOUS, f"{named}: nothing in the figure or its caption says which"
    for column, value in chosen_rows(found).items():
        if not is_said(value, words):
            return AMBIGUOUS, f"the values are those where {column!r} is {value!r}, and no words say so"
    recipe = found.layout.recipe
    reference = _reference(recipe, found)
    if reference is not None and not (reference and is_said(reference, words)):
        return UNSCALED, f"the values fit {recipe!r}, but no words name that reference"
    if recipe.startswith("Kaplan") and not re.search(r"surviv|kaplan|event-free|progression", words, re.I):
        return DOMAIN, f"the values fit {recipe!r}, and no words speak of it"
    if _is_arithmetic(recipe) and not is_claimed(recipe, words):
        return NOT_FOUND, f"the values fit {recipe!r}, but no words speak of it"
    return None


def is_named(link: Link, found: PanelMap) -> bool:
    """True where the name of a series is found in the table: in its column's name, or among the rows' values.

    A single series may be called otherwise than the single column that it shows.
    """
    if not link.drawn.named or len(found.series) == 1:
        return True
    wanted, said = set(tokens(link.drawn.name)), set(tokens(link.curve.name))
    return link.named >= 0.6 or bool(wanted and wanted <= said)


def chosen_rows(found: PanelMap) -> dict[str, str]:
    """Column -> value where all series of a panel were made of the rows with one value, and the table has others."""
    filters = [filter_of(found.layout.recipe, link.curve.name, found.layout.table) for link in found.links]
    shared: dict[str, str] = {}
    for column in found.layout.table.columns:
        values = {one.get(column.name, "") for one in filters}
        if len(values) == 1 and "" not in values and len({t for t in column.texts if t}) > 1:
            value = values.pop()
            if not any(value == link.drawn.name for link in found.links):
                shared[column.name] = value
    return shared


def _is_arithmetic(recipe: str) -> bool:
    return any(recipe.startswith(name) for name, _, _ in TRANSFORMS) or "ratio" in recipe


def _reference(recipe: str, found: PanelMap) -> str | None:
    """What the values of a relative recipe were divided by; None for other recipes."""
    base = found.layout.table
    if recipe.startswith(("percent of the first row", "fold of the first row")):
        return base.columns[0].texts[0] if base.rows else ""
    if recipe.startswith("percent of ") and not recipe.startswith(("percent of its", "percent of the")):
        return recipe.removeprefix("percent of ").split(" of ")[0]
    return None


def is_said(name: str, words: str) -> bool:
    wanted, said = set(tokens(name)), set(tokens(words))
    return bool(wanted) and wanted <= said


def rivals_of(link: Link, found: PanelMap, words: str) -> list[str]:
    """Other columns of numbers that the words name no less than the one that a series was mapped to."""
    own = link.curve.columns[:1]
    if not own or (link.curve.name == own[0] and link.drawn.named and link.named >= 0.8):
        return []
    used = {name for one in found.links for name in one.curve.columns} | {found.layout.x_name}
    others = [c.name for c in found.layout.table.columns if c.kind == "number" and c.name not in used]
    if len(link.curve.columns) > 1:  # replicates and events: made of several columns
        others = []
    if not AUXILIARY.search(own[0]):
        others = [name for name in others if not AUXILIARY.search(name)]
    label = set(tokens(f"{link.drawn.axis.label}"))
    said = set(tokens(words))
    mine = _support(own[0], label, said)
    return [name for name in others if _support(name, label, said) >= mine - 0.05 or _qualified(own[0], name, said)]


def _support(name: str, label: set[str], said: set[str]) -> float:
    """How far the axis label names a column, and how much of its name is said at all: 0 to 2."""
    own = set(tokens(name.replace("_", " ")))
    return len(label & own) / max(len(label), 1) + len(own & said) / max(len(own), 1)


def _qualified(one: str, other: str, said: set[str]) -> bool:
    """True where two names differ by words like raw and adjusted alone, none of which is said."""
    a, b = (set(tokens(name.replace("_", " "))) for name in (one, other))
    apart = a ^ b
    return bool(a & b) and bool(apart) and apart <= QUALIFIERS and not apart & said


def box_rivals(column: str, table: SourceTable, label: str, words: str) -> list[str]:
    named, said = set(tokens(label)), set(tokens(words))
    others = [c.name for c in table.columns if c.kind == "number" and c.name != column and not AUXILIARY.search(c.name)]
    return [o for o in others if _support(o, named, said) >= _support(column, named, said) - 0.05
            or _qualified(column, o, said)]  # fmt: skip
