"""Category names printed inside the plot, at the foot of horizontal bars, where no names stand beside them.

Not handled here: names inside upright bars, names above their bars, value labels (they do not start at one edge).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tools.categories import even_slots, fit_categories
from tools.ladders import Ladder, place
from tools.types import Axis, Box, Word

_HEAD = re.compile(r"\s+[-–—]\s*|\s*[–—]\s+|\s*:\s+")  # what parts a name from the note printed after it


def inside_categories(plot: Box, words: Sequence[Word]) -> Axis | None:
    """The category axis (side "left") of words that start at one left edge, one in each even slot of the plot's height.

    None where the words do not fill the plot so: the notes and names of other plots do not. Where every text has a dash
    after its first words, only these are the name.
    """
    level = [word for word in words if abs(word.angle) < 5 and plot.contains(*word.box.centre) and len(word.text) > 1]
    near = [word for word in level if -1 <= word.box.x0 - plot.x0 < 0.1 * plot.width]
    if len(near) < 2:
        return None
    line = float(np.median([word.box.height + 1 for word in near]))
    edge = float(np.median([word.box.x0 for word in near]))
    column = sorted((w for w in near if abs(w.box.x0 - edge) < 0.5 * line), key=lambda w: w.box.centre[1])
    slots = even_slots(np.array([word.box.centre[1] for word in column]))
    if slots is None or len(column) < 0.8 * len(near) or slots.unevenness > 0.1:
        return None
    count = slots.index[-1] + 1
    step = plot.height / count
    fills = (
        abs(1 / slots.slope - step) < 0.25 * step and abs(column[0].box.centre[1] - plot.y0 - step / 2) < 0.35 * step
    )
    if not fills or step < 1.15 * line or len(column) < count:
        return None
    labels = [place(word, plot, "left") for word in column]
    names = _heads([label.text for label in labels])
    ladder = Ladder("left", tuple(replace(label, text=name) for label, name in zip(labels, names, strict=True)))
    axis = fit_categories(ladder, (), ())
    if not isinstance(axis, Axis) or len(axis.categories) != count:
        return None
    return replace(axis, warnings=(*axis.warnings, "the names are printed inside the plot"))


def _heads(texts: Sequence[str]) -> list[str]:
    """The words before the dash, if there is one in every text and they differ; else the texts."""
    heads = [_HEAD.split(text, maxsplit=1)[0].strip() for text in texts]
    cut = all(head != text and head for head, text in zip(heads, texts, strict=True))
    return heads if cut and len(set(heads)) == len(heads) else list(texts)
