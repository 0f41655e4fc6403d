"""Which letter stands over each panel of a figure: (a), b, C.

Not handled here: what captions say of them (`paper`).
"""

from __future__ import annotations

import re

from agent.reading import Reading

LETTER = re.compile(r"^\(?([a-hA-H])[).]?$")
BESIDE, BELOW, ABOVE = 0.3, 0.1, 0.3  # shares of the plot: left of it, into it, over it


def printed_letters(reading: Reading) -> list[str]:
    """The letter printed over each panel, the nearest one to its upper edge; empty where none is, or another has it."""
    printed = [(found[1].lower(), word.box) for word in reading.words if (found := LETTER.match(word.text.strip()))]
    letters: list[str] = []
    for one in reading.panels:
        plot = one.panel.plot
        over = [(abs(plot.y0 - box.centre[1]), letter) for letter, box in printed
                if plot.x0 - BESIDE * plot.width <= box.centre[0] <= plot.x1
                and -BELOW * plot.height <= plot.y0 - box.centre[1] <= ABOVE * plot.height]  # fmt: skip
        letter = min(over)[1] if over else ""
        letters.append(letter if letter not in letters else "")
    return letters
